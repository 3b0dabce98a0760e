"""Measures by functions that a user writes: the same numbers as the package's own, and an identity."""

import numpy as np
import pytest

from activeeval_widgets.stats import (
    AbsoluteError,
    AdaptiveConfidenceSequence,
    ClassPredictions,
    CostMatrix,
    ErrorRate,
    Ratio,
    Recall,
    Risk,
    SquaredError,
    ValuePredictions,
    adaptive_q,
    estimate_adaptive,
    optimal_q,
    pool_value,
    uniform_q,
)
from activeeval_widgets.stats.measures.base import Term
from activeeval_widgets.stats.measures.parse_repr import measure_from_repr

M = 40
RNG = np.random.default_rng(4)
CLASSES = ["a", "b", "c"]
MODEL = ClassPredictions(RNG.dirichlet(np.ones(3), M), classes=CLASSES)
OTHER = ClassPredictions(RNG.dirichlet(np.ones(3), M), classes=CLASSES)
Y = MODEL.belief([]).sample(np.arange(M), RNG)
COSTS = np.array([[0.0, 1.0, 5.0], [2.0, 0.0, -0.5], [0.25, 1.0, 0.0]])


def cost(predicted, true):
    return COSTS[CLASSES.index(predicted), CLASSES.index(true)]


PAIRS = [
    (Risk.from_loss(cost, "my cost"), CostMatrix(COSTS)),
    (Risk.from_loss(lambda f, y: f != y, "my error", is_share=True), ErrorRate()),
    (Ratio.from_parts(lambda f, y: f == y == "a", lambda f, y: y == "a", "my recall"), Recall("a")),
]


@pytest.mark.parametrize(("own", "known"), PAIRS, ids=lambda each: each.name)
@pytest.mark.parametrize("is_bound", [False, True])
def test_a_function_of_classes_gives_what_the_known_measure_does(own, known, is_bound) -> None:
    measure = own.bound_to([MODEL]) if is_bound else own
    assert pool_value(measure, MODEL, Y) == pool_value(known, MODEL, Y)
    np.testing.assert_allclose(optimal_q(measure, MODEL), optimal_q(known, MODEL), rtol=1e-12)
    if is_bound:
        np.testing.assert_allclose(
            adaptive_q(measure, [MODEL, OTHER], [3, 5], Y[[3, 5]]),
            adaptive_q(_of_same_interest(known), [MODEL, OTHER], [3, 5], Y[[3, 5]]),
            rtol=1e-9,
        )
    draws, q = np.arange(12), uniform_q(M)
    q_draws = 1 / (M - np.arange(12))
    found = estimate_adaptive(measure, MODEL, draws, q_draws, Y[:12])
    expected = estimate_adaptive(_of_same_interest(known), MODEL, draws, q_draws, Y[:12])
    assert found.value == pytest.approx(expected.value, abs=1e-12)
    assert found.standard_error == pytest.approx(expected.standard_error, abs=1e-12)
    ends = AdaptiveConfidenceSequence(measure, MODEL).extend(draws, q, Y[:12])
    known_ends = AdaptiveConfidenceSequence(_of_same_interest(known), MODEL).extend(draws, q, Y[:12])
    np.testing.assert_allclose(ends, known_ends, atol=1e-9)


def _of_same_interest(known):
    """Without a class of interest, which functions don't have: labels correct the same of the model."""
    if known.positive is None:
        return known
    return Ratio.from_tables(known.name, [[1, 0, 0], [0, 0, 0], [0, 0, 0]], [[1, 0, 0]] * 3)


def test_a_function_of_numbers_has_its_moments_by_quadrature() -> None:
    model, other = (ValuePredictions(RNG.normal(size=9), RNG.uniform(0, 2, 9)) for _ in range(2))
    square = Risk.from_loss(lambda f, y: (f - y) ** 2, "my square", kind="value", bounds=(0, 1e3))
    scalar = Risk.from_loss(lambda f, y: f - y if f > y else y - f, "my distance", kind="value")
    for terms in ([Term(model, np.array([2.0]))], [Term(model, np.ones(1)), Term(other, -np.ones(1))]):
        belief = model.belief([other] if len(terms) == 2 else [])
        found = square.moments(terms, belief, 0.3)
        expected = SquaredError().moments(terms, belief, 0.3)
        np.testing.assert_allclose(found, expected, rtol=1e-9)  # polynomials: exact
        np.testing.assert_allclose(
            scalar.moments(terms, belief, 0.3), AbsoluteError().moments(terms, belief, 0.3), atol=0.12
        )
    labels = RNG.normal(size=9)
    assert pool_value(scalar, model, labels) == pytest.approx(pool_value(AbsoluteError(), model, labels))


