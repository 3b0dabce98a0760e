"""Labels that are carried over from an earlier session: found by content, drawn anew, never asked again."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from activeeval_widgets import Pool, Session, evaluate
from activeeval_widgets.formats import read_session_file, verify, write_session
from activeeval_widgets.formats.label_tables import labels_frame
from activeeval_widgets.formats.tasks import annotations
from activeeval_widgets.session import MemoryStore, Ranking, Result, SessionMismatchError, StoreError, Text
from activeeval_widgets.session.findings.requirement import require_no_drop
from activeeval_widgets.session.log.events import Excluded, to_record
from activeeval_widgets.session.log.people import BEFORE
from activeeval_widgets.session.pool.content import labels_by_content
from activeeval_widgets.session.report.method import method_of
from activeeval_widgets.stats import (
    DCG,
    NDCG,
    AdaptiveConfidenceSequence,
    ClassPredictions,
    ErrorRate,
    LabelShare,
    RankingPredictions,
    adaptive_q,
)
from activeeval_widgets.widgets.wording.progress import progress_content

M = 60
rng = np.random.default_rng(4)
P = rng.uniform(0.05, 0.95, M)
TRUE = (rng.random(M) < P).astype(int)
TEXTS = [f"text {i}" for i in range(M)]
KEPT = 40  # texts that are there the next week again, in another order and with other ids


def old_session(n=20, **options):
    pool = Pool(TEXTS, predictions=np.column_stack([1 - P, P]), ids=[f"old-{i}" for i in range(M)])
    session = Session(pool, ErrorRate(), name="week 1", who="ada", **options)
    for _ in range(n):
        session.label(int(TRUE[session.next().index]))
    return session


def new_pool(**options):
    texts = [*reversed(TEXTS[:KEPT]), *(f"new {i}" for i in range(M - KEPT))]
    return Pool(texts, predictions=np.column_stack([P, 1 - P]), **options)


def new_session(after, **options):
    return Session(new_pool(), ErrorRate(), **{"name": "week 2", "after": after, **options})


def expected_of(old):
    """The labels that the new pool has at first: of the texts that it keeps."""
    labels = old.log.state.labels
    return {KEPT - 1 - index: label for index, label in labels.items() if index < KEPT}


def answer(session, n):
    """Answer n questions with 0; return the instances."""
    asked = []
    for _ in range(n):
        asked.append(session.next().index)
        session.label(0)
    return asked


NO_INTERVAL = [(0, 1), (1, "high"), (2, 2.0), (2, None), (3, False), (4, -1), (4, 1.5)]
"""Positions in a session's entry of the course, and what can't be there."""


def records(session):
    return [{**vars(event), "time": None} for event in session.log]


def test_labels_are_found_by_content_and_answer_their_draws():
    old = old_session()
    old.change(next(index for index in old.log.state.labels if index < KEPT), 1)
    expected = expected_of(old)
    new = new_session(old, budget=12)
    event = new.log[0]
    assert (event.kind, event.session) == ("carry_over", "week 1")
    assert dict(zip(event.instances, event.values, strict=True)) == expected
    assert set(event.sessions) == {"week 1"}
    assert set(event.raters) == {"ada"}
    asked = answer(new, 12)
    assert new.is_done  # answered draws cost nothing of the budget
    assert not set(asked) & expected.keys()
    free = [each for each in new.log if each.kind == "label" and each.who == BEFORE]
    assert len(free) > 5
    for each in free:
        assert (each.value, each.from_session, each.rater) == (expected[each.instance], "week 1", "ada")
    assert new.n_labels == 12 + len(free) == new.n_draws
    assert new.log.n_known_before == len(free)
    text = progress_content(new, new.n_draws)["text"]
    assert f"12 of 12 labels · {len(free)} of {len(expected)} carried over" in text
    assert method_of(new.findings, new.watched())[-1].startswith(
        f"{len(expected)} labels were carried over from the session week 1, to texts with the same content. "
        f"They guide the draws and answered {len(free)} draws. "
    )
    assert f"; {len(free)} carried over" in new.report()
    assert f"- carried over: {len(free)} answers\n- not named: 12 answers" in new.report()
    assert BEFORE not in new.report()
    assert "carried over" not in old.report()


def test_the_first_q_knows_the_labels_and_that_they_are_free():
    old = old_session()
    new = new_session(old)
    costs = np.ones(M)
    costs[[*expected_of(old)]] = 0.03
    known = [*expected_of(old)], [*expected_of(old).values()]
    q = adaptive_q(ErrorRate(), new.pool.models[0], prior=known, costs=costs)
    assert new.log[1].q[0] == pytest.approx(q[new.log[1].instances[0]], rel=1e-12)
    answer(new, 10)
    block = next(event for event in new.log[2:] if event.kind == "draw")
    labeled = [each.instance for each in new.log[: block.seq] if each.kind == "label"]
    pending = [i for i in new.log[1].instances if i not in labeled]
    prior = [index for index in expected_of(old) if index not in labeled]
    q = adaptive_q(
        ErrorRate(), new.pool.models[0], labeled, [new.log.label_of(i) for i in labeled], drawn=pending,
        prior=(prior, [expected_of(old)[i] for i in prior]), costs=costs,
    )  # fmt: skip
    assert block.q[0] == pytest.approx(q[block.instances[0]], rel=1e-12)


def test_a_label_carried_over_costs_a_small_share_of_its_own_cost():
    old, costs = old_session(), np.linspace(1, 5, M)
    session = Session(new_pool(costs=costs), ErrorRate(), name="week 2", after=old)
    expected = [0.03 * cost if index in expected_of(old) else cost for index, cost in enumerate(costs)]
    np.testing.assert_allclose(session.draws.source._costs(None), expected, rtol=1e-12)


def test_votes_are_known_from_the_first_draw_when_the_session_goes_on(tmp_path):
    """Their first q is not uniform: it is computed with the labels, and again when it is opened again."""
    old = old_session()
    votes = ClassPredictions.from_votes(np.column_stack([2 * (1 - TRUE), 2 * TRUE + 1]))
    pool = Pool(new_pool().instances, predictions=votes)
    new = Session(pool, ErrorRate(), after=old, store=tmp_path / "a.sqlite")
    answer(new, 5)
    new.store.close()
    again = Session(pool, ErrorRate(), store=tmp_path / "a.sqlite")
    assert again.draws.n_of_other_version() == 0
    again.store.close()


def test_what_was_excluded_is_asked_again_and_contradictions_are():
    old = old_session(0)
    pool = Pool(["a", "a", "b", "c"], predictions=[[0.5, 0.5]] * 4)
    old = Session(pool, ErrorRate(), name="old")
    for _ in range(4):
        index = old.next().index
        old.exclude() if index == 3 else old.label(index % 2)
    new = Session(Pool(["c", "b", "a", "b", "d"], predictions=[[0.5, 0.5]] * 5), ErrorRate(), after=old)
    assert new.log[0].instances == [1, 3]  # "b" twice; "a" was 0 and 1, "c" excluded
    assert vars(new.log[0])["values"] == [0, 0]


def test_labels_go_on_over_several_weeks():
    first = old_session()
    second = new_session(first)
    asked = answer(second, 3)
    third = Session(new_pool(), ErrorRate(), name="week 3", after=second)
    event = third.log[0]
    origin = dict(zip(event.instances, zip(event.sessions, event.raters, strict=True), strict=True))
    assert event.session == "week 2"
    assert origin.keys() == expected_of(first).keys() | set(asked)
    assert {origin[index] for index in asked} == {("week 2", None)}
    assert {origin[index] for index in expected_of(first)} == {("week 1", "ada")}


def test_content_is_what_is_shown(tmp_path):
    (tmp_path / "a.png").write_bytes(b"first")
    (tmp_path / "b.png").write_bytes(b"second")
    (tmp_path / "copy.png").write_bytes(b"first")
    paths = [tmp_path / name for name in ("a.png", "b.png", "gone.png")]
    pairs = [
        (["x", Text("y", spans=[(0, 1)])], [Text("y"), "x"], {1: 0}),
        ([("x", "y"), ("y", "x")], [("y", "x"), ("x", "z")], {0: 1}),
        (
            pd.DataFrame({"a": [1, 2], "b": ["x", "y"]}),
            pd.DataFrame({"b": ["y", "y"], "a": [2.0, np.nan]}),
            {0: 1},
        ),
        (paths, [tmp_path / "copy.png", tmp_path / "gone.png", b"second"], {0: 0, 2: 1}),
        ([np.zeros((2, 2)), np.ones((2, 2))], [np.ones((2, 2)), np.ones((1, 2))], {0: 1}),
    ]
    for before, after, expected in pairs:
        old, new = (
            Pool(each, predictions=[[0.5, 0.5]] * len(each), kind="image" if expected.get(2) else None)
            for each in (before, after)
        )
        labels = {index: Stored(index) for index in range(len(before))}
        assert {i: label.value for i, label in labels_by_content(old, labels, new).items()} == expected
    custom = Pool(range(3), predictions=[[0.5, 0.5]] * 3, kind="custom")  # nobody knows what these show
    assert labels_by_content(custom, {0: Stored(0)}, custom) == {}
    assert (
        labels_by_content(Pool(["x"], predictions=[[0.5, 0.5]], kind="custom"), {0: Stored(0)}, Pool(["x"]))
        != {}
    )


class Stored:
    def __init__(self, value):
        self.value = value


def test_it_goes_on_in_its_store_without_the_earlier_session(tmp_path):
    old = old_session()
    stored = new_session(old, store=tmp_path / "a.sqlite")
    answer(stored, 6)
    stored.store.close()
    again = new_session(None, store=tmp_path / "a.sqlite")
    alone = new_session(old)
    answer(alone, 6)
    assert records(again) == records(alone)
    assert again.next() == alone.next()
    assert again.draws.n_of_other_version() == 0
    old.label(1)  # what it learns later is not carried over
    assert records(new_session(old, store=again.store)) == records(alone)
    plain = new_session(None, name="week 3", store=again.store)
    with pytest.raises(
        SessionMismatchError, match=r"'week 3' was begun without after, and now it is after 'week 1'"
    ):
        new_session(old, name="week 3", store=plain.store)
    again.store.close()


def test_it_is_stored_with_the_session_or_not_at_all():
    class Full(MemoryStore):
        def begin_with(self, name, identity, records):
            raise StoreError("the disk is full")

    store = Full()
    with pytest.raises(StoreError, match="the disk is full"):
        new_session(old_session(), store=store)
    assert store.names() == []


def test_every_number_is_recomputed_from_the_file(tmp_path):
    new = new_session(old_session())
    answer(new, 10)
    path = write_session(new, tmp_path / "session.json")
    assert verify(path).follows
    assert read_session_file(path).open().next() == new.next()
    document = json.loads(path.read_text())
    free = next(i for i, each in enumerate(document["log"]) if each.get("from_session"))
    asked = next(
        i for i, each in enumerate(document["log"]) if each["kind"] == "label" and "from_session" not in each
    )
    [course] = document["log"][0]["course"]
    changes = [
        (free, {"value": 1 - document["log"][free]["value"]}),
        (free, {"from_session": "week 0"}),
        (free, {"rater": "bob"}),
        (asked, {"from_session": "week 1", "rater": "ada"}),
        (0, {"values": [1 - value for value in document["log"][0]["values"]]}),
        (0, {"instances": [*document["log"][0]["instances"][:-1], document["log"][0]["instances"][0]]}),
        (0, {"instances": [*document["log"][0]["instances"][:-1], M]}),
        (0, {"sessions": document["log"][0]["sessions"][1:]}),
        (0, {"raters": [1, *document["log"][0]["raters"][1:]]}),
        (0, {"session": None}),
        (0, {"values": [2, *document["log"][0]["values"][1:]]}),
        (0, {name: [] for name in ("instances", "values", "sessions", "raters")}),
        *((0, {"course": [[*course[:at], wrong, *course[at + 1 :]]]}) for at, wrong in NO_INTERVAL),
        *((0, {"course": wrong}) for wrong in ({}, [course[:-1]], ["week 1"], None)),
    ]
    for position, change in changes:
        log = [dict(each) for each in document["log"]]
        log[position] |= change
        (tmp_path / "changed.json").write_text(json.dumps({**document, "log": log}))
        texts = [
            str(found)
            for found in verify(tmp_path / "changed.json").findings
            if "does not follow" in str(found)
        ]
        assert texts, change
    late = [*document["log"][:2], {**document["log"][0], "seq": 3}]
    (tmp_path / "changed.json").write_text(json.dumps({**document, "log": late}))
    assert any("does not follow" in str(found) for found in verify(tmp_path / "changed.json").findings)


def test_the_history_and_python_have_it():
    new = new_session(old_session())
    assert new.history()["kind"].tolist()[:2] == ["carry_over", "draw"]
    answer(new, 10)
    new.people.who = "bob"
    first = next(each.instance for each in new.log if each.kind == "label" and each.rater)
    new.change(first, 1 - new.log.label_of(first))
    who = new.labels_table().set_index("instance_id")["who"]
    carried = [new.pool.ids[each.instance] for each in new.log if each.kind == "label" and each.rater]
    assert who[new.pool.ids[first]] == "bob"
    assert set(who[carried]) == {"ada", "bob"}
    assert who.drop(carried).isna().all()
    exported = labels_frame(new).set_index("id")["who"]
    assert exported.dropna().to_dict() == who.dropna().to_dict()
    named = {new.pool.ids[index]: None for index in new.log.state.labels} | exported.dropna().to_dict()
    tasks = map(json.loads, annotations(new, "prodigy", with_predictions=True).splitlines())
    assert {each["instance_id"]: each["_annotator_id"] for each in tasks} == named
    for task in json.loads(annotations(new, "label-studio")):
        by = task["annotations"][0]["completed_by"]
        assert (by or {"email": None})["email"] == named[task["data"]["instance_id"]]
    app = evaluate(new_pool().instances, np.column_stack([P, 1 - P]), "error-rate", after=old_session())
    assert app.session.log.state.after == "week 1"
    fixed = new_session(old_session(), protocol="papers")  # a fixed q asks for no label that is there either
    asked = answer(fixed, 20)
    assert fixed.log.n_known_before > 0
    assert not set(asked) & fixed.log.state.carried.keys()


def test_errors_name_argument_value_and_remedy():
    old = old_session()
    with pytest.raises(TypeError, match="after must be a Session, got 'week 1'"):
        new_session("week 1")
    with pytest.raises(ValueError, match=r"after can't be used where labels are given, too"):
        Session(new_pool(labels={"0": 1}), ErrorRate(), after=old)
    other = Pool(TEXTS, predictions=ClassPredictions(np.column_stack([P, 1 - P]), classes=["ham", "spam"]))
    with pytest.raises(
        ValueError, match=r"after 'week 1', id '\d+': label is [01], expected one of the classes"
    ):
        Session(other, ErrorRate(), after=old)


@pytest.mark.parametrize("measure", [DCG(2), NDCG(2)])
def test_rankings_follow_one_another_without_their_grades(measure):
    def week(name, after=None):
        pool = Pool(
            [Ranking(f"{name} {i}", [Result("a"), Result("b")]) for i in range(20)],
            predictions=RankingPredictions(
                [["a", "b"]] * 20, [{"a": [0.2, 0.8], "b": [0.8, 0.2]}] * 20, grades=[0, 1]
            ),
        )
        session = Session(pool, measure, name=name, after=after)
        for _ in range(8):
            session.next()
            session.label({"a": int(name == "May"), "b": int(name == "June")})
        return session

    june = week("June", after=week("May"))
    assert june.log.state.carried == {}
    assert june.log.state.after == "May"
    course = june.findings.course()
    assert course.sessions == ("May", "June")
    assert 0 < course.estimates[0].low < course.estimates[0].value
    assert course.drop("May").high > 0
    assert "lower than in May" in require_no_drop(june.findings, "May").contrary


@pytest.mark.parametrize(("n_carried", "n_errors", "n_rest"), [(1, 1, 11)])
def test_the_interval_holds_over_all_orders_whatever_was_done_about_the_labels(n_carried, n_errors, n_rest):
    """All errors that were found are repaired: every label that is carried over says that the model is right.

    The truth is left out at any draw with no more than 1 − level, over all orders of draws with their
    probabilities. Instances are predicted alike, so an order is told by where each sort is in it.
    """
    m, level = n_carried + n_errors + n_rest, 0.6
    sort = np.repeat([0, 1, 2], [n_carried, n_errors, n_rest])
    model = ClassPredictions(np.tile([0.4, 0.6], (m, 1)))
    texts = [f"{i}" for i in range(m)]
    old = Session(Pool(texts[:n_carried], predictions=model.y_proba[:n_carried]), ErrorRate())
    for _ in range(n_carried):
        old.label(1)
    new = Session(Pool(texts, predictions=model), ErrorRate(), after=old, confidence_level=level)
    q, y = new.draws.source.distribution(0), (sort != 1).astype(int)
    assert q[0] > 4 * q[-1]
    sequence = AdaptiveConfidenceSequence(ErrorRate(), model, confidence_level=level)
    ends = {True: 0.0, False: 0.0}

    def go_on(sequence, left, probability):
        """Try each sort as the next; orders with the same beginning share its bets."""
        weights = [n * q[sort == which][0] for which, n in enumerate(left)]
        for each in np.flatnonzero(weights).tolist():
            now, of_now = sequence.copy(), probability * weights[each] / sum(weights)
            rest = [n - (which == each) for which, n in enumerate(left)]
            index = int(np.flatnonzero(sort == each)[rest[each]])
            now.update(index, q, int(y[index]))
            is_missed = not now.low <= n_errors / m <= now.high
            if is_missed or not any(rest):
                ends[is_missed] += of_now
            else:
                go_on(now, rest, of_now)

    go_on(sequence, [n_carried, n_errors, n_rest], 1.0)
    assert sum(ends.values()) == pytest.approx(1)
    assert 0 < ends[True] <= 1 - level
    # The session's interval is this one, for the order that it has drawn.
    sequence.restart()
    while (asked := new.next()) is not None:
        new.label(int(y[asked.index]))
    drawn = [index for event in new.log if event.kind == "draw" for index in event.instances]
    lows = []
    for index in drawn[:-1]:
        sequence.update(index, q, int(y[index]))
        lows.append(sequence.low)
    assert new.watched().at(np.arange(1, m))[0] == pytest.approx(lows, rel=1e-9)


def test_a_stored_log_may_not_ask_for_a_carried_label():
    """A person's label or exclusion in the place of what is carried over does not follow."""
    new = new_session(old_session())
    answer(new, 10)
    label = next(each for each in new.log if each.kind == "label" and each.from_session)
    log = [to_record(each) for each in new.log[: label.seq - 1]]
    names = ("seq", "time", "instance", "instance_id", "draw", "q")
    excluded = Excluded(**{name: vars(label)[name] for name in names})
    for own in (replace(label, who=None, from_session=None, rater=None), excluded):
        store = MemoryStore()
        store.begin_with("week 2", new.storage.identity, [*log, to_record(own)])
        with pytest.raises(SessionMismatchError, match="does not follow from its draws"):
            new_session(None, store=store)


def test_votes_may_arrive_later_and_the_labels_stay_where_other_rows_do():
    """Half of the pool has votes; with all of them, and a new row, another session follows."""
    is_right = np.random.default_rng(3).random(M) < 0.9
    votes = np.where(is_right, TRUE, 1 - TRUE).astype(object)[:, np.newaxis]
    some = votes.copy()
    some[::2] = None
    pools = [
        Pool(texts, predictions=ClassPredictions.from_votes(each, classes=[0, 1]))
        for each, texts in ((some, TEXTS), (votes, [*TEXTS[:-1], "new"]))
    ]
    first = Session(pools[0], LabelShare(1), name="some votes", seed=1)
    for _ in range(12):
        first.label(int(TRUE[first.next().index]))
    second = Session(pools[1], LabelShare(1), name="all votes", seed=1, after=first)
    carried = second.log.state.carried
    known = {index: label for index, label in first.log.state.labels.items() if index < M - 1}
    assert {index: label.value for index, label in carried.items()} == known
    for _ in range(10):
        second.label(int(TRUE[second.next().index]))
    assert second.n_labels > 10  # some are answered without asking
    assert second.draws.n_of_other_version() == 0
    found = second.estimate()
    assert found.low <= TRUE.mean() <= found.high
