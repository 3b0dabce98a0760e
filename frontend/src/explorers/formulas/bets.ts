// The confidence sequence for uniform draws that are right or wrong: stats/anytime/bets.py without weights and without
// a control variate, compared with `ConfidenceSequence` by fixtures.

import { normalDensity, normalQuantile } from "./normal";

const HORIZONS = [20, 80, 300, 1000, 5000];
const HORIZON_SHARES = [0.18, 0.27, 0.27, 0.18, 0.1];
const FIRST_DEADLINES = [25, 50, 100, 200, 400, 800, 1600];
const DEADLINES_SHARE = 0.63;
const DECLARED_SHARE = 0.4;
const MARGIN = 1.1;
const MIN_CHANCE = 1e-12;
const PRIOR_DRAWS = 10;
const PRIOR_VARIANCE = 0.25; // assumed while nothing is known
const LARGEST_STAKE = 0.95;
const CAP = 1e200;
const N_BLOCKS = 128;
const N_CELLS = 16;
const ROUNDING = 1e-12;
const LEVEL = 0.95;
const GOAL = 1 / (1 - LEVEL);
const WISH = 2 * Math.log(2 * GOAL); // a two-sided bet needs 2/α on one of its sides

/** The deadlines of bets: numbers declared in advance, the usual ones (null), or none ([]). */
export type Declared = number[] | null;

function timedPlayers(declared: Declared): { first: number; share: number }[] {
  if (declared !== null && declared.length === 0) return [];
  const own = declared ?? [];
  const left = DEADLINES_SHARE - (own.length > 0 ? DECLARED_SHARE : 0);
  return [
    ...own.map((first) => ({ first, share: DECLARED_SHARE / own.length })),
    ...FIRST_DEADLINES.map((first) => ({ first, share: left / FIRST_DEADLINES.length })),
  ];
}

/** The stake, as a share of its capital, of a bettor with winning chance u, if later terms have this variance. */
function deadlineStake(chance: number, variance: number): number {
  if (chance >= 1) return 0;
  const likely = Math.max(chance, MIN_CHANCE);
  return normalDensity(normalQuantile(likely)) / (likely * Math.sqrt(variance));
}

/** The capital to reach: the goal, or its next power. */
function nextGoal(capital: number): number {
  if (capital < MARGIN) return MARGIN * GOAL;
  const reached = Math.floor(Math.log((Math.max(capital, 1) / MARGIN) * (1 + 1e-12)) / Math.log(GOAL));
  return MARGIN * GOAL ** (1 + Math.max(reached, 0));
}

/** The capital of several bettors against candidates in blocks of adjacent ones. */
class Bets {
  readonly capital: Float64Array; // [block][player][point]
  readonly nPlayers: number;
  readonly share: Float64Array;
  private readonly side: Float64Array;
  private readonly nUntimed = 2 * HORIZONS.length;
  private readonly firsts: number[];
  private readonly left: Float64Array;
  private readonly stakes: Float64Array;
  private nDraws = 0;
  private nErrors = 0;

  /** `points` are [block][point]; Z = y − G lies between `lower` and `upper` in a block. */
  constructor(
    readonly points: Float64Array,
    private readonly nPoints: number,
    private readonly lower: Float64Array,
    private readonly upper: Float64Array,
    declared: Declared,
  ) {
    const timed = timedPlayers(declared);
    this.firsts = timed.map(({ first }) => first);
    const untimed = 1 - timed.reduce((sum, { share }) => sum + share, 0);
    const both = <T>(values: T[]): T[] => [...values, ...values];
    const shares = [...both(HORIZON_SHARES.map((share) => share * untimed)), ...both(timed.map(({ share }) => share))];
    this.share = Float64Array.from(shares, (share) => share / 2);
    const sides = (count: number) => [...Array<number>(count).fill(1), ...Array<number>(count).fill(-1)];
    this.side = Float64Array.from([...sides(HORIZONS.length), ...sides(timed.length)]);
    this.nPlayers = this.share.length;
    this.left = new Float64Array(timed.length);
    this.stakes = new Float64Array(this.nPlayers);
    this.capital = new Float64Array(lower.length * this.nPlayers * nPoints).fill(1);
  }

  /** Bets on one more label, 1 for an error, in the blocks from `first` to `last`, and updates the capital. */
  update(y: number, first = 0, last = this.lower.length - 1): void {
    this.firsts.forEach((deadline, i) => {
      const doubled = Math.ceil(Math.log2(Math.max((this.nDraws + 1) / deadline, 1)));
      this.left[i] = deadline * 2 ** doubled - this.nDraws;
    });
    for (let block = first; block <= last; block += 1) this.bet(block, y);
    this.nDraws += 1;
    this.nErrors += y;
  }

  private bet(block: number, y: number): void {
    const { points, capital, nPoints, nPlayers, stakes } = this;
    this.setStakes(block);
    const offset = block * nPoints;
    for (let k = 0; k < nPlayers; k += 1) {
      const start = (block * nPlayers + k) * nPoints;
      const stake = stakes[k];
      for (let j = 0; j < nPoints; j += 1) {
        const now = capital[start + j] * (1 + stake * (y - points[offset + j]));
        capital[start + j] = now < 0 ? 0 : now > CAP ? CAP : now;
      }
    }
  }

