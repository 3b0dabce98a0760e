"""Memory of a server with several labelers, and the time until a page is there.

Run with a Chromium at hand (`make browser-setup` installs one), on Linux:

    .venv/bin/python benchmarks/labelers.py [--kernels forked preheated] [--labelers 10] [--texts 100000]
        [--labels 25] [--ready 2]

It writes a CSV file of texts with probabilities of three classes, serves it, opens one page for each labeler,
each with a session of its own, labels by key, and prints the sum of the proportional set sizes of the server
and all of its kernels: what is shared between them is counted once. The browser is not counted.

"forked" is `activeeval-widgets serve`, whose kernels are forked from a process that has read the file.
"preheated" is Voilà with a notebook that does the same and `--preheat_kernel`: each kernel has read the file
by itself before its page is asked for, and some of them, `--ready`, are always waiting.
"""

import argparse
import contextlib
import csv
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from common import browser_path
from latency import free_port, write_notebook
from playwright.sync_api import Browser, sync_playwright

READY = "[data-aew=app][data-state=ready] [data-aew=instance][data-instance-id]"
WORDS = (
    "battery",
    "screen",
    "camera",
    "price",
    "sound",
    "broke",
    "love",
    "hate",
    "works",
    "returned",
    "size",
)


def write_texts(file: Path, n_texts: int) -> None:
    """Write texts of some 300 characters with probabilities of three classes."""
    rng = np.random.default_rng(0)
    y_proba = rng.dirichlet((0.5, 0.3, 0.2), n_texts).round(4)
    y_proba[:, 0] = 1 - y_proba[:, 1:].sum(axis=1)
    with file.open("w", newline="") as opened:
        rows = csv.writer(opened)
        rows.writerow(["id", "text", "p_good", "p_bad", "p_neither"])
        for n, (words, proba) in enumerate(zip(rng.choice(WORDS, (n_texts, 45)), y_proba, strict=True)):
            rows.writerow([n, " ".join(words), *(f"{p:.4f}" for p in proba)])


NOTEBOOK = """\
from urllib.parse import parse_qs
from activeeval_widgets import LabelingApp, Pool, Session
from voila.utils import get_query_string

pool = Pool.read({file!r})
[name] = parse_qs(get_query_string())["session"]  # waits for the page
LabelingApp(Session(pool, "error-rate", store={store!r}, name=name))
"""


@contextlib.contextmanager
def forked(file: Path, folder: Path, _n_ready: int) -> Iterator[tuple[int, str]]:
    """Serve a file: the server's process, and the link."""
    command = ["serve", str(file), "--measure", "error-rate", "--no-browser", "--port", "0"]
    server = subprocess.Popen(
        [sys.executable, "-m", "activeeval_widgets.app.cli", *command, "--store", str(folder / "s.sqlite")],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONWARNINGS": "ignore"},
    )
    try:
        while not (line := server.stdout.readline()).startswith("Serving"):
            assert line, "the server has ended"
        yield server.pid, line.split()[1]
    finally:
        server.terminate()
        server.wait(30)


@contextlib.contextmanager
def preheated(file: Path, folder: Path, n_ready: int) -> Iterator[tuple[int, str]]:
    """Have Voilà serve a notebook, once it has kernels ready: the server's process, and the link."""
    source = NOTEBOOK.format(file=str(file), store=str(folder / "s.sqlite"))
    write_notebook(folder / "texts.ipynb", source)
    port = free_port()
    command = [
        *("voila", "texts.ipynb", "--no-browser", f"--port={port}", "--Voila.ip=127.0.0.1"),
        *("--preheat_kernel=True", f"--pool_size={n_ready}", "--ExecutePreprocessor.timeout=180"),
    ]
    with (folder / "voila.log").open("w") as log:
        server = subprocess.Popen(
            [sys.executable, "-m", *command],
            cwd=folder,
            stdout=log,
            stderr=log,
            env={**os.environ, "PYTHONWARNINGS": "ignore"},
        )
    try:
        # A kernel says nothing when it has come as far as to wait for its page: it rests then.
        while len(family(server.pid)) < 1 + n_ready or not at_rest(server.pid):
            assert server.poll() is None, (folder / "voila.log").read_text()
            time.sleep(0.2)
        yield server.pid, f"http://127.0.0.1:{port}/?"
    finally:
        server.terminate()
        server.wait(30)


