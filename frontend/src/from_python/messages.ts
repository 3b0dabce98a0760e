// Written from activeeval_widgets/widgets/messages/ by `make bundle`: edit that.

export type SafeTree = [tag: string, attributes: Record<string, string>, children: (SafeTree | string)[]];

export type LabelValue = number | Record<string, number | null>;

export type ActionName = "undo" | "defer" | "exclude" | "exclude_because" | "note" | "flag" | "history" | "prediction" | "guidelines" | "goal" | "result" | "panels" | "enlarge" | "settings" | "help";

export type LabelsConfig = ClassConfig | NumberConfig | GradesConfig;

/** A message that says all by its type. */
export interface Nothing {
}

/** What a browser was told is saved. */
export interface Saved {
  n_events: number;
  time: string;
  n_labels: number;
}

/** Instances to be rendered. */
export interface AskInstances {
  indices: number[];
}

/** A further part of a long text. */
export interface AskMore {
  index: number;
  passage: number;
  start: number;
}

/** The model's prediction of the present instance. */
export interface AskPrediction {
  draw: number;
}

/** The panels beside the instance; "shown" names those that are shown, "pair" two of several models. "draws_figures" says whether the page can show bqplot figures in them. */
export interface AskPanels {
  shows_wald: boolean;
  shows_confusion: boolean;
  shown: string[];
  pair?: number[] | null;
  draws_figures?: boolean;
}

/** A part of the answers so far. */
export interface AskHistory {
  query: string;
  only: ("wrong" | "flagged" | "noted" | "changed")[];
  answer: string | null;
  offset: number;
  shows_prediction: boolean;
  asked: number;
  differing?: "any" | "first" | "second" | "both" | "neither" | null;
  pair?: number[] | null;
}

/** One answer, to look at it again. */
export interface AskRow {
  index: number;
  shows_prediction: boolean;
}

/** The goal's parts, as the person wrote them. */
export interface SetGoal {
  fields: Record<string, number | null>;
}

/** What a goal would cost that the person is writing. */
export interface PreviewGoal {
  fields: Record<string, number | null>;
}

/** The result. */
export interface AskResult {
  may_tell: boolean;
  draws_figures?: boolean;
}

/** A file to save. */
export interface AskFile {
  which: "html" | "labels" | "markdown" | "events";
}

/** What every answer about a draw has; "resent_for", its instance, where a reloaded page sends it. */
export interface Answered {
  draw: number;
  seconds: number;
  first_key_seconds: number | null;
  resent_for?: number;
}

/** A label. */
export interface GiveLabel {
  draw: number;
  seconds: number;
  first_key_seconds: number | null;
  resent_for?: number;
  value: number | Record<string, number | null>;
}

/** That an instance can't be labeled, and why. */
export interface Exclude {
  draw: number;
  seconds: number;
  first_key_seconds: number | null;
  resent_for?: number;
  reason?: string;
}

/** Another label in the place of an earlier one. */
export interface ChangeLabel {
  index: number;
  value: number | Record<string, number | null>;
}

/** A note on an instance. */
export interface WriteNote {
  index: number;
  text: string;
}

/** Whether an instance is flagged. */
export interface SetFlag {
  index: number;
  flagged: boolean;
}

/** Which label counts where opinions differ. */
export interface Adjudicate {
  index: number;
  value: number | Record<string, number | null>;
}

/** Who sits before the page. */
export interface GiveName {
  who: string;
}

/** What was done since the last message was answered: messages of `ANSWERS`, each with its type. */
export interface GiveAnswers {
  answers: unknown[];
  ahead: number;
}

/** A label's button. */
export interface Choice {
  value: string;
  text: string;
  keys: string[];
}

/** How classes are given. */
export interface ClassConfig {
  kind: "class";
  is_searched: boolean;
  choices: Choice[];
}

/** How numbers are given. */
export interface NumberConfig {
  kind: "number";
  low: number | null;
  high: number | null;
  unit: [string, string] | null;
  decimal_mark: "." | "," | null;
}

/** How the results of a list are graded. */
export interface GradesConfig {
  kind: "grades";
  grades: number[];
  words: string[] | null;
  choices: Choice[];
}

