"""F-measures at other thresholds than the one that classes were predicted by."""

from typing import Any

import numpy as np

from activeeval_widgets.stats._typing import FloatArray
from activeeval_widgets.stats._validation import check_count, check_positive
from activeeval_widgets.stats.measures.base import Measure, ratio
from activeeval_widgets.stats.measures.of_score import Affine, ScoreMeasure, scores_of, sparse_rows
from activeeval_widgets.stats.predictions.classes import ClassPredictions


class _FAtThreshold(ScoreMeasure):
    """The F-measure if the class of interest is predicted where its probability is at least a threshold."""

    is_ratio = True
    value_range = (0.0, 1.0)

    def __init__(self, threshold: float, beta: float, positive: Any) -> None:
        super().__init__(positive)
        self.threshold, self.beta = threshold, beta
        self.eta = 1 / (1 + beta**2)
        self.name = f"F{beta:g} from {threshold:.3g} on"

    def _make_affine(self, model: ClassPredictions, scores: FloatArray) -> Affine:  # noqa: ARG002
        chosen = (scores >= self.threshold).astype(np.float64)
        first, second = np.zeros(scores.size, dtype=np.intp), np.ones(scores.size, dtype=np.intp)
        return Affine(
            sparse_rows([first, second], [chosen, np.full(scores.size, 1 - self.eta)], 2),
            sparse_rows([second], [self.eta * chosen], 2),
        )

    def g(self, mean: FloatArray) -> FloatArray:
        return ratio(mean[..., 0], mean[..., 1])

    def gradient(self, mean: FloatArray) -> FloatArray:
        scale = ratio(np.ones(mean.shape[:-1]), mean[..., 1])
        return np.stack([scale, -scale * self.g(mean)], axis=-1)

    def __repr__(self) -> str:
        return f"_FAtThreshold({self.threshold!r}, {self.beta!r}, {self.positive!r})"


def f_at_thresholds(
    model: ClassPredictions, beta: float, positive: Any, n_thresholds: int
) -> tuple[FloatArray, list[Measure]]:
    """Thresholds, ascending, and the F-measure at each of them.

    As many instances are at or above them as numbers that grow by a factor, from 1 to the size of the pool.
    """
    check_positive("beta", beta)
    if not check_count("n_thresholds", n_thresholds):
        raise ValueError("n_thresholds is 0, expected at least 1")
    scores = np.sort(scores_of(_FAtThreshold(0.0, beta, positive), model))[::-1]
    counts = np.unique(np.geomspace(1, scores.size, n_thresholds).round().astype(np.intp))
    thresholds: FloatArray = np.unique(scores[counts - 1])
    return thresholds, [_FAtThreshold(each, beta, positive) for each in thresholds.tolist()]
