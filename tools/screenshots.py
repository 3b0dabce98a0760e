"""Take screenshots of all demos, in mid-session.

    .venv/bin/python tools/screenshots.py FOLDER [--demos text ranking] [--widths 800 1280 2560]

Each demo is labeled by its true labels first, so that the plots have something to show. For each scheme and
width FOLDER gets a PNG. The pictures in `docs/` are chosen from these.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from zlib import crc32

from playwright.sync_api import sync_playwright

from activeeval_widgets.session import Session
from activeeval_widgets.session.datasets import DEMOS

READY = "[data-aew=app][data-state=ready] [data-aew=instance][data-instance-id]"
HEIGHTS = {800: 1000, 1280: 860, 2560: 1300}
N_LABELS = {"ranking": 15}


def label(name: str, store: Path) -> None:
    """Give a demo's session its first labels."""
    demo = DEMOS[name]()
    session = Session(
        demo.pool,
        demo.measure,
        budget=demo.budget,
        seed=crc32(name.encode()),
        store=store,
        name=name,
        y_range=demo.y_range,
    )
    for _ in range(N_LABELS.get(name, 40)):
        asked = session.next()
        if asked is None:
            break
        session.label(demo.y_true[asked.index], seconds=3.0)


def main() -> None:
    """Serve each demo and photograph it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--demos", nargs="+", choices=DEMOS, default=list(DEMOS))
    parser.add_argument("--widths", nargs="+", type=int, choices=HEIGHTS, default=list(HEIGHTS))
    parser.add_argument("--schemes", nargs="+", choices=["light", "dark"], default=["light", "dark"])
    browsers = (os.environ.get("CHROMIUM"), shutil.which("chromium"), shutil.which("google-chrome"))
    parser.add_argument("--chromium", default=next(filter(None, browsers), None))
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(
            executable_path=options.chromium, args=["--no-sandbox", "--disable-gpu"]
        )
        for name in options.demos:
            store = Path(folder) / f"{name}.sqlite"
            label(name, store)
            server = subprocess.Popen(  # noqa: S603 - our own command
                [
                    *(sys.executable, "-m", "activeeval_widgets.app.cli", "demo", name),
                    *("--no-browser", "--port", "0", "--store", str(store)),
                ],
                stdout=subprocess.PIPE,
                text=True,
            )
            try:
                assert server.stdout is not None  # noqa: S101 - for the type checker
                url = server.stdout.readline().split()[1]
                page = browser.new_page()
                page.goto(url)
                page.wait_for_selector(READY, timeout=60_000)
                for scheme in options.schemes:
                    page.emulate_media(color_scheme=scheme)
                    for width in options.widths:
                        page.set_viewport_size({"width": width, "height": HEIGHTS[width]})
                        page.wait_for_timeout(1500)  # the plots follow the width
                        page.screenshot(path=options.folder / f"{name}-{scheme}-{width}.png")
                page.close()
            finally:
                server.terminate()
                server.wait()
        browser.close()


if __name__ == "__main__":
    main()
