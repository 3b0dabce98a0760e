import { describe, expect, it } from "vitest";
import { GradesGiven } from "../src/labels/grades_given";

const NAMES = ["a", "b", "c", "d"];

describe("grades", () => {
  it("are taken back in the order in which they were given, the last one first", () => {
    const given = new GradesGiven(NAMES);
    given.give("c", 1);
    given.give("a", 2);
    given.give("c", 0);
    expect(given.takeBack()).toBe("c");
    expect(given.takeBack()).toBe("a");
    expect(given.takeBack()).toBeUndefined();
    expect(given.unjudged()).toEqual([0, 1, 2, 3]);
  });

  it("of an earlier label are there, those of other results are not", () => {
    const given = new GradesGiven(NAMES, { b: 3, z: 1, d: null });
    expect(given.get("b")).toBe(3);
    expect(given.get("d")).toBeNull();
    expect(given.get("a")).toBeUndefined();
    expect(given.asRecord()).toEqual({ b: 3, d: null });
  });

  it("go to the next result that has none, from the start again", () => {
    const given = new GradesGiven(NAMES, { b: 1 });
    expect(given.nextUnjudged(-1)).toBe(0);
    expect(given.nextUnjudged(0)).toBe(2);
    expect(given.nextUnjudged(3)).toBe(0);
    for (const name of NAMES) given.give(name, 1);
    expect(given.nextUnjudged(0)).toBe(-1);
  });

  it("tell whether nothing could be judged", () => {
    const given = new GradesGiven(NAMES);
    for (const name of NAMES) given.give(name, null);
    expect(given.isNothingJudged).toBe(true);
    given.give("b", 0);
    expect(given.isNothingJudged).toBe(false);
    expect(new GradesGiven([]).isNothingJudged).toBe(false);
  });

  it("keep their order when one is given anew", () => {
    const given = new GradesGiven(NAMES);
    for (const name of ["b", "a"]) given.give(name, 1);
    given.give("b", 2);
    expect(Object.keys(given.asRecord())).toEqual(["b", "a"]);
  });
});
