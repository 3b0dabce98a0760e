// Elements built by hand: text is text, never markup.

type Handlers = { [K in keyof HTMLElementEventMap as `on${K}`]?: (event: HTMLElementEventMap[K]) => void };

/** Attributes, those that are null left out, and listeners by "on" and the event's name. */
export interface Attributes extends Handlers {
  [name: string]: string | number | null | undefined | ((event: never) => void);
}

export type Child = Node | string;

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name.slice(2), value as EventListener);
    else if (value !== null && value !== undefined) node.setAttribute(name, String(value));
  }
  node.append(...children);
  return node;
}

/** Changes the text only where it differs: what is selected or read out stays. */
export function setText(node: Element, text: string): void {
  if (node.textContent !== text) node.textContent = text;
}

export const keyCap = (name: string): HTMLElement => element("kbd", {}, name);

/** A share of a width, as styles have it. */
export const percent = (share: number): string => `${(100 * share).toFixed(2)}%`;

/** An id that no other element has: the name, and from the second on a number. */
export function uniqueId(name: string): string {
  let id = name;
  for (let n = 2; used.has(id) || document.getElementById(id) !== null; n += 1) id = `${name}-${n}`;
  used.add(id);
  return id;
}

const used = new Set<string>();
