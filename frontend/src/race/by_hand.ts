// Labels by hand: the current instance of a racer, large, with the label's own controls and keys.

import { element, setText } from "../dom/element";
import type { LabelValue } from "../from_python/messages";
import type { RaceConfig } from "../from_python/race_messages";
import { UpcomingInstances } from "../instances/upcoming_instances";
import { KeyMap } from "../keys/key_map";
import { keyCaps } from "../keys/key_names";
import { makeLabels } from "../labels";
import type { LabelControls } from "../labels/label_controls";
import { drawnText } from "./course";

interface Callbacks {
  /** Null: the expert labels. */
  give: (value: LabelValue | null) => void;
  undo: () => void;
  leave: () => void;
  onReady: () => void;
  askForMore: (what: { index: number; passage: number; start: number }) => void;
}

/** The current question. */
export interface Asked {
  racer: number;
  index: number;
  id: string;
  who: string;
  n: number;
  weight: number;
  /** Whether the session can accept a label. */
  isReady: boolean;
}

export class ByHand {
  readonly node: HTMLElement;
  readonly instances: UpcomingInstances;
  readonly labels: LabelControls;
  readonly keys: KeyMap;
  private readonly question = element("h2", { id: "aew-question" });
  private readonly whose = element("p", { class: "aew-whose" });
  private readonly instance = element("div", { class: "aew-instance", "data-aew": "instance" });
  private readonly controls = element("div", { class: "aew-labels", role: "group", "aria-labelledby": "aew-question" });
  private readonly expert: HTMLButtonElement;
  private readonly undo: HTMLButtonElement;
  private shown = "";
  private isEnabled = false;

  constructor(config: RaceConfig, callbacks: Callbacks) {
    this.instances = new UpcomingInstances({ onReady: callbacks.onReady, askForMore: callbacks.askForMore });
    this.instances.use(config.instance_modules);
    this.keys = new KeyMap(config.keys);
    this.labels = makeLabels(config.labels, this.keys, (value) => {
      if (!this.isEnabled) return false;
      callbacks.give(value);
      return true;
    });
    this.instance.append(this.instances.slot, this.instances.tools.bar);
    this.controls.append(this.labels.node);
    const button = (name: string, key: string[], text: string, onclick: () => void) =>
      element("button", { class: "aew-action", "data-aew": name, onclick }, ...keyCaps(key), text);
    this.expert = button("expert", [], "Leave this one to the expert", () => callbacks.give(null));
    this.undo = button("undo", this.keys.keysOf("action undo").slice(0, 1), "Undo", callbacks.undo);
    const leave = button("leave", ["Escape"], "Stop labeling by hand", callbacks.leave);
    setText(this.question, config.question);
    this.node = element(
      "section",
      { class: "aew-by-hand aew-panel", "data-aew": "by-hand", "aria-label": "Label by hand", hidden: "" },
      element("div", { class: "aew-asked" }, this.question, this.whose),
      this.instance,
      this.controls,
      element("div", { class: "aew-buttons" }, this.undo, this.expert, leave),
    );
  }

  /** The instances that must be requested. */
  missing(asked: Asked | null): number[] {
    const indices = asked === null ? [] : this.instances.missing([asked], 1);
    this.instances.want(indices);
    return indices;
  }

  show(asked: Asked | null, canUndo: boolean, done: string): void {
    const content = asked === null ? undefined : this.instances.elements.get(asked.index);
    this.isEnabled = asked?.isReady === true && content !== undefined;
    this.labels.setEnabled(this.isEnabled);
    this.expert.disabled = asked === null || !asked.isReady;
    this.undo.disabled = !canUndo;
    setText(this.whose, asked === null ? "" : `${asked.who} asks for label ${asked.n}: ${drawnText(asked.weight)}`);
    const key = asked === null ? "" : `${asked.who} ${asked.n} ${asked.index} ${content !== undefined}`;
    if (key === this.shown && key !== "") return;
    this.shown = key;
    this.instances.show(content ?? element("p", { class: "aew-waiting" }, asked === null ? done : "…"));
    if (asked === null) delete this.instance.dataset.instanceId;
    else this.instance.dataset.instanceId = asked.id;
    this.labels.show(content ?? null, undefined);
  }

  close(): void {
    this.instances.close();
  }
}
