"""The websocket between a page and its kernel, and what may pass through it."""

from __future__ import annotations

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

    def _may_use(self, kernel_id: str) -> bool:
        return bool(self.application.may_use(self.request, self.kernel_manager.guests.get(kernel_id)))

    def on_close(self) -> None:
        """Let the kernel know, if there was a connection at all."""
        if getattr(self, "connection", None) is not None:
            super().on_close()


def is_message(frame: str | bytes) -> bool:
    """Say whether a frame is cut into parts as the protocol has it.

    Parameters
    ----------
    frame : str or bytes
        What came over the websocket.

    Returns
    -------
    bool
        Whether it begins with the number of its offsets and with offsets that rise and stay within it.
        Jupyter takes them at their word.
    """
    if not isinstance(frame, bytes) or len(frame) < 8:
        return False
    n_offsets = int.from_bytes(frame[:8], "little")
    # The channel, header, parent header, metadata and content; then binary parts, and the end.
    if not 6 <= n_offsets <= 1000 or len(frame) < 8 * (n_offsets + 1):
        return False
    offsets = [int.from_bytes(frame[8 * (i + 1) : 8 * (i + 2)], "little") for i in range(n_offsets)]
    return offsets[0] == 8 * (n_offsets + 1) and offsets == sorted(offsets) and offsets[-1] == len(frame)
