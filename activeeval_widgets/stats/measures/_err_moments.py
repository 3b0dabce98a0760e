"""Moments of the expected reciprocal rank of one ranker or two, by dynamic programming (T, Theorem 6.1).

Lists are rows of items' positions in an `ItemMoments`, padded to a matrix (queries × positions) with −1, for
an item that is never relevant. Nothing is divided by a product that may underflow, and variances are sums of
squares wherever possible.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from activeeval_widgets.stats._typing import BoolArray, FloatArray, IntArray

_BATCH_CELLS = 1 << 16
"""Cells of one padded batch, so that a few such matrices stay in the cache during the recursion."""


class ItemMoments(NamedTuple):
    """Moments of κ for each item; the last entry is for padding, an item that is never relevant."""

    mean: FloatArray
    remaining: FloatArray
    """E[1 − κ]"""
    variance: FloatArray
    passed: FloatArray
    """E[(1 − κ)²]"""
    tilted: FloatArray
    """E[κ(1 − κ)] / E[1 − κ]: the mean of κ once another list has been read past the item."""
    tilted_remaining: FloatArray
    """E[(1 − κ)²] / E[1 − κ]"""
    square_share: FloatArray
    """E[κ²] / E[κ]"""
    tilted_share: FloatArray
    """`tilted` / E[κ]"""


def item_moments(
    grades: FloatArray, proba: FloatArray, kappa: FloatArray, remaining: FloatArray
) -> ItemMoments:
    """Return moments of κ for every item, from each grade's κ and 1 − κ and each item's probabilities."""
    # One product for all moments; the last row is for the padding, with the lowest grade.
    functions = np.stack([kappa, remaining, remaining**2, kappa * remaining, kappa**2], axis=1)
    expected = np.empty((5, len(proba) + 1))
    np.matmul(functions.T, proba.T, out=expected[:, :-1])
    expected[:, -1] = functions[np.argmin(grades)]
    mean, mean_remaining, passed, crossed, square = expected
    variance = np.zeros(len(mean))
    for at, value in enumerate(kappa):
        variance[:-1] += proba[:, at] * (value - mean[:-1]) ** 2
    # E[1 − κ] is 0 or at least 2^(−y_max): this division is safe, unlike one by products over a list.
    goes_on, possible = mean_remaining > 0, mean > 0
    tilted = np.divide(crossed, mean_remaining, out=np.zeros_like(mean), where=goes_on)
    return ItemMoments(
        mean=mean,
        remaining=mean_remaining,
        variance=variance,
        passed=passed,
        tilted=tilted,
        tilted_remaining=np.divide(passed, mean_remaining, out=np.zeros_like(mean), where=goes_on),
        square_share=np.divide(square, mean, out=np.zeros_like(mean), where=possible),
        tilted_share=np.divide(tilted, mean, out=np.zeros_like(mean), where=possible),
    )


def one_ranker(
    padded: Sequence[IntArray], signs: Sequence[float], items: ItemMoments
) -> tuple[FloatArray, FloatArray]:
    """Return the mean and variance of a · ERR."""
    mean, variance = _tail_moments(padded[0], items)
    return signs[0] * mean, signs[0] ** 2 * variance


def _tail_moments(rows: IntArray, items: ItemMoments) -> tuple[FloatArray, FloatArray]:
    """Return the mean and variance of ERR by the backward recursion T_i = κ_i/i + (1 − κ_i) T_{i+1}."""
    mean = np.zeros(len(rows))
    variance = np.zeros(len(rows))
    for i in range(rows.shape[1], 0, -1):
        item = rows[:, i - 1]
        # Var T_i = E[Var(T_i | κ_i)] + Var(E[T_i | κ_i]), both at least 0.
        variance = items.passed[item] * variance + items.variance[item] * (1 / i - mean) ** 2
        mean = items.mean[item] / i + items.remaining[item] * mean
    return mean, variance


def two_rankers(
    padded: Sequence[IntArray], signs: Sequence[float], items: ItemMoments
) -> tuple[FloatArray, FloatArray]:
    """Return the mean and variance of a₁ ERR₁ + a₂ ERR₂ for lists that share items."""
    first, second = padded
    pad = len(items.mean) - 1
    passed_once = np.ones(len(first))
    passed_twice = np.ones(len(first))
    if signs[0] == -signs[1]:
        # The lists' common beginning is a factor of the difference, so that equal lists differ by exactly 0.
        common = np.cumprod(first == second, axis=1).astype(bool)
        passed_once = np.where(common, items.remaining[first], 1.0).prod(axis=1)
        passed_twice = np.where(common, items.passed[first], 1.0).prod(axis=1)
        first, second = np.where(common, pad, first), np.where(common, pad, second)
    mean_1, variance_1 = _tail_moments(first, items)
    mean_2, variance_2 = _tail_moments(second, items)
    covariance = _mean_product(first, second, items) - mean_1 * mean_2
    mean = signs[0] * mean_1 + signs[1] * mean_2
    variance = signs[0] ** 2 * variance_1 + signs[1] ** 2 * variance_2 + 2 * signs[0] * signs[1] * covariance
    # Cancellation can leave a rounding error below 0.
    variance = np.maximum(variance, 0)
    spread = np.maximum(passed_twice - passed_once**2, 0)
    return passed_once * mean, passed_twice * variance + spread * mean**2


def _mean_product(first: IntArray, second: IntArray, items: ItemMoments) -> FloatArray:
    """Return E[ERR₁ ERR₂] in O(|r₁| |r₂|): the sum over pairs of positions (i, j) where the searches end.

    `ending` holds, for every j, 1/j times the probability that the first search continues past i − 1 and the
    second ends at j. An item that both lists have passed counts E[(1 − κ)²]; one that one list has passed and
    the other ends at, E[κ(1 − κ)] (the cases of T, A.14–A.21): relative to E[1 − κ] these are
    `tilted_remaining` and `tilted`.
    """
    n_queries, length = second.shape
    pad = len(items.mean) - 1
    columns = np.arange(length)
    # The positions of the first list's items in the second; `length` if absent. Rows belong to one query.
    place = np.empty(len(items.mean), dtype=np.intp)
    place[first] = length
    place[second] = columns
    place[pad] = length
    position = place[first]
    ending = items.mean[second] / np.arange(1, length + 1)
    ending[:, 1:] *= np.cumprod(items.remaining[second[:, :-1]], axis=1)
    total = np.zeros(n_queries)
    for i in range(1, length + 1):
        item = first[:, i - 1]
        at = position[:, i - 1]
        # Beyond the item's position in the second list, the second search has passed it already.
        beyond = columns > at[:, np.newaxis]
        met = np.where(beyond, items.tilted[item, np.newaxis], items.mean[item, np.newaxis])
        gain = np.einsum("ij,ij->i", ending, met)
        shared = np.flatnonzero(at < length)
        here = shared, at[shared]
        own = item[shared]
        # Both searches end at the item: E[κ²] where the sum above has E[κ]².
        gain[shared] += ending[here] * (items.square_share[own] - items.mean[own])
        total += gain / i
        met = np.where(beyond, items.tilted_remaining[item, np.newaxis], items.remaining[item, np.newaxis])
        ending *= met
        ending[here] *= items.tilted_share[own]
    return total


def pad_rows(rows: IntArray, starts: IntArray, lengths: IntArray, width: int) -> IntArray:
    """Return the rows of the queries' items as a matrix, padded with −1, the never relevant item."""
    columns = np.arange(width)
    valid = columns < lengths[:, np.newaxis]
    padded = np.full(valid.shape, -1, dtype=np.intp)
    padded[valid] = rows[(starts[:, np.newaxis] + columns)[valid]]
    return padded


def batches(lengths: IntArray) -> Iterator[tuple[IntArray, BoolArray]]:
    """Yield batches of queries of similar length, and which cells of the padded matrix hold an item."""
    order = np.argsort(lengths, kind="stable")
    end = len(order)
    while end:
        width = int(lengths[order[end - 1]])
        start = max(0, end - max(1, _BATCH_CELLS // max(1, width)))
        queries = order[start:end]
        yield queries, np.arange(width) < lengths[queries][:, np.newaxis]
        end = start
