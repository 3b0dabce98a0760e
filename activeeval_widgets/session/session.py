"""The protocol of a labeling session: which instance is asked next, and what the labels so far say."""

import logging
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from math import inf
from pathlib import Path
from threading import RLock
from typing import Any, TypeAlias, TypeVar

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from activeeval_widgets.session.draws.asking import Asking, DrawnInstance
from activeeval_widgets.session.draws.choice import PROTOCOLS, choose_protocol, make_draws
from activeeval_widgets.session.errors import SessionConflictError, SessionMismatchError, StoreError
from activeeval_widgets.session.locking import one_thread_at_a_time
from activeeval_widgets.session.log.events import (
    Action,
    AnyEvent,
    Changed,
    Deferred,
    Drawn,
    Excluded,
    Flagged,
    Labeled,
    Noted,
    Undone,
    WentOn,
    from_record,
    to_record,
)
from activeeval_widgets.session.log.replay import can_follow, is_same_q
from activeeval_widgets.session.log.state import State
from activeeval_widgets.session.pool.label_kinds import labels_of
from activeeval_widgets.session.pool.pool import Pool
from activeeval_widgets.session.reading.evaluation import Evaluation, check_suits
from activeeval_widgets.session.reading.goals import Goal
from activeeval_widgets.session.report.labels_table import labels_table
from activeeval_widgets.session.report.report import report
from activeeval_widgets.session.stores import SQLiteStore, Store, as_store
from activeeval_widgets.session.stores.rescue import free_path, write_new
from activeeval_widgets.stats import Measure
from activeeval_widgets.stats._validation import check_count, check_fraction
from activeeval_widgets.stats.anytime.equation import check_y_range

_logger = logging.getLogger(__name__)

DRAW_RULE = "1"
"""Which version of the rule makes the draws: a new one whenever constants or formulas of q change."""

LONGEST_NOTE = 10_000
"""A note, or the reason of an exclusion, has no more characters than this."""

Observer: TypeAlias = Callable[[AnyEvent], None]

_AnyEvent = TypeVar("_AnyEvent", Labeled, Deferred, Excluded, Changed, Undone, Noted, Flagged, WentOn)


