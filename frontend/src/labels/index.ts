// The controls of each kind of label. A new kind needs a file, and a line here.

import type { LabelsConfig } from "../from_python/messages";
import type { KeyMap } from "../keys/key_map";
import { ClassLabels } from "./class_labels";
import { GradeLabels } from "./grade_labels";
import type { Give, LabelControls } from "./label_controls";
import { NumberLabels } from "./number_labels";
import { SearchedLabels } from "./searched_labels";

type Builders = {
  [K in LabelsConfig["kind"]]: (config: Extract<LabelsConfig, { kind: K }>, keys: KeyMap, give: Give) => LabelControls;
};

const BUILDERS: Builders = {
  class: (config, keys, give) => new (config.is_searched ? SearchedLabels : ClassLabels)(config, keys, give),
  number: (config, _keys, give) => new NumberLabels(config, give),
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
