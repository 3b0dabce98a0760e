// The whole page, with Python stood in for.

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { element } from "../src/dom/element";
import app from "../src/index";
import { FakePython } from "./fake_python";

type Shown = Parameters<typeof app.render>[0]["model"];

let python: FakePython;
let box: HTMLElement;
let close: () => void;

const shown = () => document.querySelector<HTMLElement>("[data-aew=app]") ?? document.body;
const find = (selector: string) => document.querySelector<HTMLElement>(selector);
const press = (key: string, options: KeyboardEventInit = {}) =>
  (document.activeElement ?? document.body).dispatchEvent(
    new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, composed: true, ...options }),
  );
const settle = () => vi.advanceTimersByTimeAsync(10);

async function open(): Promise<void> {
  const el = document.createElement("div");
  box.replaceChildren(el);
  close = app.render({ model: python.model as Shown, el });
  await settle();
}

beforeEach(async () => {
  vi.useFakeTimers();
  localStorage.clear();
  python = new FakePython();
  box = document.createElement("div");
  box.className = "aew-app";
  document.body.replaceChildren(box);
  await open();
});
afterEach(() => {
  close();
  vi.useRealTimers();
});

describe("a page", () => {
  it("shows the first instance, and is ready", () => {
    expect(shown().dataset).toMatchObject({ state: "ready", draw: "1", nLabels: "0" });
    expect(find("[data-aew=instance]")?.dataset.instanceId).toBe("id-1");
    expect(find("[data-aew=instance]")?.textContent).toContain("Text 101");
  });

  it("has regions of its own names beside another app", async () => {
    const second = document.createElement("div");
    second.className = "aew-app";
    const el = document.createElement("div");
    second.append(el);
    box.after(second);
    const closeSecond = app.render({ model: new FakePython().model as Shown, el });
    await settle();
    const names = (root: Element) =>
      [root, ...root.querySelectorAll("section[aria-label]")].map((each) => each.getAttribute("aria-label") ?? "");
    expect(names(second)).toEqual(names(shown()).map((name) => `${name} 2`));
    expect(names(second)).toContain("Estimate 2");
    closeSecond();
    second.remove();
  });

  it("labels by key, and shows the next instance before the label is saved", async () => {
    press("2");
    expect(shown().dataset).toMatchObject({ state: "saving", draw: "2" });
    await settle();
    expect(shown().dataset).toMatchObject({ state: "ready", draw: "2", nLabels: "1" });
    expect(python.labels).toEqual(new Map([[1, 1]]));
  });

  it("stands alone in a shadow root, as marimo shows it, with boxes and colors of its own", async () => {
    close();
    python = new FakePython();
    document.body.dataset.theme = "dark";
    const host = document.createElement("div");
    const el = document.createElement("div");
    host.attachShadow({ mode: "open" }).append(el);
    box.replaceWith(host);
    close = app.render({ model: python.model as Shown, el });
    await settle();
    const root = el
      .querySelector<HTMLElement>(".aew-app > .aew-grid > .aew-front-end")
      ?.closest<HTMLElement>(".aew-app");
    expect(root?.dataset).toMatchObject({ aew: "app", state: "ready", draw: "1" });
    expect(el.dataset.jpThemeLight).toBe("false");
    document.body.dataset.theme = "light";
    await settle();
    expect(el.dataset.jpThemeLight).toBe("true");
    root?.focus();
    root?.dispatchEvent(new KeyboardEvent("keydown", { key: "2", bubbles: true, cancelable: true, composed: true }));
    await settle();
    expect(python.labels).toEqual(new Map([[1, 1]]));
    delete document.body.dataset.theme;
  });

  it("labels by button", async () => {
    find("[data-aew=label][data-value=cow]")?.click();
    await settle();
    expect(python.labels).toEqual(new Map([[1, 2]]));
  });

  it("saves every one of fast keys, in order", async () => {
    for (const key of ["1", "2", "3", "3", "2", "1"]) press(key);
    await settle();
    expect([...python.labels.values()]).toEqual([0, 1, 2, 2, 1, 0]);
    expect(shown().dataset).toMatchObject({ state: "ready", draw: "7" });
  });

  it("labels once while a key is held down", async () => {
    press("1");
    press("1", { repeat: true });
    await settle();
    expect(python.labels.size).toBe(1);
  });

  it("leaves the browser its own keys", async () => {
    press("1", { ctrlKey: true });
    press("1", { isComposing: true });
    await settle();
    expect(python.labels.size).toBe(0);
  });

  it("takes an answer back", async () => {
    press("1");
    await settle();
    press("u");
    await settle();
    expect(python.labels.size).toBe(0);
    expect(shown().dataset.draw).toBe("1");
  });

  it("tells of a key that does nothing", () => {
    press("q");
    expect(find("[data-aew=status]")?.textContent).toBe("Q does nothing here. ? shows all keys.");
  });

  it("is ready only when a key counts: once the instance is there", async () => {
    close();
    python = new FakePython();
    python.hasInstances = false;
    await open();
    expect(shown().dataset.state).toBe("saving");
    press("2"); // for an instance that nobody has seen
    python.hasInstances = true;
    python.answerInstances();
    await settle();
    expect(shown().dataset.state).toBe("ready");
    expect(python.labels.size).toBe(0);
    expect(find("[data-aew=status]")?.textContent).toContain("2 was pressed before this item was shown");
    press("2");
    await settle();
    expect(python.labels).toEqual(new Map([[1, 1]]));
  });

  it("lets a key wait that cannot be taken yet, if it is for what is shown then", async () => {
    press("x");
    press("2"); // for the second one, which is on screen
    press("3"); // too
    await settle();
    expect(python.labels).toEqual(new Map([[2, 1]]));
    expect(find("[data-aew=status]")?.textContent).toContain("3 was pressed before this item was shown");
    press("u");
    press("1"); // the third one was on screen
    await settle();
    expect(shown().dataset).toMatchObject({ state: "ready", draw: "2" });
    expect(find("[data-aew=status]")?.textContent).toContain("1 was pressed before");
    press("1");
    await settle();
    expect(python.labels).toEqual(new Map([[2, 0]]));
  });

  it("has names for its plots before they have content", () => {
    const names = [...shown().querySelectorAll(".aew-side .aew-plot")].map((plot) => plot.getAttribute("aria-label"));
    const titles = ["trajectory", "distribution", "interval", "calibration"].map((name) => `The ${name}`);
    expect(names.sort()).toEqual([...titles, "Where the models differ"].sort());
  });

  it("lets screen readers read the next instance, but no list that is announced result by result", async () => {
    const slot = find("[data-aew=instance] > .aew-slot");
    expect(slot?.getAttribute("aria-live")).toBe("polite");
    for (const content of shown().querySelectorAll("[data-aew=instance] .aew-scroll"))
      content.append(element("li", { class: "aew-result" }));
    press("f"); // paints
    await settle();
    expect(slot?.getAttribute("aria-live")).toBe("off");
  });

  it("tells screen readers of a flag, a note and the prediction", () => {
    for (const name of ["marks", "prediction"])
      expect(find(`[data-aew=${name}]`)?.getAttribute("aria-live")).toBe("polite");
  });

  it("asks for the plots once the fingers rest", async () => {
    await vi.advanceTimersByTimeAsync(200);
    const before = python.types.filter((type) => type === "plots").length;
    press("1");
    await vi.advanceTimersByTimeAsync(60);
    press("2");
    await vi.advanceTimersByTimeAsync(100);
    expect(python.types.filter((type) => type === "plots").length).toBe(before);
    await vi.advanceTimersByTimeAsync(100);
    expect(python.types.filter((type) => type === "plots").length).toBe(before + 1);
  });
});

