"""The adaptive estimate, q and recalibration held against the formulas of their docstrings, term by term."""

import json
from dataclasses import astuple, replace
from functools import partial

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import log_softmax, softmax
from scipy.stats import norm
from scipy.stats import t as student

from activeeval_widgets.stats import (
    DCG,
    ROCAUC,
    AbsoluteError,
    AdaptiveConfidenceSequence,
    AveragePrecision,
    BalancedAccuracy,
    BrierScore,
    ClassPredictions,
    CohenKappa,
    ErrorRate,
    FMeasure,
    LogLoss,
    MacroF,
    MatthewsCorrelation,
    Precision,
    RankingPredictions,
    Ratio,
    Recall,
    SquaredError,
    ValuePredictions,
    adaptive_q,
    defensive_share,
    draw_without_replacement,
    estimate,
    estimate_adaptive,
    pool_value,
)
from activeeval_widgets.stats.adaptive.draw_rule import DRAW_RULE, DrawRule, informed_sizes
from activeeval_widgets.stats.adaptive.draw_terms import control_variate
from activeeval_widgets.stats.adaptive.estimator import check_drawn
from activeeval_widgets.stats.adaptive.form_of_q import evened_sizes, settled_q
from activeeval_widgets.stats.adaptive.recalibration import corrected_mean, recalibrate
from activeeval_widgets.stats.adaptive.weighting import caution, weigh
from activeeval_widgets.stats.drawing.optimal import influence
from activeeval_widgets.stats.drawing.sheets import SheetRule
from activeeval_widgets.stats.predictions.base import mixture
from activeeval_widgets.stats.questions.make import target_of

M = 40


def make(seed, power=1.0):
    """Two models that are alike, and labels by the first one's probabilities, raised to 1/power."""
    rng = np.random.default_rng(seed)
    p = rng.beta(0.7, 0.9, M)
    said = p**power / (p**power + (1 - p) ** power)
    other = np.clip(said + rng.normal(0, 0.25, M), 0.02, 0.98)
    models = [ClassPredictions(np.column_stack([1 - each, each])) for each in (said, other)]
    return models, (rng.random(M) < p).astype(int), rng


def evened_by_hand(measure, models):
    """What a share of q is proportional to for means over classes and for ratios; the mean is 1."""
    reach = {FMeasure: (0.75, 0.25), Recall: (0.5, 0.5), Precision: (1.0, 0.0)}.get(type(measure), (1.0, 1.0))
    each = []
    for model in models:
        # Of predicted positives and negatives, the root of the share times what a label can change.
        sizes = np.zeros(M)
        for far, group in zip(reach, (model.pred_codes == 1, model.pred_codes == 0), strict=True):
            sizes[group] = np.sqrt(far * group.mean()) / max(group.sum(), 1)
        each.append(M * sizes / sizes.sum())
    return np.mean(each, axis=0)


def share_of_evened(measure, n_models, n_labels):
    """η after n labels."""
    if isinstance(measure, MacroF | BalancedAccuracy):
        return 0.2
    is_evened = n_models == 1 and isinstance(measure, FMeasure | Recall | Precision)
    return 0.5 - 0.2 * min(max((n_labels - 100) / 200, 0), 1) if is_evened else 0.0


def believed(measure, models, labeled, y):
    """The recalibrated belief, in which labels are known."""
    belief = recalibrate(measure, models, np.array(labeled), y[labeled])
    y_proba = belief.y_proba.copy()
    y_proba[labeled] = np.eye(2)[y[labeled]]
    return replace(belief, y_proba=y_proba)