def processor_time(pids: list[int]) -> int:
    """Ticks that processes have computed."""
    fields = [Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split() for pid in pids]
    return sum(int(each[11]) + int(each[12]) for each in fields)


def at_rest(pid: int) -> bool:
    """Whether a process and its family computed next to nothing within two seconds."""
    pids = family(pid)
    before = processor_time(pids)
    time.sleep(2)
    return family(pid) == pids and processor_time(pids) - before <= 0.05 * os.sysconf("SC_CLK_TCK") * len(
        pids
    )


KERNELS = {"forked": forked, "preheated": preheated}


def family(pid: int) -> list[int]:
    """A process and all that it has started, and so on."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *(later for child in children for later in family(int(child)))]


def proportional_set_size(pid: int) -> float:
    """The memory of a process in MiB, shared pages divided among those that share them."""
    rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
    return int(rollup.split("\nPss:")[1].split()[0]) / 1024


def measure(
    kernels: str, browser: Browser, n_labelers: int, n_texts: int, n_labels: int, n_ready: int
) -> None:
    """Open the pages and label; print the times and the memory."""
    with tempfile.TemporaryDirectory() as name:
        file = Path(name) / "texts.csv"
        write_texts(file, n_texts)
        began = time.monotonic()
        with KERNELS[kernels](file, Path(name), n_ready) as (pid, link):
            print(f"{kernels}: ready after {time.monotonic() - began:.1f} s", flush=True)
            seconds, pages = [], []
            for n in range(n_labelers):
                page = browser.new_context().new_page()
                began = time.monotonic()
                page.goto(f"{link}&session=labeler-{n + 1}", wait_until="commit", timeout=180_000)
                page.wait_for_selector(READY, timeout=180_000)
                seconds.append(time.monotonic() - began)
                print(f"page {n + 1}: {seconds[-1]:.1f} s", flush=True)
                pages.append(page)
            later = f", later ones {statistics.median(seconds[1:]):.1f} s (median)" if seconds[1:] else ""
            print(f"first page {seconds[0]:.1f} s{later}")
            for page in pages:
                page.locator("[data-aew=instance]").click(position={"x": 5, "y": 5})
                for n in range(n_labels):
                    page.keyboard.press("123"[n % 3])
                    page.wait_for_selector(f"[data-aew=app][data-n-labels='{n + 1}']", timeout=60_000)
            sizes = [proportional_set_size(each) for each in family(pid)]
            for page in pages:
                page.context.close()
    print(f"{n_labelers} labelers, {n_texts:,} texts, {n_labels} labels each:")
    print(f"  server {sizes[0]:.0f} MiB, the others {', '.join(f'{size:.0f}' for size in sizes[1:])} MiB")
    print(f"  in all {sum(sizes):.0f} MiB")


def main() -> None:
    """Measure each kind of kernels, and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--kernels", nargs="+", choices=KERNELS, default=["forked"])
    parser.add_argument("--labelers", type=int, default=10)
    parser.add_argument("--texts", type=int, default=100_000)
    parser.add_argument("--labels", type=int, default=25)
    parser.add_argument("--ready", type=int, default=2, help="preheated kernels that wait for a page")
    arguments = parser.parse_args()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=browser_path(), args=["--no-sandbox", "--disable-gpu"]
        )
        for kernels in arguments.kernels:
            measure(kernels, browser, arguments.labelers, arguments.texts, arguments.labels, arguments.ready)
        browser.close()


if __name__ == "__main__":
    main()
