"""The measure with each excluded instance counted as the worst and as the best, whyever it is excluded."""

from typing import TYPE_CHECKING, NamedTuple

from activeeval_widgets.session.draws.confidence_sequences import DrawnInterval
from activeeval_widgets.session.findings.incremental import Rewindable
from activeeval_widgets.stats import Measure
from activeeval_widgets.stats.anytime.filled import FILLED
from activeeval_widgets.stats.intervals import at_once
from activeeval_widgets.stats.numbers import Numbers
from activeeval_widgets.stats.text import percent

if TYPE_CHECKING:
    from activeeval_widgets.session.findings.findings import Findings

SHOWN_FROM = 0.02
"""It is shown beside the session's own interval once more than this share of the answers are exclusions."""

HOLDS_IF = (
    "Its interval holds if what was excluded depends on the instance and its label alone, "
    "not on what came before."
)


class ExcludedCounted(NamedTuple):
    """Bounds of the measure on the whole pool, whatever was excluded, by whom and why.

    The interval of what can be labeled holds if what is excluded depends on the instance and its label alone.
    These bounds need nothing of that kind.

    Attributes
    ----------
    low, high : float
        The bounds; they may be watched.
    n_excluded : int
        How many instances are excluded.
    confidence_level : float
        1 − α.

    See Also
    --------
    Findings.excluded_counted : gives one.

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
    """Keeps such bounds up with a session's log."""

    def __init__(self, session: "Findings", measure: Measure, confidence_level: float) -> None:
        self._session, self._revision = session, 0
        begun = [session._begin_interval(at_once(confidence_level, 2), measure, filled=end) for end in FILLED]
        self._ends = [_rewindable(each) for each in begun]

    def update(self) -> tuple[float, float]:
        """Both ends, with all that has happened."""
        n_same, rest = self._session.draws.answers.in_order_since(self._revision, self._ends[0].n_fed)
        self._revision = self._session.log.revision
        least, greatest = (each.feed(n_same, rest) for each in self._ends)
        return least.low, greatest.high


def _rewindable(begun: DrawnInterval) -> Rewindable[DrawnInterval]:
    return Rewindable(lambda: begun, every=begun.n_between)


def _says_nothing(session: "Findings", found: ExcludedCounted) -> bool:
    low, high = session.watched(confidence_level=found.confidence_level).whole
    return bool(found.low <= low and high <= found.high)


def excluded_text(session: "Findings", confidence_level: float = 0.95) -> str:
    """What is said where something is excluded, in a sentence or two; "" where nothing is."""
    n = session.log.n_excluded
    if not n:
        return ""
    text = f"{n:,} excluded: the result covers only what can be labeled."
    if n <= SHOWN_FROM * (n + session.n_labels):
        return text
    found = session.excluded_counted(confidence_level=confidence_level)
    if found is None or _says_nothing(session, found):
        return f"{text} {HOLDS_IF}"
    numbers = Numbers(session.question.quantity, (found.high - found.low) / 2)
    low, high = numbers.ends(found.low, found.high)
    return (
        f"{text} With each of them counted as the worst and as the best: between {low} and {high} "
        f"({percent(confidence_level)} confidence), whatever was excluded and why."
    )
