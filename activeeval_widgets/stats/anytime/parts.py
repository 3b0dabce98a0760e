"""An interval of a function of several parts, composed of their exact intervals."""

from collections.abc import Callable
from copy import copy
from typing import Any, Generic, Self

import numpy as np

from activeeval_widgets.stats._typing import BoolArray, FloatArray
from activeeval_widgets.stats.anytime.band import AnyBand, Band, Wealth
from activeeval_widgets.stats.anytime.evidence import evidence_of_intervals, hull_below
from activeeval_widgets.stats.measures.base import Composition
from activeeval_widgets.stats.questions.make import target_of
from activeeval_widgets.stats.questions.target import Target

_IS_PARTIAL = (
    "No guaranteed interval: it compares the scores of the whole pool, and some instances were excluded. "
    "Undo the exclusions to get it back."
)


def targets_of(composition: Composition) -> list[Target]:
    """Return the targets of a measure's parts."""
    return [target_of(part.measure, part.models) for part in composition.parts]


class Parts(Band, Generic[AnyBand]):
    """A measure's interval from those of its parts, each with a share of α, so that all hold jointly.

    If the parts depend on the whole pool, there is no guarantee after an exclusion, since the measure is then
    for the rest.
    """

    _is_partial = False
    _settled: BoolArray

    def _compose(
        self, target: Target, composition: Composition, level: float, band: Callable[[Target, float], AnyBand]
    ) -> None:
        """Make a band for each part, at its own confidence level."""
        self._target, self._composition, self._level = target, composition, level
        self._parts = targets_of(composition)
        self._shares = [part.share for part in composition.parts]
        levels = [1 - (1 - level) * share for share in self._shares]
        self._bands = list(map(band, self._parts, levels))
        self.restart()

    def restart(self) -> None:
        """Discard all labels."""
        for band in self._bands:
            band.restart()
        self._is_partial = False
        self._settled = np.zeros(len(self._bands), dtype=bool)
        self._show()

    def copy(self) -> Self:
        """Return a copy in the same state."""
        made = copy(self)
        made._bands = [band.copy() for band in self._bands]
        return made

    def _note_exclusion(self, y: Any) -> None:
        self._is_partial |= y is None and self._target.measure.parts_count_whole_pool

    def _show(self) -> None:
        """Update the interval; the evidence against "no difference" is that of the first part."""
        self.withheld, self.reason = self._is_partial, _IS_PARTIAL if self._is_partial else None
        if self._is_partial:
            (self.low, self.high), self.evidence = self._target.range, 1.0
            return
        lows, highs = self.part_ends.T
        self.low, self.high = self._composition.interval(lows, highs)
        self.evidence = self._bands[0].evidence
        # Ends of parts only move inward, so a settled part stays settled.
        self._settled = self._settled | self._composition.settled(lows, highs)

    @property
    def wealth(self) -> Wealth:
        """The evidence against each value, from the wealth of the parts' bets, scaled by their shares of α.

        Each combination of parts' values has the largest wealth against one of them; a value has the smallest
        wealth of the combinations that give it.
        """
        whole = self._target.range
        if self._is_partial:
            return Wealth(np.array(whole), np.ones(1))
        found = [band.wealth for band in self._bands]
        own = 1 / (1 - self._level)

        def interval(enough: float) -> tuple[float, float]:
            if self.low == self.high or enough == own:
                return self.low, self.high
            ends = [
                hull_below(each, enough / share)
                for each, share in zip(found, self._shares, strict=True)
                if each is not None
            ]
            lows, highs = np.array(ends).T
            # The parts' own ends also account for what the remaining labels can give.
            inner, outer = (np.maximum, np.minimum) if enough < own else (np.minimum, np.maximum)
            lows, highs = inner(lows, self.part_ends[:, 0]), outer(highs, self.part_ends[:, 1])
            low, high = self._composition.interval(lows, highs)
            return (max(low, self.low), min(high, self.high)) if enough < own else (low, high)

        return evidence_of_intervals(interval, self._level, whole)

    @property
    def part_ends(self) -> FloatArray:
        """The ends of the parts' intervals, (n_parts, 2)."""
        return np.array([(band.low, band.high) for band in self._bands])
