// What Python knows of a race: its racers' steps, and requests for what is missing.

import { Connection, type Model } from "../connection/connection";
import type { LabelValue } from "../from_python/messages";
import type {
  BeyondContent,
  ManyContent,
  RaceConfig,
  RaceFromPage,
  RaceFromPython,
  RacerSteps,
  RaceState,
  Span,
} from "../from_python/race_messages";
import type { Asked } from "./by_hand";
import { type Course, type Kind, type Needed, smaller, widthOf } from "./course";

export type RaceModel = Model<RaceFromPython>;

const REST = 1000; // ms

type Racer = Omit<RacerSteps, "start">;

const EMPTY: Racer = {
  version: -1,
  steps: [],
  n: 0,
  next_index: null,
  next_id: "",
  next_weight: null,
  is_ready: true,
  is_done: false,
};

/** What is wanted beside the racers' steps. */
interface Wish {
  kind: Kind;
  /** The number of labels that is shown. */
  place: number;
  /** The instances that are shown next. */
  indices: number[];
  /** Whether many races are to be run. */
  isMany: boolean;
}

interface Callbacks {
  /** A message was taken in; `before` is the race until then. */
  onMessage: (message: RaceFromPython, buffers: DataView[], isOwn: boolean, before: RaceState | null) => void;
  onChange: () => void;
  wish: () => Wish;
}

export class RaceClient {
  config: RaceConfig | null = null;
  race: RaceState | null = null;
  y: Span = { low: 0, high: 1 };
  many: ManyContent | null = null; // of the methods in the race
  private readonly connection: Connection<RaceFromPage, RaceFromPython>;
  private racers: Racer[] = [EMPTY, EMPTY];
  private beyond: BeyondContent | null = null; // how many labels the wider one takes for the narrower one's width
  private isGiving = false; // whether an answer by hand is under way
  private isStale = false; // something was changed, here or on another page: Python is asked for it
  private rest: ReturnType<typeof setTimeout> | undefined;
  private restsUntil = 0; // after an error, the request is not repeated at once

  constructor(
    model: RaceModel,
    private readonly callbacks: Callbacks,
  ) {
    this.connection = new Connection<RaceFromPage, RaceFromPython>(model, {
      onReply: (message, buffers, isOwn) => this.take(message, buffers, isOwn),
      onChange: callbacks.onChange,
    });
  }

  begin(): void {
    this.connection.send("hello");
  }

  close(): void {
    clearTimeout(this.rest);
    this.connection.close();
  }

  // -- what is known ------------------------------------------------------------------------------------

  get isLost(): boolean {
    return this.connection.isLost;
  }

  /** Whether requested instances are under way. */
  get isFetching(): boolean {
    return this.connection.isWaitingFor("instances");
  }

  get isByHand(): boolean {
    return (this.race?.by_hand.length ?? 0) > 0;
  }

  /** The number of labels of both racers to show. */
  get known(): number {
    return Math.min(...this.racers.map(({ steps }) => steps.length));
  }

  /** Whether Python needs no time for further steps. */
  get isReady(): boolean {
    return this.racers.every(({ is_ready }) => is_ready);
  }

  get courses(): Course[] {
    const { config, race } = this;
    if (config === null || race === null) return [];
    return race.methods.map((name, i) => ({
      method: config.methods.find((method) => method.name === name) ?? config.methods[0],
      steps: this.racers[i].steps,
    }));
  }

  /** The question by hand: the slowest of those who are labeled so. */
  get asked(): Asked | null {
    const { race, racers } = this;
    if (race === null || this.config === null || !this.isByHand) return null;
    const racer = race.by_hand.reduce((best, i) => (racers[i].steps.length < racers[best].steps.length ? i : best));
    const { next_index, next_id, next_weight, steps, is_ready, version } = racers[racer];
    if (next_index === null || next_weight === null || version < 0) return null;
    const isReady = is_ready && !this.isGiving && !this.isStale;
    const who = this.courses[racer].method.title;
    return { racer, index: next_index, id: next_id, who, n: steps.length + 1, weight: next_weight, isReady };
  }

  /** How many labels the wider one takes at the end for the narrower one's width; null if it is not known. */
  needed(kind: Kind): Needed {
    const { beyond } = this;
    const wider = this.widerAtEnd(kind);
    if (beyond === null || wider === null) return null;
    const isSame = beyond.racer === wider.racer && beyond.width === wider.width && beyond.kind === kind;
    return isSame ? { n: beyond.n, isReached: beyond.is_reached } : null;
  }

