"""Messages from the start page, by type."""

from collections.abc import Mapping
from typing import Literal, TypedDict

from activeeval_widgets.widgets.messages.from_page import Nothing


class AskEvaluations(TypedDict):
    """Request the list of evaluations."""

    shows_archived: bool


class AskPlans(TypedDict):
    """Request the labels that each margin of error takes."""

    measure: str
    positive: str | None
    sheets: bool


class AskExport(TypedDict):
    """Request a file about an evaluation, to save."""

    session: str
    which: Literal["html", "markdown", "labels", "session"]


class NewSettings(TypedDict):
    """The settings of a new evaluation."""

    measure: str
    positive: str | None
    half_width: float | None
    budget: int | None
    title: str
    guidelines: str
    sheets: bool


class OfFile(TypedDict):
    """The evaluation whose next version a file is, if any."""

    after: str | None


class ChooseFile(OfFile):
    """Choose a file in the folder."""

    path: str


class UploadPart(OfFile):
    """A part of a file; its bytes are in the buffer."""

    upload: str
    name: str
    size: int
    offset: int


class ChangeRoles(TypedDict):
    """Set the roles of columns."""

    roles: dict[str, str]


class Archive(TypedDict):
    """Set whether an evaluation is archived, and whether archived ones are shown."""

    session: str
    is_archived: bool
    shows_archived: bool


class AboutGuests(TypedDict):
    """The evaluation to which guest links refer."""

    session: str


class Revoke(AboutGuests):
    """Revoke an evaluation's guest links."""

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
"""All messages of the start page, by type. Each also has "type", "client" and "seq"."""
