"""Page, report and terminal write no more digits than an interval leaves."""

import pytest

from activeeval_widgets.session.findings.interval_table import Scale
from activeeval_widgets.stats import ErrorRate, Estimate, FMeasure, SquaredError
from activeeval_widgets.stats.numbers import Numbers
from activeeval_widgets.stats.quantities import Quantity
from activeeval_widgets.widgets.evaluation.estimate import estimate_content


def estimate_of(value, low, high):
    return Estimate(
        value, 12.0, low, high, 25, 25, 25.0, 0.95, "difference", "confidence_sequence", is_asymptotic=False
    )


def says_nothing(low, high):
    """Whether what is written is all that is possible."""
    return low < 0.01 and high > 0.99


@pytest.mark.parametrize(
    ("measure", "low", "value", "high", "written"),
    [
        (FMeasure(), 0.005, 0.347, 0.994, ("0.35", "0.00 to 1.00")),
        (FMeasure(), 0.3341, 0.3478, 0.3621, ("0.348", "0.334 to 0.363")),
        (ErrorRate(), 0.105, 0.1333, 0.941, ("13%", "10% to 95%")),
        (ErrorRate(), 0.04519, 0.0664, 0.11204, ("6.6%", "4.5% to 11.3%")),
        (ErrorRate(), 0.1 + 0.2, 0.4, 0.7, ("40%", "30% to 70%")),
        (ErrorRate(), 0.125, 0.125, 0.125, ("12.5%", "12.5% to 12.5%")),
        (SquaredError(), 0.0, 1234.56, float("inf"), ("1,235", "0 to ∞")),
    ],
)
def test_digits_follow_the_interval_and_ends_lie_outside(measure, low, value, high, written):
    found = estimate_of(value, low, high)
    numbers = Numbers.of(Quantity(measure), found)
    assert (numbers.value(value), numbers.interval(low, high)) == written
    content = estimate_content(Quantity(measure), found)
    assert content["headline"] == written[0]
    assert content["interval"] == ("" if says_nothing(low, high) else written[1])
    assert (content["value"], content["low"]) == (value, low)  # as they are
    scale = Scale([found], Quantity(measure))
    row = scale.row("a", found, note="", interval=scale.interval(found), has_interval=True)
    assert (row["value"], row["interval"]) == (written[0], "exact" if low == high else written[1])


def test_an_interval_within_another_has_the_digits_of_its_own():
    numbers = Numbers.of(Quantity(ErrorRate()), estimate_of(0.0421, 0.003, 0.31))
    assert (numbers.value(0.0421), numbers.interval(0.0312, 0.0549)) == ("4%", "3.1% to 5.5%")
