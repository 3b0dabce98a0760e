import { element, setText } from "../dom/element";
import type { TextTableContent } from "../from_python/messages";

/** A finding in words, and a table of texts where it has one. */
export class TextTable {
  readonly node: HTMLElement;
  private readonly summary = element("p");
  private readonly table = element("table");
  private readonly frame: HTMLElement;

  constructor(name: string, title: string) {
    const frame = { class: "aew-table", tabindex: "0", role: "region", "aria-label": `${title}, as a table` };
    this.frame = element("div", { ...frame, hidden: "" }, this.table);
    this.node = element(
      "section",
      { class: "aew-interval-table aew-text-table", "data-aew": name, "aria-label": title },
      element("h2", {}, title),
      this.frame,
      this.summary,
    );
  }

  show({ summary, columns = [], rows = [] }: TextTableContent): void {
    setText(this.summary, summary);
    this.frame.hidden = columns.length === 0;
    const cells = (row: string[]) => row.map((text) => element("td", { dir: "auto" }, text));
    this.table.replaceChildren(
      element("thead", {}, element("tr", {}, ...columns.map((text) => element("th", { scope: "col" }, text)))),
      element("tbody", {}, ...rows.map((row) => element("tr", {}, ...cells(row)))),
    );
  }
}
