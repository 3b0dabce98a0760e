"""The evidence against each value: it is enough exactly outside of the interval that is shown."""

import json
from math import inf
from typing import Any

import numpy as np
import pytest

from activeeval_widgets import Pool, Session
from activeeval_widgets.stats import (
    BalancedAccuracy,
    ClassPredictions,
    ErrorRate,
    FMeasure,
    Measure,
    RootMeanSquaredError,
    SquaredError,
    ValuePredictions,
)
from activeeval_widgets.widgets.evaluation.panels import Panels

N = 150


def classes_session(
    measure: Measure,
    protocol: str,
    n_labels: int,
    *,
    n_models: int = 1,
    excludes: bool = False,
    seed: int = 0,
) -> Session:
    rng = np.random.default_rng(seed)
    y_true = rng.integers(2, size=N)
    models = []
    for rate in (0.25, 0.1)[:n_models]:
        says_one = np.where(rng.random(N) < rate, 1 - y_true, y_true)
        p = np.where(says_one == 1, 0.8, 0.2)
        models.append(ClassPredictions(np.column_stack([1 - p, p])))
    pool = Pool([str(i) for i in range(N)], predictions=models if n_models > 1 else models[0])
    session = Session(pool, measure, protocol=protocol)
    while session.n_labels < n_labels and (asked := session.next()) is not None:
        if excludes and asked.index % 7 == 0:
            session.exclude()
        else:
            session.label(int(y_true[asked.index]))
    return session


def values_session(measure: Measure, n_labels: int) -> Session:
    rng = np.random.default_rng(3)
    mean = rng.uniform(2, 8, N)
    pool = Pool([{"x": i} for i in range(N)], predictions=ValuePredictions(mean, np.ones(N)))
    session = Session(pool, measure, y_range=(0, 10))
    for _ in range(n_labels):
        asked = session.next()
        assert asked is not None
        session.label(float(np.clip(mean[asked.index] + rng.normal(), 0, 10)))
    return session


def check_agrees(session: Session) -> dict[str, Any]:
    """The values against which bets have won too little reach from end to end of the interval."""
    watched = session.watched()
    found = watched.wealth()
    assert found is not None
    kept = np.flatnonzero(found.won < 1 / (1 - watched.confidence_level))
    assert kept.size
    first, last = kept[0], kept[-1]
    # Ends are those of cells, or within one where the labels that are left can give no more.
    assert found.edges[first] - 1e-12 <= watched.low <= found.edges[first + 1] + 1e-12
    assert found.edges[last] - 1e-12 <= watched.high <= found.edges[last + 1] + 1e-12
    panels = Panels(session)
    content: dict[str, Any] = panels.redraw(shown=["evidence"])["panels"]["evidence"]
    json.dumps(content, allow_nan=False)
    [curve] = content["curves"]
    x, y = np.array(curve["x"]), np.array(curve["y"])
    assert len(x) <= 200
    assert (np.diff(x) >= 0).all()
    assert ((y >= 1) & (y <= content["y"]["high"])).all()
    [line] = content["lines"]
    assert line["y"] == 20
    # What is drawn crosses the line within a cell of the interval's ends.
    drawn = x[y < 20]
    reach = np.diff(found.edges)
    assert abs(drawn[0] - watched.low) <= reach[max(first - 1, 0)] + reach[first]
    assert abs(drawn[-1] - watched.high) <= reach[last] + reach[min(last + 1, reach.size - 1)]
    return content


@pytest.mark.parametrize("protocol", ["papers", "adaptive"])
@pytest.mark.parametrize("n_labels", [0, 1, 12, 60, 149])
@pytest.mark.parametrize("measure", [ErrorRate(), FMeasure()], ids=repr)
def test_evidence_is_enough_outside_of_the_interval(measure: Measure, protocol: str, n_labels: int) -> None:
    check_agrees(classes_session(measure, protocol, n_labels))


@pytest.mark.parametrize("protocol", ["papers", "adaptive"])
@pytest.mark.parametrize("excludes", [False, True])
def test_evidence_about_a_difference_agrees(protocol: str, excludes: bool) -> None:
    session = classes_session(ErrorRate(), protocol, 60, n_models=2, excludes=excludes)
    content = check_agrees(session)
    assert content["heading"] == "Evidence against each value of the difference in error rate"


@pytest.mark.parametrize("measure", [SquaredError(), RootMeanSquaredError()], ids=repr)
def test_evidence_about_values_agrees(measure: Measure) -> None:
    check_agrees(values_session(measure, 40))


@pytest.mark.parametrize("seed", range(4))
def test_evidence_agrees_after_undo_and_changes(seed: int) -> None:
    session = classes_session(ErrorRate(), "adaptive", 30, seed=seed)
    for _ in range(9):
        session.undo()
    check_agrees(session)
    session.label(1)
    check_agrees(session)


def test_a_known_value_leaves_no_other() -> None:
    session = classes_session(ErrorRate(), "adaptive", N)
    found = session.watched().wealth()
    assert found is not None
    value = session.watched().low
    assert session.watched().high == value
    is_left = found.won < inf
    assert 1 <= np.count_nonzero(is_left) <= 2
    content = Panels(session).redraw(shown=["evidence"])["panels"]["evidence"]
    assert content["bands"] == []
    assert "excluded for certain" in " ".join(content["stops"][0]["text"])


def test_what_is_told() -> None:
    session = classes_session(ErrorRate(), "adaptive", 60)
    content = Panels(session).redraw(shown=["evidence"])["panels"]["evidence"]
    assert content["summary"].startswith("The 95% interval is where the evidence stays below 20: ")
    texts = content["stops"][0]["text"]
    assert any(text.endswith(", excluded") for text in texts)
    assert any(text.endswith(", still possible") for text in texts)
    assert content["legend"][1] == ["goal", "20: enough to exclude a value (95%)"]
    assert {row[2] for row in content["rows"]} == {"yes", "no"}
    before = Panels(classes_session(ErrorRate(), "adaptive", 0)).redraw(shown=["evidence"])["panels"][
        "evidence"
    ]
    assert before["summary"] == "No labels yet: no value is excluded."


def test_it_is_there_where_the_interval_is_made_of_bets() -> None:
    composed = classes_session(BalancedAccuracy(), "adaptive", 3)
    assert "evidence" not in Panels(composed).names
    assert "evidence" in Panels(classes_session(ErrorRate(), "adaptive", 3)).names


def test_it_is_computed_only_while_it_is_shown() -> None:
    panels = Panels(classes_session(ErrorRate(), "adaptive", 3))
    assert not {"evidence", "interval"} & panels.redraw().get("panels", {}).keys()
