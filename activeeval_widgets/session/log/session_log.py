"""The log of a session, with its counts and times."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from statistics import median
from threading import RLock
from typing import Any, overload

import pandas as pd

from activeeval_widgets.session.locking import one_thread_at_a_time
from activeeval_widgets.session.log.events import Action, AnyEvent
from activeeval_widgets.session.log.state import DeclaredMargin, State
from activeeval_widgets.session.log.table import history_table
from activeeval_widgets.session.pool.label_kinds import GradeLabels, Labels
from activeeval_widgets.session.pool.pool import Pool


@one_thread_at_a_time
class SessionLog:
    """The events of a session, oldest first: `session.log`.

    Iteration gives the events, `len` their number. The log is read-only.

    Attributes
    ----------
    state : State
        The state that the events lead to.
    lock : threading.RLock
        The session's lock.

    See Also
    --------
    Session.history : The log as a table.

    Examples
    --------
    >>> event = session.label(1)
    >>> [each.kind for each in session.log], session.log[-1] == event
    (['draw', 'label'], True)
    """

    def __init__(
        self, pool: Pool, labels: Labels, state: State, lock: RLock, n_left: Callable[[int], int]
    ) -> None:
        self.state = state
        self.lock = lock
        self._pool, self._labels, self._n_left = pool, labels, n_left

    def __iter__(self) -> Iterator[AnyEvent]:
        return iter(self.events)

    def __len__(self) -> int:
        return len(self.state.log)

    @overload
    def __getitem__(self, at: int) -> AnyEvent: ...

    @overload
    def __getitem__(self, at: slice) -> tuple[AnyEvent, ...]: ...

    def __getitem__(self, at: int | slice) -> AnyEvent | tuple[AnyEvent, ...]:
        return tuple(self.state.log[at]) if isinstance(at, slice) else self.state.log[at]

    @property
    def events(self) -> tuple[AnyEvent, ...]:
        """All events, oldest first."""
        return tuple(self.state.log)

    @property
    def actions(self) -> tuple[Action, ...]:
        """The labels, deferrals, exclusions and changes that were not undone, oldest first."""
        return tuple(self.state.actions)

    @property
    def n_labels(self) -> int:
        """The number of instances that have a label."""
        return len(self.state.labels)

    @property
    def n_known_before(self) -> int:
        """The number of labels that were known before the session: see `Pool(judged=…)`.

        They count as draws and labels, but not towards the budget.
        """
        return self.state.n_known_before

    @property
    def n_deferred(self) -> int:
        """The number of deferred instances."""
        return len(self.state.deferred)

    @property
    def n_excluded(self) -> int:
        """The number of excluded instances."""
        return len(self.state.answers) - len(self.state.labels)

    @property
    def is_complete(self) -> bool:
        """Whether every instance of the pool is labeled or excluded."""
        return len(self.state.answers) == self._pool.n_instances

    @property
    def notes(self) -> dict[int, str]:
        """The notes, by the instance's index."""
        return dict(self.state.notes)

    @property
    def flags(self) -> set[int]:
        """The indices of the flagged instances."""
        return set(self.state.flags)

    @property
    def margin(self) -> float | None:
        """The difference below which two models are equivalent; None if every difference matters."""
        return self.state.margins[-1].value if self.state.margins else None

    @property
    def declared_margins(self) -> tuple[DeclaredMargin, ...]:
        """All declared margins, oldest first, each with the number of labels at that time."""
        return tuple(self.state.margins)

    def label_of(self, index: int) -> Any:
        """Return the label of an instance as it is stored, changes included; None if it has none.

        Parameters
        ----------
        index : int
            The instance's index in the pool.

        Returns
        -------
        object
            A copy of the label.

        See Also
        --------
        Session.labels_table : All labels and predictions.

        Examples
        --------
        >>> labeled = session.label(1)
        >>> session.log.label_of(labeled.instance)
        1
        """
        return deepcopy(self.state.labels.get(index))

    def judgments(self) -> dict[str, dict[str, float | None]]:
        """Return the grades of results, by query and item, for use in other sessions.

        Returns
        -------
        dict
            By the query's id and the item's string; None for an item that could not be judged. Grades that
            were known before the session are included. Empty if labels are not grades.

        See Also
        --------
        Pool : Accepts them as `judged`.

        Examples
        --------
        >>> ranker = RankingPredictions([["d7", "d2"]], [[[0.5, 0.5]] * 2], grades=[0, 1])
        >>> pool = Pool([Ranking("jaguar", [Result("d7"), Result("d2")])], predictions=ranker, ids=["q1"])
        >>> session = Session(pool, DCG())
        >>> event = session.label({"d7": 1, "d2": 0})
        >>> session.log.judgments()
        {'q1': {'d7': 1.0, 'd2': 0.0}}
        """
        if self._labels.kind != "grades":
            return {}
        return {self._pool.ids[index]: dict(label) for index, label in sorted(self.state.labels.items())}

    def judged_results(self) -> tuple[int, int, int] | None:
        """Return the numbers of judged results, of all results, and of results judged before the session.

        Each result counts once for a query, however many rankings contain it. Results below the measure's
        cutoff don't count, and those that could not be judged are not judged.

        Returns
        -------
        tuple of three int, or None
            None if labels are not grades.

        See Also
        --------
        judgments : The grades.

        Examples
        --------
        >>> ranker = RankingPredictions([["d7", "d2"]], [[[0.5, 0.5]] * 2], grades=[0, 1])
        >>> lists = [Ranking("jaguar", [Result("d7"), Result("d2")])]
        >>> pool = Pool(lists, predictions=ranker, ids=["q1"], judged={"q1": {"d2": 1}})
        >>> session = Session(pool, DCG())
        >>> session.log.judged_results()
        (1, 2, 1)
        """
        labels = self._labels
        if not isinstance(labels, GradeLabels):
            return None
        n_given = sum(labels.n_given(label, index) for index, label in self.state.labels.items())
        return labels.n_items_known + n_given, labels.n_items, labels.n_items_known

    @property
    def seconds_per_label(self) -> float | None:
        """The median time of a label, without idle time; None if none was measured.

        With sheets, the mean over labels of two medians: of the labels one by one, and of those on sheets.
        """
        every = [seconds for seconds in self.state.label_seconds() if seconds]
        n_labels = sum(map(len, every))
        return sum(len(each) * median(each) for each in every) / n_labels if every else None

    @property
    def minutes(self) -> float | None:
        """The total time spent on instances, without idle time; None if none was measured."""
        known = [
            each for action in self.state.actions if (each := getattr(action, "seconds", None)) is not None
        ]
        return sum(known) / 60 if known else None

    @property
    def revision(self) -> int:
        """A number that grows with each change of an answer: a key for caches."""
        return self.state.n_revisions

    def history(self) -> pd.DataFrame:
        """Return the log as a table, one row per event, oldest first.

        Returns
        -------
        DataFrame
            Columns: seq, time, kind ("label", "defer", "exclude", "change", "undo", "note", "flag", "draw",
            "go_on" or "margin"), draw, instance, instance_id, q, weight (p/q), value (for "go_on" the lifted
            budget, for "margin" the margin), seconds, first_key_seconds, reason, changed_seq (for "change"
            the event that labeled the instance), undone_seq (for "undo" the event that was undone), note,
            flagged, stands (whether the event was not undone; for notes and flags, whether it is the
            instance's latest), and who.

        See Also
        --------
        Session.labels_table : The labels, one row per instance.

        Examples
        --------
        >>> labeled = session.label(1)
        >>> session.log.history()["kind"].tolist()
        ['draw', 'label']
        """
        return history_table(self.state, self._n_left)
