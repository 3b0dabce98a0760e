// The line between Jupyter's page and its server, where anywidget's model tells of it.

const FIRST_LOOK = 300; // ms: Jupyter itself connects anew at once
const LOOK_EVERY = 500; // ms, whether the server answers again
const CONNECT_EVERY = 5000; // ms: a connection that is being made is not disturbed

/** What is used of Jupyter's connection to a kernel. */
export interface Kernel {
  id?: string;
  connectionStatus?: string;
  isDisposed?: boolean;
  serverSettings?: { baseUrl?: string; init?: RequestInit; fetch?: (request: Request) => Promise<Response> };
  reconnect?: () => Promise<void>;
}

/** Whether the line is down, as Jupyter tells, where it does. */
export const isLineDown = (kernel: Kernel | undefined | null): boolean =>
  (kernel?.connectionStatus ?? "connected") !== "connected";

// By kernel: several views have one line.
const nextLook = new WeakMap<Kernel, number>();

/**
 * Connects anew as soon as the server answers. Jupyter tries it once, then waits 10 to 30 s. Called every now and then;
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
  nextLook.set(kernel, Number.POSITIVE_INFINITY); // one question at a time
  let wait = LOOK_EVERY;
  try {
    await ask(new Request(`${baseUrl}api/kernels/${id}`, { ...init, method: "GET", cache: "no-store" }));
    if (isLineDown(kernel) && !kernel.isDisposed) {
      wait = CONNECT_EVERY;
      kernel.reconnect?.().catch(() => {}); // it looks again
    }
  } catch {
    // The server does not answer yet.
  }
  nextLook.set(kernel, performance.now() + wait);
}
