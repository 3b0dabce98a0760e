"""Top-k accuracy, against counting."""

import itertools

import numpy as np
import pytest

from activeeval_widgets.stats import (
    Accuracy,
    AdaptiveConfidenceSequence,
    ClassPredictions,
    PredictedClasses,
    TopKAccuracy,
    pool_value,
)
from activeeval_widgets.stats.measures.measure_names import measure_named

MODEL = ClassPredictions([[0.5, 0.3, 0.2], [0.1, 0.2, 0.7], [0.4, 0.2, 0.4]], classes=["a", "b", "c"])
TOP = {1: ["a", "c", "c"], 2: ["ab", "cb", "ca"]}


@pytest.mark.parametrize("k", [1, 2])
def test_it_counts_for_all_labels_of_a_small_pool(k):
    for y in itertools.product("abc", repeat=3):
        hits = [label in top for label, top in zip(y, TOP[k], strict=True)]
        assert pool_value(TopKAccuracy(k), MODEL, y) == pytest.approx(np.mean(hits))


def test_it_is_scikit_learns_ties_included():
    metrics = pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(4)
    proba = rng.integers(1, 5, size=(200, 6)).astype(float)
    proba /= proba.sum(axis=1, keepdims=True)
    y = rng.integers(0, 6, 200)
    for k in (1, 2, 5):
        expected = metrics.top_k_accuracy_score(y, proba, k=k)
        assert pool_value(TopKAccuracy(k), ClassPredictions(proba), y) == pytest.approx(expected)
    clear = ClassPredictions(rng.dirichlet(np.ones(6), 200))
    assert pool_value(TopKAccuracy(1), clear, y) == pytest.approx(pool_value(Accuracy(), clear, y))


def test_it_has_a_guaranteed_interval_and_a_name():
    assert not AdaptiveConfidenceSequence(TopKAccuracy(2), MODEL).is_asymptotic
    assert measure_named("top-k-accuracy@2").name == "top-2 accuracy"


def test_bad_numbers_of_classes_are_refused():
    with pytest.raises(ValueError, match="k is 0, expected at least 1"):
        TopKAccuracy(0)
    with pytest.raises(ValueError, match="k is 3, but there are 3 classes"):
        pool_value(TopKAccuracy(3), MODEL, ["a", "b", "c"])
    with pytest.raises(TypeError, match="takes class probabilities, and there are only predicted classes"):
        pool_value(TopKAccuracy(1), PredictedClasses(["a", "b"]), ["a", "b"])
