// A panel as large as the window, in its own dialog; it returns to its place when that is closed.

import { makeDialog } from "../dom/dialog";

export function enlarged(panel: HTMLElement, title: string): void {
  const place = document.createComment("");
  const dialog = makeDialog("enlarge", title);
  const root = panel.closest(".aew-front-end") ?? panel.parentElement;
  panel.replaceWith(place);
  dialog.append(panel);
  dialog.addEventListener("close", () => {
    place.replaceWith(panel);
    dialog.remove();
  });
  root?.append(dialog);
  dialog.showModal();
  panel.querySelector<HTMLElement>(".aew-plot")?.focus();
}
