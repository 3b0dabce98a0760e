// The panels beside the instance: which are shown, in which order; the browser remembers it.

import { remember, remembered } from "../dom/browser_storage";
import { makeDialog } from "../dom/dialog";
import { element } from "../dom/element";

const STORAGE = "activeeval-widgets:panels";
const WALD =
  "Also show the Wald interval (dashed). It is valid only for a number of labels fixed in advance: stopping when it looks good " +
  "makes it too optimistic.";

/** What the browser remembers. */
interface Kept {
  order?: string[];
  hidden?: string[];
  isLabelerView?: boolean;
  showsWald?: boolean;
}

/** A panel's name in the page's attributes, and in the dialog. */
interface Named {
  name: string;
  title: string;
  isHiddenAtFirst: boolean;
}

/** The root's attributes say which panel is where, for style sheets: plots come into the page when they are ready. */
export class PanelChoice {
  readonly dialog: HTMLDialogElement;
  isLabelerView: boolean;
  showsWald: boolean;
  private readonly titles: Map<string, string>;
  private readonly kept = remembered<Kept>(STORAGE, {});
  /** Panels from outside this package, which no style sheet knows. */
  private readonly nodes = new Map<string, HTMLElement>();
  private readonly order: string[];
  private readonly hidden: Set<string>;
  private readonly rows = element("div", { class: "aew-panel-rows" });
  private root: HTMLElement | null = null;
  /** The last opened panel, while the dialog is open. */
  private opened: string | null = null;

  /** `onOpened` is called with the panel opened in the dialog, once that is closed. */
  constructor(
    panels: readonly Named[],
    private readonly onChange: () => void,
    private readonly onOpened: (name: string) => void = () => {},
  ) {
    this.titles = new Map(panels.map(({ name, title }) => [name, title]));
    const { kept } = this;
    const order = Array.isArray(kept.order) ? kept.order.filter((name) => this.titles.has(name)) : [];
    this.order = [...order, ...[...this.titles.keys()].filter((name) => !order.includes(name))];
    const atFirst = panels.filter(({ isHiddenAtFirst }) => isHiddenAtFirst).map(({ name }) => name);
    // Panels added by a later version are hidden at first.
    const isNew = (name: string) => !order.includes(name);
    this.hidden = new Set(Array.isArray(kept.hidden) ? [...kept.hidden, ...atFirst.filter(isNew)] : atFirst);
    this.isLabelerView = kept.isLabelerView === true;
    this.showsWald = kept.showsWald === true;
    const labeler = checkbox("Labeler's view: hide the estimate and the plots", this.isLabelerView, (isOn) => {
      this.isLabelerView = isOn;
      this.changed();
    });
    labeler.dataset.panel = "labeler";
    const wald = checkbox(WALD, this.showsWald, (isOn) => {
      this.showsWald = isOn;
      this.changed();
    });
    wald.dataset.panel = "wald";
    this.dialog = makeDialog("panels", "View", this.rows, wald, labeler);
    this.dialog.addEventListener("close", () => {
      if (this.opened !== null) this.onOpened(this.opened);
      this.opened = null;
    });
    this.buildRows();
  }

  /** Adds a panel from outside this package: at the end, or at its last place in the browser's memory. */
  add(name: string, title: string, node: HTMLElement): void {
    this.titles.set(name, title);
    this.nodes.set(name, node);
    const order = Array.isArray(this.kept.order) ? this.kept.order : [];
    const at = order.indexOf(name);
    const next = at < 0 ? -1 : this.order.findIndex((other) => order.indexOf(other) > at);
    this.order.splice(next < 0 ? this.order.length : next, 0, name);
    node.style.order = `var(--aew-order-${name})`;
    this.buildRows();
    this.apply();
  }

  /** The names of the panels from outside this package that are shown. */
  get shown(): string[] {
    return [...this.nodes.keys()].filter((name) => this.isShown(name));
  }

  isShown(name: string): boolean {
    return !this.hidden.has(name) && !this.isLabelerView;
  }

  /** The app does not show the estimate: there is nothing to choose. */
  keepLabelerView(): void {
    this.isLabelerView = true;
    this.apply();
  }

  /** From now on, the choice holds for an app. */
  applyTo(root: HTMLElement): void {
    this.root = root;
    this.apply();
  }

  toggle(): void {
    if (this.dialog.open) this.dialog.close();
    else this.dialog.showModal();
  }

  private apply(): void {
    const { root } = this;
    if (root === null) return;
    root.dataset.hiddenPanels = [...this.hidden].join(" ");
    root.toggleAttribute("data-labeler-view", this.isLabelerView);
    for (const [name, node] of this.nodes) node.style.display = this.hidden.has(name) ? "none" : "";
    this.order.forEach((name, i) => {
      root.style.setProperty(`--aew-order-${name}`, String(i));
    });
  }

  private changed(): void {
    const { order, isLabelerView, showsWald } = this;
    remember(STORAGE, { order, hidden: [...this.hidden], isLabelerView, showsWald });
    this.apply();
    this.onChange();
  }

  private buildRows(): void {
    this.rows.replaceChildren(
      ...this.order.map((name, i) => {
        const title = this.titles.get(name) ?? name;
        const box = checkbox(title, !this.hidden.has(name), (isOn) => {
          if (isOn) this.hidden.delete(name);
          else this.hidden.add(name);
          this.opened = isOn ? name : null;
          this.changed();
        });
        const move = (step: number, text: string) =>
          element(
            "button",
            {
              class: "aew-action",
              "aria-label": `Move ${title} ${text}`,
              title: `Move ${text}`,
              "data-move": text,
              disabled: i + step in this.order ? null : "",
              onclick: () => this.move(name, step, text),
            },
            step < 0 ? "↑" : "↓",
          );
        return element("div", { class: "aew-panel-row", "data-panel": name }, box, move(-1, "up"), move(1, "down"));
      }),
    );
  }

  /** Whether a session of this kind has no such panel, so that it is not offered. */
  private isAbsent(name: string): boolean {
    return this.root?.hasAttribute(`data-no-${name}`) === true;
  }

  private move(name: string, step: number, text: string): void {
    const from = this.order.indexOf(name);
    let to = from + step;
    while (this.isAbsent(this.order[to]) && to + step in this.order) to += step;
    this.order.splice(to, 0, ...this.order.splice(from, 1));
    this.buildRows();
    const row = this.rows.children[to];
    const again = row.querySelector<HTMLElement>(`[data-move="${text}"]:enabled`);
    (again ?? row.querySelector<HTMLElement>("button:enabled"))?.focus();
    this.changed();
  }
}

function checkbox(text: string, isOn: boolean, change: (isOn: boolean) => void): HTMLElement {
  const box = element("input", { type: "checkbox", onchange: () => change(box.checked) });
  box.checked = isOn;
  return element("label", {}, box, text);
}
