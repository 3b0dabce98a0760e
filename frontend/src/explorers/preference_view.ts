// A view of which instances q prefers: its curve, the heat map of curves by a belief, and one point in detail.

import { HeatMap } from "../charts/heat_map";
import { axisOf, mean, plotOf, someOf, spread } from "../charts/plot_content";
import { Slider } from "../dom/controls";
import { element } from "../dom/element";
import type { PlotContent } from "../from_python/messages";
import { PlotPanel, type TableDialog } from "../panels/plot";
import { numberText, percentText, significantText } from "../text/numbers";
import { finding, showFinding, type View } from "./explorer";
import { type Outcome, preferenceOf } from "./formulas/preferences";

const POINTS = 101;
const XS = spread(0, 1, POINTS);

/** Instances of a kind: their range on the axis, their share of the pool, and their possible labels. */
export interface Curve {
  kind: string;
  name: string;
  has: (x: number) => boolean;
  share: number;
  outcomes: (x: number) => Outcome[];
  /** The outcomes in words, and how the deviations are computed. */
  words: (x: number) => [what: string, deviation: string][];
  /** Whether the outcomes are parts that add up, not alternatives. */
  addsUp?: boolean;
}

/** The content of a view of preferences. */
export interface Preferences {
  name: string;
  title: string;
  see: string;
  play: string;
  axis: string;
  /** The point of the axis in words. */
  at: (x: number) => string;
  sliders: Slider[];
  /** How uncertain the model is at a point, from 0 to 1: labels there cost more. */
  doubt: (x: number) => number;
  curves: () => Curve[];
  found: (multiple: (x: number, curve: number) => number) => string;
  start: [x: number, curve: number];
  /** Whether each curve is a rule of its own; otherwise they are parts of one pool. */
  isEachApart?: boolean;
  heat?: {
    slider: Slider;
    low: number;
    high: number;
    label: string;
    tick: (y: number) => string;
    outcomes: (x: number, y: number) => Outcome[];
  };
}

/** The cost of a label, which increases with the model's doubt from 1 to `most`. */
const costAt = (doubt: number, most: number): number => 1 + (most - 1) * doubt;

/** How often instances are drawn relative to uniform draws: preferences over their mean in the pool. */
function multiplesOf(curves: Curve[], cost: (x: number) => number): number[][] {
  const weighted = curves.map(({ outcomes }) => XS.map((x) => preferenceOf(outcomes(x)) / Math.sqrt(cost(x))));
  const there = curves.map(({ has }) => XS.map(has));
  let [sum, count] = [0, 0];
  curves.forEach(({ share }, c) => {
    const values = weighted[c].filter((_, i) => there[c][i]);
    sum += share * values.reduce((total, value) => total + value, 0);
    count += share * values.length;
  });
  const average = sum / count;
  return weighted.map((values) => values.map((value) => (average > 0 ? value / average : 1)));
}

export class PreferenceView implements View {
  readonly name: string;
  readonly title: string;
  readonly see: string;
  readonly play: string;
  readonly controls: HTMLElement[];
  readonly plots: (HTMLElement | PlotPanel)[];
  readonly finding = finding();
  private readonly made: Preferences;
  private readonly costs: Slider;
  private readonly panel: PlotPanel;
  private readonly heat: HeatMap | null = null;
  private readonly worked = element("div", { class: "aew-panel aew-worked", "data-aew": "worked", role: "status" });
  private at: number;
  private curve: number;

  /** `make` gets what the sliders call when they are moved. */
  constructor(make: (update: () => void) => Preferences, table: TableDialog) {
    const update = () => this.show();
    const made = make(update);
    this.made = made;
    this.costs = new Slider(
      {
        name: "costs",
        label: "Cost of the hardest labels",
        low: 1,
        high: 10,
        step: 0.5,
        value: 1,
        text: (value) => (value === 1 ? "as the others" : `${value} times the easiest`),
      },
      update,
    );
    ({ name: this.name, title: this.title, see: this.see, play: this.play } = made);
    this.at = Math.round(made.start[0] * (POINTS - 1));
    this.curve = made.start[1];
    this.panel = new PlotPanel("preference", table, {
      goTo: (index) => this.choose(index % POINTS, Math.floor(index / POINTS)),
      enter: "Enter works a point out.",
    });
    this.controls = [...made.sliders, this.costs].map(({ node }) => node);
    this.plots = [this.panel];
    const { heat } = made;
    if (heat) {
      this.heat = new HeatMap((x, y) => {
        heat.slider.value = y;
        this.choose(Math.round(x * (POINTS - 1)), this.curve);
      });
      const heading = element("h2", {}, `The same for ${heat.label}`);
      this.plots.push(element("section", { class: "aew-panel" }, heading, this.heat.box));
    }
    this.plots.push(this.worked);
  }

  show(): void {
    const { made } = this;
    const curves = made.curves();
    if (!curves[this.curve]?.has(XS[this.at])) this.curve = curves.findIndex(({ has }) => has(XS[this.at]));
    const cost = (x: number) => costAt(made.doubt(x), this.costs.value);
    const multiples = made.isEachApart
      ? curves.flatMap((curve) => multiplesOf([curve], cost))
      : multiplesOf(curves, cost);
    this.panel.show(this.plot(curves, multiples));
    showFinding(
      this.finding,
      made.found((x, c) => multiples[c][Math.round(x * (POINTS - 1))]),
    );
    this.showHeat(cost);
    this.work(curves[this.curve], multiples[this.curve][this.at], cost);
  }

