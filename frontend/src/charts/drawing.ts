// The elements of plots: SVG nodes, paths and the shapes of points. Their colors are in from_python/plot_colors.css.

import type { Points } from "../from_python/messages";

const SVG_NAMES = "http://www.w3.org/2000/svg";

/** px above the axis, for marks that stand on it. */
export const FOOT = 7;

export type Shape = Points["shape"];

export function drawn<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Record<string, string | number> = {},
  text: string | null = null,
): SVGElementTagNameMap[K] {
  const node = document.createElementNS(SVG_NAMES, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  if (text !== null) node.textContent = text;
  return node;
}

export const pathOf = (xs: number[], ys: number[]): string =>
  xs.map((x, i) => `${i === 0 ? "M" : "L"}${x.toFixed(1)} ${ys[i].toFixed(1)}`).join("");

export const SIZES: Record<Shape, number> = { dot: 3.4, cross: 3.4, foot: 3.4, diamond: 4.6, square: 3 };

type Draw = (x: number, y: number, size: number) => string;

const cross: Draw = (x, y, size) =>
  `M${x - size} ${y - size}l${2 * size} ${2 * size}m0 ${-2 * size}l${-2 * size} ${2 * size}`;

export const SHAPES: Record<Shape, Draw> = {
  dot: (x, y, size) => `M${x - size} ${y}a${size} ${size} 0 1 0 ${2 * size} 0a${size} ${size} 0 1 0 ${-2 * size} 0`,
  cross,
  diamond: (x, y, size) =>
    `M${x} ${y - 2 * size}l${1.5 * size} ${2 * size}l${-1.5 * size} ${2 * size}l${-1.5 * size} ${-2 * size}z`,
  foot: (x, y, size) => cross(x, y - FOOT, size),
  square: (x, y, size) => `M${x - size} ${y - size}h${2 * size}v${2 * size}h${-2 * size}z`,
};
