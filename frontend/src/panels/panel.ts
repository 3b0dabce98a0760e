// What every panel provides, and may use.

import type { LabelValue } from "../from_python/messages";
import type { TableDialog } from "./plot";

export interface Panel<Content> {
  readonly node: HTMLElement;
  show(content: Content): void;
  /** Removes what the page would otherwise keep: observers, timers. */
  close?(): void;
}

/** What panels may use. */
export interface PanelTools {
  /** Decides which label of an instance counts. */
  adjudicate: (index: number, value: LabelValue, text: string) => void;
  /** Asks for another name. */
  rename: () => void;
  /** Shows an instance again, by its index. */
  goTo: (index: number) => void;
  /** Lists the labels where two models differ, by their positions. */
  listDiffering: (pair: number[]) => void;
  /** Shows two of several models from now on, by their positions. */
  choosePair: (pair: number[]) => void;
  /** Shows a plot's numbers. */
  table: TableDialog;
  /** The distance to the goal. */
  goal: HTMLElement;
}
