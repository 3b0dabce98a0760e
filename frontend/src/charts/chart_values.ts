// Finds the value of a plot that is pointed at, by pointer or by keys.

import type { Stops } from "../from_python/messages";

const REACH = 14; // px around the pointer in which a point is found

/** Values that can be found, with their positions in pixels. */
export interface Layer extends Pick<Stops, "name" | "by" | "text" | "index"> {
  px: number[];
  py: number[];
}

/** A value: its layer and its position in the layer. */
export type At = [layer: number, stop: number];

/** The value at a position: the nearest point within reach, otherwise that of the curve at this x. */
export function valueAt(layers: Layer[], x: number, y: number): At | null {
  let best: At | null = null;
  let least = REACH ** 2;
  layers.forEach(({ by, px, py }, layer) => {
    if (by !== "point") return;
    px.forEach((at, i) => {
      const distance = (at - x) ** 2 + (py[i] - y) ** 2;
      if (distance >= least) return;
      least = distance;
      best = [layer, i];
    });
  });
  if (best !== null) return best;
  const layer = layers.findIndex(({ by, px }) => by === "x" && px.length > 0);
  if (layer < 0) return null;
  const { px } = layers[layer];
  if (x > px[px.length - 1] + REACH) return null;
  return [layer, px.reduce((nearest, at, i) => (Math.abs(at - x) < Math.abs(px[nearest] - x) ? i : nearest), 0)];
}

/** Another value of the same layer; the first step goes to the latest. Null if there is none. */
export function stepFrom(layers: Layer[], at: At | null, by: number): At | null {
  const layer = at?.[0] ?? layers.findIndex(({ px }) => px.length > 0);
  const last = (layers[layer]?.px.length ?? 0) - 1;
  if (last < 0) return null;
  const beginning = layers[layer].by === "x" ? last + (by < 0 ? 1 : 0) : -1;
  return [layer, Math.max(0, Math.min(last, (at?.[1] ?? beginning) + by))];
}

/** The next layer that has values, and its first value, for a curve its latest. Null if there is none. */
export function layerFrom(layers: Layer[], at: At | null, by: 1 | -1): At | null {
  const count = layers.length;
  if (layers.every(({ px }) => px.length === 0)) return null;
  let layer = at?.[0] ?? (by > 0 ? -1 : count);
  do layer = (layer + by + count) % count;
  while (layers[layer].px.length === 0);
  return [layer, layers[layer].by === "x" ? layers[layer].px.length - 1 : 0];
}