@one_thread_at_a_time
class Session(Evaluation):
    """Active evaluation of a model, one label at a time.

    Instances are drawn from an instrumental distribution that is best for the measure. Unless it is told
    otherwise, it learns from the labels so far, and draws without replacement. By the papers' protocol it is
    fixed: the seed determines the whole sequence before the first label, and an instance that is drawn again
    is not asked again: its label counts for each draw. Everything that happens is in an append-only log,
    and all the rest is a function of pool, q, seed and log.

    Parameters
    ----------
    pool : Pool
        The instances and the predictions of one model, or of two: then the difference of the first one's
        measure and the second's is estimated.
    measure : Measure
        What to estimate.
    budget : int, optional
        The session is done after this many labels. Until all of the pool is labeled unless given.
    seed : int
        Seeds `numpy.random.PCG64` for the draws.
    store : Store, str or path-like, optional
        Where the log is kept: a store, or the path of an SQLite file. In memory unless given.
    name : str
        The session's name in the store. A name that the store holds already resumes that session.
    protocol : {"adaptive", "papers"}, optional
        How instances are drawn. "adaptive": without replacement, from a q that learns from the labels so far
        (`stats.adaptive_q`), in blocks that are stored with the probability of each draw; estimate and
        interval are `stats.estimate_adaptive` and `stats.AdaptiveConfidenceSequence`. "papers": with
        replacement from a fixed q. Unless given, a session that the store holds goes on as it was begun, one
        with a `q` or more than 100,000 instances is "papers", and any other is "adaptive".
    q : array-like of shape (n_instances,), optional
        The instrumental distribution, where it is not to be the optimal one: `uniform_q(m)` for passive
        evaluation, say.
    defensive : float, optional
        The share of uniform draws mixed into the optimal q, so that no weight p/q exceeds its inverse even
        where the model is too sure of itself. Unless given 0.1; 0.2 for two models, whose optimal q is near 0
        wherever they agree, though both may be wrong there.
    y_range : tuple of two floats, optional
        For labels that are numbers: the least and the greatest there can be. Others are refused, and the
        interval that may be watched needs to know.
    goal : Goal, optional
        What the labels are for, and so when the session may stop. Advice alone: it can be set at any time,
        and is not kept in the store.

    Attributes
    ----------
    labels : ClassLabels, NumberLabels or GradeLabels
        What a label is.
    models : tuple of one or two Predictions
        What is evaluated.
    lock : threading.RLock
        Only one thread at a time is let in: cells and widgets' messages may come on different ones. Hold it
        to have several calls happen without another thread's between them.

    Raises
    ------
    ValueError, TypeError
        If an argument does not fit.
    StoreError
        If the store can't be used, or the session in it was begun with something else.
    """

    def __init__(
        self,
        pool: Pool,
        measure: Measure,
        *,
        budget: int | None = None,
        seed: int = 0,
        store: Store | str | Path | None = None,
        name: str = "default",
        protocol: str | None = None,
        q: ArrayLike | None = None,
        defensive: float | None = None,
        y_range: tuple[float, float] | None = None,
        goal: Goal | None = None,
    ) -> None:
        self.lock = RLock()
        if not isinstance(pool, Pool):
            raise TypeError(f"pool must be a Pool, got {pool!r}")
        if not isinstance(measure, Measure):
            raise TypeError(f"measure must be a Measure, such as ErrorRate(), got {measure!r}")
        checked_budget = _check_budget(budget)
        if goal is not None and not isinstance(goal, Goal):
            raise TypeError(f"goal must be a Goal, such as Goal(half_width=0.02), got {goal!r}")
        self.goal = goal
        self.seed = check_count("seed", seed)
        chosen = choose_protocol(protocol, q, pool.n_instances)
        share = None if defensive is None else check_fraction("defensive", defensive, closed=True)
        if not isinstance(name, str) or not name.strip():
            raise ValueError(f"name must be a string that is not blank, got {name!r}")
        self.name = name
        checked_range = check_y_range(y_range)
        labels, state = labels_of(pool, checked_range), State(pool.n_instances)
        how = partial(make_draws, seed=self.seed, defensive=share, q=q)
        draws = how(chosen, pool, measure, labels, state)
        check_suits(measure, pool.models, labels)
        # The store comes last: arguments that are refused leave nothing behind.
        self.store = as_store(store)
        begun_with = self.store.identity(name) if protocol is None and q is None else None
        begun_by = chosen if begun_with is None else begun_with.get("protocol")
        if begun_by in PROTOCOLS and begun_by != chosen:
            draws = how(begun_by, pool, measure, labels, state)
        super().__init__(pool, measure, labels, state, draws, checked_range)
        self._asking = Asking(self._draws, self._state, checked_budget)
        self._observers: list[Observer] = []

        self._begun_with_q: str | None = None
        self._replay(self._begin(by_default=q is None))
        self._join()

    def _begin(self, *, by_default: bool) -> list[dict[str, Any]]:
        """Begin or resume in the store.

        The optimal q of another version may differ from this one's in its last bits, and with it the
        fingerprint: then the probabilities of the stored draws tell whether it is the same.
        """
        try:
            return self.store.begin(self.name, self.identity)
        except SessionMismatchError:
            begun_with = self.store.identity(self.name) or {}
            is_other = begun_with.get("q") in (None, self.identity["q"])
            if is_other or not by_default or self.protocol != "papers":
                raise
            records: list[dict[str, Any]] = []
            with suppress(SessionMismatchError):  # of what differs besides q, the first error tells
                records = self.store.begin(self.name, {**self.identity, "q": begun_with["q"]})
            drawn = [(record["instance"], record["q"]) for record in records if "draw" in record]
            if not drawn or not all(is_same_q(q, float(self.q[index])) for index, q in drawn):
                raise
        self._begun_with_q = begun_with["q"]
        return records

    @property
    def identity(self) -> dict[str, str]:
        """What the session is about: opening its log with anything else is refused."""
        return {
            **self.pool.fingerprints,
            "measure": repr(self.measure),
            "q": self._begun_with_q or self._draws.identity,
            "seed": str(self.seed),
            "protocol": self.protocol,
            "draw_rule": DRAW_RULE,
            "y_range": repr(self.y_range),
        }

    @property
    def budget(self) -> int | None:
        """The session asks for so many labels; None: for as many as there are.

        It can be set at any time, for as long as the session is open. `go_on` is remembered.
        """
        return self._asking.budget

    @budget.setter
    def budget(self, value: int | None) -> None:
        self._asking.budget = _check_budget(value)

    @property
    def is_done(self) -> bool:
        """Whether there is nothing left to ask: the budget is spent, or the pool is."""
        return self.next() is None

    def next(self) -> DrawnInstance | None:
        """The instance to be asked about: the same until it is answered; None when the session is done."""
        return next(iter(self.upcoming(1)), None)

    def upcoming(self, n: int) -> list[DrawnInstance]:
        """The next `n` instances to be asked about, if each gets a label; fewer at the end."""
        asked = islice(self._asking.upcoming(), check_count("n", n))
        return [DrawnInstance(draw, index, self.pool.ids[index], q) for draw, index, q in asked]

    def label(
        self,
        value: Any,
        *,
        draw: int | None = None,
        seconds: float | None = None,
        first_key_seconds: float | None = None,
    ) -> Labeled:
        """Give the present instance its label.

        Parameters
        ----------
        value : scalar or mapping
            One of the predictions' classes; or a number; or for rankings the grade of each item of the
            instance's list, None where it can't be judged (see `GradeLabels`).
        draw : int, optional
            The number of the draw that the label is meant for; refused if it is not the present one.
        seconds : float, optional
            How long the instance was on screen, idle time left out.
        first_key_seconds : float, optional
            How long until the first key was pressed.

        Returns
        -------
        Labeled
            The event, stored.

        Raises
        ------
        ValueError, TypeError
            If it is no label of the instance, the session is done, or `draw` is not the present one.
        StoreError
            If it could not be stored. The session is then as it was.
        """
        present = self._present(draw, seconds, first_key_seconds)
        return self._record(Labeled(value=self.labels.check(value, present["instance"]), **present))

    def defer(
        self,
        *,
        draw: int | None = None,
        seconds: float | None = None,
        first_key_seconds: float | None = None,
    ) -> Deferred:
        """Put the present instance aside. It is asked again later, and the estimate leaves it out until then.

        Parameters are as for `label`.
        """
        return self._record(Deferred(**self._present(draw, seconds, first_key_seconds)))

    def exclude(
        self,
        *,
        reason: str | None = None,
        draw: int | None = None,
        seconds: float | None = None,
        first_key_seconds: float | None = None,
    ) -> Excluded:
        """Declare that the present instance can't be labeled; the measure becomes one of what can be.

        Parameters
        ----------
        reason : str, optional
            Why, in at most 10,000 characters.
        draw, seconds, first_key_seconds
            As for `label`.
        """
        if reason is not None:
            _check_text("reason", reason)
        return self._record(Excluded(reason=reason, **self._present(draw, seconds, first_key_seconds)))

    def change(self, instance: int, value: Any) -> Changed | None:
        """Give an instance that has a label another one. The label it had stays in the log.

        Parameters
        ----------
        instance : int
            The instance's index in the pool.
        value : scalar or mapping
            As for `label`.

        Returns
        -------
        Changed or None
            The event, stored; None, and nothing is stored, if that is its label already.

        Raises
        ------
        ValueError, TypeError
            If the instance has no label, or `value` is none.
        """
        where = self._instance(check_count("instance", instance))
        answer = self._state.answers.get(where["instance"])
        if not isinstance(answer, Labeled):
            state = "is excluded" if isinstance(answer, Excluded) else "has no label"
            shown = f"{where['instance']} ({where['instance_id']!r})"
            raise ValueError(f"instance {shown} {state}: only a label can be changed")
        checked = self.labels.check(value, where["instance"])
        if checked == self._state.labels[where["instance"]]:
            return None
        return self._record(Changed(value=checked, changed_seq=answer.seq, **where, **self._stamp()))

    def note(self, text: str, instance: int | None = None) -> Noted | None:
        """Write something down about an instance, in the place of what was there.

        Parameters
        ----------
        text : str
            What, of at most 10,000 characters; "" removes the note.
        instance : int, optional
            The instance's index in the pool; the present one unless given.

        Returns
        -------
        Noted or None
            The event, stored; None, and nothing is stored, if that is its note already.
        """
        _check_text("text", text)
        where = self._instance(instance)
        if text == self._state.notes.get(where["instance"], ""):
            return None
        return self._record(Noted(text=text, **where, **self._stamp()))

    def flag(self, instance: int | None = None, flagged: bool = True) -> Flagged | None:
        """Mark an instance, to find it again; or remove the mark. Parameters are as for `note`."""
        if not isinstance(flagged, bool):
            raise TypeError(f"flagged must be True or False, got {flagged!r}")
        where = self._instance(instance)
        if flagged == (where["instance"] in self._state.flags):
            return None
        return self._record(Flagged(flagged=flagged, **where, **self._stamp()))

    def undo(self) -> Action | None:
        """Take back the last label, deferral, exclusion or change that stands; None if there is none.

        The draw stays: its instance is asked again, now. Notes and flags stay, too.
        """
        if not self._state.actions:
            return None
        action = self._state.actions[-1]
        self._record(Undone(undone_seq=action.seq, **self._stamp()))
        return action

    def go_on(self) -> WentOn | None:
        """Ask for more labels than the budget: for as many as there are.

        It is kept in the log: whoever opens the session again, with this budget or a smaller one, goes on,
        too. A larger budget counts again.

        Returns
        -------
        WentOn or None
            The event, stored; None, and nothing is stored, if there is no budget.

        Raises
        ------
        StoreError
            If it could not be stored. The session is then as it was.
        """
        if self.budget is None:
            return None
        return self._record(WentOn(budget=self.budget, **self._stamp()))

    @property
    def problem(self) -> str | None:
        """Why the store can't save now, as far as is known without trying; None if it can."""
        found: str | None = getattr(self.store, "problem", None)
        return found

    @property
    def notices(self) -> tuple[str, ...]:
        """What there is to say about the store: how it is kept, and whether something may be missing."""
        return tuple(getattr(self.store, "notices", ()))

    def save_to(self, path: str | Path | None = None) -> Path:
        """Write the whole log to a new file, and go on there: the session's own is gone or full, say.

        Parameters
        ----------
        path : str or path-like, optional
            A file that is not there yet. Unless given, the place of the session's own file if nothing is
            there any more, else a new name beside it.

        Returns
        -------
        Path
            Where the session is kept from now on.

        Raises
        ------
        StoreError
            If the file is there already or can't be written, or there is no place to write beside.
        """
        if path is None and not isinstance(self.store, SQLiteStore):
            raise StoreError("path must be given for a session that is not kept in a file")
        target = free_path(self.store.path) if isinstance(self.store, SQLiteStore) else Path()
        target = target if path is None else Path(path)
        self.store = write_new(target, self.name, self.identity, [to_record(event) for event in self.log])
        self._join()
        return target

    def subscribe(self, observer: Observer) -> None:
        """Have `observer` called with each event from now on, once it is stored and counts."""
        self._observers.append(observer)

    def unsubscribe(self, observer: Observer) -> None:
        """Call `observer` no more; nothing happens if it is not subscribed."""
        if observer in self._observers:
            self._observers.remove(observer)

    def report(
        self,
        format: str = "markdown",  # noqa: A002 - what everybody calls it
        *,
        title: str | None = None,
        question: str | None = None,
        unit: str | None = None,
    ) -> str:
        """What was found and how, as a text to be kept.

        Parameters
        ----------
        format : {"markdown", "html"}
            HTML is a page of its own with a plot, to be read or printed.
        title : str, optional
            The heading.
        question : str, optional
            What was asked about each instance.
        unit : str, optional
            The unit of labels that are numbers.

        Returns
        -------
        str
            The same session gives the same text.
        """
        return report(self, format=format, title=title, question=question, unit=unit)

    def labels_table(self) -> pd.DataFrame:
        """The labels, one row an instance, in the order in which they were drawn.

        Returns
        -------
        DataFrame
            Columns: instance_id, content (its title, its first words, or its file), label, prediction,
            confidence (or, of numbers, standard_deviation; of two models, all with their names), weight (in
            a mean over the pool, up to a factor), n_draws, time, seconds, is_changed, note, is_flagged. No
            columns while there are no labels.

        See Also
        --------
        history : everything that happened, one row an event.
        """
        return labels_table(self)

    def __repr__(self) -> str:
        of = "" if self.budget is None else f" of {self.budget}"
        return f"Session({self.name!r}, {self.measure!r}, {self.n_labels}{of} labels)"

    def _present(
        self, draw: int | None, seconds: float | None, first_key_seconds: float | None
    ) -> dict[str, Any]:
        """What an event about the present instance holds."""
        present = self.next()
        if present is None:
            raise ValueError(f"the session {self.name!r} is done: there is no instance to answer")
        if draw is not None and draw != present.draw:
            raise ValueError(f"draw is {draw}, but the session asks about draw {present.draw}")
        return {
            "draw": present.draw,
            "instance": present.index,
            "instance_id": present.instance_id,
            "q": present.q,
            "seconds": _check_seconds("seconds", seconds),
            "first_key_seconds": _check_seconds("first_key_seconds", first_key_seconds),
            **self._stamp(),
        }

    def _instance(self, instance: int | None) -> dict[str, Any]:
        """What an event about some instance holds."""
        if instance is None:
            present = self.next()
            if present is None:
                raise ValueError(f"the session {self.name!r} is done: say which instance is meant")
            index = present.index
        else:
            index = check_count("instance", instance)
            if index >= self.pool.n_instances:
                raise ValueError(
                    f"instance is {index}, expected an index from 0 to {self.pool.n_instances - 1}"
                )
        return {"instance": index, "instance_id": self.pool.ids[index]}

    def _stamp(self) -> dict[str, Any]:
        return {
            "seq": len(self._state.log) + 1,
            "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
        }

    def _record(self, event: _AnyEvent) -> _AnyEvent:
        """Store an event, then let it count: what is not stored never happened."""
        self._append(event)
        try:
            self._draw_ahead()
        except StoreError:  # the event is stored; the draws are made again with the next one
            _logger.exception("the next draws of the session %r could not be stored", self.name)
        for observer in tuple(self._observers):
            try:
                observer(event)
            except Exception:  # the event is stored and counts: whoever caused it must not be told otherwise
                _logger.exception("an observer of the session %r failed", self.name)
        return event

    def _append(self, event: AnyEvent) -> None:
        self.store.append(self.name, to_record(event))
        self._apply(event)

    def _replay(self, records: list[dict[str, Any]]) -> None:
        """Let what a store holds count, if it follows from what came before."""
        for record in records:
            event = from_record(record)
            if not can_follow(
                event, state=self._state, draws=self._draws, ids=self.pool.ids, labels=self.labels
            ):
                raise SessionMismatchError(
                    f"event {event.seq} in the log of the session {self.name!r} does not follow from its "
                    f"draws: {event}"
                )
            self._apply(event)

    def _join(self) -> None:
        """Draw ahead; where another program opens the session at the same moment, take what it drew."""
        while True:
            try:
                self._draw_ahead()
                return
            except SessionConflictError:
                since = self.store.begin(self.name, self.identity)[len(self._state.log) :]
                if not since:
                    raise
                self._replay(since)
            except StoreError:  # what the store holds can be seen even if nothing can be added
                if self.problem is None:
                    raise
                return

    def _draw_ahead(self) -> None:
        """Draw further instances, where draws depend on labels and too few are known ahead."""
        if self._draws.is_due:
            self._append(Drawn(**self._draws.next_block()._asdict(), **self._stamp()))

    def _apply(self, event: AnyEvent) -> None:
        if isinstance(event, Drawn):
            self._draws.add(event.instances, event.q, event.least)
        if isinstance(event, WentOn) and self.budget is not None and self.budget <= event.budget:
            self.budget = None
        last = self._state.actions[-1] if isinstance(event, Undone) else None
        self._state.apply(event)
        if last is not None and not isinstance(last, Changed):
            self._asking.rewind(last.draw, last.instance)


def _check_budget(value: int | None) -> int | None:
    return None if value is None else check_count("budget", value, minimum=1)


def _check_text(name: str, text: Any) -> None:
    if not isinstance(text, str):
        raise TypeError(f"{name} must be a string, got {text!r}")
    if len(text) > LONGEST_NOTE:
        raise ValueError(
            f"{name} must have at most {LONGEST_NOTE:,} characters, got {len(text):,}: shorten it"
        )
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"{name} must be text that can be written as UTF-8, got {text!r}") from error


def _check_seconds(name: str, value: Any) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float | np.number):
        raise TypeError(f"{name} must be a number >= 0 or None, got {value!r}")
    if not (0 <= value < inf):
        raise ValueError(f"{name} must be a finite number >= 0 or None, got {value!r}")
    return round(float(value), 3)
