// Simulated sessions: uniform draws that are right or wrong, and two intervals after each.

import { type Declared, WatchedTruth } from "./formulas/bets";
import { waldInterval } from "./formulas/coverage";

/** The first look at Wald's interval: with fewer labels nobody would look. */
export const FIRST_LOOK = 20;

/** Random numbers from 0 to 1 that a seed determines (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = (seed * 0x9e3779b1) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Labels of one session: 1 for an error. */
export function labelsOf(seed: number, rate: number, count: number): number[] {
  const random = randomFrom(seed);
  return Array.from({ length: count }, () => (random() < rate ? 1 : 0));
}

/** Whether there is a look after n labels, of which there are `count` in all. */
export const isLook = (n: number, every: number, count: number): boolean =>
  n >= FIRST_LOOK && (n === count || n % every === 0);

/** Whether Wald's interval exists and misses the truth. */
export function isWaldWrong(errors: number, n: number, truth: number): boolean {
  const interval = waldInterval(errors, n);
  return interval !== null && (truth < interval[0] || truth > interval[1]);
}

/** Many sessions: how many have been wrong so far after each number of labels. */
export class LongRun {
  nSessions = 0;
  private readonly waldEver: Int32Array; // how many were wrong for the first time after n labels
  private readonly waldNow: Int32Array; // how many are wrong at a look after n labels
  private readonly watchedEver: Int32Array;

  constructor(
    private readonly truth: number,
    private readonly every: number,
    private readonly count: number,
  ) {
    [this.waldEver, this.waldNow, this.watchedEver] = [0, 1, 2].map(() => new Int32Array(count + 1));
  }

  /** Adds another session, by its number. */
  add(seed: number, declared: Declared = null): void {
    const { truth, every, count } = this;
    const random = randomFrom(seed);
    const watched = new WatchedTruth(truth, declared);
    let errors = 0;
    let isCaught = false;
    for (let n = 1; n <= count; n += 1) {
      const y = random() < truth ? 1 : 0;
      errors += y;
      if (!watched.isExcluded) {
        watched.update(y);
        if (watched.isExcluded) this.watchedEver[n] += 1;
      }
      if (!isLook(n, every, count) || !isWaldWrong(errors, n, truth)) continue;
      this.waldNow[n] += 1;
      if (!isCaught) this.waldEver[n] += 1;
      isCaught = true;
    }
    this.nSessions += 1;
  }

  /** Shares of the sessions: ever wrong up to n, for both intervals. */
  ever(): { wald: number[]; watched: number[] } {
    const shares = (first: Int32Array) => {
      let sum = 0;
      return Array.from(first, (now) => {
        sum += now;
        return sum / Math.max(this.nSessions, 1);
      });
    };
    return { wald: shares(this.waldEver), watched: shares(this.watchedEver) };
  }

  /** The share with a wrong Wald interval at the look after n labels. */
  wrongAt(n: number): number {
    return this.waldNow[n] / Math.max(this.nSessions, 1);
  }
}

/** Does a part of the work in each frame until none is left, so that the page stays responsive. */
export class Runner {
  private frame: number | null = null;

  /** `work` is repeated for some milliseconds; false: it is done. `after` is called once a frame. */
  constructor(
    private readonly work: () => boolean,
    private readonly after: () => void,
    private readonly ms = 14,
  ) {}

  get isRunning(): boolean {
    return this.frame !== null;
  }

  start(): void {
    if (this.frame === null) this.frame = requestAnimationFrame(() => this.step());
  }

  stop(): void {
    if (this.frame !== null) cancelAnimationFrame(this.frame);
    this.frame = null;
  }

  private step(): void {
    this.frame = null;
    const end = performance.now() + this.ms;
    let isMore = true;
    while (isMore && performance.now() < end) isMore = this.work();
    if (isMore) this.start();
    this.after();
  }
}
