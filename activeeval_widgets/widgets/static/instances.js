// The instances that are coming, fetched, built and decoded ahead, so that showing the next one needs no round trip.

const KEPT = 64;
const LINE = 48; // px that an arrow key scrolls

class Instances {
  constructor({ onReady, askForMore }) {
    this.elements = new Map(); // index -> element, once it can be painted at once
    this.urls = new Map();
    this.wanted = new Set();
    this.meanSize = 0; // bytes
    this.onReady = onReady;
    this.askForMore = askForMore;
    this.tools = new ImageTools();
    this.slot = element("div", { class: "aew-slot" });
  }

  // Which of the coming instances must still be asked for, where no more than `atOnce` are to be under way.
  missing(queue, atOnce) {
    const indices = queue.map((drawn) => drawn.index);
    return indices
      .filter((index) => !this.elements.has(index) && !this.wanted.has(index))
      .slice(0, Math.max(0, atOnce - this.wanted.size));
  }

  async add(instance, bytes) {
    this.meanSize = this.meanSize === 0 ? bytes.byteLength : 0.9 * this.meanSize + 0.1 * bytes.byteLength;
    let content;
    try {
      content = await (instance.mime.startsWith("image/") ? this.picture(instance, bytes) : this.tree(instance, bytes));
    } catch (error) {
      content = this.scroller(instance, brokenContent(instance.description, `The browser says: ${error.message}`));
    }
    this.elements.set(instance.index, content);
    this.wanted.delete(instance.index);
    this.forgetOldest();
    this.onReady();
  }

  async picture(instance, bytes) {
    const url = URL.createObjectURL(new Blob([bytes], { type: instance.mime }));
    this.urls.set(instance.index, url);
    const image = new Image();
    image.src = url;
    image.alt = instance.description;
    image.draggable = false;
    await image.decode();
    return this.tools.makeStage(image, instance);
  }

  async tree(instance, bytes) {
    const content = this.scroller(instance, readTree(bytes));
    await Promise.all([...content.querySelectorAll("img")].map((image) =>
      image.decode().catch(() => image.replaceWith(element("p", { class: "aew-broken" }, "This image can't be shown.")))));
    this.offerMore(content, instance.index);
    return content;
  }

  // Focusable, so that it can be scrolled by keys alone.
  scroller(instance, content) {
    return element("div", { class: "aew-scroll", tabindex: "0", role: "group", "aria-label": instance.description },
      content);
  }

  // Long texts are cut; each has a button that fetches the next part.
  offerMore(content, index) {
    for (const cut of content.querySelectorAll("p.aew-cut[data-next]")) {
      if (cut.querySelector("button")) continue;
      const { passage, next } = cut.dataset;
      const button = element("button", { type: "button", class: "aew-action" }, "Show more");
      button.addEventListener("click", () => {
        button.disabled = true;
        this.askForMore({ index, passage: Number(passage), start: Number(next) });
      });
      cut.append(" ", button);
    }
  }

  addMore({ index, passage }, bytes) {
    const content = this.elements.get(index);
    const cut = content?.querySelector(`p.aew-cut[data-passage="${passage}"]`);
    if (!cut) return;
    const place = cut.parentElement;
    const hadFocus = cut.contains(document.activeElement) || document.activeElement === document.body;
    cut.replaceWith(...readTree(bytes).children);
    this.offerMore(place, index);
    if (hadFocus && content.isConnected) content.focus({ preventScroll: true });
  }

  // Shows an instance, or a message in its place. The focus stays in the app, if it was in what goes.
  show(content) {
    const before = this.slot.firstChild;
    if (before === content) return;
    const hadFocus = this.slot.contains(document.activeElement);
    this.slot.replaceChildren(content);
    content.scrollTop = 0;
    content.scrollLeft = 0;
    this.tools.show(content.matches(".aew-stage") ? content : null);
    if (hadFocus) this.slot.closest("[data-aew=app]")?.focus({ preventScroll: true });
  }

  // Keys that are left over by labels and actions look around in the instance. Whether this was one.
  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const target = event.composedPath()[0];
    if (isTextField(target) || (event.key === " " && target.closest?.("button, a"))) return false;
    if (this.tools.onKey(event)) return true;
    const scroller = this.slot.firstChild;
    if (!scroller?.matches(".aew-scroll")) return false;
    const page = 0.9 * scroller.clientHeight;
    const steps = {
      ArrowDown: LINE, ArrowUp: -LINE, PageDown: page, PageUp: -page, " ": event.shiftKey ? -page : page,
      Home: -scroller.scrollHeight, End: scroller.scrollHeight,
    };
    if (!(event.key in steps)) return false;
    const before = scroller.scrollTop;
    scroller.scrollTop += steps[event.key];
    return scroller.scrollTop !== before; // at its end, the page may scroll
  }

  // Its keys as the list of keys tells of them: those that labels and actions leave.
  help(keys) {
    const rows = this.tools.stage === null
      ? [[["PageUp", "PageDown", " "], "scroll"]]
      : [[["+", "-"], "zoom in, zoom out"], [["0"], "show the whole image"],
        [["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"], "move the zoomed image"]];
    return rows
      .map(([names, meaning]) => [names.filter((name) => !keys.taken.has(name) && keys.holder(name) === null), meaning])
      .filter(([names]) => names.length > 0)
      .map(([names, meaning]) => [keyCaps(names), meaning]);
  }

  forgetOldest() {
    for (const index of this.elements.keys()) {
      if (this.elements.size <= KEPT) return;
      this.elements.delete(index);
      URL.revokeObjectURL(this.urls.get(index));
      this.urls.delete(index);
    }
  }

  close() {
    for (const url of this.urls.values()) URL.revokeObjectURL(url);
  }
}
