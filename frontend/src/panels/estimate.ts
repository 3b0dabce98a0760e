import { element, setText, showText } from "../dom/element";
import type { EstimateContent, IntervalBar } from "../from_python/messages";
import { IntervalTrack } from "./interval_track";

/** The estimate in words. It changes with Python's replies, not with keys. */
export class EstimatePanel {
  readonly node: HTMLElement;
  private readonly title = element("h2");
  private readonly value = element("p", { class: "aew-value" });
  private readonly intro = element("p", { class: "aew-intro", "data-aew": "intro", hidden: "" });
  private readonly sentence = element("p", { class: "aew-sentence", "aria-live": "polite" });
  private readonly warning = element("p", { class: "aew-warning", "aria-live": "polite", hidden: "" });
  private readonly approximate = element("p", { class: "aew-sentence aew-beside", "aria-live": "polite" });
  private readonly note = element("p", { class: "aew-note" });
  // The bar shows what the sentence says.
  private readonly ends = [element("span"), element("span")];
  private readonly track = new IntervalTrack();
  private readonly interval = element(
    "div",
    { class: "aew-interval", "aria-hidden": "true", hidden: "" },
    this.ends[0],
    this.track.node,
    this.ends[1],
  );

  /** `goal` is shown in its panel, too. */
  constructor(goal: HTMLElement) {
    this.node = element(
      "section",
      { class: "aew-estimate", "data-aew": "estimate", "aria-label": "Estimate" },
      this.title,
      this.value,
      this.intro,
      this.interval,
      this.sentence,
      this.approximate,
      this.note,
      this.warning,
      goal,
    );
  }

  show(content: EstimateContent): void {
    const { dataset } = this.node;
    const written = (number: number | null) => String(number ?? "");
    dataset.value = written(content.value);
    dataset.low = written(content.low);
    dataset.high = written(content.high);
    dataset.approximateLow = written(content.approximate_low);
    dataset.approximateHigh = written(content.approximate_high);
    setText(this.title, content.title);
    this.value.hidden = content.intro !== "";
    setText(this.value, content.headline);
    showText(this.intro, content.intro);
    this.showInterval(content.bar);
    this.showSentence(content);
    setText(this.approximate, content.approximate);
    setText(this.note, content.note);
    showText(this.warning, content.warning);
  }

  // The interval in it is emphasized. Screen readers get the value, too.
  private showSentence({ spoken, sentence, interval }: EstimateContent): void {
    const whole = `${spoken}${sentence}`;
    if (this.sentence.dataset.whole === whole) return;
    this.sentence.dataset.whole = whole;
    const at = interval === "" ? -1 : sentence.indexOf(interval);
    const parts =
      at < 0
        ? [sentence]
        : [sentence.slice(0, at), element("strong", {}, interval), sentence.slice(at + interval.length)];
    this.sentence.replaceChildren(element("span", { class: "aew-visually-hidden" }, spoken), ...parts);
  }

  private showInterval(content: IntervalBar | null): void {
    this.interval.hidden = content === null;
    if (content === null) return;
    content.ends.forEach((text, i) => {
      setText(this.ends[i], text);
    });
    this.track.show(content);
  }
}
