"""Parse numbers as people and programs write them: "1,234.5", "1.234,5 €", "1 234,5", "1'234.5", "−2"."""

import re
from collections.abc import Iterable
from functools import cache
from math import isfinite
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from activeeval_widgets.stats._typing import FloatArray

MARKS = (".", ",")
"""The decimal marks."""

_SPACES = " \N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}\N{THIN SPACE}"
_APOSTROPHES = "'\N{RIGHT SINGLE QUOTATION MARK}"
_MINUS = "\N{MINUS SIGN}"
_SIGN = f"[-+{_MINUS}]?"
_CURRENCY = "[$¢-¥\u20a0-\u20cf]|EUR|USD|GBP|CHF|JPY"
_START = rf"^{_SIGN}(?:(?:{_CURRENCY})[{_SPACES}]?)?"
_END = rf"(?:[{_SPACES}]?(?:{_CURRENCY}))?$"
_AMBIGUOUS = rf"{_START}[1-9][0-9]{{0,2}}[.,][0-9]{{3}}{_END}"


def _other(mark: str) -> str:
    return MARKS[1 - MARKS.index(mark)]


def _plain(mark: str) -> str:
    return rf"{_START}([0-9]+[{mark}]?[0-9]*|[{mark}][0-9]+)([eE]{_SIGN}[0-9]+)?{_END}"


def _around(mark: str) -> str:
    """Return a pattern of what is neither digits nor this decimal mark."""
    return f"[{_other(mark)}{_SPACES}{_APOSTROPHES}]|{_CURRENCY}"


def _grouped(mark: str) -> str:
    """Return a pattern with one separator of thousands and no exponent."""
    groups = "|".join(f"([{each}][0-9]{{3}})+" for each in (_other(mark), _SPACES, _APOSTROPHES))
    return rf"{_START}[1-9][0-9]{{0,2}}({groups})([{mark}][0-9]*)?{_END}"


@cache
def _form(mark: str) -> re.Pattern[str]:
    return re.compile(f"{_plain(mark)}|{_grouped(mark)}")


def readings(text: str) -> dict[str, float]:
    """Return the numbers that a text can mean, by decimal mark."""
    text = text.strip()
    found = {}
    for mark in MARKS:
        if _form(mark).fullmatch(text):
            bare = re.sub(_around(mark), "", text)
            found[mark] = float(bare.replace(mark, ".").replace(_MINUS, "-"))
    return {mark: number for mark, number in found.items() if isfinite(number)}


def is_ambiguous(text: str) -> bool:
    """Return whether a text can mean two numbers: a comma or a point precedes exactly three digits."""
    return len(set(readings(text).values())) > 1


def number_in(text: str, mark: str | None = None) -> float | None:
    """Parse a number; return None if there is none, or if it is ambiguous without a `mark`."""
    found = readings(text)
    if len(set(found.values())) == 1:
        return next(iter(found.values()))
    return None if mark is None else found.get(mark)


def marks_in(texts: Iterable[str]) -> set[str]:
    """Return the decimal marks that some texts require."""
    found = (set(readings(text)) for text in texts)
    return {mark for marks in found if len(marks) == 1 for mark in marks}


def are_numbers(texts: Iterable[str]) -> bool:
    """Return whether at least 80% of the non-blank texts are numbers."""
    written = [text for text in texts if text.strip()]
    return bool(written) and sum(bool(readings(text)) for text in written) >= 0.8 * len(written)


def numbers_of(texts: pa.ChunkedArray, mark: str | None) -> FloatArray:
    """Parse a column of numbers; NaN where `number_in` returns None."""
    found = np.full(len(texts), np.nan)
    # The known mark comes last and decides.
    for each in MARKS if mark is None else (_other(mark), mark):
        is_number = pc.match_substring_regex(texts, f"{_plain(each)}|{_grouped(each)}")
        bare = pc.replace_substring_regex(texts, _around(each), "")
        bare = pc.replace_substring(pc.replace_substring(bare, each, "."), _MINUS, "-")
        bare = pc.if_else(is_number, bare, None)
        numbers = np.asarray(bare.cast(pa.float64()).to_numpy(), dtype=np.float64)
        found = np.where(np.isfinite(numbers), numbers, found)
    if mark is None:
        found[_mask(pc.match_substring_regex(texts, _AMBIGUOUS))] = np.nan
    return found


def has_ambiguous(texts: pa.ChunkedArray, marks: str = ".,") -> bool:
    """Return whether some text of a column is ambiguous because of one of these marks."""
    form = _AMBIGUOUS.replace("[.,]", f"[{marks}]")
    found: Any = pc.any(pc.match_substring_regex(texts, form)).as_py()
    return bool(found)


def marks_of(texts: pa.ChunkedArray) -> set[str]:
    """Return the decimal marks that some texts of a column require."""
    forms = {mark: f"{_plain(mark)}|{_grouped(mark)}" for mark in MARKS}
    fits = {mark: _mask(pc.match_substring_regex(texts, form)) for mark, form in forms.items()}
    return {mark for mark in MARKS if (fits[mark] & ~fits[_other(mark)]).any()}


def currencies_in(texts: pa.ChunkedArray) -> list[str]:
    """Return the currencies of a column of numbers."""
    found = pc.struct_field(pc.extract_regex(texts, f"(?P<currency>{_CURRENCY})"), "currency")
    return sorted(pc.unique(found.drop_null()).to_pylist())


def _mask(found: Any) -> Any:
    return np.asarray(found.fill_null(False).to_numpy(), dtype=bool)
