// One racer: its estimate, its last pick, and where on the model's confidence its picks are.

import { element, setText } from "../dom/element";
import type { RaceConfig, RaceStep } from "../from_python/race_messages";
import { UpcomingInstances } from "../instances/upcoming_instances";
import { PlotPanel, type TableDialog } from "../panels/plot";
import { significantText } from "../text/numbers";
import { type Course, intervalOf, type Kind } from "./course";
import { picksPlot } from "./plots";

const AHEAD = 12; // picks that are fetched before they are shown

export class RacerCard {
  readonly node: HTMLElement;
  readonly instances: UpcomingInstances;
  private readonly title = element("h2");
  private readonly value = element("strong", { class: "aew-racer-value" });
  private readonly interval = element("span", { class: "aew-racer-interval" });
  private readonly place = element("div", { class: "aew-racer-pick", "data-aew": "pick" });
  private readonly facts = element("dl", { class: "aew-racer-facts" });
  private readonly picks: PlotPanel;
  private pick = 0; // the number of the label whose instance is shown

  constructor(number: number, table: TableDialog, onReady: () => void) {
    this.instances = new UpcomingInstances({ onReady, askForMore: () => {} });
    this.picks = new PlotPanel(`picks-${number}`, table);
    this.place.append(this.instances.slot);
    this.node = element(
      "section",
      { class: "aew-panel aew-racer", "data-aew": "racer" },
      element("div", { class: "aew-racer-head" }, this.title, element("p", {}, this.value, " ", this.interval)),
      element("div", { class: "aew-racer-last" }, this.place, this.facts),
      this.picks.node,
    );
  }

  /** The indices that must still be requested. */
  missing(course: Course, n: number): number[] {
    const coming = course.steps.slice(Math.max(0, n - 1), n + AHEAD);
    const indices = this.instances.missing(coming, AHEAD);
    this.instances.want(indices);
    return indices;
  }

  show(config: RaceConfig, course: Course, n: number, kind: Kind, isPlaying: boolean): void {
    const { method, steps } = course;
    const step = n > 0 ? steps[n - 1] : undefined;
    const interval = intervalOf(step, kind);
    this.node.dataset.method = method.name;
    this.node.setAttribute("aria-label", method.title);
    this.node.title = `${method.draws}; estimate: ${method.estimate}`;
    setText(this.title, method.title);
    setText(this.value, step?.text ?? "–");
    setText(this.interval, interval === null ? "no interval yet" : interval.text);
    this.node.classList.toggle("aew-long", config.sides.length > 0);
    Object.assign(this.node.dataset, {
      n: String(n),
      value: String(step?.value ?? ""),
      low: String(interval?.low ?? ""),
      high: String(interval?.high ?? ""),
    });
    this.picks.show(picksPlot(config.picks, course, n));
    this.showPick(steps, n, config.sides.length > 0, isPlaying);
  }

  close(): void {
    this.picks.close();
    this.instances.close();
  }

  /** The instance with its label. During playback, a missing one is skipped. */
  private showPick(steps: RaceStep[], n: number, isCompared: boolean, isPlaying: boolean): void {
    if (n === 0) {
      this.pick = 0;
      this.instances.show(element("p", { class: "aew-waiting" }, "What it picks is shown here."));
      this.facts.replaceChildren();
      return;
    }
    const content = this.instances.elements.get(steps[n - 1].index);
    if (content === undefined && isPlaying && this.pick > 0 && this.pick <= n) return;
    this.instances.show(content ?? element("p", { class: "aew-waiting" }, "…"));
    this.place.dataset.instanceId = steps[n - 1].id;
    if (this.pick === n && this.facts.dataset.shown === `${n} ${steps[n - 1].label}`) return;
    this.pick = n;
    this.facts.dataset.shown = `${n} ${steps[n - 1].label}`;
    this.facts.replaceChildren(...factsOf(steps[n - 1], n, isCompared));
  }
}

function factsOf(step: RaceStep, n: number, isCompared: boolean): HTMLElement[] {
  const fact = (name: string, ...what: (Node | string)[]) => [element("dt", {}, name), element("dd", {}, ...what)];
  const [against, not] = isCompared ? ["✗ one is wrong", "no difference"] : ["✗ wrong", "✓ right"];
  const verdict =
    step.is_wrong === null
      ? []
      : [element("span", { class: step.is_wrong ? "aew-is-wrong" : "aew-is-right" }, step.is_wrong ? against : not)];
  return [
    ...fact(`Label ${n}`, element("strong", {}, step.label), ...(step.is_by_hand ? [" (by hand)"] : [])),
    ...(step.prediction === "" ? [] : fact(isCompared ? "Models" : "Model", step.prediction, " ", ...verdict)),
    ...fact("Weight", significantText(step.weight, 3)),
  ];
}
