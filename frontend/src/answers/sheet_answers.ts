// The answers to a sheet: instances that are labeled together, before they are saved.

import { remember, remembered } from "../dom/browser_storage";
import type { LabelValue, SheetContent, Tile } from "../from_python/messages";

/** A label, or null to ask for the instance by itself. */
export type SheetValue = number | null;

export class SheetAnswers {
  /** The position of the tile that keys act on. */
  focus = 0;
  tiles: Tile[] = [];
  question = "";
  /** Whether the person went back to single instances. */
  isLeft = false;
  /** The number of classes, once Python has said what is asked; a mark on one of two stands for the other. */
  nClasses = 0;
  private begun = "";
  // By draw. This tab remembers those of each sheet: it has its marks after a reload, and if it is taken back.
  private values = new Map<number, SheetValue>();

  get isOpen(): boolean {
    return this.tiles.length > 0 && !this.isLeft;
  }

  get focused(): Tile | undefined {
    return this.tiles[this.focus];
  }

  take(sheet: SheetContent | undefined): void {
    const tiles = sheet?.tiles ?? [];
    if (sheet !== undefined && sheet.begun !== this.begun) {
      this.begun = sheet.begun;
      this.values = new Map(remembered<[number, SheetValue][]>(this.storage, [], "sessionStorage"));
    }
    const isSame = tiles.length === this.tiles.length && tiles.every(({ draw }, i) => draw === this.tiles[i].draw);
    this.question = sheet?.question ?? "";
    if (isSame) return;
    if (tiles.length > this.tiles.length || tiles.length === 0) this.isLeft = false;
    this.tiles = tiles;
    this.focus = 0;
  }

  valueOf({ draw, value }: Tile): SheetValue {
    return this.values.get(draw) ?? (this.values.has(draw) ? null : value);
  }

  isMarked(tile: Tile): boolean {
    return this.valueOf(tile) !== tile.value;
  }

  get nMarked(): number {
    return this.tiles.filter((tile) => this.isMarked(tile)).length;
  }

  /** Says that a tile is not what is expected, or that it is after all. */
  mark(tile: Tile): void {
    if (this.isMarked(tile)) this.answer(tile, tile.value);
    else this.answer(tile, this.nClasses === 2 ? 1 - tile.value : null);
  }

  /** Labels the tile in focus. */
  label(value: LabelValue): boolean {
    const tile = this.focused;
    if (tile === undefined || typeof value !== "number") return false;
    this.answer(tile, value);
    return true;
  }

  /** Puts the tile in focus aside, to be asked by itself, or takes it back. */
  aside(): void {
    const tile = this.focused;
    if (tile === undefined) return;
    this.answer(tile, this.valueOf(tile) === null ? tile.value : null);
  }

  private get storage(): string {
    return `aew-sheet ${this.begun}`;
  }

  private answer({ draw }: Tile, value: SheetValue): void {
    this.values.set(draw, value);
    remember(this.storage, [...this.values], "sessionStorage");
  }

  move(step: number): void {
    this.focus = Math.min(Math.max(this.focus + step, 0), Math.max(this.tiles.length - 1, 0));
  }

  /** What is saved. */
  answers(): { draw: number; index: number; value: SheetValue }[] {
    return this.tiles.map((tile) => ({ draw: tile.draw, index: tile.index, value: this.valueOf(tile) }));
  }
}
