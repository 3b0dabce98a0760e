// The line between Jupyter's page and its server, where anywidget's model tells of it.

const FIRST_LOOK = 250; // ms
const LOOK_EVERY = 1000; // ms at the most, whether the line is there again

interface ServerSettings {
  fetch?: ((request: Request) => Promise<Response>) & { isPatient?: boolean };
}

/** What is used of Jupyter's connection to a kernel. */
export interface Kernel {
  connectionStatus?: string;
  isDisposed?: boolean;
  serverSettings?: ServerSettings;
}

/** Whether the line is down, as Jupyter tells, where it does. */
export const isLineDown = (kernel: Kernel | undefined | null): boolean =>
  (kernel?.connectionStatus ?? "connected") !== "connected";

/**
 * Jupyter connects anew at once, and when that fails, asks the server for the kernel. If the line is not back by then,
 * it waits 10 to 30 s before it goes on. So this question, of this kernel, takes until the line is back.
 */
export function askUntilAnswered(kernel: Kernel | undefined | null): void {
  const settings = kernel?.serverSettings;
  const ask = settings?.fetch;
  if (!kernel || typeof ask !== "function" || ask.isPatient) return;
  const fetch = async (request: Request): Promise<Response> => {
    for (let wait = FIRST_LOOK; ; wait = Math.min(2 * wait, LOOK_EVERY)) {
      try {
        return await ask.call(null, request.clone());
      } catch (error) {
        if (request.method !== "GET" || kernel.isDisposed || !(error instanceof TypeError)) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  };
  Reflect.set(kernel, "serverSettings", { ...settings, fetch: Object.assign(fetch, { isPatient: true }) });
}
