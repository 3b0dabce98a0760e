import { afterEach, describe, expect, it, vi } from "vitest";
import type {
  ManyContent,
  RaceConfig,
  RaceFromPython,
  RacerSteps,
  RaceState,
  Span,
} from "../src/from_python/race_messages";
import {
  binned,
  type Course,
  closerText,
  distanceText,
  drawnText,
  intervalOf,
  labelsForWidth,
  narrowerText,
  outline,
  smaller,
  widthOf,
} from "../src/race/course";
import { Player } from "../src/race/player";
import { coveragePlot, errorsPlot, estimatesPlot, picksPlot, widthsPlot } from "../src/race/plots";
import { RacePage } from "../src/race/race_page";
import fixtures from "./fixtures/race.json";

interface Fixture {
  told: { config: RaceConfig; race: RaceState; racers: RacerSteps[]; y: Span };
  expected: { n: number; off: number[]; widths: number[]; shares: number[][]; needed: number | null }[];
}

const { told, expected } = fixtures as unknown as Fixture;
const { config, racers } = told;
const courses: Course[] = told.race.methods.map((name, i) => ({
  method: config.methods.find((method) => method.name === name) ?? config.methods[0],
  steps: racers[i].steps,
}));

describe("what is read off a race", () => {
  it.each(expected)("is what Python reads off it after $n labels", ({ n, off, widths, shares, needed }) => {
    const { low, high } = config.picks;
    courses.forEach(({ steps }, i) => {
      expect(widthOf(steps[n - 1], "guaranteed")).toBeCloseTo(widths[i], 12);
      expect(Math.abs((steps[n - 1].value ?? 0) - config.truth)).toBeCloseTo(off[i], 12);
      const xs = steps.slice(0, n).map(({ x }) => x);
      binned(xs, low, high, config.picks.n_bins).forEach((share, bin) => {
        expect(share).toBeCloseTo(shares[i][bin], 12);
      });
    });
    const narrower = widths[0] < widths[1] ? 0 : 1;
    expect(smaller(widths)).toBe(narrower);
    expect(labelsForWidth(courses[1 - narrower].steps, widths[narrower], "guaranteed")).toBe(needed);
    expect(closerText(courses, n, false, true)).toContain(courses[off[0] < off[1] ? 0 : 1].method.title);
    const text = narrowerText(courses, n, "guaranteed", null, null);
    expect(text).toMatch(new RegExp(`^Narrower: ${courses[narrower].method.title}, ±`));
    expect(text.includes(" needs ")).toBe(needed !== null);
  });

  it("says what is not known yet", () => {
    expect(closerText(courses, 0, false, true)).toBe("No labels yet.");
    expect(narrowerText(courses, 0, "guaranteed", null, null)).toBe("");
    const hidden = closerText(courses, 5, true, true);
    expect(hidden).toBe("Who is closer? First guess the truth.");
    const without = courses.map((course) => ({
      ...course,
      steps: course.steps.map((step) => ({ ...step, off: null, guaranteed: null, approximate: null })),
    }));
    expect(closerText(without, 5, false, true)).toBe("Closer to the truth: not known yet.");
    expect(narrowerText(without, 5, "guaranteed", null, null)).toBe(
      "Narrower: not known before both have an interval.",
    );
    const same = [courses[0], { ...courses[1], steps: courses[0].steps }];
    expect(narrowerText(same, 5, "guaranteed", null, null)).toBe("Both intervals are equally wide.");
    expect(closerText(same, 5, false, true)).toMatch(/^Both are .* off the truth/);
  });

  it("compares no widths while both intervals are nearly everything", () => {
    const wide = (first: number, second: number) =>
      courses.map((course, i) => ({
        ...course,
        steps: course.steps.map((step) => ({
          ...step,
          guaranteed: { low: 0, high: [first, second][i], text: "", margin: "±" },
        })),
      }));
    const nothing = "Both intervals still include nearly all possible values.";
    expect(narrowerText(wide(0.85, 0.95), 5, "guaranteed", null, 1)).toBe(nothing);
    expect(narrowerText(wide(0.85, 0.95), 5, "guaranteed", null, 2)).toMatch(/^Narrower: Active/);
    expect(narrowerText(wide(0.6, 0.95), 5, "guaranteed", null, 1)).toMatch(/^Narrower: Active/);
    expect(narrowerText(wide(0.85, 0.95), 5, "guaranteed", null, null)).toMatch(/^Narrower: Active/);
  });

  it("says how an instance came to be drawn", () => {
    expect(drawnText(1)).toBe("drawn by lot, as likely as any other");
    expect(drawnText(0.25)).toBe("4 times as likely as by lot");
    expect(drawnText(1.6)).toBe("0.63 times as likely as by lot");
    expect([distanceText(0.0312, true), distanceText(0.0312, false)]).toEqual(["3.1 points", "0.031"]);
  });

  it("takes the other interval where one is missing", () => {
    const ends = { low: 0, high: 1, text: "0 to 1", margin: "±0.5" };
    const step = { ...courses[0].steps[0], guaranteed: null, approximate: ends };
    expect(intervalOf(step, "guaranteed")).toBe(ends);
    expect(intervalOf({ ...step, guaranteed: ends, approximate: null }, "approximate")).toBe(ends);
    expect(intervalOf(undefined, "guaranteed")).toBeNull();
  });

  it("tells of what lies beyond the budget", () => {
    const n = config.budget;
    const wide = courses.map((course, i) => ({
      ...course,
      steps: course.steps.map((step) => ({
        ...step,
        guaranteed: { low: 0, high: 0.2 + 0.1 * i, text: "", margin: "±" },
      })),
    }));
    expect(narrowerText(wide, n, "guaranteed", { n: 1234, isReached: true }, 1)).toContain(
      "Uniform needs 1,234 labels",
    );
    expect(narrowerText(wide, n, "guaranteed", { n: 75, isReached: false }, 1)).toContain("more than 75 labels");
  });

  it("bins the ends, and outlines bins", () => {
    expect(binned([0, 0.5, 1], 0, 1, 2)).toEqual([1 / 3, 2 / 3]);
    expect(binned([], 0, 1, 2)).toEqual([0, 0]);
    expect(outline([0.25, 0.75], 0, 1)).toEqual({ x: [0, 0.5, 0.5, 1], y: [0.25, 0.25, 0.75, 0.75] });
  });
});

