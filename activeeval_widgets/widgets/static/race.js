// Made of frontend/src by `make bundle`: edit that.

// src/connection/jupyter_line.ts
var FIRST_LOOK = 300;
var LOOK_EVERY = 500;
var CONNECT_EVERY = 5e3;
var isLineDown = (kernel) => (kernel?.connectionStatus ?? "connected") !== "connected";
var nextLook = /* @__PURE__ */ new WeakMap();
async function reconnect(kernel, now) {
  if (!kernel || kernel.isDisposed) return;
  if (!isLineDown(kernel)) {
    nextLook.set(kernel, now + FIRST_LOOK);
    return;
  }
  const { serverSettings, id } = kernel;
  const { baseUrl, init, fetch: ask = fetch } = serverSettings ?? {};
  if (baseUrl === void 0 || now < (nextLook.get(kernel) ?? Number.POSITIVE_INFINITY)) return;
  nextLook.set(kernel, Number.POSITIVE_INFINITY);
  let wait = LOOK_EVERY;
  try {
    await ask(new Request(`${baseUrl}api/kernels/${id}`, { ...init, method: "GET", cache: "no-store" }));
    if (isLineDown(kernel) && !kernel.isDisposed) {
      wait = CONNECT_EVERY;
      kernel.reconnect?.().catch(() => {
      });
    }
  } catch {
  }
  nextLook.set(kernel, performance.now() + wait);
}

// src/connection/connection.ts
var ANSWER_WITHIN = 2e3;
var HEARTBEAT_EVERY = 5e3;
var REPEAT_AFTER = 1e3;
var REPEAT_EVERY = 8e3;
var CHECK_EVERY = 250;
var Connection = class {
  constructor(model, listeners) {
    this.model = model;
    this.listeners = listeners;
    model.on("msg:custom", this.listener);
    this.watch = setInterval(() => this.check(), CHECK_EVERY);
    this.heartbeat = setInterval(() => {
      if (this.outstanding.size === 0 && !document.hidden) this.enqueue("ping");
    }, HEARTBEAT_EVERY);
  }
  model;
  listeners;
  isLost = false;
  client = Math.random().toString(36).slice(2);
  seq = 0;
  outstanding = /* @__PURE__ */ new Map();
  listener = (message, buffers) => this.receive(message, buffers);
  watch;
  heartbeat;
  /** Returns the message's sequence number. */
  send(type, ...content) {
    return this.enqueue(type, content[0]);
  }
  /** The same with bytes. */
  sendBytes(type, content, bytes) {
    return this.enqueue(type, content, [bytes]);
  }
  enqueue(type, content, buffers) {
    this.seq += 1;
    const now = performance.now();
    const message = { ...content, type, client: this.client, seq: this.seq };
    const repeatAt = this.isDown ? now : now + REPEAT_AFTER;
    this.outstanding.set(this.seq, { type, message, buffers, sentAt: now, repeatAt, wait: REPEAT_AFTER });
    this.transmit(message, buffers);
    return this.seq;
  }
  isWaitingFor(...types) {
    return [...this.outstanding.values()].some(({ type }) => types.includes(type));
  }
  close() {
    this.model.off("msg:custom", this.listener);
    clearInterval(this.watch);
    clearInterval(this.heartbeat);
  }
  // What is sent while the line is down would wait in Jupyter's queue, where it holds up by 3 s the question that
  // Jupyter asks of the kernel first: it waits here.
  get isDown() {
    return isLineDown(this.model.widget_manager?.kernel);
  }
  transmit(message, buffers) {
    if (this.isDown) return;
    try {
      if (buffers) this.model.send(message, void 0, buffers);
      else this.model.send(message);
    } catch {
    }
  }
  repeat(now) {
    for (const sent of this.outstanding.values()) {
      if (this.isDown) Object.assign(sent, { repeatAt: now, wait: REPEAT_AFTER });
      if (this.isDown || now < sent.repeatAt) continue;
      sent.wait = Math.min(2 * sent.wait, REPEAT_EVERY);
      sent.repeatAt = now + sent.wait;
      this.transmit({ ...sent.message, is_repeated: true }, sent.buffers);
    }
  }
  receive(message, buffers) {
    const isOwn = message.client === this.client;
    if (isOwn && typeof message.seq === "number") {
      this.outstanding.delete(message.seq);
      this.check();
    }
    this.listeners.onReply(message, buffers, isOwn);
  }
  check() {
    const now = performance.now();
    void reconnect(this.model.widget_manager?.kernel, now);
    this.repeat(now);
    const isLost = [...this.outstanding.values()].some(({ sentAt }) => now - sentAt > ANSWER_WITHIN);
    if (isLost !== this.isLost) {
      this.isLost = isLost;
      this.listeners.onChange();
    }
  }
};

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
function uniqueId(name) {
  let id = name;
  for (let n = 2; used.has(id) || document.getElementById(id) !== null; n += 1) id = `${name}-${n}`;
  used.add(id);
  return id;
}
var used = /* @__PURE__ */ new Set();

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

// src/keys/key_names.ts
var TEXT_FIELDS = "input:not([type=checkbox], [type=range]), textarea, select, [role=textbox]";
var isTextField = (target) => target instanceof HTMLElement && (target.isContentEditable || target.matches(TEXT_FIELDS));
function keyNames(event) {
  if (event.key.length > 1) return [event.key];
  const key = event.key.toLowerCase();
  return event.shiftKey && key !== key.toUpperCase() ? [`Shift+${key}`, key] : [key];
}
var isForeign = (event) => event.ctrlKey || event.metaKey || event.altKey || event.isComposing;
var SHOWN = {
  ArrowUp: "↑",
  ArrowDown: "↓",
  ArrowLeft: "←",
  ArrowRight: "→",
  Escape: "Esc",
  " ": "Space",
  "-": "−"
};
function shownKey(name) {
  const [last, shift] = name.startsWith("Shift+") ? [name.slice(6), "⇧"] : [name, ""];
  return shift + (SHOWN[last] ?? (last.length === 1 ? last.toUpperCase() : last));
}
var keyCaps = (names) => names.map((name) => keyCap(shownKey(name)));

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
  const picture2 = drawn("svg", { xmlns: "http://www.w3.org/2000/svg" });
  picture2.append(
    drawn("text", { ...text, "font-size": 14, "font-weight": 600, x: MARGIN, y: 24 }, heading.textContent)
  );
  let [x, y] = [MARGIN, 24 + LINE + 4];
  for (const item of legend.children) {
    const itemWidth = item.getBoundingClientRect().width;
    if (x > MARGIN && x + itemWidth > width) [x, y] = [MARGIN, y + LINE];
    const swatch2 = item.querySelector("svg");
    if (swatch2 !== null) picture2.append(placed(copyOf(swatch2), x, y - 10));
    picture2.append(drawn("text", { ...text, "font-size": 12, x: x + 23, y }, item.textContent));
    x += itemWidth + GAP;
  }
  const top = y + 8;
  for (const layer of box.querySelectorAll("svg")) {
    if (layer.parentElement?.closest("svg") !== null) continue;
    const copy = placed(copyOf(layer), MARGIN / 2, top);
    copy.setAttribute("width", String(width));
    copy.setAttribute("height", String(height));
    picture2.append(copy);
  }
  const [fullWidth, fullHeight] = [Math.ceil(width + MARGIN), Math.ceil(top + height + MARGIN / 2)];
  const { backgroundColor } = getComputedStyle(heading.closest(".aew-panel") ?? heading);
  picture2.prepend(drawn("rect", { width: fullWidth, height: fullHeight, fill: backgroundColor }));
  picture2.setAttribute("width", String(fullWidth));
  picture2.setAttribute("height", String(fullHeight));
  picture2.setAttribute("viewBox", `0 0 ${fullWidth} ${fullHeight}`);
  return picture2;
}
var svgText = (picture2) => new XMLSerializer().serializeToString(picture2);
async function pngOf(picture2) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgText(picture2))}`;
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
    const picture2 = pictureOf({ box: this.chart.box, heading: this.title, legend: this.legend });
    const svg = new Blob([svgText(picture2)], { type: "image/svg+xml;charset=utf-8" });
    const content = kind === "svg" ? svg : await pngOf(picture2);
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
    const said2 = JSON.stringify(content.legend);
    if (this.legend.dataset.said !== said2) {
      this.legend.dataset.said = said2;
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

// src/dom/python_module.ts
async function importModule(source) {
  const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  try {
    const module = await import(url);
    return module.default;
  } finally {
    URL.revokeObjectURL(url);
  }
}

// src/from_python/safe_elements.ts
var SAFE = {
  "tags": [
    "a",
    "b",
    "bdi",
    "blockquote",
    "br",
    "caption",
    "code",
    "dd",
    "del",
    "div",
    "dl",
    "dt",
    "em",
    "figcaption",
    "figure",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "i",
    "img",
    "ins",
    "kbd",
    "li",
    "mark",
    "ol",
    "p",
    "pre",
    "q",
    "s",
    "samp",
    "section",
    "small",
    "span",
    "strong",
    "sub",
    "sup",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "tr",
    "u",
    "ul",
    "var"
  ],
  "attributes": {
    "*": {
      "class": "(?:aew-answers|aew-aside|aew-block|aew-broken|aew-call|aew-card|aew-center|aew-code|aew-column|aew-conversation|aew-cut|aew-half|aew-html|aew-large|aew-link|aew-long|aew-markdown|aew-missing|aew-muted|aew-one-by-one|aew-pair|aew-passage|aew-pre|aew-prompt|aew-prose|aew-query|aew-ranking|aew-record|aew-reference|aew-result|aew-result-body|aew-results|aew-row|aew-small|aew-thumbnail|aew-title|aew-turn|aew-unseen|aew-wide)(?: (?:aew-answers|aew-aside|aew-block|aew-broken|aew-call|aew-card|aew-center|aew-code|aew-column|aew-conversation|aew-cut|aew-half|aew-html|aew-large|aew-link|aew-long|aew-markdown|aew-missing|aew-muted|aew-one-by-one|aew-pair|aew-passage|aew-pre|aew-prompt|aew-prose|aew-query|aew-ranking|aew-record|aew-reference|aew-result|aew-result-body|aew-results|aew-row|aew-small|aew-thumbnail|aew-title|aew-turn|aew-unseen|aew-wide))*",
      "dir": "auto|ltr|rtl",
      "lang": "[A-Za-z0-9-]{1,35}",
      "title": "[\\s\\S]*"
    },
    "a": {
      "href": "(?:[hH][tT]{2}[pP][sS]?://|[mM][aA][iI][lL][tT][oO]:)[^\\u0000-\\u0020\\u007f-\\u00a0]+"
    },
    "img": {
      "src": "data:image/(?:png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2}",
      "alt": "[\\s\\S]*",
      "width": "[0-9]{1,5}",
      "height": "[0-9]{1,5}"
    },
    "li": {
      "data-item": "[\\s\\S]*"
    },
    "ol": {
      "start": "-?[0-9]{1,9}"
    },
    "p": {
      "data-passage": "[0-9]{1,9}",
      "data-next": "[0-9]{1,12}"
    },
    "td": {
      "colspan": "[1-9][0-9]{0,2}",
      "rowspan": "[1-9][0-9]{0,2}",
      "scope": "row|col|rowgroup|colgroup"
    },
    "th": {
      "colspan": "[1-9][0-9]{0,2}",
      "rowspan": "[1-9][0-9]{0,2}",
      "scope": "row|col|rowgroup|colgroup"
    }
  }
};

// src/dom/safe_tree.ts
var SAFE_TAGS = new Set(SAFE.tags);
var SAFE_VALUES = Object.fromEntries(
  Object.entries(SAFE.attributes).map(([tag, names]) => [
    tag,
    Object.fromEntries(Object.entries(names).map(([name, pattern]) => [name, new RegExp(`^(?:${pattern})$`)]))
  ])
);
var SAFE_PROTOCOLS = /* @__PURE__ */ new Set(["http:", "https:", "mailto:"]);
function buildTree(node) {
  const [tag, attributes, children] = node;
  if (!SAFE_TAGS.has(tag)) throw new Error(`the tag ${tag} is not allowed`);
  const built = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    const pattern = SAFE_VALUES["*"][name] ?? SAFE_VALUES[tag]?.[name];
    if (!pattern?.test(value) || name === "href" && !SAFE_PROTOCOLS.has(new URL(value).protocol)) {
      throw new Error(`${name} of ${tag} is not allowed`);
    }
    built.setAttribute(name, value);
  }
  if (built instanceof HTMLAnchorElement) {
    built.target = "_blank";
    built.rel = "noopener noreferrer";
  }
  for (const child of children) built.append(typeof child === "string" ? child : buildTree(child));
  return built;
}
var readTree = (bytes) => buildTree(JSON.parse(new TextDecoder().decode(bytes)));
function brokenContent(description, reason) {
  return buildTree([
    "div",
    { class: "aew-broken" },
    [
      ["p", {}, [["strong", {}, [`${description} can't be shown.`]]]],
      ["p", {}, [reason]],
      ["p", {}, ["You can exclude it and go on."]]
    ]
  ]);
}

// src/dom/surroundings.ts
function focusedFrom(node) {
  const root = node.getRootNode();
  return root instanceof ShadowRoot ? root.activeElement : document.activeElement;
}

