"""The app, its parts and figures in JupyterLab and Notebook, where every key is also a shortcut of theirs."""

import json
import os
import re
import signal
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from cut_line import Line
from playwright.sync_api import BrowserContext, Page, expect

from .conftest import click_still, kernel_process, run_in_notebook
from .test_figures import FIGURE, drawn
from .test_figures import SOURCE as FIGURES
from .test_killed_kernels import SOURCE as THREE_CLASSES
from .test_killed_kernels import goes_on_with_what_was_unsaved, label, labels
from .test_parts import DASHBOARD, PARTS, READY, label_where_the_focus_is, part
from .test_race import RACE
from .test_ready import PRESS_WHEN_READY, all_have_counted
from .test_ready import SOURCE as LATE_INSTANCES

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


SHOWN = f"{APP}[data-state=ready] [data-aew=instance] img"


@pytest.fixture(scope="module", params=["lab/tree", "notebooks"])
def notebook(
    request: pytest.FixtureRequest, browser_profile: BrowserContext, jupyter: tuple[str, Path]
) -> Iterator[Page]:
    """JupyterLab or Notebook, with a notebook whose cell each test runs anew: to load them takes longest."""
    page = browser_profile.new_page()
    try:
        run_in_notebook(page, jupyter, request.param, "import activeeval_widgets")
        yield page
    finally:
        page.close()


@pytest.fixture
def other(notebook: Page) -> Iterator[Page]:
    """Another page of the same browser."""
    page = notebook.context.new_page()
    yield page
    page.close()


only_in_lab = pytest.mark.parametrize("notebook", ["lab/tree"], indirect=True)

# As it was at first, but for the code: the cells that a test has added are gone.
RESET = """(source) => {
    const { sharedModel } = window.jupyterapp.shell.currentWidget.content.model;
    const isCode = sharedModel.cells.map((cell) => cell.cell_type === "code");
    for (let i = isCode.length - 1; i > isCode.indexOf(true); i--) if (isCode[i]) sharedModel.deleteCell(i);
    sharedModel.cells[isCode.indexOf(true)].setSource(source);
    for (const output of document.querySelectorAll(".jp-OutputArea-output")) output.dataset.before = "true";
    localStorage.clear();
}"""


def run(page: Page, source: str, shown: str) -> None:
    """Run code in the notebook's cell, until what it shows is there."""
    page.evaluate(RESET, source)
    run_again(page)
    page.wait_for_selector(f".jp-OutputArea-output:not([data-before]) {shown}")
    expect(page.locator("[data-before]")).to_have_count(0)


def run_again(page: Page) -> None:
    page.locator(".jp-CodeCell .cm-content").first.click()
    page.keyboard.press("Shift+Enter")


def run_below(page: Page, source: str) -> None:
    """Run code in a new cell below the first."""
    page.locator(".jp-CodeCell .cm-content").first.click()
    page.keyboard.press("Escape")
    page.keyboard.press("b")
    page.keyboard.press("Enter")
    page.keyboard.insert_text(source)
    page.keyboard.press("Shift+Enter")


@pytest.fixture
def app_page(notebook: Page) -> Page:
    """A notebook that shows the app."""
    run(notebook, SOURCE, SHOWN)
    expect(notebook.locator(APP)).to_have_attribute("data-n-labels", "0")
    return notebook


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
    click_first = app.get_by_text("Click here to use the keys")
    expect(click_first).to_be_visible()
    click_first.click()
    expect(click_first).to_be_hidden()
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
    run_below(app_page, "[app.session.label(0) for _ in range(4)]")
    expect(app).to_have_attribute("data-n-labels", "5")
    app_page.locator("[data-aew=instance]").click()
    app_page.keyboard.press("2")
    expect(app).to_have_attribute("data-n-labels", "6")


ALONE = """
figure = app.plots.estimate
out = ipywidgets.IntText(description="labels")
ipywidgets.VBox([figure, ipywidgets.HBox([plots(app.session).sampling, out]), figure])
"""


