"""The pieces that bands of adaptive draws are made of, each held against its formula."""

from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest

from activeeval_widgets.stats import AdaptiveConfidenceSequence, ClassPredictions, ErrorRate
from activeeval_widgets.stats.adaptive._share_band import _is_uniform
from activeeval_widgets.stats.adaptive._streams import _GREATEST_WEIGHT, Streams, possible_ratios
from activeeval_widgets.stats.adaptive.estimator import check_q_draws
from activeeval_widgets.stats.measures.thresholds import BestF
from activeeval_widgets.stats.questions.make import target_of


def test_ratios_that_the_rest_can_still_give():
    """Against all labels of the rest, where the best one of a group depends on what others give."""
    rng = np.random.default_rng(0)
    for _ in range(20):
        den = rng.uniform(0.2, 3.0, (3, 2))
        outcomes = np.stack([den * rng.random((3, 2)), den], axis=2)
        counts, known = np.array([1, 2, 2]), np.array([0.3, 1.0])
        ratios = []
        for which in product([0, 1], repeat=5):
            num, total = known + outcomes[np.repeat(np.arange(3), counts), which].sum(axis=0)
            ratios.append(num / total)
        assert possible_ratios(known, counts, outcomes) == pytest.approx(
            (min(ratios), max(ratios)), abs=1e-14
        )


@pytest.mark.parametrize(
    ("variance", "expected"),
    [(0.02, 0.8 * 0.5), (0.01, 0.8), (1e-9, 0.8 * _GREATEST_WEIGHT), (-1e-18, 0.8 * _GREATEST_WEIGHT)],
)
def test_a_draw_weighs_by_the_variance_that_is_left_up_to_a_limit(variance, expected):
    streams = SimpleNamespace(_first_variance=0.01, _trust=0.8, variance=variance)
    assert Streams.weight.fget(streams) == pytest.approx(expected)


def test_the_same_numbers_as_q_and_as_a_bound_of_q_are_two_distributions():
    """As if the bound were other numbers, which are prepared for anew."""
    rng = np.random.default_rng(0)
    q, model = rng.dirichlet(np.full(20, 5.0)), ClassPredictions(rng.dirichlet([1, 1], 20))
    found = []
    for bound in (q, q * (1 - 1e-13)):
        sequence = AdaptiveConfidenceSequence(ErrorRate(), model)
        sequence.update(0, q, 0)
        for draw in range(1, 12):
            sequence.update(draw, bound, int(draw % 3 == 0), probability=0.2)
        found.append((sequence.low, sequence.high))
    assert found[0] == pytest.approx(found[1], abs=1e-9)


def test_the_variance_of_the_next_term():
    """(Σ s²/q − Σ s²)/m² over what is left, q made to sum to 1 there."""
    streams = SimpleNamespace(mass=0.7, _per_draw_left=30.0, _square_left=4.0, _n_instances=10)
    assert Streams.variance.fget(streams) == pytest.approx((0.7 * 30 - 4) / 100)


def test_draws_are_uniform_but_for_rounding():
    def is_uniform(q, rest=(1, 1, 1), is_bound=False):
        return _is_uniform(SimpleNamespace(q=np.array(q), rest=np.array(rest), is_bound=is_bound))

    assert is_uniform([1 / 3, 1 / 3 + 1e-15, 1 / 3])
    assert is_uniform([1e-9, 1e-9 * (1 + 1e-12), 1e-9])
    assert is_uniform([0.5, 0.5, 0.0], rest=(1, 1, 0))
    assert not is_uniform([1 / 3, 1 / 3 + 1e-6, 1 / 3])
    assert not is_uniform([1e-9, 1.001e-9, 1e-9])
    assert not is_uniform([0.5, 0.5, 0.0], rest=(1, 1, 1))
    assert not is_uniform([1 / 3, 1 / 3, 1 / 3], is_bound=True)


def test_probabilities_may_be_beyond_one_by_rounding_alone():
    assert check_q_draws([1 + 1e-12, 0.5], 2).tolist() == [1.0, 0.5]
    assert check_q_draws([0.0], 1, may_be_zero=True).tolist() == [0.0]
    for wrong in (1 + 1e-6, 2.0, 0.0, -0.1):
        with pytest.raises(
            ValueError, match=r"q_draws\[1\] is .*, expected a probability above 0, at most 1"
        ):
            check_q_draws([1.0, wrong], 2)
    with pytest.raises(ValueError, match="from 0 to 1"):
        check_q_draws([-1e-12], 1, may_be_zero=True)


def test_a_threshold_that_may_be_the_best_is_not_settled():
    lows, highs = np.array([0.2, 0.5, 0.3, 0.1]), np.array([0.49, 0.5, 0.5, 0.9])
    composition = BestF().composition(ClassPredictions([[0.6, 0.4], [0.3, 0.7]]))
    assert composition.settled(lows, highs).tolist() == [True, False, False, False]


def test_where_q_is_only_bounded_what_is_left_of_it_follows_from_the_draws_own_probabilities():
    """Each draw leaves the share 1 − probability; bounds of later terms are in proportion to it."""
    streams = Streams(target_of(ErrorRate(), [ClassPredictions([[0.6, 0.4]] * 4)]))
    bound, left = np.full(4, 0.1), 1.0
    for draw, probability in enumerate((0.4, 0.25, 0.5)):
        streams.prepare(bound, probability)
        assert streams.mass == pytest.approx(left, rel=1e-12)
        assert streams.probability(draw) == probability
        streams.add(draw, np.array([float(draw % 2), 1.0]), draw % 2)
        left *= 1 - probability
    assert streams.mass == pytest.approx(left, rel=1e-12)
