// The question, the instance, the label's controls, and the actions. Built once; only texts and attributes change.

import type { AnswerFlow, Marks } from "../answers/answer_flow";
import { onceClicked } from "../dom/double_click";
import { element, keyCap, setText, showText, uniqueId } from "../dom/element";
import type { ActionConfig, Drawn, Row } from "../from_python/messages";
import type { KeyMap } from "../keys/key_map";
import { keyCaps } from "../keys/key_names";
import { ACTIONS, type Act } from "./actions";
import { Guidelines } from "./guidelines";

export class LabelingArea {
  readonly node: HTMLElement;
  /** Shares its height with what comes and goes, so that the labels stay in place. */
  readonly area: HTMLElement;
  readonly guidelines: Guidelines;
  readonly instance = element("div", { class: "aew-instance", "data-aew": "instance" });
  readonly labels: HTMLElement;
  private readonly question: HTMLElement;
  private readonly marks = element("span", { class: "aew-marks", "aria-live": "polite", "data-aew": "marks" });
  private readonly number = element("span", { class: "aew-number" });
  private readonly back: HTMLButtonElement;
  private readonly problem = element("div", {
    class: "aew-banner",
    role: "alert",
    "data-aew": "problem",
    hidden: "",
  });
  private readonly prediction = element("p", {
    class: "aew-prediction",
    "aria-live": "polite",
    "data-aew": "prediction",
    hidden: "",
  });
  private readonly actions = element("div", { class: "aew-actions", role: "group", "aria-label": "Actions" });
  private readonly status = element("p", { class: "aew-status", role: "status", "data-aew": "status" });

  /** `above` and `below` are shown above and below the instance when they have content. */
  constructor(
    private readonly act: Act,
    leaveReview: () => void,
    above: HTMLElement[],
    below: HTMLElement,
  ) {
    const id = uniqueId("aew-question");
    this.question = element("h2", { id });
    this.labels = element("div", { class: "aew-labels", role: "group", "aria-labelledby": id });
    this.back = element(
      "button",
      { class: "aew-action aew-back", hidden: "", onclick: leaveReview },
      keyCap("Esc"),
      "Back",
    );
    this.guidelines = new Guidelines(() => act("guidelines"));
    this.area = element(
      "div",
      { class: "aew-area" },
      ...above,
      this.problem,
      this.guidelines.node,
      this.instance,
      this.prediction,
      below,
      element("p", { class: "aew-click-first" }, "Click here to use the keys"),
    );
    this.node = element(
      "section",
      { class: "aew-work", "aria-label": "Labeling" },
      element("div", { class: "aew-asked" }, this.question, this.marks, this.number, this.guidelines.button, this.back),
      this.area,
      this.labels,
      element("div", { class: "aew-foot" }, this.actions, this.status),
    );
  }

  /** The buttons of actions; the rare ones are in the list of keys. */
  showActions(actions: ActionConfig[], keys: KeyMap): void {
    this.guidelines.showKeys(keys.keysOf("action guidelines"));
    this.actions.replaceChildren(
      ...actions
        .filter(({ is_rare }) => !is_rare)
        .map(({ name, text, meaning }) => {
          const names = keys.keysOf(`action ${name}`);
          const act = () => this.act(name);
          return element(
            "button",
            {
              class: "aew-action",
              "data-action": name,
              title: meaning,
              "aria-keyshortcuts": names.join(" "),
              onclick: ACTIONS[name].isRepeatable ? act : onceClicked(act),
            },
            ...keyCaps(names.slice(0, 1)),
            text,
          );
        }),
    );
  }

  showQuestion(question: string): void {
    setText(this.question, question);
  }

  /** Which instance is shown, and its note and flag. */
  showWhich(shown: Drawn | Row | null, review: Row | null, mark: Marks): void {
    const draw = shown?.draw === undefined ? "" : `Item ${shown.draw}`;
    const earlier = `Earlier answer${draw && `, ${draw.toLowerCase()}`}: ${review?.answer || "none"}`;
    setText(this.number, review === null ? draw : earlier);
    this.number.classList.toggle("aew-reviewed", review !== null);
    this.back.hidden = review === null;
    const marks = [mark.flagged ? "⚑ flagged" : "", mark.note ? `Note: ${mark.note}` : ""];
    setText(this.marks, marks.filter(Boolean).join(" · "));
  }

  showPrediction(text: string | null): void {
    showText(this.prediction, text);
  }

  showStatus(text: string, isSaved: boolean): void {
    setText(this.status, text);
    this.status.title = text; // if it is cut off
    this.status.classList.toggle("aew-saved", isSaved);
  }

  showProblem(text: string | null): void {
    showText(this.problem, text);
  }

  /** Which buttons are enabled, and which are on. */
  paintButtons(flow: AnswerFlow): void {
    for (const button of this.node.querySelectorAll<HTMLButtonElement>("[data-action]")) {
      const name = button.dataset.action ?? "";
      if (!(name in ACTIONS)) continue;
      button.disabled = !ACTIONS[name as keyof typeof ACTIONS].isPossible(flow);
      if (name === "flag") button.setAttribute("aria-pressed", String(Boolean(flow.mark.flagged)));
      if (name === "guidelines") button.setAttribute("aria-pressed", String(this.guidelines.isOpen));
    }
  }
}
