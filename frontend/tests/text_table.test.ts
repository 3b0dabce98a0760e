import { expect, test } from "vitest";
import { TextTable } from "../src/panels/text_table";

test("a finding is a sentence, and a table where it has one", () => {
  const panel = new TextTable("days", "Labels by day");
  panel.show({ summary: "No labels yet." });
  expect(panel.node.querySelector("p")?.textContent).toBe("No labels yet.");
  expect(panel.node.querySelector<HTMLElement>(".aew-table")?.hidden).toBe(true);
  panel.show({ summary: "3 labels.", columns: ["Day", "Labels"], rows: [["<b>Monday</b>", "3"]] });
  expect(panel.node.querySelector<HTMLElement>(".aew-table")?.hidden).toBe(false);
  expect([...panel.node.querySelectorAll("th")].map((each) => each.textContent)).toEqual(["Day", "Labels"]);
  expect([...panel.node.querySelectorAll("td")].map((each) => each.textContent)).toEqual(["<b>Monday</b>", "3"]);
  expect(panel.node.querySelector("b")).toBe(null);
});
