// A page without a server: shows what is loading, then the app, whose script is that of notebooks.

import { appFrame, OutsideModel, showApp } from "../connection/outside_model";
import { element, setText } from "../dom/element";
import { saveBlob } from "../dom/files";
import type { FromPython } from "../from_python/messages";
import { openSession } from "../page/header";
import type { FromWorker, Shows, Task } from "./lines";

const { pyodide = "", version, packages = "" } = document.body.dataset;
const shows = document.body.dataset.shows as Shows;
const name = new URLSearchParams(location.search).get("session") ?? "";

/** anywidget's model, whose Python is in the worker. */
class WorkerModel extends OutsideModel<FromPython> {
  constructor(private readonly give: (task: Task) => void) {
    super();
  }

  /** What the widget shows. */
  get(_name: "_shows"): Shows {
    return shows;
  }

  send(content: Record<string, unknown>, _callbacks?: unknown, buffers: ArrayBuffer[] = []): void {
    this.give({ kind: "message", content, buffers });
  }

  receive(content: FromPython, buffers: ArrayBuffer[]): void {
    this.deliver(
      content,
      buffers.map((each) => new DataView(each)),
    );
  }
}

class StaticPage {
  private readonly place = document.getElementById("aew-static") ?? document.body;
  private readonly worker = new Worker(new URL("static_worker.js", location.href), { type: "module" });
  private readonly model = new WorkerModel((task) => this.worker.postMessage(task));
  private readonly status = element("span", { role: "status", "data-aew": "kept" });
  private readonly file = element("input", { type: "file", accept: ".json", hidden: "", onchange: () => this.open() });
  private stem = "session";

  begin(): void {
    this.worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.take(data);
    this.worker.onerror = () => this.fail("This browser is too old for this page, or a file of it is missing.");
    const address = new URL(pyodide, location.href).href;
    this.give({ kind: "start", shows, session: name, pyodide: address, packages: packages.split(" ") });
  }

  private give(task: Task): void {
    this.worker.postMessage(task);
  }

  private take(message: FromWorker): void {
    if (message.kind === "message") this.model.receive(message.content, message.buffers);
    else if (message.kind === "loading") this.showLoading(message.share, message.text);
    else if (message.kind === "ready") void this.show(message.isKept);
    else if (message.kind === "failed") this.fail(message.text);
    else if (message.kind === "exported") {
      saveBlob(`${this.stem}.json`, new Blob([message.text], { type: "application/json" }));
      setText(this.status, "Saved as a file.");
    } else if (message.kind === "imported") {
      if (message.session !== null) openSession(message.session);
      setText(this.status, "Opened, and kept in this browser.");
    } else setText(this.status, message.text);
  }

  private showLoading(share: number, text: string): void {
    const bar = this.place.querySelector<HTMLElement>(".aew-bar");
    bar?.setAttribute("aria-valuenow", String(Math.round(100 * share)));
    bar?.style.setProperty("--aew-share", String(share));
    const status = this.place.querySelector(".aew-status");
    if (status !== null) setText(status, text);
  }

  private fail(text: string): void {
    const missing =
      `This page needs Pyodide ${version} or later, which is not at ${pyodide}. Unpack a full release of it there, ` +
      "or export the page again with --pyodide.";
    const what = element("p", { role: "alert" }, text === "PYODIDE" ? missing : text);
    this.place.replaceChildren(
      element("div", { class: "aew-failure" }, element("h1", {}, "This page can't start."), what),
    );
  }

  private async show(isKept: boolean): Promise<void> {
    const el = element("div", { class: "aew-front-end" });
    if (shows === "race") this.place.replaceChildren(el);
    else this.showSession(el, isKept);
    await showApp(this.model, el);
  }

  /** The app below a bar with what is particular to labels in a browser. */
  private showSession(el: HTMLElement, isKept: boolean): void {
    setText(this.status, isKept ? "Kept in this browser only." : "Not kept in this browser: save it as a file.");
    const button = (text: string, name: string, onclick: () => void) =>
      element("button", { class: "aew-action", "data-aew": name, onclick }, text);
    const bar = element(
      "div",
      { class: "aew-static-bar" },
      this.status,
      button("Save as a file", "save_session", () => this.give({ kind: "export" })),
      button("Open a file", "open_session", () => this.file.click()),
      this.file,
    );
    this.place.replaceChildren(element("div", { class: "aew-app aew-static" }, bar), appFrame(el));
    this.model.on("msg:custom", ({ config }) => {
      if (config) this.stem = config.session.replace(/[^\p{L}\p{N}._-]+/gu, "-");
    });
    void navigator.storage?.persist?.().catch(() => false); // so that the browser does not make room by it
  }

  private async open(): Promise<void> {
    const [file] = this.file.files ?? [];
    this.file.value = "";
    if (file === undefined) return;
    this.give({ kind: "import", text: await file.text() });
  }
}

const dark = matchMedia("(prefers-color-scheme: dark)");
const followTheme = () => {
  document.body.dataset.jpThemeLight = String(!dark.matches);
};
followTheme();
dark.addEventListener("change", followTheme);

const needed =
  typeof WebAssembly === "object" && typeof Worker === "function" && typeof BroadcastChannel === "function";
const page = needed ? new StaticPage() : null;
page?.begin();
