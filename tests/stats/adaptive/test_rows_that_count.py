"""Rows that stand for several instances give the same numbers as a pool in which each is repeated."""

import numpy as np
import pytest

from activeeval_widgets.stats import (
    AdaptiveConfidenceSequence,
    ClassPredictions,
    ErrorRate,
    SquaredError,
    ValuePredictions,
    adaptive_q,
    estimate_adaptive,
    estimate_adaptive_confusion,
)
from activeeval_widgets.stats.adaptive.form_of_q import Coefficients
from activeeval_widgets.stats.adaptive.weighting import _are_seldom, _left_per_draw
from activeeval_widgets.stats.measures.registry import all_measures
from activeeval_widgets.stats.predictions.base import as_models

K = 7
COUNTS = np.array([1, 3, 2, 1, 4, 2, 3])
ROW_OF = np.repeat(np.arange(K), COUNTS)
M = ROW_OF.size
EVERY = [
    example
    for cls in all_measures()
    if cls.predictions_kind != "ranking" and not cls.needs_whole_pool
    for example in cls.examples()
]
# The labels themselves are the same for two models.
of_one_and_two = pytest.mark.parametrize(
    ("measure", "n_models"),
    [(measure, n) for n in (1, 2) for measure in EVERY if n == 1 or measure.needs_model],
    ids=repr,
)


def _models(measure, n_models):
    rng = np.random.default_rng(3)
    if measure.predictions_kind == "class":
        rows = [ClassPredictions(rng.dirichlet(np.ones(3), K)) for _ in range(n_models)]
    else:
        rows = [ValuePredictions(rng.normal(size=K), rng.uniform(0.2, 1, K)) for _ in range(n_models)]
    return [row.with_counts(COUNTS) for row in rows], [row.of_instances(ROW_OF) for row in rows]


def _labels(models, rng):
    first, *others = models
    return first.belief(others).sample(np.arange(M), rng, (-6.0, 6.0))


def _drawn(measure, models, rng, n_draws):
    """Draws of instances, each with its probability; some can't be labeled."""
    draws = rng.permutation(M)[:n_draws]
    left = M - np.arange(n_draws)
    labels = _labels(models, rng)
    given = [None if at % 5 == 3 else labels[i] for at, i in enumerate(draws)]
    return draws, rng.uniform(0.5, 1.0, n_draws) / left, given


@of_one_and_two
def test_means_are_over_instances(measure, n_models):
    rows, instances = _models(measure, n_models)
    for row, instance in zip(rows, instances, strict=True):
        assert (row.size, instance.size) == (M, M)
        by_row = measure.introspective_mean(row, rows[0].belief(rows[1:]))
        assert by_row == pytest.approx(
            measure.introspective_mean(instance, instances[0].belief(instances[1:])), abs=1e-12
        )


@of_one_and_two
def test_q_is_that_of_each_instance(measure, n_models):
    rows, instances = _models(measure, n_models)
    gone = np.array([1, 2, 3, 4, 9, 10])  # all of the second row among them
    expected = adaptive_q(measure, instances, drawn=gone, defensive=0.2)
    found = adaptive_q(measure, rows, drawn=ROW_OF[gone], defensive=0.2)
    kept = np.setdiff1d(np.arange(M), gone)
    assert found[ROW_OF[kept]] == pytest.approx(expected[kept], rel=1e-9)
    assert found[1] == 0
    assert found @ rows[0].left(ROW_OF[gone]) == pytest.approx(1)


def test_the_mixture_of_pairs_is_over_instances():
    rows, instances = _models(ErrorRate(), 3)
    gone = np.array([1, 2, 9, 10, 11])  # of three rows, none of which is used up
    kept, pairs = np.setdiff1d(np.arange(M), gone), [(0, 1), (0, 2)]
    expected = adaptive_q(ErrorRate(), instances, drawn=gone, pairs=pairs)
    found = adaptive_q(ErrorRate(), rows, drawn=ROW_OF[gone], pairs=pairs)
    assert found[ROW_OF[kept]] == pytest.approx(expected[kept], rel=1e-9)


@of_one_and_two
@pytest.mark.parametrize("n_draws", [2, 11, M])
def test_an_estimate_is_the_same(measure, n_models, n_draws):
    rows, instances = _models(measure, n_models)
    draws, q_draws, labels = _drawn(measure, instances, np.random.default_rng(n_draws), n_draws)
    own = [model.of_instances(draws) for model in instances]
    expected = estimate_adaptive(measure, instances, draws, q_draws, labels)
    found = estimate_adaptive(measure, rows, ROW_OF[draws], q_draws, labels, own=own)
    for name in ("value", "standard_error", "low", "high", "effective_sample_size"):
        assert getattr(found, name) == pytest.approx(getattr(expected, name), rel=1e-7, abs=1e-9, nan_ok=True)


