"""The server: Voilà, set up for one packaged notebook.

Voilà's application serves a folder. This one serves a single page to those who have its link, so
most of this code removes things: other files, other requests, users' configuration.
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
import shutil
import socket
import tempfile
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

from jupyter_server.base.handlers import FileFindHandler
from jupyter_server.services.kernels.handlers import KernelHandler
from tornado.log import gen_log
from traitlets import Bool, Instance
from traitlets.config import Config
from voila.app import Voila, VoilaKernelWebsocketHandler
from voila.paths import collect_static_paths
from voila.static_file_handler import MultiStaticFileHandler
from voila.tornado.handler import TornadoVoilaHandler

from activeeval_widgets.app import TEMPLATES
from activeeval_widgets.app.access import Access
from activeeval_widgets.app.gate import Gate
from activeeval_widgets.app.guests import FOLDER_VARIABLE, Guests
from activeeval_widgets.app.handlers import (
    FaviconHandler,
    KernelStateHandler,
    LeaveHandler,
    NobodyInParticular,
    PageHandler,
)
from activeeval_widgets.app.hosting import Hosting
from activeeval_widgets.app.kernels import Kernels, OnlyThisPython
from activeeval_widgets.app.listening import end_tasks, serve_until, stop_event
from activeeval_widgets.app.page import is_of_python
from activeeval_widgets.app.page_socket import LARGEST_MESSAGE, MESSAGE_TYPES, PageSocketHandler
from activeeval_widgets.app.server_folder import server_folder

# Front-end extensions that the page needs. Other installed ones stay off the page.
EXTENSIONS = [
    "@jupyter-widgets/jupyterlab-manager",  # has the widgets; the next one connects them to the kernel
    "@voila-dashboards/widgets-manager8",
    "anywidget",
    "bqplot",
    "bqscales",  # bqplot's scales
]

FOR_GUESTS: dict[type, bool] = {
    FaviconHandler: True,
    FileFindHandler: True,
    KernelStateHandler: True,  # of his own kernel
    LeaveHandler: True,
    MultiStaticFileHandler: True,
    PageHandler: True,  # of the one session
    PageSocketHandler: True,  # to his own kernel
}
"""Whether a guest may use a handler; by default not."""

CULL_AFTER = 60  # seconds without a page after which a kernel is ended
CULL_EVERY = 15  # seconds between checks
LONGEST_SOCKET = 104  # bytes of a socket's path, on the most restrictive system


class PageServer(Voila):  # type: ignore[misc]
    """Voilà, which serves the packaged notebook on an open socket of this machine."""

    listening = Instance(socket.socket, help="The bound socket to serve on.")
    hosting = Instance(Hosting, help="Where the page is served, and to whom.")
    has_lessons = Bool(help="Whether the lessons are served, rather than one page.")

    def setup_template_dirs(self) -> None:
        """Use only this package's template and Voilà's scripts."""
        self.template_paths = [str(TEMPLATES / "activeeval"), str(TEMPLATES / "lessons")]
        self.static_paths = collect_static_paths(["voila"], "base")

    def init_handlers(self) -> list[Any]:
        """Return only the page's routes: no files, no folder listing, no login form."""
        ours: list[Any] = [(r"/favicon\.svg", FaviconHandler), (r"/voila/api/shutdown/.*", LeaveHandler)]
        instead = {KernelHandler: KernelStateHandler, VoilaKernelWebsocketHandler: PageSocketHandler}
        for pattern, handler, *options in super().init_handlers():
            if handler is TornadoVoilaHandler:
                ours += self._page_routes(options)
            elif handler is FileFindHandler:
                # Browsers keep files that have a hash of their content in the address.
                ours.append((pattern, handler, *({**option, "no_cache_paths": []} for option in options)))
            elif handler in instead or handler is MultiStaticFileHandler:
                ours.append((pattern, instead.get(handler, handler), *options))
        return ours

    def _page_routes(self, options: list[Any]) -> list[Any]:
        if not self.has_lessons:
            return [(r"/", PageHandler, *options)]
        # Not at the top: the import reads their files.
        from activeeval_widgets.app import lesson_pages
        from activeeval_widgets.lessons.catalog import copy_notebooks

        copy_notebooks(Path(self.root_dir))
        return lesson_pages.routes(*options)

    def _use_socket_files(self) -> None:
        """Keep the kernels' sockets in a folder that only this user can read, where possible."""
        longest = Path(self.connection_dir) / f"kernel-{uuid.uuid4()}-ipc-5"
        if os.name == "posix" and len(os.fsencode(longest)) < LONGEST_SOCKET:
            self.config.KernelManager.transport = "ipc"

    async def serve(self, on_ready: Callable[[str], None]) -> None:
        """Serve until SIGINT or SIGTERM, then end every kernel and connection; if that fails, the process."""
        stop = stop_event()
        self.port = self.listening.getsockname()[1]
        self.connection_dir = tempfile.mkdtemp(prefix="k-", dir=Path(self.notebook_path).parent)
        try:
            self._use_socket_files()
            settings = self.init_settings()
            self.kernel_manager.prepare()
            self.kernel_manager.allowed_message_types = MESSAGE_TYPES
            # The gate compares names and origins, and knows which proxies are allowed.
            settings |= {"allow_remote_access": True, "disable_check_xsrf": True}
            settings["websocket_max_message_size"] = LARGEST_MESSAGE
            settings["shows_tracebacks"] = self.has_lessons or is_of_python()
            folder = os.environ.get(FOLDER_VARIABLE)
            access = Access(self.hosting, self.port, None if folder is None else Guests(Path(folder)))
            allowed = tuple(handler for handler, is_allowed in FOR_GUESTS.items() if is_allowed)
            self.app = Gate(access, self.hosting.base_url, for_guests=allowed, **settings)
            self.app.add_handlers(r".*", self.init_handlers())
            await serve_until(stop, self.app, self.listening, lambda: on_ready(self.hosting.link(self.port)))
        finally:
            await self.kernel_manager.close()
            await end_tasks()
            shutil.rmtree(self.connection_dir, ignore_errors=True)


