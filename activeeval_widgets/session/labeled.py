"""The draws with their labels, as the statistics take them."""

from typing import Any, NamedTuple

import numpy as np

from activeeval_widgets.session.draw_sequence import DrawSequence
from activeeval_widgets.session.label_kinds import Labels
from activeeval_widgets.session.state import EXCLUDED, LABELED, UNANSWERED, State
from activeeval_widgets.stats._typing import AnyArray, IntArray


class Prefix(NamedTuple):
    """The draws before the first one that has no answer yet, in the order in which they were made.

    Attributes
    ----------
    draws : ndarray of shape (n_draws,)
        Indices into the pool, repeats included.
    y_true : ndarray of shape (n_draws,), or for rankings a list of mappings from item to grade
        Their labels; where `is_excluded`, some label that means nothing.
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
    draws : DrawSequence
        The draws.
    state : State
        The answers.
    labels : Labels
        What a label is.
    """

    def __init__(self, draws: DrawSequence, state: State, labels: Labels) -> None:
        self._draws, self._state, self._labels = draws, state, labels
        self._kept: dict[str, Any] = {}
        self._revision = -1

    def so_far(self) -> IntArray:
        """All draws up to the last answered one."""
        return self._draws.first(max((answer.draw for answer in self._state.answers.values()), default=0))

    def n_labeled(self) -> int:
        """How many of them have labels."""
        return int(np.count_nonzero(self._state.status[self.so_far()] == LABELED))

    def labeled(self) -> tuple[IntArray, Any]:
        """Those that have labels, and their labels."""
        if "labeled" not in self._cache():
            drawn = self.so_far()
            draws = drawn[self._state.status[drawn] == LABELED]
            indices = draws.tolist()
            given = self._state.labels
            labels = self._labels.decode([given[index] for index in indices], indices)
            self._kept["labeled"] = draws, labels
        draws, labels = self._kept["labeled"]
        return draws.copy(), _copied(labels)

    def prefix(self) -> Prefix:
        """Those before the first that has no answer."""
        if "prefix" not in self._cache():
            drawn = self.so_far()
            status = self._state.status[drawn]
            has_answer = status != UNANSWERED
            draws = drawn[: drawn.size if has_answer.all() else int(np.argmin(has_answer))]
            is_excluded = status[: draws.size] == EXCLUDED
            indices = draws.tolist()
            values = [
                self._labels.placeholder(index) if excluded else self._state.labels[index]
                for index, excluded in zip(indices, is_excluded.tolist(), strict=True)
            ]
            self._kept["prefix"] = Prefix(draws, self._labels.decode(values, indices), is_excluded)
        draws, y_true, is_excluded = self._kept["prefix"]
        return Prefix(draws.copy(), _copied(y_true), is_excluded.copy())

    def _cache(self) -> dict[str, Any]:
        if self._revision != self._state.n_revisions:
            self._kept, self._revision = {}, self._state.n_revisions
        return self._kept


def _copied(labels: Any) -> Any:
    return labels.copy() if isinstance(labels, np.ndarray) else [dict(label) for label in labels]
