"""What the wall shows: everyone's interval at some moment, how many miss, and the same as a table."""

from collections.abc import Sequence
from math import isfinite, nan
from typing import Any, Literal, TypeAlias

import numpy as np
import pandas as pd

from activeeval_widgets.session.findings.plot_axes import nice_range
from activeeval_widgets.session.report.spreadsheet import to_csv
from activeeval_widgets.stats.numbers import Numbers
from activeeval_widgets.stats.text import counted, percent
from activeeval_widgets.widgets.classroom.student import Kind, Moment, Student
from activeeval_widgets.widgets.race.contest import METHODS, Contest
from activeeval_widgets.widgets.wording.measures import format_width

Stop: TypeAlias = Literal["fixed", "own", "best"]
"""Where intervals are looked at: at a fixed number of labels, at the student's own stop, at the narrowest."""

CHEATER = "Cheater"

FIRST_LOOK = 10
"""The least number of labels at which a student may stop, in hindsight or by cheating."""

_PROMISES: dict[Kind, str] = {
    "guaranteed": "Each misses with a chance of at most {share}, wherever it is stopped.",
    "approximate": "Each misses with a chance of about {share} at the most, wherever it is stopped.",
    "wald": "Each misses with a chance of about {share} if its number of labels is fixed beforehand.",
}


def _missed(misses: int, n_counted: int) -> str:
    share = misses / n_counted
    return f"{misses} of {n_counted} miss: {percent(share, int(0 < share < 0.0995))}"


