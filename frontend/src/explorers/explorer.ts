// The frame of all explorers: a title, tabs, and in each what to see, what to try, controls and plots.

import { element, setText, uniqueId } from "../dom/element";
import { keepKeysFromJupyter } from "../dom/surroundings";
import { Tabs } from "../dom/tabs";
import { PlotPanel, TableDialog } from "../panels/plot";

/** One tab. */
export interface View {
  name: string;
  title: string;
  see: string;
  play: string;
  controls: HTMLElement[];
  plots: (HTMLElement | PlotPanel)[];
  /** Results in words, updated as they change. */
  finding: HTMLElement;
  /** Called when it comes into view, and when it leaves; `close` removes what is not among its plots. */
  show(): void;
  hide?(): void;
  close?(): void;
}

export type Settings = Record<string, unknown>;

/** What an explorer gets: `table` shows a plot's numbers; settings and simulated data come from Python. */
export type MakeViews = (table: TableDialog, settings: Settings, data: unknown) => View[];

/** A setting that is a number. */
export const given = (settings: Settings, name: string, fallback: number): number =>
  typeof settings[name] === "number" ? settings[name] : fallback;

export const finding = (): HTMLElement => element("p", { class: "aew-finding", role: "status", "aria-live": "polite" });

export class Explorer {
  readonly node: HTMLElement;
  private readonly table = new TableDialog();
  private readonly views: View[];
  private readonly tabs: Tabs;
  private readonly bodies: HTMLElement[];
  private shown = -1;

  constructor(name: string, title: string, make: (table: TableDialog) => View[]) {
    const id = uniqueId("aew-explorer");
    this.views = make(this.table);
    this.tabs = new Tabs(title, this.views, (at) => this.open(at));
    this.tabs.node.hidden = this.views.length < 2;
    this.bodies = this.views.map((view, i) => bodyOf(view, this.tabs.buttons[i]));
    this.node = element(
      "section",
      { class: "aew-app aew-explorer", "data-aew": "explorer", "data-explorer": name, "aria-labelledby": id },
      element("header", { class: "aew-explorer-head" }, element("h2", { id }, title), this.tabs.node),
      ...this.bodies,
      this.table.dialog,
    );
    keepKeysFromJupyter(this.node);
  }

  /** Shows a view; the others pause. */
  open(at: number): void {
    if (at === this.shown) return;
    this.views[this.shown]?.hide?.();
    this.shown = at;
    this.tabs.show(at);
    this.bodies.forEach((body, i) => {
      body.hidden = i !== at;
    });
    this.views[at].show();
  }

  close(): void {
    for (const view of this.views) {
      view.hide?.();
      for (const plot of view.plots) if (plot instanceof PlotPanel) plot.close();
      view.close?.();
    }
  }
}

function bodyOf(view: View, tab: HTMLElement): HTMLElement {
  const id = uniqueId("aew-view");
  tab.setAttribute("aria-controls", id);
  const text = element(
    "div",
    { class: "aew-explorer-text" },
    element("p", {}, view.see),
    element("p", {}, hint(), view.play),
  );
  const side = element("div", { class: "aew-explorer-side" }, text, ...view.controls);
  const main = element("div", { class: "aew-explorer-main" }, view.finding, ...view.plots.map(nodeOf));
  const attributes = { class: "aew-explorer-body", role: "tabpanel", id, "aria-labelledby": tab.id, hidden: "" };
  return element("div", attributes, side, main);
}

const nodeOf = (plot: HTMLElement | PlotPanel): HTMLElement => (plot instanceof PlotPanel ? plot.node : plot);

const hint = (): HTMLElement => element("strong", {}, "Try: ");

/** Updates a finding if it differs; it is read out once no more of it `isComing`. */
export function showFinding(node: HTMLElement, text: string, isComing = false): void {
  node.setAttribute("aria-busy", String(isComing));
  setText(node, text);
}
