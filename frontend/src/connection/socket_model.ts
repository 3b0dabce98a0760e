// The line to a server that has the front end itself: anywidget's model over a websocket, without a kernel.

import type { Kernel } from "./jupyter_line";
import { OutsideModel } from "./outside_model";

const REFUSED = 4003; // the server's close code when coming again does not help
const MIN_WAIT = 300; // ms
const MAX_WAIT = 5000;

interface Head<Received> {
  content: Received;
  n_buffers: number;
}

export class SocketModel<Received> extends OutsideModel<Received> {
  /** Reports the state of the line, as Jupyter does of its own. */
  readonly widget_manager: { kernel: Kernel } = { kernel: { connectionStatus: "connecting" } };
  private socket: WebSocket | null = null;
  private head: Head<Received> | null = null; // whose bytes are on their way
  private buffers: DataView[] = [];
  private wait = MIN_WAIT;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** `refused` is called with the reason if the server closes the line for good. */
  constructor(
    private readonly address: URL,
    private readonly refused: (reason: string) => void,
  ) {
    super();
    this.connect();
    for (const name of ["online", "focus", "pageshow"]) addEventListener(name, () => this.hurry());
    document.addEventListener("visibilitychange", () => this.hurry());
  }

  /** What the widget shows, as anywidget's model says it. */
  get(_name: "_shows"): "session" {
    return "session";
  }

  send(message: unknown): void {
    this.socket?.send(JSON.stringify(message)); // throws while it is connecting
  }

  private connect(): void {
    clearTimeout(this.timer);
    const socket = new WebSocket(this.address);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      this.wait = MIN_WAIT;
      this.widget_manager.kernel.connectionStatus = "connected";
    };
    socket.onmessage = ({ data }) => this.receive(data);
    socket.onclose = ({ code, reason }) => {
      this.widget_manager.kernel.connectionStatus = "disconnected";
      this.head = null;
      if (code === REFUSED) {
        this.socket = null;
        this.refused(reason);
        return;
      }
      this.timer = setTimeout(() => this.connect(), this.wait);
      this.wait = Math.min(2 * this.wait, MAX_WAIT);
    };
    this.socket = socket;
  }

  /** A device that wakes up, or is looked at again, does not wait. */
  private hurry(): void {
    if (this.socket?.readyState === WebSocket.CLOSED && !document.hidden) this.connect();
  }

  private receive(data: string | ArrayBuffer): void {
    if (typeof data === "string") {
      this.head = JSON.parse(data) as Head<Received>;
      this.buffers = [];
    } else this.buffers.push(new DataView(data));
    const { head, buffers } = this;
    if (head === null || buffers.length < head.n_buffers) return;
    this.head = null;
    this.deliver(head.content, buffers);
  }
}
