"""The model on trial: bets by enumeration, validity while watched, power, bad input."""

import itertools

import numpy as np
import pytest
from scipy.special import expit
from scipy.stats import binom, norm

from activeeval_widgets.stats import (
    ClassPredictions,
    ErrorRate,
    ModelTrial,
    RankingPredictions,
    ValuePredictions,
    draw,
    optimal_q,
    uniform_q,
)
from activeeval_widgets.stats.predictions.trial_bets import _SCALES, _SHARES, MIN_PROMISE, tilted_bets

CLASSES = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.25, 0.75]])
VALUES = ValuePredictions([1.0, 2.0, 4.0], variance=[0.5, 0.1, 2.0])
PROBA = {item: [0.2, 0.5, 0.3] for item in "abc"}
RANKINGS = RankingPredictions(["ab", "c", "cab"], [PROBA] * 3, grades=[0, 1, 2])


@pytest.mark.parametrize("promised", [0.0, 1e-5, MIN_PROMISE, 0.02, 0.3, 0.5, 0.8, 0.9995, 1.0])
def test_no_bet_gains_on_average_where_the_promise_holds(promised):
    """Exactly fair at the promise; a loss for fewer errors (for the other side, for more)."""
    right, wrong = ([np.exp(each) for each in tilted_bets(promised, outcome)] for outcome in (0.0, 1.0))
    for probability in np.linspace(0, 1, 21):
        over, under = (probability * w + (1 - probability) * r for w, r in zip(wrong, right, strict=True))
        if probability <= promised:
            assert (over <= 1 + 1e-12).all()
        if probability >= promised:
            assert (under <= 1 + 1e-12).all()
    # Nothing is bet on fewer errors than hardly any, nor on more than hardly anything else.
    for bet, can_bet in ((over, promised < 1 - MIN_PROMISE), (under, promised > MIN_PROMISE)):
        assert can_bet or (bet == 1).all()
    if MIN_PROMISE < promised < 1 - MIN_PROMISE:
        for w, r in zip(wrong, right, strict=True):
            np.testing.assert_allclose(promised * w + (1 - promised) * r, 1, rtol=1e-12)
        # And they do bet.
        assert (wrong[0] >= 1 - 1e-12).all()
        assert wrong[0].max() > 1.1


def test_over_all_labels_the_mean_evalue_is_one():
    """Three instances, all labels, in an order that depends on what was seen: adaptive draws."""
    model = ClassPredictions(np.array([[0.9, 0.1], [0.4, 0.6], [0.25, 0.75]]))
    errors = 1 - model.confidence
    mean = 0.0
    for y in itertools.product([0, 1], repeat=3):
        probability = np.prod([model.y_proba[i, y[i]] for i in range(3)])
        trial = ModelTrial(model)
        trial.update(0, y[0])
        for i in (1, 2) if y[0] else (2, 1):
            trial.update(i, y[i])
        wrong = np.array(y) != model.y_pred
        assert (trial.n_observed, trial.n_labels) == (wrong.sum(), 3)
        assert trial.n_expected == pytest.approx(errors.sum())
        mean += probability * trial.evalue
    assert mean == pytest.approx(1, abs=1e-12)


def test_squared_residuals_ask_for_no_gaussian():
    """Any law with mean squared residual 1: two points, one of them far away."""
    for far in (1.5, 10.0, 1000.0):
        chance = 1 / far
        far_off, exact = ModelTrial(VALUES), ModelTrial(VALUES)
        far_off.update(0, 1.0 + np.sqrt(far * 0.5))
        exact.update(0, 1.0)
        assert chance * far_off.evalue + (1 - chance) * exact.evalue == pytest.approx(1)
        assert far_off.n_observed == pytest.approx(far)
        assert far_off.n_expected == 1


def test_overstated_variances_are_bet_on_by_ratios_of_gaussian_densities():
    for y in (1.0, 1.3, 2.5):
        trial = ModelTrial(VALUES)
        trial.update(0, y)
        ratios = [
            norm.pdf(y, 1.0, np.sqrt(share * 0.5)) / norm.pdf(y, 1.0, np.sqrt(0.5)) for share in _SCALES
        ]
        assert trial.evalue_under == pytest.approx(np.mean(ratios), rel=1e-12)


def test_a_variance_that_is_too_small_counts_as_a_thousandth_of_the_mean():
    trial = ModelTrial(ValuePredictions([0.0, 0.0], variance=[1e-9, 2.0]))
    trial.update(0, 0.1)
    mean_variance = (2 + 1e-9) / 2
    assert (trial.n_clipped, trial.n_expected) == (1, 1.0)
    assert trial.n_observed == pytest.approx(0.01 / (1e-3 * mean_variance), rel=1e-12)
    assert trial.evalue == pytest.approx(1 + np.mean(_SHARES) * (trial.n_observed - 1), rel=1e-12)


