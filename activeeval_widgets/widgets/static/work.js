// The work area: the question, the instance, the label's controls, and the actions. Built once; then only texts
// and attributes change.

const LABEL_KINDS = { number: NumberLabels, grades: GradeLabels };

function makeLabels(config, keys, give) {
  const Kind = config.kind === "class" ? (config.is_searched ? SearchedLabels : ClassLabels) : LABEL_KINDS[config.kind];
  return new Kind(config, keys, give);
}

function buildWork(act, note, banner) {
  const work = {
    question: element("h2", { id: "aew-question" }),
    marks: element("span", { class: "aew-marks", "data-aew": "marks" }),
    number: element("span", { class: "aew-number" }),
    back: element("button", { type: "button", class: "aew-action aew-back", hidden: "", onclick: () => act("back") }, key("Esc"), "Back"),
    guidelines: new Guidelines(),
    problem: element("div", { class: "aew-banner", role: "alert", "data-aew": "problem", hidden: "" }),
    note,
    instance: element("div", { class: "aew-instance", "data-aew": "instance" }),
    prediction: element("p", { class: "aew-prediction", "data-aew": "prediction", hidden: "" }),
    labels: element("div", { class: "aew-labels", role: "group", "aria-labelledby": "aew-question" }),
    actions: element("div", { class: "aew-actions", role: "group", "aria-label": "Actions" }),
    status: element("p", { class: "aew-status", role: "status", "data-aew": "status" }),
  };
  // What comes and goes shares the area with the instance: so the labels stay where they are.
  work.area = element("div", { class: "aew-area" },
    banner, work.problem, work.guidelines.node, work.instance, work.prediction, work.note.node);
  work.node = element("section", { class: "aew-work", "aria-label": "Labeling" },
    element("div", { class: "aew-asked" }, work.question, work.marks, work.number, work.guidelines.button, work.back),
    work.area, work.labels, element("div", { class: "aew-foot" }, work.actions, work.status));
  work.guidelines.button.addEventListener("click", onceClicked(() => act("guidelines")));

  // The rare ones are in the list of keys.
  work.showActions = (actions, keys) => {
    work.guidelines.button.replaceChildren(...keyCaps(keys.keysOf("action guidelines")), "Guidelines");
    work.actions.replaceChildren(...actions.filter(({ is_rare: isRare }) => !isRare).map(({ name, text, meaning }) => {
      const names = keys.keysOf(`action ${name}`);
      return element("button", {
        type: "button", class: "aew-action", "data-action": name, title: meaning, "aria-keyshortcuts": names.join(" "),
        onclick: name === "undo" ? () => act(name) : onceClicked(() => act(name)),
      }, ...keyCaps(names.slice(0, 1)), text);
    }));
  };
  return work;
}
