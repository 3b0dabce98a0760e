import { element, percent, setText } from "../dom/element";
import { headOf, tableFrame } from "../dom/table";
import type { IntervalRow, IntervalScale, IntervalTableContent } from "../from_python/messages";

/** Estimates that hold at once: a row each, with its interval as a bar on a common scale. */
export class IntervalTable {
  readonly node: HTMLElement;
  private readonly summary = element("p");
  private readonly body = element("div");

  constructor(
    name: string,
    private readonly title: string,
  ) {
    this.node = element(
      "section",
      { class: `aew-interval-table aew-${name}`, "data-aew": name, "aria-label": title },
      element("h2", {}, title),
      this.body,
      this.summary,
    );
  }

  show(content: IntervalTableContent): void {
    setText(this.summary, content.summary);
    this.body.replaceChildren(tableOf(content, this.title));
  }
}

function tableOf({ columns, rows, whole, zero = null, scale }: IntervalTableContent, title: string): HTMLElement {
  const ends = element(
    "span",
    { class: "aew-scale", "aria-hidden": "true" },
    ...scale.ends.map((text) => element("span", {}, text)),
  );
  const hidden = element("span", { class: "aew-visually-hidden" }, "Interval");
  const head = headOf(columns);
  head.firstElementChild?.append(element("th", { scope: "col", class: "aew-bars" }, hidden, ends));
  const body = element("tbody", {}, ...rows.map((row) => rowOf(row, whole, zero, scale)));
  return tableFrame(`${title}, as a table`, element("table", {}, head, body));
}

function rowOf(row: IntervalRow, whole: number | null, zero: number | null, scale: IntervalScale): HTMLElement {
  const share = (value: number) => (value - scale.low) / (scale.high - scale.low);
  const track = element("span", { class: "aew-track", "aria-hidden": "true" });
  if (row.has_interval) {
    const band = element("span", { class: "aew-band" });
    band.style.left = percent(share(row.low));
    band.style.width = percent(share(row.high) - share(row.low));
    track.append(band);
  }
  if (zero !== null) track.append(placed("aew-zero aew-at-zero", share(zero)));
  if (whole !== null && row.has_line)
    track.append(placed(zero === null ? "aew-zero" : "aew-zero aew-whole", share(whole)));
  if (row.has_interval && row.at !== null) track.append(placed("aew-dot", share(row.at)));
  return element(
    "tr",
    { title: `${row.name}: ${row.interval}`, class: row.is_out ? "aew-out" : "" },
    element("th", { scope: "row", dir: "auto" }, element("div", {}, ...colorOf(row), element("span", {}, row.name))),
    element("td", {}, row.note),
    element("td", {}, row.value),
    element("td", { class: "aew-bars" }, track, element("span", { class: "aew-visually-hidden" }, row.interval)),
  );
}

/** The color of its curve in a plot. */
function colorOf({ color }: IntervalRow): HTMLElement[] {
  if (color === undefined) return [];
  const swatch = element("span", { class: "aew-row-color", "aria-hidden": "true" });
  swatch.style.background = `var(--aew-${color})`;
  return [swatch];
}

function placed(name: string, at: number): HTMLElement {
  const mark = element("span", { class: name });
  mark.style.left = percent(at);
  return mark;
}
