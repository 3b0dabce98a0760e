"""Predictions that are not in memory: rows are fetched on demand and cached."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial
from typing import Any, ClassVar

import numpy as np

from activeeval_widgets.session.pool.parts import Result, Work
from activeeval_widgets.session.recent_cache import RecentCache
from activeeval_widgets.stats import Predictions
from activeeval_widgets.stats._typing import AnyArray, FloatArray, IntArray

_KEPT = 20_000
"""The number of instances with cached predictions: usually all drawn ones."""

_MAX_AT_ONCE = 1_000_000
"""The maximum number of rows to fetch at once, as the whole pool may not fit into memory."""


class PoolChangedError(ValueError):
    """The data set has changed since the pool was opened."""


class FetchedRows:
    """A table of numbers, one row per instance, whose rows are fetched on demand."""

    def __init__(
        self, shape: tuple[int, ...], dtype: Any, fetch: Callable[[IntArray], Sequence[AnyArray] | AnyArray]
    ) -> None:
        self.shape, self.dtype, self._fetch = shape, np.dtype(dtype), fetch

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of entries."""
        return int(np.prod(self.shape))

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, key: Any) -> Any:
        rows, rest = (key[0], key[1:]) if isinstance(key, tuple) else (key, ())
        if isinstance(rows, slice):
            rows = np.arange(*rows.indices(len(self)))
        chosen = np.asarray(rows)
        if chosen.dtype == bool:
            chosen = np.flatnonzero(chosen)
        if chosen.size > _MAX_AT_ONCE:
            raise _too_many(self.shape)
        at = chosen.reshape(-1).astype(np.intp)
        if at.size and not (-len(self) <= at.min() and at.max() < len(self)):
            raise IndexError(f"an index is outside the {len(self)} instances")
        found = np.empty((at.size, *self.shape[1:]), dtype=self.dtype)
        if at.size:
            found[:] = self._fetch(at % len(self))
        table = found.reshape(chosen.shape + self.shape[1:])
        if not rest:
            return table[()]
        # Lists of rows and columns are paired, as in NumPy.
        return found[(np.arange(at.size).reshape(chosen.shape), *rest)] if chosen.ndim else table[rest]

    def __array__(self, dtype: Any = None, copy: Any = None) -> AnyArray:
        raise _too_many(self.shape)


def _too_many(shape: tuple[int, ...]) -> MemoryError:
    return MemoryError(
        f"the predictions for all {shape[0]:,} instances are not in memory: they are read when instances are "
        "drawn. Read them from a smaller file for what needs all of them at once"
    )


class FetchedParts(ABC):
    """The predictions for a pool that is not in memory, fetched on demand; see `Parts`."""

    is_streamed: ClassVar[bool] = True

    @property
    @abstractmethod
    def digests(self) -> dict[str, str]:
        """The digests of "predictions", "ids" and "costs"."""

    @property
    @abstractmethod
    def n_instances(self) -> int:
        """The number of instances."""

    @abstractmethod
    def each(self, work: Work[Result]) -> Iterator[Result]:
        """Apply a function to each part in order."""

    @abstractmethod
    def of(self, instances: IntArray) -> tuple[list[Predictions], FloatArray | None]:
        """Return the predictions for some instances, and the costs of their labels."""

    @cached_property
    def models(self) -> list[Predictions]:
        """The models' predictions."""
        like, _ = self.of(np.zeros(1, dtype=np.intp))
        return [self._elsewhere(model, at) for at, model in enumerate(like)]

    @property
    def known_rows(self) -> Any:
        """The shared rows, if known; None if they have to be computed from the parts."""
        return None

    def _elsewhere(self, like: Predictions, at: int) -> Predictions:
        """Return a model whose predictions are fetched on demand."""
        return like.elsewhere(partial(self._array, at))

    def fetch(self, instances: IntArray) -> None:
        """Fetch the predictions for some instances into the cache at once."""
        self._kept.fetch(instances[-_KEPT:])

    @cached_property
    def _kept(self) -> "_Kept":
        return _Kept(self)

    def _array(self, model: int, name: str, shape: tuple[int, ...], dtype: Any) -> FetchedRows:
        return FetchedRows((self.n_instances, *shape), dtype, partial(self._kept.of, model, name))


class _Kept:
    """The cache of fetched predictions."""

    def __init__(self, parts: FetchedParts) -> None:
        self._parts = parts
        self._rows: RecentCache[int, list[Predictions]] = RecentCache(_KEPT)

    def of(self, model: int, name: str, instances: IntArray) -> list[AnyArray]:
        """Return rows of one of a model's arrays for some instances."""
        if instances.size > _KEPT:
            return list(getattr(self._parts.of(instances)[0][model], name))
        self.fetch(instances)
        return [getattr(self._rows[each][model], name)[0] for each in instances.tolist()]

    def fetch(self, instances: IntArray) -> None:
        """Fetch instances that are not cached; at most `_KEPT`."""
        found = {each: self._rows[each] for each in instances.tolist() if each in self._rows}
        missing = np.unique([each for each in instances.tolist() if each not in found]).astype(np.intp)
        if missing.size:
            models, _ = self._parts.of(missing)
            for at, instance in enumerate(missing.tolist()):
                found[instance] = [each.part(slice(at, at + 1)) for each in models]
        for instance, predictions in found.items():
            self._rows.put(instance, predictions)
