// The app: its parts, and what passes between them, the person and Python.

import { AnswerHistory } from "../answers/answer_history";
import type { Model } from "../connection/connection";
import { saveFile } from "../dom/files";
import { whenFound } from "../dom/when_found";
import type { ActionName, Config, FromPython } from "../from_python/messages";
import type { UpcomingInstances } from "../instances/upcoming_instances";
import { keyCaps } from "../keys/key_names";
import { Panels } from "../panels";
import { GoalPanel } from "../panels/goal";
import { PanelChoice } from "../panels/panel_choice";
import { TableDialog } from "../panels/plot";
import { ResultScreen } from "../result/result_screen";
import { Answering } from "./answering";
import { Header, openSession } from "./header";
import { NameDialog } from "./name_dialog";
import { NewSessionDialog } from "./new_session_dialog";
import { PageFigures } from "./page_figures";
import { PageRoot } from "./page_root";
import { PlotTimer } from "./plot_timer";
import { ProgressBar } from "./progress";
import { SessionClient, type SessionView } from "./session_client";

export class LabelingPage implements SessionView {
  readonly answers = true;
  readonly labels = null; // no other view shares its client
  readonly instances: UpcomingInstances;
  readonly history: AnswerHistory;
  readonly goal: GoalPanel;
  readonly result: ResultScreen;
  readonly choice: PanelChoice;
  private readonly listeners = new AbortController();
  private readonly client: SessionClient;
  private readonly root: PageRoot;
  private readonly answering: Answering;
  private readonly progress = new ProgressBar();
  private readonly header: Header;
  readonly panels: Panels;
  private readonly figures: PageFigures;
  private readonly name: NameDialog;
  private readonly newSession: NewSessionDialog;
  private readonly plotTimer: PlotTimer;
  private isConfigured = false;
  private wasDone = false; // whether the end was shown
  private leavesResult = false; // whether the result was left to look at an instance
  private revealed: string | null = null; // the last opened panel, until its content arrives
  private pair: number[] | null = null; // two of several models, by their positions
  private returnsToResult = false; // whether to return to the result afterwards

