"""The wall: what the teacher's page asks for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from threading import RLock
from typing import TYPE_CHECKING, Any

from activeeval_widgets.widgets.classroom.content import WallContent
from activeeval_widgets.widgets.messages import WALL_FROM_PAGE, WALL_QUESTIONS
from activeeval_widgets.widgets.page_channel import PageChannel, Reply
from activeeval_widgets.widgets.wording.measures import sides_text
from activeeval_widgets.widgets.wording.sessions import about

if TYPE_CHECKING:
    from activeeval_widgets.widgets.classroom.classroom import Classroom


class Wall(PageChannel):
    """Answers the page that shows all intervals of a class."""

    questions = tuple(WALL_QUESTIONS)
    messages = WALL_FROM_PAGE

    def __init__(self, classroom: Classroom, content: WallContent, notes: Sequence[str]) -> None:
        self._classroom, self._content, self._notes = classroom, content, list(notes)
        self._is_notified = False
        handlers = {
            "hello": self._hello,
            "ping": lambda _: ({}, []),
            "wall": self._wall,
            "table": self._table,
            "run": self._run,
        }
        super().__init__(handlers, RLock(), on_repeat=lambda: None)

    def notify(self) -> None:
        """Let the pages know that there is more to ask for, once until they ask."""
        if not self._is_notified:
            self._is_notified = True
            self.send({"news": True})

    def _hello(self, _message: Mapping[str, Any]) -> Reply:
        classroom, quantity = self._classroom, self._content.quantity
        config = {
            "title": classroom.title,
            "about": about(classroom.tries[0].session),
            "measure": quantity.name,
            "is_share": quantity.measure.is_share,
            "sides": sides_text(quantity),
            "n_labels": classroom.contest.budget,
            "notes": self._notes,
            "has_simulated": any(student.is_simulated for student in classroom.students),
        }
        return {"config": config}, []

    def _wall(self, message: Mapping[str, Any]) -> Reply:
        self._is_notified = False
        classroom, is_revealed = self._classroom, message["is_revealed"]
        if is_revealed:
            classroom.cheat()
        content = self._content.wall(
            classroom.students,
            classroom.tries,
            message["kind"],
            message["stop"],
            message["n"],
            is_revealed,
        )
        return {"wall": content}, []

    def _table(self, message: Mapping[str, Any]) -> Reply:
        text = self._content.table(self._classroom.students, message["is_revealed"])
        return {"file": {"name": "class.csv", "type": "text/csv", "text": text}}, []

    def _run(self, _message: Mapping[str, Any]) -> Reply:
        self._classroom.run_simulated()
        return {}, []
