"""What every kind of instances has to pass, and that it says what is wrong with one."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from activeeval_widgets.session import Conversation, InstanceKind, Ranking, Result, Text, Turn, check_kind
from activeeval_widgets.session.pool.kinds import KINDS

EXAMPLES: dict[str, list[Any]] = {
    "image": [np.zeros((2, 2)), b"x", Path("a.png")],
    "pair": [("a", "b"), ("b", "a")],
    "text": ["a", Text("b", title="c")],
    "ranking": [Ranking("q", [Result(1), Result(2, title="b")]), Ranking("r", [Result(3)])],
    "record": [{"a": 1, "b": None}, {"a": 2, "b": "x"}],
    "conversation": [Conversation([Turn("user", "a")]), Conversation([Turn("user", "b")])],
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_kinds_of_the_package_pass(name: str) -> None:
    check_kind(KINDS[name], EXAMPLES[name])


def test_all_kinds_are_checked() -> None:
    own = {name for name, kind in KINDS.items() if type(kind).__module__.startswith("activeeval_widgets")}
    assert own - EXAMPLES.keys() == {"custom", "absent"}  # what nobody has said, and what is elsewhere


class Melody:
    """A thing of somebody's own."""

    def __init__(self, notes: str) -> None:
        self.notes = notes


class MelodyKind(InstanceKind):
    """A sound kind."""

    name, noun, types = "melody", "melodies", (Melody,)

    def parts(self, instance: Any) -> Any:
        return "melody", instance.notes

    def words(self, instance: Any) -> str:
        return str(instance.notes)

    def items(self, instance: Any) -> Any:
        return tuple(instance.notes.split())

    def with_items(self, instances: Any, items: Any) -> Any:
        del instances
        return [Melody(" ".join(each)) for each in items]

    def to_json(self, instances: Any) -> Any:
        return [each.notes for each in instances]

    def from_json(self, values: Any) -> Any:
        return list(map(Melody, values))


MELODIES = [Melody("C E G"), Melody("D F A")]


def test_a_kind_of_ones_own_passes() -> None:
    check_kind(MelodyKind(), MELODIES)


BROKEN: dict[str, tuple[dict[str, Any], str]] = {
    "no name": ({"name": ""}, "name must be a text, got ''"),
    "one word": ({"called": lambda *_: "melody"}, "called must return the kind's name and its noun"),
    "fits nothing": ({"fits": lambda *_: False, "check": lambda _, found: found}, "guess must be true"),
    "fits everything": ({"fits": lambda *_: True}, "fits and guess must be false"),
    "fits by looking": (
        {"fits": lambda _, one: bool(one.notes)},
        "AttributeError while checking that it recognizes its instances",
    ),
    "drops some": ({"check": lambda _, found: found[:1]}, "check must return all 2 instances, got 1"),
    "takes anything": ({"check": lambda _, found: list(found)}, "check must refuse what is none"),
    "by address": (
        {"parts": lambda _, one: ("melody", str(id(one)))},
        "must be the same for equal instances",
    ),
    "by number": (
        {"fingerprint": lambda _, found: str(len(found))},
        "must differ for the instances in another order",
    ),
    "no parts": ({"parts": InstanceKind.parts}, "a Melody needs a kind that defines its parts"),
    "no words": ({"words": lambda *_: None}, "words must be a text"),
    "a list of fields": ({"fields": lambda *_: ["C"]}, "fields must be a dict"),
    "a list of items": ({"items": lambda *_: ["C"]}, "items must be tuples"),
    "items stay": (
        {"with_items": lambda _, found, _items: found},
        "with_items must return them in the order",
    ),
    "other notes": ({"from_json": lambda *_: MELODIES[:1]}, "from_json must make the same instances"),
    "no JSON": (
        {"to_json": lambda _, found: found},
        "TypeError while checking that from_json reads",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_wrong_with_a_kind_is_reported(name: str) -> None:
    changes, message = BROKEN[name]
    with pytest.raises(AssertionError) as caught:
        check_kind(type("Broken", (MelodyKind,), changes)(), MELODIES)
    assert str(caught.value).startswith("Broken: ")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("kind", "instances", "message"),
    [
        (MelodyKind, MELODIES, "a kind must be an object of an InstanceKind, got <class"),
        (MelodyKind(), MELODIES[:1], "MelodyKind: give two or more instances, got 1"),
    ],
)
def test_what_can_not_be_checked(kind: Any, instances: Any, message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        check_kind(kind, instances)
