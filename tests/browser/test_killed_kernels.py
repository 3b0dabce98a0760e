"""Ten labels, a kernel that is killed, and on, in Voilà. (JupyterLab and Notebook: see test_notebook.)"""

import json
import os
import signal
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from playwright.sync_api import Page, expect

from .conftest import kernel_process

APP = "[data-aew=app]"
SHOWN = f"{APP}[data-state=ready] [data-aew=instance][data-instance-id]"

SOURCE = """\
import numpy as np
from activeeval_widgets import evaluate
from activeeval_widgets.stats import ClassPredictions, ErrorRate

rng = np.random.default_rng(0)
texts = [f"text {{n}}" for n in range(50)]
predictions = ClassPredictions(rng.dirichlet(np.ones(3), 50), classes=["one", "two", "three"])
evaluate(texts, predictions, ErrorRate(), store={path!r})
"""


def label(page: Page, keys: str, n_before: int) -> None:
    """Label by keyboard, one by one."""
    app = page.locator(APP)
    page.locator("[data-aew=instance]").click()
    for n, key in enumerate(keys, start=n_before + 1):
        page.keyboard.press(key)
        expect(app).to_have_attribute("data-n-labels", str(n))
        expect(app).to_have_attribute("data-state", "ready")


def labels(path: Path) -> list[tuple[str, str]]:
    """The labels that are on disk, and what they are of."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        records = [json.loads(r) for (r,) in connection.execute("SELECT record FROM events ORDER BY seq")]
    return [(r["instance_id"], r["value"]) for r in records if r["kind"] == "label"]


def goes_on_with_what_was_unsaved(page: Page, path: Path, expected: list[tuple[str, str]]) -> None:
    """The page has sent the eleventh answer again; two more can be given."""
    page.wait_for_selector(f"{APP}[data-state=ready][data-n-labels='11'] [data-instance-id]")
    label(page, "31", 11)
    assert labels(path)[:11] == expected
    assert [value for _, value in labels(path)] == [*["one", "two", "three"] * 4, "one"]


def test_in_voila(open_app: Callable[..., Page], tmp_path: Path) -> None:
    path = tmp_path / "labels.sqlite"
    page = open_app(SOURCE.format(path=str(path)))
    label(page, "1231231231", 0)
    given = labels(path)
    assert len(given) == 10
    asked = page.get_attribute("[data-aew=instance]", "data-instance-id")
    kernel = json.loads(page.locator("#jupyter-config-data").inner_text())["kernelId"]
    os.kill(kernel_process(kernel), signal.SIGKILL)
    page.keyboard.press("2")
    page.wait_for_timeout(1000)
    expect(page.locator(APP)).to_have_attribute("data-n-labels", "10")
    page.reload()
    goes_on_with_what_was_unsaved(page, path, [*given, (asked, "two")])
