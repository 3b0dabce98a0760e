import { remember, remembered } from "../dom/browser_storage";
import { onceClicked } from "../dom/double_click";
import { element } from "../dom/element";
import { buildTree } from "../dom/safe_tree";
import type { SafeTree } from "../from_python/messages";
import { keyCaps } from "../keys/key_names";

/** The guidelines: a panel above the instance that stays open or closed as the person left it. */
export class Guidelines {
  readonly node: HTMLElement;
  readonly button: HTMLButtonElement;
  isThere = false;
  private readonly text = element("div", { class: "aew-guidelines-text aew-html" });
  private storage = "";

  constructor(act: () => void) {
    this.node = element(
      "section",
      {
        class: "aew-guidelines",
        tabindex: "0",
        role: "region",
        "aria-label": "Guidelines",
        "data-aew": "guidelines",
        hidden: "",
      },
      this.text,
    );
    this.button = element("button", {
      class: "aew-action",
      "data-action": "guidelines",
      hidden: "",
      onclick: onceClicked(act),
    });
  }

  get isOpen(): boolean {
    return !this.node.hidden;
  }

  /** The same guidelines are open or closed in all sessions about the same labels. */
  show(tree: SafeTree | null, scope: string): void {
    this.storage = `activeeval-widgets:guidelines:${scope}`;
    this.isThere = tree !== null;
    this.button.hidden = !this.isThere;
    this.text.replaceChildren(...(tree !== null ? [buildTree(tree)] : []));
    this.node.hidden = !this.isThere || remembered<unknown>(this.storage, false) !== true;
  }

  showKeys(names: string[]): void {
    this.button.replaceChildren(...keyCaps(names), "Guidelines");
  }

  toggle(): void {
    if (!this.isThere) return;
    this.node.hidden = !this.node.hidden;
    remember(this.storage, this.isOpen);
  }
}
