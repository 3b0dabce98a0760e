// Explorer: a model's own pool, and which of its instances q prefers.

import { COLUMNS, HeatMap, ROWS } from "../charts/heat_map";
import { axisOf, plotOf, someOf } from "../charts/plot_content";
import { button, Slider } from "../dom/controls";
import { element } from "../dom/element";
import type { Axis, PlotContent } from "../from_python/messages";
import { PlotPanel, type TableDialog } from "../panels/plot";
import { capital, countedText, percentText, significantText } from "../text/numbers";
import { finding, given, type Settings, showFinding, type View } from "./explorer";
import { drawsForHundred, expected, multiples, type Pool, squares } from "./formulas/pool";
import { binsOf, decadesOf, type Filled, filled, N_BINS, numbersOf, quantileBin } from "./pool_bins";
import { times } from "./preference_view";

/** Python's content for a pool; columns are numbers in base64. */
interface PoolData {
  n_instances: number;
  measure: string;
  is_share: boolean;
  kind: "risk" | "f";
  eta?: number;
  range: [number, number];
  axis: { label: string; is_share: boolean; values: string };
  columns: Record<string, string>;
  costs: string | null;
}

const STEPS = 200; // of the slider of the belief

export const views = (table: TableDialog, settings: Settings, data: unknown): View[] => [
  new PoolView(table, data as PoolData, given(settings, "defensive", 0.1)),
];

class PoolView implements View {
  readonly name = "pool";
  readonly title = "Your pool";
  readonly see =
    "Every instance of the pool is here, in bins along what the model says of it. Labels by uniform draws would go to the bins as the pool fills them: the dashed line. The papers’ q* moves them to where a label is expected to describe more: farther from the value that you believe in.";
  readonly play: string;
  readonly controls: HTMLElement[];
  readonly plots: (HTMLElement | PlotPanel)[];
  readonly finding = finding();
  private readonly pool: Pool;
  private readonly costs: Float64Array | null;
  private readonly bins: Uint8Array;
  private readonly low: number;
  private readonly high: number;
  private readonly belief: Slider;
  private readonly eta: Slider;
  private readonly defensive: Slider;
  private readonly panel: PlotPanel;
  private readonly heat: HeatMap;
  private readonly worked = element("div", { class: "aew-panel aew-worked", "data-aew": "worked", role: "status" });
  private isOwn = true; // whether the model's expectation is believed
  private chosen = -1;

  constructor(
    table: TableDialog,
    private readonly data: PoolData,
    defensive: number,
  ) {
    const column = (name: string) => numbersOf(data.columns[name]);
    this.pool =
      data.kind === "f"
        ? { kind: "f", positive: column("positive"), predicted: column("predicted") }
        : { kind: "risk", mean: column("mean"), variance: column("variance") };
    this.costs = data.costs === null ? null : numbersOf(data.costs);
    const values = numbersOf(data.axis.values);
    [this.low, this.high] = endsOf(values, data.axis.is_share);
    this.bins = binsOf(values, this.low, this.high);
    const update = () => this.show();
    const [least, most] = data.range;
    this.belief = new Slider(
      {
        name: "belief",
        label: `${capital(data.measure)} you believe in`,
        low: least,
        high: most,
        step: (most - least) / STEPS,
        value: expected(this.pool, data.eta ?? 0),
        text: (value) => `${this.text(value)}${this.isOwn ? ", as the model expects" : ""}`,
      },
      () => {
        this.isOwn = false;
        update();
      },
    );
    this.eta = new Slider(
      {
        name: "eta",
        label: "Weight of precision (η)",
        value: data.eta ?? 0,
        text: (value) => (value === 0 ? "0: recall" : value === 1 ? "1: precision" : value.toFixed(2)),
      },
      update,
    );
    this.defensive = new Slider({ name: "defensive", label: "Uniform share of the draws", value: defensive }, update);
    const own = button("own", "Believe what the model expects", () => {
      this.isOwn = true;
      this.show();
    });
    const buttons = element("div", { class: "aew-buttons" }, own);
    const isF = data.kind === "f";
    this.controls = [this.belief.node, buttons, ...(isF ? [this.eta.node] : []), this.defensive.node];
    this.play = isF
      ? "move η to 1 (precision): no label goes to what is not predicted. Then believe in a value that the model does not expect, and see what that costs."
      : "believe in a value that the model does not expect, and see what that costs. A uniform share of 100% is uniform draws.";
    this.panel = new PlotPanel("pool", table, {
      goTo: (bin) => this.choose(bin),
      enter: "Enter works a bin out.",
    });
    this.heat = new HeatMap((x) => this.choose(this.binAt(x)));
    this.plots = [
      this.panel,
      element(
        "section",
        { class: "aew-panel aew-pool-heat" },
        element("h2", {}, "How often each instance is drawn, compared with uniform draws (the line)"),
        this.heat.box,
        element("p", { class: "aew-plot-note" }, "The darker a cell, the more instances are in it."),
      ),
      this.worked,
    ];
  }

