import { element, setText } from "../dom/element";
import type { UnsavedAnswers } from "./unsaved_answers";

/** Shows what can't be saved, and notices. */
export class UnsavedBanners {
  readonly nodes: HTMLElement[];
  private readonly banner: HTMLElement;
  private readonly notices: HTMLElement;
  private readonly text = element("span");
  private readonly notice = element("span");
  private readonly rescue: HTMLElement;

  constructor(private readonly unsaved: UnsavedAnswers) {
    const button = (text: string, onclick: () => void, name: string) =>
      element("button", { class: "aew-action", "data-keeping": name, onclick }, text);
    const alert = { class: "aew-banner", role: "alert", hidden: "" };
    const read = () => {
      unsaved.read();
      this.paint();
    };
    this.rescue = button("Save to a new file", () => unsaved.rescue(), "rescue");
    this.banner = element(
      "div",
      { ...alert, "data-aew": "unsaved" },
      this.text,
      button("Try again", () => unsaved.tryAgain(), "try_again"),
      this.rescue,
    );
    this.notices = element("div", { ...alert, "data-aew": "notice" }, this.notice, button("OK", read, "read_notice"));
    this.nodes = [this.banner, this.notices];
  }

  paint(): void {
    const { text, notice, canRescue } = this.unsaved;
    this.banner.hidden = text === null;
    if (text !== null) setText(this.text, text);
    this.rescue.hidden = !canRescue;
    this.notices.hidden = notice === null;
    setText(this.notice, notice ?? "");
  }
}
