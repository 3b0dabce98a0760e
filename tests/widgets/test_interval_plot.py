"""The interval's width over labels: what is shown is what plans say."""

import json
from typing import Any

import numpy as np
import pytest

from activeeval_widgets import Pool, Session
from activeeval_widgets.session import Goal
from activeeval_widgets.session.findings.goal_plan import Forecast, plan_of
from activeeval_widgets.stats import (
    ClassPredictions,
    ErrorRate,
    Plan,
    Planner,
    SquaredError,
    ValuePredictions,
)
from activeeval_widgets.stats.text import two_digits
from activeeval_widgets.widgets.evaluation.interval_plot import interval_content
from activeeval_widgets.widgets.evaluation.panels import Panels

from ..labeling import give_labels

N = 800


def begun(n_labels: int, goal: Goal | None = None, protocol: str = "adaptive") -> Session:
    rng = np.random.default_rng(0)
    p = rng.beta(0.6, 0.6, N)
    y_true = (rng.random(N) < p).astype(int)
    model = ClassPredictions(np.column_stack([1 - p, p]))
    session = Session(
        Pool([str(i) for i in range(N)], predictions=model), ErrorRate(), goal=goal, protocol=protocol
    )
    give_labels(session, y_true, n_labels)
    return session


def shown(session: Session) -> dict[str, Any]:
    content: dict[str, Any] = Panels(session).redraw(shown=["interval"])["panels"]["interval"]
    json.dumps(content, allow_nan=False)
    for axis in (content["x"], content["y"]):
        assert axis["is_log"]
        assert 0 < axis["low"] < axis["high"]
        assert 2 <= len(axis["ticks"]) <= 7
    for part in content["curves"]:
        assert (np.diff(part["x"]) >= 0).all()
        assert max(part["x"]) <= content["x"]["high"] * 1.0001
        assert all(content["y"]["low"] * 0.9999 <= y <= content["y"]["high"] * 1.0001 for y in part["y"])
    return content


def part(content: dict[str, Any], name: str, kind: str) -> dict[str, Any]:
    [found] = [each for each in content[name] if each["kind"] == kind]
    return found


@pytest.mark.parametrize("protocol", ["papers", "adaptive"])
def test_the_width_after_each_label_is_that_of_the_interval(protocol: str) -> None:
    session = begun(40, protocol=protocol)
    curve = part(shown(session), "curves", "estimate")
    low, high = session.watched().at([int(x) for x in curve["x"]])
    assert curve["y"] == pytest.approx(((high - low) / 2).tolist())
    assert curve["x"][-1] == session.draws.labeled()[0].size


def test_the_forecast_is_the_plan_for_the_goal() -> None:
    session = begun(40, Goal(half_width=0.05))
    content = shown(session)
    plan = plan_of(session.findings).progress(Goal(half_width=0.05)).to_half_width
    assert plan is not None
    assert content["lines"] == [{"kind": "goal", "y": 0.05}]
    [forecast] = [stop for stop in content["stops"] if stop["name"] == "Forecast"]
    where = forecast["y"].index(0.05)
    assert forecast["x"][where] == 40 + plan.n_labels
    cone = part(content, "bands", "forecast")
    half_now = part(content, "curves", "estimate")["y"][-1]
    assert (cone["x"][0], cone["low"][0], cone["high"][0]) == pytest.approx((40, half_now, half_now))
    assert all(low <= high * 1.0001 for low, high in zip(cone["low"], cone["high"], strict=True))
    # It is as wide at the goal as the plan's range.
    inside = np.exp(np.interp(np.log(40 + plan.low), np.log(cone["x"]), np.log(cone["low"])))
    assert inside == pytest.approx(0.05, rel=0.05)
    assert f" ±5 points: about {two_digits(plan.n_labels):,} more labels " in content["summary"]
    assert ["goal", "goal: ±5 points"] in content["legend"]


