import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { summaryText } from "../src/answers/answer_list";
import { ExclusionReasons } from "../src/answers/exclusion_reasons";
import { NoteField } from "../src/answers/note_field";
import { KeyMap } from "../src/keys/key_map";
import { KeySettings } from "../src/keys/key_settings";
import { NewSessionDialog } from "../src/page/new_session_dialog";
import { GoalPanel } from "../src/panels/goal";
import { PanelChoice } from "../src/panels/panel_choice";
import { textPlaces } from "../src/result/result_bar";
import { CONFIG, PANELS } from "./fake_python";

const press = (target: EventTarget, key: string, options: KeyboardEventInit = {}) =>
  target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...options }));

beforeEach(() => localStorage.clear());
afterEach(() => document.body.replaceChildren());

describe("keys of one's own", () => {
  const onChange = vi.fn();
  let keys: KeyMap;
  let settings: KeySettings;
  const status = () => settings.dialog.querySelector("[role=status]")?.textContent;
  const choose = (id: string) => settings.dialog.querySelector<HTMLElement>(`[data-key-of="${id}"]`)?.click();

  beforeEach(() => {
    onChange.mockReset();
    keys = new KeyMap({ ...CONFIG.keys, taken: ["g"] });
    settings = new KeySettings(onChange);
    settings.show(keys, CONFIG.actions);
    document.body.append(settings.dialog);
    settings.dialog.showModal();
  });

  it("are set by choosing, then pressing", () => {
    choose("action undo");
    expect(status()).toBe("Press the new key for undo. Esc cancels.");
    press(settings.dialog, "b");
    expect(status()).toBe("B is the key of undo.");
    expect(keys.keysOf("action undo")).toEqual(["b", "Backspace"]);
    expect(onChange).toHaveBeenCalledTimes(1);
  });

  it.each([
    ["x", "X is the key of exclude. Change that first, or press another key."],
    ["g", "G has another use here. Press another key."],
    [" ", "The space bar presses buttons and scrolls. Press another key."],
  ])("can't be %o: %s", (key, problem) => {
    choose("action undo");
    press(settings.dialog, key);
    expect(status()).toBe(problem);
    expect(onChange).not.toHaveBeenCalled();
    press(settings.dialog, "b"); // it still waits
    expect(onChange).toHaveBeenCalledTimes(1);
  });

  it("are not set by keys of the browser", () => {
    choose("action undo");
    press(settings.dialog, "b", { ctrlKey: true });
    press(settings.dialog, "F5");
    expect(onChange).not.toHaveBeenCalled();
  });

  it("can all be reset", () => {
    keys.change("action undo", "b");
    settings.dialog.querySelector<HTMLElement>("[data-aew=reset-keys]")?.click();
    expect(keys.keysOf("action undo")).toEqual(["u", "Backspace"]);
    expect(status()).toBe("All keys are reset.");
  });
});

describe("why an instance is excluded", () => {
  const exclude = vi.fn();
  let reasons: ExclusionReasons;

  beforeEach(() => {
    exclude.mockReset();
    reasons = new ExclusionReasons(exclude);
    reasons.setReasons(["broken", "Éclair", "a duplicate"]);
    document.body.append(reasons.dialog);
    reasons.open();
  });

  it("is named by its number", () => {
    press(reasons.dialog, "3");
    expect(exclude).toHaveBeenCalledWith("a duplicate");
    expect(reasons.dialog.open).toBe(false);
  });

  it("is found by its first letters, wherever the focus is", () => {
    press(reasons.dialog, "e");
    const field = reasons.dialog.querySelector("input");
    expect(field?.value).toBe("e");
    press(field ?? document, "Enter");
    expect(exclude).toHaveBeenCalledWith("Éclair");
  });

  it("may be in one's own words, or none", () => {
    const field = reasons.dialog.querySelector("input") as HTMLInputElement;
    field.value = " too dark ";
    field.dispatchEvent(new Event("input"));
    press(field, "Enter");
    expect(exclude).toHaveBeenLastCalledWith("too dark");
    reasons.open();
    press(field, "Enter");
    expect(exclude).toHaveBeenLastCalledWith("");
  });

  it("is not chosen by a key that is held down, nor by one of the browser", () => {
    press(reasons.dialog, "1", { repeat: true });
    press(reasons.dialog, "1", { ctrlKey: true });
    expect(exclude).not.toHaveBeenCalled();
  });
});

