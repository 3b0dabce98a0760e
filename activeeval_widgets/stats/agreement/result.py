"""What is known of how far people agree, frozen."""

from dataclasses import dataclass
from math import isfinite


@dataclass(frozen=True)
class Agreement:
    """How far people agree on the pool, with an approximate interval.

    Attributes
    ----------
    coefficient : str
        Which: "percent agreement", "Cohen's kappa", "Fleiss' kappa" or "Krippendorff's alpha".
    value : float
        The estimate, for the whole pool; NaN while it is not defined.
    standard_error : float
        By the coefficient's influence function, to first order; NaN where nobody disagreed.
    low, high : float
        An approximate interval for a number of draws fixed beforehand; the whole range where `withheld`.
    n_double : int
        Instances with two opinions or more: what all of this is from.
    n_draws : int
        Draws with an opinion at all.
    n_raters : int
        People with an opinion.
    confidence_level : float
        The interval's nominal level.
    distance : str
        How far two opinions are apart.
    withheld : bool
        Whether no interval would hold yet.
    reason : str, or None
        In a sentence, why it is withheld.

    See Also
    --------
    percent_agreement, cohen_kappa, fleiss_kappa, krippendorff_alpha : give it.

    Examples
    --------
    >>> from activeeval_widgets.stats import percent_agreement
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
        """Whether there is an estimate at all."""
        return isfinite(self.value)
