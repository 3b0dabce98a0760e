// The work area: the question, the instance, the label's controls, and the actions. Built once; then only texts
// and attributes change.

const LABEL_KINDS = { number: NumberLabels, grades: GradeLabels };

function makeLabels(config, keys, give) {
  const Kind = config.kind === "class" ? (config.is_searched ? SearchedLabels : ClassLabels) : LABEL_KINDS[config.kind];
  return new Kind(config, keys, give);
}

function buildWork(act) {
  const work = {
    question: element("h2", { id: "aew-question" }),
    number: element("span", { class: "aew-number" }),
    instance: element("div", { class: "aew-instance", "data-aew": "instance" }),
    prediction: element("p", { class: "aew-prediction", "data-aew": "prediction", hidden: "" }),
    labels: element("div", { class: "aew-labels", role: "group", "aria-labelledby": "aew-question" }),
    actions: element("div", { class: "aew-actions", role: "group", "aria-label": "Actions" }),
    status: element("p", { class: "aew-status", role: "status", "data-aew": "status" }),
  };
  work.node = element("section", { class: "aew-work", "aria-label": "Labeling" },
    element("div", { class: "aew-asked" }, work.question, work.number),
    work.instance, work.prediction, work.labels, work.actions, work.status);

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

// A dialog that takes the keys while it is open, and gives the focus back.
function makeDialog(name, title, ...children) {
  const id = `aew-${name}-title`;
  const dialog = element("dialog", { class: `aew-dialog aew-${name}`, role: "dialog", "aria-labelledby": id, "data-aew": name });
  const close = element("button", { type: "button", class: "aew-action aew-close", onclick: () => dialog.close() }, key("Esc"), "Close");
  dialog.append(element("h2", { id }, title), ...children, close);
  return dialog;
}

function makeHelp() {
  const rows = element("div", { class: "aew-help-rows" });
  const dialog = makeDialog("help", "Keys", rows);
  return {
    dialog,
    show(labels, actions, keys) {
      rows.replaceChildren(...[
        ...labels.help(),
        ...actions.map(({ name, meaning }) => [keyCaps(keys.keysOf(`action ${name}`)), meaning]),
      ].map(([caps, meaning]) => element("p", {}, element("span", {}, ...caps), element("span", {}, meaning))));
    },
  };
}

function toggle(dialog) {
  if (dialog.open) dialog.close();
  else dialog.showModal();
}
