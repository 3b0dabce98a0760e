import { onceClicked } from "../dom/double_click";
import { type Child, element, keyCap } from "../dom/element";
import type { Choice } from "../from_python/messages";
import type { KeyMap } from "../keys/key_map";
import { keyCaps } from "../keys/key_names";

const MAX_SHORT = 12; // labels in one row, or in two

/** Shows that a button was pressed. */
export function flash(button: HTMLElement): void {
  button.classList.remove("aew-pressed");
  void button.offsetWidth; // restarts the animation
  button.classList.add("aew-pressed");
}

/** The buttons of classes or grades. */
export class ChoiceButtons {
  readonly buttons: HTMLButtonElement[];
  private readonly isShort: boolean;

  /** `words`, if any, explain each label. */
  constructor(
    readonly choices: Choice[],
    private readonly keys: KeyMap,
    press: (i: number) => void,
    private readonly words: string[] | null = null,
  ) {
    this.buttons = choices.map((choice, i) =>
      element("button", {
        class: "aew-label",
        "data-aew": "label",
        "data-value": choice.text,
        onclick: onceClicked(() => press(i)),
      }),
    );
    // Short labels are in one row, or in two equal ones if there is less room.
    const areShort = choices.every((choice) => choice.text.length <= 3);
    this.isShort = choices.length <= MAX_SHORT && areShort && words === null;
    this.showKeys();
  }

  layOut(node: HTMLElement): void {
    const n = this.buttons.length;
    const fit = this.choices.every(({ text }) => text.length <= 12);
    node.classList.toggle("aew-short", this.isShort);
    node.classList.toggle("aew-balanced", !this.isShort && n > 6 && n <= MAX_SHORT && fit);
    node.style.setProperty("--aew-columns", String(n));
    node.style.setProperty("--aew-half-columns", String(Math.ceil(n / (n > 6 ? 2 : 1))));
  }

  showKeys(): void {
    this.buttons.forEach((button, i) => {
      const { text } = this.choices[i];
      const names = this.keys.keysOf(`label ${i}`);
      const isItsText = names.length === 1 && names[0] === text.toLowerCase();
      // Only one key: two adjacent ones would look like a number. It is not part of the label's name.
      const caps = isItsText ? [] : keyCaps(names.slice(0, 1));
      for (const cap of caps) cap.setAttribute("aria-hidden", "true");
      const word = this.words === null ? [] : [" ", element("span", { class: "aew-word" }, this.words[i])];
      button.replaceChildren(...caps, element("span", {}, text), ...word);
      if (names.length > 0) button.setAttribute("aria-keyshortcuts", names.join(" "));
      else button.removeAttribute("aria-keyshortcuts");
    });
  }

  mark(i: unknown): void {
    this.buttons.forEach((button, j) => {
      if (i === j) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    });
  }

  help(): Child[] {
    const names = this.buttons.flatMap((_, i) => this.keys.keysOf(`label ${i}`).slice(0, 1));
    const isRun = names.every((name, i) => i === 0 || name.charCodeAt(0) === names[i - 1].charCodeAt(0) + 1);
    if (names.length <= 3 || !isRun) return keyCaps(names);
    return [keyCap(names[0]), " – ", keyCap(names[names.length - 1])];
  }
}