def build(
    listening: socket.socket, folder: Path, hosting: Hosting | None = None, *, has_lessons: bool = False
) -> PageServer:
    """Set up the server without starting it."""
    hosting = hosting or Hosting()
    notebook = folder / "app.ipynb"
    shutil.copyfile(Path(__file__).parent / "app.ipynb", notebook)
    config = Config()
    config.Voila.open_browser = False
    config.Voila.log_level = logging.WARNING
    config.VoilaConfiguration.template = "activeeval"
    config.VoilaConfiguration.allow_template_override = "NO"
    config.VoilaConfiguration.allow_theme_override = "NO"
    config.VoilaConfiguration.strip_sources = True
    config.VoilaConfiguration.show_tracebacks = has_lessons  # they hold no secrets
    config.VoilaConfiguration.extension_allowlist = EXTENSIONS
    config.VoilaConfiguration.kernel_spec_manager_class = OnlyThisPython
    config.VoilaConfiguration.multi_kernel_manager_class = Kernels
    config.VoilaConfiguration.preheat_kernel = False
    # Reloading a Voilà page leaves its kernel behind. A kernel with a page is never ended, however idle.
    config.MappingKernelManager.cull_idle_timeout = CULL_AFTER
    config.MappingKernelManager.cull_interval = CULL_EVERY
    config.MappingKernelManager.cull_connected = False
    config.Kernels.max_pages = hosting.max_pages
    config.Voila.identity_provider_class = NobodyInParticular
    # Configuration files in the working folder or the user's Jupyter folders are for other servers.
    server = PageServer(
        config=config,
        config_file_paths=[],
        notebook_path=str(notebook),
        listening=listening,
        hosting=hosting,
        has_lessons=has_lessons,
    )
    server.initialize(argv=[])
    for log in (server.log, gen_log):
        log.addFilter(_is_news)
    return server


ROUTINE = re.compile(
    "|".join(
        [
            r"Culling '",  # a kernel whose page was closed is ended
            r"Could not destroy zmq context",  # a spare kernel was ended while it started
            r"Notebook \w+\.ipynb is not trusted",  # it has no outputs to distrust
            r"The websocket_ping_timeout ",  # Jupyter's own default, read by tornado in another unit
        ]
    )
)


def _is_news(record: logging.LogRecord) -> bool:
    # Warnings of libraries that are routine here stay off the terminal.
    return ROUTINE.match(record.getMessage()) is None


def run(
    listening: socket.socket,
    hosting: Hosting,
    on_ready: Callable[[str], None],
    *,
    has_lessons: bool = False,
) -> None:
    """Serve the page until SIGINT or SIGTERM."""
    with listening, server_folder() as folder:
        asyncio.run(build(listening, folder, hosting, has_lessons=has_lessons).serve(on_ready))
