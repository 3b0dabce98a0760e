// The goal: how many more labels it takes, what is reached, and a dialog to change it.

const goalKey = (scope) => `activeeval-widgets:goal:${scope}`;

// `send` gets the goal's parts by name, numbers or null.
class GoalPanel {
  constructor(send, act) {
    this.send = send;
    this.lines = element("div", { class: "aew-plan", "data-aew": "plan" });
    this.advice = element("p", { class: "aew-advice", "aria-live": "polite", "data-aew": "advice" });
    this.change = element("button", { type: "button", class: "aew-action", "data-action": "goal", onclick: onceClicked(() => act("goal")) }, "Change goal");
    this.result = element("button", { type: "button", class: "aew-see-result", "data-action": "result", hidden: "", onclick: onceClicked(() => act("result")) });
    this.box = element("div", { class: "aew-goal-box" }, this.advice, this.result, this.lines, this.change);
    this.fields = element("div");
    this.dialog = makeDialog("goal", "Goal",
      element("p", { class: "aew-explained" }, "The page shows how many more labels it takes and when you can stop. "
        + "Leave a field empty if it doesn't matter."),
      this.fields,
      element("button", { type: "button", class: "aew-label aew-quiet", onclick: () => this.submit() }, key("Enter"), "Set goal"));
    // No form: JupyterLab does not let one be submitted by Enter.
    this.fields.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.isComposing || event.repeat) return;
      event.preventDefault();
      event.stopPropagation();
      this.submit();
    });
    this.inputs = new Map();
  }

  // What was wanted the last time for such a session is wanted again.
  begin(scope) {
    this.scope = goalKey(scope);
    const kept = remembered(this.scope, null);
    if (kept !== null && typeof kept === "object") this.send(kept);
  }

  // The first field has the focus, so that what is typed takes the place of what is there.
  open() {
    this.dialog.showModal();
    const [first] = this.inputs.values();
    first?.focus();
    first?.select();
  }

  show({ lines, advice, fields }) {
    this.lines.replaceChildren(...lines.map((line) => element("p", {}, line)));
    setText(this.advice, advice);
    this.result.hidden = advice === "";
    if (this.dialog.open) return;
    this.inputs.clear();
    this.fields.replaceChildren(...fields.map(({ name, text, unit, value }) => {
      const input = element("input", { type: "number", step: "any", name, ...(name === "threshold" ? {} : { min: "0" }) });
      input.value = value ?? "";
      this.inputs.set(name, input);
      return element("label", { class: "aew-field" }, element("span", {}, text), input, element("span", {}, unit));
    }));
  }

  submit() {
    const goal = {};
    for (const [name, input] of this.inputs) {
      if (!input.reportValidity()) return; // the browser says what is wrong with it
      goal[name] = input.value === "" ? null : input.valueAsNumber;
    }
    this.dialog.close();
    remember(this.scope, goal);
    this.send(goal);
  }
}
