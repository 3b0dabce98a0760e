"""The progress of a session toward its goal. Stopping or continuing does not affect validity."""

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from activeeval_widgets.session.findings.findings import Findings
from activeeval_widgets.session.findings.goals import Goal
from activeeval_widgets.session.findings.verdict import Verdict, read_verdict
from activeeval_widgets.session.findings.watched_interval import WatchedInterval
from activeeval_widgets.session.recent_cache import RecentCache
from activeeval_widgets.stats import Plan, Planner, decide
from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats.adaptive.draw_rule import DrawRule

_MAX_PLANS = 12
"""The maximum number of models and pairs with cached plans."""


class Contenders(NamedTuple):
    """The models that may still be the best, the best so far first."""

    left: tuple[str, ...]
    n_models: int


class GoalProgress(NamedTuple):
    """The progress of a session toward the parts of its goal; what is None is no part of it, or unknown."""

    reached: tuple[str, ...]
    decision: str | None
    to_half_width: Plan | None
    to_decision: Plan | None
    seconds_per_label: float | None
    cost: float
    minutes: float
    contest: Contenders | None = None  # `to_decision` is then about the first two
    verdict: Verdict | None = None


class Forecast(NamedTuple):
    """The expected widths of the interval, and the labels they take, here and with uniform draws."""

    half_widths: FloatArray
    plans: list[Plan]
    uniform: FloatArray  # NaN if unknown, infinite if the pool is too small


def known_so_far(session: Findings, watched: WatchedInterval) -> dict[str, Any]:
    """Return the arguments of plans: the draws so far, and the interval."""
    draws, y_true = session.draws.labeled()
    return {
        "draws": session.draws.rows_of(draws)[1],
        "y_true": y_true,
        "q_draws": session.draws.q_draws(),
        "current": (watched.low, watched.high),
    }


class GoalPlan:
    """Compares a session with a goal; caches what depends only on the pool."""

    def __init__(self, session: Findings, watched: WatchedInterval) -> None:
        self._session, self._watched = session, watched
        self._planners: RecentCache[DrawRule, Planner] = RecentCache(1)

    @property
    def _planner(self) -> Planner:
        """The planner for the present rule of draws."""
        session, rule = self._session, self._session.draws.rule_of_q
        return self._planners.get(
            rule,
            lambda: Planner(
                self._watched.measure,
                session.draws.rows_of([])[0],
                session.q if session.draws.is_replaced else None,
                confidence_level=self._watched.confidence_level,
                y_range=session.y_range,
                rule=rule,
                costs=None if session.draws.is_replaced else session.draws.rows.costs,
            ),
        )

    @cached_property
    def _uniform(self) -> Planner:
        """The planner for uniform draws without a model."""
        session = self._session
        return Planner(
            self._watched.measure,
            session.draws.rows_of([])[0],
            confidence_level=self._watched.confidence_level,
            y_range=session.y_range,
            without_model=True,
            rule=session.draws.rule_of_q,
        )

    def forecast(self, half_widths: FloatArray) -> Forecast:
        """Forecast the numbers of labels for some half-widths."""
        known = known_so_far(self._session, self._watched)
        plans = [self._planner.plan(float(each), **known) for each in half_widths]
        uniform = self._uniform.draws_in_all(half_widths, draws=known["draws"], y_true=known["y_true"])
        return Forecast(half_widths, plans, uniform)

    def state(self, goal: Goal, margin: float | None = None) -> GoalProgress:
        """Return what is reached of a goal, without plans."""
        session, watched = self._session, self._watched
        margin = session.log.margin if margin is None else margin or None
        minutes = session.log.minutes or 0.0
        costs = session.pool.costs
        draws, _ = session.draws.labeled()
        cost = float(session.n_labels if costs is None else costs[np.unique(draws)].sum())
        half_width = (watched.high - watched.low) / 2
        decision = None if goal.threshold is None else decide(watched.low, watched.high, goal.threshold)
        verdict = None
        if session.question.asked_by(goal.threshold) == "verdict":
            verdict = read_verdict(session, watched.measure, watched, margin)
        reached = {
            "half_width": goal.half_width is not None and half_width <= goal.half_width,
            "threshold": decision is not None if verdict is None else verdict.is_decided,
            "cost": goal.cost is not None and cost >= goal.cost,
            "minutes": goal.minutes is not None and minutes >= goal.minutes,
        }
        return GoalProgress(
            reached=tuple(name for name, is_reached in reached.items() if is_reached),
            decision=decision,
            to_half_width=None,
            to_decision=None,
            seconds_per_label=session.log.seconds_per_label,
            cost=cost,
            minutes=minutes,
            verdict=verdict,
        )

    def progress(self, goal: Goal, margin: float | None = None) -> GoalProgress:
        """Return the progress toward a goal."""
        found, known = self.state(goal, margin), known_so_far(self._session, self._watched)
        return found._replace(
            to_half_width=None if goal.half_width is None else self._planner.plan(goal.half_width, **known),
            to_decision=None
            if goal.threshold is None
            else self._planner.plan_decision(goal.threshold, **known)
            if found.verdict is None
            else self._planner.plan_difference(found.verdict.margin, **known),
        )


class BestModelPlan:
    """Compares several models with a goal: which is the best (threshold 0), or one about the best so far."""

    def __init__(self, session: Findings) -> None:
        self._session = session
        self._plans: RecentCache[tuple[int, ...], GoalPlan] = RecentCache(_MAX_PLANS)

    def state(self, goal: Goal) -> GoalProgress:
        """Return what is reached of a goal, without plans."""
        return self._reached(goal, GoalPlan.state)

    def progress(self, goal: Goal, margin: float | None = None) -> GoalProgress:  # noqa: ARG002
        """Return the progress toward a goal; no margin applies."""
        found, board = self._reached(goal, GoalPlan.progress), self._session.leaderboard()
        left = board.contenders
        if found.contest is None or len(left) == 1:
            return found
        # In the order of the session's models, for which the leaderboard has cached the interval.
        pair = tuple(sorted(each.position for each in left[:2]))
        between = self._plan(pair, self._session.question.level_of_rivals(board.confidence_level))
        return found._replace(to_decision=between.progress(Goal(threshold=0.0)).to_decision)

    def _reached(self, goal: Goal, of_leader: Callable[[GoalPlan, Goal], GoalProgress]) -> GoalProgress:
        board = self._session.leaderboard()
        is_contest = self._session.question.asked_by(goal.threshold) == "leader"
        question = self._session.question
        plan = self._plan((board.leader.position,), question.level_of_each(board.confidence_level))
        found = of_leader(plan, replace(goal, threshold=None) if is_contest else goal)
        if not is_contest:
            return found
        left = board.contenders
        found = found._replace(contest=Contenders(tuple(each.name for each in left), len(question.names)))
        return found._replace(reached=(*found.reached, "threshold")) if len(left) == 1 else found

    def forecast(self, half_widths: FloatArray) -> Forecast:
        """Forecast the numbers of labels for some half-widths of the best model's interval."""
        board = self._session.leaderboard()
        level = self._session.question.level_of_each(board.confidence_level)
        return self._plan((board.leader.position,), level).forecast(half_widths)

    def _plan(self, which: tuple[int, ...], level: float) -> GoalPlan:
        view = self._session.of(*which)
        watched = view.watched(confidence_level=level)
        return self._plans.get(which, lambda: GoalPlan(view, watched))


def plan_of(session: Findings) -> GoalPlan | BestModelPlan:
    """Return the plan that compares a session with a goal."""
    return BestModelPlan(session) if session.question.is_of_leader else GoalPlan(session, session.watched())
