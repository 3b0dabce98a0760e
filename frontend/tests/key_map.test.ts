import { beforeEach, describe, expect, it } from "vitest";
import type { KeysConfig } from "../src/from_python/messages";
import { KeyMap } from "../src/keys/key_map";

const CONFIG: KeysConfig = {
  scope: "test",
  labels: [
    { text: "yes", keys: ["1", "y"] },
    { text: "no", keys: ["2", "n"] },
    { text: "maybe", keys: [] },
  ],
  actions: { undo: ["u", "Backspace"], exclude: ["x"], exclude_because: ["Shift+x"], help: ["?"] },
  taken: ["ArrowUp", "g"],
};
const STORAGE = "activeeval-widgets:keys:test";

const press = (key: string, shiftKey = false) => ({ key, shiftKey });

beforeEach(() => localStorage.clear());

describe("what a key stands for", () => {
  const keys = new KeyMap(CONFIG);

  it.each([
    [press("1"), { label: 0 }],
    [press("Y"), { label: 0 }],
    [press("n"), { label: 1 }],
    [press("u"), { action: "undo" }],
    [press("Backspace"), { action: "undo" }],
    [press("x"), { action: "exclude" }],
    [press("X", true), { action: "exclude_because" }],
    [press("U", true), { action: "undo" }], // nothing else has it with Shift
    [press("?", true), { action: "help" }],
    [press("q"), null],
  ])("%o: %o", (event, meaning) => {
    expect(keys.meaningOf(event)).toEqual(meaning);
  });
});

describe("keys of one's own", () => {
  it("take the place of the first, and leave what no other can have", () => {
    const keys = new KeyMap(CONFIG);
    keys.change("action undo", "b");
    keys.change("label 0", "j");
    expect(keys.keysOf("action undo")).toEqual(["b", "Backspace"]);
    expect(keys.keysOf("label 0")).toEqual(["j"]);
    expect(keys.meaningOf(press("u"))).toBeNull();
    expect(keys.meaningOf(press("y"))).toBeNull();
  });

  it("are remembered, for these labels alone", () => {
    new KeyMap(CONFIG).change("action undo", "b");
    expect(new KeyMap(CONFIG).keysOf("action undo")).toEqual(["b", "Backspace"]);
    expect(new KeyMap({ ...CONFIG, scope: "other" }).keysOf("action undo")).toEqual(["u", "Backspace"]);
  });

  it("can be reset", () => {
    const keys = new KeyMap(CONFIG);
    keys.change("action undo", "b");
    keys.reset();
    expect(keys.keysOf("action undo")).toEqual(["u", "Backspace"]);
    expect(new KeyMap(CONFIG).keysOf("action undo")).toEqual(["u", "Backspace"]);
  });

  it.each([{ "action undo": "1" }, { "label 0": 7 }])("that no longer fit together are dropped: %o", (kept) => {
    localStorage.setItem(STORAGE, JSON.stringify(kept));
    const keys = new KeyMap(CONFIG);
    expect(keys.keysOf("action undo")).toEqual(["u", "Backspace"]);
    expect(keys.keysOf("label 0")).toEqual(["1", "y"]);
  });
});

describe("who has a key", () => {
  const keys = new KeyMap(CONFIG);

  it("is told by its name", () => {
    expect(keys.holder("x")).toBe("action exclude");
    expect(keys.holder("y")).toBe("label 0");
    expect(keys.holder("q")).toBeNull();
  });

  it("may be left out", () => {
    expect(keys.holder("x", "action exclude")).toBeNull();
  });

  it("may be the label's controls", () => {
    expect(keys.isTaken("g", "action undo")).toBe(true);
    expect(keys.isTaken("q", "action undo")).toBe(false);
  });
});
