"""Take screenshots of all demos: before the first label, in mid-session, at the goal and at the end.

    .venv/bin/python tools/screenshots.py FOLDER [--demos text ranking] [--sizes 1280x800 480x900]

Each demo is labeled by its true labels first. FOLDER gets a PNG for each moment, color scheme and size, and
for each dialog in the first of them. The pictures in `docs/` are chosen from these.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from zlib import crc32

from playwright.sync_api import Page, sync_playwright

from activeeval_widgets.app.demo_page import load
from activeeval_widgets.session import Session, SQLiteStore
from activeeval_widgets.stats import decide

APP = "[data-aew=app]:is([data-state=ready], [data-state=done])"
SHOWN = ":is([data-aew=instance][data-instance-id], [data-aew=result]:not([hidden]))"
SIZES = ["1280x800", "1366x657"]
N_LABELS = {"ranking": 15}
MOMENTS = ("before", "during", "goal", "end")


def session_name(demo: str, moment: str) -> str:
    """The name of a demo's session at one of the moments."""
    n = 1 + MOMENTS.index(moment)
    return demo if n == 1 else f"{demo}-{n}"


def label(demo_name: str, moment: str, store: SQLiteStore) -> str:
    """Label a session of a demo up to a moment, and return its report as HTML."""
    demo = load(demo_name)
    name = session_name(demo_name, moment)
    session = Session(
        demo.pool,
        demo.measure,
        budget=demo.budget,
        seed=crc32(name.encode()),
        store=store,
        name=name,
        y_range=demo.y_range,
        goal=demo.goal,
    )
    n_labels = {"before": 0, "during": N_LABELS.get(demo_name, 40)}.get(moment, demo.budget)
    watched = session.watched()
    while session.n_labels < n_labels and (asked := session.next()) is not None:
        session.label(demo.y_true[asked.index], seconds=3.0)
        if moment == "goal":
            watched.update()
            half_width, threshold = demo.goal.half_width, demo.goal.threshold
            if half_width is not None and (watched.high - watched.low) / 2 <= half_width:
                break
            if threshold is not None and decide(watched.low, watched.high, threshold) is not None:
                break
    return session.report("html", title=demo.title, question=demo.question)


@contextmanager
def served(demo_name: str, store: Path) -> Iterator[str]:
    """Serve a demo, and return its address."""
    server = subprocess.Popen(  # noqa: S603 - our own command
        [
            *(sys.executable, "-m", "activeeval_widgets.app.cli", "demo", demo_name),
            *("--no-browser", "--port", "0", "--store", str(store)),
        ],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert server.stdout is not None  # noqa: S101 - for the type checker
        yield server.stdout.readline().split()[1]
    finally:
        server.terminate()
        server.wait()


class Camera:
    """Photographs a page in all color schemes and sizes.

    Parameters
    ----------
    page : Page
        Where the demos are opened.
    folder : path
        Where the pictures go.
    sizes, schemes : list of str
        The windows as "WIDTHxHEIGHT"; "light" and "dark".
    """

    def __init__(self, page: Page, folder: Path, sizes: list[str], schemes: list[str]) -> None:
        self.page, self.folder, self.sizes, self.schemes = page, folder, sizes, schemes

    def set(self, scheme: str, size: str) -> None:
        """Set scheme and size, and wait for the plots."""
        width, height = map(int, size.split("x"))
        self.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.wait_for_timeout(600)

    def take(self, name: str) -> None:
        """Take all pictures of what is shown: the dark ones at the first size only."""
        for scheme in self.schemes:
            for size in self.sizes if scheme == self.schemes[0] else self.sizes[:1]:
                self.set(scheme, size)
                self.take_one(f"{name}-{scheme}-{size}")
        self.set(self.schemes[0], self.sizes[0])

    def take_one(self, name: str) -> None:
        """Take one picture, as the page is now."""
        self.page.screenshot(path=self.folder / f"{name}.png")


def photograph(camera: Camera, demo_name: str, url: str, moment: str) -> None:
    """Photograph a demo at a moment, and what its keys open."""
    page = camera.page
    address = f"{url}{'&' if '?' in url else '?'}session={session_name(demo_name, moment)}"
    page.goto(address, timeout=90_000)
    page.wait_for_selector(APP, timeout=90_000)
    page.wait_for_selector(SHOWN, timeout=90_000)
    page.wait_for_timeout(1500)  # the plots are computed once labeling rests
    name = f"{demo_name}-{moment}"
    camera.take(name)
    page.locator("[data-aew=app]").focus()
    if moment == "during":
        dialogs = {"help": "?", "history": "h", "goal": "t", "view": "v"}
        for dialog, key in dialogs.items():
            page.keyboard.press(key)
            page.wait_for_timeout(600)
            confusion = page.locator("[data-panel=confusion] input")
            if dialog == "view" and confusion.is_visible():
                confusion.check()
            camera.take_one(f"{name}-{dialog}")
            page.keyboard.press("Escape")
        page.keyboard.press("p")
        page.wait_for_timeout(1200)
        camera.take(f"{name}-confusion-prediction")
    if moment == "goal":
        page.keyboard.press("r")
        page.wait_for_timeout(1000)
        camera.take(f"{name}-result")


def main() -> None:
    """Serve each demo and photograph it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    demos = ("digits", "text", "ranking", "images", "regression", "compare")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--demos", nargs="+", choices=demos, default=demos)
    parser.add_argument("--moments", nargs="+", choices=MOMENTS, default=MOMENTS)
    parser.add_argument("--sizes", nargs="+", default=SIZES, metavar="WIDTHxHEIGHT")
    parser.add_argument("--schemes", nargs="+", choices=["light", "dark"], default=["light", "dark"])
    browsers = (os.environ.get("CHROMIUM"), shutil.which("chromium"), shutil.which("google-chrome"))
    parser.add_argument("--chromium", default=next(filter(None, browsers), None))
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(
            executable_path=options.chromium, args=["--no-sandbox", "--disable-gpu"]
        )
        for demo_name in options.demos:
            store = Path(folder) / f"{demo_name}.sqlite"
            sessions = SQLiteStore(store)
            reports = {moment: label(demo_name, moment, sessions) for moment in options.moments}
            sessions.close()
            with served(demo_name, store) as url:
                for moment in options.moments:
                    page = browser.new_page()
                    camera = Camera(page, options.folder, options.sizes, options.schemes)
                    photograph(camera, demo_name, url, moment)
                    page.close()
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            page.set_content(reports[options.moments[-1]])
            page.screenshot(path=options.folder / f"{demo_name}-report.png", full_page=True)
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
