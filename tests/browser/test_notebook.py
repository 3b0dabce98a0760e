"""The app inside JupyterLab and Notebook, where every key is also a shortcut of theirs."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from .conftest import click_still, run_in_notebook

APP = "[data-aew=app]"

SOURCE = """\
import numpy as np
from activeeval_widgets import evaluate
from activeeval_widgets.stats import ClassPredictions, ErrorRate

rng = np.random.default_rng(0)
images = rng.integers(0, 256, (50, 8, 8), dtype=np.uint8)
app = evaluate(images, ClassPredictions(rng.dirichlet(np.ones(3), 50)), ErrorRate(), budget=30)
app
"""


SHOWN = "[data-state=ready] [data-aew=instance] img"


@pytest.fixture(scope="module", params=["lab/tree", "notebooks"])
def notebook(
    request: pytest.FixtureRequest, browser_profile: BrowserContext, jupyter: tuple[str, Path]
) -> Iterator[Page]:
    """JupyterLab or Notebook, with a notebook whose cell shows the app: to load them takes longest."""
    page = browser_profile.new_page()
    run_in_notebook(page, jupyter, request.param, SOURCE)
    page.wait_for_selector(f"{APP}{SHOWN}")
    yield page
    page.close()


@pytest.fixture
def app_page(notebook: Page) -> Iterator[Page]:
    """The notebook's page, whose cell has been run anew: another session, with keys as they are at first."""
    notebook.locator(APP).evaluate("(app) => { app.dataset.before = 'true'; }")
    notebook.locator(".jp-CodeCell .cm-content").first.click()
    notebook.keyboard.press("Shift+Enter")
    notebook.wait_for_selector(f"{APP}:not([data-before]){SHOWN}")
    expect(notebook.locator(APP)).to_have_count(1)
    expect(notebook.locator(APP)).to_have_attribute("data-n-labels", "0")
    yield notebook
    notebook.evaluate("localStorage.clear()")


def cells(page: Page) -> list[str]:
    """The types of the notebook's cells, and what is in them."""
    # Asked of the notebook itself: cells that are scrolled out of sight are not in the document.
    found: list[str] = page.evaluate(
        """() => [...window.jupyterapp.shell.currentWidget.content.model.cells]
            .map(cell => cell.type + ': ' + cell.sharedModel.getSource())"""
    )
    return found


def test_keys_label_and_leave_the_notebook_alone(app_page: Page) -> None:
    before = cells(app_page)
    assert len(before) >= 3
    app = app_page.locator(APP)
    app_page.locator("[data-aew=instance]").click()
    for n, key in enumerate("012012", start=1):
        app_page.keyboard.press(key)
        expect(app).to_have_attribute("data-n-labels", str(n))
    expect(app.locator("[aria-label*='6 asked so far']")).to_be_visible()  # the plots are drawn
    click_still(app_page.locator("[data-aew=label] >> nth=1"))
    expect(app).to_have_attribute("data-n-labels", "7")
    # The keys of the app, and those that cut, split, delete, merge or change cells in command mode.
    for key, draw in zip("xul", "989", strict=True):
        app_page.keyboard.press(key)
        expect(app).to_have_attribute("data-draw", draw)
        expect(app).to_have_attribute("data-state", "ready")
    for key in [*"pp", "?", "Escape", *"fddmyabcvz", "Escape", "Backspace"]:
        app_page.keyboard.press(key)
    expect(app).to_have_attribute("data-n-labels", "7")
    expect(app).to_have_attribute("data-state", "ready")
    assert cells(app_page) == before


DESTRUCTIVE = "xddmyabcvz0012LOKJ"


def test_what_is_typed_in_the_widgets_fields_stays_there(app_page: Page) -> None:
    before = cells(app_page)
    app = app_page.locator(APP)
    dialog = app_page.get_by_role("dialog")
    app_page.locator("[data-aew=instance]").click()
    keyboard = app_page.keyboard
    keyboard.press("n")
    keyboard.type(DESTRUCTIVE)
    expect(app_page.locator("textarea[data-aew=note]")).to_have_value(DESTRUCTIVE)
    keyboard.press("Enter")
    expect(app_page.locator("[data-aew=marks]")).to_contain_text(DESTRUCTIVE)
    keyboard.press("1")
    expect(app).to_have_attribute("data-n-labels", "1")
    keyboard.press("h")
    expect(dialog).to_be_visible()
    keyboard.type(DESTRUCTIVE)
    expect(dialog.get_by_role("row")).to_have_count(2)  # the head, and the one whose note that is
    for key in ["Backspace", "ArrowDown", "Enter", "2"]:  # goes to it, and changes its label
        keyboard.press(key)
    expect(app_page.get_by_role("status").filter(has_text="Changed")).to_be_visible()
    for key in ["u", "s", "Tab", "d", "d", "Enter", "m", "Escape", "v", "x", "d", "d", "Escape"]:
        keyboard.press(key)
    expect(app).to_have_attribute("data-state", "ready")
    # On a button, too: there JupyterLab looks for its shortcuts before it comes to the widget.
    app_page.locator("[data-aew=label]").first.focus()
    for key in "ddmya":
        keyboard.press(key)
    expect(app).to_have_attribute("data-n-labels", "2")  # M is a label's key since the settings were open
    assert cells(app_page) == before
    keyboard.press("Shift+X")
    app_page.get_by_label("Another reason").press_sequentially(DESTRUCTIVE)
    keyboard.press("Enter")
    expect(dialog).to_be_hidden()
    expect(app_page.get_by_role("status").filter(has_text="1 excluded")).to_be_visible()
    assert app_page.locator(APP).evaluate("(app) => app.contains(document.activeElement)")
    keyboard.press("2")
    expect(app).to_have_attribute("data-n-labels", "3")
    assert cells(app_page) == before


def test_tab_leaves_the_widget(app_page: Page) -> None:
    app_page.locator("[data-aew=instance]").click()
    for _ in range(40):
        app_page.keyboard.press("Tab")
        if not app_page.evaluate("document.activeElement.closest('[data-aew=app]') !== null"):
            return
    pytest.fail("the focus is trapped in the widget")


def test_code_and_keys_drive_one_session(app_page: Page) -> None:
    app = app_page.locator(APP)
    app_page.locator("[data-aew=instance]").click()
    app_page.keyboard.press("1")
    expect(app).to_have_attribute("data-n-labels", "1")
    app_page.locator(".jp-CodeCell .cm-content").first.click()
    app_page.keyboard.press("Escape")
    app_page.keyboard.press("b")
    app_page.keyboard.press("Enter")
    app_page.keyboard.insert_text("[app.session.label(0) for _ in range(4)]")
    app_page.keyboard.press("Shift+Enter")
    expect(app).to_have_attribute("data-n-labels", "5")
    app_page.locator("[data-aew=instance]").click()
    app_page.keyboard.press("2")
    expect(app).to_have_attribute("data-n-labels", "6")
