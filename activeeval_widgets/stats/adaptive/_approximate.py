"""Approximate intervals for adaptive draws: in the limit, or for labels within an assumed range."""

from copy import copy
from math import inf, sqrt
from typing import Any, Self

import numpy as np

from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats.adaptive._bands import AdaptiveBand, BettingBand
from activeeval_widgets.stats.adaptive._composed import ComposedBand
from activeeval_widgets.stats.adaptive._share_band import ShareBand
from activeeval_widgets.stats.adaptive._streams import Streams
from activeeval_widgets.stats.anytime.assumed_range import Assumption
from activeeval_widgets.stats.anytime.asymptotic import (
    BURN_IN,
    LARGEST_EXPONENT,
    LEAST_CARRYING,
    RHO2,
    boundary,
    evalue_of,
    is_variance,
    n_carrying,
    reason_too_few,
)
from activeeval_widgets.stats.anytime.band import AssumedBand, RisingBand
from activeeval_widgets.stats.anytime.deadlines import Deadlines
from activeeval_widgets.stats.anytime.estimating_equation import has_equation, has_exact_band
from activeeval_widgets.stats.anytime.growing_rows import GrowingRows
from activeeval_widgets.stats.measures.target import Target


class AsymptoticBand(AdaptiveBand):
    """An interval from the terms of all draws that holds in the limit."""

    def __init__(self, target: Target, level: float) -> None:
        self._target = target
        self._level = level
        self._n_instances = target.size
        self.restart()

    def restart(self) -> None:
        """Forget all labels."""
        self._rows = GrowingRows()
        self._total = self._size = 0.0
        self._sum: Any = 0.0
        self._greatest = 1.0
        self._withhold(0, None)

    def copy(self) -> Self:
        """The band as it is now, to go on with from here."""
        made = copy(self)
        made._rows = self._rows.copy()
        return made

    def step(self, streams: Streams, draw: int, row: FloatArray, y: Any, *, fresh: bool) -> None:
        """Take in one more draw."""
        del fresh
        weight = streams.weight
        _, term = streams.terms(draw, row)
        streams.add(draw, row, y)
        self._rows.append(weight * term)
        self._total += weight
        self._sum = self._sum + weight * term
        self._size += weight**2
        if streams.n_draws == self._n_instances:
            self._set_known(streams.known / self._n_instances)
        else:
            self._set(streams.n_draws)

    def _withhold(self, n_draws: int, carrying: float | None) -> None:
        self.low, self.high = self._target.range
        self.evidence, self.withheld = 1.0, True
        self.reason = reason_too_few(n_draws, carrying)

    def _show(self, value: float, half: float) -> None:
        least, greatest = self._target.range
        self.low, self.high = max(value - half, least), min(value + half, greatest)
        self.evidence, self.withheld, self.reason = self._greatest, False, None

    def _value_and_gradient(self, mean: FloatArray) -> tuple[float, FloatArray, FloatArray]:
        inner = mean[:-1] / mean[-1]
        with np.errstate(invalid="ignore"):
            return float(self._target.g(inner)), self._target.gradient(inner) / mean[-1], inner

    def _set_known(self, mean: FloatArray) -> None:
        self._withhold(self._n_instances, None)
        if not mean[-1] > 0:
            return
        value, _, _ = self._value_and_gradient(mean)
        if np.isfinite(value):
            self._greatest = inf if value != 0 else self._greatest
            self._show(value, 0.0)

    def _set(self, n_draws: int) -> None:
        self._withhold(n_draws, None)
        mean = self._sum / self._total
        if n_draws < BURN_IN or not mean[-1] > 0:
            return
        value, gradient, inner = self._value_and_gradient(mean)
        if not np.isfinite(value):
            return
        combined = np.append(gradient, -gradient @ inner)
        influences = self._rows.rows @ combined
        square = float(influences @ influences)
        if not is_variance(square, self._rows, combined):
            return
        carrying = n_carrying(influences)
        if carrying < LEAST_CARRYING:
            self._withhold(n_draws, carrying)
            return
        scaled = self._total**2 / self._size * RHO2
        error = sqrt(square) / self._total
        self._greatest = max(self._greatest, evalue_of(scaled, value / error, LARGEST_EXPONENT))
        self._show(value, error * boundary(scaled, self._level))


class AdaptiveAssumedBand(AssumedBand[BettingBand], AdaptiveBand):
    """Bets on values of which nobody has said a range."""

    def step(self, streams: Streams, draw: int, row: FloatArray, y: Any, *, fresh: bool) -> None:
        """Take in one more draw."""
        self._assumption.add(draw, y, streams.own)
        if self._band is not None and not self._assumption.is_refuted:
            self._band.step(streams, draw, row, y, fresh=fresh)
        else:
            streams.add(draw, row, y)
        self._show()
        if streams.n_draws == self._target.size and streams.known[-1] > 0:
            value = float(self._target.g(streams.known[:-1] / streams.known[-1]))
            self.low = self.high = value
            self.evidence, self.withheld, self.reason = inf if value != 0 else 1.0, False, None


class AdaptiveRisingBand(RisingBand[AdaptiveBand], AdaptiveBand):
    """The interval of the measure's base."""

    def step(self, streams: Streams, draw: int, row: FloatArray, y: Any, *, fresh: bool) -> None:
        """Take in one more draw."""
        self._band.step(streams, draw, row, y, fresh=fresh)
        self._show()


def make_band(
    target: Target, y_range: tuple[float, float] | None, level: float, deadlines: Deadlines | None = None
) -> AdaptiveBand:
    """The band that suits what is estimated."""
    if target.base is not target:
        return AdaptiveRisingBand(target.measure, make_band(target.base, y_range, level, deadlines))
    if target.measure.is_binary and not target.models[0].is_model:
        return ShareBand(target, level)
    if has_equation(target, y_range):
        return BettingBand(target, y_range, level, deadlines)
    if has_exact_band(target, y_range):
        return ComposedBand(target, y_range, level, deadlines)
    if target.measure.needs_range and target.measure.is_risk:
        assumption = Assumption(target.models)
        bounds = assumption.bounds
        band = None if bounds is None else BettingBand(target, bounds, level, deadlines)
        return AdaptiveAssumedBand(target, assumption, band)
    return AsymptoticBand(target, level)
