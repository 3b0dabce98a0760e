"""The kinds of labels: classes, numbers, and grades for the items of a ranked list.

A kind of label checks labels before they are stored, and converts stored labels to the form that `stats`
accepts.
"""

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from decimal import Decimal
from functools import cached_property, partial
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.session.pool.pool import Pool
from activeeval_widgets.stats import Measure
from activeeval_widgets.stats._typing import AnyArray, FloatArray
from activeeval_widgets.stats._validation import MAX_SIZE, check_grades, is_number
from activeeval_widgets.stats.predictions.class_labels import check_classes, kind_of, plain_label
from activeeval_widgets.stats.text import listed, significant


class Labels(Protocol):
    """A kind of label.

    Attributes
    ----------
    kind : {"class", "number", "grades"}

    See Also
    --------
    ClassLabels, NumberLabels, GradeLabels : The kinds of labels.

    Examples
    --------
    >>> labels: Labels = ClassLabels(["ham", "spam"])
    >>> labels.kind, labels.decode([labels.check("spam", 0)], [0]).tolist()
    ('class', ['spam'])
    """

    @property
    def kind(self) -> str:
        """The name of the kind."""

    def check(self, value: Any, index: int) -> Any:
        """Check a label and return it as it is stored, a JSON value.

        Parameters
        ----------
        value : object
            The label to check.
        index : int
            The instance's index in the pool.

        Raises
        ------
        ValueError, TypeError
            If the value is not a label of that instance.
        """

    def is_stored(self, value: Any, index: int) -> bool:
        """Return whether a value is a valid stored label of that instance."""

    @property
    def known_labels(self) -> Mapping[int, Any]:
        """By instance, the stored labels that were known before the session."""

    def decode(self, values: Sequence[Any], indices: Sequence[int]) -> Any:
        """Convert stored labels, one for each of `indices`, to the form that `stats` accepts."""


class ClassLabels:
    """One of several classes.

    Parameters
    ----------
    classes : array-like of shape (n_classes,)
        The classes.

    Raises
    ------
    ValueError, TypeError
        If classes are not distinct, or can't be labels.

    See Also
    --------
    Labels : The interface of all kinds of labels.

    Examples
    --------
    >>> ClassLabels(["ham", "spam"]).check("spam", 0)
    'spam'
    """

    kind: ClassVar[str] = "class"
    known_labels: ClassVar[Mapping[int, Any]] = {}

    def __init__(self, classes: ArrayLike) -> None:
        self.classes: AnyArray = check_classes(classes, np.size(classes))
        self._classes = self.classes.tolist()

    def check(self, value: Any, index: int) -> Any:  # noqa: ARG002
        """Return the class as a plain Python value; see `Labels.check`."""
        if np.ndim(value):
            raise TypeError(f"label must be one class, got {value!r}")
        plain = plain_label(value)
        kind = kind_of(type(plain))
        # True == 1, but True is not the class 1.
        is_other_kind = kind is None or (kind == "bool" and self.classes.dtype.kind != "b")
        if is_other_kind or plain not in self._classes:
            shown = listed([*map(repr, self._classes)])
            raise ValueError(f"label is {value!r}, expected one of the classes [{shown}]")
        return self._classes[self._classes.index(plain)]

    def is_stored(self, value: Any, index: int) -> bool:
        """Return whether a value is a stored class; see `Labels.is_stored`."""
        return _is_as_checked(self.check, value, index)

    def decode(self, values: Sequence[Any], indices: Sequence[int]) -> AnyArray:  # noqa: ARG002
        """Return the classes as an array; see `Labels.decode`."""
        return np.array(values, dtype=self.classes.dtype)

    def __repr__(self) -> str:
        return f"ClassLabels({self._classes!r})"


