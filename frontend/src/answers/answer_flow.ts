// Which instance is shown, and what happens to answers. Python has the authoritative state; the page is ahead of it
// in one respect: after a label the next drawn instance is shown at once, while the label is being saved.

import type { Connection } from "../connection/connection";
import { Outbox, PATIENCE } from "../connection/outbox";
import type { Drawn, LabelValue, Row, State } from "../from_python/messages";
import { SheetAnswers } from "./sheet_answers";
import { Stopwatch } from "./stopwatch";
import { UnsavedAnswers } from "./unsaved_answers";

// How many coming instances are fetched in advance: enough for two seconds of the fastest typist, fewer if they are
// large; more if many answers wait for Python.
const READY_AHEAD = 40;
const MIN_READY = 8;
const MAX_READY = 56;
const READY_BYTES = 16e6;

/** The coming instances: those that can be painted at once, and those that must still be requested. */
export interface Coming {
  isReady(index: number): boolean;
  missing(queue: { index: number }[], atOnce: number): number[];
  /** The ones requested. */
  want(indices: number[]): void;
  /** In bytes. */
  readonly meanSize: number;
}

/** The note and the flag of an instance. */
export interface Marks {
  note?: string;
  flagged?: boolean;
}

/** An answer about the current instance, without the instance. */
type AboutPresent = { type: "label"; value: LabelValue } | { type: "defer" } | { type: "exclude"; reason?: string };

type PageState = "ready" | "saving" | "disconnected" | "done";

export class AnswerFlow {
  /** The last state from Python. */
  python: State | null = null;
  /** An instance's earlier value by its index, to be shown again. */
  readonly earlier = new Map<number, LabelValue>();
  /** An instance from the history that is shown again. */
  review: Row | null = null;
  /** The instances that are labeled together, instead of the present one. */
  readonly sheet = new SheetAnswers();
  /** How long Python took for the last instance. */
  msEach = PATIENCE / 4;
  readonly stopwatch: Stopwatch;
  readonly outbox: Outbox;
  readonly unsaved: UnsavedAnswers;
  private queue: Drawn[] = []; // the coming draws, without those answered here
  private readonly marks = new Map<number, Marks>();
  private timed: Drawn | Row | null = null; // the instance that the stopwatch runs for
  private isSheetTimed = false; // whether it runs for the sheet

  constructor(
    private readonly connection: Connection,
    private readonly instances: Coming,
    signal: AbortSignal,
    private readonly onChange: () => void,
  ) {
    this.stopwatch = new Stopwatch(signal);
    this.outbox = new Outbox(connection, () => this.update());
    this.unsaved = new UnsavedAnswers(connection, this.outbox);
  }

  get shown(): Drawn | Row | null {
    return this.review ?? (this.isOnSheet ? null : (this.queue[0] ?? null));
  }

  get mark(): Marks {
    return (this.shown && this.marks.get(this.shown.index)) ?? {};
  }

  /** Whether answers are for a sheet. */
  get isOnSheet(): boolean {
    return this.review === null && this.sheet.isOpen && !this.outbox.holds("sheet");
  }

  /** Whether there is a sheet to go to, or to leave. */
  get canTurnSheet(): boolean {
    const isThere = this.sheet.tiles.length > 0 || this.python?.offers_sheet === true;
    return this.refusal === null && this.review === null && isThere && !this.outbox.holds("sheet", "undo");
  }

  /** Whether the instance can be painted, in all views that show it. */
  get isReady(): boolean {
    if (this.isOnSheet) return this.sheet.tiles.every(({ index }) => this.instances.isReady(index));
    return this.shown !== null && this.instances.isReady(this.shown.index);
  }

  get isSaving(): boolean {
    return !this.outbox.isEmpty;
  }

  get isDone(): boolean {
    return this.python?.is_done === true && this.outbox.isEmpty;
  }

  get canAnswer(): boolean {
    return this.refusal === null && !this.isWaiting;
  }

  /** Why no answer is accepted until somebody solves the problem. */
  get refusal(): string | null {
    if (this.connection.isLost) return "Python is not responding";
    if (this.unsaved.problem !== null) return "answers can't be saved";
    if (this.review !== null && this.review.value === undefined)
      return "this earlier answer is not a label; Esc goes back";
    if (this.review === null && this.isDone) return "nothing is left to label";
    return null;
  }

  /** Whether an answer can be given only after a moment. */
  get isWaiting(): boolean {
    // Only Python knows what follows an undo or a deferral.
    const isAsking = this.review === null && this.outbox.holds("undo", "defer", "exclude", "sheet");
    return isAsking || !this.isReady;
  }

  /** Whether there is an instance to note or flag. */
  get hasInstance(): boolean {
    return !this.connection.isLost && this.isReady && this.shown !== null;
  }

  get canUndo(): boolean {
    const isThere = this.python !== null && (this.python.can_undo || this.isSaving);
    return !this.connection.isLost && this.review === null && isThere;
  }

