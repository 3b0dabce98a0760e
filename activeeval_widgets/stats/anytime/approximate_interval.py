"""The approximate interval around an estimate, which holds in the limit of many labels."""

from math import inf, nan, sqrt
from typing import Any, NamedTuple

from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats.anytime.asymptotic import LARGEST_EXPONENT, RHO2, boundary, evalue_of
from activeeval_widgets.stats.anytime.limit_conditions import LimitConditions, reason_unmet, reason_withheld


class Approximate(NamedTuple):
    """An interval that holds in the limit of many labels; the whole range if it is withheld."""

    low: float
    high: float
    evidence: float
    """The e-value against the value 0; 1 if withheld."""
    reason: str | None
    """Why it is withheld; None if it is shown."""
    error: float = nan
    skew: float = nan
    """The inputs to `half_widths`: the standard error and the skew."""

    def of_estimate(self) -> dict[str, Any]:
        """Return the fields of an `Estimate` for this interval."""
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
    needed: LimitConditions,
    farthest: float = 0.0,
    reason: str | None = None,
    unevenness: float = 0.0,
    skew: float = 0.0,
) -> Approximate:
    """Return the estimate ± its standard error times a boundary that holds for all numbers of labels.

    The interval is wider on the side to which a few large influences pull. The farther the value lies on that
    side, the more such influences remain to be drawn, so the variance is taken at the interval's end and not
    at the estimate, as in Wilson's interval. The interval depends on the labels so far only; it is not a
    running intersection, and may be withheld again. It is if there is a `reason`, whatever the labels.

    Waudby-Smith, Arbour, Sinha, Kennedy & Ramdas, *Time-uniform central limit theory and asymptotic
    confidence sequences*, 2021, eq. 10; Wilson, *Probable inference*, 1927.
    """
    scaled = max(n_labels, 1) * RHO2
    below, above = (each + unevenness for each in half_widths(standard_error, skew, scaled, level))
    is_limited = farthest < inf
    if reason is None and is_limited:
        reason = reason_withheld(influences, n_labels, needed)
    if reason is None:
        reason = reason_unmet(farthest, n_labels, min(below, above))
    if reason is not None:
        return Approximate(*possible, 1.0, reason)
    evidence = 1 / limit_pvalue(value, standard_error, n_labels, skew, unevenness)
    low, high = max(value - below, possible[0]), min(value + above, possible[1])
    return Approximate(low, high, evidence, None, standard_error, skew)


def limit_pvalue(value: float, standard_error: float, n_labels: int, skew: float, unevenness: float) -> float:
    """Return the p-value of "the value is 0": the smallest α whose interval excludes 0, at most 1."""
    distance = max(abs(value) - unevenness, 0.0)
    # The variance at 0, for the interval that just ends there.
    towards = sqrt(standard_error**2 + max(-skew if value > 0 else skew, 0.0) * distance)
    return 1 / max(1.0, evalue_of(max(n_labels, 1) * RHO2, distance / towards, LARGEST_EXPONENT))


def half_widths(standard_error: float, skew: float, scaled: float, level: float) -> tuple[float, float]:
    """Return how far the interval extends below and above the value."""
    below, above = (half_width(standard_error, max(sign * skew, 0.0), scaled, level) for sign in (-1.0, 1.0))
    return below, above


def half_width(standard_error: float, size: float, scaled: float, level: float) -> float:
    """Return how far the interval extends to one side: h = z sqrt(σ² + s h), with z of `boundary`."""
    if not standard_error > 0:
        return 0.0
    z = boundary(scaled, level)
    twice = z * z * size
    return (twice + sqrt(twice**2 + 4 * (z * standard_error) ** 2)) / 2


def skew_of(influences: FloatArray) -> float:
    """Return Σ ψ³ / Σ ψ²: the signed size of the influences that carry the variance.

    Suppose that errors are rare and each moves the estimate by s; the observed variance is then s² times
    their number. If fewer were drawn than expected, this variance is too small, and the value is farther off.
    """
    squares = float(influences @ influences)
    return float((influences**3).sum()) / squares if squares > 0 else 0.0
