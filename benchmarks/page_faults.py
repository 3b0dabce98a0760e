"""What can happen between the page and its kernel while keys are pressed: cuts, reloads, kills, dialogs.

A key that the page heard is acknowledged: it has to be in the store, once and in its turn. It may be missing
only where the page said so: that it was not taken, or that it is not saved.
"""

import contextlib
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import nbformat
from common import browser_path
from cut_line import Line
from latency import free_port, run_cell, serving
from playwright.sync_api import Browser, Page, sync_playwright
from playwright.sync_api import Error as BrowserError

APP = "[data-aew=app]"
READY = f"{APP}[data-state=ready] [data-aew=instance][data-instance-id]"
TAKES_KEYS = "[data-aew=label]:enabled"
TOLD = r"not taken|Not saved yet|can't be saved"
PATIENCE = 60_000

# What the page hears, and what it says. A key that is pressed in a dialog of JupyterLab's is not the page's.
RECORDER = """() => {
    const recorded = window.recorded = { heard: [], elsewhere: [], said: [] };
    document.addEventListener("keydown", ({ key, isTrusted }) => {
        const app = document.querySelector("[data-aew=app]");
        const { activeElement, body } = document;
        const isAlone = app?.hasAttribute("data-standalone") && activeElement === body;
        if (!isTrusted || key.length > 1) return;
        if (isAlone || app?.contains(activeElement)) recorded.heard.push(key);
        else if (document.querySelector(".jp-Dialog")) recorded.elsewhere.push("dialog");
        else recorded.elsewhere.push(`${activeElement?.tagName}.${activeElement?.className}`);
    }, { capture: true });
    const look = () => {
        for (const { textContent } of document.querySelectorAll("[role=status], [role=alert]:not([hidden])"))
            if (textContent && !recorded.said.includes(textContent)) recorded.said.push(textContent);
    };
    new MutationObserver(look).observe(document, { childList: true, subtree: true, characterData: true });
}"""

NOTEBOOK = """\
import numpy as np
from activeeval_widgets import evaluate
from activeeval_widgets.stats import ClassPredictions, ErrorRate

texts = [f"text {{n}}" for n in range(400)]
models = ClassPredictions(np.random.default_rng(0).dirichlet(np.ones(3), 400))
evaluate(texts, models, ErrorRate(), store={store!r})
"""


@dataclass
class Place:
    """A page that is reached by a line, the store behind it, and what the page heard and said."""

    page: Page
    line: Line
    store: Path
    session: str
    heard: list[str] = field(default_factory=list)
    elsewhere: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)

    def press(self, keys: str, pause: Callable[[], float] = lambda: 0.0) -> None:
        """Press keys, each as soon as the page takes one."""
        for key in keys:
            self.page.wait_for_selector(TAKES_KEYS)
            self.page.keyboard.press(key)
            time.sleep(pause())

    def listen(self) -> None:
        """Take what the page has recorded: before it is left, and at the end."""
        recorded = self.page.evaluate("recorded")
        for name in ("heard", "elsewhere", "said"):
            getattr(self, name).extend(recorded[name])

    def open(self, address: str) -> None:
        """Open the page, or load it again, once its server answers."""
        end = time.monotonic() + PATIENCE / 1000
        while True:
            try:
                self.page.goto(address)
                break
            except BrowserError:
                assert time.monotonic() < end, f"nothing answers at {address}"
                time.sleep(0.1)
        self.page.wait_for_selector(READY)

    def settle(self) -> None:
        """Wait until the page has nothing that is on its way."""
        self.page.wait_for_selector(f"{APP}[data-state=ready]")
        wait = """(n) => {
            const { dataset } = document.querySelector("[data-aew=app]");
            return dataset.state === "ready" && Number(dataset.nLabels) >= n;
        }"""
        with contextlib.suppress(BrowserError):  # some are missing: the judge says so
            self.page.wait_for_function(wait, arg=len(self.heard), timeout=15_000)

    def stored(self) -> list[str]:
        with closing(sqlite3.connect(f"file:{self.store}?mode=ro", uri=True)) as connection:
            query = "SELECT record FROM events WHERE session = ? ORDER BY seq"
            records = [json.loads(text) for (text,) in connection.execute(query, (self.session,))]
        return [str(record["value"]) for record in records if record["kind"] == "label"]


