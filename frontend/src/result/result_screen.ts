// The result: the answer in one sentence, how certain it is, the plot, its cost, and where the model was wrong. It
// replaces labeling until the person goes back.

import { Thumbnails } from "../answers/thumbnails";
import { Chart } from "../charts/chart";
import { legendOf } from "../charts/legend";
import type { Surface } from "../charts/surface";
import { SvgSurface } from "../charts/svg_surface";
import { onceClicked } from "../dom/double_click";
import { element, setText, showText } from "../dom/element";
import { copyText } from "../dom/files";
import type { AskFile, Mistake, Mistakes, ResultContent } from "../from_python/messages";
import { IntervalTable } from "../panels/interval_table";
import { ResultBar } from "./result_bar";

type FileKind = AskFile["which"];

interface Callbacks {
  /** Requests the content from Python. */
  ask: () => void;
  save: (kind: FileKind) => void;
  /** Shows an instance again. */
  goTo: (index: number) => void;
  goOn: () => void;
  /** Lists the labels where two models differ, by their positions. */
  listDiffering: (pair: number[]) => void;
}

export class ResultScreen {
  readonly node: HTMLElement;
  private copied = "";
  private pair: number[] = []; // the two models that are shown
  private readonly thumbnails = new Thumbnails();
  private readonly badge = element("p", { class: "aew-outcome-badge" });
  private readonly answer = element(
    "h2",
    { class: "aew-answer", id: "aew-outcome-answer", tabindex: "-1" },
    "Computing…",
  );
  private readonly confidence = element("p", { class: "aew-outcome-confidence" });
  private readonly caveats = element("div", { class: "aew-outcome-caveats" });
  private readonly bar = new ResultBar();
  private readonly figures = element("dl", { class: "aew-outcome-figures" });
  private readonly copiedText = element("span", { class: "aew-outcome-copied", role: "status" });
  private readonly copy = button("Copy the answer", "copy", () => this.copyAnswer(), true);
  private readonly goOn: HTMLButtonElement;
  private readonly files = {
    html: this.fileButton("Report (HTML)", "html"),
    labels: this.fileButton("Labels (CSV)", "labels"),
    markdown: this.fileButton("Report (Markdown)", "markdown"),
    events: this.fileButton("All events (CSV)", "events"),
  };
  private readonly more = element(
    "details",
    { class: "aew-outcome-more" },
    element("summary", {}, "More files"),
    this.files.markdown,
    this.files.events,
  );
  private readonly plotTitle = element("h3");
  private readonly legend = element("ul", { class: "aew-legend" });
  private readonly chart: Chart;
  private readonly plot: HTMLElement;
  private readonly mistakesTitle = element("h3");
  private readonly models = new IntervalTable("result-models", "Models");
  private readonly mistakesHint = element("span", { class: "aew-outcome-hint" });
  private readonly list = element("ul", { class: "aew-mistakes" });
  private readonly about = element("p", { class: "aew-outcome-about" });
  private readonly allDiffering: HTMLButtonElement;
  private readonly aboutTwo: HTMLElement;
  private readonly mistakes: HTMLElement;

  constructor(private readonly callbacks: Callbacks) {
    this.goOn = button("Label more", "go_on", callbacks.goOn);
    this.allDiffering = button("All labels where they differ", "list_differing", () =>
      callbacks.listDiffering(this.pair),
    );
    this.aboutTwo = element("div", { class: "aew-outcome-two", hidden: "" }, this.about, this.allDiffering);
    this.mistakes = element(
      "div",
      { class: "aew-card aew-outcome-mistakes" },
      element("div", { class: "aew-mistakes-head" }, this.mistakesTitle, this.mistakesHint),
      this.list,
      this.aboutTwo,
    );
    this.chart = new Chart(new SvgSurface(), { goTo: callbacks.goTo });
    const buttons = [this.copy, this.files.html, this.files.labels, this.goOn, this.more];
    const card = element(
      "div",
      { class: "aew-card aew-outcome-card" },
      this.badge,
      this.answer,
      this.confidence,
      this.bar.node,
      this.caveats,
      this.figures,
      this.models.node,
      element("div", { class: "aew-outcome-buttons" }, ...buttons),
      this.copiedText,
    );
    this.plot = element(
      "div",
      { class: "aew-card aew-outcome-plot aew-panel" },
      this.plotTitle,
      this.legend,
      this.chart.box,
    );
    this.node = element(
      "section",
      {
        class: "aew-outcome",
        "data-aew": "result",
        "aria-labelledby": "aew-outcome-answer",
        "aria-busy": "true", // until there is content
        hidden: "",
      },
      element("div", { class: "aew-outcome-top" }, card, this.plot),
      this.mistakes,
    );
  }

