"""Exports draws to be labeled in a spreadsheet or another tool, and imports their labels."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from threading import RLock
from typing import Any

from activeeval_widgets.session.arguments import check_seconds, check_text, check_who
from activeeval_widgets.session.draws.scheduler import DrawnInstance
from activeeval_widgets.session.draws.session_draws import SessionDraws
from activeeval_widgets.session.errors import SessionConflictError
from activeeval_widgets.session.findings.findings import Findings
from activeeval_widgets.session.given_labels import (
    Answer,
    AnsweredError,
    GivenLabel,
    ImportedLabels,
    to_given_labels,
    where_in_file,
)
from activeeval_widgets.session.locking import one_thread_at_a_time
from activeeval_widgets.session.log.draw import Draw
from activeeval_widgets.session.log.events import AnyEvent, Changed, Excluded, HandedOut, Labeled
from activeeval_widgets.session.recorder import Recorder
from activeeval_widgets.session.revising import Revisions
from activeeval_widgets.stats._validation import check_count, check_option

_MAX_SHOWN = 20
"""The maximum number of problems that an error message lists."""

CONFLICTS = ("refuse", "keep", "replace")


@one_thread_at_a_time
class OfflineLabels:
    """Draws exported to other tools, and labels imported from them: `session.offline`.

    Attributes
    ----------
    lock : threading.RLock
        The session's lock.

    See Also
    --------
    Answers : Label one instance at a time.

    Examples
    --------
    >>> tasks = session.offline.export(2)
    >>> session.offline.import_labels({tasks[0].instance_id: 1}).n_new
    1
    >>> session.offline.exported() == tasks[1:]
    True
    """

    def __init__(
        self, recorder: Recorder, draws: SessionDraws, revisions: Revisions, findings: Findings, lock: RLock
    ) -> None:
        self.lock = lock
        self._recorder, self._answered = recorder, draws.answers
        self._revisions, self._findings = revisions, findings
        self._scheduler, self._state = recorder.scheduler, recorder.state
        self._pool, self._labels = recorder.pool, recorder.labels

    def exported(self) -> list[DrawnInstance]:
        """Return the exported draws that have no answer yet, in draw order.

        Returns
        -------
        list of DrawnInstance
            The draws of `export`, not those leased to people on a page.

        See Also
        --------
        export : Export more draws.

        Examples
        --------
        >>> session.offline.exported(), session.offline.export(2) == session.offline.exported()
        ([], True)
        """
        held = self._state.assignments.values()
        found = [each for each in held if each.seconds is None and each.to is None and not each.sheet]
        return [
            DrawnInstance(each.draw, each.instance, self._pool.ids[each.instance], each.q)
            for each in sorted(found, key=lambda each: each.draw)
        ]

    def export(self, n: int) -> list[DrawnInstance]:
        """Export the next draws, to be labeled in a spreadsheet or another tool.

        The draws depend on the labels so far, and are stored with their probabilities before anybody sees
        them. The page skips them. `import_labels` accepts their labels in any order. The estimate uses the
        draws before the first one without a label.

        Parameters
        ----------
        n : int
            The number of draws without an answer. Earlier exports count: a repeated call returns the same
            draws, and adds new ones only if `n` is larger.

        Returns
        -------
        list of DrawnInstance
            In draw order, all without an answer; fewer than `n` if the pool is exhausted.

        Raises
        ------
        ValueError, TypeError
            If `n` is not a positive integer.
        StoreError
            If the event could not be stored.

        See Also
        --------
        import_labels : Import the labels.
        Session.upcoming : The next questions of a page, without exporting them.

        Examples
        --------
        >>> pool = Pool(["so good", "so bad", "so so"], predictions=[[0.1, 0.9], [0.7, 0.3], [0.5, 0.5]])
        >>> tasks = session.offline.export(2)
        >>> session.offline.export(2) == tasks, session.offline.export(3)[:2] == tasks
        (True, True)
        >>> session.offline.import_labels({task.instance_id: 1 for task in tasks}).n_new
        2
        """
        wanted = check_count("n", n, minimum=1)
        self._recorder.refresh()
        n_more = wanted - len(self.exported())
        if n_more > 0:
            while (n_lacking := n_more - len(self._scheduler.free(n_more))) > 0:
                if not self._recorder.draw(n_lacking):
                    break
            if self._scheduler.free(1):
                self._recorder.record(lambda: self._export_event(n_more))
        return self.exported()[:wanted]

    def import_labels(
        self,
        labels: Mapping[str, Any] | Iterable[GivenLabel],
        *,
        on_conflict: str = "refuse",
    ) -> ImportedLabels:
        """Import labels that were given elsewhere. All are checked before the first is recorded.

        Parameters
        ----------
        labels : mapping from id to label, Series, or iterable of GivenLabel
            In any order. None means no answer yet. A label that is recorded already is left as it is, so the
            same labels can be imported twice.
        on_conflict : {"refuse", "keep", "replace"}
            What to do if an instance has another label: refuse the whole import, keep the recorded label, or
            replace it.

        Returns
        -------
        ImportedLabels
            The counts and the new estimate.

        Raises
        ------
        ValueError
            If an id is unknown or was not exported, a label is invalid, or an instance has two labels or
            another one is recorded. The message lists each problem. Nothing is recorded.
        StoreError
            If a label could not be stored. Those before it are: import the same labels again.

        See Also
        --------
        export : Export the draws.
        Session.change : Replace one label.

        Examples
        --------
        >>> pool = Pool(["a", "b", "c"], predictions=[[0.9, 0.1]] * 3, ids=["x", "y", "z"])
        >>> session = Session(pool, ErrorRate())
        >>> tasks = session.offline.export(3)
        >>> session.offline.import_labels({"x": 0, "y": None, "z": 1}).n_empty
        1
        >>> session.offline.import_labels({"x": 1})
        Traceback (most recent call last):
        ValueError: no label was imported: id 'x' has the label 0 already, not 1
        """
        check_option("on_conflict", on_conflict, CONFLICTS)
        given = to_given_labels(labels)
        self._recorder.refresh()
        index_of = self.index_by_id()
        checked, problems, n_same, n_kept = self._checked(given, index_of, on_conflict)
        if problems:
            more = len(problems) - _MAX_SHOWN
            shown = problems[:_MAX_SHOWN] + ([f"and {more:,} more"] if more > 0 else [])
            listed = shown[0] if len(shown) == 1 else "".join(f"\n- {each}" for each in shown)
            raise ValueError(f"no label was imported: {listed}")
        counts = {"label": 0, "exclude": 0, "change": 0}
        for each in sorted(checked, key=lambda each: each.order):
            if self._record(each):
                counts[each.kind] += 1
        return ImportedLabels(
            n_new=counts["label"],
            n_excluded=counts["exclude"],
            n_same=n_same + len(checked) - sum(counts.values()),
            n_changed=counts["change"],
            n_kept=n_kept,
            n_empty=sum(each.label is None and not each.is_excluded for each in given),
            still_out=tuple(each.instance_id for each in self.exported()),
            estimate=self._findings.estimate(),
            provisional=self._findings.provisional(),
        )

    def index_by_id(self) -> dict[str, int]:
        """Return the instances that can be labeled offline, by id.

        Returns
        -------
        dict of str to int
            Indices into the pool: all instances, or the drawn ones if the pool is streamed.

        See Also
        --------
        import_labels : Import the labels.

        Examples
        --------
        >>> pool = Pool(["a", "b", "c"], predictions=[[0.9, 0.1]] * 3, ids=["x", "y", "z"])
        >>> Session(pool, ErrorRate()).offline.index_by_id()
        {'x': 0, 'y': 1, 'z': 2}
        """
        ids = self._pool.ids
        if not self._pool.is_streamed:
            return {each: index for index, each in enumerate(ids)}
        asked = {*self._state.answers, *self._state.deferred, *self._state.assignments}
        drawn = sorted({*asked, *self._answered.so_far().tolist()})
        self._pool.fetch(drawn)
        return {ids[index]: index for index in drawn}

    # -- exporting

    def _export_event(self, n_more: int) -> HandedOut:
        draws = self._scheduler.free(n_more)
        if not draws:
            raise SessionConflictError(
                f"all draws of the session {self._recorder.name!r} were leased or exported elsewhere"
            )
        return self._recorder.handed_out(draws)

    # -- importing

    def _checked(
        self, given: list[GivenLabel], index_of: Mapping[str, int], on_conflict: str
    ) -> tuple[list[Answer], list[str], int, int]:
        """Return the answers to record, the problems, and the counts of recorded and ignored answers."""
        found: dict[str, Answer] = {}
        problems: list[str] = []
        n_same = n_kept = 0
        for each in given:
            if each.label is None and not each.is_excluded:
                if each.id not in index_of:
                    problems.append(f"{where_in_file(each)} is not in the pool")
                continue
            try:
                answer = self._answer_of(each, index_of)
                earlier = found.get(each.id)
                if earlier is not None and not earlier.agrees_with(answer):
                    raise ValueError(
                        f"{where_in_file(each)} has two answers, {earlier.words} and {answer.words}"
                    )
                if earlier is not None:
                    continue
                answer = self._against_recorded(answer, on_conflict)
            except (ValueError, TypeError) as error:
                problems.append(str(error))
                continue
            found[each.id] = answer
            n_same += answer.kind == "same"
            n_kept += answer.kind == "keep"
        return (
            [each for each in found.values() if each.kind not in ("same", "keep")],
            problems,
            n_same,
            n_kept,
        )

    def _answer_of(self, given: GivenLabel, index_of: Mapping[str, int]) -> Answer:
        """Check one answer by itself."""
        where = where_in_file(given)
        if given.id not in index_of:
            raise ValueError(
                f"{where} is not {'among the draws' if self._pool.is_streamed else 'in the pool'}"
            )
        if given.label is not None and given.is_excluded:
            raise ValueError(f"{where} has the label {given.label!r} and is excluded, too: clear one of them")
        index = index_of[given.id]
        try:
            value = None if given.is_excluded else self._labels.check(given.label, index)
            seconds, who = check_seconds("seconds", given.seconds), check_who(given.who)
            for name in ("reason", "note"):
                if getattr(given, name) is not None:
                    check_text(name, getattr(given, name))
        except (ValueError, TypeError) as error:
            raise ValueError(f"{where}: {error}") from error
        checked = replace(given, label=value, seconds=seconds, who=who)
        return Answer(checked, index, "exclude" if given.is_excluded else "label")

    def _against_recorded(self, answer: Answer, on_conflict: str) -> Answer:
        """Decide how to record an answer, given what is recorded already."""
        state, index = self._state, answer.index
        if index not in state.answers:
            draw = self._draw_to_answer(index)
            if draw is None:
                raise ValueError(
                    f"{where_in_file(answer.given)} was not handed out to be labeled: its label would bias "
                    "the estimate"
                )
            return replace(answer, draw=draw)
        recorded = state.labels.get(index)
        if recorded == answer.given.label and type(recorded) is type(answer.given.label):
            return replace(answer, kind="same")
        if on_conflict == "keep":
            return replace(answer, kind="keep")
        words = (
            "is recorded as one that can't be labeled" if recorded is None else f"has the label {recorded!r}"
        )
        if on_conflict == "replace" and recorded is not None and answer.kind == "label":
            return replace(answer, kind="change")
        raise ValueError(f"{where_in_file(answer.given)} {words} already, not {answer.words}")

    def _draw_to_answer(self, index: int) -> Draw | None:
        """Return the leased, exported or deferred draw of an instance; None if it can't be answered now."""
        assignment = self._state.assignments.get(index)
        if assignment is not None:
            return Draw(assignment.draw, index, assignment.q)
        put_aside = self._state.deferred.get(index)
        return None if put_aside is None else Draw(put_aside.draw, index, put_aside.q)

    def _record(self, answer: Answer) -> bool:
        """Record an answer; return False if another process has done so meanwhile."""
        try:
            self._recorder.record(lambda: self._event_of(answer))
        except AnsweredError:
            return False
        note = answer.given.note
        if note and self._state.notes.get(answer.index) != note:
            self._revisions.note(note, answer.index)
        return True

    def _event_of(self, answer: Answer) -> AnyEvent:
        given, index = answer.given, answer.index
        stamp = self._recorder.stamp()
        if given.who is not None:
            stamp["who"] = given.who
        about: dict[str, Any] = {"instance": index, "instance_id": given.id, **stamp}
        recorded = self._state.answers.get(index)
        if answer.kind == "change":
            if recorded is None or self._state.labels.get(index) == given.label:
                raise AnsweredError
            return Changed(value=given.label, changed_seq=recorded.seq, **about)
        if recorded is not None or answer.draw is None:
            raise AnsweredError
        about |= {"draw": answer.draw.number, "q": answer.draw.q, "seconds": given.seconds}
        if answer.kind == "exclude":
            return Excluded(reason=given.reason, **about)
        return Labeled(value=given.label, **about)
