// The worker of a page without a server: Pyodide, the package, and the session or race.

import { EventStorage } from "./event_storage";
import type { FromWorker, Shows, Task } from "./lines";
import { inWords, type PythonPage, SessionWorker } from "./session_worker";

interface Pyodide {
  unpackArchive(buffer: ArrayBuffer, format: string, options: { extractDir: string }): void;
  runPython(code: string): unknown;
  FS: { mkdirTree(path: string): void; writeFile(path: string, content: Uint8Array): void };
  globals: { set(name: string, value: unknown): void };
}

/** A list of Python, as it is passed to JavaScript. */
interface PyList {
  toJs(): Uint8Array[];
  destroy?(): void;
}

const AT = "/home/pyodide/page";
const BEGIN: Record<Shows, string> = {
  session: `
from activeeval_widgets.app.static_page.in_browser import StaticPage
StaticPage("${AT}", post, on_event)
`,
  race: `
from activeeval_widgets.app.static_page.race_in_browser import StaticRace
StaticRace("${AT}", post)
`,
};

const send = (message: FromWorker, transfer: Transferable[] = []) => postMessage(message, { transfer });
const loading = (share: number, text: string) => send({ kind: "loading", share, text });

let take: (task: Task) => void = () => {};

async function fetched(name: string): Promise<ArrayBuffer> {
  const response = await fetch(name);
  if (!response.ok) throw new Error(`${name} is missing beside this page (${response.status}). Export the page again`);
  return response.arrayBuffer();
}

async function begin({ shows, session, pyodide: address, packages }: Extract<Task, { kind: "start" }>): Promise<void> {
  loading(0.02, "Loading Python …");
  const [lessBytes, module] = [
    Promise.all(["session.json", "page.json", "package.zip"].map(fetched)),
    import(/* webpackIgnore: true */ new URL("pyodide.mjs", address).href),
  ];
  const { loadPyodide } = await module.catch(() => {
    throw new Error("PYODIDE");
  });
  const python: Pyodide = await loadPyodide({ indexURL: address, packages: [] });
  loading(0.25, "Loading NumPy, SciPy and pandas …");
  await (python as unknown as { loadPackage(names: string[], options: object): Promise<void> }).loadPackage(packages, {
    messageCallback: () => {},
  });
  loading(0.5, "Loading the data …");
  const [document, about, archive] = await lessBytes;
  python.FS.mkdirTree(`${AT}/package`);
  python.FS.writeFile(`${AT}/session.json`, new Uint8Array(document));
  python.FS.writeFile(`${AT}/page.json`, new Uint8Array(about));
  python.unpackArchive(archive, "zip", { extractDir: `${AT}/package` });
  loading(0.6, "Starting …");
  python.runPython(`import sys; sys.path.insert(0, "${AT}/package")`);
  if (shows === "race") beginRace(python);
  else await beginSession(python, JSON.parse(new TextDecoder().decode(document)), session);
}

async function beginSession(python: Pyodide, document: { begun: string; name: string }, name: string): Promise<void> {
  const { begun, name: own } = document;
  const storage = await EventStorage.open(`activeeval-widgets ${begun}`).catch(() => null);
  const otherTabs = new BroadcastChannel(`activeeval-widgets ${begun}`);
  const made = new SessionWorker(storage, send, otherTabs);
  python.globals.set("post", (content: string, buffers: PyList) => made.post(content, copied(buffers)));
  python.globals.set("on_event", (row: string) => made.onEvent(row));
  const page = python.runPython(BEGIN.session) as PythonPage;
  loading(0.9, "Opening the session …");
  await made.begin(page, name || own);
  otherTabs.onmessage = ({ data }) => void made.take(data.session, data.rows);
  take = (task) => void made.do(task);
  send({ kind: "ready", isKept: storage !== null });
}

function beginRace(python: Pyodide): void {
  python.globals.set("post", (content: string, buffers: PyList) =>
    send({ kind: "message", content: JSON.parse(content), buffers: copied(buffers) }),
  );
  const race = python.runPython(BEGIN.race) as Pick<PythonPage, "receive">;
  take = (task) => {
    if (task.kind === "message") race.receive(JSON.stringify(task.content), task.buffers);
  };
  send({ kind: "ready", isKept: false });
}

const copied = (buffers: PyList) => buffers.toJs().map((each) => each.slice().buffer as ArrayBuffer);

addEventListener("message", ({ data }: MessageEvent<Task>) => {
  if (data.kind === "start") begin(data).catch((error) => send({ kind: "failed", text: inWords(error) }));
  else take(data);
});
