"""The page as a whole: all that matters is in sight, nothing moves the labels, and keys are no traps."""

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from activeeval_widgets.session import Goal, Pool, Ranking, Result, Session
from activeeval_widgets.session.log.events import Event
from activeeval_widgets.stats import (
    ERR,
    ClassPredictions,
    ErrorRate,
    RankingPredictions,
    SquaredError,
    ValuePredictions,
)
from activeeval_widgets.widgets import LabelingApp

from .conftest import DemoServer, eventually
from .test_labels import Labeler
from .without_kernel import show_app

VIEWPORTS = [(1280, 800), (1366, 657), (1440, 900)]
IN_SIGHT = (
    *("h1", "#aew-question", "[data-aew=instance]", "[data-aew=status]", "[data-aew=progress]", ".aew-bar"),
    *("[data-aew=estimate]", "[data-aew=plan]", "[data-aew=advice]", ".aew-results", ".aew-actions"),
    *(".aew-trajectory-plot", ".aew-distribution-plot"),
)
SCROLLED = {".aew-distribution-plot", ".aew-side scrolls"}
"""What is out of sight where the column of plots scrolls."""

IS_MONOSPACED = """() => {
    const context = document.createElement("canvas").getContext("2d");
    context.font = getComputedStyle(document.querySelector(".aew-app")).font;
    return context.measureText("iii").width === context.measureText("mmm").width;
}"""


class Shown(Labeler):
    """An app on the page, and its session at hand."""

    def __init__(self, page: Page, session: Session) -> None:
        super().__init__(page, Path())
        self.session = session
        self.status = page.locator("[data-aew=status]")
        self.dialog = page.locator("dialog[open]")

    def kinds(self) -> list[str]:
        acts: list[Event] = list(self.session.log.actions)
        return [act.kind for act in acts]


@pytest.fixture
def show(page: Page, no_kernel: None) -> Callable[..., Shown]:
    """Show an app whose labels are classes, numbers or grades."""
    rng = np.random.default_rng(0)

    def made(what: str, **options: Any) -> Shown:
        measure: Any = ErrorRate()
        if what == "numbers":
            predictions: Any = ValuePredictions(rng.random(30), np.ones(30))
            pool, measure = Pool([f"box {i}" for i in range(30)], predictions=predictions), SquaredError()
        elif what == "grades":
            ranked = [[f"r{q}-{i}" for i in range(4)] for q in range(6)]
            relevance = [{item: rng.dirichlet(np.ones(3)) for item in items} for items in ranked]
            lists = [Ranking("a query", [Result(item, title=item) for item in items]) for items in ranked]
            pool = Pool(lists, predictions=RankingPredictions(ranked, relevance, [0, 1, 2]))
            measure = ERR()
        else:
            classes = ["negative", "neutral", "positive"]
            predictions = ClassPredictions(rng.dirichlet(np.ones(3), 60), classes)
            pool = Pool([f"a sentence {i}, " * 40 for i in range(60)], predictions=predictions)
        session = Session(pool, measure, goal=Goal(half_width=0.05))
        show_app(page, LabelingApp(session, **options))
        page.locator("[data-aew=app]").focus()
        return Shown(page, session)

    return made


def boxes(page: Page, selector: str) -> list[dict[str, float]]:
    found: list[dict[str, float]] = page.evaluate(
        """(selector) => [...document.querySelectorAll(selector)].map((one) => {
            const { left, top, right, bottom } = one.getBoundingClientRect();
            return { left, top, right, bottom };
        })""",
        selector,
    )
    return found


def out_of_sight(page: Page) -> list[str]:
    """What is hidden or not wholly in the window, or is cut off by what scrolls."""
    size = page.viewport_size
    assert size is not None
    hidden = [
        selector
        for selector in (*IN_SIGHT, "[data-aew=label]")
        for box in boxes(page, selector) or [{"left": 0.0, "top": 0.0, "right": 0.0, "bottom": 0.0}]
        if not (
            0 <= box["left"] < box["right"] <= size["width"]
            and 0 <= box["top"] < box["bottom"] <= size["height"]
        )
    ]
    cut = page.evaluate(
        """() => [".aew-work", ".aew-side", "html"].filter((selector) => {
            const { scrollHeight, clientHeight, scrollWidth, clientWidth } = document.querySelector(selector);
            return scrollHeight > clientHeight + 1 || scrollWidth > clientWidth;
        })"""
    )
    found = hidden + [f"{selector} scrolls" for selector in cut]
    if page.evaluate(IS_MONOSPACED):
        # Where the system's only font is as wide as that, the column of plots may scroll.
        return [each for each in found if each not in SCROLLED]
    return found


