import { onceClicked } from "../dom/double_click";
import { element, optionsOf, setText } from "../dom/element";
import type { Config } from "../from_python/messages";
import type { ProgressBar } from "./progress";

interface Callbacks {
  showResult: () => void;
  newSession: () => void;
}

/** Loads the page for another session. */
export function openSession(name: string): void {
  location.search = `?session=${encodeURIComponent(name)}`;
}

/** The header: what is evaluated, the progress, and the way to the results. */
export class Header {
  readonly node: HTMLElement;
  private readonly home = element(
    "a",
    { class: "aew-home", hidden: "", "aria-label": "All evaluations", title: "All evaluations" },
    "‹",
    element("span", {}, " All evaluations"),
  );
  private readonly title = element("h1");
  private readonly about = element("p", { class: "aew-about" });
  private readonly sessions = element("select", {
    class: "aew-sessions",
    "aria-label": "Session",
    hidden: "",
    onchange: () => openSession(this.sessions.value),
  });
  private readonly newSession: HTMLButtonElement;
  private readonly results: HTMLButtonElement;

  constructor({ showResult, newSession }: Callbacks, progress: ProgressBar) {
    this.newSession = element(
      "button",
      { class: "aew-action", "data-action": "new_session", hidden: "", onclick: newSession },
      "New session",
    );
    this.results = element(
      "button",
      { class: "aew-results", "data-action": "result", onclick: onceClicked(showResult) },
      "Results",
    );
    this.node = element(
      "header",
      { class: "aew-header" },
      this.home,
      this.title,
      this.about,
      progress.figures,
      this.sessions,
      this.newSession,
      this.results,
      progress.bar,
    );
  }

  show({ title, about, session, sessions, session_text, is_standalone, has_new_session, start_page }: Config): void {
    this.home.hidden = start_page === undefined;
    if (start_page !== undefined) this.home.href = start_page;
    setText(this.title, title);
    setText(this.about, about);
    this.about.title = `${about}; ${session_text}`;
    this.newSession.hidden = !has_new_session;
    this.sessions.hidden = !is_standalone || sessions.length < 2;
    this.sessions.replaceChildren(...optionsOf(sessions.map((name) => [name, name])));
    this.sessions.value = session;
  }

  /** Where its button leads: to the result, or back. */
  showScreen(isResult: boolean): void {
    setText(this.results, isResult ? "Back to labeling" : "Results");
  }
}
