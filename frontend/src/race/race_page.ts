// A race: what Python knows of it, the page's position in it, and what passes between them and the person.

import { Connection, type Model } from "../connection/connection";
import { element, setText } from "../dom/element";
import { Choice, Slider } from "../explorers/controls";
import type { Axis } from "../from_python/messages";
import type { RaceConfig, RaceFromPage, RaceFromPython, RacerSteps, RaceState } from "../from_python/race_messages";
import { isForeign, isTextField, keyCaps } from "../keys/key_names";
import { PlotPanel, TableDialog } from "../panels/plot";
import { type Asked, ByHand } from "./by_hand";
import { type Course, closerText, type Kind, type Needed, narrowerText, smaller, widthOf } from "./course";
import { ManyRaces } from "./many_races";
import { Player, SPEEDS } from "./player";
import { colorOf, estimatesPlot } from "./plots";
import { RacerCard } from "./racer_card";

export type RaceModel = Model<RaceFromPython>;

const REST = 1000; // ms

type Racer = Omit<RacerSteps, "start">;

const EMPTY: Racer = {
  version: -1,
  steps: [],
  n: 0,
  coming: null,
  coming_id: "",
  is_ready: true,
  is_done: false,
};

export class RacePage {
  private readonly connection: Connection<RaceFromPage, RaceFromPython>;
  private readonly listeners = new AbortController();
  private config: RaceConfig | null = null;
  private race: RaceState | null = null;
  private racers: Racer[] = [EMPTY, EMPTY];
  private y: Axis = { low: 0, high: 1, ticks: [[0, "0"]] };
  private isHidden = false;
  private needed: { key: string; found: Needed } | null = null;
  private isMany = false;
  private readonly player: Player;
  private readonly table = new TableDialog();
  private readonly title = element("h1");
  private readonly about = element("p", { class: "aew-about" });
  private readonly tabs: HTMLButtonElement[];
  private readonly alert = element("p", { class: "aew-banner", role: "alert", "data-aew": "problem", hidden: "" });
  private readonly notes = element("p", { class: "aew-race-note", "data-aew": "notes", hidden: "" });
  private readonly said = element("p", { class: "aew-finding", "data-aew": "finding", role: "status" });
  private readonly count = element("span", { class: "aew-count", "data-aew": "count" });
  private readonly play: HTMLButtonElement;
  private readonly step: HTMLButtonElement;
  private readonly truth: HTMLButtonElement;
  private readonly hand: HTMLButtonElement;
  private readonly whoseHand: HTMLSelectElement;
  private readonly choices: HTMLSelectElement[];
  private readonly speed: Slider;
  private readonly kind: Choice<Kind>;
  private readonly plot: PlotPanel;
  private readonly cards: RacerCard[];
  private readonly one = element("div", { class: "aew-one" });
  private readonly inner = element("div", { class: "aew-race-inner" });
  private byHand: ByHand | null = null;
  private many: ManyRaces | null = null;
  private isGiving = false;
  private rest: ReturnType<typeof setTimeout> | undefined;
  private restsUntil = 0; // after an error, the request is not repeated at once
  private isStale = false; // something was changed, here or on another page: Python is asked for it

