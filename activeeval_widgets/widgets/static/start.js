// Made of frontend/src by `make bundle`: edit that.

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
function uniqueId(name) {
  let id = name;
  for (let n = 2; used.has(id) || document.getElementById(id) !== null; n += 1) id = `${name}-${n}`;
  used.add(id);
  return id;
}
var used = /* @__PURE__ */ new Set();

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

// src/start/menu.ts
function menuButton(label, items) {
  const buttons = items.map(
    ({ text, run }) => element(
      "button",
      {
        type: "button",
        role: "menuitem",
        tabindex: -1,
        onclick: () => {
          close(true);
          run();
        }
      },
      text
    )
  );
  const list = element("div", { class: "aew-menu-list", role: "menu", "aria-label": label, hidden: "" }, ...buttons);
  const opener = element(
    "button",
    {
      type: "button",
      class: "aew-menu-opener",
      "aria-haspopup": "menu",
      "aria-expanded": "false",
      "aria-label": label,
      title: label,
      onclick: () => list.hidden ? open(0) : close(true)
    },
    "⋯"
  );
  const node = element(
    "div",
    {
      class: "aew-menu",
      onkeydown: (event) => {
        const at = buttons.indexOf(document.activeElement);
        const n = buttons.length;
        const next = { ArrowDown: at + 1, ArrowUp: at - 1 + n, Home: 0, End: n - 1 }[event.key];
        if (event.key === "Escape" && !list.hidden) close(true);
        else if (event.key === "Tab" && !list.hidden) {
          close(false);
          return;
        } else if (next === void 0 || list.hidden && !event.key.startsWith("Arrow")) return;
        else if (list.hidden) open(event.key === "ArrowUp" ? n - 1 : 0);
        else buttons[next % n]?.focus();
        event.preventDefault();
        event.stopPropagation();
      },
      onfocusout: (event) => {
        if (!node.contains(event.relatedTarget)) close(false);
      }
    },
    opener,
    list
  );
  function open(at) {
    list.hidden = false;
    opener.setAttribute("aria-expanded", "true");
    buttons[at]?.focus();
  }
  function close(takesFocus) {
    if (list.hidden) return;
    list.hidden = true;
    opener.setAttribute("aria-expanded", "false");
    if (takesFocus) opener.focus();
  }
  return node;
}

// src/start/used.ts
var MINUTE = 6e4;
var HOUR = 60 * MINUTE;
var DAY = 24 * HOUR;
var startOfDay = (time) => new Date(time.getFullYear(), time.getMonth(), time.getDate()).getTime();
function lastUsed(text, now = /* @__PURE__ */ new Date()) {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) return text;
  const elapsed = now.getTime() - time.getTime();
  if (elapsed < MINUTE) return "just now";
  if (elapsed < HOUR) return ago(Math.floor(elapsed / MINUTE), "minute");
  const days = Math.round((startOfDay(now) - startOfDay(time)) / DAY);
  if (days <= 0 || elapsed < 3 * HOUR) return ago(Math.floor(elapsed / HOUR), "hour");
  if (days === 1) return "yesterday";
  if (days < 7) return ago(days, "day");
  const year = time.getFullYear() === now.getFullYear() ? void 0 : "numeric";
  return time.toLocaleDateString("en", { day: "numeric", month: "long", year });
}
var ago = (n, unit) => `${n} ${unit}${n === 1 ? "" : "s"} ago`;

