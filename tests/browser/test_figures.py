"""bqplot figures in a browser: in panels, beside them, and as files. (test_notebook has them alone.)"""

import re
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, Route, expect

from .accessibility import check_accessibility

APP = "[data-aew=app]"
TRAJECTORY = "[data-aew=trajectory-plot]"
FIGURE = ".bqplot.figure"
SVG = "{http://www.w3.org/2000/svg}"

SOURCE = """\
import ipywidgets
import numpy as np
from activeeval_widgets import evaluate, plots
from activeeval_widgets.stats import ClassPredictions, ErrorRate

rng = np.random.default_rng(0)
texts = [f"text {n}" for n in range(60)]
p = rng.uniform(0.55, 0.99, 60)
predictions = ClassPredictions(np.column_stack([p, 1 - p]), classes=["no", "yes"])
app = evaluate(texts, predictions, ErrorRate(), budget=40)
"""


def drawn(figure: Locator, n_labels: int) -> None:
    """Wait until the estimate's line has a point for each label."""
    path = figure.locator(".curve path.line[style*='stroke-width: 2']").first
    expect(path).to_have_attribute("d", re.compile(f"^M[^L]*(L[^L]*){{{n_labels - 1}}}$"))


def label(page: Page, keys: str, first: int = 1) -> None:
    app = page.locator(APP)
    for n, key in enumerate(keys, start=first):
        page.keyboard.press(key)
        expect(app).to_have_attribute("data-n-labels", str(n))


def test_panels_show_figures_with_values_by_keys_which_are_enlarged_and_saved(
    open_app: Callable[..., Page],
) -> None:
    page = open_app(SOURCE + "app")
    label(page, "1112")
    panel = page.locator(TRAJECTORY)
    plot = panel.locator(".aew-plot")
    drawn(panel.locator(FIGURE), 4)
    # The page draws the legend, and nothing else.
    expect(panel.locator(".aew-legend [class^=aew-draw]")).not_to_have_count(0)
    expect(panel.locator("[class^=aew-draw]:not(.aew-legend *)")).to_have_count(0)
    expect(page.locator(".bqplot .toolbar_div:visible, .bqplot button:visible")).to_have_count(0)

    expect(plot).to_have_attribute("aria-label", re.compile("After 4 "))  # the values come after the figure
    plot.focus()
    page.keyboard.press("ArrowLeft")
    expect(plot.locator("[aria-live]")).to_contain_text("4 labels: ")
    # The cursor is where the figure draws the value.
    cursor = plot.locator(".aew-cursor").bounding_box()
    line = panel.locator(f"{FIGURE} .curve path.line[style*='stroke-width: 2']").first
    x, y = line.evaluate(
        """(path) => {
            const end = path.getPointAtLength(path.getTotalLength()).matrixTransform(path.getScreenCTM());
            return [end.x, end.y];
        }"""
    )
    assert cursor["x"] + cursor["width"] / 2 == pytest.approx(x, abs=1)
    assert cursor["y"] + cursor["height"] / 2 == pytest.approx(y, abs=1)
    page.keyboard.press("ArrowDown")
    expect(plot.locator("[aria-live]")).to_contain_text("Model wrong")
    page.keyboard.press("Enter")
    expect(page.locator(".aew-number")).to_contain_text("Earlier answer")

    page.locator(APP).focus()
    page.keyboard.press("Escape")
    expect(page.locator(".aew-number")).not_to_contain_text("Earlier answer")
    page.keyboard.press("z")
    dialog = page.get_by_role("dialog", name="Error rate after each label")
    page.wait_for_function(
        """() => {
            const { width, height } = document.querySelector("dialog .aew-plot").getBoundingClientRect();
            return width > 1000 && height > 500;
        }"""
    )
    expect(dialog.locator(".aew-legend")).to_contain_text("interval")  # told after the figure has its data
    # The figure follows its new size.
    page.wait_for_function(
        """() => document.querySelector("dialog .bqplot .axis path").getBoundingClientRect().width > 900
              || document.querySelector("dialog .bqplot").getBoundingClientRect().width > 900"""
    )
    with page.expect_download() as saved:
        dialog.get_by_role("button", name="Save as SVG").click()
    assert saved.value.suggested_filename == "error-rate-after-each-label.svg"
    picture = ElementTree.parse(saved.value.path()).getroot()
    texts = [node.text for node in picture.iter(f"{SVG}text")]
    assert {"Error rate after each label", "estimate", "interval", "labels", "0%"} <= set(texts)
    styles = [node.get("style", "") for node in picture.iter(f"{SVG}path")]
    assert not [style for style in styles if "var(" in style]
    assert any("stroke: rgb(47, 95, 208)" in style for style in styles)
    with page.expect_download() as saved:
        dialog.get_by_role("button", name="Save as PNG").click()
    with Image.open(saved.value.path()) as image:
        assert image.width > 2000
        colors = image.convert("RGB").getcolors(maxcolors=1 << 24)
        assert colors is not None
        assert (47, 95, 208) in {color for _, color in colors}
    page.keyboard.press("z")
    expect(dialog).to_be_hidden()
    expect(page.locator(f".aew-side > {TRAJECTORY}")).to_be_visible()
    label(page, "1", first=5)
    drawn(panel.locator(FIGURE), 5)