def by_the_formulas(measure, models, draws, q_draws, labels, level=0.95):
    """Value, standard error, Wald interval, whether more was seen than promised, and the cautious variance.

    One term after another, with numerical derivatives.
    """
    target, m, n = target_of(measure, models), M, len(draws)
    kept = [t for t in range(n) if labels[t] is not None]
    found = np.array([draws[t] for t in kept])
    control = control_variate(target, found, [labels[t] for t in kept])
    by = "difference" if measure.is_ratio else "self_normalized"
    informed = influence(target, control.belief, by)
    informed = np.maximum(informed, 1e-3 * informed.max())
    differ, evened, of_evened = np.ones(m), np.zeros(m), share_of_evened(measure, len(models), np.inf)
    if of_evened:
        evened = evened_by_hand(measure, models)
        informed = np.maximum(informed / informed.mean() - (1 - of_evened) * 0.1 - of_evened * evened, 0)
    if len(models) == 2 and isinstance(measure, ErrorRate):
        differ = (models[0].pred_codes != models[1].pred_codes).astype(float)
    expected = control.expected.dense()
    size = expected.shape[1]
    rows = np.zeros((n, size))
    for t in kept:
        rows[t] = np.append(target.statistics([labels[t]], np.array([draws[t]]))[0], 1)

    def g(mean):
        return float(target.g(mean[:-1] / mean[-1]))

    stages = [round(x) - 1 for x in np.geomspace(1, n, 16)]
    terms, variances = [], []
    chances, shares_of_variances = np.zeros(m), []
    for t in range(n):
        left = [i for i in range(m) if i not in draws[:t]]
        known = rows[:t].sum(axis=0) + expected[left].sum(axis=0)
        terms.append((known + (rows[t] - expected[draws[t]]) / q_draws[t]) / m)
        spread = control.spread[left]
        if abs(q_draws[t] * len(left) - 1) < 1e-9:
            ratio = len(left) * (spread**2).sum() / spread.sum() ** 2
            chances += 1 / len(left)
            of_each = len(left) * control.spread**2
            of_each[draws[:t]] = 0
        else:
            # How good q is, is computed at the beginning of each of sixteen stages.
            stage = max(s for s in stages if s <= t)
            there = [i for i in range(m) if i not in draws[:stage]]
            share = defensive_share(measure, stage)
            apart = differ[there]
            if of_evened and not informed[there].any():
                # Nothing that is left is informative beyond the other parts of q.
                informed, share = np.ones(m), 1.0
            q = (1 - share) * apart * informed[there] / (
                apart @ informed[there]
            ) + share * apart / apart.sum()
            of_evened = share_of_evened(measure, len(models), stage)
            if of_evened:
                q = (1 - of_evened) * q + of_evened * evened[there] / evened[there].sum()
            if not apart.all():
                q = 0.9 * q + 0.1 / len(there)
            ratio = (control.spread[there] ** 2 / q).sum() / control.spread[there].sum() ** 2
            of_each = np.zeros(m)
            of_each[there] = (
                control.spread[there] ** 2 / q * (spread.sum() / control.spread[there].sum()) ** 2
            )
            # Of all instances, drawn or not, by the numbers of what is left.
            everywhere = (1 - share) * differ * informed / (apart @ informed[there])
            everywhere += share * differ / apart.sum()
            if of_evened:
                everywhere = (1 - of_evened) * everywhere + of_evened * evened / evened[there].sum()
            chances += everywhere if apart.all() else 0.9 * everywhere + 0.1 / len(there)
        variances.append((ratio * spread.sum() ** 2 - (spread**2).sum()) / m**2)
        squares = control.spread**2 * [i in left for i in range(m)]
        shares_of_variances.append((of_each - squares) / m**2)
    terms, weights = np.array(terms), 1 / np.array(variances)
    weights /= weights.sum()
    mean = weights @ terms
    steps, factors = 1e-5 * np.array([-2, -1, 1, 2]), np.array([1, -8, 8, -1]) / 12e-5
    gradient = np.array([factors @ [g(mean + step * e) for step in steps] for e in np.eye(size)])
    deviations = (terms - mean) @ gradient
    seen = float(weights**2 @ deviations**2) * n / (n - 1)
    promised = float(weights**2 @ variances)
    variance = max(seen, (20 * promised + n * seen) / (20 + n))
    assisted = (rows.sum(axis=0) + expected[[i for i in range(m) if i not in draws]].sum(axis=0)) / m
    correction = float(gradient @ (mean - assisted))
    kept_share = correction**2 / (correction**2 + variance)
    value = g(assisted + kept_share * (mean - assisted))
    error, doubted, unmet = np.sqrt(variance), seen, 0.0
    if seen > 1e-15:
        # As of Student's t, with as many degrees of freedom as the squares stand for.
        squares = (weights * deviations) ** 2
        freedom = max(3, 2 / ((squares**2).sum() / squares.sum() ** 2 - 1 / n))
        doubted = seen * student.var(freedom)
        error = np.sqrt(max(doubted, (20 * promised + n * doubted) / (20 + n)))
    if measure.is_ratio and not np.allclose(chances, chances[0]):
        # What was seldom drawn shows at least thrice what is expected of it.
        tenth = np.sort(chances)[int(np.ceil(m / 10)) - 1]
        seldom = chances <= min(1.3 * tenth, 0.75 * chances.mean())
        shown = sum((weights[t] * deviations[t]) ** 2 for t in range(n) if seldom[draws[t]])
        hidden = 3 * weights**2 @ np.array(shares_of_variances)[:, seldom].sum(axis=1)
        unmet = seen + hidden - shown
        error = np.sqrt(max(error**2, unmet))
    half = norm.ppf(0.5 + level / 2) * error
    return value, error, (value - half, value + half), seen > promised, max(doubted, promised, unmet)


@pytest.mark.parametrize("adapts", [False, True], ids=["uniform", "adaptive"])
@pytest.mark.parametrize(
    ("measure", "two"),
    [
        (ErrorRate(), False),
        (BrierScore(), False),
        (FMeasure(), False),
        (Recall(), False),
        (MatthewsCorrelation(), False),
        (CohenKappa(), False),
        (MacroF(), False),
        (BalancedAccuracy(), False),
        (ErrorRate(), True),
        (LogLoss(), True),
        (FMeasure(), True),
        (MacroF(), True),
    ],
    ids=repr,
)
def test_the_estimate_is_the_formula(measure, two, adapts):
    which = set()
    for seed in range(4):
        # Over-confident models, whose promise is broken; and underconfident ones, whose promise is kept.
        models, y, rng = make(seed, power=4.0 if seed % 2 else 0.4)
        models = models if two else models[:1]
        draws, q_draws = [], []
        while len(draws) < 16:
            q = adaptive_q(measure, models, draws, y[draws], defensive=None if adapts else 1.0)
            more, of_more = draw_without_replacement(q, 1, rng)
            draws += more.tolist()
            q_draws += of_more.tolist()
        excluded = np.zeros(16, dtype=bool)
        if seed > 1:
            excluded[[3, 7]] = True
        labels = [None if gone else y[i] for i, gone in zip(draws, excluded, strict=True)]
        result = estimate_adaptive(measure, models, draws, q_draws, labels)
        if not result.is_defined or not np.isfinite(result.standard_error):
            continue
        value, error, (low, high), is_seen, cautious = by_the_formulas(
            measure, models, draws, q_draws, labels
        )
        least, greatest = target_of(measure, models).range
        if not least < value < greatest:
            continue
        which.add(is_seen)
        assert result.value == pytest.approx(value, abs=1e-7)
        assert result.standard_error == pytest.approx(error, rel=1e-5)
        target = target_of(measure, models)
        found = weigh(target, check_drawn(target, draws, q_draws, labels))
        assert found.cautious == pytest.approx(cautious, rel=1e-5)
        assert result.low <= max(low, least) + 1e-6
        assert result.high >= min(high, greatest) - 1e-6
        if two:
            # The interval may be wider, where few labels deviate; then the p-value is no smaller.
            expected = 2 * norm.sf(abs(value) / error)
            is_wald = abs(result.low - max(low, least)) < 1e-6 > abs(result.high - min(high, greatest))
            assert result.pvalue >= expected * (1 - 1e-4) - 1e-9
            if is_wald:
                assert result.pvalue == pytest.approx(expected, rel=1e-4, abs=1e-9)
    assert which