class Hosts:
    """What faults share: a browser, a server of the digits demo, and a Jupyter server."""

    def __init__(self) -> None:
        self._open = ExitStack()
        self._browser: Browser | None = None
        self._demo: tuple[str, Path] | None = None
        self._jupyter: tuple[int, Path] | None = None

    def __enter__(self) -> "Hosts":
        return self

    def __exit__(self, *error: object) -> None:
        self._open.close()

    def folder(self) -> Path:
        return Path(self._open.enter_context(tempfile.TemporaryDirectory(prefix="faults-")))

    @contextlib.contextmanager
    def page(self) -> Iterator[Page]:
        if self._browser is None:
            playwright = self._open.enter_context(sync_playwright())
            options = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
            self._browser = playwright.chromium.launch(executable_path=browser_path(), args=options)
            self._open.callback(self._browser.close)
        with closing(self._browser.new_context(viewport={"width": 1280, "height": 800})) as context:
            context.set_default_timeout(PATIENCE)
            context.add_init_script(f"({RECORDER})()")
            yield context.new_page()

    def demo(self) -> tuple[str, Path]:
        """The link to the digits demo, and its store."""
        if self._demo is None:
            folder = self.folder()
            self._demo = (
                self._open.enter_context(serving(demo_command(folder), folder)),
                folder / "s.sqlite",
            )
        return self._demo

    def jupyter(self) -> tuple[int, Path]:
        """The port of a Jupyter server, and the folder it serves."""
        if self._jupyter is None:
            folder, port = self.folder(), free_port()
            command = [
                *(
                    "jupyterlab",
                    "--no-browser",
                    "--allow-root",
                    f"--port={port}",
                    "--ServerApp.port_retries=0",
                ),
                *("--IdentityProvider.token=", f"--notebook-dir={folder}"),
                *("--LabApp.news_url=", "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"),
                "--LabApp.expose_app_in_browser=True",
            ]
            self._open.enter_context(serving(command, folder, port))
            self._jupyter = (port, folder)
        return self._jupyter


def demo_command(folder: Path, port: int = 0) -> list[str]:
    store = str(folder / "s.sqlite")
    return [
        "activeeval_widgets.app.cli",
        "demo",
        "digits",
        "--no-browser",
        "--port",
        str(port),
        "--store",
        store,
    ]


def port_of(address: str) -> int:
    found = re.search(r":(\d+)/", address)
    assert found is not None, address
    return int(found.group(1))


@contextlib.contextmanager
def digits(hosts: Hosts, rng: Random) -> Iterator[tuple[Place, str]]:
    """A session of its own at the demo's server, behind a line: and its address."""
    url, store = hosts.demo()
    name = f"s{rng.getrandbits(60)}"
    with hosts.page() as page, closing(Line(port_of(url))) as line:
        address = f"{url.replace(f':{port_of(url)}/', f':{line.port}/')}&session={name}"
        place = Place(page, line, store, name)
        place.open(address)
        place.press(keys(rng, "0123456789", 0, 6))
        place.settle()
        yield place, address


def keys(rng: Random, among: str, least: int, most: int) -> str:
    return "".join(rng.choice(among) for _ in range(rng.randint(least, most)))


# -- the kinds of faults: each presses keys, and leaves a page at rest -------------------------------------


def reload_after_cut(hosts: Hosts, rng: Random) -> Place:
    """the page's line is cut, keys are pressed, and the page is loaded again: they are sent again"""
    with digits(hosts, rng) as (place, address):
        place.line.cut(0)
        place.press(keys(rng, "0123456789", 1, 6), lambda: rng.random() * 0.1)
        time.sleep(rng.random() * 0.3)
        return reloaded(place, address, rng)


def lost_acknowledgment(hosts: Hosts, rng: Random) -> Place:
    """answers are stored, their acknowledgment is lost, the page is loaded again: they are stored once"""
    with digits(hosts, rng) as (place, address):
        place.line.hold_answers()
        place.press(keys(rng, "0123456789", 1, 6), lambda: rng.random() * 0.1)
        time.sleep(rng.random() * 0.5)
        place.line.cut(0)
        return reloaded(place, address, rng)


def reload_at_once(hosts: Hosts, rng: Random) -> Place:
    """the page is loaded again in the middle of fast keys, several times"""
    with digits(hosts, rng) as (place, address):
        for _ in range(rng.randint(1, 4)):
            place.press(keys(rng, "0123456789", 1, 8))
            place.listen()
            place.open(address)
        return reloaded(place, address, rng)


def killed_server(hosts: Hosts, rng: Random) -> Place:
    """kill -9 of the server and its kernels, keys are pressed, and both it and the page are started again"""
    folder, port, name = hosts.folder(), free_port(), "s"
    with hosts.page() as page, closing(Line(port)) as line:
        place = Place(page, line, folder / "s.sqlite", name)
        with started(folder, port) as (process, url):
            address = f"{url.replace(f':{port}/', f':{line.port}/')}&session={name}"
            place.open(address)
            place.press(keys(rng, "0123456789", 1, 6))
            kill_all(process)
            place.press(keys(rng, "0123456789", 1, 5), lambda: rng.random() * 0.1)
            place.listen()
        with started(folder, port) as (_, url):
            place.open(f"{url.replace(f':{port}/', f':{line.port}/')}&session={name}")
            place.press(keys(rng, "0123456789", 1, 4))
            return ended(place)


