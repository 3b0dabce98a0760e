"""Messages from the pages of a class: a student's beyond those of a session, and the wall's."""

from collections.abc import Mapping
from typing import Literal, TypedDict

from activeeval_widgets.widgets.messages.from_page import Nothing


class Join(TypedDict):
    """Set the student's name on the wall."""

    name: str


class StopHere(TypedDict):
    """Set whether the student would stop after the present number of labels."""

    stops: bool


class AskWall(TypedDict):
    """Request all intervals: of which kind, after how many labels, and whether with the truth."""

    kind: Literal["guaranteed", "approximate", "wald"]
    stop: Literal["fixed", "own", "best"]
    n: int
    is_revealed: bool


class AskTable(TypedDict):
    """Request the courses of all students as a file; with the truth if it is revealed."""

    is_revealed: bool


STUDENT_QUESTIONS: Mapping[str, type] = {"student": Nothing}
"""Messages of a student that change nothing."""

STUDENT_FROM_PAGE: Mapping[str, type] = {
    **STUDENT_QUESTIONS,
    "ping": Nothing,
    "join": Join,
    "stop_here": StopHere,
}
"""What a student's page sends beside the messages of a session, by type."""

WALL_QUESTIONS: Mapping[str, type] = {"hello": Nothing, "ping": Nothing, "wall": AskWall, "table": AskTable}
"""Messages of the wall that change nothing."""

WALL_FROM_PAGE: Mapping[str, type] = {**WALL_QUESTIONS, "run": Nothing}
"""What the wall sends, by type; "run" has simulated students label to the end."""

FOR_STUDENTS: Mapping[str, bool] = {
    "hello": True,
    "ping": True,
    "witness": True,
    "instances": True,
    "more": True,
    "prediction": False,
    "plots": True,
    "plan": False,
    "history": False,
    "row": False,
    "result": True,
    "save": False,
    "answers": True,
    "label": True,
    "defer": False,
    "exclude": False,
    "undo": True,
    "change": False,
    "note": False,
    "flag": False,
    "adjudicate": False,
    "sheet": False,
    "open_sheet": False,
    "goal": False,
    "goal_preview": False,
    "name": False,
    "go_on": False,
    "new_session": False,
    "save_to_new_file": False,
    "student": True,
    "join": True,
    "stop_here": True,
}
"""Whether a student may send a message, or an answer in one: nothing that changes what is estimated."""
