// One view of a labeling session: its parts, and what passes between them, the person and Python.

import { AnswerFlow } from "../answers/answer_flow";
import { AnswerHistory } from "../answers/answer_history";
import { ExclusionReasons } from "../answers/exclusion_reasons";
import { NoteField } from "../answers/note_field";
import { Connection, type Model } from "../connection/connection";
import { element } from "../dom/element";
import { saveFile } from "../dom/files";
import { focusedFrom } from "../dom/surroundings";
import { whenFound } from "../dom/when_found";
import type { ActionConfig, ActionName, Config, FromPython, LabelValue, Prediction } from "../from_python/messages";
import { UpcomingInstances } from "../instances/upcoming_instances";
import { KeyList } from "../keys/key_list";
import { KeyMap } from "../keys/key_map";
import { keyCaps } from "../keys/key_names";
import { KeySettings } from "../keys/key_settings";
import { type LabelControls, makeLabels } from "../labels";
import { PANEL_NAMES, Panels } from "../panels";
import { GoalPanel } from "../panels/goal";
import { PanelChoice } from "../panels/panel_choice";
import { TableDialog } from "../panels/plot";
import { ResultScreen } from "../result/result_screen";
import { ACTIONS } from "./actions";
import { ConnectionBanner } from "./connection_banner";
import { EndOfLabels } from "./end_of_labels";
import { Header, openSession } from "./header";
import { HeldKeys } from "./held_keys";
import { LabelingArea } from "./labeling_area";
import { NameDialog } from "./name_dialog";
import { NewSessionDialog } from "./new_session_dialog";
import { PageFigures } from "./page_figures";
import { onHeldKey, onKeydown } from "./page_keys";
import { PageRoot } from "./page_root";
import { PlotTimer } from "./plot_timer";
import { ProgressBar } from "./progress";
import { ShownInstance } from "./shown_instance";

/** What Python's configuration made: the same for as long as the session is shown. */
interface Session {
  config: Config;
  keys: KeyMap;
  labels: LabelControls;
}

export class LabelingPage {
  session: Session | null = null;
  readonly flow: AnswerFlow;
  readonly instances: UpcomingInstances;
  readonly area: LabelingArea;
  readonly history: AnswerHistory;
  readonly reasons: ExclusionReasons;
  readonly note: NoteField;
  readonly goal: GoalPanel;
  readonly result: ResultScreen;
  readonly choice: PanelChoice;
  readonly settings: KeySettings;
  readonly root: PageRoot;
  readonly held = new HeldKeys(
    (event) => onHeldKey(this, event),
    (text) => this.refuse(text),
  );
  private readonly listeners = new AbortController();
  private readonly connection: Connection;
  private readonly progress = new ProgressBar();
  private readonly banner = new ConnectionBanner();
  private readonly header: Header;
  private readonly keyList: KeyList;
  readonly panels: Panels;
  private readonly figures: PageFigures;
  private readonly side: HTMLElement;
  private readonly end: EndOfLabels;
  private readonly name: NameDialog;
  private readonly newSession: NewSessionDialog;
  private readonly shown: ShownInstance;
  private readonly plotTimer: PlotTimer;
  private problem: string | null = null; // what went wrong with the last answer
  private stale: string | null = null; // what another tab was faster with
  private hinted: string | null = null; // said of a key that does nothing
  private refused: string | null = null; // said of a key that was not taken, until the next answer
  private prediction: Prediction | null = null;
  private wasDone = false; // whether the end has been seen
  private leavesResult = false; // whether an instance was asked for from the result
  private revealed: string | null = null; // the panel that was opened last, until its content is here
  private pair: number[] | null = null; // two of several models, by their positions
  private returnsToResult = false; // whether the result comes back after it

