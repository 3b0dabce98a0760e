// Labels that are numbers: typed, or moved with the arrows where the range has two ends.

const STEPS = 100; // a slider's whole range in so many steps
const TYPED_IN_NUMBERS = /^[0-9.,+\-e]$/;

// A step of one, two or five times a power of ten.
function roundStep(range) {
  const power = 10 ** Math.floor(Math.log10(range / STEPS));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= (range / STEPS) * (1 - 1e-9));
}

const numberIn = (text) => (/^[+-]?(\d+([.,]\d*)?|[.,]\d+)(e[+-]?\d+)?$/i.test(text.trim()) ? Number(text.trim().replace(",", ".")) : NaN);

class NumberLabels {
  constructor({ low, high, unit }, keys, give) {
    Object.assign(this, { low, high, unit, keys, give });
    this.isEnabled = false;
    this.hasSlider = low !== null && high !== null;
    this.step = this.hasSlider ? roundStep(high - low) : 1;
    const written = (number) => String(number).replace("-", "−");
    const withUnit = (number) => `${written(number)}${unit === null ? "" : `\u00a0${Math.abs(number) === 1 ? unit[0] : unit[1]}`}`;
    this.withUnit = withUnit;
    this.range = this.hasSlider ? `a number from ${written(low)} to ${withUnit(high)}`
      : low !== null ? `a number from ${withUnit(low)} up` : high !== null ? `a number up to ${withUnit(high)}` : "a number";

    this.field = element("input", {
      type: "text", inputmode: "decimal", class: "aew-number-field", "data-aew": "number", autocomplete: "off",
      "aria-label": unit === null ? "Number" : `Number, in ${unit[1]}`, "aria-describedby": "aew-number-hint",
      oninput: () => this.changed(),
    });
    this.submit = element("button", { type: "button", class: "aew-label aew-submit", "data-aew": "submit",
      onclick: onceClicked(() => this.save()) }, key("Enter"), element("span", {}, "Save"));
    this.hint = element("p", { id: "aew-number-hint", class: "aew-hint", "aria-live": "polite" });
    this.node = element("div", { class: "aew-number-label" },
      element("div", { class: "aew-number-row" }, this.field,
        ...(unit === null ? [] : [element("span", { class: "aew-unit", "aria-hidden": "true" }, unit[1])]), this.submit));
    if (this.hasSlider) {
      this.slider = element("input", {
        type: "range", min: low, max: high, step: "any", class: "aew-slider", "aria-label": "Number, by arrows",
        oninput: () => this.set(this.onGrid(Number(this.slider.value))),
      });
      this.node.append(this.slider);
    }
    this.node.append(this.hint);
    this.set(null);
  }

  show(_content, previous) {
    this.set(previous ?? null);
    this.isReplaced = true; // what is typed takes the place of an earlier number
  }

  setEnabled(isEnabled) {
    if (this.isEnabled === isEnabled) return;
    this.isEnabled = isEnabled;
    this.submit.disabled = !isEnabled;
    this.field.readOnly = !isEnabled;
    if (this.slider) this.slider.disabled = !isEnabled;
  }

  press(event) {
    if (!this.isEnabled) return false;
    const isInField = event.composedPath()[0] === this.field;
    if (event.key === "Enter") {
      if (!event.repeat) this.save();
    } else if (this.hasSlider && this.moveBy(event)) {
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

  moveBy(event) {
    const steps = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (steps === undefined) return false;
    const present = numberIn(this.field.value);
    const from = Number.isNaN(present) ? (this.low + this.high) / 2 : present;
    this.set(this.onGrid(Number.isNaN(present) ? from : from + (event.shiftKey ? 10 : 1) * steps * this.step));
    return true;
  }

  // Rounded to the step, as a decimal number has no rest: 0.3, not 0.30000000000000004.
  onGrid(number) {
    const rounded = Math.round(number / this.step) * this.step;
    return Number(Math.min(this.high, Math.max(this.low, rounded)).toPrecision(12));
  }

  set(number) {
    this.field.value = number === null ? "" : String(number);
    this.changed();
  }

  changed() {
    this.isReplaced = false;
    const text = this.field.value.trim();
    const problem = text === "" ? null : this.problem();
    const number = numberIn(text);
    this.field.setAttribute("aria-invalid", String(problem !== null));
    this.hint.classList.toggle("aew-error", problem !== null);
    setText(this.hint, problem ?? `Enter ${this.range}${this.hasSlider ? ", or use ← →" : ""}.`);
    if (this.slider && problem === null) this.slider.value = Number.isNaN(number) ? (this.low + this.high) / 2 : number;
    this.slider?.classList.toggle("aew-unset", Number.isNaN(number));
  }

  problem() {
    const number = numberIn(this.field.value);
    if (!Number.isFinite(number)) return `Enter ${this.range}.`;
    if (this.low !== null && number < this.low) return `The minimum is ${this.withUnit(this.low)}.`;
    if (this.high !== null && number > this.high) return `The maximum is ${this.withUnit(this.high)}.`;
    return null;
  }

  save() {
    if (this.field.value.trim() === "") {
      setText(this.hint, `Enter ${this.range} first.`);
      this.hint.classList.add("aew-error");
      return;
    }
    if (this.problem() !== null) return;
    const number = numberIn(this.field.value);
    if (this.give(number, this.withUnit(number))) flash(this.submit);
  }

  showKeys() {}

  help() {
    const rows = [[["digits"], `type ${this.range}`], [[key("Enter")], "save and go on"]];
    if (this.hasSlider) rows.push([[key("←"), key("→")], `${this.step} less or more; with Shift ten times that`]);
    return rows;
  }
}
