"""The numbers of draws at which a session's interval is to be narrow: fixed before its first label."""

import re
from collections.abc import Mapping
from typing import TypeAlias

from activeeval_widgets.session.draws.protocol import Draws

Deadlines: TypeAlias = tuple[int, ...] | None
"""What confidence sequences take: those declared; None: the usual; (): none, as before there were any."""

_USUAL = "with deadlines"


def declared_deadlines(draws: Draws, budget: int | None) -> Deadlines:
    """A new session's: where its budget will be spent, if it has one.

    Parameters
    ----------
    draws : Draws
        Its draws, before the first.
    budget : int or None
        How many labels there are to be.
    """
    # With all of them labeled the value is known.
    return None if budget is None or budget >= draws.n_drawable else (draws.draws_for(budget),)


def deadlines_begun_with(identity: Mapping[str, str]) -> Deadlines:
    """Those that a session was begun with."""
    begun = re.fullmatch(rf"{_USUAL}(?:, declared (\d+))?", identity.get("bets", ""))
    if begun is None:
        return ()
    return None if begun[1] is None else (int(begun[1]),)


def bets_identity(deadlines: Deadlines) -> dict[str, str]:
    """What is kept of them in a session's identity.

    Examples
    --------
    >>> deadlines_begun_with(bets_identity((200,))), deadlines_begun_with({}), bets_identity(None)
    ((200,), (), {'bets': 'with deadlines'})
    """
    if deadlines == ():
        return {}
    declared = "" if deadlines is None else f", declared {deadlines[0]}"
    return {"bets": f"{_USUAL}{declared}"}
