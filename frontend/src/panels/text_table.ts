import { element, setText } from "../dom/element";
import { tableFrame, tableOf } from "../dom/table";
import type { TextTableContent } from "../from_python/messages";

/** A finding in words, and a table of texts where it has one. */
export class TextTable {
  readonly node: HTMLElement;
  private readonly summary = element("p");
  private readonly frame: HTMLElement;

  constructor(name: string, title: string) {
    this.frame = tableFrame(`${title}, as a table`);
    this.frame.hidden = true;
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
    this.frame.replaceChildren(tableOf({ columns, rows }));
  }
}
