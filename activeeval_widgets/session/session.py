"""The protocol of a labeling session: which instance is asked next, and what the labels so far say."""

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count, islice
from math import inf
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias, TypeVar

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from activeeval_widgets.session.draw_sequence import DrawSequence
from activeeval_widgets.session.errors import SessionMismatchError
from activeeval_widgets.session.events import (
    Action,
    AnyEvent,
    Deferred,
    Excluded,
    Labeled,
    Undone,
    from_record,
    to_record,
)
from activeeval_widgets.session.fingerprints import fingerprint
from activeeval_widgets.session.label_kinds import labels_of
from activeeval_widgets.session.pool import Pool
from activeeval_widgets.session.store import Store, as_store
from activeeval_widgets.stats import Estimate, Measure, estimate_trajectory, optimal_q
from activeeval_widgets.stats._typing import FloatArray, IntArray
from activeeval_widgets.stats._validation import check_count, check_fraction, check_option, check_q
from activeeval_widgets.stats.estimating_equation import check_y_range

_logger = logging.getLogger(__name__)

PROTOCOLS = ("papers",)

DEFER_GAP = 10
"""An instance put aside is asked again after this many other answers, or sooner if nothing else is left."""


@dataclass(frozen=True)
class DrawnInstance:
    """An instance that the session asks about.

    Attributes
    ----------
    draw : int
        The number of the draw, from 1.
    index : int
        The instance's index in the pool.
    instance_id : str
        Its id.
    q : float
        The probability with which this draw gave this instance.
    """

    draw: int
    index: int
    instance_id: str
    q: float


Observer: TypeAlias = Callable[[AnyEvent], None]


class _PutAside(NamedTuple):
    """A draw put aside, and how many answers there were then."""

    draw: int
    n_answers: int


_AnyEvent = TypeVar("_AnyEvent", Labeled, Deferred, Excluded, Undone)


