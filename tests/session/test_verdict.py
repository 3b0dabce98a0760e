"""Which of two models is better: in fields, in words, and how often it is wrong."""

from dataclasses import dataclass, replace
from math import inf
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.stats import binomtest

from activeeval_widgets import Goal, Pool, Session
from activeeval_widgets.session import MemoryStore, SessionMismatchError, StoreError
from activeeval_widgets.session.findings.goal_plan import GoalPlan
from activeeval_widgets.session.findings.verdict import Verdict, read_verdict
from activeeval_widgets.session.log.events import MarginSet, from_record, to_record
from activeeval_widgets.stats import (
    Accuracy,
    ClassPredictions,
    CohenKappa,
    ErrorRate,
    FMeasure,
    Measure,
    SquaredError,
    ValuePredictions,
)
from activeeval_widgets.stats.numbers import Numbers, exact_text, outward
from activeeval_widgets.stats.quantities import Differences, Quantity

from ..labeling import give_labels

TWO = {"old": [[0.9, 0.1]] * 40, "new": [[0.2, 0.8]] * 40}


@dataclass
class Interval:
    """As much of an interval as a verdict looks at."""

    low: float
    high: float
    withheld: bool = False
    is_asymptotic: bool = False
    confidence_level: float = 0.95
    whole: tuple[float, float] = (-1.0, 1.0)


def verdict_by(
    low: float, high: float, margin: float | None = None, measure: Measure | None = None, **options: object
) -> Verdict:
    session = SimpleNamespace(question=SimpleNamespace(names=("old", "new")), n_labels=12)
    interval = replace(Interval(low, high), **options)
    return read_verdict(session, measure or ErrorRate(), interval, margin)


@pytest.mark.parametrize(
    ("measure", "low", "high", "better", "words"),
    [
        (ErrorRate(), 0.0123, 0.08, "new", "new is better by at least 1.2 points."),
        (Accuracy(), 0.0123, 0.08, "old", "old is better by at least 1.2 points."),
        (ErrorRate(), -0.0778, -0.0002, "old", "old is better by at least 0.02 points."),
        (CohenKappa(), -0.3, -0.1234, "new", "new is better by at least 0.123."),
        (SquaredError(), 0.25, 4.0, "new", "new is better by at least 0.2."),
        (SquaredError(), 1234.5678, 4000.0, "new", "new is better by at least 1,234."),
        (ErrorRate(), -0.01, 0.0304, None, "Not decided yet: they differ by at most 3.1 points."),
        (ErrorRate(), -0.99, 1.0, None, "Not decided yet."),
        (ErrorRate(), 0.0, 0.01, None, "Not decided yet: they differ by at most 1.00 points."),
        (FMeasure(), 0.013, 0.013, "old", "Known: old is better by 0.013."),
        (ErrorRate(), 0.0, 0.0, None, "Known: both models have the same error rate."),
        (ErrorRate(), 1e-9, 0.5, "new", "new is better."),
    ],
)
def test_better_is_less_of_a_loss_and_more_of_a_score(
    measure: Measure, low: float, high: float, better: str | None, words: str
) -> None:
    verdict = verdict_by(low, high, measure=measure)
    assert verdict.better == better
    assert str(verdict).replace("\N{NO-BREAK SPACE}", " ") == words
    assert verdict.is_decided == (better is not None or low == high)


@pytest.mark.parametrize(
    ("low", "high", "margin", "is_equivalent", "words"),
    [
        (-0.004, 0.0061, 0.01, True, "They differ by less than 1 point: by at most 0.61 points."),
        (-0.004, 0.00991, 0.01, True, "They differ by less than 1 point: by at most 0.991 points."),
        (-0.004, 0.01, 0.01, False, "Not decided yet: they differ by at most 1.00 points."),
        (0.002, 0.008, 0.01, True, "new is better, but by less than 1 point: by 0.20 to 0.80 points."),
        (0.002, 0.02, 0.01, False, "new is better by at least 0.20 points."),
        (
            0.004,
            0.004,
            0.005,
            True,
            "Known: new is better by 0.4 points, less than the margin of 0.5 points.",
        ),
        (0.3 - 0.2, 0.3 - 0.2, 0.1, False, "Known: new is better by 10.0 points."),
        (0.005, 0.005, 0.005, False, "Known: new is better by 0.5 points."),
    ],
)
def test_a_difference_below_the_margin_is_a_verdict_too(
    low: float, high: float, margin: float, is_equivalent: bool, words: str
) -> None:
    verdict = verdict_by(low, high, margin)
    assert verdict.is_equivalent == is_equivalent
    assert verdict.is_decided == (is_equivalent or low > 0)
    assert str(verdict).replace("\N{NO-BREAK SPACE}", " ") == words


