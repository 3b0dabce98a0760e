// The plot of one simulated session: the estimate, the interval that may be watched, and one for a single look.

import { axisOf, plotOf, someOf } from "../charts/plot_content";
import type { PlotContent } from "../from_python/messages";
import { capital, countText, percentText } from "../text/numbers";

type Interval = [low: number, high: number];

/** After a label: the estimate and both intervals; null while there are none. */
export interface Look {
  n: number;
  value: number | null;
  watched: Interval;
  once: Interval | null;
}

interface SimulatedSession {
  looks: Look[];
  truth: number;
  /** The numbers of labels at which the interval for one look misses the truth. */
  wrong: number[];
  /** The number of labels of the whole session. */
  count: number;
  /** The upper end of the axis. */
  high: number;
  /** The name of the interval for one look, and what the legend says of it. */
  once: { name: string; legend: string; wrong: string };
  note?: string;
}

const text = (share: number | undefined | null): string => (share == null ? "–" : percentText(share, 1));

export function sessionPlot({ looks, truth, wrong, count, high, once, note = "" }: SimulatedSession): PlotContent {
  const x = looks.map(({ n }) => n);
  const value = looks.map((look) => look.value ?? 0);
  const within = (share: number) => Math.min(share, 2 * high); // what is drawn must be finite
  const ends = (end: 0 | 1) => {
    const known = looks.flatMap(({ n, once }) => (once === null ? [] : [{ n, at: within(once[end]) }]));
    return { kind: "wald", x: known.map(({ n }) => n), y: known.map(({ at }) => at) };
  };
  const rows = looks.map((look) => [
    countText(look.n),
    ...[look.value, ...look.watched, look.once?.[0], look.once?.[1]].map(text),
  ]);
  const last = looks.at(-1);
  return plotOf({
    heading: "One session",
    note,
    x: axisOf(0, count, countText, "labels"),
    y: axisOf(0, high, percentText),
    bands: [
      {
        kind: "band",
        x,
        low: looks.map((look) => look.watched[0]),
        high: looks.map((look) => within(look.watched[1])),
      },
    ],
    curves: [{ kind: "estimate", x, y: value }, ends(0), ends(1)],
    lines: [{ kind: "goal", y: truth }],
    points: [{ kind: "wrong", shape: "foot", x: wrong, y: wrong.map(() => 0) }],
    legend: [
      ["estimate", "estimate"],
      ["band", "95%, may be watched"],
      ["wald", once.legend],
      ["goal", "the truth"],
      ["wrong", once.wrong],
    ],
    stops: [
      {
        name: "estimates",
        by: "x",
        x,
        y: value,
        text: rows.map(
          ([n, at, low, up, onceLow, onceUp]) =>
            `${n} labels: ${at}, watched ${low} to ${up}, ${once.name} ${onceLow} to ${onceUp}`,
        ),
      },
    ],
    summary: last ? `After ${last.n} labels the estimate is ${text(last.value)}.` : "No labels yet.",
    columns: ["Labels", "Estimate", "Watched from", "to", `${capital(once.name)} from`, "to"],
    rows: someOf(rows),
  });
}
