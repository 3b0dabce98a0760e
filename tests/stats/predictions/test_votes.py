"""Votes of several judges as class probabilities."""

import numpy as np
import pandas as pd
import pytest

from activeeval_widgets.stats import ClassPredictions, ErrorRate, Planner, adaptive_q, estimate_adaptive
from activeeval_widgets.stats.predictions.from_dict import predictions_from_dict

VOTES = [["a", "a", "b"], ["b", None, None], [None, None, None]]


def test_shares_are_smoothed_and_the_majority_decides() -> None:
    judged = ClassPredictions.from_votes(VOTES, name="jury")
    np.testing.assert_allclose(judged.y_proba, [[3 / 5, 2 / 5], [1 / 3, 2 / 3], [7 / 15, 8 / 15]])
    assert judged.y_pred.tolist() == ["a", "b", "b"]
    assert (judged.name, judged.classes.tolist()) == ("jury", ["a", "b"])
    weak = ClassPredictions.from_votes(VOTES, ["b", "tie", "a"], smoothing=2)
    np.testing.assert_allclose(weak.y_proba[:2], [[3 / 9, 2 / 9, 4 / 9], [3 / 7, 2 / 7, 2 / 7]])


def test_the_judge_that_is_evaluated_decides_where_it_is_given() -> None:
    judged = ClassPredictions.from_votes(VOTES, y_pred=["b", "tie", "a"])
    assert judged.classes.tolist() == ["a", "b", "tie"]
    assert judged.y_pred.tolist() == ["b", "tie", "a"]
    np.testing.assert_allclose(judged.y_proba[0], [3 / 6, 2 / 6, 1 / 6])


@pytest.mark.parametrize(
    "votes",
    [
        np.array([[1, np.nan], [2, 2]]),
        pd.DataFrame({"x": [1, 2], "y": pd.array([None, 2], dtype="Int64")}),
        [[np.int64(1), float("nan")], (2, 2)],
    ],
)
def test_votes_come_in_many_forms(votes: object) -> None:
    judged = ClassPredictions.from_votes(votes)
    assert judged.classes.tolist() == [1, 2]
    np.testing.assert_allclose(judged.y_proba, [[2 / 3, 1 / 3], [1 / 4, 3 / 4]])


def test_estimates_do_not_lean_on_votes() -> None:
    """Judges who are wrong alike: most of the errors that they expect are none."""
    rng = np.random.default_rng(1)
    truth = np.where(rng.random(60) < 0.9, "a", "b")
    votes = np.where(rng.random((60, 9)) < 0.5, "a", "b")
    judged = ClassPredictions.from_votes(votes, y_pred=["a"] * 60)
    same = ClassPredictions(judged.y_proba, judged.classes, judged.y_pred)
    errors = []
    for _ in range(200):
        draws = rng.permutation(60)[:12]
        q = 1 / (60 - np.arange(12))
        errors.append(
            [
                estimate_adaptive(ErrorRate(), model, draws, q, truth[draws]).value - np.mean(truth == "b")
                for model in (judged, same)
            ]
        )
    bias, spread = np.mean(errors, axis=0), np.std(errors, axis=0) / np.sqrt(200)
    assert bias[0] < 3 * spread[0]
    assert bias[1] > 3 * spread[1]
    again = predictions_from_dict(judged.to_dict())
    kept = (again, judged.of_instances(np.arange(5)), judged.part(slice(5)))
    assert not any(model.assists for model in kept)
    assert same.assists
    assert "assists" not in same.to_dict()


def test_votes_guide_the_first_draws_and_a_fifth_of_them_stays_uniform() -> None:
    votes = np.array([["a"] * 9 + ["b"] * k + ["a"] * (9 - k) for k in range(10)] * 4)
    judged = ClassPredictions.from_votes(votes, ["a", "b"])
    as_model = ClassPredictions(judged.y_proba, judged.classes)
    size = judged.n_instances
    q = adaptive_q(ErrorRate(), judged)
    # Of a model's probabilities half of the first draws are uniform.
    half = adaptive_q(ErrorRate(), as_model, defensive=0.5)
    np.testing.assert_allclose(adaptive_q(ErrorRate(), as_model), half)
    assert q.min() < half.min() < half.max() < q.max()
    assert 0.2 / size <= q.min() < 0.85 / size
    assert q.max() > 1.15 / size
    # The more judges say otherwise, the more often.
    assert (np.diff(q[:10]) > 0).all()
    np.testing.assert_allclose(q, adaptive_q(ErrorRate(), as_model, defensive=0.2))
    np.testing.assert_allclose(adaptive_q(ErrorRate(), [as_model, judged]), 1 / size)


@pytest.mark.parametrize(
    ("votes", "given", "message"),
    [
        (VOTES, {"classes": ["a", "c"]}, r"votes\[0, 2\] is 'b', expected one of the classes 'a', 'c'"),
        ([[1, "1"]], {"classes": [0, 1]}, r"votes\[0, 1\] is '1'"),
        ([[1, [1]]], {"classes": [0, 1]}, r"votes\[0, 1\] is \[1\]"),
        ([["a", 1]], {}, "all strings, all numbers"),
        ([["a", "b"], ["a"]], {}, r"votes\[1\] has 1 and votes\[0\] has 2"),
        (["a", "b"], {}, r"votes\[0\] is 'a'.*\[\[vote\] for vote in votes\]"),
        ([], {}, "shape"),
        ([["a", "a"]], {}, r"'a' is the only class.*classes="),
        ([[None]], {}, "no vote at all"),
        (VOTES, {"smoothing": 0}, "smoothing must be a finite number above 0, got 0"),
        (VOTES, {"smoothing": float("nan")}, "smoothing"),
        (VOTES, {"y_pred": ["a"]}, "y_pred must have one entry per row"),
    ],
)
def test_what_is_no_vote_is_refused(votes: object, given: dict, message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        ClassPredictions.from_votes(votes, **given)


def test_judges_who_agree_save_labels_before_the_first_one() -> None:
    rng = np.random.default_rng(5)
    truth = rng.integers(0, 2, 1500)
    is_hard = rng.random(1500) < 0.3
    right = np.where(is_hard, 0.55, 0.98)[:, np.newaxis]
    votes = np.where(rng.random((1500, 12)) < right, truth[:, np.newaxis], 1 - truth[:, np.newaxis])
    judged = ClassPredictions.from_votes(votes[:, 1:], y_pred=votes[:, 0])
    plan = Planner(ErrorRate(), judged).plan(0.03)
    alone = Planner(ErrorRate(), judged, without_model=True).plan(0.03)
    assert plan.n_labels < 0.9 * alone.n_labels
