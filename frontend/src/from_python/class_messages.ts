// Written from activeeval_widgets/widgets/messages/ by `make bundle`: edit that.

import type { Nothing, SavedFile } from "./messages";
import type { Span } from "./race_messages";

/** Set the student's name on the wall. */
export interface Join {
  name: string;
}

/** Set whether the student would stop after the present number of labels. */
export interface StopHere {
  stops: boolean;
}

/** Request all intervals: of which kind, after how many labels, and whether with the truth. */
export interface AskWall {
  kind: "guaranteed" | "approximate" | "wald";
  stop: "fixed" | "own" | "best";
  n: number;
  is_revealed: boolean;
}

/** Request the courses of all students as a file; with the truth if it is revealed. */
export interface AskTable {
  is_revealed: boolean;
}

/** A student's name on the wall, and the number of labels after which they would stop. */
export interface StudentState {
  name: string;
  suggested: string;
  stopped: number | null;
}

/** Parts for a student's page, beside those of a session. */
export interface StudentFromPython {
  client?: string | null;
  seq?: number | null;
  error?: string;
  student?: StudentState;
}

/** The settings that do not change while a wall is shown. */
export interface WallConfig {
  title: string;
  about: string;
  measure: string;
  is_share: boolean;
  sides: string[];
  n_labels: number;
  notes: string[];
  has_simulated: boolean;
}

/** A student's interval. A row that is not counted has not come to its number of labels yet. */
export interface WallRow {
  name: string;
  method: string;
  is_simulated: boolean;
  is_cheater: boolean;
  n: number;
  value: number | null;
  low: number | null;
  high: number | null;
  is_counted: boolean;
  is_miss: boolean;
  text: string;
}

/** The students of one method: how many are counted, and their widths in words. */
export interface WallHalf {
  method: string;
  title: string;
  text: string;
}

/** All intervals, as they were asked for. */
export interface WallContent {
  kind: "guaranteed" | "approximate" | "wald";
  stop: "fixed" | "own" | "best";
  n: number;
  rows: WallRow[];
  x: Span;
  truth: number | null;
  truth_text: string;
  headline: string;
  details: string[];
  halves: WallHalf[];
}

/** Parts, each of which the wall shows. "news" says that there is more to ask for. */
export interface WallFromPython {
  client?: string | null;
  seq?: number | null;
  error?: string;
  config?: WallConfig;
  wall?: WallContent;
  file?: SavedFile;
  news?: boolean;
}

/** What a student's page sends beside the messages of a session, by type. */
export interface StudentFromPage {
  student: Nothing;
  ping: Nothing;
  join: Join;
  stop_here: StopHere;
}

/** What the wall sends, by type. */
export interface WallFromPage {
  hello: Nothing;
  ping: Nothing;
  wall: AskWall;
  table: AskTable;
  run: Nothing;
}
