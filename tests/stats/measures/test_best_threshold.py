"""F-measures at several thresholds: against the F-measure of the classes that each would predict."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from activeeval_widgets import Pool, Session
from activeeval_widgets.session.report.result import result_of
from activeeval_widgets.stats import (
    AdaptiveConfidenceSequence,
    BestF,
    ClassPredictions,
    FMeasure,
    PredictedClasses,
    best_threshold,
    estimate_adaptive,
    pool_value,
)
from activeeval_widgets.stats.measures.measure_names import measure_named

from ...labeling import give_labels

M = 200


def made(seed=0):
    rng = np.random.default_rng(seed)
    score = rng.beta(0.6, 1.5, M)
    return score, ClassPredictions(np.column_stack([1 - score, score])), (rng.random(M) < score).astype(int)


def of_draws(model, draws, q_draws, y_true, *, least_q=None, confidence_level=0.95, **options):
    """The thresholds from labeled draws without replacement."""
    estimate = partial(
        estimate_adaptive, predictions=model, draws=draws, q_draws=q_draws, y_true=y_true, least_q=least_q
    )
    return best_threshold(BestF(**options), model, estimate, confidence_level=confidence_level)


@pytest.mark.parametrize("beta", [0.5, 1.0, 2.0])
def test_with_all_labels_it_is_the_f_measure_of_each_threshold(beta):
    score, model, y = made()
    q_draws = 1 / (M - np.arange(M))
    found = of_draws(model, np.arange(M), q_draws, y, beta=beta, n_thresholds=12)
    for threshold, value in zip(found.thresholds, found.values, strict=True):
        cut = ClassPredictions(model.y_proba, y_pred=(score >= threshold).astype(int))
        assert value == pytest.approx(pool_value(FMeasure(beta), cut, y), abs=1e-12)
    assert (
        found.value == found.values.max() == pytest.approx(found.best_low) == pytest.approx(found.best_high)
    )
    assert found.threshold == found.thresholds[np.argmax(found.values)]
    best = BestF(beta, n_thresholds=12)
    assert pool_value(best, model, y) == pytest.approx(found.value, abs=1e-12)
    assert estimate_adaptive(best, model, np.arange(M), q_draws, y).value == pytest.approx(found.value)
    assert found.thresholds.size == 12
    assert found.thresholds[0] == score.min()
    assert found.thresholds[-1] == score.max()


def test_last_bits_don_t_choose_among_equally_good_thresholds():
    measure = BestF(n_thresholds=2)
    tied = np.array([0.1, 0.3, 4 / 15, 0.4])  # positives and all, below and from the upper threshold on
    assert measure._curve(tied)[0] == pytest.approx([0.75, 0.75])
    for moved in (-1e-14, 1e-14):
        gradient = measure.gradient(tied + np.array([0.0, 0.0, moved, 0.0]))
        assert gradient == pytest.approx(measure.gradient(tied))
        assert gradient[0] > 0  # that of the lower threshold


def test_thresholds_take_in_a_growing_number():
    scores = np.linspace(0.05, 0.95, 10)
    model = ClassPredictions(np.column_stack([1 - scores, scores]))
    # 1, 2, 5 and all 10 of them.
    np.testing.assert_allclose(BestF(n_thresholds=4).thresholds(model), [0.05, 0.55, 0.85, 0.95])
    np.testing.assert_allclose(BestF(n_thresholds=1).thresholds(model), [0.05])


def test_each_interval_is_the_estimates_own_at_its_share_of_the_level():
    score, model, y = made()
    # Those with the highest scores, all positive: what was not met makes the interval.
    draws = np.argsort(-score)[:40]
    q_draws, least = 1 / (M - np.arange(40)), 0.5 / (M - np.arange(40))
    y[draws] = 1
    found = of_draws(model, draws, q_draws, y[draws], n_thresholds=5, least_q=least, confidence_level=0.9)
    assert found.confidence_level == 0.9
    for k, (_, measure) in enumerate(BestF(n_thresholds=5).candidates(model)):
        own = estimate_adaptive(
            measure, model, draws, q_draws, y[draws], least_q=least, confidence_level=0.98
        )
        assert (found.values[k], found.low[k], found.high[k]) == (own.value, own.low, own.high)
    other = of_draws(model, draws, q_draws, y[draws], n_thresholds=5, confidence_level=0.9)
    assert (found.low < other.low).any()
    assert (found.best_low, found.best_high) == (found.low.max(), found.high.max())
    assert replace(found, high=np.full(5, found.best_low)).possible.size == 5


def test_the_best_value_is_in_the_interval():
    _, model, y = made(1)
    everything = of_draws(model, np.arange(M), 1 / (M - np.arange(M)), y, n_thresholds=6)
    rng, held, together = np.random.default_rng(2), 0, 0
    for _ in range(20):
        draws = rng.permutation(M)[:60]
        found = of_draws(model, draws, 1 / (M - np.arange(60)), y[draws], n_thresholds=6)
        held += found.best_low <= everything.value <= found.best_high
        together += bool(((found.low <= everything.values) & (everything.values <= found.high)).all())
    assert held >= together >= 17  # binomial: below with probability 0.01 at 95 %


def test_the_guaranteed_interval_and_the_possible_thresholds_hold_at_every_label():
    """With instances that can't be labeled; at a level of 80 %, so that a wrong one would show."""
    rng, wrong = np.random.default_rng(3), 0
    best = BestF(n_thresholds=4)
    for seed in range(6):
        score, _, y = made(seed)
        score, y = score[:30], y[:30]
        model = ClassPredictions(np.column_stack([1 - score, score]))
        thresholds = best.thresholds(model)
        can_be = rng.random(30) < 0.9
        given = [int(label) if can else None for label, can in zip(y, can_be, strict=True)]
        rest = ClassPredictions(model.y_proba[can_be])
        values = [
            pool_value(FMeasure(), ClassPredictions(rest.y_proba, y_pred=rest.y_proba[:, 1] >= t), y[can_be])
            for t in thresholds
        ]
        sequence = AdaptiveConfidenceSequence(best, model, confidence_level=0.8)
        holds = True
        for draw in rng.permutation(30):
            low, high = sequence.update(int(draw), np.full(30, 1 / 30), given[draw])
            holds &= low - 1e-9 <= max(values) <= high + 1e-9
            holds &= bool(sequence.part_ends[np.argmax(values), 1] >= low - 1e-9)
        assert sequence.low == sequence.high == pytest.approx(max(values))
        assert not sequence.is_asymptotic
        wrong += not holds
    assert wrong <= 4  # binomial with 0.2: more with probability 0.002


