// Labels that are a grade for each result of a ranked list. The list itself is the instance, made by Python:
// `.aew-result` elements with `data-item`. Here they are given a place for their grade, and one is the present one.

class GradeLabels {
  constructor({ grades, words, choices }, keys, give) {
    Object.assign(this, { grades, words, keys, give });
    this.texts = choices.map(({ text }) => text);
    this.isEnabled = false;
    this.items = []; // { name, nodes }: a result may stand in two lists
    this.given = new Map(); // name -> grade, or null: can't be judged
    this.order = []; // names in the order in which they were judged
    this.present = 0;
    this.isForRest = false; // whether the next grade is for all that is not judged

    this.choices = new ChoiceButtons(choices, keys, (i) => this.grade(this.grades[i]), words);
    const button = (name, keyName, text, act) => element("button", {
      type: "button", class: "aew-label aew-quiet", "data-aew": name, onclick: onceClicked(act) }, key(keyName), element("span", {}, text));
    this.skip = button("cannot-judge", "-", "Can't judge", () => this.grade(null));
    this.rest = button("grade-rest", "G", "All the rest", () => this.setForRest(!this.isForRest));
    this.submit = button("submit", "Enter", "Save", () => this.save());
    this.submit.classList.add("aew-submit");
    this.progress = element("p", { class: "aew-hint", "data-aew": "judged" });
    this.said = element("p", { class: "aew-visually-hidden", "aria-live": "polite" });
    const scale = element("div", { class: "aew-classes" }, ...this.choices.buttons);
    this.choices.layOut(scale);
    this.node = element("div", { class: "aew-grades" }, scale,
      element("div", { class: "aew-grade-row" }, this.skip, this.rest, this.submit), this.progress, this.said);
  }

  show(content, previous) {
    const byName = new Map();
    for (const node of content?.querySelectorAll(".aew-result") ?? []) {
      const name = node.dataset.item;
      if (!byName.has(name)) byName.set(name, []);
      byName.get(name).push(node);
      if (!node.querySelector(":scope > .aew-grade")) node.append(element("span", { class: "aew-grade" }));
      node.onclick = () => this.isEnabled && this.moveTo(this.items.findIndex((item) => item.name === name));
    }
    this.items = [...byName].map(([name, nodes]) => ({ name, nodes }));
    this.given = new Map(this.items.filter(({ name }) => previous && name in previous).map(({ name }) => [name, previous[name]]));
    this.order = [...this.given.keys()];
    this.isForRest = false;
    this.items.forEach((_, i) => this.showGrade(i));
    this.moveTo(Math.max(0, this.nextUnjudged(-1)), { isSilent: true });
    this.showProgress();
  }

  setEnabled(isEnabled) {
    if (this.isEnabled === isEnabled) return;
    this.isEnabled = isEnabled;
    for (const button of [...this.choices.buttons, this.skip, this.rest, this.submit]) button.disabled = !isEnabled;
  }

  press(event) {
    if (!this.isEnabled) return false;
    const name = keyNames(event).at(-1);
    const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[name];
    if (step !== undefined) {
      this.moveTo(this.present + step);
      return true;
    }
    // Shift and a digit types a sign, which is another one on each keyboard.
    const digit = event.shiftKey && /^Digit\d$/.test(event.code) ? event.code.at(-1) : null;
    const shifted = digit === null ? -1 : this.grades.findIndex((_, i) => this.keys.keysOf(`label ${i}`).includes(digit));
    const label = shifted >= 0 ? shifted : this.keys.meaningOf(event)?.label;
    const act = label !== undefined ? () => this.grade(this.grades[label], shifted >= 0 || this.isForRest)
      : { "-": () => this.grade(null), g: () => this.setForRest(!this.isForRest), Enter: () => this.save(),
        // Also where nothing is left to take back: one press too many must not undo the label before.
        Backspace: () => this.order.length > 0 && this.takeBack(),
        Escape: this.isForRest ? () => this.setForRest(false) : undefined }[name];
    if (act === undefined) return false;
    if (!event.repeat) act();
    return true;
  }

  grade(grade, isForRest = this.isForRest) {
    if (this.items.length === 0) return;
    const graded = isForRest ? this.items.filter(({ name }) => !this.given.has(name)) : [this.items[this.present]];
    const wasJudged = !isForRest && graded.every(({ name }) => this.given.has(name));
    for (const { name } of graded) {
      this.given.set(name, grade);
      this.order = [...this.order.filter((other) => other !== name), name];
      this.showGrade(this.items.findIndex((item) => item.name === name));
    }
    this.isForRest = false;
    const next = this.nextUnjudged(this.present);
    const what = `${graded.length === 1 ? `Result ${this.present + 1}` : `${graded.length} results`}: ${this.gradeText(grade)}.`;
    if (next >= 0) this.moveTo(next, { before: what });
    else setText(this.said, `${what} All judged; Enter saves.`);
    if (next < 0) this.showPresent();
    // An earlier label that is given anew: all are judged, and yet the next result is up.
    if (next < 0 && wasJudged) this.moveTo(this.present + 1, { before: what });
    this.showProgress();
  }

