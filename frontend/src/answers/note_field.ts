import { element, keyCap } from "../dom/element";
import { takeKey } from "../keys/key_names";

/** The subject of a note. */
interface Noted {
  index: number;
  id: string;
}

interface Callbacks {
  save: (about: Noted, text: string) => void;
  leave: () => void;
}

/** A note on the shown instance: a field that has the keys until Enter saves it or Esc leaves it. */
export class NoteField {
  readonly node: HTMLElement;
  private readonly field = element("textarea", {
    rows: "2",
    class: "aew-note-text",
    "data-aew": "note",
    maxlength: "10000",
  });
  private about: Noted | null = null; // the field may still be open when the next instance is shown

  constructor(private readonly callbacks: Callbacks) {
    const button = (key: string, text: string, isSaved: boolean) =>
      element("button", { class: "aew-action", onclick: () => this.close(isSaved) }, keyCap(key), text);
    this.node = element(
      "div",
      { class: "aew-note-field", hidden: "", onkeydown: (event) => this.pressed(event) },
      element("label", {}, element("span", {}, "Note"), this.field),
      button("Enter", "Save note", true),
      button("Esc", "Cancel", false),
    );
  }

  open(about: Noted, text: string): void {
    this.about = about;
    this.field.value = text;
    this.field.setAttribute("aria-label", `Note on ${about.id}`);
    this.node.hidden = false;
    this.field.focus({ preventScroll: true });
    this.field.setSelectionRange(text.length, text.length);
  }

  private close(isSaved: boolean): void {
    const { about } = this;
    if (about === null) return;
    this.about = null;
    this.node.hidden = true;
    if (isSaved) this.callbacks.save(about, this.field.value.trim());
    this.callbacks.leave();
  }

  private pressed(event: KeyboardEvent): void {
    if (event.isComposing || event.target !== this.field) return;
    if (event.key === "Enter" && !event.shiftKey) this.close(true);
    else if (event.key === "Escape") this.close(false);
    else return;
    takeKey(event);
  }
}
