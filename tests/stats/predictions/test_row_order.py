"""Objects of pandas that are put together by position must have their rows in one order."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

from activeeval_widgets.stats import (
    Accuracy,
    ClassPredictions,
    Planner,
    PredictedClasses,
    RankingPredictions,
    ScoredClasses,
    ValuePredictions,
    absolute_difference_q,
    adaptive_q,
    asymptotic_variance,
    confidence_sequence,
    disagreement_q,
    estimate,
    expected_draws,
    optimal_q,
    percent_agreement,
    pool_value,
    replicate,
    rubric_predictions,
    serve_groups,
    side_by_side,
)

N = 6
INDEX = [f"row {number}" for number in range(N)]
PROBA = pd.DataFrame(
    {"x": np.linspace(0.1, 0.9, N), "y": 1 - np.linspace(0.1, 0.9, N)}, index=pd.Index(INDEX)
)
LABELS = pd.Series(["x", "y"] * (N // 2), index=INDEX)
NUMBERS = pd.Series(np.arange(1.0, N + 1), index=INDEX)
Q = NUMBERS / NUMBERS.sum()
VOTES = pd.DataFrame({"one": LABELS, "other": "y"})
GRADES = pd.DataFrame({"one": [0, 1] * (N // 2), "other": 1}, index=INDEX)
LISTS = pd.Series([["d"]] * N, index=INDEX)
RELEVANCE = pd.Series([{"d": [0.5, 0.5]}] * N, index=INDEX)
MODEL = ClassPredictions(PROBA)


def _replicated(y_true: Any = LABELS, costs: Any = None) -> Any:
    rng = np.random.default_rng(0)
    how = {"methods": ["passive"], "budgets": [40], "n_replications": 2, "rng": rng}
    return replicate(Accuracy(), MODEL, y_true, costs=costs, **how)


PAIRS: dict[str, tuple[Any, Callable[[Any], Any]]] = {
    "pool_value": (LABELS, lambda given: pool_value(Accuracy(), MODEL, given)),
    "replicate": (LABELS, _replicated),
    "costs of replicate": (NUMBERS, lambda given: _replicated(costs=given)),
    "costs of optimal_q": (NUMBERS, lambda given: optimal_q(Accuracy(), MODEL, costs=given)),
    "costs of adaptive_q": (NUMBERS, lambda given: adaptive_q(Accuracy(), MODEL, costs=given)),
    "costs of Planner": (NUMBERS, lambda given: Planner(Accuracy(), MODEL, costs=given)),
    "costs of expected_draws": (NUMBERS, lambda given: expected_draws(Q, given, 10)),
    "two models": (PROBA, lambda given: optimal_q(Accuracy(), [MODEL, ClassPredictions(given)])),
    "later models": (
        PROBA,
        lambda given: optimal_q(
            Accuracy(), [ClassPredictions(PROBA.to_numpy(), ["x", "y"]), MODEL, ClassPredictions(given)]
        ),
    ),
    "disagreement_q": (PROBA, lambda given: disagreement_q(MODEL, ClassPredictions(given))),
    "absolute_difference_q": (NUMBERS, lambda given: absolute_difference_q(NUMBERS, given)),
    "q of estimate": (Q, lambda given: estimate(Accuracy(), MODEL, given, [0, 1, 2], ["x", "y", "x"])),
    "q of an interval": (
        Q,
        lambda given: confidence_sequence(Accuracy(), MODEL, given, [0, 1], ["x", "y"]),
    ),
    "q of asymptotic_variance": (Q, lambda given: asymptotic_variance(Accuracy(), MODEL, given)),
    "groups": (NUMBERS.astype(int) // 4, lambda given: serve_groups(Q, given)),
    "weights": (NUMBERS, lambda given: percent_agreement(VOTES, weights=given)),
    "relevance": (RELEVANCE, lambda given: RankingPredictions(LISTS, given, [0, 1])),
    "a rubric's votes": (
        GRADES,
        lambda given: rubric_predictions(["c", "d"], [0, 1], votes={"c": GRADES, "d": given}),
    ),
    "predicted by scores": (LABELS, lambda given: ScoredClasses(PROBA, y_pred=given)),
}


@pytest.mark.parametrize("case", PAIRS)
def test_rows_in_another_order_are_refused(case: str) -> None:
    value, use = PAIRS[case]
    use(value)
    use(value[::-1].to_numpy() if isinstance(value, pd.Series) else value[::-1].reset_index(drop=True))
    use(value[::-1].reset_index(drop=True))
    with pytest.raises(ValueError, match=r"in another order: it begins with 'row 5', they with 'row 0'\. "):
        use(value[::-1])


MADE: dict[str, tuple[Any, Callable[[Any], Any]]] = {
    "probabilities": (PROBA, ClassPredictions),
    "logits": (PROBA, ClassPredictions.from_logits),
    "votes": (VOTES, ClassPredictions.from_votes),
    "predicted labels": (LABELS, lambda given: ClassPredictions(PROBA.to_numpy(), ["x", "y"], given)),
    "labels alone": (LABELS, PredictedClasses),
    "scores": (PROBA, ScoredClasses),
    "values": (NUMBERS, ValuePredictions),
    "variances": (NUMBERS, lambda given: ValuePredictions([1.0] * N, given)),
    "lists": (LISTS, lambda given: RankingPredictions(given, [{"d": [0.5, 0.5]}] * N, [0, 1])),
    "a rubric": (GRADES, lambda given: rubric_predictions(["c"], [0, 1], votes={"c": given})),
    "side by side": (
        VOTES.replace({"x": "A", "y": "B"}),
        lambda given: side_by_side(["old", "new"], given)["old"],
    ),
}


@pytest.mark.parametrize("case", MADE)
def test_predictions_remember_the_index_of_what_they_are_made_of(case: str) -> None:
    given, make = MADE[case]
    made = make(given)
    assert made.index.equals(given.index)
    assert made.with_counts(None).index is made.index
    # Other rows have other names.
    assert made.with_counts(np.full(N, 2)).index is None
    assert made.of_instances(np.array([2, 0, 1])).index is None
    if made.shares_rows:
        assert made.part(slice(0, N)).index is None
    assert make(given.to_numpy() if case != "logits" else given.to_numpy().tolist()).index is None


def test_logits_of_a_table_are_of_the_classes_that_its_columns_name() -> None:
    made = ClassPredictions.from_logits(PROBA)
    assert made.classes.tolist() == ["x", "y"]
    assert ClassPredictions.from_logits(PROBA, ["b", "a"]).classes.tolist() == ["b", "a"]
    assert ClassPredictions.from_logits(PROBA[["x"]]).classes.tolist() == [0, 1]
