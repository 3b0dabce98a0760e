// From an axis' numbers to pixels, and which ticks have enough room.

import type { Axis } from "../from_python/messages";

const GAP = 8; // px, between adjacent numbers

/** A function from the axis' numbers to pixels between `from` and `to`. */
export function scaleOf(axis: Pick<Axis, "low" | "high" | "is_log">, from: number, to: number) {
  const level = axis.is_log ? Math.log : (value: number) => value;
  const [start, end] = [level(axis.low), level(axis.high)];
  return (value: number): number => from + ((to - from) * (level(value) - start)) / (end - start);
}

/** Every nth tick, counted from the `origin`th, with n such that ticks are `apart`. */
function everyNth(ticks: Axis["ticks"], origin: number, apart: (one: number, next: number) => boolean): Axis["ticks"] {
  for (let every = 1; every < ticks.length; every += 1) {
    const chosen = ticks.map((_, i) => i).filter((i) => (i - origin) % every === 0);
    if (chosen.every((i, at) => at === 0 || apart(chosen[at - 1], i))) return chosen.map((i) => ticks[i]);
  }
  return ticks.slice(origin, origin + 1);
}

/** The ticks that have room on a vertical axis, by the height of a line; counted from the one that is always shown. */
export function verticalTicks(
  { ticks, is_log }: Pick<Axis, "ticks" | "is_log">,
  y: (value: number) => number,
  height: number,
): Axis["ticks"] {
  // 1 for multiples, 0 for differences, otherwise the lower end.
  const origin = Math.max(
    0,
    ticks.findIndex(([value]) => value === (is_log ? 1 : 0)),
  );
  return everyNth(ticks, origin, (one, next) => Math.abs(y(ticks[next][0]) - y(ticks[one][0])) >= height);
}

/** The ticks that have room on a horizontal axis, by the widths of texts. */
export function horizontalTicks(
  { ticks }: Pick<Axis, "ticks">,
  x: (value: number) => number,
  width: (text: string) => number,
): Axis["ticks"] {
  const half = (i: number) => width(ticks[i][1]) / 2;
  return everyNth(ticks, 0, (one, next) => x(ticks[next][0]) - x(ticks[one][0]) >= half(one) + half(next) + GAP);
}
