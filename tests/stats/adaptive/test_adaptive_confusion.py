"""The confusion matrix behind an adaptive estimate: against its terms, its value, and the whole pool."""

import numpy as np
import pytest
from sklearn.metrics import confusion_matrix

from activeeval_widgets.stats import (
    Accuracy,
    BalancedAccuracy,
    ClassPredictions,
    CostMatrix,
    ErrorRate,
    FMeasure,
    LogLoss,
    MatthewsCorrelation,
    Recall,
    Specificity,
    adaptive_q,
    draw_without_replacement,
    estimate_adaptive,
    estimate_adaptive_confusion,
)
from activeeval_widgets.stats.adaptive.confusion_matrix import _weighted_cells
from activeeval_widgets.stats.adaptive.estimator import check_drawn
from activeeval_widgets.stats.adaptive.weighting import weigh
from activeeval_widgets.stats.measures.registry import all_measures
from activeeval_widgets.stats.measures.tables import TableMeasure
from activeeval_widgets.stats.questions.make import target_of

COSTS = CostMatrix([[0, 1, 5], [2, 0, 1], [1, 1, 0]])
MEASURES = [
    *(
        cls()
        for cls in all_measures("class")
        if issubclass(cls, TableMeasure)
        and cls.needs_model
        and not cls.is_of_systems
        and cls is not CostMatrix
    ),
    *(COSTS, FMeasure(beta=2, positive=2)),
]


def drawn(measure, seed, n_draws, m=60, k=3, excluded=0.1, concentration=0.5):
    """Draws of which each block's q is by the labels before it."""
    rng = np.random.default_rng(seed)
    model = ClassPredictions(rng.dirichlet(np.full(k, concentration), size=m))
    y_true = np.array([rng.choice(k, p=p) for p in 0.7 * model.y_proba + 0.3 / k])
    is_excluded = rng.random(m) < excluded
    draws, q_draws = [], []
    while len(draws) < n_draws:
        labeled = [i for i in draws if not is_excluded[i]]
        q = adaptive_q(measure, model, labeled, y_true[labeled], drawn=[*set(draws) - {*labeled}])
        block, q_block = draw_without_replacement(q, min(10, n_draws - len(draws)), rng)
        draws, q_draws = [*draws, *block.tolist()], [*q_draws, *q_block.tolist()]
    return model, np.array(draws), np.array(q_draws), y_true[draws], is_excluded[draws]


def answers(of_draws, excluded):
    """Draws with None as the label of those that are excluded."""
    draws, q_draws, y_true = of_draws
    return draws, q_draws, [None if gone else y for y, gone in zip(y_true, excluded, strict=True)]


def implied(measure, model, shares):
    """The measure of a pool of which these are the shares of the cells."""
    return float(measure.g(np.tensordot(shares, measure._table(model), axes=2)))


@pytest.mark.parametrize("measure", MEASURES, ids=repr)
def test_the_measure_of_the_matrix_is_the_estimate(measure):
    n_negative = 0
    for seed, n_draws in enumerate([1, 2, 3, 5, 10, 20, 40, 59, 60, 60, 50, 30]):
        model, *of_draws, excluded = drawn(measure, seed, n_draws)
        found = estimate_adaptive(measure, model, *answers(of_draws, excluded))
        matrix = estimate_adaptive_confusion(measure, model, *answers(of_draws, excluded))
        if np.isnan(matrix.shares).all():
            # One of two draws is excluded, and less than nothing seems to be left that can be labeled.
            assert np.isnan(found.value)
            assert n_draws == 2
            continue
        assert matrix.shares.sum() == pytest.approx(1, abs=1e-12)
        if isinstance(measure, MatthewsCorrelation) and found.value == -1:
            # After a few labels the formula gives less than any matrix does.
            assert n_draws < 5
        elif found.value == found.value:
            assert implied(measure, model, matrix.shares) == pytest.approx(found.value, abs=1e-10)
        n_negative += int((matrix.shares < 0).sum())
    if isinstance(measure, ErrorRate | Accuracy | FMeasure | Specificity):
        assert n_negative == 0


