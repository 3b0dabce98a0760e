"""The process that kernels are forked from: ``python -m activeeval_widgets.app.forked_kernels.parent``.

The server writes one JSON object a line to its socket: ``{"id", "argv", "env", "cwd"}`` asks for a kernel.
The parent answers ``{"ready": true}`` once it has prepared the page, ``{"id", "pid"}`` for each kernel, and
``{"ended", "status"}`` when one has ended. It has one thread, so that it can be forked safely.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import select
import signal
import socket
import sys
import threading
import traceback
import warnings
from typing import Any

from activeeval_widgets.app.pages import PAGE_VARIABLE, from_text, page_of

UNSAFE_TO_FORK = 3  # the exit status if preparing the page has left a thread


def main(connection: int, server_alive: int) -> None:
    """Prepare the page, then fork kernels until the server ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server
    _import_all()
    _prepare()
    if threading.active_count() > 1:
        sys.exit(UNSAFE_TO_FORK)
    # All objects so far stay: the garbage collector would make each kernel copy their memory.
    gc.collect()
    gc.freeze()
    with socket.socket(fileno=connection) as server:
        _Parent(server, server_alive).run()


def _import_all() -> None:
    # A page has no debugger: without one, kernels start in half the time.
    sys.modules["debugpy"] = None  # type: ignore[assignment]
    import ipykernel.debugger

    del sys.modules["debugpy"]

    # Imported in advance: most of what a kernel needs.
    import anywidget  # noqa: F401
    import ipykernel.ipkernel
    import ipykernel.kernelapp  # noqa: F401
    import ipywidgets  # noqa: F401

    import activeeval_widgets.app.forked_kernels.child
    import activeeval_widgets.app.page
    import activeeval_widgets.widgets  # noqa: F401


def _prepare() -> None:
    try:
        from activeeval_widgets.session.stores.registry import load_libraries

        spec = from_text(os.environ[PAGE_VARIABLE])
        load_libraries(spec.get("store", ""))
        page_of(spec).prepare(spec)
    except (Exception, SystemExit):
        # The page's kernel meets the same error, and shows it.
        if os.environ.get("ACTIVEEVAL_WIDGETS_DEBUG"):
            traceback.print_exc()


class _Parent:
    """Forks kernels on request, and reports those that ended."""

    def __init__(self, server: socket.socket, server_alive: int) -> None:
        self._server, self._server_alive = server, server_alive
        self._kernels: set[int] = set()
        self._waked, self._wake = os.pipe()
        for end in (self._waked, self._wake):
            os.set_blocking(end, False)

    def run(self) -> None:
        """Answer the server's requests until it ends."""
        signal.set_wakeup_fd(self._wake, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        self._send({"ready": True})
        received = b""
        while True:
            readable, _, _ = select.select([self._server.fileno(), self._waked], [], [])
            if self._waked in readable:
                with contextlib.suppress(BlockingIOError):
                    os.read(self._waked, 4096)
                self._reap()
            if self._server.fileno() in readable:
                try:
                    part = self._server.recv(65536)
                except ConnectionResetError:  # the server has ended, and not read the last message
                    break
                if not part:
                    break
                *lines, received = (received + part).split(b"\n")
                for line in lines:
                    self._fork(json.loads(line))
        for pid in self._kernels:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def _fork(self, asked: dict[str, Any]) -> None:
        sys.stdout.flush()
        sys.stderr.flush()
        try:
            with warnings.catch_warnings():
                # The only other thread is that of pyarrow's allocator, which is prepared for forks.
                warnings.filterwarnings("ignore", ".*multi-threaded.*fork", DeprecationWarning)
                pid = os.fork()
        except OSError as error:  # no memory, or too many processes
            self._send({"id": asked["id"], "error": str(error)})
            return
        if pid == 0:
            self._run_kernel(asked)
        self._kernels.add(pid)
        self._send({"id": asked["id"], "pid": pid})

    def _run_kernel(self, asked: dict[str, Any]) -> None:
        status = 1
        try:
            signal.set_wakeup_fd(-1)
            self._server.close()
            os.close(self._waked)
            os.close(self._wake)
            from activeeval_widgets.app.forked_kernels.child import become_kernel

            become_kernel(asked["argv"], asked["env"], asked["cwd"], self._server_alive)
            status = 0
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 0
        except BaseException:
            traceback.print_exc()
        finally:
            # After any error, this process must not continue as a second parent.
            os._exit(status)

    def _reap(self) -> None:
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if not pid:
                return
            self._kernels.discard(pid)
            self._send({"ended": pid, "status": os.waitstatus_to_exitcode(status)})

    def _send(self, answer: dict[str, Any]) -> None:
        # Reading notices that the server has ended.
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            self._server.sendall(json.dumps(answer).encode() + b"\n")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
