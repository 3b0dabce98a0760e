"""Weighted statistics, and what their limit allows to say at all numbers of draws at once."""

from copy import copy
from math import exp, inf, isfinite, log, nan, sqrt
from typing import Any, Self

import numpy as np

from activeeval_widgets.stats._typing import BoolArray, FloatArray, IntArray
from activeeval_widgets.stats.anytime.growing_rows import GrowingRows
from activeeval_widgets.stats.anytime.limit_conditions import WITH_REPLACEMENT, reason_withheld
from activeeval_widgets.stats.questions.target import Target

_TIGHTEST = 100
"""For about how many draws the sequence is tightest."""

_ALPHA = 0.05
"""The level at which it is tightest for `_TIGHTEST` draws; it holds at all levels."""

RHO2 = (-2 * log(_ALPHA) + log(1 - 2 * log(_ALPHA))) / _TIGHTEST

LARGEST_EXPONENT = 700.0
"""exp of more than this is not a double."""


def boundary(scaled: float, level: float) -> float:
    """Half of the interval's width in standard errors: sqrt((1 + 1/s) log((s + 1)/α²)).

    References
    ----------
    Waudby-Smith, Arbour, Sinha, Kennedy & Ramdas, *Time-uniform central limit theory and asymptotic
    confidence sequences*, 2021, eq. 10.
    """
    return sqrt((1 + 1 / scaled) * log((scaled + 1) / (1 - level) ** 2))


def evalue_of(scaled: float, deviation: float, most: float = inf) -> float:
    """The inverse of the α whose interval just leaves out what is this many standard errors away."""
    exponent = min(scaled / (scaled + 1) * deviation**2 / 2, most)
    return exp(exponent) / sqrt(scaled + 1) if exponent <= LARGEST_EXPONENT else inf


def standard_errors(n_draws: float, level: float) -> float:
    """Half of the width after `n_draws` draws, in standard errors; infinite while nothing is said."""
    if n_draws < WITH_REPLACEMENT.n_labels:
        return inf
    return boundary(n_draws * RHO2, level)


def influences_of(target: Target, z: FloatArray, weights: FloatArray) -> tuple[FloatArray, FloatArray, float]:
    """How far each weighted draw moves the self-normalized estimate: v ∇gᵀ(z − E z)/Σ v.

    Parameters
    ----------
    target : Target
        What is estimated.
    z : ndarray of shape (n_draws, n_statistics)
        What the labels say.
    weights : ndarray of shape (n_draws,)
        v = p/q.
    """
    total = weights.sum()
    mean = weights @ z / total
    gradient = target.gradient(mean)
    center = float(mean @ gradient)
    return weights * (z @ gradient - center) / total, gradient, center


def is_variance(square: float, rows: GrowingRows, combined: FloatArray) -> bool:
    """Whether Σ ψ² is more than what is left of cancellation in ψ = rows · combined."""
    # By Cauchy's inequality first, which takes no time and mostly settles it.
    if square > 1e-12 * rows.squares * float(combined @ combined):
        return True
    size = np.abs(rows.rows) @ np.abs(combined)
    return square > 1e-12 * float(size @ size)


class AsymptoticSequence:
    """The self-normalized estimate and its standard error, draw by draw.

    Parameters
    ----------
    target : Target
        What is estimated: any measure, or the difference of two models in it.
    q : ndarray of shape (n_instances,)
        The instrumental distribution.

    Attributes
    ----------
    reason : str, or None
        Why nothing is said; None where something is.

    References
    ----------
    Waudby-Smith, Arbour, Sinha, Kennedy & Ramdas, *Time-uniform central limit theory and asymptotic
    confidence sequences*, 2021, eq. 10, with the influences as observations.
    """

    def __init__(self, target: Target, q: FloatArray) -> None:
        self._target, self._q = target, q
        target.rest_share(q)
        self.restart()

    def restart(self) -> None:
        """Forget all draws."""
        self._rows = GrowingRows()
        self._total: Any = 0.0
        self._value = self._error = nan
        self.reason: str | None = reason_withheld(None, 0, WITH_REPLACEMENT)

    def copy(self) -> Self:
        """The sequence as it is now, to go on with from here."""
        made = copy(self)
        made._rows = self._rows.copy()
        return made

    def rows(self, z: FloatArray, draws: IntArray, labeled: BoolArray | None = None) -> FloatArray:
        """v and v z of draws with statistics z, or 0 without a label; (n_draws, 1 + n_statistics)."""
        weights = 1 / (self._q.size * self._q[draws])
        if labeled is not None:
            weights = weights * labeled
        return weights[:, np.newaxis] * np.column_stack([np.ones(len(z)), z])

    def update(self, row: FloatArray) -> None:
        """Add one of `rows`."""
        if row[0] == 0:
            # What is left is a sample of what can be labeled.
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
        """The estimate ± standard error · sqrt((1 + 1/(nρ²)) log((nρ² + 1)/α²)), within the range."""
        least, greatest = self._target.range
        if self.reason is not None:
            return least, greatest
        half = self._error * standard_errors(len(self._rows), level)
        return max(self._value - half, least), min(self._value + half, greatest)

    def evidence(self, value: float, side: float) -> float:
        """The e-value against "not on that side of `value`", whose inverse is the α that just excludes it.

        1 where nothing can be said.
        """
        if self.reason is not None:
            return 1.0
        scaled = len(self._rows) * RHO2
        deviation = side * (self._value - value) / self._error
        if deviation <= 0:
            return 0.0
        return evalue_of(scaled, deviation)
