// Made of frontend/src by `make bundle`: edit that.

// src/dom/surroundings.ts
function saidTheme() {
  const { documentElement: page, body } = document;
  return page.dataset.theme ?? body.dataset.theme ?? page.getAttribute("theme") ?? void 0;
}
function followColors(place) {
  const isAlone = place.getRootNode() instanceof ShadowRoot;
  const isKnown = document.querySelector("[data-jp-theme-light]:not([data-aew-colors]), .vscode-dark, .vscode-light");
  if (isKnown && !isAlone) return () => {
  };
  place.dataset.aewColors = "own";
  const isSystemDark = window.matchMedia("(prefers-color-scheme: dark)");
  const follow = () => {
    const said = saidTheme();
    const isDark = said === "dark" || said !== "light" && isSystemDark.matches;
    place.dataset.jpThemeLight = String(!isDark);
  };
  const observer = new MutationObserver(follow);
  for (const node of [document.documentElement, document.body])
    observer.observe(node, { attributes: true, attributeFilter: ["data-theme", "theme"] });
  isSystemDark.addEventListener("change", follow);
  follow();
  return () => {
    observer.disconnect();
    isSystemDark.removeEventListener("change", follow);
  };
}

// src/dom/element.ts
function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name.slice(2), value);
    else if (value !== null && value !== void 0) node.setAttribute(name, String(value));
  }
  node.append(...children);
  return node;
}
function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}
var keyCap = (name) => element("kbd", {}, name);
var percent = (share) => `${(100 * share).toFixed(2)}%`;
function uniqueId(name) {
  let id = name;
  for (let n = 2; used.has(id) || document.getElementById(id) !== null; n += 1) id = `${name}-${n}`;
  used.add(id);
  return id;
}
var used = /* @__PURE__ */ new Set();

// src/keys/key_names.ts
var isForeign = (event) => event.ctrlKey || event.metaKey || event.altKey || event.isComposing;

// src/charts/chart_values.ts
var REACH = 14;
function valueAt(layers, x, y) {
  let best = null;
  let least = REACH ** 2;
  layers.forEach(({ by, px: px2, py }, layer2) => {
    if (by !== "point") return;
    px2.forEach((at, i) => {
      const distance = (at - x) ** 2 + (py[i] - y) ** 2;
      if (distance >= least) return;
      least = distance;
      best = [layer2, i];
    });
  });
  if (best !== null) return best;
  const layer = layers.findIndex(({ by, px: px2 }) => by === "x" && px2.length > 0);
  if (layer < 0) return null;
  const { px } = layers[layer];
  if (x > px[px.length - 1] + REACH) return null;
  return [layer, px.reduce((nearest2, at, i) => Math.abs(at - x) < Math.abs(px[nearest2] - x) ? i : nearest2, 0)];
}
function stepFrom(layers, at, by) {
  const layer = at?.[0] ?? layers.findIndex(({ px }) => px.length > 0);
  const last = (layers[layer]?.px.length ?? 0) - 1;
  if (last < 0) return null;
  const beginning = layers[layer].by === "x" ? last + (by < 0 ? 1 : 0) : -1;
  return [layer, Math.max(0, Math.min(last, (at?.[1] ?? beginning) + by))];
}
function layerFrom(layers, at, by) {
  const count = layers.length;
  if (layers.every(({ px }) => px.length === 0)) return null;
  let layer = at?.[0] ?? (by > 0 ? -1 : count);
  do
    layer = (layer + by + count) % count;
  while (layers[layer].px.length === 0);
  return [layer, layers[layer].by === "x" ? layers[layer].px.length - 1 : 0];
}