  constructor(
    model: Model,
    private readonly el: HTMLElement,
  ) {
    this.root = new PageRoot(el);
    el.classList.add("aew-front-end");
    const showResult = () => this.act("result");
    const goOn = () => this.connection.send("go_on");
    this.connection = new Connection(model, {
      onReply: (message, buffers, isOwn) => this.take(message, buffers, isOwn),
      onChange: () => this.paint(),
    });
    this.instances = new UpcomingInstances({
      onReady: () => {
        this.paint();
        this.flow.askForInstances();
      },
      askForMore: (what) => this.connection.send("more", what),
    });
    this.flow = new AnswerFlow(this.connection, this.instances, this.listeners.signal, () => this.afterAnswer());
    this.note = new NoteField({
      save: (about, text) => this.flow.note(about.index, text),
      leave: () => this.root.focus(),
    });
    this.area = new LabelingArea(
      (name) => this.act(name),
      () => this.flow.leaveReview(),
      [this.flow.unsaved.banner, this.flow.unsaved.notices, this.banner.node],
      this.note.node,
    );
    const newSession = () => this.newSession.ask(this.flow.python?.n_labels ?? 0);
    this.header = new Header({ showResult, newSession }, this.progress);
    this.end = new EndOfLabels({ showResult, goOn });
    this.shown = new ShownInstance(this.area.instance, this.instances, this.end);
    this.plotTimer = new PlotTimer(
      () => this.flow.isSaving || this.connection.isWaitingFor("plots"),
      () => this.askForPlots(),
    );
    this.keyList = new KeyList((name) => this.act(name));
    this.reasons = new ExclusionReasons((reason) => this.flow.answer({ type: "exclude", reason }));
    this.history = new AnswerHistory({
      choose: (row) => this.flow.goTo(row),
      ask: (question) => this.connection.send("history", question),
      mayTell: () => this.mayTell,
    });
    this.settings = new KeySettings(() => this.showKeys());
    this.goal = new GoalPanel(
      (fields) => this.connection.send("goal", { fields }),
      (name) => this.act(name),
    );
    this.result = new ResultScreen({
      ask: () => this.askForResult(),
      save: (which) => this.connection.send("save", { which }),
      goTo: (index) => {
        this.showResult(false);
        this.leavesResult = true;
        this.lookAt(index);
      },
      goOn: () => {
        this.showResult(false);
        goOn();
      },
      listDiffering: (pair) => this.history.open(pair),
    });
    const table = new TableDialog();
    this.panels = new Panels({
      goTo: (index) => this.lookAt(index),
      adjudicate: (index, value, text) => this.flow.adjudicate(index, value, text),
      rename: () => this.name.open(),
      listDiffering: (pair) => this.history.open(pair),
      choosePair: (pair) => {
        this.pair = pair;
        this.askForPlots();
      },
      table,
      goal: this.goal.box,
    });
    this.figures = new PageFigures(model.widget_manager, {
      use: (name, surface) => {
        if (name === "result") this.result.use(surface);
        else this.panels.draw(name, surface);
      },
      giveUp: () => this.askForPlots(),
    });
    this.side = element("div", { class: "aew-side" }, ...this.panels.nodes);
    const opened = (name: string) => {
      this.panels.reveal(name);
      this.revealed = name; // what it shows may still be on its way, and need more room
      this.plotTimer.restart();
    };
    this.choice = new PanelChoice(PANEL_NAMES, () => this.plotTimer.restart(), opened);
    this.name = new NameDialog((who) => this.connection.send("name", { who }));
    this.newSession = new NewSessionDialog(() => this.connection.send("new_session"));
    const dialogs = [
      ...[this.choice, table, this.goal, this.keyList, this.reasons, this.history, this.settings],
      ...[this.name, this.newSession],
    ];
    el.append(this.header.node, this.area.node, this.result.node, this.side, ...dialogs.map(({ dialog }) => dialog));
    whenFound(() => el.isConnected, this.start, this.listeners.signal);
  }

  /** Takes everything back that the page would keep otherwise. */
  close(): void {
    this.listeners.abort();
    this.plotTimer.close();
    this.connection.close();
    this.flow.close();
    this.instances.close();
    this.history.close();
    this.result.forget();
    this.panels.close();
    this.el.replaceChildren();
  }

  // -- what the person does -----------------------------------------------------------------------------

  act(name: ActionName): void {
    const { openDialog } = this;
    if (openDialog !== null)
      openDialog.close(); // the key that opened it
    else if (this.offered(name) !== null) ACTIONS[name].run(this);
  }

  /** The result takes the place of labeling until one goes back. */
  showResult(isShown: boolean): void {
    if (isShown === this.result.isOpen) return;
    this.root.showScreen(isShown);
    if (isShown) this.result.open();
    else {
      this.result.close();
      this.root.focus();
    }
    this.header.showScreen(isShown);
  }

  showKeyList(): void {
    if (this.session === null) return;
    const { config, keys, labels } = this.session;
    const rows = [...labels.help(), ...this.instances.help(keys)];
    this.keyList.show(rows, this.actions, keys, config.session_text);
    this.keyList.dialog.showModal();
  }

