import { describe, expect, it } from "vitest";
import type { EventStorage, Kept, Row } from "../src/static_page/event_storage";
import { TakenError } from "../src/static_page/event_storage";
import type { FromWorker } from "../src/static_page/lines";
import { depthOf, inWords, type PythonPage, SessionWorker } from "../src/static_page/session_worker";

/** Storage that fails when it is told to. */
class FakeStorage {
  readonly kept = new Map<string, Kept>();
  failures: unknown[] = [];

  async names(): Promise<string[]> {
    return [...this.kept.keys()];
  }

  async read(session: string): Promise<Kept> {
    return structuredClone(this.kept.get(session) ?? { identity: null, rows: [] });
  }

  async write(session: string, identity: unknown, rows: Row[], replaces = false): Promise<void> {
    await Promise.resolve();
    if (this.failures.length > 0) throw this.failures.shift();
    const before = replaces ? [] : (this.kept.get(session)?.rows ?? []);
    this.kept.set(session, { identity, rows: [...before, ...rows] });
  }
}

/** A session's Python: each message is an event, and is answered with the number of events. */
class FakePython implements PythonPage {
  worker: SessionWorker | null = null;
  n = 0;
  problem: string | null = null;

  open(_name: string, kept: string, _names: string, problem: string | null): void {
    this.n = JSON.parse(kept).rows.length;
    this.problem = problem;
    this.worker?.post(JSON.stringify({ opened: this.n, problem }), []);
  }

  receive(message: string): void {
    this.n += 1;
    this.worker?.onEvent(JSON.stringify({ seq: this.n, text: message, hash: "" }));
    const { client, seq } = JSON.parse(message);
    this.worker?.post(JSON.stringify({ client, seq, n: this.n }), []);
  }

  take(rows: string): void {
    this.n += JSON.parse(rows).length;
  }

  set_problem(problem: string | null): void {
    this.problem = problem;
  }

  identity(): string {
    return JSON.stringify({ name: "a", identity: { seed: "0" } });
  }

  export(): string {
    throw new Error("Traceback:\n  File x\nValueError: no contents");
  }

  import_(text: string): string {
    return JSON.stringify({ name: text, identity: {}, rows: [{ seq: 1, text: "", hash: "" }] });
  }
}

async function begun(): Promise<{
  worker: SessionWorker;
  storage: FakeStorage;
  toPage: FromWorker[];
  toTabs: unknown[];
  python: FakePython;
}> {
  const [storage, toPage, toTabs, python] = [new FakeStorage(), [] as FromWorker[], [] as unknown[], new FakePython()];
  const worker = new SessionWorker(storage as unknown as EventStorage, (each) => toPage.push(each), {
    postMessage: (rows) => toTabs.push(rows),
  });
  python.worker = worker;
  await worker.begin(python, "a");
  toPage.length = 0;
  return { worker, storage, toPage, toTabs, python };
}

const label = (seq: number) => ({
  kind: "message" as const,
  content: { type: "answers", client: "c", seq },
  buffers: [],
});
const contents = (toPage: FromWorker[]) => toPage.map((each) => ("content" in each ? each.content : each));
const isFull = () => new DOMException("no room", "QuotaExceededError");

describe("the worker of a page without a server", () => {
  it("confirms nothing before it is stored", async () => {
    const { worker, storage, toPage, toTabs } = await begun();
    const given = worker.do(label(1));
    expect(toPage).toEqual([]);
    await given;
    expect(storage.kept.get("a")?.rows).toHaveLength(1);
    expect(contents(toPage)).toEqual([{ client: "c", seq: 1, n: 1 }]);
    expect(toTabs).toEqual([{ session: "a", rows: [expect.objectContaining({ seq: 1 })] }]);
  });

  it("goes back to what is stored where the storage is full, and keeps the answer in the page", async () => {
    const { worker, storage, toPage, python } = await begun();
    await worker.do(label(1));
    toPage.length = 0;
    storage.failures = [isFull()];
    await worker.do(label(2));
    expect(python.n).toBe(1);
    const why = expect.stringContaining("storage is full");
    expect(contents(toPage)).toEqual([
      { opened: 1, problem: why },
      { error: why, is_kept: true, n_done: 0, client: "c", seq: 2 },
    ]);
    await worker.do(label(3));
    expect(contents(toPage).at(-1)).toEqual({ client: "c", seq: 3, n: 2 });
    expect(python.problem).toBeNull();
  });

  it("keeps no message in the page but answers", async () => {
    const { worker, storage, toPage } = await begun();
    storage.failures = [new Error("closed")];
    await worker.do({ kind: "message", content: { type: "goal", client: "c", seq: 1 }, buffers: [] });
    expect(contents(toPage).at(-1)).toEqual({ error: "this browser could not store it: closed", client: "c", seq: 1 });
  });

  it("takes an answer anew where another tab was faster", async () => {
    const { worker, storage, toPage, python } = await begun();
    storage.kept.set("a", { identity: {}, rows: [{ seq: 1, text: "", hash: "" }] });
    storage.failures = [new TakenError("seq")];
    await worker.do(label(1));
    expect(python.n).toBe(2);
    expect(contents(toPage)).toEqual([
      { opened: 1, problem: null },
      { client: "c", seq: 1, n: 2 },
    ]);
  });

  it("hears of another tab's events", async () => {
    const { worker, python } = await begun();
    await worker.take("b", [{ seq: 1, text: "", hash: "" }]);
    expect(python.n).toBe(0);
    await worker.take("a", [{ seq: 1, text: "", hash: "" }]);
    expect(python.n).toBe(1);
  });

  it("opens a file as this session or as another one, and says why it can't be written", async () => {
    const { worker, storage, toPage, python } = await begun();
    await worker.do({ kind: "import", text: "a" });
    expect(python.n).toBe(1);
    await worker.do({ kind: "import", text: "a-2" });
    expect(storage.kept.get("a-2")?.rows).toHaveLength(1);
    await worker.do({ kind: "export" });
    expect(toPage.slice(1)).toEqual([
      { kind: "imported", session: null },
      { kind: "imported", session: "a-2" },
      { kind: "refused", text: "no contents" },
    ]);
  });

  it("begins where the storage is full, and says so", async () => {
    const storage = new FakeStorage();
    const python = new FakePython();
    const toPage: FromWorker[] = [];
    const worker = new SessionWorker(storage as unknown as EventStorage, (each) => toPage.push(each), {
      postMessage() {},
    });
    python.worker = worker;
    python.open = (_name, _kept, _names, problem) => {
      python.problem = problem;
      worker.onEvent(JSON.stringify({ seq: 1, text: "draw", hash: "" }));
    };
    storage.failures = [isFull()];
    await worker.begin(python, "a");
    expect(python.problem).toContain("storage is full");
    python.n = 1;
    await worker.do(label(1));
    expect(storage.kept.get("a")?.rows.map(({ seq }) => seq)).toEqual([1, 2]);
    expect(python.problem).toBeNull();
  });

  it("refuses a file that is nested too deeply, which would break Python", async () => {
    const { worker, toPage } = await begun();
    await worker.do({ kind: "import", text: "[".repeat(5000) });
    expect(toPage).toEqual([{ kind: "refused", text: "This file is not a session: it is nested too deeply." }]);
    expect(depthOf('{"a": "[[\\"[", "b": [{}]}')).toBe(3);
  });

  it("says an error of Python in words", () => {
    expect(inWords("activeeval_widgets.errors.StoreError: it is damaged\n")).toBe("it is damaged");
  });
});
