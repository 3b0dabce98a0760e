import contextlib
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from zlib import crc32

import comm
import ipywidgets
import nbformat
import numpy as np
import pytest
from playwright.sync_api import BrowserContext, BrowserType, ConsoleMessage, Locator, Page, Response, expect

from activeeval_widgets.demos import Demo
from activeeval_widgets.stats import (
    AdaptiveConfidenceSequence,
    Estimate,
    adaptive_q,
    draw_without_replacement,
    estimate_adaptive,
)

from ..app.conftest import descendants
from .stranger import ROOT, Machine
from .without_kernel import RecordingComm

HERE = Path(__file__).parent
LONGEST = (
    "test_newcomer",
    "test_demos",
    "test_notebook",
    "test_session",
    "test_several_people",
    "test_fast_keys",
    "test_connection",
    "test_views",
    "test_race",
    "test_make_demo",
    "test_serve",
    "test_sheets",
    "test_lessons",
    "test_start",
)
PATIENCE = 120_000
"""Milliseconds that a test waits for what will come: on a busy machine, a kernel's start takes that long."""
expect.set_options(timeout=PATIENCE)

# Voilà's own page asks a content network for fonts. (The package's page does not; see test_page.)
# A route that aborts this would keep the browser from caching scripts.
HERE_ALONE = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"

# Pages share a process: one that has compiled their scripts and need not be started.
ONE_PROCESS = "--renderer-process-limit=1"

# Debian's Chromium without windows comes first: the same engine, in two thirds of the time.
BROWSERS = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the longest files, so that both processes end at about the same time."""

    def rank(item: pytest.Item) -> int:
        name = item.path.stem if HERE in item.path.parents else ""
        return LONGEST.index(name) if name in LONGEST else len(LONGEST)

    items.sort(key=rank)


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    folder = tmp_path_factory.mktemp("stranger")
    kernel = folder / "jupyter" / "kernels" / "python3"
    kernel.mkdir(parents=True)
    (kernel / "kernel.json").write_text(
        '{"argv": ["/bin/false", "{connection_file}"], "display_name": "Python 3", "language": "python"}'
    )
    return Machine(folder)


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("clone") / "activeeval_widgets"
    if (ROOT / ".git").exists():
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(folder)], check=True)
    else:  # the source distribution
        shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(".venv", ".*_cache", "__pycache__"))
    return folder


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """Use the system's own Chromium. Without one the tests fail: skipped, they would prove nothing."""
    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
    assert path, "No Chromium or Chrome found; tools/install_browser.sh installs one."
    return {
        **browser_type_launch_args,
        "executable_path": path,
        "args": [
            "--no-sandbox",
            "--disable-gpu",
            "--disable-background-networking",
            ONE_PROCESS,
            HERE_ALONE,
        ],
    }


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    return {**browser_context_args, "viewport": {"width": 1280, "height": 800}}


