"""Plots and history in a browser: values by pointer and keys, what leads where, and at which sizes."""

import json
from collections.abc import Callable, Iterator
from functools import partial
from math import ceil, floor
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from activeeval_widgets.session import Goal, Pool, Session
from activeeval_widgets.stats import ClassPredictions, ErrorRate
from activeeval_widgets.widgets import LabelingApp

from .accessibility import check_accessibility
from .conftest import eventually
from .without_kernel import show_app

EVIL = "<img src=x onerror='window.ran = 1'> an evil text " + 150 * "W"
TRAJECTORY = "[data-aew=trajectory-plot]"
DISTRIBUTION = "[data-aew=distribution-plot]"


@pytest.fixture
def show(page: Page, traffic: Any, no_kernel: None) -> Iterator[Callable[..., Session]]:
    """Return what shows a session of texts with some labels; two of the first twenty are not as predicted."""

    def show_session(
        n_labels: int = 20, n_models: int = 1, *, is_drawn: bool = True, **options: Any
    ) -> Session:
        rng = np.random.default_rng(0)
        confidence = rng.uniform(0.55, 0.99, size=300)
        models = [
            ClassPredictions(np.column_stack([shares, 1 - shares]), classes=["no", "yes"], name=name)
            for name, shares in (("first", confidence), ("second", 1 - confidence))
        ]
        texts = [EVIL if i == 0 else f"text number{i} {'red' if i % 2 else 'green'}" for i in range(300)]
        pool = Pool(texts, predictions=models[0] if n_models == 1 else models)
        session = Session(pool, ErrorRate(), budget=n_labels + 100, seed=1, **options)
        for i in range(n_labels):
            session.label("yes" if i in (4, 11) else "no")
        show_app(page, LabelingApp(session, sessions=[session.name]))
        if is_drawn:
            page.wait_for_function("document.querySelectorAll('.aew-plot > svg > path').length > 0")
        return session

    yield show_session
    assert page.evaluate("window.ran") is None, "content was run"


def test_values_are_reported_by_pointer_and_lead_to_the_instance(
    page: Page, show: Callable[..., Session]
) -> None:
    session = show(goal=Goal(threshold=0.2))
    expect(page.locator("[class*=toolbar], .bqplot")).to_have_count(0)
    plot = page.locator(f"{TRAJECTORY} .aew-plot")
    tip = plot.locator(".aew-tip")
    expect(tip).to_be_hidden()
    legend = page.locator(f"{TRAJECTORY} .aew-legend li")
    expect(legend).to_have_text(
        [
            "estimate",
            "interval",
            "model wrong",
            "goal: 20%",
        ]
    )
    expect(plot.locator("svg > .aew-draw-goal")).to_have_count(1)

    at = stops(page, TRAJECTORY)
    box = plot.bounding_box()
    page.mouse.move(box["x"] + at[0]["px"][-1] + 3, box["y"] + 30)
    found = session.estimate()
    expect(tip).to_contain_text(f"20 labels: {found.value:.0%}, ")
    low, high = floor(100 * found.low), ceil(100 * found.high)  # rounded outward
    expect(tip).to_contain_text(f"between {low}% and {high}%")
    wrong = [action for action in session.log.actions if action.value == "yes"]
    page.mouse.move(box["x"] + at[1]["px"][0], box["y"] + at[1]["py"][0])
    expect(tip).to_contain_text(f"{wrong[0].instance_id}, labeled yes")
    page.mouse.down()
    page.mouse.up()
    expect(page.locator("[data-aew=instance]")).to_have_attribute("data-instance-id", wrong[0].instance_id)
    expect(page.locator(".aew-number")).to_contain_text("Earlier answer")
    page.mouse.move(5, 5)
    expect(tip).to_be_hidden()


def stops(page: Page, panel: str) -> list[dict[str, Any]]:
    """Where the marks of a plot are, as its own paths say: first the curve's points, then the crosses."""
    paths = page.evaluate(
        """(panel) => Object.fromEntries(["estimate", "wrong"].map((kind) =>
             [kind, document.querySelector(`${panel} .aew-plot .aew-draw-${kind}`).getAttribute("d")]))""",
        panel,
    )
    points = [part.split(" ") for part in paths["estimate"].replace("M", "L").split("L")[1:]]
    crosses = [part.split("l")[0].split(" ") for part in paths["wrong"].split("M")[1:]]
    return [
        {"px": [float(x) for x, _ in points], "py": [float(y) for _, y in points]},
        {"px": [float(x) + 3.4 for x, _ in crosses], "py": [float(y) + 3.4 for _, y in crosses]},
    ]


