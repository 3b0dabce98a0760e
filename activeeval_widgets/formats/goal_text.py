"""Read and write goals as text: "0.03", "0,03", "3 points", "30 minutes", "> 0.9"."""

import re
from collections.abc import Mapping, Sequence

from activeeval_widgets.formats.parsed_numbers import number_in
from activeeval_widgets.session.findings.goals import Goal, check_goal
from activeeval_widgets.stats import Measure
from activeeval_widgets.stats.text import from_percent

_START = re.compile(
    r"(?:(?P<half_width>±|\+-|\+/-)|(?P<threshold>[<>≤≥]=?|vs\.?|versus)|(?P<cost>cost))?\s*", re.IGNORECASE
)
_AMOUNT = re.compile(r"(.*?)\s*(?:(%)|(points?|pp)|(min|mins|minutes?)|(h|hours?))?", re.IGNORECASE)
_UNITS = ("%", "points", "minutes", "hours")
_UNITS_OF_PARTS = {
    "half_width": ("", "%", "points"),
    "minutes": ("minutes",),
    "hours": ("hours",),
    "threshold": ("", "%"),
    "cost": ("",),
}


def amount_in(text: str) -> tuple[float, str] | None:
    """Parse a number and its unit, "" without one; None if it is none, or ambiguous, such as "1,234"."""
    match = _AMOUNT.fullmatch(text.strip())
    if match is None:
        return None
    # "1.234" is a command's own notation.
    number = number_in(match[1], None if "," in match[1] else ".")
    unit = "" if match.lastindex == 1 else _UNITS[(match.lastindex or 2) - 2]
    return None if number is None else (number, unit)


def read_goal(texts: str | Sequence[str]) -> Goal | None:
    """Parse a goal."""
    found: dict[str, float] = {}
    for text in [texts] if isinstance(texts, str) else texts:
        start = _START.match(text.strip())
        assert start is not None  # noqa: S101 - it matches an empty text
        amount = amount_in(start.string[start.end() :])
        value, unit = amount or (0.0, "")
        kind = start.lastgroup or (unit if unit in ("minutes", "hours") else "half_width")
        if amount is None or unit not in _UNITS_OF_PARTS[kind]:
            raise ValueError(
                f"goal is {text!r}, expected the half-width of the interval, such as 0.03 or 3%, "
                "or '30 minutes', '> 0.9' (to know on which side), or 'cost 100'"
            )
        if unit in ("%", "points"):
            value = from_percent(value)
        if kind == "hours":
            kind, value = "minutes", 60 * value
        if kind in found:
            raise ValueError(f"goal is given twice: {found[kind]:g} and {value:g} ({kind.replace('_', '-')})")
        found[kind] = value
    return Goal(**found) if found else None


def read_margin(text: str) -> float:
    """Parse a margin of equivalence: "0.01", "1%", "1 point" or "±1 points"."""
    value, unit = amount_in(re.sub(r"^\s*(±|\+-|\+/-)", "", text)) or (0.0, "")
    if unit in ("%", "points"):
        value = from_percent(value)
    if not value > 0 or unit in ("minutes", "hours"):
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
