import { afterEach, describe, expect, it } from "vitest";
import { type Declared, WatchedInterval, WatchedTruth } from "../src/explorers/formulas/bets";
import { coverages, type FixedInterval } from "../src/explorers/formulas/coverage";
import { drawsForHundred, expected as expectedOf, multiples, type Pool, squares } from "../src/explorers/formulas/pool";
import {
  differenceOutcomes,
  errorOutcomes,
  fOutcomes,
  type Outcome,
  preferenceOf,
  squaredDifferenceOutcomes,
  squaredErrorOutcomes,
} from "../src/explorers/formulas/preferences";
import {
  chanceToRank,
  drawsForHalfWidth,
  drawVariances,
  errorProfile,
  type Method,
  recalibrated,
  spoiled,
} from "../src/explorers/formulas/savings";
import { Trials, tiltedBets } from "../src/explorers/formulas/trial";
import { mountAll } from "../src/explorers/index";
import { numbersOf } from "../src/explorers/pool_bins";
import { LongRun, randomFrom } from "../src/explorers/simulation";
import fixtures from "./fixtures/explorers.json";

const EXACT = 1e-9;

function close(found: number[], expected: number[]): void {
  expect(found.length).toBe(expected.length);
  found.forEach((value, i) => {
    expect(Math.abs(value - expected[i])).toBeLessThanOrEqual(EXACT * Math.max(1, Math.abs(expected[i])));
  });
}

describe("preferences are what Python computes", () => {
  const { p, error, f, difference } = fixtures.preferences;
  const of = (outcomes: (x: number) => Outcome[]) => p.map((x) => preferenceOf(outcomes(x)));

  it("of the error rate", () => {
    for (const [risk, expected] of error as [number, number[]][])
      close(
        of((x) => errorOutcomes(x, risk)),
        expected,
      );
  });

  it("of F", () => {
    for (const [value, eta, predicted, expected] of f as [number, number, boolean, number[]][]) {
      close(
        of((x) => fOutcomes(x, value, eta, predicted)),
        expected,
      );
    }
  });

  it("of two models", () => {
    for (const [by, first, second, expected] of difference as [number, boolean, boolean, number[]][]) {
      close(
        of((x) => differenceOutcomes(x, by, first, second)),
        expected,
      );
    }
  });
});

describe("preferences of squared errors are what Python computes", () => {
  const { p, squared, squared_difference } = fixtures.preferences;

  it("of one regressor", () => {
    for (const [risk, bias, expected] of squared as [number, number, number[]][]) {
      close(
        p.map((x) => preferenceOf(squaredErrorOutcomes(x, risk, bias))),
        expected,
      );
    }
  });

  it("of two regressors", () => {
    for (const [deviation, expected] of squared_difference as [number, number[]][]) {
      close(
        p.map((x) => preferenceOf(squaredDifferenceOutcomes(x, deviation))),
        expected,
      );
    }
  });
});

describe("q of a pool is what Python computes", () => {
  const given = fixtures.pools.map((each) => [each.data.measure, each] as const);
  it.each(given)("of the %s", (_, { data, defensive, multiples: drawn, hundred }) => {
    const column = (name: string) => numbersOf((data.columns as unknown as Record<string, string>)[name]);
    const pool: Pool =
      data.kind === "f"
        ? { kind: "f", positive: column("positive"), predicted: column("predicted") }
        : { kind: "risk", mean: column("mean"), variance: column("variance") };
    const eta = data.eta ?? 0;
    const square = squares(pool, expectedOf(pool, eta), eta);
    const found = multiples(square, data.costs === null ? null : numbersOf(data.costs), defensive);
    close([...found], drawn);
    close([drawsForHundred(square, found)], [hundred]);
  });

  it("and all are drawn alike where nothing tells more", () => {
    const nothing = new Float64Array(3);
    close([...multiples(nothing, null, 0.1)], [1, 1, 1]);
    close([...multiples(nothing, Float64Array.of(1, 1, 4), 0)], [1.2, 1.2, 0.6]);
  });
});

describe("the interval that may be watched is what Python computes", () => {
  it.each(fixtures.watched)("at a rate of $truth", ({ truth, deadlines, labels, at, low, high, capital }) => {
    const [interval, bets] = [
      new WatchedInterval(deadlines as Declared),
      new WatchedTruth(truth, deadlines as Declared),
    ];
    const course = labels.map((y) => {
      interval.update(y);
      bets.update(y);
      return [interval.low, interval.high, bets.capital];
    });
    const of = (which: number) => at.map((i) => course[i][which]);
    close(of(0), low);
    close(of(1), high);
    close(of(2), capital);
  });
});