// src/start/evaluation_list.ts
var COLUMNS = [
  ["Name", null],
  ["Question", "aew-asks"],
  ["Labels", null],
  ["Answer so far", null],
  ["95% interval", "aew-interval"],
  ["Last used", "aew-used"],
  ["Who", "aew-who"]
];
var EXPORTS = [
  ["Report (HTML)", "html"],
  ["Report (Markdown)", "markdown"],
  ["Labels (CSV)", "labels"],
  ["Everything (JSON)", "session"]
];
var FOCUSABLE = ".aew-row-actions :is(a, .aew-menu-opener)";
var addressOf = (session) => `?session=${encodeURIComponent(session)}`;
var EvaluationTable = class {
  constructor(callbacks) {
    this.callbacks = callbacks;
  }
  callbacks;
  body = element("tbody");
  table = element(
    "table",
    { class: "aew-evaluations" },
    element(
      "thead",
      {},
      element(
        "tr",
        {},
        ...COLUMNS.map(([text, name]) => element("th", { scope: "col", class: name }, text)),
        element("td")
        // the actions need no heading
      )
    ),
    this.body
  );
  nothing = element("p", { class: "aew-muted", hidden: "" });
  archived = element("input", {
    type: "checkbox",
    onchange: () => this.callbacks.ask(this.showsArchived)
  });
  archivedText = element("span");
  archivedLabel = element(
    "label",
    { class: "aew-archived", hidden: "" },
    this.archived,
    this.archivedText
  );
  node = element(
    "section",
    { class: "aew-card", "aria-labelledby": "aew-evaluations" },
    element(
      "div",
      { class: "aew-card-head" },
      element("h2", { id: "aew-evaluations" }, "Your evaluations"),
      this.archivedLabel
    ),
    this.table,
    this.nothing
  );
  /** Whether links for guests can be made. */
  hasGuests = false;
  get showsArchived() {
    return this.archived.checked;
  }
  /** Whether a menu is open: it would close if the rows were made anew. */
  get isInUse() {
    return this.body.querySelector("[role=menu]:not([hidden])") !== null;
  }
  show({ rows, n_archived }, now = /* @__PURE__ */ new Date()) {
    const focused = this.focused();
    this.table.hidden = rows.length === 0;
    this.nothing.hidden = rows.length > 0;
    setText(
      this.nothing,
      n_archived > 0 ? "All are archived." : "None yet. Begin with a file of predictions, or try a demo."
    );
    this.archivedLabel.hidden = n_archived === 0;
    setText(this.archivedText, `Show archived (${n_archived.toLocaleString("en")})`);
    this.body.replaceChildren(...rows.map((row) => this.row(row, now)));
    if (focused === null) return;
    const made = [...this.body.querySelectorAll("tr")];
    const again = made.find(({ dataset }) => dataset.session === focused.session) ?? made[0];
    const places = again?.querySelectorAll(FOCUSABLE);
    (places?.[focused.place] ?? places?.[0] ?? this.archived).focus();
  }
  focused() {
    const { activeElement } = document;
    const row = activeElement?.closest("tr");
    if (!(activeElement instanceof HTMLElement) || !row || !this.body.contains(row)) return null;
    return { session: row.dataset.session, place: [...row.querySelectorAll(FOCUSABLE)].indexOf(activeElement) };
  }
  row(row, now) {
    const { session, title, question, value, interval, last_used, who, is_archived, missing } = row;
    const name = element("th", { scope: "row" }, title);
    if (isOther(session, title)) name.append(element("span", { class: "aew-session-name" }, session));
    if (row.n_guest_links > 0) name.append(element("span", { class: "aew-tag" }, "guest link"));
    if (is_archived) name.append(element("span", { class: "aew-tag" }, "archived"));
    if (missing) name.append(element("span", { class: "aew-missing" }, missing));
    return element(
      "tr",
      { "data-session": session },
      name,
      element("td", { class: "aew-asks" }, question),
      element("td", { class: "aew-labels" }, ...progress(row)),
      element("td", {}, element("strong", {}, value)),
      element("td", { class: "aew-interval" }, interval),
      element("td", { class: "aew-muted aew-used", title: last_used || null }, lastUsed(last_used, now)),
      element("td", { class: "aew-muted aew-who" }, who),
      element("td", { class: "aew-row-actions" }, element("div", {}, ...this.actions(row)))
    );
  }
  actions({ session, title, is_done, is_archived, missing, n_guest_links }) {
    const items = EXPORTS.map(([text, which]) => ({ text, run: () => this.callbacks.export(session, which) }));
    if (this.hasGuests) items.push({ text: "Link for a guest", run: () => this.callbacks.invite(session) });
    if (n_guest_links > 0)
      items.push({ text: `Revoke guest links (${n_guest_links})`, run: () => this.callbacks.revoke(session) });
    const archive = {
      text: is_archived ? "Take out of the archive" : "Archive",
      run: () => this.callbacks.archive(session, !is_archived)
    };
    const menu = menuButton(`More about ${title}`, missing ? [archive] : [...items, archive]);
    if (missing) return [menu];
    const verb = is_done ? "Result" : "Open";
    return [
      element("a", { class: "aew-button", href: addressOf(session), "aria-label": `${verb}: ${title}` }, verb),
      menu
    ];
  }
};
var isOther = (session, title) => session !== title && session !== title.toLowerCase().replace(/[^\p{L}\p{N}_.-]+/gu, "-");
function progress({ n_labels, budget }) {
  const n = n_labels.toLocaleString("en");
  if (budget === null) return [element("span", {}, n)];
  const share = Math.min(1, n_labels / Math.max(1, budget));
  const bar = element("span", { class: "aew-share", "aria-hidden": "true" });
  bar.style.setProperty("--aew-share", String(share));
  return [bar, element("span", {}, `${n} of ${budget.toLocaleString("en")}`)];
}

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

// src/start/busy_line.ts
var BusyLine = class {
  text = element("span");
  bar = element("progress", { max: 1, "aria-label": "Progress" });
  node = element("p", { class: "aew-busy", role: "status", hidden: "" }, this.text, this.bar);
  show(text, share = null) {
    this.node.hidden = false;
    setText(this.text, text);
    if (share === null) this.bar.removeAttribute("value");
    else this.bar.value = share;
  }
  hide() {
    this.node.hidden = true;
    setText(this.text, "");
  }
};

