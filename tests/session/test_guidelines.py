"""Guidelines that change: some of the earlier labels are asked again, and tell how many would be others."""

from itertools import permutations
from math import floor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from activeeval_widgets import LabelingApp, Pool, Session
from activeeval_widgets.session import MemoryStore, SessionMismatchError, StoreError
from activeeval_widgets.session.findings.guidelines import GuidelinesCheck
from activeeval_widgets.session.log.events import AskedAgain, GuidelinesSet, from_record, to_record
from activeeval_widgets.stats import LabelShare
from activeeval_widgets.stats.adaptive._share_band import share_ends

from .conftest import exactly


def begin(n: int = 60, n_labels: int = 30, **options: Any) -> Session:
    pool = Pool([f"t{at}" for at in range(n)], classes=["no", "yes"])
    session = Session(pool, LabelShare("yes"), **options)
    session.revisions.declare_guidelines("Irony is negative.")
    for _ in range(n_labels):
        session.label("no")
    return session


def check(session: Session) -> GuidelinesCheck:
    found = session.findings.guidelines()
    assert found is not None
    return found


def again_of(session: Session) -> list[int]:
    assert session.log.state.guidelines is not None
    return list(session.log.state.guidelines.again)


def test_the_first_guidelines_ask_nothing_again() -> None:
    session = begin()
    assert [event.kind for event in session.log].count("guidelines") == 1
    assert session.findings.guidelines() is None
    assert session.revisions.declare_guidelines("  Irony is\nnegative. ") is None
    assert "guidelines changed" not in session.report()


def test_labels_before_any_guidelines_are_by_the_first_ones() -> None:
    pool = Pool([f"t{at}" for at in range(60)], classes=["no", "yes"])
    session = Session(pool, LabelShare("yes"))
    for _ in range(30):
        session.label("no")
    event = session.revisions.declare_guidelines("Irony is negative.")
    assert event is not None
    assert event.instances == []
    assert session.findings.guidelines() is None
    session.revisions.declare_guidelines("Irony is positive.")
    assert (check(session).n_labels, check(session).n_asked) == (30, 10)


@pytest.mark.parametrize(("n_labels", "n_again"), [(1, 1), (10, 10), (30, 10), (60, 12), (260, 40)])
def test_a_fifth_of_the_labels_is_asked_again_within_bounds(n_labels: int, n_again: int) -> None:
    session = begin(300, n_labels)
    event = session.revisions.declare_guidelines("Irony is positive.")
    assert event is not None
    assert len(set(event.instances)) == len(event.instances) == n_again
    assert {session.log.label_of(index) for index in event.instances} == {"no"}


def test_the_sample_is_random_and_follows_from_the_seed() -> None:
    counts = np.zeros(60)
    for seed in range(60):
        session = begin(seed=seed)
        draws = {action.instance: action.draw for action in session.log.actions}
        session.revisions.declare_guidelines("Irony is positive.")
        counts[[draws[index] for index in again_of(session)]] += 1
        if seed < 3:
            other = begin(seed=seed)
            other.revisions.declare_guidelines("Irony is positive.")
            assert again_of(other) == again_of(session)
    asked = counts[1:31]
    assert asked.sum() == 600
    assert asked.min() > 4  # 20 are expected, with a standard deviation of 3.7
    assert asked.max() < 36


def test_they_take_every_other_place_and_the_new_label_counts() -> None:
    session = begin()
    session.revisions.declare_guidelines("Irony is positive.")
    planned = [asked.index for asked in session.upcoming(20)]
    asked_again = [index in again_of(session) for index in planned]
    assert asked_again in ([True, False] * 10, [False, True] * 10)
    events = [session.label("yes" if at < 6 else "no", seconds=2.0) for at in range(20)]
    assert [event.instance for event in events] == planned
    assert [isinstance(event, AskedAgain) for event in events] == asked_again
    assert (session.n_labels, check(session).n_given, check(session).n_differing) == (40, 10, 3)
    assert [session.log.label_of(index) for index in planned] == ["yes"] * 6 + ["no"] * 14
    assert session.log.minutes == pytest.approx(20 * 2 / 60)
    assert check(session).sentence == (
        "The guidelines changed after 30 labels. 10 of them were asked again, and 3 got another label: by "
        f"these guidelines, 3 to {check(session).high} of the 30 would (95% interval, valid however often "
        "you look)."
    )
    assert f"{check(session).sentence} What got another label counts with the new one." in session.report()
    assert "changed" not in session.report().split("## In numbers")[1].split("##")[0]
    assert not session.labels_table()["is_changed"].any()


