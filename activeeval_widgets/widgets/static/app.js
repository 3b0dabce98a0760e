// Made of frontend/src by `make bundle`: edit that.

// src/dom/element.ts
function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name.slice(2), value);
    else if (value !== null && value !== void 0) node.setAttribute(name, String(value));
  }
  node.append(...children);
  return node;
}
function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}
var keyCap = (name) => element("kbd", {}, name);
var percent = (share) => `${(100 * share).toFixed(2)}%`;
function uniqueId(name) {
  let id = name;
  for (let n = 2; used.has(id) || document.getElementById(id) !== null; n += 1) id = `${name}-${n}`;
  used.add(id);
  return id;
}
var used = /* @__PURE__ */ new Set();

// src/dom/dialog.ts
function makeDialog(name, title, ...children) {
  const id = uniqueId(`aew-${name}-title`);
  const dialog = element("dialog", {
    class: `aew-dialog aew-${name}`,
    role: "dialog",
    "aria-modal": "true",
    "aria-labelledby": id,
    "data-aew": name
  });
  const close = element(
    "button",
    { type: "button", class: "aew-action aew-close", onclick: () => dialog.close() },
    keyCap("Esc"),
    "Close"
  );
  dialog.append(element("div", { class: "aew-dialog-head" }, element("h2", { id }, title), close), ...children);
  return dialog;
}

// src/dom/surroundings.ts
function focusedFrom(node) {
  const root = node.getRootNode();
  return root instanceof ShadowRoot ? root.activeElement : document.activeElement;
}
function saidTheme() {
  const { documentElement: page, body } = document;
  return page.dataset.theme ?? body.dataset.theme ?? page.getAttribute("theme") ?? void 0;
}
function followColors(place) {
  const isAlone = place.getRootNode() instanceof ShadowRoot;
  const isKnown = document.querySelector("[data-jp-theme-light]:not([data-aew-colors]), .vscode-dark, .vscode-light");
  if (isKnown && !isAlone) return () => {
  };
  place.dataset.aewColors = "own";
  const isSystemDark = window.matchMedia("(prefers-color-scheme: dark)");
  const follow = () => {
    const said = saidTheme();
    const isDark = said === "dark" || said !== "light" && isSystemDark.matches;
    place.dataset.jpThemeLight = String(!isDark);
  };
  const observer = new MutationObserver(follow);
  for (const node of [document.documentElement, document.body])
    observer.observe(node, { attributes: true, attributeFilter: ["data-theme", "theme"] });
  isSystemDark.addEventListener("change", follow);
  follow();
  return () => {
    observer.disconnect();
    isSystemDark.removeEventListener("change", follow);
  };
}

// src/answers/answer_list.ts
var SEARCH_AFTER = 120;
var FILTERS = [
  ["wrong", "Model was wrong"],
  ["flagged", "Flagged"],
  ["noted", "With a note"],
  ["changed", "Changed"]
];
var lastAsked = 0;
var AnswerList = class {
  constructor(callbacks) {
    this.callbacks = callbacks;
    const filters = element(
      "div",
      { class: "aew-filters" },
      ...[this.field, this.answers, this.differing, ...this.filters.values()]
    );
    this.parts = [filters, this.count, this.scroller];
  }
  callbacks;
  parts;
  only = /* @__PURE__ */ new Set();
  pair = null;
  // two of several models that were chosen
  wanted = "";
  // labels where two models differ
  asked = 0;
  // the number of the last question: answers to others are dropped
  isOpen = false;
  keepsPlace = false;
  // whether what comes is the same list, as it is now
  isSearching = false;
  // whether what is listed is not what was asked for yet
  opensFirst = false;
  // whether Enter was pressed meanwhile
  tells = false;
  // whether there is a column of predictions
  isOfTwo = false;
  // or one for each of two models
  urls = [];
  timer;
  field = element("input", {
    type: "text",
    class: "aew-search",
    "aria-label": "Find in the history",
    autocomplete: "off",
    spellcheck: "false",
    placeholder: "Find by content, answer or note; id:12 finds an id",
    oninput: () => this.searchSoon()
  });
  filters = new Map(FILTERS.map(([name, text]) => [name, this.filterButton(name, text)]));
  answers = element("select", { "aria-label": "Answer", onchange: () => this.search() });
  differing = element("select", {
    class: "aew-of-two",
    "aria-label": "Where two models differ",
    hidden: "",
    onchange: () => {
      this.wanted = this.differing.value;
      this.search();
    }
  });
  count = element("p", { class: "aew-hint", role: "status" });
  body = element("tbody");
  more = element(
    "button",
    {
      type: "button",
      class: "aew-action",
      hidden: "",
      onclick: () => this.search(this.body.children.length)
    },
    "Show more"
  );
  head = element("tr");
  scroller = element(
    "div",
    { class: "aew-history-rows" },
    element("table", {}, element("thead", {}, this.head), this.body),
    this.more
  );
  /** `pair`: only labels where two models differ, these two or, null, the only two; all unless given. */
  open(pair) {
    this.isOpen = true;
    this.pair = pair ?? null;
    this.wanted = pair === void 0 ? "" : "any";
    this.differing.replaceChildren();
    this.differing.hidden = true;
    this.field.value = "";
    this.opensFirst = false;
    this.only.clear();
    this.answers.replaceChildren();
    this.paintFilters();
    setText(this.count, "…");
    this.body.replaceChildren();
    this.more.hidden = true;
    this.search();
  }
  focus() {
    this.field.focus();
  }
  /** Asks again for what is listed, which may have changed. */
  refresh() {
    if (!this.isOpen) return;
    this.search();
    this.keepsPlace = true;
  }
  show(content, thumbnails) {
    if (content.asked !== this.asked || !this.isOpen) return;
    this.isSearching = false;
    const activeElement = focusedFrom(this.body);
    const chosen = activeElement instanceof HTMLElement && this.body.contains(activeElement) ? activeElement.dataset.index : void 0;
    const tells = this.callbacks.mayTell() && content.rows.some(({ prediction }) => prediction);
    this.showAnswers(content.answers);
    this.showDiffering(content.differing);
    this.setFilterShown("wrong", content.has_wrong, content.wrong_text);
    if (content.offset === 0) {
      this.forget();
      if (!this.keepsPlace) this.scroller.scrollTop = 0;
      this.keepsPlace = false;
      this.tells = tells;
      const columns = ["Instance", "Answer", ...this.predicted(content), "Note", "When"];
      this.head.replaceChildren(...columns.map((text) => element("th", { scope: "col" }, text)));
      this.body.replaceChildren();
    }
    const hadMore = focusedFrom(this.more) === this.more;
    const rows = content.rows.map((row) => this.rowOf(row, thumbnails));
    this.body.append(...rows);
    const listed = this.body.children.length;
    this.more.hidden = listed >= content.n_found;
    if (hadMore) rows[0]?.querySelector("button")?.focus();
    setText(this.count, countText(content, listed));
    if (chosen !== void 0 && content.offset === 0) {
      const again = this.body.querySelector(`button[data-index="${chosen}"]`);
      (again ?? this.field).focus({ preventScroll: true });
    }
    if (this.opensFirst) this.body.querySelector("button")?.click();
    this.opensFirst = false;
  }
  /** Forget what the rows show. */
  close() {
    this.isOpen = false;
    clearTimeout(this.timer);
    this.forget();
  }
  filterButton(name, text) {
    return element(
      "button",
      {
        type: "button",
        class: "aew-action aew-filter",
        "data-filter": name,
        "aria-pressed": "false",
        onclick: () => this.toggle(name)
      },
      text
    );
  }
  toggle(name) {
    if (!this.only.delete(name)) this.only.add(name);
    this.paintFilters();
    this.search();
  }
  setFilterShown(name, isShown, text = "") {
    const button3 = this.filters.get(name);
    if (!button3) return;
    button3.hidden = !isShown;
    if (text !== "") setText(button3, text);
  }
  paintFilters() {
    for (const [name, button3] of this.filters) button3.setAttribute("aria-pressed", String(this.only.has(name)));
    this.setFilterShown("wrong", this.callbacks.mayTell());
  }
  searchSoon() {
    this.isSearching = true;
    this.opensFirst = false;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.search(), SEARCH_AFTER);
  }
  search(offset = 0) {
    clearTimeout(this.timer);
    this.isSearching = true;
    this.keepsPlace = false;
    lastAsked += 1;
    this.asked = lastAsked;
    this.callbacks.ask({
      query: this.field.value,
      only: [...this.only],
      answer: this.answers.value || null,
      offset,
      shows_prediction: this.callbacks.mayTell(),
      asked: this.asked,
      differing: this.wanted || null,
      pair: this.pair
    });
  }
  /** The headings of what was predicted: one for each of two models. */
  predicted({ differing, rows }) {
    this.isOfTwo = this.tells && differing !== null;
    this.scroller.classList.toggle("aew-about-two", this.isOfTwo);
    if (this.isOfTwo && differing) return differing.names;
    if (!this.tells) return [];
    return [rows.some(({ said }) => said) ? "Predictions" : "Prediction"];
  }
  predictionsOf(row) {
    if (!this.tells) return [];
    const said = (row.said ?? []).map(({ text, mark }) => [text, ...markOf(mark)]);
    if (this.isOfTwo) return [said[0] ?? [], said[1] ?? []];
    if (!row.said) return [predictionOf(row)];
    return [row.said.map(({ name }, i) => element("div", { class: "aew-of-one" }, `${name}: `, ...said[i]))];
  }
  showDiffering(content) {
    const said = JSON.stringify(content);
    this.differing.hidden = content === null || !this.callbacks.mayTell();
    if (content === null) return;
    if (this.differing.dataset.said === said && this.differing.children.length > 0) return;
    this.differing.dataset.said = said;
    this.differing.replaceChildren(
      element("option", { value: "" }, "Models agree or differ"),
      ...content.choices.map(([name, text, n]) => element("option", { value: name }, `${text} (${written(n)})`))
    );
    this.differing.value = this.wanted;
    if (this.differing.value !== this.wanted) {
      this.differing.append(element("option", { value: this.wanted }, "none"));
      this.differing.value = this.wanted;
    }
  }
  showAnswers(answers) {
    const said = JSON.stringify(answers);
    if (this.answers.dataset.said === said && this.answers.children.length > 0) return;
    const { value } = this.answers;
    this.answers.dataset.said = said;
    this.answers.replaceChildren(
      element("option", { value: "" }, "Any answer"),
      ...answers.map(([answer, n]) => element("option", { value: answer }, `${answer} (${written(n)})`))
    );
    this.answers.value = answers.some(([answer]) => answer === value) ? value : "";
    this.answers.hidden = answers.length < 2;
  }
  rowOf(row, thumbnails) {
    const choose = () => this.callbacks.choose(row);
    const disabled = this.callbacks.canChoose?.() === false ? "" : null;
    const go = element(
      "button",
      { type: "button", class: "aew-action aew-go", "data-index": row.index, disabled, onclick: choose },
      ...this.contentOf(row, thumbnails)
    );
    const when = row.time ? new Date(row.time).toLocaleString([], { dateStyle: "short", timeStyle: "short" }) : "";
    const cells = [
      [go],
      [`${row.answer}${row.is_changed ? " (changed)" : ""}`],
      ...this.predictionsOf(row),
      [`${row.flagged ? "⚑ flagged " : ""}${row.note ?? ""}`],
      [when]
    ];
    return element("tr", {}, ...cells.map((cell) => element("td", {}, ...cell)));
  }
  contentOf(row, thumbnails) {
    const id = element("span", { class: "aew-row-id" }, row.id);
    if (row.thumbnail === void 0) {
      return [id, element("span", { class: "aew-row-content", dir: "auto" }, row.content ?? "")];
    }
    const url = URL.createObjectURL(new Blob([thumbnails[row.thumbnail]], { type: row.mime }));
    this.urls.push(url);
    return [id, element("img", { src: url, alt: "", class: row.is_pixelated ? "aew-pixelated" : null })];
  }
  forget() {
    for (const url of this.urls) URL.revokeObjectURL(url);
    this.urls = [];
  }
  /** Arrows choose a row, and Enter the first. Whether it was such a key. */
  press(event) {
    if (event.target === this.answers || event.target === this.differing) return false;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const buttons = [...this.scroller.querySelectorAll("button:not([hidden])")];
    if (step !== void 0) {
      const at = buttons.indexOf(focusedFrom(this.field) ?? this.field) + step;
      (buttons[at] ?? (step < 0 ? this.field : buttons.at(-1)))?.focus();
    } else if (event.key === "Enter" && event.target === this.field) {
      if (this.isSearching) this.opensFirst = true;
      else buttons[0]?.click();
    } else return false;
    event.preventDefault();
    return true;
  }
};
var written = (n) => n.toLocaleString("en");
function countText({ n_found, n_rows }, listed) {
  if (n_rows === 0) return "No answers yet.";
  if (n_found === 0) return `None of ${written(n_rows)} answers match.`;
  const which = n_found === n_rows ? `${written(n_rows)} answers` : `${written(n_found)} of ${written(n_rows)} answers`;
  const part = listed < n_found ? `, the newest ${written(listed)} shown` : ", newest first";
  return `${which}${part}. ↑ ↓ to choose, Enter to open.`;
}
function markOf(mark) {
  if (mark === "") return [];
  const sign = mark === "wrong" ? "✗" : "✓";
  return [" ", element("span", { class: mark === "wrong" ? "aew-is-wrong" : "aew-is-right" }, `${sign} ${mark}`)];
}
function predictionOf({ prediction, is_wrong }) {
  if (!prediction) return [];
  if (is_wrong === void 0) return [prediction];
  return [prediction, ...markOf(is_wrong ? "wrong" : "right")];
}

// src/answers/answer_history.ts
var AnswerHistory = class {
  dialog;
  list;
  constructor(callbacks) {
    this.list = new AnswerList({
      ...callbacks,
      choose: (row) => {
        this.dialog.close();
        callbacks.choose(row);
      }
    });
    this.dialog = makeDialog("history", "History", ...this.list.parts);
    this.dialog.addEventListener("keydown", (event) => this.list.press(event));
    this.dialog.addEventListener("close", () => {
      if (!this.dialog.open) this.list.close();
    });
  }
  /** `pair`: only labels where two models differ, these two or, null, the only two; all unless given. */
  open(pair) {
    this.dialog.showModal();
    this.list.focus();
    this.list.open(pair);
  }
  show(content, thumbnails) {
    this.list.show(content, thumbnails);
  }
  close() {
    this.list.close();
  }
};