class NumberLabels:
    """A finite number.

    Parameters
    ----------
    low, high : float, optional
        The smallest and the largest possible number, both included.
    decimal_mark : {".", ","}, optional
        The decimal mark of typed numbers, if known: it decides whether "200,000" is 200000 or 200.
    statistics : callable, optional
        Computes a measure's statistics from a number and the index of its instance. Labels for which it
        raises a ValueError, or whose squares overflow, are refused: they would make every estimate an error.

    Raises
    ------
    ValueError, TypeError
        If an end is not a finite number, or `low` is not below `high`.

    See Also
    --------
    Labels : The interface of all kinds of labels.

    Examples
    --------
    >>> NumberLabels(low=0).check(3, 0)
    3.0
    """

    kind: ClassVar[str] = "number"
    known_labels: ClassVar[Mapping[int, Any]] = {}

    def __init__(
        self,
        low: float | None = None,
        high: float | None = None,
        *,
        decimal_mark: str | None = None,
        statistics: Callable[[float, int], FloatArray] | None = None,
    ) -> None:
        self.decimal_mark = decimal_mark
        self._statistics = statistics
        self.low = None if low is None else _as_number("low", low)
        self.high = None if high is None else _as_number("high", high)
        if self.low is not None and self.high is not None and self.low >= self.high:
            raise ValueError(
                f"low must be below high, got low {significant(self.low)} and high {significant(self.high)}"
            )

    def check(self, value: Any, index: int) -> float:
        """Return the number as a float; see `Labels.check`."""
        number = self._in_range(value)
        if self._statistics is not None:
            with np.errstate(over="ignore", invalid="ignore"):
                squares = np.square(self._statistics(number, index))
            if not np.isfinite(squares).all():
                raise ValueError(f"label is {value!r}, expected a number whose error can be squared")
        return number

    def _in_range(self, value: Any) -> float:
        number = _as_number("label", value, self._expected)
        if abs(number) > MAX_SIZE:
            raise ValueError(
                f"label is {value!r}, expected a size of at most {MAX_SIZE:g}: use a larger unit"
            )
        if (self.low is not None and number < self.low) or (self.high is not None and number > self.high):
            raise ValueError(f"label is {value!r}, expected {self._expected}")
        return number

    def is_stored(self, value: Any, index: int) -> bool:
        """Return whether a value is a stored number; see `Labels.is_stored`."""
        return _is_as_checked(lambda number, _: self._in_range(number), value, index)

    def decode(self, values: Sequence[Any], indices: Sequence[int]) -> FloatArray:  # noqa: ARG002
        """Return the numbers as an array; see `Labels.decode`."""
        return np.array(values, dtype=np.float64)

    @property
    def _expected(self) -> str:
        if self.low is not None and self.high is not None:
            return f"a number from {significant(self.low)} to {significant(self.high)}"
        if self.low is not None:
            return f"a finite number >= {significant(self.low)}"
        return "a finite number" if self.high is None else f"a finite number <= {significant(self.high)}"

    def __repr__(self) -> str:
        return f"NumberLabels(low={self.low!r}, high={self.high!r})"


