// A new evaluation: its columns, the question, the precision, and how to label.

import { element, setText } from "../dom/element";
import type { NewContent, NewSettings, PlanList } from "../from_python/start_messages";
import { BusyLine } from "./busy_line";
import { ColumnTable } from "./column_table";
import { PlanChoice } from "./plan_choice";
import { QuestionList, type Wanted } from "./question_list";

export interface PlansWanted extends Wanted {
  sheets: boolean;
}

interface Callbacks {
  changeRoles: (roles: Record<string, string>) => void;
  askPlans: (wanted: PlansWanted) => void;
  start: (settings: NewSettings) => void;
  copyCommand: (settings: NewSettings) => void;
  refuse: (text: string) => void;
}

export class NewEvaluation {
  content: NewContent | null = null;
  readonly busy = new BusyLine();
  private readonly columns = new ColumnTable((roles) => this.callbacks.changeRoles(roles));
  private readonly questions = new QuestionList(() => this.ask());
  private readonly plan = new PlanChoice();
  private readonly name = element("input", { type: "text", id: "aew-title", maxlength: 200 });
  private readonly guidelines = element("textarea", {
    id: "aew-guidelines",
    rows: 2,
    placeholder: "What counts as which? For example: a ticket is a “bug” if…",
  });
  private readonly sheets = element("input", {
    type: "checkbox",
    id: "aew-sheets",
    "data-aew": "sheets",
    onchange: () => this.ask(),
  });
  private readonly sheetsChoice = element(
    "label",
    { for: "aew-sheets", class: "aew-check" },
    this.sheets,
    "Label what the model is sure of 24 at a time",
  );
  private readonly begin = element(
    "button",
    { class: "aew-primary", "data-action": "start", onclick: () => this.give(this.callbacks.start) },
    "Start labeling",
  );
  private readonly copy = element(
    "button",
    { "data-action": "command", onclick: () => this.give(this.callbacks.copyCommand) },
    "Copy the command",
  );
  private readonly kept = element("p", { class: "aew-muted aew-kept" });
  private readonly side = element(
    "section",
    { class: "aew-card aew-how", "aria-label": "Precision and guidelines" },
    this.plan.node,
    element(
      "label",
      { for: "aew-guidelines", class: "aew-label" },
      element("strong", {}, "Guidelines for labeling"),
      element("span", { class: "aew-muted" }, " optional, Markdown"),
    ),
    this.guidelines,
    this.sheetsChoice,
    element("div", { class: "aew-buttons" }, this.begin, this.copy),
    this.busy.node,
    this.kept,
  );
  private readonly called = element(
    "section",
    { class: "aew-card aew-called", "aria-label": "Name" },
    element("label", { for: "aew-title", class: "aew-label" }, element("strong", {}, "Name")),
    this.name,
  );
  private readonly rest = element(
    "div",
    { class: "aew-two" },
    element("div", { class: "aew-left" }, this.questions.node, this.called),
    this.side,
  );
  readonly node = element("div", { class: "aew-new", "data-aew": "new", hidden: "" }, this.columns.node, this.rest);

  constructor(private readonly callbacks: Callbacks) {}

  show(content: NewContent): void {
    if (content.file !== this.content?.file) {
      this.name.value = content.title;
      this.guidelines.value = content.given?.guidelines ?? "";
      this.sheets.checked = content.given?.sheets ?? false;
      this.questions.forget(content.given);
      this.plan.forget(content.given);
    }
    this.content = content;
    this.sheetsChoice.hidden = !content.can_have_sheets;
    this.columns.show(content);
    this.questions.show(content.questions, content.classes);
    const canStart = content.cannot_start === "";
    this.rest.hidden = content.questions.length === 0;
    this.begin.disabled = !canStart;
    this.copy.disabled = !canStart;
    setText(this.kept, content.settings_file);
    if (canStart) this.ask();
  }

  showPlans(plans: PlanList): void {
    const { wanted } = this.questions;
    // A reply to an earlier request does not apply to this one.
    const isOther = plans.sheets !== this.hasSheets || plans.measure !== wanted?.measure;
    if (!isOther && plans.positive === wanted.positive) this.plan.show(plans);
  }

  setEnabled(isEnabled: boolean): void {
    const canStart = isEnabled && this.content?.cannot_start === "";
    this.begin.disabled = !canStart;
    this.copy.disabled = !canStart;
  }

  focus(): void {
    if (this.begin.disabled) this.node.querySelector<HTMLElement>("select")?.focus();
    else this.begin.focus({ preventScroll: true });
  }

  private get hasSheets(): boolean {
    return this.sheets.checked && this.content?.can_have_sheets === true;
  }

  private ask(): void {
    const { wanted } = this.questions;
    if (wanted === null || this.content?.cannot_start !== "") return;
    this.plan.wait();
    this.callbacks.askPlans({ ...wanted, sheets: this.hasSheets });
  }

  private give(to: (settings: NewSettings) => void): void {
    const { wanted } = this.questions;
    if (wanted === null) return;
    if (this.plan.problem) this.callbacks.refuse(this.plan.problem);
    else {
      const [title, guidelines] = [this.name.value.trim(), this.guidelines.value];
      to({ ...wanted, ...this.plan.effort, title, guidelines, sheets: this.hasSheets });
    }
  }
}
