"""The messages between page and Python: one table of each direction, with the fields and their types.

``make bundle`` writes ``frontend/src/from_python/messages.ts`` from it; a test says if that is out of date,
and others hold what is really sent against it.
"""

from activeeval_widgets.widgets.messages.from_page import ANSWERS, FROM_PAGE, QUESTIONS
from activeeval_widgets.widgets.messages.from_python import ActionName, FromPython

__all__ = ["ANSWERS", "FROM_PAGE", "QUESTIONS", "ActionName", "FromPython"]
