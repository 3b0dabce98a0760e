"""An approximate interval for a coefficient 1 − D/E: disagreement, over what chance would give."""

from typing import NamedTuple

from scipy.special import betaincinv, ndtri, stdtrit

FEW = 10
"""While fewer draws than this disagree, their variance is not believed to be below a binomial's."""

FEW_OTHERS = 40
"""The same while fewer have an opinion other than the most common one, by their effective number: a few heavy
draws then tell what chance would give. Where draws prefer what is disputed, intervals of kappa at 0.95 held
in 87 to 91 % without it, in 90 to 95 % with 20, in 94 to 99 % with 40 (50 to 500 draws with two opinions, a
class of one tenth, 600 sessions each)."""


class Disagreement(NamedTuple):
    """What an interval is made of.

    Attributes
    ----------
    observed, expected : float
        The mean distance of two opinions of an instance, and of two opinions by chance (1 for percent
        agreement), both as shares of the largest distance.
    variance : float
        Of observed / expected.
    size : float
        (Σ c)² / Σ c² over the draws used.
    n_used, n_disagreeing : int
        Draws with two opinions, and those of them that differ.
    n_other : float or None
        The effective number of those with an opinion other than the most common one; None where nothing is
        by chance.
    """

    observed: float
    expected: float
    variance: float
    size: float
    n_used: int
    n_disagreeing: int
    n_other: float | None


def interval_of(found: Disagreement, level: float) -> tuple[float, float]:
    """The interval of 1 − observed / expected.

    The observed disagreement is taken for a share of as many draws as give the variance (Korn and
    Graubard), and has Clopper and Pearson's interval. While few disagree they are never more than the
    effective number of draws.

    References
    ----------
    Korn & Graubard, *Confidence intervals for proportions with small expected number of positive counts
    estimated from survey data*, 1998.
    """
    share, tail = min(found.observed, 1.0), (1 - level) / 2
    size = found.size
    of_variance = share * (1 - share)
    variance = found.expected**2 * found.variance
    if variance > 0 and of_variance > 0:
        effective = of_variance / variance
        is_few = found.n_disagreeing < FEW or (found.n_other is not None and found.n_other < FEW_OTHERS)
        size = min(size, effective) if is_few else effective
    if found.n_used > 1:
        size *= (float(ndtri(tail)) / float(stdtrit(found.n_used - 1, tail))) ** 2
    x = share * size
    low = 0.0 if share == 0 else float(betaincinv(x, size - x + 1, tail))
    high = 1.0 if share == 1 else float(betaincinv(x + 1, size - x, 1 - tail))
    return 1 - high / found.expected, 1 - low / found.expected
