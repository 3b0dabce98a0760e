"""Which instances predictions make alike: rows that stand for many of them, made by counting and adding.

A pool of any size becomes some thousand rows. An instance's row follows from its own predictions and a rule
alone, and all that a row says are sums of whole numbers: so the rows are the same, bit for bit, in whichever
pieces and in whichever order the pool is read, and wherever the pieces are worked on.
"""

from collections.abc import Iterable, Sequence
from math import prod
from typing import NamedTuple

import numpy as np

from activeeval_widgets.stats._typing import FloatArray, IntArray
from activeeval_widgets.stats.predictions.alike import Alike, bucket, edges_of, halved, whole
from activeeval_widgets.stats.predictions.base import Members, Predictions

MOST_ROWS = 6_000
"""Likenesses are merged until there are no more rows than this, if they can be."""

SAMPLE = 50_000
"""So many instances, evenly spaced over the pool, tell how values and costs are spread."""

_COST_BUCKETS = 32

_MOST_KEYS = 2**62
"""Keys are whole numbers of 64 bits: ten models, told apart as finely as two, would have more of them."""


def sampled(n_instances: int) -> int:
    """The distance between instances of the sample that a `Rule` takes: every such one, from the first on."""
    return max(1, -(-n_instances // SAMPLE))


class Rule:
    """How the row of an instance follows from what is predicted for it."""

    def __init__(
        self, sample: Sequence[Predictions], *, positive: object = None, costs: FloatArray | None = None
    ) -> None:
        first, *others = sample
        self.positive, self.grid = positive, first.grid(others)
        self.cost_edges = None if costs is None else edges_of(costs, _COST_BUCKETS)
        self.cost_unit = 1.0 if costs is None else float(costs.max()) / 2**24

    def alike(self, models: Sequence[Predictions], costs: FloatArray | None = None) -> list[Alike]:
        """What instances that share a row have in common, for some instances."""
        first, *others = models
        found = first.alike(others, self.grid, self.positive)
        if costs is not None and self.cost_edges is not None:
            found.append(Alike(bucket(costs, self.cost_edges), self.cost_edges.size + 1, 1.0))
        return fitting(found)

    def numbers(self, models: Sequence[Predictions], costs: FloatArray | None = None) -> list[IntArray]:
        """What is added up, as whole numbers; for each model, and for costs, (n, n_columns)."""
        found = [model.as_whole_numbers(self.grid) for model in models]
        if costs is not None:
            found.append(whole(costs, self.cost_unit)[:, np.newaxis])
        return found


class Tally(NamedTuple):
    """How many instances there are of each key, and their sums.

    Attributes
    ----------
    keys : ndarray of int64 of shape (n_keys,)
        Ascending.
    counts : ndarray of int64 of shape (n_keys,)
    sums : list of ndarray of int64 of shape (n_keys, n_columns)
        Of `Rule.numbers`.
    ends : list of ndarray of int64 of shape (2, n_columns)
        The smallest and the largest of them.
    radices : tuple of int
        How many values each digit of a key can have.
    weights : tuple of float
        Those of `Alike`.
    """

    keys: IntArray
    counts: IntArray
    sums: list[IntArray]
    ends: list[IntArray]
    radices: tuple[int, ...]
    weights: tuple[float, ...]


def fitting(alike: Sequence[Alike]) -> list[Alike]:
    """The same, told apart less finely where there are so many that no whole number has room for all."""
    found = list(alike)
    while prod(each.n_values for each in found) > _MOST_KEYS:
        fineness = [each.n_values / each.weight if each.n_values > 1 else 0.0 for each in found]
        finest = int(np.argmax(fineness))
        if fineness[finest] == 0:
            raise ValueError(
                "the models have too many classes together for instances to share rows: compare fewer models "
                "at once, or evaluate a part of the pool that fits into memory, of at most 100,000 instances"
            )
        codes, n_values = halved(found[finest].codes, found[finest].n_values)
        found[finest] = found[finest]._replace(codes=codes, n_values=n_values)
    return found


def keys_of(alike: Sequence[Alike]) -> IntArray:
    """One number for each instance, different where they are not alike; (n,)."""
    keys = np.zeros(alike[0].codes.size, dtype=np.int64)
    for each in alike:
        keys *= each.n_values
        keys += each.codes
    return keys


def tally(
    rule: Rule, models: Sequence[Predictions], costs: FloatArray | None = None
) -> tuple[Tally, IntArray]:
    """The tally of some instances, of a part of a pool, say; and which of its keys each has."""
    alike = rule.alike(models, costs)
    keys, inverse, counts = np.unique(keys_of(alike), return_inverse=True, return_counts=True)
    inverse = inverse.reshape(-1)
    numbers = rule.numbers(models, costs)
    sums = [_added(inverse, columns, keys.size) for columns in numbers]
    ends = [np.stack([columns.min(axis=0), columns.max(axis=0)]) for columns in numbers]
    radices = tuple(each.n_values for each in alike)
    weights = tuple(each.weight for each in alike)
    return Tally(keys, counts.astype(np.int64), sums, ends, radices, weights), inverse


def merged(tallies: Iterable[Tally]) -> Tally:
    """The tally of all instances, from those of parts, in whatever order."""
    parts = list(tallies)
    if len(parts) == 1:
        return parts[0]
    keys, inverse = np.unique(np.concatenate([part.keys for part in parts]), return_inverse=True)
    counts = _added(inverse, np.concatenate([part.counts for part in parts])[:, np.newaxis], keys.size)
    sums = [
        _added(inverse, np.concatenate(columns), keys.size)
        for columns in zip(*(part.sums for part in parts), strict=True)
    ]
    ends = [
        np.stack([np.min(each, axis=0)[0], np.max(each, axis=0)[1]])
        for each in zip(*(part.ends for part in parts), strict=True)
    ]
    return Tally(keys, counts[:, 0], sums, ends, parts[0].radices, parts[0].weights)


class Rows:
    """Rows that stand for all instances of a pool.

    Attributes
    ----------
    counts : ndarray of int of shape (n_rows,)
        How many instances each stands for.
    models : tuple of Predictions
        What is predicted on average in each row, with these counts.
    costs : ndarray of shape (n_rows,), or None
        What a label costs on average.
    """

    def __init__(self, rule: Rule, total: Tally, like: Sequence[Predictions], most: int = MOST_ROWS) -> None:
        self.rule, self._keys = rule, total.keys
        self._row_of_key = _merged_rows(total, most)
        n_rows = int(self._row_of_key.max()) + 1
        counts = _added(self._row_of_key, total.counts[:, np.newaxis], n_rows)[:, 0]
        self.counts: IntArray = counts.astype(np.intp)
        sums = [_added(self._row_of_key, columns, n_rows) for columns in total.sums]
        means = [columns / counts[:, np.newaxis] for columns in sums]
        self.models = tuple(
            model.from_whole_numbers(mean, ends, rule.grid).with_counts(self.counts)
            for model, mean, ends in zip(like, means, total.ends, strict=False)
        )
        self.costs: FloatArray | None = means[-1][:, 0] * rule.cost_unit if len(means) > len(like) else None

    @property
    def n_rows(self) -> int:
        """How many there are."""
        return int(self.counts.size)

    def of(self, keys: IntArray) -> IntArray:
        """The rows of some of the keys that the rows were made of."""
        return self._row_of_key[np.searchsorted(self._keys, keys)]

    def of_instances(self, models: Sequence[Predictions], costs: FloatArray | None = None) -> IntArray:
        """The rows that instances would be in, (n,); -1 where the pool had none like it."""
        keys = keys_of(self.rule.alike(models, costs))
        at = np.minimum(np.searchsorted(self._keys, keys), self._keys.size - 1)
        rows: IntArray = np.where(self._keys[at] == keys, self._row_of_key[at], -1)
        return rows

    def with_members(self, members: Members) -> tuple[Predictions, ...]:
        """The models' rows, which know what they stand for."""
        return tuple(model.with_counts(self.counts, members) for model in self.models)


def _merged_rows(total: Tally, most: int) -> IntArray:
    """The row of each key, (n_keys,): neighbors in the finest digit share one while there are too many."""
    digits = []
    rest = total.keys.copy()
    for radix in reversed(total.radices):
        rest, digit = np.divmod(rest, radix)
        digits.append(digit)
    digits.reverse()
    radices = list(total.radices)
    while True:
        keys = np.zeros_like(total.keys)
        for digit, radix in zip(digits, radices, strict=True):
            keys = keys * radix + digit
        found, rows = np.unique(keys, return_inverse=True)
        fineness = [r / weight if r > 1 else 0.0 for r, weight in zip(radices, total.weights, strict=True)]
        finest = int(np.argmax(fineness))
        if found.size <= most or fineness[finest] == 0:
            return np.asarray(rows.reshape(-1), dtype=np.intp)
        digits[finest], radices[finest] = halved(digits[finest], radices[finest])


def _added(where: IntArray, numbers: IntArray, n_rows: int) -> IntArray:
    """Sums of whole numbers by where they belong, (n_rows, n_columns): exact, so in any order."""
    total = np.zeros((n_rows, numbers.shape[1]), dtype=np.int64)
    order = np.argsort(where, kind="stable")
    starts = np.flatnonzero(np.diff(where[order], prepend=-1))
    if starts.size:
        total[where[order][starts]] = np.add.reduceat(numbers[order], starts, axis=0)
    return total
