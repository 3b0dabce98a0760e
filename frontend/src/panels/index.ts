// The panels beside the instance. Python says which ones a session has.

import type { Surface } from "../charts/surface";
import { element } from "../dom/element";
import { focusedFrom } from "../dom/surroundings";
import type { PanelConfig, PlotContent } from "../from_python/messages";
import { ConfusionMatrix } from "./confusion_matrix";
import { DifferingPanel } from "./differing";
import { EstimatePanel } from "./estimate";
import { IntervalTable } from "./interval_table";
import { Matrices } from "./matrices";
import { ModelsPanel } from "./models";
import { OutsidePanel } from "./outside_panel";
import type { Panel, PanelTools } from "./panel";
import { PeoplePanel } from "./people";
import { PlotPanel } from "./plot";
import { TextTable } from "./text_table";

/** What draws each kind of panel. A new kind needs a file, and an entry here. */
const BUILDERS: Record<PanelConfig["kind"], (panel: PanelConfig, use: PanelTools) => Panel<never>> = {
  estimate: (_, { goal }) => new EstimatePanel(goal),
  models: (_, { choosePair }) => new ModelsPanel(choosePair),
  differing: (_, use) => new DifferingPanel(use),
  matrices: () => new Matrices(),
  text: ({ name, title }) => new TextTable(name, title),
  table: ({ name, title }) => new TextTable(name, title),
  intervals: ({ name, title }) => new IntervalTable(name, title),
  plot: ({ name, title }, { goTo, table }) => new PlotPanel(name, table, { title, goTo }),
  matrix: ({ name, title }) => new ConfusionMatrix(name, title),
  module: (panel, { goTo }) => new OutsidePanel(panel, { element, goTo }),
};

/** The panels of a session, and that of the people who label, which is shown if there are several. */
export class Panels {
  readonly node: HTMLElement;
  private readonly panels = new Map<string, Panel<never>>();

  constructor(private readonly use: PanelTools) {
    const people = new PeoplePanel(use);
    this.panels.set("people", people);
    this.node = element("div", { class: "aew-side" }, people.node);
  }

  /** Adds a panel; null if it is there already. */
  add(config: PanelConfig): HTMLElement | null {
    if (this.panels.has(config.name)) return null;
    const panel = BUILDERS[config.kind](config, this.use);
    this.panels.set(config.name, panel);
    this.node.append(panel.node);
    return panel.node;
  }

  /** Shows new contents, by panels' names. */
  show(contents: Record<string, unknown>): void {
    for (const [name, content] of Object.entries(contents)) {
      // It replaces the estimate's plot if requested, so that nothing else moves.
      if (content && name === "wealth") {
        this.trajectory?.offer(name, content as PlotContent, "Evidence");
      } else if (content) this.panels.get(name)?.show(content as never);
    }
  }

  /** Draws the plot of this name on another surface from now on. */
  draw(name: string, surface: Surface): void {
    if (name === "wealth") this.trajectory?.use(surface, name);
    else (this.panels.get(name) as PlotPanel | DifferingPanel | undefined)?.use(surface);
  }

  /** Shows a plot as large as the window: the focused one, otherwise the first. */
  enlarge(): void {
    const plots = [...this.panels.values()].flatMap((panel) => ("enlarge" in panel ? [panel as PlotPanel] : []));
    const shown = plots.filter(({ node }) => node.getClientRects().length > 0);
    (shown.find(({ node }) => node.contains(focusedFrom(node))) ?? shown[0])?.enlarge();
  }

  private get trajectory(): PlotPanel | undefined {
    return this.panels.get("trajectory") as PlotPanel | undefined;
  }

  /** Scrolls to a panel, as far as necessary. */
  reveal(name: string): void {
    this.panels.get(name)?.node.scrollIntoView({ block: "nearest" });
  }

  close(): void {
    for (const panel of this.panels.values()) panel.close?.();
  }
}
