import json
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from activeeval_widgets.session import ClassLabels, GradeLabels, NumberLabels, Pool, Session
from activeeval_widgets.stats import SquaredError, ValuePredictions

from .conftest import exactly

# -- classes ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("classes", "value", "stored"),
    [
        ([0, 1], 1, 1),
        ([0, 1], 1.0, 1),
        ([0, 1], np.int8(0), 0),
        (["ham", "spam"], np.str_("spam"), "spam"),
        ([0.5, 1.5], 0.5, 0.5),
        ([False, True], True, True),
    ],
)
def test_a_class_is_stored_as_it_is_named(classes: Any, value: Any, stored: Any) -> None:
    labels = ClassLabels(classes)
    checked = labels.check(value, 0)
    assert (checked, type(checked)) == (stored, type(stored))
    decoded = labels.decode([checked, checked], [0, 5])
    assert decoded.dtype == np.asarray(classes).dtype
    assert decoded.tolist() == [stored, stored]


def test_many_classes_are_not_all_listed() -> None:
    with pytest.raises(ValueError, match=r"expected one of the classes \[0, 1, .*, 19, …\]$"):
        ClassLabels(np.arange(500)).check(500, 0)


# -- numbers ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "value",
    [0, -3, 2.5, np.float32(0.5), np.int64(4), np.array(1.5), Fraction(1, 4), 1e-300, -1e30, 10**20],
)
def test_numbers_are_stored_as_floats(value: Any) -> None:
    stored = NumberLabels().check(value, 0)
    assert type(stored) is float
    assert stored == value
    assert json.loads(json.dumps(stored)) == stored
    assert NumberLabels().decode([stored], [0]).tobytes() == np.array([stored]).tobytes()


@pytest.mark.parametrize("value", [0, 10, 0.0, 10.0, -0.0, 5])
def test_the_ends_of_the_range_belong_to_it(value: float) -> None:
    assert NumberLabels(0, 10).check(value, 0) == value


@pytest.mark.parametrize(
    ("labels", "value", "error", "message"),
    [
        (NumberLabels(), float("nan"), ValueError, "label is nan, expected a finite number"),
        (NumberLabels(), float("inf"), ValueError, "label is inf, expected a finite number"),
        (NumberLabels(), np.float64("-inf"), ValueError,
         f"label is {np.float64('-inf')!r}, expected a finite number"),
        (NumberLabels(), 10**400, ValueError, f"label is {10**400!r}, expected a finite number"),
        (NumberLabels(), True, TypeError, "label must be a finite number, got True"),
        (NumberLabels(), np.True_, TypeError, f"label must be a finite number, got {np.True_!r}"),
        (NumberLabels(), "1", TypeError, "label must be a finite number, got '1'"),
        (NumberLabels(), None, TypeError, "label must be a finite number, got None"),
        (NumberLabels(), 1j, TypeError, "label must be a finite number, got 1j"),
        (NumberLabels(), [1.0], TypeError, "label must be a finite number, got [1.0]"),
        (NumberLabels(), Decimal("nan"), ValueError, "label is Decimal('NaN'), expected a finite number"),
        (NumberLabels(0, 10), 10.5, ValueError, "label is 10.5, expected a number from 0 to 10"),
        (NumberLabels(0, 10), -1, ValueError, "label is -1, expected a number from 0 to 10"),
        (NumberLabels(0, 10), float("nan"), ValueError, "label is nan, expected a number from 0 to 10"),
        (NumberLabels(low=2), 1, ValueError, "label is 1, expected a finite number >= 2"),
        (NumberLabels(low=2), float("inf"), ValueError, "label is inf, expected a finite number >= 2"),
        (NumberLabels(high=2), 3, ValueError, "label is 3, expected a finite number <= 2"),
    ],
)  # fmt: skip
def test_what_is_no_number(labels: NumberLabels, value: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=exactly(message)):
        labels.check(value, 0)


@pytest.mark.parametrize(
    ("ends", "error", "message"),
    [
        ((1, 1), ValueError, "low must be below high, got low 1 and high 1"),
        ((2, 1), ValueError, "low must be below high, got low 2 and high 1"),
        ((float("nan"), 1), ValueError, "low is nan, expected a finite number"),
        ((0, float("inf")), ValueError, "high is inf, expected a finite number"),
        (("a", 1), TypeError, "low must be a finite number, got 'a'"),
        ((True, None), TypeError, "low must be a finite number, got True"),
    ],
)
def test_bad_ranges(ends: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=exactly(message)):
        NumberLabels(*ends)


# -- grades -----------------------------------------------------------------------------------------------

ITEMS = [("d7", "d2"), (3, ("x", 1)), ()]
GRADES = GradeLabels([0, 1, 2.5], ITEMS)


@pytest.mark.parametrize(
    ("index", "value", "stored", "decoded"),
    [
        (0, {"d2": 1, "d7": 2.5}, {"d7": 2.5, "d2": 1.0}, {"d7": 2.5, "d2": 1.0}),
        (0, {"d2": None, "d7": np.int64(0)}, {"d7": 0.0, "d2": None}, {"d7": 0.0, "d2": 0.0}),
        (1, {3: 1, ("x", 1): 0}, {"3": 1.0, "('x', 1)": 0.0}, {3: 1.0, ("x", 1): 0.0}),
        (1, {"3": 1, "('x', 1)": None}, {"3": 1.0, "('x', 1)": None}, {3: 1.0, ("x", 1): 0.0}),
        (2, {}, {}, {}),
    ],
)
def test_grades_are_stored_by_the_items_strings(index: int, value: Any, stored: Any, decoded: Any) -> None:
    checked = GRADES.check(value, index)
    assert checked == stored
    assert list(checked) == list(stored)
    assert all(grade is None or type(grade) is float for grade in checked.values())
    assert json.loads(json.dumps(checked)) == checked
    assert GRADES.check(checked, index) == checked
    assert GRADES.decode([checked], [index]) == [decoded]


