// q of a whole pool, instance by instance: stats/drawing/optimal.py for a mean of losses and for F, compared with
// `optimal_q` and `asymptotic_variance` by fixtures.

/** The model's expectation for each instance of a pool. */
export type Pool = Risk | FPool;

/** For a mean of losses: the expected loss of each instance, and its variance. */
interface Risk {
  kind: "risk";
  mean: Float64Array;
  variance: Float64Array;
}

/** For F: the probability of the class of interest, and 1 where it is predicted. */
interface FPool {
  kind: "f";
  positive: Float64Array;
  predicted: Float64Array;
}

/** The model's expectation of the measure. */
export function expected(pool: Pool, eta: number): number {
  if (pool.kind === "risk") return sumOf(pool.mean) / pool.mean.length;
  const { positive, predicted } = pool;
  let hits = 0;
  for (let i = 0; i < positive.length; i += 1) hits += positive[i] * predicted[i];
  return hits / (eta * sumOf(predicted) + (1 - eta) * sumOf(positive));
}

/** The expected squared deviation of each instance from the believed value of the measure. */
export function squares(pool: Pool, belief: number, eta: number): Float64Array {
  if (pool.kind === "risk") {
    const { mean, variance } = pool;
    const found = new Float64Array(mean.length); // in a loop: `map` takes five times as long
    for (let i = 0; i < found.length; i += 1) found[i] = variance[i] + (mean[i] - belief) ** 2;
    return found;
  }
  const { positive, predicted } = pool;
  const [hit, alarm, miss] = [(1 - belief) ** 2, (eta * belief) ** 2, ((1 - eta) * belief) ** 2];
  const found = new Float64Array(positive.length);
  for (let i = 0; i < found.length; i += 1) {
    const p = positive[i];
    found[i] = predicted[i] ? p * hit + (1 - p) * alarm : p * miss;
  }
  return found;
}

/** How often each instance is drawn relative to uniform draws; all equal if no instance is more informative. */
export function multiples(square: Float64Array, costs: Float64Array | null, defensive: number): Float64Array {
  const isInformative = square.some((value) => value > 0);
  const found = new Float64Array(square.length);
  let sum = 0;
  for (let i = 0; i < found.length; i += 1) {
    found[i] = Math.sqrt((isInformative ? square[i] : 1) / (costs === null ? 1 : costs[i]));
    sum += found[i];
  }
  const scale = ((1 - defensive) * found.length) / sum;
  for (let i = 0; i < found.length; i += 1) found[i] = found[i] * scale + defensive;
  return found;
}

/** Draws worth as much as 100 uniform ones, if the model is right: 100 σ_q² / σ_p². NaN if nothing is uncertain. */
export function drawsForHundred(square: Float64Array, multiple: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < square.length; i += 1) if (square[i] > 0) sum += square[i] / multiple[i];
  return (100 * sum) / sumOf(square);
}

function sumOf(values: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < values.length; i += 1) sum += values[i];
  return sum;
}
