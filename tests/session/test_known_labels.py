"""Labels that there are before a session: a uniform sample begins it, others only guide its draws."""

import json
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom

from activeeval_widgets import Pool, Session, evaluate
from activeeval_widgets.formats import read_session_file, verify, write_session
from activeeval_widgets.session import Goal, MemoryStore, SessionMismatchError, StoreError
from activeeval_widgets.session.log.people import BEFORE
from activeeval_widgets.session.report.method import method_of
from activeeval_widgets.stats import (
    AdaptiveConfidenceSequence,
    ClassPredictions,
    ErrorRate,
    MeanValue,
    RankingPredictions,
    SquaredError,
    ValuePredictions,
    adaptive_q,
    estimate_adaptive,
)
from activeeval_widgets.widgets.start.plans import planned_widths
from activeeval_widgets.widgets.wording.progress import progress_content

M, N = 60, 20
rng = np.random.default_rng(4)
P = rng.uniform(0.05, 0.95, M)
TRUE = (rng.random(M) < P).astype(int)
SAMPLE = {str(index): int(TRUE[index]) for index in sorted(rng.choice(M, N, replace=False).tolist())}
DRAWN = ("uniformly", "unknown")


def a_pool(labels=SAMPLE, drawn="uniformly", **more):
    predictions = more.pop("predictions", np.column_stack([1 - P, P]))
    return Pool([f"text {i}" for i in range(M)], predictions=predictions, labels=labels, drawn=drawn, **more)


def a_session(labels=SAMPLE, drawn="uniformly", *, measure=None, **options):
    return Session(a_pool(labels, drawn), ErrorRate() if measure is None else measure, **options)


def answer(session, n):
    for _ in range(n):
        session.label(int(TRUE[session.next().index]))
    return session


def records(session):
    """The log without its times."""
    return [{**vars(event), "time": None} for event in session.log]


def test_a_uniform_sample_is_the_first_draws():
    session = a_session(seed=7, budget=5)
    block, *labels = session.log[: N + 1]
    assert sorted(block.instances) == sorted(map(int, SAMPLE)) != block.instances
    assert block.q == [1 / (M - t) for t in range(N)]
    assert [label.draw for label in labels] == list(range(1, N + 1))
    assert {label.who for label in labels} == {BEFORE}
    assert all(label.value == SAMPLE[label.instance_id] for label in labels)
    assert session.log[N + 1].first == N + 1  # the next block is drawn after all of them
    assert (session.n_labels, session.n_draws, session.draws.n_of_other_version()) == (N, N, 0)
    assert np.allclose(session.draws.q_at(N), 1 / M)
    assert session.revisions.last_action is None  # nobody can undo them
    answer(session, 5)
    assert session.is_done
    assert not {event.instance_id for event in session.log[N + 2 :] if event.kind == "label"} & SAMPLE.keys()
    assert session.findings.deadlines is None  # the budget may depend on the sample's labels
    assert "5 of 5 labels · 20 before" in progress_content(session, session.n_draws)["text"]


def test_estimate_and_interval_are_those_of_uniform_draws():
    session = a_session(seed=3)
    order, q = session.log[0].instances, [1 / (M - t) for t in range(N)]
    y = TRUE[order]
    found, wald = session.estimate(), session.estimate(interval="wald")
    expected = estimate_adaptive(ErrorRate(), session.pool.models[0], order, q, y)
    assert (found.value, wald.low, wald.high) == (expected.value, expected.low, expected.high)
    sequence = AdaptiveConfidenceSequence(ErrorRate(), session.pool.models[0])
    for index, label in zip(order, y, strict=True):
        sequence.update(index, np.full(M, 1 / M), label)
    assert (found.low, found.high) == pytest.approx((sequence.low, sequence.high), rel=1e-12)