  constructor(
    model: RaceModel,
    private readonly el: HTMLElement,
  ) {
    el.classList.add("aew-app", "aew-race");
    Object.assign(el.dataset, { aew: "race", state: "loading" });
    el.tabIndex = 0;
    el.setAttribute("role", "region");
    el.setAttribute("aria-label", "Race");
    // As for the labeling page: JupyterLab's and Notebook's own shortcuts look for this mark at the focused element.
    el.dataset.lmSuppressShortcuts = "true";
    const { signal } = this.listeners;
    const mark = ({ target }: FocusEvent) => {
      if (target instanceof HTMLElement) target.dataset.lmSuppressShortcuts = "true";
    };
    el.addEventListener("focusin", mark, { signal });
    this.connection = new Connection<RaceFromPage, RaceFromPython>(model, {
      onReply: (message, buffers, isOwn) => this.take(message, buffers, isOwn),
      onChange: () => this.paint(),
    });
    this.player = new Player(
      () => this.known,
      () => this.config?.budget ?? 0,
      () => this.paint(),
    );
    const withKey = (key: string, text: string) => [...keyCaps([key]), text];
    const action = (name: string, key: string, text: string, act: () => void) =>
      element("button", { "data-aew": name, "aria-keyshortcuts": key, onclick: act }, ...withKey(key, text));
    this.play = action("play", " ", "Play", () => this.toggle());
    this.step = action("step", "ArrowRight", "Step", () => this.player.step());
    const again = action("again", "0", "Restart", () => this.player.goTo(0));
    const fresh = action("new-race", "n", "New race", () => this.newRace((this.race?.seed ?? 0) + 1));
    this.truth = action("truth", "t", "Hide truth", () => this.hideTruth());
    this.hand = action("hand", "h", "Label by hand", () => this.toggleHand());
    this.whoseHand = element("select", { "aria-label": "Whose instances are labeled by hand" });
    this.speed = new Slider(
      {
        name: "speed",
        label: "Speed",
        low: 0,
        high: SPEEDS.length - 1,
        step: 1,
        value: SPEEDS.indexOf(this.player.speed),
        text: (value) => `${SPEEDS[value]} a second`,
      },
      () => {
        this.player.speed = SPEEDS[this.speed.value];
      },
    );
    this.kind = new Choice<Kind>(
      "interval",
      "95% interval",
      [
        ["guaranteed", "guaranteed"],
        ["approximate", "approximate"],
      ],
      () => this.paint(),
    );
    this.choices = [0, 1].map((number) =>
      element("select", {
        "aria-label": number === 0 ? "First racer" : "Second racer",
        "data-aew": `racer-${number}`,
        onchange: () => this.changeMethods(number),
      }),
    );
    this.plot = new PlotPanel("estimates", () => {}, this.table, "");
    this.cards = [0, 1].map((number) => new RacerCard(number, this.table, () => this.paint()));
    this.tabs = ["One race", "Many races"].map((text, i) =>
      element(
        "button",
        {
          role: "tab",
          "data-aew": i === 0 ? "tab-one" : "tab-many",
          onclick: () => this.open(i === 1),
          onkeydown: (event) => this.moveTab(event),
        },
        text,
      ),
    );
    const bar = element(
      "div",
      { class: "aew-race-bar", role: "group", "aria-label": "The race" },
      this.play,
      this.step,
      this.speed.node,
      again,
      fresh,
      this.truth,
      element("span", { class: "aew-hand-choice" }, this.hand, this.whoseHand),
      this.count,
    );
    const left = element("div", { class: "aew-race-left" }, this.plot.node);
    this.one.append(
      bar,
      this.said,
      element("div", { class: "aew-race-columns" }, left, ...this.cards.map(({ node }) => node)),
    );
    this.inner.append(
      element(
        "header",
        { class: "aew-race-head" },
        element("div", { class: "aew-race-title" }, this.title, this.about),
        element("div", { class: "aew-racers" }, this.choices[0], "against", this.choices[1]),
        this.kind.node,
        element("div", { class: "aew-tabs", role: "tablist", "aria-label": "Races" }, ...this.tabs),
      ),
      this.alert,
      this.notes,
      this.one,
    );
    el.replaceChildren(this.inner, this.table.dialog);
    this.connection.send("hello");
  }

  close(): void {
    this.player.pause();
    clearTimeout(this.rest);
    this.listeners.abort();
    this.connection.close();
    this.plot.close();
    this.many?.close();
    this.byHand?.close();
    for (const card of this.cards) card.close();
  }

  // -- what Python says ---------------------------------------------------------------------------------

  private take(message: RaceFromPython, buffers: DataView[], isOwn: boolean): void {
    const { config, race, racers, y, many, beyond, instances, more, error } = message;
    if (isOwn && error !== undefined) {
      this.tell(error);
      this.restsUntil = performance.now() + REST;
      this.isStale = true;
      this.rest = setTimeout(() => this.askForMore(), REST + 1);
    }
    if (config !== undefined) this.begin(config);
    if (race !== undefined) {
      this.takeRace(race);
      this.isStale = racers === undefined || !isOwn;
    }
    if (isOwn && racers !== undefined && race !== undefined) this.takeSteps(race, racers);
    if (y !== undefined) this.y = y;
    if (many !== undefined && many.run === this.race?.run) this.many?.take(many);
    if (beyond !== undefined && beyond.run === this.race?.run) {
      const { racer, width, kind, n, is_reached, is_complete } = beyond;
      if (is_complete) this.needed = { key: keyOf(racer, width, kind), found: { n, isReached: is_reached } };
    }
    (instances ?? []).forEach((info, i) => {
      const shown = [...this.cards.map((card) => card.instances), ...(this.byHand ? [this.byHand.instances] : [])];
      for (const place of shown) if (place.wanted.has(info.index)) void place.add(info, buffers[i]);
    });
    if (more !== undefined) this.byHand?.instances.addMore(more, buffers[0]);
    if (isOwn) this.isGiving = this.connection.isWaitingFor("give", "undo", "by_hand");
    this.paint();
    this.askForMore();
  }

