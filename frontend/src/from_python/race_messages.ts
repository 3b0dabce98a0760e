// Written from activeeval_widgets/widgets/messages/ by `make bundle`: edit that.

import type { AskInstances, AskMore, Axis, ClassConfig, GradesConfig, InstanceInfo, KeysConfig, MoreText, Nothing, NumberConfig } from "./messages";

/** What the page knows of a racer: the version of its steps, and how many of them. */
export interface Known {
  version: number;
  n: number;
}

/** Further steps of both racers. */
export interface AskSteps {
  run: number;
  known: Known[];
}

/** How far the many races are; a little more of them is done. */
export interface AskRaces {
  run: number;
}

/** How many labels a racer needs for an interval of a width; a little more is tried. */
export interface AskBeyond {
  run: number;
  racer: number;
  width: number;
  kind: "guaranteed" | "approximate";
}

/** Whose labels are given by hand from now on, after how many labels; nobody's: the expert goes on. */
export interface LabelByHand {
  run: number;
  n: number;
  racers: number[];
}

/** The label of a racer's present instance, its n-th; None: what the expert says. */
export interface GiveByHand {
  run: number;
  racer: number;
  n: number;
  value: number | Record<string, number | null> | null;
}

/** Take back the last label that was given by hand. */
export interface UndoByHand {
  run: number;
}

/** Another race: another seed, other racers, or both. */
export interface NewRace {
  seed: number;
  methods: string[];
}

/** A way to choose instances. */
export interface MethodInfo {
  name: string;
  title: string;
  draws: string;
  estimate: string;
}

/** By what picks are laid out: an axis in equal bins, and which share of the pool each bin holds. */
export interface PickAxis {
  label: string;
  axis: Axis;
  n_bins: number;
  pool: number[];
}

/** What stays as it is while a race is shown. */
export interface RaceConfig {
  title: string;
  about: string;
  question: string;
  measure: string;
  unit: string;
  sides: string[];
  notes: string[];
  budget: number;
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
  off_text: string;
  guaranteed: RaceInterval | null;
  approximate: RaceInterval | null;
}

/** A racer: what the page did not know yet of its steps, and where it is. */
export interface RacerSteps {
  version: number;
  start: number;
  steps: RaceStep[];
  n: number;
  coming: number | null;
  coming_id: string;
  is_ready: boolean;
  is_done: boolean;
}

/** Which race it is, and who is labeled by hand. */
export interface RaceState {
  run: number;
  seed: number;
  methods: string[];
  by_hand: number[];
  n_by_hand: number;
}

/** Of many races by one method: how far off the estimates are, after each number of labels. */
export interface ErrorCurve {
  method: string;
  median: (number | null)[];
  low: (number | null)[];
  high: (number | null)[];
  rmse: (number | null)[];
  texts: string[];
}

/** The races that are through; "share_closer" of them the first racer ended closer to the truth. */
export interface ManyContent {
  run: number;
  n_done: number;
  n_races: number;
  at: number[];
  y: Axis;
  curves: ErrorCurve[];
  share_closer: number | null;
  is_complete: boolean;
}

/** How many labels a racer has tried beyond the budget, and whether it has reached the width. */
export interface BeyondContent {
  run: number;
  racer: number;
  kind: string;
  width: number;
  n: number;
  is_reached: boolean;
  is_complete: boolean;
}

/** Parts, each of which the page of a race shows. Answers have "client" and "seq" of the question. */
export interface RaceFromPython {
  client?: string | null;
  seq?: number | null;
  error?: string;
  config?: RaceConfig;
  race?: RaceState;
  racers?: RacerSteps[];
  y?: Axis;
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
