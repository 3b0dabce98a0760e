// The wall: the link for students, everyone's interval, and what the teacher asks of them.

import { Connection } from "../connection/connection";
import type { SocketModel } from "../connection/socket_model";
import { Choice, Slider } from "../dom/controls";
import { element, keyCap, rebuild, setText, showText } from "../dom/element";
import { copyText, saveFile } from "../dom/files";
import { followColors } from "../dom/surroundings";
import type { AskWall, WallConfig, WallContent, WallFromPage, WallFromPython } from "../from_python/class_messages";
import { isForeign, isMovedByKeys, isTextField, targetOf } from "../keys/key_names";
import { PlotPanel, TableDialog } from "../panels/plot";
import { countText } from "../text/numbers";
import { wallPlot } from "./wall_plot";

const LOST = "No connection to the server. The wall goes on as soon as it is back.";
const LOCAL =
  "This link works only on this machine. For devices of students, start the class with --host 0.0.0.0, or behind a proxy.";
const KINDS: [AskWall["kind"], string][] = [
  ["guaranteed", "guaranteed"],
  ["approximate", "approximate"],
  ["wald", "Wald"],
];
const STOPS: [AskWall["stop"], string][] = [
  ["fixed", "after a fixed number"],
  ["own", "where each would stop"],
  ["best", "where it looks best"],
];

/** What a key or a button does. */
type Action = "reveal" | "kind" | "stop" | "apart" | "run" | "save";
const KEYS: Record<string, Action> = { r: "reveal", k: "kind", s: "stop", a: "apart" };

export class WallPage {
  private readonly connection: Connection<WallFromPage, WallFromPython>;
  private readonly table = new TableDialog();
  private readonly plot = new PlotPanel("wall", this.table);
  private readonly title = element("h1");
  private readonly about = element("p", { class: "aew-about" });
  private readonly alert = element("p", { class: "aew-banner", role: "alert", "data-aew": "problem", hidden: "" });
  private readonly headline = element("p", { class: "aew-headline", "data-aew": "headline" });
  private readonly details = element("ul", { class: "aew-details", "data-aew": "details" });
  private readonly halves = element("ul", { class: "aew-halves", "data-aew": "halves" });
  private readonly buttons: Record<"reveal" | "apart" | "run" | "save", HTMLButtonElement>;
  private readonly kind = new Choice("kind", "95% interval (key K)", KINDS, () => this.ask());
  private readonly stop = new Choice("stop", "Stop (key S)", STOPS, () => this.ask());
  private readonly controls: HTMLElement;
  private readonly side: HTMLElement;
  private slider: Slider | null = null;
  private config: WallConfig | null = null;
  private wall: WallContent | null = null;
  private isRevealed = false;
  private isApart = false;
  private isStale = false; // there is more to ask for
  private problem = "";

  constructor(
    model: SocketModel<WallFromPython>,
    private readonly el: HTMLElement,
  ) {
    el.classList.add("aew-app", "aew-wall");
    Object.assign(el.dataset, { aew: "wall", state: "loading" });
    el.tabIndex = -1;
    followColors(el);
    const button = (action: Action, text: string, key?: string) =>
      element(
        "button",
        { "data-aew": action, onclick: () => this.act(action) },
        ...(key ? [keyCap(key), " "] : []),
        text,
      );
    this.buttons = {
      reveal: button("reveal", "Reveal the truth", "R"),
      apart: button("apart", "Active and uniform apart", "A"),
      run: button("run", "Simulated students label to the end"),
      save: button("save", "Save as CSV"),
    };
    this.controls = element("div", { class: "aew-wall-controls" }, this.kind.node, this.stop.node);
    const { reveal, apart, run, save } = this.buttons;
    const header = element("div", { class: "aew-wall-text", role: "status" }, this.headline, this.details, this.halves);
    this.side = element(
      "div",
      { class: "aew-wall-side" },
      invitation(),
      header,
      reveal,
      this.controls,
      apart,
      element("div", { class: "aew-wall-tools" }, run, save),
    );
    run.hidden = true;
    el.replaceChildren(
      element("header", { class: "aew-wall-head" }, this.title, this.about, this.alert),
      this.plot.node,
      this.side,
      this.table.dialog,
    );
    this.connection = new Connection<WallFromPage, WallFromPython>(model, {
      onReply: (message, _, isOwn) => this.take(message, isOwn),
      onChange: () => this.paint(),
    });
    document.addEventListener("keydown", (event) => this.pressed(event));
    this.connection.send("hello");
  }

