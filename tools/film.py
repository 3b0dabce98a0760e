"""Film a session: label a demo in a browser, key by key, until its goal is reached.

    .venv/bin/python tools/film.py docs/session.webp [--demo digits] [--folder FRAMES]

The frames show the page before the first label, after some labels, and at the goal. The labels are the true
ones, with two seconds before each key, so this takes some minutes. FRAMES gets each frame as a PNG.
"""

import argparse
import io
import os
import shutil
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright
from screenshots import served

from activeeval_widgets.app.pages.demo import load
from activeeval_widgets.demos import Demo
from activeeval_widgets.stats import ClassPredictions

MOMENTS = (0, 1, 5, 10, 20, 40, 60, 80, 100, 130, 160)
LOOKED_AT_FOR = 2000  # milliseconds
SHOWN_FOR = 1400  # milliseconds
LAST_SHOWN_FOR = 5000
WINDOW = {"width": 1280, "height": 800}

APP = "[data-aew=app]"
READY = f"{APP}[data-state=ready] [data-aew=instance][data-instance-id]"
REACHED = "button.aew-see-result:visible"


def keys(demo: Demo, page: Page) -> dict[str, str]:
    """Return the key of each instance's true label, by instance id."""
    predictions = demo.pool.predictions
    model = predictions[0] if isinstance(predictions, tuple) else predictions
    assert isinstance(model, ClassPredictions)  # noqa: S101 - for the type checker
    buttons = page.locator("[data-aew=label]").all()
    names = [(button.get_attribute("aria-keyshortcuts") or "").split()[0] for button in buttons]
    key_of = dict(zip(model.classes.tolist(), names, strict=True))
    return {str(i): key_of[y] for i, y in zip(demo.pool.ids, demo.y_true.tolist(), strict=True)}


def press_true_label(page: Page, truth: dict[str, str]) -> None:
    """Wait as if looking at the instance, and press the key of its true label."""
    page.wait_for_timeout(LOOKED_AT_FOR)
    shown = page.get_attribute("[data-aew=instance]", "data-instance-id")
    n_labels = int(page.get_attribute(APP, "data-n-labels") or 0)
    page.keyboard.press(truth[str(shown)])
    page.wait_for_selector(f"{APP}[data-n-labels='{n_labels + 1}']")


def film(page: Page, url: str, demo: Demo) -> list[Image.Image]:
    """Label until the goal is reached, and return a frame for each moment."""
    page.goto(url, timeout=90_000)
    page.wait_for_selector(READY, timeout=90_000)
    page.locator(APP).focus()
    truth = keys(demo, page)
    frames = []
    for n_labels in range(demo.budget + 1):
        is_reached = page.locator(REACHED).count() > 0
        if n_labels in MOMENTS or is_reached:
            page.wait_for_timeout(2000)  # plots are drawn after a pause in answers
            is_reached = page.locator(REACHED).count() > 0
            frames.append(Image.open(io.BytesIO(page.screenshot())).convert("RGB"))
        if is_reached or n_labels == demo.budget:
            break
        press_true_label(page, truth)
        page.wait_for_selector(READY, timeout=20_000)
    return frames


def write(frames: list[Image.Image], path: Path) -> None:
    """Write the frames as one lossless animation, so that text stays sharp."""
    times = [SHOWN_FOR] * (len(frames) - 1) + [LAST_SHOWN_FOR]
    first, *others = frames
    options = {"lossless": True, "quality": 100, "method": 6, "minimize_size": True}
    first.save(path, save_all=True, append_images=others, duration=times, loop=0, **options)


def main() -> None:
    """Serve a demo, and film it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("path", type=Path)
    parser.add_argument("--demo", default="digits", choices=["digits", "text", "images", "compare"])
    parser.add_argument("--folder", type=Path)
    names = ("chromium", "google-chrome", "chromium-headless-shell")
    parser.add_argument(
        "--chromium",
        default=next(filter(None, (os.environ.get("CHROMIUM"), *map(shutil.which, names))), None),
    )
    options = parser.parse_args()
    demo = load(options.demo)
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(
            executable_path=options.chromium, args=["--no-sandbox", "--disable-gpu"]
        )
        with served("demo", options.demo, store=Path(folder) / "sessions.sqlite") as url:
            page = browser.new_page(viewport=WINDOW, color_scheme="light")
            frames = film(page, url, demo)
            page.close()
        browser.close()
    write(frames, options.path)
    if options.folder:
        options.folder.mkdir(parents=True, exist_ok=True)
        for n, frame in enumerate(frames):
            frame.save(options.folder / f"{n:02}.png")


if __name__ == "__main__":
    main()
