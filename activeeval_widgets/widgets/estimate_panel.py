"""The estimate in words and numbers."""

from collections.abc import Sequence
from math import isfinite
from typing import Any

from activeeval_widgets.stats import Accuracy, ErrorRate, Estimate, Measure

_ALWAYS = (
    "{level} at every moment: with this probability the truth is never outside, however long you watch and "
    "whenever you stop."
)
_IN_THE_LIMIT = (
    "{level} at every moment, in the limit of many labels: before a few hundred it is only roughly right."
)
_FIXED = (
    "{level} {interval} interval: right for a number of labels fixed beforehand. "
    "Stopping when it looks good makes it too optimistic."
)


def is_percentage(measure: Measure) -> bool:
    """Whether a measure is shown in percent."""
    return isinstance(measure, ErrorRate | Accuracy)


def format_value(measure: Measure, value: float, *, sign: bool = False) -> str:
    """A measure's value as it is shown: shares in percent."""
    plus = "+" if sign else ""
    if not isfinite(value):
        return "∞" if value > 0 else "−∞"
    if is_percentage(measure):
        text = f"{100 * value:{plus}.1f}\N{NO-BREAK SPACE}%"
    elif abs(value) >= 100:
        text = f"{value:{plus},.0f}"
    else:
        text = f"{value:{plus}.3f}"
    return text.replace("-", "\N{MINUS SIGN}")


def estimate_content(
    measure: Measure,
    estimate: Estimate,
    *,
    names: Sequence[str] = (),
    whole: tuple[float, float] | None = None,
) -> dict[str, Any]:
    """What the page shows of an estimate: numbers for machines, words for people.

    Parameters
    ----------
    measure : Measure
        What is estimated.
    estimate : Estimate
        The estimate, with the interval that is shown.
    names : sequence of str
        Two models' names where it is the difference of their measures.
    whole : tuple of two floats, optional
        The interval that says nothing; the measure's range unless given.
    """
    title = f"Estimated {measure.name}"
    if names:
        title = f"Difference in {measure.name}: {names[0]} − {names[1]}"
    low, high = (format_value(measure, end, sign=bool(names)) for end in (estimate.low, estimate.high))
    says_nothing = (estimate.low, estimate.high) == (measure.value_range if whole is None else whole)
    value = format_value(measure, estimate.value, sign=bool(names)) if estimate.is_defined else "–"
    what = "Difference" if names else measure.name[0].upper() + measure.name[1:]
    if not estimate.is_defined:
        sentence = "Not yet defined by the labels so far" if estimate.n_draws else "No labels yet"
    elif says_nothing:
        sentence = f"{what} {value}: too few labels to tell"
    elif estimate.low <= estimate.value <= estimate.high:
        sentence = f"{what} {value}, between {low} and {high}"
    else:
        sentence = f"{what} between {low} and {high}, though the labels so far say {value}"
    verdict = _verdict(measure, estimate, names) if names else ""
    return {
        "value": estimate.value if estimate.is_defined else None,
        "low": estimate.low if estimate.is_defined and isfinite(estimate.low) else None,
        "high": estimate.high if estimate.is_defined and isfinite(estimate.high) else None,
        "title": title,
        "headline": value,
        "sentence": f"{sentence}. {verdict}" if verdict else sentence,
        "note": _note(estimate) + _pvalue(estimate),
    }


def _note(estimate: Estimate) -> str:
    """What the interval promises."""
    level = f"{100 * estimate.confidence_level:g}\N{NO-BREAK SPACE}%"
    if estimate.interval != "confidence_sequence":
        return _FIXED.format(level=level, interval=estimate.interval.replace("_", "–").capitalize())
    return (_IN_THE_LIMIT if estimate.is_asymptotic else _ALWAYS).format(level=level)


def _pvalue(estimate: Estimate) -> str:
    """The p-value of two models, with what it promises."""
    if not isfinite(estimate.pvalue):
        return ""
    value = "below 0.001" if estimate.pvalue < 0.001 else f"{estimate.pvalue:.3f}"
    return f" p-value of no difference, for a number of labels fixed beforehand: {value}."


def _verdict(measure: Measure, estimate: Estimate, names: Sequence[str]) -> str:
    """Which of two models is better, once the interval says so."""
    if not estimate.is_defined or estimate.low <= 0 <= estimate.high:
        return "Not decided yet"
    is_first_greater = estimate.low > 0
    better = names[0] if is_first_greater == measure.greater_is_better else names[1]
    return f"{better} is better"
