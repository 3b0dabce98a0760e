"""Quantiles of the absolute error and the percentage error: closed forms, scikit-learn, and calibration."""

import numpy as np
import pytest
from scipy.special import ndtri
from sklearn.metrics import mean_absolute_percentage_error

from activeeval_widgets.stats import (
    AbsoluteErrorQuantile,
    AdaptiveConfidenceSequence,
    MeanAbsolutePercentageError,
    ValuePredictions,
    estimate,
    estimate_adaptive,
    pool_value,
    uniform_q,
)
from activeeval_widgets.stats.measures.error_quantile import _share_within


@pytest.mark.parametrize("q", [0.5, 0.9])
@pytest.mark.parametrize("spread", [0.3, 1.0, 5.0])
def test_the_quantile_is_that_of_the_errors_up_to_its_bin(q, spread):
    rng = np.random.default_rng(0)
    model = ValuePredictions(rng.normal(size=4000), np.full(4000, 1.0))
    labels = model.mean + spread * rng.normal(size=4000)
    exact = np.quantile(np.abs(model.mean - labels), q)
    # The same for labels that are as sure as the model is: the quantile that it expects.
    assert AbsoluteErrorQuantile(q).unit_of(model) == pytest.approx(ndtri((1 + q) / 2))
    found = AbsoluteErrorQuantile(q)
    everything = np.arange(4000)
    estimated = found.g(found.statistics(model, labels, everything).mean(axis=0))
    assert estimated == pytest.approx(exact, rel=0.03)


@pytest.mark.parametrize("q", [0.1, 0.5, 0.7, 0.9, 0.99])
@pytest.mark.parametrize("n", [1, 10, 120])
def test_where_all_have_labels_it_is_one_of_the_errors(q, n):
    """The smallest t up to which the share of errors is q or more: whole numbers, many of them alike."""
    rng = np.random.default_rng(n)
    models = [ValuePredictions(rng.integers(1, 6, n).astype(float)) for _ in range(2)]
    labels = models[0].mean + rng.choice([-2, -1, 0, 1, 2], n)
    truths = []
    for model in models:
        errors = np.abs(model.mean - labels)
        truths.append(min(t for t in errors if np.count_nonzero(errors <= t) >= q * n - 1e-9))
        assert pool_value(AbsoluteErrorQuantile(q), model, labels) == truths[-1]
    order, q_draws = rng.permutation(n), 1 / (n - np.arange(n))
    for predictions, truth in ((models[0], truths[0]), (models, truths[0] - truths[1])):
        found = estimate_adaptive(AbsoluteErrorQuantile(q), predictions, order, q_draws, labels[order])
        assert (found.value, found.low, found.high) == (truth, truth, truth)
        if n > 10:
            continue
        sequence = AdaptiveConfidenceSequence(AbsoluteErrorQuantile(q), predictions)
        low, high = sequence.extend(order, uniform_q(n), labels[order])
        assert (low[-1], high[-1]) == (truth, truth)
        if predictions is models[0]:
            assert ((low <= truth) & (truth <= high)).all()
    # Of some that can be labeled it is theirs.
    given = [None if i % 3 == 2 else labels[i] for i in order]
    errors = np.abs(models[0].mean - labels)[[i for i in order if i % 3 != 2]]
    found = estimate_adaptive(AbsoluteErrorQuantile(q), models[0], order, q_draws, given)
    assert found.value == np.quantile(errors, q, method="inverted_cdf")


def test_without_variances_and_beyond_the_last_end_something_is_reported():
    model = ValuePredictions([1.0, 2.0, 3.0])
    last = AbsoluteErrorQuantile().ends(model)[-1]
    z = AbsoluteErrorQuantile().statistics(model, [1e6, 1e6, 1e6], np.arange(3))
    assert AbsoluteErrorQuantile().g(z.mean(axis=0)) == pytest.approx(last)
    sequence = AdaptiveConfidenceSequence(AbsoluteErrorQuantile(), model)
    assert (sequence.low, sequence.high) == (0.0, np.inf)
    low, high = sequence.update(0, np.full(3, 1 / 3), 1e6)
    assert low <= last < high
    for model in (ValuePredictions([2.0, 2.0]), ValuePredictions([0.0, 0.0], [0.0, 0.0])):
        assert AbsoluteErrorQuantile().ends(model)[0] > 0


