"""Take screenshots of the start page, and of all demos at four moments, from the first label to the end.

    .venv/bin/python tools/screenshots.py FOLDER [--demos start text ranking] [--sizes 1280x800 480x900]
    .venv/bin/python tools/screenshots.py FOLDER --docs

Each demo is labeled by its true labels first. FOLDER gets a PNG for each moment, color scheme and size, and
for each dialog in the first of them. With `--docs` only the pictures of the documentation are taken, and
written to `docs/`.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import nbformat
import pandas as pd
from playwright.sync_api import Error, Page, sync_playwright

from activeeval_widgets.app.pages.demo import begin, load
from activeeval_widgets.demos import Demo
from activeeval_widgets.formats.evaluation_settings import EvaluationSettings
from activeeval_widgets.session import SQLiteStore
from activeeval_widgets.session.report.summary import session_summary
from activeeval_widgets.stats import ClassPredictions, decide

APP = "[data-aew=app]:is([data-state=ready], [data-state=done])"
SHOWN = ":is([data-aew=instance][data-instance-id], [data-aew=result]:not([hidden]))"
PLOTTED = ":is([data-aew=trajectory-plot] .bqplot .axis, [data-aew=result]:not([hidden]))"
SIZES = ["1280x800", "1366x657"]
N_LABELS = {"ranking": 8, "leaderboard": 150}
MOMENTS = ("before", "during", "goal", "end")
DOCS = Path(__file__).parents[1] / "docs"
PICTURES = {
    "session": "digits-during-light",
    "images-dark": "images-during-dark",
    "start-page": "start-light",
    "start-page-new": "new-light",
    **{
        name: f"{name}-during-light"
        for name in ("text", "ranking", "regression", "compare", "leaderboard", "judge")
    },
}
"""The pictures of the documentation, and their screenshots."""


def session_name(demo: str, moment: str) -> str:
    """Return the name of a demo's session at one of the moments."""
    n = 1 + MOMENTS.index(moment)
    return demo if n == 1 else f"{demo}-{n}"


def label(demo_name: str, moment: str, store: SQLiteStore) -> str:
    """Label a session of a demo up to a moment, and return its report as HTML."""
    demo = load(demo_name)
    name = session_name(demo_name, moment)
    session = begin(demo_name, store, name)
    n_labels = {"before": 0, "during": N_LABELS.get(demo_name, 40)}.get(moment, demo.budget)
    watched = session.watched()
    while session.n_labels < n_labels and (asked := session.next()) is not None:
        session.label(demo.y_true[asked.index], seconds=3.0)
        if moment == "goal":
            watched.update()
            half_width, threshold = demo.goal.half_width, demo.goal.threshold
            if len(session.models) > 2:
                if session.leaderboard().best is not None:
                    break
                continue
            if half_width is not None and (watched.high - watched.low) / 2 <= half_width:
                break
            if threshold is not None and decide(watched.low, watched.high, threshold) is not None:
                break
    return session.report("html", title=demo.title, question=demo.question)


