"""Requirements: answers are those of the interval, none is early, and few are ever wrong."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from math import inf, nan

import numpy as np
import pytest
from scipy.stats import binom

from activeeval_widgets import Pool, Session
from activeeval_widgets.session.findings import requirement
from activeeval_widgets.session.findings.goal_plan import GoalPlan
from activeeval_widgets.session.findings.goals import Goal
from activeeval_widgets.session.findings.requirement import (
    _answer,
    _is_at_least,
    _lead,
    _of_two,
    require_better,
    require_better_session,
    require_value,
)
from activeeval_widgets.stats import (
    Accuracy,
    ClassPredictions,
    ErrorRate,
    FMeasure,
    MatthewsCorrelation,
    pool_value,
)

N = 80


def made(seed: int = 0, n: int = N) -> tuple[np.ndarray, ClassPredictions, ClassPredictions]:
    """Return labels, and two models: "new" is right about nine times in ten, "old" about seven times."""
    rng = np.random.default_rng(seed)
    y_true = (rng.random(n) < 0.4).astype(int)

    def model(accuracy: float, name: str) -> ClassPredictions:
        is_right, p = rng.random(n) < accuracy, rng.uniform(0.55, 0.95, n)
        p = np.where((y_true == 1) == is_right, p, 1 - p)
        return ClassPredictions(np.column_stack([1 - p, p]), name=name)

    return y_true, model(0.9, "new"), model(0.7, "old")


def labeled(session: Session, y_true: np.ndarray, n: int = N) -> Iterator[Session]:
    """Label instances, and yield the session after each label."""
    for _ in range(n):
        asked = session.next()
        if asked is None:
            return
        session.label(int(y_true[asked.index]))
        yield session


def begun(*models: ClassPredictions, measure: object = None, **options: object) -> Session:
    predictions = list(models) if len(models) > 1 else models[0]
    pool = Pool([f"text {i}" for i in range(models[0].n_instances)], predictions=predictions)
    return Session(pool, measure or ErrorRate(), **options)


@pytest.fixture
def no_forecasts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out forecasts, which take longer than all else, and which answers don't depend on."""
    monkeypatch.setattr(requirement, "_planned", lambda found, *_: found)


@pytest.fixture
def goals(monkeypatch: pytest.MonkeyPatch) -> list[Goal]:
    """Collect the goals to forecast, in place of their forecasts."""
    found: list[Goal] = []
    monkeypatch.setattr(
        requirement, "_planned", lambda answer, findings, watched, goal: found.append(goal) or answer
    )
    return found


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0.91, 0.95, True),
        (0.9, 0.95, True),
        (0.8, 0.95, None),
        (0.8, 0.9, None),
        (0.8, 0.89, False),
        (0.9 - 1e-15, 0.9 - 1e-15, True),
        (nan, nan, None),
        (-inf, inf, None),
        (0.95, 0.85, None),
    ],
)
def test_an_interval_answers_if_it_is_on_one_side(low: float, high: float, expected: bool | None) -> None:
    assert _is_at_least(low, high, 0.9) is expected


@pytest.mark.parametrize(
    ("low", "high", "expected"), [(0.0, 0.1, None), (1e-9, 0.1, True), (-0.1, 0.0, False), (0.0, 0.0, False)]
)
def test_an_equally_good_model_is_not_better(low: float, high: float, expected: bool | None) -> None:
    assert _is_at_least(low, high, 0.0, or_equal=False) is expected


