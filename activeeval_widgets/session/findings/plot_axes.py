"""Common parts of plots: axes, and the choice of points to show."""

from collections.abc import Callable, Sequence
from math import ceil, floor, log2, log10
from typing import Any

import numpy as np

from activeeval_widgets.stats._typing import FloatArray, IntArray
from activeeval_widgets.stats.quantities import Quantity
from activeeval_widgets.stats.text import number

MAX_POINTS = 200
"""The largest number of points at which the estimate is computed."""

MAX_MARKS = 400
"""The largest number of labeled instances that are marked, the latest ones."""

MAX_MODELS = 8
"""The largest number of models with their own color in a plot."""

_MAX_TICKS = 6

_MIN_SPAN = 1e-3
"""The smallest extent of an axis, as a share of the possible range: a tenth of a percentage point."""


def axis(
    low: float,
    high: float,
    ticks: Sequence[float] | FloatArray,
    text: Callable[[float], str],
    **options: Any,
) -> dict[str, Any]:
    """Return an axis as the page draws it."""
    written = [[float(tick), text(float(tick))] for tick in ticks]
    return {"low": float(low), "high": float(high), "ticks": written, **options}


def thin(n: int) -> IntArray:
    """Return at most `MAX_POINTS` numbers from 0 to n, with both ends; a larger n keeps or drops them."""
    if n == 0:
        return np.empty(0, dtype=np.intp)
    step = 1
    while n // step + 2 > MAX_POINTS:
        step *= 2
    return np.unique(np.append(np.arange(0, n, step, dtype=np.intp), n))


def step_up(value: float, steps: list[float]) -> float:
    """Return the smallest step that is at least `value`, or the last; axes that grow in steps jump rarely."""
    return next((step for step in steps if step >= value), steps[-1])


def round_step(span: float, most: float) -> float:
    """Return the smallest of 1, 2, 5, 10, … that divides a span into about `most` parts or fewer."""
    unit = 10.0 ** np.floor(np.log10(span / most))
    return float(next(factor * unit for factor in (1, 2, 5, 10, 20) if span / (factor * unit) < most + 0.5))


def round_ticks(low: float, high: float) -> FloatArray:
    """Return about five round numbers between the two."""
    step = round_step(high - low, _MAX_TICKS)
    # Adding 0 turns -0 into 0.
    ticks: FloatArray = np.arange(np.ceil(low / step - 1e-9), np.floor(high / step + 1e-9) + 1) * step + 0.0
    return ticks


_THOUSANDS = ((1e9, "B"), (1e6, "M"), (1e3, "k"))

_MIN_SHORTENED = 10_000


def number_text(largest: float) -> Callable[[float], str]:
    """Return the format of numbers on an axis with this largest number: 2,500, 100k, 2.5M, 0.0001."""
    unit, suffix = 1.0, ""
    if largest >= _MIN_SHORTENED:
        unit, suffix = next(each for each in _THOUSANDS if largest >= each[0])

    def text(value: float) -> str:
        scaled = value / unit
        digits = 0 if not scaled else min(max(0, 5 - floor(log10(abs(scaled)))), 15)
        return number(scaled, digits, trims=True) + (suffix if scaled else "")

    return text


def value_ticks(quantity: Quantity, largest: float) -> Callable[[float], str]:
    """Return the format of tick labels on an axis whose largest value is `largest`."""
    is_share = quantity.measure.is_share
    text_of = number_text(largest * (100 if is_share else 1))

    def text(value: float) -> str:
        plus = "+" if quantity.sign and value > 0 else ""
        unit = "%" if is_share and quantity.repeats_unit else ""
        return f"{plus}{text_of(round(value * (100 if is_share else 1), 9))}{unit}"

    return text


def nice_range(shown: tuple[float, float], possible: tuple[float, float]) -> tuple[float, float]:
    """Return ends of an axis that contain what is shown, in steps, so that the axis jumps rarely."""
    smallest, largest = possible
    low, high = (end if np.isfinite(end) else limit for end, limit in zip(shown, possible, strict=True))
    if smallest == -largest:
        reach = _round_up(max(abs(low), abs(high)), largest)
        return -reach, reach
    if np.isfinite(largest) and (not np.isfinite(smallest) or (low - smallest) > (largest - high)):
        return largest - _round_up(largest - low, largest - smallest), largest
    return smallest, smallest + _round_up(high - smallest, largest - smallest)


def _round_up(extent: float, largest: float) -> float:
    """Return the smallest round number with room above `extent`, at most `largest`."""
    if not np.isfinite(extent):
        return largest if np.isfinite(largest) else 1.0
    if not extent and not np.isfinite(largest):
        return 1.0
    extent = max(1.05 * extent, _MIN_SPAN * largest if np.isfinite(largest) else 0.0)
    unit = 10.0 ** np.floor(np.log10(extent))
    return float(min(largest, next(s * unit for s in (1, 2, 3, 5, 7.5, 10) if s * unit >= extent)))


# -- multiples, on a logarithmic axis ---------------------------------------------------------------------

MIN_MULTIPLE = 1 / 64
"""Smaller multiples are shown at the lower end."""

_FRACTIONS = {0.5: "½", 0.25: "¼", 0.125: "⅛"}


def multiples_range(smallest: float, largest: float) -> tuple[float, float]:
    """Return powers of 2 as the ends of a logarithmic axis that contains multiples, with 1 inside."""
    low = max(min(smallest, 1.0), MIN_MULTIPLE)
    high = max(largest, 1.0)
    return 2.0 ** min(-1, floor(log2(low) + 1e-9)), 2.0 ** max(1, ceil(log2(1.1 * high) - 1e-9))


def multiples_ticks(low: float, high: float) -> list[float]:
    """Return a few powers of 2 between the two, or of 10 over a wide range, including 1."""
    for base, step in ((2, 1), (2, 2), (10, 1), (10, 2), (10, 4)):
        reach = log2(high) if base == 2 else log10(high)
        depth = log2(low) if base == 2 else log10(low)
        powers = [p for p in range(floor(depth) - 1, ceil(reach) + 2) if p % step == 0]
        ticks = [float(base) ** p for p in powers if depth - 1e-9 <= p <= reach + 1e-9]
        if len(ticks) <= _MAX_TICKS:
            break
    return ticks


def multiple_tick(value: float) -> str:
    """Return a power of 2 or 10 as a tick label: ¼×, 1×, 4×."""
    if value >= 1:
        return f"{value:,.0f}×"
    return f"{_FRACTIONS.get(value, f'1/{1 / value:,.0f}')}×"


def multiple_text(value: float) -> str:
    """Return how often something is drawn, as a multiple of uniform draws: 1.9×."""
    if value >= 100:
        return f"{value:,.0f}×"
    return f"{value:.1f}×" if value >= 1 else f"{value:.2g}×"


def model_kinds(positions: Sequence[int]) -> dict[int, str]:
    """Return a color for each model by its position; it stays the same while there are enough colors."""
    free = [i for i in range(MAX_MODELS) if i not in positions]
    places = {each: each if each < MAX_MODELS else free.pop(0) for each in positions}
    return {position: f"model-{place + 1}" for position, place in places.items()}
