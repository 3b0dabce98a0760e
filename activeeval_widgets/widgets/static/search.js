// Labels that are classes, more of them than there are keys: they are found by typing.

const MOST_SHOWN = 200;
const N_RECENT = 9;

const folded = (text) => text.normalize("NFKD").replace(/\p{Mn}/gu, "").toLowerCase();

// How well a text fits what was typed: it begins with it, a word in it does, or each part begins a word.
function fit(text, typed) {
  if (text.startsWith(typed)) return text === typed ? 0 : 1;
  const words = text.split(/[^\p{L}\p{N}]+/u);
  if (words.some((word) => word.startsWith(typed))) return 2;
  const parts = typed.split(/\s+/).filter(Boolean);
  return parts.length > 0 && parts.every((part) => words.some((word) => word.startsWith(part))) ? 3 : null;
}

class SearchedLabels {
  constructor({ choices }, keys, give) {
    this.texts = choices.map(({ text }) => text);
    this.plain = this.texts.map(folded);
    this.keys = keys;
    this.give = give;
    this.isEnabled = false;
    this.recent = []; // positions of labels, the last one given first
    this.found = [];
    this.active = 0; // position in `found`

    this.recentButtons = Array.from({ length: N_RECENT }, (_, k) =>
      element("button", { type: "button", class: "aew-recent", hidden: "", onclick: onceClicked(() => this.label(this.recent[k])) }));
    this.field = element("input", {
      type: "text", class: "aew-search", role: "combobox", autocomplete: "off", spellcheck: "false",
      "aria-label": "Find a label", "aria-expanded": "true", "aria-controls": "aew-found", "aria-autocomplete": "list",
      placeholder: "Type to find a label", oninput: () => this.filter(), onkeydown: (event) => this.typed(event),
    });
    this.options = choices.map(({ value, text }, i) => element("div", {
      id: `aew-option-${i}`, role: "option", class: "aew-option", "data-aew": "label", "data-value": value,
      "aria-selected": "false", onclick: onceClicked(() => this.label(i)),
    }, text));
    this.list = element("div", { id: "aew-found", class: "aew-found", role: "listbox", "aria-label": "Labels" });
    this.none = element("p", { class: "aew-hint", hidden: "" }, "No label matches.");
    this.node = element("div", { class: "aew-searched" },
      element("div", { class: "aew-recents", role: "group", "aria-label": "Recent labels" }, ...this.recentButtons),
      this.field, this.list, this.none);
    this.filter();
  }

  show(_content, previous) {
    this.options.forEach((option, i) => option.classList.toggle("aew-given", i === previous));
  }

  setEnabled(isEnabled) {
    if (this.isEnabled === isEnabled) return;
    this.isEnabled = isEnabled;
    for (const button of this.recentButtons) button.disabled = !isEnabled;
    this.list.setAttribute("aria-disabled", String(!isEnabled));
  }

  // A key outside of the field: a digit repeats a recent label, a letter begins a search.
  press(event) {
    const name = keyNames(event)[0];
    if (/^[1-9]$/.test(name) && this.recent.length >= Number(name)) {
      if (!event.repeat) this.label(this.recent[Number(name) - 1]);
      return true;
    }
    if (event.key.length > 1 || !/[\p{L}\p{N}]/u.test(event.key) || this.keys.meaningOf(event) !== null) return false;
    this.field.focus({ preventScroll: true });
    this.field.value += event.key;
    this.filter();
    return true;
  }

  typed(event) {
    if (isForeign(event)) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      this.activate(this.active + step);
    } else if (event.key === "Enter") {
      if (!event.repeat && this.found.length > 0) this.label(this.found[this.active]);
    } else if (event.key === "Escape" || (event.key === "Backspace" && this.field.value === "" && !event.repeat)) {
      this.leave();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  filter() {
    const typed = folded(this.field.value.trim());
    const fits = this.plain.map((text) => (typed === "" ? 1 : fit(text, typed)));
    const age = (i) => (typed === "" ? 0 : this.recent.indexOf(i) + 1 || N_RECENT + 1);
    this.found = fits.flatMap((fitting, i) => (fitting === null ? [] : [i]))
      .sort((i, j) => (fits[i] !== 0) - (fits[j] !== 0) || age(i) - age(j) || fits[i] - fits[j] || i - j);
    this.list.replaceChildren(...this.found.slice(0, MOST_SHOWN).map((i) => this.options[i]));
    this.none.hidden = this.found.length > 0;
    this.list.hidden = this.found.length === 0;
    this.activate(0);
  }

  activate(position) {
    this.selected?.setAttribute("aria-selected", "false");
    const last = Math.min(this.found.length, MOST_SHOWN) - 1;
    this.active = Math.max(0, Math.min(position, last));
    const option = this.options[this.found[this.active]];
    if (option === undefined || this.field.value === "") {
      this.field.removeAttribute("aria-activedescendant");
      if (this.field.value === "" && position === 0) return;
    }
    if (option === undefined) return;
    this.selected = option;
    option.setAttribute("aria-selected", "true");
    this.field.setAttribute("aria-activedescendant", option.id);
    // Not scrollIntoView: that would move the page, too.
    const { offsetTop, offsetHeight } = option;
    if (offsetTop < this.list.scrollTop) this.list.scrollTop = offsetTop;
    else if (offsetTop + offsetHeight > this.list.scrollTop + this.list.clientHeight) {
      this.list.scrollTop = offsetTop + offsetHeight - this.list.clientHeight;
    }
  }

  label(i) {
    if (!this.give(i, this.texts[i])) return;
    this.recent = [i, ...this.recent.filter((j) => j !== i)].slice(0, N_RECENT);
    this.recentButtons.forEach((button, k) => {
      button.hidden = k >= this.recent.length;
      if (!button.hidden) button.replaceChildren(key(String(k + 1)), element("span", {}, this.texts[this.recent[k]]));
    });
    flash(this.recentButtons[0]);
    this.leave();
  }

  leave() {
    const hadFocus = this.node.contains(document.activeElement);
    if (this.field.value !== "") {
      this.field.value = "";
      this.filter();
    }
    if (hadFocus) this.node.closest("[data-aew=app]")?.focus({ preventScroll: true });
  }

  showKeys() {}

  help() {
    return [
      [["letters"], "find a label; ↑ ↓ choose, Enter labels, Esc leaves"],
      [[key("1"), " – ", key("9")], "a recent label again"],
    ];
  }
}
