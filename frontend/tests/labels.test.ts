import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { element } from "../src/dom/element";
import type { Choice, KeysConfig, LabelsConfig } from "../src/from_python/messages";
import { KeyMap } from "../src/keys/key_map";
import { makeLabels } from "../src/labels";
import type { Give, LabelControls } from "../src/labels/label_controls";

const give = vi.fn<Give>();
let labels: LabelControls;

const choicesOf = (texts: string[], keys = texts.map((_, i) => String(i + 1))): Choice[] =>
  texts.map((text, i) => ({ text, keys: keys[i] === undefined ? [] : [keys[i]] }));

const keysOf = (choices: Choice[], actions: KeysConfig["actions"] = { undo: ["u", "Backspace"] }): KeyMap =>
  new KeyMap({ scope: "labels", labels: choices, actions, taken: [] });

function show(config: LabelsConfig, choices: Choice[] = "choices" in config ? config.choices : []): void {
  labels = makeLabels(config, keysOf(choices), give);
  document.body.replaceChildren(labels.node);
  labels.show(null, undefined);
  labels.setEnabled(true);
}

/** Presses a key outside of fields, as the page passes it on; whether the controls did anything. */
function press(key: string, options: KeyboardEventInit = {}, target: EventTarget = document.body): boolean {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, ...options });
  let didAct = false;
  const pass = (passed: Event) => {
    didAct = labels.press(passed as KeyboardEvent);
  };
  document.addEventListener("keydown", pass, { once: true });
  target.dispatchEvent(event);
  return didAct;
}

const find = <T extends HTMLElement>(selector: string): T => {
  const found = document.querySelector<T>(selector);
  if (found === null) throw new Error(`nothing is ${selector}`);
  return found;
};

beforeEach(() => {
  localStorage.clear();
  give.mockReset().mockReturnValue(true);
});
afterEach(() => document.body.replaceChildren());

describe("classes", () => {
  beforeEach(() => show({ kind: "class", is_searched: false, choices: choicesOf(["cat", "dog", "cow"]) }));

  it("are given by key, with their text", () => {
    expect(press("2")).toBe(true);
    expect(give).toHaveBeenCalledWith(1, "dog");
    expect(press("9")).toBe(false);
    expect(press("u")).toBe(false);
  });

  it("show the label that an instance had", () => {
    labels.show(null, 2);
    expect(find("[aria-current]").dataset.value).toBe("cow");
    labels.show(null, undefined);
    expect(document.querySelector("[aria-current]")).toBeNull();
  });

  it("have their keys on their buttons, and in the list of keys", () => {
    expect(find("[data-value=dog]").getAttribute("aria-keyshortcuts")).toBe("2");
    expect(find("[data-value=dog]").textContent).toBe("2dog");
    const [[caps, meaning]] = labels.help();
    expect(caps.length).toBe(3);
    expect(meaning).toBe("label, save and go on");
  });

  it("can't be pressed while nothing can be labeled", () => {
    labels.setEnabled(false);
    find("[data-value=dog]").click();
    expect(give).not.toHaveBeenCalled();
  });
});

describe("classes that are their own keys", () => {
  it("do not show them twice", () => {
    const digits = [..."0123456789"];
    show({ kind: "class", is_searched: false, choices: choicesOf(digits, digits) });
    expect(find("[data-value='7']").textContent).toBe("7");
    expect(labels.node.classList.contains("aew-short")).toBe(true);
    const [[caps]] = labels.help();
    expect(caps.map((cap) => (cap instanceof Node ? cap.textContent : cap))).toEqual(["0", " – ", "9"]);
  });
});

describe("many classes", () => {
  const names = Array.from({ length: 30 }, (_, i) => `name ${String.fromCharCode(97 + (i % 26))}${i}`);
  const options = () =>
    [...document.querySelectorAll<HTMLElement>("#aew-found [role=option]")].map((o) => o.dataset.value);

  beforeEach(() => show({ kind: "class", is_searched: true, choices: choicesOf(names, []) }, []));

  it("are found by typing, and given by Enter", () => {
    expect(press("c")).toBe(true);
    const field = find<HTMLInputElement>(".aew-search");
    expect(document.activeElement).toBe(field);
    expect(options()).toEqual(["name c2", "name c28"]);
    field.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", bubbles: true }));
    field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
    expect(give).toHaveBeenCalledWith(28, "name c28");
    expect(field.value).toBe("");
  });

  it("are given again by a digit, the last one first", () => {
    find("#aew-option-4").click();
    find("#aew-option-7").click();
    expect(press("2")).toBe(true);
    expect(give).toHaveBeenLastCalledWith(4, names[4]);
    expect(press("9")).toBe(true); // begins a search
    expect(give).toHaveBeenCalledTimes(3);
  });

  it("that are not there are told of", () => {
    press("z");
    press("q");
    expect(options()).toEqual([]);
    expect(find(".aew-searched > .aew-hint").hidden).toBe(false);
  });

  it("leave keys that act", () => {
    expect(press("u")).toBe(false);
    expect(press("ArrowDown")).toBe(false);
  });
});

