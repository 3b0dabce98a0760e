"""Intervals that may be watched, for draws without replacement from distributions that learn."""

from collections.abc import Sequence
from copy import copy, deepcopy
from math import log, sqrt
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats._validation import check_float_array, check_fraction
from activeeval_widgets.stats.adaptive_streams import Streams, bounds_over_pool, possible_ratios
from activeeval_widgets.stats.asymptotic_sequence import BURN_IN, RHO2
from activeeval_widgets.stats.baselines import uniform_q
from activeeval_widgets.stats.betting import Bets
from activeeval_widgets.stats.confidence_sequences import candidate_grid
from activeeval_widgets.stats.estimating_equation import (
    EstimatingEquation,
    check_y_in_range,
    check_y_range,
    has_equation,
)
from activeeval_widgets.stats.measures import Measure
from activeeval_widgets.stats.predictions import ClassPredictions, Predictions, ValuePredictions, as_models
from activeeval_widgets.stats.target import Target

_BLOCKS = 128
_CELLS = 16
"""The candidates: blocks of so many cells, 2,048 in all."""

_KNOTS = 17
"""At how many ends of blocks bounds are computed; between them they are interpolated, to the safe side."""


class AdaptiveConfidenceSequence:
    """An interval for draws without replacement from changing q that holds at all numbers of draws at once.

    With probability 1 − α the pool's value is never outside, however long one looks and whenever one stops;
    q may be any function of the labels so far. Exact for every number of draws for risks with bounded losses
    (one model's or the difference of two) and for one model's precision, recall, specificity and F; values
    need `y_range` for that. For all else it holds in the limit of many draws (`is_asymptotic`).

    Parameters
    ----------
    measure : Measure
        What is estimated.
    predictions : Predictions or list of two Predictions
        The model; or two, for the difference of the first's measure and the second's.
    confidence_level : float
        1 − α.
    y_range : tuple of two floats, optional
        The least and the greatest label there can be, for values; labels outside are refused.

    Attributes
    ----------
    low, high : float
        The interval now. Before the first label it is all that labels could give; with the whole pool
        labeled, a point.
    n_draws : int
        How many draws it has seen.
    is_asymptotic : bool
        Whether it holds in the limit of many draws only.

    Notes
    -----
    Bets on Y_t(G) (`adaptive_terms`) with expectations by the labels before, on a grid of candidates as in
    `ConfidenceSequence`; each bet is scaled by the inverse of the variance that is expected of its term.
    In addition the interval never leaves what the labels of the rest could still give.

    Draws have to be fed in the order in which they were made, without leaving any out, up to the first that
    has no answer yet. An excluded instance has the label None: it counts in no sum.

    An update takes a fraction of a millisecond, and O(n_instances · n_classes) once for each new q: some
    milliseconds for 10⁴ instances, about a second for 10⁶ of ten classes.

    Examples
    --------
    >>> from activeeval_widgets.stats import ClassPredictions, ErrorRate, uniform_q
    >>> model = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]])
    >>> sequence = AdaptiveConfidenceSequence(ErrorRate(), model)
    >>> q = uniform_q(3)
    >>> for draw, label in [(1, 0), (2, 1), (0, 0)]:
    ...     low, high = sequence.update(draw, q, label)
    >>> round(low, 3), round(high, 3)
    (0.333, 0.333)
    """

    def __init__(
        self,
        measure: Measure,
        predictions: Predictions | Sequence[Predictions],
        *,
        confidence_level: float = 0.95,
        y_range: tuple[float, float] | None = None,
    ) -> None:
        models = as_models(predictions)
        self._target = Target(measure, models)
        level = check_fraction("confidence_level", confidence_level, closed=False)
        self._y_range = check_y_range(y_range)
        if self._y_range is not None and not isinstance(models[0], ValuePredictions):
            raise ValueError(f"y_range is for labels that are values, not for {models[0]!r}")
        self._streams = Streams(self._target)
        self._q: FloatArray | None = None
        self.is_asymptotic = not has_equation(self._target, self._y_range)
        self._band: _Betting | _Asymptotic
        if self.is_asymptotic:
            self._band = _Asymptotic(self._target, level)
        else:
            self._band = _Betting(self._target, self._y_range, level)

    @property
    def low(self) -> float:
        """The lower end now."""
        return self._band.low

    @property
    def high(self) -> float:
        """The upper end now."""
        return self._band.high

    @property
    def n_draws(self) -> int:
        """How many draws it has seen."""
        return self._streams.n_draws

    def restart(self) -> Self:
        """Forget all labels; what is known about the pool is kept. Returns the sequence itself."""
        self._streams.restart()
        self._band.restart()
        return self

    def copy(self) -> Self:
        """The sequence as it is now, to go on with from here."""
        made = copy(self)
        made._streams = self._streams.copy()
        made._band = self._band.copy()
        return made

    def update(self, draw: int, q: ArrayLike, y: Any) -> tuple[float, float]:
        """The interval after one more draw.

        Parameters
        ----------
        draw : int
            Index into the pool; not one that was drawn before.
        q : array-like of shape (n_instances,)
            The instrumental distribution that the draw, or the block of draws it belongs to, was made from:
            what is left of it after the draws so far, normalized, is the draw's own. The same array again
            saves work.
        y : label, or None
            Its label, as in `estimate`; None: it is excluded.

        Returns
        -------
        low, high : float

        Raises
        ------
        ValueError, TypeError
            If the draw can't be one from what is left of q, q is 0 on something that is left, or the label
            does not fit; the sequence is then as it was.
        """
        distribution = self._checked(q)
        where = int(draw)
        if where != draw or not 0 <= where < distribution.size:
            raise ValueError(f"draw is {draw!r}, expected an index from 0 to {distribution.size - 1}")
        if not self._streams.rest[where]:
            raise ValueError(f"draw is {where}, which was drawn before: draws are without replacement")
        row = self._row(where, y)
        unseen = self._streams.rest & (distribution <= 0)
        if unseen.any():
            raise ValueError(
                f"q[{int(np.argmax(unseen))}] is 0, but it was not drawn yet: it would never be drawn"
            )
        self._q = distribution
        fresh = self._streams.prepare(distribution)
        self._band.step(self._streams, where, row, y, fresh=fresh)
        return self.low, self.high

    def extend(
        self, draws: ArrayLike, q: ArrayLike | Sequence[ArrayLike], y_true: Any
    ) -> tuple[FloatArray, FloatArray]:
        """The intervals after each of several more draws; the same as by `update`.

        Parameters
        ----------
        draws : array-like of shape (n_draws,)
            Indices into the pool.
        q : array-like of shape (n_instances,), or sequence of n_draws of them
            The distribution that all, or each, are from.
        y_true : sequence of n_draws labels
            None for what is excluded.

        Returns
        -------
        low, high : ndarray of shape (n_draws,)
        """
        indices = np.asarray(draws)
        if len(y_true) != len(indices):
            raise ValueError(
                f"y_true must hold one label for each of {len(indices)} draws, got {len(y_true)}"
            )
        if (isinstance(q, np.ndarray) and q.ndim == 1) or not np.ndim(q[0]):  # type: ignore[index]
            each: Any = [np.asarray(q)] * len(indices)
        else:
            each = q
            if len(each) != len(indices):
                raise ValueError(
                    f"q holds {len(each)} distributions, expected one for each of {len(indices)}"
                )
        bounds = [self.update(d, one, y) for d, one, y in zip(indices, each, y_true, strict=True)]
        ends = np.array(bounds).reshape(-1, 2)
        return ends[:, 0], ends[:, 1]

    def _checked(self, q: ArrayLike) -> FloatArray:
        if self._q is not None and q is self._q:
            return self._q
        distribution = check_float_array("q", q, ndim=1, shape="(n_instances,)")
        n_instances = self._target.models[0].n_instances
        if distribution.size != n_instances:
            raise ValueError(
                f"q has {distribution.size} entries, but the predictions are for {n_instances} instances"
            )
        if distribution.min() < 0:
            where = int(np.argmax(distribution < 0))
            raise ValueError(f"q[{where}] is {distribution[where]}, expected a probability >= 0")
        return distribution

    def _row(self, draw: int, y: Any) -> FloatArray:
        """z and the indicator "has a label"; zeros for what is excluded."""
        if y is None:
            known = self._target.statistics(self._target.models[0].check_labels([], 0, "0 draws"), _NONE)
            return np.zeros(known.shape[1] + 1)
        labels = self._target.models[0].check_labels([y], 1, "1 draws")
        check_y_in_range([y], self._y_range)
        return np.append(self._target.statistics(labels, np.array([draw]))[0], 1.0)


