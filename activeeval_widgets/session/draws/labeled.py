"""The draws with their labels, as the statistics take them."""

from collections.abc import Callable
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np

from activeeval_widgets.session.log.state import EXCLUDED, LABELED, UNANSWERED, State
from activeeval_widgets.session.pool.label_kinds import Labels
from activeeval_widgets.stats._typing import AnyArray, IntArray


class Answered(NamedTuple):
    """Draws with their answers, in the order in which they were made.

    Attributes
    ----------
    draws : ndarray of shape (n_draws,)
        Indices into the pool, repeats included.
    y_true : ndarray of shape (n_draws,), or for rankings a list of mappings from item to grade
        Their labels, as `stats` takes them; None where `is_excluded`.
    is_excluded : ndarray of shape (n_draws,), bool
        Whether the instance can't be labeled.
    """

    draws: IntArray
    y_true: Any
    is_excluded: AnyArray


class LabeledDraws:
    """What the answers say of the draws; kept until an answer changes.

    Parameters
    ----------
    first : callable
        Gives the first draws, of some number.
    state : State
        The answers.
    labels : Labels
        What a label is.
    """

    def __init__(self, first: Callable[[int], IntArray], state: State, labels: Labels) -> None:
        self._first, self._state, self._labels = first, state, labels
        self._kept: dict[str, Any] = {}
        self._revision = -1

    def so_far(self) -> IntArray:
        """All draws up to the last answered one."""
        if "so_far" not in self._cache():
            n_draws = max(map(attrgetter("draw"), self._state.answers.values()), default=0)
            self._kept["so_far"] = self._first(n_draws)
        drawn: IntArray = self._kept["so_far"]
        return drawn

    def n_labeled(self) -> int:
        """How many of them have labels."""
        return int(np.count_nonzero(self._state.status[self.so_far()] == LABELED))

    def labeled(self) -> tuple[IntArray, Any]:
        """Those that have labels, and their labels."""
        if "labeled" not in self._cache():
            drawn = self.so_far()
            self._kept["labeled"] = self._with_labels(drawn[self._state.status[drawn] == LABELED])
        draws, labels, _ = self._kept["labeled"]
        return draws.copy(), _copied(labels)

    def answered(self) -> Answered:
        """Those that have labels or can't be labeled."""
        if "answered" not in self._cache():
            drawn = self.so_far()
            self._kept["answered"] = self._with_labels(drawn[self._state.status[drawn] != UNANSWERED])
        kept: Answered = self._kept["answered"]
        return kept

    def prefix(self) -> Answered:
        """Those before the first that has no answer."""
        if "prefix" not in self._cache():
            drawn = self.so_far()
            has_answer = self._state.status[drawn] != UNANSWERED
            n_draws = drawn.size if has_answer.all() else int(np.argmin(has_answer))
            self._kept["prefix"] = self._with_labels(drawn[:n_draws])
        draws, y_true, is_excluded = self._kept["prefix"]
        return Answered(draws.copy(), _copied(y_true), is_excluded.copy())

    def _with_labels(self, draws: IntArray) -> Answered:
        is_excluded = self._state.status[draws] == EXCLUDED
        indices = draws[~is_excluded].tolist()
        given = self._state.labels
        labels = self._labels.decode([given[index] for index in indices], indices)
        if is_excluded.any():
            known = iter(labels)
            mixed = [None if excluded else next(known) for excluded in is_excluded.tolist()]
            labels = np.array(mixed, dtype=object) if isinstance(labels, np.ndarray) else mixed
        return Answered(draws, labels, is_excluded)

    def _cache(self) -> dict[str, Any]:
        if self._revision != self._state.n_revisions:
            self._kept, self._revision = {}, self._state.n_revisions
        return self._kept


def _copied(labels: Any) -> Any:
    if isinstance(labels, np.ndarray):
        return labels.copy()
    return [None if label is None else dict(label) for label in labels]
