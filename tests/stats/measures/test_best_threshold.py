"""F-measures at several thresholds: against the F-measure of the classes that each would predict."""

import numpy as np
import pytest

from activeeval_widgets.stats import (
    ClassPredictions,
    FMeasure,
    PredictedClasses,
    estimate_adaptive_threshold,
    pool_value,
)

M = 200


def made(seed=0):
    rng = np.random.default_rng(seed)
    score = rng.beta(0.6, 1.5, M)
    return score, ClassPredictions(np.column_stack([1 - score, score])), (rng.random(M) < score).astype(int)


@pytest.mark.parametrize("beta", [0.5, 1.0, 2.0])
def test_with_all_labels_it_is_the_f_measure_of_each_threshold(beta):
    score, model, y = made()
    q_draws = 1 / (M - np.arange(M))
    found = estimate_adaptive_threshold(model, np.arange(M), q_draws, y, beta=beta, n_thresholds=12)
    for threshold, value in zip(found.thresholds, found.values, strict=True):
        cut = ClassPredictions(model.y_proba, y_pred=(score >= threshold).astype(int))
        assert value == pytest.approx(pool_value(FMeasure(beta), cut, y), abs=1e-12)
    assert (
        found.value == found.values.max() == pytest.approx(found.best_low) == pytest.approx(found.best_high)
    )
    assert found.threshold == found.thresholds[np.argmax(found.values)]
    assert found.thresholds.size == 12
    assert found.thresholds[0] == score.min()
    assert found.thresholds[-1] == score.max()


def test_the_best_value_is_in_the_interval():
    _, model, y = made(1)
    everything = estimate_adaptive_threshold(model, np.arange(M), 1 / (M - np.arange(M)), y, n_thresholds=6)
    rng, held, together = np.random.default_rng(2), 0, 0
    for _ in range(20):
        draws = rng.permutation(M)[:60]
        found = estimate_adaptive_threshold(model, draws, 1 / (M - np.arange(60)), y[draws], n_thresholds=6)
        held += found.best_low <= everything.value <= found.best_high
        together += bool(((found.low <= everything.values) & (everything.values <= found.high)).all())
    assert held >= together >= 17  # binomial: below with probability 0.01 at 95 %


def test_bad_input_is_refused():
    _, model, _ = made()
    with pytest.raises(ValueError, match="n_thresholds is 0, expected at least 1"):
        estimate_adaptive_threshold(model, [0], [1 / M], [0], n_thresholds=0)
    with pytest.raises(TypeError, match="predictions must be ClassPredictions"):
        estimate_adaptive_threshold([[0.5, 0.5]], [0], [1], [0])
    with pytest.raises(TypeError, match=r"is about class probabilities, but .* has none"):
        estimate_adaptive_threshold(PredictedClasses([0, 1]), [0], [0.5], [0])
