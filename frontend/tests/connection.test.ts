import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Connection, type Model } from "../src/connection/connection";
import { askUntilAnswered, isLineDown, type Kernel } from "../src/connection/jupyter_line";
import type { FromPython } from "../src/from_python/messages";

interface Message {
  type: string;
  client: string;
  seq: number;
  is_repeated?: boolean;
}

let sent: Message[];
let listener: ((message: FromPython, buffers: DataView[]) => void) | null;
let kernel: Kernel;
let connection: Connection;
const onReply = vi.fn();
const onChange = vi.fn();

beforeEach(() => {
  vi.useFakeTimers();
  sent = [];
  listener = null;
  kernel = { connectionStatus: "connected" };
  const model: Model = {
    on: (_name, added) => {
      listener = added;
    },
    off: (_name, removed) => {
      if (listener === removed) listener = null;
    },
    send: (message) => sent.push({ ...(message as Message) }),
    widget_manager: { kernel },
  };
  connection = new Connection(model, { onReply, onChange });
});
afterEach(() => {
  connection.close();
  vi.useRealTimers();
  vi.clearAllMocks();
});

const answer = (seq: number, more: Partial<FromPython> = {}) =>
  listener?.({ client: sent[0].client, seq, ...more }, []);

describe("messages", () => {
  it("have numbers in order, and their page's name", () => {
    expect(connection.send("hello")).toBe(1);
    expect(connection.send("row", { index: 3, shows_prediction: false })).toBe(2);
    expect(sent[1]).toMatchObject({ type: "row", index: 3, seq: 2, client: sent[0].client });
  });

  it("are waited for until they are answered", () => {
    connection.send("plots", { shows_wald: false, shows_confusion: false, shown: [] });
    expect(connection.isWaitingFor("plots", "hello")).toBe(true);
    expect(connection.isWaitingFor("hello")).toBe(false);
    answer(1);
    expect(connection.isWaitingFor("plots")).toBe(false);
  });

  it("are passed on, with whether they were asked for here", () => {
    connection.send("hello");
    answer(1);
    listener?.({ client: "other", seq: 1 }, []);
    expect(onReply.mock.calls.map(([, , isOwn]) => isOwn)).toEqual([true, false]);
  });

  it("come again with the same number, at longer and longer intervals", () => {
    connection.send("hello");
    vi.advanceTimersByTime(20_000);
    const again = sent.slice(1);
    expect(again.every(({ seq, type, is_repeated }) => seq === 1 && type === "hello" && is_repeated)).toBe(true);
    expect(again.length).toBe(4); // after about 1, 3, 7 and 15 s
    answer(1);
    vi.advanceTimersByTime(4000);
    expect(sent.length).toBe(5);
  });
});

describe("a connection", () => {
  it("is lost after 2 s without an answer, and found with it", () => {
    connection.send("hello");
    vi.advanceTimersByTime(1900);
    expect(connection.isLost).toBe(false);
    vi.advanceTimersByTime(400);
    expect(connection.isLost).toBe(true);
    expect(onChange).toHaveBeenCalledTimes(1);
    answer(1);
    expect(connection.isLost).toBe(false);
    expect(onChange).toHaveBeenCalledTimes(2);
  });

  it("is tried every 5 s while nothing else is asked", () => {
    vi.advanceTimersByTime(5000);
    expect(sent.map(({ type }) => type)).toEqual(["ping"]);
  });

  it("leaves no timer and no listener when it is closed", () => {
    connection.close();
    expect(vi.getTimerCount()).toBe(0);
    expect(listener).toBeNull();
  });

  it("bears a model that can't send", () => {
    const model: Model = {
      on: () => {},
      off: () => {},
      send: () => {
        throw new Error("the kernel is gone");
      },
    };
    const other = new Connection(model, { onReply, onChange });
    expect(other.send("hello")).toBe(1);
    other.close();
  });
});

describe("while Jupyter's line is down", () => {
  it("messages wait here, and go out as soon as it is back", () => {
    kernel.connectionStatus = "connecting";
    connection.send("hello");
    vi.advanceTimersByTime(1500);
    expect(sent).toEqual([]);
    kernel.connectionStatus = "connected";
    vi.advanceTimersByTime(250);
    expect(sent.length).toBe(1);
  });

  it("is known where Jupyter tells", () => {
    expect(isLineDown(undefined)).toBe(false);
    expect(isLineDown({})).toBe(false);
    expect(isLineDown({ connectionStatus: "disconnected" })).toBe(true);
  });
});

describe("Jupyter's question of the kernel", () => {
  const question = new Request("http://127.0.0.1/api/kernels/1");
  const made = (fetch: (request: Request) => Promise<Response>): Kernel => ({ serverSettings: { fetch } });

  it("takes until the server answers", async () => {
    const fetch = vi.fn<(request: Request) => Promise<Response>>();
    fetch.mockRejectedValueOnce(new TypeError("no line")).mockRejectedValueOnce(new TypeError("no line"));
    fetch.mockResolvedValue(new Response("there"));
    const asked = made(fetch);
    askUntilAnswered(asked);
    const answered = asked.serverSettings?.fetch?.(question);
    await vi.advanceTimersByTimeAsync(1000);
    expect(await (await answered)?.text()).toBe("there");
    expect(fetch).toHaveBeenCalledTimes(3);
  });

  it("is not asked again of a kernel that is gone, nor for another reason", async () => {
    const lost = made(() => Promise.reject(new TypeError("no line")));
    askUntilAnswered(lost);
    lost.isDisposed = true;
    await expect(lost.serverSettings?.fetch?.(question)).rejects.toThrow("no line");
    const refused = made(() => Promise.reject(new RangeError("other")));
    askUntilAnswered(refused);
    await expect(refused.serverSettings?.fetch?.(question)).rejects.toThrow("other");
  });

  it("is made patient once", () => {
    const asked = made(() => Promise.resolve(new Response()));
    askUntilAnswered(asked);
    const { fetch } = asked.serverSettings ?? {};
    askUntilAnswered(asked);
    expect(asked.serverSettings?.fetch).toBe(fetch);
    askUntilAnswered(undefined);
  });
});
