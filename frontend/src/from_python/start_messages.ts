// Written from activeeval_widgets/widgets/messages/ by `make bundle`: edit that.

import type { Nothing, SavedFile } from "./messages";

/** The evaluations there are. */
export interface AskEvaluations {
  shows_archived: boolean;
}

/** How many labels it takes for each margin of error. */
export interface AskPlans {
  measure: string;
  positive: string | null;
}

/** A file about an evaluation, to save. */
export interface AskExport {
  session: string;
  which: "html" | "markdown" | "labels" | "session";
}

/** What a new evaluation is to be. */
export interface NewSettings {
  measure: string;
  positive: string | null;
  half_width: number | null;
  budget: number | null;
  title: string;
  guidelines: string;
}

/** A file of the folder. */
export interface ChooseFile {
  path: string;
}

/** A part of a file; its bytes are the buffer. */
export interface UploadPart {
  upload: string;
  name: string;
  size: number;
  offset: number;
}

/** What the columns are. */
export interface ChangeRoles {
  roles: Record<string, string>;
}

/** Whether an evaluation is put away; and whether such ones are shown. */
export interface Archive {
  session: string;
  is_archived: boolean;
  shows_archived: boolean;
}

/** The evaluation that links for guests are about. */
export interface AboutGuests {
  session: string;
}

/** Links for guests of an evaluation that are to open it no more. */
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

/** What stays as it is while the start page is shown. */
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

/** An evaluation among the others; "last_used" is a time of day in UTC, or empty. */
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

/** The evaluations there are, the one used last first. */
export interface EvaluationList {
  rows: EvaluationRow[];
  n_archived: number;
}

/** A file of the folder that may hold predictions. */
export interface FoundFile {
  path: string;
  size: string;
}

/** How much of an upload has arrived. */
export interface Received {
  upload: string;
  n_bytes: number;
}

/** A choice: its name, and what is shown. */
export interface NamedText {
  name: string;
  text: string;
}

/** A column: what it is, and its first cells. */
export interface Column {
  name: string;
  role: string;
  text: string;
  cells: string[];
}

/** What is wrong in a file, and what to do. */
export interface ProblemRow {
  where: string;
  text: string;
  remedy: string;
}

/** A number that a measure takes: what stands before and after its field, and what is in it at first. */
export interface MeasureOption {
  label: string;
  before: string;
  after: string;
  value: string;
  is_needed: boolean;
}

/** A measure, and what it tells. */
export interface MeasureChoice {
  name: string;
  text: string;
  sentence: string;
  needs_class: boolean;
  option: MeasureOption | null;
}

/** What one may want to know, and the measures that tell. */
export interface Question {
  text: string;
  note: string;
  measures: MeasureChoice[];
}

/** A new evaluation of a file. */
export interface NewContent {
  title: string;
  file: string;
  about: string;
  columns: Column[];
  roles: NamedText[];
  guessed: string[];
  problems: ProblemRow[];
  n_problems: number;
  cannot_start: string;
  questions: Question[];
  classes: string[];
  settings_file: string;
  given: NewSettings | null;
}

/** A margin of error, and what it takes; "n_labels" and "budget" are None where that is not known. */
export interface PlanStep {
  half_width: number;
  text: string;
  headline: string;
  range: string;
  uniform: string;
  n_labels: number | null;
  budget: number | null;
}

/** What each margin of error takes; "first" is the step to begin with. */
export interface PlanList {
  measure: string;
  positive: string | null;
  steps: PlanStep[];
  first: number;
  seconds: number;
  n_instances: number;
  note: string;
}

/** A link that opens one evaluation: its token, which the page puts into the address. */
export interface GuestLink {
  session: string;
  token: string;
}

/** Parts, each of which the start page shows. Answers have "client" and "seq" of the question. */
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