describe("coverage is what Python computes", () => {
  it("of all intervals", () => {
    for (const [kind, n, expected] of fixtures.coverage.coverages as [FixedInterval, number, number[]][]) {
      close(coverages(kind, n, fixtures.coverage.rates), expected);
    }
  });
});

describe("savings are what Python computes", () => {
  it.each(fixtures.savings.cases)("at an error rate of $rate", (expected) => {
    const profile = errorProfile(expected.rate, expected.spread);
    const profiles = spoiled(profile, expected.power, expected.cluster);
    const found = drawVariances(profiles);
    for (const [method, variance] of Object.entries(expected.variances)) close([found[method as Method]], [variance]);
    close([chanceToRank(profile)], [expected.rank]);
    close(
      recalibrated(profiles).filter((_, i) => i % 40 === 0),
      expected.recalibrated,
    );
    for (const [halfWidth, interval, draws] of expected.draws as [number, "wald" | "watched", number][]) {
      expect(drawsForHalfWidth(found.optimal, halfWidth, interval)).toBe(draws);
    }
  });

  it("with the bets of the trial", () => {
    for (const [promised, outcome, over, under] of fixtures.savings.bets as [number, number, number[], number[]][]) {
      const [more, fewer] = tiltedBets(promised, outcome);
      close(more, over);
      close(fewer, under);
    }
  });
});

let away: (() => void)[] = [];
afterEach(() => {
  for (const close of away.splice(0)) close();
});

/** An explorer on a page, as a static page has it. */
function onPage(name: string, data: unknown = null): HTMLElement {
  const content = JSON.stringify({ name, title: "Title", settings: {}, data });
  document.body.innerHTML = `<div data-aew-explorer="${name}"><script type="application/json">${content}</script></div>`;
  away = mountAll();
  const found = document.querySelector<HTMLElement>("[data-aew=explorer]");
  if (found === null) throw new Error("no explorer");
  return found;
}

function move(page: HTMLElement, name: string, value: number): void {
  const inputs = [...page.querySelectorAll<HTMLInputElement>(`[data-aew=${name}]`)];
  for (const input of inputs) {
    input.value = String(value);
    input.dispatchEvent(new Event("input"));
  }
}

const found = (page: HTMLElement): string[] =>
  [...page.querySelectorAll(".aew-finding")].map((node) => node.textContent ?? "");

describe("what q prefers", () => {
  it("says that all instances tell the same at an error rate of one half", () => {
    const page = onPage("what-q-prefers");
    expect(found(page)[0]).toContain("drawn 2.9 times as often");
    move(page, "risk", 0.5);
    expect(found(page)[0]).toContain("drawn 1.0 times as often");
  });

  it("opens its views by keys", () => {
    const page = onPage("what-q-prefers");
    const tabs = [...page.querySelectorAll<HTMLElement>("[role=tab]")];
    tabs[0].dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
    expect(tabs.map((tab) => tab.getAttribute("aria-selected"))).toEqual(["false", "true", "false", "false", "false"]);
    move(page, "eta", 1);
    expect(found(page)[1]).toContain("a sure negative (2%) 0 times");
  });

  it("goes from the squared distance of two regressors to the distance, as their scatter grows", () => {
    const page = onPage("what-q-prefers");
    page.querySelector<HTMLElement>("[data-aew=tab-two-regressors]")?.click();
    expect(found(page)[4]).toMatch(/16 times without scatter, 4.0 times with scatter without end/);
    move(page, "deviation", 0);
    expect(found(page)[4]).toContain("is drawn 16 times as often");
  });

  it("works a point out", () => {
    const page = onPage("what-q-prefers");
    expect(page.querySelector("[data-aew=worked]")?.textContent).toContain("0.7 × 0.01 + 0.3 × 0.81 = 0.25");
  });
});

