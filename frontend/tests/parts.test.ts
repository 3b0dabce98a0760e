// Parts of a session by themselves, with Python stood in for.

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Model } from "../src/connection/connection";
import type { FromPython } from "../src/from_python/messages";
import page from "../src/index";
import type { PartName } from "../src/parts";
import loader from "../src/parts/loader";
import { FakePython } from "./fake_python";

let python: FakePython;
let closings: (() => void)[];

const settle = () => vi.advanceTimersByTimeAsync(10);
const rest = () => vi.advanceTimersByTimeAsync(300);
const sent = (type: string) => python.asked.filter((message) => message.type === type);

/** Shows parts, each in a place of its own: their roots. */
async function open(...names: PartName[]): Promise<HTMLElement[]> {
  const places = names.map((name) => {
    const el = document.createElement("div");
    document.body.append(el);
    closings.push(page.renderPart(python.model as Model, el, name));
    return el;
  });
  await settle();
  return places.map((el) => el.querySelector<HTMLElement>("[data-aew=part]") ?? el);
}

function press(root: HTMLElement, key: string, options: KeyboardEventInit = {}): void {
  root.focus();
  root.dispatchEvent(
    new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, composed: true, ...options }),
  );
}

const shownId = (root: HTMLElement) => root.querySelector<HTMLElement>("[data-aew=instance]")?.dataset.instanceId;

beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
  document.body.replaceChildren();
  python = new FakePython();
  closings = [];
});
afterEach(() => {
  for (const close of closings) close();
  vi.useRealTimers();
});

