// Typed numbers, and the range that they must be in.

/** Keys that are part of numbers. */
export const TYPED_IN_NUMBERS = /^[0-9.,+\-−e'’]$/;

export type DecimalMark = "." | ",";

const SPACES = " \u00a0\u202f\u2009";
const APOSTROPHES = "'’";
const SIGN = "[-+−]?";
const OTHER = { ".": ",", ",": "." } as const;

/** A number with this decimal mark, with or without thousands separators; one with an exponent has none. */
function formOf(mark: DecimalMark): RegExp {
  const groups = [OTHER[mark], SPACES, APOSTROPHES].map((each) => `(?:[${each}]\\d{3})+`).join("|");
  const plain = `(?:\\d+[${mark}]?\\d*|[${mark}]\\d+)(?:[eE]${SIGN}\\d+)?`;
  return new RegExp(`^${SIGN}(?:${plain}|[1-9]\\d{0,2}(?:${groups})(?:[${mark}]\\d*)?)$`);
}

const FORMS = { ".": formOf("."), ",": formOf(",") };

function readAs(text: string, mark: DecimalMark): number {
  if (!FORMS[mark].test(text)) return Number.NaN;
  const bare = text.replace(new RegExp(`[${OTHER[mark]}${SPACES}${APOSTROPHES}]`, "g"), "");
  return Number(bare.replace(mark, ".").replaceAll("−", "-"));
}

/** The two numbers that a text may be, such as "200,000"; null if it is unambiguous, or not a number. The Python side
 * reads files by the same rule (formats/number_text.py). */
export function meaningsOf(text: string): Record<DecimalMark, number> | null {
  const found = { ".": readAs(text.trim(), "."), ",": readAs(text.trim(), ",") };
  const areTwo = !Number.isNaN(found["."]) && !Number.isNaN(found[","]) && found["."] !== found[","];
  return areTwo ? found : null;
}

/** The decimal mark that a number must have been written with, if that is certain. */
export function markOf(text: string): DecimalMark | null {
  const [byPoint, byComma] = [readAs(text.trim(), "."), readAs(text.trim(), ",")].map(Number.isNaN);
  return byPoint === byComma ? null : byPoint ? "," : ".";
}

const STEPS = 100; // a slider's whole range in this many steps

interface Range {
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

/** The number of a text, NaN if there is none. If ambiguous, by the mark; without a mark the greater one. */
export function numberIn(text: string, mark: DecimalMark | null = null): number {
  const byPoint = readAs(text.trim(), ".");
  const byComma = readAs(text.trim(), ",");
  if (Number.isNaN(byPoint)) return byComma;
  if (Number.isNaN(byComma)) return byPoint;
  if (mark !== null) return mark === "." ? byPoint : byComma;
  return Math.abs(byPoint) > Math.abs(byComma) ? byPoint : byComma;
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

/** Why a text is not a number in the range, or null; null also if it may be one. */
export function problemOf(text: string, range: Range, mark: DecimalMark | null = null): string | null {
  const both = mark === null ? meaningsOf(text) : null;
  if (both === null) return problemOfNumber(numberIn(text, mark), range);
  const [first, second] = Object.values(both).map((number) => problemOfNumber(number, range));
  return first && second;
}

/** Why a number is not in the range, or null. */
export function problemOfNumber(number: number, range: Range): string | null {
  const { low, high } = range;
  if (!Number.isFinite(number)) return `Enter ${rangeText(range)}.`;
  if (low !== null && number < low) return `The minimum is ${withUnit(low, range)}.`;
  if (high !== null && number > high) return `The maximum is ${withUnit(high, range)}.`;
  return null;
}

/** A number of the range, rounded to a step, as an exact decimal: 0.3, not 0.30000000000000004. */
export function onGrid(number: number, step: number, low: number, high: number): number {
  const rounded = Math.round(number / step) * step;
  return Number(Math.min(high, Math.max(low, rounded)).toPrecision(12));
}
