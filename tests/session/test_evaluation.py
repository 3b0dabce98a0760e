"""What a log says: the statistics of every kind of label, of one model and of two, by any measure."""

import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from activeeval_widgets.session import Answered, Pool, Session
from activeeval_widgets.stats import (
    DCG,
    ERR,
    AbsoluteError,
    Accuracy,
    BrierScore,
    ClassPredictions,
    ErrorRate,
    FMeasure,
    LogLoss,
    Precision,
    Recall,
    Specificity,
    confidence_sequence,
    optimal_q,
    pool_value,
    uniform_q,
)
from activeeval_widgets.stats import (
    estimate as stats_estimate,
)

MakeTask = Callable[..., Any]
KINDS = ["class", "number", "grades"]


def number(index: int) -> int:
    return index % 7


def label_some(task: Any, session: Session, n: int | None = None) -> None:
    while (n is None or session.n_labels < n) and (asked := session.next()) is not None:
        session.label(task.label(asked.index, number(asked.index)))


def loss(kind: str, model: Any, index: int, label: Any) -> float:
    """The statistic of one instance, from its definition."""
    if kind == "class":
        return float(model.y_pred[index] != label)
    if kind == "number":
        return float((model.mean[index] - label) ** 2)
    return sum(
        (2 ** (label[item] or 0) - 1) / np.log2(place + 2) for place, item in enumerate(model.rankings[index])
    )


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n_models", [1, 2])
def test_the_estimate_is_the_weighted_mean_of_what_was_labeled(
    make_task: MakeTask, kind: str, n_models: int
) -> None:
    task = make_task(kind, 30, n_models, seed=4)
    session = Session(task.pool, task.measure, seed=2, protocol="papers")
    label_some(task, session, 9)
    session.exclude()
    session.defer()
    label_some(task, session, 14)
    values = {a.instance: a.value for a in session.log.actions if a.kind == "label"}
    draws = [i for i in session.draws.so_far().tolist() if i in values]
    assert session.draws.labeled()[0].tolist() == draws
    assert len(draws) >= len(values) == 14
    weights = 1 / (30 * session.q[draws])
    z = np.array([[loss(kind, m, i, values[i]) for i in draws] for m in session.models])
    contrast = z[0] if n_models == 1 else z[0] - z[1]
    value = float(weights @ contrast / weights.sum())
    error = float(np.sqrt(np.sum((weights * (contrast - value)) ** 2)) / weights.sum())
    estimate = session.estimate(interval="wald")
    assert estimate.value == pytest.approx(value, rel=1e-12)
    assert estimate.standard_error == pytest.approx(error, rel=1e-9)
    assert (estimate.n_draws, estimate.n_labels) == (len(draws), 14)
    draws_and_labels = session.draws.labeled()
    alone = stats_estimate(task.measure, list(session.models), session.q, *draws_and_labels)
    assert repr(estimate) == repr(replace(alone, n_excluded=1))
    assert np.isnan(estimate.pvalue) == (n_models == 1)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n_models", [1, 2])
def test_a_change_gives_what_the_later_label_would_have_given(
    make_task: MakeTask, kind: str, n_models: int
) -> None:
    task = make_task(kind, 20, n_models)
    changed, plain = (Session(task.pool, task.measure, seed=5, protocol="papers") for _ in range(2))
    for i in range(8):
        index = changed.next().index
        first, later = task.label(index, i), task.label(index, i + 1)
        changed.label(first)
        if i % 2:
            changed.change(index, later)
        plain.label(later if i % 2 else first)
    assert repr(changed.estimate()) == repr(plain.estimate())
    assert repr(changed.draws.labeled()) == repr(plain.draws.labeled())
    assert repr(changed.draws.watched()) == repr(plain.draws.watched())
    assert changed.next() == plain.next()


