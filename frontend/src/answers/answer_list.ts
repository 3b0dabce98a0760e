// The list of all answers, to find one by its text or answer and go to it. Python searches; the page has only the
// answers that it shows.

import { element, optionsOf, rebuild, setText } from "../dom/element";
import { focusedFrom } from "../dom/surroundings";
import type { AskHistory, HistoryContent, Row } from "../from_python/messages";
import { countedText, countText } from "../text/numbers";
import { AnswerTable } from "./answer_table";

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
  showsResults: () => boolean;
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
  private readonly table: AnswerTable;

  constructor(private readonly callbacks: ListCallbacks) {
    this.table = new AnswerTable({
      choose: callbacks.choose,
      canChoose: () => callbacks.canChoose?.() !== false,
      askForMore: (nListed) => this.search(nListed),
    });
    const filters = [this.field, this.answers, this.differing, ...this.filters.values()];
    this.parts = [element("div", { class: "aew-filters" }, ...filters), this.count, this.table.node];
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
    this.table.clear();
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
    const chosen = this.table.focusedIndex;
    this.showAnswers(content.answers);
    this.showDiffering(content.differing);
    this.setFilterShown("wrong", content.has_wrong, content.wrong_text);
    if (content.offset === 0) {
      if (!this.keepsPlace) this.table.node.scrollTop = 0;
      this.keepsPlace = false;
    }
    this.table.show(content, thumbnails, this.callbacks.showsResults());
    setText(this.count, summaryText(content, this.table.nListed));
    // A row chosen meanwhile keeps the focus; otherwise Enter, if pressed, opens the first of these.
    if (chosen !== undefined && content.offset === 0) {
      (this.table.buttonOf(chosen) ?? this.field).focus({ preventScroll: true });
    }
    if (this.opensFirst) this.table.buttons[0]?.click();
    this.opensFirst = false;
  }

  /** Clears the rows. */
  close(): void {
    this.isOpen = false;
    clearTimeout(this.timer);
    this.table.clear();
  }

  private filterButton(name: Filter, text: string): HTMLButtonElement {
    return element(
      "button",
      {
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
    this.setFilterShown("wrong", this.callbacks.showsResults());
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
      shows_prediction: this.callbacks.showsResults(),
      asked: this.asked,
      differing: this.wanted || null,
      pair: this.pair,
    });
  }

  private showDiffering(content: HistoryContent["differing"]): void {
    this.differing.hidden = content === null || !this.callbacks.showsResults();
    if (content === null) return;
    const choices = () => content.choices.map(([name, text, n]) => [name, `${text} (${countText(n)})`] as const);
    if (!rebuild(this.differing, content, () => optionsOf([["", "Models agree or differ"], ...choices()]))) return;
    this.differing.value = this.wanted;
    if (this.differing.value === this.wanted) return;
    this.differing.append(...optionsOf([[this.wanted, "none"]])); // no row of the requested list is left
    this.differing.value = this.wanted;
  }

  private showAnswers(answers: HistoryContent["answers"]): void {
    const { value } = this.answers;
    const choices = () => answers.map(([answer, n]) => [answer, `${answer} (${countText(n)})`] as const);
    if (!rebuild(this.answers, answers, () => optionsOf([["", "Any answer"], ...choices()]))) return;
    this.answers.value = answers.some(([answer]) => answer === value) ? value : "";
    this.answers.hidden = answers.length < 2;
  }

  /** Arrows choose a row, and Enter the first. Returns whether it was such a key. */
  press(event: KeyboardEvent): boolean {
    if (event.target === this.answers || event.target === this.differing) return false;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const { buttons } = this.table;
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

/** The number of answers, and how many are listed. */
export function summaryText({ n_found, n_rows }: Pick<HistoryContent, "n_found" | "n_rows">, listed: number): string {
  if (n_rows === 0) return "No answers yet.";
  if (n_found === 0) return `None of ${countedText(n_rows, "answer")} matches.`;
  const all = countedText(n_rows, "answer");
  const which = n_found === n_rows ? all : `${countText(n_found)} of ${all}`;
  const part = listed < n_found ? `, the newest ${countText(listed)} shown` : ", newest first";
  return `${which}${part}. ↑ ↓ to choose, Enter to open.`;
}