def labs_dialog(hosts: Hosts, rng: Random) -> Place:
    """JupyterLab's line is cut, its own dialogs take the focus and are closed: the next key counts"""
    port, folder = hosts.jupyter()
    name = f"n{rng.getrandbits(60)}"
    store = folder / f"{name}.sqlite"
    cell = nbformat.v4.new_code_cell(NOTEBOOK.format(store=str(store)))
    kernel = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    nbformat.write(nbformat.v4.new_notebook(cells=[cell], metadata=kernel), folder / f"{name}.ipynb")
    with hosts.page() as page, closing(Line(port)) as line:
        place = Place(page, line, store, "default")
        run_cell(page, f"http://127.0.0.1:{line.port}/lab/tree/{name}.ipynb?reset")
        for _ in range(2):
            place.press(keys(rng, "012", 1, 4))
            line.cut(rng.choice([0.1, 0.5, 2, 4]) * (0.5 + rng.random()))
            for key in keys(rng, "012", 1, 4):  # some of them while the dialog is there
                page.keyboard.press(key)
                time.sleep(rng.random() * 0.5)
            if rng.random() < 0.5:  # one that comes for sure
                page.evaluate("void window.jupyterapp.commands.execute('help:about')")
                page.wait_for_selector(".jp-Dialog")
                page.keyboard.press("2")
            page.wait_for_selector(f"{APP}[data-state=ready]")
            close_dialogs(page)
            place.press(keys(rng, "012", 1, 4))
        try:
            return ended(place)
        finally:
            page.evaluate("window.jupyterapp.shell.currentWidget.sessionContext.shutdown()")


def reloaded(place: Place, address: str, rng: Random) -> Place:
    place.listen()
    place.open(address)
    place.press(keys(rng, "0123456789", 1, 4))
    return ended(place)


def ended(place: Place) -> Place:
    place.listen()
    place.settle()
    return place


@contextlib.contextmanager
def started(folder: Path, port: int) -> Iterator[tuple[Any, str]]:
    """A server of one's own, which may be killed."""
    with (folder / "server.log").open("a") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", *demo_command(folder, port)], stdout=subprocess.PIPE, stderr=log, text=True
        )
    try:
        assert process.stdout is not None
        found = re.search(r"http://\S+", process.stdout.readline())
        assert found is not None, (folder / "server.log").read_text()
        yield process, found.group()
    finally:
        kill_all(process)


def kill_all(process: Any) -> None:
    """Kill a program and all that it has begun."""
    for pid in [*descendants(process.pid), process.pid]:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    process.wait()


def descendants(pid: int) -> list[int]:
    begun: list[int] = []
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            begun += map(int, path.read_text().split())
    return [*begun, *(later for one in begun for later in descendants(one))]


def close_dialogs(page: Page) -> None:
    """Close JupyterLab's dialogs as a person does, until none comes any more and the app has the focus."""
    quiet = """() => new Promise((done) => {
        const end = performance.now() + 20000;
        let still = 0;
        const look = () => {
            const button = document.querySelector(".jp-Dialog .jp-Dialog-footer button:last-of-type");
            const app = document.querySelector("[data-aew=app]");
            if (button) button.click();
            still = !button && app.contains(document.activeElement) ? still + 1 : 0;
            if (still >= 10 || performance.now() > end) done();
            else setTimeout(look, 100);
        };
        look();
    })"""
    page.evaluate(quiet)


KINDS: list[Callable[[Hosts, Random], Place]] = [
    reload_after_cut, lost_acknowledgment, reload_at_once, killed_server, labs_dialog,
]  # fmt: skip


def judge(place: Place) -> tuple[str, str]:
    """Compare what the page heard with what is stored."""
    stored = place.stored()
    astray = [where for where in place.elsewhere if where != "dialog"]
    told = any(re.search(TOLD, text) for text in place.said)
    if stored == place.heard and not astray:
        return ("kept, and told" if told or place.elsewhere else "kept"), ""
    if told and not astray and is_part(stored, place.heard):
        return "told", ""
    return "LOST", f"heard {place.heard}, stored {stored}, went to {astray}; said: {place.said[-5:]}"


def is_part(some: list[str], of: list[str]) -> bool:
    """Whether some keys are those of others, in their order, without those that were not taken."""
    remaining = iter(of)
    return all(key in remaining for key in some)


@contextlib.contextmanager
def injecting() -> Iterator[Callable[[Any, int], tuple[str, str]]]:
    """A function that injects one fault; what faults share is ended with it."""
    with Hosts() as hosts:
        yield lambda kind, seed: judge(kind(hosts, Random(f"{kind.__name__} {seed}")))
