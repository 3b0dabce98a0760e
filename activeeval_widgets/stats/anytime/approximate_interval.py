"""The interval that holds in the limit of many labels, around an estimate at one number of them."""

from math import inf, nan, sqrt
from typing import Any, NamedTuple

from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats.anytime.asymptotic import LARGEST_EXPONENT, RHO2, boundary, evalue_of
from activeeval_widgets.stats.anytime.limit_conditions import HAS_KINKS, Needed, reason_unmet, reason_withheld


class Approximate(NamedTuple):
    """An interval that holds in the limit of many labels.

    Attributes
    ----------
    low, high : float
        Its ends; the whole range where it is withheld.
    evidence : float
        The e-value against the value 0; 1 where it is withheld.
    reason : str, or None
        Why it is withheld; None where it is shown.
    error, skew : float
        What it is made of; see `approximate_interval`.
    """

    low: float
    high: float
    evidence: float
    reason: str | None
    error: float = nan
    skew: float = nan

    def of_estimate(self) -> dict[str, Any]:
        """The fields of an `Estimate` that tell of it."""
        low, high = (self.low, self.high) if self.reason is None else (nan, nan)
        return {
            "approximate_low": low,
            "approximate_high": high,
            "approximate_reason": self.reason,
            "approximate_error": self.error,
            "approximate_skew": self.skew,
        }


def approximate_interval(
    value: float,
    standard_error: float,
    influences: FloatArray | None,
    n_labels: int,
    *,
    level: float,
    possible: tuple[float, float],
    needed: Needed,
    farthest: float = 0.0,
    is_smooth: bool = True,
    unevenness: float = 0.0,
    skew: float = 0.0,
) -> Approximate:
    """The estimate ± its standard error times the boundary of all numbers of labels, where that may be shown.

    On the side that a few large influences pull to it is wider: the farther the value is on that side, the
    more of them there are to meet, so the variance there is the one at the end of the interval and not at the
    estimate, as in Wilson's. It is a function of the labels so far, and no running intersection: it may be
    withheld again.

    Parameters
    ----------
    value, standard_error : float
        The estimate.
    influences : ndarray of shape (n_labels,), or None
        How far each label moves it, which is what the standard error is made of; None where that is not
        known, or no label deviates.
    n_labels : int
        How many labels there are.
    level : float
        1 − α.
    possible : tuple of two floats
        The measure's range.
    needed : Needed
        What it takes.
    farthest : float
        How far the loss of one instance can be from the value, infinite where nothing limits it; see
        `reason_unmet`. 0 where that is not asked.
    is_smooth : bool
        `Target.is_smooth`; where it is not, nothing is shown.
    unevenness : float
        By how much the value may be off besides; see `Measure.unevenness`.
    skew : float
        The size of the influences that carry the variance, with the sign of the side; see `skew_of`.

    References
    ----------
    Waudby-Smith, Arbour, Sinha, Kennedy & Ramdas, *Time-uniform central limit theory and asymptotic
    confidence sequences*, 2021, eq. 10; Wilson, *Probable inference*, 1927.
    """
    scaled = max(n_labels, 1) * RHO2
    below, above = (each + unevenness for each in half_widths(standard_error, skew, scaled, level))
    is_limited = farthest < inf
    reason = None if is_smooth else HAS_KINKS
    if reason is None and is_limited:
        reason = reason_withheld(influences, n_labels, needed)
    if reason is None:
        reason = reason_unmet(farthest, n_labels, min(below, above))
    if reason is not None:
        return Approximate(*possible, 1.0, reason)
    evidence = 1 / limit_pvalue(value, standard_error, n_labels, skew, unevenness)
    low, high = max(value - below, possible[0]), min(value + above, possible[1])
    return Approximate(low, high, evidence, None, standard_error, skew)


def limit_pvalue(
    value: float, standard_error: float, n_labels: int, skew: float = 0.0, unevenness: float = 0.0
) -> float:
    """Of "the value is 0", as the interval holds: the smallest α whose interval leaves out 0; at most 1."""
    distance = max(abs(value) - unevenness, 0.0)
    # Where the interval just ends at 0, this is the variance there.
    towards = sqrt(standard_error**2 + max(-skew if value > 0 else skew, 0.0) * distance)
    return 1 / max(1.0, evalue_of(max(n_labels, 1) * RHO2, distance / towards, LARGEST_EXPONENT))


def half_widths(standard_error: float, skew: float, scaled: float, level: float) -> tuple[float, float]:
    """How far the interval goes below the value and above it: `half_width` of each side."""
    below, above = (half_width(standard_error, max(sign * skew, 0.0), scaled, level) for sign in (-1.0, 1.0))
    return below, above


def half_width(standard_error: float, size: float, scaled: float, level: float) -> float:
    """How far the interval goes on one side: h = z sqrt(σ² + s h), with z of `boundary`."""
    if not standard_error > 0:
        return 0.0
    z = boundary(scaled, level)
    twice = z * z * size
    return (twice + sqrt(twice**2 + 4 * (z * standard_error) ** 2)) / 2


def skew_of(influences: FloatArray) -> float:
    """Σ ψ³ / Σ ψ²: the size of the influences that carry the variance, as far as they are of one sign.

    Where errors are seldom and move the estimate by s each, the variance seen is s² times their number. If
    fewer were met than there are, the variance is too small as well, and the value is farther off.

    Parameters
    ----------
    influences : ndarray of shape (n_draws,)
        How far each draw moves the estimate.
    """
    squares = float(influences @ influences)
    return float((influences**3).sum()) / squares if squares > 0 else 0.0
