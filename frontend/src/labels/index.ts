// The controls of each kind of label. A new kind needs a file, and a line here.

import type { LabelsConfig, LabelValue } from "../from_python/messages";
import type { KeyMap } from "../keys/key_map";
import type { KeyHelp } from "../keys/key_names";
import { ClassLabels } from "./class_labels";
import { GradeLabels } from "./grade_labels";
import { NumberLabels } from "./number_labels";
import { SearchedLabels } from "./searched_labels";

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

type Builders = {
  [K in LabelsConfig["kind"]]: (config: Extract<LabelsConfig, { kind: K }>, keys: KeyMap, give: Give) => LabelControls;
};

const BUILDERS: Builders = {
  class: (config, keys, give) => new (config.is_searched ? SearchedLabels : ClassLabels)(config, keys, give),
  number: (config, keys, give) => new NumberLabels(config, keys, give),
  grades: (config, keys, give) => new GradeLabels(config, keys, give),
};

export function makeLabels<K extends LabelsConfig["kind"]>(
  config: Extract<LabelsConfig, { kind: K }>,
  keys: KeyMap,
  give: Give,
): LabelControls {
  const build: Builders[K] = BUILDERS[config.kind as K];
  return build(config, keys, give);
}
