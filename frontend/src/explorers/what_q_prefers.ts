// Explorer: which instances q prefers, by the model's probabilities and the believed value.

import { Slider } from "../dom/controls";
import type { TableDialog } from "../panels/plot";
import { numberText, percentText } from "../text/numbers";
import { given, type Settings, type View } from "./explorer";
import {
  differenceOutcomes,
  errorOutcomes,
  fOutcomes,
  squaredDifferenceOutcomes,
  squaredErrorOutcomes,
} from "./formulas/preferences";
import { type Curve, type Preferences, PreferenceView, times } from "./preference_view";

type Update = () => void;

export const views = (table: TableDialog, settings: Settings): View[] =>
  [errorRate, fMeasure, twoModels, squaredError, twoRegressors].map(
    (make) => new PreferenceView((update) => make(settings, update), table),
  );

function errorRate(settings: Settings, update: Update): Preferences {
  const risk = new Slider(
    { name: "risk", label: "Error rate you believe in", value: given(settings, "risk", 0.1) },
    update,
  );
  return {
    name: "error-rate",
    title: "Error rate",
    see: "Chance decides which instance is labeled next, and q is the probability of each. A label tells more the farther it is expected to be from what you believe already. If you believe in few errors, a correct answer is no news and an error is: so instances are preferred where the model doubts its own answer.",
    play: "move the error rate to 50%: right and wrong are then equally far away, and all instances tell the same. Beyond that, it is right answers that are news.",
    axis: "How sure the model is of its answer",
    at: (x) => `${percentText(x)} sure`,
    sliders: [risk],
    doubt: (x) => 1 - x,
    start: [0.7, 0],
    curves: () => [
      {
        kind: "third",
        name: "drawn, by the papers’ rule",
        has: () => true,
        share: 1,
        outcomes: (x) => errorOutcomes(x, risk.value),
        words: () => [
          ["The answer is right, the loss 0", `0 − ${percentText(risk.value)}`],
          ["It is wrong, the loss 1", `1 − ${percentText(risk.value)}`],
        ],
      },
    ],
    found: (multiple) =>
      `If you believe in ${percentText(risk.value)} errors, an instance of which the model is 50% sure is drawn ${times(multiple(0.5, 0) / multiple(0.95, 0))} times as often as one of which it is 95% sure.`,
    heat: {
      slider: risk,
      low: 0,
      high: 1,
      label: "all error rates (upward)",
      tick: percentText,
      outcomes: (x, y) => errorOutcomes(x, y),
    },
  };
}

function fMeasure(settings: Settings, update: Update): Preferences {
  const f = new Slider(
    {
      name: "f",
      label: "F you believe in",
      low: 0.02,
      value: given(settings, "f", 0.6),
      text: (value) => value.toFixed(2),
    },
    update,
  );
  const eta = new Slider(
    { name: "eta", label: "Weight of precision (η)", value: given(settings, "eta", 0.5), text: etaText },
    update,
  );
  const curve = (predicted: boolean): Curve => ({
    kind: predicted ? "estimate" : "second",
    name: predicted ? "predicted positive" : "predicted negative",
    has: (x) => (predicted ? x >= 0.5 : x <= 0.5),
    share: 1,
    outcomes: (x) => fOutcomes(x, f.value, eta.value, predicted),
    words: () => {
      const [g, h] = [f.value.toFixed(2), eta.value.toFixed(2)];
      return predicted
        ? [
            ["A hit, which counts 1", `1 − ${g}`],
            ["A false alarm, which counts in the denominator with η", `−${h} × ${g}`],
          ]
        : [
            ["A miss, which counts in the denominator with 1 − η", `−(1 − ${h}) × ${g}`],
            ["Rightly negative, which F does not see", "0"],
          ];
    },
  });
  return {
    name: "f",
    title: "F",
    see: "F is made of hits, misses and false alarms of one class; what is rightly negative does not count. So predicted negatives are worth a label only if they may be misses. The weight of precision, η, says what counts: 0 is recall, 1 precision, ½ the usual F₁.",
    play: "move η to 1: precision is about predicted positives alone, and no other is ever drawn. Move it to 0 (recall), and the surer a positive is, the more it tells.",
    axis: "Probability of the class, as the model says",
    at: (x) => `probability ${percentText(x)}`,
    sliders: [eta, f],
    doubt: (x) => 1 - Math.abs(2 * x - 1),
    start: [0.7, 1],
    curves: () => [curve(false), curve(true)],
    found: (multiple) =>
      `With η = ${eta.value.toFixed(2)} and a believed F of ${f.value.toFixed(2)}: a doubtful positive (60%) is drawn ${times(multiple(0.6, 1))} times as often as uniformly, a doubtful negative (40%) ${times(multiple(0.4, 0))} times, a sure negative (2%) ${times(multiple(0.02, 0))} times.`,
    heat: {
      slider: eta,
      low: 0,
      high: 1,
      label: "all η (upward, from recall to precision)",
      tick: (value) => numberText(value, 2, { trims: true }),
      outcomes: (x, y) => fOutcomes(x, f.value, y, x >= 0.5),
    },
  };
}

