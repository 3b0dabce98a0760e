import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from activeeval_widgets.widgets.labels.keys import (
    ACTIONS,
    RESERVED_KEYS,
    TYPED,
    action_keys,
    check_keys,
    label_keys,
)


def shown(texts: Any, **options: Any) -> list[str | None]:
    return [keys[0] if keys else None for keys in label_keys([str(text) for text in texts], **options)]


def test_single_characters_are_their_own_keys_in_either_case() -> None:
    assert label_keys(list("0123")) == [("0",), ("1",), ("2",), ("3",)]
    assert shown(["A", "b", "c"]) == ["a", "b", "c"]
    assert shown(["+", "-"]) == ["+", "-"]
    assert shown(["é", "ñ"]) == ["é", "ñ"]


def test_words_have_digits_then_a_letter_of_their_own() -> None:
    words = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
    assert shown(words) == list("1234567890")
    assert shown([*words, "Apple", "banana", "apricot", "ax", "x-ray"])[10:] == ["a", "b", "c", "d", "y"]


@pytest.mark.parametrize(
    ("texts", "keys"),
    [
        (["yes", "no"], [("1", "y"), ("2", "n")]),
        (["No", "Yes"], [("1", "n"), ("2", "y")]),
        (["negative", "neutral", "positive"], [("1", "-"), ("2", "0"), ("3", "+")]),
        (["False", "True"], [("1",), ("2",)]),
        (["yes", "maybe"], [("1",), ("2",)]),
    ],
)
def test_answers_that_have_keys_besides(texts: list[str], keys: list[tuple[str, ...]]) -> None:
    assert label_keys(texts) == keys


@pytest.mark.parametrize("reserved", sorted(RESERVED_KEYS))
def test_a_label_that_would_take_an_actions_key(reserved: str) -> None:
    assert shown(["a", reserved]) == ["1", "2"]
    assert shown([reserved.upper(), "a"]) == ["1", "2"]


@pytest.mark.parametrize(
    "texts", [["a", "A"], ["0.5", "1.5"], ["-1", "1"], ["9", "10"], ["", "a"], ["a", "bc"]]
)
def test_other_labels_are_numbered(texts: list[str]) -> None:
    assert shown(texts) == ["1", "2"]


def test_wanted_keys_take_the_place_of_the_usual_ones() -> None:
    texts = ["ham", "spam", "eggs"]
    assert label_keys(texts, {"spam": "m"}) == [("1",), ("m",), ("3",)]
    assert label_keys(texts, {"spam": "1"}) == [(), ("1",), ("3",)]
    assert label_keys(["yes", "no"], {"yes": "j"}) == [("j",), ("2", "n")]


def check(texts: list[str]) -> None:
    keys = label_keys(texts)
    assert len(keys) == len(texts)
    every = [key for own in keys for key in own]
    assert len(set(every)) == len(every)
    assert not {"u", "?"} & set(every)
    # A key that the browser reports is one character, and compared in lower case.
    assert all(len(key) == 1 and key == key.lower() for key in every)
    assert sum(map(bool, keys)) >= min(len(texts), 20)
    actions = action_keys(every)
    of_actions = [key for own in actions.values() for key in own]
    assert len(set(of_actions)) == len(of_actions)
    assert not set(every) & set(of_actions)
    assert all(actions[action.name] for action in ACTIONS)
    assert actions["undo"] == ["u", "Backspace"]
    assert actions["help"] == ["?"]


CHARACTERS = st.characters(exclude_categories=["Cs", "Cc"])


@given(st.lists(st.text(CHARACTERS, max_size=4), min_size=2, max_size=50, unique=True))
def test_no_key_is_given_twice(texts: list[str]) -> None:
    check(texts)


@given(st.lists(CHARACTERS, min_size=2, max_size=50, unique=True))
def test_no_key_is_given_twice_to_single_characters(texts: list[str]) -> None:
    check(texts)


@given(st.lists(st.sampled_from("abcdefuxlpUXLPABC?012"), min_size=2, unique=True))
def test_no_key_is_given_twice_to_letters_of_either_case(texts: list[str]) -> None:
    check(texts)


@given(st.permutations(["yes", "no"]) | st.permutations(["negative", "positive", "neutral"]))
def test_no_key_is_given_twice_to_answers_with_letters(texts: list[str]) -> None:
    check(texts)


def test_actions_give_way_to_labels() -> None:
    usual = action_keys([])
    assert usual["prediction"] == ["p"]
    assert action_keys(["p"])["prediction"] == ["Shift+p"]
    searched = action_keys(TYPED)
    assert searched["undo"] == ["Shift+u", "Backspace"]
    assert searched["help"] == ["?"]
    assert len({key for keys in searched.values() for key in keys}) == len(ACTIONS) + 1


@pytest.mark.parametrize(
    ("keys", "error", "message"),
    [
        ("yn", TypeError, "keys must be a mapping from label to key, got 'yn'"),
        (
            {"maybe": "m"},
            ValueError,
            "keys has a key for 'maybe', which is not one of the labels 'yes', 'no'",
        ),
        ({"yes": 1}, TypeError, "keys['yes'] must be a string of one character, got 1"),
        ({"yes": ""}, ValueError, "keys['yes'] is '', expected one character that can be typed"),
        ({"yes": "yy"}, ValueError, "keys['yes'] is 'yy', expected one character that can be typed"),
        ({"yes": " "}, ValueError, "keys['yes'] is ' ', expected one character that can be typed"),
        ({"yes": "\t"}, ValueError, "keys['yes'] is '\\t', expected one character that can be typed"),
        ({"yes": "İ"}, ValueError, "keys['yes'] is 'İ', expected one character that can be typed"),
        ({"yes": "U"}, ValueError, "keys['yes'] is 'U', which is the key of 'Undo'"),
        ({"yes": "?"}, ValueError, "keys['yes'] is '?', which is the key of 'All keys'"),
        ({"yes": "j", "no": "J"}, ValueError, "keys['no'] is 'J', which is the key of 'yes', too"),
    ],
)
def test_keys_that_can_not_be(keys: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        check_keys(keys, ["yes", "no"])


def test_keys_that_can_be() -> None:
    assert check_keys({1: "A", "2": "é"}, ["1", "2", "3"]) == {"1": "a", "2": "é"}
