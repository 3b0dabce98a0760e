// Which keys act, and when they must not.

const isTextField = (element) =>
  element instanceof HTMLElement &&
  (element.isContentEditable || element.matches("input:not([type=checkbox], [type=range]), textarea, select, [role=textbox]"));

// The names by which a keydown may be known, the exact one first.
function keyNames(event) {
  if (event.key.length > 1) return [event.key];
  const key = event.key.toLowerCase();
  return event.shiftKey && key !== key.toUpperCase() ? [`Shift+${key}`, key] : [key];
}

// A key that is meant for something else: the browser, the system, or an input method.
const isForeign = (event) => event.ctrlKey || event.metaKey || event.altKey || event.isComposing;

const NAMES_OF_KEYS = {
  ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→", Escape: "Esc", " ": "Space", "-": "−",
};

// A key as it is written on buttons.
function shownKey(name) {
  const [last, shift] = name.startsWith("Shift+") ? [name.slice(6), "⇧"] : [name, ""];
  return shift + (NAMES_OF_KEYS[last] ?? (last.length === 1 ? last.toUpperCase() : last));
}

// The keys of labels and actions: those that Python proposes, and those that the person has put in their place.
class KeyMap {
  constructor({ scope, labels, actions, taken }) {
    this.storage = `activeeval-widgets:keys:${scope}`;
    this.taken = new Set(taken); // by the label's controls
    this.proposed = { label: labels.map(({ keys }) => keys), action: actions };
    this.texts = labels.map(({ text }) => text);
    this.own = remembered(this.storage, {}); // "label 0" or "action undo" -> key
    const keys = this.ids().flatMap((id) => this.keysOf(id));
    // What was kept for labels that have changed meanwhile may no longer fit together.
    if (keys.some((key) => typeof key !== "string") || new Set(keys).size < keys.length) this.own = {};
  }

  proposedKeys(id) {
    const [kind, name] = id.split(" ");
    return kind in this.proposed ? this.proposed[kind][name] : undefined;
  }

  ids() {
    return Object.entries(this.proposed).flatMap(([kind, all]) => Object.keys(all).map((name) => `${kind} ${name}`));
  }

  // A key of one's own takes the place of the first; keys that no other can have stay.
  keysOf(id) {
    const proposed = this.proposedKeys(id) ?? [];
    if (!(id in this.own)) return proposed;
    return [this.own[id], ...proposed.filter((key) => key === "Backspace")];
  }

  // Who has a key, or null.
  holder(key, except = null) {
    return this.ids().find((id) => id !== except && this.keysOf(id).includes(key)) ?? null;
  }

  // Whether a key is one that the label's controls need, other than for labels.
  isTaken(key, id) {
    return this.taken.has(key) && !(this.proposedKeys(id) ?? []).includes(key);
  }

  // What a keydown stands for: { label } or { action }, or null where the key is not ours.
  meaningOf(event) {
    for (const name of keyNames(event)) {
      const id = this.holder(name);
      if (id === null) continue;
      const [kind, which] = id.split(" ");
      return kind === "label" ? { label: Number(which) } : { action: which };
    }
    return null;
  }

  change(id, key) {
    this.own[id] = key;
    remember(this.storage, this.own);
  }

  reset() {
    this.own = {};
    remember(this.storage, this.own);
  }
}
