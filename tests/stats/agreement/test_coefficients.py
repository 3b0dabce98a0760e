"""Coefficients of agreement: published examples, loops over pairs, other software, what must not matter."""

import itertools

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from activeeval_widgets.stats import cohen_kappa, fleiss_kappa, krippendorff_alpha, percent_agreement

_ = None
# Krippendorff, Computing Krippendorff's alpha-reliability (2011), section C: four observers, twelve units.
KRIPPENDORFF = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, _, _, _],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, _, 3],
        [_, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, _],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, _],
    ],
    dtype=object,
).T
# Fleiss (1971), table 1: how many of six psychiatrists made each of five diagnoses of thirty patients.
FLEISS = [
    "00060",
    "03003",
    "01401",
    "00006",
    "03030",
    "20400",
    "00402",
    "20310",
    "20040",
    "00006",
    "10050",
    "11040",
    "03300",
    "10050",
    "02031",
    "00501",
    "30012",
    "51000",
    "02040",
    "10203",
    "00006",
    "01050",
    "02013",
    "20040",
    "10041",
    "05010",
    "40002",
    "02040",
    "10500",
    "00006",
]
# Cohen (1960), table 2: two judges, 200 cases.
COHEN = [[88, 14, 18], [10, 40, 10], [2, 6, 12]]

CODES = {
    "percent": percent_agreement,
    "cohen": cohen_kappa,
    "cohen, linear": lambda *args, **options: cohen_kappa(*args, distance="linear", **options),
    "cohen, quadratic": lambda *args, **options: cohen_kappa(*args, distance="quadratic", **options),
    "fleiss": fleiss_kappa,
    "alpha": krippendorff_alpha,
    "alpha, ordinal": lambda *args, **options: krippendorff_alpha(*args, distance="ordinal", **options),
    "alpha, interval": lambda *args, **options: krippendorff_alpha(*args, distance="interval", **options),
    "alpha, ratio": lambda *args, **options: krippendorff_alpha(*args, distance="ratio", **options),
}
every = pytest.mark.parametrize("coefficient", CODES.values(), ids=CODES)


def from_table(table):
    return [(i, j) for i, row in enumerate(table) for j, n in enumerate(row) for _ in range(n)]


def random_ratings(rng, n=40, n_raters=2, n_classes=4, missing=0.2):
    truth = rng.integers(n_classes, size=n)
    noise = rng.integers(n_classes, size=(n, n_raters))
    ratings = np.where(rng.random((n, n_raters)) < 0.6, truth[:, np.newaxis], noise).astype(object)
    ratings[rng.random((n, n_raters)) < missing] = None
    return ratings


@pytest.mark.parametrize(
    ("distance", "value"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)]
)
def test_krippendorffs_own_example(distance, value):
    found = krippendorff_alpha(KRIPPENDORFF, distance=distance)
    assert found.value == pytest.approx(value, abs=5e-4)
    assert (found.n_double, found.n_draws, found.n_raters) == (11, 12, 4)


def test_fleiss_example():
    ratings = [[c for c, n in enumerate(row) for _ in range(int(n))] for row in FLEISS]
    assert np.bincount(np.ravel(ratings)).tolist() == [26, 26, 30, 55, 43]  # his column totals
    found = fleiss_kappa(ratings)
    assert found.value == pytest.approx(0.430, abs=5e-4)
    assert percent_agreement(ratings).value == pytest.approx(0.556, abs=1e-3)


def test_cohens_example():
    found = cohen_kappa(from_table(COHEN))
    assert found.value == pytest.approx(0.492, abs=5e-4)
    assert percent_agreement(from_table(COHEN)).value == pytest.approx(0.70)


