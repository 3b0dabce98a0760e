"""What the page sends, by type of message."""

from collections.abc import Mapping
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

LabelValue: TypeAlias = int | float | dict[str, float | None]
"""A label as the page has it: the position of a class, a number, or grades by the names of the results."""


class Nothing(TypedDict):
    """A message that says all by its type."""


class Saved(TypedDict):
    """What a browser was told is saved."""

    n_events: int
    time: str
    n_labels: int


class AskInstances(TypedDict):
    """Instances to be rendered."""

    indices: list[int]


class AskMore(TypedDict):
    """A further part of a long text."""

    index: int
    passage: int
    start: int


class AskPrediction(TypedDict):
    """The model's prediction of the present instance."""

    draw: int


class AskPanels(TypedDict):
    """The panels beside the instance; "shown" names those that are shown, "pair" two of several models.

    "draws_figures" says whether the page can show bqplot figures in them.
    """

    shows_wald: bool
    shows_confusion: bool
    shown: list[str]
    pair: NotRequired[list[int] | None]
    draws_figures: NotRequired[bool]


class AskHistory(TypedDict):
    """A part of the answers so far."""

    query: str
    only: list[Literal["wrong", "flagged", "noted", "changed"]]
    answer: str | None
    offset: int
    shows_prediction: bool
    asked: int
    differing: NotRequired[Literal["any", "first", "second", "both", "neither"] | None]
    pair: NotRequired[list[int] | None]


class AskRow(TypedDict):
    """One answer, to look at it again."""

    index: int
    shows_prediction: bool


class SetGoal(TypedDict):
    """The goal's parts, as the person wrote them."""

    fields: dict[str, float | None]


class PreviewGoal(SetGoal):
    """What a goal would cost that the person is writing."""


class AskResult(TypedDict):
    """The result."""

    may_tell: bool
    draws_figures: NotRequired[bool]


class AskFile(TypedDict):
    """A file to save."""

    which: Literal["html", "labels", "markdown", "events"]


class Answered(TypedDict):
    """What every answer about a draw has; "resent_for", its instance, where a reloaded page sends it."""

    draw: int
    seconds: float
    first_key_seconds: float | None
    resent_for: NotRequired[int]


class GiveLabel(Answered):
    """A label."""

    value: LabelValue


class Exclude(Answered):
    """That an instance can't be labeled, and why."""

    reason: NotRequired[str]


class ChangeLabel(TypedDict):
    """Another label in the place of an earlier one."""

    index: int
    value: LabelValue


class WriteNote(TypedDict):
    """A note on an instance."""

    index: int
    text: str


class SetFlag(TypedDict):
    """Whether an instance is flagged."""

    index: int
    flagged: bool


class Adjudicate(TypedDict):
    """Which label counts where opinions differ."""

    index: int
    value: LabelValue


class GiveName(TypedDict):
    """Who sits before the page."""

    who: str


class GiveAnswers(TypedDict):
    """What was done since the last message was answered: messages of `ANSWERS`, each with its type."""

    answers: list[Any]
    ahead: int


ANSWERS: Mapping[str, type] = {
    "label": GiveLabel,
    "defer": Answered,
    "exclude": Exclude,
    "undo": Nothing,
    "change": ChangeLabel,
    "note": WriteNote,
    "flag": SetFlag,
    "adjudicate": Adjudicate,
}
"""What a person does with instances, by type. The page sends several as one message, "answers"."""

QUESTIONS: Mapping[str, type] = {
    "hello": Nothing,
    "ping": Nothing,
    "witness": Saved,
    "instances": AskInstances,
    "more": AskMore,
    "prediction": AskPrediction,
    "plots": AskPanels,
    "plan": Nothing,
    "goal_preview": PreviewGoal,
    "history": AskHistory,
    "row": AskRow,
    "result": AskResult,
    "save": AskFile,
}
"""Messages that change nothing."""

FROM_PAGE: Mapping[str, type] = {
    **QUESTIONS,
    "answers": GiveAnswers,
    "goal": SetGoal,
    "name": GiveName,
    "go_on": Nothing,
    "new_session": Nothing,
    "save_to_new_file": Nothing,
}
"""All messages, by type. Each has "type", "client" and "seq", too; "is_repeated" where it comes again."""

FOR_GUESTS: Mapping[str, bool] = {
    "hello": True,
    "ping": True,
    "witness": True,
    "instances": True,
    "more": True,
    "prediction": True,
    "plots": True,
    "plan": True,
    "history": True,
    "row": True,
    "result": True,
    "save": False,
    "answers": True,
    "label": True,
    "defer": True,
    "exclude": True,
    "undo": True,
    "change": True,
    "note": True,
    "flag": True,
    "adjudicate": False,
    "goal": False,
    "goal_preview": False,
    "name": True,
    "go_on": False,
    "new_session": False,
    "save_to_new_file": False,
}
"""Whether whoever was invited to label one session may send a message, or an answer in one."""
