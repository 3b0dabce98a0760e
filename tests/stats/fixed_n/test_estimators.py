"""The estimator's moments against the enumeration of all samples; standard error and intervals by hand."""

import itertools
from math import comb, sqrt

import numpy as np
import pytest
from scipy.stats import norm

from activeeval_widgets.stats import (
    Accuracy,
    ClassPredictions,
    ConfidenceSequence,
    ErrorRate,
    FMeasure,
    MatthewsCorrelation,
    estimate,
    estimate_trajectory,
    pool_value,
    uniform_q,
)


@pytest.mark.parametrize("q", [(1 / 3, 1 / 3, 1 / 3), (0.5, 0.3, 0.2), (0.7, 0.1, 0.2)])
def test_mean_and_variance_over_every_sample_and_every_labeling(q):
    """Two draws from a pool of three, labels random: 9 samples of instances, all labels of each."""
    proba = np.array([[0.9, 0.1], [0.4, 0.6], [0.5, 0.5]])
    predictions = ClassPredictions(proba)
    wrong = 1 - proba.max(axis=1)
    first = second = total = 0.0
    for draws in itertools.product(range(3), repeat=2):
        for labels in itertools.product(range(2), repeat=2):
            probability = np.prod([q[i] * proba[i, y] for i, y in zip(draws, labels, strict=True)])
            value = estimate(ErrorRate(), predictions, q, draws, labels).value
            first += probability * value
            second += probability * value**2
            total += probability
    assert total == pytest.approx(1, abs=1e-14)
    # The same moments by arithmetic on the losses alone: (v₁ℓ₁ + v₂ℓ₂) / (v₁ + v₂).
    v = [1 / (3 * p) for p in q]
    mean = square = 0.0
    for i in range(3):
        for j in range(3):
            both, one_i, one_j = wrong[i] * wrong[j], wrong[i] * (1 - wrong[j]), (1 - wrong[i]) * wrong[j]
            mean += q[i] * q[j] * (both + (one_i * v[i] + one_j * v[j]) / (v[i] + v[j]))
            square += q[i] * q[j] * (both + (one_i * v[i] ** 2 + one_j * v[j] ** 2) / (v[i] + v[j]) ** 2)
    assert first == pytest.approx(mean, abs=1e-14)
    assert second - first**2 == pytest.approx(square - mean**2, abs=1e-14)


def test_uniform_draws_are_unbiased_over_every_sample():
    predictions = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.5, 0.5]])
    y_true = np.array([1, 1, 0])
    values = [
        estimate(ErrorRate(), predictions, uniform_q(3), draws, y_true[list(draws)]).value
        for draws in itertools.product(range(3), repeat=2)
    ]
    truth = pool_value(ErrorRate(), predictions, y_true)
    assert np.mean(values) == pytest.approx(truth, abs=1e-14)
    assert np.var(values) == pytest.approx(truth * (1 - truth) / 2, abs=1e-14)


def test_value_standard_error_and_wald_interval_by_hand():
    predictions = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]])
    result = estimate(
        ErrorRate(), predictions, [0.5, 0.3, 0.2], [0, 1, 2, 1], [1, 1, 1, 0], confidence_level=0.9
    )
    v = np.array([1 / 1.5, 1 / 0.9, 1 / 0.6, 1 / 0.9])
    loss = np.array([1, 0, 0, 1])
    value = (v * loss).sum() / v.sum()
    error = sqrt((v**2 * (loss - value) ** 2).sum()) / v.sum()
    assert result.value == pytest.approx(value, rel=1e-14)
    assert result.standard_error == pytest.approx(error, rel=1e-14)
    assert result.low == pytest.approx(max(0, value - norm.ppf(0.95) * error), abs=1e-14)
    assert result.high == pytest.approx(min(1, value + norm.ppf(0.95) * error), abs=1e-14)
    assert result.effective_sample_size == pytest.approx(v.sum() ** 2 / (v**2).sum(), rel=1e-14)
    assert (result.n_draws, result.n_labels) == (4, 3)
    assert (result.confidence_level, result.estimator, result.interval) == (0.9, "self_normalized", "wald")


