"""Results are equal by their numbers, on every version of Python."""

from dataclasses import replace
from math import nan

from activeeval_widgets.stats import Estimate, PairwiseComparison

UNKNOWN = {"value": nan, "standard_error": nan}


def test_numbers_that_are_not_defined_are_equal() -> None:
    first, again = (PairwiseComparison(0, 1, statistic=nan, pvalue=float("nan"), **UNKNOWN) for _ in range(2))
    assert first == again
    assert hash(first) == hash(again)
    assert len({first, again}) == 1


def test_others_are_not() -> None:
    first = PairwiseComparison(0, 1, 0.1, 0.05, 2.0, nan)
    for change in ({"second": 2}, {"value": nan}, {"standard_error": 0.06}, {"pvalue": 0.1}):
        assert replace(first, **change) != first
    assert first != (0, 1, 0.1, 0.05, 2.0, nan)
    assert first != Estimate(0.1, 0.05, 0.0, 0.2, 10, 10, 10.0, 0.95, "difference", "wald")
