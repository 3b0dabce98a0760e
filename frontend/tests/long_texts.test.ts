import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LongTexts } from "../src/instances/long_texts";
import { KeyMap } from "../src/keys/key_map";
import { CONFIG } from "./fake_python";

const HTML = `<div class="aew-conversation">
  <section><div class="aew-long">${"a".repeat(1234)}</div></section>
  <section><div class="aew-long">b</div></section>
  <section class="aew-reference"><h3>Reference answer</h3>c</section></div>`;

describe("long texts and the reference answer", () => {
  let texts: LongTexts;
  let content: HTMLElement;
  const key = (name: string) => texts.onKey(new KeyboardEvent("keydown", { key: name }));
  const n_folded = () => content.querySelectorAll(".aew-folded").length;
  const made = (html: string) => {
    const node = document.createElement("div");
    node.className = "aew-scroll";
    node.tabIndex = 0;
    node.innerHTML = html;
    texts.prepare(node);
    document.body.append(node);
    return node;
  };

  beforeEach(() => {
    texts = new LongTexts();
    document.body.append(texts.bar, texts.panel);
    content = made(HTML);
    texts.show(content);
  });
  afterEach(() => document.body.replaceChildren());

  it("are folded at first, and the reference is not shown", () => {
    expect(n_folded()).toBe(2);
    expect(content.textContent).not.toContain("Reference");
    expect(texts.panel.hidden).toBe(true);
    expect(content.querySelector("button")?.textContent).toBe("Show all 1,234 characters");
  });

  it("are opened and folded by a key, all at once", () => {
    expect(key("o")).toBe(true);
    expect(n_folded()).toBe(0);
    expect(texts.bar.textContent).toContain("Fold long texts");
    expect(key("O")).toBe(true);
    expect(n_folded()).toBe(2);
  });

  it("are opened one by one, and the focus does not get lost", () => {
    const [button] = content.querySelectorAll("button");
    button.focus();
    button.click();
    expect(n_folded()).toBe(1);
    expect(button.hidden).toBe(true);
    expect(document.activeElement).toBe(content);
  });

  it("shows the reference answer by a key until the next instance", () => {
    expect(key("k")).toBe(true);
    expect(texts.panel.hidden).toBe(false);
    expect(texts.panel.textContent).toContain("c");
    texts.show(made("<p>short</p>"));
    expect(texts.bar.hidden).toBe(true);
    expect(texts.panel.hidden).toBe(true);
    expect(texts.panel.childElementCount).toBe(0);
    expect([key("k"), key("o")]).toEqual([false, false]);
    texts.show(content);
    expect(n_folded()).toBe(2);
    expect(texts.asideOf(content)?.textContent).toContain("c");
  });

  it("names its keys only where they are free", () => {
    const free = new KeyMap(CONFIG.keys);
    expect(texts.help(free).map(([keys]) => keys)).toEqual([["o"], ["k"]]);
    expect([...texts.bar.querySelectorAll("kbd")].map((cap) => cap.textContent)).toEqual(["O", "K"]);
    texts.paint(new KeyMap({ ...CONFIG.keys, taken: ["k"] }));
    expect([...texts.bar.querySelectorAll("kbd")].map((cap) => cap.textContent)).toEqual(["O"]);
  });
});
