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
    ClassPredictions,
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
def said() -> Any:
    """A pool of texts, and what each person would say of them."""
    rng = np.random.default_rng(0)
    truth = rng.integers(2, size=M)
    difficulty = 0.5 * rng.beta(0.5, 2, size=M)
    proba = np.where(rng.random(M) < 0.1, 1 - truth, truth) * 0.8 + 0.1
    pool = Pool([f"text {i}" for i in range(M)], predictions=np.stack([1 - proba, proba], axis=1))
    says = {who: truth ^ (rng.random(M) < difficulty) for who in ("Ada", "Bob", "Cleo")}
    return pool, says


def answer(sessions: list[Session], says: dict[str, Any], n: int) -> None:
    for turn in range(n):
        session = sessions[turn % len(sessions)]
        found = session.next()
        if found is not None and session.people.who is not None:
            session.label(int(says[session.people.who][found.index]))
    for session in sessions:
        session.refresh()


@pytest.mark.parametrize("protocol", ["adaptive", "papers"])
@pytest.mark.parametrize("options", [{"n_raters": 2}, {"second_opinions": 0.6}])
def test_what_is_told_is_what_people_said(said: Any, protocol: str, options: dict[str, Any]) -> None:
    pool, says = said
    sessions = people(pool, protocol=protocol, **options)
    answer(sessions, says, 200)
    rated = sessions[0].opinions.ratings()
    assert rated.raters == ("Ada", "Bob")
    assert len(rated.values) > 90
    n_double = 0
    for instance, row in zip(rated.draws.tolist(), rated.values, strict=True):
        n_double += None not in row
        assert any(value is not None for value in row)
        for who, value in zip(rated.raters, row, strict=True):
            assert value is None or value == says[str(who)][instance]
    if protocol == "adaptive":
        found = percent_agreement(rated.values, q_draws=rated.q_draws, n_instances=M, draws=rated.draws)
    else:
        found = percent_agreement(rated.values, weights=1 / (M * rated.q_draws), draws=rated.draws)
    assert found.n_double == n_double if protocol == "adaptive" else found.n_double <= n_double
    line = agreement_sentences(sessions[1])[0].replace("\N{NO-BREAK SPACE}", " ")
    assert line == (
        f"Two people agree on {100 * found.value:.0f}% of the pool ({100 * found.low:.0f} to "
        f"{100 * found.high:.0f}%): by {found.n_double} texts with two opinions or more, weighted so that "
        "they stand for the pool."
    )
    text = sessions[0].report()
    assert "## Agreement" in text
    assert line in text.replace("\N{NO-BREAK SPACE}", " ")
    assert "Two people agree on" in sessions[0].report(format="html")


def test_with_one_opinion_each_there_is_nothing_to_tell(said: Any) -> None:
    pool, says = said
    sessions = people(pool)
    answer(sessions, says, 40)
    assert agreement_sentences(sessions[0]) == []
    assert "Agreement" not in sessions[0].report()
    assert {sum(value is not None for value in row) for row in sessions[0].opinions.ratings().values} == {1}


def test_before_any_opinion(said: Any) -> None:
    pool, _says = said
    assert agreement_sentences(people(pool, n_raters=2)[0]) == [
        "How far people agree is not known yet: no instance has two opinions yet."
    ]


def test_ratings_end_where_an_opinion_is_missing(said: Any) -> None:
    """Who is slow is slow at what is difficult: what came after would be a choice of the easy ones."""
    pool, says = said
    ada, bob = people(pool, n_raters=2)
    for _turn in range(8):
        for session in (ada, bob):
            found = session.next()
            assert found is not None
            # Bob takes his time with the fourth draw.
            if session is bob and found.draw == 4:
                session.defer()
            else:
                session.label(int(says[str(session.people.who)][found.index]))
    ada.refresh()
    assert len(ada.opinions.ratings().values) == 3
    held = next(each for each in bob.upcoming(9) if each.draw == 4)
    while (found := bob.next()) is not None and found.draw != 4:
        bob.label(int(says["Bob"][found.index]))
    assert found is not None
    assert found.index == held.index
    bob.label(int(says["Bob"][found.index]))
    ada.refresh()
    assert len(ada.opinions.ratings().values) >= 7


