"""The resolution at which class probabilities distinguish instances."""

from collections.abc import Sequence
from math import inf
from typing import Any, NamedTuple, Self

import numpy as np

from activeeval_widgets.stats._typing import FloatArray, IntArray
from activeeval_widgets.stats.predictions.base import read_only, with_other_rows
from activeeval_widgets.stats.predictions.buckets import Alike, bucket, logit_edges

_LEAST = 1e-6
"""Smaller probabilities are not distinguished (`MIN_PROBABILITY` of the correction)."""

_MAX_WITH_SECOND = 32
"""Up to this number of classes, the second most probable class distinguishes instances, too."""


class ClassGrid(NamedTuple):
    """Edges between buckets of the probabilities of predicted class, class of interest, and second class."""

    of_first: FloatArray
    of_positive: FloatArray
    """Evenly spaced in log-odds, as are those of the first."""
    of_second: FloatArray | None
    """Edges for the second class's share of what the first one leaves; None if it is not used."""

    @classmethod
    def of(cls, n_classes: int, n_models: int) -> Self:
        """Return the grid for a number of classes and of models."""
        one, two = (1024, 64) if n_classes == 2 else (128, 16)
        finest = one if n_models == 1 else two
        has_second = 2 < n_classes <= _MAX_WITH_SECOND and n_models == 1
        second = np.array([0.5, 0.75, 0.95]) if has_second else None
        return cls(logit_edges(finest, _LEAST), logit_edges(32, _LEAST), second)

    def alike(self, models: Sequence[Any], positive: Any = None) -> list[Alike]:
        """Compare each model's predicted class, and roughly its and other classes' probabilities."""
        code = None if positive is None else models[0].code_of(positive, name="positive")
        return [each for model in models for each in self._alike(model.y_proba, model.pred_codes, code)]

    def _alike(self, y_proba: FloatArray, predicted: IntArray, positive: int | None) -> list[Alike]:
        n_classes = y_proba.shape[1]
        found = [Alike(predicted, n_classes, inf)]
        if n_classes == 2:
            return [*found, Alike(bucket(y_proba[:, 1], self.of_first), self.of_first.size + 1, 1.0)]
        first = np.take_along_axis(y_proba, predicted[:, np.newaxis], axis=1)[:, 0]
        found.append(Alike(bucket(first, self.of_first), self.of_first.size + 1, 1.0))
        if positive is not None:
            of_positive = bucket(y_proba[:, positive], self.of_positive)
            found.append(Alike(of_positive, self.of_positive.size + 1, 1.0))
        elif self.of_second is not None:
            others = y_proba.copy()
            others[np.arange(len(others)), predicted] = -1.0
            second = others.argmax(axis=1)
            share = np.take_along_axis(others, second[:, np.newaxis], axis=1)[:, 0]
            left = np.maximum(1 - first, 1e-300)
            found.append(Alike(bucket(share / left, self.of_second), self.of_second.size + 1, 1.0))
            found.append(Alike(second, n_classes, 1.0))
        return found

    def as_whole_numbers(self, model: Any) -> IntArray:
        """Return the position of the predicted class, and probabilities in units of 2⁻³⁰."""
        return np.column_stack([model.pred_codes, np.rint(model.y_proba * 2.0**30).astype(np.int64)])

    def from_whole_numbers(self, model: Any, means: FloatArray, ends: IntArray) -> Any:  # noqa: ARG002
        """See `Grid`."""
        made = with_other_rows(model)
        made.y_proba = read_only(means[:, 1:] / means[:, 1:].sum(axis=1, keepdims=True))
        made.pred_codes = read_only(means[:, 0].astype(np.intp))
        return made
