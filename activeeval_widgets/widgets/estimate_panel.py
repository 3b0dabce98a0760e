"""The estimate in words and numbers."""

from typing import Any

from activeeval_widgets.stats import Accuracy, ErrorRate, Estimate, Measure


def format_value(measure: Measure, value: float) -> str:
    """A measure's value as it is shown: shares in percent."""
    if isinstance(measure, ErrorRate | Accuracy):
        return f"{100 * value:.1f}\N{NO-BREAK SPACE}%"
    return f"{value:.3f}"


def estimate_content(measure: Measure, estimate: Estimate) -> dict[str, Any]:
    """What the page shows of an estimate: numbers for machines, words for people."""
    title = f"Estimated {measure.name}"
    level = f"{100 * estimate.confidence_level:g}\N{NO-BREAK SPACE}%"
    if not estimate.is_defined:
        return {
            "value": None,
            "low": None,
            "high": None,
            "title": title,
            "headline": "–",
            "sentence": "Not yet defined by the labels so far" if estimate.n_draws else "No labels yet",
            "note": "",
        }
    value = format_value(measure, estimate.value)
    if (estimate.low, estimate.high) == measure.value_range:
        sentence = f"{measure.name} {value}: too few labels to tell"
    else:
        low, high = (format_value(measure, end) for end in (estimate.low, estimate.high))
        sentence = f"{measure.name} {value}, between {low} and {high}"
    return {
        "value": estimate.value,
        "low": estimate.low,
        "high": estimate.high,
        "title": title,
        "headline": value,
        "sentence": sentence[0].upper() + sentence[1:],
        "note": f"{level} {estimate.interval.capitalize()} interval: right for a number of labels fixed "
        "beforehand. Stopping when it looks good makes it too optimistic.",
    }