def test_uniform_draws_are_planned_without_the_model_and_said_to_be_estimated() -> None:
    session = begun(40, Goal(half_width=0.05))
    content = shown(session)
    draws, y_true = session.draws.labeled()
    planner = Planner(ErrorRate(), session.models[0], without_model=True, rule=session.draws.rule_of_q)
    [expected] = planner.draws_in_all([0.05], draws=draws, y_true=y_true)
    curve = part(content, "curves", "uniform")
    assert dict(zip(curve["y"], curve["x"], strict=True))[0.05] == expected
    assert ["uniform", "uniform sampling, estimated"] in content["legend"]
    assert content["columns"][-1] == "Uniform sampling, estimated"
    # It takes more labels by uniform draws than by these.
    plan = plan_of(session.findings).progress(Goal(half_width=0.05)).to_half_width
    assert expected > 40 + plan.n_labels


def test_a_goal_that_is_reached_and_none_at_all() -> None:
    reached = shown(begun(60, Goal(half_width=0.4)))
    assert reached["summary"].endswith("The goal of ±40 points is reached.")
    none = shown(begun(60, Goal(threshold=0.2)))
    assert none["lines"] == []
    assert any(each["kind"] == "forecast" for each in none["bands"])


def test_before_the_first_label_and_where_nothing_is_known() -> None:
    first = shown(begun(0, Goal(half_width=0.05)))
    assert first["points"] == []
    assert first["summary"].startswith("Before the first label the interval is ±50 points.")
    values = ValuePredictions(np.arange(30.0))
    session = Session(Pool([{"x": i} for i in range(30)], predictions=values), SquaredError())
    endless = shown(session)
    assert endless["summary"] == "Before the first label the interval has no end."
    assert (endless["bands"], endless["curves"]) == ([], [])


def test_an_exact_value_has_no_forecast() -> None:
    session = begun(0)
    while (asked := session.next()) is not None and session.n_labels < 5:
        session.label(asked.index % 2)
    assert shown(session)["bands"]
    model = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.7, 0.3]])
    known = Session(Pool(["a", "b", "c"], predictions=model), ErrorRate())
    give_labels(known, 0)
    content = Panels(known).redraw(shown=["interval"])["panels"]["interval"]
    assert content["bands"] == []


def test_the_cone_of_two_models_narrows_without_a_cliff() -> None:
    rng = np.random.default_rng(4)
    p = rng.uniform(0.55, 0.95, N)
    first = np.column_stack([p, 1 - p])
    second = first.copy()
    second[: N // 10] = second[: N // 10, ::-1]
    models = {"one": first, "other": second}
    session = Session(Pool([str(i) for i in range(N)], predictions=models), ErrorRate())
    for _ in range(20):
        asked = session.next()
        session.label(int(rng.random() < 1 - p[asked.index]))
    content = shown(session)
    cone, now = part(content, "bands", "forecast"), part(content, "curves", "estimate")["y"][-1]
    assert (cone["low"][0], cone["high"][0]) == pytest.approx((now, now))
    after = np.interp(np.log([21, 22]), np.log(cone["x"]), np.log(cone["high"]))
    assert (np.exp(after) > 0.8 * now).all()


def test_a_course_of_uniform_draws_that_is_no_more_than_a_speck_is_left_out() -> None:
    halves, plans = np.array([0.05, 0.04]), [Plan(5.0, 3.0, 9.0, 5.0), Plan(9.0, 5.0, 15.0, 9.0)]
    for last, is_drawn in ((700.0, False), (900.0, True)):
        forecast = Forecast(halves, plans, np.array([650.0, last]))
        content = interval_content(
            ErrorRate(), np.arange(41.0), np.full(41, 0.06), (40.0, 0.06), None, forecast
        )
        assert any(each["kind"] == "uniform" for each in content["curves"]) == is_drawn
        assert any(kind == "uniform" for kind, _ in content["legend"]) == is_drawn
        assert content["rows"][-1][-1] == f"{two_digits(last):,}"
