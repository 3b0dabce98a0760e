// A view: one session, label by label, beside the long run of many.

import { axisOf, plotOf, someOf } from "../charts/plot_content";
import { button, Choice, Slider } from "../dom/controls";
import { element } from "../dom/element";
import type { PlotContent } from "../from_python/messages";
import { PlotPanel, type TableDialog } from "../panels/plot";
import { countedText, countText, percentText } from "../text/numbers";
import { finding, showFinding, type View } from "./explorer";
import { WatchedInterval } from "./formulas/bets";
import { waldInterval } from "./formulas/coverage";
import { type Look, sessionPlot } from "./session_plot";
import { isLook, isWaldWrong, LongRun, labelsOf, Runner } from "./simulation";

const COUNT = 800; // labels of a session
const SESSIONS = 1000; // of the long run
const FIRST_SEED = 24; // in its session Wald’s interval misses the truth for a while, which shows the point at once
const DRAWN = 200; // points of a curve

interface Point extends Look {
  /** Whether it is a look at which Wald misses the truth. */
  isWrong: boolean;
}

export class PeekingView implements View {
  readonly name = "watch";
  readonly title = "Watch it";
  readonly see =
    "A model errs at a rate that only we know: the dash-dotted line. Labels come in one by one, from uniform draws. A 95% Wald interval (the estimate ± 1.96 standard errors) is made to be looked at once. Looked at after every label, it misses the truth sooner or later in about half of all sessions. The light band is made to be watched: it holds at every label at once.";
  readonly play =
    "step through a session of your own, or look less often. If you look at the end alone, Wald is wrong in about 5% of the sessions, as promised.";
  readonly controls: HTMLElement[];
  readonly plots: PlotPanel[];
  readonly finding = finding();
  private readonly truth: Slider;
  private readonly looks: Choice<"1" | "10" | "50" | "800">;
  private readonly one: PlotPanel;
  private readonly many: PlotPanel;
  private seed = FIRST_SEED;
  private labels: number[] = [];
  private course: Point[] = [];
  private errors = 0;
  private interval = new WatchedInterval();
  private run = new LongRun(0.1, 1, COUNT);
  private nextSession = 1;
  private readonly stepping: Runner;
  private readonly repeating: Runner;
  private readonly go: HTMLButtonElement;

  constructor(table: TableDialog, rate: number) {
    this.truth = new Slider({ name: "truth", label: "True error rate", low: 0.01, high: 0.5, value: rate }, () =>
      this.begin(),
    );
    this.looks = new Choice(
      "looks",
      "Wald is looked at",
      [
        ["1", "after every label"],
        ["10", "every 10"],
        ["50", "every 50"],
        ["800", "once, at the end"],
      ],
      () => this.begin(),
    );
    this.one = new PlotPanel("session", table);
    this.many = new PlotPanel("long-run", table);
    this.stepping = new Runner(
      () => this.step(),
      () => this.showSession(),
      8,
    );
    this.repeating = new Runner(
      () => this.repeat(),
      () => this.showRun(),
    );
    this.go = button("run", "Run", () => this.toggle());
    const buttons = element(
      "div",
      { class: "aew-buttons", role: "group", "aria-label": "The session" },
      button("new-session", "New session", () => this.newSession()),
      button("step", "1 label", () => this.steps(1)),
      button("step-20", "20 labels", () => this.steps(20)),
      this.go,
    );
    this.controls = [this.truth.node, this.looks.node, buttons];
    this.plots = [this.one, this.many];
  }

  show(): void {
    if (this.course.length === 0) this.begin();
    else this.repeating.start();
  }

  hide(): void {
    this.stepping.stop();
    this.repeating.stop();
  }

  private get every(): number {
    return Number(this.looks.value);
  }

  /** Starts again with the sliders' values. */
  private begin(): void {
    this.run = new LongRun(this.truth.value, this.every, COUNT);
    this.nextSession = 1;
    this.restart();
    if (window.matchMedia("(prefers-reduced-motion: reduce)").matches) while (this.step());
    else this.stepping.start();
    this.repeating.start();
    this.showSession();
    this.showRun();
  }

  private newSession(): void {
    this.seed += 1;
    this.restart();
    this.showSession();
  }

  private restart(): void {
    this.stepping.stop();
    this.labels = labelsOf(this.seed, this.truth.value, COUNT);
    this.course = [];
    this.errors = 0;
    this.interval = new WatchedInterval();
  }

  private toggle(): void {
    if (this.stepping.isRunning) this.stepping.stop();
    else {
      if (this.course.length >= COUNT) this.newSession();
      this.stepping.start();
    }
    this.showSession();
  }

  private steps(count: number): void {
    this.stepping.stop();
    for (let i = 0; i < count && this.step(); i += 1);
    this.showSession();
  }

