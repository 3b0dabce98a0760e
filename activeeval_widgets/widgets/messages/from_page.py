"""Messages from the page, by type."""

from collections.abc import Mapping
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

LabelValue: TypeAlias = int | float | dict[str, float | None]
"""A label in the page's form: the position of a class, a number, or grades by result."""


class Nothing(TypedDict):
    """A message without fields."""


class Saved(TypedDict):
    """What a browser saw as saved."""

    n_events: int
    time: str
    n_labels: int


class AskInstances(TypedDict):
    """Request instances to be rendered."""

    indices: list[int]


class AskMore(TypedDict):
    """Request a further part of a long text."""

    index: int
    passage: int
    start: int


class AskPrediction(TypedDict):
    """Request the model's prediction of the present instance."""

    draw: int


class AskPanels(TypedDict):
    """Request the panels beside the instance; "shown" names the visible ones, "pair" two of several models.

    "draws_figures" says whether the page can show bqplot figures in them, "renews_figures" whether it needs
    new ones, as some of their widgets may be missing there.
    """

    shows_wald: bool
    shown: list[str]
    pair: NotRequired[list[int] | None]
    draws_figures: NotRequired[bool]
    renews_figures: NotRequired[bool]


class AskHistory(TypedDict):
    """Request a part of the answers so far."""

    query: str
    only: list[Literal["wrong", "flagged", "noted", "changed"]]
    answer: str | None
    offset: int
    shows_prediction: bool
    asked: int
    differing: NotRequired[Literal["any", "first", "second", "both", "neither"] | None]
    pair: NotRequired[list[int] | None]


class AskRow(TypedDict):
    """Request one answer for review."""

    index: int
    shows_prediction: bool


class SetGoal(TypedDict):
    """The parts of the goal that the person entered."""

    fields: dict[str, float | None]


class PreviewGoal(SetGoal):
    """Request the cost of a goal while it is entered."""


class AskResult(TypedDict):
    """Request the result."""

    shows_results: bool
    draws_figures: NotRequired[bool]


class AskFile(TypedDict):
    """Request a file to save."""

    which: Literal["html", "labels", "markdown", "events"]


class Answered(TypedDict):
    """The fields of every answer about a draw; "resent_for" is its instance if a reloaded page sends it."""

    draw: int
    seconds: float
    first_key_seconds: float | None
    resent_for: NotRequired[int]


class GiveLabel(Answered):
    """A label."""

    value: LabelValue


class Exclude(Answered):
    """Exclude an instance, with a reason."""

    reason: NotRequired[str]


class ChangeLabel(TypedDict):
    """Replace an earlier label."""

    index: int
    value: LabelValue


class WriteNote(TypedDict):
    """Set the note on an instance."""

    index: int
    text: str


class SetFlag(TypedDict):
    """Set whether an instance is flagged."""

    index: int
    flagged: bool


class Adjudicate(TypedDict):
    """Choose the label that counts after a disagreement."""

    index: int
    value: LabelValue


class SheetAnswer(TypedDict):
    """The answer to an instance of a sheet: a label, or null to ask for it by itself."""

    draw: int
    index: int
    value: int | None


class AnswerSheet(TypedDict):
    """The answers to a sheet."""

    answers: list[SheetAnswer]
    seconds: float


class GiveName(TypedDict):
    """Set the name of the person in front of the page."""

    who: str


class GiveAnswers(TypedDict):
    """The answers since the last acknowledged message: messages of `ANSWERS`, each with its type."""

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
    "sheet": AnswerSheet,
}
"""What a person does with instances, by type. The page sends several in one message, "answers"."""

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
    "open_sheet": Nothing,
    "new_session": Nothing,
    "save_to_new_file": Nothing,
}
"""All messages, by type. Each also has "type", "client" and "seq", and "is_repeated" if it is sent again."""

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
    "sheet": True,
    "open_sheet": True,
    "goal": False,
    "goal_preview": False,
    "name": True,
    "go_on": False,
    "new_session": False,
    "save_to_new_file": False,
}
"""Whether a guest, invited to label one session, may send a message, or an answer in one."""
