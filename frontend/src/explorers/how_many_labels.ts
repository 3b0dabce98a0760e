// Explorer: how many labels an interval of some width takes, by the method of choosing instances.

import { plotOf, seriesOf, someOf, spread } from "../charts/plot_content";
import { Choice, Slider } from "../dom/controls";
import type { PlotContent } from "../from_python/messages";
import { PlotPanel, type TableDialog } from "../panels/plot";
import { countedText, countText, percentText, significantText } from "../text/numbers";
import { finding, given, type Settings, showFinding, type View } from "./explorer";
import { chanceToRank, drawsForHalfWidth, drawVariances, errorProfile, type Method, spoiled } from "./formulas/savings";

const METHODS: [Method, string, string][] = [
  ["uniform", "uniform draws", "uniform-steps"],
  ["optimal", "the papers’ q*", "third"],
  ["corrected", "adaptive draws", "estimate"],
];
const WIDTHS = [0.005, 0.2]; // half widths
const CHOICES = [
  0.005, 0.006, 0.008, 0.01, 0.0125, 0.015, 0.02, 0.025, 0.03, 0.04, 0.05, 0.06, 0.08, 0.1, 0.125, 0.15, 0.2,
];
const XS = spread(Math.log(WIDTHS[0]), Math.log(WIDTHS[1]), 60).map(Math.exp);
const [LEAST, MOST] = [10, 3e5]; // of the vertical axis

const nearest = (value: number): number =>
  CHOICES.reduce((best, choice, i) => (Math.abs(choice - value) < Math.abs(CHOICES[best] - value) ? i : best), 0);

const points = (share: number): string => `±${significantText(100 * share, 3)} points`;

export const views = (table: TableDialog, settings: Settings): View[] => {
  const result = finding();
  const panel = new PlotPanel("labels-needed", table);
  const update = () => show();
  const rate = new Slider(
    { name: "error-rate", label: "Error rate", low: 0.01, high: 0.5, value: given(settings, "error_rate", 0.1) },
    update,
  );
  const width = new Slider(
    {
      name: "half-width",
      label: "Wanted precision",
      high: CHOICES.length - 1,
      step: 1,
      value: nearest(given(settings, "half_width", 0.03)),
      text: (value) => points(CHOICES[value]),
    },
    update,
  );
  const knowledge = new Slider(
    {
      name: "knowledge",
      label: "What the model knows of its errors",
      high: 5,
      step: 0.1,
      value: given(settings, "knowledge", 2),
      text: (value) => (value === 0 ? "nothing" : value < 1.5 ? "a little" : value < 3 ? "much" : "nearly all"),
    },
    update,
  );
  const interval = new Choice<"watched" | "wald">(
    "interval",
    "The interval",
    [
      ["watched", "may be watched"],
      ["wald", "is looked at once"],
    ],
    update,
  );
  const show = () => {
    const profile = errorProfile(rate.value, knowledge.value);
    const variances = drawVariances(spoiled(profile, 1, 0));
    const needed = (method: Method, half: number) => drawsForHalfWidth(variances[method], half, interval.value);
    const half = CHOICES[width.value];
    const [uniform, papers, adaptive] = METHODS.map(([method]) => needed(method, half));
    showFinding(
      result,
      `${points(half)} take ${countedText(uniform, "label")} by uniform draws, ${countText(papers)} by the papers’ q*, ${countText(adaptive)} by adaptive draws: ${percentText(1 - adaptive / uniform)} saved. Given an error and a right answer, the model doubts the error more in ${percentText(chanceToRank(profile))} of all pairs.`,
    );
    panel.show(labelsPlot(needed, half, [uniform, papers, adaptive]));
  };
  return [
    {
      name: "labels",
      title: "Labels needed",
      see: "How many labels does an answer take? That depends on the error rate, on the precision that is wanted, and, if instances are chosen, on what the model knows of its own errors. Halving the width takes about four times the labels, whatever the method. The papers’ q* chooses instances; adaptive draws also let the model’s expectation stand in for what has no label.",
      play: "let the model know nothing: all methods are then alike. Let it know nearly all, and compare. A judge that reviews answers is such a model, too.",
      controls: [rate.node, width.node, knowledge.node, interval.node],
      plots: [panel],
      finding: result,
      show,
    },
  ];
};

function labelsPlot(needed: (method: Method, half: number) => number, half: number, now: number[]): PlotContent {
  const found = METHODS.map(([method]) => XS.map((x) => needed(method, x)));
  const cut = (values: number[]) => values.map((value) => Math.max(LEAST, Math.min(value, MOST)));
  const { curves, legend, stops } = seriesOf(
    METHODS.map(([, name, kind], i) => ({
      kind,
      name,
      x: XS,
      y: cut(found[i]),
      text: XS.map((x, at) => `${points(x)}: ${countedText(found[i][at], "label")} by ${name}`),
    })),
  );
  const tick = (value: number): [number, string] => [value, countText(value)];
  const widths = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2].map((value): [number, string] => [value, `±${100 * value}`]);
  return plotOf({
    heading: "Labels needed, by the precision that is wanted",
    note: "In a large pool, if the model’s probabilities hold. Both scales are logarithmic.",
    x: { low: WIDTHS[0], high: WIDTHS[1], ticks: widths, title: "points of error rate to either side", is_log: true },
    y: { low: LEAST, high: MOST, ticks: [10, 100, 1000, 10_000, 100_000].map(tick), is_log: true },
    curves,
    points: [
      {
        kind: "present",
        shape: "diamond",
        x: now.map(() => half),
        y: cut(now),
      },
    ],
    legend: [...legend, ["present", "what is wanted"]],
    stops,
    summary: "How many labels each method takes, by half the width of the interval.",
    columns: ["Half the width", ...METHODS.map(([, name]) => name)],
    rows: someOf(XS.map((x, at) => [points(x), ...found.map((values) => countText(values[at]))])),
  });
}