  // -- what the server says -----------------------------------------------------------------------------

  private take({ config, wall, news, file, error }: WallFromPython, isOwn: boolean): void {
    if (config !== undefined) this.begin(config);
    if (wall !== undefined && isOwn) this.wall = wall;
    if (file !== undefined && isOwn) saveFile(file);
    if (isOwn) this.problem = error ?? "";
    if (news) this.isStale = true;
    if (this.isStale && !this.connection.isWaitingFor("wall")) this.ask();
    this.paint();
  }

  private begin(config: WallConfig): void {
    if (this.config !== null) return; // asked for again after the connection was lost
    this.config = config;
    setText(this.title, config.title);
    setText(this.about, [config.about, ...config.notes].join(" · "));
    document.title = `Class: ${config.title}`;
    this.buttons.run.hidden = !config.has_simulated;
    const n = config.n_labels;
    const about = { name: "n", label: "Labels", low: 1, high: n, step: 1, value: n, text: countText };
    this.slider = new Slider(about, () => this.ask());
    this.controls.append(this.slider.node);
    this.ask();
  }

  // -- what the teacher does ----------------------------------------------------------------------------

  private ask(): void {
    if (this.slider === null) return;
    this.isStale = this.connection.isWaitingFor("wall");
    if (this.isStale) return; // asked once the answer is there
    const { kind, stop, slider, isRevealed } = this;
    this.connection.send("wall", { kind: kind.value, stop: stop.value, n: slider.value, is_revealed: isRevealed });
  }

  private act(action: Action): void {
    const next = <T extends string>({ value }: { value: T }, all: [T, string][]): T =>
      all[(all.findIndex(([each]) => each === value) + 1) % all.length][0];
    if (action === "reveal") this.isRevealed = !this.isRevealed;
    else if (action === "apart") this.isApart = !this.isApart;
    else if (action === "kind") this.kind.value = next(this.kind, KINDS);
    else if (action === "stop") this.stop.value = next(this.stop, STOPS);
    else if (action === "run") this.connection.send("run");
    else this.connection.send("table", { is_revealed: this.isRevealed });
    if (action !== "run" && action !== "save") this.ask();
    this.paint();
  }

  private pressed(event: KeyboardEvent): void {
    if (isForeign(event) || event.repeat || this.table.dialog.open) return;
    const target = targetOf(event);
    if (isTextField(target) && !isMovedByKeys(target)) return;
    const action = KEYS[event.key.toLowerCase()];
    if (action === undefined) return;
    event.preventDefault();
    this.act(action);
  }

  // -- what is shown ------------------------------------------------------------------------------------

  private paint(): void {
    const { config, wall, buttons, isRevealed, isApart, connection, el } = this;
    const text = connection.isLost ? LOST : this.problem;
    showText(this.alert, text);
    buttons.reveal.setAttribute("aria-pressed", String(isRevealed));
    buttons.apart.setAttribute("aria-pressed", String(isApart));
    if (this.slider !== null) this.slider.node.hidden = this.stop.value !== "fixed";
    if (config === null || wall === null) return;
    el.dataset.state = connection.isLost ? "disconnected" : "ready";
    el.dataset.rows = String(wall.rows.length);
    el.style.setProperty("--aew-rows", String(wall.rows.length));
    el.toggleAttribute("data-revealed", wall.truth !== null);
    setText(this.headline, wall.headline);
    rebuild(this.details, wall.details, () => wall.details.map((text) => element("li", {}, text)));
    rebuild(this.halves, wall.halves, () =>
      wall.halves.map(({ method, title, text }) =>
        element("li", { "data-method": method }, element("b", {}, title), ` ${text}`),
      ),
    );
    this.plot.show(wallPlot(config, wall, isApart));
  }
}

/** The link for students and its QR code, which the server has put into the page. */
function invitation(): HTMLElement {
  const template = document.getElementById("aew-invitation");
  const link = template?.dataset.link ?? "";
  const code = template instanceof HTMLTemplateElement ? [template.content.cloneNode(true)] : [];
  const copy = element("button", { class: "aew-action", onclick: () => void copyText(link) }, "Copy the link");
  return element(
    "section",
    { class: "aew-invitation", "data-aew": "invitation", "data-link": link, "aria-label": "The link for students" },
    element("div", { class: "aew-qr", role: "img", "aria-label": "The link as a QR code" }, ...code),
    element("p", { class: "aew-link" }, link),
    copy,
    ...(template?.dataset.isLocal === "true" ? [element("p", { class: "aew-plot-note" }, LOCAL)] : []),
  );
}