@pytest.mark.parametrize(("m", "n", "n_errors"), [(20, 18, 1), (13, 11, 2)])
def test_the_interval_holds_over_all_samples_and_orders(m, n, n_errors):
    """The truth is left out at any label for no more than 1 - level of all ordered samples of n of m.

    All instances are predicted alike: an ordered sample is told by where the errors are in an order of all m.
    """
    level, truth = 0.6, n_errors / m
    model = ClassPredictions(np.tile([0.4, 0.6], (m, 1)))
    sequence = AdaptiveConfidenceSequence(ErrorRate(), model, confidence_level=level)
    places = [*combinations(range(m), n_errors)]
    missed = 0
    for errors in places:
        sequence.restart()
        for index in range(n):
            sequence.update(index, np.full(m, 1 / m), int(index not in errors))
            if not sequence.low <= truth <= sequence.high:
                missed += 1
                break
    assert 0 < missed <= (1 - level) * len(places)


def test_the_order_is_random_by_the_seed():
    """Not that of the file: each instance of the sample is the first draw equally often."""
    labels, n_seeds = dict(list(SAMPLE.items())[:4]), 80
    firsts = [a_session(labels, seed=seed).log[0].instances[0] for seed in range(n_seeds)]
    low, high = binom.ppf([1e-5, 1 - 1e-5], n_seeds, 1 / 4)
    assert all(low <= firsts.count(int(name)) <= high for name in labels)
    assert records(a_session(seed=1)) == records(a_session(seed=1)) != records(a_session(seed=2))


CHANCES = np.where(np.isin(np.arange(M), [*map(int, SAMPLE)]), 0.5, 0.2)
"""Probabilities by which SAMPLE could have been drawn."""


def test_a_sample_with_known_probabilities_is_the_first_draws():
    """Its order is that of draws without replacement from q in proportion to -log(1 - probability)."""
    session = a_session(drawn=CHANCES, seed=7, budget=5)
    block, *labels = session.log[: N + 1]
    assert sorted(block.instances) == sorted(map(int, SAMPLE)) != block.instances
    rates = -np.log(1 - CHANCES)
    left, expected = rates.copy(), []
    for index in block.instances:
        expected.append(rates[index] / left.sum())
        left[index] = 0
    assert block.q == pytest.approx(expected, rel=1e-9)
    assert session.draws.source.distribution(0) == pytest.approx(rates / rates.sum(), rel=1e-9)
    assert {label.who for label in labels} == {BEFORE}
    assert all(label.value == SAMPLE[label.instance_id] for label in labels)
    sequence = AdaptiveConfidenceSequence(ErrorRate(), session.pool.models[0])
    for index in block.instances:
        sequence.update(index, rates / rates.sum(), TRUE[index])
    found = session.estimate()
    assert (found.low, found.high) == pytest.approx((sequence.low, sequence.high), rel=1e-9)
    answer(session, 5)
    assert session.is_done
    assert session.draws.n_of_other_version() == 0
    assert records(session) == records(answer(a_session(drawn=CHANCES, seed=7, budget=5), 5))


def test_a_sample_with_known_probabilities_is_recomputed_from_its_file(tmp_path):
    path = write_session(answer(a_session(drawn=CHANCES, seed=2), 10), tmp_path / "session.json")
    assert verify(path).follows
    assert read_session_file(path).open().next() == answer(a_session(drawn=CHANCES, seed=2), 10).next()
    document = json.loads(path.read_text())
    document["pool"]["known"]["drawn"][0] = 0.4
    (tmp_path / "changed.json").write_text(json.dumps(document))
    where = {finding.where for finding in verify(tmp_path / "changed.json").findings}
    assert {"labels", "identity, labels"} <= where
    stored = a_session(drawn=CHANCES, store=tmp_path / "a.sqlite")
    stored.store.close()
    with pytest.raises(SessionMismatchError, match="labels"):
        a_session(drawn=CHANCES * 0.9, store=tmp_path / "a.sqlite")


@pytest.mark.parametrize("drawn", DRAWN)
def test_a_session_goes_on_in_its_store(drawn, tmp_path):
    stored = answer(a_session(drawn=drawn, store=tmp_path / "a.sqlite"), 12)
    stored.store.close()
    again = a_session(drawn=drawn, store=tmp_path / "a.sqlite")
    alone = answer(a_session(drawn=drawn), 12)
    assert records(again) == records(alone)
    assert again.next() == alone.next()
    assert again.estimate() == alone.estimate()
    again.store.close()
    more = SAMPLE | {str(index): int(TRUE[index]) for index in range(40)}
    for labels, how in ((more, drawn), (SAMPLE, DRAWN[drawn == "uniformly"]), (None, None)):
        with pytest.raises(SessionMismatchError, match="labels"):
            a_session(labels, how, store=tmp_path / "a.sqlite")


