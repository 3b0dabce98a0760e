import { describe, expect, it } from "vitest";
import { isForeign, isTextField, keyNames, shownKey } from "../src/keys/key_names";

const press = (key: string, shiftKey = false) => ({ key, shiftKey });

describe("the names of a key", () => {
  it.each([
    [press("a"), ["a"]],
    [press("A", true), ["Shift+a", "a"]],
    [press("A"), ["a"]], // caps lock
    [press("?", true), ["?"]], // a sign has no other name
    [press("Enter", true), ["Enter"]],
    [press("é"), ["é"]],
  ])("%o: %o", (event, names) => {
    expect(keyNames(event)).toEqual(names);
  });
});

describe("a key as it is written", () => {
  it.each([
    ["a", "A"],
    ["Shift+x", "⇧X"],
    ["ArrowUp", "↑"],
    ["Escape", "Esc"],
    [" ", "Space"],
    ["-", "−"],
    ["PageDown", "PageDown"],
  ])("%s: %s", (name, shown) => {
    expect(shownKey(name)).toBe(shown);
  });
});

describe("a key that is meant for something else", () => {
  it.each(["ctrlKey", "metaKey", "altKey", "isComposing"])("%s", (name) => {
    expect(isForeign(new KeyboardEvent("keydown", { key: "a", [name]: true }))).toBe(true);
  });

  it("is none with Shift alone", () => {
    expect(isForeign(new KeyboardEvent("keydown", { key: "A", shiftKey: true }))).toBe(false);
  });
});

describe("a text field", () => {
  const made = (tag: string, attributes: Record<string, string> = {}) => {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    return node;
  };

  it.each([
    [made("input", { type: "text" }), true],
    [made("input", { type: "range" }), false],
    [made("input", { type: "checkbox" }), false],
    [made("textarea"), true],
    [made("select"), true],
    [made("div", { role: "textbox" }), true],
    [made("button"), false],
  ])("%o: %o", (node, isOne) => {
    expect(isTextField(node)).toBe(isOne);
  });

  it("is no document, and nothing", () => {
    expect(isTextField(document)).toBe(false);
    expect(isTextField(undefined)).toBe(false);
  });
});
