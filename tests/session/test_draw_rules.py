"""Logs whose draws were made by other constants or by another rule: what is stored counts, and it is said."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from activeeval_widgets.session import MemoryStore, Pool, Session, SessionMismatchError
from activeeval_widgets.session import session as session_module
from activeeval_widgets.stats import (
    AdaptiveConfidenceSequence,
    ClassPredictions,
    ErrorRate,
    SquaredError,
    ValuePredictions,
    draw_without_replacement,
    pool_value,
)
from activeeval_widgets.stats.adaptive.draw_rule import DRAW_RULE, DrawRule

from ..labeling import give_labels

M = 60
RNG = np.random.default_rng(4)
PROBA = RNG.uniform(0.5, 0.99, M)
MODEL = ClassPredictions(np.column_stack([PROBA, 1 - PROBA]))
Y_TRUE = (RNG.random(M) < 0.25).astype(int)
POOL = Pool(["text"] * M, predictions=MODEL)
TRUTH = pool_value(ErrorRate(), MODEL, Y_TRUE)


OTHER_CONSTANTS = replace(DRAW_RULE, trust=0.05, least_for_bounded=0.05)
"""They trust the model at once, and hardly draw anything else."""


@contextmanager
def other_constants(monkeypatch: pytest.MonkeyPatch, rule: DrawRule = OTHER_CONSTANTS) -> Iterator[None]:
    """Sessions that begin go by other constants than those of this version."""
    with monkeypatch.context() as patch:
        patch.setattr(session_module, "rule_of", lambda *_: rule)
        yield


def by_an_unknown_rule(store: MemoryStore) -> MemoryStore:
    """The same log, begun by a version whose rule has other constants."""
    other = MemoryStore()
    identity = store.identity("default")
    constants = json.loads(identity["draw_rule"])
    other.begin("default", {**identity, "draw_rule": json.dumps({**constants, "power": 2.0})})
    for record in store._sessions["default"][1]:
        other.append("default", record)
    return other


def label(session: Session, n: int) -> None:
    give_labels(session, Y_TRUE, n)


def test_stored_probabilities_count_and_it_is_stated(monkeypatch: pytest.MonkeyPatch) -> None:
    store = MemoryStore()
    with other_constants(monkeypatch):
        written = Session(POOL, ErrorRate(), store=store)
        label(written, 40)
        assert written.draws.n_of_other_version() == 0
        before = written.estimate()
        draws = written.draws.so_far().tolist()
        least = written.draws.source.least_probabilities(draws)
    session = Session(POOL, ErrorRate(), store=by_an_unknown_rule(store))
    n_differing = session.draws.n_of_other_version()
    # What was stored bounds the probability of whatever else could have been drawn, from just below.
    bounds = session.draws.source.least_probabilities(draws)
    assert (bounds <= least).all()
    assert bounds == pytest.approx(least, rel=1e-6)
    # The first block, before any label, is uniform by both.
    assert 10 <= n_differing <= 30
    assert session.draws.q_draws().tolist() == written.draws.q_draws().tolist()
    found = session.estimate()
    assert f"{n_differing} draws were made by another version's rule" in session.report()
    assert found.low <= TRUTH <= found.high
    # Valid, but not empty: what is known of the draws is used.
    assert before.high - before.low < found.high - found.low < 0.75
    label(session, 10)
    assert session.n_labels == 50
    again = Session(POOL, ErrorRate(), store=session.store)
    assert again.estimate() == session.estimate()


def test_the_same_constants_give_the_same_probabilities(monkeypatch: pytest.MonkeyPatch) -> None:
    store = MemoryStore()
    with other_constants(monkeypatch):
        label(Session(POOL, ErrorRate(), store=store), 40)
    session = Session(POOL, ErrorRate(), store=store)
    assert json.loads(session.storage.identity["draw_rule"])["trust"] == 0.05
    assert session.draws.n_of_other_version() == 0
    assert "another version" not in session.report()


def test_a_session_goes_on_by_the_constants_that_it_was_begun_with(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if this version had no others: draws, their probabilities, and all that is estimated."""
    shelves = [MemoryStore(), MemoryStore()]
    with other_constants(monkeypatch):
        for store, n in zip(shelves, (20, 45), strict=True):
            label(Session(POOL, ErrorRate(), store=store), n)
        through = Session(POOL, ErrorRate(), store=shelves[1])
        found = through.draws.q_draws().tolist(), through.estimate(), through.estimate(interval="wald")
    later = Session(POOL, ErrorRate(), store=shelves[0])
    label(later, 25)
    assert (later.draws.q_draws().tolist(), later.estimate(), later.estimate(interval="wald")) == found
    new = Session(POOL, ErrorRate())
    assert new.storage.identity["draw_rule"] == DRAW_RULE.identity
    label(new, 45)
    assert new.draws.q_draws().tolist() != found[0]


def test_draws_by_a_fixed_q_have_no_such_constants() -> None:
    assert "draw_rule" not in Session(POOL, ErrorRate(), protocol="papers").storage.identity


def test_a_single_probability_that_differs_is_seen() -> None:
    store = MemoryStore()
    label(Session(POOL, ErrorRate(), store=store), 30)
    block = next(r for r in store._sessions["default"][1] if r["kind"] == "draw" and r["first"] > 1)
    for record in store._sessions["default"][1]:
        if record.get("draw") == block["first"] + 2:
            record["q"] *= 1.001
    block["q"][2] *= 1.001
    assert Session(POOL, ErrorRate(), store=store).draws.n_of_other_version() == 1
    block["q"][2] /= 1.001
    block["least"] /= 2
    for record in store._sessions["default"][1]:
        if record.get("draw") == block["first"] + 2:
            record["q"] = block["q"][2]
    assert Session(POOL, ErrorRate(), store=store).draws.n_of_other_version() == len(block["q"])


