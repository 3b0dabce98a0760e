"""Argument checks: each raises one error that names the argument, the value and what was expected."""

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from datetime import date, timedelta
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import BoolArray, FloatArray, IntArray

SUM_TOLERANCE = 1e-5
"""The largest deviation of a distribution's sum from 1; it allows for a softmax in single precision."""

HALF_TOLERANCE = 1e-3
"""The same in half precision: twice what rounding each probability does to a sum."""

ESTIMATORS = ("self_normalized", "difference")

MAX_SIZE = 1e30
"""The largest size of values and labels, so that high powers of squared errors fit a double."""

MAX_GRADE = 500
"""The largest relevance grade, so that squares of 2^y fit a double."""


def check_float_array(name: str, value: ArrayLike, *, ndim: int, shape: str) -> FloatArray:
    """Return `value` as a float array of `ndim` dimensions without NaN or infinities."""
    refuse_masked(name, value)
    try:
        array = to_floats(value)
    except (TypeError, ValueError) as error:
        raise TypeError(f"{name} must be an array of numbers of shape {shape}: {error}") from error
    if array.ndim != ndim:
        raise ValueError(f"{name} must have shape {shape}, got an array of shape {array.shape}")
    if not np.isfinite(array).all():
        where = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
        raise ValueError(f"{name}[{_position(where)}] is {array[where]}, expected a finite number")
    return array


def refuse_masked(name: str, value: Any) -> None:
    """Refuse masked values, of an array or in a list: NumPy would take what is under the mask."""
    if isinstance(value, list | tuple):
        if any(issubclass(each, np.ma.MaskedArray) for each in set(map(type, value))):
            for position, each in enumerate(value):
                refuse_masked(f"{name}[{position}]", each)
    elif isinstance(value, np.ma.MaskedArray) and (mask := np.ma.getmaskarray(value)).any():
        where = _position(tuple(int(i) for i in np.argwhere(mask)[0]))
        raise ValueError(
            f"{name}{f'[{where}]' if where else ''} is masked, expected a value: fill what is missing, "
            "as filled(…) does, or drop it"
        )


def index_of(*values: Any) -> Any:
    """Return the index of the first pandas object, or of predictions made of one; None without."""
    found = (getattr(value, "index", None) for value in values)
    return next((index for index in found if hasattr(index, "get_indexer")), None)


def check_order(name: str, value: Any, of: str, other: Any) -> None:
    """Refuse a pandas object whose index has that of another one in another order; also predictions of one.

    By default an index counts the rows: it does not name them.
    """
    index, expected = index_of(value), index_of(other)
    if index is None or expected is None or index.equals(expected):
        return
    if not (counts_rows(index) or counts_rows(expected)):
        is_column = all(hasattr(each, "loc") for each in (value, other)) and name.isidentifier()
        check_index(name, index, of, expected, by_index(name, f"{of}.index", of) if is_column else ONE_ORDER)


ONE_ORDER = "Give both in one order, by .loc[…]; or by .to_numpy(), if their rows are in one order already"


def by_index(name: str, index: str, of: str) -> str:
    """Return the remedy for a column in another order than that of an index."""
    return f"Pass {name}.loc[{index}], or {name}.to_numpy() if it is in the order of {of}"


def counts_rows(index: Any) -> bool:
    """Return whether a pandas index is 0, 1, …, as by default."""
    values = np.asarray(index)
    return values.dtype.kind == "i" and np.array_equal(values, np.arange(values.size))


def check_index(name: str, index: Any, of: str, expected: Any, remedy: str) -> None:
    """Refuse a pandas index that has another one's entries in another order."""
    if len(index) != len(expected) or index.equals(expected) or not expected.is_unique:
        return
    if index.is_unique and (index.get_indexer(expected) >= 0).all():
        [first], [wanted] = index[:1].tolist(), expected[:1].tolist()
        raise ValueError(
            f"{name} has the rows of {of} in another order: it begins with {first!r}, they with {wanted!r}. "
            f"{remedy}"
        )


