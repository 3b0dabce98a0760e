"""The state of an interval that may be watched, whatever the draws: what all kinds of it share."""

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
"""By so much, as a share, a p-value is above α where the interval does not leave out 0."""

N_BLOCKS = 128
N_CELLS = 16
"""The candidates: 128 blocks of 16 cells each, 2,048 in all."""


class Wealth(NamedTuple):
    """What bets against each candidate value have won, at their best so far.

    Attributes
    ----------
    edges : ndarray of shape (n_cells + 1,)
        Candidate values, ascending: the ends of cells.
    won : ndarray of shape (n_cells,)
        The most that a bet of 1 against all values of a cell was worth, at least 1; infinite where labels
        rule them out for certain. Where it is 1/α or more the values are excluded; it is not counted on then.
    """

    edges: FloatArray
    won: FloatArray


class Band(ABC):
    """The state of an interval.

    Attributes
    ----------
    low, high : float
        The interval now.
    evidence : float
        The largest e-value so far against the value 0, at least 1; 1 while nothing is said.
    withheld : bool
        Whether the interval is the whole range because it would not hold.
    reason : str, or None
        Why it is withheld, or what it rests on.
    follows_estimate : bool
        Whether it is the one around the estimate (`Estimate.approximate_low`), whatever came before.
    """

    follows_estimate: ClassVar[bool] = False

    low: float
    high: float
    evidence: float
    withheld: bool = False
    reason: str | None = None

    @property
    def part_ends(self) -> FloatArray:
        """The ends of the intervals that it is made of, (n_parts, 2); most are made of none."""
        return np.empty((0, 2))

    @property
    def wealth(self) -> Wealth | None:
        """What bets against each value have won; None where the interval is not of bets on its values."""
        return None

    @abstractmethod
    def restart(self) -> None:
        """Forget all labels."""

    @abstractmethod
    def copy(self) -> Self:
        """Another one in the same state."""


AnyBand = TypeVar("AnyBand", bound=Band)


class Watched(Generic[AnyBand]):
    """What can be asked of an interval that is updated label by label; see `ConfidenceSequence`."""

    _target: Target
    _band: AnyBand
    _level: float

    @property
    def low(self) -> float:
        """The lower end now."""
        return self._band.low

    @property
    def high(self) -> float:
        """The upper end now."""
        return self._band.high

    @property
    def follows_estimate(self) -> bool:
        """Whether it is the interval around the estimate, so that draws need not be fed one by one."""
        return self._band.follows_estimate

    @property
    def part_ends(self) -> FloatArray:
        """The ends of the intervals that it is made of, which hold together, (n_parts, 2).

        Those of a calibration error's bins, of the best F's thresholds; most are made of none.
        """
        return self._band.part_ends

    @property
    def withheld(self) -> bool:
        """Whether the interval is the whole range because it would not hold."""
        return self._band.withheld

    @property
    def reason(self) -> str | None:
        """Why it is withheld, or what it takes for granted."""
        return self._band.reason

    @property
    def wealth(self) -> Wealth | None:
        """What bets against each value have won; None where the interval is not of bets on its values."""
        return self._band.wealth

    @property
    def pvalue(self) -> float:
        """Of "no difference" between two models, two-sided: 1 over the largest e-value so far, at most 1.

        Above α while the interval has 0 in it. 0 where the labels leave no doubt; NaN for one model.
        """
        if self._target.null_value is None:
            return nan
        # Bets against 0 may win before those against all that lies beyond it.
        least = (1 - self._level) * (1 + _ABOVE) if self.low <= 0 <= self.high else 0.0
        return max(1 / self._band.evidence, least)