def test_a_session_that_is_done_asks_them_and_no_other() -> None:
    session = begin(budget=30)
    assert session.is_done
    session.revisions.declare_guidelines("Irony is positive.")
    asked = {session.label("no").instance for _ in range(10)}
    assert session.is_done
    assert asked == set(again_of(session))
    assert (check(session).n_differing, session.n_labels) == (0, 30)


@pytest.mark.parametrize("n_before", [0, 1])
def test_what_another_tab_shows_beside_them_can_be_answered(n_before: int) -> None:
    """Any label that is asked again, and the one new draw that takes turns with them; no other."""
    session = begin(n_labels=10)
    session.revisions.declare_guidelines("Irony is positive.")
    for _ in range(n_before):
        session.label("no")
    asked = session.upcoming(20)
    again = [each for each in asked if each.index in again_of(session)]
    new = [each for each in asked if each not in again]
    assert asked[:2] == ([new[0], again[0]] if session.next() == new[0] else [again[0], new[0]])
    with pytest.raises(ValueError, match=f"draw is {new[1].draw}, but the session asks about draw"):
        session.label("no", draw=new[1].draw)
    event = session.label("yes", draw=again[-1].draw)
    assert isinstance(event, AskedAgain)
    assert event.instance == again[-1].index
    session.undo()
    assert session.label("no", draw=new[0].draw).instance == new[0].index


def test_answers_can_be_undone_and_put_off_but_not_excluded() -> None:
    session = begin(budget=30)
    session.revisions.declare_guidelines("Irony is positive.")
    first, second = (asked.index for asked in session.upcoming(2))
    session.label("yes")
    assert (check(session).n_differing, session.log.label_of(first)) == (1, "yes")
    session.undo()
    assert (check(session).n_given, session.log.label_of(first)) == (0, "no")
    deferred = session.defer()
    assert (deferred.instance, session.log.n_deferred) == (first, 0)
    assert [asked.index for asked in session.upcoming(20)][-1] == first
    with pytest.raises(ValueError, match=exactly(
        f"instance {second} has a label, and is asked again because the guidelines have changed: label it, "
        "or defer it"
    )):  # fmt: skip
        session.exclude()
    session.label("yes")
    # What is put off may be difficult: answers after it do not narrow the interval.
    assert (check(session).n_given, check(session).low, check(session).high) == (1, 0, 30)


def test_an_undone_label_is_no_longer_one_from_before() -> None:
    session = begin(12, 10)
    session.revisions.declare_guidelines("Irony is positive.")
    undone = session.undo()
    assert undone is not None
    assert undone.instance not in again_of(session)
    assert (check(session).n_labels, check(session).n_asked) == (9, 9)
    session.label("no", draw=undone.draw)
    assert check(session).n_given == 0


def test_all_labels_asked_again_make_it_exact() -> None:
    session = begin(8, 8)
    session.revisions.declare_guidelines("Irony is positive.")
    for label in ["yes", "no"] * 4:
        session.label(label)
    assert (check(session).low, check(session).high) == (4, 4)
    assert check(session).sentence.endswith(
        "4 got another label: by these guidelines, exactly 4 of the 8 would."
    )


def test_a_number_of_labels_is_whole() -> None:
    session = begin(budget=30)
    session.revisions.declare_guidelines("Irony is positive.")
    for label in ["yes", "no"] * 5:
        session.label(label)
    least, greatest = (30 * end for end in share_ends(5, 5, 30, 0.05))
    assert 5 < least < 6 < 24 < greatest < 25
    assert (check(session).low, check(session).high) == (6, 24)


def test_people_are_asked_their_own_labels() -> None:
    store, pool = MemoryStore(), Pool([f"t{at}" for at in range(80)], classes=["no", "yes"])
    ada, bob = (Session(pool, LabelShare("yes"), store=store, who=who) for who in ("Ada", "Bob"))
    ada.revisions.declare_guidelines("Irony is negative.")
    for _ in range(30):
        ada.label("no")
        bob.label("no")
    ada.revisions.declare_guidelines("Irony is positive.")
    bob.refresh()
    own = {who: {a.instance for a in ada.log.actions if a.who == who} for who in ("Ada", "Bob")}
    for session, who in ((ada, "Ada"), (bob, "Bob")):
        asked = [each.index for each in session.upcoming(80) if each.index in again_of(ada)]
        assert set(asked) == set(again_of(ada)) & own[who]
    n = len(own["Ada"] & set(again_of(ada)))
    while check(ada).n_given < n:
        ada.label("no")
    # Each person's interval has half of the error, and Bob's thirty labels may all be others.
    most, too_few = (floor(30 * share_ends(0, n, 30, alpha)[1]) for alpha in (0.025, 0.05))
    assert (check(ada).low, check(ada).high) == (0, most + 30)
    assert too_few < most