describe("numbers", () => {
  const field = () => find<HTMLInputElement>("[data-aew=number]");
  const hint = () => find(".aew-hint").textContent;

  beforeEach(() => show({ kind: "number", low: 0, high: 10, unit: ["point", "points"], decimal_mark: null }));

  it("are typed anywhere, and given by Enter", () => {
    for (const key of "7.5") expect(press(key)).toBe(true);
    expect(field().value).toBe("7.5");
    press("Enter");
    expect(give).toHaveBeenCalledWith(7.5, "7.5\u00a0points");
  });

  it("are deleted from their end, also where nothing is left", () => {
    press("4");
    expect(press("Backspace")).toBe(true);
    expect(press("Backspace")).toBe(true);
    expect(field().value).toBe("");
  });

  it("move with the arrows, from the middle", () => {
    press("ArrowRight");
    expect(field().value).toBe("5");
    press("ArrowRight");
    expect(field().value).toBe("5.1");
    press("ArrowLeft", { shiftKey: true });
    expect(field().value).toBe("4.1");
  });

  it("that are none, or outside, are not given", () => {
    press("Enter");
    expect(hint()).toBe("Enter a number from 0 to 10\u00a0points first.");
    for (const key of "11") press(key);
    press("Enter");
    expect(hint()).toBe("The maximum is 10\u00a0points.");
    expect(field().getAttribute("aria-invalid")).toBe("true");
    expect(give).not.toHaveBeenCalled();
  });

  it("take the place of an earlier one", () => {
    labels.show(null, 3);
    expect(field().value).toBe("3");
    press("8");
    expect(field().value).toBe("8");
  });

  it("are typed in the field by the browser", () => {
    field().focus();
    expect(press("7", {}, field())).toBe(false);
    expect(press("ArrowRight", {}, field())).toBe(true);
  });

  it("have no slider where the range has no end", () => {
    show({ kind: "number", low: 0, high: null, unit: null, decimal_mark: null });
    expect(document.querySelector("[type=range]")).toBeNull();
    expect(press("ArrowRight")).toBe(false);
    expect(labels.help().length).toBe(2);
  });

  it("can't be typed while nothing can be labeled", () => {
    labels.setEnabled(false);
    expect(press("7")).toBe(false);
  });
});

describe("grades", () => {
  const content = () =>
    element(
      "div",
      {},
      ...["a", "b", "c"].map((item) => element("div", { class: "aew-result", "data-item": item }, item)),
    );
  const present = () => find(".aew-result[aria-current]").dataset.item;
  const progress = () => find("[data-aew=judged]").textContent;
  let list: HTMLElement;

  beforeEach(() => {
    const choices = choicesOf(["0", "1", "2"], ["0", "1", "2"]);
    show({ kind: "grades", grades: [0, 1, 2], words: ["bad", "fair", "good"], choices });
    list = content();
    document.body.prepend(list);
    labels.show(list, undefined);
  });

  it("go from result to result, and are saved together", () => {
    expect(present()).toBe("a");
    for (const key of ["2", "0", "-"]) expect(press(key)).toBe(true);
    expect(progress()).toBe("All 3 judged. Enter saves, Backspace takes back the last grade.");
    press("Enter");
    expect(give).toHaveBeenCalledWith({ a: 2, b: 0, c: null }, "2 0 –");
  });

  it("are not saved before all results are judged", () => {
    press("2");
    press("Enter");
    expect(give).not.toHaveBeenCalled();
    expect(progress()).toBe("Not judged yet: results 2, 3.");
    expect(present()).toBe("b");
  });

  it("are not saved where nothing can be judged", () => {
    for (const key of "---") press(key);
    press("Enter");
    expect(give).not.toHaveBeenCalled();
    expect(progress()).toBe("If nothing can be judged, exclude it instead.");
  });

  it("can be for all the rest", () => {
    press("2");
    press("g");
    expect(progress()).toBe("The next grade is for all 2 not judged yet. Esc: for one only.");
    press("1");
    press("Enter");
    expect(give).toHaveBeenCalledWith({ a: 2, b: 1, c: 1 }, "2 1 1");
  });

  it("can be for all the rest with Shift, whatever sign that types", () => {
    press("!", { shiftKey: true, code: "Digit1" });
    expect(progress()).toContain("All 3 judged.");
  });

  it("can be taken back, and one press too many does nothing", () => {
    press("2");
    press("1");
    press("Backspace");
    expect(present()).toBe("b");
    press("Backspace");
    expect(press("Backspace")).toBe(true);
    expect(progress()).toBe("0 of 3 judged. ↑ ↓ move.");
  });

  it("move with arrows and letters, also while those are held down", () => {
    press("ArrowDown");
    press("j", { repeat: true });
    expect(present()).toBe("c");
    press("k");
    expect(present()).toBe("b");
  });

  it("are given once while a key is held down", () => {
    press("2");
    press("2", { repeat: true });
    expect(present()).toBe("b");
  });

  it("of an earlier label are shown", () => {
    labels.show(list, { a: 2, b: null, c: 0 });
    const badges = [...list.querySelectorAll(".aew-grade")].map(({ textContent }) => textContent);
    expect(badges).toEqual(["2 good", "can't be judged", "0 bad"]);
    press("1");
    expect(present()).toBe("b");
  });
});