def test_an_interval_that_is_withheld_decides_nothing() -> None:
    verdict = verdict_by(0.1, 0.2, 0.5, withheld=True)
    assert (verdict.better, verdict.is_equivalent, verdict.is_decided) == (None, False, False)
    assert str(verdict_by(-inf, inf, whole=(-inf, inf))) == "Not decided yet."


@pytest.mark.parametrize("measure", [ErrorRate(), SquaredError()])
def test_what_is_written_is_never_better_than_what_is_proven(measure: Measure) -> None:
    rng = np.random.default_rng(0)
    factor = 100 if measure.is_share else 1
    for value in 10 ** rng.uniform(-8, 3, 2000) * rng.choice([-1, 1], 2000):
        for up in (False, True):
            number = float(outward(measure, value, up=up).replace(",", "").replace("\N{MINUS SIGN}", "-"))
            gap = number / factor - value
            assert (gap if up else -gap) >= -1e-9 * abs(value)
            assert abs(gap) <= max(0.1 / factor, 1.0 if abs(value) >= 100 else 0.001)
            if abs(value) * factor > 1e-6:
                assert number * value >= 0
            if abs(value) * factor > 1e-6 and up == (value < 0):
                assert number != 0  # a decided difference does not end at 0


@given(st.integers(-1_000, 1_000).filter(bool), st.floats(-1e-8, 1e-8), st.booleans())
@example(500, -1.2e-12, False)  # 49.99999999994%
@example(-500, 4e-11, True)
def test_an_end_moves_inward_by_the_rounding_of_computers_at_most(
    tenths: int, noise: float, up: bool
) -> None:
    value = tenths / 1000 * (1 + noise)
    text = outward(ErrorRate(), value, up=up, decimals=1)
    number = float(text.replace("\N{MINUS SIGN}", "-"))
    inward = (value - number / 100) * (1 if up else -1)
    assert inward <= 1e-9 * abs(value)
    if abs(noise) <= 4e-11:
        assert number == tenths / 10


def test_one_point_less_is_singular() -> None:
    difference = Differences(ErrorRate())
    texts = [
        exact_text(difference, value).replace("\N{NO-BREAK SPACE}", " ") for value in (-0.01, 0.01, -0.011)
    ]
    assert texts == ["\N{MINUS SIGN}1 point", "1 point", "\N{MINUS SIGN}1.1 points"]


@pytest.mark.parametrize(
    ("value", "up", "text"),
    [
        (0.7951, True, "79.6"),  # 80 would be the goal
        (0.79996, True, "79.996"),
        (0.8049, False, "80.4"),
        (0.80004, False, "80.004"),
        (0.79999995, True, "79.999995"),
        (0.8, True, "80"),
        (0.79, True, "79"),
    ],
)
def test_an_end_is_not_rounded_onto_what_it_is_apart_from(value: float, up: bool, text: str) -> None:
    assert outward(ErrorRate(), value, up=up, decimals=0, apart=(0.8,)) == text


def test_a_decided_interval_does_not_end_at_zero() -> None:
    ends = Numbers(Differences(ErrorRate()), 0.039).ends(-0.0778, -0.0002)
    assert ends == ("\N{MINUS SIGN}7.8", "\N{MINUS SIGN}0.02\N{NO-BREAK SPACE}points")
    assert Numbers(Quantity(ErrorRate()), 0.0).ends(0.0, 0.0) == ("0.0%", "0.0%")


