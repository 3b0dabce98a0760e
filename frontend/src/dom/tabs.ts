// A row of tabs. Arrow keys, Home and End open the next, the first and the last.

import { isForeign, takeKey } from "../keys/key_names";
import { element, uniqueId } from "./element";

export class Tabs {
  readonly node: HTMLElement;
  readonly buttons: HTMLButtonElement[];
  private shown = 0;

  /** `open` is called with the position of the tab to show. */
  constructor(
    label: string,
    tabs: { name: string; title: string }[],
    private readonly open: (at: number) => void,
  ) {
    this.buttons = tabs.map(({ name, title }, i) => {
      const id = uniqueId(`aew-tab-${name}`);
      const onclick = () => this.open(i);
      return element("button", { role: "tab", id, "data-aew": `tab-${name}`, onclick }, title);
    });
    this.node = element(
      "div",
      { class: "aew-tabs", role: "tablist", "aria-label": label, onkeydown: (event) => this.pressed(event) },
      ...this.buttons,
    );
  }

  /** Marks the tab that is shown. */
  show(at: number): void {
    this.shown = at;
    this.buttons.forEach((tab, i) => {
      tab.setAttribute("aria-selected", String(i === at));
      tab.tabIndex = i === at ? 0 : -1;
    });
  }

  private pressed(event: KeyboardEvent): void {
    if (isForeign(event)) return;
    const n = this.buttons.length;
    const to = { ArrowRight: this.shown + 1, ArrowLeft: this.shown - 1, Home: 0, End: n - 1 }[event.key];
    if (to === undefined) return;
    takeKey(event);
    this.open((to + n) % n);
    this.buttons[this.shown].focus();
  }
}
