"""Messages from a race's page, by type."""

from collections.abc import Mapping
from typing import Literal, TypedDict

from activeeval_widgets.widgets.messages.from_page import AskInstances, AskMore, LabelValue, Nothing


class Known(TypedDict):
    """The steps of a racer that the page knows: their version and number."""

    version: int
    n: int


class AskSteps(TypedDict):
    """Request further steps of both racers."""

    run: int
    known: list[Known]


class AskRaces(TypedDict):
    """Request the progress of the many races of two methods; a few more are run."""

    methods: list[str]


class AskBeyond(TypedDict):
    """Request the labels that a racer needs for an interval of a given width; a few more are tried."""

    run: int
    racer: int
    width: float
    kind: Literal["guaranteed", "approximate"]


class LabelByHand(TypedDict):
    """Set the racers labeled by hand from now on, after how many labels; none means the expert labels."""

    run: int
    n: int
    racers: list[int]


class GiveByHand(TypedDict):
    """The label of a racer's present instance, its n-th; None for the expert's label."""

    run: int
    racer: int
    n: int
    value: LabelValue | None


class UndoByHand(TypedDict):
    """Undo the last label that was given by hand."""

    run: int


class NewRace(TypedDict):
    """Start another race, with another seed or other racers."""

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
"""Messages that change nothing visible; their results are computed step by step."""

RACE_FROM_PAGE: Mapping[str, type] = {
    **RACE_QUESTIONS,
    "by_hand": LabelByHand,
    "give": GiveByHand,
    "undo": UndoByHand,
    "new_race": NewRace,
}
"""All messages of a race, by type. Each also has "type", "client" and "seq"."""
