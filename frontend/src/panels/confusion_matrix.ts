import { element, setText } from "../dom/element";
import type { ConfusionContent } from "../from_python/messages";

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
  const body = cells.map((row, i) =>
    element(
      "tr",
      {},
      ...(i === 0 ? [side] : []),
      element("th", { scope: "row" }, classes[i]),
      ...row.map((cell, j) => {
        const td = element("td", { title: cell.title, class: i === j ? "aew-right" : "aew-wrong" }, cell.text);
        // A few percent must be visible: the root spreads small shares.
        td.style.setProperty("--aew-shade", `${Math.round(70 * Math.sqrt(cell.share))}%`);
        return td;
      }),
    ),
  );
  return element(
    "div",
    { class: "aew-table aew-matrix", tabindex: "0", role: "region", "aria-label": "Confusion matrix, as a table" },
    element(
      "table",
      {},
      element("caption", {}, "Percent of all instances"),
      element("thead", {}, over, head),
      element("tbody", {}, ...body),
    ),
  );
}

function listOf({ confusions, rows, columns }: ConfusionContent): HTMLElement {
  const heads = [rows, columns, "Of all", "Labels"];
  return element(
    "div",
    { class: "aew-table" },
    element(
      "table",
      {},
      element("caption", {}, "Most frequent confusions"),
      element("thead", {}, element("tr", {}, ...heads.map((text) => element("th", { scope: "col" }, text)))),
      element(
        "tbody",
        {},
        ...confusions.map((row) => element("tr", {}, ...row.map((text) => element("td", {}, text)))),
      ),
    ),
  );
}
