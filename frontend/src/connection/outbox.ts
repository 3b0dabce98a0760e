// Answers given here that Python has not confirmed. They are sent in order, those given while Python was busy as one
// message, so that a person may be faster than the disk, and other requests (the next instances) wait for one
// message at most.

import { remember, remembered } from "../dom/browser_storage";
import type { Answers, FromPython } from "../from_python/messages";
import type { Connection } from "./connection";

export const PATIENCE = 250; // ms that other requests may have to wait for one message of answers
const MAX_AT_ONCE = 64;
const SPARE = 48; // instances that are known to come, beyond the answered ones

/** One of the answers that a person can give. */
export type Answer = { [K in keyof Answers]: { type: K } & Answers[K] }[keyof Answers];

interface Item {
  message: Answer;
  text: string | null; // the answer in words
  index?: number; // the instance of an answer about a draw
}

const drawOf = (message: Answer): number | undefined => ("draw" in message ? message.draw : undefined);

export class Outbox {
  readonly items: Item[] = [];
  /** Why Python could not save the first of them: they wait here. */
  held: string | null = null;
  /** The draws answered here, but not there yet. */
  draws = new Set<number>();
  private storage: string | null = null; // where this tab stores unconfirmed answers
  private inFlight: { seq: number; n: number } | null = null;
  private msEach = PATIENCE / 4; // that Python took for the last answer

  constructor(
    private readonly connection: Pick<Connection, "send">,
    private readonly onChange: () => void,
  ) {
    window.addEventListener("pagehide", this.leave);
  }

  get isEmpty(): boolean {
    return this.items.length === 0;
  }

  holds(...types: Answer["type"][]): boolean {
    return this.items.some(({ message }) => types.includes(message.type));
  }

  push(message: Answer, text: string | null = null, index?: number): void {
    this.items.push({ message, text, index });
    this.changed();
    this.flush();
  }

  /** Sends again what was unconfirmed before this tab was reloaded; from now on, stores unconfirmed answers. */
  restore(session: string): void {
    if (this.storage !== null) return;
    this.storage = `aew-unconfirmed ${session}`;
    const kept = remembered<Item[]>(this.storage, [], "sessionStorage");
    const resent = kept.map((item) => ({ ...item, message: { ...item.message, resent_for: item.index } }) as Item);
    this.items.unshift(...resent);
    if (kept.length === 0) return;
    this.changed();
    this.flush();
  }

  /**
   * Python has replied to a message. Answers after a refused one were meant for an instance that is not the
   * current one, so they would be refused, too. Unsaved answers are kept here. If another tab answered first,
   * the others count, but undos are dropped, because they were meant for an answer that did not count.
   */
  settle({ seq, error, is_kept, n_done, stale, ms_each }: FromPython): void {
    if (this.inFlight === null || this.inFlight.seq !== seq) return;
    if (ms_each !== undefined && ms_each > 0) this.msEach = ms_each;
    this.held = is_kept ? (error ?? null) : null;
    this.items.splice(0, is_kept ? n_done : error ? this.items.length : this.inFlight.n);
    this.inFlight = null;
    const undo = this.items.findIndex(({ message }) => message.type === "undo");
    if (stale && undo >= 0) this.items.splice(undo);
    this.changed();
    this.flush();
  }

  tryAgain(): void {
    this.held = null;
    this.changed();
    this.flush();
  }

  inWords(): string {
    const about = (draw: number | undefined) => (draw === undefined ? "" : ` (draw ${draw})`);
    return this.items
      .filter(({ text }) => text !== null)
      .map(({ text, message }) => text + about(drawOf(message)))
      .join(", ");
  }

  close(): void {
    window.removeEventListener("pagehide", this.leave);
  }

  // When the page is left, it sends what it has.
  private readonly leave = (): void => {
    const nSent = this.inFlight?.n ?? 0;
    if (this.held === null && this.items.length > nSent) this.send(this.items.slice(nSent));
  };

  private flush(): void {
    if (this.inFlight !== null || this.held !== null || this.isEmpty) return;
    const batch = this.items.slice(0, Math.min(MAX_AT_ONCE, Math.max(1, Math.floor(PATIENCE / this.msEach))));
    this.inFlight = { seq: this.send(batch), n: batch.length };
  }

  private send(items: Item[]): number {
    return this.connection.send("answers", {
      answers: items.map(({ message }) => message),
      ahead: this.items.length + SPARE,
    });
  }

  /** Whether the answers in words are sent again after a reload. The browser may store nothing. */
  get outlastsReload(): boolean {
    if (this.storage === null) return false;
    const kept = this.kept();
    const isStored = remembered<Item[]>(this.storage, [], "sessionStorage").length === kept.length;
    return isStored && this.items.every((item) => item.text === null || kept.includes(item));
  }

  // Only answers about draws: Python knows for each draw whether it has an answer. Undone ones are left out.
  private kept(): Item[] {
    const kept: Item[] = [];
    for (const item of this.items) {
      if (item.message.type === "undo") kept.pop();
      else if (item.index !== undefined) kept.push(item);
    }
    return kept;
  }

  private keep(): void {
    if (this.storage !== null) remember(this.storage, this.kept(), "sessionStorage");
  }

  private changed(): void {
    this.keep();
    this.draws = new Set(this.items.map(({ message }) => drawOf(message)).filter((draw) => draw !== undefined));
    this.onChange();
  }
}
