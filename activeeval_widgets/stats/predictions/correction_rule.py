"""Versions of how labels correct predictions: a session goes on by the one that it was begun with."""

from dataclasses import dataclass


@dataclass(frozen=True)
class CorrectionRule:
    """How labels correct what predictions say.

    Attributes
    ----------
    factor_of_each_class : bool
        Whether each predicted class has a factor of its own (without a class of interest), and the power of
        the probabilities is taken around the classes' shares; else one factor for all, and a power around 1.
    power_of_variances : bool
        Whether variances are corrected by a power besides a factor.

    See Also
    --------
    Predictions.corrected : what each does.
    """

    factor_of_each_class: bool
    power_of_variances: bool


FIRST_CORRECTION = CorrectionRule(factor_of_each_class=False, power_of_variances=False)
"""The one that sessions of the first draw rule go on with."""

CORRECTION = CorrectionRule(factor_of_each_class=True, power_of_variances=True)
"""The present one."""
