import { element, percent, setText } from "../dom/element";
import type { GroupRow, GroupsContent } from "../from_python/messages";

/** The measure within each group: a row each, with its interval as a bar on a common scale. */
export class GroupsPanel {
  readonly node: HTMLElement;
  private readonly summary = element("p");
  private readonly body = element("div");

  constructor() {
    this.node = element(
      "section",
      { class: "aew-groups", "data-aew": "groups", "aria-label": "By group" },
      element("h2", {}, "By group"),
      this.body,
      this.summary,
    );
  }

  show(content: GroupsContent): void {
    setText(this.summary, content.summary);
    this.body.replaceChildren(tableOf(content));
  }
}

function tableOf({ rows, whole, ends }: GroupsContent): HTMLElement {
  const scale = element(
    "span",
    { class: "aew-group-scale", "aria-hidden": "true" },
    ...ends.map((text) => element("span", {}, text)),
  );
  const head = element(
    "tr",
    {},
    ...["Group", "Labels", "Estimate"].map((text) => element("th", { scope: "col" }, text)),
    element("th", { scope: "col", class: "aew-group-interval", "aria-label": "Interval" }, scale),
  );
  return element(
    "div",
    { class: "aew-table", tabindex: "0", role: "region", "aria-label": "By group" },
    element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows.map((row) => rowOf(row, whole)))),
  );
}

function rowOf(row: GroupRow, whole: number | null): HTMLElement {
  const track = element("span", { class: "aew-track", "aria-hidden": "true" });
  if (row.is_told) {
    const band = element("span", { class: "aew-band" });
    band.style.left = percent(row.low);
    band.style.width = percent(row.high - row.low);
    track.append(band);
  }
  if (whole !== null) track.append(placed("aew-zero", whole));
  if (row.is_told && row.at !== null) track.append(placed("aew-dot", row.at));
  return element(
    "tr",
    { title: row.interval },
    element("th", { scope: "row", dir: "auto" }, row.name),
    element("td", {}, row.labels),
    element("td", {}, row.value),
    element(
      "td",
      { class: "aew-group-interval" },
      track,
      element("span", { class: "aew-visually-hidden" }, row.interval),
    ),
  );
}

function placed(name: string, at: number): HTMLElement {
  const mark = element("span", { class: name });
  mark.style.left = percent(at);
  return mark;
}
