import { describe, expect, it } from "vitest";
import {
  differenceOutcomes,
  errorOutcomes,
  fOutcomes,
  type Outcome,
  preferenceOf,
} from "../src/explorers/formulas/preferences";
import { mountAll } from "../src/explorers/index";
import fixtures from "./fixtures/explorers.json";

const EXACT = 1e-9;

function close(found: number[], expected: number[]): void {
  expect(found.length).toBe(expected.length);
  found.forEach((value, i) => {
    expect(Math.abs(value - expected[i])).toBeLessThanOrEqual(EXACT * Math.max(1, Math.abs(expected[i])));
  });
}

describe("preferences are what Python computes", () => {
  const { p, error, f, difference } = fixtures.preferences;
  const of = (outcomes: (x: number) => Outcome[]) => p.map((x) => preferenceOf(outcomes(x)));

  it("of the error rate", () => {
    for (const [risk, expected] of error as [number, number[]][])
      close(
        of((x) => errorOutcomes(x, risk)),
        expected,
      );
  });

  it("of F", () => {
    for (const [value, eta, predicted, expected] of f as [number, number, boolean, number[]][]) {
      close(
        of((x) => fOutcomes(x, value, eta, predicted)),
        expected,
      );
    }
  });

  it("of two models", () => {
    for (const [by, first, second, expected] of difference as [number, boolean, boolean, number[]][]) {
      close(
        of((x) => differenceOutcomes(x, by, first, second)),
        expected,
      );
    }
  });
});

/** An explorer on a page, as a static page has it. */
function onPage(name: string): HTMLElement {
  const told = JSON.stringify({ name, title: "Title", settings: {} });
  document.body.innerHTML = `<div data-aew-explorer="${name}"><script type="application/json">${told}</script></div>`;
  mountAll();
  const found = document.querySelector<HTMLElement>("[data-aew=explorer]");
  if (found === null) throw new Error("no explorer");
  return found;
}

function move(page: HTMLElement, name: string, value: number): void {
  const inputs = [...page.querySelectorAll<HTMLInputElement>(`[data-aew=${name}]`)];
  for (const input of inputs) {
    input.value = String(value);
    input.dispatchEvent(new Event("input"));
  }
}

const found = (page: HTMLElement): string[] =>
  [...page.querySelectorAll(".aew-finding")].map((node) => node.textContent ?? "");

describe("what q prefers", () => {
  it("says that all instances tell the same at an error rate of one half", () => {
    const page = onPage("what-q-prefers");
    expect(found(page)[0]).toContain("drawn 2.9 times as often");
    move(page, "risk", 0.5);
    expect(found(page)[0]).toContain("drawn 1.0 times as often");
  });

  it("opens its views by keys", () => {
    const page = onPage("what-q-prefers");
    const tabs = [...page.querySelectorAll<HTMLElement>("[role=tab]")];
    tabs[0].dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
    expect(tabs.map((tab) => tab.getAttribute("aria-selected"))).toEqual(["false", "true", "false"]);
    move(page, "eta", 1);
    expect(found(page)[1]).toContain("a sure negative (2 %) 0 times");
  });

  it("works a point out", () => {
    const page = onPage("what-q-prefers");
    expect(page.querySelector("[data-aew=worked]")?.textContent).toContain("0.7 × 0.01 + 0.3 × 0.81 = 0.25");
  });
});
