"""The websocket between a page and its kernel, which filters messages."""

from __future__ import annotations

import json
from typing import Any

from tornado.web import HTTPError
from voila.app import VoilaKernelWebsocketHandler

PROTOCOL = "v1.kernel.websocket.jupyter.org"
LARGEST_MESSAGE = 8 * 1024 * 1024  # bytes
SOCKETS_PER_KERNEL = 8

# Those that widgets need; none carries code.
MESSAGE_TYPES = ["comm_open", "comm_close", "comm_msg", "comm_info_request", "kernel_info_request"]


class PageSocketHandler(VoilaKernelWebsocketHandler):  # type: ignore[misc]
    """Passes messages of the page's protocol, and closes at anything else."""

    async def get(self, kernel_id: str) -> None:
        """Open the websocket, if the page uses the newer protocol."""
        offered = self.request.headers.get("Sec-WebSocket-Protocol", "")
        # Voilà would misread a message of the older protocol, and count to a number of twenty digits.
        if PROTOCOL not in [one.strip() for one in offered.split(",")]:
            raise HTTPError(400, "The page's protocol is asked for.")
        if kernel_id not in self.kernel_manager or not self._may_use(kernel_id):
            raise HTTPError(404)
        if self.kernel_manager.n_connections(kernel_id) >= SOCKETS_PER_KERNEL:
            raise HTTPError(429)
        await super().get(kernel_id=kernel_id)

    def check_origin(self, origin: str | None = None) -> bool:  # noqa: ARG002
        """Accept any origin: the gate, which knows the proxies, has checked it."""
        return True

    def on_message(self, ws_message: Any) -> None:
        """Pass a valid message on to the kernel."""
        if not self._may_use(self.kernel_id):
            self.close(1008, "the link was revoked")
            return
        if not is_message(ws_message):
            self.close(1007, "no message of the protocol")
            return
        try:
            super().on_message(ws_message)
        except Exception:  # an invalid header or channel
            self.close(1007, "no message of the protocol")

    def write_message(self, message: Any, binary: bool = False) -> Any:
        """Pass a message of the kernel on while the link is valid, without tracebacks, which hold paths."""
        if not self._may_use(self.kernel_id):
            self.close(1008, "the link was revoked")
            return None
        error = library_error(message) if binary and not self.shows_tracebacks else None
        if error is not None:
            self.log.warning("kernel: %s", error)
            return None
        return super().write_message(message, binary=binary)

    @property
    def shows_tracebacks(self) -> bool:
        """Whether the page shows tracebacks, as lessons and the owner's programs do."""
        shows = self.application.settings.get("shows_tracebacks", False)
        return bool(shows) and self.application.guest(self.request) is None

    def _may_use(self, kernel_id: str) -> bool:
        return bool(self.application.may_use(self.request, self.kernel_manager.guests.get(kernel_id)))

    def on_close(self) -> None:
        """Close the connection to the kernel, if there is one."""
        if getattr(self, "connection", None) is not None:
            super().on_close()


def library_error(frame: bytes) -> str | None:
    """Return the end of a traceback or of standard error in a message; None for other messages."""
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
    """Return whether a frame is divided into parts as the protocol requires."""
    if not isinstance(frame, bytes) or len(frame) < 8:
        return False
    n_offsets = int.from_bytes(frame[:8], "little")
    # Channel, header, parent header, metadata and content; then binary parts, and the end.
    if not 6 <= n_offsets <= 1000 or len(frame) < 8 * (n_offsets + 1):
        return False
    offsets = [int.from_bytes(frame[8 * (i + 1) : 8 * (i + 2)], "little") for i in range(n_offsets)]
    return offsets[0] == 8 * (n_offsets + 1) and offsets == sorted(offsets) and offsets[-1] == len(frame)
