"""Where too few labels deviate for a variance: bounds by enumeration, coverage, and what they are made of."""

import itertools
import pickle

import numpy as np
import pytest
from scipy.stats import binom, hypergeom, norm

from activeeval_widgets.stats import (
    DCG,
    BalancedAccuracy,
    BrierScore,
    ClassPredictions,
    CostMatrix,
    ErrorRate,
    FMeasure,
    LogLoss,
    MacroF,
    MatthewsCorrelation,
    Precision,
    RankingPredictions,
    Recall,
    SquaredError,
    ValuePredictions,
    adaptive_q,
    draw_without_replacement,
    estimate_adaptive,
    pool_value,
)
from activeeval_widgets.stats.adaptive import few_deviations
from activeeval_widgets.stats.adaptive._alike_instances import alike_in
from activeeval_widgets.stats.adaptive.draw_rule import DRAW_RULE
from activeeval_widgets.stats.adaptive.estimator import AdaptiveEstimator, check_drawn
from activeeval_widgets.stats.adaptive.few_deviations import FewDeviations, most_unseen, promised_least_q
from activeeval_widgets.stats.adaptive.form_of_q import favored_in
from activeeval_widgets.stats.adaptive.recalibration import recalibrate
from activeeval_widgets.stats.measures import tables
from activeeval_widgets.stats.measures.base import Term
from activeeval_widgets.stats.questions.make import target_of

N_SESSIONS = 150
MIN_COVERED = int(binom.ppf(1e-6, N_SESSIONS, 0.95))


def sure(n, confidence=0.99):
    return ClassPredictions(np.tile([confidence, 1 - confidence], (n, 1)))


def uniform_draws(rng, m, n):
    """Draws and their probabilities."""
    return rng.permutation(m)[:n], 1 / (m - np.arange(n))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("measure", "n", "rate"),
    [
        (ErrorRate(), 3, 0.3),
        (ErrorRate(), 5, 0.11),
        (ErrorRate(), 10, 0.11),
        (ErrorRate(), 20, 0.06),
        (BrierScore(), 10, 0.11),
    ],
    ids=repr,
)
def test_a_sure_model_that_errs_is_not_believed(measure, n, rate):
    """The truth is inside of 95 % intervals as often as that, before the first error is met and after."""
    rng = np.random.default_rng(1)
    model, held = sure(300), 0
    for _ in range(N_SESSIONS):
        y = (rng.random(300) < rate).astype(int)
        draws, q_draws = uniform_draws(rng, 300, n)
        result = estimate_adaptive(measure, model, draws, q_draws, y[draws])
        held += result.low <= pool_value(measure, model, y) <= result.high
    assert held >= MIN_COVERED


@pytest.mark.parametrize("n_errors", [1, 2])
def test_one_or_two_errors_are_no_variance_to_rely_on(n_errors):
    """The upper end is at least that of the exact binomial interval, and not twice as far."""
    model, m = sure(2000), 2000
    for n in (10, 30, 100):
        labels = [1] * n_errors + [0] * (n - n_errors)
        result = estimate_adaptive(ErrorRate(), model, np.arange(n), 1 / (m - np.arange(n)), labels)
        exact = hypergeom.cdf(n_errors, m, np.arange(m + 1), n) >= 0.025
        upper = float(np.flatnonzero(exact)[-1]) / m
        assert upper * 0.98 <= result.high <= 1.5 * upper
        assert result.low == 0


@pytest.mark.parametrize("n", [3, 10, 40])
def test_without_an_error_the_bound_is_the_exact_one(n):
    m = 120
    result = estimate_adaptive(ErrorRate(), sure(m), np.arange(n), 1 / (m - np.arange(n)), [0] * n)
    # So many errors can be in the pool, and none of n uniform draws meets one with 2.5 %.
    chances = hypergeom.pmf(0, m, np.arange(m + 1), n)
    assert result.high == pytest.approx(np.flatnonzero(chances >= 0.025)[-1] / m)
    assert result.low == 0
    # The mirror image: wrong throughout.
    wrong = estimate_adaptive(ErrorRate(), sure(m), np.arange(n), 1 / (m - np.arange(n)), [1] * n)
    assert 1 - result.high - 0.01 < wrong.low <= 1 - result.high + 1e-9
    assert wrong.high == 1


