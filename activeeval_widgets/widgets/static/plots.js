// The panels of the plots: heading, legend, drawing, and the same as a table.

function buildPlots({ goTo }) {
  const panels = {};
  const dialog = makeDialog("table", "Table");
  const heading = dialog.querySelector("h2");
  const table = element("table");
  dialog.append(element("div", { class: "aew-table", tabindex: "0", role: "region", "aria-labelledby": heading.id }, table));

  function openTable({ heading: title, summary, columns, rows }) {
    setText(heading, title);
    table.replaceChildren(
      element("caption", {}, summary),
      element("thead", {}, element("tr", {}, ...columns.map((text) => element("th", { scope: "col" }, text)))),
      element("tbody", {}, ...rows.map((row) => element("tr", {}, ...row.map((text) => element("td", {}, text))))));
    dialog.showModal();
  }

  function build(name) {
    const title = element("h2");
    const chart = new Chart(goTo);
    const open = element("button", { type: "button", class: "aew-action aew-as-table",
      title: "As a table",
      onclick: () => chart.content && openTable(chart.content) }, "▤");
    const legend = element("ul", { class: "aew-legend" });
    const note = element("p", { class: "aew-plot-note", hidden: "" });
    const node = element("section", { class: `aew-panel aew-${name}-plot`, "data-aew": `${name}-plot` },
      element("div", { class: "aew-plot-head" }, title, open), legend, chart.box, note);
    return { node, title, open, legend, note, chart };
  }

  for (const name of ["trajectory", "distribution"]) panels[name] = build(name);

  function legendOf(entries) {
    return entries.map(([kind, text]) => element("li", {}, swatch(kind), text));
  }

  return {
    nodes: Object.values(panels).map(({ node }) => node),
    dialog,
    show(contents) {
      for (const [name, content] of Object.entries(contents)) {
        const { title, open, legend, note, chart } = panels[name];
        setText(title, content.heading);
        open.setAttribute("aria-label", `Table: ${content.heading}`);
        const said = JSON.stringify(content.legend);
        if (legend.dataset.said !== said) {
          legend.dataset.said = said;
          legend.replaceChildren(...legendOf(content.legend));
        }
        setText(note, content.note ?? "");
        note.hidden = !content.note;
        chart.show(content);
      }
    },
    close: () => Object.values(panels).forEach(({ chart }) => chart.close()),
  };
}

// What something in a plot looks like.
const SWATCHES = { wrong: "cross", drawn: "dot", pool: "dot", present: "diamond" };

function swatch(kind) {
  const drawing = drawn("svg", { class: "aew-swatch", width: 18, height: 12, "aria-hidden": "true" });
  if (kind in SWATCHES) {
    const shape = SWATCHES[kind];
    drawing.append(drawn("path", { class: `aew-draw-${kind} aew-shape-${shape}`, d: SHAPES[shape](9, 6, 3.2) }));
  } else if (kind === "band") drawing.append(drawn("rect", { class: "aew-draw-band", width: 18, height: 12 }));
  else drawing.append(drawn("line", { class: `aew-draw-${kind}`, x1: 0, x2: 18, y1: 6, y2: 6 }));
  return drawing;
}