def test_walds_interval_ends_where_the_range_does():
    p = np.tile([0.9, 0.1], 20)
    y = (p > 0.5).astype(int)
    y[3] = 1
    model = ClassPredictions(np.column_stack([1 - p, p]))
    found = estimate_adaptive(MatthewsCorrelation(), model, np.arange(8), 1 / (M - np.arange(8)), y[:8])
    assert found.value + 1.96 * found.standard_error > 1
    assert found.high == 1


def test_what_was_seen_and_what_was_promised_both_stand_in():
    """The greater one of the two: a sure model's broken promise, and an unsure one's that nothing broke."""
    found = set()
    for seed in range(6):
        models, y, rng = make(seed, power=4.0 if seed % 2 else 0.4)
        draws = rng.permutation(M)[:16].tolist()
        q_draws = (1 / (M - np.arange(16))).tolist()
        found.add(by_the_formulas(ErrorRate(), models[:1], draws, q_draws, list(y[draws]))[3])
    assert found == {True, False}


@pytest.mark.parametrize(
    ("measure", "n_models"),
    [
        (ErrorRate(), 1),
        (LogLoss(), 1),
        (FMeasure(), 1),
        (Precision(), 1),
        (MacroF(), 1),
        (BalancedAccuracy(), 1),
        (BalancedAccuracy(), 2),
        (MatthewsCorrelation(), 1),
    ],
)
@pytest.mark.parametrize("defensive", [None, 0.0, 0.25])
def test_q_is_the_formula(measure, n_models, defensive):
    models, y, rng = make(1)
    models = models[:n_models]
    costs = rng.uniform(1, 9, M)
    labeled, pending, excluded = [3, 5, 20, 7], [8], [9, 10]
    belief = believed(measure, models, labeled, y)
    by = "difference" if measure.is_ratio else "self_normalized"
    informed = influence(target_of(measure, models), belief, by) / np.sqrt(costs)
    uniform = 1 / np.sqrt(costs)
    for each in (informed, uniform):
        each[labeled + pending + excluded] = 0
    of_evened = share_of_evened(measure, n_models, 4) if defensive is None else 0.0
    share = 2 / 8 if defensive is None else defensive
    if share == 0:
        nothing = (informed <= 1e-9 * informed.max()) & (uniform > 0)
        informed[nothing] = 0.01 * informed.max() * uniform[nothing] / uniform.max()
    if of_evened:
        evened = uniform * evened_by_hand(measure, models)
        evened *= of_evened / evened.sum()
        others = (1 - of_evened) * share * uniform / uniform.sum() + evened
        informed = np.maximum(informed / informed.sum() - others, 0)
    expected = (1 - share) * informed / informed.sum() + share * uniform / uniform.sum()
    if of_evened:
        expected = (1 - of_evened) * expected + evened
    q = adaptive_q(
        measure,
        models,
        labeled + excluded,
        [*y[labeled], None, None],
        costs=costs,
        drawn=pending,
        defensive=defensive,
    )
    np.testing.assert_allclose(q, expected, rtol=1e-9)


@pytest.mark.parametrize("pairs", [None, [(0, 2), (1, 2)]])
def test_q_of_three_models_is_the_mixture_of_their_pairs(pairs):
    models, y, rng = make(1)
    models = [*models, ClassPredictions(rng.dirichlet([1, 1], M))]
    costs, labeled, pending = rng.uniform(1, 9, M), [3, 5, 20, 7], [8]
    belief = believed(ErrorRate(), models, labeled, y)
    left = np.ones(M)
    left[labeled + pending] = 0
    mixed = np.zeros(M)
    for i, j in pairs or [(0, 1), (0, 2), (1, 2)]:
        informed = influence(target_of(ErrorRate(), [models[i], models[j]]), belief, "self_normalized")
        informed *= left / np.sqrt(costs)
        mixed += informed / informed.sum()
    uniform = left / np.sqrt(costs)
    expected = 0.75 * mixed / mixed.sum() + 0.25 * uniform / uniform.sum()
    q = adaptive_q(ErrorRate(), models, labeled, y[labeled], costs=costs, drawn=pending, pairs=pairs)
    np.testing.assert_allclose(q, expected, rtol=1e-9)


