"""Name the sessions of one evaluation: "mails", "mails-2", "mails-3"."""

import re
from collections.abc import Iterable


def session_number(name: str, base: str) -> int:
    """Return the number in a session's name: 1 for "mails", 2 for "mails-2"; 0 for any other name."""
    match = re.fullmatch(rf"{re.escape(base)}(?:-([1-9]\d*))?", name)
    return int(match[1] or 1) if match else 0


def next_name(names: Iterable[str], base: str) -> str:
    """Return the name of the next session."""
    last = max((session_number(name, base) for name in names), default=0)
    return f"{base}-{last + 1}" if last else base
