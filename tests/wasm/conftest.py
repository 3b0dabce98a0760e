"""Pages whose Python runs in the browser: `make test-wasm` names an unpacked Pyodide in PYODIDE."""

import os
import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from click.testing import CliRunner
from playwright.sync_api import Browser, BrowserContext

from activeeval_widgets.app.cli import main

from ..browser.conftest import browser_context_args, browser_type_launch_args  # noqa: F401

collect_ignore_glob = [] if "PYODIDE" in os.environ else ["test_*.py"]


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *_arguments: object) -> None:
        pass


@pytest.fixture(scope="module")
def serve() -> Iterator[Callable[[Path], str]]:
    """Serves a folder by a plain web server, and returns its address."""
    servers: list[ThreadingHTTPServer] = []

    def served(folder: Path) -> str:
        server = ThreadingHTTPServer(("127.0.0.1", 0), partial(QuietHandler, directory=folder))
        servers.append(server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{server.server_port}/"

    yield served
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.fixture(scope="module")
def export(tmp_path_factory: pytest.TempPathFactory, serve: Callable[[Path], str]) -> Callable[..., str]:
    """Exports a page, serves it from a folder of a plain web server, and returns its address."""

    def exported(*command: str, pyodide: str | None = os.environ.get("PYODIDE")) -> str:
        folder = tmp_path_factory.mktemp("page")
        place = "--export-page" if command[0] == "race" else "--output"
        options = () if pyodide is None else ("--pyodide", pyodide)
        found = CliRunner().invoke(main, [*command, place, str(folder / "a project"), *options])
        assert found.exit_code == 0, found.output
        return f"{serve(folder)}a%20project/"

    return exported


@pytest.fixture(scope="module")
def digits(export: Callable[..., str]) -> str:
    """The address of a page of digits."""
    return export("export-page", "digits")


@pytest.fixture
def context(browser: Browser, tmp_path: Path) -> Iterator[BrowserContext]:
    """A browser that has kept nothing yet."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    yield context
    context.close()