_NONE = np.zeros(0, dtype=np.intp)


class _Betting:
    """The candidates that no bet has excluded, within what the rest could still give."""

    def __init__(self, target: Target, y_range: tuple[float, float] | None, level: float) -> None:
        n_instances = target.models[0].n_instances
        self._equation = EstimatingEquation(target, uniform_q(n_instances), y_range)
        self._level = level
        self._is_risk = target.measure.is_risk
        self._n_instances = n_instances
        self._outcomes: list[FloatArray] = [np.zeros((n_instances, 2))]
        for outcome in self._equation.extremes():
            if not any(np.array_equal(outcome, known) for known in self._outcomes):
                self._outcomes.append(outcome)
        if self._is_risk:
            # For what may still be excluded too, the pool's own extremes.
            values = np.stack([outcome[:, 0] for outcome in self._outcomes[1:]])
            self._groups = np.zeros(n_instances, dtype=np.intp)
            ends = np.array([values.min(), values.max()])
            self._group_outcomes = np.stack([ends, np.ones(2)], axis=1)[np.newaxis]
        else:
            model = target.models[0]
            assert isinstance(model, ClassPredictions)  # noqa: S101 - ratios are of classes
            _, first, self._groups = np.unique(model.pred_codes, return_index=True, return_inverse=True)
            self._group_outcomes = np.stack([outcome[first] for outcome in self._outcomes], axis=1)
        self.watch(candidate_grid(*self._equation.range, self._equation.center, _BLOCKS * _CELLS))

    def watch(self, grid: FloatArray) -> None:
        """Start with these candidates, ascending; some blocks of cells."""
        self._grid, self._edges = grid, grid[::_CELLS]
        n_blocks = len(self._edges) - 1
        self._knots = self._edges[np.unique(np.linspace(0, n_blocks, _KNOTS).round().astype(int))]
        self.restart()

    def restart(self) -> None:
        self.low, self.high = self._low, self._high = float(self._grid[0]), float(self._grid[-1])
        self._bets: Bets | None = None
        self._kept = np.ones((len(self._edges) - 1, _CELLS), dtype=bool)
        self._first_block = 0
        self._counts = np.bincount(self._groups)

    def copy(self) -> Self:
        made = copy(self)
        made._bets = None if self._bets is None else self._bets.copy()
        made._counts = self._counts.copy()
        return made

    def step(self, streams: Streams, draw: int, row: FloatArray, y: Any, *, fresh: bool) -> None:
        """Bet on one more draw, then take it in."""
        if fresh:
            self._refresh(streams)
        if streams.n_draws < self._n_instances - 1:
            self._bet(streams, draw, row)
        streams.add(draw, row, y)
        self._counts[self._groups[draw]] -= 1
        self._intersect(streams)

    def _parts(self, rows: FloatArray) -> FloatArray:
        """(num, den) of statistics with their indicator."""
        if not self._is_risk:
            return rows[..., :2]
        num = rows[..., 0] if rows.shape[-1] == 2 else rows[..., 0] - rows[..., 1]
        return np.stack([num, rows[..., -1]], axis=-1)

    def _refresh(self, streams: Streams) -> None:
        expected = self._parts(streams.expected)
        nothing = np.zeros_like(expected)
        self._bounds = [
            bounds_over_pool(streams.q, streams.rest, shift, self._outcomes, self._knots)
            for shift in (nothing, expected)
        ]
        if self._bets is None:
            self._bets = self._first_bets(streams, expected)

    def _first_bets(self, streams: Streams, expected: FloatArray) -> Bets:
        starts = np.arange(len(self._edges) - 1)[:, np.newaxis] * _CELLS
        points = self._grid[starts + np.arange(_CELLS + 1)]
        start = self._equation.center
        c = expected[:, 0] - start * expected[:, 1]
        den = float(expected[:, 1].mean()) or 1.0
        adjusted = streams.variance * den**2
        plain = adjusted + max(float((c**2 / streams.q).sum() - c.sum() ** 2), 0.0) / self._n_instances**2
        none = np.zeros((2, len(points)))
        return Bets(points, none, none, (plain, adjusted), self._level)

    def _bet(self, streams: Streams, draw: int, row: FloatArray) -> None:
        assert self._bets is not None  # noqa: S101 - made at the first draw
        weight = streams.weight
        plain, adjusted = (self._parts(term) for term in streams.terms(draw, row))
        known, left = self._parts(streams.known), self._parts(streams.left)
        blocks = slice(self._first_block, self._first_block + len(self._kept) + 1)
        edges = self._edges[blocks]
        lower, upper = np.empty((2, len(self._kept))), np.empty((2, len(self._kept)))
        for stream, base in enumerate((known, known + left)):
            shift = base[0] - edges * base[1]
            least, greatest = (
                weight * (shift + streams.mass * np.interp(edges, self._knots, ends)) / self._n_instances
                for ends in self._bounds[stream]
            )
            slack = 1e-12 * weight * (np.abs(shift) / self._n_instances + 1e-12)
            least, greatest = least - slack, greatest + slack
            # Between the ends of a block, Z lies between its bounds at the ends.
            lower[stream] = np.minimum(least[:-1], least[1:])
            upper[stream] = np.maximum(greatest[:-1], greatest[1:])
        self._bets.set_bounds(lower, upper)
        self._bets.update(weight * np.array([plain[0], adjusted[0], plain[1], adjusted[1]]))
        kept = self._kept & (self._bets.in_cells() < 1 / (1 - self._level))
        found = np.flatnonzero(kept.any(axis=1))
        if not found.size:
            return
        first, last = int(found[0]), int(found[-1])
        points = self._bets.points
        self._low = float(points[first, int(np.argmax(kept[first]))])
        self._high = float(points[last, _CELLS - int(np.argmax(kept[last, ::-1]))])
        self._bets.keep(slice(first, last + 1))
        self._first_block += first
        self._kept = kept[first : last + 1]

    def _intersect(self, streams: Streams) -> None:
        """Cut off what the labels of the rest could not give."""
        known = self._parts(streams.known)
        least, greatest = possible_ratios(known, self._counts, self._group_outcomes)
        if streams.n_draws < self._n_instances:
            slack = 1e-12 * max(abs(least), abs(greatest))
            least, greatest = least - slack, greatest + slack
        if not known[1] > 0 and streams.n_draws == self._n_instances:
            return
        self.low = max(self.low, self._low, least)
        self.high = min(self.high, self._high, greatest)
        if self.low > self.high or streams.n_draws == self._n_instances:
            # Bets that excluded the truth, which has probability α: what is possible stays possible.
            self.low = min(max(self._low, least), greatest)
            self.high = max(min(self._high, greatest), least)


