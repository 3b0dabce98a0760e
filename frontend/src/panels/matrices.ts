import { element, setText } from "../dom/element";
import type { MatricesContent, MatrixContent } from "../from_python/messages";

const MAX_WIDE = 6; // classes; with more, cells are smaller, so that two matrices fit side by side
const MARKS = { more: " ▲", less: " ▼", "": "" };
const SPOKEN = { more: " (more than the other model)", less: " (less than the other model)", "": "" };

/** Two models' confusion matrices side by side, and the cells that differ most. */
export class Matrices {
  readonly node: HTMLElement;
  private readonly heading = element("h2", {}, "Confusion matrices");
  private readonly summary = element("p");
  private readonly body = element("div", { class: "aew-side-by-side" });
  private readonly list = element("div", {
    class: "aew-table",
    tabindex: "0",
    role: "region",
    "aria-label": "Largest differences",
  });

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
    this.list.replaceChildren(...(rows.length ? [listOf(columns, rows)] : []));
  }
}

function matrixOf({ name, cells }: MatrixContent, classes: string[]): HTMLElement {
  const over = element(
    "tr",
    {},
    element("th", { scope: "col" }, "True"),
    element("th", { colspan: classes.length, scope: "colgroup" }, "Predicted"),
  );
  const head = element(
    "tr",
    {},
    element("td"),
    ...classes.map((text) => element("th", { scope: "col", dir: "auto" }, text)),
  );
  const rows = cells.map((row, i) =>
    element(
      "tr",
      {},
      element("th", { scope: "row", dir: "auto" }, classes[i]),
      ...row.map((cell, j) => {
        const td = element(
          "td",
          { title: cell.title, class: `${i === j ? "aew-right" : "aew-wrong"}${cell.mark ? " aew-apart" : ""}` },
          cell.text,
          element("span", { "aria-hidden": "true" }, MARKS[cell.mark]),
          element("span", { class: "aew-visually-hidden" }, SPOKEN[cell.mark]),
        );
        td.style.setProperty("--aew-shade", `${Math.round(70 * Math.sqrt(cell.share))}%`);
        return td;
      }),
    ),
  );
  return element(
    "div",
    {
      class: `aew-table aew-matrix${classes.length > MAX_WIDE ? " aew-compact" : ""}`,
      tabindex: "0",
      role: "region",
      "aria-label": `Confusion matrix of ${name}`,
    },
    element(
      "table",
      {},
      element("caption", { dir: "auto" }, name),
      element("thead", {}, over, head),
      element("tbody", {}, ...rows),
    ),
  );
}

function listOf(columns: string[], rows: string[][]): HTMLElement {
  return element(
    "table",
    {},
    element("caption", {}, "Largest differences, in points"),
    element("thead", {}, element("tr", {}, ...columns.map((text) => element("th", { scope: "col" }, text)))),
    element("tbody", {}, ...rows.map((row) => element("tr", {}, ...row.map((text) => element("td", {}, text))))),
  );
}