def test_a_late_answer_that_was_not_asked_for_any_more_is_no_opinion(
    said: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    pool, _says = said
    time = [datetime(2026, 1, 1, tzinfo=UTC)]
    monkeypatch.setattr(clock, "now", lambda: time[0])
    ada, bob = people(pool, second_opinions=1e-9, lease_seconds=60)
    slow = ada.next()
    assert slow is not None
    time[0] += timedelta(seconds=90)
    fast = bob.next()
    assert fast is not None
    assert fast.draw == slow.draw
    assert isinstance(bob.label(1), Labeled)
    assert isinstance(ada.label(0, draw=slow.draw), GaveOpinion)
    assert ada.opinions.about(slow.index) == {"Bob": 1, "Ada": 0}
    assert (ada.opinions.ratings().raters, ada.opinions.ratings().values) == (("Bob",), [[1]])


def test_what_somebody_decided_is_no_opinion(said: Any) -> None:
    pool, says = said
    ada, bob = people(pool, n_raters=2)
    answer([ada, bob], says, 160)
    before, lines = ada.opinions.ratings(), agreement_sentences(ada)[:2]
    for each in ada.opinions.disagreements():
        ada.opinions.adjudicate(each.instance, each.answers["Bob"])
    assert len(ada.opinions.disagreements()) > 3
    assert ada.opinions.ratings().values == before.values
    assert agreement_sentences(ada)[:2] == lines


def test_sentences_with_enough_opinions(said: Any) -> None:
    pool, says = said
    ada, bob = people(pool, n_raters=2)
    answer([ada, bob], says, 120)
    text = "\n".join(agreement_sentences(ada)).replace("\N{NO-BREAK SPACE}", " ")
    assert "Beyond chance: Cohen's kappa 0." in text
    assert "Krippendorff's alpha 0." in text
    assert "of the estimate's variance is due to who answered, the rest to which texts were drawn." in text
    assert (
        "labels of further texts help more than second opinions, unless getting one of the texts costs"
        in text
    )
    assert "what one of these people, chosen at random, would say" in text
    assert "25% of the pool is labeled, and the interval is about the pool as it was labeled" in text


def test_three_people_have_fleiss_kappa(said: Any) -> None:
    pool, says = said
    sessions = people(pool, names=("Ada", "Bob", "Cleo"), n_raters=2)
    answer(sessions, says, 240)
    text = "\n".join(agreement_sentences(sessions[2]))
    assert "Fleiss' kappa 0." in text
    assert "Cohen" not in text


def test_few_opinions_say_little(said: Any) -> None:
    pool, says = said
    ada, bob = people(pool, n_raters=2)
    answer([ada, bob], says, 8)
    lines = [line.replace("\N{NO-BREAK SPACE}", " ") for line in agreement_sentences(ada)]
    assert lines[0].startswith("How far people agree is hardly known yet: on ")
    assert lines[0].endswith("% of the pool, by 4 texts with two opinions or more.")
    assert lines[1] == "How much more they agree than by chance is not known yet: the intervals are too wide."
    assert lines[2].startswith(
        "How much of the error is due to who answers is not known yet: 4 draws have two"
    )


def test_with_all_labeled_there_is_nothing_more_to_draw() -> None:
    rng = np.random.default_rng(1)
    truth = rng.integers(2, size=50)
    pool = Pool([f"text {i}" for i in range(50)], predictions=ClassPredictions(np.eye(2)[truth] * 0.6 + 0.2))
    ada, bob = people(pool, n_raters=2)
    answer([ada, bob], {who: truth ^ (rng.random(50) < 0.1) for who in ("Ada", "Bob")}, 100)
    assert ada.n_labels == 50
    text = "\n".join(agreement_sentences(ada)).replace("\N{NO-BREAK SPACE}", " ")
    assert "of the pool: all of it has two opinions." in text
    assert "All of the pool is labeled: only further opinions tell more." in text
    assert "100% of the pool is labeled" in text


def test_numbers_have_krippendorffs_alpha() -> None:
    rng = np.random.default_rng(2)
    truth = rng.normal(size=80)
    pool = Pool([f"text {i}" for i in range(80)], predictions=ValuePredictions(truth, np.ones(80)))
    ada, bob = people(pool, SquaredError(), n_raters=2, y_range=(-9, 9))
    says = {who: truth + rng.normal(size=80) / 2 for who in ("Ada", "Bob")}
    for _turn in range(50):
        for session in (ada, bob):
            found = session.next()
            assert found is not None
            session.label(float(says[str(session.people.who)][found.index]))
    ada.refresh()
    rated = ada.opinions.ratings()
    found = krippendorff_alpha(rated.values, distance="interval", q_draws=rated.q_draws, n_instances=80)
    lines = agreement_sentences(ada)
    assert lines[0].startswith(f"Beyond chance: Krippendorff's alpha {found.value:.2f} (")
    assert "of the estimate's variance is due to who answered" in lines[1]


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
            assert found is not None
            session.label({item: int(rng.integers(2)) for item in lists[found.index]})
    ada.refresh()
    lines = agreement_sentences(ada)
    assert "variance is due to who answered" in lines[0]
