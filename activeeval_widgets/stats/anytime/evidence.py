"""The evidence against each value, of intervals that are not made of bets on the value itself."""

from collections.abc import Callable

import numpy as np

from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats.anytime.band import Wealth

_MOST = 1e6
"""No more evidence is told apart."""

_THRESHOLDS = np.geomspace(1.0, _MOST, 121)


def evidence_of_intervals(
    interval: Callable[[float], tuple[float, float]], level: float, whole: tuple[float, float]
) -> Wealth:
    """The evidence against each value, by the intervals at several levels."""
    own = 1 / (1 - level)
    thresholds = np.unique(np.append(_THRESHOLDS, own))
    ends = np.array([interval(each) for each in thresholds.tolist()])
    lows = np.maximum(np.minimum.accumulate(ends[:, 0]), whole[0])
    highs = np.minimum(np.maximum.accumulate(ends[:, 1]), whole[1])
    edges: FloatArray = np.concatenate([[whole[0]], lows[::-1], highs, [whole[1]]])
    # 1/α is 20 where 1 − 0.95 is not 0.05.
    told = np.where(thresholds == own, max(own, round(own, 6)), thresholds)
    won = np.concatenate([told[::-1], [1.0], told])
    kept = edges[1:] > edges[:-1]
    kept[thresholds.size] = True  # what is left of all values: a point, where the value is known
    return Wealth(np.append(edges[:-1][kept], edges[1:][kept][-1]), won[kept])


def hull_below(found: Wealth, enough: float) -> tuple[float, float]:
    """The ends of the values against which less than `enough` was won, or the least if that is more."""
    left = np.flatnonzero(found.won < enough)
    if not left.size:
        left = np.flatnonzero(found.won == found.won.min())
    return float(found.edges[left[0]]), float(found.edges[left[-1] + 1])
