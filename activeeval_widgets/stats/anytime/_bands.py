"""The states of an interval for draws from one q: candidates that no bet has excluded, or a limit."""

from abc import ABC, abstractmethod
from copy import copy
from typing import Any, Self

import numpy as np

from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats.anytime.assumed_range import Assumption, reason_assumed
from activeeval_widgets.stats.anytime.asymptotic import AsymptoticSequence
from activeeval_widgets.stats.anytime.bets import Bets, candidate_grid
from activeeval_widgets.stats.anytime.equation import EstimatingEquation, has_equation
from activeeval_widgets.stats.measures.target import Sample, Target

_BLOCKS = 128
_CELLS = 16
"""The candidates: blocks of so many cells, 2,048 in all."""


class Band(ABC):
    """The state of an interval.

    Attributes
    ----------
    low, high : float
        The interval now.
    evidence : float
        The greatest e-value so far against the value 0, at least 1; 1 while nothing is said.
    withheld : bool
        Whether the interval is the whole range because it would not hold.
    reason : str, or None
        Why it is withheld, or what it rests on.
    """

    low: float
    high: float
    evidence: float
    withheld = False
    reason: str | None = None

    @abstractmethod
    def restart(self) -> None:
        """Forget all labels."""

    @abstractmethod
    def copy(self) -> Self:
        """Another one in the same state."""

    @abstractmethod
    def rows(self, sample: Sample) -> FloatArray:
        """What `step` takes of each draw."""

    @abstractmethod
    def step(self, row: FloatArray, draw: int, y: Any) -> None:
        """Take in one more draw, by its row; and its label, or None."""


def make_band(target: Target, q: FloatArray, level: float, y_range: tuple[float, float] | None) -> Band:
    """The band that suits what is estimated."""
    if has_equation(target, y_range):
        return _Betting(EstimatingEquation(target, q, y_range), level, with_zero=target.is_difference)
    if target.models[0].takes_range:
        return _Assumed(target, q, level)
    return _Asymptotic(target, q, level)


class _Betting(Band):
    """The candidates that no bet has excluded."""

    def __init__(self, equation: EstimatingEquation, level: float, *, with_zero: bool) -> None:
        self._equation = equation
        self._level = level
        spread = equation.range[1] - equation.range[0]
        self._grid = candidate_grid(*equation.widest_range, equation.center, _BLOCKS * _CELLS, spread)
        lower, upper = equation.bounds(self._grid[::_CELLS])
        # Between the ends of a block, Z lies between its bounds at the ends.
        self._lower = np.minimum(lower[:, :-1], lower[:, 1:])
        self._upper = np.maximum(upper[:, :-1], upper[:, 1:])
        # The cell of 0 is bet on for good: after its block was excluded, too.
        inner = int(np.searchsorted(self._grid[1:-1], 0.0))
        self._zero = divmod(inner, _CELLS) if with_zero else None
        self.restart()

    def restart(self) -> None:
        starts = np.arange(_BLOCKS)[:, np.newaxis] * _CELLS
        points = self._grid[starts + np.arange(_CELLS + 1)]
        self._bets = Bets(points, self._lower, self._upper, self._equation.promised, self._level)
        self.evidence = 1.0
        if self._zero is not None:
            block = slice(self._zero[0], self._zero[0] + 1)
            bounds = self._lower[:, block], self._upper[:, block]
            self._bets_on_zero = Bets(points[block], *bounds, self._equation.promised, self._level)
        self._kept = np.ones((_BLOCKS, _CELLS), dtype=bool)
        # Whatever part of the pool can be labeled: no value that labels could give it is left out.
        self.low, self.high = self._equation.widest_range

    def copy(self) -> Self:
        made = copy(self)
        made._bets = self._bets.copy()
        if self._zero is not None:
            made._bets_on_zero = self._bets_on_zero.copy()
        return made

    def rows(self, sample: Sample) -> FloatArray:
        return self._equation.terms(sample.z, sample.draws, sample.labeled)

    def step(self, row: FloatArray, draw: int, y: Any) -> None:
        del draw, y
        self._bets.update(row)
        if self._zero is not None:
            self._bets_on_zero.update(row)
            self.evidence = max(self.evidence, float(self._bets_on_zero.in_cells()[0, self._zero[1]]))
        kept = self._kept & (self._bets.in_cells() < 1 / (1 - self._level))
        blocks = np.flatnonzero(kept.any(axis=1))
        if blocks.size:
            first, last = int(blocks[0]), int(blocks[-1])
            points = self._bets.points
            self.low = float(points[first, int(np.argmax(kept[first]))])
            self.high = float(points[last, _CELLS - int(np.argmax(kept[last, ::-1]))])
            if last - first + 1 < len(kept):
                self._bets.keep(slice(first, last + 1))
            self._kept = kept[first : last + 1]


class _Assumed(Band):
    """Bets on values of which nobody has said a range: one is assumed, until a label lies outside."""

    def __init__(self, target: Target, q: FloatArray, level: float) -> None:
        self._whole = target.range
        self._assumption = Assumption(target.models)
        self._band: _Betting | None = None
        if self._assumption.bounds is not None:
            equation = EstimatingEquation(target, q, self._assumption.bounds)
            self._band = _Betting(equation, level, with_zero=target.is_difference)
        self.restart()

    def restart(self) -> None:
        if self._band is not None:
            self._band.restart()
        self._assumption.restart()
        self._show()

    def copy(self) -> Self:
        made = copy(self)
        made._band = None if self._band is None else self._band.copy()
        made._assumption = self._assumption.copy()
        return made

    def rows(self, sample: Sample) -> FloatArray:
        if self._band is None:
            return np.zeros((len(sample.z), 4))
        return self._band.rows(sample)

    def step(self, row: FloatArray, draw: int, y: Any) -> None:
        self._assumption.add(draw, y)
        if self._band is not None and not self._assumption.is_refuted:
            self._band.step(row, draw, y)
        self._show()

    def _show(self) -> None:
        self.reason = self._assumption.reason_withheld
        self.withheld = self.reason is not None
        if self._band is None or self._assumption.bounds is None or self.withheld:
            self.low, self.high = self._whole
            self.evidence = 1.0
        else:
            self.low, self.high = self._band.low, self._band.high
            self.evidence = self._band.evidence
            self.reason = reason_assumed(self._assumption.bounds)


class _Asymptotic(Band):
    """An interval that holds in the limit."""

    def __init__(self, target: Target, q: FloatArray, level: float) -> None:
        self._sequence = AsymptoticSequence(target, q)
        self._level = level
        self.restart()

    def restart(self) -> None:
        self._sequence.restart()
        self._greatest = 1.0
        self._show()

    def copy(self) -> Self:
        made = copy(self)
        made._sequence = self._sequence.copy()
        return made

    def rows(self, sample: Sample) -> FloatArray:
        return self._sequence.rows(sample.z, sample.draws, sample.labeled)

    def step(self, row: FloatArray, draw: int, y: Any) -> None:
        del draw, y
        self._sequence.update(row)
        self._show()

    def _show(self) -> None:
        self.reason = self._sequence.reason
        self.withheld = self.reason is not None
        self.low, self.high = self._sequence.interval(self._level)
        self._greatest = max(self._greatest, *(self._sequence.evidence(0.0, side) for side in (1.0, -1.0)))
        self.evidence = 1.0 if self.withheld else self._greatest
