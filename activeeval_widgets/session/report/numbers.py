"""How a measure's values are written: shares in percent, with no more digits than their error leaves."""

from math import floor, isfinite, log10

from activeeval_widgets.session.reading.outward import interval_text
from activeeval_widgets.stats import Measure

_SPACE = "\N{NO-BREAK SPACE}"


class Numbers:
    r"""Writes the values of one measure, all with the same number of decimals.

    Parameters
    ----------
    measure : Measure
        Whose values.
    error : float
        Its standard error: values get as many decimals as leave it two digits. NaN: as many as are usual.
    unit : str, optional
        The unit of the labels, where these are numbers.
    is_difference : bool
        Whether the values are differences, which are in percentage points where shares are in percent.

    Examples
    --------
    >>> from activeeval_widgets.stats import ErrorRate
    >>> numbers = Numbers(ErrorRate(), 0.0213)
    >>> numbers.value(0.10628), numbers.plain(0.0213)
    ('10.6%', '2.1')
    """

    def __init__(
        self, measure: Measure, error: float, *, unit: str | None = None, is_difference: bool = False
    ) -> None:
        self._measure = measure
        self._label_unit = unit
        self._is_difference = is_difference
        factor, usual = (100, 1) if measure.is_share else (1, 3)
        self._decimals = _decimals(error * factor, usual=usual)

    @property
    def unit(self) -> str:
        """What follows a number, a blank before it where there is one."""
        return self._measure.unit(self._label_unit, is_difference=self._is_difference)

    def value(self, value: float, *, sign: bool = False) -> str:
        """A value with its unit; with a plus, too, if `sign`."""
        return self.plain(value, sign=sign) + (self.unit if isfinite(value) else "")

    @property
    def label_unit(self) -> str | None:
        """The unit of the labels, if it is known."""
        return self._label_unit

    def ends(self, low: float, high: float) -> tuple[str, str]:
        """The ends of an interval: of a difference, rounded outward, and the unit once, after the second."""
        if not self._is_difference:
            return self.value(low), self.value(high)
        unit = self.unit if isfinite(high) else ""
        return interval_text(self._measure, low, high, unit=unit, decimals=self._decimals)

    def plain(self, value: float, *, sign: bool = False) -> str:
        """A value without its unit."""
        return self._measure.format(value, decimals=self._decimals, sign=sign)

    def root(self, value: float) -> str:
        """The square root of a value, in the unit of the labels."""
        if not value >= 0:
            return "–"
        return f"{value**0.5:.2g}" + (f"{_SPACE}{self._label_unit}" if self._label_unit else "")


def _decimals(error: float, *, usual: int) -> int:
    if not isfinite(error) or error <= 0:
        return usual
    return min(6, max(0, 1 - floor(log10(error))))


def rounded(n: float) -> str:
    """A number of labels, to two digits: more would promise too much."""
    unit = 10 ** max(0, floor(log10(max(n, 1))) - 1)
    return f"{round(n / unit) * unit:,}"
