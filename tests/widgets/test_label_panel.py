import re
from typing import Any

import pytest

from activeeval_widgets.session import ClassLabels, GradeLabels, NumberLabels
from activeeval_widgets.widgets.labels.classes import ClassPanel
from activeeval_widgets.widgets.labels.grades import GradesPanel
from activeeval_widgets.widgets.labels.keys import action_keys, key_scope
from activeeval_widgets.widgets.labels.panel import LABEL_PANELS, label_panel, register_label_panel

MANY = [f"class {i}" for i in range(40)]
GRADES = GradeLabels([0, 1, 2], [["d7", 12], ["d1"]])


def test_classes() -> None:
    panel = label_panel(ClassLabels([False, True]))
    assert panel.config() == {
        "kind": "class",
        "is_searched": False,
        "choices": [
            {"text": "False", "keys": ("1",)},
            {"text": "True", "keys": ("2",)},
        ],
    }
    assert panel.reserved_keys() == set("12")
    assert [panel.decode(0), panel.decode(1)] == [False, True]
    assert panel.encode(True) == 1
    assert panel.text(True) == "True"


def test_more_classes_than_keys_are_searched() -> None:
    panel = label_panel(ClassLabels(MANY))
    config = panel.config()
    assert config["is_searched"]
    assert [choice["keys"] for choice in config["choices"]] == [()] * 40
    assert not label_panel(ClassLabels(MANY[:20])).config()["is_searched"]
    assert label_panel(ClassLabels(MANY[:21])).config()["is_searched"]


def test_many_classes_that_each_have_a_key() -> None:
    keys = dict(zip(MANY[:22], "abcdefghijklmnopqrst12", strict=True))
    panel = ClassPanel(ClassLabels(MANY[:22]), keys)
    assert not panel.is_searched
    assert [choice.keys for choice in panel.choices][:2] == [("a",), ("b",)]
    with pytest.raises(ValueError, match="keys has keys for 1 of 22 classes: with more than 20 classes"):
        ClassPanel(ClassLabels(MANY[:22]), {"class 0": "a"})


def test_numbers() -> None:
    panel = label_panel(NumberLabels(0, 80.5), unit="km/h")
    mark = {"decimal_mark": None}
    assert panel.config() == {"kind": "number", "low": 0.0, "high": 80.5, "unit": ("km/h", "km/h"), **mark}
    unbounded = label_panel(NumberLabels()).config()
    assert unbounded == {"kind": "number", "low": None, "high": None, "unit": None, **mark}
    assert panel.decode(3) == 3.0
    assert panel.text(0.30000000000000004) == "0.3\N{NO-BREAK SPACE}km/h"
    assert panel.encode(7.25) == 7.25


def test_grades() -> None:
    panel = label_panel(GRADES)
    config = panel.config()
    assert (config["kind"], config["grades"]) == ("grades", [0, 1, 2])
    assert [choice["keys"] for choice in config["choices"]] == [("0",), ("1",), ("2",)]
    value = {"d7": None, "12": 2}
    assert GRADES.check(panel.decode(value), 0) == {"d7": None, "12": 2.0}
    assert panel.encode({"d7": None, "12": 2.0}) == value
    assert panel.text({"d7": None, "12": 2.0}) == "– 2"


def test_grades_that_are_no_digits() -> None:
    panel = GradesPanel(GradeLabels([0, 0.5, 10], [["a"]]))
    assert [(choice.text, choice.keys) for choice in panel.choices] == [
        ("0", ("1",)),
        ("0.5", ("2",)),
        ("10", ("3",)),
    ]
    assert GradesPanel(GRADES, {2: "r"}).choices[2].keys == ("r",)
    with pytest.raises(ValueError, match="keys\\['2'\\] is 'j', which moves in the list"):
        GradesPanel(GRADES, {2: "j"})