  constructor(
    model: Model,
    private readonly el: HTMLElement,
  ) {
    this.root = new PageRoot(el);
    el.classList.add("aew-front-end");
    this.client = new SessionClient(model);
    const { connection, flow } = this.client;
    const act = (name: ActionName) => this.answering.act(name);
    this.answering = new Answering(this.client, this.root, el, this);
    this.instances = this.answering.instances;
    const newSession = () => this.newSession.ask(flow.python?.n_labels ?? 0);
    this.header = new Header({ showResult: () => act("result"), newSession }, this.progress);
    this.plotTimer = new PlotTimer(
      () => flow.isSaving || connection.isWaitingFor("plots"),
      () => this.askForPlots(),
    );
    this.history = new AnswerHistory({
      choose: (row) => flow.goTo(row),
      ask: (question) => connection.send("history", question),
      showsResults: () => this.showsResults,
    });
    this.goal = new GoalPanel(
      (fields) => connection.send("goal", { fields }),
      (fields) => connection.send("goal_preview", { fields }),
      act,
    );
    this.result = new ResultScreen({
      ask: () => this.askForResult(),
      save: (which) => connection.send("save", { which }),
      goTo: (index) => {
        this.showResult(false);
        this.leavesResult = true;
        this.lookAt(index);
      },
      goOn: () => {
        this.showResult(false);
        connection.send("go_on");
      },
      listDiffering: (pair) => this.history.open(pair),
    });
    const table = new TableDialog();
    this.panels = new Panels({
      goTo: (index) => this.lookAt(index),
      adjudicate: (index, value, text) => flow.adjudicate(index, value, text),
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
    const opened = (name: string) => {
      this.panels.reveal(name);
      this.revealed = name; // its content may still be on its way, and need more room
      this.plotTimer.restart();
    };
    this.choice = new PanelChoice(() => this.plotTimer.restart(), opened);
    this.name = new NameDialog((who) => connection.send("name", { who }));
    this.newSession = new NewSessionDialog(() => connection.send("new_session"));
    const dialogs = [this.choice, table, this.goal, this.history, this.name, this.newSession];
    el.append(
      ...[this.header.node, this.answering.area.node, this.result.node, this.panels.node, ...this.answering.dialogs],
      ...dialogs.map(({ dialog }) => dialog),
    );
    whenFound(() => el.isConnected, this.start, this.listeners.signal);
  }

  /** Removes everything that the page would otherwise keep. */
  close(): void {
    this.listeners.abort();
    this.plotTimer.close();
    this.client.leave(this);
    this.answering.close();
    this.history.close();
    this.result.forget();
    this.panels.close();
    this.el.replaceChildren();
  }

  /** The result replaces labeling until the person goes back. */
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

  /** Whether the page may show the model. */
  private get showsResults(): boolean {
    return !this.choice.isLabelerView;
  }

  private lookAt(index: number): void {
    this.client.connection.send("row", { index, shows_prediction: this.showsResults });
  }

  answered(): void {
    this.answering.answered();
    this.paint();
    if (this.returnsToResult && this.client.flow.review === null) {
      this.returnsToResult = false;
      this.showResult(true);
    }
    this.plotTimer.restart();
  }

  private askForPlots(renews_figures = false): void {
    const { showsWald: shows_wald, shown } = this.choice;
    const draws_figures = this.figures.areShown;
    this.client.connection.send("plots", { shows_wald, shown, pair: this.pair, draws_figures, renews_figures });
  }

  reconnected(): void {
    if (this.figures.areShown) this.askForPlots(true);
  }

  private askForResult(): void {
    this.client.connection.send("result", { shows_results: this.showsResults, draws_figures: this.figures.areShown });
  }

  // -- what Python answers ------------------------------------------------------------------------------

  take(message: FromPython, buffers: DataView[], isOwn: boolean): void {
    const { result } = this;
    if (message.state) this.plotTimer.restart();
    if (message.config) this.configure(message.config);
    if (message.figures) this.figures.take(message.figures);
    this.answering.take(message, isOwn);
    if (isOwn) this.takeAnswer(message, buffers);
    if (message.state) this.progress.show(message.state.progress);
    const { estimate, people, panels } = message.state ?? {};
    this.panels.show({ estimate, people, ...panels, ...message.plots, ...message.panels });
    if (message.goal) this.goal.show(message.goal);
    if (message.plots && this.revealed !== null) {
      this.panels.reveal(this.revealed);
      this.revealed = null;
    }
    if (message.plots && result.isOpen) this.askForResult(); // it has changed
  }

  /** What was asked for here. */
  private takeAnswer(message: FromPython, buffers: DataView[]): void {
    if (message.history) this.history.show(message.history, buffers);
    if (message.open_session) openSession(message.open_session);
    if (message.row) {
      this.returnsToResult = this.leavesResult;
      this.leavesResult = false;
    }
    if (message.goal_preview) this.goal.preview(message.goal_preview);
    if (message.result) this.result.show(message.result, buffers);
    if (message.file) saveFile(message.file);
  }

  private configure(config: Config): void {
    const { configured } = this.client;
    if (configured === null) return;
    this.header.show(config);
    this.root.configure(config);
    if (config.is_labeler_view) this.choice.keepLabelerView();
    for (const panel of config.panels) {
      const node = this.panels.add(panel);
      if (node !== null) this.choice.add(panel, node);
    }
    this.answering.configure(configured);
    this.showKeys();
    if (config.goal) this.goal.show(config.goal);
    if (config.asks_name) this.name.begin();
    if (this.isConfigured) return;
    this.isConfigured = true;
    this.root.numberRegions();
    if (config.goal) this.goal.begin(config.keys.scope);
    this.answering.listen(config.is_standalone, this.listeners.signal);
  }

  // -- what is shown ------------------------------------------------------------------------------------

  showKeys(): void {
    const { configured } = this.client;
    if (configured === null) return;
    this.goal.result.replaceChildren(...keyCaps(configured.keys.keysOf("action result").slice(0, 1)), "See the result");
    this.answering.showKeys();
    this.paint();
  }

  paint(): void {
    const { flow } = this.client;
    this.answering.paint();
    if (this.isConfigured && flow.python !== null) {
      const isEnd = flow.isDone && !flow.python.waits_for_others;
      if (isEnd && !this.wasDone) this.showResult(true);
      this.wasDone = isEnd || (this.wasDone && flow.python.is_done);
    }
    this.answering.releaseKeys();
  }

  // -- start --------------------------------------------------------------------------------------------

  private readonly start = (): void => {
    this.choice.applyTo(this.root.begin(this.listeners.signal));
    this.client.join(this);
  };
}
