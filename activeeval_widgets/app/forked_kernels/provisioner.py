"""The server's side of forked kernels: run the parent process, and request kernels from it."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import logging
import os
import signal
import socket
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

from jupyter_client.connect import KernelConnectionInfo
from jupyter_client.provisioning.factory import KernelProvisionerFactory
from jupyter_client.provisioning.local_provisioner import LocalProvisioner

from activeeval_widgets.app.forked_kernels.parent import UNSAFE_TO_FORK

PROVISIONER = "activeeval-widgets-forked"
TRIES = 3
END_WITHIN = 1.0  # seconds; it may be busy with the page
ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")

_log = logging.getLogger("activeeval_widgets.app")


def can_fork() -> bool:
    """Return whether kernels can be forked on this system; macOS' own libraries do not survive it."""
    return hasattr(os, "fork") and sys.platform != "darwin"


def register() -> None:
    """Register the provisioner with Jupyter, in this process only."""
    KernelProvisionerFactory.instance().provisioners[PROVISIONER] = EntryPoint(
        PROVISIONER, f"{__name__}:ForkedProvisioner", KernelProvisionerFactory.GROUP_NAME
    )


def command(connection: int, server_alive: int) -> list[str]:
    """Return the command that runs the parent, without imports from the working folder."""
    module = "activeeval_widgets.app.forked_kernels.parent"
    return [sys.executable, "-P", "-m", module, str(connection), str(server_alive)]


class ForkedKernel:
    """A kernel's process with the interface of `subprocess.Popen`; it is no child of this process."""

    stdin = stdout = stderr = None

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None  # as its parent reports it

    def poll(self) -> int | None:
        """Return its exit status, or None while it runs; its parent may be unable to report it."""
        if self.returncode is None and not _is_running(self.pid):
            self.returncode = -1
        return self.returncode

    def wait(self, timeout: float | None = None) -> int | None:  # noqa: ARG002
        """Return its exit status; called only after `poll` returned one."""
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send a signal to it and its children."""
        if self.poll() is None:
            try:
                os.killpg(self.pid, number)
            except ProcessLookupError:  # just forked, it leads no group yet
                os.kill(self.pid, number)

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)


def _is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, PermissionError):
        return False
    # A zombie still answers signal 0.
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    return not Path("/proc/self/stat").exists()


class KernelParent:
    """The process that kernels are forked from; restarted a few times, then kernels start without it."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._alive: tuple[int, int] | None = None
        self._writer: asyncio.StreamWriter | None = None
        self._reading: asyncio.Task[None] | None = None
        self._ready: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._requests: dict[int, asyncio.Future[int | None]] = {}
        self._kernels: dict[int, ForkedKernel] = {}
        self._ids = itertools.count()
        self._is_closing = False

    @property
    def pid(self) -> int | None:
        """The process id of the parent, None if there is none."""
        return self._process.pid if self._process is not None else None

    def start(self) -> None:
        """Start the process; requests for kernels wait for it."""
        self._alive = os.pipe()  # inherited only where asked for
        self._reading = asyncio.ensure_future(self._run(self._alive[0]))

    async def _run(self, server_alive: int) -> None:
        for _ in range(TRIES):
            status = await self._run_once(server_alive)
            if self._is_closing:
                break
            if status == UNSAFE_TO_FORK:
                _log.info("Preparing the page has left a thread; kernels are started one by one.")
                break
            _log.warning("The process that kernels are forked from has ended (%s).", status)
        if not self._ready.done():
            self._ready.set_result(False)

    async def _run_once(self, server_alive: int) -> int:
        ours, its = socket.socketpair()
        reader, self._writer = await asyncio.open_connection(sock=ours)
        with its:
            self._process = subprocess.Popen(  # noqa: S603 - our own command
                command(its.fileno(), server_alive),
                stdin=subprocess.DEVNULL,
                env={**os.environ, **dict.fromkeys(ONE_THREAD, "1")},
                pass_fds=(its.fileno(), server_alive),
                start_new_session=True,
            )
        process = self._process
        try:
            while line := await reader.readline():
                self._handle_message(json.loads(line))
        except ConnectionResetError:
            pass
        finally:
            self._forget_all()
            self._writer.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            return await asyncio.to_thread(process.wait, 5)
        process.kill()
        return process.wait()

    def _handle_message(self, message: dict[str, Any]) -> None:
        if "ready" in message:
            if not self._ready.done():
                self._ready.set_result(True)
        elif "ended" in message:
            kernel = self._kernels.pop(message["ended"], None)
            if kernel is not None:
                kernel.returncode = message["status"]
        else:
            if "pid" in message:
                self._kernels[message["pid"]] = ForkedKernel(message["pid"])
            else:
                _log.warning("A kernel could not be forked: %s", message["error"])
            asked = self._requests.pop(message["id"])
            if not asked.done():
                asked.set_result(message.get("pid"))

    def _forget_all(self) -> None:
        if self._ready.done():  # later requests wait for the next parent
            self._ready = asyncio.get_running_loop().create_future()
        self._kernels.clear()
        for asked in self._requests.values():
            if not asked.done():
                asked.set_result(None)
        self._requests.clear()

    async def is_ready(self) -> bool:
        """Wait until kernels can be forked, or cannot be."""
        return await asyncio.shield(self._ready)

    async def fork(self, argv: list[str], env: dict[str, str], cwd: str) -> ForkedKernel | None:
        """Fork a kernel, or return None if that cannot be done."""
        if not await self.is_ready() or self._is_closing or self._writer is None:
            return None
        asked_id = next(self._ids)
        asked = self._requests[asked_id] = asyncio.get_running_loop().create_future()
        request = {"id": asked_id, "argv": argv, "env": env, "cwd": cwd}
        self._writer.write(json.dumps(request).encode() + b"\n")
        pid = await asked
        return None if pid is None else self._kernels.get(pid)

    def refuse(self) -> None:
        """Fork no more kernels; pending requests fail."""
        self._is_closing = True
        if not self._ready.done():
            self._ready.set_result(False)

    async def close(self) -> None:
        """End the process and all kernels."""
        self.refuse()
        if self._writer is not None:
            self._writer.close()
        if self._reading is not None:
            await asyncio.wait([self._reading], timeout=END_WITHIN)
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        if self._alive is not None:
            for end in self._alive:
                os.close(end)
            self._alive = None


class ForkedProvisioner(LocalProvisioner):
    """Forks a kernel if possible, or starts one as Jupyter does."""

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> KernelConnectionInfo:
        """Launch a kernel, given the command that would start one."""
        kernels: Any = self.parent.parent  # type: ignore[union-attr] # the kernel's manager, and the manager of all
        forked = None
        if kernels.kernel_parent is not None:
            argv = cmd[cmd.index("ipykernel_launcher") + 1 :]
            cwd = str(kwargs.get("cwd") or Path.cwd())
            forked = await kernels.kernel_parent.fork(argv, kwargs["env"], cwd)
        if forked is None:
            return await super().launch_kernel(cmd, **kwargs)
        self.process: Any = forked
        self.pid, self.cwd = forked.pid, kwargs.get("cwd")
        self.pgid = None  # signals go to the group by the process itself
        return self.connection_info
