// The sessions of a page in the browser's storage (IndexedDB): written before the page is told of anything in them.

/** An event as it is stored: its number in the session, its JSON, and its hash over those before. */
export interface Row {
  seq: number;
  text: string;
  hash: string;
}

/** A session as it is stored; a new one has no identity yet. */
export interface Kept {
  identity: unknown;
  rows: Row[];
}

/** Another tab has stored an event of the same number. */
export class TakenError extends Error {}

const done = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

export class EventStorage {
  private constructor(private readonly database: IDBDatabase) {}

  static async open(name: string): Promise<EventStorage> {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore("sessions", { keyPath: "name" });
      request.result.createObjectStore("events", { keyPath: ["session", "seq"] });
    };
    return new EventStorage(await done(request));
  }

  async names(): Promise<string[]> {
    return (await done(this.database.transaction("sessions").objectStore("sessions").getAllKeys())) as string[];
  }

  async read(session: string): Promise<Kept> {
    const transaction = this.database.transaction(["sessions", "events"]);
    const [about, rows] = await Promise.all([
      done(transaction.objectStore("sessions").get(session)),
      done(transaction.objectStore("events").getAll(IDBKeyRange.bound([session], [session, []]))),
    ]);
    return { identity: about?.identity ?? null, rows };
  }

  /** Returns once the events are on the disk: all, or none. `replaces`: in the place of what is there. */
  write(session: string, identity: unknown, rows: Row[], replaces = false): Promise<void> {
    const transaction = this.database.transaction(["sessions", "events"], "readwrite", { durability: "strict" });
    const events = transaction.objectStore("events");
    if (replaces) events.delete(IDBKeyRange.bound([session], [session, []]));
    transaction.objectStore("sessions").put({ name: session, identity });
    for (const row of rows) events.add({ ...row, session });
    return new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => {
        const { error } = transaction;
        reject(error?.name === "ConstraintError" ? new TakenError(error.message) : error);
      };
    });
  }
}
