"""A person's session with the digits demo, in a real browser, against the log on disk."""

import json
import os
import re
import signal
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from activeeval_widgets.demos import Demo, digits
from activeeval_widgets.stats import Estimate

from .conftest import DemoServer, estimate_from_log, interval_from_log

APP = "[data-aew=app]"
READY = f"{APP}[data-state=ready]"


@pytest.fixture(scope="module")
def demo() -> Demo:
    return digits()


class Labeler:
    """Labels what the page shows with its true label, and holds the page against the log."""

    def __init__(self, page: Page, demo: Demo, server: DemoServer, name: str | None = None) -> None:
        self.page = page
        self.demo = demo
        self.store = server.store
        self.name = name or "digits"
        self.url = server.url if name is None else server.session(name)
        self.app = page.locator(APP)
        self.true_label = dict(zip(demo.pool.ids, demo.y_true.tolist(), strict=True))

    def open(self, url: str | None = None) -> None:
        self.page.goto(url or self.url)
        self.wait_until_shown()

    def wait_until_shown(self) -> None:
        self.page.wait_for_selector(f"{READY} [data-aew=instance][data-instance-id] img")

    @property
    def n_labels(self) -> int:
        return int(self.app.get_attribute("data-n-labels") or 0)

    def shown_id(self) -> str:
        shown = self.page.get_attribute("[data-aew=instance]", "data-instance-id")
        assert shown is not None
        return shown

    def label_by_key(self) -> None:
        before = self.n_labels
        self.page.keyboard.press(str(self.true_label[self.shown_id()]))
        self.check(before + 1)

    def label_by_mouse(self) -> None:
        before = self.n_labels
        self.page.click(f'[data-aew=label][data-value="{self.true_label[self.shown_id()]}"]')
        self.check(before + 1)

    def press(self, key: str, n_labels: int) -> None:
        self.page.keyboard.press(key)
        self.check(n_labels)

    def check(self, n_labels: int) -> None:
        """Once the page says that it is saved, page and log agree."""
        expect(self.app).to_have_attribute("data-n-labels", str(n_labels))
        expect(self.app).to_have_attribute("data-state", "ready")
        expected = self.from_log()
        shown = self.page.locator("[data-aew=estimate]")
        expect(self.app).to_have_attribute("data-n-draws", str(expected.n_draws))
        assert expected.n_labels == n_labels
        for name in ("value", "low", "high"):
            text = shown.get_attribute(f"data-{name}")
            if n_labels == 0:
                assert text == ""
            else:
                assert text is not None
                assert float(text) == pytest.approx(getattr(expected, name), rel=1e-12)

    def records(self) -> list[dict[str, Any]]:
        with closing(sqlite3.connect(f"file:{self.store}?mode=ro", uri=True)) as connection:
            query = "SELECT record FROM events WHERE session = ? ORDER BY seq"
            return [json.loads(record) for (record,) in connection.execute(query, (self.name,))]

    def acts(self) -> list[dict[str, Any]]:
        """What the person did: the log without the draws and the page's guidelines."""
        return [record for record in self.records() if record["kind"] not in ("draw", "guidelines")]

    def from_log(self) -> Estimate:
        """The estimate by `stats` alone."""
        records = self.records()
        low, high = interval_from_log(records, self.demo)
        return replace(estimate_from_log(records, self.demo, self.name), low=low, high=high)


@pytest.fixture
def labeler(
    page: Page, traffic: Any, shared_demo: Callable[[str], DemoServer], session_name: str, demo: Demo
) -> Labeler:
    """A person with a session of his own, on a server that tests share."""
    return Labeler(page, demo, shared_demo("digits"), session_name)


@pytest.fixture
def own_labeler(page: Page, traffic: Any, demo_server: DemoServer, demo: Demo) -> Labeler:
    """A person with a server of his own, for tests that harm it or look at all its sessions."""
    return Labeler(page, demo, demo_server)


