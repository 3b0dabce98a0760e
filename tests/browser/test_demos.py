"""Every demo: by keyboard alone and held against the log, and accessible as far as axe-core can tell."""

import json
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from math import ceil
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from activeeval_widgets.app.pages.demo import begin
from activeeval_widgets.demos import DEMOS, Demo
from activeeval_widgets.session import MemoryStore, SQLiteStore
from activeeval_widgets.stats import Estimate

from .accessibility import check_accessibility, in_both_schemes
from .conftest import DemoServer, estimates_from_log, eventually

APP = "[data-aew=app]"
NBSP = "\N{NO-BREAK SPACE}"
DIALOG = "dialog[open]"
READY = f"{APP}[data-state=ready] [data-aew=instance][data-instance-id]"


def open_session(page: Page, server: DemoServer, name: str) -> None:
    page.goto(server.session(name), wait_until="commit")
    page.wait_for_selector(READY)


def shown_id(page: Page) -> str:
    shown = page.get_attribute("[data-aew=instance]", "data-instance-id")
    assert shown is not None
    return shown


def press_label(page: Page, demo: Demo) -> None:
    """Give the instance on the page its true label, by keys."""
    y_true = demo.y_true[demo.pool.ids.index(shown_id(page))]
    if isinstance(y_true, dict):
        for item in page.locator(".aew-result").evaluate_all("all => all.map((one) => one.dataset.item)"):
            page.keyboard.press(str(y_true[item]))
        page.keyboard.press("Enter")
    elif demo.y_range is not None:
        page.keyboard.type(str(y_true))
        page.keyboard.press("Enter")
    else:
        keys = page.get_attribute(f'[data-aew=label][data-value="{y_true}"]', "aria-keyshortcuts")
        page.keyboard.press(keys.split()[0])


def wait_for(page: Page, n_labels: int) -> None:
    app = page.locator(APP)
    expect(app).to_have_attribute("data-n-labels", str(n_labels))
    expect(app).to_have_attribute("data-state", "ready")


def records_of(server: DemoServer, name: str, demo: Demo) -> list[dict[str, Any]]:
    """A session's log, with labels that are all true."""
    with closing(sqlite3.connect(f"file:{server.store}?mode=ro", uri=True)) as connection:
        rows = connection.execute("SELECT record FROM events WHERE session = ? ORDER BY seq", (name,))
        records = [json.loads(record) for (record,) in rows]
    labels = [record for record in records if record["kind"] == "label"]
    assert all(record["value"] == demo.y_true[record["instance"]] for record in labels)
    return records


def from_log(server: DemoServer, name: str, demo: Demo) -> Estimate:
    """The estimate by `stats` alone; of more than two models, the best so far's."""
    return min(
        estimates_from_log(records_of(server, name, demo), demo, name),
        key=lambda each: 0 if np.isnan(each.value) else each.value,
    )


def check_against_log(page: Page, server: DemoServer, name: str, demo: Demo, n_labels: int) -> None:
    expected = from_log(server, name, demo)
    assert expected.n_labels == n_labels
    expect(page.locator(APP)).to_have_attribute("data-n-draws", str(expected.n_draws))
    shown = page.get_attribute("[data-aew=estimate]", "data-value")
    assert shown is not None
    if np.isnan(expected.value):
        assert shown == ""
    else:
        assert float(shown) == pytest.approx(expected.value, rel=1e-9)


BY_COLORS = ("color-contrast", "link-in-text-block")
"""The rules that may judge a page otherwise when nothing but its colors has changed."""

IN_THE_DARK = ("digits", "ranking")
"""The demos that are looked at before the first label, too, and whose dialogs are in the dark."""

RELOADED = ("text", "images", "regression", "judge")
"""The demos of which no other test opens a session that has labels."""

N_LABELS = 12


def check(page: Page, *places: str) -> None:
    """Check that a page, or places of it, are accessible in the light and in the dark."""
    for scheme in in_both_schemes(page):
        check_accessibility(page, *places, rules=BY_COLORS if scheme == "dark" else ())


@pytest.mark.parametrize("name", DEMOS)
def test_a_session_by_keyboard_alone_is_accessible(
    name: str, shared_demo: Callable[[str], DemoServer], traffic: Any, page: Page
) -> None:
    demo, server = DEMOS[name](), shared_demo(name)
    page.emulate_media(reduced_motion="reduce")
    open_session(page, server, "keys")
    if (n_models := len(demo.pool.models)) > 2:
        values = page.locator("[data-aew=models] tbody td:nth-of-type(2)")
        expect(values).to_have_text(["–"] * n_models)
    if name in IN_THE_DARK:
        check(page)
    for n in range(N_LABELS):
        press_label(page, demo)
        wait_for(page, n + 1)
    check_against_log(page, server, "keys", demo, N_LABELS)

    asked = shown_id(page)
    page.keyboard.press("u")
    wait_for(page, N_LABELS - 1)
    assert shown_id(page) != asked
    press_label(page, demo)
    wait_for(page, N_LABELS)
    check_against_log(page, server, "keys", demo, N_LABELS)
    assert shown_id(page) == asked

    if name in RELOADED:
        page.reload()
        page.wait_for_selector(READY)
        wait_for(page, N_LABELS)
        assert shown_id(page) == asked
        check_against_log(page, server, "keys", demo, N_LABELS)
    is_accessible_in_all_states(page, has_dark_dialogs=name in IN_THE_DARK)
    wait_for(page, N_LABELS)