class _Asymptotic:
    """An interval from running sums of the terms that holds in the limit."""

    def __init__(self, target: Target, level: float) -> None:
        self._target = target
        self._level = level
        self._n_instances = target.models[0].n_instances
        self.restart()

    def restart(self) -> None:
        self.low, self.high = self._target.range
        self._sums: list[Any] = [0.0, 0.0, 0.0, 0.0]

    def copy(self) -> Self:
        return deepcopy(self)

    def step(self, streams: Streams, draw: int, row: FloatArray, y: Any, *, fresh: bool) -> None:
        """Take in one more draw."""
        del fresh
        weight = streams.weight
        _, term = streams.terms(draw, row)
        streams.add(draw, row, y)
        total, mean, squares, size = self._sums
        self._sums = [
            total + weight,
            mean + weight * term,
            squares + weight**2 * np.outer(term, term),
            size + weight**2,
        ]
        self.low, self.high = self._target.range
        if streams.n_draws == self._n_instances:
            self._set(streams.known / self._n_instances, 0.0)
        elif streams.n_draws >= BURN_IN:
            self._set(self._sums[1] / self._sums[0], None)

    def _set(self, mean: FloatArray, known_error: float | None) -> None:
        share = float(mean[-1])
        if not share > 0:
            return
        inner = mean[:-1] / share
        with np.errstate(invalid="ignore"):
            value, gradient = float(self._target.g(inner)), self._target.gradient(inner) / share
        if not np.isfinite(value):
            return
        error = known_error
        if error is None:
            total, _, squares, size = self._sums
            combined = np.append(gradient, -gradient @ inner)
            square = float(combined @ squares @ combined)
            # What is left of cancellation is no variance.
            if not square > 1e-12 * float(np.abs(combined) @ np.abs(squares) @ np.abs(combined)):
                return
            scaled = total**2 / size * RHO2
            error = sqrt(square) / total * sqrt((1 + 1 / scaled) * log((scaled + 1) / (1 - self._level) ** 2))
        least, greatest = self._target.range
        self.low, self.high = max(value - error, least), min(value + error, greatest)
