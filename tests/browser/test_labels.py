"""Labels of every kind, and all that goes with them, by keyboard alone; held against the log."""

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from activeeval_widgets.session import Pool, Ranking, Result, Session, SQLiteStore
from activeeval_widgets.stats import (
    ERR,
    ClassPredictions,
    ErrorRate,
    RankingPredictions,
    SquaredError,
    ValuePredictions,
)
from activeeval_widgets.widgets import LabelingApp

from .without_kernel import show_app

APP = "[data-aew=app]"

Made = Callable[[SQLiteStore, np.random.Generator], LabelingApp]


def classes(store: SQLiteStore, rng: np.random.Generator) -> LabelingApp:
    predictions = ClassPredictions(rng.dirichlet(np.ones(3), 40), ["spam", "ham", "eggs"])
    ids = [f"mail-{i}" for i in range(40)]
    pool = Pool([f"mail {i}" for i in range(40)], predictions=predictions, ids=ids)
    return LabelingApp(
        Session(pool, ErrorRate(), store=store),
        sessions=[],
        keys={"ham": "h"},
        guidelines="**Spam** is what nobody asked for.",
        reasons=["empty", "in a foreign language"],
    )


def many_classes(store: SQLiteStore, rng: np.random.Generator) -> LabelingApp:
    names = ["barn swallow", "Bewick's wren", "blue jay", "carolina wren", "cedar waxwing", "gray jay"]
    names += ["Élan's gull", *(f"bird {i}" for i in range(33))]
    predictions = ClassPredictions(rng.dirichlet(np.ones(40), 30), names)
    pool = Pool([f"photo {i}" for i in range(30)], predictions=predictions)
    return LabelingApp(Session(pool, ErrorRate(), store=store), sessions=[])


def numbers(store: SQLiteStore, rng: np.random.Generator, **options: Any) -> LabelingApp:
    predictions = ValuePredictions(rng.random(30), np.ones(30))
    pool = Pool([f"box {i}" for i in range(30)], predictions=predictions)
    session = Session(pool, SquaredError(), store=store, y_range=(0, 50) if options else None)
    return LabelingApp(session, sessions=[], **options)


def graded(store: SQLiteStore, rng: np.random.Generator) -> LabelingApp:
    rankings = [[f"r{q}-{i}" for i in range(4)] for q in range(6)]
    proba = [{item: rng.dirichlet(np.ones(3)) for item in items} for items in rankings]
    predictions = RankingPredictions(rankings, proba, [0, 1, 2])
    lists = [
        Ranking("a query", [Result(item, title=f"Result {item}") for item in items]) for items in rankings
    ]
    return LabelingApp(Session(Pool(lists, predictions=predictions), ERR(), store=store), sessions=[])


class Labeler:
    """Presses keys, and reads what became of them."""

    def __init__(self, page: Page, path: Path) -> None:
        self.page = page
        self.path = path
        self.app = page.locator(APP)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def settled(self, n_labels: int) -> None:
        expect(self.app).to_have_attribute("data-n-labels", str(n_labels))
        expect(self.app).to_have_attribute("data-state", "ready")

    def excluded(self, n_excluded: int) -> None:
        """Until the next instance can be answered, which may be later than the status tells."""
        expect(self.page.get_by_role("status").first).to_contain_text(f"{n_excluded} excluded")
        expect(self.app).to_have_attribute("data-state", "ready")
        expect(self.page.locator("[data-action=defer]").first).to_be_enabled()

    def shown_id(self) -> str | None:
        return self.page.get_attribute("[data-aew=instance]", "data-instance-id")

    def focused(self) -> str | None:
        found: str | None = self.page.evaluate("document.activeElement.dataset.aew ?? null")
        return found

    def records(self) -> list[dict[str, Any]]:
        """What the person did: the log without the draws and the page's guidelines."""
        with closing(sqlite3.connect(f"file:{self.path}?mode=ro", uri=True)) as connection:
            rows = connection.execute("SELECT record FROM events ORDER BY seq").fetchall()
        records = [json.loads(record) for (record,) in rows]
        return [record for record in records if record["kind"] not in ("draw", "guidelines")]


@pytest.fixture
def label(page: Page, no_kernel: None, tmp_path: Path) -> Iterator[Callable[[Made], Labeler]]:
    """Show an app whose session is kept in a file."""
    with closing(SQLiteStore(tmp_path / "labels.sqlite")) as store:

        def show(made: Made) -> Labeler:
            show_app(page, made(store, np.random.default_rng(0)))
            page.locator(APP).focus()
            return Labeler(page, tmp_path / "labels.sqlite")

        yield show


