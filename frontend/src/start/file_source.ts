// The source of a new evaluation's file: dropped, chosen, or found in the folder that the page was started in.

import { makeDialog } from "../dom/dialog";
import { element, setText } from "../dom/element";
import type { FoundFile } from "../from_python/start_messages";
import { BusyLine } from "./busy_line";

const NEW = "New evaluation";
const ABOUT = [
  "Drop a file with your model's predictions (CSV, Parquet, JSONL) or the log of an evaluation here.",
  "No model? A file of instances will do, to estimate a share or the mean of their labels.",
];
const ABOUT_NEXT =
  "Drop its file here, or choose it: new data, or predictions of another version. " +
  "Labels of what is there again are carried over, and both are compared.";

/** The evaluation whose next version the file is to be. */
interface Followed {
  session: string;
  title: string;
}

interface Callbacks {
  give: (file: File) => void;
  askFolder: () => void;
  choose: (path: string) => void;
  refuse: (text: string) => void;
}

export class FileSource {
  readonly busy = new BusyLine();
  private readonly input = element("input", {
    type: "file",
    class: "aew-visually-hidden",
    tabindex: -1,
    "aria-label": "A file of predictions",
    onchange: () => this.takeChosen(),
  });
  private readonly pick = element(
    "button",
    { class: "aew-primary", "data-action": "choose", onclick: () => this.input.click() },
    "Choose a file",
  );
  private readonly folder = element(
    "button",
    { "data-action": "folder", onclick: () => this.callbacks.askFolder() },
    "From this folder",
  );
  private readonly files = element("ul", { class: "aew-files" });
  private readonly place = element("p", { class: "aew-muted" });
  readonly dialog = makeDialog("folder", "Files in this folder", this.place, this.files);
  private readonly heading = element("h2", { id: "aew-new" }, NEW);
  private readonly leave = element(
    "button",
    { "data-action": "not-next", hidden: "", onclick: () => this.leaveNext() },
    "Cancel",
  );
  private readonly about = element("div", {}, ...ABOUT.map((text) => element("p", { class: "aew-muted" }, text)));
  private readonly aboutNext = element("p", { class: "aew-muted", hidden: "" }, ABOUT_NEXT);
  private followed: Followed | null = null;
  readonly node = element(
    "section",
    { class: "aew-drop", "aria-labelledby": "aew-new", "data-aew": "drop" },
    element("div", {}, this.heading, this.about, this.aboutNext, this.busy.node),
    element("div", { class: "aew-buttons" }, this.pick, this.folder, this.leave, this.input),
  );

  constructor(
    private readonly callbacks: Callbacks,
    el: HTMLElement,
    signal: AbortSignal,
  ) {
    // The whole page accepts dropped files: beside the box, the browser would open the file instead.
    let depth = 0;
    const mark = (change: number): void => {
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
      { signal },
    );
  }

  /** The name of the evaluation that the next file follows. */
  get after(): string | null {
    return this.followed?.session ?? null;
  }

  /** Take the next file for the next version of an evaluation; null: for a new one. */
  follow(followed: Followed | null): void {
    this.followed = followed;
    setText(this.heading, followed === null ? NEW : `Next version of “${followed.title}”`);
    this.about.hidden = followed !== null;
    this.aboutNext.hidden = followed === null;
    this.leave.hidden = followed === null;
  }

  showFolder(files: FoundFile[], folder: string): void {
    this.place.replaceChildren(folder);
    const rows = files.map(({ path, size }) =>
      element(
        "li",
        {},
        element(
          "button",
          {
            "data-path": path,
            onclick: () => {
              this.dialog.close();
              this.callbacks.choose(path);
            },
          },
          element("span", {}, path),
          element("span", { class: "aew-muted" }, size),
        ),
      ),
    );
    this.files.replaceChildren(...rows);
    if (rows.length === 0) {
      this.files.append(
        element(
          "li",
          { class: "aew-muted" },
          "There is no table (CSV, TSV, Parquet, Arrow, JSONL) or evaluation.toml here.",
        ),
      );
    }
    if (!this.dialog.open) this.dialog.showModal();
    this.files.querySelector("button")?.focus();
  }

  setEnabled(isEnabled: boolean): void {
    this.pick.disabled = !isEnabled;
    this.folder.disabled = !isEnabled;
  }

  focus(): void {
    this.pick.focus();
  }

  private leaveNext(): void {
    this.follow(null);
    this.focus();
  }

  private takeChosen(): void {
    const [file] = this.input.files ?? [];
    this.input.value = ""; // so that the same file can be chosen again
    if (file) this.callbacks.give(file);
  }

  private takeDropped(data: DataTransfer | null): void {
    if (data === null || this.pick.disabled) return;
    const [item] = data.items ?? [];
    const isFolder = item?.kind === "file" && item.webkitGetAsEntry?.()?.isDirectory === true;
    const [file] = data.files;
    if (isFolder) {
      this.callbacks.refuse(
        "A folder can't be dropped here. For images, choose the table that names them, from the folder they are in.",
      );
    } else if (data.files.length > 1) this.callbacks.refuse("Drop one file: the one with the predictions.");
    else if (file) this.callbacks.give(file);
  }
}
