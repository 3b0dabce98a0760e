// The goal: how many more labels it takes, whether it is reached, and a dialog to change it.

import { remember, remembered } from "../dom/browser_storage";
import { makeDialog } from "../dom/dialog";
import { onceClicked } from "../dom/double_click";
import { element, keyCap, setText } from "../dom/element";
import type { ActionName, GoalContent, GoalField, GoalPreview, SetGoal } from "../from_python/messages";
import { takeKey } from "../keys/key_names";

type Fields = SetGoal["fields"];

/** The cost of a goal is requested once typing has paused this long. */
const PAUSE_MS = 250;

const EXPLAINED =
  "The page shows how many more labels it takes and when you can stop. Leave a field empty if it doesn't matter. A “likely” range holds about four times in five.";

export class GoalPanel {
  readonly box: HTMLElement;
  readonly dialog: HTMLDialogElement;
  /** The way to the result, offered once the goal is reached. */
  readonly result: HTMLButtonElement;
  private readonly lines = element("div", { class: "aew-plan", "data-aew": "plan" });
  private readonly advice = element("p", { class: "aew-advice", "aria-live": "polite", "data-aew": "advice" });
  private readonly fields = element("div");
  private readonly cost = element("div", { class: "aew-preview", "aria-live": "polite", "data-aew": "goal-preview" });
  private timer: number | undefined;
  private readonly inputs = new Map<string, HTMLInputElement>();
  private scope = "";
  private hasResult = true;

  /** `send` and `ask` get the goal's parts by name, numbers or null: to set it, and to request its cost. */
  constructor(
    private readonly send: (fields: Fields) => void,
    private readonly ask: (fields: Fields) => void,
    act: (name: ActionName) => void,
  ) {
    const change = element(
      "button",
      { class: "aew-action", "data-action": "goal", onclick: onceClicked(() => act("goal")) },
      "Change goal",
    );
    this.result = element("button", {
      class: "aew-see-result",
      "data-action": "result",
      hidden: "",
      onclick: onceClicked(() => act("result")),
    });
    this.box = element("div", { class: "aew-goal-box" }, this.advice, change, this.result, this.lines);
    this.dialog = makeDialog(
      "goal",
      "Goal",
      element("p", { class: "aew-explained" }, EXPLAINED),
      this.fields,
      this.cost,
      element("button", { class: "aew-label aew-quiet", onclick: () => this.submit() }, keyCap("Enter"), "Set goal"),
    );
    // Not a form, because JupyterLab prevents Enter from submitting one.
    this.fields.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.isComposing || event.repeat) return;
      takeKey(event);
      this.submit();
    });
    this.fields.addEventListener("input", () => {
      clearTimeout(this.timer);
      this.timer = window.setTimeout(() => this.askForCost(), PAUSE_MS);
    });
    this.dialog.addEventListener("close", () => clearTimeout(this.timer));
  }

  /** Offers no way to the result: a separate estimate has none. */
  leaveOutResult(): void {
    this.hasResult = false;
  }

  /** Uses the last goal of such a session as a default. */
  begin(scope: string): void {
    this.scope = `activeeval-widgets:goal:${scope}`;
    const kept = remembered<Fields | null>(this.scope, null);
    if (kept !== null && typeof kept === "object") this.send(kept);
  }

  /** Focuses the first field, so that typed text replaces its content. */
  open(): void {
    this.dialog.showModal();
    const [first] = this.inputs.values();
    first?.focus();
    first?.select();
    this.cost.replaceChildren();
    this.askForCost();
  }

  /** Shows the cost of the typed goal, or what is wrong with it. */
  preview({ lines, error }: GoalPreview): void {
    if (!this.dialog.open || [...this.inputs.values()].some((input) => !input.validity.valid)) return;
    this.showCost(lines, error);
  }

  private showCost(lines: string[], error: string): void {
    const shown = error === "" ? lines : [error];
    this.cost.replaceChildren(...shown.map((line) => element("p", error === "" ? {} : { class: "aew-problem" }, line)));
  }

  private askForCost(): void {
    const wrong = [...this.inputs.values()].find((input) => !input.validity.valid);
    if (wrong !== undefined) this.showCost([], wrong.validationMessage);
    else if (this.dialog.open) this.ask(this.typed());
  }

  private typed(): Fields {
    const typed: Fields = {};
    for (const [name, input] of this.inputs) {
      if (input.type === "checkbox") typed[name] = input.checked ? 0 : null;
      else typed[name] = input.value === "" ? null : input.valueAsNumber;
    }
    return typed;
  }

  show({ lines, advice, fields }: GoalContent): void {
    const shown = lines.length === 0 && advice === "" ? ["No goal set."] : lines;
    this.lines.replaceChildren(...shown.map((line) => element("p", {}, line)));
    setText(this.advice, advice);
    this.result.hidden = advice === "" || !this.hasResult;
    if (this.dialog.open) return;
    this.inputs.clear();
    this.fields.replaceChildren(
      ...fields.map((field) => {
        const input = inputOf(field);
        this.inputs.set(field.name, input);
        const unit = element("span", {}, field.unit);
        return element("label", { class: "aew-field" }, element("span", {}, field.text), input, unit);
      }),
    );
  }

  private submit(): void {
    for (const input of this.inputs.values()) {
      if (!input.reportValidity()) return; // the browser shows what is wrong with it
    }
    const goal = this.typed();
    this.dialog.close();
    // The margin is stored with the session, because it does not apply to others.
    const { margin: _, ...own } = goal;
    remember(this.scope, own);
    this.send(goal);
  }
}

function inputOf({ name, value, is_choice }: GoalField): HTMLInputElement {
  if (is_choice) {
    const input = element("input", { type: "checkbox", name });
    input.checked = value !== null;
    return input;
  }
  const least = name === "threshold" ? {} : { min: "0" };
  const input = element("input", { type: "number", step: "any", name, ...least });
  input.value = String(value ?? "");
  return input;
}
