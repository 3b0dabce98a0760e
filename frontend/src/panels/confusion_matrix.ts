import { element, setText } from "../dom/element";
import { tableFrame, tableOf } from "../dom/table";
import type { ConfusionContent } from "../from_python/messages";
import { matrixRows } from "./matrix_rows";

/** The estimated confusion matrix: a table, shaded by share, and the most frequent confusions in words. */
export class ConfusionMatrix {
  readonly node: HTMLElement;
  private readonly summary = element("p");
  private readonly body = element("div");

  constructor(name: string, title: string) {
    this.node = element(
      "section",
      { class: "aew-confusion", "data-aew": name, "aria-label": title },
      element("h2", {}, title),
      this.body,
      this.summary,
    );
  }

  show(content: ConfusionContent): void {
    setText(this.summary, content.summary);
    this.body.replaceChildren(
      ...(content.cells.length ? [matrixOf(content)] : []),
      ...(content.confusions.length ? [listOf(content)] : []),
    );
  }
}

function matrixOf({ classes, cells, rows, columns }: ConfusionContent): HTMLElement {
  const n = classes.length;
  const corner = () => element("td", { colspan: 2 });
  const over = element("tr", {}, corner(), element("th", { colspan: n, scope: "colgroup" }, columns));
  const head = element("tr", {}, corner(), ...classes.map((name) => element("th", { scope: "col" }, name)));
  const side = element("th", { class: "aew-true-label", rowspan: n, scope: "rowgroup" }, element("span", {}, rows));
  const body = matrixRows(classes, cells);
  body[0].prepend(side);
  const frame = tableFrame(
    "Confusion matrix, as a table",
    element(
      "table",
      {},
      element("caption", {}, "Percent of all instances"),
      element("thead", {}, over, head),
      element("tbody", {}, ...body),
    ),
  );
  frame.classList.add("aew-matrix");
  return frame;
}

function listOf({ confusions, rows, columns }: ConfusionContent): HTMLElement {
  const heads = [rows, columns, "Of all", "Labels"];
  const list = tableOf({ caption: "Most frequent confusions", columns: heads, rows: confusions });
  return element("div", { class: "aew-table" }, list);
}