  private setStakes(block: number): void {
    const { points, nPoints, nDraws, nErrors, stakes, side } = this;
    let center = 0;
    for (let j = 0; j < nPoints; j += 1) center += points[block * nPoints + j];
    center /= nPoints;
    const square = nErrors - 2 * center * nErrors + center * center * nDraws + PRIOR_DRAWS * PRIOR_VARIANCE;
    const variance = square / (nDraws + PRIOR_DRAWS);
    const [least, greatest] = [this.lower[block], this.upper[block]];
    const size = Math.max(-least, greatest);
    const spread = Math.max(variance, 1e-18 * size * size);
    const limit = (k: number) => LARGEST_STAKE / Math.max(side[k] > 0 ? -least : greatest, 1e-9 * size);
    for (let k = 0; k < this.nUntimed; k += 1) {
      const wanted = Math.sqrt(WISH / (HORIZONS[k % HORIZONS.length] * spread));
      stakes[k] = side[k] * Math.min(wanted, limit(k));
    }
    if (this.firsts.length > 0) this.setTimedStakes(block, spread, limit);
  }

  private setTimedStakes(block: number, spread: number, limit: (k: number) => number): void {
    const { capital, nPoints, nPlayers, share, stakes, side, nUntimed } = this;
    const start = block * nPlayers * nPoints;
    const [low, high] = [this.whole(start), this.whole(start + nPoints - 1)];
    const goal = nextGoal(Math.min(low, high));
    for (let k = nUntimed; k < nPlayers; k += 1) {
      const at = start + k * nPoints;
      const [one, other] = [capital[at], capital[at + nPoints - 1]];
      // The missing factor, relative to the bettor's share; its inverse is the chance of reaching it.
      const here = one / Math.max((goal - low) / share[k] + one, 1e-9);
      const there = nPoints === 1 ? here : other / Math.max((goal - high) / share[k] + other, 1e-9);
      const variance = this.left[(k - nUntimed) % this.firsts.length] * spread;
      stakes[k] = side[k] * Math.min(deadlineStake(Math.min(here, there), variance), limit(k));
    }
  }

  /** The whole capital at a point, given the index for the first bettor. */
  whole(at: number): number {
    let sum = 0;
    for (let k = 0; k < this.nPlayers; k += 1) sum += this.share[k] * this.capital[at + k * this.nPoints];
    return sum;
  }
}

/** Whether the bets against a rate, for example the true one, have won: then the interval is wrong for good. */
export class WatchedTruth {
  isExcluded = false;
  private readonly bets: Bets;

  constructor(truth: number, declared: Declared = null) {
    this.bets = new Bets(Float64Array.of(truth), 1, Float64Array.of(-truth), Float64Array.of(1 - truth), declared);
  }

  get capital(): number {
    return this.bets.whole(0);
  }

  update(y: number): void {
    this.bets.update(y);
    if (this.capital >= GOAL) this.isExcluded = true;
  }
}

/** Candidates from 0 to 1, four times as dense in the middle. */
function grid(): Float64Array {
  const nCells = N_BLOCKS * N_CELLS;
  const end = Math.asinh(0.5 * 50);
  const points = Float64Array.from(
    { length: nCells + 1 },
    (_, i) => 0.5 + Math.sinh(-end + (2 * end * i) / nCells) / 50,
  );
  points[0] = 0;
  points[nCells] = 1;
  return points;
}

/** The interval: candidates that no bet has excluded. */
export class WatchedInterval {
  low = 0;
  high = 1;
  private readonly bets: Bets;
  private readonly nPoints = N_CELLS + 1;
  private readonly isKept = new Uint8Array(N_BLOCKS * N_CELLS).fill(1);
  private first = 0;
  private last = N_BLOCKS - 1;

  constructor(declared: Declared = null) {
    const all = grid();
    const points = new Float64Array(N_BLOCKS * this.nPoints);
    const [lower, upper] = [new Float64Array(N_BLOCKS), new Float64Array(N_BLOCKS)];
    for (let block = 0; block < N_BLOCKS; block += 1) {
      const part = all.subarray(block * N_CELLS, (block + 1) * N_CELLS + 1);
      points.set(part, block * this.nPoints);
      lower[block] = -part[N_CELLS] - ROUNDING * (1 + part[N_CELLS]);
      upper[block] = 1 - part[0] + ROUNDING * (1 + part[0]);
    }
    this.bets = new Bets(points, this.nPoints, lower, upper, declared);
  }

  update(y: number): void {
    this.bets.update(y, this.first, this.last);
    let [lowest, highest] = [-1, -1];
    for (let block = this.first; block <= this.last; block += 1) {
      for (let cell = 0; cell < N_CELLS; cell += 1) {
        const at = block * N_CELLS + cell;
        if (this.isKept[at] === 1 && this.inCell(block, cell) >= GOAL) this.isKept[at] = 0;
        if (this.isKept[at] === 0) continue;
        if (lowest < 0) lowest = at;
        highest = at;
      }
    }
    if (lowest < 0) return; // the last interval stays
    this.first = Math.floor(lowest / N_CELLS);
    this.last = Math.floor(highest / N_CELLS);
    this.low = this.bets.points[this.first * this.nPoints + (lowest % N_CELLS)];
    this.high = this.bets.points[this.last * this.nPoints + (highest % N_CELLS) + 1];
  }

  /** The smallest capital between two adjacent points. */
  private inCell(block: number, cell: number): number {
    const { capital, share, nPlayers } = this.bets;
    let sum = 0;
    let at = block * nPlayers * this.nPoints + cell;
    for (let k = 0; k < nPlayers; k += 1) {
      sum += share[k] * Math.min(capital[at], capital[at + 1]);
      at += this.nPoints;
    }
    return sum;
  }
}
