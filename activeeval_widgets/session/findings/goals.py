"""The goal of a session."""

from dataclasses import dataclass, fields
from html import escape
from math import isfinite
from typing import TYPE_CHECKING, Any

from activeeval_widgets.stats import Measure

if TYPE_CHECKING:
    from activeeval_widgets.session.findings.findings import Findings


@dataclass(frozen=True)
class Goal:
    """The goal of a session, which may stop once any part of it is reached.

    Attributes
    ----------
    half_width : float, optional
        The half-width of the confidence sequence, in the measure's unit.
    threshold : float, optional
        A value; the goal is to know on which side of it the measure is.
    cost : float, optional
        The cost to spend, in the unit of the pool's costs; the number of labels if the pool has none.
    minutes : float, optional
        The time to spend on instances, without idle time.

    Raises
    ------
    ValueError, TypeError
        If a value is not a finite number, or not positive (except `threshold`).

    See Also
    --------
    Session : Accepts a `goal`, which can be set at any time.

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

    def __str__(self) -> str:
        words = {
            "half_width": "the interval is at most the estimate ± {:,.6g}",
            "threshold": "it is known on which side of {:,.6g} the measure is",
            "cost": "labels have cost {:,.6g}",
            "minutes": "1 minute is spent" if self.minutes == 1 else "{:,.6g} minutes are spent",
        }
        parts = [words[name].format(value) for name, value in self._given()]
        return f"Enough once {', or '.join(parts)}" if parts else "No goal"

    def _repr_html_(self) -> str:
        return f"<div>{escape(str(self))}</div>"


def decided_values(session: "Findings", goal: Goal | None) -> tuple[float, ...]:
    """Return the values on whose sides an interval decides: the goal's threshold, and the margin."""
    threshold, margin = None if goal is None else goal.threshold, session.log.margin
    asked = [] if threshold is None or session.question.asked_by(threshold) != "threshold" else [threshold]
    return (*asked, *([] if margin is None else [-margin, margin]))


def check_goal(goal: Any, measure: Measure, name: str = "goal") -> Goal | None:
    """Return a goal, or None; refuse a margin of error that every estimate has: 5 for a share, say."""
    if goal is not None and not isinstance(goal, Goal):
        raise TypeError(f"{name} must be a Goal, such as Goal(half_width=0.02), got {goal!r}")
    low, high = measure.value_range
    if goal is not None and goal.half_width is not None and goal.half_width >= high - low:
        raise ValueError(
            f"{name} asks for a margin of error of {goal.half_width:g}, but the {measure.name} goes from "
            f"{low:g} to {high:g}: give a smaller one, such as {(high - low) / 20:g}"
        )
    return goal
