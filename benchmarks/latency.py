"""From key to next instance painted, and to plots settled, measured in the page, for every kind of label.

Run with a Chromium at hand (`make browser-setup` installs one):

    .venv/bin/python benchmarks/latency.py [--labels 40] [--cases text million] [--hosts voila lab static]
        [--plots bqplot svg]

It serves the demos and a pool of a million instances in Voilà and in JupyterLab, labels by key, and prints a
table. With `--plots bqplot svg` each case is measured twice in turn: with bqplot's figures, and with the
page's own SVG, which it draws where bqplot's script can't be had. Times are those of the page's own clock,
`performance.now()`: from the keydown event to the frame that shows the next instance, and from the keydown to
the last change in any plot, when no further key comes. The host "static" is a demo's page of static files,
whose Python runs in the browser: PYODIDE names an unpacked Pyodide.
"""

import argparse
import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import nbformat
import numpy as np
from common import browser_path
from playwright.sync_api import Page, sync_playwright

APP = "[data-aew=app]"
ENDS_WITHIN = 30  # seconds; a server gives up what still runs after half of them
READY = f"{APP}[data-state=ready] [data-aew=instance][data-instance-id]"

RECORDER = """() => {
    const recorded = window.recorded = { key: 0, isPainted: true, next: [], within: [], lastPlotChange: 0 };
    const instance = document.querySelector("[data-aew=instance]");
    document.addEventListener("keydown", (event) => {
        recorded.key = event.timeStamp;
        recorded.isPainted = false;
    }, { capture: true });
    let shown = instance.dataset.instanceId;
    new MutationObserver((changes) => {
        if (recorded.isPainted) return;
        // The same id, written again, is nothing that is seen.
        const isSame = instance.dataset.instanceId === shown;
        if (isSame && changes.every(({ attributeName }) => attributeName === "data-instance-id")) return;
        recorded.isPainted = true;
        const { key } = recorded;
        const times = isSame ? recorded.within : recorded.next;
        shown = instance.dataset.instanceId;
        // The frame after the change is asked for; a task posted from it runs once that frame is on its way.
        requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = () => times.push(performance.now() - key);
            port2.postMessage(null);
        });
    }).observe(instance, { subtree: true, childList: true, attributes: true, characterData: true });
    const plots = new MutationObserver(() => { recorded.lastPlotChange = performance.now(); });
    for (const plot of document.querySelectorAll(".aew-plot"))
        plots.observe(plot, { subtree: true, childList: true, attributes: true });
}"""

DEMO = """\
from activeeval_widgets import LabelingApp, Session
from activeeval_widgets.demos import DEMOS

demo = DEMOS["{name}"]()
session = Session(demo.pool, demo.measure, y_range=demo.y_range)
LabelingApp(session, question=demo.question, guidelines=demo.guidelines)
"""

MILLION = """\
import numpy as np
from activeeval_widgets import evaluate
from activeeval_widgets.stats import ClassPredictions, FMeasure

rng = np.random.default_rng(0)
p = rng.beta(0.3, 3, 1_000_000)
images = rng.integers(0, 256, (len(p), 8, 8), dtype=np.uint8)
evaluate(images, ClassPredictions(np.column_stack([1 - p, p])), FMeasure(), protocol={protocol!r})
"""


@dataclass(frozen=True)
class Case:
    """Something to label: its name in the table, the cell that shows it, and the keys of some labels.

    Of a ranked list, the first key is the grade of each result: lists differ in length.
    """

    title: str
    source: str
    keys: tuple[tuple[str, ...], ...]


DIGITS = tuple((str(digit),) for digit in range(10))
CASES = {
    "digits": Case("class of an image", DEMO.format(name="digits"), DIGITS),
    "text": Case("class of a text (F)", DEMO.format(name="text"), DIGITS[1:4]),
    "images": Case("class of a photo", DEMO.format(name="images"), DIGITS),
    "ranking": Case(
        "grades of a ranked list (ERR)",
        DEMO.format(name="ranking"),
        tuple((grade, "Enter") for grade in "3021"),
    ),
    "regression": Case(
        "number of a record (MSE)",
        DEMO.format(name="regression"),
        tuple((*number, "Enter") for number in ("1.5", "-2", "0.25")),
    ),
    "compare": Case("class of an image, two models", DEMO.format(name="compare"), DIGITS),
    "million": Case(
        "class of an image of a million (F), fixed q", MILLION.format(protocol="papers"), DIGITS[:2]
    ),
    "million_adaptive": Case(
        "class of an image of a million (F), adaptive", MILLION.format(protocol="adaptive"), DIGITS[:2]
    ),
}