@pytest.mark.parametrize("times", [0.5, 3.0])
def test_a_stored_least_probability_is_believed_only_below_those_of_the_draws(times: float) -> None:
    """Nothing that was drawn had a smaller one, so the floor is below both."""
    store = MemoryStore()
    label(Session(POOL, ErrorRate(), store=store), 30)
    block = next(r for r in store._sessions["default"][1] if r["kind"] == "draw" and r["first"] > 1)
    left = np.concatenate([[1.0], np.cumprod(1 - np.array(block["q"][:-1]))])
    of_draws = (block["q"] * left).min()
    block["least"] = times * of_draws
    draws = Session(POOL, ErrorRate(), store=store).draws.source
    floor = min(times, 1.0) * of_draws
    q, probability = draws.distribution_or_bound(block["first"] + 1)
    assert q == pytest.approx(np.full(M, floor), rel=2e-7)
    assert (q < floor).all()
    assert probability == block["q"][1]
    least = draws.least_probabilities(block["instances"])
    assert least == pytest.approx(np.minimum(floor / left, block["q"]), rel=2e-7)
    assert (least <= block["q"]).all()


@pytest.mark.slow
def test_the_interval_by_stored_probabilities_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Watched at every label, of 15 sessions at most what a level of 80 % allows."""
    misses = n_differing = 0
    for seed in range(15):
        store = MemoryStore()
        with other_constants(monkeypatch):
            label(Session(POOL, ErrorRate(), store=store, seed=seed), 26)
        session = Session(POOL, ErrorRate(), store=by_an_unknown_rule(store), seed=seed)
        watched = session.watched(confidence_level=0.8)
        low, high = watched.at(np.arange(27))
        misses += bool(((low > TRUTH + 1e-9) | (high < TRUTH - 1e-9)).any())
        n_differing += session.draws.n_of_other_version() > 0
    assert n_differing == 15
    # P(X > 8) < 0.001 for X ~ Binomial(15, 0.2).
    assert misses <= 8


def test_a_lower_bound_of_q_is_enough() -> None:
    """Given the draw's own probability; the better the bound, the shorter the interval."""
    rng = np.random.default_rng(0)
    q = rng.uniform(0.5, 2, M)
    q /= q.sum()
    draws, probabilities = draw_without_replacement(q, 40, rng)
    widths = []
    exact = AdaptiveConfidenceSequence(ErrorRate(), MODEL)
    for draw in draws:
        exact.update(draw, q, int(Y_TRUE[draw]))
    for bound in (q, np.full(M, q.min()), np.full(M, q.min() / 3)):
        sequence = AdaptiveConfidenceSequence(ErrorRate(), MODEL)
        for draw, probability in zip(draws, probabilities, strict=True):
            sequence.update(draw, bound * (1 - 1e-9), int(Y_TRUE[draw]), probability=float(probability))
            assert sequence.low <= TRUTH <= sequence.high
        widths.append(sequence.high - sequence.low)
    assert widths[0] == pytest.approx(exact.high - exact.low, rel=0.03)
    assert widths[0] < widths[1] < widths[2] < 0.6
    for bad in (0.0, 1.5, float("nan")):
        with pytest.raises(ValueError, match=r"^probability is .*, expected one above 0, at most 1$"):
            AdaptiveConfidenceSequence(ErrorRate(), MODEL).update(0, q, 0, probability=bad)


# -- the identity -----------------------------------------------------------------------------------------


def values(shelf: Any, **options: Any) -> Session:
    pool = Pool([{"x": i} for i in range(30)], predictions=ValuePredictions(np.arange(30.0), np.ones(30)))
    return Session(pool, SquaredError(), store=shelf.open(), **options)


@pytest.mark.parametrize("protocol", ["papers", "adaptive"])
def test_the_range_of_labels_is_part_of_a_session(shelf: Any, protocol: str) -> None:
    session = values(shelf, y_range=(0, 30), protocol=protocol)
    assert session.storage.identity["y_range"] == "(0.0, 30.0)"
    assert "from 0 to 30" in session.report()
    for other in (None, (0, 31)):
        with pytest.raises(SessionMismatchError, match=r"y_range \(\(0.0, 30.0\) then"):
            values(shelf, y_range=other, protocol=protocol)
    assert values(shelf, y_range=(0, 30), protocol=protocol).n_labels == 0


def test_another_draw_rule_is_not_refused(shelf: Any) -> None:
    identity = {**values(shelf, name="new").storage.identity, "draw_rule": "0"}
    shelf.open().begin("default", identity)
    session = values(shelf)
    assert session.storage.identity["draw_rule"] == DRAW_RULE.identity
    assert shelf.open().identity("default") == identity


def test_what_an_identity_lacks_is_refused(shelf: Any) -> None:
    identity = values(shelf, name="new", y_range=(0, 30)).storage.identity
    shelf.open().begin("default", {key: value for key, value in identity.items() if key != "y_range"})
    with pytest.raises(SessionMismatchError, match=r"y_range \(none then, \(0.0, 30.0\) now\)"):
        values(shelf, y_range=(0, 30))
