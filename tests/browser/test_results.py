"""The result: offered, read, copied, saved, left, and gone on from, as a person would."""

import csv
import io
import re
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import FloatRect, Locator, Page, expect

from activeeval_widgets.demos import leaderboard
from activeeval_widgets.session import Goal, Pool, Session, SQLiteStore
from activeeval_widgets.stats import ClassPredictions, ErrorRate
from activeeval_widgets.widgets import LabelingApp

from ..labeling import give_labels
from .accessibility import check_accessibility
from .conftest import eventually
from .without_kernel import show_app

APP = "[data-aew=app]"
RESULT = "[data-aew=result]"

Open = Callable[..., Page]


@pytest.fixture
def open_session(page: Page, no_kernel: None, tmp_path: Path) -> Iterator[Open]:
    """Show a session on mails, which is kept in a file, on the test's page or another one."""
    with closing(SQLiteStore(tmp_path / "s.sqlite")) as store:

        def show(to: Page = page, n_labels: int = 0, *, shows_estimate: bool = True) -> Page:
            p = np.random.default_rng(0).uniform(0.5, 1, 60)
            predictions = ClassPredictions(
                np.column_stack([p, 1 - p]), classes=["ham", "spam"], name="filter"
            )
            mails = [f"Mail {i} <b>bold</b>" for i in range(60)]
            pool = Pool(mails, predictions=predictions, ids=[f"mail-{i}" for i in range(60)])
            session = Session(pool, ErrorRate(), budget=12, store=store, goal=Goal(half_width=0.49))
            give_labels(session, "spam", n_labels)
            app = LabelingApp(
                session, sessions=[], title="Mails", question="Spam?", shows_estimate=shows_estimate
            )
            show_app(to, app)
            return to

        yield show


def label(page: Page, n: int, text: str = "spam") -> None:
    """Press a label's button as often as this."""
    for _ in range(n):
        before = int(page.locator(APP).get_attribute("data-n-labels") or 0)
        page.locator(f'[data-aew=label][data-value="{text}"]').click()
        expect(page.locator(APP)).to_have_attribute("data-n-labels", str(before + 1))
        page.wait_for_timeout(300)  # a button that was just clicked takes no second click


def box_of(node: Locator) -> FloatRect:
    """Where a node is on the page."""
    found = node.bounding_box()
    assert found is not None
    return found


def saved(page: Page, action: str) -> tuple[str, str]:
    """A file that a button saves: its name and its text."""
    with page.expect_download() as download:
        page.locator(f"{RESULT} [data-action={action}]").click()
    return download.value.suggested_filename, Path(download.value.path()).read_text(encoding="utf-8")


def test_from_the_goal_to_the_end_and_beyond(open_session: Open) -> None:
    page = open_session()
    app, result = page.locator(APP), page.locator(RESULT)
    expect(result).to_be_hidden()
    expect(page.locator(".aew-see-result")).to_be_hidden()
    label(page, 8, "spam")
    # Once the goal is reached a line offers the result, and its key shows it; the session stays ready.
    expect(page.locator(".aew-see-result")).to_be_visible()
    page.locator(APP).focus()
    page.keyboard.press("r")
    expect(result).to_be_visible()
    expect(app).to_have_attribute("data-state", "ready")
    expect(page.locator("[data-aew=instance]")).to_be_hidden()
    expect(page.locator(".aew-answer")).to_be_focused()
    expect(page.locator(".aew-answer")).to_have_text(
        re.compile(r"^The model is wrong on about \d.* of the texts\.$")
    )
    expect(page.locator(".aew-outcome-badge")).to_have_text("Goal reached: ±49 points")
    # No key labels meanwhile; the same key leads back.
    for key in ("1", "2", "h"):
        page.keyboard.press(key)
        if key == "h":
            expect(page.locator("[data-aew=history]")).to_be_visible()
            page.keyboard.press("Escape")
    expect(app).to_have_attribute("data-n-labels", "8")
    page.keyboard.press("r")
    expect(result).to_be_hidden()
    expect(page.locator("[data-aew=instance]")).to_be_visible()
    # The last label brings it by itself.
    label(page, 4, "spam")
    expect(app).to_have_attribute("data-state", "done")
    expect(result).to_be_visible()
    check_accessibility(page, RESULT)

    answer = page.locator(".aew-answer").inner_text()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator(f"{RESULT} [data-action=copy]").click()
    expect(page.locator(".aew-outcome-copied")).to_have_text("Copied.")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith(answer)
    assert "12 labels" in copied

    name, labels = saved(page, "save_labels")
    assert name == "mails-labels.csv"
    rows = list(csv.DictReader(io.StringIO(labels)))
    assert len(rows) == 12
    assert {row["label"] for row in rows} == {"spam"}
    assert rows[0]["content"].endswith("<b>bold</b>")
    name, report = saved(page, "save_html")
    assert name == "mails.html"
    read_report(page, report, answer)

    # Where the model was wrong: a click looks at it again, and changes the label.
    mistakes = page.locator(f"{RESULT} .aew-mistake")
    expect(mistakes).to_have_count(12)
    index = mistakes.first.get_attribute("data-index")
    mistakes.first.click()
    expect(result).to_be_hidden()
    expect(page.locator("[data-aew=instance]")).to_have_attribute("data-instance-id", f"mail-{index}")
    page.locator('[data-aew=label][data-value="ham"]').click()
    expect(result).to_be_visible()  # and leads back
    expect(page.locator(f"{RESULT} .aew-mistake")).to_have_count(11)

    # Behind the result, the way back to it and the way on stand apart.
    page.keyboard.press("Escape")
    done = page.locator(".aew-done")
    text, see, go_on = (
        box_of(done.locator(each)) for each in ("p", "[data-action=result]", "[data-action=go_on]")
    )
    assert see["x"] + see["width"] + 8 <= go_on["x"]
    assert text["y"] + text["height"] + 8 <= see["y"]
    page.keyboard.press("r")

    # Label more, which another page of the same session knows, too.
    page.locator(f"{RESULT} [data-action=go_on]").click()
    expect(result).to_be_hidden()
    expect(app).to_have_attribute("data-state", "ready")
    page = open_session(page.context.new_page())
    expect(page.locator(APP)).to_have_attribute("data-n-labels", "12")
    expect(page.locator(APP)).to_have_attribute("data-state", "ready")
    expect(page.locator(RESULT)).to_be_hidden()
    label(page, 1)
    expect(page.locator(APP)).to_have_attribute("data-n-labels", "13")


