"""Grades given before a session: not asked again; labels at once where all of a query's results have one."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from activeeval_widgets.formats import read_session_file, verify, write_session
from activeeval_widgets.session import MemoryStore, Pool, Ranking, Result, Session
from activeeval_widgets.stats import DCG, NDCG, RankingPredictions, pool_value
from activeeval_widgets.widgets.wording.progress import progress_content

N = 24
GRADES = [0.0, 1.0, 2.0]


def grade(item: Any) -> float:
    return GRADES[sum(map(ord, str(item))) % 3]


def make(judged: dict[str, dict[str, float | None]] | None = None, **options: Any) -> Pool:
    rng = np.random.default_rng(1)
    lists: list[list[list[str]]] = [[], []]
    proba = []
    for query in range(N):
        items = [f"{query}-{i}" for i in range(6)]
        proba.append({item: rng.dirichlet(np.ones(3)) for item in items})
        for each in lists:
            each.append([items[i] for i in rng.permutation(6)[:4]])
    models = [RankingPredictions(each, proba, GRADES) for each in lists]
    shown = [
        Ranking(f"query {q}", [Result(i) for i in dict.fromkeys([*lists[0][q], *lists[1][q]])])
        for q in range(N)
    ]
    return Pool(shown, predictions=models, ids=[f"q{q}" for q in range(N)], judged=judged, **options)


def lists_of(pool: Pool, index: int, depth: int | None = None) -> set[str]:
    return {str(item) for model in pool.models for item in model.items(index)[:depth]}


def finish(session: Session, most: int = N) -> list[str]:
    """Answer all that is asked; return the queries."""
    asked = []
    while len(asked) < most and (present := session.next()) is not None:
        session.label({str(item): grade(item) for item in session.labels.items[present.index]})
        asked.append(present.instance_id)
    return asked


def test_what_is_judged_is_not_asked_again_and_changes_no_draw_and_no_estimate() -> None:
    pool = make()
    judged: dict[str, dict[str, float | None]] = {
        f"q{q}": {item: grade(item) for item in lists_of(pool, q)} for q in range(0, N, 3)
    }
    judged["q1"] = {item: grade(item) for item in sorted(lists_of(pool, 1))[:2]}
    judged["elsewhere"] = {"x": 1.0}
    plain, known = Session(make(), DCG(), seed=5), Session(make(judged), DCG(), seed=5)
    assert len(known.labels.items[1]) == len(plain.labels.items[1]) - 2
    assert set(judged["q1"]).isdisjoint(map(str, known.labels.items[1]))
    everything, asked = finish(plain), finish(known)
    assert set(asked) == set(everything) - judged.keys() | {"q1"}
    assert (known.n_labels, known.log.n_known_before) == (N, N // 3)
    # The same draws, in the same order, with the same labels, and so the same numbers.
    assert known.draws.so_far().tolist() == plain.draws.so_far().tolist()
    assert [known.log.label_of(i) for i in range(N)] == [plain.log.label_of(i) for i in range(N)]
    assert known.estimate() == plain.estimate()
    truth = [pool_value(DCG(), model, [known.log.label_of(i) for i in range(N)]) for model in known.models]
    assert known.estimate().value == pytest.approx(truth[0] - truth[1])


def test_known_labels_come_in_draw_order_and_count_no_budget() -> None:
    pool = make()
    half: dict[str, dict[str, float | None]] = {
        f"q{q}": {item: grade(item) for item in lists_of(pool, q)} for q in range(N // 2)
    }
    session = Session(make(half), DCG(), seed=2, budget=6)
    order = session.draws.so_far().tolist()
    n = 0
    while (present := session.next()) is not None:
        # All draws before the one that is asked have an answer, all that are known among them.
        assert session.n_labels == present.draw - 1
        finish(session, most=1)
        n += 1
    assert n == 6 == session.n_labels - session.log.n_known_before
    assert session.log.n_known_before > 0
    assert order == session.draws.so_far().tolist()[: len(order)]


def test_results_are_counted_once_for_a_query_and_apart_from_those_judged_before() -> None:
    pool = make()
    judged: dict[str, dict[str, float | None]] = {
        "q0": {item: grade(item) for item in lists_of(pool, 0)} | {"elsewhere": 1.0},
        "q1": {sorted(lists_of(pool, 1))[0]: 1.0, sorted(lists_of(pool, 1))[1]: None},
    }
    session = Session(make(judged), DCG(), seed=2)
    n_all = sum(len(set(lists_of(pool, q))) for q in range(N))
    n_before = len(set(lists_of(pool, 0))) + 1
    assert session.log.judged_results() == (n_before, n_all, n_before)
    present = session.next()
    asked = [str(item) for item in session.labels.items[present.index]]
    session.label({item: None if item == asked[0] else 1.0 for item in asked})
    assert session.log.judged_results() == (n_before + len(asked) - 1, n_all, n_before)
    text = progress_content(session, session.n_draws)["text"]
    assert f" · {n_before + len(asked) - 1} of {n_all} results judged, {n_before} of them before" in text
    finish(session)
    n_left_out = 2  # what could not be judged
    assert session.log.judged_results() == (n_all - n_left_out, n_all, n_before)
    assert " · 1 query judged before · " in progress_content(session, session.n_draws)["text"]
    shallow = Session(make(judged), DCG(1), seed=2).log.judged_results()
    assert N <= shallow[1] <= 2 * N


def test_undo_leaves_what_was_known() -> None:
    pool = make()
    half: dict[str, dict[str, float | None]] = {
        f"q{q}": {item: grade(item) for item in lists_of(pool, q)} for q in range(N // 2)
    }
    session = Session(make(half), DCG(), seed=2)
    [first] = finish(session, most=1)
    n_known = session.log.n_known_before
    assert session.undo().instance_id == first
    assert session.next().instance_id == first
    assert session.log.n_known_before == n_known
    finish(session, most=1)
    assert [person.who for person in session.people.all()] == [None]


def test_all_that_was_judged_counts_in_the_ideal_of_ndcg() -> None:
    """A grade of what no list holds is a part of the label: trec_eval's ideal counts it."""
    judged: dict[str, dict[str, float | None]] = {"q0": {"found by another ranker": 2.0}}
    session, plain = (Session(make(each), NDCG(3), seed=5) for each in (judged, None))
    finish(session), finish(plain)
    assert session.log.label_of(0)["found by another ranker"] == 2.0
    mean = [NDCG(3).statistics(s.models[0], [s.log.label_of(0)], np.array([0])) for s in (session, plain)]
    assert mean[0] < mean[1]


