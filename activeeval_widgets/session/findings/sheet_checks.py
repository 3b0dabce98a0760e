"""Labels that were given on sheets, and how often they differ from answers one by one."""

from math import isfinite, nan
from statistics import median
from typing import NamedTuple

from activeeval_widgets.session.log.events import Deferred, HandedOut, Labeled
from activeeval_widgets.session.log.state import State
from activeeval_widgets.stats import clopper_pearson_interval
from activeeval_widgets.stats.text import counted, percent

MAX_DIFFERING = 0.05
"""If more of the answers on sheets certainly differ, no more sheets are offered; with a margin of error as
the session's goal, at most this margin."""

_SHOWN = {
    "prediction": "Sheets show what the model predicts, which can sway the labels.",
    "positive": "Sheets ask for the instances of one class, and do not show what the model predicts.",
}


class SheetChecks(NamedTuple):
    """How often answers on sheets differ from those to the same instances by themselves.

    Attributes
    ----------
    n_labels : int
        The number of labels that were given on sheets.
    shown : {"prediction", "positive"}
        Whether a sheet has shown predictions, or all have asked for the positive instances.
    n_asked : int
        The number of instances that were answered both ways by the same person.
    n_differing : int
        The number of them with different answers.
    low, high : float
        The 95 % interval of the share that differs (Clopper–Pearson).
    limit : float
        If more certainly differ, no more sheets are offered: `MAX_DIFFERING`, or the margin of error that is
        the session's goal if it is less.
    seconds_on_sheets, seconds_by_itself : float
        The median time for a label on a sheet, and for one by itself; nan if none was measured.

    See Also
    --------
    Sheets.checks : Returns them.

    Examples
    --------
    >>> SheetChecks(110, "prediction", 10, 0, 0.0, 0.31, 0.05, 0.4, 2.1).is_too_hasty
    False
    """

    n_labels: int
    shown: str
    n_asked: int
    n_differing: int
    low: float
    high: float
    limit: float
    seconds_on_sheets: float
    seconds_by_itself: float

    @property
    def is_too_hasty(self) -> bool:
        """Whether more than `limit` of the answers on sheets certainly differ."""
        return self.low > self.limit

    @property
    def sentences(self) -> list[str]:
        """The counts in words, for the report; empty without labels on sheets."""
        if self.n_labels == 0:
            return []
        verb = "was" if self.n_labels == 1 else "were"
        return [
            f"{counted(self.n_labels, 'labels')} {verb} given on sheets, on which up to 24 instances are "
            f"labeled together. {_SHOWN[self.shown]} Each instance was drawn with its own probability, and "
            "counts in the order of the draws.",
            *([self.speed] if self.speed else []),
            *([self.comparison] if self.n_asked else []),
        ]

    @property
    def speed(self) -> str:
        """The time for a label on a sheet and by itself, in a sentence; empty if it was not measured."""
        if not isfinite(self.seconds_on_sheets + self.seconds_by_itself):
            return ""
        return (
            f"A label took {self.seconds_on_sheets:.1f} seconds on a sheet, and {self.seconds_by_itself:.1f} "
            "by itself (medians)."
        )

    @property
    def comparison(self) -> str:
        """How often answers differ, in a sentence."""
        verb = "was" if self.n_asked == 1 else "were"
        found = (
            f"To compare, {counted(self.n_asked, 'instances')} of a sheet {verb} asked again one by one: "
            f"{counted(self.n_differing, 'answers')} differed (95% interval {percent(self.low, 0)} to "
            f"{percent(self.high, 0)})."
        )
        if not self.is_too_hasty:
            return found
        return f"{found} That is more than {percent(self.limit)}, so no more sheets are offered."


def sheet_checks(state: State, limit: float = MAX_DIFFERING) -> SheetChecks:
    """Compare answers on sheets with the same person's answers to the same instances by themselves."""
    n_asked = n_differing = 0
    for action in state.actions:
        again = state.answers.get(action.instance)
        if isinstance(action, Deferred) and action.on_sheet is not None and again is not None:
            label = state.labels.get(action.instance)
            is_compared = again.who == action.who and label is not None  # an exclusion is no other label
            n_asked += is_compared
            n_differing += is_compared and label != action.on_sheet
    shown = {event.sheet for event in state.log if isinstance(event, HandedOut) and event.sheet}
    interval = clopper_pearson_interval(n_differing, n_asked, 0.95) if n_asked else (0.0, 1.0)
    by_itself, on_sheets = state.label_seconds()
    return SheetChecks(
        sum(isinstance(action, Labeled) and state.sheet_of(action) > 0 for action in state.actions),
        "positive" if shown == {"positive"} else "prediction",
        n_asked,
        n_differing,
        *interval,
        limit,
        median(on_sheets or [nan]),
        median(by_itself or [nan]),
    )