// src/instances/image_tools.ts
var ZOOM_STEP = 1.5;
var LARGEST_ZOOM = 40;
var BRIGHTNESS_STEP = 1.25;
var PAN_STEP = 60;
var DOUBLE_CLICK_ZOOM = 3;
var SMALL_SIDE = 320;
var MOST_ENLARGED = 4;
function mostEnlarged({ naturalWidth, naturalHeight }, isPixelated) {
  const most = Math.max(SMALL_SIDE / Math.max(naturalWidth, naturalHeight, 1), MOST_ENLARGED);
  return isPixelated ? Math.floor(most) : most;
}
function isTransparent(image) {
  const canvas = element("canvas", { width: 48, height: 48 });
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (context === null) return false;
  context.imageSmoothingEnabled = false;
  context.drawImage(image, 0, 0, 48, 48);
  return context.getImageData(0, 0, 48, 48).data.some((value, i) => i % 4 === 3 && value < 250);
}
var ImageTools = class {
  bar;
  brightness = 1;
  isSmooth = null;
  // as Python says for the image, until the person chooses
  scale = 1;
  x = 0;
  y = 0;
  stage = null;
  stages = /* @__PURE__ */ new WeakMap();
  noteText = element("span", { class: "aew-image-note" });
  fit = button("Show the whole image (0)", "", () => this.reset());
  smooth = button("Smooth or sharp edges of pixels", "Smooth", () => {
    this.isSmooth = this.smooth.getAttribute("aria-pressed") !== "true";
    this.paint();
  });
  constructor() {
    this.bar = element(
      "div",
      { class: "aew-image-bar", role: "group", "aria-label": "Image", hidden: "" },
      this.noteText,
      button("Zoom out (−)", "−", () => this.zoom(1 / ZOOM_STEP)),
      this.fit,
      button("Zoom in (+)", "+", () => this.zoom(ZOOM_STEP)),
      button("Darker", "Darker", () => this.brighten(1 / BRIGHTNESS_STEP)),
      button("Brighter", "Brighter", () => this.brighten(BRIGHTNESS_STEP)),
      this.smooth
    );
  }
  /** Whether an image is shown. */
  get isInUse() {
    return this.stage !== null;
  }
  /** A stage with one image on it. Its listeners act on the stage that is shown. */
  makeStage(image, { mime, pixelated, note }) {
    const node = element(
      "div",
      {
        class: "aew-stage",
        onpointerdown: (event) => this.onPointerdown(event),
        onpointermove: (event) => this.onPointermove(event),
        ondblclick: (event) => this.onDoubleClick(event)
      },
      image
    );
    node.classList.toggle("aew-transparent", mime !== "image/jpeg" && isTransparent(image));
    node.addEventListener("wheel", (event) => this.onWheel(event), { passive: false });
    const enlarged2 = mostEnlarged(image, pixelated);
    image.style.maxWidth = `${enlarged2 * image.naturalWidth}px`;
    image.style.maxHeight = `${enlarged2 * image.naturalHeight}px`;
    this.stages.set(node, { node, image, isPixelated: pixelated, note, enlarged: enlarged2 });
    return node;
  }
  /** Act on what is shown, if it is a stage. */
  show(content) {
    this.stage = this.stages.get(content) ?? null;
    this.bar.classList.toggle("aew-idle", this.stage === null);
    if (this.stage === null) return;
    this.bar.hidden = false;
    this.noteText.textContent = this.stage.note;
    this.reset();
  }
  /** Whether the key was one of ours. */
  onKey(event) {
    if (this.stage === null) return false;
    const pans = {
      ArrowLeft: [1, 0],
      ArrowRight: [-1, 0],
      ArrowUp: [0, 1],
      ArrowDown: [0, -1]
    };
    if (event.key === "+" || event.key === "=") this.zoom(ZOOM_STEP);
    else if (event.key === "-") this.zoom(1 / ZOOM_STEP);
    else if (event.key === "0") this.reset();
    else if (event.key in pans && this.scale > 1) {
      const [x, y] = pans[event.key];
      this.pan(x * PAN_STEP, y * PAN_STEP);
    } else return false;
    return true;
  }
  reset() {
    this.scale = 1;
    this.x = 0;
    this.y = 0;
    this.paint();
  }
  /** Zooms so that what is at the point (from the center of the stage) stays there. */
  zoom(factor, [x, y] = [0, 0]) {
    const before = this.scale;
    this.scale = Math.min(LARGEST_ZOOM, Math.max(1, before * factor));
    this.x = x - (x - this.x) * (this.scale / before);
    this.y = y - (y - this.y) * (this.scale / before);
    this.paint();
  }
  pan(x, y) {
    this.x += x;
    this.y += y;
    this.paint();
  }
  brighten(factor) {
    const brightness = this.brightness * factor;
    this.brightness = Math.abs(brightness - 1) < 0.01 ? 1 : Math.min(8, Math.max(1 / 8, brightness));
    this.paint();
  }
  paint() {
    if (this.stage === null) return;
    const { node, image, isPixelated, enlarged: enlarged2 } = this.stage;
    const { clientWidth: width, clientHeight: height } = node;
    const fitted = Math.min(width / (image.naturalWidth || 1), height / (image.naturalHeight || 1), enlarged2);
    const roomX = Math.max(0, (this.scale * fitted * image.naturalWidth - width) / 2);
    const roomY = Math.max(0, (this.scale * fitted * image.naturalHeight - height) / 2);
    this.x = Math.min(roomX, Math.max(-roomX, this.x));
    this.y = Math.min(roomY, Math.max(-roomY, this.y));
    const isMoved = this.scale > 1;
    image.style.transform = isMoved ? `translate(${this.x}px, ${this.y}px) scale(${this.scale})` : "";
    image.style.filter = this.brightness === 1 ? "" : `brightness(${this.brightness})`;
    const isSmooth = this.isSmooth ?? !isPixelated;
    image.classList.toggle("aew-pixelated", !isSmooth);
    node.classList.toggle("aew-zoomed", isMoved);
    this.smooth.setAttribute("aria-pressed", String(isSmooth));
    const percent = `${Math.round(100 * this.scale)}%`;
    setText(this.fit, percent);
    this.fit.setAttribute("aria-label", `Zoom ${percent}: show the whole image`);
  }
  fromCenter({ clientX, clientY }) {
    const box = this.stage?.node.getBoundingClientRect() ?? new DOMRect();
    return [clientX - box.left - box.width / 2, clientY - box.top - box.height / 2];
  }
  // The wheel scrolls the page as ever, unless Ctrl is held (so a pinch is reported) or the image is zoomed.
  onWheel(event) {
    if (!event.ctrlKey && !event.metaKey && this.scale === 1) return;
    event.preventDefault();
    this.zoom(Math.exp(-event.deltaY / (event.ctrlKey ? 100 : 400)), this.fromCenter(event));
  }
  onDoubleClick(event) {
    if (this.scale > 1) this.reset();
    else this.zoom(DOUBLE_CLICK_ZOOM, this.fromCenter(event));
  }
  onPointerdown(event) {
    if (event.button === 0 && this.scale > 1) this.stage?.node.setPointerCapture(event.pointerId);
  }
  onPointermove(event) {
    if (this.stage?.node.hasPointerCapture(event.pointerId)) this.pan(event.movementX, event.movementY);
  }
};
function button(name, text, onclick) {
  return element("button", { type: "button", class: "aew-action", title: name, "aria-label": name, onclick }, text);
}

// src/instances/elements.ts
var elements = {
  shows: () => true,
  async build(info, bytes) {
    const content = scroller(info.description, readTree(bytes));
    const broken = () => element("p", { class: "aew-broken" }, "This image can't be shown.");
    await Promise.all(
      [...content.querySelectorAll("img")].map((image) => image.decode().catch(() => image.replaceWith(broken())))
    );
    return content;
  }
};

// src/instances/picture.ts
var picture = {
  shows: (mime) => mime.startsWith("image/"),
  async build(info, bytes, { addUrl, tools }) {
    const image = new Image();
    image.src = addUrl(new Blob([bytes], { type: info.mime }));
    image.alt = info.description;
    image.draggable = false;
    await image.decode();
    return tools.makeStage(image, info);
  }
};

// src/instances/index.ts
var KINDS = [picture, elements];
function kindOf(mime, outside) {
  return [...outside, ...KINDS].find((kind) => kind.shows(mime)) ?? elements;
}
function scroller(description, content) {
  return element("div", { class: "aew-scroll", tabindex: "0", role: "group", "aria-label": description }, content);
}

// src/instances/long_texts.ts
var ALL = "o";
var REFERENCE = "k";
var LongTexts = class {
  bar;
  /** The reference answer, below what it is held against. */
  panel = element("div", {
    class: "aew-expected",
    tabindex: "0",
    role: "group",
    "aria-label": "Reference answer",
    hidden: ""
  });
  content = null;
  references = /* @__PURE__ */ new WeakMap();
  all = element("button", { type: "button", class: "aew-action", onclick: () => this.toggleAll() });
  reference = element("button", {
    type: "button",
    class: "aew-action",
    onclick: () => this.toggleReference()
  });
  constructor() {
    const name = { class: "aew-text-bar", role: "group", "aria-label": "Long texts and reference", hidden: "" };
    this.bar = element("div", name, this.all, this.reference);
  }
  /** Folds what is long, and puts the reference answer aside. */
  prepare(content) {
    const reference = content.querySelector(".aew-reference");
    if (reference !== null) {
      reference.remove();
      this.references.set(content, reference);
    }
    for (const long of content.querySelectorAll(".aew-long")) {
      long.classList.add("aew-folded");
      const words = (long.textContent ?? "").length.toLocaleString("en-US");
      const button2 = element(
        "button",
        { type: "button", class: "aew-action aew-unfold", onclick: () => this.fold(long, false) },
        `Show all ${words} characters`
      );
      long.after(button2);
      long.addEventListener("focusin", () => this.fold(long, false));
    }
  }
  /** What is put aside of an instance's content. */
  asideOf(content) {
    return this.references.get(content) ?? null;
  }
  /** Act on what is shown now, all of it as at first. */
  show(content) {
    this.content = content;
    makeReachable(content);
    this.foldAll(true);
    this.showReference(false);
    const reference = this.asideOf(content);
    this.panel.replaceChildren(...reference === null ? [] : [reference]);
    this.bar.hidden = reference === null && this.longs.length === 0;
    this.reference.hidden = reference === null;
    this.all.hidden = this.longs.length === 0;
  }
  /** Whether the key was one of ours. */
  onKey(event) {
    if (event.repeat || this.bar.hidden) return false;
    if (event.key.toLowerCase() === ALL && !this.all.hidden) this.toggleAll();
    else if (event.key.toLowerCase() === REFERENCE && !this.reference.hidden) this.toggleReference();
    else return false;
    return true;
  }
  /** Its keys, where labels and actions leave them. */
  help(keys) {
    this.paint(keys);
    const rows = [];
    if (!this.all.hidden) rows.push([[ALL], "open or fold long texts"]);
    if (!this.reference.hidden) rows.push([[REFERENCE], "show or hide the reference answer"]);
    return this.bar.hidden ? [] : rows;
  }
  /** Whether a button shows its key depends on whether labels or actions have it. */
  paint(keys = this.keys) {
    this.keys = keys;
    const isFolded = this.longs.some((long) => long.classList.contains("aew-folded"));
    this.name(this.all, ALL, isFolded ? "Open long texts" : "Fold long texts");
    this.all.setAttribute("aria-pressed", String(!isFolded));
    this.name(this.reference, REFERENCE, "Reference answer");
    this.reference.setAttribute("aria-pressed", String(!this.panel.hidden));
  }
  keys = null;
  name(button2, key, text) {
    const isFree = this.keys === null || this.keys.holder(key) === null && !this.keys.taken.has(key);
    const caps = isFree ? [keyCap(key.toUpperCase())] : [];
    if (button2.textContent === caps.map((cap) => cap.textContent).join("") + text) return;
    button2.replaceChildren(...caps, text);
  }
  get longs() {
    return [...this.content?.querySelectorAll(".aew-long") ?? []];
  }
  toggleAll() {
    this.foldAll(!this.longs.some((long) => long.classList.contains("aew-folded")));
  }
  foldAll(isFolded) {
    for (const long of this.longs) this.fold(long, isFolded);
    this.paint();
  }
  fold(long, isFolded) {
    const button2 = long.nextElementSibling;
    const hadFocus = !isFolded && button2 instanceof HTMLElement && button2.matches(":focus");
    long.classList.toggle("aew-folded", isFolded);
    if (button2 instanceof HTMLElement) button2.hidden = !isFolded;
    if (hadFocus) this.content?.closest(".aew-scroll")?.focus({ preventScroll: true });
    this.paint();
  }
  toggleReference() {
    this.showReference(this.panel.hidden === true);
  }
  showReference(isShown) {
    const hadFocus = !isShown && this.panel.matches(":focus-within");
    this.panel.hidden = !isShown;
    this.panel.classList.toggle("aew-scroll", isShown);
    this.panel.scrollTop = 0;
    if (isShown) makeReachable(this.panel);
    if (hadFocus) this.reference.focus({ preventScroll: true });
    this.paint();
  }
};
function makeReachable(part) {
  for (const wide of part.querySelectorAll(".aew-pre, .aew-wide")) {
    if (wide.scrollWidth <= wide.clientWidth) continue;
    wide.tabIndex = 0;
    wide.setAttribute("role", "group");
    wide.setAttribute("aria-label", wide.matches(".aew-pre") ? `Code ${wide.title}`.trim() : "Table");
  }
}

