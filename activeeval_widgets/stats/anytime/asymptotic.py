"""Asymptotic confidence sequences of weighted statistics, valid at all numbers of draws at once."""

from copy import copy
from math import exp, inf, isfinite, log, nan, sqrt
from typing import Any, Self

import numpy as np

from activeeval_widgets.stats._typing import BoolArray, FloatArray, IntArray
from activeeval_widgets.stats.anytime.growing_rows import GrowingRows
from activeeval_widgets.stats.anytime.limit_conditions import WITH_REPLACEMENT, reason_withheld
from activeeval_widgets.stats.questions.target import Target

_TIGHTEST = 100
"""The approximate number of draws at which the sequence is tightest."""

_ALPHA = 0.05
"""The level for which it is tightest at `_TIGHTEST` draws; it is valid at all levels."""

RHO2 = (-2 * log(_ALPHA) + log(1 - 2 * log(_ALPHA))) / _TIGHTEST

LARGEST_EXPONENT = 700.0
"""The exponential of a larger number is not a double."""


def boundary(scaled: float, level: float) -> float:
    """Return half the interval's width in standard errors; see `AsymptoticSequence`."""
    return sqrt((1 + 1 / scaled) * log((scaled + 1) / (1 - level) ** 2))


def evalue_of(scaled: float, deviation: float, most: float = inf) -> float:
    """Return 1/α of the interval that just excludes a value this many standard errors away."""
    exponent = min(scaled / (scaled + 1) * deviation**2 / 2, most)
    return exp(exponent) / sqrt(scaled + 1) if exponent <= LARGEST_EXPONENT else inf


def standard_errors(n_draws: float, level: float) -> float:
    """Return half the width after `n_draws` draws in standard errors; infinite while it is withheld."""
    if n_draws < WITH_REPLACEMENT.n_labels:
        return inf
    return boundary(n_draws * RHO2, level)


def influences_of(target: Target, z: FloatArray, weights: FloatArray) -> tuple[FloatArray, FloatArray, float]:
    """Return how far each draw moves the self-normalized estimate, v ∇gᵀ(z − E z)/Σ v; ∇g, and ∇gᵀ E z."""
    total = weights.sum()
    mean = weights @ z / total
    gradient = target.gradient(mean)
    center = float(mean @ gradient)
    return weights * (z @ gradient - center) / total, gradient, center


def is_variance(square: float, rows: GrowingRows, combined: FloatArray) -> bool:
    """Return whether Σ ψ² exceeds the rounding error of ψ = rows · combined."""
    # Cauchy's inequality costs nothing and mostly decides.
    if square > 1e-12 * rows.squares * float(combined @ combined):
        return True
    size = np.abs(rows.rows) @ np.abs(combined)
    return square > 1e-12 * float(size @ size)


class AsymptoticSequence:
    """The self-normalized estimate and its standard error, draw by draw, for any target.

    Waudby-Smith, Arbour, Sinha, Kennedy & Ramdas, *Time-uniform central limit theory and asymptotic
    confidence sequences*, 2021, eq. 10, with the influences as observations. There is no interval while there
    is a `reason`.
    """

    def __init__(self, target: Target, q: FloatArray) -> None:
        self._target, self._q = target, q
        target.rest_share(q)
        self.restart()

    def restart(self) -> None:
        """Discard all draws."""
        self._rows = GrowingRows()
        self._total: Any = 0.0
        self._value = self._error = nan
        self.reason: str | None = reason_withheld(None, 0, WITH_REPLACEMENT)

    def copy(self) -> Self:
        """Return a copy that can be continued independently."""
        made = copy(self)
        made._rows = self._rows.copy()
        return made

    def rows(self, z: FloatArray, draws: IntArray, labeled: BoolArray | None = None) -> FloatArray:
        """Return v and v z of draws with statistics z, or 0 without a label; (n_draws, 1 + n_statistics)."""
        weights = 1 / (self._q.size * self._q[draws])
        if labeled is not None:
            weights = weights * labeled
        return weights[:, np.newaxis] * np.column_stack([np.ones(len(z)), z])

    def update(self, row: FloatArray) -> None:
        """Add one row of `rows`."""
        if row[0] == 0:
            # The other draws are a sample of what can be labeled.
            return
        self._rows.append(row)
        self._total = self._total + row
        n_draws, known = len(self._rows), None
        mean = self._total[1:] / self._total[0]
        self._value, self._error = float(self._target.g(mean)), nan
        if n_draws >= WITH_REPLACEMENT.n_labels and isfinite(self._value):
            gradient = self._target.gradient(mean)
            combined = np.concatenate([[-gradient @ mean], gradient])
            influences = self._rows.rows @ combined
            square = float(influences @ influences)
            if is_variance(square, self._rows, combined):
                known = influences
                self._error = sqrt(square) / self._total[0]
        self.reason = reason_withheld(known, n_draws, WITH_REPLACEMENT)

    def interval(self, level: float) -> tuple[float, float]:
        """Return the estimate ± error · sqrt((1 + 1/(nρ²)) log((nρ² + 1)/α²)), within the range."""
        least, greatest = self._target.range
        if self.reason is not None:
            return least, greatest
        half = self._error * standard_errors(len(self._rows), level)
        return max(self._value - half, least), min(self._value + half, greatest)

    def evidence(self, value: float, side: float) -> float:
        """Return the e-value against "not on that side of `value`"; 1 if nothing can be said."""
        if self.reason is not None:
            return 1.0
        scaled = len(self._rows) * RHO2
        deviation = side * (self._value - value) / self._error
        if deviation <= 0:
            return 0.0
        return evalue_of(scaled, deviation)
