"""Following what others do with the session: in other tabs, or at other machines."""

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from weakref import WeakMethod

from activeeval_widgets.session import Session, StoreError

EVERY = 0.5
"""Seconds between two looks into the store."""

_logger = logging.getLogger(__name__)


class Following:
    """Looks into the session's store from time to time, and tells the page where others have added to it.

    In a kernel it runs in its event loop, between messages; where there is none, nothing is followed.
    """

    def __init__(self, session: Session, tell: Callable[[], None]) -> None:
        self._session = session
        self._tell = WeakMethod(tell)
        self.is_quiet = False
        """Whether what is taken in now is told afterwards, once."""
        self._timer: asyncio.TimerHandle | None = None
        try:
            self._loop = asyncio.get_running_loop()
        except RuntimeError:
            return
        self._wait()

    def look(self) -> int:
        """Take in what others did, and tell the page; returns how many events that were."""
        tell = self._tell()
        if tell is None:
            return 0
        try:
            with self.quietly():
                n_events = self._session.refresh()
                is_news = n_events > 0 or self._goes_on()
        except StoreError as error:  # the page is told with the store's state
            _logger.debug("the session could not be followed: %s", error)
            return 0
        if is_news:
            tell()
        return n_events

    @contextmanager
    def quietly(self) -> Iterator[None]:
        """Have the page told of nothing by the session: whoever asks for this tells it."""
        was_quiet, self.is_quiet = self.is_quiet, True
        try:
            yield
        finally:
            self.is_quiet = was_quiet

    def _goes_on(self) -> bool:
        """Whether there is something to be asked again: somebody has left, and what he had is handed on."""
        session = self._session
        if session.people.who is None or session.upcoming(1) or session.is_done:
            return False
        with suppress(StoreError):
            return session.people.reserve() > 0
        return False

    def stop(self) -> None:
        """Look no more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _wait(self) -> None:
        # The loop must not keep the app alive.
        tick = WeakMethod(self._tick)
        self._timer = self._loop.call_later(EVERY, _call, tick)

    def _tick(self) -> None:
        self._timer = None
        if self._tell() is None:
            return
        try:
            self.look()
        finally:
            self._wait()


def _call(method: "WeakMethod[Callable[[], None]]") -> None:
    found = method()
    if found is not None:
        found()
