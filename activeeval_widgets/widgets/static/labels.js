// Labels that are classes: a button and a key for each.
//
// Every kind of label has the same face: `node` is its controls; `show(content, previous)` tells it which
// instance is shown and what label that had; `setEnabled`; `press(event)` acts on a key and says whether it
// did; `showKeys` after keys were changed; `help` lists its keys. It calls `give(value, text)` with a label.

// A listener that leaves out the second click of a double click: that is not meant for the next instance.
function onceClicked(act) {
  let last = -Infinity;
  return (event) => {
    if (event.detail > 1 && event.timeStamp - last < 400) return;
    last = event.timeStamp;
    act(event);
  };
}

function flash(button) {
  button.classList.remove("aew-pressed");
  void button.offsetWidth; // restarts the animation
  button.classList.add("aew-pressed");
}

const keyCaps = (names) => names.map((name) => key(shownKey(name)));

// The buttons of classes or grades.
class ChoiceButtons {
  // `words`, if any, say what each label means.
  constructor(choices, keys, press, words = null) {
    this.choices = choices;
    this.keys = keys;
    this.words = words;
    this.buttons = choices.map((choice, i) => element("button", {
      type: "button", class: "aew-label", "data-aew": "label", "data-value": choice.value,
      onclick: onceClicked(() => press(i)),
    }));
    // Short labels stand in one row, or in two equal ones where there is less room.
    this.isShort = choices.length <= 12 && choices.every((choice) => choice.text.length <= 3) && words === null;
    this.showKeys();
  }

  layOut(node) {
    const n = this.buttons.length;
    node.classList.toggle("aew-short", this.isShort);
    node.classList.toggle("aew-balanced", !this.isShort && n > 6 && n <= 12 && this.choices.every(({ text }) => text.length <= 12));
    node.style.setProperty("--aew-columns", n);
    node.style.setProperty("--aew-half-columns", Math.ceil(n / (n > 6 ? 2 : 1)));
  }

  showKeys() {
    this.buttons.forEach((button, i) => {
      const { text } = this.choices[i];
      const names = this.keys.keysOf(`label ${i}`);
      const isItsText = names.length === 1 && names[0] === text.toLowerCase();
      // One key alone: two beside each other would read as a number. It is no part of the label's name.
      const cap = isItsText ? [] : keyCaps(names.slice(0, 1));
      for (const node of cap) node.setAttribute("aria-hidden", "true");
      button.replaceChildren(...cap, element("span", {}, text),
        ...(this.words ? [" ", element("span", { class: "aew-word" }, this.words[i])] : []));
      if (names.length > 0) button.setAttribute("aria-keyshortcuts", names.join(" "));
      else button.removeAttribute("aria-keyshortcuts");
    });
  }

  mark(i) {
    this.buttons.forEach((button, j) => {
      if (i === j) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    });
  }

  help() {
    const names = this.buttons.flatMap((_, i) => this.keys.keysOf(`label ${i}`).slice(0, 1));
    const isRun = names.length > 3 && names.every((name, i) => i === 0 || name.charCodeAt(0) === names[i - 1].charCodeAt(0) + 1);
    return isRun ? [key(names[0]), " – ", key(names.at(-1))] : keyCaps(names);
  }
}

class ClassLabels {
  constructor({ choices }, keys, give) {
    this.keys = keys;
    this.give = give;
    this.choices = new ChoiceButtons(choices, keys, (i) => this.label(i));
    this.node = element("div", { class: "aew-classes" }, ...this.choices.buttons);
    this.choices.layOut(this.node);
  }

  show(_content, previous) {
    this.choices.mark(previous ?? null);
  }

  setEnabled(isEnabled) {
    for (const button of this.choices.buttons) button.disabled = !isEnabled;
  }

  press(event) {
    const meaning = this.keys.meaningOf(event);
    if (meaning?.label === undefined) return false;
    if (!event.repeat) this.label(meaning.label); // a key that is held down labels once
    return true;
  }

  label(i) {
    if (this.give(i, this.choices.choices[i].text)) flash(this.choices.buttons[i]);
  }

  showKeys() {
    this.choices.showKeys();
  }

  help() {
    return [[this.choices.help(), "label, save and go on"]];
  }
}
