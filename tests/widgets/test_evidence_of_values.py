"""The evidence against each value: it is enough exactly outside of the interval that is shown."""

import json
from collections.abc import Callable
from math import inf
from typing import Any

import numpy as np
import pytest
from scipy.special import beta

from activeeval_widgets import Pool, Session, plots
from activeeval_widgets.stats import (
    ROCAUC,
    AveragePrecision,
    BalancedAccuracy,
    CalibrationError,
    ClassPredictions,
    CohenKappa,
    ErrorRate,
    FMeasure,
    LabelShare,
    MatthewsCorrelation,
    MeanValue,
    Measure,
    RootMeanSquaredError,
    RSquared,
    SquaredError,
    UnpredictedClasses,
    ValuePredictions,
)
from activeeval_widgets.widgets.evaluation.panels import Panels

N = 150
LABELS = np.random.default_rng(0).integers(2, size=N)
"""What is true in `classes_session` by its first seed."""


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
    for rate in (0.25, 0.1, 0.4)[:n_models]:
        says_one = np.where(rng.random(N) < rate, 1 - y_true, y_true)
        p = np.where(says_one == 1, 0.8, 0.2)
        models.append(ClassPredictions(np.column_stack([1 - p, p])))
    pool = Pool([str(i) for i in range(N)], predictions=models if n_models > 1 else models[0])
    session = Session(pool, measure, protocol=protocol)
    label(session, y_true, n_labels, excludes=excludes)
    return session


def label(session: Session, y_true: Any, n_labels: int, *, excludes: bool = False) -> None:
    """Label on until there are so many labels."""
    while session.n_labels < n_labels and (asked := session.next()) is not None:
        if excludes and asked.index % 7 == 0:
            session.exclude()
        else:
            session.label(int(y_true[asked.index]))


def values_session(measure: Measure, n_labels: int) -> Session:
    rng = np.random.default_rng(3)
    mean = rng.uniform(2, 8, N)
    pool = Pool([{"x": i} for i in range(N)], predictions=ValuePredictions(mean, np.ones(N)))
    session = Session(pool, measure, y_range=(0, 10))
    for _ in range(n_labels):
        asked = session.next()
        session.label(float(np.clip(mean[asked.index] + rng.normal(), 0, 10)))
    return session


def check_agrees(session: Session) -> dict[str, Any]:
    """The values against which bets have won too little reach from end to end of the interval."""
    watched = session.watched()
    found = watched.wealth()
    kept = np.flatnonzero(found.won < 1 / (1 - watched.confidence_level))
    assert kept.size
    first, last = kept[0], kept[-1]
    # Ends are those of cells, or within one where the labels that are left can give no more.
    assert found.edges[first] - 1e-12 <= watched.low <= found.edges[first + 1] + 1e-12
    assert found.edges[last] - 1e-12 <= watched.high <= found.edges[last + 1] + 1e-12
    content: dict[str, Any] = Panels(session).one("evidence")
    json.dumps(content, allow_nan=False)
    [curve] = content["curves"]
    x, y = np.array(curve["x"]), np.array(curve["y"])
    assert len(x) <= 200
    assert (np.diff(x) >= 0).all()
    assert ((y >= 1) & (y <= content["y"]["high"])).all()
    [line] = content["lines"]
    enough = line["y"]
    assert enough == pytest.approx(1 / (1 - watched.confidence_level))
    # What is drawn crosses the line within a cell of the interval's ends.
    drawn = x[y < enough]
    reach = np.diff(found.edges)
    assert abs(drawn[0] - watched.low) <= reach[max(first - 1, 0)] + reach[first]
    assert abs(drawn[-1] - watched.high) <= reach[last] + reach[min(last + 1, reach.size - 1)]
    return content


@pytest.mark.parametrize("protocol", ["papers", "adaptive"])
@pytest.mark.parametrize("measure", [ErrorRate(), FMeasure()], ids=repr)
def test_evidence_is_enough_outside_of_the_interval(measure: Measure, protocol: str) -> None:
    session = classes_session(measure, protocol, 0)
    for n_labels in (0, 1, 12, 60, 149):
        label(session, LABELS, n_labels)
        check_agrees(session)


@pytest.mark.parametrize("protocol", ["papers", "adaptive"])
@pytest.mark.parametrize("excludes", [False, True])
def test_evidence_about_a_difference_agrees(protocol: str, excludes: bool) -> None:
    session = classes_session(ErrorRate(), protocol, 60, n_models=2, excludes=excludes)
    content = check_agrees(session)
    assert any(row[0].startswith("+") for row in content["rows"]), "as differences are written elsewhere"


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


def test_what_is_reported() -> None:
    session = classes_session(ErrorRate(), "adaptive", 60)
    content = Panels(session).redraw(shown=["evidence"])["panels"]["evidence"]
    texts = content["stops"][0]["text"]
    assert any(text.endswith(", excluded") for text in texts)
    assert any(text.endswith(", still possible") for text in texts)
    assert {row[2] for row in content["rows"]} == {"yes", "no"}


ESTIMATED = [BalancedAccuracy(), MatthewsCorrelation(), CohenKappa(), AveragePrecision()]