describe("a note", () => {
  const save = vi.fn();
  const leave = vi.fn();
  let note: NoteField;
  const field = () => note.node.querySelector("textarea") as HTMLTextAreaElement;

  beforeEach(() => {
    save.mockReset();
    leave.mockReset();
    note = new NoteField({ save, leave });
    document.body.append(note.node);
    note.open({ index: 4, id: "a4" }, "old");
  });

  it("is saved by Enter, about the instance for which it was opened", () => {
    field().value = " new ";
    press(field(), "Enter");
    expect(save).toHaveBeenCalledWith({ index: 4, id: "a4" }, "new");
    expect(leave).toHaveBeenCalledTimes(1);
    expect(note.node.hidden).toBe(true);
  });

  it("has lines by Shift and Enter, and is left by Esc", () => {
    press(field(), "Enter", { shiftKey: true });
    press(field(), "Enter", { isComposing: true });
    expect(note.node.hidden).toBe(false);
    press(field(), "Escape");
    expect(save).not.toHaveBeenCalled();
    expect(leave).toHaveBeenCalledTimes(1);
  });
});

describe("the choice of panels", () => {
  const onChange = vi.fn();
  const onOpened = vi.fn();
  const hiddenAtFirst = PANELS.filter(({ is_hidden_at_first }) => is_hidden_at_first).map(({ name }) => name);
  const made = (panels = PANELS) => {
    const choice = new PanelChoice(onChange, onOpened);
    const root = document.createElement("div");
    const nodes = new Map(panels.map(({ name }) => [name, document.createElement("section")]));
    for (const panel of panels) choice.add(panel, nodes.get(panel.name) as HTMLElement);
    choice.applyTo(root);
    document.body.append(choice.dialog);
    const hidden = [...nodes].filter(([, { style }]) => style.display === "none").map(([name]) => name);
    const order = [...nodes].sort((a, b) => Number(a[1].style.order) - Number(b[1].style.order)).map(([name]) => name);
    return { choice, root, hidden, order };
  };
  const box = (name: string) => document.querySelector<HTMLInputElement>(`[data-panel=${name}] input`);

  beforeEach(() => onChange.mockReset());

  it("hides at first what Python says", () => {
    const { choice, hidden } = made();
    expect(hidden).toEqual(hiddenAtFirst);
    expect(hidden).toContain("confusion");
    expect(choice.shown).toEqual(["estimate", "models", "trajectory", "distribution", "groups"]);
  });

  it("tells once it is closed which panel was opened, so that the page can show it", () => {
    onOpened.mockReset();
    const { choice } = made();
    choice.toggle();
    box("matrices")?.click();
    expect(onOpened).not.toHaveBeenCalled();
    choice.toggle();
    expect(onOpened.mock.calls).toEqual([["matrices"]]);
    choice.toggle();
    box("matrices")?.click(); // not if it was closed, nor without a change
    choice.toggle();
    choice.toggle();
    choice.toggle();
    expect(onOpened).toHaveBeenCalledTimes(1);
  });

  it("is remembered", () => {
    made();
    box("trajectory")?.click();
    expect(onChange).toHaveBeenCalledTimes(1);
    document.body.replaceChildren();
    expect(made().hidden).toEqual(["trajectory", ...hiddenAtFirst]);
  });

  it("hides what came with a later version, and nothing that was chosen then", () => {
    const order = ["estimate", "confusion", "calibration", "judge"];
    localStorage.setItem("activeeval-widgets:panels", JSON.stringify({ order, hidden: ["judge"] }));
    expect(made().hidden).toEqual(["interval", "differing", "matrices", "judge"]);
  });

  it("has an order, which is remembered, too", () => {
    made(PANELS.filter(({ name }) => name !== "models"));
    document.querySelector<HTMLElement>("[data-panel=trajectory] [data-move=up]")?.click();
    document.body.replaceChildren();
    expect(made(PANELS.filter(({ name }) => name !== "models")).order.slice(0, 3)).toEqual([
      "trajectory",
      "estimate",
      "distribution",
    ]);
    document.body.replaceChildren();
    // A panel that only another session has comes where it would be.
    expect(made().order.slice(0, 4)).toEqual(["trajectory", "estimate", "models", "distribution"]);
  });

  it("moves a panel past those of other sessions", () => {
    const order = ["estimate", "models", "trajectory", "distribution"];
    localStorage.setItem("activeeval-widgets:panels", JSON.stringify({ order, hidden: [] }));
    made(PANELS.filter(({ name }) => name !== "models"));
    document.querySelector<HTMLElement>("[data-panel=estimate] [data-move=down]")?.click();
    document.body.replaceChildren();
    expect(made().order.slice(0, 4)).toEqual(["models", "trajectory", "estimate", "distribution"]);
  });

  it("tells nothing of the model in the labeler's view", () => {
    const { choice, root } = made();
    choice.keepLabelerView();
    expect(root.hasAttribute("data-labeler-view")).toBe(true);
    expect(choice.shown).toEqual([]);
  });

  it("bears what an earlier version, or somebody else, left in the browser", () => {
    localStorage.setItem("activeeval-widgets:panels", JSON.stringify({ order: ["gone", "confusion"], hidden: "all" }));
    const { hidden, order } = made();
    expect(order.indexOf("confusion")).toBe(order.length - 1);
    expect(hidden).toEqual(hiddenAtFirst);
  });
});