def test_a_sample_is_stored_with_its_session_or_not_at_all():
    class Full(MemoryStore):
        def begin_with(self, name, identity, records):
            raise StoreError("the disk is full")

    store = Full()
    with pytest.raises(StoreError, match="the disk is full"):
        a_session(store=store)
    assert store.names() == []


def test_another_process_may_begin_the_session_first():
    class Meanwhile(MemoryStore):
        def begin_with(self, name, identity, records):
            super().begin_with(name, identity, records)
            super().begin_with(name, identity, records)

    session = a_session(store=Meanwhile())
    assert records(answer(session, 3)) == records(answer(a_session(), 3))


@pytest.mark.parametrize("drawn", DRAWN)
def test_every_number_is_recomputed_from_the_file(drawn, tmp_path):
    path = write_session(answer(a_session(drawn=drawn, seed=2), 12), tmp_path / "session.json")
    assert verify(path).follows
    session = read_session_file(path).open()
    assert session.next() == answer(a_session(drawn=drawn, seed=2), 12).next()
    document = json.loads(path.read_text())
    for name, value in (("drawn", DRAWN[drawn == "uniformly"]), ("labels", [1 - y for y in SAMPLE.values()])):
        changed = {
            **document,
            "pool": {**document["pool"], "known": {**document["pool"]["known"], name: value}},
        }
        (tmp_path / "changed.json").write_text(json.dumps(changed))
        where = {finding.where for finding in verify(tmp_path / "changed.json").findings}
        assert {"labels", "identity, labels"} <= where
        assert any(each.startswith("event ") for each in where) == (drawn == "unknown" or name == "drawn")


def test_labels_of_unknown_origin_only_guide_the_draws():
    """Here all of them are of errors: the estimate does not know them."""
    wrong = [index for index in range(M) if (P[index] > 0.5) != TRUE[index]][:10]
    labels = {str(index): int(TRUE[index]) for index in wrong}
    session = a_session(labels, "unknown")
    assert (session.n_labels, len(session.log)) == (0, 1)
    model = session.pool.models[0]
    first = adaptive_q(ErrorRate(), model, prior=(wrong, TRUE[wrong]))
    assert session.log[0].q[0] == pytest.approx(first[session.log[0].instances[0]], rel=1e-12)
    answer(session, 16)
    asked = [event.instance for event in session.log if event.kind == "label"]
    prior = [index for index in wrong if index not in asked]
    second = next(event for event in session.log[1:] if event.kind == "draw")
    before = asked[: session.log.events.index(second) - 1]
    prior = [index for index in wrong if index not in before]
    q = adaptive_q(
        ErrorRate(), model, before, TRUE[before], drawn=session.log[0].instances[len(before) :],
        prior=(prior, TRUE[prior]),
    )  # fmt: skip
    assert second.q[0] == pytest.approx(q[second.instances[0]], rel=1e-12)
    without = adaptive_q(
        ErrorRate(), model, before, TRUE[before], drawn=session.log[0].instances[len(before) :]
    )
    left = [index for index in prior if q[index] > 0]
    assert np.allclose(q[left], q[left[0]])  # all are known errors
    assert not np.isclose(q[left], without[left]).any()
    estimate = estimate_adaptive(
        ErrorRate(), model, asked, session.draws.q_draws(), TRUE[asked],
        least_q=session.draws.source.least_probabilities(asked),
    )  # fmt: skip
    assert session.estimate().value == pytest.approx(estimate.value, rel=1e-9)


