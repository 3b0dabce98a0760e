"""Adaptive draws where some instances can't be labeled: what is left may be unlike the pool."""

import numpy as np
import pytest
from scipy.stats import binom

from activeeval_widgets.stats import (
    DCG,
    AdaptiveConfidenceSequence,
    BrierScore,
    ClassPredictions,
    ErrorRate,
    FMeasure,
    LogLoss,
    RankingPredictions,
    Recall,
    RSquared,
    Specificity,
    SquaredError,
    ValuePredictions,
    adaptive_q,
    draw_without_replacement,
)
from activeeval_widgets.stats.questions.make import target_of

N_SESSIONS = 10
N_DRAWS = 40
BLOCK = 20
LEVEL = 0.95


def hard_tenth():
    """p = 0.99, but a tenth with p = 0.5, which can't be labeled."""
    p = np.where(np.arange(400) < 40, 0.5, 0.99)
    model = ClassPredictions(np.column_stack([p, 1 - p]))
    return model, (np.random.default_rng(1).random(400) > p).astype(int), p > 0.5


def two_lengths(*, keeps_long):
    """Lists of one item and of ten, most of them relevant; half of the queries can't be labeled."""
    rng = np.random.default_rng(2)
    lengths = np.where(np.arange(60) % 2, 1, 10)
    chances = [0.02, 0.08, 0.9]
    model = RankingPredictions(
        [range(n) for n in lengths], [np.tile(chances, (n, 1)) for n in lengths], grades=[0, 1, 2]
    )
    labels = [{item: int(rng.choice(3, p=chances)) for item in range(n)} for n in lengths]
    return model, labels, (lengths == 10) == keeps_long


def far_values():
    """Predictions at one end of the range have the greatest possible losses; only they can be labeled."""
    mean = np.where(np.arange(60) < 6, 0.0, 5.0)
    return ValuePredictions(mean, np.full(60, 1.0)), np.full(60, 10.0), mean == 0


def two_models():
    """They differ on a tenth, and nothing else can be labeled."""
    proba = np.tile([0.5, 0.5], (100, 1))
    models = [ClassPredictions(proba, y_pred=(np.arange(100) < k).astype(int)) for k in (10, 0)]
    return models, np.zeros(100, dtype=int), np.arange(100) < 10


CASES = {
    "Brier": (BrierScore(), hard_tenth(), None),
    "log loss": (LogLoss(), hard_tenth(), None),
    "DCG of long lists": (DCG(), two_lengths(keeps_long=True), None),
    "DCG of short lists": (DCG(), two_lengths(keeps_long=False), None),
    "squared error": (SquaredError(), far_values(), (0.0, 10.0)),
    "two models": (ErrorRate(), two_models(), None),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_the_value_on_what_can_be_labeled_is_never_outside(name):
    """Watched at every draw from the first on, before any exclusion and after."""
    measure, (model, labels, kept), y_range = CASES[name]
    target = target_of(measure, model if isinstance(model, list) else [model])
    found = np.flatnonzero(kept)
    truth = float(target.g(target.statistics([labels[i] for i in found], found).mean(axis=0)))
    sequence = AdaptiveConfidenceSequence(measure, model, confidence_level=LEVEL, y_range=y_range)
    assert sequence.low - 1e-9 <= truth <= sequence.high + 1e-9
    outside = 0
    for seed in range(N_SESSIONS):
        rng, draws, bounds = np.random.default_rng(seed), [], []
        sequence.restart()
        while len(draws) < N_DRAWS:
            q = adaptive_q(measure, model, draws, [labels[i] if kept[i] else None for i in draws])
            for draw in draw_without_replacement(q, BLOCK, rng)[0].tolist():
                bounds.append(sequence.update(draw, q, labels[draw] if kept[draw] else None))
                draws.append(draw)
        low, high = np.array(bounds).T
        outside += bool(((low > truth + 1e-9) | (high < truth - 1e-9)).any())
    assert outside <= binom.isf(1e-3, N_SESSIONS, 1 - LEVEL)


@pytest.mark.parametrize(
    ("measure", "model", "label", "possible"),
    [
        (FMeasure(), hard_tenth()[0], 0, (0.0, 1.0)),
        (Recall(), hard_tenth()[0], 0, (0.0, 1.0)),
        (Specificity(), hard_tenth()[0], 1, (0.0, 1.0)),
        (RSquared(), ValuePredictions([0.3, 1.0, 2.0], [1.0, 1.0, 1.0]), 0.7, (-np.inf, 1.0)),
    ],
    ids=repr,
)
@pytest.mark.parametrize("labeled_at", [0, -1, None])
def test_nothing_by_nothing_is_not_nothing(measure, model, label, possible, labeled_at):
    """One label that does not count, the first, the last or none, and everything else excluded."""
    model = model.of_instances(np.arange(min(model.n_instances, 5)))
    sequence = AdaptiveConfidenceSequence(measure, model)
    order = np.arange(model.n_instances)
    for index in order.tolist():
        q = (order >= index) / (order >= index).sum()
        is_labeled = labeled_at is not None and index == order[labeled_at]
        sequence.update(index, q, label if is_labeled else None)
    assert (sequence.low, sequence.high) == possible
