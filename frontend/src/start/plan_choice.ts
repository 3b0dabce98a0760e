// The precision: a margin of error with the labels it takes, or a number of labels with its margin.
// All margins were planned at once, so that the slider responds without a request.

import { element, setText } from "../dom/element";
import type { PlanList, PlanStep } from "../from_python/start_messages";
import { countedText, countText } from "../text/numbers";

interface Effort {
  half_width: number | null;
  budget: number | null;
}

export class PlanChoice {
  /** Null while it is planned anew; what the slider chooses from stays, so that no move of it is lost. */
  private plans: PlanList | null = null;
  private steps: readonly PlanStep[] = [];
  private readonly margin = element("output", { class: "aew-margin", for: "aew-slider" });
  private readonly slider = element("input", {
    type: "range",
    id: "aew-slider",
    min: 0,
    step: 1,
    "aria-label": "Margin of error",
    oninput: () => this.paint(),
  });
  private readonly number = element("input", {
    type: "number",
    id: "aew-budget",
    min: 1,
    step: 1,
    inputmode: "numeric",
    "aria-label": "Number of labels",
    oninput: () => this.paint(),
  });
  private readonly byMargin = this.way("Margin of error", true);
  private readonly byNumber = this.way("Number of labels", false);
  private readonly numberLine = element("p", { class: "aew-margin", hidden: "" }, this.number, " labels");
  private readonly headline = element("strong");
  private readonly range = element("span");
  private readonly uniform = element("p", { class: "aew-muted" });
  private readonly answer = element(
    "div",
    { class: "aew-plan", role: "status", "data-aew": "plan" },
    element("p", {}, this.headline, " ", this.range),
    this.uniform,
  );
  readonly node = element(
    "div",
    {},
    element("h2", {}, "How sure do you want to be?"),
    element(
      "div",
      { class: "aew-ways", role: "radiogroup", "aria-label": "What is given" },
      element("label", {}, this.byMargin, "Margin of error"),
      element("label", {}, this.byNumber, "Number of labels"),
    ),
    this.margin,
    this.slider,
    this.numberLine,
    this.answer,
  );

  /** The choice. With a margin, the budget is the upper end of the planned number of labels. */
  get effort(): Effort {
    if (this.byNumber.checked) return { half_width: null, budget: this.budget };
    const step = this.step;
    return { half_width: step?.half_width ?? null, budget: (this.plans && step?.budget) ?? null };
  }

  /** Why it can't be started with this choice; "" if it can. */
  get problem(): string {
    if (!this.byNumber.checked) return "";
    return this.budget === null ? "The number of labels must be a whole number, at least 1." : "";
  }

  /** Another file: only the choices of its settings are made. */
  forget(given: Effort | null): void {
    this.plans = null;
    this.steps = [];
    this.wanted = given?.half_width ?? null;
    this.number.value = String(given?.budget ?? "");
    this.byNumber.checked = given !== null && given.half_width === null && given.budget !== null;
    this.byMargin.checked = !this.byNumber.checked;
  }

  wait(): void {
    this.plans = null;
    setText(this.headline, "Planning…");
    setText(this.range, "");
    setText(this.uniform, "");
    this.answer.setAttribute("aria-busy", "true");
  }

  show(plans: PlanList): void {
    this.plans = plans;
    this.steps = plans.steps;
    this.answer.removeAttribute("aria-busy");
    this.slider.max = String(Math.max(0, plans.steps.length - 1));
    const again = plans.steps.findIndex(({ half_width }) => half_width === this.wanted);
    this.slider.value = String(again >= 0 ? again : plans.first);
    const hasMargins = plans.steps.length > 0;
    this.byMargin.disabled = !hasMargins;
    if (!hasMargins) this.byNumber.checked = true;
    this.number.max = String(plans.n_instances);
    if (this.number.value === "") this.number.value = String(this.step?.budget ?? Math.min(200, plans.n_instances));
    this.paint();
  }

  private wanted: number | null = null;

  private get step(): PlanStep | undefined {
    return this.steps[Number(this.slider.value)];
  }

  private get budget(): number | null {
    const n = Number(this.number.value);
    return Number.isInteger(n) && n >= 1 ? n : null;
  }

  private way(text: string, isFirst: boolean): HTMLInputElement {
    const radio = element("input", {
      type: "radio",
      name: "aew-way",
      "aria-label": text,
      onchange: () => this.paint(),
    });
    radio.checked = isFirst;
    return radio;
  }

  private paint(): void {
    const { plans, step } = this;
    const isByNumber = this.byNumber.checked;
    this.slider.hidden = isByNumber;
    this.margin.hidden = isByNumber;
    this.numberLine.hidden = !isByNumber;
    if (step) {
      this.wanted = step.half_width;
      setText(this.margin, step.text);
    }
    if (plans === null) return;
    if (isByNumber) this.paintNumber(plans);
    else if (step) {
      this.slider.setAttribute("aria-valuetext", `${step.text}: ${step.headline}`);
      setText(this.headline, step.headline);
      setText(this.range, step.range);
    }
    setText(this.uniform, [isByNumber ? "" : step?.uniform, plans.note].filter(Boolean).join(" "));
  }

  private paintNumber({ steps, n_instances, seconds }: PlanList): void {
    const { budget } = this;
    setText(this.range, "");
    if (budget === null) setText(this.headline, this.problem);
    else {
      const n = Math.min(budget, n_instances);
      const minutes = Math.max(1, Math.round((n * seconds) / 60));
      const time = minutes < 90 ? countedText(minutes, "minute") : `${(minutes / 60).toFixed(1)} hours`;
      const reached = steps.find(({ n_labels }) => n_labels !== null && n_labels <= n);
      setText(this.headline, reached ? `About ${reached.text} after ${time}` : `About ${time}`);
      if (budget > n_instances) setText(this.range, `There are ${countText(n_instances)} rows.`);
    }
  }
}
