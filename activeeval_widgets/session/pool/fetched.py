"""Predictions that are not in memory: what is asked of some instances is fetched, and kept for a while."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial
from typing import Any, ClassVar

import numpy as np

from activeeval_widgets.session.pool.parts import Result, Work
from activeeval_widgets.session.recent import Recent
from activeeval_widgets.stats import Predictions
from activeeval_widgets.stats._typing import AnyArray, FloatArray, IntArray

_KEPT = 20_000
"""The predictions of so many instances are kept: of all that were drawn, usually."""

_MOST_AT_ONCE = 1_000_000
"""More are not fetched at once: that would be the pool, which may not fit into memory."""


class PoolChangedError(ValueError):
    """What is read is not what it was when the pool was opened."""


class FetchedRows:
    """Rows of a table of numbers that are fetched when they are asked for, by instance."""

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
        if chosen.size > _MOST_AT_ONCE:
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
        # Lists of rows and of columns go together, as in NumPy.
        return found[(np.arange(at.size).reshape(chosen.shape), *rest)] if chosen.ndim else table[rest]

    def __array__(self, dtype: Any = None, copy: Any = None) -> AnyArray:
        raise _too_many(self.shape)


def _too_many(shape: tuple[int, ...]) -> MemoryError:
    return MemoryError(
        f"the predictions for all {shape[0]:,} instances are not in memory: they are read when instances are "
        "drawn. Read them from a smaller file for what needs all of them at once"
    )


class PartsElsewhere(ABC):
    """The predictions for a pool that is not in memory; see `Parts`.

    Attributes
    ----------
    models : list of Predictions
        The models' predictions, of which only what is asked for is fetched.
    """

    is_elsewhere: ClassVar[bool] = True

    @property
    @abstractmethod
    def digests(self) -> dict[str, str]:
        """Digests of what is predicted ("predictions"), of "ids" and of "costs"."""

    @property
    @abstractmethod
    def n_instances(self) -> int:
        """The number of instances of all parts."""

    @abstractmethod
    def each(self, work: Work[Result]) -> Iterator[Result]:
        """What a function gives of each part, in their order."""

    @abstractmethod
    def of(self, instances: IntArray) -> tuple[list[Predictions], FloatArray | None]:
        """The models' predictions for some instances, and what their labels cost."""

    @cached_property
    def models(self) -> list[Predictions]:
        """The models' predictions."""
        like, _ = self.of(np.zeros(1, dtype=np.intp))
        return [self._elsewhere(model, at) for at, model in enumerate(like)]

    @property
    def known_rows(self) -> Any:
        """The rows that instances share, as `SharedRows`, where they are known; None: parts tell them."""
        return None

    def _elsewhere(self, like: Predictions, at: int) -> Predictions:
        """A model whose predictions are fetched."""
        return like.elsewhere(partial(self._array, at))

    def fetch(self, instances: IntArray) -> None:
        """Read at once what will be asked of some instances, so far as it is kept."""
        self._kept.fetch(instances[-_KEPT:])

    @cached_property
    def _kept(self) -> "_Kept":
        return _Kept(self)

    def _array(self, model: int, name: str, shape: tuple[int, ...], dtype: Any) -> FetchedRows:
        return FetchedRows((self.n_instances, *shape), dtype, partial(self._kept.of, model, name))


class _Kept:
    """The predictions that were fetched last."""

    def __init__(self, parts: PartsElsewhere) -> None:
        self._parts = parts
        self._rows: Recent[int, list[Predictions]] = Recent(_KEPT)

    def of(self, model: int, name: str, instances: IntArray) -> list[AnyArray]:
        """An array of a model, the rows of some instances."""
        if instances.size > _KEPT:
            return list(getattr(self._parts.of(instances)[0][model], name))
        self.fetch(instances)
        return [getattr(self._rows[each][model], name)[0] for each in instances.tolist()]

    def fetch(self, instances: IntArray) -> None:
        """Fetch those that are not kept; at most as many as are."""
        found = {each: self._rows[each] for each in instances.tolist() if each in self._rows}
        missing = np.unique([each for each in instances.tolist() if each not in found]).astype(np.intp)
        if missing.size:
            models, _ = self._parts.of(missing)
            for at, instance in enumerate(missing.tolist()):
                found[instance] = [each.part(slice(at, at + 1)) for each in models]
        for instance, predictions in found.items():
            self._rows.put(instance, predictions)
