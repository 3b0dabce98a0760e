"""Marks on the horizontal axis: crosses while each can be seen, else a rug of short bars."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from activeeval_widgets.stats._typing import FloatArray

_CROSS = 1 / 50
"""How wide a cross is, as a share of the plot's width."""

_CROWDED = 0.25
"""If more than this share of neighboring crosses overlap, a rug is drawn."""

_BAR = 1 / 400
"""How wide a bar of the rug is, as a share of the plot's width."""

_HEIGHT = 0.045
"""How high it is, as a share of the plot's height."""


def is_crowded(x: Sequence[float], x_range: tuple[float, float]) -> bool:
    """Whether crosses at these places would run into one another."""
    gaps = np.diff(np.unique(x))
    if gaps.size < 4:
        return False
    return float(np.mean(gaps < _CROSS * (x_range[1] - x_range[0]))) > _CROWDED


def rug(
    kind: str, x: Sequence[float], x_range: tuple[float, float], y_range: tuple[float, float]
) -> dict[str, Any]:
    """A band that is a short bar at each place, and nothing between them.

    Bars that would overlap are drawn once.
    """
    half = _BAR * (x_range[1] - x_range[0]) / 2
    places = np.unique(x)
    _, first = np.unique(np.floor(places / (2 * half)), return_index=True)
    places = places[first]
    high = y_range[0] + _HEIGHT * (y_range[1] - y_range[0])
    return comb(kind, places - half, places + half, y_range[0], np.full(places.size, high))


def comb(kind: str, lefts: FloatArray, rights: FloatArray, low: float, highs: FloatArray) -> dict[str, Any]:
    """A band that is a bar between each left and right end, from `low` up, and nothing between bars."""
    corners = np.stack([lefts, lefts, rights, rights], axis=1)
    floor = np.full(highs.size, low)
    tops = np.stack([floor, highs, highs, floor], axis=1)
    return {
        "kind": kind,
        "x": corners.ravel().tolist(),
        "low": [low] * (4 * highs.size),
        "high": tops.ravel().tolist(),
    }
