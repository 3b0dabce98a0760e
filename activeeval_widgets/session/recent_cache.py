"""A cache of the most recently used values."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from itertools import islice
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class RecentCache(Generic[Key, Value]):
    """Cache values and drop the least recently used one first.

    Parameters
    ----------
    n_most : int
        The maximum number of values.
    keeps_first : bool
        If True, the first value is never dropped.

    Examples
    --------
    >>> kept = RecentCache(2)
    >>> [kept.get(key, lambda: key.upper()) for key in "abac"]
    ['A', 'B', 'A', 'C']
    >>> "a" in kept, "b" in kept
    (True, False)
    >>> kept = RecentCache(2, keeps_first=True)
    >>> [kept.get(key, lambda: key.upper()) for key in "abc"]
    ['A', 'B', 'C']
    >>> "a" in kept, "b" in kept
    (True, False)
    """

    def __init__(self, n_most: int, *, keeps_first: bool = False) -> None:
        self._n_most = n_most
        self._keeps_first = keeps_first
        self._first: tuple[Key, ...] = ()
        self._values: OrderedDict[Key, Value] = OrderedDict()

    def __contains__(self, key: Key) -> bool:
        return key in self._values

    def __getitem__(self, key: Key) -> Value:
        return self._values[key]

    def __len__(self) -> int:
        return len(self._values)

    def values(self) -> list[Value]:
        """Return the cached values, the most recently used one last."""
        return list(self._values.values())

    def get(self, key: Key, make: Callable[[], Value]) -> Value:
        """Return the value of a key, and make it if it is not cached."""
        if key in self._values:
            self._values.move_to_end(key)
            return self._values[key]
        value = make()
        self.put(key, value)
        return value

    def put(self, key: Key, value: Value) -> list[Value]:
        """Cache a value, and return those that are dropped for it."""
        if self._keeps_first and not self._values:
            self._first = (key,)
        self._values[key] = value
        self._values.move_to_end(key)
        n_over = len(self._values) - self._n_most
        may_go = (key for key in self._values if key not in self._first)
        return [self._values.pop(key) for key in list(islice(may_go, max(0, n_over)))]

    def clear(self) -> None:
        """Drop all values."""
        self._values.clear()

    def pop(self, key: Key) -> Value | None:
        """Drop a value and return it; None if it is not cached."""
        return self._values.pop(key, None)
