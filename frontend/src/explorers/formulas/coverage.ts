// Intervals of a share at one number of labels, and how often they hold: lessons/coverage.py.

import { normalQuantile } from "./normal";

export const Z95 = normalQuantile(0.975);
const TAIL = 0.025;

export type FixedInterval = "wald" | "wilson" | "clopper_pearson";

/** Wald's interval for k errors in n labels; null if it has no width. */
export function waldInterval(k: number, n: number): [number, number] | null {
  if (k === 0 || k === n) return null;
  const share = k / n;
  const half = Z95 * Math.sqrt((share * (1 - share)) / n);
  return [share - half, share + half];
}

function wilsonInterval(k: number, n: number): [number, number] {
  const z2 = Z95 ** 2;
  const center = (k + z2 / 2) / (n + z2);
  const half = (Math.sqrt(z2) / (n + z2)) * Math.sqrt((k * (n - k)) / n + z2 / 4);
  return [k === 0 ? 0 : center - half, k === n ? 1 : center + half];
}

/** log k! for k up to n. */
function logFactorials(n: number): Float64Array {
  const logs = new Float64Array(n + 1);
  for (let k = 2; k <= n; k += 1) logs[k] = logs[k - 1] + Math.log(k);
  return logs;
}

/** How often intervals from n labels contain the rate, for each of several rates strictly between 0 and 1. */
export function coverages(kind: FixedInterval, n: number, rates: number[]): number[] {
  const logs = logFactorials(n);
  const ends = Array.from({ length: n + 1 }, (_, k) => (kind === "wilson" ? wilsonInterval(k, n) : waldInterval(k, n)));
  return rates.map((rate) => {
    const [logRate, logRest] = [Math.log(rate), Math.log1p(-rate)];
    const chance = (k: number) => Math.exp(logs[n] - logs[k] - logs[n - k] + k * logRate + (n - k) * logRest);
    let [sum, below] = [0, 0];
    for (let k = 0; k <= n; k += 1) {
      const here = chance(k);
      const up = below + here; // P(at most k)
      const interval = ends[k];
      const isIn =
        kind === "clopper_pearson"
          ? up > TAIL && 1 - below > TAIL
          : interval !== null && interval[0] <= rate && rate <= interval[1];
      if (isIn) sum += here;
      below = up;
    }
    return sum;
  });
}
