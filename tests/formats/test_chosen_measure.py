"""Which measure is meant, and what is guessed of it."""

import pytest

from activeeval_widgets import Pool
from activeeval_widgets.formats.chosen_measure import DEFAULTS, chosen_measure
from activeeval_widgets.stats import ClassPredictions, ValuePredictions
from activeeval_widgets.stats.measures.measure_names import described


def pool_of(classes, y_pred=(0, 0, 1)):
    y_proba = [[0.8 if c == p else 0.2 / (len(classes) - 1) for c in range(len(classes))] for p in y_pred]
    return Pool(list("abc"), predictions=ClassPredictions(y_proba, classes=classes))


@pytest.mark.parametrize("kind", DEFAULTS)
def test_defaults_are_of_their_kind(kind):
    assert described(DEFAULTS[kind]).predictions_kind == kind


def test_what_is_not_given_is_guessed_and_reported():
    chosen = chosen_measure(pool_of(["ham", "spam"]))
    assert repr(chosen.measure) == "ErrorRate()"
    assert chosen.guessed == ("measure: error-rate (--measure for another)",)
    assert (
        repr(chosen_measure(Pool(["a", "b"], predictions=ValuePredictions([1.0, 2.0]))).measure)
        == "AbsoluteError()"
    )


@pytest.mark.parametrize(
    ("classes", "y_pred", "positive"),
    [
        (["ham", "spam"], (0, 0, 1), "spam"),
        (["ham", "spam"], (0, 1, 1), "ham"),
        ([0, 1], (1, 1, 1), 1),
        (["no", "Yes"], (1, 1, 1), "Yes"),
        ([False, True], (1, 1, 0), True),
    ],
)
def test_the_class_of_interest_of_two(classes, y_pred, positive):
    chosen = chosen_measure(pool_of(classes, y_pred), "recall")
    assert chosen.measure.positive == positive
    assert type(chosen.measure.positive) is type(positive)
    assert f"class of interest: {positive}" in chosen.guessed[0]


@pytest.mark.parametrize(
    ("classes", "typed", "positive"),
    [([0, 1], "0", 0), (["0", "1"], 0, "0"), ([False, True], "true", True), (["Ham", "spam"], "ham", "Ham")],
)
def test_a_class_as_typed(classes, typed, positive):
    chosen = chosen_measure(pool_of(classes), "precision", typed)
    assert chosen.measure.positive == positive
    assert type(chosen.measure.positive) is type(positive)
    assert chosen.guessed == ()


@pytest.mark.parametrize(
    ("name", "positive", "message"),
    [
        ("f1", None, "add --positive, one of a, b, c"),
        ("f1", "d", "positive is 'd', and there is no such class. There are: a, b, c"),
        ("error-rate", "a", "'error-rate' has no option 'positive'"),
        ("dcg", None, "'dcg' does not fit these predictions. Those that do: .*error-rate"),
        ("f-one", None, "there is no measure 'f-one'"),
    ],
)
def test_what_does_not_fit_is_reported(name, positive, message):
    with pytest.raises(ValueError, match=message):
        chosen_measure(pool_of(["a", "b", "c"]), name, positive)
