"""What every measure has to pass, and that it says what is wrong with one."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from activeeval_widgets.stats import (
    AbsoluteError,
    ClassPredictions,
    FMeasure,
    Measure,
    Risk,
    SquaredError,
    ValuePredictions,
    check_measure,
)
from activeeval_widgets.stats.measures.base import Moments
from activeeval_widgets.stats.measures.generalized_risks import RatioMeasure
from activeeval_widgets.stats.measures.registry import all_measures
from activeeval_widgets.stats.measures.tables import TableMeasure

ROWS = ClassPredictions(np.random.default_rng(0).dirichlet([1, 1], 30), classes=["ham", "spam"])


@pytest.mark.parametrize("measure", [each for cls in all_measures() for each in cls.examples()], ids=repr)
def test_measures_of_the_package_pass(measure: Measure) -> None:
    check_measure(measure)


def test_a_pool_can_be_given() -> None:
    check_measure(FMeasure(positive="spam"), ROWS)
    with pytest.raises(AssertionError, match=r"^FMeasure: ValueError while checking that .* 'spam'"):
        check_measure(FMeasure(positive="spam"))
    values = ValuePredictions([1.0, 2.0, 4.0], [1.0, 0.5, 2.0])
    capped = Risk.from_loss(lambda f, y: abs(f - y).clip(max=2), "capped", kind="value", bounds=(0, 2))
    check_measure(capped, [values, ValuePredictions([1.5, 2.0, 3.0], [1.0, 1.0, 1.0])])


class Share(Risk, TableMeasure):
    """A sound measure: the share of instances that the model gets wrong."""

    name, sentence, value_range, is_binary = "share", "It is wrong on {value}.", (0.0, 1.0), True

    def _cells(self, model: Any, predicted: Any, true: Any) -> Any:
        return (predicted != true).astype(float)[:, np.newaxis]


class Jaccard(RatioMeasure):
    """Another: of what is positive or predicted to be, the share that is both."""

    name, positive = "Jaccard index", 1

    def _cells(self, model: Any, predicted: Any, true: Any) -> Any:
        f, y = predicted == 1, true == 1
        return np.stack([f & y, f | y], axis=-1).astype(float)


def test_a_measure_of_ones_own_passes() -> None:
    check_measure(Share())
    check_measure(Jaccard())


def cells(change: Callable[[Any, Any], Any]) -> dict[str, Any]:
    return {"_cells": lambda _self, _model, f, y: change(f, y)}


def after(base: Any, method: str, change: Callable[[Any], Any]) -> dict[str, Any]:
    """A method of a class whose result is changed."""
    return {method: lambda self, *arguments: change(getattr(base, method)(self, *arguments))}


def _first_draws(self: Any, predictions: Any, y_true: Any, draws: Any) -> Any:
    """By position instead of by draw."""
    return self._cells(predictions, np.resize(predictions.pred_codes, len(draws)), predictions.encode(y_true))


def _plain_mean(self: Any, predictions: Any, belief: Any) -> Any:
    return np.array([(belief.y_proba * self._table(predictions)[predictions.pred_codes, :, 0]).sum(1).mean()])


BROKEN: dict[str, tuple[Any, dict[str, Any], str]] = {
    "no name": (Share, {"name": ""}, "name must be a text, got ''"),
    "no value": (Share, {"sentence": "It is wrong."}, "sentence must have a place for {value}"),
    "no range": (Share, {"value_range": (1.0, 0.0)}, "value_range must be"),
    "any object": (Share, {"__repr__": object.__repr__}, "__repr__ must differ between measures"),
    "options untold": (Share, {"__init__": lambda self: setattr(self, "k", 3)}, "__repr__ must differ"),
    "a row missing": (Share, cells(lambda f, y: (f != y) * 1.0), "statistics must be an array of shape"),
    "not finite": (Share, cells(lambda f, y: np.where(f != y, np.inf, 0)[:, None]), "be finite numbers"),
    "wrong rows": (Share, {"statistics": _first_draws}, "statistics must be in the order of the draws"),
    "three statistics": (Share, cells(lambda f, y: np.ones((len(f), 3))), "it must have 1 statistics"),
    "not binary": (Share, cells(lambda f, y: 0.5 * (f != y)[:, None]), "statistics must be 0 or 1"),
    "above one": (Jaccard, cells(lambda f, y: np.stack([f == y, y == 1], 1) * 1.0), "0 ≤ numerator ≤ denom"),
    "another slope": (Jaccard, after(Jaccard, "gradient", abs), "gradient must be that of g"),
    "a warning": (
        Jaccard,
        {"g": lambda _self, mean: mean[..., 0] / mean[..., 1]},
        "RuntimeWarning while chec",
    ),
    "out of range": (Share, {"value_range": (0.0, 0.1)}, "values must be in (0.0, 0.1)"),
    "of another pool": (Share, after(Share, "of_pool", lambda x: x / 2), "of_pool must be g of the mean"),
    "another second moment": (
        Share,
        after(Share, "moments", lambda found: Moments(found.first, found.first**2)),
        "the second moment of a combination of statistics must be",
    ),
    "another variance": (
        AbsoluteError,
        after(AbsoluteError, "moments", lambda found: Moments(found.first, 1.1 * found.second)),
        "the second moment of a combination of statistics must be",
    ),
    "another mean": (
        Share,
        after(Share, "introspective_mean", lambda x: x / 2),
        "must be the average of E[z",
    ),
    "rows count once": (Share, {"introspective_mean": _plain_mean}, "must count rows that stand for several"),
    "half the loss": (
        SquaredError,
        after(SquaredError, "loss_bounds", lambda ends: (ends[0], ends[1] / 2)),
        "a label's loss must be within loss_bounds",
    ),
    "one outcome": (Jaccard, after(Jaccard, "outcomes", lambda z: [next(z)]), "outcomes must have each"),
    "all alike": (
        Share,
        {"alike": lambda _self, _model, draws: (draws[:1], np.zeros(draws.size, dtype=int))},
        "instances that are alike must have the same statistics",
    ),
    "never differ": (
        Share,
        {"same_statistics": lambda _self, one, _other: np.ones(one.n_instances, dtype=bool)},
        "same_statistics must hold whatever the label is",
    ),
    "worse is better": (Share, {"greater_is_better": True}, "greater_is_better must not be True"),
    "no such kind": (Share, {"predictions_kind": "text"}, "predictions_kind must be one of 'class', 'value'"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_wrong_with_a_measure_is_reported(name: str) -> None:
    base, changes, message = BROKEN[name]
    with pytest.raises(AssertionError) as caught:
        check_measure(type("Broken", (base,), changes)())
    assert str(caught.value).startswith("Broken: ")
    assert message in str(caught.value)


def test_what_is_no_measure() -> None:
    with pytest.raises(AssertionError, match=r"a measure must be a Measure, got <class .*Share'>"):
        check_measure(Share)
