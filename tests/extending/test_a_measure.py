"""A measure from outside the package, as the page on extending has it."""

import doctest
from typing import Any

import numpy as np
import pytest

from activeeval_widgets import LabelingApp, Pool, Session
from activeeval_widgets.stats import ClassPredictions, draw, estimate, optimal_q, pool_value, uniform_q

from ..doctest_namespace import namespace
from ..extending_page import Section

RNG = np.random.default_rng(0)
MODEL = ClassPredictions(RNG.dirichlet(np.ones(5), size=400), classes=[1, 2, 3, 4, 5])
Y_TRUE = MODEL.classes[[RNG.choice(5, p=row) for row in MODEL.y_proba]]


@pytest.fixture(scope="module")
def far_off() -> Any:
    return Section("A measure").run()["FarOff"]


def test_its_example_runs(far_off: Any) -> None:
    runner = doctest.DocTestRunner()
    [example] = doctest.DocTestFinder(recurse=False).find(far_off, globs={**namespace(), "FarOff": far_off})
    assert runner.run(example) == (0, 3)


def test_its_value_is_what_it_says(far_off: Any) -> None:
    share = np.mean(np.abs(MODEL.y_pred - Y_TRUE) > 1)
    assert 0.1 < share < 0.9
    assert pool_value(far_off(), MODEL, Y_TRUE) == pytest.approx(share)


def test_its_optimal_q_is_the_papers(far_off: Any) -> None:
    """q* ∝ sqrt(E[(ℓ − G)² | x]), with ℓ = 1 where the class is far off."""
    far = np.abs(MODEL.y_pred[:, np.newaxis] - MODEL.classes) > 1
    chance = (MODEL.y_proba * far).sum(axis=1)
    mean = chance.mean()
    expected = np.sqrt(chance * (1 - mean) ** 2 + (1 - chance) * mean**2)
    assert optimal_q(far_off(), MODEL) == pytest.approx(expected / expected.sum())


def test_estimates_are_right_on_average(far_off: Any) -> None:
    truth = pool_value(far_off(), MODEL, Y_TRUE)
    for q in (uniform_q(400), optimal_q(far_off(), MODEL, defensive=0.1)):
        errors = []
        for seed in range(200):
            draws = draw(q, 100, np.random.default_rng(seed))
            found = estimate(far_off(), MODEL, q, draws, Y_TRUE[draws])
            errors.append((found.value - truth) / found.standard_error)
        assert abs(np.mean(errors)) < 0.35
        assert 0.8 < np.std(errors) < 1.25


@pytest.mark.slow
@pytest.mark.parametrize("protocol", ["adaptive", "papers"])
def test_a_session_and_its_page_take_it(far_off: Any, protocol: str) -> None:
    some = MODEL.of_instances(np.arange(120))
    session = Session(Pool(["a text"] * 120, predictions=some), far_off(), protocol=protocol)
    app = LabelingApp(session)
    while session.n_labels < 60:
        session.label(int(Y_TRUE[session.next().index]))
    truth = pool_value(far_off(), some, Y_TRUE[:120])
    found = session.estimate()
    assert found.low <= truth <= found.high < 1
    shown = app._page.view.content()["estimate"]
    assert shown["title"] == "Far-off rate"
    assert shown["headline"] == f"{found.value:.0%}"
    assert "is off by more than one class on" in session.report()
    while session.next() is not None and protocol == "adaptive":
        session.label(int(Y_TRUE[session.next().index]))
    if protocol == "adaptive":
        assert session.estimate().value == pytest.approx(truth)
