import { describe, expect, it } from "vitest";
import { FigureSurface, type WidgetManager } from "../src/charts/figure_surface";
import type { PlotContent } from "../src/from_python/messages";
import { PageFigures } from "../src/page/page_figures";

const axis = { low: 0, high: 1, ticks: [] };
const content = { x: axis, y: axis, margin: { left: 10, right: 0, top: 0, bottom: 20 } } as unknown as PlotContent;

/** A manager whose views have this class, and note what is done to them. */
const managerOf = (name: string, done: string[]): WidgetManager => ({
  get_model: (id) => Promise.resolve(done.push(`get ${id}`)),
  create_view: () => {
    const el = document.createElement("div");
    el.classList.add(name);
    const luminoWidget = { processMessage: ({ type }: { type?: string }) => done.push(type ?? "") };
    return Promise.resolve({
      el,
      luminoWidget,
      relayout: () => done.push("relayout"),
      remove: () => done.push("remove"),
    });
  },
});

describe("a figure of Python's", () => {
  it("is attached once, and fits itself whenever it may have another size", async () => {
    const done: string[] = [];
    const surface = await FigureSurface.open(managerOf("bqplot", done), "IPY_MODEL_abc");
    const { left, right, bottom } = surface?.draw(content, 300, 200) ?? {};
    expect([left, right, bottom]).toEqual([10, 300, 180]);
    surface?.draw(content, 300, 150);
    expect(done).toEqual(["get abc", "after-attach", "relayout", "relayout"]);
    surface?.close();
    expect(done.slice(4)).toEqual(["after-detach", "remove"]);
  });

  it("hides the numbers of the vertical axis that would lie on each other, whenever they come", async () => {
    const ticks = [0, 1, 2, 3, 4].map((value): [number, string] => [value / 4, `${25 * value}%`]);
    const surface = await FigureSurface.open(managerOf("bqplot", []), "IPY_MODEL_abc");
    surface?.draw({ ...content, y: { ...axis, ticks } }, 300, 60); // 40 px for 5 numbers
    const number = '<g class="tick"></g>';
    const axes = `<g class="axis" text-anchor="middle">${number}</g><g class="axis" text-anchor="end">${number.repeat(5)}</g>`;
    const shown = () =>
      [...(surface?.node.querySelectorAll<SVGElement>(".tick") ?? [])].map(
        (tick) => tick.style.visibility !== "hidden",
      );
    if (surface) surface.node.innerHTML = axes;
    await Promise.resolve(); // for what is observed
    expect(shown()).toEqual([true, true, false, true, false, true]);
    surface?.draw({ ...content, y: { ...axis, ticks } }, 300, 200);
    expect(shown()).toEqual(Array(6).fill(true));
  });

  it("is not there where its script can't be had", async () => {
    const done: string[] = [];
    expect(await FigureSurface.open(managerOf("jupyter-widgets", done), "IPY_MODEL_abc")).toBeNull();
    expect(done).toEqual(["get abc", "remove"]);
  });
});

describe("the figures of a page", () => {
  it("are replaced where Python names others", async () => {
    const done: string[] = [];
    const used: string[] = [];
    const figures = new PageFigures(managerOf("bqplot", done), { use: (name) => used.push(name), giveUp: () => {} });
    const settle = () => new Promise((resolve) => setTimeout(resolve));
    figures.take({ trajectory: "IPY_MODEL_a" });
    await settle();
    figures.take({ trajectory: "IPY_MODEL_a", distribution: "IPY_MODEL_b" });
    await settle();
    expect(used).toEqual(["trajectory", "distribution"]);
    expect(done).toEqual(["get a", "get b"]);
    figures.take({ trajectory: "IPY_MODEL_c" });
    figures.take({ trajectory: "IPY_MODEL_d" }); // before the other is open
    await settle();
    expect(used).toEqual(["trajectory", "distribution", "trajectory"]);
    expect(done.slice(2)).toEqual(["get c", "get d", "remove", "remove"]); // c and a
  });
});
