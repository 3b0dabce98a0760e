"""An interval made of the exact ones of several parts, which the measure is a function of."""

from copy import copy
from typing import Any, Generic, Self

import numpy as np

from activeeval_widgets.stats._typing import BoolArray, FloatArray
from activeeval_widgets.stats.anytime.band import AnyBand, Band
from activeeval_widgets.stats.measures.target import Target

_IS_PARTIAL = (
    "No guaranteed interval: it compares the scores of the whole pool, and some instances were excluded. "
    "Undo the exclusions to get it back."
)


def targets_of(target: Target) -> list[Target]:
    """What the parts of a measure estimate; see `Measure.band_parts`."""
    return [Target(part.measure, part.models) for part in target.measure.band_parts(target.models)]


class Parts(Band, Generic[AnyBand]):
    """A measure's interval from those of its parts, each with its share of α, so that all hold at once.

    Where they depend on the whole pool, nothing is promised once something can't be labeled: the measure is
    then of the rest.
    """

    _is_partial = False
    _settled: BoolArray

    def _set_bands(self, target: Target, bands: list[AnyBand]) -> None:
        self._target, self._bands = target, bands
        self.restart()

    def restart(self) -> None:
        """Forget all labels."""
        for band in self._bands:
            band.restart()
        self._is_partial = False
        self._settled = np.zeros(len(self._bands), dtype=bool)
        self._show()

    def copy(self) -> Self:
        """Another one in the same state."""
        made = copy(self)
        made._bands = [band.copy() for band in self._bands]
        return made

    def _hear_of(self, y: Any) -> None:
        self._is_partial |= y is None and self._target.measure.parts_count_whole_pool

    def _show(self) -> None:
        """The interval now; evidence against no difference is the first part's own."""
        self.withheld, self.reason = self._is_partial, _IS_PARTIAL if self._is_partial else None
        if self._is_partial:
            (self.low, self.high), self.evidence = self._target.range, 1.0
            return
        lows, highs = self.part_ends.T
        measure, models = self._target.measure, self._target.models
        self.low, self.high = measure.from_band_parts(lows, highs, models=models)
        self.evidence = self._bands[0].evidence
        # Ends of parts only move inward, so what is settled stays so.
        self._settled = self._settled | measure.settled_parts(lows, highs)

    @property
    def part_ends(self) -> FloatArray:
        """The ends of the parts' intervals, (n_parts, 2)."""
        return np.array([(band.low, band.high) for band in self._bands])
