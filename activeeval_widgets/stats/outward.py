"""Ends of intervals as they are written: rounded outward, so that no bound is better than what was proven."""

from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from math import isfinite

from activeeval_widgets.stats.measures.base import Measure

_MOST = 6
"""So many decimals at the most: a bound that is nearer to 0 is written as 0."""


def outward(
    measure: Measure,
    value: float,
    *,
    up: bool,
    decimals: int | None = None,
    sign: bool = False,
    below: float | None = None,
    may_be_zero: bool = False,
) -> str:
    """A value rounded up or down, without its unit, as `Measure.format` writes it."""
    if not isfinite(value):
        return measure.format(value, sign=sign)
    factor = 100 if measure.is_share else 1
    usual = decimals
    if usual is None:
        usual = 1 if measure.is_share else 0 if abs(value) >= 100 else 3
    exact = Decimal(f"{value:.12g}") * factor  # 0.1 + 0.2 is 0.3
    for places in range(usual, max(usual, _MOST) + 1):
        step = Decimal(1).scaleb(-places)
        rounded = exact.quantize(step, rounding=ROUND_CEILING if up else ROUND_FLOOR)
        is_lost = not rounded and value != 0 and not may_be_zero
        is_too_much = below is not None and value < below and rounded >= Decimal(repr(below)) * factor
        if not is_lost and not is_too_much:
            break
    return measure.format(float(rounded / factor), decimals=places, sign=sign)
