// The papers' closed forms of the optimal q: lessons/preferences.py, compared with it by fixtures.
// All have one form: the root of the expected squared deviation from the believed value.

/** A possible label, its probability, and its deviation from the believed value. */
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

/**
 * Squared error of a label N(f − bias, deviation²): its expected deviation from the believed value, and its
 * variance. These two add up, each with weight 1.
 */
export const squaredErrorOutcomes = (deviation: number, squaredError: number, bias: number): Outcome[] => [
  { probability: 1, deviation: deviation ** 2 + bias ** 2 - squaredError },
  { probability: 1, deviation: Math.sqrt(2 * deviation ** 4 + 4 * bias ** 2 * deviation ** 2) },
];

/** Two regressors' squared errors, the first's minus the second's, with one standard deviation and no difference. */
export const squaredDifferenceOutcomes = (distance: number, deviation: number): Outcome[] => [
  { probability: 1, deviation: distance ** 2 },
  { probability: 1, deviation: 2 * distance * deviation },
];