def test_figures_alone_stay_alive(notebook: Page) -> None:
    run(notebook, f"{FIGURES}_ = [app.session.label('no') for _ in range(5)]{ALONE}", FIGURE)
    figures = notebook.locator(FIGURE)
    expect(figures).to_have_count(3)
    for figure in (figures.nth(0), figures.nth(2)):
        drawn(figure, 5)
        expect(figure.locator(".mainheading")).to_have_text("Error rate after each label")
        expect(figure.locator("text.axislabel").first).to_have_text("labels")
        expect(figure.get_by_text("interval", exact=True)).to_be_visible()
        # For screen readers, what it shows is a text in it.
        expect(figure.get_by_text(re.compile(r"^Error rate after each label\. "))).to_have_count(1)
    run_below(notebook, "_ = [app.session.label('yes') for _ in range(3)]")
    drawn(figures.nth(0), 8)
    drawn(figures.nth(2), 8)
    # Values by pointer.
    value = figures.nth(0).locator(".object_grp path[style*='transparent']").nth(3)
    value.hover(force=True)
    status = notebook.locator(".bqplot_tooltip_div").filter(has_text=re.compile("label.*: "))
    expect(status).to_be_visible()


def test_a_dashboard(notebook: Page) -> None:
    run(notebook, DASHBOARD, READY)
    before = cells(notebook)
    label_where_the_focus_is(notebook)
    for key in "ddabcm":  # which would cut, delete and add cells
        notebook.keyboard.press(key)
    assert cells(notebook) == before
    expect(notebook.locator(part("labels"))).to_have_attribute("data-n-labels", "5")


@only_in_lab
def test_two_tabs_agree(notebook: Page, other: Page) -> None:
    run(notebook, DASHBOARD, READY)
    notebook.keyboard.press("Control+s")  # another tab reads what shows the parts from the file
    expect(notebook.locator(".jp-NotebookPanel-toolbar")).to_be_visible()
    notebook.wait_for_selector(".lm-TabBar-tab.lm-mod-current:not(.jp-mod-dirty)")
    other.goto(notebook.url)
    other.wait_for_selector(".jp-Notebook-ExecutionIndicator[data-status=idle]")
    first, second = (each.locator(part("labels")) for each in (notebook, other))
    second.wait_for()
    expect(second).to_have_attribute("data-state", "ready")
    shown = [each.locator(f"{part('instance')} [data-aew=instance]") for each in (notebook, other)]
    for n, (tab, key) in enumerate(((first, "1"), (second, "2"), (second, "3"), (first, "u")), start=1):
        tab.locator("[data-aew=label]").first.focus()
        tab.page.keyboard.press(key)
        n_labels = str(n if key != "u" else n - 2)
        for each in (notebook, other):
            for name in PARTS:
                expect(each.locator(part(name))).to_have_attribute("data-n-labels", n_labels)
            expect(each.locator(part("instance"))).to_have_attribute("data-state", "ready")
        ids = [each.get_attribute("data-instance-id") for each in shown]
        assert ids[0] == ids[1]


A_RACE = """\
import numpy as np
from activeeval_widgets.stats import ErrorRate
from activeeval_widgets.widgets import Race
p = np.linspace(0.02, 0.98, 50)
texts = [f"text {i}" for i in range(50)]
Race(texts, np.column_stack([1 - p, p]), ErrorRate(), (p > 0.6).astype(int), budget=8)
"""


@only_in_lab
def test_a_race(notebook: Page) -> None:
    run(notebook, A_RACE, RACE)
    shown = notebook.locator(RACE)
    expect(shown).to_have_attribute("data-known", "8")
    shown.locator("[data-aew=step]").click()
    expect(shown).to_have_attribute("data-n", "1")
    notebook.keyboard.press("ArrowRight")
    expect(shown).to_have_attribute("data-n", "2")
    # The cell run again: a new race in its place.
    run_again(notebook)
    expect(shown).to_have_attribute("data-n", "0")
    expect(shown).to_have_attribute("data-known", "8")
    expect(shown).to_have_count(1)


