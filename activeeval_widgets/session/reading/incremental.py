"""Statistics that are fed label by label, in step with a log from which labels can be taken back."""

from collections.abc import Callable, Sequence
from typing import Any, Generic, Protocol, Self, TypeVar


class Incremental(Protocol):
    """What is fed draw by draw: a confidence sequence, a sequential test."""

    def extend(self, draws: Any, y_true: Any) -> Any:
        """Feed labeled draws; returns an array with an element for each, or a tuple of such arrays."""

    def copy(self) -> Self:
        """Another one in the same state."""


_Statistic = TypeVar("_Statistic", bound=Incremental)


class InStep(Generic[_Statistic]):
    """Keeps an incremental statistic in step with a list of labeled draws that may also become shorter.

    Parameters
    ----------
    begin : callable
        Makes the statistic before any draw. Called once, when it is first needed.
    every : int
        So many draws lie between two states that are kept: going back costs as many again at most.
    """

    def __init__(self, begin: Callable[[], _Statistic], *, every: int = 64) -> None:
        self._begin = begin
        self._every = every
        self._kept: list[_Statistic] = []
        self._now: _Statistic | None = None
        self._fed: list[tuple[int, Any]] = []
        self.results: list[Any] = []

    @property
    def begun(self) -> _Statistic:
        """The statistic before any draw."""
        if not self._kept:
            self._kept.append(self._begin())
        return self._kept[0]

    def feed(self, sample: Sequence[tuple[int, Any]]) -> _Statistic:
        """Bring the statistic to where it is after these draws.

        Parameters
        ----------
        sample : sequence of (int, label)
            All labeled draws, in draw order: indices into the pool, and labels, None where excluded.

        Returns
        -------
        The statistic. `results` holds what `extend` returned for each draw.
        """
        same = next(
            (i for i, (old, new) in enumerate(zip(self._fed, sample, strict=False)) if old != new),
            min(len(self._fed), len(sample)),
        )
        if same < len(self._fed) or self._now is None:
            now = self._now = self._go_back(same // self._every)
        else:
            now = self._now
        while len(self._fed) < len(sample):
            start = len(self._fed)
            piece = sample[start : (start // self._every + 1) * self._every]
            told = now.extend([draw for draw, _ in piece], [y for _, y in piece])
            self.results += zip(*told, strict=True) if isinstance(told, tuple) else list(told)
            self._fed += piece
            if len(self._fed) % self._every == 0:
                self._kept.append(now.copy())
        return now

    def _go_back(self, n_kept: int) -> _Statistic:
        """The statistic as it was after so many pieces."""
        state = self.begun if n_kept == 0 else self._kept[n_kept]
        del self._kept[n_kept + 1 :], self._fed[n_kept * self._every :], self.results[n_kept * self._every :]
        return state.copy()