// src/start/file_source.ts
var FileSource = class {
  constructor(callbacks, el, signal) {
    this.callbacks = callbacks;
    let depth = 0;
    const mark = (change) => {
      depth = Math.max(0, depth + change);
      this.node.classList.toggle("aew-over", depth > 0);
    };
    el.addEventListener("dragenter", () => mark(1), { signal });
    el.addEventListener("dragleave", () => mark(-1), { signal });
    el.addEventListener("dragover", (event) => event.preventDefault(), { signal });
    el.addEventListener(
      "drop",
      (event) => {
        event.preventDefault();
        mark(-depth);
        this.takeDropped(event.dataTransfer);
      },
      { signal }
    );
  }
  callbacks;
  busy = new BusyLine();
  input = element("input", {
    type: "file",
    class: "aew-visually-hidden",
    tabindex: -1,
    "aria-label": "A file of predictions",
    onchange: () => this.takeChosen()
  });
  pick = element(
    "button",
    { type: "button", class: "aew-primary", "data-action": "choose", onclick: () => this.input.click() },
    "Choose a file"
  );
  folder = element(
    "button",
    { type: "button", "data-action": "folder", onclick: () => this.callbacks.askFolder() },
    "From this folder"
  );
  files = element("ul", { class: "aew-files" });
  place = element("p", { class: "aew-muted" });
  dialog = makeDialog("folder", "Files in this folder", this.place, this.files);
  node = element(
    "section",
    { class: "aew-drop", "aria-labelledby": "aew-new", "data-aew": "drop" },
    element(
      "div",
      {},
      element("h2", { id: "aew-new" }, "New evaluation"),
      element(
        "p",
        { class: "aew-muted" },
        "Drop a file with your model's predictions (CSV, Parquet, JSONL) or the log of an evaluation here."
      ),
      element(
        "p",
        { class: "aew-muted" },
        "No model? A file of instances will do, to estimate a share or the mean of their labels."
      ),
      this.busy.node
    ),
    element("div", { class: "aew-buttons" }, this.pick, this.folder, this.input)
  );
  showFolder(files, folder) {
    this.place.replaceChildren(folder);
    const rows = files.map(
      ({ path, size }) => element(
        "li",
        {},
        element(
          "button",
          {
            type: "button",
            "data-path": path,
            onclick: () => {
              this.dialog.close();
              this.callbacks.choose(path);
            }
          },
          element("span", {}, path),
          element("span", { class: "aew-muted" }, size)
        )
      )
    );
    this.files.replaceChildren(...rows);
    if (rows.length === 0) {
      this.files.append(
        element(
          "li",
          { class: "aew-muted" },
          "There is no table (CSV, TSV, Parquet, Arrow, JSONL) or evaluation.toml here."
        )
      );
    }
    if (!this.dialog.open) this.dialog.showModal();
    this.files.querySelector("button")?.focus();
  }
  setEnabled(isEnabled) {
    this.pick.disabled = !isEnabled;
    this.folder.disabled = !isEnabled;
  }
  focus() {
    this.pick.focus();
  }
  takeChosen() {
    const [file] = this.input.files ?? [];
    this.input.value = "";
    if (file) this.callbacks.give(file);
  }
  takeDropped(data) {
    if (data === null || this.pick.disabled) return;
    const [item] = data.items ?? [];
    const isFolder = item?.kind === "file" && item.webkitGetAsEntry?.()?.isDirectory === true;
    const [file] = data.files;
    if (isFolder) {
      this.callbacks.refuse(
        "A folder can't be dropped here. For images, choose the table that names them, from the folder they are in."
      );
    } else if (data.files.length > 1) this.callbacks.refuse("Drop one file: the one with the predictions.");
    else if (file) this.callbacks.give(file);
  }
};

// src/start/guest_link.ts
var GuestLinkDialog = class {
  dialog;
  about = element("p", { class: "aew-explained" });
  address = element("input", {
    type: "text",
    readonly: "",
    class: "aew-guest-address",
    "aria-label": "Link for a guest",
    onfocus: () => this.address.select()
  });
  copied = element("span", { role: "status" });
  constructor() {
    const copy = element(
      "button",
      { type: "button", class: "aew-button", "data-action": "copy_link", onclick: () => this.copy() },
      "Copy"
    );
    this.dialog = makeDialog(
      "guest",
      "Link for a guest",
      this.about,
      element("div", { class: "aew-guest-link" }, this.address, copy),
      this.copied
    );
  }
  show(link) {
    setText(
      this.about,
      `Whoever has this link can label “${link.session}”, and nothing else: no other evaluations, no exports. You can revoke it in the same menu.`
    );
    setText(this.copied, "");
    this.address.value = guestAddress(location.href, link);
    this.dialog.showModal();
    this.address.focus();
  }
  copy() {
    const select = () => this.address.select();
    copyText(this.address.value).then(
      () => setText(this.copied, "Copied."),
      () => setText(this.copied, "Press Ctrl+C to copy it.")
    ).finally(select);
  }
};
function guestAddress(page, { session, token }) {
  const address = new URL(page);
  address.hash = "";
  address.search = "";
  address.searchParams.set("token", token);
  address.searchParams.set("session", session);
  return address.href;
}

