"""A measure is read from what it writes itself as; nothing else is, and nothing is run."""

import numpy as np
import pytest

from activeeval_widgets.stats import CostMatrix, FMeasure, Precision
from activeeval_widgets.stats.measures.parse_repr import measure_from_repr
from activeeval_widgets.stats.measures.registry import all_measures


@pytest.mark.parametrize("cls", all_measures(), ids=lambda cls: cls.__name__)
def test_every_measure_is_read_again(cls):
    for measure in cls.examples():
        again = measure_from_repr(repr(measure))
        assert type(again) is type(measure)
        assert repr(again) == repr(measure)


@pytest.mark.parametrize(
    "positive", ["spam", "it's", "ü\n", 2, 2.5, True, np.int64(3), np.str_("ham"), np.bool_(True)]
)
def test_any_class_of_interest_is_read_again(positive):
    again = measure_from_repr(repr(Precision(positive=positive)))
    assert again.positive == positive
    assert isinstance(again.positive, str) == isinstance(positive, str)


def test_options_are_read_bit_for_bit():
    assert measure_from_repr(repr(FMeasure(beta=0.3))).eta == FMeasure(beta=0.3).eta
    costs = np.random.default_rng(0).random((3, 3))
    assert measure_from_repr(repr(CostMatrix(costs))).costs.tolist() == costs.tolist()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "ErrorRate",
        "ErrorRate().g",
        "Recall(positive=__import__('os'))",
        "__import__('os').system('true')",
        "Recall.__init__(1)",
        "FMeasure.from_eta(eta=2)",
        "Recall(positives=1)",
        "Measure()",
        "np.int64(1)",
        "Recall(" * 200 + ")" * 200,
        "(" * 10_000,
    ],
)
def test_nothing_else_is_a_measure(text):
    with pytest.raises(ValueError, match=r"^the measure is "):
        measure_from_repr(text)
