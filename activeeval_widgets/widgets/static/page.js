// The part of the page that is not a plot: built once, then only its texts and attributes change.

function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== null) node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
}

const setText = (node, text) => {
  if (node.textContent !== text) node.textContent = text;
};

// Call `then` with what `find` finds, now or as soon as a change of the page brings it.
function whenever(find, then, signal) {
  const found = find();
  if (found) {
    then(found);
    return;
  }
  const observer = new MutationObserver(() => {
    const late = find();
    if (!late) return;
    observer.disconnect();
    then(late);
  });
  observer.observe(document, { childList: true, subtree: true });
  signal.addEventListener("abort", () => observer.disconnect());
}

const key = (name) => element("kbd", {}, name);

function actionButton(name, keyName, text, act) {
  return element("button", { type: "button", class: "aew-action", "data-action": name, onclick: () => act(name) },
    key(keyName), text);
}

function buildPage(act, label) {
  const page = {
    title: element("h1"),
    session: element("span", { class: "aew-session" }),
    sessions: element("select", { class: "aew-sessions", "aria-label": "Session", hidden: "" }),
    newSession: element("button", {
      type: "button", class: "aew-action", "data-action": "new_session", hidden: "",
      onclick: () => act("new_session"),
    }, "New session"),
    banner: element("div", { class: "aew-banner", role: "alert", hidden: "" }),
    bannerText: element("span"),
    reload: element("button", { type: "button", class: "aew-action", onclick: () => location.reload() }, "Reload"),
    question: element("h2", { id: "aew-question" }),
    number: element("span", { class: "aew-number" }),
    instance: element("div", { class: "aew-instance", "data-aew": "instance" }),
    prediction: element("p", { class: "aew-prediction", "data-aew": "prediction", hidden: "" }),
    labels: element("div", { class: "aew-labels", role: "group", "aria-labelledby": "aew-question" }),
    status: element("p", { class: "aew-status", role: "status", "data-aew": "status" }),
    help: element("div", { class: "aew-help", role: "dialog", "aria-label": "Keys", "data-aew": "help", hidden: "" }),
    helpLabels: element("span"),
  };
  page.banner.append(page.bannerText, page.reload);

  page.actions = element("div", { class: "aew-actions" },
    actionButton("undo", "U", "Undo", act),
    actionButton("defer", "L", "Later", act),
    actionButton("exclude", "X", "Exclude", act),
    actionButton("prediction", "P", "Prediction", act),
    actionButton("panels", "V", "View", act),
    actionButton("help", "?", "Keys", act));

  page.help.append(
    element("h2", {}, "Keys"),
    ...[
      [page.helpLabels, "label, save and go on"],
      [element("span", {}, key("U"), key("Backspace")), "undo the last answer"],
      [key("L"), "put aside, ask again later"],
      [key("X"), "exclude: can't be labeled"],
      [key("P"), "show or hide the model's prediction"],
      [key("V"), "choose what is shown"],
      [key("?"), "show or hide this"],
    ].map(([keys, meaning]) => element("p", {}, keys, element("span", {}, meaning))),
    element("button", { type: "button", class: "aew-action", onclick: () => act("close") }, key("Esc"), "Close"));

  page.work = element("section", { class: "aew-work", "aria-label": "Labeling" },
    element("div", { class: "aew-asked" }, page.question, page.number),
    page.instance, page.prediction, page.labels, page.actions, page.status, page.help);

  page.header = element("header", { class: "aew-header" },
    page.title, page.session, page.sessions, page.newSession);

  page.showLabels = (choices) => {
    page.labels.replaceChildren(...choices.map((choice, i) =>
      element("button", { type: "button", class: "aew-label", "data-aew": "label", "data-value": choice.value,
        "aria-keyshortcuts": choice.key, onclick: (event) => label(i, event) },
      ...(choice.key === choice.text || choice.key === null ? [choice.text] : [key(choice.key), choice.text]))));
    // Short labels stand in one row, or in two equal ones where there is less room.
    const isShort = choices.length <= 12 && choices.every((choice) => choice.text.length <= 3);
    page.labels.classList.toggle("aew-short", isShort);
    page.labels.style.setProperty("--aew-columns", choices.length);
    page.labels.style.setProperty("--aew-half-columns", Math.ceil(choices.length / (choices.length > 6 ? 2 : 1)));
    const keys = choices.map((choice) => choice.key).filter((k) => k !== null);
    const isRun = keys.length > 3 && keys.every((k, i) => i === 0 || k.charCodeAt(0) === keys[i - 1].charCodeAt(0) + 1);
    page.helpLabels.replaceChildren(...(isRun ? [key(keys[0]), " – ", key(keys.at(-1))] : keys.map(key)));
  };
  return page;
}
