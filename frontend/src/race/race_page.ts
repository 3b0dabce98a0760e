// The page of a race: the person's position in it, and what is shown there.

import { Choice } from "../dom/controls";
import { element, optionsOf, setText, showText } from "../dom/element";
import { keepKeysFromJupyter } from "../dom/surroundings";
import { Tabs } from "../dom/tabs";
import type { RaceConfig, RaceFromPython, RaceState } from "../from_python/race_messages";
import { PlotPanel, TableDialog } from "../panels/plot";
import { ByHand } from "./by_hand";
import { closerText, type Kind, narrowerText } from "./course";
import { ManyRaces, tabText } from "./many_races";
import { Player } from "./player";
import { colorOf, estimatesPlot } from "./plots";
import { type RaceAction, RaceBar } from "./race_bar";
import { RaceClient, type RaceModel } from "./race_client";
import { onRaceKey } from "./race_keys";
import { RacerCard } from "./racer_card";

const LOST = "No connection to Python. The race goes on as soon as it is back.";

export class RacePage {
  private readonly client: RaceClient;
  private readonly listeners = new AbortController();
  private readonly player: Player;
  private readonly table = new TableDialog();
  private readonly title = element("h1");
  private readonly about = element("p", { class: "aew-about" });
  private readonly tabs: Tabs;
  private readonly alert = element("p", { class: "aew-banner", role: "alert", "data-aew": "problem", hidden: "" });
  private readonly notes = element("p", { class: "aew-race-note", "data-aew": "notes", hidden: "" });
  private readonly finding = element("p", { class: "aew-finding", "data-aew": "finding", role: "status" });
  private readonly bar: RaceBar;
  private readonly choices: HTMLSelectElement[];
  private readonly kind: Choice<Kind>;
  private readonly plot: PlotPanel;
  private readonly cards: RacerCard[];
  private readonly left: HTMLElement;
  private readonly one: HTMLElement;
  private readonly inner: HTMLElement;
  private byHand: ByHand | null = null;
  private many: ManyRaces | null = null;
  private isMany = false;
  private isManyWanted = false; // from when they are looked at for the first time; then they are run to the end
  private stopped = ""; // the methods whose many races are not run on
  private isHidden = false; // the truth
  private problem = "";