def test_a_whole_session(
    own_labeler: Labeler, start_demo: Callable[..., DemoServer], demo_server: DemoServer, traffic: Any
) -> None:
    labeler = own_labeler
    page = labeler.page
    labeler.open()
    labeler.check(0)
    expect(page.locator("[data-aew=estimate]")).to_contain_text("Your labels tell how often it is wrong")

    for _ in range(8):
        labeler.label_by_key()
    for _ in range(3):
        labeler.label_by_mouse()
    asked = labeler.shown_id()

    page.reload()
    labeler.wait_until_shown()
    labeler.check(11)
    assert labeler.shown_id() == asked

    for _ in range(3):
        labeler.label_by_key()
    labeler.press("u", 13)
    labeler.press("Backspace", 12)
    labeler.press("U", 11)
    assert labeler.shown_id() == asked
    for _ in range(5):
        labeler.label_by_key()

    # The kernel dies. The page can't know until it asks; what it then shows as unsaved is not in the log.
    asked, log = labeler.shown_id(), labeler.records()
    for pid in demo_server.kernels():
        os.kill(pid, signal.SIGKILL)
    traffic.expect("WebSocket")
    traffic.expect("Kernel connection disconnected")  # Jupyter's own, where it was about to ask the kernel
    page.keyboard.press("3")
    expect(labeler.app).to_have_attribute("data-state", "disconnected")
    expect(page.get_by_role("alert")).to_contain_text("Not saved: 3")
    kept = "reload the page: this tab keeps these answers, and sends them again."
    expect(page.get_by_role("alert")).to_contain_text(kept)
    page.keyboard.press("4")  # is not taken while nothing can be saved, and the page says so
    expect(page.locator("[data-aew=status]")).to_contain_text("4 was not taken")
    expect(labeler.app).to_have_attribute("data-n-labels", "16")
    page.get_by_role("alert").get_by_role("button", name="Reload").click()
    expect(labeler.app).to_have_attribute("data-n-labels", "17")  # the page sends the 3 again
    labeler.wait_until_shown()
    records = labeler.records()
    assert records[: len(log)] == log
    assert (records[len(log)]["instance_id"], records[len(log)]["value"]) == (asked, 3)
    labeler.check(17)

    for _ in range(5):
        labeler.label_by_key()
    for _ in range(3):
        labeler.label_by_mouse()
    labeler.check(25)
    expect(page.locator("[data-aew=progress]")).to_contain_text("25 of 200")
    expect(page.locator("[data-aew=estimate]")).to_contain_text("95% interval: ")

    # The server is stopped. Without any key: the page asks by itself. A restarted one goes on.
    asked = labeler.shown_id()
    # The new server may have the same port: the page that is left asks it for a kernel that it never had.
    traffic.expect("ERR_CONNECTION_REFUSED|/voila/api/shutdown/|/api/kernels/")
    demo_server.stop()
    expect(labeler.app).to_have_attribute("data-state", "disconnected")
    expect(page.get_by_role("alert")).to_contain_text("Python is not responding")
    labeler.open(start_demo(store=demo_server.store).url)
    labeler.check(25)
    assert labeler.shown_id() == asked


def test_the_next_image_is_painted_before_python_answers_and_keys_that_must_not_label(
    labeler: Labeler,
) -> None:
    page = labeler.page
    labeler.open()
    pages_own_clock = page.evaluate(
        """(key) => new Promise((resolve) => {
            const app = document.querySelector("[data-aew=app]");
            const shown = document.querySelector("[data-aew=instance]");
            const before = shown.dataset.instanceId;
            app.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
            resolve([before !== shown.dataset.instanceId, shown.querySelector("img").complete,
                     app.dataset.state, app.dataset.nLabels]);
        })""",
        str(labeler.true_label[labeler.shown_id()]),
    )
    assert pages_own_clock == [True, True, "saving", "0"]
    labeler.check(1)
    page.keyboard.press("u")
    labeler.check(0)

    page.evaluate(
        """() => {
            const field = document.createElement("input");
            field.id = "field";
            document.querySelector("[data-aew=app]").append(field);
        }"""
    )
    page.locator("#field").press_sequentially("123ux?")
    assert page.input_value("#field") == "123ux?"
    page.keyboard.press("Control+1")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Alt+2")
    page.keyboard.down("5")
    for _ in range(5):  # the keyboard repeats a key that is held down
        page.keyboard.down("5")
    page.keyboard.up("5")
    labeler.check(1)
    page.keyboard.press("u")
    labeler.check(0)
    page.dblclick("[data-aew=label][data-value='7']")
    labeler.check(1)
    assert [record["kind"] for record in labeler.acts()] == ["label", "undo"] * 2 + ["label"]


