// A sheet in the place of the instance: tiles to look at together, each with a button that says its answer.

import type { AnswerFlow } from "../answers/answer_flow";
import { type Child, element, keyCap, setText } from "../dom/element";
import type { Choice, Tile } from "../from_python/messages";
import type { UpcomingInstances } from "../instances/upcoming_instances";
import { type KeyHelp, keyCaps } from "../keys/key_names";

interface Painted {
  node: HTMLElement;
  button: HTMLButtonElement;
  tile: Tile;
}

export class SheetView {
  readonly node: HTMLElement;
  private readonly grid = element("div", { class: "aew-tiles" });
  private readonly status = element("p", { class: "aew-sheet-status" });
  private painted: Painted[] = [];
  private readonly saveText = element("span");
  private large: number | null = null; // the draw of the tile that is enlarged
  private seen = 0; // px of the grid that were on screen

  constructor(
    private readonly flow: AnswerFlow,
    private readonly instances: UpcomingInstances,
    private readonly onChange: () => void,
  ) {
    const goOn = () => this.goOn();
    const save = element(
      "button",
      { type: "button", class: "aew-action aew-save-sheet", "data-aew": "save-sheet", onclick: goOn },
      keyCap("Enter"),
      this.saveText,
    );
    this.grid.addEventListener("scroll", () => this.paintSave());
    this.node = element(
      "div",
      { class: "aew-sheet", "data-aew": "sheet", role: "group" },
      this.grid,
      element("div", { class: "aew-sheet-foot" }, this.status, save),
    );
  }

  /** Shows the sheet; `choices` are the classes. */
  paint(choices: Choice[], checks: string): void {
    const { sheet } = this.flow;
    const isSame =
      this.painted.length === sheet.tiles.length && this.painted.every(({ tile }, i) => tile === sheet.tiles[i]);
    if (!isSame) this.build();
    const hadFocus = this.grid.contains(document.activeElement);
    this.painted.forEach(({ node, button, tile }, i) => {
      const value = sheet.valueOf(tile);
      const text = value === null ? "asked later" : choices[value].text;
      const isMarked = sheet.isMarked(tile);
      setText(button, isMarked && value !== null ? `✗ ${text}` : text);
      button.setAttribute("aria-pressed", String(isMarked));
      button.setAttribute("aria-label", `${tile.id}: ${text}`);
      button.tabIndex = i === sheet.focus ? 0 : -1;
      node.classList.toggle("aew-marked", isMarked);
      node.classList.toggle("aew-current", i === sheet.focus);
      node.classList.toggle("aew-large", tile.draw === this.large);
      node.dataset.value = value === null ? "" : choices[value].text;
    });
    if (hadFocus) this.painted[sheet.focus]?.button.focus({ preventScroll: true });
    this.node.setAttribute("aria-label", sheet.question);
    this.paintSave();
    setText(this.status, `${sheet.tiles.length} at once, ${sheet.nMarked} marked. ${checks}`);
  }

  /** Returns whether a key was one of the sheet's. */
  onKey(event: KeyboardEvent): boolean {
    const { sheet } = this.flow;
    const columns = this.columns;
    const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns };
    const tile = sheet.focused;
    if (event.key in steps) {
      sheet.move(steps[event.key]);
      this.large = null;
    } else if (event.key === "Enter" && !event.repeat) {
      this.goOn();
      return true;
    } else if (event.key === " " && tile !== undefined) {
      if (!event.repeat) sheet.mark(tile);
    } else if (event.key === "+" || event.key === "-") {
      this.large = event.key === "+" ? (tile?.draw ?? null) : null;
    } else return false;
    this.onChange();
    this.painted[sheet.focus]?.node.scrollIntoView?.({ block: "nearest" });
    return true;
  }

  /** Its keys for the list of keys; `labels`: those of the classes. */
  help(labels: Child[]): KeyHelp[] {
    return [
      [keyCaps(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]), "move"],
      [keyCaps([" "]), "mark what is not as expected, or take the mark back"],
      [labels, "label the instance in focus"],
      [keyCaps(["+", "-"]), "enlarge it, and back"],
      [keyCaps(["Enter"]), "save all; what was not on screen yet is shown first"],
    ];
  }

  /** Saves the sheet; what was not on screen yet is shown before. */
  private goOn(): void {
    if (this.isSeen) this.flow.saveSheet();
    else this.grid.scrollTop = this.seen;
    this.paintSave();
  }

  private get isSeen(): boolean {
    return this.seen >= this.grid.scrollHeight - 8;
  }

  private paintSave(): void {
    this.seen = Math.max(this.seen, this.grid.scrollTop + this.grid.clientHeight);
    setText(this.saveText, this.isSeen ? "Save all" : "More below");
  }

  private get columns(): number {
    const tops = this.painted.map(({ node }) => node.offsetTop);
    return Math.max(1, tops.filter((top) => top === tops[0]).length);
  }

  private build(): void {
    const { sheet } = this.flow;
    this.large = null;
    this.seen = 0;
    this.grid.scrollTop = 0;
    this.painted = sheet.tiles.map((tile, i) => {
      const act = () => {
        sheet.focus = i;
        sheet.mark(tile);
        this.onChange();
      };
      const button = element("button", { type: "button", class: "aew-tile-answer" });
      const shown = element("div", { class: "aew-tile-content" });
      const content = this.instances.elements.get(tile.index);
      if (content !== undefined) shown.append(copyOf(content));
      const node = element(
        "div",
        { class: "aew-tile", "data-aew": "tile", "data-instance-id": tile.id, "data-draw": tile.draw, onclick: act },
        shown,
        button,
      );
      return { node, button, tile };
    });
    this.grid.replaceChildren(...this.painted.map(({ node }) => node));
    this.grid.classList.toggle("aew-pictures", this.grid.querySelector(".aew-stage") !== null);
  }
}

/** A copy to look at: nothing in it takes the focus or scrolls. */
function copyOf(content: HTMLElement): HTMLElement {
  const copy = content.cloneNode(true) as HTMLElement;
  for (const each of [copy, ...copy.querySelectorAll<HTMLElement>("[tabindex], a, button")]) {
    each.removeAttribute("tabindex");
    each.removeAttribute("role");
    each.removeAttribute("aria-label");
    each.inert = each !== copy;
  }
  return copy;
}
