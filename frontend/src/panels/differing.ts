// Where two models differ: the pool by both predictions, the number of such labels, and the way to these.

import type { Surface } from "../charts/surface";
import { element, rebuild, setText } from "../dom/element";
import type { DifferingContent } from "../from_python/messages";
import { countText } from "../text/numbers";
import { PlotPanel, type TableDialog } from "./plot";

interface Tools {
  goTo: (index: number) => void;
  table: TableDialog;
  /** Lists the labels where two models differ, by their positions. */
  listDiffering: (pair: number[]) => void;
}

export class DifferingPanel {
  readonly node: HTMLElement;
  private pair: number[] = [];
  private readonly plot: PlotPanel;
  private readonly heading = element("h2", { hidden: "" });
  private readonly text = element("div", { class: "aew-differing-text" });
  private readonly list: HTMLButtonElement;

  constructor(use: Tools) {
    this.plot = new PlotPanel("differing", use.table, { title: "Where the models differ", goTo: use.goTo });
    this.list = element(
      "button",
      {
        class: "aew-action aew-list-differing",
        "data-action": "list_differing",
        hidden: "",
        onclick: () => use.listDiffering(this.pair),
      },
      "",
    );
    this.node = this.plot.node;
    this.node.setAttribute("aria-label", "Where the models differ");
    this.node.prepend(this.heading);
    this.node.append(this.text, this.list);
  }

  show({ heading, sentences, n_labels, pair, plot }: DifferingContent): void {
    this.pair = pair;
    setText(this.heading, heading);
    this.heading.hidden = plot !== null;
    this.node.classList.toggle("aew-no-plot", plot === null);
    if (plot !== null) this.plot.show(plot);
    rebuild(this.text, sentences, () => sentences.map((text) => element("p", {}, text)));
    this.list.hidden = n_labels === 0;
    setText(this.list, n_labels === 1 ? "See the label" : `See the ${countText(n_labels)} labels`);
  }

  use(surface: Surface): void {
    this.plot.use(surface);
  }

  close(): void {
    this.plot.close();
  }
}
