// Which instance is shown, and what becomes of the answers. Python owns the truth; the page runs ahead of it by
// one thing alone: after a label the next drawn instance is shown at once, while the label is being saved.

// So many coming instances are fetched before they are needed: enough for two seconds of the fastest fingers, fewer
// if they are large; more where many answers wait for Python.
const READY_AHEAD = 40;
const LEAST_READY = 8;
const MOST_READY = 56;
const READY_BYTES = 16e6;

class Flow {
  constructor(connection, instances, signal, onChange) {
    this.connection = connection;
    this.instances = instances;
    this.onChange = onChange;
    this.python = null; // the last state that Python told
    this.queue = []; // what comes, without what is answered here
    this.earlier = new Map(); // index -> the value that an instance had, to be shown again
    this.review = null; // an instance from the history that is looked at again: a row of it
    this.marks = new Map(); // index -> { note, flagged }
    this.msEach = PATIENCE / 4; // that Python took for an instance, the last time
    this.stopwatch = new Stopwatch(signal);
    this.timed = null; // the draw that the stopwatch runs for
    this.outbox = new Outbox(connection, () => this.update());
    this.keeping = new Keeping(connection, this.outbox);
  }

  update() {
    this.queue = (this.python?.queue ?? []).filter(({ draw }) => !this.outbox.draws.has(draw));
  }

  get shown() {
    return this.review ?? this.queue[0] ?? null;
  }

  get mark() {
    return this.marks.get(this.shown?.index) ?? {};
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
    const isKnown = this.review !== null ? this.review.value !== undefined : !this.isAsking;
    return !this.connection.isLost && this.keeping.problem === null && isKnown && this.content !== null;
  }

  get canUndo() {
    return !this.connection.isLost && this.review === null && this.python !== null && (this.python.can_undo || this.isSaving);
  }

  get stateName() {
    if (this.connection.isLost) return "disconnected";
    if (this.python === null || this.isSaving) return "saving";
    return this.isDone ? "done" : "ready";
  }

  takeState(python) {
    this.python = python;
    if (!this.outbox.holds("note", "flag")) {
      for (const { index, note, flagged } of python.queue) this.setMark(index, { note, flagged });
    }
    this.update();
  }

  setMark(index, mark) {
    const { note, flagged } = { ...this.marks.get(index), ...mark };
    if (note || flagged) this.marks.set(index, { note, flagged });
    else this.marks.delete(index);
  }

  // The instance is in the page: its time begins.
  painted() {
    if (this.timed === this.shown) return;
    const isSame = this.timed !== null && this.timed.index === this.shown.index && this.timed.draw === this.shown.draw;
    this.timed = this.shown;
    if (!isSame) this.stopwatch.restart();
  }

  label(value, text) {
    if (this.review === null) return this.answer("label", { value }, text);
    if (!this.canAnswer) return false;
    this.outbox.push({ type: "change", index: this.review.index, value }, `${this.review.id}: ${text}`);
    this.leaveReview();
    return true;
  }

  // An answer about the present instance. Returns whether it could be given.
  answer(type, content = {}, text = null) {
    if (!this.canAnswer || this.review !== null) return false;
    const { draw, index } = this.shown;
    this.earlier.delete(index);
    this.outbox.push({ type, draw, ...content, ...this.stopwatch.times() }, text);
    this.onChange();
    return true;
  }

  // Go to an instance of the history.
  goTo(row) {
    this.setMark(row.index, { note: row.note, flagged: row.flagged });
    this.review = this.queue[0]?.index === row.index ? null : row;
    if (row.value !== undefined) this.earlier.set(row.index, row.value);
    this.onChange();
  }

  leaveReview() {
    if (this.review !== null) this.earlier.delete(this.review.index);
    this.review = null;
    this.onChange();
  }

  flag() {
    if (this.content === null || this.connection.isLost) return;
    const { index } = this.shown;
    const flagged = !this.mark.flagged;
    this.setMark(index, { flagged });
    this.outbox.push({ type: "flag", index, flagged });
    this.onChange();
  }

  note(index, text) {
    this.setMark(index, { note: text });
    this.outbox.push({ type: "note", index, text });
    this.onChange();
  }

  undo() {
    if (!this.canUndo) return;
    this.outbox.push({ type: "undo" });
    this.timed = null;
    this.onChange();
  }

  askForInstances() {
    const ready = Math.min(READY_AHEAD, Math.max(LEAST_READY, READY_BYTES / (this.instances.meanSize || 1)));
    const coming = [...(this.review === null ? [] : [this.review]), ...this.queue].slice(0, Math.min(MOST_READY, ready + this.outbox.items.length));
    // Labels must not wait long for the rendering of large instances.
    const indices = this.instances.missing(coming, Math.max(1, Math.floor(PATIENCE / this.msEach)));
    if (indices.length === 0) return;
    for (const index of indices) this.instances.wanted.add(index);
    this.connection.send("instances", { indices });
  }

  close() {
    this.outbox.close();
  }
}