describe("the goal", () => {
  const send = vi.fn();
  const ask = vi.fn();
  const fields = [
    { name: "half_width", text: "±", unit: "points", value: 2 },
    { name: "minutes", text: "Minutes", unit: "", value: null },
  ];

  it("is sent, remembered, and wanted again the next time", () => {
    const goal = new GoalPanel(send, ask, () => {});
    document.body.append(goal.dialog);
    goal.begin("scope");
    expect(send).not.toHaveBeenCalled();
    goal.show({ lines: [], advice: "", fields });
    goal.open();
    const [first] = goal.dialog.querySelectorAll("input");
    first.value = "3";
    press(first, "Enter");
    expect(send).toHaveBeenLastCalledWith({ half_width: 3, minutes: null });
    expect(goal.dialog.open).toBe(false);
    send.mockReset();
    new GoalPanel(send, ask, () => {}).begin("scope");
    expect(send).toHaveBeenCalledWith({ half_width: 3, minutes: null });
  });

  it("leaves the margin of two models to their session", () => {
    const goal = new GoalPanel(send, ask, () => {});
    document.body.append(goal.dialog);
    goal.begin("two models");
    const margin = { name: "margin", text: "Less than", unit: "points", value: 1 };
    goal.show({ lines: [], advice: "", fields: [...fields, margin] });
    goal.open();
    press(goal.dialog.querySelectorAll("input")[2], "Enter");
    expect(send).toHaveBeenLastCalledWith({ half_width: 2, minutes: null, margin: 1 });
    send.mockReset();
    new GoalPanel(send, ask, () => {}).begin("two models");
    expect(send).toHaveBeenCalledWith({ half_width: 2, minutes: null });
  });

  it("does not change under the fingers of who writes it", () => {
    const goal = new GoalPanel(send, ask, () => {});
    document.body.append(goal.dialog);
    goal.show({ lines: [], advice: "", fields });
    goal.open();
    const [first] = goal.dialog.querySelectorAll("input");
    first.value = "7";
    goal.show({ lines: ["About 100 more labels"], advice: "", fields });
    expect(goal.dialog.querySelector("input")?.value).toBe("7");
    expect(goal.box.textContent).toContain("About 100 more labels");
  });

  it("says what it would cost, once typing pauses", () => {
    vi.useFakeTimers();
    ask.mockReset();
    send.mockReset();
    const goal = new GoalPanel(send, ask, () => {});
    document.body.append(goal.dialog);
    goal.show({ lines: [], advice: "", fields });
    goal.open();
    expect(ask).toHaveBeenLastCalledWith({ half_width: 2, minutes: null });
    const [first] = goal.dialog.querySelectorAll("input");
    for (const value of ["1", "12"]) {
      first.value = value;
      first.dispatchEvent(new Event("input", { bubbles: true }));
      vi.advanceTimersByTime(200);
    }
    expect(ask).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(100);
    expect(ask).toHaveBeenCalledTimes(2);
    expect(ask).toHaveBeenLastCalledWith({ half_width: 12, minutes: null });
    const cost = goal.dialog.querySelector("[data-aew=goal-preview]");
    goal.preview({ lines: ["Goal: ±12 points. Likely 37–360 labels"], error: "" });
    expect(cost?.textContent).toBe("Goal: ±12 points. Likely 37–360 labels");
    goal.preview({ lines: [], error: "Enter a number above 0." });
    expect(cost?.querySelector(".aew-problem")?.textContent).toBe("Enter a number above 0.");
    expect(send).not.toHaveBeenCalled();
    // What the browser does not take is not asked about, and an older answer does not hide why.
    first.value = "-1";
    first.dispatchEvent(new Event("input", { bubbles: true }));
    vi.advanceTimersByTime(300);
    expect(ask).toHaveBeenCalledTimes(2);
    const why = cost?.textContent;
    expect(why).not.toBe("");
    goal.preview({ lines: ["Goal: ±12 points"], error: "" });
    expect(cost?.textContent).toBe(why);
    vi.useRealTimers();
  });

  it("asks for the best of several models by a box to check", () => {
    send.mockReset();
    const goal = new GoalPanel(send, ask, () => {});
    document.body.append(goal.dialog);
    const best = { name: "threshold", text: "Find the best model", unit: "", value: 0, is_choice: true };
    goal.show({ lines: [], advice: "", fields: [...fields, best] });
    goal.open();
    const [first, , box] = goal.dialog.querySelectorAll("input");
    expect(box.checked).toBe(true);
    press(first, "Enter");
    expect(send).toHaveBeenLastCalledWith({ half_width: 2, minutes: null, threshold: 0 });
    goal.open();
    box.checked = false;
    press(first, "Enter");
    expect(send).toHaveBeenLastCalledWith({ half_width: 2, minutes: null, threshold: null });
  });
});

