// Runs the session's Python, and stores its events before it passes on messages to the page.

import type { FromPython } from "../from_python/messages";
import { type EventStorage, type Kept, type Row, TakenError } from "./event_storage";
import type { FromWorker, Task } from "./lines";

/** `StaticPage` in `activeeval_widgets/app/static_page/in_browser.py`. */
export interface PythonPage {
  open(name: string, kept: string, names: string, problem: string | null, notice: string | null): void;
  receive(message: string, buffers: ArrayBuffer[]): void;
  take(rows: string): void;
  set_problem(problem: string | null): void;
  identity(): string;
  export(): string;
  import_(text: string, names: string): string;
}

type Message = Extract<FromWorker, { kind: "message" }>;

const NOTHING: Kept = { identity: null, rows: [] };
const FULL = "this browser's storage is full: make room, and try again";
const NOT_KEPT = "This browser keeps nothing of this page: save the session as a file before you close it.";
const DEEPEST = 50; // deeper files than those of sessions would break Python
const AT_MOST = 3; // attempts, if another tab is faster

export class SessionWorker {
  private messages: Message[] = []; // not passed on yet
  private rows: Row[] = []; // not stored yet
  private queue: Promise<void> = Promise.resolve();
  private session = "";
  private isBusy = false;
  private python: PythonPage | null = null;

  /** `storage`: null if the browser has none. */
  constructor(
    private readonly storage: EventStorage | null,
    private readonly send: (message: FromWorker, transfer?: Transferable[]) => void,
    private readonly otherTabs: { postMessage(rows: unknown): void },
  ) {}

  async begin(python: PythonPage, session: string): Promise<void> {
    [this.python, this.session, this.isBusy] = [python, session, true];
    await this.open(session);
    await this.settle().catch((error) => this.open(session, whyNot(error))); // stored with the first answer
    this.isBusy = false;
  }

  // What Python calls.

  post(content: string, buffers: ArrayBuffer[]): void {
    this.messages.push({ kind: "message", content: JSON.parse(content), buffers });
    this.hurry();
  }

  onEvent(row: string): void {
    this.rows.push(JSON.parse(row));
    this.hurry();
  }

  // What the page and other tabs ask.

  /** One after the other. */
  do(task: Task): Promise<void> {
    return this.next(async (python) => {
      if (task.kind === "message") await this.message(python, task);
      else if (task.kind === "export") this.send({ kind: "exported", text: python.export() });
      else if (task.kind === "import") await this.import(python, task.text);
    });
  }

  /** Another tab has stored events. */
  take(session: string, rows: Row[]): Promise<void> {
    return this.next(async (python) => {
      if (session !== this.session) return;
      python.take(JSON.stringify(rows));
      await this.settle();
    });
  }

  private next(work: (python: PythonPage) => Promise<void>): Promise<void> {
    this.queue = this.queue.then(async () => {
      this.isBusy = true;
      try {
        if (this.python !== null) await work(this.python);
      } catch (error) {
        this.send({ kind: "refused", text: inWords(error) });
      } finally {
        this.isBusy = false;
      }
    });
    return this.queue;
  }

  /** What Python does by itself, after a while, goes the same way. */
  private hurry(): void {
    if (!this.isBusy && this.python !== null) void this.next(() => this.settle());
  }

  private async message(python: PythonPage, { content, buffers }: Extract<Task, { kind: "message" }>): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      python.receive(JSON.stringify(content), buffers);
      try {
        await this.settle();
        return;
      } catch (error) {
        // Python goes on from what is stored; if another tab was faster, it takes the message anew.
        const isTaken = error instanceof TakenError && attempt < AT_MOST;
        const why = whyNot(error);
        await this.open(this.session, isTaken ? null : why);
        this.pass();
        if (isTaken) continue;
        const { client, seq, type } = content;
        const kept = type === "answers" ? { is_kept: true, n_done: 0 } : {};
        this.send({
          kind: "message",
          content: { error: why, ...kept, client, seq } as unknown as FromPython,
          buffers: [],
        });
        return;
      }
    }
  }

  /** Stores what is new, and then passes on messages to the page. */
  private async settle(): Promise<void> {
    const { rows, python } = this;
    if (rows.length > 0 && python !== null) {
      this.rows = [];
      const { name, identity } = JSON.parse(python.identity());
      await this.storage?.write(name, identity, rows);
      this.otherTabs.postMessage({ session: name, rows });
      if (this.storage !== null) python.set_problem(null);
    }
    this.pass();
  }

  private pass(): void {
    const { messages } = this;
    this.messages = [];
    for (const message of messages) this.send(message, message.buffers);
  }

  private async open(session: string, problem: string | null = null): Promise<void> {
    this.rows = [];
    this.messages = [];
    const names = (await this.storage?.names()) ?? [];
    const kept = (await this.storage?.read(session)) ?? NOTHING;
    const notice = this.storage === null ? NOT_KEPT : null;
    this.python?.open(session, JSON.stringify(kept), JSON.stringify(names), problem, notice);
  }

  private async import(python: PythonPage, text: string): Promise<void> {
    if (this.storage === null) throw new Error("This browser keeps nothing, so it can't open the file.");
    if (depthOf(text) > DEEPEST) throw new Error("This file is not a session: it is nested too deeply.");
    const names = JSON.stringify(await this.storage.names());
    const { name, identity, rows } = JSON.parse(python.import_(text, names)) as Kept & { name: string };
    await this.storage.write(name, identity, rows, true);
    if (name === this.session) await this.open(name);
    this.pass();
    this.send({ kind: "imported", session: name === this.session ? null : name });
  }
}

/** How deeply a JSON text is nested. */
export function depthOf(text: string): number {
  let [depth, deepest] = [0, 0];
  for (const [mark] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[{]|[\]}]/gs)) {
    if (mark === "[" || mark === "{") deepest = Math.max(deepest, ++depth);
    else if (mark === "]" || mark === "}") depth -= 1;
  }
  return deepest;
}

/** Why events could not be stored. */
const whyNot = (error: unknown): string =>
  error instanceof DOMException && error.name === "QuotaExceededError"
    ? FULL
    : `this browser could not store it: ${inWords(error)}`;

/** An error in words; of one in Python, its last line without the type. */
export function inWords(error: unknown): string {
  const lines = (error instanceof Error ? error.message : String(error)).trim().split("\n");
  return lines[lines.length - 1].replace(/^[\w.]*(?:Error|Exception): /, "");
}
