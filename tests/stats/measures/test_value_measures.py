"""Measures of values: on labeled pools, moments by integration, extremes, exact intervals."""

import itertools

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm

from activeeval_widgets.stats import (
    AdaptiveConfidenceSequence,
    ClippedSquaredError,
    ConfidenceSequence,
    Planner,
    RootMeanSquaredError,
    RSquared,
    SequentialTest,
    SquaredError,
    ValuePredictions,
    WithinTolerance,
    pool_value,
    uniform_q,
)
from activeeval_widgets.stats.measures.base import Term
from activeeval_widgets.stats.numbers import formatted
from activeeval_widgets.stats.questions.make import target_of

metrics = pytest.importorskip("sklearn.metrics")

BOUNDED = [WithinTolerance(0.7), ClippedSquaredError(0.8)]


def models_of(seed, n_instances=12):
    rng = np.random.default_rng(seed)
    return [
        ValuePredictions(rng.normal(size=n_instances), rng.uniform(0.1, 2, n_instances)) for _ in range(2)
    ]


def loss_of(measure, distance):
    if isinstance(measure, WithinTolerance):
        return float(abs(distance) <= measure.tolerance)
    return min(distance**2, measure.clip**2)


def test_a_labeled_pool_has_the_values_of_numpy_and_scikit_learn():
    rng = np.random.default_rng(0)
    y_true, y_pred = rng.normal(size=(2, 50))
    model, error = ValuePredictions(y_pred), y_pred - y_true
    root = metrics.root_mean_squared_error(y_true, y_pred)
    assert pool_value(RootMeanSquaredError(), model, y_true) == pytest.approx(root, abs=1e-14)
    assert pool_value(WithinTolerance(0.6), model, y_true) == np.mean(np.abs(error) <= 0.6)
    clipped = np.mean(np.minimum(error**2, 1.5**2))
    assert pool_value(ClippedSquaredError(1.5), model, y_true) == pytest.approx(clipped, abs=1e-14)
    assert pool_value(RSquared(), model, y_true) == pytest.approx(metrics.r2_score(y_true, y_pred), abs=1e-12)
    far = pool_value(RSquared(), ValuePredictions(y_pred + 1e7), y_true + 1e7)
    assert far == pytest.approx(pool_value(RSquared(), model, y_true), abs=1e-7)
    # What clipping leaves out is no more than is said.
    beyond = 1 - pool_value(WithinTolerance(1.5), model, y_true)
    left_out = pool_value(SquaredError(), model, y_true) - clipped
    assert 0 < left_out <= (np.abs(error).max() ** 2 - 1.5**2) * beyond


@pytest.mark.parametrize("measure", BOUNDED, ids=repr)
@pytest.mark.parametrize("signs", [(1.0,), (1.0, -1.0), (0.7, 0.4)])
def test_moments_equal_numerical_integration(measure, signs):
    models = models_of(1)[: len(signs)]
    others = models[1:]
    belief = models[0].belief(others)
    terms = [Term(model, np.array([sign])) for model, sign in zip(models, signs, strict=True)]
    found = measure.moments(terms, belief, 0.15)
    bound = measure.tolerance if isinstance(measure, WithinTolerance) else measure.clip
    for i in range(4):
        breaks = sorted({model.mean[i] + side * bound for model in models for side in (-1, 1)})

        def score(y, i=i):
            losses = [sign * loss_of(measure, m.mean[i] - y) for m, sign in zip(models, signs, strict=True)]
            return sum(losses) - 0.15

        for power, closed in ((1, found.first), (2, found.second)):
            total = 0.0
            for mean, variance in zip(belief.means[:, i], belief.variances[:, i], strict=True):
                law = norm(mean, np.sqrt(variance))
                ends = [mean - 12 * law.std(), *breaks, mean + 12 * law.std()]

                def weighted(y, score=score, law=law, power=power):
                    return score(y) ** power * law.pdf(y)

                total += sum(quad(weighted, a, b, epsabs=1e-12)[0] for a, b in itertools.pairwise(ends))
            assert closed[i] == pytest.approx(total / len(belief.means), abs=1e-9)


