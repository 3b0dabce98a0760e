"""`docs/how-to/plots.md`: its code runs, and its table lists all figures."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bqplot
import ipywidgets
import pytest

from activeeval_widgets import Session
from activeeval_widgets.widgets.figures.plots import FIGURES

from ..labeling import give_labels

PAGE = (Path(__file__).parents[2] / "docs" / "how-to" / "plots.md").read_text(encoding="utf-8")


def test_the_code_runs(make_session: Callable[..., Session], monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[Any] = []
    monkeypatch.setattr(bqplot.Figure, "send", lambda _figure, content: sent.append(content))
    session = make_session()
    give_labels(session, 0, 5)
    names: dict[str, Any] = {"session": session}
    blocks = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    for block in blocks:
        exec(block, names)
    assert len(blocks) == 4
    figure = names["figure"]
    assert isinstance(figure, bqplot.Figure)
    assert figure.layout.height == "420px"
    assert [(each["type"], each["filename"]) for each in sent] == [
        ("save_png", "estimate.png"),
        ("save_svg", "estimate.svg"),
    ]
    box = ipywidgets.VBox([figure])
    assert box.children == (figure,)


def test_the_table_lists_all_figures() -> None:
    assert set(re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE)) == set(FIGURES)
