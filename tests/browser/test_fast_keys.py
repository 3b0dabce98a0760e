"""Fingers faster than Python: each key labels exactly one instance, the one on screen when it was pressed."""

import json
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

APP = "[data-aew=app]"
PER_SECOND = 25
WARM_UP = 16
"""The first keys come at 8 a second: what a session begins with is known, what follows is drawn meanwhile."""

SOURCE = """\
import time
import numpy as np
from activeeval_widgets import LabelingApp, Pool, Session
from activeeval_widgets.session import SQLiteStore
from activeeval_widgets.stats import ClassPredictions, ErrorRate

rng = np.random.default_rng(0)
predictions = ClassPredictions(rng.dirichlet(np.ones(10), 1200))
pool = Pool(rng.integers(0, 256, (1200, 8, 8), dtype=np.uint8), predictions=predictions)
store = SQLiteStore({path!r})
app = LabelingApp(Session(pool, ErrorRate(), store=store, protocol={protocol!r}), sessions=[])


def slowed(function):
    def slow(*args, **keys):
        time.sleep(0.1)
        return function(*args, **keys)
    return slow


{slow}
app
"""

SLOW_HANDLERS = """\
handlers = app._front_end._handlers
for name in handlers:
    handlers[name] = slowed(handlers[name])
"""
SLOW_DISK = "store.append = slowed(store.append)"

# Before the page's own listeners: what is on screen when a key is pressed.
RECORD = """() => {
    window.pressed = [];
    window.addEventListener("keydown", ({key}) => {
        const isLost = document.querySelector("[data-aew=app][data-state=disconnected]") !== null;
        const { instanceId } = document.querySelector("[data-aew=instance]").dataset;
        window.pressed.push([isLost ? null : instanceId ?? null, key]);
    }, { capture: true });
}"""


# A disk that takes 100 ms for each label stores 10 a second of 25: what comes then must be known far ahead,
# as only draws from a fixed q are.
@pytest.mark.parametrize(
    ("slow", "n_keys", "protocol"),
    [(SLOW_HANDLERS, 240, "adaptive"), (SLOW_DISK, 120, "papers")],
    ids=["handlers", "disk"],
)
def test_every_key_labels_what_was_shown(
    open_app: Callable[..., Page], tmp_path: Path, slow: str, n_keys: int, protocol: str
) -> None:
    path = tmp_path / "labels.sqlite"
    page = open_app(SOURCE.format(path=str(path), slow=slow, protocol=protocol))
    page.wait_for_timeout(1000)  # a person looks at the first one for longer than that
    page.evaluate(RECORD)
    begin = time.monotonic()
    for i in range(n_keys):
        due = i / 8 if i < WARM_UP else WARM_UP / 8 + (i - WARM_UP) / PER_SECOND
        time.sleep(max(0.0, begin + due - time.monotonic()))
        page.keyboard.press(str(i * 7 % 10))
    expect(page.locator(APP)).to_have_attribute("data-state", "ready")
    pressed = page.evaluate("window.pressed")
    assert [key for _, key in pressed] == [str(i * 7 % 10) for i in range(n_keys)]
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        rows = connection.execute("SELECT record FROM events ORDER BY seq").fetchall()
    records = [json.loads(record) for (record,) in rows]
    records = [record for record in records if record["kind"] != "draw"]
    # On a machine that is slower than the fingers a key may come while nothing is shown: it labels nothing.
    taken = [pair for pair in pressed if pair[0] is not None]
    assert len(taken) > WARM_UP
    assert [[record["instance_id"], str(record["value"])] for record in records] == taken
    assert {record["kind"] for record in records} == {"label"}
    expect(page.locator(APP)).to_have_attribute("data-n-labels", str(len(taken)))
