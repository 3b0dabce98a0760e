import { onceClicked } from "../dom/double_click";
import { element, keyCap, setText, uniqueId } from "../dom/element";
import type { LabelValue, NumberConfig } from "../from_python/messages";
import { type KeyHelp, targetOf } from "../keys/key_names";
import { flash } from "./choice_buttons";
import type { Give, LabelControls } from "./label_controls";
import {
  type DecimalMark,
  markOf,
  meaningsOf,
  numberIn,
  onGrid,
  problemOf,
  problemOfNumber,
  rangeText,
  roundStep,
  TYPED_IN_NUMBERS,
  withUnit,
} from "./typed_numbers";

/** Keys that decide whether "200,000" is 200000 or 200. Not digits, which belong to a fast typist's next number. */
const MEANT_BY: Record<string, DecimalMark> = { a: ".", b: "," };

/** A range with two ends has a slider. */
interface Slider {
  node: HTMLInputElement;
  low: number;
  high: number;
  step: number;
}

/** Labels that are numbers: typed, or moved with the arrows if the range has two ends. */
export class NumberLabels implements LabelControls {
  readonly node: HTMLElement;
  private readonly range: string;
  private readonly field: HTMLInputElement;
  private readonly submit: HTMLButtonElement;
  private readonly hint = element("p", { id: uniqueId("aew-number-hint"), class: "aew-hint", "aria-live": "polite" });
  private readonly slider: Slider | null = null;
  private isEnabled = false;
  private isReplaced = false; // whether typed text replaces an earlier number
  private mark: DecimalMark | null; // how numbers are written here, if known
  private shown: { text: string; number: number } | null = null; // a number that the page wrote itself
  private readonly choice = element("div", {
    class: "aew-number-choice",
    role: "group",
    "aria-label": "Which number is meant",
    "data-aew": "number-choice",
    hidden: "",
  });

  constructor(
    private readonly config: NumberConfig,
    private readonly give: Give,
  ) {
    const { low, high, unit } = config;
    this.mark = config.decimal_mark;
    this.range = rangeText(config);
    this.field = element("input", {
      type: "text",
      inputmode: "decimal",
      class: "aew-number-field",
      "data-aew": "number",
      autocomplete: "off",
      "aria-label": unit === null ? "Number" : `Number, in ${unit[1]}`,
      "aria-describedby": this.hint.id,
      oninput: () => this.changed(),
    });
    this.submit = element(
      "button",
      { class: "aew-label aew-submit", "data-aew": "submit", onclick: onceClicked(() => this.save()) },
      keyCap("Enter"),
      element("span", {}, "Save"),
    );
    const shownUnit = unit === null ? [] : [element("span", { class: "aew-unit", "aria-hidden": "true" }, unit[1])];
    this.node = element(
      "div",
      { class: "aew-number-label" },
      element("div", { class: "aew-number-row" }, this.field, ...shownUnit, this.submit),
    );
    if (low !== null && high !== null) {
      const node = element("input", {
        type: "range",
        min: low,
        max: high,
        step: "any",
        class: "aew-slider",
        "aria-label": "Number, by arrows",
        oninput: () => this.set(this.onGrid(Number(node.value))),
      });
      this.slider = { node, low, high, step: roundStep(high - low) };
      this.node.append(node);
    }
    this.node.append(this.choice, this.hint);
    this.set(null);
  }

  show(_content: HTMLElement | null, previous: LabelValue | undefined): void {
    this.set(typeof previous === "number" ? previous : null);
    this.isReplaced = true;
  }

  setEnabled(isEnabled: boolean): void {
    if (this.isEnabled === isEnabled) return;
    this.isEnabled = isEnabled;
    this.submit.disabled = !isEnabled;
    this.field.readOnly = !isEnabled;
    if (this.slider) this.slider.node.disabled = !isEnabled;
  }

  press(event: KeyboardEvent): boolean {
    if (!this.isEnabled) return false;
    const isInField = targetOf(event) === this.field;
    if (!this.choice.hidden && (event.key === "Escape" || event.key.toLowerCase() in MEANT_BY)) {
      const mark = MEANT_BY[event.key.toLowerCase()];
      if (mark === undefined) this.changed();
      else if (!event.repeat) this.choose(mark);
    } else if (event.key === "Enter") {
      if (!event.repeat) this.save();
    } else if (this.moveBy(event)) {
      return true;
    } else if (!isInField && event.key === "Backspace") {
      // Also if there is nothing to delete: one press too many must not undo the previous label.
      this.field.value = this.field.value.slice(0, -1);
      this.changed();
    } else if (isInField || event.repeat || !TYPED_IN_NUMBERS.test(event.key)) {
      return false;
    } else {
      this.field.value = (this.isReplaced ? "" : this.field.value) + event.key;
      this.changed();
    }
    return true;
  }

