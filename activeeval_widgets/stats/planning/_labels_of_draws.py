"""The number of labels that draws cost: an instance that is drawn again needs no new one."""

from math import inf, isfinite

import numpy as np

from activeeval_widgets.stats._typing import FloatArray, IntArray

_BINS = 500
"""The number of bins into which instances are sorted by q."""


class LabelsOfDraws:
    """Count the labels that draws cost; without replacement each draw is a label."""

    def __init__(self, q: FloatArray, *, replacement: bool) -> None:
        self._q, self._replacement = q, replacement
        self._counts, self._rates = _binned(np.log1p(-np.minimum(q, 1 - 1e-12)))

    def of(self, total: float, worth: float, draws: IntArray) -> float:
        """Return how many more labels `total` draws require in all, those so far being worth `worth`."""
        known = np.unique(draws)
        left = np.count_nonzero(self._q) - known.size
        if not self._replacement:
            labels = total / (1 + total / self._q.size) - known.size if isfinite(total) else inf
        elif total <= worth:
            return 0.0
        elif isfinite(total):
            more = total - worth
            met = float(self._counts @ -np.expm1(self._rates * more))
            labels = met + float(np.expm1(np.log1p(-np.minimum(self._q[known], 1 - 1e-12)) * more).sum())
        else:
            labels = inf
        # No number of draws is enough: it takes the whole pool.
        return max(labels, 0.0) if labels < left - 0.5 else inf


def _binned(rates: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Group instances with similar rates: the number in each bin, and their mean rate."""
    drawn = rates[rates < 0]
    edges = np.linspace(np.log(-drawn).min(), np.log(-drawn).max(), _BINS)
    bins = np.searchsorted(edges, np.log(-drawn))
    counts = np.bincount(bins)
    kept = counts > 0
    return counts[kept].astype(np.float64), np.bincount(bins, weights=drawn)[kept] / counts[kept]
