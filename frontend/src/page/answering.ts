// Answering in one view: the instance, the label's controls, the effects of keys, and messages about them. The app has
// one, and so has a part that shows the instance or the labels.

import type { AnswerFlow } from "../answers/answer_flow";
import { ExclusionReasons } from "../answers/exclusion_reasons";
import { NoteField } from "../answers/note_field";
import { UnsavedBanners } from "../answers/unsaved_banners";
import { focusedFrom } from "../dom/surroundings";
import type { ActionConfig, ActionName, Config, FromPython, LabelValue, Prediction } from "../from_python/messages";
import { UpcomingInstances } from "../instances/upcoming_instances";
import { KeyList } from "../keys/key_list";
import { keyCaps } from "../keys/key_names";
import { KeySettings } from "../keys/key_settings";
import { makeLabels } from "../labels";
import type { LabelControls } from "../labels/label_controls";
import { ACTIONS } from "./actions";
import { ConnectionBanner } from "./connection_banner";
import { EndOfLabels } from "./end_of_labels";
import { HeldKeys } from "./held_keys";
import { LabelingArea } from "./labeling_area";
import type { LabelingPage } from "./labeling_page";
import { onHeldKey, onKeydown } from "./page_keys";
import type { PageRoot } from "./page_root";
import type { Configured, SessionClient } from "./session_client";
import { SheetView } from "./sheet_view";
import { ShownInstance } from "./shown_instance";

/** What the configuration determines: constant while the session is shown. */
interface Made extends Configured {
  labels: LabelControls;
}

/** What a separate part shows; the app shows both. */
export type Shows = "instance" | "labels" | "both";

export class Answering {
  configured: Made | null = null;
  readonly flow: AnswerFlow;
  readonly area: LabelingArea;
  readonly instances: UpcomingInstances;
  readonly note: NoteField;
  readonly reasons: ExclusionReasons;
  readonly settings: KeySettings;
  readonly end: EndOfLabels;
  readonly held = new HeldKeys(
    (event) => onHeldKey(this, event),
    (text) => this.refuse(text),
  );
  readonly sheet: SheetView;
  private readonly keyList: KeyList;
  private readonly banner = new ConnectionBanner();
  private readonly unsaved: UnsavedBanners;
  private readonly shown: ShownInstance;
  private hinted: string | null = null; // the message about a key that does nothing
  private refused: string | null = null; // the message about a key that was not accepted, until the next answer
  private prediction: Prediction | null = null;

  constructor(
    private readonly client: SessionClient,
    readonly root: PageRoot,
    private readonly el: HTMLElement,
    /** The app that it belongs to, unless it is a separate part. */
    readonly app: LabelingPage | null,
    private readonly shows: Shows = "both",
  ) {
    const { flow, connection } = client;
    this.flow = flow;
    this.instances = new UpcomingInstances({
      onReady: client.ready,
      askForMore: (what) => connection.send("more", what),
    });
    this.note = new NoteField({
      save: (about, text) => flow.note(about.index, text),
      leave: () => root.focus(),
    });
    this.unsaved = new UnsavedBanners(flow.unsaved);
    this.area = new LabelingArea(
      (name) => this.act(name),
      () => flow.leaveReview(),
      [...this.unsaved.nodes, this.banner.node],
      this.note.node,
    );
    this.end = new EndOfLabels({ showResult: () => this.act("result"), goOn: () => connection.send("go_on") });
    this.shown = new ShownInstance(this.area.instance, this.instances, this.end);
    this.sheet = new SheetView(flow, this.instances, () => client.paint());
    this.keyList = new KeyList((name) => this.act(name));
    this.reasons = new ExclusionReasons((reason) => flow.answer({ type: "exclude", reason }));
    this.settings = new KeySettings(() => client.showKeys());
  }

  get dialogs(): HTMLDialogElement[] {
    return [this.keyList, this.reasons, this.settings].map(({ dialog }) => dialog);
  }

