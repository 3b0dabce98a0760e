"""Bands for draws from one fixed q: candidates that no bet has excluded, or an asymptotic interval."""

from abc import abstractmethod
from copy import copy
from typing import Any, Self

import numpy as np

from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats.anytime.assumed_range import Assumption
from activeeval_widgets.stats.anytime.asymptotic import AsymptoticSequence
from activeeval_widgets.stats.anytime.band import (
    N_BLOCKS,
    N_CELLS,
    AssumedBand,
    Band,
    CandidateCells,
    RisingBand,
    Wealth,
)
from activeeval_widgets.stats.anytime.bets import Bets, candidate_grid
from activeeval_widgets.stats.anytime.deadlines import Deadlines
from activeeval_widgets.stats.anytime.estimating_equation import (
    EstimatingEquation,
    exact_composition,
    has_equation,
)
from activeeval_widgets.stats.anytime.evidence import evidence_of_intervals
from activeeval_widgets.stats.anytime.parts import Parts
from activeeval_widgets.stats.measures.base import Composition
from activeeval_widgets.stats.questions.sample import Sample
from activeeval_widgets.stats.questions.target import Target

_ALPHA_OF_ALL = 0.8
"""The share of α for the interval that is shown while no instance is excluded."""


class FixedBand(Band):
    """The state of an interval for draws from one fixed q."""

    @abstractmethod
    def rows(self, sample: Sample) -> FloatArray:
        """Return what `step` needs of each draw."""

    @abstractmethod
    def step(self, row: FloatArray, draw: int, y: Any) -> None:
        """Add one draw, given by its row; y is its label, or None if it is excluded."""


def make_band(
    target: Target,
    q: FloatArray,
    level: float,
    y_range: tuple[float, float] | None,
    deadlines: Deadlines | None = None,
    side: float | None = None,
) -> FixedBand:
    """Return the band for the target; with a `side`, one that bets on that side only."""
    if target.base is not target:
        return _Rising(target.measure, make_band(target.base, q, level, y_range, deadlines, side))
    if side is not None:
        return _Betting(target, q, level, y_range, deadlines, sides=(side,))
    if has_equation(target, y_range):
        return _betting(target, q, level, y_range, deadlines)
    composition = exact_composition(target, y_range)
    if composition is not None:
        return _Composed(target, composition, q, level, y_range, deadlines)
    if target.measure.needs_range and target.measure.is_risk:
        assumption = Assumption(target.models)
        bounds = assumption.bounds
        band = None if bounds is None else _betting(target, q, level, bounds, deadlines)
        return _Assumed(target, assumption, band)
    return _Asymptotic(target, q, level)


def _betting(
    target: Target,
    q: FloatArray,
    level: float,
    y_range: tuple[float, float] | None,
    deadlines: Deadlines | None,
) -> FixedBand:
    """Return the betting band of a target with an estimating equation."""
    kind = _TwoEnds if target.rest_share(q) else _Betting
    return kind(target, q, level, y_range, deadlines)


class _Betting(CandidateCells, FixedBand):
    """The candidates that no bet has excluded."""

    def __init__(
        self,
        target: Target,
        q: FloatArray,
        level: float,
        y_range: tuple[float, float] | None,
        deadlines: Deadlines | None = None,
        *,
        rest_counts: bool = True,
        sides: tuple[float, ...] = (1.0, -1.0),
    ) -> None:
        self._sides = sides
        equation = EstimatingEquation(target, q, y_range, rest_counts=rest_counts)
        self._equation, self._deadlines = equation, deadlines
        spread = equation.range[1] - equation.range[0]
        # The grid covers every value that labels could give, whichever part of the pool is labeled.
        grid = candidate_grid(*equation.widest_range, equation.center, N_BLOCKS * N_CELLS, spread)
        self._set_grid(grid, level, with_zero=target.null_value is not None)
        lower, upper = equation.bounds(self._edges)
        # Between the ends of a block, Z lies between its bounds at the ends.
        self._lower = np.minimum(lower[:, :-1], lower[:, 1:])
        self._upper = np.maximum(upper[:, :-1], upper[:, 1:])
        self.restart()

    def restart(self) -> None:
        super().restart()
        self._bets = Bets(
            self._points(np.arange(N_BLOCKS)),
            self._lower,
            self._upper,
            self._equation.promised,
            self._level,
            self._sides,
            self._deadlines,
        )
        self.low, self.high = self._low, self._high

    def rows(self, sample: Sample) -> FloatArray:
        return self._equation.terms(sample.z, sample.draws, sample.labeled)

    def step(self, row: FloatArray, draw: int, y: Any) -> None:
        del draw, y
        self._bet(row)
        self.low, self.high = self._low, self._high


