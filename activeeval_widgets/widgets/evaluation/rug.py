"""Marks on the horizontal axis: crosses if they are distinguishable, else a rug of short bars."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from activeeval_widgets.stats._typing import FloatArray

_CROSS = 1 / 50
"""The width of a cross, as a share of the plot's width."""

_CROWDED = 0.25
"""A rug is drawn if more than this share of neighboring crosses overlap."""

_BAR = 1 / 400
"""The width of a bar of the rug, as a share of the plot's width."""

_HEIGHT = 0.045
"""The height of a bar, as a share of the plot's height."""


def is_crowded(x: Sequence[float], x_range: tuple[float, float]) -> bool:
    """Return whether crosses at these positions would overlap too much."""
    gaps = np.diff(np.unique(x))
    if gaps.size < 4:
        return False
    return float(np.mean(gaps < _CROSS * (x_range[1] - x_range[0]))) > _CROWDED


def rug(
    kind: str, x: Sequence[float], x_range: tuple[float, float], y_range: tuple[float, float]
) -> dict[str, Any]:
    """Return a band that consists of a short bar at each position.

    Overlapping bars are drawn once.
    """
    half = _BAR * (x_range[1] - x_range[0]) / 2
    places = np.unique(x)
    _, first = np.unique(np.floor(places / (2 * half)), return_index=True)
    places = places[first]
    high = y_range[0] + _HEIGHT * (y_range[1] - y_range[0])
    return comb(kind, places - half, places + half, y_range[0], np.full(places.size, high))


def comb(kind: str, lefts: FloatArray, rights: FloatArray, low: float, highs: FloatArray) -> dict[str, Any]:
    """Return a band that consists of bars between left and right ends, from `low` up."""
    corners = np.stack([lefts, lefts, rights, rights], axis=1)
    floor = np.full(highs.size, low)
    tops = np.stack([floor, highs, highs, floor], axis=1)
    return {
        "kind": kind,
        "x": corners.ravel().tolist(),
        "low": [low] * (4 * highs.size),
        "high": tops.ravel().tolist(),
    }
