import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Connection, type Model } from "../src/connection/connection";
import { isLineDown, type Kernel, reconnect } from "../src/connection/jupyter_line";
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
const onReconnect = vi.fn();

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
  connection = new Connection(model, { onReply, onChange, onReconnect });
});
afterEach(() => {
  connection.close();
  vi.useRealTimers();
  vi.clearAllMocks();
});

const answer = (seq: number, more: Partial<FromPython> = {}) =>
  listener?.({ client: sent[0].client, seq, ...more }, []);

describe("messages", () => {
  it("come from JupyterLite as text, whose kernel drops fields that are None", () => {
    listener?.({ json: '{"config": {"guidelines": null}}' } as unknown as FromPython, []);
    expect(onReply.mock.lastCall?.[0]).toStrictEqual({ config: { guidelines: null } });
  });

  it("have numbers in order, and their page's name", () => {
    expect(connection.send("hello")).toBe(1);
    expect(connection.send("row", { index: 3, shows_prediction: false })).toBe(2);
    expect(sent[1]).toMatchObject({ type: "row", index: 3, seq: 2, client: sent[0].client });
  });

  it("are waited for until they are answered", () => {
    connection.send("plots", { shows_wald: false, shown: [] });
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

  it("the page learns that it is back, but not of the first connection", () => {
    kernel.connectionStatus = "connecting";
    vi.advanceTimersByTime(500);
    kernel.connectionStatus = "connected";
    vi.advanceTimersByTime(500);
    expect(onReconnect).not.toHaveBeenCalled();
    kernel.connectionStatus = "connecting";
    vi.advanceTimersByTime(500);
    expect(onReconnect).not.toHaveBeenCalled();
    kernel.connectionStatus = "connected";
    vi.advanceTimersByTime(500);
    expect(onReconnect).toHaveBeenCalledTimes(1);
  });

  it("is known where Jupyter tells", () => {
    expect(isLineDown(undefined)).toBe(false);
    expect(isLineDown({})).toBe(false);
    expect(isLineDown({ connectionStatus: "disconnected" })).toBe(true);
  });
});

describe("a line that was up, and is down", () => {
  const line = (fetch: () => Promise<Response>) => {
    const made = {
      connectionStatus: "connected",
      isDisposed: false,
      serverSettings: { baseUrl: "http://127.0.0.1/", fetch: vi.fn(fetch) },
      reconnect: vi.fn(() => Promise.resolve()),
    };
    return made;
  };
  const look = async (kernel: Kernel, n: number) => {
    for (let i = 0; i < n; i += 1) {
      await vi.advanceTimersByTimeAsync(250);
      void reconnect(kernel, performance.now());
    }
  };

  it("is connected anew as soon as the server answers, and not twice at a time", async () => {
    let isThere = false;
    const kernel = line(() => (isThere ? Promise.resolve(new Response()) : Promise.reject(new TypeError("no line"))));
    await look(kernel, 1);
    kernel.connectionStatus = "connecting";
    await look(kernel, 8);
    expect(kernel.serverSettings.fetch.mock.calls.length).toBeGreaterThan(2);
    expect(kernel.reconnect).not.toHaveBeenCalled();
    isThere = true;
    await look(kernel, 8);
    expect(kernel.reconnect).toHaveBeenCalledTimes(1);
    await look(kernel, 20);
    expect(kernel.reconnect).toHaveBeenCalledTimes(2);
  });

  it("is not interrupted while it is being connected, for twenty seconds", async () => {
    const kernel: ReturnType<typeof line> & Kernel = line(() => Promise.resolve(new Response()));
    await look(kernel, 1);
    Object.assign(kernel, { connectionStatus: "connecting", _ws: { readyState: 0 } }); // as when a kernel restarts
    await look(kernel, 60);
    expect(kernel.reconnect).not.toHaveBeenCalled();
    kernel._ws = { readyState: 0 }; // a later attempt has its own time
    await look(kernel, 60);
    expect(kernel.reconnect).not.toHaveBeenCalled();
    await look(kernel, 30);
    expect(kernel.reconnect).toHaveBeenCalledTimes(1);
    kernel._ws = { readyState: 3 };
    await look(kernel, 30);
    expect(kernel.reconnect).toHaveBeenCalledTimes(2);
  });

  it("is left to Jupyter before it was up, or when the kernel is gone", async () => {
    const kernel = line(() => Promise.resolve(new Response()));
    kernel.connectionStatus = "connecting";
    await look(kernel, 8);
    kernel.connectionStatus = "connected";
    await look(kernel, 1);
    Object.assign(kernel, { connectionStatus: "connecting", isDisposed: true });
    await look(kernel, 8);
    expect(kernel.serverSettings.fetch).not.toHaveBeenCalled();
  });
});
