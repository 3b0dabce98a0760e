"""How far people agree, as a session tells it: which answers are taken, and the sentences of the report."""

from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest

from activeeval_widgets.session import MemoryStore, Pool, Ranking, Result, Session, clock
from activeeval_widgets.session.log.events import GaveOpinion, Labeled
from activeeval_widgets.session.report.agreement import agreement_sentences
from activeeval_widgets.stats import (
    DCG,
    ErrorRate,
    RankingPredictions,
    SquaredError,
    ValuePredictions,
    krippendorff_alpha,
    percent_agreement,
)

M = 240


def people(
    pool: Pool, measure: Any = None, names: tuple[str, ...] = ("Ada", "Bob"), **options: Any
) -> list[Session]:
    store = MemoryStore()
    return [Session(pool, measure or ErrorRate(), store=store, who=who, **options) for who in names]


@pytest.fixture
def pool_and_answers() -> Any:
    """A pool of texts, and what each person would answer."""
    rng = np.random.default_rng(0)
    truth = rng.integers(2, size=M)
    difficulty = 0.5 * rng.beta(0.5, 2, size=M)
    proba = np.where(rng.random(M) < 0.1, 1 - truth, truth) * 0.8 + 0.1
    pool = Pool([f"text {i}" for i in range(M)], predictions=np.stack([1 - proba, proba], axis=1))
    answers = {who: truth ^ (rng.random(M) < difficulty) for who in ("Ada", "Bob", "Cleo")}
    return pool, answers


def answer(sessions: list[Session], answers: dict[str, Any], n: int) -> None:
    for turn in range(n):
        session = sessions[turn % len(sessions)]
        found = session.next()
        if found is not None and session.people.who is not None:
            session.label(int(answers[session.people.who][found.index]))
    for session in sessions:
        session.refresh()


@pytest.mark.parametrize("protocol", ["adaptive", "papers"])
@pytest.mark.parametrize("options", [{"n_raters": 2}, {"second_opinions": 0.6}])
def test_what_is_reported_is_what_people_said(
    pool_and_answers: Any, protocol: str, options: dict[str, Any]
) -> None:
    pool, answers = pool_and_answers
    sessions = people(pool, protocol=protocol, **options)
    answer(sessions, answers, 200)
    rated = sessions[0].opinions.ratings()
    assert rated.raters == ("Ada", "Bob")
    assert len(rated.values) > 90
    n_double = 0
    for instance, row in zip(rated.draws.tolist(), rated.values, strict=True):
        n_double += None not in row
        assert any(value is not None for value in row)
        for who, value in zip(rated.raters, row, strict=True):
            assert value is None or value == answers[str(who)][instance]
    if protocol == "adaptive":
        found = percent_agreement(rated.values, q_draws=rated.q_draws, n_instances=M, draws=rated.draws)
    else:
        found = percent_agreement(rated.values, weights=1 / (M * rated.q_draws), draws=rated.draws)
    assert found.n_double == n_double if protocol == "adaptive" else found.n_double <= n_double
    line = agreement_sentences(sessions[1])[0].replace("\N{NO-BREAK SPACE}", " ")
    value, low, high = (f"{100 * each:.0f}" for each in (found.value, found.low, found.high))
    assert f" {value}% of the pool ({low} to {high}%): by {found.n_double} texts " in line
    text = sessions[0].report()
    assert "## Agreement" in text
    assert line in text.replace("\N{NO-BREAK SPACE}", " ")
    assert "Agreement" in sessions[0].report(format="html")


def test_with_one_opinion_each_there_is_nothing_to_tell(pool_and_answers: Any) -> None:
    pool, answers = pool_and_answers
    sessions = people(pool)
    answer(sessions, answers, 40)
    assert agreement_sentences(sessions[0]) == []
    assert "Agreement" not in sessions[0].report()
    assert {sum(value is not None for value in row) for row in sessions[0].opinions.ratings().values} == {1}


