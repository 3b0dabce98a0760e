"""Text of counts, percentages and signed numbers, in the form used everywhere."""

from collections.abc import Sequence
from math import floor, isfinite, isnan, log10

NO_BREAK = "\N{NO-BREAK SPACE}"
"""A space at which lines do not break."""


def counted(n: int, plural: str) -> str:
    """Return a number with its noun in the singular or plural.

    Examples
    --------
    >>> counted(1, "labels"), counted(2_000, "labels"), counted(1, "queries")
    ('1 label', '2,000 labels', '1 query')
    """
    return f"{n:,} {noun_for(n, plural)}"


def noun_for(n: float, plural: str) -> str:
    """Return a noun in the singular for 1, else in the plural."""
    if n != 1:
        return plural
    if plural.endswith("ies"):
        return f"{plural[:-3]}y"
    return plural.removesuffix("es" if plural.endswith("sses") else "s")


def from_percent(value: float) -> float:
    """Return a number in percent, or in percentage points, as a share, without an error in the last digit.

    Examples
    --------
    >>> 0.7 / 100, from_percent(0.7)
    (0.006999999999999999, 0.007)
    """
    return round(value / 100, 12)


def percent(share: float, decimals: int | None = None, *, unknown: str = "–") -> str:
    """Return a share in percent, with as few digits as possible by default; `unknown` for NaN.

    Examples
    --------
    >>> percent(0.95), percent(0.1234, 1), percent(-0.2, 0)
    ('95%', '12.3%', '−20%')
    """
    if isnan(share):
        return unknown
    text = f"{100 * share:g}" if decimals is None else f"{100 * share:.{decimals}f}"
    return f"{with_minus(text)}%"


def pvalue_text(pvalue: float) -> str:
    """Return a p-value with three decimals at most.

    Examples
    --------
    >>> pvalue_text(0.0423), pvalue_text(1.0), pvalue_text(3e-12)
    ('0.042', '1', 'below 0.001')
    """
    return "below 0.001" if pvalue < 0.001 else number(pvalue, 3, trims=True)


def number(value: float, decimals: int, *, sign: bool = False, trims: bool = False) -> str:
    """Return a rounded number with thousands separators; `trims` drops trailing zeros of the decimals.

    Examples
    --------
    >>> number(-1234.5, 2), number(0.5, 3, sign=True, trims=True), number(-0.0001, 1)
    ('−1,234.50', '+0.5', '0.0')
    """
    if not isfinite(value):
        return "–" if isnan(value) else "∞" if value > 0 else "−∞"
    rounded = round(value, decimals) + 0.0  # no sign before a 0
    text = f"{rounded:{'+' if sign and rounded else ''},.{decimals}f}"
    return with_minus(text.rstrip("0").rstrip(".") if trims and decimals else text)


def significant(value: float, digits: int = 15) -> str:
    """Return a number with as many significant digits at most, and with thousands separators.

    Examples
    --------
    >>> significant(72_345.6, 2), significant(0.001234, 2), significant(5e6)
    ('72,000', '0.0012', '5,000,000')
    """
    if not value or not isfinite(value):
        return number(value, 0)
    decimals = digits - 1 - floor(log10(abs(value)))
    return number(round(value, decimals), max(decimals, 0), trims=True)


def joined_by_and(names: Sequence[str]) -> str:
    """Join names in a sentence: "A", "A and B", "A, B and C"."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def cut(text: str, longest: int) -> str:
    """Return a text, which ends with "…" if it had more characters."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def listed(words: Sequence[str], most: int = 20) -> str:
    """Join words by commas; shorten a long list."""
    return ", ".join(words[:most]) + (", …" if len(words) > most else "")


def with_blank(unit: str | None) -> str:
    """Return a unit preceded by a space, or an empty string without a unit."""
    return f"{NO_BREAK}{unit}" if unit else ""


def with_minus(text: str) -> str:
    """Return a number's text with a minus sign in place of a hyphen."""
    return text.replace("-", "\N{MINUS SIGN}")


def two_digits(n: float) -> int:
    """Round a number of labels to two digits; more would suggest too much precision.

    Examples
    --------
    >>> two_digits(7.6), two_digits(183), two_digits(12_480)
    (8, 180, 12000)
    """
    unit = int(10 ** max(0, floor(log10(max(n, 1))) - 1))
    return round(n / unit) * unit


def duration(seconds: float, *, is_short: bool = False) -> str:
    """Return a duration in words, rounded to two digits; with `is_short` such as "25 min".

    Examples
    --------
    >>> duration(13.2), duration(1500), duration(4000), duration(6000)
    ('13 seconds', '25 minutes', '67 minutes', '1.7 hours')
    """
    if seconds < 99.5:
        plural, short, size = "seconds", "s", 1.0
    elif seconds < 90 * 60:
        plural, short, size = "minutes", "min", 60.0
    else:
        plural, short, size = "hours", "h", 3600.0
    n = max(seconds / size, 1.0)
    text = f"{n:.2g}" if size == 3600 and n < 9.5 else f"{two_digits(n):,}"
    return f"{text}{NO_BREAK}{short}" if is_short else f"{text} {noun_for(round(n), plural)}"
