"""On which share of the pool people agree."""

from collections.abc import Sequence
from typing import Any

from numpy.typing import ArrayLike

from activeeval_widgets.stats.agreement.distances import Nominal
from activeeval_widgets.stats.agreement.rated_draws import RatedDraws
from activeeval_widgets.stats.agreement.result import Agreement


def percent_agreement(
    ratings: ArrayLike,
    *,
    weights: ArrayLike | None = None,
    q_draws: ArrayLike | None = None,
    n_instances: int | None = None,
    draws: ArrayLike | None = None,
    classes: Sequence[Any] | None = None,
    confidence_level: float = 0.95,
) -> Agreement:
    """On which share of the pool two people agree: two of those who gave an opinion, taken at random.

    Parameters
    ----------
    ratings : array-like of shape (n_draws, n_raters)
        A row for each draw, in draw order, and a column for each person; None or NaN where someone gave no
        opinion. Draws with fewer than two opinions count for the error alone. Which draws get a second
        opinion must not depend on what was answered; a label that settled a disagreement is no opinion.
    weights : array-like of shape (n_draws,), optional
        p/q of each draw, for draws with replacement. Equal unless given.
    q_draws : array-like of shape (n_draws,), optional
        For draws without replacement, the probability of each, given those before it.
    n_instances : int, optional
        The size of the pool, with `q_draws`.
    draws : array-like of int of shape (n_draws,), optional
        Indices into the pool, so that `n_double` counts an instance once that was drawn again.
    classes : sequence, optional
        All classes. Unless given, those seen.
    confidence_level : float
        1 − α.

    Returns
    -------
    Agreement
        The interval is approximate and for a number of draws fixed beforehand. A point, with standard error
        0, once the whole pool has two opinions of each instance.

    Raises
    ------
    ValueError, TypeError
        If arguments don't fit each other, or there is an opinion that is none of the classes.

    See Also
    --------
    cohen_kappa, fleiss_kappa, krippendorff_alpha : agreement beyond chance.

    Examples
    --------
    >>> found = percent_agreement([["spam", "spam"], ["ham", "spam"], ["ham", "ham"], ["ham", None]])
    >>> round(found.value, 3), found.n_double
    (0.667, 3)
    """
    rated = RatedDraws(
        ratings,
        weights=weights,
        q_draws=q_draws,
        n_instances=n_instances,
        draws=draws,
        classes=classes,
        confidence_level=confidence_level,
    )
    return rated.percentage(rated.observed(Nominal()), "percent agreement")
