import type { AnswerFlow } from "../answers/answer_flow";
import { element } from "../dom/element";
import type { UpcomingInstances } from "../instances/upcoming_instances";
import type { LabelControls } from "../labels";
import type { EndOfLabels } from "./end_of_labels";

/** Puts the instance of the flow into the page, and tells the label's controls of it. */
export class ShownInstance {
  private painted: { content: HTMLElement; draw: number | undefined; isReview: boolean } | null = null;

  constructor(
    private readonly frame: HTMLElement,
    private readonly instances: UpcomingInstances,
    private readonly end: EndOfLabels,
  ) {
    frame.append(instances.slot, instances.texts.panel, instances.texts.bar, instances.tools.bar);
  }

  /** The next time, the label's controls are told anew. */
  forget(): void {
    this.painted = null;
  }

  paint(flow: AnswerFlow, labels: LabelControls): void {
    const { shown, content } = flow;
    if (shown === null || content === null) {
      if (flow.isDone && flow.python !== null) this.end.show(flow.python);
      this.instances.show(flow.isDone ? this.end.node : element("p", { class: "aew-waiting" }, "…"));
      delete this.frame.dataset.instanceId;
      this.painted = null;
      return;
    }
    this.instances.show(content);
    this.frame.dataset.instanceId = shown.id;
    const { draw } = shown;
    const isReview = shown === flow.review;
    const { painted } = this;
    if (painted?.draw !== draw || painted?.content !== content || painted?.isReview !== isReview) {
      this.painted = { draw, content, isReview };
      labels.show(content, flow.earlier.get(shown.index));
    }
    flow.painted();
  }
}
