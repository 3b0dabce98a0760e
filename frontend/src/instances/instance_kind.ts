// What every kind of instance provides, and may use.

import { element } from "../dom/element";
import type { InstanceInfo } from "../from_python/messages";
import type { ImageTools } from "./image_tools";

/** What builders may use. */
interface BuildTools {
  /** An address for some bytes, as long as the instance is kept. */
  addUrl: (bytes: Blob) => string;
  tools: ImageTools;
  /** Makes an element of a tag, attributes and children. */
  element: typeof element;
}

export interface InstanceKind {
  /** Whether instances of a type, as Python names it, are of this kind. */
  shows: (mime: string) => boolean;
  /** Builds the content, ready to be painted at once. Errors are shown instead of the instance. */
  build: (info: InstanceInfo, bytes: DataView, use: BuildTools) => Promise<HTMLElement>;
}

/** A frame for content of any height. Focusable, so that it can be scrolled by keys. */
export function scroller(description: string, content: HTMLElement): HTMLElement {
  return element("div", { class: "aew-scroll", tabindex: "0", role: "group", "aria-label": description }, content);
}
