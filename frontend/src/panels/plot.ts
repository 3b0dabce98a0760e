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
  private readonly title = element("h2", { hidden: "" }); // until there is one
  private readonly asTable: HTMLElement;
  private readonly legend = element("ul", { class: "aew-legend" });
  private readonly note = element("p", { class: "aew-plot-note", hidden: "" });
  private readonly chart: Chart;
  // Where there is another plot for the same place.
  private readonly choice = element("button", { type: "button", class: "aew-action aew-other-plot" });
  private own: PlotContent | null = null;
  private other: PlotContent | null = null;
  private showsOther = false;

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
    this.own = content;
    this.draw();
  }

  /** Another plot that can take this one's place, by a button that says `text` and is pressed then. */
  offer(content: PlotContent, text: string): void {
    this.other = content;
    setText(this.choice, text);
    this.choice.title = content.heading;
    if (!this.choice.isConnected) this.asTable.before(this.choice);
    this.choice.setAttribute("aria-pressed", String(this.showsOther));
    this.choice.onclick = () => {
      this.showsOther = !this.showsOther;
      this.choice.setAttribute("aria-pressed", String(this.showsOther));
      this.draw();
    };
    if (this.showsOther) this.draw();
  }

  private draw(): void {
    const content = this.showsOther ? this.other : this.own;
    if (content === null) return;
    setText(this.title, content.heading);
    this.title.hidden = false;
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
