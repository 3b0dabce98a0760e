import { onceClicked } from "../dom/double_click";
import { element, keyCap, setText } from "../dom/element";
import type { LabelValue, NumberConfig } from "../from_python/messages";
import type { KeyMap } from "../keys/key_map";
import type { KeyHelp } from "../keys/key_names";
import { flash } from "./choice_buttons";
import type { Give, LabelControls } from "./index";
import { numberIn, onGrid, problemOf, rangeText, roundStep, TYPED_IN_NUMBERS, withUnit } from "./typed_numbers";

/** A range with two ends has a slider. */
interface Slider {
  node: HTMLInputElement;
  low: number;
  high: number;
  step: number;
}

/** Labels that are numbers: typed, or moved with the arrows where the range has two ends. */
export class NumberLabels implements LabelControls {
  readonly node: HTMLElement;
  private readonly range: string;
  private readonly field: HTMLInputElement;
  private readonly submit: HTMLButtonElement;
  private readonly hint = element("p", { id: "aew-number-hint", class: "aew-hint", "aria-live": "polite" });
  private readonly slider: Slider | null = null;
  private isEnabled = false;
  private isReplaced = false; // whether what is typed takes the place of an earlier number

  constructor(
    private readonly config: NumberConfig,
    _keys: KeyMap,
    private readonly give: Give,
  ) {
    const { low, high, unit } = config;
    this.range = rangeText(config);
    this.field = element("input", {
      type: "text",
      inputmode: "decimal",
      class: "aew-number-field",
      "data-aew": "number",
      autocomplete: "off",
      "aria-label": unit === null ? "Number" : `Number, in ${unit[1]}`,
      "aria-describedby": "aew-number-hint",
      oninput: () => this.changed(),
    });
    this.submit = element(
      "button",
      {
        type: "button",
        class: "aew-label aew-submit",
        "data-aew": "submit",
        onclick: onceClicked(() => this.save()),
      },
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
    this.node.append(this.hint);
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
    const isInField = event.composedPath()[0] === this.field;
    if (event.key === "Enter") {
      if (!event.repeat) this.save();
    } else if (this.moveBy(event)) {
      return true;
    } else if (!isInField && event.key === "Backspace") {
      // Also where nothing is left to delete: one press too many must not undo the label before.
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
    const present = numberIn(this.field.value);
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
    this.changed();
  }

  private changed(): void {
    this.isReplaced = false;
    const text = this.field.value.trim();
    const problem = text === "" ? null : problemOf(text, this.config);
    const number = numberIn(text);
    this.field.setAttribute("aria-invalid", String(problem !== null));
    this.hint.classList.toggle("aew-error", problem !== null);
    setText(this.hint, problem ?? `Enter ${this.range}${this.slider ? ", or use ← →" : ""}.`);
    if (this.slider === null) return;
    const { node, low, high } = this.slider;
    if (problem === null) node.value = String(Number.isNaN(number) ? (low + high) / 2 : number);
    node.classList.toggle("aew-unset", Number.isNaN(number));
  }

  private save(): void {
    if (this.field.value.trim() === "") {
      setText(this.hint, `Enter ${this.range} first.`);
      this.hint.classList.add("aew-error");
      return;
    }
    if (problemOf(this.field.value, this.config) !== null) return;
    const number = numberIn(this.field.value);
    if (this.give(number, withUnit(number, this.config))) flash(this.submit);
  }
}