def test_a_session_shows_the_threshold():
    _, model, y = made(4)
    best = measure_named("best-f1", n_thresholds=6)
    session = Session(Pool([f"text {i}" for i in range(M)], predictions=model), best)
    assert "threshold" not in result_of(session.findings, session.watched()).confidence
    give_labels(session, y, 50)
    found = session.best_threshold()
    assert (found.best_low, found.best_high) == (session.estimate().low, session.estimate().high)
    assert found.interval == "confidence_sequence"
    assert found.threshold in found.possible
    output = result_of(session.findings, session.watched()).confidence
    assert f"predict 1 from a probability of {found.threshold:.4g} on" in output
    assert f"tried is between {found.possible[0]:.4g} and {found.possible[-1]:.4g}, guaranteed" in output
    narrow = session.best_threshold(BestF(beta=2), interval="wald")
    assert narrow.interval == "wald"
    assert narrow.possible.size < narrow.thresholds.size
    two = Session(Pool(["a"] * M, predictions=[model, model]), BestF())
    with pytest.raises(TypeError, match="needs one model's class probabilities in memory"):
        two.best_threshold()
    with pytest.raises(TypeError, match=r"measure must be a BestF, got FMeasure"):
        session.best_threshold(FMeasure())


def test_bad_input_is_refused():
    _, model, _ = made()
    with pytest.raises(ValueError, match="n_thresholds is 0, expected at least 1"):
        of_draws(model, [0], [1 / M], [0], n_thresholds=0)
    with pytest.raises(TypeError, match="predictions must be ClassPredictions"):
        of_draws([[0.5, 0.5]], [0], [1], [0])
    with pytest.raises(TypeError, match="takes class probabilities, and there are only predicted classes"):
        of_draws(PredictedClasses([0, 1]), [0], [0.5], [0])