def test_the_guaranteed_interval_of_a_quantile_inverts_those_of_shares():
    """Whatever is said of other ends: only the two around the quantile have to be right."""
    rng, measure = np.random.default_rng(1), AbsoluteErrorQuantile(0.7)
    model = ValuePredictions(np.zeros(30), np.ones(30))
    ends, composition = measure.ends(model), measure.composition(model)
    for _ in range(200):
        errors = rng.exponential(size=30) * rng.choice([0.05, 1.0, 20.0])
        truth = np.quantile(errors, 0.7, method="inverted_cdf")
        shares = (errors[:, np.newaxis] <= ends).mean(axis=0)
        low, high = rng.uniform(0, 1, ends.size), rng.uniform(0, 1, ends.size)
        low, high = np.minimum(low, high), np.maximum(low, high)
        after = int(np.searchsorted(ends, truth))
        for at in {max(after - 1, 0), min(after, ends.size - 1)}:
            low[at], high[at] = low[at] * shares[at], high[at] + (1 - high[at]) * shares[at]
            high[at] = max(high[at], shares[at])
        found = composition.interval(low, high)
        assert found[0] <= truth <= found[1]
    shares = np.linspace(0.01, 0.99, ends.size)
    at = int(np.argmax(shares >= 0.7))
    assert composition.interval(shares, shares) == (ends[at - 1], ends[at])
    assert composition.settled(shares, shares).all()


@pytest.mark.parametrize("is_adaptive", [True, False])
def test_no_interval_around_an_estimate_is_narrower_than_a_bin(is_adaptive):
    """Errors are 0 or 1, and the bin that 1 is in ends far from it."""
    rng, n = np.random.default_rng(5), 2000
    model = ValuePredictions(rng.integers(1, 6, n).astype(float))
    labels, draws = model.mean + rng.choice([0, 1], n, p=[0.3, 0.7]), rng.permutation(n)[:1500]
    measure = AbsoluteErrorQuantile(0.6)
    ends = np.insert(measure.ends(model), 0, 0.0)
    at = int(np.searchsorted(ends, 1.0))
    if is_adaptive:
        found = estimate_adaptive(measure, model, draws, 1 / (n - np.arange(1500)), labels[draws])
    else:
        found = estimate(measure, model, uniform_q(n), draws, labels[draws])
    assert ends[at - 1] < found.value < ends[at]
    assert found.low <= ends[at - 1] < 1 < ends[at] <= found.high
    # Beyond the last end there is no other one.
    z = measure.statistics(model, np.full(n, 1e9), np.arange(n))
    assert measure.unevenness(model, z.mean(axis=0), 1.0) == np.inf


def test_an_error_as_large_as_an_end_is_within_it_without_a_variance():
    shares = _share_within(np.array([[1.0], [-1.0], [1.5]]), np.zeros(3), np.array([1.0, 2.0]))
    assert shares.tolist() == [[1.0, 1.0], [1.0, 1.0], [0.0, 1.0]]