def test_put_aside_exclude_help_and_prediction(labeler: Labeler) -> None:
    page = labeler.page
    labeler.open()
    first = labeler.shown_id()
    labeler.press("l", 0)
    expect(page.get_by_role("status")).to_contain_text("1 put aside")
    second = labeler.shown_id()
    assert second != first
    labeler.press("x", 0)
    expect(page.get_by_role("status")).to_contain_text("1 excluded")

    prediction = page.locator("[data-aew=prediction]")
    expect(prediction).to_be_hidden()
    page.keyboard.press("p")
    expect(prediction).to_contain_text("logistic regression says")
    labeler.label_by_key()
    expect(prediction).to_be_hidden()

    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()

    for _ in range(8):  # with the exclusion and the label above, ten answers: then it is asked again
        assert labeler.shown_id() not in (first, second)
        labeler.label_by_key()
    assert labeler.shown_id() == first
    labeler.label_by_key()


def test_a_new_session_keeps_the_old_one(
    page: Page, traffic: Any, shared_demo: Callable[[str], DemoServer], demo: Demo
) -> None:
    labeler = Labeler(page, demo, shared_demo("digits"))  # where no other test goes without a session's name
    labeler.open()
    for _ in range(2):
        labeler.label_by_key()
    asked = labeler.shown_id()
    page.get_by_role("button", name="New session").click()
    expect(page.get_by_role("dialog")).to_contain_text("This one keeps its 2 labels")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    labeler.check(2)
    page.get_by_role("button", name="New session").click()
    with page.expect_navigation():
        page.keyboard.press("Enter")
    labeler.wait_until_shown()
    assert page.url.endswith("?session=digits-2")
    assert labeler.n_labels == 0
    assert labeler.shown_id() != asked

    labeler.open()
    assert labeler.n_labels == 0  # the plain address is that of the session begun last
    with page.expect_navigation():
        page.get_by_label("Session", exact=True).select_option("digits")
    labeler.wait_until_shown()
    labeler.check(2)
    assert labeler.shown_id() == asked


class SlowLine:
    """Between a page and its kernel: what the kernel says can be held back."""

    def __init__(self, page: Page) -> None:
        self.holds = False
        self._held: list[tuple[WebSocketRoute, str | bytes]] = []
        page.route_web_socket(re.compile("."), self._connect)

    def _connect(self, to_page: WebSocketRoute) -> None:
        to_kernel = to_page.connect_to_server()
        to_page.on_message(to_kernel.send)
        to_kernel.on_message(lambda message: self._hear(to_page, message))

    def _hear(self, to_page: WebSocketRoute, message: str | bytes) -> None:
        if self.holds:
            self._held.append((to_page, message))
        else:
            to_page.send(message)

    def let_go(self) -> None:
        """Tell the page what was held back, in its order."""
        self.holds = False
        for to_page, message in self._held:
            to_page.send(message)


def test_two_tabs_on_one_session_do_not_overwrite_each_other(
    labeler: Labeler, shared_demo: Callable[[str], DemoServer], session_name: str, demo: Demo
) -> None:
    labeler.open()
    other = Labeler(labeler.page.context.new_page(), demo, shared_demo("digits"), session_name)
    line = SlowLine(other.page)
    other.open()
    assert other.shown_id() == labeler.shown_id()
    line.holds = True  # its kernel looks into the store twice a second, and would tell of the label
    labeler.label_by_key()
    other.page.keyboard.press("0")
    line.let_go()
    expect(other.page.get_by_role("alert")).to_contain_text("in another tab")
    expect(other.page.get_by_role("alert")).to_contain_text("Here is the next one.")
    other.check(1)  # what was done elsewhere is taken in
    other.page.reload()
    other.wait_until_shown()
    other.check(1)
    other.label_by_key()
