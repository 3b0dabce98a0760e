import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ordered, wallPlot } from "../src/class/wall_plot";
import { Connection } from "../src/connection/connection";
import { SocketModel } from "../src/connection/socket_model";
import type { WallConfig, WallContent, WallRow } from "../src/from_python/class_messages";
import type { FromPage, FromPython } from "../src/from_python/messages";

/** A socket whose other end is the test. */
class FakeSocket {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSED = 3;
  static all: FakeSocket[] = [];
  readyState = FakeSocket.CONNECTING;
  binaryType = "";
  readonly sent: { type: string; seq: number; is_repeated?: boolean }[] = [];
  onopen = () => {};
  onmessage = (_event: { data: string | ArrayBuffer }) => {};
  onclose = (_event: { code: number; reason: string }) => {};

  constructor() {
    FakeSocket.all.push(this);
  }

  static get last(): FakeSocket {
    return FakeSocket.all[FakeSocket.all.length - 1];
  }

  send(text: string): void {
    if (this.readyState === FakeSocket.CONNECTING) throw new Error("still connecting");
    if (this.readyState === FakeSocket.OPEN) this.sent.push(JSON.parse(text));
  }

  open(): void {
    this.readyState = FakeSocket.OPEN;
    this.onopen();
  }

  close(code = 1006, reason = ""): void {
    this.readyState = FakeSocket.CLOSED;
    this.onclose({ code, reason });
  }
}

describe("the line without a kernel", () => {
  const refused = vi.fn();
  let model: SocketModel<FromPython>;

  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal("WebSocket", FakeSocket);
    FakeSocket.all = [];
    refused.mockClear();
    model = new SocketModel(new URL("ws://127.0.0.1/student"), refused);
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it("passes a message on once all of its bytes are there", () => {
    const listener = vi.fn();
    model.on("msg:custom", listener);
    FakeSocket.last.open();
    FakeSocket.last.onmessage({ data: '{"content": {"seq": 1}, "n_buffers": 2}' });
    FakeSocket.last.onmessage({ data: new Uint8Array([1]).buffer });
    expect(listener).not.toHaveBeenCalled();
    FakeSocket.last.onmessage({ data: new Uint8Array([2, 3]).buffer });
    expect(listener).toHaveBeenCalledOnce();
    const [content, buffers] = listener.mock.calls[0];
    expect(content).toEqual({ seq: 1 });
    expect(buffers.map((each: DataView) => each.byteLength)).toEqual([1, 2]);
    FakeSocket.last.onmessage({ data: '{"content": {"seq": 2}, "n_buffers": 0}' });
    expect(listener).toHaveBeenLastCalledWith({ seq: 2 }, []);
    model.off("msg:custom", listener);
    FakeSocket.last.onmessage({ data: '{"content": {"seq": 3}, "n_buffers": 0}' });
    expect(listener).toHaveBeenCalledTimes(2);
  });

  it("forgets half of a message that was cut off", () => {
    const listener = vi.fn();
    model.on("msg:custom", listener);
    FakeSocket.last.open();
    FakeSocket.last.onmessage({ data: '{"content": {"seq": 1}, "n_buffers": 1}' });
    FakeSocket.last.close();
    vi.advanceTimersByTime(10_000);
    FakeSocket.last.open();
    FakeSocket.last.onmessage({ data: new Uint8Array([1]).buffer });
    expect(listener).not.toHaveBeenCalled();
  });

  it("comes back after it was lost, and sends what has no reply again", () => {
    const connection = new Connection<FromPage, FromPython>(model, { onReply: vi.fn(), onChange: vi.fn() });
    connection.send("hello"); // before there is a line
    FakeSocket.last.open();
    vi.advanceTimersByTime(1000);
    expect(FakeSocket.last.sent.map(({ type, seq }) => [type, seq])).toContainEqual(["hello", 1]);
    FakeSocket.last.onmessage({ data: JSON.stringify({ content: clientOf(connection, 1), n_buffers: 0 }) });
    FakeSocket.last.close();
    const n = FakeSocket.all.length;
    connection.send("instances", { indices: [4] });
    vi.advanceTimersByTime(10_000);
    expect(FakeSocket.all.length).toBeGreaterThan(n);
    FakeSocket.last.open();
    vi.advanceTimersByTime(1000);
    const again = FakeSocket.last.sent.filter(({ type }) => type === "instances");
    expect(again[0]).toMatchObject({ type: "instances", is_repeated: true });
    expect(FakeSocket.last.sent.some(({ type }) => type === "hello")).toBe(false);
    connection.close();
  });

  it("does not come back once it is refused, and says why", () => {
    FakeSocket.last.close(4003, "The class is full: it has 60 students.");
    vi.advanceTimersByTime(60_000);
    window.dispatchEvent(new Event("online"));
    expect(FakeSocket.all).toHaveLength(1);
    expect(refused).toHaveBeenCalledWith("The class is full: it has 60 students.");
  });

  it("does not wait when a device wakes up", () => {
    FakeSocket.last.close();
    expect(FakeSocket.all).toHaveLength(1);
    window.dispatchEvent(new Event("focus"));
    expect(FakeSocket.all).toHaveLength(2);
    FakeSocket.last.open();
    window.dispatchEvent(new Event("focus"));
    vi.advanceTimersByTime(60_000);
    expect(FakeSocket.all).toHaveLength(2);
  });
});

