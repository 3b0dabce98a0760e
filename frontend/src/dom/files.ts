// Files to save, and the clipboard.

import type { SavedFile } from "../from_python/messages";
import { element } from "./element";

const KEPT_FOR = 10_000; // ms, within which a browser starts to read what it saves

export const saveFile = ({ name, type, text }: SavedFile): void =>
  saveBlob(name, new Blob([text], { type: `${type};charset=utf-8` }));

export function saveBlob(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  element("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_FOR);
}

/** Copies a text. Without the permission of a secure context, a hidden field is used. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = element("textarea", { class: "aew-visually-hidden" });
    field.value = text;
    document.body.append(field);
    field.select();
    const isCopied = document.execCommand("copy");
    field.remove();
    if (!isCopied) throw new Error("the browser does not let the page copy");
  }
}