class Session:
    """Active evaluation of a model, one label at a time.

    Instances are drawn with replacement from a fixed instrumental distribution; the seed determines the whole
    sequence before the first label. An instance that is drawn again is not asked again: its label counts
    for each draw. Everything that happens is in an append-only log, and all the rest is a function of pool,
    q, seed and log.

    Parameters
    ----------
    pool : Pool
        The instances and the model's predictions.
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
    protocol : {"papers"}
        How instances are drawn.
    q : array-like of shape (n_instances,), optional
        The instrumental distribution, where it is not to be the optimal one: `uniform_q(m)` for passive
        evaluation, say.
    defensive : float
        The share of uniform draws mixed into the optimal q, so that no weight p/q exceeds its inverse even
        where the model is too sure of itself.
    y_range : tuple of two floats, optional
        For labels that are numbers: the least and the greatest there can be. Others are refused, and the
        interval that may be watched needs to know.

    Attributes
    ----------
    labels : ClassLabels, NumberLabels or GradeLabels
        What a label is.
    models : tuple of one or two Predictions
        What is evaluated.

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
        protocol: str = "papers",
        q: ArrayLike | None = None,
        defensive: float = 0.1,
        y_range: tuple[float, float] | None = None,
    ) -> None:
        if not isinstance(pool, Pool):
            raise TypeError(f"pool must be a Pool, got {pool!r}")
        if not isinstance(measure, Measure):
            raise TypeError(f"measure must be a Measure, ErrorRate() say, got {measure!r}")
        self.pool = pool
        self.measure = measure
        self.models = pool.models
        self.y_range = check_y_range(y_range)
        self.labels = labels_of(pool, self.y_range)
        self.budget = None if budget is None else check_count("budget", budget, minimum=1)
        self.seed = check_count("seed", seed)
        self.protocol = check_option("protocol", protocol, PROTOCOLS)
        self.defensive = check_fraction("defensive", defensive, closed=True)
        if not isinstance(name, str) or not name.strip():
            raise ValueError(f"name must be a string that is not blank, got {name!r}")
        self.name = name
        self.q: FloatArray = (
            optimal_q(measure, pool.predictions, costs=pool.costs, defensive=self.defensive)
            if q is None
            else check_q(q, pool.n_instances)
        )
        self._draws = DrawSequence(self.q, self.seed)
        self._log: list[AnyEvent] = []
        self._actions: list[Action] = []
        self._answers: dict[int, Labeled | Excluded] = {}
        self._waiting: dict[int, _PutAside] = {}
        self._observers: list[Observer] = []

        self.store = as_store(store)
        for record in self.store.begin(name, self.identity):
            event = from_record(record)
            self._check_replayed(event)
            self._apply(event)

    @property
    def identity(self) -> dict[str, str]:
        """What the session is about: opening its log with anything else is refused."""
        return {
            **self.pool.fingerprints,
            "measure": repr(self.measure),
            "q": fingerprint(self.q),
            "seed": str(self.seed),
            "protocol": self.protocol,
        }

    @property
    def actions(self) -> tuple[Action, ...]:
        """The labels, deferrals and exclusions that stand, oldest first."""
        return tuple(self._actions)

    @property
    def n_labels(self) -> int:
        """Instances that have a label."""
        return sum(isinstance(answer, Labeled) for answer in self._answers.values())

    @property
    def n_draws(self) -> int:
        """Draws up to the last answered one whose instance has a label, repeats included."""
        return len(self.labeled_draws()[0])

    @property
    def n_deferred(self) -> int:
        """Instances put aside that are still to be answered."""
        return len(self._waiting)

    @property
    def n_excluded(self) -> int:
        """Instances that can't be labeled."""
        return len(self._answers) - self.n_labels

    @property
    def is_done(self) -> bool:
        """Whether there is nothing left to ask: the budget is spent, or the pool is."""
        return self.next() is None

    def next(self) -> DrawnInstance | None:
        """The instance to be asked about: the same until it is answered; None when the session is done."""
        return next(self._upcoming(), None)

    def upcoming(self, n: int) -> list[DrawnInstance]:
        """The next `n` instances to be asked about, if each gets a label; fewer at the end."""
        return list(islice(self._upcoming(), check_count("n", n)))

    def label(self, value: Any, *, draw: int | None = None, seconds: float | None = None) -> Labeled:
        """Give the present instance its label.

        Parameters
        ----------
        value : scalar or mapping
            One of the predictions' classes; or a number; or for rankings the grade of each item of the
            instance's list, None where it can't be judged (see `GradeLabels`).
        draw : int, optional
            The number of the draw that the label is meant for; refused if it is not the present one.
        seconds : float, optional
            How long the instance was on screen.

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
        return self._record(self._labeled(value, self._present(draw, seconds)))

    def defer(self, *, draw: int | None = None, seconds: float | None = None) -> Deferred:
        """Put the present instance aside. It is asked again later, and the estimate leaves it out until then.

        Parameters are as for `label`.
        """
        return self._record(Deferred(**self._present(draw, seconds)))

    def exclude(
        self, *, reason: str | None = None, draw: int | None = None, seconds: float | None = None
    ) -> Excluded:
        """Declare that the present instance can't be labeled; the measure becomes one of what can be.

        Parameters
        ----------
        reason : str, optional
            Why.
        draw, seconds
            As for `label`.
        """
        if reason is not None and not isinstance(reason, str):
            raise TypeError(f"reason must be a string, got {reason!r}")
        return self._record(Excluded(reason=reason, **self._present(draw, seconds)))

    def undo(self) -> Action | None:
        """Take back the last label, deferral or exclusion that stands; None if there is none.

        The draw stays: its instance is asked again, now.
        """
        if not self._actions:
            return None
        action = self._actions[-1]
        self._record(Undone(undone_seq=action.seq, **self._stamp()))
        return action

    def estimate(self, **options: Any) -> Estimate:
        """The estimate from all labels so far.

        Parameters
        ----------
        **options
            As for `stats.estimate`: `confidence_level`, say.
        """
        return self.trajectory(**options)[0]

    def trajectory(self, at: ArrayLike | None = None, **options: Any) -> list[Estimate]:
        """The estimates after the first n labeled draws, for each n of `at`; after all unless given."""
        draws, y_true = self.labeled_draws()
        counts = None if at is None else [int(n) for n in np.asarray(at)]
        return estimate_trajectory(
            self.measure, self.pool.predictions, self.q, draws, y_true, at=counts, **options
        )

    def labeled_draws(self) -> tuple[IntArray, Any]:
        """The draws that have labels, in draw order, with repeats.

        Returns
        -------
        draws : ndarray of shape (n_draws,)
            Indices into the pool.
        y_true : ndarray of shape (n_draws,), or for rankings a list of mappings from item to grade
            Their labels.
        """
        last = max((answer.draw for answer in self._answers.values()), default=0)
        drawn = self._draws.first(last)
        labeled = {i: a.value for i, a in self._answers.items() if isinstance(a, Labeled)}
        has_label = np.isin(drawn, np.fromiter(labeled, dtype=np.intp, count=len(labeled)))
        draws = drawn[has_label]
        indices = draws.tolist()
        return draws, self.labels.decode([labeled[i] for i in indices], indices)

    def subscribe(self, observer: Observer) -> None:
        """Have `observer` called with each event from now on, once it is stored and counts."""
        self._observers.append(observer)

    def unsubscribe(self, observer: Observer) -> None:
        """Call `observer` no more; nothing happens if it is not subscribed."""
        if observer in self._observers:
            self._observers.remove(observer)

    def history(self) -> pd.DataFrame:
        """Everything that happened, one row an event, oldest first.

        Returns
        -------
        DataFrame
            Columns: seq, time, kind ("label", "defer", "exclude" or "undo"), draw, instance, instance_id, q,
            weight (p/q), value, seconds, reason, undone_seq (of an "undo": the event it took back), and
            stands (whether the event was not taken back).
        """
        columns = [
            "seq",
            "time",
            "kind",
            "draw",
            "instance",
            "instance_id",
            "q",
            "weight",
            "value",
            "seconds",
        ]
        columns += ["reason", "undone_seq", "stands"]
        standing = {action.seq for action in self._actions}
        rows = []
        for event in self._log:
            row = to_record(event)
            if not isinstance(event, Undone):
                row["weight"] = 1 / (self.pool.n_instances * event.q)
                row["stands"] = event.seq in standing
            rows.append(row)
        table = pd.DataFrame(rows, columns=columns)
        table["value"] = pd.Series([row.get("value") for row in rows], dtype=object)
        return table.astype(
            {"draw": "Int64", "instance": "Int64", "undone_seq": "Int64", "stands": "boolean"}
        )

    def __repr__(self) -> str:
        of = "" if self.budget is None else f" of {self.budget}"
        return f"Session({self.name!r}, {self.measure!r}, {self.n_labels}{of} labels)"

    def _upcoming(self) -> Iterator[DrawnInstance]:
        """What would be asked from now on, if everything asked got a label."""
        n_answers = len(self._answers)
        labels_left = inf if self.budget is None else self.budget - self.n_labels
        waiting = dict(self._waiting)
        fresh = self._fresh()
        while labels_left > 0:
            due = next(
                (
                    index
                    for index, put_aside in waiting.items()
                    if n_answers >= put_aside.n_answers + DEFER_GAP
                    or (n_answers > put_aside.n_answers and labels_left <= len(waiting))
                ),
                None,
            )
            if due is None and (asked := next(fresh, None)) is not None:
                number, index = asked
            elif waiting:
                index = next(iter(waiting)) if due is None else due
                number = waiting.pop(index).draw
            else:
                return
            yield DrawnInstance(number, index, self.pool.ids[index], float(self.q[index]))
            n_answers += 1
            labels_left -= 1

    def _fresh(self) -> Iterator[tuple[int, int]]:
        """Draws of instances that were neither answered nor put aside, each once: number and index."""
        for position in count():
            asked = self._draws.distinct(position)
            if asked is None:
                return
            if asked[1] not in self._answers and asked[1] not in self._waiting:
                yield asked

    def _labeled(self, value: Any, present: dict[str, Any]) -> Labeled:
        return Labeled(value=self.labels.check(value, present["instance"]), **present)

    def _present(self, draw: int | None, seconds: float | None) -> dict[str, Any]:
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
            "seconds": None if seconds is None else round(float(seconds), 3),
            **self._stamp(),
        }

    def _stamp(self) -> dict[str, Any]:
        return {"seq": len(self._log) + 1, "time": datetime.now(UTC).isoformat(timespec="milliseconds")}

    def _record(self, event: _AnyEvent) -> _AnyEvent:
        """Store an event, then let it count: what is not stored never happened."""
        self.store.append(self.name, to_record(event))
        self._apply(event)
        for observer in tuple(self._observers):
            try:
                observer(event)
            except Exception:  # the event is stored and counts: whoever caused it must not be told otherwise
                _logger.exception("an observer of the session %r failed", self.name)
        return event

    def _apply(self, event: AnyEvent) -> None:
        self._log.append(event)
        if isinstance(event, Undone):
            standing = self._actions[:-1]
            self._actions, self._answers, self._waiting = [], {}, {}
            for action in standing:
                self._settle(action)
        else:
            self._settle(event)

    def _settle(self, action: Action) -> None:
        self._actions.append(action)
        self._waiting.pop(action.instance, None)
        if isinstance(action, Deferred):
            self._waiting[action.instance] = _PutAside(action.draw, len(self._answers))
        else:
            self._answers[action.instance] = action

    def _is_label(self, value: Any, index: int) -> bool:
        try:
            return bool(self.labels.check(value, index) == value)
        except (ValueError, TypeError):
            return False

    def _check_replayed(self, event: AnyEvent) -> None:
        """Refuse a log that this pool, q and seed can't have led to."""
        if isinstance(event, Undone):
            fits = bool(self._actions) and self._actions[-1].seq == event.undone_seq
        else:
            fits = (
                event.draw >= 1
                and self._draws.first(event.draw)[-1] == event.instance
                and self.q[event.instance] == event.q
                and self.pool.ids[event.instance] == event.instance_id
                and event.instance not in self._answers
                and (not isinstance(event, Labeled) or self._is_label(event.value, event.instance))
            )
        if not fits or event.seq != len(self._log) + 1:
            raise SessionMismatchError(
                f"event {event.seq} in the log of the session {self.name!r} does not follow from its draws: "
                f"{event}"
            )
