"""Bounds of the measure with each excluded instance counted as the worst and as the best."""

from typing import TYPE_CHECKING, NamedTuple

from activeeval_widgets.session.draws.confidence_sequences import DrawnInterval
from activeeval_widgets.session.findings.incremental import Rewindable
from activeeval_widgets.stats import Measure
from activeeval_widgets.stats.anytime.conservative import FILLED
from activeeval_widgets.stats.intervals import at_once
from activeeval_widgets.stats.numbers import Numbers
from activeeval_widgets.stats.text import percent

if TYPE_CHECKING:
    from activeeval_widgets.session.findings.findings import Findings

SHOWN_FROM = 0.02
"""The bounds are shown once exclusions exceed this share of the answers."""

COVERS = "{n:,} excluded: the result covers only what can be labeled."

HOLDS_IF = (
    "Its interval holds if what was excluded depends only on the instance and its label, "
    "not on what came before."
)


class ExcludedCounted(NamedTuple):
    """Bounds of the measure on the whole pool, valid whatever was excluded, by whom and why.

    The interval for the instances that can be labeled assumes that exclusions depend only on the instance and
    its label. These bounds need no such assumption.

    Attributes
    ----------
    low, high : float
        The anytime-valid bounds.
    n_excluded : int
        The number of excluded instances.
    confidence_level : float
        The level of the bounds.

    See Also
    --------
    Findings.excluded_counted : Returns these.

    Examples
    --------
    >>> ExcludedCounted(low=0.1, high=0.3, n_excluded=2, confidence_level=0.95).low
    0.1
    """

    low: float
    high: float
    n_excluded: int
    confidence_level: float


class ExcludedBounds:
    """Such bounds, updated with a session's log."""

    def __init__(self, session: "Findings", measure: Measure, confidence_level: float) -> None:
        self._session, self._revision = session, 0
        begun = [session._begin_interval(at_once(confidence_level, 2), measure, filled=end) for end in FILLED]
        self._ends = [_rewindable(each) for each in begun]

    def update(self) -> tuple[float, float]:
        """Return both ends after all events."""
        n_same, rest = self._session.draws.answers.in_order_since(self._revision, self._ends[0].n_fed)
        self._revision = self._session.log.revision
        least, greatest = (each.update_to(n_same, rest) for each in self._ends)
        return float(least.sequence.low), float(greatest.sequence.high)


def _rewindable(begun: DrawnInterval) -> Rewindable[DrawnInterval]:
    return Rewindable(lambda: begun, every=begun.n_between)


def _is_uninformative(session: "Findings", found: ExcludedCounted) -> bool:
    low, high = session.watched(confidence_level=found.confidence_level).whole
    return bool(found.low <= low and high <= found.high)


def excluded_text(session: "Findings", confidence_level: float | None = None) -> str:
    """Return a sentence or two about exclusions; "" if there are none."""
    n = session.log.n_excluded
    if not n:
        return ""
    text = COVERS.format(n=n)
    if n <= SHOWN_FROM * (n + session.n_labels):
        return text
    found = session.excluded_counted(confidence_level=confidence_level)
    if found is None or _is_uninformative(session, found):
        return f"{text} {HOLDS_IF}"
    numbers = Numbers(session.question.quantity, (found.high - found.low) / 2)
    low, high = numbers.ends(found.low, found.high)
    return (
        f"{text} With each of them counted as the worst and as the best: between {low} and {high} "
        f"({percent(found.confidence_level)} confidence), whatever was excluded and why."
    )
