"""What measures and their values are called and how they are written."""

import pytest

from activeeval_widgets.stats import (
    DCG,
    ERR,
    AbsoluteError,
    Accuracy,
    BalancedAccuracy,
    ErrorRate,
    FMeasure,
    Recall,
    Specificity,
    SquaredError,
)
from activeeval_widgets.stats.numbers import formatted
from activeeval_widgets.stats.quantities import Differences


def test_shares_are_written_in_percent_and_nothing_else_is():
    measures = [ErrorRate(), Accuracy(), FMeasure(), SquaredError()]
    assert [measure.is_share for measure in measures] == [True, True, False, False]
    assert [formatted(measure, 0.1284) for measure in measures] == ["12.8", "12.8", "0.128", "0.128"]
    assert [measure.unit("kg") for measure in measures] == ["%"] * 2 + [
        "",
        "\N{NO-BREAK SPACE}kg²",
    ]
    assert Differences(ErrorRate()).unit() == "\N{NO-BREAK SPACE}points"
    assert Differences(AbsoluteError()).unit("kg") == "\N{NO-BREAK SPACE}kg"
    assert AbsoluteError().unit() == ""


@pytest.mark.parametrize(
    ("value", "options", "text"),
    [
        (float("nan"), {}, "–"),
        (float("inf"), {}, "∞"),
        (-float("inf"), {}, "−∞"),
        (-0.00001, {}, "0.000"),
        (1234.56, {}, "1,235"),
        (-12.3456, {"decimals": 1}, "\N{MINUS SIGN}12.3"),
        (0.5, {"sign": True}, "+0.500"),
        (0.0, {"sign": True}, "0.000"),
    ],
)
def test_how_a_value_is_written(value, options, text):
    assert formatted(SquaredError(), value, **options) == text


def test_abbreviations_are_spelled_out():
    assert DCG(10).long_name == "discounted cumulative gain (DCG)"
    assert ERR().long_name == "expected reciprocal rank (ERR)"
    assert Recall("spam").long_name == "recall of spam"


def test_the_class_of_interest():
    assert Specificity("spam").positive == "spam"
    assert BalancedAccuracy().positive is None