/** Something a key does besides labeling. */
export interface ActionConfig {
  name: "undo" | "defer" | "exclude" | "exclude_because" | "note" | "flag" | "history" | "prediction" | "guidelines" | "goal" | "result" | "panels" | "enlarge" | "settings" | "help";
  text: string;
  meaning: string;
  is_rare: boolean;
}

/** Which key does what. */
export interface KeysConfig {
  scope: string;
  labels: Choice[];
  actions: Record<string, string[]>;
  taken: string[];
}

/** A part of the goal. `is_choice`: it is 0 or nothing, to be chosen and not to be written. */
export interface GoalField {
  name: string;
  text: string;
  unit: string;
  value: number | null;
  is_choice?: boolean;
}

/** How far it is to the goal. */
export interface GoalContent {
  lines: string[];
  advice: string;
  fields: GoalField[];
}

/** What a goal would cost, or why it is none. */
export interface GoalPreview {
  lines: string[];
  error: string;
}

/** A panel from outside this package, with the ES module that draws it. */
export interface PanelModule {
  name: string;
  title: string;
  source: string;
}

/** What stays as it is while an app is shown. */
export interface Config {
  title: string;
  question: string;
  labels: ClassConfig | NumberConfig | GradesConfig;
  actions: ActionConfig[];
  keys: KeysConfig;
  guidelines: SafeTree | null;
  reasons: string[];
  is_standalone: boolean;
  is_guest: boolean;
  has_new_session: boolean;
  session: string;
  session_text: string;
  about: string;
  sessions: string[];
  start_page?: string;
  has_confusion: boolean;
  has_groups: boolean;
  has_comparison: boolean;
  has_each: boolean;
  has_judge: boolean;
  has_differing: boolean;
  has_matrices: boolean;
  has_calibration: boolean;
  has_evidence: boolean;
  is_labeler_view: boolean;
  goal: GoalContent | null;
  panel_modules: PanelModule[];
  instance_modules: string[];
  asks_name: boolean;
}

/** An instance that comes, with its note and flag. */
export interface Drawn {
  draw: number;
  index: number;
  id: string;
  note?: string;
  flagged?: boolean;
}

/** Whether answers can be saved, and what is. */
export interface StoreState {
  problem: string | null;
  notices: string[];
  can_rescue: boolean;
  key: string | null;
  saved: Saved;
}

/** The approximate interval on the same scale, where there is a guaranteed one around it. */
export interface BarPart {
  low: number;
  high: number;
}

/** An interval as shares of a scale. */
export interface EstimateBar {
  ends: string[];
  low: number;
  high: number;
  value: number;
  zero: number | null;
  is_approximate: boolean;
  within: BarPart | null;
}

/** The estimate in words and numbers. */
export interface EstimateContent {
  value: number | null;
  low: number | null;
  high: number | null;
  approximate_low: number | null;
  approximate_high: number | null;
  title: string;
  headline: string;
  spoken: string;
  sentence: string;
  interval: string;
  approximate: string;
  note: string;
  intro: string;
  warning: string;
  bar: EstimateBar | null;
}

/** How far it is: a text, and the share of the budget. */
export interface Progress {
  text: string;
  share: number | null;
}

/** Somebody who labels. */
export interface PersonShown {
  who: string;
  text: string;
  is_here: boolean;
  is_you: boolean;
}

/** What somebody said of an instance. */
export interface AnswerShown {
  who: string;
  text: string;
  value?: number | Record<string, number | null>;
}

/** An instance of which people said different things. */
export interface DisagreementShown {
  index: number;
  id: string;
  answers: AnswerShown[];
  decided: string | null;
}

/** Those who label, and where they differ. */
export interface PeopleContent {
  who: string | null;
  can_rename: boolean;
  people: PersonShown[];
  n_open: number;
  disagreements: DisagreementShown[];
}

/** What changes with each answer. */
export interface State {
  estimate?: EstimateContent;
  progress: Progress;
  n_draws: number;
  queue: Drawn[];
  store: StoreState;
  n_labels: number;
  is_done: boolean;
  done_text: string;
  can_undo: boolean;
  can_go_on: boolean;
  status: string;
  people: PeopleContent | null;
  panels?: Record<string, unknown>;
}

/** How a rendered instance is shown; its bytes are the buffer at the same position. */
export interface InstanceInfo {
  index: number;
  mime: string;
  description: string;
  pixelated: boolean;
  note: string;
}

