"""Objects that are easily mistaken for what is expected: they are read, or refused with a remedy."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pytest

from activeeval_widgets import Pool, Session
from activeeval_widgets.stats import (
    DCG,
    ClassPredictions,
    FMeasure,
    SquaredError,
    ValuePredictions,
    WithinTolerance,
    rubric_predictions,
)
from activeeval_widgets.widgets import Race

TEXTS = ["a", "b", "c"]
VALUES = ValuePredictions([1.0, 2.0, 3.0])
PROBA = [[0.5, 0.5]] * 3
BY_GROUP = pd.DataFrame({"group": list("xxy"), "text": TEXTS}).groupby("group")
DURATIONS = [np.timedelta64(5, unit) for unit in ("D", "ns")]


def _session(**options: Any) -> Session:
    return Session(Pool(TEXTS, predictions=VALUES), SquaredError(), y_range=(0, 10), **options)


@pytest.mark.parametrize("duration", DURATIONS, ids=str)
@pytest.mark.parametrize(
    "use",
    [
        lambda given: _session(budget=given),
        lambda given: _session(seed=given),
        lambda given: _session(confidence_level=given),
        lambda given: _session(lease_seconds=given),
        lambda given: FMeasure(beta=given),
        lambda given: DCG(cutoff=given),
        lambda given: WithinTolerance(given),
    ],
)
def test_a_duration_is_no_number(use: Callable[[Any], Any], duration: Any) -> None:
    with pytest.raises(TypeError, match=r"^\w+ must be (a number|an integer) .*, got np\.timedelta64\(5,"):
        use(duration)


def test_a_decimal_is_a_number() -> None:
    session = _session()
    session.next()
    assert session.label(Decimal("1.5")).value == 1.5
    with pytest.raises(ValueError, match=r"^label is Decimal\('NaN'\), expected a number from 0 to 10"):
        session.label(Decimal("NaN"))
    known = Pool(TEXTS, predictions=VALUES, labels=[Decimal(1), None, None])
    begun = Session(known, SquaredError(), y_range=(0, 10))
    assert known.known is not None
    assert known.known.stored(begun.labels, known.ids) == {0: 1}


TABLE = pd.DataFrame({0: [0, 1, 0], 1: [1, 0, 1], 2: [0, 0, 1]})


@pytest.mark.parametrize("given", [BY_GROUP, BY_GROUP["text"], TABLE, TABLE.to_numpy(), TABLE[[0]]])
@pytest.mark.parametrize("name", ["groups", "labels", "ids"])
def test_what_belongs_to_instances_is_one_column(name: str, given: Any) -> None:
    message = (
        rf"^{name} must be one column with .*such as table\['{name[:-1]}'\], got a {type(given).__name__}$"
    )
    with pytest.raises(TypeError, match=message):
        Pool(TEXTS, predictions=PROBA, **{name: given})


def test_the_labels_of_a_race_are_one_column() -> None:
    with pytest.raises(TypeError, match=r"^y_true must be one column .* got a DataFrame$"):
        Race(TEXTS, PROBA, "accuracy", TABLE)


def test_columns_of_pyarrow_are_read_as_their_values() -> None:
    arrow = pytest.importorskip("pyarrow")
    for column in (arrow.array([1, 0, None]), arrow.chunked_array([[1, 0], [None]])):
        pool = Pool(TEXTS, predictions=PROBA, groups=column, labels=column)
        assert pool.groups == ["1", "0", "(none)"]
        assert pool.known is not None
        labels = pool.known.values  # noqa: PD011 - not of pandas
        assert labels == {0: 1, 1: 0}
        assert all(type(each) is int for each in labels.values())
        with pytest.raises(ValueError, match=r"^ids\[2\] is None, expected an id for each instance"):
            Pool(TEXTS, predictions=PROBA, ids=column)
    table = arrow.table({"x": [0.1, 0.2, 0.3], "y": [0.9, 0.8, 0.7]})
    assert ClassPredictions(table).classes.tolist() == ["x", "y"]
    assert Pool(TEXTS, predictions=table).models[0].label_values.tolist() == ["x", "y"]  # type: ignore[union-attr]


def test_instances_are_not_grouped() -> None:
    with pytest.raises(TypeError, match=r"^instances is a DataFrameGroupBy, expected the table itself"):
        Pool(BY_GROUP, predictions=PROBA)
    table = pd.DataFrame({"text": TEXTS, "ngroups": 1})
    assert Pool(table, predictions=PROBA, groups=table["ngroups"]).groups == ["1", "1", "1"]


def test_votes_by_judge_are_a_table() -> None:
    votes = {"one": ["x", "y"], "other": ["y", "y"]}
    with pytest.raises(TypeError, match=r"^votes must be a table .* pass pandas\.DataFrame\(votes\)$"):
        ClassPredictions.from_votes(votes)  # type: ignore[arg-type]
    assert ClassPredictions.from_votes(pd.DataFrame(votes)).n_instances == 2


def test_a_rubric_s_grades_are_numbers() -> None:
    with pytest.raises(TypeError, match=r"got 'bad': pass range\(2\), and these words to the page"):
        rubric_predictions(["clear"], ["bad", "good"], 3)  # type: ignore[list-item]
    with pytest.raises(TypeError, match=r"^votes must be a mapping from criterion to a table of grades"):
        rubric_predictions(["clear"], [0, 1], votes=[[1, 0]])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"^votes\['clear'\]\[1\]\[0\] is 'bad', expected one of the grades"):
        rubric_predictions(["clear"], [0, 1], votes={"clear": [[1], ["bad"]]})
    votes = pd.DataFrame({"one": pd.array([1, pd.NA], dtype="Int64"), "other": [0, 1]})
    given = rubric_predictions(["clear"], [0, 1], votes={"clear": votes})
    without = rubric_predictions(["clear"], [0, 1], votes={"clear": [[1, 0], [None, 1]]})
    assert np.array_equal(given.relevance.proba, without.relevance.proba)
