"""Measures and their values in words."""

from math import floor, log10

from activeeval_widgets.stats import Measure
from activeeval_widgets.stats.quantities import Quantity
from activeeval_widgets.stats.text import number


def format_width(measure: Measure, half_width: float) -> str:
    """A margin of error as it is shown: of shares in percentage points."""
    if measure.is_share:
        return f"±{100 * half_width:.3g} points"
    return f"±{half_width:.3g}"


def sides_text(quantity: Quantity) -> list[str]:
    """What it means to be above zero, and below; nothing where the value is no difference."""
    if not quantity.sides:
        return []
    above, below = quantity.sides if quantity.measure.greater_is_better else quantity.sides[::-1]
    return [f"↑ {above} better", f"↓ {below} better"]


def format_round(measure: Measure, value: float, *, sign: bool = False) -> str:
    """A round number in a measure's unit, with no more digits than it takes: a goal, the end of a scale."""
    unit = "%" if measure.is_share and not sign else ""
    scaled = round(value * (100 if measure.is_share else 1), 6)
    digits = max(0, 3 - floor(log10(abs(scaled)))) if scaled else 0
    return number(scaled, digits, sign=sign, trims=True) + unit
