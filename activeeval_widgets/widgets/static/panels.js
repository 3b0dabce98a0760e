// The panels beside the instance: which are shown, in which order, and that the browser remembers it.

const PANELS_KEY = "activeeval-widgets:panels";

// `titles` maps the names of panels to what the dialog calls them. Which panel is where, style sheets say, by
// the root's attributes: plots come into the page when they are ready.
class Panels {
  constructor(titles, { hiddenAtFirst, onChange }) {
    this.titles = titles;
    this.onChange = onChange;
    const kept = remembered(PANELS_KEY, {});
    const names = Object.keys(titles);
    const order = Array.isArray(kept.order) ? kept.order.filter((name) => name in titles) : [];
    this.order = [...order, ...names.filter((name) => !order.includes(name))];
    this.hidden = new Set(Array.isArray(kept.hidden) ? kept.hidden : hiddenAtFirst);
    this.isLabelerView = kept.isLabelerView === true;
    this.showsWald = kept.showsWald === true;
    this.build();
  }

  isShown(name) {
    return !this.hidden.has(name) && !this.isLabelerView;
  }

  build() {
    this.rows = element("div", { class: "aew-panel-rows" });
    const labeler = this.checkbox("Labeler's view: hide the estimate and the plots", this.isLabelerView, (isOn) => {
      this.isLabelerView = isOn;
      this.changed();
    });
    labeler.dataset.panel = "labeler";
    const wald = this.checkbox("Also show the Wald interval (dashed). It is for a number of labels fixed in "
      + "advance: stopping when it looks good makes it too optimistic.", this.showsWald, (isOn) => {
      this.showsWald = isOn;
      this.changed();
    });
    wald.dataset.panel = "wald";
    this.dialog = makeDialog("panels", "View", this.rows, wald, labeler);
    this.buildRows();
  }

  buildRows() {
    this.rows.replaceChildren(...this.order.map((name, i) => {
      const title = this.titles[name];
      const row = this.checkbox(title, !this.hidden.has(name), (isOn) => {
        if (isOn) this.hidden.delete(name);
        else this.hidden.add(name);
        this.changed();
      });
      const move = (step, text) => element("button", {
        type: "button", class: "aew-action", "aria-label": `Move ${title} ${text}`, title: `Move ${text}`,
        "data-move": text, ...(i + step in this.order ? {} : { disabled: "" }),
        onclick: () => this.move(name, step, text),
      }, step < 0 ? "↑" : "↓");
      return element("div", { class: "aew-panel-row", "data-panel": name }, row, move(-1, "up"), move(1, "down"));
    }));
  }

  checkbox(text, isOn, change) {
    const box = element("input", { type: "checkbox", onchange: () => change(box.checked) });
    box.checked = isOn;
    return element("label", {}, box, text);
  }

  move(name, step, text) {
    const from = this.order.indexOf(name);
    this.order.splice(from + step, 0, ...this.order.splice(from, 1));
    this.buildRows();
    const row = this.rows.children[from + step];
    const button = row.querySelector(`[data-move="${text}"]:enabled`) ?? row.querySelector("button:enabled");
    button.focus();
    this.changed();
  }

  // The app itself shows nothing of the estimate: there is nothing to choose.
  keepLabelerView() {
    this.isLabelerView = true;
    this.apply(this.root);
  }

  changed() {
    remember(PANELS_KEY, {
      order: this.order, hidden: [...this.hidden], isLabelerView: this.isLabelerView, showsWald: this.showsWald,
    });
    this.apply(this.root);
    this.onChange();
  }

  apply(root) {
    this.root = root;
    root.dataset.hiddenPanels = [...this.hidden].join(" ");
    root.toggleAttribute("data-labeler-view", this.isLabelerView);
    this.order.forEach((name, i) => root.style.setProperty(`--aew-order-${name}`, i));
  }

  toggle() {
    if (this.dialog.open) this.dialog.close();
    else this.dialog.showModal();
  }
}