def test_bounds_make_the_interval_exact_and_are_held() -> None:
    model = ValuePredictions(np.zeros(30), np.ones(30))
    capped = Risk.from_loss(lambda f, y: np.minimum(abs(f - y), 2), "capped", kind="value", bounds=(0, 2))
    sequence = AdaptiveConfidenceSequence(capped, model)
    labels = RNG.permutation(np.linspace(-3, 3, 30))
    low, high = sequence.extend(range(30), uniform_q(30), labels)
    truth = pool_value(capped, model, labels)
    assert not sequence.is_asymptotic
    assert (low[-1], high[-1]) == pytest.approx((truth, truth))
    assert (low <= truth + 1e-12).all()
    assert (high >= truth - 1e-12).all()
    tight = Risk.from_loss(lambda f, y: abs(f - y), "off", kind="value", bounds=(0, 2))
    with pytest.raises(ValueError, match="the prediction 0 and the label 5 is 5, expected from 0 to 2"):
        pool_value(tight, model, np.full(30, 5.0))
    unbounded = Risk.from_loss(lambda f, y: abs(f - y), "off", kind="value")
    assert AdaptiveConfidenceSequence(unbounded, model).is_asymptotic


def test_what_is_known_of_a_measure_is_its_table_or_the_source_of_its_function() -> None:
    table = PAIRS[0][0].bound_to([MODEL])
    again = measure_from_repr(repr(table))
    assert repr(again) == repr(table)
    assert pool_value(again, MODEL, Y) == pool_value(table, MODEL, Y)
    share = PAIRS[2][0].bound_to([MODEL])
    assert repr(measure_from_repr(repr(share))) == repr(share)

    def made(power):
        return Risk.from_loss(lambda f, y: abs(f - y) ** power, "off", kind="value")

    assert repr(made(2)) == repr(made(2)) != repr(made(3))
    with pytest.raises(ValueError, match="a function of Python, which is written down nowhere"):
        measure_from_repr(repr(made(2)))


def bound(measure):
    return measure.bound_to([MODEL])


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: Risk.from_loss(3, "x"), TypeError, "function must be callable"),
        (lambda: Risk.from_loss(cost, " "), ValueError, "name must be a string that is not blank"),
        (lambda: Risk.from_loss(cost, "x", kind="text"), ValueError, "kind is 'text', expected"),
        (lambda: Risk.from_loss(cost, "x", bounds=(0, 1)), ValueError, "bounds are for losses of numbers"),
        (lambda: Risk.from_loss(cost, "x", is_share="no"), TypeError, "is_share must be True or False"),
        (lambda: Risk.from_loss(cost, "x", kind="value", bounds=(1, 0)), ValueError, "the smaller one first"),
        (
            lambda: Risk.from_loss(cost, "x", is_share=True).bound_to([MODEL]),
            ValueError,
            "leave is_share out",
        ),
        (lambda: Risk.from_loss(lambda f, y: 1, "x").bound_to([MODEL]), ValueError, "nothing to label"),
        (lambda: Risk.from_loss(lambda f, y: "1x", "x").bound_to([MODEL]), TypeError, "expected a number"),
        (lambda: Risk.from_loss(lambda f, y: np.nan, "x").bound_to([MODEL]), ValueError, "finite number"),
        (
            lambda: Ratio.from_parts(lambda f, y: 2, lambda f, y: 1, "x").bound_to([MODEL]),
            ValueError,
            "is_share=False",
        ),
        (
            lambda: Ratio.from_parts(lambda f, y: -1, lambda f, y: 1, "x").bound_to([MODEL]),
            ValueError,
            "is_share=False",
        ),
        (
            lambda: Ratio.from_parts(cost, cost, "x", is_share=False).bound_to([MODEL]),
            ValueError,
            "denominator",
        ),
        (
            lambda: Risk.from_loss(cost, "x").bound_to([ValuePredictions([1.0])]),
            TypeError,
            "ClassPredictions",
        ),
    ],
)
def test_what_is_no_measure_is_refused(make, error, message) -> None:
    with pytest.raises(error, match=message):
        make()


def test_a_ratio_that_is_no_share_is_any_function_of_means() -> None:
    cost_of_a_hit = Ratio.from_parts(
        lambda f, y: 3 if f == "a" else 0, lambda f, y: f == y == "a", "cost of a hit", is_share=False
    )
    hits = np.mean((MODEL.y_pred == "a") & (Y == "a"))
    for measure in (cost_of_a_hit, bound(cost_of_a_hit)):
        assert pool_value(measure, MODEL, Y) == pytest.approx(3 * np.mean(MODEL.y_pred == "a") / hits)
        assert AdaptiveConfidenceSequence(measure, MODEL).is_asymptotic