@contextlib.contextmanager
def serving(command: list[str], folder: Path, port: int | None = None) -> Iterator[str]:
    """Run a server; its address is that of `port`, once it answers there, or the first in what it prints."""
    log = (folder / "server.log").open("w")
    server = subprocess.Popen(
        [sys.executable, "-m", *command],
        stdout=subprocess.PIPE if port is None else log,
        stderr=log,
        text=True,
        cwd=folder,
        env={
            **os.environ,
            "JUPYTER_CONFIG_DIR": str(folder / "config"),
            "IPYTHONDIR": str(folder / "ipython"),
            "PYTHONFAULTHANDLER": "1",
        },
    )
    try:
        if port is None:
            found = re.search(r"http://\S+", server.stdout.readline())
            assert found is not None, (folder / "server.log").read_text()
            yield found.group()
        else:
            while True:
                with contextlib.suppress(OSError):
                    socket.create_connection(("127.0.0.1", port)).close()
                    break
                assert server.poll() is None, (folder / "server.log").read_text()
                time.sleep(0.1)
            yield f"http://127.0.0.1:{port}"
    finally:
        end(server, folder / "server.log")
        log.close()


def end(server: subprocess.Popen[str], log: Path) -> None:
    """End a server; if it does not end, raise an error that tells where it stands."""
    server.terminate()
    try:
        server.wait(ENDS_WITHIN)
    except subprocess.TimeoutExpired as error:
        server.send_signal(signal.SIGABRT)  # it writes the stack of each thread
        server.wait()
        raise RuntimeError(f"the server did not end within {ENDS_WITHIN} s:\n{log.read_text()}") from error


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


@contextlib.contextmanager
def in_voila(page: Page, name: str, folder: Path) -> Iterator[None]:
    """Show a demo's own page; the million in Voilà as it comes."""
    if name.startswith("million"):
        write_notebook(folder / f"{name}.ipynb", CASES[name].source)
        port = free_port()
        options = [
            f"--port={port}",
            "--no-browser",
            "--Voila.ip=127.0.0.1",
            "--ExecutePreprocessor.timeout=180",
        ]
        with serving(["voila", f"{name}.ipynb", *options], folder, port) as url:
            page.goto(url, timeout=180_000)
            take_focus(page)
            yield
    else:
        command = ["activeeval_widgets.app.cli", "demo", name, "--no-browser", "--port", "0"]
        with serving([*command, "--store", str(folder / "sessions.sqlite")], folder) as url:
            page.goto(url)
            yield


@contextlib.contextmanager
def in_lab(page: Page, name: str, folder: Path) -> Iterator[None]:
    """Run the cell in JupyterLab."""
    write_notebook(folder / f"{name}.ipynb", CASES[name].source)
    port = free_port()
    command = [
        *("jupyterlab", "--no-browser", "--allow-root", f"--port={port}", "--ServerApp.port_retries=0"),
        *("--IdentityProvider.token=", f"--notebook-dir={folder}"),
        *("--LabApp.news_url=", "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"),
    ]
    with serving(command, folder, port) as url:
        run_cell(page, f"{url}/lab/tree/{name}.ipynb?reset")
        yield


@contextlib.contextmanager
def in_static_page(page: Page, name: str, folder: Path) -> Iterator[None]:
    """Show a demo's page of static files, and print how soon it is ready when the browser has them."""
    command = ["export-page", name, "--output", str(folder / "page"), "--pyodide", os.environ["PYODIDE"]]
    cli = [sys.executable, "-m", "activeeval_widgets.app.cli"]
    subprocess.run([*cli, *command], check=True, stdout=subprocess.DEVNULL)
    port = free_port()
    server = ["http.server", str(port), "--bind", "127.0.0.1", "--directory", str(folder / "page")]
    with serving(server, folder, port) as url:
        page.goto(url)
        page.wait_for_selector(READY, timeout=180_000)
        begin = time.monotonic()
        page.reload()
        page.wait_for_selector(READY, timeout=180_000)
        print(f"{name}: ready {time.monotonic() - begin:.1f} s after a reload", file=sys.stderr)
        yield


