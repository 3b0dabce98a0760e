// Whether answers can be saved. What can't be stays in this page until it can, or until it is written to a new file.

import type { Connection } from "../connection/connection";
import type { Outbox } from "../connection/outbox";
import { remember, remembered } from "../dom/browser_storage";
import { element, setText } from "../dom/element";
import type { FromPython, Saved, StoreState } from "../from_python/messages";

export class UnsavedAnswers {
  readonly banner: HTMLElement;
  readonly notices: HTMLElement;
  private readonly text = element("span");
  private readonly notice = element("span");
  private readonly rescue: HTMLElement;
  private store: StoreState | null = null; // what Python told last
  private readonly seen = new Set<string>(); // notices that were read
  private told: string | null = null; // what came of a rescue, or what is missing

  constructor(
    private readonly connection: Pick<Connection, "send">,
    private readonly outbox: Outbox,
  ) {
    const button = (text: string, onclick: () => void, name: string) =>
      element("button", { type: "button", class: "aew-action", "data-keeping": name, onclick }, text);
    const alert = { class: "aew-banner", role: "alert", hidden: "" };
    this.rescue = button("Save to a new file", () => this.connection.send("save_to_new_file"), "rescue");
    this.banner = element(
      "div",
      { ...alert, "data-aew": "unsaved" },
      this.text,
      button("Try again", () => this.tryAgain(), "try_again"),
      this.rescue,
    );
    this.notices = element(
      "div",
      { ...alert, "data-aew": "notice" },
      this.notice,
      button("OK", () => this.read(), "read_notice"),
    );
  }

  get problem(): string | null {
    return this.outbox.held ?? this.store?.problem ?? null;
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
    if (message.missing) this.told = message.missing;
    if (message.rescued) {
      this.told = message.rescued;
      this.outbox.tryAgain();
    }
  }

  paint(): void {
    const { problem } = this;
    this.banner.hidden = problem === null;
    if (problem !== null) {
      const unsaved = this.outbox.inWords();
      const kept = unsaved ? `Not saved yet, but kept in this page: ${unsaved}. ` : "Answers can't be saved. ";
      setText(this.text, `${kept}${problem[0].toUpperCase()}${problem.slice(1)}.`);
      this.rescue.hidden = !this.store?.can_rescue;
    }
    const unread = (this.store?.notices ?? []).filter((notice) => !this.seen.has(notice));
    this.notices.hidden = this.told === null && unread.length === 0;
    setText(this.notice, this.told ?? unread.join(" "));
  }

  private tryAgain(): void {
    if (this.outbox.isEmpty) this.connection.send("ping");
    else this.outbox.tryAgain();
  }

  private read(): void {
    if (this.told !== null) this.told = null;
    else for (const notice of this.store?.notices ?? []) this.seen.add(notice);
    this.paint();
  }
}
