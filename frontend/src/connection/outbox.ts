// Answers that were given here and that Python has not confirmed. They go out in order, those that were given
// while Python was busy as one message: so the fingers may be faster than the disk, and what is asked meanwhile
// (the next instances) has to wait for one message at most.

import { remember, remembered } from "../dom/browser_storage";
import type { Answers, FromPython } from "../from_python/messages";
import type { Connection } from "./connection";

export const PATIENCE = 250; // ms that what is asked meanwhile may have to wait for one message of answers
const MOST_AT_ONCE = 64;
const SPARE = 48; // how many instances are known to come, beyond those answered

/** One of the answers that a person can give. */
export type Answer = { [K in keyof Answers]: { type: K } & Answers[K] }[keyof Answers];

interface Item {
  message: Answer;
  text: string | null; // what it says in words
  index?: number; // the instance of an answer about a draw
}

const drawOf = (message: Answer): number | undefined => ("draw" in message ? message.draw : undefined);

export class Outbox {
  readonly items: Item[] = [];
  /** Why Python could not save the first of them: they wait here. */
  held: string | null = null;
  /** The draws that are answered here, and not yet there. */
  draws = new Set<number>();
  private storage: string | null = null; // where this tab keeps what is not confirmed
  private inFlight: { seq: number; n: number } | null = null;
  private msEach = PATIENCE / 4; // that Python took for an answer, the last time

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

  /** Send again what this tab had not heard of before it was loaded anew; from now on, keep what is not confirmed. */
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
   * Python has answered a message. What came after a refused answer was meant for an instance that is not the
   * present one: it would be refused, too. What could not be saved is kept here. After an answer that another tab
   * was faster with, the others count, but nothing is undone: that was meant for what did not happen.
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

  // A page that is left sends what it has.
  private readonly leave = (): void => {
    const nSent = this.inFlight?.n ?? 0;
    if (this.held === null && this.items.length > nSent) this.send(this.items.slice(nSent));
  };

  private flush(): void {
    if (this.inFlight !== null || this.held !== null || this.isEmpty) return;
    const batch = this.items.slice(0, Math.min(MOST_AT_ONCE, Math.max(1, Math.floor(PATIENCE / this.msEach))));
    this.inFlight = { seq: this.send(batch), n: batch.length };
  }

  private send(items: Item[]): number {
    return this.connection.send("answers", {
      answers: items.map(({ message }) => message),
      ahead: this.items.length + SPARE,
    });
  }

  // Answers about draws alone: Python knows of each draw whether it has its answer. What was taken back is none.
  private keep(): void {
    if (this.storage === null) return;
    const kept: Item[] = [];
    for (const item of this.items) {
      if (item.message.type === "undo") kept.pop();
      else if (item.index !== undefined) kept.push(item);
    }
    remember(this.storage, kept, "sessionStorage");
  }

  private changed(): void {
    this.keep();
    this.draws = new Set(this.items.map(({ message }) => drawOf(message)).filter((draw) => draw !== undefined));
    this.onChange();
  }
}