@pytest.mark.usefixtures("no_forecasts")
def test_the_answer_follows_the_interval_of_the_page_and_ends_exact() -> None:
    y_true, model, _ = made()
    truth = pool_value(ErrorRate(), model, y_true)
    session = begun(model, measure="error-rate")
    assert require_value(session.findings, 0.5, is_most=True).is_met is None
    answers = set()
    for _ in labeled(session, y_true):
        now = session.watched()
        for bound in (truth - 0.01, 0.3):
            most = require_value(session.findings, bound, is_most=True)
            assert (most.estimate.low, most.estimate.high) == (now.low, now.high)
            assert most.is_met is (True if now.high <= bound else False if now.low > bound else None)
            assert most.claim == f"the error rate is at most {100 * bound:.10g}%"
            answers.add((bound, most.is_met))
    assert {(0.3, None), (0.3, True), (truth - 0.01, None), (truth - 0.01, False)} == answers
    # With all labels, the value itself meets the bound on either side.
    assert require_value(session.findings, truth, is_most=True).is_met
    assert require_value(session.findings, truth).is_met
    assert not require_value(session.findings, truth + 1e-9).is_met
    assert require_value(session.findings, 1 - truth, measure=Accuracy()).is_met


def test_the_forecast_is_that_of_the_page() -> None:
    y_true, model, old = made()
    session = begun(model)
    *_, session = labeled(session, y_true, 20)
    plan = GoalPlan(session.findings, session.watched()).progress(Goal(threshold=0.12)).to_decision
    assert require_value(session.findings, 0.12, is_most=True).plans == (plan,)
    both = begun(old, model)
    *_, both = labeled(both, y_true, 4)
    plan = GoalPlan(both.findings, both.watched()).progress(Goal(threshold=0.0)).to_decision
    assert require_better(both.findings, "old").is_met is None
    assert require_better(both.findings, "old").plans == (plan,)
    # The margin that makes models equivalent answers another question.
    swapped = np.where(np.arange(N)[:, np.newaxis] < 20, model.y_proba[:, ::-1], model.y_proba)
    alike = begun(ClassPredictions(swapped, name="old"), model, margin=0.6)
    assert any(each.verdict().is_equivalent for each in labeled(alike, np.arange(N) % 2))
    assert require_better(alike.findings, "old").is_met is None


@pytest.mark.parametrize(("measure", "sign"), [(Accuracy(), 1), (ErrorRate(), -1)])
def test_goals_of_a_margin(measure: ErrorRate | Accuracy, sign: int, goals: list[Goal]) -> None:
    """Of the first model's measure minus the second one's; for two sessions, half of what is missing."""
    y_true, new, old = made()
    both = begun(new, old, measure=measure).findings
    for name, threshold in (("old", 0.25 * sign), ("new", -0.25 * sign)):
        require_better(both, name, margin=0.25)
        assert goals.pop() == Goal(threshold=threshold)
    sessions = [begun(each, measure=measure, name=each.name) for each in (new, old)]
    for session in sessions:
        assert not require_better_session(*(each.findings for each in sessions), margin=0.25).plans
        assert not goals
        *_, _ = labeled(session, y_true, 5)
    found = require_better_session(*(each.findings for each in sessions), margin=0.25)
    missing = 0.25 - sign * found.estimate.value
    assert [each.half_width for each in goals] == pytest.approx([abs(missing) / 2] * 2)


@pytest.mark.usefixtures("no_forecasts")
@pytest.mark.parametrize("measure", [ErrorRate(), Accuracy()])
@pytest.mark.parametrize("is_first", [True, False])
def test_better_in_one_session(measure: ErrorRate | Accuracy, is_first: bool) -> None:
    y_true, new, old = made(1)
    session = begun(*((new, old) if is_first else (old, new)), measure=measure)
    gain = pool_value(Accuracy(), new, y_true) - pool_value(Accuracy(), old, y_true)
    for _ in labeled(session, y_true):
        better, worse = (require_better(session.findings, name).is_met for name in ("old", "new"))
        verdict = session.verdict()
        assert (better, worse) == ((True, False) if verdict.better == "new" else (None, None))
        by = require_better(session.findings, "old", margin=gain)
        assert by.is_met is not False
        assert require_better(session.findings, "old", margin=gain + 0.01).is_met is not True
        assert by.claim == f"new is better than old by at least {100 * gain:.10g}\xa0points in {measure.name}"
    assert better
    assert by.is_met
    assert by.estimate.value == pytest.approx(gain if measure.greater_is_better else -gain)
    assert require_better(session.findings, "old", margin=gain + 0.01).is_met is False


