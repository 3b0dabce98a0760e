"""Measures and their values in words."""

from math import floor, isfinite, log10

from activeeval_widgets.stats import Measure


def measure_name(measure: Measure) -> str:
    """A measure's name, spelled out where it is an abbreviation."""
    return measure.long_name


def is_percentage(measure: Measure) -> bool:
    """Whether a measure is shown in percent."""
    return measure.is_share


def format_value(measure: Measure, value: float, *, sign: bool = False) -> str:
    """A measure's value as it is shown: shares in percent."""
    unit = measure.unit() if isfinite(value) and not sign else ""
    return measure.format(value, sign=sign) + unit


def format_width(measure: Measure, half_width: float) -> str:
    """A margin of error as it is shown: of shares in percentage points."""
    if is_percentage(measure):
        return f"±{100 * half_width:.3g} points"
    return f"±{half_width:.3g}"


def format_difference(measure: Measure, value: float) -> str:
    """A difference of two models as it is shown: of shares in percentage points, always with its sign."""
    text = format_value(measure, value, sign=True)
    return f"{text}\N{NO-BREAK SPACE}points" if is_percentage(measure) else text


def format_round(measure: Measure, value: float, *, sign: bool = False) -> str:
    """A round number in a measure's unit, with no more digits than it takes: a goal, the end of a scale."""
    unit = "%" if is_percentage(measure) and not sign else ""
    number = round(value * (100 if is_percentage(measure) else 1), 6)
    digits = max(0, 3 - floor(log10(abs(number)))) if number else 0
    text = f"{number:{'+' if sign and number else ''},.{digits}f}"
    if digits:
        text = text.rstrip("0").rstrip(".")
    return f"{text}{unit}".replace("-", "\N{MINUS SIGN}")
