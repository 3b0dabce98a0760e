"""Deadlines: numbers of draws for which a confidence sequence is tuned, fixed before the first label."""

import re
from collections.abc import Mapping
from typing import TypeAlias

from activeeval_widgets.session.draws.protocol import Draws

Deadlines: TypeAlias = tuple[int, ...] | None
"""The declared deadlines; None for the default ones."""

_USUAL = "with deadlines"


def declared_deadlines(
    draws: Draws, budget: int | None, most_labels: float | None = None, n_before: int = 0
) -> Deadlines:
    """Return the number of draws that use up a session's budget or goal; None after labels known before."""
    if n_before:
        return None
    ends = [int(n) for n in (budget, most_labels) if n is not None]
    # With all instances labeled the value is known.
    if not ends or not 1 <= min(ends) < draws.n_drawable:
        return None
    return (draws.draws_for(min(ends)),)


def deadlines_begun_with(identity: Mapping[str, str]) -> Deadlines:
    """Return the deadlines of a stored session."""
    begun = re.fullmatch(rf"{_USUAL}, declared (\d+)", identity.get("bets", ""))
    return None if begun is None else (int(begun[1]),)


def bets_identity(deadlines: Deadlines) -> str:
    """Return the text that represents deadlines in a session's identity."""
    return _USUAL if deadlines is None else f"{_USUAL}, declared {deadlines[0]}"
