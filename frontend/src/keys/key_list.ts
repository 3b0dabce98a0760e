import { makeDialog } from "../dom/dialog";
import { type Child, element, setText } from "../dom/element";
import type { ActionConfig, ActionName } from "../from_python/messages";
import type { KeyMap } from "./key_map";
import { type KeyHelp, keyCaps } from "./key_names";

/** The list of all keys, with buttons for what has no button elsewhere. */
export class KeyList {
  readonly dialog: HTMLDialogElement;
  private readonly rows = element("div", { class: "aew-help-rows" });
  private readonly where = element("p", { class: "aew-hint" });

  constructor(private readonly act: (name: ActionName) => void) {
    this.dialog = makeDialog("help", "Keys", this.rows, this.where);
  }

  show(others: KeyHelp[], actions: ActionConfig[], keys: KeyMap, sessionText: string): void {
    const row = (caps: Child[], meaning: Child) =>
      element("p", {}, element("span", {}, ...caps), element("span", {}, meaning));
    setText(this.where, sessionText);
    this.rows.replaceChildren(
      ...others.map(([caps, meaning]) => row(caps, meaning)),
      ...actions.map((action) => row(keyCaps(keys.keysOf(`action ${action.name}`)), this.meaning(action))),
    );
  }

  private meaning({ name, meaning, is_rare }: ActionConfig): Child {
    if (!is_rare) return meaning;
    const go = () => {
      this.dialog.close();
      this.act(name);
    };
    return element("button", { class: "aew-action aew-go", "data-action": name, onclick: go }, meaning);
  }
}
