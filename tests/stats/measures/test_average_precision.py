"""Average precision: against its definition, threshold by threshold, and its influence in closed form."""

import itertools

import numpy as np
import pytest

from activeeval_widgets.stats import (
    AdaptiveConfidenceSequence,
    AveragePrecision,
    ClassPredictions,
    draw,
    estimate,
    estimate_adaptive,
    optimal_q,
    pool_value,
)

SCORES = np.array([0.1, 0.9, 0.4, 0.4, 0.7, 0.4])
"""With ties."""


def model_of(scores):
    return ClassPredictions(np.column_stack([1 - np.asarray(scores), scores]))


def by_thresholds(scores, y, weights=None):
    """Σ (recall now − recall before) · precision, from the highest threshold down."""
    weights = np.ones(len(y)) if weights is None else weights
    total, before, area = float(weights @ y), 0.0, 0.0
    if not total:
        return np.nan
    for threshold in sorted(set(scores), reverse=True):
        chosen = scores >= threshold
        found = float((weights * y)[chosen].sum())
        area += (found - before) / total * found / float(weights[chosen].sum())
        before = found
    return area


def of_means(model, y):
    """By the means of its statistics, as from labels that are drawn."""
    z = AveragePrecision().statistics(model, y, np.arange(len(y)))
    return float(AveragePrecision().g(z.mean(axis=0)))


def test_it_is_the_sum_over_thresholds_for_all_labels_of_a_small_pool():
    model = model_of(SCORES)
    for labels in itertools.product([0, 1], repeat=6):
        y = np.array(labels)
        expected = pytest.approx(by_thresholds(SCORES, y), abs=1e-12, nan_ok=True)
        assert pool_value(AveragePrecision(), model, y) == expected
        assert of_means(model, y) == expected


@pytest.mark.parametrize(("size", "decimals", "off"), [(48, 8, 1e-12), (1500, 8, 8e-6), (1500, 1, 1e-12)])
def test_of_larger_pools_the_means_give_it_but_for_a_rounding(size, decimals, off):
    errors = []
    for seed in range(8):
        rng = np.random.default_rng(seed)
        scores = rng.beta(0.5, 1.5, size).round(decimals)
        y = (rng.random(size) < scores).astype(int)
        model, value = model_of(scores), by_thresholds(scores, y)
        assert pool_value(AveragePrecision(), model, y) == pytest.approx(value, abs=1e-12)
        errors.append(of_means(model, y) - value)
    assert np.sqrt(np.mean(np.square(errors))) < off


def test_it_is_scikit_learns():
    metrics = pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(2)
    scores = rng.random(900).round(2)
    y = (rng.random(900) < scores**3).astype(int)
    expected = metrics.average_precision_score(y, scores)
    assert pool_value(AveragePrecision(), model_of(scores), y) == pytest.approx(expected, abs=1e-12)


def test_the_influence_of_a_positive_is_its_precision_and_what_it_adds_to_those_below():
    rng = np.random.default_rng(3)
    scores = np.sort(rng.random(40))[::-1]
    y = (rng.random(40) < 0.4).astype(int)
    model, measure, everything = model_of(scores), AveragePrecision(), np.arange(40)
    positive = measure.statistics(model, np.ones(40), everything)
    negative = measure.statistics(model, np.zeros(40), everything)
    mean = measure.statistics(model, y, everything).mean(axis=0)
    ranks = everything + 1
    precision = y.cumsum() / ranks
    below = (y / ranks)[::-1].cumsum()[::-1]
    value = by_thresholds(scores, y)
    expected = (precision + below - value) / y.mean()
    np.testing.assert_allclose((positive - negative) @ measure.gradient(mean), expected, atol=1e-12)


def test_by_weights_alone_it_is_that_of_the_weighted_draws():
    q = np.array([0.1, 0.3, 0.2, 0.15, 0.15, 0.1])
    draws = draw(q, 25, np.random.default_rng(5))
    y = np.array([0, 1, 1, 0, 1, 0])
    result = estimate(AveragePrecision(), model_of(SCORES), q, draws, y[draws])
    expected = by_thresholds(SCORES[draws], y[draws], 1 / q[draws])
    assert result.value == pytest.approx(expected, abs=1e-12)


def test_what_cannot_be_labeled_leaves_the_ranking():
    y = [0, None, 0, 0, 1, 1]
    result = estimate_adaptive(
        AveragePrecision(), model_of(SCORES), range(6), [1 / (6 - n) for n in range(6)], y
    )
    kept = [0, 2, 3, 4, 5]
    assert result.value == pytest.approx(by_thresholds(SCORES[kept], np.array([0, 0, 0, 1, 1])), abs=1e-12)


def test_the_standard_error_is_that_of_many_samples():
    rng = np.random.default_rng(8)
    scores = rng.random(300)
    y = (rng.random(300) < scores**2).astype(int)
    model = model_of(scores)
    q = optimal_q(AveragePrecision(), model, defensive=0.3)
    results = []
    for _ in range(250):
        draws = draw(q, 150, rng)
        results.append(estimate(AveragePrecision(), model, q, draws, y[draws], estimator="difference"))
    values = np.array([result.value for result in results])
    error = np.mean([result.standard_error for result in results])
    # Of the second order: what is squared is biased by its variance.
    assert values.mean() == pytest.approx(pool_value(AveragePrecision(), model, y), abs=values.std() / 4)
    assert error == pytest.approx(values.std(), rel=0.15)


def test_there_is_no_guaranteed_interval():
    sequence = AdaptiveConfidenceSequence(AveragePrecision(), model_of(SCORES))
    assert sequence.is_asymptotic
    assert AveragePrecision().name == "average precision"
    assert AveragePrecision("spam").name == "average precision of spam"
