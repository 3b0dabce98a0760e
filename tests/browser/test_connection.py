"""A connection that breaks off: what was on its way arrives once, and the page goes on by itself."""

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from cut_line import Line
from playwright.sync_api import Locator, Page, expect

from .conftest import DemoServer, start_server, stop_servers

APP = "[data-aew=app]"
READY = f"{APP}[data-state=ready] [data-aew=instance][data-instance-id]"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DemoServer]:
    """A server whose store is deleted now and then."""
    started = start_server(tmp_path_factory.mktemp("connection"))
    yield started
    stop_servers([started])


@pytest.fixture
def line(server: DemoServer) -> Iterator[Line]:
    made = Line(urlsplit(server.url).port or 0)
    yield made
    made.close()


PLOTTED = "[data-aew=trajectory-plot] .bqplot .axis"
"""The plots' scripts are there, which come after the page is ready."""


CUT = (
    "WebSocket|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE|ERR_CONNECTION_CLOSED|ERR_SOCKET_NOT_CONNECTED|ERR_FAILED"
    # Of a figure with a mark that was on its way; new figures follow.
    "|Could not process update msg for model id"
)
"""What the browser reports of a line that was cut."""


def open_by(line: Line, page: Page, url: str) -> Locator:
    """Open a session by a line, wait until it is shown with its plots, and return the app."""
    page.goto(url.replace(f":{urlsplit(url).port}/", f":{line.port}/"))
    page.wait_for_selector(READY)
    page.wait_for_selector(PLOTTED)
    return page.locator(APP)


def labels(store: Path, session: str = "digits") -> list[str]:
    with closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True)) as connection:
        rows = connection.execute("SELECT record FROM events WHERE session = ? ORDER BY seq", (session,))
        rows = rows.fetchall()
    return [str(record["value"]) for (text,) in rows if (record := json.loads(text))["kind"] == "label"]


def test_what_was_on_its_way_when_the_line_was_cut_arrives_once(
    page: Page, traffic: Any, server: DemoServer, session_name: str, line: Line
) -> None:
    traffic.expect(CUT)
    app = open_by(line, page, server.session(session_name))
    given: list[str] = []

    def press(key: str) -> None:
        page.wait_for_selector("[data-aew=label]:enabled")
        page.keyboard.press(key)
        given.append(key)

    for _ in range(5):
        press("1")
        press("2")  # on their way, or in the page
        line.cut(0.5)
        press("3")
        expect(app).to_have_attribute("data-n-labels", str(len(given)))
        expect(app).to_have_attribute("data-state", "ready")
        expect(page.locator("[data-aew=disconnected]")).to_be_hidden()
    assert labels(server.store, session_name) == given


def test_figures_are_made_anew_once_the_line_is_back(
    page: Page, traffic: Any, server: DemoServer, session_name: str, line: Line
) -> None:
    # One of their widgets may have been on its way.
    traffic.expect(CUT)
    app = open_by(line, page, server.session(session_name))
    app.locator(".bqplot").evaluate_all("figures => figures.forEach(each => each.classList.add('before'))")
    line.cut(0.5)
    expect(app.locator(".bqplot.before")).to_have_count(0)
    page.wait_for_selector(PLOTTED)
    page.keyboard.press("1")
    expect(app).to_have_attribute("data-n-labels", "1")
    expect(app.locator("[data-aew=trajectory-plot] .bqplot path.dot").first).to_be_attached()


def delete(store: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        store.with_name(store.name + suffix).unlink(missing_ok=True)


def test_a_file_that_is_gone_is_reported_and_saved_anew(
    page: Page, traffic: Any, server: DemoServer, session_name: str
) -> None:
    page.goto(server.session(session_name))
    page.wait_for_selector(READY)
    app = page.locator(APP)
    for n, key in enumerate("123", start=1):
        page.keyboard.press(key)
        expect(app).to_have_attribute("data-n-labels", str(n))
    delete(server.store)
    page.keyboard.press("4")
    unsaved = page.locator("[data-aew=unsaved]")
    expect(unsaved).to_contain_text("kept in this page: 4")
    expect(unsaved).to_contain_text("was deleted or moved")
    expect(app).to_have_attribute("data-n-labels", "3")
    page.get_by_role("button", name="Try again").click()
    expect(unsaved).to_contain_text("kept in this page: 4")
    page.get_by_role("button", name="Save to a new file").click()
    expect(app).to_have_attribute("data-n-labels", "4")
    expect(unsaved).to_be_hidden()
    expect(page.locator("[data-aew=notice]")).to_contain_text("Everything is saved in")
    assert labels(server.store, session_name) == ["1", "2", "3", "4"]
    page.reload()
    page.wait_for_selector(READY)
    expect(app).to_have_attribute("data-n-labels", "4")


def test_a_browser_remembers_what_it_was_told(
    page: Page, traffic: Any, server: DemoServer, session_name: str
) -> None:
    page.goto(server.session(session_name))
    page.wait_for_selector(READY)
    for n, key in enumerate("12", start=1):
        page.keyboard.press(key)
        expect(page.locator(APP)).to_have_attribute("data-n-labels", str(n))
    delete(server.store)
    page.reload()  # another kernel, which finds no file, and begins anew
    page.wait_for_selector(READY)
    expect(page.locator(APP)).to_have_attribute("data-n-labels", "0")
    expect(page.locator("[data-aew=notice]")).to_contain_text(
        "This session had 2 labels when this browser last showed it, and has 0 now."
    )


def test_what_was_not_confirmed_is_sent_again_after_a_reload(
    page: Page, traffic: Any, demo_server: Any, start_demo: Callable[..., Any]
) -> None:
    # The page that was left asks the second server for the first one's kernel.
    traffic.expect("WebSocket|ERR_|Failed to load|net::|api/shutdown|api/kernels")
    page.goto(demo_server.url)
    page.wait_for_selector(READY)
    app = page.locator(APP)
    page.keyboard.press("1")
    expect(app).to_have_attribute("data-n-labels", "1")
    page.wait_for_selector(PLOTTED)
    demo_server.kill()
    page.keyboard.press("2")
    page.keyboard.press("3")
    assert labels(demo_server.store) == ["1"]
    port = urlsplit(demo_server.url).port
    again = start_demo(port=port)
    assert urlsplit(again.url).port == port
    page.goto(again.url)
    page.wait_for_selector(READY)
    expect(app).to_have_attribute("data-n-labels", "3")
    page.reload()
    page.wait_for_selector(READY)
    page.keyboard.press("4")
    expect(app).to_have_attribute("data-n-labels", "4")
    assert labels(demo_server.store) == ["1", "2", "3", "4"]