describe("the plots", () => {
  it("show what was labeled, and no truth that is hidden", () => {
    const plot = estimatesPlot(config, courses, 7, told.y, "guaranteed", false);
    expect(plot.lines).toEqual([{ kind: "goal", y: config.truth }]);
    expect(plot.stops.map(({ name, x }) => [name, x.length])).toEqual([
      ["Active", 7],
      ["Uniform", 7],
    ]);
    expect(plot.rows).toHaveLength(7);
    const hidden = estimatesPlot(config, courses, 7, told.y, "guaranteed", true);
    expect(hidden.lines).toEqual([]);
    expect(JSON.stringify(hidden)).not.toContain(config.truth_text);
    for (const { low, high } of plot.bands) expect([...low, ...high].every(Number.isFinite)).toBe(true);
  });

  it("lay out the picks", () => {
    const plot = picksPlot(config.picks, courses[0], config.budget);
    expect(plot.rows).toHaveLength(config.picks.n_bins);
    expect(Math.max(...plot.bands[0].high)).toBeLessThanOrEqual(plot.y.high);
  });
});

const many = (methods: string[], nDone: number): ManyContent => {
  const [median, low, high] = [0.1, 0.05, 0.2].map((value) => [null, value]);
  const ends = { guaranteed: [null, 0.5], approximate: [null, 0.25] };
  const coverage = { guaranteed: [null, 1], approximate: [null, 0.88] };
  const curve = { median, low, high, rmse: median, widths: ends, coverage };
  return {
    methods,
    n_done: nDone,
    n_races: config.n_races,
    at: [5, 15],
    curves: methods.map(() => curve),
    share_closer: 0.8,
  };
};

describe("many races", () => {
  const methods = courses.map(({ method }) => method);
  const content = many(told.race.methods, config.n_races);

  it("draw what there is: distances with a band, widths and coverage of a kind of interval", () => {
    const errors = errorsPlot(config, methods, content);
    expect(errors.curves.map(({ x, y }) => [x, y])).toEqual([
      [[15], [0.1]],
      [[15], [0.1]],
    ]);
    expect(errors.bands[0]).toMatchObject({ x: [15], low: [0.05], high: [0.2] });
    expect(errors.rows[1][1]).toBe(
      "half of the races within 10 points, nine in ten within 20 points; root mean square 10 points",
    );
    const widths = widthsPlot(config, methods, content, "approximate");
    expect(widths.curves[0].y).toEqual([0.25]);
    expect(widths.bands).toEqual([]);
    expect(widths.rows.map(([, text]) => text)).toEqual(["no interval", "25 points wide"]);
    const coverage = coveragePlot(methods, content, "approximate");
    expect(coverage.y.low).toBeCloseTo(0.85);
    expect(coverage.lines).toEqual([{ kind: "goal", y: 0.95 }]);
    expect(coverage.rows.map(([, text]) => text)).toEqual(["no interval", "88.0%"]);
    expect(coveragePlot(methods, content, "guaranteed").y.low).toBeCloseTo(0.9);
  });
});

