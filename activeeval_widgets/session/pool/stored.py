"""Instances and ids that are read on demand."""

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, overload

import numpy as np
import pandas as pd

from activeeval_widgets.stats._typing import AnyArray

SMALL = 100_000
"""The maximum number of ids that are stored as a list."""

_CHUNK = 10_000


class StoredInstances(Sequence[Any]):
    """Instances of one kind that are read on demand, for example from a file; a pool does not check them."""

    kind: ClassVar[str]

    def fingerprint(self) -> str | None:
        """Return the digest of the instances, equal to that of a list; None to let the kind compute it."""
        return None

    def frame(self) -> pd.DataFrame:
        """Return records as a table."""
        raise NotImplementedError

    @overload
    def __getitem__(self, index: int) -> Any: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Any]: ...
    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return [self.at(i) for i in range(*index.indices(len(self)))]
        n_instances = len(self)
        if not -n_instances <= index < n_instances:
            raise IndexError(f"index {index} is outside the {n_instances} instances")
        return self.at(int(index) % n_instances)

    def at(self, index: int) -> Any:
        """Return an instance by its index from 0."""
        raise NotImplementedError


class Ids(Sequence[str]):
    """Distinct strings that are not in memory, equal to a list of the same strings."""

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return self.between(*index.indices(len(self))[:2])[:: index.step or 1]
        n_ids = len(self)
        if not -n_ids <= index < n_ids:
            raise IndexError(f"index {index} is outside the {n_ids} ids")
        at = int(index) % n_ids
        return self.between(at, at + 1)[0]

    def between(self, start: int, stop: int) -> list[str]:
        """Return the ids from `start` to before `stop`."""
        raise NotImplementedError

    def longest(self) -> int:
        """Return the length of the longest id."""
        raise NotImplementedError

    def array(self, start: int, stop: int, width: int) -> AnyArray:
        """Return `between` as an array of strings of a width."""
        return np.array(self.between(start, stop), dtype=f"<U{width}")

    def __iter__(self) -> Iterator[str]:
        for start in range(0, len(self), _CHUNK):
            yield from self.between(start, min(start + _CHUNK, len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or isinstance(other, str):
            return NotImplemented
        return len(self) == len(other) and all(map(str.__eq__, self, other))

    __hash__ = None  # type: ignore[assignment]


class NumberIds(Ids):
    """The strings "0", "1", … ."""

    def __init__(self, n_ids: int) -> None:
        self._n_ids = n_ids

    def __len__(self) -> int:
        return self._n_ids

    def between(self, start: int, stop: int) -> list[str]:
        """See `Ids.between`."""
        return list(map(str, range(start, max(start, stop))))

    def longest(self) -> int:
        """See `Ids.longest`."""
        return len(str(max(self._n_ids - 1, 0)))

    def array(self, start: int, stop: int, width: int) -> AnyArray:
        """See `Ids.array`."""
        characters = np.zeros((stop - start, width), dtype="<u4")
        numbers = np.arange(start, stop)
        for n_digits in range(len(str(start)), len(str(max(stop - 1, 0))) + 1):
            least = 0 if n_digits == 1 else 10 ** (n_digits - 1)
            first, last = np.searchsorted(numbers, [least, 10**n_digits])
            rest = numbers[first:last]
            for digit in reversed(range(n_digits)):
                rest, units = np.divmod(rest, 10)
                characters[first:last, digit] = units + ord("0")
        return characters.view(f"<U{width}")[:, 0]


def number_ids(n_ids: int) -> Sequence[str]:
    """Return the strings "0", "1", …, as a list if they are few."""
    ids = NumberIds(n_ids)
    return list(ids) if n_ids <= SMALL else ids