def to_floats(value: Any) -> FloatArray:
    """Return numbers as floats; refuse times and complex numbers, which NumPy would convert."""
    given = np.asarray(value)
    types = set(map(type, given.flat)) if given.dtype.kind == "O" else {given.dtype.type}
    if any(issubclass(each, _TIMES) for each in types):
        raise TypeError("it holds times: convert them, say to days")
    if any(issubclass(each, _COMPLEX) for each in types):
        raise TypeError("it holds complex numbers: take their real parts, or their sizes")
    return np.asarray(value if given.dtype.kind in "OUS" else given, dtype=np.float64)


_TIMES = (np.datetime64, np.timedelta64, date, timedelta)
_COMPLEX = (complex, np.complexfloating)


def check_size(name: str, values: FloatArray, most: float = MAX_SIZE) -> None:
    """Refuse numbers whose powers would overflow."""
    too_large = np.abs(values) > most
    if too_large.any():
        where = int(np.argmax(too_large))
        raise ValueError(
            f"{name}[{where}] is {values[where]:g}, expected a size of at most {most:g}: use a larger unit"
        )


def is_half(value: Any) -> bool:
    """Return whether an array, a tensor, or any column of a frame is in half precision."""
    dtypes = getattr(value, "dtypes", None)
    found = [getattr(value, "dtype", "")] if dtypes is None else list(dtypes)
    return any(str(each).endswith("float16") for each in found)


def normalize_half(rows: FloatArray) -> FloatArray:
    """Divide rows in half precision by their sums, unless these are further from 1 than by rounding."""
    sums = rows.sum(axis=-1, keepdims=True)
    is_rounded = np.abs(sums - 1) <= HALF_TOLERANCE
    found: FloatArray = np.divide(rows, sums, out=rows.copy(), where=is_rounded)
    return found


def check_distributions(rows: FloatArray, describe: Callable[[int], str]) -> None:
    """Refuse rows that are not probability distributions; `describe` names a row in the message."""
    if rows.size and rows.min() < 0:
        row, column = (int(i) for i in np.argwhere(rows < 0)[0])
        raise ValueError(
            f"{describe(row)[:-1]}, {column}] is {rows[row, column]}, expected a probability >= 0"
        )
    sums = rows.sum(axis=1)
    off = np.abs(sums - 1) > SUM_TOLERANCE
    if off.any():
        row = int(np.argmax(off))
        raise ValueError(
            f"{describe(row)} sums to {sums[row]:.6g}, expected each row to sum to 1 within {SUM_TOLERANCE:g}"
        )


def check_q(value: ArrayLike, model: Any = None) -> FloatArray:
    """Validate an instrumental distribution of shape (n_instances,): nonnegative, with sum 1."""
    check_order("q", value, "predictions", model)
    n_instances = None if model is None else model.n_instances
    q = check_float_array("q", value, ndim=1, shape="(n_instances,)")
    if q.size == 0:
        raise ValueError("q must have at least one entry, got an empty array")
    if n_instances is not None and q.size != n_instances:
        raise ValueError(f"q has {q.size} entries, but the predictions are for {n_instances} instances")
    check_not_negative(q)
    if abs(q.sum() - 1) > SUM_TOLERANCE:
        raise ValueError(f"q sums to {q.sum():.6g}, expected 1 within {SUM_TOLERANCE:g}")
    return q


def check_not_negative(q: FloatArray) -> None:
    """Refuse negative probabilities."""
    if q.size and q.min() < 0:
        where = int(np.argmax(q < 0))
        raise ValueError(f"q[{where}] is {q[where]}, expected a probability >= 0")


def check_weights(value: ArrayLike, n_draws: int) -> FloatArray:
    """Validate weights p/q of shape (n_draws,), all positive."""
    weights = check_float_array("weights", value, ndim=1, shape="(n_draws,)")
    if weights.size != n_draws or not (weights > 0).all():
        raise ValueError(f"weights must be positive, one for each of {n_draws} draws, got {value!r:.200}")
    return weights