// src/dom/files.ts
var KEPT_FOR = 1e4;
var saveFile = ({ name, type, text }) => saveBlob(name, new Blob([text], { type: `${type};charset=utf-8` }));
function saveBlob(name, content) {
  const url = URL.createObjectURL(content);
  element("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_FOR);
}
async function copyText(text) {
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

// src/dom/when_found.ts
function whenFound(find, then, signal) {
  const found2 = find();
  if (found2) {
    then(found2);
    return;
  }
  const observer = new MutationObserver(() => {
    const late = find();
    if (!late) return;
    observer.disconnect();
    then(late);
  });
  observer.observe(document, { childList: true, subtree: true });
  signal.addEventListener("abort", () => observer.disconnect());
}

// src/keys/key_names.ts
var TEXT_FIELDS = "input:not([type=checkbox], [type=range]), textarea, select, [role=textbox]";
var isTextField = (target) => target instanceof HTMLElement && (target.isContentEditable || target.matches(TEXT_FIELDS));
function keyNames(event) {
  if (event.key.length > 1) return [event.key];
  const key = event.key.toLowerCase();
  return event.shiftKey && key !== key.toUpperCase() ? [`Shift+${key}`, key] : [key];
}
var isForeign = (event) => event.ctrlKey || event.metaKey || event.altKey || event.isComposing;
var SHOWN = {
  ArrowUp: "↑",
  ArrowDown: "↓",
  ArrowLeft: "←",
  ArrowRight: "→",
  Escape: "Esc",
  " ": "Space",
  "-": "−"
};
function shownKey(name) {
  const [last, shift] = name.startsWith("Shift+") ? [name.slice(6), "⇧"] : [name, ""];
  return shift + (SHOWN[last] ?? (last.length === 1 ? last.toUpperCase() : last));
}
var keyCaps = (names) => names.map((name) => keyCap(shownKey(name)));

// src/panels/confusion_matrix.ts
var ConfusionMatrix = class {
  node;
  summary = element("p");
  body = element("div");
  constructor() {
    this.node = element(
      "section",
      { class: "aew-confusion", "data-aew": "confusion", "aria-label": "Confusion matrix" },
      element("h2", {}, "Confusion matrix"),
      this.body,
      this.summary
    );
  }
  show(content) {
    setText(this.summary, content.summary);
    this.body.replaceChildren(
      ...content.cells.length ? [matrixOf(content)] : [],
      ...content.confusions.length ? [listOf(content)] : []
    );
  }
};
function matrixOf({ classes, cells, rows, columns }) {
  const n = classes.length;
  const corner = () => element("td", { colspan: 2 });
  const over = element("tr", {}, corner(), element("th", { colspan: n, scope: "colgroup" }, columns));
  const head = element("tr", {}, corner(), ...classes.map((name) => element("th", { scope: "col" }, name)));
  const side = element("th", { class: "aew-true-label", rowspan: n, scope: "rowgroup" }, element("span", {}, rows));
  const body = cells.map(
    (row, i) => element(
      "tr",
      {},
      ...i === 0 ? [side] : [],
      element("th", { scope: "row" }, classes[i]),
      ...row.map((cell, j) => {
        const td = element("td", { title: cell.title, class: i === j ? "aew-right" : "aew-wrong" }, cell.text);
        td.style.setProperty("--aew-shade", `${Math.round(70 * Math.sqrt(cell.share))}%`);
        return td;
      })
    )
  );
  return element(
    "div",
    { class: "aew-table aew-matrix", tabindex: "0", role: "region", "aria-label": "Confusion matrix, as a table" },
    element(
      "table",
      {},
      element("caption", {}, "Percent of the pool"),
      element("thead", {}, over, head),
      element("tbody", {}, ...body)
    )
  );
}
function listOf({ confusions, rows, columns }) {
  const heads = [rows, columns, "Of the pool", "Labels"];
  return element(
    "div",
    { class: "aew-table" },
    element(
      "table",
      {},
      element("caption", {}, "Most frequent confusions"),
      element("thead", {}, element("tr", {}, ...heads.map((text) => element("th", { scope: "col" }, text)))),
      element(
        "tbody",
        {},
        ...confusions.map((row) => element("tr", {}, ...row.map((text) => element("td", {}, text))))
      )
    )
  );
}

// src/charts/chart_values.ts
var REACH = 14;
function valueAt(layers, x, y) {
  let best = null;
  let least = REACH ** 2;
  layers.forEach(({ by, px: px2, py }, layer2) => {
    if (by !== "point") return;
    px2.forEach((at, i) => {
      const distance = (at - x) ** 2 + (py[i] - y) ** 2;
      if (distance >= least) return;
      least = distance;
      best = [layer2, i];
    });
  });
  if (best !== null) return best;
  const layer = layers.findIndex(({ by, px: px2 }) => by === "x" && px2.length > 0);
  if (layer < 0) return null;
  const { px } = layers[layer];
  if (x > px[px.length - 1] + REACH) return null;
  return [layer, px.reduce((nearest, at, i) => Math.abs(at - x) < Math.abs(px[nearest] - x) ? i : nearest, 0)];
}
function stepFrom(layers, at, by) {
  const layer = at?.[0] ?? layers.findIndex(({ px }) => px.length > 0);
  const last = (layers[layer]?.px.length ?? 0) - 1;
  if (last < 0) return null;
  const beginning = layers[layer].by === "x" ? last + (by < 0 ? 1 : 0) : -1;
  return [layer, Math.max(0, Math.min(last, (at?.[1] ?? beginning) + by))];
}
function layerFrom(layers, at, by) {
  const count = layers.length;
  if (layers.every(({ px }) => px.length === 0)) return null;
  let layer = at?.[0] ?? (by > 0 ? -1 : count);
  do
    layer = (layer + by + count) % count;
  while (layers[layer].px.length === 0);
  return [layer, layers[layer].by === "x" ? layers[layer].px.length - 1 : 0];
}

// src/charts/drawing.ts
var SVG_NAMES = "http://www.w3.org/2000/svg";
var FOOT = 7;
function drawn(tag, attributes = {}, text = null) {
  const node = document.createElementNS(SVG_NAMES, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  if (text !== null) node.textContent = text;
  return node;
}
var pathOf = (xs, ys) => xs.map((x, i) => `${i === 0 ? "M" : "L"}${x.toFixed(1)} ${ys[i].toFixed(1)}`).join("");
var SIZES = { dot: 3.4, cross: 3.4, foot: 3.4, diamond: 4.6, square: 3 };
var cross = (x, y, size) => `M${x - size} ${y - size}l${2 * size} ${2 * size}m0 ${-2 * size}l${-2 * size} ${2 * size}`;
var SHAPES = {
  dot: (x, y, size) => `M${x - size} ${y}a${size} ${size} 0 1 0 ${2 * size} 0a${size} ${size} 0 1 0 ${-2 * size} 0`,
  cross,
  diamond: (x, y, size) => `M${x} ${y - 2 * size}l${1.5 * size} ${2 * size}l${-1.5 * size} ${2 * size}l${-1.5 * size} ${-2 * size}z`,
  foot: (x, y, size) => cross(x, y - FOOT, size),
  square: (x, y, size) => `M${x - size} ${y - size}h${2 * size}v${2 * size}h${-2 * size}z`
};

// src/charts/chart.ts
var JUMP = 10;
var KEY_STEPS = {
  ArrowRight: 1,
  ArrowLeft: -1,
  PageDown: JUMP,
  PageUp: -JUMP,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY
};
var Chart = class {
  /** `goTo` is called with the index of an instance whose point was chosen; `enter` says what it does. */
  constructor(surface, goTo, enter = "Enter opens an instance.") {
    this.surface = surface;
    this.goTo = goTo;
    this.enter = enter;
    this.box = element(
      "div",
      {
        class: "aew-plot",
        tabindex: "0",
        role: "application",
        "aria-roledescription": "plot",
        onpointermove: (event) => this.pointed(event),
        onpointerleave: () => this.leave(),
        onclick: (event) => {
          this.pointed(event);
          this.choose();
        },
        onkeydown: (event) => this.pressed(event),
        onblur: () => this.leave()
      },
      this.surface.node,
      this.over,
      this.tip,
      this.told
    );
    this.over.append(this.cursor);
    this.observer.observe(this.box);
  }
  surface;
  goTo;
  enter;
  box;
  content = null;
  layers = [];
  at = null;
  // what is pointed at
  over = drawn("svg", { "aria-hidden": "true" });
  tip = element("div", { class: "aew-tip", hidden: "", "aria-hidden": "true" });
  told = element("p", { class: "aew-unseen", "aria-live": "polite" });
  cursor = drawn("circle", { class: "aew-cursor", r: 6, visibility: "hidden" });
  observer = new ResizeObserver(() => this.draw());
  /** Draws on another surface from now on. */
  use(surface) {
    if (surface === this.surface) return;
    this.surface.node.replaceWith(surface.node);
    this.surface = surface;
    this.draw();
  }
  show(content) {
    this.content = content;
    const keys = `Arrow keys step through the values. ${this.enter}`;
    this.box.setAttribute("aria-label", `${content.heading}. ${content.summary} ${keys}`);
    this.draw();
  }
  close() {
    this.observer.disconnect();
  }
  // -- drawing ------------------------------------------------------------------------------------------
  draw() {
    const { content, box } = this;
    const { clientWidth: width, clientHeight: height } = box;
    if (content === null || width < 60 || height < 40) return;
    const { top, bottom, x, y } = this.surface.draw(content, width, height);
    const place = (value) => Math.min(bottom, Math.max(top, y(value)));
    this.layers = content.stops.map((stop) => ({
      name: stop.name,
      by: stop.by,
      text: stop.text,
      index: stop.index,
      px: stop.x.map(x),
      py: stop.y.map((value) => place(value) - (stop.is_foot ? FOOT : 0))
    }));
    if (this.at === null) setText(this.told, "");
    this.mark();
  }
  // -- values -------------------------------------------------------------------------------------------
  pointed(event) {
    if (this.content === null || this.layers.length === 0) return;
    const frame = this.box.getBoundingClientRect();
    const zoom = frame.width / this.box.offsetWidth || 1;
    this.at = valueAt(this.layers, (event.clientX - frame.left) / zoom, (event.clientY - frame.top) / zoom);
    this.mark();
  }
  leave() {
    this.at = null;
    this.mark();
  }
  /** Shows what is pointed at, and its value. */
  mark() {
    const layer = this.at === null ? void 0 : this.layers[this.at[0]];
    const i = Math.min(this.at?.[1] ?? 0, (layer?.px.length ?? 0) - 1);
    const isThere = layer !== void 0 && i >= 0;
    this.cursor.setAttribute("visibility", isThere ? "visible" : "hidden");
    this.tip.hidden = !isThere;
    this.box.classList.toggle("aew-choosable", isThere && layer.index !== void 0);
    if (!isThere || this.at === null) return;
    this.at = [this.at[0], i];
    const [x, y] = [layer.px[i], layer.py[i]];
    this.cursor.setAttribute("cx", String(x));
    this.cursor.setAttribute("cy", String(y));
    setText(this.tip, layer.text[i]);
    const { clientWidth: width, clientHeight: height } = this.box;
    const { offsetWidth, offsetHeight } = this.tip;
    this.tip.style.left = `${Math.max(0, Math.min(x - offsetWidth / 2, width - offsetWidth))}px`;
    const above = y - offsetHeight - 14;
    this.tip.style.top = `${above >= -40 ? above : Math.min(y + 14, height)}px`;
  }
  choose() {
    if (this.at === null) return;
    const [layer, i] = this.at;
    const index = this.layers[layer]?.index?.[i];
    if (index !== void 0) this.goTo(index);
  }
  pressed(event) {
    if (isForeign(event)) return;
    const { key } = event;
    if (key === "Escape" && this.at === null) return;
    if (key in KEY_STEPS) this.step(KEY_STEPS[key]);
    else if (key === "ArrowUp" || key === "ArrowDown") this.change(key === "ArrowUp" ? -1 : 1);
    else if (key === "Escape") this.leave();
    else if (key === "Enter" && !event.repeat) this.choose();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
  step(by) {
    const at = stepFrom(this.layers, this.at, by);
    if (at === null) {
      setText(this.told, "Nothing to show yet");
      return;
    }
    this.at = at;
    this.tell(this.layers[at[0]].text[at[1]]);
  }
  change(by) {
    const at = layerFrom(this.layers, this.at, by);
    if (at === null) return;
    this.at = at;
    const { px, name, text } = this.layers[at[0]];
    this.tell(`${name}, ${px.length}. ${text[at[1]]}`);
  }
  tell(text) {
    this.mark();
    setText(this.told, text);
  }
};

// src/charts/legend.ts
var SWATCHES = {
  wrong: "cross",
  papers: "cross",
  drawn: "dot",
  pool: "dot",
  present: "diamond",
  "same-2": "square",
  "differ-2": "dot",
  "first-right": "dot",
  "second-right": "diamond",
  "both-right": "square",
  "neither-right": "cross"
};
var legendOf = (legend) => legend.map(([kind, text]) => element("li", {}, swatch(kind), text));
var FILLED = /* @__PURE__ */ new Set(["band", "approximate", "forecast", "pool-bars", "drawn-bars", "rug", "papers-band"]);
function swatch(kind) {
  const drawing = drawn("svg", { class: "aew-swatch", width: 18, height: 12, "aria-hidden": "true" });
  const shape = SWATCHES[kind];
  if (shape !== void 0) {
    drawing.append(drawn("path", { class: `aew-draw-${kind} aew-shape-${shape}`, d: SHAPES[shape](9, 6, 3.2) }));
  } else if (FILLED.has(kind)) drawing.append(drawn("rect", { class: `aew-draw-${kind}`, width: 18, height: 12 }));
  else drawing.append(drawn("line", { class: `aew-draw-${kind}`, x1: 0, x2: 18, y1: 6, y2: 6 }));
  return drawing;
}

// src/charts/picture.ts
var STYLES = [
  ...["fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "stroke-linejoin"],
  ...["opacity", "display", "visibility", "paint-order", "clip-path"],
  ...["font-family", "font-size", "font-weight", "font-variant-numeric", "text-anchor", "dominant-baseline"]
];
var MARGIN = 12;
var LINE = 18;
var GAP = 16;
var SCALE = 2;
function pictureOf({ box, heading, legend }) {
  const { width, height } = box.getBoundingClientRect();
  const { color, fontFamily } = getComputedStyle(heading);
  const text = { "font-family": fontFamily, fill: color };
  const picture2 = drawn("svg", { xmlns: "http://www.w3.org/2000/svg" });
  picture2.append(
    drawn("text", { ...text, "font-size": 14, "font-weight": 600, x: MARGIN, y: 24 }, heading.textContent)
  );
  let [x, y] = [MARGIN, 24 + LINE + 4];
  for (const item of legend.children) {
    const itemWidth = item.getBoundingClientRect().width;
    if (x > MARGIN && x + itemWidth > width) [x, y] = [MARGIN, y + LINE];
    const swatch2 = item.querySelector("svg");
    if (swatch2 !== null) picture2.append(placed(copyOf(swatch2), x, y - 10));
    picture2.append(drawn("text", { ...text, "font-size": 12, x: x + 23, y }, item.textContent));
    x += itemWidth + GAP;
  }
  const top = y + 8;
  for (const layer of box.querySelectorAll("svg")) {
    if (layer.parentElement?.closest("svg") !== null) continue;
    const copy = placed(copyOf(layer), MARGIN / 2, top);
    copy.setAttribute("width", String(width));
    copy.setAttribute("height", String(height));
    picture2.append(copy);
  }
  const [fullWidth, fullHeight] = [Math.ceil(width + MARGIN), Math.ceil(top + height + MARGIN / 2)];
  const { backgroundColor } = getComputedStyle(heading.closest(".aew-panel") ?? heading);
  picture2.prepend(drawn("rect", { width: fullWidth, height: fullHeight, fill: backgroundColor }));
  picture2.setAttribute("width", String(fullWidth));
  picture2.setAttribute("height", String(fullHeight));
  picture2.setAttribute("viewBox", `0 0 ${fullWidth} ${fullHeight}`);
  return picture2;
}
var svgText = (picture2) => new XMLSerializer().serializeToString(picture2);
async function pngOf(picture2) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgText(picture2))}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.width * SCALE;
  canvas.height = image.height * SCALE;
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}
function placed(node, x, y) {
  node.setAttribute("x", String(x));
  node.setAttribute("y", String(y));
  return node;
}
function copyOf(svg) {
  const copy = svg.cloneNode(true);
  const originals = svg.querySelectorAll("*");
  copy.querySelectorAll("*").forEach((node, i) => {
    const style = getComputedStyle(originals[i]);
    node.removeAttribute("class");
    for (const name of STYLES) {
      const value = style.getPropertyValue(name);
      if (value !== "") node.style.setProperty(name, value);
    }
  });
  for (const name of ["class", "style", "aria-hidden"]) copy.removeAttribute(name);
  return copy;
}

// src/charts/scales.ts
var GAP2 = 8;
function scaleOf(axis, from, to) {
  const level = axis.is_log ? Math.log : (value) => value;
  const [start, end] = [level(axis.low), level(axis.high)];
  return (value) => from + (to - from) * (level(value) - start) / (end - start);
}
function someOf(ticks, origin, apart) {
  for (let every = 1; every < ticks.length; every += 1) {
    const chosen = ticks.map((_, i) => i).filter((i) => (i - origin) % every === 0);
    if (chosen.every((i, at) => at === 0 || apart(chosen[at - 1], i))) return chosen.map((i) => ticks[i]);
  }
  return ticks.slice(origin, origin + 1);
}
function verticalTicks({ ticks, is_log }, y, height) {
  const origin = Math.max(
    0,
    ticks.findIndex(([value]) => value === (is_log ? 1 : 0))
  );
  return someOf(ticks, origin, (one, next) => Math.abs(y(ticks[next][0]) - y(ticks[one][0])) >= height);
}
function horizontalTicks({ ticks }, x, width) {
  const half = (i) => width(ticks[i][1]) / 2;
  return someOf(ticks, 0, (one, next) => x(ticks[next][0]) - x(ticks[one][0]) >= half(one) + half(next) + GAP2);
}

// src/charts/axes.ts
var GAP3 = 6;
var BELOW = 4;
var LEAST_RIGHT = 20;
var TextRuler = class {
  constructor(svg) {
    this.svg = svg;
  }
  svg;
  known = /* @__PURE__ */ new Map();
  font = "";
  line = { ascent: 0, descent: 0 };
  measure({ x, y }) {
    const probe = drawn("text", { visibility: "hidden" }, "0");
    this.svg.append(probe);
    const { fontFamily, fontSize, letterSpacing } = getComputedStyle(probe);
    const font = [fontFamily, fontSize, letterSpacing].join();
    if (font !== this.font) {
      this.font = font;
      this.known.clear();
      const { y: top, height } = probe.getBBox();
      this.line = { ascent: -top, descent: height + top };
    }
    const texts = [...x.ticks, ...y.ticks].map(([, text]) => text);
    if (y.title) texts.push(y.title);
    const unknown = [...new Set(texts)].filter((text) => !this.known.has(text));
    const nodes = unknown.map((text) => drawn("text", { visibility: "hidden" }, text));
    this.svg.append(...nodes);
    nodes.forEach((node, i) => {
      this.known.set(unknown[i], node.getComputedTextLength());
    });
    for (const node of [probe, ...nodes]) node.remove();
    return { ...this.line, width: (text) => this.known.get(text) ?? 0 };
  }
};
function areaOf(axes, width, height, sizes, hasTitle) {
  const line = sizes.ascent + sizes.descent;
  const widest = (axis) => Math.max(0, ...axis.ticks.map(([, text]) => sizes.width(text)));
  const left = Math.ceil((axes.y.title ? line : 0) + widest(axes.y) + 2 * GAP3);
  const right = width - Math.max(LEAST_RIGHT, Math.ceil(widest(axes.x) / 2));
  const top = Math.ceil(line / 2) + 2;
  const bottom = height - Math.ceil((hasTitle ? 2 : 1) * line) - BELOW - 1;
  return { left, right, top, bottom, x: scaleOf(axes.x, left, right), y: scaleOf(axes.y, bottom, top) };
}
function axesOf(axes, area, sizes, hasTitle) {
  const { left, right, top, bottom, x, y } = area;
  const { ascent, descent } = sizes;
  const nodes = [];
  const baseOf = (value) => Math.min(y(value) + (ascent - descent) / 2, bottom + BELOW - descent);
  for (const [value, text] of verticalTicks(axes.y, baseOf, ascent + descent)) {
    const at = y(value);
    nodes.push(
      drawn("line", { class: "aew-grid-line", x1: left, x2: right, y1: at, y2: at }),
      drawn("text", { x: left - GAP3, y: baseOf(value), "text-anchor": "end" }, text)
    );
  }
  const below = bottom + BELOW + ascent;
  for (const [value, text] of horizontalTicks(axes.x, x, sizes.width)) {
    nodes.push(drawn("text", { x: x(value), y: below, "text-anchor": "middle" }, text));
  }
  if (hasTitle && axes.x.title) {
    const place = { x: (left + right) / 2, y: below + ascent + descent, "text-anchor": "middle" };
    nodes.push(drawn("text", place, axes.x.title));
  }
  if (axes.y.title) {
    const middle = (top + bottom) / 2;
    const place = { x: ascent, y: middle, "text-anchor": "middle", transform: `rotate(-90 ${ascent} ${middle})` };
    nodes.push(drawn("text", place, axes.y.title));
  }
  return nodes;
}

// src/charts/svg_surface.ts
var nClips = 0;
var SvgSurface = class {
  node = drawn("svg", { "aria-hidden": "true" });
  ruler = new TextRuler(this.node);
  draw(content, width, height) {
    const hasTitle = Boolean(content.x.title) && height >= 110;
    const sizes = this.ruler.measure(content);
    const area = areaOf(content, width, height, sizes, hasTitle);
    const { left, right, top, bottom } = area;
    const clip = `aew-clip-${nClips}`;
    nClips += 1;
    const clipPath = drawn("clipPath", { id: clip });
    clipPath.append(drawn("rect", { x: left, y: top - 1, width: right - left + 1, height: bottom - top + 2 }));
    const inside = drawn("g", { "clip-path": `url(#${clip})` });
    inside.append(...dataOf(content, area));
    this.node.replaceChildren(
      clipPath,
      ...axesOf(content, area, sizes, hasTitle),
      ...linesOf(content, area),
      inside,
      ...pointsOf(content, area)
    );
    return area;
  }
};
function linesOf(content, { left, right, top, bottom, y }) {
  const across = (kind, at) => drawn("line", { class: kind, x1: left, x2: right, y1: at, y2: at });
  const nodes = [across("aew-axis-line", bottom)];
  for (const line of content.lines) nodes.push(across(`aew-draw-${line.kind}`, y(line.y)));
  content.sides.forEach((text, i) => {
    const place = { x: right - 2, y: i === 0 ? top + 10 : bottom - 14, "text-anchor": "end" };
    nodes.push(drawn("text", { class: "aew-side-text", ...place }, text));
  });
  return nodes;
}
function dataOf(content, { x, y }) {
  const bands = content.bands.map((band) => {
    const xs = band.x.map(x);
    const upper = pathOf(xs, band.high.map(y));
    const lower = pathOf([...xs].reverse(), band.low.map(y).reverse());
    const d = xs.length === 0 ? "" : `${upper}L${lower.slice(1)}Z`;
    return drawn("path", { class: `aew-draw-${band.kind}`, d });
  });
  const curves = content.curves.map(
    (curve) => drawn("path", { class: `aew-draw-${curve.kind}`, d: pathOf(curve.x.map(x), curve.y.map(y)) })
  );
  return [...bands, ...curves].filter((path) => path.getAttribute("d") !== "");
}
function pointsOf(content, { left, right, top, x, y }) {
  return content.points.flatMap((points) => {
    const { kind, shape, size, label } = points;
    const sizeOf = (i) => size === void 0 ? SIZES[shape] : 1.4 + 2.8 * size[i];
    const d = points.x.map((value, i) => SHAPES[shape](x(value), y(points.y[i]), sizeOf(i))).join("");
    const nodes = [drawn("path", { class: `aew-draw-${kind} aew-shape-${shape}`, d })];
    if (label && points.x.length === 1) {
      const [atX, atY] = [x(points.x[0]), y(points.y[0])];
      const isRight = atX > (left + right) / 2;
      const place = { x: atX + (isRight ? -10 : 10), y: Math.max(top + 6, atY - 6) };
      const attributes = { class: "aew-point-text", ...place, "text-anchor": isRight ? "end" : "start" };
      nodes.push(drawn("text", attributes, label));
    }
    return nodes;
  });
}

// src/panels/enlarged.ts
function enlarged(panel, title) {
  const place = document.createComment("");
  const dialog = makeDialog("enlarge", title);
  const root = panel.closest(".aew-front-end") ?? panel.parentElement;
  panel.replaceWith(place);
  dialog.append(panel);
  dialog.addEventListener("close", () => {
    place.replaceWith(panel);
    dialog.remove();
  });
  root?.append(dialog);
  dialog.showModal();
  panel.querySelector(".aew-plot")?.focus();
}

// src/panels/plot.ts
var TableDialog = class {
  dialog = makeDialog("table", "Table");
  heading = this.dialog.querySelector("h2");
  table = element("table");
  constructor() {
    const frame = { class: "aew-table", tabindex: "0", role: "region", "aria-labelledby": this.heading?.id };
    this.dialog.append(element("div", frame, this.table));
  }
  open({ heading, summary, columns, rows }) {
    if (this.heading) setText(this.heading, heading);
    this.table.replaceChildren(
      element("caption", {}, summary),
      element("thead", {}, element("tr", {}, ...columns.map((text) => element("th", { scope: "col" }, text)))),
      element("tbody", {}, ...rows.map((row) => element("tr", {}, ...row.map((text) => element("td", {}, text)))))
    );
    this.dialog.showModal();
  }
};
var OWN = "";
var PlotPanel = class {
  node;
  title = element("h2", { hidden: "" });
  // until there is one
  choices = element("span", { class: "aew-plot-choices" });
  tools;
  legend = element("ul", { class: "aew-legend" });
  note = element("p", { class: "aew-plot-note", hidden: "" });
  chart;
  faces = /* @__PURE__ */ new Map();
  shown = OWN;
  constructor(name, goTo, table, enter) {
    const own = this.face(OWN);
    this.chart = new Chart(own.surface, goTo, enter);
    const open = () => {
      if (this.chart.content) table.open(this.chart.content);
    };
    this.tools = {
      png: tool("PNG", "Save as PNG", () => void this.save("png")),
      svg: tool("SVG", "Save as SVG", () => void this.save("svg")),
      table: tool("▤", "Table", open),
      enlarge: tool("⤢", "Enlarge", () => this.enlarge())
    };
    this.node = element(
      "section",
      { class: `aew-panel aew-${name}-plot`, "data-aew": `${name}-plot` },
      element("div", { class: "aew-plot-head" }, this.title, this.choices, ...Object.values(this.tools)),
      this.legend,
      this.chart.box,
      this.note
    );
  }
  show(content) {
    this.face(OWN).content = content;
    this.draw();
  }
  /** Another plot that can take this one's place, by a button that says `text` and is pressed then. */
  offer(name, content, text) {
    const face = this.face(name);
    face.content = content;
    face.button ??= this.choiceOf(name);
    setText(face.button, text);
    face.button.title = content.heading;
    if (this.shown === name) this.draw();
  }
  /** Draws one of its plots on another surface from now on. */
  use(surface, name = OWN) {
    this.face(name).surface = surface;
    this.draw();
  }
  /** Shows it as large as the window, until Esc. */
  enlarge() {
    if (this.node.closest("dialog") === null) enlarged(this.node, this.title.textContent ?? "");
  }
  async save(kind) {
    const picture2 = pictureOf({ box: this.chart.box, heading: this.title, legend: this.legend });
    const svg = new Blob([svgText(picture2)], { type: "image/svg+xml;charset=utf-8" });
    const content = kind === "svg" ? svg : await pngOf(picture2);
    if (content !== null) saveBlob(`${fileName(this.title.textContent ?? "")}.${kind}`, content);
  }
  face(name) {
    const known = this.faces.get(name);
    if (known !== void 0) return known;
    const face = { content: null, surface: new SvgSurface(), button: null };
    this.faces.set(name, face);
    return face;
  }
  choiceOf(name) {
    const attributes = { type: "button", class: "aew-action aew-other-plot", "aria-pressed": "false" };
    const button3 = element("button", attributes);
    button3.onclick = () => {
      this.shown = this.shown === name ? OWN : name;
      for (const [each, { button: button4 }] of this.faces) button4?.setAttribute("aria-pressed", String(this.shown === each));
      this.draw();
    };
    this.choices.append(button3);
    return button3;
  }
  draw() {
    const { content, surface } = this.face(this.shown);
    if (content === null) return;
    setText(this.title, content.heading);
    this.title.hidden = false;
    for (const button3 of Object.values(this.tools)) {
      button3.setAttribute("aria-label", `${button3.title}: ${content.heading}`);
    }
    const said = JSON.stringify(content.legend);
    if (this.legend.dataset.said !== said) {
      this.legend.dataset.said = said;
      this.legend.replaceChildren(...legendOf(content.legend));
    }
    setText(this.note, content.note ?? "");
    this.note.hidden = !content.note;
    this.chart.use(surface);
    this.chart.show(content);
  }
  close() {
    this.chart.close();
    for (const { surface } of this.faces.values()) surface.close?.();
  }
};
var tool = (text, title, onclick) => element("button", { type: "button", class: "aew-action aew-plot-tool", title, onclick }, text);
var fileName = (heading) => heading.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "") || "plot";

// src/panels/differing.ts
var DifferingPanel = class {
  node;
  pair = [];
  plot;
  heading = element("h2", { hidden: "" });
  told = element("div", { class: "aew-differing-told" });
  list;
  constructor(use) {
    this.plot = new PlotPanel("differing", use.goTo, use.table);
    this.list = element(
      "button",
      {
        type: "button",
        class: "aew-action aew-list-differing",
        "data-action": "list_differing",
        hidden: "",
        onclick: () => use.listDiffering(this.pair)
      },
      ""
    );
    this.node = this.plot.node;
    this.node.setAttribute("aria-label", "Where the models differ");
    this.node.prepend(this.heading);
    this.node.append(this.told, this.list);
  }
  show({ heading, sentences, n_labels, pair, plot }) {
    this.pair = pair;
    setText(this.heading, heading);
    this.heading.hidden = plot !== null;
    this.node.classList.toggle("aew-no-plot", plot === null);
    if (plot !== null) this.plot.show(plot);
    const said = JSON.stringify(sentences);
    if (this.told.dataset.said !== said) {
      this.told.dataset.said = said;
      this.told.replaceChildren(...sentences.map((text) => element("p", {}, text)));
    }
    this.list.hidden = n_labels === 0;
    setText(this.list, n_labels === 1 ? "See the label" : `See the ${n_labels.toLocaleString("en")} labels`);
  }
  use(surface) {
    this.plot.use(surface);
  }
  close() {
    this.plot.close();
  }
};

// src/panels/estimate.ts
var EstimatePanel = class {
  node;
  title = element("h2");
  value = element("p", { class: "aew-value" });
  intro = element("p", { class: "aew-intro", "data-aew": "intro", hidden: "" });
  sentence = element("p", { class: "aew-sentence", "aria-live": "polite" });
  warning = element("p", { class: "aew-warning", "aria-live": "polite", hidden: "" });
  approximate = element("p", { class: "aew-sentence aew-beside", "aria-live": "polite" });
  note = element("p", { class: "aew-note" });
  // The bar shows what the sentence says.
  ends = [element("span"), element("span")];
  zero = element("span", { class: "aew-zero" });
  band = element("span", { class: "aew-band" });
  within = element("span", { class: "aew-band aew-approximate" });
  dot = element("span", { class: "aew-dot" });
  interval = element(
    "div",
    { class: "aew-interval", "aria-hidden": "true", hidden: "" },
    this.ends[0],
    element("div", { class: "aew-track" }, this.zero, this.band, this.within, this.dot),
    this.ends[1]
  );
  /** `goal` is shown in its panel, too. */
  constructor(goal) {
    this.node = element(
      "section",
      { class: "aew-estimate", "data-aew": "estimate", "aria-label": "Estimate" },
      this.title,
      this.value,
      this.intro,
      this.interval,
      this.sentence,
      this.approximate,
      this.note,
      this.warning,
      goal
    );
  }
  show(content) {
    const { dataset } = this.node;
    const written3 = (number) => String(number ?? "");
    dataset.value = written3(content.value);
    dataset.low = written3(content.low);
    dataset.high = written3(content.high);
    dataset.approximateLow = written3(content.approximate_low);
    dataset.approximateHigh = written3(content.approximate_high);
    setText(this.title, content.title);
    this.value.hidden = content.intro !== "";
    setText(this.value, content.headline);
    this.intro.hidden = content.intro === "";
    setText(this.intro, content.intro);
    this.showInterval(content.bar);
    this.showSentence(content);
    setText(this.approximate, content.approximate);
    setText(this.note, content.note);
    this.warning.hidden = content.warning === "";
    setText(this.warning, content.warning);
  }
  // The interval in it stands out. Who hears it is told the value, too.
  showSentence({ spoken, sentence, interval }) {
    const whole = `${spoken}${sentence}`;
    if (this.sentence.dataset.whole === whole) return;
    this.sentence.dataset.whole = whole;
    const at = interval === "" ? -1 : sentence.indexOf(interval);
    const parts = at < 0 ? [sentence] : [sentence.slice(0, at), element("strong", {}, interval), sentence.slice(at + interval.length)];
    this.sentence.replaceChildren(element("span", { class: "aew-visually-hidden" }, spoken), ...parts);
  }
  showInterval(content) {
    this.interval.hidden = content === null;
    if (content === null) return;
    content.ends.forEach((text, i) => {
      setText(this.ends[i], text);
    });
    this.band.style.left = percent(content.low);
    this.band.style.right = percent(1 - content.high);
    this.band.classList.toggle("aew-approximate", content.is_approximate);
    this.within.hidden = content.within === null;
    this.within.style.left = percent(content.within?.low ?? 0);
    this.within.style.right = percent(1 - (content.within?.high ?? 1));
    this.dot.hidden = content.value === null;
    this.dot.style.left = percent(content.value ?? 0);
    this.zero.hidden = content.zero === null;
    this.zero.style.left = percent(content.zero ?? 0);
  }
};

// src/panels/interval_table.ts
var IntervalTable = class {
  constructor(name, title) {
    this.title = title;
    this.node = element(
      "section",
      { class: `aew-interval-table aew-${name}`, "data-aew": name, "aria-label": title },
      element("h2", {}, title),
      this.body,
      this.summary
    );
  }
  title;
  node;
  summary = element("p");
  body = element("div");
  show(content) {
    setText(this.summary, content.summary);
    this.body.replaceChildren(tableOf(content, this.title));
  }
};
function tableOf({ columns, rows, whole, zero = null, scale }, title) {
  const ends = element(
    "span",
    { class: "aew-scale", "aria-hidden": "true" },
    ...scale.ends.map((text) => element("span", {}, text))
  );
  const head = element(
    "tr",
    {},
    ...columns.map((text) => element("th", { scope: "col" }, text)),
    element(
      "th",
      { scope: "col", class: "aew-bars" },
      element("span", { class: "aew-visually-hidden" }, "Interval"),
      ends
    )
  );
  return element(
    "div",
    { class: "aew-table", tabindex: "0", role: "region", "aria-label": `${title}, as a table` },
    element(
      "table",
      {},
      element("thead", {}, head),
      element("tbody", {}, ...rows.map((row) => rowOf(row, whole, zero, scale)))
    )
  );
}
function rowOf(row, whole, zero, scale) {
  const share = (value) => (value - scale.low) / (scale.high - scale.low);
  const track = element("span", { class: "aew-track", "aria-hidden": "true" });
  if (row.is_told) {
    const band = element("span", { class: "aew-band" });
    band.style.left = percent(share(row.low));
    band.style.width = percent(share(row.high) - share(row.low));
    track.append(band);
  }
  if (zero !== null) track.append(placed2("aew-zero aew-at-zero", share(zero)));
  if (whole !== null && row.has_line)
    track.append(placed2(zero === null ? "aew-zero" : "aew-zero aew-whole", share(whole)));
  if (row.is_told && row.at !== null) track.append(placed2("aew-dot", share(row.at)));
  return element(
    "tr",
    { title: `${row.name}: ${row.interval}`, class: row.is_out ? "aew-out" : "" },
    element("th", { scope: "row", dir: "auto" }, ...colorOf(row), row.name),
    element("td", {}, row.note),
    element("td", {}, row.value),
    element("td", { class: "aew-bars" }, track, element("span", { class: "aew-visually-hidden" }, row.interval))
  );
}
function colorOf({ color }) {
  if (color === void 0) return [];
  const swatch2 = element("span", { class: "aew-row-color", "aria-hidden": "true" });
  swatch2.style.background = `var(--aew-${color})`;
  return [swatch2];
}
function placed2(name, at) {
  const mark = element("span", { class: name });
  mark.style.left = percent(at);
  return mark;
}

// src/panels/matrices.ts
var MOST_WIDE = 6;
var MARKS = { more: " ▲", less: " ▼", "": "" };
var SPOKEN = { more: " (more than the other model)", less: " (less than the other model)", "": "" };
var Matrices = class {
  node;
  heading = element("h2", {}, "Confusion matrices");
  summary = element("p");
  body = element("div", { class: "aew-side-by-side" });
  list = element("div", {
    class: "aew-table",
    tabindex: "0",
    role: "region",
    "aria-label": "Largest differences"
  });
  constructor() {
    this.node = element(
      "section",
      { class: "aew-matrices", "data-aew": "matrices", "aria-label": "Confusion matrices side by side" },
      this.heading,
      this.body,
      this.list,
      this.summary
    );
  }
  show({ heading, summary, classes, matrices, columns, rows }) {
    setText(this.heading, heading);
    setText(this.summary, summary);
    this.body.replaceChildren(...matrices.map((matrix) => matrixOf2(matrix, classes)));
    this.list.replaceChildren(...rows.length ? [listOf2(columns, rows)] : []);
  }
};
function matrixOf2({ name, cells }, classes) {
  const over = element(
    "tr",
    {},
    element("th", { scope: "col" }, "True"),
    element("th", { colspan: classes.length, scope: "colgroup" }, "Predicted")
  );
  const head = element(
    "tr",
    {},
    element("td"),
    ...classes.map((text) => element("th", { scope: "col", dir: "auto" }, text))
  );
  const rows = cells.map(
    (row, i) => element(
      "tr",
      {},
      element("th", { scope: "row", dir: "auto" }, classes[i]),
      ...row.map((cell, j) => {
        const td = element(
          "td",
          { title: cell.title, class: `${i === j ? "aew-right" : "aew-wrong"}${cell.mark ? " aew-apart" : ""}` },
          cell.text,
          element("span", { "aria-hidden": "true" }, MARKS[cell.mark]),
          element("span", { class: "aew-visually-hidden" }, SPOKEN[cell.mark])
        );
        td.style.setProperty("--aew-shade", `${Math.round(70 * Math.sqrt(cell.share))}%`);
        return td;
      })
    )
  );
  return element(
    "div",
    {
      class: `aew-table aew-matrix${classes.length > MOST_WIDE ? " aew-compact" : ""}`,
      tabindex: "0",
      role: "region",
      "aria-label": `Confusion matrix of ${name}`
    },
    element(
      "table",
      {},
      element("caption", { dir: "auto" }, name),
      element("thead", {}, over, head),
      element("tbody", {}, ...rows)
    )
  );
}
function listOf2(columns, rows) {
  return element(
    "table",
    {},
    element("caption", {}, "Largest differences, in points"),
    element("thead", {}, element("tr", {}, ...columns.map((text) => element("th", { scope: "col" }, text)))),
    element("tbody", {}, ...rows.map((row) => element("tr", {}, ...row.map((text) => element("td", {}, text)))))
  );
}

// src/panels/models.ts
var ModelsPanel = class {
  /** `choose` gets the positions of two models. */
  constructor(choose) {
    this.choose = choose;
    this.difference.node.hidden = true;
    this.node = this.all.node;
    const choice = element("div", { class: "aew-pair-choice" }, "Compare ", this.first, " with ", this.second);
    const heading = this.node.querySelector("h2") ?? "";
    this.node.prepend(element("div", { class: "aew-models-head" }, heading, choice));
    this.node.append(this.difference.node);
  }
  choose;
  node;
  all = new IntervalTable("models", "Models");
  difference = new IntervalTable("pair-difference", "Difference of two models");
  first = this.select("First model");
  second = this.select("Second model");
  show(content) {
    this.all.show(content);
    this.showPair(content.pair);
  }
  showPair({ names, chosen, difference }) {
    [this.first, this.second].forEach((select, i) => {
      const said = JSON.stringify(names);
      if (select.dataset.said !== said) {
        select.dataset.said = said;
        select.replaceChildren(
          element("option", { value: "" }, "…"),
          ...names.map((name, position) => element("option", { value: position }, name))
        );
        select.value = String(chosen?.[i] ?? "");
      }
    });
    this.forbidTheSame();
    this.difference.node.hidden = difference === null;
    if (difference !== null) this.difference.show(difference);
  }
  select(name) {
    return element("select", { "aria-label": name, onchange: () => this.chosen() });
  }
  chosen() {
    this.forbidTheSame();
    const pair = [this.first.value, this.second.value];
    if (pair.every((value) => value !== "") && pair[0] !== pair[1]) this.choose(pair.map(Number));
  }
  /** A model is not compared with itself. */
  forbidTheSame() {
    for (const [select, other] of [
      [this.first, this.second],
      [this.second, this.first]
    ]) {
      for (const option of select.options) option.disabled = option.value !== "" && option.value === other.value;
    }
  }
};

// src/dom/python_module.ts
async function importModule(source) {
  const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  try {
    const module = await import(url);
    return module.default;
  } finally {
    URL.revokeObjectURL(url);
  }
}

// src/panels/outside_panel.ts
var OutsidePanel = class {
  constructor(module, use) {
    this.module = module;
    const { name, title } = module;
    this.node = element("section", { "data-aew": `${name}-panel`, "aria-label": title }, this.problem);
    void this.load(use);
  }
  module;
  node;
  problem = element("p", { class: "aew-warning", hidden: "" });
  drawn = null;
  latest = null;
  isClosed = false;
  show(content) {
    this.latest = { content };
    this.draw();
  }
  close() {
    this.isClosed = true;
    this.drawn?.close?.();
  }
  async load(use) {
    try {
      const build = await importModule(this.module.source);
      if (this.isClosed) return;
      this.drawn = build(use);
      this.node.prepend(this.drawn.node);
    } catch (error) {
      this.tell(error);
    }
    this.draw();
  }
  draw() {
    if (this.drawn === null || this.latest === null) return;
    try {
      this.drawn.show(this.latest.content);
      this.problem.hidden = true;
    } catch (error) {
      this.tell(error);
    }
  }
  tell(error) {
    const reason = error instanceof Error ? error.message : String(error);
    setText(this.problem, `“${this.module.title}” can't be shown. The browser says: ${reason}`);
    this.problem.hidden = false;
  }
};

// src/panels/people.ts
var PeoplePanel = class {
  constructor(use) {
    this.use = use;
    this.rename = element(
      "button",
      { type: "button", class: "aew-action", "data-action": "rename", onclick: () => use.rename(), hidden: "" },
      "Not you?"
    );
    this.node = element(
      "section",
      { class: "aew-people", "data-aew": "people", "aria-label": "Who labels", hidden: "" },
      element("div", { class: "aew-people-head" }, element("h2", {}, "Who labels"), this.rename),
      this.people,
      this.differences
    );
  }
  use;
  node;
  people = element("ul", { class: "aew-persons" });
  heading = element("h3");
  list = element("ul", { class: "aew-disagreements" });
  differences = element("div", { hidden: "" }, this.heading, this.list);
  rename;
  shown = "";
  show(content) {
    this.node.hidden = false;
    const said = JSON.stringify(content);
    if (said === this.shown) return;
    this.shown = said;
    this.rename.hidden = !content.can_rename || content.who === null;
    this.people.replaceChildren(...content.people.map((person) => this.person(person)));
    this.differences.hidden = content.disagreements.length === 0;
    const { n_open } = content;
    const what = n_open === 1 ? "1 disagreement to decide" : `${n_open} disagreements to decide`;
    setText(this.heading, n_open === 0 ? "All disagreements are decided" : what);
    this.list.replaceChildren(...content.disagreements.map((each) => this.disagreement(each)));
  }
  person({ who, text, is_here, is_you }) {
    return element(
      "li",
      { "data-who": who },
      element("span", { class: is_here ? "aew-here" : "aew-away", title: is_here ? "here" : "away" }),
      element("strong", {}, who),
      is_you ? " (you)" : "",
      `: ${text}`,
      element("span", { class: "aew-visually-hidden" }, is_here ? "" : " (away)")
    );
  }
  disagreement({ index, id, answers, decided }) {
    const look = element(
      "button",
      { type: "button", class: "aew-action aew-look", onclick: () => this.use.goTo(index) },
      id
    );
    const choices = answers.map(
      ({ who, text, value }) => value === void 0 ? element("span", {}, `${who}: ${text}`) : element(
        "button",
        {
          type: "button",
          class: "aew-action",
          "data-adjudicate": String(index),
          title: `Let ${text} count`,
          onclick: () => this.use.adjudicate(index, value, `${id}: ${text}`)
        },
        `${who}: ${text}`
      )
    );
    const row = element("li", { "data-index": String(index) }, look, ...choices);
    if (decided !== null) {
      row.classList.add("aew-decided");
      row.append(element("span", { class: "aew-muted" }, decided));
    }
    return row;
  }
};

// src/panels/index.ts
var PANELS = {
  estimate: { title: "Estimate", build: ({ goal }) => new EstimatePanel(goal) },
  models: { title: "Models", build: ({ choosePair }) => new ModelsPanel(choosePair) },
  trajectory: {
    title: "Estimate after each label",
    build: ({ goTo, table }) => new PlotPanel("trajectory", goTo, table)
  },
  distribution: {
    title: "Which instances are asked",
    build: ({ goTo, table }) => new PlotPanel("distribution", goTo, table)
  },
  interval: {
    title: "How wide the interval is",
    isHiddenAtFirst: true,
    build: ({ goTo, table }) => new PlotPanel("interval", goTo, table)
  },
  evidence: {
    title: "Evidence against each value",
    isHiddenAtFirst: true,
    build: ({ goTo, table }) => new PlotPanel("evidence", goTo, table)
  },
  differing: {
    title: "Where the models differ",
    isHiddenAtFirst: true,
    build: (use) => new DifferingPanel(use)
  },
  matrices: { title: "Confusion matrices side by side", isHiddenAtFirst: true, build: () => new Matrices() },
  each: {
    title: "Each model by itself",
    isHiddenAtFirst: true,
    build: () => new IntervalTable("each", "Each model by itself")
  },
  groups: { title: "By group", build: () => new IntervalTable("groups", "By group") },
  judge: {
    title: "Can the judge be trusted?",
    isHiddenAtFirst: true,
    build: () => new IntervalTable("judge", "Can the judge be trusted?")
  },
  calibration: {
    title: "How often predictions are right, by how sure they are",
    isHiddenAtFirst: true,
    build: ({ goTo, table }) => new PlotPanel("calibration", goTo, table)
  },
  confusion: { title: "Confusion matrix", isHiddenAtFirst: true, build: () => new ConfusionMatrix() }
};
var PANEL_NAMES = Object.entries(PANELS).map(([name, { title, isHiddenAtFirst = false }]) => ({
  name,
  title,
  isHiddenAtFirst
}));
var Panels = class {
  constructor(use) {
    this.use = use;
    for (const [name, { build }] of Object.entries(PANELS)) this.panels.set(name, build(use));
    this.panels.set("people", new PeoplePanel(use));
  }
  use;
  panels = /* @__PURE__ */ new Map();
  get nodes() {
    return [...this.panels.values()].map(({ node }) => node);
  }
  /** Takes in a panel from outside this package; null if it is there already. */
  add(module) {
    if (this.panels.has(module.name)) return null;
    const panel = new OutsidePanel(module, { element, goTo: this.use.goTo });
    this.panels.set(module.name, panel);
    return panel.node;
  }
  /** Shows what has come of them, by their names. */
  show(contents) {
    for (const [name, content] of Object.entries(contents)) {
      if (content && name === "wealth") {
        this.trajectory.offer(name, content, "Evidence");
      } else if (content) this.panels.get(name)?.show(content);
    }
  }
  /** Draws the plot of this name on another surface from now on. */
  draw(name, surface) {
    if (name === "wealth") this.trajectory.use(surface, name);
    else this.panels.get(name)?.use(surface);
  }
  /** Shows a plot as large as the window: the one that has the focus, else the first. */
  enlarge() {
    const plots = [...this.panels.values()].flatMap((panel) => "enlarge" in panel ? [panel] : []);
    const shown = plots.filter(({ node }) => node.getClientRects().length > 0);
    (shown.find(({ node }) => node.contains(focusedFrom(node))) ?? shown[0])?.enlarge();
  }
  get trajectory() {
    return this.panels.get("trajectory");
  }
  /** Scrolls to a panel, as far as it takes. */
  reveal(name) {
    this.panels.get(name)?.node.scrollIntoView({ block: "nearest" });
  }
  close() {
    for (const panel of this.panels.values()) panel.close?.();
  }
};

// src/dom/browser_storage.ts
function remembered(name, fallback, place = "localStorage") {
  try {
    return JSON.parse(window[place].getItem(name) ?? "null") ?? fallback;
  } catch {
    return fallback;
  }
}
function remember(name, value, place = "localStorage") {
  try {
    window[place].setItem(name, JSON.stringify(value));
  } catch {
  }
}

// src/dom/double_click.ts
var DOUBLE_CLICK = 400;
function onceClicked(act) {
  let last = Number.NEGATIVE_INFINITY;
  return (event) => {
    if (event.detail > 1 && event.timeStamp - last < DOUBLE_CLICK) return;
    last = event.timeStamp;
    act(event);
  };
}

// src/panels/goal.ts
var EXPLAINED = "The page shows how many more labels it takes and when you can stop. Leave a field empty if it doesn't matter. A “likely” range holds about four times in five.";
var GoalPanel = class {
  /** `send` gets the goal's parts by name, numbers or null. */
  constructor(send, act) {
    this.send = send;
    const change = element(
      "button",
      { type: "button", class: "aew-action", "data-action": "goal", onclick: onceClicked(() => act("goal")) },
      "Change goal"
    );
    this.result = element("button", {
      type: "button",
      class: "aew-see-result",
      "data-action": "result",
      hidden: "",
      onclick: onceClicked(() => act("result"))
    });
    this.box = element("div", { class: "aew-goal-box" }, this.advice, change, this.result, this.lines);
    this.dialog = makeDialog(
      "goal",
      "Goal",
      element("p", { class: "aew-explained" }, EXPLAINED),
      this.fields,
      element(
        "button",
        { type: "button", class: "aew-label aew-quiet", onclick: () => this.submit() },
        keyCap("Enter"),
        "Set goal"
      )
    );
    this.fields.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.isComposing || event.repeat) return;
      event.preventDefault();
      event.stopPropagation();
      this.submit();
    });
  }
  send;
  box;
  dialog;
  /** The way to the result, offered once the goal is reached. */
  result;
  lines = element("div", { class: "aew-plan", "data-aew": "plan" });
  advice = element("p", { class: "aew-advice", "aria-live": "polite", "data-aew": "advice" });
  fields = element("div");
  inputs = /* @__PURE__ */ new Map();
  scope = "";
  hasResult = true;
  /** Offer no way to the result: where the estimate stands by itself, there is none. */
  leaveOutResult() {
    this.hasResult = false;
  }
  /** What was wanted the last time for such a session is wanted again. */
  begin(scope) {
    this.scope = `activeeval-widgets:goal:${scope}`;
    const kept = remembered(this.scope, null);
    if (kept !== null && typeof kept === "object") this.send(kept);
  }
  /** The first field has the focus, so that what is typed takes the place of what is there. */
  open() {
    this.dialog.showModal();
    const [first] = this.inputs.values();
    first?.focus();
    first?.select();
  }
  show({ lines, advice, fields }) {
    const said = lines.length === 0 && advice === "" ? ["No goal set."] : lines;
    this.lines.replaceChildren(...said.map((line) => element("p", {}, line)));
    setText(this.advice, advice);
    this.result.hidden = advice === "" || !this.hasResult;
    if (this.dialog.open) return;
    this.inputs.clear();
    this.fields.replaceChildren(
      ...fields.map(({ name, text, unit, value }) => {
        const least = name === "threshold" ? {} : { min: "0" };
        const input = element("input", { type: "number", step: "any", name, ...least });
        input.value = String(value ?? "");
        this.inputs.set(name, input);
        return element("label", { class: "aew-field" }, element("span", {}, text), input, element("span", {}, unit));
      })
    );
  }
  submit() {
    const goal = {};
    for (const [name, input] of this.inputs) {
      if (!input.reportValidity()) return;
      goal[name] = input.value === "" ? null : input.valueAsNumber;
    }
    this.dialog.close();
    const { margin: _, ...own } = goal;
    remember(this.scope, own);
    this.send(goal);
  }
};

