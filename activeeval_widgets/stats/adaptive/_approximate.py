"""Approximate intervals for adaptive draws: in the limit, or for labels within an assumed range."""

from copy import copy
from math import inf, isfinite, nan
from typing import Any, ClassVar, Self

import numpy as np

from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats.adaptive._bands import AdaptiveBand, BettingBand
from activeeval_widgets.stats.adaptive._limit_of_draws import LimitOfDraws
from activeeval_widgets.stats.adaptive._streams import Streams
from activeeval_widgets.stats.adaptive.draw_rule import DrawRule
from activeeval_widgets.stats.adaptive.few_deviations import Drawn, FewDeviations
from activeeval_widgets.stats.adaptive.weighting import weigh
from activeeval_widgets.stats.anytime.approximate_interval import Approximate
from activeeval_widgets.stats.anytime.band import AssumedBand, RisingBand
from activeeval_widgets.stats.questions.target import Target


class AsymptoticBand(AdaptiveBand):
    """An interval from all draws that holds in the limit; it is computed on access."""

    follows_estimate: ClassVar[bool] = True

    def __init__(
        self,
        target: Target,
        y_range: tuple[float, float] | None,
        level: float,
        rule: DrawRule,
    ) -> None:
        self._target, self._level, self._rule = target, level, rule
        self._limit = LimitOfDraws(target, y_range, level)
        self._few = FewDeviations(target)
        self.restart()

    def restart(self) -> None:
        """Discard all labels."""
        self._draws: list[int] = []
        self._probabilities: list[tuple[float, float]] = []
        self._rows: list[FloatArray] = []
        self._labels: list[Any] = []
        self._now: Approximate | None = None

    def copy(self) -> Self:
        """Return a copy of the band's present state."""
        made = copy(self)
        made._draws, made._labels = self._draws.copy(), self._labels.copy()
        made._probabilities, made._rows = self._probabilities.copy(), self._rows.copy()
        return made

    def step(self, streams: Streams, draw: int, row: FloatArray, y: Any, *, fresh: bool) -> None:
        """Add one more draw."""
        del fresh
        self._draws.append(draw)
        self._probabilities.append((streams.probability(draw), streams.least))
        self._rows.append(row)
        if y is not None:
            self._labels.append(y)
        streams.add(draw, row, y)
        self._now = None

    @property
    def _interval(self) -> Approximate:
        if self._now is None:
            self._now = self._compute()
        return self._now

    def _compute(self) -> Approximate:
        n_labels, n_draws = len(self._labels), len(self._draws)
        if n_draws and n_draws == self._target.size:
            mean = np.mean(self._rows, axis=0)
            value = nan
            if self._target.is_by_labels and n_labels:
                drawn = self._drawn()
                value = self._target.value_of(drawn.draws[drawn.labeled], drawn.labels)
            elif mean[-1] > 0:
                value = float(self._target.g(mean[:-1] / mean[-1]))
            if isfinite(value):
                return Approximate(value, value, inf if value != 0 else 1.0, None)
            return self._limit.before(n_labels)
        if n_labels < self._limit.needed.n_labels:
            return self._limit.before(n_labels)
        drawn = self._drawn()
        found = weigh(self._target, drawn, self._rule)
        is_known = isfinite(found.value) and (
            self._few.bounds(drawn, found.plain, found.variance, found.share, self._level) is None
        )
        return self._limit.around(found, n_labels, is_known=is_known)

    def _drawn(self) -> Drawn:
        rows = np.array(self._rows)
        labeled = rows[:, -1] > 0
        q_draws, least_q = np.array(self._probabilities).T
        model = self._target.models[0]
        labels = model.check_labels(self._labels, len(self._labels), f"{len(self._labels)} labeled draws")
        return Drawn(
            np.array(self._draws, dtype=np.intp),
            q_draws,
            np.minimum(least_q, q_draws),
            labeled,
            labels,
            rows[labeled, :-1],
        )

    @property
    def low(self) -> float:  # type: ignore[override]
        """The lower end now."""
        return self._interval.low

    @property
    def high(self) -> float:  # type: ignore[override]
        """The upper end now."""
        return self._interval.high

    @property
    def evidence(self) -> float:  # type: ignore[override]
        """The e-value against the value 0 now."""
        return self._interval.evidence

    @property
    def withheld(self) -> bool:  # type: ignore[override]
        """Whether it is the whole range because it would not hold."""
        return self._interval.reason is not None

    @property
    def reason(self) -> str | None:  # type: ignore[override]
        """Why it is withheld."""
        return self._interval.reason


class AdaptiveAssumedBand(AssumedBand[BettingBand], AdaptiveBand):
    """Betting intervals for values whose range was not given."""

    def make_ready(self, streams: Streams) -> bool:
        """See `AdaptiveBand.make_ready`."""
        if self._band is None or self._assumption.is_refuted:
            return False
        return self._band.make_ready(streams)

    def step(self, streams: Streams, draw: int, row: FloatArray, y: Any, *, fresh: bool) -> None:
        """Add one more draw."""
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

    def make_ready(self, streams: Streams) -> bool:
        """See `AdaptiveBand.make_ready`."""
        return self._band.make_ready(streams)

    def step(self, streams: Streams, draw: int, row: FloatArray, y: Any, *, fresh: bool) -> None:
        """Add one more draw."""
        self._band.step(streams, draw, row, y, fresh=fresh)
        self._show()