  constructor(
    model: RaceModel,
    private readonly el: HTMLElement,
  ) {
    el.classList.add("aew-app", "aew-race");
    Object.assign(el.dataset, { aew: "race", state: "loading" });
    el.tabIndex = 0;
    el.setAttribute("role", "region");
    el.setAttribute("aria-label", "Race");
    keepKeysFromJupyter(el, this.listeners.signal);
    this.client = new RaceClient(model, {
      onMessage: (message, buffers, isOwn, before) => this.take(message, buffers, isOwn, before),
      onChange: () => this.paint(),
      wish: () => ({
        kind: this.kind.value,
        place: this.player.place,
        indices: this.missing(),
        isMany: this.isManyWanted && !this.isStopped,
      }),
    });
    const { client } = this;
    this.player = new Player(
      () => client.known,
      () => client.config?.budget ?? 0,
      () => this.paint(),
    );
    this.bar = new RaceBar(
      this.player.speed,
      (action) => this.act(action),
      (speed) => {
        this.player.speed = speed;
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
    this.choices = ["First racer", "Second racer"].map((label, number) =>
      element("select", {
        "aria-label": label,
        "data-aew": `racer-${number}`,
        onchange: () => this.changeMethods(number),
      }),
    );
    this.plot = new PlotPanel("estimates", this.table);
    this.cards = [0, 1].map((number) => new RacerCard(number, this.table, () => this.paint()));
    const tabs = [
      { name: "one", title: "One race" },
      { name: "many", title: "Many races" },
    ];
    this.tabs = new Tabs("Races", tabs, (at) => this.open(at === 1));
    this.left = element("div", { class: "aew-race-left" }, this.plot.node);
    this.one = element(
      "div",
      { class: "aew-one" },
      this.bar.node,
      this.finding,
      element("div", { class: "aew-race-columns" }, this.left, ...this.cards.map(({ node }) => node)),
    );
    this.inner = element(
      "div",
      { class: "aew-race-inner" },
      element(
        "header",
        { class: "aew-race-head" },
        element("div", { class: "aew-race-title" }, this.title, this.about),
        element("div", { class: "aew-racers" }, this.choices[0], "against", this.choices[1]),
        this.kind.node,
        this.tabs.node,
      ),
      this.alert,
      this.notes,
      this.one,
    );
    el.replaceChildren(this.inner, this.table.dialog);
    client.begin();
  }

  close(): void {
    this.player.pause();
    this.listeners.abort();
    this.client.close();
    this.plot.close();
    this.many?.close();
    this.byHand?.close();
    for (const card of this.cards) card.close();
  }

  // -- what Python says ---------------------------------------------------------------------------------

  private take(message: RaceFromPython, buffers: DataView[], isOwn: boolean, before: RaceState | null): void {
    const { config, race, racers, instances, more, error } = message;
    if (isOwn && error !== undefined) this.showProblem(error);
    if (config !== undefined) this.begin(config);
    if (race !== undefined) this.takeRace(race, before);
    if (isOwn && racers !== undefined) this.follow();
    (instances ?? []).forEach((info, i) => {
      const places = [...this.cards.map((card) => card.instances), ...(this.byHand ? [this.byHand.instances] : [])];
      for (const place of places) if (place.wanted.has(info.index)) void place.add(info, buffers[i]);
    });
    if (more !== undefined) this.byHand?.instances.addMore(more, buffers[0]);
    this.paint();
  }

  private begin(config: RaceConfig): void {
    if (this.byHand !== null) return; // requested again after a connection was lost
    const { client, el } = this;
    el.toggleAttribute("data-standalone", config.is_standalone);
    setText(this.title, config.title);
    showText(this.notes, config.notes.join(" "));
    for (const select of this.choices) {
      select.replaceChildren(...optionsOf(config.methods.map(({ name, title }) => [name, title])));
    }
    for (const card of this.cards) card.instances.use(config.instance_modules);
    this.byHand = new ByHand(config, {
      give: (value) => {
        if (client.give(value)) this.showProblem("");
        this.paint();
      },
      undo: () => this.undo(),
      leave: () => this.act("hand"),
      onReady: () => this.paint(),
      askForMore: (what) => client.askForMore(what),
    });
    this.left.prepend(this.byHand.node);
    this.many = new ManyRaces(config, this.table, () => {
      this.stopped = this.isStopped ? "" : this.methods;
      this.paint();
      this.client.ask();
    });
    this.inner.append(this.many.node);
    this.open(false);
    const place: EventTarget = config.is_standalone ? document : el;
    const { signal } = this.listeners;
    place.addEventListener("keydown", (event) => this.pressed(event as KeyboardEvent), { signal });
    if (config.is_standalone) el.focus({ preventScroll: true });
    el.dataset.state = "ready";
  }

  private takeRace(race: RaceState, before: RaceState | null): void {
    if (race.run !== before?.run) {
      this.player.goTo(0);
      this.showRacers(race);
    }
    if (race.by_hand.length > 0) this.player.pause();
    else if ((before?.by_hand.length ?? 0) > 0) this.el.focus({ preventScroll: true });
  }

  /** By hand, the latest label is shown; otherwise the position stays among those that are there. */
  private follow(): void {
    const { client, player } = this;
    if (client.isByHand) player.goTo(client.known);
    else if (player.place > client.known && client.isReady) player.place = client.known;
  }

  /** The instances that are to be requested. */
  private missing(): number[] {
    const { courses, asked } = this.client;
    const indices = this.cards.flatMap((card, i) => card.missing(courses[i], this.player.place));
    return [...new Set([...indices, ...(this.byHand?.missing(asked) ?? [])])];
  }

  // -- what the person does -----------------------------------------------------------------------------

  private act(action: RaceAction): void {
    const { client, player } = this;
    const { race } = client;
    if (race === null) return;
    if (action === "step") player.step();
    else if (action === "again") player.goTo(0);
    else if (action === "new-race") this.newRace(race.seed + 1, race.methods);
    else if (action === "truth") this.isHidden = !this.isHidden;
    else if (action === "hand") {
      player.pause();
      this.showProblem("");
      client.labelByHand(player.place, client.isByHand ? [] : this.bar.racersByHand);
    } else if (player.isPlaying) player.pause();
    else if (!client.isByHand) player.play();
    this.paint();
  }

  private newRace(seed: number, methods: string[]): void {
    this.showProblem("");
    this.player.pause();
    this.client.newRace(seed, methods);
  }

  private changeMethods(number: number): void {
    const { race } = this.client;
    if (race === null) return;
    const methods = this.choices.map(({ value }) => value);
    // Two of a kind don't race: the other one is replaced by the previous one here.
    if (methods[0] === methods[1]) methods[1 - number] = race.methods[number];
    this.newRace(race.seed, methods);
  }

  private undo(): void {
    this.client.undo();
    this.paint();
  }

  private get methods(): string {
    return this.client.race?.methods.join() ?? "";
  }

  private get isStopped(): boolean {
    return this.stopped !== "" && this.stopped === this.methods;
  }

  private open(isMany: boolean): void {
    this.isMany = isMany;
    this.isManyWanted ||= isMany;
    if (isMany) this.player.pause();
    this.one.hidden = isMany;
    if (this.many) this.many.node.hidden = !isMany;
    this.tabs.show(isMany ? 1 : 0);
    this.paint();
    this.client.ask();
  }

  private pressed(event: KeyboardEvent): void {
    const { el, byHand, client } = this;
    if (byHand === null || this.table.dialog.open || this.isMany) return;
    const act = (action: RaceAction) => this.act(action);
    onRaceKey({ el, byHand, isByHand: client.isByHand, act, undo: () => this.undo() }, event);
  }

  // -- what is shown ------------------------------------------------------------------------------------

  private showProblem(problem: string): void {
    this.problem = problem;
    this.paintProblem();
  }

  private paintProblem(): void {
    const text = this.client.isLost ? LOST : this.problem;
    showText(this.alert, text);
  }

  private showRacers(race: RaceState): void {
    this.choices.forEach((select, i) => {
      select.value = race.methods[i];
      select.dataset.color = colorOf(race.methods[i]);
    });
    this.bar.showRacers(this.client.courses.map(({ method }) => method.title));
  }

  private paint(): void {
    const { client, player, el, isHidden } = this;
    const { config, race, courses, known, isByHand } = client;
    if (config === null || race === null) return;
    const { place: n, isPlaying } = player;
    const kind = this.kind.value;
    this.paintProblem();
    Object.assign(el.dataset, {
      state: client.isLost ? "disconnected" : "ready",
      n: String(n),
      run: String(race.run),
      seed: String(race.seed),
      known: String(known),
      playing: String(isPlaying),
    });
    const byHand = race.n_by_hand > 0 ? ` · ${race.n_by_hand} by hand` : "";
    setText(this.about, `seed ${race.seed}${byHand} · ${config.about}`);
    this.about.title = this.about.textContent ?? ""; // if it is cut off
    this.bar.show({ n, known, budget: config.budget, isPlaying, isByHand, isHidden });
    const needed = n >= config.budget ? client.needed(kind) : null;
    const { is_share, whole } = config;
    const sentences = [closerText(courses, n, isHidden, is_share), narrowerText(courses, n, kind, needed, whole)];
    this.finding.setAttribute("aria-busy", String(isPlaying));
    setText(this.finding, sentences.filter(Boolean).join(" "));
    setText(this.tabs.buttons[1], tabText(config.n_races, client.many));
    if (this.isMany) {
      this.many?.show(
        courses.map(({ method }) => method),
        client.many,
        kind,
        this.isStopped,
      );
      return;
    }
    this.plot.show(estimatesPlot(config, courses, n, client.y, kind, isHidden));
    this.cards.forEach((card, i) => {
      card.show(config, courses[i], n, kind, isPlaying);
    });
    this.paintByHand(race.n_by_hand > 0);
    if (!client.isFetching) client.ask();
  }

  private paintByHand(canUndo: boolean): void {
    const { byHand, client, el } = this;
    el.toggleAttribute("data-by-hand", client.isByHand);
    if (byHand === null) return;
    const wasHidden = byHand.node.hidden;
    byHand.node.hidden = !client.isByHand;
    byHand.show(client.asked, canUndo, "All labels are given.");
    if (wasHidden && client.isByHand) el.focus({ preventScroll: true });
  }
}
