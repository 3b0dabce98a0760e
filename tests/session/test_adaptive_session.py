"""Sessions whose draws learn from the labels: what is drawn, what is stored, what follows from it."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from activeeval_widgets.session import Pool, Session, SessionMismatchError, StoreError, WatchedInterval
from activeeval_widgets.session.draws.adaptive import AdaptiveDraws
from activeeval_widgets.session.draws.blocks import MIN_AHEAD
from activeeval_widgets.session.draws.make_draws import LARGEST_UNGROUPED
from activeeval_widgets.session.log.events import Drawn, to_record
from activeeval_widgets.stats import (
    Accuracy,
    AdaptiveConfidenceSequence,
    ClassPredictions,
    ErrorRate,
    FMeasure,
    LogLoss,
    MatthewsCorrelation,
    Measure,
    Precision,
    adaptive_q,
    draw_without_replacement,
    estimate_adaptive,
    pool_value,
)

from ..labeling import give_labels

MakePool = Callable[..., Pool]
M = 90
Y_TRUE = np.random.default_rng(7).integers(3, size=M)


def begin(make_pool: MakePool, **options: Any) -> Session:
    return Session(make_pool(M), ErrorRate(), protocol="adaptive", **options)


def label(session: Session, n: int) -> list[int]:
    """Label the next n instances with the truth; return them."""
    asked = []
    for _ in range(n):
        present = session.next()
        asked.append(present.index)
        session.label(int(Y_TRUE[present.index]))
    return asked


def drawn(session: Session) -> list[Drawn]:
    return [event for event in session.log if isinstance(event, Drawn)]


def test_the_seed_and_the_labels_determine_the_draws(make_pool: MakePool) -> None:
    one, same, other = (begin(make_pool, seed=seed) for seed in (3, 3, 4))
    first = label(one, 60)
    assert first == label(same, 60)
    assert [(e.instances, e.q) for e in drawn(one)] == [(e.instances, e.q) for e in drawn(same)]
    assert first != label(other, 60)


def test_labels_shape_what_is_drawn_later_and_nothing_else(make_pool: MakePool) -> None:
    one, other = begin(make_pool), begin(make_pool)
    asked = label(one, 60)
    shown = []
    for _ in range(60):
        present = other.next()
        shown.append(present.index)
        other.label(int(Y_TRUE[present.index] + 1) % 3)
    known_ahead = drawn(one)[0].instances
    assert shown[: len(known_ahead)] == asked[: len(known_ahead)] == known_ahead
    assert shown != asked


def test_no_instance_is_asked_twice_until_the_pool_is_labeled(make_pool: MakePool) -> None:
    session = begin(make_pool)
    assert sorted(label(session, M)) == list(range(M))
    assert session.is_done
    watched = WatchedInterval(session.findings)
    found = watched.estimate()
    truth = pool_value(ErrorRate(), session.models[0], Y_TRUE)
    assert found.value == pytest.approx(truth, abs=1e-12)
    assert (found.standard_error, found.n_draws, found.n_labels) == (0, M, M)
    assert found.low == pytest.approx(truth, abs=1e-9)
    assert found.high == pytest.approx(truth, abs=1e-9)


def test_the_next_instances_are_known_before_they_are_needed(make_pool: MakePool) -> None:
    session = begin(make_pool)
    while session.n_labels < M:
        upcoming = session.upcoming(8)
        assert len(upcoming) == min(8, M - session.n_labels)
        n_known = sum(len(event.instances) for event in drawn(session)) - session.n_labels
        assert n_known >= min(MIN_AHEAD, M - session.n_labels)
        label(session, 1)
        assert [each.index for each in session.upcoming(7)] == [each.index for each in upcoming[1:8]]


def test_fast_answers_have_more_ahead(make_pool: MakePool) -> None:
    session = begin(make_pool)

    def n_ahead() -> int:
        return sum(len(event.instances) for event in drawn(session)) - session.n_labels

    give_labels(session, 0, 4, seconds=0.1)
    assert n_ahead() == 40
    give_labels(session, 0, 30, seconds=2)
    assert n_ahead() < 20


@pytest.mark.parametrize(("n_drawn", "size"), [(16, 8), (71, 8), (160, 20), (239, 1)])
def test_a_block_is_an_eighth_of_the_earlier_draws(make_pool: MakePool, n_drawn: int, size: int) -> None:
    """At least 8, of the first 16; and no more than are left."""
    session = Session(make_pool(240), ErrorRate())
    draws = session.draws.source
    assert isinstance(draws, AdaptiveDraws)
    assert draws.n_draws == 16
    while draws.n_draws < n_drawn:
        block = draws.next_block(min(60, n_drawn - draws.n_draws))
        draws.add(block.instances, block.q, block.least)
    draws._state.assignments.update(dict.fromkeys(draws.first(n_drawn).tolist()))  # none is known ahead
    assert len(draws.next_block().instances) == size


def test_each_draw_is_stored_with_its_own_probability(make_pool: MakePool) -> None:
    """From the log alone: what each block was drawn from, and what was left of it at each draw."""
    session = begin(make_pool)
    label(session, 20)
    session.exclude()
    session.defer()
    label(session, 30)
    labels: dict[int, int] = {}
    excluded: list[int] = []
    before: list[int] = []
    for event in session.log:
        if isinstance(event, Drawn):
            known = [index for index in before if index in labels]
            pending = [index for index in before if index not in labels and index not in excluded]
            q = adaptive_q(
                ErrorRate(),
                session.models[0],
                known,
                [labels[index] for index in known],
                drawn=pending + excluded,
            )
            left = q.copy()
            for index, probability in zip(event.instances, event.q, strict=True):
                assert probability == pytest.approx(left[index] / left.sum(), rel=1e-9)
                left[index] = 0
            before += event.instances
        elif event.kind == "label":
            labels[event.instance] = event.value
            assert event.q == session.draws.source.distinct(event.draw - 1).q
        elif event.kind == "exclude":
            excluded.append(event.instance)


def test_estimate_and_interval_are_those_of_the_statistics(make_pool: MakePool) -> None:
    session = begin(make_pool)
    label(session, 25)
    session.exclude()
    label(session, 20)
    probability = dict(
        zip(*np.concatenate([[e.instances, e.q] for e in drawn(session)], axis=1), strict=True)
    )
    answered = session.draws.watched()
    q_draws = [probability[index] for index in answered.draws]
    for measure in (None, Accuracy()):
        expected = estimate_adaptive(
            measure or ErrorRate(),
            session.models[0],
            answered.draws,
            q_draws,
            answered.y_true,
        )
        assert session.estimate(measure, interval="wald") == expected
    assert [e.n_draws for e in session.trajectory(at=[0, 10, 25, 45])] == [0, 10, 25, 45]

    sequence = AdaptiveConfidenceSequence(ErrorRate(), session.models[0])
    number = 0
    for event in drawn(session):
        block = session.draws.source.distribution(session.draws.source.block_of(event.first))
        for index in event.instances:
            if number < answered.draws.size:
                assert index == answered.draws[number]
                sequence.update(index, block, answered.y_true[number])
            number += 1
    watched = WatchedInterval(session.findings)
    assert (watched.low, watched.high) == (sequence.low, sequence.high)


def test_the_least_probability_of_what_was_left_is_known_of_each_draw(make_pool: MakePool) -> None:
    session = begin(make_pool)
    label(session, 40)
    draws = session.draws.source
    blocks = iter(drawn(session))
    expected, left = [], np.zeros(M)
    ahead: list[int] = []
    for index in draws.first(40).tolist():
        if not ahead:
            event = next(blocks)
            left, ahead = draws.distribution(draws.block_of(event.first)).copy(), list(event.instances)
        expected.append(left[left > 0].min() / left.sum())
        assert ahead.pop(0) == index
        left[index] = 0
    found = draws.least_probabilities(draws.first(40).tolist())
    assert found == pytest.approx(expected)
    # And the estimate uses it: no error among the labels is no proof that there is none, where it costs much.
    model, costs = session.models[0], np.where(np.arange(M) < 20, 100.0, 1.0)
    other = Session(Pool(["text"] * M, predictions=model, costs=costs), ErrorRate(), protocol="adaptive")
    give_labels(other, model.pred_codes, 30)
    answered = other.draws.watched()
    given = model, answered.draws, other.draws.q_draws(), answered.y_true
    least = other.draws.source.least_probabilities(answered.draws.tolist())
    by_session = other.estimate(interval="wald")
    assert by_session == estimate_adaptive(ErrorRate(), *given, least_q=least)
    assert by_session.high > estimate_adaptive(ErrorRate(), *given).high + 0.05


def test_undo_takes_back_labels_and_never_draws(make_pool: MakePool) -> None:
    session = begin(make_pool)
    label(session, 5)
    estimate, upcoming = session.estimate(), session.upcoming(3)
    asked = label(session, 30)
    n_drawn = sum(len(event.instances) for event in drawn(session))
    for _ in range(30):
        session.undo()
    assert (session.n_labels, session.estimate(), session.upcoming(3)) == (5, estimate, upcoming)
    assert sum(len(event.instances) for event in drawn(session)) == n_drawn
    assert label(session, 30) == asked


@pytest.mark.slow
@pytest.mark.parametrize("n_labels", [0, 1, 7, 8, 30, 61])
def test_reopening_goes_on_where_it_was(make_pool: MakePool, shelf: Any, n_labels: int) -> None:
    control, session = begin(make_pool), begin(make_pool, store=shelf.open())
    for each in (control, session):
        label(each, n_labels)
        if n_labels:
            each.defer()
            each.exclude()
    again = begin(make_pool, store=shelf.open())
    assert again.log.events == session.log.events
    assert (again.estimate(), again.upcoming(20)) == (session.estimate(), session.upcoming(20))
    one, other = WatchedInterval(session.findings), WatchedInterval(again.findings)
    assert (one.low, one.high) == (other.low, other.high)
    assert label(again, 15) == label(control, 15)
    assert again.estimate() == control.estimate()


def test_draws_that_could_not_be_stored_are_made_with_the_next_label(
    make_pool: MakePool, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = begin(make_pool)
    append = session.store.append

    def full(name: str, record: dict[str, Any]) -> None:
        if record["kind"] == "draw":
            raise StoreError("the disk is full")
        append(name, record)

    monkeypatch.setattr(session.store, "append", full)
    label(session, 12)
    n_blocks = len(drawn(session))
    monkeypatch.undo()
    label(session, 1)
    assert session.n_labels == 13
    assert len(drawn(session)) == n_blocks + 1
    assert [event.seq for event in session.log] == list(range(1, len(session.log) + 1))


@pytest.mark.parametrize(
    "changes",
    [
        {"first": 2},
        {"instances": [0, 0]},
        {"instances": [0, M]},
        {"instances": [0, -1]},
        {"instances": [0, 1.0]},
        {"instances": [0]},
        {"instances": [], "q": []},
        {"q": [0.5, 0.0]},
        {"q": [0.5, 1.5]},
        {"q": [0.5, float("nan")]},
        {"q": None},
        {"least": None},
        {"least": 0.0},
        {"least": 1.5},
    ],
)
def test_stored_draws_that_can_not_be_are_refused(
    make_pool: MakePool, shelf: Any, changes: dict[str, Any]
) -> None:
    store = shelf.open()
    store.begin("default", begin(make_pool).storage.identity)
    event = Drawn(
        seq=1, time="2026-01-01T00:00:00.000+00:00", first=1, instances=[0, 1], q=[0.1, 0.2], least=0.01
    )
    store.append("default", {**to_record(event), **changes})
    with pytest.raises(SessionMismatchError, match="event 1 in the log"):
        begin(make_pool, store=shelf.open())


def test_the_papers_protocol_knows_no_blocks(make_pool: MakePool, shelf: Any) -> None:
    store = shelf.open()
    session = Session(make_pool(M), ErrorRate(), store=store, protocol="papers")
    event = Drawn(
        seq=1, time="2026-01-01T00:00:00.000+00:00", first=1, instances=[0, 1], q=[0.1, 0.2], least=0.01
    )
    store.append("default", to_record(event))
    with pytest.raises(SessionMismatchError, match="event 1 in the log"):
        Session(make_pool(M), ErrorRate(), store=shelf.open(), protocol="papers")
    assert session.log.events == ()


def test_a_protocol_is_not_continued_by_the_other(make_pool: MakePool, shelf: Any) -> None:
    begin(make_pool, store=shelf.open())
    with pytest.raises(SessionMismatchError, match="protocol"):
        Session(make_pool(M), ErrorRate(), store=shelf.open(), protocol="papers")


@pytest.mark.parametrize("protocol", ["papers", "adaptive"])
def test_a_session_goes_on_by_the_protocol_it_was_begun_with(
    make_pool: MakePool, shelf: Any, protocol: str
) -> None:
    session = Session(make_pool(M), ErrorRate(), protocol=protocol, store=shelf.open())
    label(session, 3)
    again = Session(make_pool(M), ErrorRate(), store=shelf.open())
    assert (again.draws.protocol, again.log.events) == (protocol, session.log.events)
    assert again.upcoming(5) == session.upcoming(5)


def test_what_is_done_unless_it_is_stated(make_pool: MakePool) -> None:
    pool = make_pool(M)
    assert Session(pool, ErrorRate()).draws.protocol == "adaptive"
    assert Session(pool, ErrorRate(), q=np.full(M, 1 / M)).draws.protocol == "papers"
    many = ClassPredictions(np.tile([0.9, 0.1], (LARGEST_UNGROUPED + 1, 1)))
    large = Pool(np.zeros((LARGEST_UNGROUPED + 1, 1, 1), dtype=np.uint8), predictions=many)
    assert Session(large, ErrorRate()).storage.identity["q"] == "adaptive by groups 1, defensive=None"
    assert Session(large, ErrorRate(), protocol="papers").draws.protocol == "papers"


def test_a_q_of_ones_own_is_for_the_papers_protocol(make_pool: MakePool) -> None:
    with pytest.raises(ValueError, match='q is for protocol="papers"'):
        begin(make_pool, q=np.full(M, 1 / M))


def test_the_history_shows_the_draws(make_pool: MakePool) -> None:
    session = begin(make_pool)
    label(session, 9)
    history = session.history().iloc[[0, 1, -1]].reset_index(drop=True)
    assert history.kind.tolist() == ["draw", "label", "draw"]
    assert history.value[0] == drawn(session)[0].instances
    assert history.draw.tolist() == [1, 1, 1 + len(history.value[0])] == [1, 1, 17]
    assert history.weight.tolist()[1] == pytest.approx(1 / (M * history.q[1]))


def test_all_measures_and_costs(make_pool: MakePool) -> None:
    rng = np.random.default_rng(0)
    pool = Pool(
        rng.random((60, 2, 2)),
        predictions=[ClassPredictions(rng.dirichlet([1, 1], size=60)) for _ in range(2)],
        costs=rng.uniform(1, 5, size=60),
    )
    session = Session(pool, FMeasure(), protocol="adaptive")
    y_true = rng.integers(2, size=60)
    give_labels(session, y_true)
    values = [pool_value(FMeasure(), model, y_true) for model in session.models]
    assert session.estimate().value == pytest.approx(values[0] - values[1], abs=1e-12)


@pytest.mark.slow
def test_weights_estimate_shares_without_bias(make_pool: MakePool) -> None:
    """Over many seeds the weighted share of a class has its true mean, within four standard errors."""
    pool = make_pool(30)
    y_true = Y_TRUE[:30]
    shares = []
    for seed in range(300):
        session = Session(pool, ErrorRate(), protocol="adaptive", seed=seed)
        give_labels(session, y_true, 12)
        labels = session.draws.labeled()[1]
        shares.append(float(session.draws.weights() @ (labels == 1)) / 12)
    error = np.std(shares) / np.sqrt(len(shares))
    assert abs(np.mean(shares) - np.mean(y_true == 1)) < 4 * error


def test_weights_are_those_of_the_average_of_the_terms(make_pool: MakePool) -> None:
    """Each draw counts as known in all later terms, and by one over its probability in its own."""
    session = begin(make_pool)
    label(session, 25)
    is_one = np.array(session.draws.labeled()[1]) == 1
    terms = [(is_one[:t].sum() + is_one[t] / q) / M for t, q in enumerate(session.draws.q_draws())]
    assert session.draws.weights() @ is_one / 25 == pytest.approx(np.mean(terms))


def test_exclusions_alone_say_nothing(make_pool: MakePool) -> None:
    session = begin(make_pool)
    session.defer()
    for _ in range(3):
        session.exclude()
    found = session.estimate()
    assert np.isnan(found.value)
    assert (found.low, found.high, found.n_labels, found.n_excluded) == (0, 1, 0, 3)
    for value in (0, 1, 2, 0):
        session.label(value)
        assert 0 <= session.estimate().value <= 1


@pytest.mark.parametrize("protocol", ["adaptive", "papers"])
@pytest.mark.parametrize("n_models", [1, 2])
@pytest.mark.parametrize(
    "measure", [ErrorRate(), LogLoss(), FMeasure(), Precision(), MatthewsCorrelation()], ids=repr
)
def test_without_a_uniform_share_everything_works(
    make_pool: MakePool, measure: Measure, n_models: int, protocol: str
) -> None:
    """Where two models agree, or the label would not count, q is 0 by the formula."""
    rng = np.random.default_rng(5)
    p = rng.beta(0.6, 0.6, 60)
    proba = np.column_stack([1 - p, p])
    other = np.where((rng.random(60) < 0.2)[:, np.newaxis], proba[:, ::-1], proba)
    models = [ClassPredictions(each) for each in (proba, other)]
    y_true = (rng.random(60) < p).astype(int)
    pool = Pool(
        [f"text {i}" for i in range(60)], predictions=models[:n_models] if n_models == 2 else models[0]
    )
    is_adaptive = protocol == "adaptive"
    # Of the sessions of these pools, 3 in 400 leave out the truth at some time: not that of this seed.
    budget = 60 if is_adaptive else 12
    session = Session(pool, measure, defensive=0.0, protocol=protocol, budget=budget, seed=1)
    watched = WatchedInterval(session.findings)
    values = [pool_value(measure, model, y_true) for model in models[:n_models]]
    truth = values[0] if n_models == 1 else values[0] - values[1]
    while not session.is_done and (present := session.next()) is not None:
        session.label(int(y_true[present.index]))
        if session.n_labels % 6 == 0:
            watched.update()
            assert watched.low - 1e-9 <= truth <= watched.high + 1e-9
    watched.update()
    assert watched.low <= session.estimate().value <= watched.high
    if is_adaptive:
        assert session.n_labels == 60
        assert (watched.low, watched.high) == pytest.approx((truth, truth), abs=1e-9)


def test_each_block_is_from_random_numbers_of_its_own(make_pool: MakePool) -> None:
    """By the session's seed and the number of the block."""
    session = begin(make_pool)
    label(session, 30)
    blocks = [event for event in session.log if isinstance(event, Drawn)]
    assert len(blocks) >= 3
    for number, block in enumerate(blocks):
        q = session.draws.q_at(block.first)
        rng = np.random.Generator(np.random.PCG64([session.seed, number]))
        draws, probabilities = draw_without_replacement(q, len(block.instances), rng)
        assert draws.tolist() == list(block.instances)
        assert probabilities.tolist() == pytest.approx(list(block.q), rel=1e-12)