  showKeys(): void {}

  help(): KeyHelp[] {
    const rows: KeyHelp[] = [
      [["digits"], `type ${this.range}`],
      [[keyCap("Enter")], "save and go on"],
    ];
    if (this.slider) {
      const meaning = `${this.slider.step} less or more; with Shift ten times that`;
      rows.push([[keyCap("←"), keyCap("→")], meaning]);
    }
    return rows;
  }

  private moveBy(event: KeyboardEvent): boolean {
    const steps = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (this.slider === null || steps === undefined) return false;
    const { low, high, step } = this.slider;
    const present = this.number;
    // The first press only shows the middle.
    const next = Number.isNaN(present) ? (low + high) / 2 : present + (event.shiftKey ? 10 : 1) * steps * step;
    this.set(this.onGrid(next));
    return true;
  }

  private onGrid(number: number): number {
    if (this.slider === null) return number;
    return onGrid(number, this.slider.step, this.slider.low, this.slider.high);
  }

  private set(number: number | null): void {
    this.field.value = number === null ? "" : String(number);
    this.shown = number === null ? null : { text: this.field.value, number };
    this.changed();
  }

  private get text(): string {
    return this.field.value.trim();
  }

  private get isOwn(): boolean {
    return this.text === this.shown?.text;
  }

  private get number(): number {
    return this.shown !== null && this.isOwn ? this.shown.number : numberIn(this.text, this.mark);
  }

  private get problem(): string | null {
    return this.isOwn ? problemOfNumber(this.number, this.config) : problemOf(this.text, this.config, this.mark);
  }

  /** The numbers that the text may be; null if it is unambiguous. */
  private get meanings(): Record<DecimalMark, number> | null {
    return this.isOwn ? null : meaningsOf(this.text);
  }

  private changed(): void {
    this.isReplaced = false;
    this.choice.hidden = true;
    this.hint.hidden = false;
    const problem = this.text === "" ? null : this.problem;
    const number = this.number;
    this.field.setAttribute("aria-invalid", String(problem !== null));
    this.hint.classList.toggle("aew-error", problem !== null);
    setText(this.hint, problem ?? this.meaningText ?? `Enter ${this.range}${this.slider ? ", or use ← →" : ""}.`);
    if (this.slider === null) return;
    const { node, low, high } = this.slider;
    if (problem === null) node.value = String(Number.isNaN(number) ? (low + high) / 2 : number);
    node.classList.toggle("aew-unset", Number.isNaN(number));
  }

  /** The message for a text that may be two numbers. */
  private get meaningText(): string | null {
    if (this.meanings === null) return null;
    if (this.mark !== null) return `${this.text} is read as ${withUnit(this.number, this.config)}.`;
    const [first, second] = Object.values(this.meanings).map((number) => withUnit(number, this.config));
    return `${this.text} is ${first} or ${second}: after Enter you choose.`;
  }

  private save(): void {
    if (this.text === "") {
      setText(this.hint, `Enter ${this.range} first.`);
      this.hint.classList.add("aew-error");
      return;
    }
    if (this.problem !== null) return;
    if (this.meanings !== null && this.mark === null) {
      this.ask(this.meanings);
      return;
    }
    const mark = markOf(this.text);
    // If typed numbers are written differently than the file's, ambiguous ones are asked about.
    if (!this.isOwn && mark !== null && this.mark !== null && mark !== this.mark) this.mark = null;
    if (this.give(this.number, withUnit(this.number, this.config))) flash(this.submit);
  }

  /** Nothing is saved until it is known which of two numbers is meant. */
  private ask(meanings: Record<DecimalMark, number>): void {
    const buttons = Object.entries(MEANT_BY).map(([key, mark]) =>
      element(
        "button",
        {
          class: "aew-label",
          "data-value": String(meanings[mark]),
          "aria-keyshortcuts": key,
          onclick: onceClicked(() => {
            this.node.closest<HTMLElement>(".aew-app")?.focus(); // the removed button would lose the focus
            this.choose(mark);
          }),
        },
        keyCap(key.toUpperCase()),
        element("span", {}, withUnit(meanings[mark], this.config)),
      ),
    );
    const question = element("span", { role: "alert" }, `Which number is ${this.text}?`);
    this.choice.replaceChildren(question, ...buttons);
    this.choice.hidden = false;
    this.hint.hidden = true;
  }

  /** Numbers are read in this way from now on. */
  private choose(mark: DecimalMark): void {
    this.mark = mark;
    this.changed();
    if (this.problem === null) this.save();
    else this.mark = null;
  }
}
