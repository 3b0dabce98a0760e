"""What a classifier says."""

import numpy as np
import pandas as pd
import pytest

from activeeval_widgets.stats import ClassPredictions, RankingPredictions, ValuePredictions


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


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
@pytest.mark.parametrize("make", [np.asarray, pd.DataFrame])
def test_probabilities_in_lower_precision_are_accepted(make, dtype):
    logits = np.random.default_rng(0).normal(size=(100, 10)).astype(np.float32)
    proba = (np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)).astype(dtype)
    found = ClassPredictions(make(proba)).y_proba
    assert found.dtype == np.float64
    np.testing.assert_allclose(found, proba, rtol=1e-3)
    np.testing.assert_allclose(found.sum(axis=1), 1, atol=1e-15 if dtype == np.float16 else 1e-5)


def test_half_precision_excuses_no_more_than_its_rounding():
    with pytest.warns(UserWarning, match=r"rows sum to 1 only within 0\.0049"):
        ClassPredictions(np.array([[0.5, 0.505]], np.float16))
    given = {"a": np.array([0.3, 0.7], np.float16), "b": np.array([0.6, 0.4], np.float16)}
    assert RankingPredictions([["a", "b"]], [given], [0, 1]).n_instances == 1
    given["a"] = np.array([0.3, 0.705], np.float16)
    with pytest.raises(ValueError, match=r"sums to 1\.00"):
        RankingPredictions([["a", "b"]], [given], [0, 1])


def test_repr_says_what_it_is():
    text = repr(ClassPredictions([[0.5, 0.5]], name="old"))
    assert text == "<ClassPredictions of old: 1 instance, 2 classes>"


def test_columns_whose_index_has_another_order_are_refused() -> None:
    index = ["c", "a", "b"]
    proba = pd.DataFrame([[0.9, 0.1], [0.2, 0.8], [0.6, 0.4]], index=index)
    votes = pd.DataFrame([["x", "y"], ["y", "y"], ["x", "x"]], index=index)
    one, words = pd.Series([1.0, 2.0, 3.0], index=index), pd.Series(["x", "y", "x"], index=index)
    ways = {
        "y_pred has the rows of y_proba": (lambda given: ClassPredictions(proba, y_pred=given), one // 2),
        "y_pred has the rows of votes": (
            lambda given: ClassPredictions.from_votes(votes, y_pred=given),
            words,
        ),
        "variance has the rows of mean": (lambda given: ValuePredictions(one, given), one),
    }
    for message, (make, given) in ways.items():
        make(given)
        make(given.rename({"a": "d"})[::-1])  # not the same rows: taken by place
        make(list(given[::-1]))
        with pytest.raises(
            ValueError, match=f"^{message} in another order: it begins with 'b', they with 'c'"
        ):
            make(given[::-1])
