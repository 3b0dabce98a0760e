"""The estimated confusion matrix: against enumeration, against scikit-learn, under bad input."""

import itertools

import numpy as np
import pytest
from scipy.stats import binom
from sklearn.metrics import confusion_matrix

from activeeval_widgets.stats import (
    ClassPredictions,
    ConfusionEstimate,
    CostMatrix,
    ErrorRate,
    draw,
    estimate,
    estimate_confusion,
    importance_weights,
    optimal_q,
)

MODEL = ClassPredictions([[0.7, 0.2, 0.1], [0.2, 0.5, 0.3], [0.1, 0.3, 0.6]], classes=["a", "b", "c"])
Q = np.array([0.5, 0.2, 0.3])


@pytest.mark.parametrize("y_true", list(itertools.product("abc", repeat=3)))
def test_each_cell_is_the_estimate_of_its_own_cost(y_true):
    draws = np.array([0, 1, 2, 2, 0, 1])
    labels = np.array(y_true)[draws]
    result = estimate_confusion(MODEL, draws, importance_weights(Q, draws), labels)
    assert result.shares.sum() == pytest.approx(1)
    for i, j in itertools.product(range(3), repeat=2):
        costs = np.zeros((3, 3))
        costs[i, j] = 1
        cell = estimate(CostMatrix(costs), MODEL, Q, draws, labels)
        assert result.shares[i, j] == pytest.approx(cell.value, abs=1e-14)
        if np.isfinite(cell.standard_error):
            assert result.standard_errors[i, j] == pytest.approx(cell.standard_error, abs=1e-14)
        else:
            assert result.standard_errors[i, j] == pytest.approx(0, abs=1e-14)


@pytest.mark.parametrize("y_true", list(itertools.product("abc", repeat=3)))
def test_two_matrices_and_the_error_of_their_difference_are_by_definition(y_true):
    other = ClassPredictions(np.eye(3)[[1, 1, 0]], classes=["a", "b", "c"])
    draws = np.array([0, 1, 2, 2, 0, 1])
    weights, labels = importance_weights(Q, draws), np.array(y_true)[draws]
    pair = estimate_confusion([MODEL, other], draws, weights, labels)
    for model, matrix in ((MODEL, pair.first), (other, pair.second)):
        alone = estimate_confusion(model, draws, weights, labels)
        np.testing.assert_array_equal(matrix.shares, alone.shares)
        np.testing.assert_array_equal(matrix.standard_errors, alone.standard_errors)
        np.testing.assert_array_equal(matrix.n_seen, alone.n_seen)
    v = weights / weights.sum()
    for i, j in itertools.product(range(3), repeat=2):
        z = [(model.pred_codes[draws] == i) & (labels == "abc"[j]) for model in (MODEL, other)]
        moved = z[0].astype(float) - z[1]
        error = np.sqrt(v**2 @ (moved - v @ moved) ** 2)
        assert pair.differences[i, j] == pytest.approx(v @ moved, abs=1e-14)
        assert pair.errors_of_difference[i, j] == pytest.approx(error, abs=1e-14)


def test_more_than_two_models_are_refused():
    with pytest.raises(TypeError, match="predictions must be ClassPredictions, or two of them"):
        estimate_confusion([MODEL] * 3, [0], [1], ["a"])


def test_uniform_draws_of_all_give_the_pools_matrix():
    rng = np.random.default_rng(0)
    model = ClassPredictions(rng.dirichlet(np.ones(4), size=300))
    y_true = rng.integers(4, size=300)
    result = estimate_confusion(model, np.arange(300), np.ones(300), y_true)
    counts = confusion_matrix(y_true, model.y_pred).T
    np.testing.assert_allclose(result.shares, counts / 300, atol=1e-14)
    np.testing.assert_array_equal(result.n_seen, counts)


def test_a_label_that_was_drawn_twice_is_seen_once():
    result = estimate_confusion(MODEL, [0, 0, 2], [1, 1, 2], ["b", "b", "c"])
    assert result.n_seen.tolist() == [[0, 1, 0], [0, 0, 0], [0, 0, 1]]


def test_no_labels():
    result = estimate_confusion(MODEL, [], [], [])
    assert np.isnan(result.shares).all()
    assert not result.n_seen.any()


def test_intervals_cover():
    rng = np.random.default_rng(5)
    model = ClassPredictions(rng.dirichlet([0.6, 0.6], size=400))
    y_true = (rng.random(400) < model.y_proba[:, 1]).astype(int)
    truth = confusion_matrix(y_true, model.y_pred).T / 400
    q = optimal_q(ErrorRate(), model, defensive=0.2)
    hits = np.zeros((2, 2), dtype=int)
    for _ in range(600):
        draws = draw(q, 200, rng)
        result = estimate_confusion(model, draws, importance_weights(q, draws), y_true[draws])
        hits += np.abs(result.shares - truth) <= 1.96 * result.standard_errors
    assert (hits >= binom.ppf(1e-4, 600, 0.93)).all(), hits


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([0, 3], [1, 1], ["a", "a"]), r"draws\[1\] is 3, expected an index from 0 to 2"),
        (([0, 1], [1, 1], ["a"]), "y_true must hold one label for each of 2 draws"),
        (([0], [1], ["z"]), r"y_true\[0\] is 'z'"),
        (([0, 1], [1, 0], ["a", "a"]), "weights must be positive, one for each of 2 draws"),
    ],
)
def test_bad_input(arguments, message):
    with pytest.raises(ValueError, match=message):
        estimate_confusion(MODEL, *arguments)


def test_its_text_has_no_share_above_all():
    shares = np.array([[0.6, -0.01], [0.0, 0.41]])  # as estimated with a model as a control variate
    text = repr(ConfusionEstimate(np.array(["a", "b"]), shares, 0 * shares, np.ones((2, 2), dtype=int)))
    assert text == "<Confusion matrix of 2 classes after 4 labels, 100% of instances on the diagonal>"