  show(): void {
    const { pool, data } = this;
    const eta = this.eta.value;
    const own = expected(pool, eta);
    if (this.isOwn) this.belief.value = own;
    const promised = squares(pool, own, eta);
    const square = this.isOwn ? promised : squares(pool, this.belief.value, eta);
    const multiple = multiples(square, this.costs, this.defensive.value);
    // q uses the believed value; a draw's information is for the case that the model is right.
    const hundred = drawsForHundred(promised, multiple);
    const decades = decadesOf(multiple);
    const fill = filled(this.bins, multiple, ...decades);
    if (this.chosen < 0) {
      const more = fill.drawn.map((value, bin) => value - fill.counts[bin]);
      this.chosen = more.indexOf(Math.max(...more));
    }
    this.panel.show(this.plot(fill));
    this.showHeat(fill, ...decades);
    this.describe(fill, hundred, data.n_instances);
    this.work(fill);
  }

  close(): void {
    this.heat.close();
  }

  private choose(bin: number): void {
    this.chosen = bin;
    this.show();
  }

  // -- what is said ---------------------------------------------------------------------------------------

  private text(value: number): string {
    return this.data.is_share ? percentText(value, 1) : significantText(value, 3);
  }

  private axisText(value: number): string {
    return this.data.axis.is_share ? percentText(value) : significantText(value, 2);
  }

  private edge(bin: number): number {
    return this.low + ((this.high - this.low) * bin) / N_BINS;
  }

  private binAt(x: number): number {
    return Math.max(0, Math.min(N_BINS - 1, Math.floor(((x - this.low) / (this.high - this.low)) * N_BINS)));
  }

  private binText(bin: number): string {
    const [from, to] = [this.edge(bin), this.edge(bin + 1)];
    return this.data.axis.is_share
      ? `${percentText(from, 1)} to ${percentText(to, 1)}`
      : `${significantText(from, 3)} to ${significantText(to, 3)}`;
  }

  private describe(fill: Filled, hundred: number, n: number): void {
    // With the fewest bins that get half of the labels.
    const order = [...fill.drawn.keys()].sort(
      (a, b) => fill.drawn[b] / fill.counts[b] - fill.drawn[a] / fill.counts[a],
    );
    const there = order.filter((bin) => fill.counts[bin] > 0);
    const at = quantileBin(
      Float64Array.from(there, (bin) => fill.drawn[bin]),
      0.5,
    );
    const kept = there.slice(0, at + 1).reduce((sum, bin) => sum + fill.counts[bin], 0);
    const saved = Number.isFinite(hundred)
      ? ` If the model’s probabilities are right, ${countedText(hundred, "draw")} say as much as 100 uniform ones${this.costs === null ? "" : ", whatever they cost"}.`
      : " Nothing is in doubt by the model’s probabilities.";
    showFinding(
      this.finding,
      `Of ${countedText(n, "instance")}, ${percentText(kept / n)} get at least half of the labels.${saved}`,
    );
  }

