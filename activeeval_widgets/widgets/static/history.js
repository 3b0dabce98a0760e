// All answers: find one by what it says or how it was answered, go to it, change it. Python searches; the page
// holds no more than it shows.

const SEARCH_AFTER = 120; // ms without a key
const FILTERS = { wrong: "Model was wrong", flagged: "Flagged", noted: "With a note", changed: "Changed" };

class History {
  // `ask` sends a question to Python; `mayTell` is whether the model's prediction may be shown.
  constructor({ choose, ask, mayTell }) {
    Object.assign(this, { choose, ask, mayTell });
    this.only = new Set();
    this.asked = 0; // the number of the last question: answers to earlier ones are dropped
    this.isSearching = false; // whether what is listed is not what was asked for yet
    this.opensFirst = false; // whether Enter was pressed meanwhile
    this.urls = [];
    this.timer = null;
    this.field = element("input", {
      type: "text", class: "aew-search", "aria-label": "Find in the history", autocomplete: "off", spellcheck: "false",
      placeholder: "Find by content, answer or note; id:12 finds an id", oninput: () => this.searchSoon(),
    });
    this.buttons = Object.fromEntries(Object.entries(FILTERS).map(([name, text]) => [name, element("button", {
      type: "button", class: "aew-action aew-filter", "data-filter": name, "aria-pressed": "false", onclick: () => this.toggle(name),
    }, text)]));
    this.answers = element("select", { "aria-label": "Answer", onchange: () => this.search() });
    this.count = element("p", { class: "aew-hint", role: "status" });
    this.body = element("tbody");
    this.more = element("button", { type: "button", class: "aew-action", hidden: "", onclick: () => this.search(this.body.children.length) }, "Show more");
    this.head = element("tr");
    this.scroller = element("div", { class: "aew-history-rows" },
      element("table", {}, element("thead", {}, this.head), this.body), this.more);
    this.dialog = makeDialog("history", "History",
      element("div", { class: "aew-filters" }, this.field, this.answers, ...Object.values(this.buttons)), this.count, this.scroller);
    this.dialog.addEventListener("keydown", (event) => this.pressed(event));
    this.dialog.addEventListener("close", () => this.forget());
  }

  open() {
    this.field.value = "";
    this.opensFirst = false;
    this.only.clear();
    this.answers.replaceChildren();
    this.paintFilters();
    setText(this.count, "…");
    this.body.replaceChildren();
    this.more.hidden = true;
    this.dialog.showModal();
    this.field.focus();
    this.search();
  }

  toggle(name) {
    if (!this.only.delete(name)) this.only.add(name);
    this.paintFilters();
    this.search();
  }

  paintFilters() {
    for (const [name, button] of Object.entries(this.buttons)) button.setAttribute("aria-pressed", String(this.only.has(name)));
    this.buttons.wrong.hidden = !this.mayTell();
  }