  /** Whether the instance is shown here. */
  get showsInstance(): boolean {
    // Grades are given in the instance itself.
    return this.shows !== "labels" || this.configured?.config.labels.kind === "grades";
  }

  /** The label's controls, if they are shown here. */
  get shownLabels(): LabelControls | null {
    return this.shows === "instance" ? null : (this.configured?.labels ?? null);
  }

  /** The controls that the label's keys act on: if there is no field to type into here, those of another view. */
  get labels(): LabelControls | null {
    if (this.takesLabels) return this.configured?.labels ?? null;
    return this.client.views.find(({ labels }) => labels !== null)?.labels ?? null;
  }

  /** Whether the label's keys need no other view: when they are not typed into a field. */
  private get takesLabels(): boolean {
    if (this.shows !== "instance") return true;
    const labels = this.configured?.config.labels;
    return labels?.kind === "class" && !labels.is_searched;
  }

  close(): void {
    this.instances.close();
  }

  /** Accepts keys from now on. */
  listen(isStandalone: boolean, signal: AbortSignal): void {
    this.root.listen(isStandalone, (event) => onKeydown(this, event), signal);
  }

  // -- what the person does -----------------------------------------------------------------------------

  act(name: ActionName): void {
    const { openDialog } = this;
    if (openDialog !== null)
      openDialog.close(); // the key that opened it
    else if (this.offered(name) !== null) ACTIONS[name].run(this);
  }

