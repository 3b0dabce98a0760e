// Explorer: an interval checked after every label, one for a single look, and the effect of a deadline.

import { axisOf, mean, plotOf, seriesOf, someOf, spread } from "../charts/plot_content";
import { Choice, Slider } from "../dom/controls";
import type { PlotContent } from "../from_python/messages";
import { PlotPanel, type TableDialog } from "../panels/plot";
import { countText, numberText, percentText } from "../text/numbers";
import { type AdaptiveData, AdaptiveView } from "./adaptive_view";
import { finding, given, type Settings, showFinding, type View } from "./explorer";
import { coverages, type FixedInterval, Z95 } from "./formulas/coverage";
import { PeekingView } from "./peeking_view";

/** Mean widths of the confidence sequence, with and without a declared number of labels. */
interface DeadlineData {
  at: number[];
  n_sessions: number;
  means: { rate: number; deadline: number | null; widths: number[] }[];
  adaptive?: AdaptiveData;
}

export const views = (table: TableDialog, settings: Settings, data: unknown): View[] => [
  new PeekingView(table, given(settings, "truth", 0.1)),
  lookingOnce(table),
  deadlines(table, data as DeadlineData),
  ...watchedAdaptively(table, (data as DeadlineData).adaptive),
];

const watchedAdaptively = (table: TableDialog, data?: AdaptiveData): View[] =>
  data === undefined ? [] : [new AdaptiveView(table, data)];

const INTERVALS: [FixedInterval, string, string][] = [
  ["wald", "Wald", "second"],
  ["wilson", "Wilson", "estimate"],
  ["clopper_pearson", "Clopper–Pearson", "third"],
];

function lookingOnce(table: TableDialog): View {
  const rates = spread(0.002, 0.5, 250);
  const result = finding();
  const panel = new PlotPanel("coverage", table);
  const labels = new Slider(
    { name: "labels", label: "Labels", low: 5, high: 400, step: 1, value: 50, text: countText },
    () => update(),
  );
  const update = () => {
    const found = INTERVALS.map(([kind]) => coverages(kind, labels.value, rates));
    const [wald, wilson, exact] = found.map((values) => mean(values));
    const least = found.map((values) => Math.min(...values));
    showFinding(
      result,
      `With ${countText(labels.value)} labels, over all error rates up to 50%: Wald holds in ${percentText(wald, 1)} of sessions on average and in ${percentText(least[0])} at worst; Wilson in ${percentText(wilson, 1)} and ${percentText(least[1])}; Clopper–Pearson in ${percentText(exact, 1)} and ${percentText(least[2])}.`,
    );
    panel.show(coveragePlot(labels.value, rates, found));
  };
  return {
    name: "once",
    title: "Look once",
    see: "Even at one look, 95% is rarely 95%. Errors are whole numbers, so with n labels only n + 1 intervals are possible, and how many of them hold the truth jumps from rate to rate: a lattice. Where errors are rare, Wald is far off: often none is seen, and then it has no width at all. Wilson’s interval is right on average; Clopper and Pearson’s is right everywhere, and wider.",
    play: "give more labels: the teeth get smaller, last at the left, where errors are rare.",
    controls: [labels.node],
    plots: [panel],
    finding: result,
    show: update,
  };
}

function coveragePlot(n: number, rates: number[], found: number[][]): PlotContent {
  const low = 0.7;
  const { curves, legend, stops } = seriesOf(
    INTERVALS.map(([, name, kind], i) => ({
      kind,
      name,
      x: rates,
      y: found[i].map((value) => Math.max(value, low - 0.1)),
      within: found[i].map((value) => Math.max(value, low)),
      text: rates.map((rate, at) => `${name} at ${percentText(rate, 1)} errors: ${percentText(found[i][at], 1)}`),
    })),
  );
  return plotOf({
    heading: `How often the interval holds, after ${countText(n)} labels`,
    x: axisOf(0, 0.5, percentText, "true error rate"),
    y: axisOf(low, 1, percentText),
    curves,
    lines: [{ kind: "uniform", y: 0.95 }],
    legend: [...legend, ["uniform", "95%"]],
    stops,
    summary: "How often each interval holds the true error rate, by that rate.",
    columns: ["True error rate", ...INTERVALS.map(([, name]) => name)],
    rows: someOf(rates.map((rate, at) => [percentText(rate, 1), ...found.map((values) => percentText(values[at], 1))])),
  });
}

