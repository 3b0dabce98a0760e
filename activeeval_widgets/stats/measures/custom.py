"""What measures of users' own functions and tables share: checks, tables of all classes, and their texts."""

import hashlib
import inspect
import textwrap
from collections.abc import Callable, Sequence
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import FloatArray, IntArray
from activeeval_widgets.stats._validation import check_cost_matrix
from activeeval_widgets.stats.measures.base import Measure
from activeeval_widgets.stats.measures.tables import TableMeasure
from activeeval_widgets.stats.predictions.base import Predictions
from activeeval_widgets.stats.predictions.classes import ClassPredictions

_DEEPEST = 5
"""Greatest depth at which a function's references are included in its digest."""

Function = Callable[[Any, Any], Any]

MAX_CLASSES = 100
"""Up to this many classes, a measure's repr is its table, from which it can be made again."""


def describe(measure: Measure, name: Any, *, greater_is_better: Any, is_share: Any) -> None:
    """Set a measure's name, the format of its values, and whether greater is better."""
    if not isinstance(name, str) or not name.strip():
        raise ValueError(f"name must be a string that is not blank, got {name!r}")
    for option, value in (("greater_is_better", greater_is_better), ("is_share", is_share)):
        if not isinstance(value, bool | np.bool_):
            raise TypeError(f"{option} must be True or False, got {value!r}")
    measure.name = name.strip()
    measure.greater_is_better = bool(greater_is_better)
    measure.is_share = bool(is_share)  # type: ignore[misc]


def options_of(measure: Measure) -> str:
    """Return what `describe` has set, as arguments."""
    return f"greater_is_better={measure.greater_is_better!r}, is_share={measure.is_share!r}"


def checked_tables(*tables: ArrayLike) -> list[FloatArray]:
    """Validate tables by the predicted and the true class, all of one shape."""
    given = [check_cost_matrix(table) for table in tables]
    if len({each.shape for each in given}) > 1:
        raise ValueError(f"the tables have the shapes {[each.shape for each in given]}, expected one")
    return given


def cells_of(
    tables: Sequence[FloatArray], name: str, model: ClassPredictions, predicted: IntArray, true: IntArray
) -> FloatArray:
    """Return the tables' entries for pairs of a predicted and a true class."""
    n_classes = len(tables[0])
    if n_classes != model.n_classes:
        raise ValueError(f"the {name} has {n_classes} classes, but the predictions have {model.n_classes}")
    return np.stack([table[predicted, true] for table in tables], axis=-1)


class OfClasses:
    """Functions of the predicted and the true class, and the measures from their tables."""

    def __init__(
        self, measure: Measure, functions: Sequence[Function], from_tables: Callable[..., TableMeasure]
    ) -> None:
        self._measure, self._from_tables = measure, from_tables
        self.functions = [check_function(each) for each in functions]
        self._made: dict[tuple[Any, ...], TableMeasure] = {}

    def measure_for(self, predictions: Predictions) -> TableMeasure:
        """Return the same measure from the table of these classes."""
        named, model = self._measure, self._measure._expect(ClassPredictions, predictions)
        if model.n_classes > MAX_CLASSES:
            raise ValueError(
                f"the predictions have {model.n_classes} classes, but a measure of your own can have at most "
                f"{MAX_CLASSES}"
            )
        labels = model.classes.tolist()
        if tuple(labels) not in self._made:
            tables = [
                [[_number(function(f, y), f"of {f!r} and {y!r}") for y in labels] for f in labels]
                for function in self.functions
            ]
            self._made[tuple(labels)] = self._from_tables(
                named.name, *tables, greater_is_better=named.greater_is_better, is_share=bool(named.is_share)
            )
        return self._made[tuple(labels)]


def check_function(function: Any) -> Function:
    """Return a function after checking that it can be called."""
    if not callable(function):
        raise TypeError(f"function must be callable with a prediction and a label, got {function!r}")
    return function  # type: ignore[no-any-return]


def _number(value: Any, where: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError) as error:
        raise TypeError(f"the function {where} is {value!r}, expected a number") from error
    if not isfinite(number):
        raise ValueError(f"the function {where} is {value!r}, expected a finite number")
    return number


def source_of(functions: Sequence[Function]) -> str:
    """Return a digest of functions' source, and of what they refer to, to distinguish them."""
    digest = hashlib.sha256()
    for function in functions:
        digest.update(_written(function, 0).encode())
    return f"source={digest.hexdigest()[:16]!r}"


def _written(value: Any, depth: int) -> str:
    """Return a text for a function, or something that it uses, that is the same in every process."""
    if value is None or isinstance(value, bool | int | float | str | bytes | np.generic):
        return repr(value)
    if isinstance(value, np.ndarray):
        return repr((value.dtype.str, value.tolist()))
    if isinstance(value, list | tuple):
        return f"({', '.join(_written(each, depth + 1) for each in value)})"
    if isinstance(value, dict):
        return f"mapping {_written([[*pair] for pair in value.items()], depth)}"
    code = getattr(value, "__code__", None)
    if code is None or depth > _DEEPEST:
        return f"{type(value).__module__}.{getattr(value, '__qualname__', type(value).__qualname__)}"
    try:
        text = textwrap.dedent(inspect.getsource(value))
    except (OSError, TypeError):
        text = repr((code.co_code, [str(each) for each in code.co_consts if not hasattr(each, "co_code")]))
    held = [cell.cell_contents for cell in value.__closure__ or ()]
    return f"{text} {_written([*held, *(value.__defaults__ or ())], depth + 1)}"
