// The legend of a plot.

import { element } from "../dom/element";
import type { PlotContent } from "../from_python/messages";
import { drawn, SHAPES, type Shape } from "./drawing";

const SWATCHES: Record<string, Shape> = {
  wrong: "cross",
  papers: "cross",
  drawn: "dot",
  pool: "dot",
  present: "diamond",
  "same-2": "square",
  "differ-2": "dot",
  "first-right": "dot",
  "second-right": "diamond",
  "both-right": "square",
  "neither-right": "cross",
};

export const legendOf = (legend: PlotContent["legend"]): HTMLElement[] =>
  legend.map(([kind, text]) => element("li", {}, swatch(kind), text));

const FILLED = new Set(["band", "approximate", "forecast", "pool-bars", "drawn-bars", "rug", "papers-band"]);

function swatch(kind: string): SVGElement {
  const drawing = drawn("svg", { class: "aew-swatch", width: 18, height: 12, "aria-hidden": "true" });
  const shape = SWATCHES[kind];
  if (shape !== undefined) {
    drawing.append(drawn("path", { class: `aew-draw-${kind} aew-shape-${shape}`, d: SHAPES[shape](9, 6, 3.2) }));
  } else if (FILLED.has(kind)) drawing.append(drawn("rect", { class: `aew-draw-${kind}`, width: 18, height: 12 }));
  else drawing.append(drawn("line", { class: `aew-draw-${kind}`, x1: 0, x2: 18, y1: 6, y2: 6 }));
  return drawing;
}
