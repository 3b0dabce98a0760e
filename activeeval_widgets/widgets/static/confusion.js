// The estimated confusion matrix: a table, shaded by share, and the most frequent confusions in words.

function buildConfusion() {
  const summary = element("p");
  const body = element("div");
  const panel = element("section", { class: "aew-confusion", "data-aew": "confusion", "aria-label": "Confusion matrix" },
    element("h2", {}, "Confusion matrix"), body, summary);

  function matrix({ classes, cells }) {
    const n = classes.length;
    const over = element("tr", {}, element("td", { colspan: 2 }), element("th", { colspan: n, scope: "colgroup" }, "Predicted by the model"));
    const head = element("tr", {}, element("td", { colspan: 2 }),
      ...classes.map((name) => element("th", { scope: "col" }, name)));
    const rows = cells.map((row, i) => element("tr", {},
      ...(i === 0 ? [element("th", { class: "aew-true-label", rowspan: n, scope: "rowgroup" }, element("span", {}, "True label"))] : []),
      element("th", { scope: "row" }, classes[i]),
      ...row.map((cell, j) => {
        const td = element("td", { title: cell.title, class: i === j ? "aew-right" : "aew-wrong" }, cell.text);
        // A few percent must be seen: the root spreads small shares.
        td.style.setProperty("--aew-shade", `${Math.round(70 * Math.sqrt(cell.share))}%`);
        return td;
      })));
    return element("div", { class: "aew-table aew-matrix", tabindex: "0", role: "region", "aria-label": "Confusion matrix" },
      element("table", {},
        element("caption", {}, "Percent of the pool"),
        element("thead", {}, over, head), element("tbody", {}, ...rows)));
  }

  function list(confusions) {
    const columns = ["True", "Predicted", "Of the pool", "Seen"];
    return element("div", { class: "aew-table" }, element("table", {},
      element("caption", {}, "Most frequent confusions"),
      element("thead", {}, element("tr", {}, ...columns.map((text) => element("th", { scope: "col" }, text)))),
      element("tbody", {}, ...confusions.map((row) =>
        element("tr", {}, ...row.map((text) => element("td", {}, text)))))));
  }

  return {
    panel,
    show(content) {
      setText(summary, content.summary);
      body.replaceChildren(
        ...(content.cells.length ? [matrix(content)] : []),
        ...(content.confusions.length ? [list(content.confusions)] : []));
    },
  };
}
