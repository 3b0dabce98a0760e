// Controls: native inputs with their labels, and the value in words beside them.

import { percentText } from "../text/numbers";
import { element, setText } from "./element";

let nControls = 0; // ids are unique in the page

/** By default, a share from 0 to 1. */
interface SliderOptions {
  name: string;
  label: string;
  low?: number;
  high?: number;
  step?: number;
  value: number;
  text?: (value: number) => string;
}

/** A slider with its value beside its label. `onMove` is called while it is moved. */
export class Slider {
  readonly node: HTMLElement;
  private readonly input: HTMLInputElement;
  private readonly output = element("output");
  private readonly text: (value: number) => string;

  constructor(
    { name, label, low = 0, high = 1, step = 0.01, value, text = (share) => percentText(share) }: SliderOptions,
    onMove: () => void,
  ) {
    nControls += 1;
    const id = `aew-slider-${nControls}`;
    this.text = text;
    this.input = element("input", {
      type: "range",
      id,
      class: "aew-slider",
      "data-aew": name,
      min: low,
      max: high,
      step,
      value,
      oninput: () => {
        this.showText();
        onMove();
      },
    });
    this.output.setAttribute("for", id);
    const head = element("div", { class: "aew-slider-head" }, element("label", { for: id }, label), this.output);
    this.node = element("div", { class: "aew-control" }, head, this.input);
    this.showText();
  }

  get value(): number {
    return Number(this.input.value);
  }

  set value(value: number) {
    this.input.value = String(value);
    this.showText();
  }

  private showText(): void {
    const text = this.text(this.value);
    setText(this.output, text);
    this.input.setAttribute("aria-valuetext", text);
  }
}

/** One of a few values, by radio buttons. */
export class Choice<T extends string> {
  readonly node: HTMLElement;
  private readonly inputs: HTMLInputElement[];

  constructor(name: string, label: string, choices: [T, string][], onChoose: () => void) {
    nControls += 1;
    const group = `aew-choice-${nControls}`;
    this.inputs = choices.map(([value], i) =>
      element("input", { type: "radio", name: group, value, checked: i === 0 ? "" : null, onchange: onChoose }),
    );
    const labels = choices.map(([, text], i) => element("label", {}, this.inputs[i], text));
    this.node = element(
      "fieldset",
      { class: "aew-control aew-choice", "data-aew": name },
      element("legend", {}, label),
      ...labels,
    );
  }

  get value(): T {
    return (this.inputs.find((input) => input.checked) ?? this.inputs[0]).value as T;
  }

  set value(value: T) {
    for (const input of this.inputs) input.checked = input.value === value;
  }
}

export const button = (name: string, text: string, act: () => void): HTMLButtonElement =>
  element("button", { "data-aew": name, onclick: act }, text);