def test_values_are_reported_by_keys_and_lead_to_the_instance(
    page: Page, show: Callable[..., Session]
) -> None:
    session = show()
    n_labels = session.n_labels
    plot = page.get_by_role("application", name="Error rate after each label.")
    status = plot.locator("[aria-live]")
    plot.focus()
    page.keyboard.press("ArrowLeft")
    expect(status).to_contain_text("20 labels: ")
    page.keyboard.press("ArrowLeft")
    expect(status).to_contain_text("19 labels: ")
    page.keyboard.press("Home")
    expect(status).to_contain_text("1 label: ")
    expect(plot.locator(".aew-tip")).to_contain_text("1 label: ")
    page.keyboard.press("ArrowDown")
    expect(status).to_contain_text("Model wrong, 2. Label 5. ")
    page.keyboard.press("ArrowRight")
    expect(status).to_contain_text("Label 12. ")
    page.keyboard.press("Enter")
    wrong = [action.instance_id for action in session.log.actions if action.value == "yes"]
    expect(page.locator("[data-aew=instance]")).to_have_attribute("data-instance-id", wrong[1])
    assert session.n_labels == n_labels

    page.locator("[data-aew=app]").focus()
    page.keyboard.press("Escape")
    plot = page.get_by_role("application", name="Which texts are asked.")
    plot.focus()
    page.keyboard.press("ArrowDown")
    expect(plot.locator("[aria-live]")).to_contain_text("Model's confidence, ")
    expect(plot.locator("[aria-live]")).to_contain_text("of all texts")
    page.keyboard.press("ArrowDown")
    expect(plot.locator("[aria-live]")).to_contain_text("Labeled, 20. Asked ")
    page.keyboard.press("ArrowDown")
    expect(plot.locator("[aria-live]")).to_contain_text("This one, 1. Asked ")
    page.keyboard.press("Escape")
    expect(plot.locator(".aew-tip")).to_be_hidden()


def test_each_plot_has_a_table(page: Page, show: Callable[..., Session]) -> None:
    show()
    for heading in ("Error rate after each label", "Which texts are asked"):
        page.get_by_role("button", name=f"Table: {heading}").click()
        dialog = page.get_by_role("dialog", name=heading)
        assert dialog.locator("tbody tr").count() >= 5
        page.keyboard.press("Escape")
        expect(dialog).to_be_hidden()


OWN = ".aew-app {}"
WIDE = ".aew-app svg text { font-size: 15px !important; letter-spacing: 3px; }"


@pytest.mark.parametrize("style", [OWN, WIDE], ids=["own fonts", "wide fonts"])
def test_plots_fit_and_grow(page: Page, show: Callable[..., Session], style: str) -> None:
    sizes = [(1280, 800), (1366, 657), (1440, 900), (1920, 1080), (2560, 1300)]
    page.set_viewport_size({"width": 1300, "height": 800})
    show(n_models=2)
    page.add_style_tag(content=style)
    for size in [*sizes, *sizes[:1]]:  # and back again
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.wait_for_timeout(300)
        eventually(partial(check_plots, page, size))


def check_plots(page: Page, size: tuple[int, int]) -> None:
    for panel in (TRAJECTORY, DISTRIBUTION):
        box = page.locator(f"{panel} .aew-plot").bounding_box()
        assert box is not None
        least = 108 if size[1] < 800 else 140
        # It is in sight, unless letters are so wide that it has its least height and the column scrolls.
        assert box["y"] + box["height"] <= size[1] or box["height"] == least
        assert box["width"] >= 0.33 * size[0]
        assert box["height"] >= least
        texts = page.evaluate(
            """(panel) => [...document.querySelectorAll(`${panel} svg text`)].map((text) => {
                 const { left, right, top, bottom } = text.getBoundingClientRect();
                 return [text.textContent, left, right, top, bottom];
               })""",
            panel,
        )
        frame = page.locator(panel).bounding_box()
        assert frame is not None
        for text, left, right, top, bottom in texts:
            assert frame["x"] <= left < right <= frame["x"] + frame["width"], text
            assert frame["y"] <= top < bottom <= frame["y"] + frame["height"], text
        # Nothing is written over a number of an axis.
        ticks = [one for one in texts if one[0][:1] in "+−0¼½⅛123456789"]
        for i, (text, left, right, top, bottom) in enumerate(ticks):
            for other, left2, right2, top2, bottom2 in ticks[i + 1 :]:
                is_apart = right <= left2 or right2 <= left or bottom <= top2 or bottom2 <= top
                assert is_apart, (text, other)


# -- the history ------------------------------------------------------------------------------------------