def test_grades_are_held_against_their_promised_means():
    trial = ModelTrial(RANKINGS)
    assert trial.kind == "grades"
    trial.update(2, {"a": 0, "b": 1, "c": None})
    assert (trial.n_observed, trial.n_labels) == (1.0, 1)
    assert trial.n_expected == pytest.approx(2 * 1.1)
    assert trial.evalue > 1
    # In ranked order; nothing that could be judged counts for nothing.
    trial.update(0, [2, 2])
    trial.update(1, {"c": None})
    assert (trial.n_observed, trial.n_labels) == (5.0, 2)
    assert trial.n_expected == pytest.approx(4 * 1.1)


def simulate(kind, rng):
    """A model whose promises hold, and labels of its whole pool."""
    n = 80
    if kind == "errors":
        p = rng.beta(0.3, 1.5, n)
        return ClassPredictions(np.column_stack([1 - p, p])), (rng.random(n) < p).astype(int)
    if kind == "squared_residuals":
        mean, variance = rng.normal(size=n), rng.gamma(2, size=n)
        return ValuePredictions(mean, variance), rng.normal(mean, np.sqrt(variance))
    relevance = rng.dirichlet([1, 1, 1], (n, 3))
    labels = [{i: int(rng.choice(3, p=relevance[q, i])) for i in range(3)} for q in range(n)]
    return RankingPredictions([range(3)] * n, relevance, grades=[0, 1, 2]), labels


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["errors", "squared_residuals", "grades"])
def test_watched_at_every_label_it_convicts_few_who_keep_their_promise(kind):
    rng = np.random.default_rng(5)
    n_sessions, level = 80, 0.5
    convicted = 0
    for _ in range(n_sessions):
        model, y_true = simulate(kind, rng)
        trial = ModelTrial(model)
        order = rng.permutation(model.n_instances)
        trial.extend(order, [y_true[i] for i in order])
        assert trial.kind == kind
        # The running p-values hold what was ever seen.
        convicted += trial.verdict(level) is not None
    assert convicted <= binom.isf(1e-3, n_sessions, 1 - level)


@pytest.mark.slow
@pytest.mark.parametrize("design", ["passive", "active"])
def test_an_over_confident_model_is_found(digits, design):
    """Probabilities to the 8th power promise 1.8 % errors; there are 9.8 %."""
    proba, y_true = digits[0].y_proba, digits[1]
    model = ClassPredictions(proba**8 / (proba**8).sum(axis=1, keepdims=True))
    q = uniform_q(len(y_true)) if design == "passive" else optimal_q(ErrorRate(), model, defensive=0.1)
    rng = np.random.default_rng(6)
    found = []
    for _ in range(60):
        trial = ModelTrial(model)
        n_labels = np.inf
        for i in draw(q, 120, rng):
            trial.update(int(i), y_true[i])
            if trial.verdict() == "over_confident":
                n_labels = trial.n_labels
                assert trial.n_observed > trial.n_expected
                assert trial.pvalue <= 0.04
                break
        found.append(n_labels)
    assert np.median(found) <= (30 if design == "passive" else 20)
    assert np.mean(np.array(found) <= 40) >= 0.7


def test_an_under_confident_model_is_found(digits):
    proba, y_true = digits[0].y_proba, digits[1]
    trial = ModelTrial(ClassPredictions(proba))
    assert trial.verdict() is None
    order = np.random.default_rng(7).permutation(len(y_true))[:200]
    trial.extend(order, y_true[order])
    assert trial.verdict() == "under_confident"
    assert trial.evalue_under > 1 > trial.evalue


@pytest.mark.parametrize(("scale", "verdict"), [(4.0, "over_confident"), (0.3, "under_confident")])
def test_variances_are_put_on_trial(scale, verdict):
    rng = np.random.default_rng(8)
    mean = rng.normal(size=60)
    trial = ModelTrial(ValuePredictions(mean, np.ones(60)))
    trial.extend(np.arange(60), rng.normal(mean, np.sqrt(scale)))
    assert trial.verdict() == verdict


def test_grades_below_and_above_what_was_promised_are_found():
    n = 60
    model = RankingPredictions([range(4)] * n, [np.full((4, 3), 1 / 3)] * n, grades=[0, 1, 2])
    rng = np.random.default_rng(9)
    for chances, verdict in (([0.7, 0.2, 0.1], "over_confident"), ([0.1, 0.2, 0.7], "under_confident")):
        trial = ModelTrial(model)
        trial.extend(np.arange(n), rng.choice(3, p=chances, size=(n, 4)).tolist())
        assert trial.verdict() == verdict


