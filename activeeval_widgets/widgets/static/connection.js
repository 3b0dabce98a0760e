// Messages to Python and their answers. Every message carries a sequence number and is answered with it once
// what it asked for is done (a label: once it is on disk). What stays unanswered for ANSWER_WITHIN ms is
// lost, or Python is busy or gone: the person is told, and told again when answers come after all. Meanwhile it is
// sent again, with the same number: a connection may have been cut with it, and Python does nothing twice.

const ANSWER_WITHIN = 2000;
const HEARTBEAT_EVERY = 5000;
const REPEAT_AFTER = 1000;
const REPEAT_EVERY = 8000; // at the most
const LOOK_EVERY = 1000; // at the most, whether the line is there again

// Jupyter connects anew at once, and when that fails, asks the server for the kernel. If the line is not back by then,
// it waits 10 to 30 s before it goes on. So this question, of this kernel, takes until the line is back.
function askUntilAnswered(kernel) {
  const settings = kernel?.serverSettings;
  if (typeof settings?.fetch !== "function" || settings.fetch.isPatient) return;
  const fetch = async (request) => {
    for (let wait = 250; ; wait = Math.min(2 * wait, LOOK_EVERY)) {
      try {
        return await settings.fetch.call(null, request.clone());
      } catch (error) {
        if (request.method !== "GET" || kernel.isDisposed || !(error instanceof TypeError)) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  };
  Reflect.set(kernel, "serverSettings", { ...settings, fetch: Object.assign(fetch, { isPatient: true }) });
}

class Connection {
  constructor(model, { onReply, onChange }) {
    this.model = model;
    this.client = Math.random().toString(36).slice(2);
    this.seq = 0;
    this.outstanding = new Map(); // seq -> { type, message, sentAt, … }
    this.isLost = false;
    this.onReply = onReply;
    this.onChange = onChange;
    this.listener = (message, buffers) => this.receive(message, buffers);
    model.on("msg:custom", this.listener);
    askUntilAnswered(model.widget_manager?.kernel);
    this.watch = setInterval(() => this.check(), 250);
    this.heartbeat = setInterval(() => {
      if (this.outstanding.size === 0 && !document.hidden) this.send("ping");
    }, HEARTBEAT_EVERY);
  }

  send(type, content = {}) {
    this.seq += 1;
    const now = performance.now();
    const message = { ...content, type, client: this.client, seq: this.seq };
    const repeatAt = this.isDown ? now : now + REPEAT_AFTER;
    this.outstanding.set(this.seq, { type, message, sentAt: now, repeatAt, wait: REPEAT_AFTER });
    this.transmit(message);
    return this.seq;
  }

  // As Jupyter tells, where it does. What is sent then would wait in its queue, where it holds up by 3 s the question
  // that Jupyter asks of the kernel first: it waits here.
  get isDown() {
    return (this.model.widget_manager?.kernel?.connectionStatus ?? "connected") !== "connected";
  }

  transmit(message) {
    if (this.isDown) return;
    try {
      this.model.send(message);
    } catch {
      // The page is being left, or the kernel is gone. The message stays unanswered, of which the person is told.
    }
  }

  repeat(now) {
    for (const sent of this.outstanding.values()) {
      if (this.isDown) Object.assign(sent, { repeatAt: now, wait: REPEAT_AFTER });
      if (this.isDown || now < sent.repeatAt) continue;
      sent.wait = Math.min(2 * sent.wait, REPEAT_EVERY);
      sent.repeatAt = now + sent.wait;
      this.transmit({ ...sent.message, is_repeated: true });
    }
  }

  receive(message, buffers) {
    if (message.client === this.client) {
      this.outstanding.delete(message.seq);
      this.check();
    }
    this.onReply(message, buffers, message.client === this.client);
  }

  check() {
    const now = performance.now();
    this.repeat(now);
    const isLost = [...this.outstanding.values()].some(({ sentAt }) => now - sentAt > ANSWER_WITHIN);
    if (isLost !== this.isLost) {
      this.isLost = isLost;
      this.onChange();
    }
  }

  isWaitingFor(...types) {
    return [...this.outstanding.values()].some(({ type }) => types.includes(type));
  }

  close() {
    this.model.off("msg:custom", this.listener);
    clearInterval(this.watch);
    clearInterval(this.heartbeat);
  }
}
