"""Rows that represent many instances with similar predictions, made by counting and adding.

A pool of any size becomes a few thousand rows. An instance's row depends only on its own predictions and a
rule, and everything in a row is a sum of integers. The rows are therefore the same, bit for bit, in whichever
pieces and order the pool is read, and wherever the pieces are processed.
"""

from collections.abc import Iterable, Sequence
from math import prod
from typing import NamedTuple

import numpy as np

from activeeval_widgets.stats._typing import FloatArray, IntArray
from activeeval_widgets.stats.predictions.base import Members, Predictions
from activeeval_widgets.stats.predictions.buckets import Alike, bucket, edges_of, halved, whole

MAX_ROWS = 6_000
"""Similar instances are merged until there are at most this many rows, if possible."""

SAMPLE = 50_000
"""The number of instances, evenly spaced over the pool, that determine the buckets of values and costs."""

_COST_BUCKETS = 32

_MAX_KEYS = 2**62
"""Keys are 64-bit integers; ten models, distinguished as finely as two, would need more."""


def sampled(n_instances: int) -> int:
    """Return the distance between consecutive instances of the sample for a `Rule`, from the first on."""
    return max(1, -(-n_instances // SAMPLE))


class Rule:
    """The rule that assigns an instance to a row by its predictions."""

    def __init__(
        self, sample: Sequence[Predictions], *, positive: object = None, costs: FloatArray | None = None
    ) -> None:
        first, *others = sample
        self.positive, self.grid = positive, first.grid(others)
        self.cost_edges = None if costs is None else edges_of(costs, _COST_BUCKETS)
        self.cost_unit = 1.0 if costs is None else float(costs.max()) / 2**24

    def alike(self, models: Sequence[Predictions], costs: FloatArray | None = None) -> list[Alike]:
        """Return what instances of one row have in common, for some instances."""
        found = self.grid.alike(models, self.positive)
        if costs is not None and self.cost_edges is not None:
            found.append(Alike(bucket(costs, self.cost_edges), self.cost_edges.size + 1, 1.0))
        return fitting(found)

    def numbers(self, models: Sequence[Predictions], costs: FloatArray | None = None) -> list[IntArray]:
        """Return the integers to add up: an array (n, n_columns) for each model, and one for costs."""
        found = [self.grid.as_whole_numbers(model) for model in models]
        if costs is not None:
            found.append(whole(costs, self.cost_unit)[:, np.newaxis])
        return found


class Tally(NamedTuple):
    """The number of instances of each key, in ascending order, and sums over them."""

    keys: IntArray
    counts: IntArray
    sums: list[IntArray]
    """Sums of `Rule.numbers`, (n_keys, n_columns) each."""
    ends: list[IntArray]
    """The smallest and largest of these numbers, (2, n_columns) each."""
    radices: tuple[int, ...]
    """The number of possible values of each digit of a key."""
    weights: tuple[float, ...]
    """The weights of `Alike`."""


def fitting(alike: Sequence[Alike]) -> list[Alike]:
    """Coarsen likenesses until their combinations fit into an integer key."""
    found = list(alike)
    while prod(each.n_values for each in found) > _MAX_KEYS:
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
    """Return an integer for each instance that differs between instances that are not alike; (n,)."""
    keys = np.zeros(alike[0].codes.size, dtype=np.int64)
    for each in alike:
        keys *= each.n_values
        keys += each.codes
    return keys


def tally(
    rule: Rule, models: Sequence[Predictions], costs: FloatArray | None = None
) -> tuple[Tally, IntArray]:
    """Return the tally of some instances, such as a part of a pool, and the index of each one's key."""
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
    """Return the tally of all instances from those of parts, in any order."""
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
    """Rows that represent all instances of a pool: their counts, and their mean predictions and costs."""

    def __init__(self, rule: Rule, total: Tally, like: Sequence[Predictions]) -> None:
        self.rule, self._keys = rule, total.keys
        self._row_of_key = _merged_rows(total)
        n_rows = int(self._row_of_key.max()) + 1
        counts = _added(self._row_of_key, total.counts[:, np.newaxis], n_rows)[:, 0]
        self.counts: IntArray = counts.astype(np.intp)
        sums = [_added(self._row_of_key, columns, n_rows) for columns in total.sums]
        means = [columns / counts[:, np.newaxis] for columns in sums]
        self.models = tuple(
            rule.grid.from_whole_numbers(model, mean, ends).with_counts(self.counts)
            for model, mean, ends in zip(like, means, total.ends, strict=False)
        )
        self.costs: FloatArray | None = means[-1][:, 0] * rule.cost_unit if len(means) > len(like) else None

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return int(self.counts.size)

    def of(self, keys: IntArray) -> IntArray:
        """Return the rows of some of the keys from which the rows were made."""
        return self._row_of_key[np.searchsorted(self._keys, keys)]

    def of_instances(self, models: Sequence[Predictions], costs: FloatArray | None = None) -> IntArray:
        """Return the rows of given instances, (n,); -1 if the pool had none like it."""
        keys = keys_of(self.rule.alike(models, costs))
        at = np.minimum(np.searchsorted(self._keys, keys), self._keys.size - 1)
        rows: IntArray = np.where(self._keys[at] == keys, self._row_of_key[at], -1)
        return rows

    def with_members(self, members: Members) -> tuple[Predictions, ...]:
        """Return the models' rows, linked to the instances that they represent."""
        return tuple(model.with_counts(self.counts, members, at) for at, model in enumerate(self.models))


def _merged_rows(total: Tally) -> IntArray:
    """Return the row of each key, (n_keys,), merging neighbors in the finest digit as needed."""
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
        if found.size <= MAX_ROWS or fineness[finest] == 0:
            return np.asarray(rows.reshape(-1), dtype=np.intp)
        digits[finest], radices[finest] = halved(digits[finest], radices[finest])


def _added(where: IntArray, numbers: IntArray, n_rows: int) -> IntArray:
    """Sum integers by row, (n_rows, n_columns); exact, and so independent of the order."""
    total = np.zeros((n_rows, numbers.shape[1]), dtype=np.int64)
    order = np.argsort(where, kind="stable")
    starts = np.flatnonzero(np.diff(where[order], prepend=-1))
    if starts.size:
        total[where[order][starts]] = np.add.reduceat(numbers[order], starts, axis=0)
    return total