// src/panels/panel_choice.ts
var STORAGE = "activeeval-widgets:panels";
var WALD = "Also show the Wald interval (dashed). It is valid only for a number of labels fixed in advance: stopping when it looks good makes it too optimistic.";
var PanelChoice = class {
  /** `onOpened` is told, once the dialog is closed, which panel was opened in it. */
  constructor(panels, onChange, onOpened = () => {
  }) {
    this.onChange = onChange;
    this.onOpened = onOpened;
    this.titles = new Map(panels.map(({ name, title }) => [name, title]));
    const { kept } = this;
    const order = Array.isArray(kept.order) ? kept.order.filter((name) => this.titles.has(name)) : [];
    this.order = [...order, ...[...this.titles.keys()].filter((name) => !order.includes(name))];
    const atFirst = panels.filter(({ isHiddenAtFirst }) => isHiddenAtFirst).map(({ name }) => name);
    const isNew = (name) => !order.includes(name);
    this.hidden = new Set(Array.isArray(kept.hidden) ? [...kept.hidden, ...atFirst.filter(isNew)] : atFirst);
    this.isLabelerView = kept.isLabelerView === true;
    this.showsWald = kept.showsWald === true;
    const labeler = checkbox("Labeler's view: hide the estimate and the plots", this.isLabelerView, (isOn) => {
      this.isLabelerView = isOn;
      this.changed();
    });
    labeler.dataset.panel = "labeler";
    const wald = checkbox(WALD, this.showsWald, (isOn) => {
      this.showsWald = isOn;
      this.changed();
    });
    wald.dataset.panel = "wald";
    this.dialog = makeDialog("panels", "View", this.rows, wald, labeler);
    this.dialog.addEventListener("close", () => {
      if (this.opened !== null) this.onOpened(this.opened);
      this.opened = null;
    });
    this.buildRows();
  }
  onChange;
  onOpened;
  dialog;
  isLabelerView;
  showsWald;
  titles;
  kept = remembered(STORAGE, {});
  /** Those of panels from outside this package, which no style sheet knows. */
  nodes = /* @__PURE__ */ new Map();
  order;
  hidden;
  rows = element("div", { class: "aew-panel-rows" });
  root = null;
  /** The panel that was opened last, while the dialog is open. */
  opened = null;
  /** Takes in a panel from outside this package: at the end, or where it was when the browser last showed it. */
  add(name, title, node) {
    this.titles.set(name, title);
    this.nodes.set(name, node);
    const order = Array.isArray(this.kept.order) ? this.kept.order : [];
    const at = order.indexOf(name);
    const next = at < 0 ? -1 : this.order.findIndex((other) => order.indexOf(other) > at);
    this.order.splice(next < 0 ? this.order.length : next, 0, name);
    node.style.order = `var(--aew-order-${name})`;
    this.buildRows();
    this.apply();
  }
  /** The names of the panels from outside this package that are shown. */
  get shown() {
    return [...this.nodes.keys()].filter((name) => this.isShown(name));
  }
  isShown(name) {
    return !this.hidden.has(name) && !this.isLabelerView;
  }
  /** The app itself shows nothing of the estimate: there is nothing to choose. */
  keepLabelerView() {
    this.isLabelerView = true;
    this.apply();
  }
  /** From now on, the choice holds for an app. */
  applyTo(root) {
    this.root = root;
    this.apply();
  }
  toggle() {
    if (this.dialog.open) this.dialog.close();
    else this.dialog.showModal();
  }
  apply() {
    const { root } = this;
    if (root === null) return;
    root.dataset.hiddenPanels = [...this.hidden].join(" ");
    root.toggleAttribute("data-labeler-view", this.isLabelerView);
    for (const [name, node] of this.nodes) node.style.display = this.hidden.has(name) ? "none" : "";
    this.order.forEach((name, i) => {
      root.style.setProperty(`--aew-order-${name}`, String(i));
    });
  }
  changed() {
    const { order, isLabelerView, showsWald } = this;
    remember(STORAGE, { order, hidden: [...this.hidden], isLabelerView, showsWald });
    this.apply();
    this.onChange();
  }
  buildRows() {
    this.rows.replaceChildren(
      ...this.order.map((name, i) => {
        const title = this.titles.get(name) ?? name;
        const box = checkbox(title, !this.hidden.has(name), (isOn) => {
          if (isOn) this.hidden.delete(name);
          else this.hidden.add(name);
          this.opened = isOn ? name : null;
          this.changed();
        });
        const move = (step, text) => element(
          "button",
          {
            type: "button",
            class: "aew-action",
            "aria-label": `Move ${title} ${text}`,
            title: `Move ${text}`,
            "data-move": text,
            disabled: i + step in this.order ? null : "",
            onclick: () => this.move(name, step, text)
          },
          step < 0 ? "↑" : "↓"
        );
        return element("div", { class: "aew-panel-row", "data-panel": name }, box, move(-1, "up"), move(1, "down"));
      })
    );
  }
  /** Whether such a session has no such panel: nobody sees that it is there. */
  isAbsent(name) {
    return this.root?.hasAttribute(`data-no-${name}`) === true;
  }
  move(name, step, text) {
    const from = this.order.indexOf(name);
    let to = from + step;
    while (this.isAbsent(this.order[to]) && to + step in this.order) to += step;
    this.order.splice(to, 0, ...this.order.splice(from, 1));
    this.buildRows();
    const row = this.rows.children[to];
    const again = row.querySelector(`[data-move="${text}"]:enabled`);
    (again ?? row.querySelector("button:enabled"))?.focus();
    this.changed();
  }
};
function checkbox(text, isOn, change) {
  const box = element("input", { type: "checkbox", onchange: () => change(box.checked) });
  box.checked = isOn;
  return element("label", {}, box, text);
}

// src/result/result_screen.ts
var BETWEEN = 0.04;
var ResultScreen = class {
  constructor(callbacks) {
    this.callbacks = callbacks;
    this.goOn = button("Label more", "go_on", callbacks.goOn);
    this.allDiffering = button(
      "All labels where they differ",
      "list_differing",
      () => callbacks.listDiffering(this.pair)
    );
    this.aboutTwo = element("div", { class: "aew-outcome-two", hidden: "" }, this.about, this.allDiffering);
    this.mistakes = element(
      "div",
      { class: "aew-card aew-outcome-mistakes" },
      element("div", { class: "aew-mistakes-head" }, this.mistakesTitle, this.mistakesHint),
      this.list,
      this.aboutTwo
    );
    this.chart = new Chart(new SvgSurface(), callbacks.goTo);
    const buttons = [this.copy, this.files.html, this.files.labels, this.goOn, this.more];
    const card = element(
      "div",
      { class: "aew-card aew-outcome-card" },
      this.badge,
      this.answer,
      this.confidence,
      this.bar.node,
      this.caveats,
      this.figures,
      this.models.node,
      element("div", { class: "aew-outcome-buttons" }, ...buttons),
      this.copiedText
    );
    this.plot = element(
      "div",
      { class: "aew-card aew-outcome-plot aew-panel" },
      this.plotTitle,
      this.legend,
      this.chart.box
    );
    this.node = element(
      "section",
      { class: "aew-outcome", "data-aew": "result", "aria-labelledby": "aew-outcome-answer", hidden: "" },
      element("div", { class: "aew-outcome-top" }, card, this.plot),
      this.mistakes
    );
  }
  callbacks;
  node;
  copied = "";
  pair = [];
  // the two models that are told of
  urls = [];
  badge = element("p", { class: "aew-outcome-badge" });
  answer = element("h2", { class: "aew-answer", id: "aew-outcome-answer", tabindex: "-1" });
  confidence = element("p", { class: "aew-outcome-confidence" });
  caveats = element("div", { class: "aew-outcome-caveats" });
  bar = new Bar();
  figures = element("dl", { class: "aew-outcome-figures" });
  copiedText = element("span", { class: "aew-outcome-copied", role: "status" });
  copy = button("Copy the answer", "copy", () => this.copyAnswer(), true);
  goOn;
  files = {
    html: this.fileButton("Report (HTML)", "html"),
    labels: this.fileButton("Labels (CSV)", "labels"),
    markdown: this.fileButton("Report (Markdown)", "markdown"),
    events: this.fileButton("All events (CSV)", "events")
  };
  more = element(
    "details",
    { class: "aew-outcome-more" },
    element("summary", {}, "More files"),
    this.files.markdown,
    this.files.events
  );
  plotTitle = element("h3");
  legend = element("ul", { class: "aew-legend" });
  chart;
  plot;
  mistakesTitle = element("h3");
  models = new IntervalTable("result-models", "Models");
  mistakesHint = element("span", { class: "aew-outcome-hint" });
  list = element("ul", { class: "aew-mistakes" });
  about = element("p", { class: "aew-outcome-about" });
  allDiffering;
  aboutTwo;
  mistakes;
  get isOpen() {
    return !this.node.hidden;
  }
  open() {
    this.node.hidden = false;
    this.node.scrollTop = 0;
    setText(this.copiedText, "");
    this.callbacks.ask();
    this.answer.focus({ preventScroll: true });
  }
  close() {
    this.node.hidden = true;
  }
  show(content, thumbnails) {
    const { badge, answer, confidence, caveats, figures, is_whole, plot } = content;
    this.copied = content.copy;
    setText(this.badge, badge);
    setText(this.answer, answer);
    setText(this.confidence, confidence);
    this.confidence.hidden = confidence === "";
    this.caveats.replaceChildren(...caveats.map((text) => element("p", {}, text)));
    this.bar.show(content.bar);
    this.figures.replaceChildren(
      ...figures.map(
        ({ value, text, title }) => element("div", { title: title || null }, element("dt", {}, value), element("dd", {}, text))
      )
    );
    for (const node of [this.copy, ...Object.values(this.files), this.more]) node.hidden = !is_whole;
    this.goOn.hidden = !content.can_go_on;
    this.goOn.classList.toggle("aew-main", !is_whole);
    this.models.node.hidden = !content.models;
    if (content.models) this.models.show(content.models);
    this.plot.hidden = !plot;
    if (plot) {
      setText(this.plotTitle, plot.heading);
      this.legend.replaceChildren(...legendOf(plot.legend));
      this.chart.show(plot);
    }
    this.node.classList.toggle("aew-alone", !plot);
    this.showMistakes(content.mistakes ?? null, thumbnails);
  }
  /** Draws its plot on another surface from now on. */
  use(surface) {
    this.chart.use(surface);
  }
  /** Forget what it shows. */
  forget() {
    this.revokeUrls();
    this.chart.close();
    this.bar.close();
  }
  fileButton(text, kind) {
    return button(text, `save_${kind}`, () => this.callbacks.save(kind));
  }
  revokeUrls() {
    for (const url of this.urls) URL.revokeObjectURL(url);
    this.urls = [];
  }
  showMistakes(content, thumbnails) {
    this.revokeUrls();
    const about = content?.about ?? [];
    this.mistakes.hidden = content === null || content.rows.length === 0 && about.length === 0;
    this.aboutTwo.hidden = about.length === 0;
    this.pair = content?.pair ?? [];
    this.allDiffering.hidden = this.pair.length === 0;
    setText(this.about, about.join(" "));
    if (content === null) {
      this.list.replaceChildren();
      return;
    }
    setText(this.mistakesTitle, content.heading);
    setText(this.mistakesHint, content.hint);
    this.list.replaceChildren(...content.rows.map((row) => element("li", {}, this.mistake(row, thumbnails))));
  }
  mistake({ index, truth, said, sureness, ...row }, thumbnails) {
    let shown = element("span", { class: "aew-mistake-text", dir: "auto" }, row.content || row.id);
    if (row.thumbnail !== void 0) {
      const url = URL.createObjectURL(new Blob([thumbnails[row.thumbnail]], { type: row.mime }));
      this.urls.push(url);
      const kind = row.is_pixelated ? "aew-pixelated" : null;
      shown = element("img", { src: url, alt: `Instance ${row.id}`, class: kind });
    }
    const told = truth === "" ? [said] : ["labeled ", element("strong", {}, truth), `, predicted ${said} `];
    return element(
      "button",
      {
        type: "button",
        class: "aew-mistake",
        "data-index": index,
        onclick: onceClicked(() => this.callbacks.goTo(index))
      },
      shown,
      element("span", { class: "aew-mistake-said" }, ...told, element("span", { class: "aew-sureness" }, sureness))
    );
  }
  async copyAnswer() {
    if (this.copied === "") return;
    try {
      await copyText(this.copied);
      setText(this.copiedText, "Copied.");
    } catch (error) {
      setText(this.copiedText, `Not copied: ${error instanceof Error ? error.message : error}.`);
    }
    this.copy.focus({ preventScroll: true });
  }
};
var Bar = class {
  band = element("span", { class: "aew-band" });
  within = element("span", { class: "aew-band aew-approximate" });
  dot = element("span", { class: "aew-dot" });
  zero = element("span", { class: "aew-zero" });
  ends = [element("span", { class: "aew-end" }), element("span", { class: "aew-end" })];
  node = element(
    "div",
    { class: "aew-outcome-bar", "aria-hidden": "true" },
    element("div", { class: "aew-track" }, this.zero, this.band, this.within, this.dot),
    ...this.ends
  );
  shown = null;
  widths = new ResizeObserver(() => this.placeTexts());
  constructor() {
    this.widths.observe(this.node);
  }
  show(content) {
    this.node.hidden = content === null;
    if (content === null) return;
    this.band.style.left = percent(content.low);
    this.band.style.right = percent(1 - content.high);
    this.band.classList.toggle("aew-approximate", content.is_approximate);
    this.within.hidden = content.within === null;
    this.within.style.left = percent(content.within?.low ?? 0);
    this.within.style.right = percent(1 - (content.within?.high ?? 1));
    this.dot.style.left = percent(content.value);
    this.zero.hidden = content.zero === null;
    this.zero.style.left = percent(content.zero ?? 0);
    content.texts.forEach((text, i) => {
      setText(this.ends[i], text);
    });
    this.shown = content;
    this.placeTexts();
  }
  close() {
    this.widths.disconnect();
  }
  /** How wide texts are, and the bar, is known once they are on the page. */
  placeTexts() {
    if (this.shown === null) return;
    const whole = this.node.clientWidth || 1;
    const [left, right] = this.ends.map((end) => end.offsetWidth / whole);
    const places = textPlaces(this.shown.low, this.shown.high, [left, right]);
    places.forEach((place, i) => {
      this.ends[i].style.left = percent(place);
    });
  }
};
function textPlaces(low, high, widths) {
  const [first, second] = widths.map((width) => width / 2);
  const apart = Math.max(0, first + second + BETWEEN - (high - low)) / 2;
  const room = first + second + BETWEEN;
  const left = Math.min(Math.max(low - apart, first), 1 - second - room);
  const right = Math.max(Math.min(high + apart, 1 - second), left + room);
  return [left, right];
}
function button(text, name, act, isMain = false) {
  return element(
    "button",
    { type: "button", class: isMain ? "aew-main" : "", "data-action": name, onclick: onceClicked(act) },
    text
  );
}

