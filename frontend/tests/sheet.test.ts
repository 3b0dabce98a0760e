// Sheets on the whole page, with Python stood in for.

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { SheetAnswers } from "../src/answers/sheet_answers";
import app from "../src/index";
import { FakePython } from "./fake_python";

type Shown = Parameters<typeof app.render>[0]["model"];

let python: FakePython;
let close: () => void;

const find = (selector: string) => document.querySelector<HTMLElement>(selector);
const tiles = () => [...document.querySelectorAll<HTMLElement>("[data-aew=tile]")];
const values = () => tiles().map(({ dataset }) => dataset.value);
const press = (key: string) =>
  (document.activeElement ?? document.body).dispatchEvent(
    new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, composed: true }),
  );
const settle = () => vi.advanceTimersByTimeAsync(10);

async function open(nClasses = 3): Promise<void> {
  vi.useFakeTimers();
  localStorage.clear();
  sessionStorage.clear();
  python = new FakePython();
  python.offered = [2, 3, 5, 8];
  if (python.labelsConfig.kind === "class") {
    const choices = python.labelsConfig.choices.slice(0, nClasses);
    python.labelsConfig = { ...python.labelsConfig, choices };
  }
  await show();
  press("b");
  await settle();
}

/** Shows the session on a page of its own, as after a reload. */
async function show(): Promise<void> {
  const el = document.createElement("div");
  const box = document.createElement("div");
  box.className = "aew-app";
  box.append(el);
  document.body.replaceChildren(box);
  close = app.render({ model: python.model as Shown, el });
  await settle();
}

afterEach(() => {
  close();
  vi.useRealTimers();
});

describe("a sheet", () => {
  beforeEach(() => open());

  it("shows its instances with what is expected, in the place of the single one", () => {
    expect(find(".aew-asked h2")?.textContent).toBe("These look like cats. Mark those that are not.");
    expect(tiles().map(({ dataset }) => dataset.instanceId)).toEqual(["id-2", "id-3", "id-5", "id-8"]);
    expect(tiles()[0].textContent).toContain("Text 102");
    expect(values()).toEqual(["cat", "cat", "cat", "cat"]);
    expect(find("[data-aew=app]")?.dataset.state).toBe("ready");
    expect(find("[data-aew=app]")?.getAttribute("data-draw")).toBe("");
    expect(find("[data-aew=instance]")?.dataset.instanceId).toBeUndefined();
  });

  it("saves marks, labels and what is put aside, all at once", async () => {
    press(" ");
    press("ArrowRight");
    press("2");
    press("ArrowRight");
    press("l");
    expect(values()).toEqual(["", "dog", "", "cat"]);
    press("Enter");
    await settle();
    expect([...python.labels]).toEqual([
      [2, null],
      [3, 1],
      [5, null],
      [8, 0],
    ]);
    expect(tiles()).toEqual([]);
    expect(find("[data-aew=instance]")?.dataset.instanceId).toBe("id-1");
  });

  it("takes a mark back, and stays within its tiles", () => {
    press("ArrowLeft");
    press(" ");
    press(" ");
    press("l");
    press("l");
    for (let i = 0; i < 9; i += 1) press("ArrowRight");
    press(" ");
    expect(values()).toEqual(["cat", "cat", "cat", ""]);
  });

  it("comes back with its marks after an undo", async () => {
    press("2");
    press("Enter");
    await settle();
    press("u");
    await settle();
    expect(values()).toEqual(["dog", "cat", "cat", "cat"]);
    expect(python.labels.size).toBe(0);
  });

  it("has its marks after a reload, also once it was saved and taken back", async () => {
    press("2");
    press("ArrowRight");
    press("l");
    press("ArrowRight");
    press(" ");
    press(" ");
    close();
    await show();
    expect(values()).toEqual(["dog", "", "cat", "cat"]);
    press("Enter");
    await settle();
    close();
    await show();
    press("u");
    await settle();
    expect(values()).toEqual(["dog", "", "cat", "cat"]);
  });

  it("has no marks of another sheet, though it shows the same draws", async () => {
    press("2");
    close();
    python.begun = "sheet 2";
    await show();
    expect(values()).toEqual(["cat", "cat", "cat", "cat"]);
    python.begun = "sheet 1";
    python.emit({ state: python.state() });
    expect(values()).toEqual(["dog", "cat", "cat", "cat"]);
  });

  it("is left for single instances, and entered again", async () => {
    press("3");
    press("b");
    await settle();
    expect(find("[data-aew=instance]")?.dataset.instanceId).toBe("id-1");
    press("1");
    await settle();
    expect(python.labels).toEqual(new Map([[1, 0]]));
    press("b");
    await settle();
    expect(values()).toEqual(["cow", "cat", "cat", "cat"]);
  });

  it("is marked by clicks", () => {
    tiles()[2].click();
    expect(values()).toEqual(["cat", "cat", "", "cat"]);
    const button = tiles()[2].querySelector("button");
    expect(button?.getAttribute("aria-pressed")).toBe("true");
    expect(button?.getAttribute("aria-label")).toBe("id-5: asked later");
  });

  it("has no keys for single instances", () => {
    for (const key of ["x", "f", "n"]) press(key);
    expect(python.asked.flatMap(({ answers = [] }) => answers)).toEqual([]);
    expect(find("[data-action=exclude]")?.matches(":disabled")).toBe(true);
    expect(find("[data-aew=status]")?.textContent).toBe("N does nothing here. ? shows all keys.");
  });

  it("lists its own keys, and the actions that it has", () => {
    press("?");
    const lines = [...document.querySelectorAll(".aew-help-rows > p > span:last-child")];
    const meanings = lines.map(({ textContent }) => textContent ?? "");
    expect(meanings.slice(0, 3)).toEqual([
      "move",
      "mark what is not as expected, or take the mark back",
      "label the instance in focus",
    ]);
    expect(meanings).toContain("save all; what was not on screen yet is shown first");
    expect(meanings).toEqual(expect.arrayContaining(["open a sheet", "do defer", "do history"]));
    const ofSingle = ["label, save and go on", "scroll", "do exclude", "do note", "do flag"];
    expect(meanings.filter((meaning) => ofSingle.includes(meaning))).toEqual([]);
  });

  it("enlarges the instance in focus", () => {
    press("+");
    expect(tiles()[0].classList.contains("aew-large")).toBe(true);
    press("-");
    expect(tiles()[0].classList.contains("aew-large")).toBe(false);
  });
});

