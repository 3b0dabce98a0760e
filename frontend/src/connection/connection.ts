// Messages to Python and their answers. Every message carries a sequence number and is answered with it once
// what it asked for is done (a label: once it is on disk). What stays unanswered for ANSWER_WITHIN ms is
// lost, or Python is busy or gone: the person is told, and told again when answers come after all. Meanwhile it is
// sent again, with the same number: a connection may have been cut with it, and Python does nothing twice.

import type { FromPage, FromPython } from "../from_python/messages";
import { askUntilAnswered, isLineDown, type Kernel } from "./jupyter_line";

const ANSWER_WITHIN = 2000;
const HEARTBEAT_EVERY = 5000;
const REPEAT_AFTER = 1000;
const REPEAT_EVERY = 8000; // at the most
const CHECK_EVERY = 250;

type MessageListener = (message: FromPython, buffers: DataView[]) => void;

/** What the page needs of anywidget's model. */
export interface Model {
  on(name: "msg:custom", listener: MessageListener): void;
  off(name: "msg:custom", listener: MessageListener): void;
  send(message: unknown): unknown;
  widget_manager?: { kernel?: Kernel | null };
}

/** Of messages that say all by their type, nothing more is given. */
type Content<K extends keyof FromPage> = keyof FromPage[K] extends never ? [] : [content: FromPage[K]];

interface Sent {
  type: keyof FromPage;
  message: Record<string, unknown>;
  sentAt: number;
  repeatAt: number;
  wait: number;
}

interface Listeners {
  /** `isOwn`: whether it answers a message of this page. */
  onReply: (message: FromPython, buffers: DataView[], isOwn: boolean) => void;
  onChange: () => void;
}

export class Connection {
  isLost = false;
  private readonly client = Math.random().toString(36).slice(2);
  private seq = 0;
  private readonly outstanding = new Map<number, Sent>();
  private readonly listener: MessageListener = (message, buffers) => this.receive(message, buffers);
  private readonly watch: ReturnType<typeof setInterval>;
  private readonly heartbeat: ReturnType<typeof setInterval>;

  constructor(
    private readonly model: Model,
    private readonly listeners: Listeners,
  ) {
    model.on("msg:custom", this.listener);
    askUntilAnswered(model.widget_manager?.kernel);
    this.watch = setInterval(() => this.check(), CHECK_EVERY);
    this.heartbeat = setInterval(() => {
      if (this.outstanding.size === 0 && !document.hidden) this.send("ping");
    }, HEARTBEAT_EVERY);
  }

  /** Returns the message's sequence number. */
  send<K extends keyof FromPage>(type: K, ...content: Content<K>): number {
    this.seq += 1;
    const now = performance.now();
    const message = { ...content[0], type, client: this.client, seq: this.seq };
    const repeatAt = this.isDown ? now : now + REPEAT_AFTER;
    this.outstanding.set(this.seq, { type, message, sentAt: now, repeatAt, wait: REPEAT_AFTER });
    this.transmit(message);
    return this.seq;
  }

  isWaitingFor(...types: (keyof FromPage)[]): boolean {
    return [...this.outstanding.values()].some(({ type }) => types.includes(type));
  }

  close(): void {
    this.model.off("msg:custom", this.listener);
    clearInterval(this.watch);
    clearInterval(this.heartbeat);
  }

  // What is sent while the line is down would wait in Jupyter's queue, where it holds up by 3 s the question that
  // Jupyter asks of the kernel first: it waits here.
  private get isDown(): boolean {
    return isLineDown(this.model.widget_manager?.kernel);
  }

  private transmit(message: Record<string, unknown>): void {
    if (this.isDown) return;
    try {
      this.model.send(message);
    } catch {
      // The page is being left, or the kernel is gone. The message stays unanswered, of which the person is told.
    }
  }

  private repeat(now: number): void {
    for (const sent of this.outstanding.values()) {
      if (this.isDown) Object.assign(sent, { repeatAt: now, wait: REPEAT_AFTER });
      if (this.isDown || now < sent.repeatAt) continue;
      sent.wait = Math.min(2 * sent.wait, REPEAT_EVERY);
      sent.repeatAt = now + sent.wait;
      this.transmit({ ...sent.message, is_repeated: true });
    }
  }

  private receive(message: FromPython, buffers: DataView[]): void {
    const isOwn = message.client === this.client;
    if (isOwn && typeof message.seq === "number") {
      this.outstanding.delete(message.seq);
      this.check();
    }
    this.listeners.onReply(message, buffers, isOwn);
  }

  private check(): void {
    const now = performance.now();
    this.repeat(now);
    const isLost = [...this.outstanding.values()].some(({ sentAt }) => now - sentAt > ANSWER_WITHIN);
    if (isLost !== this.isLost) {
      this.isLost = isLost;
      this.listeners.onChange();
    }
  }
}
