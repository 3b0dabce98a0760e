"""Intervals around estimates from adaptive draws that hold in the limit of many labels."""

from copy import copy
from math import isfinite, nan, sqrt
from typing import Self

from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats.adaptive.weighting import Weighing
from activeeval_widgets.stats.anytime.approximate_interval import Approximate, approximate_interval, skew_of
from activeeval_widgets.stats.anytime.limit_conditions import (
    HAS_KINKS,
    FarthestInstance,
    conditions_for,
    wald_caveat,
)
from activeeval_widgets.stats.questions.target import Target


class LimitOfDraws:
    """Computes these intervals for one target."""

    def __init__(self, target: Target, y_range: tuple[float, float] | None, level: float) -> None:
        self._target, self._level = target, level
        self._farthest = FarthestInstance(target, y_range)
        self.needed = conditions_for(target.range, is_replaced=False, n_carrying=target.measure.n_carrying)
        """The number of labels and other conditions for showing an interval."""
        self._reason = None if target.is_smooth else HAS_KINKS

    def at_level(self, level: float) -> Self:
        """Return the same for another level; what depends on the pool only is shared."""
        made = copy(self)
        made._level = level
        return made

    def before(self, n_labels: int) -> Approximate:
        """Return the result while the estimate is undefined: no interval, and the reason."""
        return self._made(nan, nan, None, n_labels, self._farthest.deviation(None, nan))

    def around(self, found: Weighing, n_labels: int, *, is_known: bool) -> Approximate:
        """Return the interval around an estimate."""
        if not isfinite(found.value):
            return self.before(n_labels)
        least, greatest = self._target.range
        value = min(max(found.value, least), greatest)
        farthest = self._farthest.deviation(found.gradient, found.center, found.influences)
        known = found.influences if is_known else None
        skew = 0.0 if found.influences is None else skew_of(found.influences)
        return self._made(value, sqrt(found.cautious), known, n_labels, farthest, found.unevenness, skew)

    def wald_caveat(self, found: Weighing, n_labels: int, *, is_known: bool) -> str | None:
        """Return a caveat of the Wald interval around an estimate, if it needs one."""
        known = found.influences if is_known else None
        return wald_caveat(known, n_labels, self.needed, self._target.range)

    def _made(
        self,
        value: float,
        error: float,
        influences: FloatArray | None,
        n_labels: int,
        farthest: float,
        unevenness: float = 0.0,
        skew: float = 0.0,
    ) -> Approximate:
        return approximate_interval(
            value,
            error,
            influences,
            n_labels,
            level=self._level,
            possible=self._target.range,
            needed=self.needed,
            farthest=farthest,
            reason=self._reason,
            unevenness=unevenness,
            skew=skew,
        )
