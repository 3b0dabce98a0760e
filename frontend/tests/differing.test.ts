import { beforeEach, describe, expect, it, vi } from "vitest";
import type { IntervalTableContent, MatricesContent, PairContent } from "../src/from_python/messages";
import { DifferingPanel } from "../src/panels/differing";
import { IntervalTable } from "../src/panels/interval_table";
import { Matrices } from "../src/panels/matrices";
import { ModelsPanel } from "../src/panels/models";
import { TableDialog } from "../src/panels/plot";

const HOSTILE = "<img src=x onerror=alert(1)>";
const ROW = { name: HOSTILE, note: "", value: "1", interval: "0 to 2", low: 0, high: 1, at: 0.5, has_interval: true };
const TABLE: IntervalTableContent = {
  summary: "All at once.",
  columns: ["Model", "Standing", "Error rate"],
  rows: [{ ...ROW, is_out: false, has_line: true }],
  whole: null,
  scale: { low: 0, high: 2, ends: ["0", "2"], ticks: [] },
};
const NAMES = ["A", HOSTILE, "C"];
const none: PairContent = { names: NAMES, chosen: null, difference: null };

beforeEach(() => document.body.replaceChildren());

describe("a table of intervals", () => {
  it("draws numbers in units as shares of its scale", () => {
    const panel = new IntervalTable("groups", "Groups");
    document.body.append(panel.node);
    panel.show({
      ...TABLE,
      scale: { low: 2, high: 10, ends: ["2", "10"], ticks: [] },
      whole: 4,
      rows: [{ ...ROW, low: 4, high: 6, at: 5, is_out: false, has_line: true }],
    });
    const found = (name: string) => panel.node.querySelector<HTMLElement>(name)?.style;
    expect([found(".aew-band")?.left, found(".aew-band")?.width]).toEqual(["25.00%", "25.00%"]);
    expect([found(".aew-dot")?.left, found(".aew-zero")?.left]).toEqual(["37.50%", "25.00%"]);
    expect(panel.node.querySelector(".aew-scale")?.textContent).toBe("210");
  });
});

describe("the choice of two models", () => {
  const made = () => {
    const choose = vi.fn();
    const panel = new ModelsPanel(choose);
    document.body.append(panel.node);
    panel.show({ ...TABLE, pair: none });
    const [first, second] = panel.node.querySelectorAll("select");
    const pick = (select: HTMLSelectElement, value: string) => {
      select.value = value;
      select.dispatchEvent(new Event("change"));
    };
    return { choose, panel, first, second, pick };
  };

  it("asks once both are chosen, and never for one model with itself", () => {
    const { choose, first, second, pick } = made();
    expect([...first.options].map(({ textContent }) => textContent)).toEqual(["…", ...NAMES]);
    pick(first, "2");
    expect(choose).not.toHaveBeenCalled();
    expect([...second.options].map(({ disabled }) => disabled)).toEqual([false, false, false, true]);
    pick(second, "2");
    expect(choose).not.toHaveBeenCalled();
    pick(second, "1");
    expect(choose).toHaveBeenCalledExactlyOnceWith([2, 1]);
  });

  it("keeps what is chosen, and shows their difference with a line at 0", () => {
    const { panel, first, second, pick } = made();
    pick(first, "0");
    pick(second, "1");
    panel.show({ ...TABLE, pair: { names: NAMES, chosen: [0, 1], difference: { ...TABLE, zero: 0.5 } } });
    expect([first.value, second.value]).toEqual(["0", "1"]);
    const difference = panel.node.querySelector<HTMLElement>("[data-aew=pair-difference]");
    expect(difference?.hidden).toBe(false);
    expect(difference?.querySelector<HTMLElement>(".aew-at-zero")?.style.left).toBe("25.00%");
    expect(document.querySelector("img")).toBeNull();
  });
});

it("a table has a line at 0 and another for the whole, told apart", () => {
  const table = new IntervalTable("groups", "By group");
  table.show({ ...TABLE, whole: 0.5, zero: 0.5 });
  expect(table.node.querySelectorAll(".aew-at-zero, .aew-whole")).toHaveLength(2);
  table.show({ ...TABLE, whole: 0.5 });
  expect(table.node.querySelectorAll(".aew-at-zero, .aew-whole")).toHaveLength(0);
  expect(table.node.querySelectorAll(".aew-zero")).toHaveLength(1);
});

it("where models differ is told in words, with the way to the labels", () => {
  const listDiffering = vi.fn();
  const panel = new DifferingPanel({ goTo: vi.fn(), table: new TableDialog(), listDiffering });
  document.body.append(panel.node);
  const content = { heading: "Where A and B differ", sentences: [HOSTILE, "Two."], pair: [2, 0], plot: null };
  panel.show({ ...content, n_labels: 0 });
  const button = panel.node.querySelector<HTMLButtonElement>("[data-action=list_differing]");
  expect(button?.hidden).toBe(true);
  expect([...panel.node.querySelectorAll(".aew-differing-text p")].map((p) => p.textContent)).toEqual([
    HOSTILE,
    "Two.",
  ]);
  panel.show({ ...content, n_labels: 1234 });
  expect(button?.textContent).toBe("See the 1,234 labels");
  button?.click();
  expect(listDiffering).toHaveBeenCalledExactlyOnceWith([2, 0]);
  expect(document.querySelector("img")).toBeNull();
  panel.close();
});

it("cells that differ are marked, and said to be", () => {
  const cell = { title: HOSTILE, share: 0.5 };
  const content: MatricesContent = {
    heading: "Confusion matrices",
    summary: "Estimated.",
    classes: [HOSTILE, "b"],
    matrices: ["A", HOSTILE].map((name) => ({
      name,
      cells: [
        [
          { ...cell, text: "50.0", mark: "more" },
          { ...cell, text: "1.0", mark: "" },
        ],
        [
          { ...cell, text: "", mark: "less" },
          { ...cell, text: "2.0", mark: "" },
        ],
      ],
    })),
    columns: ["True"],
    rows: [[HOSTILE]],
  };
  const panel = new Matrices();
  document.body.append(panel.node);
  panel.show(content);
  expect(panel.node.querySelectorAll(".aew-matrix")).toHaveLength(2);
  const marked = [...panel.node.querySelectorAll(".aew-apart")].map((td) => td.textContent);
  expect(marked.slice(0, 2)).toEqual(["50.0 ▲ (more than the other model)", " ▼ (less than the other model)"]);
  expect(document.querySelector("img")).toBeNull();
});