def read_report(page: Page, report: str, answer: str) -> None:
    """Open a saved report on its own: it asks for nothing, and says what the page said."""
    asked: list[str] = []
    other = page.context.new_page()
    other.on("request", lambda request: asked.append(request.url))
    other.set_content(report)
    assert asked == []
    assert other.title() == "Mails"
    expect(other.locator(".answer")).to_have_text(answer)
    expect(other.locator("svg polygon.band")).to_have_count(1)
    other.wait_for_function(
        """() => {
            const { width, height } = document.querySelector("svg").getBoundingClientRect();
            return width > 300 && height > 100;
        }"""
    )
    for part in ("Asked about each: “Spam?”", "12 of 60 texts", "JRSS-B 2024", "Fingerprint of predictions"):
        expect(other.locator("body")).to_contain_text(part)
    assert other.evaluate("document.scripts.length") == 0
    other.close()


def test_without_labels_there_is_no_answer_to_copy(open_session: Open) -> None:
    page = open_session(n_labels=0)
    page.locator(APP).focus()
    page.keyboard.press("r")
    expect(page.locator(".aew-answer")).to_have_text("No labels yet.")
    expect(page.locator(f"{RESULT} [data-action=copy]")).to_be_hidden()
    page.keyboard.press("Escape")
    label(page, 1)
    page.keyboard.press("r")
    expect(page.locator(f"{RESULT} [data-action=copy]")).to_be_visible()


def test_the_labelers_view_shows_nothing(open_session: Open) -> None:
    page = open_session(n_labels=11, shows_estimate=False)
    page.locator(APP).focus()
    page.keyboard.press("r")
    expect(page.locator(RESULT)).to_be_visible()
    expect(page.locator(".aew-answer")).to_have_text("Thank you for your labels so far.")
    for what in ("copy", "save_html", "save_labels", "save_markdown", "save_events", "go_on"):
        expect(page.locator(f"{RESULT} [data-action={what}]")).to_be_hidden()
    expect(page.locator(f"{RESULT} .aew-outcome-plot")).to_be_hidden()
    expect(page.locator(f"{RESULT} .aew-outcome-mistakes")).to_be_hidden()
    assert "%" not in page.locator(RESULT).inner_text()
    page.keyboard.press("Escape")
    label(page, 1)
    expect(page.locator(".aew-answer")).to_have_text("All labels are done. Thank you!")
    check_accessibility(page, RESULT)
    # The last label can be taken back from here.
    page.keyboard.press("u")
    expect(page.locator(RESULT)).to_be_hidden()
    expect(page.locator(APP)).to_have_attribute("data-n-labels", "11")


def test_all_is_seen_without_scrolling(open_session: Open) -> None:
    page = open_session(n_labels=12)
    expect(page.locator(RESULT)).to_be_visible()
    expect(page.locator(f"{RESULT} .aew-mistake")).to_have_count(12)
    for width, height in ((1280, 800), (1366, 657)):
        for is_light in ("true", "false"):
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate("(is) => { document.body.dataset.jpThemeLight = is; }", is_light)
            page.wait_for_timeout(300)  # what is drawn follows the window
            eventually(partial(check_all_is_seen, page, height))


def test_nothing_of_the_result_is_cut_off_on_a_narrow_page(page: Page, no_kernel: None) -> None:
    demo = leaderboard()
    session = Session(demo.pool, demo.measure, budget=20)
    while (asked := session.next()) is not None and session.n_labels < 20:
        session.label(demo.y_true[asked.index])
    show_app(page, LabelingApp(session, title="Five models"))
    page.wait_for_selector(f"{RESULT} .aew-result-models tbody tr")
    page.set_viewport_size({"width": 390, "height": 844})

    def check() -> None:
        card, plot = (
            page.locator(f"{RESULT} {what}").bounding_box()
            for what in (".aew-outcome-card", ".aew-outcome-plot")
        )
        assert plot["x"] == pytest.approx(card["x"], abs=2)  # below it
        assert card["y"] + card["height"] <= plot["y"]
        last = page.locator(f"{RESULT} .aew-outcome-buttons").bounding_box()
        assert last["y"] + last["height"] <= card["y"] + card["height"]
        strip = page.locator(f"{RESULT} .aew-outcome-mistakes").bounding_box()
        assert plot["y"] + plot["height"] <= strip["y"]

    eventually(check)


def check_all_is_seen(page: Page, height: int) -> None:
    for what in (".aew-answer", ".aew-outcome-plot svg", "[data-action=copy]", "[data-action=go_on]"):
        box = page.locator(f"{RESULT} {what}").first.bounding_box()
        assert box["y"] + box["height"] <= height, what
    strip = page.locator(f"{RESULT} .aew-mistake").first.bounding_box()
    assert strip["y"] + 60 <= height
    check_accessibility(page, RESULT)
