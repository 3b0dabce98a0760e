import { element } from "../dom/element";
import { readTree } from "../dom/safe_tree";
import { type InstanceKind, scroller } from "./instance_kind";

/** Trees of elements: texts, records, ranked lists, pairs, and users' own views. */
export const elements: InstanceKind = {
  shows: () => true,
  async build(info, bytes) {
    const content = scroller(info.description, readTree(bytes));
    const broken = () => element("p", { class: "aew-broken" }, "This image can't be shown.");
    await Promise.all(
      [...content.querySelectorAll("img")].map((image) => image.decode().catch(() => image.replaceWith(broken()))),
    );
    return content;
  },
};
