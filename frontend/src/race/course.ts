// What follows from two racers' steps: who is closer, who is narrower, what was picked. Pure functions of the numbers
// that Python sent.

import type { MethodInfo, RaceInterval, RaceStep } from "../from_python/race_messages";
import { countedText, significantText } from "../text/numbers";

export type Kind = "guaranteed" | "approximate";

/** A racer as the page knows it. */
export interface Course {
  method: MethodInfo;
  steps: RaceStep[];
}

/** The interval of a step that is shown: if one kind is missing, the other. */
export function intervalOf(step: RaceStep | undefined, kind: Kind): RaceInterval | null {
  if (step === undefined) return null;
  return kind === "guaranteed" ? (step.guaranteed ?? step.approximate) : (step.approximate ?? step.guaranteed);
}

export const widthOf = (step: RaceStep | undefined, kind: Kind): number | null => {
  const interval = intervalOf(step, kind);
  return interval === null ? null : interval.high - interval.low;
};

/** The smaller one of two numbers: 0 or 1; -1 if they are equal, null if one is missing. */
export function smaller(values: (number | null)[]): 0 | 1 | -1 | null {
  const [first, second] = values;
  if (first === null || second === null || first === undefined || second === undefined) return null;
  if (Math.abs(first - second) <= 1e-12 * Math.max(Math.abs(first), Math.abs(second))) return -1;
  return first < second ? 0 : 1;
}

/** The number of labels after which a racer's interval is at most so wide; null if it never is. */
export function labelsForWidth(steps: RaceStep[], width: number, kind: Kind): number | null {
  const at = steps.findIndex((step) => {
    const own = widthOf(step, kind);
    return own !== null && own <= width;
  });
  return at < 0 ? null : at + 1;
}

/** The share of picks in each of some equal bins of an axis. The upper end belongs to the last bin. */
export function binned(values: number[], low: number, high: number, nBins: number): number[] {
  const counts = new Array<number>(nBins).fill(0);
  for (const value of values) {
    const bin = Math.floor(((value - low) / (high - low)) * nBins);
    counts[Math.min(nBins - 1, Math.max(0, bin))] += 1;
  }
  return counts.map((count) => count / Math.max(1, values.length));
}

/** A histogram's outline: the ends of each bin, at its height. */
export function outline(shares: number[], low: number, high: number): { x: number[]; y: number[] } {
  const width = (high - low) / shares.length;
  return {
    x: shares.flatMap((_, i) => [low + i * width, low + (i + 1) * width]),
    y: shares.flatMap((share) => [share, share]),
  };
}

/** A difference of two values in words. */
export function distanceText(distance: number | null, isShare: boolean): string {
  if (distance === null) return "–";
  return isShare ? `${significantText(100 * distance, 2)} points` : significantText(distance, 2);
}

/** How an instance came to be drawn, by its weight p/q. */
export function drawnText(weight: number): string {
  const odds = 1 / weight;
  if (Math.abs(odds - 1) < 0.05) return "drawn by lot, as likely as any other";
  return `${significantText(odds, 2)} times as likely as by lot`;
}

/** Who is closer to the truth now, in words; while the truth is hidden, that this is unknown. */
export function closerText(courses: Course[], n: number, isHidden: boolean, isShare: boolean): string {
  if (n === 0) return "No labels yet.";
  if (isHidden) return "Who is closer? First guess the truth.";
  const at = courses.map(({ steps }) => steps[n - 1]);
  const off = at.map((step) => step?.off ?? null);
  const who = smaller(off);
  if (who === null) return "Closer to the truth: not known yet.";
  const [winner, loser] = who === 1 ? [1, 0] : [0, 1];
  const text = (i: number) => distanceText(off[i] ?? 0, isShare);
  if (who === -1) return `Both are ${text(0)} off the truth.`;
  return `Closer to the truth: ${courses[winner].method.title}, ${text(winner)} off (${courses[loser].method.title}: ${text(loser)}).`;
}

/** How many labels the wider one takes for the narrower one's width. */
export type Needed = { n: number; isReached: boolean } | null;

const NEARLY = 0.8; // of all possible values

/**
 * Who is narrower now, in words, and how many labels the other one needs for that. While both intervals include nearly
 * all of a range of values as wide as `whole`, that.
 */
export function narrowerText(courses: Course[], n: number, kind: Kind, needed: Needed, whole: number | null): string {
  if (n === 0) return "";
  const at = courses.map(({ steps }) => steps[n - 1]);
  const widths = at.map((step) => widthOf(step, kind));
  const who = smaller(widths);
  if (whole !== null && widths.every((width) => width === null || width >= NEARLY * whole))
    return "Both intervals still include nearly all possible values.";
  if (who === null) return "Narrower: not known before both have an interval.";
  if (who === -1) return "Both intervals are equally wide.";
  const [winner, loser] = [courses[who], courses[1 - who]];
  const margins = at.map((step) => intervalOf(step, kind)?.margin ?? "");
  const text = `Narrower: ${winner.method.title}, ${margins[who]} (${loser.method.title}: ${margins[1 - who]}).`;
  const within = labelsForWidth(loser.steps, widths[who] ?? 0, kind);
  if (within !== null) return `${text} ${loser.method.title} needs ${countedText(within, "label")} for that.`;
  if (needed === null) return text;
  const most = needed.isReached ? countedText(needed.n, "label") : `more than ${countedText(needed.n, "label")}`;
  return `${text} ${loser.method.title} needs ${most} for that.`;
}
