"""Groups of instances: a language, a source, a device."""

from collections.abc import Sequence
from math import isnan
from numbers import Real
from typing import Any, overload

import numpy as np

from activeeval_widgets.session.pool.stored import Ids
from activeeval_widgets.stats._typing import AnyArray, IntArray

NO_GROUP = "(none)"
"""What instances are said to belong to of which nothing is said."""

MOST_GROUPS = 1_000
"""With more groups than this, a column is hardly one of groups."""


class CodedGroups(Sequence[str]):
    """What each instance belongs to, by the numbers of groups alone.

    Attributes
    ----------
    names : list of str
        The names of all groups, in order.
    codes : ndarray of int of shape (n_instances,)
    """

    @property
    def names(self) -> list[str]:
        """The names of all groups, in order."""
        raise NotImplementedError

    @property
    def codes(self) -> AnyArray:
        """The group of each instance, by its number."""
        raise NotImplementedError

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return [self.names[code] for code in self.codes[index].tolist()]
        return self.names[int(self.codes[index])]


def check_group_names(value: Sequence[Any] | None, n_instances: int) -> Sequence[str] | None:
    """Return what each instance belongs to, as strings; what is missing (None, NaN, NA) is "(none)"."""
    if value is None:
        return None
    if isinstance(value, str | bytes) or not hasattr(value, "__iter__"):
        raise TypeError(f"groups must have one entry for each of {n_instances} instances, got {value!r:.80}")
    groups = value if isinstance(value, Ids | CodedGroups) else [_name(group) for group in value]
    if len(groups) != n_instances:
        raise ValueError(
            f"groups has {len(groups)} entries, expected one for each of {n_instances} instances"
        )
    return groups


def _name(value: Any) -> str:
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return NO_GROUP
    if isinstance(value, Real) and not isinstance(value, bool | np.bool_):
        number = float(value)
        if isnan(number):
            return NO_GROUP
        if number == int(number):  # a column of whole numbers in which one is missing holds fractions
            return str(int(number))
    return str(value).strip() or NO_GROUP


def group_codes(groups: Sequence[str] | None) -> tuple[list[str], IntArray]:
    """The names of a pool's groups, in order, and the number of each instance's group."""
    if groups is None:
        raise ValueError("the pool has no groups: give each instance's as Pool(…, groups=…)")
    if isinstance(groups, CodedGroups):
        return groups.names, groups.codes
    names = sorted(set(groups))
    if len(names) > MOST_GROUPS:
        raise ValueError(
            f"groups holds {len(names):,} different values, expected at most {MOST_GROUPS:,}: "
            "is it a column of groups?"
        )
    number = {name: code for code, name in enumerate(names)}
    return names, np.fromiter((number[group] for group in groups), dtype=np.intp, count=len(groups))


def has_groups(groups: Sequence[str] | None) -> bool:
    """Whether there are groups to be told apart: two at least, and not too many."""
    if isinstance(groups, CodedGroups):
        return len(groups.names) >= 2
    return groups is not None and 2 <= len(set(groups)) <= MOST_GROUPS