def test_q_of_two_models_is_where_they_can_differ():
    models, y, rng = make(1)
    costs, labeled = rng.uniform(1, 9, M), [3, 5, 20, 7]
    belief = believed(ErrorRate(), models, labeled, y)
    differ = models[0].y_pred != models[1].y_pred
    everywhere = 1 / np.sqrt(costs)
    everywhere[labeled] = 0
    uniform = np.where(differ, everywhere, 0)
    informed = influence(target_of(ErrorRate(), models), belief, "self_normalized") * uniform
    there = 0.75 * informed / informed.sum() + 0.25 * uniform / uniform.sum()
    q = adaptive_q(ErrorRate(), models, labeled, y[labeled], costs=costs)
    np.testing.assert_allclose(q, 0.9 * there + 0.1 * everywhere / everywhere.sum(), rtol=1e-9)


def test_draws_of_rankings_are_by_the_standard_deviation():
    """Grades don't correct what is expected of them, and a control variate explains that."""
    known = {"a": [0.2, 0.5, 0.3], "b": [0.6, 0.3, 0.1], "c": [0.1, 0.1, 0.8]}
    target = target_of(DCG(), [RankingPredictions(["ab", "c", "cab"], [known] * 3, grades=[0, 1, 2])])
    belief = recalibrate(target.measure, target.models, np.zeros(0, dtype=int), [])
    by_moment, by_deviation = (influence(target, belief, by) for by in ("self_normalized", "difference"))
    np.testing.assert_allclose(informed_sizes(target, belief), by_deviation)
    assert not np.isclose(by_moment, by_deviation).all()


def test_labels_from_before_only_recalibrate_q():
    """They are in the belief like others; but they add nothing to the number of labels, and may be drawn."""
    models, y, _ = make(1)
    labeled, before = [3, 5, 20, 7], [30, 0, 12]
    informed = influence(
        target_of(BrierScore(), models[:1]),
        believed(BrierScore(), models[:1], labeled + before, y),
        "self_normalized",
    )
    left = np.ones(M)
    left[labeled] = informed[labeled] = 0
    q = adaptive_q(BrierScore(), models[0], labeled, y[labeled], prior=(before, y[before]))
    np.testing.assert_allclose(q, 0.75 * informed / informed.sum() + 0.25 * left / left.sum(), rtol=1e-9)
    assert np.abs(q - adaptive_q(BrierScore(), models[0], labeled, y[labeled])).max() > 1e-4


def test_where_all_was_drawn_q_is_0_and_the_last_instance_is_certain():
    models, y, rng = make(1)
    costs = rng.uniform(1, 9, M)
    for measure, chosen, cost in (
        (ErrorRate(), models[:1], None),
        (ErrorRate(), models, costs),
        (FMeasure(), models[:1], costs),
    ):
        q_after = partial(adaptive_q, measure, chosen, costs=cost)
        assert q_after(np.arange(M), y).tolist() == [0.0] * M
        assert q_after(np.arange(M - 1), y[:-1], drawn=[M - 1]).tolist() == [0.0] * M
        assert q_after(np.arange(M - 1), y[:-1]) == pytest.approx(np.eye(M)[-1])
    of_rows = models[0].with_counts(np.full(M, 2))
    twice = np.repeat(np.arange(M), 2)
    assert adaptive_q(ErrorRate(), of_rows, twice, y[twice]).tolist() == [0.0] * M
    assert adaptive_q(ErrorRate(), of_rows, twice[:-1], y[twice[:-1]]) == pytest.approx(np.eye(M)[-1])


def test_draws_of_values_are_by_the_second_moment():
    target = target_of(SquaredError(), [ValuePredictions([0.0, 1.0, 2.0], variance=[0.5, 1.0, 4.0])])
    belief = recalibrate(target.measure, target.models, np.zeros(0, dtype=int), [])
    by_moment, by_deviation = (influence(target, belief, by) for by in ("self_normalized", "difference"))
    np.testing.assert_allclose(informed_sizes(target, belief), by_moment)
    assert not np.isclose(by_moment, by_deviation).all()


def test_known_labels_shape_q():
    """What was found is no longer in doubt, so the measure that q is the best for is another one."""
    p = np.full(30, 0.3)
    p[:10] = 0.9
    model = ClassPredictions(np.column_stack([1 - p, p]))
    labeled, y = list(range(8)), [0] * 8
    belief = recalibrate(FMeasure(), [model], np.array(labeled), y)
    ignored = influence(target_of(FMeasure(), [model]), belief, "difference")
    ignored[labeled] = 0
    q = adaptive_q(FMeasure(), model, labeled, y, defensive=0.0)
    assert np.abs(q - ignored / ignored.sum()).max() > 1e-4


