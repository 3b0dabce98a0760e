"""A student: a session of their own, and the estimates after each of its labels."""

from dataclasses import dataclass
from math import nan
from typing import Any, Literal, TypeAlias

from activeeval_widgets.session.log.events import AnyEvent, Labeled
from activeeval_widgets.stats._equality import EqualByFields
from activeeval_widgets.widgets.race.contest import Contest
from activeeval_widgets.widgets.race.racer import Interval, both_intervals, finite

Kind: TypeAlias = Literal["guaranteed", "approximate", "wald"]
"""An interval that the wall can show."""


@dataclass(frozen=True, eq=False)
class Moment(EqualByFields):
    """The estimate after some labels.

    Attributes
    ----------
    n_labels : int
        The number of labels.
    value : float
        The estimate; NaN where it is not defined.
    intervals : dict
        The interval of each kind, or None where there is none. In the place of an approximate one that is
        withheld, or wider, is the guaranteed one.
    """

    n_labels: int
    value: float
    intervals: dict[Kind, Interval | None]

    def width(self, kind: Kind) -> float:
        """Return the width of an interval, NaN where there is none."""
        interval = self.intervals[kind]
        return nan if interval is None else interval[1] - interval[0]

    def misses(self, kind: Kind, truth: float) -> bool:
        """Return whether an interval leaves out the truth."""
        interval = self.intervals[kind]
        return interval is not None and not interval[0] <= truth <= interval[1]


class Student:
    """A session, and its estimates after each label.

    Attributes
    ----------
    name : str
        The name on the wall; empty until the student has given one.
    course : list of Moment
        The estimates after 1, 2, … labels.
    stopped : int or None
        The number of labels after which the student would have stopped.
    """

    def __init__(
        self, contest: Contest, method: str, seed: int, *, is_simulated: bool = False, **options: Any
    ) -> None:
        self.name = ""
        self.method, self.seed, self.is_simulated = method, seed, is_simulated
        self.session = contest.begin(method, seed, **options)
        self.course: list[Moment] = []
        self.stopped: int | None = None
        self._y_true = contest.y_true
        self.session.subscribe(self._follow)

    @property
    def n_labels(self) -> int:
        """The number of labels so far."""
        return len(self.course)

    @property
    def n_mistakes(self) -> int:
        """The number of labels that differ from the true ones."""
        given = (action for action in self.session.log.actions if isinstance(action, Labeled))
        return sum(each.value != self._y_true[each.instance] for each in given)

    def label_truly(self) -> bool:
        """Give the next label as an expert would; return False at the end."""
        asked = self.session.next()
        if asked is None:
            return False
        self.session.label(self._y_true[asked.index], seconds=0.0)
        return True

    def stop_here(self, stops: bool) -> None:
        """Set whether the student would stop after the present number of labels."""
        self.stopped = self.n_labels or None if stops else None

    def _follow(self, _event: AnyEvent) -> None:
        n = self.session.n_labels
        if n == len(self.course) + 1:
            self.course.append(self._moment(n))
        del self.course[n:]  # undone
        if self.stopped is not None and self.stopped > n:
            self.stopped = None

    def _moment(self, n: int) -> Moment:
        watched, wald = self.session.estimate(), self.session.estimate(interval="wald")
        guaranteed, approximate = both_intervals(watched)
        textbook = (
            None if wald.withheld or not wald.is_defined else finite((float(wald.low), float(wald.high)))
        )
        value = float(watched.value) if watched.is_defined else nan
        shown = approximate or guaranteed  # as on the page, where the guaranteed one may be all there is
        return Moment(n, value, {"guaranteed": guaranteed, "approximate": shown, "wald": textbook})
