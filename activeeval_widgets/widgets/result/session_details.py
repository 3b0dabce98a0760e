"""The details of a session that a page keeps beside the log, for lists of sessions."""

import asyncio
import logging
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from activeeval_widgets.session import Session
from activeeval_widgets.session.log.events import AnyEvent
from activeeval_widgets.session.report.summary import details_so_far
from activeeval_widgets.session.stores.protocol import store_member

_logger = logging.getLogger(__name__)

DELAY = 0.5
"""Seconds without an event until the summary is kept: never on the way of a label."""

LONGEST = 3.0
"""Seconds from an event until the summary is kept, even if others follow."""


def keep_details(session: Session, fixed: Mapping[str, Any] | None = None) -> None:
    """Keep a session's details: those given, and how far it is.

    A store that keeps no details, or can't now, is no hindrance: the log is what counts.
    """
    try:
        store_member(session.store, "keep_details")(session.name, {**(fixed or {}), **_now(session)})
    except Exception:
        _logger.warning("The session's details were not kept.", exc_info=True)


def details_kept(session: Session) -> Callable[[AnyEvent], None]:
    """Return an observer of a session's events that keeps its details once it rests."""
    waiting: list[asyncio.TimerHandle] = []
    since = 0.0

    def keep() -> None:
        waiting.clear()
        keep_details(session)

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
        waiting.append(loop.call_at(min(loop.time() + DELAY, since + LONGEST), keep))

    return follow


def _now(session: Session) -> dict[str, Any]:
    known = store_member(session.store, "details")(session.name).get("who", [])
    person = session.people.who
    who = [*known, person] if person is not None and person not in known else known
    return {
        **details_so_far(session.findings, budget=session.budget, goal=session.goal, is_done=session.is_done),
        "last_used": datetime.now(UTC).isoformat(timespec="seconds"),
        "who": who or None,
    }
