// Explorer: how well the methods do if the model's probabilities are wrong.

import { spread } from "../charts/plot_content";
import { Slider } from "../dom/controls";
import { element } from "../dom/element";
import { PlotPanel, type TableDialog } from "../panels/plot";
import { countText, percentText } from "../text/numbers";
import { finding, given, type Settings, showFinding, type View } from "./explorer";
import {
  defended,
  dot,
  drawVariances,
  errorProfile,
  type Method,
  type Profiles,
  preferred,
  recalibrated,
  spoiled,
} from "./formulas/savings";
import { Trials } from "./formulas/trial";
import {
  COUNT,
  claimsPlot,
  gainPlot,
  type LiesData,
  type Needed,
  POWERS,
  powerText,
  trialPlot,
} from "./model_lies_plots";
import { Runner, randomFrom } from "./simulation";

const RATE = 0.1; // of errors, of two classes: every answer has a probability of at least a half
const KNOWLEDGE = 3; // spread of the log-odds
const SESSIONS = 200;

/** Number of labels that a method needs for the precision of 100 uniform draws. */
const forHundred = (profiles: Profiles): Needed => {
  const variances = drawVariances(profiles);
  const of = (method: Method) => (100 * variances[method]) / variances.uniform;
  return {
    uniform: 100,
    optimal: of("optimal"),
    defensive: of("defensive"),
    control: of("control"),
    corrected: of("corrected"),
  };
};

export const views = (table: TableDialog, settings: Settings, data: unknown): View[] => [
  new LyingView(table, given(settings, "power", 4), given(settings, "cluster", 0), data as LiesData),
];

class LyingView implements View {
  readonly name = "lies";
  readonly title = "Spoil it";
  readonly see =
    "All that is saved comes from the model’s own probabilities. Here is a model that errs in 10% of the cases and knows quite well where, and a slider that spoils what it says: it becomes too sure of itself, or not sure enough; or a cluster of instances appears of which it is 99% sure and half of the time wrong. Below 100, labels are saved; above, more are needed than by uniform draws. Two remedies: a tenth of the draws is uniform, and the model’s expectation stands in for what has no label, corrected by what has one (a control variate). On trial, each label is a bet against the model’s claims.";
  readonly play =
    "make the model surer, and see the papers’ q* turn from gain to loss: errors where it is sure are hardly ever drawn, and then weigh enormously. Labels can mend the power: 200 do so nearly, except for a model that is hardly sure of anything (the dots). They can’t tell a cluster from others that look the same; but the trial tells.";
  readonly controls: HTMLElement[];
  readonly plots: HTMLElement[];
  readonly finding = finding();
  private readonly power: Slider;
  private readonly cluster: Slider;
  private readonly profile = errorProfile(2 * RATE, KNOWLEDGE).map((error) => error / 2);
  private readonly gain: PlotPanel;
  private readonly claims: PlotPanel;
  private readonly trial: PlotPanel;
  private readonly runner: Runner;
  private trials: Trials | null = null;
  private random = randomFrom(1);
  private over: number[] = []; // labels until "too sure", of each session that found it
  private under: number[] = [];
  private nSessions = 0;
  private savingsText = "";
  private curves: { cluster: number; all: Needed[] } | null = null;

  constructor(
    table: TableDialog,
    power: number,
    cluster: number,
    private readonly data: LiesData,
  ) {
    const update = () => this.update();
    this.power = new Slider(
      {
        name: "power",
        label: "How sure it claims to be",
        low: -2,
        high: 3,
        step: 0.05,
        value: Math.log2(power),
        text: (value) => powerText(2 ** value),
      },
      update,
    );
    this.cluster = new Slider(
      {
        name: "cluster",
        label: "Sure, and wrong half of the time",
        high: 0.1,
        step: 0.005,
        value: cluster,
        text: (value) => (value === 0 ? "nowhere" : `${percentText(value, 1)} of the pool`),
      },
      update,
    );
    this.gain = new PlotPanel("gain", table);
    this.claims = new PlotPanel("claims", table);
    this.trial = new PlotPanel("trial", table);
    this.runner = new Runner(
      () => this.try(),
      () => this.showTrial(),
      10,
    );
    this.controls = [this.power.node, this.cluster.node];
    this.plots = [this.gain.node, element("div", { class: "aew-explorer-pair" }, this.claims.node, this.trial.node)];
  }

  show(): void {
    this.update();
  }

  hide(): void {
    this.runner.stop();
  }

  close(): void {
    for (const panel of [this.gain, this.claims, this.trial]) panel.close();
  }

  private get profiles(): Profiles {
    return spoiled(this.profile, 2 ** this.power.value, this.cluster.value);
  }

  private update(): void {
    const { profiles } = this;
    const now = forHundred(profiles);
    const learned = recalibrated(profiles);
    const [power, cluster] = [2 ** this.power.value, this.cluster.value];
    this.gain.show(gainPlot({ power, cluster, now, all: this.atPowers(cluster) }, this.data));
    this.claims.show(claimsPlot(profiles, learned));
    const q = defended(preferred(profiles.claims, profiles.shares), profiles.shares);
    this.trials = new Trials(profiles.errors, profiles.claims, q);
    this.random = randomFrom(1);
    [this.over, this.under, this.nSessions] = [[], [], 0];
    const rate = dot(profiles.shares, profiles.errors);
    const claim = dot(profiles.shares, profiles.claims);
    this.savingsText = `The model claims ${percentText(claim, 1)} errors and makes ${percentText(rate, 1)}. For what takes 100 labels by uniform draws, the papers’ q* takes ${countText(now.optimal)}, with a uniform share and the control variate ${countText(now.control)}, recalibrated ${countText(now.corrected)}.`;
    this.runner.start();
    this.showTrial();
  }

  private try(): boolean {
    const found = this.trials?.run(this.random, COUNT) ?? null;
    if (found !== null) (found.verdict === "over" ? this.over : this.under).push(found.n);
    this.nSessions += 1;
    return this.nSessions < SESSIONS;
  }

  /** The curves, which do not depend on the power. */
  private atPowers(cluster: number): Needed[] {
    if (this.curves?.cluster !== cluster) {
      this.curves = { cluster, all: POWERS.map((power) => forHundred(spoiled(this.profile, power, cluster))) };
    }
    return this.curves.all;
  }

  private showTrial(): void {
    const at = spread(0, COUNT, 61);
    const share = (of: number[]) =>
      at.map((n) => of.filter((found) => found <= n).length / Math.max(this.nSessions, 1));
    const [over, under] = [share(this.over), share(this.under)];
    const known = [...this.over, ...this.under].sort((a, b) => a - b);
    const half = known[Math.ceil(this.nSessions / 2) - 1];
    const ofTrial =
      half === undefined
        ? `The trial has found it out within ${COUNT} labels in ${percentText(known.length / Math.max(this.nSessions, 1))} of ${countText(this.nSessions)} sessions.`
        : `The trial finds it out after ${countText(half)} labels in half of ${countText(this.nSessions)} sessions.`;
    showFinding(this.finding, `${this.savingsText} ${ofTrial}`, this.runner.isRunning);
    this.trial.show(trialPlot(at, over, under, ofTrial));
  }
}
