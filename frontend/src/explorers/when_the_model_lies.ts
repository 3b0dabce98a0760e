// Explorer: how well the methods do if the model's probabilities are wrong.

import { axisOf, plotOf, seriesOf, someOf, spread } from "../charts/plot_content";
import { Slider } from "../dom/controls";
import { element } from "../dom/element";
import type { PlotContent, Stops } from "../from_python/messages";
import { PlotPanel, type TableDialog } from "../panels/plot";
import { countText, percentText, significantText } from "../text/numbers";
import { finding, given, type Settings, say, type View } from "./explorer";
import {
  defended,
  drawVariances,
  errorProfile,
  type Method,
  type Profiles,
  preferred,
  recalibrated,
  spoiled,
} from "./formulas/savings";
import { Trials } from "./formulas/trial";
import { Runner, randomFrom } from "./simulation";

const METHODS: [Method, string, string][] = [
  ["optimal", "the papers’ q*", "third"],
  ["control", "+ uniform share, control variate", "second"],
  ["corrected", "+ recalibrated by labels", "estimate"],
];
const RATE = 0.1; // of errors, of two classes: every answer has a probability of at least a half
const KNOWLEDGE = 3; // spread of the log-odds
const MOST = 400; // of the vertical axis, labels for 100 uniform ones
const POWERS = spread(-2, 3, 31).map((exponent) => 2 ** exponent);
const NEAR = 0.005; // the largest distance between a cluster and a simulated one
const COUNT = 300; // labels of a trial
const SESSIONS = 200;

const powerText = (power: number): string => {
  const text = significantText(power, 2);
  if (Math.abs(power - 1) < 0.01) return "honest";
  return `${power > 1 ? "too sure" : "not sure enough"}: odds to the power of ${text}`;
};

/** Number of labels that a method needs for the precision of 100 uniform draws. */
const forHundred = (profiles: Profiles): Record<Method, number> => {
  const variances = drawVariances(profiles);
  const of = (method: Method) => (100 * variances[method]) / variances.uniform;
  return {
    uniform: 100,
    optimal: of("optimal"),
    defensive: of("defensive"),
    control: of("control"),
    corrected: of("corrected"),
  };
};

/** Errors of sessions, as labels for the precision of 100 uniform draws. */
interface LiesData {
  n_labels: number;
  n_instances: number;
  n_sessions: number;
  rows: { cluster: number; power: number; adaptive: number; optimal: number }[];
}

export const views = (table: TableDialog, settings: Settings, data: unknown): View[] => [
  new LyingView(table, given(settings, "power", 4), given(settings, "cluster", 0), data as LiesData),
];

class LyingView implements View {
  readonly name = "lies";
  readonly title = "Spoil it";
  readonly see =
    "All that is saved comes from the model’s own probabilities. Here is a model that errs in 10% of the cases and knows quite well where, and a slider that spoils what it says: it becomes too sure of itself, or not sure enough; or a cluster of instances appears of which it is 99% sure and half of the time wrong. Below 100, labels are saved; above, more are needed than by uniform draws. Two remedies: a tenth of the draws is uniform, and the model’s expectation stands in for what has no label, corrected by what has one (a control variate). On trial, each label is a bet against the model’s claims.";
  readonly play =
    "make the model surer, and see the papers’ q* turn from gain to loss: errors where it is sure are hardly ever drawn, and then weigh enormously. Labels can mend the power: 200 do so nearly, except for a model that is hardly sure of anything (the dots). They can’t tell a cluster from others that look the same; but the trial tells.";
  readonly controls: HTMLElement[];
  readonly plots: HTMLElement[];
  readonly finding = finding();
  private readonly power: Slider;
  private readonly cluster: Slider;
  private readonly profile = errorProfile(2 * RATE, KNOWLEDGE).map((error) => error / 2);
  private readonly gain: PlotPanel;
  private readonly said: PlotPanel;
  private readonly trial: PlotPanel;
  private readonly runner: Runner;
  private trials: Trials | null = null;
  private random = randomFrom(1);
  private over: number[] = []; // labels until "too sure", of each session that found it
  private under: number[] = [];
  private nSessions = 0;
  private told = "";
  private curves: { cluster: number; all: Record<Method, number>[] } | null = null;

