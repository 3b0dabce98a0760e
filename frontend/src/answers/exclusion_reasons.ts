import { makeDialog } from "../dom/dialog";
import { element, keyCap, setText } from "../dom/element";
import { isForeign, isTextField } from "../keys/key_names";
import { folded } from "../labels/text_search";

/** Why an instance is excluded: a listed reason by its number or first letters, a typed one, or none. */
export class ExclusionReasons {
  readonly dialog: HTMLDialogElement;
  private readonly list = element("div", { class: "aew-reasons" });
  private readonly what = element("span");
  private readonly field = element("input", {
    type: "text",
    "aria-label": "Another reason",
    placeholder: "Type to find a reason or to add one",
    maxlength: "500",
    oninput: () => this.find(),
  });
  private reasons: string[] = [];
  private found: string | null = null; // the reason that begins with the typed text

  constructor(private readonly exclude: (reason: string) => void) {
    const submit = () => this.done(this.found ?? this.field.value.trim());
    // Not a form, because JupyterLab prevents Enter from submitting one.
    const other = element(
      "div",
      { class: "aew-reason-other" },
      this.field,
      element("button", { class: "aew-label aew-quiet", onclick: submit }, keyCap("Enter"), this.what),
    );
    this.field.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.isComposing || event.repeat) return;
      event.preventDefault();
      submit();
    });
    this.dialog = makeDialog(
      "exclude_because",
      "Why can't it be labeled?",
      element("p", {}, "Exclude by what an instance is, never by what came before: the interval relies on it."),
      this.list,
      other,
    );
    this.dialog.addEventListener("keydown", (event) => this.pressed(event));
  }

  setReasons(reasons: string[]): void {
    this.reasons = reasons;
    this.list.replaceChildren(
      ...reasons.map((reason, i) =>
        element(
          "button",
          { class: "aew-label aew-quiet", onclick: () => this.done(reason) },
          ...(i < 9 ? [keyCap(String(i + 1))] : []),
          element("span", {}, reason),
        ),
      ),
    );
  }

  open(): void {
    this.field.value = "";
    this.find();
    this.dialog.showModal();
    const first = this.list.firstElementChild;
    (first instanceof HTMLElement ? first : this.field).focus();
  }

  private find(): void {
    const typed = folded(this.field.value.trim());
    this.found = typed === "" ? null : (this.reasons.find((reason) => folded(reason).startsWith(typed)) ?? null);
    [...this.list.children].forEach((button, i) => {
      button.toggleAttribute("data-found", this.reasons[i] === this.found);
    });
    const asTyped = this.field.value.trim() !== "" ? "Exclude: as typed" : "Exclude";
    setText(this.what, this.found !== null ? `Exclude: ${this.found}` : asTyped);
  }

  private done(reason: string): void {
    this.dialog.close();
    this.exclude(reason);
  }

  private pressed(event: KeyboardEvent): void {
    if (isForeign(event) || event.repeat || isTextField(event.target)) return;
    const chosen = /^[1-9]$/.test(event.key) ? this.reasons[Number(event.key) - 1] : undefined;
    if (chosen !== undefined) {
      this.done(chosen);
    } else if (event.key.length === 1 && event.key !== " ") {
      // Typed text is a reason, wherever the focus is.
      this.field.focus();
      this.field.value += event.key;
      this.find();
    } else return;
    event.preventDefault();
  }
}
