// Elements built from code: text is text, never markup.

type Handlers = { [K in keyof HTMLElementEventMap as `on${K}`]?: (event: HTMLElementEventMap[K]) => void };

/** Attributes, except those that are null, and listeners by "on" and the event's name. */
interface Attributes extends Handlers {
  [name: string]: string | number | null | undefined | ((event: never) => void);
}

export type Child = Node | string;

/** Makes an element; a button submits no form unless its type says so. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  if (node instanceof HTMLButtonElement) node.type = "button";
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name.slice(2), value as EventListener);
    else if (value !== null && value !== undefined) node.setAttribute(name, String(value));
  }
  node.append(...children);
  return node;
}

/** Changes the text only if it differs, so that a selection or a screen reader is not disturbed. */
export function setText(node: Element, text: string): void {
  if (node.textContent !== text) node.textContent = text;
}

/** Shows a text, or hides the node if there is none. */
export function showText(node: HTMLElement, text: string | null | undefined): void {
  node.hidden = !text;
  setText(node, text ?? "");
}

/** Rebuilds the children only if their content differs, so that focus and open lists stay. Returns whether it did. */
export function rebuild(node: HTMLElement, content: unknown, build: () => Child[]): boolean {
  const json = JSON.stringify(content);
  if (node.dataset.json === json && node.hasChildNodes()) return false;
  node.dataset.json = json;
  node.replaceChildren(...build());
  return true;
}

/** The options of a select, from values and texts. */
export const optionsOf = (options: (readonly [value: string | number, text: string])[]): HTMLOptionElement[] =>
  options.map(([value, text]) => element("option", { value }, text));

export const keyCap = (name: string): HTMLElement => element("kbd", {}, name);

/** A share of a width, as in styles. */
export const percent = (share: number): string => `${(100 * share).toFixed(2)}%`;

/** An id that no other element has: the name, with a number from the second on. */
export function uniqueId(name: string): string {
  let id = name;
  for (let n = 2; used.has(id) || document.getElementById(id) !== null; n += 1) id = `${name}-${n}`;
  used.add(id);
  return id;
}

const used = new Set<string>();
