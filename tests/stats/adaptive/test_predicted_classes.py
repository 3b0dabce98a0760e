"""Predicted classes without probabilities: nothing is claimed, and accuracy is learned from labels."""

import numpy as np
import pytest
from scipy.stats import binom

from activeeval_widgets.session import Pool, Session
from activeeval_widgets.stats import (
    AdaptiveConfidenceSequence,
    BrierScore,
    ErrorRate,
    FMeasure,
    LogLoss,
    ModelTrial,
    PredictedClasses,
    Recall,
    adaptive_q,
    draw_without_replacement,
    estimate_adaptive,
    pool_value,
)
from activeeval_widgets.stats.adaptive.recalibration import recalibrate
from activeeval_widgets.stats.predictions.from_dict import predictions_from_dict

Y_PRED = np.array([0, 1, 1, 0])
MEASURES = [ErrorRate(), FMeasure(), Recall()]


@pytest.mark.parametrize("protocol", ["adaptive", "papers"])
@pytest.mark.parametrize("measure", MEASURES, ids=repr)
def test_draws_begin_alike_within_a_predicted_class(measure, protocol):
    pool = Pool(list("abcd"), predictions=PredictedClasses(Y_PRED))
    q = Session(pool, measure, protocol=protocol).q
    np.testing.assert_allclose(q[[3, 2]], q[[0, 1]])
    is_uniform = protocol == "papers" or measure.is_risk
    assert bool(np.ptp(q) < 1e-12) is is_uniform
    # A label of a predicted positive can change F₁ three times as much; half of the draws go by its root.
    root = {FMeasure: 3**0.5, Recall: 1.0}.get(type(measure))
    if root is not None and not is_uniform:
        assert (q[1:3] >= 0.25 / 4 + 0.25 * root / (1 + root)).all()
        assert (q[[0, 3]] >= 0.25 / 4 + 0.25 / (1 + root)).all()


@pytest.mark.parametrize("measure", MEASURES, ids=repr)
def test_the_interval_that_may_be_watched_holds_by_enumeration(measure):
    """Over all 24 orders of draws: how probable it is that the interval ever misses the true value."""
    model = PredictedClasses(Y_PRED)
    level = 0.8
    start = AdaptiveConfidenceSequence(measure, model, confidence_level=level)

    def missed(labels, truth, sequence, before):
        q = adaptive_q(measure, model, before, [labels[i] for i in before])
        assert q.sum() == pytest.approx(1)
        chance = 0.0
        for draw in set(range(4)) - set(before):
            after = sequence.copy()
            low, high = after.update(draw, q, labels[draw])
            if not low - 1e-9 <= truth <= high + 1e-9:
                chance += q[draw]
            elif len(before) < 3:
                chance += q[draw] * missed(labels, truth, after, [*before, draw])
        return chance

    for labels in ([0, 1, 1, 0], [1, 0, 0, 1], [0, 1, 0, 1]):
        assert missed(labels, pool_value(measure, model, labels), start, []) <= 1 - level


@pytest.mark.parametrize(("accuracy", "low", "high"), [(0.98, 0.93, 1.0), (0.5, 0.4, 0.6), (0.1, 0.0, 0.2)])
def test_accuracy_is_learned_from_labels(accuracy, low, high):
    rng = np.random.default_rng(1)
    y_pred = rng.integers(0, 2, 1000)
    y_true = np.where(rng.random(1000) < accuracy, y_pred, 1 - y_pred)
    model = PredictedClasses(y_pred)
    draws = np.arange(120)
    belief = recalibrate(ErrorRate(), [model], draws, y_true[draws])
    learned = belief.y_proba[np.arange(1000), y_pred][500:]
    assert low < learned.min() <= learned.max() < high


