import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Answer, Outbox } from "../src/connection/outbox";

interface Sent {
  answers: Answer[];
  ahead: number;
}

let sent: Sent[];
let nChanges: number;
let outbox: Outbox;

const label = (draw: number, value = 0): Answer => ({
  type: "label",
  draw,
  value,
  seconds: 1,
  first_key_seconds: null,
});
const draws = ({ answers }: Sent) => answers.map((answer) => ("draw" in answer ? answer.draw : null));

beforeEach(() => {
  sessionStorage.clear();
  sent = [];
  nChanges = 0;
  const connection = { send: (_type: string, content?: unknown) => sent.push(content as Sent) };
  outbox = new Outbox(connection, () => {
    nChanges += 1;
  });
});
afterEach(() => outbox.close());

describe("a tab that is loaded anew", () => {
  const again = () => {
    outbox.close();
    sent = [];
    outbox = new Outbox({ send: (_type: string, content?: unknown) => sent.push(content as Sent) }, () => {});
    outbox.restore("labels#default");
  };

  it("sends again what was not confirmed, and tells for which instance", () => {
    outbox.restore("labels#default");
    outbox.push(label(1), "cat", 101);
    outbox.push(label(2, 1), "dog", 102);
    again();
    expect(sent[0].answers).toEqual([
      { ...label(1), resent_for: 101 },
      { ...label(2, 1), resent_for: 102 },
    ]);
    outbox.settle({ seq: 1, ms_each: 1 });
    again();
    expect(sent).toEqual([]);
  });

  it("tells what will be sent again", () => {
    outbox.push(label(1), "cat", 101);
    expect(outbox.outlastsReload).toBe(false); // the session is in Python's memory only
    outbox.restore("labels#default");
    outbox.push(label(2), "dog", 102);
    expect(outbox.outlastsReload).toBe(true);
    sessionStorage.clear(); // as if the browser forbade it
    expect(outbox.outlastsReload).toBe(false);
    outbox.push({ type: "change", index: 101, value: 1 }, "101: dog");
    expect(outbox.outlastsReload).toBe(false);
  });

  it("does not send what was taken back, nor to another session", () => {
    outbox.restore("labels#default");
    outbox.push(label(1), "cat", 101);
    outbox.push({ type: "undo" });
    again();
    expect(sent).toEqual([]);
    outbox.push(label(1), "cat", 101);
    const other = new Outbox({ send: (_type: string, content?: unknown) => sent.push(content as Sent) }, () => {});
    sent = [];
    other.restore("labels#other");
    other.close();
    expect(sent).toEqual([]);
  });
});

describe("answers", () => {
  it("go out at once where none is under way", () => {
    outbox.push(label(1), "cat");
    expect(sent.map(draws)).toEqual([[1]]);
    expect(outbox.draws).toEqual(new Set([1]));
    expect(nChanges).toBe(1);
  });

  it("that are given meanwhile go out in order, as one message", () => {
    for (const draw of [1, 2, 3]) outbox.push(label(draw));
    expect(sent.map(draws)).toEqual([[1]]);
    outbox.settle({ seq: 1, ms_each: 1 });
    expect(sent.map(draws)).toEqual([[1], [2, 3]]);
    outbox.settle({ seq: 2, ms_each: 1 });
    expect(outbox.isEmpty).toBe(true);
  });

  it("are no more than Python can save while one waits", () => {
    for (const draw of [1, 2, 3, 4, 5, 6]) outbox.push(label(draw));
    outbox.settle({ seq: 1, ms_each: 100 });
    expect(sent.map(draws)).toEqual([[1], [2, 3]]);
    outbox.settle({ seq: 2, ms_each: 1000 });
    expect(sent.map(draws)).toEqual([[1], [2, 3], [4]]);
  });

  it("are at most 64 a message", () => {
    for (let draw = 1; draw <= 100; draw += 1) outbox.push(label(draw));
    outbox.settle({ seq: 1, ms_each: 0.01 });
    expect(sent[1].answers.length).toBe(64);
  });

  it("tell how many coming instances the page wants to know of", () => {
    for (const draw of [1, 2, 3]) outbox.push(label(draw));
    expect(sent[0].ahead).toBe(49);
    outbox.settle({ seq: 1, ms_each: 1 });
    expect(sent[1].ahead).toBe(50);
  });

  it("are not settled by answers to other messages", () => {
    outbox.push(label(1));
    outbox.settle({ seq: 17 });
    expect(outbox.isEmpty).toBe(false);
  });
});

describe("a refused answer", () => {
  it("takes those with it that came after: they were meant for another instance", () => {
    for (const draw of [1, 2, 3]) outbox.push(label(draw));
    outbox.settle({ seq: 1, error: "no such label" });
    expect(outbox.isEmpty).toBe(true);
    expect(outbox.held).toBeNull();
    expect(sent.length).toBe(1);
  });
});

describe("an answer that another tab was faster with", () => {
  it("takes no other with it, but for an undo and what follows", () => {
    for (const draw of [1, 2]) outbox.push(label(draw));
    outbox.push({ type: "undo" });
    outbox.push(label(2));
    outbox.settle({ seq: 1, stale: "Item 1 was labeled in another tab." });
    expect(sent.map(draws)).toEqual([[1], [2]]);
    expect(outbox.items.length).toBe(1);
  });
});

describe("answers that can't be saved", () => {
  beforeEach(() => {
    outbox.push(label(1), "cat");
    outbox.push(label(2), "dog");
    outbox.push({ type: "undo" });
    outbox.settle({ seq: 1, ms_each: 1 });
    outbox.settle({ seq: 2, error: "disk full", is_kept: true, n_done: 1 });
  });

  it("are kept, from the first on that could not", () => {
    expect(outbox.items.map(({ message }) => message.type)).toEqual(["undo"]);
    expect(outbox.held).toBe("disk full");
  });

  it("wait, and so does what is given after them", () => {
    outbox.push(label(3), "cow");
    expect(sent.length).toBe(2);
    outbox.tryAgain();
    expect(sent.length).toBe(3);
    expect(sent[2].answers.map(({ type }) => type)).toEqual(["undo", "label"]);
  });
});

describe("what is not saved, in words", () => {
  it("is told with its draws", () => {
    outbox.push(label(1), "cat");
    outbox.push({ type: "flag", index: 3, flagged: true });
    outbox.push({ type: "change", index: 4, value: 1 }, "a4: dog");
    expect(outbox.inWords()).toBe("cat (draw 1), a4: dog");
  });
});

describe("a page that is left", () => {
  it("sends what it has", () => {
    for (const draw of [1, 2, 3]) outbox.push(label(draw));
    window.dispatchEvent(new Event("pagehide"));
    expect(sent.map(draws)).toEqual([[1], [2, 3]]);
  });

  it("sends nothing twice, and nothing that is held", () => {
    outbox.push(label(1));
    window.dispatchEvent(new Event("pagehide"));
    expect(sent.length).toBe(1);
    outbox.settle({ seq: 1, error: "disk full", is_kept: true, n_done: 0 });
    window.dispatchEvent(new Event("pagehide"));
    expect(sent.length).toBe(1);
  });

  it("sends nothing once it is closed", () => {
    for (const draw of [1, 2]) outbox.push(label(draw));
    outbox.close();
    window.dispatchEvent(new Event("pagehide"));
    expect(sent.length).toBe(1);
  });
});

describe("what is there", () => {
  it("is told by type", () => {
    outbox.push({ type: "undo" });
    expect(outbox.holds("undo", "defer")).toBe(true);
    expect(outbox.holds("label")).toBe(false);
  });
});
