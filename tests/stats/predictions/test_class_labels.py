"""Classes and labels, whatever holds them, mean what a plain list of them means."""

import numpy as np
import pandas as pd
import pytest

from activeeval_widgets.stats import ClassPredictions, ErrorRate, FMeasure, estimate, pool_value, uniform_q

WORDS = ["ham", "spam"]
P = np.array([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]])

HOLDERS = {
    "list": list,
    "tuple": tuple,
    "keys": lambda labels: dict.fromkeys(labels).keys(),
    "objects": lambda labels: np.array(labels, dtype=object),
    "NumPy scalars": lambda labels: [np.array([each])[0] for each in labels],
    "objects of NumPy scalars": lambda labels: np.array([np.array([e])[0] for e in labels], dtype=object),
    "Index": pd.Index,
    "Index of objects": lambda labels: pd.Index(labels, dtype=object),
    "Series": lambda labels: pd.Series(labels, index=range(7, 7 + len(labels))),
    "Series of objects": lambda labels: pd.Series(labels, dtype=object),
    "Categorical": pd.Categorical,
    "Categorical Index": pd.CategoricalIndex,
    "pandas' own": pd.array,
}
VALUES = {"words": WORDS, "bools": [False, True], "ints": [3, 7], "floats": [0.5, 1.5]}


@pytest.mark.parametrize("holder", HOLDERS)
@pytest.mark.parametrize("values", VALUES)
def test_classes_are_what_a_list_of_them_is(holder, values):
    plain = ClassPredictions(P, classes=VALUES[values])
    given = ClassPredictions(P, classes=HOLDERS[holder](VALUES[values]))
    assert given.classes.dtype == plain.classes.dtype
    assert given.classes.tolist() == VALUES[values]
    assert [type(label) for label in given.classes.tolist()] == [type(label) for label in VALUES[values]]
    assert given.y_pred.tolist() == plain.y_pred.tolist()


@pytest.mark.parametrize("holder", sorted(HOLDERS.keys() - {"keys"}))
@pytest.mark.parametrize("values", VALUES)
def test_labels_are_what_a_list_of_them_is(holder, values):
    no, yes = VALUES[values]
    predictions = ClassPredictions(P, classes=[no, yes])
    labels = HOLDERS[holder]([yes, no, yes])
    assert predictions.encode(labels).tolist() == [1, 0, 1]
    q = uniform_q(3)
    for measure in (ErrorRate(), FMeasure(positive=yes)):
        expected = estimate(measure, predictions, q, [0, 1, 2], [yes, no, yes])
        assert estimate(measure, predictions, q, [0, 1, 2], labels) == expected
        assert pool_value(measure, predictions, labels) == pool_value(measure, predictions, [yes, no, yes])
    assert ClassPredictions(P, classes=[no, yes], y_pred=labels).y_pred.tolist() == [yes, no, yes]


@pytest.mark.parametrize("positive", [np.str_("spam"), np.array("spam"), np.array(WORDS, dtype=object)[1]])
def test_the_positive_class_may_be_numpys(positive):
    measure = FMeasure(positive=positive)
    assert repr(measure) == repr(FMeasure(positive="spam"))  # a session is resumed by it
    assert measure.name == "F1 of spam"
    assert pool_value(measure, ClassPredictions(P, classes=WORDS), ["ham", "spam", "ham"]) == pytest.approx(
        2 / 3
    )


@pytest.mark.parametrize(
    ("classes", "error", "message"),
    [
        (["a", 1], TypeError, r"all of one kind, got \['a', 1\]; \[str\(c\) for c in classes\] makes"),
        (np.array(["a", 1], dtype=object), TypeError, r"all of one kind, got \['a', 1\]"),
        ([True, 0], TypeError, r"all of one kind, got \[True, 0\]"),
        (["a", np.nan], TypeError, r"all of one kind, got \['a', nan\]"),
        (pd.Categorical(["a", None]), TypeError, r"all of one kind, got \['a', nan\]"),
        (["a", pd.NA], TypeError, r"all of one kind, got \['a', <NA>\]"),
        ([b"a", b"b"], TypeError, r"all of one kind, got \[b'a', b'b'\]"),
        (pd.date_range("2020-01-01", periods=2), TypeError, "numbers or strings, all of one kind"),
        (
            np.array(["2020-01-01"] * 2, dtype="datetime64[ns]"),
            TypeError,
            r"got \[datetime.datetime\(2020, 1, 1",
        ),
        ([np.timedelta64(1, "ns"), np.timedelta64(2, "ns")], TypeError, r"got \[datetime.timedelta\("),
        (np.array([1, 2], dtype="timedelta64[ns]"), TypeError, r"got \[datetime.timedelta\("),
        ([1.0, np.nan], ValueError, r"finite numbers or strings, got \[1.0, nan\]"),
        ({"a", "b"}, TypeError, "in the order of the columns of y_proba, as a list, got {"),
        ("ab", TypeError, "in the order of the columns of y_proba, as a list, got 'ab'"),
        ([["a"], ["b"]], ValueError, r"one class per column of y_proba \(2\), got shape \(2, 1\)"),
        (pd.Index(["a", "b", "c"]), ValueError, r"one class per column of y_proba \(2\), got shape \(3,\)"),
    ],
)
def test_what_no_classes_are(classes, error, message):
    with pytest.raises(error, match=message):
        ClassPredictions(P, classes=classes)


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (["spam", 1, "ham"], r"y_true\[1\] is 1, expected one of the classes \['ham', 'spam'\]"),
        (pd.Series(["spam", pd.NA, "ham"]), r"y_true\[1\] is (nan|<NA>), expected one of"),
        (np.array(["spam", "eggs", "ham"], dtype=object), r"y_true\[1\] is 'eggs', expected one of"),
        (np.array([1, 0, 1], dtype=object), r"y_true\[0\] is 1, expected one of"),
    ],
)
def test_what_no_labels_are(labels, message):
    with pytest.raises(ValueError, match=message):
        ClassPredictions(P, classes=WORDS).encode(labels)


def test_booleans_are_labels_of_zero_and_one():
    assert ClassPredictions(P).encode([True, False, 1]).tolist() == [1, 0, 1]
    assert ClassPredictions(P, classes=[False, True]).encode([1, 0, True]).tolist() == [1, 0, 1]


@pytest.mark.parametrize("positive", ["eggs", None, np.nan, ["spam"]])
def test_no_positive_class(positive):
    with pytest.raises(ValueError, match=r"positive is .*, expected one of the classes \['ham', 'spam'\]"):
        pool_value(FMeasure(positive=positive), ClassPredictions(P, classes=WORDS), WORDS + WORDS[:1])