def test_sessions_that_adapt_hold_too():
    """Blocks of draws by `adaptive_q`, a model that is sure, but not everywhere to the same degree."""
    rng = np.random.default_rng(3)
    held = 0
    for _ in range(60):
        p = 0.5 * rng.beta(0.3, 8, 200)
        model, y = ClassPredictions(np.column_stack([1 - p, p])), (rng.random(200) < 0.06).astype(int)
        draws, q_draws = [], []
        while len(draws) < 32:
            q = adaptive_q(ErrorRate(), model, draws, y[draws])
            more, of_more = draw_without_replacement(q, 16, rng)
            draws += more.tolist()
            q_draws += of_more.tolist()
        result = estimate_adaptive(ErrorRate(), model, draws, q_draws, y[draws])
        held += result.low <= pool_value(ErrorRate(), model, y) <= result.high
    assert held >= binom.ppf(1e-6, 60, 0.95)


PROBA = np.array([[0.9, 0.1], [0.2, 0.8], [0.7, 0.3], [0.1, 0.9], [0.6, 0.4], [0.8, 0.2], [0.3, 0.7]])
OTHER = PROBA[:, ::-1].copy()
OTHER[:4] = PROBA[:4]
BINARY = ClassPredictions(PROBA)
TWO = [BINARY, ClassPredictions(OTHER)]


def difference(measure, models, y):
    values = [pool_value(measure, model, y) for model in models]
    return values[0] if len(values) == 1 else values[0] - values[1]


@pytest.mark.parametrize(
    ("measure", "models", "wrong"),
    [
        (ErrorRate(), [BINARY], "none"),
        (BrierScore(), [BINARY], "none"),
        (LogLoss(), [BINARY], "none"),
        (CostMatrix([[0, 1], [5, -1]]), [BINARY], "none"),
        (FMeasure(), [BINARY], "none"),
        (FMeasure(), [BINARY], "positive"),
        (Recall(), [BINARY], "none"),
        (Recall(), [BINARY], "negative"),
        (Precision(), [BINARY], "positive"),
        (FMeasure(2.0), [BINARY], "all"),
        (ErrorRate(), TWO, "none"),
        (BrierScore(), TWO, "none"),
    ],
    ids=repr,
)
@pytest.mark.parametrize("least", [0.12, 0.5])
def test_bounds_are_the_extremes_of_all_labels_that_may_not_have_been_met(measure, models, wrong, least):
    """By enumeration of the labels of the rest: at most d of them deviate from what is the rule."""
    rule = BINARY.pred_codes.copy()
    flips = {"none": rule < 0, "positive": rule == 1, "negative": rule == 0, "all": rule >= 0}[wrong]
    rule = np.where(flips, 1 - rule, rule)
    draws, rest = np.array([0, 1, 3]), [2, 4, 5, 6]
    d = most_unseen(np.full(3, least), 0.025, 4)
    assert d == {0.12: 4, 0.5: 1}[least]
    values = []
    for flipped in itertools.chain.from_iterable(itertools.combinations(rest, k) for k in range(d + 1)):
        y = rule.copy()
        y[list(flipped)] = 1 - y[list(flipped)]
        values.append(difference(measure, models, y))
    result = estimate_adaptive(
        measure, models, draws, [1 / 7, 1 / 6, 1 / 5], rule[draws], least_q=np.full(3, least)
    )
    values = [value for value in values if value == value]
    if result.is_defined:
        assert result.low <= min(values) + 1e-12
        assert result.high >= max(values) - 1e-12
    if measure in (ErrorRate(),) and d == 1:
        assert result.high < 1


