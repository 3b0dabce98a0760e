// The plots of a model whose probabilities are wrong.

import { axisOf, plotOf, seriesOf, someOf, spread } from "../charts/plot_content";
import type { PlotContent, Stops } from "../from_python/messages";
import { countText, percentText, significantText } from "../text/numbers";
import type { Method, Profiles } from "./formulas/savings";

const METHODS: [Method, string, string][] = [
  ["optimal", "the papers’ q*", "third"],
  ["control", "+ uniform share, control variate", "second"],
  ["corrected", "+ recalibrated by labels", "estimate"],
];
const MOST = 400; // of the vertical axis, labels for 100 uniform ones
export const POWERS = spread(-2, 3, 31).map((exponent) => 2 ** exponent);
const NEAR = 0.005; // the largest distance between a cluster and a simulated one
export const COUNT = 300; // labels of a trial

/** The number of labels that each method needs for the precision of 100 uniform draws. */
export type Needed = Record<Method, number>;

/** Errors of sessions, as labels for the precision of 100 uniform draws. */
export interface LiesData {
  n_labels: number;
  n_instances: number;
  n_sessions: number;
  rows: { cluster: number; power: number; adaptive: number; optimal: number }[];
}

/** How sure a model claims to be, in words. */
export const powerText = (power: number): string => {
  const text = significantText(power, 2);
  if (Math.abs(power - 1) < 0.01) return "honest";
  return `${power > 1 ? "too sure" : "not sure enough"}: odds to the power of ${text}`;
};

/** The labels of each method by the power, for a model with this power and this share in the cluster. */
export function gainPlot(
  { power, cluster, now, all }: { power: number; cluster: number; now: Needed; all: Needed[] },
  { rows: simulations, n_labels, n_instances }: LiesData,
): PlotContent {
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
  const rows = simulations.filter((row) => Math.abs(row.cluster - cluster) <= NEAR);
  const top = (value: number) => Math.min(value, MOST / 2);
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

/** In which share of sessions the trial has found something, after numbers of labels. */
export const trialPlot = (at: number[], over: number[], under: number[], summary: string): PlotContent =>
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
    summary,
    columns: ["Labels", "“too sure”", "“not sure enough”"],
    rows: someOf(at.map((n, i) => [countText(n), percentText(over[i]), percentText(under[i])])),
  });

/** The true probabilities of an error by the claimed ones, and by the recalibrated ones. */
export function claimsPlot({ errors, claims, shares }: Profiles, learned: number[]): PlotContent {
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
