// Labels that are a grade for each result of a ranked list. The list itself is the instance, made by Python:
// `.aew-result` elements with `data-item`. Each gets a place for its grade here, and one of them is the current one.

import { onceClicked } from "../dom/double_click";
import { element, keyCap, setText } from "../dom/element";
import type { GradesConfig, LabelValue } from "../from_python/messages";
import type { KeyMap } from "../keys/key_map";
import { type KeyHelp, keyNames } from "../keys/key_names";
import { ChoiceButtons, flash } from "./choice_buttons";
import { type Grade, GradesGiven } from "./grades_given";
import type { Give, LabelControls } from "./label_controls";

const MAX_NAMED = 12; // results that are named if they lack a grade

interface Item {
  name: string;
  nodes: HTMLElement[]; // a result may be in two lists
}

export class GradeLabels implements LabelControls {
  readonly node: HTMLElement;
  private readonly grades: number[];
  private readonly words: string[] | null;
  private readonly texts: string[];
  private isEnabled = false;
  private items: Item[] = [];
  private given = new GradesGiven([]);
  private present = 0;
  private isForRest = false; // whether the next grade is for all ungraded results
  private readonly choices: ChoiceButtons;
  private readonly skip: HTMLButtonElement;
  private readonly rest: HTMLButtonElement;
  private readonly submit: HTMLButtonElement;
  private readonly progress = element("p", { class: "aew-hint", "data-aew": "judged" });
  private readonly announcement = element("p", { class: "aew-visually-hidden", "aria-live": "polite" });

  constructor(
    { grades, words, choices }: GradesConfig,
    private readonly keys: KeyMap,
    private readonly give: Give,
  ) {
    this.grades = grades;
    this.words = words;
    this.texts = choices.map(({ text }) => text);
    this.choices = new ChoiceButtons(choices, keys, (i) => this.grade(this.grades[i]), words);
    const button = (name: string, key: string, text: string, act: () => void) =>
      element(
        "button",
        { class: "aew-label aew-quiet", "data-aew": name, onclick: onceClicked(act) },
        keyCap(key),
        element("span", {}, text),
      );
    this.skip = button("cannot-judge", "-", "Can't judge", () => this.grade(null));
    this.rest = button("grade-rest", "G", "All the rest", () => this.setForRest(!this.isForRest));
    this.submit = button("submit", "Enter", "Save", () => this.save());
    this.submit.classList.add("aew-submit");
    const scale = element("div", { class: "aew-classes" }, ...this.choices.buttons);
    this.choices.layOut(scale);
    this.node = element(
      "div",
      { class: "aew-grades" },
      scale,
      element("div", { class: "aew-grade-row" }, this.skip, this.rest, this.submit),
      this.progress,
      this.announcement,
    );
  }

  show(content: HTMLElement | null, previous: LabelValue | undefined): void {
    const byName = new Map<string, HTMLElement[]>();
    for (const node of content?.querySelectorAll<HTMLElement>(".aew-result") ?? []) {
      const name = node.dataset.item ?? "";
      byName.set(name, [...(byName.get(name) ?? []), node]);
      if (!node.querySelector(":scope > .aew-grade")) node.append(element("span", { class: "aew-grade" }));
      node.onclick = () => {
        if (this.isEnabled) this.moveTo(this.positionOf(name));
      };
    }
    this.items = [...byName].map(([name, nodes]) => ({ name, nodes }));
    this.given = new GradesGiven([...byName.keys()], typeof previous === "object" ? previous : {});
    this.isForRest = false;
    this.items.forEach((_, i) => {
      this.showGrade(i);
    });
    this.moveTo(Math.max(0, this.given.nextUnjudged(-1)), { isSilent: true });
    this.showProgress();
  }

  setEnabled(isEnabled: boolean): void {
    if (this.isEnabled === isEnabled) return;
    this.isEnabled = isEnabled;
    for (const button of [...this.choices.buttons, this.skip, this.rest, this.submit]) button.disabled = !isEnabled;
  }

  press(event: KeyboardEvent): boolean {
    if (!this.isEnabled) return false;
    const act = this.actOf(event);
    if (act === undefined) return false;
    if (this.stepOf(event) !== undefined || !event.repeat) act(); // a held key continues to move
    return true;
  }

  showKeys(): void {
    this.choices.showKeys();
  }

  help(): KeyHelp[] {
    return [
      [this.choices.help(), "grade, and go to the next result"],
      [[keyCap("↑"), keyCap("↓")], "move; K and J, too"],
      [[keyCap("G")], "the next grade is for all that are not judged; Shift and the digit does it at once"],
      [[keyCap("-")], "can't be judged; a note may say why"],
      [[keyCap("Backspace")], "take back the last grade"],
      [[keyCap("Enter")], "save all and go on"],
    ];
  }

