"""Distributions of a ranking's value when the grades of its items are independent, given the query.

Queries are rows of a matrix, their items its columns, padded with items of certain level 0. A level, 0, 1, …,
is how relevant an item is; a position is its place in a list, from 0, or −1 if it is not listed.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from activeeval_widgets.stats._typing import FloatArray, IntArray
from activeeval_widgets.stats.measures._err_moments import batches
from activeeval_widgets.stats.predictions.beliefs import RelevanceModel

N_POINTS = 128
"""Number of joint labels that represent all of a query's if there are more: E[z | x] is then off by less than
a tenth of the standard deviation of z given x, and q by a few percent."""

MAX_STATES = 256
"""Up to this number of states of counts, moments are exact."""

_SEED = 20260707
_CELLS = 1 << 21


class Lists(NamedTuple):
    """Some queries: the probabilities of their items' levels, and the items' positions in each list."""

    queries: IntArray
    proba: FloatArray
    """(n, n_items, n_levels)"""
    positions: list[IntArray]
    """(n, n_items) each"""


Values = Callable[[IntArray, IntArray], FloatArray]
"""Values of lists: from levels and positions, (…, n_items) each, to (…)."""


def lists_of(
    relevance: RelevanceModel, rankings: Sequence[Sequence[Sequence[object]]], levels: IntArray
) -> Iterator[Lists]:
    """Yield the pool's queries in batches of similar length; `levels` are those of the grades."""
    n_levels = int(levels.max()) + 1
    by_level = np.zeros((len(relevance.proba) + 1, n_levels))
    for grade, level in enumerate(levels):
        by_level[:-1, level] += relevance.proba[:, grade]
    by_level[-1, 0] = 1
    places = np.full((len(rankings), len(by_level)), -1, dtype=np.intp)
    for place, ranking in zip(places, rankings, strict=True):
        rows = relevance.rows_of(ranking, None)
        lengths = np.array([len(one) for one in ranking], dtype=np.intp)
        place[rows] = np.arange(len(rows)) - np.repeat(lengths.cumsum() - lengths, lengths)
    n_items = np.array([len(known) for known in relevance.rows], dtype=np.intp)
    all_rows = np.fromiter((row for known in relevance.rows for row in known.values()), dtype=np.intp)
    starts = n_items.cumsum() - n_items
    for queries, valid in batches(n_items):
        step = max(1, _CELLS // (N_POINTS * max(1, valid.shape[1])))
        for start in range(0, len(queries), step):
            some, inside = queries[start : start + step], valid[start : start + step]
            rows = np.full(inside.shape, -1, dtype=np.intp)
            rows[inside] = all_rows[(starts[some][:, np.newaxis] + np.arange(inside.shape[1]))[inside]]
            yield Lists(some, by_level[rows], [place[rows] for place in places])


def by_points(lists: Lists, values: Values, directions: Sequence[float]) -> tuple[FloatArray, FloatArray]:
    """Return mean and variance of Σ direction · value, over all joint levels or a Latin hypercube of them."""
    n, n_items, n_levels = lists.proba.shape
    if n_levels**n_items <= N_POINTS:
        levels = np.indices((n_levels,) * n_items).reshape(n_items, -1).T[np.newaxis]
        columns = np.arange(n_items)
        shares = np.stack([lists.proba[:, columns, one].prod(axis=1) for one in levels[0]], axis=1)
    else:
        uniform = _hypercube(n_items)
        below = lists.proba[..., :-1].cumsum(axis=2)[:, np.newaxis] <= uniform[np.newaxis, ..., np.newaxis]
        levels = below.sum(axis=3, dtype=np.intp)
        shares = np.full((n, N_POINTS), 1 / N_POINTS)
    score = np.zeros((n, levels.shape[1]))
    for direction, position in zip(directions, lists.positions, strict=True):
        score += direction * values(levels, position[:, np.newaxis])
    mean = np.einsum("ij,ij->i", shares, score)
    return mean, np.einsum("ij,ij->i", shares, (score - mean[:, np.newaxis]) ** 2)


def by_counts(
    lists: Lists, gains: FloatArray, weights: Sequence[FloatArray], ideal: Callable[[IntArray], FloatArray]
) -> tuple[FloatArray, FloatArray] | None:
    """Return the exact mean and variance of Σ_items weight · gain(level) / ideal(counts of levels).

    `weights` are the items' in each list, (n, n_items); `ideal` takes the counts of the levels 1, 2, …. Given
    the counts, the sum's first two moments follow item by item. 0/0 is 0. None: too many states.
    """
    n, n_items, n_levels = lists.proba.shape
    shape = (n_items + 1,) * (n_levels - 1)
    if np.prod([float(side) for side in shape]) > MAX_STATES:
        return None
    weight = np.sum(weights, axis=0)
    # The probability of each vector of counts, and with it E[sum] and E[sum²].
    mass, first, second = np.zeros((3, n, *shape))
    mass[(slice(None), *(0,) * (n_levels - 1))] = 1
    ones = (n, *(1,) * (n_levels - 1))
    for item in range(n_items):
        p = lists.proba[:, item]
        old = mass, first, second
        mass, first, second = (array * p[:, 0].reshape(ones) for array in old)
        for level in range(1, n_levels):
            share = p[:, level].reshape(ones)
            gain = (weight[:, item] * gains[level]).reshape(ones)
            to: list[slice] = [slice(None)] * n_levels
            of = to.copy()
            to[level], of[level] = slice(1, None), slice(None, -1)
            m, f, s = (array[tuple(of)] for array in old)
            mass[tuple(to)] += share * m
            first[tuple(to)] += share * (f + gain * m)
            second[tuple(to)] += share * (s + 2 * gain * f + gain**2 * m)
    counts = np.moveaxis(np.indices(shape), 0, -1)
    best = ideal(counts)
    inverse = np.divide(1.0, best, out=np.zeros(shape), where=best > 0)
    axes = tuple(range(1, n_levels))
    mean: FloatArray = (first * inverse).sum(axis=axes)
    square: FloatArray = (second * inverse**2).sum(axis=axes)
    # Cancellation can leave a rounding error below 0.
    return mean, np.maximum(square - mean**2, 0)


@cache
def _hypercube(n_items: int) -> FloatArray:
    """Return points with every item's coordinate evenly spread over [0, 1), (N_POINTS, n_items); constant."""
    rng = np.random.Generator(np.random.PCG64(_SEED))
    columns = [(rng.permutation(N_POINTS) + 0.5) / N_POINTS for _ in range(n_items)]
    made = np.stack(columns, axis=1)
    made.setflags(write=False)
    return made
