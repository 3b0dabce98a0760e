"""What a classifier says."""

import numpy as np

from activeeval_widgets.stats import ClassPredictions


def test_the_most_probable_class_is_predicted_unless_told_otherwise():
    proba = [[0.9, 0.1], [0.4, 0.6]]
    assert ClassPredictions(proba).y_pred.tolist() == [0, 1]
    threshold = ClassPredictions(proba, classes=["ham", "spam"], y_pred=["spam", "ham"])
    assert threshold.y_pred.tolist() == ["spam", "ham"]
    assert threshold.pred_codes.tolist() == [1, 0]
    np.testing.assert_array_equal(threshold.confidence, [0.1, 0.4])


def test_labels_are_found_in_any_order_of_the_classes():
    predictions = ClassPredictions([[0.2, 0.3, 0.5]], classes=["b", "c", "a"])
    assert predictions.encode(["a", "b", "c", "a"]).tolist() == [2, 0, 1, 2]
    numbers = ClassPredictions([[0.2, 0.3, 0.5]], classes=[7, -1, 3])
    assert numbers.encode(np.array([3.0, 7.0, -1.0])).tolist() == [2, 0, 1]


def test_single_precision_probabilities_are_accepted():
    logits = np.random.default_rng(0).normal(size=(100, 10)).astype(np.float32)
    proba = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    assert ClassPredictions(proba).y_proba.dtype == np.float64


def test_repr_says_what_it_is():
    text = repr(ClassPredictions([[0.5, 0.5]], name="old"))
    assert text == "<ClassPredictions of old: 1 instance, 2 classes>"
