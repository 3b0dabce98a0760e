// What anywidget runs for each view of the widget, and the loader of parts for each part.

import type { Model } from "./connection/connection";
import { LabelingPage } from "./page/labeling_page";
import type { PartName } from "./parts";
import { PartView } from "./parts/part_view";

function render({ model, el }: { model: Model; el: HTMLElement }): () => void {
  const page = new LabelingPage(model, el);
  return () => page.close();
}

function renderPart(model: Model, el: HTMLElement, name: PartName): () => void {
  const part = new PartView(model, el, name);
  return () => part.close();
}

export default { render, renderPart };
