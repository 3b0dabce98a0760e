// A pool in bins: columns along the axis, and rows by how often an instance is drawn.

import { COLUMNS, ROWS } from "../charts/heat_map";

export const N_BINS = COLUMNS;

/** Of the multiples that are shown: those drawn more rarely are at the lower end. */
const LOWEST = 0.01;

/** Numbers of eight bytes, in base64, as Python wrote them. */
export function numbersOf(encoded: string): Float64Array {
  const text = atob(encoded);
  const bytes = Uint8Array.from({ length: text.length }, (_, i) => text.charCodeAt(i));
  return new Float64Array(bytes.buffer);
}

/** The bin of each value. */
export function binsOf(values: Float64Array, low: number, high: number): Uint8Array {
  const bins = new Uint8Array(values.length);
  for (let i = 0; i < values.length; i += 1) {
    bins[i] = Math.max(0, Math.min(N_BINS - 1, Math.floor(((values[i] - low) / (high - low)) * N_BINS)));
  }
  return bins;
}

/** The decades that rows of multiples span, in steps of a half, so that they rarely change. */
export function decadesOf(multiple: Float64Array): [low: number, high: number] {
  let [least, most] = [1, 1];
  for (let i = 0; i < multiple.length; i += 1) {
    if (multiple[i] < least) least = multiple[i];
    else if (multiple[i] > most) most = multiple[i];
  }
  const half = (value: number) => Math.ceil(2 * value - 1e-9) / 2;
  const below = half(-Math.log10(Math.max(least, LOWEST)));
  return [-Math.max(below, 0.5), Math.max(half(Math.log10(most)), 0.5)];
}

/** The number of instances in each bin, the sum of their multiples, and the number in each row of multiples. */
export interface Filled {
  counts: Float64Array;
  drawn: Float64Array;
  /** [row][bin], rows evenly from `low` to `high` in decades; values outside are at the ends. */
  cells: Float64Array;
}

export function filled(bins: Uint8Array, multiple: Float64Array, low: number, high: number): Filled {
  const [counts, drawn] = [new Float64Array(N_BINS), new Float64Array(N_BINS)];
  const cells = new Float64Array(ROWS * N_BINS);
  const scale = ROWS / (high - low) / Math.LN10;
  const start = (low * ROWS) / (high - low);
  for (let i = 0; i < bins.length; i += 1) {
    const [bin, times] = [bins[i], multiple[i]];
    counts[bin] += 1;
    drawn[bin] += times;
    const at = Math.floor(Math.log(times) * scale - start);
    cells[(at < 0 ? 0 : at < ROWS ? at : ROWS - 1) * N_BINS + bin] += 1;
  }
  return { counts, drawn, cells };
}

/** The value below which a share of the sum of weights lies, with values rounded to their bins' ends. */
export function quantileBin(weights: Float64Array, share: number): number {
  let total = 0;
  for (const weight of weights) total += weight;
  let sum = 0;
  for (let bin = 0; bin < weights.length; bin += 1) {
    sum += weights[bin];
    if (sum >= share * total) return bin;
  }
  return weights.length - 1;
}