def test_the_defensive_share_has_a_floor():
    assert {defensive_share(each, 0) for each in (ErrorRate(), CohenKappa(), MacroF(), Recall())} == {0.5}
    assert defensive_share(ErrorRate(), 2) == 1 / 3
    assert defensive_share(ErrorRate(), 10_000) == 0.2
    assert defensive_share(FMeasure(), 10_000) == defensive_share(CohenKappa(), 10_000) == 0.1
    assert defensive_share(BalancedAccuracy(), 4) == 0.25
    assert defensive_share(BalancedAccuracy(), 10_000) == 0.1
    assert defensive_share(SquaredError(), 10_000) == 0.3
    assert defensive_share(ROCAUC(), 0) == defensive_share(ROCAUC(), 10_000) == 0.6
    assert defensive_share(AveragePrecision(), 10_000) == defensive_share(DCG(), 10_000) == 0.1
    other = DrawRule(least=0.15, least_for_bounded=0.25, least_for_unbounded=0.35, trust=5.0)
    assert defensive_share(ErrorRate(), 0, other) == 0.5
    assert defensive_share(ErrorRate(), 2, other) == 5 / 12
    assert defensive_share(ErrorRate(), 10_000, other) == 0.25
    assert defensive_share(FMeasure(), 10_000, other) == 0.15
    assert defensive_share(MacroF(), 10, other) == 0.25
    assert defensive_share(SquaredError(), 10_000, other) == 0.35
    # And no probability is below what it leaves to each.
    models, y, _ = make(0)
    labeled = list(range(30))
    q = adaptive_q(FMeasure(), models[0], labeled, y[:30])
    assert q[30:].min() >= 0.5 * 0.1 / 10 * (1 - 1e-12)


def test_the_share_by_predicted_classes_falls_once_there_are_labels():
    of_f, of_macro = (partial(DRAW_RULE.favored_share, measure) for measure in (FMeasure(), MacroF()))
    assert of_f(np.array([0.0, 100, 150, 200, 300, 1000, np.inf])) == pytest.approx(
        [0.5, 0.5, 0.45, 0.4, 0.3, 0.3, 0.3]
    )
    assert of_macro(0.0) == of_macro(np.inf) == 0.2
    assert DRAW_RULE.favored_share(ErrorRate(), 50.0) == 0.1
    assert replace(DRAW_RULE, alike_share=None).favored_share(ErrorRate(), 50.0) == 0

    class NotEvened(FMeasure):
        is_evened = False

    assert DRAW_RULE.favored_share(NotEvened(), 50.0) == 0.1
    other = replace(DRAW_RULE, evened_for_ratios=((10.0, 20.0), (0.4, 0.2)), evened=0.6)
    assert other.favored_share(Recall(), 15.0) == pytest.approx(0.3)
    assert other.favored_share(BalancedAccuracy(), 15.0) == 0.6


def test_q_after_many_labels():
    """The share by predicted classes is that after so many labels, in the end the last one."""
    rng = np.random.default_rng(8)
    p = rng.beta(0.5, 3, 500)
    model, y = ClassPredictions(np.column_stack([1 - p, p])), (rng.random(500) < p).astype(int)
    labeled = np.arange(200)
    target, positive = target_of(FMeasure(), [model]), model.pred_codes == 1
    root = np.where(positive, (0.75 / positive.sum()) ** 0.5, (0.25 / (~positive).sum()) ** 0.5)
    belief = recalibrate(FMeasure(), [model], labeled, y[:200], with_labels=True)
    later = influence(target, belief, "difference")
    told = influence(target, mixture([model]), "difference")
    now = adaptive_q(FMeasure(), model, labeled, y[:200])
    for q, s, left, eta in (
        (now, later, np.arange(500) >= 200, 0.4),
        (settled_q(target, told, np.ones(500), DRAW_RULE), told, np.ones(500), 0.3),
    ):
        even, evened, s = left / left.sum(), root * left / (root @ left), s * left / (s @ left)
        over = np.maximum(s - (1 - eta) * 0.1 * even - eta * evened, 0)
        expected = (1 - eta) * (0.9 * over / over.sum() + 0.1 * even) + eta * evened
        np.testing.assert_allclose(q, expected, rtol=1e-9)


def test_where_no_label_can_change_a_ratio_its_draws_are_as_without():
    """Precision is about predicted positives: once all are drawn, nothing is favored."""
    p = np.array([0.9, 0.8, 0.1, 0.2, 0.3])
    model = ClassPredictions(np.column_stack([1 - p, p]))
    q = adaptive_q(Precision(), model, [0], [1])
    # One positive is left; ε is 2/5, and half of all draws are by predicted classes.
    assert q[1] == pytest.approx(0.5 * (0.6 + 0.4 / 4) + 0.5)
    np.testing.assert_allclose(q[2:], 0.5 * 0.4 / 4)
    np.testing.assert_allclose(adaptive_q(Precision(), model, [0, 1], [1, 0])[2:], 1 / 3)
    never = ClassPredictions(np.full((4, 2), [0.9, 0.1]))
    np.testing.assert_allclose(adaptive_q(Precision(), never), 0.25)
    # And the weights know it.
    draws, q_draws = [0, 1, 4, 2], [0.4, q[1], 0.3, 0.4]
    target = target_of(Precision(), [model])
    found = weigh(target, check_drawn(target, draws, q_draws, [1, 0, 0, 0]))
    assert found.value == pytest.approx(0.5, abs=1e-9)
    assert np.isfinite(found.weights).all()


def test_classes_with_equal_statistics_are_one_group():
    y_proba = np.eye(4)[[0, 1, 1, 2, 3, 3]]
    model = ClassPredictions(y_proba)
    groups, reach = FMeasure(positive=2).evened_groups(model)
    assert groups[0] == groups[1] == groups[3] != groups[2]
    assert reach[groups] == pytest.approx([0.25, 0.25, 0.75, 0.25])
    sizes = evened_sizes(target_of(FMeasure(positive=2), [model]))
    share = np.sqrt(0.75 / 6) / (np.sqrt(0.75 / 6) + np.sqrt(0.25 * 5 / 6))
    assert sizes[3] == pytest.approx(6 * share)
    assert np.delete(sizes, 3) == pytest.approx(6 * (1 - share) / 5)
    own = Ratio.from_tables("ratio", [[1, 0], [0, 0]], [[1, 1], [0, 0]])
    assert own.is_evened
    assert not Ratio.from_tables("ratio", [[2, 0], [0, 0]], [[1, 1], [0, 0]], is_share=False).is_evened