def test_an_end_that_may_be_either_side_of_the_quantile_leaves_both():
    measure, model = AbsoluteErrorQuantile(0.7), ValuePredictions(np.zeros(30), np.ones(30))
    ends, composition = measure.ends(model), measure.composition(model)
    at = np.arange(ends.size)
    low, high = np.where(at < 20, 0.1, 0.71), np.where(at < 10, 0.69, 0.72)
    assert composition.interval(low, high) == (ends[9], ends[20])
    np.testing.assert_array_equal(composition.settled(low, high), (at < 10) | (at >= 20))
    # A share that is q but for rounding is q: the quantile is not above that end.
    edge = np.full(ends.size, 0.7 - 1e-12)
    assert composition.interval(np.zeros(ends.size), edge) == (0.0, np.inf)
    assert not composition.settled(np.zeros(ends.size), edge).any()
    assert composition.interval(edge, np.ones(ends.size)) == (0.0, ends[0])
    # Two of them can be wrong about a quantile.
    assert {part.share for part in composition.parts} == {0.5}


def test_the_guaranteed_interval_of_a_quantile_needs_no_range():
    rng = np.random.default_rng(4)
    model = ValuePredictions(rng.normal(size=60), np.ones(60))
    labels = model.mean + rng.standard_t(1.5, size=60)
    sequence = AdaptiveConfidenceSequence(AbsoluteErrorQuantile(0.5), model)
    low, high = sequence.extend(np.arange(60), uniform_q(60), labels)
    truth = pool_value(AbsoluteErrorQuantile(0.5), model, labels)
    assert not sequence.is_asymptotic
    assert ((low <= truth) & (truth <= high)).all()
    assert np.isfinite(high[25])
    assert low[-1] == high[-1] == pytest.approx(truth)


@pytest.mark.parametrize("q", [0, 1, 1.5, "0.9"])
def test_what_is_no_share_is_refused(q):
    with pytest.raises((ValueError, TypeError), match="q must be a number strictly between 0 and 1"):
        AbsoluteErrorQuantile(q)


def test_the_percentage_error_is_scikit_learns_where_no_label_is_near_zero():
    rng = np.random.default_rng(2)
    labels, predicted = rng.choice([-1, 1], 50) * rng.uniform(1, 9, 50), rng.normal(size=50)
    found = pool_value(MeanAbsolutePercentageError(1.0), ValuePredictions(predicted), labels)
    assert found == pytest.approx(mean_absolute_percentage_error(labels, predicted))
    # A label of 0 counts as `smallest`.
    assert pool_value(MeanAbsolutePercentageError(0.5), ValuePredictions([1.0]), [0.0]) == 2.0
    with pytest.raises(ValueError, match="smallest must be"):
        MeanAbsolutePercentageError(0)


def test_the_percentage_error_has_a_guaranteed_interval_without_a_range():
    rng = np.random.default_rng(3)
    model = ValuePredictions(rng.uniform(1, 3, 80), np.full(80, 0.3))
    labels = model.mean + rng.normal(scale=0.5, size=80)
    measure = MeanAbsolutePercentageError(0.5)
    sequence = AdaptiveConfidenceSequence(measure, model)
    low, high = sequence.extend(np.arange(80), uniform_q(80), labels)
    truth = pool_value(measure, model, labels)
    assert not sequence.is_asymptotic
    assert ((low <= truth + 1e-12) & (truth <= high + 1e-12)).all()
    assert high[40] < high[0]
    assert estimate_adaptive(
        measure, model, np.arange(80), 1 / (80 - np.arange(80)), labels
    ).value == pytest.approx(truth)


def test_no_label_makes_a_percentage_error_larger_than_its_bound():
    means = np.array([-4.0, -0.2, 0.0, 0.3, 1.0, 7.0])
    models = [ValuePredictions(means), ValuePredictions(means[::-1].copy())]
    measure, everything = MeanAbsolutePercentageError(0.5), np.arange(6)
    for chosen in (models[:1], models):
        least, greatest = measure.loss_bounds(chosen, None)
        for label in [*np.linspace(-20, 20, 4001), -1e9, 1e9]:
            z = [measure.statistics(model, np.full(6, label), everything)[:, 0] for model in chosen]
            loss = z[0] - z[1] if len(chosen) == 2 else z[0]
            assert (least - 1e-12 <= loss).all()
            assert (loss <= greatest + 1e-12).all()
