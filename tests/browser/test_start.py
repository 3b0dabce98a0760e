"""The start page: from a file to the first label by mouse, by keyboard alone, and by a drop; and back."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from activeeval_widgets.app.commands.demo import DEMOS

from ..start.conftest import predictions_csv
from .accessibility import check_accessibility, in_both_schemes
from .conftest import DemoServer, Traffic, processor_time, stop_servers

READY = "[data-aew=start][data-state=ready]"
NEW = "[data-aew=new]:not([hidden])"
LABELING = "[data-aew=app][data-state=ready] [data-aew=instance][data-instance-id]"
HOSTILE = "<img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DemoServer]:
    """A start page of a folder with one file, shared by the tests of this file."""
    folder = tmp_path_factory.mktemp("start")
    (folder / "tickets.csv").write_text(predictions_csv(3000))
    errors = folder / "server.log"
    command = (sys.executable, "-m", "activeeval_widgets.app.cli", "open", str(folder))
    with errors.open("w") as log:
        process = subprocess.Popen(
            [*command, "--no-browser", "--port", "0"],
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            start_new_session=True,
            # The user's own evaluations are not for a test.
            env={**os.environ, "XDG_DATA_HOME": str(folder / "data")},
        )
    found = re.search(r"http://\S+", process.stdout.readline())
    assert found, errors.read_text()
    started = DemoServer(process, found.group(), folder / "evaluations.sqlite", errors)
    yield started
    stop_servers([started])


def is_accessible(page: Page) -> None:
    """Check the page, light and dark."""
    for _ in in_both_schemes(page):
        check_accessibility(page)


def show_start(page: Page, server: DemoServer) -> None:
    page.goto(server.url)
    page.wait_for_selector(READY)


def n_labels(page: Page) -> str | None:
    return page.locator("[data-aew=app]").get_attribute("data-n-labels")


def test_from_a_file_to_the_first_label_and_back(page: Page, server: DemoServer, traffic: Traffic) -> None:
    clicks = 0

    def click(selector: str) -> None:
        nonlocal clicks
        clicks += 1
        page.click(selector)

    before = processor_time(server.process.pid)
    show_start(page, server)
    expect(page.locator("[data-demo]")).to_have_count(len(DEMOS))
    click("[data-action=folder]")
    click("[data-path='tickets.csv']")
    expect(page.locator(f"{NEW} select.aew-chip").nth(2)).to_have_value("proba")
    plan = re.compile(r"[\d,]+ to [\d,]+ labels.*likely; the first labels will tell")
    expect(page.locator("[data-aew=plan]")).to_contain_text(plan)
    click("[data-action=start]")
    page.wait_for_selector(LABELING)
    click("[data-aew=label][data-value=bug]")
    expect(page.locator("[data-aew=app]")).to_have_attribute("data-n-labels", "1")
    assert clicks <= 5
    assert processor_time(server.process.pid) - before < 60
    expect(page.locator("[data-aew=app]")).to_have_attribute("data-state", "ready")

    page.get_by_role("link", name="All evaluations").click()
    row = page.locator("tr[data-session=tickets]")
    expect(row).to_contain_text("error rate")
    expect(row).to_contain_text(re.compile(r"1 of \d+"))  # it is kept some seconds after a label
    expect(row).to_contain_text(re.compile(r"just now|ago"))  # a machine may sleep meanwhile
    page.wait_for_selector(READY)
    is_accessible(page)
    with page.expect_download() as download:
        row.get_by_role("button", name="More about Tickets").click()
        page.get_by_role("menuitem", name="Everything (JSON)").click()
    assert len(json.loads(download.value.path().read_text())["log"]) >= 2
    page.go_back()  # to the evaluation, which goes on
    page.wait_for_selector(LABELING)
    assert n_labels(page) == "1"

    # Its next version has other predictions for the same tickets.
    show_start(page, server)
    row.get_by_role("button", name="More about Tickets").click()
    page.get_by_role("menuitem", name="Next version").click()
    expect(page.get_by_role("heading", name="Next version of “Tickets”")).to_be_visible()
    is_accessible(page)
    again = predictions_csv(3001).encode()
    page.set_input_files("input[type=file]", {"name": "week 2.csv", "mimeType": "text/csv", "buffer": again})
    expect(page.locator(NEW)).to_be_visible()
    expect(page.get_by_text("week 2.csv · 3,001 rows · after tickets: 1 label carried over")).to_be_visible()
    page.click("[data-action=start]")
    page.wait_for_selector(LABELING)
    assert page.url.endswith("session=week-2")
    expect(page.get_by_text("of 1 carried over")).to_be_visible()


def test_by_keyboard_alone(page: Page, server: DemoServer, traffic: Traffic) -> None:
    def until_focused(selector: str, key: str = "Tab") -> None:
        for _ in range(40):
            if page.evaluate(f"document.activeElement.matches({json.dumps(selector)})"):
                return
            page.keyboard.press(key)
        raise AssertionError(f"{selector} is not reached by {key}")

    show_start(page, server)
    until_focused("[data-action=folder]")
    page.keyboard.press("Enter")
    until_focused("[data-path='tickets.csv']")
    page.keyboard.press("Enter")
    page.wait_for_selector(NEW)
    # The second question, about a class, with the arrow keys; a wider margin; then the button.
    until_focused("select.aew-chip", "Shift+Tab")
    until_focused("input[name=aew-question]")
    page.keyboard.press("ArrowDown")
    expect(page.locator("[data-aew=positive]")).to_be_visible()
    until_focused("[data-aew=positive]")
    page.keyboard.press("b")  # begins with it: billing, after bug
    until_focused("#aew-slider")
    before = page.locator(".aew-margin").first.inner_text()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".aew-margin").first).not_to_have_text(before)
    expect(page.locator("[data-aew=plan]")).to_contain_text("labels")
    is_accessible(page)
    until_focused("#aew-guidelines")
    page.keyboard.type("A ticket is a *bug* if it crashes.")
    until_focused("[data-action=start]")
    page.keyboard.press("Enter")
    page.wait_for_selector(LABELING)
    page.keyboard.press("1")
    expect(page.locator("[data-aew=app]")).to_have_attribute("data-n-labels", "1")
    page.keyboard.press("i")
    expect(page.locator(".aew-guidelines em")).to_have_text("bug")


def test_a_dropped_file_with_hostile_content(
    page: Page, server: DemoServer, traffic: Traffic, tmp_path: Path
) -> None:
    text = (
        predictions_csv(3000).replace("lang", HOSTILE).replace("Ticket number 0,", f"{HOSTILE} {{{{7*7}}}}")
    )
    name = f"{HOSTILE}.csv"
    show_start(page, server)
    drop = """([name, text]) => {
        const data = new DataTransfer();
        if (name) data.items.add(new File([text], name));
        const target = document.querySelector("[data-aew=start]");
        for (const type of ["dragenter", "dragover", "drop"])
            target.dispatchEvent(
                new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }),
            );
    }"""
    page.evaluate(drop, ["photo.png", "\x89PNG"])
    expect(page.get_by_role("alert").filter(visible=True)).to_contain_text("photo.png")
    page.evaluate(drop, [name, text])
    page.wait_for_selector(NEW)
    expect(page.locator(f"{NEW} img")).to_have_count(0)
    expect(page.locator(".aew-columns thead")).to_contain_text(HOSTILE)
    expect(page.locator(".aew-columns tbody")).to_contain_text(f"{HOSTILE} {{{{7*7}}}}")
    expect(page.locator("[data-action=start]")).to_be_enabled()
    assert (server.store.parent / "img src=x onerror=alert(1).csv").read_text() == text
    page.go_back()  # the list again, in the same page
    expect(page.locator("[data-action=choose]")).to_be_visible()
    expect(page.locator(NEW)).to_have_count(0)
    page.locator("input[type=file]").set_input_files(
        [{"name": "again.csv", "mimeType": "text/csv", "buffer": text.encode()}]
    )
    page.wait_for_selector(NEW)
    page.fill("#aew-title", f"{HOSTILE} =1+1")
    page.click("[data-action=start]")
    page.wait_for_selector(LABELING)
    page.go_back()
    expect(page.locator("tbody th").filter(has_text=f"{HOSTILE} =1+1")).to_be_visible()
    expect(page.locator("table img")).to_have_count(0)