class GradeLabels:
    """A relevance grade for each item of an instance's list, or None for an item that can't be judged.

    An item that can't be judged counts as not relevant, grade 0, as unjudged items usually do in evaluations
    of rankings (for example in trec_eval). So the query's other grades stay in the estimate and the estimand
    is unchanged; gains are lower bounds. If no item can be judged, exclude the instance instead.

    Parameters
    ----------
    grades : array-like of shape (n_grades,)
        The possible grades: distinct nonnegative numbers that include 0.
    items : sequence of sequences
        The items of each instance's list. `str(item)` has to be distinct within a list.
    known : mapping from int to mapping, optional
        By instance, earlier grades by `str(item)`. These items are not asked again, and are added to each
        label. Items that are not in the list show what else is relevant.
    unasked : mapping from int to set of str, optional
        By instance, further items whose grades are accepted but not asked for.

    Attributes
    ----------
    grades : ndarray of shape (n_grades,)
    items : sequence of sequences
        The items to ask about, in the order shown, without those with known grades.
    words : sequence of str
        Words for the grades in their order; empty if there are none.

    See Also
    --------
    Labels : The interface of all kinds of labels.

    Raises
    ------
    ValueError, TypeError
        If the grades are not distinct numbers that begin with 0, or a known grade is not one of them.

    Examples
    --------
    >>> labels = GradeLabels([0, 1, 2], [["d7", "d2"]])
    >>> stored = labels.check({"d2": 2, "d7": None}, 0)
    >>> stored
    {'d7': None, 'd2': 2.0}
    >>> labels.decode([stored], [0])
    [{'d7': 0.0, 'd2': 2.0}]
    >>> GradeLabels([0, 1, 2], [["d7", "d2"]], {0: {"d2": 2}}).check({"d7": 1}, 0)
    {'d7': 1.0, 'd2': 2.0}
    """

    kind: ClassVar[str] = "grades"

    def __init__(
        self,
        grades: ArrayLike,
        items: Sequence[Sequence[Hashable]],
        known: Mapping[int, Mapping[str, float | None]] | None = None,
        unasked: Mapping[int, Collection[str]] | None = None,
    ) -> None:
        self.grades: FloatArray = check_grades(grades)
        self.words: Sequence[str] = ()
        self._grades = frozenset(self.grades.tolist())
        self._listed, self._unasked = items, unasked or {}
        self._known: dict[int, dict[str, float | None]] = {
            index: {str(name): self._check_grade(str(name), grade) for name, grade in given.items()}
            for index, given in (known or {}).items()
            if given
        }
        for index, given in self._known.items():
            names = [str(item) for item in items[index]]
            if names and all(name in given and given[name] is None for name in names):
                # No item could be judged, so the whole query is asked about again.
                self._known[index] = {name: grade for name, grade in given.items() if name not in names}
        self.items: Sequence[Sequence[Hashable]] = items
        if self._known:
            self.items = [
                tuple(item for item in each if str(item) not in self._known.get(index, ()))
                for index, each in enumerate(items)
            ]

    @cached_property
    def n_items(self) -> int:
        """The number of results in all lists."""
        return sum(map(len, self._listed))

    @cached_property
    def n_items_known(self) -> int:
        """The number of results that have a grade already."""
        return sum(
            given.get(str(item)) is not None
            for index, given in self._known.items()
            for item in self._listed[index]
        )

    def n_given(self, stored: Mapping[str, float | None], index: int) -> int:
        """Return how many of a label's grades were asked for."""
        return sum(stored.get(str(item)) is not None for item in self.items[index])

    def n_known(self, index: int) -> int:
        """Return how many items of an instance's list have a grade already."""
        return len(self._listed[index]) - len(self.items[index])

    @cached_property
    def known_labels(self) -> dict[int, dict[str, float | None]]:
        """The labels of instances of which all items were judged before, and at least one has a grade."""
        return {
            index: dict(given)
            for index, given in self._known.items()
            if self._listed[index]
            and not self.items[index]
            and any(given[str(item)] is not None for item in self._listed[index])
        }

    def check(self, value: Any, index: int) -> dict[str, float | None]:
        """Return the grade or None by the items' strings, in the order of the list; see `Labels.check`.

        Known grades need not be given; given ones replace them.
        """
        by_name = _by_name(value)
        known = self._known.get(index, {})
        names = [str(item) for item in self.items[index]]
        missing = [name for name in names if name not in by_name]
        if missing:
            raise ValueError(
                f"label has no grade for the item {missing[0]!r}: expected a grade, or None, for each of "
                f"{len(names)} items"
            )
        unasked = [name for name in by_name if name in self._unasked.get(index, ())]
        own = [str(item) for item in self._listed[index]]
        unknown = sorted(by_name.keys() - {*own, *known, *unasked})
        if unknown:
            items = listed([*map(repr, names)])
            raise ValueError(f"label names the item {unknown[0]!r}, which is not in the list: [{items}]")
        stored = {name: self._check_grade(name, by_name[name]) for name in names}
        stored |= {
            name: self._check_grade(name, by_name[name]) if name in by_name else grade
            for name, grade in known.items()
        }
        stored |= {name: self._check_grade(name, by_name[name]) for name in unasked}
        if own and all(stored[name] is None for name in own):
            raise ValueError("label judges none of the items: exclude the instance instead")
        return stored

    def is_stored(self, value: Any, index: int) -> bool:
        """Return whether a value has a valid grade for each item; see `Labels.is_stored`.

        It may have grades of other items, which were known when it was stored.
        """
        if not isinstance(value, dict) or not all(isinstance(name, str) for name in value):
            return False
        names = [str(item) for item in self._listed[index]]
        if not all(name in value for name in names):
            return False
        if names and all(value[name] is None for name in names):
            return False
        given = [grade for grade in value.values() if grade is not None]
        return all(type(grade) in (int, float) and grade in self._grades for grade in given)

    def decode(
        self, values: Sequence[Mapping[str, float | None]], indices: Sequence[int]
    ) -> list[dict[Hashable, float]]:
        """Return the grade of each item, 0 if it could not be judged; see `Labels.decode`."""
        found = []
        for stored, index in zip(values, indices, strict=True):
            grades = dict(stored)
            label: dict[Hashable, float] = {
                item: grades.pop(str(item)) or 0.0 for item in self._listed[index]
            }
            # Further judged items, which recall and ideal rankings depend on.
            found.append(label | {name: grade or 0.0 for name, grade in grades.items()})
        return found

    def _check_grade(self, name: str, grade: Any) -> float | None:
        if grade is None:
            return None
        expected = f"one of the grades {[_plain(known) for known in self.grades.tolist()]}, or None"
        number = _as_number(f"the grade of the item {name!r}", grade, expected)
        if number not in self._grades:
            raise ValueError(f"the grade of the item {name!r} is {grade!r}, expected {expected}")
        return number

    def __repr__(self) -> str:
        return f"GradeLabels({self.grades.tolist()!r}, items of {len(self.items)} lists)"