@pytest.mark.parametrize(
    ("value", "error", "message"),
    [
        ({"d7": 1}, ValueError,
         "label has no grade for the item 'd2': expected a grade, or None, for each of 2 items"),
        ({}, ValueError,
         "label has no grade for the item 'd7': expected a grade, or None, for each of 2 items"),
        ({"d7": 1, "d2": 0, "d9": 1}, ValueError,
         "label names the item 'd9', which is not in the list: ['d7', 'd2']"),
        ({"d7": 1, "d2": 2}, ValueError,
         "the grade of the item 'd2' is 2, expected one of the grades [0, 1, 2.5], or None"),
        ({"d7": float("nan"), "d2": 1}, ValueError,
         "the grade of the item 'd7' is nan, expected one of the grades [0, 1, 2.5], or None"),
        ({"d7": True, "d2": 1}, TypeError,
         "the grade of the item 'd7' must be one of the grades [0, 1, 2.5], or None, got True"),
        ({"d7": "1", "d2": 1}, TypeError,
         "the grade of the item 'd7' must be one of the grades [0, 1, 2.5], or None, got '1'"),
        ({"d7": None, "d2": None}, ValueError,
         "label judges none of the items: exclude the instance instead"),
        ([1, 1], TypeError, "label must be a mapping from item to grade (or None), got [1, 1]"),
        (None, TypeError, "label must be a mapping from item to grade (or None), got None"),
        (1, TypeError, "label must be a mapping from item to grade (or None), got 1"),
    ],
)  # fmt: skip
def test_what_are_no_grades(value: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=exactly(message)):
        GRADES.check(value, 0)


def test_an_item_and_its_string_are_one() -> None:
    with pytest.raises(ValueError, match=exactly("label names an item twice: [3, '3', ('x', 1)]")):
        GRADES.check({3: 1, "3": 0, ("x", 1): 0}, 1)


# -- in a session -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "name"), [("class", ClassLabels), ("number", NumberLabels), ("grades", GradeLabels)]
)
@pytest.mark.parametrize("n_models", [1, 2])
def test_predictions_tell_what_a_label_is(make_task: Any, kind: str, name: type, n_models: int) -> None:
    task = make_task(kind, n_models=n_models)
    labels = Session(task.pool, task.measure, protocol="papers").labels
    assert type(labels) is name
    assert labels.kind == kind


@pytest.mark.parametrize("value", [3.5, -2, float("nan"), True, "1"])
def test_what_is_outside_y_range_is_not_stored(make_list_store: Any, value: Any) -> None:
    pool = Pool(["a", "b"], predictions=ValuePredictions([1.0, 2.0]))
    store = make_list_store()
    session = Session(pool, SquaredError(), y_range=(-1, 3), store=store, protocol="papers")
    before = session.next()
    with pytest.raises((ValueError, TypeError), match="a number from \N{MINUS SIGN}1 to 3"):
        session.label(value)
    assert (session.next(), store.records, session.n_labels) == (before, [], 0)
    session.label(3)
    with pytest.raises((ValueError, TypeError), match="a number from \N{MINUS SIGN}1 to 3"):
        session.change(before.index, value)
    assert session.log.label_of(before.index) == 3.0


def test_y_range_is_part_of_the_session(shelf: Any) -> None:
    pool = Pool(["a", "b"], predictions=ValuePredictions([1.0, 2.0]))
    Session(pool, SquaredError(), y_range=(-1, 3), store=shelf.open(), protocol="papers").label(2.5)
    again = Session(pool, SquaredError(), y_range=(-1.0, 3.0), store=shelf.open(), protocol="papers")
    assert again.n_labels == 1
    for other in (None, (0, 9), (0, 2)):
        with pytest.raises(
            ValueError, match=r"started with different settings: y_range \(\(-1.0, 3.0\) then"
        ):
            Session(pool, SquaredError(), y_range=other, store=shelf.open(), protocol="papers")


@pytest.mark.parametrize(
    ("y_range", "message"),
    [
        ((3, 1), "y_range must be (smallest, largest) with smallest < largest, got (3, 1)"),
        ((0, float("inf")), "y_range[1] is inf, expected a finite number"),
        ((0, 1, 2), None),
    ],
)
def test_bad_y_range(y_range: Any, message: str | None) -> None:
    pool = Pool(["a", "b"], predictions=ValuePredictions([1.0, 2.0]))
    with pytest.raises(ValueError, match=exactly(message) if message else "y_range"):
        Session(pool, SquaredError(), y_range=y_range, protocol="papers")


@pytest.mark.parametrize("kind", ["class", "grades"])
def test_y_range_is_for_numbers(make_task: Any, kind: str) -> None:
    task = make_task(kind)
    with pytest.raises(
        ValueError, match=r"^y_range is for labels that are numbers, but here they are (classes|grades)"
    ):
        Session(task.pool, task.measure, y_range=(0, 1), protocol="papers")
