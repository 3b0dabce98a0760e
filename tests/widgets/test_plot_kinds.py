"""Every kind that a plot's content names has a meaning and a color."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from activeeval_widgets import Pool, Session
from activeeval_widgets.session import Goal
from activeeval_widgets.stats import ErrorRate, FMeasure, Measure, SquaredError, ValuePredictions
from activeeval_widgets.widgets.evaluation.panels import Panels
from activeeval_widgets.widgets.evaluation.plot_kinds import PLOT_KINDS

from ..labeling import give_labels

SOURCES = Path(__file__).parents[2] / "frontend" / "src"
N = 80


def labeled(n_models: int, n_labels: int, measure: Measure, goal: Goal | None = None) -> Session:
    """A session of some models, of which later ones are worse."""
    rng = np.random.default_rng(0)
    y_true = rng.integers(0, 2, N)
    models = {}
    for i in range(n_models):
        right = np.where(rng.random(N) < 0.1 + 0.08 * i, 1 - y_true, y_true)
        models[f"m{i}"] = np.where(right[:, None] == [0, 1], 0.8, 0.2)
    pool = Pool([f"t{i}" for i in range(N)], predictions=models if n_models > 1 else models["m0"])
    session = Session(pool, measure, goal=goal)
    give_labels(session, y_true, n_labels)
    return session


def plots_in(content: Any) -> Iterator[dict[str, Any]]:
    """All plots in what panels tell, wherever they are."""
    if isinstance(content, dict):
        if {"bands", "curves", "points", "legend"} <= content.keys():
            yield content
        for part in content.values():
            yield from plots_in(part)
    elif isinstance(content, list):
        for part in content:
            yield from plots_in(part)


def kinds_of(plot: dict[str, Any]) -> set[str]:
    drawn = {each["kind"] for part in ("bands", "curves", "lines", "points") for each in plot[part]}
    return drawn | {kind for kind, _ in plot["legend"]}


def values_session() -> Session:
    rng = np.random.default_rng(1)
    mean = rng.normal(size=N)
    pool = Pool([f"t{i}" for i in range(N)], predictions=ValuePredictions(mean, np.ones(N)))
    session = Session(pool, SquaredError())
    for _ in range(30):
        asked = session.next()
        session.label(float(mean[asked.index] + rng.normal()))
    return session


@pytest.mark.parametrize("n_labels", [0, 8])
@pytest.mark.parametrize(
    ("n_models", "measure"),
    [(1, ErrorRate()), (1, FMeasure()), (2, ErrorRate()), (3, ErrorRate()), (9, ErrorRate())],
    ids=lambda value: repr(value),
)
def test_every_kind_is_in_the_table(n_models: int, measure: Measure, n_labels: int) -> None:
    session = labeled(n_models, n_labels, measure, Goal(half_width=0.05))
    panels = Panels(session)
    plots = list(plots_in(panels.redraw(shows_wald=True, shown=panels.names)))
    assert len(plots) >= 2
    for plot in plots:
        assert kinds_of(plot) <= PLOT_KINDS.keys(), plot["heading"]


def test_kinds_of_values_are_in_the_table() -> None:
    panels = Panels(values_session())
    for plot in plots_in(panels.redraw(shows_wald=True, shown=panels.names)):
        assert kinds_of(plot) <= PLOT_KINDS.keys(), plot["heading"]


def test_the_page_has_a_rule_for_every_kind() -> None:
    # That they are the table's, test_messages.py checks.
    styles = (SOURCES / "from_python" / "plot_colors.css").read_text()
    assert re.findall(r"\.aew-draw-([a-z0-9-]+)", styles) == list(PLOT_KINDS)
    others = "".join(path.read_text() for path in (SOURCES / "styles").glob("*.css"))
    assert not set(re.findall(r"\.aew-draw-([a-z0-9-]+)", others)) & PLOT_KINDS.keys()
