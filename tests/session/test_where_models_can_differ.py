"""Sessions about two models that mostly agree: what is drawn, and that what is promised holds."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binom

from activeeval_widgets import Pool, Session
from activeeval_widgets.session import session as session_module
from activeeval_widgets.session.log.state import LABELED
from activeeval_widgets.stats import ErrorRate, FMeasure
from activeeval_widgets.stats.adaptive.draw_rule import DRAW_RULE

from ..labeling import give_labels

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
    assert np.isin(session.draws.labeled()[0], where).sum() >= 14
    # Each model's own measure can be told, too.
    own = session.of("old").estimate()
    assert own.low <= (pool.models[0].pred_codes != y_true).mean() <= own.high


@pytest.mark.parametrize("measure", [ErrorRate(), FMeasure(positive=1)], ids=repr)
def test_a_session_about_one_model_knows_nothing_of_it(monkeypatch, measure):
    pool, y_true, _ = setting()
    found = []
    for rule in (DRAW_RULE, replace(DRAW_RULE, alike_share=None)):
        with monkeypatch.context() as patch:
            patch.setattr(session_module, "rule_of", lambda *_, rule=rule: rule)
            session = Session(Pool(["x"] * M, predictions=pool.models[0]), measure, seed=5)
        give_labels(session, y_true, 30)
        estimate = session.estimate()
        found.append((session.draws.labeled()[0].tolist(), session.draws.q_draws().tolist(), estimate))
        found[-1] += (session.estimate(interval="wald"),)
    assert found[0] == found[1]


def test_the_pvalue_waits_for_the_interval():
    """Bets against 0 win a label before those against what lies beyond it."""
    pool, y_true, _ = setting(67)
    session = Session(pool, ErrorRate(), seed=67)
    waits = []
    for _ in range(30):
        session.label(int(y_true[session.next().index]))
        now = session.watched()
        is_undecided = now.low <= 0 <= now.high
        assert (now.pvalue > 0.05) == is_undecided == (session.verdict().better is None)
        waits.append(now.pvalue == pytest.approx(0.05, rel=1e-8))
    assert np.flatnonzero(waits).tolist() == [23]


@pytest.mark.slow
def test_it_holds_whatever_a_person_does():
    """Exclusions by the label, some put aside, changed and taken back; watched at every answer."""
    n_wrong, n_sessions = 0, 24
    for seed in range(n_sessions):
        pool, y_true, _ = setting(seed)
        rng = np.random.default_rng(seed)
        can_be = rng.random(M) < np.where(y_true == 1, 0.5, 0.9)
        session = Session(pool, ErrorRate(), seed=seed)
        delta = apart(session, y_true)
        is_wrong = False
        for step in range(45):
            asked = session.next()
            if asked is None:
                break
            if step % 11 == 4 and session.log.n_deferred < 2:
                session.defer()
                continue
            session.label(int(y_true[asked.index])) if can_be[asked.index] else session.exclude()
            if step % 9 == 7:
                session.undo()
            truth = delta[can_be].mean()
            now = session.watched(confidence_level=0.9)
            is_wrong |= not now.low - 1e-9 <= truth <= now.high + 1e-9
        assert (session.log.state.status == LABELED).any()
        n_wrong += is_wrong
    # P(X > 6) < 0.01 for X ~ Binomial(24, 0.1).
    assert binom.sf(6, n_sessions, 0.1) < 0.01
    assert n_wrong <= 6
