"""Confidence sequences that are updated with the draws of a session in draw order."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from copy import copy
from math import isnan
from typing import Any, ClassVar, Self, TypeAlias

import numpy as np

from activeeval_widgets.session.draws.rows import DrawnRows
from activeeval_widgets.stats import AdaptiveConfidenceSequence, Predictions
from activeeval_widgets.stats._typing import FloatArray

Predicted: TypeAlias = Callable[[int], Predictions]
"""The predictions that were known at a draw, by its number."""


class DrawnInterval(ABC):
    """A confidence sequence over labeled draws. The label None means that the instance is excluded."""

    n_between: ClassVar[int]  # draws between two saved states: more if updates are cheap

    def __init__(self, sequence: Any) -> None:
        self.sequence = sequence

    def copy(self) -> Self:
        """Return a copy that can be updated independently."""
        made = copy(self)
        made.sequence = self.sequence.copy()
        return made

    def extend(self, draws: Sequence[int], y_true: Sequence[Any]) -> tuple[FloatArray, ...]:
        """Update with several draws; return ends and p-values after each."""
        results = []
        for draw, y in zip(draws, y_true, strict=True):
            self._update(draw, y)
            results.append((self.sequence.low, self.sequence.high, self.sequence.pvalue))
        return tuple(np.array(results).reshape(-1, 3).T)

    def prepare(self, n_drawn: int) -> None:  # noqa: B027 - optional
        """Precompute the update for the next draw, if it was made, without changing the interval."""

    @abstractmethod
    def _update(self, draw: int, y: Any) -> None:
        """Update with one draw."""


class FixedInterval(DrawnInterval):
    """The interval for draws from one fixed distribution."""

    n_between: ClassVar[int] = 64

    def extend(self, draws: Sequence[int], y_true: Sequence[Any]) -> tuple[FloatArray, ...]:
        """Update with several draws; return ends and p-values after each."""
        if isnan(self.sequence.pvalue):  # one model: the sequence's own `extend` is faster
            low, high = self.sequence.extend(draws, y_true)
            return low, high, np.full(len(low), np.nan)
        return super().extend(draws, y_true)

    def _update(self, draw: int, y: Any) -> None:
        self.sequence.update(draw, y)


class AdaptiveInterval(DrawnInterval):
    """The interval for adaptive draws without replacement."""

    n_between: ClassVar[int] = 16

    def __init__(
        self,
        sequence: AdaptiveConfidenceSequence,
        law: Callable[[int], tuple[FloatArray, float | None]],
        rows: DrawnRows,
        which: tuple[int, ...] | None = None,
        predicted: Predicted | None = None,
    ) -> None:
        super().__init__(sequence)
        self._law, self._rows, self._which = law, rows, which
        self._predicted = predicted

    def prepare(self, n_drawn: int) -> None:
        """See `DrawnInterval.prepare`."""
        if self.sequence.n_draws < n_drawn:
            q, probability = self._next_law()
            self.sequence.prepare(q, probability=probability)

    def _next_law(self) -> tuple[FloatArray, float | None]:
        """Return the next draw's distribution, with the predictions of that time in the sequence."""
        number = self.sequence.n_draws + 1
        if self._predicted is not None:
            self.sequence.revise(self._predicted(number))
        return self._law(number)

    def _update(self, draw: int, y: Any) -> None:
        q, probability = self._next_law()
        where = np.array([draw])
        row, own = int(self._rows.of(where)[0]), self._rows.own_predictions(where)
        if own is not None and self._which is not None:
            own = [own[position] for position in self._which]
        self.sequence.update(row, q, y, probability=probability, own=own)


class PartInterval(DrawnInterval):
    """The interval of a part of the pool, updated with the numbers of its draws."""

    n_between: ClassVar[int] = 16

    def __init__(self, sequence: Any, feed: Callable[[Any, int, Any], None]) -> None:
        super().__init__(sequence)
        self._feed = feed

    def _update(self, draw: int, y: Any) -> None:
        self._feed(self.sequence, draw, y)
