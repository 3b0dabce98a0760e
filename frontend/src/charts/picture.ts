// A plot as a file: the drawing with heading and legend, as an SVG without a style sheet, or as a PNG.

import { drawn } from "./drawing";

const STYLES = [
  ...["fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "stroke-linejoin"],
  ...["opacity", "display", "visibility", "paint-order", "clip-path"],
  ...["font-family", "font-size", "font-weight", "font-variant-numeric", "text-anchor", "dominant-baseline"],
];
const MARGIN = 12;
const LINE = 18;
const GAP = 16;
const SCALE = 2; // pixels of a PNG for each of the page's

interface Described {
  box: HTMLElement;
  heading: HTMLElement;
  legend: HTMLElement;
}

/** An SVG that looks like the plot on the page. */
export function pictureOf({ box, heading, legend }: Described): SVGSVGElement {
  const { width, height } = box.getBoundingClientRect();
  const { color, fontFamily } = getComputedStyle(heading);
  const text = { "font-family": fontFamily, fill: color };
  const picture = drawn("svg", { xmlns: "http://www.w3.org/2000/svg" });
  picture.append(
    drawn("text", { ...text, "font-size": 14, "font-weight": 600, x: MARGIN, y: 24 }, heading.textContent),
  );
  let [x, y] = [MARGIN, 24 + LINE + 4];
  for (const item of legend.children) {
    const itemWidth = item.getBoundingClientRect().width;
    if (x > MARGIN && x + itemWidth > width) [x, y] = [MARGIN, y + LINE];
    const swatch = item.querySelector("svg");
    if (swatch !== null) picture.append(placed(copyOf(swatch), x, y - 10));
    picture.append(drawn("text", { ...text, "font-size": 12, x: x + 23, y }, item.textContent));
    x += itemWidth + GAP;
  }
  const top = y + 8;
  for (const layer of box.querySelectorAll("svg")) {
    if (layer.parentElement?.closest("svg") !== null) continue;
    const copy = placed(copyOf(layer), MARGIN / 2, top);
    copy.setAttribute("width", String(width));
    copy.setAttribute("height", String(height));
    picture.append(copy);
  }
  const [fullWidth, fullHeight] = [Math.ceil(width + MARGIN), Math.ceil(top + height + MARGIN / 2)];
  const { backgroundColor } = getComputedStyle(heading.closest(".aew-panel") ?? heading);
  picture.prepend(drawn("rect", { width: fullWidth, height: fullHeight, fill: backgroundColor }));
  picture.setAttribute("width", String(fullWidth));
  picture.setAttribute("height", String(fullHeight));
  picture.setAttribute("viewBox", `0 0 ${fullWidth} ${fullHeight}`);
  return picture;
}

export const svgText = (picture: SVGSVGElement): string => new XMLSerializer().serializeToString(picture);

/** The picture as a PNG; null if the browser can't make one. */
export async function pngOf(picture: SVGSVGElement): Promise<Blob | null> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgText(picture))}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.width * SCALE;
  canvas.height = image.height * SCALE;
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

function placed(node: SVGSVGElement, x: number, y: number): SVGSVGElement {
  node.setAttribute("x", String(x));
  node.setAttribute("y", String(y));
  return node;
}

/** A copy with its computed styles. */
function copyOf(svg: SVGSVGElement): SVGSVGElement {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const originals = svg.querySelectorAll<SVGElement>("*");
  copy.querySelectorAll<SVGElement>("*").forEach((node, i) => {
    const style = getComputedStyle(originals[i]);
    node.removeAttribute("class");
    for (const name of STYLES) {
      const value = style.getPropertyValue(name);
      if (value !== "") node.style.setProperty(name, value);
    }
  });
  for (const name of ["class", "style", "aria-hidden"]) copy.removeAttribute(name);
  return copy;
}
