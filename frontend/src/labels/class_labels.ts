import { element } from "../dom/element";
import type { ClassConfig, LabelValue } from "../from_python/messages";
import type { KeyMap } from "../keys/key_map";
import type { KeyHelp } from "../keys/key_names";
import { ChoiceButtons, flash } from "./choice_buttons";
import type { Give, LabelControls } from "./label_controls";

/** Labels that are classes: a button and a key for each. */
export class ClassLabels implements LabelControls {
  readonly node: HTMLElement;
  private readonly choices: ChoiceButtons;

  constructor(
    { choices }: ClassConfig,
    private readonly keys: KeyMap,
    private readonly give: Give,
  ) {
    this.choices = new ChoiceButtons(choices, keys, (i) => this.label(i));
    this.node = element("div", { class: "aew-classes" }, ...this.choices.buttons);
    this.choices.layOut(this.node);
  }

  show(_content: HTMLElement | null, previous: LabelValue | undefined): void {
    this.choices.mark(previous);
  }

  setEnabled(isEnabled: boolean): void {
    for (const button of this.choices.buttons) button.disabled = !isEnabled;
  }

  press(event: KeyboardEvent): boolean {
    const label = this.keys.meaningOf(event)?.label;
    if (label === undefined) return false;
    if (!event.repeat) this.label(label); // a held key labels once
    return true;
  }

  showKeys(): void {
    this.choices.showKeys();
  }

  help(): KeyHelp[] {
    return [[this.choices.help(), "label, save and go on"]];
  }

  private label(i: number): void {
    if (this.give(i, this.choices.choices[i].text)) flash(this.choices.buttons[i]);
  }
}
