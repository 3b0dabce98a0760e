// The cells of a confusion matrix, shaded by their shares.

import { element } from "../dom/element";
import type { ConfusionCell, MatrixCell } from "../from_python/messages";

const MARKS = { more: " ▲", less: " ▼" };
const SPOKEN = { more: " (more than the other model)", less: " (less than the other model)" };

type Cell = ConfusionCell & { mark?: MatrixCell["mark"] };

/** A row for each true class, which its heading names. */
export const matrixRows = (classes: string[], cells: Cell[][]): HTMLElement[] =>
  cells.map((row, i) => {
    const heading = element("th", { scope: "row", dir: "auto" }, classes[i]);
    return element("tr", {}, heading, ...row.map((cell, j) => cellOf(cell, i === j)));
  });

function cellOf({ text, title, share, mark = "" }: Cell, isRight: boolean): HTMLElement {
  const kind = `${isRight ? "aew-right" : "aew-wrong"}${mark ? " aew-apart" : ""}`;
  const cell = element("td", { title, class: kind }, text);
  if (mark) {
    const spoken = element("span", { class: "aew-visually-hidden" }, SPOKEN[mark]);
    cell.append(element("span", { "aria-hidden": "true" }, MARKS[mark]), spoken);
  }
  // A few percent must be visible: the root spreads small shares.
  cell.style.setProperty("--aew-shade", `${Math.round(70 * Math.sqrt(share))}%`);
  return cell;
}
