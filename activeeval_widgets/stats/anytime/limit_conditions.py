"""What it takes for an interval to be shown that holds in the limit of many labels."""

from functools import cached_property
from math import inf, isfinite
from typing import NamedTuple

import numpy as np

from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats.anytime.tail_shape import tail_shape
from activeeval_widgets.stats.questions.target import Target

_TIMES_FARTHEST = 4.0
"""Where nothing predicts labels that are numbers, and nobody says what they can be, those that were not met
are taken to be at most so many times as far from the mean as the farthest one that was."""

UNMET = 3.0
"""With probability 95 %, n uniform draws meet a part of the pool that is 3/n or more of it."""


class Needed(NamedTuple):
    """What it takes for an interval to be shown.

    Attributes
    ----------
    n_labels : int
        So many labels: a limit says nothing about a few.
    n_carrying : float
        So many of them carry the variance; see `n_carrying`.
    heaviest_tail : float
        The tail of what labels say is of at most this shape; see `tail_shape`.
    """

    n_labels: int
    n_carrying: float
    heaviest_tail: float


WITH_REPLACEMENT = Needed(100, 25, 0.7)
"""For the weighted average of draws from one q, whose standard error is the one that is seen. From 30 on the
Matthews correlation of ten classes was missed in 11 % of sessions, watched at a nominal 5 %; from 100 on, in
4–5 %. With fewer than 25 that carry the variance the Matthews correlation, kappa, balanced accuracy and
macro-F of a rare class, or of ten classes, were missed in up to 12 % of sessions watched from 100 to 400
draws; from that number on, in 5 % at most."""

ADAPTIVE = Needed(50, 5, inf)
"""For draws that adapt, whose standard error is the greater of the one that is seen and the one that the
corrected model expects: it may be relied on earlier. `benchmarks/approximate.py` tells how often the
interval is then wrong."""

WITHOUT_END = Needed(100, 10, 0.7)
"""The same for losses that labels can make as large as they like: the model does not know their tail. With
what `ADAPTIVE` asks, the mean of Pareto and lognormal squared errors was missed in half of the sessions."""


def needed_for(possible: tuple[float, float], *, is_replaced: bool) -> Needed:
    """What it takes for an interval of a measure with this range, by how instances are drawn."""
    if is_replaced:
        return WITH_REPLACEMENT
    return ADAPTIVE if isfinite(possible[1] - possible[0]) else WITHOUT_END


HAS_KINKS = "No approximate interval: noise adds to a sum of distances, so it would not hold."
"""Of measures that are not smooth (`Measure.is_smooth`)."""


def n_carrying(influences: FloatArray) -> float:
    """By how many draws the variance is carried: (Σ ψ²)² / Σ ψ⁴, from 1 to their number.

    Its inverse is the relative variance of Σ ψ²: where it is low, the standard error itself is hardly known.
    Heavy tails of weights make it low, or a class of which few were seen.

    Parameters
    ----------
    influences : ndarray of shape (n_draws,)
        Weighted influences, not all 0.
    """
    squares = influences**2
    return float(squares.sum() ** 2 / (squares**2).sum())


def reason_withheld(influences: FloatArray | None, n_labels: int, needed: Needed) -> str | None:
    """Why an interval that holds in the limit is withheld; None where it may be shown.

    Parameters
    ----------
    influences : ndarray of shape (n_labels,), or None
        How far each label moves the estimate; None where that is not known, or none deviates.
    n_labels : int
        How many labels there are.
    needed : Needed
        What it takes.
    """
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


class FarthestInstance:
    """How far the statistics of one instance of the pool can be from their mean, in the unit of the measure.

    Asked for means of losses, and for all measures without an end, which one instance can move as far as its
    label goes.
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
        """The smallest and the largest loss, or difference of two models', of any instance."""
        least, greatest = self._target.measure.loss_bounds(self._target.models, self._y_range)
        return float(least.min()), float(greatest.max())

    def deviation(
        self, gradient: FloatArray | None, center: float, influences: FloatArray | None = None
    ) -> float:
        """max |∇gᵀz − center| over the pool and all labels; infinite where nothing limits it, 0 if not asked.

        Without a model and a range, it is taken from the labels that were met.

        Parameters
        ----------
        gradient : ndarray of shape (n_statistics,), or None
            ∇g at the mean of the statistics; None while there is none.
        center : float
            ∇gᵀ of that mean.
        influences : ndarray of shape (n_draws,), optional
            How far each draw moves the estimate.
        """
        if self._is_endless and self._y_range is None:
            if influences is None or self._target.models[0].is_model:
                return inf
            return _TIMES_FARTHEST * influences.size * float(np.abs(influences).max())
        if gradient is None or not (self._is_endless or self._target.measure.is_risk):
            return 0.0
        if self._target.measure.is_risk:
            # z is a loss, or those of two models: what is farthest is one of the ends.
            return max(abs(end * float(gradient[0]) - center) for end in self._ends)
        return max(float(np.abs(z @ gradient - center).max()) for z in self._outcomes)


def reason_unmet(farthest: float, n_labels: int, half: float) -> str | None:
    """Why it is withheld where a few instances that were not met could make all the difference; or None.

    What n draws have most likely not met, 3/n of the pool, must not move the estimate by more than `half`.
    """
    if farthest * UNMET <= half * n_labels:
        return None
    if isfinite(farthest):
        return "No interval yet: a few large errors not drawn so far could make all the difference."
    return (
        "No interval: nothing limits how large an error can be, and rare large ones may not have been drawn."
    )