  private label(value: LabelValue, text: string): boolean {
    const isGiven = this.flow.label(value, text);
    if (!isGiven) this.refuse(`${text} was not taken: ${this.flow.refusal ?? "this item is not ready yet"}.`);
    return isGiven;
  }

  toggleGuidelines(): void {
    this.area.guidelines.toggle();
    this.paint();
  }

  togglePrediction(): void {
    const { flow } = this;
    const draw = flow.shown?.draw;
    if (!flow.canAnswer || flow.review !== null || draw === undefined) return;
    if (this.prediction?.draw === draw) {
      this.prediction = null;
      this.paint();
    } else this.connection.send("prediction", { draw });
  }

  /** Says a sentence in the place of what was saved last, until the next answer. */
  readonly hint = (text: string): void => {
    this.hinted = text;
    this.paintStatus();
  };

  /** Says why a key was not taken. What Python tells meanwhile does not take its place. */
  readonly refuse = (text: string): void => {
    this.refused = text;
    this.paintStatus();
  };

  // -- what is offered ----------------------------------------------------------------------------------

  get openDialog(): HTMLDialogElement | null {
    return this.el.querySelector("dialog[open]");
  }

  /** The action, if it is one of this page's: who labels without the estimate has none that tells of it. */
  readonly offered = (name: string | undefined): ActionName | null =>
    this.actions.find((action) => action.name === name)?.name ?? null;

  /** Whether the page may tell of the model. */
  private get mayTell(): boolean {
    return !this.choice.isLabelerView;
  }

  private get actions(): ActionConfig[] {
    const { isThere } = this.area.guidelines;
    return (this.session?.config.actions ?? []).filter(({ name }) => name !== "guidelines" || isThere);
  }

  private lookAt(index: number): void {
    this.connection.send("row", { index, shows_prediction: this.mayTell });
  }

  private afterAnswer(): void {
    this.problem = null;
    this.stale = null;
    this.hinted = null;
    this.refused = null;
    this.paintStatus();
    this.paint();
    if (this.returnsToResult && this.flow.review === null) {
      this.returnsToResult = false;
      this.showResult(true);
    }
    this.flow.askForInstances();
    this.plotTimer.restart();
  }

  private askForPlots(): void {
    const shows_confusion = this.choice.isShown("confusion");
    const { showsWald: shows_wald } = this.choice;
    const names = ["models", "each", "differing", "matrices", "groups", "judge", "calibration", "interval", "evidence"];
    const optional = names.filter((name) => this.choice.isShown(name));
    const shown = [...this.choice.shown, ...optional];
    const draws_figures = this.figures.areShown;
    this.connection.send("plots", { shows_wald, shows_confusion, shown, pair: this.pair, draws_figures });
  }

  private askForResult(): void {
    this.connection.send("result", { may_tell: this.mayTell, draws_figures: this.figures.areShown });
  }

  // -- what Python answers ------------------------------------------------------------------------------

  private take(message: FromPython, buffers: DataView[], isOwn: boolean): void {
    const { flow, result } = this;
    if (message.state) {
      flow.takeState(message.state);
      this.problem = null;
      this.hinted = null;
      this.plotTimer.restart();
    }
    if (message.config) this.takeConfig(message.config);
    if (message.figures) this.figures.take(message.figures);
    flow.unsaved.take(message);
    if (message.session_text && this.session) this.session.config.session_text = message.session_text;
    if (isOwn) this.takeAnswer(message, buffers);
    if (message.state) this.progress.show(message.state.progress);
    this.panels.show({ estimate: message.state?.estimate, ...message.plots, confusion: message.confusion });
    this.panels.show({ groups: message.groups });
    this.panels.show({ people: message.state?.people });
    this.panels.show({ ...message.state?.panels, ...message.panels });
    if (message.goal) this.goal.show(message.goal);
    if (message.plots && this.revealed !== null) {
      this.panels.reveal(this.revealed);
      this.revealed = null;
    }
    if (message.plots && result.isOpen) this.askForResult(); // it has changed
    if (message.state || message.error) this.paintStatus();
    this.paint();
    if (this.session !== null) flow.askForInstances();
  }

