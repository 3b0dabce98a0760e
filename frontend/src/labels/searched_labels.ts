import { onceClicked } from "../dom/double_click";
import { element, keyCap } from "../dom/element";
import { focusedFrom } from "../dom/surroundings";
import type { ClassConfig, LabelValue } from "../from_python/messages";
import type { KeyMap } from "../keys/key_map";
import { isForeign, type KeyHelp, keyNames, takeKey } from "../keys/key_names";
import { flash } from "./choice_buttons";
import type { Give, LabelControls } from "./label_controls";
import { folded, found } from "./text_search";

const MAX_SHOWN = 200;
const N_RECENT = 9;

/** Labels that are classes, more than there are keys: they are found by typing. */
export class SearchedLabels implements LabelControls {
  readonly node: HTMLElement;
  private readonly texts: string[];
  private readonly plain: string[];
  private isEnabled = false;
  private recent: number[] = []; // positions of labels, the latest first
  private found: number[] = [];
  private active = 0; // position in `found`
  private selected: HTMLElement | null = null;
  private readonly recentButtons: HTMLButtonElement[];
  private readonly options: HTMLElement[];
  private readonly field = element("input", {
    type: "text",
    class: "aew-search",
    role: "combobox",
    autocomplete: "off",
    spellcheck: "false",
    "aria-label": "Find a label",
    "aria-expanded": "true",
    "aria-controls": "aew-found",
    "aria-autocomplete": "list",
    placeholder: "Type to find a label",
    oninput: () => this.filter(),
    onkeydown: (event) => this.typed(event),
  });
  private readonly list = element("div", {
    id: "aew-found",
    class: "aew-found",
    role: "listbox",
    "aria-label": "Labels",
  });
  private readonly none = element("p", { class: "aew-hint", hidden: "" }, "No label matches.");

  constructor(
    { choices }: ClassConfig,
    private readonly keys: KeyMap,
    private readonly give: Give,
  ) {
    this.texts = choices.map(({ text }) => text);
    this.plain = this.texts.map(folded);
    this.recentButtons = Array.from({ length: N_RECENT }, (_, k) =>
      element("button", { class: "aew-recent", hidden: "", onclick: onceClicked(() => this.label(this.recent[k])) }),
    );
    this.options = choices.map(({ text }, i) =>
      element(
        "div",
        {
          id: `aew-option-${i}`,
          role: "option",
          class: "aew-option",
          "data-aew": "label",
          "data-value": text,
          "aria-selected": "false",
          onclick: onceClicked(() => this.label(i)),
        },
        text,
      ),
    );
    this.node = element(
      "div",
      { class: "aew-searched" },
      element("div", { class: "aew-recents", role: "group", "aria-label": "Recent labels" }, ...this.recentButtons),
      this.field,
      this.list,
      this.none,
    );
    this.filter();
  }

  show(_content: HTMLElement | null, previous: LabelValue | undefined): void {
    this.options.forEach((option, i) => {
      option.classList.toggle("aew-given", i === previous);
    });
  }

  setEnabled(isEnabled: boolean): void {
    if (this.isEnabled === isEnabled) return;
    this.isEnabled = isEnabled;
    for (const button of this.recentButtons) button.disabled = !isEnabled;
    this.list.setAttribute("aria-disabled", String(!isEnabled));
  }

  /** A key outside the field: a digit repeats a recent label, a letter starts a search. */
  press(event: KeyboardEvent): boolean {
    const name = keyNames(event)[0];
    if (/^[1-9]$/.test(name) && this.recent.length >= Number(name)) {
      if (!event.repeat) this.label(this.recent[Number(name) - 1]);
      return true;
    }
    const isTyped = event.key.length === 1 && /[\p{L}\p{N}]/u.test(event.key);
    if (!isTyped || this.keys.meaningOf(event) !== null) return false;
    this.field.focus({ preventScroll: true });
    this.field.value += event.key;
    this.filter();
    return true;
  }

  showKeys(): void {}

  help(): KeyHelp[] {
    return [
      [["letters"], "find a label; ↑ ↓ choose, Enter labels, Esc leaves"],
      [[keyCap("1"), " – ", keyCap("9")], "a recent label again"],
    ];
  }

  private typed(event: KeyboardEvent): void {
    if (isForeign(event)) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      this.activate(this.active + step);
    } else if (event.key === "Enter") {
      if (!event.repeat && this.found.length > 0) this.label(this.found[this.active]);
    } else if (event.key === "Escape" || (event.key === "Backspace" && this.field.value === "" && !event.repeat)) {
      this.leave();
    } else return;
    takeKey(event);
  }

  private filter(): void {
    this.found = found(this.plain, folded(this.field.value.trim()), this.recent);
    this.list.replaceChildren(...this.found.slice(0, MAX_SHOWN).map((i) => this.options[i]));
    this.none.hidden = this.found.length > 0;
    this.list.hidden = this.found.length === 0;
    this.activate(0);
  }

  private activate(position: number): void {
    this.selected?.setAttribute("aria-selected", "false");
    const last = Math.min(this.found.length, MAX_SHOWN) - 1;
    this.active = Math.max(0, Math.min(position, last));
    const option = this.options[this.found[this.active]];
    if (option === undefined || this.field.value === "") {
      this.field.removeAttribute("aria-activedescendant");
      if (this.field.value === "" && position === 0) return;
    }
    if (option === undefined) return;
    this.selected = option;
    option.setAttribute("aria-selected", "true");
    this.field.setAttribute("aria-activedescendant", option.id);
    // Not scrollIntoView, which would scroll the page, too.
    const { offsetTop, offsetHeight } = option;
    if (offsetTop < this.list.scrollTop) this.list.scrollTop = offsetTop;
    else if (offsetTop + offsetHeight > this.list.scrollTop + this.list.clientHeight) {
      this.list.scrollTop = offsetTop + offsetHeight - this.list.clientHeight;
    }
  }

  private label(i: number): void {
    if (!this.give(i, this.texts[i])) return;
    this.recent = [i, ...this.recent.filter((j) => j !== i)].slice(0, N_RECENT);
    this.recentButtons.forEach((button, k) => {
      button.hidden = k >= this.recent.length;
      if (button.hidden) return;
      button.replaceChildren(keyCap(String(k + 1)), element("span", {}, this.texts[this.recent[k]]));
    });
    flash(this.recentButtons[0]);
    this.leave();
  }

  private leave(): void {
    const hadFocus = this.node.contains(focusedFrom(this.node));
    if (this.field.value !== "") {
      this.field.value = "";
      this.filter();
    }
    if (hadFocus) this.node.closest<HTMLElement>(".aew-app")?.focus({ preventScroll: true });
  }
}