# The margin, in the log


def two_models(**options: object) -> Session:
    return Session(Pool([str(i) for i in range(40)], predictions=TWO), ErrorRate(), **options)


def test_the_margin_is_kept_with_the_labels_that_there_were() -> None:
    store = MemoryStore()
    session = two_models(store=store)
    assert session.log.margin is None
    give_labels(session, 1, 3)
    event = session.revisions.declare_margin(0.02)
    assert isinstance(event, MarginSet)
    assert from_record(to_record(event)) == event
    assert session.revisions.declare_margin(0.02) is None  # nothing new
    session.label(1)
    session.undo()  # takes back a label, not the margin
    assert (session.log.margin, session.n_labels) == (0.02, 3)
    # What the log says counts more than what the session is opened with, also that there is none.
    again = two_models(store=store, margin=0.5)
    assert again.log.margin == 0.02
    again.revisions.declare_margin(None)
    assert two_models(store=store, margin=0.5).log.margin is None
    assert [(each.value, each.n_labels) for each in again.log.declared_margins] == [(0.02, 3), (None, 3)]
    table = again.history()
    assert table[table["kind"] == "margin"]["value"].tolist() == [0.02, None]
    assert "2 points, set after 3 labels; then none, set after 3 labels" in again.report()
    assert two_models(margin=0.01).log.declared_margins[0].n_labels == 0


@pytest.mark.parametrize("margin", [0, -0.1, inf, float("nan"), True, "1%"])
def test_a_margin_is_a_positive_number(margin: object) -> None:
    session = two_models()
    for ask in (
        lambda: two_models(margin=margin),
        lambda: session.revisions.declare_margin(margin),
        lambda: session.verdict(margin),
    ):
        kind = TypeError if isinstance(margin, bool | str) else ValueError
        with pytest.raises(kind, match="margin"):
            ask()
    assert session.log.margin is None


def test_a_log_with_a_margin_that_is_none_is_refused() -> None:
    store = MemoryStore()
    two_models(store=store)
    seq = len(store.begin("default", two_models(store=store).storage.identity)) + 1
    store.append("default", to_record(MarginSet(seq=seq, time="2026-01-01T00:00:00+00:00", margin=-1.0)))
    with pytest.raises(SessionMismatchError, match="does not follow"):
        two_models(store=store)


def test_verdict_and_margin_are_about_two_models() -> None:
    one = Session(Pool(["a"], predictions=[[0.9, 0.1]]), ErrorRate())
    three = Session(Pool(["x"] * 40, predictions={**TWO, "third": [[0.9, 0.1]] * 40}), ErrorRate())
    for session in (one, three):
        with pytest.raises(ValueError, match="about two models"):
            session.verdict()
        with pytest.raises(ValueError, match="a margin is about two models, and predictions hold"):
            session.revisions.declare_margin(0.1)
    with pytest.raises(ValueError, match="a margin is about two models, and predictions hold"):
        Session(Pool(["a"], predictions=[[0.9, 0.1]]), ErrorRate(), margin=0.1)
    assert three.of("old", "third").verdict(0.1).names == ("old", "third")


class ReadOnly(MemoryStore):
    """A store that nothing can be added to."""

    problem = "the disk is full"

    def append(self, name: str, record: object) -> None:
        raise StoreError("the disk is full")


def test_a_session_that_can_only_be_seen_opens_without_the_margin() -> None:
    writable = MemoryStore()
    two_models(store=writable)
    store = ReadOnly()
    vars(store).update(vars(writable))
    assert two_models(store=store, margin=0.1).log.margin is None


# The goal


