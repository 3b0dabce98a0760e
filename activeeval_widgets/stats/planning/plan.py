"""What is still to do, and whether anything is."""

from dataclasses import dataclass

_VAGUE = 4.0
_FEW = 20.0
"""A range of so few labels is none that anybody would plan by."""


@dataclass(frozen=True)
class Plan:
    """How much is still to do.

    Attributes
    ----------
    n_labels : float
        How many more labels it takes, as a whole number; 0 if none; infinite if fewer instances
        are left; NaN if nothing is known yet (values without variances, before the first labels).
    low, high : float
        Between these it is in about four of five sessions.
    n_draws : float
        How many more draws: instances that are drawn again cost no label.

    See Also
    --------
    Planner, labels_needed : give it.

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

    @property
    def is_vague(self) -> bool:
        """Whether no single number would be honest: the range ends above four times its beginning."""
        return not self.high - self.low <= max((_VAGUE - 1) * self.low, _FEW)


def decide(low: float, high: float, threshold: float) -> str | None:
    """Whether an interval answers "is it below or above the threshold?".

    Parameters
    ----------
    low, high : float
        The interval. With a confidence sequence the answer is wrong with probability at most α, however often
        it is asked for.
    threshold : float
        What the measure is compared with.

    Returns
    -------
    "below", "above" or None
        None: not yet.

    Raises
    ------
    ValueError
        If `low` is above `high`.

    See Also
    --------
    Planner.plan_decision : how many labels until there is an answer.
    SequentialTest : for one question alone, with more power.

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
