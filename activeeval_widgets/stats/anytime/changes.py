"""Evidence that a value has risen since an earlier evaluation: the wealth of both, multiplied.

If the earlier value is g, a bet that it is less than g is an e-value; if a later one is at most g + m, a bet
that it is greater is one as well, given all that happened before. So is the product, and m is refuted once
that is 1/α for every g. Of two intervals, one or the other has to exclude g.
"""

from collections.abc import Sequence
from math import inf
from typing import NamedTuple

import numpy as np

from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats.anytime.band import OneSided

LADDER = np.concatenate([2.0 ** (np.arange(-12, 30) / 3), 2.0 ** np.arange(10, 21), [inf]])
"""The wealth that is told apart, up to `MOST_EVIDENCE`: finely up to where decisions fall."""

_AT_STAKE, _AT_STAKE_LATER = 0.9, 0.5
"""The shares of the wealth that are bet on the earlier value and on each later one: the rest can't be lost.
Of 0.5 to 0.95 for both, these found most rises of an error rate from 10 to 30 %."""

_EVER, _LOW, _HIGH = 0.7, 0.1, 0.2
"""The shares of α for the bounds of a `Rise`."""


class Rise(NamedTuple):
    """How much a value has risen since an earlier one; infinite where nothing is known.

    Attributes
    ----------
    ever : float
        At least one value since is greater by this or more. Evidence adds up over all of them; if the last
        one is known not to be greater by as much, it is −inf.
    low, high : float
        Bounds for the last value.
    """

    ever: float
    low: float
    high: float


class SideEvidence(NamedTuple):
    """How far each wealth of `LADDER` reaches, on both sides: compact, and never more than the wealth itself.

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

    With probability 1 − α, this is never wrong, for no earlier value, however long the series gets and
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
    before, later = series[since], series[since + 1 :]
    last, n = later[-1:], len(later)
    own, shares = alpha * share_of(since + 1), [share_of(place) for place in range(1, n + 1)]
    ever = _least_rise(before, later, shares, 1 / (n + 1), _EVER * own)
    low = _least_rise(before, last, [1.0], 0.0, _LOW * own * share_of(n))
    high = 0.0 - _least_rise(before.flipped, [last[0].flipped], [1.0], 0.0, _HIGH * own * share_of(n))
    if n == 1:
        low = ever = max(low, ever)
    return Rise(-inf if ever > high else ever, low, high)


def _least_rise(
    before: SideEvidence, later: Sequence[SideEvidence], weights: Sequence[float], rest: float, alpha: float
) -> float:
    """Return the largest m so that "no later value is greater by more than m" is refuted for all smaller m.

    The bet is a mixture over the first of the later values that it goes on; `rest` is not bet yet.
    """
    starts = np.array(before.less)
    ends = np.array([each.greater for each in later])
    steps = np.unique(ends.ravel()[:, np.newaxis] - starts)

    def is_refuted(m: float) -> bool:
        knots = np.unique(np.append(starts, ends - m))
        g = np.concatenate([[knots[0] - 1], (knots[:-1] + knots[1:]) / 2, [knots[-1] + 1]])
        won, total = _bet(_wealth(-starts, -g), _AT_STAKE), np.zeros(g.size)
        for weight, each in zip(weights, ends, strict=True):
            total = (total + weight) * _bet(_wealth(each, g + m), _AT_STAKE_LATER)
        return bool((won * (rest + total)).min() >= 1 / alpha)

    # Between two steps nothing changes. The greater m, the less is refuted.
    first, last = 0, len(steps)
    while first < last:
        at = (first + last) // 2
        if is_refuted(steps[0] - 1 if at == 0 else (steps[at - 1] + steps[at]) / 2):
            first = at + 1
        else:
            last = at
    return float(steps[first - 1]) if first else -inf


def _bet(wealth: FloatArray, share: float) -> FloatArray:
    return 1 - share + share * wealth


def _wealth(reaches: FloatArray, values: FloatArray) -> FloatArray:
    """Return the wealth against values, given how far each of `LADDER` reaches upward."""
    found: FloatArray = _STEPS[np.searchsorted(-reaches, -values, side="left")]
    return found


_STEPS = np.concatenate([[0.0], LADDER])
