// Numbers as a person types them, and the range that they must be in.

/** Keys that are part of numbers. */
export const TYPED_IN_NUMBERS = /^[0-9.,+\-e]$/;

const STEPS = 100; // a slider's whole range in this many steps

export interface Range {
  low: number | null;
  high: number | null;
  unit: [one: string, many: string] | null;
}

/** A step of one, two or five times a power of ten, at least a hundredth of the range. */
export function roundStep(range: number): number {
  const least = (range / STEPS) * (1 - 1e-9);
  const power = 10 ** Math.floor(Math.log10(range / STEPS));
  return [1, 2, 5].map((factor) => factor * power).find((step) => step >= least) ?? 10 * power;
}

/** The number that a text is, with a point or a comma; NaN where it is none. */
export function numberIn(text: string): number {
  const isNumber = /^[+-]?(\d+([.,]\d*)?|[.,]\d+)(e[+-]?\d+)?$/i.test(text.trim());
  return isNumber ? Number(text.trim().replace(",", ".")) : Number.NaN;
}

const written = (number: number): string => String(number).replace("-", "−");

export function withUnit(number: number, { unit }: Pick<Range, "unit">): string {
  return `${written(number)}${unit === null ? "" : `\u00a0${Math.abs(number) === 1 ? unit[0] : unit[1]}`}`;
}

/** What can be typed, in words. */
export function rangeText(range: Range): string {
  const { low, high } = range;
  if (low !== null && high !== null) return `a number from ${written(low)} to ${withUnit(high, range)}`;
  if (low !== null) return `a number from ${withUnit(low, range)} up`;
  return high !== null ? `a number up to ${withUnit(high, range)}` : "a number";
}

/** Why a text is no number of the range, or null. */
export function problemOf(text: string, range: Range): string | null {
  const number = numberIn(text);
  const { low, high } = range;
  if (!Number.isFinite(number)) return `Enter ${rangeText(range)}.`;
  if (low !== null && number < low) return `The minimum is ${withUnit(low, range)}.`;
  if (high !== null && number > high) return `The maximum is ${withUnit(high, range)}.`;
  return null;
}

/** A number of the range, rounded to a step, as a decimal number has no rest: 0.3, not 0.30000000000000004. */
export function onGrid(number: number, step: number, low: number, high: number): number {
  const rounded = Math.round(number / step) * step;
  return Number(Math.min(high, Math.max(low, rounded)).toPrecision(12));
}