def are_out_of_sight(page: Page, selectors: list[str]) -> None:
    assert out_of_sight(page) == selectors, page.viewport_size


def test_all_that_matters_is_in_sight_and_nothing_moves_the_labels(
    shared_demo: Callable[[str], DemoServer], session_name: str, page: Page
) -> None:
    page.set_viewport_size({"width": 1366, "height": 657})
    page.goto(shared_demo("text").session(session_name), wait_until="commit")
    page.wait_for_selector("[data-aew=app][data-state=ready] [data-instance-id]")
    labeler = Labeler(page, Path())
    places = boxes(page, "[data-aew=label]")
    assert len(places) == 3

    def check(what: str) -> None:
        assert boxes(page, "[data-aew=label]") == places, what

    check("at the start")
    for key in ("p", "p", "i", "i", "f", "f", "n", "Escape", "q", "?", "Escape", "t", "Escape", "Shift+X"):
        labeler.press(key)
        page.wait_for_timeout(60)
        check(key)
    labeler.press("Escape", "p", "i", "f", "n")
    page.keyboard.type("a note")
    check("prediction, guidelines, flag and note at once")
    labeler.press("Enter")
    for n, key in enumerate("123", start=1):
        labeler.press(key)
        labeler.settled(n)
        check(f"saved {n}")
    labeler.press("u")
    labeler.settled(2)
    check("undone")
    labeler.press("l")
    expect(page.locator("[data-aew=status]")).to_contain_text("1 put aside")
    check("put aside")
    labeler.press("x")
    expect(page.locator("[data-aew=status]")).to_contain_text("1 excluded")
    check("excluded")
    labeler.press("i", "t")
    page.keyboard.type("0.99")
    labeler.press("Enter")
    for n in range(3, 7):
        labeler.press("1")
        labeler.settled(n)
    expect(page.locator("[data-aew=advice]")).to_contain_text("You can stop here")
    check("goal reached")
    # An error that blocks labeling is told beside the instance, and moves nothing either.
    page.evaluate("document.querySelector('[data-aew=problem]').hidden = false")
    page.evaluate("document.querySelector('[data-aew=problem]').textContent = 'The disk is full.'")
    check("an error")
    [problem], [area] = boxes(page, "[data-aew=problem]"), boxes(page, ".aew-area")
    assert area["top"] <= problem["top"] < problem["bottom"] < area["bottom"]
    page.evaluate("document.querySelector('[data-aew=problem]').hidden = true")

    for width, height in VIEWPORTS:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(300)
        eventually(partial(are_out_of_sight, page, []))


@pytest.mark.parametrize("width", [720, 848, 1108])  # as of a cell's output in JupyterLab and Notebook
def test_all_that_matters_is_in_the_frame_of_a_notebook(
    show: Callable[..., Shown], page: Page, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 620})
    shown = show("classes")
    unreached = [".aew-bar", "[data-aew=advice]"]  # there is no budget; the advice comes with the goal

    def check() -> None:
        # Plots keep a height that can be read; the second one may have to be scrolled to.
        assert [what for what in out_of_sight(page) if what not in SCROLLED] == unreached, page.viewport_size
        heights = [box["bottom"] - box["top"] for box in boxes(page, ".aew-side .aew-plot")]
        assert [height > 100 for height in heights if height > 0] == [True, True]  # others are not chosen

    page.wait_for_timeout(300)
    eventually(check)
    for n in range(1, 13):
        shown.press("123"[n % 3])
        shown.settled(n)
    page.wait_for_timeout(300)
    eventually(check)
    shown.press("p", "f", "n")
    expect(page.locator("[data-aew=note]")).to_be_focused()
    eventually(check)


