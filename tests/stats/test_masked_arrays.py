"""Masked values, times and complex numbers are refused where numbers or labels are expected."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

from activeeval_widgets.stats import (
    DCG,
    ClassPredictions,
    CostMatrix,
    ErrorRate,
    PredictedClasses,
    RankingPredictions,
    ScoredClasses,
    SquaredError,
    ValuePredictions,
    cost_q,
    disagreement_q,
    estimate,
    krippendorff_alpha,
    optimal_q,
    pool_value,
    serve_groups,
)

PROBA = [[0.9, 0.1], [0.4, 0.6]]
MODEL = ClassPredictions(PROBA)
VALUES = ValuePredictions([1.0, 2.0])
RANKED = RankingPredictions([["a", "b"]], [PROBA], [0, 1])


def masked(values: Any, **options: Any) -> Any:
    """Return a masked array whose last value is missing."""
    found = np.ma.masked_array(values, **options)
    found[(-1,) * found.ndim] = np.ma.masked
    return found


def estimated(q: Any = (0.5, 0.5), draws: Any = (0, 1), y_true: Any = (0, 1)) -> Any:
    return estimate(ErrorRate(), MODEL, q, draws, y_true)


CASES: dict[str, Callable[[], Any]] = {
    "mean[1]": lambda: ValuePredictions(masked([1.0, 2.0])),
    "variance[1]": lambda: ValuePredictions([1.0, 2.0], masked([1.0, 2.0])),
    "y_proba[1, 1]": lambda: ClassPredictions(masked(PROBA)),
    "y_proba[1][1]": lambda: ClassPredictions([PROBA[0], masked(PROBA[1])]),
    "logits[1, 1]": lambda: ClassPredictions.from_logits(masked(PROBA)),
    "scores[1]": lambda: ScoredClasses(masked([1.0, -1.0])),
    "classes[1]": lambda: ClassPredictions(PROBA, classes=masked(["a", "b"])),
    "y_pred[1]": lambda: ClassPredictions(PROBA, y_pred=masked([0, 1])),
    "y_pred[2]": lambda: PredictedClasses(list(masked([0, 1, 1]))),
    "votes[1, 1]": lambda: ClassPredictions.from_votes(masked([["a", "b"], ["b", "b"]])),
    "relevance_proba[0][1, 1]": lambda: RankingPredictions([["a", "b"]], [masked(PROBA)], [0, 1]),
    "grades[1]": lambda: RankingPredictions([["a", "b"]], [PROBA], masked([0, 1])),
    "q[1]": lambda: estimated(q=masked([0.5, 0.5])),
    "draws[1]": lambda: estimated(draws=masked([0, 1])),
    "y_true[1]": lambda: estimated(y_true=masked([0, 1])),
    "y_true[1] of objects": lambda: estimated(y_true=masked([0, 1], dtype=object)),
    "y_true[1] in a list": lambda: estimated(y_true=[0, np.ma.masked]),
    "y_true[1] of the pool": lambda: pool_value(SquaredError(), VALUES, masked([1.0, 2.0])),
    "y_true[0][1]": lambda: pool_value(DCG(), RANKED, [masked([1, 0])]),
    "costs[1]": lambda: optimal_q(ErrorRate(), MODEL, costs=masked([1.0, 2.0])),
    "costs[2]": lambda: cost_q(masked([1.0, 2.0, 3.0])),
    "costs[1, 1]": lambda: CostMatrix(masked([[0.0, 1.0], [1.0, 0.0]])),
    "groups[1]": lambda: serve_groups([0.5, 0.5], masked([0, 1])),
    "a[1]": lambda: disagreement_q(masked([0, 1]), [0, 0]),
    "ratings[1, 1]": lambda: krippendorff_alpha(masked([[0, 1], [1, 1]])),
}


@pytest.mark.parametrize("where", CASES)
def test_masked_values_are_refused_with_their_position(where: str) -> None:
    place = re.escape(where.split(" of ")[0].split(" in ")[0])
    with pytest.raises(ValueError, match=f"^{place} is masked, expected a value: fill what is missing"):
        CASES[where]()


def test_masked_arrays_without_masked_values_are_taken_as_arrays() -> None:
    whole = np.ma.masked_array
    assert ValuePredictions(whole([1.0, 2.0])).mean.tolist() == [1.0, 2.0]
    assert ClassPredictions(whole(PROBA), classes=whole(["a", "b"])).y_pred.tolist() == ["a", "b"]
    found = estimated(whole([0.5, 0.5]), whole([0, 1]), whole([0, 1], mask=[False, False]))
    assert found == estimated()


DATES = [np.datetime64("2026-01-01"), np.datetime64("2026-01-02")]
TIMES: dict[str, Any] = {
    "a list of dates": DATES,
    "an array of dates": np.array(DATES),
    "objects": np.array(DATES, dtype=object),
    "a list of durations": [np.timedelta64(1, "s"), np.timedelta64(2, "s")],
    "durations and numbers": [np.timedelta64(1, "s"), 2.0],
    "a column": pd.Series(DATES).dt.tz_localize("UTC"),
}


@pytest.mark.parametrize("given", TIMES.values(), ids=TIMES)
def test_times_are_no_numbers(given: Any) -> None:
    with pytest.raises(TypeError, match=r"mean must be .* it holds times: convert them, say to days"):
        ValuePredictions(given)
    with pytest.raises(TypeError, match=r"y_true must be .* it holds times"):
        pool_value(SquaredError(), VALUES, given)


@pytest.mark.parametrize(
    "given",
    [[1j, 2.0], np.array([1j, 2.0]), np.array([np.complex64(1j), 2.0], dtype=object), [np.complex128(1)] * 2],
)
def test_complex_numbers_do_not_lose_a_part(given: Any) -> None:
    with pytest.raises(TypeError, match=r"mean must be .* it holds complex numbers: take their real parts"):
        ValuePredictions(given)
    with pytest.raises(TypeError, match=r"y_true must be .* it holds complex numbers"):
        pool_value(SquaredError(), VALUES, given)
