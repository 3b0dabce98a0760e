"""The guarantee, whatever a person does: exclude and put aside by the true label, change, undo, stop."""

from typing import Any

import numpy as np
import pytest

from activeeval_widgets.session import Pool, Session
from activeeval_widgets.session.draws.labeled import LabeledDraws
from activeeval_widgets.stats import BrierScore, ClassPredictions, ErrorRate, Measure, pool_value

M = 60
RNG = np.random.default_rng(1)
PROBA = RNG.uniform(0.5, 0.98, M)
MODEL = ClassPredictions(np.column_stack([PROBA, 1 - PROBA]))
Y_TRUE = (RNG.random(M) < 0.25).astype(int)
WRONG = MODEL.y_pred != Y_TRUE
CAN_BE_LABELED = (np.arange(M) % 2 == 0) | WRONG


def act(session: Session, rng: np.random.Generator) -> None:
    present = session.next()
    index = present.index
    if not CAN_BE_LABELED[index]:
        session.exclude()
    elif WRONG[index] and rng.random() < 0.97:
        session.defer()
    elif rng.random() < 0.2:
        session.label(1 - int(Y_TRUE[index]))
        session.change(index, int(Y_TRUE[index]))
    else:
        session.label(int(Y_TRUE[index]))
    if rng.random() < 0.15:
        session.undo()


def count_misses(protocol: str, measure: Measure) -> int:
    """How many sessions, watched at 80 %, are ever wrong."""
    model = ClassPredictions(MODEL.y_proba[CAN_BE_LABELED])
    truth = pool_value(measure, model, Y_TRUE[CAN_BE_LABELED])
    misses = 0
    for seed in range(N_SESSIONS):
        pool = Pool(["x"] * M, predictions=MODEL)
        session, rng = Session(pool, measure, protocol=protocol, seed=seed), np.random.default_rng(seed)
        for step in range(32):
            act(session, rng)
            if step % 4 == 3:
                now = session.watched(confidence_level=0.8)
                if not now.low - 1e-9 <= truth <= now.high + 1e-9:
                    misses += 1
                    break
    return misses


N_SESSIONS, MOST = 12, 6
"""P(X > 6) < 0.004 for X ~ Binomial(12, 0.2)."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("protocol", "measure"), [("papers", ErrorRate()), ("adaptive", ErrorRate()), ("adaptive", BrierScore())]
)
def test_the_truth_stays_inside(protocol: str, measure: Measure) -> None:
    """Who puts aside most of what is wrong, and can't label half of what is right, is not misled."""
    assert count_misses(protocol, measure) <= MOST


def without_waiting(kept: LabeledDraws, revision: int, n_known: int) -> tuple[int, list[tuple[int, Any]]]:
    """The answers that there are, as if they were all that was drawn."""
    draws, y_true, is_excluded = kept.answered()
    labels = [None if excluded else y for y, excluded in zip(y_true, is_excluded.tolist(), strict=True)]
    return 0, list(zip(draws.tolist(), labels, strict=True))


@pytest.mark.slow
def test_the_simulation_can_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LabeledDraws, "in_order_since", without_waiting)
    assert count_misses("papers", ErrorRate()) > MOST
