"""A class: its students, those who are simulated, and who comes in."""

import asyncio
import secrets
from collections.abc import Iterator, Sequence
from typing import Any

from activeeval_widgets.stats.text import counted
from activeeval_widgets.widgets.classroom.content import WallContent
from activeeval_widgets.widgets.classroom.student import Student
from activeeval_widgets.widgets.classroom.student_page import StudentPage
from activeeval_widgets.widgets.classroom.wall import Wall
from activeeval_widgets.widgets.page_channel import PageChannel
from activeeval_widgets.widgets.race.contest import Contest
from activeeval_widgets.widgets.session_page import PageOptions

MAX_STUDENTS = 60
"""The largest number of students, with those who are simulated."""

N_TRIES = 10
"""The number of sessions that the cheater begins."""

_PANELS = frozenset({"estimate", "warning", "progress", "trajectory"})
"""The panels of students: what thirty pages at once leave time for."""

_ACTIONS = frozenset({"undo", "result", "panels", "enlarge", "settings", "help"})


class Classroom:
    """Students who label a session each, half of them with active and half with uniform draws.

    Parameters
    ----------
    contest : Contest
        The pool with its labels, the measure, and the number of labels for each student.
    options : PageOptions
        How the sessions are shown.
    n_simulated : int
        The number of simulated students.
    seed : int
        The seed of the first student; the next ones have the next seeds.
    notes : sequence of str
        Notes on the data, for the wall.

    Attributes
    ----------
    students : list of Student
        The students with a name, as they came.
    wall : Wall
        Answers the teacher's page.
    """

    def __init__(
        self,
        contest: Contest,
        options: PageOptions,
        *,
        n_simulated: int = 0,
        seed: int = 0,
        notes: Sequence[str] = (),
    ) -> None:
        if not 0 <= n_simulated < MAX_STUDENTS:
            raise ValueError(
                f"n_simulated must be at least 0 and below {MAX_STUDENTS}, which leaves room for a student; "
                f"got {n_simulated!r}"
            )
        self.contest, self._seed = contest, seed
        self._options = options._replace(actions=_ACTIONS, panels=_PANELS, computes_ahead=False)
        self._run_name = secrets.token_hex(4)
        self._pages: dict[str, StudentPage] = {}
        self._n_seeds = 0
        self.students: list[Student] = []
        for number in range(1, n_simulated + 1):
            student = self._student(is_simulated=True)
            student.name = f"Simulated {number}"
            self.students.append(student)
        # They are looked through for a moment at which an interval leaves out the truth.
        self.tries = [
            Student(contest, "uniform", seed + MAX_STUDENTS + i, is_simulated=True) for i in range(N_TRIES)
        ]
        self._simulates_to = 0
        self._cheats = False
        self._is_working = False
        self.wall = Wall(self, WallContent(contest), notes)

    @property
    def title(self) -> str:
        """What the class evaluates."""
        return self._options.title

    def admit(self, key: str) -> PageChannel:
        """Return the front end of the student with a key, which a browser keeps; a new one for a new key.

        Raises
        ------
        ValueError
            If the class is full.
        """
        if key not in self._pages:
            self._make_room()
            self._pages[key] = StudentPage(self._student(), self._options, self)
        return self._pages[key].front_end

    def name_student(self, student: Student, name: str) -> None:
        """Show a student on the wall by a name that nobody else has."""
        others = {each.name for each in self.students if each is not student}
        student.name = next(each for each in _numbered(name) if each not in others)
        if student not in self.students:
            self.students.append(student)
        self.changed()

    def suggested_name(self) -> str:
        """Return a pseudonym."""
        return f"Student {1 + sum(not student.is_simulated for student in self.students)}"

    def run_simulated(self) -> None:
        """Have the simulated students label to the end."""
        self._simulates_to = self.contest.budget
        self._work()

    def cheat(self) -> None:
        """Have the cheater begin: the truth is known."""
        self._cheats = True
        self._work()

    def changed(self) -> None:
        """Let the wall know of news; simulated students keep up with the fastest of the others."""
        real = (student.n_labels for student in self.students if not student.is_simulated)
        self._simulates_to = max([self._simulates_to, *real])
        self.wall.notify()
        self._work()

    def step(self) -> bool:
        """Give one label of a simulated student; return False if none is due."""
        simulated = (student for student in self.students if student.is_simulated)
        due = [student for student in simulated if student.n_labels < self._simulates_to]
        behind = min(due, key=lambda student: student.n_labels, default=None)
        if behind is not None:
            is_done = behind.label_truly()
        else:
            is_done = self._cheats and any(session.label_truly() for session in self.tries)
        if is_done:
            self.wall.notify()
        return is_done

    def close(self) -> None:
        """Close all pages."""
        for page in self._pages.values():
            page.close()
        self.wall.close()

    def _student(self, **about: Any) -> Student:
        seed = self._seed + self._n_seeds
        self._n_seeds += 1
        method = "uniform" if seed % 2 else "active"
        return Student(self.contest, method, seed, name=f"class-{self._run_name}-{seed}", **about)

    def _make_room(self) -> None:
        """Give away the place of a page that was opened, never used and closed, if no other is left."""
        n_simulated = sum(student.is_simulated for student in self.students)
        if len(self._pages) + n_simulated < MAX_STUDENTS:
            return
        left = next((key for key, page in self._pages.items() if page.is_left_unused), None)
        if left is None:
            raise ValueError(f"The class is full: it has {counted(MAX_STUDENTS, 'students')}.")
        self._pages.pop(left).close()

    def _work(self) -> None:
        """Label for simulated students between messages, where there is an event loop."""
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            return
        if not self._is_working:
            self._is_working = True
            loop.call_soon(self._continue, loop)

    def _continue(self, loop: asyncio.AbstractEventLoop) -> None:
        self._is_working = self.step()
        if self._is_working:
            loop.call_soon(self._continue, loop)


def _numbered(name: str) -> Iterator[str]:
    yield name
    number = 2
    while True:
        yield f"{name} ({number})"
        number += 1
