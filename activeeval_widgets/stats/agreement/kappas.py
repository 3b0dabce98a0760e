"""Cohen's and Fleiss' kappa of the pool: agreement beyond chance, where opinions are classes."""

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
    """Cohen's kappa of two people on the pool: agreement beyond what each one's own use of classes gives.

    Parameters
    ----------
    ratings : array-like of shape (n_draws, 2)
        As for `percent_agreement`; the columns are the two people.
    weights, q_draws, n_instances, draws, confidence_level
        As for `percent_agreement`.
    classes : sequence, optional
        All classes, in order. Unless given, those seen, if they are numbers or the distance is "nominal".
    distance : {"nominal", "linear", "quadratic"}
        Of two classes: 0 or 1, or by their positions in `classes`: how far apart, or the square of it. What
        scikit-learn's `cohen_kappa_score` calls weights.

    Returns
    -------
    Agreement
        Not defined while both have used one and the same class alone.

    Raises
    ------
    ValueError, TypeError
        As `percent_agreement`; also if there are not two columns.

    See Also
    --------
    fleiss_kappa : for several people who need not be the same for each instance.

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
            f"ratings must have two columns for Cohen's kappa, got {rated.n_raters}: take fleiss_kappa or "
            "krippendorff_alpha"
        )
    of_pairs = _distance(distance, len(rated.classes))
    first, second = rated.codes.T
    total, k = rated.coefficients.sum(), len(rated.classes)
    shares = [np.bincount(each, rated.coefficients, k) / (total or 1.0) for each in (first, second)]
    to_first, to_second = of_pairs.to_all(shares[0]), of_pairs.to_all(shares[1])
    expected = float(shares[0] @ to_second)
    slopes = (to_second[first] + to_first[second] - 2 * expected) / total if total else np.zeros(0)
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
    """Fleiss' kappa on the pool: agreement of two people beyond what the classes' shares make likely.

    Parameters
    ----------
    ratings : array-like of shape (n_draws, n_raters)
        As for `percent_agreement`. Different people may rate different instances, and need not be as many for
        each: every instance counts once.
    weights, q_draws, n_instances, draws, classes, confidence_level
        As for `percent_agreement`.

    Returns
    -------
    Agreement
        Not defined while one class alone was seen.

    Raises
    ------
    ValueError, TypeError
        As `percent_agreement`.

    See Also
    --------
    krippendorff_alpha : almost the same for classes; also for grades and numbers.

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
