// The model on trial: bets on each label against the model's probabilities; stats/predictions/trial_bets.py and
// stats/anytime/model_trial.py, compared with them by fixtures.

import { expit, logit } from "./savings";

const MIN_PROMISE = 1e-3;
const FACTORS = [1, 2, 4, 8];
const TILTS = FACTORS.flatMap((temperature) => FACTORS.map((odds) => [temperature, odds])).filter(
  ([t, o]) => t * o > 1,
);
const OVER_SHARE = 0.8; // of α, for "too sure"
const ALPHA = 0.05;

/** Log factors of bets on more errors than promised, and on fewer, for one outcome. */
export function tiltedBets(promised: number, outcome: number): [over: number[], under: number[]] {
  const none = () => TILTS.map(() => 0);
  const ratio = (held: number, tilted: number) =>
    Math.log((outcome * tilted) / held + ((1 - outcome) * (1 - tilted)) / (1 - held));
  let [over, under] = [none(), none()];
  if (promised < 1 - MIN_PROMISE) {
    const held = Math.max(promised, MIN_PROMISE);
    const odds = logit(held);
    over = TILTS.map(([t, o]) => ratio(held, expit(Math.max(odds, 0) + Math.min(odds, 0) / t + Math.log(o))));
  }
  if (promised > MIN_PROMISE) {
    const held = Math.min(promised, 1 - MIN_PROMISE);
    const odds = logit(held);
    under = TILTS.map(([t, o]) => ratio(held, expit(Math.min(odds, 0) * t + Math.max(odds, 0) - Math.log(o))));
  }
  return [over, under];
}

export type Verdict = "over" | "under";

/** Trials of one model: bets on every profile's labels, computed once. */
export class Trials {
  private readonly bets: [over: number[], under: number[]][][]; // [profile][outcome]
  private readonly cumulative: number[] = [];

  constructor(
    private readonly errors: number[],
    claims: number[],
    q: number[],
  ) {
    this.bets = claims.map((claim) => [tiltedBets(claim, 0), tiltedBets(claim, 1)]);
    let total = 0;
    for (const share of q) {
      total += share;
      this.cumulative.push(total);
    }
  }

  /** The number of labels of a session until a verdict, and the verdict; null: not within `count`. */
  run(random: () => number, count: number): { n: number; verdict: Verdict } | null {
    const [over, under] = [TILTS.map(() => 0), TILTS.map(() => 0)];
    const { cumulative, errors } = this;
    for (let n = 1; n <= count; n += 1) {
      const profile = firstAbove(cumulative, random() * cumulative[cumulative.length - 1]);
      const [more, fewer] = this.bets[profile][random() < errors[profile] ? 1 : 0];
      for (let i = 0; i < over.length; i += 1) {
        over[i] += more[i];
        under[i] += fewer[i];
      }
      if (meanExp(over) >= 1 / (ALPHA * OVER_SHARE)) return { n, verdict: "over" };
      if (meanExp(under) >= 1 / (ALPHA * (1 - OVER_SHARE))) return { n, verdict: "under" };
    }
    return null;
  }
}

function firstAbove(ascending: number[], value: number): number {
  let [low, high] = [0, ascending.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle] > value) high = middle;
    else low = middle + 1;
  }
  return low;
}

function meanExp(logs: number[]): number {
  let total = 0;
  for (const log of logs) total += Math.exp(Math.min(log, 700));
  return total / logs.length;
}
