"""The state of an anytime-valid interval: what bands for all kinds of draws share."""

from abc import ABC, abstractmethod
from copy import copy
from math import nan
from typing import ClassVar, Generic, NamedTuple, Self, TypeVar

import numpy as np

from activeeval_widgets.stats._typing import FloatArray, IntArray
from activeeval_widgets.stats.anytime.assumed_range import Assumption, reason_assumed
from activeeval_widgets.stats.anytime.bets import Bets
from activeeval_widgets.stats.measures.base import Measure
from activeeval_widgets.stats.questions.target import Target

_ABOVE = 1e-9
"""The relative margin by which the p-value stays above α while the interval contains 0."""

N_BLOCKS = 128
N_CELLS = 16
"""The grid of candidates: 128 blocks of 16 cells, 2,048 in all."""


class Wealth(NamedTuple):
    """The largest wealth so far of bets against each candidate value."""

    edges: FloatArray
    """Candidate values in ascending order: the ends of the cells, (n_cells + 1,)."""
    won: FloatArray
    """The largest wealth that a bet of 1 reached against all values of a cell, at least 1; infinite if labels
    rule them out with certainty. From 1/α on the values are excluded, and the wealth is no longer updated."""


class Band(ABC):
    """The state of an interval, which is now from `low` to `high`."""

    follows_estimate: ClassVar[bool] = False
    """Whether it is the interval around the estimate (`Estimate.approximate_low`), which has no memory."""

    low: float
    high: float
    evidence: float
    """The largest e-value so far against the value 0, at least 1; 1 while it is withheld."""
    withheld: bool = False
    """Whether the interval is the whole range because a narrower one might not be valid."""
    reason: str | None = None
    """Why it is withheld, or what it assumes."""

    @property
    def part_ends(self) -> FloatArray:
        """The ends of the intervals of which it is composed, (n_parts, 2); usually empty."""
        return np.empty((0, 2))

    @property
    def wealth(self) -> Wealth | None:
        """The wealth of bets against each value; None if the interval is not made of such bets."""
        return None

    @abstractmethod
    def restart(self) -> None:
        """Discard all labels."""

    @abstractmethod
    def copy(self) -> Self:
        """Return a copy in the same state."""


AnyBand = TypeVar("AnyBand", bound=Band)


class Watched(Generic[AnyBand]):
    """The queries of an interval that is updated label by label; see `ConfidenceSequence`."""

    _target: Target
    _band: AnyBand
    _level: float

    @property
    def low(self) -> float:
        """The current lower end."""
        return self._band.low

    @property
    def high(self) -> float:
        """The current upper end."""
        return self._band.high

    @property
    def follows_estimate(self) -> bool:
        """Whether it is the interval around the estimate, so that draws need not be fed one by one."""
        return self._band.follows_estimate

    @property
    def part_ends(self) -> FloatArray:
        """The ends of the intervals of which it is composed, which hold jointly, (n_parts, 2).

        The parts are a calibration error's bins or the best F's thresholds; most intervals have none.
        """
        return self._band.part_ends

    @property
    def withheld(self) -> bool:
        """Whether the interval is the whole range because a narrower one might not be valid."""
        return self._band.withheld

    @property
    def reason(self) -> str | None:
        """Why it is withheld, or what it assumes."""
        return self._band.reason

    @property
    def wealth(self) -> Wealth | None:
        """The wealth of bets against each value; None if the interval is not made of such bets."""
        return self._band.wealth

    @property
    def pvalue(self) -> float:
        """The two-sided p-value of "no difference": 1 over the largest e-value so far, at most 1.

        It stays above α while the interval contains 0. It is 0 if the labels leave no doubt, NaN for one
        model.
        """
        if self._target.null_value is None:
            return nan
        # Bets against 0 may succeed before those against all values beyond it.
        least = (1 - self._level) * (1 + _ABOVE) if self.low <= 0 <= self.high else 0.0
        return max(1 / self._band.evidence, least)