// src/labels/text_search.ts
var folded = (text) => text.normalize("NFKD").replace(/\p{Mn}/gu, "").toLowerCase();
function fit(text, typed) {
  if (text.startsWith(typed)) return text === typed ? 0 : 1;
  const words = text.split(/[^\p{L}\p{N}]+/u);
  if (words.some((word) => word.startsWith(typed))) return 2;
  const parts = typed.split(/\s+/).filter(Boolean);
  return parts.length > 0 && parts.every((part) => words.some((word) => word.startsWith(part))) ? 3 : null;
}
function found(texts, typed, recent = []) {
  if (typed === "") return texts.map((_, i) => i);
  const fits = /* @__PURE__ */ new Map();
  texts.forEach((text, i) => {
    const fitting = fit(text, typed);
    if (fitting !== null) fits.set(i, fitting);
  });
  const badness = (i) => fits.get(i) ?? Number.POSITIVE_INFINITY;
  const age = (i) => recent.includes(i) ? recent.indexOf(i) : recent.length;
  return [...fits.keys()].sort(
    (i, j) => Number(badness(i) !== 0) - Number(badness(j) !== 0) || age(i) - age(j) || badness(i) - badness(j) || i - j
  );
}

// src/answers/exclusion_reasons.ts
var ExclusionReasons = class {
  // the reason that what is typed begins
  constructor(exclude) {
    this.exclude = exclude;
    const submit = () => this.done(this.found ?? this.field.value.trim());
    const other = element(
      "div",
      { class: "aew-reason-other" },
      this.field,
      element("button", { type: "button", class: "aew-label aew-quiet", onclick: submit }, keyCap("Enter"), this.what)
    );
    this.field.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.isComposing || event.repeat) return;
      event.preventDefault();
      submit();
    });
    this.dialog = makeDialog(
      "exclude_because",
      "Why can't it be labeled?",
      element("p", {}, "Exclude by what an instance is, never by what came before: the interval relies on it."),
      this.list,
      other
    );
    this.dialog.addEventListener("keydown", (event) => this.pressed(event));
  }
  exclude;
  dialog;
  list = element("div", { class: "aew-reasons" });
  what = element("span");
  field = element("input", {
    type: "text",
    "aria-label": "Another reason",
    placeholder: "Type to find a reason or to add one",
    maxlength: "500",
    oninput: () => this.find()
  });
  reasons = [];
  found = null;
  setReasons(reasons) {
    this.reasons = reasons;
    this.list.replaceChildren(
      ...reasons.map(
        (reason, i) => element(
          "button",
          { type: "button", class: "aew-label aew-quiet", onclick: () => this.done(reason) },
          ...i < 9 ? [keyCap(String(i + 1))] : [],
          element("span", {}, reason)
        )
      )
    );
  }
  open() {
    this.field.value = "";
    this.find();
    this.dialog.showModal();
    const first = this.list.firstElementChild;
    (first instanceof HTMLElement ? first : this.field).focus();
  }
  find() {
    const typed = folded(this.field.value.trim());
    this.found = typed === "" ? null : this.reasons.find((reason) => folded(reason).startsWith(typed)) ?? null;
    [...this.list.children].forEach((button3, i) => {
      button3.toggleAttribute("data-found", this.reasons[i] === this.found);
    });
    const asTyped = this.field.value.trim() !== "" ? "Exclude: as typed" : "Exclude";
    setText(this.what, this.found !== null ? `Exclude: ${this.found}` : asTyped);
  }
  done(reason) {
    this.dialog.close();
    this.exclude(reason);
  }
  pressed(event) {
    if (isForeign(event) || event.repeat || isTextField(event.target)) return;
    const chosen = /^[1-9]$/.test(event.key) ? this.reasons[Number(event.key) - 1] : void 0;
    if (chosen !== void 0) {
      this.done(chosen);
    } else if (event.key.length === 1 && event.key !== " ") {
      this.field.focus();
      this.field.value += event.key;
      this.find();
    } else return;
    event.preventDefault();
  }
};

// src/answers/note_field.ts
var NoteField = class {
  // the field may still be open when the next instance is shown
  constructor(callbacks) {
    this.callbacks = callbacks;
    const button3 = (key, text, isSaved) => element("button", { type: "button", class: "aew-action", onclick: () => this.close(isSaved) }, keyCap(key), text);
    this.node = element(
      "div",
      { class: "aew-note-field", hidden: "", onkeydown: (event) => this.pressed(event) },
      element("label", {}, element("span", {}, "Note"), this.field),
      button3("Enter", "Save note", true),
      button3("Esc", "Cancel", false)
    );
  }
  callbacks;
  node;
  field = element("textarea", {
    rows: "2",
    class: "aew-note-text",
    "data-aew": "note",
    maxlength: "10000"
  });
  about = null;
  open(about, text) {
    this.about = about;
    this.field.value = text;
    this.field.setAttribute("aria-label", `Note on ${about.id}`);
    this.node.hidden = false;
    this.field.focus({ preventScroll: true });
    this.field.setSelectionRange(text.length, text.length);
  }
  close(isSaved) {
    const { about } = this;
    if (about === null) return;
    this.about = null;
    this.node.hidden = true;
    if (isSaved) this.callbacks.save(about, this.field.value.trim());
    this.callbacks.leave();
  }
  pressed(event) {
    if (event.isComposing || event.target !== this.field) return;
    if (event.key === "Enter" && !event.shiftKey) this.close(true);
    else if (event.key === "Escape") this.close(false);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
};

// src/answers/unsaved_banners.ts
var UnsavedBanners = class {
  constructor(unsaved) {
    this.unsaved = unsaved;
    const button3 = (text, onclick, name) => element("button", { type: "button", class: "aew-action", "data-keeping": name, onclick }, text);
    const alert = { class: "aew-banner", role: "alert", hidden: "" };
    const read = () => {
      unsaved.read();
      this.paint();
    };
    this.rescue = button3("Save to a new file", () => unsaved.rescue(), "rescue");
    this.banner = element(
      "div",
      { ...alert, "data-aew": "unsaved" },
      this.text,
      button3("Try again", () => unsaved.tryAgain(), "try_again"),
      this.rescue
    );
    this.notices = element("div", { ...alert, "data-aew": "notice" }, this.notice, button3("OK", read, "read_notice"));
    this.nodes = [this.banner, this.notices];
  }
  unsaved;
  nodes;
  banner;
  notices;
  text = element("span");
  notice = element("span");
  rescue;
  paint() {
    const { text, notice, canRescue } = this.unsaved;
    this.banner.hidden = text === null;
    if (text !== null) setText(this.text, text);
    this.rescue.hidden = !canRescue;
    this.notices.hidden = notice === null;
    setText(this.notice, notice ?? "");
  }
};

// src/from_python/safe_elements.ts
var SAFE = {
  "tags": [
    "a",
    "b",
    "bdi",
    "blockquote",
    "br",
    "caption",
    "code",
    "dd",
    "del",
    "div",
    "dl",
    "dt",
    "em",
    "figcaption",
    "figure",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "i",
    "img",
    "ins",
    "kbd",
    "li",
    "mark",
    "ol",
    "p",
    "pre",
    "q",
    "s",
    "samp",
    "section",
    "small",
    "span",
    "strong",
    "sub",
    "sup",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "tr",
    "u",
    "ul",
    "var"
  ],
  "attributes": {
    "*": {
      "class": "(?:aew-answers|aew-aside|aew-block|aew-broken|aew-call|aew-card|aew-center|aew-code|aew-column|aew-conversation|aew-cut|aew-half|aew-html|aew-large|aew-link|aew-long|aew-markdown|aew-missing|aew-muted|aew-one-by-one|aew-pair|aew-passage|aew-pre|aew-prompt|aew-prose|aew-query|aew-ranking|aew-record|aew-reference|aew-result|aew-result-body|aew-results|aew-row|aew-small|aew-thumbnail|aew-title|aew-turn|aew-unseen|aew-wide)(?: (?:aew-answers|aew-aside|aew-block|aew-broken|aew-call|aew-card|aew-center|aew-code|aew-column|aew-conversation|aew-cut|aew-half|aew-html|aew-large|aew-link|aew-long|aew-markdown|aew-missing|aew-muted|aew-one-by-one|aew-pair|aew-passage|aew-pre|aew-prompt|aew-prose|aew-query|aew-ranking|aew-record|aew-reference|aew-result|aew-result-body|aew-results|aew-row|aew-small|aew-thumbnail|aew-title|aew-turn|aew-unseen|aew-wide))*",
      "dir": "auto|ltr|rtl",
      "lang": "[A-Za-z0-9-]{1,35}",
      "title": "[\\s\\S]*"
    },
    "a": {
      "href": "(?:[hH][tT]{2}[pP][sS]?://|[mM][aA][iI][lL][tT][oO]:)[^\\u0000-\\u0020\\u007f-\\u00a0]+"
    },
    "img": {
      "src": "data:image/(?:png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2}",
      "alt": "[\\s\\S]*",
      "width": "[0-9]{1,5}",
      "height": "[0-9]{1,5}"
    },
    "li": {
      "data-item": "[\\s\\S]*"
    },
    "ol": {
      "start": "-?[0-9]{1,9}"
    },
    "p": {
      "data-passage": "[0-9]{1,9}",
      "data-next": "[0-9]{1,12}"
    },
    "td": {
      "colspan": "[1-9][0-9]{0,2}",
      "rowspan": "[1-9][0-9]{0,2}",
      "scope": "row|col|rowgroup|colgroup"
    },
    "th": {
      "colspan": "[1-9][0-9]{0,2}",
      "rowspan": "[1-9][0-9]{0,2}",
      "scope": "row|col|rowgroup|colgroup"
    }
  }
};

// src/dom/safe_tree.ts
var SAFE_TAGS = new Set(SAFE.tags);
var SAFE_VALUES = Object.fromEntries(
  Object.entries(SAFE.attributes).map(([tag, names]) => [
    tag,
    Object.fromEntries(Object.entries(names).map(([name, pattern]) => [name, new RegExp(`^(?:${pattern})$`)]))
  ])
);
var SAFE_PROTOCOLS = /* @__PURE__ */ new Set(["http:", "https:", "mailto:"]);
function buildTree(node) {
  const [tag, attributes, children] = node;
  if (!SAFE_TAGS.has(tag)) throw new Error(`the tag ${tag} is not allowed`);
  const built = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    const pattern = SAFE_VALUES["*"][name] ?? SAFE_VALUES[tag]?.[name];
    if (!pattern?.test(value) || name === "href" && !SAFE_PROTOCOLS.has(new URL(value).protocol)) {
      throw new Error(`${name} of ${tag} is not allowed`);
    }
    built.setAttribute(name, value);
  }
  if (built instanceof HTMLAnchorElement) {
    built.target = "_blank";
    built.rel = "noopener noreferrer";
  }
  for (const child of children) built.append(typeof child === "string" ? child : buildTree(child));
  return built;
}
var readTree = (bytes) => buildTree(JSON.parse(new TextDecoder().decode(bytes)));
function brokenContent(description, reason) {
  return buildTree([
    "div",
    { class: "aew-broken" },
    [
      ["p", {}, [["strong", {}, [`${description} can't be shown.`]]]],
      ["p", {}, [reason]],
      ["p", {}, ["You can exclude it and go on."]]
    ]
  ]);
}

// src/instances/image_tools.ts
var ZOOM_STEP = 1.5;
var LARGEST_ZOOM = 40;
var BRIGHTNESS_STEP = 1.25;
var PAN_STEP = 60;
var DOUBLE_CLICK_ZOOM = 3;
var SMALL_SIDE = 320;
var MOST_ENLARGED = 4;
function mostEnlarged({ naturalWidth, naturalHeight }, isPixelated) {
  const most = Math.max(SMALL_SIDE / Math.max(naturalWidth, naturalHeight, 1), MOST_ENLARGED);
  return isPixelated ? Math.floor(most) : most;
}
function isTransparent(image) {
  const canvas = element("canvas", { width: 48, height: 48 });
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (context === null) return false;
  context.imageSmoothingEnabled = false;
  context.drawImage(image, 0, 0, 48, 48);
  return context.getImageData(0, 0, 48, 48).data.some((value, i) => i % 4 === 3 && value < 250);
}
var ImageTools = class {
  bar;
  brightness = 1;
  isSmooth = null;
  // as Python says for the image, until the person chooses
  scale = 1;
  x = 0;
  y = 0;
  stage = null;
  stages = /* @__PURE__ */ new WeakMap();
  noteText = element("span", { class: "aew-image-note" });
  fit = button2("Show the whole image (0)", "", () => this.reset());
  smooth = button2("Smooth or sharp edges of pixels", "Smooth", () => {
    this.isSmooth = this.smooth.getAttribute("aria-pressed") !== "true";
    this.paint();
  });
  constructor() {
    this.bar = element(
      "div",
      { class: "aew-image-bar", role: "group", "aria-label": "Image", hidden: "" },
      this.noteText,
      button2("Zoom out (−)", "−", () => this.zoom(1 / ZOOM_STEP)),
      this.fit,
      button2("Zoom in (+)", "+", () => this.zoom(ZOOM_STEP)),
      button2("Darker", "Darker", () => this.brighten(1 / BRIGHTNESS_STEP)),
      button2("Brighter", "Brighter", () => this.brighten(BRIGHTNESS_STEP)),
      this.smooth
    );
  }
  /** Whether an image is shown. */
  get isInUse() {
    return this.stage !== null;
  }
  /** A stage with one image on it. Its listeners act on the stage that is shown. */
  makeStage(image, { mime, pixelated, note }) {
    const node = element(
      "div",
      {
        class: "aew-stage",
        onpointerdown: (event) => this.onPointerdown(event),
        onpointermove: (event) => this.onPointermove(event),
        ondblclick: (event) => this.onDoubleClick(event)
      },
      image
    );
    node.classList.toggle("aew-transparent", mime !== "image/jpeg" && isTransparent(image));
    node.addEventListener("wheel", (event) => this.onWheel(event), { passive: false });
    const enlarged2 = mostEnlarged(image, pixelated);
    image.style.maxWidth = `${enlarged2 * image.naturalWidth}px`;
    image.style.maxHeight = `${enlarged2 * image.naturalHeight}px`;
    this.stages.set(node, { node, image, isPixelated: pixelated, note, enlarged: enlarged2 });
    return node;
  }
  /** Act on what is shown, if it is a stage. */
  show(content) {
    this.stage = this.stages.get(content) ?? null;
    this.bar.classList.toggle("aew-idle", this.stage === null);
    if (this.stage === null) return;
    this.bar.hidden = false;
    this.noteText.textContent = this.stage.note;
    this.reset();
  }
  /** Whether the key was one of ours. */
  onKey(event) {
    if (this.stage === null) return false;
    const pans = {
      ArrowLeft: [1, 0],
      ArrowRight: [-1, 0],
      ArrowUp: [0, 1],
      ArrowDown: [0, -1]
    };
    if (event.key === "+" || event.key === "=") this.zoom(ZOOM_STEP);
    else if (event.key === "-") this.zoom(1 / ZOOM_STEP);
    else if (event.key === "0") this.reset();
    else if (event.key in pans && this.scale > 1) {
      const [x, y] = pans[event.key];
      this.pan(x * PAN_STEP, y * PAN_STEP);
    } else return false;
    return true;
  }
  reset() {
    this.scale = 1;
    this.x = 0;
    this.y = 0;
    this.paint();
  }
  /** Zooms so that what is at the point (from the center of the stage) stays there. */
  zoom(factor, [x, y] = [0, 0]) {
    const before = this.scale;
    this.scale = Math.min(LARGEST_ZOOM, Math.max(1, before * factor));
    this.x = x - (x - this.x) * (this.scale / before);
    this.y = y - (y - this.y) * (this.scale / before);
    this.paint();
  }
  pan(x, y) {
    this.x += x;
    this.y += y;
    this.paint();
  }
  brighten(factor) {
    const brightness = this.brightness * factor;
    this.brightness = Math.abs(brightness - 1) < 0.01 ? 1 : Math.min(8, Math.max(1 / 8, brightness));
    this.paint();
  }
  paint() {
    if (this.stage === null) return;
    const { node, image, isPixelated, enlarged: enlarged2 } = this.stage;
    const { clientWidth: width, clientHeight: height } = node;
    const fitted = Math.min(width / (image.naturalWidth || 1), height / (image.naturalHeight || 1), enlarged2);
    const roomX = Math.max(0, (this.scale * fitted * image.naturalWidth - width) / 2);
    const roomY = Math.max(0, (this.scale * fitted * image.naturalHeight - height) / 2);
    this.x = Math.min(roomX, Math.max(-roomX, this.x));
    this.y = Math.min(roomY, Math.max(-roomY, this.y));
    const isMoved = this.scale > 1;
    image.style.transform = isMoved ? `translate(${this.x}px, ${this.y}px) scale(${this.scale})` : "";
    image.style.filter = this.brightness === 1 ? "" : `brightness(${this.brightness})`;
    const isSmooth = this.isSmooth ?? !isPixelated;
    image.classList.toggle("aew-pixelated", !isSmooth);
    node.classList.toggle("aew-zoomed", isMoved);
    this.smooth.setAttribute("aria-pressed", String(isSmooth));
    const percent2 = `${Math.round(100 * this.scale)}%`;
    setText(this.fit, percent2);
    this.fit.setAttribute("aria-label", `Zoom ${percent2}: show the whole image`);
  }
  fromCenter({ clientX, clientY }) {
    const box = this.stage?.node.getBoundingClientRect() ?? new DOMRect();
    return [clientX - box.left - box.width / 2, clientY - box.top - box.height / 2];
  }
  // The wheel scrolls the page as ever, unless Ctrl is held (so a pinch is reported) or the image is zoomed.
  onWheel(event) {
    if (!event.ctrlKey && !event.metaKey && this.scale === 1) return;
    event.preventDefault();
    this.zoom(Math.exp(-event.deltaY / (event.ctrlKey ? 100 : 400)), this.fromCenter(event));
  }
  onDoubleClick(event) {
    if (this.scale > 1) this.reset();
    else this.zoom(DOUBLE_CLICK_ZOOM, this.fromCenter(event));
  }
  onPointerdown(event) {
    if (event.button === 0 && this.scale > 1) this.stage?.node.setPointerCapture(event.pointerId);
  }
  onPointermove(event) {
    if (this.stage?.node.hasPointerCapture(event.pointerId)) this.pan(event.movementX, event.movementY);
  }
};
function button2(name, text, onclick) {
  return element("button", { type: "button", class: "aew-action", title: name, "aria-label": name, onclick }, text);
}

// src/instances/elements.ts
var elements = {
  shows: () => true,
  async build(info, bytes) {
    const content = scroller(info.description, readTree(bytes));
    const broken = () => element("p", { class: "aew-broken" }, "This image can't be shown.");
    await Promise.all(
      [...content.querySelectorAll("img")].map((image) => image.decode().catch(() => image.replaceWith(broken())))
    );
    return content;
  }
};

// src/instances/picture.ts
var picture = {
  shows: (mime) => mime.startsWith("image/"),
  async build(info, bytes, { addUrl, tools }) {
    const image = new Image();
    image.src = addUrl(new Blob([bytes], { type: info.mime }));
    image.alt = info.description;
    image.draggable = false;
    await image.decode();
    return tools.makeStage(image, info);
  }
};

// src/instances/index.ts
var KINDS = [picture, elements];
function kindOf(mime, outside) {
  return [...outside, ...KINDS].find((kind) => kind.shows(mime)) ?? elements;
}
function scroller(description, content) {
  return element("div", { class: "aew-scroll", tabindex: "0", role: "group", "aria-label": description }, content);
}

// src/instances/long_texts.ts
var ALL = "o";
var REFERENCE = "k";
var LongTexts = class {
  bar;
  /** The reference answer, below what it is held against. */
  panel = element("div", {
    class: "aew-expected",
    tabindex: "0",
    role: "group",
    "aria-label": "Reference answer",
    hidden: ""
  });
  content = null;
  references = /* @__PURE__ */ new WeakMap();
  all = element("button", { type: "button", class: "aew-action", onclick: () => this.toggleAll() });
  reference = element("button", {
    type: "button",
    class: "aew-action",
    onclick: () => this.toggleReference()
  });
  constructor() {
    const name = { class: "aew-text-bar", role: "group", "aria-label": "Long texts and reference", hidden: "" };
    this.bar = element("div", name, this.all, this.reference);
  }
  /** Folds what is long, and puts the reference answer aside. */
  prepare(content) {
    const reference = content.querySelector(".aew-reference");
    if (reference !== null) {
      reference.remove();
      this.references.set(content, reference);
    }
    for (const long of content.querySelectorAll(".aew-long")) {
      long.classList.add("aew-folded");
      const words = (long.textContent ?? "").length.toLocaleString("en-US");
      const button3 = element(
        "button",
        { type: "button", class: "aew-action aew-unfold", onclick: () => this.fold(long, false) },
        `Show all ${words} characters`
      );
      long.after(button3);
      long.addEventListener("focusin", () => this.fold(long, false));
    }
  }
  /** What is put aside of an instance's content. */
  asideOf(content) {
    return this.references.get(content) ?? null;
  }
  /** Act on what is shown now, all of it as at first. */
  show(content) {
    this.content = content;
    makeReachable(content);
    this.foldAll(true);
    this.showReference(false);
    const reference = this.asideOf(content);
    this.panel.replaceChildren(...reference === null ? [] : [reference]);
    this.bar.hidden = reference === null && this.longs.length === 0;
    this.reference.hidden = reference === null;
    this.all.hidden = this.longs.length === 0;
  }
  /** Whether the key was one of ours. */
  onKey(event) {
    if (event.repeat || this.bar.hidden) return false;
    if (event.key.toLowerCase() === ALL && !this.all.hidden) this.toggleAll();
    else if (event.key.toLowerCase() === REFERENCE && !this.reference.hidden) this.toggleReference();
    else return false;
    return true;
  }
  /** Its keys, where labels and actions leave them. */
  help(keys) {
    this.paint(keys);
    const rows = [];
    if (!this.all.hidden) rows.push([[ALL], "open or fold long texts"]);
    if (!this.reference.hidden) rows.push([[REFERENCE], "show or hide the reference answer"]);
    return this.bar.hidden ? [] : rows;
  }
  /** Whether a button shows its key depends on whether labels or actions have it. */
  paint(keys = this.keys) {
    this.keys = keys;
    const isFolded = this.longs.some((long) => long.classList.contains("aew-folded"));
    this.name(this.all, ALL, isFolded ? "Open long texts" : "Fold long texts");
    this.all.setAttribute("aria-pressed", String(!isFolded));
    this.name(this.reference, REFERENCE, "Reference answer");
    this.reference.setAttribute("aria-pressed", String(!this.panel.hidden));
  }
  keys = null;
  name(button3, key, text) {
    const isFree = this.keys === null || this.keys.holder(key) === null && !this.keys.taken.has(key);
    const caps = isFree ? [keyCap(key.toUpperCase())] : [];
    if (button3.textContent === caps.map((cap) => cap.textContent).join("") + text) return;
    button3.replaceChildren(...caps, text);
  }
  get longs() {
    return [...this.content?.querySelectorAll(".aew-long") ?? []];
  }
  toggleAll() {
    this.foldAll(!this.longs.some((long) => long.classList.contains("aew-folded")));
  }
  foldAll(isFolded) {
    for (const long of this.longs) this.fold(long, isFolded);
    this.paint();
  }
  fold(long, isFolded) {
    const button3 = long.nextElementSibling;
    const hadFocus = !isFolded && button3 instanceof HTMLElement && button3.matches(":focus");
    long.classList.toggle("aew-folded", isFolded);
    if (button3 instanceof HTMLElement) button3.hidden = !isFolded;
    if (hadFocus) this.content?.closest(".aew-scroll")?.focus({ preventScroll: true });
    this.paint();
  }
  toggleReference() {
    this.showReference(this.panel.hidden === true);
  }
  showReference(isShown) {
    const hadFocus = !isShown && this.panel.matches(":focus-within");
    this.panel.hidden = !isShown;
    this.panel.classList.toggle("aew-scroll", isShown);
    this.panel.scrollTop = 0;
    if (isShown) makeReachable(this.panel);
    if (hadFocus) this.reference.focus({ preventScroll: true });
    this.paint();
  }
};
function makeReachable(part) {
  for (const wide of part.querySelectorAll(".aew-pre, .aew-wide")) {
    if (wide.scrollWidth <= wide.clientWidth) continue;
    wide.tabIndex = 0;
    wide.setAttribute("role", "group");
    wide.setAttribute("aria-label", wide.matches(".aew-pre") ? `Code ${wide.title}`.trim() : "Table");
  }
}

