"""What the page of a race sends, by type of message."""

from collections.abc import Mapping
from typing import Literal, TypedDict

from activeeval_widgets.widgets.messages.from_page import AskInstances, AskMore, LabelValue, Nothing


class Known(TypedDict):
    """What the page knows of a racer: the version of its steps, and how many of them."""

    version: int
    n: int


class AskSteps(TypedDict):
    """Further steps of both racers."""

    run: int
    known: list[Known]


class AskRaces(TypedDict):
    """How far the many races are; a little more of them is done."""

    run: int


class AskBeyond(TypedDict):
    """How many labels a racer needs for an interval of a width; a little more is tried."""

    run: int
    racer: int
    width: float
    kind: Literal["guaranteed", "approximate"]


class LabelByHand(TypedDict):
    """Whose labels are given by hand from now on, after how many labels; nobody's: the expert goes on."""

    run: int
    n: int
    racers: list[int]


class GiveByHand(TypedDict):
    """The label of a racer's present instance, its n-th; None: what the expert says."""

    run: int
    racer: int
    n: int
    value: LabelValue | None


class UndoByHand(TypedDict):
    """Take back the last label that was given by hand."""

    run: int


class NewRace(TypedDict):
    """Another race: another seed, other racers, or both."""

    seed: int
    methods: list[str]


RACE_QUESTIONS: Mapping[str, type] = {
    "hello": Nothing,
    "ping": Nothing,
    "steps": AskSteps,
    "races": AskRaces,
    "beyond": AskBeyond,
    "instances": AskInstances,
    "more": AskMore,
}
"""Messages that change nothing that is shown: what they ask for is computed a little at a time."""

RACE_FROM_PAGE: Mapping[str, type] = {
    **RACE_QUESTIONS,
    "by_hand": LabelByHand,
    "give": GiveByHand,
    "undo": UndoByHand,
    "new_race": NewRace,
}
"""All messages of a race, by type. Each has "type", "client" and "seq", too."""
