// Messages to Python and their replies. Every message has a sequence number; its reply, with that number, comes once
// the request is done (a label: once it is on disk). Without a reply within ANSWER_WITHIN ms, the message was lost,
// or Python is busy or gone: the page shows it, and shows when replies come after all. Meanwhile the message is
// sent again with the same number: the connection may have been cut, and Python does nothing twice.

import type { WidgetManager } from "../charts/figure_surface";
import type { Addressed, FromPage, FromPython } from "../from_python/messages";
import { isLineDown, type Kernel, reconnect } from "./jupyter_line";

const ANSWER_WITHIN = 2000;
const HEARTBEAT_EVERY = 5000;
const REPEAT_AFTER = 1000;
const REPEAT_EVERY = 8000; // at the most
const CHECK_EVERY = 250;

type MessageListener<Received> = (message: Received, buffers: DataView[]) => void;

/** The part of anywidget's model that the page uses. */
export interface Model<Received = FromPython> {
  on(name: "msg:custom", listener: MessageListener<Received>): void;
  off(name: "msg:custom", listener: MessageListener<Received>): void;
  send(message: unknown, callbacks?: unknown, buffers?: ArrayBuffer[]): unknown;
  widget_manager?: WidgetManager & { kernel?: Kernel | null };
}

/** Messages whose type says everything have no content. */
type Content<Fields> = keyof Fields extends never ? [] : [content: Fields];

interface Sent<Asks> {
  type: keyof Asks;
  message: Record<string, unknown>;
  buffers: ArrayBuffer[] | undefined;
  sentAt: number;
  repeatAt: number;
  wait: number;
}

interface Listeners<Received> {
  /** `isOwn`: whether it is a reply to a message of this page. */
  onReply: (message: Received, buffers: DataView[], isOwn: boolean) => void;
  onChange: () => void;
  /** The line was down, and is up again. */
  onReconnect?: () => void;
}

/** The connection of a page that sends the messages of a table, and receives others. */
export class Connection<Asks extends { ping: object } = FromPage, Received extends Addressed = FromPython> {
  isLost = false;
  private wasUp = false;
  private isCut = false;
  private readonly client = Math.random().toString(36).slice(2);
  private seq = 0;
  private readonly outstanding = new Map<number, Sent<Asks>>();
  private readonly listener: MessageListener<Received> = (message, buffers) => this.receive(message, buffers);
  private readonly watch: ReturnType<typeof setInterval>;
  private readonly heartbeat: ReturnType<typeof setInterval>;

  constructor(
    private readonly model: Model<Received>,
    private readonly listeners: Listeners<Received>,
  ) {
    model.on("msg:custom", this.listener);
    this.watch = setInterval(() => this.check(), CHECK_EVERY);
    this.heartbeat = setInterval(() => {
      if (this.outstanding.size === 0 && !document.hidden) this.enqueue("ping");
    }, HEARTBEAT_EVERY);
  }

  /** Sends a message; returns its sequence number. */
  send<K extends keyof Asks>(type: K, ...content: Content<Asks[K]>): number {
    return this.enqueue(type, content[0]);
  }

  /** The same with bytes. */
  sendBytes<K extends keyof Asks>(type: K, content: Asks[K], bytes: ArrayBuffer): number {
    return this.enqueue(type, content, [bytes]);
  }

  private enqueue(type: keyof Asks, content?: unknown, buffers?: ArrayBuffer[]): number {
    this.seq += 1;
    const now = performance.now();
    const message = { ...(content as object | undefined), type, client: this.client, seq: this.seq };
    const repeatAt = this.isDown ? now : now + REPEAT_AFTER;
    this.outstanding.set(this.seq, { type, message, buffers, sentAt: now, repeatAt, wait: REPEAT_AFTER });
    this.transmit(message, buffers);
    return this.seq;
  }

  isWaitingFor(...types: (keyof Asks)[]): boolean {
    return [...this.outstanding.values()].some(({ type }) => types.includes(type));
  }

  close(): void {
    this.model.off("msg:custom", this.listener);
    clearInterval(this.watch);
    clearInterval(this.heartbeat);
  }

  // While the line is down, messages would wait in Jupyter's queue, where they delay Jupyter's own first request to the
  // kernel by 3 s: so they wait here.
  private get isDown(): boolean {
    return isLineDown(this.model.widget_manager?.kernel);
  }

  private transmit(message: Record<string, unknown>, buffers?: ArrayBuffer[]): void {
    if (this.isDown) return;
    try {
      if (buffers) this.model.send(message, undefined, buffers);
      else this.model.send(message);
    } catch {
      // The page is being left, or the kernel is gone. The message gets no reply, and the page shows it.
    }
  }

  private repeat(now: number): void {
    for (const sent of this.outstanding.values()) {
      if (this.isDown) Object.assign(sent, { repeatAt: now, wait: REPEAT_AFTER });
      if (this.isDown || now < sent.repeatAt) continue;
      sent.wait = Math.min(2 * sent.wait, REPEAT_EVERY);
      sent.repeatAt = now + sent.wait;
      this.transmit({ ...sent.message, is_repeated: true }, sent.buffers);
    }
  }

  private receive(sent: Received | { json: string }, buffers: DataView[]): void {
    const message: Received = "json" in sent ? JSON.parse(sent.json) : sent; // from JupyterLite, which drops None
    const isOwn = message.client === this.client;
    if (isOwn && typeof message.seq === "number") {
      this.outstanding.delete(message.seq);
      this.check();
    }
    this.listeners.onReply(message, buffers, isOwn);
  }

  private watchLine(): void {
    if (this.isDown) {
      this.isCut = this.wasUp;
      return;
    }
    this.wasUp = true;
    if (!this.isCut) return;
    this.isCut = false;
    this.listeners.onReconnect?.();
  }

  private check(): void {
    const now = performance.now();
    void reconnect(this.model.widget_manager?.kernel, now);
    this.watchLine();
    this.repeat(now);
    const isLost = [...this.outstanding.values()].some(({ sentAt }) => now - sentAt > ANSWER_WITHIN);
    if (isLost !== this.isLost) {
      this.isLost = isLost;
      this.listeners.onChange();
    }
  }
}