def test_the_constants_are_these():
    """Whoever changes one changes the draws of new sessions; those begun before keep theirs."""
    allocation = (
        *((0.06, 0.07, 0.08, 0.09, 0.12, 0.13, 0.1, 0.05, 0.04), 0.45),
        *((0.03, 0.03, 0.03, 0.04, 0.05, 0.05, 0.03, 0.02, 0.01), (5, 10, 20, 50, 100, 200, 400, 800, 1600)),
        *((0.1, 0.05), (0.3, 0.75), 40, (100, 100)),
    )
    by_classes = (0.2, ((100.0, 300.0), (0.5, 0.3)))
    constants = (
        0.1,
        0.2,
        0.3,
        0.6,
        *by_classes,
        2.0,
        20.0,
        (2.0, 15.0),
        (1.0, 1.0),
        0.1,
        3.0,
        allocation,
        None,
    )
    assert astuple(DRAW_RULE) == constants


def test_only_errors_of_ratios_allow_for_what_is_seldom_drawn():
    assert [DRAW_RULE.times_unmet(each) for each in (FMeasure(), ErrorRate(), MacroF())] == [3.0, 0.0, 0.0]


def test_constants_are_read_from_what_is_written():
    other = replace(DRAW_RULE, trust=7.5, alike_share=None, early_doubt=(1.0, 3.0))
    with_sheets = other.with_sheets("positive")
    for rule in (DRAW_RULE, other, with_sheets):
        assert DrawRule.from_identity(rule.identity) == rule
    assert "sheets" not in json.loads(other.identity)
    assert json.loads(with_sheets.identity)["sheets"]["asks"] == "positive"
    assert with_sheets.at_sheet_cost(0.25).sheets == SheetRule(cost=0.25, asks="positive")
    assert with_sheets.at_sheet_cost(None) is with_sheets
    assert other.at_sheet_cost(0.25) is other
    assert json.loads(other.identity)["allocation"]["firsts"][0] == 5
    known = json.loads(DRAW_RULE.identity)
    for strange in (
        *("", "5", "[]", "null"),
        json.dumps({**known, "power": 2.0}),
        json.dumps({name: value for name, value in known.items() if name != "trust"}),
        json.dumps({**known, "allocation": {}}),
    ):
        assert DrawRule.from_identity(strange) is None


def test_one_models_roc_auc_is_drawn_more_evenly_than_a_difference():
    """And estimates know which share each probability is sure to have."""
    models, y, _ = make(0)
    labeled = list(range(20))
    for chosen, share in ((models[:1], 0.6), (models, 0.1)):
        target, q = target_of(ROCAUC(), chosen), adaptive_q(ROCAUC(), chosen, labeled, y[labeled])
        assert share <= 20 * q[20:].min() < 1.5 * share
        assert q[20:].max() > 1.2 / 20
        promised = check_drawn(target, labeled, np.full(20, 0.5), y[labeled]).least_q
        np.testing.assert_allclose(promised, np.maximum(share, 2 / (4 + np.arange(20))) / M)
        settled = settled_q(target, np.eye(M)[0], np.ones(M), DRAW_RULE)
        assert settled[1:] == pytest.approx(share / M)


def test_costs_count_by_their_root():
    models, _, _ = make(0)
    costs = np.where(np.arange(M) < 20, 1.0, 16.0)
    q = adaptive_q(ErrorRate(), models[0], costs=costs, defensive=1.0)
    assert q[0] / q[39] == pytest.approx(4)


def test_a_candidate_goes_when_its_capital_has_reached_one_over_alpha():
    models, y, rng = make(2)
    sequence = AdaptiveConfidenceSequence(ErrorRate(), models[0], confidence_level=0.9)
    points = np.linspace(0, 1, 17)
    sequence._band.watch(points)
    gone, between = np.zeros(16, dtype=bool), 0
    for draw in rng.permutation(M)[:35].tolist():
        sequence.update(draw, np.full(M, 1 / M), y[draw])
        capital = sequence._band._bets.in_cells()[0]
        between += bool(((capital >= 5) & (capital < 10) & ~gone).any())
        gone |= capital >= 10
        kept = np.flatnonzero(~gone)
        assert sequence._band._low == points[kept[0]]
        assert sequence._band._high == points[kept[-1] + 1]
    assert between
    assert gone.any()


def test_before_the_first_label_a_share_of_doubt_goes_to_all_classes():
    rng = np.random.default_rng(0)
    model = ClassPredictions(rng.dirichlet(np.ones(3), 20))
    belief = recalibrate(ErrorRate(), [model], np.zeros(0, dtype=int), [])
    shares = model.y_proba.mean(axis=0)
    expected = 0.98 * model.y_proba + 0.02 * (0.9 * shares + 0.1 / 3)
    np.testing.assert_allclose(belief.y_proba, expected, rtol=1e-9)
    sure = ClassPredictions([[1.0, 0.0]] * 5)
    after = recalibrate(ErrorRate(), [sure], np.arange(5), [0] * 5)
    assert after.y_proba[0, 1] >= 0.2 / 15 * 0.1 / 2


