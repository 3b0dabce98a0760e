"""Arithmetic that shares nothing with the package: loops over instances, labels and whole samples."""

import itertools
from collections.abc import Callable, Sequence

import numpy as np
import pytest


def _complex_step_gradient(g: Callable, mean: np.ndarray) -> np.ndarray:
    """∇g without differences: Im g(x + ih) / h has no rounding error to speak of."""
    gradient = np.empty(mean.size)
    for k in range(mean.size):
        stepped = mean.astype(complex)
        stepped[k] += 1e-30j
        gradient[k] = np.imag(g(stepped)) / 1e-30
    return gradient


def _brute_force_q(
    outcomes: Sequence[Sequence[tuple[float, Sequence[np.ndarray]]]], g: Callable, costs=None
) -> np.ndarray:
    """q* of one model, or of all pairs of several.

    `outcomes` lists, for every instance, (probability, [z of each model]) of every label.
    """
    n_instances = len(outcomes)
    n_models = len(outcomes[0][0][1])
    means = [
        sum(probability * np.asarray(z[k], float) for labels in outcomes for probability, z in labels)
        / n_instances
        for k in range(n_models)
    ]
    gradients = [_complex_step_gradient(g, mean) for mean in means]
    cost = np.ones(n_instances) if costs is None else np.asarray(costs, float)

    def optimal(signs: dict[int, float]) -> np.ndarray:
        unnormalized = []
        for i, labels in enumerate(outcomes):
            second = 0.0
            for probability, z in labels:
                psi = sum(
                    sign * gradients[k] @ (np.asarray(z[k], float) - means[k]) for k, sign in signs.items()
                )
                second += probability * psi**2
            unnormalized.append(np.sqrt(second / cost[i]))
        total = np.sum(unnormalized)
        return np.array(unnormalized) / total if total > 1e-13 else cost**-0.5 / np.sum(cost**-0.5)

    if n_models == 1:
        return optimal({0: 1.0})
    pairs = list(itertools.combinations(range(n_models), 2))
    return np.mean([optimal({a: 1.0, b: -1.0}) for a, b in pairs], axis=0)


@pytest.fixture(scope="session")
def brute_force_q() -> Callable:
    return _brute_force_q


@pytest.fixture(scope="session")
def random_proba() -> Callable:
    """Random class probabilities, some of them exactly 0 or 1."""

    def make(rng: np.random.Generator, n_instances: int, n_classes: int, certain: float = 0.2) -> np.ndarray:
        proba = rng.dirichlet(np.full(n_classes, 0.7), n_instances)
        sure = rng.random(n_instances) < certain
        proba[sure] = np.eye(n_classes)[rng.integers(n_classes, size=sure.sum())]
        return proba

    return make