def test_unweighted_wald_interval_is_the_textbook_one():
    predictions = ClassPredictions(np.tile([0.9, 0.1], (50, 1)))
    labels = np.array([1] * 10 + [0] * 40)
    result = estimate(ErrorRate(), predictions, uniform_q(50), np.arange(50), labels)
    half_width = norm.ppf(0.975) * sqrt(0.2 * 0.8 / 50)
    assert (result.low, result.high) == pytest.approx((0.2 - half_width, 0.2 + half_width), abs=1e-14)


def test_accuracy_is_the_mirror_image_of_the_error_rate():
    rng = np.random.default_rng(0)
    predictions = ClassPredictions(rng.dirichlet([1, 1, 1], 20))
    q = rng.dirichlet(np.ones(20))
    draws, labels = rng.choice(20, 30, p=q), rng.integers(3, size=30)
    error = estimate(ErrorRate(), predictions, q, draws, labels)
    accuracy = estimate(Accuracy(), predictions, q, draws, labels)
    assert accuracy.value == pytest.approx(1 - error.value, abs=1e-14)
    assert accuracy.standard_error == pytest.approx(error.standard_error, abs=1e-14)
    assert (accuracy.low, accuracy.high) == pytest.approx((1 - error.high, 1 - error.low), abs=1e-14)


def test_without_draws_nothing_is_defined_and_the_interval_is_the_whole_range():
    result = estimate(ErrorRate(), ClassPredictions([[0.9, 0.1], [0.4, 0.6]]), uniform_q(2), [], [])
    assert np.isnan(result.value)
    assert not result.is_defined
    assert (result.low, result.high) == (0, 1)
    assert (result.n_draws, result.n_labels) == (0, 0)


@pytest.mark.parametrize(("label", "value"), [(0, 0.0), (1, 1.0)])
@pytest.mark.parametrize("n_draws", [1, 3, 40])
def test_equal_losses_never_give_a_point(label, value, n_draws):
    """Trap 8."""
    predictions = ClassPredictions([[0.9, 0.1]] * 3)
    result = estimate(ErrorRate(), predictions, [0.2, 0.5, 0.3], [0] * n_draws, [label] * n_draws)
    assert result.value == value
    assert result.low <= value <= result.high
    assert result.high - result.low > 0.05
    assert np.isnan(result.standard_error)


def test_every_interval_holds_its_value_and_stays_in_the_range():
    predictions = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.8, 0.2]])
    for draws in itertools.product(range(3), repeat=3):
        for labels in itertools.product(range(2), repeat=3):
            result = estimate(ErrorRate(), predictions, [0.6, 0.3, 0.1], draws, labels)
            assert 0 <= result.low <= result.value <= result.high <= 1
            assert result.high > result.low


def test_trajectory_is_the_estimate_of_each_prefix():
    rng = np.random.default_rng(1)
    predictions = ClassPredictions(rng.dirichlet([1, 1], 20))
    q = rng.dirichlet(np.ones(20))
    draws, labels = rng.choice(20, 25, p=q), rng.integers(2, size=25)
    counts = [1, 2, 10, 25]
    trajectory = estimate_trajectory(ErrorRate(), predictions, q, draws, labels, at=counts)
    for count, point in zip(counts, trajectory, strict=True):
        assert point == estimate(ErrorRate(), predictions, q, draws[:count], labels[:count])


def test_order_of_the_draws_does_not_matter():
    rng = np.random.default_rng(2)
    predictions = ClassPredictions(rng.dirichlet([1, 1], 20))
    q = rng.dirichlet(np.ones(20))
    draws, labels = rng.choice(20, 25, p=q), rng.integers(2, size=25)
    order = rng.permutation(25)
    a = estimate(ErrorRate(), predictions, q, draws, labels)
    b = estimate(ErrorRate(), predictions, q, draws[order], labels[order])
    assert (a.value, a.low, a.high) == pytest.approx((b.value, b.low, b.high), abs=1e-14)


