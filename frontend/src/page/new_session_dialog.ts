import { makeDialog } from "../dom/dialog";
import { onceClicked } from "../dom/double_click";
import { element, setText } from "../dom/element";
import { countedText } from "../text/numbers";

/** Asks before another session begins, because labeling continues there, not here. */
export class NewSessionDialog {
  readonly dialog: HTMLDialogElement;
  private readonly about = element("p");
  private readonly begin: HTMLButtonElement;

  constructor(begin: () => void) {
    const go = () => {
      this.dialog.close();
      begin();
    };
    this.begin = element("button", { class: "aew-label aew-main", onclick: onceClicked(go) }, "Begin");
    this.dialog = makeDialog("new-session", "Begin a new session?", this.about, this.begin);
  }

  ask(nLabels: number): void {
    setText(
      this.about,
      `The new session starts without labels. This one keeps its ${countedText(nLabels, "label")}; ` +
        "you can go back to it with the list of sessions at the top.",
    );
    this.dialog.showModal();
    this.begin.focus();
  }
}
