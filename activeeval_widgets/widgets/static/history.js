// All answers in a table: find one, go to it, change it.

const MOST_LISTED = 200;

class History {
  constructor(choose) {
    this.choose = choose;
    this.rows = [];
    this.nRows = 0;
    this.field = element("input", {
      type: "text", class: "aew-search", "aria-label": "Find in the history", autocomplete: "off", spellcheck: "false",
      placeholder: "Find by id, label or note; or: flagged, changed", oninput: () => this.list(),
    });
    this.count = element("p", { class: "aew-hint", role: "status" });
    this.body = element("tbody");
    const head = ["Draw", "Instance", "Answer", "When", "Note"].map((text) => element("th", { scope: "col" }, text));
    this.dialog = makeDialog("history", "History", this.field, this.count,
      element("div", { class: "aew-history-rows" }, element("table", {}, element("thead", {}, element("tr", {}, ...head)), this.body)));
    this.dialog.addEventListener("keydown", (event) => this.pressed(event));
  }

  open() {
    this.field.value = "";
    this.show({ rows: [], n_rows: 0 });
    setText(this.count, "…");
    this.dialog.showModal();
    this.field.focus();
  }

  show({ rows, n_rows: nRows }) {
    this.rows = rows.map((row) => ({ ...row, words: folded([
      row.id, row.answer, row.note ?? "", row.flagged ? "flagged" : "", row.is_changed ? "changed" : "", `draw ${row.draw ?? ""}`,
    ].join(" ")) }));
    this.nRows = nRows;
    this.list();
  }

  list() {
    const parts = folded(this.field.value).split(/\s+/).filter(Boolean);
    const found = this.rows.filter(({ words }) => parts.every((part) => words.includes(part)));
    this.body.replaceChildren(...found.slice(0, MOST_LISTED).map((row) => this.rowOf(row)));
    const listed = Math.min(found.length, MOST_LISTED);
    setText(this.count, this.nRows === 0 ? "No answers yet."
      : `${listed} of ${this.nRows} listed, the latest first. ↑ ↓ choose, Enter goes there.`);
  }

  rowOf(row) {
    const go = element("button", { type: "button", class: "aew-action aew-go", "data-index": row.index, onclick: () => {
      this.dialog.close();
      this.choose(row);
    } }, row.id);
    const when = row.time ? new Date(row.time).toLocaleString([], { dateStyle: "short", timeStyle: "short" }) : "";
    const cells = [String(row.draw ?? ""), go, `${row.answer}${row.is_changed ? " (changed)" : ""}`, when,
      `${row.flagged ? "⚑ flagged " : ""}${row.note ?? ""}`];
    return element("tr", {}, ...cells.map((cell) => element("td", {}, cell)));
  }

  pressed(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const buttons = [...this.body.querySelectorAll("button")];
    if (step !== undefined) {
      const at = buttons.indexOf(document.activeElement) + step;
      (buttons[at] ?? (step < 0 ? this.field : buttons.at(-1)))?.focus();
    } else if (event.key === "Enter" && event.target === this.field) buttons[0]?.click();
    else return;
    event.preventDefault();
  }
}
