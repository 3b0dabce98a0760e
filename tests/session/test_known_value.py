"""With everything answered the value is known: that of what can be labeled, as if nothing else were there."""

import numpy as np
import pytest

from activeeval_widgets import Pool, Session
from activeeval_widgets.stats import (
    ROCAUC,
    AveragePrecision,
    CalibrationError,
    ClassPredictions,
    FMeasure,
    pool_value,
)

M = 48
RNG = np.random.default_rng(2)
SCORE = RNG.beta(0.7, 0.7, M)
MODEL = ClassPredictions(np.column_stack([1 - SCORE, SCORE]))
OTHER = ClassPredictions(np.column_stack([SCORE, 1 - SCORE])[::-1])
Y_TRUE = (RNG.random(M) < SCORE).astype(int)
CAN_BE_LABELED = RNG.random(M) < 0.7
GROUPS = np.repeat(["a", "b"], [35, 13])


@pytest.mark.parametrize(
    ("measure", "n_models"),
    [
        (ROCAUC(), 1),
        (ROCAUC(), 2),
        (AveragePrecision(), 1),
        (CalibrationError(3), 1),
    ],
)
def test_all_answers_give_the_value_on_what_can_be_labeled(measure, n_models):
    models = [MODEL, OTHER][:n_models]
    pool = Pool(["x"] * M, predictions=models if n_models == 2 else MODEL, groups=GROUPS.tolist())
    session = Session(pool, measure)
    while (present := session.next()) is not None:
        index = present.index
        session.label(int(Y_TRUE[index])) if CAN_BE_LABELED[index] else session.exclude()

    def truth(chosen):
        where = np.flatnonzero(chosen & CAN_BE_LABELED)
        first, second = (
            pool_value(measure, each.of_instances(where), Y_TRUE[where]) for each in (MODEL, OTHER)
        )
        return first - second * (n_models == 2)

    found = session.estimate()
    assert (found.value, found.low, found.high) == pytest.approx((truth(True),) * 3, abs=1e-12)
    for each in session.group_estimates():
        ends = (each.estimate.value, each.estimate.low, each.estimate.high)
        assert ends == pytest.approx((truth(each.group == GROUPS),) * 3, abs=1e-12)


def test_a_value_that_no_label_can_change_is_the_estimate():
    pool = Pool(
        ["a", "b", "c", "d"],
        predictions=ClassPredictions([[0.9, 0.1], [0.1, 0.9], [0.4, 0.6], [0.8, 0.2]]),
    )
    session = Session(pool, FMeasure(positive=0), seed=1)
    labels = [1, 1, 0, 1]
    while session.n_labels < 3:
        session.label(labels[session.next().index])
    # Of what is predicted as 0 nothing is right, and a 0 was missed: the label of text 1 changes nothing.
    assert session.next().index == 1
    found = session.estimate()
    assert (found.value, found.low, found.high, found.standard_error) == (0, 0, 0, 0)
