"""An interval and its estimate as positions on a scale, for the panel of the estimate and for the result."""

from typing import Any

from activeeval_widgets.session.findings.plot_axes import nice_range
from activeeval_widgets.stats import Estimate
from activeeval_widgets.stats.quantities import Quantity


def scale_of(
    estimate: Estimate, ends: tuple[float, float], possible: tuple[float, float]
) -> tuple[float, float]:
    """Return the ends of a scale that changes rarely, and holds an interval and its estimate."""
    return nice_range((min(ends[0], estimate.value), max(ends[1], estimate.value)), possible)


def interval_bar(
    quantity: Quantity,
    estimate: Estimate,
    ends: tuple[float, float],
    scale: tuple[float, float],
    within: tuple[float, float] | None,
) -> dict[str, Any]:
    """Return the positions on a scale of an interval, its estimate and a narrower approximate interval."""
    low, high = scale
    null = quantity.null_value

    def share(value: float) -> float:
        return round(min(1.0, max(0.0, (value - low) / (high - low))), 4)

    return {
        "low": share(ends[0]),
        "high": share(ends[1]),
        "value": share(estimate.value),
        "zero": None if null is None or not low < null < high else share(null),
        "is_approximate": estimate.is_asymptotic and ends[0] < ends[1],
        "within": None if within is None else {"low": share(within[0]), "high": share(within[1])},
    }