  showKeyList(): void {
    if (this.configured === null) return;
    const { config, keys } = this.configured;
    const { flow, instances } = this;
    const labels = this.labels?.help() ?? [];
    const ofInstance = this.showsInstance ? instances.help(keys) : [];
    const rows = flow.isOnSheet ? this.sheet.help(labels.flatMap(([caps]) => caps)) : [...labels, ...ofInstance];
    // On a sheet, some actions have no instance to act on.
    const actions = this.actions.filter(({ name }) => !flow.isOnSheet || ACTIONS[name].isPossible(flow));
    this.keyList.show(rows, actions, keys, config.session_text);
    this.keyList.dialog.showModal();
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
    } else this.client.connection.send("prediction", { draw });
  }

  /** Puts aside what is shown, to ask for it later; on a sheet, the instance in focus. */
  defer(): void {
    const { flow } = this;
    if (!flow.isOnSheet) flow.answer({ type: "defer" });
    else {
      flow.sheet.aside();
      this.client.paint();
    }
  }

  private label(value: LabelValue, text: string): boolean {
    const isGiven = this.flow.label(value, text);
    if (!isGiven) this.refuse(`${text} was not taken: ${this.flow.refusal ?? "this item is not ready yet"}.`);
    return isGiven;
  }

  /** Shows a sentence instead of what was saved last, until the next answer. */
  readonly hint = (text: string): void => {
    this.hinted = text;
    this.paintStatus();
  };

  /** Shows why a key was not accepted. Messages from Python do not replace it meanwhile. */
  readonly refuse = (text: string): void => {
    this.refused = text;
    this.paintStatus();
  };

  // -- what is offered ----------------------------------------------------------------------------------

  get openDialog(): HTMLDialogElement | null {
    return this.el.querySelector("dialog[open]");
  }

  /** The action, if this view has it: without the estimate, there are no actions for it. */
  readonly offered = (name: string | undefined): ActionName | null =>
    this.actions.find((action) => action.name === name)?.name ?? null;

  private get actions(): ActionConfig[] {
    const { isThere } = this.area.guidelines;
    return (this.configured?.config.actions ?? []).filter(({ name }) => name !== "guidelines" || isThere);
  }

  // -- what Python answers ------------------------------------------------------------------------------

  /** Handles news of the session, after the flow. */
  take(message: FromPython, isOwn: boolean): void {
    if (message.state) this.hinted = null;
    if (isOwn && message.undone) this.shown.forget(); // so that it is shown with its previous label
    if (isOwn && message.prediction) this.prediction = message.prediction;
    if (message.state || message.error || message.stale) this.paintStatus();
  }

  /** Creates what the configuration asks for. */
  configure(configured: Configured): void {
    const { config, keys } = configured;
    const labels = makeLabels(config.labels, keys, (value, text) => this.label(value, text));
    this.configured = { ...configured, labels };
    this.flow.sheet.nClasses = config.labels.kind === "class" ? config.labels.choices.length : 0;
    this.shown.forget();
    this.area.labels.replaceChildren(labels.node);
    this.area.instance.hidden = !this.showsInstance;
    this.instances.use(config.instance_modules);
    this.area.guidelines.show(config.guidelines, config.keys.scope);
    this.reasons.setReasons(config.reasons);
    this.settings.show(keys, config.actions);
  }

  /** An answer was given. */
  answered(): void {
    this.hinted = null;
    this.refused = null;
    this.paintStatus();
  }

  // -- what is shown ------------------------------------------------------------------------------------

  showKeys(): void {
    if (this.configured === null) return;
    const { keys, labels } = this.configured;
    labels.showKeys();
    this.area.showActions(this.actions, keys);
    this.instances.texts.paint(keys);
    this.end.result.replaceChildren(...keyCaps(keys.keysOf("action result").slice(0, 1)), "See the result");
    this.end.result.hidden = this.offered("result") === null;
  }

  paint(): void {
    const { configured, flow, area, root } = this;
    if (configured !== null && flow.python !== null) {
      const labels = this.takesLabels ? configured.labels : null;
      if (flow.isOnSheet && flow.isReady) this.paintSheet(configured.config);
      else if (this.showsInstance) this.shown.paint(flow, labels);
      else this.shown.announce(flow, labels);
      const { shown, python } = flow;
      const asked = flow.isOnSheet ? flow.sheet.question : configured.config.question;
      area.showQuestion(flow.isDone && shown === null ? "Done" : asked);
      area.showWhich(shown, flow.review, flow.mark);
      area.showPrediction(this.prediction?.draw === shown?.draw ? (this.prediction?.text ?? null) : null);
      this.paintButtons(configured.labels);
      root.showState(flow.stateName, shown?.draw, python);
    }
    this.paintBanners();
  }

  private paintSheet({ labels }: Config): void {
    const { flow } = this;
    this.shown.forget(); // the next single instance is announced to the labels again
    if (!this.showsInstance || labels.kind !== "class") return;
    this.instances.show(this.sheet.node);
    delete this.area.instance.dataset.instanceId;
    this.sheet.paint(labels.choices, flow.python?.sheet_checks ?? "");
    flow.sheetPainted();
  }

  /** Handles the keys that had to wait, if that is possible now. */
  releaseKeys(): void {
    const { flow } = this;
    this.held.release(() => (flow.isWaiting && flow.refusal === null ? undefined : this.answerable));
  }

  /** The instance that an answer would be about. */
  private get answerable(): number | null {
    return this.flow.canAnswer ? (this.flow.shown?.index ?? this.flow.sheet.focused?.index ?? null) : null;
  }

  private paintButtons(labels: LabelControls): void {
    const activeElement = focusedFrom(this.el);
    labels.setEnabled(this.flow.canAnswer);
    this.area.paintButtons(this.flow);
    // A disabled button would lose the focus, and with it the keys.
    if (activeElement?.matches(":disabled") && this.el.contains(activeElement)) this.root.focus();
  }

  private paintStatus(): void {
    const { python } = this.flow;
    if (python === null) return;
    const hint = this.refused ?? this.hinted;
    this.area.showStatus(hint ?? python.status, hint === null && python.n_labels > 0);
    this.area.showProblem(this.client.complaint);
  }

  private paintBanners(): void {
    const { flow } = this;
    this.unsaved.paint();
    if (!this.client.connection.isLost) {
      this.banner.hide();
      return;
    }
    this.root.showDisconnected();
    const { outbox } = flow;
    this.banner.show(outbox.inWords(), outbox.outlastsReload, this.configured?.config.is_standalone === false);
  }
}
