"""q* of regression measures against closed forms, and moments against numerical integration."""

import itertools

import numpy as np
import pytest
from scipy.stats import norm

from activeeval_widgets.stats import (
    AbsoluteError,
    SquaredError,
    ValuePredictions,
    absolute_difference_q,
    asymptotic_variance,
    optimal_q,
    recipe_q,
    squared_difference_q,
    uniform_q,
)

NODES, WEIGHTS = np.polynomial.legendre.leggauss(120)
"""A quadrature that is exact here but for rounding: pieces are smooth, and some standard deviations long."""


def random_models(seed, n_models=2, n_instances=30):
    rng = np.random.default_rng(seed)
    return [
        ValuePredictions(rng.normal(5, 2, n_instances), rng.uniform(0.1, 3, n_instances))
        for _ in range(n_models)
    ]


def normalized(scale):
    return scale / scale.sum()


def test_squared_error_with_the_models_own_mean():
    """T, eq. 4.23."""
    (model,) = random_models(0, 1)
    variance = model.variance
    risk = variance.mean()
    expected = normalized(np.sqrt((3 * variance - 2 * risk) * variance + risk**2))
    np.testing.assert_allclose(optimal_q(SquaredError(), model), expected, rtol=0, atol=1e-14)


def test_squared_error_with_another_predictive_distribution():
    """T, Cor. 4.3."""
    model, belief = random_models(1)
    d, v = model.mean - belief.mean, belief.variance
    risk = (d**2 + v).mean()
    expected = normalized(np.sqrt(d**2 * (6 * v - 2 * risk + d**2) + (3 * v - 2 * risk) * v + risk**2))
    np.testing.assert_allclose(optimal_q(SquaredError(), model, belief=belief), expected, rtol=0, atol=1e-14)


def test_squared_error_of_two_models():
    """T, 5: sqrt((f₁ − f₂)² ((f₁ − f₂)² + 2(τ₁² + τ₂²))) with Δ̌ = 0."""
    a, b = random_models(2)
    d = a.mean - b.mean
    expected = normalized(np.sqrt(d**2 * (d**2 + 2 * (a.variance + b.variance))))
    np.testing.assert_allclose(optimal_q(SquaredError(), [a, b]), expected, rtol=0, atol=1e-14)


LOSSES = {"squared": (SquaredError(), lambda d: d**2), "absolute": (AbsoluteError(), abs)}


@pytest.mark.slow
@pytest.mark.parametrize("with_costs", [False, True])
@pytest.mark.parametrize("n_models", [1, 2, 3])
@pytest.mark.parametrize("name", LOSSES)
def test_q_equals_numerical_integration(name, n_models, with_costs):
    measure, loss = LOSSES[name]
    models = random_models(n_models, n_models, n_instances=4)
    costs = np.array([1.0, 2.0, 0.5, 30.0]) if with_costs else None

    def mean(function, i):
        """E of a function of the label under the mixture, piece by piece between the kinks."""
        total = 0.0
        for component in models:
            center, width = component.mean[i], np.sqrt(component.variance[i])
            ends = [center - 12 * width, *sorted(m.mean[i] for m in models), center + 12 * width]
            ends = sorted({float(np.clip(e, ends[0], ends[-1])) for e in ends})
            for low, high in itertools.pairwise(ends):
                y = (low + high) / 2 + (high - low) / 2 * NODES
                total += (high - low) / 2 * float(WEIGHTS @ (function(y) * norm.pdf(y, center, width)))
        return total / len(models)

    def optimal(signed):
        def s(y, i):
            return sum(sign * loss(model.mean[i] - y) for sign, model in signed)

        center = np.mean([mean(lambda y, i=i: s(y, i), i) for i in range(4)])
        second = np.array([mean(lambda y, i=i: (s(y, i) - center) ** 2, i) for i in range(4)])
        return normalized(np.sqrt(second / (1 if costs is None else costs)))

    if n_models == 1:
        expected = optimal([(1, models[0])])
    else:
        pairs = [(a, b) for k, a in enumerate(models) for b in models[k + 1 :]]
        expected = np.mean([optimal([(1, a), (-1, b)]) for a, b in pairs], axis=0)
    found = optimal_q(measure, models if n_models > 1 else models[0], costs=costs)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-10)


def test_without_variances_the_papers_fallbacks():
    a, b = ValuePredictions([1.0, 2.0, 3.0]), ValuePredictions([1.0, 4.0, 2.0])
    for measure in (SquaredError(), AbsoluteError()):
        np.testing.assert_array_equal(optimal_q(measure, a), uniform_q(3))
        np.testing.assert_allclose(optimal_q(measure, [a, b]), [0, 2 / 3, 1 / 3], rtol=1e-14)
    np.testing.assert_allclose(absolute_difference_q(a, b), [0, 2 / 3, 1 / 3], rtol=1e-14)
    np.testing.assert_allclose(squared_difference_q(a, b), [0, 4 / 5, 1 / 5], rtol=1e-14)
    np.testing.assert_array_equal(recipe_q("active_0", SquaredError(), [a, b]), squared_difference_q(a, b))
    np.testing.assert_array_equal(recipe_q("active_inf", SquaredError(), [a, b]), absolute_difference_q(a, b))


def test_the_fallbacks_are_the_limits_of_constant_variances():
    a, b = ValuePredictions([1.0, 2.0, 3.0]), ValuePredictions([1.5, 4.0, 2.0])

    def with_variance(model, variance):
        return ValuePredictions(model.mean, np.full(3, variance))

    great = optimal_q(SquaredError(), [with_variance(a, 1e12), with_variance(b, 1e12)])
    small = optimal_q(SquaredError(), [with_variance(a, 1e-12), with_variance(b, 1e-12)])
    np.testing.assert_allclose(great, absolute_difference_q(a, b), rtol=1e-10)
    np.testing.assert_allclose(small, squared_difference_q(a, b), rtol=1e-10)


def test_certain_values():
    """σ = 0: the label is where the belief puts it."""
    model = ValuePredictions([1.0, 2.0, 5.0])
    belief = ValuePredictions([1.0, 4.0, 4.0], variance=[0.0, 0.0, 0.0])
    loss = np.array([0.0, 2.0, 1.0])
    np.testing.assert_allclose(
        optimal_q(AbsoluteError(), model, belief=belief), normalized(np.abs(loss - 1)), atol=1e-15
    )
    squared = np.abs(loss**2 - 5 / 3)
    np.testing.assert_allclose(
        optimal_q(SquaredError(), model, belief=belief), normalized(squared), atol=1e-15
    )


@pytest.mark.parametrize("measure", [SquaredError(), AbsoluteError()])
def test_no_other_q_promises_less_variance(measure):
    models = random_models(6)
    q = optimal_q(measure, models)
    least = asymptotic_variance(measure, models, q)
    rng = np.random.default_rng(0)
    for _ in range(20):
        other = 0.9 * q + 0.1 * rng.dirichlet(np.ones(30))
        assert asymptotic_variance(measure, models, other) > least
