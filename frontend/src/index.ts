// What anywidget runs for each view of the widget.

import type { Model } from "./connection/connection";
import { LabelingPage } from "./page/labeling_page";

function render({ model, el }: { model: Model; el: HTMLElement }): () => void {
  const page = new LabelingPage(model, el);
  return () => page.close();
}

export default { render };
