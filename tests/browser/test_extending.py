"""What is added from outside the package, on a page: the code of docs/how-to/extending.md as it stands."""

import re
import wave
from pathlib import Path

import numpy as np
from playwright.sync_api import Page, expect

from activeeval_widgets import LabelingApp, Pool, Session
from activeeval_widgets.stats import ClassPredictions, ErrorRate

from ..extending_page import Section
from .conftest import eventually
from .without_kernel import show_app

APP = "[data-aew=app]"


def text_app() -> LabelingApp:
    model = ClassPredictions(np.random.default_rng(0).dirichlet([1, 1], size=40), classes=["no", "yes"])
    pool = Pool([f"Text {i}" for i in range(40)], predictions=model)
    return LabelingApp(Session(pool, ErrorRate()), sessions=[])


def label(page: Page, n: int) -> None:
    for _ in range(n):
        expect(page.locator(APP)).to_have_attribute("data-state", "ready")
        before = int(page.locator(APP).get_attribute("data-n-labels") or 0)
        page.locator(APP).focus()
        page.keyboard.press("1")
        expect(page.locator(APP)).to_have_attribute("data-n-labels", str(before + 1))


def test_a_panel(page: Page, no_kernel: None, tmp_path: Path) -> None:
    section = Section("A panel")
    (tmp_path / "label_times.js").write_text(section.blocks["js"])
    section.run(__file__=str(tmp_path / "label_times.py"))
    show_app(page, text_app())
    panel = page.locator("[data-aew=label-times-panel]")
    expect(panel.locator("h2")).to_have_text("Time for each label")
    expect(panel.locator("p:not([hidden], .aew-warning)")).to_have_text("No labels yet.")
    label(page, 4)
    expect(panel.locator("p:not([hidden], .aew-warning)")).to_contain_text("Half of the labels took at most")
    expect(panel.locator("span")).to_have_count(4)
    # It is chosen and moved like any other, and the browser remembers it.
    page.keyboard.press("v")
    row = page.locator("[data-panel=label-times]")
    expect(row).to_contain_text("Time for each label")
    row.get_by_role("button", name="Move Time for each label up").click()
    row.get_by_role("checkbox").uncheck()
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    rows = "document.querySelectorAll('[data-aew=panels] .aew-panel-row')"
    order = f"() => [...{rows}].map((row) => row.dataset.panel)"
    moved: list[str] = []

    def is_moved() -> None:
        moved[:] = page.evaluate(order)
        assert moved.index("label-times") == len(moved) - 2

    eventually(is_moved)
    page.reload()
    expect(page.locator(APP)).to_have_attribute("data-state", "ready")
    expect(panel).to_be_attached()
    expect(panel).to_be_hidden()
    page.wait_for_function(f"(moved) => ({order})().join() === moved.join()", arg=moved)


def test_a_panel_that_fails_is_reported(page: Page, no_kernel: None, tmp_path: Path) -> None:
    (tmp_path / "label_times.js").write_text("export default () => { throw new Error('no room'); };")
    Section("A panel").run(__file__=str(tmp_path / "label_times.py"))
    show_app(page, text_app())
    panel = page.locator("[data-aew=label-times-panel]")
    expect(panel).to_have_text("“Time for each label” can't be shown. The browser says: no room")
    label(page, 2)  # all else works


def test_a_kind_of_instance(page: Page, no_kernel: None, tmp_path: Path) -> None:
    section = Section("A kind of instance")
    (tmp_path / "audio.js").write_text(section.blocks["js"])
    section.run(__file__=str(tmp_path / "audio.py"))
    paths = [tmp_path / f"{i}.wav" for i in range(6)]
    for path in paths:
        with wave.open(str(path), "wb") as file:
            file.setparams((1, 2, 8000, 0, "NONE", ""))
            file.writeframes((9000 * np.sin(np.arange(4000) * 0.2)).astype("<i2").tobytes())
    model = ClassPredictions(np.random.default_rng(0).dirichlet([1, 1], size=6), classes=["bird", "bat"])
    session = Session(Pool(paths, predictions=model), ErrorRate())
    paths[session.upcoming(2)[1].index].write_text("export default window.ran = 1")
    show_app(page, LabelingApp(session, sessions=[]))
    shown = page.locator("[data-aew=instance]")
    expect(shown.locator("audio")).to_have_attribute("src", re.compile("^blob:"))
    page.wait_for_function("() => document.querySelector('audio').duration === 0.5")
    label(page, 1)
    # What can't be played is told of; it is data, whatever it says.
    expect(shown).to_contain_text("This sound can't be played.")
    assert page.evaluate("() => window.ran") is None
    page.keyboard.press("Shift+X")
    expect(page.locator("dialog[open]")).to_contain_text("noise alone")
    page.keyboard.press("2")
    expect(shown.locator("audio")).to_be_visible()
    label(page, 1)
