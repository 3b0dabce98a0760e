"""The parts of a goal, as the page asks for them."""

from collections.abc import Mapping
from typing import Any

from activeeval_widgets.session import Goal
from activeeval_widgets.session.reading.verdict import check_margin
from activeeval_widgets.stats import Measure
from activeeval_widgets.widgets.wording.measures import is_percentage

FIELDS = {
    "half_width": "Margin of error: at most ±",
    "threshold": "Decide whether it is below",
    "minutes": "Minutes of labeling",
    "cost": "Cost of the labels",
}
"""The parts by name."""


MARGIN = "Differences that don’t matter: less than"
"""A part of the goal of two models, which the session keeps."""


def read_margin(measure: Measure, fields: Mapping[str, Any]) -> float | None:
    """The margin of equivalence that the page's fields say: None where it is empty or 0.

    Raises
    ------
    ValueError, TypeError
        If it is no number that a margin can be.
    """
    value = fields.get("margin")
    if is_percentage(measure) and isinstance(value, int | float):
        value = round(value / 100, 12)
    return check_margin(value or None)


def read_goal(measure: Measure, fields: Mapping[str, Any]) -> Goal:
    """The goal that the page's fields say: numbers or None, shares in percent.

    Raises
    ------
    ValueError, TypeError
        If one is no number that a goal can have.
    """
    values: dict[str, Any] = {name: fields.get(name) for name in FIELDS}
    for name in ("half_width", "threshold"):
        if is_percentage(measure) and isinstance(values[name], int | float):
            values[name] = values[name] / 100
    return Goal(**values)
