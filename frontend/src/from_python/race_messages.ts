// Written from activeeval_widgets/widgets/messages/ by `make bundle`: edit that.

import type { AskInstances, AskMore, ClassConfig, GradesConfig, InstanceInfo, KeysConfig, MoreText, Nothing, NumberConfig } from "./messages";

/** The steps of a racer that the page knows: their version and number. */
export interface Known {
  version: number;
  n: number;
}

/** Request further steps of both racers. */
export interface AskSteps {
  run: number;
  known: Known[];
}

/** Request the progress of the many races of two methods; a few more are run. */
export interface AskRaces {
  methods: string[];
}

/** Request the labels that a racer needs for an interval of a given width; a few more are tried. */
export interface AskBeyond {
  run: number;
  racer: number;
  width: number;
  kind: "guaranteed" | "approximate";
}

/** Set the racers labeled by hand from now on, after how many labels; none means the expert labels. */
export interface LabelByHand {
  run: number;
  n: number;
  racers: number[];
}

/** The label of a racer's present instance, its n-th; None for the expert's label. */
export interface GiveByHand {
  run: number;
  racer: number;
  n: number;
  value: number | Record<string, number | null> | null;
}

/** Undo the last label that was given by hand. */
export interface UndoByHand {
  run: number;
}

/** Start another race, with another seed or other racers. */
export interface NewRace {
  seed: number;
  methods: string[];
}

/** A method of choosing instances. */
export interface MethodInfo {
  name: string;
  title: string;
  draws: string;
  estimate: string;
}

/** The ends of an axis, whose ticks the page makes. */
export interface Span {
  low: number;
  high: number;
}

/** The axis by which drawn instances are arranged: equal bins, and each bin's share of the pool. Its values are shares, other numbers, or positions of `names`. */
export interface PickAxis {
  label: string;
  low: number;
  high: number;
  is_share: boolean;
  names: string[];
  n_bins: number;
  pool: number[];
}

/** The settings that do not change while a race is shown. */
export interface RaceConfig {
  title: string;
  about: string;
  question: string;
  measure: string;
  is_share: boolean;
  sides: string[];
  notes: string[];
  budget: number;
  whole: number | null;
  methods: MethodInfo[];
  truth: number;
  truth_text: string;
  picks: PickAxis;
  labels: ClassConfig | NumberConfig | GradesConfig;
  keys: KeysConfig;
  instance_modules: string[];
  is_standalone: boolean;
  n_races: number;
}

/** An interval in numbers and words. */
export interface RaceInterval {
  low: number;
  high: number;
  text: string;
  margin: string;
}

/** One label, and the estimate after it. */
export interface RaceStep {
  index: number;
  id: string;
  draw: number;
  x: number;
  weight: number;
  label: string;
  prediction: string;
  is_wrong: boolean | null;
  is_by_hand: boolean;
  value: number | null;
  text: string;
  off: number | null;
  guaranteed: RaceInterval | null;
  approximate: RaceInterval | null;
}

/** A racer: the steps that are new to the page, and its position. */
export interface RacerSteps {
  version: number;
  start: number;
  steps: RaceStep[];
  n: number;
  next_index: number | null;
  next_id: string;
  next_weight: number | null;
  is_ready: boolean;
  is_done: boolean;
}

/** The identity of the race, and the racers that are labeled by hand. */
export interface RaceState {
  run: number;
  seed: number;
  methods: string[];
  by_hand: number[];
  n_by_hand: number;
}

/** A number after each number of labels, for each kind of interval. */
export interface ByKind {
  guaranteed: (number | null)[];
  approximate: (number | null)[];
}

/** One method's errors, widths and coverage in many races, after each number of labels. */
export interface RaceCurve {
  median: (number | null)[];
  low: (number | null)[];
  high: (number | null)[];
  rmse: (number | null)[];
  widths: ByKind;
  coverage: ByKind;
}

/** The completed races of two methods; in "share_closer" of them, the first ended closer to the truth. */
export interface ManyContent {
  methods: string[];
  n_done: number;
  n_races: number;
  at: number[];
  curves: RaceCurve[];
  share_closer: number | null;
}

/** The number of labels that a racer tried beyond the budget, and whether it reached the width. */
export interface BeyondContent {
  run: number;
  racer: number;
  kind: string;
  width: number;
  n: number;
  is_reached: boolean;
  is_complete: boolean;
}

/** Parts, each of which the page of a race shows. */
export interface RaceFromPython {
  client?: string | null;
  seq?: number | null;
  error?: string;
  config?: RaceConfig;
  race?: RaceState;
  racers?: RacerSteps[];
  y?: Span;
  many?: ManyContent;
  beyond?: BeyondContent;
  instances?: InstanceInfo[];
  more?: MoreText;
}

/** What the page of a race sends, by type. */
export interface RaceFromPage {
  hello: Nothing;
  ping: Nothing;
  steps: AskSteps;
  races: AskRaces;
  beyond: AskBeyond;
  instances: AskInstances;
  more: AskMore;
  by_hand: LabelByHand;
  give: GiveByHand;
  undo: UndoByHand;
  new_race: NewRace;
}