class _TwoEnds(FixedBand):
    """The difference of two risks if only instances on which they can differ are drawn.

    The difference depends on how much of the rest can be labeled, about which draws say nothing. Before the
    first exclusion, all of the rest counts. After it, the interval is the hull of the cases of all and none
    of the rest.
    """

    def __init__(
        self,
        target: Target,
        q: FloatArray,
        level: float,
        y_range: tuple[float, float] | None,
        deadlines: Deadlines | None = None,
    ) -> None:
        # Both bands hold jointly. Before the first exclusion only the first is shown.
        self._all, self._none = (
            _Betting(target, q, 1 - (1 - level) * share, y_range, deadlines, rest_counts=rest_counts)
            for share, rest_counts in ((_ALPHA_OF_ALL, True), (1 - _ALPHA_OF_ALL, False))
        )
        self.restart()

    def restart(self) -> None:
        self._all.restart()
        self._none.restart()
        self._excludes = False
        self._show()

    def copy(self) -> Self:
        made = copy(self)
        made._all, made._none = self._all.copy(), self._none.copy()
        return made

    @property
    def wealth(self) -> Wealth | None:
        """The evidence against a value with all of the rest and, after an exclusion, with none of it, too."""
        edges, won = self._all.wealth
        won = won * _ALPHA_OF_ALL
        if self._excludes:
            other, own = self._none.wealth, Wealth(edges, won)
            edges = np.union1d(own.edges, other.edges)
            middles = (edges[:-1] + edges[1:]) / 2
            won = np.minimum(_wealth_at(own, middles), _wealth_at(other, middles) * (1 - _ALPHA_OF_ALL))
        return Wealth(edges, np.maximum(won, 1.0))

    def rows(self, sample: Sample) -> FloatArray:
        return np.hstack([self._all.rows(sample), self._none.rows(sample)])

    def step(self, row: FloatArray, draw: int, y: Any) -> None:
        half = row.size // 2
        self._all.step(row[:half], draw, y)
        self._none.step(row[half:], draw, y)
        self._excludes |= y is None
        self._show()

    def _show(self) -> None:
        self.low, self.high, self.evidence = self._all.low, self._all.high, self._all.evidence
        if self._excludes:
            self.low, self.high = min(self.low, self._none.low), max(self.high, self._none.high)


def _wealth_at(wealth: Wealth, values: FloatArray) -> FloatArray:
    """Return the wealth against values; infinite outside the candidates."""
    where = np.searchsorted(wealth.edges, values, side="right")
    won: FloatArray = np.concatenate([[np.inf], wealth.won, [np.inf]])[where]
    return won


class _Composed(Parts[_Betting], FixedBand):
    """The intervals of several parts, which hold jointly."""

    def __init__(
        self,
        target: Target,
        composition: Composition,
        q: FloatArray,
        level: float,
        y_range: tuple[float, float] | None,
        deadlines: Deadlines | None = None,
    ) -> None:
        self._q = q
        self._compose(
            target, composition, level, lambda part, own: _Betting(part, q, own, y_range, deadlines)
        )

    def rows(self, sample: Sample) -> FloatArray:
        return np.zeros((len(sample.z), 0))

    def step(self, row: FloatArray, draw: int, y: Any) -> None:
        del row
        self._note_exclusion(y)
        for target, band, is_settled in zip(self._parts, self._bands, self._settled, strict=True):
            if not is_settled:
                band.step(band.rows(target.sample_from(self._q, [draw], [y]))[0], draw, y)
        self._show()


class _Assumed(AssumedBand[FixedBand], FixedBand):
    """Bets on values whose range was not given."""

    def rows(self, sample: Sample) -> FloatArray:
        return np.zeros((len(sample.z), 0)) if self._band is None else self._band.rows(sample)

    def step(self, row: FloatArray, draw: int, y: Any) -> None:
        self._assumption.add(draw, y)
        if self._band is not None and not self._assumption.is_refuted:
            self._band.step(row, draw, y)
        self._show()


class _Rising(RisingBand[FixedBand], FixedBand):
    """The interval of the measure's base."""

    def rows(self, sample: Sample) -> FloatArray:
        return self._band.rows(sample)

    def step(self, row: FloatArray, draw: int, y: Any) -> None:
        self._band.step(row, draw, y)
        self._show()


class _Asymptotic(FixedBand):
    """An asymptotic interval."""

    def __init__(self, target: Target, q: FloatArray, level: float) -> None:
        self._target = target
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

    @property
    def wealth(self) -> Wealth:
        """The current evidence; the interval is not a running intersection."""
        return evidence_of_intervals(
            lambda enough: self._sequence.interval(1 - 1 / enough), self._level, self._target.range
        )

    def _show(self) -> None:
        self.reason = self._sequence.reason
        self.withheld = self.reason is not None
        self.low, self.high = self._sequence.interval(self._level)
        self._greatest = max(self._greatest, *(self._sequence.evidence(0.0, side) for side in (1.0, -1.0)))
        self.evidence = 1.0 if self.withheld else self._greatest
