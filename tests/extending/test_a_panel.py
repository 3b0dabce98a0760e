"""A panel from outside the package, as the page on extending has it; tests/browser shows it on a page."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from activeeval_widgets import LabelingApp
from activeeval_widgets.widgets.evaluation.panel import PANELS

from ..extending_page import Section
from .conftest import ask, session


@pytest.fixture(autouse=True)
def _registered(tmp_path: Path) -> Iterator[None]:
    section = Section("A panel")
    (tmp_path / "label_times.js").write_text(section.blocks["js"])
    section.run(__file__=str(tmp_path / "label_times.py"))
    yield
    del PANELS["label-times"]


def test_the_page_gets_its_content_and_its_twin() -> None:
    labeled = session()
    app = LabelingApp(labeled)
    module = ask(app, "hello")["config"]["panels"][-1]
    assert (module["name"], module["title"], module["kind"]) == (
        "label-times",
        "Time for each label",
        "module",
    )
    assert module["source"] == Section("A panel").blocks["js"]
    assert ask(app, "plots")["panels"] == {"label-times": {"seconds": [], "median": None}}
    for step in range(40):
        labeled.label(step % 2, seconds=step)
    labeled.exclude(seconds=500)
    reply = ask(app, "plots")["panels"]["label-times"]
    assert reply == {"seconds": [float(step) for step in range(10, 40)], "median": 19.5}


def test_the_labelers_view_has_none() -> None:
    app = LabelingApp(session(), shows_estimate=False)
    assert ask(app, "hello")["config"]["panels"] == []
    assert ask(app, "plots") == {}
