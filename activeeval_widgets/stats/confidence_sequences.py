"""Intervals that may be watched: valid at every number of draws at once."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from copy import copy
from math import nan
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import BoolArray, FloatArray, IntArray
from activeeval_widgets.stats._validation import check_fraction, check_q
from activeeval_widgets.stats.asymptotic_sequence import AsymptoticSequence
from activeeval_widgets.stats.betting import Bets
from activeeval_widgets.stats.estimating_equation import (
    EstimatingEquation,
    check_y_in_range,
    check_y_range,
    has_equation,
)
from activeeval_widgets.stats.measures import Measure
from activeeval_widgets.stats.predictions import Predictions, as_models
from activeeval_widgets.stats.target import Target

_BLOCKS = 128
_CELLS = 16
"""The candidates: blocks of so many cells, 2,048 in all."""


class ConfidenceSequence:
    """An interval for a measure that is updated label by label, and holds at all of them at once.

    With probability 1 − α the true value is never outside, however long one looks and whenever one stops.

    For risks with bounded losses, one model's or the difference of two, and for one model's precision,
    recall, specificity and F this holds exactly for every number of draws: no normal approximation, and no
    trust in the model, whose probabilities only make the interval shorter where they are right. Values
    (regression) need `y_range` for that. For values without it, for other measures, and for two models'
    difference in a ratio it holds asymptotically (`is_asymptotic`), in the limit of many draws.

    Parameters
    ----------
    measure : Measure
        What is estimated.
    predictions : Predictions or list of two Predictions
        The model; or two, for the difference of the first's measure and the second's.
    q : array-like of shape (n_instances,)
        The instrumental distribution that all draws come from, independently, with replacement.
    confidence_level : float
        1 − α.
    y_range : tuple of two floats, optional
        The least and the greatest label there can be, for values; labels outside are refused.

    Attributes
    ----------
    low, high : float
        The interval now. Before the first label it is all that labels could give.
    n_draws : int
        How many draws it has seen.
    pvalue : float
        For two models: the p-value of "no difference" that belongs to the interval, and may be watched as
        well. Where the models don't differ, it ever falls to α with probability at most α. NaN for one model.
    is_asymptotic : bool
        Whether it holds in the limit of many draws only.

    Raises
    ------
    ValueError, TypeError
        If arguments don't fit each other; if q is 0 for an instance whose label would count.

    Notes
    -----
    Candidates lie on a grid of 2,048 cells, denser around the value that the model expects (see
    `candidate_grid`). A cell is excluded for good once the capital of a bet against it has reached 1/α
    everywhere in the cell. The interval is the hull of the others, so it is rounded outward, by less than a
    cell at each end. Where all are excluded (which has probability at most α), the last interval stays. An
    update takes the same time and memory at any number of draws.

    Draws have to be fed in the order in which they were made, repeats included, without leaving any out: up
    to the first that has no label yet. After a label is taken back or changed, `restart` and feed all again.

    An instance that can't be labeled (None) has to be fed too, and counts for nothing: the interval is then
    for the measure on what can be labeled, for the difference of two risks with q = 0 on what can be of what
    can be drawn, and is as exact. Bets and candidates allow for such instances from the first draw on: before
    it the interval is all that labels could give on any part of the pool.

    The asymptotic sequence is the whole range before 100 draws, and while no draw deviates from the
    estimate; it is not a running intersection.

    References
    ----------
    Waudby-Smith & Ramdas, *Estimating means of bounded random variables by betting*, JRSS-B 2024, eq. 24
    and 26. The asymptotic one: Waudby-Smith, Arbour, Sinha, Kennedy & Ramdas, *Time-uniform central limit
    theory and asymptotic confidence sequences*, 2021, eq. 10, with the influences as observations.

    Examples
    --------
    >>> from activeeval_widgets.stats import ClassPredictions, ErrorRate, uniform_q
    >>> predictions = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]])
    >>> sequence = ConfidenceSequence(ErrorRate(), predictions, uniform_q(3))
    >>> sequence.low, sequence.high
    (0.0, 1.0)
    >>> for _ in range(50):
    ...     low, high = sequence.update(1, 1)
    >>> low, high < 0.15
    (0.0, True)
    """

    def __init__(
        self,
        measure: Measure,
        predictions: Predictions | Sequence[Predictions],
        q: ArrayLike,
        *,
        confidence_level: float = 0.95,
        y_range: tuple[float, float] | None = None,
    ) -> None:
        models = as_models(predictions)
        self._target = Target(measure, models)
        self._q = check_q(q, models[0].n_instances)
        level = check_fraction("confidence_level", confidence_level, closed=False)
        self._y_range = check_y_range(y_range, models[0])
        self._band = _make_band(self._target, self._q, level, self._y_range)
        self.is_asymptotic = isinstance(self._band, _Asymptotic)
        self.n_draws = 0

    @property
    def low(self) -> float:
        """The lower end now."""
        return self._band.low

    @property
    def high(self) -> float:
        """The upper end now."""
        return self._band.high

    @property
    def pvalue(self) -> float:
        """Of "no difference" between two models, two-sided: 1 over the greatest e-value so far, at most 1."""
        return 1 / self._band.evidence if self._target.is_difference else nan

    def restart(self) -> Self:
        """Forget all labels; what is known about the pool is kept. Returns the sequence itself."""
        self._band.restart()
        self.n_draws = 0
        return self

    def copy(self) -> Self:
        """The sequence as it is now, to go on with from here; what is known about the pool is shared."""
        made = copy(self)
        made._band = self._band.copy()
        return made

    def update(self, draw: int, y: Any) -> tuple[float, float]:
        """The interval after one more labeled draw.

        Parameters
        ----------
        draw : int
            Index into the pool.
        y : label
            Its label, as in `estimate`; None if it can't be labeled.

        Returns
        -------
        low, high : float

        Raises
        ------
        ValueError, TypeError
            If the draw can't be one from q, the label is not one of the classes or is outside `y_range`; the
            sequence is then as it was.
        """
        low, high = self.extend([draw], [y])
        return float(low[0]), float(high[0])

    def extend(self, draws: ArrayLike, y_true: Any) -> tuple[FloatArray, FloatArray]:
        """The intervals after each of several more labeled draws; the same as by `update`.

        Parameters
        ----------
        draws : array-like of shape (n_draws,)
            Indices into the pool.
        y_true : array-like of shape (n_draws,)
            Their labels; None for one that can't be labeled.

        Returns
        -------
        low, high : ndarray of shape (n_draws,)
        """
        sample = self._target.sample(self._q, draws, y_true)
        check_y_in_range(y_true, self._y_range)
        bounds = np.array([*self._band.extend(sample.z, sample.draws, sample.labeled)]).reshape(-1, 2)
        self.n_draws += len(bounds)
        return bounds[:, 0], bounds[:, 1]


def confidence_sequence(
    measure: Measure,
    predictions: Predictions | Sequence[Predictions],
    q: ArrayLike,
    draws: ArrayLike,
    y_true: Any,
    *,
    confidence_level: float = 0.95,
    y_range: tuple[float, float] | None = None,
) -> tuple[FloatArray, FloatArray]:
    """Intervals after each draw that hold at all of them at once: they may be watched.

    See `ConfidenceSequence`, which gives the same label by label, for what is exact and what is asymptotic.

    Parameters
    ----------
    measure : Measure
        What is estimated.
    predictions : Predictions or list of two Predictions
        The model; or two, for the difference of the first's measure and the second's.
    q : array-like of shape (n_instances,)
        The instrumental distribution that all draws come from.
    draws : array-like of shape (n_draws,)
        Indices into the pool, in the order in which they were drawn, with repeats.
    y_true : array-like of shape (n_draws,)
        The labels of the draws, in draw order; None for one that can't be labeled.
    confidence_level : float
        1 − α.
    y_range : tuple of two floats, optional
        The least and the greatest label there can be, for values (regression).

    Returns
    -------
    low, high : ndarray of shape (n_draws,)
        The interval after each draw. It never widens, unless it is asymptotic, and is never a point.

    Raises
    ------
    ValueError, TypeError
        If arguments don't fit each other, a label is outside `y_range`, or q is 0 for an instance whose label
        would count.

    Examples
    --------
    >>> from activeeval_widgets.stats import ClassPredictions, ErrorRate, uniform_q
    >>> predictions = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]])
    >>> low, high = confidence_sequence(ErrorRate(), predictions, uniform_q(3), [0, 1] * 20, [0, 1] * 20)
    >>> bool(low[-1] == 0), bool(high[-1] < 0.2)
    (True, True)
    """
    sequence = ConfidenceSequence(measure, predictions, q, confidence_level=confidence_level, y_range=y_range)
    return sequence.extend(draws, y_true)


class _Band(ABC):
    """The state of an interval, and the greatest e-value so far against the value 0, at least 1."""

    low: float
    high: float
    evidence: float

    @abstractmethod
    def restart(self) -> None:
        """Forget all labels."""

    @abstractmethod
    def copy(self) -> Self:
        """Another one in the same state."""

    @abstractmethod
    def extend(self, z: FloatArray, draws: IntArray, labeled: BoolArray | None) -> list[tuple[float, float]]:
        """The intervals after each of the draws, whose statistics are (n_draws, n_statistics)."""


def _make_band(target: Target, q: FloatArray, level: float, y_range: tuple[float, float] | None) -> _Band:
    if has_equation(target, y_range):
        return _Betting(EstimatingEquation(target, q, y_range), level, with_zero=target.is_difference)
    return _Asymptotic(target, q, level)


class _Betting(_Band):
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

    def extend(self, z: FloatArray, draws: IntArray, labeled: BoolArray | None) -> list[tuple[float, float]]:
        terms = self._equation.terms(z, draws, labeled)
        return [self._step(row) for row in terms]

    def _step(self, terms: FloatArray) -> tuple[float, float]:
        self._bets.update(terms)
        if self._zero is not None:
            self._bets_on_zero.update(terms)
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
        return self.low, self.high


class _Asymptotic(_Band):
    """An interval from running sums that holds in the limit."""

    def __init__(self, target: Target, q: FloatArray, level: float) -> None:
        self._sums = AsymptoticSequence(target, q)
        self._level = level
        self.restart()

    def restart(self) -> None:
        self._sums.restart()
        self.low, self.high = self._sums.interval(self._level)
        self.evidence = 1.0

    def copy(self) -> Self:
        made = copy(self)
        made._sums = copy(self._sums)
        return made

    def extend(self, z: FloatArray, draws: IntArray, labeled: BoolArray | None) -> list[tuple[float, float]]:
        bounds = []
        for row in self._sums.rows(z, draws, labeled):
            self._sums.update(row)
            self.low, self.high = self._sums.interval(self._level)
            self.evidence = max(self.evidence, *(self._sums.evidence(0.0, side) for side in (1.0, -1.0)))
            bounds.append((self.low, self.high))
        return bounds


def candidate_grid(
    least: float, greatest: float, center: float, n_cells: int, spread: float | None = None
) -> FloatArray:
    """Candidates from `least` to `greatest`, four times as dense at `center` as evenly spaced ones or more.

    Parameters
    ----------
    least, greatest : float
        The ends.
    center : float
        Where they are densest; within the ends.
    n_cells : int
        How many intervals they form.
    spread : float, optional
        The scale: within a fiftieth of it from the center they are densest. greatest − least unless given.

    Returns
    -------
    ndarray of shape (n_cells + 1,)
        Ascending.
    """
    center = min(max(center, least), greatest)
    scale = (greatest - least if spread is None else spread) / 50
    ends = np.arcsinh((np.array([least, greatest]) - center) / scale)
    grid: FloatArray = center + scale * np.sinh(np.linspace(ends[0], ends[1], n_cells + 1))
    grid[0], grid[-1] = least, greatest
    return grid