def test_better_than_another_session_holds_at_the_level_for_both_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    y_true, new, old = made(1)
    planned = requirement._planned  # called twice only, as forecasts take long
    monkeypatch.setattr(
        requirement,
        "_planned",
        lambda found, *given: planned(found, *given) if found.estimate.n_labels in (40, 140) else found,
    )
    sessions = [begun(new, name="mine"), begun(old, name="last", seed=1)]
    for one, other in zip(*(labeled(each, y_true, 70) for each in sessions), strict=True):
        found = require_better_session(one.findings, other.findings)
        ends = [each.watched(confidence_level=0.975) for each in (one, other)]
        assert found.estimate.low == ends[0].low - ends[1].high
        assert found.estimate.high == ends[0].high - ends[1].low
        assert found.is_met is (True if found.estimate.high < 0 else None)
        assert found.estimate.confidence_level == 0.95
        if one.n_labels == 20:
            assert found.is_met is None
            assert all(plan.n_labels > 0 for plan in found.plans)
            assert len(found.plans) == 2
    assert found.is_met
    assert not found.plans
    assert found.claim == "mine is better than last in error rate"
    assert require_better_session(other.findings, one.findings).is_met is False
    with pytest.raises(ValueError, match="'mine' is about the error rate, and 'F' about the F1"):
        require_better_session(one.findings, begun(old, measure=FMeasure(), name="F").findings)


def test_the_difference_of_two_sessions_by_hand() -> None:
    blank = replace(begun(made()[1]).estimate(), is_asymptotic=False)
    new = replace(
        blank, value=0.75, low=0.5, high=0.875, standard_error=0.03, n_labels=20, n_draws=25, n_excluded=2
    )
    old = replace(
        blank, value=0.5, low=0.25, high=0.625, standard_error=0.04, n_labels=10, n_draws=11, n_excluded=1
    )
    found = _of_two(new, old, 0.9)
    assert (found.value, found.low, found.high) == (0.25, -0.125, 0.625)
    assert (found.n_labels, found.n_draws, found.n_excluded) == (30, 36, 3)
    assert (found.standard_error, found.confidence_level) == (pytest.approx(0.05), 0.9)
    assert not found.is_asymptotic
    assert not found.withheld
    for each in ({"is_asymptotic": True}, {"withheld": True, "reason": "few"}):
        for pair in ((replace(new, **each), old), (new, replace(old, **each))):
            assert {name: getattr(_of_two(*pair, 0.9), name) for name in each} == each
    # Equally good is not better, and a lead of the margin is enough.
    for lead, margin, is_met in ((0.0, None, False), (0.25, 0.25, True), (0.125, 0.25, False)):
        known = replace(found, low=-lead, high=-lead)
        assert _lead(ErrorRate(), "new", "old", known, margin).is_met is is_met
    # Labels of one session alone say nothing.
    for pair in ((replace(new, n_labels=0), old), (new, replace(old, n_labels=0))):
        assert _of_two(*pair, 0.9).n_labels == 0


@pytest.mark.usefixtures("no_forecasts")
def test_no_answer_without_labels_and_none_by_an_approximate_interval() -> None:
    y_true, model, _ = made()
    session = begun(model, measure=MatthewsCorrelation())
    known = replace(session.estimate(), is_asymptotic=False)
    assert (known.n_labels, _answer(True, known), _answer(False, known)) == (0, None, False)
    was_beyond = False
    for _ in labeled(session, y_true, N - 1):
        found = require_value(session.findings, 0.2)
        is_exact = not found.estimate.is_asymptotic
        was_beyond |= found.estimate.low > 0.2 and not is_exact
        assert found.is_met is (True if is_exact else None)
        assert is_exact or not found.plans
    assert was_beyond


