// The parts of a conversation that are shown on demand: the rest of long turns, and the reference answer.

import { element, keyCap } from "../dom/element";
import type { KeyMap } from "../keys/key_map";
import { countText } from "../text/numbers";

const ALL = "o"; // open; not a to e, which are often labels
const REFERENCE = "k"; // as in the key to an exercise

export class LongTexts {
  readonly bar: HTMLElement;
  /** The reference answer, below the answer to compare. */
  readonly panel = element("div", {
    class: "aew-expected",
    tabindex: "0",
    role: "group",
    "aria-label": "Reference answer",
    hidden: "",
  });
  private content: Element | null = null;
  private readonly references = new WeakMap<Element, Element>();
  private readonly all = element("button", { class: "aew-action", onclick: () => this.toggleAll() });
  private readonly reference = element("button", { class: "aew-action", onclick: () => this.toggleReference() });

  constructor() {
    const name = { class: "aew-text-bar", role: "group", "aria-label": "Long texts and reference", hidden: "" };
    this.bar = element("div", name, this.all, this.reference);
  }

  /** Folds long turns, and hides the reference answer. */
  prepare(content: Element): void {
    const reference = content.querySelector(".aew-reference");
    if (reference !== null) {
      reference.remove();
      this.references.set(content, reference);
    }
    for (const long of content.querySelectorAll<HTMLElement>(".aew-long")) {
      long.classList.add("aew-folded");
      const words = countText((long.textContent ?? "").length);
      const button = element(
        "button",
        { class: "aew-action aew-unfold", onclick: () => this.fold(long, false) },
        `Show all ${words} characters`,
      );
      long.after(button);
      // The focused element is visible.
      long.addEventListener("focusin", () => this.fold(long, false));
    }
  }

  /** What is hidden of an instance's content. */
  asideOf(content: Element): Element | null {
    return this.references.get(content) ?? null;
  }

  /** Uses what is shown now, in its initial state. */
  show(content: Element): void {
    this.content = content;
    makeReachable(content);
    this.foldAll(true);
    this.showReference(false);
    const reference = this.asideOf(content);
    this.panel.replaceChildren(...(reference === null ? [] : [reference]));
    this.bar.hidden = reference === null && this.longs.length === 0;
    this.reference.hidden = reference === null;
    this.all.hidden = this.longs.length === 0;
  }

  /** Returns whether the key was one of these. */
  onKey(event: KeyboardEvent): boolean {
    if (event.repeat || this.bar.hidden) return false;
    if (event.key.toLowerCase() === ALL && !this.all.hidden) this.toggleAll();
    else if (event.key.toLowerCase() === REFERENCE && !this.reference.hidden) this.toggleReference();
    else return false;
    return true;
  }

  /** Its keys, unless labels or actions use them. */
  help(keys: KeyMap): [string[], string][] {
    this.paint(keys);
    const rows: [string[], string][] = [];
    if (!this.all.hidden) rows.push([[ALL], "open or fold long texts"]);
    if (!this.reference.hidden) rows.push([[REFERENCE], "show or hide the reference answer"]);
    return this.bar.hidden ? [] : rows;
  }

  /** Whether a button shows its key depends on whether labels or actions use it. */
  paint(keys: KeyMap | null = this.keys): void {
    this.keys = keys;
    const isFolded = this.longs.some((long) => long.classList.contains("aew-folded"));
    this.name(this.all, ALL, isFolded ? "Open long texts" : "Fold long texts");
    this.all.setAttribute("aria-pressed", String(!isFolded));
    this.name(this.reference, REFERENCE, "Reference answer");
    this.reference.setAttribute("aria-pressed", String(!this.panel.hidden));
  }

  private keys: KeyMap | null = null;

  private name(button: HTMLElement, key: string, text: string): void {
    const isFree = this.keys === null || this.keys.isFree(key);
    const caps = isFree ? [keyCap(key.toUpperCase())] : [];
    if (button.textContent === caps.map((cap) => cap.textContent).join("") + text) return;
    button.replaceChildren(...caps, text);
  }

  private get longs(): HTMLElement[] {
    return [...(this.content?.querySelectorAll<HTMLElement>(".aew-long") ?? [])];
  }

  private toggleAll(): void {
    this.foldAll(!this.longs.some((long) => long.classList.contains("aew-folded")));
  }

  private foldAll(isFolded: boolean): void {
    for (const long of this.longs) this.fold(long, isFolded);
    this.paint();
  }

  private fold(long: HTMLElement, isFolded: boolean): void {
    const button = long.nextElementSibling;
    // A removed button would lose the focus.
    const hadFocus = !isFolded && button instanceof HTMLElement && button.matches(":focus");
    long.classList.toggle("aew-folded", isFolded);
    if (button instanceof HTMLElement) button.hidden = !isFolded;
    if (hadFocus) this.content?.closest<HTMLElement>(".aew-scroll")?.focus({ preventScroll: true });
    this.paint();
  }

  private toggleReference(): void {
    this.showReference(this.panel.hidden === true);
  }

  private showReference(isShown: boolean): void {
    const hadFocus = !isShown && this.panel.matches(":focus-within");
    this.panel.hidden = !isShown;
    this.panel.classList.toggle("aew-scroll", isShown);
    this.panel.scrollTop = 0;
    if (isShown) makeReachable(this.panel);
    if (hadFocus) this.reference.focus({ preventScroll: true });
    this.paint();
  }
}

/** Content that scrolls sideways can be reached by Tab, and has a name. */
function makeReachable(part: Element): void {
  for (const wide of part.querySelectorAll<HTMLElement>(".aew-pre, .aew-wide")) {
    if (wide.scrollWidth <= wide.clientWidth) continue;
    wide.tabIndex = 0;
    wide.setAttribute("role", "group");
    wide.setAttribute("aria-label", wide.matches(".aew-pre") ? `Code ${wide.title}`.trim() : "Table");
  }
}
