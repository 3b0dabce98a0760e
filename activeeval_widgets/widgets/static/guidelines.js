// The guidelines: a panel above the instance that stays as it was left.

class Guidelines {
  constructor() {
    this.text = element("div", { class: "aew-guidelines-text aew-html" });
    this.node = element("section", {
      class: "aew-guidelines", tabindex: "0", role: "region", "aria-label": "Guidelines", "data-aew": "guidelines", hidden: "",
    }, this.text);
    this.button = element("button", { type: "button", class: "aew-action", "data-action": "guidelines", hidden: "" });
  }

  // The same guidelines are open or not in every session about the same labels.
  show(tree, scope) {
    this.storage = `activeeval-widgets:guidelines:${scope}`;
    this.isThere = tree !== null;
    this.button.hidden = !this.isThere;
    this.text.replaceChildren(...(this.isThere ? [buildTree(tree)] : []));
    this.node.hidden = !this.isThere || remembered(this.storage, false) !== true;
  }

  toggle() {
    if (!this.isThere) return;
    this.node.hidden = !this.node.hidden;
    remember(this.storage, !this.node.hidden);
  }
}