/** Which text a further part belongs to; its elements are the first buffer. */
export interface MoreText {
  index: number;
  passage: number;
}

/** What one of several models predicted, and whether that is right. */
export interface SaidByOne {
  name: string;
  text: string;
  mark: "" | "right" | "wrong" | "better";
}

/** An earlier answer. */
export interface Row {
  index: number;
  id: string;
  answer: string;
  value?: number | Record<string, number | null>;
  draw?: number;
  time?: string;
  is_changed?: boolean;
  note?: string;
  flagged?: boolean;
  content?: string;
  thumbnail?: number;
  mime?: string;
  is_pixelated?: boolean;
  prediction?: string;
  is_wrong?: boolean;
  said?: SaidByOne[];
}

/** Labels where two models differ: who was right, with the number of them, to choose from. */
export interface DifferingLabels {
  names: string[];
  choices: [string, string, number][];
}

/** A part of the answers so far; thumbnails are buffers. */
export interface HistoryContent {
  rows: Row[];
  n_found: number;
  n_rows: number;
  offset: number;
  answers: [string, number][];
  differing: DifferingLabels | null;
  has_wrong: boolean;
  wrong_text: string;
  asked: number | null;
}

/** The model's prediction in words. */
export interface Prediction {
  draw: number;
  text: string;
}

/** The label that an undo took back. */
export interface Undone {
  index: number;
  value: number | Record<string, number | null>;
}

/** An axis of a plot. */
export interface Axis {
  low: number;
  high: number;
  ticks: [number, string][];
  title?: string;
  is_log?: boolean;
}

/** A band between two curves. */
export interface Band {
  kind: string;
  x: number[];
  low: number[];
  high: number[];
}

/** A curve. */
export interface Curve {
  kind: string;
  x: number[];
  y: number[];
}

/** A horizontal line. */
export interface Line {
  kind: string;
  y: number;
}

/** Points of one kind. */
export interface Points {
  kind: string;
  shape: "dot" | "cross" | "foot" | "diamond" | "square";
  x: number[];
  y: number[];
  size?: number[];
  label?: string;
}

/** Values that pointer and keys find. */
export interface Stops {
  name: string;
  by: "x" | "point";
  is_foot?: boolean;
  x: number[];
  y: number[];
  text: string[];
  index?: number[];
}

/** A plot, with its legend, and its values as a table. Where a figure draws it, "margin" has the figure's margins, and what is drawn is left out. */
export interface PlotContent {
  heading: string;
  margin?: Record<string, number>;
  note?: string;
  x: Axis;
  y: Axis;
  bands: Band[];
  curves: Curve[];
  lines: Line[];
  points: Points[];
  sides: string[];
  legend: [string, string][];
  stops: Stops[];
  summary: string;
  columns: string[];
  rows: string[][];
}

/** The plots beside the instance. */
export interface Plots {
  trajectory: PlotContent;
  wealth?: PlotContent;
  distribution: PlotContent;
}

/** A cell of the confusion matrix. */
export interface ConfusionCell {
  text: string;
  title: string;
  share: number;
}

/** The confusion matrix. */
export interface ConfusionContent {
  summary: string;
  rows: string;
  columns: string;
  classes: string[];
  cells: ConfusionCell[][];
  confusions: string[][];
}

/** A group, or a model: its numbers in words, and the same as numbers within the common scale. `note` is what is said of it beside the number: how many labels it has, or who is better. `is_out`: it is shown, and counts no more. `has_line`: the line that all are held against goes through it. `color`: the kind of its curve in a plot. */
export interface IntervalRow {
  name: string;
  note: string;
  value: string;
  interval: string;
  low: number;
  high: number;
  at: number | null;
  is_told: boolean;
  is_out: boolean;
  has_line: boolean;
  color?: string;
}

/** What all rows of a table are drawn in: its ends, which `ends` has in words, and round numbers on it. */
export interface IntervalScale {
  low: number;
  high: number;
  ends: string[];
  ticks: [number, string][];
}

/** The measure within each group, or of each model, with one value of comparison on the same scale. */
export interface IntervalTableContent {
  summary: string;
  columns: string[];
  rows: IntervalRow[];
  whole: number | null;
  zero?: number | null;
  scale: IntervalScale;
}