// src/instances/upcoming_instances.ts
var KEPT = 64;
var LINE2 = 48;
var UpcomingInstances = class {
  constructor(callbacks) {
    this.callbacks = callbacks;
  }
  callbacks;
  /** By index, once it can be painted at once. */
  elements = /* @__PURE__ */ new Map();
  /** The indices that were asked for. */
  wanted = /* @__PURE__ */ new Set();
  tools = new ImageTools();
  texts = new LongTexts();
  slot = element("div", { class: "aew-slot" });
  /** In bytes. */
  meanSize = 0;
  urls = /* @__PURE__ */ new Map();
  /** Kinds from outside this package, by their modules' text. */
  outside = /* @__PURE__ */ new Map();
  isClosed = false;
  isReady(index) {
    return this.elements.has(index);
  }
  want(indices) {
    for (const index of indices) if (!this.elements.has(index)) this.wanted.add(index);
  }
  /** Which of the coming instances must still be asked for, where no more than `atOnce` are to be under way. */
  missing(queue, atOnce) {
    return queue.map((drawn2) => drawn2.index).filter((index) => !this.elements.has(index) && !this.wanted.has(index)).slice(0, Math.max(0, atOnce - this.wanted.size));
  }
  /** Lets modules from outside this package build instances, too. */
  use(sources) {
    for (const source of sources) {
      if (this.outside.has(source)) continue;
      const kind = importModule(source);
      kind.catch(() => {
      });
      this.outside.set(source, kind);
    }
  }
  async add(info, bytes) {
    const { index } = info;
    this.meanSize = this.meanSize === 0 ? bytes.byteLength : 0.9 * this.meanSize + 0.1 * bytes.byteLength;
    let content;
    try {
      const addUrl = (blob) => this.addUrl(index, blob);
      const kind = kindOf(info.mime, await Promise.all(this.outside.values()));
      content = await kind.build(info, bytes, { addUrl, tools: this.tools, element });
      this.texts.prepare(content);
      for (const part of this.partsOf(content)) this.offerMore(part, index);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      content = scroller(info.description, brokenContent(info.description, `The browser says: ${reason}`));
    }
    if (this.isClosed) return;
    this.elements.set(index, content);
    this.wanted.delete(index);
    this.forgetOldest();
    this.callbacks.onReady();
  }
  addMore({ index, passage }, bytes) {
    const content = this.elements.get(index);
    const found2 = this.partsOf(content).map((part) => part.querySelector(`p.aew-cut[data-passage="${passage}"]`));
    const cut = found2.find((each) => each !== null);
    const place = cut?.parentElement;
    if (!content || !cut || !place) return;
    const focused = focusedFrom(cut);
    const hadFocus = cut.contains(focused) || focused === document.body;
    cut.replaceWith(...readTree(bytes).children);
    this.offerMore(place, index);
    if (hadFocus && content.isConnected) content.focus({ preventScroll: true });
  }
  /** Shows an instance, or a message in its place. The focus stays in the app, if it was in what goes. */
  show(content) {
    if (this.slot.firstChild === content) return;
    const focused = focusedFrom(this.slot);
    const hadFocus = this.slot.contains(focused) || this.texts.panel.contains(focused);
    this.slot.replaceChildren(content);
    content.scrollTop = 0;
    content.scrollLeft = 0;
    this.tools.show(content);
    this.texts.show(content);
    if (hadFocus) this.slot.closest(".aew-app")?.focus({ preventScroll: true });
  }
  /** Keys that are left over by labels and actions look around in the instance. Whether this was one. */
  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const target = event.composedPath()[0];
    const isButton = target instanceof Element && target.closest("button, a") !== null;
    if (isTextField(target) || event.key === " " && isButton) return false;
    if (this.tools.onKey(event) || this.texts.onKey(event)) return true;
    const shown = this.slot.firstElementChild;
    if (!shown?.matches(".aew-scroll")) return false;
    const page = 0.9 * shown.clientHeight;
    const steps = {
      ArrowDown: LINE2,
      ArrowUp: -LINE2,
      PageDown: page,
      PageUp: -page,
      " ": event.shiftKey ? -page : page,
      Home: -shown.scrollHeight,
      End: shown.scrollHeight
    };
    if (!(event.key in steps)) return false;
    const before = shown.scrollTop;
    shown.scrollTop += steps[event.key];
    return shown.scrollTop !== before;
  }
  /** Its keys as the list of keys tells of them: those that labels and actions leave. */
  help(keys) {
    const rows = this.tools.isInUse ? [
      [["+", "-"], "zoom in, zoom out"],
      [["0"], "show the whole image"],
      [["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"], "move the zoomed image"]
    ] : [[["PageUp", "PageDown", " "], "scroll"], ...this.texts.help(keys)];
    return rows.map(([names, meaning]) => [
      names.filter((name) => !keys.taken.has(name) && keys.holder(name) === null),
      meaning
    ]).filter(([names]) => names.length > 0).map(([names, meaning]) => [keyCaps(names), meaning]);
  }
  close() {
    this.isClosed = true;
    for (const index of [...this.urls.keys()]) this.revoke(index);
  }
  partsOf(content) {
    if (content === void 0) return [];
    const aside = this.texts.asideOf(content);
    return aside === null ? [content] : [content, aside];
  }
  // Long texts are cut; each has a button that fetches the next part.
  offerMore(content, index) {
    for (const cut of content.querySelectorAll("p.aew-cut[data-next]")) {
      if (cut.querySelector("button")) continue;
      const { passage, next } = cut.dataset;
      const button2 = element("button", { type: "button", class: "aew-action" }, "Show more");
      button2.addEventListener("click", () => {
        button2.disabled = true;
        this.callbacks.askForMore({ index, passage: Number(passage), start: Number(next) });
      });
      cut.append(" ", button2);
    }
  }
  addUrl(index, bytes) {
    const url = URL.createObjectURL(bytes);
    this.urls.set(index, [...this.urls.get(index) ?? [], url]);
    return url;
  }
  revoke(index) {
    for (const url of this.urls.get(index) ?? []) URL.revokeObjectURL(url);
    this.urls.delete(index);
  }
  forgetOldest() {
    for (const index of this.elements.keys()) {
      if (this.elements.size <= KEPT) return;
      this.elements.delete(index);
      this.revoke(index);
    }
  }
};

// src/dom/browser_storage.ts
function remembered(name, fallback, place = "localStorage") {
  try {
    return JSON.parse(window[place].getItem(name) ?? "null") ?? fallback;
  } catch {
    return fallback;
  }
}
function remember(name, value, place = "localStorage") {
  try {
    window[place].setItem(name, JSON.stringify(value));
  } catch {
  }
}

// src/keys/key_map.ts
var KeyMap = class {
  texts;
  taken;
  // by the label's controls
  storage;
  proposed;
  // by "label 0" or "action undo"
  own;
  constructor({ scope, labels, actions, taken }) {
    this.storage = `activeeval-widgets:keys:${scope}`;
    this.taken = new Set(taken);
    this.proposed = new Map([
      ...labels.map(({ keys: keys2 }, i) => [`label ${i}`, keys2]),
      ...Object.entries(actions).map(([name, keys2]) => [`action ${name}`, keys2])
    ]);
    this.texts = labels.map(({ text }) => text);
    this.own = remembered(this.storage, {});
    const keys = this.ids().flatMap((id) => this.keysOf(id));
    if (keys.some((key) => typeof key !== "string") || new Set(keys).size < keys.length) this.own = {};
  }
  ids() {
    return [...this.proposed.keys()];
  }
  /** The keys of "label 0" or "action undo". One's own takes the place of the first; keys that no other can have stay. */
  keysOf(id) {
    const proposed = this.proposed.get(id) ?? [];
    if (!Object.hasOwn(this.own, id)) return [...proposed];
    return [this.own[id], ...proposed.filter((key) => key === "Backspace")];
  }
  /** Who has a key, or null. */
  holder(key, except = null) {
    return this.ids().find((id) => id !== except && this.keysOf(id).includes(key)) ?? null;
  }
  /** Whether a key is one that the label's controls need, other than for labels. */
  isTaken(key, id) {
    return this.taken.has(key) && !(this.proposed.get(id) ?? []).includes(key);
  }
  /** What a keydown stands for, or null where the key is not ours. */
  meaningOf(event) {
    for (const name of keyNames(event)) {
      const id = this.holder(name);
      if (id === null) continue;
      const [kind, which] = id.split(" ");
      return kind === "label" ? { label: Number(which) } : { action: which };
    }
    return null;
  }
  change(id, key) {
    this.own[id] = key;
    remember(this.storage, this.own);
  }
  reset() {
    this.own = {};
    remember(this.storage, this.own);
  }
};

// src/dom/double_click.ts
var DOUBLE_CLICK = 400;
function onceClicked(act) {
  let last = Number.NEGATIVE_INFINITY;
  return (event) => {
    if (event.detail > 1 && event.timeStamp - last < DOUBLE_CLICK) return;
    last = event.timeStamp;
    act(event);
  };
}

// src/labels/choice_buttons.ts
var MOST_SHORT = 12;
function flash(button2) {
  button2.classList.remove("aew-pressed");
  void button2.offsetWidth;
  button2.classList.add("aew-pressed");
}
var ChoiceButtons = class {
  /** `words`, if any, say what each label means. */
  constructor(choices, keys, press, words = null) {
    this.choices = choices;
    this.keys = keys;
    this.words = words;
    this.buttons = choices.map(
      (choice, i) => element("button", {
        type: "button",
        class: "aew-label",
        "data-aew": "label",
        "data-value": choice.value,
        onclick: onceClicked(() => press(i))
      })
    );
    const areShort = choices.every((choice) => choice.text.length <= 3);
    this.isShort = choices.length <= MOST_SHORT && areShort && words === null;
    this.showKeys();
  }
  choices;
  keys;
  words;
  buttons;
  isShort;
  layOut(node) {
    const n = this.buttons.length;
    const fit2 = this.choices.every(({ text }) => text.length <= 12);
    node.classList.toggle("aew-short", this.isShort);
    node.classList.toggle("aew-balanced", !this.isShort && n > 6 && n <= MOST_SHORT && fit2);
    node.style.setProperty("--aew-columns", String(n));
    node.style.setProperty("--aew-half-columns", String(Math.ceil(n / (n > 6 ? 2 : 1))));
  }
  showKeys() {
    this.buttons.forEach((button2, i) => {
      const { text } = this.choices[i];
      const names = this.keys.keysOf(`label ${i}`);
      const isItsText = names.length === 1 && names[0] === text.toLowerCase();
      const caps = isItsText ? [] : keyCaps(names.slice(0, 1));
      for (const cap of caps) cap.setAttribute("aria-hidden", "true");
      const word = this.words === null ? [] : [" ", element("span", { class: "aew-word" }, this.words[i])];
      button2.replaceChildren(...caps, element("span", {}, text), ...word);
      if (names.length > 0) button2.setAttribute("aria-keyshortcuts", names.join(" "));
      else button2.removeAttribute("aria-keyshortcuts");
    });
  }
  mark(i) {
    this.buttons.forEach((button2, j) => {
      if (i === j) button2.setAttribute("aria-current", "true");
      else button2.removeAttribute("aria-current");
    });
  }
  help() {
    const names = this.buttons.flatMap((_, i) => this.keys.keysOf(`label ${i}`).slice(0, 1));
    const isRun = names.every((name, i) => i === 0 || name.charCodeAt(0) === names[i - 1].charCodeAt(0) + 1);
    if (names.length <= 3 || !isRun) return keyCaps(names);
    return [keyCap(names[0]), " – ", keyCap(names[names.length - 1])];
  }
};

// src/labels/class_labels.ts
var ClassLabels = class {
  constructor({ choices }, keys, give) {
    this.keys = keys;
    this.give = give;
    this.choices = new ChoiceButtons(choices, keys, (i) => this.label(i));
    this.node = element("div", { class: "aew-classes" }, ...this.choices.buttons);
    this.choices.layOut(this.node);
  }
  keys;
  give;
  node;
  choices;
  show(_content, previous) {
    this.choices.mark(previous);
  }
  setEnabled(isEnabled) {
    for (const button2 of this.choices.buttons) button2.disabled = !isEnabled;
  }
  press(event) {
    const label = this.keys.meaningOf(event)?.label;
    if (label === void 0) return false;
    if (!event.repeat) this.label(label);
    return true;
  }
  showKeys() {
    this.choices.showKeys();
  }
  help() {
    return [[this.choices.help(), "label, save and go on"]];
  }
  label(i) {
    if (this.give(i, this.choices.choices[i].text)) flash(this.choices.buttons[i]);
  }
};

// src/labels/grades_given.ts
var GradesGiven = class {
  // names, as they were graded
  /** `previous` holds grades that were given before. */
  constructor(names, previous = {}) {
    this.names = names;
    for (const name of names) if (Object.hasOwn(previous, name)) this.grades.set(name, previous[name]);
    this.order = [...this.grades.keys()];
  }
  names;
  grades = /* @__PURE__ */ new Map();
  order;
  get isNothingJudged() {
    return this.names.length > 0 && [...this.grades.values()].every((grade) => grade === null);
  }
  has(name) {
    return this.grades.has(name);
  }
  /** The grade of a result; undefined where it has none yet. */
  get(name) {
    return this.grades.get(name);
  }
  give(name, grade) {
    this.grades.set(name, grade);
    this.order = [...this.order.filter((other) => other !== name), name];
  }
  /** Takes back the grade that was given last, and returns whose it was. */
  takeBack() {
    const name = this.order.pop();
    if (name !== void 0) this.grades.delete(name);
    return name;
  }
  /** The positions of the results without a grade. */
  unjudged() {
    return this.names.flatMap((name, i) => this.grades.has(name) ? [] : [i]);
  }
  /** The first result after a position that has no grade, from the start again where there is none; else -1. */
  nextUnjudged(position) {
    const left = this.unjudged();
    return left.find((i) => i > position) ?? left[0] ?? -1;
  }
  asRecord() {
    return Object.fromEntries(this.grades);
  }
};