def test_notes_flags_and_reasons(label: Callable[[Made], Labeler]) -> None:
    labeler = label(classes)
    page = labeler.page
    first = labeler.shown_id()
    labeler.press("f", "n")
    assert labeler.focused() == "note"
    page.keyboard.type("1 odd? ux")  # keys of labels and actions, all of them text here
    labeler.press("Shift+Enter")
    page.keyboard.type("fhl")
    labeler.press("Enter")
    expect(page.locator("[data-aew=marks]")).to_contain_text("flagged")
    expect(page.locator("[data-aew=marks]")).to_contain_text("odd?")
    labeler.settled(0)
    assert labeler.focused() == "app"
    labeler.press("n")
    page.keyboard.type("never")
    labeler.press("Escape", "1")
    labeler.settled(1)
    expect(page.locator("[data-aew=marks]")).to_have_text("")
    second = labeler.shown_id()
    labeler.press("Shift+X")
    expect(page.get_by_role("dialog")).to_be_visible()
    labeler.press("2")
    expect(page.get_by_role("dialog")).to_be_hidden()
    labeler.excluded(1)
    third = labeler.shown_id()
    labeler.press("Shift+X", "Tab", "Tab")
    page.keyboard.type("1 page only")
    labeler.press("Enter")
    labeler.excluded(2)
    labeler.press("x")
    labeler.excluded(3)
    kinds = [(record["kind"], record["instance_id"]) for record in labeler.records()]
    assert kinds[:5] == [
        ("flag", first),
        ("note", first),
        ("label", first),
        ("exclude", second),
        ("exclude", third),
    ]
    note, reasons = labeler.records()[1], [record["reason"] for record in labeler.records()[3:]]
    assert note["text"] == "1 odd? ux\nfhl"
    assert reasons == ["in a foreign language", "1 page only", None]


def test_any_earlier_label_is_found_and_changed(label: Callable[[Made], Labeler]) -> None:
    labeler = label(classes)
    page = labeler.page
    shown = []
    for n, key in enumerate(["1", "h", "3", "1"], start=1):  # H is a label's key here
        shown.append(labeler.shown_id())
        labeler.press(key)
        labeler.settled(n)
    present = labeler.shown_id()
    labeler.press("Shift+H")
    rows = page.locator("dialog[open] tbody tr")
    expect(rows).to_have_count(4)
    page.keyboard.type("spam")
    expect(rows).to_have_count(2)
    labeler.press("ArrowDown", "ArrowDown", "Enter")
    expect(page.locator("[data-aew=instance]")).to_have_attribute("data-instance-id", str(shown[0]))
    expect(page.locator("[data-aew=label][aria-current=true]")).to_have_attribute("data-value", "spam")
    labeler.press("x", "l", "u")  # not of what is shown
    labeler.press("3")
    expect(page.locator("[data-aew=instance]")).to_have_attribute("data-instance-id", str(present))
    labeler.settled(4)
    change = labeler.records()[-1]
    assert (change["kind"], change["instance_id"], change["value"]) == ("change", shown[0], "eggs")
    assert len(labeler.records()) == 5
    labeler.press("u")
    expect(page.get_by_role("status").first).not_to_contain_text("Changed")
    labeler.settled(4)
    labeler.press("Shift+H")
    expect(rows).to_have_count(4)
    labeler.press("ArrowDown", "Enter")
    expect(page.locator("[data-aew=instance]")).to_have_attribute("data-instance-id", str(shown[3]))
    labeler.press("Escape")
    expect(page.locator("[data-aew=instance]")).to_have_attribute("data-instance-id", str(present))
    labeler.press("Shift+H")
    expect(page.get_by_role("dialog")).to_be_visible()
    labeler.press("Escape")
    assert labeler.focused() == "app"
    labeler.press("1")
    labeler.settled(5)
    assert [record["kind"] for record in labeler.records()] == ["label"] * 4 + ["change", "undo", "label"]


