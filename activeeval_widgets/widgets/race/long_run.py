"""The number of labels that a racer needs until its interval is as narrow as the other's."""

from math import inf
from typing import Any

from activeeval_widgets.widgets.race.contest import Contest
from activeeval_widgets.widgets.race.hand_labels import HandLabels
from activeeval_widgets.widgets.race.racer import interval_of

MAX_TIMES = 5
"""The largest number of labels that is tried, as a multiple of the budget."""


class LongRun:
    """Runs a racer again and beyond the budget, one label at a time.

    Attributes
    ----------
    n : int
        The number of labels so far.
    is_reached : bool
        Whether the interval is narrow enough.
    """

    def __init__(
        self, contest: Contest, method: str, seed: int, hand: HandLabels, racer: int, width: float, kind: str
    ) -> None:
        self.asked = (racer, width, kind)
        self._budget, self._hand = contest.budget, hand
        self._session = contest.begin(method, seed)
        self.n = 0
        self.is_reached = self._is_at_end = False

    @property
    def is_complete(self) -> bool:
        """Whether the run is finished."""
        return self.is_reached or self._is_at_end

    def advance(self) -> None:
        """Add one label."""
        session = self._session
        if self.n == self._budget:
            session.revisions.lift_budget()
        asked = session.next()
        if asked is None or self.n >= MAX_TIMES * self._budget:
            self._is_at_end = True
            return
        self.n += 1
        session.label(self._hand.label_of(asked.index, self.n)[0], seconds=0.0)
        _, width, kind = self.asked
        low, high = interval_of(session.estimate(), kind) or (-inf, inf)
        # Within the budget the width is known; the question is about what lies beyond.
        self.is_reached = self.n > self._budget and high - low <= width

    def content(self) -> dict[str, Any]:
        """Return the progress."""
        racer, width, kind = self.asked
        return {
            "racer": racer,
            "width": width,
            "kind": kind,
            "n": self.n,
            "is_reached": self.is_reached,
            "is_complete": self.is_complete,
        }