@pytest.mark.parametrize("width", [480, 800])
def test_narrow_pages_show_the_labels_first(show: Callable[..., Shown], page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    show("classes", sessions=[])
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for selector in ("#aew-question", "[data-aew=instance]", "[data-aew=label]", "[data-aew=status]"):
        assert all(0 <= box["top"] < box["bottom"] <= 800 for box in boxes(page, selector)), selector


def test_on_phones_labels_are_on_one_line_and_notes_have_room(show: Callable[..., Shown], page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    shown = show("classes", sessions=[])
    assert len({box["bottom"] - box["top"] for box in boxes(page, "[data-aew=label]")}) == 1
    assert all(box["bottom"] - box["top"] < 50 for box in boxes(page, "[data-aew=label]"))
    shown.press("n")
    [field] = boxes(page, "[data-aew=note]")
    assert field["right"] - field["left"] > 300
    assert all(box["right"] <= 390 for box in boxes(page, ".aew-note-field button"))


@pytest.mark.parametrize(("width", "height"), [(844, 390), (640, 400)])
def test_low_pages_show_the_labels_without_scrolling(
    show: Callable[..., Shown], page: Page, width: int, height: int
) -> None:
    """A phone on its side, and a window of 1280 by 800 at 200%."""
    page.set_viewport_size({"width": width, "height": height})
    show("classes", sessions=[])
    page.locator("[data-aew=app]").evaluate("app => app.setAttribute('data-standalone', '')")
    for selector in ("#aew-question", "[data-aew=instance]", "[data-aew=label]"):
        assert all(0 <= box["top"] < box["bottom"] <= height for box in boxes(page, selector)), selector
    [instance] = boxes(page, "[data-aew=instance]")
    assert instance["bottom"] - instance["top"] >= 100


def test_typing_chooses_or_adds_a_reason(show: Callable[..., Shown]) -> None:
    shown = show("classes", reasons=["empty", "in a foreign language"])
    for typed in ("torn apart", "in a for", "2", ""):  # the first reason has the focus
        shown.press("Shift+X")
        expect(shown.dialog).to_be_visible()
        shown.page.keyboard.type(typed)
        if typed != "2":
            shown.press("Enter")
        expect(shown.dialog).to_have_count(0)
    expect(shown.status).to_contain_text("4 excluded")
    reasons = [act.reason for act in shown.session.log.actions]
    assert reasons == ["torn apart", "in a foreign language", "in a foreign language", "empty"]


def test_enter_sets_the_goal(show: Callable[..., Shown]) -> None:
    shown = show("classes")
    shown.press("t")
    expect(shown.dialog).to_be_visible()
    shown.press("3", "Enter")
    expect(shown.dialog).to_have_count(0)
    assert shown.session.goal == Goal(half_width=0.03)
    shown.press("t", "9", "Escape")
    expect(shown.dialog).to_have_count(0)
    assert shown.session.goal == Goal(half_width=0.03)


def test_the_goal_dialog_says_what_a_goal_would_cost(show: Callable[..., Shown]) -> None:
    shown = show("classes")
    shown.press("t")
    cost = shown.dialog.locator("[data-aew=goal-preview]")
    expect(cost).to_contain_text("Goal: ±5 points. ")
    button = boxes(shown.page, "dialog[open] .aew-quiet")
    shown.page.keyboard.type("12")
    expect(cost).to_contain_text("Goal: ±12 points. ")
    assert boxes(shown.page, "dialog[open] .aew-quiet") == button  # it stays where it is
    shown.dialog.locator("[name=threshold]").fill("20")
    expect(cost).to_contain_text("Is it above or below 20%?")
    shown.dialog.locator("[name=half_width]").fill("0")
    expect(cost).to_have_text("The margin of error is 0: enter a number above 0, or leave the field empty.")
    assert shown.session.goal == Goal(half_width=0.05)
    shown.dialog.locator("[name=half_width]").fill("12")
    expect(cost).to_contain_text("Goal: ±12 points. ")
    [planned, *_] = cost.locator("p").all_inner_texts()
    shown.press("Enter")
    expect(shown.dialog).to_have_count(0)
    assert shown.session.goal == Goal(half_width=0.12, threshold=0.2)
    expect(shown.page.locator("[data-aew=plan]")).to_contain_text(planned)


@pytest.mark.parametrize(
    ("what", "given", "begun"), [("numbers", "4", "42"), ("grades", "1111", "11")], ids=["number", "grades"]
)
def test_one_backspace_too_many_undoes_nothing(
    show: Callable[..., Shown], what: str, given: str, begun: str
) -> None:
    shown = show(what)
    shown.page.keyboard.type(given)
    shown.press("Enter")
    shown.settled(1)
    shown.page.keyboard.type(begun)
    shown.press(*["Backspace"] * 4)
    if what == "numbers":
        shown.page.locator("[data-aew=number]").click()
        shown.press("5", *["Backspace"] * 3)
    shown.press("f")  # answered after what came before it
    expect(shown.page.locator("[data-aew=marks]")).to_contain_text("flagged")
    shown.settled(1)
    assert shown.kinds() == ["label"]
    shown.press("u")
    shown.settled(0)


def test_one_is_singular(show: Callable[..., Shown]) -> None:
    shown = show("numbers", unit=("point", "points"))
    shown.press("1", "Enter")
    expect(shown.status).to_have_text("Saved: 1\N{NO-BREAK SPACE}point")


def test_an_armed_key_can_be_read(show: Callable[..., Shown]) -> None:
    shown = show("grades")
    shown.press("g")
    rest = shown.page.locator("[data-aew=grade-rest]")
    expect(rest).to_have_attribute("aria-pressed", "true")
    for part in (rest, rest.locator("kbd"), rest.locator("span")):
        color = part.evaluate("(one) => getComputedStyle(one).color")
        behind = part.evaluate(
            """(one) => {
                for (let node = one; node; node = node.parentElement) {
                    const { backgroundColor } = getComputedStyle(node);
                    if (backgroundColor !== "rgba(0, 0, 0, 0)") return backgroundColor;
                }
            }"""
        )
        assert color != behind


def test_grades_are_reported_in_words(show: Callable[..., Shown]) -> None:
    shown = show("grades", grade_words=("no", "partly", "yes"))
    texts = [text.split() for text in shown.page.locator("[data-aew=label]").all_inner_texts()]
    assert texts == [["0", "no"], ["1", "partly"], ["2", "yes"]]
    shown.press("2")
    expect(shown.page.locator(".aew-grade").first).to_have_text("2 yes")


def test_a_key_beside_a_label_is_one(show: Callable[..., Shown]) -> None:
    page = show("classes").page  # their keys: 1 and -, 2 and 0, 3 and +
    assert page.locator("[data-aew=label]").all_inner_texts() == ["1negative", "2neutral", "3positive"]
    neutral = page.get_by_role("button", name="neutral", exact=True)
    expect(neutral).to_have_attribute("aria-keyshortcuts", "2 0")


def test_a_wrong_key_is_reported(show: Callable[..., Shown]) -> None:
    shown = show("classes")
    shown.press("q")
    expect(shown.status).to_have_text("Q does nothing here. ? shows all keys.")
    shown.press("1")
    shown.settled(1)
    expect(shown.status).to_have_text("Saved: negative")


def test_who_labels_without_the_estimate_has_no_key_that_shows_it(show: Callable[..., Shown]) -> None:
    shown = show("classes", shows_estimate=False)
    for key in "tvp":
        shown.press(key)
        expect(shown.status).to_contain_text(f"{key.upper()} does nothing here")
        expect(shown.dialog).to_have_count(0)
    shown.press("1")
    shown.settled(1)
    assert "interval: " not in shown.page.inner_text("[data-aew=app]")
    # The result has counts alone, and its key is in the list.
    shown.press("?")
    expect(shown.dialog.get_by_role("button", name="see the result")).to_be_visible()
    shown.press("Escape", "r")
    result = shown.page.locator("[data-aew=result]")
    expect(result).to_contain_text("Thank you for your labels so far.")
    expect(result.locator("dd")).to_have_text([re.compile(r"^label, \d+ (second|minute)s?$")])
    assert "%" not in result.inner_text()
    shown.press("r")
    expect(result).to_be_hidden()


def test_rare_actions_are_in_the_list_of_keys(show: Callable[..., Shown]) -> None:
    shown = show("classes")
    expect(shown.page.locator(".aew-actions button")).to_have_count(7)
    shown.page.get_by_role("button", name="All keys").click()
    shown.dialog.get_by_role("button", name="choose what is shown").click()
    expect(shown.dialog).to_have_attribute("data-aew", "panels")


def test_what_this_is_is_reported_first(show: Callable[..., Shown]) -> None:
    shown = show("classes")
    intro = shown.page.locator("[data-aew=intro]")
    expect(intro).to_have_text("A model made predictions for 60 texts. Your labels estimate its error rate.")
    shown.press("1")
    shown.settled(1)
    expect(intro).to_be_hidden()