def check_indices(name: str, value: ArrayLike, n_instances: int) -> IntArray:
    """Validate draws of shape (n_draws,): indices into a pool of this size."""
    refuse_masked(name, value)
    indices = np.asarray(value)
    if indices.ndim != 1:
        raise ValueError(f"{name} must have shape (n_draws,), got an array of shape {indices.shape}")
    if indices.size == 0:
        return indices.astype(np.intp)
    if indices.dtype.kind not in "iu":
        raise TypeError(f"{name} must be integers (indices into the pool), got dtype {indices.dtype}")
    outside = (indices < 0) | (indices >= n_instances)
    if outside.any():
        where = int(np.argmax(outside))
        raise ValueError(
            f"{name}[{where}] is {indices[where]}, expected an index from 0 to {n_instances - 1}"
        )
    return indices.astype(np.intp, copy=False)


def check_draws(value: ArrayLike, q: FloatArray) -> IntArray:
    """Validate draws of shape (n_draws,): indices into the pool that `q` can have drawn."""
    draws = check_indices("draws", value, q.size)
    impossible = q[draws] == 0
    if impossible.any():
        where = int(np.argmax(impossible))
        raise ValueError(f"draws[{where}] is {draws[where]}, but q[{draws[where]}] is 0: it can't be drawn")
    return draws


def split_excluded(y_true: Any, n_draws: int) -> tuple[Any, BoolArray | None]:
    """Return the labels that are not None, and which draws have one (None if all have).

    A label None means that the instance is excluded.
    """
    refuse_masked("y_true", y_true)
    if not hasattr(y_true, "__iter__") or (isinstance(y_true, np.ndarray) and y_true.dtype != object):
        return y_true, None
    labels = list(y_true)
    labeled = np.array([y is not None for y in labels], dtype=bool)
    if labeled.all():
        return y_true, None
    if labeled.size != n_draws:
        raise ValueError(f"y_true must hold one label for each of {n_draws} draws, got {labeled.size}")
    return [y for y in labels if y is not None], labeled


def check_costs(value: ArrayLike | None, n_instances: int, model: Any = None) -> FloatArray | None:
    """Validate labeling costs of shape (n_instances,), all positive; None is returned as it is."""
    if value is None:
        return None
    check_order("costs", value, "predictions", model)
    costs = check_float_array("costs", value, ndim=1, shape="(n_instances,)")
    if costs.size != n_instances:
        raise ValueError(f"costs has {costs.size} entries, expected one for each of {n_instances} instances")
    if costs.min() <= 0:
        where = int(np.argmax(costs <= 0))
        raise ValueError(f"costs[{where}] is {costs[where]}, expected a cost > 0")
    return costs


def check_cost_matrix(value: ArrayLike) -> FloatArray:
    """Validate costs of shape (n_classes, n_classes), with a row for each predicted class."""
    costs = check_float_array("costs", value, ndim=2, shape="(n_classes, n_classes)")
    if costs.shape[0] != costs.shape[1] or costs.shape[0] < 2:
        raise ValueError(f"costs must be a square matrix of at least 2 × 2, got shape {costs.shape}")
    return costs


def check_grades(value: ArrayLike) -> FloatArray:
    """Validate relevance grades of shape (n_grades,): distinct numbers >= 0, the smallest being 0."""
    grades = check_float_array("grades", value, ndim=1, shape="(n_grades,)")
    if grades.size < 2:
        raise ValueError(f"grades must name at least two grades, got {grades.tolist()}")
    if grades.min() < 0:
        where = int(np.argmax(grades < 0))
        raise ValueError(f"grades[{where}] is {grades[where]}, expected a grade >= 0")
    if grades.min() > 0:
        raise ValueError(f"grades must have the minimum 0 (not relevant), got {grades.tolist()}")
    if grades.max() > MAX_GRADE:
        raise ValueError(f"grades must be at most {MAX_GRADE}, or 2^y overflows, got {grades.max()}")
    if np.unique(grades).size < grades.size:
        raise ValueError(f"grades must be distinct, got {grades.tolist()}")
    return grades


