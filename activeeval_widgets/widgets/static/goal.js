// What the labels are for: how many more it takes, what is reached, and a dialog to change it.

const goalKey = (scope) => `activeeval-widgets:goal:${scope}`;

// `send` gets the goal's parts by name, numbers or null.
class GoalPanel {
  constructor(send, act) {
    this.send = send;
    this.lines = element("div", { class: "aew-plan", "data-aew": "plan" });
    this.advice = element("p", { class: "aew-advice", "aria-live": "polite", "data-aew": "advice" });
    this.change = element("button", { type: "button", class: "aew-action", "data-action": "goal", onclick: onceClicked(() => act("goal")) }, "Change goal");
    this.box = element("div", { class: "aew-goal-box" }, this.advice, this.lines, this.change);
    this.fields = element("div");
    this.form = element("form", { method: "dialog", onsubmit: () => this.submit() },
      element("p", {}, "The page says how many more labels it takes, and when you can stop. Stopping is advice: "
        + "going on stays valid. Leave empty what does not matter."),
      this.fields,
      element("button", { type: "submit", class: "aew-label aew-quiet" }, key("Enter"), "Set"));
    this.dialog = makeDialog("goal", "What the labels are for", this.form);
    this.inputs = new Map();
  }

  // What was wanted the last time for such a session is wanted again.
  begin(scope) {
    this.scope = goalKey(scope);
    const kept = remembered(this.scope, null);
    if (kept !== null && typeof kept === "object") this.send(kept);
  }

  show({ lines, advice, fields }) {
    this.lines.replaceChildren(...lines.map((line) => element("p", {}, line)));
    setText(this.advice, advice);
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
    for (const [name, input] of this.inputs) goal[name] = input.value === "" ? null : input.valueAsNumber;
    remember(this.scope, goal);
    this.send(goal);
  }
}
