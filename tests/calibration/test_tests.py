"""Type I error, power and coverage by seeded replication, each held to an exact binomial bound."""

from math import sqrt

import numpy as np
import pytest
from scipy.stats import binom, norm, studentized_range

from activeeval_widgets.stats import (
    BalancedAccuracy,
    ClassPredictions,
    ErrorRate,
    FMeasure,
    LogLoss,
    MatthewsCorrelation,
    SquaredError,
    ValuePredictions,
    asymptotic_variance,
    compare_all,
    estimate,
    optimal_q,
    replicate,
    uniform_q,
    wald_power,
)

ONCE_IN_A_MILLION = 1e-6


def plausible(n_replications: int, low: float, high: float) -> tuple[int, int]:
    """The counts of an event whose probability is from `low` to `high`, but once in a million runs."""
    return (
        int(binom.ppf(ONCE_IN_A_MILLION, n_replications, low)),
        int(binom.ppf(1 - ONCE_IN_A_MILLION, n_replications, high)),
    )


@pytest.fixture(scope="module")
def pool():
    """Two models of 5,000 instances, both near the truth; labels follow the mean of what they say."""
    rng = np.random.default_rng(11)
    score = rng.normal(0, 2, 5000)
    p = 1 / (1 + np.exp(-score))
    other = 1 / (1 + np.exp(-score - rng.normal(0, 1.2, 5000)))
    y_true = (rng.random(5000) < (p + other) / 2).astype(int)
    return [ClassPredictions(np.column_stack([1 - each, each])) for each in (p, other)], y_true


@pytest.mark.parametrize(
    "measure", [ErrorRate(), LogLoss(), FMeasure(), BalancedAccuracy(), MatthewsCorrelation()], ids=repr
)
def test_wald_covers_for_one_model(pool, measure):
    models, y_true = pool
    table = replicate(
        measure,
        models[0],
        y_true,
        methods={"passive": "passive", "active": optimal_q(measure, models[0], defensive=0.1)},
        budgets=[600],
        n_replications=2000,
        rng=np.random.default_rng(1),
    )
    low, high = plausible(2000, 0.935, 0.96)
    assert (low <= 2000 * table["coverage"]).all()
    assert (2000 * table["coverage"] <= high).all()


@pytest.mark.parametrize("measure", [ErrorRate(), LogLoss(), FMeasure()], ids=repr)
def test_wald_covers_for_the_difference_of_two_models(pool, measure):
    models, y_true = pool
    table = replicate(
        measure,
        models,
        y_true,
        methods={"passive": "passive", "active": optimal_q(measure, models, defensive=0.2)},
        budgets=[600],
        n_replications=2000,
        rng=np.random.default_rng(2),
    )
    low, high = plausible(2000, 0.93, 0.965)
    assert (low <= 2000 * table["coverage"]).all()
    assert (2000 * table["coverage"] <= high).all()


@pytest.mark.parametrize("n_draws", [100, 400])
@pytest.mark.parametrize("share", [0.0, 0.15, 0.3])
def test_the_paired_wald_test_keeps_its_level_and_has_the_power_of_the_formula(share, n_draws):
    """Rejections in 4,000 replications against T, 5.3–5.4, at no difference and at two."""
    rng = np.random.default_rng(3)
    truth = np.tile(rng.normal(size=2000), 2)
    a, b = truth[:2000] + rng.normal(size=(2, 2000))
    # On the second half the models change places: the difference over the pool is exactly 0 …
    first, second = np.concatenate([a, b]), np.concatenate([b, a])
    # … until the first one's distances from the truth grow.
    first = truth + (first - truth) * (1 + share)
    table = replicate(
        SquaredError(),
        [ValuePredictions(first), ValuePredictions(second)],
        truth,
        methods=["passive"],
        budgets=[n_draws],
        n_replications=4000,
        rng=np.random.default_rng(4),
    )
    delta = (first - truth) ** 2 - (second - truth) ** 2
    assert (abs(delta.mean()) < 1e-12) == (share == 0)
    power = wald_power(delta.mean(), delta.std(), n_draws)
    # The formula takes S for known; at these n that is worth up to a hundredth and a half.
    low, high = plausible(4000, max(0.0, power - 0.015), min(1.0, power + 0.015))
    assert low <= 4000 * table["significant"][0] <= high


