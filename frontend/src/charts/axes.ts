// The axes of a plot: its margins and its ticks, laid out by the widths and heights of texts on this page.

import type { Axis } from "../from_python/messages";
import { drawn } from "./drawing";
import { horizontalTicks, scaleOf, verticalTicks } from "./scales";

const GAP = 6; // px, between the numbers of the vertical axis and what is beside them
const BELOW = 4; // px, between the horizontal axis and its numbers
const MIN_RIGHT = 20; // px
const WIDEST_NAMES = 0.4; // of the plot, for the names of its rows
const NARROWEST_NAMES = 8; // lines; numbers always fit

/** The sizes of texts, by the page's own fonts. */
interface TextSizes {
  width: (text: string) => number;
  /** Of a line, above and below its baseline. */
  ascent: number;
  descent: number;
}

export interface Area {
  left: number;
  right: number;
  top: number;
  bottom: number;
  x: (value: number) => number;
  y: (value: number) => number;
}

interface Axes {
  x: Axis;
  y: Axis;
}

/** Measures the axes' texts within the plot itself, where its styles apply. */
export class TextRuler {
  private known = new Map<string, number>();
  private font = "";
  private line = { ascent: 0, descent: 0 };

  constructor(private readonly svg: SVGSVGElement) {}

  measure({ x, y }: Axes): TextSizes {
    const probe = drawn("text", { visibility: "hidden" }, "0");
    this.svg.append(probe);
    const { fontFamily, fontSize, letterSpacing } = getComputedStyle(probe);
    const font = [fontFamily, fontSize, letterSpacing].join();
    if (font !== this.font) {
      this.font = font;
      this.known.clear();
      const { y: top, height } = probe.getBBox();
      this.line = { ascent: -top, descent: height + top };
    }
    const texts = [...x.ticks, ...y.ticks].map(([, text]) => text);
    if (y.title) texts.push(y.title);
    const unknown = [...new Set(texts)].filter((text) => !this.known.has(text));
    const nodes = unknown.map((text) => drawn("text", { visibility: "hidden" }, text));
    this.svg.append(...nodes);
    nodes.forEach((node, i) => {
      this.known.set(unknown[i], node.getComputedTextLength());
    });
    for (const node of [probe, ...nodes]) node.remove();
    return { ...this.line, width: (text) => this.known.get(text) ?? 0 };
  }
}

/** As much of a name as fits into a width. */
function fitted(text: string, room: number, sizes: TextSizes): string {
  const width = sizes.width(text);
  if (width <= room) return text;
  const letters = [...text];
  return `${letters.slice(0, Math.floor((letters.length * room) / width) - 1).join("")}…`;
}

/** Where the data are drawn in a plot of a width and height. */
export function areaOf(axes: Axes, width: number, height: number, sizes: TextSizes, hasTitle: boolean): Area {
  const line = sizes.ascent + sizes.descent;
  const widest = (axis: Axis) => Math.max(0, ...axis.ticks.map(([, text]) => sizes.width(text)));
  const names = Math.min(widest(axes.y), Math.max(WIDEST_NAMES * width, NARROWEST_NAMES * line));
  const left = Math.ceil((axes.y.title ? line : 0) + names + 2 * GAP);
  const right = width - Math.max(MIN_RIGHT, Math.ceil(widest(axes.x) / 2));
  const top = Math.ceil(line / 2) + 2;
  const bottom = height - Math.ceil((hasTitle ? 2 : 1) * line) - BELOW - 1;
  return { left, right, top, bottom, x: scaleOf(axes.x, left, right), y: scaleOf(axes.y, bottom, top) };
}

/** The ticks' lines, numbers and titles. */
export function axesOf(axes: Axes, area: Area, sizes: TextSizes, hasTitle: boolean): SVGElement[] {
  const { left, right, top, bottom, x, y } = area;
  const { ascent, descent } = sizes;
  const nodes: SVGElement[] = [];
  const room = left - 2 * GAP - (axes.y.title ? ascent + descent : 0);
  // The lowest one keeps clear of the horizontal axis' numbers.
  const baseOf = (value: number) => Math.min(y(value) + (ascent - descent) / 2, bottom + BELOW - descent);
  for (const [value, text] of verticalTicks(axes.y, baseOf, ascent + descent)) {
    const at = y(value);
    nodes.push(
      drawn("line", { class: "aew-grid-line", x1: left, x2: right, y1: at, y2: at }),
      drawn("text", { x: left - GAP, y: baseOf(value), "text-anchor": "end" }, fitted(text, room, sizes)),
    );
  }
  const below = bottom + BELOW + ascent;
  for (const [value, text] of horizontalTicks(axes.x, x, sizes.width)) {
    nodes.push(drawn("text", { x: x(value), y: below, "text-anchor": "middle" }, text));
  }
  if (hasTitle && axes.x.title) {
    const place = { x: (left + right) / 2, y: below + ascent + descent, "text-anchor": "middle" };
    nodes.push(drawn("text", place, axes.x.title));
  }
  if (axes.y.title) {
    const middle = (top + bottom) / 2;
    const place = { x: ascent, y: middle, "text-anchor": "middle", transform: `rotate(-90 ${ascent} ${middle})` };
    nodes.push(drawn("text", place, axes.y.title));
  }
  return nodes;
}
