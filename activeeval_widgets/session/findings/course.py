"""The course of a measure over sessions that follow one another, each begun after the one before."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import nan
from typing import TYPE_CHECKING, Any, NamedTuple

from activeeval_widgets.session.findings.interval_table import Scale
from activeeval_widgets.session.findings.shown import Rows, Shown
from activeeval_widgets.session.log.carried_over import EarlierSession
from activeeval_widgets.session.log.state import EarlierInterval
from activeeval_widgets.stats import Estimate, Measure
from activeeval_widgets.stats.numbers import Numbers, outward
from activeeval_widgets.stats.quantities import Differences
from activeeval_widgets.stats.text import counted, percent

if TYPE_CHECKING:
    from activeeval_widgets.session.findings.findings import Findings


_ROUNDING = 1e-12
"""Smaller changes are rounding errors."""


def level_in_course(confidence_level: float, place: int) -> float:
    """Return the level of a session at a place of a course: the k-th may be wrong with α/(k(k + 1))."""
    return 1 - (1 - confidence_level) / (place * (place + 1))


class Rise(NamedTuple):
    """Bounds of how much a value has risen since an earlier one."""

    low: float
    high: float


@dataclass(frozen=True)
class Course:
    """A measure in sessions that follow one another, with intervals that hold simultaneously.

    With probability at least the confidence level, no interval is ever wrong: of no session, at no number of
    labels, however many sessions follow. So no `drop` is either. The earlier ones are as they stood when the
    next session was begun.

    Attributes
    ----------
    measure : Measure
        The measure.
    sessions : tuple of str
        The names of the sessions, oldest first.
    estimates : tuple of Estimate
        The estimate of each; its `confidence_level` is that of the interval by itself.
    confidence_level : float
        The level of all intervals together.

    See Also
    --------
    Session : Its argument `after` names the session before.

    Examples
    --------
    >>> earlier = Session(pool, "accuracy", name="May")
    >>> while earlier.next() is not None:
    ...     event = earlier.label(0)
    >>> course = Session(pool, "accuracy", name="June", after=earlier).findings.course()
    >>> course.sessions, [round(each.confidence_level, 4) for each in course.estimates]
    (('May', 'June'), [0.975, 0.9917])
    >>> course.drop("May")
    Rise(low=0.0, high=0.0)
    """

    measure: Measure
    sessions: tuple[str, ...]
    estimates: tuple[Estimate, ...]
    confidence_level: float

    def drop(self, since: str) -> Rise:
        """Return bounds of how much worse the measure has become since an earlier session.

        Parameters
        ----------
        since : str
            The name of the earlier session.

        Returns
        -------
        Rise
            Bounds for the last session, negative where it is better.

        Raises
        ------
        ValueError
            If there is no such earlier session.
        """
        if since not in self.sessions[:-1]:
            listed = ", ".join(self.sessions[:-1])
            follows = f"it follows {listed}" if listed else "it was begun after no other session"
            raise ValueError(f"{self.sessions[-1]!r} does not follow {since!r}: {follows}")
        position, is_loss = self.sessions.index(since), not self.measure.greater_is_better
        old, new = self.estimates[position], self.estimates[-1]
        low, high = (new.low - old.high, new.high - old.low)
        return Rise(low, high) if is_loss else Rise(0.0 - high, 0.0 - low)

    @property
    def change(self) -> tuple[str, float]:
        """The largest change that is known, in a few words, and its least size.

        A deterioration comes before an improvement. ("", 0.0) if nothing is known.
        """
        worse, better = ("lower", "higher") if self.measure.greater_is_better else ("higher", "lower")
        drops = [(name, self.drop(name)) for name in self.sessions[:-1]]
        for word, known in (
            (worse, [(drop.low, name) for name, drop in drops]),
            (better, [(-drop.high, name) for name, drop in drops]),
        ):
            least, name = max(known, default=(0.0, ""))
            if least > _ROUNDING:
                return f"{word} than in {name}", least
        return "", 0.0

    @property
    def sentence(self) -> str:
        """What is known of the last session beside the earlier ones."""
        words, least = self.change
        if not words:
            return f"The {self.measure.name} is not known to differ from that in any earlier session."
        size = outward(self.measure, least, up=False) + Differences(self.measure).unit()
        return f"The {self.measure.name} is {words}, by at least {size}."


def course(findings: "Findings") -> Course:
    """Return the measure in the sessions that this one follows, and in this one.

    A session begun `after` another one follows it, and all that this one follows, as long as they have the
    same measure and confidence level, are about one model, and have a guaranteed interval.

    Returns
    -------
    Course

    Raises
    ------
    ValueError
        If the session is about several models.

    See Also
    --------
    estimate : The estimate of this session by itself, with a narrower interval.

    Examples
    --------
    >>> Session(pool, "accuracy").findings.course().sessions
    ('default',)
    """
    question = findings.question
    if question.pairs:
        raise ValueError(f"a course is about one model, got {', '.join(question.names)}")
    before = findings.log.state.course
    level = level_in_course(findings.confidence_level, len(before) + 1)
    own = findings.estimate(confidence_level=level)
    earlier = [
        replace(
            own,
            value=nan if each.value is None else each.value,
            low=each.low,
            high=each.high,
            n_labels=each.n_labels,
            n_draws=each.n_labels,
            n_excluded=0,
            standard_error=nan,
            confidence_level=level_in_course(findings.confidence_level, place),
            is_asymptotic=False,
            withheld=False,
            reason=None,
        )
        for place, each in enumerate(before, 1)
    ]
    names = (*(each.session for each in before), findings.name)
    return Course(findings.measure, names, (*earlier, own), findings.confidence_level)


def intervals_before(after: EarlierSession | None, findings: "Findings") -> list[EarlierInterval]:
    """Return the intervals of the course that a new session goes on with, oldest first.

    There are none if the earlier session asks another question, or has no guaranteed interval.
    """
    if after is None:
        return []
    earlier: Findings = after.findings
    old, new = ((repr(each.measure), each.confidence_level) for each in (earlier, findings))
    if old != new or earlier.question.pairs or findings.question.pairs:
        return []
    found = earlier.course()
    last = found.estimates[-1]
    if last.is_asymptotic or findings._begin_interval(findings.confidence_level).sequence.is_asymptotic:
        return []
    value = last.value if last.is_defined else None
    own = EarlierInterval(earlier.name, value, last.low, last.high, last.n_labels)
    return [*earlier.log.state.course, own]


# -- how it is shown


def _is_there(session: "Findings") -> bool:
    return bool(session.log.state.course)


def _content(session: "Findings", options: Mapping[str, Any]) -> dict[str, Any]:
    del options
    found, quantity = session.course(), session.question.quantity
    labeled = [each for each in found.estimates if each.n_labels]
    scale = Scale(labeled, quantity)
    rows = [
        scale.row(
            name,
            each,
            note=f"{each.n_labels:,}",
            interval=scale.interval(each) if each.n_labels else "no labels yet",
            has_interval=each.n_labels > 0,
        )
        for name, each in zip(found.sessions, found.estimates, strict=True)
    ]
    return {
        "summary": f"{found.sentence} {_hold(found)}",
        "columns": ["Session", "Labels", quantity.heading],
        "rows": rows,
        "whole": None,
        "scale": scale.content(shows_ends=bool(labeled)),
    }


def _hold(found: Course) -> str:
    return (
        f"{percent(found.confidence_level)} intervals for all sessions at once, valid however often you look "
        "and however many sessions follow."
    )


def _paragraphs(session: "Findings") -> list[str]:
    if not _is_there(session):
        return []
    found = session.course()
    return [
        f"{found.sentence} {_hold(found)} Earlier sessions are as they stood when the next one was begun."
    ]


def _rows(session: "Findings", unit: str | None = None) -> Rows:
    if not _is_there(session):
        return []
    found, quantity = session.course(), session.question.quantity
    return [
        (
            name,
            f"{Numbers.of(quantity, each, unit=unit).with_interval(each)}; {counted(each.n_labels, 'labels')}"
            if each.is_defined
            else "not known yet",
        )
        for name, each in zip(found.sessions, found.estimates, strict=True)
    ]


SHOWN = Shown(
    name="course",
    title="Beside earlier sessions",
    kind="intervals",
    is_there=_is_there,
    content=_content,
    paragraphs=_paragraphs,
    rows=_rows,
)
