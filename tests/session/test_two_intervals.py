"""The guaranteed interval and the approximate one of a session: which is which, and what they wait for."""

from typing import Any

import numpy as np
import pytest

from activeeval_widgets.session import Goal, Pool, Session, WatchedInterval
from activeeval_widgets.session.findings.estimated_interval import EstimatedInterval
from activeeval_widgets.session.findings.goal_plan import GoalPlan
from activeeval_widgets.stats import (
    ClassPredictions,
    ErrorRate,
    FMeasure,
    MatthewsCorrelation,
    Measure,
    SquaredError,
    ValuePredictions,
    estimate,
    estimate_adaptive,
    pool_value,
)

from ..labeling import give_labels

M = 300


def begin(measure: Measure, n_models: int = 1, **options: Any) -> tuple[Session, Any]:
    rng = np.random.default_rng(4)
    p = rng.beta(0.7, 0.9, M)
    y_true = (rng.random(M) < p).astype(int)
    models = [ClassPredictions(np.column_stack([1 - s, s])) for s in (p, np.sqrt(p))[:n_models]]
    pool = Pool(["text"] * M, predictions=models if n_models == 2 else models[0])
    return Session(pool, measure, **options), y_true


def own(session: Session, n: int) -> Any:
    """What `stats` says of the first labels alone."""
    draws, y_true = session.draws.labeled()
    if session.draws.protocol == "papers":
        return estimate(session.measure, list(session.models), session.q, draws[:n], y_true[:n])
    q_draws = session.draws.q_draws()[:n]
    least = session.draws.source.least_probabilities(draws[:n].tolist())
    return estimate_adaptive(
        session.measure, list(session.models), draws[:n], q_draws, y_true[:n], least_q=least
    )


@pytest.mark.parametrize("protocol", ["papers", "adaptive"])
def test_a_measure_with_a_guarantee_has_both(protocol: str) -> None:
    session, y_true = begin(ErrorRate() if protocol == "papers" else FMeasure(), protocol=protocol)
    give_labels(session, y_true, 160)
    found, approximate = session.estimate(), session.estimate(interval="approximate")
    alone = own(session, found.n_draws)
    assert (found.interval, found.is_asymptotic, found.withheld) == ("confidence_sequence", False, False)
    assert alone.has_approximate
    # The approximate one never goes beyond the guaranteed one.
    assert found.approximate_low == max(found.low, alone.approximate_low)
    assert found.approximate_high == min(found.high, alone.approximate_high)
    assert found.approximate_high - found.approximate_low <= found.high - found.low
    assert (approximate.low, approximate.high) == (found.approximate_low, found.approximate_high)
    assert (approximate.interval, approximate.is_asymptotic, approximate.withheld) == (
        "approximate",
        True,
        False,
    )
    watched = session.watched()
    assert isinstance(watched, WatchedInterval)
    assert (watched.low, watched.high) == (found.low, found.high)


def test_it_is_withheld_before_there_are_enough_labels_and_may_be_again() -> None:
    session, y_true = begin(FMeasure())
    give_labels(session, y_true, 49)
    early = session.estimate()
    assert not early.has_approximate
    assert " 50 labels" in early.approximate_reason
    withheld = session.estimate(interval="approximate")
    assert (withheld.low, withheld.high, withheld.withheld) == (0.0, 1.0, True)
    assert withheld.reason == early.approximate_reason
    give_labels(session, y_true, 60)
    assert session.estimate().has_approximate
    for _ in range(70):
        session.undo()
    assert not session.estimate().has_approximate