HOSTS = {
    "voila": ("Voilà", in_voila),
    "lab": ("JupyterLab", in_lab),
    "static": ("a static page", in_static_page),
}


def write_notebook(file: Path, source: str) -> None:
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(source)],
        metadata={"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}},
    )
    nbformat.write(notebook, file)


def run_cell(page: Page, address: str) -> None:
    """Open a notebook in JupyterLab and run its cell; the app has the focus then."""
    page.goto(address)
    code = page.locator(".jp-CodeCell .cm-content")
    code.wait_for(timeout=60_000)
    page.wait_for_selector(".jp-Notebook-ExecutionIndicator[data-status=idle]", timeout=60_000)
    for _ in range(40):  # a cell that is run before the kernel is connected is passed over
        if (question := page.locator("dialog .jp-mod-accept")).count():  # which kernel?
            question.first.click()
        code.first.click()
        page.keyboard.press("Control+Enter")
        page.wait_for_timeout(500)
        if page.locator(".jp-CodeCell .jp-InputPrompt").first.inner_text() != "[ ]:":
            break
    take_focus(page)


def take_focus(page: Page) -> None:
    """Where the app is part of a page, it hears keys only when it has the focus."""
    page.wait_for_selector(READY, timeout=180_000)
    page.locator("[data-aew=instance]").click(position={"x": 5, "y": 5})


def label(page: Page, keys: tuple[str, ...]) -> None:
    page.wait_for_selector(READY)
    n_results = page.locator("[data-aew=instance] .aew-result[data-item]").count()
    grade, *rest = keys
    for key in [*[grade] * max(n_results, 1), *rest]:
        page.keyboard.press(key)
        if len(keys) > 1:
            page.wait_for_timeout(20)  # each key's own frame


def measure(page: Page, case: Case, n_labels: int) -> dict[str, np.ndarray]:
    """Milliseconds to the next instance, to a grade in a list, and to settled plots for every fifth label."""
    page.wait_for_selector(READY, timeout=180_000)
    page.wait_for_timeout(3000)
    page.evaluate(RECORDER)
    settled = []
    for n in range(n_labels):
        label(page, case.keys[n % len(case.keys)])
        if n % 5 == 4:
            page.wait_for_timeout(1500)
            settled.append(page.evaluate("recorded.lastPlotChange - recorded.key"))
        else:
            page.wait_for_timeout(60)
    times = {name: np.array(page.evaluate(f"recorded.{name}")) for name in ("next", "within")}
    assert times["next"].size == n_labels, f"{times['next'].size} of {n_labels} labels were painted"
    return {**times, "settled": np.array(settled)}


def figures(times: np.ndarray) -> str:
    if times.size == 0:
        return " | "
    return f"{np.median(times):.0f} | {np.quantile(times, 0.95):.0f}"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--labels", type=int, default=40)
    parser.add_argument("--cases", nargs="+", choices=CASES, default=list(CASES))
    parser.add_argument("--hosts", nargs="+", choices=HOSTS, default=["voila", "lab"])
    parser.add_argument("--plots", nargs="+", choices=("bqplot", "svg"), default=["bqplot"])
    parser.add_argument("--chromium", default=browser_path())
    options = parser.parse_args()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=options.chromium,
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        )
        print(
            f"Chromium {browser.version}, {options.labels} labels each; "
            "milliseconds, median and 95th percentile\n"
        )
        print("| label | in | plots | next | 95 % | grade in a list | 95 % | plots settled | 95 % |")
        print("|---|---|---|---|---|---|---|---|---|")
        for host in options.hosts:
            host_title, showing = HOSTS[host]
            for name, plots in ((name, plots) for name in options.cases for plots in options.plots):
                page = browser.new_page(viewport={"width": 1280, "height": 800})
                if plots == "svg":
                    page.route(re.compile(r"/bqplot/static/"), lambda route: route.abort())
                with tempfile.TemporaryDirectory() as folder, showing(page, name, Path(folder)):
                    times = measure(page, CASES[name], options.labels)
                    page.close()
                cells = " | ".join(figures(times[kind]) for kind in ("next", "within", "settled"))
                print(f"| {CASES[name].title} | {host_title} | {plots} | {cells} |", flush=True)


if __name__ == "__main__":
    main()
