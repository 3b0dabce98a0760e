"""Instances that some numbers do not tell apart, taken together."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from activeeval_widgets.stats._typing import AnyArray, FloatArray, IntArray

_MOST_GROUPS = 256
"""With more groups than this, all instances are looked at instead."""

_FEWEST_INSTANCES = 2_000
"""In smaller pools each instance is looked at by itself: it costs nothing."""


class AlikeInstances(NamedTuple):
    """Groups of instances that are alike.

    Attributes
    ----------
    first : ndarray of int of shape (n_groups,)
        An instance of each group.
    group : ndarray of int of shape (n_instances,)
        The group of each.
    sizes : ndarray of int of shape (n_groups,)
        How many instances of the pool are in each.
    """

    first: IntArray
    group: AnyArray
    sizes: IntArray

    def left(self, draws: IntArray) -> IntArray:
        """How many of each group are left after these draws."""
        left: IntArray = self.sizes - np.bincount(self.group[draws], minlength=self.sizes.size)
        return left


def alike_in(columns: Sequence[FloatArray], counts: IntArray | None) -> AlikeInstances | None:
    """Groups of instances with the same number in each column; None where there are few or hardly any alike.

    Parameters
    ----------
    columns : sequence of ndarray of shape (n_instances,)
        The numbers.
    counts : ndarray of int of shape (n_instances,), or None
        How many instances each stands for; one each if None.
    """
    n_instances = columns[0].size
    if n_instances < _FEWEST_INSTANCES:
        return None
    group: AnyArray = np.zeros(n_instances, dtype=np.intp)
    n_groups = 1
    for column in columns:
        told = _codes_of(column)
        if told is None:
            return None
        codes, n_values = told
        if n_values == 1:
            continue
        # Numbered anew, in their order: there are few of them, and sorting would take longest.
        mixed = group * n_values + codes
        is_there = np.bincount(mixed, minlength=n_groups * n_values) > 0
        n_groups = int(np.count_nonzero(is_there))
        if n_groups > _MOST_GROUPS:
            return None
        group = (np.cumsum(is_there) - 1)[mixed]
    first = np.empty(n_groups, dtype=np.intp)
    first[group[::-1]] = np.arange(n_instances)[::-1]
    sizes = np.bincount(group) if counts is None else np.bincount(group, counts)
    return AlikeInstances(first, group.astype(np.int16), sizes.astype(np.intp))


def _codes_of(column: FloatArray) -> tuple[IntArray, int] | None:
    """Which of its different numbers each is, in their order, and how many there are; None: too many."""
    # What tells many apart at the beginning of the pool is not sorted as a whole; nor are few numbers.
    values = np.unique(column[:_FEWEST_INSTANCES])
    if values.size > _MOST_GROUPS:
        return None
    codes = np.minimum(np.searchsorted(values, column), values.size - 1)
    if np.array_equal(values[codes], column):
        return codes, values.size
    values, codes = np.unique(column, return_inverse=True)
    return None if values.size > _MOST_GROUPS else (codes.reshape(-1), values.size)