  /** The racer whose interval is wider at the end, and the other one's width. */
  private widerAtEnd(kind: Kind): { racer: number; width: number } | null {
    const last = (this.config?.budget ?? 1) - 1;
    const widths = this.racers.map(({ steps }) => widthOf(steps[last], kind));
    const narrower = smaller(widths);
    return narrower === null || narrower === -1 ? null : { racer: 1 - narrower, width: widths[narrower] ?? 0 };
  }

  // -- what the person does -----------------------------------------------------------------------------

  newRace(seed: number, methods: string[]): void {
    this.connection.send("new_race", { seed, methods });
  }

  askForMore(what: RaceFromPage["more"]): void {
    this.connection.send("more", what);
  }

  /** Which racers are labeled by hand after `n` labels; none: the expert labels. */
  labelByHand(n: number, racers: number[]): void {
    if (this.race === null) return;
    this.isGiving = true;
    this.connection.send("by_hand", { run: this.race.run, n, racers });
  }

  /** Gives a label by hand; null: the expert labels. Returns whether it could be given. */
  give(value: LabelValue | null): boolean {
    const { race, asked } = this;
    if (race === null || asked === null || !asked.isReady) return false;
    this.isGiving = true;
    this.connection.send("give", { run: race.run, racer: asked.racer, n: asked.n, value });
    return true;
  }

  undo(): void {
    if (this.race === null || !this.isByHand) return;
    this.isGiving = true;
    this.connection.send("undo", { run: this.race.run });
  }

  // -- what Python says ---------------------------------------------------------------------------------

  private take(message: RaceFromPython, buffers: DataView[], isOwn: boolean): void {
    const { config, race, racers, y, many, beyond, error } = message;
    const before = this.race;
    if (isOwn && error !== undefined) {
      this.restsUntil = performance.now() + REST;
      this.isStale = true;
      this.rest = setTimeout(() => this.ask(), REST + 1);
    }
    if (config !== undefined) this.config ??= config; // it may come again after a connection was lost
    if (race !== undefined) {
      if (race.run !== before?.run) {
        this.racers = [EMPTY, EMPTY];
        this.beyond = null;
      }
      this.race = race;
      this.isStale = racers === undefined || !isOwn;
    }
    if (isOwn && racers !== undefined) this.takeSteps(racers);
    if (y !== undefined) this.y = y;
    if (many !== undefined) this.many = many;
    if (this.many?.methods.join() !== this.race?.methods.join()) this.many = null;
    if (beyond?.run === this.race?.run && beyond?.is_complete) this.beyond = beyond;
    if (isOwn) this.isGiving = this.connection.isWaitingFor("give", "undo", "by_hand");
    this.callbacks.onMessage(message, buffers, isOwn, before);
    this.ask();
  }

  private takeSteps(sent: RacerSteps[]): void {
    this.racers = sent.map(({ start, ...racer }, i) => {
      const before = this.racers[i];
      const kept = before.version === racer.version ? before.steps.slice(0, start) : [];
      if (kept.length !== start) return { ...racer, steps: kept, version: -1 }; // requested again, from the first on
      return { ...racer, steps: [...kept, ...racer.steps] };
    });
  }

  /** Requests what is missing, one message of each kind at a time. */
  ask(): void {
    const { race, config, connection } = this;
    if (race === null || config === null || performance.now() < this.restsUntil) return;
    const isMissing = ({ version, is_ready, is_done, steps, n }: Racer, i: number) =>
      version < 0 || !is_ready || (!is_done && !race.by_hand.includes(i)) || steps.length < n;
    const isOpen = this.isStale || this.racers.some(isMissing);
    if (isOpen && !connection.isWaitingFor("steps", "give", "undo", "by_hand", "new_race")) {
      const known = this.racers.map(({ version, steps }) => ({ version, n: steps.length }));
      connection.send("steps", { run: race.run, known });
    }
    const { kind, place, indices, isMany } = this.callbacks.wish();
    if (!isOpen && !this.isByHand && place >= config.budget && !connection.isWaitingFor("beyond")) {
      const wider = this.widerAtEnd(kind);
      if (wider !== null && this.needed(kind) === null) connection.send("beyond", { run: race.run, ...wider, kind });
    }
    const isRunning = this.many === null || this.many.n_done < this.many.n_races;
    if (isMany && isRunning && !connection.isWaitingFor("races")) connection.send("races", { methods: race.methods });
    if (indices.length > 0) connection.send("instances", { indices });
  }
}
