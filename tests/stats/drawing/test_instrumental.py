"""q* against the enumeration of every label, and against the closed form of the papers."""

import numpy as np
import pytest

from activeeval_widgets.stats import Accuracy, ClassPredictions, ErrorRate, optimal_q, uniform_q


def zero_one_outcomes(belief, predicted):
    n_instances, n_classes = belief.shape
    return [
        [(belief[i, y], [[float(f[i] != y)] for f in predicted]) for y in range(n_classes)]
        for i in range(n_instances)
    ]


@pytest.mark.parametrize("seed", range(40))
def test_zero_one_q_equals_enumeration(seed, brute_force_q, random_proba):
    rng = np.random.default_rng(seed)
    n_instances, n_classes = rng.integers(2, 8), rng.integers(2, 5)
    proba = random_proba(rng, n_instances, n_classes)
    y_pred = rng.integers(n_classes, size=n_instances) if seed % 2 else proba.argmax(axis=1)
    costs = rng.uniform(0.1, 10, n_instances) if seed % 3 == 0 else None
    expected = brute_force_q(zero_one_outcomes(proba, [y_pred]), lambda m: m[0], costs)
    predictions = ClassPredictions(proba, y_pred=y_pred)
    np.testing.assert_allclose(optimal_q(ErrorRate(), predictions, costs=costs), expected, rtol=0, atol=1e-12)
    np.testing.assert_allclose(optimal_q(Accuracy(), predictions, costs=costs), expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("n_models", [2, 3, 4])
@pytest.mark.parametrize("seed", range(10))
def test_zero_one_comparison_q_equals_enumeration(seed, n_models, brute_force_q, random_proba):
    rng = np.random.default_rng(seed)
    n_instances, n_classes = rng.integers(2, 8), rng.integers(2, 5)
    probas = [random_proba(rng, n_instances, n_classes) for _ in range(n_models)]
    models = [ClassPredictions(proba) for proba in probas]
    outcomes = zero_one_outcomes(np.mean(probas, axis=0), [proba.argmax(axis=1) for proba in probas])
    expected = brute_force_q(outcomes, lambda m: m[0])
    np.testing.assert_allclose(optimal_q(ErrorRate(), models), expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("seed", range(10))
def test_zero_one_q_equals_the_closed_form(seed, random_proba):
    """T, eq. 4.14."""
    rng = np.random.default_rng(seed)
    predictions = ClassPredictions(random_proba(rng, 50, 3))
    confidence = predictions.y_proba.max(axis=1)
    risk = np.mean(1 - confidence)
    scale = np.sqrt((1 - 2 * risk) * (1 - confidence) + risk**2)
    np.testing.assert_allclose(optimal_q(ErrorRate(), predictions), scale / scale.sum(), rtol=0, atol=1e-13)


def test_q_is_uniform_when_half_of_the_labels_are_expected_wrong():
    proba = np.array([[1.0, 0.0], [0.5, 0.5], [0.7, 0.3], [0.2, 0.8]])
    wrong = np.array([1, 0, 1, 0])  # expected losses 1, ½, 0.7, 0.8 ...
    predictions = ClassPredictions(np.vstack([proba, proba]), y_pred=np.concatenate([wrong, 1 - wrong]))
    np.testing.assert_allclose(optimal_q(ErrorRate(), predictions), np.full(8, 1 / 8), rtol=0, atol=1e-15)


def test_q_is_uniform_when_the_model_is_certain_of_everything():
    predictions = ClassPredictions(np.eye(3))
    np.testing.assert_array_equal(optimal_q(ErrorRate(), predictions), np.full(3, 1 / 3))


def test_q_follows_the_costs_when_the_model_is_certain_of_everything():
    q = optimal_q(ErrorRate(), ClassPredictions(np.eye(2)), costs=[1.0, 4.0])
    np.testing.assert_allclose(q, [2 / 3, 1 / 3], rtol=1e-15)


def test_a_certain_instance_is_still_drawn_while_others_are_uncertain():
    """T, 4.14 with p(f(x)|x) = 1: sqrt(Ř²) = Ř."""
    q = optimal_q(ErrorRate(), ClassPredictions([[1.0, 0.0], [0.5, 0.5]]))
    scale = np.array([0.25, np.sqrt(0.5 * 0.5 + 0.25**2)])
    np.testing.assert_allclose(q, scale / scale.sum(), rtol=1e-14)


def test_the_defensive_share_bounds_the_weights(random_proba):
    predictions = ClassPredictions(random_proba(np.random.default_rng(0), 30, 2))
    q = optimal_q(ErrorRate(), predictions, defensive=0.25)
    expected = 0.75 * optimal_q(ErrorRate(), predictions) + 0.25 / 30
    np.testing.assert_allclose(q, expected, rtol=1e-14)
    assert (1 / (30 * q)).max() <= 4
    np.testing.assert_array_equal(optimal_q(ErrorRate(), predictions, defensive=1), uniform_q(30))


def test_uniform_q():
    np.testing.assert_array_equal(uniform_q(4), [0.25] * 4)
