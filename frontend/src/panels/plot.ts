// The panels of the plots: heading, legend, drawing, and the values as a table.

import { Chart, type ChartOptions } from "../charts/chart";
import { legendOf } from "../charts/legend";
import { pictureOf, pngOf, svgText } from "../charts/picture";
import type { Surface } from "../charts/surface";
import { SvgSurface } from "../charts/svg_surface";
import { makeDialog } from "../dom/dialog";
import { element, rebuild, setText, showText } from "../dom/element";
import { saveBlob } from "../dom/files";
import { tableFrame, tableOf } from "../dom/table";
import type { PlotContent } from "../from_python/messages";
import { enlarged } from "./enlarged";

/** A dialog that shows a plot's numbers as a table. */
export class TableDialog {
  readonly dialog = makeDialog("table", "Table");
  private readonly heading = this.dialog.querySelector("h2");
  private readonly frame = tableFrame("");

  constructor() {
    this.dialog.append(this.frame);
  }

  open({ heading, summary, columns, rows }: PlotContent): void {
    if (this.heading) setText(this.heading, heading);
    this.frame.setAttribute("aria-label", heading);
    this.frame.replaceChildren(tableOf({ caption: summary, columns, rows }));
    this.dialog.showModal();
  }
}

/** One of the plots that a panel can show. */
interface Face {
  content: PlotContent | null;
  surface: Surface;
  /** What chooses it, if there are several. */
  button: HTMLElement | null;
}

const OWN = "";

export class PlotPanel {
  readonly node: HTMLElement;
  private readonly title = element("h2", { hidden: "" }); // until there is one
  private readonly choices = element("span", { class: "aew-plot-choices" });
  private readonly tools: Record<"png" | "svg" | "table" | "enlarge", HTMLElement>;
  private readonly legend = element("ul", { class: "aew-legend" });
  private readonly note = element("p", { class: "aew-plot-note", hidden: "" });
  private readonly chart: Chart;
  private readonly faces = new Map<string, Face>();
  private shown = OWN;

  constructor(name: string, table: TableDialog, options: ChartOptions = {}) {
    const own = this.face(OWN);
    this.chart = new Chart(own.surface, options);
    const open = () => {
      if (this.chart.content) table.open(this.chart.content);
    };
    this.tools = {
      png: tool("PNG", "Save as PNG", () => void this.save("png")),
      svg: tool("SVG", "Save as SVG", () => void this.save("svg")),
      table: tool("▤", "Table", open),
      enlarge: tool("⤢", "Enlarge", () => this.enlarge()),
    };
    this.node = element(
      "section",
      { class: `aew-panel aew-${name}-plot`, "data-aew": `${name}-plot` },
      element("div", { class: "aew-plot-head" }, this.title, this.choices, ...Object.values(this.tools)),
      this.legend,
      this.chart.box,
      this.note,
    );
  }

  show(content: PlotContent): void {
    this.face(OWN).content = content;
    this.draw();
  }

  /** Adds another plot that replaces this one when a button with `text` is pressed. */
  offer(name: string, content: PlotContent, text: string): void {
    const face = this.face(name);
    face.content = content;
    face.button ??= this.choiceOf(name);
    setText(face.button, text);
    face.button.title = content.heading;
    if (this.shown === name) this.draw();
  }

  /** Draws one of its plots on another surface from now on. */
  use(surface: Surface, name = OWN): void {
    this.face(name).surface = surface;
    this.draw();
  }

  /** Shows it as large as the window, until Esc. */
  enlarge(): void {
    if (this.node.closest("dialog") === null) enlarged(this.node, this.title.textContent ?? "");
  }

  private async save(kind: "png" | "svg"): Promise<void> {
    const picture = pictureOf({ box: this.chart.box, heading: this.title, legend: this.legend });
    const svg = new Blob([svgText(picture)], { type: "image/svg+xml;charset=utf-8" });
    const content = kind === "svg" ? svg : await pngOf(picture);
    if (content !== null) saveBlob(`${fileName(this.title.textContent ?? "")}.${kind}`, content);
  }

  private face(name: string): Face {
    const known = this.faces.get(name);
    if (known !== undefined) return known;
    const face = { content: null, surface: new SvgSurface(), button: null };
    this.faces.set(name, face);
    return face;
  }

  private choiceOf(name: string): HTMLElement {
    const attributes = { class: "aew-action aew-other-plot", "aria-pressed": "false" };
    const button = element("button", attributes);
    button.onclick = () => {
      this.shown = this.shown === name ? OWN : name;
      for (const [each, { button }] of this.faces) button?.setAttribute("aria-pressed", String(this.shown === each));
      this.draw();
    };
    this.choices.append(button);
    return button;
  }

  private draw(): void {
    const { content, surface } = this.face(this.shown);
    if (content === null) return;
    setText(this.title, content.heading);
    this.title.hidden = false;
    for (const button of Object.values(this.tools)) {
      button.setAttribute("aria-label", `${button.title}: ${content.heading}`);
    }
    rebuild(this.legend, content.legend, () => legendOf(content.legend));
    showText(this.note, content.note);
    this.chart.use(surface);
    this.chart.show(content);
  }

  close(): void {
    this.chart.close();
    for (const { surface } of this.faces.values()) surface.close?.();
  }
}

const tool = (text: string, title: string, onclick: () => void): HTMLElement =>
  element("button", { class: "aew-action aew-plot-tool", title, onclick }, text);

/** The name of a file with this plot. */
const fileName = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "") || "plot";
