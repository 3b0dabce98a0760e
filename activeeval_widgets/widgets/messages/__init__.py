"""The messages between the page and Python: a table for each direction, with fields and their types.

The start page and the race have tables of their own. ``make bundle`` writes ``frontend/src/from_python/``
from them; tests check that these are up to date, and that the messages sent have these types.
"""

from activeeval_widgets.widgets.messages.class_from_page import (
    FOR_STUDENTS,
    STUDENT_FROM_PAGE,
    STUDENT_QUESTIONS,
    WALL_FROM_PAGE,
    WALL_QUESTIONS,
)
from activeeval_widgets.widgets.messages.class_from_python import StudentFromPython, WallFromPython
from activeeval_widgets.widgets.messages.from_page import ANSWERS, FOR_GUESTS, FROM_PAGE, QUESTIONS
from activeeval_widgets.widgets.messages.from_python import ActionName, FromPython
from activeeval_widgets.widgets.messages.race_from_page import RACE_FROM_PAGE, RACE_QUESTIONS
from activeeval_widgets.widgets.messages.race_from_python import RaceFromPython
from activeeval_widgets.widgets.messages.start_from_page import START_FROM_PAGE, START_QUESTIONS
from activeeval_widgets.widgets.messages.start_from_python import StartFromPython

__all__ = [
    "ANSWERS",
    "FOR_GUESTS",
    "FOR_STUDENTS",
    "FROM_PAGE",
    "QUESTIONS",
    "RACE_FROM_PAGE",
    "RACE_QUESTIONS",
    "START_FROM_PAGE",
    "START_QUESTIONS",
    "STUDENT_FROM_PAGE",
    "STUDENT_QUESTIONS",
    "WALL_FROM_PAGE",
    "WALL_QUESTIONS",
    "ActionName",
    "FromPython",
    "RaceFromPython",
    "StartFromPython",
    "StudentFromPython",
    "WallFromPython",
]
