"""The lessons as they are served: their index, one lesson with its widgets, and the explorers."""

import io
import re
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, expect

from activeeval_widgets import app
from activeeval_widgets.lessons.catalog import LESSONS, NOTEBOOKS
from activeeval_widgets.widgets.explorers import EXPLORERS

from .accessibility import check_accessibility
from .conftest import DemoServer, Traffic, lose_widget

SECOND = LESSONS[1]  # it has formulas, figures, questions and an explorer
OPENS_WITHIN = 90  # seconds; less than ten on a machine that has nothing else to do

STYLE = Path(app.__file__).with_name("templates") / "lessons" / "lessons.css"
N_LINES = """(cells) => cells.map((cell) => {
    const range = document.createRange();
    range.selectNodeContents(cell);
    return new Set([...range.getClientRects()].map((line) => line.top)).size;
})"""

pytestmark = pytest.mark.slow


def is_accessible(page: Page) -> None:
    # The rule of empty table headings takes no formula for a text.
    check_accessibility(page, without=["empty-table-header"])


def opened(details: Locator) -> bool:
    return bool(details.evaluate("each => each.open"))


def is_painted(page: Page, root: Locator) -> bool:
    """Return whether there is a radical left of what is below the root, from its foot to its top."""
    root.scroll_into_view_if_needed()
    box, below = root.bounding_box(), root.locator("> *").first.bounding_box()
    clip = {**box, "width": below["x"] - box["x"]}
    if clip["width"] < 2:
        return False
    pixels = np.asarray(Image.open(io.BytesIO(page.screenshot(clip=clip))).convert("L"), dtype=float)
    upper, lower = np.array_split(pixels, 2)
    return bool(np.ptp(upper) > 100 and np.ptp(lower) > 100)


def test_the_lessons(page: Page, traffic: Traffic, start_demo: Callable[..., DemoServer]) -> None:
    server = start_demo(command=("lessons",))
    address = server.url.split("?")[0]
    for path in ("", SECOND.path.name, "explorers"):
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(address + path)
        assert refused.value.code == 403
        refused.value.close()

    # The index, which needs no kernel: all lessons, the gallery, all explorers.
    page.goto(server.url)
    assert "token" not in page.url
    expect(page.locator(".aew-cards h3 a")).to_have_count(len(NOTEBOOKS) + len(EXPLORERS) + 3)
    expect(page.locator("ol.aew-cards > li").nth(1).locator("li")).to_have_count(len(SECOND.learn))
    is_accessible(page)

    # A lecture's plan; the answers of its sheet and quiz open by a click.
    page.get_by_role("link", name="Hold a lecture and a lab").click()
    solutions = page.get_by_text("The truth is 9.6%")
    expect(solutions).to_be_hidden()
    page.get_by_text("Solutions").click()
    expect(solutions).to_be_visible()
    is_accessible(page)
    page.get_by_role("link", name="All lessons").click()

    # A lesson, as it grows: prose first, then all of it, without an error and with its explorer.
    page.locator(f"a[href='{SECOND.path.name}']").click()
    expect(page.locator("h1").first).to_be_visible()
    expect(page.locator(".aew-running")).to_be_visible()
    page.wait_for_selector("html[data-aew-settled]", state="attached", timeout=OPENS_WITHIN * 1000)
    expect(page.locator(".aew-running")).to_have_count(0)
    expect(page.locator(".aew-failure")).to_have_count(0)
    expect(page.locator("[data-aew=explorer]").first).to_be_visible(timeout=OPENS_WITHIN * 1000)
    assert page.locator("math").count() > 3
    # Roots are there, by the page's own font: some systems' font for formulas has none.
    assert is_painted(page, page.locator("math[display=block] msqrt").first)
    assert page.evaluate("[...document.fonts].some((font) => font.status === 'loaded')")
    for figure in page.locator("img.aew-figure").all():
        assert figure.evaluate("each => each.naturalWidth > 1000")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    # What a reader sets is taken up by the figure below.
    figures = page.locator(".aew-living img.aew-figure")
    before = figures.first.get_attribute("src") or ""
    guess = page.get_by_label("My guess: the doubtful ones' share of the draws")
    guess.fill("0.33")
    guess.press("Enter")
    expect(figures.first).not_to_have_attribute("src", before)
    # Code and answers, by keyboard.
    code = page.locator(".aew-code")
    assert not opened(code.first)
    code.first.locator("summary").press("Enter")
    assert opened(code.first)
    page.locator("#aew-all-code").press("Enter")
    in_sight = [opened(each) for each in page.locator(".aew-code:not([data-aew-answer])").all()]
    assert in_sight
    assert all(in_sight)
    assert not any(opened(each) for each in page.locator("[data-aew-answer]").all()), "they tell the answers"
    page.locator("#aew-all-code").press("Enter")
    answer = page.locator(".aew-answer").first
    assert not opened(answer)
    answer.locator("summary").press("Enter")
    assert opened(answer)
    is_accessible(page)
    # Printed, it is slides: a page for each section at least, without the page's controls.
    pages = page.pdf(prefer_css_page_size=True)
    sections = page.locator(".aew-lesson h2:not(.aew-widget *)").count()
    assert 5 < sections <= pages.count(b"/Type /Page\n")
    page.emulate_media(media="print")
    for control in (".aew-lesson-top", ".aew-lesson-end", "[data-aew=explorer]"):
        expect(page.locator(control).first).to_be_hidden()
    expect(page.locator("img.aew-figure").first).to_be_visible()
    page.emulate_media(media="screen")
    page.emulate_media(color_scheme="dark")
    expect(page.locator("body")).to_have_css("background-color", "rgb(21, 23, 27)")
    is_accessible(page)
    expect(page.locator(".aew-lesson-end")).to_contain_text("kept only as long as it is open")
    # The last cell and the frame lead to the same next lesson.
    following = page.locator(f"a[href='{LESSONS[2].path.name}']")
    expect(following.last).to_be_visible()
    assert following.count() >= 2

    with page.expect_download() as downloading:
        page.locator("a[download]").click()
    assert downloading.value.path().read_bytes() == SECOND.path.read_bytes()

    # A widget that the page's script misses.
    lose_widget(page, ".aew-widget script", 1)
    page.reload()
    page.wait_for_function("sessionStorage.getItem('loads') === '2'")
    page.wait_for_selector("html[data-aew-settled]", state="attached", timeout=OPENS_WITHIN * 1000)
    expect(page.locator("[data-aew=explorer]").first).to_be_visible(timeout=OPENS_WITHIN * 1000)

    page.goto(f"{address}explorers")
    expect(page.locator("[data-aew=explorer]")).to_have_count(len(EXPLORERS), timeout=OPENS_WITHIN * 1000)
    is_accessible(page)

    # Nothing else is served, and the kernel of a page that is left ends later with the server.
    traffic.expect(re.escape("app.ipynb"))
    assert page.goto(f"{address}app.ipynb").status == 404


def test_no_heading_of_a_table_breaks_inside_a_word_on_a_phone(page: Page) -> None:
    names = ["", "instance_id", "prediction", "confidence", "mean_perimeter"]
    rows = "<th>".join(["<tr>", *names]) + "<td>".join(["<tr>", *"1234", "a_very_long_value_" * 9])
    style = STYLE.read_text(encoding="utf-8")
    table = f"<div class=aew-shown><table>{rows}</table></div>"
    page.set_viewport_size({"width": 390, "height": 844})
    page.set_content(f"<style>{style}</style><main class=aew-lesson>{table}</main>")
    assert page.locator("th:not(:empty)").evaluate_all(N_LINES) == [1] * 4
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
