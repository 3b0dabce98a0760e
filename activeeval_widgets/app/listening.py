"""Open a server's socket, and serve until Ctrl-C."""

from __future__ import annotations

import asyncio
import errno
import faulthandler
import signal
import socket
import sys
from collections.abc import Callable
from typing import Any

import tornado.web
from tornado.httpserver import HTTPServer

from activeeval_widgets.app.hosting import Hosting

DEFAULT_PORT = 8866

END_WITHIN = 15  # seconds from Ctrl-C, after which a hanging server logs where, and ends
IDLE_CONNECTION = 60  # seconds that a connection may be silent
LARGEST_BODY = 64 * 1024  # bytes; uploads use the websocket


def stop_event() -> asyncio.Event:
    """Return an event that SIGINT or SIGTERM sets."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(number, stop.set)
        except NotImplementedError:  # Windows' event loop has no signals of its own
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(stop.set))
    return stop


async def serve_until(
    stop: asyncio.Event,
    app: tornado.web.Application,
    listening: socket.socket,
    on_ready: Callable[[], None],
) -> None:
    """Serve an application until the event is set; the caller then has `END_WITHIN` seconds to end."""
    server = HTTPServer(app, idle_connection_timeout=IDLE_CONNECTION, max_body_size=LARGEST_BODY)
    server.add_socket(listening)
    on_ready()
    await stop.wait()
    if sys.__stderr__ is not None:
        faulthandler.dump_traceback_later(END_WITHIN, exit=True, file=sys.__stderr__)
    server.stop()


async def end_tasks() -> None:
    """Cancel all running tasks until they have ended."""
    asyncio.get_running_loop().set_exception_handler(_report_unless_cancelled)
    while running := asyncio.all_tasks() - {asyncio.current_task()}:
        # Again and again: a task that connects to a kernel takes the first time for its request's end.
        for task in running:
            task.cancel()
        await asyncio.wait(running, timeout=0.1)


def _report_unless_cancelled(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    if not isinstance(context.get("exception"), asyncio.CancelledError):
        loop.default_exception_handler(context)


def open_socket(hosting: Hosting) -> socket.socket:
    """Bind a port of this machine."""
    wanted = DEFAULT_PORT if hosting.port is None else hosting.port
    try:
        return _bind(hosting.host, wanted)
    except OSError as error:
        if hosting.port is not None or error.errno not in (errno.EADDRINUSE, errno.EACCES):
            raise
        return _bind(hosting.host, 0)


def _bind(host: str, port: int) -> socket.socket:
    family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        if sys.platform != "win32":  # on Windows the option would let two servers share a port
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.setblocking(False)
        listening.bind(address)
        listening.listen(128)
    except OSError:
        listening.close()
        raise
    return listening