  /** What was asked for here. */
  private takeAnswer(message: FromPython, buffers: DataView[]): void {
    const { flow, instances } = this;
    if (message.instances) {
      flow.msEach = message.ms_each || flow.msEach;
      message.instances.forEach((info, i) => {
        void instances.add(info, buffers[i]);
      });
    }
    if (message.history) this.history.show(message.history, buffers);
    if (message.more) instances.addMore(message.more, buffers[0]);
    if (message.undone) {
      flow.earlier.set(message.undone.index, message.undone.value);
      this.shown.forget(); // so that it is shown with it
    }
    flow.outbox.settle(message);
    if (message.stale) {
      this.stale = message.stale;
      this.paintStatus();
    }
    if (message.error && !message.is_kept) this.problem ??= message.error;
    if (message.prediction) this.prediction = message.prediction;
    if (message.open_session) openSession(message.open_session);
    if (message.row) {
      flow.goTo(message.row);
      this.returnsToResult = this.leavesResult;
      this.leavesResult = false;
    }
    if (message.result) this.result.show(message.result, buffers);
    if (message.file) saveFile(message.file);
  }

  private takeConfig(config: Config): void {
    const isFirst = this.session === null;
    const keys = new KeyMap(config.keys);
    const labels = makeLabels(config.labels, keys, (value, text) => this.label(value, text));
    this.session = { config, keys, labels };
    this.header.show(config);
    this.shown.forget();
    this.area.labels.replaceChildren(labels.node);
    this.root.configure(config);
    if (config.is_labeler_view) this.choice.keepLabelerView();
    for (const module of config.panel_modules) {
      const node = this.panels.add(module);
      if (node === null) continue;
      this.side.append(node);
      this.choice.add(module.name, module.title, node);
    }
    this.instances.use(config.instance_modules);
    this.area.guidelines.show(config.guidelines, config.keys.scope);
    this.reasons.setReasons(config.reasons);
    this.settings.show(keys, config.actions);
    this.showKeys();
    if (config.goal) this.goal.show(config.goal);
    if (config.asks_name) this.name.begin();
    if (!isFirst) return;
    if (config.goal) this.goal.begin(config.keys.scope);
    this.root.listen(config.is_standalone, (event) => onKeydown(this, event), this.listeners.signal);
  }

  // -- what is shown ------------------------------------------------------------------------------------

  private showKeys(): void {
    if (this.session === null) return;
    const { keys, labels } = this.session;
    labels.showKeys();
    this.area.showActions(this.actions, keys);
    this.instances.texts.paint(keys);
    for (const button of [this.goal.result, this.end.result]) {
      button.replaceChildren(...keyCaps(keys.keysOf("action result").slice(0, 1)), "See the result");
    }
    this.paint();
  }

  private paint(): void {
    const { session, flow, area, root } = this;
    if (session !== null && flow.python !== null) {
      this.shown.paint(flow, session.labels);
      const { shown, python } = flow;
      area.showQuestion(flow.isDone && shown === null ? "Done" : session.config.question);
      area.showWhich(shown, flow.review, flow.mark);
      area.showPrediction(this.prediction?.draw === shown?.draw ? (this.prediction?.text ?? null) : null);
      this.paintButtons(session.labels);
      if (flow.isDone && !this.wasDone) this.showResult(true);
      this.wasDone = flow.isDone || (this.wasDone && python.is_done);
      root.showState(flow.stateName, shown?.draw, python);
    }
    this.paintBanners();
    this.held.release(() => (flow.isWaiting && flow.refusal === null ? undefined : this.answerable));
  }

  /** The instance that an answer would be about. */
  private get answerable(): number | null {
    return this.flow.canAnswer ? (this.flow.shown?.index ?? null) : null;
  }

  private paintButtons(labels: LabelControls): void {
    const activeElement = focusedFrom(this.el);
    labels.setEnabled(this.flow.canAnswer);
    this.area.paintButtons(this.flow);
    // A button that can't be pressed any more would lose the focus, and with it the keys.
    if (activeElement?.matches(":disabled") && this.el.contains(activeElement)) this.root.focus();
  }

  private paintStatus(): void {
    const { python } = this.flow;
    if (python === null) return;
    const said = this.refused ?? this.hinted;
    this.area.showStatus(said ?? python.status, said === null && python.n_labels > 0);
    this.area.showProblem(this.problem ?? this.stale);
  }

  private paintBanners(): void {
    const { connection, flow, session } = this;
    flow.unsaved.paint();
    if (!connection.isLost) {
      this.banner.hide();
      return;
    }
    this.root.showDisconnected();
    this.banner.show(flow.outbox.inWords(), session?.config.is_standalone === false);
  }

  // -- start --------------------------------------------------------------------------------------------

  private readonly start = (): void => {
    this.choice.applyTo(this.root.begin(this.listeners.signal));
    this.connection.send("hello");
  };
}
