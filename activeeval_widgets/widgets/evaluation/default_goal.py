"""The goal to plan for where none was given."""

from math import floor, isfinite, log10

from activeeval_widgets.session import Goal
from activeeval_widgets.stats import Measure


def default_goal(measure: Measure, whole: tuple[float, float], *, is_compared: bool = False) -> Goal:
    """A goal to plan for where none was given: a twentieth of what is possible, rounded.

    Of several models: which one is best.
    """
    if is_compared:
        return Goal(threshold=0.0)
    smallest, largest = measure.value_range
    extent = largest - smallest if isfinite(largest - smallest) else whole[1] - whole[0]
    if not isfinite(extent) or extent <= 0:
        return Goal()
    unit = 10.0 ** floor(log10(extent / 20))
    return Goal(half_width=float(f"{round(extent / 20 / unit) * unit:.1g}"))
