"""The numbers of draws at which a session's interval is to be narrow: fixed before its first label."""

import re
from collections.abc import Mapping
from typing import TypeAlias

from activeeval_widgets.session.draws.protocol import Draws

Deadlines: TypeAlias = tuple[int, ...] | None
"""What confidence sequences take: those declared; None: the usual."""

_USUAL = "with deadlines"


def declared_deadlines(draws: Draws, budget: int | None, most_labels: float | None = None) -> Deadlines:
    """A new session's: where its budget, or a goal's, will be spent, if it has one."""
    ends = [int(n) for n in (budget, most_labels) if n is not None]
    # With all of them labeled the value is known.
    if not ends or not 1 <= min(ends) < draws.n_drawable:
        return None
    return (draws.draws_for(min(ends)),)


def deadlines_begun_with(identity: Mapping[str, str]) -> Deadlines:
    """Those that a session was begun with."""
    begun = re.fullmatch(rf"{_USUAL}, declared (\d+)", identity.get("bets", ""))
    return None if begun is None else (int(begun[1]),)


def bets_identity(deadlines: Deadlines) -> str:
    """What is kept of them in a session's identity."""
    return _USUAL if deadlines is None else f"{_USUAL}, declared {deadlines[0]}"