def is_accessible_in_all_states(page: Page, *, has_dark_dialogs: bool) -> None:
    page.wait_for_timeout(700)  # the plots are drawn once the fingers rest
    page.locator("details").evaluate_all("all => all.forEach((one) => { one.open = true; })")
    for key in ("p", "f", "i", "n"):  # the prediction, a flag, the guidelines, a note: all at once
        page.keyboard.press(key)
    expect(page.get_by_role("textbox", name="Note")).to_be_focused()
    check(page)
    page.keyboard.press("Escape")

    page.keyboard.press("r")
    expect(page.locator("[data-aew=result] .aew-answer")).not_to_be_empty()
    page.locator("[data-aew=result] details").evaluate("(one) => { one.open = true; }")
    check(page)
    page.keyboard.press("r")
    expect(page.locator("[data-aew=result]")).to_be_hidden()

    check_dialog = check if has_dark_dialogs else check_accessibility
    page.get_by_role("button", name="Table: ").first.click()
    expect(page.locator(DIALOG)).to_have_count(1)
    check_dialog(page, DIALOG)
    page.keyboard.press("Escape")
    page.locator(APP).focus()

    for key in ("h", "t", "v", "s", "?", "Shift+X"):  # the dialogs
        page.keyboard.press(key)
        expect(page.locator(DIALOG)).to_have_count(1)
        check_dialog(page, DIALOG)
        page.keyboard.press("Escape")
        expect(page.locator(DIALOG)).to_have_count(0)


def test_the_best_of_five_by_keyboard_alone(
    shared_demo: Callable[[str], DemoServer], traffic: Any, page: Page
) -> None:
    """The panel of models has each one's estimate by the log, and says which of them are out."""
    demo, server = DEMOS["leaderboard"](), shared_demo("leaderboard")
    by_hand, n_labels = begin("leaderboard", MemoryStore(), "five"), 0
    while all(each.may_be_best for each in by_hand.leaderboard().models):
        by_hand.label(demo.y_true[by_hand.next().index])
        n_labels += 1
    assert n_labels < 100
    with closing(SQLiteStore(server.store)) as store:
        session = begin("leaderboard", store, "five")
        while session.n_labels < n_labels - 1:
            session.label(demo.y_true[session.next().index])
    open_session(page, server, "five")
    models = page.locator("[data-aew=models]")
    expect(models.locator("tbody tr")).to_have_count(5)
    press_label(page, demo)
    wait_for(page, n_labels)
    expected = estimates_from_log(records_of(server, "five", demo), demo, "five")
    values = {str(model.name): each.value for each, model in zip(expected, demo.pool.models, strict=True)}

    def table() -> list[tuple[str, str, str, bool]]:
        found: list[tuple[str, str, str, bool]] = models.locator("tbody tr").evaluate_all(
            """rows => rows.map((row) => {
                const cells = [...row.querySelectorAll("th, td")].map((cell) => cell.innerText.trim());
                const [name] = cells.splice(0, 1);
                return [name, cells[0], cells[1], row.classList.contains("aew-out")];
            })"""
        )
        return found

    def has_each_estimate() -> None:
        rows = table()
        # With as many digits as its interval bears; first those that may be the best.
        assert {name for name, *_ in rows} == values.keys()
        for name, _, text, _ in rows:
            assert text in (f"{values[name]:.0%}", f"{values[name]:.1%}")
        assert [name for name, *_ in rows] == [
            name for name, _, _, _ in sorted(rows, key=lambda row: (row[3], values[row[0]]))
        ]

    eventually(has_each_estimate)
    standings, is_out = [row[1] for row in table()], [row[3] for row in table()]
    assert [text not in ("may be best", "best") for text in standings] == is_out
    assert any(is_out)
    assert standings[0] == ("may be best" if is_out.count(False) > 1 else "best")
    check_against_log(page, server, "five", demo, n_labels)
    two_differ_by_keyboard_alone(page, demo, list(values))


