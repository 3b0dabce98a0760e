"""The evidence against each value, for intervals that do not come from bets on the value itself."""

from collections.abc import Callable

import numpy as np

from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats.anytime.band import Wealth

_MOST = 1e6
"""Larger evidence is not resolved."""

_THRESHOLDS = np.geomspace(1.0, _MOST, 121)


def evidence_of_intervals(
    interval: Callable[[float], tuple[float, float]], level: float, whole: tuple[float, float]
) -> Wealth:
    """Return the evidence against each value, from the intervals at several levels."""
    own = 1 / (1 - level)
    thresholds = np.unique(np.append(_THRESHOLDS, own))
    ends = np.array([interval(each) for each in thresholds.tolist()])
    lows = np.maximum(np.minimum.accumulate(ends[:, 0]), whole[0])
    highs = np.minimum(np.maximum.accumulate(ends[:, 1]), whole[1])
    edges: FloatArray = np.concatenate([[whole[0]], lows[::-1], highs, [whole[1]]])
    # Correct for rounding: 1 − 0.95 is not exactly 0.05, but its 1/α is shown as 20.
    shown = np.where(thresholds == own, max(own, round(own, 6)), thresholds)
    won = np.concatenate([shown[::-1], [1.0], shown])
    kept = edges[1:] > edges[:-1]
    kept[thresholds.size] = True  # what no threshold excludes: a point if the value is known
    return Wealth(np.append(edges[:-1][kept], edges[1:][kept][-1]), won[kept])


def hull_below(found: Wealth, enough: float) -> tuple[float, float]:
    """Return the hull of the values with evidence below `enough`, or else with the least evidence."""
    left = np.flatnonzero(found.won < enough)
    if not left.size:
        left = np.flatnonzero(found.won == found.won.min())
    return float(found.edges[left[0]]), float(found.edges[left[-1] + 1])
