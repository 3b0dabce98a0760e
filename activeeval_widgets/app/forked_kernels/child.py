"""Turn a forked process into a kernel."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
from comm import get_comm_manager
from ipykernel import kernelapp
from ipykernel.iostream import IOPubThread
from ipykernel.kernelapp import IPKernelApp
from ipywidgets import Widget

from activeeval_widgets.app.page import CONTROL

_OWN_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGCHLD, signal.SIGHUP, signal.SIGPIPE)


class OutputThread(IOPubThread):
    """Sends a kernel's output, without the port for the output of its subprocesses."""

    def __init__(self, socket: Any, pipe: bool = False, **options: Any) -> None:  # noqa: ARG002
        super().__init__(socket, pipe=False, **options)  # type: ignore[no-untyped-call]


class ForkedKernelApp(IPKernelApp):
    """A kernel that ends with the server, not with the process that it was forked from."""

    server_alive: int  # a pipe without writes, closed when the server ends

    def init_poller(self) -> None:
        """Watch the server instead of the parent process."""
        Thread(target=self._end_with_server, name="server", daemon=True).start()

    def _end_with_server(self) -> None:
        with contextlib.suppress(OSError):
            os.read(self.server_alive, 1)
        os._exit(1)

    def log_connection_info(self) -> None:
        """Log nothing: the server knows the connection."""


def become_kernel(argv: Sequence[str], env: Mapping[str, str], cwd: str, server_alive: int) -> None:
    """Run a kernel in this process, which was just forked, until it ends."""
    os.setsid()  # keep signals to the terminal or to other kernels away
    for number in _OWN_SIGNALS:
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)  # Python's default
    os.environ.clear()
    os.environ.update(env)
    os.chdir(cwd)
    sys.argv = ["ipykernel_launcher", *argv]
    random.seed()
    np.random.seed()  # noqa: NPY002 - code may use the global generator
    with contextlib.suppress(OSError):  # for lists of processes, on Linux
        kernel = next((Path(arg).stem.removeprefix("kernel-") for arg in argv if arg.endswith(".json")), "")
        Path("/proc/self/comm").write_text(f"kernel {kernel[:8]}")
    setattr(kernelapp, "IOPubThread", OutputThread)  # noqa: B010 - the kernel's app has no option for it
    app = ForkedKernelApp.instance()
    app.server_alive = server_alive
    app.initialize(list(argv))  # type: ignore[no-untyped-call]
    # ipywidgets does this where it is imported in a kernel, and it was imported before.
    get_comm_manager().register_target(CONTROL, Widget.handle_control_comm_opened)
    app.start()  # type: ignore[no-untyped-call]