def test_passive_estimate_has_the_binomial_law():
    """Every number of errors among three draws occurs as often as the binomial distribution says."""
    predictions = ClassPredictions([[0.9, 0.1], [0.9, 0.1], [0.9, 0.1]])
    y_true = np.array([1, 0, 0])
    counts = np.zeros(4)
    for draws in itertools.product(range(3), repeat=3):
        value = estimate(ErrorRate(), predictions, uniform_q(3), draws, y_true[list(draws)]).value
        counts[round(3 * value)] += 1
    assert counts.tolist() == [comb(3, k) * 2 ** (3 - k) for k in range(4)]


@pytest.mark.parametrize("estimator", ["self_normalized", "difference"])
@pytest.mark.parametrize("interval", ["wald", "t"])
@pytest.mark.parametrize("measure", [ErrorRate(), FMeasure()], ids=repr)
def test_the_pvalue_of_two_models_belongs_to_the_interval(measure, interval, estimator):
    """It is the least α whose interval leaves out 0: with few draws, with none that deviates, with many."""
    rng = np.random.default_rng(4)
    seen = set()
    for n_draws in (2, 3, 6, 15, 60):
        for _ in range(12):
            p = rng.beta(0.7, 0.7, (2, 40))
            models = [ClassPredictions(np.column_stack([1 - each, each])) for each in p]
            draws = rng.integers(40, size=n_draws)
            # Labels that the first model gets right, or few of them, or none.
            y_true = models[0].pred_codes[draws] ^ (rng.random(n_draws) < rng.choice([0, 0.1, 1.0]))
            sample = uniform_q(40), draws, y_true.astype(int)
            options = {"interval": interval, "estimator": estimator}
            pvalue = estimate(measure, models, *sample, **options).pvalue
            if np.isnan(pvalue):
                continue
            for alpha in (0.99 * pvalue, min(1.01 * pvalue, 0.999)):
                if not 1e-12 < alpha < 1:
                    continue
                result = estimate(measure, models, *sample, confidence_level=1 - alpha, **options)
                assert (result.low > 0 or result.high < 0) == (pvalue < alpha)
                seen.add((pvalue < alpha, bool(np.isnan(result.standard_error))))
    assert {(True, False), (False, False), (False, True)} <= seen


def test_with_a_confidence_sequence_the_pvalue_may_be_watched_too():
    """The sequential one, from the same bets: at most α once the interval leaves out 0, and never back."""
    rng = np.random.default_rng(0)
    p = rng.beta(0.7, 0.7, 400)
    better = ClassPredictions(np.column_stack([1 - p, p]))
    worse = ClassPredictions(np.column_stack([1 - p, p])[rng.permutation(400)])
    y_true = better.pred_codes ^ (rng.random(400) < 0.1)
    q = uniform_q(400)
    draws = rng.integers(400, size=260)
    for measure in (ErrorRate(), MatthewsCorrelation()):
        watched = estimate_trajectory(
            measure, [worse, better], q, draws, y_true[draws], at=range(261), interval="confidence_sequence"
        )
        pvalues = np.array([result.pvalue for result in watched])
        excluded = np.array([result.low > 0 or result.high < 0 for result in watched])
        assert (pvalues[:10] > 0.2).all()
        assert (np.diff(pvalues) <= 0).all()
        assert pvalues[-1] < 0.001
        assert (pvalues[excluded] <= 0.05).all()
        assert 0 <= np.argmax(excluded) - np.argmax(pvalues <= 0.05) <= 2
        fixed = estimate(measure, [worse, better], q, draws, y_true[draws])
        assert fixed.pvalue < pvalues[-1]
        assert np.isnan(watched[-1].statistic)
        one = estimate(measure, better, q, draws, y_true[draws], interval="confidence_sequence")
        assert np.isnan(one.pvalue)
    sequence = ConfidenceSequence(ErrorRate(), [worse, better], q)
    sequence.extend(draws[:100], y_true[draws[:100]])
    kept = sequence.copy()
    sequence.extend(draws[100:], y_true[draws[100:]])
    assert kept.pvalue == estimate(
        ErrorRate(), [worse, better], q, draws[:100], y_true[draws[:100]], interval="confidence_sequence"
    ).pvalue  # fmt: skip
    assert sequence.restart().pvalue == 1.0