@pytest.mark.parametrize("measure", [ErrorRate(), FMeasure()], ids=repr)
@pytest.mark.parametrize("n_models", [1, 2])
def test_recalibration_is_the_most_probable_correction(measure, n_models):
    """The likelihood times a normal prior, maximized by a general optimizer."""
    models, y, _ = make(3, power=4.0)
    # A class that hardly ever comes is not predicted at all.
    rare = [np.column_stack([model.y_proba * 0.98, np.full(M, 0.02)]) for model in models]
    models = [ClassPredictions(proba) for proba in rare[:n_models]]
    y = np.where(np.arange(M) == 4, 2, y)
    draws = np.arange(15)
    mixed = mixture(models).y_proba
    has_positive = measure.positive is not None
    shares = mixed.mean(axis=0)
    least = 3e-6 * shares
    features, deviations = [np.log(np.maximum(mixed, least) / shares)], [0.5]
    for model in models:
        own = np.eye(3)[model.pred_codes]
        if has_positive:
            features, deviations = [*features, own], [*deviations, 1.0]
        else:
            features += [own * (model.pred_codes == c)[:, np.newaxis] for c in range(2)]
            deviations += [0.7, 0.7]
    if has_positive:
        features, deviations = [*features, np.tile([0.0, 1.0, 0.0], (M, 1))], [*deviations, 1.0]
    stacked, deviations = np.stack(features, axis=-1), np.array(deviations)
    prior = np.array([1.0] + [0.0] * (len(features) - 1))

    def loss(parameters):
        scores = stacked[draws] @ parameters + np.log(shares)
        likelihood = log_softmax(scores, axis=1)[draws, y[draws]].sum()
        return -likelihood + 0.5 * (((parameters - prior) / deviations) ** 2).sum()

    best = minimize(loss, prior, tol=1e-12).x
    doubt = 0.2 / 25
    spread = 0.9 * shares + 0.1 / 3
    expected = (1 - doubt) * softmax(stacked @ best + np.log(shares), axis=1) + doubt * spread
    found = recalibrate(measure, models, draws, y[draws])
    np.testing.assert_allclose(found.y_proba, expected, atol=1e-5)
    some = np.array([7, 3])
    np.testing.assert_allclose(found.proba_of(some), expected[some], atol=1e-5)


def test_a_power_leaves_rare_classes_rare():
    """Labels that want a power below 1: what a class with a thousandth of the pool is expected to have."""
    rng = np.random.default_rng(2)
    sure = rng.random(1000) < 0.5
    proba = np.where(sure[:, np.newaxis], [0.9989, 1e-4, 1e-3], [1e-4, 0.9989, 1e-3])
    model = ClassPredictions(proba)
    draws = np.arange(200)
    y = np.where(rng.random(200) < 0.05, 1 - model.pred_codes[:200], model.pred_codes[:200])
    found = recalibrate(MacroF(), [model], draws, y).y_proba.sum(axis=0)
    assert found[2] < 2
    assert found[0] == pytest.approx(0.95 * sure.sum() + 0.05 * (1000 - sure.sum()), rel=0.1)


def test_variances_that_are_not_known_become_one_constant():
    plain = recalibrate(
        SquaredError(), [ValuePredictions(np.arange(6.0))], np.array([0, 2, 4]), [3.0, 2.5, 4.0]
    )
    np.testing.assert_allclose(plain.variances[0], np.full(6, (9 + 0.25) / 3))


@pytest.mark.parametrize("variance", [1e-300, 1e-100, 1e-60, 1e-30])
@pytest.mark.parametrize("measure", [SquaredError(), AbsoluteError()], ids=str)
def test_variances_that_are_far_too_small_are_corrected(measure, variance):
    model, draws, labels = ValuePredictions(np.zeros(6), np.full(6, variance)), np.array([0, 2]), [3.0, 2.5]
    assert (recalibrate(measure, [model], draws, labels).variances > variance).all()
    found = estimate_adaptive(measure, model, draws, 1 / (6 - np.arange(2)), labels)
    assert 0 <= found.low <= found.value <= found.high


@pytest.mark.parametrize("n_models", [1, 2])
def test_variances_get_a_scale_and_a_power(n_models):
    """The most probable ones, by a general optimizer; models share them."""
    rng = np.random.default_rng(n_models)
    means, promised = rng.normal(size=(2, n_models, 60))
    promised = np.exp(promised)
    models = [ValuePredictions(*pair) for pair in zip(means, promised, strict=True)]
    draws = np.arange(40)
    y = means[0][draws] + rng.normal(size=40) * 2 * promised[0][draws] ** 0.1
    typical = np.exp(np.log(promised).mean())

    def corrected(parameters):
        return typical * np.exp(parameters[0] + parameters[1] * np.log(promised / typical))

    def loss(parameters):
        scale, power = parameters
        variances = corrected(parameters)[:, draws]
        likelihood = -0.5 * (np.log(variances) + (y - means[:, draws]) ** 2 / variances).sum() / n_models
        return -likelihood + 5 * (scale + np.exp(-scale)) + 2 * (power - 1) ** 2

    best = minimize(loss, [0.0, 1.0], tol=1e-12).x
    found = recalibrate(SquaredError(), models, draws, y)
    np.testing.assert_allclose(found.variances, corrected(best), rtol=1e-5)
    assert best[1] < 0.6
    before = recalibrate(SquaredError(), models, np.zeros(0, dtype=int), [])
    np.testing.assert_allclose(before.variances, promised)


