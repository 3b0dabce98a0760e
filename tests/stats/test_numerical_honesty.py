"""Extremes: no overflow, no NaN, no negative under a root; warnings are errors in every test."""

import numpy as np
import pytest

from activeeval_widgets.stats import (
    ERR,
    AbsoluteError,
    BalancedAccuracy,
    BrierScore,
    ClassPredictions,
    CohenKappa,
    CostMatrix,
    ErrorRate,
    FMeasure,
    LogLoss,
    MatthewsCorrelation,
    Precision,
    RankingPredictions,
    SquaredError,
    ValuePredictions,
    asymptotic_variance,
    cost_q,
    draw,
    estimate,
    optimal_q,
    squared_difference_q,
    uniform_q,
)
from activeeval_widgets.stats.measures.registry import all_measures

CLASS_MEASURES = [
    CostMatrix([[0, 1e9], [-1e9, 1e-9]]),
    *(cls.examples()[0] for cls in all_measures("class") if cls.needs_model and cls is not CostMatrix),
]


def assert_distribution(q):
    assert np.isfinite(q).all()
    assert (q >= 0).all()
    assert q.sum() == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize("measure", CLASS_MEASURES, ids=repr)
@pytest.mark.parametrize("eps", [0.0, 1e-300, 1e-17, 1e-9])
def test_probabilities_of_exactly_and_nearly_0_and_1(measure, eps):
    p = np.array([0, eps, 1 - eps, 1, 0.5, eps])
    sure = ClassPredictions(np.column_stack([1 - p, p]))
    opposite = ClassPredictions(np.column_stack([p, 1 - p]))
    for models in (sure, [sure, opposite], [sure, sure], [sure, opposite, sure]):
        assert_distribution(optimal_q(measure, models))
    only = ClassPredictions(np.tile([1 - eps, eps], (4, 1)))
    assert_distribution(optimal_q(measure, only))
    assert_distribution(optimal_q(measure, [only, only]))


@pytest.mark.parametrize("measure", CLASS_MEASURES, ids=repr)
def test_huge_cost_ratios(measure):
    p = np.linspace(0.01, 0.99, 50)
    model = ClassPredictions(np.column_stack([1 - p, p]))
    costs = np.logspace(-150, 150, 50)
    assert_distribution(optimal_q(measure, model, costs=costs))
    assert_distribution(cost_q(costs))


@pytest.mark.parametrize("scale", [1e-70, 1e-30, 1e-9, 1e29])
@pytest.mark.parametrize("measure", [SquaredError(), AbsoluteError()])
def test_values_of_any_size(measure, scale):
    """The fourth powers in a variance of squared errors fit a double."""

    def qs(unit):
        rng = np.random.default_rng(0)
        means, variances = rng.normal(size=(2, 20)), rng.uniform(0, 1, (2, 20))
        models = [ValuePredictions(unit * m, unit**2 * v) for m, v in zip(means, variances, strict=True)]
        return optimal_q(measure, models), optimal_q(measure, models[0]), squared_difference_q(*models)

    for found, expected in zip(qs(scale), qs(1.0), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-9)


def test_absolute_errors_far_in_the_tail_are_not_negative():
    """A prediction 30 standard deviations off, beside one that is right."""
    model = ValuePredictions([0.0, 30.0, -30.0, 1e9, 0.0])
    belief = ValuePredictions(np.zeros(5), variance=[1.0, 1.0, 1.0, 1e-20, 0.0])
    other = ValuePredictions([0.1, 30.0 + 1e-9, 29.0, -1e9, 1e-300])
    for given in (model, [model, other], [other, model]):
        assert_distribution(optimal_q(AbsoluteError(), given, belief=belief))


@pytest.mark.parametrize(
    "measure",
    [ErrorRate(), LogLoss(), BrierScore(), FMeasure(), MatthewsCorrelation(), CohenKappa()],
    ids=repr,
)
def test_constant_predictions_and_constant_labels(measure):
    model = ClassPredictions(np.tile([0.7, 0.3], (10, 1)))
    assert_distribution(optimal_q(measure, model))
    for labels in ([0] * 10, [1] * 10, [0, 1] * 5):
        result = estimate(measure, model, uniform_q(10), range(10), labels)
        assert result.high > result.low


def test_weights_of_a_million_to_one():
    model = ClassPredictions(np.tile([0.7, 0.3], (3, 1)))
    q = np.array([1 - 2e-9, 1e-9, 1e-9])
    for measure in (ErrorRate(), FMeasure(positive=0), Precision(positive=0), BalancedAccuracy()):
        result = estimate(measure, model, q, [0, 0, 0, 1], [0, 1, 0, 1])
        assert result.low <= result.high
        assert (measure.value_range[0] <= result.low) & (result.high <= measure.value_range[1])


@pytest.mark.slow
def test_a_million_instances():
    rng = np.random.default_rng(0)
    proba = rng.random((1_000_000, 3), dtype=np.float32).astype(float)
    proba /= proba.sum(axis=1, keepdims=True)
    model = ClassPredictions(proba)
    for measure in (ErrorRate(), FMeasure(), MatthewsCorrelation()):
        q = optimal_q(measure, model)
        assert_distribution(q)
        draws = draw(q, 500, rng)
        assert draws.min() >= 0
        assert draws.max() < 1_000_000
        # Draws of q* have the promised spread of weights: their mean is 1 within five standard errors.
        weights = 1 / (1e6 * q[draws])
        assert abs(weights.mean() - 1) < 5 * weights.std() / np.sqrt(500) + 1e-12
        assert asymptotic_variance(measure, model, q) <= asymptotic_variance(
            measure, model, uniform_q(1_000_000)
        )


def test_grades_at_the_limit():
    proba = [{"a": [0.5, 0.3, 0.2], "b": [0.2, 0.0, 0.8]}] * 2
    models = [RankingPredictions(r, proba, grades=[0, 1, 500]) for r in (["ab", "ba"], ["ba", "b"])]
    assert_distribution(optimal_q(ERR(), models))
    assert_distribution(optimal_q(ERR(), models[0]))
