// What passes between the page and its worker.

import type { FromPython } from "../from_python/messages";

/** What the page shows. */
export type Shows = "session" | "race";

/** To the worker. */
export type Task =
  | { kind: "start"; shows: Shows; session: string; pyodide: string; packages: string[] }
  | { kind: "message"; content: Record<string, unknown>; buffers: ArrayBuffer[] }
  | { kind: "export" }
  | { kind: "import"; text: string };

/** From the worker. */
export type FromWorker =
  | { kind: "loading"; share: number; text: string }
  | { kind: "ready"; isKept: boolean }
  | { kind: "failed"; text: string }
  | { kind: "message"; content: FromPython; buffers: ArrayBuffer[] }
  | { kind: "exported"; text: string }
  | { kind: "imported"; session: string | null }
  | { kind: "refused"; text: string };
