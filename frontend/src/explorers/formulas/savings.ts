// The labels that a choice of instances saves for an error rate: tools/promised_savings.py, compared by fixtures.

import { Z95 } from "./coverage";
import { normalQuantile } from "./normal";

const DEFENSIVE = 0.1;
const LEAST = 1e-9;
const N_PROFILES = 200;

export const expit = (x: number): number => 1 / (1 + Math.exp(-x));
export const logit = (p: number): number => Math.log(p / (1 - p));
const within = (p: number): number => Math.min(1 - LEAST, Math.max(LEAST, p));
const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);
export const dot = (a: number[], b: number[]): number => a.reduce((total, value, i) => total + value * b[i], 0);

/** Profiles of a pool: true errors, the model's claims, and shares. */
export interface Profiles {
  errors: number[];
  claims: number[];
  shares: number[];
}

export type Method = "uniform" | "optimal" | "defensive" | "control" | "corrected";

const QUANTILES = Array.from({ length: N_PROFILES }, (_, i) => normalQuantile((i + 0.5) / N_PROFILES));

/** Probabilities of an error with this mean, normal on the scale of log-odds; ascending. */
export function errorProfile(errorRate: number, spread: number): number[] {
  const at = (middle: number) => QUANTILES.map((quantile) => expit(middle + spread * quantile));
  let [low, high] = [-60, 60];
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2;
    if (sum(at(middle)) / N_PROFILES < errorRate) low = middle;
    else high = middle;
  }
  return at((low + high) / 2);
}

/** The claim with the true odds raised to a power. */
const sharpened = (error: number, power: number): number => within(expit(power * logit(error)));

/** A pool of a miscalibrated model: probabilities raised to a power, and a cluster where it is certain and wrong. */
export function spoiled(profile: number[], power: number, cluster: number, claim = 0.01, truth = 0.5): Profiles {
  return {
    errors: [...profile, truth],
    claims: [...profile.map((error) => sharpened(error, power)), claim],
    shares: [...profile.map(() => (1 - cluster) / profile.length), cluster],
  };
}

/** Claims recalibrated by many labels: the power of the odds, and the factor, that fit the truth best. */
export function recalibrated({ errors, claims, shares }: Profiles): number[] {
  let x = claims.map(logit);
  const middle = dot(shares, x);
  x = x.map((value) => value - middle);
  const size = Math.max(Math.sqrt(sum(x.map((value, i) => shares[i] * value ** 2))), 1e-12);
  x = x.map((value) => value / size);
  let [factor, power] = [logit(dot(shares, errors)), 0];
  for (let step = 0; step < 15; step += 1) {
    let [a, b, c, first, second] = [1e-12, 0, 1e-12, 0, 0];
    x.forEach((value, i) => {
      const expected = expit(factor + power * value);
      const off = shares[i] * (errors[i] - expected);
      const weight = shares[i] * expected * (1 - expected);
      a += weight;
      b += weight * value;
      c += weight * value * value;
      first += off;
      second += off * value;
    });
    const determinant = a * c - b * b;
    factor += (c * first - b * second) / determinant;
    power += (a * second - b * first) / determinant;
  }
  return x.map((value) => within(expit(factor + power * value)));
}

/** q* for the claims, one number for each profile. */
export function preferred(claims: number[], shares: number[]): number[] {
  const rate = dot(shares, claims);
  const q = claims.map((claim, i) => shares[i] * Math.sqrt(claim * (1 - rate) ** 2 + (1 - claim) * rate ** 2));
  const total = sum(q);
  return q.map((value) => value / total);
}

/** With a share of uniform draws. */
export const defended = (q: number[], shares: number[]): number[] =>
  q.map((value, i) => (1 - DEFENSIVE) * value + DEFENSIVE * shares[i]);

/** A share squared over a draw's probability; 0 if there are no such instances. */
const ratio = (share: number, q: number): number => (share === 0 ? 0 : (share * share) / q);

function withControl({ errors, shares }: Profiles, claims: number[], q: number[]): number {
  const squares = errors.map((e, i) => ratio(shares[i], q[i]) * (e * (1 - e) + (e - claims[i]) ** 2));
  return sum(squares) - (dot(shares, errors) - dot(shares, claims)) ** 2;
}

/** The variance of one draw by each method. */
export function drawVariances(profiles: Profiles): Record<Method, number> {
  const { errors, claims, shares } = profiles;
  const rate = dot(shares, errors);
  const squares = errors.map((e) => e * (1 - rate) ** 2 + (1 - e) * rate ** 2);
  const optimal = preferred(claims, shares);
  const defensive = defended(optimal, shares);
  const learned = recalibrated(profiles);
  const adapted = defended(preferred(learned, shares), shares);
  const plain = (q: number[]) => sum(squares.map((square, i) => ratio(shares[i], q[i]) * square));
  return {
    uniform: dot(shares, squares),
    optimal: plain(optimal),
    defensive: plain(defensive),
    control: withControl(profiles, claims, defensive),
    corrected: withControl(profiles, learned, adapted),
  };
}

const ALPHA = 1 - 0.95;
const TIGHTEST = 100;
const RHO2 = (-2 * Math.log(0.05) + Math.log(1 - 2 * Math.log(0.05))) / TIGHTEST;

/** Half the width of the approximate confidence sequence, in standard errors. */
const boundary = (scaled: number): number => Math.sqrt((1 + 1 / scaled) * Math.log((scaled + 1) / (ALPHA * ALPHA)));

/** Number of draws until a 95% interval has this half-width. */
export function drawsForHalfWidth(variance: number, halfWidth: number, interval: "wald" | "watched"): number {
  const spread = Math.sqrt(variance) / halfWidth;
  if (interval === "wald") return Math.ceil((Z95 * spread) ** 2);
  const isWide = (n: number) => boundary(n * RHO2) * spread > Math.sqrt(n);
  let [low, high] = [0, 1];
  while (isWide(high)) [low, high] = [high, 2 * high];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (isWide(middle)) low = middle;
    else high = middle;
  }
  return high;
}

/** How often an error has a higher probability than a correct answer; for ascending probabilities. */
export function chanceToRank(errors: number[]): number {
  let [below, found, wrong] = [0, 0, 0];
  for (const error of errors) {
    found += error * (below + (1 - error) / 2);
    below += 1 - error;
    wrong += error;
  }
  return found / (wrong * below);
}
