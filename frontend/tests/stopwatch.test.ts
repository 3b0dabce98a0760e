import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Stopwatch } from "../src/answers/stopwatch";

let listeners: AbortController;
let stopwatch: Stopwatch;

beforeEach(() => {
  vi.useFakeTimers();
  listeners = new AbortController();
  stopwatch = new Stopwatch(listeners.signal);
});
afterEach(() => {
  listeners.abort();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const move = () => document.dispatchEvent(new Event("pointermove"));
const hide = (isHidden: boolean) => {
  vi.spyOn(document, "hidden", "get").mockReturnValue(isHidden);
  document.dispatchEvent(new Event("visibilitychange"));
};

describe("the time for an instance", () => {
  it("runs from the restart", () => {
    vi.advanceTimersByTime(5000);
    stopwatch.restart();
    vi.advanceTimersByTime(1500);
    expect(stopwatch.times().seconds).toBeCloseTo(1.5);
  });

  it("leaves out what goes beyond 30 s without a movement", () => {
    vi.advanceTimersByTime(100_000);
    move();
    vi.advanceTimersByTime(2000);
    expect(stopwatch.times().seconds).toBeCloseTo(32);
  });

  it("counts long looks with movements", () => {
    for (let i = 0; i < 10; i += 1) {
      vi.advanceTimersByTime(20_000);
      move();
    }
    expect(stopwatch.times().seconds).toBeCloseTo(200);
  });

  it("leaves out while the page is hidden", () => {
    vi.advanceTimersByTime(3000);
    hide(true);
    vi.advanceTimersByTime(20_000);
    expect(stopwatch.times().seconds).toBeCloseTo(3);
    hide(false);
    vi.advanceTimersByTime(1000);
    expect(stopwatch.times().seconds).toBeCloseTo(4);
  });
});

describe("the first key", () => {
  it("is the first since the restart", () => {
    expect(stopwatch.times().first_key_seconds).toBeNull();
    vi.advanceTimersByTime(700);
    stopwatch.keyPressed();
    vi.advanceTimersByTime(700);
    stopwatch.keyPressed();
    expect(stopwatch.times().first_key_seconds).toBeCloseTo(0.7);
    stopwatch.restart();
    expect(stopwatch.times().first_key_seconds).toBeNull();
  });
});

it("listens no more once its page is gone", () => {
  const removed = vi.spyOn(stopwatch as unknown as { moved: () => void }, "moved");
  listeners.abort();
  move();
  expect(removed).not.toHaveBeenCalled();
});
