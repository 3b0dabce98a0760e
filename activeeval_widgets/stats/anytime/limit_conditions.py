"""Conditions for showing an interval that holds in the limit of many labels."""

from functools import cached_property
from math import inf, isfinite
from typing import NamedTuple

import numpy as np

from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats.anytime.tail_shape import tail_shape
from activeeval_widgets.stats.questions.target import Target

_TIMES_FARTHEST = 4.0
"""If numeric labels have neither a model nor a range, labels that were not drawn are assumed to lie at most
this many times as far from the mean as the farthest one drawn."""

UNMET = 3.0
"""With probability 95 %, n uniform draws hit every given part of the pool that has a share of at least
3/n."""


class LimitConditions(NamedTuple):
    """The conditions for showing an interval."""

    n_labels: int
    """The least number of labels; an asymptotic result says nothing about a few."""
    n_carrying: float
    """The least number of labels that carry the variance; see the function `n_carrying`."""
    heaviest_tail: float
    """The largest shape parameter of the influences' tail; see `tail_shape`."""


WITH_REPLACEMENT = LimitConditions(100, 25, 0.7)
"""For the weighted average of draws from one q, whose standard error is the empirical one. From 30 labels on,
the Matthews correlation of ten classes was missed in 11 % of sessions watched at a nominal 5 %; from 100 on,
in 4–5 %. With fewer than 25 labels that carry the variance, the Matthews correlation, kappa, balanced
accuracy and macro-F of a rare class, or of ten classes, were missed in up to 12 % of sessions watched from
100 to 400 draws; from 25 on, in at most 5 %."""

ADAPTIVE = LimitConditions(50, 5, inf)
"""For adaptive draws, whose standard error is the greater of the empirical one and the one that the corrected
model expects, so that it can be used earlier. `benchmarks/approximate.py` reports how often the interval is
then wrong."""

WITHOUT_END = LimitConditions(100, 10, 0.7)
"""For adaptive draws and unbounded losses, whose tail the model does not know. Under `ADAPTIVE`, the mean of
Pareto and lognormal squared errors was missed in half of the sessions."""


def conditions_for(
    possible: tuple[float, float], *, is_replaced: bool, n_carrying: float = 0.0
) -> LimitConditions:
    """Return the conditions for a measure's range and own `n_carrying`, and for the kind of draws."""
    if is_replaced:
        return WITH_REPLACEMENT
    needed = ADAPTIVE if isfinite(possible[1] - possible[0]) else WITHOUT_END
    return needed._replace(n_carrying=max(needed.n_carrying, n_carrying))


HAS_KINKS = "No approximate interval: noise adds to a sum of distances, so it would not hold."
"""The reason for measures that are not smooth (`Measure.is_smooth`)."""

WEIGHTS_TOO_UNEVEN = "No approximate interval: with a fixed q, a few heavy weights decide this estimate."
"""The reason for measures without `Measure.has_limit_if_weighted`, if q is fixed."""


def n_carrying(influences: FloatArray) -> float:
    """Return the number of draws that carry the variance: (Σ ψ²)² / Σ ψ⁴, from 1 to the number of draws.

    Its inverse is the relative variance of Σ ψ²: if it is small, the standard error itself is poorly known,
    as with heavy-tailed weights or a class of which few instances were drawn.
    """
    squares = influences**2
    return float(squares.sum() ** 2 / (squares**2).sum())


def reason_withheld(influences: FloatArray | None, n_labels: int, needed: LimitConditions) -> str | None:
    """Return why an interval that holds in the limit is withheld, or None if it may be shown."""
    if n_labels < needed.n_labels:
        return f"No interval before {needed.n_labels} labels: with fewer it may not hold."
    if influences is None or not np.any(influences):
        return "No interval yet: the labels so far don't show how far off the estimate can be."
    carrying = n_carrying(influences)
    if carrying < needed.n_carrying:
        return (
            f"No interval yet: most of the estimate's uncertainty comes from about {carrying:.0f} of "
            f"{n_labels} labels (a rare class, or heavy weights), and it takes {needed.n_carrying:g}."
        )
    if isfinite(needed.heaviest_tail) and tail_shape(np.abs(influences)) > needed.heaviest_tail:
        return "No interval yet: the labels that count most differ too much from the others."
    return None


UNRELIABLE = (
    "Do not rely on this interval: rare errors, larger than those drawn so far, could decide the value."
)
NO_LARGER = "It assumes that there are no errors much larger than those drawn so far."


def wald_caveat(
    influences: FloatArray | None, n_labels: int, needed: LimitConditions, possible: tuple[float, float]
) -> str | None:
    """Return what a Wald interval of a mean without limits assumes, or that it is unreliable; else None.

    Of sessions with heavy tails, at most 6 % had a wrong one that was not called unreliable. Where large
    errors are so rare that a session may meet none (0.3 to 1 %), up to 37 % had: nothing in their labels
    shows it, so the assumption is always stated.
    """
    if isfinite(possible[1] - possible[0]):
        return None
    return NO_LARGER if reason_withheld(influences, n_labels, needed) is None else UNRELIABLE


class FarthestInstance:
    """The largest distance of one instance's statistics from their mean, in the measure's unit.

    Used for means of losses, and for unbounded measures, which one instance can move as far as its label
    goes.
    """

    def __init__(self, target: Target, y_range: tuple[float, float] | None) -> None:
        self._target, self._y_range = target, y_range
        low, high = target.range
        self._is_endless = not isfinite(high - low)

    @cached_property
    def _outcomes(self) -> list[FloatArray]:
        return list(self._target.outcomes(self._y_range))

    @cached_property
    def _ends(self) -> tuple[float, float]:
        """The smallest and largest loss, or difference of losses, of any instance."""
        least, greatest = self._target.measure.loss_bounds(self._target.models, self._y_range)
        return float(least.min()), float(greatest.max())

    def deviation(
        self, gradient: FloatArray | None, center: float, influences: FloatArray | None = None
    ) -> float:
        """Return max |∇gᵀz − center| over the pool and all labels; infinite if unbounded, 0 if not used.

        Without a model and a range, it is extrapolated from the labels so far.
        """
        if self._is_endless and self._y_range is None:
            if influences is None or self._target.models[0].is_model:
                return inf
            return _TIMES_FARTHEST * influences.size * float(np.abs(influences).max())
        if gradient is None or not (self._is_endless or self._target.measure.is_risk):
            return 0.0
        if self._target.measure.is_risk:
            # z is a loss, or two models' losses: the farthest is one of the ends.
            return max(abs(end * float(gradient[0]) - center) for end in self._ends)
        return max(float(np.abs(z @ gradient - center).max()) for z in self._outcomes)


def reason_unmet(farthest: float, n_labels: int, half: float) -> str | None:
    """Return why an interval is withheld if a few instances not yet drawn could change everything, or None.

    The part of the pool that n draws may well have missed, 3/n, must not move the estimate by more than
    `half`.
    """
    if farthest * UNMET <= half * n_labels:
        return None
    if isfinite(farthest):
        return "No interval yet: a few large errors not drawn so far could make all the difference."
    return (
        "No interval: nothing limits how large an error can be, and rare large ones may not have been drawn."
    )