@pytest.mark.slow
@pytest.mark.parametrize("measure", [ErrorRate(), FMeasure()], ids=repr)
def test_the_interval_holds_over_many_labels(measure):
    rng = np.random.default_rng(2)
    y_true = (rng.random(100) < 0.2).astype(int)
    model = PredictedClasses(np.where(rng.random(100) < 0.15, 1 - y_true, y_true))
    sequence = AdaptiveConfidenceSequence(measure, model, confidence_level=0.5)
    sequence._band.watch(pool_value(measure, model, y_true) + 1e-9 * np.linspace(-1, 1, 17))
    n_sessions, n_missed = 32, 0
    for _ in range(n_sessions):
        draws = np.zeros(0, dtype=int)
        sequence.restart()
        is_missed = False
        for _ in range(2):
            q = adaptive_q(measure, model, draws, y_true[draws])
            block, _ = draw_without_replacement(q, 16, rng)
            for draw in block:
                sequence.update(int(draw), q, y_true[draw])
                is_missed |= bool(sequence._band._bets.in_cells().min() >= 2)
            draws = np.append(draws, block)
        n_missed += is_missed
    assert n_missed <= binom.isf(1e-2, n_sessions, 0.5)


def test_nothing_is_promised_and_nothing_put_on_trial():
    model = PredictedClasses(["ham", "spam", "ham"], name="Rules")
    assert not model.promises
    assert (model.describe(1).in_short, model.describe(1).record) == ("spam", {"prediction": "spam"})
    with pytest.raises(ValueError, match="promise nothing that could be tested"):
        ModelTrial(model)
    for measure in (LogLoss(), BrierScore()):
        with pytest.raises(
            TypeError, match="takes class probabilities, and there are only predicted classes"
        ):
            Session(Pool(list("abc"), predictions=model), measure)
    again = predictions_from_dict(model.to_dict())
    assert repr(again) == repr(model) == "<PredictedClasses of Rules: 3 instances, 2 classes>"
    pools = [Pool(list("abc"), predictions=each) for each in (model, again)]
    assert pools[0].fingerprints == pools[1].fingerprints


def test_what_is_no_prediction_is_refused():
    with pytest.raises(ValueError, match="classes must be at least two"):
        PredictedClasses(["ham", "ham"])
    with pytest.raises(ValueError, match=r"y_pred\[1\] is 'eggs', expected one of the classes"):
        PredictedClasses(["ham", "eggs"], classes=["ham", "spam"])
    with pytest.raises(ValueError, match="y_pred must hold one class for each instance"):
        PredictedClasses([])
    assert PredictedClasses(["ham", "ham"], classes=["spam", "ham"]).pred_codes.tolist() == [1, 1]


def test_nobody_can_write_to_it():
    y_pred = np.array([0, 1, 1])
    model = PredictedClasses(y_pred)
    y_pred[:] = 0
    assert model.y_pred.tolist() == [0, 1, 1]
    for array in (*model.arrays, model.y_proba):
        assert not array.flags.writeable
    assert model.certainty.values.tolist() == [0.0, 1.0, 1.0]
    belief = model.belief([PredictedClasses([1, 1, 0])])
    assert belief.y_proba.tolist() == [
        [0.5, 0.5],
        [0.25, 0.75],
        [0.5, 0.5],
    ]


@pytest.mark.parametrize("n_wrong", [5, 25, 60])
def test_estimates_do_not_lean_on_a_supposed_accuracy(n_wrong):
    """Of a good, a usual and a bad model no worse than the plain mean of as many uniform draws."""
    y_pred = np.arange(100) % 2
    y_true = np.where(np.arange(100) < n_wrong, 1 - y_pred, y_pred)
    model, truth = PredictedClasses(y_pred), n_wrong / 100
    rng, n = np.random.default_rng(5), 33
    errors: dict[str, list[float]] = {"own": [], "plain": []}
    for _ in range(200):
        draws = rng.permutation(100)[:n]
        q = 1 / (100 - np.arange(n))
        errors["own"].append(estimate_adaptive(ErrorRate(), model, draws, q, y_true[draws]).value - truth)
        errors["plain"].append(float(np.mean(y_true[draws] != y_pred[draws])) - truth)
    squares = {name: np.square(each) for name, each in errors.items()}
    # Paired: both have the same draws.
    worse = squares["own"] - squares["plain"]
    assert worse.mean() < 0.1 * squares["plain"].mean() + 3 * worse.std() / np.sqrt(200)
    assert abs(np.mean(errors["own"])) < 3 * np.std(errors["own"]) / np.sqrt(200) + 0.002