class CandidateCells(Band):
    """Candidates in the cells of a grid; the interval is the hull of the cells that are not excluded.

    A cell is excluded permanently once the wealth of a bet against it has reached 1/α everywhere in the cell.
    """

    _bets: Bets | None
    _bets_on_zero: Bets | None
    """The bets on the cell of 0 once its block is excluded: they continue."""

    def _set_grid(self, grid: FloatArray, level: float, *, with_zero: bool) -> None:
        """Set the ascending grid, in whole blocks; `with_zero` adds evidence against the value 0."""
        self._grid, self._edges, self._level = grid, grid[::N_CELLS], level
        inner = int(np.searchsorted(grid[1:-1], 0.0))
        self._zero = divmod(inner, N_CELLS) if with_zero else None

    def restart(self) -> None:
        """Discard all labels: no cell is excluded, and no bet is placed."""
        self._low, self._high = float(self._grid[0]), float(self._grid[-1])
        self._bets = self._bets_on_zero = None
        self.evidence = 1.0
        self._peaks = np.ones((len(self._edges) - 1, N_CELLS))
        self._first_block = 0

    def copy(self) -> Self:
        """Return a copy in the same state."""
        made = copy(self)
        made._bets = None if self._bets is None else self._bets.copy()
        made._bets_on_zero = None if self._bets_on_zero is None else self._bets_on_zero.copy()
        made._peaks = self._peaks.copy()
        return made

    @property
    def wealth(self) -> Wealth:
        """The largest wealth so far of bets against each cell."""
        return Wealth(self._grid, self._peaks.ravel())

    def _points(self, blocks: IntArray) -> FloatArray:
        """Return the points of some blocks, (n_blocks, n_cells + 1)."""
        points: FloatArray = self._grid[blocks[:, np.newaxis] * N_CELLS + np.arange(N_CELLS + 1)]
        return points

    def _bet(self, terms: FloatArray) -> None:
        """Bet on one draw, given by its terms, and exclude cells against which the wealth suffices."""
        assert self._bets is not None  # noqa: S101 - made before the first draw
        self._bets.update(terms)
        won = self._bets.in_cells()
        if self._zero is not None:
            self._bet_on_zero(terms, won)
        points = self._bets.points
        now = slice(self._first_block, self._first_block + len(points))
        peaks = np.maximum(self._peaks[now], won)
        kept = peaks < 1 / (1 - self._level)
        blocks = np.flatnonzero(kept.any(axis=1))
        if not blocks.size:
            return
        self._peaks[now] = peaks
        first, last = int(blocks[0]), int(blocks[-1])
        self._low = float(points[first, int(np.argmax(kept[first]))])
        self._high = float(points[last, N_CELLS - int(np.argmax(kept[last, ::-1]))])
        if last - first + 1 < len(kept):
            if self._zero is not None and self._bets_on_zero is None:
                block = self._zero[0] - self._first_block
                if not first <= block <= last:
                    self._bets_on_zero = self._bets.copy()
                    self._bets_on_zero.keep(slice(block, block + 1))
            self._bets.keep(slice(first, last + 1))
        self._first_block += first

    def _bet_on_zero(self, terms: FloatArray, won: FloatArray) -> None:
        """Update the evidence against 0; `won` is the wealth in the cells of the blocks that are left."""
        assert self._zero is not None  # noqa: S101 - the caller knows
        block, cell = self._zero
        if self._bets_on_zero is None:
            on_zero = won[block - self._first_block]
        else:
            self._bets_on_zero.update(terms)
            [on_zero] = self._bets_on_zero.in_cells()
        self.evidence = max(self.evidence, float(on_zero[cell]))


class RisingBand(Band, Generic[AnyBand]):
    """The interval of a measure that is an increasing function of its `base`, mapped end by end."""

    def __init__(self, measure: Measure, band: AnyBand) -> None:
        self._measure, self._band = measure, band
        self._show()

    @property
    def wealth(self) -> Wealth | None:
        """The base's wealth, at this measure's values."""
        found = self._band.wealth
        if found is None:
            return None
        edges = np.array([self._measure.from_base(edge) for edge in found.edges.tolist()])
        return Wealth(edges, found.won)

    def restart(self) -> None:
        """Discard all labels."""
        self._band.restart()
        self._show()

    def copy(self) -> Self:
        """Return a copy in the same state."""
        made = copy(self)
        made._band = self._band.copy()
        return made

    def _show(self) -> None:
        self.low, self.high = (self._measure.from_base(end) for end in (self._band.low, self._band.high))
        self.evidence, self.withheld, self.reason = 1.0, self._band.withheld, self._band.reason


class AssumedBand(Band, Generic[AnyBand]):
    """Bets on values whose range was not given: a range is assumed until a label lies outside it."""

    def __init__(self, target: Target, assumption: Assumption, band: AnyBand | None) -> None:
        self._target, self._assumption, self._band = target, assumption, band
        self.restart()

    @property
    def wealth(self) -> Wealth | None:
        """The wealth of the bets; 1 everywhere while the interval is withheld."""
        if self._band is not None and self.withheld:
            return Wealth(np.array(self._target.range), np.ones(1))
        return None if self._band is None else self._band.wealth

    def restart(self) -> None:
        """Discard all labels."""
        if self._band is not None:
            self._band.restart()
        self._assumption.restart()
        self._show()

    def copy(self) -> Self:
        """Return a copy in the same state."""
        made = copy(self)
        made._band = None if self._band is None else self._band.copy()
        made._assumption = self._assumption.copy()
        return made

    def _show(self) -> None:
        """Take over the bets' interval, unless the assumption was refuted."""
        self.reason = self._assumption.reason_withheld
        self.withheld = self.reason is not None
        if self._band is None or self._assumption.bounds is None or self.withheld:
            self.low, self.high = self._target.range
            self.evidence = 1.0
        else:
            self.low, self.high = self._band.low, self._band.high
            self.evidence = self._band.evidence
            self.reason = reason_assumed(self._assumption.bounds)
