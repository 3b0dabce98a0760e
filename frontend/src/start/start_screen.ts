// The start page: the evaluations, a new one, the demos; and what passes between it and Python.

import { Connection, type Model } from "../connection/connection";
import { element, setText, showText } from "../dom/element";
import { copyText, saveFile } from "../dom/files";
import type { StartContent, StartFromPage, StartFromPython } from "../from_python/start_messages";
import { addressOf, EvaluationTable } from "./evaluation_list";
import { FileSource } from "./file_source";
import { GuestLinkDialog } from "./guest_link";
import { NewEvaluation, type PlansWanted } from "./new_evaluation";

import { Upload } from "./upload";

export type StartModel = Model<StartFromPython>;

const STEPS = ["1 File", "2 Question", "3 Start"];
const LOOK_EVERY = 4000; // ms, between updates about others' labels
const SLOW: (keyof StartFromPage)[] = ["choose", "upload", "roles", "start", "export", "plans"];

export class StartScreen {
  private readonly connection: Connection<StartFromPage, StartFromPython>;
  private readonly listeners = new AbortController();
  private start: StartContent | null = null;
  private upload: Upload | null = null;
  private readonly watch: ReturnType<typeof setInterval>;
  private isNew = false;
  private wanted: PlansWanted | null = null;
  private readonly answered = new Set<number>();
  private readonly title = element("h1", {}, "Active evaluation");
  private readonly about = element("p", { class: "aew-muted" });
  private readonly place = element("p", { class: "aew-muted aew-place" });
  private readonly steps = element(
    "ol",
    { class: "aew-steps", "aria-label": "Steps", hidden: "" },
    ...STEPS.map((text, i) => element("li", i === 1 ? { "aria-current": "step" } : {}, text)),
  );
  private readonly back = element(
    "button",
    { class: "aew-back", hidden: "", onclick: () => history.back() },
    "‹ All evaluations",
  );
  private readonly lost = element("p", { class: "aew-alert", role: "alert", hidden: "" });
  private readonly problem = element("p", { class: "aew-alert", role: "alert", hidden: "" });
  private readonly status = element("p", { class: "aew-status", role: "status" });
  private readonly notices = element("div", { class: "aew-notices" });
  private readonly table: EvaluationTable;
  private readonly source: FileSource;
  private readonly fresh: NewEvaluation;
  private readonly guestLink = new GuestLinkDialog();
  private readonly demos = element("div", { class: "aew-demos" });
  private readonly overview: HTMLElement;

  constructor(
    model: StartModel,
    private readonly el: HTMLElement,
  ) {
    const { signal } = this.listeners;
    el.classList.add("aew-app", "aew-start");
    el.dataset.aew = "start";
    el.dataset.state = "loading";
    this.connection = new Connection<StartFromPage, StartFromPython>(model, {
      onReply: (message, _buffers, isOwn) => this.take(message, isOwn),
      onChange: () => this.paintLost(),
    });
    this.table = new EvaluationTable({
      ask: (shows_archived) => this.connection.send("evaluations", { shows_archived }),
      export: (session, which) => {
        setText(this.status, "Making the file…");
        this.connection.send("export", { session, which });
      },
      archive: (session, is_archived) => {
        const shows_archived = this.table.showsArchived;
        this.connection.send("archive", { session, is_archived, shows_archived });
      },
      follow: (session, title) => {
        this.source.follow({ session, title });
        this.source.focus();
        this.source.node.scrollIntoView?.({ block: "nearest" });
      },
      invite: (session) => this.connection.send("invite", { session }),
      revoke: (session) => {
        const shows_archived = this.table.showsArchived;
        this.connection.send("revoke", { session, shows_archived });
        setText(this.status, "The links for guests are revoked.");
      },
    });
    this.source = new FileSource(
      {
        give: (file) => this.giveFile(file),
        askFolder: () => this.connection.send("folder"),
        choose: (path) => {
          this.begin(`Reading ${path}…`);
          this.connection.send("choose", { path, after: this.source.after });
        },
        refuse: (text) => this.showProblem(text),
      },
      el,
      signal,
    );
    this.fresh = new NewEvaluation({
      changeRoles: (roles) => {
        this.fresh.setEnabled(false);
        this.connection.send("roles", { roles });
      },
      askPlans: (wanted) => this.askPlans(wanted),
      start: (settings) => {
        this.showProblem("");
        this.fresh.setEnabled(false);
        this.fresh.busy.show("Starting…");
        this.connection.send("start", settings);
      },
      copyCommand: (settings) => this.connection.send("command", settings),
      refuse: (text) => this.showProblem(text),
    });
    this.overview = element(
      "div",
      { class: "aew-overview" },
      this.source.node,
      this.table.node,
      element("h2", { class: "aew-try" }, "Try one"),
      this.demos,
    );
    const heading = element("div", { class: "aew-heading" }, this.title, this.about);
    el.append(
      element("header", { class: "aew-top" }, this.back, heading, this.place, this.steps),
      element(
        "div",
        { class: "aew-main" },
        this.lost,
        this.problem,
        this.notices,
        this.overview,
        this.fresh.node,
        this.status,
      ),
      this.source.dialog,
      this.guestLink.dialog,
    );
    addEventListener("popstate", () => this.showScreen(history.state?.aew === "new"), { signal });
    if (history.state?.aew === "new") history.replaceState(null, ""); // reloaded: Python knows of no file
    this.showScreen(false);
    this.connection.send("hello");
    this.connection.send("evaluations", { shows_archived: false });
    this.watch = setInterval(() => this.lookAgain(), LOOK_EVERY);
  }

  close(): void {
    this.listeners.abort();
    clearInterval(this.watch);
    this.upload?.end();
    this.connection.close();
    this.el.replaceChildren();
  }

