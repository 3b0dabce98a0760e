"""An interval made of the exact ones of several parts, which the measure is a function of."""

from copy import copy
from typing import Generic, Self

import numpy as np

from activeeval_widgets.stats.anytime.band import AnyBand, Band
from activeeval_widgets.stats.measures.target import Target


def targets_of(target: Target) -> list[Target]:
    """What the parts of a measure estimate; see `Measure.band_parts`."""
    return [Target(part.measure, part.models) for part in target.measure.band_parts(target.models)]


class Parts(Band, Generic[AnyBand]):
    """A measure's interval from those of its parts, each with its share of α, so that all hold at once."""

    def _set_bands(self, target: Target, bands: list[AnyBand]) -> None:
        self._target, self._bands = target, bands
        self.restart()

    def restart(self) -> None:
        """Forget all labels."""
        for band in self._bands:
            band.restart()
        self._show()

    def copy(self) -> Self:
        """Another one in the same state."""
        made = copy(self)
        made._bands = [band.copy() for band in self._bands]
        return made

    def _show(self) -> None:
        """The interval now; evidence against no difference is the first part's own."""
        lows, highs = np.array([(band.low, band.high) for band in self._bands]).T
        is_difference = self._target.is_difference
        self.low, self.high = self._target.measure.from_band_parts(lows, highs, is_difference=is_difference)
        self.evidence = self._bands[0].evidence
