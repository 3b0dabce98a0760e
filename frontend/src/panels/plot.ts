// The panels of the plots: heading, legend, drawing, and the same as a table.

import { Chart } from "../charts/chart";
import { legendOf } from "../charts/legend";
import { makeDialog } from "../dom/dialog";
import { element, setText } from "../dom/element";
import type { PlotContent } from "../from_python/messages";

/** A dialog that shows a plot's numbers as a table. */
export class TableDialog {
  readonly dialog = makeDialog("table", "Table");
  private readonly heading = this.dialog.querySelector("h2");
  private readonly table = element("table");

  constructor() {
    const frame = { class: "aew-table", tabindex: "0", role: "region", "aria-labelledby": this.heading?.id };
    this.dialog.append(element("div", frame, this.table));
  }

  open({ heading, summary, columns, rows }: PlotContent): void {
    if (this.heading) setText(this.heading, heading);
    this.table.replaceChildren(
      element("caption", {}, summary),
      element("thead", {}, element("tr", {}, ...columns.map((text) => element("th", { scope: "col" }, text)))),
      element("tbody", {}, ...rows.map((row) => element("tr", {}, ...row.map((text) => element("td", {}, text))))),
    );
    this.dialog.showModal();
  }
}

export class PlotPanel {
  readonly node: HTMLElement;
  private readonly title = element("h2");
  private readonly asTable: HTMLElement;
  private readonly legend = element("ul", { class: "aew-legend" });
  private readonly note = element("p", { class: "aew-plot-note", hidden: "" });
  private readonly chart: Chart;

  constructor(name: string, goTo: (index: number) => void, table: TableDialog, enter?: string) {
    this.chart = new Chart(goTo, enter);
    const open = () => {
      if (this.chart.content) table.open(this.chart.content);
    };
    const attributes = { type: "button", class: "aew-action aew-as-table", title: "As a table", onclick: open };
    this.asTable = element("button", attributes, "▤");
    this.node = element(
      "section",
      { class: `aew-panel aew-${name}-plot`, "data-aew": `${name}-plot` },
      element("div", { class: "aew-plot-head" }, this.title, this.asTable),
      this.legend,
      this.chart.box,
      this.note,
    );
  }

  show(content: PlotContent): void {
    setText(this.title, content.heading);
    this.asTable.setAttribute("aria-label", `Table: ${content.heading}`);
    const said = JSON.stringify(content.legend);
    if (this.legend.dataset.said !== said) {
      this.legend.dataset.said = said;
      this.legend.replaceChildren(...legendOf(content.legend));
    }
    setText(this.note, content.note ?? "");
    this.note.hidden = !content.note;
    this.chart.show(content);
  }

  close(): void {
    this.chart.close();
  }
}
