"""A known number minus an estimate."""

from dataclasses import replace
from math import isfinite, nan

from activeeval_widgets.stats import Estimate


def taken_from(known: float, found: Estimate) -> Estimate:
    """What is left of a known number: its interval is the estimate's, turned around and shifted.

    Examples
    --------
    >>> from activeeval_widgets import Pool, Session
    >>> from activeeval_widgets.stats import ErrorRate
    >>> session = Session(Pool(["a", "b"], predictions=[[0.9, 0.1]] * 2), ErrorRate())
    >>> while session.next() is not None:
    ...     event = session.label(0)
    >>> found = taken_from(1, session.estimate())
    >>> found.value, found.low, found.high
    (1.0, 1.0, 1.0)
    """

    def end(value: float) -> float:
        return known - value if isfinite(value) else nan

    return replace(
        found,
        value=end(found.value),
        low=end(found.high),
        high=end(found.low),
        approximate_low=end(found.approximate_high),
        approximate_high=end(found.approximate_low),
    )