def test_keys_of_ones_own_and_guidelines_are_remembered(label: Callable[[Made], Labeler]) -> None:
    labeler = label(classes)
    page = labeler.page
    guidelines = page.locator("[data-aew=guidelines]")
    expect(guidelines).to_be_hidden()
    labeler.press("i")
    expect(guidelines).to_have_text("Spam is what nobody asked for.")
    shown = page.locator("dialog[open] [role=status]")
    labeler.press("s", "Tab", "Enter", "u")
    expect(shown).to_contain_text("U is the key of Undo")
    labeler.press("h")
    expect(shown).to_contain_text("H is the key of ham")
    labeler.press("q")
    expect(shown).to_contain_text("Q is the key of spam")
    labeler.press("Escape", "q")
    labeler.settled(1)
    spam = page.locator("[data-aew=label][data-value=spam]")
    expect(spam).to_have_attribute("aria-keyshortcuts", "q")
    labeler.press("1")
    page.reload()
    page.wait_for_selector(f"{APP}[data-state=ready] [data-instance-id]")
    labeler.app.focus()
    labeler.settled(1)
    expect(guidelines).to_be_visible()
    labeler.press("i", "q")
    expect(guidelines).to_be_hidden()
    labeler.settled(2)
    assert [record["value"] for record in labeler.records()] == ["spam", "spam"]
    labeler.press("s")
    page.locator("[data-aew=reset-keys]").press("Enter")
    labeler.press("Escape", "q", "1")
    labeler.settled(3)
    expect(spam).to_have_attribute("aria-keyshortcuts", "1")


def test_many_classes_are_found_by_typing(label: Callable[[Made], Labeler]) -> None:
    labeler = label(many_classes)
    page = labeler.page
    options = page.get_by_role("option")
    expect(options).to_have_count(40)
    page.keyboard.type("blue")
    expect(options).to_have_count(1)
    labeler.press("Enter")
    labeler.settled(1)
    assert labeler.focused() == "app"
    expect(page.locator("[role=option][aria-selected=true]")).to_have_count(0)
    page.keyboard.type("wren")
    expect(options).to_have_text(["Bewick's wren", "carolina wren"])
    labeler.press("ArrowDown", "Enter")
    labeler.settled(2)
    page.keyboard.type("ela")  # accents need not be typed, nor the case
    expect(options).to_have_text(["Élan's gull"])
    labeler.press("Escape")
    assert labeler.focused() == "app"
    labeler.press("2")  # the recent ones: the last is 1
    labeler.settled(3)
    labeler.press("1")
    labeler.settled(4)
    page.keyboard.type("jay")  # what was given recently comes first
    expect(options).to_have_text(["blue jay", "gray jay"])
    labeler.press("Escape", "Shift+U")
    labeler.settled(3)
    labeler.press("Backspace")
    labeler.settled(2)
    page.keyboard.type("zebra")
    expect(page.get_by_text("No label matches.")).to_be_visible()
    labeler.press("Enter", "Escape", "Shift+X")
    labeler.excluded(1)
    page.locator("[data-aew=label][data-value='gray jay']").click()
    labeler.settled(3)
    values = [record["value"] for record in labeler.records() if record["kind"] == "label"]
    assert values == ["blue jay", "carolina wren", "blue jay", "blue jay", "gray jay"]


def test_numbers_are_typed(label: Callable[[Made], Labeler]) -> None:
    labeler = label(partial(numbers, unit="kg"))
    page = labeler.page
    field = page.locator("[data-aew=number]")
    hint = page.locator("#aew-number-hint")
    expect(hint).to_contain_text("Enter a number from 0 to 50\N{NO-BREAK SPACE}kg")
    page.keyboard.type("12.5")
    expect(field).to_have_value("12.5")
    labeler.press("Backspace", "Backspace", "Enter")
    labeler.settled(1)
    expect(field).to_have_value("")
    page.keyboard.type("51")
    expect(hint).to_contain_text("The maximum is 50\N{NO-BREAK SPACE}kg.")
    expect(field).to_have_attribute("aria-invalid", "true")
    labeler.press("Enter")
    labeler.settled(1)
    labeler.press("Backspace")
    expect(field).to_have_attribute("aria-invalid", "false")
    labeler.press("ArrowRight", "Shift+ArrowRight", "ArrowLeft", "Enter")  # by halves
    labeler.settled(2)
    labeler.press("Enter")
    expect(hint).to_contain_text("Enter a number from 0 to 50\N{NO-BREAK SPACE}kg first.")
    page.keyboard.type("-1")
    expect(hint).to_contain_text("The minimum is 0")
    labeler.press("Backspace", "Backspace", "u")
    labeler.settled(1)
    expect(field).to_have_value("10")
    labeler.press("Enter")
    labeler.settled(2)
    field.click()
    page.keyboard.type("3,25x")  # a comma before two digits is a point, and X still excludes
    labeler.excluded(1)
    field.click()
    page.keyboard.type("7")
    labeler.press("Enter")
    labeler.settled(3)
    values = [record["value"] for record in labeler.records() if record["kind"] == "label"]
    assert values == [12.0, 10.0, 10.0, 7.0]