@pytest.fixture(scope="session")
def browser_profile(
    browser_type: BrowserType,
    browser_type_launch_args: dict[str, Any],
    browser_context_args: dict[str, Any],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[BrowserContext]:
    """One profile on disk for all tests of this process: scripts stay compiled, half the work of a page."""
    folder = tmp_path_factory.mktemp("profile")
    context = browser_type.launch_persistent_context(
        folder, **browser_type_launch_args, **browser_context_args
    )
    # What must be quick says so itself.
    context.set_default_timeout(PATIENCE)
    yield context
    context.close()


@pytest.fixture
def context(browser_profile: BrowserContext) -> Iterator[BrowserContext]:
    """The profile; afterwards nothing is left in it but compiled scripts."""
    [blank] = browser_profile.pages  # without any page, the browser would end
    yield browser_profile
    pages = [page for page in browser_profile.pages if page is not blank]
    addresses = [urlsplit(frame.url) for page in pages for frame in page.frames]
    for page in pages:
        page.close()
    devtools = browser_profile.new_cdp_session(blank)
    for origin in {f"{address.scheme}://{address.netloc}" for address in addresses if address.netloc}:
        devtools.send(
            "Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "local_storage,indexeddb"}
        )
    devtools.detach()
    browser_profile.clear_cookies()
    browser_profile.clear_permissions()


@dataclass
class DemoServer:
    """A demo in a process of its own."""

    process: subprocess.Popen[str]
    url: str  # the printed link, with the token
    store: Path
    errors: Path
    is_killed: bool = False

    def session(self, name: str) -> str:
        """Return the link to a session."""
        return f"{self.url}&session={name}"

    def kernels(self) -> list[int]:
        """Return the process ids of its kernels, and of the process that they are forked from."""
        return descendants(self.process.pid)

    def kill(self) -> None:
        """Kill it and its kernels, as a machine that runs out of memory does."""
        self.is_killed = True
        for process in [*self.kernels(), self.process.pid]:
            os.kill(process, signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        """End it, and check that no kernel outlives it."""
        kernels = self.kernels()
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        assert self.process.wait(PATIENCE / 1000) == (-signal.SIGKILL if self.is_killed else 0)
        end = time.monotonic() + PATIENCE / 1000
        while any(Path(f"/proc/{pid}").exists() for pid in kernels):
            assert time.monotonic() < end, "a kernel outlived its server"
            time.sleep(0.05)


def processor_time(pid: int) -> float:
    """Seconds that a process and those which it began have computed: whatever else the machine does."""
    ticks = 0
    for process in (pid, *descendants(pid)):
        with contextlib.suppress(OSError):
            fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
            ticks += sum(map(int, fields[11:15]))  # with the children that it has waited for
    return ticks / os.sysconf("SC_CLK_TCK")


FIRST_PORT = 10_000 + os.getpid() * 16 % 20_000
"""Of the ports of this process's servers: below those that a system gives to whoever asks for any."""


def free_port() -> int:
    """The first free port of this process: of the last server there, the browser has compiled the scripts."""
    for port in range(FIRST_PORT, FIRST_PORT + 1000):
        with contextlib.suppress(OSError), socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("127.0.0.1", port))
            return port
    raise OSError("no port is free")


def start_server(
    folder: Path,
    *,
    name: str = "digits",
    port: int | None = None,
    store: Path | None = None,
    options: tuple[str, ...] = (),
    command: tuple[str, ...] | None = None,
) -> DemoServer:
    """Start a demo, or another command, that keeps its store and its log in `folder`."""
    kept = store or folder / "sessions.sqlite"
    command = command or ("demo", name, "--store", str(kept))
    errors = folder / f"server-{len(list(folder.glob('server-*')))}.log"
    with errors.open("w") as log:
        process = subprocess.Popen(
            [
                *(sys.executable, "-m", "activeeval_widgets.app.cli", *command, "--no-browser"),
                *("--port", str(port or free_port()), *options),
            ],
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            start_new_session=True,
        )
    line = process.stdout.readline()
    found = re.search(r"http://127\.0\.0\.1:\d+/\S*\?token=[-\w]+", line)
    assert found, f"the demo did not start: {line!r}\n{errors.read_text()}"
    return DemoServer(process, found.group(), kept, errors)


def write_mails(folder: Path, without_label: int | None = None) -> Path:
    """Write 150 mails with a model's probabilities, and labels that follow them; one may be missing."""
    rng = np.random.default_rng(1)
    p = np.round(rng.beta(0.5, 0.5, 150), 2)
    y = np.where(rng.random(150) < p, "spam", "ham")
    labels = ["" if i == without_label else label for i, label in enumerate(y)]
    rows = [f"mail {i} <b>,{1 - q:.2f},{q:.2f},{labels[i]}" for i, q in enumerate(p)]
    file = folder / "mails.csv"
    file.write_text("\n".join(["text,p_ham,p_spam,truth", *rows]))
    return file


def stop_servers(started: list[DemoServer]) -> None:
    """Stop them all, and check that they end as they should."""
    try:
        for server in started:
            server.stop()
    finally:
        for server in started:
            if server.process.poll() is None:
                server.process.kill()
                server.process.wait()
            if server.process.stdout is not None:
                server.process.stdout.close()


@pytest.fixture(scope="session")
def shared_demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], DemoServer]]:
    """A demo's server, one for all tests of this process: each test has a session of its own there."""
    started: dict[str, DemoServer] = {}

    def server(name: str) -> DemoServer:
        if name not in started:
            started[name] = start_server(tmp_path_factory.mktemp(name), name=name)
        return started[name]

    yield server
    stop_servers(list(started.values()))


@pytest.fixture
def session_name(request: pytest.FixtureRequest) -> str:
    """The name of the test's own session on a server that it shares."""
    return re.sub(r"\W+", "-", request.node.name).strip("-")


@pytest.fixture
def start_demo(tmp_path: Path) -> Iterator[Callable[..., DemoServer]]:
    """Start demo servers on one store: a second one after the first is a restart."""
    started: list[DemoServer] = []

    def start(**options: Any) -> DemoServer:
        started.append(start_server(tmp_path, **options))
        return started[-1]

    yield start
    stop_servers(started)