def test_the_report_says_what_the_labels_were_used_for():
    sample, guide = answer(a_session(), 3), answer(a_session(drawn="unknown"), M)
    result = method_of(sample.findings, sample.watched())[-1]
    assert result == (
        "20 of 60 texts had labels before. They were said to be a uniform random sample, so they count as "
        "the first draws."
    )
    assert "- Labels: 23 of 60 texts; 20 known before" in sample.report()
    index = int(next(iter(SAMPLE)))
    by = method_of(a_session(drawn=CHANCES).findings, a_session(drawn=CHANCES).watched())[-1]
    assert "a random sample with these probabilities, each drawn independently, so they count as the" in by
    guide.change(index, int(1 - TRUE[index]))
    assert method_of(guide.findings, guide.watched())[-1] == (
        "20 of 60 texts had labels before. These only guided the draws: estimate and intervals don't count "
        "them. 20 of them were drawn and labeled again: 19 the same."
    )
    assert "had labels before" not in a_session(None, None).report()


def test_plans_begin_after_the_sample():
    [new], [after] = (planned_widths(a_session(*how), [0.15]) for how in ((None, None), ()))
    assert after.plan.n_labels < new.plan.n_labels
    assert after.uniform.n_labels < new.uniform.n_labels


@pytest.mark.parametrize("drawn", DRAWN)
def test_numbers_votes_pairs_groups_and_labels_without_a_model(drawn):
    """Whatever the first draws would have been, those of a sample are uniform, and each kind goes on."""
    values = {name: float(label) for name, label in SAMPLE.items()}
    votes = ClassPredictions.from_votes(np.column_stack([2 * (1 - TRUE), 2 * TRUE + 1]))
    both = [np.column_stack([1 - P, P]), np.column_stack([P, 1 - P])]
    kinds = [
        (a_pool(values, drawn, predictions=ValuePredictions(P, np.full(M, 0.1))), SquaredError(), float),
        (a_pool(predictions=votes, drawn=drawn), ErrorRate(), int),
        (a_pool(predictions=both, drawn=drawn), ErrorRate(), int),
        (a_pool(costs=np.arange(1.0, M + 1), drawn=drawn), ErrorRate(), int),
        (a_pool(groups=["a", "b"] * (M // 2), drawn=drawn), ErrorRate(), int),
        (a_pool(values, drawn, predictions=None), MeanValue(), float),
    ]
    for pool, measure, kind in kinds:
        session = Session(
            pool, measure, for_groups=pool.groups is not None, y_range=(0, 1) if kind is float else None
        )
        if drawn == "uniformly":
            assert session.log[0].q == [1 / (M - t) for t in range(N)]
        for _ in range(12):
            session.label(kind(TRUE[session.next().index]))
        assert session.n_labels == 12 + (N if drawn == "uniformly" else 0)
        assert session.draws.n_of_other_version() == 0


def test_large_pools_share_rows():
    m = 100_001
    p = np.random.default_rng(0).uniform(0.1, 0.9, m)
    pool, by_probabilities = (
        Pool(
            range(m), predictions=np.column_stack([1 - p, p]), kind="custom",
            labels={str(index): index % 2 for index in range(0, m, 4000)}, drawn=drawn,
        )
        for drawn in ("uniformly", np.full(m, 1 / 4000))
    )  # fmt: skip
    with pytest.raises(ValueError, match="which are for at most 100,000 instances, and there are 100,001"):
        Session(by_probabilities, ErrorRate())
    session = Session(pool, ErrorRate())
    assert session.draws.source.is_grouped
    assert session.log[0].q[0] == 1 / m
    session.label(1)
    assert session.draws.n_of_other_version() == 0


def test_labels_may_be_a_sequence_a_series_or_of_evaluate():
    listed = [SAMPLE.get(str(index)) for index in range(M)]
    expected = a_pool().known
    assert a_pool(listed).known == expected
    assert a_pool(pd.Series(listed, dtype="Int64")).known == expected
    with_nan = [np.nan if y is None else y for y in listed]
    assert [*a_pool(np.array(with_nan)).known[0].items()] == [*expected[0].items()]
    assert a_pool(dict(reversed(SAMPLE.items()))).known == expected
    texts, proba = [f"text {i}" for i in range(M)], np.column_stack([1 - P, P])
    app = evaluate(texts, proba, "error-rate", labels=listed, drawn="uniformly")
    assert app.session.n_labels == N
    assert evaluate(texts, proba, "error-rate", labels=listed).session.n_labels == 0


WRONG = [
    ({"labels": {"0": 2}}, "labels, id '0': label is 2, expected one of the classes"),
    ({"labels": {"0": "1"}}, "labels, id '0': label is '1', expected one of the classes"),
    ({"labels": {"x": 1}}, "labels has the id 'x', which is not in the pool"),
    ({"labels": [1, 0]}, "labels has 2 entries, expected one for each of 60 instances"),
    ({"labels": {}}, "labels has no label for any of 60 instances"),
    ({"labels": [None] * M}, "labels has no label for any of 60 instances"),
    (
        {"labels": TRUE, "drawn": "uniformly"},
        "a label for each of 60 instances, so that nothing is left to ask",
    ),
    (
        {"labels": SAMPLE, "drawn": "by p"},
        "drawn must be one of 'uniformly', 'unknown', got 'by p': a sample with",
    ),
    ({"labels": None, "drawn": CHANCES}, "drawn is given, but there are no labels"),
    ({"labels": SAMPLE, "drawn": CHANCES[:9]}, "drawn has 9 probabilities, expected one for each of 60"),
    ({"labels": SAMPLE, "drawn": CHANCES - 0.2}, "drawn is 0 for id '0', expected the probability"),
    ({"labels": SAMPLE, "drawn": CHANCES + 0.6}, r"drawn is 1\.1 for id '\d+', expected the probability"),
    ({"labels": SAMPLE, "drawn": np.ones(M)}, r"drawn is 1 for id '\d+', which has no label, though"),
    ({"labels": SAMPLE, "drawn": CHANCES / CHANCES.sum()}, "drawn expects 1 labels, the sum of the"),
    (
        {"labels": None, "drawn": "uniformly"},
        r"drawn is 'uniformly', but there are no labels: name them with labels \(--labels\)",
    ),
]


@pytest.mark.parametrize(("arguments", "message"), WRONG, ids=range(len(WRONG)))
def test_errors_name_argument_value_and_remedy(arguments, message):
    with pytest.raises(ValueError, match=message):
        a_session(**{"drawn": None, **arguments})


def test_so_many_labels_are_refused_as_have_a_probability_of_a_billionth_at_most():
    """By Bernstein's inequality: 100 are expected with a variance of 90."""
    assert 69**2 / 2 < (90 + 69 / 3) * np.log(2e9) < (90 + 70 / 3) * np.log(2e9) < 70**2 / 2
    predictions, drawn = np.full((1_000, 2), 0.5), np.full(1_000, 0.1)
    for n_labels in (31, 169):
        Pool(
            ["x"] * 1_000,
            predictions=predictions,
            labels=dict.fromkeys(map(str, range(n_labels)), 0),
            drawn=drawn,
        )
    for n_labels in (30, 170):
        labels = dict.fromkeys(map(str, range(n_labels)), 0)
        with pytest.raises(ValueError, match=f"drawn expects 100 labels, .* but there are {n_labels}: give"):
            Pool(["x"] * 1_000, predictions=predictions, labels=labels, drawn=drawn)


def test_labels_have_to_suit_draws_and_predictions():
    for options in ({"protocol": "papers"}, {"q": np.full(M, 1 / M)}):
        with pytest.raises(ValueError, match="labels are for adaptive draws"):
            a_session(**options)
    with pytest.raises(TypeError, match="labels must be a sequence or a mapping"):
        a_pool("label")
    ranker = RankingPredictions([["d"]], [[[0.5, 0.5]]], grades=[0, 1])
    with pytest.raises(ValueError, match="labels are for classes and numbers: earlier grades"):
        Pool(["query"], predictions=ranker, labels=[1], kind="custom")
    values = a_pool({"0": 2.0}, predictions=ValuePredictions(P))
    with pytest.raises(ValueError, match=r"labels, id '0': label is 2\.0, expected a number from 0 to 1"):
        Session(values, SquaredError(), y_range=(0, 1))


def test_all_labels_can_be_checked_and_no_goal_is_a_deadline_after_a_sample():
    session = a_session(TRUE, "unknown")
    assert answer(session, M).is_done
    assert session.estimate().value == pytest.approx(np.mean((P > 0.5) != TRUE))
    assert a_session(goal=Goal(cost=10)).findings.deadlines is None
    assert a_session(drawn="unknown", goal=Goal(cost=10)).findings.deadlines == (10,)