  close(): void {
    this.heat?.close();
  }

  private choose(at: number, curve: number): void {
    this.at = at;
    this.curve = curve;
    this.show();
  }

  private plot(curves: Curve[], multiples: number[][]): PlotContent {
    const shown = curves.map(({ has }, c) => {
      const kept = XS.map((x, i) => ({ x, y: multiples[c][i], i })).filter(({ x }) => has(x));
      return { x: kept.map(({ x }) => x), y: kept.map(({ y }) => y), index: kept.map(({ i }) => c * POINTS + i) };
    });
    const high = Math.max(2, Math.ceil(Math.max(...shown.flatMap(({ y }) => y)) * 1.05));
    const pointText = (c: number, x: number, y: number) =>
      `${this.made.at(x)}${curves.length > 1 ? `, ${curves[c].name}` : ""}: drawn ${times(y)} times as often as uniformly`;
    const rows = shown.flatMap(({ x, y }, c) =>
      someOf(x.map((_, i) => i)).map((i) => [curves[c].name, percentText(x[i]), `${times(y[i])}×`]),
    );
    return plotOf({
      heading: "How often an instance is drawn",
      note: "In a pool whose instances are spread evenly along the axis.",
      x: axisOf(0, 1, percentText, this.made.axis),
      y: axisOf(0, high, (value) => `${numberText(value, 1, { trims: true })}×`),
      curves: shown.map(({ x, y }, c) => ({ kind: curves[c].kind, x, y })),
      lines: [{ kind: "uniform", y: 1 }],
      points: [{ kind: "present", shape: "diamond", x: [XS[this.at]], y: [multiples[this.curve][this.at]] }],
      legend: [
        ...curves.map(({ kind, name }): [string, string] => [kind, name]),
        ["uniform", "uniform draws: 1×"],
        ["present", "worked out below"],
      ],
      stops: shown.map(({ x, y, index }, c) => ({
        name: curves[c].name,
        by: shown.length > 1 ? "point" : "x",
        x,
        y,
        index,
        text: x.map((value, i) => pointText(c, value, y[i])),
      })),
      summary: `How often instances are drawn, compared with uniform draws, by: ${this.made.axis.toLowerCase()}.`,
      columns: ["Instances", this.made.axis, "Drawn"],
      rows,
    });
  }

  private showHeat(cost: (x: number) => number): void {
    const { heat } = this.made;
    if (!heat || !this.heat) return;
    const { low, high, slider, label, outcomes, tick } = heat;
    const preference = (x: number, y: number) => preferenceOf(outcomes(x, y)) / Math.sqrt(cost(x));
    const averages = new Map<number, number>();
    const depth = (x: number, y: number) => {
      const average = averages.get(y) ?? mean(spread(0, 1, 41).map((at) => preference(at, y)));
      averages.set(y, average);
      return average > 0 ? preference(x, y) / average / 2.5 : 0.4;
    };
    this.heat.show({
      x: axisOf(0, 1, percentText, this.made.axis),
      y: axisOf(low, high, tick),
      depth,
      at: { x: XS[this.at], y: slider.value },
      summary: `A heat map of the same for ${label}: the darker, the more often drawn. The line is the slider's value.`,
    });
  }

  private work(curve: Curve, multiple: number, cost: (x: number) => number): void {
    const x = XS[this.at];
    const outcomes = curve.outcomes(x);
    const words = curve.words(x);
    const steps = outcomes.map(({ probability, deviation }, i) => {
      const [what, how] = words[i];
      if (curve.addsUp) return `${what}: ${how} = ${number(deviation)}, squared ${number(deviation ** 2)}.`;
      return `${what} (probability ${number(probability)}): off by ${how} = ${number(deviation)}, squared ${number(deviation ** 2)}.`;
    });
    const sum = outcomes
      .map(({ probability, deviation }) =>
        curve.addsUp ? number(deviation ** 2) : `${number(probability)} × ${number(deviation ** 2)}`,
      )
      .join(" + ");
    const expected = preferenceOf(outcomes);
    steps.push(
      `Expected square: ${sum} = ${number(expected ** 2)}. Its root, ${number(expected)}, is what the label is expected to tell.`,
    );
    const price = cost(x);
    if (price !== 1)
      steps.push(
        `The label costs ${number(price)}: ${number(expected)} / √${number(price)} = ${number(expected / Math.sqrt(price))}.`,
      );
    steps.push(
      `That is ${number(multiple)} times the mean of the pool, so the instance is drawn ${times(multiple)} times as often as uniformly.`,
    );
    const head = element(
      "h2",
      {},
      `Worked out: ${this.made.at(x)}${this.made.curves().length > 1 ? `, ${curve.name}` : ""}`,
    );
    this.worked.replaceChildren(head, element("ol", {}, ...steps.map((step) => element("li", {}, step))));
  }
}

const number = (value: number): string =>
  Math.abs(value) < 0.0995 ? significantText(value, 2) : numberText(value, 2, { trims: true });

export const times = (multiple: number): string =>
  multiple >= 1 ? numberText(multiple, multiple >= 10 ? 0 : 1) : significantText(multiple, 2);
