"""The local server: Voilà, set up for one packaged notebook and one person.

Voilà's stock application serves a folder to a network. This one serves a single page to the machine it
runs on, so most of what follows takes things away: other hosts, other files, other people's configuration.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import faulthandler
import logging
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import tornado.web
from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_server.services.kernels.kernelmanager import AsyncMappingKernelManager
from tornado.httpserver import HTTPServer
from tornado.log import gen_log
from traitlets import Instance
from traitlets.config import Config
from voila.app import Voila
from voila.paths import collect_static_paths
from voila.static_file_handler import AllowListFileHandler, TemplateStaticFileHandler
from voila.tornado.handler import TornadoVoilaHandler

from activeeval_widgets.app.handlers import FaviconHandler, LeaveHandler, PageHandler

HOST = "127.0.0.1"
DEFAULT_PORT = 8866
TEMPLATES = Path(__file__).parent / "templates"

# Front-end extensions the page needs. Whatever else is installed beside us stays off the page.
EXTENSIONS = [
    "@jupyter-widgets/jupyterlab-manager",  # brings the widgets, the next one their connection to the kernel
    "@voila-dashboards/widgets-manager8",
    "anywidget",
]

CULL_AFTER = 60  # seconds a kernel may be without a page before it is ended
CULL_EVERY = 15  # seconds between two looks
END_WITHIN = 15  # seconds from Ctrl-C: a server that hangs then says where, and ends
REFILL_DELAY = 8.0  # seconds before a spare kernel is started: the page that took the last one comes first


class OnlyThisPython(KernelSpecManager):
    """Offers the running interpreter as the only kernel, whatever the user has registered as ``python3``."""

    def _kernel_dirs_default(self) -> list[str]:
        return []

    def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
        """Return the kernel without the user's own IPython profile, history and start-up files."""
        spec = super().get_kernel_spec(kernel_name)
        server = cast("PageServer", self.parent)
        spec.argv = [
            *spec.argv,
            f"--ipython-dir={server.connection_dir}",
            "--HistoryManager.enabled=False",
            "--IPKernelApp.log_level=ERROR",
        ]
        return spec


