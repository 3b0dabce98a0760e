// A plot: Python's numbers drawn as bands, curves and points, in the size that the page gives it. Values are told
// by pointer and by keys.

import { element, setText } from "../dom/element";
import type { PlotContent } from "../from_python/messages";
import { isForeign } from "../keys/key_names";
import { type Area, areaOf, axesOf, TextRuler } from "./axes";
import { type At, type Layer, layerFrom, stepFrom, valueAt } from "./chart_values";
import { drawn, FOOT, pathOf, SHAPES, SIZES } from "./drawing";

const JUMP = 10; // points that Page Up and Page Down pass
const KEY_STEPS: Record<string, number> = {
  ArrowRight: 1,
  ArrowLeft: -1,
  PageDown: JUMP,
  PageUp: -JUMP,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

let nClips = 0; // clip paths have names that are unique in the page

export class Chart {
  readonly box: HTMLElement;
  content: PlotContent | null = null;
  private layers: Layer[] = [];
  private at: At | null = null; // what is pointed at
  private readonly svg = drawn("svg", { "aria-hidden": "true" });
  private readonly ruler = new TextRuler(this.svg);
  private readonly tip = element("div", { class: "aew-tip", hidden: "", "aria-hidden": "true" });
  private readonly told = element("p", { class: "aew-unseen", "aria-live": "polite" });
  private cursor: SVGCircleElement | null = null;
  private readonly observer = new ResizeObserver(() => this.draw());

  /** `goTo` is called with the index of an instance whose point was chosen; `enter` says what it does. */
  constructor(
    private readonly goTo: (index: number) => void,
    private readonly enter = "Enter opens an instance.",
  ) {
    this.box = element(
      "div",
      {
        class: "aew-plot",
        tabindex: "0",
        role: "application",
        "aria-roledescription": "plot",
        onpointermove: (event) => this.pointed(event),
        onpointerleave: () => this.leave(),
        onclick: (event) => {
          this.pointed(event);
          this.choose();
        },
        onkeydown: (event) => this.pressed(event),
        onblur: () => this.leave(),
      },
      this.svg,
      this.tip,
      this.told,
    );
    this.observer.observe(this.box);
  }

  show(content: PlotContent): void {
    this.content = content;
    const keys = `Arrow keys step through the values. ${this.enter}`;
    this.box.setAttribute("aria-label", `${content.heading}. ${content.summary} ${keys}`);
    this.draw();
  }

  close(): void {
    this.observer.disconnect();
  }

  // -- drawing ------------------------------------------------------------------------------------------

  private draw(): void {
    const { content, box } = this;
    const { clientWidth: width, clientHeight: height } = box;
    if (content === null || width < 60 || height < 40) return;
    const hasTitle = Boolean(content.x.title) && height >= 110;
    const sizes = this.ruler.measure(content);
    const area = areaOf(content, width, height, sizes, hasTitle);
    const { left, right, top, bottom, x, y } = area;
    const clip = `aew-clip-${nClips}`;
    nClips += 1;
    const clipPath = drawn("clipPath", { id: clip });
    clipPath.append(drawn("rect", { x: left, y: top - 1, width: right - left + 1, height: bottom - top + 2 }));
    const inside = drawn("g", { "clip-path": `url(#${clip})` });
    inside.append(...dataOf(content, area));
    this.cursor = drawn("circle", { class: "aew-cursor", r: 6, visibility: "hidden" });
    this.svg.replaceChildren(
      clipPath,
      ...axesOf(content, area, sizes, hasTitle),
      ...linesOf(content, area),
      inside,
      ...pointsOf(content, area),
      this.cursor,
    );
    // A curve may leave the area.
    const place = (value: number) => Math.min(bottom, Math.max(top, y(value)));
    this.layers = content.stops.map((stop) => ({
      name: stop.name,
      by: stop.by,
      text: stop.text,
      index: stop.index,
      px: stop.x.map(x),
      py: stop.y.map((value) => place(value) - (stop.is_foot ? FOOT : 0)),
    }));
    this.mark();
  }

  // -- values -------------------------------------------------------------------------------------------

  private pointed(event: MouseEvent): void {
    if (this.content === null || this.layers.length === 0) return;
    const frame = this.box.getBoundingClientRect();
    const zoom = frame.width / this.box.offsetWidth || 1; // where styles enlarge the plot
    this.at = valueAt(this.layers, (event.clientX - frame.left) / zoom, (event.clientY - frame.top) / zoom);
    this.mark();
  }

  private leave(): void {
    this.at = null;
    this.mark();
  }

  /** Shows what is pointed at, and its value. */
  private mark(): void {
    if (this.cursor === null) return;
    const layer = this.at === null ? undefined : this.layers[this.at[0]];
    const i = Math.min(this.at?.[1] ?? 0, (layer?.px.length ?? 0) - 1);
    const isThere = layer !== undefined && i >= 0;
    this.cursor.setAttribute("visibility", isThere ? "visible" : "hidden");
    this.tip.hidden = !isThere;
    this.box.classList.toggle("aew-choosable", isThere && layer.index !== undefined);
    if (!isThere || this.at === null) return;
    this.at = [this.at[0], i];
    const [x, y] = [layer.px[i], layer.py[i]];
    this.cursor.setAttribute("cx", String(x));
    this.cursor.setAttribute("cy", String(y));
    setText(this.tip, layer.text[i]);
    const { clientWidth: width, clientHeight: height } = this.box;
    const { offsetWidth, offsetHeight } = this.tip;
    this.tip.style.left = `${Math.max(0, Math.min(x - offsetWidth / 2, width - offsetWidth))}px`;
    const above = y - offsetHeight - 14;
    this.tip.style.top = `${above >= -40 ? above : Math.min(y + 14, height)}px`;
  }

  private choose(): void {
    if (this.at === null) return;
    const [layer, i] = this.at;
    const index = this.layers[layer]?.index?.[i];
    if (index !== undefined) this.goTo(index);
  }

  private pressed(event: KeyboardEvent): void {
    if (isForeign(event)) return;
    const { key } = event;
    if (key === "Escape" && this.at === null) return; // not for the plot
    if (key in KEY_STEPS) this.step(KEY_STEPS[key]);
    else if (key === "ArrowUp" || key === "ArrowDown") this.change(key === "ArrowUp" ? -1 : 1);
    else if (key === "Escape") this.leave();
    else if (key === "Enter" && !event.repeat) this.choose();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  private step(by: number): void {
    const at = stepFrom(this.layers, this.at, by);
    if (at === null) {
      setText(this.told, "Nothing to show yet");
      return;
    }
    this.at = at;
    this.tell(this.layers[at[0]].text[at[1]]);
  }

  private change(by: 1 | -1): void {
    const at = layerFrom(this.layers, this.at, by);
    if (at === null) return;
    this.at = at;
    const { px, name, text } = this.layers[at[0]];
    this.tell(`${name}, ${px.length}. ${text[at[1]]}`);
  }

  private tell(text: string): void {
    this.mark();
    setText(this.told, text);
  }
}

function linesOf(content: PlotContent, { left, right, top, bottom, y }: Area): SVGElement[] {
  const across = (kind: string, at: number) => drawn("line", { class: kind, x1: left, x2: right, y1: at, y2: at });
  const nodes: SVGElement[] = [across("aew-axis-line", bottom)];
  for (const line of content.lines) nodes.push(across(`aew-draw-${line.kind}`, y(line.y)));
  content.sides.forEach((text, i) => {
    const place = { x: right - 2, y: i === 0 ? top + 10 : bottom - 14, "text-anchor": "end" };
    nodes.push(drawn("text", { class: "aew-side-text", ...place }, text));
  });
  return nodes;
}

function dataOf(content: PlotContent, { x, y }: Area): SVGElement[] {
  const bands = content.bands.map((band) => {
    const xs = band.x.map(x);
    const upper = pathOf(xs, band.high.map(y));
    const lower = pathOf([...xs].reverse(), band.low.map(y).reverse());
    const d = xs.length === 0 ? "" : `${upper}L${lower.slice(1)}Z`;
    return drawn("path", { class: `aew-draw-${band.kind}`, d });
  });
  const curves = content.curves.map((curve) =>
    drawn("path", { class: `aew-draw-${curve.kind}`, d: pathOf(curve.x.map(x), curve.y.map(y)) }),
  );
  return [...bands, ...curves].filter((path) => path.getAttribute("d") !== "");
}

function pointsOf(content: PlotContent, { left, right, top, x, y }: Area): SVGElement[] {
  return content.points.flatMap((points) => {
    const { kind, shape, size, label } = points;
    const sizeOf = (i: number) => (size === undefined ? SIZES[shape] : 1.4 + 2.8 * size[i]);
    const d = points.x.map((value, i) => SHAPES[shape](x(value), y(points.y[i]), sizeOf(i))).join("");
    const nodes: SVGElement[] = [drawn("path", { class: `aew-draw-${kind} aew-shape-${shape}`, d })];
    if (label && points.x.length === 1) {
      const [atX, atY] = [x(points.x[0]), y(points.y[0])];
      const isRight = atX > (left + right) / 2;
      const place = { x: atX + (isRight ? -10 : 10), y: Math.max(top + 6, atY - 6) };
      const attributes = { class: "aew-point-text", ...place, "text-anchor": isRight ? "end" : "start" };
      nodes.push(drawn("text", attributes, label));
    }
    return nodes;
  });
}
