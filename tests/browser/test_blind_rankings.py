"""Two rankers compared by their lists: graded by keyboard alone, and nothing tells who found what."""

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, WebSocket, expect

from activeeval_widgets.app.pages.demo import begin
from activeeval_widgets.demos import ranking
from activeeval_widgets.session import MemoryStore, Pool, Session, SQLiteStore

from .accessibility import check_accessibility, in_both_schemes
from .conftest import DemoServer
from .test_demos import check_against_log, open_session, press_label, shown_id, wait_for

APP = "[data-aew=app]"
TELLTALE = re.compile(r"aardvark|zebra|score|expects")
"""The rankers' names, and what would tell of ranks."""

SOURCE = """\
from activeeval_widgets import compare
from activeeval_widgets.stats import NDCG

queries = {f"q{i}": f"query {i}" for i in range(8)}
names = [f"{q}-d{j}" for q in queries for j in range(6)]
documents = {name: {"title": f"Title of {name}", "text": f"Text of {name}"} for name in names}
old = {q: [f"{q}-d{j}" for j in (0, 1, 2, 3)] for q in queries}
new = {q: [f"{q}-d{j}" for j in (4, 0, 5, 1)] for q in queries}
judged = {q: {f"{q}-d0": 1} for q in queries}
options = {"documents": documents, "judged": judged, "grades": range(4), "shows_estimate": False}
compare(queries, {"aardvark": old, "zebra": new}, NDCG(3), **options)
"""


def messages_to(page: Page) -> list[str]:
    """What the page will have been sent."""
    received: list[str] = []

    def listen(socket: WebSocket) -> None:
        def on_frame(data: Any) -> None:
            received.append(data if isinstance(data, str) else data.decode("utf-8", "replace"))

        socket.on("framereceived", on_frame)

    page.on("websocket", listen)
    return received


def test_grading_two_lists_as_one(open_app: Callable[..., Page], page: Page) -> None:
    received = messages_to(page)
    open_app(SOURCE)
    app = page.locator(APP)
    while not app.evaluate("app => app.contains(document.activeElement)"):
        page.keyboard.press("Tab")
    for n in range(2):
        expect(app).to_have_attribute("data-state", "ready")
        query = page.get_attribute("[data-aew=instance]", "data-instance-id")
        items = page.locator("[data-aew=instance] [data-item]")
        shown = items.evaluate_all("items => items.map(item => item.dataset.item)")
        # What counts in either list, without what was judged.
        assert sorted(shown) == [f"{query}-d{j}" for j in (1, 2, 4, 5)]
        assert not TELLTALE.search(page.content())
        if n == 0:
            expect(app).to_contain_text("They are in random order.")
            # Voilà has the whole page in a landmark of its own.
            landmarks = [f"landmark-{place}-is-top-level" for place in ("banner", "complementary", "main")]
            check_accessibility(page, APP, without=landmarks)
        for grade in "3012":
            page.keyboard.press(grade)
        expect(app).to_contain_text("All 4 judged.")
        page.keyboard.press("Enter")
        expect(app).to_have_attribute("data-n-labels", str(n + 1))
        expect(app).to_contain_text("Saved: 3 0 1 2 and 1 more")
    text = " ".join(received)
    assert "Title of" in text
    assert not TELLTALE.findall(text)


def test_the_demo_by_keyboard_alone_up_to_the_verdict(
    shared_demo: Callable[[str], DemoServer], traffic: Any, page: Page
) -> None:
    """The last two queries before the verdict; nothing about a query tells who found a sentence."""
    demo, server = ranking(), shared_demo("ranking")
    by_hand = begin("ranking", MemoryStore(), "blind")
    while not by_hand.verdict().is_decided:
        asked = by_hand.next()
        by_hand.label(demo.y_true[asked.index])
    assert 5 < by_hand.n_labels < 30
    store = SQLiteStore(server.store)
    session = begin("ranking", store, "blind")
    while session.n_labels < by_hand.n_labels - 2:
        asked = session.next()
        session.label(demo.y_true[asked.index])
    store.close()
    swapped = Session(
        Pool(demo.pool.instances, predictions=[*reversed(demo.pool.models)], ids=list(demo.pool.ids)),
        demo.measure,
        seed=session.seed,
    )

    received = messages_to(page)
    open_session(page, server, "blind")
    telltale = re.compile(r"(new|old) search|\brank\b|score|expects", re.IGNORECASE)
    advice = page.locator("[data-aew=advice]")
    for n in range(2):
        wait_for(page, by_hand.n_labels - 2 + n)
        expect(advice).not_to_contain_text("is better by")
        shown = page.locator("[data-aew=instance]")
        items = shown.locator("[data-item]").evaluate_all("all => all.map(one => one.dataset.item)")
        # In the order that they would have, too, if each search had found what the other did.
        assert items == [*swapped.labels.items[demo.pool.ids.index(shown_id(page))]]
        result = [shown.evaluate("one => one.outerHTML"), *(text for text in received if items[0] in text)]
        assert len(result) > 1
        for text in result:
            assert not telltale.search(text), telltale.search(text)
        press_label(page, demo)
    wait_for(page, by_hand.n_labels)
    expect(advice).to_contain_text("new search is better by at least")
    check_against_log(page, server, "blind", demo, by_hand.n_labels)
    page.emulate_media(reduced_motion="reduce")
    for _ in in_both_schemes(page):
        check_accessibility(page)
