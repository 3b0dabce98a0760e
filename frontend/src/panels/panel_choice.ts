// The panels beside the instance: which are shown, in which order; the browser remembers it.

import { remember, remembered } from "../dom/browser_storage";
import { makeDialog } from "../dom/dialog";
import { element } from "../dom/element";
import type { PanelConfig } from "../from_python/messages";

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

type Panel = Pick<PanelConfig, "name" | "title" | "is_hidden_at_first">;

export class PanelChoice {
  readonly dialog: HTMLDialogElement;
  isLabelerView: boolean;
  showsWald: boolean;
  private readonly panels = new Map<string, { title: string; node: HTMLElement }>();
  /** The names of all known panels: this session's, and others' that the browser remembers. */
  private readonly order: string[];
  private readonly hidden: Set<string>;
  /** Those that a person has seen in the dialog. */
  private readonly known: Set<string>;
  private readonly rows = element("div", { class: "aew-panel-rows" });
  private root: HTMLElement | null = null;
  /** The last opened panel, while the dialog is open. */
  private opened: string | null = null;

  /** `onOpened` is called with the panel opened in the dialog, once that is closed. */
  constructor(
    private readonly onChange: () => void,
    private readonly onOpened: (name: string) => void = () => {},
  ) {
    const kept = remembered<Kept>(STORAGE, {});
    const isKept = Array.isArray(kept.order) && Array.isArray(kept.hidden);
    this.order = Array.isArray(kept.order) ? kept.order : [];
    this.hidden = new Set(isKept ? kept.hidden : []);
    this.known = new Set(isKept ? kept.order : []);
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
  }

  /** Adds a panel: at its last place in the browser's memory, otherwise after the one that was added before. */
  add({ name, title, is_hidden_at_first }: Panel, node: HTMLElement): void {
    const before = [...this.panels.keys()].at(-1);
    this.panels.set(name, { title, node });
    if (!this.order.includes(name))
      this.order.splice(before === undefined ? 0 : this.order.indexOf(before) + 1, 0, name);
    if (is_hidden_at_first && !this.known.has(name)) this.hidden.add(name);
    this.buildRows();
    this.apply();
  }

  /** The names of this session's panels that are shown. */
  get shown(): string[] {
    return this.present.filter((name) => !this.hidden.has(name) && !this.isLabelerView);
  }

  private get present(): string[] {
    return this.order.filter((name) => this.panels.has(name));
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
    root.toggleAttribute("data-labeler-view", this.isLabelerView);
    for (const [name, { node }] of this.panels) {
      node.style.order = String(this.order.indexOf(name));
      node.style.display = this.hidden.has(name) ? "none" : "";
    }
  }

  private changed(): void {
    const { order, isLabelerView, showsWald } = this;
    remember(STORAGE, { order, hidden: [...this.hidden], isLabelerView, showsWald });
    this.apply();
    this.onChange();
  }

  private buildRows(): void {
    this.rows.replaceChildren(
      ...this.present.map((name, i, { length }) => {
        const title = this.panels.get(name)?.title ?? name;
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
              disabled: i + step >= 0 && i + step < length ? null : "",
              onclick: () => this.move(name, step, text),
            },
            step < 0 ? "↑" : "↓",
          );
        return element("div", { class: "aew-panel-row", "data-panel": name }, box, move(-1, "up"), move(1, "down"));
      }),
    );
  }

  /** Moves a panel past the next one of this session. */
  private move(name: string, step: number, text: string): void {
    const { present, order } = this;
    const to = present.indexOf(name) + step;
    const next = present[to];
    order.splice(order.indexOf(name), 1);
    order.splice(order.indexOf(next) + (step > 0 ? 1 : 0), 0, name);
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