def test_two_models_draw_where_they_differ(make_task: MakeTask) -> None:
    task = make_task("class", 40, 2)
    session = Session(task.pool, task.measure, protocol="papers")
    expected = optimal_q(task.measure, list(task.pool.models), defensive=0.2)
    assert session.q.tobytes() == expected.tobytes()
    assert session.draws.defensive == 0.2
    one = Session(make_task("class", 40, 1).pool, task.measure, protocol="papers")
    assert one.draws.defensive == 0.1
    costly = Pool(["a", "b"], predictions=make_pair(), costs=[1, 9])
    q = optimal_q(ErrorRate(), make_pair(), costs=[1, 9], defensive=0)
    assert Session(costly, ErrorRate(), defensive=0, protocol="papers").q.tobytes() == q.tobytes()


def make_pair() -> list[ClassPredictions]:
    return [ClassPredictions([[0.9, 0.1], [0.4, 0.6]]), ClassPredictions([[0.2, 0.8], [0.7, 0.3]])]


# -- other measures from the same log ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "measure"),
    [
        ("class", Accuracy()),
        ("class", FMeasure(positive=2)),
        ("class", Recall()),
        ("class", LogLoss()),
        ("class", BrierScore()),
        ("number", AbsoluteError()),
        ("grades", ERR()),
        ("grades", DCG(cutoff=1)),
    ],
    ids=repr,
)
@pytest.mark.parametrize("n_models", [1, 2])
def test_another_measure_from_the_same_log(
    make_task: MakeTask, kind: str, measure: Any, n_models: int
) -> None:
    task = make_task(kind, 40, n_models)
    session = Session(task.pool, task.measure, protocol="papers")
    label_some(task, session, 25)
    other = Session(task.pool, measure, q=session.q)
    label_some(task, other, 25)
    assert repr(session.estimate(measure)) == repr(other.estimate())
    assert repr(session.trajectory([5, 9], measure)) == repr(other.trajectory([5, 9]))
    assert repr(session.estimate()) == repr(session.estimate(task.measure))


def test_other_options_go_with_another_measure(make_task: MakeTask) -> None:
    task = make_task("class", 20)
    session = Session(task.pool, task.measure, protocol="papers")
    label_some(task, session, 10)
    estimate = session.estimate(Accuracy(), confidence_level=0.8, interval="t")
    assert (estimate.confidence_level, estimate.interval) == (0.8, "t")
    assert estimate.value == pytest.approx(1 - session.estimate().value)


@pytest.mark.parametrize("measure", [Recall(), FMeasure(), ErrorRate(), Specificity(), Accuracy()], ids=repr)
def test_a_measure_of_what_is_never_drawn_is_refused(measure: Any) -> None:
    predictions = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]])
    session = Session(
        Pool(["a", "b", "c"], predictions=predictions), Precision(), defensive=0, protocol="papers"
    )
    assert session.q[0] == 0
    session.label(1)
    message = rf"^q\[0\] is 0, but a label there would count for the {measure.name}: it would never be drawn$"
    for ask in (lambda: session.estimate(measure), lambda: session.trajectory([0], measure)):
        with pytest.raises(ValueError, match=message):
            ask()
    assert session.estimate().is_defined
    assert session.estimate(Precision()).is_defined


def test_a_measure_of_another_kind_of_label_is_refused(make_task: MakeTask) -> None:
    task = make_task("number")
    session = Session(task.pool, task.measure, protocol="papers")
    with pytest.raises(TypeError, match=r"takes ClassPredictions, got ValuePredictions"):
        session.estimate(ErrorRate())


@pytest.mark.parametrize("kind", KINDS)
def test_all_labeled_by_uniform_draws_comes_close_to_the_truth(make_task: MakeTask, kind: str) -> None:
    task = make_task(kind, 25)
    session = Session(task.pool, task.measure, q=uniform_q(25))
    label_some(task, session)
    values = {a.instance: a.value for a in session.log.actions}
    truth = session.labels.decode([values[i] for i in range(25)], range(25))
    estimate = session.estimate(confidence_level=0.999)
    assert estimate.low <= pool_value(task.measure, session.models[0], truth) <= estimate.high


