// A plot: Python's numbers drawn as bands, curves and points, in the size that the page gives it. Values are told
// by pointer and by keys.

const SVG_NAMES = "http://www.w3.org/2000/svg";
const TICK = 12; // px, the height of what is written
const REACH = 14; // px around the pointer in which a point is found
const FOOT = 7; // px above the axis, for marks that stand on it
const JUMP = 10; // points that Page Up and Page Down pass

function drawn(tag, attributes = {}, text = null) {
  const node = document.createElementNS(SVG_NAMES, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  if (text !== null) node.textContent = text;
  return node;
}

// From an axis' numbers to pixels.
function scaleOf({ low, high, is_log: isLog }, from, to) {
  const level = isLog ? Math.log : (value) => value;
  const [start, end] = [level(low), level(high)];
  return (value) => from + ((to - from) * (level(value) - start)) / (end - start);
}

const pathOf = (xs, ys) => xs.map((x, i) => `${i === 0 ? "M" : "L"}${x.toFixed(1)} ${ys[i].toFixed(1)}`).join("");

const SIZES = { dot: 3.4, cross: 3.4, foot: 3.4, diamond: 4.6 };
const SHAPES = {
  dot: (x, y, size) => `M${x - size} ${y}a${size} ${size} 0 1 0 ${2 * size} 0a${size} ${size} 0 1 0 ${-2 * size} 0`,
  cross: (x, y, size) => `M${x - size} ${y - size}l${2 * size} ${2 * size}m0 ${-2 * size}l${-2 * size} ${2 * size}`,
  diamond: (x, y, size) => `M${x} ${y - 2 * size}l${1.5 * size} ${2 * size}l${-1.5 * size} ${2 * size}l${-1.5 * size} ${-2 * size}z`,
};
SHAPES.foot = (x, y, size) => SHAPES.cross(x, y - FOOT, size);

class Chart {
  // `goTo` is called with the index of an instance whose point was chosen.
  constructor(goTo) {
    this.goTo = goTo;
    this.content = null;
    this.layers = []; // the stops with their places in pixels
    this.at = null; // [layer, stop]: what is pointed at
    this.svg = drawn("svg", { "aria-hidden": "true" });
    this.tip = element("div", { class: "aew-tip", hidden: "", "aria-hidden": "true" });
    this.told = element("p", { class: "aew-unseen", "aria-live": "polite" });
    this.box = element("div", { class: "aew-plot", tabindex: "0", role: "application", "aria-roledescription": "plot",
      onpointermove: (event) => this.pointed(event), onpointerleave: () => this.leave(),
      onclick: (event) => { this.pointed(event); this.choose(); },
      onkeydown: (event) => this.pressed(event), onblur: () => this.leave() }, this.svg, this.tip, this.told);
    this.observer = new ResizeObserver(() => this.draw());
    this.observer.observe(this.box);
  }

  show(content) {
    this.content = content;
    this.box.setAttribute("aria-label", `${content.heading}. ${content.summary} Arrow keys step through the values, Enter opens an instance.`);
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
    const { x: xAxis, y: yAxis } = content;
    const longest = Math.max(...yAxis.ticks.map(([, text]) => text.length));
    const hasTitle = Boolean(xAxis.title) && height >= 110;
    this.area = { left: 12 + 0.64 * TICK * longest, right: width - 20, top: 9, bottom: height - (hasTitle ? 34 : 19) };
    const { left, right, top, bottom } = this.area;
    this.x = scaleOf(xAxis, left, right);
    this.y = scaleOf(yAxis, bottom, top);
    const clip = `aew-clip-${Chart.number++}`;
    const frame = drawn("clipPath", { id: clip });
    frame.append(drawn("rect", { x: left, y: top - 1, width: right - left + 1, height: bottom - top + 2 }));
    const inside = drawn("g", { "clip-path": `url(#${clip})` });
    this.drawInside(inside);
    this.svg.replaceChildren(frame, ...this.axes(hasTitle), inside, ...this.points());
    this.cursor = drawn("circle", { class: "aew-cursor", r: 6, visibility: "hidden" });
    this.svg.append(this.cursor);
    this.layers = content.stops.map((stop) => ({
      ...stop, px: stop.x.map(this.x), py: stop.y.map((value) => this.place(value) - (stop.is_foot ? FOOT : 0)),
    }));
    this.mark();
  }

  axes(hasTitle) {
    const { x: xAxis, y: yAxis, lines, sides } = this.content;
    const { left, right, top, bottom } = this.area;
    const nodes = [];
    const skip = Math.ceil((yAxis.ticks.length * (TICK + 3)) / (bottom - top + TICK));
    // Counted from what must be read: 1 of multiples, 0 of differences, else the lower end.
    const origin = Math.max(0, yAxis.ticks.findIndex(([value]) => value === (yAxis.is_log ? 1 : 0)));
    yAxis.ticks.forEach(([value, text], i) => {
      if ((i - origin) % skip !== 0) return;
      const y = this.y(value);
      nodes.push(drawn("line", { class: "aew-grid-line", x1: left, x2: right, y1: y, y2: y }),
        drawn("text", { x: left - 6, y: y + 4, "text-anchor": "end" }, text));
    });
    const widest = 0.62 * TICK * Math.max(...xAxis.ticks.map(([, text]) => text.length)) + 8;
    const every = Math.ceil((xAxis.ticks.length * widest) / (right - left + widest));
    xAxis.ticks.forEach(([value, text], i) => {
      if (i % every === 0) nodes.push(drawn("text", { x: this.x(value), y: bottom + 15, "text-anchor": "middle" }, text));
    });
    nodes.push(drawn("line", { class: "aew-axis-line", x1: left, x2: right, y1: bottom, y2: bottom }));
    if (hasTitle) nodes.push(drawn("text", { x: (left + right) / 2, y: bottom + 30, "text-anchor": "middle" }, xAxis.title));
    for (const { kind, y } of lines) {
      nodes.push(drawn("line", { class: `aew-draw-${kind}`, x1: left, x2: right, y1: this.y(y), y2: this.y(y) }));
    }
    sides.forEach((text, i) => nodes.push(drawn("text", {
      class: "aew-side-text", x: right - 2, y: i === 0 ? top + 10 : bottom - 14, "text-anchor": "end" }, text)));
    return nodes;
  }

  drawInside(group) {
    for (const { kind, x, low, high } of this.content.bands) {
      if (x.length === 0) continue;
      const xs = x.map(this.x);
      const upper = pathOf(xs, high.map(this.y));
      const lower = pathOf([...xs].reverse(), low.map(this.y).reverse());
      group.append(drawn("path", { class: `aew-draw-${kind}`, d: `${upper}L${lower.slice(1)}Z` }));
    }
    for (const { kind, x, y } of this.content.curves) {
      if (x.length === 0) continue;
      const clipped = y.map((value) => this.y(value));
      group.append(drawn("path", { class: `aew-draw-${kind}`, d: pathOf(x.map(this.x), clipped) }));
    }
  }

  points() {
    return this.content.points.flatMap(({ kind, shape, x, y, size, label }) => {
      const d = x.map((value, i) => SHAPES[shape](this.x(value), this.y(y[i]), size === undefined ? SIZES[shape] : 1.4 + 2.8 * size[i])).join("");
      const nodes = [drawn("path", { class: `aew-draw-${kind} aew-shape-${shape}`, d })];
      if (label && x.length === 1) nodes.push(this.label(label, this.x(x[0]), this.y(y[0])));
      return nodes;
    });
  }

  label(text, x, y) {
    const isRight = x > (this.area.left + this.area.right) / 2;
    return drawn("text", { class: "aew-point-text", x: x + (isRight ? -10 : 10),
      y: Math.max(this.area.top + 6, y - 6), "text-anchor": isRight ? "end" : "start" }, text);
  }

  // -- values -------------------------------------------------------------------------------------------

  // Where on the screen a stop is: a curve may leave the area.
  place = (value) => Math.min(this.area.bottom, Math.max(this.area.top, this.y(value)));

  pointed(event) {
    if (this.content === null || this.layers.length === 0) return;
    const frame = this.box.getBoundingClientRect();
    const [x, y] = [event.clientX - frame.left, event.clientY - frame.top];
    let best = null;
    let least = REACH ** 2;
    this.layers.forEach(({ by, px, py }, layer) => {
      if (by !== "point") return;
      px.forEach((at, i) => {
        const distance = (at - x) ** 2 + (py[i] - y) ** 2;
        if (distance >= least) return;
        least = distance;
        best = [layer, i];
      });
    });
    if (best === null) {
      const layer = this.layers.findIndex(({ by, px }) => by === "x" && px.length > 0);
      if (layer >= 0) {
        const { px } = this.layers[layer];
        if (x <= px.at(-1) + REACH) best = [layer, px.reduce((nearest, at, i) => (Math.abs(at - x) < Math.abs(px[nearest] - x) ? i : nearest), 0)];
      }
    }
    this.at = best;
    this.mark();
  }

  leave() {
    this.at = null;
    this.mark();
  }

  // Shows what is pointed at, and its value.
  mark() {
    if (!this.cursor) return;
    const layer = this.layers[this.at?.[0]];
    const i = Math.min(this.at?.[1] ?? 0, (layer?.px.length ?? 0) - 1);
    const isThere = layer !== undefined && i >= 0;
    this.cursor.setAttribute("visibility", isThere ? "visible" : "hidden");
    this.tip.hidden = !isThere;
    this.box.classList.toggle("aew-choosable", isThere && layer.index !== undefined);
    if (!isThere) return;
    this.at = [this.at[0], i];
    const [x, y] = [layer.px[i], layer.py[i]];
    this.cursor.setAttribute("cx", x);
    this.cursor.setAttribute("cy", y);
    setText(this.tip, layer.text[i]);
    const { clientWidth: width, clientHeight: height } = this.box;
    this.tip.style.left = `${Math.max(0, Math.min(x - this.tip.offsetWidth / 2, width - this.tip.offsetWidth))}px`;
    const above = y - this.tip.offsetHeight - 14;
    this.tip.style.top = `${above >= -40 ? above : Math.min(y + 14, height)}px`;
  }

  choose() {
    const [layer, i] = this.at ?? [];
    const index = this.layers[layer]?.index?.[i];
    if (index !== undefined) this.goTo(index);
  }

  pressed(event) {
    if (isForeign(event)) return;
    const { key: name } = event;
    if (name === "Escape" && this.at === null) return; // not for the plot
    const steps = { ArrowRight: 1, ArrowLeft: -1, PageDown: JUMP, PageUp: -JUMP, Home: -Infinity, End: Infinity };
    if (name in steps) this.step(steps[name]);
    else if (name === "ArrowUp" || name === "ArrowDown") this.change(name === "ArrowUp" ? -1 : 1);
    else if (name === "Escape") this.leave();
    else if (name === "Enter" && !event.repeat) this.choose();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // To another point of the same layer; the first key shows the latest.
  step(by) {
    const layer = this.at?.[0] ?? this.layers.findIndex(({ px }) => px.length > 0);
    const last = (this.layers[layer]?.px.length ?? 0) - 1;
    if (last < 0) {
      setText(this.told, "Nothing to show yet");
      return;
    }
    const from = this.at?.[1] ?? (this.layers[layer].by === "x" ? last + (by < 0 ? 1 : 0) : -1);
    this.at = [layer, Math.max(0, Math.min(last, from + by))];
    this.tell(this.layers[layer].text[this.at[1]]);
  }

  // To another layer that has points.
  change(by) {
    const count = this.layers.length;
    if (count === 0) return;
    let layer = this.at?.[0] ?? (by > 0 ? -1 : count);
    do layer = (layer + by + count) % count;
    while (this.layers[layer].px.length === 0 && layer !== this.at?.[0] && this.layers.some(({ px }) => px.length > 0));
    const { px, name, text, by: kind } = this.layers[layer];
    if (px.length === 0) return;
    const i = kind === "x" ? px.length - 1 : 0;
    this.at = [layer, i];
    this.tell(`${name}, ${px.length}. ${text[i]}`);
  }

  tell(text) {
    this.mark();
    setText(this.told, text);
  }
}
Chart.number = 0;