describe("the number of answers", () => {
  it.each([
    [0, 0, 0, "No answers yet."],
    [0, 1234, 0, "None of 1,234 answers matches."],
    [1, 1, 1, "1 answer, newest first. ↑ ↓ to choose, Enter to open."],
    [3, 3, 3, "3 answers, newest first. ↑ ↓ to choose, Enter to open."],
    [1200, 4000, 50, "1,200 of 4,000 answers, the newest 50 shown. ↑ ↓ to choose, Enter to open."],
  ])("%d of %d, %d listed: %s", (n_found, n_rows, listed, text) => {
    expect(summaryText({ n_found, n_rows }, listed)).toBe(text);
  });
});

describe("the numbers at an interval's ends", () => {
  it("stand where it ends", () => {
    expect(textPlaces(0.2, 0.6, [0.2, 0.2])).toEqual([0.2, 0.6]);
  });

  it("stand apart where they would overlap, by as much as they are wide", () => {
    const [left, right] = textPlaces(0.49, 0.51, [0.2, 0.3]);
    expect(right - left).toBeCloseTo(0.29);
    expect((left + right) / 2).toBeCloseTo(0.5);
  });

  it("stay inside", () => {
    expect(textPlaces(0, 1, [0.1, 0.1])).toEqual([0.05, 0.95]);
    for (const [low, high] of [
      [0.97, 0.99],
      [0, 0.01],
    ]) {
      const [left, right] = textPlaces(low, high, [0.3, 0.2]);
      expect(left).toBeGreaterThanOrEqual(0.15);
      expect(right).toBeLessThanOrEqual(0.9 + 1e-9);
      expect(right - left).toBeGreaterThanOrEqual(0.29 - 1e-9);
    }
  });
});

describe("another session", () => {
  it("begins only if one says so", () => {
    const begin = vi.fn();
    const asked = new NewSessionDialog(begin);
    document.body.append(asked.dialog);
    asked.ask(1);
    expect(asked.dialog.open).toBe(true);
    expect(asked.dialog.textContent).toContain("This one keeps its 1 label;");
    asked.dialog.querySelector<HTMLElement>(".aew-close")?.click();
    expect(asked.dialog.open).toBe(false);
    expect(begin).not.toHaveBeenCalled();
    asked.ask(1234);
    expect(asked.dialog.textContent).toContain("1,234 labels");
    asked.dialog.querySelector<HTMLElement>(".aew-main")?.click();
    expect(asked.dialog.open).toBe(false);
    expect(begin).toHaveBeenCalledTimes(1);
  });
});
