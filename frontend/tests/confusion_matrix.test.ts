import { describe, expect, it } from "vitest";
import type { ConfusionContent } from "../src/from_python/messages";
import { ConfusionMatrix } from "../src/panels/confusion_matrix";

const cell = (text: string) => ({ text, title: `Label a, verdict b: ${text}`, share: 0.25 });
const CONTENT: ConfusionContent = {
  summary: "Estimated shares of all instances.",
  rows: "Label",
  columns: "Verdict of judge",
  classes: ["pass", "fail"],
  cells: [
    [cell("40.0"), cell("10.0")],
    [cell("20.0"), cell("30.0")],
  ],
  confusions: [["fail", "pass", "20.0%", "4"]],
};

describe("the confusion matrix", () => {
  it("names rows and columns as Python says", () => {
    const matrix = new ConfusionMatrix("confusion", "Confusion matrix");
    matrix.show(CONTENT);
    const heads = [...matrix.node.querySelectorAll("th[scope=colgroup], th[scope=rowgroup]")];
    expect(heads.map(({ textContent }) => textContent)).toEqual(["Verdict of judge", "Label"]);
    const listed = [...matrix.node.querySelectorAll("table:last-of-type thead th[scope=col]")].slice(-4);
    expect(listed.map(({ textContent }) => textContent)).toEqual(["Label", "Verdict of judge", "Of all", "Labels"]);
    expect(matrix.node.textContent).not.toContain("model");
  });
});
