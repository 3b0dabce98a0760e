"""The page of a student: a session's, with a name, and the button to stop."""

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from activeeval_widgets.session.arguments import check_who
from activeeval_widgets.session.log.events import AnyEvent
from activeeval_widgets.widgets.classroom.student import Student
from activeeval_widgets.widgets.messages import (
    FOR_STUDENTS,
    FROM_PAGE,
    QUESTIONS,
    STUDENT_FROM_PAGE,
    STUDENT_QUESTIONS,
)
from activeeval_widgets.widgets.page_channel import Handler, PageChannel, Reply
from activeeval_widgets.widgets.session_page import PageOptions, SessionPage

if TYPE_CHECKING:
    from activeeval_widgets.widgets.classroom.classroom import Classroom

MAX_NAME_LENGTH = 30


class StudentChannel(PageChannel):
    """A session's channel that answers the messages of a student, too."""

    questions = (*QUESTIONS, *STUDENT_QUESTIONS)
    messages: ClassVar[Mapping[str, type]] = {**FROM_PAGE, **STUDENT_FROM_PAGE}

    def __init__(self, own: Mapping[str, Handler], *arguments: Any, **options: Any) -> None:
        self._own = own
        super().__init__(*arguments, **options)

    def handle(self, handlers: Mapping[str, Handler]) -> None:
        """Set the handlers of a session's messages."""
        super().handle({**handlers, **self._own})


class StudentPage:
    """Answers the pages of a student."""

    def __init__(self, student: Student, options: PageOptions, classroom: "Classroom") -> None:
        self._classroom, self._student = classroom, student
        own = {"student": self._reply, "join": self._join, "stop_here": self._stop}
        self._page = SessionPage(
            student.session, options, lambda _: None, front_end=partial(StudentChannel, own)
        )
        self._page.restrict_to_guest()
        self.front_end: PageChannel = self._page.front_end
        self.front_end.allow(FOR_STUDENTS)
        self._stopped = student.stopped
        student.session.subscribe(self._follow)

    @property
    def is_left_unused(self) -> bool:
        """Whether no page is open, and nobody has given a name or a label."""
        student = self._student
        return not (self.front_end.n_lines or student.name or student.n_labels)

    def close(self) -> None:
        """Stop all notifications."""
        self._student.session.unsubscribe(self._follow)
        self._page.close()

    def _state(self) -> dict[str, Any]:
        student = self._student
        self._stopped = student.stopped
        suggested = student.name or self._classroom.suggested_name()
        return {"student": {"name": student.name, "suggested": suggested, "stopped": student.stopped}}

    def _reply(self, _message: Mapping[str, Any]) -> Reply:
        return self._state(), []

    def _join(self, message: Mapping[str, Any]) -> Reply:
        name = check_who(" ".join(message["name"].split())[:MAX_NAME_LENGTH] or None)
        self._classroom.name_student(self._student, name or self._classroom.suggested_name())
        return self._state(), []

    def _stop(self, message: Mapping[str, Any]) -> Reply:
        if message["stops"] and not self._student.n_labels:
            raise ValueError("Label an instance first.")
        self._student.stop_here(message["stops"])
        self._classroom.changed()
        return self._state(), []

    def _follow(self, _event: AnyEvent) -> None:
        if self._student.stopped != self._stopped:  # its label was undone
            self.front_end.send(self._state())
        self._classroom.changed()
