// Made of frontend/src by `make bundle`: edit that.

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
  return [layer, px.reduce((nearest, at, i) => Math.abs(at - x) < Math.abs(px[nearest] - x) ? i : nearest, 0)];
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
var SIZES = { dot: 3.4, cross: 3.4, foot: 3.4, diamond: 4.6 };
var cross = (x, y, size) => `M${x - size} ${y - size}l${2 * size} ${2 * size}m0 ${-2 * size}l${-2 * size} ${2 * size}`;
var SHAPES = {
  dot: (x, y, size) => `M${x - size} ${y}a${size} ${size} 0 1 0 ${2 * size} 0a${size} ${size} 0 1 0 ${-2 * size} 0`,
  cross,
  diamond: (x, y, size) => `M${x} ${y - 2 * size}l${1.5 * size} ${2 * size}l${-1.5 * size} ${2 * size}l${-1.5 * size} ${-2 * size}z`,
  foot: (x, y, size) => cross(x, y - FOOT, size)
};

// src/charts/scales.ts
var TICK = 12;
function scaleOf(axis, from, to) {
  const level = axis.is_log ? Math.log : (value) => value;
  const [start, end] = [level(axis.low), level(axis.high)];
  return (value) => from + (to - from) * (level(value) - start) / (end - start);
}
var longest = (ticks) => Math.max(...ticks.map(([, text]) => text.length));
var ticksWidth = ({ ticks }) => 0.64 * TICK * longest(ticks);
function verticalTicks({ ticks, is_log }, height) {
  const every = Math.ceil(ticks.length * (TICK + 3) / (height + TICK));
  const origin = Math.max(
    0,
    ticks.findIndex(([value]) => value === (is_log ? 1 : 0))
  );
  return ticks.filter((_, i) => (i - origin) % every === 0);
}
function horizontalTicks({ ticks }, width) {
  const widest = 0.62 * TICK * longest(ticks) + 8;
  const every = Math.ceil(ticks.length * widest / (width + widest));
  return ticks.filter((_, i) => i % every === 0);
}

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
var nClips = 0;
var Chart = class {
  /** `goTo` is called with the index of an instance whose point was chosen; `enter` says what it does. */
  constructor(goTo, enter = "Enter opens an instance.") {
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
      this.svg,
      this.tip,
      this.told
    );
    this.observer.observe(this.box);
  }
  goTo;
  enter;
  box;
  content = null;
  layers = [];
  at = null;
  // what is pointed at
  svg = drawn("svg", { "aria-hidden": "true" });
  tip = element("div", { class: "aew-tip", hidden: "", "aria-hidden": "true" });
  told = element("p", { class: "aew-unseen", "aria-live": "polite" });
  cursor = null;
  observer = new ResizeObserver(() => this.draw());
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
    const hasTitle = Boolean(content.x.title) && height >= 110;
    const [left, right] = [12 + ticksWidth(content.y), width - 20];
    const [top, bottom] = [9, height - (hasTitle ? 34 : 19)];
    const [x, y] = [scaleOf(content.x, left, right), scaleOf(content.y, bottom, top)];
    const frame = { content, left, right, top, bottom, hasTitle, x, y };
    const clip = `aew-clip-${nClips}`;
    nClips += 1;
    const clipPath = drawn("clipPath", { id: clip });
    clipPath.append(drawn("rect", { x: left, y: top - 1, width: right - left + 1, height: bottom - top + 2 }));
    const inside = drawn("g", { "clip-path": `url(#${clip})` });
    inside.append(...areaOf(frame));
    this.cursor = drawn("circle", { class: "aew-cursor", r: 6, visibility: "hidden" });
    this.svg.replaceChildren(clipPath, ...axesOf(frame), inside, ...pointsOf(frame), this.cursor);
    const place = (value) => Math.min(bottom, Math.max(top, y(value)));
    this.layers = content.stops.map((stop) => ({
      name: stop.name,
      by: stop.by,
      text: stop.text,
      index: stop.index,
      px: stop.x.map(x),
      py: stop.y.map((value) => place(value) - (stop.is_foot ? FOOT : 0))
    }));
    this.mark();
  }
  // -- values -------------------------------------------------------------------------------------------
  pointed(event) {
    if (this.content === null || this.layers.length === 0) return;
    const frame = this.box.getBoundingClientRect();
    this.at = valueAt(this.layers, event.clientX - frame.left, event.clientY - frame.top);
    this.mark();
  }
  leave() {
    this.at = null;
    this.mark();
  }
  /** Shows what is pointed at, and its value. */
  mark() {
    if (this.cursor === null) return;
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
function axesOf({ content, left, right, top, bottom, hasTitle, x, y }) {
  const nodes = [];
  const across = (kind, at) => drawn("line", { class: kind, x1: left, x2: right, y1: at, y2: at });
  for (const [value, text] of verticalTicks(content.y, bottom - top)) {
    const at = y(value);
    nodes.push(across("aew-grid-line", at), drawn("text", { x: left - 6, y: at + 4, "text-anchor": "end" }, text));
  }
  for (const [value, text] of horizontalTicks(content.x, right - left)) {
    nodes.push(drawn("text", { x: x(value), y: bottom + 15, "text-anchor": "middle" }, text));
  }
  nodes.push(across("aew-axis-line", bottom));
  if (hasTitle) {
    const middle = { x: (left + right) / 2, y: bottom + 30, "text-anchor": "middle" };
    nodes.push(drawn("text", middle, content.x.title));
  }
  for (const line of content.lines) nodes.push(across(`aew-draw-${line.kind}`, y(line.y)));
  content.sides.forEach((text, i) => {
    const place = { x: right - 2, y: i === 0 ? top + 10 : bottom - 14, "text-anchor": "end" };
    nodes.push(drawn("text", { class: "aew-side-text", ...place }, text));
  });
  return nodes;
}
function areaOf({ content, x, y }) {
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
function pointsOf({ content, left, right, top, x, y }) {
  return content.points.flatMap((points) => {
    const { kind, shape, size, label } = points;
    const sizeOf = (i) => size === void 0 ? SIZES[shape] : 1.4 + 2.8 * size[i];
    const d = points.x.map((value, i) => SHAPES[shape](x(value), y(points.y[i]), sizeOf(i))).join("");
    const nodes = [drawn("path", { class: `aew-draw-${kind} aew-shape-${shape}`, d })];
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

// src/charts/legend.ts
var SWATCHES = { wrong: "cross", drawn: "dot", pool: "dot", present: "diamond" };
var legendOf = (legend) => legend.map(([kind, text]) => element("li", {}, swatch(kind), text));
function swatch(kind) {
  const drawing = drawn("svg", { class: "aew-swatch", width: 18, height: 12, "aria-hidden": "true" });
  const shape = SWATCHES[kind];
  if (shape !== void 0) {
    drawing.append(drawn("path", { class: `aew-draw-${kind} aew-shape-${shape}`, d: SHAPES[shape](9, 6, 3.2) }));
  } else if (kind === "band" || kind === "approximate")
    drawing.append(drawn("rect", { class: `aew-draw-${kind}`, width: 18, height: 12 }));
  else drawing.append(drawn("line", { class: `aew-draw-${kind}`, x1: 0, x2: 18, y1: 6, y2: 6 }));
  return drawing;
}

// src/dom/dialog.ts
function makeDialog(name, title, ...children) {
  const id = `aew-${name}-title`;
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
var PlotPanel = class {
  node;
  title = element("h2");
  asTable;
  legend = element("ul", { class: "aew-legend" });
  note = element("p", { class: "aew-plot-note", hidden: "" });
  chart;
  constructor(name, goTo, table, enter) {
    this.chart = new Chart(goTo, enter);
    const open = () => {
      if (this.chart.content) table.open(this.chart.content);
    };
    const attributes = { type: "button", class: "aew-action aew-as-table", title: "As a table", onclick: open };
    this.asTable = element("button", attributes, "▤");
    this.node = element(
      "section",
      { class: `aew-panel aew-${name}-plot`, "data-aew": `${name}-plot` },
      element("div", { class: "aew-plot-head" }, this.title, this.asTable),
      this.legend,
      this.chart.box,
      this.note
    );
  }
  show(content) {
    setText(this.title, content.heading);
    this.asTable.setAttribute("aria-label", `Table: ${content.heading}`);
    const said = JSON.stringify(content.legend);
    if (this.legend.dataset.said !== said) {
      this.legend.dataset.said = said;
      this.legend.replaceChildren(...legendOf(content.legend));
    }
    setText(this.note, content.note ?? "");
    this.note.hidden = !content.note;
    this.chart.show(content);
  }
  close() {
    this.chart.close();
  }
};

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
  constructor(name, title, make, settings) {
    nExplorers += 1;
    const id = `aew-explorer-${nExplorers}`;
    this.views = make(this.table, settings);
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
          { class: "aew-tabs", role: "tablist", "aria-label": title, onkeydown: (event) => this.pressed(event) },
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
  const said = element("div", { class: "aew-said" }, element("p", {}, view.see), element("p", {}, hint(), view.play));
  const side = element("div", { class: "aew-explorer-side" }, said, ...view.controls);
  const main = element("div", { class: "aew-explorer-main" }, view.finding, ...view.plots);
  const attributes = { class: "aew-explorer-body", role: "tabpanel", id, "aria-labelledby": tab, hidden: "" };
  return element("div", attributes, side, main);
}
var hint = () => element("strong", {}, "Try: ");
var say = (node, text) => setText(node, text);

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

// src/explorers/formulas/preferences.ts
var preferenceOf = (outcomes) => Math.sqrt(outcomes.reduce((sum, { probability, deviation }) => sum + probability * deviation ** 2, 0));
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

// src/explorers/plots.ts
var NO_BREAK = " ";
var percentText = (share, digits = 0) => `${(100 * share).toFixed(digits)}${NO_BREAK}%`;
function axisOf(low, high, text, title) {
  const unit = 10 ** Math.floor(Math.log10((high - low) / 5));
  const step = [1, 2, 5, 10].map((factor) => factor * unit).find((by) => (high - low) / by < 6.5) ?? 10 * unit;
  const ticks = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; i += 1)
    ticks.push([i * step, text(i * step)]);
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
var someOf = (rows, most = 12) => rows.length <= most ? rows : Array.from({ length: most }, (_, i) => rows[Math.round(i * (rows.length - 1) / (most - 1))]);
var spread = (low, high, count) => Array.from({ length: count }, (_, i) => low + (high - low) * i / (count - 1));
var mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

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
    const within = (axis, value) => Math.min(axis.high, Math.max(axis.low, value));
    this.onChoose(within(x, this.toX(event.clientX - frame.left)), within(y, this.toY(event.clientY - frame.top)));
  }
  draw() {
    const { content, box } = this;
    const { clientWidth: width, clientHeight: height } = box;
    if (content === null || width < 60 || height < 40) return;
    const [left, right] = [12 + ticksWidth(content.y), width - 20];
    const [top, bottom] = [9, height - (content.x.title ? 34 : 19)];
    const [x, y] = [scaleOf(content.x, left, right), scaleOf(content.y, bottom, top)];
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
    for (const [value, text] of verticalTicks(content.y, bottom - top)) {
      nodes.push(drawn("text", { x: left - 6, y: y(value) + 4, "text-anchor": "end" }, text));
    }
    for (const [value, text] of horizontalTicks(content.x, right - left)) {
      nodes.push(drawn("text", { x: x(value), y: bottom + 15, "text-anchor": "middle" }, text));
    }
    if (content.x.title) {
      const middle = { x: (left + right) / 2, y: bottom + 30, "text-anchor": "middle" };
      nodes.push(drawn("text", middle, content.x.title));
    }
    const [atX, atY] = [x(content.at.x), y(content.at.y)];
    nodes.push(
      drawn("line", { class: "aew-heat-line", x1: left, x2: right, y1: atY, y2: atY }),
      drawn("circle", { class: "aew-heat-mark", cx: atX, cy: atY, r: 6 })
    );
    this.svg.replaceChildren(...nodes);
  }
};

// src/explorers/preference_view.ts
var POINTS = 101;
var XS = spread(0, 1, POINTS);
var costAt = (doubt, most) => 1 + (most - 1) * doubt;
function multiplesOf(curves, cost) {
  const weighted = curves.map(({ outcomes }) => XS.map((x) => preferenceOf(outcomes(x)) / Math.sqrt(cost(x))));
  const there = curves.map(({ has }) => XS.map(has));
  let [sum, count] = [0, 0];
  curves.forEach(({ share }, c) => {
    const values = weighted[c].filter((_, i) => there[c][i]);
    sum += share * values.reduce((total, value) => total + value, 0);
    count += share * values.length;
  });
  const average = sum / count;
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
    if (!curves[this.curve]?.has(XS[this.at])) this.curve = curves.findIndex(({ has }) => has(XS[this.at]));
    const cost = (x) => costAt(made.doubt(x), made.costs.value);
    const multiples = multiplesOf(curves, cost);
    this.panel.show(this.plot(curves, multiples));
    say(
      this.finding,
      made.found((x, c) => multiples[c][Math.round(x * (POINTS - 1))])
    );
    this.showHeat(cost);
    this.work(curves[this.curve], multiples[this.curve][this.at], cost);
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
  plot(curves, multiples) {
    const shown = curves.map(({ has }, c) => {
      const kept = XS.map((x, i) => ({ x, y: multiples[c][i], i })).filter(({ x }) => has(x));
      return { x: kept.map(({ x }) => x), y: kept.map(({ y }) => y), index: kept.map(({ i }) => c * POINTS + i) };
    });
    const high = Math.max(2, Math.ceil(Math.max(...shown.flatMap(({ y }) => y)) * 1.05));
    const said = (c, x, y) => `${this.made.at(x)}${curves.length > 1 ? `, ${curves[c].name}` : ""}: drawn ${times(y)} times as often as uniformly`;
    const rows = shown.flatMap(
      ({ x, y }, c) => someOf(x.map((_, i) => i)).map((i) => [curves[c].name, percentText(x[i]), `${times(y[i])}×`])
    );
    return plotOf({
      heading: "How often an instance is drawn",
      note: "In a pool whose instances are spread evenly along the axis.",
      x: axisOf(0, 1, (value) => percentText(value), this.made.axis),
      y: axisOf(0, high, (value) => `${Number(value.toFixed(1))}×`),
      curves: shown.map(({ x, y }, c) => ({ kind: curves[c].kind, x, y })),
      lines: [{ kind: "uniform", y: 1 }],
      points: [{ kind: "present", shape: "diamond", x: [XS[this.at]], y: [multiples[this.curve][this.at]] }],
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
      at: { x: XS[this.at], y: slider.value },
      summary: `A heat map of the same for ${label}: the darker, the more often drawn. The line is the slider's value.`
    });
  }
  work(curve, multiple, cost) {
    const x = XS[this.at];
    const outcomes = curve.outcomes(x);
    const words = curve.words(x);
    const steps = outcomes.map(({ probability, deviation }, i) => {
      const [what, how] = words[i];
      return `${what} (probability ${number(probability)}): off by ${how} = ${number(deviation)}, squared ${number(deviation ** 2)}.`;
    });
    const sum = outcomes.map(({ probability, deviation }) => `${number(probability)} × ${number(deviation ** 2)}`).join(" + ");
    const expected = preferenceOf(outcomes);
    steps.push(
      `Expected square: ${sum} = ${number(expected ** 2)}. Its root, ${number(expected)}, is what the label is expected to tell.`
    );
    const price = cost(x);
    if (price !== 1)
      steps.push(
        `The label costs ${number(price)}: ${number(expected)} / √${number(price)} = ${number(expected / Math.sqrt(price))}.`
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
var views = (table, settings) => [
  errorRate(table, settings),
  fMeasure(table, settings),
  twoModels(table, settings)
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
          kind: "estimate",
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

// src/explorers/index.ts
var EXPLORERS = {
  "what-q-prefers": views
};
function mount(place, { name, title, settings }) {
  const views2 = EXPLORERS[name];
  if (views2 === void 0) throw new Error(`there is no explorer ${name}`);
  const explorer = new Explorer(name, title, views2, settings);
  const forgetColors = followColors(place);
  place.replaceChildren(explorer.node);
  explorer.open(0);
  return () => {
    forgetColors();
    explorer.close();
    explorer.node.remove();
  };
}
function followColors(place) {
  if (document.querySelector("[data-jp-theme-light], .vscode-dark, .vscode-light")) return () => {
  };
  const page = document.documentElement;
  const isSystemDark = window.matchMedia("(prefers-color-scheme: dark)");
  const follow = () => {
    const said = page.dataset.theme;
    const isDark = said === "dark" || said !== "light" && isSystemDark.matches;
    place.dataset.jpThemeLight = String(!isDark);
  };
  const observer = new MutationObserver(follow);
  observer.observe(page, { attributes: true, attributeFilter: ["data-theme"] });
  isSystemDark.addEventListener("change", follow);
  follow();
  return () => {
    observer.disconnect();
    isSystemDark.removeEventListener("change", follow);
  };
}
function mountAll(page = document) {
  for (const place of page.querySelectorAll("[data-aew-explorer]")) {
    const content = place.querySelector("script[type='application/json']")?.textContent;
    if (content) mount(place, JSON.parse(content));
  }
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
