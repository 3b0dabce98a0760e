// The list of all answers, to find one by its text or answer and go to it. Python searches; the page has only the
// answers that it shows.

import { type Child, element, setText } from "../dom/element";
import { focusedFrom } from "../dom/surroundings";
import type { AskHistory, HistoryContent, Row } from "../from_python/messages";

type Filter = AskHistory["only"][number];
type Differing = NonNullable<AskHistory["differing"]> | "";

const SEARCH_AFTER = 120; // ms without a key
const FILTERS: [Filter, string][] = [
  ["wrong", "Model was wrong"],
  ["flagged", "Flagged"],
  ["noted", "With a note"],
  ["changed", "Changed"],
];

let lastAsked = 0; // the number of any list's last request: each list uses its own replies only

export interface ListCallbacks {
  choose: (row: Row) => void;
  /** Whether there is a place that shows a chosen answer; true unless given. */
  canChoose?: () => boolean;
  /** Sends a request to Python. */
  ask: (question: AskHistory) => void;
  /** Whether the model's prediction may be shown. */
  mayTell: () => boolean;
}

export class AnswerList {
  readonly parts: HTMLElement[];
  private readonly only = new Set<Filter>();
  private pair: number[] | null = null; // the two chosen of several models
  private wanted: Differing = ""; // labels where two models differ
  private asked = 0; // the number of the last request: replies to others are dropped
  private isOpen = false;
  private keepsPlace = false; // whether the reply is the same list in its current state
  private isSearching = false; // whether the list is not the requested one yet
  private opensFirst = false; // whether Enter was pressed meanwhile
  private tells = false; // whether there is a column of predictions
  private isOfTwo = false; // or one for each of two models
  private urls: string[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly field = element("input", {
    type: "text",
    class: "aew-search",
    "aria-label": "Find in the history",
    autocomplete: "off",
    spellcheck: "false",
    placeholder: "Find by content, answer or note; id:12 finds an id",
    oninput: () => this.searchSoon(),
  });
  private readonly filters = new Map(FILTERS.map(([name, text]) => [name, this.filterButton(name, text)]));
  private readonly answers = element("select", { "aria-label": "Answer", onchange: () => this.search() });
  private readonly differing = element("select", {
    class: "aew-of-two",
    "aria-label": "Where two models differ",
    hidden: "",
    onchange: () => {
      this.wanted = this.differing.value as Differing;
      this.search();
    },
  });
  private readonly count = element("p", { class: "aew-hint", role: "status" });
  private readonly body = element("tbody");
  private readonly more = element(
    "button",
    {
      type: "button",
      class: "aew-action",
      hidden: "",
      onclick: () => this.search(this.body.children.length),
    },
    "Show more",
  );
  private readonly head = element("tr");
  private readonly scroller = element(
    "div",
    { class: "aew-history-rows" },
    element("table", {}, element("thead", {}, this.head), this.body),
    this.more,
  );

  constructor(private readonly callbacks: ListCallbacks) {
    const filters = element(
      "div",
      { class: "aew-filters" },
      ...[this.field, this.answers, this.differing, ...this.filters.values()],
    );
    this.parts = [filters, this.count, this.scroller];
  }

  /** `pair`: only labels where two models differ, these two or, null, the only two; all unless given. */
  open(pair?: number[] | null): void {
    this.isOpen = true;
    this.pair = pair ?? null;
    this.wanted = pair === undefined ? "" : "any";
    this.differing.replaceChildren();
    this.differing.hidden = true;
    this.field.value = "";
    this.opensFirst = false;
    this.only.clear();
    this.answers.replaceChildren();
    this.paintFilters();
    setText(this.count, "…");
    this.body.replaceChildren();
    this.more.hidden = true;
    this.search();
  }

  focus(): void {
    this.field.focus();
  }

  /** Requests the list again, because it may have changed. */
  refresh(): void {
    if (!this.isOpen) return;
    this.search();
    this.keepsPlace = true;
  }

  show(content: HistoryContent, thumbnails: DataView[]): void {
    if (content.asked !== this.asked || !this.isOpen) return;
    this.isSearching = false;
    const activeElement = focusedFrom(this.body);
    const chosen =
      activeElement instanceof HTMLElement && this.body.contains(activeElement)
        ? activeElement.dataset.index
        : undefined;
    const tells = this.callbacks.mayTell() && content.rows.some(({ prediction }) => prediction);
    this.showAnswers(content.answers);
    this.showDiffering(content.differing);
    this.setFilterShown("wrong", content.has_wrong, content.wrong_text);
    if (content.offset === 0) {
      this.forget();
      if (!this.keepsPlace) this.scroller.scrollTop = 0;
      this.keepsPlace = false;
      this.tells = tells;
      const columns = ["Instance", "Answer", ...this.predicted(content), "Note", "When"];
      this.head.replaceChildren(...columns.map((text) => element("th", { scope: "col" }, text)));
      this.body.replaceChildren();
    }
    const hadMore = focusedFrom(this.more) === this.more;
    const rows = content.rows.map((row) => this.rowOf(row, thumbnails));
    this.body.append(...rows);
    const listed = this.body.children.length;
    this.more.hidden = listed >= content.n_found;
    if (hadMore) rows[0]?.querySelector("button")?.focus();
    setText(this.count, countText(content, listed));
    // A row chosen meanwhile keeps the focus; otherwise Enter, if pressed, opens the first of these.
    if (chosen !== undefined && content.offset === 0) {
      const again = this.body.querySelector<HTMLElement>(`button[data-index="${chosen}"]`);
      (again ?? this.field).focus({ preventScroll: true });
    }
    if (this.opensFirst) this.body.querySelector("button")?.click();
    this.opensFirst = false;
  }

  /** Clears the rows. */
  close(): void {
    this.isOpen = false;
    clearTimeout(this.timer);
    this.forget();
  }

  private filterButton(name: Filter, text: string): HTMLButtonElement {
    return element(
      "button",
      {
        type: "button",
        class: "aew-action aew-filter",
        "data-filter": name,
        "aria-pressed": "false",
        onclick: () => this.toggle(name),
      },
      text,
    );
  }

  private toggle(name: Filter): void {
    if (!this.only.delete(name)) this.only.add(name);
    this.paintFilters();
    this.search();
  }

  private setFilterShown(name: Filter, isShown: boolean, text = ""): void {
    const button = this.filters.get(name);
    if (!button) return;
    button.hidden = !isShown;
    if (text !== "") setText(button, text);
  }

  private paintFilters(): void {
    for (const [name, button] of this.filters) button.setAttribute("aria-pressed", String(this.only.has(name)));
    this.setFilterShown("wrong", this.callbacks.mayTell());
  }

  private searchSoon(): void {
    this.isSearching = true;
    this.opensFirst = false;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.search(), SEARCH_AFTER);
  }

