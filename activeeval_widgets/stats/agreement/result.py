"""The frozen result of an agreement coefficient."""

from dataclasses import dataclass
from math import isfinite

from activeeval_widgets.stats._equality import EqualByFields


@dataclass(frozen=True, eq=False)
class Agreement(EqualByFields):
    """An agreement coefficient on the pool, with an approximate interval.

    Attributes
    ----------
    coefficient : str
        "percent agreement", "Cohen's kappa", "Fleiss' kappa" or "Krippendorff's alpha".
    value : float
        The estimate for the whole pool; NaN while it is not defined.
    standard_error : float
        The standard error by the influence function, to first order; NaN if no opinions differ.
    low, high : float
        An approximate interval for a number of draws fixed beforehand; the whole range if `withheld`.
    n_double : int
        Instances with two opinions or more, on which the estimate is based.
    n_draws : int
        Draws with at least one opinion.
    n_raters : int
        Raters with at least one opinion.
    confidence_level : float
        The interval's nominal level.
    distance : str
        The distance of two opinions.
    withheld : bool
        Whether there are too few opinions for a valid interval.
    reason : str, or None
        Why it is withheld, in a sentence.

    See Also
    --------
    percent_agreement, cohen_kappa, fleiss_kappa, krippendorff_alpha : Return such a result.

    Examples
    --------
    >>> found = percent_agreement([["spam", None]])
    >>> found.is_defined, found.low, found.high, found.reason
    (False, 0.0, 1.0, 'no instance has two opinions yet')
    """

    coefficient: str
    value: float
    standard_error: float
    low: float
    high: float
    n_double: int
    n_draws: int
    n_raters: int
    confidence_level: float
    distance: str = "nominal"
    withheld: bool = False
    reason: str | None = None

    @property
    def is_defined(self) -> bool:
        """Whether there is an estimate."""
        return isfinite(self.value)
