// The plots of a race, for the charts.

import { axisOf, plotOf, someOf } from "../charts/plot_content";
import type { Axis, PlotContent } from "../from_python/messages";
import type { ManyContent, PickAxis, RaceConfig, RaceStep, Span } from "../from_python/race_messages";
import { capital, countText, percentText, significantText } from "../text/numbers";
import { binned, type Course, intervalOf, type Kind, outline } from "./course";

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
  const last = shown.map(({ method, steps }) => `${method.title} ${said(steps.at(-1), kind)}`);
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
      text: known.map((each) => `${method.title}, ${each.x} labels: ${said(each.step, kind)}`),
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

function said(step: RaceStep | undefined, kind: Kind): string {
  if (step === undefined) return "nothing yet";
  const interval = intervalOf(step, kind);
  return interval === null ? step.text : `${step.text}, between ${interval.text.replace(" to ", " and ")}`;
}

const labelsAxis = (budget: number): Axis => axisOf(0, Math.max(1, budget), countText, "labels");

/** How values of the measure, or differences, are written at their axis. */
const valueText =
  ({ is_share, sides }: RaceConfig) =>
  (value: number): string => {
    const sign = sides.length > 0;
    return `${significantText(is_share ? 100 * value : value, 4, { sign })}${is_share && !sign ? "%" : ""}`;
  };

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

/** The errors of many races' estimates, over the number of labels. */
export function errorsPlot(config: RaceConfig, many: ManyContent): PlotContent {
  const titleOf = (name: string) => config.methods.find((method) => method.name === name)?.title ?? name;
  const known = many.curves.map(({ method, median, low, high, rmse, texts }) => ({
    method,
    points: many.at.flatMap((x, i) => {
      const [middle, least, most, root] = [median[i], low[i], high[i], rmse[i]];
      return middle === null || least === null || most === null || root === null
        ? []
        : [{ x, middle, least, most, root, text: texts[i] }];
    }),
  }));
  return plotOf({
    heading: `How far off the truth after each label${config.is_share ? ", in percentage points" : ""}: ${many.n_done} races`,
    note: "Line: half of the races are closer to the truth. Band: from the closest tenth of the races to the farthest.",
    x: labelsAxis(config.budget),
    y: axisOf(many.y.low, many.y.high, (off) => significantText(config.is_share ? 100 * off : off, 6)),
    bands: known.map(({ method, points }) => ({
      kind: `${colorOf(method)}-band`,
      x: points.map(({ x }) => x),
      low: points.map(({ least }) => least),
      high: points.map(({ most }) => most),
    })),
    curves: known.map(({ method, points }) => ({
      kind: colorOf(method),
      x: points.map(({ x }) => x),
      y: points.map(({ middle }) => middle),
    })),
    legend: known.map(({ method }): [string, string] => [colorOf(method), titleOf(method)]),
    stops: known.map(({ method, points }) => ({
      name: titleOf(method),
      by: "x",
      x: points.map(({ x }) => x),
      y: points.map(({ middle }) => middle),
      text: points.map(({ x, text }) => `${titleOf(method)}, ${x} labels: ${text}`),
    })),
    summary: many.curves.map(({ method, texts }) => `${titleOf(method)}: ${texts[texts.length - 1]}`).join(". "),
    columns: ["Labels", ...many.curves.map(({ method }) => titleOf(method))],
    rows: many.at.map((n, i) => [String(n), ...many.curves.map(({ texts }) => texts[i])]),
  });
}