@pytest.mark.parametrize("n_models", [1, 2])
def test_a_measure_without_a_guarantee_has_the_approximate_one(n_models: int) -> None:
    session, y_true = begin(MatthewsCorrelation(), n_models)
    watched = session.watched()
    assert isinstance(watched, EstimatedInterval)
    assert (watched.withheld, watched.is_asymptotic) == (True, True)
    assert (watched.low, watched.high) == watched.whole == ((-1, 1) if n_models == 1 else (-2, 2))
    give_labels(session, y_true, 150)
    found, alone = session.estimate(), own(session, 150)
    assert found.is_asymptotic
    assert (found.low, found.high) == (alone.approximate_low, alone.approximate_high)
    assert (found.approximate_low, found.approximate_high) == (found.low, found.high)
    watched = session.watched()
    assert (watched.low, watched.high, watched.n_draws) == (found.low, found.high, 150)
    low, high = watched.at([20, 150])
    assert (low[0], high[0]) == watched.whole
    assert (low[1], high[1]) == (found.low, found.high)
    approximate = session.estimate(interval="approximate")
    assert (approximate.low, approximate.high) == (found.low, found.high)
    if n_models == 2:
        # The p-value belongs to the interval.
        assert (found.pvalue <= 0.05) == (not found.low <= 0 <= found.high)
        assert found.pvalue == approximate.pvalue == watched.pvalue


def test_it_waits_for_what_was_put_aside() -> None:
    session, y_true = begin(MatthewsCorrelation())
    give_labels(session, y_true, 80)
    before = session.estimate()
    session.defer()
    give_labels(session, y_true, 3)
    later = session.estimate()
    assert (later.n_draws, session.log.n_deferred) == (83, 1)
    assert (later.low, later.high) == (before.low, before.high)
    assert session.watched().n_draws == 80
    assert [each.approximate_low for each in session.trajectory(at=[80, 82], interval="wald")] == [
        before.low
    ] * 2
    give_labels(session, y_true, 20)
    assert session.log.n_deferred == 0
    assert (session.estimate().low, session.estimate().high) != (before.low, before.high)


def test_a_whole_pool_is_exact_in_both() -> None:
    for measure in (FMeasure(), MatthewsCorrelation()):
        session, y_true = begin(measure)
        give_labels(session, y_true, M)
        truth = pool_value(measure, session.models[0], y_true)
        for interval in (None, "approximate"):
            found = session.estimate(interval=interval)
            assert found.low == found.high == found.value == pytest.approx(truth)
            assert (found.is_asymptotic, found.withheld, found.reason) == (False, False, None)
        assert session.estimate().approximate_low == found.value


def test_goals_go_by_the_guaranteed_one_and_else_by_the_approximate_one() -> None:
    for measure in (ErrorRate(), MatthewsCorrelation()):
        session, y_true = begin(measure)
        give_labels(session, y_true, 150)
        found, watched = session.estimate(), session.watched()
        half = (found.high - found.low) / 2
        plan = GoalPlan(session.findings, watched)
        assert plan.progress(Goal(half_width=half + 1e-9)).reached == ("half_width",)
        assert plan.progress(Goal(half_width=half - 1e-9)).reached == ()
        assert plan.progress(Goal(threshold=found.high + 0.01)).decision == "below"
        inside = (found.low + found.high) / 2
        assert plan.progress(Goal(threshold=inside)).decision is None


def test_losses_without_an_end_have_one_only_in_a_range() -> None:
    rng = np.random.default_rng(5)
    mean = np.zeros(M)
    y_true = 0.5 * rng.choice([-1.2, -1.0, -0.8, 0.8, 1.0, 1.2], M)
    model = ValuePredictions(mean, variance=np.full(M, 0.25))
    for y_range in (None, (-0.7, 0.7)):
        session = Session(Pool(["text"] * M, predictions=model), SquaredError(), y_range=y_range)
        give_labels(session, y_true, 150)
        found = session.estimate()
        if y_range is None:
            # It takes a range for granted, which is approximate in itself.
            assert found.is_asymptotic
            assert (found.approximate_low, found.approximate_high) == (found.low, found.high)
        else:
            assert not found.is_asymptotic
            assert found.low <= found.approximate_low < found.approximate_high <= found.high