def test_ratings_end_where_an_opinion_is_missing(pool_and_answers: Any) -> None:
    """Who is slow is slow at what is difficult: what came after would be a choice of the easy ones."""
    pool, answers = pool_and_answers
    ada, bob = people(pool, n_raters=2)
    for _turn in range(8):
        for session in (ada, bob):
            found = session.next()
            assert found is not None
            # Bob takes his time with the fourth draw.
            if session is bob and found.draw == 4:
                session.defer()
            else:
                session.label(int(answers[str(session.people.who)][found.index]))
    ada.refresh()
    assert len(ada.opinions.ratings().values) == 3
    held = next(each for each in bob.upcoming(9) if each.draw == 4)
    while (found := bob.next()) is not None and found.draw != 4:
        bob.label(int(answers["Bob"][found.index]))
    assert found.index == held.index
    bob.label(int(answers["Bob"][found.index]))
    ada.refresh()
    assert len(ada.opinions.ratings().values) >= 7


def test_a_late_answer_that_was_not_asked_for_any_more_is_no_opinion(
    pool_and_answers: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    pool, _answers = pool_and_answers
    time = [datetime(2026, 1, 1, tzinfo=UTC)]
    monkeypatch.setattr(clock, "now", lambda: time[0])
    ada, bob = people(pool, second_opinions=1e-9, lease_seconds=60)
    slow = ada.next()
    assert slow is not None
    time[0] += timedelta(seconds=90)
    fast = bob.next()
    assert fast.draw == slow.draw
    assert isinstance(bob.label(1), Labeled)
    assert isinstance(ada.label(0, draw=slow.draw), GaveOpinion)
    assert ada.opinions.about(slow.index) == {"Bob": 1, "Ada": 0}
    assert (ada.opinions.ratings().raters, ada.opinions.ratings().values) == (("Bob",), [[1]])


def test_what_somebody_decided_is_no_opinion(pool_and_answers: Any) -> None:
    pool, answers = pool_and_answers
    ada, bob = people(pool, n_raters=2)
    answer([ada, bob], answers, 160)
    before, lines = ada.opinions.ratings(), agreement_sentences(ada)[:2]
    for each in ada.opinions.disagreements():
        ada.opinions.adjudicate(each.instance, each.answers["Bob"])
    assert len(ada.opinions.disagreements()) > 3
    assert ada.opinions.ratings().values == before.values
    assert agreement_sentences(ada)[:2] == lines


def test_numbers_have_krippendorffs_alpha() -> None:
    rng = np.random.default_rng(2)
    truth = rng.normal(size=80)
    pool = Pool([f"text {i}" for i in range(80)], predictions=ValuePredictions(truth, np.ones(80)))
    ada, bob = people(pool, SquaredError(), n_raters=2, y_range=(-9, 9))
    answers = {who: truth + rng.normal(size=80) / 2 for who in ("Ada", "Bob")}
    for _turn in range(50):
        for session in (ada, bob):
            found = session.next()
            session.label(float(answers[str(session.people.who)][found.index]))
    ada.refresh()
    rated = ada.opinions.ratings()
    found = krippendorff_alpha(rated.values, distance="interval", q_draws=rated.q_draws, n_instances=80)
    alpha, variance = agreement_sentences(ada)[:2]
    assert f" {found.value:.2f} (" in alpha
    assert "variance" in variance


def test_graded_lists_have_the_variance_alone() -> None:
    rng = np.random.default_rng(3)
    n = 60
    lists = [[f"a{i}", f"b{i}"] for i in range(n)]
    proba = [{item: rng.dirichlet([1, 1]) for item in items} for items in lists]
    pool = Pool(
        [Ranking(f"query {i}", [Result(item) for item in items]) for i, items in enumerate(lists)],
        predictions=RankingPredictions(lists, proba, grades=[0, 1]),
        kind="ranking",
    )
    ada, bob = people(pool, DCG(), n_raters=2)
    for _turn in range(50):
        for session in (ada, bob):
            found = session.next()
            session.label({item: int(rng.integers(2)) for item in lists[found.index]})
    ada.refresh()
    assert "variance" in agreement_sentences(ada)[0]
