// The frame of all explorers: a title, tabs, and in each what to see, what to try, controls and plots.

import { element, setText } from "../dom/element";
import { isForeign } from "../keys/key_names";
import { TableDialog } from "../panels/plot";

/** One tab. */
export interface View {
  name: string;
  title: string;
  see: string;
  play: string;
  controls: HTMLElement[];
  plots: HTMLElement[];
  /** Results in words, updated as they change. */
  finding: HTMLElement;
  /** Called when it comes into view, and when it leaves. */
  show(): void;
  hide?(): void;
  close?(): void;
}

/** What an explorer gets: `table` shows a plot's numbers; settings and simulated data come from Python. */
export type MakeViews = (table: TableDialog, settings: Record<string, unknown>, data: unknown) => View[];

export const finding = (): HTMLElement => element("p", { class: "aew-finding", role: "status", "aria-live": "polite" });

let nExplorers = 0; // ids are unique in the page

export class Explorer {
  readonly node: HTMLElement;
  private readonly table = new TableDialog();
  private readonly views: View[];
  private readonly tabs: HTMLButtonElement[];
  private readonly bodies: HTMLElement[];
  private shown = -1;

  constructor(name: string, title: string, make: (table: TableDialog) => View[]) {
    nExplorers += 1;
    const id = `aew-explorer-${nExplorers}`;
    this.views = make(this.table);
    this.tabs = this.views.map((view, i) =>
      element(
        "button",
        {
          type: "button",
          role: "tab",
          id: `${id}-tab-${i}`,
          "aria-controls": `${id}-view-${i}`,
          "data-aew": `tab-${view.name}`,
          onclick: () => this.open(i),
        },
        view.title,
      ),
    );
    this.bodies = this.views.map((view, i) => bodyOf(view, `${id}-view-${i}`, `${id}-tab-${i}`));
    this.node = element(
      "section",
      { class: "aew-app aew-explorer", "data-aew": "explorer", "data-explorer": name, "aria-labelledby": id },
      element(
        "header",
        { class: "aew-explorer-head" },
        element("h2", { id }, title),
        element(
          "div",
          {
            class: "aew-tabs",
            role: "tablist",
            "aria-label": title,
            hidden: this.views.length > 1 ? null : "",
            onkeydown: (event) => this.pressed(event),
          },
          ...this.tabs,
        ),
      ),
      ...this.bodies,
      this.table.dialog,
    );
    // As for the labeling page: JupyterLab's and Notebook's own shortcuts look for this mark at the focused element.
    this.node.dataset.lmSuppressShortcuts = "true";
    this.node.addEventListener("focusin", ({ target }) => {
      if (target instanceof HTMLElement) target.dataset.lmSuppressShortcuts = "true";
    });
  }

  /** Shows a view; the others pause. */
  open(at: number): void {
    if (at === this.shown) return;
    this.views[this.shown]?.hide?.();
    this.shown = at;
    this.tabs.forEach((tab, i) => {
      tab.setAttribute("aria-selected", String(i === at));
      tab.tabIndex = i === at ? 0 : -1;
      this.bodies[i].hidden = i !== at;
    });
    this.views[at].show();
  }

  close(): void {
    for (const view of this.views) {
      view.hide?.();
      view.close?.();
    }
  }

  private pressed(event: KeyboardEvent): void {
    if (isForeign(event)) return;
    const last = this.views.length - 1;
    const to = { ArrowRight: this.shown + 1, ArrowLeft: this.shown - 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.open((to + last + 1) % (last + 1));
    this.tabs[this.shown].focus();
  }
}

function bodyOf(view: View, id: string, tab: string): HTMLElement {
  const said = element(
    "div",
    { class: "aew-said" },
    element("p", {}, tied(view.see)),
    element("p", {}, hint(), tied(view.play)),
  );
  const side = element("div", { class: "aew-explorer-side" }, said, ...view.controls);
  const main = element("div", { class: "aew-explorer-main" }, view.finding, ...view.plots);
  const attributes = { class: "aew-explorer-body", role: "tabpanel", id, "aria-labelledby": tab, hidden: "" };
  return element("div", attributes, side, main);
}

const hint = (): HTMLElement => element("strong", {}, "Try: ");

/** Updates a finding if it differs; it is read out once no more of it `isComing`. */
export function say(node: HTMLElement, text: string, isComing = false): void {
  node.setAttribute("aria-busy", String(isComing));
  setText(node, tied(text));
}

/** Numbers and their percent signs on one line. */
const tied = (text: string): string => text.replace(/(\d) %/g, "$1\u00a0%");
