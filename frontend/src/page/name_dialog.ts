// Who labels: asked once if several people do, and remembered by this browser.

import { remember, remembered } from "../dom/browser_storage";
import { element, uniqueId } from "../dom/element";

const REMEMBERED = "aew-who";

const SEVERAL = {
  title: "Who is labeling?",
  text: "Several people label here. Your answers are kept with your name.",
  longest: 100,
};

export class NameDialog {
  readonly dialog: HTMLDialogElement;
  private readonly field: HTMLInputElement;
  private isNamed = false;

  constructor(
    private readonly give: (who: string) => void,
    { title, text, longest } = SEVERAL,
  ) {
    const [id, titleId] = [uniqueId("aew-who"), uniqueId("aew-name-title")]; // a class's page has one of its own
    this.field = element("input", {
      type: "text",
      id,
      autocomplete: "name",
      maxlength: longest,
      required: "",
      spellcheck: "false",
    });
    const form = element(
      "form",
      { method: "dialog", onsubmit: (event) => this.submit(event) },
      element("label", { for: id }, "Your name"),
      this.field,
      element("button", { type: "submit", class: "aew-label aew-main" }, "Start"),
    );
    this.dialog = element(
      "dialog",
      {
        class: "aew-dialog aew-name",
        role: "dialog",
        "aria-modal": "true",
        "aria-labelledby": titleId,
        "data-aew": "name",
        oncancel: (event: Event) => {
          if (!this.isNamed) event.preventDefault(); // without a name nothing can be labeled
        },
      },
      element("h2", { id: titleId }, title),
      element("p", {}, text),
      form,
    );
  }

  /** Uses the name that this browser remembers, or asks for one. */
  begin(): void {
    const who = remembered<string>(REMEMBERED, "");
    if (typeof who === "string" && who.trim() !== "") this.take(who);
    else this.open();
  }

  open(suggested = ""): void {
    this.field.value = remembered<string>(REMEMBERED, suggested);
    if (!this.dialog.open) this.dialog.showModal();
    this.field.focus();
    this.field.select();
  }

  private submit(event: Event): void {
    event.preventDefault();
    const who = this.field.value.trim();
    if (who === "") return;
    remember(REMEMBERED, who);
    this.dialog.close();
    this.take(who);
  }

  private take(who: string): void {
    this.isNamed = true;
    this.give(who);
  }
}
