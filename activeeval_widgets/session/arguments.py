"""Checks of a session's arguments."""

from math import inf
from typing import Any

import numpy as np

from activeeval_widgets.stats._validation import check_count, check_fraction, is_number

MAX_NOTE_LENGTH = 10_000
"""The maximum number of characters of a note or of a reason for an exclusion."""


MAX_NAME_LENGTH = 100
"""The maximum number of characters of a person's name."""


def check_budget(value: int | None) -> int | None:
    """Check a budget: a positive number of labels, or None."""
    return None if value is None else check_count("budget", value, minimum=1)


def check_name(value: Any) -> str:
    """Check a session's name: a string that is not blank."""
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"name must be a string that is not blank, got {value!r}")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"name must be text that can be written as UTF-8, got {value!r}") from error
    return value


def check_flag(name: str, value: Any) -> bool:
    """Check an argument that has to be True or False."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{name} must be True or False, got {value!r}")
    return bool(value)


def check_who(value: Any) -> str | None:
    """Return a person's name without surrounding spaces, or None."""
    if value is None:
        return None
    if not isinstance(value, str):
        raise TypeError(f"who must be a string or None, got {value!r}")
    name = value.strip()
    if not name or len(name) > MAX_NAME_LENGTH or not name.isprintable():
        raise ValueError(
            f"who must be a name of 1 to {MAX_NAME_LENGTH} printable characters, got {value!r:.200}"
        )
    check_text("who", name)
    return name


def check_raters(n_raters: Any, second_opinions: Any) -> tuple[int | None, float | None]:
    """Check the number of raters of each draw, and the share of draws that get one more."""
    n = None if n_raters is None else check_count("n_raters", n_raters, minimum=1)
    if second_opinions is None:
        return n, None
    return n, check_fraction("second_opinions", second_opinions, closed=True)


def check_confidence(value: Any) -> float | None:
    """Check a session's confidence level: a number above 0.5 and below 1, or None."""
    if value is None:
        return None
    if not is_number(value):
        raise TypeError(f"confidence_level must be a number such as 0.95, got {value!r}")
    level = float(value)
    if not 0.5 < level < 1:
        raise ValueError(
            f"confidence_level is {value!r}, expected more than 0.5 and less than 1, such as 0.9 for 90%"
        )
    return level


def check_lease(value: Any) -> float:
    """Check how many seconds a lease lasts."""
    if not is_number(value):
        raise TypeError(f"lease_seconds must be a number > 0, got {value!r}")
    if not 0 < value < inf:
        raise ValueError(f"lease_seconds must be a finite number > 0, got {value!r}")
    return float(value)


def check_text(name: str, text: Any) -> str:
    """Check that a string can be stored."""
    if not isinstance(text, str):
        raise TypeError(f"{name} must be a string, got {text!r}")
    if len(text) > MAX_NOTE_LENGTH:
        raise ValueError(
            f"{name} must have at most {MAX_NOTE_LENGTH:,} characters, got {len(text):,}: shorten it"
        )
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"{name} must be text that can be written as UTF-8, got {text!r}") from error
    return text


def check_seconds(name: str, value: Any) -> float | None:
    """Return a duration rounded to milliseconds, or None."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float | np.number):
        raise TypeError(f"{name} must be a number >= 0 or None, got {value!r}")
    if not (0 <= value < inf):
        raise ValueError(f"{name} must be a finite number >= 0 or None, got {value!r}")
    return round(float(value), 3)
