"""The parts of a goal, as the page asks for them."""

from collections.abc import Mapping
from math import inf
from typing import Any

from activeeval_widgets.session import Goal
from activeeval_widgets.session.findings.verdict import check_margin
from activeeval_widgets.stats import Measure
from activeeval_widgets.stats.text import from_percent

FIELDS = {
    "half_width": "Margin of error: at most ±",
    "threshold": "Is it above or below …?",
    "minutes": "Minutes of labeling",
    "cost": "Cost of the labels",
}
"""The parts by name."""


DIFFERENCE = "Is the difference above or below …?"
"""The threshold for two models."""

MARGIN = "Differences that don’t matter: less than"
"""A part of the goal for two models, which is stored with the session."""


_IN_SHORT = {
    "half_width": "The margin of error",
    "minutes": "The time",
    "cost": "The cost, or number, of labels",
    "margin": "The smallest difference that matters",
}


def read_margin(measure: Measure, fields: Mapping[str, Any]) -> float | None:
    """Return the margin of equivalence from the page's fields; None if it is empty or 0."""
    value = fields.get("margin") or None
    _check_positive("margin", value)
    if measure.is_share and isinstance(value, int | float):
        value = from_percent(value)
    return check_margin(value)


def read_goal(measure: Measure, fields: Mapping[str, Any]) -> Goal:
    """Return the goal from the page's fields, which are numbers or None, shares in percent."""
    values: dict[str, Any] = {name: fields.get(name) for name in FIELDS}
    for name, value in values.items():
        if name != "threshold":
            _check_positive(name, value)
        is_share = measure.is_share and name in ("half_width", "threshold")
        if is_share and isinstance(value, int | float):
            values[name] = from_percent(value)
    return Goal(**values)


def _check_positive(name: str, value: Any) -> None:
    """Refuse a number that this part of the goal can't have, with a message for the page."""
    if isinstance(value, int | float) and not 0 < value < inf:
        raise ValueError(f"{_IN_SHORT[name]} is {value:g}: enter a number above 0, or leave the field empty.")
