"""Synchronization of a page with what others do in the session, in other tabs or on other machines."""

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from weakref import WeakMethod

from activeeval_widgets.session import Session, StoreError

EVERY = 0.5
"""Seconds between two reads of the store."""

_logger = logging.getLogger(__name__)


class SessionSync:
    """Reads the session's store periodically, and notifies the page when others have added events.

    It runs in the kernel's event loop, between messages. Without an event loop, nothing is synchronized.
    """

    def __init__(self, session: Session, notify: Callable[[], None]) -> None:
        self._session = session
        self._notify = WeakMethod(notify)
        self.is_quiet = False
        """Whether notifications are suppressed because the caller sends one afterwards."""
        self._timer: asyncio.TimerHandle | None = None
        try:
            self._loop = asyncio.get_running_loop()
        except RuntimeError:
            return
        self._wait()

    def poll(self) -> int:
        """Read new events, notify the page, and return the number of events."""
        notify = self._notify()
        if notify is None:
            return 0
        try:
            with self.quietly():
                n_events = self._session.refresh()
                is_news = n_events > 0 or self._leases_passed_on()
        except StoreError as error:  # the store's state informs the page
            _logger.debug("the session could not be followed: %s", error)
            return 0
        if is_news:
            notify()
        return n_events

    @contextmanager
    def quietly(self) -> Iterator[None]:
        """Suppress notifications by the session; the caller notifies the page."""
        was_quiet, self.is_quiet = self.is_quiet, True
        try:
            yield
        finally:
            self.is_quiet = was_quiet

    def _leases_passed_on(self) -> bool:
        """Return whether a person has left and their leases pass on, so that an instance is due."""
        session = self._session
        if session.people.who is None or session.upcoming(1) or session.is_done:
            return False
        with suppress(StoreError):
            return session.people.reserve() > 0
        return False

    def stop(self) -> None:
        """Stop reading the store."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _wait(self) -> None:
        # The event loop must not keep the app alive.
        tick = WeakMethod(self._tick)
        self._timer = self._loop.call_later(EVERY, _call, tick)

    def _tick(self) -> None:
        self._timer = None
        if self._notify() is None:
            return
        try:
            self.poll()
        finally:
            self._wait()


def _call(method: "WeakMethod[Callable[[], None]]") -> None:
    found = method()
    if found is not None:
        found()