def test_two_classes_and_no_exclusions():
    for seed, measure in enumerate([ErrorRate(), Recall(), MatthewsCorrelation()] * 4):
        model, *of_draws, _ = drawn(measure, seed, 12, k=2, excluded=0)
        found = estimate_adaptive(measure, model, *of_draws)
        matrix = estimate_adaptive_confusion(measure, model, *of_draws)
        if found.value == found.value:
            assert implied(measure, model, matrix.shares) == pytest.approx(found.value, abs=1e-10)


@pytest.mark.parametrize("measure", [ErrorRate(), Recall(), LogLoss()], ids=repr)
def test_cells_and_their_errors_are_those_of_their_own_terms(measure):
    """Y_t of [cell] by its definition, weighted, shrunk and divided by that of "can be labeled"."""
    model, draws, q_draws, y_true, excluded = drawn(measure, 3, 25, m=40, excluded=0.2)
    found = estimate_adaptive_confusion(measure, model, *answers((draws, q_draws, y_true), excluded))
    given = check_drawn(target_of(measure, [model]), *answers((draws, q_draws, y_true), excluded))
    weighed = weigh(target_of(measure, [model]), given)
    assert 0 < weighed.kept < 1
    belief, m, n = weighed.belief.y_proba, 40, len(draws)
    everywhere = np.ones(m)
    z = {s: 0.0 if excluded[t] else 1.0 for t, s in enumerate(draws)}

    def shrunk_and_terms(expected, z):
        left = [set(range(m)) - set(draws[:t].tolist()) for t in range(n + 1)]
        terms = np.array(
            [
                sum(z[s] for s in draws[:t])
                + sum(expected[s] for s in left[t])
                + (z[draws[t]] - expected[draws[t]]) / q_draws[t]
                for t in range(n)
            ]
        )
        assisted = sum(z.values()) + sum(expected[s] for s in left[n])
        mean = weighed.weights @ terms
        return (assisted + weighed.kept * (mean - assisted)) / m, mean / m, terms / m

    share, plain_share, of_share = shrunk_and_terms(everywhere, z)
    shares = np.empty((3, 3))
    for i, j in np.ndindex(3, 3):
        expected = (model.y_pred == i) * belief[:, j]
        of_cell = {
            s: float(not excluded[t] and model.y_pred[s] == i and y_true[t] == j) for t, s in enumerate(draws)
        }
        cell, plain, terms = shrunk_and_terms(expected, of_cell)
        shares[i, j] = cell / share
        influences = (terms - plain / plain_share * of_share) / plain_share
        error = np.sqrt(n / (n - 1) * np.sum((weighed.weights * influences) ** 2))
        assert found.standard_errors[i, j] == pytest.approx(error, rel=1e-9)
        assert found.n_seen[i, j] == sum(of_cell.values())
    assert shares.min() > 0
    np.testing.assert_allclose(found.shares, shares, atol=1e-12)


def test_a_cell_below_0_is_made_up_from_cells_that_are_alike():
    n_mended = 0
    for seed in range(24):
        measure = [ErrorRate(), Recall(), BalancedAccuracy(), LogLoss()][seed % 4]
        model, *of_draws, excluded = drawn(measure, seed, 35, m=40, concentration=0.2)
        given = check_drawn(target_of(measure, [model]), *answers(of_draws, excluded))
        weighed = weigh(target_of(measure, [model]), given)
        labels = of_draws[2][~excluded]
        cells = model.pred_codes[of_draws[0][~excluded]] * 3 + labels
        raw = _weighted_cells(model, given, cells, weighed, weighed.kept)
        raw /= raw.sum()
        found = estimate_adaptive_confusion(measure, model, *answers(of_draws, excluded)).shares
        if raw.min() >= 0:
            np.testing.assert_allclose(found, raw)
            continue
        n_mended += 1
        assert found.min() >= min(0, raw.min())
        if not isinstance(measure, BalancedAccuracy):
            assert found.min() >= 0
        if not isinstance(measure, LogLoss):
            assert implied(measure, model, found) == pytest.approx(implied(measure, model, raw), abs=1e-12)
        assert found.sum() == pytest.approx(1)
    assert n_mended >= 3