def test_losses_of_values_are_corrected_by_a_factor():
    rng = np.random.default_rng(1)
    expected, spread = rng.uniform(0.5, 2, (30, 1)), rng.uniform(0.5, 2, 30)
    draws = np.arange(12)
    z = 1.5 * expected[draws] + rng.normal(0, 0.1, (12, 1))
    weights = spread[draws] ** -2.0
    own = expected[draws, 0]
    factor = (10 + (weights @ (z[:, 0] * own)) / (weights @ own**2 / 12)) / 22
    made = corrected_mean(expected, spread, draws, z, by_factor=True)
    np.testing.assert_allclose(made, factor * expected)
    # What can be 0 gets a constant as well.
    shifted = expected - expected.min()
    np.testing.assert_array_equal(
        corrected_mean(shifted, spread, draws, z, by_factor=True), corrected_mean(shifted, spread, draws, z)
    )


def test_expectations_are_corrected_by_weighted_least_squares():
    """Against the same as a least squares problem with ten labels' worth of prior rows."""
    rng = np.random.default_rng(1)
    expected, spread = rng.random((30, 1)), rng.uniform(0.5, 2, 30)
    draws = np.arange(12)
    z = 0.4 + 1.7 * expected[draws] + rng.normal(0, 0.1, (12, 1))
    weights = spread[draws] ** -2.0
    weights /= weights.mean()
    slope = expected[:, 0] - expected[:, 0].mean()
    rows = np.column_stack([np.ones(12), slope[draws]]) * np.sqrt(weights)[:, np.newaxis]
    right = (z[:, 0] - expected[draws, 0]) * np.sqrt(weights)
    prior = np.diag([np.sqrt(10), np.sqrt(10 * (slope**2).mean())])
    solution = np.linalg.lstsq(np.vstack([rows, prior]), np.append(right, [0, 0]), rcond=None)[0]
    made = corrected_mean(expected, spread, draws, z)
    np.testing.assert_allclose(made[:, 0], expected[:, 0] + solution[0] + solution[1] * slope)


def test_exclusions_enter_the_standard_error_of_the_difference_estimator():
    """A quotient of two means: its variance is that of (numerator − quotient · denominator)."""
    models, y, rng = make(4)
    q = np.full(M, 1 / M)
    draws = rng.integers(M, size=30)
    labels = [None if i % 4 == 0 else y[i] for i in draws]
    result = estimate(ErrorRate(), models[0], q, draws, labels, estimator="difference", interval="wald")
    wrong = np.array(
        [
            0.0 if label is None else label != models[0].pred_codes[i]
            for i, label in zip(draws, labels, strict=True)
        ]
    )
    has_label = np.array([label is not None for label in labels], dtype=float)
    expected = 1 - models[0].confidence
    numerators = expected.mean() + wrong - expected[draws]
    value = numerators.mean() / has_label.mean()
    assert result.value == pytest.approx(value)
    linear = (numerators - value * has_label) / has_label.mean()
    assert result.standard_error == pytest.approx(linear.std(ddof=1) / np.sqrt(30))


def test_what_is_said_of_its_bias_holds():
    """All paths of two draws from a pool of five, all labels: the docstring's figures."""
    biases = []
    for p in ([0.9, 0.8, 0.3, 0.6, 0.2], [0.99, 0.01, 0.6, 0.9, 0.3]):
        model = ClassPredictions(np.column_stack([1 - np.array(p), p]))
        first = adaptive_q(ErrorRate(), model)
        for y in ([0, 0, 1, 1, 1], [1, 1, 0, 1, 0], [1, 1, 1, 1, 1], [0, 1, 1, 0, 1]):
            mean = 0.0
            for i in range(5):
                second = adaptive_q(ErrorRate(), model, [i], [y[i]])
                for j in set(range(5)) - {i}:
                    q_draws = [first[i], second[j]]
                    found = estimate_adaptive(ErrorRate(), model, [i, j], q_draws, [y[i], y[j]])
                    mean += first[i] * second[j] * found.value
            biases.append(mean - pool_value(ErrorRate(), model, y))
    assert -0.17 < min(biases) < -0.16
    assert 0.05 < max(biases) < 0.1


@pytest.mark.parametrize("is_surprised", [False, True])
def test_the_approximate_interval_is_made_of_the_larger_of_two_variances(is_surprised):
    """What draws show, with caution, or what is expected of each: uniform draws, term after term."""
    models, _, rng = make(9)
    target, n = target_of(ErrorRate(), models[:1]), 12
    draws, q_draws = rng.permutation(M)[:n], 1 / (M - np.arange(n))
    predicted = models[0].pred_codes[draws]
    labels = np.where(np.arange(n) % 2, predicted, 1 - predicted) if is_surprised else predicted
    found = weigh(target, check_drawn(target, draws, q_draws, labels))
    spread = control_variate(target, draws, labels).spread
    expected = 0.0
    for t, weight in enumerate(found.weights):
        left = np.setdiff1d(np.arange(M), draws[:t])
        expected += weight**2 * ((M - t) - 1) * (spread[left] ** 2).sum() / M**2
    seen = n / (n - 1) * (found.influences**2).sum() * caution(found.influences)
    assert bool(seen > expected) is is_surprised
    assert found.cautious == pytest.approx(max(seen, expected), rel=1e-9)
