// Dialogs have the keys while they are open: the browser keeps the focus in them, closes them with Esc, and returns
// the focus to where it was.

import { type Child, element, keyCap, uniqueId } from "./element";

export function makeDialog(name: string, title: string, ...children: Child[]): HTMLDialogElement {
  const id = uniqueId(`aew-${name}-title`);
  const dialog = element("dialog", {
    class: `aew-dialog aew-${name}`,
    role: "dialog",
    "aria-modal": "true",
    "aria-labelledby": id,
    "data-aew": name,
  });
  const close = element(
    "button",
    { class: "aew-action aew-close", onclick: () => dialog.close() },
    keyCap("Esc"),
    "Close",
  );
  dialog.append(element("div", { class: "aew-dialog-head" }, element("h2", { id }, title), close), ...children);
  return dialog;
}
