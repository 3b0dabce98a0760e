"""Every figure of every demo, made by code: with a title, axes that people can read, and values in words."""

import re
from math import isfinite
from typing import Any

import bqplot
import numpy as np
import pytest
from traitlets import Int

from activeeval_widgets import plots
from activeeval_widgets.app.pages.demo import begin, load
from activeeval_widgets.session import MemoryStore, Session
from activeeval_widgets.widgets.figures.plots import FIGURES

DEMOS = ("digits", "text", "ranking", "images", "regression", "compare", "leaderboard", "judge")
ALWAYS = {"estimate", "interval", "sampling", "evidence"}
OWN = {
    "digits": {"calibration", "confusion"},
    "text": {"calibration", "confusion"},
    "images": {"calibration", "confusion"},
    "compare": {"difference", "differing", "leaderboard"},
    "ranking": {"difference", "differing", "leaderboard"},
    "leaderboard": {"differing", "leaderboard"},
    "judge": {"calibration", "confusion", "judge"},
    "regression": set[str](),
}
MACHINE_NUMBER = re.compile(r"\d[eE][-+]?\d|nan|inf|\d\.\d{6}")


@pytest.fixture(autouse=True)
def strict_integers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Traits that are integers take no other number, as in traitlets 5.14."""
    validate = Int.validate

    def strictly(trait: Any, obj: Any, value: Any) -> Any:
        if not isinstance(value, int):
            trait.error(obj, value)
        return validate(trait, obj, value)

    monkeypatch.setattr(Int, "validate", strictly)


def texts_of(figure: bqplot.Figure) -> list[str]:
    """All that can be read in a figure."""
    found = [figure.title]
    for axis in figure.axes:
        found += [axis.label, *axis.tick_labels.values()]
    for mark in figure.marks:
        names = mark.names if isinstance(mark, bqplot.Scatter) else None
        found += [] if names is None else [str(text) for text in names]
        found += [str(text) for text in (mark.text if isinstance(mark, bqplot.Label) else [])]
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", DEMOS)
def test_figures_can_be_read(name: str) -> None:
    demo = load(name)
    session = begin(name, MemoryStore(), name)
    for n_labels in (0, 1, 12) if name in ("digits", "compare", "regression") else (0, 12):
        while session.n_labels < n_labels:
            asked = session.next()
            session.label(demo.y_true[asked.index])
        check_figures(session, ALWAYS | OWN[name])


def check_figures(session: Session, expected: set[str]) -> None:
    shown = plots(session)
    there = set(dir(shown)) & FIGURES.keys()
    assert there == expected
    for figure_name in sorted(there):
        figure = getattr(shown, figure_name)
        assert figure.title
        texts = texts_of(figure)
        assert not [text for text in texts if MACHINE_NUMBER.search(text)], figure_name
        for axis in figure.axes:
            low, high = axis.scale.min, axis.scale.max
            assert isfinite(low)
            assert low < high
            at = np.asarray(axis.tick_values, float)
            assert at.size >= 1, (figure_name, axis.side)
            assert ((at >= low - 1e-9 * (high - low)) & (at <= high + 1e-9 * (high - low))).all()
            assert len(set(axis.tick_labels.values())) == at.size  # no two places are called the same
        if figure_name != "confusion":
            # Ticks of the vertical axis have room beside it.
            longest = max(map(len, figure.axes[1].tick_labels.values()))
            assert figure.fig_margin["left"] >= 7 * longest
        if session.n_labels:
            assert sum(len(np.ravel(mark.x)) for mark in figure.marks) > 0, figure_name
    shown.close()
