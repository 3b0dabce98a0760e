"""Statistics that are fed label by label, from a log in which labels can be taken back."""

from collections.abc import Callable, Sequence
from typing import Any, Generic, Protocol, Self, TypeVar

_LATEST, _EVERY_OLD = 4, 8
"""The last few states are all kept to go back to; of older ones each eighth."""


class Incremental(Protocol):
    """What is fed draw by draw: a confidence sequence, a sequential test."""

    def extend(self, draws: Any, y_true: Any) -> Any:
        """Feed labeled draws; returns an array with an element for each, or a tuple of such arrays."""

    def copy(self) -> Self:
        """Another one in the same state."""


_Statistic = TypeVar("_Statistic", bound=Incremental)


class Rewindable(Generic[_Statistic]):
    """An incremental statistic that can also go back, where labels are taken back or changed.

    Attributes
    ----------
    n_fed : int
        How many draws it was fed.
    results : list
        What `extend` returned for each of them.
    """

    def __init__(self, begin: Callable[[], _Statistic], *, every: int = 64) -> None:
        self._begin = begin
        self._every = every
        self._kept: list[_Statistic | None] = []
        self._now: _Statistic | None = None
        self._fed: list[tuple[int, Any]] = []
        self.results: list[Any] = []

    @property
    def n_fed(self) -> int:
        """How many draws it was fed."""
        return len(self._fed)

    @property
    def begun(self) -> _Statistic:
        """The statistic before any draw."""
        if not self._kept:
            self._kept.append(self._begin())
        first = self._kept[0]
        assert first is not None  # noqa: S101 - the first one is never let go
        return first

    @property
    def now(self) -> _Statistic | None:
        """The statistic as it is; None before it was fed for the first time."""
        return self._now

    def feed(self, n_same: int, rest: Sequence[tuple[int, Any]]) -> _Statistic:
        """Bring the statistic to where it is after other draws than those it was fed."""
        sample = rest
        if n_same < len(self._fed) or self._now is None:
            n_kept = self._n_kept(n_same // self._every)
            sample = [*self._fed[n_kept * self._every : n_same], *rest]
            self._now = self._go_back(n_kept)
        now, start = self._now, 0
        while start < len(sample):
            end = start + self._every - len(self._fed) % self._every
            piece = sample[start:end]
            told = now.extend([draw for draw, _ in piece], [y for _, y in piece])
            self.results += zip(*told, strict=True) if isinstance(told, tuple) else list(told)
            self._fed += piece
            start = end
            if len(self._fed) % self._every == 0:
                self._kept.append(now.copy())
                self._thin()
        return now

    def _thin(self) -> None:
        """Let older states go, but for some: it is the last labels that are taken back."""
        old = len(self._kept) - 1 - _LATEST
        if old > 0 and old % _EVERY_OLD:
            self._kept[old] = None

    def _n_kept(self, most: int) -> int:
        """The number of the last state that is there, up to one."""
        while most and self._kept[most] is None:
            most -= 1
        return most

    def _go_back(self, n_kept: int) -> _Statistic:
        """The statistic as it was after that many pieces."""
        state = self._kept[n_kept] if n_kept else None
        state = self.begun if state is None else state
        del self._kept[n_kept + 1 :], self._fed[n_kept * self._every :], self.results[n_kept * self._every :]
        return state.copy()
