"""Parts of a session by themselves, in layouts of one's own: they agree, and take keys where the focus is."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

SETUP = """\
import ipywidgets
import numpy as np
from activeeval_widgets import (
    EstimateView, HistoryView, InstanceView, LabelButtons, LabelingApp, Pool, ProgressView, Session,
)
from activeeval_widgets.stats import ClassPredictions, ErrorRate

rng = np.random.default_rng(0)
model = ClassPredictions(rng.dirichlet(np.ones(3), 50), classes=["cat", "cow", "dog"])
session = Session(Pool([f"text {n}" for n in range(50)], predictions=model), ErrorRate(), budget=30)
"""

DASHBOARD = """\
count, value = ipywidgets.IntText(description="linked"), ipywidgets.FloatText(description="estimate")
left = ipywidgets.VBox([InstanceView(session), LabelButtons(session), ProgressView(session)])
shown = EstimateView(session)
ipywidgets.jslink((shown, "n_labels"), (count, "value"))
ipywidgets.jslink((shown, "value"), (value, "value"))
right = ipywidgets.VBox([shown, count, value, HistoryView(session)])
left.layout.width = right.layout.width = "50%"
ipywidgets.HBox([left, right])
"""

READY = "[data-aew=part][data-state=ready]"


def part(name: str) -> str:
    """Where a part is in the page."""
    return f"[data-aew=part][data-part={name}]"


def test_a_dashboard_of_parts_and_linked_widgets(open_app: Callable[..., Page]) -> None:
    page = open_app(SETUP + DASHBOARD, first=f"{READY} [data-instance-id]")
    page.screenshot(path="/tmp/parts_0.png", full_page=True)
    page.locator(f"{part('labels')} [data-aew=label]").first.focus()
    for n, key in enumerate("123123", start=1):
        page.keyboard.press(key)
        expect(page.locator(part("estimate"))).to_have_attribute("data-n-labels", str(n))
    page.wait_for_timeout(1500)
    page.screenshot(path="/tmp/parts_1.png", full_page=True)
    page.set_viewport_size({"width": 390, "height": 844})
    page.wait_for_timeout(500)
    page.screenshot(path="/tmp/parts_2.png", full_page=True)
