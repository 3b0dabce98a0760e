"""Krippendorff's alpha on the pool, for classes, grades and numbers, with missing opinions."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats._validation import check_option
from activeeval_widgets.stats.agreement.distances import Distance, Nominal, Ratio, Squared, mid_ranks
from activeeval_widgets.stats.agreement.rated_draws import RatedDraws
from activeeval_widgets.stats.agreement.ratings import check_numbers
from activeeval_widgets.stats.agreement.result import Agreement

_DISTANCES = ("interval", "nominal", "ordinal", "ratio")


def krippendorff_alpha(
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
    """Estimate Krippendorff's alpha on the pool: 1 − observed / expected disagreement, with missing opinions.

    Parameters
    ----------
    ratings : array-like of shape (n_draws, n_raters)
        As for `percent_agreement`. An instance with two or more opinions is weighted by their number.
    weights, q_draws, n_instances, draws, confidence_level
        As for `percent_agreement`.
    classes : sequence, optional
        All classes, in order if the distance is "ordinal". May be left out if opinions are numbers or the
        distance is "nominal"; then it is the classes that occur.
    distance : {"nominal", "ordinal", "interval", "ratio"}
        The level of measurement: classes, grades in an order, numbers, numbers with a zero.

    Returns
    -------
    Agreement
        Not defined while only one value occurs.

    Raises
    ------
    ValueError, TypeError
        As for `percent_agreement`; also if opinions are not the numbers that the distance needs.

    See Also
    --------
    fleiss_kappa, cohen_kappa : Agreement coefficients for classes.

    Notes
    -----
    Expected disagreement is that of two distinct opinions, out of n (n − 1) ordered pairs if all have the
    same weight, and of (Σ c)² − Σ c² in general.

    References
    ----------
    Krippendorff, *Content analysis*, 4th ed., 2018; *Computing Krippendorff's alpha-reliability*, 2011.

    Examples
    --------
    >>> found = krippendorff_alpha([[1, 1, None], [2, 2, 3], [3, 3, 3], [3, None, None]], distance="interval")
    >>> round(found.value, 3)
    0.841
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
        is_ordered=distance == "ordinal",
    )
    used, counts = rated.coefficients, rated.counts
    totals = rated.totals(used)
    of_pairs = _distance(distance, rated, totals)
    found = rated.observed(of_pairs, counts.astype(np.float64))
    to_all = of_pairs.to_all(totals)
    n_pairs = float(totals.sum() ** 2 - (used**2) @ counts) or 1.0
    expected = float(totals @ to_all) / n_pairs
    slopes = 2 * (rated.row_sums(to_all) - expected * (totals.sum() - used) * counts) / n_pairs
    if distance == "ordinal":
        by_ranks = _by_ranks(mid_ranks(totals), rated, totals, n_pairs)
        found, slopes = found._replace(slopes=found.slopes + by_ranks[0]), slopes + by_ranks[1]
    return rated.beyond_chance(
        found, expected, slopes, name="Krippendorff's alpha", distance=distance, largest=of_pairs.largest
    )


def _distance(name: str, rated: RatedDraws, totals: FloatArray) -> Distance:
    if name == "nominal":
        return Nominal()
    if name == "ordinal":
        return Squared(mid_ranks(totals))
    if name == "interval":
        return Squared(check_numbers(rated.classes))
    return Ratio(check_numbers(rated.classes, may_be_negative=False))


def _by_ranks(
    ranks: FloatArray, rated: RatedDraws, totals: FloatArray, n_pairs: float
) -> tuple[FloatArray, FloatArray]:
    """Return the derivatives of both disagreements by each draw's coefficient through the mean ranks."""
    used, counts = rated.coefficients, rated.counts
    slope = 4 * used * counts / (counts - 1) / float(used @ counts)
    means = rated.row_sums(ranks) / counts
    of_observed = ranks * rated.totals(slope) - rated.totals(slope * means)
    of_expected = 4 * totals * (totals.sum() * ranks - totals @ ranks) / n_pairs
    # Another opinion moves its own class's rank by one half, and the ranks of all higher classes by one.
    above = [slopes[::-1].cumsum()[::-1] - slopes / 2 for slopes in (of_observed, of_expected)]
    return rated.row_sums(above[0]), rated.row_sums(above[1])
