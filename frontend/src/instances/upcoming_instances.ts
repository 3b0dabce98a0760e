// The coming instances, fetched, built and decoded in advance, so that showing the next one needs no round trip.

import { element } from "../dom/element";
import { importModule } from "../dom/python_module";
import { brokenContent, readTree } from "../dom/safe_tree";
import { focusedFrom } from "../dom/surroundings";
import type { AskMore, InstanceInfo, MoreText } from "../from_python/messages";
import type { KeyMap } from "../keys/key_map";
import { isPress, isTextField, type KeyHelp, keyCaps, targetOf } from "../keys/key_names";
import { ImageTools } from "./image_tools";
import { kindOf } from "./index";
import { type InstanceKind, scroller } from "./instance_kind";
import { LongTexts } from "./long_texts";

const KEPT = 64;
const LINE = 48; // px per arrow key

interface Callbacks {
  onReady: () => void;
  askForMore: (what: AskMore) => void;
}

export class UpcomingInstances {
  /** By index, once it can be painted at once. */
  readonly elements = new Map<number, HTMLElement>();
  /** The requested indices. */
  readonly wanted = new Set<number>();
  readonly tools = new ImageTools();
  readonly texts = new LongTexts();
  readonly slot = element("div", { class: "aew-slot" });
  /** In bytes. */
  meanSize = 0;
  private readonly urls = new Map<number, string[]>();
  /** Kinds from outside this package, by their modules' text. */
  private readonly outside = new Map<string, Promise<InstanceKind>>();
  private isClosed = false;

  constructor(private readonly callbacks: Callbacks) {}

  isReady(index: number): boolean {
    return this.elements.has(index);
  }

  want(indices: number[]): void {
    for (const index of indices) if (!this.elements.has(index)) this.wanted.add(index);
  }

  /** Which coming instances to request, with no more than `atOnce` under way. */
  missing(queue: { index: number }[], atOnce: number): number[] {
    return queue
      .map((drawn) => drawn.index)
      .filter((index) => !this.elements.has(index) && !this.wanted.has(index))
      .slice(0, Math.max(0, atOnce - this.wanted.size));
  }

  /** Lets modules from outside this package build instances, too. */
  use(sources: readonly string[]): void {
    for (const source of sources) {
      if (this.outside.has(source)) continue;
      const kind = importModule<InstanceKind>(source);
      kind.catch(() => {}); // shown instead of each instance
      this.outside.set(source, kind);
    }
  }

  async add(info: InstanceInfo, bytes: DataView): Promise<void> {
    const { index } = info;
    this.meanSize = this.meanSize === 0 ? bytes.byteLength : 0.9 * this.meanSize + 0.1 * bytes.byteLength;
    let content: HTMLElement;
    try {
      const addUrl = (blob: Blob) => this.addUrl(index, blob);
      const kind = kindOf(info.mime, await Promise.all(this.outside.values()));
      content = await kind.build(info, bytes, { addUrl, tools: this.tools, element });
      this.texts.prepare(content);
      for (const part of this.partsOf(content)) this.offerMore(part, index);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      content = scroller(info.description, brokenContent(info.description, `The browser says: ${reason}`));
    }
    if (this.isClosed) return;
    this.elements.set(index, content);
    this.wanted.delete(index);
    this.forgetOldest();
    this.callbacks.onReady();
  }

  addMore({ index, passage }: MoreText, bytes: DataView): void {
    const content = this.elements.get(index);
    const found = this.partsOf(content).map((part) => part.querySelector(`p.aew-cut[data-passage="${passage}"]`));
    const cut = found.find((each) => each !== null);
    const place = cut?.parentElement;
    if (!content || !cut || !place) return;
    const focused = focusedFrom(cut);
    const hadFocus = cut.contains(focused) || focused === document.body;
    cut.replaceWith(...readTree(bytes).children);
    this.offerMore(place, index);
    if (hadFocus && content.isConnected) content.focus({ preventScroll: true });
  }

  /** Shows an instance, or a message instead. The focus stays in the app if it was in the removed instance. */
  show(content: HTMLElement): void {
    if (this.slot.firstChild === content) return;
    const focused = focusedFrom(this.slot);
    const hadFocus = this.slot.contains(focused) || this.texts.panel.contains(focused);
    this.slot.replaceChildren(content);
    content.scrollTop = 0;
    content.scrollLeft = 0;
    this.tools.show(content);
    this.texts.show(content);
    if (hadFocus) this.slot.closest<HTMLElement>(".aew-app")?.focus({ preventScroll: true });
  }

  /** Keys that labels and actions do not use scroll or zoom the instance. Returns whether this was one. */
  onKey(event: KeyboardEvent): boolean {
    const target = targetOf(event);
    if (isTextField(target) || isPress(event, target)) return false;
    if (this.tools.onKey(event) || this.texts.onKey(event)) return true;
    const shown = this.slot.firstElementChild;
    if (!shown?.matches(".aew-scroll")) return false;
    const page = 0.9 * shown.clientHeight;
    const steps: Record<string, number> = {
      ArrowDown: LINE,
      ArrowUp: -LINE,
      PageDown: page,
      PageUp: -page,
      " ": event.shiftKey ? -page : page,
      Home: -shown.scrollHeight,
      End: shown.scrollHeight,
    };
    if (!(event.key in steps)) return false;
    const before = shown.scrollTop;
    shown.scrollTop += steps[event.key];
    return shown.scrollTop !== before; // at its end, the page may scroll
  }

  /** Its keys for the list of keys: those that labels and actions do not use. */
  help(keys: KeyMap): KeyHelp[] {
    const rows: [string[], string][] = this.tools.isInUse
      ? [
          [["+", "-"], "zoom in, zoom out"],
          [["0"], "show the whole image"],
          [["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"], "move the zoomed image"],
        ]
      : [[["PageUp", "PageDown", " "], "scroll"], ...this.texts.help(keys)];
    return rows
      .map(([names, meaning]): [string[], string] => [names.filter((name) => keys.isFree(name)), meaning])
      .filter(([names]) => names.length > 0)
      .map(([names, meaning]) => [keyCaps(names), meaning]);
  }

  close(): void {
    this.isClosed = true;
    for (const index of [...this.urls.keys()]) this.revoke(index);
  }

  private partsOf(content: Element | undefined): Element[] {
    if (content === undefined) return [];
    const aside = this.texts.asideOf(content);
    return aside === null ? [content] : [content, aside];
  }

  // Long texts are cut; each has a button that fetches the next part.
  private offerMore(content: Element, index: number): void {
    for (const cut of content.querySelectorAll<HTMLElement>("p.aew-cut[data-next]")) {
      if (cut.querySelector("button")) continue;
      const { passage, next } = cut.dataset;
      const button = element("button", { class: "aew-action" }, "Show more");
      button.addEventListener("click", () => {
        button.disabled = true;
        this.callbacks.askForMore({ index, passage: Number(passage), start: Number(next) });
      });
      cut.append(" ", button);
    }
  }

  private addUrl(index: number, bytes: Blob): string {
    const url = URL.createObjectURL(bytes);
    this.urls.set(index, [...(this.urls.get(index) ?? []), url]);
    return url;
  }

  private revoke(index: number): void {
    for (const url of this.urls.get(index) ?? []) URL.revokeObjectURL(url);
    this.urls.delete(index);
  }

  private forgetOldest(): void {
    for (const index of this.elements.keys()) {
      if (this.elements.size <= KEPT) return;
      this.elements.delete(index);
      this.revoke(index);
    }
  }
}
