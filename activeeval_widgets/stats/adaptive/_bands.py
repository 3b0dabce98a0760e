"""The state of an interval for adaptive draws: the candidates that no bet has excluded."""

from abc import abstractmethod
from math import inf
from typing import Any, Self

import numpy as np

from activeeval_widgets.stats._typing import FloatArray, IntArray
from activeeval_widgets.stats.adaptive._streams import (
    Streams,
    bounds_over_pool,
    extreme_outcomes,
    possible_ratios,
)
from activeeval_widgets.stats.anytime.band import N_BLOCKS, N_CELLS, Band, CandidateCells, Wealth
from activeeval_widgets.stats.anytime.bets import Bets, candidate_grid
from activeeval_widgets.stats.anytime.deadlines import Deadlines
from activeeval_widgets.stats.anytime.estimating_equation import EstimatingEquation
from activeeval_widgets.stats.drawing.baselines import uniform_q
from activeeval_widgets.stats.predictions.base import left_sum
from activeeval_widgets.stats.questions.target import Target

_KNOTS = 17
"""Number of block ends at which bounds are computed; between them they are interpolated conservatively."""


class AdaptiveBand(Band):
    """The state of an interval for draws without replacement."""

    @abstractmethod
    def step(self, streams: Streams, draw: int, row: FloatArray, y: Any, *, fresh: bool) -> None:
        """Add one more draw, with its label or None; `fresh`: whether expectations or q have changed."""

    def make_ready(self, streams: Streams) -> bool:  # noqa: ARG002
        """Use new expectations or a new q ahead of the next draw; False if only `step` can."""
        return False