describe("watching an interval", () => {
  const run = (every: number, count: number) => {
    const made = new LongRun(0.1, every, 800);
    for (let seed = 1001; seed <= 1000 + count; seed += 1) made.add(seed);
    return { wald: made.ever().wald[800], watched: made.ever().watched[800], atEnd: made.wrongAt(800) };
  };

  it("catches Wald's interval in about half of the sessions, and the watched one in no more than it may", () => {
    const { wald, watched, atEnd } = run(1, 50);
    expect(wald).toBeGreaterThan(0.3); // 0.461 in benchmarks/results/watched.md
    expect(wald).toBeLessThan(0.65);
    expect(watched).toBeLessThan(0.1);
    const once = run(800, 5);
    expect(once.wald).toBe(once.atEnd);
    expect(atEnd).toBeLessThan(0.12);
  });

  it("is stepped label by label", () => {
    const page = onPage("watching-an-interval", { at: [10, 800], n_sessions: 1, means: [] });
    page.querySelector<HTMLElement>("[data-aew=new-session]")?.click();
    expect(found(page)[0]).toContain("This session, after 0 labels: Wald has not missed the truth in 0 looks");
    page.querySelector<HTMLElement>("[data-aew=step-20]")?.click();
    page.querySelector<HTMLElement>("[data-aew=step]")?.click();
    expect(found(page)[0]).toMatch(/after 21 labels: Wald .* 2 looks/);
  });

  it("shows sessions of adaptive draws, and the long run that the benchmark found", () => {
    const session = (wald_wrong: number[]) => ({
      truth: 0.1,
      value: [0.2, 0.12],
      low: [0, 0.05],
      high: [0.6, 0.3],
      wald_low: [null, 0.105],
      wald_high: [null, 0.2],
      wald_wrong,
      watched_since: null,
    });
    const adaptive = {
      looks: [20, 25],
      n_labels: 25,
      n_instances: 100,
      runs: [{ power: 1, sessions: [session([25]), session([])] }],
      benchmarked: {
        n_sessions: [20, 2000],
        adaptive: [{ name: "digits", ratios: [1.5, 1.4], watched: 0.05 }],
        one_q: [
          { name: "spam", wald: 0.281, once: [0.05, 0.06], watched: 0.01 },
          { name: "<b>digits</b>", wald: 0.62, once: [0.05, 0.06], watched: 0.04 },
        ],
      },
    };
    const page = onPage("watching-an-interval", { at: [10, 800], n_sessions: 1, means: [], adaptive });
    page.querySelector<HTMLElement>("[data-aew=tab-adaptive]")?.click();
    expect(found(page)[3]).toContain(
      "missed the truth at 1 look of 2, first after 25 labels; the watched interval never",
    );
    expect(found(page)[3]).toContain("wrong at some look in 1, the watched interval in 0");
    move(page, "session", 2);
    expect(found(page)[3]).toContain("at none of 2 looks");
    const table = page.querySelector("[data-aew=one-q]");
    expect(table?.textContent).toContain("28% to 62%");
    expect(table?.querySelector("b")).toBeNull();
  });

  it("tells how often intervals hold at one look", () => {
    const page = onPage("watching-an-interval", { at: [10, 800], n_sessions: 1, means: [] });
    page.querySelector<HTMLElement>("[data-aew=tab-once]")?.click();
    expect(found(page)[1]).toContain("With 50 labels");
    expect(found(page)[1]).toContain("Clopper–Pearson in 96.9% and 95%");
  });
});

describe("when the model lies", () => {
  it("turns the gain of the papers' q* into a loss, which labels mend", () => {
    const page = onPage("when-the-model-lies", { n_labels: 200, n_instances: 2000, n_sessions: 1, rows: [] });
    const taken = () =>
      [...(found(page)[0].match(/q\* takes (\d+), .* variate (\d+), recalibrated (\d+)/) ?? [])].map(Number);
    move(page, "power", 0);
    const [, honest, control] = taken();
    expect(honest).toBeLessThan(85);
    expect(control).toBeLessThan(honest);
    move(page, "power", 3);
    const [, lying, , mended] = taken();
    expect(lying).toBeGreaterThan(100);
    expect(mended).toBeLessThan(90);
  });

  it("is found out by the trial, and an honest model is not", () => {
    const trials = (power: number) => {
      const { errors, claims, shares } = spoiled(errorProfile(0.1, 2), power, 0);
      const made = new Trials(errors, claims, shares);
      const random = randomFrom(3);
      return Array.from({ length: 60 }, () => made.run(random, 200)).filter((verdict) => verdict !== null);
    };
    expect(trials(1).length).toBeLessThan(9); // 3 expected at most; 9 has probability 0.004
    const caught = trials(8);
    expect(caught.length).toBeGreaterThan(50);
    expect(caught.filter(({ verdict }) => verdict === "over").length).toBeGreaterThan(50);
  });
});

describe("how many labels", () => {
  it("says that methods are alike where the model knows nothing", () => {
    const page = onPage("how-many-labels");
    expect(found(page)[0]).toMatch(/±3 points take 1,056 labels by uniform draws, 716 .*, 521 by adaptive/);
    move(page, "knowledge", 0);
    expect(found(page)[0]).toContain("1,056 labels by uniform draws, 1,056 by the papers’ q*, 1,056 by adaptive");
  });
});
