"""Cohen's and Fleiss' kappa on the pool: agreement beyond chance for classes."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._validation import check_option
from activeeval_widgets.stats.agreement.distances import Distance, Linear, Nominal, Squared
from activeeval_widgets.stats.agreement.rated_draws import RatedDraws
from activeeval_widgets.stats.agreement.result import Agreement

_DISTANCES = ("linear", "nominal", "quadratic")


def cohen_kappa(
    ratings: ArrayLike,
    *,
    weights: ArrayLike | None = None,
    q_draws: ArrayLike | None = None,
    n_instances: int | None = None,
    draws: ArrayLike | None = None,
    classes: Sequence[Any] | None = None,
    distance: str = "nominal",
    confidence_level: float = 0.95,
) -> Agreement:
    """Estimate Cohen's kappa of two raters on the pool: agreement beyond chance, by their own class shares.

    Parameters
    ----------
    ratings : array-like of shape (n_draws, 2)
        As for `percent_agreement`, with one column for each of the two raters.
    weights, q_draws, n_instances, draws, confidence_level
        As for `percent_agreement`.
    classes : sequence, optional
        All classes, in order. May be left out if they are numbers or the distance is "nominal"; then it is
        the classes that occur.
    distance : {"nominal", "linear", "quadratic"}
        The distance of two classes: 0 or 1, their difference in position in `classes`, or its square. Called
        weights in scikit-learn's `cohen_kappa_score`.

    Returns
    -------
    Agreement
        Not defined while both raters use one and the same class only.

    Raises
    ------
    ValueError, TypeError
        As for `percent_agreement`; also if there are not two columns.

    See Also
    --------
    fleiss_kappa : For several raters, who may differ between instances.

    References
    ----------
    Cohen, *A coefficient of agreement for nominal scales*, 1960; *Weighted kappa*, 1968. Fleiss, Cohen &
    Everitt, *Large sample standard errors of kappa and weighted kappa*, 1969.

    Examples
    --------
    >>> found = cohen_kappa([[0, 0], [1, 0], [1, 1], [1, 1]])
    >>> round(found.value, 3)
    0.5
    """
    check_option("distance", distance, _DISTANCES)
    rated = RatedDraws(
        ratings,
        weights=weights,
        q_draws=q_draws,
        n_instances=n_instances,
        draws=draws,
        classes=classes,
        confidence_level=confidence_level,
        is_ordered=distance != "nominal",
    )
    if rated.n_raters != 2:
        raise ValueError(
            f"ratings must have two columns for Cohen's kappa, got {rated.n_raters}: use fleiss_kappa or "
            "krippendorff_alpha"
        )
    of_pairs = _distance(distance, len(rated.classes))
    first, second = rated.codes.T
    total, k = float(rated.coefficients.sum()) or 1.0, len(rated.classes)
    shares = [np.bincount(each, rated.coefficients, k) / total for each in (first, second)]
    to_first, to_second = of_pairs.to_all(shares[0]), of_pairs.to_all(shares[1])
    expected = float(shares[0] @ to_second)
    slopes = (to_second[first] + to_first[second] - 2 * expected) / total
    found = rated.observed(of_pairs)
    return rated.beyond_chance(
        found, expected, slopes, name="Cohen's kappa", distance=distance, largest=of_pairs.largest
    )


def fleiss_kappa(
    ratings: ArrayLike,
    *,
    weights: ArrayLike | None = None,
    q_draws: ArrayLike | None = None,
    n_instances: int | None = None,
    draws: ArrayLike | None = None,
    classes: Sequence[Any] | None = None,
    confidence_level: float = 0.95,
) -> Agreement:
    """Estimate Fleiss' kappa on the pool: agreement of two raters beyond chance, by the classes' shares.

    Parameters
    ----------
    ratings : array-like of shape (n_draws, n_raters)
        As for `percent_agreement`. Raters and their number may differ between instances; every instance has
        the same weight.
    weights, q_draws, n_instances, draws, classes, confidence_level
        As for `percent_agreement`.

    Returns
    -------
    Agreement
        Not defined while only one class occurs.

    Raises
    ------
    ValueError, TypeError
        As for `percent_agreement`.

    See Also
    --------
    krippendorff_alpha : Nearly the same for classes; also for grades and numbers.

    References
    ----------
    Fleiss, *Measuring nominal scale agreement among many raters*, 1971.

    Examples
    --------
    >>> found = fleiss_kappa([[0, 0, 0], [1, 0, 1], [1, 1, 1], [1, 1, None]])
    >>> round(found.value, 3)
    0.625
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
    total = float(rated.coefficients.sum()) or 1.0
    shares = rated.totals(rated.coefficients / rated.counts) / total
    to_all = Nominal().to_all(shares)
    expected = float(shares @ to_all)
    slopes = 2 * (rated.row_sums(to_all) / rated.counts - expected) / total
    found = rated.observed(Nominal())
    return rated.beyond_chance(found, expected, slopes, name="Fleiss' kappa", distance="nominal", largest=1.0)


def _distance(name: str, n_classes: int) -> Distance:
    if name == "nominal":
        return Nominal()
    positions = np.arange(n_classes, dtype=np.float64)
    return Linear(positions) if name == "linear" else Squared(positions)