// src/charts/drawing.ts
var SVG_NAMES = "http://www.w3.org/2000/svg";
var FOOT = 7;
function drawn(tag, attributes = {}, text = null) {
  const node = document.createElementNS(SVG_NAMES, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  if (text !== null) node.textContent = text;
  return node;
}
var pathOf = (xs, ys) => xs.map((x, i) => `${i === 0 ? "M" : "L"}${x.toFixed(1)} ${ys[i].toFixed(1)}`).join("");
var SIZES = { dot: 3.4, cross: 3.4, foot: 3.4, diamond: 4.6, square: 3 };
var cross = (x, y, size) => `M${x - size} ${y - size}l${2 * size} ${2 * size}m0 ${-2 * size}l${-2 * size} ${2 * size}`;
var SHAPES = {
  dot: (x, y, size) => `M${x - size} ${y}a${size} ${size} 0 1 0 ${2 * size} 0a${size} ${size} 0 1 0 ${-2 * size} 0`,
  cross,
  diamond: (x, y, size) => `M${x} ${y - 2 * size}l${1.5 * size} ${2 * size}l${-1.5 * size} ${2 * size}l${-1.5 * size} ${-2 * size}z`,
  foot: (x, y, size) => cross(x, y - FOOT, size),
  square: (x, y, size) => `M${x - size} ${y - size}h${2 * size}v${2 * size}h${-2 * size}z`
};

// src/charts/chart.ts
var JUMP = 10;
var KEY_STEPS = {
  ArrowRight: 1,
  ArrowLeft: -1,
  PageDown: JUMP,
  PageUp: -JUMP,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY
};
var Chart = class {
  /** `goTo` is called with the index of an instance whose point was chosen; `enter` says what it does. */
  constructor(surface, goTo, enter = "Enter opens an instance.") {
    this.surface = surface;
    this.goTo = goTo;
    this.enter = enter;
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
        onblur: () => this.leave()
      },
      this.surface.node,
      this.over,
      this.tip,
      this.told
    );
    this.over.append(this.cursor);
    this.observer.observe(this.box);
  }
  surface;
  goTo;
  enter;
  box;
  content = null;
  layers = [];
  at = null;
  // what is pointed at
  over = drawn("svg", { "aria-hidden": "true" });
  tip = element("div", { class: "aew-tip", hidden: "", "aria-hidden": "true" });
  told = element("p", { class: "aew-unseen", "aria-live": "polite" });
  cursor = drawn("circle", { class: "aew-cursor", r: 6, visibility: "hidden" });
  observer = new ResizeObserver(() => this.draw());
  /** Draws on another surface from now on. */
  use(surface) {
    if (surface === this.surface) return;
    this.surface.node.replaceWith(surface.node);
    this.surface = surface;
    this.draw();
  }
  show(content) {
    this.content = content;
    const keys = `Arrow keys step through the values. ${this.enter}`;
    this.box.setAttribute("aria-label", `${content.heading}. ${content.summary} ${keys}`);
    this.draw();
  }
  close() {
    this.observer.disconnect();
  }
  // -- drawing ------------------------------------------------------------------------------------------
  draw() {
    const { content, box } = this;
    const { clientWidth: width, clientHeight: height } = box;
    if (content === null || width < 60 || height < 40) return;
    const { top, bottom, x, y } = this.surface.draw(content, width, height);
    const place = (value) => Math.min(bottom, Math.max(top, y(value)));
    this.layers = content.stops.map((stop) => ({
      name: stop.name,
      by: stop.by,
      text: stop.text,
      index: stop.index,
      px: stop.x.map(x),
      py: stop.y.map((value) => place(value) - (stop.is_foot ? FOOT : 0))
    }));
    if (this.at === null) setText(this.told, "");
    this.mark();
  }
  // -- values -------------------------------------------------------------------------------------------
  pointed(event) {
    if (this.content === null || this.layers.length === 0) return;
    const frame = this.box.getBoundingClientRect();
    const zoom = frame.width / this.box.offsetWidth || 1;
    this.at = valueAt(this.layers, (event.clientX - frame.left) / zoom, (event.clientY - frame.top) / zoom);
    this.mark();
  }
  leave() {
    this.at = null;
    this.mark();
  }
  /** Shows what is pointed at, and its value. */
  mark() {
    const layer = this.at === null ? void 0 : this.layers[this.at[0]];
    const i = Math.min(this.at?.[1] ?? 0, (layer?.px.length ?? 0) - 1);
    const isThere = layer !== void 0 && i >= 0;
    this.cursor.setAttribute("visibility", isThere ? "visible" : "hidden");
    this.tip.hidden = !isThere;
    this.box.classList.toggle("aew-choosable", isThere && layer.index !== void 0);
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
  choose() {
    if (this.at === null) return;
    const [layer, i] = this.at;
    const index = this.layers[layer]?.index?.[i];
    if (index !== void 0) this.goTo(index);
  }
  pressed(event) {
    if (isForeign(event)) return;
    const { key } = event;
    if (key === "Escape" && this.at === null) return;
    if (key in KEY_STEPS) this.step(KEY_STEPS[key]);
    else if (key === "ArrowUp" || key === "ArrowDown") this.change(key === "ArrowUp" ? -1 : 1);
    else if (key === "Escape") this.leave();
    else if (key === "Enter" && !event.repeat) this.choose();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
  step(by) {
    const at = stepFrom(this.layers, this.at, by);
    if (at === null) {
      setText(this.told, "Nothing to show yet");
      return;
    }
    this.at = at;
    this.tell(this.layers[at[0]].text[at[1]]);
  }
  change(by) {
    const at = layerFrom(this.layers, this.at, by);
    if (at === null) return;
    this.at = at;
    const { px, name, text } = this.layers[at[0]];
    this.tell(`${name}, ${px.length}. ${text[at[1]]}`);
  }
  tell(text) {
    this.mark();
    setText(this.told, text);
  }
};

// src/charts/legend.ts
var SWATCHES = {
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
  "neither-right": "cross"
};
var legendOf = (legend) => legend.map(([kind, text]) => element("li", {}, swatch(kind), text));
var FILLED = /* @__PURE__ */ new Set(["band", "approximate", "forecast", "pool-bars", "drawn-bars", "rug", "papers-band"]);
function swatch(kind) {
  const drawing = drawn("svg", { class: "aew-swatch", width: 18, height: 12, "aria-hidden": "true" });
  const shape = SWATCHES[kind];
  if (shape !== void 0) {
    drawing.append(drawn("path", { class: `aew-draw-${kind} aew-shape-${shape}`, d: SHAPES[shape](9, 6, 3.2) }));
  } else if (FILLED.has(kind)) drawing.append(drawn("rect", { class: `aew-draw-${kind}`, width: 18, height: 12 }));
  else drawing.append(drawn("line", { class: `aew-draw-${kind}`, x1: 0, x2: 18, y1: 6, y2: 6 }));
  return drawing;
}

// src/charts/picture.ts
var STYLES = [
  ...["fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "stroke-linejoin"],
  ...["opacity", "display", "visibility", "paint-order", "clip-path"],
  ...["font-family", "font-size", "font-weight", "font-variant-numeric", "text-anchor", "dominant-baseline"]
];
var MARGIN = 12;
var LINE = 18;
var GAP = 16;
var SCALE = 2;
function pictureOf({ box, heading, legend }) {
  const { width, height } = box.getBoundingClientRect();
  const { color, fontFamily } = getComputedStyle(heading);
  const text = { "font-family": fontFamily, fill: color };
  const picture = drawn("svg", { xmlns: "http://www.w3.org/2000/svg" });
  picture.append(
    drawn("text", { ...text, "font-size": 14, "font-weight": 600, x: MARGIN, y: 24 }, heading.textContent)
  );
  let [x, y] = [MARGIN, 24 + LINE + 4];
  for (const item of legend.children) {
    const itemWidth = item.getBoundingClientRect().width;
    if (x > MARGIN && x + itemWidth > width) [x, y] = [MARGIN, y + LINE];
    const swatch2 = item.querySelector("svg");
    if (swatch2 !== null) picture.append(placed(copyOf(swatch2), x, y - 10));
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
var svgText = (picture) => new XMLSerializer().serializeToString(picture);
async function pngOf(picture) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgText(picture))}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.width * SCALE;
  canvas.height = image.height * SCALE;
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}
function placed(node, x, y) {
  node.setAttribute("x", String(x));
  node.setAttribute("y", String(y));
  return node;
}
function copyOf(svg) {
  const copy = svg.cloneNode(true);
  const originals = svg.querySelectorAll("*");
  copy.querySelectorAll("*").forEach((node, i) => {
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

// src/charts/scales.ts
var GAP2 = 8;
function scaleOf(axis, from, to) {
  const level = axis.is_log ? Math.log : (value) => value;
  const [start, end] = [level(axis.low), level(axis.high)];
  return (value) => from + (to - from) * (level(value) - start) / (end - start);
}
function someOf(ticks, origin, apart) {
  for (let every = 1; every < ticks.length; every += 1) {
    const chosen = ticks.map((_, i) => i).filter((i) => (i - origin) % every === 0);
    if (chosen.every((i, at) => at === 0 || apart(chosen[at - 1], i))) return chosen.map((i) => ticks[i]);
  }
  return ticks.slice(origin, origin + 1);
}
function verticalTicks({ ticks, is_log }, y, height) {
  const origin = Math.max(
    0,
    ticks.findIndex(([value]) => value === (is_log ? 1 : 0))
  );
  return someOf(ticks, origin, (one, next) => Math.abs(y(ticks[next][0]) - y(ticks[one][0])) >= height);
}
function horizontalTicks({ ticks }, x, width) {
  const half = (i) => width(ticks[i][1]) / 2;
  return someOf(ticks, 0, (one, next) => x(ticks[next][0]) - x(ticks[one][0]) >= half(one) + half(next) + GAP2);
}

// src/charts/axes.ts
var GAP3 = 6;
var BELOW = 4;
var LEAST_RIGHT = 20;
var TextRuler = class {
  constructor(svg) {
    this.svg = svg;
  }
  svg;
  known = /* @__PURE__ */ new Map();
  font = "";
  line = { ascent: 0, descent: 0 };
  measure({ x, y }) {
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
};
function areaOf(axes, width, height, sizes, hasTitle) {
  const line = sizes.ascent + sizes.descent;
  const widest = (axis) => Math.max(0, ...axis.ticks.map(([, text]) => sizes.width(text)));
  const left = Math.ceil((axes.y.title ? line : 0) + widest(axes.y) + 2 * GAP3);
  const right = width - Math.max(LEAST_RIGHT, Math.ceil(widest(axes.x) / 2));
  const top = Math.ceil(line / 2) + 2;
  const bottom = height - Math.ceil((hasTitle ? 2 : 1) * line) - BELOW - 1;
  return { left, right, top, bottom, x: scaleOf(axes.x, left, right), y: scaleOf(axes.y, bottom, top) };
}
function axesOf(axes, area, sizes, hasTitle) {
  const { left, right, top, bottom, x, y } = area;
  const { ascent, descent } = sizes;
  const nodes = [];
  const baseOf = (value) => Math.min(y(value) + (ascent - descent) / 2, bottom + BELOW - descent);
  for (const [value, text] of verticalTicks(axes.y, baseOf, ascent + descent)) {
    const at = y(value);
    nodes.push(
      drawn("line", { class: "aew-grid-line", x1: left, x2: right, y1: at, y2: at }),
      drawn("text", { x: left - GAP3, y: baseOf(value), "text-anchor": "end" }, text)
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

// src/charts/svg_surface.ts
var nClips = 0;
var SvgSurface = class {
  node = drawn("svg", { "aria-hidden": "true" });
  ruler = new TextRuler(this.node);
  draw(content, width, height) {
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
      ...pointsOf(content, area)
    );
    return area;
  }
};
function linesOf(content, { left, right, top, bottom, y }) {
  const across = (kind, at) => drawn("line", { class: kind, x1: left, x2: right, y1: at, y2: at });
  const nodes = [across("aew-axis-line", bottom)];
  for (const line of content.lines) nodes.push(across(`aew-draw-${line.kind}`, y(line.y)));
  content.sides.forEach((text, i) => {
    const place = { x: right - 2, y: i === 0 ? top + 10 : bottom - 14, "text-anchor": "end" };
    nodes.push(drawn("text", { class: "aew-side-text", ...place }, text));
  });
  return nodes;
}
function dataOf(content, { x, y }) {
  const bands = content.bands.map((band) => {
    const xs = band.x.map(x);
    const upper = pathOf(xs, band.high.map(y));
    const lower = pathOf([...xs].reverse(), band.low.map(y).reverse());
    const d = xs.length === 0 ? "" : `${upper}L${lower.slice(1)}Z`;
    return drawn("path", { class: `aew-draw-${band.kind}`, d });
  });
  const curves = content.curves.map(
    (curve) => drawn("path", { class: `aew-draw-${curve.kind}`, d: pathOf(curve.x.map(x), curve.y.map(y)) })
  );
  return [...bands, ...curves].filter((path) => path.getAttribute("d") !== "");
}
function pointsOf(content, { left, right, top, x, y }) {
  return content.points.flatMap((points2) => {
    const { kind, shape, size, label } = points2;
    const sizeOf = (i) => size === void 0 ? SIZES[shape] : 1.4 + 2.8 * size[i];
    const d = points2.x.map((value, i) => SHAPES[shape](x(value), y(points2.y[i]), sizeOf(i))).join("");
    const nodes = [drawn("path", { class: `aew-draw-${kind} aew-shape-${shape}`, d })];
    if (label && points2.x.length === 1) {
      const [atX, atY] = [x(points2.x[0]), y(points2.y[0])];
      const isRight = atX > (left + right) / 2;
      const place = { x: atX + (isRight ? -10 : 10), y: Math.max(top + 6, atY - 6) };
      const attributes = { class: "aew-point-text", ...place, "text-anchor": isRight ? "end" : "start" };
      nodes.push(drawn("text", attributes, label));
    }
    return nodes;
  });
}

// src/dom/dialog.ts
function makeDialog(name, title, ...children) {
  const id = uniqueId(`aew-${name}-title`);
  const dialog = element("dialog", {
    class: `aew-dialog aew-${name}`,
    role: "dialog",
    "aria-modal": "true",
    "aria-labelledby": id,
    "data-aew": name
  });
  const close = element(
    "button",
    { type: "button", class: "aew-action aew-close", onclick: () => dialog.close() },
    keyCap("Esc"),
    "Close"
  );
  dialog.append(element("div", { class: "aew-dialog-head" }, element("h2", { id }, title), close), ...children);
  return dialog;
}

// src/dom/files.ts
var KEPT_FOR = 1e4;
function saveBlob(name, content) {
  const url = URL.createObjectURL(content);
  element("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_FOR);
}

// src/panels/enlarged.ts
function enlarged(panel, title) {
  const place = document.createComment("");
  const dialog = makeDialog("enlarge", title);
  const root = panel.closest(".aew-front-end") ?? panel.parentElement;
  panel.replaceWith(place);
  dialog.append(panel);
  dialog.addEventListener("close", () => {
    place.replaceWith(panel);
    dialog.remove();
  });
  root?.append(dialog);
  dialog.showModal();
  panel.querySelector(".aew-plot")?.focus();
}

// src/panels/plot.ts
var TableDialog = class {
  dialog = makeDialog("table", "Table");
  heading = this.dialog.querySelector("h2");
  table = element("table");
  constructor() {
    const frame = { class: "aew-table", tabindex: "0", role: "region", "aria-labelledby": this.heading?.id };
    this.dialog.append(element("div", frame, this.table));
  }
  open({ heading, summary, columns, rows }) {
    if (this.heading) setText(this.heading, heading);
    this.table.replaceChildren(
      element("caption", {}, summary),
      element("thead", {}, element("tr", {}, ...columns.map((text) => element("th", { scope: "col" }, text)))),
      element("tbody", {}, ...rows.map((row) => element("tr", {}, ...row.map((text) => element("td", {}, text)))))
    );
    this.dialog.showModal();
  }
};
var OWN = "";
var PlotPanel = class {
  node;
  title = element("h2", { hidden: "" });
  // until there is one
  choices = element("span", { class: "aew-plot-choices" });
  tools;
  legend = element("ul", { class: "aew-legend" });
  note = element("p", { class: "aew-plot-note", hidden: "" });
  chart;
  faces = /* @__PURE__ */ new Map();
  shown = OWN;
  constructor(name, goTo, table, enter) {
    const own = this.face(OWN);
    this.chart = new Chart(own.surface, goTo, enter);
    const open = () => {
      if (this.chart.content) table.open(this.chart.content);
    };
    this.tools = {
      png: tool("PNG", "Save as PNG", () => void this.save("png")),
      svg: tool("SVG", "Save as SVG", () => void this.save("svg")),
      table: tool("▤", "Table", open),
      enlarge: tool("⤢", "Enlarge", () => this.enlarge())
    };
    this.node = element(
      "section",
      { class: `aew-panel aew-${name}-plot`, "data-aew": `${name}-plot` },
      element("div", { class: "aew-plot-head" }, this.title, this.choices, ...Object.values(this.tools)),
      this.legend,
      this.chart.box,
      this.note
    );
  }
  show(content) {
    this.face(OWN).content = content;
    this.draw();
  }
  /** Another plot that can take this one's place, by a button that says `text` and is pressed then. */
  offer(name, content, text) {
    const face = this.face(name);
    face.content = content;
    face.button ??= this.choiceOf(name);
    setText(face.button, text);
    face.button.title = content.heading;
    if (this.shown === name) this.draw();
  }
  /** Draws one of its plots on another surface from now on. */
  use(surface, name = OWN) {
    this.face(name).surface = surface;
    this.draw();
  }
  /** Shows it as large as the window, until Esc. */
  enlarge() {
    if (this.node.closest("dialog") === null) enlarged(this.node, this.title.textContent ?? "");
  }
  async save(kind) {
    const picture = pictureOf({ box: this.chart.box, heading: this.title, legend: this.legend });
    const svg = new Blob([svgText(picture)], { type: "image/svg+xml;charset=utf-8" });
    const content = kind === "svg" ? svg : await pngOf(picture);
    if (content !== null) saveBlob(`${fileName(this.title.textContent ?? "")}.${kind}`, content);
  }
  face(name) {
    const known = this.faces.get(name);
    if (known !== void 0) return known;
    const face = { content: null, surface: new SvgSurface(), button: null };
    this.faces.set(name, face);
    return face;
  }
  choiceOf(name) {
    const attributes = { type: "button", class: "aew-action aew-other-plot", "aria-pressed": "false" };
    const button2 = element("button", attributes);
    button2.onclick = () => {
      this.shown = this.shown === name ? OWN : name;
      for (const [each, { button: button3 }] of this.faces) button3?.setAttribute("aria-pressed", String(this.shown === each));
      this.draw();
    };
    this.choices.append(button2);
    return button2;
  }
  draw() {
    const { content, surface } = this.face(this.shown);
    if (content === null) return;
    setText(this.title, content.heading);
    this.title.hidden = false;
    for (const button2 of Object.values(this.tools)) {
      button2.setAttribute("aria-label", `${button2.title}: ${content.heading}`);
    }
    const said = JSON.stringify(content.legend);
    if (this.legend.dataset.said !== said) {
      this.legend.dataset.said = said;
      this.legend.replaceChildren(...legendOf(content.legend));
    }
    setText(this.note, content.note ?? "");
    this.note.hidden = !content.note;
    this.chart.use(surface);
    this.chart.show(content);
  }
  close() {
    this.chart.close();
    for (const { surface } of this.faces.values()) surface.close?.();
  }
};
var tool = (text, title, onclick) => element("button", { type: "button", class: "aew-action aew-plot-tool", title, onclick }, text);
var fileName = (heading) => heading.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "") || "plot";

// src/explorers/explorer.ts
var finding = () => element("p", { class: "aew-finding", role: "status", "aria-live": "polite" });
var nExplorers = 0;
var Explorer = class {
  node;
  table = new TableDialog();
  views;
  tabs;
  bodies;
  shown = -1;
  constructor(name, title, make) {
    nExplorers += 1;
    const id = `aew-explorer-${nExplorers}`;
    this.views = make(this.table);
    this.tabs = this.views.map(
      (view, i) => element(
        "button",
        {
          type: "button",
          role: "tab",
          id: `${id}-tab-${i}`,
          "aria-controls": `${id}-view-${i}`,
          "data-aew": `tab-${view.name}`,
          onclick: () => this.open(i)
        },
        view.title
      )
    );
    this.bodies = this.views.map((view, i) => bodyOf(view, `${id}-view-${i}`, `${id}-tab-${i}`));
    this.node = element(
      "section",
      { class: "aew-app aew-explorer", "data-aew": "explorer", "data-explorer": name, "aria-labelledby": id },
      element(
        "header",
        { class: "aew-explorer-head" },
        element("h2", { id }, title),
        element(
          "div",
          {
            class: "aew-tabs",
            role: "tablist",
            "aria-label": title,
            hidden: this.views.length > 1 ? null : "",
            onkeydown: (event) => this.pressed(event)
          },
          ...this.tabs
        )
      ),
      ...this.bodies,
      this.table.dialog
    );
    this.node.dataset.lmSuppressShortcuts = "true";
    this.node.addEventListener("focusin", ({ target }) => {
      if (target instanceof HTMLElement) target.dataset.lmSuppressShortcuts = "true";
    });
  }
  /** Shows a view; the others rest. */
  open(at) {
    if (at === this.shown) return;
    this.views[this.shown]?.hide?.();
    this.shown = at;
    this.tabs.forEach((tab, i) => {
      tab.setAttribute("aria-selected", String(i === at));
      tab.tabIndex = i === at ? 0 : -1;
      this.bodies[i].hidden = i !== at;
    });
    this.views[at].show();
  }
  close() {
    for (const view of this.views) {
      view.hide?.();
      view.close?.();
    }
  }
  pressed(event) {
    if (isForeign(event)) return;
    const last = this.views.length - 1;
    const to = { ArrowRight: this.shown + 1, ArrowLeft: this.shown - 1, Home: 0, End: last }[event.key];
    if (to === void 0) return;
    event.preventDefault();
    event.stopPropagation();
    this.open((to + last + 1) % (last + 1));
    this.tabs[this.shown].focus();
  }
};
function bodyOf(view, id, tab) {
  const said = element(
    "div",
    { class: "aew-said" },
    element("p", {}, tied(view.see)),
    element("p", {}, hint(), tied(view.play))
  );
  const side = element("div", { class: "aew-explorer-side" }, said, ...view.controls);
  const main = element("div", { class: "aew-explorer-main" }, view.finding, ...view.plots);
  const attributes = { class: "aew-explorer-body", role: "tabpanel", id, "aria-labelledby": tab, hidden: "" };
  return element("div", attributes, side, main);
}
var hint = () => element("strong", {}, "Try: ");
function say(node, text, isComing = false) {
  node.setAttribute("aria-busy", String(isComing));
  setText(node, tied(text));
}
var tied = (text) => text.replace(/(\d) %/g, "$1 %");

// src/explorers/controls.ts
var nControls = 0;
var Slider = class {
  node;
  input;
  output = element("output");
  text;
  constructor({ name, label, low, high, step, value, text }, onMove) {
    nControls += 1;
    const id = `aew-slider-${nControls}`;
    this.text = text;
    this.input = element("input", {
      type: "range",
      id,
      class: "aew-slider",
      "data-aew": name,
      min: low,
      max: high,
      step,
      value,
      oninput: () => {
        this.tell();
        onMove();
      }
    });
    this.output.setAttribute("for", id);
    const head = element("div", { class: "aew-slider-head" }, element("label", { for: id }, label), this.output);
    this.node = element("div", { class: "aew-control" }, head, this.input);
    this.tell();
  }
  get value() {
    return Number(this.input.value);
  }
  set value(value) {
    this.input.value = String(value);
    this.tell();
  }
  tell() {
    const text = this.text(this.value);
    setText(this.output, text);
    this.input.setAttribute("aria-valuetext", text);
  }
};
var Choice = class {
  node;
  inputs;
  constructor(name, label, choices, onChoose) {
    nControls += 1;
    const group = `aew-choice-${nControls}`;
    this.inputs = choices.map(
      ([value], i) => element("input", { type: "radio", name: group, value, checked: i === 0 ? "" : null, onchange: onChoose })
    );
    const labels = choices.map(([, text], i) => element("label", {}, this.inputs[i], text));
    this.node = element(
      "fieldset",
      { class: "aew-control aew-choice", "data-aew": name },
      element("legend", {}, label),
      ...labels
    );
  }
  get value() {
    return (this.inputs.find((input) => input.checked) ?? this.inputs[0]).value;
  }
  set value(value) {
    for (const input of this.inputs) input.checked = input.value === value;
  }
};
var button = (name, text, act) => element("button", { type: "button", "data-aew": name, onclick: act }, text);

// src/explorers/formulas/normal.ts
var normalDensity = (x) => Math.exp(-(x * x) / 2) / Math.sqrt(2 * Math.PI);
function polynomial(coefficients, x) {
  let sum2 = 0;
  for (let i = coefficients.length - 1; i >= 0; i -= 1) sum2 = sum2 * x + coefficients[i];
  return sum2;
}
var A = [
  3.3871328727963665,
  133.14166789178438,
  1971.5909503065513,
  13731.69376550946,
  45921.95393154987,
  67265.7709270087,
  33430.57558358813,
  2509.0809287301227
];
var B = [
  1,
  42.31333070160091,
  687.1870074920579,
  5394.196021424751,
  21213.794301586597,
  39307.89580009271,
  28729.085735721943,
  5226.495278852854
];
var C = [
  1.4234371107496835,
  4.630337846156546,
  5.769497221460691,
  3.6478483247632045,
  1.2704582524523684,
  0.2417807251774506,
  0.022723844989269184,
  7745450142783414e-19
];
var D = [
  1,
  2.053191626637759,
  1.6763848301838038,
  0.6897673349851,
  0.14810397642748008,
  0.015198666563616457,
  5475938084995345e-19,
  10507500716444169e-25
];
var E = [
  6.657904643501103,
  5.463784911164114,
  1.7848265399172913,
  0.29656057182850487,
  0.026532189526576124,
  0.0012426609473880784,
  27115555687434876e-21,
  20103343992922881e-23
];
var F = [
  1,
  0.599832206555888,
  0.1369298809227358,
  0.014875361290850615,
  7868691311456133e-19,
  18463183175100548e-21,
  1421511758316446e-22,
  20442631033899397e-31
];
function normalQuantile(p) {
  const q = p - 0.5;
  if (Math.abs(q) <= 0.425) {
    const r2 = 0.180625 - q * q;
    return q * polynomial(A, r2) / polynomial(B, r2);
  }
  const r = Math.sqrt(-Math.log(q < 0 ? p : 1 - p));
  const size = r <= 5 ? polynomial(C, r - 1.6) / polynomial(D, r - 1.6) : polynomial(E, r - 5) / polynomial(F, r - 5);
  return q < 0 ? -size : size;
}

// src/explorers/formulas/coverage.ts
var Z95 = normalQuantile(0.975);
var TAIL = 0.025;
function waldInterval(k, n) {
  if (k === 0 || k === n) return null;
  const share = k / n;
  const half = Z95 * Math.sqrt(share * (1 - share) / n);
  return [share - half, share + half];
}
function wilsonInterval(k, n) {
  const z2 = Z95 ** 2;
  const center = (k + z2 / 2) / (n + z2);
  const half = Math.sqrt(z2) / (n + z2) * Math.sqrt(k * (n - k) / n + z2 / 4);
  return [k === 0 ? 0 : center - half, k === n ? 1 : center + half];
}
function logFactorials(n) {
  const logs = new Float64Array(n + 1);
  for (let k = 2; k <= n; k += 1) logs[k] = logs[k - 1] + Math.log(k);
  return logs;
}
function coverages(kind, n, rates) {
  const logs = logFactorials(n);
  const ends = Array.from({ length: n + 1 }, (_, k) => kind === "wilson" ? wilsonInterval(k, n) : waldInterval(k, n));
  return rates.map((rate) => {
    const [logRate, logRest] = [Math.log(rate), Math.log1p(-rate)];
    const chance = (k) => Math.exp(logs[n] - logs[k] - logs[n - k] + k * logRate + (n - k) * logRest);
    let [sum2, below] = [0, 0];
    for (let k = 0; k <= n; k += 1) {
      const here = chance(k);
      const up = below + here;
      const interval = ends[k];
      const isIn = kind === "clopper_pearson" ? up > TAIL && 1 - below > TAIL : interval !== null && interval[0] <= rate && rate <= interval[1];
      if (isIn) sum2 += here;
      below = up;
    }
    return sum2;
  });
}

// src/explorers/formulas/savings.ts
var DEFENSIVE = 0.1;
var LEAST = 1e-9;
var N_PROFILES = 200;
var expit = (x) => 1 / (1 + Math.exp(-x));
var logit = (p) => Math.log(p / (1 - p));
var within = (p) => Math.min(1 - LEAST, Math.max(LEAST, p));
var sum = (values) => values.reduce((total, value) => total + value, 0);
var dot = (a, b) => a.reduce((total, value, i) => total + value * b[i], 0);
var QUANTILES = Array.from({ length: N_PROFILES }, (_, i) => normalQuantile((i + 0.5) / N_PROFILES));
function errorProfile(errorRate2, spread2) {
  const at = (middle) => QUANTILES.map((quantile) => expit(middle + spread2 * quantile));
  let [low, high] = [-60, 60];
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2;
    if (sum(at(middle)) / N_PROFILES < errorRate2) low = middle;
    else high = middle;
  }
  return at((low + high) / 2);
}
var sharpened = (error, power) => within(expit(power * logit(error)));
function spoiled(profile, power, cluster, claim = 0.01, truth = 0.5) {
  return {
    errors: [...profile, truth],
    claims: [...profile.map((error) => sharpened(error, power)), claim],
    shares: [...profile.map(() => (1 - cluster) / profile.length), cluster]
  };
}
function recalibrated({ errors, claims, shares }) {
  let x = claims.map(logit);
  const middle = dot(shares, x);
  x = x.map((value) => value - middle);
  const size = Math.max(Math.sqrt(sum(x.map((value, i) => shares[i] * value ** 2))), 1e-12);
  x = x.map((value) => value / size);
  let [factor, power] = [logit(dot(shares, errors)), 0];
  for (let step = 0; step < 15; step += 1) {
    let [a, b, c, first, second] = [1e-12, 0, 1e-12, 0, 0];
    x.forEach((value, i) => {
      const said = expit(factor + power * value);
      const off = shares[i] * (errors[i] - said);
      const weight = shares[i] * said * (1 - said);
      a += weight;
      b += weight * value;
      c += weight * value * value;
      first += off;
      second += off * value;
    });
    const determinant = a * c - b * b;
    factor += (c * first - b * second) / determinant;
    power += (a * second - b * first) / determinant;
  }
  return x.map((value) => within(expit(factor + power * value)));
}
function preferred(claims, shares) {
  const rate = dot(shares, claims);
  const q = claims.map((claim, i) => shares[i] * Math.sqrt(claim * (1 - rate) ** 2 + (1 - claim) * rate ** 2));
  const total = sum(q);
  return q.map((value) => value / total);
}
var defended = (q, shares) => q.map((value, i) => (1 - DEFENSIVE) * value + DEFENSIVE * shares[i]);
var ratio = (share, q) => share === 0 ? 0 : share * share / q;
function withControl({ errors, shares }, claims, q) {
  const squares2 = errors.map((e, i) => ratio(shares[i], q[i]) * (e * (1 - e) + (e - claims[i]) ** 2));
  return sum(squares2) - (dot(shares, errors) - dot(shares, claims)) ** 2;
}
function drawVariances(profiles) {
  const { errors, claims, shares } = profiles;
  const rate = dot(shares, errors);
  const squares2 = errors.map((e) => e * (1 - rate) ** 2 + (1 - e) * rate ** 2);
  const optimal = preferred(claims, shares);
  const defensive = defended(optimal, shares);
  const learned = recalibrated(profiles);
  const adapted = defended(preferred(learned, shares), shares);
  const plain = (q) => sum(squares2.map((square, i) => ratio(shares[i], q[i]) * square));
  return {
    uniform: dot(shares, squares2),
    optimal: plain(optimal),
    defensive: plain(defensive),
    control: withControl(profiles, claims, defensive),
    corrected: withControl(profiles, learned, adapted)
  };
}
var ALPHA = 1 - 0.95;
var TIGHTEST = 100;
var RHO2 = (-2 * Math.log(0.05) + Math.log(1 - 2 * Math.log(0.05))) / TIGHTEST;
var boundary = (scaled) => Math.sqrt((1 + 1 / scaled) * Math.log((scaled + 1) / (ALPHA * ALPHA)));
function drawsForHalfWidth(variance, halfWidth, interval) {
  const spread2 = Math.sqrt(variance) / halfWidth;
  if (interval === "wald") return Math.ceil((Z95 * spread2) ** 2);
  const isWide = (n) => boundary(n * RHO2) * spread2 > Math.sqrt(n);
  let [low, high] = [0, 1];
  while (isWide(high)) [low, high] = [high, 2 * high];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (isWide(middle)) low = middle;
    else high = middle;
  }
  return high;
}
function chanceToRank(errors) {
  let [below, found, wrong] = [0, 0, 0];
  for (const error of errors) {
    found += error * (below + (1 - error) / 2);
    below += 1 - error;
    wrong += error;
  }
  return found / (wrong * below);
}

// src/explorers/plots.ts
var NO_BREAK = " ";
var percentText = (share, digits = 0) => `${(100 * share).toFixed(digits)}${NO_BREAK}%`;
var countText = (count) => Math.round(count).toLocaleString("en-US");
var countedText = (count, noun) => `${countText(count)} ${noun}${Math.round(count) === 1 ? "" : "s"}`;
function axisOf(low, high, text, title) {
  const unit = 10 ** Math.floor(Math.log10((high - low) / 5));
  const step = [1, 2, 5, 10].map((factor) => factor * unit).find((by) => (high - low) / by < 6.5) ?? 10 * unit;
  const ticks = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; i += 1)
    ticks.push([i * step + 0, text(i * step + 0)]);
  return title === void 0 ? { low, high, ticks } : { low, high, ticks, title };
}
var plotOf = (given2) => ({
  bands: [],
  curves: [],
  lines: [],
  points: [],
  sides: [],
  legend: [],
  stops: [],
  columns: [],
  rows: [],
  ...given2
});
var someOf2 = (rows, most = 12) => rows.length <= most ? rows : Array.from({ length: most }, (_, i) => rows[Math.round(i * (rows.length - 1) / (most - 1))]);
var spread = (low, high, count) => Array.from({ length: count }, (_, i) => low + (high - low) * i / (count - 1));
var mean = (values) => values.reduce((sum2, value) => sum2 + value, 0) / values.length;

// src/explorers/how_many_labels.ts
var METHODS = [
  ["uniform", "uniform draws", "uniform-steps"],
  ["optimal", "the papers’ q*", "third"],
  ["corrected", "adaptive draws", "estimate"]
];
var WIDTHS = [5e-3, 0.2];
var CHOICES = [
  5e-3,
  6e-3,
  8e-3,
  0.01,
  0.0125,
  0.015,
  0.02,
  0.025,
  0.03,
  0.04,
  0.05,
  0.06,
  0.08,
  0.1,
  0.125,
  0.15,
  0.2
];
var XS = spread(Math.log(WIDTHS[0]), Math.log(WIDTHS[1]), 60).map(Math.exp);
var MOST = 3e5;
var nearest = (value) => CHOICES.reduce((best, choice, i) => Math.abs(choice - value) < Math.abs(CHOICES[best] - value) ? i : best, 0);
var points = (share) => `±${Number((100 * share).toPrecision(3))} points`;
var views = (table, settings) => {
  const given2 = (name, fallback) => typeof settings[name] === "number" ? settings[name] : fallback;
  const said = finding();
  const panel = new PlotPanel("labels-needed", () => {
  }, table, "");
  const update = () => show();
  const rate = new Slider(
    {
      name: "error-rate",
      label: "Error rate",
      low: 0.01,
      high: 0.5,
      step: 0.01,
      value: given2("error_rate", 0.1),
      text: (value) => percentText(value)
    },
    update
  );
  const width = new Slider(
    {
      name: "half-width",
      label: "Wanted precision",
      low: 0,
      high: CHOICES.length - 1,
      step: 1,
      value: nearest(given2("half_width", 0.03)),
      text: (value) => points(CHOICES[value])
    },
    update
  );
  const knowledge = new Slider(
    {
      name: "knowledge",
      label: "What the model knows of its errors",
      low: 0,
      high: 5,
      step: 0.1,
      value: given2("knowledge", 2),
      text: (value) => value === 0 ? "nothing" : value < 1.5 ? "a little" : value < 3 ? "much" : "nearly all"
    },
    update
  );
  const interval = new Choice(
    "interval",
    "The interval",
    [
      ["watched", "may be watched"],
      ["wald", "is looked at once"]
    ],
    update
  );
  const show = () => {
    const profile = errorProfile(rate.value, knowledge.value);
    const variances = drawVariances(spoiled(profile, 1, 0));
    const needed = (method, half2) => drawsForHalfWidth(variances[method], half2, interval.value);
    const half = CHOICES[width.value];
    const [uniform, papers, adaptive] = METHODS.map(([method]) => needed(method, half));
    say(
      said,
      `${points(half)} take ${countedText(uniform, "label")} by uniform draws, ${countText(papers)} by the papers’ q*, ${countText(adaptive)} by adaptive draws: ${percentText(1 - adaptive / uniform)} saved. Of an error and a right answer, the model doubts the error more in ${percentText(chanceToRank(profile))} of all pairs.`
    );
    panel.show(labelsPlot(needed, half, [uniform, papers, adaptive]));
  };
  return [
    {
      name: "labels",
      title: "Labels needed",
      see: "How many labels does an answer take? That depends on the error rate, on the precision that is wanted, and, if instances are chosen, on what the model knows of its own errors. Halving the width takes about four times the labels, whatever the method. The papers’ q* chooses instances; adaptive draws also let the model’s expectation stand in for what has no label.",
      play: "let the model know nothing: all methods are then alike. Let it know nearly all, and compare. A judge that reviews answers is such a model, too.",
      controls: [rate.node, width.node, knowledge.node, interval.node],
      plots: [panel.node],
      finding: said,
      show,
      close: () => panel.close()
    }
  ];
};
function labelsPlot(needed, half, now) {
  const curves = METHODS.map(([method]) => XS.map((x) => needed(method, x)));
  const cut = (values) => values.map((value) => Math.min(value, MOST));
  const tick = (value) => [value, countText(value)];
  const widths = [5e-3, 0.01, 0.02, 0.05, 0.1, 0.2].map((value) => [value, `±${100 * value}`]);
  return plotOf({
    heading: "Labels needed, by the precision that is wanted",
    note: "In a large pool, if the model’s probabilities hold. Both scales are logarithmic.",
    x: { low: WIDTHS[0], high: WIDTHS[1], ticks: widths, title: "points of error rate to either side", is_log: true },
    y: { low: 10, high: MOST, ticks: [10, 100, 1e3, 1e4, 1e5].map(tick), is_log: true },
    curves: METHODS.map(([, , kind], i) => ({ kind, x: XS, y: cut(curves[i]).map((value) => Math.max(10, value)) })),
    points: [
      {
        kind: "present",
        shape: "diamond",
        x: now.map(() => half),
        y: now.map((value) => Math.min(MOST, Math.max(10, value)))
      }
    ],
    legend: [...METHODS.map(([, name, kind]) => [kind, name]), ["present", "what is wanted"]],
    stops: METHODS.map(([, name], i) => ({
      name,
      by: i === 0 ? "x" : "point",
      x: XS,
      y: cut(curves[i]).map((value) => Math.max(10, value)),
      text: XS.map((x, at) => `${points(x)}: ${countedText(curves[i][at], "label")} by ${name}`)
    })),
    summary: "How many labels each method takes, by half the width of the interval.",
    columns: ["Half the width", ...METHODS.map(([, name]) => name)],
    rows: someOf2(XS.map((x, at) => [points(x), ...curves.map((values) => countText(values[at]))]))
  });
}

// src/explorers/adaptive_view.ts
var AdaptiveView = class {
  constructor(table, data) {
    this.data = data;
    const every = data.looks[1] - data.looks[0];
    this.see = `Here each block of draws is chosen by the labels before it, and nothing is drawn twice: that is how a session draws unless told otherwise. Such draws may be watched, too, by an interval that is made for it (the light band). The interval for one look is the estimate ± 1.96 standard errors, wider while few errors were seen; it is looked at after every ${every} labels.`;
    const update = () => this.show();
    this.model = new Choice(
      "model",
      "The model",
      data.runs.map(({ power }) => [String(power), power === 1 ? "is honest" : "is far too sure"]),
      update
    );
    this.session = new Slider(
      {
        name: "session",
        label: "Session",
        low: 1,
        high: data.runs[0].sessions.length,
        step: 1,
        value: 1,
        text: (value) => `${value} of ${data.runs[0].sessions.length}`
      },
      update
    );
    this.one = new PlotPanel("adaptive-session", () => {
    }, table, "");
    this.controls = [this.model.node, this.session.node];
    this.plots = [this.one.node, oneQPanel(data.benchmarked), adaptivePanel(data.benchmarked)];
  }
  data;
  name = "adaptive";
  title = "Adaptive draws";
  see;
  play = "let the model be too sure of itself. The labels tell, and draws and estimate follow them; an interval for one look is still caught when it is watched.";
  controls;
  plots;
  finding = finding();
  model;
  session;
  one;
  show() {
    const { data } = this;
    const run = data.runs.find(({ power }) => String(power) === this.model.value) ?? data.runs[0];
    const session = run.sessions[this.session.value - 1];
    const n = session.wald_wrong.length;
    const ofWald = n > 0 ? `the interval for one look missed the truth at ${countedText(n, "look")} of ${countText(data.looks.length)}, first after ${countedText(session.wald_wrong[0], "label")}` : `the interval for one look missed the truth at none of ${countText(data.looks.length)} looks`;
    const ofWatched = session.watched_since === null ? "the watched interval never did" : `the watched interval did, too, after ${countedText(session.watched_since, "label")}`;
    const caught = run.sessions.filter(({ wald_wrong }) => wald_wrong.length > 0).length;
    const out = run.sessions.filter(({ watched_since }) => watched_since !== null).length;
    say(
      this.finding,
      `This session: ${ofWald}; ${ofWatched}. Of these ${run.sessions.length} sessions, the interval for one look was wrong at some look in ${caught}, the watched interval in ${out}. The tables below have the long run.`
    );
    this.one.show(this.sessionPlot(session));
  }
  close() {
    this.one.close();
  }
  sessionPlot(session) {
    const x = this.data.looks;
    const high = Math.min(1, 2.2 * session.truth + 0.08);
    const known = x.flatMap((n, i) => {
      const [low, up] = [session.wald_low[i], session.wald_high[i]];
      return low === null || up === null ? [] : [{ n, low, up }];
    });
    const curve = (y) => ({ kind: "wald", x: known.map(({ n }) => n), y });
    const value = session.value.map((each) => each ?? 0);
    const text = (share) => share === null ? "–" : percentText(share, 1);
    const rows = x.map(
      (n, i) => [countText(n)].concat(
        [session.value[i], session.low[i], session.high[i], session.wald_low[i], session.wald_high[i]].map(text)
      )
    );
    return plotOf({
      heading: "One session",
      note: `Simulated: a pool of ${countText(this.data.n_instances)}, adaptive draws in blocks, as in a session.`,
      x: axisOf(0, this.data.n_labels, countText, "labels"),
      y: axisOf(0, high, (share) => percentText(share)),
      bands: [{ kind: "band", x, low: session.low, high: session.high.map((share) => Math.min(share, 2 * high)) }],
      curves: [
        { kind: "estimate", x, y: value },
        curve(known.map(({ low }) => low)),
        curve(known.map(({ up }) => Math.min(up, 2 * high)))
      ],
      lines: [{ kind: "goal", y: session.truth }],
      points: [{ kind: "wrong", shape: "foot", x: session.wald_wrong, y: session.wald_wrong.map(() => 0) }],
      legend: [
        ["estimate", "estimate"],
        ["band", "95 %, may be watched"],
        ["wald", "95 %, for one look"],
        ["goal", "the truth"],
        ["wrong", "a look at which the interval for one look misses it"]
      ],
      stops: [
        {
          name: "estimates",
          by: "x",
          x,
          y: value,
          text: rows.map(
            ([n, at, low, up, waldLow, waldUp]) => `${n} labels: ${at}, watched ${low} to ${up}, for one look ${waldLow} to ${waldUp}`
          )
        }
      ],
      summary: `After ${this.data.n_labels} labels the estimate is ${text(session.value[x.length - 1])}.`,
      columns: ["Labels", "Estimate", "Watched from", "to", "For one look from", "to"],
      rows: someOf2(rows)
    });
  }
};
var cell = (text) => element("td", {}, text);
var bar = (share, kind) => {
  const filled2 = element("span", { class: `aew-share-bar aew-share-${kind}`, style: `width: ${percent(share)}` });
  return element(
    "td",
    {},
    percentText(share, 1),
    element("span", { class: "aew-share", "aria-hidden": "true" }, filled2)
  );
};
function tablePanel(name, title, caption, head, rows) {
  const table = element(
    "table",
    {},
    element("caption", {}, caption),
    element("thead", {}, element("tr", {}, ...head.map((text) => element("th", { scope: "col" }, text)))),
    element(
      "tbody",
      {},
      ...rows.map(([first, cells]) => element("tr", {}, element("th", { scope: "row" }, first), ...cells))
    )
  );
  const frame = { class: "aew-table aew-settings", tabindex: "0", role: "region", "aria-label": title };
  const attributes = { class: "aew-panel", "data-aew": name };
  return element("section", attributes, element("h2", {}, title), element("div", frame, table));
}
function oneQPanel({ one_q, n_sessions }) {
  const shares = one_q.map(({ wald }) => wald);
  const range = `${percentText(Math.min(...shares))} to ${percentText(Math.max(...shares))}`;
  return tablePanel(
    "one-q",
    "The long run: draws from one q, by the papers",
    `How often 95 % intervals are wrong in ${countText(n_sessions[1])} sessions each of 800 draws. Wald, watched from 20 draws on: in ${range} of them.`,
    ["Data, measure, draws", "Wald: at some look", "Wald: at 100 / 800", "Watched: ever"],
    one_q.map(({ name, wald, once, watched }) => [
      name,
      [bar(wald, "second"), cell(once.map((share) => percentText(share, 1)).join(" / ")), bar(watched, "estimate")]
    ])
  );
}
function adaptivePanel({ adaptive, n_sessions }) {
  return tablePanel(
    "adaptive-settings",
    "The long run: adaptive draws",
    `How often the watched interval is ever wrong in ${countText(n_sessions[0])} sessions each of 400 labels, and how many times as wide it is as the interval for one look.`,
    ["Data, measure, model", "Watched: ever wrong", "Width, after 50 / 100 / 200 / 400 labels"],
    adaptive.map(({ name, ratios, watched }) => [
      name,
      [bar(watched, "estimate"), cell(ratios.map((ratio2) => `${ratio2.toFixed(1)}×`).join(" / "))]
    ])
  );
}

// src/explorers/formulas/bets.ts
var HORIZONS = [20, 80, 300, 1e3, 5e3];
var HORIZON_SHARES = [0.18, 0.27, 0.27, 0.18, 0.1];
var FIRST_DEADLINES = [25, 50, 100, 200, 400, 800, 1600];
var DEADLINES_SHARE = 0.63;
var DECLARED_SHARE = 0.4;
var MARGIN2 = 1.1;
var LEAST_CHANCE = 1e-12;
var PRIOR_DRAWS = 10;
var PRIOR_VARIANCE = 0.25;
var LARGEST_STAKE = 0.95;
var CAP = 1e200;
var N_BLOCKS = 128;
var N_CELLS = 16;
var ROUNDING = 1e-12;
var LEVEL = 0.95;
var GOAL = 1 / (1 - LEVEL);
var WISH = 2 * Math.log(2 * GOAL);
function timedPlayers(declared) {
  if (declared !== null && declared.length === 0) return [];
  const own = declared ?? [];
  const left = DEADLINES_SHARE - (own.length > 0 ? DECLARED_SHARE : 0);
  return [
    ...own.map((first) => ({ first, share: DECLARED_SHARE / own.length })),
    ...FIRST_DEADLINES.map((first) => ({ first, share: left / FIRST_DEADLINES.length }))
  ];
}
function deadlineStake(chance, variance) {
  if (chance >= 1) return 0;
  const likely = Math.max(chance, LEAST_CHANCE);
  return normalDensity(normalQuantile(likely)) / (likely * Math.sqrt(variance));
}
function nextGoal(capital2) {
  if (capital2 < MARGIN2) return MARGIN2 * GOAL;
  const reached = Math.floor(Math.log(Math.max(capital2, 1) / MARGIN2 * (1 + 1e-12)) / Math.log(GOAL));
  return MARGIN2 * GOAL ** (1 + Math.max(reached, 0));
}
var Bets = class {
  /** `points` are [block][point]; Z = y − G lies between `lower` and `upper` in a block. */
  constructor(points2, nPoints, lower, upper, declared) {
    this.points = points2;
    this.nPoints = nPoints;
    this.lower = lower;
    this.upper = upper;
    const timed = timedPlayers(declared);
    this.firsts = timed.map(({ first }) => first);
    const untimed = 1 - timed.reduce((sum2, { share }) => sum2 + share, 0);
    const both = (values) => [...values, ...values];
    const shares = [...both(HORIZON_SHARES.map((share) => share * untimed)), ...both(timed.map(({ share }) => share))];
    this.share = Float64Array.from(shares, (share) => share / 2);
    const sides = (count) => [...Array(count).fill(1), ...Array(count).fill(-1)];
    this.side = Float64Array.from([...sides(HORIZONS.length), ...sides(timed.length)]);
    this.nPlayers = this.share.length;
    this.left = new Float64Array(timed.length);
    this.stakes = new Float64Array(this.nPlayers);
    this.capital = new Float64Array(lower.length * this.nPlayers * nPoints).fill(1);
  }
  points;
  nPoints;
  lower;
  upper;
  capital;
  // [block][player][point]
  nPlayers;
  share;
  side;
  nUntimed = 2 * HORIZONS.length;
  firsts;
  left;
  stakes;
  nDraws = 0;
  nErrors = 0;
  /** Stakes on one more label, 1 for an error, in the blocks from `first` up to `last`, and wins or loses. */
  update(y, first = 0, last = this.lower.length - 1) {
    this.firsts.forEach((deadline, i) => {
      const doubled = Math.ceil(Math.log2(Math.max((this.nDraws + 1) / deadline, 1)));
      this.left[i] = deadline * 2 ** doubled - this.nDraws;
    });
    for (let block = first; block <= last; block += 1) this.bet(block, y);
    this.nDraws += 1;
    this.nErrors += y;
  }
  bet(block, y) {
    const { points: points2, capital: capital2, nPoints, nPlayers, stakes } = this;
    this.setStakes(block);
    const offset = block * nPoints;
    for (let k = 0; k < nPlayers; k += 1) {
      const start = (block * nPlayers + k) * nPoints;
      const stake = stakes[k];
      for (let j = 0; j < nPoints; j += 1) {
        const now = capital2[start + j] * (1 + stake * (y - points2[offset + j]));
        capital2[start + j] = now < 0 ? 0 : now > CAP ? CAP : now;
      }
    }
  }
  setStakes(block) {
    const { points: points2, nPoints, nDraws, nErrors, stakes, side } = this;
    let center = 0;
    for (let j = 0; j < nPoints; j += 1) center += points2[block * nPoints + j];
    center /= nPoints;
    const square = nErrors - 2 * center * nErrors + center * center * nDraws + PRIOR_DRAWS * PRIOR_VARIANCE;
    const variance = square / (nDraws + PRIOR_DRAWS);
    const [least, greatest] = [this.lower[block], this.upper[block]];
    const size = Math.max(-least, greatest);
    const spread2 = Math.max(variance, 1e-18 * size * size);
    const limit = (k) => LARGEST_STAKE / Math.max(side[k] > 0 ? -least : greatest, 1e-9 * size);
    for (let k = 0; k < this.nUntimed; k += 1) {
      const wanted = Math.sqrt(WISH / (HORIZONS[k % HORIZONS.length] * spread2));
      stakes[k] = side[k] * Math.min(wanted, limit(k));
    }
    if (this.firsts.length > 0) this.setTimedStakes(block, spread2, limit);
  }
  setTimedStakes(block, spread2, limit) {
    const { capital: capital2, nPoints, nPlayers, share, stakes, side, nUntimed } = this;
    const start = block * nPlayers * nPoints;
    const [low, high] = [this.whole(start), this.whole(start + nPoints - 1)];
    const goal = nextGoal(Math.min(low, high));
    for (let k = nUntimed; k < nPlayers; k += 1) {
      const at = start + k * nPoints;
      const [one, other] = [capital2[at], capital2[at + nPoints - 1]];
      const here = one / Math.max((goal - low) / share[k] + one, 1e-9);
      const there = nPoints === 1 ? here : other / Math.max((goal - high) / share[k] + other, 1e-9);
      const variance = this.left[(k - nUntimed) % this.firsts.length] * spread2;
      stakes[k] = side[k] * Math.min(deadlineStake(Math.min(here, there), variance), limit(k));
    }
  }
  /** The whole capital at a point, given its place for the first player. */
  whole(at) {
    let sum2 = 0;
    for (let k = 0; k < this.nPlayers; k += 1) sum2 += this.share[k] * this.capital[at + k * this.nPoints];
    return sum2;
  }
};
var WatchedTruth = class {
  isExcluded = false;
  bets;
  constructor(truth, declared = null) {
    this.bets = new Bets(Float64Array.of(truth), 1, Float64Array.of(-truth), Float64Array.of(1 - truth), declared);
  }
  get capital() {
    return this.bets.whole(0);
  }
  update(y) {
    this.bets.update(y);
    if (this.capital >= GOAL) this.isExcluded = true;
  }
};
function grid() {
  const nCells = N_BLOCKS * N_CELLS;
  const end = Math.asinh(0.5 * 50);
  const points2 = Float64Array.from(
    { length: nCells + 1 },
    (_, i) => 0.5 + Math.sinh(-end + 2 * end * i / nCells) / 50
  );
  points2[0] = 0;
  points2[nCells] = 1;
  return points2;
}
var WatchedInterval = class {
  low = 0;
  high = 1;
  bets;
  nPoints = N_CELLS + 1;
  isKept = new Uint8Array(N_BLOCKS * N_CELLS).fill(1);
  first = 0;
  last = N_BLOCKS - 1;
  constructor(declared = null) {
    const all = grid();
    const points2 = new Float64Array(N_BLOCKS * this.nPoints);
    const [lower, upper] = [new Float64Array(N_BLOCKS), new Float64Array(N_BLOCKS)];
    for (let block = 0; block < N_BLOCKS; block += 1) {
      const part = all.subarray(block * N_CELLS, (block + 1) * N_CELLS + 1);
      points2.set(part, block * this.nPoints);
      lower[block] = -part[N_CELLS] - ROUNDING * (1 + part[N_CELLS]);
      upper[block] = 1 - part[0] + ROUNDING * (1 + part[0]);
    }
    this.bets = new Bets(points2, this.nPoints, lower, upper, declared);
  }
  update(y) {
    this.bets.update(y, this.first, this.last);
    let [lowest, highest] = [-1, -1];
    for (let block = this.first; block <= this.last; block += 1) {
      for (let cell2 = 0; cell2 < N_CELLS; cell2 += 1) {
        const at = block * N_CELLS + cell2;
        if (this.isKept[at] === 1 && this.inCell(block, cell2) >= GOAL) this.isKept[at] = 0;
        if (this.isKept[at] === 0) continue;
        if (lowest < 0) lowest = at;
        highest = at;
      }
    }
    if (lowest < 0) return;
    this.first = Math.floor(lowest / N_CELLS);
    this.last = Math.floor(highest / N_CELLS);
    this.low = this.bets.points[this.first * this.nPoints + lowest % N_CELLS];
    this.high = this.bets.points[this.last * this.nPoints + highest % N_CELLS + 1];
  }
  /** The smallest capital between two neighbors. */
  inCell(block, cell2) {
    const { capital: capital2, share, nPlayers } = this.bets;
    let sum2 = 0;
    let at = block * nPlayers * this.nPoints + cell2;
    for (let k = 0; k < nPlayers; k += 1) {
      sum2 += share[k] * Math.min(capital2[at], capital2[at + 1]);
      at += this.nPoints;
    }
    return sum2;
  }
};

// src/explorers/simulation.ts
var FIRST_LOOK = 20;
function randomFrom(seed) {
  let state = seed * 2654435761 >>> 0;
  return () => {
    state = state + 1831565813 >>> 0;
    let t = state;
    t = Math.imul(t ^ t >>> 15, t | 1);
    t ^= t + Math.imul(t ^ t >>> 7, t | 61);
    return ((t ^ t >>> 14) >>> 0) / 4294967296;
  };
}
function labelsOf(seed, rate, count) {
  const random = randomFrom(seed);
  return Array.from({ length: count }, () => random() < rate ? 1 : 0);
}
var isLook = (n, every, count) => n >= FIRST_LOOK && (n === count || n % every === 0);
function isWaldWrong(errors, n, truth) {
  const interval = waldInterval(errors, n);
  return interval !== null && (truth < interval[0] || truth > interval[1]);
}
var LongRun = class {
  constructor(truth, every, count) {
    this.truth = truth;
    this.every = every;
    this.count = count;
    [this.waldEver, this.waldNow, this.watchedEver] = [0, 1, 2].map(() => new Int32Array(count + 1));
  }
  truth;
  every;
  count;
  nSessions = 0;
  waldEver;
  // how many were wrong for the first time after n labels
  waldNow;
  // how many are wrong at a look after n labels
  watchedEver;
  /** Another session, by its number. */
  add(seed, declared = null) {
    const { truth, every, count } = this;
    const random = randomFrom(seed);
    const watched = new WatchedTruth(truth, declared);
    let errors = 0;
    let isCaught = false;
    for (let n = 1; n <= count; n += 1) {
      const y = random() < truth ? 1 : 0;
      errors += y;
      if (!watched.isExcluded) {
        watched.update(y);
        if (watched.isExcluded) this.watchedEver[n] += 1;
      }
      if (!isLook(n, every, count) || !isWaldWrong(errors, n, truth)) continue;
      this.waldNow[n] += 1;
      if (!isCaught) this.waldEver[n] += 1;
      isCaught = true;
    }
    this.nSessions += 1;
  }
  /** Shares of the sessions: ever wrong up to n, for both intervals. */
  ever() {
    const shares = (first) => {
      let sum2 = 0;
      return Array.from(first, (now) => {
        sum2 += now;
        return sum2 / Math.max(this.nSessions, 1);
      });
    };
    return { wald: shares(this.waldEver), watched: shares(this.watchedEver) };
  }
  /** The share whose Wald interval is wrong at the look after n labels. */
  wrongAt(n) {
    return this.waldNow[n] / Math.max(this.nSessions, 1);
  }
};
var Runner = class {
  /** `work` is done again and again for some milliseconds; false: it is done. `after` is called once a frame. */
  constructor(work, after, ms = 14) {
    this.work = work;
    this.after = after;
    this.ms = ms;
  }
  work;
  after;
  ms;
  frame = null;
  get isRunning() {
    return this.frame !== null;
  }
  start() {
    if (this.frame === null) this.frame = requestAnimationFrame(() => this.step());
  }
  stop() {
    if (this.frame !== null) cancelAnimationFrame(this.frame);
    this.frame = null;
  }
  step() {
    this.frame = null;
    const end = performance.now() + this.ms;
    let isMore = true;
    while (isMore && performance.now() < end) isMore = this.work();
    if (isMore) this.start();
    this.after();
  }
};

// src/explorers/peeking_view.ts
var COUNT = 800;
var SESSIONS = 1e3;
var FIRST_SEED = 24;
var DRAWN = 200;
var PeekingView = class {
  name = "watch";
  title = "Watch it";
  see = "A model errs at a rate that only we know: the dash-dotted line. Labels come in one by one, from uniform draws. A 95 % Wald interval (the estimate ± 1.96 standard errors) is made to be looked at once. Looked at after every label it is caught without the truth sooner or later in about half of all sessions. The light band is made to be watched: it holds at every label at once.";
  play = "step through a session of your own, or look less often. If you look at the end alone, Wald is wrong in about 5 % of the sessions, as promised.";
  controls;
  plots;
  finding = finding();
  truth;
  looks;
  one;
  many;
  seed = FIRST_SEED;
  labels = [];
  course = [];
  errors = 0;
  interval = new WatchedInterval();
  run = new LongRun(0.1, 1, COUNT);
  nextSession = 1;
  stepping;
  repeating;
  go;
  constructor(table, rate) {
    this.truth = new Slider(
      {
        name: "truth",
        label: "True error rate",
        low: 0.01,
        high: 0.5,
        step: 0.01,
        value: rate,
        text: (value) => percentText(value)
      },
      () => this.begin()
    );
    this.looks = new Choice(
      "looks",
      "Wald is looked at",
      [
        ["1", "after every label"],
        ["10", "every 10"],
        ["50", "every 50"],
        ["800", "once, at the end"]
      ],
      () => this.begin()
    );
    this.one = new PlotPanel("session", () => {
    }, table, "");
    this.many = new PlotPanel("long-run", () => {
    }, table, "");
    this.stepping = new Runner(
      () => this.step(),
      () => this.showSession(),
      8
    );
    this.repeating = new Runner(
      () => this.repeat(),
      () => this.showRun()
    );
    this.go = button("run", "Run", () => this.toggle());
    const buttons = element(
      "div",
      { class: "aew-buttons", role: "group", "aria-label": "The session" },
      button("new-session", "New session", () => this.newSession()),
      button("step", "1 label", () => this.steps(1)),
      button("step-20", "20 labels", () => this.steps(20)),
      this.go
    );
    this.controls = [this.truth.node, this.looks.node, buttons];
    this.plots = [this.one.node, this.many.node];
  }
  show() {
    if (this.course.length === 0) this.begin();
    else this.repeating.start();
  }
  hide() {
    this.stepping.stop();
    this.repeating.stop();
  }
  close() {
    this.one.close();
    this.many.close();
  }
  get every() {
    return Number(this.looks.value);
  }
  /** Everything anew: what a slider says now. */
  begin() {
    this.run = new LongRun(this.truth.value, this.every, COUNT);
    this.nextSession = 1;
    this.restart();
    if (window.matchMedia("(prefers-reduced-motion: reduce)").matches) while (this.step()) ;
    else this.stepping.start();
    this.repeating.start();
    this.showSession();
    this.showRun();
  }
  newSession() {
    this.seed += 1;
    this.restart();
    this.showSession();
  }
  restart() {
    this.stepping.stop();
    this.labels = labelsOf(this.seed, this.truth.value, COUNT);
    this.course = [];
    this.errors = 0;
    this.interval = new WatchedInterval();
  }
  toggle() {
    if (this.stepping.isRunning) this.stepping.stop();
    else {
      if (this.course.length >= COUNT) this.newSession();
      this.stepping.start();
    }
    this.showSession();
  }
  steps(count) {
    this.stepping.stop();
    for (let i = 0; i < count && this.step(); i += 1) ;
    this.showSession();
  }
  /** One more label; false: that was the last. */
  step() {
    const n = this.course.length + 1;
    if (n > COUNT) return false;
    const y = this.labels[n - 1];
    this.errors += y;
    this.interval.update(y);
    const isWrong = isLook(n, this.every, COUNT) && isWaldWrong(this.errors, n, this.truth.value);
    const { low, high } = this.interval;
    this.course.push({ n, value: this.errors / n, low, high, wald: waldInterval(this.errors, n), isWrong });
    return n < COUNT;
  }
  repeat() {
    this.run.add(1e6 + this.nextSession);
    this.nextSession += 1;
    return this.run.nSessions < SESSIONS;
  }
  // -- what is said -------------------------------------------------------------------------------------
  tell() {
    const { course, run } = this;
    const wrong = course.filter(({ isWrong }) => isWrong);
    const truth = this.truth.value;
    const isOut = course.some(({ low, high }) => truth < low || truth > high);
    const looks = course.filter(({ n }) => isLook(n, this.every, COUNT)).length;
    const ofWald = wrong.length > 0 ? `Wald missed the truth at ${countText(wrong.length)} of ${countedText(looks, "look")}, first after ${countedText(wrong[0].n, "label")}` : `Wald has not missed the truth in ${countedText(looks, "look")}`;
    const ofWatched = isOut ? "the watched interval missed it, too (this may happen in 5 % of the sessions)" : "the watched interval never did";
    const { wald, watched } = run.ever();
    const many = run.nSessions > 0 ? ` Of ${countText(run.nSessions)} sessions, Wald was wrong at some look in ${percentText(wald[COUNT])}, the watched interval in ${percentText(watched[COUNT], 1)}.` : "";
    const isComing = this.stepping.isRunning || this.repeating.isRunning;
    const session = `This session, after ${countedText(course.length, "label")}: ${ofWald}; ${ofWatched}.`;
    say(this.finding, session + many, isComing);
  }
  showSession() {
    this.go.textContent = this.stepping.isRunning ? "Pause" : this.course.length >= COUNT ? "Run another" : "Run";
    this.one.show(this.sessionPlot());
    this.tell();
  }
  showRun() {
    this.many.show(this.runPlot());
    this.tell();
  }
  sessionPlot() {
    const truth = this.truth.value;
    const high = Math.min(1, Math.max(0.1, 2.2 * truth + 0.08));
    const points2 = thinned(this.course);
    const x = points2.map(({ n }) => n);
    const known = points2.flatMap(({ n, wald }) => wald === null ? [] : [{ n, wald }]);
    const wrong = this.course.filter(({ isWrong }) => isWrong);
    const ends = (end) => ({ kind: "wald", x: known.map(({ n }) => n), y: known.map(({ wald }) => wald[end]) });
    const rows = points2.map(({ n, value, low, high: up, wald }) => [
      countText(n),
      percentText(value, 1),
      percentText(low, 1),
      percentText(up, 1),
      wald === null ? "–" : percentText(wald[0], 1),
      wald === null ? "–" : percentText(wald[1], 1)
    ]);
    const last = points2.at(-1);
    return plotOf({
      heading: "One session",
      x: axisOf(0, COUNT, countText, "labels"),
      y: axisOf(0, high, (value) => percentText(value)),
      bands: [
        {
          kind: "band",
          x,
          low: points2.map(({ low }) => low),
          high: points2.map(({ high: up }) => Math.min(up, 2 * high))
        }
      ],
      curves: [{ kind: "estimate", x, y: points2.map(({ value }) => value) }, ends(0), ends(1)],
      lines: [{ kind: "goal", y: truth }],
      points: [
        { kind: "wrong", shape: "foot", x: someOf2(wrong, 200).map(({ n }) => n), y: someOf2(wrong, 200).map(() => 0) }
      ],
      legend: [
        ["estimate", "estimate"],
        ["band", "95 %, may be watched"],
        ["wald", "95 % Wald, for one look"],
        ["goal", "the truth"],
        ["wrong", "a look at which Wald misses it"]
      ],
      stops: [
        {
          name: "estimates",
          by: "x",
          x,
          y: points2.map(({ value }) => value),
          text: rows.map(
            ([n, value, low, up, waldLow, waldUp]) => `${n} labels: ${value}, watched ${low} to ${up}, Wald ${waldLow} to ${waldUp}`
          )
        }
      ],
      summary: last ? `After ${last.n} labels the estimate is ${percentText(last.value, 1)}.` : "No labels yet.",
      columns: ["Labels", "Estimate", "Watched from", "to", "Wald from", "to"],
      rows: someOf2(rows)
    });
  }
  runPlot() {
    const { run } = this;
    const { wald, watched } = run.ever();
    const at = Array.from({ length: COUNT / 10 + 1 }, (_, i) => 10 * i);
    const pick = (values) => at.map((n) => values[n]);
    const high = Math.max(0.2, Math.ceil(10 * wald[COUNT] + 0.5) / 10);
    const text = (n) => `up to ${n} labels: Wald wrong at some look in ${percentText(wald[n])} of sessions, the watched interval in ${percentText(watched[n], 1)}`;
    return plotOf({
      heading: `The long run: ${countText(run.nSessions)} sessions`,
      x: axisOf(0, COUNT, countText, "labels"),
      y: axisOf(0, high, (value) => percentText(value)),
      curves: [
        { kind: "second", x: at, y: pick(wald) },
        { kind: "estimate", x: at, y: pick(watched) }
      ],
      lines: [{ kind: "uniform", y: 0.05 }],
      legend: [
        ["second", "Wald: ever wrong so far"],
        ["estimate", "watched interval: ever wrong so far"],
        ["uniform", "5 %"]
      ],
      stops: [{ name: "Wald", by: "x", x: at, y: pick(wald), text: at.map(text) }],
      summary: `The share of sessions in which an interval has ever been wrong. ${text(COUNT)}.`,
      columns: ["Labels", "Wald ever wrong", "Watched interval ever wrong", "Wald wrong at this look"],
      rows: [20, 50, 100, 200, 400, 800].map((n) => [
        countText(n),
        percentText(wald[n]),
        percentText(watched[n], 1),
        isLook(n, this.every, COUNT) ? percentText(run.wrongAt(n), 1) : "–"
      ])
    });
  }
};
function thinned(course) {
  let step = 1;
  while (course.length / step > DRAWN) step *= 2;
  return course.filter(({ n }) => n % step === 0 || n === course.length);
}

// src/explorers/watching_an_interval.ts
var views2 = (table, settings, data) => [
  new PeekingView(table, typeof settings.truth === "number" ? settings.truth : 0.1),
  lookingOnce(table),
  deadlines(table, data),
  ...watchedAdaptively(table, data.adaptive)
];
var watchedAdaptively = (table, data) => data === void 0 ? [] : [new AdaptiveView(table, data)];
var INTERVALS = [
  ["wald", "Wald", "second"],
  ["wilson", "Wilson", "estimate"],
  ["clopper_pearson", "Clopper–Pearson", "third"]
];
function lookingOnce(table) {
  const rates = spread(2e-3, 0.5, 250);
  const said = finding();
  const panel = new PlotPanel("coverage", () => {
  }, table, "");
  const labels = new Slider(
    { name: "labels", label: "Labels", low: 5, high: 400, step: 1, value: 50, text: countText },
    () => update()
  );
  const update = () => {
    const found = INTERVALS.map(([kind]) => coverages(kind, labels.value, rates));
    const [wald, wilson, exact] = found.map((values) => mean(values));
    const least = found.map((values) => Math.min(...values));
    say(
      said,
      `With ${countText(labels.value)} labels, over all error rates up to 50 %: Wald holds in ${percentText(wald, 1)} of sessions on average and in ${percentText(least[0])} at worst; Wilson in ${percentText(wilson, 1)} and ${percentText(least[1])}; Clopper–Pearson in ${percentText(exact, 1)} and ${percentText(least[2])}.`
    );
    panel.show(coveragePlot(labels.value, rates, found));
  };
  return {
    name: "once",
    title: "Look once",
    see: "Even at one look, 95 % is rarely 95 %. Errors are whole numbers, so with n labels only n + 1 intervals are possible, and how many of them hold the truth jumps from rate to rate: a lattice. Where errors are rare, Wald is far off: often none is seen, and then it has no width at all. Wilson’s interval is right on average; Clopper and Pearson’s is right everywhere, and wider.",
    play: "give more labels, and watch the teeth grow small, last of all at the left, where errors are rare.",
    controls: [labels.node],
    plots: [panel.node],
    finding: said,
    show: update,
    close: () => panel.close()
  };
}
function coveragePlot(n, rates, found) {
  const low = 0.7;
  return plotOf({
    heading: `How often the interval holds, after ${countText(n)} labels`,
    x: axisOf(0, 0.5, (value) => percentText(value), "true error rate"),
    y: axisOf(low, 1, (value) => percentText(value)),
    curves: INTERVALS.map(([, , kind], i) => ({
      kind,
      x: rates,
      y: found[i].map((value) => Math.max(value, low - 0.1))
    })),
    lines: [{ kind: "uniform", y: 0.95 }],
    legend: [...INTERVALS.map(([, name, kind]) => [kind, name]), ["uniform", "95 %"]],
    stops: INTERVALS.map(([, name], i) => ({
      name,
      by: i === 0 ? "x" : "point",
      x: rates,
      y: found[i].map((value) => Math.max(value, low)),
      text: rates.map((rate, at) => `${name} at ${percentText(rate, 1)} errors: ${percentText(found[i][at], 1)}`)
    })),
    summary: "How often each interval holds the true error rate, by that rate.",
    columns: ["True error rate", ...INTERVALS.map(([, name]) => name)],
    rows: someOf2(rates.map((rate, at) => [percentText(rate, 1), ...found.map((values) => percentText(values[at], 1))]))
  });
}
var DEADLINES = [25, 50, 100, 200, 400, 800];
function deadlines(table, data) {
  const said = finding();
  const panel = new PlotPanel("deadline", () => {
  }, table, "");
  const deadline = new Slider(
    {
      name: "deadline",
      label: "Labels declared beforehand",
      low: 0,
      high: DEADLINES.length - 1,
      step: 1,
      value: 3,
      text: (value) => countText(DEADLINES[value])
    },
    () => update()
  );
  const rate = new Choice(
    "rate",
    "True error rate",
    [
      ["0.1", percentText(0.1)],
      ["0.02", percentText(0.02)],
      ["0.3", percentText(0.3)]
    ],
    () => update()
  );
  const update = () => {
    const p = Number(rate.value);
    const number3 = DEADLINES[deadline.value];
    const widths = (of) => data.means.find((row) => row.rate === p && row.deadline === of)?.widths ?? [];
    const wald = data.at.map((n) => 2 * Z95 * Math.sqrt(p * (1 - p) / n));
    const ratios = (of) => widths(of).map((width, i) => width / wald[i]);
    const there = (values) => valueAt2(data.at, values, number3).toFixed(2);
    const [declared, usual, none] = [ratios(number3), ratios(null), ratios(0)];
    say(
      said,
      `After ${countText(number3)} labels, if that number was declared: ${there(declared)} times as wide as an interval for one look (${percentText(Z95 * Math.sqrt(p * (1 - p) / number3), 1)} to either side). Without a declared number ${there(usual)} times, without any bets by deadlines ${there(none)} times. All three hold at every label.`
    );
    panel.show(deadlinePlot(data, number3, [declared, usual, none]));
  };
  return {
    name: "deadline",
    title: "A deadline",
    see: "To hold at all times costs width: bets against every candidate value have to be spread over all times. Whoever knows beforehand how many labels there will be can bet on that number, and comes closer to the width of a single look there. The interval still holds at every label; before and after that number it is a little wider than it would have been.",
    play: "move the declared number, and watch where the curve dips.",
    controls: [deadline.node, rate.node],
    plots: [panel.node],
    finding: said,
    show: update,
    close: () => panel.close()
  };
}
function valueAt2(numbers, values, number3) {
  const after = Math.max(
    1,
    numbers.findIndex((n) => n >= number3)
  );
  const share = (number3 - numbers[after - 1]) / (numbers[after] - numbers[after - 1]);
  return values[after - 1] + share * (values[after] - values[after - 1]);
}
function deadlinePlot(data, deadline, curves) {
  const names = [`${countText(deadline)} labels declared`, "nothing declared", "no bets by deadlines"];
  const kinds = ["estimate", "second", "third"];
  const high = 3;
  const x = data.at;
  const ticks = DEADLINES.map((n) => [n, countText(n)]);
  return plotOf({
    heading: "Width of the watched interval, in widths of an interval for one look",
    note: `Means of ${data.n_sessions} simulated sessions each.`,
    x: { low: x[0], high: x[x.length - 1], ticks, title: "labels", is_log: true },
    y: axisOf(1, high, (value) => `${Number(value.toFixed(1))}×`),
    curves: [
      ...curves.map((y, i) => ({ kind: kinds[i], x, y })),
      { kind: "goal", x: [deadline, deadline], y: [1, high] }
    ],
    legend: [...names.map((name, i) => [kinds[i], name]), ["goal", "the declared number"]],
    stops: names.map((name, i) => ({
      name,
      by: i === 0 ? "x" : "point",
      x,
      y: curves[i],
      text: x.map((n, at) => `${countText(n)} labels, ${name}: ${curves[i][at].toFixed(2)}×`)
    })),
    summary: "How wide the interval that may be watched is, compared with a Wald interval of the same labels.",
    columns: ["Labels", ...names],
    rows: someOf2(x.map((n, at) => [countText(n), ...curves.map((y) => y[at].toFixed(2))]))
  });
}

// src/explorers/formulas/preferences.ts
var preferenceOf = (outcomes) => Math.sqrt(outcomes.reduce((sum2, { probability, deviation }) => sum2 + probability * deviation ** 2, 0));
var errorOutcomes = (confidence, errorRate2) => [
  { probability: confidence, deviation: -errorRate2 },
  { probability: 1 - confidence, deviation: 1 - errorRate2 }
];
var fOutcomes = (positive, f, eta, predicted) => predicted ? [
  { probability: positive, deviation: 1 - f },
  { probability: 1 - positive, deviation: -eta * f }
] : [
  { probability: positive, deviation: -(1 - eta) * f },
  { probability: 1 - positive, deviation: 0 }
];
function differenceOutcomes(p, difference, first, second) {
  const ifPositive = Number(!first) - Number(!second);
  const ifNegative = Number(first) - Number(second);
  return [
    { probability: p, deviation: ifPositive - difference },
    { probability: 1 - p, deviation: ifNegative - difference }
  ];
}
var squaredErrorOutcomes = (deviation, squaredError2, bias) => [
  { probability: 1, deviation: deviation ** 2 + bias ** 2 - squaredError2 },
  { probability: 1, deviation: Math.sqrt(2 * deviation ** 4 + 4 * bias ** 2 * deviation ** 2) }
];
var squaredDifferenceOutcomes = (distance, deviation) => [
  { probability: 1, deviation: distance ** 2 },
  { probability: 1, deviation: 2 * distance * deviation }
];

// src/charts/heat_map.ts
var COLUMNS = 48;
var ROWS = 24;
var DEPTHS = 64;
var middles = ({ low, high }, count) => Array.from({ length: count }, (_, i) => low + (high - low) * (i + 0.5) / count);
var edges = (from, to, count) => Array.from({ length: count + 1 }, (_, i) => Math.round(from + (to - from) * i / count));
var HeatMap = class {
  constructor(onChoose) {
    this.onChoose = onChoose;
    this.box = element(
      "div",
      {
        class: "aew-plot aew-heat aew-choosable",
        role: "img",
        onclick: (event) => this.chosen(event),
        onpointermove: (event) => {
          if (event.buttons === 1) this.chosen(event);
        }
      },
      this.svg
    );
    this.observer.observe(this.box);
  }
  onChoose;
  box;
  content = null;
  svg = drawn("svg", { "aria-hidden": "true" });
  ruler = new TextRuler(this.svg);
  observer = new ResizeObserver(() => this.draw());
  toX = (_) => 0;
  toY = (_) => 0;
  show(content) {
    this.content = content;
    this.box.setAttribute("aria-label", content.summary);
    this.draw();
  }
  close() {
    this.observer.disconnect();
  }
  chosen(event) {
    if (this.content === null) return;
    const { x, y } = this.content;
    const frame = this.box.getBoundingClientRect();
    const within2 = (axis, value) => Math.min(axis.high, Math.max(axis.low, value));
    this.onChoose(within2(x, this.toX(event.clientX - frame.left)), within2(y, this.toY(event.clientY - frame.top)));
  }
  draw() {
    const { content, box } = this;
    const { clientWidth: width, clientHeight: height } = box;
    if (content === null || width < 60 || height < 40) return;
    const sizes = this.ruler.measure(content);
    const hasTitle = Boolean(content.x.title);
    const area = areaOf(content, width, height, sizes, hasTitle);
    const { left, right, top, bottom, x, y } = area;
    this.toX = (at) => content.x.low + (at - left) / (right - left) * (content.x.high - content.x.low);
    this.toY = (at) => content.y.low + (bottom - at) / (bottom - top) * (content.y.high - content.y.low);
    const nodes = [];
    const paths = Array.from({ length: DEPTHS + 1 }, () => "");
    const across = edges(left, right, COLUMNS);
    const down = edges(bottom, top, ROWS);
    middles(content.y, ROWS).forEach((atY2, row) => {
      middles(content.x, COLUMNS).forEach((atX2, column) => {
        const level = Math.round(DEPTHS * Math.min(1, Math.max(0, content.depth(atX2, atY2))));
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
    const line = content.line === void 0 ? atY : y(content.line);
    nodes.push(
      drawn("line", { class: "aew-heat-line", x1: left, x2: right, y1: line, y2: line }),
      drawn("circle", { class: "aew-heat-mark", cx: atX, cy: atY, r: 6 })
    );
    this.svg.replaceChildren(...nodes);
  }
};

// src/explorers/preference_view.ts
var POINTS = 101;
var XS2 = spread(0, 1, POINTS);
var costAt = (doubt, most) => 1 + (most - 1) * doubt;
function multiplesOf(curves, cost) {
  const weighted = curves.map(({ outcomes }) => XS2.map((x) => preferenceOf(outcomes(x)) / Math.sqrt(cost(x))));
  const there = curves.map(({ has }) => XS2.map(has));
  let [sum2, count] = [0, 0];
  curves.forEach(({ share }, c) => {
    const values = weighted[c].filter((_, i) => there[c][i]);
    sum2 += share * values.reduce((total, value) => total + value, 0);
    count += share * values.length;
  });
  const average = sum2 / count;
  return weighted.map((values) => values.map((value) => average > 0 ? value / average : 1));
}
var PreferenceView = class {
  constructor(made, table) {
    this.made = made;
    ({ name: this.name, title: this.title, see: this.see, play: this.play } = made);
    this.at = Math.round(made.start[0] * (POINTS - 1));
    this.curve = made.start[1];
    this.panel = new PlotPanel(
      "preference",
      (index) => this.choose(index % POINTS, Math.floor(index / POINTS)),
      table,
      "Enter works a point out."
    );
    this.controls = [...made.sliders, made.costs].map(({ node }) => node);
    this.plots = [this.panel.node];
    const { heat } = made;
    if (heat) {
      this.heat = new HeatMap((x, y) => {
        heat.slider.value = y;
        this.choose(Math.round(x * (POINTS - 1)), this.curve);
      });
      const heading = element("h2", {}, `The same for ${heat.label}`);
      this.plots.push(element("section", { class: "aew-panel" }, heading, this.heat.box));
    }
    this.plots.push(this.worked);
  }
  made;
  name;
  title;
  see;
  play;
  controls;
  plots;
  finding = finding();
  panel;
  heat = null;
  worked = element("div", { class: "aew-panel aew-worked", "data-aew": "worked", role: "status" });
  at;
  curve;
  show() {
    const { made } = this;
    const curves = made.curves();
    if (!curves[this.curve]?.has(XS2[this.at])) this.curve = curves.findIndex(({ has }) => has(XS2[this.at]));
    const cost = (x) => costAt(made.doubt(x), made.costs.value);
    const multiples2 = made.isEachApart ? curves.flatMap((curve) => multiplesOf([curve], cost)) : multiplesOf(curves, cost);
    this.panel.show(this.plot(curves, multiples2));
    say(
      this.finding,
      made.found((x, c) => multiples2[c][Math.round(x * (POINTS - 1))])
    );
    this.showHeat(cost);
    this.work(curves[this.curve], multiples2[this.curve][this.at], cost);
  }
  close() {
    this.panel.close();
    this.heat?.close();
  }
  choose(at, curve) {
    this.at = at;
    this.curve = curve;
    this.show();
  }
  plot(curves, multiples2) {
    const shown = curves.map(({ has }, c) => {
      const kept = XS2.map((x, i) => ({ x, y: multiples2[c][i], i })).filter(({ x }) => has(x));
      return { x: kept.map(({ x }) => x), y: kept.map(({ y }) => y), index: kept.map(({ i }) => c * POINTS + i) };
    });
    const high = Math.max(2, Math.ceil(Math.max(...shown.flatMap(({ y }) => y)) * 1.05));
    const said = (c, x, y) => `${this.made.at(x)}${curves.length > 1 ? `, ${curves[c].name}` : ""}: drawn ${times(y)} times as often as uniformly`;
    const rows = shown.flatMap(
      ({ x, y }, c) => someOf2(x.map((_, i) => i)).map((i) => [curves[c].name, percentText(x[i]), `${times(y[i])}×`])
    );
    return plotOf({
      heading: "How often an instance is drawn",
      note: "In a pool whose instances are spread evenly along the axis.",
      x: axisOf(0, 1, (value) => percentText(value), this.made.axis),
      y: axisOf(0, high, (value) => `${Number(value.toFixed(1))}×`),
      curves: shown.map(({ x, y }, c) => ({ kind: curves[c].kind, x, y })),
      lines: [{ kind: "uniform", y: 1 }],
      points: [{ kind: "present", shape: "diamond", x: [XS2[this.at]], y: [multiples2[this.curve][this.at]] }],
      legend: [
        ...curves.map(({ kind, name }) => [kind, name]),
        ["uniform", "uniform draws: 1×"],
        ["present", "worked out below"]
      ],
      stops: shown.map(({ x, y, index }, c) => ({
        name: curves[c].name,
        by: shown.length > 1 ? "point" : "x",
        x,
        y,
        index,
        text: x.map((value, i) => said(c, value, y[i]))
      })),
      summary: `How often instances are drawn, compared with uniform draws, by: ${this.made.axis.toLowerCase()}.`,
      columns: ["Instances", this.made.axis, "Drawn"],
      rows
    });
  }
  showHeat(cost) {
    const { heat } = this.made;
    if (!heat || !this.heat) return;
    const { low, high, slider, label, outcomes, tick } = heat;
    const preference = (x, y) => preferenceOf(outcomes(x, y)) / Math.sqrt(cost(x));
    const averages = /* @__PURE__ */ new Map();
    const depth = (x, y) => {
      const average = averages.get(y) ?? mean(spread(0, 1, 41).map((at) => preference(at, y)));
      averages.set(y, average);
      return average > 0 ? preference(x, y) / average / 2.5 : 0.4;
    };
    this.heat.show({
      x: axisOf(0, 1, (value) => percentText(value), this.made.axis),
      y: axisOf(low, high, tick),
      depth,
      at: { x: XS2[this.at], y: slider.value },
      summary: `A heat map of the same for ${label}: the darker, the more often drawn. The line is the slider's value.`
    });
  }
  work(curve, multiple, cost) {
    const x = XS2[this.at];
    const outcomes = curve.outcomes(x);
    const words = curve.words(x);
    const steps = outcomes.map(({ probability, deviation }, i) => {
      const [what, how] = words[i];
      if (curve.addsUp) return `${what}: ${how} = ${number(deviation)}, squared ${number(deviation ** 2)}.`;
      return `${what} (probability ${number(probability)}): off by ${how} = ${number(deviation)}, squared ${number(deviation ** 2)}.`;
    });
    const sum2 = outcomes.map(
      ({ probability, deviation }) => curve.addsUp ? number(deviation ** 2) : `${number(probability)} × ${number(deviation ** 2)}`
    ).join(" + ");
    const expected2 = preferenceOf(outcomes);
    steps.push(
      `Expected square: ${sum2} = ${number(expected2 ** 2)}. Its root, ${number(expected2)}, is what the label is expected to tell.`
    );
    const price = cost(x);
    if (price !== 1)
      steps.push(
        `The label costs ${number(price)}: ${number(expected2)} / √${number(price)} = ${number(expected2 / Math.sqrt(price))}.`
      );
    steps.push(
      `That is ${number(multiple)} times the mean of the pool, so the instance is drawn ${times(multiple)} times as often as uniformly.`
    );
    const head = element(
      "h2",
      {},
      `Worked out: ${this.made.at(x)}${this.made.curves().length > 1 ? `, ${curve.name}` : ""}`
    );
    this.worked.replaceChildren(head, element("ol", {}, ...steps.map((step) => element("li", {}, step))));
  }
};
var number = (value) => {
  const text = (Math.abs(value) < 0.0995 ? Number(value.toPrecision(2)) : Number(value.toFixed(2))).toString();
  return text.replace("-", "−");
};
var times = (multiple) => `${multiple >= 10 ? multiple.toFixed(0) : multiple >= 1 ? multiple.toFixed(1) : Number(multiple.toPrecision(2))}`;

// src/explorers/what_q_prefers.ts
var given = (settings, name, fallback) => typeof settings[name] === "number" ? settings[name] : fallback;
var costs = (update) => new Slider(
  {
    name: "costs",
    label: "Cost of the hardest labels",
    low: 1,
    high: 10,
    step: 0.5,
    value: 1,
    text: (value) => value === 1 ? "as the others" : `${value} times the easiest`
  },
  update
);
var views3 = (table, settings) => [
  errorRate(table, settings),
  fMeasure(table, settings),
  twoModels(table, settings),
  squaredError(table, settings),
  twoRegressors(table)
];
function errorRate(table, settings) {
  const update = () => view.show();
  const risk = new Slider(
    {
      name: "risk",
      label: "Error rate you believe in",
      low: 0,
      high: 1,
      step: 0.01,
      value: given(settings, "risk", 0.1),
      text: (value) => percentText(value)
    },
    update
  );
  const view = new PreferenceView(
    {
      name: "error-rate",
      title: "Error rate",
      see: "Which instance is labeled next is left to chance, and q says with which probability it is each one’s turn. A label tells more the farther it is expected to be from what you believe already. If you believe in few errors, a correct answer is no news and an error is: so instances are preferred where the model doubts its own answer.",
      play: "move the error rate to 50 %: right and wrong are then equally far away, and all instances tell the same. Beyond that, it is right answers that are news.",
      axis: "How sure the model is of its answer",
      at: (x) => `${percentText(x)} sure`,
      sliders: [risk],
      costs: costs(update),
      doubt: (x) => 1 - x,
      start: [0.7, 0],
      curves: () => [
        {
          kind: "third",
          name: "drawn, by the papers’ rule",
          has: () => true,
          share: 1,
          outcomes: (x) => errorOutcomes(x, risk.value),
          words: () => [
            ["The answer is right, the loss 0", `0 − ${percentText(risk.value)}`],
            ["It is wrong, the loss 1", `1 − ${percentText(risk.value)}`]
          ]
        }
      ],
      found: (multiple) => `If you believe in ${percentText(risk.value)} errors, an instance of which the model is 50 % sure is drawn ${times(multiple(0.5, 0) / multiple(0.95, 0))} times as often as one of which it is 95 % sure.`,
      heat: {
        slider: risk,
        low: 0,
        high: 1,
        label: "all error rates (upward)",
        tick: (value) => percentText(value),
        outcomes: (x, y) => errorOutcomes(x, y)
      }
    },
    table
  );
  return view;
}
function fMeasure(table, settings) {
  const update = () => view.show();
  const f = new Slider(
    {
      name: "f",
      label: "F you believe in",
      low: 0.02,
      high: 1,
      step: 0.01,
      value: given(settings, "f", 0.6),
      text: (value) => value.toFixed(2)
    },
    update
  );
  const eta = new Slider(
    {
      name: "eta",
      label: "Weight of precision (η)",
      low: 0,
      high: 1,
      step: 0.01,
      value: given(settings, "eta", 0.5),
      text: etaText
    },
    update
  );
  const curve = (predicted) => ({
    kind: predicted ? "estimate" : "second",
    name: predicted ? "predicted positive" : "predicted negative",
    has: (x) => predicted ? x >= 0.5 : x <= 0.5,
    share: 1,
    outcomes: (x) => fOutcomes(x, f.value, eta.value, predicted),
    words: () => {
      const [g, h] = [f.value.toFixed(2), eta.value.toFixed(2)];
      return predicted ? [
        ["A hit, which counts 1", `1 − ${g}`],
        ["A false alarm, which counts in the denominator with η", `−${h} × ${g}`]
      ] : [
        ["A miss, which counts in the denominator with 1 − η", `−(1 − ${h}) × ${g}`],
        ["Rightly negative, which F does not see", "0"]
      ];
    }
  });
  const view = new PreferenceView(
    {
      name: "f",
      title: "F",
      see: "F is made of hits, misses and false alarms of one class; what is rightly negative does not count. So predicted negatives are worth a label only in so far as they may be misses. The weight of precision, η, says what counts: 0 is recall, 1 precision, ½ the usual F₁.",
      play: "move η to 1: precision is about predicted positives alone, and no other is ever drawn. Move it to 0 (recall), and the surer a positive is, the more it tells.",
      axis: "Probability of the class, as the model says",
      at: (x) => `probability ${percentText(x)}`,
      sliders: [eta, f],
      costs: costs(update),
      doubt: (x) => 1 - Math.abs(2 * x - 1),
      start: [0.7, 1],
      curves: () => [curve(false), curve(true)],
      found: (multiple) => `With η = ${eta.value.toFixed(2)} and a believed F of ${f.value.toFixed(2)}: a doubtful positive (60 %) is drawn ${times(multiple(0.6, 1))} times as often as uniformly, a doubtful negative (40 %) ${times(multiple(0.4, 0))} times, a sure negative (2 %) ${times(multiple(0.02, 0))} times.`,
      heat: {
        slider: eta,
        low: 0,
        high: 1,
        label: "all η (upward, from recall to precision)",
        tick: (value) => Number(value.toFixed(2)).toString(),
        outcomes: (x, y) => fOutcomes(x, f.value, y, x >= 0.5)
      }
    },
    table
  );
  return view;
}
var etaText = (value) => {
  if (value === 0) return "0: recall";
  if (value === 1) return "1: precision";
  return value === 0.5 ? "0.5: F₁" : value.toFixed(2);
};
function twoModels(table, settings) {
  const update = () => view.show();
  const difference = new Slider(
    {
      name: "difference",
      label: "Difference of error rates you believe in",
      low: -0.5,
      high: 0.5,
      step: 0.01,
      value: given(settings, "difference", 0.1),
      text: (value) => `${value > 0 ? "+" : value < 0 ? "−" : ""}${(100 * Math.abs(value)).toFixed(0)} points`
    },
    update
  );
  const agree = new Slider(
    {
      name: "agree",
      label: "Instances on which both agree",
      low: 0,
      high: 0.99,
      step: 0.01,
      value: given(settings, "agree", 0.8),
      text: (value) => percentText(value)
    },
    update
  );
  const by = () => difference.value.toFixed(2).replace("-", "−");
  const curve = (kind, name, first, second) => ({
    kind,
    name,
    has: () => true,
    share: first === second ? agree.value : (1 - agree.value) / 2,
    outcomes: (x) => differenceOutcomes(x, difference.value, first, second),
    words: () => {
      if (first === second) {
        return [
          ["Positive: both right, or both wrong", `0 − (${by()})`],
          ["Negative: both wrong, or both right", `0 − (${by()})`]
        ];
      }
      const right = ["Only the first is right", `−1 − (${by()})`];
      const wrong = ["Only the second is right", `1 − (${by()})`];
      return first ? [right, wrong] : [wrong, right];
    }
  });
  const view = new PreferenceView(
    {
      name: "two-models",
      title: "Two models",
      see: "Which of two classifiers is better? Where both give the same answer, a label can't tell them apart, whatever it is. So nearly all labels go to where they differ, whoever may be right there.",
      play: "move the difference to 0: where the models agree nothing is drawn at all. The more they agree, the more is saved.",
      axis: "Probability of the positive class, by both models together",
      at: (x) => `probability ${percentText(x)}`,
      sliders: [difference, agree],
      costs: costs(update),
      doubt: (x) => 1 - Math.abs(2 * x - 1),
      start: [0.7, 0],
      curves: () => [
        curve("estimate", "only the first says positive", true, false),
        curve("second", "only the second says positive", false, true),
        curve("third", "both say the same", true, true)
      ],
      found: (multiple) => {
        const share = agree.value * multiple(0.5, 2);
        return `The models differ on ${percentText(1 - agree.value)} of the instances, and ${percentText(1 - share)} of the labels go there: each is drawn about ${times(multiple(0.5, 0))} times as often as uniformly.`;
      }
    },
    table
  );
  return view;
}
var shareText = (value) => value.toFixed(2);
function squaredError(table, settings) {
  const update = () => view.show();
  const risk = new Slider(
    {
      name: "squared-error",
      label: "Mean squared error you believe in",
      low: 0,
      high: 1,
      step: 0.01,
      value: given(settings, "squared_error", 0.33),
      text: shareText
    },
    update
  );
  const bias = new Slider(
    {
      name: "bias",
      label: "Prediction off the label’s mean by",
      low: 0,
      high: 1,
      step: 0.01,
      value: 0,
      text: shareText
    },
    update
  );
  const outcomes = (x) => squaredErrorOutcomes(x, risk.value, bias.value);
  const view = new PreferenceView(
    {
      name: "squared-error",
      title: "Squared error",
      see: "A regressor states for each instance how far the label will scatter: a standard deviation, here in units of the largest in the pool. Where that is large, the squared error can be anything, and a label tells much. Where it is small, the label will only confirm that the error is small; that is news in so far as a larger one is believed in.",
      play: "believe in an error of 0, and the precise end is never drawn. Then believe in 1: now the precise end, where so large an error would be news, tells more than the middle.",
      axis: "Standard deviation that the model states, largest = 100 %",
      at: (x) => `standard deviation ${shareText(x)}`,
      sliders: [risk, bias],
      costs: costs(update),
      doubt: (x) => x,
      start: [0.8, 0],
      curves: () => [
        {
          kind: "third",
          name: "drawn, by the papers’ rule",
          has: () => true,
          share: 1,
          outcomes,
          addsUp: true,
          words: (x) => [
            [
              "The squared error that is expected, minus what is believed",
              `${shareText(x)}² + ${shareText(bias.value)}² − ${shareText(risk.value)}`
            ],
            ["How it varies around that", `√(2 × ${shareText(x)}⁴ + 4 × ${shareText(bias.value)}² × ${shareText(x)}²)`]
          ]
        }
      ],
      found: (multiple) => `If you believe in a mean squared error of ${shareText(risk.value)}, an instance with the largest standard deviation is drawn ${times(multiple(1, 0) / multiple(0.5, 0))} times as often as one with half of it, and ${ratioText(multiple(1, 0), multiple(0, 0))} one whose label the model knows for sure.`,
      heat: {
        slider: risk,
        low: 0,
        high: 1,
        label: "all mean squared errors (upward)",
        tick: (value) => Number(value.toFixed(2)).toString(),
        outcomes: (x, y) => squaredErrorOutcomes(x, y, bias.value)
      }
    },
    table
  );
  return view;
}
var ratioText = (one, other) => other > 0 ? `${times(one / other)} times as often as` : "incomparably more often than";
function twoRegressors(table) {
  const update = () => view.show();
  const deviation = new Slider(
    {
      name: "deviation",
      label: "Standard deviation that both state",
      low: 0,
      high: 2,
      step: 0.02,
      value: 0.3,
      text: (value) => `${shareText(value)} of the largest distance`
    },
    update
  );
  const curve = (kind, name, at, words) => ({
    kind,
    name,
    has: () => true,
    share: 1,
    addsUp: true,
    outcomes: (x) => {
      const stated = at();
      return stated === null ? [{ probability: 1, deviation: x }] : squaredDifferenceOutcomes(x, stated);
    },
    words
  });
  const view = new PreferenceView(
    {
      name: "two-regressors",
      title: "Two regressors",
      see: "Which of two regressors has the smaller squared error? Where both predict the same, a label can’t tell. The farther their predictions are apart, the more one of them has to be wrong. How much more depends on how far labels scatter around what the models predict.",
      play: "move the standard deviation to 0: the squared distance counts. Make it large: the distance itself counts, as if nothing were known of the scatter.",
      axis: "Distance of the two predictions, largest = 100 %",
      at: (x) => `distance ${shareText(x)}`,
      sliders: [deviation],
      costs: costs(update),
      doubt: (x) => x,
      start: [0.8, 0],
      isEachApart: true,
      curves: () => [
        curve(
          "estimate",
          "with the standard deviations (the papers’ q*)",
          () => deviation.value,
          (x) => [
            ["The squared distance", `${shareText(x)}²`],
            ["The scatter of the difference", `2 × ${shareText(x)} × ${shareText(deviation.value)}`]
          ]
        ),
        curve(
          "second",
          "no scatter: squared distance (active₀)",
          () => 0,
          (x) => [
            ["The squared distance", `${shareText(x)}²`],
            ["No scatter", "0"]
          ]
        ),
        curve(
          "third",
          "scatter without end: distance (active∞)",
          () => null,
          (x) => [["The distance, up to a factor", shareText(x)]]
        )
      ],
      found: (multiple) => `An instance on which the predictions are farthest apart is drawn ${times(multiple(1, 0) / multiple(0.25, 0))} times as often as one with a quarter of that distance: ${times(multiple(1, 1) / multiple(0.25, 1))} times without scatter, ${times(multiple(1, 2) / multiple(0.25, 2))} times with scatter without end.`
    },
    table
  );
  return view;
}

// src/explorers/formulas/trial.ts
var LEAST_PROMISE = 1e-3;
var FACTORS = [1, 2, 4, 8];
var TILTS = FACTORS.flatMap((temperature) => FACTORS.map((odds) => [temperature, odds])).filter(
  ([t, o]) => t * o > 1
);
var OVER_SHARE = 0.8;
var ALPHA2 = 0.05;
function tiltedBets(promised, outcome) {
  const none = () => TILTS.map(() => 0);
  const ratio2 = (held, tilted) => Math.log(outcome * tilted / held + (1 - outcome) * (1 - tilted) / (1 - held));
  let [over, under] = [none(), none()];
  if (promised < 1 - LEAST_PROMISE) {
    const held = Math.max(promised, LEAST_PROMISE);
    const odds = logit(held);
    over = TILTS.map(([t, o]) => ratio2(held, expit(Math.max(odds, 0) + Math.min(odds, 0) / t + Math.log(o))));
  }
  if (promised > LEAST_PROMISE) {
    const held = Math.min(promised, 1 - LEAST_PROMISE);
    const odds = logit(held);
    under = TILTS.map(([t, o]) => ratio2(held, expit(Math.min(odds, 0) * t + Math.max(odds, 0) - Math.log(o))));
  }
  return [over, under];
}
var Trials = class {
  constructor(errors, claims, q) {
    this.errors = errors;
    this.bets = claims.map((claim) => [tiltedBets(claim, 0), tiltedBets(claim, 1)]);
    let total = 0;
    for (const share of q) {
      total += share;
      this.cumulative.push(total);
    }
  }
  errors;
  bets;
  // [profile][outcome]
  cumulative = [];
  /** After how many labels of a session a verdict is known, and which; null: not within `count`. */
  run(random, count) {
    const [over, under] = [TILTS.map(() => 0), TILTS.map(() => 0)];
    const { cumulative, errors } = this;
    for (let n = 1; n <= count; n += 1) {
      const profile = firstAbove(cumulative, random() * cumulative[cumulative.length - 1]);
      const [more, fewer] = this.bets[profile][random() < errors[profile] ? 1 : 0];
      for (let i = 0; i < over.length; i += 1) {
        over[i] += more[i];
        under[i] += fewer[i];
      }
      if (meanExp(over) >= 1 / (ALPHA2 * OVER_SHARE)) return { n, verdict: "over" };
      if (meanExp(under) >= 1 / (ALPHA2 * (1 - OVER_SHARE))) return { n, verdict: "under" };
    }
    return null;
  }
};
function firstAbove(ascending, value) {
  let [low, high] = [0, ascending.length - 1];
  while (low < high) {
    const middle = low + high >> 1;
    if (ascending[middle] > value) high = middle;
    else low = middle + 1;
  }
  return low;
}
function meanExp(logs) {
  let total = 0;
  for (const log of logs) total += Math.exp(Math.min(log, 700));
  return total / logs.length;
}

// src/explorers/when_the_model_lies.ts
var METHODS2 = [
  ["optimal", "the papers’ q*", "third"],
  ["control", "+ uniform share, control variate", "second"],
  ["corrected", "+ recalibrated by labels", "estimate"]
];
var RATE = 0.1;
var KNOWLEDGE = 3;
var MOST2 = 400;
var POWERS = spread(-2, 3, 31).map((exponent) => 2 ** exponent);
var NEAR = 5e-3;
var COUNT2 = 300;
var SESSIONS2 = 200;
var powerText = (power) => {
  const text = Number(power.toPrecision(2));
  if (Math.abs(power - 1) < 0.01) return "honest";
  return `${power > 1 ? "too sure" : "not sure enough"}: odds to the power of ${text}`;
};
var forHundred = (profiles) => {
  const variances = drawVariances(profiles);
  const of = (method) => 100 * variances[method] / variances.uniform;
  return {
    uniform: 100,
    optimal: of("optimal"),
    defensive: of("defensive"),
    control: of("control"),
    corrected: of("corrected")
  };
};
var views4 = (table, settings, data) => {
  const given2 = (name, fallback) => typeof settings[name] === "number" ? settings[name] : fallback;
  return [new LyingView(table, given2("power", 4), given2("cluster", 0), data)];
};
var LyingView = class {
  constructor(table, power, cluster, data) {
    this.data = data;
    const update = () => this.update();
    this.power = new Slider(
      {
        name: "power",
        label: "How sure it claims to be",
        low: -2,
        high: 3,
        step: 0.05,
        value: Math.log2(power),
        text: (value) => powerText(2 ** value)
      },
      update
    );
    this.cluster = new Slider(
      {
        name: "cluster",
        label: "Sure, and wrong half of the time",
        low: 0,
        high: 0.1,
        step: 5e-3,
        value: cluster,
        text: (value) => value === 0 ? "nowhere" : `${percentText(value, 1)} of the pool`
      },
      update
    );
    this.gain = new PlotPanel("gain", () => {
    }, table, "");
    this.said = new PlotPanel("claims", () => {
    }, table, "");
    this.trial = new PlotPanel("trial", () => {
    }, table, "");
    this.runner = new Runner(
      () => this.try(),
      () => this.showTrial(),
      10
    );
    this.controls = [this.power.node, this.cluster.node];
    this.plots = [this.gain.node, element("div", { class: "aew-explorer-pair" }, this.said.node, this.trial.node)];
  }
  data;
  name = "lies";
  title = "Spoil it";
  see = "All that is saved comes from the model’s own probabilities. Here is a model that errs in 10 % of the cases and knows quite well where, and a slider that spoils what it says: it becomes too sure of itself, or not sure enough; or a cluster of instances appears of which it is 99 % sure and half of the time wrong. Below 100, labels are saved; above, more are needed than by uniform draws. Two remedies: a tenth of the draws is uniform, and the model’s expectation stands in for what has no label, corrected by what has one (a control variate). On trial, each label is a bet against the model’s claims.";
  play = "make the model surer, and see the papers’ q* turn from gain to loss: errors where it is sure are hardly ever drawn, and then weigh enormously. Labels can mend the power: 200 do so nearly, except for a model that is hardly sure of anything (the dots). They can’t tell a cluster from others that look the same; but the trial tells.";
  controls;
  plots;
  finding = finding();
  power;
  cluster;
  profile = errorProfile(2 * RATE, KNOWLEDGE).map((error) => error / 2);
  gain;
  said;
  trial;
  runner;
  trials = null;
  random = randomFrom(1);
  over = [];
  // labels until "too sure", of each session that found it
  under = [];
  nSessions = 0;
  told = "";
  curves = null;
  show() {
    this.update();
  }
  hide() {
    this.runner.stop();
  }
  close() {
    for (const panel of [this.gain, this.said, this.trial]) panel.close();
  }
  get profiles() {
    return spoiled(this.profile, 2 ** this.power.value, this.cluster.value);
  }
  update() {
    const { profiles } = this;
    const now = forHundred(profiles);
    const learned = recalibrated(profiles);
    this.gain.show(this.gainPlot(now));
    this.said.show(claimsPlot(profiles, learned));
    const q = defended(preferred(profiles.claims, profiles.shares), profiles.shares);
    this.trials = new Trials(profiles.errors, profiles.claims, q);
    this.random = randomFrom(1);
    [this.over, this.under, this.nSessions] = [[], [], 0];
    const rate = profiles.errors.reduce((sum2, error, i) => sum2 + error * profiles.shares[i], 0);
    const claim = profiles.claims.reduce((sum2, error, i) => sum2 + error * profiles.shares[i], 0);
    this.told = `The model claims ${percentText(claim, 1)} errors and makes ${percentText(rate, 1)}. For what takes 100 labels by uniform draws, the papers’ q* takes ${countText(now.optimal)}, with a uniform share and the control variate ${countText(now.control)}, recalibrated ${countText(now.corrected)}.`;
    this.runner.start();
    this.showTrial();
  }
  try() {
    const found = this.trials?.run(this.random, COUNT2) ?? null;
    if (found !== null) (found.verdict === "over" ? this.over : this.under).push(found.n);
    this.nSessions += 1;
    return this.nSessions < SESSIONS2;
  }
  gainPlot(now) {
    const cluster = this.cluster.value;
    const all = this.atPowers(cluster);
    const cut = (value) => Math.min(value, 2 * MOST2);
    const power = 2 ** this.power.value;
    const rows = this.data.rows.filter((row) => Math.abs(row.cluster - cluster) <= NEAR);
    const top = (value) => Math.min(value, MOST2 / 2);
    const { n_labels, n_instances } = this.data;
    const simulated = rows.map((row) => ({
      x: row.power,
      optimal: top(row.optimal),
      adaptive: top(row.adaptive),
      row
    }));
    const places = simulated.map(({ x }) => x);
    const ticks = [0.25, 0.5, 1, 2, 4, 8].map((value) => [
      value,
      value < 1 ? `1/${1 / value}` : String(value)
    ]);
    return plotOf({
      heading: "Labels for what takes 100 by uniform draws",
      note: `Lines: by the formula for many labels. Marks: simulated sessions of ${n_labels} labels from pools of ${countText(n_instances)}; for a cluster of 0 and of 5 %.`,
      x: {
        low: 0.25,
        high: 8,
        ticks,
        title: "power of the odds (1: honest)",
        is_log: true
      },
      y: axisOf(0, MOST2 / 2, countText),
      curves: METHODS2.map(([method, , kind]) => ({ kind, x: POWERS, y: all.map((row) => cut(row[method])) })),
      lines: [{ kind: "uniform", y: 100 }],
      points: [
        {
          kind: "present",
          shape: "diamond",
          x: METHODS2.map(() => power),
          y: METHODS2.map(([method]) => Math.min(now[method], MOST2 / 2))
        },
        { kind: "papers", shape: "cross", x: places, y: simulated.map(({ optimal }) => optimal) },
        { kind: "drawn", shape: "dot", x: places, y: simulated.map(({ adaptive }) => adaptive) }
      ],
      sides: ["loss", "gain"],
      legend: [
        ...METHODS2.map(([, name, kind]) => [kind, name]),
        ["uniform", "uniform draws: 100"],
        ["present", "this model"],
        ...rows.length > 0 ? [
          ["papers", "the papers’ q*, simulated"],
          ["drawn", "adaptive draws, simulated"]
        ] : []
      ],
      stops: [
        ...METHODS2.map(
          ([method, name], i) => ({
            name,
            by: i === 0 ? "x" : "point",
            x: POWERS,
            y: all.map((row) => Math.min(row[method], MOST2 / 2)),
            text: all.map((row, at) => `${powerText(POWERS[at])}: ${countText(row[method])} labels by ${name}`)
          })
        ),
        ...["optimal", "adaptive"].map((which) => {
          const name = `${which === "optimal" ? "the papers’ q*" : "adaptive draws"}, simulated`;
          const text = rows.map((row) => `${powerText(row.power)}: ${countText(row[which])} labels by ${name}`);
          return { name, by: "point", x: places, y: simulated.map((each) => each[which]), text };
        })
      ],
      summary: "How many labels each method takes for the precision of 100 uniform draws, by how sure the model claims to be.",
      columns: ["Power of the odds", ...METHODS2.map(([, name]) => name)],
      rows: someOf2(
        all.map((row, at) => [
          String(Number(POWERS[at].toPrecision(2))),
          ...METHODS2.map(([method]) => countText(row[method]))
        ])
      )
    });
  }
  /** The curves, which the power does not change. */
  atPowers(cluster) {
    if (this.curves?.cluster !== cluster) {
      this.curves = { cluster, all: POWERS.map((power) => forHundred(spoiled(this.profile, power, cluster))) };
    }
    return this.curves.all;
  }
  showTrial() {
    const at = spread(0, COUNT2, 61);
    const share = (of) => at.map((n) => of.filter((found) => found <= n).length / Math.max(this.nSessions, 1));
    const [over, under] = [share(this.over), share(this.under)];
    const known = [...this.over, ...this.under].sort((a, b) => a - b);
    const half = known[Math.ceil(this.nSessions / 2) - 1];
    const ofTrial = half === void 0 ? `The trial has found it out within ${COUNT2} labels in ${percentText(known.length / Math.max(this.nSessions, 1))} of ${countText(this.nSessions)} sessions.` : `The trial finds it out after ${countText(half)} labels in half of ${countText(this.nSessions)} sessions.`;
    say(this.finding, `${this.told} ${ofTrial}`, this.runner.isRunning);
    this.trial.show(
      plotOf({
        heading: "The model on trial",
        x: axisOf(0, COUNT2, countText, "labels"),
        y: axisOf(0, 1, (value) => percentText(value)),
        curves: [
          { kind: "second", x: at, y: over },
          { kind: "third", x: at, y: under }
        ],
        lines: [{ kind: "uniform", y: 0.05 }],
        legend: [
          ["second", "“too sure”"],
          ["third", "“not sure enough”"],
          ["uniform", "5 %: as often if honest, at most"]
        ],
        stops: [
          {
            name: "too sure",
            by: "x",
            x: at,
            y: over,
            text: at.map(
              (n, i) => `by ${countText(n)} labels: “too sure” in ${percentText(over[i])} of sessions, “not sure enough” in ${percentText(under[i])}`
            )
          }
        ],
        summary: ofTrial,
        columns: ["Labels", "“too sure”", "“not sure enough”"],
        rows: someOf2(at.map((n, i) => [countText(n), percentText(over[i]), percentText(under[i])]))
      })
    );
  }
};
function claimsPlot({ errors, claims, shares }, learned) {
  const last = errors.length - 1;
  const some = someOf2(
    errors.slice(0, last).map((_, i) => i),
    60
  );
  const of = (values) => some.map((i) => values[i]);
  const hasCluster = shares[last] > 0;
  return plotOf({
    heading: "What it claims, and what is true",
    x: axisOf(0, 0.5, (value) => percentText(value), "probability of an error, as claimed"),
    y: axisOf(0, 0.55, (value) => percentText(value)),
    curves: [
      { kind: "ideal", x: [0, 0.5], y: [0, 0.5] },
      { kind: "second", x: of(claims), y: of(errors) },
      { kind: "estimate", x: of(learned), y: of(errors) }
    ],
    points: hasCluster ? [{ kind: "present", shape: "diamond", x: [claims[last]], y: [errors[last]], label: "the cluster" }] : [],
    legend: [
      ["second", "as claimed"],
      ["estimate", "recalibrated"],
      ["ideal", "honest"]
    ],
    stops: [
      {
        name: "claims",
        by: "x",
        x: of(claims),
        y: of(errors),
        text: some.map((i) => `claimed ${percentText(claims[i], 1)}, true ${percentText(errors[i], 1)}`)
      }
    ],
    summary: "The true probability of an error by the claimed one.",
    columns: ["Claimed", "Recalibrated", "True"],
    rows: someOf2(some).map((i) => [percentText(claims[i], 1), percentText(learned[i], 1), percentText(errors[i], 1)])
  });
}

// src/explorers/formulas/pool.ts
function expected(pool, eta) {
  if (pool.kind === "risk") return sumOf(pool.mean) / pool.mean.length;
  const { positive, predicted } = pool;
  let hits = 0;
  for (let i = 0; i < positive.length; i += 1) hits += positive[i] * predicted[i];
  return hits / (eta * sumOf(predicted) + (1 - eta) * sumOf(positive));
}
function squares(pool, belief, eta) {
  if (pool.kind === "risk") {
    const { mean: mean2, variance } = pool;
    const found2 = new Float64Array(mean2.length);
    for (let i = 0; i < found2.length; i += 1) found2[i] = variance[i] + (mean2[i] - belief) ** 2;
    return found2;
  }
  const { positive, predicted } = pool;
  const [hit, alarm, miss] = [(1 - belief) ** 2, (eta * belief) ** 2, ((1 - eta) * belief) ** 2];
  const found = new Float64Array(positive.length);
  for (let i = 0; i < found.length; i += 1) {
    const p = positive[i];
    found[i] = predicted[i] ? p * hit + (1 - p) * alarm : p * miss;
  }
  return found;
}
function multiples(square, costs2, defensive) {
  const isTold = square.some((value) => value > 0);
  const found = new Float64Array(square.length);
  let sum2 = 0;
  for (let i = 0; i < found.length; i += 1) {
    found[i] = Math.sqrt((isTold ? square[i] : 1) / (costs2 === null ? 1 : costs2[i]));
    sum2 += found[i];
  }
  const scale = (1 - defensive) * found.length / sum2;
  for (let i = 0; i < found.length; i += 1) found[i] = found[i] * scale + defensive;
  return found;
}
function drawsForHundred(square, multiple) {
  let sum2 = 0;
  for (let i = 0; i < square.length; i += 1) if (square[i] > 0) sum2 += square[i] / multiple[i];
  return 100 * sum2 / sumOf(square);
}
function sumOf(values) {
  let sum2 = 0;
  for (let i = 0; i < values.length; i += 1) sum2 += values[i];
  return sum2;
}

// src/explorers/pool_bins.ts
var N_BINS = COLUMNS;
var LOWEST = 0.01;
function numbersOf(told) {
  const text = atob(told);
  const bytes = Uint8Array.from({ length: text.length }, (_, i) => text.charCodeAt(i));
  return new Float64Array(bytes.buffer);
}
function binsOf(values, low, high) {
  const bins = new Uint8Array(values.length);
  for (let i = 0; i < values.length; i += 1) {
    bins[i] = Math.max(0, Math.min(N_BINS - 1, Math.floor((values[i] - low) / (high - low) * N_BINS)));
  }
  return bins;
}
function decadesOf(multiple) {
  let [least, most] = [1, 1];
  for (let i = 0; i < multiple.length; i += 1) {
    if (multiple[i] < least) least = multiple[i];
    else if (multiple[i] > most) most = multiple[i];
  }
  const half = (value) => Math.ceil(2 * value - 1e-9) / 2;
  const below = half(-Math.log10(Math.max(least, LOWEST)));
  return [-Math.max(below, 0.5), Math.max(half(Math.log10(most)), 0.5)];
}
function filled(bins, multiple, low, high) {
  const [counts, drawn2] = [new Float64Array(N_BINS), new Float64Array(N_BINS)];
  const cells = new Float64Array(ROWS * N_BINS);
  const scale = ROWS / (high - low) / Math.LN10;
  const start = low * ROWS / (high - low);
  for (let i = 0; i < bins.length; i += 1) {
    const [bin, times2] = [bins[i], multiple[i]];
    counts[bin] += 1;
    drawn2[bin] += times2;
    const at = Math.floor(Math.log(times2) * scale - start);
    cells[(at < 0 ? 0 : at < ROWS ? at : ROWS - 1) * N_BINS + bin] += 1;
  }
  return { counts, drawn: drawn2, cells };
}
function quantileBin(weights, share) {
  let total = 0;
  for (const weight of weights) total += weight;
  let sum2 = 0;
  for (let bin = 0; bin < weights.length; bin += 1) {
    sum2 += weights[bin];
    if (sum2 >= share * total) return bin;
  }
  return weights.length - 1;
}

// src/explorers/your_pool.ts
var STEPS = 200;
var views5 = (table, settings, data) => [
  new PoolView(table, data, typeof settings.defensive === "number" ? settings.defensive : 0.1)
];
var PoolView = class {
  constructor(table, data, defensive) {
    this.data = data;
    const column = (name) => numbersOf(data.columns[name]);
    this.pool = data.kind === "f" ? { kind: "f", positive: column("positive"), predicted: column("predicted") } : { kind: "risk", mean: column("mean"), variance: column("variance") };
    this.costs = data.costs === null ? null : numbersOf(data.costs);
    const values = numbersOf(data.axis.values);
    [this.low, this.high] = endsOf(values, data.axis.is_share);
    this.bins = binsOf(values, this.low, this.high);
    const update = () => this.show();
    const [least, most] = data.range;
    this.belief = new Slider(
      {
        name: "belief",
        label: `${capital(data.measure)} you believe in`,
        low: least,
        high: most,
        step: (most - least) / STEPS,
        value: expected(this.pool, data.eta ?? 0),
        text: (value) => `${this.text(value)}${this.isOwn ? ", as the model expects" : ""}`
      },
      () => {
        this.isOwn = false;
        update();
      }
    );
    this.eta = new Slider(
      {
        name: "eta",
        label: "Weight of precision (η)",
        low: 0,
        high: 1,
        step: 0.01,
        value: data.eta ?? 0,
        text: (value) => value === 0 ? "0: recall" : value === 1 ? "1: precision" : value.toFixed(2)
      },
      update
    );
    this.defensive = new Slider(
      {
        name: "defensive",
        label: "Uniform share of the draws",
        low: 0,
        high: 1,
        step: 0.01,
        value: defensive,
        text: (value) => percentText(value)
      },
      update
    );
    const own = button("own", "Believe what the model expects", () => {
      this.isOwn = true;
      this.show();
    });
    const buttons = element("div", { class: "aew-buttons" }, own);
    const isF = data.kind === "f";
    this.controls = [this.belief.node, buttons, ...isF ? [this.eta.node] : [], this.defensive.node];
    this.play = isF ? "move η to 1 (precision): labels leave all that is not predicted. Then believe in a value that the model does not expect, and see what that costs." : "believe in a value that the model does not expect, and see what that costs. A uniform share of 100 % is uniform draws.";
    this.panel = new PlotPanel("pool", (bin) => this.choose(bin), table, "Enter works a bin out.");
    this.heat = new HeatMap((x) => this.choose(this.binAt(x)));
    this.plots = [
      this.panel.node,
      element(
        "section",
        { class: "aew-panel aew-pool-heat" },
        element("h2", {}, "How often each instance is drawn, compared with uniform draws (the line)"),
        this.heat.box,
        element("p", { class: "aew-plot-note" }, "The darker a cell, the more instances are in it.")
      ),
      this.worked
    ];
  }
  data;
  name = "pool";
  title = "Your pool";
  see = "Every instance of the pool is here, in bins along what the model says of it. Labels by uniform draws would go to the bins as the pool fills them: the dashed line. The papers’ q* moves them to where a label is expected to be farther from what is believed of the measure, and so to tell more.";
  play;
  controls;
  plots;
  finding = finding();
  pool;
  costs;
  bins;
  low;
  high;
  belief;
  eta;
  defensive;
  panel;
  heat;
  worked = element("div", { class: "aew-panel aew-worked", "data-aew": "worked", role: "status" });
  isOwn = true;
  // whether what the model expects is believed
  chosen = -1;
  show() {
    const { pool, data } = this;
    const eta = this.eta.value;
    const own = expected(pool, eta);
    if (this.isOwn) this.belief.value = own;
    const promised = squares(pool, own, eta);
    const square = this.isOwn ? promised : squares(pool, this.belief.value, eta);
    const multiple = multiples(square, this.costs, this.defensive.value);
    const hundred = drawsForHundred(promised, multiple);
    const decades = decadesOf(multiple);
    const fill = filled(this.bins, multiple, ...decades);
    if (this.chosen < 0) {
      const more = fill.drawn.map((value, bin) => value - fill.counts[bin]);
      this.chosen = more.indexOf(Math.max(...more));
    }
    this.panel.show(this.plot(fill));
    this.showHeat(fill, ...decades);
    this.tell(fill, hundred, data.n_instances);
    this.work(fill);
  }
  close() {
    this.panel.close();
    this.heat.close();
  }
  choose(bin) {
    this.chosen = bin;
    this.show();
  }
  // -- what is said ---------------------------------------------------------------------------------------
  text(value) {
    return this.data.is_share ? percentText(value, 1) : numberText(value);
  }
  axisText(value) {
    return this.data.axis.is_share ? percentText(value) : Number(value.toPrecision(2)).toString().replace("-", "−");
  }
  edge(bin) {
    return this.low + (this.high - this.low) * bin / N_BINS;
  }
  binAt(x) {
    return Math.max(0, Math.min(N_BINS - 1, Math.floor((x - this.low) / (this.high - this.low) * N_BINS)));
  }
  binText(bin) {
    const [from, to] = [this.edge(bin), this.edge(bin + 1)];
    return this.data.axis.is_share ? `${percentText(from, 1)} to ${percentText(to, 1)}` : `${numberText(from)} to ${numberText(to)}`;
  }
  tell(fill, hundred, n) {
    const order = [...fill.drawn.keys()].sort(
      (a, b) => fill.drawn[b] / fill.counts[b] - fill.drawn[a] / fill.counts[a]
    );
    const there = order.filter((bin) => fill.counts[bin] > 0);
    const at = quantileBin(
      Float64Array.from(there, (bin) => fill.drawn[bin]),
      0.5
    );
    const kept = there.slice(0, at + 1).reduce((sum2, bin) => sum2 + fill.counts[bin], 0);
    const saved = Number.isFinite(hundred) ? ` If the model’s probabilities are right, ${countedText(hundred, "draw")} say as much as 100 uniform ones${this.costs === null ? "" : ", whatever they cost"}.` : " Nothing is in doubt by the model’s probabilities.";
    say(
      this.finding,
      `Of ${countedText(n, "instance")}, ${percentText(kept / n)} get at least half of the labels.${saved}`
    );
  }
  plot({ counts, drawn: drawn2 }) {
    const n = this.data.n_instances;
    const x = Array.from({ length: N_BINS }, (_, bin) => [this.edge(bin), this.edge(bin + 1)]).flat();
    const steps = (values) => Array.from(values, (value) => [value / n, value / n]).flat();
    const [pool, labels] = [steps(counts), steps(drawn2)];
    const high = Math.max(...pool, ...labels, 0.02) * 1.06;
    const middles2 = Array.from({ length: N_BINS }, (_, bin) => (this.edge(bin) + this.edge(bin + 1)) / 2);
    const share = (value) => percentText(value / n, 1);
    const { chosen } = this;
    return plotOf({
      heading: "Where the labels go",
      x: axisOf(this.low, this.high, (value) => this.axisText(value), this.data.axis.label),
      y: axisOf(0, high, (value) => percentText(value, high < 0.05 ? 1 : 0)),
      bands: [{ kind: "papers-band", x, low: x.map(() => 0), high: labels }],
      curves: [
        { kind: "third", x, y: labels },
        { kind: "uniform-steps", x, y: pool }
      ],
      points: [{ kind: "present", shape: "diamond", x: [middles2[chosen]], y: [drawn2[chosen] / n] }],
      legend: [
        ["third", "labels by the papers’ q*"],
        ["uniform-steps", "the pool, and labels by uniform draws"],
        ["present", "worked out below"]
      ],
      stops: [
        {
          name: "bins",
          by: "x",
          x: middles2,
          y: Array.from(drawn2, (value) => value / n),
          index: middles2.map((_, bin) => bin),
          text: middles2.map(
            (_, bin) => `${this.binText(bin)}: ${share(drawn2[bin])} of the labels, ${share(counts[bin])} of the pool`
          )
        }
      ],
      summary: `Shares of the pool and of the labels, by ${this.data.axis.label}.`,
      columns: [capital(this.data.axis.label), "Of the pool", "Of the labels"],
      rows: someOf2(
        middles2.map((_, bin) => bin).filter((bin) => counts[bin] > 0),
        24
      ).map((bin) => [this.binText(bin), share(counts[bin]), share(drawn2[bin])])
    });
  }
  showHeat({ cells, counts, drawn: drawn2 }, low, top) {
    const deepest = Math.log1p(cells.reduce((most, value) => Math.max(most, value), 0));
    const { chosen } = this;
    const ticks = [-2, -1, 0, 1, 2, 3, 4, 5].flatMap((decade) => [1, 2, 5].map((times2) => tickOf(times2, decade))).filter(([at]) => at >= low - 1e-9 && at <= top + 1e-9);
    const y = { low, high: top, ticks };
    const row = (at) => Math.min(ROWS - 1, Math.floor((at - low) / (top - low) * ROWS));
    const there = counts[chosen] > 0 ? drawn2[chosen] / counts[chosen] : 1;
    this.heat.show({
      x: axisOf(this.low, this.high, (value) => this.axisText(value), this.data.axis.label),
      y,
      depth: (atX, atY) => {
        const count = cells[row(atY) * COLUMNS + this.binAt(atX)];
        return count === 0 ? 0 : 0.15 + 0.85 * Math.log1p(count) / deepest;
      },
      at: { x: (this.edge(chosen) + this.edge(chosen + 1)) / 2, y: Math.max(low, Math.min(top, Math.log10(there))) },
      line: 0,
      summary: `A heat map of the pool by ${this.data.axis.label} and by how often each instance is drawn.`
    });
  }
  work({ counts, drawn: drawn2 }) {
    const { chosen } = this;
    const [count, sum2, n] = [counts[chosen], drawn2[chosen], this.data.n_instances];
    const head = element("h2", {}, `Worked out: ${this.data.axis.label} from ${this.binText(chosen)}`);
    const multiple = count > 0 ? sum2 / count : 0;
    const lines = count === 0 ? ["No instance of the pool is here."] : [
      `${countedText(count, "instance")}, ${percentText(count / n, 1)} of the pool: of 100 labels by uniform draws, ${number2(100 * (count / n))} would go here.`,
      `Each is drawn ${times(multiple)} times as often on average: of 100 labels by q*, ${number2(100 * (sum2 / n))} go here.`,
      multiple > 0 ? `To make up for that, a label here counts about ${number2(1 / multiple)} times in the estimate.` : "None is ever drawn: a label here says nothing about the measure."
    ];
    this.worked.replaceChildren(head, element("ol", {}, ...lines.map((line) => element("li", {}, line))));
  }
};
var numberText = (value) => Number(value.toPrecision(3)).toString().replace("-", "−");
var number2 = (value) => value >= 100 ? countText(value) : Number(value.toPrecision(2)).toString().replace("-", "−");
var capital = (text) => text[0].toUpperCase() + text.slice(1);
function endsOf(values, isShare) {
  const least = values.reduce((low, value) => Math.min(low, value), Number.POSITIVE_INFINITY);
  const most = values.reduce((high, value) => Math.max(high, value), Number.NEGATIVE_INFINITY);
  if (isShare) return [Math.min(Math.floor(10 * least + 1e-9) / 10, 0.9), 1];
  return least < most ? [least, most] : [least - 0.5, most + 0.5];
}
var tickOf = (times2, decade) => [
  Math.log10(times2) + decade,
  `${Number((times2 * 10 ** decade).toPrecision(1)).toLocaleString("en-US")}×`
];

// src/explorers/index.ts
var EXPLORERS = {
  "what-q-prefers": views3,
  "watching-an-interval": views2,
  "when-the-model-lies": views4,
  "how-many-labels": views,
  "your-pool": views5
};
function mount(place, { name, title, settings, data }) {
  const views6 = EXPLORERS[name];
  if (views6 === void 0) throw new Error(`there is no explorer ${name}`);
  const explorer = new Explorer(name, title, (table) => views6(table, settings, data));
  const forgetColors = followColors(place);
  place.replaceChildren(explorer.node);
  explorer.open(0);
  return () => {
    forgetColors();
    explorer.close();
    explorer.node.remove();
  };
}
function mountAll(page = document) {
  return [...page.querySelectorAll("[data-aew-explorer]")].flatMap((place) => {
    const content = place.querySelector("script[type='application/json']")?.textContent;
    return content ? [mount(place, JSON.parse(content))] : [];
  });
}
mountAll();
function render({ model, el }) {
  return mount(el, model.get("content"));
}
var index_default = { render };
export {
  index_default as default,
  mount,
  mountAll
};
