"""Read and write goals as text: "0.03", "0,03", "3 points", "30 minutes", "> 0.9"."""

import re
from collections.abc import Mapping, Sequence

from activeeval_widgets.formats.parsed_numbers import number_in
from activeeval_widgets.session.findings.goals import Goal, check_goal
from activeeval_widgets.stats import Measure
from activeeval_widgets.stats.text import from_percent

_PLUS_MINUS = r"±|\+-|\+/-"
_START = re.compile(
    rf"(?:(?P<half_width>{_PLUS_MINUS})|(?P<threshold>[<>≤≥]=?|vs\.?|versus)|(?P<cost>cost))?\s*",
    re.IGNORECASE,
)
_AMOUNT = re.compile(
    r"(.*?)\s*(?:(?P<percent>%)|(?P<points>points?|pp)|(?P<minutes>min|mins|minutes?)|(?P<hours>h|hours?))?",
    re.IGNORECASE,
)
_HUNDREDTHS = ("percent", "points")
_UNITS = {
    "half_width": ("", *_HUNDREDTHS),
    "minutes": ("minutes",),
    "hours": ("hours",),
    "threshold": ("", "percent"),
    "cost": ("",),
}
"""The units of a goal's parts."""


def amount_in(text: str) -> tuple[float, str] | None:
    """Parse a number and its unit; None if it is none, or ambiguous, such as "1,234".

    The unit is "percent", "points", "minutes", "hours", or "" if there is none.
    """
    match = _AMOUNT.fullmatch(text.strip())
    if match is None:
        return None
    # "1.234" is a command's own notation.
    number = number_in(match[1], None if "," in match[1] else ".")
    return None if number is None else (number, match.lastgroup or "")


def read_goal(texts: str | Sequence[str]) -> Goal | None:
    """Parse a goal."""
    found: dict[str, float] = {}
    for text in [texts] if isinstance(texts, str) else texts:
        start = _START.match(text.strip())
        assert start is not None  # noqa: S101 - it matches an empty text
        amount = amount_in(start.string[start.end() :])
        value, unit = amount or (0.0, "")
        kind = start.lastgroup or (unit if unit in ("minutes", "hours") else "half_width")
        if amount is None or unit not in _UNITS[kind]:
            raise ValueError(
                f"goal is {text!r}, expected the half-width of the interval, such as 0.03 or 3%, "
                "or '30 minutes', '> 0.9' (to know on which side), or 'cost 100'"
            )
        if unit in _HUNDREDTHS:
            value = from_percent(value)
        if kind == "hours":
            kind, value = "minutes", 60 * value
        if kind in found:
            raise ValueError(f"goal is given twice: {found[kind]:g} and {value:g} ({kind.replace('_', '-')})")
        found[kind] = value
    return Goal(**found) if found else None


def read_margin(text: str) -> float:
    """Parse a margin of equivalence: "0.01", "1%", "1 point" or "±1 points"."""
    value, unit = amount_in(re.sub(rf"^\s*({_PLUS_MINUS})", "", text)) or (0.0, "")
    if unit in _HUNDREDTHS:
        value = from_percent(value)
    if not value > 0 or unit not in _UNITS["half_width"]:
        raise ValueError(
            f"margin is {text!r}, expected the difference that is too small to matter, such as 0.01, 1% or "
            "'1 point'"
        )
    return value


def refuse_percentages(given: Mapping[str, Sequence[str]], measure: Measure) -> None:
    """Refuse a percentage among the texts of options if the measure is not between 0 and 1."""
    if measure.is_share or measure.value_range[1] <= 1:
        return
    for option, texts in given.items():
        for text in texts:
            if re.search(r"%|points?|pp", text, re.IGNORECASE):
                raise ValueError(
                    f"{option} is {text}, but a percentage needs a measure between 0 and 1, which the "
                    f"{measure.name} is not: give the number in its own unit"
                )


def refuse_wide_margins(given: Mapping[str, Sequence[str]], measure: Measure) -> None:
    """Refuse a margin of error, among the texts of options, that every estimate has."""
    for option, texts in given.items():
        for text in () if option == "--margin" else texts:
            check_goal(read_goal(text), measure, f"{option} {text}")


def goal_texts(goal: Goal | None) -> list[str]:
    """Return the texts that `read_goal` parses as this goal."""
    if goal is None:
        return []
    forms = {
        "{!r}": goal.half_width,
        "> {!r}": goal.threshold,
        "cost {!r}": goal.cost,
        "{:g} minutes": goal.minutes,
    }
    return [form.format(value) for form, value in forms.items() if value is not None]
