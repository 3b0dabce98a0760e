"""The models on trial: fed in draw order, whatever is put aside."""

from collections.abc import Callable

import numpy as np
import pytest

from activeeval_widgets.session import Pool, Session
from activeeval_widgets.stats import (
    ClassPredictions,
    ErrorRate,
    ModelTrial,
    SquaredError,
    ValuePredictions,
    uniform_q,
)

from ..labeling import give_labels

M = 300


def calibrated(rng: np.random.Generator) -> tuple[Session, np.ndarray]:
    """A session with a model whose probabilities hold, and the labels."""
    proba = rng.uniform(0.55, 0.95, M)
    model = ClassPredictions(np.column_stack([proba, 1 - proba]))
    y_true = (rng.random(M) > proba).astype(int)
    session = Session(
        Pool(["x"] * M, predictions=model), ErrorRate(), q=uniform_q(M), seed=int(rng.integers(1e6))
    )
    return session, y_true


def label_with_whims(session: Session, y_true: np.ndarray, rng: np.random.Generator, aside: int) -> None:
    """Put aside most of what has a certain label, some of it for good."""
    whims = (y_true == aside) & (rng.random(M) < 0.7)
    for _ in range(140):
        present = session.next()
        if present is None:
            break
        if whims[present.index] and rng.random() < 0.97:
            session.defer()
        else:
            session.label(int(y_true[present.index]))


@pytest.mark.slow
@pytest.mark.parametrize("aside", [0, 1])
def test_putting_aside_does_not_convict_a_calibrated_model(aside: int) -> None:
    """Nor acquit it: who puts aside what the model got right, or wrong, sees no more verdicts than others."""
    rng = np.random.default_rng(aside)
    in_draw_order = by_answers = 0
    for _ in range(40):
        session, y_true = calibrated(rng)
        label_with_whims(session, y_true, rng, aside)
        [trial] = session.findings.trials()
        in_draw_order += trial.verdict() is not None
        other = ModelTrial(session.models[0])
        other.extend(*session.draws.labeled())
        by_answers += other.verdict() is not None
    # P(X > 6) < 0.005 for X ~ Binomial(40, 0.05).
    assert in_draw_order <= 6
    # Fed with the labels that there are, it would: the simulation can fail.
    assert by_answers > 8


@pytest.mark.parametrize("protocol", ["papers", "adaptive"])
def test_it_waits_as_the_interval_does(protocol: str) -> None:
    proba = np.tile([0.99, 0.01], (M, 1))
    session = Session(Pool(["x"] * M, predictions=ClassPredictions(proba)), ErrorRate(), protocol=protocol)
    give_labels(session, 1, 5)
    session.defer()
    give_labels(session, 1, 7)
    [trial] = session.findings.trials()
    assert (trial.n_labels, session.n_labels) == (5, 12)
    assert "; 7 labels wait for an instance that was put aside before them" in session.report()
    for _ in range(5):
        session.undo()
    assert session.findings.trials()[0].n_labels == 5
    give_labels(session, 1, 9)
    [trial] = session.findings.trials()
    assert trial.n_labels == session.n_labels == 16
    assert "wait for" not in session.report()
    session.exclude()
    assert session.findings.trials()[0].n_labels == 16


@pytest.mark.parametrize(("label", "verdict"), [(0, "underconfident"), (1, "overconfident")])
def test_the_pvalue_told_is_the_verdicts(label: int, verdict: str) -> None:
    proba = np.tile([0.6, 0.4], (M, 1))
    session = Session(Pool(["x"] * M, predictions=ClassPredictions(proba)), ErrorRate(), protocol="papers")
    give_labels(session, label, 70)
    trial = ModelTrial(session.models[0])
    trial.extend(*session.draws.labeled())
    pvalue = trial.pvalue_under / 0.2 if label == 0 else trial.pvalue / 0.8
    assert pvalue < 1e-6 < max(trial.pvalue, trial.pvalue_under)
    [told] = session.findings.trials()
    assert told.pvalue_of_both == pytest.approx(pvalue)
    assert f"{verdict} (p-value below 0.001, valid however often you look)" in session.report()


def test_a_verdict_is_given_when_the_pvalue_falls_below_its_level() -> None:
    rng = np.random.default_rng(1)
    for share in (0.2, 0.4, 0.6):
        trial = ModelTrial(ClassPredictions(np.tile([0.6, 0.4], (M, 1))))
        for instance in range(M):
            trial.update(instance, int(rng.random() < share))
            for level in (0.6, 0.9, 0.99):
                assert (trial.verdict(level) is None) == (trial.pvalue_of_both > 1 - level)


def test_who_promises_nothing_is_not_tried(make_pool: Callable[..., Pool]) -> None:
    pool = Pool([{"x": i} for i in range(30)], predictions=ValuePredictions(np.arange(30.0)))
    assert Session(pool, SquaredError(), q=uniform_q(30)).findings.trials() == [None]
    assert [trial.n_labels for trial in Session(make_pool(20), ErrorRate()).findings.trials() if trial] == [0]