# -- prefix -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(5))
def test_prefix_ends_before_the_first_draw_without_an_answer(
    make_task: MakeTask, kind: str, seed: int
) -> None:
    task = make_task(kind, 25)
    session = Session(task.pool, task.measure, seed=seed, protocol="papers")
    rng = np.random.default_rng(seed)
    assert session.draws.watched().draws.size == session.draws.so_far().size == 0
    for _ in range(25):
        asked = session.next()
        if asked is None:
            break
        what = rng.choice(["label", "label", "label", "exclude", "defer"])
        getattr(session, what)(*([task.label(asked.index, int(rng.integers(9)))] if what == "label" else []))
        answers = {a.instance: a for a in session.log.actions if a.kind in ("label", "exclude")}
        expected = []
        for index in session.draws.so_far().tolist():
            if index not in answers:
                break
            expected.append(index)
        draws, y_true, is_excluded = prefix = session.draws.watched()
        assert isinstance(prefix, Answered)
        assert draws.tolist() == expected
        assert is_excluded.tolist() == [answers[i].kind == "exclude" for i in expected]
        assert len(y_true) == len(expected)
        for index, label, excluded in zip(expected, list(y_true), is_excluded, strict=True):
            if excluded:
                assert label is None
            else:
                assert label == session.labels.decode([answers[index].value], [index])[0]


def test_prefix_is_what_a_confidence_sequence_takes(make_task: MakeTask) -> None:
    task = make_task("class", 30)
    session = Session(task.pool, task.measure, protocol="papers")
    label_some(task, session, 12)
    session.defer()
    label_some(task, session, 15)
    prefix = session.draws.watched()
    assert 0 < prefix.draws.size < session.n_draws
    low, high = confidence_sequence(task.measure, session.models[0], session.q, prefix.draws, prefix.y_true)
    assert low.size == prefix.draws.size
    assert (low < high).all()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n_models", [1, 2])
@pytest.mark.parametrize("estimator", ["self_normalized", "difference"])
def test_excluded_draws_are_passed_to_the_estimator(
    make_task: MakeTask, kind: str, n_models: int, estimator: str
) -> None:
    task = make_task(kind, 30, n_models)
    session = Session(task.pool, task.measure, seed=3, protocol="papers")
    for i in range(20):
        session.label(task.label(session.next().index, i)) if i % 4 else session.exclude()
    answers = {a.instance: a for a in session.log.actions}
    draws = [i for i in session.draws.so_far().tolist() if i in answers]
    y_true = [
        None if answers[i].kind == "exclude" else session.labels.decode([answers[i].value], [i])[0]
        for i in draws
    ]
    alone = stats_estimate(task.measure, list(session.models), session.q, draws, y_true, estimator=estimator)
    estimate = session.estimate(estimator=estimator, interval="wald")
    assert repr(estimate) == repr(alone)
    assert estimate.n_draws == session.n_draws == len([y for y in y_true if y is not None])
    assert (estimate.n_labels, estimate.n_excluded) == (session.n_labels, session.log.n_excluded) == (15, 5)


@pytest.mark.parametrize("kind", KINDS)
def test_a_trajectory_is_by_labeled_draws(make_task: MakeTask, kind: str) -> None:
    task = make_task(kind, 30)
    session = Session(task.pool, task.measure, seed=3, protocol="papers")
    seen = []
    for i in range(20):
        asked = session.next()
        assert asked is not None
        session.label(task.label(asked.index, i)) if i % 3 == 1 else session.exclude()
        seen.append(session.estimate())
    n_draws = session.n_draws
    points = session.trajectory(range(n_draws + 1))
    assert [point.n_draws for point in points] == list(range(n_draws + 1))
    assert repr(points[-1]) == repr(seen[-1])
    with pytest.raises(
        ValueError, match=f"^at holds {n_draws + 1}, expected at most the {n_draws} labeled draws$"
    ):
        session.trajectory([0, n_draws + 1])
    for bad, message in (
        (-2, "at must be an integer >= 0, got -2"),
        (1.5, "at must be an integer >= 0, got 1.5"),
    ):
        with pytest.raises((ValueError, TypeError), match=f"^{message}$"):
            session.trajectory([bad])