@pytest.mark.parametrize("distance", ["nominal", "linear", "quadratic"])
def test_the_standard_error_of_kappa_is_that_of_fleiss_cohen_and_everitt(distance):
    found = cohen_kappa(from_table(COHEN), distance=distance)
    shares = np.array(COHEN) / 200
    steps = np.abs(np.subtract.outer(np.arange(3), np.arange(3))) / 2
    agreement = {"nominal": np.eye(3), "linear": 1 - steps, "quadratic": 1 - steps**2}[distance]
    rows, columns = shares.sum(axis=1), shares.sum(axis=0)
    of_rows, of_columns = agreement @ columns, agreement.T @ rows
    observed, expected = (agreement * shares).sum(), rows @ agreement @ columns
    # Fleiss, Cohen & Everitt (1969), equation 8.
    each = agreement * (1 - expected) - (of_rows[:, None] + of_columns[None, :]) * (1 - observed)
    variance = (shares * each**2).sum() - (observed * expected - 2 * expected + observed) ** 2
    error = np.sqrt(variance / 200) / (1 - expected) ** 2
    # With the correction that a jackknife brings.
    assert found.standard_error == pytest.approx(error * 200 / 199, rel=1e-12)


@pytest.mark.parametrize(
    ("distance", "weights"), [("nominal", None), ("linear", "linear"), ("quadratic",) * 2]
)
def test_cohens_kappa_is_scikit_learns(distance, weights):
    rng = np.random.default_rng(3)
    for _i in range(20):
        ratings = random_ratings(rng, missing=0).astype(int)
        expected = cohen_kappa_score(*ratings.T, weights=weights)
        assert cohen_kappa(ratings, distance=distance).value == pytest.approx(expected, rel=1e-12)
        # Weights are what scikit-learn calls sample_weight.
        sample_weight = rng.gamma(2, size=len(ratings))
        expected = cohen_kappa_score(*ratings.T, weights=weights, sample_weight=sample_weight)
        found = cohen_kappa(ratings, distance=distance, weights=sample_weight)
        assert found.value == pytest.approx(expected, rel=1e-12)


DISTANCES = {
    "nominal": lambda x, y, ranks: float(x != y),
    "ordinal": lambda x, y, ranks: (ranks[x] - ranks[y]) ** 2,
    "interval": lambda x, y, ranks: (x - y) ** 2,
    "ratio": lambda x, y, ranks: ((x - y) / (x + y)) ** 2 if x + y else 0.0,
}


def alpha_by_pairs(ratings, weights, distance):
    """Krippendorff's alpha, by loops over all pairs of opinions of different draws' coders."""
    units = [[value for value in row if value is not None] for row in ratings]
    units, weights = zip(*[(u, w) for u, w in zip(units, weights, strict=True) if len(u) > 1], strict=True)
    opinions = [(value, weight) for u, weight in zip(units, weights, strict=True) for value in u]
    ranks = {
        value: sum(w for other, w in opinions if other < value)
        + sum(w for other, w in opinions if other == value) / 2
        for value, _w in opinions
    }
    between = DISTANCES[distance]
    observed = sum(
        weight * between(x, y, ranks) / (len(u) - 1)
        for u, weight in zip(units, weights, strict=True)
        for x, y in itertools.permutations(u, 2)
    ) / sum(weight for _v, weight in opinions)
    pairs = list(itertools.permutations(opinions, 2))
    expected = sum(v * w * between(x, y, ranks) for (x, v), (y, w) in pairs) / sum(
        v * w for (_x, v), (_y, w) in pairs
    )
    return 1 - observed / expected


@pytest.mark.parametrize("distance", DISTANCES)
@pytest.mark.parametrize("is_weighted", [False, True])
def test_alpha_is_that_of_all_pairs(distance, is_weighted):
    rng = np.random.default_rng(5)
    for _i in range(5):
        ratings = random_ratings(rng, n=14, n_raters=4, missing=0.4)
        weights = rng.gamma(2, size=14) if is_weighted else np.ones(14)
        expected = alpha_by_pairs(ratings.tolist(), weights, distance)
        found = krippendorff_alpha(ratings, distance=distance, weights=weights)
        assert found.value == pytest.approx(expected, rel=1e-10)


def fleiss_by_loops(ratings, weights):
    observed = total = 0.0
    shares: dict = {}
    for row, weight in zip(ratings, weights, strict=True):
        given = [value for value in row if value is not None]
        if len(given) < 2:
            continue
        pairs = list(itertools.combinations(given, 2))
        observed += weight * sum(x != y for x, y in pairs) / len(pairs)
        total += weight
        for value in given:
            shares[value] = shares.get(value, 0.0) + weight / len(given)
    return observed / total, 1 - sum((share / total) ** 2 for share in shares.values())


