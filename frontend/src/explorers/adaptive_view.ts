// A view: adaptive draws in simulated sessions, label by label; and the benchmark's settings.

import { Choice, Slider } from "../dom/controls";
import { element, percent } from "../dom/element";
import { headOf, tableFrame } from "../dom/table";
import type { PlotContent } from "../from_python/messages";
import { PlotPanel, type TableDialog } from "../panels/plot";
import { countedText, countText, percentText } from "../text/numbers";
import { finding, showFinding, type View } from "./explorer";
import { type Look, sessionPlot } from "./session_plot";

/** A session: its intervals at each look; null while there was none. */
interface Session {
  truth: number;
  value: (number | null)[];
  low: number[];
  high: number[];
  wald_low: (number | null)[];
  wald_high: (number | null)[];
  wald_wrong: number[];
  watched_since: number | null;
}

export interface AdaptiveData {
  looks: number[];
  n_labels: number;
  n_instances: number;
  runs: { power: number; sessions: Session[] }[];
  /** A benchmark's long-run results: for adaptive draws, and for draws from one q. */
  benchmarked: {
    n_sessions: [number, number];
    adaptive: { name: string; ratios: number[]; watched: number }[];
    one_q: { name: string; wald: number; once: number[]; watched: number }[];
  };
}

export class AdaptiveView implements View {
  readonly name = "adaptive";
  readonly title = "Adaptive draws";
  readonly see: string;
  readonly play =
    "let the model be too sure of itself. The labels tell, and draws and estimate follow them; an interval for one look is still caught when it is watched.";
  readonly controls: HTMLElement[];
  readonly plots: (HTMLElement | PlotPanel)[];
  readonly finding = finding();
  private readonly model: Choice<string>;
  private readonly session: Slider;
  private readonly one: PlotPanel;

  constructor(
    table: TableDialog,
    private readonly data: AdaptiveData,
  ) {
    const every = data.looks[1] - data.looks[0];
    this.see = `Here each block of draws is chosen by the labels before it, and nothing is drawn twice: that is how a session draws unless told otherwise. Such draws may be watched, too, by an interval that is made for it (the light band). The interval for one look is the estimate ± 1.96 standard errors, wider while few errors were seen; it is looked at after every ${every} labels.`;
    const update = () => this.show();
    this.model = new Choice(
      "model",
      "The model",
      data.runs.map(({ power }) => [String(power), power === 1 ? "is honest" : "is far too sure"]),
      update,
    );
    this.session = new Slider(
      {
        name: "session",
        label: "Session",
        low: 1,
        high: data.runs[0].sessions.length,
        step: 1,
        value: 1,
        text: (value) => `${value} of ${data.runs[0].sessions.length}`,
      },
      update,
    );
    this.one = new PlotPanel("adaptive-session", table);
    this.controls = [this.model.node, this.session.node];
    this.plots = [this.one, oneQPanel(data.benchmarked), adaptivePanel(data.benchmarked)];
  }

  show(): void {
    const { data } = this;
    const run = data.runs.find(({ power }) => String(power) === this.model.value) ?? data.runs[0];
    const session = run.sessions[this.session.value - 1];
    const n = session.wald_wrong.length;
    const ofWald =
      n > 0
        ? `the interval for one look missed the truth at ${countedText(n, "look")} of ${countText(data.looks.length)}, first after ${countedText(session.wald_wrong[0], "label")}`
        : `the interval for one look missed the truth at none of ${countText(data.looks.length)} looks`;
    const ofWatched =
      session.watched_since === null
        ? "the watched interval never did"
        : `the watched interval did, too, after ${countedText(session.watched_since, "label")}`;
    const caught = run.sessions.filter(({ wald_wrong }) => wald_wrong.length > 0).length;
    const out = run.sessions.filter(({ watched_since }) => watched_since !== null).length;
    showFinding(
      this.finding,
      `This session: ${ofWald}; ${ofWatched}. Of these ${run.sessions.length} sessions, the interval for one look was wrong at some look in ${caught}, the watched interval in ${out}. The tables below have the long run.`,
    );
    this.one.show(this.sessionPlot(session));
  }

  private sessionPlot(session: Session): PlotContent {
    const { looks, n_labels, n_instances } = this.data;
    return sessionPlot({
      looks: looks.map((n, i) => {
        const [low, high] = [session.wald_low[i], session.wald_high[i]];
        const once: Look["once"] = low === null || high === null ? null : [low, high];
        return { n, value: session.value[i], watched: [session.low[i], session.high[i]], once };
      }),
      truth: session.truth,
      wrong: session.wald_wrong,
      count: n_labels,
      high: Math.min(1, 2.2 * session.truth + 0.08),
      once: {
        name: "for one look",
        legend: "95%, for one look",
        wrong: "a look at which the interval for one look misses it",
      },
      note: `Simulated: a pool of ${countText(n_instances)}, adaptive draws in blocks, as in a session.`,
    });
  }
}

const cell = (text: string): HTMLElement => element("td", {}, text);

/** A share, and a bar of that length. */
const bar = (share: number, kind: string): HTMLElement => {
  const filled = element("span", { class: `aew-share-bar aew-share-${kind}`, style: `width: ${percent(share)}` });
  return element(
    "td",
    {},
    percentText(share, 1),
    element("span", { class: "aew-share", "aria-hidden": "true" }, filled),
  );
};

function tablePanel(
  name: string,
  title: string,
  caption: string,
  head: string[],
  rows: [string, Node[]][],
): HTMLElement {
  const body = rows.map(([first, cells]) => element("tr", {}, element("th", { scope: "row" }, first), ...cells));
  const table = element("table", {}, element("caption", {}, caption), headOf(head), element("tbody", {}, ...body));
  const frame = tableFrame(title, table);
  frame.classList.add("aew-settings");
  return element("section", { class: "aew-panel", "data-aew": name }, element("h2", {}, title), frame);
}

type Benchmarked = AdaptiveData["benchmarked"];

function oneQPanel({ one_q, n_sessions }: Benchmarked): HTMLElement {
  const shares = one_q.map(({ wald }) => wald);
  const range = `${percentText(Math.min(...shares))} to ${percentText(Math.max(...shares))}`;
  return tablePanel(
    "one-q",
    "The long run: draws from one q, by the papers",
    `How often 95% intervals are wrong in ${countText(n_sessions[1])} sessions each of 800 draws. Wald, watched from 20 draws on: in ${range} of them.`,
    ["Data, measure, draws", "Wald: at some look", "Wald: at 100 / 800", "Watched: ever"],
    one_q.map(({ name, wald, once, watched }) => [
      name,
      [bar(wald, "second"), cell(once.map((share) => percentText(share, 1)).join(" / ")), bar(watched, "estimate")],
    ]),
  );
}

function adaptivePanel({ adaptive, n_sessions }: Benchmarked): HTMLElement {
  return tablePanel(
    "adaptive-settings",
    "The long run: adaptive draws",
    `How often the watched interval is ever wrong in ${countText(n_sessions[0])} sessions each of 400 labels, and how many times as wide it is as the interval for one look.`,
    ["Data, measure, model", "Watched: ever wrong", "Width, after 50 / 100 / 200 / 400 labels"],
    adaptive.map(({ name, ratios, watched }) => [
      name,
      [bar(watched, "estimate"), cell(ratios.map((ratio) => `${ratio.toFixed(1)}×`).join(" / "))],
    ]),
  );
}
