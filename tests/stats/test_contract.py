"""The names and arguments that others call, and that all of them say what they are."""

import dataclasses
import inspect
import pkgutil
import re
from itertools import pairwise

import pytest

from activeeval_widgets import stats

from ..doctest_namespace import run_examples

SIGNATURES = {
    "ClassPredictions": "y_proba, classes=None, y_pred=None, name=None, *, normalize=False",
    "ValuePredictions": "mean, variance=None, name=None",
    "RankingPredictions": "rankings, relevance_proba, grades, name=None",
    "ErrorRate": "",
    "Accuracy": "",
    "CostMatrix": "costs",
    "LogLoss": "",
    "BrierScore": "",
    "FMeasure": "beta=1.0, positive=1",
    "FMeasure.from_eta": "eta, positive=1",
    "Precision": "positive=1",
    "Recall": "positive=1",
    "Specificity": "positive=1",
    "BalancedAccuracy": "",
    "MacroF": "beta=1.0",
    "MatthewsCorrelation": "",
    "CohenKappa": "",
    "SquaredError": "",
    "AbsoluteError": "",
    "DCG": "cutoff=None",
    "ERR": "cutoff=None, max_grade=None",
    "optimal_q": "measure, predictions, *, costs=None, defensive=0.0, belief=None, "
    "estimator='self_normalized'",
    "uniform_q": "n_instances",
    "disagreement_q": "a, b",
    "absolute_difference_q": "a, b",
    "squared_difference_q": "a, b",
    "cost_q": "costs",
    "draw": "q, n_draws, rng",
    "importance_weights": "q, draws",
    "estimate": "measure, predictions, q, draws, y_true, *, estimator='self_normalized', interval='wald', "
    "confidence_level=0.95, y_range=None",
    "confidence_sequence": "measure, predictions, q, draws, y_true, *, confidence_level=0.95, y_range=None",
    "compare_all": "measure, predictions, q, draws, y_true, *, correction='holm'",
    "pool_value": "measure, predictions, y_true",
}


@pytest.mark.parametrize("name", SIGNATURES)
def test_the_contract(name):
    thing = stats
    for part in name.split("."):
        thing = getattr(thing, part)
    parameters = [
        parameter.replace(annotation=inspect.Parameter.empty)
        for parameter in inspect.signature(thing).parameters.values()
    ]
    assert str(inspect.Signature(parameters))[1:-1] == SIGNATURES[name]


def test_replicate_takes_what_the_contract_says():
    parameters = inspect.signature(stats.replicate).parameters
    assert list(parameters)[:3] == ["measure", "predictions", "y_true"]
    keywords = {name for name, p in parameters.items() if p.kind is p.KEYWORD_ONLY and p.default is p.empty}
    assert keywords == {"methods", "budgets", "n_replications", "rng"}


def test_what_is_exported_is_sorted_and_there():
    assert stats.__all__ == sorted(
        stats.__all__, key=lambda name: (not name.isupper(), name[0].islower(), name)
    )
    for name in stats.__all__:
        assert getattr(stats, name).__doc__


@pytest.mark.parametrize("name", [n for n in stats.__all__ if inspect.isfunction(getattr(stats, n))])
def test_every_function_says_what_it_takes_and_gives(name):
    doc, signature = inspect.getdoc(getattr(stats, name)), inspect.signature(getattr(stats, name))
    assert "Parameters\n----------" in doc
    assert "Returns\n-------" in doc or signature.return_annotation is None
    for parameter in signature.parameters:
        if name != "estimate_trajectory":  # refers to estimate
            assert parameter in doc


@pytest.mark.parametrize(
    "module",
    [info.name for info in pkgutil.walk_packages(stats.__path__, f"{stats.__name__}.") if not info.ispkg],
)
def test_the_examples_run(module):
    assert run_examples(module).failed == 0


def test_what_was_never_there_is_not_there():
    with pytest.raises(
        AttributeError, match=r"module 'activeeval_widgets\.stats' has no attribute 'nothing'"
    ):
        _ = stats.nothing


_NEEDS_NO_RAISES = {
    *("wald_interval", "t_interval", "wilson_interval", "clopper_pearson_interval"),
    "defensive_share",
    "named_measures",
}
"""They compute, whatever they are given."""


@pytest.mark.parametrize("name", stats.__all__)
def test_every_public_name_is_documented_in_full(name):
    thing = getattr(stats, name)
    doc = inspect.getdoc(thing)
    lines = doc.splitlines()
    sections = {title for title, under in pairwise(lines) if under and set(under) == {"-"}}
    assert {"See Also", "Examples"} <= sections
    is_result = inspect.isclass(thing) and (dataclasses.is_dataclass(thing) or issubclass(thing, tuple))
    if is_result:
        assert "Attributes" in sections
    elif inspect.signature(thing).parameters:
        assert "Parameters" in sections
        assert "Raises" in sections or name in _NEEDS_NO_RAISES
        if inspect.isclass(thing):
            listed = doc.split("Parameters\n----------\n")[1].split("\n\n")[0]
            for parameter in inspect.signature(thing).parameters:
                assert re.search(rf"^(\w+, )*{parameter}(, \w+)* :", listed, re.MULTILINE), parameter
    # What it points to is there.
    also = doc.split("See Also\n--------\n")[1].split("\n\n")[0]
    for each in also.splitlines():
        if not each.startswith(" "):
            for other in each.split(" : ")[0].split(", "):
                assert getattr(stats, other.split(".")[0], None) is not None, other
