"""The interval of a coefficient, made anew of its value, its standard error and loops over pairs."""

import itertools

import numpy as np
import pytest
from scipy.stats import beta, norm, t

from activeeval_widgets.stats import cohen_kappa, fleiss_kappa, krippendorff_alpha, percent_agreement
from activeeval_widgets.stats.agreement.interval import Disagreement, interval_of

BETWEEN = {
    "nominal": lambda x, y: float(x != y),
    "linear": lambda x, y: abs(x - y),
    "quadratic": lambda x, y: (x - y) ** 2,
    "interval": lambda x, y: (x - y) ** 2,
    "ratio": lambda x, y: ((x - y) / (x + y)) ** 2 if x + y else 0.0,
}
LARGEST = {"nominal": 1.0, "linear": 3.0, "quadratic": 9.0, "interval": 9.0, "ratio": 1.0}

COEFFICIENTS = {
    "percent": (percent_agreement, {}),
    "cohen": (cohen_kappa, {}),
    "linear": (cohen_kappa, {"distance": "linear"}),
    "quadratic": (cohen_kappa, {"distance": "quadratic"}),
    "fleiss": (fleiss_kappa, {}),
    "alpha": (krippendorff_alpha, {}),
    "interval": (krippendorff_alpha, {"distance": "interval"}),
    "ratio": (krippendorff_alpha, {"distance": "ratio"}),
}


def some_ratings(n, right, seed=0):
    rng = np.random.default_rng(seed)
    truth = rng.integers(4, size=(n, 1))
    return np.where(rng.random((n, 2)) < right, truth, rng.integers(4, size=(n, 2))), rng.gamma(4, size=n)


def by_binomial(share, expected, size, n_draws, level):
    """Clopper and Pearson's interval for a share of `size` draws, as a coefficient's."""
    tail = (1 - level) / 2
    size *= (norm.ppf(tail) / t.ppf(tail, n_draws - 1)) ** 2
    hits = share * size
    low = beta.ppf(tail, hits, size - hits + 1) if share > 0 else 0.0
    high = beta.ppf(1 - tail, hits + 1, size - hits) if share < 1 else 1.0
    return 1 - high / expected, 1 - low / expected


@pytest.mark.parametrize("level", [0.8, 0.95])
@pytest.mark.parametrize(("coefficient", "options"), COEFFICIENTS.values(), ids=COEFFICIENTS)
def test_with_many_disagreements_the_interval_is_that_of_as_many_draws_as_give_the_error(
    coefficient, options, level
):
    ratings, weights = some_ratings(300, 0.6)
    found = coefficient(ratings, weights=weights, confidence_level=level, **options)
    distance = options.get("distance", "nominal")
    apart = np.array([BETWEEN[distance](x, y) for x, y in ratings])
    observed = weights @ apart / weights.sum() / LARGEST[distance]
    expected = observed / (1 - found.value)
    size = observed * (1 - observed) / (expected * found.standard_error) ** 2
    low, high = by_binomial(observed, expected, size, 300, level)
    assert (found.low, found.high) == (pytest.approx(low, rel=1e-6), pytest.approx(high, rel=1e-6))


@pytest.mark.parametrize("name", ["percent", "cohen", "fleiss"])
def test_with_few_disagreements_it_is_of_no_more_draws_than_there_are(name):
    coefficient, options = COEFFICIENTS[name]
    # Nine of 300 differ, and the variance they show would make it shorter than a binomial's.
    ratings = np.array([[0, 0], [1, 1]] * 140 + [[0, 1], [1, 0]] * 4 + [[2, 0]] + [[1, 1]] * 11)
    weights = np.where(ratings[:, 0] != ratings[:, 1], 0.25, 1.0)
    found = coefficient(ratings, weights=weights, **options)
    observed = weights @ (ratings[:, 0] != ratings[:, 1]) / weights.sum()
    expected = observed / (1 - found.value)
    size = min(
        weights.sum() ** 2 / (weights @ weights),
        observed * (1 - observed) / (expected * found.standard_error) ** 2,
    )
    assert size == weights.sum() ** 2 / (weights @ weights)
    low, high = by_binomial(observed, expected, size, 300, 0.95)
    assert (found.low, found.high) == (pytest.approx(low, rel=1e-6), pytest.approx(high, rel=1e-6))
    # With a tenth the variance is believed.
    ratings[-1], weights[-1] = [0, 1], 0.25
    more = coefficient(ratings, weights=weights, **options)
    assert more.high - more.low < 0.8 * (found.high - found.low)


def test_with_few_others_than_the_most_common_class_it_is_of_no_more_draws_either():
    def width(n_others):
        ratings = np.array([[0, 0]] * 300 + [[1, 1]] * (n_others - 12) + [[0, 1], [1, 0]] * 6)
        weights = np.where(ratings.sum(axis=1) == 1, 0.25, 1.0)
        other = weights[ratings.any(axis=1)]
        effective = other.sum() ** 2 / (other @ other)
        found = cohen_kappa(ratings, weights=weights)
        observed, total = 3 / weights.sum(), weights.sum() ** 2 / (weights @ weights)
        expected = observed / (1 - found.value)
        of_error = observed * (1 - observed) / (expected * found.standard_error) ** 2
        low, high = by_binomial(observed, expected, total if effective < 40 else of_error, len(ratings), 0.95)
        assert total < of_error
        assert (found.low, found.high) == (pytest.approx(low, rel=1e-6), pytest.approx(high, rel=1e-6))
        return effective

    found = [width(n_others) for n_others in (20, 40, 44, 60, 80)]
    assert found[0] < found[1] < 40 < found[-2]
    # Where nothing is by chance, other classes don't count.
    ratings = np.array([[0, 0]] * 100 + [[0, 1]] * 12)
    observed = 12 / 112
    size = observed * (1 - observed) / percent_agreement(ratings).standard_error ** 2
    low, _high = by_binomial(observed, 1.0, size, 112, 0.95)
    assert percent_agreement(ratings).low == pytest.approx(low, rel=1e-9)


@pytest.mark.parametrize(("observed", "expected"), list(itertools.product([0.0, 0.3, 1.0], [0.5, 1.0])))
def test_the_ends(observed, expected):
    found = Disagreement(observed, expected, 0.0, 50.0, 60, 0, None)
    low, high = interval_of(found, 0.95)
    wanted = by_binomial(observed, expected, 50.0, 60, 0.95)
    assert (low, high) == (pytest.approx(wanted[0]), pytest.approx(wanted[1]))
    assert low < 1 - observed / expected or observed == 1.0
    # One draw has no quantile of Student's.
    once = interval_of(found._replace(n_used=1), 0.95)
    assert once[0] >= low
    assert once[1] <= high
