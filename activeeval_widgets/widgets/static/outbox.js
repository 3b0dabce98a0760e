// Answers that were given here and that Python has not confirmed. They go out in order, those that were given
// while Python was busy as one message: so the fingers may be faster than the disk, and what is asked meanwhile
// (the next instances) has to wait for one message at most.

const PATIENCE = 250; // ms that what is asked meanwhile may have to wait for one message of answers
const MOST_AT_ONCE = 64;
const SPARE = 48; // so many instances that are known to come, beyond those answered

class Outbox {
  constructor(connection, onChange) {
    this.connection = connection;
    this.onChange = onChange;
    this.items = []; // { type, draw, …, text }: the message, and what it says in words
    this.inFlight = null; // { seq, n }
    this.msEach = PATIENCE / 4; // that Python took for an answer, the last time
    this.held = null; // why Python could not save the first of them: they wait here
    this.draws = new Set(); // of what is answered here, and not yet there
    // A page that is left sends what it has.
    this.leave = () => this.held === null && this.items.length > (this.inFlight?.n ?? 0) && this.send(this.items.slice(this.inFlight?.n ?? 0));
    window.addEventListener("pagehide", this.leave);
  }

  get isEmpty() {
    return this.items.length === 0;
  }

  holds(...types) {
    return this.items.some(({ message }) => types.includes(message.type));
  }

  push(message, text = null) {
    this.items.push({ message, text });
    this.changed();
    this.flush();
  }

  flush() {
    if (this.inFlight !== null || this.held !== null || this.items.length === 0) return;
    const batch = this.items.slice(0, Math.min(MOST_AT_ONCE, Math.max(1, Math.floor(PATIENCE / this.msEach))));
    this.inFlight = { seq: this.send(batch), n: batch.length };
  }

  send(items) {
    return this.connection.send("answers", {
      answers: items.map(({ message }) => message),
      ahead: this.items.length + SPARE,
    });
  }

  // Python has answered a message. What came after a refused answer was meant for an instance that is not the
  // present one: it would be refused, too. What could not be saved is kept here.
  settle({ seq, error, is_kept: isKept, n_done: nDone, ms_each: msEach }) {
    if (this.inFlight?.seq !== seq) return;
    if (msEach > 0) this.msEach = msEach;
    this.held = isKept ? error : null;
    this.items.splice(0, isKept ? nDone : error ? this.items.length : this.inFlight.n);
    this.inFlight = null;
    this.changed();
    this.flush();
  }

  tryAgain() {
    this.held = null;
    this.changed();
    this.flush();
  }

  changed() {
    this.draws = new Set(this.items.map(({ message }) => message.draw).filter((draw) => draw !== undefined));
    this.onChange();
  }

  inWords() {
    const about = ({ draw }) => (draw === undefined ? "" : ` (draw ${draw})`);
    return this.items.filter(({ text }) => text !== null).map(({ text, message }) => text + about(message)).join(", ");
  }

  close() {
    window.removeEventListener("pagehide", this.leave);
  }
}
