"""Goals: what is reached, what is decided, what is spent, and bad input."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from activeeval_widgets.session import Goal, Pool, Session, WatchedInterval
from activeeval_widgets.session.findings.goal_plan import GoalPlan, GoalProgress
from activeeval_widgets.stats import ErrorRate, Planner, ValuePredictions

MakePool = Callable[..., Pool]


def standing(session: Session, goal: Goal) -> GoalProgress:
    return GoalPlan(session.findings, WatchedInterval(session.findings)).progress(goal)


def label_right(session: Session, n: int, **options: Any) -> None:
    for _ in range(n):
        present = session.next()
        session.label(session.models[0].y_pred[present.index].item(), **options)


def test_a_margin_that_every_estimate_has_is_refused(make_pool: MakePool) -> None:
    with pytest.raises(ValueError, match=r"of 1, but the error rate goes from 0 to 1: .* as 0\.05"):
        Session(make_pool(50), ErrorRate(), goal=Goal(half_width=1))
    assert Session(make_pool(50), ErrorRate(), goal=Goal(half_width=0.99)).goal == Goal(half_width=0.99)
    session = Session(make_pool(50), ErrorRate())
    session.goal = Goal(threshold=0.1)
    for goal, error in [("5%", TypeError), (Goal(half_width=5), ValueError)]:
        with pytest.raises(error, match="goal "):
            session.goal = goal
    assert session.goal == Goal(threshold=0.1)
    session.goal = None
    values = Pool(["a", "b"], predictions=ValuePredictions([1.0, 2.0]))
    assert Session(values, "squared-error", y_range=(0, 9), goal=Goal(half_width=5)).goal is not None


@pytest.mark.parametrize("protocol", ["papers", "adaptive"])
def test_a_half_width_is_reached_when_the_interval_is_narrow(make_pool: MakePool, protocol: str) -> None:
    session = Session(make_pool(400), ErrorRate(), protocol=protocol)
    goal = Goal(half_width=0.08)
    before = standing(session, goal)
    assert before.reached == ()
    assert before.to_half_width.n_labels > 1
    while (now := standing(session, goal)).reached == ():
        watched = WatchedInterval(session.findings)
        assert (watched.high - watched.low) / 2 > 0.08
        label_right(session, 20)
    watched = WatchedInterval(session.findings)
    assert standing(session, Goal(half_width=(watched.high - watched.low) / 2)).reached == ("half_width",)
    assert now.reached == ("half_width",)
    assert (watched.high - watched.low) / 2 <= 0.08
    assert now.to_half_width.n_labels == 0


def test_a_decision(make_pool: MakePool) -> None:
    session = Session(make_pool(400), ErrorRate())
    goal = Goal(threshold=0.3)
    assert (standing(session, goal).decision, standing(session, goal).reached) == (None, ())
    label_right(session, 150)
    now = standing(session, goal)
    assert (now.decision, now.reached) == ("below", ("threshold",))
    assert now.to_half_width is None


def test_the_plan_is_that_of_the_statistics(make_pool: MakePool) -> None:
    session = Session(make_pool(400), ErrorRate(), protocol="papers")
    label_right(session, 30)
    watched = WatchedInterval(session.findings)
    draws, y_true = session.draws.labeled()
    planner = Planner(ErrorRate(), session.models[0], session.q)
    known = {"draws": draws, "y_true": y_true, "current": (watched.low, watched.high)}
    expected = planner.plan(0.05, **known)
    assert standing(session, Goal(half_width=0.05)).to_half_width == expected


def test_cost_and_time(make_pool: MakePool) -> None:
    costs = np.arange(1.0, 51.0)
    session = Session(make_pool(50, costs=costs), ErrorRate())
    label_right(session, 3, seconds=20)
    present = session.next()
    assert present is not None
    session.exclude(seconds=60)
    spent = costs[[action.instance for action in session.log.actions[:3]]].sum()
    now = standing(session, Goal(cost=spent, minutes=2))
    assert (now.cost, now.minutes, now.seconds_per_label) == (spent, 2, 20)
    assert now.reached == ("cost", "minutes")
    assert standing(session, Goal(cost=spent + 1, minutes=2.1)).reached == ()


def test_an_instance_that_is_drawn_again_costs_nothing_more(make_pool: MakePool) -> None:
    costs = np.arange(1.0, 9.0)
    session = Session(make_pool(8, costs=costs), ErrorRate(), protocol="papers")
    label_right(session, 6)
    draws, _ = session.draws.labeled()
    assert draws.size > 6
    now = standing(session, Goal(cost=1))
    assert now.cost == costs[[action.instance for action in session.log.actions]].sum()


def test_without_costs_labels_are_counted(make_pool: MakePool) -> None:
    session = Session(make_pool(50), ErrorRate())
    label_right(session, 4)
    now = standing(session, Goal(cost=4))
    assert (now.cost, now.reached, now.seconds_per_label) == (4, ("cost",), None)


def test_a_goal_is_advice_and_not_identity(make_pool: MakePool, shelf: Any) -> None:
    session = Session(make_pool(50), ErrorRate(), store=shelf.open(), goal=Goal(half_width=0.5))
    label_right(session, 10)
    assert session.next() is not None
    again = Session(make_pool(50), ErrorRate(), store=shelf.open(), goal=Goal(threshold=0.1))
    assert again.goal == Goal(threshold=0.1)


def test_a_budget_can_be_set_later(make_pool: MakePool) -> None:
    session = Session(make_pool(50), ErrorRate(), budget=3)
    label_right(session, 3)
    assert session.is_done
    session.budget = 5
    label_right(session, 2)
    assert session.is_done
    session.budget = None
    assert not session.is_done
    with pytest.raises(ValueError, match="budget"):
        session.budget = 0
    assert session.budget is None


@pytest.mark.parametrize("name", ["half_width", "cost", "minutes"])
@pytest.mark.parametrize("value", [0, -1, float("nan"), float("inf")])
def test_parts_must_be_positive(name: str, value: float) -> None:
    with pytest.raises(ValueError, match=f"^{name} is {value!r}, expected a positive, finite number$"):
        Goal(**{name: value})


@pytest.mark.parametrize("value", ["0.1", True, [0.1]])
def test_parts_must_be_numbers(value: Any) -> None:
    with pytest.raises(TypeError, match=r"^threshold must be a number"):
        Goal(threshold=value)


def test_a_threshold_may_be_anything_finite() -> None:
    assert repr(Goal(threshold=-2, half_width=0.5)) == "Goal(half_width=0.5, threshold=-2)"
    with pytest.raises(ValueError, match="threshold is inf, expected a finite number"):
        Goal(threshold=float("inf"))


def test_a_session_wants_a_goal(make_pool: MakePool) -> None:
    with pytest.raises(TypeError, match=r"^goal must be a Goal, such as Goal\(half_width=0.02\), got 0.02$"):
        Session(make_pool(5), ErrorRate(), goal=0.02)
