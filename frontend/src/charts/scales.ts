// From an axis' numbers to pixels, and which of its ticks there is room for.

import type { Axis } from "../from_python/messages";

export const TICK = 12; // px, the height of what is written

/** A function from the axis' numbers to pixels between `from` and `to`. */
export function scaleOf(axis: Pick<Axis, "low" | "high" | "is_log">, from: number, to: number) {
  const level = axis.is_log ? Math.log : (value: number) => value;
  const [start, end] = [level(axis.low), level(axis.high)];
  return (value: number): number => from + ((to - from) * (level(value) - start)) / (end - start);
}

const longest = (ticks: Axis["ticks"]): number => Math.max(...ticks.map(([, text]) => text.length));

/** The width that the numbers of a vertical axis take. */
export const ticksWidth = ({ ticks }: Pick<Axis, "ticks">): number => 0.64 * TICK * longest(ticks);

/** The ticks that have room on a vertical axis of a height, counted from what must be read. */
export function verticalTicks({ ticks, is_log }: Pick<Axis, "ticks" | "is_log">, height: number): Axis["ticks"] {
  const every = Math.ceil((ticks.length * (TICK + 3)) / (height + TICK));
  // 1 of multiples, 0 of differences, else the lower end.
  const origin = Math.max(
    0,
    ticks.findIndex(([value]) => value === (is_log ? 1 : 0)),
  );
  return ticks.filter((_, i) => (i - origin) % every === 0);
}

/** The ticks that have room on a horizontal axis of a width. */
export function horizontalTicks({ ticks }: Pick<Axis, "ticks">, width: number): Axis["ticks"] {
  const widest = 0.62 * TICK * longest(ticks) + 8;
  const every = Math.ceil((ticks.length * widest) / (width + widest));
  return ticks.filter((_, i) => i % every === 0);
}