  private plot({ counts, drawn }: Filled): PlotContent {
    const n = this.data.n_instances;
    const x = Array.from({ length: N_BINS }, (_, bin) => [this.edge(bin), this.edge(bin + 1)]).flat();
    const steps = (values: Float64Array) => Array.from(values, (value) => [value / n, value / n]).flat();
    const [pool, labels] = [steps(counts), steps(drawn)];
    const high = Math.max(...pool, ...labels, 0.02) * 1.06;
    const middles = Array.from({ length: N_BINS }, (_, bin) => (this.edge(bin) + this.edge(bin + 1)) / 2);
    const share = (value: number) => percentText(value / n, 1);
    const { chosen } = this;
    return plotOf({
      heading: "Where the labels go",
      x: axisOf(this.low, this.high, (value) => this.axisText(value), this.data.axis.label),
      y: axisOf(0, high, (value) => percentText(value, high < 0.05 ? 1 : 0)),
      bands: [{ kind: "papers-band", x, low: x.map(() => 0), high: labels }],
      curves: [
        { kind: "third", x, y: labels },
        { kind: "uniform-steps", x, y: pool },
      ],
      points: [{ kind: "present", shape: "diamond", x: [middles[chosen]], y: [drawn[chosen] / n] }],
      legend: [
        ["third", "labels by the papers’ q*"],
        ["uniform-steps", "the pool, and labels by uniform draws"],
        ["present", "worked out below"],
      ],
      stops: [
        {
          name: "bins",
          by: "x",
          x: middles,
          y: Array.from(drawn, (value) => value / n),
          index: middles.map((_, bin) => bin),
          text: middles.map(
            (_, bin) => `${this.binText(bin)}: ${share(drawn[bin])} of the labels, ${share(counts[bin])} of the pool`,
          ),
        },
      ],
      summary: `Shares of the pool and of the labels, by ${this.data.axis.label}.`,
      columns: [capital(this.data.axis.label), "Of the pool", "Of the labels"],
      rows: someOf(
        middles.map((_, bin) => bin).filter((bin) => counts[bin] > 0),
        24,
      ).map((bin) => [this.binText(bin), share(counts[bin]), share(drawn[bin])]),
    });
  }

  private showHeat({ cells, counts, drawn }: Filled, low: number, top: number): void {
    const deepest = Math.log1p(cells.reduce((most, value) => Math.max(most, value), 0));
    const { chosen } = this;
    const ticks = [-2, -1, 0, 1, 2, 3, 4, 5]
      .flatMap((decade) => [1, 2, 5].map((times): [number, string] => tickOf(times, decade)))
      .filter(([at]) => at >= low - 1e-9 && at <= top + 1e-9);
    const y: Axis = { low, high: top, ticks };
    const row = (at: number) => Math.min(ROWS - 1, Math.floor(((at - low) / (top - low)) * ROWS));
    const there = counts[chosen] > 0 ? drawn[chosen] / counts[chosen] : 1;
    this.heat.show({
      x: axisOf(this.low, this.high, (value) => this.axisText(value), this.data.axis.label),
      y,
      depth: (atX, atY) => {
        const count = cells[row(atY) * COLUMNS + this.binAt(atX)];
        return count === 0 ? 0 : 0.15 + (0.85 * Math.log1p(count)) / deepest;
      },
      at: { x: (this.edge(chosen) + this.edge(chosen + 1)) / 2, y: Math.max(low, Math.min(top, Math.log10(there))) },
      line: 0,
      summary: `A heat map of the pool by ${this.data.axis.label} and by how often each instance is drawn.`,
    });
  }

  private work({ counts, drawn }: Filled): void {
    const { chosen } = this;
    const [count, sum, n] = [counts[chosen], drawn[chosen], this.data.n_instances];
    const head = element("h2", {}, `Worked out: ${this.data.axis.label} from ${this.binText(chosen)}`);
    const multiple = count > 0 ? sum / count : 0;
    const lines =
      count === 0
        ? ["No instance of the pool is here."]
        : [
            `${countedText(count, "instance")}, ${percentText(count / n, 1)} of the pool: of 100 labels by uniform draws, ${significantText(100 * (count / n), 2)} would go here.`,
            `Each is drawn ${times(multiple)} times as often on average: of 100 labels by q*, ${significantText(100 * (sum / n), 2)} go here.`,
            multiple > 0
              ? `To make up for that, a label here counts about ${significantText(1 / multiple, 2)} times in the estimate.`
              : "None is ever drawn: a label here says nothing about the measure.",
          ];
    this.worked.replaceChildren(head, element("ol", {}, ...lines.map((line) => element("li", {}, line))));
  }
}

/** The axis' ends: for shares from a tenth below the least to 1. */
function endsOf(values: Float64Array, isShare: boolean): [number, number] {
  const least = values.reduce((low, value) => Math.min(low, value), Number.POSITIVE_INFINITY);
  const most = values.reduce((high, value) => Math.max(high, value), Number.NEGATIVE_INFINITY);
  if (isShare) return [Math.min(Math.floor(10 * least + 1e-9) / 10, 0.9), 1];
  return least < most ? [least, most] : [least - 0.5, most + 0.5];
}

const tickOf = (times: number, decade: number): [number, string] => [
  Math.log10(times) + decade,
  `${significantText(times * 10 ** decade, 1)}×`,
];
