// The same race many times: progress, and curves that grow with it.

import { element, setText } from "../dom/element";
import type { ManyContent, RaceConfig } from "../from_python/race_messages";
import { PlotPanel, type TableDialog } from "../panels/plot";
import { errorsPlot } from "./plots";

export class ManyRaces {
  readonly node: HTMLElement;
  isRunning = false;
  private many: ManyContent | null = null;
  private readonly said = element("p", { class: "aew-finding", "data-aew": "many-finding", role: "status" });
  private readonly go: HTMLButtonElement;
  private readonly progress = element("progress", { max: 1, value: 0, "aria-label": "Races finished" });
  private readonly count = element("span", { class: "aew-count" });
  private readonly panel: PlotPanel;
  private readonly methods = element("p", { class: "aew-race-note" });

  constructor(
    private readonly config: RaceConfig,
    table: TableDialog,
    private readonly ask: () => void,
  ) {
    this.go = element("button", { "data-aew": "run-many", onclick: () => this.toggle() });
    this.panel = new PlotPanel("errors", table);
    this.node = element(
      "div",
      { class: "aew-many", hidden: "" },
      element("div", { class: "aew-race-bar" }, this.go, this.progress, this.count),
      this.said,
      this.panel.node,
      this.methods,
    );
    this.paint();
  }

  toggle(): void {
    this.isRunning = !this.isRunning && !this.many?.is_complete;
    if (this.isRunning) this.ask();
    this.paint();
  }

  /** Another race: clears the results of the previous one. */
  forget(): void {
    this.isRunning = false;
    this.many = null;
    this.paint();
  }

  take(many: ManyContent): void {
    this.many = many;
    if (many.is_complete) this.isRunning = false;
    if (this.isRunning) this.ask();
    this.paint();
  }

  paint(): void {
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

  showMethods(names: string[], seed: number): void {
    const { methods, n_races } = this.config;
    const told = names.flatMap((name) => methods.filter((method) => method.name === name));
    const parts = told.map(({ title, draws, estimate }) => `${title}: ${draws}; estimate: ${estimate}.`);
    setText(
      this.methods,
      `${parts.join(" ")} Each race has the same budget and the simulated expert; seeds ${seed} to ${seed + n_races - 1}, so the first is the race that is shown.`,
    );
  }

  close(): void {
    this.isRunning = false;
    this.panel.close();
  }

  private finding(): string {
    const { many, config } = this;
    if (many === null || many.n_done === 0) {
      return "One race may be luck. Run it many times, with other draws each time, and look at how far off the estimates are.";
    }
    const titleOf = (name: string) => config.methods.find((method) => method.name === name)?.title ?? name;
    const last = many.at.length - 1;
    const parts = many.curves.map(({ method, texts }) => `${titleOf(method)}: ${texts[last]}.`);
    const share = many.share_closer ?? 0.5;
    const [first, second] = many.curves.map(({ method }) => titleOf(method));
    const [who, how] = share >= 0.5 ? [first, share] : [second, 1 - share];
    return `After ${many.at[last]} labels. ${parts.join(" ")} ${who} ended closer in ${Math.round(100 * how)}% of ${many.n_done} races.`;
  }
}