it("shows what was not on screen before it saves", async () => {
  await open();
  const grid = find(".aew-tiles");
  if (grid === null) throw new Error("there is no sheet");
  Object.defineProperty(grid, "scrollHeight", { value: 500 });
  Object.defineProperty(grid, "clientHeight", { value: 300 });
  press("ArrowRight");
  expect(find("[data-aew=save-sheet]")?.textContent).toBe("EnterMore below");
  press("Enter");
  await settle();
  expect(python.labels.size).toBe(0);
  expect(find("[data-aew=save-sheet]")?.textContent).toBe("EnterSave all");
  press("Enter");
  await settle();
  expect(python.labels.size).toBe(4);
});

it("takes the other one of two classes for a mark", async () => {
  await open(2);
  press(" ");
  expect(values()).toEqual(["dog", "cat", "cat", "cat"]);
});

describe("the answers to a sheet", () => {
  const sheet = (...draws: number[]) => ({
    question: "?",
    begun: "then",
    tiles: draws.map((draw) => ({ draw, index: draw, id: String(draw), value: 1 })),
  });

  it("stay where part of it was answered elsewhere", () => {
    const answers = new SheetAnswers();
    answers.take(sheet(1, 2, 3));
    answers.move(2);
    answers.label(0);
    answers.take(sheet(2, 3));
    expect(answers.answers()).toEqual([
      { draw: 2, index: 2, value: 1 },
      { draw: 3, index: 3, value: 0 },
    ]);
  });

  it("stay left until there is another sheet", () => {
    const answers = new SheetAnswers();
    answers.take(sheet(1, 2));
    answers.isLeft = true;
    answers.take(sheet(1, 2));
    expect(answers.isOpen).toBe(false);
    answers.take(undefined);
    answers.take(sheet(4));
    expect(answers.isOpen).toBe(true);
  });
});
