import type { AnswerFlow } from "../answers/answer_flow";
import { element } from "../dom/element";
import type { UpcomingInstances } from "../instances/upcoming_instances";
import type { LabelControls } from "../labels/label_controls";
import type { EndOfLabels } from "./end_of_labels";

interface Painted {
  content: HTMLElement | null;
  draw: number | undefined;
  index: number;
  isReview: boolean;
}

/** Puts the instance of the flow into the page, and updates the label's controls. */
export class ShownInstance {
  private painted: Painted | null = null;

  constructor(
    private readonly frame: HTMLElement,
    private readonly instances: UpcomingInstances,
    private readonly end: EndOfLabels,
  ) {
    frame.append(instances.slot, instances.texts.panel, instances.texts.bar, instances.tools.bar);
  }

  /** The label's controls are updated again the next time. */
  forget(): void {
    this.painted = null;
  }

  /** `labels`: the controls to update, if it is labeled in this view. */
  paint(flow: AnswerFlow, labels: LabelControls | null): void {
    const { shown } = flow;
    const content = shown === null ? undefined : this.instances.elements.get(shown.index);
    if (shown === null || content === undefined || !flow.isReady) {
      if (flow.isDone && flow.python !== null) this.end.show(flow.python);
      this.instances.show(flow.isDone ? this.end.node : element("p", { class: "aew-waiting" }, "…"));
      delete this.frame.dataset.instanceId;
      this.painted = null;
      return;
    }
    // A screen reader reads the next instance; results of which each is graded are announced one by one.
    this.instances.slot.setAttribute("aria-live", content.querySelector(".aew-result") ? "off" : "polite");
    this.instances.show(content);
    this.frame.dataset.instanceId = shown.id;
    this.announce(flow, labels, content);
  }

  /** Announces to the controls which instance is shown, here or elsewhere, and starts its time. */
  announce(flow: AnswerFlow, labels: LabelControls | null, content: HTMLElement | null = null): void {
    const { shown } = flow;
    if (shown === null || !flow.isReady) return;
    const { draw, index } = shown;
    const isReview = shown === flow.review;
    const { painted } = this;
    const isSame = painted?.draw === draw && painted?.index === index && painted?.content === content;
    if (!isSame || painted?.isReview !== isReview) {
      this.painted = { content, draw, index, isReview };
      labels?.show(content, flow.earlier.get(index));
    }
    flow.painted();
  }
}
