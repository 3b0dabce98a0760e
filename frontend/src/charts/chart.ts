// A plot that fits its place on the page. Its values can be read by pointer and by keys.

import { element, setText } from "../dom/element";
import type { PlotContent } from "../from_python/messages";
import { isForeign, takeKey } from "../keys/key_names";
import { type At, type Layer, layerFrom, stepFrom, valueAt } from "./chart_values";
import { drawn, FOOT } from "./drawing";
import type { Surface } from "./surface";

const JUMP = 10; // points that Page Up and Page Down pass
const KEY_STEPS: Record<string, number> = {
  ArrowRight: 1,
  ArrowLeft: -1,
  PageDown: JUMP,
  PageUp: -JUMP,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

export interface ChartOptions {
  /** Its accessible name until there is content. */
  title?: string;
  /** Called with the index of a chosen point, if points can be chosen. */
  goTo?: (index: number) => void;
  /** What choosing a point does. */
  enter?: string;
}

export class Chart {
  readonly box: HTMLElement;
  content: PlotContent | null = null;
  private layers: Layer[] = [];
  private at: At | null = null; // the value pointed at
  private isMarked = false;
  private readonly over = drawn("svg", { "aria-hidden": "true" });
  private readonly tip = element("div", { class: "aew-tip", hidden: "", "aria-hidden": "true" });
  private readonly announcement = element("p", { class: "aew-unseen", "aria-live": "polite" });
  private readonly cursor = drawn("circle", { class: "aew-cursor", r: 6, visibility: "hidden" });
  private readonly observer = new ResizeObserver(() => this.draw());

  private readonly goTo: ChartOptions["goTo"];
  private readonly enter: string;

  constructor(
    private surface: Surface,
    { title = "Plot", goTo, enter = "Enter opens an instance." }: ChartOptions = {},
  ) {
    this.goTo = goTo;
    this.enter = enter;
    this.box = element(
      "div",
      {
        class: "aew-plot",
        tabindex: "0",
        role: "application",
        "aria-label": title,
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
      this.surface.node,
      this.over,
      this.tip,
      this.announcement,
    );
    this.over.append(this.cursor);
    this.observer.observe(this.box);
  }

  /** Draws on another surface from now on. */
  use(surface: Surface): void {
    if (surface === this.surface) return;
    this.surface.node.replaceWith(surface.node);
    this.surface = surface;
    this.draw();
  }

  show(content: PlotContent): void {
    this.content = content;
    const keys = `Arrow keys step through the values.${this.goTo ? ` ${this.enter}` : ""}`;
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
    const { top, bottom, x, y } = this.surface.draw(content, width, height);
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
    if (this.at === null) setText(this.announcement, ""); // "Nothing to show yet" may be over
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

  /** Highlights the value pointed at, and shows it in words. */
  private mark(): void {
    const layer = this.at === null ? undefined : this.layers[this.at[0]];
    const i = Math.min(this.at?.[1] ?? 0, (layer?.px.length ?? 0) - 1);
    const isThere = layer !== undefined && i >= 0;
    if (!isThere && !this.isMarked) return;
    this.isMarked = isThere;
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
    if (index !== undefined) this.goTo?.(index);
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
    takeKey(event);
  }

  private step(by: number): void {
    const at = stepFrom(this.layers, this.at, by);
    if (at === null) {
      setText(this.announcement, "Nothing to show yet");
      return;
    }
    this.at = at;
    this.announce(this.layers[at[0]].text[at[1]]);
  }

  private change(by: 1 | -1): void {
    const at = layerFrom(this.layers, this.at, by);
    if (at === null) return;
    this.at = at;
    const { px, name, text } = this.layers[at[0]];
    this.announce(`${name}, ${px.length}. ${text[at[1]]}`);
  }

  private announce(text: string): void {
    this.mark();
    setText(this.announcement, text);
  }
}
