// Tables of texts.

import { type Child, element } from "./element";

interface TableContent {
  caption?: string;
  columns: string[];
  rows: string[][];
}

const cell = (text: string): HTMLElement => element("td", { dir: "auto" }, text);

/** A row of headings over columns. */
export const headOf = (columns: (string | Child[])[]): HTMLElement =>
  element("thead", {}, element("tr", {}, ...columns.map((each) => element("th", { scope: "col" }, ...[each].flat()))));

/** A table of texts. */
export const tableOf = ({ caption, columns, rows }: TableContent): HTMLElement =>
  element(
    "table",
    {},
    ...(caption === undefined ? [] : [element("caption", {}, caption)]),
    headOf(columns),
    element("tbody", {}, ...rows.map((row) => element("tr", {}, ...row.map(cell)))),
  );

/** A box in which a wide table scrolls, by keys, too. */
export const tableFrame = (label: string, ...children: Child[]): HTMLElement =>
  element("div", { class: "aew-table", tabindex: "0", role: "region", "aria-label": label }, ...children);
