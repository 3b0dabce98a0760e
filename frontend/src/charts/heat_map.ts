// A heat map: an amount by two numbers, as the depth of one color. A place is chosen by pointer; for keys there are
// the controls beside it.

import { element } from "../dom/element";
import type { Axis } from "../from_python/messages";
import { areaOf, axesOf, TextRuler } from "./axes";
import { drawn } from "./drawing";

export const COLUMNS = 48;
export const ROWS = 24;
const DEPTHS = 64; // of the color

interface HeatContent {
  x: Axis;
  y: Axis;
  /** The depth of the color, from 0 to 1. */
  depth: (x: number, y: number) => number;
  /** The marked point. */
  at: { x: number; y: number };
  /** The position of the line, if not at the marked point. */
  line?: number;
  summary: string;
}

/** The middles of equal parts of an axis. */
export const middles = ({ low, high }: Pick<Axis, "low" | "high">, count: number): number[] =>
  Array.from({ length: count }, (_, i) => low + ((high - low) * (i + 0.5)) / count);

const edges = (from: number, to: number, count: number): number[] =>
  Array.from({ length: count + 1 }, (_, i) => Math.round(from + ((to - from) * i) / count));

export class HeatMap {
  readonly box: HTMLElement;
  private content: HeatContent | null = null;
  private readonly svg = drawn("svg", { "aria-hidden": "true" });
  private readonly ruler = new TextRuler(this.svg);
  private readonly observer = new ResizeObserver(() => this.draw());
  private toX = (_: number): number => 0;
  private toY = (_: number): number => 0;

  constructor(private readonly onChoose: (x: number, y: number) => void) {
    this.box = element(
      "div",
      {
        class: "aew-plot aew-heat aew-choosable",
        role: "img",
        onclick: (event) => this.chosen(event),
        onpointermove: (event) => {
          if (event.buttons === 1) this.chosen(event);
        },
      },
      this.svg,
    );
    this.observer.observe(this.box);
  }

  show(content: HeatContent): void {
    this.content = content;
    this.box.setAttribute("aria-label", content.summary);
    this.draw();
  }

  close(): void {
    this.observer.disconnect();
  }

  private chosen(event: MouseEvent): void {
    if (this.content === null) return;
    const { x, y } = this.content;
    const frame = this.box.getBoundingClientRect();
    const within = (axis: Axis, value: number) => Math.min(axis.high, Math.max(axis.low, value));
    this.onChoose(within(x, this.toX(event.clientX - frame.left)), within(y, this.toY(event.clientY - frame.top)));
  }

  private draw(): void {
    const { content, box } = this;
    const { clientWidth: width, clientHeight: height } = box;
    if (content === null || width < 60 || height < 40) return;
    const sizes = this.ruler.measure(content);
    const hasTitle = Boolean(content.x.title);
    const area = areaOf(content, width, height, sizes, hasTitle);
    const { left, right, top, bottom, x, y } = area;
    this.toX = (at) => content.x.low + ((at - left) / (right - left)) * (content.x.high - content.x.low);
    this.toY = (at) => content.y.low + ((bottom - at) / (bottom - top)) * (content.y.high - content.y.low);
    const nodes: SVGElement[] = [];
    // One path for each depth of color: a thousand nodes would be too slow for a slider. The cells' edges are
    // whole pixels, so that there are no gaps.
    const paths = Array.from({ length: DEPTHS + 1 }, () => "");
    const across = edges(left, right, COLUMNS);
    const down = edges(bottom, top, ROWS);
    middles(content.y, ROWS).forEach((atY, row) => {
      middles(content.x, COLUMNS).forEach((atX, column) => {
        const level = Math.round(DEPTHS * Math.min(1, Math.max(0, content.depth(atX, atY))));
        const [l, t] = [across[column], down[row + 1]];
        paths[level] += `M${l} ${t}H${across[column + 1]}V${down[row]}H${l}z`;
      });
    });
    paths.forEach((d, level) => {
      if (d !== "")
        nodes.push(drawn("path", { class: "aew-heat-cell", d, "fill-opacity": (level / DEPTHS).toFixed(3) }));
    });
    nodes.push(...axesOf(content, area, sizes, hasTitle));
    const [atX, atY] = [x(content.at.x), y(content.at.y)];
    const line = content.line === undefined ? atY : y(content.line);
    nodes.push(
      drawn("line", { class: "aew-heat-line", x1: left, x2: right, y1: line, y2: line }),
      drawn("circle", { class: "aew-heat-mark", cx: atX, cy: atY, r: 6 }),
    );
    this.svg.replaceChildren(...nodes);
  }
}
