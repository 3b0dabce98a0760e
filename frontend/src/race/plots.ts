// The plots of a race, for the charts.

import { axisOf, plotOf, someOf } from "../charts/plot_content";
import type { Axis, PlotContent } from "../from_python/messages";
import type { ManyContent, MethodInfo, PickAxis, RaceConfig, RaceStep, Span } from "../from_python/race_messages";
import { capital, countText, percentText, significantText, valueText } from "../text/numbers";
import { binned, type Course, distanceText, intervalOf, type Kind, outline } from "./course";

const FAR = 1e3; // heights of the axis: what is drawn must be finite

export const colorOf = (method: string): string => `racer-${method}`;

/** Both estimates with their intervals over the number of labels. */
export function estimatesPlot(
  config: RaceConfig,
  courses: Course[],
  n: number,
  y: Span,
  kind: Kind,
  isHidden: boolean,
): PlotContent {
  const height = y.high - y.low;
  const within = (value: number) => Math.min(y.high + FAR * height, Math.max(y.low - FAR * height, value));
  const shown = courses.map(({ method, steps }) => ({ method, steps: steps.slice(0, n) }));
  const bands = shown.flatMap(({ method, steps }) => {
    const known = steps.flatMap((step, i) => {
      const interval = intervalOf(step, kind);
      return interval === null ? [] : [{ x: i + 1, low: within(interval.low), high: within(interval.high) }];
    });
    if (known.length === 0) return [];
    return [
      {
        kind: `${colorOf(method.name)}-band`,
        x: known.map(({ x }) => x),
        low: known.map(({ low }) => low),
        high: known.map(({ high }) => high),
      },
    ];
  });
  const values = shown.map(({ method, steps }) => {
    const known = steps.flatMap((step, i) => (step.value === null ? [] : [{ x: i + 1, y: step.value, step }]));
    return { method, known };
  });
  const last = shown.map(({ method, steps }) => `${method.title} ${stepText(steps.at(-1), kind)}`);
  return plotOf({
    heading: `Estimated ${config.measure}`,
    x: labelsAxis(config.budget),
    y: axisOf(y.low, y.high, valueText(config)),
    bands,
    curves: [
      ...bands.flatMap(({ kind: band, x, low, high }) => [
        { kind: `${band}-edge`, x, y: low },
        { kind: `${band}-edge`, x, y: high },
      ]),
      ...values.map(({ method, known }) => ({
        kind: colorOf(method.name),
        x: known.map((each) => each.x),
        y: known.map((each) => each.y),
      })),
    ],
    lines: [
      ...(config.sides.length > 0 ? [{ kind: "zero", y: 0 }] : []),
      ...(isHidden ? [] : [{ kind: "goal", y: config.truth }]),
    ],
    points: values.flatMap(({ method, known }) =>
      known.length === 0
        ? []
        : [
            {
              kind: `${colorOf(method.name)}-point`,
              shape: "dot" as const,
              x: [known[known.length - 1].x],
              y: [known[known.length - 1].y],
              size: [1.6],
            },
          ],
    ),
    sides: config.sides,
    legend: [
      ...shown.map(({ method }): [string, string] => [colorOf(method.name), `${method.title}, with its 95% interval`]),
      ...(isHidden ? [] : [["goal", `truth: ${config.truth_text}`] as [string, string]]),
    ],
    stops: values.map(({ method, known }) => ({
      name: method.title,
      by: "x",
      x: known.map((each) => each.x),
      y: known.map((each) => each.y),
      text: known.map((each) => `${method.title}, ${each.x} labels: ${stepText(each.step, kind)}`),
    })),
    summary: n === 0 ? "No labels yet." : `After ${n} labels: ${last.join("; ")}.`,
    columns: ["Labels", ...courses.flatMap(({ method }) => [method.title, "95% interval"])],
    rows: someOf(
      Array.from({ length: n }, (_, i) => [
        String(i + 1),
        ...shown.flatMap(({ steps }) => [steps[i]?.text ?? "–", intervalOf(steps[i], kind)?.text ?? "–"]),
      ]),
    ),
  });
}

