"""The evidence that two models differ, and each of them by itself."""

from dataclasses import replace
from math import nan

import numpy as np
import pytest

from activeeval_widgets import Pool, Session
from activeeval_widgets.session.findings.each_model import content_of_each
from activeeval_widgets.stats import ClassPredictions, ErrorRate, FMeasure, Measure
from activeeval_widgets.widgets.evaluation.panels import Panels
from activeeval_widgets.widgets.evaluation.wealth_plot import wealth_content

from ..labeling import give_labels


def compared(measure: Measure, n_labels: int, seed: int = 0, n_instances: int = 150) -> Session:
    """Two models, of which the second one is better, with some labels."""
    rng = np.random.default_rng(seed)
    y_true = rng.integers(2, size=n_instances)
    models = {}
    for name, rate in (("old", 0.3), ("new", 0.1)):
        says_one = np.where(rng.random(n_instances) < rate, 1 - y_true, y_true)
        p = np.where(says_one == 1, 0.8, 0.2)
        models[name] = ClassPredictions(np.column_stack([1 - p, p]))
    session = Session(Pool([str(i) for i in range(n_instances)], predictions=models), measure)
    give_labels(session, y_true, n_labels)
    return session


@pytest.mark.parametrize(("measure", "n_labels"), [(ErrorRate(), 100), (FMeasure(), 100)], ids=repr)
def test_the_evidence_is_enough_exactly_where_the_interval_excludes_zero(
    measure: Measure, n_labels: int
) -> None:
    session = compared(measure, n_labels)
    plots = Panels(session).redraw()["plots"]
    evidence = dict(zip(*(plots["wealth"]["curves"][0][axis] for axis in "xy"), strict=True))
    at = [int(n) for n in evidence]
    assert at == list(range(n_labels + 1))
    low, high = session.watched().at(at)
    excludes = (low > 0) | (high < 0)
    assert 0 < excludes.sum() < n_labels
    assert [each >= 20 for each in evidence.values()] == excludes.tolist()
    assert plots["wealth"]["lines"] == [{"kind": "goal", "y": 20.0}]


def test_evidence_is_drawn_and_told() -> None:
    found = compared(ErrorRate(), 1).trajectory(at=[0, 1])
    steps = [replace(found[0], n_draws=n, pvalue=p) for n, p in ((0, nan), (1, 1.0), (2, 0.04), (3, 0.0))]
    content = wealth_content(steps, "label", 0.95, ("old", "new"))
    assert content["curves"][0]["y"] == [1.0, 1.0, 25.0, 1e6]
    assert content["y"]["is_log"]
    assert content["y"]["ticks"][0] == [1.0, "1"]
    assert content["stops"][0]["text"][2] == "2 labels: evidence 25"
    assert " more than 1,000,000. 20 is enough for 95%" in content["summary"]
    assert content["rows"][1:] == [["2", "25", "0.04"], ["3", "more than 1,000,000", "0"]]
    assert wealth_content([], "draw", 0.95, ("a", "b"))["summary"] == "No labels yet."


def test_evidence_is_for_two_models_alone() -> None:
    one = Session(Pool(["a"], predictions=[[0.9, 0.1]]), ErrorRate())
    assert not {"wealth", "each"} & set(Panels(one).names)
    assert "wealth" not in Panels(one).redraw()["plots"]


def test_each_model_has_its_own_estimate() -> None:
    session = compared(ErrorRate(), 100)
    content = Panels(session).redraw(shown=["each"])["panels"]["each"]
    assert content == content_of_each(session.findings)
    old, new = content["rows"]
    assert (old["name"], old["note"], new["name"], new["note"]) == ("old", "", "new", "better")
    assert new["value"] == f"{100 * session.of('new').estimate().value:.1f}%"
    [first, second] = content_of_each(compared(ErrorRate(), 0).findings)["rows"]
    assert (first["interval"], second["has_interval"]) == ("no labels yet", False)