// src/start/column_table.ts
var ColumnTable = class {
  constructor(change) {
    this.change = change;
    this.node.querySelector("h2")?.append(this.guessed);
  }
  change;
  guessed = element("span", { class: "aew-muted" });
  table = element("table", { class: "aew-columns" });
  problems = element("div", { class: "aew-problems" });
  node = element(
    "section",
    { class: "aew-card", "aria-labelledby": "aew-columns" },
    element("h2", { id: "aew-columns" }, "What the columns are "),
    this.guessed,
    element("div", { class: "aew-scroll", tabindex: 0, role: "group", "aria-label": "The first rows" }, this.table),
    this.problems
  );
  show({ columns, roles, guessed, problems, n_problems, cannot_start }) {
    setText(this.guessed, guessed.length > 0 ? "guessed; click to change" : "click to change");
    this.guessed.title = guessed.join("\n");
    const focused = this.focusedColumn();
    const chips = columns.map((column) => this.chip(column, columns, roles));
    const heads = columns.map(
      ({ name }, i) => element("th", { scope: "col" }, element("span", { class: "aew-column-name" }, name), chips[i])
    );
    const n = Math.max(0, ...columns.map(({ cells }) => cells.length));
    const rows = Array.from(
      { length: n },
      (_, i) => element("tr", {}, ...columns.map(({ cells }) => element("td", {}, cells[i] ?? "")))
    );
    this.table.replaceChildren(element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...rows));
    chips[columns.findIndex(({ name }) => name === focused)]?.focus();
    this.problems.replaceChildren(...problemNodes(problems, n_problems, cannot_start));
  }
  focusedColumn() {
    const { activeElement } = document;
    return activeElement instanceof HTMLSelectElement && this.table.contains(activeElement) ? activeElement.dataset.column ?? null : null;
  }
  chip(column, columns, roles) {
    const chip = element(
      "select",
      {
        class: column.role === "" ? "aew-chip aew-unused" : "aew-chip",
        "aria-label": `What ${column.name} is`,
        "data-column": column.name,
        onchange: () => {
          const chosen = columns.map(({ name, role }) => [name, name === column.name ? chip.value : role]);
          this.change(Object.fromEntries(chosen));
        }
      },
      ...roles.map(({ name, text }) => element("option", { value: name }, name === column.role ? column.text : text))
    );
    chip.value = column.role;
    chip.style.width = `calc(${column.text.length + 1}ch + 24px)`;
    return chip;
  }
};
function problemNodes(problems, n, cannotStart) {
  const nodes = [];
  if (cannotStart) nodes.push(element("p", { class: "aew-problem", role: "alert" }, cannotStart));
  const [first] = problems;
  if (first === void 0) return nodes;
  nodes.push(element("p", { class: "aew-problem" }, problemText(first)));
  if (n < 2) return nodes;
  const more = n > problems.length ? [element("li", {}, `… and ${(n - problems.length).toLocaleString("en")} more`)] : [];
  nodes.push(
    element(
      "details",
      {},
      element("summary", {}, `Show all ${n.toLocaleString("en")} problems`),
      element("ul", {}, ...problems.map((each) => element("li", {}, problemText(each))), ...more)
    )
  );
  return nodes;
}
var problemText = ({ where, text, remedy }) => [where ? `${where}: ${text}` : text, remedy].filter((part) => part !== "").join(" ");

// src/start/plan_choice.ts
var PlanChoice = class {
  plans = null;
  margin = element("output", { class: "aew-margin", for: "aew-slider" });
  slider = element("input", {
    type: "range",
    id: "aew-slider",
    min: 0,
    step: 1,
    "aria-label": "Margin of error",
    oninput: () => this.paint()
  });
  number = element("input", {
    type: "number",
    id: "aew-budget",
    min: 1,
    step: 1,
    inputmode: "numeric",
    "aria-label": "Number of labels",
    oninput: () => this.paint()
  });
  byMargin = this.way("Margin of error", true);
  byNumber = this.way("Number of labels", false);
  numberLine = element("p", { class: "aew-margin", hidden: "" }, this.number, " labels");
  headline = element("strong");
  range = element("span");
  uniform = element("p", { class: "aew-muted" });
  answer = element(
    "div",
    { class: "aew-plan", role: "status", "data-aew": "plan" },
    element("p", {}, this.headline, " ", this.range),
    this.uniform
  );
  node = element(
    "div",
    {},
    element("h2", {}, "How sure do you want to be?"),
    element(
      "div",
      { class: "aew-ways", role: "radiogroup", "aria-label": "What is given" },
      element("label", {}, this.byMargin, "Margin of error"),
      element("label", {}, this.byNumber, "Number of labels")
    ),
    this.margin,
    this.slider,
    this.numberLine,
    this.answer
  );
  /** What is chosen. With a margin, as many labels as it may well take are the budget. */
  get effort() {
    if (this.byNumber.checked) return { half_width: null, budget: this.budget };
    const step = this.step;
    return { half_width: step?.half_width ?? null, budget: step?.budget ?? null };
  }
  /** Why it can't be started with; "" if it can. */
  get problem() {
    if (!this.byNumber.checked) return "";
    return this.budget === null ? "The number of labels must be a whole number, at least 1." : "";
  }
  /** Another file: nothing is chosen but what its settings say. */
  forget(given) {
    this.plans = null;
    this.wanted = given?.half_width ?? null;
    this.number.value = String(given?.budget ?? "");
    this.byNumber.checked = given !== null && given.half_width === null && given.budget !== null;
    this.byMargin.checked = !this.byNumber.checked;
  }
  wait() {
    this.wanted = this.step?.half_width ?? this.wanted;
    this.plans = null;
    setText(this.headline, "Planning…");
    setText(this.range, "");
    setText(this.uniform, "");
    this.answer.setAttribute("aria-busy", "true");
  }
  show(plans) {
    const before = this.step?.half_width ?? this.wanted;
    this.plans = plans;
    this.answer.removeAttribute("aria-busy");
    this.slider.max = String(Math.max(0, plans.steps.length - 1));
    const again = plans.steps.findIndex(({ half_width }) => half_width === before);
    this.slider.value = String(again >= 0 ? again : plans.first);
    const hasMargins = plans.steps.length > 0;
    this.byMargin.disabled = !hasMargins;
    if (!hasMargins) this.byNumber.checked = true;
    this.number.max = String(plans.n_instances);
    if (this.number.value === "") this.number.value = String(this.step?.budget ?? Math.min(200, plans.n_instances));
    this.paint();
  }
  wanted = null;
  get step() {
    return this.plans?.steps[Number(this.slider.value)];
  }
  get budget() {
    const n = Number(this.number.value);
    return Number.isInteger(n) && n >= 1 ? n : null;
  }
  way(text, isFirst) {
    const radio = element("input", {
      type: "radio",
      name: "aew-way",
      "aria-label": text,
      onchange: () => this.paint()
    });
    radio.checked = isFirst;
    return radio;
  }
  paint() {
    const { plans, step } = this;
    const isByNumber = this.byNumber.checked;
    this.slider.hidden = isByNumber;
    this.margin.hidden = isByNumber;
    this.numberLine.hidden = !isByNumber;
    if (plans === null) return;
    if (isByNumber) this.paintNumber(plans);
    else if (step) {
      this.wanted = step.half_width;
      setText(this.margin, step.text);
      this.slider.setAttribute("aria-valuetext", `${step.text}: ${step.headline}`);
      setText(this.headline, step.headline);
      setText(this.range, step.range);
    }
    setText(this.uniform, (isByNumber ? "" : step?.uniform) || plans.note);
  }
  paintNumber({ steps, n_instances, seconds }) {
    const { budget } = this;
    setText(this.range, "");
    if (budget === null) setText(this.headline, this.problem);
    else {
      const n = Math.min(budget, n_instances);
      const minutes = Math.max(1, Math.round(n * seconds / 60));
      const time = minutes < 90 ? `${minutes} minute${minutes === 1 ? "" : "s"}` : `${(minutes / 60).toFixed(1)} hours`;
      const reached = steps.find(({ n_labels }) => n_labels !== null && n_labels <= n);
      setText(this.headline, reached ? `About ${reached.text} after ${time}` : `About ${time}`);
      if (budget > n_instances) setText(this.range, `There are ${n_instances.toLocaleString("en")} rows.`);
    }
  }
};

