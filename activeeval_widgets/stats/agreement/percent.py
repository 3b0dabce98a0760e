"""The share of the pool on which raters agree."""

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
    """Estimate the probability that two random raters of a random instance of the pool agree.

    Parameters
    ----------
    ratings : array-like of shape (n_draws, n_raters)
        A row for each draw, in draw order, and a column for each rater; None or NaN for no opinion. Draws
        with fewer than two opinions only affect the standard error. Which draws get a second opinion must not
        depend on the answers; a label that resolved a disagreement is not an opinion.
    weights : array-like of shape (n_draws,), optional
        p/q of each draw, for draws with replacement. Equal unless given.
    q_draws : array-like of shape (n_draws,), optional
        For draws without replacement, the probability of each given the earlier ones.
    n_instances : int, optional
        The size of the pool, with `q_draws`.
    draws : array-like of int of shape (n_draws,), optional
        Indices into the pool, so that `n_double` counts an instance that was drawn twice only once.
    classes : sequence, optional
        All classes; by default those that occur.
    confidence_level : float
        1 − α.

    Returns
    -------
    Agreement
        The interval is approximate, for a number of draws fixed beforehand. It shrinks to a point, with
        standard error 0, once every instance of the pool has two opinions.

    Raises
    ------
    ValueError, TypeError
        If arguments don't fit each other, or an opinion is none of the classes.

    See Also
    --------
    cohen_kappa, fleiss_kappa, krippendorff_alpha : Agreement beyond chance.

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
    found = rated.observed(Nominal())
    return rated.beyond_chance(
        found, 1.0, 0.0, name="percent agreement", distance="nominal", largest=1.0, least=0.0
    )
