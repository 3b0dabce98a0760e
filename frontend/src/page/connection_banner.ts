import { element, setText } from "../dom/element";

/** Shows that Python does not respond, and what is not saved. */
export class ConnectionBanner {
  readonly node: HTMLElement;
  private readonly text = element("span");
  private readonly reload = element("button", { class: "aew-action", onclick: () => location.reload() }, "Reload");

  constructor() {
    this.node = element(
      "div",
      { class: "aew-banner", role: "alert", "data-aew": "disconnected", hidden: "" },
      this.text,
      this.reload,
    );
  }

  hide(): void {
    this.node.hidden = true;
  }

  /** In a notebook, reloading the page would not help. `isKept`: the unsaved answers outlast a reload. */
  show(unsaved: string, isKept: boolean, isNotebook: boolean): void {
    this.node.hidden = false;
    const what = unsaved ? `Not saved: ${unsaved}. ` : "";
    const then = unsaved && isKept ? ": this tab keeps these answers, and sends them again" : "";
    const how = isNotebook
      ? "If this persists, restart the kernel and run the cell again"
      : "If this persists, reload the page";
    setText(this.text, `${what}Python is not responding. ${how}${then}. What was saved is kept.`);
    this.reload.hidden = isNotebook;
  }
}
