// A view of one part of a session. All parts of a session are views of one client: an action in one of
// them shows in the others in the same frame.

import type { Model } from "../connection/connection";
import { element } from "../dom/element";
import { whenFound } from "../dom/when_found";
import type { FromPython } from "../from_python/messages";
import type { UpcomingInstances } from "../instances/upcoming_instances";
import type { LabelControls } from "../labels/label_controls";
import { PageRoot } from "../page/page_root";
import { SessionClient, type SessionView } from "../page/session_client";
import { PARTS, type Part, type PartName } from "./index";

const clients = new WeakMap<Model, SessionClient>();

/** The client that the parts of a session share in this document. */
function clientOf(model: Model): SessionClient {
  const client = clients.get(model) ?? new SessionClient(model);
  clients.set(model, client);
  return client;
}

export class PartView implements SessionView {
  private readonly listeners = new AbortController();
  private readonly client: SessionClient;
  private readonly root: PageRoot;
  private readonly part: Part;
  private isConfigured = false;

  constructor(
    private readonly model: Model,
    private readonly el: HTMLElement,
    name: PartName,
  ) {
    this.client = clientOf(model);
    this.root = new PageRoot(el, name);
    this.part = PARTS[name]({ client: this.client, root: this.root, el });
    el.append(element("div", { class: "aew-part-content" }, ...this.part.nodes), ...(this.part.dialogs ?? []));
    whenFound(() => el.isConnected, this.start, this.listeners.signal);
  }

  get instances(): UpcomingInstances | null {
    return this.part.answering?.showsInstance ? this.part.answering.instances : null;
  }

  get labels(): LabelControls | null {
    return this.part.answering?.shownLabels ?? null;
  }

  get answers(): boolean {
    return this.part.answering !== undefined;
  }

  close(): void {
    this.listeners.abort();
    if (this.client.leave(this)) clients.delete(this.model);
    this.part.answering?.close();
    this.part.close?.();
    this.el.replaceChildren();
  }

  take(message: FromPython, buffers: DataView[], isOwn: boolean): void {
    if (message.config) this.configure();
    this.part.answering?.take(message, isOwn);
    this.part.take?.(message, buffers, isOwn);
  }

  answered(): void {
    this.part.answering?.answered();
    this.paint();
  }

  showKeys(): void {
    this.part.answering?.showKeys();
    this.paint();
  }

  paint(): void {
    const { flow, connection } = this.client;
    const { answering } = this.part;
    if (answering !== undefined) {
      answering.paint();
      answering.releaseKeys();
    } else if (connection.isLost) this.root.showDisconnected();
    else if (flow.python !== null) this.root.showState(flow.stateName, flow.shown?.draw, flow.python);
    this.part.paint?.();
  }

  private configure(): void {
    const { configured } = this.client;
    if (configured === null) return;
    this.part.answering?.configure(configured);
    this.showKeys();
    if (this.isConfigured) return;
    this.isConfigured = true;
    this.part.answering?.listen(false, this.listeners.signal);
  }

  private readonly start = (): void => {
    this.root.begin(this.listeners.signal);
    this.client.join(this);
  };
}
