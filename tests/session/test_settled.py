"""What is certain of two models once all that can tell them apart has an answer."""

from math import isclose

import numpy as np
import pytest

from activeeval_widgets import Pool, Session
from activeeval_widgets.session.findings.settled_difference import SettledDifference
from activeeval_widgets.stats import ErrorRate, FMeasure, PredictedClasses, SquaredError, ValuePredictions

from ..labeling import give_labels

N, DIFFERING = 9, (1, 4, 6)


def begin(seed=0):
    first = np.full((N, 2), (0.8, 0.2))
    second = first.copy()
    second[list(DIFFERING)] = 0.3, 0.7
    return Session(Pool(list("abcdefghi"), predictions={"old": first, "new": second}), ErrorRate(), seed=seed)


def answers(session, y_true, unlabeled):
    """Answer as a person does, and tell after each answer whether all that differs has one."""
    answered = set()
    while (asked := session.next()) is not None:
        if asked.index in unlabeled:
            session.exclude()
        else:
            session.label(int(y_true[asked.index]))
        answered.add(asked.index)
        yield answered >= set(DIFFERING)


@pytest.mark.parametrize("y_differing", [(0, 0, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1)])
def test_whatever_can_be_labeled_the_difference_is_within(y_differing):
    n_settled = 0
    for bits in range(2**4):
        # Any of four instances can't be labeled, one of which tells the models apart.
        unlabeled = {index for k, index in enumerate((0, 3, 4, 8)) if bits >> k & 1}
        y_true = np.zeros(N, dtype=int)
        y_true[list(DIFFERING)] = y_differing
        gained = [2 * int(y_true[index]) - 1 for index in DIFFERING if index not in unlabeled]
        truth = sum(gained) / (N - len(unlabeled))
        session = begin(seed=bits)
        for is_settled in answers(session, y_true, unlabeled):
            if not is_settled:
                continue
            n_settled += 1
            found, verdict = session.estimate(), session.verdict()
            assert found.low - 1e-12 <= truth <= found.high + 1e-12
            assert found.low <= found.value <= found.high
            assert verdict.better == (None if truth == 0 else "new" if truth > 0 else "old")
            assert verdict.is_decided
            assert found.pvalue == (1 if truth == 0 else 0)
        assert session.known_value() is None or isclose(session.known_value(), truth, abs_tol=1e-12)
    assert n_settled > 50


def test_what_papers_draws_leave_open_is_within_as_well():
    """They never draw where models agree: after an exclusion nobody knows what can be labeled there."""
    first, second = np.zeros(N, dtype=int), np.zeros(N, dtype=int)
    second[list(DIFFERING)] = 1
    models = {
        name: PredictedClasses(result.tolist(), classes=[0, 1])
        for name, result in (("old", first), ("new", second))
    }
    y_true = np.zeros(N, dtype=int)
    y_true[4] = 1
    for bits in range(2**4):
        unlabeled = {index for k, index in enumerate((1, 6, 0, 3)) if bits >> k & 1}
        session = Session(
            Pool(list("abcdefghi"), predictions=models), ErrorRate(), protocol="papers", seed=bits
        )
        assert not session.q[[0, 2, 3, 5, 7, 8]].any()
        list(answers(session, y_true, unlabeled))
        found = session.estimate()
        gained = sum(2 * int(y_true[index]) - 1 for index in DIFFERING if index not in unlabeled)
        if not unlabeled & set(DIFFERING):
            assert found.low == found.high == session.known_value() == pytest.approx(gained / N)
            continue
        assert found.low <= gained / (N - len(unlabeled)) <= found.high
        assert found.low <= found.value <= found.high
        assert session.known_value() is None
        assert "Known" not in str(session.verdict()) or gained == 0


def test_nothing_is_certain_while_one_of_them_waits_and_undo_takes_it_back():
    session, fresh = begin(), begin()
    for is_settled in answers(session, np.zeros(N, dtype=int), ()):
        if is_settled:
            break
    assert session.verdict().better == "old"
    assert session.estimate().pvalue == 0
    session.undo()
    give_labels(fresh, 0, session.n_labels)
    assert fresh.estimate().pvalue > 0  # the bets may have decided it by then, at 95 %
    assert session.estimate() == fresh.estimate()


def test_the_past_is_reported_as_it_was():
    session = begin(seed=3)
    result = [session.estimate() for _ in answers(session, np.ones(N, dtype=int), ())]
    past = session.trajectory(range(1, len(result) + 1))
    assert [(each.low, each.high) for each in past] == [(each.low, each.high) for each in result]


def test_an_unbounded_loss_is_certain_as_well():
    first = ValuePredictions(np.zeros(6), variance=np.ones(6))
    second = ValuePredictions(np.array([0.0, 0, 0, 3, 0, 0]), variance=np.ones(6))
    session = Session(Pool(list("abcdef"), predictions={"a": first, "b": second}), SquaredError())
    while (asked := session.next()) is not None and asked.index != 3:
        session.label(0.0)
    session.label(1.0)
    found = session.estimate()
    # (1 - 0)² - (1 - 3)² = -3, of at most six instances.
    assert found.low == pytest.approx(-3 / session.n_labels)
    assert found.high == pytest.approx(-0.5)
    assert not found.is_asymptotic
    assert not found.withheld


def test_a_ratio_has_no_part_that_does_not_count():
    session = begin()
    for is_settled in answers(session, np.ones(N, dtype=int), ()):
        if is_settled:
            assert session.findings._settled_difference(FMeasure(positive=1)) is None
            return


def test_an_interval_that_is_elsewhere_gives_way():
    settled = SettledDifference(
        2, total=-1.0, n_instances=10, n_labeled=np.array([2]), n_excluded=np.array([0])
    )
    low, high = settled.narrowed(np.array([0.1]), np.array([0.2]))
    assert (low[0], high[0]) == (-0.5, -0.1)
    low, high = settled.narrowed(np.array([-0.3]), np.array([0.2]))
    assert (low[0], high[0]) == (-0.3, -0.1)


def test_the_ends_are_of_all_and_of_none_of_what_is_left():
    """Of 20 instances 10 have labels and 4 are excluded: from 10 to 16 can be labeled."""
    for total, ends in ((3.0, (3 / 16, 3 / 10)), (-3.0, (-3 / 10, -3 / 16)), (0.0, (0.0, 0.0))):
        settled = SettledDifference(5, total, 20, np.array([10]), np.array([4]))
        assert tuple(float(end[0]) for end in settled.ends) == pytest.approx(ends, abs=1e-15)