class BettingBand(CandidateCells, AdaptiveBand):
    """The candidates that no bet has excluded, within what the remaining labels could still give."""

    def __init__(
        self,
        target: Target,
        y_range: tuple[float, float] | None,
        level: float,
        deadlines: Deadlines | None = None,
        sides: tuple[float, ...] = (1.0, -1.0),
    ) -> None:
        model = target.models[0]
        n_instances = model.n_instances
        equation = EstimatingEquation(target, uniform_q(n_instances), y_range)
        self._center = equation.center
        self._target, self._level, self._deadlines, self._sides = target, level, deadlines, sides
        self._is_risk = target.measure.is_risk
        self._null = target.null_value
        self._n_instances = model.size
        # One column after the other in memory.
        self._outcomes: list[FloatArray] = [np.broadcast_to(0.0, (n_instances, 2))]
        for outcome in equation.extremes():
            if not any(np.array_equal(outcome, known) for known in self._outcomes):
                self._outcomes.append(np.asfortranarray(outcome))
        if self._is_risk:
            # Bounds for what may still be excluded use the extremes over the pool.
            values = np.stack([outcome[:, 0] for outcome in self._outcomes[1:]])
            self._groups = np.zeros(n_instances, dtype=np.intp)
            ends = np.array([values.min(), values.max()])
            self._group_outcomes = np.stack([ends, np.ones(2)], axis=1)[np.newaxis]
        else:
            first, self._groups = target.measure.alike(model, np.arange(n_instances))
            self._group_outcomes = np.stack([outcome[first] for outcome in self._outcomes], axis=1)
        self._extremes = extreme_outcomes(self._group_outcomes)
        low, high = equation.range
        # The value over any part of the pool that can be labeled has to be among the candidates at the start.
        self.watch(
            candidate_grid(*equation.widest_range, equation.center, N_BLOCKS * N_CELLS, spread=high - low)
        )

    def watch(self, grid: FloatArray) -> None:
        """Start with these candidates, ascending; a whole number of blocks of cells."""
        self._set_grid(grid, self._level, with_zero=self._null is not None)
        n_blocks = len(self._edges) - 1
        self._knots = self._edges[np.unique(np.linspace(0, n_blocks, _KNOTS).round().astype(int))]
        self.restart()

    def restart(self) -> None:
        """Discard all labels."""
        super().restart()
        self.low, self.high = self._low, self._high
        self._counted = (self._low, self._high)
        counts = np.bincount(self._groups, self._target.models[0].counts)
        self._counts: IntArray = counts.astype(np.intp)

    def copy(self) -> Self:
        """Return a copy of the band's present state."""
        made = super().copy()
        made._counts = self._counts.copy()
        return made

    @property
    def wealth(self) -> Wealth:
        """The bets' wealth, infinite for values that the remaining labels could not give."""
        edges, won = Wealth(self._grid, self._peaks.ravel())
        least, greatest = self._counted
        return Wealth(edges, np.where((edges[1:] < least) | (edges[:-1] > greatest), inf, won))

    def make_ready(self, streams: Streams) -> bool:
        """See `AdaptiveBand.make_ready`."""
        self._refresh(streams)
        return True

    def step(self, streams: Streams, draw: int, row: FloatArray, y: Any, *, fresh: bool) -> None:
        """Bet on one more draw, then add it."""
        if fresh:
            self._refresh(streams)
        if streams.n_draws < self._n_instances - 1:
            self._bet_on(streams, draw, row)
        streams.add(draw, row, y)
        self._counts[self._groups[draw]] -= 1
        self._intersect(streams)

    def _parts(self, rows: FloatArray) -> FloatArray:
        """Return (num, den) of statistics with their indicator."""
        return self._target.parts(rows[..., :-1], rows[..., -1])

    def _refresh(self, streams: Streams) -> None:
        expected = self._parts(streams.expected)
        nothing = np.zeros_like(expected)
        self._bounds = [
            bounds_over_pool(streams.q, streams.rest, shift, self._outcomes, self._knots)
            for shift in (nothing, expected)
        ]
        if streams.is_bound:
            # With q only bounded from below, a term above 0 may be smaller than this computes: allow for 0.
            self._bounds = [(np.minimum(lower, 0.0), np.maximum(upper, 0.0)) for lower, upper in self._bounds]
        self._bounds_at_edges = [
            (np.interp(self._edges, self._knots, lower), np.interp(self._edges, self._knots, upper))
            for lower, upper in self._bounds
        ]
        if self._bets is None:
            self._bets = self._first_bets(streams, expected)

    def _first_bets(self, streams: Streams, expected: FloatArray) -> Bets:
        points = self._points(np.arange(len(self._edges) - 1))
        c = expected[:, 0] - self._center * expected[:, 1]
        den = float(self._target.models[0].average(expected[:, 1])) or 1.0
        adjusted = streams.variance * den**2
        # Before the first draw: nothing is missing yet.
        spread = left_sum(c**2 / streams.q, streams.in_row) - left_sum(c, streams.in_row) ** 2
        plain = adjusted + max(float(spread), 0.0) / self._n_instances**2
        none = np.zeros((2, len(points)))
        return Bets(points, none, none, (plain, adjusted), self._level, self._sides, self._deadlines)

    def _bet_on(self, streams: Streams, draw: int, row: FloatArray) -> None:
        assert self._bets is not None  # noqa: S101 - made at the first draw
        weight = streams.weight
        plain, adjusted = self._parts(np.stack(streams.terms(draw, row)))
        blocks = slice(self._first_block, self._first_block + len(self._bets.points) + 1)
        self._bets.set_bounds(*self._bounds_of(streams, blocks))
        if self._zero is not None and self._bets_on_zero is not None:
            block, _ = self._zero
            self._bets_on_zero.set_bounds(*self._bounds_of(streams, slice(block, block + 2)))
        self._bet(weight * np.array([plain[0], adjusted[0], plain[1], adjusted[1]]))

    def _bounds_of(self, streams: Streams, ends: slice) -> tuple[FloatArray, FloatArray]:
        """Return the bounds of the next terms in blocks between these edges, each (2, n_blocks)."""
        weight, edges = streams.weight, self._edges[ends]
        n_blocks = len(edges) - 1
        known, left = self._parts(np.stack([streams.known, streams.left]))
        lower, upper = np.empty((2, n_blocks)), np.empty((2, n_blocks))
        for stream, base in enumerate((known, known + left)):
            shift = base[0] - edges * base[1]
            least, greatest = (
                weight * (shift + streams.mass * bounds[ends]) / self._n_instances
                for bounds in self._bounds_at_edges[stream]
            )
            slack = 1e-12 * weight * (np.abs(shift) / self._n_instances + 1e-12)
            least, greatest = least - slack, greatest + slack
            # Between the ends of a block, Z lies between its bounds at the ends.
            lower[stream] = np.minimum(least[:-1], least[1:])
            upper[stream] = np.maximum(greatest[:-1], greatest[1:])
        return lower, upper

    def _intersect(self, streams: Streams) -> None:
        """Exclude values that the remaining labels could not give."""
        known = self._parts(streams.known)
        least, greatest = possible_ratios(known, self._counts, self._group_outcomes, self._extremes)
        if streams.n_draws < self._n_instances:
            slack = 1e-12 * max(abs(least), abs(greatest))
            least, greatest = least - slack, greatest + slack
        elif self._null is not None and abs(least) <= 1e-12 * np.abs(self._group_outcomes).max():
            # For two models with the same value, a rounding error must not make one of them better.
            least = greatest = self._null
        if not known[1] > 0 and streams.n_draws == self._n_instances:
            # No instance that counts can be labeled, so the value is 0/0, not 0.
            self.low, self.high = float(self._grid[0]), float(self._grid[-1])
            return
        if self._null is not None and not least <= self._null <= greatest:
            # The remaining labels cannot make it 0.
            self.evidence = inf
        self._counted = max(self._counted[0], least), min(self._counted[1], greatest)
        self.low = max(self.low, self._low, least)
        self.high = min(self.high, self._high, greatest)
        if self.low > self.high or streams.n_draws == self._n_instances:
            # The bets have excluded the true value, which has probability α: keep what is possible.
            self.low = min(max(self._low, least), greatest)
            self.high = max(min(self._high, greatest), least)
