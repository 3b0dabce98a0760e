import { makeDialog } from "../dom/dialog";
import { element, setText } from "../dom/element";
import type { ActionConfig } from "../from_python/messages";
import type { KeyMap } from "./key_map";
import { isForeign, keyCaps, keyNames, shownKey, takeKey } from "./key_names";

/** The dialog for personal keys, for the labels and the actions; the browser remembers them. */
export class KeySettings {
  readonly dialog: HTMLDialogElement;
  private readonly rows = element("div", { class: "aew-key-rows" });
  private readonly status = element("p", { class: "aew-hint", role: "status" });
  private keys: KeyMap | null = null;
  private names: Record<string, string> = {};
  private buttons: Record<string, HTMLButtonElement> = {};
  private waiting: string | null = null; // the id that waits for its key

  constructor(private readonly onChange: () => void) {
    const reset = element(
      "button",
      { class: "aew-label aew-quiet", "data-aew": "reset-keys", onclick: () => this.reset() },
      "Reset all keys",
    );
    this.dialog = makeDialog("settings", "Change the keys", this.status, this.rows, reset);
    this.dialog.addEventListener("keydown", (event) => this.pressed(event));
    this.dialog.addEventListener("cancel", (event) => {
      if (this.waiting === null) return;
      event.preventDefault(); // the first Esc ends the waiting, the second one closes
      this.wait(null);
    });
    this.dialog.addEventListener("close", () => this.wait(null));
  }

  show(keys: KeyMap, actions: ActionConfig[]): void {
    this.keys = keys;
    this.names = Object.fromEntries([
      ...keys.texts.map((text, i) => [`label ${i}`, text]),
      ...actions.map(({ name, text, meaning }) => [`action ${name}`, text || meaning]),
    ]);
    this.buttons = {};
    this.rows.replaceChildren(
      ...Object.entries(this.names).map(([id, name]) => {
        const button = element("button", { class: "aew-key-button", "data-key-of": id, onclick: () => this.wait(id) });
        this.buttons[id] = button;
        return element("p", {}, element("span", {}, name), button);
      }),
    );
    this.wait(null);
  }

  private wait(id: string | null): void {
    this.waiting = id;
    for (const [other, button] of Object.entries(this.buttons)) {
      const names = this.keys?.keysOf(other) ?? [];
      button.replaceChildren(...(other === id ? ["press a key"] : names.length > 0 ? keyCaps(names) : ["none"]));
      const keys = other === id ? "press the new key" : names.map(shownKey).join(", ") || "none";
      button.setAttribute("aria-label", `Key of ${this.names[other]}: ${keys}`);
      button.setAttribute("aria-pressed", String(other === id));
    }
    this.say(
      id === null
        ? "Choose an action, then press its new key."
        : `Press the new key for ${this.names[id]}. Esc cancels.`,
    );
  }

  private pressed(event: KeyboardEvent): void {
    const id = this.waiting;
    if (this.keys === null || id === null) return;
    if (isForeign(event) || event.repeat || event.key.length > 1) return;
    takeKey(event);
    const name = keyNames(event)[0];
    const holder = this.keys.holder(name, id);
    const problem =
      event.key === " "
        ? "The space bar presses buttons and scrolls. Press another key."
        : this.keys.isTaken(name, id)
          ? `${shownKey(name)} has another use here. Press another key.`
          : holder !== null
            ? `${shownKey(name)} is the key of ${this.names[holder]}. Change that first, or press another key.`
            : null;
    if (problem !== null) {
      this.say(problem, true);
      return;
    }
    this.keys.change(id, name);
    this.wait(null);
    this.say(`${shownKey(name)} is the key of ${this.names[id]}.`);
    this.onChange();
  }

  private reset(): void {
    this.keys?.reset();
    this.wait(null);
    this.say("All keys are reset.");
    this.onChange();
  }

  private say(text: string, isError = false): void {
    setText(this.status, text);
    this.status.classList.toggle("aew-error", isError);
  }
}