def test_fleiss_and_percent_are_those_of_loops():
    rng = np.random.default_rng(6)
    for _i in range(10):
        ratings, weights = random_ratings(rng, n_raters=4, missing=0.4), rng.gamma(2, size=40)
        observed, expected = fleiss_by_loops(ratings.tolist(), weights)
        assert percent_agreement(ratings, weights=weights).value == pytest.approx(1 - observed, rel=1e-12)
        assert fleiss_kappa(ratings, weights=weights).value == pytest.approx(
            1 - observed / expected, rel=1e-12
        )


@every
def test_the_standard_error_is_from_the_derivatives_by_each_weight(coefficient):
    rng = np.random.default_rng(7)
    ratings, weights = random_ratings(rng, n=30), rng.gamma(3, size=30)
    is_double = np.array([all(value is not None for value in row) for row in ratings])
    step, squares = 1e-6, 0.0
    for row in np.flatnonzero(is_double):
        moved = [weights.copy(), weights.copy()]
        moved[0][row] *= 1 + step
        moved[1][row] *= 1 - step
        up, down = (coefficient(ratings, weights=each).value for each in moved)
        share = weights[row] / weights[is_double].sum()
        squares += ((up - down) / (2 * step) / (1 - share)) ** 2
    assert coefficient(ratings, weights=weights).standard_error == pytest.approx(np.sqrt(squares), rel=1e-6)


@every
def test_equal_weights_of_any_size_change_nothing(coefficient):
    ratings = random_ratings(np.random.default_rng(8))
    found, scaled = coefficient(ratings), coefficient(ratings, weights=np.full(40, 0.037))
    for name in ("value", "standard_error", "low", "high"):
        assert getattr(scaled, name) == pytest.approx(getattr(found, name), rel=1e-9)


@pytest.mark.parametrize("name", [name for name in CODES if not name.startswith("alpha")])
def test_a_draw_of_weight_two_is_two_draws(name):
    ratings = random_ratings(np.random.default_rng(9))
    weights = np.arange(40) % 3 + 1
    again = np.repeat(ratings, weights, axis=0)
    assert CODES[name](ratings, weights=weights).value == pytest.approx(CODES[name](again).value, rel=1e-12)


@every
def test_the_order_of_people_and_of_draws_does_not_matter(coefficient):
    rng = np.random.default_rng(10)
    ratings, weights = random_ratings(rng), rng.gamma(3, size=40)
    order = rng.permutation(40)
    found = coefficient(ratings, weights=weights)
    for other in (
        coefficient(ratings[:, ::-1], weights=weights),
        coefficient(ratings[order], weights=weights[order]),
    ):
        for name in ("value", "standard_error", "low", "high"):
            assert getattr(other, name) == pytest.approx(getattr(found, name), rel=1e-9)


@pytest.mark.parametrize("coefficient", [percent_agreement, cohen_kappa, fleiss_kappa, krippendorff_alpha])
def test_the_names_of_classes_do_not_matter(coefficient):
    ratings = random_ratings(np.random.default_rng(11))
    names = {0: "ham", 1: "spam", 2: "", 3: "None", None: None}
    renamed = [[names[value] for value in row] for row in ratings]
    found, other = coefficient(ratings), coefficient(renamed)
    assert (other.value, other.n_double) == (pytest.approx(found.value, rel=1e-12), found.n_double)
    # A class that nobody chose does not matter either.
    more = coefficient(renamed, classes=["never", *(name for name in names.values() if name is not None)])
    assert more.value == pytest.approx(found.value, rel=1e-12)


@pytest.mark.parametrize("name", ["alpha, ordinal", "cohen, linear", "cohen, quadratic"])
def test_grades_count_by_their_order(name):
    ratings = random_ratings(np.random.default_rng(12))
    names = {0: "bad", 1: "poor", 2: "fair", 3: "good", None: None}
    renamed = [[names[value] for value in row] for row in ratings]
    order = ["bad", "poor", "fair", "good"]
    value = CODES[name](ratings).value
    assert CODES[name](renamed, classes=order).value == pytest.approx(value, rel=1e-12)
    assert CODES[name](renamed, classes=order[::-1]).value == pytest.approx(value, rel=1e-12)
    assert CODES[name](renamed, classes=["fair", "bad", "good", "poor"]).value != pytest.approx(
        value, rel=1e-3
    )
    with pytest.raises(ValueError, match="classes must be given in order"):
        CODES[name](renamed)