const etaText = (value: number): string => {
  if (value === 0) return "0: recall";
  if (value === 1) return "1: precision";
  return value === 0.5 ? "0.5: F₁" : value.toFixed(2);
};

function twoModels(settings: Settings, update: Update): Preferences {
  const difference = new Slider(
    {
      name: "difference",
      label: "Difference of error rates you believe in",
      low: -0.5,
      high: 0.5,
      value: given(settings, "difference", 0.1),
      text: (value) => `${numberText(100 * value, 0, { sign: true })} points`,
    },
    update,
  );
  const agree = new Slider(
    { name: "agree", label: "Instances on which both agree", high: 0.99, value: given(settings, "agree", 0.8) },
    update,
  );
  const by = () => numberText(difference.value, 2);
  const curve = (kind: string, name: string, first: boolean, second: boolean): Curve => ({
    kind,
    name,
    has: () => true,
    share: first === second ? agree.value : (1 - agree.value) / 2,
    outcomes: (x) => differenceOutcomes(x, difference.value, first, second),
    words: () => {
      if (first === second) {
        return [
          ["Positive: both right, or both wrong", `0 − (${by()})`],
          ["Negative: both wrong, or both right", `0 − (${by()})`],
        ];
      }
      const right: [string, string] = ["Only the first is right", `−1 − (${by()})`];
      const wrong: [string, string] = ["Only the second is right", `1 − (${by()})`];
      return first ? [right, wrong] : [wrong, right];
    },
  });
  return {
    name: "two-models",
    title: "Two models",
    see: "Which of two classifiers is better? Where both give the same answer, a label can't tell them apart, whatever it is. So nearly all labels go to where they differ, whoever may be right there.",
    play: "move the difference to 0: where the models agree nothing is drawn at all. The more they agree, the more is saved.",
    axis: "Probability of the positive class, by both models together",
    at: (x) => `probability ${percentText(x)}`,
    sliders: [difference, agree],
    doubt: (x) => 1 - Math.abs(2 * x - 1),
    start: [0.7, 0],
    curves: () => [
      curve("estimate", "only the first says positive", true, false),
      curve("second", "only the second says positive", false, true),
      curve("third", "both say the same", true, true),
    ],
    found: (multiple) => {
      const share = agree.value * multiple(0.5, 2);
      return `The models differ on ${percentText(1 - agree.value)} of the instances, and ${percentText(1 - share)} of the labels go there: each is drawn about ${times(multiple(0.5, 0))} times as often as uniformly.`;
    },
  };
}

const shareText = (value: number): string => value.toFixed(2);