// src/start/question_list.ts
var USUAL_LABEL = "yes";
var QuestionList = class {
  constructor(onChange) {
    this.onChange = onChange;
  }
  onChange;
  list = element("div", {
    class: "aew-questions",
    role: "radiogroup",
    "aria-labelledby": "aew-questions"
  });
  node = element(
    "section",
    { class: "aew-card", "aria-labelledby": "aew-questions" },
    element("h2", { id: "aew-questions" }, "What do you want to know?"),
    this.list
  );
  entries = [];
  /** The class of interest; where nobody says what labels there can be, its name is typed. */
  classes = element("select");
  known = "";
  before = null;
  /** What is chosen; null where there is nothing to choose from. */
  get wanted() {
    const measure = this.measure;
    if (measure === void 0) return null;
    return {
      measure: this.named(measure),
      positive: measure.needs_class ? this.classes.value.trim() || USUAL_LABEL : null
    };
  }
  /** Another file: nothing is chosen but what its settings say. */
  forget(given) {
    this.known = "";
    this.entries = [];
    this.before = given;
  }
  /** The questions of a file; what was chosen stays chosen where it still can be. */
  show(questions, classes) {
    const known = JSON.stringify([questions, classes]);
    if (known === this.known) return;
    this.known = known;
    const before = this.wanted ?? this.before;
    this.classes = this.classField(classes);
    const usual = classes[classes.length === 2 ? 1 : 0] ?? USUAL_LABEL;
    const canBe = classes.length === 0 || classes.includes(before?.positive ?? "");
    this.classes.value = before?.positive && canBe ? before.positive : usual;
    this.entries = questions.map((question) => this.entry(question));
    this.list.replaceChildren(...this.entries.map(({ node }) => node));
    const [stem = "", option] = before?.measure.split("@") ?? [];
    const suits = (each) => each.name === stem && (option === void 0 || each.option !== null);
    const again = this.entries.find(({ question }) => question.measures.some(suits));
    const chosen = again ?? this.entries[0];
    if (chosen === void 0) return;
    if (again) {
      again.measures.value = stem;
      this.offer(again);
      again.option.value = option ?? again.option.value;
    }
    chosen.radio.checked = true;
    this.paint();
  }
  classField(classes) {
    const attributes = {
      "aria-label": classes.length > 0 ? "Class of interest" : "Label of interest",
      "data-aew": "positive",
      onchange: () => this.onChange()
    };
    if (classes.length === 0) return element("input", { ...attributes, type: "text", size: 12, maxlength: 100 });
    return element("select", attributes, ...classes.map((name) => element("option", { value: name }, name)));
  }
  get entryChosen() {
    return this.entries.find(({ radio }) => radio.checked);
  }
  get measure() {
    const entry = this.entryChosen;
    return entry?.question.measures.find(({ name }) => name === entry.measures.value);
  }
  /** The measure's name with its number: what is needed is there, if only the usual one. */
  named(measure) {
    const given = this.entryChosen?.option.value.trim() ?? "";
    const number = given || (measure.option?.is_needed ? measure.option.value : "");
    return measure.option && number ? `${measure.name}@${number}` : measure.name;
  }
  /** The usual number of the measure that was just chosen. */
  offer(entry) {
    const option = entry.question.measures.find(({ name }) => name === entry.measures.value)?.option;
    entry.option.value = option?.value ?? "";
    entry.option.setAttribute("aria-label", option?.label ?? "");
  }
  entry(question) {
    const changed = () => {
      this.paint();
      this.onChange();
    };
    const option = element("input", {
      inputmode: "decimal",
      size: "6",
      "data-aew": "measure-option",
      onchange: changed
    });
    const radio = element("input", { type: "radio", name: "aew-question", onchange: changed });
    const measures = element(
      "select",
      {
        "aria-label": "Measure",
        "data-aew": "measure",
        onchange: () => {
          this.offer(made);
          changed();
        }
      },
      ...question.measures.map(({ name, text }) => element("option", { value: name }, text))
    );
    const sentence = element("p", { class: "aew-muted" });
    const choice = element("div", { class: "aew-choice", hidden: "" });
    const label = element(
      "label",
      {},
      radio,
      element("strong", {}, question.text),
      element("span", { class: "aew-muted" }, question.note)
    );
    const node = element("div", { class: "aew-question" }, label, choice);
    const made = { question, radio, measures, option, sentence, choice, node };
    this.offer(made);
    return made;
  }
  get classNoun() {
    return this.classes instanceof HTMLSelectElement ? "of the class" : "of the label";
  }
  paint() {
    for (const { radio, node, choice } of this.entries) {
      node.classList.toggle("aew-chosen", radio.checked);
      choice.hidden = !radio.checked;
    }
    const entry = this.entryChosen;
    const measure = this.measure;
    if (entry === void 0 || measure === void 0) return;
    setText(entry.sentence, measure.sentence);
    const selects = [];
    if (entry.question.measures.length > 1) selects.push(entry.measures);
    if (measure.needs_class) selects.push(element("span", { class: "aew-muted" }, this.classNoun), this.classes);
    if (measure.option) {
      const { before, after } = measure.option;
      const words = (text) => text ? [element("span", { class: "aew-muted" }, text)] : [];
      selects.push(...words(before), entry.option, ...words(after));
    }
    const line = element("div", { class: "aew-selects" }, ...selects);
    const { activeElement } = document;
    entry.choice.replaceChildren(...selects.length > 0 ? [line] : [], entry.sentence);
    if (activeElement instanceof HTMLElement && entry.choice.contains(activeElement)) activeElement.focus();
  }
};

