"""The details of a session that a page keeps beside the log, for lists of sessions."""

import asyncio
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from traitlets.log import get_logger

from activeeval_widgets.session import Session
from activeeval_widgets.session.log.events import AnyEvent
from activeeval_widgets.session.stores.protocol import store_member
from activeeval_widgets.widgets.result.summary import session_summary
from activeeval_widgets.widgets.wording.sessions import measure_in_words

DELAY = 0.5
"""Seconds without an event until the summary is kept: never on the way of a label."""

LONGEST = 3.0
"""Seconds from an event until the summary is kept, even if others follow."""


def keep_details(session: Session, fixed: Mapping[str, Any], *, delay: float = DELAY) -> Callable[[], None]:
    """Keep a session's details now, and whenever anything has happened to it, once it rests.

    A store that keeps no details, or can't now, is no hindrance: the log is what counts.
    """
    waiting: list[asyncio.TimerHandle] = []
    since = 0.0

    def keep() -> None:
        waiting.clear()
        try:
            store_member(session.store, "keep_details")(session.name, {**fixed, **_now(session)})
        except Exception:
            get_logger().warning("The session's details were not kept.", exc_info=True)

    def follow(_event: AnyEvent) -> None:
        nonlocal since
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:  # no page: a script
            return
        if waiting:
            waiting.pop().cancel()
        else:
            since = loop.time()
        waiting.append(loop.call_at(min(loop.time() + delay, since + LONGEST), keep))

    keep()
    session.subscribe(follow)
    return keep


def _now(session: Session) -> dict[str, Any]:
    known = store_member(session.store, "details")(session.name).get("who", [])
    person = session.people.who
    who = [*known, person] if person is not None and person not in known else known
    return {
        "measure": measure_in_words(session),
        "budget": session.budget,
        "summary": session_summary(session),
        "last_used": datetime.now(UTC).isoformat(timespec="seconds"),
        "who": who or None,
    }
