"""An interval and its estimate as positions on a scale, for the panel of the estimate and for the result."""

from math import isfinite, isnan
from typing import Any

from activeeval_widgets.session.findings.plot_axes import nice_range
from activeeval_widgets.stats import Estimate
from activeeval_widgets.stats.quantities import Quantity
from activeeval_widgets.widgets.wording.measures import format_round


def interval_bar(
    quantity: Quantity,
    estimate: Estimate,
    ends: tuple[float, float],
    possible: tuple[float, float],
    within: tuple[float, float] | None,
) -> dict[str, Any]:
    """Return the positions of an interval, its estimate and a narrower one on a scale that changes rarely."""
    shown = (min(ends[0], estimate.value), max(ends[1], estimate.value))
    if isnan(ends[0]):
        # The interval is withheld: show only the estimate, among all possible values.
        ends = estimate.value, estimate.value
        shown = possible if isfinite(possible[1] - possible[0]) else ends
    low, high = nice_range(shown, possible)
    null = quantity.null_value

    def share(value: float) -> float:
        return round(min(1.0, max(0.0, (value - low) / (high - low))), 4)

    return {
        "ends": [
            format_round(quantity.measure, float(f"{end:.2g}"), sign=quantity.sign) for end in (low, high)
        ],
        "low": share(ends[0]),
        "high": share(ends[1]),
        "value": share(estimate.value),
        "zero": None if null is None or not low < null < high else share(null),
        "is_approximate": estimate.is_asymptotic and ends[0] < ends[1],
        "within": None if within is None else {"low": share(within[0]), "high": share(within[1])},
    }
