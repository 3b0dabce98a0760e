// Written from activeeval_widgets/widgets/messages/ by `make bundle`: edit that.

import type { Nothing, SavedFile } from "./messages";

/** Request the list of evaluations. */
export interface AskEvaluations {
  shows_archived: boolean;
}

/** Request the labels that each margin of error takes. */
export interface AskPlans {
  measure: string;
  positive: string | null;
  sheets: boolean;
}

/** Request a file about an evaluation, to save. */
export interface AskExport {
  session: string;
  which: "html" | "markdown" | "labels" | "session";
}

/** The settings of a new evaluation. */
export interface NewSettings {
  measure: string;
  positive: string | null;
  half_width: number | null;
  budget: number | null;
  title: string;
  guidelines: string;
  sheets: boolean;
}

/** The evaluation whose next version a file is, if any. */
export interface OfFile {
  after: string | null;
}

/** Choose a file in the folder. */
export interface ChooseFile {
  after: string | null;
  path: string;
}

/** A part of a file; its bytes are in the buffer. */
export interface UploadPart {
  after: string | null;
  upload: string;
  name: string;
  size: number;
  offset: number;
}

/** Set the roles of columns. */
export interface ChangeRoles {
  roles: Record<string, string>;
}

/** Set whether an evaluation is archived, and whether archived ones are shown. */
export interface Archive {
  session: string;
  is_archived: boolean;
  shows_archived: boolean;
}

/** The evaluation to which guest links refer. */
export interface AboutGuests {
  session: string;
}

/** Revoke an evaluation's guest links. */
export interface Revoke {
  session: string;
  shows_archived: boolean;
}

/** A demo to try. */
export interface DemoCard {
  name: string;
  title: string;
  text: string;
}

/** The settings that do not change while the start page is shown. */
export interface StartContent {
  place: string;
  folder: string;
  notices: string[];
  demos: DemoCard[];
  largest: number;
  largest_text: string;
  part_size: number;
  has_guests: boolean;
}

/** An evaluation in the list; "last_used" is a time in UTC, or empty. */
export interface EvaluationRow {
  session: string;
  title: string;
  question: string;
  n_labels: number;
  budget: number | null;
  value: string;
  interval: string;
  last_used: string;
  who: string;
  is_done: boolean;
  is_archived: boolean;
  missing: string;
  n_guest_links: number;
}

/** The list of evaluations, the most recently used first. */
export interface EvaluationList {
  rows: EvaluationRow[];
  n_archived: number;
}

/** A file of the folder that may hold predictions. */
export interface FoundFile {
  path: string;
  size: string;
}

/** The amount of an upload that has arrived. */
export interface Received {
  upload: string;
  n_bytes: number;
}

/** A choice: its name, and its displayed text. */
export interface NamedText {
  name: string;
  text: string;
}

/** A column: its role, and its first cells. */
export interface Column {
  name: string;
  role: string;
  text: string;
  cells: string[];
}

/** A problem in a file, with its remedy. */
export interface ProblemRow {
  where: string;
  text: string;
  remedy: string;
}

/** A number that a measure takes: the texts before and after its field, and its default. */
export interface MeasureOption {
  label: string;
  before: string;
  after: string;
  value: string;
  is_needed: boolean;
}

/** A measure and its summary. */
export interface MeasureChoice {
  name: string;
  text: string;
  sentence: string;
  needs_class: boolean;
  option: MeasureOption | null;
}

/** A question that users may have, and the measures that answer it. */
export interface Question {
  text: string;
  note: string;
  measures: MeasureChoice[];
}

/** A column with labels for some rows, a question about it, and the roles that answer it. */
export interface KnownLabels {
  column: string;
  text: string;
  choices: NamedText[];
}

/** A new evaluation from a file. */
export interface NewContent {
  title: string;
  file: string;
  about: string;
  columns: Column[];
  known_labels: KnownLabels | null;
  roles: NamedText[];
  guessed: string[];
  problems: ProblemRow[];
  n_problems: number;
  cannot_start: string;
  questions: Question[];
  classes: string[];
  can_have_sheets: boolean;
  settings_file: string;
  given: NewSettings | null;
}

/** A margin of error, and its cost; "n_labels" and "budget" are None if they are not known. */
export interface PlanStep {
  half_width: number;
  text: string;
  headline: string;
  range: string;
  uniform: string;
  n_labels: number | null;
  budget: number | null;
}

/** The cost of each margin of error; "first" is the step to begin with. */
export interface PlanList {
  measure: string;
  positive: string | null;
  sheets: boolean;
  steps: PlanStep[];
  first: number;
  seconds: number;
  n_instances: number;
  note: string;
}

/** A link that opens one evaluation: its token, which the page adds to the address. */
export interface GuestLink {
  session: string;
  token: string;
}

/** Parts, each of which the start page shows. */
export interface StartFromPython {
  client?: string | null;
  seq?: number | null;
  error?: string;
  start?: StartContent;
  evaluations?: EvaluationList;
  files?: FoundFile[];
  received?: Received;
  new?: NewContent;
  plans?: PlanList;
  command?: string;
  file?: SavedFile;
  open_session?: string;
  guest_link?: GuestLink;
}

/** What the start page sends, by type. */
export interface StartFromPage {
  hello: Nothing;
  ping: Nothing;
  evaluations: AskEvaluations;
  folder: Nothing;
  plans: AskPlans;
  command: NewSettings;
  export: AskExport;
  choose: ChooseFile;
  upload: UploadPart;
  roles: ChangeRoles;
  start: NewSettings;
  archive: Archive;
  invite: AboutGuests;
  revoke: Revoke;
}
