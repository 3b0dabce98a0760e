"""The parts of a curve that have bands."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from activeeval_widgets.stats._typing import FloatArray

_NARROWER = 0.9
"""An approximate band is drawn if its width is at most this share of the guaranteed one's."""


def from_where_narrower(band: FloatArray, approximate: FloatArray) -> FloatArray:
    """Return the approximate ends from where they stay clearly narrower than the others; NaN before."""
    with np.errstate(invalid="ignore"):
        is_narrow = approximate[1] - approximate[0] <= _NARROWER * (band[1] - band[0])
    is_wide = np.isfinite(approximate[0]) & ~is_narrow
    start = int(np.flatnonzero(is_wide)[-1]) + 1 if is_wide.any() else 0
    found = approximate.copy()
    found[:, :start] = np.nan
    return found


def runs(kind: str, x: Sequence[float], ends: FloatArray) -> list[dict[str, Any]]:
    """Return a band for each run of estimates that have one."""
    shown = np.flatnonzero(np.isfinite(ends).all(axis=0)) if x else np.empty(0, dtype=np.intp)
    runs = np.split(shown, np.flatnonzero(np.diff(shown) > 1) + 1)
    return [
        {
            "kind": kind,
            "x": [x[i] for i in run.tolist()],
            "low": ends[0, run].tolist(),
            "high": ends[1, run].tolist(),
        }
        for run in runs
        if run.size
    ]
