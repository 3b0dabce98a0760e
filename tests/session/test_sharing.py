"""Several people at one session: each draw is answered once, nothing is lost, no fast answer weighs more."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest

from activeeval_widgets.session import (
    MemoryStore,
    Pool,
    Session,
    SessionConflictError,
    SessionMismatchError,
    StoreError,
    clock,
)
from activeeval_widgets.session.log.events import GaveOpinion, HandedOut, Labeled
from activeeval_widgets.stats import ErrorRate

from ..labeling import give_labels

MakePool = Callable[..., Pool]
PROTOCOLS = ["adaptive", "papers"]


class Clock:
    """A clock that stands still until it is moved on."""

    def __init__(self) -> None:
        self.time = datetime(2026, 1, 1, tzinfo=UTC)

    def wait(self, seconds: float) -> None:
        self.time += timedelta(seconds=seconds)


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> Clock:
    found = Clock()
    monkeypatch.setattr(clock, "now", lambda: found.time)
    return found


@pytest.fixture
def join(make_pool: MakePool, shelf: Any) -> Callable[..., Session]:
    """Opens the one session for somebody."""
    pool = make_pool(60)
    return lambda who=None, **options: Session(pool, ErrorRate(), store=shelf.open(), who=who, **options)


def asked(session: Session) -> Any:
    found = session.next()
    assert found is not None
    return found


@pytest.mark.parametrize("seed", range(5))
def test_what_others_do_takes_nothing_off_the_screen(join: Callable[..., Session], seed: int) -> None:
    people = [join(who, n_raters=2) for who in ("Ada", "Bob", "Cleo")]
    shown = [asked(session) for session in people]
    rng = np.random.default_rng(seed)
    for _ in range(80):
        who = rng.integers(3)
        session, present = people[who], shown[who]
        match rng.integers(6):
            case 0 if session.revisions.can_undo:
                undone = session.undo()
                assert asked(session).draw == undone.draw  # it was a slip, to be answered anew
            case 1:
                session.defer(draw=present.draw)
            case _:
                coming = session.upcoming(2)[1:]  # the page shows it at once
                session.label(int(present.index) % 3, draw=present.draw, seconds=1.0)
                assert coming in ([], [session.next()])
        for i, other in enumerate(people):
            other.refresh()
            other.people.reserve()
            if i != who:
                assert other.next() == shown[i]
        shown[who] = session.next()
        if shown[who] is None:
            break


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_each_draw_is_answered_once(join: Callable[..., Session], protocol: str) -> None:
    people = [join(who, protocol=protocol) for who in ("Ada", "Bob", "Cleo")]
    rng = np.random.default_rng(3)
    for _ in range(45):
        session = people[rng.integers(3)]
        shown = asked(session)
        session.refresh()
        assert asked(session) == shown  # what others do takes nothing off the screen
        assert isinstance(session.label(int(shown.index) % 3, draw=shown.draw, seconds=1.0), Labeled)
    for session in people:
        session.refresh()
    assert {session.n_labels for session in people} == {45}
    answered = [event.draw for event in people[0].log.events if isinstance(event, Labeled)]
    assert len(set(answered)) == len(answered) == 45
    assert people[0].log.events == people[1].log.events == people[2].log.events == join().log.events
    assert sum(person.n_labels for person in people[0].people.all()) == 45
    assert repr(join().estimate()) == repr(people[2].estimate())


def test_all_of_a_pool_is_labeled_by_several(join: Callable[..., Session]) -> None:
    people = [join(who) for who in ("Ada", "Bob")]
    for _ in range(100):
        for session in people:
            shown = session.next()
            if shown is not None:
                session.label(0, draw=shown.draw, seconds=2.0)
    assert [session.is_done for session in people] == [True, True]
    assert people[0].n_labels == 60
    assert people[0].estimate().low == people[0].estimate().high


def test_one_person_in_two_tabs_is_asked_the_same(join: Callable[..., Session]) -> None:
    here, there = join("Ada"), join("Ada")
    assert asked(here) == asked(there)
    first = here.label(1, draw=1)
    with pytest.raises(SessionConflictError, match="that answer stays"):
        there.label(2, draw=1)
    assert there.log.label_of(first.instance) == 1
    assert asked(there) == asked(here)
    assert not any(isinstance(event, GaveOpinion) for event in there.log)


def test_draws_of_who_went_away_are_handed_on(join: Callable[..., Session], now: Clock) -> None:
    ada, bob = join("Ada", lease_seconds=60), join("Bob", lease_seconds=60)
    left = asked(ada)
    for _ in range(10):
        assert asked(bob).draw != left.draw
        bob.label(0)
        now.wait(5)
    assert bob.estimate().n_labels == 0  # draws 1 to 4 are Ada's
    now.wait(11)
    handed_on = []
    for _ in range(8):
        handed_on.append(asked(bob).draw)
        bob.label(0)
    assert {1, 2, 3, 4} <= set(handed_on)
    assert bob.estimate().n_labels == bob.n_labels
    # She comes back with her answer to the first: nothing is lost, and what counts stays.
    opinion = ada.label(2, draw=left.draw)
    assert isinstance(opinion, GaveOpinion)
    assert (opinion.who, opinion.value) == ("Ada", 2)
    assert ada.log.label_of(left.index) == 0
    assert asked(ada).draw not in (1, 2, 3, 4)
    bob.refresh()
    assert bob.log.events == ada.log.events


def test_who_is_only_slow_keeps_what_nobody_needs(join: Callable[..., Session], now: Clock) -> None:
    ada = join("Ada", lease_seconds=60)
    left = asked(ada)
    now.wait(10_000)
    assert asked(ada) == left
    assert isinstance(ada.label(1, draw=left.draw), Labeled)


def test_an_answer_keeps_the_rest(join: Callable[..., Session], now: Clock) -> None:
    """Who answers is there: what he has stays with him, without another event."""
    ada, bob = join("Ada", lease_seconds=60), join("Bob", lease_seconds=60)
    hers = [each.draw for each in [asked(ada), *ada.upcoming(9)[1:]]]
    for _ in range(2):
        now.wait(50)
        ada.label(1, seconds=50.0)
    now.wait(50)
    give_labels(bob, 0, 8)
    ada.refresh()
    assert [each.draw for each in ada.upcoming(2)] == hers[2:4]


def test_leases_outlive_the_program(join: Callable[..., Session]) -> None:
    shown = asked(join("Ada"))
    assert asked(join("Bob")).draw != shown.draw
    assert asked(join("Ada")) == shown


def test_the_estimate_waits_for_the_slow_and_the_provisional_value_does_not(
    join: Callable[..., Session],
) -> None:
    ada, bob = join("Ada", protocol="papers"), join("Bob", protocol="papers")
    asked(ada)
    give_labels(bob, 0, 12)
    assert bob.n_labels == 12
    assert (bob.estimate().n_labels, bob.n_draws) == (0, 0)
    provisional = bob.findings.provisional()
    assert provisional.n_labels == 12
    alone = Session(bob.pool, ErrorRate(), protocol="papers")
    give_labels(ada, 0, 4)
    bob.refresh()
    give_labels(alone, 0, 16)
    # Everything up to what Ada has by now counts, and it is what one person's labels give.
    open_draw = min(each.draw for each in ada.upcoming(9))
    n = sum(event.draw < open_draw for event in bob.log if isinstance(event, Labeled))
    assert bob.estimate().n_labels == n > 4
    assert bob.estimate().value == pytest.approx(alone.trajectory(at=[bob.n_draws])[0].value)
    assert (bob.watched().low, bob.watched().high) == tuple(
        float(end[0]) for end in alone.watched().at([bob.n_draws])
    )
    table = bob.labels_table()
    assert len(table) == bob.n_labels == 16
    assert table["weight"].isna().sum() == 16 - n


def test_nothing_is_provisional_for_one_person(make_pool: MakePool) -> None:
    for who in (None, "Ada"):
        session = Session(make_pool(60), ErrorRate(), who=who)
        for i in range(30):
            if i % 7 == 3:
                session.defer()
            session.label(i % 3)
        assert session.findings.provisional() is None


def test_labels_and_estimates_are_those_of_the_nameless(make_pool: MakePool) -> None:
    """One person, named or not: the same draws, in the same order, and the same numbers."""
    nameless, named = (
        Session(make_pool(60), ErrorRate(), protocol="papers", who=who) for who in (None, "Ada")
    )
    for i in range(40):
        assert asked(nameless).draw == asked(named).draw
        for session in (nameless, named):
            (session.exclude() if i % 11 == 5 else session.label(i % 3, seconds=3.0))
    assert nameless.estimate() == named.estimate()


def test_one_undoes_ones_own(join: Callable[..., Session]) -> None:
    ada, bob = join("Ada"), join("Bob")
    hers = ada.label(1)
    his = bob.label(2)
    assert ada.undo() == hers
    assert ada.undo() is None
    assert asked(ada).index == hers.instance
    bob.refresh()
    assert bob.log.label_of(his.instance) == 2
    assert asked(bob).index != hers.instance
    ada.label(0)
    bob.refresh()
    bob.change(hers.instance, 2)
    with pytest.raises(ValueError, match="can't be undone: Bob has changed it since"):
        ada.undo()
    assert ada.log.label_of(hers.instance) == 2
    assert join().log.events == ada.log.events


def test_what_is_put_aside_comes_back_to_who_did_it(join: Callable[..., Session], now: Clock) -> None:
    ada, bob = join("Ada", lease_seconds=60), join("Bob", lease_seconds=60)
    aside = ada.defer()
    seen = []
    for _ in range(12):
        seen.append(asked(bob).index)
        bob.label(0)
    assert aside.instance not in seen
    again = []
    for _ in range(12):
        again.append(asked(ada).index)
        ada.label(0)
    assert again.index(aside.instance) == 10
    other = ada.defer()
    now.wait(61)
    bob.label(0)
    bob.label(0)
    assert other.instance in {each.index for each in [asked(bob), *bob.upcoming(30)]} | {
        event.instance for event in bob.log.actions if event.who == "Bob"
    }


def test_what_others_took_over_is_not_asked_twice(join: Callable[..., Session], now: Clock) -> None:
    ada, bob = join("Ada", lease_seconds=60), join("Bob", lease_seconds=60)
    aside = ada.defer()
    now.wait(61)
    assert asked(bob).index == aside.instance
    # She comes back: it is his now, and all that she is asked can be answered.
    ada.refresh()
    for _ in range(15):
        shown = asked(ada)
        assert shown.index != aside.instance
        assert isinstance(ada.label(0, draw=shown.draw), Labeled)
    # Her answer to what is still on her screen is kept beside his; once he is gone, she is asked again.
    assert isinstance(ada.label(0, draw=aside.draw), GaveOpinion)
    now.wait(61)
    while aside.instance not in ada.log.state.answers:
        shown = asked(ada)
        assert isinstance(ada.label(0, draw=shown.draw), Labeled)
    assert join("Cleo").estimate() == ada.estimate()


def test_what_others_hold_is_counted_until_they_are_away(join: Callable[..., Session], now: Clock) -> None:
    ada, bob = join("Ada", lease_seconds=60), join("Bob", lease_seconds=60)
    assert (ada.people.reserve(), bob.people.reserve()) == (4, 4)
    ada.refresh()
    assert (ada.people.n_with_others, bob.people.n_with_others, join().people.n_with_others) == (4, 4, 8)
    now.wait(50)
    bob.label(0)
    now.wait(10)
    assert bob.people.n_with_others == 4
    now.wait(1)
    ada.refresh()
    assert (ada.people.n_with_others, bob.people.n_with_others) == (3, 0)


def test_draws_before_a_label_are_leased_though_the_budget_is_spent(
    join: Callable[..., Session], now: Clock
) -> None:
    """The estimate waits for them."""
    ada, bob = join("Ada", lease_seconds=60), join("Bob", lease_seconds=60)
    assert (ada.people.reserve(), bob.people.reserve()) == (4, 4)
    bob.label(0, draw=7)
    ada.label(0, draw=2)
    now.wait(100)
    cleo = join("Cleo", lease_seconds=60, budget=1)
    cleo.people.reserve()
    assert [each.draw for each in cleo.upcoming(9)] == [1, 3, 4, 5]


def test_an_answer_without_a_name_counts_for_a_draw_that_is_leased(join: Callable[..., Session]) -> None:
    """For example in a program that opened the session before there were names."""
    ada, nameless = join("Ada"), join()
    ada.people.reserve()
    nameless.refresh()
    assert asked(nameless).draw == 5
    event = nameless.label(1, draw=2)
    ada.refresh()
    assert [each.draw for each in ada.upcoming(4)] == [1, 3, 4]
    assert isinstance(ada.label(0, draw=2), GaveOpinion)
    assert ada.log.label_of(event.instance) == 1


def test_what_was_put_aside_by_who_left_comes_back_after_ten_answers(
    join: Callable[..., Session], now: Clock
) -> None:
    """Of anybody since then: how many others had given before does not matter."""
    ada = give_labels(join("Ada", lease_seconds=60), 0, 3)
    put_aside = asked(ada)
    ada.defer()
    now.wait(100)
    nameless = join(lease_seconds=60)
    for _ in range(10):
        assert asked(nameless).index != put_aside.index
        nameless.label(0)
    assert asked(nameless).index == put_aside.index


def test_what_somebody_put_aside_is_not_answered_by_others(join: Callable[..., Session]) -> None:
    """Only who did it may still have it on a page."""
    ada, bob = join("Ada"), join("Bob")
    put_aside = asked(ada)
    ada.defer()
    bob.people.reserve()
    with pytest.raises(SessionConflictError, match=f"draw {put_aside.draw} is answered there"):
        bob.label(0, draw=put_aside.draw)
    ada.label(0)
    assert ada.label(1, draw=put_aside.draw).instance == put_aside.index


def test_a_budget_is_not_overdrawn(join: Callable[..., Session]) -> None:
    people = [join(who, budget=10) for who in ("Ada", "Bob", "Cleo")]
    for _ in range(12):
        for session in people:
            shown = session.next()
            if shown is not None:
                session.label(0, draw=shown.draw)
    for session in people:
        session.refresh()
        assert (session.n_labels, session.is_done) == (10, True)
        assert session.estimate().n_labels == 10


def test_a_store_from_outside_has_leases_too(make_pool: MakePool) -> None:
    """With nothing but the four methods that every store has."""

    class Plain:
        def __init__(self) -> None:
            self.inner = MemoryStore()

        def begin(self, name: str, identity: Any) -> Any:
            return self.inner.begin(name, identity)

        def append(self, name: str, record: Any) -> None:
            self.inner.append(name, record)

        def identity(self, name: str) -> Any:
            return self.inner.identity(name)

        def names(self) -> list[str]:
            return self.inner.names()

    store = Plain()
    ada, bob = (Session(make_pool(60), ErrorRate(), store=store, who=who) for who in ("Ada", "Bob"))
    shown = asked(ada)
    for _ in range(5):
        assert asked(bob).draw != shown.draw
        bob.label(1)
    ada.refresh()
    assert ada.log.events == bob.log.events


def test_a_label_is_stored_even_if_nothing_can_be_handed_out(
    make_pool: MakePool, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = Session(make_pool(60), ErrorRate(), who="Ada")
    asked(session)
    append = session.store.append

    def full(name: str, record: dict[str, Any]) -> None:
        if record["kind"] == "hand_out":
            raise StoreError("the disk is full")
        append(name, record)

    monkeypatch.setattr(session.store, "append", full)
    give_labels(session, 1, 4)
    assert session.n_labels == 4
    monkeypatch.undo()
    session.label(1)
    assert session.n_labels == 5


TAMPERED: dict[str, dict[str, Any]] = {
    "of a draw there is not": {"draws": [1, 2, 3, 99]},
    "of no draws": {"draws": [], "instances": [], "q": []},
    "of other instances": {"instances": [0, 0, 0, 0]},
    "with other probabilities": {"q": [0.5, 0.5, 0.5, 0.5]},
    "twice": {"draws": [1, 1, 2, 3]},
    "to nobody that can be": {"to": 3},
    "until some day": {"until": "soon"},
    "with fewer probabilities": {"q": [0.5]},
}


@pytest.mark.parametrize("change", TAMPERED.values(), ids=TAMPERED)
def test_a_log_in_which_draws_were_handed_out_that_are_none(
    make_pool: MakePool, change: dict[str, Any]
) -> None:
    store = MemoryStore()
    asked(Session(make_pool(60), ErrorRate(), store=store, who="Ada"))
    records = store._sessions["default"][1]
    assert records[-1]["kind"] == "hand_out"
    records[-1].update(change)
    with pytest.raises(SessionMismatchError, match="does not follow from its draws"):
        Session(make_pool(60), ErrorRate(), store=store)


def test_observers_hear_of_what_others_do(join: Callable[..., Session]) -> None:
    here, there = join("Ada"), join("Bob")
    heard: list[Any] = []
    here.subscribe(heard.append)
    events = [there.label(1), there.label(0)]
    assert here.refresh() >= 2
    assert heard == events
    assert not any(isinstance(event, HandedOut) for event in heard)


# -- opinions ---------------------------------------------------------------------------------------------


def rate(session: Session, truth: Callable[[str, int], int], n: int) -> int:
    """Somebody answers what he is asked, at most `n` times; returns how often that was."""
    for i in range(n):
        shown = session.next()
        if shown is None:
            return i
        session.label(truth(session.people.who or "", shown.index), draw=shown.draw, seconds=2.0)
    return n


def test_each_of_two_raters_is_asked_about_every_draw(join: Callable[..., Session]) -> None:
    ada, bob = (join(who, n_raters=2, budget=30) for who in ("Ada", "Bob"))
    bob.people.reserve()
    for _ in range(40):
        rate(ada, lambda _, i: i % 3, 1)
        rate(bob, lambda _, i: 0, 1)
    ada.refresh()
    assert ada.n_labels == 30
    assert {person.n_labels + person.n_opinions for person in ada.people.all()} == {30}
    # Whose label counts is decided by lot, not by who is faster.
    assert 8 <= ada.people.all()[0].n_labels <= 22
    ratings = ada.opinions.ratings()
    assert ratings.raters == ("Ada", "Bob")
    assert all(value is not None for row in ratings.values for value in row)
    assert [row[1] for row in ratings.values] == [0] * 30
    rows = zip(ratings.draws.tolist(), ratings.values, strict=True)
    wrong = {index for index, row in rows if row[0] != row[1]}
    assert {each.instance for each in ada.opinions.disagreements()} == wrong != set()
    assert ada.is_done
    assert bob.is_done


def test_a_share_of_second_opinions_is_chosen_before_anyone_answers(make_pool: MakePool) -> None:
    pool = make_pool(400)
    chosen = []
    for label in (0, 1):  # whatever is answered
        store = MemoryStore()
        ada, bob = (
            Session(pool, ErrorRate(), store=store, who=who, second_opinions=0.25, protocol="papers", seed=5)
            for who in ("Ada", "Bob")
        )
        for _ in range(100):
            rate(ada, lambda _, i, label=label: label, 1)
            rate(bob, lambda _, i, label=label: label, 1)
        ada.refresh()
        chosen.append({e.draw for e in ada.log if isinstance(e, GaveOpinion) and e.draw < 100})
    assert chosen[0] == chosen[1]
    assert 15 <= len(chosen[0]) <= 60
    assert Session(pool, ErrorRate(), store=store, protocol="papers", seed=5).people.second_opinions == 0.25
    with pytest.raises(SessionMismatchError, match="opinions"):
        Session(pool, ErrorRate(), store=store, protocol="papers", seed=5, second_opinions=0.5)


def test_one_alone_is_not_kept_waiting_for_a_second(join: Callable[..., Session]) -> None:
    ada = join("Ada", n_raters=2)
    rate(ada, lambda _, i: 1, 20)
    assert ada.estimate().n_labels == 20
    bob = join("Bob")
    assert bob.people.n_raters == 2
    rate(bob, lambda _, i: 1, 20)  # the older draws first
    assert bob.people.all()[1].n_opinions == 20


def test_an_opinion_counts_where_its_labeler_is_gone(join: Callable[..., Session], now: Clock) -> None:
    options = {"n_raters": 2, "lease_seconds": 60}
    ada, bob = join("Ada", **options), join("Bob", **options)
    for _ in range(6):
        rate(ada, lambda _, i: 1, 1)
        rate(bob, lambda _, i: 1, 1)
    rate(bob, lambda _, i: 1, 30)
    bob.refresh()
    assert bob.draws.not_counted_yet().size + len(bob.log.state.people.opinions) > 0
    now.wait(200)
    rate(bob, lambda _, i: 1, 30)
    bob.people.reserve()
    held = {each.draw for each in bob.upcoming(30)}
    answered = {event.draw for event in bob.log if isinstance(event, Labeled)}
    assert bob.draws.not_counted_yet().size == 0
    assert answered == set(range(1, max(answered) + 1)) - held
    ada.refresh()
    assert ada.log.events == bob.log.events == join().log.events


@pytest.mark.parametrize(("budget", "draws"), [(2, [2, 7]), (3, [1, 2, 7]), (4, [1, 2, 3, 7])])
def test_the_rest_of_the_budget_is_for_draws_that_others_have_begun(
    make_pool: MakePool, now: Clock, budget: int, draws: list[int]
) -> None:
    """Those before them have waited longer, but no opinion on them would be left without a label."""
    options: dict[str, Any] = {
        "second_opinions": 0.5,
        "lease_seconds": 60,
        "seed": 20,
        "store": MemoryStore(),
    }
    ada, bob = (Session(make_pool(60), ErrorRate(), who=who, **options) for who in ("Ada", "Bob"))
    bob.note("Bob is here.")
    ada.people.reserve()
    begun = sorted(due.draw for each in ada.log.state.people.opinions_due.values() for due in each.values())
    assert begun == [2, 7]
    assert sorted(each.draw for each in ada.log.state.people.assignments.values()) == [1, 2, 3, 4, 5, 6]
    now.wait(200)
    cleo = Session(make_pool(60), ErrorRate(), who="Cleo", budget=budget, **options)
    assert asked(cleo).draw == draws[0]
    assert [each.draw for each in cleo.upcoming(9)] == draws


def test_the_second_rater_is_blind(join: Callable[..., Session]) -> None:
    ada, bob = join("Ada", n_raters=2), join("Bob", n_raters=2)
    rate(ada, lambda _, i: 1, 4)
    shown = asked(bob)
    assert bob.opinions.disagreements() == []
    with pytest.raises(ValueError, match="waits for an opinion of 'Bob'"):
        bob.opinions.adjudicate(shown.index, 0)
    bob.label(0, draw=shown.draw)
    assert [each.instance for each in bob.opinions.disagreements()] == [shown.index]


def test_opinions_are_taken_back_put_off_and_refused(join: Callable[..., Session]) -> None:
    ada, bob = join("Ada", n_raters=2), join("Bob", n_raters=2)
    rate(ada, lambda _, i: 1, 6)
    first = asked(bob)
    opinion = bob.label(0)
    assert isinstance(opinion, GaveOpinion)
    assert bob.undo() == opinion
    assert asked(bob) == first
    assert bob.opinions.disagreements() == []
    bob.defer()
    assert asked(bob) != first
    while (shown := bob.next()) is not None and shown != first:
        bob.exclude(reason="blurred")
    assert asked(bob) == first
    assert ada.log.label_of(first.index) == 1
    assert bob.log.n_excluded < len(bob.log.state.people.opinion_events)
    assert join().log.events == bob.log.events
    assert join("Bob").upcoming(5) == bob.upcoming(5)


def test_adjudication_changes_the_label_and_says_who(join: Callable[..., Session]) -> None:
    ada, bob = join("Ada", n_raters=2, protocol="papers"), join("Bob", n_raters=2, protocol="papers")
    rate(ada, lambda _, i: 1, 5)
    rate(bob, lambda _, i: 2, 5)
    found = bob.opinions.disagreements()
    assert [each.answers for each in found] == [{"Ada": 1, "Bob": 2}] * 5
    boss = join("Cleo")
    kept = boss.opinions.adjudicate(found[0].instance, 1)
    other = boss.opinions.adjudicate(found[1].instance, 0)
    assert (kept.who, boss.log.label_of(found[0].instance), boss.log.label_of(found[1].instance)) == (
        "Cleo",
        1,
        0,
    )
    assert [each.is_adjudicated for each in boss.opinions.disagreements()] == [False] * 3 + [True] * 2
    assert boss.opinions.disagreements()[-1].adjudicated_by == "Cleo"
    # It is no opinion.
    assert boss.opinions.ratings().raters == ("Ada", "Bob")
    assert {tuple(row) for row in boss.opinions.ratings().values} == {(1, 2)}
    table = boss.labels_table().set_index("instance_id")
    assert table.loc[found[1].instance_id, ["label", "who", "is_changed"]].tolist() == [0, "Cleo", True]
    assert boss.undo() == other
    assert boss.log.label_of(found[1].instance) == 1
    ada.refresh()
    while ada.revisions.last_action is not None and ada.revisions.last_action.instance != found[0].instance:
        ada.undo()
    with pytest.raises(ValueError, match="Cleo has changed it since"):
        ada.undo()
    assert join().log.events == ada.log.events


def test_the_report_says_who_and_what_waits(join: Callable[..., Session]) -> None:
    ada, bob = join("Ada", n_raters=2), join("Bob", n_raters=2)
    asked(ada)
    rate(bob, lambda _, i: 1, 4)
    rate(ada, lambda _, i: 0, 3)
    ada.refresh()
    ada.opinions.adjudicate(ada.opinions.disagreements()[0].instance, 1)
    report = ada.report()
    n = {person.who: (person.n_labels, person.n_opinions) for person in ada.people.all()}
    assert n == {"Ada": (3, 0), "Bob": (0, 4)}
    assert "Ada: 3 answers, 1 disagreement decided" in report
    assert "Bob: 4 second opinions" in report
    assert "Who labeled" in ada.report("html")
    cleo = join("Cleo")
    rate(cleo, lambda _, i: 1, 12)
    n_waiting = cleo.draws.not_counted_yet().size
    assert n_waiting > 0
    assert f"{n_waiting} label" in cleo.report()
    assert "not count yet: an earlier item is still open." in cleo.report()
    assert "Who labeled" not in Session(ada.pool, ErrorRate()).report()


EXPECTED = "can't be undone|the session asks about|is done|has no label|is excluded|waits for an opinion"


@pytest.mark.parametrize("seed", range(4))
def test_whatever_several_people_do(make_pool: MakePool, now: Clock, seed: int) -> None:
    """No draw has two labels, nobody's answer is lost, and the log alone gives it all again."""
    rng = np.random.default_rng(seed)
    pool, store = make_pool(50), MemoryStore()
    options: dict[str, Any] = {
        "protocol": PROTOCOLS[seed % 2],
        "second_opinions": [0.4, 0.0][seed // 2],
        "n_raters": [1, 2][seed // 2],
        "lease_seconds": 60,
    }
    names = ["Ada", "Bob", "Cleo", "Bob", None][: 4 + seed % 2]
    people = [Session(pool, ErrorRate(), store=store, who=who, **options) for who in names]
    given: list[Any] = []
    shown: dict[int, Any] = {}
    for _ in range(150):
        which = int(rng.integers(len(people)))
        session = people[which]
        now.wait(float(rng.choice([0.5, 3.0, 30.0], p=[0.6, 0.3, 0.1])))
        action = rng.choice(["look", "label", "defer", "exclude", "undo", "change", "note", "adjudicate"],
                            p=[0.1, 0.57, 0.06, 0.05, 0.08, 0.06, 0.04, 0.04])  # fmt: skip
        # What somebody answers is what was on his screen, maybe long ago.
        screen = shown.get(which) or session.next()
        try:
            if action == "look" or screen is None:
                shown[which] = session.next()
                continue
            if action == "undo":
                session.undo()
            elif action == "note":
                session.note(f"note {len(given)}", instance=screen.index)
            elif action in ("change", "adjudicate"):
                labeled = sorted(session.log.state.labels)
                if labeled:
                    part = session.opinions if action == "adjudicate" else session
                    getattr(part, action)(labeled[rng.integers(len(labeled))], int(rng.integers(3)))
            else:
                value = (int(rng.integers(3)),) if action == "label" else ()
                given.append(getattr(session, action)(*value, draw=screen.draw, seconds=2.0))
                shown[which] = None
        except SessionConflictError:
            shown[which] = None
        except ValueError as error:
            assert re.search(EXPECTED, str(error)), error  # noqa: PT017
            shown[which] = None
        standing = list(session.log.state.answers.values())
        assert len({event.draw for event in standing}) == len(standing)
    for session in people:
        session.refresh()
    again = Session(pool, ErrorRate(), store=store, **options)
    assert len(given) > 50
    assert {event.seq for event in given} <= {event.seq for event in again.log}
    assert all(session.log.events == again.log.events for session in people)
    for session in people:
        assert repr(session.estimate()) == repr(again.estimate())
        assert session.log.label_of(3) == again.log.label_of(3)
        assert (session.watched().low, session.watched().high) == (again.watched().low, again.watched().high)
        assert session.people.all() == again.people.all()
        same = Session(pool, ErrorRate(), store=store, who=session.people.who, **options)
        assert same.upcoming(30) == session.upcoming(30)
        assert same.opinions.disagreements() == session.opinions.disagreements()
        assert repr(same.opinions.ratings()) == repr(session.opinions.ratings())
    # Whoever stays gets it done: nothing is left that nobody is asked about.
    now.wait(1000)
    last = people[0]
    for _ in range(300):
        screen = last.next()
        if screen is None:
            break
        last.label(0, draw=screen.draw, seconds=1.0)
    last.people.reserve()
    assert last.next() is None
    assert last.n_labels + last.log.n_excluded == 50
    assert last.draws.not_counted_yet().size == 0
    assert last.estimate().low == last.estimate().high
