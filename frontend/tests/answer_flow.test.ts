import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { AnswerFlow } from "../src/answers/answer_flow";
import { UnsavedBanners } from "../src/answers/unsaved_banners";
import { Connection, type Model } from "../src/connection/connection";
import type { Row } from "../src/from_python/messages";
import { UpcomingInstances } from "../src/instances/upcoming_instances";
import { FakePython } from "./fake_python";

let python: FakePython;
let connection: Connection;
let instances: UpcomingInstances;
let listeners: AbortController;
let flow: AnswerFlow;

const settle = () => vi.advanceTimersByTimeAsync(10);
const typesSent = () => python.asked.flatMap(({ answers = [] }) => answers.map(({ type }) => type));

beforeEach(async () => {
  vi.useFakeTimers();
  localStorage.clear();
  python = new FakePython();
  listeners = new AbortController();
  connection = new Connection(python.model as Model, {
    onReply: (message, buffers, isOwn) => {
      if (message.state) flow.takeState(message.state);
      flow.unsaved.take(message);
      if (!isOwn) return;
      message.instances?.forEach((info, i) => void instances.add(info, buffers[i]));
      flow.outbox.settle(message);
    },
    onChange: () => {},
  });
  instances = new UpcomingInstances({ onReady: () => {}, askForMore: () => {} });
  flow = new AnswerFlow(connection, instances, listeners.signal, () => flow.askForInstances());
  connection.send("hello");
  await settle();
  flow.askForInstances();
  await settle();
});
afterEach(() => {
  listeners.abort();
  connection.close();
  flow.close();
  instances.close();
  vi.useRealTimers();
});

const row = (more: Partial<Row> = {}): Row => ({ index: 101, id: "id-1", draw: 1, answer: "cat", value: 0, ...more });

describe("what is shown", () => {
  it("is the first draw that is not answered here", async () => {
    expect(flow.shown?.draw).toBe(1);
    flow.label(0, "cat");
    flow.label(1, "dog");
    expect(flow.shown?.draw).toBe(3);
    await settle();
    expect(flow.shown?.draw).toBe(3);
    expect(flow.stateName).toBe("ready");
  });

  it("can be answered once it is there", () => {
    expect(flow.canAnswer).toBe(true);
    instances.elements.delete(101);
    expect(flow.canAnswer).toBe(false);
    expect(flow.label(0, "cat")).toBe(false);
    expect(typesSent()).toEqual([]);
  });
});

describe("after an undo, or what is put aside", () => {
  it.each(["undo", "defer", "exclude"] as const)("%s: Python alone knows what comes", async (type) => {
    flow.label(0, "cat");
    await settle();
    if (type === "undo") flow.undo();
    else flow.answer({ type });
    expect(flow.canAnswer).toBe(false);
    await settle();
    expect(flow.canAnswer).toBe(true);
    expect(flow.shown?.draw).toBe(type === "undo" ? 1 : 3);
  });
});

describe("an earlier answer", () => {
  it("is looked at again, changed, and left", async () => {
    flow.label(0, "cat");
    await settle();
    flow.goTo(row());
    expect(flow.shown?.index).toBe(101);
    expect(flow.earlier.get(101)).toBe(0);
    expect(flow.canUndo).toBe(false);
    expect(flow.label(2, "cow")).toBe(true);
    await settle();
    expect(flow.review).toBeNull();
    const answers = python.asked.flatMap(({ answers = [] }) => answers);
    expect(answers.at(-1)).toEqual({ type: "change", index: 101, value: 2 });
    expect(flow.shown?.draw).toBe(2);
  });

  it("that was no label can't be changed", () => {
    flow.goTo(row({ index: 102, value: undefined }));
    expect(flow.label(2, "cow")).toBe(false);
  });

  it("of the present instance is no other one", () => {
    flow.goTo(row());
    expect(flow.review).toBeNull();
  });

  it("can't be put aside", () => {
    flow.goTo(row({ index: 102 }));
    expect(flow.answer({ type: "defer" })).toBe(false);
  });
});

describe("notes and flags", () => {
  it("are shown at once, and sent", async () => {
    flow.note(101, "blurred");
    flow.flag();
    expect(flow.mark).toEqual({ note: "blurred", flagged: true });
    flow.flag();
    expect(flow.mark).toEqual({ note: "blurred", flagged: false });
    await settle();
    expect(typesSent()).toEqual(["note", "flag", "flag"]);
  });

  it("that Python tells of are those of the page, unless newer ones are under way", async () => {
    python.isThere = false;
    flow.note(101, "new");
    const state = python.state();
    state.queue[0] = { ...state.queue[0], note: "old" };
    flow.takeState(state);
    expect(flow.mark.note).toBe("new");
    flow.outbox.settle({ seq: python.asked.findLast(({ type }) => type === "answers")?.seq, ms_each: 1 });
    flow.takeState(state);
    expect(flow.mark.note).toBe("old");
  });
});

describe("the time of an answer", () => {
  it("begins with each instance in the page, and not anew with the same one", () => {
    flow.painted();
    vi.advanceTimersByTime(2000);
    flow.takeState(python.state());
    flow.painted();
    expect(flow.stopwatch.times().seconds).toBeCloseTo(2);
    flow.label(0, "cat");
    flow.painted();
    expect(flow.stopwatch.times().seconds).toBeCloseTo(0);
  });
});

describe("instances", () => {
  it("are asked for ahead, once each", async () => {
    const asked = python.asked.flatMap(({ indices = [] }) => indices);
    expect(asked[0]).toBe(101);
    expect(new Set(asked).size).toBe(asked.length);
    for (let i = 0; i < 10; i += 1) {
      flow.askForInstances();
      await settle();
    }
    const all = python.asked.flatMap(({ indices = [] }) => indices);
    expect(new Set(all).size).toBe(all.length);
    expect(instances.elements.size).toBe(40);
  });

  it("are few at once where Python takes long for each", () => {
    flow.msEach = 100;
    instances.elements.clear();
    const before = python.asked.length;
    flow.askForInstances();
    expect(python.asked[before].indices).toEqual([101, 102]);
  });

  it("are few ahead where they are large", async () => {
    flow.msEach = 1;
    instances.meanSize = 4e6;
    instances.elements.clear();
    const before = python.asked.length;
    flow.askForInstances();
    expect(python.asked[before].indices?.length).toBe(8);
  });
});

describe("what can't be saved", () => {
  it("lets nothing more be labeled, and says why", () => {
    const state = python.state();
    state.store.problem = "the disk is full";
    flow.unsaved.take({ state });
    const banners = new UnsavedBanners(flow.unsaved);
    banners.paint();
    expect(flow.canAnswer).toBe(false);
    expect(banners.nodes[0].hidden).toBe(false);
    expect(banners.nodes[0].textContent).toContain("Answers can't be saved. The disk is full.");
  });

  it("is asked of Python where this browser was told before that more is saved", async () => {
    const key = "memory";
    localStorage.setItem(`aew-saved ${key}`, JSON.stringify({ n_events: 9, time: "", n_labels: 9 }));
    connection.send("hello");
    await settle();
    expect(python.asked.find(({ type }) => type === "witness")).toMatchObject({ n_events: 9, n_labels: 9 });
  });
});
