from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from activeeval_widgets.session import (
    Pool,
    Session,
    SessionMismatchError,
    StoreError,
)
from activeeval_widgets.session.draws.scheduler import DEFER_GAP
from activeeval_widgets.session.draws.sequence import DrawSequence
from activeeval_widgets.session.log.events import to_record
from activeeval_widgets.stats import (
    Accuracy,
    ClassPredictions,
    ErrorRate,
    MacroF,
    Precision,
    draw,
    estimate,
    optimal_q,
    uniform_q,
)
from activeeval_widgets.stats._typing import AnyArray, IntArray

from ..labeling import give_labels

MakePool = Callable[..., Pool]


def truth(index: int) -> int:
    return index % 3


def label_all(session: Session, n: int | None = None) -> list[int]:
    """Label instances by their truth; return their indices."""
    shown = []
    while (n is None or len(shown) < n) and (asked := session.next()) is not None:
        session.label(truth(asked.index))
        shown.append(asked.index)
    return shown


def all_draws(session: Session, n_draws: int) -> IntArray:
    return draw(session.q, n_draws, np.random.Generator(np.random.PCG64(session.seed)))


def from_history(session: Session) -> tuple[IntArray, list[Any]]:
    """The labeled draws and their labels from the history, q and seed alone."""
    history = session.history()
    standing = history[history["stands"].fillna(value=False)]
    answered = standing[standing["kind"].isin(["label", "exclude"])]
    labels = standing[standing["kind"] == "label"]
    values = dict(zip(labels["instance"], labels["value"], strict=True))
    n_draws = 0 if answered.empty else int(answered["draw"].max())
    draws = [i for i in all_draws(session, n_draws).tolist() if i in values]
    return np.array(draws, dtype=np.intp), [values[i] for i in draws]


def self_normalized(session: Session, draws: IntArray, labels: Iterable[Any]) -> tuple[float, float]:
    """The estimate and its standard error, written out."""
    wrong = np.array(
        [session.pool.predictions.y_pred[i] != label for i, label in zip(draws, labels, strict=True)]
    )
    weights = 1 / (session.pool.n_instances * session.q[draws])
    value = weights @ wrong / weights.sum()
    return value, np.sqrt(np.sum((weights * (wrong - value)) ** 2)) / weights.sum()


# -- asking and answering ---------------------------------------------------------------------------------


def test_next_is_the_same_until_answered(make_pool: MakePool) -> None:
    session = Session(make_pool(), ErrorRate(), protocol="papers")
    first = session.next()
    assert first is not None
    assert [session.next() for _ in range(5)] == [first] * 5
    assert session.history().empty
    session.label(0)
    assert session.next() != first


def test_what_is_asked_is_what_q_and_seed_draw(make_pool: MakePool) -> None:
    session = Session(make_pool(), ErrorRate(), seed=4, protocol="papers")
    q = optimal_q(ErrorRate(), session.pool.predictions, defensive=0.1)
    assert session.q.tobytes() == q.tobytes()
    drawn = draw(q, 400, np.random.Generator(np.random.PCG64(4))).tolist()
    for _ in range(12):
        asked = session.next()
        assert drawn.index(asked.index) + 1 == asked.draw
        assert asked.instance_id == session.pool.ids[asked.index]
        assert asked.q == q[asked.index]
        event = session.label(1, seconds=1.23456)
        assert (event.draw, event.instance, event.instance_id, event.q) == (
            asked.draw, asked.index, asked.instance_id, asked.q,
        )  # fmt: skip
        assert (event.value, event.seconds) == (1, 1.235)
    assert session.next() is None


def test_costs_change_q(make_pool: MakePool) -> None:
    costs = np.arange(1.0, 13)
    pool = make_pool(costs=costs)
    expected = optimal_q(ErrorRate(), pool.predictions, costs=costs, defensive=0.3)
    assert Session(pool, ErrorRate(), defensive=0.3, protocol="papers").q.tobytes() == expected.tobytes()