class WallContent:
    """Describes a class to the wall."""

    def __init__(self, contest: Contest) -> None:
        self._contest = contest
        session = contest.begin("uniform", 0)  # for words only; nothing is labeled in it
        self.quantity, self._level = session.question.quantity, session.confidence_level
        self._first = min(FIRST_LOOK, contest.budget)

    def wall(
        self,
        students: Sequence[Student],
        tries: Sequence[Student],
        kind: Kind,
        stop: Stop,
        n: int,
        is_revealed: bool,
    ) -> dict[str, Any]:
        """Return all intervals; whether they miss the truth only if it is revealed."""
        if not 1 <= n <= self._contest.budget:
            raise ValueError(f"n must be from 1 to {self._contest.budget}, got {n!r}")
        truth = self._contest.truth if is_revealed else None
        looks = [(student, *self._moment_at(student, kind, stop, n)) for student in students]
        rows = [self._row(*look, kind, truth) for look in looks]
        intervals = [moment.intervals[kind] for _, moment, is_counted in looks if moment and is_counted]
        x = self._axis([each for each in intervals if each is not None], truth)
        misses = sum(row["is_miss"] for row in rows)
        n_counted = sum(row["is_counted"] for row in rows)
        headline, details = self._headline(stop, n, n_counted, len(rows)), []
        if is_revealed:
            details = [_PROMISES[kind].format(share=percent(1 - self._level))]
            if n_counted:
                details.append(f"{headline}.")
                headline = _missed(misses, n_counted)
            cheater = self._cheater_row(tries, kind)
            details.append(f"The cheater {cheater['text']}.")
            rows.append(cheater)
        details += self._details(students, is_revealed)
        halves = [self._half(method, looks, kind) for method in ("active", "uniform")]
        return {
            "kind": kind,
            "stop": stop,
            "n": n,
            "rows": rows,
            "x": x,
            "truth": truth,
            "truth_text": "" if truth is None else Numbers(self.quantity).value(truth),
            "headline": headline,
            "details": details,
            "halves": [half for half in halves if half is not None],
        }

    def _moment_at(self, student: Student, kind: Kind, stop: Stop, n: int) -> tuple[Moment | None, bool]:
        """Return the moment that is looked at, and whether the student has come there."""
        course = student.course
        if not course:
            return None, False
        at: int | None = n if stop == "fixed" else student.stopped
        if stop == "best":
            widths = [moment.width(kind) for moment in course[self._first - 1 :]]
            is_any = any(map(isfinite, widths))
            at = self._first + int(np.nanargmin(widths)) if is_any else None
        is_there = at is not None and at <= len(course)
        moment = course[at - 1] if at is not None and is_there else course[-1]
        return moment, is_there and moment.intervals[kind] is not None

    def _row(
        self, student: Student, moment: Moment | None, is_counted: bool, kind: Kind, truth: float | None
    ) -> dict[str, Any]:
        interval = None if moment is None else moment.intervals[kind]
        value = nan if moment is None else moment.value
        is_miss = is_counted and moment is not None and truth is not None and moment.misses(kind, truth)
        return {
            "name": student.name,
            "method": student.method,
            "is_simulated": student.is_simulated,
            "is_cheater": False,
            "n": 0 if moment is None else moment.n_labels,
            "value": value if isfinite(value) else None,
            "low": None if interval is None else interval[0],
            "high": None if interval is None else interval[1],
            "is_counted": is_counted,
            "is_miss": is_miss,
            "text": self._text(moment, kind) + (", misses the truth" if is_miss else ""),
        }

    def _text(self, moment: Moment | None, kind: Kind) -> str:
        if moment is None:
            return "no labels yet"
        interval, after = moment.intervals[kind], f"after {counted(moment.n_labels, 'labels')}"
        if interval is None:
            return f"no interval {after}"
        low, high = interval
        return f"{Numbers(self.quantity, (high - low) / 2).interval(low, high)} {after}"

    def _cheater_row(self, tries: Sequence[Student], kind: Kind) -> dict[str, Any]:
        """Return the first moment of several sessions at which the interval leaves out the truth."""
        truth = self._contest.truth
        for number, session in enumerate(tries, 1):
            late = (each for each in session.course[self._first - 1 :] if each.misses(kind, truth))
            if (found := next(late, None)) is not None:
                row = self._row(session, found, True, kind, truth)
                text = f"stops in try {number} of {len(tries)}: {self._text(found, kind)}"
                return {**row, "name": CHEATER, "is_cheater": True, "text": text}
        last = max(tries, key=lambda session: bool(session.course) * session.seed)
        row = self._row(last, *self._moment_at(last, kind, "fixed", self._contest.budget), kind, None)
        n_labels = counted(sum(session.n_labels for session in tries), "labels")
        text = f"finds no interval that misses, in {counted(len(tries), 'sessions')} with {n_labels} so far"
        return {**row, "name": CHEATER, "is_cheater": True, "is_counted": False, "text": text}

    def _axis(self, intervals: Sequence[tuple[float, float]], truth: float | None) -> dict[str, float]:
        smallest, largest = self.quantity.range
        ends = [end for interval in intervals for end in interval] + ([] if truth is None else [truth])
        low, high = nice_range((min(ends), max(ends)), (smallest, largest)) if ends else (smallest, largest)
        return {"low": low if isfinite(low) else -1.0, "high": high if isfinite(high) else 1.0}

    def _headline(self, stop: Stop, n: int, n_counted: int, n_rows: int) -> str:
        """Return how many have come to the moment that is looked at."""
        if not n_rows:
            return "Nobody has joined yet"
        done = {
            "fixed": f"at {counted(n, 'labels')}",
            "own": "would have stopped",
            "best": f"at {counted(self._first, 'labels')} or more",
        }
        return f"{n_counted} of {n_rows} {done[stop]}"

    def _details(self, students: Sequence[Student], is_revealed: bool) -> list[str]:
        n_labels = sum(student.n_labels for student in students)
        n_simulated = sum(student.is_simulated for student in students)
        simulated = f" ({n_simulated} simulated)" if n_simulated else ""
        details = [f"{counted(len(students), 'students')}{simulated}, {counted(n_labels, 'labels')}."]
        n_wrong = sum(student.n_mistakes for student in students)
        if is_revealed and n_wrong:
            differ = "differs" if n_wrong == 1 else "differ"
            details.append(
                f"{counted(n_wrong, 'labels')} {differ} from the true ones, which moves the estimates."
            )
        return details

    def _half(self, method: str, looks: Sequence[Any], kind: Kind) -> dict[str, Any] | None:
        moments = [moment for student, moment, is_counted in looks if is_counted and student.method == method]
        if not moments:
            return None
        width = format_width(
            self.quantity.measure, float(np.median([each.width(kind) for each in moments])) / 2
        )
        median = f"half of them within {width}" if len(moments) > 1 else width
        text = f"{counted(len(moments), 'intervals')}, {median}"
        return {"method": method, "title": METHODS[method].title, "text": text}

    def table(self, students: Sequence[Student], is_revealed: bool) -> str:
        """Return the courses of all students as CSV: a row a label."""
        rows = []
        for student in students:
            for moment in student.course:
                ends = {
                    f"{kind}_{end}": nan if interval is None else interval[i]
                    for kind, interval in moment.intervals.items()
                    for i, end in enumerate(("low", "high"))
                }
                row = {
                    "student": student.name,
                    "is_simulated": student.is_simulated,
                    "draws": student.method,
                    "seed": student.seed,
                    "n_labels": moment.n_labels,
                    "estimate": moment.value,
                    **ends,
                    "stops_here": student.stopped == moment.n_labels,
                }
                rows.append(row | ({"truth": self._contest.truth} if is_revealed else {}))
        return to_csv(pd.DataFrame(rows))
