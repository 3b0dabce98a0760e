// A student's page: the labeling app, with a name and a button for where the student would stop.

import { Connection } from "../connection/connection";
import { appFrame, showApp } from "../connection/outside_model";
import type { SocketModel } from "../connection/socket_model";
import { element, setText } from "../dom/element";
import type { StudentFromPage, StudentFromPython, StudentState } from "../from_python/class_messages";
import { NameDialog } from "../page/name_dialog";
import { countText } from "../text/numbers";

const NAMING = {
  title: "Your name on the wall",
  text: "Everybody sees it there. A pseudonym will do: nothing else of you is kept.",
  longest: 30,
};

export class StudentPage {
  private readonly connection: Connection<StudentFromPage, StudentFromPython>;
  private readonly name: NameDialog;
  private readonly who = element("button", { class: "aew-action", "data-aew": "who", title: "Change the name" });
  private readonly stop = element("button", { class: "aew-action", "data-aew": "stop" });
  private readonly status = element("span", { role: "status", "data-aew": "stopped" });
  private student: StudentState = { name: "", suggested: "", stopped: null };

  constructor(
    private readonly model: SocketModel<unknown>,
    private readonly place: HTMLElement,
  ) {
    this.connection = new Connection(model as SocketModel<StudentFromPython>, {
      onReply: (message) => this.take(message),
      onChange: () => {},
    });
    this.name = new NameDialog((name) => this.connection.send("join", { name }), NAMING);
    this.who.onclick = () => this.name.open(this.student.suggested);
    this.stop.onclick = () => this.connection.send("stop_here", { stops: this.student.stopped === null });
  }

  /** Shows the app, whose script is that of notebooks. */
  async begin(): Promise<void> {
    const el = element("div", { class: "aew-front-end" });
    const bar = element("div", { class: "aew-student-bar" }, this.who, this.status, this.stop);
    const frame = element("div", { class: "aew-app aew-student" }, bar, this.name.dialog);
    this.place.replaceChildren(frame, appFrame(el));
    await showApp(this.model, el);
    this.connection.send("student");
  }

  private take({ student, error, ...rest }: StudentFromPython): void {
    if (error !== undefined && !("is_kept" in rest)) setText(this.status, error);
    if (student === undefined) return;
    this.student = student;
    const { name, suggested, stopped } = student;
    setText(this.who, name || "Your name");
    setText(this.status, stopped === null ? "" : `You would stop after ${countText(stopped)} labels.`);
    setText(this.stop, stopped === null ? "I would stop here" : "Take that back");
    this.stop.setAttribute("aria-pressed", String(stopped !== null));
    document.title = name ? `${name} – class` : "Class";
    if (name === "" && !this.name.dialog.open) this.name.open(suggested);
  }
}
