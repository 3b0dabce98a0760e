"""A racer: a session with an expert's labels, and its estimates after each."""

from dataclasses import dataclass
from math import isfinite
from typing import Any, TypeAlias

from activeeval_widgets.session import DrawnInstance, Session
from activeeval_widgets.session.findings.estimated_interval import approximate_within
from activeeval_widgets.stats import Estimate
from activeeval_widgets.widgets.race.contest import Contest

Interval: TypeAlias = tuple[float, float]

KINDS = ("guaranteed", "approximate")
"""The kinds of intervals that the page can show."""


@dataclass(frozen=True)
class Step:
    """One label, and the estimate after it.

    Attributes
    ----------
    draw : int
        The number of the draw that needed the label, from 1; repeated draws need none.
    index : int
        The instance.
    weight : float
        The draw's p/q, where p is uniform over what could be drawn.
    label : object
        The label, in the session's stored form.
    is_by_hand : bool
        Whether it was given by hand.
    estimate : Estimate
        The estimate, as returned by `Session.estimate`.
    """

    draw: int
    index: int
    weight: float
    label: Any
    is_by_hand: bool
    estimate: Estimate


class Racer:
    """A session by one method. It can be rewound, and is then run again up to that step.

    Attributes
    ----------
    steps : list of Step
        The steps so far.
    version : int
        A counter that grows with each rewind.
    """

    def __init__(self, contest: Contest, method: str, seed: int) -> None:
        self.method = method
        self.steps: list[Step] = []
        self.version = 0
        self._contest, self._seed = contest, seed
        self._dropped: tuple[int, float] | None = None  # the first instance that a rewind dropped
        self._begin()

    def _begin(self) -> None:
        self.session: Session = self._contest.begin(self.method, self._seed)
        self._fed = 0

    @property
    def is_ready(self) -> bool:
        """Whether the session has caught up with the steps after a rewind."""
        return self._fed == len(self.steps)

    @property
    def next_index(self) -> int | None:
        """The instance to label next; None at the end."""
        found = self._upcoming()
        return None if found is None else found[0]

    @property
    def next_weight(self) -> float | None:
        """The weight p/q of the instance to label next; None at the end."""
        found = self._upcoming()
        return None if found is None else found[1]

    def _upcoming(self) -> tuple[int, float] | None:
        if len(self.steps) >= self._contest.budget:
            return None
        if not self.is_ready:
            return self._dropped
        asked = self.session.next()
        return None if asked is None else (asked.index, self._weight(asked))

    def _weight(self, asked: DrawnInstance) -> float:
        return 1 / (self.session.draws.n_left(asked.draw) * asked.q)

    @property
    def is_done(self) -> bool:
        """Whether no more labels are needed."""
        return self.is_ready and self.next_index is None

    def rerun_step(self) -> None:
        """Run one of the steps again."""
        step = self.steps[self._fed]
        self.session.label(step.label, seconds=0.0)
        self.session.estimate()  # so that the interval includes it
        self._fed += 1

    def step(self, label: Any, *, is_by_hand: bool = False) -> Step:
        """Give the next label; the session must be ready and not done."""
        session = self.session
        asked = session.next()
        assert asked is not None  # noqa: S101 - the caller has checked
        weight = self._weight(asked)
        session.label(label, seconds=0.0)
        step = Step(
            asked.draw, asked.index, weight, session.log.label_of(asked.index), is_by_hand, session.estimate()
        )
        self.steps.append(step)
        self._fed += 1
        return step

    def rewind(self, n_steps: int) -> None:
        """Discard all steps after the first `n_steps`."""
        if n_steps >= len(self.steps):
            return
        self._dropped = self.steps[n_steps].index, self.steps[n_steps].weight
        del self.steps[n_steps:]
        self.version += 1
        self._begin()


def both_intervals(estimate: Estimate) -> tuple[Interval | None, Interval | None]:
    """Return the guaranteed and the approximate interval; None of one that is not there."""
    if not estimate.is_defined:
        return None, None
    both = (float(estimate.low), float(estimate.high))
    approximate = approximate_within(estimate)
    if estimate.is_asymptotic:
        return None, finite(approximate if estimate.withheld else both)
    return finite(both), finite(approximate)


def finite(interval: Interval | None) -> Interval | None:
    """Return an interval if both of its ends can be drawn."""
    return interval if interval is not None and all(map(isfinite, interval)) else None


def interval_of(estimate: Estimate, kind: str) -> Interval | None:
    """Return an estimate's interval of a kind, or the other one if that is missing; None without any."""
    guaranteed, approximate = both_intervals(estimate)
    return (guaranteed or approximate) if kind == KINDS[0] else (approximate or guaranteed)
