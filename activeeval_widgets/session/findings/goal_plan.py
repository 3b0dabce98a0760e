"""How far a session is from its goal: advice when to stop, which leaves going on as valid as it was."""

from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from activeeval_widgets.session.findings.findings import Findings
from activeeval_widgets.session.findings.goals import Goal
from activeeval_widgets.session.findings.verdict import Verdict, read_verdict
from activeeval_widgets.session.findings.watched_interval import WatchedInterval
from activeeval_widgets.stats import Plan, Planner, decide
from activeeval_widgets.stats._typing import FloatArray

_MOST_PLANS = 12
"""At most so many models and pairs keep what is planned for them."""


class Contest(NamedTuple):
    """Who of several models may still be the best.

    Attributes
    ----------
    left : tuple of str
        Their names, the best so far first.
    n_models : int
        Of how many.
    """

    left: tuple[str, ...]
    n_models: int


class Standing(NamedTuple):
    """How far a session is from its goal.

    Attributes
    ----------
    reached : tuple of str
        Which parts of the goal are reached: "half_width", "threshold", "cost", "minutes".
    decision : "below", "above" or None
        On which side of the threshold the measure is; None while that is not known, or not asked.
    to_half_width, to_decision : Plan or None
        How many more labels it takes to get there; None where it is not asked.
    seconds_per_label : float or None
        The median so far.
    cost, minutes : float
        What is spent.
    verdict : Verdict or None
        Of two models, where the goal is to know which is better, or that they differ by less than the
        session's margin: what is known of that.
    contest : Contest or None
        Of more than two models that are compared, who is still in; `to_decision` is then how many more labels
        tell the first two apart.
    """

    reached: tuple[str, ...]
    decision: str | None
    to_half_width: Plan | None
    to_decision: Plan | None
    seconds_per_label: float | None
    cost: float
    minutes: float
    contest: Contest | None = None
    verdict: Verdict | None = None


class Forecast(NamedTuple):
    """Where the interval's width is expected to go.

    Attributes
    ----------
    half_widths : ndarray of shape (n,)
        Half of the interval's width.
    plans : list of Plan
        How many more labels it takes to get to each.
    uniform : ndarray of shape (n,)
        How many labels it would take in all by uniform draws without a model, by what is known now; NaN where
        that is not known, infinite where the pool is too small.
    """

    half_widths: FloatArray
    plans: list[Plan]
    uniform: FloatArray


class GoalPlan:
    """Holds a session against a goal; what depends on the pool alone is computed once."""

    def __init__(self, session: Findings, watched: WatchedInterval) -> None:
        self._session, self._watched = session, watched
        self._planner = Planner(
            session.measure,
            session.draws.rows_of([])[0],
            session.q if session.draws.is_replaced else None,
            confidence_level=watched.confidence_level,
            y_range=session.y_range,
            rule=session.draws.rule_of_q,
        )

    @cached_property
    def _uniform(self) -> Planner:
        """Plans for uniform draws without a model."""
        session = self._session
        return Planner(
            session.measure,
            session.draws.rows_of([])[0],
            confidence_level=self._watched.confidence_level,
            y_range=session.y_range,
            without_model=True,
            rule=session.draws.rule_of_q,
        )

    def _known(self) -> dict[str, Any]:
        """What plans go by: the draws so far, and the interval."""
        session, watched = self._session, self._watched
        draws, y_true = session.draws.labeled()
        return {
            "draws": session.draws.rows_of(draws)[1],
            "y_true": y_true,
            "q_draws": session.draws.q_draws(),
            "current": (watched.low, watched.high),
        }

    def forecast(self, half_widths: FloatArray) -> Forecast:
        """How many labels it takes until half the interval's width is so small."""
        known = self._known()
        plans = [self._planner.plan(float(each), **known) for each in half_widths]
        uniform = self._uniform.draws_in_all(half_widths, draws=known["draws"], y_true=known["y_true"])
        return Forecast(half_widths, plans, uniform)

    def standing(self, goal: Goal, margin: float | None = None) -> Standing:
        """How far the session is from a goal."""
        session, watched = self._session, self._watched
        margin = session.log.margin if margin is None else margin or None
        minutes = session.log.minutes or 0.0
        costs = session.pool.costs
        draws, _ = session.draws.labeled()
        cost = float(session.n_labels if costs is None else costs[np.unique(draws)].sum())
        known = self._known()
        half_width = (watched.high - watched.low) / 2
        decision = None if goal.threshold is None else decide(watched.low, watched.high, goal.threshold)
        verdict = None
        if session.question.asked_by(goal.threshold) == "verdict":
            verdict = read_verdict(session, session.measure, watched, margin)
        reached = {
            "half_width": goal.half_width is not None and half_width <= goal.half_width,
            "threshold": decision is not None if verdict is None else verdict.is_decided,
            "cost": goal.cost is not None and cost >= goal.cost,
            "minutes": goal.minutes is not None and minutes >= goal.minutes,
        }
        return Standing(
            reached=tuple(name for name, is_reached in reached.items() if is_reached),
            decision=decision,
            to_half_width=None if goal.half_width is None else self._planner.plan(goal.half_width, **known),
            to_decision=None
            if goal.threshold is None
            else self._planner.plan_decision(goal.threshold, **known)
            if verdict is None
            else self._planner.plan_difference(verdict.margin, **known),
            seconds_per_label=session.log.seconds_per_label,
            cost=cost,
            minutes=minutes,
            verdict=verdict,
        )


class ContestPlan:
    """Holds a session that compares more than two models against a goal.

    A threshold of 0 stands for "which is the best?"; any other goal is about the best so far.
    """

    def __init__(self, session: Findings) -> None:
        self._session = session
        self._plans: dict[tuple[int, ...], GoalPlan] = {}

    def standing(self, goal: Goal, margin: float | None = None) -> Standing:  # noqa: ARG002
        """How far the session is from a goal; there is no margin of equivalence."""
        board = self._session.leaderboard()
        is_contest = self._session.question.asked_by(goal.threshold) == "leader"
        question = self._session.question
        of_leader = self._plan((board.leader.position,), question.level_of_each(board.confidence_level))
        found = of_leader.standing(replace(goal, threshold=None) if is_contest else goal)
        if not is_contest:
            return found
        left = board.contenders
        found = found._replace(contest=Contest(tuple(each.name for each in left), len(question.names)))
        if len(left) == 1:
            return found._replace(reached=(*found.reached, "threshold"))
        # In the order of the session's models, in which the leaderboard has their interval already.
        pair = tuple(sorted(each.position for each in left[:2]))
        between = self._plan(pair, question.level_of_rivals(board.confidence_level))
        return found._replace(to_decision=between.standing(Goal(threshold=0.0)).to_decision)

    def forecast(self, half_widths: FloatArray) -> Forecast:
        """How many labels it takes until half the width of the best model's interval is so small."""
        board = self._session.leaderboard()
        level = self._session.question.level_of_each(board.confidence_level)
        return self._plan((board.leader.position,), level).forecast(half_widths)

    def _plan(self, which: tuple[int, ...], level: float) -> GoalPlan:
        view = self._session.of(*which)
        watched = view.watched(confidence_level=level)
        self._plans[which] = self._plans.pop(which) if which in self._plans else GoalPlan(view, watched)
        if len(self._plans) > _MOST_PLANS:
            del self._plans[next(iter(self._plans))]
        return self._plans[which]


def plan_of(session: Findings) -> GoalPlan | ContestPlan:
    """What holds a session against its goal."""
    return ContestPlan(session) if session.question.is_of_leader else GoalPlan(session, session.watched())
