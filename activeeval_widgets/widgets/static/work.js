// The work area: the question, the instance, the label's controls, and the actions. Built once; then only texts
// and attributes change.

const LABEL_KINDS = { number: NumberLabels, grades: GradeLabels };

function makeLabels(config, keys, give) {
  const Kind = config.kind === "class" ? (config.is_searched ? SearchedLabels : ClassLabels) : LABEL_KINDS[config.kind];
  return new Kind(config, keys, give);
}

function buildWork(act, note) {
  const work = {
    question: element("h2", { id: "aew-question" }),
    marks: element("span", { class: "aew-marks", "data-aew": "marks" }),
    number: element("span", { class: "aew-number" }),
    back: element("button", { type: "button", class: "aew-action aew-back", hidden: "", onclick: () => act("back") }, key("Esc"), "Back"),
    guidelines: new Guidelines(),
    note,
    instance: element("div", { class: "aew-instance", "data-aew": "instance" }),
    prediction: element("p", { class: "aew-prediction", "data-aew": "prediction", hidden: "" }),
    labels: element("div", { class: "aew-labels", role: "group", "aria-labelledby": "aew-question" }),
    actions: element("div", { class: "aew-actions", role: "group", "aria-label": "Actions" }),
    status: element("p", { class: "aew-status", role: "status", "data-aew": "status" }),
  };
  work.node = element("section", { class: "aew-work", "aria-label": "Labeling" },
    element("div", { class: "aew-asked" }, work.question, work.marks, work.number, work.back),
    work.guidelines.node, work.instance, work.note.node, work.prediction, work.labels, work.actions, work.status);

  work.showActions = (actions, keys) => {
    work.actions.replaceChildren(...actions.filter(({ text }) => text !== "").map(({ name, text, meaning }) => {
      const names = keys.keysOf(`action ${name}`);
      return element("button", {
        type: "button", class: "aew-action", "data-action": name, title: meaning, "aria-keyshortcuts": names.join(" "),
        onclick: name === "undo" ? () => act(name) : onceClicked(() => act(name)),
      }, ...keyCaps(names.slice(0, 1)), text);
    }));
  };
  return work;
}