// src/labels/grade_labels.ts
var MOST_NAMED = 12;
var GradeLabels = class {
  constructor({ grades, words, choices }, keys, give) {
    this.keys = keys;
    this.give = give;
    this.grades = grades;
    this.words = words;
    this.texts = choices.map(({ text }) => text);
    this.choices = new ChoiceButtons(choices, keys, (i) => this.grade(this.grades[i]), words);
    const button2 = (name, key, text, act) => element(
      "button",
      { type: "button", class: "aew-label aew-quiet", "data-aew": name, onclick: onceClicked(act) },
      keyCap(key),
      element("span", {}, text)
    );
    this.skip = button2("cannot-judge", "-", "Can't judge", () => this.grade(null));
    this.rest = button2("grade-rest", "G", "All the rest", () => this.setForRest(!this.isForRest));
    this.submit = button2("submit", "Enter", "Save", () => this.save());
    this.submit.classList.add("aew-submit");
    const scale = element("div", { class: "aew-classes" }, ...this.choices.buttons);
    this.choices.layOut(scale);
    this.node = element(
      "div",
      { class: "aew-grades" },
      scale,
      element("div", { class: "aew-grade-row" }, this.skip, this.rest, this.submit),
      this.progress,
      this.said
    );
  }
  keys;
  give;
  node;
  grades;
  words;
  texts;
  isEnabled = false;
  items = [];
  given = new GradesGiven([]);
  present = 0;
  isForRest = false;
  // whether the next grade is for all that is not judged
  choices;
  skip;
  rest;
  submit;
  progress = element("p", { class: "aew-hint", "data-aew": "judged" });
  said = element("p", { class: "aew-visually-hidden", "aria-live": "polite" });
  show(content, previous) {
    const byName = /* @__PURE__ */ new Map();
    for (const node of content?.querySelectorAll(".aew-result") ?? []) {
      const name = node.dataset.item ?? "";
      byName.set(name, [...byName.get(name) ?? [], node]);
      if (!node.querySelector(":scope > .aew-grade")) node.append(element("span", { class: "aew-grade" }));
      node.onclick = () => {
        if (this.isEnabled) this.moveTo(this.positionOf(name));
      };
    }
    this.items = [...byName].map(([name, nodes]) => ({ name, nodes }));
    this.given = new GradesGiven([...byName.keys()], typeof previous === "object" ? previous : {});
    this.isForRest = false;
    this.items.forEach((_, i) => {
      this.showGrade(i);
    });
    this.moveTo(Math.max(0, this.given.nextUnjudged(-1)), { isSilent: true });
    this.showProgress();
  }
  setEnabled(isEnabled) {
    if (this.isEnabled === isEnabled) return;
    this.isEnabled = isEnabled;
    for (const button2 of [...this.choices.buttons, this.skip, this.rest, this.submit]) button2.disabled = !isEnabled;
  }
  press(event) {
    if (!this.isEnabled) return false;
    const act = this.actOf(event);
    if (act === void 0) return false;
    if (this.stepOf(event) !== void 0 || !event.repeat) act();
    return true;
  }
  showKeys() {
    this.choices.showKeys();
  }
  help() {
    return [
      [this.choices.help(), "grade, and go to the next result"],
      [[keyCap("↑"), keyCap("↓")], "move; K and J, too"],
      [[keyCap("G")], "the next grade is for all that are not judged; Shift and the digit does it at once"],
      [[keyCap("-")], "can't be judged; a note may say why"],
      [[keyCap("Backspace")], "take back the last grade"],
      [[keyCap("Enter")], "save all and go on"]
    ];
  }
  stepOf(event) {
    const steps = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };
    return steps[keyNames(event).at(-1) ?? ""];
  }
  /** What a key does here; undefined where it does nothing. */
  actOf(event) {
    const step = this.stepOf(event);
    if (step !== void 0) return () => this.moveTo(this.present + step);
    const digit = event.shiftKey && /^Digit\d$/.test(event.code) ? event.code.slice(-1) : null;
    const shifted = digit === null ? -1 : this.grades.findIndex((_, i) => this.keys.keysOf(`label ${i}`).includes(digit));
    const label = shifted >= 0 ? shifted : this.keys.meaningOf(event)?.label;
    if (label !== void 0) return () => this.grade(this.grades[label], shifted >= 0 || this.isForRest);
    switch (keyNames(event).at(-1)) {
      case "-":
        return () => this.grade(null);
      case "g":
        return () => this.setForRest(!this.isForRest);
      case "Enter":
        return () => this.save();
      case "Backspace":
        return () => this.takeBack();
      case "Escape":
        return this.isForRest ? () => this.setForRest(false) : void 0;
      default:
        return void 0;
    }
  }
  positionOf(name) {
    return this.items.findIndex((item) => item.name === name);
  }
  grade(grade, isForRest = this.isForRest) {
    if (this.items.length === 0) return;
    const graded = isForRest ? this.given.unjudged() : [this.present];
    const wasJudged = !isForRest && graded.every((i) => this.given.has(this.items[i].name));
    for (const i of graded) {
      this.given.give(this.items[i].name, grade);
      this.showGrade(i);
    }
    this.isForRest = false;
    const next = this.given.nextUnjudged(this.present);
    const which = graded.length === 1 ? `Result ${this.present + 1}` : `${graded.length} results`;
    const what = `${which}: ${this.gradeText(grade)}.`;
    if (next >= 0) this.moveTo(next, { before: what });
    else setText(this.said, `${what} All judged; Enter saves.`);
    if (next < 0) this.showPresent();
    if (next < 0 && wasJudged) this.moveTo(this.present + 1, { before: what });
    this.showProgress();
  }
  takeBack() {
    const name = this.given.takeBack();
    if (name === void 0) return;
    const i = this.positionOf(name);
    this.showGrade(i);
    this.moveTo(i);
    this.showProgress();
  }
  setForRest(isForRest) {
    this.isForRest = isForRest;
    this.showProgress();
  }
  moveTo(position, { before = "", isSilent = false } = {}) {
    this.present = Math.max(0, Math.min(position, this.items.length - 1));
    this.showPresent();
    const item = this.items[this.present];
    if (item === void 0 || isSilent) return;
    const given = this.given.get(item.name);
    const grade = given === void 0 ? "" : `, ${this.gradeText(given)}`;
    setText(this.said, `${before} Result ${this.present + 1} of ${this.items.length}${grade}.`);
    this.scrollTo(item.nodes[0]);
  }
  showPresent() {
    this.items.forEach(({ nodes }, i) => {
      for (const node of nodes) {
        if (i === this.present) node.setAttribute("aria-current", "true");
        else node.removeAttribute("aria-current");
      }
    });
  }
  // Not scrollIntoView: that would move the page, too.
  scrollTo(node) {
    const box = node.closest(".aew-scroll");
    if (!box) return;
    const [inner, outer] = [node.getBoundingClientRect(), box.getBoundingClientRect()];
    const query = box.querySelector(".aew-query");
    const top = outer.top + (query?.offsetHeight ?? 0);
    if (inner.top < top || inner.height > outer.bottom - top) box.scrollTop += inner.top - top - 8;
    else if (inner.bottom > outer.bottom) box.scrollTop += inner.bottom - outer.bottom + 8;
  }
  gradeText(grade) {
    if (grade === null) return "can't be judged";
    const i = this.grades.indexOf(grade);
    return this.words && i >= 0 ? `${this.texts[i]} ${this.words[i]}` : `grade ${this.texts[i] ?? grade}`;
  }
  showGrade(i) {
    const { name, nodes } = this.items[i];
    const given = this.given.get(name);
    for (const node of nodes) {
      const badge = node.querySelector(":scope > .aew-grade");
      if (!badge) continue;
      setText(badge, given === void 0 ? "not judged" : this.gradeText(given));
      badge.classList.toggle("aew-given", given !== void 0);
    }
  }
  showProgress() {
    const [n, left] = [this.items.length, this.given.unjudged().length];
    this.rest.setAttribute("aria-pressed", String(this.isForRest));
    this.progress.classList.remove("aew-error");
    const judged = left === 0 ? `All ${n} judged. Enter saves, Backspace takes back the last grade.` : `${n - left} of ${n} judged. ↑ ↓ move.`;
    setText(
      this.progress,
      this.isForRest ? `The next grade is for all ${left} not judged yet. Esc: for one only.` : judged
    );
  }
  complain(text) {
    setText(this.progress, text);
    this.progress.classList.add("aew-error");
    setText(this.said, text);
  }
  save() {
    const left = this.given.unjudged();
    if (left.length > 0) {
      const numbers = left.map((i) => i + 1);
      const named = numbers.slice(0, MOST_NAMED).join(", ") + (left.length > MOST_NAMED ? ", …" : "");
      this.moveTo(left[0]);
      this.complain(`Not judged yet: ${left.length === 1 ? "result" : "results"} ${named}.`);
      return;
    }
    if (this.given.isNothingJudged) {
      this.complain("If nothing can be judged, exclude it instead.");
      return;
    }
    const texts = this.items.map(({ name }) => this.given.get(name) ?? "–").join(" ");
    if (this.give(this.given.asRecord(), texts)) flash(this.submit);
  }
};

