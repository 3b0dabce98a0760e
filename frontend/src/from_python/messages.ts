// Written from activeeval_widgets/widgets/messages/ by `make bundle`: edit that.

export type SafeTree = [tag: string, attributes: Record<string, string>, children: (SafeTree | string)[]];

export type LabelValue = number | Record<string, number | null>;

export type ActionName = "undo" | "sheet" | "defer" | "exclude" | "exclude_because" | "note" | "flag" | "history" | "prediction" | "guidelines" | "goal" | "result" | "panels" | "enlarge" | "settings" | "help";

export type LabelsConfig = ClassConfig | NumberConfig | GradesConfig;

/** A message without fields. */
export interface Nothing {
}

/** What a browser saw as saved. */
export interface Saved {
  n_events: number;
  time: string;
  n_labels: number;
}

/** Request instances to be rendered. */
export interface AskInstances {
  indices: number[];
}

/** Request a further part of a long text. */
export interface AskMore {
  index: number;
  passage: number;
  start: number;
}

/** Request the model's prediction of the present instance. */
export interface AskPrediction {
  draw: number;
}

/** Request the panels beside the instance; "shown" names the visible ones, "pair" two of several models. "draws_figures" says whether the page can show bqplot figures in them, "renews_figures" whether it needs new ones, as some of their widgets may be missing there. */
export interface AskPanels {
  shows_wald: boolean;
  shown: string[];
  pair?: number[] | null;
  draws_figures?: boolean;
  renews_figures?: boolean;
}

/** Request a part of the answers so far. */
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

/** Request one answer for review. */
export interface AskRow {
  index: number;
  shows_prediction: boolean;
}

/** The parts of the goal that the person entered. */
export interface SetGoal {
  fields: Record<string, number | null>;
}

/** Request the cost of a goal while it is entered. */
export interface PreviewGoal {
  fields: Record<string, number | null>;
}

/** Request the result. */
export interface AskResult {
  shows_results: boolean;
  draws_figures?: boolean;
}

/** Request a file to save. */
export interface AskFile {
  which: "html" | "labels" | "markdown" | "events";
}

/** The fields of every answer about a draw; "resent_for" is its instance if a reloaded page sends it. */
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

/** Exclude an instance, with a reason. */
export interface Exclude {
  draw: number;
  seconds: number;
  first_key_seconds: number | null;
  resent_for?: number;
  reason?: string;
}

/** Replace an earlier label. */
export interface ChangeLabel {
  index: number;
  value: number | Record<string, number | null>;
}

/** Set the note on an instance. */
export interface WriteNote {
  index: number;
  text: string;
}

/** Set whether an instance is flagged. */
export interface SetFlag {
  index: number;
  flagged: boolean;
}

/** Choose the label that counts after a disagreement. */
export interface Adjudicate {
  index: number;
  value: number | Record<string, number | null>;
}

/** The answer to an instance of a sheet: a label, or null to ask for it by itself. */
export interface SheetAnswer {
  draw: number;
  index: number;
  value: number | null;
}

/** The answers to a sheet. */
export interface AnswerSheet {
  answers: SheetAnswer[];
  seconds: number;
}

/** Set the name of the person in front of the page. */
export interface GiveName {
  who: string;
}

/** The answers since the last acknowledged message: messages of `ANSWERS`, each with its type. */
export interface GiveAnswers {
  answers: unknown[];
  ahead: number;
}

/** A label's button. */
export interface Choice {
  text: string;
  keys: string[];
}

/** The input of classes. */
export interface ClassConfig {
  kind: "class";
  is_searched: boolean;
  choices: Choice[];
}

/** The input of numbers. */
export interface NumberConfig {
  kind: "number";
  low: number | null;
  high: number | null;
  unit: [string, string] | null;
  decimal_mark: "." | "," | null;
}

/** The input of grades for the results of a list. */
export interface GradesConfig {
  kind: "grades";
  grades: number[];
  words: string[] | null;
  choices: Choice[];
}

/** A key's function other than labeling. */
export interface ActionConfig {
  name: "undo" | "sheet" | "defer" | "exclude" | "exclude_because" | "note" | "flag" | "history" | "prediction" | "guidelines" | "goal" | "result" | "panels" | "enlarge" | "settings" | "help";
  text: string;
  meaning: string;
  is_rare: boolean;
}

/** The assignment of keys. */
export interface KeysConfig {
  scope: string;
  labels: Choice[];
  actions: Record<string, string[]>;
  taken: string[];
}

/** A part of the goal. If `is_choice`, it is either 0 or missing, and is chosen rather than typed. */
export interface GoalField {
  name: string;
  text: string;
  unit: string;
  value: number | null;
  is_choice?: boolean;
}

/** The distance to the goal. */
export interface GoalContent {
  lines: string[];
  advice: string;
  fields: GoalField[];
}

/** The cost of a goal, or why it is not valid. */
export interface GoalPreview {
  lines: string[];
  error: string;
}

/** A panel beside the instance: which part of the front end draws it, or the ES module that does. */
export interface PanelConfig {
  name: string;
  title: string;
  kind: "text" | "table" | "intervals" | "plot" | "matrix" | "estimate" | "models" | "differing" | "matrices" | "module";
  source: string;
  is_hidden_at_first: boolean;
}

/** A finding in words, and a table of texts where it has one. */
export interface TextTableContent {
  summary: string;
  columns?: string[];
  rows?: string[][];
}

/** The settings that do not change while an app is shown. */
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
  is_labeler_view: boolean;
  goal: GoalContent | null;
  panels: PanelConfig[];
  instance_modules: string[];
  asks_name: boolean;
}