def test_a_probability_of_zero_is_not_believed_and_that_is_stated():
    trial = ModelTrial(ClassPredictions([[1.0, 0.0], [0.0, 1.0], [0.3, 0.7]]))
    assert np.isfinite(trial.update(0, 1))
    assert (trial.n_clipped, trial.n_expected, trial.n_observed) == (1, 0.0, 1.0)
    assert 1 < trial.evalue <= 1 / MIN_PROMISE
    trial.update(2, 1)
    assert (trial.n_clipped, trial.n_labels) == (1, 2)
    for values in (ValuePredictions([1.0, 2.0], [0.0, 0.0]), ValuePredictions([1.0, 1.0], [0.0, 0.0])):
        trial = ModelTrial(values)
        assert trial.update(0, values.mean[0]) < 1
        assert np.isfinite(trial.update(1, 1e6))
        assert trial.n_clipped == 2
        assert trial.evalue_under == 1


def test_repeats_and_what_cannot_be_labeled_change_nothing():
    plain, repeated = ModelTrial(CLASSES), ModelTrial(CLASSES)
    plain.extend([0, 2, 1], [1, 0, 1])
    evalues = repeated.extend([0, 0, 1, 2, 0, 1], [1, 0, None, 0, 1, 1])
    assert evalues.shape == (6,)
    assert evalues[0] == evalues[1] == evalues[2]
    assert repeated.evalue == plain.evalue == evalues[-1]
    assert (repeated.n_labels, repeated.pvalue) == (3, plain.pvalue)
    fresh = ModelTrial(CLASSES)
    assert (repeated.restart().evalue, repeated.pvalue, repeated.n_labels) == (1.0, 1.0, 0)
    assert repeated.update(0, 1) == fresh.update(0, 1)


def test_what_cannot_be_labeled_is_no_label_of_any_kind():
    for model in (CLASSES, VALUES, RANKINGS):
        trial = ModelTrial(model)
        assert trial.extend([0, 1, 2], [None] * 3).tolist() == [1.0] * 3
        assert (trial.evalue_under, trial.n_expected, trial.n_observed) == (1.0, 0.0, 0.0)
        assert (trial.n_labels, trial.n_clipped, trial.pvalue_of_both) == (0, 0, 1.0)


@pytest.mark.parametrize(
    ("label", "verdict", "share"), [(1, "over_confident", 0.8), (0, "under_confident", 0.2)]
)
def test_both_verdicts_together_have_the_stated_probability(label, verdict, share):
    """Ville's bound for each, at four fifths and one fifth of α: the p-value is 1/(share × e-value)."""
    trial = ModelTrial(ClassPredictions(np.tile([0.6, 0.4], (12, 1))))
    trial.extend(range(12), [label] * 12)
    evalue = trial.evalue if label else trial.evalue_under
    alpha = 1 / (share * evalue)
    assert alpha < 0.5
    assert trial.pvalue_of_both == pytest.approx(alpha, rel=1e-12)
    assert trial.verdict(1 - 1.001 * alpha) == verdict
    assert trial.verdict(1 - 0.999 * alpha) is None


def test_a_tilt_is_what_it_says():
    """Odds of 0.2 doubled, by hand."""
    over, _ = tilted_bets(0.2, 1.0)
    assert np.exp(over[0]) == pytest.approx(expit(np.log(2 * 0.25)) / 0.2)


@pytest.mark.parametrize(
    ("draws", "y_true", "error", "message"),
    [
        ([3], [0], ValueError, r"draws\[0\] is 3, expected an index from 0 to 2"),
        ([0, 1], [0], ValueError, "y_true must hold one label for each of 2 draws, got 1"),
        ([0, 1], [0, 7], ValueError, "y_true.*7.*expected one of the classes"),
    ],
)
def test_bad_labels_leave_the_trial_as_it_was(draws, y_true, error, message):
    trial = ModelTrial(CLASSES)
    with pytest.raises(error, match=message):
        trial.extend(draws, y_true)
    assert (trial.n_labels, trial.evalue) == (0, 1.0)


def test_bad_grades_leave_the_trial_as_it_was():
    trial = ModelTrial(RANKINGS)
    with pytest.raises(ValueError, match="query 1 has the grade 3, expected one of"):
        trial.extend([0, 1], [{"a": 1, "b": 1}, {"c": 3}])
    with pytest.raises(ValueError, match="label of query 0 is 5, expected a mapping"):
        trial.update(0, 5)
    with pytest.raises(ValueError, match=r"label of query 0 is \[1\], expected a mapping .* or 2 grades"):
        trial.update(0, [1])
    assert trial.n_labels == 0


def test_models_that_promise_nothing_are_refused():
    with pytest.raises(ValueError, match="values without variances promise nothing"):
        ModelTrial(ValuePredictions([1.0, 2.0]))
    with pytest.raises(TypeError, match=r"predictions must be .* of one model, got"):
        ModelTrial([CLASSES, CLASSES])
    with pytest.raises(ValueError, match="confidence_level must be"):
        ModelTrial(CLASSES).verdict(1.0)