def test_repeats_are_not_asked_but_count_as_draws(make_pool: MakePool) -> None:
    session = Session(make_pool(4), ErrorRate(), q=[0.7, 0.1, 0.1, 0.1], seed=1)
    shown = label_all(session)
    assert sorted(shown) == [0, 1, 2, 3]
    last = session.log.actions[-1].draw
    assert last > 4
    assert session.n_draws == session.estimate().n_draws == last
    assert session.n_labels == session.estimate().n_labels == 4
    draws, labels = session.draws.labeled()
    assert draws.tolist() == all_draws(session, last).tolist()
    assert labels.tolist() == [truth(i) for i in draws.tolist()]


def test_budget_is_in_labels(make_pool: MakePool) -> None:
    session = Session(make_pool(), ErrorRate(), budget=5, protocol="papers")
    session.exclude()
    assert len(session.upcoming(100)) == 5
    session.defer()
    assert len(label_all(session)) == 5
    assert session.is_done
    assert (session.n_labels, session.log.n_excluded, session.upcoming(3)) == (5, 1, [])
    session.undo()
    assert not session.is_done
    assert len(session.upcoming(100)) == 1


def test_done_without_a_budget_when_the_pool_is(make_pool: MakePool) -> None:
    pool = make_pool(12)
    is_predicted = pool.predictions.y_pred == 1
    session = Session(pool, Precision(), q=is_predicted / is_predicted.sum())
    assert sorted(label_all(session)) == np.flatnonzero(is_predicted).tolist()
    assert session.is_done


def test_an_instance_that_counts_must_be_drawn_sometimes(make_pool: MakePool) -> None:
    message = r"^q\[1\] is 0, but a label there would count for the error rate: it would never be drawn$"
    with pytest.raises(ValueError, match=message):
        Session(make_pool(5), ErrorRate(), q=[0.5, 0, 0.25, 0.25, 0])


def test_a_lower_budget_than_labels_is_done(make_pool: MakePool, shelf: Any) -> None:
    label_all(Session(make_pool(), ErrorRate(), store=shelf.open(), protocol="papers"), 6)
    session = Session(make_pool(), ErrorRate(), store=shelf.open(), budget=3, protocol="papers")
    assert session.is_done
    assert session.n_labels == 6
    assert repr(session).startswith("<Session 'default'. Error rate: ")
    assert repr(session).endswith(" after 6 of 3 labels>")


def test_repr_without_a_budget(make_pool: MakePool) -> None:
    session = Session(make_pool(), Accuracy(), name="a", protocol="papers")
    assert repr(session) == "<Session 'a'. Accuracy: not known yet, after 0 labels>"


def test_undo_with_nothing_to_undo(make_pool: MakePool) -> None:
    session = Session(make_pool(), ErrorRate(), protocol="papers")
    assert session.undo() is None
    assert session.history().empty
    session.label(0)
    session.undo()
    assert session.undo() is None
    assert len(session.history()) == 2


@pytest.mark.parametrize("action", ["label", "defer", "exclude"])
def test_undo_asks_again_now(make_pool: MakePool, action: str) -> None:
    session = Session(make_pool(), ErrorRate(), protocol="papers")
    label_all(session, 3)
    asked = session.next()
    event = getattr(session, action)(*((1,) if action == "label" else ()))
    assert session.next() != asked
    assert session.undo() is event
    assert session.next() == asked
    assert (session.n_labels, session.log.n_deferred, session.log.n_excluded) == (3, 0, 0)


def test_undo_out_of_done(make_pool: MakePool) -> None:
    session = Session(make_pool(), ErrorRate(), budget=3, protocol="papers")
    label_all(session)
    assert session.is_done
    last = session.log.actions[-1]
    assert session.undo() == last
    asked = session.next()
    assert asked.draw == last.draw
    session.label(2)
    assert session.is_done
    assert session.log.actions[-1].instance == last.instance


