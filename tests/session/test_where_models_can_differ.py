"""Sessions about two models that mostly agree: what is drawn, when all is known, and what exclusions do."""

import numpy as np
import pytest
from scipy.stats import binom

from activeeval_widgets import Pool, Session
from activeeval_widgets.session import session as session_module
from activeeval_widgets.session.log.state import EXCLUDED, LABELED
from activeeval_widgets.stats import ErrorRate, FMeasure, SquaredError, ValuePredictions
from activeeval_widgets.stats.adaptive.draw_rule import THIRD_RULE

M, N_DIFFERING = 160, 24


def setting(seed=0, odds=0.7):
    rng = np.random.default_rng(seed)
    p = rng.uniform(0.55, 0.95, M)
    first, second = np.column_stack([p, 1 - p]), np.column_stack([p, 1 - p])
    where = np.sort(rng.choice(M, N_DIFFERING, replace=False))
    second[where] = second[where][:, ::-1]
    y_true = (rng.random(M) < 0.15).astype(int)
    y_true[where] = rng.random(N_DIFFERING) >= odds
    return Pool(["x"] * M, predictions={"old": first, "new": second}), y_true, where


def apart(session, y_true):
    first, second = (model.pred_codes != y_true for model in session.models)
    return first.astype(int) - second.astype(int)


def test_nearly_all_that_is_asked_can_tell_them_apart():
    pool, y_true, where = setting()
    session = Session(pool, ErrorRate(), seed=2)
    asked = [session.label(int(y_true[session.next().index])).draw for _ in range(20)]
    assert len(asked) == 20
    assert np.isin(session.labeled_draws()[0], where).sum() >= 17
    assert session.n_differing_predictions == N_DIFFERING
    assert session.n_differing() == 0
    assert "24 of 160 texts alone" in session.report()
    # Each model's own measure can be told, too.
    own = session.of("old").estimate()
    assert own.low <= (pool.models[0].pred_codes != y_true).mean() <= own.high


def test_the_difference_is_known_before_all_is_labeled():
    pool, y_true, where = setting(1)
    session = Session(pool, ErrorRate(), seed=1)
    while session.known_value() is None:
        session.label(int(y_true[session.next().index]))
    assert session.n_labels < 60
    assert set(where) <= set(session.labeled_draws()[0].tolist())
    found = session.estimate()
    truth = apart(session, y_true).mean()
    assert (found.value, found.low, found.high, found.standard_error) == pytest.approx((truth,) * 3 + (0,))
    assert "All 24 texts where the models can differ have an answer" in session.report()
    session.undo()
    if session.known_value() is None:
        assert session.estimate().low < session.estimate().high


def test_models_that_predict_the_same_are_said_to():
    pool, y_true, _ = setting()
    same = Pool(["x"] * M, predictions={"a": pool.models[0].y_proba, "b": pool.models[0].y_proba})
    session = Session(same, ErrorRate())
    assert session.n_differing_predictions == 0
    for n_labels in (0, 3):
        while session.n_labels < n_labels:
            session.label(int(y_true[session.next().index]))
        found = session.estimate()
        assert (found.value, found.low, found.high, found.pvalue) == (0, 0, 0, 1)
    report = session.report()
    assert "Both models have the same error rate." in report
    assert "predict the same everywhere" in report
    # Each of them can be measured all the same, by uniform draws.
    assert session.q_draws() == pytest.approx(1 / (M - np.arange(3)))


def test_exclusion_of_all_that_differs_leaves_no_difference():
    pool, y_true, where = setting()
    session = Session(pool, ErrorRate(), seed=3)
    while session.known_value() is None:
        index = session.next().index
        session.exclude() if index in where else session.label(int(y_true[index]))
    found = session.estimate()
    assert (found.value, found.low, found.high) == (0, 0, 0)
    assert session.n_excluded == N_DIFFERING


def test_with_all_answered_it_is_the_difference_on_what_can_be_labeled():
    pool, y_true, _ = setting(4)
    session = Session(pool, ErrorRate())
    can_be = np.random.default_rng(0).random(M) < 0.7
    while (asked := session.next()) is not None:
        session.label(int(y_true[asked.index])) if can_be[asked.index] else session.exclude()
    truth = apart(session, y_true)[can_be].mean()
    assert session.estimate().value == session.estimate().low == pytest.approx(truth)


def test_measures_that_count_agreement_need_it():
    pool, _, _ = setting()
    assert Session(pool, FMeasure()).n_differing_predictions is None
    values = np.linspace(0, 5, 30)
    moved = values + np.where(np.arange(30) % 6, 0, 1.5)
    models = {"a": ValuePredictions(values, np.ones(30)), "b": ValuePredictions(moved, np.ones(30))}
    session = Session(Pool([{"x": i} for i in range(30)], predictions=models), SquaredError(), y_range=(0, 9))
    assert session.n_differing_predictions == 5
    y_true = values + 0.3
    while session.known_value() is None:
        session.label(float(y_true[session.next().index]))
    assert session.estimate().value == pytest.approx(((values - y_true) ** 2 - (moved - y_true) ** 2).mean())


@pytest.mark.parametrize("measure", [ErrorRate(), FMeasure(positive=1)], ids=repr)
def test_a_session_about_one_model_is_that_of_the_third_rule_to_the_bit(monkeypatch, measure):
    pool, y_true, _ = setting()
    found = []
    for rule in (None, THIRD_RULE):
        with monkeypatch.context() as patch:
            if rule is not None:
                patch.setattr(session_module, "rule_of", lambda _: THIRD_RULE)
            session = Session(Pool(["x"] * M, predictions=pool.models[0]), measure, seed=5)
        for _ in range(30):
            session.label(int(y_true[session.next().index]))
        estimate = session.estimate()
        found.append((session.labeled_draws()[0].tolist(), session.q_draws().tolist(), estimate))
        found[-1] += (session.estimate(interval="wald"),)
    assert found[0] == found[1]


@pytest.mark.slow
def test_it_holds_whatever_a_person_does():
    """Exclusions by the label, some put aside, changed and taken back; watched at every answer."""
    n_wrong, n_sessions = 0, 24
    for seed in range(n_sessions):
        pool, y_true, where = setting(seed)
        rng = np.random.default_rng(seed)
        can_be = rng.random(M) < np.where(y_true == 1, 0.5, 0.9)
        session = Session(pool, ErrorRate(), seed=seed)
        delta = apart(session, y_true)
        is_wrong = False
        for step in range(45):
            asked = session.next()
            if asked is None:
                break
            if step % 11 == 4 and session.n_deferred < 2:
                session.defer()
                continue
            session.label(int(y_true[asked.index])) if can_be[asked.index] else session.exclude()
            if step % 9 == 7:
                session.undo()
            status = session._state.status
            n_counting = M - (status == EXCLUDED).sum() - ((status != EXCLUDED) & ~can_be)[where].sum()
            truth = delta[where][can_be[where]].sum() / n_counting
            now = session.watched(confidence_level=0.9)
            is_wrong |= not now.low - 1e-9 <= truth <= now.high + 1e-9
        assert (session._state.status == LABELED).any()
        n_wrong += is_wrong
    # P(X > 6) < 0.01 for X ~ Binomial(24, 0.1).
    assert binom.sf(6, n_sessions, 0.1) < 0.01
    assert n_wrong <= 6
