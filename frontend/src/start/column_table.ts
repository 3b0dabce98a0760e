// The roles of columns, with the first rows, and the file's problems.

import { element, optionsOf, setText } from "../dom/element";
import { headOf } from "../dom/table";
import type { Column, NewContent, ProblemRow } from "../from_python/start_messages";
import { countText } from "../text/numbers";

type Content = Pick<
  NewContent,
  "columns" | "known_labels" | "roles" | "guessed" | "problems" | "n_problems" | "cannot_start"
>;

export class ColumnTable {
  private readonly guessed = element("span", { class: "aew-muted" });
  private readonly table = element("table", { class: "aew-columns" });
  private readonly known = element("select", {});
  private readonly knownText = element("span");
  private readonly knownLabels = element("label", { class: "aew-known" }, this.knownText, this.known);
  private readonly problems = element("div", { class: "aew-problems" });
  readonly node = element(
    "section",
    { class: "aew-card", "aria-labelledby": "aew-columns" },
    element("h2", { id: "aew-columns" }, "Columns "),
    this.guessed,
    element("div", { class: "aew-scroll", tabindex: 0, role: "group", "aria-label": "The first rows" }, this.table),
    this.knownLabels,
    this.problems,
  );

  constructor(private readonly change: (roles: Record<string, string>) => void) {
    this.node.querySelector("h2")?.append(this.guessed);
  }

  show({ columns, known_labels, roles, guessed, problems, n_problems, cannot_start }: Content): void {
    setText(this.guessed, guessed.length > 0 ? "(our guess; click to change)" : "(click to change)");
    this.guessed.title = guessed.join("\n");
    const focused = this.focusedColumn();
    const chips = columns.map((column) => this.chip(column, columns, roles));
    const heads = columns.map(({ name }, i) => [element("span", { class: "aew-column-name" }, name), chips[i]]);
    const n = Math.max(0, ...columns.map(({ cells }) => cells.length));
    const rows = Array.from({ length: n }, (_, i) =>
      element("tr", {}, ...columns.map(({ cells }) => element("td", {}, cells[i] ?? ""))),
    );
    this.table.replaceChildren(headOf(heads), element("tbody", {}, ...rows));
    chips[columns.findIndex(({ name }) => name === focused)]?.focus();
    this.showKnown(known_labels, columns);
    this.problems.replaceChildren(...problemNodes(problems, n_problems, cannot_start));
  }

  private showKnown(known: NewContent["known_labels"], columns: Column[]): void {
    this.knownLabels.hidden = known === null;
    if (known === null) return;
    setText(this.knownText, known.text);
    this.known.replaceChildren(...optionsOf(known.choices.map(({ name, text }) => [name, text])));
    this.known.value = columns.find(({ name }) => name === known.column)?.role ?? "";
    this.known.onchange = () => this.choose(columns, known.column, this.known.value);
  }

  private choose(columns: Column[], column: string, chosen: string): void {
    this.change(Object.fromEntries(columns.map(({ name, role }) => [name, name === column ? chosen : role])));
  }

  private focusedColumn(): string | null {
    const { activeElement } = document;
    return activeElement instanceof HTMLSelectElement && this.table.contains(activeElement)
      ? (activeElement.dataset.column ?? null)
      : null;
  }

  private chip(column: Column, columns: Column[], roles: NewContent["roles"]): HTMLSelectElement {
    const chip = element(
      "select",
      {
        class: column.role === "" ? "aew-chip aew-unused" : "aew-chip",
        "aria-label": `What ${column.name} is`,
        "data-column": column.name,
        onchange: () => this.choose(columns, column.name, chip.value),
      },
      ...optionsOf(roles.map(({ name, text }) => [name, name === column.role ? column.text : text])),
    );
    chip.value = column.role;
    chip.style.width = `calc(${column.text.length + 1}ch + 24px)`; // otherwise as wide as the longest choice
    return chip;
  }
}

function problemNodes(problems: ProblemRow[], n: number, cannotStart: string): HTMLElement[] {
  const nodes: HTMLElement[] = [];
  if (cannotStart) nodes.push(element("p", { class: "aew-problem", role: "alert" }, cannotStart));
  const [first] = problems;
  if (first === undefined) return nodes;
  nodes.push(element("p", { class: "aew-problem" }, problemText(first)));
  if (n < 2) return nodes;
  const more = n > problems.length ? [element("li", {}, `… and ${countText(n - problems.length)} more`)] : [];
  nodes.push(
    element(
      "details",
      {},
      element("summary", {}, `Show all ${countText(n)} problems`),
      element("ul", {}, ...problems.map((each) => element("li", {}, problemText(each))), ...more),
    ),
  );
  return nodes;
}

const problemText = ({ where, text, remedy }: ProblemRow): string =>
  [where ? `${where}: ${text}` : text, remedy].filter((part) => part !== "").join(" ");
