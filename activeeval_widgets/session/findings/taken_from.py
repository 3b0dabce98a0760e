"""A known number minus an estimate."""

from dataclasses import replace
from math import isfinite, nan

from activeeval_widgets.stats import Estimate


def taken_from(known: float, found: Estimate) -> Estimate:
    """Return the estimate of a known number minus an estimated one."""

    def end(value: float) -> float:
        return known - value if isfinite(value) else nan

    return replace(
        found,
        value=end(found.value),
        low=end(found.high),
        high=end(found.low),
        approximate_low=end(found.approximate_high),
        approximate_high=end(found.approximate_low),
    )
