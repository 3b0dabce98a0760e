"""Computation ahead of time: while a person looks at an instance, prepare what the next plots need."""

import asyncio
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any
from weakref import WeakMethod

from activeeval_widgets.session import Session

_PAUSE = 0.02
"""Seconds between two steps, during which messages from the page are handled."""


class Precomputation:
    """Runs steps one by one between messages; steps that are not done in time run when they are needed.

    It uses the kernel's event loop; without one, nothing is computed ahead. The session and its results do
    not change.
    """

    def __init__(self, session: Session, after: Callable[[], Iterator[None]] = lambda: iter(())) -> None:
        self._session, self._after = session, after
        self._steps: Iterator[None] = iter(())
        self._revision = -1
        self._timer: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        """Start again from the present labels; called once the page has received what it shows."""
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            return
        self.stop()
        self._revision = self._session.log.revision
        self._steps = chain.from_iterable(
            steps() for steps in (self._session.findings._precompute_leaderboards, self._after)
        )
        self._timer = loop.call_later(_PAUSE, _call, WeakMethod(self._continue), loop)

    def stop(self) -> None:
        """Cancel the remaining steps."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _continue(self, loop: asyncio.AbstractEventLoop) -> None:
        self._timer = None
        with self._session.lock:
            # After a further answer the steps are out of date, and the page starts them again.
            if self._session.log.revision != self._revision or next(self._steps, _ENDED) is _ENDED:
                return
        self._timer = loop.call_later(_PAUSE, _call, WeakMethod(self._continue), loop)


_ENDED = object()


def _call(method: "WeakMethod[Any]", loop: asyncio.AbstractEventLoop) -> None:
    found = method()
    if found is not None:
        found(loop)