def check_rankings(value: Any) -> tuple[tuple[Hashable, ...], ...]:
    """Return each query's items, of a text its letters; refuse mappings, of which only keys would remain."""
    if isinstance(value, Mapping):
        raise TypeError(f"rankings must be a list of lists of items, got {value!r:.80}: list(run.values())")
    rankings: list[tuple[Hashable, ...]] = []
    for query, items in enumerate(value):
        if isinstance(items, Mapping) or not hasattr(items, "__iter__"):
            raise TypeError(f"rankings[{query}] must be a list of items in ranked order, got {items!r:.80}")
        rankings.append(tuple(items))
        for place, item in enumerate(rankings[-1]):
            if item is None or not isinstance(item, Hashable) or item != item:
                raise TypeError(f"rankings[{query}][{place}] is {item!r:.80}, expected an item's id")
    return tuple(rankings)


def is_number(value: Any, kind: type = Real) -> bool:
    """Return whether a value is a number of a kind; a truth value or a time is none, whatever NumPy says."""
    return isinstance(value, kind) and not isinstance(value, bool | np.timedelta64)


def check_positive(name: str, value: Any) -> float:
    """Return a finite number > 0."""
    if not is_number(value):
        raise TypeError(f"{name} must be a number > 0, got {value!r}")
    number = float(value)
    if not 0 < number < np.inf:
        raise ValueError(f"{name} must be a number > 0, got {value!r}")
    return number


def check_fraction(name: str, value: Any, *, closed: bool) -> float:
    """Return a number between 0 and 1, which includes the ends if `closed`."""
    expected = f"a number {'from' if closed else 'strictly between'} 0 {'to' if closed else 'and'} 1"
    if not is_number(value):
        raise TypeError(f"{name} must be {expected}, got {value!r}")
    number = float(value)
    if not (0 <= number <= 1 if closed else 0 < number < 1):
        raise ValueError(f"{name} must be {expected}, got {value!r}")
    return number


def check_count(name: str, value: Any, *, minimum: int = 0) -> int:
    """Return an integer of at least `minimum`."""
    if not is_number(value, Integral):
        raise TypeError(f"{name} must be an integer >= {minimum}, got {value!r}")
    if value < minimum:
        raise ValueError(f"{name} must be an integer >= {minimum}, got {value!r}")
    return int(value)


def check_at(value: Iterable[Any] | None, n_draws: int) -> list[int]:
    """Validate numbers of draws, each at most `n_draws`; by default only `n_draws`."""
    if value is None:
        return [n_draws]
    counts = [check_count("at", n) for n in value]
    if counts and max(counts) > n_draws:
        raise ValueError(f"at holds {max(counts)}, expected at most the number of draws, {n_draws}")
    return counts


def check_option(name: str, value: Any, options: Collection[str]) -> str:
    """Return `value` if it is exactly one of `options`."""
    if not isinstance(value, str) or value not in options:
        expected = ", ".join(repr(option) for option in sorted(options))
        raise ValueError(f"{name} must be one of {expected}, got {value!r}")
    return value


def check_rng(value: Any) -> np.random.Generator:
    """Return a `numpy.random.Generator`; seeds are refused, so that no state is hidden."""
    if not isinstance(value, np.random.Generator):
        raise TypeError(f"rng must be a numpy.random.Generator, got {value!r}")
    return value


def expect(holds: bool, what: str) -> None:
    """Raise an AssertionError unless a user's own class does what it has to, even under `python -O`."""
    if not holds:
        raise AssertionError(what)


def _position(where: tuple[int, ...]) -> str:
    return ", ".join(str(i) for i in where)
