"""Draws with their labels, in the form that `stats` accepts."""

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import numpy as np

from activeeval_widgets.session.log.state import EXCLUDED, LABELED, UNANSWERED, State
from activeeval_widgets.session.pool.label_kinds import Labels
from activeeval_widgets.stats._typing import AnyArray, IntArray


class Answered(NamedTuple):
    """Draws with their answers, in draw order.

    Attributes
    ----------
    draws : ndarray of shape (n_draws,)
        Indices into the pool, repeats included.
    y_true : ndarray of shape (n_draws,), or for rankings a list of mappings from item to grade
        Their labels, in the form that `stats` accepts; None for excluded instances.
    is_excluded : ndarray of shape (n_draws,), bool
        Whether the instance is excluded.

    See Also
    --------
    SessionDraws.watched : Returns one.

    Examples
    --------
    >>> while session.next() is not None:
    ...     event = session.label(0)
    >>> answered = session.draws.watched()
    >>> answered.y_true.tolist(), answered.is_excluded.any()
    ([0, 0, 0], np.False_)
    """

    draws: IntArray
    y_true: Any
    is_excluded: AnyArray


class LabeledDraws:
    """The draws of a session with their answers. A changed answer only updates what depends on it."""

    def __init__(self, first: Callable[[int], IntArray], state: State, labels: Labels) -> None:
        self._first, self._state, self._labels = first, state, labels
        self._kept: dict[str, Any] = {}
        self._n_revisions = 0
        self._values = _values_of(labels, state.status.size)

    def so_far(self) -> IntArray:
        """Return the draws that count: up to the last answered one, and before the first leased one.

        Fast raters and quickly answered instances must not get more weight: draws after an unanswered one
        have to wait. Deferred draws only hold up the confidence sequence, unless they were marked on a sheet:
        without these, which are mostly wrong, the estimate would be too good.
        """
        if "so far" not in self._cache():
            draws = self.all_so_far()
            state = self._state
            open_ones = np.flatnonzero(state.status[draws] == UNANSWERED).tolist()
            put_aside = (state.deferred.get(int(draws[at])) for at in open_ones)
            waits = (each is None or each.is_marked for each in put_aside)
            gap = next((at for at, is_gap in zip(open_ones, waits, strict=True) if is_gap), draws.size)
            self._kept["so far"] = draws[:gap]
        found: IntArray = self._kept["so far"]
        return found

    def all_so_far(self) -> IntArray:
        """Return all draws up to the last answered one."""
        return self._first(self._state.last_draw)

    def all_answered(self) -> Answered:
        """Return all labeled or excluded draws, including those that don't count yet."""
        drawn = self.all_so_far()
        self._cache()
        return self._with_labels(drawn[self._state.status[drawn] != UNANSWERED])

    def n_labeled(self) -> int:
        """Return the number of draws that count and have labels."""
        return int(np.count_nonzero(self._state.status[self.so_far()] == LABELED))

    def labeled(self) -> tuple[IntArray, Any]:
        """Return the draws that count and have labels, and the labels."""
        if "labeled" not in self._cache():
            drawn = self.so_far()
            self._kept["labeled"] = drawn[self._state.status[drawn] == LABELED]
        draws: IntArray = self._kept["labeled"]
        return draws.copy(), self._values.of(draws)

    def answered(self) -> Answered:
        """Return the draws that count and are labeled or excluded."""
        if "answered" not in self._cache():
            drawn = self.so_far()
            self._kept["answered"] = self._with_labels(drawn[self._state.status[drawn] != UNANSWERED])
        kept: Answered = self._kept["answered"]
        return kept

    def in_order(self) -> Answered:
        """Return the draws before the first one without an answer."""
        return self._with_labels(self._before_a_gap(self.so_far()))

    def in_order_since(self, revision: int, n_known: int) -> tuple[int, list[tuple[int, Any]]]:
        """Return how many of `in_order`'s draws are unchanged since a revision, and pairs for the rest."""
        state = self._state
        n_same = min(n_known, state.first_changed(revision) - 1, state.last_draw)
        draws = self._before_a_gap(self.so_far()[n_same:])
        rest = []
        for index in draws.tolist():
            is_excluded = state.status[index] == EXCLUDED
            rest.append((index, None if is_excluded else self._values.one(index)))
        return n_same, rest

    def n_unchanged(self, revision: int) -> int:
        """Return up to how many labeled draws estimates are unchanged since a revision.

        Exclusions between the n-th label and the next one affect the estimate after n. If there are any, the
        last one counts as changed; -1 means that even the estimate before any label has changed.
        """
        state = self._state
        before = self.so_far()[: state.first_changed(revision) - 1]
        n_labeled = int(np.count_nonzero(state.status[before] == LABELED))
        has_exclusions = len(state.answers) > len(state.labels)
        was_excluded = any(each.is_exclusion for each in state.revisions[revision:])
        return n_labeled - (has_exclusions or was_excluded)

    def _before_a_gap(self, draws: IntArray) -> IntArray:
        has_answer = self._state.status[draws] != UNANSWERED
        return draws if has_answer.all() else draws[: int(np.argmin(has_answer))]

    def _with_labels(self, draws: IntArray) -> Answered:
        is_excluded = self._state.status[draws] == EXCLUDED
        labels = self._values.of(draws[~is_excluded])
        if is_excluded.any():
            known = iter(labels)
            mixed = [None if excluded else next(known) for excluded in is_excluded.tolist()]
            labels = np.array(mixed, dtype=object) if isinstance(labels, np.ndarray) else mixed
        return Answered(draws.copy(), labels, is_excluded)

    def _cache(self) -> dict[str, Any]:
        """Return the cache; clear it and decode changed labels if answers have changed."""
        state = self._state
        if self._n_revisions != len(state.revisions):
            changed = {revision.instance for revision in state.revisions[self._n_revisions :]}
            indices = [index for index in changed if index in state.labels]
            self._values.set(
                indices, self._labels.decode([state.labels[index] for index in indices], indices)
            )
            self._kept, self._n_revisions = {}, len(state.revisions)
        return self._kept


class _Values(Protocol):
    """Decoded labels by instance."""

    def set(self, indices: list[int], labels: Any) -> None: ...

    def one(self, index: int) -> Any: ...

    def of(self, indices: IntArray) -> Any: ...


class _ScalarValues:
    """Labels that are classes or numbers, in an array of the pool's size."""

    def __init__(self, dtype: Any, n_instances: int) -> None:
        self._labels: AnyArray = np.zeros(n_instances, dtype=dtype)

    def set(self, indices: list[int], labels: Any) -> None:
        self._labels[indices] = labels

    def one(self, index: int) -> Any:
        return self._labels.item(index)

    def of(self, indices: IntArray) -> AnyArray:
        found: AnyArray = self._labels[indices]
        return found


class _MappingValues:
    """Labels that are mappings from item to grade."""

    def __init__(self) -> None:
        self._labels: dict[int, dict[Any, Any]] = {}

    def set(self, indices: list[int], labels: Any) -> None:
        self._labels.update(zip(indices, labels, strict=True))

    def one(self, index: int) -> Any:
        return dict(self._labels[index])

    def of(self, indices: IntArray) -> list[Any]:
        return [self.one(index) for index in indices.tolist()]


def _values_of(labels: Labels, n_instances: int) -> _Values:
    none = labels.decode([], [])
    return _ScalarValues(none.dtype, n_instances) if isinstance(none, np.ndarray) else _MappingValues()
