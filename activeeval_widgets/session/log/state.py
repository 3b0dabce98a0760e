"""What follows from a session's log: which instances have which answer, which wait, and what is noted."""

import sys
from typing import Any, Final, NamedTuple

import numpy as np

from activeeval_widgets.session.log.events import (
    Action,
    Answer,
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
)

UNANSWERED, LABELED, EXCLUDED = range(3)

NO_DRAW: Final = sys.maxsize
"""In the place of the first draw that a revision touches, where it touches none."""


class PutAside(NamedTuple):
    """A draw put aside, and how many answers there were then."""

    draw: int
    q: float
    n_answers: int
    seq: int


class Revision(NamedTuple):
    """What an action, or taking one back, has changed of the answers.

    Attributes
    ----------
    draw : int
        The number of the first draw of the instance: the answers to earlier draws are as they were. `NO_DRAW`
        where no answer has changed, as when an instance is put aside.
    instance : int
        Whose answer.
    is_exclusion : bool
        Whether that is, or was, an exclusion.
    """

    draw: int
    instance: int
    is_exclusion: bool


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
    revisions : list of Revision
        What has changed, oldest first: one for each change of anything but notes and flags. What follows from
        the rest is good until there is another.
    last_draw : int
        The number of the last draw whose instance was asked about and has an answer; 0 before any.
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
        self.revisions: list[Revision] = []
        self.last_draw = 0
        # For each of the actions what it took the place of: a label, or a place among those that wait.
        self._replaced: list[Any] = []

    @property
    def n_revisions(self) -> int:
        """How many there were."""
        return len(self.revisions)

    def first_changed(self, since: int) -> int:
        """The number of the first draw whose answer has changed since a revision; `NO_DRAW` if none has."""
        return min((revision.draw for revision in self.revisions[since:]), default=NO_DRAW)

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
                self.revisions.append(self._revision(self.actions[-1]))
                self._take_back()
            case _:
                self.revisions.append(self._revision(event))
                self._act(event)

    def _revision(self, action: Action) -> Revision:
        """What an action changes, or taking it back."""
        match action:
            case Deferred():
                return Revision(NO_DRAW, action.instance, is_exclusion=False)
            case Changed():
                return Revision(self.answers[action.instance].draw, action.instance, is_exclusion=False)
        return Revision(action.draw, action.instance, isinstance(action, Excluded))

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
        self.last_draw = max(self.last_draw, action.draw)
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
            if action.draw == self.last_draw:
                self.last_draw = max((answer.draw for answer in self.answers.values()), default=0)
        if replaced is not None:
            self.waiting[index] = replaced
            self.waiting = dict(sorted(self.waiting.items(), key=lambda each: each[1].seq))
