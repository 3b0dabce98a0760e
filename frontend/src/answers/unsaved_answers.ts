// Whether answers can be saved. Unsaved ones stay in this page until they can, or until they are written to a new file.

import type { Connection } from "../connection/connection";
import type { Outbox } from "../connection/outbox";
import { remember, remembered } from "../dom/browser_storage";
import type { FromPython, Saved, StoreState } from "../from_python/messages";

export class UnsavedAnswers {
  private store: StoreState | null = null; // the last state from Python
  private readonly seen = new Set<string>(); // notices that were read
  private ownNotice: string | null = null; // the result of a rescue, or what is missing

  constructor(
    private readonly connection: Pick<Connection, "send">,
    private readonly outbox: Outbox,
  ) {}

  get problem(): string | null {
    return this.outbox.held ?? this.store?.problem ?? null;
  }

  /** What can't be saved, and why, in words. */
  get text(): string | null {
    const { problem } = this;
    if (problem === null) return null;
    const unsaved = this.outbox.inWords();
    const kept = unsaved ? `Not saved yet, but kept in this page: ${unsaved}. ` : "Answers can't be saved. ";
    return `${kept}${problem[0].toUpperCase()}${problem.slice(1)}.`;
  }

  /** The notices to read, in words. */
  get notice(): string | null {
    const unread = (this.store?.notices ?? []).filter((notice) => !this.seen.has(notice));
    return this.ownNotice ?? (unread.length > 0 ? unread.join(" ") : null);
  }

  get canRescue(): boolean {
    return this.store?.can_rescue === true;
  }

  take(message: FromPython): void {
    const store = message.state?.store ?? message.store;
    if (message.config && store?.key) {
      const before = remembered<Saved | null>(`aew-saved ${store.key}`, null);
      if (before !== null) this.connection.send("witness", before);
      this.outbox.restore(store.key);
    }
    if (store) {
      this.store = store;
      if (store.key) remember(`aew-saved ${store.key}`, store.saved);
    }
    if (message.missing) this.ownNotice = message.missing;
    if (message.rescued) {
      this.ownNotice = message.rescued;
      this.outbox.tryAgain();
    }
  }

  rescue(): void {
    this.connection.send("save_to_new_file");
  }

  tryAgain(): void {
    if (this.outbox.isEmpty) this.connection.send("ping");
    else this.outbox.tryAgain();
  }

  /** The notice was read. */
  read(): void {
    if (this.ownNotice !== null) this.ownNotice = null;
    else for (const notice of this.store?.notices ?? []) this.seen.add(notice);
  }
}
