"""All explorers on one static page: by keyboard and pointer, without a kernel or a request."""

import re
import shutil
from pathlib import Path

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page, expect

from activeeval_widgets import explorers
from activeeval_widgets.widgets.explorers.explorer import SCRIPT, STYLES


@pytest.fixture
def static_page(page: Page, tmp_path: Path) -> Page:
    """A page of the documentation, as it were."""
    fragments = "".join(kind().fragment() for kind in explorers.EXPLORERS)
    shutil.copy(STYLES, tmp_path)
    (tmp_path / "page.html").write_text(
        f'<!DOCTYPE html><html lang="en" data-theme="dark"><meta charset="utf-8"><title>Explorers</title>'
        f'<link rel="stylesheet" href="{STYLES.name}"><h1>Explorers</h1>{fragments}'
        # A browser takes no module from a file beside this one; a server's it does.
        f'<script type="module">{SCRIPT.read_text(encoding="utf-8")}</script></html>',
        encoding="utf-8",
    )
    page.goto((tmp_path / "page.html").as_uri())
    return page


def test_explorers_answer_without_a_kernel(page: Page, static_page: Page) -> None:
    problems: list[object] = []
    page.on("pageerror", lambda error: problems.append(error))
    page.on("request", lambda request: problems.append(request.url))
    shown = page.locator("[data-aew=explorer]")
    expect(shown).to_have_count(len(explorers.EXPLORERS))
    # Light and dark follow the page.
    for theme, color in (("dark", "rgb(21, 23, 27)"), ("light", "rgb(246, 247, 249)")):
        page.evaluate("theme => { document.documentElement.dataset.theme = theme }", theme)
        for each in shown.all():
            expect(each).to_have_css("background-color", color)
    # A slider by key, a point of the plot by key, another by the heat map, another view by key.
    prefers, watching = shown.nth(0), shown.nth(1)
    prefers.locator("[data-aew=risk]:visible").press("Home")
    said = prefers.locator(".aew-finding:visible")
    expect(said).to_contain_text("If you believe in 0\N{NO-BREAK SPACE}% errors")
    prefers.locator(".aew-preference-plot:visible .aew-plot").press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    expect(prefers.locator("[data-aew=worked]:visible")).to_contain_text(
        "Worked out: 99\N{NO-BREAK SPACE}% sure"
    )
    heat = prefers.locator(".aew-heat:visible")
    heat.click(position={"x": 200, "y": 30})
    expect(said).to_contain_text(re.compile("believe in [6-9]"))
    prefers.get_by_role("tab", name="Error rate").press("ArrowRight")
    expect(said).to_contain_text("With η = 0.50")
    # Sessions run, one of them by steps.
    said = watching.locator(".aew-finding:visible")
    expect(said).to_contain_text(re.compile(r"Of [\d,]+ sessions, Wald was wrong at some look in [345]\d"))
    watching.get_by_role("button", name="New session").press("Enter")
    watching.get_by_role("button", name="20 labels").press("Enter")
    expect(said).to_contain_text("after 20 labels")
    page.evaluate(AXE_SCRIPT)
    found = page.evaluate("axe.run({ include: ['[data-aew=explorer]'] }, { resultTypes: ['violations'] })")
    assert not found["violations"]
    assert all(str(problem).startswith("file:") for problem in problems), problems