function stepText(step: RaceStep | undefined, kind: Kind): string {
  if (step === undefined) return "nothing yet";
  const interval = intervalOf(step, kind);
  return interval === null ? step.text : `${step.text}, between ${interval.text.replace(" to ", " and ")}`;
}

const labelsAxis = (budget: number): Axis => axisOf(0, Math.max(1, budget), countText, "labels");

/** Where on an axis a racer's picks are, compared with the pool. */
export function picksPlot(picks: PickAxis, { method, steps }: Course, n: number): PlotContent {
  const { low, high, names, is_share } = picks;
  const shares = binned(
    steps.slice(0, n).map(({ x }) => x),
    low,
    high,
    picks.n_bins,
  );
  const [own, pool] = [outline(shares, low, high), outline(picks.pool, low, high)];
  const most = Math.max(0.2, ...picks.pool, ...shares);
  const ceiling = Math.min(1, Math.ceil(10 * most + 0.5) / 10);
  const width = (high - low) / picks.n_bins;
  const edge = (i: number) => significantText(low + i * width, 3);
  const title = picks.label;
  const x: Axis =
    names.length > 0
      ? { low, high, ticks: names.map((name, i) => [i, name]), title }
      : axisOf(low, high, is_share ? percentText : (value) => significantText(value, 3), title);
  return plotOf({
    heading: `Picks by the ${title} (line: the pool)`,
    x,
    y: { low: 0, high: ceiling, ticks: [0, ceiling / 2, ceiling].map((share) => [share, percentText(share)]) },
    bands: [{ kind: `${colorOf(method.name)}-bars`, x: own.x, low: own.x.map(() => 0), high: own.y }],
    curves: [{ kind: "racer-pool", x: pool.x, y: pool.y }],
    legend: [
      [`${colorOf(method.name)}`, "picked"],
      ["racer-pool", "the pool"],
    ],
    stops: [
      {
        name: "Bins",
        by: "x",
        x: shares.map((_, i) => low + (i + 0.5) * width),
        y: shares,
        text: shares.map(
          (share, i) =>
            `${edge(i)} to ${edge(i + 1)}: ${percentText(share)} of the picks, ${percentText(picks.pool[i])} of the pool`,
        ),
      },
    ],
    summary: `${capital(title)}: shares of the ${n} picks and of the pool.`,
    columns: [capital(title), "Of the picks", "Of the pool"],
    rows: shares.map((share, i) => [`${edge(i)} to ${edge(i + 1)}`, percentText(share), percentText(picks.pool[i])]),
  });
}

/** A line for each method of many races, with a band where there are ends of one. */
interface Line {
  method: MethodInfo;
  y: (number | null)[];
  low?: (number | null)[];
  high?: (number | null)[];
  text: (i: number) => string;
}

function manyPlot(
  { at, n_done }: ManyContent,
  lines: Line[],
  about: Pick<PlotContent, "heading" | "y"> & Partial<PlotContent>,
): PlotContent {
  const known = lines.map(({ y, ...line }) => ({
    ...line,
    points: at.flatMap((x, i) => {
      const value = y[i];
      return value === null ? [] : [{ x, y: value, low: line.low?.[i] ?? value, high: line.high?.[i] ?? value, i }];
    }),
  }));
  const kindOf = ({ method }: Pick<Line, "method">) => colorOf(method.name);
  return plotOf({
    x: labelsAxis(at[at.length - 1]),
    bands: known
      .filter(({ low }) => low !== undefined)
      .map((line) => ({
        kind: `${kindOf(line)}-band`,
        x: line.points.map(({ x }) => x),
        low: line.points.map(({ low }) => low),
        high: line.points.map(({ high }) => high),
      })),
    curves: known.map((line) => ({
      kind: kindOf(line),
      x: line.points.map(({ x }) => x),
      y: line.points.map(({ y }) => y),
    })),
    legend: known.map((line): [string, string] => [kindOf(line), line.method.title]),
    stops: known.map(({ method, points, text }) => ({
      name: method.title,
      by: "x",
      x: points.map(({ x }) => x),
      y: points.map(({ y }) => y),
      text: points.map(({ x, i }) => `${method.title}, ${x} labels: ${text(i)}`),
    })),
    summary: `${n_done} races. ${known.map(({ method, text }) => `${method.title}: ${text(at.length - 1)}`).join(". ")}.`,
    columns: ["Labels", ...known.map(({ method }) => method.title)],
    rows: at.map((n, i) => [String(n), ...known.map(({ text }) => text(i))]),
    ...about,
  });
}

