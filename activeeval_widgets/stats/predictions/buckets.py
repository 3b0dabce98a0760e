"""Buckets of numbers, and integers whose sums do not depend on the order."""

from typing import NamedTuple

import numpy as np

from activeeval_widgets.stats._typing import FloatArray, IntArray

_FURTHEST = 1e6
"""Integers are clipped at this multiple of 2²⁴ units."""


class Alike(NamedTuple):
    """One respect in which instances are alike."""

    codes: IntArray
    """Equal for instances that are alike, from 0."""
    n_values: int
    """One more than the largest possible code."""
    weight: float
    """If there are too many codes, neighbors are merged where they are most numerous relative to this weight;
    never if it is infinite."""


def bucket(values: FloatArray, edges: FloatArray) -> IntArray:
    """Return the bucket of each value, from 0, by comparisons only: the same on any machine."""
    return np.searchsorted(edges, values, side="right")


def edges_of(sample: FloatArray, n_buckets: int) -> FloatArray:
    """Return edges between buckets that hold about equal numbers of a sample's values."""
    ordered = np.sort(sample)
    at = np.arange(1, n_buckets) * ordered.size // n_buckets
    return np.unique(ordered[at])


def halved(codes: IntArray, n_values: int) -> tuple[IntArray, int]:
    """Return the codes and their number with each two neighbors merged."""
    return codes >> 1, (n_values + 1) >> 1


def whole(values: FloatArray, unit: float) -> IntArray:
    """Return values as multiples of a unit, rounded, of which the pool's sums are made."""
    limit = _FURTHEST * 2**24
    return np.rint(np.clip(values / unit, -limit, limit)).astype(np.int64)


def logit_edges(n_buckets: int, least: float) -> FloatArray:
    """Return edges between buckets of probabilities, evenly spaced in log-odds, up to 1 − `least`."""
    farthest = np.log((1 - least) / least)
    edges: FloatArray = 1 / (1 + np.exp(-np.linspace(-farthest, farthest, n_buckets + 1)[1:-1]))
    return edges