def test_an_estimate_at_the_end_of_its_range_is_the_matrixs_as_well():
    """Alone, the first label of a rare error would say that less than none are wrong, or more than all."""
    n_ends = 0
    for seed in range(60):
        model, *of_draws, excluded = drawn(ErrorRate(), seed, 3, m=30, excluded=0.3, concentration=0.1)
        if excluded.all():
            continue
        value = estimate_adaptive(ErrorRate(), model, *answers(of_draws, excluded)).value
        shares = estimate_adaptive_confusion(ErrorRate(), model, *answers(of_draws, excluded)).shares
        assert shares.min() >= 0
        assert 1 - np.trace(shares) == pytest.approx(value, abs=1e-12)
        n_ends += value in (0, 1)
    assert n_ends >= 1


def test_the_whole_pool_gives_its_own_matrix():
    model, draws, q_draws, y_true, excluded = drawn(ErrorRate(), 0, 60)
    found = estimate_adaptive_confusion(ErrorRate(), model, *answers((draws, q_draws, y_true), excluded))
    counts = confusion_matrix(y_true[~excluded], model.y_pred[draws][~excluded]).T
    np.testing.assert_array_equal(found.n_seen, counts)
    np.testing.assert_allclose(found.shares, counts / counts.sum(), rtol=1e-15)
    assert not found.standard_errors.any()


def test_standard_errors_are_the_spread_over_many_draws():
    """Uniform draws, so that what is expected of every cell is soon the truth's."""
    rng = np.random.default_rng(5)
    model = ClassPredictions(rng.dirichlet([0.5, 0.5], size=100))
    y_true = (rng.random(100) < model.y_proba[:, 1]).astype(int)
    truth = confusion_matrix(y_true, model.y_pred).T / 100
    deviations, squares = [], []
    for _ in range(150):
        draws = rng.permutation(100)[:50]
        q_draws = 1 / (100 - np.arange(50))
        given = check_drawn(target_of(ErrorRate(), [model]), draws, q_draws, y_true[draws])
        weighed = weigh(target_of(ErrorRate(), [model]), given)
        cells = model.pred_codes[draws] * 2 + y_true[draws]
        plain = _weighted_cells(model, given, cells, weighed, 1.0)
        found = estimate_adaptive_confusion(ErrorRate(), model, draws, q_draws, y_true[draws])
        deviations.append(plain / plain.sum() - truth)
        squares.append(found.standard_errors**2)
    ratio = np.mean(squares, axis=0) / np.mean(np.square(deviations), axis=0)
    assert (ratio > 0.7).all(), ratio
    assert (ratio < 1.4).all(), ratio


def test_many_classes():
    rng = np.random.default_rng(0)
    k, m, n = 300, 3000, 500
    model = ClassPredictions(rng.dirichlet(np.full(k, 0.1), size=m))
    draws = rng.permutation(m)[:n]
    y_true = np.where(rng.random(n) < 0.7, model.pred_codes[draws], rng.integers(k, size=n))
    q_draws = 1 / (m - np.arange(n))
    for measure in (ErrorRate(), MatthewsCorrelation()):
        found = estimate_adaptive_confusion(measure, model, draws, q_draws, y_true)
        value = estimate_adaptive(measure, model, draws, q_draws, y_true).value
        if isinstance(measure, ErrorRate):
            assert 1 - np.trace(found.shares) == pytest.approx(value, abs=1e-10)


def test_without_labels_nothing_is_known():
    model = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]])
    for draws, excluded in (([], []), ([1], [True])):
        found = estimate_adaptive_confusion(
            ErrorRate(), model, *answers((draws, [0.5] * len(draws), [0] * len(draws)), excluded)
        )
        assert np.isnan(found.shares).all()
        assert np.isnan(found.standard_errors).all()
        assert not found.n_seen.any()


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (("error", [0], [0.5], [0]), TypeError, "measure must be one for classes"),
        ((ErrorRate(), [0, 0], [0.5, 0.5], [0, 0]), ValueError, "draws"),
        ((ErrorRate(), [0], [0.0], [0]), ValueError, r"q_draws\[0\] is 0.0, expected a probability"),
        ((ErrorRate(), [0], [0.5], []), ValueError, "y_true must hold one label for each of 1 draws, got 0"),
        ((ErrorRate(), [0], [0.5], [7]), ValueError, r"y_true\[0\] is 7"),
    ],
)
def test_bad_input(arguments, error, message):
    measure, *others = arguments
    with pytest.raises(error, match=message):
        estimate_adaptive_confusion(measure, ClassPredictions([[0.9, 0.1], [0.4, 0.6]]), *others)
