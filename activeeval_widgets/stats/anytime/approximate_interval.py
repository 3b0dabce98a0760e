"""The interval that holds in the limit of many labels, around an estimate at one number of them."""

from math import inf, nan
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
    error : float
        The standard error that it is made of.
    """

    low: float
    high: float
    evidence: float
    reason: str | None
    error: float = nan

    def of_estimate(self) -> dict[str, Any]:
        """The fields of an `Estimate` that tell of it."""
        low, high = (self.low, self.high) if self.reason is None else (nan, nan)
        return {
            "approximate_low": low,
            "approximate_high": high,
            "approximate_reason": self.reason,
            "approximate_error": self.error,
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
) -> Approximate:
    """The estimate ± its standard error times the boundary of all numbers of labels, where that may be shown.

    It is a function of the labels so far, and no running intersection: it may be withheld again.

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

    Returns
    -------
    Approximate

    References
    ----------
    Waudby-Smith, Arbour, Sinha, Kennedy & Ramdas, *Time-uniform central limit theory and asymptotic
    confidence sequences*, 2021, eq. 10.

    Examples
    --------
    >>> import numpy as np
    >>> from activeeval_widgets.stats.anytime.limit_conditions import ADAPTIVE
    >>> influences = 0.002 * np.resize([1.0, -1.0], 100)
    >>> found = approximate_interval(
    ...     0.5, 0.02, influences, 100, level=0.95, possible=(0.0, 1.0), needed=ADAPTIVE
    ... )
    >>> round(found.low, 3), round(found.high, 3)
    (0.439, 0.561)
    """
    scaled = max(n_labels, 1) * RHO2
    half = (standard_error * boundary(scaled, level) if standard_error > 0 else 0.0) + unevenness
    is_limited = farthest < inf
    reason = None if is_smooth else HAS_KINKS
    if reason is None and is_limited:
        reason = reason_withheld(influences, n_labels, needed)
    if reason is None:
        reason = reason_unmet(farthest, n_labels, half)
    if reason is not None:
        return Approximate(*possible, 1.0, reason)
    evidence = 1 / limit_pvalue(max(abs(value) - unevenness, 0.0), standard_error, n_labels)
    return Approximate(
        max(value - half, possible[0]), min(value + half, possible[1]), evidence, None, standard_error
    )


def limit_pvalue(value: float, standard_error: float, n_labels: int) -> float:
    """Of "the value is 0", as the interval holds: the smallest α whose interval leaves out 0; at most 1.

    Parameters
    ----------
    value, standard_error : float
        The estimate.
    n_labels : int
        From how many labels.
    """
    return 1 / max(1.0, evalue_of(n_labels * RHO2, value / standard_error, LARGEST_EXPONENT))
