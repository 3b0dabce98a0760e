"""From key to next image painted, and to plots settled, measured in the page itself.

Run with a Chromium at hand (`make browser-setup` installs one):

    .venv/bin/python benchmarks/latency.py [--labels 60] [--chromium /usr/bin/chromium]

It serves the digits demo, labels by key, and prints a table. Times are `performance.now()` in the page: from
the keydown event to the frame that shows the next image, and from the keydown to the last change in any plot,
when no further key comes.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from playwright.sync_api import Page, sync_playwright

RECORDER = """() => {
    window.recorded = { key: 0, painted: [], lastPlotChange: 0 };
    const instance = document.querySelector("[data-aew=instance]");
    document.addEventListener("keydown", () => { recorded.key = performance.now(); }, { capture: true });
    let shown = instance.dataset.instanceId;
    new MutationObserver(() => {
        if (instance.dataset.instanceId === shown) return;
        shown = instance.dataset.instanceId;
        const key = recorded.key;
        // The frame after the change is asked for; a task posted from it runs once that frame is on its way.
        requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = () => recorded.painted.push(performance.now() - key);
            port2.postMessage(null);
        });
    }).observe(instance, { attributeFilter: ["data-instance-id"] });
    const plots = new MutationObserver(() => { recorded.lastPlotChange = performance.now(); });
    for (const plot of document.querySelectorAll(".bqplot"))
        plots.observe(plot, { subtree: true, childList: true, attributes: true });
}"""


def label(page: Page, key: str) -> None:
    page.wait_for_selector("[data-aew=app][data-state=ready]")
    page.keyboard.press(key)


def measure(page: Page, n_labels: int) -> tuple[np.ndarray, np.ndarray]:
    """Milliseconds to paint for each label, and to settled plots for every fifth."""
    page.evaluate(RECORDER)
    settled = []
    for n in range(n_labels):
        label(page, str(n % 10))
        if n % 5 == 4:
            page.wait_for_timeout(1500)
            settled.append(page.evaluate("recorded.lastPlotChange - recorded.key"))
        else:
            page.wait_for_timeout(60)
    return np.array(page.evaluate("recorded.painted")), np.array(settled)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--labels", type=int, default=60)
    parser.add_argument("--chromium", default=shutil.which("chromium") or shutil.which("google-chrome"))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen(
            [
                *(sys.executable, "-m", "activeeval_widgets.app.cli", "demo", "--no-browser", "--port", "0"),
                *("--store", str(Path(folder) / "sessions.sqlite")),
            ],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert server.stdout is not None
        url = re.search(r"http://\S+", server.stdout.readline())
        assert url is not None
        try:
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(
                    executable_path=options.chromium,
                    args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
                )
                page = browser.new_page(viewport={"width": 1280, "height": 800})
                page.goto(url.group())
                page.wait_for_selector("[data-aew=app][data-state=ready] img", timeout=60_000)
                page.wait_for_timeout(3000)
                painted, settled = measure(page, options.labels)
                version = browser.version
                browser.close()
        finally:
            server.terminate()
            server.wait()
    print(f"Chromium {version}, {painted.size} labels\n")
    print("| from key to | median | 95th percentile | greatest |")
    print("|---|---|---|---|")
    for name, times in (("next image painted", painted), ("plots settled", settled)):
        figures = (np.median(times), np.quantile(times, 0.95), times.max())
        print(f"| {name} | " + " | ".join(f"{figure:.0f} ms" for figure in figures) + " |")


if __name__ == "__main__":
    main()