  takeBack() {
    const name = this.order.pop();
    const i = this.items.findIndex((item) => item.name === name);
    this.given.delete(name);
    this.showGrade(i);
    this.moveTo(i);
    this.showProgress();
  }

  setForRest(isForRest) {
    this.isForRest = isForRest;
    this.rest.setAttribute("aria-pressed", String(isForRest));
    this.showProgress();
  }

  // The first result after a position that has no grade, from the start again where there is none; else -1.
  nextUnjudged(position) {
    const n = this.items.length;
    for (let step = 1; step <= n; step += 1) {
      const i = (position + step + n) % n;
      if (!this.given.has(this.items[i].name)) return i;
    }
    return -1;
  }

  moveTo(position, { before = "", isSilent = false } = {}) {
    this.present = Math.max(0, Math.min(position, this.items.length - 1));
    this.showPresent();
    const item = this.items[this.present];
    if (item === undefined || isSilent) return;
    const grade = this.given.has(item.name) ? `, ${this.gradeText(this.given.get(item.name))}` : "";
    setText(this.said, `${before} Result ${this.present + 1} of ${this.items.length}${grade}.`);
    this.scrollTo(item.nodes[0]);
  }

  showPresent() {
    this.items.forEach(({ nodes }, i) => {
      for (const node of nodes) {
        if (i === this.present) node.setAttribute("aria-current", "true");
        else node.removeAttribute("aria-current");
      }
    });
  }

  // Not scrollIntoView: that would move the page, too.
  scrollTo(node) {
    const box = node.closest(".aew-scroll");
    if (!box) return;
    const [inner, outer] = [node.getBoundingClientRect(), box.getBoundingClientRect()];
    const top = outer.top + (box.querySelector(".aew-query")?.offsetHeight ?? 0); // which stays in sight
    if (inner.top < top || inner.height > outer.bottom - top) box.scrollTop += inner.top - top - 8;
    else if (inner.bottom > outer.bottom) box.scrollTop += inner.bottom - outer.bottom + 8;
  }

  gradeText(grade) {
    if (grade === null) return "can't be judged";
    const i = this.grades.indexOf(grade);
    return this.words && i >= 0 ? `${this.texts[i]} ${this.words[i]}` : `grade ${this.texts[i] ?? grade}`;
  }

  showGrade(i) {
    const { name, nodes } = this.items[i];
    for (const node of nodes) {
      const badge = node.querySelector(":scope > .aew-grade");
      setText(badge, this.given.has(name) ? this.gradeText(this.given.get(name)) : "not judged");
      badge.classList.toggle("aew-given", this.given.has(name));
    }
  }

  unjudged() {
    return this.items.flatMap(({ name }, i) => (this.given.has(name) ? [] : [i + 1]));
  }

  showProgress() {
    const left = this.unjudged();
    this.rest.setAttribute("aria-pressed", String(this.isForRest));
    this.progress.classList.remove("aew-error");
    setText(this.progress, this.isForRest ? `The next grade is for all ${left.length} not judged yet. Esc: for one only.`
      : left.length === 0 ? `All ${this.items.length} judged. Enter saves, Backspace takes back the last grade.`
        : `${this.items.length - left.length} of ${this.items.length} judged. ↑ ↓ move.`);
  }

  save() {
    const left = this.unjudged();
    if (left.length > 0) {
      const named = left.slice(0, 12).join(", ") + (left.length > 12 ? ", …" : "");
      this.moveTo(left[0] - 1);
      setText(this.progress, `Not judged yet: ${left.length === 1 ? "result" : "results"} ${named}.`);
      this.progress.classList.add("aew-error");
      setText(this.said, this.progress.textContent);
      return;
    }
    if (this.items.length > 0 && [...this.given.values()].every((grade) => grade === null)) {
      setText(this.progress, "If nothing can be judged, exclude it instead.");
      this.progress.classList.add("aew-error");
      setText(this.said, this.progress.textContent);
      return;
    }
    const texts = this.items.map(({ name }) => this.given.get(name) ?? "–").join(" ");
    if (this.give(Object.fromEntries(this.given), texts)) flash(this.submit);
  }

  showKeys() {
    this.choices.showKeys();
  }

  help() {
    return [
      [this.choices.help(), "grade, and go to the next result"],
      [[key("↑"), key("↓")], "move; K and J, too"],
      [[key("G")], "the next grade is for all that are not judged; Shift and the digit does it at once"],
      [[key("-")], "can't be judged; a note may say why"],
      [[key("Backspace")], "take back the last grade"],
      [[key("Enter")], "save all and go on"],
    ];
  }
}
