// Stands in for Python: answers what a page asks.

import type { Answer } from "../src/connection/outbox";
import type {
  ActionName,
  Config,
  Drawn,
  FromPython,
  PanelConfig,
  PlotContent,
  State,
} from "../src/from_python/messages";

export interface Asked {
  type: string;
  client: string;
  seq: number;
  answers?: Answer[];
  indices?: number[];
}

type Listener = (message: FromPython, buffers: DataView[]) => void;

const ACTIONS: [ActionName, string[]][] = [
  ["undo", ["u", "Backspace"]],
  ["defer", ["l"]],
  ["exclude", ["x"]],
  ["exclude_because", ["Shift+x"]],
  ["note", ["n"]],
  ["flag", ["f"]],
  ["history", ["h"]],
  ["prediction", ["p"]],
  ["guidelines", ["i"]],
  ["goal", ["t"]],
  ["result", ["r"]],
  ["panels", ["v"]],
  ["settings", ["s"]],
  ["help", ["?"]],
];

const CHOICES = ["cat", "dog", "cow"].map((text, i) => ({ text, keys: [String(i + 1)] }));

const panel = (name: string, kind: PanelConfig["kind"], is_hidden_at_first = false): PanelConfig => ({
  name,
  title: `The ${name}`,
  kind,
  source: "",
  is_hidden_at_first,
});

/** The panels of a comparison of several models. */
export const PANELS: PanelConfig[] = [
  panel("estimate", "estimate"),
  panel("models", "models"),
  panel("trajectory", "plot"),
  panel("distribution", "plot"),
  panel("interval", "plot", true),
  panel("differing", "differing", true),
  panel("matrices", "matrices", true),
  panel("groups", "intervals"),
  panel("judge", "intervals", true),
  panel("calibration", "plot", true),
  panel("confusion", "matrix", true),
];

export const CONFIG: Config = {
  title: "Animals",
  question: "What is it?",
  labels: { kind: "class", is_searched: false, choices: CHOICES },
  actions: ACTIONS.map(([name]) => ({ name, text: name, meaning: `do ${name}`, is_rare: name === "help" })),
  keys: { scope: "animals", labels: CHOICES, actions: Object.fromEntries(ACTIONS), taken: [] },
  guidelines: ["div", {}, ["Look closely."]],
  reasons: ["broken", "a duplicate"],
  is_guest: false,
  is_standalone: true,
  has_new_session: true,
  session: "default",
  session_text: "kept in memory only",
  about: "error rate of a model",
  sessions: [],
  is_labeler_view: false,
  goal: {
    lines: ["About 100 more labels"],
    advice: "",
    fields: [{ name: "half_width", text: "±", unit: "", value: 2 }],
  },
  panels: PANELS,
  instance_modules: [],
  asks_name: false,
};

const axis = (high: number) => ({
  low: 0,
  high,
  ticks: [[0, "0"] as [number, string], [high, String(high)] as [number, string]],
});

export const PLOT: PlotContent = {
  heading: "Estimate after each label",
  x: axis(25),
  y: axis(1),
  bands: [],
  curves: [],
  lines: [],
  points: [],
  sides: [],
  legend: [["estimate", "estimate"]],
  stops: [],
  summary: "No labels yet.",
  columns: ["Draws"],
  rows: [],
};

const N = 40;

/** A session of N texts, and what a page sends about it. */
export class FakePython {
  readonly asked: Asked[] = [];
  labelsConfig: Config["labels"] = CONFIG.labels;
  /** What was done: the labels by draw. */
  readonly labels = new Map<number, unknown>();
  /** Whether it answers. */
  isThere = true;
  /** Whether it answers what asks for instances. */
  hasInstances = true;
  /** Whether others have what is left once its own labels are done. */
  waitsForOthers = false;
  readonly listeners = new Set<Listener>();
  private readonly done = new Set<number>();
  /** The draws that sheets have, and those of the open one. */
  offered: number[] = [];
  begun = "sheet 1";
  private open: number[] = [];
  private saved: number[] = [];

  readonly model = {
    get: (_name: string) => "session",
    on: (_name: string, listener: Listener) => void this.listeners.add(listener),
    off: (_name: string, listener: Listener) => void this.listeners.delete(listener),
    send: (message: unknown) => this.take(message as Asked),
  };