  get isOpen(): boolean {
    return !this.node.hidden;
  }

  open(): void {
    this.node.hidden = false;
    this.node.scrollTop = 0;
    setText(this.copiedText, "");
    this.callbacks.ask();
    this.answer.focus({ preventScroll: true });
  }

  close(): void {
    this.node.hidden = true;
  }

  show(content: ResultContent, thumbnails: DataView[]): void {
    const { badge, answer, confidence, caveats, figures, is_whole, plot } = content;
    this.node.removeAttribute("aria-busy");
    this.copied = content.copy;
    setText(this.badge, badge);
    setText(this.answer, answer);
    showText(this.confidence, confidence);
    this.caveats.replaceChildren(...caveats.map((text) => element("p", {}, text)));
    this.bar.show(content.bar);
    this.figures.replaceChildren(
      ...figures.map(({ value, text, title }) =>
        element("div", { title: title || null }, element("dt", {}, value), element("dd", {}, text)),
      ),
    );
    for (const node of [...Object.values(this.files), this.more]) node.hidden = !is_whole;
    this.copy.hidden = content.copy === ""; // no labels yet
    this.goOn.hidden = !content.can_lift_budget;
    this.goOn.classList.toggle("aew-main", !is_whole);
    this.models.node.hidden = !content.models;
    if (content.models) this.models.show(content.models);
    this.plot.hidden = !plot;
    if (plot) {
      setText(this.plotTitle, plot.heading);
      this.legend.replaceChildren(...legendOf(plot.legend));
      this.chart.show(plot);
    }
    this.node.classList.toggle("aew-alone", !plot);
    this.showMistakes(content.mistakes ?? null, thumbnails);
  }

  /** Draws its plot on another surface from now on. */
  use(surface: Surface): void {
    this.chart.use(surface);
  }

  /** Clears its content. */
  forget(): void {
    this.thumbnails.forget();
    this.chart.close();
    this.bar.close();
  }

  private fileButton(text: string, kind: FileKind): HTMLButtonElement {
    return button(text, `save_${kind}`, () => this.callbacks.save(kind));
  }

  private showMistakes(content: Mistakes | null, thumbnails: DataView[]): void {
    this.thumbnails.forget();
    const about = content?.about ?? [];
    this.mistakes.hidden = content === null || (content.rows.length === 0 && about.length === 0);
    this.aboutTwo.hidden = about.length === 0;
    this.pair = content?.pair ?? [];
    this.allDiffering.hidden = this.pair.length === 0;
    setText(this.about, about.join(" "));
    if (content === null) {
      this.list.replaceChildren();
      return;
    }
    setText(this.mistakesTitle, content.heading);
    setText(this.mistakesHint, content.hint);
    this.list.replaceChildren(...content.rows.map((row) => element("li", {}, this.mistake(row, thumbnails))));
  }

  private mistake({ index, truth, predicted, confidence, ...row }: Mistake, thumbnails: DataView[]): HTMLElement {
    const shown =
      this.thumbnails.of(row, thumbnails, `Instance ${row.id}`) ??
      element("span", { class: "aew-mistake-text", dir: "auto" }, row.content || row.id);
    const name = element("bdi", {}, predicted);
    const labeled = element("strong", {}, element("bdi", {}, truth));
    const text = truth === "" ? [name] : ["labeled ", labeled, ", predicted ", name, " "];
    return element(
      "button",
      { class: "aew-mistake", "data-index": index, onclick: onceClicked(() => this.callbacks.goTo(index)) },
      shown,
      element("span", { class: "aew-mistake-text" }, ...text, element("span", { class: "aew-confidence" }, confidence)),
    );
  }

  private async copyAnswer(): Promise<void> {
    if (this.copied === "") return;
    try {
      await copyText(this.copied);
      setText(this.copiedText, "Copied.");
    } catch (error) {
      setText(this.copiedText, `Not copied: ${error instanceof Error ? error.message : error}.`);
    }
    this.copy.focus({ preventScroll: true });
  }
}

function button(text: string, name: string, act: () => void, isMain = false): HTMLButtonElement {
  return element("button", { class: isMain ? "aew-main" : "", "data-action": name, onclick: onceClicked(act) }, text);
}
