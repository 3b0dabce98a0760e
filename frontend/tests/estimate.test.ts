// The two intervals of the estimate: numbers for machines, bands for eyes, a line each for readers.

import { expect, it } from "vitest";

import type { EstimateContent, IntervalBar } from "../src/from_python/messages";
import { EstimatePanel } from "../src/panels/estimate";

const bar: IntervalBar = {
  ends: ["0%", "40%"],
  low: 0.1,
  high: 0.9,
  value: 0.5,
  zero: null,
  is_approximate: false,
  within: { low: 0.25, high: 0.75 },
};

const content: EstimateContent = {
  value: 0.2,
  low: 0.04,
  high: 0.36,
  approximate_low: 0.1,
  approximate_high: 0.3,
  title: "Error rate",
  headline: "20.0%",
  spoken: "Error rate 20.0%. ",
  sentence: "95% interval: 4.0% to 36.0%, valid however often you look.",
  interval: "4.0% to 36.0%",
  approximate: "Approximate interval: 10.0% to 30.0%.",
  note: "",
  intro: "",
  warning: "",
  bar,
};

function shown(changes: Partial<EstimateContent> = {}): HTMLElement {
  const panel = new EstimatePanel(document.createElement("div"));
  panel.show(content);
  panel.show({ ...content, ...changes });
  return panel.node;
}

const bands = (node: HTMLElement) => [...node.querySelectorAll<HTMLElement>(".aew-band")];

it("tells both intervals, each for what it is", () => {
  const node = shown();
  expect({ ...node.dataset }).toMatchObject({
    low: "0.04",
    high: "0.36",
    approximateLow: "0.1",
    approximateHigh: "0.3",
  });
  const [firm, dark] = bands(node);
  expect([firm.style.left, firm.style.right]).toEqual(["10.00%", "10.00%"]);
  expect([dark.style.left, dark.style.right]).toEqual(["25.00%", "25.00%"]);
  expect([firm, dark].map((band) => band.classList.contains("aew-approximate"))).toEqual([false, true]);
  expect(dark.hidden).toBe(false);
  expect(node.querySelector(".aew-beside")?.textContent).toBe(content.approximate);
});

it("leaves the place of the approximate one when it is withheld", () => {
  const node = shown({
    approximate_low: null,
    approximate_high: null,
    approximate: "Approximate interval: from 50 labels on.",
    bar: { ...bar, within: null },
  });
  expect([node.dataset.approximateLow, node.dataset.approximateHigh]).toEqual(["", ""]);
  expect(bands(node)[1].hidden).toBe(true);
  expect(node.querySelector(".aew-beside")?.textContent).toBe("Approximate interval: from 50 labels on.");
});

it("draws an interval that is approximate itself in the darker color", () => {
  const node = shown({ bar: { ...bar, within: null, is_approximate: true } });
  expect(bands(node)[0].classList.contains("aew-approximate")).toBe(true);
});