// src/instances/upcoming_instances.ts
var KEPT = 64;
var LINE2 = 48;
var UpcomingInstances = class {
  constructor(callbacks) {
    this.callbacks = callbacks;
  }
  callbacks;
  /** By index, once it can be painted at once. */
  elements = /* @__PURE__ */ new Map();
  /** The indices that were asked for. */
  wanted = /* @__PURE__ */ new Set();
  tools = new ImageTools();
  texts = new LongTexts();
  slot = element("div", { class: "aew-slot" });
  /** In bytes. */
  meanSize = 0;
  urls = /* @__PURE__ */ new Map();
  /** Kinds from outside this package, by their modules' text. */
  outside = /* @__PURE__ */ new Map();
  isClosed = false;
  isReady(index) {
    return this.elements.has(index);
  }
  want(indices) {
    for (const index of indices) if (!this.elements.has(index)) this.wanted.add(index);
  }
  /** Which of the coming instances must still be asked for, where no more than `atOnce` are to be under way. */
  missing(queue, atOnce) {
    return queue.map((drawn2) => drawn2.index).filter((index) => !this.elements.has(index) && !this.wanted.has(index)).slice(0, Math.max(0, atOnce - this.wanted.size));
  }
  /** Lets modules from outside this package build instances, too. */
  use(sources) {
    for (const source of sources) {
      if (this.outside.has(source)) continue;
      const kind = importModule(source);
      kind.catch(() => {
      });
      this.outside.set(source, kind);
    }
  }
  async add(info, bytes) {
    const { index } = info;
    this.meanSize = this.meanSize === 0 ? bytes.byteLength : 0.9 * this.meanSize + 0.1 * bytes.byteLength;
    let content;
    try {
      const addUrl = (blob) => this.addUrl(index, blob);
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
  addMore({ index, passage }, bytes) {
    const content = this.elements.get(index);
    const found2 = this.partsOf(content).map((part) => part.querySelector(`p.aew-cut[data-passage="${passage}"]`));
    const cut = found2.find((each) => each !== null);
    const place = cut?.parentElement;
    if (!content || !cut || !place) return;
    const focused = focusedFrom(cut);
    const hadFocus = cut.contains(focused) || focused === document.body;
    cut.replaceWith(...readTree(bytes).children);
    this.offerMore(place, index);
    if (hadFocus && content.isConnected) content.focus({ preventScroll: true });
  }
  /** Shows an instance, or a message in its place. The focus stays in the app, if it was in what goes. */
  show(content) {
    if (this.slot.firstChild === content) return;
    const focused = focusedFrom(this.slot);
    const hadFocus = this.slot.contains(focused) || this.texts.panel.contains(focused);
    this.slot.replaceChildren(content);
    content.scrollTop = 0;
    content.scrollLeft = 0;
    this.tools.show(content);
    this.texts.show(content);
    if (hadFocus) this.slot.closest(".aew-app")?.focus({ preventScroll: true });
  }
  /** Keys that are left over by labels and actions look around in the instance. Whether this was one. */
  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const target = event.composedPath()[0];
    const isButton2 = target instanceof Element && target.closest("button, a") !== null;
    if (isTextField(target) || event.key === " " && isButton2) return false;
    if (this.tools.onKey(event) || this.texts.onKey(event)) return true;
    const shown = this.slot.firstElementChild;
    if (!shown?.matches(".aew-scroll")) return false;
    const page = 0.9 * shown.clientHeight;
    const steps = {
      ArrowDown: LINE2,
      ArrowUp: -LINE2,
      PageDown: page,
      PageUp: -page,
      " ": event.shiftKey ? -page : page,
      Home: -shown.scrollHeight,
      End: shown.scrollHeight
    };
    if (!(event.key in steps)) return false;
    const before = shown.scrollTop;
    shown.scrollTop += steps[event.key];
    return shown.scrollTop !== before;
  }
  /** Its keys as the list of keys tells of them: those that labels and actions leave. */
  help(keys) {
    const rows = this.tools.isInUse ? [
      [["+", "-"], "zoom in, zoom out"],
      [["0"], "show the whole image"],
      [["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"], "move the zoomed image"]
    ] : [[["PageUp", "PageDown", " "], "scroll"], ...this.texts.help(keys)];
    return rows.map(([names, meaning]) => [
      names.filter((name) => !keys.taken.has(name) && keys.holder(name) === null),
      meaning
    ]).filter(([names]) => names.length > 0).map(([names, meaning]) => [keyCaps(names), meaning]);
  }
  close() {
    this.isClosed = true;
    for (const index of [...this.urls.keys()]) this.revoke(index);
  }
  partsOf(content) {
    if (content === void 0) return [];
    const aside = this.texts.asideOf(content);
    return aside === null ? [content] : [content, aside];
  }
  // Long texts are cut; each has a button that fetches the next part.
  offerMore(content, index) {
    for (const cut of content.querySelectorAll("p.aew-cut[data-next]")) {
      if (cut.querySelector("button")) continue;
      const { passage, next } = cut.dataset;
      const button3 = element("button", { type: "button", class: "aew-action" }, "Show more");
      button3.addEventListener("click", () => {
        button3.disabled = true;
        this.callbacks.askForMore({ index, passage: Number(passage), start: Number(next) });
      });
      cut.append(" ", button3);
    }
  }
  addUrl(index, bytes) {
    const url = URL.createObjectURL(bytes);
    this.urls.set(index, [...this.urls.get(index) ?? [], url]);
    return url;
  }
  revoke(index) {
    for (const url of this.urls.get(index) ?? []) URL.revokeObjectURL(url);
    this.urls.delete(index);
  }
  forgetOldest() {
    for (const index of this.elements.keys()) {
      if (this.elements.size <= KEPT) return;
      this.elements.delete(index);
      this.revoke(index);
    }
  }
};

// src/keys/key_list.ts
var KeyList = class {
  constructor(act) {
    this.act = act;
    this.dialog = makeDialog("help", "Keys", this.rows, this.where);
  }
  act;
  dialog;
  rows = element("div", { class: "aew-help-rows" });
  where = element("p", { class: "aew-hint" });
  show(others, actions, keys, sessionText) {
    const row = (caps, meaning) => element("p", {}, element("span", {}, ...caps), element("span", {}, meaning));
    setText(this.where, sessionText);
    this.rows.replaceChildren(
      ...others.map(([caps, meaning]) => row(caps, meaning)),
      ...actions.map((action) => row(keyCaps(keys.keysOf(`action ${action.name}`)), this.meaning(action)))
    );
  }
  meaning({ name, meaning, is_rare }) {
    if (!is_rare) return meaning;
    const go = () => {
      this.dialog.close();
      this.act(name);
    };
    return element("button", { type: "button", class: "aew-action aew-go", "data-action": name, onclick: go }, meaning);
  }
};

// src/keys/key_settings.ts
var KeySettings = class {
  // the id whose key is to be pressed
  constructor(onChange) {
    this.onChange = onChange;
    const reset = element(
      "button",
      { type: "button", class: "aew-label aew-quiet", "data-aew": "reset-keys", onclick: () => this.reset() },
      "Reset all keys"
    );
    this.dialog = makeDialog("settings", "Change the keys", this.said, this.rows, reset);
    this.dialog.addEventListener("keydown", (event) => this.pressed(event));
    this.dialog.addEventListener("cancel", (event) => {
      if (this.waiting === null) return;
      event.preventDefault();
      this.wait(null);
    });
    this.dialog.addEventListener("close", () => this.wait(null));
  }
  onChange;
  dialog;
  rows = element("div", { class: "aew-key-rows" });
  said = element("p", { class: "aew-hint", role: "status" });
  keys = null;
  names = {};
  buttons = {};
  waiting = null;
  show(keys, actions) {
    this.keys = keys;
    this.names = Object.fromEntries([
      ...keys.texts.map((text, i) => [`label ${i}`, text]),
      ...actions.map(({ name, text, meaning }) => [`action ${name}`, text || meaning])
    ]);
    this.buttons = {};
    this.rows.replaceChildren(
      ...Object.entries(this.names).map(([id, name]) => {
        const button3 = element("button", {
          type: "button",
          class: "aew-key-button",
          "data-key-of": id,
          onclick: () => this.wait(id)
        });
        this.buttons[id] = button3;
        return element("p", {}, element("span", {}, name), button3);
      })
    );
    this.wait(null);
  }
  wait(id) {
    this.waiting = id;
    for (const [other, button3] of Object.entries(this.buttons)) {
      const names = this.keys?.keysOf(other) ?? [];
      button3.replaceChildren(...other === id ? ["press a key"] : names.length > 0 ? keyCaps(names) : ["none"]);
      const told = other === id ? "press the new key" : names.map(shownKey).join(", ") || "none";
      button3.setAttribute("aria-label", `Key of ${this.names[other]}: ${told}`);
      button3.setAttribute("aria-pressed", String(other === id));
    }
    this.say(
      id === null ? "Choose an action, then press its new key." : `Press the new key for ${this.names[id]}. Esc cancels.`
    );
  }
  pressed(event) {
    const id = this.waiting;
    if (this.keys === null || id === null) return;
    if (isForeign(event) || event.repeat || event.key.length > 1) return;
    event.preventDefault();
    event.stopPropagation();
    const name = keyNames(event)[0];
    const holder = this.keys.holder(name, id);
    const problem = event.key === " " ? "The space bar presses buttons and scrolls. Press another key." : this.keys.isTaken(name, id) ? `${shownKey(name)} has another use here. Press another key.` : holder !== null ? `${shownKey(name)} is the key of ${this.names[holder]}. Change that first, or press another key.` : null;
    if (problem !== null) {
      this.say(problem, true);
      return;
    }
    this.keys.change(id, name);
    this.wait(null);
    this.say(`${shownKey(name)} is the key of ${this.names[id]}.`);
    this.onChange();
  }
  reset() {
    this.keys?.reset();
    this.wait(null);
    this.say("All keys are reset.");
    this.onChange();
  }
  say(text, isError = false) {
    setText(this.said, text);
    this.said.classList.toggle("aew-error", isError);
  }
};

// src/labels/choice_buttons.ts
var MOST_SHORT = 12;
function flash(button3) {
  button3.classList.remove("aew-pressed");
  void button3.offsetWidth;
  button3.classList.add("aew-pressed");
}
var ChoiceButtons = class {
  /** `words`, if any, say what each label means. */
  constructor(choices, keys, press, words = null) {
    this.choices = choices;
    this.keys = keys;
    this.words = words;
    this.buttons = choices.map(
      (choice, i) => element("button", {
        type: "button",
        class: "aew-label",
        "data-aew": "label",
        "data-value": choice.value,
        onclick: onceClicked(() => press(i))
      })
    );
    const areShort = choices.every((choice) => choice.text.length <= 3);
    this.isShort = choices.length <= MOST_SHORT && areShort && words === null;
    this.showKeys();
  }
  choices;
  keys;
  words;
  buttons;
  isShort;
  layOut(node) {
    const n = this.buttons.length;
    const fit2 = this.choices.every(({ text }) => text.length <= 12);
    node.classList.toggle("aew-short", this.isShort);
    node.classList.toggle("aew-balanced", !this.isShort && n > 6 && n <= MOST_SHORT && fit2);
    node.style.setProperty("--aew-columns", String(n));
    node.style.setProperty("--aew-half-columns", String(Math.ceil(n / (n > 6 ? 2 : 1))));
  }
  showKeys() {
    this.buttons.forEach((button3, i) => {
      const { text } = this.choices[i];
      const names = this.keys.keysOf(`label ${i}`);
      const isItsText = names.length === 1 && names[0] === text.toLowerCase();
      const caps = isItsText ? [] : keyCaps(names.slice(0, 1));
      for (const cap of caps) cap.setAttribute("aria-hidden", "true");
      const word = this.words === null ? [] : [" ", element("span", { class: "aew-word" }, this.words[i])];
      button3.replaceChildren(...caps, element("span", {}, text), ...word);
      if (names.length > 0) button3.setAttribute("aria-keyshortcuts", names.join(" "));
      else button3.removeAttribute("aria-keyshortcuts");
    });
  }
  mark(i) {
    this.buttons.forEach((button3, j) => {
      if (i === j) button3.setAttribute("aria-current", "true");
      else button3.removeAttribute("aria-current");
    });
  }
  help() {
    const names = this.buttons.flatMap((_, i) => this.keys.keysOf(`label ${i}`).slice(0, 1));
    const isRun = names.every((name, i) => i === 0 || name.charCodeAt(0) === names[i - 1].charCodeAt(0) + 1);
    if (names.length <= 3 || !isRun) return keyCaps(names);
    return [keyCap(names[0]), " – ", keyCap(names[names.length - 1])];
  }
};

// src/labels/class_labels.ts
var ClassLabels = class {
  constructor({ choices }, keys, give) {
    this.keys = keys;
    this.give = give;
    this.choices = new ChoiceButtons(choices, keys, (i) => this.label(i));
    this.node = element("div", { class: "aew-classes" }, ...this.choices.buttons);
    this.choices.layOut(this.node);
  }
  keys;
  give;
  node;
  choices;
  show(_content, previous) {
    this.choices.mark(previous);
  }
  setEnabled(isEnabled) {
    for (const button3 of this.choices.buttons) button3.disabled = !isEnabled;
  }
  press(event) {
    const label = this.keys.meaningOf(event)?.label;
    if (label === void 0) return false;
    if (!event.repeat) this.label(label);
    return true;
  }
  showKeys() {
    this.choices.showKeys();
  }
  help() {
    return [[this.choices.help(), "label, save and go on"]];
  }
  label(i) {
    if (this.give(i, this.choices.choices[i].text)) flash(this.choices.buttons[i]);
  }
};

// src/labels/grades_given.ts
var GradesGiven = class {
  // names, as they were graded
  /** `previous` holds grades that were given before. */
  constructor(names, previous = {}) {
    this.names = names;
    for (const name of names) if (Object.hasOwn(previous, name)) this.grades.set(name, previous[name]);
    this.order = [...this.grades.keys()];
  }
  names;
  grades = /* @__PURE__ */ new Map();
  order;
  get isNothingJudged() {
    return this.names.length > 0 && [...this.grades.values()].every((grade) => grade === null);
  }
  has(name) {
    return this.grades.has(name);
  }
  /** The grade of a result; undefined where it has none yet. */
  get(name) {
    return this.grades.get(name);
  }
  give(name, grade) {
    this.grades.set(name, grade);
    this.order = [...this.order.filter((other) => other !== name), name];
  }
  /** Takes back the grade that was given last, and returns whose it was. */
  takeBack() {
    const name = this.order.pop();
    if (name !== void 0) this.grades.delete(name);
    return name;
  }
  /** The positions of the results without a grade. */
  unjudged() {
    return this.names.flatMap((name, i) => this.grades.has(name) ? [] : [i]);
  }
  /** The first result after a position that has no grade, from the start again where there is none; else -1. */
  nextUnjudged(position) {
    const left = this.unjudged();
    return left.find((i) => i > position) ?? left[0] ?? -1;
  }
  asRecord() {
    return Object.fromEntries(this.grades);
  }
};

// src/labels/grade_labels.ts
var MOST_NAMED = 12;
var GradeLabels = class {
  constructor({ grades, words, choices }, keys, give) {
    this.keys = keys;
    this.give = give;
    this.grades = grades;
    this.words = words;
    this.texts = choices.map(({ text }) => text);
    this.choices = new ChoiceButtons(choices, keys, (i) => this.grade(this.grades[i]), words);
    const button3 = (name, key, text, act) => element(
      "button",
      { type: "button", class: "aew-label aew-quiet", "data-aew": name, onclick: onceClicked(act) },
      keyCap(key),
      element("span", {}, text)
    );
    this.skip = button3("cannot-judge", "-", "Can't judge", () => this.grade(null));
    this.rest = button3("grade-rest", "G", "All the rest", () => this.setForRest(!this.isForRest));
    this.submit = button3("submit", "Enter", "Save", () => this.save());
    this.submit.classList.add("aew-submit");
    const scale = element("div", { class: "aew-classes" }, ...this.choices.buttons);
    this.choices.layOut(scale);
    this.node = element(
      "div",
      { class: "aew-grades" },
      scale,
      element("div", { class: "aew-grade-row" }, this.skip, this.rest, this.submit),
      this.progress,
      this.said
    );
  }
  keys;
  give;
  node;
  grades;
  words;
  texts;
  isEnabled = false;
  items = [];
  given = new GradesGiven([]);
  present = 0;
  isForRest = false;
  // whether the next grade is for all that is not judged
  choices;
  skip;
  rest;
  submit;
  progress = element("p", { class: "aew-hint", "data-aew": "judged" });
  said = element("p", { class: "aew-visually-hidden", "aria-live": "polite" });
  show(content, previous) {
    const byName = /* @__PURE__ */ new Map();
    for (const node of content?.querySelectorAll(".aew-result") ?? []) {
      const name = node.dataset.item ?? "";
      byName.set(name, [...byName.get(name) ?? [], node]);
      if (!node.querySelector(":scope > .aew-grade")) node.append(element("span", { class: "aew-grade" }));
      node.onclick = () => {
        if (this.isEnabled) this.moveTo(this.positionOf(name));
      };
    }
    this.items = [...byName].map(([name, nodes]) => ({ name, nodes }));
    this.given = new GradesGiven([...byName.keys()], typeof previous === "object" ? previous : {});
    this.isForRest = false;
    this.items.forEach((_, i) => {
      this.showGrade(i);
    });
    this.moveTo(Math.max(0, this.given.nextUnjudged(-1)), { isSilent: true });
    this.showProgress();
  }
  setEnabled(isEnabled) {
    if (this.isEnabled === isEnabled) return;
    this.isEnabled = isEnabled;
    for (const button3 of [...this.choices.buttons, this.skip, this.rest, this.submit]) button3.disabled = !isEnabled;
  }
  press(event) {
    if (!this.isEnabled) return false;
    const act = this.actOf(event);
    if (act === void 0) return false;
    if (this.stepOf(event) !== void 0 || !event.repeat) act();
    return true;
  }
  showKeys() {
    this.choices.showKeys();
  }
  help() {
    return [
      [this.choices.help(), "grade, and go to the next result"],
      [[keyCap("↑"), keyCap("↓")], "move; K and J, too"],
      [[keyCap("G")], "the next grade is for all that are not judged; Shift and the digit does it at once"],
      [[keyCap("-")], "can't be judged; a note may say why"],
      [[keyCap("Backspace")], "take back the last grade"],
      [[keyCap("Enter")], "save all and go on"]
    ];
  }
  stepOf(event) {
    const steps = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };
    return steps[keyNames(event).at(-1) ?? ""];
  }
  /** What a key does here; undefined where it does nothing. */
  actOf(event) {
    const step = this.stepOf(event);
    if (step !== void 0) return () => this.moveTo(this.present + step);
    const digit = event.shiftKey && /^Digit\d$/.test(event.code) ? event.code.slice(-1) : null;
    const shifted = digit === null ? -1 : this.grades.findIndex((_, i) => this.keys.keysOf(`label ${i}`).includes(digit));
    const label = shifted >= 0 ? shifted : this.keys.meaningOf(event)?.label;
    if (label !== void 0) return () => this.grade(this.grades[label], shifted >= 0 || this.isForRest);
    switch (keyNames(event).at(-1)) {
      case "-":
        return () => this.grade(null);
      case "g":
        return () => this.setForRest(!this.isForRest);
      case "Enter":
        return () => this.save();
      case "Backspace":
        return () => this.takeBack();
      case "Escape":
        return this.isForRest ? () => this.setForRest(false) : void 0;
      default:
        return void 0;
    }
  }
  positionOf(name) {
    return this.items.findIndex((item) => item.name === name);
  }
  grade(grade, isForRest = this.isForRest) {
    if (this.items.length === 0) return;
    const graded = isForRest ? this.given.unjudged() : [this.present];
    const wasJudged = !isForRest && graded.every((i) => this.given.has(this.items[i].name));
    for (const i of graded) {
      this.given.give(this.items[i].name, grade);
      this.showGrade(i);
    }
    this.isForRest = false;
    const next = this.given.nextUnjudged(this.present);
    const which = graded.length === 1 ? `Result ${this.present + 1}` : `${graded.length} results`;
    const what = `${which}: ${this.gradeText(grade)}.`;
    if (next >= 0) this.moveTo(next, { before: what });
    else setText(this.said, `${what} All judged; Enter saves.`);
    if (next < 0) this.showPresent();
    if (next < 0 && wasJudged) this.moveTo(this.present + 1, { before: what });
    this.showProgress();
  }
  takeBack() {
    const name = this.given.takeBack();
    if (name === void 0) return;
    const i = this.positionOf(name);
    this.showGrade(i);
    this.moveTo(i);
    this.showProgress();
  }
  setForRest(isForRest) {
    this.isForRest = isForRest;
    this.showProgress();
  }
  moveTo(position, { before = "", isSilent = false } = {}) {
    this.present = Math.max(0, Math.min(position, this.items.length - 1));
    this.showPresent();
    const item = this.items[this.present];
    if (item === void 0 || isSilent) return;
    const given = this.given.get(item.name);
    const grade = given === void 0 ? "" : `, ${this.gradeText(given)}`;
    setText(this.said, `${before} Result ${this.present + 1} of ${this.items.length}${grade}.`);
    this.scrollTo(item.nodes[0]);
  }
  showPresent() {
    this.items.forEach(({ nodes }, i) => {
      for (const node of nodes) {
        if (i === this.present) node.setAttribute("aria-current", "true");
        else node.removeAttribute("aria-current");
      }
    });
  }
  // Not scrollIntoView: that would move the page, too.
  scrollTo(node) {
    const box = node.closest(".aew-scroll");
    if (!box) return;
    const [inner, outer] = [node.getBoundingClientRect(), box.getBoundingClientRect()];
    const query = box.querySelector(".aew-query");
    const top = outer.top + (query?.offsetHeight ?? 0);
    if (inner.top < top || inner.height > outer.bottom - top) box.scrollTop += inner.top - top - 8;
    else if (inner.bottom > outer.bottom) box.scrollTop += inner.bottom - outer.bottom + 8;
  }
  gradeText(grade) {
    if (grade === null) return "can't be judged";
    const i = this.grades.indexOf(grade);
    return this.words && i >= 0 ? `${this.texts[i]} ${this.words[i]}` : `grade ${this.texts[i] ?? grade}`;
  }
  showGrade(i) {
    const { name, nodes } = this.items[i];
    const given = this.given.get(name);
    for (const node of nodes) {
      const badge = node.querySelector(":scope > .aew-grade");
      if (!badge) continue;
      setText(badge, given === void 0 ? "not judged" : this.gradeText(given));
      badge.classList.toggle("aew-given", given !== void 0);
    }
  }
  showProgress() {
    const [n, left] = [this.items.length, this.given.unjudged().length];
    this.rest.setAttribute("aria-pressed", String(this.isForRest));
    this.progress.classList.remove("aew-error");
    const judged = left === 0 ? `All ${n} judged. Enter saves, Backspace takes back the last grade.` : `${n - left} of ${n} judged. ↑ ↓ move.`;
    setText(
      this.progress,
      this.isForRest ? `The next grade is for all ${left} not judged yet. Esc: for one only.` : judged
    );
  }
  complain(text) {
    setText(this.progress, text);
    this.progress.classList.add("aew-error");
    setText(this.said, text);
  }
  save() {
    const left = this.given.unjudged();
    if (left.length > 0) {
      const numbers = left.map((i) => i + 1);
      const named = numbers.slice(0, MOST_NAMED).join(", ") + (left.length > MOST_NAMED ? ", …" : "");
      this.moveTo(left[0]);
      this.complain(`Not judged yet: ${left.length === 1 ? "result" : "results"} ${named}.`);
      return;
    }
    if (this.given.isNothingJudged) {
      this.complain("If nothing can be judged, exclude it instead.");
      return;
    }
    const texts = this.items.map(({ name }) => this.given.get(name) ?? "–").join(" ");
    if (this.give(this.given.asRecord(), texts)) flash(this.submit);
  }
};