def test_the_history_is_filtered_searched_and_leads_back(page: Page, show: Callable[..., Session]) -> None:
    session = show(90)
    wrong = [action for action in session.log.actions if action.value == "yes"]
    session.flag(wrong[0].instance)
    page.locator("[data-aew=app]").focus()
    page.keyboard.press("h")
    dialog = page.get_by_role("dialog", name="History")
    rows = dialog.locator("tbody tr")
    expect(rows).to_have_count(50)
    dialog.get_by_role("button", name="Show more").click()
    expect(rows).to_have_count(90)
    # Contents are aligned, though ids have one to three digits.
    starts = rows.locator(".aew-row-content").evaluate_all("nodes => nodes.map((one) => one.offsetLeft)")
    assert len(set(starts)) == 1

    dialog.get_by_role("button", name="Model was wrong").click()
    expect(rows).to_have_count(2)
    expect(rows.first).to_contain_text("✗ wrong")
    expect(rows.first).to_contain_text("text number")
    dialog.get_by_role("button", name="Flagged").click()
    expect(rows).to_have_count(1)
    dialog.get_by_role("button", name="Flagged").click()
    dialog.get_by_role("button", name="Model was wrong").click()
    dialog.get_by_role("combobox", name="Answer").select_option("yes")
    expect(rows).to_have_count(2)
    dialog.get_by_role("combobox", name="Answer").select_option("")

    field = dialog.get_by_role("textbox", name="Find in the history")
    chosen = session.log.actions[7]
    field.fill(f"number{chosen.instance} ")
    expect(rows.filter(has_text=f"text number{chosen.instance} ")).to_have_count(1)
    field.fill(f"id:{chosen.instance_id}")
    expect(rows).to_have_count(1)
    field.press("Enter")
    expect(dialog).to_be_hidden()
    expect(page.locator("[data-aew=instance]")).to_have_attribute("data-instance-id", chosen.instance_id)
    page.keyboard.press("2")
    expect(page.locator("[data-aew=instance]")).not_to_have_attribute("data-instance-id", chosen.instance_id)
    assert session.log.label_of(chosen.instance) == "yes"


def test_keys_faster_than_the_search_choose_what_was_asked_for(
    page: Page, show: Callable[..., Session]
) -> None:
    session = show(30)
    page.locator("[data-aew=app]").focus()
    page.keyboard.press("h")
    dialog = page.get_by_role("dialog", name="History")
    rows = dialog.locator("tbody tr")
    expect(rows).to_have_count(30)
    page.keyboard.insert_text("x")  # as if typed: the search is asked for after a pause
    page.keyboard.press("Backspace")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.wait_for_timeout(600)
    expect(rows.nth(1).locator("button")).to_be_focused()
    dialog.get_by_role("textbox").focus()
    oldest = session.log.actions[0]
    page.keyboard.insert_text(f"id:{oldest.instance_id}")
    page.keyboard.press("Enter")
    expect(dialog).to_be_hidden()
    expect(page.locator("[data-aew=instance]")).to_have_attribute("data-instance-id", oldest.instance_id)


def test_content_in_the_history_is_text(page: Page, show: Callable[..., Session]) -> None:
    session = show(300)
    assert session.log.label_of(0) is not None
    page.locator("[data-aew=app]").focus()
    page.keyboard.press("h")
    dialog = page.get_by_role("dialog", name="History")
    dialog.get_by_role("textbox", name="Find in the history").fill("evil")
    expect(dialog.locator("tbody tr")).to_have_count(1)
    expect(dialog.locator("tbody tr")).to_contain_text(EVIL)
    expect(dialog.locator("tbody img")).to_have_count(0)
    # However long a word is, the other columns remain in sight.
    assert dialog.locator(".aew-history-rows").evaluate("rows => rows.scrollWidth <= rows.clientWidth")


def test_the_labelers_view_shows_nothing_of_the_model(page: Page, show: Callable[..., Session]) -> None:
    kept = json.dumps({"isLabelerView": True})
    page.add_init_script(f"localStorage.setItem('activeeval-widgets:panels', {json.dumps(kept)})")
    show(is_drawn=False)
    page.locator("[data-aew=app]").focus()
    page.keyboard.press("h")
    dialog = page.get_by_role("dialog", name="History")
    expect(dialog.locator("tbody tr")).to_have_count(20)
    expect(dialog.get_by_role("button", name="Model was wrong")).to_be_hidden()
    expect(dialog.locator("thead")).not_to_contain_text("Prediction")
    expect(dialog.locator("tbody")).not_to_contain_text("wrong")


def test_the_view_chooses_which_plots_are_shown(page: Page, show: Callable[..., Session]) -> None:
    session = show()
    curve = page.locator("[data-aew=calibration-plot]")
    expect(curve).to_be_hidden()
    expect(page.locator(TRAJECTORY)).to_be_visible()
    page.locator("[data-aew=app]").focus()
    page.keyboard.press("v")
    page.locator("[data-panel=trajectory] input").uncheck()
    page.locator("[data-panel=calibration] input").check()
    expect(page.locator(TRAJECTORY)).to_be_hidden()
    expect(curve).to_be_visible()
    n_seen = int((session.calibration(interval="wald").n_labels > 0).sum())
    expect(curve.locator(".aew-draw-bar")).to_have_count(n_seen + 1)  # and one in the legend
    expect(curve).to_contain_text("Calibration error about ")


def test_no_violation_of_accessibility(page: Page, show: Callable[..., Session]) -> None:
    show(n_models=2, goal=Goal(threshold=0.1))

    def check(place: str) -> None:
        for is_light in ("true", "false"):
            page.evaluate("(isLight) => { document.body.dataset.jpThemeLight = isLight; }", is_light)
            check_accessibility(page, place)

    page.locator(f"{TRAJECTORY} .aew-plot").focus()
    page.keyboard.press("ArrowLeft")
    check(".aew-side")
    page.locator("[data-aew=app]").focus()
    page.keyboard.press("h")
    page.get_by_role("button", name="Only one was right").click()
    check("dialog[open]")
