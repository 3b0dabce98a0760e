"""The forecast of labels still needed, and whether an interval answers a threshold question."""

from dataclasses import dataclass

from activeeval_widgets.stats._equality import EqualByFields

_VAGUE = 4.0
_FEW = 20.0
"""A range narrower than this many labels is never called vague."""


@dataclass(frozen=True, eq=False)
class Plan(EqualByFields):
    """A forecast of the labels still needed.

    Attributes
    ----------
    n_labels : float
        The forecast number of further labels, a whole number; 0 if none are needed; infinite if too few
        instances are left; NaN if there is nothing to go by yet (values without variances, before any label).
    low, high : float
        A range that holds the true number in about four of five sessions.
    n_draws : float
        The number of further draws; an instance that is drawn again costs no label.
    n_on_sheets : float
        How many of the further labels can be given on sheets; 0 if draws are not made for sheets.

    See Also
    --------
    Planner, labels_needed : Make such a forecast.

    Examples
    --------
    >>> plan = Plan(n_labels=120.0, low=90.0, high=160.0, n_draws=131.0)
    >>> plan.low <= plan.n_labels <= plan.high, plan.is_vague
    (True, False)
    """

    n_labels: float
    low: float
    high: float
    n_draws: float
    n_on_sheets: float = 0.0

    @property
    def is_vague(self) -> bool:
        """Whether the range is too wide for a single number: `high` is above four times `low`."""
        return not self.high - self.low <= max((_VAGUE - 1) * self.low, _FEW)


def decide(low: float, high: float, threshold: float) -> str | None:
    """Return whether an interval lies below or above a threshold.

    Parameters
    ----------
    low, high : float
        The interval. With a confidence sequence, the answer is wrong with probability at most α, however
        often it is checked.
    threshold : float
        The value to compare the measure with.

    Returns
    -------
    "below", "above" or None
        None if the interval contains the threshold.

    Raises
    ------
    ValueError
        If `low` is above `high`.

    See Also
    --------
    Planner.plan_decision : Forecast the labels until there is an answer.
    SequentialTest : Test one question with more power.

    Examples
    --------
    >>> decide(0.01, 0.04, 0.05), decide(0.01, 0.07, 0.05)
    ('below', None)
    """
    if not low <= high:
        raise ValueError(f"low must be at most high, got {low!r} and {high!r}")
    if high < threshold:
        return "below"
    return "above" if low > threshold else None