  private stepOf(event: KeyboardEvent): number | undefined {
    const steps: Record<string, number> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };
    return steps[keyNames(event).at(-1) ?? ""];
  }

  /** What a key does here; undefined if nothing. */
  private actOf(event: KeyboardEvent): (() => void) | undefined {
    const step = this.stepOf(event);
    if (step !== undefined) return () => this.moveTo(this.present + step);
    // Shift and a digit types a character that depends on the keyboard.
    const digit = event.shiftKey && /^Digit\d$/.test(event.code) ? event.code.slice(-1) : null;
    const shifted =
      digit === null ? -1 : this.grades.findIndex((_, i) => this.keys.keysOf(`label ${i}`).includes(digit));
    const label = shifted >= 0 ? shifted : this.keys.meaningOf(event)?.label;
    if (label !== undefined) return () => this.grade(this.grades[label], shifted >= 0 || this.isForRest);
    switch (keyNames(event).at(-1)) {
      case "-":
        return () => this.grade(null);
      case "g":
        return () => this.setForRest(!this.isForRest);
      case "Enter":
        return () => this.save();
      case "Backspace":
        // Also if there is nothing to undo: one press too many must not undo the previous label.
        return () => this.takeBack();
      case "Escape":
        return this.isForRest ? () => this.setForRest(false) : undefined;
      default:
        return undefined;
    }
  }

  private positionOf(name: string): number {
    return this.items.findIndex((item) => item.name === name);
  }

  private grade(grade: Grade, isForRest = this.isForRest): void {
    if (this.items.length === 0) return;
    const graded = isForRest ? this.given.unjudged() : [this.present];
    const wasJudged = !isForRest && graded.every((i) => this.given.has(this.items[i].name));
    for (const i of graded) {
      this.given.give(this.items[i].name, grade);
      this.showGrade(i);
    }
    this.isForRest = false;
    const next = this.given.nextUnjudged(this.present);
    const which = graded.length === 1 ? `Result ${this.present + 1}` : `${graded.length} results`;
    const what = `${which}: ${this.gradeText(grade)}.`;
    if (next >= 0) this.moveTo(next, { before: what });
    else setText(this.announcement, `${what} All judged; Enter saves.`);
    if (next < 0) this.showPresent();
    // An earlier label is being changed: all have grades, but the next result is the current one.
    if (next < 0 && wasJudged) this.moveTo(this.present + 1, { before: what });
    this.showProgress();
  }

  private takeBack(): void {
    const name = this.given.takeBack();
    if (name === undefined) return;
    const i = this.positionOf(name);
    this.showGrade(i);
    this.moveTo(i);
    this.showProgress();
  }

  private setForRest(isForRest: boolean): void {
    this.isForRest = isForRest;
    this.showProgress();
  }

  private moveTo(position: number, { before = "", isSilent = false } = {}): void {
    this.present = Math.max(0, Math.min(position, this.items.length - 1));
    this.showPresent();
    const item = this.items[this.present];
    if (item === undefined || isSilent) return;
    const given = this.given.get(item.name);
    const grade = given === undefined ? "" : `, ${this.gradeText(given)}`;
    setText(this.announcement, `${before} Result ${this.present + 1} of ${this.items.length}${grade}.`);
    this.scrollTo(item.nodes[0]);
  }

  private showPresent(): void {
    this.items.forEach(({ nodes }, i) => {
      for (const node of nodes) {
        if (i === this.present) node.setAttribute("aria-current", "true");
        else node.removeAttribute("aria-current");
      }
    });
  }

  // Not scrollIntoView, which would scroll the page, too.
  private scrollTo(node: HTMLElement): void {
    const box = node.closest(".aew-scroll");
    if (!box) return;
    const [inner, outer] = [node.getBoundingClientRect(), box.getBoundingClientRect()];
    const query = box.querySelector<HTMLElement>(".aew-query"); // stays visible
    const top = outer.top + (query?.offsetHeight ?? 0);
    if (inner.top < top || inner.height > outer.bottom - top) box.scrollTop += inner.top - top - 8;
    else if (inner.bottom > outer.bottom) box.scrollTop += inner.bottom - outer.bottom + 8;
  }

  private gradeText(grade: Grade): string {
    if (grade === null) return "can't be judged";
    const i = this.grades.indexOf(grade);
    return this.words && i >= 0 ? `${this.texts[i]} ${this.words[i]}` : `grade ${this.texts[i] ?? grade}`;
  }

  private showGrade(i: number): void {
    const { name, nodes } = this.items[i];
    const given = this.given.get(name);
    for (const node of nodes) {
      const badge = node.querySelector(":scope > .aew-grade");
      if (!badge) continue;
      setText(badge, given === undefined ? "not judged" : this.gradeText(given));
      badge.classList.toggle("aew-given", given !== undefined);
    }
  }

  private showProgress(): void {
    const [n, left] = [this.items.length, this.given.unjudged().length];
    this.rest.setAttribute("aria-pressed", String(this.isForRest));
    this.progress.classList.remove("aew-error");
    const judged =
      left === 0
        ? `All ${n} judged. Enter saves, Backspace takes back the last grade.`
        : `${n - left} of ${n} judged. ↑ ↓ move.`;
    setText(
      this.progress,
      this.isForRest ? `The next grade is for all ${left} not judged yet. Esc: for one only.` : judged,
    );
  }

  private complain(text: string): void {
    setText(this.progress, text);
    this.progress.classList.add("aew-error");
    setText(this.announcement, text);
  }

  private save(): void {
    const left = this.given.unjudged();
    if (left.length > 0) {
      const numbers = left.map((i) => i + 1);
      const named = numbers.slice(0, MAX_NAMED).join(", ") + (left.length > MAX_NAMED ? ", …" : "");
      this.moveTo(left[0]);
      this.complain(`Not judged yet: ${left.length === 1 ? "result" : "results"} ${named}.`);
      return;
    }
    if (this.given.isNothingJudged) {
      this.complain("If nothing can be judged, exclude it instead.");
      return;
    }
    const texts = this.items.map(({ name }) => this.given.get(name) ?? "–").join(" ");
    if (this.give(this.given.asRecord(), texts)) flash(this.submit);
  }
}
