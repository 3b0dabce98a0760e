// A button with a menu: opened by a click, Enter or the arrow keys; arrows move in it, Esc closes it.

import { element } from "../dom/element";
import { takeKey } from "../keys/key_names";

interface MenuItem {
  text: string;
  run: () => void;
}

export function menuButton(label: string, items: MenuItem[]): HTMLElement {
  const buttons = items.map(({ text, run }) =>
    element(
      "button",
      {
        role: "menuitem",
        tabindex: -1,
        onclick: () => {
          close(true);
          run();
        },
      },
      text,
    ),
  );
  const list = element("div", { class: "aew-menu-list", role: "menu", "aria-label": label, hidden: "" }, ...buttons);
  const opener = element(
    "button",
    {
      class: "aew-menu-opener",
      "aria-haspopup": "menu",
      "aria-expanded": "false",
      "aria-label": label,
      title: label,
      onclick: () => (list.hidden ? open(0) : close(true)),
    },
    "⋯",
  );
  const node = element(
    "div",
    {
      class: "aew-menu",
      onkeydown: (event) => {
        const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
        const n = buttons.length;
        const next = { ArrowDown: at + 1, ArrowUp: at - 1 + n, Home: 0, End: n - 1 }[event.key];
        if (event.key === "Escape" && !list.hidden) close(true);
        else if (event.key === "Tab" && !list.hidden) {
          close(false);
          return;
        } else if (next === undefined || (list.hidden && !event.key.startsWith("Arrow"))) return;
        else if (list.hidden) open(event.key === "ArrowUp" ? n - 1 : 0);
        else buttons[next % n]?.focus();
        takeKey(event);
      },
      onfocusout: (event) => {
        if (!node.contains(event.relatedTarget as Node | null)) close(false);
      },
    },
    opener,
    list,
  );

  function open(at: number): void {
    list.hidden = false;
    opener.setAttribute("aria-expanded", "true");
    buttons[at]?.focus();
  }

  function close(takesFocus: boolean): void {
    if (list.hidden) return;
    list.hidden = true;
    opener.setAttribute("aria-expanded", "false");
    if (takesFocus) opener.focus();
  }

  return node;
}
