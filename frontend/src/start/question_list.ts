// The questions of interest, and under the chosen one its measures and its class.

import { element, optionsOf, setText } from "../dom/element";
import type { MeasureChoice, Question } from "../from_python/start_messages";

export interface Wanted {
  measure: string;
  positive: string | null;
}

interface Entry {
  question: Question;
  radio: HTMLInputElement;
  measures: HTMLSelectElement;
  /** The number that the measure takes, if any. */
  option: HTMLInputElement;
  sentence: HTMLElement;
  choice: HTMLElement;
  node: HTMLElement;
}

/** The label to count, if nobody has named one. */
const USUAL_LABEL = "yes";

export class QuestionList {
  private readonly list = element("div", {
    class: "aew-questions",
    role: "radiogroup",
    "aria-labelledby": "aew-questions",
  });
  readonly node = element(
    "section",
    { class: "aew-card", "aria-labelledby": "aew-questions" },
    element("h2", { id: "aew-questions" }, "What do you want to know?"),
    this.list,
  );
  private entries: Entry[] = [];
  /** The class of interest; if the possible labels are unknown, its name is typed. */
  private classes: HTMLSelectElement | HTMLInputElement = element("select");
  private known = "";
  private before: Wanted | null = null;

  constructor(private readonly onChange: () => void) {}

  /** The choice; null if there is none. */
  get wanted(): Wanted | null {
    const measure = this.measure;
    if (measure === undefined) return null;
    return {
      measure: this.named(measure),
      positive: measure.needs_class ? this.classes.value.trim() || USUAL_LABEL : null,
    };
  }

  /** Another file: only the choices of its settings are made. */
  forget(given: Wanted | null): void {
    this.known = "";
    this.entries = [];
    this.before = given;
  }

  /** The questions of a file; the choice stays if it is still possible. */
  show(questions: Question[], classes: string[]): void {
    const known = JSON.stringify([questions, classes]);
    if (known === this.known) return;
    this.known = known;
    const before = this.wanted ?? this.before;
    this.classes = this.classField(classes);
    // Of two classes, the second is the one of interest.
    const usual = classes[classes.length === 2 ? 1 : 0] ?? USUAL_LABEL;
    const canBe = classes.length === 0 || classes.includes(before?.positive ?? "");
    this.classes.value = before?.positive && canBe ? before.positive : usual;
    this.entries = questions.map((question) => this.entry(question));
    this.list.replaceChildren(...this.entries.map(({ node }) => node));
    const [stem = "", option] = before?.measure.split("@") ?? [];
    const suits = (each: MeasureChoice): boolean =>
      each.name === stem && (option === undefined || each.option !== null);
    const again = this.entries.find(({ question }) => question.measures.some(suits));
    const chosen = again ?? this.entries[0];
    if (chosen === undefined) return;
    if (again) {
      again.measures.value = stem;
      this.offer(again);
      again.option.value = option ?? again.option.value;
    }
    chosen.radio.checked = true;
    this.paint();
  }

  private classField(classes: string[]): HTMLSelectElement | HTMLInputElement {
    const attributes = {
      "aria-label": classes.length > 0 ? "Class of interest" : "Label of interest",
      "data-aew": "positive",
      onchange: () => this.onChange(),
    };
    if (classes.length === 0) return element("input", { ...attributes, type: "text", size: 12, maxlength: 100 });
    return element("select", attributes, ...optionsOf(classes.map((name) => [name, name])));
  }

  private get entryChosen(): Entry | undefined {
    return this.entries.find(({ radio }) => radio.checked);
  }

  private get measure(): MeasureChoice | undefined {
    const entry = this.entryChosen;
    return entry?.question.measures.find(({ name }) => name === entry.measures.value);
  }

  /** The measure's name with its number, the default one if none is given. */
  private named(measure: MeasureChoice): string {
    const given = this.entryChosen?.option.value.trim() ?? "";
    const number = given || (measure.option?.is_needed ? measure.option.value : "");
    return measure.option && number ? `${measure.name}@${number}` : measure.name;
  }

  /** The default number of the measure just chosen. */
  private offer(entry: Entry): void {
    const option = entry.question.measures.find(({ name }) => name === entry.measures.value)?.option;
    entry.option.value = option?.value ?? "";
    entry.option.setAttribute("aria-label", option?.label ?? "");
  }

  private entry(question: Question): Entry {
    const changed = (): void => {
      this.paint();
      this.onChange();
    };
    const option = element("input", {
      inputmode: "decimal",
      size: "6",
      "data-aew": "measure-option",
      onchange: changed,
    });
    const radio = element("input", { type: "radio", name: "aew-question", onchange: changed });
    const measures = element(
      "select",
      {
        "aria-label": "Measure",
        "data-aew": "measure",
        onchange: () => {
          this.offer(made);
          changed();
        },
      },
      ...optionsOf(question.measures.map(({ name, text }) => [name, text])),
    );
    const sentence = element("p", { class: "aew-muted" });
    const choice = element("div", { class: "aew-choice", hidden: "" });
    const label = element(
      "label",
      {},
      radio,
      element("strong", {}, question.text),
      element("span", { class: "aew-muted" }, question.note),
    );
    const node = element("div", { class: "aew-question" }, label, choice);
    const made = { question, radio, measures, option, sentence, choice, node };
    this.offer(made);
    return made;
  }

  private get classNoun(): string {
    return this.classes instanceof HTMLSelectElement ? "of the class" : "of the label";
  }

  private paint(): void {
    for (const { radio, node, choice } of this.entries) {
      node.classList.toggle("aew-chosen", radio.checked);
      choice.hidden = !radio.checked;
    }
    const entry = this.entryChosen;
    const measure = this.measure;
    if (entry === undefined || measure === undefined) return;
    setText(entry.sentence, measure.sentence);
    const selects: (HTMLElement | string)[] = [];
    if (entry.question.measures.length > 1) selects.push(entry.measures);
    if (measure.needs_class) selects.push(element("span", { class: "aew-muted" }, this.classNoun), this.classes);
    if (measure.option) {
      const { before, after } = measure.option;
      const words = (text: string): HTMLElement[] => (text ? [element("span", { class: "aew-muted" }, text)] : []);
      selects.push(...words(before), entry.option, ...words(after));
    }
    const line = element("div", { class: "aew-selects" }, ...selects);
    const { activeElement } = document;
    entry.choice.replaceChildren(...(selects.length > 0 ? [line] : []), entry.sentence);
    if (activeElement instanceof HTMLElement && entry.choice.contains(activeElement)) activeElement.focus();
  }
}
