// The same race many times: how far off, how wide and how often right each method is, and progress while races run.

import { element, setText } from "../dom/element";
import type { ManyContent, MethodInfo, RaceConfig } from "../from_python/race_messages";
import { PlotPanel, type TableDialog } from "../panels/plot";
import { countedText, percentText } from "../text/numbers";
import { distanceText, type Kind } from "./course";
import { coveragePlot, errorsPlot, widthsPlot } from "./plots";

/** What the tab of many races is called. */
export const tabText = (nRaces: number, many: ManyContent | null): string =>
  many === null || many.n_done === nRaces ? `${nRaces} races` : `${many.n_done} of ${nRaces} races`;

export class ManyRaces {
  readonly node: HTMLElement;
  private readonly finding = element("p", { class: "aew-finding", "data-aew": "many-finding", role: "status" });
  private readonly progress = element("progress", { max: 1, value: 0, "aria-label": "Races finished" });
  private readonly count = element("span", { class: "aew-count" });
  private readonly stop = element("button", { type: "button", "data-aew": "stop-many" });
  private readonly bar = element("div", { class: "aew-race-bar" }, this.progress, this.count, this.stop);
  private readonly panels: { errors: PlotPanel; widths: PlotPanel; coverage: PlotPanel };
  private readonly plots: HTMLElement;
  private readonly about = element("p", { class: "aew-race-note" });

  constructor(
    private readonly config: RaceConfig,
    table: TableDialog,
    onStop: () => void,
  ) {
    this.stop.addEventListener("click", onStop);
    const [errors, widths, coverage] = ["errors", "widths", "coverage"].map((name) => new PlotPanel(name, table));
    this.panels = { errors, widths, coverage };
    const left = element("div", { class: "aew-race-left" }, errors.node);
    this.plots = element("div", { class: "aew-race-columns" }, left, widths.node, coverage.node);
    this.node = element("div", { class: "aew-many", hidden: "" }, this.bar, this.finding, this.plots, this.about);
  }

  show(methods: MethodInfo[], many: ManyContent | null, kind: Kind, isStopped: boolean): void {
    const { config, panels } = this;
    const nDone = many?.n_done ?? 0;
    this.progress.value = nDone / config.n_races;
    setText(this.count, `${nDone} of ${config.n_races}`);
    this.bar.hidden = nDone === config.n_races;
    this.node.dataset.done = String(nDone);
    setText(this.stop, isStopped ? "Go on" : "Stop");
    this.finding.setAttribute("aria-busy", String(!this.bar.hidden && !isStopped));
    this.plots.hidden = many === null || nDone === 0;
    const parts = methods.map(({ title, draws, estimate }) => `${title}: ${draws}; estimate: ${estimate}.`);
    setText(this.about, `${parts.join(" ")} Seeds 0 to ${config.n_races - 1}, the same labels for all.`);
    if (many === null || nDone === 0) {
      setText(this.finding, "One race may be luck: it is run many times, each time with other draws.");
      return;
    }
    setText(this.finding, foundText(config, methods, many, kind));
    panels.errors.show(errorsPlot(config, methods, many));
    panels.widths.show(widthsPlot(config, methods, many, kind));
    panels.coverage.show(coveragePlot(methods, many, kind));
  }

  close(): void {
    for (const panel of Object.values(this.panels)) panel.close();
  }
}

/** What the races show after the last label, in words. */
function foundText(config: RaceConfig, methods: MethodInfo[], many: ManyContent, kind: Kind): string {
  const last = many.at.length - 1;
  const distance = (value: number | null) => distanceText(value, config.is_share);
  const parts = many.curves.map(({ median, high, widths, coverage }, i) => {
    const [width, share] = [widths[kind][last], coverage[kind][last]];
    const within = `half of the estimates within ${distance(median[last])}, nine in ten within ${distance(high[last])}`;
    const interval =
      width === null || share === null
        ? "no interval"
        : `interval ${distance(width)} wide, right in ${percentText(share, share === 1 ? 0 : 1)}`;
    return `${methods[i].title}: ${within}; ${interval}.`;
  });
  const share = many.share_closer ?? 0.5;
  const [who, how] = share >= 0.5 ? [methods[0], share] : [methods[1], 1 - share];
  return `After ${many.at[last]} labels, in ${countedText(many.n_done, "race")}. ${parts.join(" ")} ${who.title} ended closer in ${Math.round(100 * how)}%.`;
}
