// The surface of a plot: the page's own SVG, or a figure of the notebook's.

import type { PlotContent } from "../from_python/messages";
import type { Area } from "./axes";

export interface Surface {
  readonly node: Element;
  /** Draws in a box of this size; returns the area of its data. */
  draw(content: PlotContent, width: number, height: number): Area;
  close?(): void;
}