/** A reply to a connection's message. */
const clientOf = (connection: object, seq: number) => ({ client: (connection as { client: string }).client, seq });

const row = (name: string, more: Partial<WallRow> = {}): WallRow => ({
  ...{ name, method: "active", is_simulated: false, is_cheater: false, n: 40, value: 0.2, low: 0.1, high: 0.3 },
  ...{ is_counted: true, is_miss: false, text: "10% to 30% after 40 labels" },
  ...more,
});
const config: WallConfig = {
  ...{ title: "Digits", about: "", measure: "error rate", is_share: true, sides: [], n_labels: 40, notes: [] },
  has_simulated: true,
};
const wallOf = (rows: WallRow[], more: Partial<WallContent> = {}): WallContent => ({
  ...{ kind: "wald", stop: "fixed", n: 40, rows, x: { low: 0, high: 0.5 }, truth: null, truth_text: "" },
  ...{ headline: "2 of 3 at 40 labels", details: [], halves: [] },
  ...more,
});

describe("the wall's plot", () => {
  const rows = [
    row("Cheater", { method: "uniform", is_cheater: true, is_simulated: true, is_miss: true }),
    row("Bob", { method: "uniform" }),
    row("Ada"),
    row("Late", { is_counted: false, low: null, high: null, value: null }),
    row("Wide", { is_simulated: true, is_miss: true, low: 0.3, high: 0.9 }),
  ];

  it("has the cheater last, and the halves apart if that is wanted", () => {
    expect(ordered(rows, false).map(({ name }) => name)).toEqual(["Bob", "Ada", "Late", "Wide", "Cheater"]);
    expect(ordered(rows, true).map(({ name }) => name)).toEqual(["Ada", "Late", "Wide", "Bob", "Cheater"]);
  });

  it("draws an interval for each who has one, and names all", () => {
    const plot = wallPlot(config, wallOf(rows), false);
    expect(plot.y.ticks.map(([, name]) => name)).toEqual(["Bob", "Ada", "Late", "Wide ◇", "Cheater"]);
    expect(plot.curves.map(({ kind }) => kind)).toEqual(["wall-uniform", "wall-active", "wall-miss", "wall-miss"]);
    expect(plot.curves[2]).toMatchObject({ x: [0.3, 0.5], y: [2, 2] }); // it ends at the edge
    expect(plot.rows.map(([name]) => name)).toEqual(["Bob", "Ada", "Late", "Wide ◇", "Cheater"]);
    expect(plot.stops[0].text).toContain("Ada: 10% to 30% after 40 labels");
    expect(plot.legend.map(([, text]) => text)).toContain("too few labels yet");
  });

  it("has the truth only where it is told", () => {
    expect(wallPlot(config, wallOf(rows), false).curves.some(({ kind }) => kind === "goal")).toBe(false);
    const plot = wallPlot(config, wallOf(rows, { truth: 0.25, truth_text: "25%" }), false);
    expect(plot.curves[0]).toEqual({ kind: "goal", x: [0.25, 0.25], y: [0, 6] });
    expect(plot.legend.map(([, text]) => text)).toContain("truth: 25%");
  });
});
