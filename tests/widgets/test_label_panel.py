from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from activeeval_widgets.stats import ClassPredictions
from activeeval_widgets.widgets.label_panel import RESERVED_KEYS, LabelChoice, label_choices


def choices(classes: Any) -> list[LabelChoice]:
    return label_choices(ClassPredictions(np.full((1, len(classes)), 1 / len(classes)), classes))


def keys(classes: Any) -> list[str | None]:
    return [choice.key for choice in choices(classes)]


def test_digits_are_their_own_keys() -> None:
    assert keys(range(10)) == list("0123456789")
    assert keys([7, 1, 3]) == ["7", "1", "3"]
    assert choices([4, 2]) == [LabelChoice("4", "4", "4"), LabelChoice("2", "2", "2")]


def test_letters_are_their_own_keys_in_either_case() -> None:
    assert keys(["A", "b", "c"]) == ["a", "b", "c"]
    assert [choice.text for choice in choices(["A", "b"])] == ["A", "b"]
    assert keys(["+", "-"]) == ["+", "-"]
    assert keys(["é", "ñ"]) == ["é", "ñ"]


def test_words_have_numbers_then_letters() -> None:
    words = [f"class {i}" for i in range(40)]
    free = [*"1234567890", *"abcdefghijkmnoqrstwyz"]
    assert keys(words) == free + [None] * (40 - len(free))
    assert keys(words[:3]) == ["1", "2", "3"]
    assert keys(words[:10])[-1] == "0"


@pytest.mark.parametrize("reserved", sorted(RESERVED_KEYS))
def test_a_class_that_would_take_an_actions_key(reserved: str) -> None:
    assert keys(["a", reserved]) == ["1", "2"]
    assert keys([reserved.upper(), "a"]) == ["1", "2"]


def test_classes_that_differ_in_case_alone() -> None:
    assert keys(["a", "A"]) == ["1", "2"]


@pytest.mark.parametrize("classes", [[False, True], [0.5, 1.5], [-1, 1], [9, 10], ["", "a"], ["a", "bc"]])
def test_other_classes_are_numbered(classes: Any) -> None:
    assert keys(classes) == ["1", "2"]


def check(classes: list[str]) -> None:
    made = choices(classes)
    assert [choice.value for choice in made] == [choice.text for choice in made] == classes
    given_keys = [choice.key for choice in made if choice.key is not None]
    assert len(set(given_keys)) == len(given_keys)
    assert not RESERVED_KEYS & set(given_keys)
    # A key that the browser reports is one character, and compared in lower case.
    assert all(len(key) == 1 and key == key.lower() for key in given_keys)
    assert len(given_keys) >= min(len(classes), 31)


# NumPy drops null characters at the end of a string.
CHARACTERS = st.characters(exclude_categories=["Cs", "Cc"])


@given(st.lists(st.text(CHARACTERS, max_size=4), min_size=2, max_size=50, unique=True))
def test_no_key_is_given_twice(classes: list[str]) -> None:
    check(classes)


@given(st.lists(CHARACTERS, min_size=2, max_size=50, unique=True))
def test_no_key_is_given_twice_to_single_characters(classes: list[str]) -> None:
    check(classes)


@given(st.lists(st.sampled_from("abcdefuxlpUXLPABC?012"), min_size=2, unique=True))
def test_no_key_is_given_twice_to_letters_of_either_case(classes: list[str]) -> None:
    check(classes)
