"""Confidence sequences that are fed with the draws of a session, in draw order."""

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
    """An interval that may be watched, fed with labeled draws; None among the labels: excluded.

    Attributes
    ----------
    n_between : int
        How many draws should lie between two states that are kept, to go back to: more where a draw costs
        less to be fed again.
    """

    n_between: ClassVar[int]

    @property
    def low(self) -> float:
        """The lower end now."""

    @property
    def high(self) -> float:
        """The upper end now."""

    @property
    def pvalue(self) -> float:
        """For two models: of "no difference", now; it may be watched, too. NaN for one."""

    @property
    def n_draws(self) -> int:
        """How many draws it has seen."""

    @property
    def is_asymptotic(self) -> bool:
        """Whether it holds in the limit of many draws only."""

    @property
    def withheld(self) -> bool:
        """Whether it is the whole range because it would not hold."""

    @property
    def reason(self) -> str | None:
        """Why it is withheld, or what it takes for granted."""

    @property
    def part_ends(self) -> FloatArray:
        """The ends of the intervals that it is made of, (n_parts, 2)."""

    @property
    def wealth(self) -> Wealth | None:
        """What bets against each value have won; None where the interval is not of bets on its values."""

    @property
    def follows_estimate(self) -> bool:
        """Whether it is the interval around the estimate, so that draws need not be fed one by one."""

    def copy(self) -> Self:
        """The interval as it is now, to go on with from here."""

    def extend(self, draws: Sequence[int], y_true: Sequence[Any]) -> tuple[FloatArray, ...]:
        """The ends and the p-values after each of several more draws."""

    def prepare(self, n_drawn: int) -> None:
        """Do ahead what the next draw takes, of so many that were made; the interval does not change."""


class _Interval(ABC):
    """What both kinds share: all but how one more draw is fed."""

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
        """The ends and the p-values after each of several more draws."""
        told = []
        for draw, y in zip(draws, y_true, strict=True):
            self._update(draw, y)
            told.append((self.low, self.high, self.pvalue))
        return tuple(np.array(told).reshape(-1, 3).T)

    def prepare(self, n_drawn: int) -> None:  # noqa: B027 - not all have something to do
        """See `DrawnInterval.prepare`."""

    @abstractmethod
    def _update(self, draw: int, y: Any) -> None:
        """Feed one more draw."""


class FixedInterval(_Interval):
    """The interval for draws from one fixed distribution."""

    n_between: ClassVar[int] = 64

    def __init__(self, sequence: ConfidenceSequence) -> None:
        super().__init__(sequence)

    def extend(self, draws: Sequence[int], y_true: Sequence[Any]) -> tuple[FloatArray, ...]:
        """The ends and the p-values after each of several more draws."""
        if isnan(self.pvalue):  # one model: the sequence is quicker at it itself
            low, high = self._sequence.extend(draws, y_true)
            return low, high, np.full(len(low), np.nan)
        return super().extend(draws, y_true)

    def _update(self, draw: int, y: Any) -> None:
        self._sequence.update(draw, y)


class AdaptiveInterval(_Interval):
    """The interval for draws without replacement, from distributions that learn."""

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
    """The interval of a part of the pool, fed with the numbers of its draws."""

    n_between: ClassVar[int] = 16

    def __init__(self, sequence: Any, feed: Callable[[Any, int, Any], None]) -> None:
        super().__init__(sequence)
        self._feed = feed

    def _update(self, draw: int, y: Any) -> None:
        self._feed(self._sequence, draw, y)
