"""The question of the best of several models."""

from collections.abc import Callable, Sequence
from itertools import combinations

import numpy as np

from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats.measures.base import Measure
from activeeval_widgets.stats.predictions.base import Predictions
from activeeval_widgets.stats.questions.difference import Difference
from activeeval_widgets.stats.questions.question import Comparison
from activeeval_widgets.stats.questions.target import Target


class BestOf(Comparison):
    """Which of several models is the best, and the best one's value."""

    about = "three models or more"
    best = "best"
    is_of_leader = True
    zero_asks = "leader"

    def __init__(self, measure: Measure, models: Sequence[Predictions]) -> None:
        super().__init__(measure, models)
        self.pairs = tuple(combinations(range(len(self.models)), 2))

    @property
    def in_words(self) -> str:
        """The number of models, in words."""
        return f"{len(self.models)} models"

    @property
    def targets(self) -> tuple[Target, ...]:
        """The difference of each pair."""
        return tuple(self._difference(*pair) for pair in self.pairs)

    def _difference(self, first: int, second: int) -> Difference:
        return Difference(self.measure, [self.models[first], self.models[second]])

    def informed(
        self,
        sizes: Callable[[Target], FloatArray],
        left: FloatArray,
        pairs: Sequence[tuple[int, int]] | None = None,
    ) -> FloatArray:
        """Return the equal mixture of the informativeness of some pairs (by default all)."""
        mixed = np.zeros(left.size)
        for pair in self.pairs if pairs is None else pairs:
            sizes_of_pair = sizes(self._difference(*pair))
            total = float(left @ sizes_of_pair)
            if total > 0:
                mixed += sizes_of_pair / total
        return mixed
