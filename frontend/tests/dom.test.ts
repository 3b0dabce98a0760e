import { afterEach, describe, expect, it, vi } from "vitest";
import { remember, remembered } from "../src/dom/browser_storage";
import { onceClicked } from "../src/dom/double_click";
import { element, setText } from "../src/dom/element";
import { brokenContent, buildTree } from "../src/dom/safe_tree";
import { whenFound } from "../src/dom/when_found";

afterEach(() => {
  vi.restoreAllMocks();
  localStorage.clear();
  document.body.replaceChildren();
});

describe("what the browser remembers", () => {
  it("comes back", () => {
    remember("a", { b: [1, null] });
    expect(remembered("a", {})).toEqual({ b: [1, null] });
    remember("a", false);
    expect(remembered("a", true)).toBe(false);
  });

  it("is replaced where there is nothing, or nothing that can be read", () => {
    expect(remembered("none", 7)).toBe(7);
    localStorage.setItem("bad", "{");
    expect(remembered("bad", 7)).toBe(7);
    localStorage.setItem("null", "null");
    expect(remembered("null", 7)).toBe(7);
  });

  it("is nothing where the browser forbids it, and nothing fails", () => {
    const forbidden = () => {
      throw new DOMException("denied", "SecurityError");
    };
    vi.stubGlobal("localStorage", { getItem: forbidden, setItem: forbidden });
    remember("a", 1);
    expect(remembered("a", 7)).toBe(7);
    vi.unstubAllGlobals();
  });
});

describe("a double click", () => {
  const click = (detail: number, timeStamp: number) => {
    const event = new MouseEvent("click", { detail });
    Object.defineProperty(event, "timeStamp", { value: timeStamp });
    return event;
  };

  it("counts once", () => {
    const act = vi.fn();
    const listener = onceClicked(act);
    listener(click(1, 1000));
    listener(click(2, 1200));
    expect(act).toHaveBeenCalledTimes(1);
  });

  it("is none where the second click comes later, or by a key", () => {
    const act = vi.fn();
    const listener = onceClicked(act);
    listener(click(1, 1000));
    listener(click(2, 1400));
    listener(click(0, 1450));
    expect(act).toHaveBeenCalledTimes(3);
  });
});

describe("an element", () => {
  it("has attributes, listeners and children; text is text", () => {
    const onclick = vi.fn();
    const node = element("button", { class: "x", title: null, "data-n": 3, onclick }, "<b>bold</b>");
    node.click();
    expect(node.outerHTML).toBe('<button type="button" class="x" data-n="3">&lt;b&gt;bold&lt;/b&gt;</button>');
    expect(onclick).toHaveBeenCalledTimes(1);
  });

  it("keeps its text node where the text stays", () => {
    const node = element("p", {}, "same");
    const text = node.firstChild;
    setText(node, "same");
    expect(node.firstChild).toBe(text);
    setText(node, "other");
    expect(node.textContent).toBe("other");
  });
});

describe("a tree from Python", () => {
  it("is built of what is allowed", () => {
    const built = buildTree(["p", { class: "aew-muted" }, ["a < b ", ["strong", {}, ["!"]]]]);
    expect(built.outerHTML).toBe('<p class="aew-muted">a &lt; b <strong>!</strong></p>');
  });

  it.each([
    ["a tag", ["script", {}, []]],
    ["a tag in upper case", ["SCRIPT", {}, []]],
    ["a listener", ["p", { onclick: "steal()" }, []]],
    ["a style", ["p", { style: "color: red" }, []]],
    ["a class", ["p", { class: "jp-Button" }, []]],
    ["an address of a script", ["a", { href: "javascript:steal()" }, []]],
    ["an image from elsewhere", ["img", { src: "https://example.org/x.png" }, []]],
    ["what is inside", ["p", {}, [["iframe", {}, []]]]],
  ] as const)("refuses %s", (_what, tree) => {
    expect(() => buildTree(tree as unknown as Parameters<typeof buildTree>[0])).toThrow("not allowed");
  });

  it("opens links in another tab that knows nothing of this one", () => {
    const link = buildTree(["a", { href: "https://example.org/" }, ["there"]]);
    expect(link.getAttribute("rel")).toBe("noopener noreferrer");
    expect(link.getAttribute("target")).toBe("_blank");
  });

  it("takes the place of what is broken", () => {
    expect(brokenContent("Instance 3", "no").textContent).toContain("Instance 3 can't be shown.");
  });
});

describe("what comes into the page later", () => {
  it("is found, once", async () => {
    const then = vi.fn();
    whenFound(() => document.querySelector("#late"), then, new AbortController().signal);
    expect(then).not.toHaveBeenCalled();
    document.body.append(element("p", { id: "late" }));
    await vi.waitFor(() => expect(then).toHaveBeenCalledTimes(1));
    document.body.append(element("p"));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(then).toHaveBeenCalledTimes(1);
  });

  it("is not waited for any more once the page is gone", async () => {
    const then = vi.fn();
    const listeners = new AbortController();
    whenFound(() => document.querySelector("#late"), then, listeners.signal);
    listeners.abort();
    document.body.append(element("p", { id: "late" }));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(then).not.toHaveBeenCalled();
  });
});