@pytest.mark.parametrize("n_wrong", [1, 2])
@pytest.mark.parametrize(
    "measure", [ErrorRate(), FMeasure(), Recall(), CostMatrix([[0, 1], [5, -1]])], ids=repr
)
def test_bounds_go_no_further_than_labels_of_the_rest_can(measure, n_wrong):
    """By enumeration, with so large a variance that nothing else ends them; and with none at all."""
    few, draws, rest = FewDeviations(target_of(measure, [BINARY])), np.array([0, 1, 3, 4]), [2, 5, 6]
    y = BINARY.pred_codes.copy()
    y[draws[:n_wrong]] = 1 - y[draws[:n_wrong]]
    values = []
    for labels in itertools.product([0, 1], repeat=3):
        y[rest] = labels
        values.append(pool_value(measure, BINARY, y))
    given = check_drawn(target_of(measure, [BINARY]), draws, [1 / 7, 1 / 6, 1 / 5, 1 / 4], y[draws])
    middle = (min(values) + max(values)) / 2
    assert few.bounds(given, middle, 1e6, 1.0, 0.95) == pytest.approx((min(values), max(values)), abs=1e-12)
    # An estimate that no labels of the rest can give is left where it is on that side.
    for value in (min(values) - 0.01, max(values) + 0.01):
        low, high = few.bounds(given, value, 1e6, 1.0, 0.95)
        assert (low, high) == pytest.approx((min(*values, value), max(*values, value)), abs=1e-12)


def test_less_probable_instances_may_hide_more():
    draws, q_draws = np.arange(10), np.full(10, 0.05)
    highs = []
    for least_q in (None, np.full(10, 0.02), np.full(10, 0.01), np.zeros(10)):
        result = estimate_adaptive(ErrorRate(), sure(200), draws, q_draws, [0] * 10, least_q=least_q)
        highs.append(result.high)
    assert highs[1] < highs[2] < highs[3] == pytest.approx(0.95)
    # Unless told, what `adaptive_q` guarantees.
    labeled = np.ones(10, dtype=bool)
    promised = promised_least_q(ErrorRate(), q_draws, labeled, 200)
    explicit = estimate_adaptive(ErrorRate(), sure(200), draws, q_draws, [0] * 10, least_q=promised)
    assert highs[0] == explicit.high
    for bad, message in [
        (np.full(9, 0.1), "least_q has 9 entries, expected one for each of 10 draws"),
        (np.full(10, -0.1), r"least_q\[0\] is -0.1, expected a probability from 0 to 1"),
    ]:
        with pytest.raises(ValueError, match=message):
            estimate_adaptive(ErrorRate(), sure(200), draws, q_draws, [0] * 10, least_q=bad)


@pytest.mark.parametrize("measure", [ErrorRate(), FMeasure(), MacroF()], ids=repr)
def test_no_probability_is_below_what_is_promised(measure):
    rng = np.random.default_rng(4)
    p = rng.beta(0.5, 1.5, 150)
    model, y = ClassPredictions(np.column_stack([1 - p, p])), (rng.random(150) < p).astype(int)
    draws, q_draws, least = [], [], []
    while len(draws) < 144:
        left = adaptive_q(measure, model, draws, y[draws])
        more, of_more = draw_without_replacement(left, 16, rng)
        for draw, q in zip(more, of_more, strict=True):
            least.append(left[left > 0].min() / left.sum())
            left[draw] = 0
            draws.append(draw)
            q_draws.append(q)
    promised = check_drawn(target_of(measure, [model]), draws, q_draws, y[draws]).least_q
    assert (promised <= np.array(least) + 1e-12).all()
    share, first = 0.2, 0.5
    if not measure.is_risk:
        # By roots of shares, what is predicted more often has less than the mean.
        positive, reach = (p > 0.5).mean(), 3.0 if isinstance(measure, FMeasure) else 1.0
        roots = np.sqrt(1 - positive), np.sqrt(reach * positive)
        lowest = roots[0] / sum(roots) / (1 - positive)
        of_evened = 0.2 if isinstance(measure, MacroF) else 0.5
        share, first = ((1 - of_evened) * each + of_evened * lowest for each in (0.1, 0.5))
        assert lowest < 0.9
    assert promised[0] == pytest.approx(first / 150)
    assert promised[100] == pytest.approx(min(share / 150, q_draws[100]))
    if isinstance(measure, FMeasure):
        share = 0.57 * 0.1 + 0.43 * lowest
        later = np.append(q_draws[:140], np.full(40, 1.0))
        found = promised_least_q(
            measure,
            later,
            np.ones(180, dtype=bool),
            1000,
            favored=favored_in(target_of(measure, [model]), DRAW_RULE),
        )
        assert found[170] == pytest.approx(share / 1000)


