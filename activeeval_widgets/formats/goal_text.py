"""Read and write goals as text: "0.03", "30 minutes", "> 0.9"."""

import re
from collections.abc import Mapping, Sequence

from activeeval_widgets.session.findings.goals import Goal, check_goal
from activeeval_widgets.stats import Measure
from activeeval_widgets.stats.text import from_percent

_NUMBER = r"([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)\s*(%?)"
_MARGIN = re.compile(
    r"(?:±|\+-|\+/-)?\s*((?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)\s*(%|points?|pp)?", re.IGNORECASE
)
_FORMS = {
    "half_width": re.compile(rf"(?:±|\+-|\+/-)?\s*{_NUMBER}", re.IGNORECASE),
    "minutes": re.compile(rf"{_NUMBER}\s*(?:min|mins|minutes?)", re.IGNORECASE),
    "hours": re.compile(rf"{_NUMBER}\s*(?:h|hours?)", re.IGNORECASE),
    "threshold": re.compile(rf"(?:[<>≤≥]=?|vs\.?|versus)\s*{_NUMBER}", re.IGNORECASE),
    "cost": re.compile(rf"cost\s*{_NUMBER}", re.IGNORECASE),
}


def read_goal(texts: str | Sequence[str]) -> Goal | None:
    """Parse a goal."""
    found: dict[str, float] = {}
    for text in [texts] if isinstance(texts, str) else texts:
        match = next(
            ((kind, m) for kind, form in _FORMS.items() if (m := form.fullmatch(text.strip()))), None
        )
        percent = match is not None and match[1][2] == "%"
        if match is None or (percent and match[0] not in ("half_width", "threshold")):
            raise ValueError(
                f"goal is {text!r}, expected the half-width of the interval, such as 0.03 or 3%, "
                "or '30 minutes', '> 0.9' (to know on which side), or 'cost 100'"
            )
        kind, value = match[0], float(match[1][1])
        if percent:
            value = from_percent(value)
        if kind == "hours":
            kind, value = "minutes", 60 * value
        if kind in found:
            raise ValueError(f"goal is given twice: {found[kind]:g} and {value:g} ({kind.replace('_', '-')})")
        found[kind] = value
    return Goal(**found) if found else None


def read_margin(text: str) -> float:
    """Parse a margin of equivalence: "0.01", "1%", "1 point" or "±1 points"."""
    match = _MARGIN.fullmatch(text.strip())
    value = 0.0 if match is None else float(match[1])
    if match is not None and match[2]:
        value = from_percent(value)
    if not value > 0:
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
