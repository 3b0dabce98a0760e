"""Groups of instances, such as languages, sources or devices."""

from collections.abc import Mapping, Sequence
from math import isnan
from numbers import Real
from typing import Any, overload

import numpy as np

from activeeval_widgets.session.pool.other_libraries import as_column
from activeeval_widgets.session.pool.stored import Ids
from activeeval_widgets.stats._typing import AnyArray, IntArray
from activeeval_widgets.stats._validation import refuse_masked

NO_GROUP = "(none)"
"""The group of instances without one."""

MAX_GROUPS = 1_000
"""The maximum number of groups; a column with more values hardly contains groups."""


class CodedGroups(Sequence[str]):
    """The group of each instance, stored as the group's number."""

    @property
    def names(self) -> list[str]:
        """The names of all groups, in order."""
        raise NotImplementedError

    @property
    def codes(self) -> AnyArray:
        """The number of each instance's group."""
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
    """Return each instance's group as a string; missing values (None, NaN, NA) become "(none)"."""
    value = as_column("groups", value)
    if value is None:
        return None
    if isinstance(value, str | bytes) or not hasattr(value, "__iter__"):
        raise TypeError(f"groups must have one entry for each of {n_instances} instances, got {value!r:.80}")
    if isinstance(value, Mapping):
        raise TypeError(
            "groups must be a sequence in the order of the instances, got a mapping: if its keys are ids, "
            "pass [groups[each] for each in ids]"
        )
    refuse_masked("groups", value)
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
        if number.is_integer():  # integers with a missing value are stored as floats
            return str(int(number))
    return str(value).strip() or NO_GROUP


def group_codes(groups: Sequence[str] | None) -> tuple[list[str], IntArray]:
    """Return the sorted names of a pool's groups, and the number of each instance's group."""
    if groups is None:
        raise ValueError("the pool has no groups: pass one for each instance, Pool(…, groups=…)")
    if isinstance(groups, CodedGroups):
        return groups.names, groups.codes
    names = sorted(set(groups))
    if len(names) > MAX_GROUPS:
        raise ValueError(
            f"groups holds {len(names):,} different values, expected at most {MAX_GROUPS:,}: "
            "is it a column of groups?"
        )
    number = {name: code for code, name in enumerate(names)}
    return names, np.fromiter((number[group] for group in groups), dtype=np.intp, count=len(groups))


def has_groups(groups: Sequence[str] | None) -> bool:
    """Return whether there are at least two groups, and not too many."""
    if isinstance(groups, CodedGroups):
        return len(groups.names) >= 2
    return groups is not None and 2 <= len(set(groups)) <= MAX_GROUPS
