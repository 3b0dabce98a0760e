"""The calibration error and the reliability curve, against counting bin by bin."""

import itertools
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from activeeval_widgets.stats import (
    AdaptiveConfidenceSequence,
    CalibrationError,
    ClassPredictions,
    ErrorRate,
    PredictedClasses,
    adaptive_q,
    calibration_curve,
    draw_without_replacement,
    estimate,
    estimate_adaptive,
    pool_value,
    uniform_q,
)
from activeeval_widgets.stats.fixed_n.calibration_curve import curve_of
from activeeval_widgets.stats.measures.calibration import accuracies

PROBA = np.array([[0.95, 0.05], [0.4, 0.6], [0.25, 0.75], [0.3, 0.7], [0.5, 0.5]])
MODEL = ClassPredictions(PROBA)


def by_bins(confidence, right, n_bins):
    """Naeini's definition: bins (low, high], shares times distances."""
    error = 0.0
    for low in np.arange(n_bins) / n_bins:
        inside = (confidence > low + 1e-12) & (confidence <= low + 1 / n_bins + 1e-12)
        if inside.any():
            error += inside.mean() * abs(confidence[inside].mean() - right[inside].mean())
    return error


def of_draws(model, draws, q_draws, y_true, *, least_q=None, **options):
    """The curve of labeled draws without replacement."""
    estimate = partial(
        estimate_adaptive, predictions=model, draws=draws, q_draws=q_draws, y_true=y_true, least_q=least_q
    )
    is_excluded = np.array([y is None for y in y_true])
    drawn = np.asarray(draws)
    return calibration_curve(model, estimate, drawn[~is_excluded], drawn[is_excluded], **options)


@pytest.mark.parametrize("n_bins", [1, 2, 4, 10])
def test_it_is_the_mean_distance_over_bins_for_all_labels_of_a_small_pool(n_bins):
    confidence = PROBA.max(axis=1)
    for y in itertools.product([0, 1], repeat=5):
        right = MODEL.y_pred == np.array(y)
        expected = by_bins(confidence, right, n_bins)
        assert pool_value(CalibrationError(n_bins), MODEL, y) == pytest.approx(expected, abs=1e-12)


def test_the_curve_of_the_whole_pool_is_counted():
    y = np.array([0, 1, 0, 1, 1])
    q_draws = [1 / (5 - n) for n in range(5)]
    found = of_draws(MODEL, range(5), q_draws, y, n_bins=4)
    np.testing.assert_allclose(found.edges, [[0.25, 0.5], [0.5, 0.75], [0.75, 1]])
    np.testing.assert_array_equal(found.n_instances, [1, 3, 1])
    np.testing.assert_array_equal(found.n_labels, [1, 3, 1])
    np.testing.assert_allclose(found.confidence, [0.5, (0.6 + 0.75 + 0.7) / 3, 0.95])
    np.testing.assert_allclose(found.accuracy, [0, 2 / 3, 1])
    expected = pool_value(CalibrationError(4), MODEL, y)
    assert (found.error, found.error_corrected, found.error_low, found.error_high) == pytest.approx(
        (expected,) * 4
    )


def test_the_curve_of_one_class_of_interest():
    found = of_draws(
        MODEL, range(5), [1 / (5 - n) for n in range(5)], [0, 1, 0, None, 1], n_bins=2, positive=1
    )
    np.testing.assert_allclose(found.confidence, [0.275, 0.675])  # of what can be labeled
    np.testing.assert_allclose(found.accuracy, [0.5, 0.5])
    np.testing.assert_array_equal(found.n_labels, [2, 2])
    np.testing.assert_array_equal(found.n_instances, [2, 2])
    assert (found.error, found.error_low, found.error_high) == pytest.approx((0.2,) * 3)


def test_what_can_not_be_labeled_counts_for_nothing():
    """Whichever others can't be labeled either, and whatever labels the rest have."""
    confidence = np.array([0.55, 0.95, 0.9, 0.6, 0.3, 0.2])
    model = ClassPredictions(np.column_stack([confidence, 1 - confidence]))
    [*_, any_estimate] = estimate_adaptive(ErrorRate(), model, [0], [1 / 6], [0], at=[1])
    drawn, excluded = np.array([1, 4, 1]), np.array([0, 0])
    bins = np.array([1, 1, 1, 1, 0, 0])
    found_high = 0.0
    for can_rest in itertools.product([False, True], repeat=3):
        can = np.array([False, True, *can_rest[:2], True, can_rest[2]])
        for labels in itertools.product([0, 1], repeat=5):
            right = np.array([0, *labels]) == 0
            accuracy = [right[can & (bins == each)].mean() for each in (0, 1)]
            estimates = [replace(any_estimate, value=a, low=a, high=a, standard_error=0.0) for a in accuracy]
            options = {"n_bins": 2, "positive": 0, "confidence_level": 0.95}
            truth = by_bins(confidence[can], right[can], 2)
            found = curve_of(model, estimates, drawn, excluded, **options)
            assert found.error_low - 1e-12 <= truth <= found.error_high + 1e-12
            found_high = max(found_high, found.error_high)
            np.testing.assert_array_equal(found.n_labels, [1, 1])
            np.testing.assert_array_equal(found.n_instances, [2, 3])
            # With all of them answered it is known.
            known = curve_of(model, estimates, np.flatnonzero(can), np.flatnonzero(~can), **options)
            ends = (known.error, known.error_corrected, known.error_low, known.error_high)
            assert ends == pytest.approx((truth,) * 4, abs=1e-12)
    assert found_high == pytest.approx(0.95)  # the farthest that one of them can be off
    nothing = curve_of(model, estimates, drawn[:0], np.arange(6), **options)
    assert np.isnan([nothing.error, nothing.error_corrected]).all()
    assert (nothing.error_low, nothing.error_high) == (0.0, 1.0)


