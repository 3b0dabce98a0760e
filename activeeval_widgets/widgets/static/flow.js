// Which instance is shown, and what becomes of the answers. Python owns the truth; the page runs ahead of it by
// one thing alone: after a label the next drawn instance is shown at once, while the label is being saved.

const READY_AHEAD = 8; // so many coming instances are fetched before they are needed; more for fast fingers
const MOST_READY = 48;
const ASKED_AT_ONCE = 4; // so that labels need not wait for the rendering of many large instances

class Flow {
  constructor(connection, instances, signal, onChange) {
    this.connection = connection;
    this.instances = instances;
    this.onChange = onChange;
    this.python = null; // the last state that Python told
    this.queue = []; // what comes, without what is answered here
    this.earlier = new Map(); // index -> the value that an instance had, to be shown again
    this.stopwatch = new Stopwatch(signal);
    this.timed = null; // the draw that the stopwatch runs for
    this.outbox = new Outbox(connection, () => this.update());
  }

  update() {
    this.queue = (this.python?.queue ?? []).filter(({ draw }) => !this.outbox.draws.has(draw));
  }

  get shown() {
    return this.queue[0] ?? null;
  }

  get content() {
    return this.shown === null ? null : this.instances.elements.get(this.shown.index) ?? null;
  }

  // What comes after an undo, or after putting aside, Python alone knows.
  get isAsking() {
    return this.outbox.holds("undo", "defer", "exclude");
  }

  get isSaving() {
    return !this.outbox.isEmpty;
  }

  get isDone() {
    return this.python !== null && this.python.is_done && this.outbox.isEmpty;
  }

  get canAnswer() {
    return !this.connection.isLost && !this.isAsking && this.content !== null;
  }

  get canUndo() {
    return !this.connection.isLost && this.python !== null && (this.python.can_undo || this.isSaving);
  }

  get stateName() {
    if (this.connection.isLost) return "disconnected";
    if (this.python === null || this.isSaving) return "saving";
    return this.isDone ? "done" : "ready";
  }

  takeState(python) {
    this.python = python;
    this.update();
  }

  // The instance is in the page: its time begins.
  painted() {
    if (this.timed === this.shown.draw) return;
    this.timed = this.shown.draw;
    this.stopwatch.restart();
  }

  // An answer about what is shown. Returns whether it could be given.
  answer(type, content = {}, text = null) {
    if (!this.canAnswer) return false;
    const { draw, index } = this.shown;
    this.earlier.delete(index);
    this.outbox.push({ type, draw, ...content, ...this.stopwatch.times() }, text);
    this.onChange();
    return true;
  }

  undo() {
    if (!this.canUndo) return;
    this.outbox.push({ type: "undo" });
    this.timed = null;
    this.onChange();
  }

  askForInstances() {
    // The more answers wait for Python, the faster the fingers are.
    const haste = this.outbox.items.length;
    const coming = this.queue.slice(0, Math.min(MOST_READY, READY_AHEAD + 3 * haste));
    const indices = this.instances.missing(coming, ASKED_AT_ONCE + 2 * haste);
    if (indices.length === 0) return;
    for (const index of indices) this.instances.wanted.add(index);
    this.connection.send("instances", { indices });
  }

  close() {
    this.outbox.close();
  }
}