describe("the player", () => {
  afterEach(() => vi.useRealTimers());

  it("plays as fast as it is told, and no further than there is", () => {
    vi.useFakeTimers();
    let most = 5;
    const moves: number[] = [];
    const player = new Player(
      () => most,
      () => 10,
      () => moves.push(player.place),
    );
    player.speed = 100;
    player.play();
    vi.advanceTimersByTime(1000);
    expect(player.place).toBe(5);
    expect(player.isPlaying).toBe(true); // more may come
    most = 10;
    vi.advanceTimersByTime(1000);
    expect([player.place, player.isPlaying]).toEqual([10, false]);
    expect(moves).toEqual([...new Set(moves)]);
    player.goTo(0);
    player.speed = 2;
    player.play();
    vi.advanceTimersByTime(1100);
    expect(player.place).toBeGreaterThanOrEqual(2);
    expect(player.place).toBeLessThanOrEqual(4);
    player.step();
    expect(player.isPlaying).toBe(false);
  });
});

interface Sent {
  type: string;
  client: string;
  seq: number;
  n: number;
  racer: number;
  racers: number[];
  value: unknown;
  known: { n: number }[];
  methods: string[];
}

/** Stands in for Python: all steps are known. */
class FakeRace {
  readonly sent: Sent[] = [];
  readonly listeners = new Set<(message: RaceFromPython, buffers: DataView[]) => void>();
  byHand: number[] = [];
  counts = [config.budget, config.budget];
  version = 0;
  nDone = 0; // of the many races
  readonly model = {
    on: (_: string, listener: (message: RaceFromPython, buffers: DataView[]) => void) =>
      void this.listeners.add(listener),
    off: () => {},
    send: (message: unknown) => this.take(message as Sent),
  };

  emit(message: RaceFromPython, buffers: DataView[] = []): void {
    for (const listener of this.listeners) listener(message, buffers);
  }

  private take(message: Sent): void {
    this.sent.push(message);
    const [content, buffers] = this.answer(message);
    queueMicrotask(() => this.emit({ ...content, client: message.client, seq: message.seq }, buffers));
  }

  private get race(): RaceState {
    return { ...told.race, by_hand: this.byHand, n_by_hand: 0 };
  }

  private answer(message: Sent): [RaceFromPython, DataView[]] {
    if (message.type === "hello") return [{ ...told, race: this.race }, []];
    if (message.type === "by_hand") {
      this.byHand = message.racers;
      for (const i of message.racers) this.counts[i] = message.n;
      if (this.byHand.length === 0) this.counts = [config.budget, config.budget]; // the expert goes on
      this.version += 1;
      return [{ race: this.race }, []];
    }
    if (message.type === "races") {
      this.nDone = Math.min(config.n_races, this.nDone + 50);
      return [{ many: many(message.methods, this.nDone) }, []];
    }
    if (message.type === "give") {
      this.counts[message.racer] += 1;
      return [{ race: this.race }, []];
    }
    if (message.type === "steps") {
      const now = racers.map((racer, i) => ({
        ...racer,
        version: this.version,
        start: 0,
        n: this.counts[i],
        steps: racer.steps.slice(0, this.counts[i]),
        next_index: this.counts[i] < config.budget ? racer.steps[this.counts[i]].index : null,
        next_weight: this.counts[i] < config.budget ? 0.5 : null,
        is_done: this.counts[i] === config.budget,
      }));
      return [{ race: this.race, racers: now, y: told.y }, []];
    }
    if (message.type === "instances") {
      const { indices } = message as unknown as { indices: number[] };
      const about = { mime: "application/vnd.aew+json", pixelated: false, note: "" };
      const bytes = indices.map((i) => new TextEncoder().encode(JSON.stringify(["p", {}, [`Text ${i}`]])));
      return [
        { instances: indices.map((index) => ({ index, description: `Instance ${index}`, ...about })) },
        bytes.map(({ buffer }) => new DataView(buffer)),
      ];
    }
    return [{}, []];
  }
}