def labels_of(
    pool: Pool,
    y_range: tuple[float, float] | None,
    *,
    items: Sequence[Sequence[Hashable]] | None = None,
    measure: Measure | None = None,
) -> Labels:
    """Return the kind of labels of a pool; numbers are checked to suit a measure if one is given."""
    model = pool.models[0]
    if y_range is not None and model.label_kind != NumberLabels.kind:
        kind = _KIND_WORDS[model.label_kind]
        raise ValueError(f"y_range is for labels that are numbers, but here they are {kind}: leave it out")
    if model.label_kind == NumberLabels.kind:
        statistics = None if measure is None else partial(_statistics, pool, measure)
        return NumberLabels(*(y_range or ()), decimal_mark=pool.decimal_mark, statistics=statistics)
    return ClassLabels(_values(pool)) if model.label_kind == ClassLabels.kind else _grades_of(pool, items)


def _statistics(pool: Pool, measure: Measure, label: float, index: int) -> FloatArray:
    """Return a measure's statistics of one labeled instance, for all models."""
    of_instance = [model.part(np.array([index])) for model in pool.models]
    first = np.zeros(1, dtype=np.intp)
    return np.concatenate([measure.statistics(model, np.array([label]), first) for model in of_instance])


def _grades_of(pool: Pool, items: Sequence[Sequence[Hashable]] | None) -> GradeLabels:
    listed = [*map(pool.items, range(len(pool.ids)))] if items is None else items
    made = GradeLabels(_values(pool), listed, pool.judged, pool.below)
    made.words = getattr(pool.models[0], "grade_words", ())
    return made


_KIND_WORDS = {ClassLabels.kind: "classes", GradeLabels.kind: "grades"}


def _values(pool: Pool) -> AnyArray:
    values = pool.models[0].label_values
    assert values is not None  # noqa: S101 - only numbers have no values
    return values


def _is_as_checked(check: Callable[[Any, int], Any], value: Any, index: int) -> bool:
    try:
        return bool(check(value, index) == value)
    except (ValueError, TypeError):
        return False


def _by_name(value: Any) -> dict[str, Any]:
    """Convert the items of a label to strings."""
    if not isinstance(value, Mapping):
        raise TypeError(f"label must be a mapping from item to grade (or None), got {value!r}")
    by_name = {str(item): grade for item, grade in value.items()}
    if len(by_name) < len(value):
        raise ValueError(f"label names an item twice: {list(value)!r}")
    return by_name


def _as_number(name: str, value: Any, expected: str = "a finite number") -> float:
    plain = plain_label(value)
    plain = float(plain) if isinstance(plain, Decimal) else plain  # of a database's columns
    if not is_number(plain):
        raise TypeError(f"{name} must be {expected}, got {value!r}")
    try:
        number = float(plain)
    except OverflowError:
        number = np.inf
    if not np.isfinite(number):
        raise ValueError(f"{name} is {value!r}, expected {expected}")
    return number


def _plain(number: float) -> float:
    """Return integers without a decimal point."""
    return int(number) if number == int(number) else number
