// Dialogs take the keys while they are open: the browser keeps the focus in them, closes them with Esc, and gives
// the focus back to where it was.

function makeDialog(name, title, ...children) {
  const id = `aew-${name}-title`;
  const dialog = element("dialog", {
    class: `aew-dialog aew-${name}`, role: "dialog", "aria-modal": "true", "aria-labelledby": id, "data-aew": name,
  });
  const close = element("button", { type: "button", class: "aew-action aew-close", onclick: () => dialog.close() }, key("Esc"), "Close");
  dialog.append(element("div", { class: "aew-dialog-head" }, element("h2", { id }, title), close), ...children);
  return dialog;
}

// The list of all keys, and the way to what has no button elsewhere.
function makeHelp(act) {
  const rows = element("div", { class: "aew-help-rows" });
  const where = element("p", { class: "aew-hint" });
  const dialog = makeDialog("help", "Keys", rows, where);
  const row = (caps, ...meaning) => element("p", {}, element("span", {}, ...caps), element("span", {}, ...meaning));
  return {
    dialog,
    show(others, actions, keys, sessionText) {
      setText(where, sessionText);
      rows.replaceChildren(
        ...others.map(([caps, meaning]) => row(caps, meaning)),
        ...actions.map(({ name, meaning, is_rare: isRare }) => row(keyCaps(keys.keysOf(`action ${name}`)), !isRare ? meaning
          : element("button", { type: "button", class: "aew-action aew-go", "data-action": name, onclick: () => {
            dialog.close();
            act(name);
          } }, meaning))));
    },
  };
}

// Why an instance is excluded: a usual reason by its number or by its first letters, or one's own words, or nothing.
function makeReasons(exclude) {
  const list = element("div", { class: "aew-reasons" });
  const field = element("input", {
    type: "text", "aria-label": "Another reason", placeholder: "Type to find a reason or to add one", maxlength: "500", oninput: () => find(),
  });
  const what = element("span");
  const done = (reason) => {
    dialog.close();
    exclude(reason);
  };
  let reasons = [];
  let found = null; // the reason that what is typed begins

  function find() {
    const typed = folded(field.value.trim());
    found = typed === "" ? null : reasons.find((reason) => folded(reason).startsWith(typed)) ?? null;
    [...list.children].forEach((button, i) => button.toggleAttribute("data-found", reasons[i] === found));
    setText(what, found !== null ? `Exclude: ${found}` : field.value.trim() !== "" ? "Exclude: as typed" : "Exclude");
  }
  const submit = () => done(found ?? field.value.trim());
  // No form: JupyterLab does not let one be submitted by Enter.
  const other = element("div", { class: "aew-reason-other" }, field,
    element("button", { type: "button", class: "aew-label aew-quiet", onclick: submit }, key("Enter"), what));
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing || event.repeat) return;
    event.preventDefault();
    submit();
  });
  const dialog = makeDialog("exclude_because", "Why can't it be labeled?", list, other);
  dialog.addEventListener("keydown", (event) => {
    if (isForeign(event) || event.repeat || isTextField(event.target)) return;
    const chosen = /^[1-9]$/.test(event.key) ? reasons[Number(event.key) - 1] : undefined;
    if (chosen !== undefined) done(chosen);
    else if (event.key.length === 1 && event.key !== " ") { // what is typed is a reason, wherever the focus is
      field.focus();
      field.value += event.key;
      find();
    } else return;
    event.preventDefault();
  });
  return {
    dialog,
    setReasons(given) {
      reasons = given;
      list.replaceChildren(...reasons.map((reason, i) => element("button", {
        type: "button", class: "aew-label aew-quiet", onclick: () => done(reason),
      }, ...(i < 9 ? [key(String(i + 1))] : []), element("span", {}, reason))));
    },
    open() {
      field.value = "";
      find();
      dialog.showModal();
      (list.firstElementChild ?? field).focus();
    },
  };
}
