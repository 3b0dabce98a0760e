import { element, setText } from "../dom/element";
import type { Progress } from "../from_python/messages";

/** The progress: in words, and as a bar. */
export class ProgressBar {
  readonly bar = element("div", { class: "aew-bar", role: "progressbar", "aria-label": "Labels of budget" });
  readonly figures = element("p", { class: "aew-progress", "data-aew": "progress" });

  show({ text, share }: Progress): void {
    setText(this.figures, text);
    this.bar.style.setProperty("--aew-share", String(share ?? 0));
    this.bar.setAttribute("aria-valuenow", String(Math.round(100 * (share ?? 0))));
    this.bar.hidden = share === null;
  }
}
