// Draws a plot as SVG, where no notebook can show a figure.

import type { PlotContent } from "../from_python/messages";
import { type Area, areaOf, axesOf, TextRuler } from "./axes";
import { drawn, pathOf, SHAPES, SIZES } from "./drawing";
import type { Surface } from "./surface";

let nClips = 0; // names of clip paths are unique in the page

export class SvgSurface implements Surface {
  readonly node = drawn("svg", { "aria-hidden": "true" });
  private readonly ruler = new TextRuler(this.node);

  draw(content: PlotContent, width: number, height: number): Area {
    const hasTitle = Boolean(content.x.title) && height >= 110;
    const sizes = this.ruler.measure(content);
    const area = areaOf(content, width, height, sizes, hasTitle);
    const { left, right, top, bottom } = area;
    const clip = `aew-clip-${nClips}`;
    nClips += 1;
    const clipPath = drawn("clipPath", { id: clip });
    clipPath.append(drawn("rect", { x: left, y: top - 1, width: right - left + 1, height: bottom - top + 2 }));
    const inside = drawn("g", { "clip-path": `url(#${clip})` });
    inside.append(...dataOf(content, area));
    this.node.replaceChildren(
      clipPath,
      ...axesOf(content, area, sizes, hasTitle),
      ...linesOf(content, area),
      inside,
      ...pointsOf(content, area),
    );
    return area;
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