// src/start/new_evaluation.ts
var NewEvaluation = class {
  constructor(callbacks) {
    this.callbacks = callbacks;
  }
  callbacks;
  content = null;
  busy = new BusyLine();
  columns = new ColumnTable((roles) => this.callbacks.changeRoles(roles));
  questions = new QuestionList(() => this.ask());
  plan = new PlanChoice();
  name = element("input", { type: "text", id: "aew-title", maxlength: 200 });
  guidelines = element("textarea", {
    id: "aew-guidelines",
    rows: 2,
    placeholder: "What counts as which? For example: a ticket is a “bug” if…"
  });
  begin = element(
    "button",
    { type: "button", class: "aew-primary", "data-action": "start", onclick: () => this.give(this.callbacks.start) },
    "Start labeling"
  );
  copy = element(
    "button",
    { type: "button", "data-action": "command", onclick: () => this.give(this.callbacks.copyCommand) },
    "Copy the command"
  );
  kept = element("p", { class: "aew-muted aew-kept" });
  side = element(
    "section",
    { class: "aew-card aew-how", "aria-label": "How sure, and how to label" },
    this.plan.node,
    element(
      "label",
      { for: "aew-guidelines", class: "aew-label" },
      element("strong", {}, "Guidelines for labeling"),
      element("span", { class: "aew-muted" }, " optional, Markdown")
    ),
    this.guidelines,
    element("div", { class: "aew-buttons" }, this.begin, this.copy),
    this.busy.node,
    this.kept
  );
  called = element(
    "section",
    { class: "aew-card aew-called", "aria-label": "Name" },
    element("label", { for: "aew-title", class: "aew-label" }, element("strong", {}, "Name")),
    this.name
  );
  rest = element(
    "div",
    { class: "aew-two" },
    element("div", { class: "aew-left" }, this.questions.node, this.called),
    this.side
  );
  node = element("div", { class: "aew-new", "data-aew": "new", hidden: "" }, this.columns.node, this.rest);
  show(content) {
    if (content.file !== this.content?.file) {
      this.name.value = content.title;
      this.guidelines.value = content.given?.guidelines ?? "";
      this.questions.forget(content.given);
      this.plan.forget(content.given);
    }
    this.content = content;
    this.columns.show(content);
    this.questions.show(content.questions, content.classes);
    const canStart = content.cannot_start === "";
    this.rest.hidden = content.questions.length === 0;
    this.begin.disabled = !canStart;
    this.copy.disabled = !canStart;
    setText(this.kept, content.settings_file);
    if (canStart) this.ask();
  }
  showPlans(plans) {
    const { wanted } = this.questions;
    if (wanted?.measure === plans.measure && wanted.positive === plans.positive) this.plan.show(plans);
  }
  setEnabled(isEnabled) {
    const canStart = isEnabled && this.content?.cannot_start === "";
    this.begin.disabled = !canStart;
    this.copy.disabled = !canStart;
  }
  focus() {
    if (this.begin.disabled) this.node.querySelector("select")?.focus();
    else this.begin.focus({ preventScroll: true });
  }
  ask() {
    const { wanted } = this.questions;
    if (wanted === null || this.content?.cannot_start !== "") return;
    this.plan.wait();
    this.callbacks.askPlans(wanted);
  }
  give(to) {
    const { wanted } = this.questions;
    if (wanted === null) return;
    if (this.plan.problem) this.callbacks.refuse(this.plan.problem);
    else {
      to({ ...wanted, ...this.plan.effort, title: this.name.value.trim(), guidelines: this.guidelines.value });
    }
  }
};

