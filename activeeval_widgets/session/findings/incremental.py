"""Statistics that are updated label by label, and rewound when labels are undone."""

from collections.abc import Callable, Sequence
from typing import Any, Generic, Protocol, Self, TypeVar

_LATEST, _EVERY_OLD = 4, 8
"""The number of latest saved states that are all kept, and the share kept of older ones (each eighth)."""


class Incremental(Protocol):
    """A statistic that is updated draw by draw: a confidence sequence or a sequential test."""

    def extend(self, draws: Any, y_true: Any) -> Any:
        """Update with labeled draws; return an array with an element for each, or a tuple of arrays."""

    def copy(self) -> Self:
        """Return an independent copy."""


_Statistic = TypeVar("_Statistic", bound=Incremental)


class Rewindable(Generic[_Statistic]):
    """An incremental statistic with a result for each draw, rewound when labels are undone or changed."""

    def __init__(self, begin: Callable[[], _Statistic], *, every: int = 64) -> None:
        self._begin = begin
        self._every = every
        self._kept: list[_Statistic | None] = []
        self._now: _Statistic | None = None
        self._fed: list[tuple[int, Any]] = []
        self.results: list[Any] = []

    @property
    def n_fed(self) -> int:
        """The number of draws so far."""
        return len(self._fed)

    @property
    def begun(self) -> _Statistic:
        """The statistic before any draw."""
        if not self._kept:
            self._kept.append(self._begin())
        first = self._kept[0]
        assert first is not None  # noqa: S101 - the first state is always kept
        return first

    @property
    def now(self) -> _Statistic | None:
        """The present statistic; None before the first update."""
        return self._now

    def update_to(self, n_same: int, rest: Sequence[tuple[int, Any]]) -> _Statistic:
        """Keep the first `n_same` draws, replace the others by `rest`, and return the statistic."""
        sample = rest
        if n_same < len(self._fed) or self._now is None:
            n_kept = self._n_kept(n_same // self._every)
            sample = [*self._fed[n_kept * self._every : n_same], *rest]
            self._now = self._rewind_to(n_kept)
        now, start = self._now, 0
        while start < len(sample):
            end = start + self._every - len(self._fed) % self._every
            piece = sample[start:end]
            results = now.extend([draw for draw, _ in piece], [y for _, y in piece])
            self.results += zip(*results, strict=True) if isinstance(results, tuple) else list(results)
            self._fed += piece
            start = end
            if len(self._fed) % self._every == 0:
                self._kept.append(now.copy())
                self._thin()
        return now

    def _thin(self) -> None:
        """Drop most of the older states, as mostly recent labels are undone."""
        old = len(self._kept) - 1 - _LATEST
        if old > 0 and old % _EVERY_OLD:
            self._kept[old] = None

    def _n_kept(self, most: int) -> int:
        """Return the position of the last saved state up to `most`."""
        while most and self._kept[most] is None:
            most -= 1
        return most

    def _rewind_to(self, n_kept: int) -> _Statistic:
        """Return the statistic after that many pieces."""
        state = self._kept[n_kept] if n_kept else None
        state = self.begun if state is None else state
        del self._kept[n_kept + 1 :], self._fed[n_kept * self._every :], self.results[n_kept * self._every :]
        return state.copy()