def test_what_is_returned_is_a_copy(make_task: MakeTask) -> None:
    task = make_task("grades", 10)
    session = Session(task.pool, task.measure, protocol="papers")
    label_some(task, session, 5)
    before = repr(
        (session.draws.labeled(), session.draws.watched(), session.draws.so_far(), session.log.actions)
    )
    index = session.log.actions[0].instance
    session.log.label_of(index).clear()
    draws, y_true = session.draws.labeled()
    draws[:] = 0
    y_true[0].clear()
    session.draws.watched().draws[:] = 0
    session.draws.so_far()[:] = 0
    session.log.notes[3] = "x"
    session.log.flags.add(3)
    after = repr(
        (session.draws.labeled(), session.draws.watched(), session.draws.so_far(), session.log.actions)
    )
    assert after == before
    assert (session.log.notes, session.log.flags) == ({}, set())


# -- the cost of a label ----------------------------------------------------------------------------------


def calls_of(session: Session) -> int:
    """How many functions of this package are called for a label and the interval that may be watched."""
    called = []

    def profile(frame: Any, event: str, _: Any) -> None:
        if event == "call" and "activeeval_widgets" in frame.f_code.co_filename:
            called.append(frame.f_code.co_name)

    session.upcoming(1)
    sys.setprofile(profile)
    try:
        session.label(0)
        session.watched()
    finally:
        sys.setprofile(None)
    return len(called)


@pytest.mark.parametrize("protocol", ["papers", "adaptive"])
def test_a_label_costs_the_same_however_many_there_are(make_pool: Callable[..., Any], protocol: str) -> None:
    session = Session(make_pool(6000), ErrorRate(), protocol=protocol)  # so that draws hardly repeat
    costs = [calls_of(session) for _ in range(300)]
    # Some labels cause a block of draws, or a state of the interval to be kept: the typical one does not.
    early, late = np.median(costs[20:60]), np.median(costs[-40:])
    assert late <= early + 5
    assert late < 250


@pytest.mark.slow
@pytest.mark.parametrize("protocol", ["papers", "adaptive"])
@pytest.mark.parametrize("seed", range(2))
def test_what_a_revision_left_as_it_was(make_pool: Callable[..., Any], protocol: str, seed: int) -> None:
    """Earlier estimates, and the draws that an interval takes: nobody has to compare lists."""
    session = Session(make_pool(14), ErrorRate(), protocol=protocol, seed=seed)
    rng = np.random.default_rng(seed)
    kept = 0
    for _ in range(30):
        then, n_then = session.log.revision, session.draws.watched().draws.size
        before = session.trajectory(at=range(session.n_draws + 1), interval="wald")
        fed = list(zip(*(part.tolist() for part in session.draws.watched()), strict=True))
        for _ in range(rng.integers(1, 3)):
            action = rng.choice(["label", "label", "label", "exclude", "defer", "undo", "undo", "change"])
            labeled = [a.instance for a in session.log.actions if a.kind == "label"]
            if action == "undo":
                session.undo()
            elif action == "change" and labeled:
                session.change(int(rng.choice(labeled)), int(rng.integers(3)))
            elif action in ("exclude", "defer") and session.next() is not None:
                getattr(session, action)()
            elif session.next() is not None:
                session.label(int(rng.integers(3)))
        # It may be more than there were then: draws that repeat count once the next one has its answer.
        assert -1 <= session.draws.n_unchanged(then) <= session.n_draws
        n = min(session.draws.n_unchanged(then), len(before) - 1)
        kept += n
        after = session.trajectory(at=list(range(n + 1)), interval="wald")
        assert repr(after) == repr(before[: n + 1])
        n_same, rest = session.draws.answers.in_order_since(then, n_then)
        now = list(zip(*(part.tolist() for part in session.draws.watched()), strict=True))
        assert fed[:n_same] == now[:n_same]
        assert [index for index, _ in rest] == [each[0] for each in now[n_same:]]
        assert [y is None for _, y in rest] == [each[2] for each in now[n_same:]]
    assert kept > 30