describe("without an answer", () => {
  it("a page says so, lets nothing be labeled, and goes on as soon as there is one", async () => {
    python.isThere = false;
    press("1");
    await vi.advanceTimersByTimeAsync(3000);
    expect(shown().dataset.state).toBe("disconnected");
    const banner = find("[data-aew=disconnected]")?.textContent;
    expect(banner).toContain("Not saved: cat (draw 1).");
    expect(banner).toContain("reload the page: this tab keeps these answers, and sends them again.");
    press("2");
    expect(shown().dataset.draw).toBe("2");
    python.isThere = true;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(shown().dataset).toMatchObject({ state: "ready", nLabels: "1" });
  });
});

describe("dialogs", () => {
  it.each([
    ["?", "help"],
    ["s", "settings"],
    ["v", "panels"],
    ["h", "history"],
    ["t", "goal"],
    ["X", "exclude_because"],
  ])("%s opens %s, and no key labels meanwhile", async (key, name) => {
    press(key, { shiftKey: key === "X" });
    expect(find("dialog[open]")?.dataset.aew).toBe(name);
    find("dialog[open]")?.dispatchEvent(new KeyboardEvent("keydown", { key: "2", bubbles: true, cancelable: true }));
    await settle();
    expect(python.labels.size).toBe(0);
  });

  it("leave the next key to the page at once, though a field of theirs still has the focus", async () => {
    press("t");
    const field = find("[data-aew=goal] input") as HTMLInputElement;
    field.focus();
    press("1");
    await settle();
    expect(python.labels.size).toBe(0);
    (find("[data-aew=goal]") as HTMLDialogElement).close();
    field.focus();
    press("1");
    await settle();
    expect(python.labels.size).toBe(1);
  });

  it("are closed by the key that opened them", () => {
    press("?");
    find("dialog[open]")?.dispatchEvent(new KeyboardEvent("keydown", { key: "?", bubbles: true }));
    expect(find("dialog[open]")).toBeNull();
  });
});

