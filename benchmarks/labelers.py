"""Memory of a server with several labelers, and the time until a page is there.

Run with a Chromium at hand (`make browser-setup` installs one), on Linux:

    .venv/bin/python benchmarks/labelers.py [--labelers 10] [--texts 100000] [--labels 25]

It writes a CSV file of texts with probabilities of three classes, serves it, opens one page for each labeler,
each with a session of its own, labels by key, and prints the sum of the proportional set sizes of the server
and all of its kernels: what is shared between them is counted once. The browser is not counted.
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
from playwright.sync_api import sync_playwright

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


@contextlib.contextmanager
def served(file: Path, folder: Path) -> Iterator[tuple[int, str]]:
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


def family(pid: int) -> list[int]:
    """A process and all that it has started, and so on."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *(later for child in children for later in family(int(child)))]


def proportional_set_size(pid: int) -> float:
    """The memory of a process in MiB, shared pages divided among those that share them."""
    rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
    return int(rollup.split("\nPss:")[1].split()[0]) / 1024


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--labelers", type=int, default=10)
    parser.add_argument("--texts", type=int, default=100_000)
    parser.add_argument("--labels", type=int, default=25)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        file = Path(name) / "texts.csv"
        write_texts(file, arguments.texts)
        browser = playwright.chromium.launch(
            executable_path=browser_path(), args=["--no-sandbox", "--disable-gpu"]
        )
        began = time.monotonic()
        with served(file, Path(name)) as (pid, link):
            print(f"address after {time.monotonic() - began:.1f} s", flush=True)
            seconds, pages = [], []
            for n in range(arguments.labelers):
                page = browser.new_context().new_page()
                began = time.monotonic()
                page.goto(f"{link}&session=labeler-{n + 1}", wait_until="commit", timeout=120_000)
                page.wait_for_selector(READY, timeout=120_000)
                seconds.append(time.monotonic() - began)
                print(f"page {n + 1}: {seconds[-1]:.1f} s", flush=True)
                pages.append(page)
            print(
                f"first page {seconds[0]:.1f} s, later ones {statistics.median(seconds[1:]):.1f} s (median)"
            )
            for page in pages:
                for n in range(arguments.labels):
                    page.keyboard.press("123"[n % 3])
                    page.wait_for_selector(f"[data-aew=app][data-n-labels='{n + 1}']", timeout=60_000)
            sizes = [proportional_set_size(each) for each in family(pid)]
        browser.close()
    print(f"{arguments.labelers} labelers, {arguments.texts:,} texts, {arguments.labels} labels each:")
    print(f"  server {sizes[0]:.0f} MiB, the others {', '.join(f'{size:.0f}' for size in sizes[1:])} MiB")
    print(f"  in all {sum(sizes):.0f} MiB")


if __name__ == "__main__":
    main()
