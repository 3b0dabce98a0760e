// The plots of a race, for the charts.

import { plotOf, someOf } from "../explorers/plots";
import type { Axis, PlotContent } from "../from_python/messages";
import type { ManyContent, PickAxis, RaceConfig, RaceStep } from "../from_python/race_messages";
import { binned, type Course, intervalOf, type Kind, outline } from "./course";

const FAR = 1e3; // heights of the axis: what is drawn must be finite

export const colorOf = (method: string): string => `racer-${method}`;

/** Both estimates with their intervals over the number of labels. */
export function estimatesPlot(
  config: RaceConfig,
  courses: Course[],
  n: number,
  y: Axis,
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
    y,
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

function labelsAxis(budget: number): Axis {
  const unit = 10 ** Math.floor(Math.log10(Math.max(1, budget / 5)));
  const step = [1, 2, 5, 10].map((factor) => factor * unit).find((by) => budget / by < 6.5) ?? 10 * unit;
  const ticks: [number, string][] = [];
  for (let tick = 0; tick <= budget; tick += step) ticks.push([tick, String(tick)]);
  return { low: 0, high: Math.max(1, budget), ticks, title: "labels" };
}

/** Where on an axis a racer's picks are, compared with the pool. */
export function picksPlot(picks: PickAxis, { method, steps }: Course, n: number): PlotContent {
  const { low, high } = picks.axis;
  const shares = binned(
    steps.slice(0, n).map(({ x }) => x),
    low,
    high,
    picks.n_bins,
  );
  const [own, pool] = [outline(shares, low, high), outline(picks.pool, low, high)];
  const most = Math.max(0.2, ...picks.pool, ...shares);
  const ceiling = Math.min(1, Math.ceil(10 * most + 0.5) / 10);
  const text = (share: number) => `${Math.round(100 * share)}%`;
  const half = ceiling / 2;
  const width = (high - low) / picks.n_bins;
  const edge = (i: number) => Number((low + i * width).toPrecision(3)).toString();
  return plotOf({
    heading: `Picks by the ${picks.axis.title ?? ""} (line: the pool)`,
    x: picks.axis,
    y: {
      low: 0,
      high: ceiling,
      ticks: [
        [0, "0%"],
        [half, text(half)],
        [ceiling, text(ceiling)],
      ],
    },
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
          (share, i) => `${edge(i)} to ${edge(i + 1)}: ${text(share)} of the picks, ${text(picks.pool[i])} of the pool`,
        ),
      },
    ],
    summary: `${picks.label}: shares of the ${n} picks and of the pool.`,
    columns: [picks.label, "Of the picks", "Of the pool"],
    rows: shares.map((share, i) => [`${edge(i)} to ${edge(i + 1)}`, text(share), text(picks.pool[i])]),
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
    heading: `How far off the truth after each label${config.unit ? `, in ${config.unit}` : ""}: ${many.n_done} races`,
    note: "Line: half of the races are closer to the truth. Band: from the closest tenth of the races to the farthest.",
    x: labelsAxis(config.budget),
    y: many.y,
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