// src/labels/typed_numbers.ts
var TYPED_IN_NUMBERS = /^[0-9.,+\-−e'’]$/;
var SPACES = "    ";
var APOSTROPHES = "'’";
var SIGN = "[-+−]?";
var OTHER = { ".": ",", ",": "." };
function formOf(mark) {
  const groups = [OTHER[mark], SPACES, APOSTROPHES].map((each) => `(?:[${each}]\\d{3})+`).join("|");
  const plain = `(?:\\d+[${mark}]?\\d*|[${mark}]\\d+)(?:[eE]${SIGN}\\d+)?`;
  return new RegExp(`^${SIGN}(?:${plain}|[1-9]\\d{0,2}(?:${groups})(?:[${mark}]\\d*)?)$`);
}
var FORMS = { ".": formOf("."), ",": formOf(",") };
function readAs(text, mark) {
  if (!FORMS[mark].test(text)) return Number.NaN;
  const bare = text.replace(new RegExp(`[${OTHER[mark]}${SPACES}${APOSTROPHES}]`, "g"), "");
  return Number(bare.replace(mark, ".").replaceAll("−", "-"));
}
function meaningsOf(text) {
  const found2 = { ".": readAs(text.trim(), "."), ",": readAs(text.trim(), ",") };
  const areTwo = !Number.isNaN(found2["."]) && !Number.isNaN(found2[","]) && found2["."] !== found2[","];
  return areTwo ? found2 : null;
}
function markOf2(text) {
  const [byPoint, byComma] = [readAs(text.trim(), "."), readAs(text.trim(), ",")].map(Number.isNaN);
  return byPoint === byComma ? null : byPoint ? "," : ".";
}
var STEPS = 100;
function roundStep(range) {
  const least = range / STEPS * (1 - 1e-9);
  const power = 10 ** Math.floor(Math.log10(range / STEPS));
  return [1, 2, 5].map((factor) => factor * power).find((step) => step >= least) ?? 10 * power;
}
function numberIn(text, mark = null) {
  const byPoint = readAs(text.trim(), ".");
  const byComma = readAs(text.trim(), ",");
  if (Number.isNaN(byPoint)) return byComma;
  if (Number.isNaN(byComma)) return byPoint;
  if (mark !== null) return mark === "." ? byPoint : byComma;
  return Math.abs(byPoint) > Math.abs(byComma) ? byPoint : byComma;
}
var written2 = (number) => String(number).replace("-", "−");
function withUnit(number, { unit }) {
  return `${written2(number)}${unit === null ? "" : ` ${Math.abs(number) === 1 ? unit[0] : unit[1]}`}`;
}
function rangeText(range) {
  const { low, high } = range;
  if (low !== null && high !== null) return `a number from ${written2(low)} to ${withUnit(high, range)}`;
  if (low !== null) return `a number from ${withUnit(low, range)} up`;
  return high !== null ? `a number up to ${withUnit(high, range)}` : "a number";
}
function problemOf(text, range, mark = null) {
  const both = mark === null ? meaningsOf(text) : null;
  if (both === null) return problemOfNumber(numberIn(text, mark), range);
  const [first, second] = Object.values(both).map((number) => problemOfNumber(number, range));
  return first && second;
}
function problemOfNumber(number, range) {
  const { low, high } = range;
  if (!Number.isFinite(number)) return `Enter ${rangeText(range)}.`;
  if (low !== null && number < low) return `The minimum is ${withUnit(low, range)}.`;
  if (high !== null && number > high) return `The maximum is ${withUnit(high, range)}.`;
  return null;
}
function onGrid(number, step, low, high) {
  const rounded = Math.round(number / step) * step;
  return Number(Math.min(high, Math.max(low, rounded)).toPrecision(12));
}

// src/labels/number_labels.ts
var MEANT_BY = { a: ".", b: "," };
var NumberLabels = class {
  constructor(config, _keys, give) {
    this.config = config;
    this.give = give;
    const { low, high, unit } = config;
    this.mark = config.decimal_mark;
    this.range = rangeText(config);
    this.field = element("input", {
      type: "text",
      inputmode: "decimal",
      class: "aew-number-field",
      "data-aew": "number",
      autocomplete: "off",
      "aria-label": unit === null ? "Number" : `Number, in ${unit[1]}`,
      "aria-describedby": this.hint.id,
      oninput: () => this.changed()
    });
    this.submit = element(
      "button",
      {
        type: "button",
        class: "aew-label aew-submit",
        "data-aew": "submit",
        onclick: onceClicked(() => this.save())
      },
      keyCap("Enter"),
      element("span", {}, "Save")
    );
    const shownUnit = unit === null ? [] : [element("span", { class: "aew-unit", "aria-hidden": "true" }, unit[1])];
    this.node = element(
      "div",
      { class: "aew-number-label" },
      element("div", { class: "aew-number-row" }, this.field, ...shownUnit, this.submit)
    );
    if (low !== null && high !== null) {
      const node = element("input", {
        type: "range",
        min: low,
        max: high,
        step: "any",
        class: "aew-slider",
        "aria-label": "Number, by arrows",
        oninput: () => this.set(this.onGrid(Number(node.value)))
      });
      this.slider = { node, low, high, step: roundStep(high - low) };
      this.node.append(node);
    }
    this.node.append(this.choice, this.hint);
    this.set(null);
  }
  config;
  give;
  node;
  range;
  field;
  submit;
  hint = element("p", { id: uniqueId("aew-number-hint"), class: "aew-hint", "aria-live": "polite" });
  slider = null;
  isEnabled = false;
  isReplaced = false;
  // whether what is typed takes the place of an earlier number
  mark;
  // how numbers are written here, where that is known
  shown = null;
  // a number that the page wrote itself
  choice = element("div", {
    class: "aew-number-choice",
    role: "group",
    "aria-label": "Which number is meant",
    "data-aew": "number-choice",
    hidden: ""
  });
  show(_content, previous) {
    this.set(typeof previous === "number" ? previous : null);
    this.isReplaced = true;
  }
  setEnabled(isEnabled) {
    if (this.isEnabled === isEnabled) return;
    this.isEnabled = isEnabled;
    this.submit.disabled = !isEnabled;
    this.field.readOnly = !isEnabled;
    if (this.slider) this.slider.node.disabled = !isEnabled;
  }
  press(event) {
    if (!this.isEnabled) return false;
    const isInField = event.composedPath()[0] === this.field;
    if (!this.choice.hidden && (event.key === "Escape" || event.key.toLowerCase() in MEANT_BY)) {
      const mark = MEANT_BY[event.key.toLowerCase()];
      if (mark === void 0) this.changed();
      else if (!event.repeat) this.choose(mark);
    } else if (event.key === "Enter") {
      if (!event.repeat) this.save();
    } else if (this.moveBy(event)) {
      return true;
    } else if (!isInField && event.key === "Backspace") {
      this.field.value = this.field.value.slice(0, -1);
      this.changed();
    } else if (isInField || event.repeat || !TYPED_IN_NUMBERS.test(event.key)) {
      return false;
    } else {
      this.field.value = (this.isReplaced ? "" : this.field.value) + event.key;
      this.changed();
    }
    return true;
  }
  showKeys() {
  }
  help() {
    const rows = [
      [["digits"], `type ${this.range}`],
      [[keyCap("Enter")], "save and go on"]
    ];
    if (this.slider) {
      const meaning = `${this.slider.step} less or more; with Shift ten times that`;
      rows.push([[keyCap("←"), keyCap("→")], meaning]);
    }
    return rows;
  }
  moveBy(event) {
    const steps = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (this.slider === null || steps === void 0) return false;
    const { low, high, step } = this.slider;
    const present = this.number;
    const next = Number.isNaN(present) ? (low + high) / 2 : present + (event.shiftKey ? 10 : 1) * steps * step;
    this.set(this.onGrid(next));
    return true;
  }
  onGrid(number) {
    if (this.slider === null) return number;
    return onGrid(number, this.slider.step, this.slider.low, this.slider.high);
  }
  set(number) {
    this.field.value = number === null ? "" : String(number);
    this.shown = number === null ? null : { text: this.field.value, number };
    this.changed();
  }
  get text() {
    return this.field.value.trim();
  }
  get isOwn() {
    return this.text === this.shown?.text;
  }
  get number() {
    return this.shown !== null && this.isOwn ? this.shown.number : numberIn(this.text, this.mark);
  }
  get problem() {
    return this.isOwn ? problemOfNumber(this.number, this.config) : problemOf(this.text, this.config, this.mark);
  }
  /** The numbers that the text may be; null where it is clear. */
  get meanings() {
    return this.isOwn ? null : meaningsOf(this.text);
  }
  changed() {
    this.isReplaced = false;
    this.choice.hidden = true;
    this.hint.hidden = false;
    const problem = this.text === "" ? null : this.problem;
    const number = this.number;
    this.field.setAttribute("aria-invalid", String(problem !== null));
    this.hint.classList.toggle("aew-error", problem !== null);
    setText(this.hint, problem ?? this.meaningText ?? `Enter ${this.range}${this.slider ? ", or use ← →" : ""}.`);
    if (this.slider === null) return;
    const { node, low, high } = this.slider;
    if (problem === null) node.value = String(Number.isNaN(number) ? (low + high) / 2 : number);
    node.classList.toggle("aew-unset", Number.isNaN(number));
  }
  /** What is said of a text that may be two numbers. */
  get meaningText() {
    if (this.meanings === null) return null;
    if (this.mark !== null) return `${this.text} is read as ${withUnit(this.number, this.config)}.`;
    const [first, second] = Object.values(this.meanings).map((number) => withUnit(number, this.config));
    return `${this.text} is ${first} or ${second}: after Enter you choose.`;
  }
  save() {
    if (this.text === "") {
      setText(this.hint, `Enter ${this.range} first.`);
      this.hint.classList.add("aew-error");
      return;
    }
    if (this.problem !== null) return;
    if (this.meanings !== null && this.mark === null) {
      this.ask(this.meanings);
      return;
    }
    const mark = markOf2(this.text);
    if (!this.isOwn && mark !== null && this.mark !== null && mark !== this.mark) this.mark = null;
    if (this.give(this.number, withUnit(this.number, this.config))) flash(this.submit);
  }
  /** Nothing is saved before it is known which of two numbers is meant. */
  ask(meanings) {
    const buttons = Object.entries(MEANT_BY).map(
      ([key, mark]) => element(
        "button",
        {
          type: "button",
          class: "aew-label",
          "data-value": String(meanings[mark]),
          "aria-keyshortcuts": key,
          onclick: onceClicked(() => {
            this.node.closest(".aew-app")?.focus();
            this.choose(mark);
          })
        },
        keyCap(key.toUpperCase()),
        element("span", {}, withUnit(meanings[mark], this.config))
      )
    );
    const question = element("span", { role: "alert" }, `Which number is ${this.text}?`);
    this.choice.replaceChildren(question, ...buttons);
    this.choice.hidden = false;
    this.hint.hidden = true;
  }
  /** Numbers are read in that way from now on. */
  choose(mark) {
    this.mark = mark;
    this.changed();
    if (this.problem === null) this.save();
    else this.mark = null;
  }
};

// src/labels/searched_labels.ts
var MOST_SHOWN = 200;
var N_RECENT = 9;
var SearchedLabels = class {
  constructor({ choices }, keys, give) {
    this.keys = keys;
    this.give = give;
    this.texts = choices.map(({ text }) => text);
    this.plain = this.texts.map(folded);
    this.recentButtons = Array.from(
      { length: N_RECENT },
      (_, k) => element("button", {
        type: "button",
        class: "aew-recent",
        hidden: "",
        onclick: onceClicked(() => this.label(this.recent[k]))
      })
    );
    this.options = choices.map(
      ({ value, text }, i) => element(
        "div",
        {
          id: `aew-option-${i}`,
          role: "option",
          class: "aew-option",
          "data-aew": "label",
          "data-value": value,
          "aria-selected": "false",
          onclick: onceClicked(() => this.label(i))
        },
        text
      )
    );
    this.node = element(
      "div",
      { class: "aew-searched" },
      element("div", { class: "aew-recents", role: "group", "aria-label": "Recent labels" }, ...this.recentButtons),
      this.field,
      this.list,
      this.none
    );
    this.filter();
  }
  keys;
  give;
  node;
  texts;
  plain;
  isEnabled = false;
  recent = [];
  // positions of labels, the last one given first
  found = [];
  active = 0;
  // position in `found`
  selected = null;
  recentButtons;
  options;
  field = element("input", {
    type: "text",
    class: "aew-search",
    role: "combobox",
    autocomplete: "off",
    spellcheck: "false",
    "aria-label": "Find a label",
    "aria-expanded": "true",
    "aria-controls": "aew-found",
    "aria-autocomplete": "list",
    placeholder: "Type to find a label",
    oninput: () => this.filter(),
    onkeydown: (event) => this.typed(event)
  });
  list = element("div", {
    id: "aew-found",
    class: "aew-found",
    role: "listbox",
    "aria-label": "Labels"
  });
  none = element("p", { class: "aew-hint", hidden: "" }, "No label matches.");
  show(_content, previous) {
    this.options.forEach((option, i) => {
      option.classList.toggle("aew-given", i === previous);
    });
  }
  setEnabled(isEnabled) {
    if (this.isEnabled === isEnabled) return;
    this.isEnabled = isEnabled;
    for (const button3 of this.recentButtons) button3.disabled = !isEnabled;
    this.list.setAttribute("aria-disabled", String(!isEnabled));
  }
  /** A key outside of the field: a digit repeats a recent label, a letter begins a search. */
  press(event) {
    const name = keyNames(event)[0];
    if (/^[1-9]$/.test(name) && this.recent.length >= Number(name)) {
      if (!event.repeat) this.label(this.recent[Number(name) - 1]);
      return true;
    }
    const isTyped = event.key.length === 1 && /[\p{L}\p{N}]/u.test(event.key);
    if (!isTyped || this.keys.meaningOf(event) !== null) return false;
    this.field.focus({ preventScroll: true });
    this.field.value += event.key;
    this.filter();
    return true;
  }
  showKeys() {
  }
  help() {
    return [
      [["letters"], "find a label; ↑ ↓ choose, Enter labels, Esc leaves"],
      [[keyCap("1"), " – ", keyCap("9")], "a recent label again"]
    ];
  }
  typed(event) {
    if (isForeign(event)) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== void 0) {
      this.activate(this.active + step);
    } else if (event.key === "Enter") {
      if (!event.repeat && this.found.length > 0) this.label(this.found[this.active]);
    } else if (event.key === "Escape" || event.key === "Backspace" && this.field.value === "" && !event.repeat) {
      this.leave();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
  filter() {
    this.found = found(this.plain, folded(this.field.value.trim()), this.recent);
    this.list.replaceChildren(...this.found.slice(0, MOST_SHOWN).map((i) => this.options[i]));
    this.none.hidden = this.found.length > 0;
    this.list.hidden = this.found.length === 0;
    this.activate(0);
  }
  activate(position) {
    this.selected?.setAttribute("aria-selected", "false");
    const last = Math.min(this.found.length, MOST_SHOWN) - 1;
    this.active = Math.max(0, Math.min(position, last));
    const option = this.options[this.found[this.active]];
    if (option === void 0 || this.field.value === "") {
      this.field.removeAttribute("aria-activedescendant");
      if (this.field.value === "" && position === 0) return;
    }
    if (option === void 0) return;
    this.selected = option;
    option.setAttribute("aria-selected", "true");
    this.field.setAttribute("aria-activedescendant", option.id);
    const { offsetTop, offsetHeight } = option;
    if (offsetTop < this.list.scrollTop) this.list.scrollTop = offsetTop;
    else if (offsetTop + offsetHeight > this.list.scrollTop + this.list.clientHeight) {
      this.list.scrollTop = offsetTop + offsetHeight - this.list.clientHeight;
    }
  }
  label(i) {
    if (!this.give(i, this.texts[i])) return;
    this.recent = [i, ...this.recent.filter((j) => j !== i)].slice(0, N_RECENT);
    this.recentButtons.forEach((button3, k) => {
      button3.hidden = k >= this.recent.length;
      if (button3.hidden) return;
      button3.replaceChildren(keyCap(String(k + 1)), element("span", {}, this.texts[this.recent[k]]));
    });
    flash(this.recentButtons[0]);
    this.leave();
  }
  leave() {
    const hadFocus = this.node.contains(focusedFrom(this.node));
    if (this.field.value !== "") {
      this.field.value = "";
      this.filter();
    }
    if (hadFocus) this.node.closest(".aew-app")?.focus({ preventScroll: true });
  }
};

// src/labels/index.ts
var BUILDERS = {
  class: (config, keys, give) => new (config.is_searched ? SearchedLabels : ClassLabels)(config, keys, give),
  number: (config, keys, give) => new NumberLabels(config, keys, give),
  grades: (config, keys, give) => new GradeLabels(config, keys, give)
};
function makeLabels(config, keys, give) {
  const build = BUILDERS[config.kind];
  return build(config, keys, give);
}

// src/page/actions.ts
var always = () => true;
var withInstance = (flow) => flow.hasInstance;
var withPresent = (flow) => flow.canAnswer && flow.review === null;
var ACTIONS = {
  undo: {
    run: ({ flow }) => flow.undo(),
    isPossible: (flow) => flow.canUndo,
    onResult: "leaves",
    isRepeatable: true
  },
  defer: { run: ({ flow }) => flow.answer({ type: "defer" }), isPossible: withPresent },
  exclude: { run: ({ flow }) => flow.answer({ type: "exclude" }), isPossible: withPresent },
  exclude_because: {
    run: ({ flow, reasons }) => withPresent(flow) && reasons.open(),
    isPossible: withPresent
  },
  note: {
    run: ({ flow, note }) => {
      if (flow.shown !== null && flow.hasInstance) note.open(flow.shown, flow.mark.note ?? "");
    },
    isPossible: withInstance
  },
  flag: { run: ({ flow }) => flow.flag(), isPossible: withInstance },
  history: { run: ({ app }) => app?.history.open(), isPossible: always, onResult: "over" },
  prediction: { run: (view) => view.togglePrediction(), isPossible: withPresent },
  guidelines: { run: (view) => view.toggleGuidelines(), isPossible: always, onResult: "leaves" },
  goal: { run: ({ app }) => app?.goal.open(), isPossible: always, onResult: "over" },
  result: { run: ({ app }) => app?.showResult(!app.result.isOpen), isPossible: always, onResult: "over" },
  panels: { run: ({ app }) => app?.choice.toggle(), isPossible: always, onResult: "over" },
  enlarge: { run: ({ app }) => app?.panels.enlarge(), isPossible: always },
  settings: { run: ({ settings }) => settings.dialog.showModal(), isPossible: always, onResult: "over" },
  help: { run: (view) => view.showKeyList(), isPossible: always, onResult: "over" }
};

// src/page/connection_banner.ts
var ConnectionBanner = class {
  node;
  text = element("span");
  reload = element(
    "button",
    { type: "button", class: "aew-action", onclick: () => location.reload() },
    "Reload"
  );
  constructor() {
    this.node = element(
      "div",
      { class: "aew-banner", role: "alert", "data-aew": "disconnected", hidden: "" },
      this.text,
      this.reload
    );
  }
  hide() {
    this.node.hidden = true;
  }
  /** In a notebook, a page that is loaded again would not help. */
  show(unsaved, isNotebook) {
    this.node.hidden = false;
    const what = unsaved ? `Not saved: ${unsaved}. ` : "";
    const how = isNotebook ? "If this persists, restart the kernel and run the cell again" : "If this persists, reload the page";
    setText(this.text, `${what}Python is not responding. ${how}. What was saved is kept.`);
    this.reload.hidden = isNotebook;
  }
};

// src/page/end_of_labels.ts
var EndOfLabels = class {
  node;
  /** The way to the result. */
  result;
  text = element("p");
  goOn;
  constructor({ showResult, goOn }) {
    this.result = element("button", {
      type: "button",
      class: "aew-label aew-main",
      "data-action": "result",
      onclick: onceClicked(showResult)
    });
    this.goOn = element(
      "button",
      { type: "button", class: "aew-label aew-quiet", "data-action": "go_on", onclick: goOn },
      "Label more"
    );
    this.node = element("div", { class: "aew-done" }, this.text, this.result, this.goOn);
  }
  show({ done_text, can_go_on }) {
    setText(this.text, done_text);
    this.goOn.hidden = !can_go_on;
  }
};

// src/page/held_keys.ts
var HeldKeys = class {
  constructor(press, tell) {
    this.press = press;
    this.tell = tell;
  }
  press;
  tell;
  held = [];
  hold(event, index) {
    this.held.push({ event, index });
  }
  /** `present` tells the instance on screen, and undefined as long as keys have to wait. */
  release(present) {
    const refused = [];
    while (this.held.length > 0) {
      const index = present();
      if (index === void 0) break;
      const [{ event, index: meant }] = this.held.splice(0, 1);
      if (meant !== null && meant === index) this.press(event);
      else refused.push(shownKey(keyNames(event)[0]));
    }
    if (refused.length === 0) return;
    const [were, them] = refused.length === 1 ? ["was", "it"] : ["were", "them"];
    this.tell(`${refused.join(", ")} ${were} pressed before this item was shown, and not taken. Press ${them} again.`);
  }
};

// src/page/guidelines.ts
var Guidelines = class {
  node;
  button;
  isThere = false;
  text = element("div", { class: "aew-guidelines-text aew-html" });
  storage = "";
  constructor(act) {
    this.node = element(
      "section",
      {
        class: "aew-guidelines",
        tabindex: "0",
        role: "region",
        "aria-label": "Guidelines",
        "data-aew": "guidelines",
        hidden: ""
      },
      this.text
    );
    this.button = element("button", {
      type: "button",
      class: "aew-action",
      "data-action": "guidelines",
      hidden: "",
      onclick: onceClicked(act)
    });
  }
  get isOpen() {
    return !this.node.hidden;
  }
  /** The same guidelines are open or not in every session about the same labels. */
  show(tree, scope) {
    this.storage = `activeeval-widgets:guidelines:${scope}`;
    this.isThere = tree !== null;
    this.button.hidden = !this.isThere;
    this.text.replaceChildren(...tree !== null ? [buildTree(tree)] : []);
    this.node.hidden = !this.isThere || remembered(this.storage, false) !== true;
  }
  showKeys(names) {
    this.button.replaceChildren(...keyCaps(names), "Guidelines");
  }
  toggle() {
    if (!this.isThere) return;
    this.node.hidden = !this.node.hidden;
    remember(this.storage, this.isOpen);
  }
};

// src/page/labeling_area.ts
var LabelingArea = class {
  /** `above` and `below` are shown above and below the instance where there is something to tell. */
  constructor(act, leaveReview, above, below) {
    this.act = act;
    const id = uniqueId("aew-question");
    this.question = element("h2", { id });
    this.labels = element("div", { class: "aew-labels", role: "group", "aria-labelledby": id });
    this.back = element(
      "button",
      { type: "button", class: "aew-action aew-back", hidden: "", onclick: leaveReview },
      keyCap("Esc"),
      "Back"
    );
    this.guidelines = new Guidelines(() => act("guidelines"));
    this.area = element(
      "div",
      { class: "aew-area" },
      ...above,
      this.problem,
      this.guidelines.node,
      this.instance,
      this.prediction,
      below
    );
    this.node = element(
      "section",
      { class: "aew-work", "aria-label": "Labeling" },
      element("div", { class: "aew-asked" }, this.question, this.marks, this.number, this.guidelines.button, this.back),
      this.area,
      this.labels,
      element("div", { class: "aew-foot" }, this.actions, this.status)
    );
  }
  act;
  node;
  /** What comes and goes shares it with the instance: so the labels stay where they are. */
  area;
  guidelines;
  instance = element("div", { class: "aew-instance", "data-aew": "instance" });
  labels;
  question;
  marks = element("span", { class: "aew-marks", "data-aew": "marks" });
  number = element("span", { class: "aew-number" });
  back;
  problem = element("div", {
    class: "aew-banner",
    role: "alert",
    "data-aew": "problem",
    hidden: ""
  });
  prediction = element("p", { class: "aew-prediction", "data-aew": "prediction", hidden: "" });
  actions = element("div", { class: "aew-actions", role: "group", "aria-label": "Actions" });
  status = element("p", { class: "aew-status", role: "status", "data-aew": "status" });
  /** The buttons of actions; the rare ones are in the list of keys. */
  showActions(actions, keys) {
    this.guidelines.showKeys(keys.keysOf("action guidelines"));
    this.actions.replaceChildren(
      ...actions.filter(({ is_rare }) => !is_rare).map(({ name, text, meaning }) => {
        const names = keys.keysOf(`action ${name}`);
        const act = () => this.act(name);
        return element(
          "button",
          {
            type: "button",
            class: "aew-action",
            "data-action": name,
            title: meaning,
            "aria-keyshortcuts": names.join(" "),
            onclick: ACTIONS[name].isRepeatable ? act : onceClicked(act)
          },
          ...keyCaps(names.slice(0, 1)),
          text
        );
      })
    );
  }
  showQuestion(question) {
    setText(this.question, question);
  }
  /** Which instance is shown, and what is noted about it. */
  showWhich(shown, review, mark) {
    const draw = shown?.draw === void 0 ? "" : `Item ${shown.draw}`;
    const earlier = `Earlier answer${draw && `, ${draw.toLowerCase()}`}: ${review?.answer || "none"}`;
    setText(this.number, review === null ? draw : earlier);
    this.number.classList.toggle("aew-reviewed", review !== null);
    this.back.hidden = review === null;
    const marks = [mark.flagged ? "⚑ flagged" : "", mark.note ? `Note: ${mark.note}` : ""];
    setText(this.marks, marks.filter(Boolean).join(" · "));
  }
  showPrediction(text) {
    this.prediction.hidden = text === null;
    setText(this.prediction, text ?? "");
  }
  showStatus(text, isSaved) {
    setText(this.status, text);
    this.status.title = text;
    this.status.classList.toggle("aew-saved", isSaved);
  }
  showProblem(text) {
    this.problem.hidden = text === null;
    setText(this.problem, text ?? "");
  }
  /** Which buttons can be pressed, and which are on. */
  paintButtons(flow) {
    for (const button3 of this.node.querySelectorAll("[data-action]")) {
      const name = button3.dataset.action ?? "";
      if (!(name in ACTIONS)) continue;
      button3.disabled = !ACTIONS[name].isPossible(flow);
      if (name === "flag") button3.setAttribute("aria-pressed", String(Boolean(flow.mark.flagged)));
      if (name === "guidelines") button3.setAttribute("aria-pressed", String(this.guidelines.isOpen));
    }
  }
};

// src/page/page_keys.ts
var isButton = (target) => target instanceof Element && target.closest("button, summary, a") !== null;
function take(event) {
  event.preventDefault();
  event.stopPropagation();
}
function onKeydown(view, event) {
  const { configured, flow } = view;
  if (configured === null || event.defaultPrevented || isForeign(event)) return;
  const target = event.composedPath()[0];
  if (!view.root.isOurs(target)) return;
  if (isButton(target) && (event.key === "Enter" || event.key === " ")) return;
  const open = view.openDialog;
  if (view.app?.result.isOpen && open === null) {
    onResultKey(view, event, target);
    return;
  }
  flow.stopwatch.keyPressed();
  const isOwnField = target instanceof Node && view.area.labels.contains(target);
  const isNumberField = isOwnField && configured.config.labels.kind === "number";
  if (open === null && (isNumberField || !isTextField(target)) && mustWait(view, event)) {
    take(event);
    if (!event.repeat) view.held.hold(event, flow.isReady ? flow.shown?.index ?? null : null);
    return;
  }
  if (open === null && (isOwnField || !isTextField(target)) && pressLabel(view, event)) {
    take(event);
    return;
  }
  if (isTextField(target) && !(isNumberField && event.key !== "Backspace")) return;
  if (event.key === "Escape" && open === null && flow.review !== null) {
    take(event);
    if (!event.repeat) flow.leaveReview();
    return;
  }
  const action = view.offered(configured.keys.meaningOf(event)?.action);
  if (action === null) {
    if (open !== null) return;
    if (view.instances.onKey(event)) take(event);
    else hintAt(view, event, target);
    return;
  }
  if (open !== null && open.dataset.aew !== action) return;
  take(event);
  if (event.repeat) return;
  if (open === null && !ACTIONS[action].isPossible(flow)) refuse(view, event);
  else view.act(action);
}
function onHeldKey(view, event) {
  if (view.configured === null || pressLabel(view, event)) return;
  const action = view.offered(view.configured.keys.meaningOf(event)?.action);
  if (action !== null) view.act(action);
  else if (!view.instances.onKey(event)) hintAt(view, event, null);
}
var pressLabel = ({ configured, takesLabels }, event) => takesLabels && configured?.labels.press(event) === true;
function mustWait({ flow, configured, offered }, event) {
  if (configured === null || flow.refusal !== null || !flow.isWaiting) return false;
  const action = offered(configured.keys.meaningOf(event)?.action);
  if (action !== null) return action !== "undo" && !ACTIONS[action].isPossible(flow);
  return event.key === "Enter" || event.key.length === 1 && event.key !== " ";
}
function refuse({ flow, refuse: refuse2 }, event) {
  if (flow.refusal !== null) refuse2(`${shownKey(keyNames(event)[0])} was not taken: ${flow.refusal}.`);
}
function onResultKey(view, event, target) {
  if (isTextField(target)) return;
  const name = event.key === "Escape" ? "result" : view.configured?.keys.meaningOf(event)?.action;
  const action = name !== void 0 && name in ACTIONS ? name : null;
  const onResult = action === null ? void 0 : ACTIONS[action].onResult;
  if (action === null || onResult === void 0) return;
  take(event);
  if (event.repeat) return;
  if (onResult === "leaves") view.app?.showResult(false);
  view.act(action);
}
function hintAt(view, event, target) {
  const { configured, flow, hint } = view;
  if (configured === null || event.key.length > 1 || event.key === " " || isTextField(target) || event.repeat) return;
  if (flow.refusal !== null) {
    refuse(view, event);
    return;
  }
  if (configured.keys.meaningOf(event)?.label !== void 0) return;
  const [help] = configured.keys.keysOf("action help");
  hint(`${shownKey(keyNames(event)[0])} does nothing here. ${shownKey(help)} shows all keys.`);
}

// src/page/shown_instance.ts
var ShownInstance = class {
  constructor(frame, instances, end) {
    this.frame = frame;
    this.instances = instances;
    this.end = end;
    frame.append(instances.slot, instances.texts.panel, instances.texts.bar, instances.tools.bar);
  }
  frame;
  instances;
  end;
  painted = null;
  /** The next time, the label's controls are told anew. */
  forget() {
    this.painted = null;
  }
  /** `labels`: the controls that are told of the instance, where it is labeled in this view. */
  paint(flow, labels) {
    const { shown } = flow;
    const content = shown === null ? void 0 : this.instances.elements.get(shown.index);
    if (shown === null || content === void 0 || !flow.isReady) {
      if (flow.isDone && flow.python !== null) this.end.show(flow.python);
      this.instances.show(flow.isDone ? this.end.node : element("p", { class: "aew-waiting" }, "…"));
      delete this.frame.dataset.instanceId;
      this.painted = null;
      return;
    }
    this.instances.show(content);
    this.frame.dataset.instanceId = shown.id;
    this.tell(flow, labels, content);
  }
  /** Tells the controls which instance is shown, here or elsewhere, and starts its time. */
  tell(flow, labels, content = null) {
    const { shown } = flow;
    if (shown === null || !flow.isReady) return;
    const { draw, index } = shown;
    const isReview = shown === flow.review;
    const { painted } = this;
    const isSame = painted?.draw === draw && painted?.index === index && painted?.content === content;
    if (!isSame || painted?.isReview !== isReview) {
      this.painted = { content, draw, index, isReview };
      labels?.show(content, flow.earlier.get(index));
    }
    flow.painted();
  }
};

// src/page/answering.ts
var Answering = class {
  constructor(client, root, el, app, shows = "both") {
    this.client = client;
    this.root = root;
    this.el = el;
    this.app = app;
    this.shows = shows;
    const { flow, connection } = client;
    this.flow = flow;
    this.instances = new UpcomingInstances({
      onReady: client.ready,
      askForMore: (what) => connection.send("more", what)
    });
    this.note = new NoteField({
      save: (about, text) => flow.note(about.index, text),
      leave: () => root.focus()
    });
    this.unsaved = new UnsavedBanners(flow.unsaved);
    this.area = new LabelingArea(
      (name) => this.act(name),
      () => flow.leaveReview(),
      [...this.unsaved.nodes, this.banner.node],
      this.note.node
    );
    this.end = new EndOfLabels({ showResult: () => this.act("result"), goOn: () => connection.send("go_on") });
    this.shown = new ShownInstance(this.area.instance, this.instances, this.end);
    this.keyList = new KeyList((name) => this.act(name));
    this.reasons = new ExclusionReasons((reason) => flow.answer({ type: "exclude", reason }));
    this.settings = new KeySettings(() => client.showKeys());
  }
  client;
  root;
  el;
  app;
  shows;
  configured = null;
  flow;
  area;
  instances;
  note;
  reasons;
  settings;
  end;
  held = new HeldKeys(
    (event) => onHeldKey(this, event),
    (text) => this.refuse(text)
  );
  keyList;
  banner = new ConnectionBanner();
  unsaved;
  shown;
  hinted = null;
  // said of a key that does nothing
  refused = null;
  // said of a key that was not taken, until the next answer
  prediction = null;
  get dialogs() {
    return [this.keyList, this.reasons, this.settings].map(({ dialog }) => dialog);
  }
  /** Whether the instance is shown here. */
  get showsInstance() {
    return this.shows !== "labels" || this.configured?.config.labels.kind === "grades";
  }
  /** Whether the label's keys work here: those that need no field to be typed into. */
  get takesLabels() {
    if (this.shows !== "instance") return true;
    const labels = this.configured?.config.labels;
    return labels?.kind === "class" && !labels.is_searched;
  }
  close() {
    this.instances.close();
  }
  /** Take keys from now on. */
  listen(isStandalone, signal) {
    this.root.listen(isStandalone, (event) => onKeydown(this, event), signal);
  }
  // -- what the person does -----------------------------------------------------------------------------
  act(name) {
    const { openDialog } = this;
    if (openDialog !== null)
      openDialog.close();
    else if (this.offered(name) !== null) ACTIONS[name].run(this);
  }
  showKeyList() {
    if (this.configured === null) return;
    const { config, keys, labels } = this.configured;
    const rows = [...this.takesLabels ? labels.help() : [], ...this.showsInstance ? this.instances.help(keys) : []];
    this.keyList.show(rows, this.actions, keys, config.session_text);
    this.keyList.dialog.showModal();
  }
  toggleGuidelines() {
    this.area.guidelines.toggle();
    this.paint();
  }
  togglePrediction() {
    const { flow } = this;
    const draw = flow.shown?.draw;
    if (!flow.canAnswer || flow.review !== null || draw === void 0) return;
    if (this.prediction?.draw === draw) {
      this.prediction = null;
      this.paint();
    } else this.client.connection.send("prediction", { draw });
  }
  label(value, text) {
    const isGiven = this.flow.label(value, text);
    if (!isGiven) this.refuse(`${text} was not taken: ${this.flow.refusal ?? "this item is not ready yet"}.`);
    return isGiven;
  }
  /** Says a sentence in the place of what was saved last, until the next answer. */
  hint = (text) => {
    this.hinted = text;
    this.paintStatus();
  };
  /** Says why a key was not taken. What Python tells meanwhile does not take its place. */
  refuse = (text) => {
    this.refused = text;
    this.paintStatus();
  };
  // -- what is offered ----------------------------------------------------------------------------------
  get openDialog() {
    return this.el.querySelector("dialog[open]");
  }
  /** The action, if it is one of this view's: who labels without the estimate has none that tells of it. */
  offered = (name) => this.actions.find((action) => action.name === name)?.name ?? null;
  get actions() {
    const { isThere } = this.area.guidelines;
    return (this.configured?.config.actions ?? []).filter(({ name }) => name !== "guidelines" || isThere);
  }
  // -- what Python answers ------------------------------------------------------------------------------
  /** What was told of the session, after the flow knows of it. */
  take(message, isOwn) {
    if (message.state) this.hinted = null;
    if (isOwn && message.undone) this.shown.forget();
    if (isOwn && message.prediction) this.prediction = message.prediction;
    if (message.state || message.error || message.stale) this.paintStatus();
  }
  /** Makes what the configuration asks for. */
  configure(configured) {
    const { config, keys } = configured;
    const labels = makeLabels(config.labels, keys, (value, text) => this.label(value, text));
    this.configured = { ...configured, labels };
    this.shown.forget();
    this.area.labels.replaceChildren(labels.node);
    this.area.instance.hidden = !this.showsInstance;
    this.instances.use(config.instance_modules);
    this.area.guidelines.show(config.guidelines, config.keys.scope);
    this.reasons.setReasons(config.reasons);
    this.settings.show(keys, config.actions);
  }
  /** An answer was given. */
  answered() {
    this.hinted = null;
    this.refused = null;
    this.paintStatus();
  }
  // -- what is shown ------------------------------------------------------------------------------------
  showKeys() {
    if (this.configured === null) return;
    const { keys, labels } = this.configured;
    labels.showKeys();
    this.area.showActions(this.actions, keys);
    this.instances.texts.paint(keys);
    this.end.result.replaceChildren(...keyCaps(keys.keysOf("action result").slice(0, 1)), "See the result");
    this.end.result.hidden = this.offered("result") === null;
  }
  paint() {
    const { configured, flow, area, root } = this;
    if (configured !== null && flow.python !== null) {
      const labels = this.takesLabels ? configured.labels : null;
      if (this.showsInstance) this.shown.paint(flow, labels);
      else this.shown.tell(flow, labels);
      const { shown, python } = flow;
      area.showQuestion(flow.isDone && shown === null ? "Done" : configured.config.question);
      area.showWhich(shown, flow.review, flow.mark);
      area.showPrediction(this.prediction?.draw === shown?.draw ? this.prediction?.text ?? null : null);
      this.paintButtons(configured.labels);
      root.showState(flow.stateName, shown?.draw, python);
    }
    this.paintBanners();
  }
  /** Takes the keys that had to wait, if they can be taken now. */
  releaseKeys() {
    const { flow } = this;
    this.held.release(() => flow.isWaiting && flow.refusal === null ? void 0 : this.answerable);
  }
  /** The instance that an answer would be about. */
  get answerable() {
    return this.flow.canAnswer ? this.flow.shown?.index ?? null : null;
  }
  paintButtons(labels) {
    const activeElement = focusedFrom(this.el);
    labels.setEnabled(this.flow.canAnswer);
    this.area.paintButtons(this.flow);
    if (activeElement?.matches(":disabled") && this.el.contains(activeElement)) this.root.focus();
  }
  paintStatus() {
    const { python } = this.flow;
    if (python === null) return;
    const said = this.refused ?? this.hinted;
    this.area.showStatus(said ?? python.status, said === null && python.n_labels > 0);
    this.area.showProblem(this.client.complaint);
  }
  paintBanners() {
    const { flow } = this;
    this.unsaved.paint();
    if (!this.client.connection.isLost) {
      this.banner.hide();
      return;
    }
    this.root.showDisconnected();
    this.banner.show(flow.outbox.inWords(), this.configured?.config.is_standalone === false);
  }
};

// src/page/header.ts
function openSession(name) {
  location.search = `?session=${encodeURIComponent(name)}`;
}
var Header = class {
  node;
  home = element(
    "a",
    { class: "aew-home", hidden: "", "aria-label": "All evaluations", title: "All evaluations" },
    "‹",
    element("span", {}, " All evaluations")
  );
  title = element("h1");
  about = element("p", { class: "aew-about" });
  sessions = element("select", {
    class: "aew-sessions",
    "aria-label": "Session",
    hidden: "",
    onchange: () => openSession(this.sessions.value)
  });
  newSession;
  results;
  constructor({ showResult, newSession }, progress2) {
    this.newSession = element(
      "button",
      { type: "button", class: "aew-action", "data-action": "new_session", hidden: "", onclick: newSession },
      "New session"
    );
    this.results = element(
      "button",
      { type: "button", class: "aew-results", "data-action": "result", onclick: onceClicked(showResult) },
      "Results"
    );
    this.node = element(
      "header",
      { class: "aew-header" },
      this.home,
      this.title,
      this.about,
      progress2.figures,
      this.sessions,
      this.newSession,
      this.results,
      progress2.bar
    );
  }
  show({ title, about, session, sessions, session_text, is_standalone, has_new_session, start_page }) {
    this.home.hidden = start_page === void 0;
    if (start_page !== void 0) this.home.href = start_page;
    setText(this.title, title);
    setText(this.about, about);
    this.about.title = `${about}; ${session_text}`;
    this.newSession.hidden = !has_new_session;
    this.sessions.hidden = !is_standalone || sessions.length < 2;
    this.sessions.replaceChildren(...sessions.map((name) => element("option", { value: name }, name)));
    this.sessions.value = session;
  }
  /** Where its button leads: to the result, or back. */
  showScreen(isResult) {
    setText(this.results, isResult ? "Back to labeling" : "Results");
  }
};

// src/page/name_dialog.ts
var REMEMBERED = "aew-who";
var LONGEST = 100;
var NameDialog = class {
  constructor(give) {
    this.give = give;
    const form = element(
      "form",
      { method: "dialog", onsubmit: (event) => this.submit(event) },
      element("label", { for: "aew-who" }, "Your name"),
      this.field,
      element("button", { type: "submit", class: "aew-label aew-main" }, "Start")
    );
    this.dialog = element(
      "dialog",
      {
        class: "aew-dialog aew-name",
        role: "dialog",
        "aria-modal": "true",
        "aria-labelledby": "aew-name-title",
        "data-aew": "name",
        oncancel: (event) => {
          if (!this.isNamed) event.preventDefault();
        }
      },
      element("h2", { id: "aew-name-title" }, "Who is labeling?"),
      element("p", {}, "Several people label here. Your answers are kept with your name."),
      form
    );
  }
  give;
  dialog;
  field = element("input", {
    type: "text",
    id: "aew-who",
    autocomplete: "name",
    maxlength: LONGEST,
    required: "",
    spellcheck: "false"
  });
  isNamed = false;
  /** Takes the name that this browser remembers, or asks for one. */
  begin() {
    const who = remembered(REMEMBERED, "");
    if (typeof who === "string" && who.trim() !== "") this.take(who);
    else this.open();
  }
  open() {
    this.field.value = remembered(REMEMBERED, "");
    if (!this.dialog.open) this.dialog.showModal();
    this.field.focus();
    this.field.select();
  }
  submit(event) {
    event.preventDefault();
    const who = this.field.value.trim();
    if (who === "") return;
    remember(REMEMBERED, who);
    this.dialog.close();
    this.take(who);
  }
  take(who) {
    this.isNamed = true;
    this.give(who);
  }
};

// src/page/new_session_dialog.ts
var NewSessionDialog = class {
  dialog;
  about = element("p");
  begin;
  constructor(begin) {
    const go = () => {
      this.dialog.close();
      begin();
    };
    this.begin = element("button", { type: "button", class: "aew-label aew-main", onclick: onceClicked(go) }, "Begin");
    this.dialog = makeDialog("new-session", "Begin a new session?", this.about, this.begin);
  }
  ask(nLabels) {
    const labels = nLabels === 1 ? "1 label" : `${nLabels.toLocaleString("en-US")} labels`;
    setText(
      this.about,
      `The new session starts without labels. This one keeps its ${labels}; you can go back to it with the list of sessions at the top.`
    );
    this.dialog.showModal();
    this.begin.focus();
  }
};

// src/charts/figure_surface.ts
var AFTER_ATTACH = { type: "after-attach", isConflatable: false, conflate: () => false };
var REFERENCE2 = "IPY_MODEL_";
var canShowFigures = (manager) => typeof manager?.get_model === "function" && typeof manager.create_view === "function";
var FigureSurface = class _FigureSurface {
  constructor(view) {
    this.view = view;
    this.node = view.el;
    this.node.setAttribute("aria-hidden", "true");
  }
  view;
  node;
  isAttached = false;
  /** The figure of a reference; null where its script can't be had. */
  static async open(manager, reference) {
    const model = await manager.get_model?.(reference.replace(REFERENCE2, ""));
    const view = await manager.create_view?.(model);
    if (view === void 0) return null;
    if (view.el.classList.contains("bqplot")) return new _FigureSurface(view);
    view.remove();
    return null;
  }
  draw({ x, y, margin }, width, height) {
    if (!this.isAttached) this.view.luminoWidget?.processMessage(AFTER_ATTACH);
    this.isAttached = true;
    const { left = 0, right = 0, top = 0, bottom = 0 } = margin ?? {};
    const area = { left, right: width - right, top, bottom: height - bottom };
    return { ...area, x: scaleOf(x, area.left, area.right), y: scaleOf(y, area.bottom, area.top) };
  }
  close() {
    this.view.remove();
  }
};

// src/page/page_figures.ts
var PageFigures = class {
  constructor(manager, places) {
    this.manager = manager;
    this.places = places;
  }
  manager;
  places;
  known = /* @__PURE__ */ new Set();
  hasFailed = false;
  get areShown() {
    return !this.hasFailed && canShowFigures(this.manager);
  }
  /** Shows figures, by the names of their plots. */
  take(figures) {
    for (const [name, reference] of Object.entries(figures)) {
      if (this.known.has(name)) continue;
      this.known.add(name);
      void this.open(name, reference);
    }
  }
  async open(name, reference) {
    const surface = await this.opened(reference);
    if (surface !== null) this.places.use(name, surface);
    else if (!this.hasFailed) {
      this.hasFailed = true;
      this.places.giveUp();
    }
  }
  async opened(reference) {
    if (!canShowFigures(this.manager)) return null;
    try {
      return await FigureSurface.open(this.manager, reference);
    } catch {
      return null;
    }
  }
};

// src/page/page_root.ts
var LEAST_HEIGHT = 620;
var BELOW2 = 16;
var REGIONS = {
  app: "Labeling session",
  instance: "Instance",
  labels: "Labels",
  estimate: "Estimate and goal",
  progress: "Progress",
  history: "Answers"
};
var PageRoot = class {
  constructor(el, region = "app") {
    this.el = el;
    this.region = region;
    this.node = el;
  }
  el;
  region;
  node;
  isStandalone = false;
  /** It is an ancestor once the view is in the page. */
  begin(signal) {
    const node = this.region === "app" ? this.el.closest(".aew-app") ?? this.framed() : this.partFrame();
    this.node = node;
    const forgetColors = followColors(node.parentElement ?? node);
    signal.addEventListener("abort", forgetColors);
    node.dataset.aew = this.region === "app" ? "app" : "part";
    node.dataset.state = "saving";
    node.tabIndex = 0;
    node.setAttribute("role", "region");
    node.setAttribute("aria-label", REGIONS[this.region]);
    node.dataset.lmSuppressShortcuts = "true";
    const mark = ({ target }) => {
      if (target instanceof HTMLElement) target.dataset.lmSuppressShortcuts = "true";
    };
    node.addEventListener("focusin", mark, { signal });
    this.returnFocus(signal);
    return node;
  }
  /** A dialog of JupyterLab's own takes the focus, as when the server is gone: the widget takes it back afterwards. */
  returnFocus(signal) {
    let [hadFocus, dialog] = [false, null];
    const closed = new MutationObserver(() => {
      if (dialog?.isConnected) return;
      closed.disconnect();
      dialog = null;
      const { activeElement, body } = document;
      if (activeElement === null || activeElement === body) this.focus();
    });
    const follow = ({ target }) => {
      const over = target instanceof Element ? target.closest(".jp-Dialog") : null;
      if (over === null) hadFocus = target instanceof Node && this.node.contains(target);
      else if (hadFocus && dialog === null) {
        dialog = over;
        closed.observe(document.body, { childList: true, subtree: true });
      }
    };
    document.addEventListener("focusin", follow, { signal });
    signal.addEventListener("abort", () => closed.disconnect());
  }
  /** Where a front end shows the widget alone, as marimo does: the boxes that Python has around it elsewhere. */
  framed() {
    const { el } = this;
    el.classList.remove("aew-front-end");
    const inside = element("div", { class: "aew-front-end" }, ...el.childNodes);
    const frame = element("div", { class: "aew-app" }, element("div", { class: "aew-grid" }, inside));
    el.append(frame);
    return frame;
  }
  /** The box of a part by itself. */
  partFrame() {
    const frame = element("div", { class: "aew-app aew-part", "data-part": this.region }, ...this.el.childNodes);
    this.el.append(frame);
    return frame;
  }
  configure(config) {
    const { is_standalone, has_confusion, has_groups, has_comparison, has_judge, has_calibration } = config;
    this.node.toggleAttribute("data-standalone", is_standalone);
    this.node.toggleAttribute("data-guest", config.is_guest);
    this.node.toggleAttribute("data-no-confusion", !has_confusion);
    this.node.toggleAttribute("data-no-groups", !has_groups);
    this.node.toggleAttribute("data-no-models", !has_comparison);
    this.node.toggleAttribute("data-no-each", !config.has_each);
    this.node.toggleAttribute("data-no-judge", !has_judge);
    this.node.toggleAttribute("data-no-calibration", !has_calibration);
    this.node.toggleAttribute("data-no-evidence", !config.has_evidence);
    this.node.toggleAttribute("data-no-differing", !config.has_differing);
    this.node.toggleAttribute("data-no-matrices", !config.has_matrices);
  }
  /** On a page of its own, keys act wherever the focus is; in a notebook, only inside the widget. */
  listen(isStandalone, onKeydown2, signal) {
    this.isStandalone = isStandalone;
    const isInVoila = document.body.dataset.voila !== void 0;
    const place = isStandalone || isInVoila ? document : this.node;
    place.addEventListener("keydown", (event) => onKeydown2(event), { signal });
    if (!isStandalone && this.isAlone && this.region === "app") this.fillWindow(signal);
    if ((isStandalone || this.isAlone) && !this.isFocusElsewhere) this.focus();
  }
  /** Whether it is the only app of a notebook that Voilà shows. */
  get isAlone() {
    return document.body.dataset.voila !== void 0 && document.querySelectorAll(".aew-app").length === 1;
  }
  get isFocusElsewhere() {
    return !this.isStandalone && document.activeElement !== document.body && document.activeElement !== null;
  }
  /** Takes what the window has below what the notebook shows before. */
  fillWindow(signal) {
    const fill = () => {
      const top = this.node.getBoundingClientRect().top + window.scrollY;
      const height = Math.max(LEAST_HEIGHT, window.innerHeight - top - BELOW2);
      this.node.style.setProperty("--aew-height", `${height}px`);
    };
    window.addEventListener("resize", fill, { signal });
    fill();
  }
  /** Whether a key pressed there is for this page. */
  isOurs(target) {
    const { body, documentElement } = document;
    const isPage = target === body || target === documentElement;
    return isPage && (this.isStandalone || this.isAlone) || target instanceof Node && this.node.contains(target);
  }
  focus() {
    this.node.focus({ preventScroll: true });
  }
  showState(state, draw, { n_labels, n_draws }) {
    const { dataset } = this.node;
    dataset.state = state;
    dataset.draw = String(draw ?? "");
    dataset.nLabels = String(n_labels);
    dataset.nDraws = String(n_draws);
  }
  showDisconnected() {
    this.node.dataset.state = "disconnected";
  }
  showScreen(isResult) {
    if (isResult) this.node.dataset.screen = "result";
    else delete this.node.dataset.screen;
  }
};

// src/page/plot_timer.ts
var REST = 120;
var PlotTimer = class {
  constructor(isBusy, ask) {
    this.isBusy = isBusy;
    this.ask = ask;
  }
  isBusy;
  ask;
  timer;
  restart() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (this.isBusy()) this.restart();
      else this.ask();
    }, REST);
  }
  close() {
    clearTimeout(this.timer);
  }
};

