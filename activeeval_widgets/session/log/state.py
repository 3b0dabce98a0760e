"""What follows from a session's log: which instances have which answer, which wait, and what is noted."""

from typing import Any, NamedTuple

import numpy as np

from activeeval_widgets.session.log.events import (
    Action,
    Answer,
    AnyEvent,
    Changed,
    Deferred,
    Drawn,
    Flagged,
    Labeled,
    Noted,
    Undone,
    WentOn,
)

UNANSWERED, LABELED, EXCLUDED = range(3)


class PutAside(NamedTuple):
    """A draw put aside, and how many answers there were then."""

    draw: int
    q: float
    n_answers: int
    seq: int


class State:
    """What a log says so far. Every event changes it in a time that does not grow with the log.

    Parameters
    ----------
    n_instances : int
        The size of the pool.

    Attributes
    ----------
    log : list of event
        All events, oldest first.
    actions : list of event
        The labels, deferrals, exclusions and changes that stand, oldest first.
    answers : dict of int to event
        By instance, the label or exclusion that stands.
    labels : dict of int to object
        By instance, the label that stands, changes included.
    waiting : dict of int to PutAside
        The instances put aside, those put aside first first.
    status : ndarray of shape (n_instances,), int8
        `UNANSWERED`, `LABELED` or `EXCLUDED`.
    notes : dict of int to str
        By instance, what is noted.
    flags : set of int
        The instances that are marked.
    n_revisions : int
        Grows whenever anything but notes and flags changes; what follows from the rest is good until then.
    """

    def __init__(self, n_instances: int) -> None:
        self.log: list[AnyEvent] = []
        self.actions: list[Action] = []
        self.answers: dict[int, Answer] = {}
        self.labels: dict[int, Any] = {}
        self.waiting: dict[int, PutAside] = {}
        self.status = np.zeros(n_instances, dtype=np.int8)
        self.notes: dict[int, str] = {}
        self.flags: set[int] = set()
        self.n_revisions = 0
        # For each of the actions what it took the place of: a label, or a place among those that wait.
        self._replaced: list[Any] = []

    def apply(self, event: AnyEvent) -> None:
        """Let an event count. It has to fit what came before."""
        self.log.append(event)
        match event:
            case Noted(instance=instance, text=text):
                self.notes.pop(instance, None)
                if text:
                    self.notes[instance] = text
            case Flagged(instance=instance, flagged=flagged):
                (self.flags.add if flagged else self.flags.discard)(instance)
            case Drawn() | WentOn():
                pass
            case Undone():
                self.n_revisions += 1
                self._take_back()
            case _:
                self.n_revisions += 1
                self._act(event)

    def _act(self, action: Action) -> None:
        index = action.instance
        self.actions.append(action)
        if isinstance(action, Changed):
            self._replaced.append(self.labels[index])
            self.labels[index] = action.value
            return
        self._replaced.append(self.waiting.pop(index, None))
        if isinstance(action, Deferred):
            self.waiting[index] = PutAside(action.draw, action.q, len(self.answers), action.seq)
            return
        self.answers[index] = action
        self.status[index] = EXCLUDED
        if isinstance(action, Labeled):
            self.labels[index] = action.value
            self.status[index] = LABELED

    def _take_back(self) -> None:
        """Undo the last action. The order of the dictionaries is part of the state."""
        action, replaced = self.actions.pop(), self._replaced.pop()
        index = action.instance
        if isinstance(action, Changed):
            self.labels[index] = replaced
            return
        if isinstance(action, Deferred):
            del self.waiting[index]
        else:
            del self.answers[index]
            self.labels.pop(index, None)
            self.status[index] = UNANSWERED
        if replaced is not None:
            self.waiting[index] = replaced
            self.waiting = dict(sorted(self.waiting.items(), key=lambda each: each[1].seq))