@pytest.fixture
def demo_server(start_demo: Callable[..., DemoServer]) -> DemoServer:
    return start_demo()


@dataclass
class Traffic:
    """What a browser asked for, and what it complained of."""

    requests: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    # When a page is left, the browser cuts off what it still loads (figures' scripts come late, a widget's
    # image is a blob), and Voilà's good-bye. It counts that as failed.
    # Once in hundreds of loads, Voilà does not know the widget yet, and page.js loads the page again.
    expected: list[str] = field(
        default_factory=lambda: [
            r"(/voila/api/shutdown/|\.js\b|^failed: blob:).* net::ERR_ABORTED",
            r"^console: Error: widget model not found\n",
        ]
    )

    def expect(self, pattern: str) -> None:
        """Allow complaints that match, for a test that breaks the connection on purpose."""
        self.expected.append(pattern)

    def outside(self) -> list[str]:
        """Return the requests that left this machine."""
        return [
            url
            for url in self.requests
            if urlsplit(url).scheme not in ("data", "blob") and urlsplit(url).hostname != "127.0.0.1"
        ]

    def unexpected(self) -> list[str]:
        return [error for error in self.errors if not any(re.search(p, error) for p in self.expected)]


@pytest.fixture
def traffic(context: BrowserContext) -> Iterator[Traffic]:
    """Record all pages of the context; fail the test if anything left this machine or an error was logged.

    Take it before `page`, or it misses nothing all the same: it listens to the context, not to one page.
    """
    seen = Traffic()

    def on_console(message: ConsoleMessage) -> None:
        if message.type == "error":
            seen.errors.append(f"console: {message.text} ({message.location.get('url', '')})")

    def on_response(response: Response) -> None:
        if response.status >= 400:
            seen.errors.append(f"{response.status}: {response.url}")

    def on_page(page: Page) -> None:
        page.on("websocket", lambda socket: seen.requests.append(socket.url))

    listeners: dict[Any, Callable[[Any], None]] = {
        "request": lambda request: seen.requests.append(request.url),
        "response": on_response,
        "requestfailed": lambda failed: seen.errors.append(f"failed: {failed.url} {failed.failure}"),
        "console": on_console,
        "weberror": lambda error: seen.errors.append(f"page: {error.error}"),
        "page": on_page,
    }
    for event, listener in listeners.items():
        context.on(event, listener)
    yield seen
    for event, listener in listeners.items():
        context.remove_listener(event, listener)
    assert seen.outside() == []
    assert seen.unexpected() == []


def lose_widget(page: Page, output: str, n_loads: int) -> None:
    """Lose the widget of an output in the next loads of the page, and count these in the tab's storage.

    The page is then as Voilà's script leaves it if it misses a widget.
    """
    page.evaluate("n => sessionStorage.setItem('broken-loads', n)", n_loads)
    page.add_init_script(f"({LOSE_WIDGET})({output!r})")


LOSE_WIDGET = """output => {
    const n = Number(sessionStorage.getItem("loads")) + 1;
    sessionStorage.setItem("loads", n);
    if (n <= Number(sessionStorage.getItem("broken-loads"))) new MutationObserver((_, observer) => {
        const found = document.querySelector(output);
        if (found === null) return;
        observer.disconnect();
        const node = document.createElement("div");
        node.className = "lm-Widget";
        node.textContent = "Loading widget...";
        found.replaceWith(node);
        setTimeout(() => {
            node.className = "lm-Widget jupyter-widgets";
            node.textContent = "Error displaying widget: model not found";
        }, 2000);
    }).observe(document, { childList: true, subtree: true });
}"""


@contextlib.contextmanager
def serving(folder: Path, *command: str, status: str = "/") -> Iterator[str]:
    """A server that takes a port of its own and keeps its configuration in `folder`: its address.

    `command` is what comes after the interpreter's name. The server is up once it answers at `status`.
    """
    port = free_port()
    own = {"JUPYTER_CONFIG_DIR": str(folder / "config"), "IPYTHONDIR": str(folder / "ipython")}
    with (folder / "server.log").open("w") as log:
        server = subprocess.Popen(
            [sys.executable, *command, f"--port={port}"],
            stdout=log,
            stderr=subprocess.STDOUT,
            cwd=folder,
            env={**os.environ, **own},
        )
        try:
            end = time.monotonic() + 180
            while True:
                with contextlib.suppress(OSError):
                    urllib.request.urlopen(f"http://127.0.0.1:{port}{status}").close()
                    break
                assert server.poll() is None, (folder / "server.log").read_text()
                assert time.monotonic() < end, "the server did not start"
                time.sleep(0.1)
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
            try:
                server.wait(30)
            except subprocess.TimeoutExpired:  # it waits for a kernel that is busy
                server.kill()
                server.wait()