  /** Adds one more label; false if that was the last. */
  private step(): boolean {
    const n = this.course.length + 1;
    if (n > COUNT) return false;
    const y = this.labels[n - 1];
    this.errors += y;
    this.interval.update(y);
    const isWrong = isLook(n, this.every, COUNT) && isWaldWrong(this.errors, n, this.truth.value);
    const { low, high } = this.interval;
    this.course.push({ n, value: this.errors / n, watched: [low, high], once: waldInterval(this.errors, n), isWrong });
    return n < COUNT;
  }

  private repeat(): boolean {
    this.run.add(1e6 + this.nextSession);
    this.nextSession += 1;
    return this.run.nSessions < SESSIONS;
  }

  // -- what is said -------------------------------------------------------------------------------------

  private describe(): void {
    const { course, run } = this;
    const wrong = course.filter(({ isWrong }) => isWrong);
    const truth = this.truth.value;
    const isOut = course.some(({ watched: [low, high] }) => truth < low || truth > high);
    const looks = course.filter(({ n }) => isLook(n, this.every, COUNT)).length;
    const ofWald =
      wrong.length > 0
        ? `Wald missed the truth at ${countText(wrong.length)} of ${countedText(looks, "look")}, first after ${countedText(wrong[0].n, "label")}`
        : `Wald has not missed the truth in ${countedText(looks, "look")}`;
    const ofWatched = isOut
      ? "the watched interval missed it, too (this may happen in 5% of the sessions)"
      : "the watched interval never did";
    const { wald, watched } = run.ever();
    const many =
      run.nSessions > 0
        ? ` Of ${countText(run.nSessions)} sessions, Wald was wrong at some look in ${percentText(wald[COUNT])}, the watched interval in ${percentText(watched[COUNT], 1)}.`
        : "";
    const isComing = this.stepping.isRunning || this.repeating.isRunning;
    const session = `This session, after ${countedText(course.length, "label")}: ${ofWald}; ${ofWatched}.`;
    showFinding(this.finding, session + many, isComing);
  }

  private showSession(): void {
    this.go.textContent = this.stepping.isRunning ? "Pause" : this.course.length >= COUNT ? "Run another" : "Run";
    this.one.show(this.sessionPlot());
    this.describe();
  }

  private showRun(): void {
    this.many.show(this.runPlot());
    this.describe();
  }

  private sessionPlot(): PlotContent {
    const truth = this.truth.value;
    const wrong = this.course.filter(({ isWrong }) => isWrong).map(({ n }) => n);
    return sessionPlot({
      looks: thinned(this.course),
      truth,
      wrong: someOf(wrong, DRAWN),
      count: COUNT,
      high: Math.min(1, Math.max(0.1, 2.2 * truth + 0.08)),
      once: { name: "Wald", legend: "95% Wald, for one look", wrong: "a look at which Wald misses it" },
    });
  }

  private runPlot(): PlotContent {
    const { run } = this;
    const { wald, watched } = run.ever();
    const at = Array.from({ length: COUNT / 10 + 1 }, (_, i) => 10 * i);
    const pick = (values: number[]) => at.map((n) => values[n]);
    const high = Math.max(0.2, Math.ceil(10 * wald[COUNT] + 0.5) / 10);
    const text = (n: number) =>
      `up to ${n} labels: Wald wrong at some look in ${percentText(wald[n])} of sessions, the watched interval in ${percentText(watched[n], 1)}`;
    return plotOf({
      heading: `The long run: ${countText(run.nSessions)} sessions`,
      x: axisOf(0, COUNT, countText, "labels"),
      y: axisOf(0, high, percentText),
      curves: [
        { kind: "second", x: at, y: pick(wald) },
        { kind: "estimate", x: at, y: pick(watched) },
      ],
      lines: [{ kind: "uniform", y: 0.05 }],
      legend: [
        ["second", "Wald: ever wrong so far"],
        ["estimate", "watched interval: ever wrong so far"],
        ["uniform", "5%"],
      ],
      stops: [{ name: "Wald", by: "x", x: at, y: pick(wald), text: at.map(text) }],
      summary: `The share of sessions in which an interval has ever been wrong. ${text(COUNT)}.`,
      columns: ["Labels", "Wald ever wrong", "Watched interval ever wrong", "Wald wrong at this look"],
      rows: [20, 50, 100, 200, 400, 800].map((n) => [
        countText(n),
        percentText(wald[n]),
        percentText(watched[n], 1),
        isLook(n, this.every, COUNT) ? percentText(run.wrongAt(n), 1) : "–",
      ]),
    });
  }
}

/** Some of the points, including the latest. */
function thinned(course: Point[]): Point[] {
  let step = 1;
  while (course.length / step > DRAWN) step *= 2;
  return course.filter(({ n }) => n % step === 0 || n === course.length);
}