def test_numbers_may_be_shifted_and_scaled_on_an_interval_scale_and_scaled_on_a_ratio_scale():
    ratings = random_ratings(np.random.default_rng(13), missing=0).astype(float)
    interval, ratio = (CODES[f"alpha, {name}"](ratings).value for name in ("interval", "ratio"))
    assert CODES["alpha, interval"](3 * ratings - 2.0**50).value == pytest.approx(interval, rel=1e-8)
    assert CODES["alpha, ratio"](3 * ratings).value == pytest.approx(ratio, rel=1e-12)
    assert CODES["alpha, ratio"](ratings + 1).value != pytest.approx(ratio, rel=1e-3)
    assert CODES["alpha, ordinal"](np.exp(ratings)).value == pytest.approx(
        CODES["alpha, ordinal"](ratings).value
    )


def test_missing_opinions_may_be_none_or_nan():
    ratings = random_ratings(np.random.default_rng(14))
    assert krippendorff_alpha(ratings) == krippendorff_alpha(ratings.astype(float))


def test_an_instance_that_is_drawn_again_is_no_further_double():
    ratings = [[0, 0], [1, 1], [0, 0], [0, 1]]
    found = percent_agreement(ratings, draws=[7, 2, 7, 3], weights=[1, 2, 1, 1])
    assert (found.n_double, found.n_draws) == (3, 4)
    assert percent_agreement(ratings).n_double == 4


def test_draws_and_raters_without_any_opinion_are_not_counted():
    found = percent_agreement([[0, 0, _], [1, 0, _], [_, _, _], [1, _, _]])
    assert (found.n_double, found.n_draws, found.n_raters) == (2, 3, 2)


def test_for_percent_agreement_it_does_not_matter_what_opinions_agree_on():
    """So it has no variance of its own where few opinions are other than the most common one."""
    weights, disputed = [1.0] * 100 + [0.2] * 15, [["a", "b"]] * 15
    one_class = percent_agreement([["a", "a"]] * 100 + disputed, weights=weights)
    assert one_class == percent_agreement([["a", "a"], ["b", "b"]] * 50 + disputed, weights=weights)


KNOWN_NOTHING = {
    "nothing drawn": (np.empty((0, 2), dtype=object), "no instance has two opinions yet"),
    "no double labels": ([[0, None], [None, 1], [1, None]], "no instance has two opinions yet"),
    "one double label": ([[0, 1], [None, 1]], "only one instance has two opinions"),
    "one double label, agreed": ([[0, 0], [None, 1]], "only one instance has two opinions"),
}


@every
@pytest.mark.parametrize(("ratings", "reason"), KNOWN_NOTHING.values(), ids=KNOWN_NOTHING)
def test_what_is_not_known_yet_has_the_whole_range_and_a_reason(coefficient, ratings, reason):
    found = coefficient(ratings)
    assert found.withheld
    assert found.reason == reason
    assert found.low == (0 if found.coefficient == "percent agreement" else -1)
    assert found.high == 1
    assert not found.standard_error >= 0
    assert found.is_defined == (found.n_double == 1 and not np.isnan(found.value))


def test_an_interval_that_rules_nothing_out_is_withheld():
    for found, least in ((percent_agreement([[0, 0], [1, 1]]), 0), (cohen_kappa([[0, 0], [1, 1]]), -1)):
        assert (found.low, found.high, found.withheld) == (least, 1, True)
        assert found.reason == "too few instances have two opinions, or too few opinions differ"
    found = percent_agreement([[0, 0], [1, 1], [0, 0]])
    assert found.low > 0
    assert (found.high, found.withheld, found.reason) == (1, False, None)