  private begin(config: RaceConfig): void {
    if (this.config !== null) return; // requested again after a connection was lost
    this.config = config;
    this.el.toggleAttribute("data-standalone", config.is_standalone);
    setText(this.title, config.title);
    setText(this.notes, config.notes.join(" "));
    this.notes.hidden = config.notes.length === 0;
    for (const select of this.choices) {
      select.replaceChildren(...config.methods.map(({ name, title }) => element("option", { value: name }, title)));
    }
    for (const card of this.cards) card.instances.use(config.instance_modules);
    this.byHand = new ByHand(config, {
      give: (value) => this.give(value),
      undo: () => this.undo(),
      leave: () => this.toggleHand(),
      onReady: () => this.paint(),
      askForMore: (what) => this.connection.send("more", what),
    });
    this.one.querySelector(".aew-race-left")?.prepend(this.byHand.node);
    this.many = new ManyRaces(config, this.table, () => {
      if (this.race !== null) this.connection.send("races", { run: this.race.run });
    });
    this.inner.append(this.many.node);
    setText(this.tabs[1], `${config.n_races} races`);
    this.open(false);
    const place: EventTarget = config.is_standalone ? document : this.el;
    place.addEventListener("keydown", (event) => this.pressed(event as KeyboardEvent), {
      signal: this.listeners.signal,
    });
    if (config.is_standalone) this.el.focus({ preventScroll: true });
    this.el.dataset.state = "ready";
  }

  private takeRace(race: RaceState): void {
    const isNew = race.run !== this.race?.run;
    const hadHand = (this.race?.by_hand.length ?? 0) > 0;
    this.race = race;
    if (isNew) {
      this.racers = [EMPTY, EMPTY];
      this.player.goTo(0);
      this.needed = null;
      this.many?.forget();
      this.showRacers();
    }
    if (race.by_hand.length > 0) this.player.pause();
    if (hadHand && race.by_hand.length === 0) this.el.focus({ preventScroll: true });
  }

  private takeSteps(race: RaceState, told: RacerSteps[]): void {
    if (race.run !== this.race?.run) return;
    this.racers = told.map(({ start, ...racer }, i) => {
      const before = this.racers[i];
      const kept = before.version === racer.version ? before.steps.slice(0, start) : [];
      if (kept.length !== start) return { ...racer, steps: kept, version: -1 }; // requested again, from the first on
      return { ...racer, steps: [...kept, ...racer.steps] };
    });
    if (this.isByHand) this.player.goTo(this.known);
    else if (this.player.place > this.known && this.racers.every(({ is_ready }) => is_ready))
      this.player.place = this.known;
  }

  /** Requests what is missing, one message at a time. */
  private askForMore(): void {
    const { race, config } = this;
    if (race === null || config === null || performance.now() < this.restsUntil) return;
    const { connection } = this;
    const isOpen =
      this.isStale ||
      this.racers.some(
        ({ version, is_ready, is_done }, i) =>
          version < 0 ||
          !is_ready ||
          (!is_done && !race.by_hand.includes(i)) ||
          this.racers[i].steps.length < this.racers[i].n,
      );
    if (isOpen && !connection.isWaitingFor("steps", "give", "undo", "by_hand", "new_race")) {
      const known = this.racers.map(({ version, steps }) => ({ version, n: steps.length }));
      connection.send("steps", { run: race.run, known });
    }
    if (!isOpen && !connection.isWaitingFor("beyond")) this.askBeyond();
    const indices = this.cards.flatMap((card, i) => card.missing(this.courses[i], this.player.place));
    const all = new Set([...indices, ...(this.byHand?.missing(this.asked) ?? [])]);
    if (all.size > 0) connection.send("instances", { indices: [...all] });
  }

  /** At the end: how many labels the wider one needs for the narrower one's width. */
  private askBeyond(): void {
    const { race, config, player } = this;
    if (race === null || config === null || this.isByHand || player.place < config.budget) return;
    const kind = this.kind.value;
    const widths = this.racers.map(({ steps }) => widthOf(steps[config.budget - 1], kind));
    const who = smaller(widths);
    if (who === null || who === -1) return;
    const [racer, width] = [1 - who, widths[who] ?? 0];
    if (this.needed?.key === keyOf(racer, width, kind)) return;
    this.connection.send("beyond", { run: race.run, racer, width, kind });
  }

  // -- what the person does -----------------------------------------------------------------------------

