"""What holds for any measure, checked for all there are: `all_measures` finds them, no list holds them.

A measure that is added needs `examples` only if it can't be made without arguments. `Jaccard` below is
one, in the few lines that it takes.
"""

import inspect
import itertools
import pickle
import warnings

import numpy as np
import pytest

from activeeval_widgets import stats
from activeeval_widgets.stats import (
    AdaptiveConfidenceSequence,
    ClassPredictions,
    ConfidenceSequence,
    RankingPredictions,
    SequentialTest,
    ValuePredictions,
    adaptive_q,
    draw,
    draw_without_replacement,
    estimate,
    estimate_adaptive,
    optimal_q,
    pool_value,
    uniform_q,
)
from activeeval_widgets.stats.measures.generalized_risks import RatioMeasure
from activeeval_widgets.stats.measures.registry import all_measures
from activeeval_widgets.stats.numbers import formatted
from activeeval_widgets.stats.questions.support import check_support

M = 14
MOST = (-8.0, 8.0)
"""Values are drawn within these ends."""


class Jaccard(RatioMeasure):
    """Of the instances that are positive or predicted to be, the share of those that are both."""

    name = "Jaccard index"
    positive = 1

    def _cells(self, model, predicted, true):
        positive = model.code_of(self.positive, name="positive")
        f, y = (predicted == positive).astype(float), (true == positive).astype(float)
        return np.stack([f * y, np.maximum(f, y)], axis=-1)


EVERY = [example for cls in all_measures() for example in cls.examples()] + [Jaccard()]


def _classes(rng):
    return ClassPredictions(rng.dirichlet(np.ones(3), M))


def _values(rng):
    return ValuePredictions(rng.normal(size=M), rng.uniform(0.2, 1, M))


def _rankings(rng):
    items = [list("abcd")[: 2 + query % 3] for query in range(M)]
    rankings = [[some[i] for i in rng.permutation(len(some))] for some in items]
    probas = [{item: rng.dirichlet(np.ones(3)) for item in some} for some in items]
    return RankingPredictions(rankings, probas, grades=[0, 1, 2])


MAKERS = {"class": _classes, "value": _values, "ranking": _rankings}


def pool_for(measure, n_models=1, seed=0):
    """Models of one pool, and labels as the models expect them."""
    rng = np.random.default_rng(seed)
    models = [MAKERS[measure.predictions_kind](rng) for _ in range(n_models)]
    first, *others = models
    return models, first.belief(others).sample(np.arange(M), rng, MOST), rng


def best_labels(model):
    """Labels with which the model could not be better: with one of them, whatever the measure."""
    if model.kind == "class":
        return [model.y_pred]
    if model.kind == "value":
        return [model.mean]
    # All is relevant; or the first item alone, the first two: what is found is then all there is.
    return [
        [{item: 2.0 * (at < n_best) for at, item in enumerate(ranking)} for ranking in model.rankings]
        for n_best in (len("abcd"), 1, 2)
    ]


def some(labels, draws):
    return [labels[i] for i in draws]


def range_of(measure):
    return MOST if measure.predictions_kind == "value" else None


each = pytest.mark.parametrize("measure", EVERY, ids=repr)
# The labels themselves are the same for two models.
of_one_and_two = pytest.mark.parametrize(
    ("measure", "n_models"),
    [(measure, n) for n in (1, 2) for measure in EVERY if n == 1 or measure.needs_model],
    ids=repr,
)


def test_all_measures_of_the_package_are_found():
    public = {
        getattr(stats, name)
        for name in stats.__all__
        if isinstance(getattr(stats, name), type) and issubclass(getattr(stats, name), stats.Measure)
    }
    assert set(all_measures()) == {cls for cls in public if not inspect.isabstract(cls)}
    assert {cls.predictions_kind for cls in all_measures()} == set(MAKERS)
    assert sum(len(all_measures(kind)) for kind in MAKERS) == len(all_measures())


@each
def test_a_measure_says_what_it_is(measure):
    assert measure.name
    assert measure.name in measure.long_name
    text = measure.sentence.format(name=measure.name, value="12", instances="texts", root="3")
    assert text.endswith(".")
    assert "12" in text or "3" in text
    assert isinstance(formatted(measure, 0.5) + measure.unit("kg"), str)
    low, high = measure.value_range
    assert low < high
    assert not (measure.is_risk and measure.is_ratio)
    assert measure.is_risk or not measure.is_binary
    assert eval(repr(measure), vars(stats) | {"Jaccard": Jaccard}).name == measure.name


@each
def test_a_measure_survives_pickling(measure):
    (model,), labels, _ = pool_for(measure)
    again = pickle.loads(pickle.dumps(measure))
    assert repr(again) == repr(measure)
    everything = np.arange(M)
    np.testing.assert_array_equal(
        again.statistics(model, labels, everything), measure.statistics(model, labels, everything)
    )


