"""What whoever has draws may rely on, whichever way they are made: each test is run on every protocol."""

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from activeeval_widgets.session import Findings, MemoryStore, Pool, Session
from activeeval_widgets.session.draws.make_draws import PROTOCOLS
from activeeval_widgets.session.draws.protocol import Draws
from activeeval_widgets.stats import ErrorRate, FMeasure

MakePool = Callable[..., Pool]


@pytest.fixture(params=PROTOCOLS)
def session(request: pytest.FixtureRequest, make_pool: MakePool) -> Session:
    begun = Session(make_pool(80), ErrorRate(), protocol=request.param, seed=4)
    while begun.n_labels < 18:
        begun.label(begun.n_labels % 3)
        if begun.n_labels == 5:
            begun.exclude()
            begun.defer()
    return begun


def members(protocol: Any) -> list[str]:
    names = [*vars(protocol), *protocol.__annotations__]
    return sorted(name for name in names if not name.startswith("_"))


def test_nothing_is_missing(session: Session) -> None:
    assert len(members(Draws)) > 20
    for name in members(Draws):
        inspect.getattr_static(session.draws.source, name)


def test_every_draw_has_its_distribution(session: Session) -> None:
    numbers, q = session.draws.drawn()
    draws = session.draws.source.first(int(numbers[-1]))
    for number, probability in zip(numbers.tolist(), q.tolist(), strict=True):
        came_from = session.draws.q_at(number)
        assert came_from.sum() == pytest.approx(1)
        # Without replacement, q is that of the block: what came before in the block makes it larger.
        assert came_from[draws[number - 1]] <= probability * (1 + 1e-12)
        assert session.draws.n_left(number) <= session.pool.n_instances
    assert (session.draws.source.drawable[draws]).all()
    assert session.draws.is_replaced == (session.draws.n_left(7) == session.draws.n_left(1))
    expected = session.draws.expected_q()
    assert expected.shape == session.q.shape
    assert expected.sum() == pytest.approx(1)


def test_what_is_stored_ahead_can_be_added_once(session: Session) -> None:
    draws = session.draws.source
    assert not draws.is_due
    assert not draws.can_add(1, [0], [0.5], 0.1)
    if not draws.is_replaced:
        block = draws.next_block()
        assert draws.can_add(*block)
        draws.add(*block[1:])
        assert not draws.can_add(*block)


@pytest.mark.parametrize("interval", ["confidence_sequence", "wald", "t", "wilson", "clopper_pearson"])
@pytest.mark.parametrize("estimator", [None, "self_normalized", "difference", "adaptive"])
def test_an_estimate_is_given_or_refused_in_words(
    session: Session, interval: str, estimator: str | None
) -> None:
    """The same options under both protocols: what does not hold is told with what does."""
    holds = interval in session.findings.intervals() and (
        estimator is None or estimator in session.findings.estimators
    )
    if holds:
        found = session.estimate(interval=interval, estimator=estimator)
        assert found.interval == interval
        assert found.estimator == (estimator or session.findings.estimators[0])
        assert session.trajectory(interval=interval, estimator=estimator) == [found]
    else:
        findings = session.findings
        is_known = estimator in (None, *findings.estimators)
        those = findings.intervals() if is_known else findings.estimators
        listed = ", ".join(map(repr, those))
        for ask in (session.estimate, session.trajectory):
            with pytest.raises(ValueError, match=rf"^(interval|estimator) is '.*{listed}$"):
                ask(interval=interval, estimator=estimator)


def test_a_kept_session_goes_on_by_its_own_protocol(make_pool: MakePool) -> None:
    """Also where another would be chosen now, which would have taken another share of uniform draws."""
    store = MemoryStore()
    pool = make_pool(20)
    papers = Session(pool, FMeasure(positive=1), store=store, protocol="papers", name="papers")
    assert papers.draws.defensive == 0.1
    again = Session(pool, FMeasure(positive=1), store=store, name="papers")
    assert (again.draws.protocol, again.draws.defensive, again.storage.identity) == (
        "papers",
        0.1,
        papers.storage.identity,
    )
    np.testing.assert_array_equal(again.q, papers.q)


def test_an_adaptive_session_is_not_given_the_share_of_the_other(
    make_pool: MakePool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A larger pool is drawn from by the papers' protocol, unless its session is adaptive already."""
    store = MemoryStore()
    pool = make_pool(20)
    begun = Session(pool, ErrorRate(), store=store, protocol="adaptive")
    monkeypatch.setattr("activeeval_widgets.session.draws.make_draws.LARGEST_UNGROUPED", 10)
    again = Session(pool, ErrorRate(), store=store)
    assert (again.draws.protocol, again.draws.defensive) == ("adaptive", None)
    assert again.storage.identity == begun.storage.identity
    assert again.upcoming(8) == begun.upcoming(8)


def test_pool_and_measure_are_taken_in_once(make_pool: MakePool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever protocol a session turns out to have."""
    made = []
    init = Findings.__init__

    def counted(self: Any, *args: Any, **named: Any) -> None:
        made.append(type(self))
        init(self, *args, **named)

    monkeypatch.setattr(Findings, "__init__", counted)
    store = MemoryStore()
    Session(make_pool(), ErrorRate(), store=store, protocol="papers")
    Session(make_pool(), ErrorRate(), store=store)
    assert made == [Findings, Findings]