def test_numbers_without_a_range(label: Callable[[Made], Labeler]) -> None:
    labeler = label(numbers)
    expect(labeler.page.get_by_role("slider")).to_have_count(0)
    labeler.page.keyboard.type("-1e3")
    labeler.press("Enter")
    labeler.settled(1)
    labeler.page.keyboard.type("1e999")
    labeler.press("Enter")
    expect(labeler.page.locator("#aew-number-hint")).to_have_text("Enter a number.")
    assert [record["value"] for record in labeler.records()] == [-1000.0]


def test_thousands_are_not_taken_for_decimals(label: Callable[[Made], Labeler]) -> None:
    labeler = label(numbers)
    page = labeler.page
    choice = page.locator("[data-aew=number-choice]")
    page.keyboard.type("200,000")
    expect(page.locator("#aew-number-hint")).to_have_text("200,000 is 200000 or 200: after Enter you choose.")
    labeler.press("Enter")
    expect(choice).to_contain_text("Which number is 200,000?")
    expect(choice.get_by_role("button")).to_have_text(["A200000", "B200"])
    labeler.settled(0)
    labeler.press("Escape")
    expect(choice).to_be_hidden()
    labeler.press("Enter", "a")
    labeler.settled(1)
    page.keyboard.type("150,000")
    labeler.press("Enter")  # known from the first answer
    labeler.settled(2)
    page.keyboard.type("2,5")  # another hand: commas are decimal
    labeler.press("Enter")
    labeler.settled(3)
    page.keyboard.type("1,250")
    labeler.press("Enter")
    choice.locator("[data-value='1.25']").click()
    labeler.settled(4)
    assert labeler.focused() == "app"
    values = [record["value"] for record in labeler.records()]
    assert values == [200_000.0, 150_000.0, 2.5, 1.25]


def test_results_are_graded(label: Callable[[Made], Labeler]) -> None:
    labeler = label(graded)
    page = labeler.page
    grades = page.locator(".aew-grade")
    present = page.locator(".aew-result[aria-current=true] .aew-grade")
    judged = page.locator("[data-aew=judged]")
    expect(grades).to_have_text(["not judged"] * 4)
    labeler.press("2", "ArrowDown", "-")  # the third can't be judged; the first without a grade is the second
    expect(grades).to_have_text(["grade 2", "not judged", "can't be judged", "not judged"])
    labeler.press("Enter")
    expect(judged).to_contain_text("Not judged yet: results 2, 4.")
    labeler.settled(0)
    labeler.press("1")
    expect(grades).to_have_text(["grade 2", "grade 1", "can't be judged", "not judged"])
    labeler.press("Backspace")
    expect(grades).to_have_text(["grade 2", "not judged", "can't be judged", "not judged"])
    labeler.press("g", "0")
    expect(grades).to_have_text(["grade 2", "grade 0", "can't be judged", "grade 0"])
    labeler.press("k", "k", "k", "k", "1")
    expect(grades.first).to_have_text("grade 1")
    labeler.press("Enter")
    labeler.settled(1)
    labeler.press("j")
    expect(present).to_have_text("not judged")
    labeler.press("Shift+Digit2", "Enter")
    labeler.settled(2)
    labeler.press("u")
    labeler.settled(1)
    expect(grades).to_have_text(["grade 2"] * 4)
    labeler.press("0", "Enter")
    labeler.settled(2)
    labeler.press("g", "-", "Enter")
    expect(judged).to_contain_text("exclude it instead")
    labeler.settled(2)
    values = [record["value"] for record in labeler.records() if record["kind"] == "label"]
    assert [list(value.values()) for value in values] == [[1, 0, None, 0], [2, 2, 2, 2], [0, 2, 2, 2]]


def test_idle_time_is_left_out(label: Callable[[Made], Labeler], page: Page) -> None:
    page.clock.install()
    labeler = label(classes)
    page.mouse.move(10, 10)
    page.clock.fast_forward("10:00")
    page.mouse.move(20, 20)
    # After such a jump, as after a sleep, the page takes no answers until Python has been heard again.
    expect(labeler.app).to_have_attribute("data-state", "ready")
    labeler.press("i", "1")
    labeler.settled(1)
    record = labeler.records()[0]
    assert 30 <= record["first_key_seconds"] <= record["seconds"] < 60
    labeler.press("3")
    labeler.settled(2)
    assert labeler.records()[1]["seconds"] < 30
