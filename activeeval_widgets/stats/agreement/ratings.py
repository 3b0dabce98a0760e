"""The opinions of several raters as a table of class codes, with a row for each draw."""

from collections.abc import Sequence
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import BoolArray, FloatArray, IntArray
from activeeval_widgets.stats._validation import is_number, refuse_masked

MISSING = -1


class Ratings(NamedTuple):
    """Opinions as codes, (n_draws, n_raters)."""

    codes: IntArray
    """Positions in `classes`; −1 for no opinion."""
    classes: tuple[Any, ...]
    """The classes in order: as given, or those that occur, sorted if they are numbers."""

    @property
    def counts(self) -> IntArray:
        """The number of opinions of each draw, (n_draws,)."""
        return np.asarray((self.codes != MISSING).sum(axis=1))

    @property
    def is_double(self) -> BoolArray:
        """Whether each draw has two opinions or more."""
        return np.asarray(self.counts >= 2)

    def packed(self) -> IntArray:
        """Return the codes with each row's opinions first, in as few columns as possible."""
        if not self.codes.size:
            return self.codes[:, :0]
        order = np.argsort(self.codes == MISSING, axis=1, kind="stable")
        return np.asarray(np.take_along_axis(self.codes, order, axis=1)[:, : int(self.counts.max())])


def check_ratings(
    value: ArrayLike, classes: Sequence[Any] | None = None, *, is_ordered: bool = False
) -> Ratings:
    """Validate opinions and return them as codes; ordered classes must be given unless they are numbers."""
    refuse_masked("ratings", value)
    table = np.array(value, dtype=object)
    if table.ndim != 2:
        raise ValueError(
            f"ratings must have shape (n_draws, n_raters), one column for each rater, None for no opinion; "
            f"got an array of shape {table.shape}"
        )
    known = None if classes is None else _check_classes(classes)
    cells = table.ravel().tolist()
    seen: dict[Any, int] = {} if known is None else dict(known)
    codes: IntArray = np.full(len(cells), MISSING)
    for position, cell in enumerate(cells):
        if cell is None or _is_nan(cell):
            continue
        code = _code(cell, seen, position, table.shape[1], may_grow=known is None)
        codes[position] = code
    codes = codes.reshape(table.shape)
    if known is not None:
        return Ratings(codes, tuple(known))
    names = tuple(seen)
    if not all(isinstance(name, Real) for name in names):
        if is_ordered:
            raise ValueError(
                f"classes must be given in order, lowest first: the order of {names[:5]!r} is not known"
            )
        return Ratings(codes, names)
    order = sorted(range(len(names)), key=lambda code: names[code])
    rank = np.empty(len(names) + 1, dtype=np.intp)
    rank[order] = np.arange(len(names))
    rank[MISSING] = MISSING
    return Ratings(rank[codes], tuple(names[code] for code in order))


def check_numbers(classes: Sequence[Any], *, may_be_negative: bool = True) -> FloatArray:
    """Return the classes as numbers, (n_classes,)."""
    for name in classes:
        if not is_number(name) or not np.isfinite(float(name)):
            raise TypeError(f"ratings must be numbers for this distance, got {name!r}")
        if float(name) < 0 and not may_be_negative:
            raise ValueError(f"ratings must be at least 0 for the distance 'ratio', got {name!r}")
    return np.array([float(name) for name in classes])


def _check_classes(classes: Sequence[Any]) -> dict[Any, int]:
    names = list(classes)
    known = {name: code for code, name in enumerate(names)}
    if len(known) < len(names):
        raise ValueError(f"classes must be distinct, got {names!r:.200}")
    return known


def _is_nan(cell: Any) -> bool:
    try:
        return bool(cell != cell)
    except TypeError:
        return True  # pandas' NA: comparing it with itself gives NA, whose truth value raises


def _code(cell: Any, seen: dict[Any, int], position: int, n_raters: int, *, may_grow: bool) -> int:
    try:
        code = seen.get(cell)
    except TypeError as error:
        raise TypeError(f"ratings must be classes or numbers, got {cell!r:.200}") from error
    if code is None:
        if not may_grow:
            row, column = divmod(position, n_raters)
            raise ValueError(
                f"ratings[{row}, {column}] is {cell!r}, which is none of classes {list(seen)!r:.200}"
            )
        code = seen[cell] = len(seen)
    return code
