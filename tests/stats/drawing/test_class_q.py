"""q* of every measure of classes against the enumeration of all labels, and against the closed forms."""

import numpy as np
import pytest

from activeeval_widgets.stats import (
    Accuracy,
    BalancedAccuracy,
    BrierScore,
    ClassPredictions,
    CohenKappa,
    CostMatrix,
    ErrorRate,
    FMeasure,
    LogLoss,
    MacroF,
    MatthewsCorrelation,
    Precision,
    Recall,
    Specificity,
    optimal_q,
    recipe_q,
)

COSTS = [[0.0, 1.0, 2.5], [4.0, -0.5, 1.0], [0.3, 2.0, 0.0]]


def f_statistics(eta, positive):
    def z(f, y, proba):
        return [float(f == y == positive), eta * (f == positive) + (1 - eta) * (y == positive)]

    return z


def confusion(f, y, proba):
    cells = np.zeros(9)
    cells[3 * f + y] = 1
    return cells


def recalls(cells):
    matrix = cells.reshape(3, 3)
    return sum(matrix[c, c] / matrix[:, c].sum() for c in range(3)) / 3


def macro_f(cells):
    matrix = cells.reshape(3, 3)
    eta = 1 / (1 + 2.0**2)
    return sum(matrix[c, c] / (eta * matrix[c].sum() + (1 - eta) * matrix[:, c].sum()) for c in range(3)) / 3


def matthews(cells):
    matrix = cells.reshape(3, 3)
    p, t = matrix.sum(axis=1), matrix.sum(axis=0)
    total = matrix.sum()
    numerator = np.trace(matrix) * total - p @ t
    return numerator / np.sqrt((total**2 - p @ p) * (total**2 - t @ t))


def kappa(cells):
    matrix = cells.reshape(3, 3)
    matrix = matrix / matrix.sum()
    chance = matrix.sum(axis=1) @ matrix.sum(axis=0)
    return (np.trace(matrix) - chance) / (1 - chance)


def first(mean):
    return mean[0]


def quotient(mean):
    return mean[0] / mean[1]


# Each measure of three classes with its statistics and its g in the plainest form there is.
MEASURES = {
    "error rate": (ErrorRate(), lambda f, y, p: [f != y], first),
    "accuracy": (Accuracy(), lambda f, y, p: [f == y], first),
    "cost matrix": (CostMatrix(COSTS), lambda f, y, p: [COSTS[f][y]], first),
    "log loss": (LogLoss(), lambda f, y, p: [-np.log(max(p[y], 2.220446049250313e-16))], first),
    "Brier score": (BrierScore(), lambda f, y, p: [sum((p[c] - (c == y)) ** 2 for c in range(3))], first),
    "F1": (FMeasure(positive=2), f_statistics(0.5, 2), quotient),
    "F2": (FMeasure(beta=2.0, positive=1), f_statistics(0.2, 1), quotient),
    "F by eta": (FMeasure.from_eta(0.8, positive=0), f_statistics(0.8, 0), quotient),
    "precision": (Precision(), f_statistics(1.0, 1), quotient),
    "recall": (Recall(), f_statistics(0.0, 1), quotient),
    "specificity": (Specificity(), lambda f, y, p: [(f != 1) & (y != 1), y != 1], quotient),
    "balanced accuracy": (BalancedAccuracy(), confusion, recalls),
    "macro-F2": (MacroF(beta=2.0), confusion, macro_f),
    "Matthews correlation": (MatthewsCorrelation(), confusion, matthews),
    "kappa": (CohenKappa(), confusion, kappa),
}


@pytest.mark.parametrize("with_costs", [False, True])
@pytest.mark.parametrize("n_models", [1, 2, 3])
@pytest.mark.parametrize("name", MEASURES)
def test_q_equals_enumeration(name, n_models, with_costs, brute_force_q, random_proba):
    measure, z, g = MEASURES[name]
    for seed in range(6):
        rng = np.random.default_rng(seed)
        n_instances = rng.integers(4, 9)
        probas = [random_proba(rng, n_instances, 3) for _ in range(n_models)]
        for proba in probas:
            proba[:3] = rng.dirichlet([1, 1, 1], 3)
        predicted = [proba.argmax(axis=1) for proba in probas]
        if seed % 2:
            predicted = [rng.integers(3, size=n_instances) for _ in probas]
        for f in predicted:
            f[:3] = [0, 1, 2]  # every class predicted, so that every measure is defined
        costs = rng.uniform(0.1, 50, n_instances) if with_costs else None
        models = [ClassPredictions(proba, y_pred=f) for proba, f in zip(probas, predicted, strict=True)]
        belief = np.mean(probas, axis=0)
        outcomes = [
            [
                (belief[i, y], [z(f[i], y, proba[i]) for f, proba in zip(predicted, probas, strict=True)])
                for y in range(3)
            ]
            for i in range(n_instances)
        ]
        expected = brute_force_q(outcomes, g, costs)
        found = optimal_q(measure, models[0] if n_models == 1 else models, costs=costs)
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-10)


def random_binary(rng, n_instances=40):
    p = rng.beta(0.6, 0.9, n_instances)
    return ClassPredictions(np.column_stack([1 - p, p]), y_pred=(p > rng.uniform(0.2, 0.8)).astype(int)), p