@contextmanager
def served(*command: str, store: Path) -> Iterator[str]:
    """Start a command's server, and yield its address."""
    server = subprocess.Popen(  # noqa: S603 - our own command
        [
            *(sys.executable, "-m", "activeeval_widgets.app.cli", *command),
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
        """Take all pictures of the present page: the dark ones only at the first size."""
        for scheme in self.schemes:
            for size in self.sizes if scheme == self.schemes[0] else self.sizes[:1]:
                self.set(scheme, size)
                self.take_one(f"{name}-{scheme}-{size}")
        self.set(self.schemes[0], self.sizes[0])

    def take_one(self, name: str) -> None:
        """Take one picture, as the page is now."""
        self.page.screenshot(path=self.folder / f"{name}.png")


def photograph_dashboard(camera: Camera, folder: Path) -> None:
    """Photograph the dashboard of the how-to, with some labels, as Voilà shows it."""
    code = re.findall(
        r"```python\n(.*?)```", (DOCS / "how-to" / "my-own-dashboard.md").read_text(), re.DOTALL
    )
    labeled = (
        "rng = np.random.default_rng(1)\n"
        "for i in range(40):\n"
        "    session.label(rng.choice(['bad', 'fair', 'good'], p=y_proba[session.next().index]))\n"
    )
    cells = [nbformat.v4.new_code_cell(f"{code[0]}{labeled}{code[1]}")]
    (folder / "dashboard").mkdir()
    nbformat.write(nbformat.v4.new_notebook(cells=cells), folder / "dashboard" / "dashboard.ipynb")
    port = "8871"
    command = [sys.executable, "-m", "voila", str(folder / "dashboard"), "--no-browser", f"--port={port}"]
    server = subprocess.Popen([*command, "--Voila.ip=127.0.0.1"], stdout=subprocess.DEVNULL)  # noqa: S603
    page = camera.page
    try:
        for _ in range(120):
            try:
                page.goto(f"http://127.0.0.1:{port}/voila/render/dashboard.ipynb", timeout=90_000)
                break
            except Error:
                page.wait_for_timeout(500)
        page.wait_for_selector("[data-aew=part][data-part=history] tbody tr", timeout=90_000)
        page.wait_for_selector(".bqplot .axis", timeout=90_000)
        camera.set("light", "1280x800")
        page.evaluate("window.scrollTo(0, 0)")
        page.wait_for_timeout(1500)
        page.screenshot(path=DOCS / "dashboard.png")
    finally:
        server.terminate()
        server.wait()


def photograph(camera: Camera, demo_name: str, url: str, moment: str, *, with_dialogs: bool = True) -> None:
    """Photograph a demo at a moment, and its dialogs."""
    page = camera.page
    address = f"{url}{'&' if '?' in url else '?'}session={session_name(demo_name, moment)}"
    page.goto(address, timeout=90_000)
    page.wait_for_selector(APP, timeout=90_000)
    page.wait_for_selector(SHOWN, timeout=90_000)
    page.wait_for_selector(PLOTTED, timeout=90_000)
    page.wait_for_timeout(1500)  # the plots are computed after a pause in labeling
    name = f"{demo_name}-{moment}"
    camera.take(name)
    page.locator("[data-aew=app]").focus()
    if moment == "during" and with_dialogs:
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


def write_table(demo: Demo, path: Path) -> None:
    """Write a demo's texts and probabilities as a user's table."""
    model = demo.pool.predictions
    assert isinstance(model, ClassPredictions)  # noqa: S101 - for the type checker
    table = pd.DataFrame(model.y_proba, columns=[f"p_{name}" for name in model.classes]).round(4)
    table[f"p_{model.classes[-1]}"] = (1 - table.iloc[:, :-1].sum(axis=1)).round(4)
    table.insert(0, "text", [str(getattr(text, "text", text)) for text in demo.pool.instances])
    table.insert(0, "id", demo.pool.ids)
    table.to_csv(path, index=False)


EVALUATIONS = (
    # title, measure, labels, budget, minutes since, who
    ("Product reviews", "f1", 60, 200, 5, ["you"]),
    ("Support tickets, October", "error-rate", 180, 250, 60 * 26, ["you", "a colleague"]),
    ("Old model", "balanced-accuracy", 120, 120, 60 * 24 * 3, ["a colleague"]),
)


def fill(folder: Path, store: SQLiteStore) -> None:
    """Put a table into a folder, and evaluations of it into a store."""
    demo = load("text")
    write_table(demo, folder / "reviews.csv")
    for title, measure, n_labels, budget, minutes, who in EVALUATIONS:
        settings = EvaluationSettings(
            folder / "reviews.csv",
            measure=measure,
            budget=budget,
            title=title,
            name=re.sub(r"\W+", "-", title.lower()),
        )
        if measure == "f1":
            settings = settings.with_(positive="negative")
        session = settings.make_session(store)
        while session.n_labels < n_labels and (asked := session.next()) is not None:
            session.label(demo.y_true[asked.index], seconds=3.0)
        used = datetime.now(UTC) - timedelta(minutes=minutes)
        details = {
            "source": {"settings": settings.to_dict()},
            "title": title,
            "measure": session.measure.name,
            "budget": budget,
            "summary": session_summary(session.findings, is_done=session.is_done),
            "who": who,
            "last_used": used.isoformat(),
        }
        store.keep_details(session.name, details)


def photograph_start(camera: Camera, folder: Path, url: str) -> None:
    """Photograph the start page, and a new evaluation."""
    page = camera.page
    page.goto(url, timeout=90_000)
    page.wait_for_selector("[data-aew=start][data-state=ready] tbody tr", timeout=90_000)
    camera.take("start")
    page.click("[data-action=folder]")
    page.click("[data-path='reviews.csv']")
    page.wait_for_selector("[data-aew=plan]:not([aria-busy])", timeout=90_000)
    page.locator("[name=aew-question]").nth(1).check()
    page.wait_for_selector("[data-aew=plan]:not([aria-busy])", timeout=90_000)
    # The folder's name is shown, so it is always the same.
    page.evaluate(
        "folder => { const line = document.querySelector('.aew-kept');"
        " line.textContent = line.textContent.replace(folder, '/home/ada/reviews'); }",
        str(folder),
    )
    camera.take("new")


def main() -> None:
    """Serve the start page and each demo, and photograph it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    demos = ("start", "digits", "text", "ranking", "images", "regression", "compare", "leaderboard", "judge")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--demos", nargs="+", choices=demos, default=demos)
    parser.add_argument("--moments", nargs="+", choices=MOMENTS, default=MOMENTS)
    parser.add_argument("--sizes", nargs="+", default=SIZES, metavar="WIDTHxHEIGHT")
    parser.add_argument("--schemes", nargs="+", choices=["light", "dark"], default=["light", "dark"])
    names = ("chromium", "google-chrome", "chromium-headless-shell")
    browsers = (os.environ.get("CHROMIUM"), *map(shutil.which, names))
    parser.add_argument("--docs", action="store_true", help="renew the pictures in docs/, and take no others")
    parser.add_argument("--chromium", default=next(filter(None, browsers), None))
    options = parser.parse_args()
    if options.docs:
        options.moments, options.sizes = ("during",), SIZES[:1]
    options.folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(
            executable_path=options.chromium, args=["--no-sandbox", "--disable-gpu"]
        )
        if "start" in options.demos:
            own = Path(folder) / "reviews"
            own.mkdir()
            store = own / "evaluations.sqlite"
            sessions = SQLiteStore(store)
            fill(own, sessions)
            sessions.close()
            with served("open", str(own), store=store) as url:
                page = browser.new_page()
                camera = Camera(page, options.folder, options.sizes, options.schemes)
                photograph_start(camera, own, url)
                page.close()
        for demo_name in options.demos:
            if demo_name == "start":
                continue
            store = Path(folder) / f"{demo_name}.sqlite"
            sessions = SQLiteStore(store)
            reports = {moment: label(demo_name, moment, sessions) for moment in options.moments}
            sessions.close()
            with served("demo", demo_name, store=store) as url:
                for moment in options.moments:
                    page = browser.new_page()
                    camera = Camera(page, options.folder, options.sizes, options.schemes)
                    photograph(camera, demo_name, url, moment, with_dialogs=not options.docs)
                    page.close()
            if options.docs:
                continue
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            page.set_content(reports[options.moments[-1]])
            page.screenshot(path=options.folder / f"{demo_name}-report.png", full_page=True)
            page.close()
        if options.docs:
            camera = Camera(browser.new_page(), options.folder, options.sizes, options.schemes)
            photograph_dashboard(camera, Path(folder))
            for name, taken in PICTURES.items():
                if (made := options.folder / f"{taken}-{SIZES[0]}.png").exists():
                    shutil.copy(made, DOCS / f"{name}.png")
        browser.close()


if __name__ == "__main__":
    main()