  // -- what the person does -----------------------------------------------------------------------------

  private giveFile(file: File): void {
    if (this.start === null || this.isBusy) return;
    const { largest, largest_text, part_size, folder } = this.start;
    if (file.size > largest) {
      this.showProblem(
        `${file.name} is larger than ${largest_text}. Put it into ${folder}, and choose it with “From this folder”.`,
      );
      return;
    }
    this.begin(`Copying ${file.name}…`);
    const { after } = this.source;
    this.upload = new Upload(file, part_size, {
      send: (part, bytes) => this.connection.sendBytes("upload", { ...part, after }, bytes),
      onProgress: (share) =>
        this.source.busy.show(share < 1 ? `Copying ${file.name}…` : `Reading ${file.name}…`, share < 1 ? share : null),
      onError: (text) => {
        this.end();
        this.showProblem(text);
      },
    });
    void this.upload.sendFrom(0);
  }

  /** One plan at a time: after several changes only the last one is planned. */
  private askPlans(wanted: PlansWanted): void {
    if (this.connection.isWaitingFor("plans")) this.wanted = wanted;
    else this.connection.send("plans", { ...wanted });
  }

  private lookAgain(): void {
    if (document.hidden || this.isNew || this.isBusy || this.table.isInUse || this.connection.isLost) return;
    if (!this.connection.isWaitingFor("evaluations")) {
      this.connection.send("evaluations", { shows_archived: this.table.showsArchived });
    }
  }

  private get isBusy(): boolean {
    return this.el.dataset.state === "busy";
  }

  private begin(text: string): void {
    this.showProblem("");
    if (this.isNew) history.back();
    this.el.dataset.state = "busy";
    this.source.setEnabled(false);
    this.source.busy.show(text);
  }

  private end(): void {
    this.el.dataset.state = "ready";
    this.source.setEnabled(true);
    this.source.busy.hide();
    this.fresh.busy.hide();
    this.fresh.setEnabled(true);
    this.upload?.end();
    this.upload = null;
  }

  // -- what Python answers ------------------------------------------------------------------------------

  private take(message: StartFromPython, isOwn: boolean): void {
    // A message that was sent again may get two replies.
    if (!isOwn || typeof message.seq !== "number" || this.answered.has(message.seq)) return;
    this.answered.add(message.seq);
    const { start, evaluations, files, received, file, command } = message;
    if (start) this.takeStart(start);
    if (evaluations) this.table.show(evaluations);
    if (files && this.start) this.source.showFolder(files, this.start.folder);
    if (message.new) this.takeNew(message.new);
    else if (received) this.upload?.take(received);
    if (message.plans) this.fresh.showPlans(message.plans);
    if (this.wanted !== null && !this.connection.isWaitingFor("plans")) {
      const { wanted } = this;
      this.wanted = null;
      this.askPlans(wanted);
    }
    if (message.guest_link) {
      this.guestLink.show(message.guest_link);
      this.connection.send("evaluations", { shows_archived: this.table.showsArchived });
    }
    if (file) {
      saveFile(file);
      setText(this.status, `Saved ${file.name}`);
    }
    if (command !== undefined) this.copy(command);
    if (message.open_session !== undefined) location.assign(addressOf(message.open_session));
    if (message.error) {
      setText(this.status, "");
      this.end();
      this.showProblem(message.error);
    }
    this.paintLost();
  }

  private takeStart(start: StartContent): void {
    this.start = start;
    this.table.hasGuests = start.has_guests;
    this.el.dataset.state = "ready";
    this.notices.replaceChildren(...start.notices.map((text) => element("p", {}, text)));
    this.demos.replaceChildren(
      ...start.demos.map(({ name, title, text }) =>
        element(
          "a",
          { class: "aew-demo", href: addressOf(name), "data-demo": name },
          element("strong", {}, title),
          element("span", { class: "aew-muted" }, text),
        ),
      ),
    );
    this.showScreen(this.isNew);
  }

  private takeNew(content: NonNullable<StartFromPython["new"]>): void {
    this.end();
    this.source.follow(null);
    this.fresh.show(content);
    if (!this.isNew) history.pushState({ aew: "new" }, "");
    this.showScreen(true);
  }

  private copy(command: string): void {
    copyText(command).then(
      () => setText(this.status, `Copied: ${command}`),
      () => setText(this.status, command),
    );
  }

  // -- what is shown ------------------------------------------------------------------------------------

  private showScreen(isNew: boolean): void {
    const isChanged = isNew !== this.isNew;
    this.isNew = isNew && this.fresh.content !== null;
    const { content } = this.fresh;
    this.overview.hidden = this.isNew;
    this.fresh.node.hidden = !this.isNew;
    this.steps.hidden = !this.isNew;
    this.back.hidden = !this.isNew;
    this.place.hidden = this.isNew;
    this.notices.hidden = this.isNew;
    setText(this.title, this.isNew ? "New evaluation" : "Active evaluation");
    setText(this.about, this.isNew ? (content?.about ?? "") : "how good is a model? find out with few labels");
    setText(this.place, this.start?.place ?? "");
    if (!isChanged) return;
    this.showProblem("");
    setText(this.status, "");
    scrollTo(0, 0);
    if (this.isNew) this.fresh.focus();
    else this.source.focus();
  }

  private showProblem(text: string): void {
    showText(this.problem, text);
    if (text) this.problem.scrollIntoView?.({ block: "nearest" });
  }

  private paintLost(): void {
    // A large file is read in one go, in which Python does not reply.
    const isLost = this.connection.isLost && !this.connection.isWaitingFor(...SLOW);
    showText(
      this.lost,
      isLost ? "No connection to the server. It is tried again; if it was stopped, start it and reload." : "",
    );
  }
}
