// The names of keys, and when keys must not act.

import { keyCap } from "../dom/element";

const TEXT_FIELDS = "input:not([type=checkbox], [type=range]), textarea, select, [role=textbox]";

export const isTextField = (target: unknown): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches(TEXT_FIELDS)) &&
  target.closest("dialog:not([open])") === null; // where the focus still is until the next frame

/** The possible names of a keydown, the most exact first. */
export function keyNames(event: Pick<KeyboardEvent, "key" | "shiftKey">): string[] {
  if (event.key.length > 1) return [event.key];
  const key = event.key.toLowerCase();
  return event.shiftKey && key !== key.toUpperCase() ? [`Shift+${key}`, key] : [key];
}

/** Whether a key is meant for something else: the browser, the system, or an input method. */
export const isForeign = (event: KeyboardEvent): boolean =>
  event.ctrlKey || event.metaKey || event.altKey || event.isComposing;

/** The element that an event is about: inside a shadow root, its own target is the host. */
export const targetOf = (event: Event): EventTarget | undefined => event.composedPath()[0];

/** Whether a key presses the button or opens the link that has the focus. */
export const isPress = (event: KeyboardEvent, target: unknown): boolean =>
  (event.key === "Enter" || event.key === " ") &&
  target instanceof Element &&
  target.closest("button, summary, a") !== null;

/** Whether keys move the value of an input, which takes no text. */
export const isMovedByKeys = (target: unknown): boolean =>
  target instanceof Element && target.matches("input[type=range], input[type=radio]");

/** Keeps a key that was handled from the browser and from what is around. */
export function takeKey(event: KeyboardEvent): void {
  event.preventDefault();
  event.stopPropagation();
}

const SHOWN: Record<string, string> = {
  ArrowUp: "↑",
  ArrowDown: "↓",
  ArrowLeft: "←",
  ArrowRight: "→",
  Escape: "Esc",
  " ": "Space",
  "-": "−",
};

/** A key's name on buttons. */
export function shownKey(name: string): string {
  const [last, shift] = name.startsWith("Shift+") ? [name.slice(6), "⇧"] : [name, ""];
  return shift + (SHOWN[last] ?? (last.length === 1 ? last.toUpperCase() : last));
}

export const keyCaps = (names: string[]): HTMLElement[] => names.map((name) => keyCap(shownKey(name)));

/** A line of the list of keys: the keys, and what they do. */
export type KeyHelp = [caps: (Node | string)[], meaning: string];