describe("parts of one session", () => {
  it("show a label of one in all in the same frame, as one page asks Python once", async () => {
    const [first, second, labels] = await open("instance", "instance", "labels");
    expect(sent("hello")).toHaveLength(1);
    expect([shownId(first), shownId(second)]).toEqual(["id-1", "id-1"]);
    press(labels, "2");
    expect([shownId(first), shownId(second)]).toEqual(["id-2", "id-2"]);
    for (const root of [first, second, labels]) expect(root.dataset).toMatchObject({ state: "saving", draw: "2" });
    await settle();
    for (const root of [first, second, labels]) {
      expect(root.dataset).toMatchObject({ state: "ready", draw: "2", nLabels: "1" });
    }
    expect(python.labels).toEqual(new Map([[1, 1]]));
  });

  it("take keys where the focus is, each key once", async () => {
    const [instance, labels] = await open("instance", "labels");
    for (const root of [instance, labels]) expect(root.hasAttribute("data-needs-focus")).toBe(false); // one hint each would be many
    for (const [root, key] of [
      [instance, "1"],
      [labels, "2"],
      [instance, "3"],
      [labels, "1"],
    ] as const)
      press(root, key);
    await settle();
    expect([...python.labels.values()]).toEqual([0, 1, 2, 0]);
    press(instance, "u");
    await settle();
    press(labels, "x");
    await settle();
    expect(python.labels.size).toBe(3);
    press(document.body, "2");
    await settle();
    expect(python.labels.size).toBe(3);
  });

  it("wait for every place that shows the instance", async () => {
    const [, labels] = await open("instance", "labels");
    python.hasInstances = false;
    await open("instance"); // it has nothing to show yet
    expect(labels.dataset.state).toBe("saving");
    press(labels, "1");
    await settle();
    expect(python.labels.size).toBe(0); // the key waits, as somebody would label what is not on screen
    python.hasInstances = true;
    python.answerInstances();
    await settle();
    expect(python.labels.size).toBe(0);
    expect(labels.textContent).toContain("1 was pressed before this item was shown, and not taken.");
    expect(labels.dataset.state).toBe("ready");
  });

  it("come late, and show what the others show", async () => {
    const [labels] = await open("labels");
    press(labels, "3");
    await settle();
    const [instance, progress] = await open("instance", "progress");
    expect(shownId(instance)).toBe("id-2");
    expect(progress.textContent).toContain("1 of 40");
    expect(sent("hello")).toHaveLength(1);
  });

  it("have ids of their own", async () => {
    await open("labels", "labels", "instance", "history", "estimate");
    const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("leave nothing behind once the last is closed", async () => {
    const names: PartName[] = ["instance", "labels", "estimate", "progress", "history"];
    await open(...names);
    for (const close of closings.splice(0)) close();
    expect(python.listeners.size).toBe(0);
    expect(document.querySelector("[data-aew=part]")).toBeNull();
    const [labels] = await open("labels");
    press(labels, "1");
    await settle();
    expect(python.labels.size).toBe(1);
  });
});

describe("keys of labels that need an input", () => {
  const NUMBER = { kind: "number", low: 0, high: 99, unit: null, decimal_mark: null } as const;

  it("are typed into the labels' part, wherever the focus is", async () => {
    python.labelsConfig = { ...NUMBER };
    const [instance, labels] = await open("instance", "labels");
    for (const key of ["4", "2"]) press(instance, key);
    expect(labels.querySelector<HTMLInputElement>("[data-aew=number]")?.value).toBe("42");
    press(instance, "Backspace");
    press(labels, "5");
    press(instance, "Enter");
    await settle();
    expect([...python.labels.values()]).toEqual([45]);
    expect(shownId(instance)).toBe("id-2");
    press(instance, "ArrowRight"); // the slider's middle
    press(instance, "Enter");
    await settle();
    expect(python.labels.size).toBe(2);
  });

  it("grade the list, and begin a search", async () => {
    const choices = ["0", "1"].map((text) => ({ text, keys: [text] }));
    python.labelsConfig = { kind: "grades", grades: [0, 1], words: null, choices };
    const [instance, labels] = await open("instance", "labels");
    expect(labels.querySelector("[data-aew=judged]")?.textContent).toContain("All 0 judged."); // of an empty list
    press(instance, "Enter");
    await settle();
    expect([...python.labels.values()]).toEqual([{}]);
    for (const close of closings.splice(0)) close();
    document.body.replaceChildren();
    const many = ["ant", "bee", "cat"].map((text) => ({ text, keys: [] }));
    python.labelsConfig = { kind: "class", is_searched: true, choices: many };
    const [shown, found] = await open("instance", "labels");
    press(shown, "b");
    const field = found.querySelector<HTMLInputElement>("[role=combobox]");
    expect([field?.value, document.activeElement === field]).toEqual(["b", true]);
  });

  it("do nothing in an instance by itself", async () => {
    python.labelsConfig = { ...NUMBER };
    const [instance] = await open("instance");
    for (const key of ["4", "Enter"]) press(instance, key);
    await settle();
    expect(python.labels.size).toBe(0);
  });
});

describe("labels without an instance on the page", () => {
  it("are saved one by one, so that whoever shows the instance can follow", async () => {
    const [labels] = await open("labels");
    press(labels, "1");
    expect(labels.dataset.state).toBe("saving");
    press(labels, "2"); // for the same instance, as far as anybody could see
    await settle();
    expect(python.labels).toEqual(new Map([[1, 0]]));
    expect(labels.dataset).toMatchObject({ state: "ready", draw: "2" });
    press(labels, "2");
    await settle();
    expect([...python.labels.values()]).toEqual([0, 1]);
  });
});

describe("an estimate by itself", () => {
  it("asks for the plan once the keys rest, and not for plots", async () => {
    const [, labels] = await open("estimate", "labels");
    press(labels, "1");
    await settle();
    expect(sent("plan")).toHaveLength(0);
    await rest();
    expect(sent("plan")).toHaveLength(1);
    expect(sent("plots")).toHaveLength(0);
  });

  it("opens the goal where it is", async () => {
    const [estimate] = await open("estimate");
    estimate.querySelector<HTMLElement>("[data-action=goal]")?.click();
    expect(estimate.parentElement?.querySelector("dialog[open]")).not.toBeNull();
  });
});

describe("a history by itself", () => {
  const row = { index: 101, id: "id-1", draw: 1, answer: "cat", value: 0, content: "Text 101" };

  function answerHistory(): void {
    const question = sent("history").at(-1) as unknown as { client: string; seq: number; asked: number };
    const history = {
      rows: [row],
      n_found: 1,
      n_rows: 1,
      offset: 0,
      asked: question.asked,
      answers: [],
      has_wrong: false,
      wrong_text: "",
      differing: null,
    };
    python.emit({ history, client: question.client, seq: question.seq } as unknown as FromPython);
  }

  it("lists answers, lists them anew after one more, and goes to none that is shown nowhere", async () => {
    const [list] = await open("history");
    answerHistory();
    const go = () => list.querySelector<HTMLButtonElement>("button[data-index='101']");
    expect(go()?.disabled).toBe(true);
    const before = sent("history").length;
    const [labels] = await open("labels");
    press(labels, "1");
    await rest();
    expect(sent("history").length).toBeGreaterThan(before);
    answerHistory();
    expect(go()?.disabled).toBe(false);
    go()?.click();
    expect(labels.textContent).toContain("Earlier answer, item 1: cat");
    press(labels, "3");
    await settle();
    const changes = python.asked.flatMap(({ answers = [] }) => answers).filter(({ type }) => type === "change");
    expect(changes).toMatchObject([{ index: 101, value: 2 }]);
  });
});

describe("the loader of a part", () => {
  it("says so where the host can't give it the widget that parts share", async () => {
    const el = document.createElement("div");
    const without = { get_model: async () => ({ get: () => undefined }) }; // as marimo has it
    for (const widget_manager of [undefined, without]) {
      const close = await loader.render({ model: { get: () => "", widget_manager } as never, el });
      expect(el.textContent).toContain("LabelingApp(session) shows all of them.");
      close();
      expect(el.textContent).toBe("");
    }
  });

  it("takes the page's module from the model that the parts share, once", async () => {
    vi.useRealTimers();
    const rendered: unknown[] = [];
    (globalThis as Record<string, unknown>).rendered = rendered;
    const source =
      "data:text/javascript,export default {renderPart: (...a) => (globalThis.rendered.push(a), () => {})}";
    const made = vi.spyOn(URL, "createObjectURL").mockReturnValue(source);
    const shared = { get: () => "the page" };
    const asked: string[] = [];
    const widget_manager = {
      get_model: async (id: string) => {
        asked.push(id);
        return shared;
      },
    };
    const model = (name: string) => ({
      get: (trait: string) => (trait === "_page" ? "IPY_MODEL_17" : name),
      widget_manager,
    });
    const el = document.createElement("div");
    for (const name of ["labels", "estimate"]) await loader.render({ model: model(name) as never, el });
    expect(rendered).toEqual([
      [shared, el, "labels"],
      [shared, el, "estimate"],
    ]);
    expect(asked).toEqual(["17", "17"]);
    expect(made).toHaveBeenCalledTimes(1);
    made.mockRestore();
  });
});