@pytest.mark.parametrize("seed", range(2))
def test_whatever_people_do_a_reopened_session_is_the_same(seed: int) -> None:
    rng = np.random.default_rng(seed)
    store, pool = MemoryStore(), Pool([f"t{at}" for at in range(40)], classes=["no", "yes"])
    session = Session(pool, LabelShare("yes"), store=store)
    for step in range(60):
        session.people.who = [None, "Ada", "Bob"][int(rng.integers(3)) if seed % 2 else 0]
        what = rng.choice(["label", "label", "label", "defer", "undo", "exclude", "guidelines", "change"])
        asked = session.next()
        if what == "guidelines" and step % 3 == 0:
            session.revisions.declare_guidelines(f"Version {step}")
        elif what == "undo" and session.revisions.can_undo:
            session.undo()
        elif what == "change" and session.log.state.labels:
            session.change(min(session.log.state.labels), str(rng.choice(["no", "yes"])))
        elif asked is not None and what == "label":
            session.label(str(rng.choice(["no", "yes"])), draw=asked.draw)
        elif asked is not None and what == "defer":
            session.defer()
        elif asked is not None and what == "exclude" and asked.index not in session.log.state.labels:
            session.exclude()
        opened = Session(pool, LabelShare("yes"), store=store, who=session.people.who)
        assert opened.log.state.labels == session.log.state.labels
        assert opened.upcoming(30) == session.upcoming(30)
        assert opened.findings.guidelines() == session.findings.guidelines()
        assert repr(opened.estimate()) == repr(session.estimate())


def test_the_interval_covers_in_every_order() -> None:
    """For every number of flips among five labels, over all orders: ever wrong in at most 5 %."""
    for n_flips in range(6):
        flips = [True] * n_flips + [False] * (5 - n_flips)
        orders = list(permutations(range(5)))
        n_wrong = 0
        for order in orders:
            seen = [flips[at] for at in order]
            ends = [share_ends(sum(seen[:n]), n - sum(seen[:n]), 5, 0.05) for n in range(1, 6)]
            n_wrong += any(not 5 * low <= n_flips <= 5 * high for low, high in ends)
        assert n_wrong <= 0.05 * len(orders)


@pytest.mark.parametrize(
    "wrong",
    [
        {"text": 3},
        {"instances": "all"},
        {"instances": [0, 0]},
        {"instances": [True]},
        {"instances": ["0"]},
        {"instances": [11]},
    ],
)
def test_a_damaged_record_is_refused(wrong: dict[str, Any]) -> None:
    store = MemoryStore()
    pool = Pool([f"t{at}" for at in range(12)], classes=["no", "yes"])
    session = Session(pool, LabelShare("yes"), store=store, seed=1)
    session.revisions.declare_guidelines("Irony is negative.")
    for _ in range(5):
        session.label("no")
    event = session.revisions.declare_guidelines("Irony is positive.")
    assert event is not None
    unlabeled = next(index for index in range(12) if index not in session.log.state.labels)
    record = to_record(event) | wrong
    if wrong == {"instances": [11]}:
        record["instances"] = [unlabeled]
    bad = MemoryStore()
    bad.begin("default", store.identity("default"))
    for each in session.log[:-1]:
        bad.append("default", to_record(each))
    bad.append("default", record)
    with pytest.raises(SessionMismatchError, match=r"event \d+ in the log"):
        Session(pool, LabelShare("yes"), store=bad, seed=1)


def test_first_guidelines_that_ask_again_are_refused() -> None:
    pool, store = Pool([f"t{at}" for at in range(12)], classes=["no", "yes"]), MemoryStore()
    session = Session(pool, LabelShare("yes"), store=store)
    label = session.label("no")
    event = session.revisions.declare_guidelines("Irony is negative.")
    assert event is not None
    bad = MemoryStore()
    bad.begin("default", store.identity("default"))
    for each in session.log[:-1]:
        bad.append("default", to_record(each))
    bad.append("default", to_record(event) | {"instances": [label.instance]})
    with pytest.raises(SessionMismatchError, match=r"event \d+ in the log"):
        Session(pool, LabelShare("yes"), store=bad)


