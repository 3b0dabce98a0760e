"""An interval for adaptive draws that is composed of exact intervals of several parts."""

from copy import copy
from math import inf
from typing import Any, Self

import numpy as np

from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats.adaptive._bands import AdaptiveBand, BettingBand
from activeeval_widgets.stats.adaptive._streams import Streams
from activeeval_widgets.stats.adaptive.draw_rule import DrawRule
from activeeval_widgets.stats.anytime.deadlines import Deadlines
from activeeval_widgets.stats.anytime.parts import Parts, targets_of
from activeeval_widgets.stats.measures.base import Composition
from activeeval_widgets.stats.questions.make import target_of
from activeeval_widgets.stats.questions.target import Target


class ComposedBand(Parts[BettingBand], AdaptiveBand):
    """Intervals of several parts that hold together; with the whole pool drawn, the value itself."""

    def __init__(
        self,
        target: Target,
        composition: Composition,
        y_range: tuple[float, float] | None,
        level: float,
        deadlines: Deadlines | None,
        rule: DrawRule,
    ) -> None:
        doubts = deadlines is not None and deadlines.firsts.size > 0
        self._streams = [Streams(part, rule, doubts=doubts) for part in targets_of(composition)]
        self._compose(
            target, composition, level, lambda part, own: BettingBand(part, y_range, own, deadlines)
        )

    def restart(self) -> None:
        """Discard all labels."""
        for streams in self._streams:
            streams.restart()
        super().restart()

    def copy(self) -> Self:
        """Return a copy of the band's present state."""
        made = copy(super().copy())
        made._streams = [streams.copy() for streams in self._streams]
        return made

    def step(self, streams: Streams, draw: int, row: FloatArray, y: Any, *, fresh: bool) -> None:
        """Add one more draw."""
        del fresh
        self._note_exclusion(y)
        each = zip(self._parts, self._streams, self._bands, self._settled, strict=True)
        for target, own, band, is_settled in each:
            if is_settled:
                continue
            is_new = own.follow(streams)
            own.own = None if streams.own is None else streams.own[: len(target.models)]
            band.step(own, draw, _row(target, own, draw, y), y, fresh=is_new)
        streams.add(draw, row, y)
        self._show()
        if streams.n_draws == self._target.size and streams.known[-1] > 0:
            if self._target.is_by_labels:
                value = self._target.value_of(*streams.labeled)
            else:
                value = float(self._target.g(streams.known[:-1] / streams.known[-1]))
            if value == value:
                self.low = self.high = value
                self.withheld, self.reason = False, None
                self.evidence = inf if value != 0 else self.evidence


def _row(target: Target, streams: Streams, draw: int, y: Any) -> FloatArray:
    """Return z and the indicator "has a label"; zeros for an excluded instance."""
    if y is None:
        return np.zeros_like(streams.known)
    labels = target.models[0].check_labels([y], 1, "1 draws")
    if streams.own is not None:
        target, draw = target_of(target.measure, streams.own), 0
    return np.append(target.statistics(labels, np.array([draw]))[0], 1.0)