/** An upcoming instance, with its note and flag. */
export interface Drawn {
  draw: number;
  index: number;
  id: string;
  note?: string;
  flagged?: boolean;
}

/** Whether answers can be saved, and what is saved. */
export interface StoreState {
  problem: string | null;
  notices: string[];
  can_rescue: boolean;
  key: string | null;
  saved: Saved;
}

/** The approximate interval on the scale of a guaranteed one. */
export interface BarPart {
  low: number;
  high: number;
}

/** An interval as positions on a scale, from 0 to 1, and its ends in words. */
export interface IntervalBar {
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
  bar: IntervalBar | null;
}

/** The progress: a text, and the share of the budget. */
export interface Progress {
  text: string;
  share: number | null;
}

/** A person who labels. */
export interface PersonShown {
  who: string;
  text: string;
  is_here: boolean;
  is_you: boolean;
}

/** One person's answer on an instance. */
export interface AnswerShown {
  who: string;
  text: string;
  value?: number | Record<string, number | null>;
}

/** An instance on which people disagree. */
export interface DisagreementShown {
  index: number;
  id: string;
  answers: AnswerShown[];
  decided: string | null;
}

/** The people who label, and their disagreements. */
export interface PeopleContent {
  who: string | null;
  can_rename: boolean;
  people: PersonShown[];
  n_open: number;
  disagreements: DisagreementShown[];
}

/** An instance on a sheet, and the label that it gets if it is not marked. */
export interface Tile {
  draw: number;
  index: number;
  id: string;
  value: number;
}

/** A sheet: instances that are labeled together; no other sheet has its `begun`. */
export interface SheetContent {
  question: string;
  begun: string;
  tiles: Tile[];
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
  waits_for_others: boolean;
  done_text: string;
  can_undo: boolean;
  can_lift_budget: boolean;
  status: string;
  people: PeopleContent | null;
  panels?: Record<string, unknown>;
  sheet?: SheetContent;
  offers_sheet?: boolean;
  sheet_checks?: string;
}

/** The presentation of a rendered instance; its bytes are in the buffer at the same position. */
export interface InstanceInfo {
  index: number;
  mime: string;
  description: string;
  pixelated: boolean;
  note: string;
}

/** The text to which a further part belongs; its elements are in the first buffer. */
export interface MoreText {
  index: number;
  passage: number;
}

/** The prediction of one of several models, and whether it is right. */
export interface MarkedPrediction {
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
  predictions?: MarkedPrediction[];
}

/** The choices of labels on which two models differ: which model was right, with the number of labels. */
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

/** The label that was undone. */
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

/** Values that the pointer and keys can find. */
export interface Stops {
  name: string;
  by: "x" | "point";
  is_foot?: boolean;
  x: number[];
  y: number[];
  text: string[];
  index?: number[];
}

/** A plot with its legend, and its values as a table. If a figure draws it, "margin" has the figure's margins, and the drawn parts are left out. */
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
  distribution?: PlotContent;
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

/** A group or a model: its numbers in words, and as positions on the common scale. `note` is shown beside the number: its labels, or which model is better. `is_out`: it is shown but no longer in the running. `has_line`: the reference line passes through it. `color`: the kind of its curve in a plot. */
export interface IntervalRow {
  name: string;
  note: string;
  value: string;
  interval: string;
  low: number;
  high: number;
  at: number | null;
  has_interval: boolean;
  is_out: boolean;
  has_line: boolean;
  color?: string;
}

/** The common scale of a table's rows: its ends, the same in words (`ends`), and round numbers on it. */
export interface IntervalScale {
  low: number;
  high: number;
  ends: string[];
  ticks: [number, string][];
}

/** The measure within each group, or of each model, with one reference value on the same scale. */
export interface IntervalTableContent {
  summary: string;
  columns: string[];
  rows: IntervalRow[];
  whole: number | null;
  zero?: number | null;
  scale: IntervalScale;
}

/** Two of several models: all names, the chosen two, and their difference. */
export interface PairContent {
  names: string[];
  chosen: number[] | null;
  difference: IntervalTableContent | null;
}

/** Several models, and two chosen ones. */
export interface ModelsContent {
  summary: string;
  columns: string[];
  rows: IntervalRow[];
  whole: number | null;
  zero?: number | null;
  scale: IntervalScale;
  pair: PairContent;
}

/** Where two models differ; there is no plot if they only give classes. */
export interface DifferingContent {
  heading: string;
  sentences: string[];
  n_labels: number;
  pair: number[];
  plot: PlotContent | null;
}

/** A cell: its share, and whether it is significantly larger or smaller than the other model's. */
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

/** Two confusion matrices from the same labels, and the cells with the largest differences. */
export interface MatricesContent {
  heading: string;
  summary: string;
  classes: string[];
  matrices: MatrixContent[];
  columns: string[];
  rows: string[][];
}

/** A number with its caption. */
export interface Figure {
  value: string;
  text: string;
  title: string;
}

/** An instance on which the model was wrong. */
export interface Mistake {
  index: number;
  id: string;
  truth: string;
  predicted: string;
  confidence: string;
  content?: string;
  thumbnail?: number;
  mime?: string;
  is_pixelated?: boolean;
}

/** Where the model was wrong; thumbnails are in buffers. `about` has more, on a `pair` if there is one. */
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
  bar: IntervalBar | null;
  figures: Figure[];
  copy: string;
  can_lift_budget: boolean;
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

/** The fields that every message from Python may have; replies have "client" and "seq" of the request. */
export interface Addressed {
  client?: string | null;
  seq?: number | null;
  error?: string;
}

/** Parts, each of which the page shows. */
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
  sheet: AnswerSheet;
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
  open_sheet: Nothing;
  new_session: Nothing;
  save_to_new_file: Nothing;
}