@each
def test_other_predictions_are_refused(measure):
    rng = np.random.default_rng(0)
    for kind in MAKERS.keys() - {measure.predictions_kind}:
        with pytest.raises(TypeError, match=r"takes \w+Predictions, got \w+Predictions"):
            optimal_q(measure, MAKERS[kind](rng))


@each
@pytest.mark.parametrize("seed", range(4))
def test_values_are_in_the_range_and_the_model_is_best_with_the_labels_it_predicts(measure, seed):
    (model,), labels, _ = pool_for(measure, seed=seed)
    low, high = measure.range_for(model)
    bests = [pool_value(measure, model, each) for each in best_labels(model)]
    best = max(bests) if measure.greater_is_better else min(bests)
    value = pool_value(measure, model, labels)
    for each_value in (best, value):
        assert np.isnan(each_value) or low <= each_value <= high + 1e-12
    # A model that is right more often than it says is not calibrated.
    has_best = measure.needs_model and type(measure).__name__ != "CalibrationError"
    if has_best and not np.isnan([best, value]).any():
        assert (best >= value) if measure.greater_is_better else (best <= value)


@each
def test_where_models_are_the_same_statistics_are(measure):
    models, _, rng = pool_for(measure, 2, seed=4)
    assert measure.same_statistics(models[0], models[0]).all()
    same = np.flatnonzero(measure.same_statistics(*models))
    for _ in range(10):
        labels = models[0].belief(models[1:]).sample(same, rng)
        np.testing.assert_array_equal(*(measure.statistics(model, labels, same) for model in models))


@of_one_and_two
def test_what_counts_is_drawn(measure, n_models):
    models, _, _ = pool_for(measure, n_models, seed=6)
    predictions = models if n_models == 2 else models[0]
    q = optimal_q(measure, predictions)
    assert (q >= 0).all()
    assert q.sum() == pytest.approx(1, abs=1e-12)
    if n_models == 1 or measure.is_risk:
        check_support(measure, models, q)


@of_one_and_two
@pytest.mark.parametrize("protocol", ["papers", "adaptive"])
def test_the_whole_way_from_q_to_the_interval(measure, n_models, protocol):
    """With excluded instances, from no label on, and without a warning."""
    models, labels, rng = pool_for(measure, n_models, seed=7)
    predictions = models if n_models == 2 else models[0]
    labels = [None if i == 3 else label for i, label in enumerate(labels)]
    y_range = range_of(measure)
    if protocol == "papers":
        q = optimal_q(measure, predictions, defensive=0.3)
        draws = draw(q, 16, rng)
        results = [
            estimate(measure, predictions, q, draws[:n], some(labels, draws[:n]), estimator=estimator)
            for n, estimator in itertools.product((0, 1, 2, 16), ("self_normalized", "difference"))
        ]
        sequence = ConfidenceSequence(measure, predictions, q, y_range=y_range)
        sequence.extend(draws, some(labels, draws))
        test = SequentialTest(measure, predictions, q, y_range=y_range)
        test.extend(draws, some(labels, draws))
        assert 0 <= test.pvalue <= 1
    else:
        given, draws, q_draws = list(labels), [], []
        sequence = AdaptiveConfidenceSequence(measure, predictions, y_range=y_range)
        for _ in range(M // 2):
            q = adaptive_q(measure, predictions, draws, some(given, draws))
            for index, probability in zip(*draw_without_replacement(q, 2, rng), strict=True):
                sequence.update(index, q, given[index])
                draws.append(int(index))
                q_draws.append(probability)
        results = [
            estimate_adaptive(measure, predictions, draws[:n], q_draws[:n], some(labels, draws[:n]))
            for n in (0, 1, 2, M)
        ]
        kept = [i for i in range(M) if i != 3]
        if measure.is_binned:
            parts = [model.of_instances(np.array(kept)) for model in models]
            each = [pool_value(measure, part, some(labels, kept)) for part in parts]
        else:
            z = [measure.statistics(model, some(labels, kept), np.array(kept)) for model in models]
            each = [float(measure.g(rows.mean(axis=0))) for rows in z]
        truth = each[0] - (each[1] if n_models == 2 else 0.0)
        assert results[-1].value == pytest.approx(truth, abs=1e-12)
        assert results[-1].low - 1e-12 <= truth <= results[-1].high + 1e-12
    for result in results:
        assert result.low <= result.high
        assert np.isnan(result.value) or np.isfinite(result.value)
        if np.isfinite(result.value) and protocol == "adaptive":
            assert result.low - 1e-12 <= result.value <= result.high + 1e-12
    assert sequence.low <= sequence.high
    assert 0 <= sequence.pvalue <= 1 or n_models == 1


@each
def test_nothing_is_estimated_without_a_draw(measure):
    (model,), _, _ = pool_for(measure, seed=8)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = estimate(measure, model, uniform_q(M), [], [])
    assert np.isnan(result.value)
    assert (result.low, result.high) == measure.range_for(model)
