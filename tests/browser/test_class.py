"""A class in real browsers: a wall, phones and a laptop, and thirty lines beside them."""

import asyncio
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from classroom import label_all
from playwright.sync_api import Browser, BrowserType, Locator, Page, expect

from .accessibility import check_accessibility, in_both_schemes
from .conftest import DemoServer, eventually, start_server, stop_servers, write_mails

WALL = "[data-aew=wall]"
APP = "[data-aew=app]"
N_LABELS = 12
N_LINES = 30
ADA = "<b>Augusta Ada Lovelace</b>"  # longer than a phone has room for, beside the rest of the bar
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


@pytest.fixture(scope="module")
def class_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DemoServer]:
    """A class on a labeled file, with two simulated students."""
    folder = tmp_path_factory.mktemp("class")
    file = write_mails(folder)
    server = start_server(
        folder,
        command=("class", str(file), "--label", "truth", "--n-labels", str(N_LABELS), "--simulate", "2"),
    )
    yield server
    stop_servers([server])


@pytest.fixture
def others(browser_type: BrowserType, browser_type_launch_args: dict[str, Any]) -> Iterator[Browser]:
    """A browser whose contexts have cookies of their own: one for each student."""
    browser = browser_type.launch(**browser_type_launch_args)
    yield browser
    browser.close()


def link_of(wall: Page) -> str:
    return wall.locator("[data-aew=invitation]").get_attribute("data-link") or ""


def joined(browser: Browser, link: str, name: str, **device: Any) -> Page:
    """A student's page, from the link to the first instance."""
    page = browser.new_context(**device).new_page()
    page.goto(link)
    field = page.locator("#aew-who")
    expect(field).to_be_visible()
    field.fill(name)
    field.press("Enter")
    expect(page.locator("[data-aew=who]")).to_have_text(name)
    expect(page.locator(APP)).to_have_attribute("data-state", "ready")
    return page


def label(page: Page, n: int, *, by_key: bool = False) -> None:
    app = page.locator(APP)
    for i in range(n):
        expect(app).to_have_attribute("data-state", "ready")
        before = int(app.get_attribute("data-n-labels") or 0)
        if by_key:
            page.keyboard.press("1")
        else:
            page.locator("[data-aew=label]").nth(i % 2).tap()  # the same one again would be a double tap
        expect(app).to_have_attribute("data-n-labels", str(before + 1))


def row(wall: Locator, name: str) -> Locator:
    return wall.locator(".aew-plot svg text", has_text=re.compile(f"^{re.escape(name)}( ◇)?$"))


def test_a_class_from_the_link_to_the_truth(
    page: Page, class_server: DemoServer, others: Browser, tmp_path: Path
) -> None:
    page.goto(class_server.url)
    wall = page.locator(WALL)
    expect(wall).to_have_attribute("data-state", "ready")
    assert "token" not in page.url  # who sits in front of the wall would read it
    expect(page.locator("[data-aew=invitation] svg")).to_be_visible()
    link = link_of(page)

    # A phone and a laptop; a name is text, whatever it looks like.
    phone = joined(others, link, ADA, **PHONE)
    label(phone, 3)
    phone.locator("[data-aew=stop]").tap()
    expect(phone.locator("[data-aew=stopped]")).to_have_text("You would stop after 3 labels.")
    laptop = joined(others, link, "Bob")
    label(laptop, 2, by_key=True)
    expect(row(wall, ADA)).to_have_count(1)
    expect(row(wall, "Bob")).to_have_count(1)
    check_accessibility(phone, APP, ".aew-student")
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390

    # The page is reloaded: the same session goes on, and nobody else notices.
    phone.reload()
    expect(phone.locator("[data-aew=who]")).to_have_text(ADA)
    expect(phone.locator(APP)).to_have_attribute("data-n-labels", "3")
    label(phone, N_LABELS - 3)
    label(laptop, 1, by_key=True)

    # Thirty at once; the wall has them all, and those who are simulated have kept up.
    names = [f"Line {i}" for i in range(N_LINES)]
    with ThreadPoolExecutor(1) as beside:
        beside.submit(asyncio.run, label_all(link, names, N_LABELS)).result()
    expect(wall).to_have_attribute("data-rows", str(N_LINES + 4))
    headline = page.locator("[data-aew=headline]")
    expect(headline).to_have_text(f"{N_LINES + 3} of {N_LINES + 4} at {N_LABELS} labels")
    page.set_viewport_size({"width": 1920, "height": 1080})
    eventually(lambda: row(wall, "Line 7").count() == 1)

    # The truth, by a key: misses are counted and drawn, by each kind of interval.
    expect(page.locator(".aew-draw-goal")).to_have_count(0)
    page.keyboard.press("r")
    expect(headline).to_have_text(re.compile(rf"\d+ of {N_LINES + 3} miss: [\d.]+%"))
    expect(page.locator(".aew-plot .aew-draw-goal")).not_to_have_count(0)
    details = page.locator("[data-aew=details]")
    expect(details).to_contain_text("a chance of at most 5%, wherever it is stopped")
    expect(details).to_contain_text(re.compile("The cheater (stops|finds)"))
    page.keyboard.press("k")
    expect(page.locator("[data-aew=kind] input[value=approximate]")).to_be_checked()
    page.keyboard.press("k")
    expect(details).to_contain_text("if its number of labels is fixed beforehand")
    page.keyboard.press("s")
    expect(headline).to_have_text(re.compile("[01] of 1 miss"))
    page.keyboard.press("s")
    expect(headline).to_have_text(re.compile(rf"\d+ of {N_LINES + 3} miss"))
    page.keyboard.press("a")
    expect(page.locator("[data-aew=apart]")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("[data-aew=halves] li")).to_have_count(2)
    for _ in in_both_schemes(page):
        check_accessibility(page, WALL)

    # The table has what was drawn.
    with page.expect_download() as download:
        page.locator("[data-aew=save]").click()
    download.value.save_as(tmp_path / "class.csv")
    table = pd.read_csv(tmp_path / "class.csv")
    assert set(table["student"]) == {*names, ADA, "Bob", "Simulated 1", "Simulated 2"}
    own = table.loc[table["stops_here"], ["student", "n_labels"]]
    assert own.to_numpy().tolist() == [[ADA, 3]]
    assert len(set(table["truth"])) == 1
    page.set_viewport_size({"width": 1280, "height": 800})
    check_accessibility(page, WALL)
