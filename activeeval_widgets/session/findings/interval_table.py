"""Tables of estimates that hold jointly, with each interval as a bar on a common scale."""

from collections.abc import Sequence
from math import ceil, floor, isfinite
from typing import Any

from activeeval_widgets.session.findings.plot_axes import round_ticks, value_ticks
from activeeval_widgets.stats import Estimate
from activeeval_widgets.stats.numbers import Numbers, formatted
from activeeval_widgets.stats.quantities import Quantity
from activeeval_widgets.stats.text import percent

_NOT_YET = "–"

_STEP = 0.05
"""The ends of the scale of shares are multiples of this."""


class Scale:
    """The common scale of the bars in a table, from the smallest to the largest known end."""

    def __init__(self, estimates: Sequence[Estimate], quantity: Quantity) -> None:
        self._quantity = quantity
        ends = [end for each in estimates for end in (each.low, each.high, each.value) if isfinite(end)]
        if quantity.null_value is not None and ends:
            ends.append(quantity.null_value)
        step = _STEP if quantity.measure.is_share else 0.0
        possible = quantity.range
        self._is_known = bool(ends) or all(map(isfinite, possible))
        if not ends:
            self._low, self._high = possible if self._is_known else (0.0, 1.0)
        elif min(ends) == max(ends):
            self._low, self._high = max(min(ends) - 0.5, possible[0]), min(max(ends) + 0.5, possible[1])
        elif step:
            self._low = step * floor(min(ends) / step + 1e-9)
            self._high = step * ceil(max(ends) / step - 1e-9)
        else:
            self._low, self._high = min(ends), max(ends)

    def content(self, *, shows_ends: bool = True) -> dict[str, Any]:
        """See `messages.from_python.IntervalScale`; the ends have no text before there are estimates."""
        # For differences, only the numbers: their values have the unit.
        quantity, ends = self._quantity, (self._low, self._high)
        unit = quantity.unit() if quantity.repeats_unit else ""
        decimals = 0 if quantity.measure.is_share else None
        texts = [
            formatted(quantity.measure, end, decimals=decimals, sign=quantity.sign) + unit for end in ends
        ]
        tick = value_ticks(quantity, max(map(abs, ends)))
        return {
            "low": self._low,
            "high": self._high,
            "ends": texts if shows_ends else ["", ""],
            "ticks": [(each, tick(each)) for each in round_ticks(*ends).tolist()] if self._is_known else [],
        }

    def _numbers(self, estimate: Estimate) -> Numbers:
        return Numbers.of(self._quantity, estimate)

    def interval(self, estimate: Estimate) -> str:
        """Return an interval in words."""
        return self._numbers(estimate).interval_or_exact(estimate)

    def at(self, value: float) -> float | None:
        """Return the position of a value, clipped to the scale; None for no value."""
        return min(max(float(value), self._low), self._high) if isfinite(value) else None

    def row(
        self,
        name: str,
        estimate: Estimate,
        *,
        note: str,
        interval: str,
        has_interval: bool,
        is_out: bool = False,
        has_line: bool = True,
    ) -> dict[str, Any]:
        """Return a row of the table; see `messages.from_python.IntervalRow`."""
        return {
            "name": name,
            "note": note,
            "value": self._numbers(estimate).value(estimate.value) if estimate.is_defined else _NOT_YET,
            "interval": interval,
            "low": self.at(estimate.low) if isfinite(estimate.low) else self._low,
            "high": self.at(estimate.high) if isfinite(estimate.high) else self._high,
            "at": self.at(estimate.value),
            "has_interval": has_interval,
            "is_out": is_out,
            "has_line": has_line,
        }


def hold_at_once(level: float, *, is_approximate: bool, what: str = "all") -> str:
    """Return the joint guarantee of intervals in words."""
    how = "Approximate " if is_approximate else ""
    return f"{how}{percent(level)} intervals for {what} at once, valid however often you look."