// src/page/progress.ts
var ProgressBar = class {
  bar = element("div", { class: "aew-bar", role: "progressbar", "aria-label": "Labels of budget" });
  figures = element("p", { class: "aew-progress", "data-aew": "progress" });
  show({ text, share }) {
    setText(this.figures, text);
    this.bar.style.setProperty("--aew-share", String(share ?? 0));
    this.bar.setAttribute("aria-valuenow", String(Math.round(100 * (share ?? 0))));
    this.bar.hidden = share === null;
  }
};

// src/connection/outbox.ts
var PATIENCE = 250;
var MOST_AT_ONCE = 64;
var SPARE = 48;
var drawOf = (message) => "draw" in message ? message.draw : void 0;
var Outbox = class {
  // that Python took for an answer, the last time
  constructor(connection, onChange) {
    this.connection = connection;
    this.onChange = onChange;
    window.addEventListener("pagehide", this.leave);
  }
  connection;
  onChange;
  items = [];
  /** Why Python could not save the first of them: they wait here. */
  held = null;
  /** The draws that are answered here, and not yet there. */
  draws = /* @__PURE__ */ new Set();
  storage = null;
  // where this tab keeps what is not confirmed
  inFlight = null;
  msEach = PATIENCE / 4;
  get isEmpty() {
    return this.items.length === 0;
  }
  holds(...types) {
    return this.items.some(({ message }) => types.includes(message.type));
  }
  push(message, text = null, index) {
    this.items.push({ message, text, index });
    this.changed();
    this.flush();
  }
  /** Send again what this tab had not heard of before it was loaded anew; from now on, keep what is not confirmed. */
  restore(session) {
    if (this.storage !== null) return;
    this.storage = `aew-unconfirmed ${session}`;
    const kept = remembered(this.storage, [], "sessionStorage");
    const resent = kept.map((item) => ({ ...item, message: { ...item.message, resent_for: item.index } }));
    this.items.unshift(...resent);
    if (kept.length === 0) return;
    this.changed();
    this.flush();
  }
  /**
   * Python has answered a message. What came after a refused answer was meant for an instance that is not the
   * present one: it would be refused, too. What could not be saved is kept here. After an answer that another tab
   * was faster with, the others count, but nothing is undone: that was meant for what did not happen.
   */
  settle({ seq, error, is_kept, n_done, stale, ms_each }) {
    if (this.inFlight === null || this.inFlight.seq !== seq) return;
    if (ms_each !== void 0 && ms_each > 0) this.msEach = ms_each;
    this.held = is_kept ? error ?? null : null;
    this.items.splice(0, is_kept ? n_done : error ? this.items.length : this.inFlight.n);
    this.inFlight = null;
    const undo = this.items.findIndex(({ message }) => message.type === "undo");
    if (stale && undo >= 0) this.items.splice(undo);
    this.changed();
    this.flush();
  }
  tryAgain() {
    this.held = null;
    this.changed();
    this.flush();
  }
  inWords() {
    const about = (draw) => draw === void 0 ? "" : ` (draw ${draw})`;
    return this.items.filter(({ text }) => text !== null).map(({ text, message }) => text + about(drawOf(message))).join(", ");
  }
  close() {
    window.removeEventListener("pagehide", this.leave);
  }
  // A page that is left sends what it has.
  leave = () => {
    const nSent = this.inFlight?.n ?? 0;
    if (this.held === null && this.items.length > nSent) this.send(this.items.slice(nSent));
  };
  flush() {
    if (this.inFlight !== null || this.held !== null || this.isEmpty) return;
    const batch = this.items.slice(0, Math.min(MOST_AT_ONCE, Math.max(1, Math.floor(PATIENCE / this.msEach))));
    this.inFlight = { seq: this.send(batch), n: batch.length };
  }
  send(items) {
    return this.connection.send("answers", {
      answers: items.map(({ message }) => message),
      ahead: this.items.length + SPARE
    });
  }
  // Answers about draws alone: Python knows of each draw whether it has its answer. What was taken back is none.
  keep() {
    if (this.storage === null) return;
    const kept = [];
    for (const item of this.items) {
      if (item.message.type === "undo") kept.pop();
      else if (item.index !== void 0) kept.push(item);
    }
    remember(this.storage, kept, "sessionStorage");
  }
  changed() {
    this.keep();
    this.draws = new Set(this.items.map(({ message }) => drawOf(message)).filter((draw) => draw !== void 0));
    this.onChange();
  }
};

// src/answers/stopwatch.ts
var IDLE_AFTER = 3e4;
var Stopwatch = class {
  spent = 0;
  last = 0;
  isHidden = false;
  firstKey = null;
  constructor(signal) {
    this.restart();
    const options = { signal, passive: true, capture: true };
    for (const name of ["keydown", "pointermove", "pointerdown", "wheel", "scroll", "visibilitychange"]) {
      document.addEventListener(name, () => this.moved(), options);
    }
  }
  restart() {
    this.spent = 0;
    this.last = performance.now();
    this.isHidden = document.hidden;
    this.firstKey = null;
  }
  keyPressed() {
    this.firstKey ??= this.read();
  }
  /** As messages carry them, in seconds. */
  times() {
    const first = this.firstKey === null ? null : this.firstKey / 1e3;
    return { seconds: this.read() / 1e3, first_key_seconds: first };
  }
  read() {
    return this.spent + (this.isHidden ? 0 : Math.min(performance.now() - this.last, IDLE_AFTER));
  }
  moved() {
    this.spent = this.read();
    this.last = performance.now();
    this.isHidden = document.hidden;
  }
};

// src/answers/unsaved_answers.ts
var UnsavedAnswers = class {
  // what came of a rescue, or what is missing
  constructor(connection, outbox) {
    this.connection = connection;
    this.outbox = outbox;
  }
  connection;
  outbox;
  store = null;
  // what Python told last
  seen = /* @__PURE__ */ new Set();
  // notices that were read
  told = null;
  get problem() {
    return this.outbox.held ?? this.store?.problem ?? null;
  }
  /** What can't be saved, and why, in words. */
  get text() {
    const { problem } = this;
    if (problem === null) return null;
    const unsaved = this.outbox.inWords();
    const kept = unsaved ? `Not saved yet, but kept in this page: ${unsaved}. ` : "Answers can't be saved. ";
    return `${kept}${problem[0].toUpperCase()}${problem.slice(1)}.`;
  }
  /** What is to be read, in words. */
  get notice() {
    const unread = (this.store?.notices ?? []).filter((notice) => !this.seen.has(notice));
    return this.told ?? (unread.length > 0 ? unread.join(" ") : null);
  }
  get canRescue() {
    return this.store?.can_rescue === true;
  }
  take(message) {
    const store = message.state?.store ?? message.store;
    if (message.config && store?.key) {
      const before = remembered(`aew-saved ${store.key}`, null);
      if (before !== null) this.connection.send("witness", before);
      this.outbox.restore(store.key);
    }
    if (store) {
      this.store = store;
      if (store.key) remember(`aew-saved ${store.key}`, store.saved);
    }
    if (message.missing) this.told = message.missing;
    if (message.rescued) {
      this.told = message.rescued;
      this.outbox.tryAgain();
    }
  }
  rescue() {
    this.connection.send("save_to_new_file");
  }
  tryAgain() {
    if (this.outbox.isEmpty) this.connection.send("ping");
    else this.outbox.tryAgain();
  }
  /** The notice was read. */
  read() {
    if (this.told !== null) this.told = null;
    else for (const notice of this.store?.notices ?? []) this.seen.add(notice);
  }
};