  private get isByHand(): boolean {
    return (this.race?.by_hand.length ?? 0) > 0;
  }

  /** The number of labels of both racers to show. */
  private get known(): number {
    return Math.min(...this.racers.map(({ steps }) => steps.length));
  }

  private get courses(): Course[] {
    const { config, race } = this;
    if (config === null || race === null) return [];
    return race.methods.map((name, i) => ({
      method: config.methods.find((method) => method.name === name) ?? config.methods[0],
      steps: this.racers[i].steps,
    }));
  }

  /** The question by hand: the slowest of those who are labeled so. */
  private get asked(): Asked | null {
    const { race, config } = this;
    if (race === null || config === null || !this.isByHand) return null;
    const turn = race.by_hand.reduce((best, i) =>
      this.racers[i].steps.length < this.racers[best].steps.length ? i : best,
    );
    const { coming, coming_id, steps, is_ready, version } = this.racers[turn];
    if (coming === null || version < 0) return null;
    const isReady = is_ready && !this.isGiving && !this.isStale;
    return { index: coming, id: coming_id, who: this.courses[turn].method.title, n: steps.length + 1, isReady };
  }

  private toggle(): void {
    if (this.player.isPlaying) this.player.pause();
    else if (!this.isByHand) this.player.play();
    this.paint();
  }

  private hideTruth(): void {
    this.isHidden = !this.isHidden;
    this.paint();
  }

  private newRace(seed: number, methods = this.race?.methods): void {
    if (methods === undefined) return;
    this.tell("");
    this.player.pause();
    this.connection.send("new_race", { seed, methods });
  }

  private changeMethods(number: number): void {
    const { race } = this;
    if (race === null) return;
    const methods = this.choices.map(({ value }) => value);
    // Two of a kind don't race: the other one is replaced by the previous one here.
    if (methods[0] === methods[1]) methods[1 - number] = race.methods[number];
    this.newRace(race.seed, methods);
  }

  private toggleHand(): void {
    const { race } = this;
    if (race === null) return;
    this.player.pause();
    const racers = this.isByHand ? [] : this.whoseHand.value.split(" ").map(Number);
    this.tell("");
    this.isGiving = true;
    this.connection.send("by_hand", { run: race.run, n: this.player.place, racers });
    this.paint();
  }

  private give(value: Parameters<ByHand["labels"]["show"]>[1] | null): void {
    const { race, asked } = this;
    if (race === null || asked === null || !asked.isReady || value === undefined) return;
    const racer = this.courses.findIndex(({ method }) => method.title === asked.who);
    this.tell("");
    this.isGiving = true;
    this.connection.send("give", { run: race.run, racer, n: asked.n, value });
    this.paint();
  }

  private undo(): void {
    const { race } = this;
    if (race === null || !this.isByHand) return;
    this.isGiving = true;
    this.connection.send("undo", { run: race.run });
    this.paint();
  }

  private open(isMany: boolean): void {
    this.isMany = isMany;
    if (isMany) this.player.pause();
    this.one.hidden = isMany;
    if (this.many) this.many.node.hidden = !isMany;
    this.tabs.forEach((tab, i) => {
      tab.setAttribute("aria-selected", String(isMany === (i === 1)));
      tab.tabIndex = isMany === (i === 1) ? 0 : -1;
    });
    this.many?.paint();
    this.paint();
  }