  private search(offset = 0): void {
    clearTimeout(this.timer);
    this.isSearching = true;
    this.keepsPlace = false;
    lastAsked += 1;
    this.asked = lastAsked;
    this.callbacks.ask({
      query: this.field.value,
      only: [...this.only],
      answer: this.answers.value || null,
      offset,
      shows_prediction: this.callbacks.mayTell(),
      asked: this.asked,
      differing: this.wanted || null,
      pair: this.pair,
    });
  }

  /** The headings of predictions: one for each of two models. */
  private predicted({ differing, rows }: HistoryContent): string[] {
    this.isOfTwo = this.tells && differing !== null;
    this.scroller.classList.toggle("aew-about-two", this.isOfTwo);
    if (this.isOfTwo && differing) return differing.names;
    if (!this.tells) return [];
    return [rows.some(({ said }) => said) ? "Predictions" : "Prediction"];
  }

  private predictionsOf(row: Row): Child[][] {
    if (!this.tells) return [];
    const said = (row.said ?? []).map(({ text, mark }) => [text, ...markOf(mark)]);
    if (this.isOfTwo) return [said[0] ?? [], said[1] ?? []];
    if (!row.said) return [predictionOf(row)];
    return [row.said.map(({ name }, i) => element("div", { class: "aew-of-one" }, `${name}: `, ...said[i]))];
  }

  private showDiffering(content: HistoryContent["differing"]): void {
    const said = JSON.stringify(content);
    this.differing.hidden = content === null || !this.callbacks.mayTell();
    if (content === null) return;
    if (this.differing.dataset.said === said && this.differing.children.length > 0) return;
    this.differing.dataset.said = said;
    this.differing.replaceChildren(
      element("option", { value: "" }, "Models agree or differ"),
      ...content.choices.map(([name, text, n]) => element("option", { value: name }, `${text} (${written(n)})`)),
    );
    this.differing.value = this.wanted;
    if (this.differing.value !== this.wanted) {
      // No row of the requested list is left.
      this.differing.append(element("option", { value: this.wanted }, "none"));
      this.differing.value = this.wanted;
    }
  }