def test_what_is_promised_by_hand():
    """The uniform share by the labels before each draw, but no more than was drawn; exact if q is uniform."""
    q_draws, labeled = np.array([0.1, 0.3, 0.01, 0.5]), np.array([True, False, True, True])
    promised = promised_least_q(ErrorRate(), q_draws, labeled, 10)
    np.testing.assert_allclose(promised, [1 / 10, 2 / 5 / 10, 0.01, 2 / 6 / 10], rtol=1e-12)


def test_exclusions_make_the_unseen_share_greater():
    """Half of the pool can't be labeled: the same errors are twice the share."""
    labels = [0, None] * 10
    q_draws = 1 / (400 - np.arange(20))
    result = estimate_adaptive(ErrorRate(), sure(400), np.arange(20), q_draws, labels)
    unseen = most_unseen(q_draws, 0.025, 380)
    assert result.high == pytest.approx(2 * unseen / 390, rel=0.02)


def test_two_models_differ_no_surer_than_the_interval_says():
    """Three labels, each right for the first model alone: no variance, and no p-value of 0."""
    a, b = sure(100), ClassPredictions(np.tile([0.01, 0.99], (100, 1)))
    draws, q_draws = np.arange(3), 1 / (100 - np.arange(3))
    result = estimate_adaptive(ErrorRate(), [a, b], draws, q_draws, [0, 0, 0])
    assert result.low <= -0.9
    assert result.high > 0.3
    assert result.pvalue > 0.05
    assert result.statistic < 1.96
    # With forty it is certain that they differ, and the interval says so too.
    draws, q_draws = np.arange(40), 1 / (100 - np.arange(40))
    result = estimate_adaptive(ErrorRate(), [a, b], draws, q_draws, [0] * 40)
    assert result.high < 0
    assert result.pvalue < 0.05


@pytest.mark.parametrize(("n", "n_differing", "differ"), [(20, 4, False), (30, 5, False), (40, 5, True)])
def test_the_pvalue_is_of_the_interval_that_needs_no_variance(n, n_differing, differ):
    """Wald's own would be 0.03, 0.005 and 0.002."""
    m, where = 300, np.arange(300)
    b = ClassPredictions(
        np.where(((where < n_differing) | (where >= 250))[:, np.newaxis], [[0.01, 0.99]], [[0.99, 0.01]])
    )
    result = estimate_adaptive(ErrorRate(), [sure(m), b], where[:n], 1 / (m - where[:n]), [0] * n)
    error = (result.high - result.value) / 1.959963985
    assert error > 1.2 * result.standard_error
    assert result.pvalue == pytest.approx(2 * norm.cdf(result.value / error))
    assert result.statistic == pytest.approx(-result.value / error)
    assert (result.high < 0) is (result.pvalue < 0.05) is differ


