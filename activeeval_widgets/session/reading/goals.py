"""When a session may stop: advice, which leaves going on as valid as it was."""

from __future__ import annotations

from dataclasses import dataclass, fields
from math import isfinite
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from activeeval_widgets.session.log.events import Changed, Labeled
from activeeval_widgets.stats import Plan, Planner, decide

if TYPE_CHECKING:
    from activeeval_widgets.session.reading.watched_interval import WatchedInterval
    from activeeval_widgets.session.session import Session


@dataclass(frozen=True)
class Goal:
    """What labels are given for. A session that has reached any of it may stop.

    Attributes
    ----------
    half_width : float, optional
        The interval that may be watched is at most the estimate ± this, in the measure's unit.
    threshold : float, optional
        It is known on which side of this value the measure is.
    cost : float, optional
        This much is spent, in the unit of the pool's costs; of labels, where it has none.
    minutes : float, optional
        This much time is spent on instances, idle time left out.

    Raises
    ------
    ValueError, TypeError
        If one of them is no finite number, or not positive where it has to be.

    Examples
    --------
    >>> Goal(half_width=0.02)
    Goal(half_width=0.02)
    """

    half_width: float | None = None
    threshold: float | None = None
    cost: float | None = None
    minutes: float | None = None

    def __post_init__(self) -> None:
        for name, value in self._given():
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise TypeError(f"{name} must be a number, got {value!r}")
            if not isfinite(value) or (value <= 0 and name != "threshold"):
                positive = "" if name == "threshold" else "positive, "
                raise ValueError(f"{name} is {value!r}, expected a {positive}finite number")

    def _given(self) -> list[tuple[str, Any]]:
        named = [(field.name, getattr(self, field.name)) for field in fields(self)]
        return [(name, value) for name, value in named if value is not None]

    def __repr__(self) -> str:
        return f"Goal({', '.join(f'{name}={value!r}' for name, value in self._given())})"


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
    """

    reached: tuple[str, ...]
    decision: str | None
    to_half_width: Plan | None
    to_decision: Plan | None
    seconds_per_label: float | None
    cost: float
    minutes: float


class GoalPlan:
    """Holds a session against a goal; what depends on the pool alone is computed once.

    Parameters
    ----------
    session : Session
        Whose labels.
    watched : WatchedInterval
        Its interval, kept up to date by who made it.
    """

    def __init__(self, session: Session, watched: WatchedInterval) -> None:
        self._session, self._watched = session, watched
        self._planner = Planner(
            session.measure,
            list(session.models),
            session.expected_q(),
            replacement=session.is_replaced,
            confidence_level=watched.confidence_level,
            y_range=session.y_range,
        )

    def standing(self, goal: Goal) -> Standing:
        """How far the session is from a goal."""
        session, watched = self._session, self._watched
        seconds = [
            action.seconds
            for action in session.actions
            if isinstance(action, Labeled) and action.seconds is not None
        ]
        minutes = sum(a.seconds or 0.0 for a in session.actions if not isinstance(a, Changed)) / 60
        costs = session.pool.costs
        draws, y_true = session.labeled_draws()
        cost = float(session.n_labels if costs is None else costs[np.unique(draws)].sum())
        known: dict[str, Any] = {
            "draws": draws,
            "y_true": y_true,
            "q_draws": session.q_draws(),
            "current": (watched.low, watched.high),
        }
        half_width = (watched.high - watched.low) / 2
        decision = None if goal.threshold is None else decide(watched.low, watched.high, goal.threshold)
        reached = {
            "half_width": goal.half_width is not None and half_width <= goal.half_width,
            "threshold": decision is not None,
            "cost": goal.cost is not None and cost >= goal.cost,
            "minutes": goal.minutes is not None and minutes >= goal.minutes,
        }
        return Standing(
            reached=tuple(name for name, is_reached in reached.items() if is_reached),
            decision=decision,
            to_half_width=None if goal.half_width is None else self._planner.plan(goal.half_width, **known),
            to_decision=None
            if goal.threshold is None
            else self._planner.plan_decision(goal.threshold, **known),
            seconds_per_label=median(seconds) if seconds else None,
            cost=cost,
            minutes=minutes,
        )