  constructor(
    table: TableDialog,
    power: number,
    cluster: number,
    private readonly data: LiesData,
  ) {
    const update = () => this.update();
    this.power = new Slider(
      {
        name: "power",
        label: "How sure it claims to be",
        low: -2,
        high: 3,
        step: 0.05,
        value: Math.log2(power),
        text: (value) => powerText(2 ** value),
      },
      update,
    );
    this.cluster = new Slider(
      {
        name: "cluster",
        label: "Sure, and wrong half of the time",
        high: 0.1,
        step: 0.005,
        value: cluster,
        text: (value) => (value === 0 ? "nowhere" : `${percentText(value, 1)} of the pool`),
      },
      update,
    );
    this.gain = new PlotPanel("gain", table);
    this.said = new PlotPanel("claims", table);
    this.trial = new PlotPanel("trial", table);
    this.runner = new Runner(
      () => this.try(),
      () => this.showTrial(),
      10,
    );
    this.controls = [this.power.node, this.cluster.node];
    this.plots = [this.gain.node, element("div", { class: "aew-explorer-pair" }, this.said.node, this.trial.node)];
  }

  show(): void {
    this.update();
  }

  hide(): void {
    this.runner.stop();
  }

  close(): void {
    for (const panel of [this.gain, this.said, this.trial]) panel.close();
  }

  private get profiles(): Profiles {
    return spoiled(this.profile, 2 ** this.power.value, this.cluster.value);
  }

  private update(): void {
    const { profiles } = this;
    const now = forHundred(profiles);
    const learned = recalibrated(profiles);
    this.gain.show(this.gainPlot(now));
    this.said.show(claimsPlot(profiles, learned));
    const q = defended(preferred(profiles.claims, profiles.shares), profiles.shares);
    this.trials = new Trials(profiles.errors, profiles.claims, q);
    this.random = randomFrom(1);
    [this.over, this.under, this.nSessions] = [[], [], 0];
    const rate = profiles.errors.reduce((sum, error, i) => sum + error * profiles.shares[i], 0);
    const claim = profiles.claims.reduce((sum, error, i) => sum + error * profiles.shares[i], 0);
    this.told = `The model claims ${percentText(claim, 1)} errors and makes ${percentText(rate, 1)}. For what takes 100 labels by uniform draws, the papers’ q* takes ${countText(now.optimal)}, with a uniform share and the control variate ${countText(now.control)}, recalibrated ${countText(now.corrected)}.`;
    this.runner.start();
    this.showTrial();
  }

  private try(): boolean {
    const found = this.trials?.run(this.random, COUNT) ?? null;
    if (found !== null) (found.verdict === "over" ? this.over : this.under).push(found.n);
    this.nSessions += 1;
    return this.nSessions < SESSIONS;
  }

  private gainPlot(now: Record<Method, number>): PlotContent {
    const cluster = this.cluster.value;
    const all = this.atPowers(cluster);
    const { curves, legend, stops } = seriesOf(
      METHODS.map(([method, name, kind]) => ({
        kind,
        name,
        x: POWERS,
        y: all.map((row) => Math.min(row[method], 2 * MOST)),
        within: all.map((row) => Math.min(row[method], MOST / 2)),
        text: all.map((row, at) => `${powerText(POWERS[at])}: ${countText(row[method])} labels by ${name}`),
      })),
    );
    const power = 2 ** this.power.value;
    const rows = this.data.rows.filter((row) => Math.abs(row.cluster - cluster) <= NEAR);
    const top = (value: number) => Math.min(value, MOST / 2);
    const { n_labels, n_instances } = this.data;
    const simulated = rows.map((row) => ({
      x: row.power,
      optimal: top(row.optimal),
      adaptive: top(row.adaptive),
      row,
    }));
    const places = simulated.map(({ x }) => x);
    const ticks = [0.25, 0.5, 1, 2, 4, 8].map((value): [number, string] => [
      value,
      value < 1 ? `1/${1 / value}` : String(value),
    ]);
    return plotOf({
      heading: "Labels for what takes 100 by uniform draws",
      note: `Lines: by the formula for many labels. Marks: simulated sessions of ${n_labels} labels from pools of ${countText(n_instances)}; for a cluster of 0 and of 5%.`,
      x: {
        low: 0.25,
        high: 8,
        ticks,
        title: "power of the odds (1: honest)",
        is_log: true,
      },
      y: axisOf(0, MOST / 2, countText),
      curves,
      lines: [{ kind: "uniform", y: 100 }],
      points: [
        {
          kind: "present",
          shape: "diamond",
          x: METHODS.map(() => power),
          y: METHODS.map(([method]) => Math.min(now[method], MOST / 2)),
        },
        { kind: "papers", shape: "cross", x: places, y: simulated.map(({ optimal }) => optimal) },
        { kind: "drawn", shape: "dot", x: places, y: simulated.map(({ adaptive }) => adaptive) },
      ],
      sides: ["loss", "gain"],
      legend: [
        ...legend,
        ["uniform", "uniform draws: 100"],
        ["present", "this model"],
        ...(rows.length > 0
          ? ([
              ["papers", "the papers’ q*, simulated"],
              ["drawn", "adaptive draws, simulated"],
            ] as [string, string][])
          : []),
      ],
      stops: [
        ...stops,
        ...(["optimal", "adaptive"] as const).map((which): Stops => {
          const name = `${which === "optimal" ? "the papers’ q*" : "adaptive draws"}, simulated`;
          const text = rows.map((row) => `${powerText(row.power)}: ${countText(row[which])} labels by ${name}`);
          return { name, by: "point", x: places, y: simulated.map((each) => each[which]), text };
        }),
      ],
      summary:
        "How many labels each method takes for the precision of 100 uniform draws, by how sure the model claims to be.",
      columns: ["Power of the odds", ...METHODS.map(([, name]) => name)],
      rows: someOf(
        all.map((row, at) => [significantText(POWERS[at], 2), ...METHODS.map(([method]) => countText(row[method]))]),
      ),
    });
  }