@only_in_lab
def test_every_key_counts_that_comes_with_ready(notebook: Page) -> None:
    run(notebook, "print('no app')", "pre")
    expect(notebook.locator(APP)).to_have_count(0)
    notebook.evaluate(PRESS_WHEN_READY)
    run(notebook, LATE_INSTANCES, APP)
    all_have_counted(notebook)


@only_in_lab
def test_it_goes_on_as_soon_as_the_server_answers(other: Page, jupyter: tuple[str, Path]) -> None:
    line, page = Line(urlsplit(jupyter[0]).port or 0), other
    run_in_notebook(page, jupyter, "lab/tree", SOURCE, at=f"http://127.0.0.1:{line.port}")
    page.wait_for_selector(SHOWN)
    app = page.locator(APP)
    # Its dialog about the server would come at any moment, and take the focus; see below for dialogs.
    page.evaluate("window.jupyterapp.serviceManager.connectionFailure.emit = () => {}")
    for n, seconds in enumerate((0.1, 0.5, 2.0)):
        app.focus()  # JupyterLab may take it when the line is back
        page.keyboard.press("1")
        line.cut(seconds)
        expect(app).to_have_attribute("data-n-labels", str(n + 1))
        expect(app).to_have_attribute("data-state", "ready")
    # One of its own dialogs takes the focus, as it does when the server is gone for longer.
    page.evaluate("void window.jupyterapp.commands.execute('help:about')")
    page.wait_for_function("document.querySelector('.jp-Dialog')?.contains(document.activeElement)")
    page.keyboard.press("2")
    close_dialogs(page)
    page.keyboard.press("2")
    expect(app).to_have_attribute("data-n-labels", "4")
    line.close()


def close_dialogs(page: Page) -> None:
    """Close JupyterLab's dialogs, until the app has the focus again."""
    page.wait_for_function("""() => {
        document.querySelector('.jp-Dialog .jp-Dialog-footer button:last-of-type')?.click();
        const app = document.querySelector('[data-aew=app]');
        return !document.querySelector('.jp-Dialog') && app.contains(document.activeElement);
    }""")


def test_a_kernel_is_killed(notebook: Page, jupyter: tuple[str, Path], tmp_path: Path) -> None:
    """Last: the cells that are run again are all there is."""
    path = tmp_path / "labels.sqlite"
    page = notebook
    run(page, THREE_CLASSES.format(path=str(path)), f"{APP}[data-state=ready] [data-instance-id]")
    label(page, "1231231231", 0)
    given = labels(path)
    assert len(given) == 10
    asked = page.get_attribute("[data-aew=instance]", "data-instance-id")

    name = urlsplit(page.url).path.rpartition("/")[2]
    with urllib.request.urlopen(f"{jupyter[0]}/api/sessions") as answer:
        (kernel,) = (s["kernel"]["id"] for s in json.load(answer) if s["path"] == name)
    os.kill(kernel_process(kernel), signal.SIGKILL)
    page.keyboard.press("2")  # not saved, and the page must not say that it is; sent again later
    page.wait_for_timeout(1000)
    expect(page.locator(APP)).to_have_attribute("data-n-labels", "10")
    assert labels(path) == given

    died = page.locator("dialog .jp-mod-accept, .jp-Dialog .jp-mod-accept")
    died.first.click()  # "The kernel appears to have died. It will restart automatically."
    page.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]").first.wait_for()
    page.get_by_role("button", name=re.compile("Restart the kernel and run all cells")).first.click()
    page.locator("dialog .jp-mod-accept, .jp-Dialog .jp-mod-accept").first.click()
    goes_on_with_what_was_unsaved(page, path, [*given, (asked, "two")])