/** Two of several models: which were chosen, of which, and their difference. */
export interface PairContent {
  names: string[];
  chosen: number[] | null;
  difference: IntervalTableContent | null;
}

/** Several models, and two of them that were chosen. */
export interface ModelsContent {
  summary: string;
  columns: string[];
  rows: IntervalRow[];
  whole: number | null;
  zero?: number | null;
  scale: IntervalScale;
  pair: PairContent;
}

/** Where two models differ. Without a plot, where they say nothing but a class. */
export interface DifferingContent {
  heading: string;
  sentences: string[];
  n_labels: number;
  pair: number[];
  plot: PlotContent | null;
}

/** A cell: its share, and whether it is larger or smaller than the other one's beyond chance. */
export interface MatrixCell {
  text: string;
  title: string;
  share: number;
  mark: "" | "more" | "less";
}

/** One model's confusion matrix beside another's. */
export interface MatrixContent {
  name: string;
  cells: MatrixCell[][];
}

/** Two confusion matrices from the same labels, and the cells that differ most. */
export interface MatricesContent {
  heading: string;
  summary: string;
  classes: string[];
  matrices: MatrixContent[];
  columns: string[];
  rows: string[][];
}

/** The result's interval as shares of a scale. */
export interface ResultBar {
  low: number;
  high: number;
  value: number;
  zero: number | null;
  is_approximate: boolean;
  within: BarPart | null;
  texts: string[];
}

/** A number with what it counts. */
export interface Figure {
  value: string;
  text: string;
  title: string;
}

/** Where the model was wrong. */
export interface Mistake {
  index: number;
  id: string;
  truth: string;
  said: string;
  sureness: string;
  content?: string;
  thumbnail?: number;
  mime?: string;
  is_pixelated?: boolean;
}

/** Where the model was wrong; thumbnails are buffers. `about`: more, of a `pair` if there is one. */
export interface Mistakes {
  heading: string;
  about: string[];
  pair: number[] | null;
  hint: string;
  rows: Mistake[];
}

/** The result. */
export interface ResultContent {
  badge: string;
  answer: string;
  confidence: string;
  caveats: string[];
  bar: ResultBar | null;
  figures: Figure[];
  copy: string;
  can_go_on: boolean;
  is_whole: boolean;
  plot?: PlotContent;
  models?: ModelsContent;
  mistakes?: Mistakes;
}

/** A file that the page offers to save. */
export interface SavedFile {
  name: string;
  type: string;
  text: string;
}

/** Parts, each of which the page shows. Answers have "client" and "seq" of the question. */
export interface FromPython {
  client?: string | null;
  seq?: number | null;
  error?: string;
  is_kept?: boolean;
  n_done?: number;
  stale?: string;
  ms_each?: number;
  config?: Config;
  state?: State;
  store?: StoreState;
  session_text?: string;
  missing?: string;
  rescued?: string;
  instances?: InstanceInfo[];
  more?: MoreText;
  history?: HistoryContent;
  row?: Row;
  prediction?: Prediction;
  undone?: Undone;
  plots?: Plots;
  figures?: Record<string, string>;
  confusion?: ConfusionContent;
  groups?: IntervalTableContent;
  panels?: Record<string, unknown>;
  goal?: GoalContent;
  goal_preview?: GoalPreview;
  result?: ResultContent;
  file?: SavedFile;
  open_session?: string | null;
}

/** What a person does with instances, by type. */
export interface Answers {
  label: GiveLabel;
  defer: Answered;
  exclude: Exclude;
  undo: Nothing;
  change: ChangeLabel;
  note: WriteNote;
  flag: SetFlag;
  adjudicate: Adjudicate;
}

/** What the page sends, by type. */
export interface FromPage {
  hello: Nothing;
  ping: Nothing;
  witness: Saved;
  instances: AskInstances;
  more: AskMore;
  prediction: AskPrediction;
  plots: AskPanels;
  plan: Nothing;
  goal_preview: PreviewGoal;
  history: AskHistory;
  row: AskRow;
  result: AskResult;
  save: AskFile;
  answers: GiveAnswers;
  goal: SetGoal;
  name: GiveName;
  go_on: Nothing;
  new_session: Nothing;
  save_to_new_file: Nothing;
}
