// All intervals of a class, one above the other.

import { axisOf, plotOf } from "../charts/plot_content";
import type { WallConfig, WallContent, WallRow } from "../from_python/class_messages";
import type { PlotContent } from "../from_python/messages";
import { capital, valueText } from "../text/numbers";

const NAMES = { active: "active draws", uniform: "uniform draws" } as const;
const LEGEND = { fixed: "too few labels yet", own: "has not said so yet", best: "too few labels yet" } as const;

/** The rows from top to bottom: as they came, or by method; the cheater's last. */
export const ordered = (rows: WallRow[], isApart: boolean): WallRow[] =>
  [...rows].sort(
    (one, next) =>
      Number(one.is_cheater) - Number(next.is_cheater) || (isApart ? one.method.localeCompare(next.method) : 0),
  );

const kindOf = (row: WallRow): string => {
  if (row.is_miss) return "wall-miss";
  return `wall-${row.method}${row.is_counted ? "" : "-open"}`;
};

const nameOf = (row: WallRow): string => row.name + (row.is_simulated && !row.is_cheater ? " ◇" : "");

export function wallPlot(config: WallConfig, wall: WallContent, isApart: boolean): PlotContent {
  const rows = ordered(wall.rows, isApart).map((row, i) => ({ row, y: wall.rows.length - i }));
  const { low, high } = wall.x;
  const within = (value: number) => Math.min(high, Math.max(low, value));
  const drawn = rows.flatMap(({ row, y }) =>
    row.low === null || row.high === null
      ? []
      : [{ kind: kindOf(row), x: [within(row.low), within(row.high)], y: [y, y] }],
  );
  const dots = rows.flatMap(({ row, y }) => (row.value === null ? [] : [{ row, x: within(row.value), y }]));
  const kinds = [...new Set(rows.map(({ row }) => kindOf(row)))];
  const truth = wall.truth === null ? [] : [{ kind: "goal", x: [wall.truth, wall.truth], y: [0, rows.length + 1] }];
  return plotOf({
    heading: `${capital(config.measure)}: everyone's interval`,
    x: axisOf(low, high, valueText(config)),
    y: { low: 0.2, high: rows.length + 0.8, ticks: rows.map(({ row, y }) => [y, nameOf(row)]) },
    curves: [...truth, ...drawn],
    points: kinds.map((kind) => {
      const own = dots.filter(({ row }) => kindOf(row) === kind);
      return {
        kind: `${kind}-point`,
        shape: "dot" as const,
        x: own.map(({ x }) => x),
        y: own.map(({ y }) => y),
        size: own.map(() => 1),
      };
    }),
    legend: [
      ...(["active", "uniform"] as const)
        .filter((method) => rows.some(({ row }) => row.method === method))
        .map((method): [string, string] => [`wall-${method}`, NAMES[method]]),
      ...(kinds.includes("wall-miss") ? [["wall-miss", "misses the truth"] as [string, string]] : []),
      ...(kinds.some((kind) => kind.endsWith("-open")) ? [["wall-open", LEGEND[wall.stop]] as [string, string]] : []),
      ...(wall.truth === null ? [] : [["goal", `truth: ${wall.truth_text}`] as [string, string]]),
    ],
    stops: [
      {
        name: "Students",
        by: "point",
        x: dots.map(({ x }) => x),
        y: dots.map(({ y }) => y),
        text: dots.map(({ row }) => `${nameOf(row)}: ${row.text}`),
      },
    ],
    note: rows.some(({ row }) => row.is_simulated && !row.is_cheater) ? "◇ simulated" : "",
    summary: `${wall.headline}. ${wall.details.join(" ")}`,
    columns: ["Student", "Draws", "Interval"],
    rows: rows.map(({ row }) => [nameOf(row), row.method, row.text]),
  });
}