  get stateName(): PageState {
    if (this.connection.isLost) return "disconnected";
    if (this.python === null || this.isSaving) return "saving";
    if (this.isDone) return "done";
    return this.isWaiting || this.unsaved.problem !== null ? "saving" : "ready";
  }

  takeState(python: State): void {
    this.python = python;
    this.sheet.take(python.sheet);
    if (!this.outbox.holds("note", "flag")) {
      for (const { index, note, flagged } of python.queue) this.setMark(index, { note, flagged });
    }
    this.update();
  }

  /** The instance is on the page: its time starts. */
  painted(): void {
    const { shown } = this;
    if (this.timed === shown) return;
    this.isSheetTimed = false;
    const isSame = this.timed?.index === shown?.index && this.timed?.draw === shown?.draw;
    this.timed = shown;
    if (!isSame) this.stopwatch.restart();
  }

  /** The sheet is on the page: its time starts. */
  sheetPainted(): void {
    if (this.isSheetTimed) return;
    this.isSheetTimed = true;
    this.timed = null;
    this.stopwatch.restart();
  }

  /** Goes to the sheet, or back to single instances. */
  turnSheet(): void {
    if (!this.canTurnSheet) return;
    if (this.sheet.tiles.length === 0) this.connection.send("open_sheet");
    else this.sheet.isLeft = !this.sheet.isLeft;
    this.onChange();
  }

  saveSheet(): void {
    if (!this.canAnswer || !this.isOnSheet) return;
    const answers = this.sheet.answers();
    const { seconds } = this.stopwatch.times();
    this.isSheetTimed = false;
    this.outbox.push({ type: "sheet", answers, seconds }, `${answers.length} on a sheet`);
    this.onChange();
  }

  /** Returns whether the label could be given. */
  label(value: LabelValue, text: string): boolean {
    if (this.isOnSheet) {
      const isGiven = this.canAnswer && this.sheet.label(value);
      if (isGiven) this.onChange();
      return isGiven;
    }
    if (this.review === null) return this.answer({ type: "label", value }, text);
    if (!this.canAnswer) return false;
    this.outbox.push({ type: "change", index: this.review.index, value }, `${this.review.id}: ${text}`);
    this.leaveReview();
    return true;
  }

  /** Gives an answer about the current instance. Returns whether it could be given. */
  answer(about: AboutPresent, text: string | null = null): boolean {
    if (this.isOnSheet) return false;
    if (!this.canAnswer || this.review !== null) return false;
    const { draw, index } = this.queue[0];
    this.earlier.delete(index);
    this.outbox.push({ ...about, draw, ...this.stopwatch.times() }, text, index);
    this.onChange();
    return true;
  }

  /** Goes to an instance of the history. */
  goTo(row: Row): void {
    this.setMark(row.index, { note: row.note, flagged: row.flagged });
    this.review = this.queue[0]?.index === row.index ? null : row;
    if (row.value !== undefined) this.earlier.set(row.index, row.value);
    this.onChange();
  }

  leaveReview(): void {
    if (this.review !== null) this.earlier.delete(this.review.index);
    this.review = null;
    this.onChange();
  }

  flag(): void {
    const { shown } = this;
    if (shown === null || !this.hasInstance) return;
    const flagged = !this.mark.flagged;
    this.setMark(shown.index, { flagged });
    this.outbox.push({ type: "flag", index: shown.index, flagged });
    this.onChange();
  }

  note(index: number, text: string): void {
    this.setMark(index, { note: text });
    this.outbox.push({ type: "note", index, text });
    this.onChange();
  }

  /** Decides which label counts where people differ. */
  adjudicate(index: number, value: LabelValue, text: string): void {
    if (this.connection.isLost) return;
    this.outbox.push({ type: "adjudicate", index, value }, text);
    this.onChange();
  }

  undo(): void {
    if (!this.canUndo) return;
    this.outbox.push({ type: "undo" });
    this.timed = null;
    this.onChange();
  }

  askForInstances(): void {
    const ready = Math.min(READY_AHEAD, Math.max(MIN_READY, READY_BYTES / (this.instances.meanSize || 1)));
    const most = Math.min(MAX_READY, ready + this.outbox.items.length);
    const present = this.isOnSheet ? this.sheet.tiles : this.queue.slice(0, most);
    const coming = [...(this.review === null ? [] : [this.review]), ...present];
    // Labels must not wait long for the rendering of large instances.
    const indices = this.instances.missing(coming, Math.max(1, Math.floor(PATIENCE / this.msEach)));
    if (indices.length === 0) return;
    this.instances.want(indices);
    this.connection.send("instances", { indices });
  }

  close(): void {
    this.outbox.close();
  }

  private update(): void {
    this.queue = (this.python?.queue ?? []).filter(({ draw }) => !this.outbox.draws.has(draw));
  }

  private setMark(index: number, mark: Marks): void {
    const { note, flagged } = { ...this.marks.get(index), ...mark };
    if (note || flagged) this.marks.set(index, { note, flagged });
    else this.marks.delete(index);
  }
}