@pytest.mark.parametrize("eta", [0.0, 0.2, 0.5, 0.9, 1.0])
def test_f_measures_equal_the_closed_form(eta):
    """T, eq. 4.18; 4.19 and 4.20 at η = 0 and η = 1."""
    for seed in range(5):
        predictions, p = random_binary(np.random.default_rng(seed))
        f = predictions.pred_codes
        g = (f * p).mean() / (eta * f + (1 - eta) * p).mean()
        positive = np.sqrt(p * (1 - g) ** 2 + eta**2 * (1 - p) * g**2)
        negative = (1 - eta) * np.sqrt(p * g**2)
        scale = np.where(f == 1, positive, negative)
        found = optimal_q(FMeasure.from_eta(eta), predictions)
        np.testing.assert_allclose(found, scale / scale.sum(), rtol=0, atol=1e-13)


def test_precision_never_draws_predicted_negatives():
    predictions, _ = random_binary(np.random.default_rng(0))
    q = optimal_q(Precision(), predictions)
    assert (q[predictions.pred_codes == 0] == 0).all()
    assert (q[predictions.pred_codes == 1] > 0).all()


def test_binary_comparison_equals_the_closed_form():
    """T, Cor. 5.1."""
    rng = np.random.default_rng(3)
    p1, p2 = rng.random(30), rng.random(30)
    models = [ClassPredictions(np.column_stack([1 - p, p])) for p in (p1, p2)]
    f1, f2 = (model.pred_codes for model in models)
    p = (p1 + p2) / 2
    delta = np.mean(np.where(f1 == 1, 1 - p, p) - np.where(f2 == 1, 1 - p, p))
    scale = np.where(
        f1 > f2,
        np.sqrt(1 - 2 * delta * (1 - 2 * p) + delta**2),
        np.where(f1 < f2, np.sqrt(1 + 2 * delta * (1 - 2 * p) + delta**2), abs(delta)),
    )
    np.testing.assert_allclose(optimal_q(ErrorRate(), models), scale / scale.sum(), rtol=0, atol=1e-13)


def test_multiclass_comparison_equals_the_closed_form():
    """Trap 5: P(only f₁ wrong)(1 − Δ)² + P(only f₂ wrong)(1 + Δ)² + P(else) Δ²."""
    rng = np.random.default_rng(4)
    probas = [rng.dirichlet([0.5] * 4, 30) for _ in range(2)]
    models = [ClassPredictions(proba) for proba in probas]
    f1, f2 = (model.pred_codes for model in models)
    belief, rows = np.mean(probas, axis=0), np.arange(30)
    differ = f1 != f2
    only_first = np.where(differ, belief[rows, f2], 0.0)
    only_second = np.where(differ, belief[rows, f1], 0.0)
    delta = np.mean(only_first - only_second)
    second = only_first * (1 - delta) ** 2 + only_second * (1 + delta) ** 2
    second += (1 - only_first - only_second) * delta**2
    scale = np.sqrt(second)
    np.testing.assert_allclose(optimal_q(ErrorRate(), models), scale / scale.sum(), rtol=0, atol=1e-13)


def test_costs_enter_by_the_inverse_root():
    """T, eq. 4.25."""
    predictions, _ = random_binary(np.random.default_rng(5))
    costs = np.random.default_rng(6).uniform(1, 100, 40)
    scale = optimal_q(ErrorRate(), predictions) / np.sqrt(costs)
    np.testing.assert_allclose(
        optimal_q(ErrorRate(), predictions, costs=costs), scale / scale.sum(), rtol=1e-12
    )


def test_another_belief_takes_the_place_of_the_models_own():
    predictions, p = random_binary(np.random.default_rng(7))
    other = np.clip(p + 0.1, 0, 1)
    belief = ClassPredictions(np.column_stack([1 - other, other]))
    expected = optimal_q(ErrorRate(), ClassPredictions(belief.y_proba, y_pred=predictions.y_pred))
    np.testing.assert_allclose(optimal_q(ErrorRate(), predictions, belief=belief), expected, rtol=1e-13)


def test_named_recipes():
    a, _ = random_binary(np.random.default_rng(8))
    b, _ = random_binary(np.random.default_rng(9))
    costs = np.random.default_rng(10).uniform(1, 100, 40)
    np.testing.assert_array_equal(recipe_q("passive", Recall(), a), np.full(40, 1 / 40))
    np.testing.assert_array_equal(recipe_q("active_err", Recall(), a), optimal_q(ErrorRate(), a))
    np.testing.assert_array_equal(recipe_q("active_uniC", Recall(), a, costs=costs), optimal_q(Recall(), a))
    np.testing.assert_array_equal(
        recipe_q("active", Recall(), a, costs=costs), optimal_q(Recall(), a, costs=costs)
    )
    np.testing.assert_allclose(
        recipe_q("active_lambda", Recall(), a, costs=costs), costs**-0.5 / (costs**-0.5).sum(), rtol=1e-14
    )
    mean = (optimal_q(ErrorRate(), a) + optimal_q(ErrorRate(), b)) / 2
    np.testing.assert_allclose(recipe_q("active_risk", ErrorRate(), [a, b]), mean, rtol=1e-14)
    differ = a.y_pred != b.y_pred
    np.testing.assert_allclose(
        recipe_q("active_disagreement", ErrorRate(), [a, b]), differ / differ.sum(), rtol=1e-14
    )


def test_a_measure_that_is_not_defined_on_what_the_model_expects_gives_the_uniform_distribution():
    """No positive predicted and none expected: nothing is known about where positives are."""
    predictions = ClassPredictions(np.tile([1.0, 0.0], (5, 1)))
    for measure in (
        Recall(),
        Precision(),
        FMeasure(),
        BalancedAccuracy(),
        MatthewsCorrelation(),
        CohenKappa(),
    ):
        np.testing.assert_array_equal(optimal_q(measure, predictions), np.full(5, 0.2))
