// A note on the instance that is shown: a field that takes the keys until Enter saves it or Esc leaves it.

class NoteField {
  constructor({ save, leave }) {
    this.save = save;
    this.leave = leave;
    this.about = null; // what is written about: the field may still be open when the next instance is shown
    this.field = element("textarea", { rows: "2", class: "aew-note-text", "data-aew": "note", maxlength: "10000" });
    this.label = element("label", {}, element("span", {}, "Note"), this.field);
    this.node = element("div", { class: "aew-note-field", hidden: "", onkeydown: (event) => this.pressed(event) }, this.label,
      element("button", { type: "button", class: "aew-action", onclick: () => this.close(true) }, key("Enter"), "Save note"),
      element("button", { type: "button", class: "aew-action", onclick: () => this.close(false) }, key("Esc"), "Cancel"));
  }

  get isOpen() {
    return this.about !== null;
  }

  open(about, text) {
    this.about = about;
    this.field.value = text;
    this.field.setAttribute("aria-label", `Note on ${about.id}`);
    this.node.hidden = false;
    this.field.focus({ preventScroll: true });
    this.field.setSelectionRange(text.length, text.length);
  }

  close(isSaved) {
    if (!this.isOpen) return;
    const { about } = this;
    this.about = null;
    this.node.hidden = true;
    if (isSaved) this.save(about, this.field.value.trim());
    this.leave();
  }

  pressed(event) {
    if (event.isComposing || event.target !== this.field) return;
    if (event.key === "Enter" && !event.shiftKey) this.close(true);
    else if (event.key === "Escape") this.close(false);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
