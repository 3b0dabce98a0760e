"""Measures and their values in words."""

from math import floor, log10

from activeeval_widgets.stats import Measure
from activeeval_widgets.stats.numbers import unit_after
from activeeval_widgets.stats.quantities import Quantity
from activeeval_widgets.stats.text import number, significant
from activeeval_widgets.widgets.wording.models import abbreviated


def format_width(measure: Measure, half_width: float) -> str:
    """Return a margin of error as text; for shares, in percentage points."""
    if measure.is_share:
        size = f"{100 * half_width:.3g}"
        return f"±{size}{unit_after(size, ' points')}"
    return f"±{significant(half_width, 3)}"


def sides_text(quantity: Quantity) -> list[str]:
    """Return the meaning of values above and below zero; empty unless the value is a difference."""
    if not quantity.sides:
        return []
    above, below = quantity.sides if quantity.measure.greater_is_better else quantity.sides[::-1]
    return [f"↑ {abbreviated(above)} better", f"↓ {abbreviated(below)} better"]


def format_round(measure: Measure, value: float, *, sign: bool = False) -> str:
    """Return a round number, such as a goal, in a measure's unit with as few digits as possible."""
    unit = "%" if measure.is_share and not sign else ""
    scaled = round(value * (100 if measure.is_share else 1), 6)
    digits = max(0, 3 - floor(log10(abs(scaled)))) if scaled else 0
    return number(scaled, digits, sign=sign, trims=True) + unit