def calibrated(rng, size):
    score = rng.beta(1, 1, size)
    model = ClassPredictions(np.column_stack([1 - score, score]))
    return model, (rng.random(size) < score).astype(int)


def test_intervals_hold_together_and_the_correction_takes_off_bias():
    rng = np.random.default_rng(4)
    model, y = calibrated(rng, 600)
    truth = pool_value(CalibrationError(5), model, y)
    whole = of_draws(model, np.arange(600), [1 / (600 - n) for n in range(600)], y, n_bins=5)
    plain, corrected, held = [], [], 0
    for _ in range(60):
        draws = rng.permutation(600)[:100]
        q_draws = 1 / (600 - np.arange(100))
        found = of_draws(model, draws, q_draws, y[draws], n_bins=5)
        held += bool(((found.low <= whole.accuracy) & (whole.accuracy <= found.high)).all())
        plain.append(found.error)
        corrected.append(found.error_corrected)
        assert found.error_low <= found.error <= found.error_high
    assert held >= 54  # binomial: below with probability 0.01 at 95 %
    assert abs(np.mean(corrected) - truth) < abs(np.mean(plain) - truth)


def test_the_exact_interval_of_the_error_holds():
    rng = np.random.default_rng(5)
    model, y = calibrated(rng, 120)
    measure = CalibrationError(3)
    truth = pool_value(measure, model, y)
    sequence = AdaptiveConfidenceSequence(measure, model)
    assert not sequence.is_asymptotic
    assert sum(part.share for part in measure.composition(model).parts) == pytest.approx(1)
    draws, ends = np.empty(0, dtype=np.intp), []
    while draws.size < 120:
        q = adaptive_q(measure, model, draws, y[draws])
        more, _ = draw_without_replacement(q, min(20, 120 - draws.size), rng)
        low, high = sequence.extend(more, q, y[more])
        ends += zip(low, high, strict=True)
        draws = np.concatenate([draws, more])
    low, high = np.array(ends).T
    assert ((low <= truth + 1e-12) & (truth - 1e-12 <= high)).all()
    assert high[100] - low[100] < 0.5
    assert (low[-1], high[-1]) == pytest.approx((truth, truth))


def test_the_parts_say_what_the_sum_of_distances_can_be():
    measure = CalibrationError(4)
    model, _ = calibrated(np.random.default_rng(5), 40)
    lows, highs = np.array([-0.1, 0.2, -0.4]), np.array([0.05, 0.3, -0.1])
    assert measure.composition(model).interval(lows, highs) == pytest.approx((0.3, 0.8))


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match="n_bins is 0, expected at least 1"):
        CalibrationError(0)
    with pytest.raises(TypeError, match="takes class probabilities, and there are only predicted classes"):
        pool_value(CalibrationError(), PredictedClasses(["a", "b"]), ["a", "b"])
    with pytest.raises(TypeError, match="predictions must be ClassPredictions"):
        of_draws(PROBA, [0], [0.2], [0])
    with pytest.raises(ValueError, match="positive is 3, expected one of the classes"):
        of_draws(MODEL, [0], [0.2], [0], positive=3)
    assert of_draws(MODEL, [0], uniform_q(5)[:1], [0]).accuracy.shape == (5,)


def test_each_bin_has_the_interval_of_its_own_estimate_at_its_share_of_the_level():
    rng = np.random.default_rng(3)
    p = rng.uniform(0.5, 1, 200)
    model, y = ClassPredictions(np.column_stack([p, 1 - p])), np.zeros(200, dtype=int)
    # All of them are right: what was not met makes the intervals.
    draws = np.arange(30)
    q_draws, least = 1 / (200 - draws), 0.5 / (200 - draws)
    options = {"n_bins": 4, "confidence_level": 0.9}
    found = of_draws(model, draws, q_draws, y[:30], least_q=least, **options)
    measures = accuracies(model, 4, None)
    each = 1 - 0.1 / len(measures)
    for k, measure in enumerate(measures):
        own = estimate_adaptive(measure, model, draws, q_draws, y[:30], least_q=least, confidence_level=each)
        assert (found.low[k], found.high[k]) == (own.low, own.high)
    assert len(measures) == 2
    assert (found.low < of_draws(model, draws, q_draws, y[:30], **options).low).any()


@pytest.mark.parametrize("is_adaptive", [True, False])
def test_one_models_error_has_no_approximate_interval(is_adaptive):
    """Noise in the bins adds to it: around 0 such an interval is wrong as often as not."""
    rng = np.random.default_rng(6)
    models = [ClassPredictions(rng.dirichlet([0.6, 0.6], 400)) for _ in range(2)]
    y, uniform = rng.integers(0, 2, 400), np.full(400, 1 / 400)

    def found(predictions):
        draws = rng.permutation(400)[:200]
        if is_adaptive:
            q = 1 / (400 - np.arange(200))
            return estimate_adaptive(CalibrationError(), predictions, draws, q, y[draws])
        return estimate(CalibrationError(), predictions, uniform, draws, y[draws])

    one = found(models[0])
    assert not one.has_approximate
    assert "noise adds to a sum of distances" in one.approximate_reason
    assert np.isfinite(one.standard_error)
    assert found(models).has_approximate
    assert found(models).approximate_reason is None
