// How kinds of instances are shown. A new kind needs a file, and a line here.

import { elements } from "./elements";
import type { InstanceKind } from "./instance_kind";
import { picture } from "./picture";

/** The first that shows a type of instance is used; the last shows every type. */
const KINDS: readonly InstanceKind[] = [picture, elements];

/** The kind that shows a type: one from outside this package, or a built-in one. */
export function kindOf(mime: string, outside: readonly InstanceKind[]): InstanceKind {
  return [...outside, ...KINDS].find((kind) => kind.shows(mime)) ?? elements;
}
