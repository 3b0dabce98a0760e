"""Two rankers compared by their lists: graded by keyboard alone, and nothing tells who found what."""

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, WebSocket, expect

from .test_demos import violations

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


def test_grading_two_lists_as_one(open_app: Callable[..., Page], page: Page) -> None:
    received: list[str] = []

    def listen(socket: WebSocket) -> None:
        def on_frame(data: Any) -> None:
            received.append(data if isinstance(data, str) else data.decode("utf-8", "replace"))

        socket.on("framereceived", on_frame)

    page.on("websocket", listen)
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
            assert [each for each in violations(page, APP) if "landmark" not in each] == []
        for grade in "3012":
            page.keyboard.press(grade)
        expect(app).to_contain_text("All 4 judged.")
        page.keyboard.press("Enter")
        expect(app).to_have_attribute("data-n-labels", str(n + 1))
        expect(app).to_contain_text("Saved: 3 0 1 2 and 1 more")
    told = " ".join(received)
    assert "Title of" in told
    assert not TELLTALE.findall(told)
