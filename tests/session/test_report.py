"""The report: complete, the same for the same log, and no markup from a pool."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from activeeval_widgets.session import Pool, Session, WatchedInterval
from activeeval_widgets.stats import ClassPredictions, ErrorRate, Precision, SquaredError, ValuePredictions

MakePool = Callable[..., Pool]


def test_everything_is_told(make_pool: MakePool) -> None:
    session = Session(make_pool(80), ErrorRate(), seed=5, name="third_try", protocol="papers")
    for i in range(30):
        session.label(i % 3, seconds=3)
    session.exclude(reason="smudged")
    session.defer()
    session.note("look *again*", instance=4)
    session.flag(instance=7)
    session.change(session.actions[0].instance, 2)
    session.label(1)
    session.undo()
    text = session.report()
    found, watched = session.estimate(interval="wald"), WatchedInterval(session)
    assert text.startswith("# Error rate: session third\\_try\n")
    for part in (
        f"Estimate: {found.value:.6g} (standard error {found.standard_error:.3g})",
        f"valid at every number of labels at once, exactly: {watched.low:.6g} to {watched.high:.6g}",
        f"{found.low:.6g} to {found.high:.6g}",
        f"30 labels for {found.n_draws} draws",
        "1 excluded, 1 put aside and not answered, 1 changed later, 1 undone",
        "Time: 1.5 minutes; median 3.0 seconds a label",
        "Protocol: papers; seed 5",
        "Share of uniform draws: 0.1",
        "errors promised",
        ": smudged",
        "- 4: look \\*again\\*",
        "- 7 (flagged)",
        *session.pool.fingerprints.values(),
    ):
        assert part in text, part


def test_the_same_log_gives_the_same_report(make_pool: MakePool, shelf: Any) -> None:
    session = Session(make_pool(80), ErrorRate(), store=shelf.open())
    for i in range(20):
        session.label(i % 3)
    assert Session(make_pool(80), ErrorRate(), store=shelf.open()).report() == session.report()


@pytest.mark.parametrize("protocol", ["papers", "adaptive"])
def test_an_empty_session_has_a_report(make_pool: MakePool, protocol: str) -> None:
    text = Session(make_pool(20), ErrorRate(), protocol=protocol).report()
    assert "Not defined by the labels so far" in text
    assert f"Protocol: {protocol}" in text


def test_two_models() -> None:
    rng = np.random.default_rng(0)
    models = [ClassPredictions(rng.dirichlet([1, 1], size=60), name=name) for name in ("old", "new")]
    session = Session(Pool(["text"] * 60, predictions=models), ErrorRate())
    for i in range(25):
        session.label(i % 2)
    text = session.report()
    assert "difference in error rate, old − new" in text
    pvalue = session.estimate().pvalue
    assert pvalue != session.estimate(interval="wald").pvalue
    assert f"p-value of no difference, valid at every number of labels at once: {pvalue:.3g}" in text


def test_values_without_variances_promise_nothing() -> None:
    pool = Pool([{"x": i} for i in range(30)], predictions=ValuePredictions(np.arange(30.0)))
    session = Session(pool, SquaredError(), q=np.full(30, 1 / 30))
    session.label(3.5)
    assert "own probabilities" not in session.report()


def test_nothing_from_a_pool_is_markup(make_pool: MakePool) -> None:
    ids = [f"<b>{i}</b> [x](http://x) `#" for i in range(20)]
    session = Session(make_pool(20, ids=ids), ErrorRate(), name="<script>\n# heading")
    session.exclude(reason="| a | b |\n## no heading")
    text = session.report()
    assert "<b>" not in text.replace("\\<b\\>", "")
    assert "\n## no heading" not in text
    assert "\n# heading" not in text


def test_what_was_drawn_is_not_called_never_drawn(make_pool: MakePool) -> None:
    session = Session(make_pool(80), ErrorRate(), protocol="adaptive")
    assert "Weights" not in session.report()
    for i in range(40):
        session.label(i % 3)
    session.defer()
    text = session.report()
    assert "Never drawn" not in text
    _, q = session.drawn()
    assert q.tolist() == [action.q for action in session.actions if action.kind == "label"]  # type: ignore[union-attr]
    weights = [1 / ((80 - n) * each) for n, each in enumerate(q)]
    assert f"Weights p/q of the 40 draws answered: {min(weights):.3g} to {max(weights):.3g}" in text


def test_what_is_never_drawn_is_told(make_pool: MakePool) -> None:
    q = np.full(20, 1 / 16)
    q[:4] = 0
    model = ClassPredictions(np.tile([[0.9, 0.1]], (20, 1)), y_pred=[0] * 4 + [1] * 16)
    session = Session(Pool(["x"] * 20, predictions=model), Precision(), q=q)
    text = session.report()
    assert "Never drawn, as their labels do not count for the measure: 4 instances" in text
    assert "Weights p/q that a draw can have: 0.8 to 0.8" in text
