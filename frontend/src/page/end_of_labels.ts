import { onceClicked } from "../dom/double_click";
import { element, setText } from "../dom/element";
import type { State } from "../from_python/messages";

interface Callbacks {
  showResult: () => void;
  goOn: () => void;
}

/** Replaces the instance once nothing is left to label. */
export class EndOfLabels {
  readonly node: HTMLElement;
  /** The way to the result. */
  readonly result: HTMLButtonElement;
  private readonly text = element("p");
  private readonly goOn: HTMLButtonElement;

  constructor({ showResult, goOn }: Callbacks) {
    this.result = element("button", {
      class: "aew-label aew-main",
      "data-action": "result",
      onclick: onceClicked(showResult),
    });
    this.goOn = element(
      "button",
      { class: "aew-label aew-quiet", "data-action": "go_on", onclick: goOn },
      "Label more",
    );
    this.node = element("div", { class: "aew-done" }, this.text, this.result, this.goOn);
  }

  show({ done_text, can_lift_budget }: State): void {
    setText(this.text, done_text);
    this.goOn.hidden = !can_lift_budget;
  }
}
