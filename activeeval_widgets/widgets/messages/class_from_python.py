"""Messages from Python to the pages of a class: one dictionary, whose parts they show."""

from typing import Literal, TypedDict

from activeeval_widgets.widgets.messages.from_python import Addressed, SavedFile
from activeeval_widgets.widgets.messages.race_from_python import Span


class StudentState(TypedDict):
    """A student's name on the wall, and the number of labels after which they would stop."""

    name: str
    suggested: str
    stopped: int | None


class StudentFromPython(Addressed, total=False):
    """Parts for a student's page, beside those of a session."""

    student: StudentState


class WallConfig(TypedDict):
    """The settings that do not change while a wall is shown."""

    title: str
    about: str
    measure: str
    is_share: bool
    sides: list[str]
    n_labels: int
    notes: list[str]
    has_simulated: bool


class WallRow(TypedDict):
    """A student's interval. A row that is not counted has not come to its number of labels yet."""

    name: str
    method: str
    is_simulated: bool
    is_cheater: bool
    n: int
    value: float | None
    low: float | None
    high: float | None
    is_counted: bool
    is_miss: bool
    text: str


class WallHalf(TypedDict):
    """The students of one method: how many are counted, and their widths in words."""

    method: str
    title: str
    text: str


class WallContent(TypedDict):
    """All intervals, as they were asked for."""

    kind: Literal["guaranteed", "approximate", "wald"]
    stop: Literal["fixed", "own", "best"]
    n: int
    rows: list[WallRow]
    x: Span
    truth: float | None
    truth_text: str
    headline: str
    details: list[str]
    halves: list[WallHalf]


class WallFromPython(Addressed, total=False):
    """Parts, each of which the wall shows. "news" says that there is more to ask for."""

    config: WallConfig
    wall: WallContent
    file: SavedFile
    news: bool
