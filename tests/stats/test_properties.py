"""What has to hold for any pool, searched by hypothesis."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from activeeval_widgets.stats import (
    DCG,
    ERR,
    AbsoluteError,
    BestF,
    ClassPredictions,
    CostMatrix,
    RankingPredictions,
    SquaredError,
    TopKAccuracy,
    ValuePredictions,
    asymptotic_variance,
    estimate,
    optimal_q,
    uniform_q,
)
from activeeval_widgets.stats.measures.registry import all_measures

# A matrix of costs is for one number of classes; here there may be any.
# Which of equally probable classes are among the top is a matter of their order.
ANY_CLASS_MEASURE = [
    cls()
    for cls in all_measures("class")
    if cls.needs_model and not cls.is_of_systems and cls not in (CostMatrix, TopKAccuracy)
]
measures = st.sampled_from(ANY_CLASS_MEASURE)
quick = settings(max_examples=60)


@st.composite
def probabilities(draw, n_models=1):
    """Class probabilities of models of one pool: any, exact 0 and 1 among them."""
    shape = (n_models, draw(st.integers(2, 12)), draw(st.integers(2, 4)))
    raw = draw(arrays(np.float64, shape, elements=st.sampled_from([0.0, 1e-12, 0.1, 0.5, 0.9, 1.0, 3.7])))
    raw[..., 0] += raw.sum(axis=-1) == 0
    return raw / raw.sum(axis=-1, keepdims=True)


@quick
@given(measures, probabilities(n_models=2), st.booleans())
def test_q_is_a_distribution(measure, proba, compare):
    models = [ClassPredictions(p) for p in proba]
    q = optimal_q(measure, models if compare else models[0])
    assert (q >= 0).all()
    assert q.sum() == pytest.approx(1, abs=1e-12)


@quick
@given(measures, probabilities(n_models=2), st.booleans(), st.randoms(use_true_random=False))
def test_q_moves_with_its_instances(measure, proba, compare, random):
    order = list(range(proba.shape[1]))
    random.shuffle(order)
    given_models = [ClassPredictions(p) for p in proba]
    shuffled = [ClassPredictions(p[order]) for p in proba]
    q = optimal_q(measure, given_models if compare else given_models[0])
    moved = optimal_q(measure, shuffled if compare else shuffled[0])
    np.testing.assert_allclose(moved, q[order], rtol=0, atol=1e-7)


@quick
@given(measures, probabilities(), st.randoms(use_true_random=False))
def test_q_does_not_depend_on_the_names_or_the_order_of_the_classes(measure, proba, random):
    (proba,) = proba
    k = proba.shape[1]
    order = list(range(k))
    random.shuffle(order)
    y_pred = np.argmax(proba, axis=1)
    q = optimal_q(measure, ClassPredictions(proba, y_pred=y_pred))
    permuted = ClassPredictions(proba[:, order], classes=np.arange(k)[order], y_pred=y_pred)
    np.testing.assert_allclose(optimal_q(measure, permuted), q, rtol=0, atol=1e-7)
    names = np.array([f"class {c}" for c in range(k)])
    renamed = ClassPredictions(proba, classes=names, y_pred=names[y_pred])
    positive = {"positive": "class 1"} if measure.positive is not None else {}
    again = type(measure)(**positive)
    np.testing.assert_allclose(optimal_q(again, renamed), q, rtol=0, atol=1e-15)


@quick
@given(measures, probabilities(), st.data())
def test_q_scales_with_the_inverse_root_of_the_costs(measure, proba, data):
    n = proba.shape[1]
    costs = data.draw(arrays(np.float64, n, elements=st.floats(1e-3, 1e3)))
    model = ClassPredictions(proba[0])
    scale = optimal_q(measure, model) / np.sqrt(costs)
    np.testing.assert_allclose(optimal_q(measure, model, costs=costs), scale / scale.sum(), rtol=1e-9)
    # The unit of the costs does not matter.
    np.testing.assert_allclose(
        optimal_q(measure, model, costs=1e6 * costs), optimal_q(measure, model, costs=costs), rtol=1e-9
    )


@quick
@given(measures, probabilities())
def test_no_other_q_promises_less_variance(measure, proba):
    """T, 4.6: Σ ψ²/q is least at q ∝ sqrt(E[ψ² | x])."""
    model = ClassPredictions(proba[0])
    q = optimal_q(measure, model)
    n = len(q)
    least = asymptotic_variance(measure, model, q)
    if np.isnan(least):
        return
    for other in (uniform_q(n), 0.9 * q + 0.1 / n):
        assert asymptotic_variance(measure, model, other) >= least * (1 - 1e-9) - 1e-18


@quick
@given(
    st.sampled_from([*ANY_CLASS_MEASURE]),
    probabilities(n_models=2),
    st.booleans(),
    st.sampled_from(["wald", "t"]),
    st.data(),
)
def test_estimates_lie_in_the_range_and_are_never_a_point(measure, proba, compare, interval, data):
    n, k = proba.shape[1:]
    models = [ClassPredictions(p) for p in proba]
    weights = data.draw(arrays(np.float64, n, elements=st.floats(0.01, 100)))
    q = weights / weights.sum()
    draws = data.draw(st.lists(st.integers(0, n - 1), min_size=1, max_size=15))
    labels = data.draw(st.lists(st.integers(0, k - 1), min_size=len(draws), max_size=len(draws)))
    result = estimate(measure, models if compare else models[0], q, draws, labels, interval=interval)
    low, high = measure.value_range
    if compare:
        low, high = low - high, high - low
    assert low <= result.low < result.high <= high
    if result.is_defined:
        assert result.low - 1e-12 <= result.value <= result.high + 1e-12
        assert 0 < result.effective_sample_size <= len(draws) + 1e-9
        assert not compare or 0 <= result.pvalue <= 1
    else:
        assert np.isnan(result.standard_error)
        assert (result.low, result.high) == (low, high)


@quick
@given(measures, probabilities(), st.data())
def test_doubling_the_pool_changes_nothing(measure, proba, data):
    """Every instance twice: q halves, and the same labels give the same estimate whichever copy was drawn."""
    (proba,) = proba
    n, k = proba.shape
    if isinstance(measure, BestF):  # fewer thresholds than instances may lie elsewhere in twice the pool
        measure = BestF(measure.beta, measure.positive, n_thresholds=200)
    model, doubled = ClassPredictions(proba), ClassPredictions(np.vstack([proba, proba]))
    q, q2 = optimal_q(measure, model, defensive=0.1), optimal_q(measure, doubled, defensive=0.1)
    np.testing.assert_allclose(q2, np.concatenate([q, q]) / 2, rtol=0, atol=1e-7)
    draws = np.array(data.draw(st.lists(st.integers(0, n - 1), min_size=1, max_size=10)))
    copies = np.array(data.draw(st.lists(st.booleans(), min_size=len(draws), max_size=len(draws))))
    labels = data.draw(st.lists(st.integers(0, k - 1), min_size=len(draws), max_size=len(draws)))
    a = estimate(measure, model, q, draws, labels)
    b = estimate(measure, doubled, np.concatenate([q, q]) / 2, draws + n * copies, labels)
    assert (a.value, a.low, a.high) == pytest.approx((b.value, b.low, b.high), abs=1e-9, nan_ok=True)


@quick
@given(st.integers(0, 10**6), st.sampled_from([SquaredError(), AbsoluteError()]), st.booleans())
def test_values_in_any_unit(seed, measure, compare):
    """Another origin and another unit of the labels change no q."""
    rng = np.random.default_rng(seed)
    models = [(rng.normal(size=8), rng.uniform(0, 2, 8)) for _ in range(2)]
    moved = [ValuePredictions(7 + 100 * mean, 1e4 * variance) for mean, variance in models]
    given_models = [ValuePredictions(mean, variance) for mean, variance in models]
    q = optimal_q(measure, given_models if compare else given_models[0])
    again = optimal_q(measure, moved if compare else moved[0])
    np.testing.assert_allclose(again, q, rtol=0, atol=1e-9)
    assert q.sum() == pytest.approx(1)


@quick
@given(st.integers(0, 10**6), st.sampled_from([DCG(), ERR(), DCG(cutoff=2), ERR(cutoff=3)]))
def test_rankings_do_not_depend_on_the_names_of_items_or_the_order_of_queries(seed, measure):
    rng = np.random.default_rng(seed)
    items = list("abcdef")
    rankings = [[list(rng.permutation(items)[: rng.integers(1, 7)]) for _ in range(4)] for _ in range(2)]
    known = [{item: rng.dirichlet([1, 1, 1]) for item in items} for _ in range(4)]
    order = rng.permutation(4)
    q = optimal_q(measure, [RankingPredictions(r, known, [0, 1, 3]) for r in rankings])
    renamed = [
        RankingPredictions(
            [[("item", item) for item in r[k]] for k in order],
            [{("item", item): p for item, p in known[k].items()} for k in order],
            [0, 1, 3],
        )
        for r in rankings
    ]
    np.testing.assert_allclose(optimal_q(measure, renamed), q[order], rtol=0, atol=1e-10)