def two_differ_by_keyboard_alone(page: Page, demo: Demo, names: list[str]) -> None:
    """Two of several models are chosen, and what sets them apart is listed, filtered and looked at."""

    def tab_to(selector: str) -> None:
        target = page.locator(selector).first
        for _ in range(80):
            if target.evaluate("(one) => one === document.activeElement"):
                return
            page.keyboard.press("Tab")
        pytest.fail(f"no Tab leads to {selector}")

    page.keyboard.press("v")
    for name in ("differing", "matrices"):
        tab_to(f"[data-panel={name}] input")
        page.keyboard.press("Space")
    page.keyboard.press("Escape")
    expect(page.locator("[data-aew=matrices] .aew-matrix")).to_have_count(2)
    for at, chosen in enumerate((demo.pool.models[1].name, demo.pool.models[0].name)):
        tab_to(f".aew-pair-choice select:nth-of-type({at + 1})")
        for _ in range(2 - at):
            page.keyboard.press("ArrowDown")
        expect(page.locator(".aew-pair-choice option:checked").nth(at)).to_have_text(str(chosen))
    first, second = (str(model.name) for model in (demo.pool.models[1], demo.pool.models[0]))
    expect(page.locator("[data-aew=pair-difference] tbody tr")).to_have_count(1)
    expect(page.locator("[data-aew=differing-plot] h2").last).to_have_text(
        f"Where {first} and {second} differ"
    )
    expect(page.locator("[data-aew=matrices] .aew-matrix caption")).to_have_text([first, second])
    assert {first, second} <= set(names)
    check_accessibility(page)

    tab_to(".aew-side [data-action=list_differing]")
    page.keyboard.press("Enter")
    rows = page.locator(f"{DIALOG} tbody tr")
    expect(rows.first).to_be_visible()
    one, two = (model.pred_codes for model in (demo.pool.models[1], demo.pool.models[0]))
    listed = rows.locator("button").evaluate_all("all => all.map((one) => Number(one.dataset.index))")
    assert (one[listed] != two[listed]).all()
    expect(page.locator(f"{DIALOG} thead th").nth(2)).to_have_text(first)
    check_accessibility(page, DIALOG)
    tab_to(f"{DIALOG} .aew-of-two")
    page.keyboard.press("ArrowDown")
    right = f"{first} right" if (one == _codes(demo))[listed].any() else f"{second} right"
    expect(page.locator(f"{DIALOG} .aew-of-two option:checked")).to_contain_text(right)
    expect(rows).not_to_have_count(len(listed))
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator(DIALOG)).to_have_count(0)
    one_of_them = "|".join(re.escape(demo.pool.ids[index]) for index in listed)
    instance = page.locator("[data-aew=instance]")
    expect(instance).to_have_attribute("data-instance-id", re.compile(f"^({one_of_them})$"))
    page.keyboard.press("Escape")


def _codes(demo: Demo) -> np.ndarray:
    """The true classes, by number."""
    classes = demo.pool.models[0].classes.tolist()
    return np.array([classes.index(label) for label in demo.y_true])


def test_two_models_by_keyboard_alone_up_to_the_verdict(
    shared_demo: Callable[[str], DemoServer], traffic: Any, page: Page
) -> None:
    """The last label before the verdict, then a margin, which the session keeps, and the evidence."""
    demo, server = DEMOS["compare"](), shared_demo("compare")
    answers: list[tuple[int, Any]] = []
    by_hand = begin("compare", MemoryStore(), "verdict")
    while not by_hand.verdict().is_decided:
        asked = by_hand.next()
        answers.append((asked.index, demo.y_true[asked.index]))
        by_hand.label(answers[-1][1])
    assert len(answers) < 100
    store = SQLiteStore(server.store)
    session = begin("compare", store, "verdict")
    for _, y_true in answers[:-1]:
        session.label(y_true)
    store.close()

    open_session(page, server, "verdict")
    expect(page.locator("[data-aew=plan]")).to_contain_text("Which model is better? ")
    press_label(page, demo)
    wait_for(page, len(answers))
    advice = page.locator("[data-aew=advice]")
    verdict = by_hand.verdict()
    expect(advice).to_have_text(f"{verdict!s} You can stop here or go on.".replace(NBSP, " "))

    page.keyboard.press("t")
    expect(page.locator(DIALOG)).to_have_count(1)
    for _ in range(4):
        page.keyboard.press("Tab")
    points = ceil(100 * verdict.within) + 1
    page.keyboard.type(str(points))
    page.keyboard.press("Enter")
    by_margin = str(by_hand.verdict(points / 100)).replace(NBSP, " ")
    assert f"but by less than {points} points" in by_margin
    expect(advice).to_contain_text(by_margin)
    page.reload()
    page.wait_for_selector(READY)
    expect(advice).to_contain_text(by_margin)

    page.locator(APP).focus()
    choice = page.locator("button.aew-other-plot")
    expect(choice).to_be_visible()
    for _ in range(60):
        page.keyboard.press("Tab")
        if choice.evaluate("one => one === document.activeElement"):
            break
    page.keyboard.press("Enter")
    expect(choice).to_have_attribute("aria-pressed", "true")
    plot = page.get_by_role("application", name="Evidence of a difference after each label")
    expect(plot).to_be_visible()
    expect(plot).to_have_attribute("aria-label", re.compile(f"After {len(answers)} labels the evidence"))
    page.emulate_media(reduced_motion="reduce")
    for _ in in_both_schemes(page):
        check_accessibility(page)
    page.locator(APP).focus()
    page.keyboard.press("r")
    expect(page.locator("[data-aew=result] .aew-answer")).to_contain_text(f"{by_margin} Its error rate is")
