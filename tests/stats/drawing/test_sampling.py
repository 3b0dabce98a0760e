"""Draws and weights."""

import hashlib

import numpy as np
import pytest
from scipy.stats import chisquare

from activeeval_widgets.stats import draw, importance_weights, uniform_q


def test_same_seed_same_bytes():
    q = np.array([0.1, 0.2, 0.3, 0.4])
    first = draw(q, 1000, np.random.Generator(np.random.PCG64(7)))
    second = draw(q, 1000, np.random.Generator(np.random.PCG64(7)))
    assert first.tobytes() == second.tobytes()
    digest = hashlib.sha256(first.astype("<i8").tobytes()).hexdigest()
    assert digest == DIGEST


DIGEST = "36fa780fa8362ad51148d99c09d68d8ce91d2843331a5a79895b0e78d771d393"


@pytest.mark.parametrize("pieces", [(1,) * 60, (7, 0, 53), (30, 30)])
def test_drawing_in_pieces_is_drawing_at_once(pieces):
    q = np.random.default_rng(0).dirichlet(np.ones(50))
    rng = np.random.default_rng(3)
    in_pieces = np.concatenate([draw(q, n, rng) for n in pieces])
    np.testing.assert_array_equal(in_pieces, draw(q, 60, np.random.default_rng(3)))


def test_draws_follow_q():
    q = np.array([0.05, 0.15, 0.3, 0.5])
    counts = np.bincount(draw(q, 20_000, np.random.default_rng(11)), minlength=4)
    assert chisquare(counts, 20_000 * q).pvalue > 1e-3


def test_zero_probability_is_never_drawn():
    q = np.array([0.0, 0.5, 0.0, 0.5, 0.0])
    assert set(draw(q, 5000, np.random.default_rng(0)).tolist()) == {1, 3}


def test_a_sum_of_one_only_within_rounding_draws_no_index_past_the_end():
    q = np.full(49, 1 / 49, dtype=np.float32).astype(float)

    class AlmostOne(np.random.Generator):
        def random(self, size):
            return np.full(size, np.nextafter(1, 0))

    drawn = draw(q, 3, AlmostOne(np.random.PCG64(0)))
    assert drawn.tolist() == [48, 48, 48]


def test_no_draws():
    assert draw(uniform_q(3), 0, np.random.default_rng(0)).shape == (0,)


def test_weights_are_p_over_q():
    np.testing.assert_allclose(
        importance_weights([0.5, 0.3, 0.2], [0, 2, 2]), [1 / 1.5, 1 / 0.6, 1 / 0.6], rtol=1e-15
    )
    np.testing.assert_array_equal(importance_weights(uniform_q(4), [1, 2, 3]), [1, 1, 1])


def test_weights_average_to_one_under_q():
    q = np.random.default_rng(5).dirichlet(np.ones(30))
    assert q @ importance_weights(q, np.arange(30)) == pytest.approx(1, abs=1e-14)
