// An interval as a bar between the ends of a scale, and the estimate as a dot on it; all positions are shares of the scale.

import { element, percent } from "../dom/element";
import type { IntervalBar } from "../from_python/messages";

export class IntervalTrack {
  private readonly zero = element("span", { class: "aew-zero" });
  private readonly band = element("span", { class: "aew-band" });
  private readonly within = element("span", { class: "aew-band aew-approximate" });
  private readonly dot = element("span", { class: "aew-dot" });
  readonly node = element("div", { class: "aew-track" }, this.zero, this.band, this.within, this.dot);

  show({ low, high, is_approximate, within, value, zero }: IntervalBar): void {
    stretch(this.band, { low, high });
    this.band.classList.toggle("aew-approximate", is_approximate);
    stretch(this.within, within);
    place(this.dot, value);
    place(this.zero, zero);
  }
}

function stretch(bar: HTMLElement, interval: { low: number; high: number } | null): void {
  bar.hidden = interval === null;
  if (interval === null) return;
  bar.style.left = percent(interval.low);
  bar.style.right = percent(1 - interval.high);
}

function place(mark: HTMLElement, at: number | null): void {
  mark.hidden = at === null;
  if (at !== null) mark.style.left = percent(at);
}