  private moveTab(event: KeyboardEvent): void {
    if (isForeign(event) || !["ArrowLeft", "ArrowRight"].includes(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    this.open(!this.isMany);
    this.tabs[this.isMany ? 1 : 0].focus();
  }

  private pressed(event: KeyboardEvent): void {
    const { byHand } = this;
    if (byHand === null || event.defaultPrevented || isForeign(event) || this.table.dialog.open || this.isMany) return;
    const target = event.composedPath()[0];
    const { body, documentElement } = document;
    if (target !== body && target !== documentElement && !(target instanceof Node && this.el.contains(target))) return;
    const isButton = target instanceof Element && target.closest("button, summary, a") !== null;
    if (isButton && (event.key === "Enter" || event.key === " ")) return;
    const isOwnField = target instanceof Node && byHand.node.contains(target);
    if (isTextField(target) && !isOwnField) return;
    const take = () => {
      event.preventDefault();
      event.stopPropagation();
    };
    if (this.isByHand) {
      if (byHand.labels.press(event)) take();
      else if (event.key === "Escape") {
        take();
        this.toggleHand();
      } else if (!isTextField(target) && byHand.keys.meaningOf(event)?.action === "undo") {
        take();
        if (!event.repeat) this.undo();
      } else if (byHand.instances.onKey(event)) take();
      return;
    }
    if (
      target instanceof Element &&
      target.matches("input[type=range], input[type=radio]") &&
      event.key.startsWith("Arrow")
    )
      return;
    const acts: Record<string, () => void> = {
      " ": () => this.toggle(),
      ArrowRight: () => this.player.step(),
      "0": () => this.player.goTo(0),
      n: () => this.newRace((this.race?.seed ?? 0) + 1),
      t: () => this.hideTruth(),
      h: () => this.toggleHand(),
    };
    const act = acts[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (act === undefined) return;
    take();
    if (!event.repeat || event.key === "ArrowRight") act();
  }

  // -- what is shown ------------------------------------------------------------------------------------

  private tell(problem: string): void {
    setText(this.alert, problem);
    this.alert.hidden = problem === "";
  }

  private showRacers(): void {
    const { race } = this;
    if (race === null) return;
    const { courses } = this;
    this.choices.forEach((select, i) => {
      select.value = race.methods[i];
      select.dataset.color = colorOf(race.methods[i]);
    });
    const options: [string, string][] = [
      ...courses.map(({ method }, i): [string, string] => [String(i), method.title]),
      ["0 1", "Both"],
    ];
    this.whoseHand.replaceChildren(...options.map(([value, text]) => element("option", { value }, text)));
    this.many?.showMethods(race.methods, race.seed);
  }

  private paint(): void {
    const { config, race, player, connection } = this;
    if (config === null || race === null) return;
    this.el.dataset.state = connection.isLost ? "disconnected" : "ready";
    if (connection.isLost) this.tell("No connection to Python. The race goes on as soon as it is back.");
    else if (this.alert.textContent?.startsWith("No connection")) this.tell("");
    const { place: n, isPlaying } = player;
    const { courses } = this;
    const kind = this.kind.value;
    const { budget } = config;
    Object.assign(this.el.dataset, {
      n: String(n),
      run: String(race.run),
      seed: String(race.seed),
      known: String(this.known),
      playing: String(isPlaying),
    });
    setText(this.count, `${n} of ${budget} labels`);
    const byHand = race.n_by_hand > 0 ? ` · ${race.n_by_hand} by hand` : "";
    setText(this.about, `seed ${race.seed}${byHand} · ${config.about}`);
    this.about.title = this.about.textContent ?? ""; // if it is cut off
    const playText = isPlaying ? "Pause" : n >= budget ? "Play again" : "Play";
    if (this.play.lastChild?.textContent !== playText) this.play.lastChild?.replaceWith(playText);
    this.play.disabled = this.isByHand;
    this.step.disabled = this.isByHand || n >= this.known;
    this.truth.lastChild?.replaceWith(this.isHidden ? "Show truth" : "Hide truth");
    this.truth.setAttribute("aria-pressed", String(this.isHidden));
    this.hand.setAttribute("aria-pressed", String(this.isByHand));
    this.whoseHand.disabled = this.isByHand;
    this.hand.disabled = !this.isByHand && n >= budget;
    const found = this.needed?.found ?? null;
    const needed = n >= budget && this.needed !== null && this.needed.key === this.neededKey() ? found : null;
    this.said.setAttribute("aria-busy", String(isPlaying));
    const sentences = [closerText(courses, n, this.isHidden), narrowerText(courses, n, kind, needed)];
    setText(this.said, sentences.filter(Boolean).join(" "));
    if (this.isMany) return;
    this.plot.show(estimatesPlot(config, courses, n, this.y, kind, this.isHidden));
    this.cards.forEach((card, i) => {
      card.show(config, courses[i], n, kind, isPlaying);
    });
    this.el.toggleAttribute("data-by-hand", this.isByHand);
    if (this.byHand) {
      const wasHidden = this.byHand.node.hidden;
      this.byHand.node.hidden = !this.isByHand;
      this.byHand.show(this.asked, race.n_by_hand > 0, "All labels are given.");
      if (wasHidden && this.isByHand) this.el.focus({ preventScroll: true });
    }
    if (!this.connection.isWaitingFor("instances")) this.askForMore();
  }

  private neededKey(): string {
    const { config } = this;
    const kind = this.kind.value;
    const widths = this.racers.map(({ steps }) => widthOf(steps[(config?.budget ?? 1) - 1], kind));
    const who = smaller(widths);
    return who === null || who === -1 ? "" : keyOf(1 - who, widths[who] ?? 0, kind);
  }
}

const keyOf = (racer: number, width: number, kind: string): string => `${racer} ${width} ${kind}`;
