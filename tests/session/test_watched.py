"""The interval that may be watched, in step with a log that can also go back."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from activeeval_widgets.session import (
    Goal,
    MemoryStore,
    Pool,
    Session,
    SessionMismatchError,
    WatchedInterval,
)
from activeeval_widgets.session.findings.incremental import Rewindable
from activeeval_widgets.stats import (
    ClassPredictions,
    ConfidenceSequence,
    ErrorRate,
    FMeasure,
    MatthewsCorrelation,
    Measure,
)

from ..labeling import give_labels

MakePool = Callable[..., Pool]


class Counter:
    """An incremental statistic that tells all that it was fed."""

    def __init__(self) -> None:
        self.fed: list[tuple[int, Any]] = []

    def extend(self, draws: list[int], y_true: list[Any]) -> np.ndarray[Any, Any]:
        start = len(self.fed)
        self.fed += zip(draws, y_true, strict=True)
        return np.arange(start + 1, len(self.fed) + 1)

    def copy(self) -> "Counter":
        made = Counter()
        made.fed = list(self.fed)
        return made


def update_to(follower: Rewindable[Any], before: list[Any], sample: list[Any]) -> Any:
    """Feed a whole list after another one: what they share is as it was."""
    pairs = enumerate(zip(before, sample, strict=False))
    n_same = next((i for i, (old, new) in pairs if old != new), min(len(before), len(sample)))
    assert follower.n_fed == len(before)
    return follower.update_to(n_same, sample[n_same:])


@settings(max_examples=60)
@given(st.lists(st.tuples(st.integers(0, 300), st.integers(0, 2)), min_size=1, max_size=12))
def test_in_step_with_any_way_there_and_back(steps: list[tuple[int, int]]) -> None:
    rng = np.random.default_rng(0)
    labels = rng.integers(2, size=301).tolist()
    follower = Rewindable(Counter)
    before: list[Any] = []
    for length, flipped in steps:
        sample = list(enumerate(labels[:length]))
        if length and flipped:  # a label in the middle was changed
            sample[length // 2] = (length // 2, f"changed {flipped}")
        assert update_to(follower, before, sample).fed == sample
        assert follower.results == list(range(1, length + 1))
        before = sample


def test_a_change_at_any_place_goes_back_far_enough() -> None:
    """The draw before a kept state among them: that state has seen it."""
    for length in range(1, 13):
        for place in range(length):
            follower = Rewindable(Counter, every=4)
            sample: list[tuple[int, Any]] = [(i, 0) for i in range(length)]
            update_to(follower, [], sample)
            before = list(sample)
            sample[place] = (place, 1)
            assert update_to(follower, before, sample).fed == sample
            assert update_to(follower, sample, sample[:place]).fed == sample[:place]


def test_it_goes_back_to_any_place_though_few_old_states_are_kept() -> None:
    sample: list[tuple[int, Any]] = [(i, 0) for i in range(40)]
    for place in range(40):
        follower = Rewindable(Counter, every=2)
        follower.update_to(0, sample)
        changed = [*sample[:place], (place, 1)]
        assert update_to(follower, sample, changed).fed == changed
        assert follower.results == list(range(1, place + 2))


def test_it_is_begun_once_and_goes_back_without_feeding_all_again() -> None:
    begun = []
    fed = []

    class Recorded(Counter):
        def extend(self, draws: list[int], y_true: list[Any]) -> np.ndarray[Any, Any]:
            fed.append(len(draws))
            return super().extend(draws, y_true)

        def copy(self) -> "Recorded":
            made = Recorded()
            made.fed = list(self.fed)
            return made

    def begin() -> Recorded:
        begun.append(1)
        return Recorded()

    follower = Rewindable(begin)
    assert begun == []
    sample = [(i, 0) for i in range(1000)]
    update_to(follower, [], sample)
    assert (len(begun), sum(fed)) == (1, 1000)
    update_to(follower, sample, sample[:-1])
    assert sum(fed) < 1000 + 64
    update_to(follower, sample[:-1], sample)
    assert sum(fed) < 1000 + 2 * 64


def reference(session: Session) -> tuple[Any, Any]:
    """The same interval, from all labels at once."""
    sample = session.draws.watched()
    y_true = [None if out else y for y, out in zip(sample.y_true, sample.is_excluded, strict=True)]
    sequence = ConfidenceSequence(session.measure, session.pool.predictions, session.q)
    bounds = sequence.extend(sample.draws, y_true)
    return sequence, bounds


def check(session: Session, watched: WatchedInterval) -> None:
    sequence, (low, high) = reference(session)
    watched.update()
    assert (watched.low, watched.high) == (sequence.low, sequence.high)
    assert watched.n_draws == sequence.n_draws
    # After the last draw with so many labels, each.
    n_labeled = np.cumsum(~session.draws.watched().is_excluded)
    shown = watched.at(n_labeled)
    last = np.searchsorted(n_labeled, n_labeled, side="right") - 1
    np.testing.assert_array_equal(shown, [low[last], high[last]])


@pytest.mark.parametrize("measure", [ErrorRate(), FMeasure(positive=1), MatthewsCorrelation()], ids=repr)
def test_it_follows_labels_undos_and_exclusions(make_pool: MakePool, measure: Measure) -> None:
    n_classes = 3 if isinstance(measure, ErrorRate) else 2
    session = Session(make_pool(300, n_classes), measure, seed=3, protocol="papers")
    watched = WatchedInterval(session.findings)
    whole = (watched.low, watched.high)
    assert watched.at([0]) == (whole[0], whole[1])
    rng = np.random.default_rng(1)
    for step in range(200):
        action = rng.random()
        if action < 0.06:
            session.undo()
        elif action < 0.1:
            session.exclude()
        elif action < 0.14:
            session.defer()
        else:
            session.label(int(rng.integers(n_classes)))
        if step % 20 == 0:
            check(session, watched)
    check(session, watched)
    while session.log.actions:
        session.undo()
    check(session, watched)
    assert (watched.low, watched.high) == whole


def test_it_waits_for_an_instance_that_was_put_aside(make_pool: MakePool) -> None:
    session = Session(make_pool(100), ErrorRate(), protocol="papers")
    watched = WatchedInterval(session.findings)
    first = session.next()
    assert first is not None
    session.defer()
    give_labels(session, 0, 5)
    watched.update()
    assert (watched.n_draws, session.n_labels) == (0, 5)
    assert watched.estimate().n_labels == 5
    assert watched.at([0, 3, 5])[1].tolist() == [watched.high] * 3
    while (present := session.next()) is not None and present.draw != first.draw:
        session.label(0)
    session.label(0)
    watched.update()
    assert watched.n_draws == session.n_draws > 5


def test_the_estimate_has_its_interval(make_pool: MakePool) -> None:
    session = Session(make_pool(100), ErrorRate(), protocol="papers")
    watched = WatchedInterval(session.findings, confidence_level=0.9)
    give_labels(session, 0, 30)
    watched.update()
    plain, shown = session.estimate(interval="wald"), watched.estimate()
    assert (shown.value, shown.standard_error) == (plain.value, plain.standard_error)
    assert (shown.low, shown.high) == (watched.low, watched.high) != (plain.low, plain.high)
    assert (shown.interval, shown.confidence_level) == ("confidence_sequence", 0.9)
    assert not shown.is_asymptotic


def test_smooth_measures_are_asymptotic() -> None:
    proba = np.random.default_rng(0).dirichlet([1, 1], size=50)
    pool = Pool(np.zeros((50, 2, 2)), predictions=ClassPredictions(proba))
    assert WatchedInterval(Session(pool, MatthewsCorrelation(), protocol="papers").findings).is_asymptotic


@pytest.mark.parametrize(("budget", "declared"), [(1, (1,)), (2, (2,)), (59, (59,)), (60, None), (61, None)])
def test_any_budget_that_leaves_something_is_declared(
    make_pool: MakePool, budget: int, declared: Any
) -> None:
    assert Session(make_pool(60), ErrorRate(), budget=budget).findings.deadlines == declared


@pytest.mark.parametrize("protocol", ["adaptive", "papers"])
def test_the_deadline_is_that_of_the_budget_it_was_begun_with(make_pool: MakePool, protocol: str) -> None:
    """Whoever opens it again with another budget, after some labels, sees the same interval."""
    pool, store = make_pool(600), MemoryStore()

    def opened(budget: int | None) -> Session:
        return Session(pool, ErrorRate(), budget=budget, store=store, protocol=protocol)

    session = opened(50)
    assert session.findings.deadlines is not None
    assert (
        session.findings.deadlines[0] == 50 if protocol == "adaptive" else session.findings.deadlines[0] > 50
    )
    assert session.storage.identity["bets"] == f"with deadlines, declared {session.findings.deadlines[0]}"
    for number in range(40):
        session.label(int(number % 10 == 0))
    found = session.estimate()
    for budget in (None, 41, 99):
        again = opened(budget)
        assert again.findings.deadlines == session.findings.deadlines
        assert repr(again.estimate()) == repr(found)
    usual = Session(pool, ErrorRate(), protocol=protocol)
    assert usual.findings.deadlines is None
    for number in range(40):
        usual.label(int(number % 10 == 0))
    assert usual.estimate().value == found.value
    assert usual.estimate().low != found.low or usual.estimate().high != found.high
    of_goal = Session(pool, ErrorRate(), protocol=protocol, goal=Goal(cost=50), budget=90)
    assert of_goal.findings.deadlines == session.findings.deadlines
    # With the whole pool labeled the value is known: there is nothing to bet on.
    assert Session(pool, ErrorRate(), budget=600, protocol=protocol).findings.deadlines is None
    # Nor is there before the first label, where a goal's costs are spent at once.
    assert Session(pool, ErrorRate(), protocol=protocol, goal=Goal(cost=0.5)).findings.deadlines is None


def test_bets_are_part_of_a_session(make_pool: MakePool) -> None:
    pool, store = make_pool(60), MemoryStore()
    begun = Session(pool, ErrorRate())
    store.begin("default", {key: value for key, value in begun.storage.identity.items() if key != "bets"})
    with pytest.raises(SessionMismatchError, match=r"bets \(none then, with deadlines now\)"):
        Session(pool, ErrorRate(), store=store, budget=30)
