// What the views of one widget model share in a document: the line to Python, the waiting answers, and the latest state
// from Python. So a label given in one view shows in the others in the same frame.

import { AnswerFlow, type Coming } from "../answers/answer_flow";
import { Connection, type Model } from "../connection/connection";
import type { Config, FromPython, State } from "../from_python/messages";
import type { UpcomingInstances } from "../instances/upcoming_instances";
import { KeyMap } from "../keys/key_map";
import type { LabelControls } from "../labels/label_controls";

/** A view of a session. */
export interface SessionView {
  /** Whether an instance can be answered there. */
  readonly answers: boolean;
  /** The label's controls, if they are shown. */
  readonly labels: LabelControls | null;
  /** Where it shows instances, if it does. */
  readonly instances: UpcomingInstances | null;
  /** Shows a message from Python. `isOwn`: whether it is a reply to a message of this document. */
  take(message: FromPython, buffers: DataView[], isOwn: boolean): void;
  /** An answer was given here. */
  answered(): void;
  showKeys(): void;
  paint(): void;
  /** The line was down: what only passes on it, such as new widgets, may be missing. */
  reconnected?(): void;
}

/** The configuration, constant while the session is shown. */
export interface Configured {
  config: Config;
  keys: KeyMap;
}

/** The instances of several views: one is ready once it can be painted in all of them. */
class SharedInstances implements Coming {
  constructor(private readonly client: SessionClient) {}

  private get all(): UpcomingInstances[] {
    return this.client.views.map(({ instances }) => instances).filter((instances) => instances !== null);
  }

  // If no view shows instances, they are shown elsewhere, once Python has said which one is next.
  isReady(index: number): boolean {
    const { all, client } = this;
    return all.length === 0 ? !client.flow.isSaving : all.every((instances) => instances.isReady(index));
  }

  missing(queue: { index: number }[], atOnce: number): number[] {
    return [...new Set(this.all.flatMap((instances) => instances.missing(queue, atOnce)))];
  }

  want(indices: number[]): void {
    for (const instances of this.all) instances.want(indices);
  }

  get meanSize(): number {
    return Math.max(0, ...this.all.map(({ meanSize }) => meanSize));
  }
}

export class SessionClient {
  configured: Configured | null = null;
  readonly connection: Connection;
  readonly flow: AnswerFlow;
  private problem: string | null = null; // what went wrong with the last answer
  private stale: string | null = null; // what another tab answered first
  readonly views: SessionView[] = [];
  private readonly listeners = new AbortController();
  private isAsked = false; // for the configuration

  constructor(model: Model) {
    this.connection = new Connection(model, {
      onReply: (message, buffers, isOwn) => this.take(message, buffers, isOwn),
      onChange: () => this.paint(),
      onReconnect: () => this.views.find((view) => view.reconnected)?.reconnected?.(),
    });
    this.flow = new AnswerFlow(this.connection, new SharedInstances(this), this.listeners.signal, () =>
      this.answered(),
    );
  }

  /** Why the last answer did not count as meant. */
  get complaint(): string | null {
    return this.problem ?? this.stale;
  }

  get python(): State | null {
    return this.flow.python;
  }

  join(view: SessionView): void {
    this.views.push(view);
    if (!this.isAsked) {
      this.isAsked = true;
      this.connection.send("hello");
    } else if (this.configured !== null && this.python !== null) {
      view.take({ config: this.configured.config, state: this.python }, [], false);
      this.ready(); // the others wait until it shows what they show
    }
  }

  /** Whether the last view has left. */
  leave(view: SessionView): boolean {
    const at = this.views.indexOf(view);
    if (at >= 0) this.views.splice(at, 1);
    if (this.views.length > 0) this.paint();
    else this.close();
    return this.views.length === 0;
  }

  /** A view can show more: what was waited for may be ready now. */
  readonly ready = (): void => {
    this.paint();
    this.flow.askForInstances();
  };

  showKeys(): void {
    for (const view of this.views) view.showKeys();
  }

  paint(): void {
    for (const view of this.views) view.paint();
  }

  private close(): void {
    this.listeners.abort();
    this.connection.close();
    this.flow.close();
  }

  private answered(): void {
    this.problem = null;
    this.stale = null;
    for (const view of this.views) view.answered();
    this.flow.askForInstances();
  }

  private take(message: FromPython, buffers: DataView[], isOwn: boolean): void {
    const { flow } = this;
    if (message.state) {
      flow.takeState(message.state);
      this.problem = null;
    }
    if (message.config) this.configured = { config: message.config, keys: new KeyMap(message.config.keys) };
    flow.unsaved.take(message);
    if (message.session_text && this.configured) this.configured.config.session_text = message.session_text;
    if (isOwn) this.takeAnswer(message, buffers);
    for (const view of [...this.views]) view.take(message, buffers, isOwn);
    this.paint();
    if (this.configured !== null) flow.askForInstances();
  }

  /** What was requested in this document. */
  private takeAnswer(message: FromPython, buffers: DataView[]): void {
    const { flow } = this;
    const shown = this.views.map(({ instances }) => instances).filter((instances) => instances !== null);
    if (message.instances) {
      flow.msEach = message.ms_each || flow.msEach;
      message.instances.forEach((info, i) => {
        for (const instances of shown) if (instances.wanted.has(info.index)) void instances.add(info, buffers[i]);
      });
    }
    if (message.more) for (const instances of shown) instances.addMore(message.more, buffers[0]);
    if (message.undone) flow.earlier.set(message.undone.index, message.undone.value);
    flow.outbox.settle(message);
    if (message.stale) this.stale = message.stale;
    if (message.error && !message.is_kept) this.problem ??= message.error;
    if (message.row) flow.goTo(message.row);
  }
}