def test_a_certain_label_just_within_the_tolerance_counts():
    model = ValuePredictions([1.0, 1.0, 1.0, 1.0], [0.0, 0.0, 0.0, 0.0])
    belief = ValuePredictions([1.5, 0.5, 1.5 + 1e-9, 0.5 - 1e-9], np.zeros(4)).belief([])
    assert pool_value(WithinTolerance(0.5), model, [1.5, 0.5, 1.75, 1.0]) == 0.75
    found = WithinTolerance(0.5).moments([Term(model, np.ones(1))], belief, 0.0)
    np.testing.assert_array_equal(found.first, [1, 1, 0, 0])


@pytest.mark.parametrize("y_range", [None, (-1.0, 2.5)])
@pytest.mark.parametrize("measure", BOUNDED, ids=repr)
@pytest.mark.parametrize("n_models", [1, 2])
def test_losses_are_bounded_by_the_most_that_any_label_gives(measure, n_models, y_range):
    models = models_of(2)[:n_models]
    low, high = y_range or (-9.0, 9.0)
    means = np.stack([model.mean for model in models])
    edges = (means[:, :, np.newaxis] + np.array([-0.8, -0.7, 0.0, 0.7, 0.8])).clip(low, high)
    grid = np.linspace(low, high, 4001)
    labels = np.concatenate([np.tile(grid, (12, 1)), *edges], axis=1)
    losses = np.vectorize(lambda d: loss_of(measure, d))(means[:, :, np.newaxis] - labels)
    values = losses[0] - losses[1] if n_models == 2 else losses[0]
    least, greatest = measure.loss_bounds(models, y_range)
    assert (least <= values.min(axis=1) + 1e-12).all()
    assert (greatest >= values.max(axis=1) - 1e-12).all()
    if n_models == 1 or isinstance(measure, ClippedSquaredError):
        np.testing.assert_allclose(least, values.min(axis=1), atol=1e-9)
        np.testing.assert_allclose(greatest, values.max(axis=1), atol=1e-9)


@pytest.mark.parametrize("measure", BOUNDED, ids=repr)
@pytest.mark.parametrize("n_models", [1, 2])
def test_a_bounded_loss_needs_no_range_for_an_exact_interval(measure, n_models):
    models = models_of(3, 300)[:n_models]
    predictions = models if n_models == 2 else models[0]
    rng = np.random.default_rng(4)
    y_true = models[0].mean + 0.3 * rng.standard_cauchy(300)
    fixed = ConfidenceSequence(measure, predictions, uniform_q(300))
    adaptive = AdaptiveConfidenceSequence(measure, predictions)
    order = rng.permutation(300)
    q = uniform_q(300)
    for draw in order[:120]:
        fixed.update(draw, y_true[draw])
        adaptive.update(draw, q, y_true[draw])
    truth = float(
        target_of(measure, models).g(target_of(measure, models).statistics(y_true, np.arange(300)).mean(0))
    )
    for sequence in (fixed, adaptive):
        assert not sequence.is_asymptotic
        assert sequence.reason is None
        assert sequence.low < truth < sequence.high
    assert adaptive.high - adaptive.low < 0.4 * (n_models + 1) * measure.value_range[1]


@pytest.mark.parametrize("y_range", [None, (-6.0, 6.0)])
def test_the_interval_of_the_root_is_the_root_of_the_interval(y_range):
    model = models_of(5, 250)[0]
    rng = np.random.default_rng(6)
    y_true = np.clip(model.mean + rng.normal(0, 0.6, 250), -6, 6)
    q = uniform_q(250)
    pairs = [
        [make(measure) for measure in (RootMeanSquaredError(), SquaredError())]
        for make in (
            lambda measure: ConfidenceSequence(measure, model, q, y_range=y_range),
            lambda measure: AdaptiveConfidenceSequence(measure, model, y_range=y_range),
        )
    ]
    order = rng.permutation(250)
    for n, draw in enumerate(order[:200]):
        for root, square in pairs:
            for sequence in (root, square):
                args = (draw, q, y_true[draw]) if sequence in pairs[1] else (draw, y_true[draw])
                sequence.update(*args)
            assert (root.is_asymptotic, root.withheld) == (square.is_asymptotic, square.withheld)
            assert root.reason == square.reason
            if n % 20 == 19:
                np.testing.assert_allclose([root.low**2, root.high**2], [square.low, square.high])
    assert pairs[0][0].low < pool_value(RootMeanSquaredError(), model, y_true) < pairs[0][0].high
    assert pairs[0][0].copy().restart().low == pairs[1][0].restart().low == 0


