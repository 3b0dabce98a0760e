"""What an estimate says of itself, with as many digits as its interval carries."""

from dataclasses import replace
from math import inf, nan
from typing import Any

import pytest

from activeeval_widgets.stats import NDCG, ErrorRate, Estimate, FMeasure
from activeeval_widgets.stats.quantities import Differences, Quantity

ESTIMATE = Estimate(0.12437, 0.02, 0.0852, 0.1706, 130, 120, 110.0, 0.95, "difference", "confidence_sequence")


@pytest.mark.parametrize(
    ("changed", "text"),
    [
        ({}, "0.124 (0.085 to 0.171) after 120 labels"),
        ({"low": 0.0, "high": 1.0}, "0.1 (0.0 to 1.0) after 120 labels"),
        ({"value": 1234.5, "low": 1100.2, "high": 1300.7}, "1234 (1100 to 1301) after 120 labels"),
        ({"value": nan, "low": 0.0, "high": 1.0}, "not known yet, after 120 labels"),
        ({"low": -inf, "high": inf}, "0.124 (-inf to inf) after 120 labels"),
        ({"low": 0.12437, "high": 0.12437}, "0.124 (0.124 to 0.124) after 120 labels"),
        ({"n_labels": 1}, "0.124 (0.085 to 0.171) after 1 label"),
        ({"n_labels": 12_000}, "0.124 (0.085 to 0.171) after 12,000 labels"),
        ({"value": nan, "n_draws": 0, "n_labels": 0}, "not known yet, after 0 labels"),
        (
            {"quantity": Quantity(ErrorRate())},
            "Error rate: 12.4% (approximately 8.5%–17.1%) after 120 labels",
        ),
        (
            {"quantity": Quantity(FMeasure(positive="spam")), "is_asymptotic": False},
            "F1 of spam: 0.124 (0.085–0.171) after 120 labels",
        ),
        (
            {"quantity": Differences(ErrorRate()), "low": -0.0123, "is_asymptotic": False},
            "Difference in error rate: +12.4 points (−1.3 to +17.1 points) after 120 labels",
        ),
        (
            {"quantity": Quantity(NDCG()), "withheld": True},
            "nDCG: 0.124, without an interval yet, after 120 labels",
        ),
    ],
)
def test_in_words(changed: dict[str, Any], text: str) -> None:
    changed_estimate = replace(ESTIMATE, **changed)
    assert str(changed_estimate).replace("\N{NO-BREAK SPACE}", " ") == text
    assert repr(changed_estimate) == f"<{changed_estimate}>"


def test_as_html() -> None:
    assert replace(ESTIMATE, is_asymptotic=False)._repr_html_() == (
        "<div>0.124 (0.085 to 0.171) after 120 labels, 95%, guaranteed</div>"
    )
    assert "approximate" in ESTIMATE._repr_html_()
