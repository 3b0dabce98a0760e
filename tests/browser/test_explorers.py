"""All explorers on one static page: by keyboard and pointer, without a kernel or a request."""

import re
import shutil
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from activeeval_widgets import explorers
from activeeval_widgets.stats import ClassPredictions, ErrorRate, asymptotic_variance, optimal_q, uniform_q
from activeeval_widgets.widgets.explorers.explorer import SCRIPT, STYLES

from .accessibility import check_accessibility


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
    prefers, watching = shown.nth(0), shown.nth(2)
    prefers.locator("[data-aew=risk]:visible").press("Home")
    status = prefers.locator(".aew-finding:visible")
    expect(status).to_contain_text("If you believe in 0% errors")
    prefers.locator(".aew-preference-plot:visible .aew-plot").press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    expect(prefers.locator("[data-aew=worked]:visible")).to_contain_text("Worked out: 99% sure")
    heat = prefers.locator(".aew-heat:visible")
    heat.click(position={"x": 200, "y": 30})
    expect(status).to_contain_text(re.compile("believe in [6-9]"))
    prefers.get_by_role("tab", name="Error rate").press("ArrowRight")
    expect(status).to_contain_text("With η = 0.50")
    # Sessions run, one of them by steps.
    status = watching.locator(".aew-finding:visible")
    expect(status).to_contain_text(re.compile(r"Of [\d,]+ sessions, Wald was wrong at some look in [345]\d"))
    watching.get_by_role("button", name="New session").press("Enter")
    watching.get_by_role("button", name="20 labels").press("Enter")
    expect(status).to_contain_text("after 20 labels")
    check_accessibility(page, "[data-aew=explorer]")
    assert all(str(problem).startswith("file:") for problem in problems), problems


def test_a_pool_of_a_hundred_thousand(page: Page, tmp_path: Path) -> None:
    sure = np.random.default_rng(0).beta(9, 1.5, 100_000)
    model = ClassPredictions(np.column_stack([sure, 1 - sure]))
    explorers.YourPool(model, defensive=0.0).save_html(tmp_path / "pool.html")
    page.goto((tmp_path / "pool.html").as_uri())
    status = page.locator(".aew-finding")
    variances = [
        asymptotic_variance(ErrorRate(), model, q)
        for q in (optimal_q(ErrorRate(), model), uniform_q(model.n_instances))
    ]
    draws = round(100 * variances[0] / variances[1])
    expect(status).to_contain_text(f"{draws} draws say as much as 100 uniform ones")
    # All alike: a bin by key, and a belief of the model's own again.
    page.locator("[data-aew=defensive]").press("End")
    expect(status).to_contain_text("100 draws say as much")
    page.locator(".aew-pool-plot .aew-plot").press("End")
    page.keyboard.press("Enter")
    expect(page.locator("[data-aew=worked]")).to_contain_text("to 100.0%")
    expect(page.locator("[data-aew=worked]")).to_contain_text("Each is drawn 1.0 times as often")
    page.locator("[data-aew=defensive]").press("Home")
    page.locator("[data-aew=own]").press("Enter")
    expect(status).to_contain_text(f"{draws} draws say as much as 100 uniform ones")
