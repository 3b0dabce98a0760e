"""The messages between a page and Python."""

import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from time import monotonic
from traceback import extract_tb
from typing import Any, ClassVar, TypeAlias

from activeeval_widgets.session.recent_cache import RecentCache
from activeeval_widgets.widgets.messages import ANSWERS, FROM_PAGE, QUESTIONS
from activeeval_widgets.widgets.messages.matching import refusal

_logger = logging.getLogger(__name__)

JUST_NOW = 1.0
"""Seconds within which a repeated message, already answered, is taken to have waited in the same queue."""

_LONGEST_ADDRESS = 100
_OF_BAD_MESSAGES = (AttributeError, LookupError, OverflowError, TypeError)

MAX_HANDLED = 1024
"""The number of recent messages that are remembered."""

Reply: TypeAlias = tuple[dict[str, Any], list[bytes]]
Handler: TypeAlias = Callable[[Mapping[str, Any]], Reply]
Line: TypeAlias = Callable[[Mapping[str, Any], Sequence[bytes]], None]
"""Sends to a page that has no kernel."""


class PageChannel:
    """Answers what pages ask, and sends to all of them.

    Every message is answered with its sequence number after its handler has returned, so that an acknowledged
    label is stored. Custom messages are used because traits coalesce, which would lose fast keys.
    """

    questions: ClassVar[tuple[str, ...]] = tuple(QUESTIONS)
    """Messages that change nothing and can be handled again when repeated."""

    messages: ClassVar[Mapping[str, type]] = FROM_PAGE
    """All messages that the page may send, with their fields."""

    def __init__(
        self,
        handlers: Mapping[str, Handler],
        lock: AbstractContextManager[Any],
        on_repeat: Callable[[], None],
        after: Callable[[], None] = lambda: None,
    ) -> None:
        self._after = after
        self.handle(handlers)
        self._allowed: Mapping[str, bool] | None = None
        self._failed: set[str] = set()
        self._lock = lock
        self._on_repeat = on_repeat
        self._lines: list[Line] = []
        self._handled: RecentCache[str, tuple[dict[str, Any] | None, float]] = RecentCache(MAX_HANDLED)

    @property
    def n_lines(self) -> int:
        """The number of pages without a kernel."""
        return len(self._lines)

    def join(self, line: Line) -> None:
        """Send to a page without a kernel, too; what it sends goes to `receive`."""
        self._lines.append(line)

    def leave(self, line: Line) -> None:
        """Send no more to a page that is gone."""
        self._lines.remove(line)

    def receive(self, message: Mapping[str, Any]) -> None:
        """Answer a message of a page without a kernel."""
        self._answer(message, None)

    def send(self, content: Mapping[str, Any], buffers: Sequence[bytes] | None = None) -> None:
        """Send a message to all pages."""
        for line in list(self._lines):
            line(content, buffers or ())

    def close(self) -> None:
        """Leave all pages."""
        self._lines = []  # of a widget whose making has failed, too

    def handle(self, handlers: Mapping[str, Handler]) -> None:
        """Set the handlers of messages."""
        self._handlers = handlers

    def allow(self, allowed: Mapping[str, bool]) -> None:
        """Restrict the messages, and the answers in them, to those that are allowed."""
        self._allowed = allowed

    def _refusal(self, message: Mapping[str, Any]) -> str | None:
        if not isinstance(message, Mapping) or message.get("type") not in list(self._handlers):
            return refusal(message, self.messages, ANSWERS)
        if self._allowed is None:
            return None
        malformed = refusal(message, {**self.messages, **ANSWERS}, ANSWERS)
        kinds = [] if malformed else [message["type"], *(one["type"] for one in message.get("answers", ()))]
        if all(self._allowed.get(kind) for kind in kinds):
            return malformed
        return "This is for the owner of the session. Ask whoever sent you the link."

    def _answer(self, message: Mapping[str, Any], sent_buffers: Any) -> None:
        reason = self._refusal(message)
        if reason is not None:
            about = message if isinstance(message, Mapping) else {}
            _logger.warning("refused: %s", reason)
            self.send(
                {"error": reason, "client": _plain(about.get("client")), "seq": _plain(about.get("seq"))}
            )
            return
        if sent_buffers:
            message = {**message, "buffers": sent_buffers}
        address = repr((message.get("client"), message.get("seq")))
        with self._lock:
            if message.get("is_repeated") and address in self._handled:
                content, when = self._handled[address]
                # The message or its reply was lost with a connection, or it waited twice while Python was
                # busy.
                if content is not None:
                    self.send(content)
                    self._on_repeat()  # the old reply may be out of date
                    return
                if monotonic() - when < JUST_NOW:
                    return
            self._handle(message, address)

    def _handle(self, message: Mapping[str, Any], address: str) -> None:
        content: dict[str, Any] = {}
        buffers: list[bytes] = []
        try:
            content, buffers = self._handlers[message["type"]](message)
        except ValueError as error:
            content = {"error": str(error)}
        except Exception as error:
            # A callback's exception is invisible in a notebook: the page shows it, and the log has the
            # traceback.
            reason = None
            if isinstance(error, _OF_BAD_MESSAGES):
                reason = refusal(message, {**self.messages, **ANSWERS}, ANSWERS)
            if reason is not None:  # the message is malformed, so the error is not ours
                _logger.warning("refused: %s", reason)
                content = {"error": reason}
            else:
                self._log_failure(message, error)
                content = {"error": f"Internal error: {type(error).__name__}: {error}"}
        answer = {**content, "client": message.get("client"), "seq": message.get("seq")}
        # A question can be handled again; a change must not happen twice.
        self._handled.put(address, (None if message.get("type") in self.questions else answer, monotonic()))
        self.send(answer, buffers)
        self._after()

    def _log_failure(self, message: Mapping[str, Any], error: Exception) -> None:
        """Log an error's traceback the first time, and one line when it recurs."""
        logged = {name: part for name, part in message.items() if name != "buffers"}
        place = repr([(frame.filename, frame.lineno) for frame in extract_tb(error.__traceback__)])
        if place in self._failed:
            _logger.error("the answer to %.200r failed again: %.200r", logged, error)
        else:
            self._failed.add(place)
            _logger.exception("the answer to %.2000r failed", logged)


def _plain(value: Any) -> str | int | None:
    """Return a part of a message's address if it is valid, else None."""
    return value if isinstance(value, str | int) and len(str(value)) < _LONGEST_ADDRESS else None