@pytest.mark.parametrize(
    ("bound", "is_most"), [(0.0, False), (1.0, True), (1.1, False), (90.0, False), (-0.1, True), (nan, False)]
)
def test_a_bound_that_says_nothing_is_refused(bound: float, is_most: bool) -> None:
    session = begun(made()[1])
    with pytest.raises(ValueError, match="goes from 0% to 100%"):
        require_value(session.findings, bound, is_most=is_most)


def test_bad_input() -> None:
    _, new, old = made()
    one, two = begun(new), begun(new, old)
    with pytest.raises(ValueError, match="a bound is about one model, and predictions hold two models"):
        require_value(two.findings, 0.5)
    with pytest.raises(ValueError, match="a comparison is about two models, and predictions hold one model"):
        require_better(one.findings, "old")
    with pytest.raises(ValueError, match="there is no model 'older'; there are 'new' and 'old'"):
        require_better(two.findings, "older")
    with pytest.raises(ValueError, match="margin is 500\xa0points, which no two models can differ by"):
        require_better(two.findings, "old", margin=5)
    # Correlations go from -1 to 1, so they can differ by up to 2.
    correlations = begun(new, old, measure=MatthewsCorrelation()).findings
    assert require_better(correlations, "old", margin=2).is_met is None
    with pytest.raises(ValueError, match=r"margin is .*, which no two models can differ by"):
        require_better(correlations, "old", margin=2.01)
    with pytest.raises(ValueError, match="comparison of 'default' with another session is about one model"):
        require_better_session(one.findings, two.findings)


def ever_wrong(ask: Callable[[], bool], *sessions: Session, y_true: np.ndarray, n: int) -> bool:
    """Ask after each label of some sessions, whether an answer is wrong."""
    return any(ask() for _ in zip(*(labeled(each, y_true, n) for each in sessions), strict=False))


@pytest.mark.usefixtures("no_forecasts")
def test_an_answer_is_seldom_ever_wrong() -> None:
    # Bounds at the true value are the hardest: one answer to each is true, and the other one is just false.
    n_sessions, n_labels = 8, 10
    n_wrong = [0, 0, 0]
    for seed in range(n_sessions):
        y_true, new, old = made(seed, 60)
        measure = (ErrorRate(), FMeasure())[seed % 2]
        truth = pool_value(measure, new, y_true)
        one = begun(new, measure=measure, seed=seed)
        gain = pool_value(ErrorRate(), old, y_true) - pool_value(ErrorRate(), new, y_true)
        both = begun(new, old, seed=seed)
        mine, last = begun(new, seed=seed, name="mine"), begun(old, seed=seed + 1, name="last")

        def about_value(one: Session = one, truth: float = truth) -> bool:
            sides = (require_value(one.findings, truth, is_most=is_most) for is_most in (True, False))
            return any(each.is_met is False for each in sides)

        def about_pair(both: Session = both, gain: float = gain) -> bool:
            by, more = (require_better(both.findings, "old", margin=each) for each in (gain, gain + 1e-9))
            return by.is_met is False or more.is_met is True

        def about_sessions(mine: Session = mine, last: Session = last, gain: float = gain) -> bool:
            by, more = (
                require_better_session(mine.findings, last.findings, margin=each)
                for each in (gain, gain + 1e-9)
            )
            return by.is_met is False or more.is_met is True

        assert gain > 0
        for i, (ask, sessions) in enumerate(
            [(about_value, (one,)), (about_pair, (both,)), (about_sessions, (mine, last))]
        ):
            n_wrong[i] += ever_wrong(ask, *sessions, y_true=y_true, n=n_labels)
    most = binom.ppf(0.999, n_sessions, 0.05)
    assert max(n_wrong) <= most
