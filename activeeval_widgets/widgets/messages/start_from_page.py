"""What the start page sends, by type of message."""

from collections.abc import Mapping
from typing import Literal, TypedDict

from activeeval_widgets.widgets.messages.from_page import Nothing


class AskEvaluations(TypedDict):
    """The evaluations there are."""

    shows_archived: bool


class AskPlans(TypedDict):
    """How many labels it takes for each margin of error."""

    measure: str
    positive: str | None


class AskExport(TypedDict):
    """A file about an evaluation, to save."""

    session: str
    which: Literal["html", "markdown", "labels", "session"]


class NewSettings(TypedDict):
    """What a new evaluation is to be."""

    measure: str
    positive: str | None
    half_width: float | None
    budget: int | None
    title: str
    guidelines: str


class ChooseFile(TypedDict):
    """A file of the folder."""

    path: str


class UploadPart(TypedDict):
    """A part of a file; its bytes are the buffer."""

    upload: str
    name: str
    size: int
    offset: int


class ChangeRoles(TypedDict):
    """What the columns are."""

    roles: dict[str, str]


class Archive(TypedDict):
    """Whether an evaluation is put away; and whether such ones are shown."""

    session: str
    is_archived: bool
    shows_archived: bool


class AboutGuests(TypedDict):
    """The evaluation that links for guests are about."""

    session: str


class Revoke(AboutGuests):
    """Links for guests of an evaluation that are to open it no more."""

    shows_archived: bool


START_QUESTIONS: Mapping[str, type] = {
    "hello": Nothing,
    "ping": Nothing,
    "evaluations": AskEvaluations,
    "folder": Nothing,
    "plans": AskPlans,
    "command": NewSettings,
    "export": AskExport,
}
"""Messages that change nothing."""

START_FROM_PAGE: Mapping[str, type] = {
    **START_QUESTIONS,
    "choose": ChooseFile,
    "upload": UploadPart,
    "roles": ChangeRoles,
    "start": NewSettings,
    "archive": Archive,
    "invite": AboutGuests,
    "revoke": Revoke,
}
"""All messages of the start page, by type. Each has "type", "client" and "seq", too."""