COLORS = {
    "true": ("rgb(47, 95, 208)", "rgb(86, 92, 104)"),
    "false": ("rgb(134, 168, 247)", "rgb(165, 171, 182)"),
}
"""Of the estimate and of ticks, in the light and in the dark."""


def test_figures_in_and_beside_the_app_have_the_pages_colors(open_app: Callable[..., Page]) -> None:
    page = open_app(SOURCE + "ipywidgets.VBox([app, app.plots.estimate])")
    page.locator("[data-aew=instance]").click()
    label(page, "1121")
    drawn(page.locator(f"{TRAJECTORY} {FIGURE}"), 4)
    drawn(page.locator(FIGURE).last, 4)
    expect(page.locator(FIGURE).last.locator(".mainheading")).to_have_text("Error rate after each label")
    line = page.locator(f"{TRAJECTORY} {FIGURE} .curve path.line[style*='stroke-width: 2']").first
    for is_light, (accent, muted) in COLORS.items():
        page.evaluate("(is) => { document.body.dataset.jpThemeLight = is; }", is_light)
        expect(line).to_have_css("stroke", accent)
        expect(page.locator(f"{TRAJECTORY} {FIGURE} .tick text").first).to_have_css("fill", muted)
        check_accessibility(page, ".aew-side")


def test_without_bqplots_script_the_page_draws_itself(open_app: Callable[..., Page], page: Page) -> None:
    asked: list[str] = []

    def refuse(route: Route) -> None:
        asked.append(route.request.url)
        route.abort()

    page.route(re.compile(r"/bqplot/static/"), refuse)
    open_app(SOURCE + "app")
    label(page, "112")
    expect(page.locator(f"{TRAJECTORY} .aew-plot > svg > g > .aew-draw-estimate")).to_have_count(1)
    expect(page.locator(FIGURE)).to_have_count(0)
    assert asked


def test_the_served_page_shows_figures_and_asks_nobody_else(
    shared_demo: Callable[..., Any], session_name: str, page: Page, traffic: Any
) -> None:
    page.goto(shared_demo("digits").session(session_name))
    page.wait_for_selector(f"{APP}[data-state=ready] [data-instance-id]")
    label(page, "123")
    drawn(page.locator(f"{TRAJECTORY} {FIGURE}"), 3)
    expect(page.locator(f"[data-aew=distribution-plot] {FIGURE}")).to_have_count(1)
    page.keyboard.press("r")
    drawn(page.locator(f".aew-result {FIGURE}, [data-aew=result] {FIGURE}").first, 3)
    assert traffic.outside() == []
