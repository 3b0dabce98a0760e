import { expect, it } from "vitest";
import { countedText, numberText, percentText, significantText } from "../src/text/numbers";
import cases from "./fixtures/numbers.json";

it.each(cases.numbers)("writes %j as Python does", ({ value, decimals, sign, trims, text }) => {
  expect(numberText(value, decimals, { sign, trims })).toBe(text);
});

it.each(cases.shares)("writes the share %j as Python does", ({ value, decimals, text }) => {
  expect(percentText(value, decimals)).toBe(text);
});

it.each(cases.counts)("writes the count %j as Python does", ({ value, text }) => {
  expect(countedText(value, "label")).toBe(text);
});

it.each([
  [0.3701, 3, "0.37"],
  [12, 3, "12"],
  [1234.4, 3, "1,234"],
  [-0.00123456, 2, "−0.0012"],
  [0, 2, "0"],
  [1000, 1, "1,000"],
  [0.1, 1, "0.1"],
])("writes %f with %i significant digits", (value, digits, text) => {
  expect(significantText(value, digits)).toBe(text);
});
