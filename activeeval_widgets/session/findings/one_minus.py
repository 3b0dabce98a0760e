"""The complement of an estimated share."""

from dataclasses import replace
from math import isfinite, nan

from activeeval_widgets.stats import Estimate


def one_minus(found: Estimate) -> Estimate:
    """Return the estimate of 1 minus an estimated share."""

    def end(value: float) -> float:
        return 1.0 - value if isfinite(value) else nan

    return replace(
        found,
        value=end(found.value),
        low=end(found.high),
        high=end(found.low),
        approximate_low=end(found.approximate_high),
        approximate_high=end(found.approximate_low),
    )
