"""Parts of a session by themselves, in layouts of one's own: they agree, and take keys where the focus is."""

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

from playwright.sync_api import Page, expect

from .accessibility import check_accessibility
from .conftest import eventually

HOW_TO = Path(__file__).parents[2] / "docs" / "how-to" / "my-own-dashboard.md"
DASHBOARD = "\n".join(re.findall(r"```python\n(.*?)```", HOW_TO.read_text(), re.DOTALL)[:2])
ALONE = re.sub(r"estimate = .*", "", DASHBOARD, flags=re.DOTALL) + "aew.LabelButtons(session)\n"
PARTS = ("instance", "labels", "estimate", "progress", "history")


def part(name: str) -> str:
    """Where a part is in the page."""
    return f"[data-aew=part][data-part={name}]"


READY = f"{part('instance')}[data-state=ready] [data-instance-id]"


def label_where_the_focus_is(page: Page) -> None:
    """Label by keys in two parts, undo, exclude, and change an earlier answer from the list."""
    slider = page.locator(".widget-readout").first
    page.locator(f"{part('labels')} [data-aew=label]").first.focus()
    for n, key in enumerate("123", start=1):
        page.keyboard.press(key)
        for name in PARTS:
            expect(page.locator(part(name))).to_have_attribute("data-n-labels", str(n))
        expect(slider).to_have_text(str(n))
    page.locator(f"{part('instance')} [data-aew=instance]").click()
    for key in "123":
        page.keyboard.press(key)
    expect(page.locator(part("estimate"))).to_have_attribute("data-n-labels", "6")
    page.keyboard.press("u")
    expect(page.locator(part("labels"))).to_have_attribute("data-n-labels", "5")
    expect(page.locator(part("labels"))).to_have_attribute("data-state", "ready")
    page.keyboard.press("x")
    expect(page.locator(part("labels"))).to_have_attribute("data-draw", "7")
    expect(page.locator(f"{part('estimate')} [data-aew=estimate]")).not_to_have_attribute("data-value", "")
    expect(page.locator(part("progress"))).to_contain_text("5 of 100 labels")
    rows = page.locator(f"{part('history')} tbody tr")
    expect(rows).to_have_count(6)
    rows.filter(has_text="bad").first.get_by_role("button").click()
    expect(page.locator(part("labels"))).to_contain_text("Earlier answer")
    page.locator(f"{part('labels')} [data-aew=label][data-value=good]").click()
    expect(rows.filter(has_text="(changed)")).to_have_count(1)
    expect(page.locator(part("instance"))).to_have_attribute("data-state", "ready")


def test_a_dashboard_in_voila(open_app: Callable[..., Page]) -> None:
    page = open_app(DASHBOARD, first=READY)
    label_where_the_focus_is(page)
    for is_light, ground in (("true", "white"), ("false", "#111")):  # as Jupyter's themes say it
        page.evaluate(
            "([isLight, ground]) => Object.assign(document.body.dataset, {jpThemeLight: isLight})"
            " && (document.body.style.background = ground)",
            [is_light, ground],
        )
        check_accessibility(page, *map(part, PARTS))
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 800})
        eventually(partial(check_widths, page, width))


def check_widths(page: Page, width: int) -> None:
    for name in PARTS:
        box = page.locator(part(name)).bounding_box()
        assert box["width"] >= 300
        assert box["x"] + box["width"] <= width


NUMBERS = """\
import ipywidgets
import numpy as np
from activeeval_widgets import InstanceView, LabelButtons, Pool, Session
from activeeval_widgets.stats import ValuePredictions

mean = np.random.default_rng(0).uniform(0, 9, 30)
predictions = ValuePredictions(mean, np.ones(30))
pool = Pool([f"text {n}" for n in range(30)], predictions=predictions)
session = Session(pool, "mse", y_range=(0, 9))
ipywidgets.VBox([InstanceView(session), LabelButtons(session, unit="kg")])
"""


def test_numbers_are_typed_where_the_instance_is(open_app: Callable[..., Page]) -> None:
    page = open_app(NUMBERS, first=READY)
    labels = page.locator(part("labels"))
    page.locator(f"{part('instance')} [data-aew=instance]").click()
    for n, keys in enumerate((("4", ".", "5"), ("7",)), start=1):
        for key in keys:
            page.keyboard.press(key)
        expect(labels.locator("[data-aew=number]")).to_have_value("".join(keys))
        page.keyboard.press("Enter")
        for name in ("instance", "labels"):
            expect(page.locator(part(name))).to_have_attribute("data-n-labels", str(n))
    expect(labels).to_contain_text("7\N{NO-BREAK SPACE}kg")


def test_labels_without_an_instance_are_saved_one_by_one(open_app: Callable[..., Page]) -> None:
    page = open_app(ALONE, first=f"{part('labels')}[data-state=ready]")
    labels = page.locator(part("labels"))
    for n in range(1, 4):
        labels.locator("[data-aew=label]").nth(n - 1).click()
        expect(labels).to_have_attribute("data-n-labels", str(n))
        expect(labels).to_have_attribute("data-state", "ready")
