"""Work that is done while the person looks at the next instance: what the plots after it will take."""

import asyncio
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any
from weakref import WeakMethod

from activeeval_widgets.session import Session

_PAUSE = 0.02
"""Seconds between two steps, in which messages of the page come first."""


class Ahead:
    """Does steps one by one, between messages; whatever is not done by then is done when it is needed.

    In a kernel it runs in its event loop; where there is none, nothing is done ahead. The session is not
    changed, nor is anything that it tells.
    """

    def __init__(self, session: Session, after: Callable[[], Iterator[None]] = lambda: iter(())) -> None:
        self._session, self._after = session, after
        self._steps: Iterator[None] = iter(())
        self._revision = -1
        self._timer: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        """Begin anew, as of the labels so far; called once the page has all that it shows."""
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            return
        self.stop()
        self._revision = self._session.log.revision
        self._steps = chain.from_iterable(
            steps() for steps in (self._session.findings._steps_ahead, self._after)
        )
        self._timer = loop.call_later(_PAUSE, _call, WeakMethod(self._go_on), loop)

    def stop(self) -> None:
        """Do no more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _go_on(self, loop: asyncio.AbstractEventLoop) -> None:
        self._timer = None
        with self._session.lock:
            # With another answer than those that it began with, the page asks again.
            if self._session.log.revision != self._revision or next(self._steps, _ENDED) is _ENDED:
                return
        self._timer = loop.call_later(_PAUSE, _call, WeakMethod(self._go_on), loop)


_ENDED = object()


def _call(method: "WeakMethod[Any]", loop: asyncio.AbstractEventLoop) -> None:
    found = method()
    if found is not None:
        found(loop)