// src/answers/answer_flow.ts
var READY_AHEAD = 40;
var LEAST_READY = 8;
var MOST_READY = 56;
var READY_BYTES = 16e6;
var AnswerFlow = class {
  // what the stopwatch runs for
  constructor(connection, instances, signal, onChange) {
    this.connection = connection;
    this.instances = instances;
    this.onChange = onChange;
    this.stopwatch = new Stopwatch(signal);
    this.outbox = new Outbox(connection, () => this.update());
    this.unsaved = new UnsavedAnswers(connection, this.outbox);
  }
  connection;
  instances;
  onChange;
  /** The last state that Python told. */
  python = null;
  /** The value that an instance had, by its index, to be shown again. */
  earlier = /* @__PURE__ */ new Map();
  /** An instance from the history that is looked at again. */
  review = null;
  /** How long Python took for an instance, the last time. */
  msEach = PATIENCE / 4;
  stopwatch;
  outbox;
  unsaved;
  queue = [];
  // what comes, without what is answered here
  marks = /* @__PURE__ */ new Map();
  timed = null;
  get shown() {
    return this.review ?? this.queue[0] ?? null;
  }
  get mark() {
    return (this.shown && this.marks.get(this.shown.index)) ?? {};
  }
  /** Whether the instance can be painted, wherever it is shown. */
  get isReady() {
    return this.shown !== null && this.instances.isReady(this.shown.index);
  }
  get isSaving() {
    return !this.outbox.isEmpty;
  }
  get isDone() {
    return this.python?.is_done === true && this.outbox.isEmpty;
  }
  get canAnswer() {
    return this.refusal === null && !this.isWaiting;
  }
  /** Why no answer is taken, as long as nobody does something about it. */
  get refusal() {
    if (this.connection.isLost) return "Python is not responding";
    if (this.unsaved.problem !== null) return "answers can't be saved";
    if (this.review !== null && this.review.value === void 0)
      return "this earlier answer is not a label; Esc goes back";
    if (this.review === null && this.isDone) return "nothing is left to label";
    return null;
  }
  /** Whether it takes a moment until an answer can be given. */
  get isWaiting() {
    const isAsking = this.review === null && this.outbox.holds("undo", "defer", "exclude");
    return isAsking || !this.isReady;
  }
  /** Whether there is an instance to be noted or flagged. */
  get hasInstance() {
    return !this.connection.isLost && this.isReady;
  }
  get canUndo() {
    const isThere = this.python !== null && (this.python.can_undo || this.isSaving);
    return !this.connection.isLost && this.review === null && isThere;
  }
  get stateName() {
    if (this.connection.isLost) return "disconnected";
    if (this.python === null || this.isSaving) return "saving";
    if (this.isDone) return "done";
    return this.isWaiting || this.unsaved.problem !== null ? "saving" : "ready";
  }
  takeState(python) {
    this.python = python;
    if (!this.outbox.holds("note", "flag")) {
      for (const { index, note, flagged } of python.queue) this.setMark(index, { note, flagged });
    }
    this.update();
  }
  /** The instance is in the page: its time begins. */
  painted() {
    const { shown } = this;
    if (this.timed === shown) return;
    const isSame = this.timed?.index === shown?.index && this.timed?.draw === shown?.draw;
    this.timed = shown;
    if (!isSame) this.stopwatch.restart();
  }
  /** Returns whether the label could be given. */
  label(value, text) {
    if (this.review === null) return this.answer({ type: "label", value }, text);
    if (!this.canAnswer) return false;
    this.outbox.push({ type: "change", index: this.review.index, value }, `${this.review.id}: ${text}`);
    this.leaveReview();
    return true;
  }
  /** An answer about the present instance. Returns whether it could be given. */
  answer(about, text = null) {
    if (!this.canAnswer || this.review !== null) return false;
    const { draw, index } = this.queue[0];
    this.earlier.delete(index);
    this.outbox.push({ ...about, draw, ...this.stopwatch.times() }, text, index);
    this.onChange();
    return true;
  }
  /** Go to an instance of the history. */
  goTo(row) {
    this.setMark(row.index, { note: row.note, flagged: row.flagged });
    this.review = this.queue[0]?.index === row.index ? null : row;
    if (row.value !== void 0) this.earlier.set(row.index, row.value);
    this.onChange();
  }
  leaveReview() {
    if (this.review !== null) this.earlier.delete(this.review.index);
    this.review = null;
    this.onChange();
  }
  flag() {
    const { shown } = this;
    if (shown === null || !this.hasInstance) return;
    const flagged = !this.mark.flagged;
    this.setMark(shown.index, { flagged });
    this.outbox.push({ type: "flag", index: shown.index, flagged });
    this.onChange();
  }
  note(index, text) {
    this.setMark(index, { note: text });
    this.outbox.push({ type: "note", index, text });
    this.onChange();
  }
  /** Which label counts where people differ. */
  adjudicate(index, value, text) {
    if (this.connection.isLost) return;
    this.outbox.push({ type: "adjudicate", index, value }, text);
    this.onChange();
  }
  undo() {
    if (!this.canUndo) return;
    this.outbox.push({ type: "undo" });
    this.timed = null;
    this.onChange();
  }
  askForInstances() {
    const ready = Math.min(READY_AHEAD, Math.max(LEAST_READY, READY_BYTES / (this.instances.meanSize || 1)));
    const most = Math.min(MOST_READY, ready + this.outbox.items.length);
    const coming = [...this.review === null ? [] : [this.review], ...this.queue].slice(0, most);
    const indices = this.instances.missing(coming, Math.max(1, Math.floor(PATIENCE / this.msEach)));
    if (indices.length === 0) return;
    this.instances.want(indices);
    this.connection.send("instances", { indices });
  }
  close() {
    this.outbox.close();
  }
  update() {
    this.queue = (this.python?.queue ?? []).filter(({ draw }) => !this.outbox.draws.has(draw));
  }
  setMark(index, mark) {
    const { note, flagged } = { ...this.marks.get(index), ...mark };
    if (note || flagged) this.marks.set(index, { note, flagged });
    else this.marks.delete(index);
  }
};

// src/connection/jupyter_line.ts
var FIRST_LOOK = 300;
var LOOK_EVERY = 500;
var CONNECT_EVERY = 5e3;
var isLineDown = (kernel) => (kernel?.connectionStatus ?? "connected") !== "connected";
var nextLook = /* @__PURE__ */ new WeakMap();
async function reconnect(kernel, now) {
  if (!kernel || kernel.isDisposed) return;
  if (!isLineDown(kernel)) {
    nextLook.set(kernel, now + FIRST_LOOK);
    return;
  }
  const { serverSettings, id } = kernel;
  const { baseUrl, init, fetch: ask = fetch } = serverSettings ?? {};
  if (baseUrl === void 0 || now < (nextLook.get(kernel) ?? Number.POSITIVE_INFINITY)) return;
  nextLook.set(kernel, Number.POSITIVE_INFINITY);
  let wait = LOOK_EVERY;
  try {
    await ask(new Request(`${baseUrl}api/kernels/${id}`, { ...init, method: "GET", cache: "no-store" }));
    if (isLineDown(kernel) && !kernel.isDisposed) {
      wait = CONNECT_EVERY;
      kernel.reconnect?.().catch(() => {
      });
    }
  } catch {
  }
  nextLook.set(kernel, performance.now() + wait);
}

// src/connection/connection.ts
var ANSWER_WITHIN = 2e3;
var HEARTBEAT_EVERY = 5e3;
var REPEAT_AFTER = 1e3;
var REPEAT_EVERY = 8e3;
var CHECK_EVERY = 250;
var Connection = class {
  constructor(model, listeners) {
    this.model = model;
    this.listeners = listeners;
    model.on("msg:custom", this.listener);
    this.watch = setInterval(() => this.check(), CHECK_EVERY);
    this.heartbeat = setInterval(() => {
      if (this.outstanding.size === 0 && !document.hidden) this.enqueue("ping");
    }, HEARTBEAT_EVERY);
  }
  model;
  listeners;
  isLost = false;
  client = Math.random().toString(36).slice(2);
  seq = 0;
  outstanding = /* @__PURE__ */ new Map();
  listener = (message, buffers) => this.receive(message, buffers);
  watch;
  heartbeat;
  /** Returns the message's sequence number. */
  send(type, ...content) {
    return this.enqueue(type, content[0]);
  }
  /** The same with bytes. */
  sendBytes(type, content, bytes) {
    return this.enqueue(type, content, [bytes]);
  }
  enqueue(type, content, buffers) {
    this.seq += 1;
    const now = performance.now();
    const message = { ...content, type, client: this.client, seq: this.seq };
    const repeatAt = this.isDown ? now : now + REPEAT_AFTER;
    this.outstanding.set(this.seq, { type, message, buffers, sentAt: now, repeatAt, wait: REPEAT_AFTER });
    this.transmit(message, buffers);
    return this.seq;
  }
  isWaitingFor(...types) {
    return [...this.outstanding.values()].some(({ type }) => types.includes(type));
  }
  close() {
    this.model.off("msg:custom", this.listener);
    clearInterval(this.watch);
    clearInterval(this.heartbeat);
  }
  // What is sent while the line is down would wait in Jupyter's queue, where it holds up by 3 s the question that
  // Jupyter asks of the kernel first: it waits here.
  get isDown() {
    return isLineDown(this.model.widget_manager?.kernel);
  }
  transmit(message, buffers) {
    if (this.isDown) return;
    try {
      if (buffers) this.model.send(message, void 0, buffers);
      else this.model.send(message);
    } catch {
    }
  }
  repeat(now) {
    for (const sent of this.outstanding.values()) {
      if (this.isDown) Object.assign(sent, { repeatAt: now, wait: REPEAT_AFTER });
      if (this.isDown || now < sent.repeatAt) continue;
      sent.wait = Math.min(2 * sent.wait, REPEAT_EVERY);
      sent.repeatAt = now + sent.wait;
      this.transmit({ ...sent.message, is_repeated: true }, sent.buffers);
    }
  }
  receive(message, buffers) {
    const isOwn = message.client === this.client;
    if (isOwn && typeof message.seq === "number") {
      this.outstanding.delete(message.seq);
      this.check();
    }
    this.listeners.onReply(message, buffers, isOwn);
  }
  check() {
    const now = performance.now();
    void reconnect(this.model.widget_manager?.kernel, now);
    this.repeat(now);
    const isLost = [...this.outstanding.values()].some(({ sentAt }) => now - sentAt > ANSWER_WITHIN);
    if (isLost !== this.isLost) {
      this.isLost = isLost;
      this.listeners.onChange();
    }
  }
};

// src/keys/key_map.ts
var KeyMap = class {
  texts;
  taken;
  // by the label's controls
  storage;
  proposed;
  // by "label 0" or "action undo"
  own;
  constructor({ scope, labels, actions, taken }) {
    this.storage = `activeeval-widgets:keys:${scope}`;
    this.taken = new Set(taken);
    this.proposed = new Map([
      ...labels.map(({ keys: keys2 }, i) => [`label ${i}`, keys2]),
      ...Object.entries(actions).map(([name, keys2]) => [`action ${name}`, keys2])
    ]);
    this.texts = labels.map(({ text }) => text);
    this.own = remembered(this.storage, {});
    const keys = this.ids().flatMap((id) => this.keysOf(id));
    if (keys.some((key) => typeof key !== "string") || new Set(keys).size < keys.length) this.own = {};
  }
  ids() {
    return [...this.proposed.keys()];
  }
  /** The keys of "label 0" or "action undo". One's own takes the place of the first; keys that no other can have stay. */
  keysOf(id) {
    const proposed = this.proposed.get(id) ?? [];
    if (!Object.hasOwn(this.own, id)) return [...proposed];
    return [this.own[id], ...proposed.filter((key) => key === "Backspace")];
  }
  /** Who has a key, or null. */
  holder(key, except = null) {
    return this.ids().find((id) => id !== except && this.keysOf(id).includes(key)) ?? null;
  }
  /** Whether a key is one that the label's controls need, other than for labels. */
  isTaken(key, id) {
    return this.taken.has(key) && !(this.proposed.get(id) ?? []).includes(key);
  }
  /** What a keydown stands for, or null where the key is not ours. */
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
};

// src/page/session_client.ts
var SharedInstances = class {
  constructor(client) {
    this.client = client;
  }
  client;
  get all() {
    return this.client.views.map(({ instances }) => instances).filter((instances) => instances !== null);
  }
  // Where no view shows instances, somebody else does, once Python has said which one it is.
  isReady(index) {
    const { all, client } = this;
    return all.length === 0 ? !client.flow.isSaving : all.every((instances) => instances.isReady(index));
  }
  missing(queue, atOnce) {
    return [...new Set(this.all.flatMap((instances) => instances.missing(queue, atOnce)))];
  }
  want(indices) {
    for (const instances of this.all) instances.want(indices);
  }
  get meanSize() {
    return Math.max(0, ...this.all.map(({ meanSize }) => meanSize));
  }
};
var SessionClient = class {
  configured = null;
  connection;
  flow;
  problem = null;
  // what went wrong with the last answer
  stale = null;
  // what another tab was faster with
  views = [];
  listeners = new AbortController();
  isAsked = false;
  // for the configuration
  constructor(model) {
    this.connection = new Connection(model, {
      onReply: (message, buffers, isOwn) => this.take(message, buffers, isOwn),
      onChange: () => this.paint()
    });
    this.flow = new AnswerFlow(
      this.connection,
      new SharedInstances(this),
      this.listeners.signal,
      () => this.answered()
    );
  }
  /** Why the last answer was not taken as it was meant. */
  get complaint() {
    return this.problem ?? this.stale;
  }
  get python() {
    return this.flow.python;
  }
  join(view) {
    this.views.push(view);
    if (!this.isAsked) {
      this.isAsked = true;
      this.connection.send("hello");
    } else if (this.configured !== null && this.python !== null) {
      view.take({ config: this.configured.config, state: this.python }, [], false);
      this.ready();
    }
  }
  /** Whether the last view has left. */
  leave(view) {
    const at = this.views.indexOf(view);
    if (at >= 0) this.views.splice(at, 1);
    if (this.views.length > 0) this.paint();
    else this.close();
    return this.views.length === 0;
  }
  /** A view can show more: what was waited for may be there now. */
  ready = () => {
    this.paint();
    this.flow.askForInstances();
  };
  showKeys() {
    for (const view of this.views) view.showKeys();
  }
  paint() {
    for (const view of this.views) view.paint();
  }
  close() {
    this.listeners.abort();
    this.connection.close();
    this.flow.close();
  }
  answered() {
    this.problem = null;
    this.stale = null;
    for (const view of this.views) view.answered();
    this.flow.askForInstances();
  }
  take(message, buffers, isOwn) {
    const { flow } = this;
    if (message.state) {
      flow.takeState(message.state);
      this.problem = null;
    }
    if (message.config) this.configured = { config: message.config, keys: new KeyMap(message.config.keys) };
    flow.unsaved.take(message);
    if (message.session_text && this.configured) this.configured.config.session_text = message.session_text;
    if (isOwn) this.takeAnswer(message, buffers);
    for (const view of [...this.views]) view.take(message, buffers, isOwn);
    this.paint();
    if (this.configured !== null) flow.askForInstances();
  }
  /** What was asked for in this document. */
  takeAnswer(message, buffers) {
    const { flow } = this;
    const shown = this.views.map(({ instances }) => instances).filter((instances) => instances !== null);
    if (message.instances) {
      flow.msEach = message.ms_each || flow.msEach;
      message.instances.forEach((info, i) => {
        for (const instances of shown) if (instances.wanted.has(info.index)) void instances.add(info, buffers[i]);
      });
    }
    if (message.more) for (const instances of shown) instances.addMore(message.more, buffers[0]);
    if (message.undone) flow.earlier.set(message.undone.index, message.undone.value);
    flow.outbox.settle(message);
    if (message.stale) this.stale = message.stale;
    if (message.error && !message.is_kept) this.problem ??= message.error;
    if (message.row) flow.goTo(message.row);
  }
};

// src/page/labeling_page.ts
var LabelingPage = class {
  // whether the result comes back after it
  constructor(model, el) {
    this.el = el;
    this.root = new PageRoot(el);
    el.classList.add("aew-front-end");
    this.client = new SessionClient(model);
    const { connection, flow } = this.client;
    const act = (name) => this.answering.act(name);
    this.answering = new Answering(this.client, this.root, el, this);
    this.instances = this.answering.instances;
    const newSession = () => this.newSession.ask(flow.python?.n_labels ?? 0);
    this.header = new Header({ showResult: () => act("result"), newSession }, this.progress);
    this.plotTimer = new PlotTimer(
      () => flow.isSaving || connection.isWaitingFor("plots"),
      () => this.askForPlots()
    );
    this.history = new AnswerHistory({
      choose: (row) => flow.goTo(row),
      ask: (question) => connection.send("history", question),
      mayTell: () => this.mayTell
    });
    this.goal = new GoalPanel((fields) => connection.send("goal", { fields }), act);
    this.result = new ResultScreen({
      ask: () => this.askForResult(),
      save: (which) => connection.send("save", { which }),
      goTo: (index) => {
        this.showResult(false);
        this.leavesResult = true;
        this.lookAt(index);
      },
      goOn: () => {
        this.showResult(false);
        connection.send("go_on");
      },
      listDiffering: (pair) => this.history.open(pair)
    });
    const table = new TableDialog();
    this.panels = new Panels({
      goTo: (index) => this.lookAt(index),
      adjudicate: (index, value, text) => flow.adjudicate(index, value, text),
      rename: () => this.name.open(),
      listDiffering: (pair) => this.history.open(pair),
      choosePair: (pair) => {
        this.pair = pair;
        this.askForPlots();
      },
      table,
      goal: this.goal.box
    });
    this.figures = new PageFigures(model.widget_manager, {
      use: (name, surface) => {
        if (name === "result") this.result.use(surface);
        else this.panels.draw(name, surface);
      },
      giveUp: () => this.askForPlots()
    });
    this.side = element("div", { class: "aew-side" }, ...this.panels.nodes);
    const opened = (name) => {
      this.panels.reveal(name);
      this.revealed = name;
      this.plotTimer.restart();
    };
    this.choice = new PanelChoice(PANEL_NAMES, () => this.plotTimer.restart(), opened);
    this.name = new NameDialog((who) => connection.send("name", { who }));
    this.newSession = new NewSessionDialog(() => connection.send("new_session"));
    const dialogs = [this.choice, table, this.goal, this.history, this.name, this.newSession];
    el.append(
      ...[this.header.node, this.answering.area.node, this.result.node, this.side, ...this.answering.dialogs],
      ...dialogs.map(({ dialog }) => dialog)
    );
    whenFound(() => el.isConnected, this.start, this.listeners.signal);
  }
  el;
  answers = true;
  instances;
  history;
  goal;
  result;
  choice;
  listeners = new AbortController();
  client;
  root;
  answering;
  progress = new ProgressBar();
  header;
  panels;
  figures;
  side;
  name;
  newSession;
  plotTimer;
  isConfigured = false;
  wasDone = false;
  // whether the end has been seen
  leavesResult = false;
  // whether an instance was asked for from the result
  revealed = null;
  // the panel that was opened last, until its content is here
  pair = null;
  // two of several models, by their positions
  returnsToResult = false;
  /** Takes everything back that the page would keep otherwise. */
  close() {
    this.listeners.abort();
    this.plotTimer.close();
    this.client.leave(this);
    this.answering.close();
    this.history.close();
    this.result.forget();
    this.panels.close();
    this.el.replaceChildren();
  }
  /** The result takes the place of labeling until one goes back. */
  showResult(isShown) {
    if (isShown === this.result.isOpen) return;
    this.root.showScreen(isShown);
    if (isShown) this.result.open();
    else {
      this.result.close();
      this.root.focus();
    }
    this.header.showScreen(isShown);
  }
  /** Whether the page may tell of the model. */
  get mayTell() {
    return !this.choice.isLabelerView;
  }
  lookAt(index) {
    this.client.connection.send("row", { index, shows_prediction: this.mayTell });
  }
  answered() {
    this.answering.answered();
    this.paint();
    if (this.returnsToResult && this.client.flow.review === null) {
      this.returnsToResult = false;
      this.showResult(true);
    }
    this.plotTimer.restart();
  }
  askForPlots() {
    const shows_confusion = this.choice.isShown("confusion");
    const { showsWald: shows_wald } = this.choice;
    const names = ["models", "each", "differing", "matrices", "groups", "judge", "calibration", "interval", "evidence"];
    const optional = names.filter((name) => this.choice.isShown(name));
    const shown = [...this.choice.shown, ...optional];
    const draws_figures = this.figures.areShown;
    this.client.connection.send("plots", { shows_wald, shows_confusion, shown, pair: this.pair, draws_figures });
  }
  askForResult() {
    this.client.connection.send("result", { may_tell: this.mayTell, draws_figures: this.figures.areShown });
  }
  // -- what Python answers ------------------------------------------------------------------------------
  take(message, buffers, isOwn) {
    const { result } = this;
    if (message.state) this.plotTimer.restart();
    if (message.config) this.configure(message.config);
    if (message.figures) this.figures.take(message.figures);
    this.answering.take(message, isOwn);
    if (isOwn) this.takeAnswer(message, buffers);
    if (message.state) this.progress.show(message.state.progress);
    this.panels.show({ estimate: message.state?.estimate, ...message.plots, confusion: message.confusion });
    this.panels.show({ groups: message.groups });
    this.panels.show({ people: message.state?.people });
    this.panels.show({ ...message.state?.panels, ...message.panels });
    if (message.goal) this.goal.show(message.goal);
    if (message.plots && this.revealed !== null) {
      this.panels.reveal(this.revealed);
      this.revealed = null;
    }
    if (message.plots && result.isOpen) this.askForResult();
  }
  /** What was asked for here. */
  takeAnswer(message, buffers) {
    if (message.history) this.history.show(message.history, buffers);
    if (message.open_session) openSession(message.open_session);
    if (message.row) {
      this.returnsToResult = this.leavesResult;
      this.leavesResult = false;
    }
    if (message.result) this.result.show(message.result, buffers);
    if (message.file) saveFile(message.file);
  }
  configure(config) {
    const { configured } = this.client;
    if (configured === null) return;
    this.header.show(config);
    this.root.configure(config);
    if (config.is_labeler_view) this.choice.keepLabelerView();
    for (const module of config.panel_modules) {
      const node = this.panels.add(module);
      if (node === null) continue;
      this.side.append(node);
      this.choice.add(module.name, module.title, node);
    }
    this.answering.configure(configured);
    this.showKeys();
    if (config.goal) this.goal.show(config.goal);
    if (config.asks_name) this.name.begin();
    if (this.isConfigured) return;
    this.isConfigured = true;
    if (config.goal) this.goal.begin(config.keys.scope);
    this.answering.listen(config.is_standalone, this.listeners.signal);
  }
  // -- what is shown ------------------------------------------------------------------------------------
  showKeys() {
    const { configured } = this.client;
    if (configured === null) return;
    this.goal.result.replaceChildren(...keyCaps(configured.keys.keysOf("action result").slice(0, 1)), "See the result");
    this.answering.showKeys();
    this.paint();
  }
  paint() {
    const { flow } = this.client;
    this.answering.paint();
    if (this.isConfigured && flow.python !== null) {
      if (flow.isDone && !this.wasDone) this.showResult(true);
      this.wasDone = flow.isDone || this.wasDone && flow.python.is_done;
    }
    this.answering.releaseKeys();
  }
  // -- start --------------------------------------------------------------------------------------------
  start = () => {
    this.choice.applyTo(this.root.begin(this.listeners.signal));
    this.client.join(this);
  };
};

// src/parts/index.ts
function answering({ client, root, el }, shows) {
  const made = new Answering(client, root, el, null, shows);
  made.area.node.removeAttribute("aria-label");
  return { nodes: [made.area.node], dialogs: made.dialogs, answering: made };
}
function estimate({ client }) {
  const { connection, flow } = client;
  const goal = new GoalPanel(
    (fields) => connection.send("goal", { fields }),
    (name) => name === "goal" && goal.open()
  );
  goal.leaveOutResult();
  const panel = new EstimatePanel(goal.box);
  const timer = new PlotTimer(
    () => flow.isSaving || connection.isWaitingFor("plan"),
    () => connection.send("plan")
  );
  return {
    nodes: [panel.node],
    dialogs: [goal.dialog],
    take({ config, state, goal: plan }) {
      if (state?.estimate) panel.show(state.estimate);
      const content = plan ?? config?.goal;
      if (content) goal.show(content);
      if (state && !config) timer.restart();
    },
    close: () => timer.close()
  };
}
function progress() {
  const made = new ProgressBar();
  return {
    nodes: [made.figures, made.bar],
    take({ state }) {
      if (state) made.show(state.progress);
    }
  };
}
function history({ client }) {
  const { connection, flow } = client;
  const canChoose = () => client.views.some(({ answers }) => answers);
  const list = new AnswerList({
    choose: (row) => flow.goTo(row),
    canChoose,
    ask: (question) => connection.send("history", question),
    mayTell: () => client.configured?.config.is_labeler_view === false
  });
  const node = element("div", { class: "aew-history-list" }, ...list.parts);
  node.addEventListener("keydown", (event) => {
    if (list.press(event)) event.stopPropagation();
  });
  const timer = new PlotTimer(
    () => flow.isSaving || connection.isWaitingFor("history"),
    () => list.refresh()
  );
  let could = canChoose();
  return {
    nodes: [node],
    take(message, buffers, isOwn) {
      if (message.config) list.open();
      else if (message.state) timer.restart();
      if (isOwn && message.history) list.show(message.history, buffers);
    },
    paint() {
      if (could === canChoose()) return;
      could = canChoose();
      timer.restart();
    },
    close() {
      timer.close();
      list.close();
    }
  };
}
var PARTS = {
  instance: (place) => answering(place, "instance"),
  labels: (place) => answering(place, "labels"),
  estimate,
  progress,
  history
};

// src/parts/part_view.ts
var clients = /* @__PURE__ */ new WeakMap();
function clientOf(model) {
  const client = clients.get(model) ?? new SessionClient(model);
  clients.set(model, client);
  return client;
}
var PartView = class {
  constructor(model, el, name) {
    this.model = model;
    this.el = el;
    this.client = clientOf(model);
    this.root = new PageRoot(el, name);
    this.part = PARTS[name]({ client: this.client, root: this.root, el });
    el.append(element("div", { class: "aew-part-content" }, ...this.part.nodes), ...this.part.dialogs ?? []);
    whenFound(() => el.isConnected, this.start, this.listeners.signal);
  }
  model;
  el;
  listeners = new AbortController();
  client;
  root;
  part;
  configured = null;
  get instances() {
    return this.part.answering?.showsInstance ? this.part.answering.instances : null;
  }
  get answers() {
    return this.part.answering !== void 0;
  }
  close() {
    this.listeners.abort();
    if (this.client.leave(this)) clients.delete(this.model);
    this.part.answering?.close();
    this.part.close?.();
    this.el.replaceChildren();
  }
  take(message, buffers, isOwn) {
    if (message.config) this.configure();
    this.part.answering?.take(message, isOwn);
    this.part.take?.(message, buffers, isOwn);
  }
  answered() {
    this.part.answering?.answered();
    this.paint();
  }
  showKeys() {
    this.part.answering?.showKeys();
    this.paint();
  }
  paint() {
    const { flow, connection } = this.client;
    const { answering: answering2 } = this.part;
    if (answering2 !== void 0) {
      answering2.paint();
      answering2.releaseKeys();
    } else if (connection.isLost) this.root.showDisconnected();
    else if (flow.python !== null) this.root.showState(flow.stateName, flow.shown?.draw, flow.python);
    this.part.paint?.();
  }
  configure() {
    const { configured } = this.client;
    if (configured === null) return;
    const isFirst = this.configured === null;
    this.configured = configured;
    this.part.answering?.configure(configured);
    this.showKeys();
    if (isFirst) this.part.answering?.listen(false, this.listeners.signal);
  }
  start = () => {
    this.root.begin(this.listeners.signal);
    this.client.join(this);
  };
};

// src/index.ts
function render({ model, el }) {
  const page = new LabelingPage(model, el);
  return () => page.close();
}
function renderPart(model, el, name) {
  const part = new PartView(model, el, name);
  return () => part.close();
}
var index_default = { render, renderPart };
export {
  index_default as default
};
