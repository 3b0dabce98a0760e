"""Groups of instances with equal numbers, so that computations can be done once per group."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from activeeval_widgets.stats._typing import AnyArray, FloatArray, IntArray

_MAX_GROUPS = 256
"""With more groups than this, computations go over all instances instead."""

_MIN_INSTANCES = 2_000
"""Smaller pools are not grouped: going over their instances takes little time."""


class AlikeInstances(NamedTuple):
    """Groups of instances with equal numbers: one of each, every instance's group, and their sizes."""

    first: IntArray
    group: AnyArray
    sizes: IntArray

    def left(self, draws: IntArray) -> IntArray:
        """Return how many instances of each group are left after these draws."""
        left: IntArray = self.sizes - np.bincount(self.group[draws], minlength=self.sizes.size)
        return left


def alike_in(columns: Sequence[FloatArray], counts: IntArray | None) -> AlikeInstances | None:
    """Group instances with the same number in each column; None for small pools or too many groups."""
    n_instances = columns[0].size
    if n_instances < _MIN_INSTANCES:
        return None
    group: AnyArray = np.zeros(n_instances, dtype=np.intp)
    n_groups = 1
    for column in columns:
        found = _codes_of(column)
        if found is None:
            return None
        codes, n_values = found
        if n_values == 1:
            continue
        # The groups that occur are renumbered in their order: there are few, and sorting takes longest.
        mixed = group * n_values + codes
        is_there = np.bincount(mixed, minlength=n_groups * n_values) > 0
        n_groups = int(np.count_nonzero(is_there))
        if n_groups > _MAX_GROUPS:
            return None
        group = (np.cumsum(is_there) - 1)[mixed]
    first = np.empty(n_groups, dtype=np.intp)
    first[group[::-1]] = np.arange(n_instances)[::-1]
    sizes = np.bincount(group) if counts is None else np.bincount(group, counts)
    return AlikeInstances(first, group.astype(np.int16), sizes.astype(np.intp))


def _codes_of(column: FloatArray) -> tuple[IntArray, int] | None:
    """Return the index of each number among the distinct ones, and how many those are; None if too many."""
    # Columns with many distinct numbers show that at the pool's beginning, so the whole is seldom sorted.
    values = np.unique(column[:_MIN_INSTANCES])
    if values.size > _MAX_GROUPS:
        return None
    codes = np.minimum(np.searchsorted(values, column), values.size - 1)
    if np.array_equal(values[codes], column):
        return codes, values.size
    values, codes = np.unique(column, return_inverse=True)
    return None if values.size > _MAX_GROUPS else (codes.reshape(-1), values.size)
