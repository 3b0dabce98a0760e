"""Confidence sequences that are updated with the draws of a session in draw order."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from copy import copy
from math import isnan
from typing import Any, ClassVar, Protocol, Self

import numpy as np

from activeeval_widgets.session.draws.rows import DrawnRows
from activeeval_widgets.stats import AdaptiveConfidenceSequence, ConfidenceSequence
from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats.anytime.band import Wealth


class DrawnInterval(Protocol):
    """A confidence sequence over labeled draws. The label None means that the instance is excluded.

    Attributes
    ----------
    n_between : int
        The number of draws between two saved states, to which the sequence can return: larger if updates
        are cheap.
    """

    n_between: ClassVar[int]

    @property
    def low(self) -> float:
        """The lower end."""

    @property
    def high(self) -> float:
        """The upper end."""

    @property
    def pvalue(self) -> float:
        """The anytime-valid p-value of "no difference" of two models; NaN for one model."""

    @property
    def n_draws(self) -> int:
        """The number of draws so far."""

    @property
    def is_asymptotic(self) -> bool:
        """Whether the interval is only asymptotically valid."""

    @property
    def withheld(self) -> bool:
        """Whether the interval is the whole range because it would not be valid."""

    @property
    def reason(self) -> str | None:
        """Why the interval is withheld, or what it assumes."""

    @property
    def part_ends(self) -> FloatArray:
        """The ends of the intervals that it consists of, (n_parts, 2)."""

    @property
    def wealth(self) -> Wealth | None:
        """The wealth against each candidate value; None if the interval is not based on it."""

    @property
    def follows_estimate(self) -> bool:
        """Whether the interval is around the estimate, so that single updates are not needed."""

    def copy(self) -> Self:
        """Return a copy that can be updated independently."""

    def extend(self, draws: Sequence[int], y_true: Sequence[Any]) -> tuple[FloatArray, ...]:
        """Update with several draws; return ends and p-values after each."""

    def prepare(self, n_drawn: int) -> None:
        """Precompute the update for the next draw, if it was made, without changing the interval."""


class _Interval(ABC):
    """The common part of the intervals: all but the update with one draw."""

    def __init__(self, sequence: Any) -> None:
        self._sequence = sequence

    @property
    def low(self) -> float:
        return float(self._sequence.low)

    @property
    def high(self) -> float:
        return float(self._sequence.high)

    @property
    def pvalue(self) -> float:
        return float(self._sequence.pvalue)

    @property
    def n_draws(self) -> int:
        return int(self._sequence.n_draws)

    @property
    def is_asymptotic(self) -> bool:
        return bool(self._sequence.is_asymptotic)

    @property
    def withheld(self) -> bool:
        return bool(self._sequence.withheld)

    @property
    def reason(self) -> str | None:
        found = self._sequence.reason
        return None if found is None else str(found)

    @property
    def part_ends(self) -> FloatArray:
        ends: FloatArray = self._sequence.part_ends
        return ends

    @property
    def wealth(self) -> Wealth | None:
        found: Wealth | None = self._sequence.wealth
        return found

    @property
    def follows_estimate(self) -> bool:
        return bool(self._sequence.follows_estimate)

    def copy(self) -> Self:
        made = copy(self)
        made._sequence = self._sequence.copy()
        return made

    def extend(self, draws: Sequence[int], y_true: Sequence[Any]) -> tuple[FloatArray, ...]:
        """Update with several draws; return ends and p-values after each."""
        told = []
        for draw, y in zip(draws, y_true, strict=True):
            self._update(draw, y)
            told.append((self.low, self.high, self.pvalue))
        return tuple(np.array(told).reshape(-1, 3).T)

    def prepare(self, n_drawn: int) -> None:  # noqa: B027 - optional
        """See `DrawnInterval.prepare`."""

    @abstractmethod
    def _update(self, draw: int, y: Any) -> None:
        """Update with one draw."""


class FixedInterval(_Interval):
    """The interval for draws from one fixed distribution."""

    n_between: ClassVar[int] = 64

    def __init__(self, sequence: ConfidenceSequence) -> None:
        super().__init__(sequence)

    def extend(self, draws: Sequence[int], y_true: Sequence[Any]) -> tuple[FloatArray, ...]:
        """Update with several draws; return ends and p-values after each."""
        if isnan(self.pvalue):  # one model: the sequence's own `extend` is faster
            low, high = self._sequence.extend(draws, y_true)
            return low, high, np.full(len(low), np.nan)
        return super().extend(draws, y_true)

    def _update(self, draw: int, y: Any) -> None:
        self._sequence.update(draw, y)


class AdaptiveInterval(_Interval):
    """The interval for adaptive draws without replacement."""

    n_between: ClassVar[int] = 16

    def __init__(
        self,
        sequence: AdaptiveConfidenceSequence,
        law: Callable[[int], tuple[FloatArray, float | None]],
        rows: DrawnRows,
        which: tuple[int, ...] | None = None,
    ) -> None:
        super().__init__(sequence)
        self._law, self._rows, self._which = law, rows, which

    def prepare(self, n_drawn: int) -> None:
        """See `DrawnInterval.prepare`."""
        if self.n_draws < n_drawn:
            q, probability = self._law(self.n_draws + 1)
            self._sequence.prepare(q, probability=probability)

    def _update(self, draw: int, y: Any) -> None:
        q, probability = self._law(self.n_draws + 1)
        where = np.array([draw])
        row, own = int(self._rows.of(where)[0]), self._rows.own(where)
        if own is not None and self._which is not None:
            own = [own[position] for position in self._which]
        self._sequence.update(row, q, y, probability=probability, own=own)


class PartInterval(_Interval):
    """The interval of a part of the pool, updated with the numbers of its draws."""

    n_between: ClassVar[int] = 16

    def __init__(self, sequence: Any, feed: Callable[[Any, int, Any], None]) -> None:
        super().__init__(sequence)
        self._feed = feed

    def _update(self, draw: int, y: Any) -> None:
        self._feed(self._sequence, draw, y)
