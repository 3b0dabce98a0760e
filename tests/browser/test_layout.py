"""The page as a whole: all that matters is in sight, nothing moves the labels, and keys are no traps."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from .test_labels import ANY_NUMBER, CLASSES, GRADES, NUMBERS, START, Labeler

VIEWPORTS = [(1280, 800), (1366, 657), (1440, 900)]
IN_SIGHT = (
    *("h1", "#aew-question", "[data-aew=instance]", "[data-aew=status]", "[data-aew=progress]", ".aew-bar"),
    *("[data-aew=estimate]", "[data-aew=plan]", "[data-aew=advice]", ".aew-results", ".aew-actions"),
    *(".aew-trajectory-plot", ".aew-distribution-plot"),
)
# Long names, guidelines and a goal that is reached at once: all that can take room.
ROOMY = """\
predictions = ClassPredictions(rng.dirichlet(np.ones(3), 60), ["negative", "neutral", "positive"])
pool = Pool([f"a sentence {i}, " * 40 for i in range(60)], predictions=predictions)
app = LabelingApp(
    Session(pool, ErrorRate(), store=store, goal=Goal(half_width=0.99), budget=50), sessions=[],
    guidelines="Read it. " * 99,
)
"""
LABELER = """\
pool = Pool([f"mail {i}" for i in range(9)], predictions=ClassPredictions(rng.dirichlet(np.ones(3), 9)))
app = LabelingApp(Session(pool, ErrorRate(), store=store), sessions=[], shows_estimate=False)
"""


@pytest.fixture
def label(open_app: Callable[..., Page], tmp_path: Path) -> Callable[..., Labeler]:
    path = tmp_path / "labels.sqlite"

    def show(source: str) -> Labeler:
        imports = "from activeeval_widgets.session import Goal\n"
        return Labeler(open_app(f"{START}{imports}store = SQLiteStore({str(path)!r})\n{source}\napp"), path)

    return show


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
    """What is not wholly in the window, or is cut off by what scrolls."""
    size = page.viewport_size
    assert size is not None
    hidden = [
        selector
        for selector in (*IN_SIGHT, "[data-aew=label]")
        for box in boxes(page, selector) or [{"left": -1.0, "top": 0.0, "right": 0.0, "bottom": 0.0}]
        if min(box["left"], box["top"]) < 0 or box["right"] > size["width"] or box["bottom"] > size["height"]
    ]
    cut = page.evaluate(
        """() => [".aew-work", ".aew-side", "html"].filter((selector) => {
            const { scrollHeight, clientHeight } = document.querySelector(selector);
            return scrollHeight > clientHeight + 1;
        })"""
    )
    return hidden + [f"{selector} scrolls" for selector in cut]


def test_all_that_matters_is_in_sight_and_nothing_moves_the_labels(
    label: Callable[..., Labeler], page: Page
) -> None:
    page.set_viewport_size({"width": 1366, "height": 657})
    labeler = label(ROOMY)
    page.add_style_tag(content="body, .jp-OutputArea-output { margin: 0 !important; padding: 0 !important; }")
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
    labeler.press("l", "x")
    expect(page.locator("[data-aew=status]")).to_contain_text("1 excluded")
    check("excluded")
    labeler.press("i")
    for n in range(3, 13):
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
        assert out_of_sight(page) == [], (width, height)


@pytest.mark.parametrize("width", [480, 800])
def test_narrow_pages_show_the_labels_first(label: Callable[..., Labeler], page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    label(CLASSES)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for selector in ("#aew-question", "[data-aew=instance]", "[data-aew=label]", "[data-aew=status]"):
        assert all(0 <= box["top"] < box["bottom"] <= 800 for box in boxes(page, selector)), selector


def test_typing_chooses_or_adds_a_reason(label: Callable[..., Labeler]) -> None:
    labeler = label(CLASSES)
    labeler.press("Shift+X")
    labeler.page.keyboard.type("torn apart")
    labeler.press("Enter", "Shift+X")
    labeler.page.keyboard.type("in a for")
    labeler.press("Enter", "Shift+X", "Enter")  # the first reason has the focus
    expect(labeler.page.locator("[data-aew=status]")).to_contain_text("3 excluded")
    assert [record["reason"] for record in labeler.records()] == [
        "torn apart",
        "in a foreign language",
        "empty",
    ]


def test_enter_sets_the_goal(label: Callable[..., Labeler]) -> None:
    labeler = label(CLASSES)
    dialog = labeler.page.locator("dialog[open]")
    labeler.press("t")
    expect(dialog).to_be_visible()
    labeler.press("3", "Enter")
    expect(dialog).to_have_count(0)
    expect(labeler.page.locator("[data-aew=plan]")).to_contain_text("±3 points")
    labeler.press("t", "9", "Escape")
    expect(dialog).to_have_count(0)
    expect(labeler.page.locator("[data-aew=plan]")).to_contain_text("±3 points")


@pytest.mark.parametrize(("source", "keys"), [(ANY_NUMBER, ("4", "2")), (GRADES, ("1", "1"))])
def test_one_backspace_too_many_undoes_nothing(
    label: Callable[..., Labeler], source: str, keys: tuple[str, ...]
) -> None:
    labeler = label(source)
    labeler.press(*(("4", "Enter") if source is ANY_NUMBER else ("1", "1", "1", "1", "Enter")))
    labeler.settled(1)
    labeler.press(*keys, "Backspace", "Backspace", "Backspace", "Backspace")
    if source is ANY_NUMBER:
        labeler.page.locator("[data-aew=number]").click()
        labeler.press("5", "Backspace", "Backspace", "Backspace")
    labeler.page.wait_for_timeout(200)
    labeler.settled(1)
    assert [record["kind"] for record in labeler.records()] == ["label"]
    labeler.press("u")
    labeler.settled(0)


def test_a_number_of_one_and_of_none(label: Callable[..., Labeler]) -> None:
    labeler = label(NUMBERS.replace('"kg"', '("point", "points")'))
    labeler.press("1", "Enter")
    expect(labeler.page.locator("[data-aew=status]")).to_have_text("Saved: 1\N{NO-BREAK SPACE}point")


def test_an_armed_key_can_be_read(label: Callable[..., Labeler]) -> None:
    page = label(GRADES).page
    page.keyboard.press("g")
    rest = page.locator("[data-aew=grade-rest]")
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


def test_a_key_beside_a_label_is_one(label: Callable[..., Labeler]) -> None:
    page = label(ROOMY).page  # negative, neutral, positive: 1 and -, 2 and 0, 3 and +
    assert [text.split() for text in page.locator("[data-aew=label]").all_inner_texts()] == [
        ["1", "negative"],
        ["2", "neutral"],
        ["3", "positive"],
    ]
    expect(page.get_by_role("button", name="neutral", exact=True)).to_have_attribute(
        "aria-keyshortcuts", "2 0"
    )


def test_a_wrong_key_is_told(label: Callable[..., Labeler]) -> None:
    labeler = label(CLASSES)
    status = labeler.page.locator("[data-aew=status]")
    labeler.press("q")
    expect(status).to_have_text("Q does nothing here. ? shows all keys.")
    labeler.press("1")
    labeler.settled(1)
    expect(status).to_have_text("Saved: spam")


def test_who_labels_without_the_estimate_has_no_key_that_tells_of_it(label: Callable[..., Labeler]) -> None:
    labeler = label(LABELER)
    page = labeler.page
    for key in "rtvp":
        labeler.press(key)
        expect(page.locator("[data-aew=status]")).to_contain_text("does nothing here")
        expect(page.locator("dialog[open]")).to_have_count(0)
        labeler.press("Shift")
    expect(page.locator(".aew-results")).to_be_hidden()
    assert "confident" not in page.inner_text("[data-aew=app]")


def test_rare_actions_are_in_the_list_of_keys(label: Callable[..., Labeler]) -> None:
    labeler = label(CLASSES)
    page = labeler.page
    expect(page.locator(".aew-actions button")).to_have_count(7)
    page.get_by_role("button", name="All keys").click()
    page.locator("dialog[open]").get_by_role("button", name="choose what is shown").click()
    expect(page.locator("dialog[open]")).to_have_attribute("data-aew", "panels")


def test_what_this_is_is_told_first(label: Callable[..., Labeler]) -> None:
    labeler = label(ROOMY)
    intro: Any = labeler.page.locator("[data-aew=intro]")
    expect(intro).to_have_text("A model predicted 60 texts. Your labels tell its error rate.")
    labeler.press("1")
    labeler.settled(1)
    expect(intro).to_be_hidden()
