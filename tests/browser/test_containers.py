"""The app inside ipywidgets' containers, and alone in a notebook that Voilà shows."""

from collections.abc import Callable
from functools import partial

from playwright.sync_api import Locator, Page, expect

from .conftest import eventually

APP = "[data-aew=app]"

SOURCE = """\
import ipywidgets
import numpy as np
from activeeval_widgets import evaluate
from activeeval_widgets.stats import ClassPredictions, ErrorRate

def made(seed):
    rng = np.random.default_rng(seed)
    texts = [f"text {{n}}" for n in range(50)]
    return evaluate(texts, ClassPredictions(rng.dirichlet(np.ones(3), 50)), ErrorRate(), budget=30)

{last}
"""


CONTAINERS = """\
for container in [
    ipywidgets.HBox([made(0)]),
    ipywidgets.HBox([made(1), ipywidgets.Button(description="Beside")]),
    ipywidgets.VBox([ipywidgets.Label("Above"), made(2)]),
    ipywidgets.Tab([made(3)], titles=["Labels"]),
    ipywidgets.Accordion([made(4)], selected_index=0),
    ipywidgets.GridBox([made(5)]),
    ipywidgets.AppLayout(header=ipywidgets.Label("Above"), center=made(6)),
]:
    display(container)
"""


def test_in_containers_of_ipywidgets(open_app: Callable[..., Page]) -> None:
    page = open_app(SOURCE.format(last=CONTAINERS))
    apps = page.locator(APP)
    expect(apps).to_have_count(7)
    for app in apps.all():
        expect(app).to_have_attribute("data-state", "ready")
        eventually(partial(has_room, app))
        app.locator("[data-aew=instance]").click()
        for n, key in enumerate("012", start=1):
            page.keyboard.press(key)
            expect(app).to_have_attribute("data-n-labels", str(n))
        expect(app.locator("[aria-label*='3 asked so far']")).to_be_visible()  # the plots are drawn


def has_room(app: Locator) -> None:
    box = app.bounding_box()
    assert box["width"] > 900
    assert box["x"] + box["width"] <= 1280
    assert box["height"] >= 540


def test_two_side_by_side_share_the_width(open_app: Callable[..., Page]) -> None:
    page = open_app(SOURCE.format(last="ipywidgets.HBox([made(0), made(1)])"))
    apps = page.locator(APP)
    expect(apps).to_have_count(2)
    expect(page.locator(f"{APP}[data-state=ready] [data-instance-id]")).to_have_count(2)

    def share_the_width() -> None:
        widths = [box["width"] for each in apps.all() if (box := each.bounding_box()) is not None]
        assert min(widths) > 400
        assert max(widths) - min(widths) < 2

    eventually(share_the_width)
    page.keyboard.press("1")  # for none of them: nobody has said which
    apps.last.locator("[data-aew=instance]").click()
    page.keyboard.press("1")
    expect(apps.last).to_have_attribute("data-n-labels", "1")
    expect(apps.first).to_have_attribute("data-n-labels", "0")


def test_alone_in_voila_it_takes_the_window_and_the_keys(open_app: Callable[..., Page]) -> None:
    page = open_app(SOURCE.format(last="made(0)"))
    app = page.locator(APP)
    page.keyboard.press("1")  # without a click
    expect(app).to_have_attribute("data-n-labels", "1")
    for width, height in ((1280, 800), (1280, 1000)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(
            """() => {
                const {bottom} = document.querySelector("[data-aew=app]").getBoundingClientRect();
                return bottom > innerHeight - 60 && bottom <= innerHeight;
            }"""
        )
