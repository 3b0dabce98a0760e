"""More labels or second opinions: the number of opinions per draw with the smallest error for the cost."""

from dataclasses import dataclass
from math import ceil, inf, nan, sqrt

from activeeval_widgets.stats._equality import EqualByFields
from activeeval_widgets.stats._validation import check_count, check_positive
from activeeval_widgets.stats.agreement.variance_split import VarianceSplit

MAX_OPINIONS = 100
"""The largest number recommended, where all the variance is the raters' and their number is not given."""

MAX_REGRET = 1.25
"""The largest accepted ratio to the least variance, at either end of the interval for the raters' share."""


@dataclass(frozen=True, eq=False)
class OpinionPlan(EqualByFields):
    """The number of opinions to ask for on each draw.

    Attributes
    ----------
    n_opinions : int or None
        The best number; 1 means that more labels help more than second opinions. None if not determined.
    value : float
        The best number before rounding: sqrt(cost ratio · variance ratio), which may be below 1. NaN if the
        split is not known.
    low, high : int
        The best number at the ends of the interval for the raters' share.
    standard_error_ratio : float
        The standard error with `n_opinions` over that with one opinion, for the same cost; at most 1.
    n_double : int
        Draws with two opinions or more, on which the answer is based.
    withheld : bool
        Whether the answer is not determined yet.
    reason : str, or None
        Why it is withheld, in a sentence.

    See Also
    --------
    optimal_opinions : Return such a plan.

    Examples
    --------
    >>> OpinionPlan(2, 1.8, 2, 2, 0.93, n_double=60).n_opinions
    2
    """

    n_opinions: int | None
    value: float
    low: int
    high: int
    standard_error_ratio: float
    n_double: int
    withheld: bool = False
    reason: str | None = None

    @property
    def is_defined(self) -> bool:
        """Whether there is an answer."""
        return self.n_opinions is not None


def optimal_opinions(
    split: VarianceSplit,
    *,
    cost_of_instance: float = 0.0,
    cost_of_opinion: float = 1.0,
    n_raters: int | None = None,
) -> OpinionPlan:
    """Find the number k of opinions per draw with the least cost: sqrt(cost ratio · variance ratio).

    A draw with k opinions costs c₁ + k c₂, and n draws leave the variance (B + W/k) / n, where B and W are
    the instances' and the raters' part for one draw. (B + W/k)(c₁ + k c₂) is least at k = sqrt(c₁/c₂ · W/B).

    Parameters
    ----------
    split : VarianceSplit
        From `variance_split`.
    cost_of_instance : float
        c₁, the cost of a further instance before anyone looks at it (a photograph to take, a file to fetch),
        in any unit. If it is 0, a further label is never worse than a second opinion.
    cost_of_opinion : float
        c₂, the cost of one opinion, in the same unit.
    n_raters : int, optional
        The number of raters, an upper limit on opinions per draw.

    Returns
    -------
    OpinionPlan
        Withheld if the split is, or if the interval for the raters' share is so wide that the best number for
        the estimate could leave 25 % more variance than necessary. If `cost_of_instance` is 0, the answer is
        1 for every split.

    Raises
    ------
    ValueError, TypeError
        If a cost is negative, or `cost_of_opinion` is 0.

    See Also
    --------
    variance_split : Compute the split.

    References
    ----------
    Cochran, *Sampling techniques*, 3rd ed. 1977, section 10.6.

    Examples
    --------
    >>> split = VarianceSplit(0.4, 0.05, 0.3, 0.5, instances=0.0006, raters=0.0004, n_double=80, n_draws=80)
    >>> optimal_opinions(split).n_opinions
    1
    >>> optimal_opinions(split, cost_of_instance=6).n_opinions
    2
    """
    of_instance = 0.0 if cost_of_instance == 0 else check_positive("cost_of_instance", cost_of_instance)
    of_opinion = check_positive("cost_of_opinion", cost_of_opinion)
    most = None if n_raters is None else check_count("n_raters", n_raters, minimum=1)
    costs = of_instance / of_opinion
    if costs == 0:
        return OpinionPlan(1, 0.0, 1, 1, 1.0, split.n_double)
    if split.withheld:
        most = MAX_OPINIONS if most is None else most
        return OpinionPlan(None, nan, 1, most, nan, split.n_double, withheld=True, reason=split.reason)
    low, k, high = (_best(share, costs, most) for share in (split.low, split.value, split.high))
    value = inf if split.value == 1 else sqrt(costs * split.value / (1 - split.value))
    regrets = [
        _variance(share, costs, k) / _variance(share, costs, _best(share, costs, most))
        for share in (split.low, split.high)
    ]
    if max(regrets) > MAX_REGRET:
        reason = f"the best number may be {low} or {high}: it takes more draws with two opinions"
        return OpinionPlan(None, value, low, high, nan, split.n_double, withheld=True, reason=reason)
    ratio = _variance(split.value, costs, k) / _variance(split.value, costs, 1)
    return OpinionPlan(k, value, low, high, sqrt(ratio), split.n_double)


def _variance(share: float, costs: float, k: int) -> float:
    """Return the variance for a given cost with k opinions per draw, up to a factor."""
    return (1 - share + share / k) * (costs + k)


def _best(share: float, costs: float, most: int | None) -> int:
    """Return the whole number k with the least (1 − share + share / k)(costs + k)."""
    limit = MAX_OPINIONS if most is None else most
    if share >= 1:
        return limit
    # k is better than k − 1 exactly if k (k − 1) < ratio.
    ratio = costs * share / (1 - share)
    return max(1, min(ceil((sqrt(1 + 4 * ratio) - 1) / 2), limit))