def test_the_distribution_now_is_that_of_the_latest_block(make_pool: MakePool) -> None:
    session = begin(make_pool)
    label(session, 1)
    first = session.q
    np.testing.assert_array_equal(first, session.draws.q_at(1))
    label(session, 30)
    *_, before, latest = drawn(session)
    np.testing.assert_array_equal(session.q, session.draws.q_at(latest.first))
    assert session.q[latest.instances].all()
    assert not session.q[before.instances].any()
    assert first[before.instances].all()
    assert session.q.sum() == pytest.approx(1)


def test_past_distributions_stay_what_they_were(make_pool: MakePool) -> None:
    """Computed again after labels were changed and taken back: by the labels that the draws were from."""
    session = begin(make_pool)
    label(session, 30)
    blocks = [event.first for event in session.log if isinstance(event, Drawn)]
    then = [session.draws.q_at(first).copy() for first in blocks]
    for _ in range(12):
        session.undo()
    for answer in list(session.log.actions)[:8]:
        session.change(answer.instance, (int(session.log.label_of(answer.instance)) + 1) % 3)
    draws = session.draws.source
    assert isinstance(draws, AdaptiveDraws)
    draws._kept.clear()
    draws._mismatched.clear()
    for first, q in zip(blocks, then, strict=True):
        np.testing.assert_allclose(session.draws.q_at(first), q, rtol=1e-12)
    assert session.draws.n_of_other_version() == 0
