"""The lessons as static files: JupyterLite runs them in a browser."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urljoin

import pytest
from click.testing import CliRunner
from playwright.sync_api import BrowserContext, expect

from activeeval_widgets.app.cli import main

LESSON = "01_guess_then_label.ipynb"
LOADED = 180_000  # ms, at the most, on a busy machine

ON_THE_DRIVE = """
from activeeval_widgets.formats import write_session
try:
    Session(demo.pool, ErrorRate(), store="labels.sqlite")
except Exception as error:
    print(type(error).__name__, error)
write_session(session, "labels.json")
"""


@pytest.fixture(scope="module")
def lessons(tmp_path_factory: pytest.TempPathFactory, serve: Callable[[Path], str]) -> str:
    """The address of the lessons, of which the first has one more cell."""
    folder = tmp_path_factory.mktemp("lessons") / "a project"
    options = ("--output", str(folder), "--pyodide", os.environ["PYODIDE"])
    found = CliRunner().invoke(main, ["export-page", "lessons", *options])
    assert found.exit_code == 0, found.output
    path = folder / "jupyterlite" / "files" / LESSON
    notebook = json.loads(path.read_text(encoding="utf-8"))
    about = {"cell_type": "code", "execution_count": None, "id": "drive", "metadata": {}, "outputs": []}
    notebook["cells"].append({**about, "source": ON_THE_DRIVE})
    path.write_text(json.dumps(notebook), encoding="utf-8")
    return f"{serve(folder.parent)}a%20project/"


def test_a_lesson_opens_from_the_list_and_runs(lessons: str, context: BrowserContext) -> None:
    requested: list[str] = []
    context.on("request", lambda request: requested.append(request.url))
    page = context.new_page()
    page.goto(lessons)
    expect(page.locator(".aew-cards").first.locator("> li")).to_have_count(15)
    page.get_by_role("link", name="Guess, then label").click()
    page.wait_for_selector(".jp-Notebook .jp-CodeCell", timeout=LOADED)
    status = page.locator(".jp-Notebook-ExecutionIndicator")
    expect(status).to_have_attribute("data-status", "idle", timeout=LOADED)
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
    # The last cell says what can't be, once all others have run.
    printed = page.locator(".jp-OutputArea-output", has_text="JupyterLite's drive")
    expect(printed).to_contain_text("StoreError", timeout=LOADED)
    expect(printed).to_contain_text("keep the labels by formats.session_file.write_session")
    expect(page.locator(".jp-OutputArea-output[data-mime-type*=error]")).to_have_count(0)
    expect(page.locator(".jp-RenderedText[data-mime-type$=stderr]")).to_have_count(0)

    app = page.locator("[data-aew=app]")
    app.click(position={"x": 5, "y": 5})
    for n in (1, 2, 3):
        expect(app).to_have_attribute("data-state", "ready", timeout=LOADED)
        page.keyboard.press(str(n))
        expect(app).to_have_attribute("data-n-labels", str(n), timeout=30_000)

    guess = page.get_by_label("My guess: the share that the model gets wrong")
    shown = page.locator(".widget-html img.aew-figure").first
    before = shown.get_attribute("src")
    guess.fill("0.4")
    guess.press("Enter")
    expect(shown).not_to_have_attribute("src", before or "", timeout=30_000)
    here = (urljoin(lessons, "/"), "blob:", "data:")
    assert [url for url in requested if not url.startswith(here)] == []
