// The connection between Jupyter's page and its server, where anywidget's model gives access to it.

const FIRST_LOOK = 300; // ms: Jupyter itself reconnects at once
const LOOK_EVERY = 500; // ms, between checks whether the server responds again
const CONNECT_EVERY = 5000; // ms, between two connection attempts of ours
const ATTEMPT_AT_MOST = 20_000; // ms until an attempt that is under way is given up
const CONNECTING = 0; // as in WebSocket.readyState

/** The part of Jupyter's connection to a kernel that is used. */
export interface Kernel {
  id?: string;
  connectionStatus?: string;
  isDisposed?: boolean;
  serverSettings?: { baseUrl?: string; init?: RequestInit; fetch?: (request: Request) => Promise<Response> };
  reconnect?: () => Promise<void>;
  /** The socket, private to Jupyter. */
  _ws?: { readyState: number } | null;
}

/** Whether the line is down, where Jupyter reports it. */
export const isLineDown = (kernel: Kernel | undefined | null): boolean =>
  (kernel?.connectionStatus ?? "connected") !== "connected";

// By kernel: several views share one line.
const nextLook = new WeakMap<Kernel, number>();
// By socket: when it was first seen connecting.
const attemptedSince = new WeakMap<object, number>();

/**
 * Whether an attempt is under way. The server lets it wait until a kernel that restarts has started: if it were
 * interrupted, Jupyter could miss the kernel's first messages, and take it for restarting ever after.
 */
function isConnecting({ _ws: socket }: Kernel, now: number): boolean {
  if (socket?.readyState !== CONNECTING) return false;
  const since = attemptedSince.get(socket) ?? now;
  attemptedSince.set(socket, since);
  return now - since < ATTEMPT_AT_MOST;
}

/**
 * Reconnects as soon as the server responds. Jupyter tries once, then waits 10 to 30 s. Called regularly;
 * a line that was never up is left to Jupyter.
 */
export async function reconnect(kernel: Kernel | undefined | null, now: number): Promise<void> {
  if (!kernel || kernel.isDisposed) return;
  if (!isLineDown(kernel)) {
    nextLook.set(kernel, now + FIRST_LOOK);
    return;
  }
  const { serverSettings, id } = kernel;
  const { baseUrl, init, fetch: ask = fetch } = serverSettings ?? {};
  if (baseUrl === undefined || now < (nextLook.get(kernel) ?? Number.POSITIVE_INFINITY)) return;
  nextLook.set(kernel, Number.POSITIVE_INFINITY); // one check at a time
  let wait = LOOK_EVERY;
  try {
    await ask(new Request(`${baseUrl}api/kernels/${id}`, { ...init, method: "GET", cache: "no-store" }));
    if (isLineDown(kernel) && !kernel.isDisposed && !isConnecting(kernel, now)) {
      wait = CONNECT_EVERY;
      kernel.reconnect?.().catch(() => {}); // it checks again
    }
  } catch {
    // The server does not respond yet.
  }
  nextLook.set(kernel, performance.now() + wait);
}