def test_a_log_stands_by_itself(tmp_path: Path) -> None:
    """Opened with other earlier grades, or none, a session says the same of what is labeled."""
    pool = make()
    judged: dict[str, dict[str, float | None]] = {
        f"q{q}": {item: grade(item) for item in lists_of(pool, q)} for q in range(N // 2)
    }
    judged["q0"]["found by another ranker"] = 2.0
    store = MemoryStore()
    begun = Session(make(judged), NDCG(3), seed=5, store=store)
    finish(begun, most=7)
    path = write_session(begun, tmp_path / "it.json")
    assert verify(path).findings == ()
    assert read_session_file(path).open().estimate() == begun.estimate()
    again = Session(make(), NDCG(3), seed=5, store=store)
    assert (again.estimate(), again.log.n_known_before) == (begun.estimate(), begun.log.n_known_before)
    assert begun.log.n_known_before > 0
    # What is drawn from now on is asked about, or not, by what is known now.
    assert finish(again)
    assert again.log.n_known_before == begun.log.n_known_before


def test_second_ranker_later_is_asked_for_new_documents_only() -> None:
    """After an update of the index: the grades of one session serve the next."""
    first = Session(make(), DCG(2), seed=1)
    finish(first)
    grades = first.log.judgments()
    deeper = Session(make(grades), DCG(4), seed=2)
    for index in range(N):
        before = lists_of(make(), index, 2)
        assert set(map(str, deeper.labels.items[index])) == lists_of(make(), index, 4) - before
    finish(deeper)
    assert deeper.log.judgments().keys() == grades.keys()
    assert all(grades[q].items() <= deeper.log.judgments()[q].items() for q in grades)


def test_what_could_not_be_judged_is_not_asked_again() -> None:
    pool = make()
    names = sorted(lists_of(pool, 0))
    some: dict[str, float | None] = {names[0]: None, names[1]: 1.0}
    session = Session(make({"q0": some}), DCG(), seed=5)
    finish(session)
    assert session.log.label_of(0)[names[0]] is None
    # Where nothing at all could be judged, the query is asked.
    nothing = Session(make({"q0": dict.fromkeys(names)}), DCG(), seed=5)
    assert len(nothing.labels.items[0]) == len(names)


@pytest.mark.parametrize(
    ("judged", "error", "message"),
    [
        ({"q0": {"0-1": 7}}, ValueError,
         r"judged\['q0'\]\['0-1'\] is 7, expected one of the grades 0, 1, 2, or None"),
        ({"q0": {"0-1": True}}, ValueError, r"judged\['q0'\]\['0-1'\] is True, expected one of the grades"),
        ({"q0": [1, 2]}, TypeError, r"judged\['q0'\] must map items to grades, got \[1, 2\]"),
        ([1], TypeError, r"judged must map queries to grades by item, got \[1\]"),
    ],
)  # fmt: skip
def test_bad_grades(judged: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=f"^{message}"):
        make(judged)


def test_grades_are_of_rankings() -> None:
    with pytest.raises(ValueError, match=r"^judged is for rankings"):
        Pool(["a", "b"], predictions=[[0.5, 0.5]] * 2, judged={"0": {"a": 1}})


@pytest.mark.parametrize(("n_rankers", "measure"), [(1, DCG(2)), (2, NDCG(2))])
def test_what_is_not_asked_about_is_not_estimated(n_rankers: int, measure: Any) -> None:
    """Lists are cut where the session's measure ends: a deeper one's value would be that of other lists."""
    whole = make()
    predictions = list(whole.models) if n_rankers == 2 else whole.models[0]
    session = Session(Pool(whole.instances, predictions=predictions), measure)
    finish(session, 10)
    assert session.estimate(same := type(measure)(2)).value == session.estimate(measure).value
    assert session.estimate(DCG(1)).n_labels == 10
    if n_rankers == 2:
        assert session.of(0).estimate(same).n_labels == 10
    for asked in (DCG(3), DCG(), NDCG(3), NDCG(), *([NDCG(2)] if n_rankers == 1 else [])):
        for estimate in (session.estimate, session.watched, session.known_value):
            with pytest.raises(ValueError, match=r"below the first 2 of each list, .*: begin a session with"):
                estimate(asked)
