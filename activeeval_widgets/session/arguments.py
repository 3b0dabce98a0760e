"""What a session is asked to do, checked before anything happens."""

from math import inf
from typing import Any

import numpy as np

from activeeval_widgets.stats._validation import check_count

LONGEST_NOTE = 10_000
"""A note, or the reason of an exclusion, has no more characters than this."""


def check_budget(value: int | None) -> int | None:
    """A number of labels from 1, or None."""
    return None if value is None else check_count("budget", value, minimum=1)


def check_name(value: Any) -> str:
    """A session's name: a string that is not blank."""
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"name must be a string that is not blank, got {value!r}")
    return value


def check_text(name: str, text: Any) -> str:
    """A string that can be stored."""
    if not isinstance(text, str):
        raise TypeError(f"{name} must be a string, got {text!r}")
    if len(text) > LONGEST_NOTE:
        raise ValueError(
            f"{name} must have at most {LONGEST_NOTE:,} characters, got {len(text):,}: shorten it"
        )
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"{name} must be text that can be written as UTF-8, got {text!r}") from error
    return text


def check_seconds(name: str, value: Any) -> float | None:
    """A time, to the millisecond, or None."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float | np.number):
        raise TypeError(f"{name} must be a number >= 0 or None, got {value!r}")
    if not (0 <= value < inf):
        raise ValueError(f"{name} must be a finite number >= 0 or None, got {value!r}")
    return round(float(value), 3)