@pytest.mark.parametrize(
    ("labels", "value", "message"),
    [
        (ClassLabels(["a", "b"]), 2, "value must be a number from 0 to 1, got 2"),
        (ClassLabels(["a", "b"]), -1, "value must be a number from 0 to 1, got -1"),
        (ClassLabels(["a", "b"]), True, "value must be a number from 0 to 1, got True"),
        (ClassLabels(["a", "b"]), "a", "value must be a number from 0 to 1, got 'a'"),
        (NumberLabels(), "3", "value must be a number, got '3'"),
        (NumberLabels(), None, "value must be a number, got None"),
        (NumberLabels(), True, "value must be a number, got True"),
        (GRADES, 2, "value must be a mapping from item to grade, got 2"),
    ],
)
def test_values_that_mean_no_label(labels: Any, value: Any, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        label_panel(labels).decode(value)


@pytest.mark.parametrize(
    ("labels", "options", "message"),
    [
        (
            ClassLabels(["a", "b"]),
            {"unit": "kg"},
            "unit is for labels that are numbers, got 'kg' for labels of kind 'class'",
        ),
        (
            NumberLabels(),
            {"unit": " "},
            "unit must be a nonblank string, or two of them, singular and plural; got ' '",
        ),
        (
            NumberLabels(),
            {"keys": {1: "a"}},
            "keys is for classes and grades, got {1: 'a'} for labels of kind 'number'",
        ),
        (
            ClassLabels(["a", "b"]),
            {"keys": {"c": "x"}},
            "keys has a key for 'c', which is not one of the labels 'a', 'b'",
        ),
    ],
)
def test_options_that_do_not_fit(labels: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        label_panel(labels, **options)


def test_labels_of_no_known_kind() -> None:
    with pytest.raises(TypeError, match="labels must be of one of the kinds class, grades, number; got None"):
        label_panel(None)


def test_a_kind_of_label_has_one_panel() -> None:
    class OtherPanel(ClassPanel):
        """For classes, too."""

    with pytest.raises(ValueError, match="kind of OtherPanel is 'class', which is that of ClassPanel"):
        register_label_panel(OtherPanel)
    assert LABEL_PANELS["class"] is ClassPanel


def test_keys_are_remembered_for_one_measure_and_its_labels() -> None:
    config = label_panel(ClassLabels(["a", "b"])).config()
    scope = key_scope("error rate", config)
    assert scope == key_scope("error rate", config)
    assert scope != key_scope("accuracy", config)
    assert scope != key_scope("error rate", label_panel(ClassLabels(["a", "c"])).config())
    assert key_scope("error", label_panel(NumberLabels()).config())


def test_one_is_singular() -> None:
    panel = label_panel(NumberLabels(), unit=("point", "points"))
    assert [panel.text(number) for number in (1.0, -1.0, 2.0, 0.0)] == [
        f"{text}\N{NO-BREAK SPACE}{unit}"
        for text, unit in (("1", "point"), ("−1", "point"), ("2", "points"), ("0", "points"))
    ]
    with pytest.raises(ValueError, match=r"singular and plural; got \('point',\)"):
        label_panel(NumberLabels(), unit=("point",))


def test_grades_have_words() -> None:
    grades = GradeLabels([0, 1], [["a"]])
    assert label_panel(grades).config()["words"] is None
    assert label_panel(grades, grade_words=("bad", "good")).config()["words"] == ["bad", "good"]
    for words, error, message in [
        ("bad", TypeError, "grade_words must be a sequence of strings, got 'bad'"),
        (["bad"], ValueError, "a string for each of 2 grades, got \\['bad'\\]"),
        (["bad", " "], ValueError, "grade_words\\[1\\] must be a nonblank string, got ' '"),
    ]:
        with pytest.raises(error, match=message):
            label_panel(grades, grade_words=words)
    with pytest.raises(ValueError, match="grade_words is for grades"):
        label_panel(NumberLabels(), grade_words=("bad", "good"))


def test_backspace_in_a_number_or_a_list_is_not_undo() -> None:
    for labels in (NumberLabels(), GradeLabels([0, 1], [["a"]])):
        taken = label_panel(labels).reserved_keys()
        assert action_keys(taken)["undo"] == ["u"]
