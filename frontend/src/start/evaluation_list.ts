// The evaluations: the progress of each, its result so far, and its actions.

import { element, setText } from "../dom/element";
import type { EvaluationList, EvaluationRow, StartFromPage } from "../from_python/start_messages";
import { countText } from "../text/numbers";
import { menuButton } from "./menu";
import { lastUsed } from "./used";

type Which = StartFromPage["export"]["which"];

interface Callbacks {
  ask: (showsArchived: boolean) => void;
  export: (session: string, which: Which) => void;
  archive: (session: string, isArchived: boolean) => void;
  follow: (session: string, title: string) => void;
  invite: (session: string) => void;
  revoke: (session: string) => void;
}

const COLUMNS = [
  ["Name", null],
  ["Question", "aew-asks"],
  ["Labels", null],
  ["Answer so far", null],
  ["Interval", "aew-interval"],
  ["Last used", "aew-used"],
  ["Who", "aew-who"],
] as const;

const EXPORTS: [string, Which][] = [
  ["Report (HTML)", "html"],
  ["Report (Markdown)", "markdown"],
  ["Labels (CSV)", "labels"],
  ["Everything (JSON)", "session"],
];

const FOCUSABLE = ".aew-row-actions :is(a, .aew-menu-opener)";

/** The address of an evaluation's page, relative to this one. */
export const addressOf = (session: string): string => `?session=${encodeURIComponent(session)}`;

export class EvaluationTable {
  private readonly body = element("tbody");
  private readonly table = element(
    "table",
    { class: "aew-evaluations" },
    element(
      "thead",
      {},
      element(
        "tr",
        {},
        ...COLUMNS.map(([text, name]) => element("th", { scope: "col", class: name }, text)),
        element("td"), // the actions need no heading
      ),
    ),
    this.body,
  );
  private readonly nothing = element("p", { class: "aew-muted", hidden: "" });
  private readonly archived = element("input", {
    type: "checkbox",
    onchange: () => this.callbacks.ask(this.showsArchived),
  });
  private readonly archivedText = element("span");
  private readonly archivedLabel = element(
    "label",
    { class: "aew-archived", hidden: "" },
    this.archived,
    this.archivedText,
  );
  readonly node = element(
    "section",
    { class: "aew-card", "aria-labelledby": "aew-evaluations" },
    element(
      "div",
      { class: "aew-card-head" },
      element("h2", { id: "aew-evaluations" }, "Your evaluations"),
      this.archivedLabel,
    ),
    this.table,
    this.nothing,
  );

  /** Whether links for guests can be made. */
  hasGuests = false;

  constructor(private readonly callbacks: Callbacks) {}

  get showsArchived(): boolean {
    return this.archived.checked;
  }

  /** Whether a menu is open: it would close if the rows were rebuilt. */
  get isInUse(): boolean {
    return this.body.querySelector("[role=menu]:not([hidden])") !== null;
  }

  show({ rows, n_archived }: EvaluationList, now = new Date()): void {
    const focused = this.focused();
    this.table.hidden = rows.length === 0;
    this.nothing.hidden = rows.length > 0;
    setText(
      this.nothing,
      n_archived > 0 ? "All are archived." : "None yet. Begin with a file of predictions, or try a demo.",
    );
    this.archivedLabel.hidden = n_archived === 0;
    setText(this.archivedText, `Show archived (${countText(n_archived)})`);
    this.body.replaceChildren(...rows.map((row) => this.row(row, now)));
    // Rows are rebuilt: the focus goes where it was, or to the first row if that one is gone.
    if (focused === null) return;
    const made = [...this.body.querySelectorAll("tr")];
    const again = made.find(({ dataset }) => dataset.session === focused.session) ?? made[0];
    const places = again?.querySelectorAll<HTMLElement>(FOCUSABLE);
    (places?.[focused.place] ?? places?.[0] ?? this.archived).focus();
  }

  private focused(): { session: string | undefined; place: number } | null {
    const { activeElement } = document;
    const row = activeElement?.closest("tr");
    if (!(activeElement instanceof HTMLElement) || !row || !this.body.contains(row)) return null;
    return { session: row.dataset.session, place: [...row.querySelectorAll(FOCUSABLE)].indexOf(activeElement) };
  }

  private row(row: EvaluationRow, now: Date): HTMLElement {
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
      element("td", { class: "aew-row-actions" }, element("div", {}, ...this.actions(row))),
    );
  }

  private actions({ session, title, is_done, is_archived, missing, n_guest_links }: EvaluationRow): HTMLElement[] {
    const items = EXPORTS.map(([text, which]) => ({ text, run: () => this.callbacks.export(session, which) }));
    items.push({ text: "Next version", run: () => this.callbacks.follow(session, title) });
    if (this.hasGuests) items.push({ text: "Link for a guest", run: () => this.callbacks.invite(session) });
    if (n_guest_links > 0)
      items.push({ text: `Revoke guest links (${n_guest_links})`, run: () => this.callbacks.revoke(session) });
    const archive = {
      text: is_archived ? "Take out of the archive" : "Archive",
      run: () => this.callbacks.archive(session, !is_archived),
    };
    const menu = menuButton(`More about ${title}`, missing ? [archive] : [...items, archive]);
    if (missing) return [menu];
    const verb = is_done ? "Result" : "Open";
    return [
      element("a", { class: "aew-button", href: addressOf(session), "aria-label": `${verb}: ${title}` }, verb),
      menu,
    ];
  }
}

/** Whether a session's name adds something to its title. */
const isOther = (session: string, title: string): boolean =>
  session !== title && session !== title.toLowerCase().replace(/[^\p{L}\p{N}_.-]+/gu, "-");

function progress({ n_labels, budget }: EvaluationRow): HTMLElement[] {
  const n = countText(n_labels);
  if (budget === null) return [element("span", {}, n)];
  const share = Math.min(1, n_labels / Math.max(1, budget));
  const bar = element("span", { class: "aew-share", "aria-hidden": "true" });
  bar.style.setProperty("--aew-share", String(share));
  return [bar, element("span", {}, `${n} of ${countText(budget)}`)];
}
