import { describe, expect, it } from "vitest";
import { areaOf, axesOf } from "../src/charts/axes";
import { type Layer, layerFrom, stepFrom, valueAt } from "../src/charts/chart_values";
import { pathOf, SHAPES } from "../src/charts/drawing";
import { horizontalTicks, scaleOf, verticalTicks } from "../src/charts/scales";

describe("a scale", () => {
  it("leads from numbers to pixels", () => {
    const x = scaleOf({ low: 0, high: 10 }, 100, 200);
    expect([0, 5, 10].map(x)).toEqual([100, 150, 200]);
  });

  it("may lead upwards", () => {
    expect(scaleOf({ low: -1, high: 1 }, 300, 0)(0)).toBe(150);
  });

  it("may be logarithmic", () => {
    const y = scaleOf({ low: 0.25, high: 4, is_log: true }, 0, 100);
    expect([0.25, 0.5, 1, 4].map(y).map(Math.round)).toEqual([0, 25, 50, 100]);
  });
});

describe("ticks", () => {
  const ticks = (values: number[]) => values.map((value): [number, string] => [value, String(value)]);

  const upwards = (low: number, high: number, height: number, is_log = false) =>
    scaleOf({ low, high, is_log }, height, 0);

  it("are all there where there is room", () => {
    const axis = { ticks: ticks([0, 1, 2, 3]) };
    expect(verticalTicks(axis, upwards(0, 3, 200), 14)).toEqual(axis.ticks);
    expect(horizontalTicks(axis, scaleOf({ low: 0, high: 3 }, 0, 400), () => 8)).toEqual(axis.ticks);
    expect(verticalTicks({ ticks: [] }, upwards(0, 3, 200), 14)).toEqual([]);
  });

  it("are fewer where there is less, with 0 of differences among them", () => {
    const axis = { ticks: ticks([-3, -2, -1, 0, 1, 2, 3]) };
    const left = verticalTicks(axis, upwards(-3, 3, 40), 14).map(([value]) => value);
    expect(left).toContain(0);
    expect(left.length).toBeLessThan(7);
  });

  it("are fewer where there is less, with 1 of multiples among them", () => {
    const axis = { ticks: ticks([0.25, 0.5, 1, 2, 4, 8]), is_log: true };
    for (let height = 20; height < 120; height += 5) {
      const y = upwards(0.25, 8, height, true);
      expect(verticalTicks(axis, y, 14).map(([value]) => value)).toContain(1);
    }
  });

  it("do not overlap across, however wide they are", () => {
    const axis = { ticks: ticks([100_000, 200_000, 300_000, 400_000]) };
    const x = scaleOf({ low: 100_000, high: 400_000 }, 0, 100);
    const counts = [2, 25, 40, 80, 200].map((width) => horizontalTicks(axis, x, () => width).length);
    expect(counts).toEqual([4, 4, 2, 2, 1]);
  });
});

describe("names of rows", () => {
  const sizes = { width: (text: string) => 8 * [...text].length, ascent: 12, descent: 4 };
  const x = { low: 0, high: 1, ticks: [[0, "0"]] as [number, string][] };
  const drawnNames = (names: string[], width: number) => {
    const y = { low: 0, high: names.length, ticks: names.map((name, i): [number, string] => [i, name]) };
    const area = areaOf({ x, y }, width, 400, sizes, false);
    const texts = axesOf({ x, y }, area, sizes, false).map((node) => node.textContent ?? "");
    return { left: area.left, texts: texts.filter((text) => text !== "" && text !== "0") };
  };

  it("leave most of a narrow plot to the data", () => {
    const { left, texts } = drawnNames(["Ärzteverbund Übersee-Größenwah", "Ada"], 330);
    expect(left).toBe(132 + 12);
    expect(texts).toEqual(["Ärzteverbund Üb…", "Ada"]);
  });

  it("are whole where there is room, as numbers always are", () => {
    expect(drawnNames(["Ärzteverbund Übersee-Größenwah"], 800).texts).toEqual(["Ärzteverbund Übersee-Größenwah"]);
    expect(drawnNames(["1,234,567"], 100).texts).toEqual(["1,234,567"]);
  });
});

describe("a path", () => {
  it("joins points", () => {
    expect(pathOf([0, 1.25], [2, 3])).toBe("M0.0 2.0L1.3 3.0");
    expect(pathOf([], [])).toBe("");
  });

  it("stands on the axis as a foot", () => {
    expect(SHAPES.foot(5, 17, 3)).toBe(SHAPES.cross(5, 10, 3));
  });
});

describe("values", () => {
  const layer = (by: Layer["by"], px: number[], py: number[]): Layer => ({
    name: by,
    by,
    px,
    py,
    text: px.map(String),
  });
  const curve = layer("x", [0, 10, 20, 30], [50, 50, 50, 50]);
  const points = layer("point", [10, 28], [20, 20]);
  const empty = layer("point", [], []);

  it("are found by the nearest point within reach", () => {
    expect(valueAt([curve, points], 12, 22)).toEqual([1, 0]);
    expect(valueAt([curve, points], 20, 20)).toEqual([1, 1]);
  });

  it("are those of the curve elsewhere", () => {
    expect(valueAt([curve, points], 12, 90)).toEqual([0, 1]);
    expect(valueAt([curve, points], 43, 90)).toEqual([0, 3]);
  });

  it("are none where there are none", () => {
    expect(valueAt([curve, points], 60, 90)).toBeNull();
    expect(valueAt([empty], 0, 0)).toBeNull();
    expect(stepFrom([empty], null, 1)).toBeNull();
    expect(layerFrom([empty], null, 1)).toBeNull();
  });

  it("are stepped through, from the latest of a curve", () => {
    expect(stepFrom([curve], null, 1)).toEqual([0, 3]);
    expect(stepFrom([curve], null, -1)).toEqual([0, 3]);
    expect(stepFrom([curve], [0, 3], -1)).toEqual([0, 2]);
    expect(stepFrom([curve], [0, 3], 1)).toEqual([0, 3]);
    expect(stepFrom([curve], [0, 3], Number.NEGATIVE_INFINITY)).toEqual([0, 0]);
    expect(stepFrom([curve], [0, 1], Number.POSITIVE_INFINITY)).toEqual([0, 3]);
  });

  it("are stepped through, from the first of points", () => {
    expect(stepFrom([empty, points], null, 1)).toEqual([1, 0]);
    expect(stepFrom([empty, points], null, 10)).toEqual([1, 1]);
  });

  it("change layers, those without values left out", () => {
    const layers = [curve, empty, points];
    expect(layerFrom(layers, null, 1)).toEqual([0, 3]);
    expect(layerFrom(layers, [0, 3], 1)).toEqual([2, 0]);
    expect(layerFrom(layers, [2, 0], 1)).toEqual([0, 3]);
    expect(layerFrom(layers, null, -1)).toEqual([2, 0]);
    expect(layerFrom([curve], [0, 1], 1)).toEqual([0, 3]);
  });
});
