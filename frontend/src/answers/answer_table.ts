// The rows of answers: instance, answer, predictions, note and time.

import { type Child, element } from "../dom/element";
import { focusedFrom } from "../dom/surroundings";
import { headOf } from "../dom/table";
import type { HistoryContent, Row } from "../from_python/messages";
import { Thumbnails } from "./thumbnails";

interface Callbacks {
  choose: (row: Row) => void;
  canChoose: () => boolean;
  /** Requests the rows after those that are listed. */
  askForMore: (nListed: number) => void;
}

/** Which predictions are shown: none, all in one column, or two models' side by side. */
type Predictions = "none" | "one" | "two";

export class AnswerTable {
  private predictions: Predictions = "none";
  private longestId = 0; // in characters
  private readonly thumbnails = new Thumbnails();
  private readonly head = element("thead");
  private readonly body = element("tbody");
  private readonly more: HTMLButtonElement;
  readonly node: HTMLElement;

  constructor(private readonly callbacks: Callbacks) {
    const onclick = () => callbacks.askForMore(this.nListed);
    this.more = element("button", { class: "aew-action", hidden: "", onclick }, "Show more");
    this.node = element("div", { class: "aew-history-rows" }, element("table", {}, this.head, this.body), this.more);
  }

  get nListed(): number {
    return this.body.children.length;
  }

  /** The buttons that open the rows, and the one for more of these. */
  get buttons(): HTMLButtonElement[] {
    return [...this.node.querySelectorAll<HTMLButtonElement>("button:not([hidden])")];
  }

  /** The index of the instance whose row has the focus. */
  get focusedIndex(): string | undefined {
    const focused = focusedFrom(this.body);
    return focused instanceof HTMLElement && this.body.contains(focused) ? focused.dataset.index : undefined;
  }

  buttonOf(index: string): HTMLElement | null {
    return this.body.querySelector<HTMLElement>(`button[data-index="${index}"]`);
  }

  clear(): void {
    this.longestId = 0;
    this.thumbnails.forget();
    this.body.replaceChildren();
    this.more.hidden = true;
  }

  /** Shows rows, after those that are listed if they continue them. `showsPredictions`: whether predictions may be shown. */
  show(content: HistoryContent, thumbnails: DataView[], showsPredictions: boolean): void {
    if (content.offset === 0) this.begin(content, showsPredictions);
    const hadMore = focusedFrom(this.more) === this.more;
    const rows = content.rows.map((row) => this.rowOf(row, thumbnails));
    this.body.append(...rows);
    // What follows the ids is aligned, however long each of them is.
    this.longestId = Math.max(this.longestId, ...content.rows.map(({ id }) => id.length));
    this.node.style.setProperty("--aew-longest-id", `${this.longestId}ch`);
    this.more.hidden = this.nListed >= content.n_found;
    if (hadMore) rows[0]?.querySelector("button")?.focus();
  }

  private begin({ rows, differing }: HistoryContent, showsPredictions: boolean): void {
    this.clear();
    const hasPredictions = showsPredictions && rows.some(({ prediction }) => prediction);
    this.predictions = !hasPredictions ? "none" : differing === null ? "one" : "two";
    this.node.classList.toggle("aew-about-two", this.predictions === "two");
    const heads = {
      none: [],
      one: [rows.some(({ predictions }) => predictions) ? "Predictions" : "Prediction"],
      two: differing?.names ?? [],
    };
    const columns = ["Instance", "Answer", ...heads[this.predictions], "Note", "When"];
    this.head.replaceChildren(...headOf(columns).children);
  }

  private rowOf(row: Row, thumbnails: DataView[]): HTMLElement {
    const disabled = this.callbacks.canChoose() ? null : "";
    const onclick = () => this.callbacks.choose(row);
    const go = element(
      "button",
      { class: "aew-action aew-go", "data-index": row.index, disabled, onclick },
      element("span", { class: "aew-row-id" }, row.id),
      this.thumbnails.of(row, thumbnails, "") ??
        element("span", { class: "aew-row-content", dir: "auto" }, row.content ?? ""),
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

  private predictionsOf({ prediction, is_wrong, predictions }: Row): Child[][] {
    if (this.predictions === "none") return [];
    const marked = (predictions ?? []).map(({ text, mark }) => [text, ...markOf(mark)]);
    if (this.predictions === "two") return [marked[0] ?? [], marked[1] ?? []];
    if (predictions)
      return [predictions.map(({ name }, i) => element("div", { class: "aew-of-one" }, `${name}: `, ...marked[i]))];
    if (!prediction) return [[]];
    return [[prediction, ...markOf(is_wrong === undefined ? "" : is_wrong ? "wrong" : "right")]];
  }
}

function markOf(mark: NonNullable<Row["predictions"]>[number]["mark"]): Child[] {
  if (mark === "") return [];
  const isWrong = mark === "wrong";
  const kind = isWrong ? "aew-is-wrong" : "aew-is-right";
  return [" ", element("span", { class: kind }, `${isWrong ? "✗" : "✓"} ${mark}`)];
}
