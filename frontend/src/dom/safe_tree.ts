// Trees of elements from Python, built from code: text stays text, and what the list does not allow is refused.

import type { SafeTree } from "../from_python/messages";
import { SAFE } from "../from_python/safe_elements";

const SAFE_TAGS = new Set(SAFE.tags);
const SAFE_VALUES = Object.fromEntries(
  Object.entries(SAFE.attributes).map(([tag, names]) => [
    tag,
    Object.fromEntries(Object.entries(names).map(([name, pattern]) => [name, new RegExp(`^(?:${pattern})$`)])),
  ]),
);
const SAFE_PROTOCOLS = new Set(["http:", "https:", "mailto:"]);

export function buildTree(node: SafeTree): HTMLElement {
  const [tag, attributes, children] = node;
  if (!SAFE_TAGS.has(tag)) throw new Error(`the tag ${tag} is not allowed`);
  const built = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    const pattern = SAFE_VALUES["*"][name] ?? SAFE_VALUES[tag]?.[name];
    if (!pattern?.test(value) || (name === "href" && !SAFE_PROTOCOLS.has(new URL(value).protocol))) {
      throw new Error(`${name} of ${tag} is not allowed`);
    }
    built.setAttribute(name, value);
  }
  if (built instanceof HTMLAnchorElement) {
    built.target = "_blank";
    built.rel = "noopener noreferrer";
  }
  for (const child of children) built.append(typeof child === "string" ? child : buildTree(child));
  return built;
}

/** The tree in some bytes. */
export const readTree = (bytes: DataView): HTMLElement => buildTree(JSON.parse(new TextDecoder().decode(bytes)));

/** Replaces an image or an instance that only the browser finds to be broken. */
export function brokenContent(description: string, reason: string): HTMLElement {
  return buildTree([
    "div",
    { class: "aew-broken" },
    [
      ["p", {}, [["strong", {}, [`${description} can't be shown.`]]]],
      ["p", {}, [reason]],
      ["p", {}, ["You can exclude it and go on."]],
    ],
  ]);
}
