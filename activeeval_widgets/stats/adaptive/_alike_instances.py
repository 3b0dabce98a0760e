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
        # What tells many apart at the beginning of the pool is not sorted as a whole.
        if np.unique(column[:_FEWEST_INSTANCES]).size > _MOST_GROUPS:
            return None
        values, codes = np.unique(column, return_inverse=True)
        if values.size == 1:
            continue
        numbers, group = np.unique(group * values.size + codes.reshape(-1), return_inverse=True)
        group, n_groups = group.reshape(-1), numbers.size
        if n_groups > _MOST_GROUPS:
            return None
    _, first = np.unique(group, return_index=True)
    sizes = np.bincount(group) if counts is None else np.bincount(group, counts)
    return AlikeInstances(first, group.astype(np.int16), sizes.astype(np.intp))