// src/start/upload.ts
var Upload = class {
  constructor(file, partSize, callbacks) {
    this.file = file;
    this.partSize = partSize;
    this.callbacks = callbacks;
  }
  file;
  partSize;
  callbacks;
  id = Math.random().toString(36).slice(2);
  isEnded = false;
  /** Sends the part that begins at an offset. An empty file has one part, too. */
  async sendFrom(offset) {
    const { file, id, callbacks } = this;
    let bytes;
    try {
      bytes = await file.slice(offset, offset + this.partSize).arrayBuffer();
    } catch {
      if (!this.isEnded) callbacks.onError(`${file.name} can't be read. If it is a folder, drop the file in it.`);
      this.isEnded = true;
      return;
    }
    if (this.isEnded) return;
    if (offset + this.partSize >= file.size) callbacks.onProgress(1);
    callbacks.send({ upload: id, name: file.name, size: file.size, offset }, bytes);
  }
  /** What has arrived. */
  take({ upload, n_bytes }) {
    if (upload !== this.id || this.isEnded) return;
    if (n_bytes >= this.file.size) return;
    this.callbacks.onProgress(n_bytes / this.file.size);
    void this.sendFrom(n_bytes);
  }
  end() {
    this.isEnded = true;
  }
};

// src/start/start_screen.ts
var STEPS = ["1 File", "2 Question", "3 Start"];
var LOOK_EVERY2 = 4e3;
var SLOW = ["choose", "upload", "roles", "start", "export", "plans"];
var StartScreen = class {
  constructor(model, el) {
    this.el = el;
    const { signal } = this.listeners;
    el.classList.add("aew-app", "aew-start");
    el.dataset.aew = "start";
    el.dataset.state = "loading";
    this.connection = new Connection(model, {
      onReply: (message, _buffers, isOwn) => this.take(message, isOwn),
      onChange: () => this.paintLost()
    });
    this.table = new EvaluationTable({
      ask: (shows_archived) => this.connection.send("evaluations", { shows_archived }),
      export: (session, which) => {
        setText(this.status, "Making the file…");
        this.connection.send("export", { session, which });
      },
      archive: (session, is_archived) => {
        const shows_archived = this.table.showsArchived;
        this.connection.send("archive", { session, is_archived, shows_archived });
      },
      invite: (session) => this.connection.send("invite", { session }),
      revoke: (session) => {
        const shows_archived = this.table.showsArchived;
        this.connection.send("revoke", { session, shows_archived });
        setText(this.status, "The links for guests are revoked.");
      }
    });
    this.source = new FileSource(
      {
        give: (file) => this.giveFile(file),
        askFolder: () => this.connection.send("folder"),
        choose: (path) => {
          this.begin(`Reading ${path}…`);
          this.connection.send("choose", { path });
        },
        refuse: (text) => this.showProblem(text)
      },
      el,
      signal
    );
    this.fresh = new NewEvaluation({
      changeRoles: (roles) => {
        this.fresh.setEnabled(false);
        this.connection.send("roles", { roles });
      },
      askPlans: (wanted) => this.askPlans(wanted),
      start: (settings) => {
        this.showProblem("");
        this.fresh.setEnabled(false);
        this.fresh.busy.show("Starting…");
        this.connection.send("start", settings);
      },
      copyCommand: (settings) => this.connection.send("command", settings),
      refuse: (text) => this.showProblem(text)
    });
    this.overview = element(
      "div",
      { class: "aew-overview" },
      this.source.node,
      this.table.node,
      element("h2", { class: "aew-try" }, "Try one"),
      this.demos
    );
    const heading = element("div", { class: "aew-heading" }, this.title, this.about);
    el.append(
      element("header", { class: "aew-top" }, this.back, heading, this.place, this.steps),
      element(
        "div",
        { class: "aew-main" },
        this.lost,
        this.problem,
        this.notices,
        this.overview,
        this.fresh.node,
        this.status
      ),
      this.source.dialog,
      this.guestLink.dialog
    );
    addEventListener("popstate", () => this.showScreen(history.state?.aew === "new"), { signal });
    if (history.state?.aew === "new") history.replaceState(null, "");
    this.showScreen(false);
    this.connection.send("hello");
    this.connection.send("evaluations", { shows_archived: false });
    this.watch = setInterval(() => this.lookAgain(), LOOK_EVERY2);
  }
  el;
  connection;
  listeners = new AbortController();
  start = null;
  upload = null;
  watch;
  isNew = false;
  wanted = null;
  answered = /* @__PURE__ */ new Set();
  title = element("h1", {}, "Active evaluation");
  about = element("p", { class: "aew-muted" });
  place = element("p", { class: "aew-muted aew-place" });
  steps = element(
    "ol",
    { class: "aew-steps", "aria-label": "Steps", hidden: "" },
    ...STEPS.map((text, i) => element("li", i === 1 ? { "aria-current": "step" } : {}, text))
  );
  back = element(
    "button",
    { type: "button", class: "aew-back", hidden: "", onclick: () => history.back() },
    "‹ All evaluations"
  );
  lost = element("p", { class: "aew-alert", role: "alert", hidden: "" });
  problem = element("p", { class: "aew-alert", role: "alert", hidden: "" });
  status = element("p", { class: "aew-status", role: "status" });
  notices = element("div", { class: "aew-notices" });
  table;
  source;
  fresh;
  guestLink = new GuestLinkDialog();
  demos = element("div", { class: "aew-demos" });
  overview;
  close() {
    this.listeners.abort();
    clearInterval(this.watch);
    this.upload?.end();
    this.connection.close();
    this.el.replaceChildren();
  }
  // -- what the person does -----------------------------------------------------------------------------
  giveFile(file) {
    if (this.start === null || this.isBusy) return;
    const { largest, largest_text, part_size, folder } = this.start;
    if (file.size > largest) {
      this.showProblem(
        `${file.name} is larger than ${largest_text}. Put it into ${folder}, and choose it with “From this folder”.`
      );
      return;
    }
    this.begin(`Copying ${file.name}…`);
    this.upload = new Upload(file, part_size, {
      send: (part, bytes) => this.connection.sendBytes("upload", part, bytes),
      onProgress: (share) => this.source.busy.show(share < 1 ? `Copying ${file.name}…` : `Reading ${file.name}…`, share < 1 ? share : null),
      onError: (text) => {
        this.end();
        this.showProblem(text);
      }
    });
    void this.upload.sendFrom(0);
  }
  /** One plan at a time: who tries several questions waits for the last one alone. */
  askPlans(wanted) {
    if (this.connection.isWaitingFor("plans")) this.wanted = wanted;
    else this.connection.send("plans", { ...wanted });
  }
  lookAgain() {
    if (document.hidden || this.isNew || this.isBusy || this.table.isInUse || this.connection.isLost) return;
    if (!this.connection.isWaitingFor("evaluations")) {
      this.connection.send("evaluations", { shows_archived: this.table.showsArchived });
    }
  }
  get isBusy() {
    return this.el.dataset.state === "busy";
  }
  begin(text) {
    this.showProblem("");
    if (this.isNew) history.back();
    this.el.dataset.state = "busy";
    this.source.setEnabled(false);
    this.source.busy.show(text);
  }
  end() {
    this.el.dataset.state = "ready";
    this.source.setEnabled(true);
    this.source.busy.hide();
    this.fresh.busy.hide();
    this.fresh.setEnabled(true);
    this.upload?.end();
    this.upload = null;
  }
  // -- what Python answers ------------------------------------------------------------------------------
  take(message, isOwn) {
    if (!isOwn || typeof message.seq !== "number" || this.answered.has(message.seq)) return;
    this.answered.add(message.seq);
    const { start, evaluations, files, received, file, command } = message;
    if (start) this.takeStart(start);
    if (evaluations) this.table.show(evaluations);
    if (files && this.start) this.source.showFolder(files, this.start.folder);
    if (message.new) this.takeNew(message.new);
    else if (received) this.upload?.take(received);
    if (message.plans) this.fresh.showPlans(message.plans);
    if (this.wanted !== null && !this.connection.isWaitingFor("plans")) {
      const { wanted } = this;
      this.wanted = null;
      this.askPlans(wanted);
    }
    if (message.guest_link) {
      this.guestLink.show(message.guest_link);
      this.connection.send("evaluations", { shows_archived: this.table.showsArchived });
    }
    if (file) {
      saveFile(file);
      setText(this.status, `Saved ${file.name}`);
    }
    if (command !== void 0) this.copy(command);
    if (message.open_session !== void 0) location.assign(addressOf(message.open_session));
    if (message.error) {
      setText(this.status, "");
      this.end();
      this.showProblem(message.error);
    }
    this.paintLost();
  }
  takeStart(start) {
    this.start = start;
    this.table.hasGuests = start.has_guests;
    this.el.dataset.state = "ready";
    this.notices.replaceChildren(...start.notices.map((text) => element("p", {}, text)));
    this.demos.replaceChildren(
      ...start.demos.map(
        ({ name, title, text }) => element(
          "a",
          { class: "aew-demo", href: addressOf(name), "data-demo": name },
          element("strong", {}, title),
          element("span", { class: "aew-muted" }, text)
        )
      )
    );
    this.showScreen(this.isNew);
  }
  takeNew(content) {
    this.end();
    this.fresh.show(content);
    if (!this.isNew) history.pushState({ aew: "new" }, "");
    this.showScreen(true);
  }
  copy(command) {
    copyText(command).then(
      () => setText(this.status, `Copied: ${command}`),
      () => setText(this.status, command)
    );
  }
  // -- what is shown ------------------------------------------------------------------------------------
  showScreen(isNew) {
    const isChanged = isNew !== this.isNew;
    this.isNew = isNew && this.fresh.content !== null;
    const { content } = this.fresh;
    this.overview.hidden = this.isNew;
    this.fresh.node.hidden = !this.isNew;
    this.steps.hidden = !this.isNew;
    this.back.hidden = !this.isNew;
    this.place.hidden = this.isNew;
    this.notices.hidden = this.isNew;
    setText(this.title, this.isNew ? "New evaluation" : "Active evaluation");
    setText(this.about, this.isNew ? content?.about ?? "" : "how good is a model? find out with few labels");
    setText(this.place, this.start?.place ?? "");
    if (!isChanged) return;
    this.showProblem("");
    setText(this.status, "");
    scrollTo(0, 0);
    if (this.isNew) this.fresh.focus();
    else this.source.focus();
  }
  showProblem(text) {
    setText(this.problem, text);
    this.problem.hidden = text === "";
    if (text) this.problem.scrollIntoView?.({ block: "nearest" });
  }
  paintLost() {
    const isLost = this.connection.isLost && !this.connection.isWaitingFor(...SLOW);
    this.lost.hidden = !isLost;
    setText(
      this.lost,
      isLost ? "No connection to the server. It is tried again; if it was stopped, start it and reload." : ""
    );
  }
};

// src/start/index.ts
function render({ model, el }) {
  const screen = new StartScreen(model, el);
  return () => screen.close();
}
var index_default = { render };
export {
  index_default as default
};
