"""Messages from Python to the start page: one dictionary, whose parts the page shows."""

from typing import TypedDict

from activeeval_widgets.widgets.messages.from_python import Addressed, SavedFile
from activeeval_widgets.widgets.messages.start_from_page import NewSettings


class DemoCard(TypedDict):
    """A demo to try."""

    name: str
    title: str
    text: str


class StartContent(TypedDict):
    """The settings that do not change while the start page is shown."""

    place: str
    folder: str
    notices: list[str]
    demos: list[DemoCard]
    largest: int
    largest_text: str
    part_size: int
    has_guests: bool


class EvaluationRow(TypedDict):
    """An evaluation in the list; "last_used" is a time in UTC, or empty."""

    session: str
    title: str
    question: str
    n_labels: int
    budget: int | None
    value: str
    interval: str
    last_used: str
    who: str
    is_done: bool
    is_archived: bool
    missing: str
    n_guest_links: int


class EvaluationList(TypedDict):
    """The list of evaluations, the most recently used first."""

    rows: list[EvaluationRow]
    n_archived: int


class FoundFile(TypedDict):
    """A file of the folder that may hold predictions."""

    path: str
    size: str


class Received(TypedDict):
    """The amount of an upload that has arrived."""

    upload: str
    n_bytes: int


class NamedText(TypedDict):
    """A choice: its name, and its displayed text."""

    name: str
    text: str


class Column(TypedDict):
    """A column: its role, and its first cells."""

    name: str
    role: str
    text: str
    cells: list[str]


class ProblemRow(TypedDict):
    """A problem in a file, with its remedy."""

    where: str
    text: str
    remedy: str


class MeasureOption(TypedDict):
    """A number that a measure takes: the texts before and after its field, and its default."""

    label: str
    before: str
    after: str
    value: str
    is_needed: bool


class MeasureChoice(TypedDict):
    """A measure and its summary."""

    name: str
    text: str
    sentence: str
    needs_class: bool
    option: MeasureOption | None


class Question(TypedDict):
    """A question that users may have, and the measures that answer it."""

    text: str
    note: str
    measures: list[MeasureChoice]


class KnownLabels(TypedDict):
    """A column with labels for some rows, a question about it, and the roles that answer it."""

    column: str
    text: str
    choices: list[NamedText]


class NewContent(TypedDict):
    """A new evaluation from a file."""

    title: str
    file: str
    about: str
    columns: list[Column]
    known_labels: KnownLabels | None
    roles: list[NamedText]
    guessed: list[str]
    problems: list[ProblemRow]
    n_problems: int
    cannot_start: str
    questions: list[Question]
    classes: list[str]
    can_have_sheets: bool
    settings_file: str
    given: NewSettings | None


class PlanStep(TypedDict):
    """A margin of error, and its cost; "n_labels" and "budget" are None if they are not known."""

    half_width: float
    text: str
    headline: str
    range: str
    uniform: str
    n_labels: int | None
    budget: int | None


class PlanList(TypedDict):
    """The cost of each margin of error; "first" is the step to begin with."""

    measure: str
    positive: str | None
    sheets: bool
    steps: list[PlanStep]
    first: int
    seconds: float
    n_instances: int
    note: str


class GuestLink(TypedDict):
    """A link that opens one evaluation: its token, which the page adds to the address."""

    session: str
    token: str


class StartFromPython(Addressed, total=False):
    """Parts, each of which the start page shows."""

    start: StartContent
    evaluations: EvaluationList
    files: list[FoundFile]
    received: Received
    new: NewContent
    plans: PlanList
    command: str
    file: SavedFile
    open_session: str
    guest_link: GuestLink