@every
def test_chance_would_agree_as_well_on_one_class(coefficient):
    found = coefficient([[1, 1]] * 60)
    if found.coefficient == "percent agreement":
        assert found.value == found.high == 1
        assert 0.9 < found.low < 0.025 ** (1 / 60)
    else:
        assert not found.is_defined
        assert (found.low, found.high, found.withheld) == (-1, 1, True)
        assert found.reason == "all opinions are the same so far, as they would be by chance"


@every
def test_all_agree_on_two_classes(coefficient):
    found = coefficient([[0, 0], [1, 1]] * 30)
    assert found.value == found.high == 1
    assert 0.8 < found.low < 1
    assert not found.standard_error >= 0  # nothing deviates
    few = coefficient([[0, 0], [1, 1]])
    assert few.high - few.low > 0.9


BAD = {
    "one dimension": (lambda: percent_agreement([1, 2, 3]), ValueError, r"ratings must have shape"),
    "ragged": (lambda: percent_agreement([[1, 2], [1]]), ValueError, r"ratings must have shape"),
    "no class": (
        lambda: percent_agreement([["a", "b"], ["a", "c"]], classes=["a", "b"]),
        ValueError,
        r"ratings\[1, 1\] is 'c', which is none of classes \['a', 'b'\]",
    ),
    "same class twice": (
        lambda: fleiss_kappa([[1, 1]], classes=[1, 1]),
        ValueError,
        r"classes must be distinct",
    ),
    "three people": (lambda: cohen_kappa([[1, 1, 2]]), ValueError, r"must have two columns .* got 3"),
    "no such distance": (
        lambda: krippendorff_alpha([[1, 2]], distance="linear"),
        ValueError,
        r"distance must be one of 'interval', 'nominal', 'ordinal', 'ratio', got 'linear'",
    ),
    "words on an interval scale": (
        lambda: krippendorff_alpha([["a", "b"]], distance="interval"),
        TypeError,
        r"ratings must be numbers for this distance, got 'a'",
    ),
    "negative on a ratio scale": (
        lambda: krippendorff_alpha([[1, -2]], distance="ratio"),
        ValueError,
        r"ratings must be at least 0 for the distance 'ratio', got -2",
    ),
    "too many values": (
        lambda: krippendorff_alpha(np.arange(20_002.0).reshape(-1, 2), distance="ratio"),
        ValueError,
        r"at most 10,000 different values, got 20,002: round the ratings",
    ),
    "a list as a label": (
        lambda: percent_agreement(np.array([[[1], None], [None, None]], dtype=object)),
        TypeError,
        r"ratings must be classes or numbers, got \[1\]",
    ),
    "weights": (lambda: percent_agreement([[1, 1]], weights=[0]), ValueError, r"weights must be positive"),
    "too many weights": (lambda: percent_agreement([[1, 1]], weights=[1, 1]), ValueError, r"each of 1 draws"),
    "both": (
        lambda: percent_agreement([[1, 1]], weights=[1], q_draws=[1]),
        TypeError,
        r"weights \(draws with replacement\) or q_draws",
    ),
    "no pool": (lambda: percent_agreement([[1, 1]], q_draws=[1]), TypeError, r"q_draws needs n_instances"),
    "pool alone": (lambda: percent_agreement([[1, 1]], n_instances=3), TypeError, r"goes with q_draws"),
    "small pool": (
        lambda: percent_agreement([[1, 1]] * 3, q_draws=[0.5] * 3, n_instances=2),
        ValueError,
        r"ratings has 3 draws, but without replacement there are at most 2",
    ),
    "q": (
        lambda: percent_agreement([[1, 1]], q_draws=[0], n_instances=2),
        ValueError,
        r"q_draws\[0\] is 0.0, expected a probability above 0",
    ),
    "draws": (
        lambda: percent_agreement([[1, 1]], draws=[1, 2]),
        ValueError,
        r"draws has 2 entries, .* 1 rows",
    ),
    "level": (lambda: percent_agreement([[1, 1]], confidence_level=95), ValueError, r"confidence_level"),
}


@pytest.mark.parametrize(("call", "error", "message"), BAD.values(), ids=BAD)
def test_bad_arguments_have_one_clear_error(call, error, message):
    with pytest.raises(error, match=message):
        call()