function squaredError(settings: Settings, update: Update): Preferences {
  const risk = new Slider(
    {
      name: "squared-error",
      label: "Mean squared error you believe in",
      value: given(settings, "squared_error", 0.33),
      text: shareText,
    },
    update,
  );
  const bias = new Slider(
    { name: "bias", label: "Prediction off the label’s mean by", value: 0, text: shareText },
    update,
  );
  const outcomes = (x: number) => squaredErrorOutcomes(x, risk.value, bias.value);
  return {
    name: "squared-error",
    title: "Squared error",
    see: "A regressor states for each instance how far the label will scatter: a standard deviation, here in units of the largest in the pool. Where that is large, the squared error can be anything, and a label tells much. Where it is small, the label will only confirm that the error is small; that is news only if you believe in a larger one.",
    play: "believe in an error of 0, and the precise end is never drawn. Then believe in 1: now the precise end, where so large an error would be news, tells more than the middle.",
    axis: "Standard deviation that the model states, largest = 100%",
    at: (x) => `standard deviation ${shareText(x)}`,
    sliders: [risk, bias],
    doubt: (x) => x,
    start: [0.8, 0],
    curves: () => [
      {
        kind: "third",
        name: "drawn, by the papers’ rule",
        has: () => true,
        share: 1,
        outcomes,
        addsUp: true,
        words: (x) => [
          [
            "The squared error that is expected, minus what is believed",
            `${shareText(x)}² + ${shareText(bias.value)}² − ${shareText(risk.value)}`,
          ],
          ["How it varies around that", `√(2 × ${shareText(x)}⁴ + 4 × ${shareText(bias.value)}² × ${shareText(x)}²)`],
        ],
      },
    ],
    found: (multiple) =>
      `If you believe in a mean squared error of ${shareText(risk.value)}, an instance with the largest standard deviation is drawn ${times(multiple(1, 0) / multiple(0.5, 0))} times as often as one with half of it, and ${ratioText(multiple(1, 0), multiple(0, 0))} one whose label the model knows for sure.`,
    heat: {
      slider: risk,
      low: 0,
      high: 1,
      label: "all mean squared errors (upward)",
      tick: (value) => numberText(value, 2, { trims: true }),
      outcomes: (x, y) => squaredErrorOutcomes(x, y, bias.value),
    },
  };
}

const ratioText = (one: number, other: number): string =>
  other > 0 ? `${times(one / other)} times as often as` : "infinitely more often than";

function twoRegressors(_settings: Settings, update: Update): Preferences {
  const deviation = new Slider(
    {
      name: "deviation",
      label: "Standard deviation that both state",
      high: 2,
      step: 0.02,
      value: 0.3,
      text: (value) => `${shareText(value)} of the largest distance`,
    },
    update,
  );
  const curve = (kind: string, name: string, at: () => number | null, words: Curve["words"]): Curve => ({
    kind,
    name,
    has: () => true,
    share: 1,
    addsUp: true,
    outcomes: (x) => {
      const stated = at();
      // For a very large standard deviation only the distance matters, up to a factor.
      return stated === null ? [{ probability: 1, deviation: x }] : squaredDifferenceOutcomes(x, stated);
    },
    words,
  });
  return {
    name: "two-regressors",
    title: "Two regressors",
    see: "Which of two regressors has the smaller squared error? Where both predict the same, a label can’t tell. The farther their predictions are apart, the more one of them has to be wrong. How much more depends on how far labels scatter around what the models predict.",
    play: "move the standard deviation to 0: the squared distance counts. Make it large: the distance itself counts, as if nothing were known of the scatter.",
    axis: "Distance of the two predictions, largest = 100%",
    at: (x) => `distance ${shareText(x)}`,
    sliders: [deviation],
    doubt: (x) => x,
    start: [0.8, 0],
    isEachApart: true,
    curves: () => [
      curve(
        "estimate",
        "with the standard deviations (the papers’ q*)",
        () => deviation.value,
        (x) => [
          ["The squared distance", `${shareText(x)}²`],
          ["The scatter of the difference", `2 × ${shareText(x)} × ${shareText(deviation.value)}`],
        ],
      ),
      curve(
        "second",
        "no scatter: squared distance (active₀)",
        () => 0,
        (x) => [
          ["The squared distance", `${shareText(x)}²`],
          ["No scatter", "0"],
        ],
      ),
      curve(
        "third",
        "scatter without end: distance (active∞)",
        () => null,
        (x) => [["The distance, up to a factor", shareText(x)]],
      ),
    ],
    found: (multiple) =>
      `An instance on which the predictions are farthest apart is drawn ${times(multiple(1, 0) / multiple(0.25, 0))} times as often as one with a quarter of that distance: ${times(multiple(1, 1) / multiple(0.25, 1))} times without scatter, ${times(multiple(1, 2) / multiple(0.25, 2))} times with scatter without end.`,
  };
}