@pytest.fixture(scope="session")
def voila(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """Voilà, to show apps that no demo has: its address, and the folder whose notebooks it shows."""
    folder = tmp_path_factory.mktemp("voila")
    options = ("--no-browser", "--Voila.ip=127.0.0.1", "--theme=light", "--show_tracebacks=True")
    with serving(folder, str(HERE / "voila_forking.py"), str(folder), *options) as url:
        yield url, folder


@pytest.fixture(scope="session")
def jupyter(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """A Jupyter server, which has JupyterLab and Notebook: its address, and the folder it serves."""
    folder = tmp_path_factory.mktemp("jupyter")
    options = (
        *("--no-browser", "--allow-root", "--ServerApp.port_retries=0", "--IdentityProvider.token="),
        *("--LabApp.news_url=", "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"),
        # Notebook's pages are served by the same server; this lets tests ask either of them.
        *("--LabApp.expose_app_in_browser=True", "--JupyterNotebookApp.expose_app_in_browser=True"),
    )
    command = ("-m", "jupyterlab", *options, f"--notebook-dir={folder}")
    with serving(folder, *command, status="/api/status") as url:
        yield url, folder


@pytest.fixture
def no_kernel(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Widgets keep their messages, for a page that asks this process (`show_app`) instead of a kernel."""
    monkeypatch.setattr(comm, "create_comm", RecordingComm)
    yield
    ipywidgets.Widget.close_all()


@pytest.fixture
def open_app(page: Page, voila: tuple[str, Path]) -> Callable[..., Page]:
    """Show the widget that a piece of code ends with, on a page of its own."""
    url, folder = voila

    def show(source: str, first: str = "[data-aew=app][data-state=ready] [data-instance-id]") -> Page:
        name = f"{len(list(folder.glob('*.ipynb')))}.ipynb"
        nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source)]), folder / name)
        page.goto(f"{url}/voila/render/{name}")
        page.wait_for_selector(first)
        return page

    return show


# A cell that is run before its kernel is connected is passed over, without a word.
CONNECTED = """() => {
    const context = window.jupyterapp?.shell.currentWidget?.sessionContext;
    const isConnected = context?.isReady && context.session?.kernel?.connectionStatus === "connected";
    return document.querySelector("dialog .jp-mod-accept") || isConnected;
}"""


def eventually(check: Callable[[], None]) -> None:
    """Check until it holds: what follows a window, a color or a store takes as long as the machine does."""
    end = time.monotonic() + PATIENCE / 1000
    while True:
        try:
            return check()
        except AssertionError:
            if time.monotonic() > end:
                raise
        time.sleep(0.1)


STILL = """(node) => new Promise((done) => {
    let [before, n] = ["", 0];
    const look = () => {
        const {x, y, width, height} = node.getBoundingClientRect();
        const place = [x, y, width, height].join();
        n = place === before ? n + 1 : 0;
        before = place;
        if (n > 20) done();
        else requestAnimationFrame(look);
    };
    look();
})"""


def click_still(target: Locator) -> None:
    """Click what has not moved for some frames: what comes late would push it from under the mouse."""
    target.evaluate(STILL)
    target.click()


def run_in_notebook(
    page: Page, jupyter: tuple[str, Path], where: str, source: str, at: str | None = None
) -> str:
    """Run a piece of code in a notebook of its own, in JupyterLab or Notebook: the notebook's name.

    `at` is the server's address, if it is reached by another one.
    """
    url, folder = jupyter
    notebook = nbformat.v4.new_notebook(
        cells=[
            nbformat.v4.new_markdown_cell("Before"),
            nbformat.v4.new_code_cell(source),
            nbformat.v4.new_markdown_cell("After"),
        ],
        metadata={"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}},
    )
    name = f"{len(list(folder.glob('*.ipynb')))}.ipynb"
    nbformat.write(notebook, folder / name)
    page.goto(f"{at or url}/{where}/{name}?reset")
    code = page.locator(".jp-CodeCell .cm-content")
    code.wait_for()
    page.wait_for_selector(".jp-Notebook-ExecutionIndicator[data-status=idle]")
    page.wait_for_function(CONNECTED)
    if (question := page.locator("dialog .jp-mod-accept")).count():  # which kernel?
        question.first.click()
        page.wait_for_function(CONNECTED)
    code.click()
    page.keyboard.press("Shift+Enter")
    expect(page.locator(".jp-CodeCell .jp-InputPrompt")).not_to_have_text("[ ]:")
    return name


def kernel_process(kernel_id: str) -> int:
    """The process id of a kernel."""
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            name = (process / "comm").read_text().strip()  # of one that was forked
            if name == f"kernel {kernel_id[:8]}" or f"{kernel_id}.json" in (process / "cmdline").read_text():
                return int(process.name)
    raise LookupError(f"no process of the kernel {kernel_id}")


def estimate_from_log(records: list[dict[str, Any]], demo: Demo, name: str) -> Estimate:
    """The estimate by `stats` alone: draws and their probabilities, labels and exclusions from a log."""
    [estimate] = estimates_from_log(records, demo, name)
    return estimate


def estimates_from_log(records: list[dict[str, Any]], demo: Demo, name: str) -> list[Estimate]:
    """The same of each of more than two models."""
    undone = {record["undone_seq"] for record in records if record["kind"] == "undo"}
    blocks = [record for record in records if record["kind"] == "draw"]
    given = demo.pool.predictions
    predictions = list(given) if isinstance(given, tuple) else given
    # The name is the seed, and the first draws know no labels.
    rng = np.random.Generator(np.random.PCG64([crc32(name.encode()), 0]))
    q = adaptive_q(demo.measure, predictions)
    first, probabilities = draw_without_replacement(q, len(blocks[0]["instances"]), rng)
    assert blocks[0]["instances"] == first.tolist()
    assert blocks[0]["q"] == pytest.approx(probabilities.tolist())
    drawn = [pair for block in blocks for pair in zip(block["instances"], block["q"], strict=True)]
    answers = {
        record["instance"]: record
        for record in records
        if record["kind"] in ("label", "exclude") and record["seq"] not in undone
    }
    for record in answers.values():
        assert drawn[record["draw"] - 1] == (record["instance"], record["q"])
    answered = [(instance, q_draw) for instance, q_draw in drawn if instance in answers]
    is_contest = isinstance(predictions, list) and len(predictions) > 2
    return [
        estimate_adaptive(
            demo.measure,
            models,
            [instance for instance, _ in answered],
            [q_draw for _, q_draw in answered],
            [answers[instance].get("value") for instance, _ in answered],  # None: excluded
        )
        for models in (predictions if is_contest else [predictions])
    ]


def interval_from_log(records: list[dict[str, Any]], demo: Demo) -> tuple[float, float]:
    """The interval that may be watched, by `stats` alone: each block's q from the labels before it."""
    given = demo.pool.predictions
    predictions = list(given) if isinstance(given, tuple) else given
    standing: list[dict[str, Any]] = []  # labels, deferrals and exclusions that were not undone
    drawn: list[int] = []
    q_of: list[Any] = []
    for record in records:
        if record["kind"] == "undo":
            standing.pop()
        elif record["kind"] not in ("draw", "guidelines"):
            standing.append(record)
        elif record["kind"] == "draw":
            labels, excluded = _answers(standing)
            known = [instance for instance in drawn if instance in labels]
            q = adaptive_q(
                demo.measure,
                predictions,
                known,
                [labels[instance] for instance in known],
                drawn=[i for i in drawn if i not in labels],
            )
            drawn += record["instances"]
            q_of += [q] * len(record["instances"])
    labels, excluded = _answers(standing)
    # What is bet on from the first draw: that the interval is narrow when the budget is spent.
    deadlines = (demo.budget,)
    sequence = AdaptiveConfidenceSequence(
        demo.measure, predictions, y_range=demo.y_range, deadlines=deadlines
    )
    for instance, q in zip(drawn, q_of, strict=True):
        if instance not in labels and instance not in excluded:
            break
        sequence.update(instance, q, labels.get(instance))
    return sequence.low, sequence.high


def _answers(standing: list[dict[str, Any]]) -> tuple[dict[int, Any], set[int]]:
    labels = {record["instance"]: record["value"] for record in standing if record["kind"] == "label"}
    return labels, {record["instance"] for record in standing if record["kind"] == "exclude"}