class Kernels(AsyncMappingKernelManager):
    """Kernel manager whose spare (preheated) kernel never competes with a page that is loading."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)  # type: ignore[no-untyped-call]
        self._spare: subprocess.Popen[bytes] | None = None
        self._first_spare = True
        self._closing = asyncio.Event()
        self._starting: set[asyncio.Future[str]] = set()

    async def start_kernel(self, **kwargs: Any) -> str:  # type: ignore[override]
        """Start a kernel; a spare one waits its turn, and none starts while the server closes."""
        is_spare = kwargs.get("env", {}).get("VOILA_PREHEAT") == "True"
        if is_spare and not self._first_spare:
            # Voilà's own delay cannot be cut short, and the server's end would wait for it.
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._closing.wait(), REFILL_DELAY)
        if self._closing.is_set():
            raise RuntimeError("The server is closing.")
        if is_spare:
            self._first_spare = False
        starting: asyncio.Future[str] = asyncio.ensure_future(super().start_kernel(**kwargs))
        self._starting.add(starting)
        try:
            started = await starting
        finally:
            self._starting.discard(starting)
        if is_spare:
            self._spare = getattr(self.get_kernel(started).provisioner, "process", None)
        return started

    def take_spare(self) -> bool:
        """Say whether the spare kernel's process runs, so that taking it beats starting another; once each.

        One that has died, and was started again, has forgotten the page that it had prepared.
        """
        spare, self._spare = self._spare, None
        return spare is not None and spare.poll() is None

    async def close(self) -> None:
        """End all kernels at once.

        Nothing is lost by not asking them: a label is committed before the page is told that it is kept,
        while a spare kernel, which blocks in its cell, would take seconds to answer.
        """
        self._closing.set()
        # One that is half started can't be ended yet, and would outlive the server.
        await asyncio.gather(*self._starting, return_exceptions=True)
        await self.shutdown_all(now=True)


class PageServer(Voila):  # type: ignore[misc]
    """Voilà, serving the packaged notebook on an open socket of this machine."""

    listening = Instance(socket.socket, help="The bound socket to serve on.")

    def setup_template_dirs(self) -> None:
        """Take the template from this package, the scripts from Voilà, and nothing from elsewhere."""
        self.template_paths = [str(TEMPLATES / "activeeval")]
        self.static_paths = collect_static_paths(["voila"], "base")

    def init_handlers(self) -> list[Any]:
        """Routes of the page alone: no files, no folder listing, no login form."""
        ours: list[Any] = [(r"/favicon\.svg", FaviconHandler), (r"/voila/api/shutdown/.*", LeaveHandler)]
        unwanted = (AllowListFileHandler, TemplateStaticFileHandler)
        for route in super().init_handlers():
            if route[1] is TornadoVoilaHandler:
                ours.append((r"/", PageHandler, *route[2:]))
            elif not issubclass(route[1], unwanted) and not route[0].startswith(("/login", "/logout")):
                ours.append(route)
        return ours

    async def serve(self, on_ready: Callable[[str], None]) -> None:
        """Serve until SIGINT or SIGTERM, then end every kernel and connection; if that fails, the process."""
        stop = asyncio.Event()
        _on_signals(stop.set)
        self.port = self.listening.getsockname()[1]
        self.connection_dir = tempfile.mkdtemp(prefix="activeeval-widgets-")
        try:
            settings = self.init_settings()
            # Checked for every kernel connection: a foreign name that resolves to this machine is refused.
            settings["allow_remote_access"] = False
            self.app = tornado.web.Application(**settings)
            # The same once more for plain files, which do not look at the Host header themselves.
            self.app.add_handlers(r"(127\.0\.0\.1|localhost)", self.init_handlers())
            server = HTTPServer(self.app)
            server.add_socket(self.listening)
            on_ready(f"http://{HOST}:{self.port}/")
            await stop.wait()
            if sys.__stderr__ is not None:
                faulthandler.dump_traceback_later(END_WITHIN, exit=True, file=sys.__stderr__)
            server.stop()
        finally:
            await self.kernel_manager.close()
            await _end_tasks()
            shutil.rmtree(self.connection_dir, ignore_errors=True)


async def _end_tasks() -> None:
    """Cancel all that still runs, until it has ended.

    Once is not enough: a connection that is being made to a kernel takes that for the end of its question to
    the kernel, and goes on to wait for what the page sends.
    """
    asyncio.get_running_loop().set_exception_handler(_tell_unless_cancelled)
    while running := asyncio.all_tasks() - {asyncio.current_task()}:
        for task in running:
            task.cancel()
        await asyncio.wait(running, timeout=0.1)


def _tell_unless_cancelled(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    if not isinstance(context.get("exception"), asyncio.CancelledError):
        loop.default_exception_handler(context)


def _on_signals(callback: Callable[[], None]) -> None:
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(number, callback)
        except NotImplementedError:  # Windows' event loop has no signals of its own
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(callback))


def open_socket(port: int | None = None) -> socket.socket:
    """Bind a port of this machine's loopback address.

    Parameters
    ----------
    port : int, optional
        The port to take, 0 for any free one. None takes `DEFAULT_PORT`, or any free one if that is in use.

    Returns
    -------
    socket.socket
        A bound and listening socket; connections wait in its queue until it is served.

    Raises
    ------
    OSError
        If `port` was given and cannot be bound.
    """
    wanted = DEFAULT_PORT if port is None else port
    try:
        return _bind(wanted)
    except OSError as error:
        if port is not None or error.errno not in (errno.EADDRINUSE, errno.EACCES):
            raise
        return _bind(0)


def _bind(port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        if sys.platform != "win32":  # there the option would let two servers share a port
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.setblocking(False)
        listening.bind((HOST, port))
        listening.listen(128)
    except OSError:
        listening.close()
        raise
    return listening


def build(listening: socket.socket, folder: Path) -> PageServer:
    """Set up the server; nothing runs yet.

    Parameters
    ----------
    listening : socket.socket
        From `open_socket`.
    folder : Path
        An empty folder that the notebook is copied to. It becomes the kernels' working folder.

    Returns
    -------
    PageServer
        Whose `serve` runs it.
    """
    notebook = folder / "app.ipynb"
    shutil.copyfile(Path(__file__).parent / "app.ipynb", notebook)
    config = Config()
    config.Voila.open_browser = False
    config.Voila.log_level = logging.WARNING
    config.VoilaConfiguration.template = "activeeval"
    config.VoilaConfiguration.allow_template_override = "NO"
    config.VoilaConfiguration.allow_theme_override = "NO"
    config.VoilaConfiguration.strip_sources = True
    config.VoilaConfiguration.show_tracebacks = False
    config.VoilaConfiguration.extension_allowlist = EXTENSIONS
    config.VoilaConfiguration.kernel_spec_manager_class = OnlyThisPython
    config.VoilaConfiguration.multi_kernel_manager_class = Kernels
    config.VoilaConfiguration.preheat_kernel = True
    config.VoilaConfiguration.default_pool_size = 1
    # Refreshing a Voilà page leaves its kernel behind. One with a page is never ended, however idle.
    config.MappingKernelManager.cull_idle_timeout = CULL_AFTER
    config.MappingKernelManager.cull_interval = CULL_EVERY
    config.MappingKernelManager.cull_connected = False
    config.VoilaKernelManager.fill_delay = 0.0  # `Kernels` waits instead
    # Configuration files in the working folder or the user's Jupyter folders are not meant for this server.
    server = PageServer(config=config, config_file_paths=[], notebook_path=str(notebook), listening=listening)
    server.initialize(argv=[])
    for log in (server.log, gen_log):
        log.addFilter(_is_news)
    return server


ROUTINE = re.compile(
    "|".join(
        [
            r"Culling '",  # a kernel whose page was closed is ended
            r"Could not destroy zmq context",  # a spare kernel was ended while it started
            r"Notebook app\.ipynb is not trusted",  # it has no outputs that one could distrust
            r"The websocket_ping_timeout ",  # Jupyter's own default, read by tornado in another unit
        ]
    )
)


def _is_news(record: logging.LogRecord) -> bool:
    # What the libraries warn of, but which is routine here, stays off the terminal.
    return ROUTINE.match(record.getMessage()) is None


def run(listening: socket.socket, on_ready: Callable[[str], None]) -> None:
    """Serve the page until SIGINT or SIGTERM.

    Parameters
    ----------
    listening : socket.socket
        From `open_socket`; closed at the end.
    on_ready : callable
        Called with the page's address when the server answers.
    """
    with listening, tempfile.TemporaryDirectory(prefix="activeeval-widgets-") as folder:
        asyncio.run(build(listening, Path(folder)).serve(on_ready))
