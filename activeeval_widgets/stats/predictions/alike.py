"""Numbers in buckets, and as whole numbers that can be added in any order."""

from typing import NamedTuple

import numpy as np

from activeeval_widgets.stats._typing import FloatArray, IntArray

_FURTHEST = 1e6
"""A whole number never has more than this times its unit's 2²⁴: what is farther out counts as that."""


class Alike(NamedTuple):
    """One respect in which instances are alike.

    Attributes
    ----------
    codes : ndarray of int of shape (n,)
        The same for instances that are alike, from 0.
    n_values : int
        One more than the largest that there can be.
    weight : float
        Neighboring codes are taken together, if there are too many, where there are most of them in relation
        to this weight; never if it is infinite.
    """

    codes: IntArray
    n_values: int
    weight: float


def bucket(values: FloatArray, edges: FloatArray) -> IntArray:
    """Between which edges values lie, from 0; by comparisons alone, so the same on any machine."""
    return np.searchsorted(edges, values, side="right")


def edges_of(sample: FloatArray, n_buckets: int) -> FloatArray:
    """Edges between buckets that hold about the same number of a sample's values."""
    ordered = np.sort(sample)
    at = np.arange(1, n_buckets) * ordered.size // n_buckets
    return np.unique(ordered[at])


def halved(codes: IntArray, n_values: int) -> tuple[IntArray, int]:
    """The same with each two neighbors as one."""
    return codes >> 1, (n_values + 1) >> 1


def whole(values: FloatArray, unit: float) -> IntArray:
    """Values in units, rounded: what sums of a pool are made of."""
    limit = _FURTHEST * 2**24
    return np.rint(np.clip(values / unit, -limit, limit)).astype(np.int64)


def logit_edges(n_buckets: int, least: float) -> FloatArray:
    """Edges between buckets of probabilities, evenly spaced in log-odds between `least` and 1 − `least`."""
    farthest = np.log((1 - least) / least)
    edges: FloatArray = 1 / (1 + np.exp(-np.linspace(-farthest, farthest, n_buckets + 1)[1:-1]))
    return edges
