import { describe, expect, it } from "vitest";
import { fit, folded, found } from "../src/labels/text_search";

describe("folded", () => {
  it("leaves out case and accents", () => {
    expect(folded("Éclair À LA Ångström")).toBe("eclair a la angstrom");
    expect(folded("ﬁne")).toBe("fine");
  });
});

describe("fit", () => {
  it.each([
    ["cat", "cat", 0],
    ["category", "cat", 1],
    ["wild cat", "cat", 2],
    ["grey wild cat", "wi ca", 3],
    ["concatenate", "cat", null],
    ["cat", "  ", null],
  ])("of %s to %s is %s", (text, typed, fitting) => {
    expect(fit(text, typed)).toBe(fitting);
  });
});

describe("found", () => {
  const texts = ["wild cat", "cat", "category", "dog", "cat food"];

  it("lists all in their order where nothing is typed", () => {
    expect(found(texts, "", [3])).toEqual([0, 1, 2, 3, 4]);
  });

  it("lists the text itself first, then by how well texts fit", () => {
    expect(found(texts, "cat")).toEqual([1, 2, 4, 0]);
  });

  it("prefers recent ones, but not to the text itself", () => {
    expect(found(texts, "cat", [0, 4])).toEqual([1, 0, 4, 2]);
  });

  it("finds nothing where nothing fits", () => {
    expect(found(texts, "horse")).toEqual([]);
  });
});
