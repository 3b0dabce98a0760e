// What the plots say, for those who can't see them: bqplot's drawings have neither a role nor a text.

function tableOf({ summary, columns, rows }) {
  return [
    element("caption", {}, summary),
    element("thead", {}, element("tr", {}, ...columns.map((text) => element("th", { scope: "col" }, text)))),
    element("tbody", {}, ...rows.map((row) => element("tr", {}, ...row.map((text) => element("td", {}, text))))),
  ];
}

// `texts` maps the names of plots to { summary, columns, rows }. A plot that is not yet in the page is left
// out; it gets its text with the next labels.
function describePlots(root, texts) {
  for (const [plot, text] of Object.entries(texts)) {
    const panel = root.querySelector(`.aew-${plot}-plot`);
    const drawing = panel?.querySelector(".bqplot");
    if (!drawing) continue;
    drawing.setAttribute("role", "img");
    drawing.setAttribute("aria-label", text.summary);
    let table = panel.querySelector("details table");
    if (table === null) {
      table = element("table");
      // Named after its plot: there are several.
      const name = `Table: ${panel.querySelector("h2")?.textContent ?? text.summary}`;
      panel.append(element("details", {}, element("summary", {}, "As a table"),
        element("div", { class: "aew-table", tabindex: "0", role: "region", "aria-label": name }, table)));
    }
    table.replaceChildren(...tableOf(text));
  }
}
