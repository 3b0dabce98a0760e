// Whether answers can be saved. What can't be stays in this page until it can, or until it is written to a new file.

class Keeping {
  constructor(connection, outbox) {
    this.connection = connection;
    this.outbox = outbox;
    this.store = null; // what Python told last
    this.seen = new Set(); // notices that were read
    this.told = null; // what came of a rescue, or what is missing
    const button = (text, onclick, name) => element("button", { type: "button", class: "aew-action", "data-keeping": name, onclick }, text);
    this.text = element("span");
    this.rescue = button("Save to a new file", () => this.connection.send("save_to_new_file"), "rescue");
    this.banner = element("div", { class: "aew-banner", role: "alert", "data-aew": "unsaved", hidden: "" }, this.text,
      button("Try again", () => this.tryAgain(), "try_again"), this.rescue);
    this.notice = element("span");
    this.notices = element("div", { class: "aew-banner", role: "alert", "data-aew": "notice", hidden: "" }, this.notice,
      button("OK", () => this.read(), "read_notice"));
  }

  get problem() {
    return this.outbox.held ?? this.store?.problem ?? null;
  }

  tryAgain() {
    if (this.outbox.isEmpty) this.connection.send("ping");
    else this.outbox.tryAgain();
  }

  take(message) {
    const store = message.state?.store ?? message.store;
    if (message.config && store?.key) {
      const before = remembered(`aew-saved ${store.key}`, null);
      if (before !== null) this.connection.send("witness", before);
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

  read() {
    if (this.told !== null) this.told = null;
    else for (const notice of this.store.notices) this.seen.add(notice);
    this.paint();
  }

  paint() {
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
}