@pytest.mark.parametrize(
    ("measure", "models", "label", "expected"),
    [
        (BalancedAccuracy(), ClassPredictions(PROBA), None, (0, 1)),
        (MatthewsCorrelation(), ClassPredictions(PROBA), None, (-1, 1)),
        (SquaredError(), ValuePredictions([1.0] * 7), 1.5, (0, np.inf)),
    ],
    ids=repr,
)
def test_other_measures_say_nothing_before_the_first_deviation(measure, models, label, expected):
    draws = np.array([0, 1, 2, 3])
    labels = models.pred_codes[draws] if label is None else [label] * 4
    result = estimate_adaptive(measure, models, draws, 1 / (7 - np.arange(4)), labels)
    assert (result.low, result.high) == expected


def test_rankings_of_one_value_go_as_far_as_grades_can():
    model = RankingPredictions(["a", "b", "c"] * 10, [{i: [0.99, 0.01] for i in "abc"}] * 30, grades=[0, 1])
    result = estimate_adaptive(DCG(), model, np.arange(4), 1 / (30 - np.arange(4)), [[0]] * 4)
    assert result.high == pytest.approx(most_unseen(1 / (30 - np.arange(4)), 0.025, 26) / 30)


def test_what_was_not_met_weighs_as_the_deviations_that_were():
    """By hand: h² = z² (variance + h w/n) for the upper side, where w is the weight of the one error."""
    target = target_of(ErrorRate(), [sure(100)])
    drawn = check_drawn(target, [5, 6, 7, 8], [0.02, 0.01, 0.05, 0.01], [0, 0, 1, 0])
    value, variance, z = 0.1, 0.0004, norm.isf(0.025)
    low, high = FewDeviations(target).bounds(drawn, value, variance, 1.0, 0.95)
    assert low == pytest.approx(value - z * np.sqrt(variance), rel=1e-12)
    half, weight = high - value, 1 / (100 * 0.05)
    assert half**2 == pytest.approx(z**2 * (variance + half * weight / 4), rel=1e-12)


@pytest.mark.parametrize(("n_errors", "is_wald"), [(9, False), (10, True)])
def test_many_deviations_leave_wald_alone(n_errors, is_wald):
    m, n = 400, 60
    labels = [1] * n_errors + [0] * (n - n_errors)
    result = estimate_adaptive(ErrorRate(), sure(m, 0.9), np.arange(n), 1 / (m - np.arange(n)), labels)
    half = 1.959963985 * result.standard_error
    wald = (max(result.value - half, 0), result.value + half)
    assert ((result.low, result.high) == pytest.approx(wald)) is is_wald
    assert result.high >= wald[1] - 1e-9


def classifiers(n, n_classes, n_models, seed=0):
    """Models that see the same truth through more and more noise; and the truth."""
    rng = np.random.default_rng(seed)
    sense = 2 * rng.normal(size=(n, n_classes))
    y_true = (sense + rng.normal(size=sense.shape)).argmax(axis=1)
    seen = [np.exp(sense + k * rng.normal(size=sense.shape)) for k in range(1, n_models + 1)]
    return [ClassPredictions(each / each.sum(axis=1, keepdims=True)) for each in seen], y_true


@pytest.mark.parametrize("n_draws", [4, 30])
@pytest.mark.parametrize(
    ("measure", "n_models"),
    [(ErrorRate(), 1), (ErrorRate(), 2), (CostMatrix([[0, 1, 2], [5, 0, 1], [1, 1, 0]]), 2),
     (FMeasure(positive=1), 1), (Precision(positive=2), 1)],
    ids=repr,
)  # fmt: skip
def test_instances_that_are_alike_are_taken_together(measure, n_models, n_draws, monkeypatch):
    models, y_true = classifiers(2_500, 3, n_models)
    draws, q = uniform_draws(np.random.default_rng(1), 2_500, n_draws)

    def bounds():
        target = target_of(measure, models)
        drawn = check_drawn(target, draws, q, y_true[draws])
        few = FewDeviations(target)
        found = few.bounds(drawn, 0.3, 0.01, 1.0, 0.95)
        return found, [kept.alike for kept in few._kept.values()]

    together, alike = bounds()
    monkeypatch.setattr(few_deviations, "alike_in", lambda _columns, _counts: None)
    one_by_one, none = bounds()
    assert together == pytest.approx(one_by_one, abs=1e-12)
    if together is not None:
        assert all(each.first.size < 40 for each in alike)
        assert none == [None] * len(alike)


