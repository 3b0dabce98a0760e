"""A sheet in a browser, by keyboard and on a phone, for images and texts; accessible by axe-core."""

import csv
import re
from collections.abc import Iterator
from contextlib import closing

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from activeeval_widgets.session import open_store

from .accessibility import check_accessibility, in_both_schemes
from .conftest import DemoServer, eventually, start_server, stop_servers
from .test_demos import APP, BY_COLORS, READY

SHEET, TILE = "[data-aew=sheet]", "[data-aew=tile]"
N = 120


@pytest.fixture(scope="module", params=["image", "text"])
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[DemoServer]:
    """Serves a table of images or texts, of two classes that a model is sure of."""
    kind, folder = request.param, tmp_path_factory.mktemp("sheets")
    rng = np.random.default_rng(0)
    with (folder / "sure.csv").open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(["id", kind, "p_ham", "p_spam"])
        for i in range(N):
            if kind == "image":
                Image.fromarray(rng.integers(0, 255, (8, 8), dtype=np.uint8)).save(folder / f"{i}.png")
            shown = f"{i}.png" if kind == "image" else f"A message, number {i}. " * (1 + i % 6)
            table.writerow([f"n{i}", shown, *((0.97, 0.03) if i % 2 else (0.02, 0.98))])
    options = (f"--{kind}", kind, "--id", "id", "--measure", "error-rate", "--sheets")
    store = folder / "labels.sqlite"
    command = ("serve", str(folder / "sure.csv"), "--store", str(store))
    started = start_server(folder, store=store, command=command, options=options)
    yield started
    stop_servers([started])


@pytest.fixture
def opened(server: DemoServer, session_name: str, page: Page) -> str:
    """A sheet of a session of the test's own, whose name it is."""
    page.goto(server.session(session_name), wait_until="commit")
    page.wait_for_selector(READY)
    page.keyboard.press("b")
    page.wait_for_selector(f"{APP}[data-state=ready] {SHEET}")
    return session_name


def test_a_sheet_by_keyboard(opened: str, page: Page, server: DemoServer) -> None:
    tiles = page.locator(TILE)
    expect(tiles).to_have_count(24)
    expect(tiles.first).to_have_attribute("data-value", "ham")
    expect(page.locator("[data-action=exclude]")).to_have_css("opacity", "0.5")
    expect(page.locator("[data-action=defer]")).to_have_css("opacity", "1")
    page.keyboard.press("Space")
    expect(tiles.first).to_have_attribute("data-value", "spam")
    # A row down and up again, whatever the number of columns.
    page.keyboard.press("ArrowDown")
    expect(page.locator(f"{TILE}.aew-current")).not_to_have_attribute(
        "data-instance-id", str(tiles.first.get_attribute("data-instance-id"))
    )
    page.keyboard.press("ArrowUp")
    expect(tiles.first).to_have_class("aew-tile aew-marked aew-current")
    page.keyboard.press("ArrowRight")
    places = [tiles.nth(i).bounding_box() for i in range(24)]
    page.keyboard.press("l")
    expect(tiles.nth(1)).to_have_attribute("data-value", "")
    expect(tiles.nth(1)).to_have_text(re.compile("asked later"))
    assert [tiles.nth(i).bounding_box() for i in range(24)] == places
    marked = str(tiles.first.get_attribute("data-instance-id"))
    page.reload(wait_until="commit")
    page.wait_for_selector(f"{APP}[data-state=ready] {SHEET}")
    expect(tiles.first).to_have_attribute("data-value", "spam")
    expect(tiles.nth(1)).to_have_text(re.compile("asked later"))
    save = page.locator("[data-aew=save-sheet]")
    while "More" in save.inner_text():
        page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    page.wait_for_selector(READY)
    expect(page.locator(SHEET)).to_have_count(0)
    with closing(open_store(server.store)) as store:
        records = store.events_since(opened, 0)
    answers = [record for record in records if record["kind"] in ("label", "defer")]
    assert len(answers) == 24
    result = {record["instance_id"]: record.get("value", record.get("on_sheet")) for record in answers}
    assert result[marked] == "spam"
    assert sum(value is None for value in result.values()) == 1
    page.keyboard.press("u")
    page.wait_for_selector(f"{APP}[data-state=ready] {SHEET}")
    expect(page.locator(f"{TILE}[data-instance-id={marked}]")).to_have_attribute("data-value", "spam")
    expect(page.locator(APP)).to_have_attribute("data-n-labels", "0")


def test_a_sheet_is_accessible_and_fits_a_phone(opened: str, page: Page) -> None:
    page.emulate_media(reduced_motion="reduce")
    page.keyboard.press("Space")
    for scheme in in_both_schemes(page):
        check_accessibility(page, rules=BY_COLORS if scheme == "dark" else ())
    page.set_viewport_size({"width": 390, "height": 844})
    tile = page.locator(TILE).nth(2)
    tile.click()
    expect(tile).to_have_attribute("data-value", "spam")

    def fits() -> None:
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        box = page.locator("[data-aew=save-sheet]").bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
        # What is small can be seen by everybody: an instance is at least as wide as a thumb.
        tiles = page.locator(TILE).all()
        assert all(each.bounding_box()["width"] >= 80 for each in tiles)

    eventually(fits)
