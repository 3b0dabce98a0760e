// Who labels, how many labels each has given, and where they differ, so that somebody can decide which label counts.

import { element, setText } from "../dom/element";
import type { DisagreementShown, PeopleContent, PersonShown } from "../from_python/messages";
import type { Panel, PanelTools } from "./panel";

type Tools = Pick<PanelTools, "adjudicate" | "goTo" | "rename">;

export class PeoplePanel implements Panel<PeopleContent> {
  readonly node: HTMLElement;
  private readonly people = element("ul", { class: "aew-persons" });
  private readonly heading = element("h3");
  private readonly list = element("ul", { class: "aew-disagreements" });
  private readonly differences = element("div", { hidden: "" }, this.heading, this.list);
  private readonly rename: HTMLButtonElement;
  private shown = "";

  constructor(private readonly use: Tools) {
    this.rename = element(
      "button",
      { class: "aew-action", "data-action": "rename", onclick: () => use.rename(), hidden: "" },
      "Not you?",
    );
    this.node = element(
      "section",
      { class: "aew-people", "data-aew": "people", "aria-label": "Who labels", hidden: "" },
      element("div", { class: "aew-people-head" }, element("h2", {}, "Who labels"), this.rename),
      this.people,
      this.differences,
    );
  }

  show(content: PeopleContent): void {
    this.node.hidden = false;
    const json = JSON.stringify(content);
    if (json === this.shown) return; // what has the focus stays
    this.shown = json;
    this.rename.hidden = !content.can_rename || content.who === null;
    this.people.replaceChildren(...content.people.map((person) => this.person(person)));
    this.differences.hidden = content.disagreements.length === 0;
    const { n_open } = content;
    const what = n_open === 1 ? "1 disagreement to decide" : `${n_open} disagreements to decide`;
    setText(this.heading, n_open === 0 ? "All disagreements are decided" : what);
    this.list.replaceChildren(...content.disagreements.map((each) => this.disagreement(each)));
  }

  private person({ who, text, is_here, is_you }: PersonShown): HTMLElement {
    return element(
      "li",
      { "data-who": who },
      element("span", { class: is_here ? "aew-here" : "aew-away", title: is_here ? "here" : "away" }),
      element("strong", {}, who),
      is_you ? " (you)" : "",
      `: ${text}`,
      element("span", { class: "aew-visually-hidden" }, is_here ? "" : " (away)"),
    );
  }

  private disagreement({ index, id, answers, decided }: DisagreementShown): HTMLElement {
    const look = element("button", { class: "aew-action aew-look", onclick: () => this.use.goTo(index) }, id);
    const choices = answers.map(({ who, text, value }) =>
      value === undefined
        ? element("span", {}, `${who}: ${text}`)
        : element(
            "button",
            {
              class: "aew-action",
              "data-adjudicate": String(index),
              title: `Let ${text} count`,
              onclick: () => this.use.adjudicate(index, value, `${id}: ${text}`),
            },
            `${who}: ${text}`,
          ),
    );
    const row = element("li", { "data-index": String(index) }, look, ...choices);
    if (decided !== null) {
      row.classList.add("aew-decided");
      row.append(element("span", { class: "aew-muted" }, decided));
    }
    return row;
  }
}
