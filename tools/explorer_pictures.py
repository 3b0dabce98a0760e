"""Take a picture of each explorer as it first appears, docs/explorer-NAME.png, for readers of notebooks.

.venv/bin/python tools/explorer_pictures.py [NAME...]
"""

import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from activeeval_widgets import explorers

DOCS = Path(__file__).parents[1] / "docs"
BROWSERS = ("chromium", "google-chrome", "chromium-headless-shell")
SIZE = {"width": 1000, "height": 900}


def main(names: list[str]) -> None:
    """Take pictures of the named explorers, or of all."""
    found = {each.name: each for each in explorers.EXPLORERS}
    browser_path = next(filter(None, map(shutil.which, BROWSERS)), None)
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=browser_path, args=["--no-sandbox"])
        page = browser.new_page(viewport=SIZE, color_scheme="light")
        for name in names or found:
            file = Path(folder) / f"{name}.html"
            found[name]().save_html(file)
            page.goto(file.as_uri())
            page.locator("[data-aew-explorer] svg").first.wait_for()
            page.locator("[data-aew-explorer]").screenshot(path=DOCS / f"explorer-{name}.png")
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
