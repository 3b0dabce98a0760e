"""In which order instances are asked about: new draws, and those put aside in between."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf

from activeeval_widgets.session.draws.protocol import Draws
from activeeval_widgets.session.log.draw import Draw
from activeeval_widgets.session.log.state import State

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

    See Also
    --------
    Session.next, Session.upcoming : Give these.

    Examples
    --------
    >>> from activeeval_widgets import Pool, Session
    >>> from activeeval_widgets.stats import ClassPredictions, ErrorRate
    >>> model = ClassPredictions([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]])
    >>> session = Session(Pool(["a", "b", "c"], predictions=model), ErrorRate())
    >>> asked = session.next()
    >>> asked.instance_id == session.pool.ids[asked.index]
    True
    """

    draw: int
    index: int
    instance_id: str
    q: float


class Asking:
    """What is asked, given the draws and what was answered.

    Parameters
    ----------
    draws : Draws
        The draws.
    state : State
        What was answered.
    budget : int or None
        The number of labels to ask for; can be set.
    """

    def __init__(self, draws: Draws, state: State, budget: int | None) -> None:
        self._draws, self._state, self.budget = draws, state, budget
        # Where the search for a new instance begins: all before were asked.
        self._start = 0

    def upcoming(self) -> Iterator[Draw]:
        """What would be asked from now on, if everything asked got a label."""
        state = self._state
        n_answers = len(state.answers)
        labels_left = inf if self.budget is None else self.budget - len(state.labels)
        # The first that was put aside is the first to be due: if it is not, none is.
        waiting = iter(state.waiting.items())
        n_waiting = len(state.waiting)
        first = next(waiting, None)
        fresh = self._fresh()
        while labels_left > 0:
            is_due = first is not None and (
                n_answers >= first[1].n_answers + DEFER_GAP
                or (n_answers > first[1].n_answers and labels_left <= n_waiting)
            )
            asked = None if is_due else next(fresh, None)
            if asked is None:
                if first is None:
                    return
                index, put_aside = first
                asked = Draw(put_aside.draw, index, put_aside.q)
                first = next(waiting, None)
                n_waiting -= 1
            yield asked
            n_answers += 1
            labels_left -= 1

    def rewind(self, draw: int, instance: int) -> None:
        """Take in that the answer to a draw was taken back: its instance may be a new one again."""
        if instance not in self._state.waiting:
            self._start = min(self._start, self._draws.n_distinct_before(draw))

    def _fresh(self) -> Iterator[Draw]:
        """Draws of instances that were neither answered nor put aside, each once."""
        position = self._start
        is_first = True
        while (asked := self._draws.distinct(position)) is not None:
            if not self._state.status[asked.instance] and asked.instance not in self._state.waiting:
                if is_first:
                    self._start, is_first = position, False
                yield asked
            position += 1
        if is_first:
            self._start = position