/** An axis from 0 to the largest of some numbers. */
const heightAxis = ({ is_share }: RaceConfig, values: (number | null)[]): Axis => {
  const most = Math.max(0, ...values.flatMap((value) => (value === null ? [] : [value])));
  return axisOf(0, 1.05 * most || 1, (value) => significantText(is_share ? 100 * value : value, 6));
};

const inPoints = ({ is_share }: RaceConfig): string => (is_share ? ", in percentage points" : "");

/** The errors of many races' estimates, over the number of labels. */
export function errorsPlot(config: RaceConfig, methods: MethodInfo[], many: ManyContent): PlotContent {
  const distance = (value: number | null) => distanceText(value, config.is_share);
  const lines = many.curves.map(({ median, low, high, rmse }, i) => ({
    method: methods[i],
    y: median,
    low,
    high,
    text: (at: number) =>
      `half of the races within ${distance(median[at])}, nine in ten within ${distance(high[at])}; root mean square ${distance(rmse[at])}`,
  }));
  return manyPlot(many, lines, {
    heading: `Distance from the truth${inPoints(config)}`,
    note: "Line: half of the races are closer. Band: from the closest tenth of the races to the farthest.",
    y: heightAxis(
      config,
      many.curves.flatMap(({ high }) => high),
    ),
  });
}

const ofKind = (kind: Kind): string => (kind === "guaranteed" ? kind : "approximate where there is one");

/** The widths of many races' intervals, over the number of labels. */
export function widthsPlot(config: RaceConfig, methods: MethodInfo[], many: ManyContent, kind: Kind): PlotContent {
  const lines = many.curves.map(({ widths }, i) => ({
    method: methods[i],
    y: widths[kind],
    text: (at: number) => {
      const width = widths[kind][at];
      return width === null ? "no interval" : `${distanceText(width, config.is_share)} wide`;
    },
  }));
  return manyPlot(many, lines, {
    heading: `Width of the 95% interval${inPoints(config)} (${ofKind(kind)})`,
    y: heightAxis(
      config,
      lines.flatMap(({ y }) => y),
    ),
  });
}

const PROMISED = 0.95;

/** The share of many races whose interval includes the truth, over the number of labels. */
export function coveragePlot(methods: MethodInfo[], many: ManyContent, kind: Kind): PlotContent {
  const lines = many.curves.map(({ coverage }, i) => ({
    method: methods[i],
    y: coverage[kind],
    text: (at: number) => {
      const share = coverage[kind][at];
      return share === null ? "no interval" : percentText(share, 1);
    },
  }));
  const least = Math.min(0.9, ...lines.flatMap(({ y }) => y.flatMap((share) => (share === null ? [] : [share]))));
  return manyPlot(many, lines, {
    heading: "Share of intervals that include the truth",
    legend: [
      ...lines.map(({ method }): [string, string] => [colorOf(method.name), method.title]),
      ["goal", "promised"],
    ],
    lines: [{ kind: "goal", y: PROMISED }],
    y: axisOf(Math.floor(20 * least) / 20, 1.005, (share) => percentText(share)),
  });
}