// src/labels/typed_numbers.ts
var TYPED_IN_NUMBERS = /^[0-9.,+\-−e'’]$/;
var SPACES = "    ";
var APOSTROPHES = "'’";
var SIGN = "[-+−]?";
var OTHER = { ".": ",", ",": "." };
function formOf(mark) {
  const groups = [OTHER[mark], SPACES, APOSTROPHES].map((each) => `(?:[${each}]\\d{3})+`).join("|");
  const plain = `(?:\\d+[${mark}]?\\d*|[${mark}]\\d+)(?:[eE]${SIGN}\\d+)?`;
  return new RegExp(`^${SIGN}(?:${plain}|[1-9]\\d{0,2}(?:${groups})(?:[${mark}]\\d*)?)$`);
}
var FORMS = { ".": formOf("."), ",": formOf(",") };
function readAs(text, mark) {
  if (!FORMS[mark].test(text)) return Number.NaN;
  const bare = text.replace(new RegExp(`[${OTHER[mark]}${SPACES}${APOSTROPHES}]`, "g"), "");
  return Number(bare.replace(mark, ".").replaceAll("−", "-"));
}
function meaningsOf(text) {
  const found2 = { ".": readAs(text.trim(), "."), ",": readAs(text.trim(), ",") };
  const areTwo = !Number.isNaN(found2["."]) && !Number.isNaN(found2[","]) && found2["."] !== found2[","];
  return areTwo ? found2 : null;
}
function markOf(text) {
  const [byPoint, byComma] = [readAs(text.trim(), "."), readAs(text.trim(), ",")].map(Number.isNaN);
  return byPoint === byComma ? null : byPoint ? "," : ".";
}
var STEPS = 100;
function roundStep(range) {
  const least = range / STEPS * (1 - 1e-9);
  const power = 10 ** Math.floor(Math.log10(range / STEPS));
  return [1, 2, 5].map((factor) => factor * power).find((step) => step >= least) ?? 10 * power;
}
function numberIn(text, mark = null) {
  const byPoint = readAs(text.trim(), ".");
  const byComma = readAs(text.trim(), ",");
  if (Number.isNaN(byPoint)) return byComma;
  if (Number.isNaN(byComma)) return byPoint;
  if (mark !== null) return mark === "." ? byPoint : byComma;
  return Math.abs(byPoint) > Math.abs(byComma) ? byPoint : byComma;
}
var written = (number) => String(number).replace("-", "−");
function withUnit(number, { unit }) {
  return `${written(number)}${unit === null ? "" : ` ${Math.abs(number) === 1 ? unit[0] : unit[1]}`}`;
}
function rangeText(range) {
  const { low, high } = range;
  if (low !== null && high !== null) return `a number from ${written(low)} to ${withUnit(high, range)}`;
  if (low !== null) return `a number from ${withUnit(low, range)} up`;
  return high !== null ? `a number up to ${withUnit(high, range)}` : "a number";
}
function problemOf(text, range, mark = null) {
  const both = mark === null ? meaningsOf(text) : null;
  if (both === null) return problemOfNumber(numberIn(text, mark), range);
  const [first, second] = Object.values(both).map((number) => problemOfNumber(number, range));
  return first && second;
}
function problemOfNumber(number, range) {
  const { low, high } = range;
  if (!Number.isFinite(number)) return `Enter ${rangeText(range)}.`;
  if (low !== null && number < low) return `The minimum is ${withUnit(low, range)}.`;
  if (high !== null && number > high) return `The maximum is ${withUnit(high, range)}.`;
  return null;
}
function onGrid(number, step, low, high) {
  const rounded = Math.round(number / step) * step;
  return Number(Math.min(high, Math.max(low, rounded)).toPrecision(12));
}

// src/labels/number_labels.ts
var MEANT_BY = { a: ".", b: "," };
var NumberLabels = class {
  constructor(config, _keys, give) {
    this.config = config;
    this.give = give;
    const { low, high, unit } = config;
    this.mark = config.decimal_mark;
    this.range = rangeText(config);
    this.field = element("input", {
      type: "text",
      inputmode: "decimal",
      class: "aew-number-field",
      "data-aew": "number",
      autocomplete: "off",
      "aria-label": unit === null ? "Number" : `Number, in ${unit[1]}`,
      "aria-describedby": this.hint.id,
      oninput: () => this.changed()
    });
    this.submit = element(
      "button",
      {
        type: "button",
        class: "aew-label aew-submit",
        "data-aew": "submit",
        onclick: onceClicked(() => this.save())
      },
      keyCap("Enter"),
      element("span", {}, "Save")
    );
    const shownUnit = unit === null ? [] : [element("span", { class: "aew-unit", "aria-hidden": "true" }, unit[1])];
    this.node = element(
      "div",
      { class: "aew-number-label" },
      element("div", { class: "aew-number-row" }, this.field, ...shownUnit, this.submit)
    );
    if (low !== null && high !== null) {
      const node = element("input", {
        type: "range",
        min: low,
        max: high,
        step: "any",
        class: "aew-slider",
        "aria-label": "Number, by arrows",
        oninput: () => this.set(this.onGrid(Number(node.value)))
      });
      this.slider = { node, low, high, step: roundStep(high - low) };
      this.node.append(node);
    }
    this.node.append(this.choice, this.hint);
    this.set(null);
  }
  config;
  give;
  node;
  range;
  field;
  submit;
  hint = element("p", { id: uniqueId("aew-number-hint"), class: "aew-hint", "aria-live": "polite" });
  slider = null;
  isEnabled = false;
  isReplaced = false;
  // whether what is typed takes the place of an earlier number
  mark;
  // how numbers are written here, where that is known
  shown = null;
  // a number that the page wrote itself
  choice = element("div", {
    class: "aew-number-choice",
    role: "group",
    "aria-label": "Which number is meant",
    "data-aew": "number-choice",
    hidden: ""
  });
  show(_content, previous) {
    this.set(typeof previous === "number" ? previous : null);
    this.isReplaced = true;
  }
  setEnabled(isEnabled) {
    if (this.isEnabled === isEnabled) return;
    this.isEnabled = isEnabled;
    this.submit.disabled = !isEnabled;
    this.field.readOnly = !isEnabled;
    if (this.slider) this.slider.node.disabled = !isEnabled;
  }
  press(event) {
    if (!this.isEnabled) return false;
    const isInField = event.composedPath()[0] === this.field;
    if (!this.choice.hidden && (event.key === "Escape" || event.key.toLowerCase() in MEANT_BY)) {
      const mark = MEANT_BY[event.key.toLowerCase()];
      if (mark === void 0) this.changed();
      else if (!event.repeat) this.choose(mark);
    } else if (event.key === "Enter") {
      if (!event.repeat) this.save();
    } else if (this.moveBy(event)) {
      return true;
    } else if (!isInField && event.key === "Backspace") {
      this.field.value = this.field.value.slice(0, -1);
      this.changed();
    } else if (isInField || event.repeat || !TYPED_IN_NUMBERS.test(event.key)) {
      return false;
    } else {
      this.field.value = (this.isReplaced ? "" : this.field.value) + event.key;
      this.changed();
    }
    return true;
  }
  showKeys() {
  }
  help() {
    const rows = [
      [["digits"], `type ${this.range}`],
      [[keyCap("Enter")], "save and go on"]
    ];
    if (this.slider) {
      const meaning = `${this.slider.step} less or more; with Shift ten times that`;
      rows.push([[keyCap("←"), keyCap("→")], meaning]);
    }
    return rows;
  }
  moveBy(event) {
    const steps = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (this.slider === null || steps === void 0) return false;
    const { low, high, step } = this.slider;
    const present = this.number;
    const next = Number.isNaN(present) ? (low + high) / 2 : present + (event.shiftKey ? 10 : 1) * steps * step;
    this.set(this.onGrid(next));
    return true;
  }
  onGrid(number) {
    if (this.slider === null) return number;
    return onGrid(number, this.slider.step, this.slider.low, this.slider.high);
  }
  set(number) {
    this.field.value = number === null ? "" : String(number);
    this.shown = number === null ? null : { text: this.field.value, number };
    this.changed();
  }
  get text() {
    return this.field.value.trim();
  }
  get isOwn() {
    return this.text === this.shown?.text;
  }
  get number() {
    return this.shown !== null && this.isOwn ? this.shown.number : numberIn(this.text, this.mark);
  }
  get problem() {
    return this.isOwn ? problemOfNumber(this.number, this.config) : problemOf(this.text, this.config, this.mark);
  }
  /** The numbers that the text may be; null where it is clear. */
  get meanings() {
    return this.isOwn ? null : meaningsOf(this.text);
  }
  changed() {
    this.isReplaced = false;
    this.choice.hidden = true;
    this.hint.hidden = false;
    const problem = this.text === "" ? null : this.problem;
    const number = this.number;
    this.field.setAttribute("aria-invalid", String(problem !== null));
    this.hint.classList.toggle("aew-error", problem !== null);
    setText(this.hint, problem ?? this.meaningText ?? `Enter ${this.range}${this.slider ? ", or use ← →" : ""}.`);
    if (this.slider === null) return;
    const { node, low, high } = this.slider;
    if (problem === null) node.value = String(Number.isNaN(number) ? (low + high) / 2 : number);
    node.classList.toggle("aew-unset", Number.isNaN(number));
  }
  /** What is said of a text that may be two numbers. */
  get meaningText() {
    if (this.meanings === null) return null;
    if (this.mark !== null) return `${this.text} is read as ${withUnit(this.number, this.config)}.`;
    const [first, second] = Object.values(this.meanings).map((number) => withUnit(number, this.config));
    return `${this.text} is ${first} or ${second}: after Enter you choose.`;
  }
  save() {
    if (this.text === "") {
      setText(this.hint, `Enter ${this.range} first.`);
      this.hint.classList.add("aew-error");
      return;
    }
    if (this.problem !== null) return;
    if (this.meanings !== null && this.mark === null) {
      this.ask(this.meanings);
      return;
    }
    const mark = markOf(this.text);
    if (!this.isOwn && mark !== null && this.mark !== null && mark !== this.mark) this.mark = null;
    if (this.give(this.number, withUnit(this.number, this.config))) flash(this.submit);
  }
  /** Nothing is saved before it is known which of two numbers is meant. */
  ask(meanings) {
    const buttons = Object.entries(MEANT_BY).map(
      ([key, mark]) => element(
        "button",
        {
          type: "button",
          class: "aew-label",
          "data-value": String(meanings[mark]),
          "aria-keyshortcuts": key,
          onclick: onceClicked(() => {
            this.node.closest(".aew-app")?.focus();
            this.choose(mark);
          })
        },
        keyCap(key.toUpperCase()),
        element("span", {}, withUnit(meanings[mark], this.config))
      )
    );
    const question = element("span", { role: "alert" }, `Which number is ${this.text}?`);
    this.choice.replaceChildren(question, ...buttons);
    this.choice.hidden = false;
    this.hint.hidden = true;
  }
  /** Numbers are read in that way from now on. */
  choose(mark) {
    this.mark = mark;
    this.changed();
    if (this.problem === null) this.save();
    else this.mark = null;
  }
};

// src/labels/text_search.ts
var folded = (text) => text.normalize("NFKD").replace(/\p{Mn}/gu, "").toLowerCase();
function fit(text, typed) {
  if (text.startsWith(typed)) return text === typed ? 0 : 1;
  const words = text.split(/[^\p{L}\p{N}]+/u);
  if (words.some((word) => word.startsWith(typed))) return 2;
  const parts = typed.split(/\s+/).filter(Boolean);
  return parts.length > 0 && parts.every((part) => words.some((word) => word.startsWith(part))) ? 3 : null;
}
function found(texts, typed, recent = []) {
  if (typed === "") return texts.map((_, i) => i);
  const fits = /* @__PURE__ */ new Map();
  texts.forEach((text, i) => {
    const fitting = fit(text, typed);
    if (fitting !== null) fits.set(i, fitting);
  });
  const badness = (i) => fits.get(i) ?? Number.POSITIVE_INFINITY;
  const age = (i) => recent.includes(i) ? recent.indexOf(i) : recent.length;
  return [...fits.keys()].sort(
    (i, j) => Number(badness(i) !== 0) - Number(badness(j) !== 0) || age(i) - age(j) || badness(i) - badness(j) || i - j
  );
}

// src/labels/searched_labels.ts
var MOST_SHOWN = 200;
var N_RECENT = 9;
var SearchedLabels = class {
  constructor({ choices }, keys, give) {
    this.keys = keys;
    this.give = give;
    this.texts = choices.map(({ text }) => text);
    this.plain = this.texts.map(folded);
    this.recentButtons = Array.from(
      { length: N_RECENT },
      (_, k) => element("button", {
        type: "button",
        class: "aew-recent",
        hidden: "",
        onclick: onceClicked(() => this.label(this.recent[k]))
      })
    );
    this.options = choices.map(
      ({ value, text }, i) => element(
        "div",
        {
          id: `aew-option-${i}`,
          role: "option",
          class: "aew-option",
          "data-aew": "label",
          "data-value": value,
          "aria-selected": "false",
          onclick: onceClicked(() => this.label(i))
        },
        text
      )
    );
    this.node = element(
      "div",
      { class: "aew-searched" },
      element("div", { class: "aew-recents", role: "group", "aria-label": "Recent labels" }, ...this.recentButtons),
      this.field,
      this.list,
      this.none
    );
    this.filter();
  }
  keys;
  give;
  node;
  texts;
  plain;
  isEnabled = false;
  recent = [];
  // positions of labels, the last one given first
  found = [];
  active = 0;
  // position in `found`
  selected = null;
  recentButtons;
  options;
  field = element("input", {
    type: "text",
    class: "aew-search",
    role: "combobox",
    autocomplete: "off",
    spellcheck: "false",
    "aria-label": "Find a label",
    "aria-expanded": "true",
    "aria-controls": "aew-found",
    "aria-autocomplete": "list",
    placeholder: "Type to find a label",
    oninput: () => this.filter(),
    onkeydown: (event) => this.typed(event)
  });
  list = element("div", {
    id: "aew-found",
    class: "aew-found",
    role: "listbox",
    "aria-label": "Labels"
  });
  none = element("p", { class: "aew-hint", hidden: "" }, "No label matches.");
  show(_content, previous) {
    this.options.forEach((option, i) => {
      option.classList.toggle("aew-given", i === previous);
    });
  }
  setEnabled(isEnabled) {
    if (this.isEnabled === isEnabled) return;
    this.isEnabled = isEnabled;
    for (const button2 of this.recentButtons) button2.disabled = !isEnabled;
    this.list.setAttribute("aria-disabled", String(!isEnabled));
  }
  /** A key outside of the field: a digit repeats a recent label, a letter begins a search. */
  press(event) {
    const name = keyNames(event)[0];
    if (/^[1-9]$/.test(name) && this.recent.length >= Number(name)) {
      if (!event.repeat) this.label(this.recent[Number(name) - 1]);
      return true;
    }
    const isTyped = event.key.length === 1 && /[\p{L}\p{N}]/u.test(event.key);
    if (!isTyped || this.keys.meaningOf(event) !== null) return false;
    this.field.focus({ preventScroll: true });
    this.field.value += event.key;
    this.filter();
    return true;
  }
  showKeys() {
  }
  help() {
    return [
      [["letters"], "find a label; ↑ ↓ choose, Enter labels, Esc leaves"],
      [[keyCap("1"), " – ", keyCap("9")], "a recent label again"]
    ];
  }
  typed(event) {
    if (isForeign(event)) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== void 0) {
      this.activate(this.active + step);
    } else if (event.key === "Enter") {
      if (!event.repeat && this.found.length > 0) this.label(this.found[this.active]);
    } else if (event.key === "Escape" || event.key === "Backspace" && this.field.value === "" && !event.repeat) {
      this.leave();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
  filter() {
    this.found = found(this.plain, folded(this.field.value.trim()), this.recent);
    this.list.replaceChildren(...this.found.slice(0, MOST_SHOWN).map((i) => this.options[i]));
    this.none.hidden = this.found.length > 0;
    this.list.hidden = this.found.length === 0;
    this.activate(0);
  }
  activate(position) {
    this.selected?.setAttribute("aria-selected", "false");
    const last = Math.min(this.found.length, MOST_SHOWN) - 1;
    this.active = Math.max(0, Math.min(position, last));
    const option = this.options[this.found[this.active]];
    if (option === void 0 || this.field.value === "") {
      this.field.removeAttribute("aria-activedescendant");
      if (this.field.value === "" && position === 0) return;
    }
    if (option === void 0) return;
    this.selected = option;
    option.setAttribute("aria-selected", "true");
    this.field.setAttribute("aria-activedescendant", option.id);
    const { offsetTop, offsetHeight } = option;
    if (offsetTop < this.list.scrollTop) this.list.scrollTop = offsetTop;
    else if (offsetTop + offsetHeight > this.list.scrollTop + this.list.clientHeight) {
      this.list.scrollTop = offsetTop + offsetHeight - this.list.clientHeight;
    }
  }
  label(i) {
    if (!this.give(i, this.texts[i])) return;
    this.recent = [i, ...this.recent.filter((j) => j !== i)].slice(0, N_RECENT);
    this.recentButtons.forEach((button2, k) => {
      button2.hidden = k >= this.recent.length;
      if (button2.hidden) return;
      button2.replaceChildren(keyCap(String(k + 1)), element("span", {}, this.texts[this.recent[k]]));
    });
    flash(this.recentButtons[0]);
    this.leave();
  }
  leave() {
    const hadFocus = this.node.contains(focusedFrom(this.node));
    if (this.field.value !== "") {
      this.field.value = "";
      this.filter();
    }
    if (hadFocus) this.node.closest(".aew-app")?.focus({ preventScroll: true });
  }
};

// src/labels/index.ts
var BUILDERS = {
  class: (config, keys, give) => new (config.is_searched ? SearchedLabels : ClassLabels)(config, keys, give),
  number: (config, keys, give) => new NumberLabels(config, keys, give),
  grades: (config, keys, give) => new GradeLabels(config, keys, give)
};
function makeLabels(config, keys, give) {
  const build = BUILDERS[config.kind];
  return build(config, keys, give);
}

// src/race/by_hand.ts
var ByHand = class {
  node;
  instances;
  labels;
  keys;
  question = element("h2", { id: "aew-question" });
  whose = element("p", { class: "aew-whose" });
  instance = element("div", { class: "aew-instance", "data-aew": "instance" });
  controls = element("div", { class: "aew-labels", role: "group", "aria-labelledby": "aew-question" });
  expert;
  undo;
  shown = "";
  isEnabled = false;
  constructor(config, callbacks) {
    this.instances = new UpcomingInstances({ onReady: callbacks.onReady, askForMore: callbacks.askForMore });
    this.instances.use(config.instance_modules);
    this.keys = new KeyMap(config.keys);
    this.labels = makeLabels(config.labels, this.keys, (value) => {
      if (!this.isEnabled) return false;
      callbacks.give(value);
      return true;
    });
    this.instance.append(this.instances.slot, this.instances.tools.bar);
    this.controls.append(this.labels.node);
    const button2 = (name, key, text, onclick) => element("button", { type: "button", class: "aew-action", "data-aew": name, onclick }, ...keyCaps(key), text);
    this.expert = button2("expert", [], "Leave this one to the expert", () => callbacks.give(null));
    this.undo = button2("undo", this.keys.keysOf("action undo").slice(0, 1), "Undo", callbacks.undo);
    const leave = button2("leave", ["Escape"], "Stop labeling by hand", callbacks.leave);
    setText(this.question, config.question);
    this.node = element(
      "section",
      { class: "aew-by-hand aew-panel", "data-aew": "by-hand", "aria-label": "Label by hand", hidden: "" },
      element("div", { class: "aew-asked" }, this.question, this.whose),
      this.instance,
      this.controls,
      element("div", { class: "aew-buttons" }, this.undo, this.expert, leave)
    );
  }
  /** What must be asked for to be shown. */
  missing(asked) {
    const indices = asked === null ? [] : this.instances.missing([asked], 1);
    this.instances.want(indices);
    return indices;
  }
  show(asked, canUndo, done) {
    const content = asked === null ? void 0 : this.instances.elements.get(asked.index);
    this.isEnabled = asked?.isReady === true && content !== void 0;
    this.labels.setEnabled(this.isEnabled);
    this.expert.disabled = asked === null || !asked.isReady;
    this.undo.disabled = !canUndo;
    setText(this.whose, asked === null ? "" : `${asked.who} asks for label ${asked.n}`);
    const key = asked === null ? "" : `${asked.who} ${asked.n} ${asked.index} ${content !== void 0}`;
    if (key === this.shown && key !== "") return;
    this.shown = key;
    this.instances.show(content ?? element("p", { class: "aew-waiting" }, asked === null ? done : "…"));
    if (asked === null) delete this.instance.dataset.instanceId;
    else this.instance.dataset.instanceId = asked.id;
    this.labels.show(content ?? null, void 0);
  }
  close() {
    this.instances.close();
  }
};

// src/race/course.ts
function intervalOf(step, kind) {
  if (step === void 0) return null;
  return kind === "guaranteed" ? step.guaranteed ?? step.approximate : step.approximate ?? step.guaranteed;
}
var widthOf = (step, kind) => {
  const interval = intervalOf(step, kind);
  return interval === null ? null : interval.high - interval.low;
};
function smaller(values) {
  const [first, second] = values;
  if (first === null || second === null || first === void 0 || second === void 0) return null;
  if (Math.abs(first - second) <= 1e-12 * Math.max(Math.abs(first), Math.abs(second))) return -1;
  return first < second ? 0 : 1;
}
function labelsForWidth(steps, width, kind) {
  const at = steps.findIndex((step) => {
    const own = widthOf(step, kind);
    return own !== null && own <= width;
  });
  return at < 0 ? null : at + 1;
}
function binned(values, low, high, nBins) {
  const counts = new Array(nBins).fill(0);
  for (const value of values) {
    const bin = Math.floor((value - low) / (high - low) * nBins);
    counts[Math.min(nBins - 1, Math.max(0, bin))] += 1;
  }
  return counts.map((count) => count / Math.max(1, values.length));
}
function outline(shares, low, high) {
  const width = (high - low) / shares.length;
  return {
    x: shares.flatMap((_, i) => [low + i * width, low + (i + 1) * width]),
    y: shares.flatMap((share) => [share, share])
  };
}
var counted = (n) => `${n.toLocaleString("en-US")} label${n === 1 ? "" : "s"}`;
function closerText(courses, n, isHidden) {
  if (n === 0) return "No labels yet.";
  if (isHidden) return "Who is closer? First guess the truth.";
  const at = courses.map(({ steps }) => steps[n - 1]);
  const who = smaller(at.map((step) => step?.off ?? null));
  if (who === null) return "Closer to the truth: not to be told yet.";
  if (who === -1) return `Both are ${at[0].off_text} off the truth.`;
  const [winner, loser] = [courses[who], courses[1 - who]];
  return `Closer to the truth: ${winner.method.title}, ${at[who].off_text} off (${loser.method.title}: ${at[1 - who].off_text}).`;
}
function narrowerText(courses, n, kind, needed) {
  if (n === 0) return "";
  const at = courses.map(({ steps }) => steps[n - 1]);
  const who = smaller(at.map((step) => widthOf(step, kind)));
  if (who === null) return "Narrower: an interval is still missing.";
  if (who === -1) return "Both intervals are equally wide.";
  const [winner, loser] = [courses[who], courses[1 - who]];
  const margins = at.map((step) => intervalOf(step, kind)?.margin ?? "");
  const text = `Narrower: ${winner.method.title}, ${margins[who]} (${loser.method.title}: ${margins[1 - who]}).`;
  const within = labelsForWidth(loser.steps, widthOf(at[who], kind) ?? 0, kind);
  if (within !== null) return `${text} ${loser.method.title} needs ${counted(within)} for that.`;
  if (needed === null) return text;
  const most = needed.isReached ? counted(needed.n) : `more than ${counted(needed.n)}`;
  return `${text} ${loser.method.title} needs ${most} for that.`;
}

// src/explorers/plots.ts
var plotOf = (given) => ({
  bands: [],
  curves: [],
  lines: [],
  points: [],
  sides: [],
  legend: [],
  stops: [],
  columns: [],
  rows: [],
  ...given
});
var someOf2 = (rows, most = 12) => rows.length <= most ? rows : Array.from({ length: most }, (_, i) => rows[Math.round(i * (rows.length - 1) / (most - 1))]);

// src/race/plots.ts
var FAR = 1e3;
var colorOf = (method) => `racer-${method}`;
function estimatesPlot(config, courses, n, y, kind, isHidden) {
  const height = y.high - y.low;
  const within = (value) => Math.min(y.high + FAR * height, Math.max(y.low - FAR * height, value));
  const shown = courses.map(({ method, steps }) => ({ method, steps: steps.slice(0, n) }));
  const bands = shown.flatMap(({ method, steps }) => {
    const known = steps.flatMap((step, i) => {
      const interval = intervalOf(step, kind);
      return interval === null ? [] : [{ x: i + 1, low: within(interval.low), high: within(interval.high) }];
    });
    if (known.length === 0) return [];
    return [
      {
        kind: `${colorOf(method.name)}-band`,
        x: known.map(({ x }) => x),
        low: known.map(({ low }) => low),
        high: known.map(({ high }) => high)
      }
    ];
  });
  const values = shown.map(({ method, steps }) => {
    const known = steps.flatMap((step, i) => step.value === null ? [] : [{ x: i + 1, y: step.value, step }]);
    return { method, known };
  });
  const last = shown.map(({ method, steps }) => `${method.title} ${said(steps.at(-1), kind)}`);
  return plotOf({
    heading: `Estimated ${config.measure}`,
    x: labelsAxis(config.budget),
    y,
    bands,
    curves: [
      ...bands.flatMap(({ kind: band, x, low, high }) => [
        { kind: `${band}-edge`, x, y: low },
        { kind: `${band}-edge`, x, y: high }
      ]),
      ...values.map(({ method, known }) => ({
        kind: colorOf(method.name),
        x: known.map((each) => each.x),
        y: known.map((each) => each.y)
      }))
    ],
    lines: [
      ...config.sides.length > 0 ? [{ kind: "zero", y: 0 }] : [],
      ...isHidden ? [] : [{ kind: "goal", y: config.truth }]
    ],
    points: values.flatMap(
      ({ method, known }) => known.length === 0 ? [] : [
        {
          kind: `${colorOf(method.name)}-point`,
          shape: "dot",
          x: [known[known.length - 1].x],
          y: [known[known.length - 1].y],
          size: [1.6]
        }
      ]
    ),
    sides: config.sides,
    legend: [
      ...shown.map(({ method }) => [colorOf(method.name), `${method.title}, with its 95% interval`]),
      ...isHidden ? [] : [["goal", `truth: ${config.truth_text}`]]
    ],
    stops: values.map(({ method, known }) => ({
      name: method.title,
      by: "x",
      x: known.map((each) => each.x),
      y: known.map((each) => each.y),
      text: known.map((each) => `${method.title}, ${each.x} labels: ${said(each.step, kind)}`)
    })),
    summary: n === 0 ? "No labels yet." : `After ${n} labels: ${last.join("; ")}.`,
    columns: ["Labels", ...courses.flatMap(({ method }) => [method.title, "95% interval"])],
    rows: someOf2(
      Array.from({ length: n }, (_, i) => [
        String(i + 1),
        ...shown.flatMap(({ steps }) => [steps[i]?.text ?? "–", intervalOf(steps[i], kind)?.text ?? "–"])
      ])
    )
  });
}
function said(step, kind) {
  if (step === void 0) return "nothing yet";
  const interval = intervalOf(step, kind);
  return interval === null ? step.text : `${step.text}, between ${interval.text.replace(" to ", " and ")}`;
}
function labelsAxis(budget) {
  const unit = 10 ** Math.floor(Math.log10(Math.max(1, budget / 5)));
  const step = [1, 2, 5, 10].map((factor) => factor * unit).find((by) => budget / by < 6.5) ?? 10 * unit;
  const ticks = [];
  for (let tick = 0; tick <= budget; tick += step) ticks.push([tick, String(tick)]);
  return { low: 0, high: Math.max(1, budget), ticks, title: "labels" };
}
function picksPlot(picks, { method, steps }, n) {
  const { low, high } = picks.axis;
  const shares = binned(
    steps.slice(0, n).map(({ x }) => x),
    low,
    high,
    picks.n_bins
  );
  const [own, pool] = [outline(shares, low, high), outline(picks.pool, low, high)];
  const most = Math.max(0.2, ...picks.pool, ...shares);
  const ceiling = Math.min(1, Math.ceil(10 * most + 0.5) / 10);
  const text = (share) => `${Math.round(100 * share)}%`;
  const half = ceiling / 2;
  const width = (high - low) / picks.n_bins;
  const edge = (i) => Number((low + i * width).toPrecision(3)).toString();
  return plotOf({
    heading: `Picks by the ${picks.axis.title ?? ""} (line: the pool)`,
    x: picks.axis,
    y: {
      low: 0,
      high: ceiling,
      ticks: [
        [0, "0%"],
        [half, text(half)],
        [ceiling, text(ceiling)]
      ]
    },
    bands: [{ kind: `${colorOf(method.name)}-bars`, x: own.x, low: own.x.map(() => 0), high: own.y }],
    curves: [{ kind: "racer-pool", x: pool.x, y: pool.y }],
    legend: [
      [`${colorOf(method.name)}`, "picked"],
      ["racer-pool", "the pool"]
    ],
    stops: [
      {
        name: "Bins",
        by: "x",
        x: shares.map((_, i) => low + (i + 0.5) * width),
        y: shares,
        text: shares.map(
          (share, i) => `${edge(i)} to ${edge(i + 1)}: ${text(share)} of the picks, ${text(picks.pool[i])} of the pool`
        )
      }
    ],
    summary: `${picks.label}: shares of the ${n} picks and of the pool.`,
    columns: [picks.label, "Of the picks", "Of the pool"],
    rows: shares.map((share, i) => [`${edge(i)} to ${edge(i + 1)}`, text(share), text(picks.pool[i])])
  });
}
function errorsPlot(config, many) {
  const titleOf = (name) => config.methods.find((method) => method.name === name)?.title ?? name;
  const known = many.curves.map(({ method, median, low, high, rmse, texts }) => ({
    method,
    points: many.at.flatMap((x, i) => {
      const [middle, least, most, root] = [median[i], low[i], high[i], rmse[i]];
      return middle === null || least === null || most === null || root === null ? [] : [{ x, middle, least, most, root, text: texts[i] }];
    })
  }));
  return plotOf({
    heading: `How far off the truth after each label${config.unit ? `, in ${config.unit}` : ""}: ${many.n_done} races`,
    note: "Line: half of the races are closer to the truth. Band: from the closest tenth of the races to the farthest.",
    x: labelsAxis(config.budget),
    y: many.y,
    bands: known.map(({ method, points }) => ({
      kind: `${colorOf(method)}-band`,
      x: points.map(({ x }) => x),
      low: points.map(({ least }) => least),
      high: points.map(({ most }) => most)
    })),
    curves: known.map(({ method, points }) => ({
      kind: colorOf(method),
      x: points.map(({ x }) => x),
      y: points.map(({ middle }) => middle)
    })),
    legend: known.map(({ method }) => [colorOf(method), titleOf(method)]),
    stops: known.map(({ method, points }) => ({
      name: titleOf(method),
      by: "x",
      x: points.map(({ x }) => x),
      y: points.map(({ middle }) => middle),
      text: points.map(({ x, text }) => `${titleOf(method)}, ${x} labels: ${text}`)
    })),
    summary: many.curves.map(({ method, texts }) => `${titleOf(method)}: ${texts[texts.length - 1]}`).join(". "),
    columns: ["Labels", ...many.curves.map(({ method }) => titleOf(method))],
    rows: many.at.map((n, i) => [String(n), ...many.curves.map(({ texts }) => texts[i])])
  });
}

// src/race/many_races.ts
var ManyRaces = class {
  constructor(config, table, ask) {
    this.config = config;
    this.ask = ask;
    this.go = element("button", { type: "button", "data-aew": "run-many", onclick: () => this.toggle() });
    this.panel = new PlotPanel("errors", () => {
    }, table, "");
    this.node = element(
      "div",
      { class: "aew-many", hidden: "" },
      element("div", { class: "aew-race-bar" }, this.go, this.progress, this.count),
      this.said,
      this.panel.node,
      this.methods
    );
    this.paint();
  }
  config;
  ask;
  node;
  isRunning = false;
  many = null;
  said = element("p", { class: "aew-finding", "data-aew": "many-finding", role: "status" });
  go;
  progress = element("progress", { max: 1, value: 0, "aria-label": "Races that are through" });
  count = element("span", { class: "aew-count" });
  panel;
  methods = element("p", { class: "aew-race-note" });
  toggle() {
    this.isRunning = !this.isRunning && !this.many?.is_complete;
    if (this.isRunning) this.ask();
    this.paint();
  }
  /** Another race: what was found is of the one before. */
  forget() {
    this.isRunning = false;
    this.many = null;
    this.paint();
  }
  take(many) {
    this.many = many;
    if (many.is_complete) this.isRunning = false;
    if (this.isRunning) this.ask();
    this.paint();
  }
  paint() {
    const { config, many } = this;
    const nDone = many?.n_done ?? 0;
    setText(this.go, this.isRunning ? "Cancel" : nDone === 0 ? `Run ${config.n_races} races` : "Go on");
    this.go.disabled = many?.is_complete ?? false;
    this.progress.value = nDone / config.n_races;
    setText(this.count, `${nDone} of ${config.n_races}`);
    this.node.dataset.done = String(nDone);
    this.said.setAttribute("aria-busy", String(this.isRunning));
    setText(this.said, this.finding());
    if (many !== null && !this.node.hidden) this.panel.show(errorsPlot(config, many));
    this.panel.node.hidden = many === null;
  }
  showMethods(names, seed) {
    const { methods, n_races } = this.config;
    const told = names.flatMap((name) => methods.filter((method) => method.name === name));
    const parts = told.map(({ title, draws, estimate }) => `${title}: ${draws}; estimate: ${estimate}.`);
    setText(
      this.methods,
      `${parts.join(" ")} Each race has the same budget and the simulated expert; seeds ${seed} to ${seed + n_races - 1}, so the first is the race that is shown.`
    );
  }
  close() {
    this.isRunning = false;
    this.panel.close();
  }
  finding() {
    const { many, config } = this;
    if (many === null || many.n_done === 0) {
      return "One race may be luck. Run it many times, with other draws each time, and look at how far off the estimates are.";
    }
    const titleOf = (name) => config.methods.find((method) => method.name === name)?.title ?? name;
    const last = many.at.length - 1;
    const parts = many.curves.map(({ method, texts }) => `${titleOf(method)}: ${texts[last]}.`);
    const share = many.share_closer ?? 0.5;
    const [first, second] = many.curves.map(({ method }) => titleOf(method));
    const [who, how] = share >= 0.5 ? [first, share] : [second, 1 - share];
    return `After ${many.at[last]} labels. ${parts.join(" ")} ${who} ended closer in ${Math.round(100 * how)}% of ${many.n_done} races.`;
  }
};

// src/race/player.ts
var SPEEDS = [1, 2, 5, 10, 20, 50, 100, 200];
var Player = class {
  /** `most`: how many labels there are to be shown; `end`: when it is over. `onMove` is called once a frame. */
  constructor(most, end, onMove) {
    this.most = most;
    this.end = end;
    this.onMove = onMove;
  }
  most;
  end;
  onMove;
  /** How many labels are shown. */
  place = 0;
  speed = 20;
  last = 0;
  rest = 0;
  // of a label
  frame = null;
  get isPlaying() {
    return this.frame !== null;
  }
  play() {
    if (this.isPlaying) return;
    if (this.place >= this.end()) this.place = 0;
    this.last = performance.now();
    this.rest = 1;
    this.wait();
  }
  pause() {
    if (this.frame !== null) cancelAnimationFrame(this.frame);
    this.frame = null;
  }
  /** One label more. */
  step() {
    this.pause();
    this.place = Math.min(this.place + 1, this.most());
    this.onMove();
  }
  goTo(place) {
    this.pause();
    this.place = place;
    this.onMove();
  }
  wait() {
    this.frame = requestAnimationFrame((now) => this.move(now));
  }
  move(now) {
    const due = this.rest + Math.max(0, now - this.last) * (this.speed / 1e3);
    this.last = now;
    const next = Math.min(this.place + Math.floor(due), this.most());
    this.rest = next < this.most() ? due - Math.floor(due) : Math.min(due, 1) % 1;
    const hasMoved = next !== this.place;
    this.place = next;
    this.frame = null;
    if (this.place < this.end()) this.wait();
    if (hasMoved || !this.isPlaying) this.onMove();
  }
};

// src/race/racer_card.ts
var AHEAD = 12;
var RacerCard = class {
  node;
  instances;
  title = element("h2");
  value = element("strong", { class: "aew-racer-value" });
  interval = element("span", { class: "aew-racer-interval" });
  place = element("div", { class: "aew-racer-pick", "data-aew": "pick" });
  facts = element("dl", { class: "aew-racer-facts" });
  picks;
  pick = 0;
  // the number of the label whose instance is shown
  constructor(number, table, onReady) {
    this.instances = new UpcomingInstances({ onReady, askForMore: () => {
    } });
    this.picks = new PlotPanel(`picks-${number}`, () => {
    }, table, "");
    this.place.append(this.instances.slot);
    this.node = element(
      "section",
      { class: "aew-panel aew-racer", "data-aew": "racer" },
      element("div", { class: "aew-racer-head" }, this.title, element("p", {}, this.value, " ", this.interval)),
      element("div", { class: "aew-racer-last" }, this.place, this.facts),
      this.picks.node
    );
  }
  /** The indices that must still be asked for. */
  missing(course, n) {
    const coming = course.steps.slice(Math.max(0, n - 1), n + AHEAD);
    const indices = this.instances.missing(coming, AHEAD);
    this.instances.want(indices);
    return indices;
  }
  show(config, course, n, kind, isPlaying) {
    const { method, steps } = course;
    const step = n > 0 ? steps[n - 1] : void 0;
    const interval = intervalOf(step, kind);
    this.node.dataset.method = method.name;
    this.node.setAttribute("aria-label", method.title);
    this.node.title = `${method.draws}; estimate: ${method.estimate}`;
    setText(this.title, method.title);
    setText(this.value, step?.text ?? "–");
    setText(this.interval, interval === null ? "no interval yet" : interval.text);
    this.node.classList.toggle("aew-long", config.sides.length > 0);
    Object.assign(this.node.dataset, {
      n: String(n),
      value: String(step?.value ?? ""),
      low: String(interval?.low ?? ""),
      high: String(interval?.high ?? "")
    });
    this.picks.show(picksPlot(config.picks, course, n));
    this.showPick(steps, n, config.sides.length > 0, isPlaying);
  }
  close() {
    this.picks.close();
    this.instances.close();
  }
  /** The instance with its label. While it plays, one that is not there yet is passed over. */
  showPick(steps, n, isCompared, isPlaying) {
    if (n === 0) {
      this.pick = 0;
      this.instances.show(element("p", { class: "aew-waiting" }, "What it picks is shown here."));
      this.facts.replaceChildren();
      return;
    }
    const content = this.instances.elements.get(steps[n - 1].index);
    if (content === void 0 && isPlaying && this.pick > 0 && this.pick <= n) return;
    this.instances.show(content ?? element("p", { class: "aew-waiting" }, "…"));
    this.place.dataset.instanceId = steps[n - 1].id;
    if (this.pick === n && this.facts.dataset.told === `${n} ${steps[n - 1].label}`) return;
    this.pick = n;
    this.facts.dataset.told = `${n} ${steps[n - 1].label}`;
    this.facts.replaceChildren(...factsOf(steps[n - 1], n, isCompared));
  }
};
function factsOf(step, n, isCompared) {
  const fact = (name, ...what) => [element("dt", {}, name), element("dd", {}, ...what)];
  const [against, not] = isCompared ? ["✗ one is wrong", "no difference"] : ["✗ wrong", "✓ right"];
  const verdict = step.is_wrong === null ? [] : [element("span", { class: step.is_wrong ? "aew-is-wrong" : "aew-is-right" }, step.is_wrong ? against : not)];
  return [
    ...fact(`Label ${n}`, element("strong", {}, step.label), ...step.is_by_hand ? [" (by hand)"] : []),
    ...step.prediction === "" ? [] : fact(isCompared ? "Models" : "Model", step.prediction, " ", ...verdict),
    ...fact("Weight", weightText(step.weight))
  ];
}
var weightText = (weight) => weight >= 100 ? Math.round(weight).toLocaleString("en-US") : Number(weight.toPrecision(3)).toString();

// src/race/race_page.ts
var REST = 1e3;
var EMPTY = {
  version: -1,
  steps: [],
  n: 0,
  coming: null,
  coming_id: "",
  is_ready: true,
  is_done: false
};
var RacePage = class {
  // something was changed, here or on another page: Python is asked what
  constructor(model, el) {
    this.el = el;
    el.classList.add("aew-app", "aew-race");
    Object.assign(el.dataset, { aew: "race", state: "loading" });
    el.tabIndex = 0;
    el.setAttribute("role", "region");
    el.setAttribute("aria-label", "Race");
    el.dataset.lmSuppressShortcuts = "true";
    const { signal } = this.listeners;
    const mark = ({ target }) => {
      if (target instanceof HTMLElement) target.dataset.lmSuppressShortcuts = "true";
    };
    el.addEventListener("focusin", mark, { signal });
    this.connection = new Connection(model, {
      onReply: (message, buffers, isOwn) => this.take(message, buffers, isOwn),
      onChange: () => this.paint()
    });
    this.player = new Player(
      () => this.known,
      () => this.config?.budget ?? 0,
      () => this.paint()
    );
    const withKey = (key, text) => [...keyCaps([key]), text];
    const action = (name, key, text, act) => element(
      "button",
      { type: "button", "data-aew": name, "aria-keyshortcuts": key, onclick: act },
      ...withKey(key, text)
    );
    this.play = action("play", " ", "Play", () => this.toggle());
    this.step = action("step", "ArrowRight", "Step", () => this.player.step());
    const again = action("again", "0", "Restart", () => this.player.goTo(0));
    const fresh = action("new-race", "n", "New race", () => this.newRace((this.race?.seed ?? 0) + 1));
    this.truth = action("truth", "t", "Hide truth", () => this.hideTruth());
    this.hand = action("hand", "h", "Label by hand", () => this.toggleHand());
    this.whoseHand = element("select", { "aria-label": "Whose instances are labeled by hand" });
    this.speed = new Slider(
      {
        name: "speed",
        label: "Speed",
        low: 0,
        high: SPEEDS.length - 1,
        step: 1,
        value: SPEEDS.indexOf(this.player.speed),
        text: (value) => `${SPEEDS[value]} a second`
      },
      () => {
        this.player.speed = SPEEDS[this.speed.value];
      }
    );
    this.kind = new Choice(
      "interval",
      "95% interval",
      [
        ["guaranteed", "guaranteed"],
        ["approximate", "approximate"]
      ],
      () => this.paint()
    );
    this.choices = [0, 1].map(
      (number) => element("select", {
        "aria-label": number === 0 ? "First racer" : "Second racer",
        "data-aew": `racer-${number}`,
        onchange: () => this.changeMethods(number)
      })
    );
    this.plot = new PlotPanel("estimates", () => {
    }, this.table, "");
    this.cards = [0, 1].map((number) => new RacerCard(number, this.table, () => this.paint()));
    this.tabs = ["One race", "Many races"].map(
      (text, i) => element(
        "button",
        {
          type: "button",
          role: "tab",
          "data-aew": i === 0 ? "tab-one" : "tab-many",
          onclick: () => this.open(i === 1),
          onkeydown: (event) => this.moveTab(event)
        },
        text
      )
    );
    const bar = element(
      "div",
      { class: "aew-race-bar", role: "group", "aria-label": "The race" },
      this.play,
      this.step,
      this.speed.node,
      again,
      fresh,
      this.truth,
      element("span", { class: "aew-hand-choice" }, this.hand, this.whoseHand),
      this.count
    );
    const left = element("div", { class: "aew-race-left" }, this.plot.node);
    this.one.append(
      bar,
      this.said,
      element("div", { class: "aew-race-columns" }, left, ...this.cards.map(({ node }) => node))
    );
    this.inner.append(
      element(
        "header",
        { class: "aew-race-head" },
        element("div", { class: "aew-race-title" }, this.title, this.about),
        element("div", { class: "aew-racers" }, this.choices[0], "against", this.choices[1]),
        this.kind.node,
        element("div", { class: "aew-tabs", role: "tablist", "aria-label": "Races" }, ...this.tabs)
      ),
      this.alert,
      this.notes,
      this.one
    );
    el.replaceChildren(this.inner, this.table.dialog);
    this.connection.send("hello");
  }
  el;
  connection;
  listeners = new AbortController();
  config = null;
  race = null;
  racers = [EMPTY, EMPTY];
  y = { low: 0, high: 1, ticks: [[0, "0"]] };
  isHidden = false;
  needed = null;
  isMany = false;
  player;
  table = new TableDialog();
  title = element("h1");
  about = element("p", { class: "aew-about" });
  tabs;
  alert = element("p", { class: "aew-banner", role: "alert", "data-aew": "problem", hidden: "" });
  notes = element("p", { class: "aew-race-note", "data-aew": "notes", hidden: "" });
  said = element("p", { class: "aew-finding", "data-aew": "finding", role: "status" });
  count = element("span", { class: "aew-count", "data-aew": "count" });
  play;
  step;
  truth;
  hand;
  whoseHand;
  choices;
  speed;
  kind;
  plot;
  cards;
  one = element("div", { class: "aew-one" });
  inner = element("div", { class: "aew-race-inner" });
  byHand = null;
  many = null;
  isGiving = false;
  rest;
  restsUntil = 0;
  // what went wrong is not asked for again at once
  isStale = false;
  close() {
    this.player.pause();
    clearTimeout(this.rest);
    this.listeners.abort();
    this.connection.close();
    this.plot.close();
    this.many?.close();
    this.byHand?.close();
    for (const card of this.cards) card.close();
  }
  // -- what Python says ---------------------------------------------------------------------------------
  take(message, buffers, isOwn) {
    const { config, race, racers, y, many, beyond, instances, more, error } = message;
    if (isOwn && error !== void 0) {
      this.tell(error);
      this.restsUntil = performance.now() + REST;
      this.isStale = true;
      this.rest = setTimeout(() => this.askForMore(), REST + 1);
    }
    if (config !== void 0) this.begin(config);
    if (race !== void 0) {
      this.takeRace(race);
      this.isStale = racers === void 0 || !isOwn;
    }
    if (isOwn && racers !== void 0 && race !== void 0) this.takeSteps(race, racers);
    if (y !== void 0) this.y = y;
    if (many !== void 0 && many.run === this.race?.run) this.many?.take(many);
    if (beyond !== void 0 && beyond.run === this.race?.run) {
      const { racer, width, kind, n, is_reached, is_complete } = beyond;
      if (is_complete) this.needed = { key: keyOf(racer, width, kind), found: { n, isReached: is_reached } };
    }
    (instances ?? []).forEach((info, i) => {
      const shown = [...this.cards.map((card) => card.instances), ...this.byHand ? [this.byHand.instances] : []];
      for (const place of shown) if (place.wanted.has(info.index)) void place.add(info, buffers[i]);
    });
    if (more !== void 0) this.byHand?.instances.addMore(more, buffers[0]);
    if (isOwn) this.isGiving = this.connection.isWaitingFor("give", "undo", "by_hand");
    this.paint();
    this.askForMore();
  }
  begin(config) {
    if (this.config !== null) return;
    this.config = config;
    this.el.toggleAttribute("data-standalone", config.is_standalone);
    setText(this.title, config.title);
    setText(this.notes, config.notes.join(" "));
    this.notes.hidden = config.notes.length === 0;
    for (const select of this.choices) {
      select.replaceChildren(...config.methods.map(({ name, title }) => element("option", { value: name }, title)));
    }
    for (const card of this.cards) card.instances.use(config.instance_modules);
    this.byHand = new ByHand(config, {
      give: (value) => this.give(value),
      undo: () => this.undo(),
      leave: () => this.toggleHand(),
      onReady: () => this.paint(),
      askForMore: (what) => this.connection.send("more", what)
    });
    this.one.querySelector(".aew-race-left")?.prepend(this.byHand.node);
    this.many = new ManyRaces(config, this.table, () => {
      if (this.race !== null) this.connection.send("races", { run: this.race.run });
    });
    this.inner.append(this.many.node);
    setText(this.tabs[1], `${config.n_races} races`);
    this.open(false);
    const place = config.is_standalone ? document : this.el;
    place.addEventListener("keydown", (event) => this.pressed(event), {
      signal: this.listeners.signal
    });
    if (config.is_standalone) this.el.focus({ preventScroll: true });
    this.el.dataset.state = "ready";
  }
  takeRace(race) {
    const isNew = race.run !== this.race?.run;
    const hadHand = (this.race?.by_hand.length ?? 0) > 0;
    this.race = race;
    if (isNew) {
      this.racers = [EMPTY, EMPTY];
      this.player.goTo(0);
      this.needed = null;
      this.many?.forget();
      this.showRacers();
    }
    if (race.by_hand.length > 0) this.player.pause();
    if (hadHand && race.by_hand.length === 0) this.el.focus({ preventScroll: true });
  }
  takeSteps(race, told) {
    if (race.run !== this.race?.run) return;
    this.racers = told.map(({ start, ...racer }, i) => {
      const before = this.racers[i];
      const kept = before.version === racer.version ? before.steps.slice(0, start) : [];
      if (kept.length !== start) return { ...racer, steps: kept, version: -1 };
      return { ...racer, steps: [...kept, ...racer.steps] };
    });
    if (this.isByHand) this.player.goTo(this.known);
    else if (this.player.place > this.known && this.racers.every(({ is_ready }) => is_ready))
      this.player.place = this.known;
  }
  /** Asks for what is not known yet, one message at a time. */
  askForMore() {
    const { race, config } = this;
    if (race === null || config === null || performance.now() < this.restsUntil) return;
    const { connection } = this;
    const isOpen = this.isStale || this.racers.some(
      ({ version, is_ready, is_done }, i) => version < 0 || !is_ready || !is_done && !race.by_hand.includes(i) || this.racers[i].steps.length < this.racers[i].n
    );
    if (isOpen && !connection.isWaitingFor("steps", "give", "undo", "by_hand", "new_race")) {
      const known = this.racers.map(({ version, steps }) => ({ version, n: steps.length }));
      connection.send("steps", { run: race.run, known });
    }
    if (!isOpen && !connection.isWaitingFor("beyond")) this.askBeyond();
    const indices = this.cards.flatMap((card, i) => card.missing(this.courses[i], this.player.place));
    const all = /* @__PURE__ */ new Set([...indices, ...this.byHand?.missing(this.asked) ?? []]);
    if (all.size > 0) connection.send("instances", { indices: [...all] });
  }
  /** At the end: how many labels the wider one needs for the narrower one's width. */
  askBeyond() {
    const { race, config, player } = this;
    if (race === null || config === null || this.isByHand || player.place < config.budget) return;
    const kind = this.kind.value;
    const widths = this.racers.map(({ steps }) => widthOf(steps[config.budget - 1], kind));
    const who = smaller(widths);
    if (who === null || who === -1) return;
    const [racer, width] = [1 - who, widths[who] ?? 0];
    if (this.needed?.key === keyOf(racer, width, kind)) return;
    this.connection.send("beyond", { run: race.run, racer, width, kind });
  }
  // -- what the person does -----------------------------------------------------------------------------
  get isByHand() {
    return (this.race?.by_hand.length ?? 0) > 0;
  }
  /** How many labels of both racers there are to be shown. */
  get known() {
    return Math.min(...this.racers.map(({ steps }) => steps.length));
  }
  get courses() {
    const { config, race } = this;
    if (config === null || race === null) return [];
    return race.methods.map((name, i) => ({
      method: config.methods.find((method) => method.name === name) ?? config.methods[0],
      steps: this.racers[i].steps
    }));
  }
  /** What is asked by hand: the hindmost of those who are labeled so. */
  get asked() {
    const { race, config } = this;
    if (race === null || config === null || !this.isByHand) return null;
    const turn = race.by_hand.reduce(
      (best, i) => this.racers[i].steps.length < this.racers[best].steps.length ? i : best
    );
    const { coming, coming_id, steps, is_ready, version } = this.racers[turn];
    if (coming === null || version < 0) return null;
    const isReady = is_ready && !this.isGiving && !this.isStale;
    return { index: coming, id: coming_id, who: this.courses[turn].method.title, n: steps.length + 1, isReady };
  }
  toggle() {
    if (this.player.isPlaying) this.player.pause();
    else if (!this.isByHand) this.player.play();
    this.paint();
  }
  hideTruth() {
    this.isHidden = !this.isHidden;
    this.paint();
  }
  newRace(seed, methods = this.race?.methods) {
    if (methods === void 0) return;
    this.tell("");
    this.player.pause();
    this.connection.send("new_race", { seed, methods });
  }
  changeMethods(number) {
    const { race } = this;
    if (race === null) return;
    const methods = this.choices.map(({ value }) => value);
    if (methods[0] === methods[1]) methods[1 - number] = race.methods[number];
    this.newRace(race.seed, methods);
  }
  toggleHand() {
    const { race } = this;
    if (race === null) return;
    this.player.pause();
    const racers = this.isByHand ? [] : this.whoseHand.value.split(" ").map(Number);
    this.tell("");
    this.isGiving = true;
    this.connection.send("by_hand", { run: race.run, n: this.player.place, racers });
    this.paint();
  }
  give(value) {
    const { race, asked } = this;
    if (race === null || asked === null || !asked.isReady || value === void 0) return;
    const racer = this.courses.findIndex(({ method }) => method.title === asked.who);
    this.tell("");
    this.isGiving = true;
    this.connection.send("give", { run: race.run, racer, n: asked.n, value });
    this.paint();
  }
  undo() {
    const { race } = this;
    if (race === null || !this.isByHand) return;
    this.isGiving = true;
    this.connection.send("undo", { run: race.run });
    this.paint();
  }
  open(isMany) {
    this.isMany = isMany;
    if (isMany) this.player.pause();
    this.one.hidden = isMany;
    if (this.many) this.many.node.hidden = !isMany;
    this.tabs.forEach((tab, i) => {
      tab.setAttribute("aria-selected", String(isMany === (i === 1)));
      tab.tabIndex = isMany === (i === 1) ? 0 : -1;
    });
    this.many?.paint();
    this.paint();
  }
  moveTab(event) {
    if (isForeign(event) || !["ArrowLeft", "ArrowRight"].includes(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    this.open(!this.isMany);
    this.tabs[this.isMany ? 1 : 0].focus();
  }
  pressed(event) {
    const { byHand } = this;
    if (byHand === null || event.defaultPrevented || isForeign(event) || this.table.dialog.open || this.isMany) return;
    const target = event.composedPath()[0];
    const { body, documentElement } = document;
    if (target !== body && target !== documentElement && !(target instanceof Node && this.el.contains(target))) return;
    const isButton = target instanceof Element && target.closest("button, summary, a") !== null;
    if (isButton && (event.key === "Enter" || event.key === " ")) return;
    const isOwnField = target instanceof Node && byHand.node.contains(target);
    if (isTextField(target) && !isOwnField) return;
    const take = () => {
      event.preventDefault();
      event.stopPropagation();
    };
    if (this.isByHand) {
      if (byHand.labels.press(event)) take();
      else if (event.key === "Escape") {
        take();
        this.toggleHand();
      } else if (!isTextField(target) && byHand.keys.meaningOf(event)?.action === "undo") {
        take();
        if (!event.repeat) this.undo();
      } else if (byHand.instances.onKey(event)) take();
      return;
    }
    if (target instanceof Element && target.matches("input[type=range], input[type=radio]") && event.key.startsWith("Arrow"))
      return;
    const acts = {
      " ": () => this.toggle(),
      ArrowRight: () => this.player.step(),
      "0": () => this.player.goTo(0),
      n: () => this.newRace((this.race?.seed ?? 0) + 1),
      t: () => this.hideTruth(),
      h: () => this.toggleHand()
    };
    const act = acts[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (act === void 0) return;
    take();
    if (!event.repeat || event.key === "ArrowRight") act();
  }
  // -- what is shown ------------------------------------------------------------------------------------
  tell(problem) {
    setText(this.alert, problem);
    this.alert.hidden = problem === "";
  }
  showRacers() {
    const { race } = this;
    if (race === null) return;
    const { courses } = this;
    this.choices.forEach((select, i) => {
      select.value = race.methods[i];
      select.dataset.color = colorOf(race.methods[i]);
    });
    const options = [
      ...courses.map(({ method }, i) => [String(i), method.title]),
      ["0 1", "Both"]
    ];
    this.whoseHand.replaceChildren(...options.map(([value, text]) => element("option", { value }, text)));
    this.many?.showMethods(race.methods, race.seed);
  }
  paint() {
    const { config, race, player, connection } = this;
    if (config === null || race === null) return;
    this.el.dataset.state = connection.isLost ? "disconnected" : "ready";
    if (connection.isLost) this.tell("No connection to Python. The race goes on as soon as it is back.");
    else if (this.alert.textContent?.startsWith("No connection")) this.tell("");
    const { place: n, isPlaying } = player;
    const { courses } = this;
    const kind = this.kind.value;
    const { budget } = config;
    Object.assign(this.el.dataset, {
      n: String(n),
      run: String(race.run),
      seed: String(race.seed),
      known: String(this.known),
      playing: String(isPlaying)
    });
    setText(this.count, `${n} of ${budget} labels`);
    const byHand = race.n_by_hand > 0 ? ` · ${race.n_by_hand} by hand` : "";
    setText(this.about, `seed ${race.seed}${byHand} · ${config.about}`);
    this.about.title = this.about.textContent ?? "";
    const playText = isPlaying ? "Pause" : n >= budget ? "Play again" : "Play";
    if (this.play.lastChild?.textContent !== playText) this.play.lastChild?.replaceWith(playText);
    this.play.disabled = this.isByHand;
    this.step.disabled = this.isByHand || n >= this.known;
    this.truth.lastChild?.replaceWith(this.isHidden ? "Show truth" : "Hide truth");
    this.truth.setAttribute("aria-pressed", String(this.isHidden));
    this.hand.setAttribute("aria-pressed", String(this.isByHand));
    this.whoseHand.disabled = this.isByHand;
    this.hand.disabled = !this.isByHand && n >= budget;
    const found2 = this.needed?.found ?? null;
    const needed = n >= budget && this.needed !== null && this.needed.key === this.neededKey() ? found2 : null;
    this.said.setAttribute("aria-busy", String(isPlaying));
    const sentences = [closerText(courses, n, this.isHidden), narrowerText(courses, n, kind, needed)];
    setText(this.said, sentences.filter(Boolean).join(" "));
    if (this.isMany) return;
    this.plot.show(estimatesPlot(config, courses, n, this.y, kind, this.isHidden));
    this.cards.forEach((card, i) => {
      card.show(config, courses[i], n, kind, isPlaying);
    });
    this.el.toggleAttribute("data-by-hand", this.isByHand);
    if (this.byHand) {
      const wasHidden = this.byHand.node.hidden;
      this.byHand.node.hidden = !this.isByHand;
      this.byHand.show(this.asked, race.n_by_hand > 0, "All labels are given.");
      if (wasHidden && this.isByHand) this.el.focus({ preventScroll: true });
    }
    if (!this.connection.isWaitingFor("instances")) this.askForMore();
  }
  neededKey() {
    const { config } = this;
    const kind = this.kind.value;
    const widths = this.racers.map(({ steps }) => widthOf(steps[(config?.budget ?? 1) - 1], kind));
    const who = smaller(widths);
    return who === null || who === -1 ? "" : keyOf(1 - who, widths[who] ?? 0, kind);
  }
};
var keyOf = (racer, width, kind) => `${racer} ${width} ${kind}`;

// src/race/index.ts
function render({ model, el }) {
  const page = new RacePage(model, el);
  return () => page.close();
}
var index_default = { render };
export {
  index_default as default
};