class CandidateCells(Band):
    """Candidates in cells between the points of a grid; the interval is the hull of those not excluded.

    A cell is excluded for good once the capital of a bet against it has reached 1/α everywhere in the cell.
    """

    _bets: Bets | None
    _bets_on_zero: Bets | None

    def _set_grid(self, grid: FloatArray, level: float, *, with_zero: bool) -> None:
        """The points, ascending, some blocks of cells; `with_zero`: there is evidence against the value 0."""
        self._grid, self._edges, self._level = grid, grid[::N_CELLS], level
        # The cell of 0 is bet on for good: after its block was excluded, too.
        inner = int(np.searchsorted(grid[1:-1], 0.0))
        self._zero = divmod(inner, N_CELLS) if with_zero else None

    def restart(self) -> None:
        """Forget all labels: no cell is excluded, and no bet is placed."""
        self._low, self._high = float(self._grid[0]), float(self._grid[-1])
        self._bets = self._bets_on_zero = None
        self.evidence = 1.0
        self._peaks = np.ones((len(self._edges) - 1, N_CELLS))
        self._first_block = 0

    def copy(self) -> Self:
        """Another one in the same state."""
        made = copy(self)
        made._bets = None if self._bets is None else self._bets.copy()
        made._bets_on_zero = None if self._bets_on_zero is None else self._bets_on_zero.copy()
        made._peaks = self._peaks.copy()
        return made

    @property
    def wealth(self) -> Wealth:
        """What bets against each cell have won at their best."""
        return Wealth(self._grid, self._peaks.ravel())

    def _points(self, blocks: IntArray) -> FloatArray:
        """The points of some blocks, (n_blocks, n_cells + 1)."""
        points: FloatArray = self._grid[blocks[:, np.newaxis] * N_CELLS + np.arange(N_CELLS + 1)]
        return points

    def _bet(self, terms: FloatArray) -> None:
        """Stake on one draw, by its terms, and exclude the cells against which bets have won."""
        assert self._bets is not None  # noqa: S101 - made before the first draw
        self._bets.update(terms)
        if self._zero is not None and self._bets_on_zero is not None:
            self._bets_on_zero.update(terms)
            self.evidence = max(self.evidence, float(self._bets_on_zero.in_cells()[0, self._zero[1]]))
        points = self._bets.points
        now = slice(self._first_block, self._first_block + len(points))
        peaks = np.maximum(self._peaks[now], self._bets.in_cells())
        kept = peaks < 1 / (1 - self._level)
        blocks = np.flatnonzero(kept.any(axis=1))
        if not blocks.size:
            return
        self._peaks[now] = peaks
        first, last = int(blocks[0]), int(blocks[-1])
        self._low = float(points[first, int(np.argmax(kept[first]))])
        self._high = float(points[last, N_CELLS - int(np.argmax(kept[last, ::-1]))])
        if last - first + 1 < len(kept):
            self._bets.keep(slice(first, last + 1))
        self._first_block += first


class RisingBand(Band, Generic[AnyBand]):
    """The interval of a measure that is a rising function of its `base`: the base's, end by end."""

    def __init__(self, measure: Measure, band: AnyBand) -> None:
        self._measure, self._band = measure, band
        self._show()

    @property
    def wealth(self) -> Wealth | None:
        """The base's, at this measure's values."""
        found = self._band.wealth
        if found is None:
            return None
        edges = np.array([self._measure.from_base(edge) for edge in found.edges.tolist()])
        return Wealth(edges, found.won)

    def restart(self) -> None:
        """Forget all labels."""
        self._band.restart()
        self._show()

    def copy(self) -> Self:
        """Another one in the same state."""
        made = copy(self)
        made._band = self._band.copy()
        return made

    def _show(self) -> None:
        self.low, self.high = (self._measure.from_base(end) for end in (self._band.low, self._band.high))
        self.evidence, self.withheld, self.reason = 1.0, self._band.withheld, self._band.reason


class AssumedBand(Band, Generic[AnyBand]):
    """Bets on values of which nobody has said a range: one is assumed, until a label lies outside."""

    def __init__(self, target: Target, assumption: Assumption, band: AnyBand | None) -> None:
        self._target, self._assumption, self._band = target, assumption, band
        self.restart()

    @property
    def wealth(self) -> Wealth | None:
        """The bets'; nothing while the interval is withheld."""
        if self._band is not None and self.withheld:
            return Wealth(np.array(self._target.range), np.ones(1))
        return None if self._band is None else self._band.wealth

    def restart(self) -> None:
        """Forget all labels."""
        if self._band is not None:
            self._band.restart()
        self._assumption.restart()
        self._show()

    def copy(self) -> Self:
        """Another one in the same state."""
        made = copy(self)
        made._band = None if self._band is None else self._band.copy()
        made._assumption = self._assumption.copy()
        return made

    def _show(self) -> None:
        """The bets' interval, if what it assumes was not refuted."""
        self.reason = self._assumption.reason_withheld
        self.withheld = self.reason is not None
        if self._band is None or self._assumption.bounds is None or self.withheld:
            self.low, self.high = self._target.range
            self.evidence = 1.0
        else:
            self.low, self.high = self._band.low, self._band.high
            self.evidence = self._band.evidence
            self.reason = reason_assumed(self._assumption.bounds)