def test_a_test_of_the_root_is_a_test_of_the_square():
    model = models_of(7, 100)[0]
    rng = np.random.default_rng(8)
    y_true = np.clip(model.mean + rng.normal(0, 0.6, 100), -6, 6)
    given = {"alternative": "better", "y_range": (-6.0, 6.0)}
    root = SequentialTest(RootMeanSquaredError(), model, uniform_q(100), value=1.5, **given)
    square = SequentialTest(SquaredError(), model, uniform_q(100), value=2.25, **given)
    draws = rng.integers(100, size=80)
    np.testing.assert_allclose(
        root.extend(draws, y_true[draws]).evalue, square.extend(draws, y_true[draws]).evalue
    )
    assert root.evalue > 5


def test_a_plan_for_the_root_is_one_for_the_square():
    model = models_of(9, 400)[0]
    rng = np.random.default_rng(10)
    y_true = np.clip(rng.normal(model.mean, np.sqrt(model.variance)), -8, 8)
    draws = rng.integers(400, size=150)
    given = {"draws": draws, "y_true": y_true[draws]}
    root, square = (
        Planner(measure, model, uniform_q(400), y_range=(-8.0, 8.0))
        for measure in (RootMeanSquaredError(), SquaredError())
    )
    value = pool_value(RootMeanSquaredError(), model, y_true)
    # (r + h)² − (r − h)² = 4rh: half of it is the square's half-width.
    assert root.plan(0.1, **given).n_labels == pytest.approx(
        square.plan(2 * value * 0.1, **given).n_labels, rel=0.15
    )
    found = []
    for factor in (0.84, 0.88, 1.15, 1.25):
        threshold = factor * value
        first, second = root.plan_decision(threshold, **given), square.plan_decision(threshold**2, **given)
        assert first.n_labels == pytest.approx(second.n_labels, abs=1)
        found.append(first.n_labels)
    assert any(0 < n_labels < np.inf for n_labels in found)


def test_a_negative_estimate_of_a_mean_of_squares_has_a_slope():
    """Where heavy weights lead below 0, the difference estimator goes on; its interval is cut off at 0."""
    measure = RootMeanSquaredError()
    assert measure.g(np.array([-4.0])) == -2
    np.testing.assert_array_equal(measure.gradient(np.array([-4.0])), [0.25])
    np.testing.assert_array_equal(measure.gradient(np.array([0.0])), [0.0])


def test_the_influence_on_r_squared_is_its_slope_in_the_weight_of_a_label():
    model, y_true = models_of(11, 20)[0], np.random.default_rng(0).normal(1, 1, 20)
    measure = RSquared()
    z = measure.statistics(model, y_true, np.arange(20))
    influence = (z - z.mean(axis=0)) @ measure.gradient(z.mean(axis=0))

    def with_more(i, step):
        weights = (1 - step) / 20 + step * np.eye(20)[i]
        mean = weights @ y_true
        return 1 - weights @ (model.mean - y_true) ** 2 / (weights @ (y_true - mean) ** 2)

    for i in range(20):
        slope = (with_more(i, 1e-6) - with_more(i, -1e-6)) / 2e-6
        assert influence[i] == pytest.approx(slope, abs=1e-6)


def test_r_squared_is_approximate_and_not_defined_for_labels_that_are_all_the_same():
    model = models_of(12)[0]
    assert np.isnan(pool_value(RSquared(), model, np.full(12, 3.0)))
    assert AdaptiveConfidenceSequence(RSquared(), model, y_range=(-9.0, 9.0)).is_asymptotic


@pytest.mark.parametrize("value", [0, -1.0, float("nan"), "1", True])
def test_a_tolerance_is_a_positive_number(value):
    for name, make in (("tolerance", WithinTolerance), ("clip", ClippedSquaredError)):
        with pytest.raises((ValueError, TypeError), match=name):
            make(value)


def test_units():
    space = "\N{NO-BREAK SPACE}"
    assert RootMeanSquaredError().unit("kg") == space + "kg"
    assert [SquaredError().unit(unit) for unit in ("kg", "km/h", None)] == [
        space + "kg²",
        space + "(km/h)²",
        "",
    ]
    assert formatted(WithinTolerance(0.25), 0.9) + WithinTolerance(0.25).unit("kg") == "90.0%"
    assert WithinTolerance(0.25).name == "share within ±0.25"