def test_where_hardly_any_are_alike_each_is_looked_at():
    numbers = np.linspace(0, 1, 3_000)
    assert alike_in([numbers], None) is None
    assert alike_in([np.ones(1_999)], None) is None
    found = alike_in([np.arange(3_000.0) % 2, np.arange(3_000.0) % 3], np.full(3_000, 2))
    assert found.sizes.tolist() == [1_000] * 6
    assert found.left(np.array([0, 6, 1])).sum() == 5_997


def test_what_is_kept_from_label_to_label_changes_nothing():
    [model], y_true = classifiers(2_500, 3, 1)
    rng = np.random.default_rng(2)
    draws, q = uniform_draws(rng, 2_500, 40)
    made = AdaptiveEstimator(ErrorRate(), model)
    for n in (3, 20, 40):
        for level in (0.9, 0.99):
            [again] = made.estimates(draws[:n], q[:n], y_true[draws[:n]], confidence_level=level)
            anew = estimate_adaptive(
                ErrorRate(), ClassPredictions(model.y_proba), draws[:n], q[:n], y_true[draws[:n]],
                confidence_level=level,
            )  # fmt: skip
            assert (again.value, again.low, again.high) == (anew.value, anew.low, anew.high)
    # A part of it is of other instances, and shares nothing that was kept.
    part = model.part(np.arange(50))
    assert model._kept
    assert "_kept" not in vars(part)
    assert pickle.loads(pickle.dumps(model)).y_pred.tolist() == model.y_pred.tolist()


@pytest.mark.parametrize("n_models", [1, 2])
def test_moments_class_by_class_are_those_row_by_row(n_models, monkeypatch):
    models, y_true = classifiers(300, 4, n_models)
    draws = np.arange(12)
    belief = recalibrate(ErrorRate(), models, draws, y_true[draws])
    terms = [Term(model, np.array([sign])) for model, sign in zip(models, (1.0, -1.0), strict=False)]
    quick = ErrorRate().moments(terms, belief, 0.1)
    monkeypatch.setattr(tables, "_FEW_CLASSES", 0)
    slow = ErrorRate().moments(terms, belief, 0.1)
    assert quick.first == pytest.approx(slow.first, abs=1e-14)
    assert quick.second == pytest.approx(slow.second, abs=1e-14)
    by_hand = [[belief.y_proba[model.pred_codes == i, j].sum() for j in range(4)] for i in range(4)
               for model in models[:1]]  # fmt: skip
    assert tables.joint_sums(models[0], belief) == pytest.approx(np.array(by_hand))


def test_groups_of_alike_instances_are_those_of_sorting():
    rng = np.random.default_rng(5)
    for kind in range(12):
        n = int(rng.integers(2_200, 4_000))
        columns = [rng.choice(rng.normal(size=size), n) for size in rng.choice([1, 2, 3, 40], 3)]
        if kind % 3 == 1:
            columns[1][-1] = 7.0  # not seen among the first
        if kind % 3 == 2:
            columns[2][2_100:] = rng.normal(size=n - 2_100)  # too many, but not at the beginning
        rows, first, group = np.unique(columns, axis=1, return_index=True, return_inverse=True)
        found = alike_in(columns, None)
        if rows.shape[1] > 256:
            assert found is None
            continue
        assert found.first.tolist() == first.tolist()
        assert found.group.tolist() == group.reshape(-1).tolist()
        assert found.sizes.tolist() == np.bincount(group.reshape(-1)).tolist()