  /** The types of the messages that were sent, heartbeats aside. */
  get types(): string[] {
    return this.asked.map(({ type }) => type);
  }

  emit(message: FromPython, buffers: DataView[] = []): void {
    for (const listener of [...this.listeners]) listener(message, buffers);
  }

  state(): State {
    const queue: Drawn[] = [];
    for (let draw = 1; draw <= N; draw += 1) {
      if (!this.done.has(draw) && !this.open.includes(draw)) queue.push({ draw, index: 100 + draw, id: `id-${draw}` });
    }
    const tiles = this.open.map((draw) => ({ draw, index: 100 + draw, id: `id-${draw}`, value: 0 }));
    const question = "These look like cats. Mark those that are not.";
    const key = "memory";
    const saved = { n_events: this.done.size, time: "", n_labels: this.labels.size };
    return {
      progress: { text: `${this.labels.size} of ${N}`, share: this.labels.size / N },
      n_draws: this.done.size,
      queue,
      store: { problem: null, notices: [], can_rescue: false, key, saved },
      n_labels: this.labels.size,
      is_done: queue.length === 0,
      waits_for_others: this.waitsForOthers,
      done_text: "All done.",
      can_undo: this.done.size > 0,
      can_lift_budget: false,
      status: `${this.labels.size} saved`,
      people: null,
      ...(this.offered.length > 0 ? { offers_sheet: true } : {}),
      ...(tiles.length > 0 ? { sheet: { question, begun: this.begun, tiles } } : {}),
    };
  }

  private take(message: Asked): void {
    this.asked.push(message);
    if (!this.isThere || (message.type === "instances" && !this.hasInstances)) return;
    const [content, buffers] = this.answer(message);
    queueMicrotask(() => this.emit({ ...content, client: message.client, seq: message.seq }, buffers));
  }

  /** Answers what asked for instances, late. */
  answerInstances(): void {
    for (const message of this.asked.filter(({ type }) => type === "instances")) this.take(message);
  }

  private config(): Config {
    if (this.offered.length === 0) return { ...CONFIG, labels: this.labelsConfig };
    const sheet = { name: "sheet" as const, text: "sheet", meaning: "open a sheet", is_rare: false };
    const keys = { ...CONFIG.keys, actions: { ...CONFIG.keys.actions, sheet: ["b"] } };
    return { ...CONFIG, labels: this.labelsConfig, actions: [...CONFIG.actions, sheet], keys };
  }

  private answer({ type, answers = [], indices = [] }: Asked): [FromPython, DataView[]] {
    if (type === "hello") return [{ config: this.config(), state: this.state() }, []];
    if (type === "open_sheet") {
      this.open = this.offered;
      return [{ state: this.state() }, []];
    }
    if (type === "answers") {
      for (const answer of answers) this.carryOut(answer);
      return [{ state: this.state(), ms_each: 1 }, []];
    }
    if (type === "instances") {
      const mime = "application/vnd.aew+json";
      const instances = indices.map((index) => ({
        index,
        mime,
        description: `Text ${index}`,
        pixelated: false,
        note: "",
      }));
      const bytes = indices.map((index) => new TextEncoder().encode(JSON.stringify(["p", {}, [`Text ${index}`]])));
      return [{ instances, ms_each: 1 }, bytes.map(({ buffer }) => new DataView(buffer))];
    }
    if (type === "plots") return [{ plots: { trajectory: PLOT, distribution: PLOT } }, []];
    return [{}, []];
  }

  private carryOut(answer: Answer): void {
    if (answer.type === "sheet") {
      for (const { draw, value } of answer.answers) {
        this.labels.set(draw, value);
        this.done.add(draw);
      }
      [this.saved, this.open] = [this.open, []];
      return;
    }
    if (answer.type === "undo" && this.saved.length > 0) {
      for (const draw of this.saved) {
        this.labels.delete(draw);
        this.done.delete(draw);
      }
      [this.open, this.saved] = [this.saved, []];
      return;
    }
    if (answer.type === "label") this.labels.set(answer.draw, answer.value);
    if ("draw" in answer) this.done.add(answer.draw);
    if (answer.type !== "undo") return;
    const last = [...this.done].at(-1);
    if (last === undefined) return;
    this.done.delete(last);
    this.labels.delete(last);
  }
}
