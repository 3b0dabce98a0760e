// What every kind of label provides.

import type { LabelValue } from "../from_python/messages";
import type { KeyHelp } from "../keys/key_names";

/** Gives the current instance a label, which is `text` in words. Returns whether it could be given. */
export type Give = (value: LabelValue, text: string) => boolean;

/** The interface of every kind of label. */
export interface LabelControls {
  readonly node: HTMLElement;
  /** Sets the shown instance, and its earlier label. */
  show(content: HTMLElement | null, previous: LabelValue | undefined): void;
  setEnabled(isEnabled: boolean): void;
  /** Acts on a key, and returns whether it did. */
  press(event: KeyboardEvent): boolean;
  /** Keys were changed. */
  showKeys(): void;
  /** Its keys, for the list of keys. */
  help(): KeyHelp[];
}