  searchSoon() {
    this.isSearching = true;
    this.opensFirst = false;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.search(), SEARCH_AFTER);
  }

  search(offset = 0) {
    clearTimeout(this.timer);
    this.isSearching = true;
    this.asked += 1;
    this.ask({ query: this.field.value, only: [...this.only], answer: this.answers.value || null, offset,
      shows_prediction: this.mayTell(), asked: this.asked });
  }

  show(content, thumbnails) {
    if (content.asked !== this.asked || !this.dialog.open) return;
    this.isSearching = false;
    const chosen = this.body.contains(document.activeElement) ? document.activeElement.dataset.index : undefined;
    if (content.offset === 0) {
      this.forget();
      this.scroller.scrollTop = 0;
    }
    this.showAnswers(content.answers);
    this.buttons.wrong.hidden = !content.has_wrong;
    const tells = this.mayTell() && content.rows.some(({ prediction }) => prediction);
    if (content.offset === 0) {
      this.tells = tells;
      const columns = ["Instance", "Answer", ...(tells ? ["Model"] : []), "Note", "When"];
      this.head.replaceChildren(...columns.map((text) => element("th", { scope: "col" }, text)));
      this.body.replaceChildren();
    }
    const hadMore = document.activeElement === this.more;
    const rows = content.rows.map((row) => this.rowOf(row, thumbnails));
    this.body.append(...rows);
    const listed = this.body.children.length;
    this.more.hidden = listed >= content.n_found;
    if (hadMore) rows[0]?.querySelector("button").focus();
    setText(this.count, this.told(content, listed));
    // The row that was chosen meanwhile keeps the focus; what Enter was pressed for is the first of these.
    if (chosen !== undefined && content.offset === 0) {
      (this.body.querySelector(`button[data-index="${chosen}"]`) ?? this.field).focus({ preventScroll: true });
    }
    if (this.opensFirst) this.body.querySelector("button")?.click();
    this.opensFirst = false;
  }

  told({ n_found: found, n_rows: all }, listed) {
    if (all === 0) return "No answers yet.";
    if (found === 0) return `None of ${all.toLocaleString("en")} answers match.`;
    const which = found === all ? `${all.toLocaleString("en")} answers` : `${found.toLocaleString("en")} of ${all.toLocaleString("en")} answers`;
    const part = listed < found ? `, the newest ${listed.toLocaleString("en")} shown` : ", newest first";
    return `${which}${part}. ↑ ↓ to choose, Enter to open.`;
  }

  showAnswers(answers) {
    const said = JSON.stringify(answers);
    if (this.answers.dataset.said === said && this.answers.children.length > 0) return;
    const { value } = this.answers;
    this.answers.dataset.said = said;
    this.answers.replaceChildren(element("option", { value: "" }, "Any answer"),
      ...answers.map(([answer, n]) => element("option", { value: answer }, `${answer} (${n.toLocaleString("en")})`)));
    this.answers.value = answers.some(([answer]) => answer === value) ? value : "";
    this.answers.hidden = answers.length < 2;
  }

  rowOf(row, thumbnails) {
    const go = element("button", { type: "button", class: "aew-action aew-go", "data-index": row.index, onclick: () => {
      this.dialog.close();
      this.choose(row);
    } }, ...this.contentOf(row, thumbnails));
    const when = row.time ? new Date(row.time).toLocaleString([], { dateStyle: "short", timeStyle: "short" }) : "";
    const model = row.prediction ? [row.prediction, ...(row.is_wrong === undefined ? []
      : [element("span", { class: row.is_wrong ? "aew-is-wrong" : "aew-is-right" }, row.is_wrong ? " ✗ wrong" : " ✓ right")])] : [];
    const cells = [[go], [`${row.answer}${row.is_changed ? " (changed)" : ""}`], ...(this.tells ? [model] : []),
      [`${row.flagged ? "⚑ flagged " : ""}${row.note ?? ""}`], [when]];
    return element("tr", {}, ...cells.map((cell) => element("td", {}, ...cell)));
  }

  contentOf(row, thumbnails) {
    const id = element("span", { class: "aew-row-id" }, row.id);
    if (row.thumbnail === undefined) return [id, element("span", { class: "aew-row-content", dir: "auto" }, row.content ?? "")];
    const url = URL.createObjectURL(new Blob([thumbnails[row.thumbnail]], { type: row.mime }));
    this.urls.push(url);
    return [id, element("img", { src: url, alt: "", class: row.is_pixelated ? "aew-pixelated" : null })];
  }

  forget() {
    for (const url of this.urls) URL.revokeObjectURL(url);
    this.urls = [];
  }

  pressed(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.target === this.answers) return;
    const buttons = [...this.scroller.querySelectorAll("button:not([hidden])")];
    if (step !== undefined) {
      const at = buttons.indexOf(document.activeElement) + step;
      (buttons[at] ?? (step < 0 ? this.field : buttons.at(-1)))?.focus();
    } else if (event.key === "Enter" && event.target === this.field) {
      if (this.isSearching) this.opensFirst = true;
      else buttons[0]?.click();
    }
    else return;
    event.preventDefault();
  }
}
