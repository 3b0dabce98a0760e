// The panels beside the instance, in their initial order. A new panel needs a file, and an entry here.
// here.

import type { Surface } from "../charts/surface";
import { element } from "../dom/element";
import { focusedFrom } from "../dom/surroundings";
import type {
  ConfusionContent,
  DifferingContent,
  EstimateContent,
  IntervalTableContent,
  LabelValue,
  MatricesContent,
  ModelsContent,
  PanelModule,
  PlotContent,
} from "../from_python/messages";
import { ConfusionMatrix } from "./confusion_matrix";
import { DifferingPanel } from "./differing";
import { EstimatePanel } from "./estimate";
import { IntervalTable } from "./interval_table";
import { Matrices } from "./matrices";
import { ModelsPanel } from "./models";
import { OutsidePanel } from "./outside_panel";
import { PeoplePanel } from "./people";
import { PlotPanel, type TableDialog } from "./plot";
import { TextTable } from "./text_table";

export interface Panel<Content> {
  readonly node: HTMLElement;
  show(content: Content): void;
  /** Removes what the page would otherwise keep: observers, timers. */
  close?(): void;
}

/** What panels may use. */
export interface PanelTools {
  /** Decides which label of an instance counts. */
  adjudicate: (index: number, value: LabelValue, text: string) => void;
  /** Asks for another name. */
  rename: () => void;
  /** Shows an instance again, by its index. */
  goTo: (index: number) => void;
  /** Lists the labels where two models differ, by their positions. */
  listDiffering: (pair: number[]) => void;
  /** Shows two of several models from now on, by their positions. */
  choosePair: (pair: number[]) => void;
  /** Shows a plot's numbers. */
  table: TableDialog;
  /** The distance to the goal. */
  goal: HTMLElement;
}

/** What Python sends for each panel, by its name. */
export interface PanelContents {
  estimate: EstimateContent;
  trajectory: PlotContent;
  wealth?: PlotContent;
  distribution: PlotContent;
  models: ModelsContent;
  differing: DifferingContent;
  matrices: MatricesContent;
  each: IntervalTableContent;
  groups: IntervalTableContent;
  judge: IntervalTableContent;
  calibration: PlotContent;
  interval: PlotContent;
  evidence: PlotContent;
  confusion: ConfusionContent;
}

export type PanelName = Exclude<keyof PanelContents, "wealth">;

interface PanelKind<Content> {
  /** Its name in the dialog that chooses panels. */
  title: string;
  isHiddenAtFirst?: boolean;
  build: (use: PanelTools) => Panel<Content>;
}

const PANELS: { [K in PanelName]: PanelKind<PanelContents[K]> } = {
  estimate: { title: "Estimate", build: ({ goal }) => new EstimatePanel(goal) },
  models: { title: "Models", build: ({ choosePair }) => new ModelsPanel(choosePair) },
  trajectory: {
    title: "Estimate after each label",
    build: ({ goTo, table }) => new PlotPanel("trajectory", goTo, table),
  },
  distribution: {
    title: "Which instances are asked",
    build: ({ goTo, table }) => new PlotPanel("distribution", goTo, table),
  },
  interval: {
    title: "How wide the interval is",
    isHiddenAtFirst: true,
    build: ({ goTo, table }) => new PlotPanel("interval", goTo, table),
  },
  evidence: {
    title: "Evidence against each value",
    isHiddenAtFirst: true,
    build: ({ goTo, table }) => new PlotPanel("evidence", goTo, table),
  },
  differing: {
    title: "Where the models differ",
    isHiddenAtFirst: true,
    build: (use) => new DifferingPanel(use),
  },
  matrices: { title: "Confusion matrices side by side", isHiddenAtFirst: true, build: () => new Matrices() },
  each: {
    title: "Each model by itself",
    isHiddenAtFirst: true,
    build: () => new IntervalTable("each", "Each model by itself"),
  },
  groups: { title: "By group", build: () => new IntervalTable("groups", "By group") },
  judge: {
    title: "Can the judge be trusted?",
    isHiddenAtFirst: true,
    build: () => new IntervalTable("judge", "Can the judge be trusted?"),
  },
  calibration: {
    title: "How often predictions are right, by how sure they are",
    isHiddenAtFirst: true,
    build: ({ goTo, table }) => new PlotPanel("calibration", goTo, table),
  },
  confusion: {
    title: "Confusion matrix",
    isHiddenAtFirst: true,
    build: () => new ConfusionMatrix("confusion", "Confusion matrix"),
  },
};

export const PANEL_NAMES = Object.entries(PANELS).map(([name, { title, isHiddenAtFirst = false }]) => ({
  name,
  title,
  isHiddenAtFirst,
}));

/** A panel by what it shows, or by a module from outside this package. */
function genericPanel(module: PanelModule, use: PanelTools): Panel<never> {
  const { name, title, kind } = module;
  if (kind === "module") return new OutsidePanel(module, { element, goTo: use.goTo });
  if (kind === "intervals") return new IntervalTable(name, title);
  if (kind === "plot") return new PlotPanel(name, use.goTo, use.table);
  if (kind === "matrix") return new ConfusionMatrix(name, title);
  return new TextTable(name, title);
}

/** All panels, built. */
export class Panels {
  private readonly panels = new Map<string, Panel<never>>();

  constructor(private readonly use: PanelTools) {
    for (const [name, { build }] of Object.entries(PANELS)) this.panels.set(name, build(use));
    // It cannot be chosen: it is shown if several people label.
    this.panels.set("people", new PeoplePanel(use));
  }

  get nodes(): HTMLElement[] {
    return [...this.panels.values()].map(({ node }) => node);
  }

  /** Adds a panel that is not among these; null if it is there already. */
  add(module: PanelModule): HTMLElement | null {
    if (this.panels.has(module.name)) return null;
    const panel = genericPanel(module, this.use);
    this.panels.set(module.name, panel);
    return panel.node;
  }

  /** Shows new contents, by panels' names. */
  show(contents: Record<string, unknown>): void {
    for (const [name, content] of Object.entries(contents)) {
      // It replaces the estimate's plot if requested, so that nothing else moves.
      if (content && name === "wealth") {
        this.trajectory.offer(name, content as PlotContent, "Evidence");
      } else if (content) this.panels.get(name)?.show(content as never);
    }
  }

  /** Draws the plot of this name on another surface from now on. */
  draw(name: string, surface: Surface): void {
    if (name === "wealth") this.trajectory.use(surface, name);
    else (this.panels.get(name) as PlotPanel | DifferingPanel | undefined)?.use(surface);
  }

  /** Shows a plot as large as the window: the focused one, otherwise the first. */
  enlarge(): void {
    const plots = [...this.panels.values()].flatMap((panel) => ("enlarge" in panel ? [panel as PlotPanel] : []));
    const shown = plots.filter(({ node }) => node.getClientRects().length > 0);
    (shown.find(({ node }) => node.contains(focusedFrom(node))) ?? shown[0])?.enlarge();
  }

  private get trajectory(): PlotPanel {
    return this.panels.get("trajectory") as unknown as PlotPanel;
  }

  /** Scrolls to a panel, as far as necessary. */
  reveal(name: string): void {
    this.panels.get(name)?.node.scrollIntoView({ block: "nearest" });
  }

  close(): void {
    for (const panel of this.panels.values()) panel.close?.();
  }
}
