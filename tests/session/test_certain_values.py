"""What is certain before the first label is told, in the report as well."""

import numpy as np
import pytest

from activeeval_widgets import Pool, Session
from activeeval_widgets.session.findings.certain_values import certain_value_sentences
from activeeval_widgets.stats import (
    ClassPredictions,
    ErrorRate,
    FMeasure,
    Measure,
    Precision,
    Recall,
    Specificity,
    SquaredError,
    ValuePredictions,
)


def model(shares: list[float], name: str | None = None) -> ClassPredictions:
    """Return predictions with these probabilities of "spam"."""
    spam = np.array(shares)
    return ClassPredictions(np.column_stack([1 - spam, spam]), classes=["ham", "spam"], name=name)


NEVER, ALWAYS, MIXED = [0.1, 0.2, 0.3], [0.9, 0.8, 0.7], [0.1, 0.2, 0.7]


@pytest.mark.parametrize(
    ("measure", "shares", "expected"),
    [
        (FMeasure(positive="spam"), NEVER, "never predicts spam, so its F1 of spam is 0."),
        (Recall(positive="spam"), NEVER, "never predicts spam, so its recall of spam is 0."),
        (Recall(positive="spam"), ALWAYS, "always predicts spam, so its recall of spam is 1."),
        (
            Specificity(positive="spam"),
            NEVER,
            "never predicts spam, so its specificity of spam is 1.",
        ),
        (
            Precision(positive="spam"),
            NEVER,
            "never predicts spam, so its precision of spam is not defined, whatever the labels are.",
        ),
        (Precision(positive="spam"), ALWAYS, None),
        (FMeasure(positive="spam"), MIXED, None),
        (ErrorRate(), NEVER, None),
    ],
)
def test_of_one_model(measure: Measure, shares: list[float], expected: str | None) -> None:
    session = Session(Pool(["a", "b", "c"], predictions=model(shares)), measure)
    assert certain_value_sentences(session.findings) == (
        [] if expected is None else [f"The model {expected}"]
    )
    if expected:
        assert expected in session.report("markdown")


def test_of_two_models_that_predict_the_same() -> None:
    models = [model(NEVER, "old"), model([0.2, 0.4, 0.4], "new")]
    session = Session(Pool(["a", "b", "c"], predictions=models), ErrorRate())
    expected = (
        "old and new predict the same for all texts: whatever the labels are, they have the same error rate."
    )
    assert certain_value_sentences(session.findings) == [expected]
    assert expected in session.report("markdown")
    values = [ValuePredictions([1.0, 2.0], [1.0, 1.0], name=name) for name in ("x", "y")]
    session = Session(Pool(["a", "b"], predictions=values), SquaredError(), y_range=(0, 5))
    assert len(certain_value_sentences(session.findings)) == 1


def test_of_several_models() -> None:
    models = [model(MIXED, "old"), model(NEVER, "new"), model(ALWAYS, "newest")]
    session = Session(Pool(["a", "b", "c"], predictions=models), FMeasure(positive="spam"))
    assert certain_value_sentences(session.findings) == ["new never predicts spam, so its F1 of spam is 0."]
