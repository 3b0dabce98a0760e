"""Bounds of how much a value has changed since an earlier evaluation: the wealth of both, multiplied.

If the earlier value is g, the largest wealth of bets that it is less than g is x or more with probability 1/x
at most. If the later one is at most g + m, so is that of bets that it is greater, whatever happened before.
Their product is x or more with probability (1 + log x)/x at most, and m is refuted once it is for every g. Of
two intervals, one or the other has to exclude g.

The largest wealth so far counts, not the present one, which may be chosen: the last labels can be undone, and
draws put off whose labels one knows.
"""

from collections.abc import Sequence
from math import e, inf
from typing import NamedTuple

import numpy as np
from scipy.special import lambertw

from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats.anytime.band import OneSided

LADDER = np.concatenate([2.0 ** (np.arange(1, 30) / 3), 2.0 ** np.arange(10, 21), [inf]])
"""The wealth that is told apart, above 1 and up to `MOST_EVIDENCE`: finely up to where decisions fall."""


class Rise(NamedTuple):
    """How much a value has risen since an earlier one; infinite where nothing is known.

    Attributes
    ----------
    low, high : float
        Bounds of the last value minus the earlier one.
    """

    low: float
    high: float


class SideEvidence(NamedTuple):
    """How far each largest wealth of `LADDER` reaches on both sides: compact, and never more than it was.

    Attributes
    ----------
    greater : sequence of float
        For each wealth, the value below which all candidates have as much against them; descending.
    less : sequence of float
        For each wealth, the value above which they have; ascending.
    """

    greater: list[float]
    less: list[float]

    @classmethod
    def of(cls, found: OneSided) -> "SideEvidence":
        """Return the evidence of bets on both sides."""
        least = np.minimum.accumulate(found.greater)
        greater = found.edges[np.searchsorted(-least, -LADDER, side="right")]
        least = np.minimum.accumulate(found.less[::-1])
        less = found.edges[::-1][np.searchsorted(-least, -LADDER, side="right")]
        return cls(greater.tolist(), less.tolist())

    @property
    def flipped(self) -> "SideEvidence":
        """The evidence about the negative of the value."""
        return SideEvidence([-each for each in self.less], [-each for each in self.greater])


def share_of(place: int) -> float:
    """Return the share of α for the one at a place, from 1, of which there may be any number."""
    return 1 / (place * (place + 1))


def rise_since(series: Sequence[SideEvidence], since: int, alpha: float) -> Rise:
    """Return how much a value has risen since an earlier one.

    With probability 1 − α, this is never wrong, since whichever value, however long the series gets and
    whenever one looks.

    Parameters
    ----------
    series : sequence of SideEvidence
        The evidence about each value: about earlier ones as it was before the next one's first label.
    since : int
        The position of the earlier value.
    alpha : float
        The probability of an error.

    Returns
    -------
    Rise
    """
    before, last, n = series[since], series[-1], len(series) - 1 - since
    own = alpha * share_of(since + 1) * share_of(n) / 2
    low = _least_rise(before, last, own)
    high = 0.0 - _least_rise(before.flipped, last.flipped, own)
    if low <= high:
        return Rise(low, high)
    # Bounds that contradict each other are wrong: keep what is certain.
    return Rise(last.greater[-1] - before.less[-1], last.less[-1] - before.greater[-1])


def product_needed(alpha: float) -> float:
    """Return x with (1 + log x)/x = α: two largest wealths have a product of x with this probability."""
    return float(-lambertw(-alpha / e, -1).real / alpha)


def _least_rise(before: SideEvidence, last: SideEvidence, alpha: float) -> float:
    """Return the largest m so that "the last value is greater by m at most" is refuted for all smaller m."""
    starts, ends, needed = np.array(before.less), np.array(last.greater), product_needed(alpha)
    steps = np.unique(ends[:, np.newaxis] - starts)

    def is_refuted(m: float) -> bool:
        knots = np.unique(np.append(starts, ends - m))
        g = np.concatenate([[knots[0] - 1], (knots[:-1] + knots[1:]) / 2, [knots[-1] + 1]])
        return bool((_wealth(-starts, -g) * _wealth(ends, g + m)).min() >= needed)

    # Between two steps nothing changes. The greater m, the less is refuted.
    first, last_step = 0, len(steps)
    while first < last_step:
        at = (first + last_step) // 2
        if is_refuted(steps[0] - 1 if at == 0 else (steps[at - 1] + steps[at]) / 2):
            first = at + 1
        else:
            last_step = at
    return float(steps[first - 1]) if first else -inf


def _wealth(reaches: FloatArray, values: FloatArray) -> FloatArray:
    """Return the largest wealth against values, given how far each of `LADDER` reaches upward."""
    found: FloatArray = _STEPS[np.searchsorted(-reaches, -values, side="left")]
    return found


_STEPS = np.concatenate([[1.0], LADDER])