def test_an_answer_to_what_is_not_asked_again_is_refused() -> None:
    store = MemoryStore()
    pool = Pool([f"t{at}" for at in range(12)], classes=["no", "yes"])
    session = Session(pool, LabelShare("yes"), store=store)
    labeled = session.label("no")
    about = {"instance": labeled.instance, "instance_id": labeled.instance_id, "changed_seq": labeled.seq}
    event = AskedAgain(seq=len(session.log) + 1, time=labeled.time, value="yes", **about)
    store.append("default", to_record(event))
    with pytest.raises(SessionMismatchError, match="does not follow from its draws"):
        Session(pool, LabelShare("yes"), store=store)


def test_records_come_back() -> None:
    event = GuidelinesSet(seq=1, time="2026-01-01T00:00:00+00:00", text="Irony.", instances=[2])
    assert from_record(to_record(event)) == event
    row = begin().history().query("kind == 'guidelines'").iloc[0]
    assert (row["note"], row["value"]) == ("Irony is negative.", [])


@pytest.mark.parametrize(("text", "kind"), [(None, TypeError), ("  ", ValueError)])
def test_guidelines_are_text(text: Any, kind: type[Exception]) -> None:
    with pytest.raises(kind, match="text must"):
        begin(n_labels=0).revisions.declare_guidelines(text)


def tell(app: LabelingApp, kind: str, **content: Any) -> Any:
    return app._front_end._handlers[kind]({"type": kind, **content})[0]


def test_a_page_declares_its_guidelines_and_asks_again(tmp_path: Path) -> None:
    session = begin(store=tmp_path / "s.sqlite")
    app = LabelingApp(session, guidelines="*Irony* is positive.")
    assert check(session).n_asked == 10
    assert LabelingApp(session, guidelines="*Irony*  is positive.").n_labels == 30
    assert [event.kind for event in session.log].count("guidelines") == 2
    hello = tell(app, "hello")
    assert "asked-again" in [panel["name"] for panel in hello["config"]["panels"]]
    queue = hello["state"]["queue"]
    answers = [
        {"type": "label", "draw": each["draw"], "value": value, "seconds": 1.0, "first_key_seconds": None}
        for each, value in zip(queue[:4], [1, 0, 1, 0], strict=True)
    ]
    rows = tell(app, "history", query="", only=[], answer=None, offset=0, asked=1, shows_prediction=False)
    # What is asked again does not show its earlier label: it is to be labeled anew.
    assert len(rows["history"]["rows"]) == 20
    reply = tell(app, "answers", answers=answers)
    assert [each["draw"] for each in reply["state"]["queue"][:6]] == [each["draw"] for each in queue[4:10]]
    assert reply["state"]["status"].startswith("Saved")
    assert (check(session).n_given, session.n_labels) == (2, 32)
    again = next(each for each in queue[4:8] if each["index"] in again_of(session))
    with pytest.raises(ValueError, match="Label it as well as you can, or choose Later"):
        tell(app, "answers", answers=[{"type": "exclude", "draw": again["draw"], "seconds": 1.0}])
    # An answer that was saved before the connection broke, and is sent again.
    tell(app, "answers", answers=[answers[1] | {"draw": again["draw"], "resent_for": again["index"]}])
    assert check(session).n_given == 3
    tell(app, "answers", answers=[answers[1] | {"draw": again["draw"], "resent_for": again["index"]}])
    assert check(session).n_given == 3
    shown = tell(app, "plots", shown=["asked-again"])["panels"]["asked-again"]["summary"]
    assert shown.startswith("The guidelines changed after 30 labels. 3 of them were asked again")
    app.close()
    session.store.close()


def test_a_store_that_is_full_hinders_no_page() -> None:
    class Full(MemoryStore):
        def append(self, name: str, record: Any) -> None:
            if record["kind"] == "guidelines":
                raise StoreError("the disk is full")
            super().append(name, record)

    pool = Pool(["a", "b"], classes=["no", "yes"])
    session = Session(pool, LabelShare("yes"), store=Full())
    session.label("no")
    with pytest.raises(StoreError):
        session.revisions.declare_guidelines("Irony is positive.")
    app = LabelingApp(session, guidelines="Irony is positive.")
    assert "asked-again" not in [each["name"] for each in tell(app, "hello")["config"]["panels"]]
