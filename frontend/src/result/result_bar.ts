import { element, percent, setText } from "../dom/element";
import type { IntervalBar } from "../from_python/messages";
import { IntervalTrack } from "../panels/interval_track";

const BETWEEN = 0.04; // of the bar's width, the gap between two texts

/** The interval as a bar, the estimate as a dot on it, and the numbers at its ends. */
export class ResultBar {
  private readonly track = new IntervalTrack();
  private readonly ends = [element("span", { class: "aew-end" }), element("span", { class: "aew-end" })];
  readonly node = element("div", { class: "aew-outcome-bar", "aria-hidden": "true" }, this.track.node, ...this.ends);
  private shown: IntervalBar | null = null;
  private readonly widths = new ResizeObserver(() => this.placeTexts());

  constructor() {
    this.widths.observe(this.node);
  }

  show(content: IntervalBar | null): void {
    this.node.hidden = content === null;
    if (content === null) return;
    this.track.show(content);
    content.ends.forEach((text, i) => {
      setText(this.ends[i], text);
    });
    this.shown = content;
    this.placeTexts();
  }

  close(): void {
    this.widths.disconnect();
  }

  /** The widths of texts, and of the bar, are known once they are on the page. */
  private placeTexts(): void {
    if (this.shown === null) return;
    const whole = this.node.clientWidth || 1;
    const [left, right] = this.ends.map((end) => end.offsetWidth / whole);
    const places = textPlaces(this.shown.low, this.shown.high, [left, right]);
    places.forEach((place, i) => {
      this.ends[i].style.left = percent(place);
    });
  }
}

/** The middles of two texts, as shares of the bar's width: at an interval's ends, side by side, inside. */
export function textPlaces(low: number, high: number, widths: [number, number]): [number, number] {
  const [first, second] = widths.map((width) => width / 2);
  const apart = Math.max(0, first + second + BETWEEN - (high - low)) / 2;
  const room = first + second + BETWEEN; // between the middles
  const left = Math.min(Math.max(low - apart, first), 1 - second - room);
  const right = Math.max(Math.min(high + apart, 1 - second), left + room);
  return [left, right];
}