@of_one_and_two
def test_a_watched_interval_is_the_same(measure, n_models):
    rows, instances = _models(measure, n_models)
    y_range = (-6.0, 6.0) if measure.predictions_kind == "value" else None
    rng = np.random.default_rng(8)
    draws, _, labels = _drawn(measure, instances, rng, M)
    of_instances = AdaptiveConfidenceSequence(measure, instances, y_range=y_range)
    of_rows = AdaptiveConfidenceSequence(measure, rows, y_range=y_range)
    assert (of_rows.low, of_rows.high) == pytest.approx((of_instances.low, of_instances.high))
    for at, (draw, label) in enumerate(zip(draws, labels, strict=True)):
        if at % 4 == 0:
            q = rng.uniform(0.5, 1, K)
            of_each = q[ROW_OF] / q[ROW_OF].sum()
        own = [model.of_instances(draws[at : at + 1]) for model in instances]
        expected = of_instances.update(draw, of_each, label)
        copied = of_rows.copy() if at % 4 == 1 else None
        found = of_rows.update(ROW_OF[draw], q, label, own=own)
        assert copied is None or copied.update(ROW_OF[draw], q, label, own=own) == found
        assert found == pytest.approx(expected, rel=1e-7, abs=1e-9)
        assert of_rows.pvalue == pytest.approx(of_instances.pvalue, rel=1e-6, nan_ok=True)
    with pytest.raises(ValueError, match="drawn before"):
        of_rows.update(0, q, labels[0])


def test_a_confusion_matrix_is_the_same():
    rows, instances = _models(ErrorRate(), 1)
    draws, q_draws, labels = _drawn(ErrorRate(), instances, np.random.default_rng(1), 9)
    expected = estimate_adaptive_confusion(ErrorRate(), *instances, draws, q_draws, labels)
    found = estimate_adaptive_confusion(ErrorRate(), *rows, ROW_OF[draws], q_draws, labels)
    assert found.shares == pytest.approx(expected.shares)
    assert found.standard_errors == pytest.approx(expected.standard_errors)


def test_statistics_are_those_of_the_instance_that_was_drawn():
    """Not of its row: the known part of an estimate is exact."""
    rows = ValuePredictions([0.0, 2.0]).with_counts([2, 2])
    own = ValuePredictions([-0.5, 0.5, 1.5, 2.5])
    found = estimate_adaptive(
        SquaredError(), rows, [0, 0, 1, 1], [0.25, 1 / 3, 0.5, 1.0], [0.0, 0.0, 2.0, 3.0], own=own
    )
    assert found.value == pytest.approx(0.25)


def test_what_is_seldom_drawn_is_so_by_instances():
    """The least drawn tenth and the mean are of instances, as many of each row as it stands for."""
    rng, which = np.random.default_rng(5), set()
    for number in range(120):
        # Of chances that hardly differ, those well below the mean.
        chances, counts = rng.gamma((1, 12)[number % 2], size=12), rng.integers(1, 40, 12)
        found = _are_seldom(chances, counts)
        assert np.repeat(found, counts).tolist() == _are_seldom(np.repeat(chances, counts), None).tolist()
        which.add(int(found.sum()))
    assert len(which) > 3


def test_what_is_left_is_summed_over_instances():
    """Σ square/q of all that is left, and of what is seldom drawn."""
    rng = np.random.default_rng(6)
    square, informed, is_seldom = rng.random(K), rng.random(K), np.arange(K) % 2 == 0
    form = Coefficients(*rng.random((3, 2)))
    draws, stages = np.array([4, 2, 4]), np.array([1, 3])
    found = _left_per_draw(square, informed, form, None, is_seldom, draws, stages, COUNTS)
    at = [np.flatnonzero(row == ROW_OF)[number] for row, number in ((4, 0), (2, 0), (4, 1))]
    of_each = (each[ROW_OF] for each in (square, informed))
    repeated = _left_per_draw(*of_each, form, None, is_seldom[ROW_OF], np.array(at), stages, None)
    assert found == pytest.approx(repeated, rel=1e-12)
    assert (found[1] < found[0]).all()


def test_a_row_can_be_drawn_no_more_often_than_it_counts():
    rows, _ = _models(ErrorRate(), 1)
    with pytest.raises(ValueError, match="holds 0 2 times, but that row stands for 1"):
        adaptive_q(ErrorRate(), rows, [0, 0], [0, 0])
    assert as_models(rows)[0].left(np.array([4, 4]))[4] == 2
