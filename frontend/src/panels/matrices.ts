import { element, setText } from "../dom/element";
import { tableFrame, tableOf } from "../dom/table";
import type { MatricesContent, MatrixContent } from "../from_python/messages";
import { matrixRows } from "./matrix_rows";

const MAX_WIDE = 6; // classes; with more, cells are smaller, so that two matrices fit side by side

/** Two models' confusion matrices side by side, and the cells that differ most. */
export class Matrices {
  readonly node: HTMLElement;
  private readonly heading = element("h2", {}, "Confusion matrices");
  private readonly summary = element("p");
  private readonly body = element("div", { class: "aew-side-by-side" });
  private readonly list = tableFrame("Largest differences");

  constructor() {
    this.node = element(
      "section",
      { class: "aew-matrices", "data-aew": "matrices", "aria-label": "Confusion matrices side by side" },
      this.heading,
      this.body,
      this.list,
      this.summary,
    );
  }

  show({ heading, summary, classes, matrices, columns, rows }: MatricesContent): void {
    setText(this.heading, heading);
    setText(this.summary, summary);
    this.body.replaceChildren(...matrices.map((matrix) => matrixOf(matrix, classes)));
    const caption = "Largest differences, in points";
    this.list.replaceChildren(...(rows.length ? [tableOf({ caption, columns, rows })] : []));
  }
}

function matrixOf({ name, cells }: MatrixContent, classes: string[]): HTMLElement {
  const over = element(
    "tr",
    {},
    element("th", { scope: "col" }, "True"),
    element("th", { colspan: classes.length, scope: "colgroup" }, "Predicted"),
  );
  const heads = classes.map((text) => element("th", { scope: "col", dir: "auto" }, text));
  const frame = tableFrame(
    `Confusion matrix of ${name}`,
    element(
      "table",
      {},
      element("caption", { dir: "auto" }, name),
      element("thead", {}, over, element("tr", {}, element("td"), ...heads)),
      element("tbody", {}, ...matrixRows(classes, cells)),
    ),
  );
  frame.classList.add("aew-matrix");
  frame.classList.toggle("aew-compact", classes.length > MAX_WIDE);
  return frame;
}