def alike(n_instances: int = 300, differing: int = 40) -> tuple[Session, np.ndarray]:
    """Two models that differ on some instances, half of which each has right."""
    rng = np.random.default_rng(5)
    y_true = rng.integers(2, size=n_instances)
    proba = np.where(y_true[:, np.newaxis] == [0, 1], 0.95, 0.05)
    first, second = proba.copy(), proba.copy()
    first[: differing // 2] = first[: differing // 2, ::-1]
    second[differing // 2 : differing] = second[differing // 2 : differing, ::-1]
    models = {"old": ClassPredictions(first), "new": ClassPredictions(second)}
    pool = Pool([str(i) for i in range(n_instances)], predictions=models)
    return Session(pool, ErrorRate(), goal=Goal(threshold=0.0)), y_true


@pytest.mark.slow
def test_the_goal_is_reached_where_models_are_known_to_differ_by_too_little() -> None:
    session, y_true = alike()
    plan = GoalPlan(session.findings, session.watched())
    assert session.goal is not None
    while (within := session.verdict().within) >= 0.12:
        asked = session.next()
        session.label(int(y_true[asked.index]))
    standing = plan.progress(session.goal)
    assert standing.reached == ()
    assert standing.verdict is not None
    without = standing.to_decision
    session.revisions.declare_margin(0.7 * within)
    closer = plan.progress(session.goal)
    assert closer.reached == ()
    assert without is not None
    # Of models this much alike, the margin is what ends it; nobody knows how far they are apart.
    assert 0 < closer.to_decision.n_labels < min(without.n_labels, 300 - session.n_labels)
    assert closer.to_decision.high <= without.high
    session.revisions.declare_margin(0.15)
    reached = plan.progress(session.goal)
    assert reached.reached == ("threshold",)
    assert reached.to_decision.n_labels == 0
    assert "differ by less than 15 points" in session.report()


# The guarantee


def run_models(rng: np.random.Generator, n_instances: int) -> tuple[Session, np.ndarray, float]:
    """A session about two models of chance accuracy; its true labels, and the true difference."""
    y_true = rng.integers(2, size=n_instances)
    models = {}
    wrong = []
    for name in ("old", "new"):
        is_wrong = rng.random(n_instances) < rng.uniform(0.1, 0.4)
        sure = rng.uniform(0.5, 1.0, n_instances)
        says_one = np.where(is_wrong, 1 - y_true, y_true)
        p = np.where(says_one == 1, sure, 1 - sure)
        models[name] = ClassPredictions(np.column_stack([1 - p, p]))
        wrong.append(((p > 0.5) != (y_true == 1)).mean())
    pool = Pool([str(i) for i in range(n_instances)], predictions=models)
    session = Session(pool, ErrorRate(), seed=int(rng.integers(2**31)))
    return session, y_true, float(wrong[0] - wrong[1])


def is_ever_wrong(session: Session, y_true: np.ndarray, truth: float, n_labels: int) -> bool:
    """Whether any verdict is wrong, where margins are chosen by what they will show, after every label."""
    for _ in range(n_labels):
        asked = session.next()
        if asked is None:
            break
        session.label(int(y_true[asked.index]))
        verdict = session.verdict()
        if verdict.better is not None and verdict.better != ("old" if truth < 0 else "new"):
            return True
        # The least margin that is reached now: none that anybody could set says more.
        margin = max(verdict.within * (1 + 2e-9), 1e-9)
        if session.verdict(margin).is_equivalent and not abs(truth) < margin:
            return True
    return False


@pytest.mark.slow
def test_verdicts_by_any_margin_at_any_time_are_seldom_wrong() -> None:
    rng = np.random.default_rng(7)
    n_sessions = 14
    n_wrong = sum(is_ever_wrong(*run_models(rng, 40), 40) for _ in range(n_sessions))
    assert binomtest(n_wrong, n_sessions, 0.05, alternative="greater").pvalue > 1e-3


def test_values_are_reported_in_their_own_unit() -> None:
    y = np.linspace(0, 1, 60)
    models = {"old": ValuePredictions(y + 0.8), "new": ValuePredictions(y + 0.1)}
    pool = Pool([str(i) for i in range(60)], predictions=models)
    session = Session(pool, SquaredError(), y_range=(0.0, 1.0))
    give_labels(session, y)
    verdict = session.verdict()
    assert (verdict.better, verdict.is_exact) == ("new", True)
    assert verdict.text("degrees") == "Known: new is better by 0.630\N{NO-BREAK SPACE}degrees²."
