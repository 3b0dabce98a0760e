"""The goal for forecasts if none was given."""

from math import floor, isfinite, log10

from activeeval_widgets.session import Goal
from activeeval_widgets.stats import Measure


def default_goal(measure: Measure, whole: tuple[float, float], *, is_compared: bool = False) -> Goal:
    """Return the goal for forecasts if none was given: a twentieth of the range, rounded.

    For several models, the goal is to find the best one.
    """
    if is_compared:
        return Goal(threshold=0.0)
    smallest, largest = measure.value_range
    extent = largest - smallest if isfinite(largest - smallest) else whole[1] - whole[0]
    if not isfinite(extent) or extent <= 0:
        return Goal()
    unit = 10.0 ** floor(log10(extent / 20))
    return Goal(half_width=float(f"{round(extent / 20 / unit) * unit:.1g}"))