describe("the page", () => {
  const pages: RacePage[] = [];
  afterEach(() => {
    for (const page of pages.splice(0)) page.close();
    document.body.replaceChildren();
  });

  const shown = async () => {
    const python = new FakeRace();
    const el = document.createElement("div");
    document.body.append(el);
    pages.push(new RacePage(python.model, el));
    const settled = () => new Promise((resolve) => setTimeout(resolve, 30));
    await settled();
    const press = async (key: string) => {
      el.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, composed: true }));
      await settled();
    };
    return { python, el, press };
  };

  it("steps, hides the truth and begins anew by key", async () => {
    const { el, press, python } = await shown();
    expect(el.dataset.known).toBe(String(config.budget));
    await press("ArrowRight");
    await press("ArrowRight");
    expect(el.dataset.n).toBe("2");
    expect(el.querySelector("[data-aew=count]")?.textContent).toBe(`2 of ${config.budget} labels`);
    const [first] = el.querySelectorAll<HTMLElement>("[data-aew=racer]");
    expect(first.dataset.value).toBe(String(racers[0].steps[1].value));
    expect(first.querySelector("[data-aew=pick]")?.textContent).toBe(`Text ${racers[0].steps[1].index}`);
    await press("t");
    expect(el.querySelector("[data-aew=finding]")?.textContent).toContain("First guess");
    await press("0");
    expect(el.dataset.n).toBe("0");
    await press("n");
    expect(python.sent.at(-1)).toMatchObject({ type: "new_race", seed: told.race.seed + 1 });
  });

  it("takes labels by hand for one racer, each once", async () => {
    const { el, press, python } = await shown();
    await press("ArrowRight");
    await press("h");
    expect(el.querySelector<HTMLElement>("[data-aew=by-hand]")?.hidden).toBe(false);
    expect(el.querySelector("[data-aew=by-hand] .aew-whose")?.textContent).toBe(
      "Active asks for label 2: 2 times as likely as by lot",
    );
    const instance = el.querySelector("[data-aew=instance]");
    expect(instance?.textContent).toContain(`Text ${racers[0].steps[1].index}`);
    el.dispatchEvent(new KeyboardEvent("keydown", { key: "1", bubbles: true, composed: true }));
    await press("1"); // before the first one is answered: it would be of an instance that nobody has seen
    const given = python.sent.filter(({ type }) => type === "give");
    expect(given).toHaveLength(1);
    expect(given[0]).toMatchObject({ racer: 0, n: 2, value: 1 });
    expect(el.dataset.n).toBe("2");
    expect(el.querySelector("[data-aew=by-hand] .aew-whose")?.textContent).toBe(
      "Active asks for label 3: 2 times as likely as by lot",
    );
    await press("Escape");
    expect(el.querySelector<HTMLElement>("[data-aew=by-hand]")?.hidden).toBe(true);
  });

  it("runs many races once they are looked at, to the end, while the race is shown", async () => {
    const { el, press, python } = await shown();
    const tab = (name: string) => el.querySelector<HTMLElement>(`[data-aew=tab-${name}]`);
    const asked = () => python.sent.filter(({ type }) => type === "races");
    expect(asked()).toEqual([]);
    tab("many")?.click();
    tab("one")?.click();
    await press("ArrowRight");
    expect(el.dataset.n).toBe("1");
    expect(asked()).toHaveLength(config.n_races / 50);
    expect(tab("many")?.textContent).toBe(`${config.n_races} races`);
    tab("many")?.click();
    const finding = el.querySelector("[data-aew=many-finding]")?.textContent;
    expect(finding).toContain(
      `After 15 labels, in ${config.n_races} races. Active: half of the estimates within 10 points`,
    );
    expect(finding).toContain("interval 50 points wide, right in 100%. Active ended closer in 80%.");
    expect(el.querySelector("progress")?.parentElement?.hidden).toBe(true);
  });

  it("stops many races, begins a new race meanwhile, and goes on when told", async () => {
    const { el, press, python } = await shown();
    const asked = () => python.sent.filter(({ type }) => type === "races").length;
    el.querySelector<HTMLElement>("[data-aew=tab-many]")?.click();
    const stop = el.querySelector<HTMLElement>("[data-aew=stop-many]");
    expect(stop?.textContent).toBe("Stop");
    stop?.click(); // while the answer to the first request is under way
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(asked()).toBe(1);
    expect(stop?.textContent).toBe("Go on");
    expect(el.querySelector("[data-aew=tab-many]")?.textContent).toBe(`50 of ${config.n_races} races`);
    el.querySelector<HTMLElement>("[data-aew=tab-one]")?.click();
    await press("n");
    expect(python.sent.some(({ type }) => type === "new_race")).toBe(true);
    expect(asked()).toBe(1);
    stop?.click();
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(asked()).toBe(config.n_races / 50);
  });

  it("takes in what another page of the same race did", async () => {
    const { el, python } = await shown();
    python.counts = [4, config.budget];
    python.version += 1;
    python.byHand = [0];
    python.emit({ race: { ...told.race, by_hand: [0], n_by_hand: 1 } });
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(el.dataset.n).toBe("4");
    expect(el.querySelector("[data-aew=by-hand] .aew-whose")?.textContent).toBe(
      "Active asks for label 5: 2 times as likely as by lot",
    );
  });
});
