// The papers' closed forms of what is expected of a label: stats/drawing/preferences.py, held against it by fixtures.
// All of them are one sentence: the root of the expected squared deviation from what is believed.

/** What a label can be, how probable that is, and how far it then is from what is believed. */
export interface Outcome {
  probability: number;
  deviation: number;
}

/** The root of the expected squared deviation. */
export const preferenceOf = (outcomes: Outcome[]): number =>
  Math.sqrt(outcomes.reduce((sum, { probability, deviation }) => sum + probability * deviation ** 2, 0));

/** Error rate: the model's answer is right or wrong. */
export const errorOutcomes = (confidence: number, errorRate: number): Outcome[] => [
  { probability: confidence, deviation: -errorRate },
  { probability: 1 - confidence, deviation: 1 - errorRate },
];

/** F: the instance is of the class of interest, or not. */
export const fOutcomes = (positive: number, f: number, eta: number, predicted: boolean): Outcome[] =>
  predicted
    ? [
        { probability: positive, deviation: 1 - f },
        { probability: 1 - positive, deviation: -eta * f },
      ]
    : [
        { probability: positive, deviation: -(1 - eta) * f },
        { probability: 1 - positive, deviation: 0 },
      ];

/** Two classifiers' error rates, the first's minus the second's. */
export function differenceOutcomes(p: number, difference: number, first: boolean, second: boolean): Outcome[] {
  const ifPositive = Number(!first) - Number(!second);
  const ifNegative = Number(first) - Number(second);
  return [
    { probability: p, deviation: ifPositive - difference },
    { probability: 1 - p, deviation: ifNegative - difference },
  ];
}