  /** The curves, which do not depend on the power. */
  private atPowers(cluster: number): Record<Method, number>[] {
    if (this.curves?.cluster !== cluster) {
      this.curves = { cluster, all: POWERS.map((power) => forHundred(spoiled(this.profile, power, cluster))) };
    }
    return this.curves.all;
  }

  private showTrial(): void {
    const at = spread(0, COUNT, 61);
    const share = (of: number[]) =>
      at.map((n) => of.filter((found) => found <= n).length / Math.max(this.nSessions, 1));
    const [over, under] = [share(this.over), share(this.under)];
    const known = [...this.over, ...this.under].sort((a, b) => a - b);
    const half = known[Math.ceil(this.nSessions / 2) - 1];
    const ofTrial =
      half === undefined
        ? `The trial has found it out within ${COUNT} labels in ${percentText(known.length / Math.max(this.nSessions, 1))} of ${countText(this.nSessions)} sessions.`
        : `The trial finds it out after ${countText(half)} labels in half of ${countText(this.nSessions)} sessions.`;
    say(this.finding, `${this.told} ${ofTrial}`, this.runner.isRunning);
    this.trial.show(
      plotOf({
        heading: "The model on trial",
        x: axisOf(0, COUNT, countText, "labels"),
        y: axisOf(0, 1, percentText),
        curves: [
          { kind: "second", x: at, y: over },
          { kind: "third", x: at, y: under },
        ],
        lines: [{ kind: "uniform", y: 0.05 }],
        legend: [
          ["second", "“too sure”"],
          ["third", "“not sure enough”"],
          ["uniform", "5%: as often if honest, at most"],
        ],
        stops: [
          {
            name: "too sure",
            by: "x",
            x: at,
            y: over,
            text: at.map(
              (n, i) =>
                `by ${countText(n)} labels: “too sure” in ${percentText(over[i])} of sessions, “not sure enough” in ${percentText(under[i])}`,
            ),
          },
        ],
        summary: ofTrial,
        columns: ["Labels", "“too sure”", "“not sure enough”"],
        rows: someOf(at.map((n, i) => [countText(n), percentText(over[i]), percentText(under[i])])),
      }),
    );
  }
}

function claimsPlot({ errors, claims, shares }: Profiles, learned: number[]): PlotContent {
  const last = errors.length - 1;
  const some = someOf(
    errors.slice(0, last).map((_, i) => i),
    60,
  );
  const of = (values: number[]) => some.map((i) => values[i]);
  const hasCluster = shares[last] > 0;
  return plotOf({
    heading: "What it claims, and what is true",
    x: axisOf(0, 0.5, percentText, "probability of an error, as claimed"),
    y: axisOf(0, 0.55, percentText),
    curves: [
      { kind: "ideal", x: [0, 0.5], y: [0, 0.5] },
      { kind: "second", x: of(claims), y: of(errors) },
      { kind: "estimate", x: of(learned), y: of(errors) },
    ],
    points: hasCluster
      ? [{ kind: "present", shape: "diamond", x: [claims[last]], y: [errors[last]], label: "the cluster" }]
      : [],
    legend: [
      ["second", "as claimed"],
      ["estimate", "recalibrated"],
      ["ideal", "honest"],
    ],
    stops: [
      {
        name: "claims",
        by: "x",
        x: of(claims),
        y: of(errors),
        text: some.map((i) => `claimed ${percentText(claims[i], 1)}, true ${percentText(errors[i], 1)}`),
      },
    ],
    summary: "The true probability of an error by the claimed one.",
    columns: ["Claimed", "Recalibrated", "True"],
    rows: someOf(some).map((i) => [percentText(claims[i], 1), percentText(learned[i], 1), percentText(errors[i], 1)]),
  });
}
