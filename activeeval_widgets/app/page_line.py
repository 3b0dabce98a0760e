"""The websocket between a page without a kernel and its channel in this process."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tornado.websocket import WebSocketClosedError, WebSocketHandler

from activeeval_widgets.widgets.messages.as_text import message_text

if TYPE_CHECKING:
    from activeeval_widgets.widgets.page_channel import PageChannel

LARGEST_MESSAGE = 64 * 1024  # bytes
LINES_PER_PAGE = 8  # tabs, and lost lines that were not noticed yet
REFUSED = 4003


class PageLineHandler(WebSocketHandler):
    """Passes messages between a page and a channel: JSON with "n_buffers", then as many binary messages."""

    _channel: PageChannel | None = None

    def find_channel(self) -> PageChannel:
        """Return the channel; a ValueError says why there is none."""
        raise NotImplementedError

    def may_use(self) -> bool:
        """Return whether the page may still use the channel."""
        return True

    def check_origin(self, origin: str) -> bool:  # noqa: ARG002
        """Accept any origin: the gate, which knows the proxies, has checked it."""
        return True

    def open(self, *_: str) -> None:
        """Join the channel."""
        try:
            channel = self.find_channel()
        except ValueError as error:
            self.close(REFUSED, str(error))
            return
        if channel.n_lines >= LINES_PER_PAGE:
            self.close(REFUSED, "This is open in too many tabs.")
            return
        self._channel = channel
        channel.join(self._send)

    def on_message(self, message: str | bytes) -> None:
        """Pass a valid message on."""
        if self._channel is None:
            return
        if not self.may_use():
            self.close(REFUSED, "The link was revoked.")
            return
        try:
            content = json.loads(message, parse_constant=_refuse) if isinstance(message, str) else None
        except (ValueError, RecursionError):
            content = None
        if not isinstance(content, dict):
            self.close(1007, "no message")
            return
        self._channel.receive(content)

    def on_close(self) -> None:
        """Leave the channel."""
        if self._channel is not None:
            self._channel.leave(self._send)
            self._channel = None

    def _send(self, content: Mapping[str, Any], buffers: Sequence[bytes]) -> None:
        text = message_text({"content": content, "n_buffers": len(buffers)})
        try:
            self.write_message(text)
            for buffer in buffers:
                self.write_message(bytes(buffer), binary=True)
        except WebSocketClosedError:  # the page asks again when it reconnects
            pass


def _refuse(name: str) -> Any:
    raise ValueError(f"{name} is not a number of a message")
