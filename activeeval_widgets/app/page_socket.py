"""The websocket between a page and its kernel, and the messages that it lets through."""

from __future__ import annotations

import json
from typing import Any

from tornado.web import HTTPError
from voila.app import VoilaKernelWebsocketHandler

PROTOCOL = "v1.kernel.websocket.jupyter.org"
LARGEST_MESSAGE = 8 * 1024 * 1024  # bytes
SOCKETS_PER_KERNEL = 8

# What widgets need. Code is never among it.
MESSAGE_TYPES = ["comm_open", "comm_close", "comm_msg", "comm_info_request", "kernel_info_request"]


class PageSocketHandler(VoilaKernelWebsocketHandler):  # type: ignore[misc]
    """Passes messages of the one protocol that the page speaks, and closes where something else comes."""

    async def get(self, kernel_id: str) -> None:
        """Open the websocket, if the page speaks its protocol.

        In Jupyter's older one, a message with binary parts is taken for the newer one by Voilà, which then
        counts to a number of some twenty digits.
        """
        offered = self.request.headers.get("Sec-WebSocket-Protocol", "")
        if PROTOCOL not in [one.strip() for one in offered.split(",")]:
            raise HTTPError(400, "The page's protocol is asked for.")
        if kernel_id not in self.kernel_manager or not self._may_use(kernel_id):
            raise HTTPError(404)
        if self.kernel_manager.n_connections(kernel_id) >= SOCKETS_PER_KERNEL:
            raise HTTPError(429)
        await super().get(kernel_id=kernel_id)

    def check_origin(self, origin: str | None = None) -> bool:  # noqa: ARG002
        """Let it pass: the gate has compared the origin, and it knows the proxies."""
        return True

    def on_message(self, ws_message: Any) -> None:
        """Pass a message on to the kernel, if it is one."""
        if not self._may_use(self.kernel_id):
            self.close(1008, "the link was revoked")
            return
        if not is_message(ws_message):
            self.close(1007, "no message of the protocol")
            return
        try:
            super().on_message(ws_message)
        except Exception:  # a header that is none, a channel that is no text
            self.close(1007, "no message of the protocol")

    def write_message(self, message: Any, binary: bool = False) -> Any:
        """Pass a message of the kernel on, without tracebacks, and not to a page whose link was revoked.

        What libraries write of messages that they can't read has paths of this machine in it. It goes to the
        log instead, as one line.
        """
        if not self._may_use(self.kernel_id):
            self.close(1008, "the link was revoked")
            return None
        told = said_by_libraries(message) if binary and not self.shows_tracebacks else None
        if told is not None:
            self.log.warning("kernel: %s", told)
            return None
        return super().write_message(message, binary=binary)

    @property
    def shows_tracebacks(self) -> bool:
        """Whether the page shows tracebacks: lessons do, and the owner's own programs."""
        shows = self.application.settings.get("shows_tracebacks", False)
        return bool(shows) and self.application.guest(self.request) is None

    def _may_use(self, kernel_id: str) -> bool:
        return bool(self.application.may_use(self.request, self.kernel_manager.guests.get(kernel_id)))

    def on_close(self) -> None:
        """Let the kernel know, if there was a connection at all."""
        if getattr(self, "connection", None) is not None:
            super().on_close()


def said_by_libraries(frame: bytes) -> str | None:
    """The last line of a traceback or of the standard error; None of other messages."""
    if not is_message(frame):
        return None
    ends = [int.from_bytes(frame[8 * i : 8 * (i + 1)], "little") for i in range(1, 7)]
    kind = json.loads(frame[ends[1] : ends[2]]).get("msg_type")
    if kind not in ("error", "stream"):
        return None
    content = json.loads(frame[ends[4] : ends[5]])
    if kind == "error":
        return f"{content.get('ename')}: {content.get('evalue')!r:.200}"
    lines = str(content.get("text", "")).split()
    return None if content.get("name") != "stderr" else f"{' '.join(lines[-30:])!r:.300}"


def is_message(frame: str | bytes) -> bool:
    """Say whether a frame is cut into parts as the protocol has it."""
    if not isinstance(frame, bytes) or len(frame) < 8:
        return False
    n_offsets = int.from_bytes(frame[:8], "little")
    # The channel, header, parent header, metadata and content; then binary parts, and the end.
    if not 6 <= n_offsets <= 1000 or len(frame) < 8 * (n_offsets + 1):
        return False
    offsets = [int.from_bytes(frame[8 * (i + 1) : 8 * (i + 2)], "little") for i in range(n_offsets)]
    return offsets[0] == 8 * (n_offsets + 1) and offsets == sorted(offsets) and offsets[-1] == len(frame)
