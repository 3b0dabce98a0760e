import { expect, test } from "vitest";
import { element } from "../src/dom/element";
import { Panels } from "../src/panels/index";
import type { PanelTools } from "../src/panels/panel";
import { TableDialog } from "../src/panels/plot";

const use: PanelTools = {
  adjudicate: () => {},
  rename: () => {},
  goTo: () => {},
  listDiffering: () => {},
  choosePair: () => {},
  table: new TableDialog(),
  goal: element("div"),
};

test.each([
  ["text", ".aew-text-table"],
  ["table", ".aew-text-table"],
  ["intervals", ".aew-interval-table"],
  ["plot", ".aew-days-plot"],
  ["matrix", ".aew-confusion"],
] as const)("a finding of the kind %s gets a panel of its own", (kind, selector) => {
  const panels = new Panels(use);
  const module = { name: "days", title: "Labels by day", kind, source: "", is_hidden_at_first: false };
  const node = panels.add(module);
  expect(node?.matches(selector)).toBe(true);
  expect(panels.add(module)).toBe(null);
  panels.close();
});

test("a finding in words is shown by its name", () => {
  const panels = new Panels(use);
  const node = panels.add({
    name: "days",
    title: "Labels by day",
    kind: "text" as const,
    source: "",
    is_hidden_at_first: false,
  });
  panels.show({ days: { summary: "2 labels." } });
  expect(node?.querySelector("h2")?.textContent).toBe("Labels by day");
  expect(node?.querySelector("p")?.textContent).toBe("2 labels.");
  panels.close();
});
