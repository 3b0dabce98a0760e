"""The reliability curve of a session, and what its report says of it."""

from functools import partial

import numpy as np
import pytest

from activeeval_widgets import Pool, Session
from activeeval_widgets.stats import (
    CalibrationError,
    ClassPredictions,
    ErrorRate,
    PredictedClasses,
    calibration_curve,
    estimate_adaptive,
    pool_value,
)

from ..labeling import give_labels

M = 60


def made(n_labels, **options):
    rng = np.random.default_rng(3)
    proba = rng.dirichlet([0.4, 0.4], M)
    y = (rng.random(M) < proba[:, 1]).astype(int)
    session = Session(
        Pool([str(i) for i in range(M)], predictions=ClassPredictions(proba)), ErrorRate(), **options
    )
    give_labels(session, y, n_labels)
    return session, y


def test_it_is_that_of_the_labels():
    session, y = made(25)
    found = session.calibration(n_bins=4, interval="wald")
    numbers, q_draws = session.draws.drawn()
    draws = session.draws.so_far()
    assert len(numbers) == draws.size == 25
    model = session.models[0]
    estimate = partial(
        estimate_adaptive,
        predictions=model,
        draws=draws,
        q_draws=q_draws,
        y_true=y[draws],
        least_q=np.minimum(q_draws, 0.1 / M),
    )
    expected = calibration_curve(model, estimate, draws, n_bins=4)
    np.testing.assert_allclose(found.accuracy, expected.accuracy)
    np.testing.assert_array_equal(found.n_labels, expected.n_labels)
    assert found.n_labels.sum() == 25
    assert found.n_instances.sum() == M


def test_the_default_may_be_watched_and_all_labels_make_it_exact():
    session, _ = made(20)
    found = session.calibration(n_bins=2)
    assert found.interval == "confidence_sequence"
    watched = session.estimate(CalibrationError(2))
    assert watched.low <= watched.high
    assert (found.low <= found.high).all()
    session, _ = made(M)
    found = session.calibration(n_bins=2)
    np.testing.assert_allclose(found.low, found.high)
    assert found.error == pytest.approx(session.estimate(CalibrationError(2)).value)


def test_by_the_papers_protocol_too():
    session, _ = made(20, protocol="papers")
    found = session.calibration(n_bins=2, positive=1, interval="wald")
    assert found.accuracy.shape == (2,)
    # Of what was drawn again there is one label.
    assert session.n_draws > found.n_labels.sum() == session.n_labels


@pytest.mark.parametrize("protocol", ["adaptive", "papers"])
def test_all_that_can_be_labeled_makes_it_exact(protocol):
    session, y = made(0, protocol=protocol)
    can = session.models[0].y_proba[:, 0] < 0.9
    while (present := session.next()) is not None:
        session.label(int(y[present.index])) if can[present.index] else session.exclude()
    found = session.calibration(n_bins=3)
    truth = pool_value(CalibrationError(3), session.models[0].of_instances(np.flatnonzero(can)), y[can])
    assert (found.error, found.error_low, found.error_high) == pytest.approx((truth,) * 3)
    assert found.n_labels.sum() == found.n_instances.sum() == can.sum()


def test_the_report_shows_it():
    session, _ = made(0)
    assert "Calibration" not in session.report()
    session, _ = made(20)
    assert "## Calibration" in session.report()


def test_models_that_do_not_say_how_sure_they_are_have_none():
    session = Session(Pool(["a", "b"], predictions=PredictedClasses(["x", "y"])), ErrorRate())
    with pytest.raises(TypeError, match="a calibration curve needs one model's class probabilities"):
        session.calibration()
    assert "Calibration" not in session.report()
