"""A result in words: one sentence for every measure, how sure, and what it cost."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from activeeval_widgets.session import Pool, Session, WatchedInterval
from activeeval_widgets.session.findings.estimated_interval import approximate_within
from activeeval_widgets.session.report.result import Promise, Result, result_of
from activeeval_widgets.stats import (
    NDCG,
    Accuracy,
    BalancedAccuracy,
    ClassPredictions,
    CohenKappa,
    ErrorRate,
    Estimate,
    FMeasure,
    Measure,
    RankingPredictions,
    SquaredError,
    ValuePredictions,
)
from activeeval_widgets.stats.numbers import Numbers
from activeeval_widgets.stats.quantities import Differences, Quantity
from activeeval_widgets.stats.text import two_digits

from ..labeling import give_labels

SIZE = 60


def classes(*, models: int = 1, certainty: float = 0.8) -> Pool:
    """Ten of sixty labels, if all are 0, are not what the first model says; of the second, thirty."""
    found = []
    for i, n_wrong in enumerate((10, 30)[:models]):
        p = np.where(np.arange(SIZE) < n_wrong, certainty, 1 - certainty)
        found.append(ClassPredictions(np.column_stack([1 - p, p]), name=f"model {i + 1}"))
    texts = [f"Text number {i}" for i in range(SIZE)]
    return Pool(texts, predictions=found if models == 2 else found[0])


def values() -> Pool:
    model = ValuePredictions(np.full(SIZE, 2.0), np.ones(SIZE))
    return Pool([{"x": i} for i in range(SIZE)], predictions=model)


def rankings() -> Pool:
    model = RankingPredictions(
        [[0, 1]] * SIZE, [{0: [0.5, 0.5], 1: [0.9, 0.1]} for _ in range(SIZE)], grades=[0, 1]
    )
    return Pool(["query"] * SIZE, predictions=model, kind="custom")


def labeled(pool: Pool, measure: Measure, n: int, value: Any = 0, **options: Any) -> Session:
    session = Session(pool, measure, **options)
    label(session, n, value)
    return session


def label(session: Session, n: int, value: Any) -> None:
    give_labels(session, lambda i: value(i) if callable(value) else value, n, seconds=6.0)


def told(session: Session, **options: Any) -> Result:
    return result_of(session.findings, WatchedInterval(session.findings), **options)


def number(i: int) -> float:
    return 2.0 + (1.0 if i % 2 else -3.0)


@pytest.mark.parametrize(
    ("measure", "make_pool", "value", "answer"),
    [
        (ErrorRate(), classes, 0, " 16.7% "),
        (SquaredError(), values, number, " 5.000\xa0kg²: "),
        (NDCG(), rankings, {"0": 0, "1": 1}, " 0.631."),
    ],
)
def test_with_all_labeled_it_is_exact(measure: Measure, make_pool: Any, value: Any, answer: str) -> None:
    session = labeled(make_pool(), measure, 45, value)
    part = told(session, unit="kg" if make_pool is values else None)
    assert not part.is_exact
    assert " about " in part.answer
    label(session, SIZE - 45, value)
    result = told(session, unit="kg" if make_pool is values else None)
    assert result.is_exact
    assert answer in result.answer
    assert result.confidence.startswith("All 60 ")


def test_how_sure_it_is() -> None:
    session = labeled(classes(), ErrorRate(), 50)
    watched = WatchedInterval(session.findings)
    result = result_of(session.findings, watched)
    found = watched.estimate()
    low, high = result.numbers.ends(watched.low, watched.high)
    assert f"95% interval: {low} to {high}, " in result.confidence
    within = approximate_within(found)
    assert within is None or " {} to {}.".format(*result.numbers.ends(*within)) in result.confidence
    assert result.caveats == ()
    assert result.n_labels == 50
    assert result.minutes == pytest.approx(5)


def test_an_interval_in_the_limit_is_approximate() -> None:
    rng = np.random.default_rng(0)
    p = rng.random(600)
    pool = Pool(["x"] * 600, predictions=ClassPredictions(np.column_stack([1 - p, p])))
    result = told(labeled(pool, CohenKappa(), 250, lambda i: int(p[i] > 0.3)))
    assert result.confidence.startswith("Approximate 95% interval: ")
    assert any("approximate" in caveat for caveat in result.caveats)


def test_nothing_is_stated_without_labels() -> None:
    result = told(Session(classes(), FMeasure(positive=1)))
    assert (result.answer, result.confidence) == ("No labels yet.", "")
    assert result.minutes is result.uniform is result.promise is None


def test_a_measure_that_is_not_defined_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    session = labeled(classes(), FMeasure(positive=1), 2)
    watched = WatchedInterval(session.findings)
    undefined: Estimate = replace(watched.estimate(), value=float("nan"), standard_error=float("nan"))
    monkeypatch.setattr(watched, "estimate", lambda: undefined)
    result = result_of(session.findings, watched)
    assert result.answer == "There are not enough labels yet to tell the F1."
    assert result.confidence == ""


def test_a_measure_that_no_label_will_define() -> None:
    """A mean over classes of which one never occurs."""
    session = labeled(classes(), BalancedAccuracy(), SIZE)
    answer = "The balanced accuracy is not defined by these labels, and there are no more."
    assert told(session).answer == answer
    assert answer in session.report()
    assert str(session) == str(session.estimate()) == "Balanced accuracy: not defined, after 60 labels"
    session.undo()
    session.exclude()
    assert told(session).answer == answer


@pytest.mark.parametrize(("measure", "side"), [(ErrorRate(), "lower"), (Accuracy(), "higher")], ids=repr)
def test_two_models(measure: Measure, side: str) -> None:
    result = told(labeled(classes(models=2), measure, 50))
    assert result.answer.startswith("model 1 is better by at least 33.33\xa0points.")
    assert result.answer.endswith(f"points {side}.")
    assert result.promise is None


def test_two_models_that_are_the_same() -> None:
    model = ClassPredictions(np.tile([0.8, 0.2], (SIZE, 1)))
    result = told(labeled(Pool(["x"] * SIZE, predictions=[model, model]), ErrorRate(), SIZE))
    assert result.answer == "Both models have the same error rate."


def test_what_was_promised() -> None:
    def verdict(certainty: float) -> str:
        promise = told(labeled(classes(certainty=certainty), ErrorRate(), SIZE)).promise
        assert promise.promised.startswith(f"{100 * (1 - certainty):.1f}")
        return promise.verdict

    assert verdict(0.99) == "worse"
    assert verdict(0.6) == "better"
    part = told(labeled(classes(certainty=0.82), ErrorRate(), 40)).promise
    assert part.verdict == ""  # the interval is wide: what was promised is in it, and much else
    assert part.text("the model") == "whether the model is as good is not known yet"
    assert Promise("4%", "4%", "about as good").text("the model") == "the model is about as good"


def test_what_waits_and_what_is_left_out_is_reported() -> None:
    session = labeled(classes(), ErrorRate(), 20)
    session.defer()
    session.label(0)
    session.exclude()
    result = told(session)
    assert "of the texts that can be labeled" in result.answer
    assert "1 put aside: the interval waits." in result.caveats
    assert any("1 excluded" in caveat for caveat in result.caveats)
    assert result.uniform is None


def test_uniform_sampling_is_reported_from_forty_labels_on() -> None:
    assert told(labeled(classes(), ErrorRate(), 39)).uniform is None
    told_of = told(labeled(classes(), ErrorRate(), 45)).uniform
    assert told_of is not None
    assert 0 < told_of <= SIZE


@pytest.mark.parametrize(
    ("error", "written"),
    [(0.0213, "10.6"), (0.004, "10.63"), (0.2, "11"), (float("nan"), "10.6"), (0, "10.6")],
)
def test_as_many_decimals_as_the_error_leaves(error: float, written: str) -> None:
    assert Numbers(Quantity(ErrorRate()), error).plain(0.10628) == written


def test_numbers_are_written_plainly() -> None:
    assert Numbers(Quantity(ErrorRate()), 0.1).plain(-0.0001) == "0"
    assert Numbers(Quantity(SquaredError()), 3.0).value(float("inf")) == "∞"
    assert Numbers(Differences(ErrorRate()), 0.02).value(-0.05) == "−5.0\xa0points"
    assert Numbers(Differences(ErrorRate()), 0.02).size(-0.05) == "5.0\xa0points"
    assert Numbers(Quantity(SquaredError()), 0.1).root(-1.0) == "–"
    assert (two_digits(7), two_digits(93.4), two_digits(1234)) == (7, 93, 1200)