  private showAnswers(answers: HistoryContent["answers"]): void {
    const said = JSON.stringify(answers);
    if (this.answers.dataset.said === said && this.answers.children.length > 0) return;
    const { value } = this.answers;
    this.answers.dataset.said = said;
    this.answers.replaceChildren(
      element("option", { value: "" }, "Any answer"),
      ...answers.map(([answer, n]) => element("option", { value: answer }, `${answer} (${written(n)})`)),
    );
    this.answers.value = answers.some(([answer]) => answer === value) ? value : "";
    this.answers.hidden = answers.length < 2;
  }

  private rowOf(row: Row, thumbnails: DataView[]): HTMLElement {
    const choose = () => this.callbacks.choose(row);
    const disabled = this.callbacks.canChoose?.() === false ? "" : null;
    const go = element(
      "button",
      { type: "button", class: "aew-action aew-go", "data-index": row.index, disabled, onclick: choose },
      ...this.contentOf(row, thumbnails),
    );
    const when = row.time ? new Date(row.time).toLocaleString([], { dateStyle: "short", timeStyle: "short" }) : "";
    const cells: Child[][] = [
      [go],
      [`${row.answer}${row.is_changed ? " (changed)" : ""}`],
      ...this.predictionsOf(row),
      [`${row.flagged ? "⚑ flagged " : ""}${row.note ?? ""}`],
      [when],
    ];
    return element("tr", {}, ...cells.map((cell) => element("td", {}, ...cell)));
  }

  private contentOf(row: Row, thumbnails: DataView[]): Child[] {
    const id = element("span", { class: "aew-row-id" }, row.id);
    if (row.thumbnail === undefined) {
      return [id, element("span", { class: "aew-row-content", dir: "auto" }, row.content ?? "")];
    }
    const url = URL.createObjectURL(new Blob([thumbnails[row.thumbnail] as BlobPart], { type: row.mime }));
    this.urls.push(url);
    return [id, element("img", { src: url, alt: "", class: row.is_pixelated ? "aew-pixelated" : null })];
  }

  private forget(): void {
    for (const url of this.urls) URL.revokeObjectURL(url);
    this.urls = [];
  }

  /** Arrows choose a row, and Enter the first. Returns whether it was such a key. */
  press(event: KeyboardEvent): boolean {
    if (event.target === this.answers || event.target === this.differing) return false;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const buttons = [...this.scroller.querySelectorAll<HTMLButtonElement>("button:not([hidden])")];
    if (step !== undefined) {
      const at = (buttons as Element[]).indexOf(focusedFrom(this.field) ?? this.field) + step;
      (buttons[at] ?? (step < 0 ? this.field : buttons.at(-1)))?.focus();
    } else if (event.key === "Enter" && event.target === this.field) {
      if (this.isSearching) this.opensFirst = true;
      else buttons[0]?.click();
    } else return false;
    event.preventDefault();
    return true;
  }
}

const written = (n: number): string => n.toLocaleString("en");

/** The number of answers, and how many are listed. */
export function countText({ n_found, n_rows }: Pick<HistoryContent, "n_found" | "n_rows">, listed: number): string {
  if (n_rows === 0) return "No answers yet.";
  if (n_found === 0) return `None of ${written(n_rows)} answers match.`;
  const which = n_found === n_rows ? `${written(n_rows)} answers` : `${written(n_found)} of ${written(n_rows)} answers`;
  const part = listed < n_found ? `, the newest ${written(listed)} shown` : ", newest first";
  return `${which}${part}. ↑ ↓ to choose, Enter to open.`;
}

function markOf(mark: NonNullable<Row["said"]>[number]["mark"]): Child[] {
  if (mark === "") return [];
  const sign = mark === "wrong" ? "✗" : "✓";
  return [" ", element("span", { class: mark === "wrong" ? "aew-is-wrong" : "aew-is-right" }, `${sign} ${mark}`)];
}

function predictionOf({ prediction, is_wrong }: Row): Child[] {
  if (!prediction) return [];
  if (is_wrong === undefined) return [prediction];
  return [prediction, ...markOf(is_wrong ? "wrong" : "right")];
}
