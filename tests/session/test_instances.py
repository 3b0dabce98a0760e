from pathlib import Path
from typing import Any

import numpy as np
import pytest

import activeeval_widgets
from activeeval_widgets.session import Ranking, Result, Text

from .conftest import exactly


def test_a_text_says_how_it_is_shown() -> None:
    text = Text("שלום world", spans=[(0, 4), [np.int64(5), 10]], direction="rtl", title="A", monospace=True)
    assert text.spans == ((0, 4), (5, 10))
    assert (text.direction, text.title, text.monospace) == ("rtl", "A", True)
    assert Text("") == Text("", (), False, "auto", None)
    assert hash(Text("a", spans=[(0, 1)])) == hash(Text("a", spans=((0, 1),)))


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"text": None}, TypeError, "text must be a string, got None"),
        ({"text": b"abc"}, TypeError, "text must be a string, got b'abc'"),
        ({"title": 5}, TypeError, "title must be a string or None, got 5"),
        ({"monospace": "yes"}, TypeError, "monospace must be True or False, got 'yes'"),
        ({"direction": "left"}, ValueError, "direction must be one of 'auto', 'ltr', 'rtl', got 'left'"),
        ({"direction": None}, ValueError, "direction must be one of 'auto', 'ltr', 'rtl', got None"),
        ({"spans": [(0, 4)]}, ValueError,
         "spans[0] is (0, 4), expected 0 <= start < end <= 3, the text's length"),
        ({"spans": [(0, 1), (2, 2)]}, ValueError,
         "spans[1] is (2, 2), expected 0 <= start < end <= 3, the text's length"),
        ({"spans": [(-1, 2)]}, ValueError,
         "spans[0] is (-1, 2), expected 0 <= start < end <= 3, the text's length"),
        ({"spans": [(0, 1, 2)]}, TypeError, "spans[0] must be two positions in the text, got (0, 1, 2)"),
        ({"spans": [(0, 1.5)]}, TypeError, "spans[0] must be two positions in the text, got (0, 1.5)"),
        ({"spans": [5]}, TypeError, "spans[0] must be two positions in the text, got 5"),
        ({"spans": 5}, TypeError, "spans must be pairs of positions in the text, got 5"),
        ({"spans": "ab"}, TypeError, "spans must be pairs of positions in the text, got 'ab'"),
    ],
)  # fmt: skip
def test_bad_texts(arguments: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=exactly(message)):
        Text(**{"text": "abc", **arguments})


def test_a_ranking_lists_its_items() -> None:
    ranking = Ranking("jaguar", [Result("a"), Result(7, title="B"), Result((1, 2))])
    assert ranking.items == ("a", 7, (1, 2))
    assert isinstance(ranking.results, tuple)
    assert Ranking("nothing found", ()).items == ()


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"query": None}, TypeError, "query must be a string, got None"),
        ({"results": ["a"]}, TypeError, "results[0] must be a Result, got 'a'"),
        ({"results": 5}, TypeError, "results must be a sequence of Results, got 5"),
        ({"results": [Result("a"), Result("b"), Result("a")]}, ValueError,
         "results must be of distinct items, but 'a' occurs twice"),
        ({"results": [Result(1), Result("1")]}, ValueError,
         "results must be of distinct items, but '1' occurs twice"),
    ],
)  # fmt: skip
def test_bad_rankings(arguments: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=exactly(message)):
        Ranking(**{"query": "q", "results": (), **arguments})


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"item": ["a"]}, "item must be hashable, such as a string or a number, got ['a']"),
        ({"title": 3}, "title must be a string or None, got 3"),
        ({"text": b"x"}, "text must be a string or None, got b'x'"),
        ({"link": Path("x")}, f"link must be a string or None, got {Path('x')!r}"),
        ({"image": 3}, "image must be an array, bytes, a path or None, got 3"),
    ],
)
def test_bad_results(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(TypeError, match=exactly(message)):
        Result(**{"item": "a", **arguments})


def test_results_with_pictures_can_be_compared() -> None:
    picture = np.zeros((2, 2))
    assert Result("a", image=picture) == Result("a", image=picture)
    assert Result("a", image=picture) != Result("a", image=picture.copy())
    assert Result("a", image=b"x") == Result("a", image=b"x")
    assert Result("a", image=Path("x")) != Result("a", image=b"x")
    assert Result("a") != "a"
    assert len({Result("a", image=picture), Result("a", image=picture), Result("b")}) == 2


@pytest.mark.parametrize("name", ["Text", "Ranking", "Result"])
def test_they_are_at_hand(name: str) -> None:
    assert getattr(activeeval_widgets, name) is globals()[name]
