// Several models: a table of all, and the difference of two of them, once they are chosen.

import { element, optionsOf, rebuild } from "../dom/element";
import type { ModelsContent, PairContent } from "../from_python/messages";
import { IntervalTable } from "./interval_table";

export class ModelsPanel {
  readonly node: HTMLElement;
  private readonly all = new IntervalTable("models", "Models");
  private readonly difference = new IntervalTable("pair-difference", "Difference of two models");
  private readonly first = this.select("First model");
  private readonly second = this.select("Second model");

  /** `choose` gets the positions of two models. */
  constructor(private readonly choose: (pair: number[]) => void) {
    this.difference.node.hidden = true;
    this.node = this.all.node;
    const choice = element("div", { class: "aew-pair-choice" }, "Compare ", this.first, " with ", this.second);
    // Beside the heading, because plots need the room below.
    const heading = this.node.querySelector("h2") ?? "";
    this.node.prepend(element("div", { class: "aew-models-head" }, heading, choice));
    this.node.append(this.difference.node);
  }

  show(content: ModelsContent): void {
    this.all.show(content);
    this.showPair(content.pair);
  }

  private showPair({ names, chosen, difference }: PairContent): void {
    [this.first, this.second].forEach((select, i) => {
      const models = names.map((name, position) => [position, name] as const);
      if (rebuild(select, names, () => optionsOf([["", "…"], ...models]))) select.value = String(chosen?.[i] ?? "");
    });
    this.forbidTheSame();
    this.difference.node.hidden = difference === null;
    if (difference !== null) this.difference.show(difference);
  }

  private select(name: string): HTMLSelectElement {
    return element("select", { "aria-label": name, onchange: () => this.chosen() });
  }

  private chosen(): void {
    this.forbidTheSame();
    const pair = [this.first.value, this.second.value];
    if (pair.every((value) => value !== "") && pair[0] !== pair[1]) this.choose(pair.map(Number));
  }

  /** A model is not compared with itself. */
  private forbidTheSame(): void {
    for (const [select, other] of [
      [this.first, this.second],
      [this.second, this.first],
    ]) {
      for (const option of select.options) option.disabled = option.value !== "" && option.value === other.value;
    }
  }
}