@pytest.mark.parametrize("protocol", ["papers", "adaptive"])
@pytest.mark.parametrize("measure", [*ESTIMATED, ROCAUC(), CalibrationError()], ids=repr)
def test_evidence_of_other_intervals_agrees(measure: Measure, protocol: str) -> None:
    session = classes_session(measure, protocol, 0)
    for n_labels in (0, 12, 70, 120):
        label(session, LABELS, n_labels)
        content = check_agrees(session)
        watched = session.watched()
        result = content["summary"]
        if watched.withheld and n_labels:
            assert result.endswith(f". {watched.reason}")
            assert content["note"] == result
        if watched.is_asymptotic and not watched.withheld:
            assert "It is approximate" in content["note"]


def test_evidence_of_an_asymptotic_interval_is_what_would_just_exclude_a_value() -> None:
    session = classes_session(BalancedAccuracy(), "adaptive", 100)
    found = session.watched().wealth()
    assert found is not None
    levels = (0.8, 0.99, 0.999)
    intervals = [session.watched(confidence_level=level) for level in levels]
    for level, watched in zip(levels, intervals, strict=True):
        outside = found.edges[np.searchsorted(found.edges, watched.low, side="right") - 1]
        kept = np.flatnonzero(found.won < 1 / (1 - level))
        # As far as two thresholds are apart.
        assert outside - 0.01 <= found.edges[kept[0]] <= watched.low + 0.01
        assert found.edges[kept[-1] + 1] == pytest.approx(watched.high, abs=0.01)


def unpredicted_session(protocol: str = "adaptive") -> tuple[Session, Callable[[int], None]]:
    """A session, and what labels on until there are so many labels."""
    rng = np.random.default_rng(5)
    model = UnpredictedClasses(["pass", "fail"], N)
    session = Session(
        Pool([str(i) for i in range(N)], predictions=model), LabelShare("pass"), protocol=protocol
    )

    def answer(n_labels: int) -> None:
        while session.n_labels < n_labels and session.next() is not None:
            session.label("pass" if rng.random() < 0.7 else "fail")

    return session, answer


@pytest.mark.parametrize("protocol", ["papers", "adaptive"])
def test_evidence_without_a_model_agrees(protocol: str) -> None:
    session, answer = unpredicted_session(protocol)
    for n_labels in (0, 1, 25, 149, N):
        answer(n_labels)
        check_agrees(session)


def test_evidence_of_a_share_is_the_mixture_over_the_likelihood() -> None:
    session, answer = unpredicted_session()
    answer(40)
    labels = [session.log.label_of(draw) == "pass" for draw in session.draws.labeled()[0]]
    found = session.watched().wealth()
    assert found is not None
    for k in (80, 100, 125):  # how many of the pool pass
        chance, most = 1.0, 0.0
        ones = zeros = 0
        for n, passes in enumerate(labels):
            chance *= (k - ones if passes else N - k - zeros) / (N - n)
            ones, zeros = ones + passes, zeros + (not passes)
            mixture = beta(0.5 + ones, 0.5 + zeros) / beta(0.5, 0.5)
            most = max(most, mixture / chance)
        won = found.won[np.searchsorted(found.edges, k / N) - 1]
        assert won == pytest.approx(max(most, 1.0), rel=0.1), k


@pytest.mark.parametrize("n_labels", [0, 30])
@pytest.mark.parametrize("measure", [SquaredError(), RSquared(), MeanValue()], ids=repr)
def test_an_interval_without_ends_has_no_evidence_yet(measure: Measure, n_labels: int) -> None:
    rng = np.random.default_rng(3)
    mean = rng.uniform(2, 8, N)
    values = ValuePredictions(mean, np.ones(N))
    session = Session(Pool([{"x": i} for i in range(N)], predictions=values), measure)
    for _ in range(n_labels):
        asked = session.next()
        session.label(float(mean[asked.index] + rng.normal()))
    content = Panels(session).one("evidence")
    json.dumps(content, allow_nan=False)
    assert ("No interval" in content["summary"]) == (n_labels > 0)
    assert content["curves"][0]["y"] == [1.0]


def test_where_there_is_no_evidence_it_is_refused_with_the_reason() -> None:
    session = Session(Pool([{"x": i} for i in range(9)], predictions=None), MeanValue(), protocol="papers")
    assert "evidence" not in Panels(session).names
    assert "evidence" not in dir(plots(session))
    with pytest.raises(AttributeError, match=r"no figure 'evidence', as there is .* Give y_range"):
        _ = plots(session).evidence
    known = Session(session.pool, MeanValue(), protocol="papers", y_range=(0, 1))
    assert plots(known).evidence.title.endswith(" of the mean label")


def test_of_several_models_it_names_the_best_so_far() -> None:
    session = classes_session(ErrorRate(), "adaptive", 30, n_models=3)
    content = check_agrees(session)
    leader = session.leaderboard().leader.name
    assert content["heading"].endswith(f" of {leader}")
    assert all(number in content["summary"] for number in ("98.33%", " 60: "))


def test_it_is_computed_only_while_it_is_shown() -> None:
    panels = Panels(classes_session(ErrorRate(), "adaptive", 3))
    assert not {"evidence", "interval"} & panels.redraw().get("panels", {}).keys()