const DEADLINES = [25, 50, 100, 200, 400, 800];

function deadlines(table: TableDialog, data: DeadlineData): View {
  const result = finding();
  const panel = new PlotPanel("deadline", table);
  const deadline = new Slider(
    {
      name: "deadline",
      label: "Labels declared beforehand",
      high: DEADLINES.length - 1,
      step: 1,
      value: 3,
      text: (value) => countText(DEADLINES[value]),
    },
    () => update(),
  );
  const rate = new Choice<"0.02" | "0.1" | "0.3">(
    "rate",
    "True error rate",
    [
      ["0.1", percentText(0.1)],
      ["0.02", percentText(0.02)],
      ["0.3", percentText(0.3)],
    ],
    () => update(),
  );
  const update = () => {
    const p = Number(rate.value);
    const number = DEADLINES[deadline.value];
    const widths = (of: number | null): number[] =>
      data.means.find((row) => row.rate === p && row.deadline === of)?.widths ?? [];
    const wald = data.at.map((n) => 2 * Z95 * Math.sqrt((p * (1 - p)) / n));
    const ratios = (of: number | null) => widths(of).map((width, i) => width / wald[i]);
    const there = (values: number[]) => valueAt(data.at, values, number).toFixed(2);
    const [declared, usual, none] = [ratios(number), ratios(null), ratios(0)];
    showFinding(
      result,
      `After ${countText(number)} labels, if that number was declared: ${there(declared)} times as wide as an interval for one look (${percentText(Z95 * Math.sqrt((p * (1 - p)) / number), 1)} to either side). Without a declared number ${there(usual)} times, without any bets by deadlines ${there(none)} times. All three hold at every label.`,
    );
    panel.show(deadlinePlot(data, number, [declared, usual, none]));
  };
  return {
    name: "deadline",
    title: "A deadline",
    see: "To hold at all times costs width: bets against every candidate value have to be spread over all times. If the number of labels is known beforehand, bets on that number come closer to the width of a single look there. The interval still holds at every label; before and after that number it is a little wider than it would have been.",
    play: "move the declared number, and watch where the curve dips.",
    controls: [deadline.node, rate.node],
    plots: [panel],
    finding: result,
    show: update,
  };
}

/** The value at a number, interpolated linearly. */
export function valueAt(numbers: number[], values: number[], number: number): number {
  const after = Math.max(
    1,
    numbers.findIndex((n) => n >= number),
  );
  const share = (number - numbers[after - 1]) / (numbers[after] - numbers[after - 1]);
  return values[after - 1] + share * (values[after] - values[after - 1]);
}

function deadlinePlot(data: DeadlineData, deadline: number, ratios: number[][]): PlotContent {
  const names = [`${countText(deadline)} labels declared`, "nothing declared", "no bets by deadlines"];
  const high = 3;
  const x = data.at;
  const { curves, legend, stops } = seriesOf(
    ["estimate", "second", "third"].map((kind, i) => ({
      kind,
      name: names[i],
      x,
      y: ratios[i],
      text: x.map((n, at) => `${countText(n)} labels, ${names[i]}: ${ratios[i][at].toFixed(2)}×`),
    })),
  );
  const ticks: [number, string][] = DEADLINES.map((n) => [n, countText(n)]);
  return plotOf({
    heading: "Width of the watched interval, in widths of an interval for one look",
    note: `Means of ${data.n_sessions} simulated sessions each.`,
    x: { low: x[0], high: x[x.length - 1], ticks, title: "labels", is_log: true },
    y: axisOf(1, high, (value) => `${numberText(value, 1, { trims: true })}×`),
    curves: [...curves, { kind: "goal", x: [deadline, deadline], y: [1, high] }],
    legend: [...legend, ["goal", "the declared number"]],
    stops,
    summary: "How wide the interval that may be watched is, compared with a Wald interval of the same labels.",
    columns: ["Labels", ...names],
    rows: someOf(x.map((n, at) => [countText(n), ...ratios.map((y) => y[at].toFixed(2))])),
  });
}
