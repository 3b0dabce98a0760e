// Contents of plots, with defaults for what most of them leave empty.

import type { Axis, PlotContent } from "../from_python/messages";

/** An axis with about five round numbers. */
export function axisOf(low: number, high: number, text: (value: number) => string, title?: string): Axis {
  const unit = 10 ** Math.floor(Math.log10((high - low) / 5));
  const step = [1, 2, 5, 10].map((factor) => factor * unit).find((by) => (high - low) / by < 6.5) ?? 10 * unit;
  const ticks: [number, string][] = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; i += 1)
    ticks.push([i * step + 0, text(i * step + 0)]);
  return title === undefined ? { low, high, ticks } : { low, high, ticks, title };
}

type Given = Pick<PlotContent, "heading" | "x" | "y" | "summary"> & Partial<PlotContent>;

export const plotOf = (given: Given): PlotContent => ({
  bands: [],
  curves: [],
  lines: [],
  points: [],
  sides: [],
  legend: [],
  stops: [],
  columns: [],
  rows: [],
  ...given,
});

/** Curves whose values can be read, and which the legend names. */
interface Series {
  kind: string;
  name: string;
  x: number[];
  y: number[];
  text: string[];
  /** Where the values are pointed at, if the curve leaves the plot. */
  within?: number[];
}

/** The parts of a plot that show series: the pointer finds the first by its x, the others by their points. */
export const seriesOf = (series: Series[]): Pick<PlotContent, "curves" | "legend" | "stops"> => ({
  curves: series.map(({ kind, x, y }) => ({ kind, x, y })),
  legend: series.map(({ kind, name }) => [kind, name]),
  stops: series.map(({ name, x, y, text, within = y }, i) => ({
    name,
    by: i === 0 ? "x" : "point",
    x,
    y: within,
    text,
  })),
});

/** Some of many rows of a table, evenly spaced, with both ends. */
export const someOf = <T>(rows: T[], most = 12): T[] =>
  rows.length <= most
    ? rows
    : Array.from({ length: most }, (_, i) => rows[Math.round((i * (rows.length - 1)) / (most - 1))]);

/** Numbers from one to another, evenly spaced. */
export const spread = (low: number, high: number, count: number): number[] =>
  Array.from({ length: count }, (_, i) => low + ((high - low) * i) / (count - 1));

export const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
