import { remember, remembered } from "../dom/browser_storage";
import type { KeysConfig } from "../from_python/messages";
import { keyNames } from "./key_names";

type Meaning = { label: number; action?: undefined } | { action: string; label?: undefined };

/** The keys of labels and actions: those that Python proposes, and those that the person has chosen instead. */
export class KeyMap {
  readonly texts: string[];
  readonly taken: Set<string>; // by the label's controls
  private readonly storage: string;
  private readonly proposed: Map<string, readonly string[]>; // by "label 0" or "action undo"
  private own: Record<string, string>;

  constructor({ scope, labels, actions, taken }: KeysConfig) {
    this.storage = `activeeval-widgets:keys:${scope}`;
    this.taken = new Set(taken);
    this.proposed = new Map([
      ...labels.map(({ keys }, i) => [`label ${i}`, keys] as const),
      ...Object.entries(actions).map(([name, keys]) => [`action ${name}`, keys] as const),
    ]);
    this.texts = labels.map(({ text }) => text);
    this.own = remembered(this.storage, {});
    const keys = this.ids().flatMap((id) => this.keysOf(id));
    // Stored keys may conflict if labels have changed meanwhile.
    if (keys.some((key) => typeof key !== "string") || new Set(keys).size < keys.length) this.own = {};
  }

  private ids(): string[] {
    return [...this.proposed.keys()];
  }

  /** The keys of "label 0" or "action undo". A chosen key replaces the first; keys without alternatives stay. */
  keysOf(id: string): string[] {
    const proposed = this.proposed.get(id) ?? [];
    if (!Object.hasOwn(this.own, id)) return [...proposed];
    return [this.own[id], ...proposed.filter((key) => key === "Backspace")];
  }

  /** What has a key, or null. */
  holder(key: string, except: string | null = null): string | null {
    return this.ids().find((id) => id !== except && this.keysOf(id).includes(key)) ?? null;
  }

  /** Whether neither labels nor actions use a key. */
  isFree(key: string): boolean {
    return this.holder(key) === null && !this.taken.has(key);
  }

  /** Whether the label's controls need a key for something other than labels. */
  isTaken(key: string, id: string): boolean {
    return this.taken.has(key) && !(this.proposed.get(id) ?? []).includes(key);
  }

  /** The meaning of a keydown, or null if the key is not used. */
  meaningOf(event: Pick<KeyboardEvent, "key" | "shiftKey">): Meaning | null {
    for (const name of keyNames(event)) {
      const id = this.holder(name);
      if (id === null) continue;
      const [kind, which] = id.split(" ");
      return kind === "label" ? { label: Number(which) } : { action: which };
    }
    return null;
  }

  change(id: string, key: string): void {
    this.own[id] = key;
    remember(this.storage, this.own);
  }

  reset(): void {
    this.own = {};
    remember(this.storage, this.own);
  }
}
