import { describe, expect, it } from "vitest";
import {
  markOf,
  meaningsOf,
  numberIn,
  onGrid,
  problemOf,
  rangeText,
  roundStep,
  withUnit,
} from "../src/labels/typed_numbers";

const POINTS: [string, string] = ["point", "points"];

describe("the number that a text is", () => {
  it.each([
    ["3", 3],
    [" 3.5 ", 3.5],
    ["3,5", 3.5],
    ["-.5", -0.5],
    ["+2.", 2],
    ["1e3", 1000],
    ["2,5E-1", 0.25],
    ["0,125", 0.125],
    ["1234,567", 1234.567],
    ["1,234,567", 1234567],
    ["1.234,5", 1234.5],
    ["1,234.5", 1234.5],
    ["12 345,678", 12345.678],
    ["12\u202f345\u00a0678", 12345678],
    ["1'234.567", 1234.567],
    ["−2,5", -2.5],
    ["1e−3", 0.001],
    ["1,234e2", 123.4],
  ])("%s: %d", (text, number) => {
    expect(meaningsOf(text)).toBeNull();
    expect(numberIn(text)).toBe(number);
  });

  it.each([
    "",
    " ",
    "x",
    "1 2",
    "1,2,3",
    "1,23,456",
    "1 234'567",
    "0,125.5",
    "1.2.3",
    "--1",
    "e3",
    ".",
    "0x10",
    "Infinity",
    "1e",
  ])("none in %o", (text) => {
    expect(numberIn(text)).toBeNaN();
  });
});

describe("a comma or a point before exactly three digits", () => {
  it.each([
    ["200,000", 200000, 200],
    ["-1.250", -1.25, -1250],
    ["+12,345", 12345, 12.345],
  ])("%s is two numbers", (text, byPoint, byComma) => {
    expect(meaningsOf(text)).toEqual({ ".": byPoint, ",": byComma });
    expect([numberIn(text, "."), numberIn(text, ",")]).toEqual([byPoint, byComma]);
    expect(markOf(text)).toBeNull();
  });

  it("is clear in others", () => {
    expect([markOf("2.5"), markOf("2,5"), markOf("25"), markOf("1,234,567")]).toEqual([".", ",", null, "."]);
  });

  it("is a problem only where neither number is of the range", () => {
    const range = { low: 0, high: 1000, unit: null };
    expect(problemOf("200,000", range)).toBeNull();
    expect(problemOf("200,000", range, ".")).toBe("The maximum is 1000.");
    expect(problemOf("-200,000", range)).toBe("The minimum is 0.");
  });
});

describe("a slider's step", () => {
  it.each([
    [100, 1],
    [10, 0.1],
    [1, 0.01],
    [30, 0.5],
    [20, 0.2],
    [60, 1],
    [7, 0.1],
    [500, 5],
    [600, 10],
  ])("of a range of %d: %d", (range, step) => {
    expect(roundStep(range)).toBeCloseTo(step, 12);
  });
});

describe("a number on the grid", () => {
  it("has no rest", () => {
    expect(onGrid(0.1 + 0.2, 0.1, 0, 1)).toBe(0.3);
    expect(onGrid(0.7000001, 0.1, 0, 1)).toBe(0.7);
  });

  it("stays in the range", () => {
    expect(onGrid(5, 0.1, 0, 1)).toBe(1);
    expect(onGrid(-5, 0.1, 0, 1)).toBe(0);
  });
});

describe("a range", () => {
  it.each([
    [0, 10, POINTS, "a number from 0 to 10\u00a0points"],
    [-1, 1, POINTS, "a number from −1 to 1\u00a0point"],
    [0, null, POINTS, "a number from 0\u00a0points up"],
    [null, 5, null, "a number up to 5"],
    [null, null, null, "a number"],
  ])("from %o to %o in %o: %s", (low, high, unit, text) => {
    expect(rangeText({ low, high, unit })).toBe(text);
  });
});

describe("a number with its unit", () => {
  it("is singular for one, and minus one", () => {
    expect(withUnit(1, { unit: POINTS })).toBe("1\u00a0point");
    expect(withUnit(-1, { unit: POINTS })).toBe("−1\u00a0point");
    expect(withUnit(1.5, { unit: POINTS })).toBe("1.5\u00a0points");
    expect(withUnit(2, { unit: null })).toBe("2");
  });
});

describe("what is wrong with a text", () => {
  const range = { low: 0, high: 10, unit: null };

  it.each([
    ["5", null],
    ["0", null],
    ["10", null],
    ["x", "Enter a number from 0 to 10."],
    ["1e999", "Enter a number from 0 to 10."],
    ["-0,1", "The minimum is 0."],
    ["10.1", "The maximum is 10."],
  ])("%s: %s", (text, problem) => {
    expect(problemOf(text, range)).toBe(problem);
  });
});
