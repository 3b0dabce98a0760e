"""Each bad argument has one clear error that names the argument, the value and what was expected."""

from functools import partial

import numpy as np
import pytest

from activeeval_widgets.stats import (
    ClassPredictions,
    ErrorRate,
    draw,
    estimate,
    estimate_trajectory,
    importance_weights,
    optimal_q,
    pool_value,
    uniform_q,
)

GOOD = [[0.9, 0.1], [0.4, 0.6]]
MODEL = ClassPredictions(GOOD)
MEASURE = ErrorRate()
RNG = np.random.default_rng(0)

classes = partial(ClassPredictions, GOOD)
make_q = partial(optimal_q, MEASURE, MODEL)
make_estimate = partial(estimate, MEASURE, MODEL, [0.5, 0.5], [0, 1], [0, 1])

CASES = {
    "negative probability": (lambda: ClassPredictions([[1.1, -0.1]]), ValueError, r"y_proba\[0, 1\] is -0.1"),
    "NaN probability": (lambda: ClassPredictions([[0.5, np.nan]]), ValueError, r"y_proba\[0, 1\] is nan"),
    "infinite probability": (
        lambda: ClassPredictions([[0.5, np.inf]]),
        ValueError,
        r"y_proba\[0, 1\] is inf",
    ),
    "row sum": (
        lambda: ClassPredictions([[0.5, 0.5], [0.5, 0.4]]),
        ValueError,
        r"y_proba\[1\] sums to 0.9.*1e-05",
    ),
    "one-dimensional": (
        lambda: ClassPredictions([0.5, 0.5]),
        ValueError,
        r"shape \(n_instances, n_classes\)",
    ),
    "empty pool": (lambda: ClassPredictions(np.empty((0, 2))), ValueError, "at least one row"),
    "one class": (lambda: ClassPredictions([[1.0]]), ValueError, "at least two columns"),
    "text as probability": (
        lambda: ClassPredictions([["a", "b"]]),
        TypeError,
        "y_proba must be an array of numbers",
    ),
    "ragged": (
        lambda: ClassPredictions([[0.5, 0.5], [1.0]]),
        TypeError,
        "y_proba must be an array of numbers",
    ),
    "classes, number": (lambda: classes(classes=[0, 1, 2]), ValueError, r"per column of y_proba \(2\)"),
    "classes, twice": (lambda: classes(classes=["a", "a"]), ValueError, "'a' occurs twice"),
    "classes, kind": (lambda: classes(classes=[None, "a"]), TypeError, "classes must be numbers or strings"),
    "y_pred, no class": (
        lambda: classes(y_pred=[0, 2]),
        ValueError,
        r"y_pred\[1\] is 2, expected one of .*\[0, 1\]",
    ),
    "y_pred, number": (
        lambda: classes(y_pred=[0]),
        ValueError,
        r"y_pred must have one entry per row .*\(2\), got 1",
    ),
    "y_pred, shape": (lambda: classes(y_pred=[[0, 1]]), ValueError, r"y_pred must have shape \(n,\)"),
    "unknown label": (lambda: make_estimate_of([0, 7]), ValueError, r"y_true\[1\] is 7, expected one of"),
    "label of another kind": (lambda: make_estimate_of(["0", "1"]), ValueError, r"y_true\[0\] is '0'"),
    "label NaN": (lambda: make_estimate_of([0, np.nan]), ValueError, r"y_true\[1\] is nan"),
    "labels of another length": (
        lambda: make_estimate_of([0, 1, 0]),
        ValueError,
        "one label for each of 2 draws",
    ),
    "pool labels of another length": (
        lambda: pool_value(MEASURE, MODEL, [0]),
        ValueError,
        r"one label for each of 2 instances, got shape \(1,\)",
    ),
    "level 0": (
        lambda: make_estimate(confidence_level=0),
        ValueError,
        "confidence_level .* between 0 and 1, got 0",
    ),
    "level 1": (lambda: make_estimate(confidence_level=1.0), ValueError, "confidence_level .* got 1.0"),
    "level 95": (lambda: make_estimate(confidence_level=95), ValueError, "confidence_level .* got 95"),
    "level NaN": (lambda: make_estimate(confidence_level=np.nan), ValueError, "confidence_level .* got nan"),
    "level text": (
        lambda: make_estimate(confidence_level="high"),
        TypeError,
        "confidence_level .* got 'high'",
    ),
    "level bool": (lambda: make_estimate(confidence_level=True), TypeError, "confidence_level .* got True"),
    "estimator": (
        lambda: make_estimate(estimator="self"),
        ValueError,
        "estimator must be one of .*, got 'self'",
    ),
    "interval": (
        lambda: make_estimate(interval="Wald"),
        ValueError,
        "interval must be one of .*, got 'Wald'",
    ),
    "q, negative": (lambda: importance_weights([1.5, -0.5], [0]), ValueError, r"q\[1\] is -0.5"),
    "q, NaN": (lambda: importance_weights([np.nan, 1], [0]), ValueError, r"q\[0\] is nan"),
    "q, sum": (lambda: importance_weights([0.5, 0.6], [0]), ValueError, "q sums to 1.1, expected 1"),
    "q, empty": (lambda: importance_weights([], []), ValueError, "q must have at least one entry"),
    "q, shape": (lambda: importance_weights([[1.0]], [0]), ValueError, r"q must have shape \(n_instances,\)"),
    "q, another pool": (
        lambda: estimate(MEASURE, MODEL, [0.5, 0.3, 0.2], [0], [0]),
        ValueError,
        "q has 3 entries, but the predictions are for 2",
    ),
    "draw outside": (
        lambda: importance_weights([0.5, 0.5], [0, 2]),
        ValueError,
        r"draws\[1\] is 2.* from 0 to 1",
    ),
    "draw negative": (lambda: importance_weights([0.5, 0.5], [-1]), ValueError, r"draws\[0\] is -1"),
    "draw with q = 0": (
        lambda: importance_weights([1.0, 0.0], [0, 1]),
        ValueError,
        r"draws\[1\] is 1, but q\[1\] is 0",
    ),
    "draw fractional": (lambda: importance_weights([0.5, 0.5], [0.5]), TypeError, "draws must be integers"),
    "draws, shape": (
        lambda: importance_weights([0.5, 0.5], [[0]]),
        ValueError,
        r"draws must have shape \(n_draws,\)",
    ),
    "n_draws negative": (lambda: draw([1.0], -1, RNG), ValueError, "n_draws must be an integer >= 0, got -1"),
    "n_draws fractional": (
        lambda: draw([1.0], 2.0, RNG),
        TypeError,
        "n_draws must be an integer >= 0, got 2.0",
    ),
    "seed for rng": (lambda: draw([1.0], 1, 42), TypeError, "rng must be a numpy.random.Generator, got 42"),
    "legacy rng": (
        lambda: draw([1.0], 1, np.random.RandomState(0)),
        TypeError,
        "rng must be a numpy.random.Generator",
    ),
    "n_instances": (lambda: uniform_q(0), ValueError, "n_instances must be an integer >= 1, got 0"),
    "costs, zero": (lambda: make_q(costs=[1, 0]), ValueError, r"costs\[1\] is 0.0, expected a cost > 0"),
    "costs, negative": (
        lambda: make_q(costs=[-1, 1]),
        ValueError,
        r"costs\[0\] is -1.0, expected a cost > 0",
    ),
    "costs, NaN": (lambda: make_q(costs=[1, np.nan]), ValueError, r"costs\[1\] is nan"),
    "costs, number": (lambda: make_q(costs=[1]), ValueError, "costs has 1 entries"),
    "defensive": (
        lambda: make_q(defensive=1.5),
        ValueError,
        "defensive must be a number from 0 to 1, got 1.5",
    ),
    "no model": (lambda: optimal_q(MEASURE, []), ValueError, "at least one model"),
    "not a model": (lambda: optimal_q(MEASURE, [GOOD, GOOD]), TypeError, "predictions"),
    "models of other pools": (
        lambda: optimal_q(MEASURE, [MODEL, ClassPredictions([[0.5, 0.5]])]),
        ValueError,
        r"predictions\[1\] is for 1 instances, but predictions\[0\] is for 2",
    ),
    "models of other classes": (
        lambda: optimal_q(MEASURE, [MODEL, ClassPredictions(GOOD, classes=["a", "b"])]),
        ValueError,
        r"predictions\[1\] has the classes \['a', 'b'\]",
    ),
    "prefix beyond the draws": (
        lambda: estimate_trajectory(MEASURE, MODEL, [0.5, 0.5], [0], [0], at=[2]),
        ValueError,
        "at holds 2, expected at most the number of draws, 1",
    ),
    "prefix negative": (
        lambda: estimate_trajectory(MEASURE, MODEL, [0.5, 0.5], [0], [0], at=[-1]),
        ValueError,
        "at must be an integer >= 0, got -1",
    ),
}


def make_estimate_of(labels):
    return estimate(MEASURE, MODEL, [0.5, 0.5], [0, 1], labels)


@pytest.mark.parametrize("case", CASES)
def test_bad_input_has_one_clear_error(case):
    call, error, message = CASES[case]
    with pytest.raises(error, match=message):
        call()
