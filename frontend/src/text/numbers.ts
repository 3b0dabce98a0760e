// Numbers in words, written as Python writes them (stats/text.py): thousands separators, a real minus sign.

// Making a format takes far longer than using it.
const formats = new Map<string, Intl.NumberFormat>();

function formatOf(decimals: number, trims: boolean): Intl.NumberFormat {
  const key = `${decimals} ${trims}`;
  let format = formats.get(key);
  if (format === undefined) {
    const minimumFractionDigits = trims ? 0 : decimals;
    format = new Intl.NumberFormat("en-US", { minimumFractionDigits, maximumFractionDigits: decimals });
    formats.set(key, format);
  }
  return format;
}

const withMinus = (text: string): string => text.replace("-", "−");

interface Form {
  /** Whether a positive number gets a plus sign. */
  sign?: boolean;
  /** Whether trailing zeros of the decimals are dropped. */
  trims?: boolean;
}

/** A number rounded to some decimals. */
export function numberText(value: number, decimals: number, { sign = false, trims = false }: Form = {}): string {
  const rounded = Number(value.toFixed(decimals)) + 0; // no sign before a 0
  const text = formatOf(decimals, trims).format(rounded);
  return `${sign && rounded > 0 ? "+" : ""}${withMinus(text)}`;
}

export const countText = (count: number): string => numberText(count, 0);

/** A number with its noun, which gets an "s" unless it is one. */
export const countedText = (count: number, noun: string): string =>
  `${countText(count)} ${noun}${Math.round(count) === 1 ? "" : "s"}`;

export const percentText = (share: number, decimals = 0): string => `${numberText(100 * share, decimals)}%`;

/** A number with at most some significant digits; all digits before the point are kept. */
export function significantText(value: number, digits: number, form: Form = {}): string {
  const decimals = value === 0 ? 0 : Math.max(0, digits - 1 - Math.floor(Math.log10(Math.abs(value)) + 1e-12));
  return numberText(value, Math.min(decimals, 20), { ...form, trims: true });
}

/** How values of a measure are written at an axis: with a sign if they are differences, which have `sides`. */
export const valueText =
  ({ is_share, sides }: { is_share: boolean; sides: string[] }) =>
  (value: number): string => {
    const sign = sides.length > 0;
    return `${significantText(is_share ? 100 * value : value, 4, { sign })}${is_share && !sign ? "%" : ""}`;
  };

/** A text that begins with a capital letter. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
