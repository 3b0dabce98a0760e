"""Formatting of a measure's values: shares in percent, with the digits that the interval justifies."""

from collections.abc import Iterable
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from functools import partial
from math import floor, isfinite, log10, nan
from typing import Protocol, Self

from activeeval_widgets.stats.measures.base import Measure
from activeeval_widgets.stats.quantities import Quantity
from activeeval_widgets.stats.text import number, significant, with_blank, with_minus

_MOST = 6
"""The largest number of decimals; a bound closer to 0 is written as 0."""


class Estimated(Protocol):
    """The parts of an estimate that are written."""

    @property
    def value(self) -> float:
        """The estimate."""

    @property
    def standard_error(self) -> float:
        """Its standard error."""

    @property
    def low(self) -> float:
        """The lower end of its interval."""

    @property
    def high(self) -> float:
        """The upper end."""

    @property
    def withheld(self) -> bool:
        """Whether the interval is the whole range."""


class Numbers:
    """Write values of one measure, for the page, reports and the terminal alike.

    The number of decimals leaves two digits of `spread`, half the width of an interval or a standard error.
    Without a spread it is the measure's usual number. `apart` are values that decide something, such as a
    goal's: no end of an interval is rounded to one of them, as it would deny what was decided.
    """

    def __init__(
        self,
        quantity: Quantity,
        spread: float = nan,
        *,
        unit: str | None = None,
        apart: Iterable[float] = (),
    ) -> None:
        self._quantity, self._measure = quantity, quantity.measure
        self._apart = (*apart, *([] if quantity.null_value is None else [quantity.null_value]))
        self.label_unit = unit
        """The unit of the labels, if it is known."""
        self.unit = quantity.unit(unit)
        """The unit that follows a number, with a space before it if needed."""
        self._decimals = self._decimals_for(spread)

    def _decimals_for(self, spread: float) -> int | None:
        if not isfinite(spread) or spread <= 0:
            return None
        digits = 1 - floor(log10(spread * (100 if self._measure.is_share else 1)))
        return min(max(digits, 0), _MOST)

    @classmethod
    def of(
        cls,
        quantity: Quantity,
        found: Estimated,
        *,
        unit: str | None = None,
        apart: Iterable[float] = (),
    ) -> Self:
        """Return the format for an estimate, by its interval or, failing that, its standard error."""
        half = (found.high - found.low) / 2
        spread = found.standard_error if found.withheld or not isfinite(half) else half
        return cls(quantity, spread, unit=unit, apart=apart)

    def value(self, value: float) -> str:
        """Return a value with its unit; a difference with its sign."""
        text = self.plain(value, sign=self._quantity.sign)
        return self.with_unit(text) if isfinite(value) else text

    def size(self, value: float) -> str:
        """Return the size of a value with its unit, without a sign."""
        text = self.plain(abs(value))
        return self.with_unit(text) if isfinite(value) else text

    def bound(self, size: float, *, up: bool) -> str:
        """Return a bound on a size without its unit, rounded as an interval's end."""
        return outward(self._measure, size, up=up, decimals=self._decimals, apart=self._apart)

    def with_unit(self, text: str) -> str:
        """Return a number's text with its unit."""
        return text + unit_after(text, self.unit)

    def plain(self, value: float, *, sign: bool = False) -> str:
        """Return a value without its unit."""
        return formatted(self._measure, value, decimals=self._decimals, sign=sign)

    def ends(self, low: float, high: float, *, in_own_digits: bool = True) -> tuple[str, str]:
        """Return the ends of an interval, rounded outward; a difference has the unit only after the second.

        The digits follow this interval's width, which may differ from that of the estimate's, or else the
        estimate's.
        """
        if low == high:
            first = last = self.plain(low, sign=self._quantity.sign)
        else:
            own = self._decimals_for((high - low) / 2) if in_own_digits else None
            rounded = partial(
                outward,
                self._measure,
                decimals=self._decimals if own is None else own,
                sign=self._quantity.sign,
                apart=self._apart,
            )
            first, last = rounded(low, up=False), rounded(high, up=True)
        is_twice = self._quantity.repeats_unit and isfinite(low)
        return first + (self.unit if is_twice else ""), last + (self.unit if isfinite(high) else "")

    def interval(self, low: float, high: float, *, in_own_digits: bool = True) -> str:
        """Return an interval in words; see `ends`."""
        return " to ".join(self.ends(low, high, in_own_digits=in_own_digits))

    def interval_or_exact(self, found: Estimated) -> str:
        """Return an estimate's interval in words, "exact" if it is a point."""
        return "exact" if found.low == found.high else self.interval(found.low, found.high)

    def with_interval(self, found: Estimated, about: str = "") -> str:
        """Return an estimate and its interval: "0.62 (0.55–0.69)"."""
        value = self.value(found.value)
        if found.low == found.high and not about:
            return f"{value} (exact)"
        low, high = self.ends(found.low, found.high)
        between = " to " if self._quantity.sign or found.low < 0 else "–"
        return f"{value} ({about}{low}{between}{high})"

    def root(self, value: float) -> str:
        """Return the square root of a value, in the labels' unit."""
        if not value >= 0:
            return "–"
        return f"{significant(value**0.5, 2)}{with_blank(self.label_unit)}"


def formatted(measure: Measure, value: float, *, decimals: int | None = None, sign: bool = False) -> str:
    """Return a measure's value, or a difference of two, without its unit: shares in percent, "–" for NaN.

    With `sign`, a positive value has a plus sign.
    """
    if decimals is None:
        decimals = _usual_decimals(measure, value)
    return number(value * (100 if measure.is_share else 1), decimals, sign=sign)


def exact_text(quantity: Quantity, value: float, label_unit: str | None = None) -> str:
    """Return a given value, such as a bound, with its own number of digits and its unit."""
    scaled = round(value * (100 if quantity.measure.is_share else 1), 10)
    digits = f"{scaled:,.10g}" if isfinite(value) else number(value, 0)
    text = with_minus(digits)
    return text + unit_after(text, quantity.unit(label_unit))


def unit_after(text: str, unit: str) -> str:
    """Return a unit as it follows a number: "1 point", but "1.0 points"."""
    return (
        unit.removesuffix("s") if text in ("1", "+1", with_minus("-1")) and unit.endswith("points") else unit
    )


def _usual_decimals(measure: Measure, value: float) -> int:
    return 1 if measure.is_share else 0 if abs(value) >= 100 else 3


def outward(
    measure: Measure,
    value: float,
    *,
    up: bool,
    decimals: int | None = None,
    sign: bool = False,
    apart: Iterable[float] = (0.0,),
) -> str:
    """Return an interval's end without its unit, rounded so that no bound is better than proven.

    It has more digits if these would otherwise round it to a value of `apart`, or past it.
    """
    if not isfinite(value):
        return formatted(measure, value, sign=sign)
    factor = 100 if measure.is_share else 1
    usual = _usual_decimals(measure, value) if decimals is None else decimals
    # Of 10 digits: an end that is 0.5 but for rounding is 0.5, and none moves inward by more than 1e-9 of it.
    exact = Decimal(f"{value:.10g}") * factor
    others = [Decimal(repr(float(each))) * factor for each in apart]
    for places in range(usual, max(usual, _MOST) + 1):
        step = Decimal(1).scaleb(-places)
        rounded = exact.quantize(step, rounding=ROUND_CEILING if up else ROUND_FLOOR)
        if not any(exact < each <= rounded or rounded <= each < exact for each in others):
            break
    return number(float(rounded), places, sign=sign)