def test_upcoming_is_what_is_shown_if_all_are_labeled(make_pool: MakePool) -> None:
    session = Session(make_pool(40), ErrorRate(), budget=30, seed=2, protocol="papers")
    for i in range(6):
        (session.defer if i % 2 else session.exclude)()
    upcoming = session.upcoming(100)
    assert len(upcoming) == 30
    assert session.upcoming(7) == upcoming[:7]
    assert session.upcoming(0) == []
    shown = []
    while (asked := session.next()) is not None:
        shown.append(asked)
        session.label(0)
    assert shown == upcoming


def test_what_is_next_is_found_without_going_through_all_that_was_answered(
    make_pool: MakePool, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = Session(make_pool(900), ErrorRate(), protocol="papers")
    for i in range(600):
        (session.defer if i % 6 == 0 else session.exclude if i % 6 == 1 else lambda: session.label(1))()
    looked_at: list[int] = []
    distinct = DrawSequence.distinct

    def counted(self: DrawSequence, position: int) -> Any:
        looked_at.append(position)
        return distinct(self, position)

    monkeypatch.setattr(DrawSequence, "distinct", counted)
    before = session.upcoming(8)
    session.label(2)
    session.undo()
    assert session.upcoming(8) == before
    assert len(looked_at) < 60


# -- deferring --------------------------------------------------------------------------------------------


def test_deferred_comes_back_after_the_gap(make_pool: MakePool) -> None:
    session = Session(make_pool(100), ErrorRate(), protocol="papers")
    label_all(session, 2)
    asked = session.next()
    assert asked is not None
    session.defer()
    assert session.log.n_deferred == 1
    for i in range(DEFER_GAP):
        other = session.next()
        assert other.index != asked.index
        if i % 3 == 1:
            session.exclude()
        else:
            session.label(0)
    assert session.next() == asked
    session.label(0)
    assert session.log.n_deferred == 0
    assert asked.index not in [drawn.index for drawn in session.upcoming(100)]


def test_deferred_ones_come_back_in_their_order(make_pool: MakePool) -> None:
    session = Session(make_pool(100), ErrorRate(), protocol="papers")
    first = session.next()
    session.defer()
    second = session.next()
    session.defer()
    label_all(session, DEFER_GAP)
    assert session.upcoming(2) == [first, second]


@pytest.mark.parametrize("action", ["label", "exclude", "defer"])
def test_undo_gives_back_the_place_among_those_put_aside(make_pool: MakePool, action: str) -> None:
    put_aside = []
    session = Session(make_pool(100), ErrorRate(), protocol="papers")
    for _ in range(3):
        put_aside.append(session.next())
        session.defer()
    label_all(session, DEFER_GAP)
    upcoming = session.upcoming(60)
    assert upcoming[:3] == put_aside
    getattr(session, action)(*([1] if action == "label" else []))
    assert session.next() == put_aside[1]
    session.undo()
    assert session.upcoming(60) == upcoming


def test_deferred_come_back_when_nothing_else_is_left(make_pool: MakePool) -> None:
    session = Session(make_pool(3), ErrorRate(), q=uniform_q(3))
    put_aside = []
    for _ in range(3):
        put_aside.append(session.next())
        session.defer()
    assert [session.next(), *session.upcoming(5)[1:]] == put_aside
    # Putting aside goes round among those that are left, and never ends the session.
    for i in range(7):
        assert session.next() == put_aside[i % 3]
        session.defer()
    assert len(label_all(session)) == 3


def test_the_only_one_left_is_asked_again(make_pool: MakePool) -> None:
    session = Session(make_pool(1), ErrorRate(), protocol="papers")
    only = session.next()
    for _ in range(3):
        session.defer()
        assert session.next() == only
    session.label(0)
    assert session.is_done


@pytest.mark.parametrize(
    ("answers", "n_unchanged"),
    [("lll", 2), ("lle", 1), ("e", -1), ("lel", 0), ("llel", 1), ("lll-", 3), ("lle-", 1)],
)
def test_up_to_how_many_labels_estimates_are_unchanged(
    make_pool: MakePool, answers: str, n_unchanged: int
) -> None:
    """After the last answer is undone, or one more label given; exclusions may have changed the last one."""
    session = Session(make_pool(20), ErrorRate(), protocol="adaptive")
    for answer in answers.rstrip("-"):
        session.label(0) if answer == "l" else session.exclude()
    then = session.log.revision
    session.label(0) if answers.endswith("-") else session.undo()
    assert session.draws.n_unchanged(then) == n_unchanged


@pytest.mark.parametrize("n_before", [0, 3])
@pytest.mark.parametrize("answer", ["label", "exclude", "defer"])
def test_nothing_is_left_of_an_answer_that_is_undone(make_pool: MakePool, answer: str, n_before: int) -> None:
    session = give_labels(Session(make_pool(20), ErrorRate()), 0, n_before, seconds=3.0)
    state = session.log.state

    def known() -> list[Any]:
        parts = state.answers, state.labels, state.deferred, state.status, state.last_draw
        return [
            repr(each)
            for each in (*parts, state.label_seconds(), state.people.n_answers.get(None, 0), state.actions)
        ]

    before = known()
    getattr(session, answer)(*[1][: answer == "label"], seconds=2.0)
    assert known() != before
    session.undo()
    assert known() == before


@pytest.mark.parametrize("protocol", ["adaptive", "papers"])
@pytest.mark.parametrize(
    "predictions", [[[0.7, 0.3]], {"a": [[0.7, 0.3]], "b": [[0.2, 0.8]]}], ids=["one", "two"]
)
def test_a_pool_of_one_instance_is_known_by_one_label(protocol: str, predictions: Any) -> None:
    session = Session(Pool(["x"], predictions=predictions), ErrorRate(), protocol=protocol)
    least = -1.0 if isinstance(predictions, dict) else 0.0
    nothing = session.estimate()
    assert (np.isnan(nothing.value), nothing.low, nothing.high) == (True, least, 1.0)
    assert session.next().q == 1.0
    for label, value in ((0, least), (1, 1.0)):
        session.label(label)
        found = session.estimate()
        assert (found.value, found.low, found.high, found.n_draws, found.n_labels) == (
            value,
            value,
            value,
            1,
            1,
        )
        assert (session.is_done, session.next(), session.upcoming(3)) == (True, None, [])
        session.undo()
    session.exclude()
    assert session.is_done
    found = session.estimate()
    assert (np.isnan(found.value), found.low, found.high, found.n_labels) == (True, least, 1.0, 0)


def test_deferred_come_back_near_the_budgets_end(make_pool: MakePool) -> None:
    session = Session(make_pool(50), ErrorRate(), budget=5, protocol="papers")
    first = session.next()
    session.defer()
    second = session.next()
    session.defer()
    label_all(session, 3)
    assert session.upcoming(10) == [first, second]
    session.defer()
    # There is another that waits, then a fresh one: the one just put aside does not come back at once.
    asked = session.next()
    assert asked == second
    label_all(session)
    assert (session.n_labels, session.is_done) == (5, True)


def test_deferring_at_the_last_label_moves_on(make_pool: MakePool) -> None:
    session = Session(make_pool(50), ErrorRate(), budget=1, protocol="papers")
    seen = set()
    for _ in range(20):
        asked = session.next()
        seen.add(asked.index)
        session.defer()
    assert len(seen) == 20


def test_a_draw_put_aside_is_not_in_the_estimate(make_pool: MakePool) -> None:
    session = Session(make_pool(6), ErrorRate(), q=[0.5, 0.1, 0.1, 0.1, 0.1, 0.1], seed=3)
    while (asked := session.next()) is not None and asked.index != 0:
        session.label(truth(asked.index))
    session.defer()
    label_all(session, 3)
    draws, labels = session.draws.labeled()
    assert 0 not in draws
    expected = estimate(session.measure, session.pool.predictions, session.q, draws, labels)
    assert repr(session.estimate(interval="wald")) == repr(expected)
    before = session.n_draws
    label_all(session)
    # Answered, it counts for each time that it was drawn meanwhile.
    draws = session.draws.labeled()[0]
    assert (draws == 0).sum() > 1
    assert session.n_draws > before + 1


# -- excluding and estimating -----------------------------------------------------------------------------


def test_excluded_draws_are_left_out(make_pool: MakePool) -> None:
    session = Session(make_pool(30), ErrorRate(), seed=9, protocol="papers")
    excluded = []
    for i in range(20):
        asked = session.next()
        assert asked is not None
        if i % 4 == 3:
            session.exclude(reason="blurred")
            excluded.append(asked.index)
        else:
            session.label(truth(asked.index))
    assert (session.log.n_excluded, session.n_labels) == (5, 15)
    drawn = all_draws(session, max(action.draw for action in session.log.actions))
    draws = drawn[~np.isin(drawn, excluded)]
    labels = [truth(i) for i in draws.tolist()]
    assert session.draws.labeled()[0].tolist() == draws.tolist()
    expected = estimate(session.measure, session.pool.predictions, session.q, draws, labels)
    assert repr(session.estimate(interval="wald")) == repr(replace(expected, n_excluded=5))
    assert session.estimate().n_labels == 15


def test_nothing_but_exclusions_gives_no_estimate(make_pool: MakePool) -> None:
    session = Session(make_pool(4), ErrorRate(), protocol="papers")
    while not session.is_done:
        session.exclude()
    assert not session.estimate().is_defined
    assert (session.n_draws, session.log.n_excluded) == (0, 4)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("classes", [None, ["a", "b", "c"], [2.5, 0.1, -1.0]])
def test_the_estimate_follows_from_the_history(make_pool: MakePool, seed: int, classes: Any) -> None:
    session = Session(make_pool(30, classes=classes), ErrorRate(), seed=seed, protocol="papers")
    rng = np.random.default_rng(seed)
    for _ in range(40):
        action = rng.choice(["label", "label", "label", "defer", "exclude", "undo"])
        if session.is_done:
            break
        if action == "label":
            session.label(rng.choice(session.pool.predictions.classes))
        else:
            getattr(session, action)()
    draws, labels = from_history(session)
    assert draws.size > 10
    estimated = session.estimate(confidence_level=0.9, interval="wald")
    expected = estimate(
        session.measure, session.pool.predictions, session.q, draws, labels, confidence_level=0.9
    )
    assert repr(estimated) == repr(replace(expected, n_excluded=session.log.n_excluded))
    value, standard_error = self_normalized(session, draws, labels)
    assert estimated.value == pytest.approx(value, rel=1e-12)
    assert estimated.standard_error == pytest.approx(standard_error, rel=1e-12)
    assert (estimated.n_draws, estimated.n_labels) == (draws.size, len(set(draws.tolist())))


def test_trajectory_ends_in_the_estimate(make_pool: MakePool) -> None:
    session = Session(make_pool(30), Accuracy(), protocol="papers")
    label_all(session, 20)
    n_draws = session.n_draws
    points = session.trajectory(at=[1, 7, n_draws])
    assert [point.n_draws for point in points] == [1, 7, n_draws]
    assert repr(points[-1]) == repr(session.estimate())
    draws, labels = session.draws.labeled()
    early = estimate(session.measure, session.pool.predictions, session.q, draws[:7], labels[:7])
    assert repr(session.trajectory(at=[7], interval="wald")) == repr([early])
    assert (points[1].value, points[1].interval) == (early.value, "confidence_sequence")


def test_no_labels_no_estimate(make_pool: MakePool) -> None:
    session = Session(make_pool(), ErrorRate(), protocol="papers")
    assert not session.estimate().is_defined
    assert (session.estimate().low, session.estimate().high, session.n_draws) == (0, 1, 0)
    assert session.trajectory(at=[]) == []


@pytest.mark.parametrize(
    "classes", [[0, 1, 2], ["a", "bb", "ccc"], [0.5, 1.5, 2.5], np.array([0.1, 0.2, 0.3], dtype=np.float32)]
)
def test_labels_keep_their_type(make_pool: MakePool, shelf: Any, classes: Any) -> None:
    predictions_classes: AnyArray = np.asarray(classes)
    session = Session(make_pool(classes=classes), ErrorRate(), store=shelf.open(), protocol="papers")
    for value in classes:
        session.label(value)
    again = Session(make_pool(classes=classes), ErrorRate(), store=shelf.open(), protocol="papers")
    assert again.draws.labeled()[1].dtype == predictions_classes.dtype
    assert set(again.draws.labeled()[1].tolist()) == set(predictions_classes.tolist())


def test_boolean_labels(make_pool: MakePool, shelf: Any) -> None:
    session = Session(
        make_pool(n_classes=2, classes=[False, True]), ErrorRate(), store=shelf.open(), protocol="papers"
    )
    session.label(value=True)
    again = Session(
        make_pool(n_classes=2, classes=[False, True]), ErrorRate(), store=shelf.open(), protocol="papers"
    )
    assert again.log.actions == session.log.actions
    assert again.draws.labeled()[1].tolist() == [True]


# -- history ----------------------------------------------------------------------------------------------

COLUMNS = [
    *("seq", "time", "kind", "draw", "instance", "instance_id", "q", "weight", "value", "seconds"),
    *("first_key_seconds", "reason", "changed_seq", "undone_seq", "note", "flagged", "stands", "who"),
]


def test_history_of_a_new_session(make_pool: MakePool) -> None:
    history = Session(make_pool(), ErrorRate(), protocol="papers").history()
    assert history.empty
    assert list(history.columns) == COLUMNS


def test_history_has_a_row_for_each_event(make_pool: MakePool) -> None:
    session = Session(make_pool(), ErrorRate(), protocol="papers")
    session.label(2, seconds=0.5)
    session.defer()
    session.exclude(reason="blank", seconds=3)
    session.undo()
    history = session.history()
    assert list(history.columns) == COLUMNS
    assert history["seq"].tolist() == [1, 2, 3, 4]
    assert history["kind"].tolist() == ["label", "defer", "exclude", "undo"]
    assert history["stands"].tolist() == [True, True, False, pd.NA]
    assert history["undone_seq"].tolist() == [pd.NA, pd.NA, pd.NA, 3]
    assert history["reason"].tolist()[2] == "blank"
    assert history["seconds"].tolist()[::2] == [0.5, 3.0]
    first = session.log.actions[0]
    assert history.loc[0, ["draw", "instance", "instance_id"]].tolist() == [
        first.draw, first.instance, first.instance_id,
    ]  # fmt: skip
    assert history.loc[0, "weight"] == 1 / (12 * session.q[first.instance])
    times = pd.to_datetime(history["time"])
    assert str(times.dt.tz) == "UTC"
    assert times.is_monotonic_increasing


def test_history_keeps_labels_as_they_were_given(make_pool: MakePool) -> None:
    session = Session(make_pool(), ErrorRate(), protocol="papers")
    session.label(2)
    session.defer()
    session.undo()
    value = session.history()["value"].tolist()[0]
    assert (value, type(value)) == (2, int)


# -- storing ----------------------------------------------------------------------------------------------


def test_opened_again_it_goes_on(make_pool: MakePool, shelf: Any) -> None:
    once = Session(make_pool(), ErrorRate(), seed=6, protocol="papers")
    shown: list[int] = []
    for _ in range(4):
        shown += label_all(
            Session(make_pool(), ErrorRate(), seed=6, store=shelf.open(), protocol="papers"), 3
        )
        shelf.close()
    assert shown == label_all(once)
    reopened = Session(make_pool(), ErrorRate(), seed=6, store=shelf.open(), protocol="papers")
    assert reopened.draws.labeled()[0].tobytes() == once.draws.labeled()[0].tobytes()
    assert repr(reopened.estimate()) == repr(once.estimate())


def test_what_can_not_be_stored_did_not_happen(
    make_pool: MakePool, make_list_store: Callable[..., Any]
) -> None:
    store = make_list_store()
    session = Session(make_pool(), ErrorRate(), store=store, protocol="papers")
    label_all(session, 2)
    before = (session.next(), session.upcoming(20), session.log.actions, repr(session.estimate()))
    history = session.history()
    actions: list[Callable[[], object]] = [
        lambda: session.label(0),
        session.defer,
        session.exclude,
        session.undo,
    ]
    for error in (StoreError("disk full"), OSError("gone")):
        store.error = error
        for act in actions:
            with pytest.raises(type(error), match=str(error)):
                act()
            assert (
                session.next(),
                session.upcoming(20),
                session.log.actions,
                repr(session.estimate()),
            ) == before
            pd.testing.assert_frame_equal(session.history(), history)
    store.error = None
    session.label(1)
    assert [record["seq"] for record in store.records] == [1, 2, 3]


def test_an_event_is_stored_before_it_counts(
    make_pool: MakePool, make_list_store: Callable[..., Any]
) -> None:
    store = make_list_store()
    session = Session(make_pool(), ErrorRate(), store=store, protocol="papers")
    counted = []
    append = store.append
    store.append = lambda name, record: (counted.append((name, session.n_labels)), append(name, record))
    session.label(0)
    session.label(0)
    session.undo()
    assert counted == [("default", 0), ("default", 1), ("default", 2)]


def tamper(records: list[dict[str, Any]], seq: int, **change: Any) -> list[dict[str, Any]]:
    return [{**record, **(change if record["seq"] == seq else {})} for record in records]


TAMPERED: dict[str, Callable[[list[dict[str, Any]]], list[dict[str, Any]]]] = {
    "another draw": lambda log: tamper(log, 2, draw=log[1]["draw"] + 1),
    "draw 0": lambda log: tamper(log, 2, draw=0),
    "a negative draw": lambda log: tamper(log, 2, draw=-1),
    "another instance": lambda log: tamper(log, 2, instance=log[0]["instance"]),
    "no instance": lambda log: tamper(log, 2, instance=99),
    "another id": lambda log: tamper(log, 2, instance_id="someone else"),
    "another q": lambda log: tamper(log, 2, q=0.5),
    "a label that is not a class": lambda log: tamper(log, 2, value=17),
    "an event less": lambda log: [record for record in log if record["seq"] != 2],
    "an event twice": lambda log: [log[0], log[0], *log[1:]],
    "an answer twice": lambda log: [log[0], {**log[0], "seq": 2}],
    "another order": lambda log: [log[1], log[0], *log[2:]],
    "an undo of an earlier event": lambda log: tamper(log, 4, undone_seq=1),
    "an undo of nothing": lambda log: [{**log[3], "seq": 1}],
}


@pytest.mark.parametrize("change", TAMPERED.values(), ids=list(TAMPERED))
def test_a_log_that_was_tampered_with_is_refused(
    make_pool: MakePool, make_list_store: Callable[..., Any], change: Callable[..., Any]
) -> None:
    session = Session(make_pool(), ErrorRate(), store=make_list_store(), protocol="papers")
    label_all(session, 3)
    session.undo()
    records = [to_record(event) for event in session.log]
    resumed = Session(make_pool(), ErrorRate(), store=make_list_store(records), protocol="papers")
    assert resumed.log.actions == session.log.actions
    with pytest.raises(
        SessionMismatchError, match="in the log of the session 'default' does not follow from its"
    ):
        Session(make_pool(), ErrorRate(), store=make_list_store(change(records)), protocol="papers")


def test_a_log_with_an_unknown_event_is_refused(
    make_pool: MakePool, make_list_store: Callable[..., Any]
) -> None:
    store = make_list_store([{"kind": "relabel", "seq": 1, "time": "2026-01-01"}])
    with pytest.raises(
        ValueError, match=r"the log holds an event that this version does not know: \{'kind': 'rel"
    ):
        Session(make_pool(), ErrorRate(), store=store, protocol="papers")


def test_a_path_is_a_store(make_pool: MakePool, tmp_path: Any) -> None:
    path = tmp_path / "sessions.sqlite"
    session = Session(make_pool(), ErrorRate(), store=path, protocol="papers")
    session.label(0)
    session.store.close()
    again = Session(make_pool(), ErrorRate(), store=str(path), protocol="papers")
    assert again.log.actions == session.log.actions
    again.store.close()


def test_in_memory_unless_told_otherwise(make_pool: MakePool) -> None:
    label_all(Session(make_pool(), ErrorRate(), protocol="papers"), 2)
    assert Session(make_pool(), ErrorRate(), protocol="papers").n_labels == 0


def test_perfectly_sure_model_can_be_evaluated() -> None:
    predictions = ClassPredictions(np.eye(3)[[0, 1, 2, 0]])
    session = Session(
        Pool(np.zeros((4, 2, 2)), predictions=predictions), ErrorRate(), defensive=0, protocol="papers"
    )
    assert session.q.tolist() == [0.25] * 4
    assert len(label_all(session)) == 4


# -- observers --------------------------------------------------------------------------------------------


def test_observers_are_notified_once_an_event_counts(make_pool: MakePool) -> None:
    session = Session(make_pool(), ErrorRate(), protocol="papers")
    result: list[Any] = []

    def observer(event: Any) -> None:
        result.append((event.kind, event.seq, session.n_labels, len(session.history())))

    session.subscribe(observer)
    session.label(0)
    session.undo()
    session.unsubscribe(observer)
    session.unsubscribe(observer)
    session.label(0)
    assert result == [("label", 1, 1, 1), ("undo", 2, 0, 2)]


def test_observers_are_not_told_of_what_was_not_stored(
    make_pool: MakePool, make_list_store: Callable[..., Any]
) -> None:
    store = make_list_store()
    store.error = StoreError("disk full")
    session = Session(make_pool(), ErrorRate(), store=store, protocol="papers")
    result: list[Any] = []
    session.subscribe(result.append)
    with pytest.raises(StoreError):
        session.label(0)
    assert result == []


def test_the_last_bits_of_the_optimal_q_may_differ(
    make_pool: MakePool, shelf: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another version, or another machine's mathematics, begins a session; this one goes on."""

    def with_other_bits(*arguments: Any, **options: Any) -> Any:
        q = optimal_q(*arguments, **options)
        return q * (1 + 1e-13 * (-1.0) ** np.arange(q.size))

    options: dict[str, Any] = {"protocol": "papers", "seed": 4}
    with monkeypatch.context() as earlier:
        earlier.setattr("activeeval_widgets.session.draws.make_draws.optimal_q", with_other_bits)
        begun = Session(make_pool(), MacroF(), store=shelf.open(), **options)
        give_labels(begun, 1, 5)
    again = Session(make_pool(), MacroF(), store=shelf.open(), **options)
    assert again.log.events == begun.log.events
    again.label(2)
    assert Session(make_pool(), MacroF(), store=shelf.open(), **options).log.events == again.log.events
    with pytest.raises(SessionMismatchError, match="q "):
        Session(make_pool(), MacroF(), store=shelf.open(), q=uniform_q(12), seed=4)


def test_a_session_of_another_q_is_not_one_of_the_optimal_q(make_pool: MakePool, shelf: Any) -> None:
    begun = Session(make_pool(), MacroF(), store=shelf.open(), q=uniform_q(12))
    give_labels(begun, 1, 3)
    with pytest.raises(SessionMismatchError, match="q "):
        Session(make_pool(), MacroF(), store=shelf.open(), protocol="papers")