describe("the result", () => {
  it("takes the place of labeling until one goes back", async () => {
    press("r");
    expect(shown().dataset.screen).toBe("result");
    press("1");
    press("l");
    await settle();
    expect(python.types).toContain("result");
    expect(python.types).not.toContain("answers");
    press("Escape");
    expect(shown().dataset.screen).toBeUndefined();
  });

  it("is left by an undo, which is carried out", async () => {
    press("1");
    await settle();
    press("r");
    press("u");
    await settle();
    expect(shown().dataset.screen).toBeUndefined();
    expect(python.labels.size).toBe(0);
  });

  it("is shown once all is labeled", async () => {
    for (let i = 0; i < 40; i += 1) {
      press("1");
      await settle();
    }
    expect(shown().dataset).toMatchObject({ state: "done", screen: "result", nLabels: "40" });
  });

  it("is not shown while others have the last ones", async () => {
    python.waitsForOthers = true;
    for (let i = 0; i < 40; i += 1) {
      press("1");
      await settle();
    }
    expect(shown().dataset).toMatchObject({ state: "done", nLabels: "40" });
    expect(shown().dataset.screen).toBeUndefined();
    expect(shown().textContent).toContain("All done.");
  });
});

describe("a page that is taken away", () => {
  /** What is added to a target and not removed, from now on. */
  function watch(target: EventTarget): () => number {
    const left = new Set<string>();
    const ids = new Map<unknown, number>();
    const idOf = (listener: unknown) => {
      if (!ids.has(listener)) ids.set(listener, ids.size);
      return ids.get(listener);
    };
    const { addEventListener, removeEventListener } = target;
    vi.spyOn(target, "addEventListener").mockImplementation((type, listener, options) => {
      const name = `${type} ${idOf(listener)}`;
      left.add(name);
      const signal = typeof options === "object" ? options.signal : undefined;
      signal?.addEventListener("abort", () => left.delete(name));
      addEventListener.call(target, type, listener, options);
    });
    vi.spyOn(target, "removeEventListener").mockImplementation((type, listener, options) => {
      left.delete(`${type} ${idOf(listener)}`);
      removeEventListener.call(target, type, listener, options);
    });
    return () => left.size;
  }

  it("leaves no listener, timer, observer, address or node, ten times", async () => {
    close();
    box.replaceChildren();
    const observers = { made: 0, ended: 0 };
    const urls = new Set<string>();
    for (const name of ["ResizeObserver", "MutationObserver"] as const) {
      const Real = globalThis[name] as unknown as new (callback: unknown) => { disconnect(): void };
      class Counted extends Real {
        constructor(callback: unknown) {
          super(callback);
          observers.made += 1;
        }

        override disconnect(): void {
          observers.ended += 1;
          super.disconnect();
        }
      }
      vi.stubGlobal(name, Counted);
    }
    vi.spyOn(URL, "createObjectURL").mockImplementation(() => {
      urls.add(`blob:${urls.size}`);
      return `blob:${urls.size - 1}`;
    });
    vi.spyOn(URL, "revokeObjectURL").mockImplementation((url) => void urls.delete(url));
    const left = [document, window, document.body, box].map(watch);
    const nNodes = document.querySelectorAll("*").length;
    vi.clearAllTimers();
    for (let round = 0; round < 10; round += 1) {
      await open();
      press("1");
      await vi.advanceTimersByTimeAsync(500);
      press("2"); // the plots are asked for soon
      press("h");
      find("dialog[open]")?.querySelector("input")?.dispatchEvent(new Event("input"));
      expect(left.reduce((sum, count) => sum + count(), 0)).toBeGreaterThan(0);
      expect(vi.getTimerCount()).toBeGreaterThan(0);
      close();
      box.replaceChildren();
      expect(left.map((count) => count())).toEqual([0, 0, 0, 0]);
      expect(vi.getTimerCount()).toBe(0);
      expect(python.listeners.size).toBe(0);
    }
    expect(document.querySelectorAll("*").length).toBe(nNodes);
    expect(observers.made).toBeGreaterThan(0);
    expect(observers.ended).toBe(observers.made);
    expect(urls.size).toBe(0);
    expect(python.labels.size).toBeGreaterThanOrEqual(10);
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
    await open();
  });
});
