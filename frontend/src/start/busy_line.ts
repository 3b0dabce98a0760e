// A line that says what is going on, with a bar if the progress is known.

import { element, setText } from "../dom/element";

export class BusyLine {
  private readonly text = element("span");
  private readonly bar = element("progress", { max: 1, "aria-label": "Progress" });
  readonly node = element("p", { class: "aew-busy", role: "status", hidden: "" }, this.text, this.bar);

  show(text: string, share: number | null = null): void {
    this.node.hidden = false;
    setText(this.text, text);
    if (share === null) this.bar.removeAttribute("value");
    else this.bar.value = share;
  }

  hide(): void {
    this.node.hidden = true;
    setText(this.text, "");
  }
}
