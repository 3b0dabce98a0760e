"""A measure needs draws wherever a label would count for it."""

import re
from typing import Any

import numpy as np
import pytest

from activeeval_widgets.stats import (
    DCG,
    ERR,
    AbsoluteError,
    Accuracy,
    BalancedAccuracy,
    ClassPredictions,
    ErrorRate,
    FMeasure,
    LogLoss,
    MacroF,
    Precision,
    RankingPredictions,
    Recall,
    Specificity,
    SquaredError,
    ValuePredictions,
)
from activeeval_widgets.stats.questions.support import check_support

CLASSES = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]])
OTHER = ClassPredictions([[0.8, 0.2], [0.6, 0.4], [0.2, 0.8]])
VALUES = ValuePredictions([1.0, 2.0, 3.0])
OTHER_VALUES = ValuePredictions([1.0, 2.0, 3.5])
RELEVANCE = [{"a": [0.5, 0.5], "b": [0.5, 0.5]}] * 3
RANKINGS = RankingPredictions([["a"], [], ["a", "b"]], RELEVANCE, [0, 1])
OTHER_RANKINGS = RankingPredictions([["a"], ["b"], ["b", "a"]], RELEVANCE, [0, 1])


def without(*never: int) -> Any:
    q = np.full(3, 1.0)
    q[list(never)] = 0
    return q / q.sum()


@pytest.mark.parametrize(
    ("measure", "models", "never"),
    [
        (Precision(), [CLASSES], [0]),
        (Precision(positive=0), [CLASSES], [1, 2]),
        (FMeasure.from_eta(1.0), [CLASSES], [0]),
        # Two models agree there, so that the difference of their risks is 0.
        (ErrorRate(), [CLASSES, OTHER], [0, 2]),
        (Accuracy(), [CLASSES, OTHER], [2]),
        (SquaredError(), [VALUES, OTHER_VALUES], [0, 1]),
        (DCG(), [RANKINGS, OTHER_RANKINGS], [0]),
        (DCG(cutoff=1), [RANKINGS], [1]),
        (ERR(), [RANKINGS], [1]),
        (ErrorRate(), [CLASSES], []),
        (Precision(), [CLASSES, OTHER], [0]),
    ],
    ids=repr,
)
def test_what_says_nothing_need_not_be_drawn(measure: Any, models: Any, never: list[int]) -> None:
    check_support(measure, models, without(*never))


@pytest.mark.parametrize(
    ("measure", "models", "never", "where"),
    [
        (Precision(), [CLASSES], [1], 1),
        (Precision(), [CLASSES], [0, 2], 2),
        (Recall(), [CLASSES], [0], 0),
        (Specificity(), [CLASSES], [2], 2),
        (FMeasure(), [CLASSES], [0], 0),
        (ErrorRate(), [CLASSES], [1, 2], 1),
        (LogLoss(), [CLASSES], [0], 0),
        (BalancedAccuracy(), [CLASSES], [0], 0),
        (MacroF(), [CLASSES], [2], 2),
        (Precision(), [CLASSES, OTHER], [1], 1),
        (SquaredError(), [VALUES], [1], 1),
        (AbsoluteError(), [VALUES], [0], 0),
        (DCG(), [RANKINGS], [0, 1], 0),
        (ERR(), [RANKINGS], [1, 2], 2),
    ],
    ids=repr,
)
def test_what_says_something_has_to_be_drawn(measure: Any, models: Any, never: list[int], where: int) -> None:
    says = f"a label there would count for the {measure.name}: it would never be drawn"
    message = f"q[{where}] is 0, but {says}"
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        check_support(measure, models, without(*never))


@pytest.mark.parametrize(
    ("measure", "models", "never", "where"),
    [
        (ErrorRate(), [CLASSES, OTHER], [0, 1], 1),
        (SquaredError(), [VALUES, OTHER_VALUES], [2], 2),
        (DCG(), [RANKINGS, OTHER_RANKINGS], [1], 1),
    ],
    ids=repr,
)
def test_where_models_differ_has_to_be_drawn(measure: Any, models: Any, never: list[int], where: int) -> None:
    message = f"q[{where}] is 0, but the models differ there: it would never be drawn"
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        check_support(measure, models, without(*never))