@pytest.mark.parametrize("design", ["passive", "active"])
def test_tukey_keeps_its_family_wise_error(design):
    """Trap 4: k = 4 models with equal error rates, n = 100 draws, zero-one losses."""
    k, n_draws, n_replications = 4, 100, 4000
    n_instances = 4000
    rng = np.random.default_rng(5)
    # Each model errs on a fifth of the pool, independently: all differences are exactly 0.
    wrong = np.array([rng.permutation(np.arange(n_instances) < n_instances // 5) for _ in range(k)])
    confidence = np.where(wrong, 0.6, 0.85)
    models = [
        ClassPredictions(np.column_stack([c, 1 - c]), y_pred=w.astype(int))
        for c, w in zip(confidence, wrong, strict=True)
    ]
    y_true = np.zeros(n_instances, dtype=int)
    q = uniform_q(n_instances) if design == "passive" else optimal_q(ErrorRate(), models, defensive=0.5)
    critical = studentized_range.isf(0.05, k, (n_draws - 1) * k)
    cumulative = q.cumsum() / q.sum()
    draws = np.searchsorted(cumulative, rng.random((n_replications, n_draws)), side="right")
    v = 1 / (n_instances * q[draws])
    total = v.sum(axis=1)
    loss = wrong[:, draws].astype(float)
    risks = (v * loss).sum(axis=2) / total
    variances = [
        n_draws * ((v * (loss[a] - loss[b] - (risks[a] - risks[b])[:, None])) ** 2).sum(axis=1) / total**2
        for a in range(k)
        for b in range(a)
    ]
    deviation = np.sqrt(np.mean(variances, axis=0))
    statistic = sqrt(n_draws) * (risks.max(axis=0) - risks.min(axis=0)) / (deviation / sqrt(2))
    rejected = statistic > critical
    low, high = plausible(n_replications, 0.04, 0.06)
    assert low <= rejected.sum() <= high
    # The arithmetic above is that of compare_all.
    for replication in range(5):
        table = compare_all(
            ErrorRate(), models, q, draws[replication], y_true[draws[replication]], correction="tukey"
        )
        assert max(row.statistic for row in table) == pytest.approx(statistic[replication], rel=1e-9)
        assert (table.pvalue < 0.05) == rejected[replication]


@pytest.mark.parametrize("k", [4, 8])
def test_the_default_keeps_its_family_wise_error_where_pairs_have_unequal_variances(k):
    """k − 1 near-identical models and one that is different, all with the same error rate.

    Tukey's test pools the pairs' variances, so the pairs with the different model get too small a one.
    """
    n_instances, n_draws, n_replications = 4000, 200, 4000
    rng = np.random.default_rng(5)
    base = rng.permutation(n_instances) < n_instances // 5
    wrong = np.tile(base, (k, 1))
    wrong[-1] = rng.permutation(base)
    for row in wrong[:-1]:
        row[rng.choice(np.flatnonzero(base), 20, replace=False)] = False
        row[rng.choice(np.flatnonzero(~base), 20, replace=False)] = True
    assert (wrong.sum(axis=1) == n_instances // 5).all()
    draws = rng.integers(n_instances, size=(n_replications, n_draws))
    loss = wrong[:, draws].astype(float)
    first, second = np.triu_indices(k, 1)
    gaps = loss[first] - loss[second]
    value = gaps.mean(axis=2)
    variance = ((gaps - value[..., None]) ** 2).mean(axis=2)
    # A pair that differs in no draw says nothing.
    wald = np.sqrt(n_draws) * np.abs(value) / np.where(variance > 0, np.sqrt(variance), np.inf)
    least = len(first) * 2 * norm.sf(wald.max(axis=0))
    pooled = np.sqrt(variance.mean(axis=0) / 2)
    tukey = np.sqrt(n_draws) * np.abs(value).max(axis=0) / pooled > studentized_range.isf(
        0.05, k, (n_draws - 1) * k
    )
    assert (least < 0.05).sum() <= binom.ppf(1 - ONCE_IN_A_MILLION, n_replications, 0.05)
    # What the docstring says of Tukey's: 8 and 15 %.
    assert tukey.mean() == pytest.approx({4: 0.08, 8: 0.15}[k], abs=0.01)
    # The arithmetic above is that of compare_all; Holm's first step is Bonferroni's.
    models = [
        ClassPredictions(np.tile([0.5, 0.5], (n_instances, 1)), y_pred=each.astype(int)) for each in wrong
    ]
    for replication in (0, *np.argsort(least)[:3]):
        sample = draws[replication], np.zeros(n_draws, dtype=int)
        table = compare_all(ErrorRate(), models, uniform_q(n_instances), *sample)
        assert table.correction == "holm"
        assert table.pvalue == pytest.approx(min(1.0, least[replication]), rel=1e-9)


def test_the_promised_variance_is_the_one_that_comes_about(pool):
    """√n times the standard error against `asymptotic_variance`, where labels follow the belief."""
    models, _ = pool
    model = models[0]
    rng = np.random.default_rng(6)
    for measure in (ErrorRate(), FMeasure(), LogLoss()):
        q = optimal_q(measure, model, defensive=0.1)
        promised = sqrt(asymptotic_variance(measure, model, q))
        found = []
        for _ in range(40):
            draws = rng.choice(5000, 2000, p=q)
            labels = (rng.random(2000) < model.y_proba[draws, 1]).astype(int)
            found.append(sqrt(2000) * estimate(measure, model, q, draws, labels).standard_error)
        assert np.mean(found) == pytest.approx(promised, rel=0.03)


def test_draws_of_the_optimal_distribution_spread_less(pool):
    """Over 4,000 replications each, by the F test's exact law on variances of nearly normal estimates."""
    models, _ = pool
    rng = np.random.default_rng(8)
    # On a calibrated pool: labels follow the model.
    y_true = (rng.random(5000) < models[0].y_proba[:, 1]).astype(int)
    table = replicate(
        FMeasure(),
        models[0],
        y_true,
        methods=["passive", "active"],
        budgets=[400],
        n_replications=4000,
        rng=rng,
    )
    promised = [
        asymptotic_variance(FMeasure(), models[0], q)
        for q in (uniform_q(5000), optimal_q(FMeasure(), models[0]))
    ]
    ratio = (table["rmse"][1] / table["rmse"][0]) ** 2
    assert ratio < 1
    assert ratio == pytest.approx(promised[1] / promised[0], rel=0.12)
