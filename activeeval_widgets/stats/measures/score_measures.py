"""Measures of how one class's probabilities order the pool."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array

from activeeval_widgets.stats._typing import BoolArray, FloatArray, IntArray
from activeeval_widgets.stats.measures.base import Measure
from activeeval_widgets.stats.measures.expectation import Expectation
from activeeval_widgets.stats.measures.tables import Scorer, check_promises, class_loss_bounds, class_moments
from activeeval_widgets.stats.predictions.base import Predictions
from activeeval_widgets.stats.predictions.beliefs import Belief, ClassBelief
from activeeval_widgets.stats.predictions.class_labels import class_in_words, plain_label
from activeeval_widgets.stats.predictions.classes import ClassPredictions


class Affine(NamedTuple):
    """z = y U + W (`of_positive`, `always`) of every instance; y is 1 for the class of interest, else 0."""

    of_positive: csr_array
    always: csr_array


class ScoreMeasure(Measure):
    """A measure with z affine in whether the label is the class of interest.

    Each instance's place in the order of scores (the probabilities of the class of interest) is known for the
    whole pool before any label. A measure of pairs of instances thereby becomes a function of means over
    single ones.
    """

    predictions_kind = "class"
    needs_whole_pool: ClassVar[bool] = True
    moments = class_moments
    loss_bounds = class_loss_bounds

    def __init__(self, positive: Any = 1) -> None:
        self.positive = plain_label(positive)

    @abstractmethod
    def _make_affine(self, model: ClassPredictions, scores: FloatArray) -> Affine:
        """Return U and W for the scores, (n_instances,)."""

    def _affine(self, predictions: Predictions) -> tuple[ClassPredictions, int, Affine]:
        """Return the model, the position of the class of interest, U and W; computed once for each model."""
        model = self._expect(ClassPredictions, predictions)
        code = model.code_of(self.positive, name="positive")
        known = _MADE.setdefault(model, {})
        key = f"{type(self).__name__} {self!r}"
        if key not in known:
            known[key] = self._make_affine(model, scores_of(self, model))
        return model, code, known[key]

    def statistics(self, predictions: Predictions, y_true: ArrayLike, draws: IntArray) -> FloatArray:
        """Return z of labeled draws; see `Measure.statistics`."""
        model, code, affine = self._affine(predictions)
        is_positive = (model.encode(y_true) == code)[:, np.newaxis]
        return np.asarray(is_positive * affine.of_positive[draws].toarray() + affine.always[draws].toarray())

    def introspective_mean(self, predictions: Predictions, belief: Belief) -> FloatArray:
        """Return the pool's E[z]; see `Measure.introspective_mean`."""
        model, code, affine = self._affine(predictions)
        proba = self._expect(ClassBelief, belief).y_proba[:, code]
        total = affine.of_positive.T @ proba + affine.always.sum(axis=0)
        return np.asarray(total / model.n_instances)

    def expectation(self, predictions: Predictions, belief: Belief) -> Expectation:
        """Return E[z | x], rows on demand; see `Measure.expectation`."""
        model, code, affine = self._affine(predictions)
        proba_of = self._expect(ClassBelief, belief).proba_of

        def rows(chosen: IntArray) -> FloatArray:
            proba = proba_of(chosen)[:, code, np.newaxis]
            return np.asarray(proba * affine.of_positive[chosen].toarray() + affine.always[chosen].toarray())

        total = self.introspective_mean(model, belief) * model.n_instances
        return Expectation(rows, total, model.n_instances)

    def _scorer(self, model: ClassPredictions, direction: FloatArray) -> Scorer:
        _, code, affine = self._affine(model)
        if_positive, always = affine.of_positive @ direction, affine.always @ direction
        is_positive = np.arange(model.n_classes) == code
        return lambda rows: always[rows, np.newaxis] + if_positive[rows, np.newaxis] * is_positive

    def outcomes(
        self,
        models: Sequence[Predictions],
        y_range: tuple[float, float] | None,  # noqa: ARG002
    ) -> Iterator[FloatArray]:
        """Yield the extremes: every instance is of the class of interest, or none is."""
        parts = [self._affine(model)[2] for model in models]
        for is_positive in (1.0, 0.0):
            yield np.concatenate(
                [(is_positive * part.of_positive + part.always).toarray() for part in parts], axis=1
            )

    def alike_cells(self, model: ClassPredictions) -> IntArray:
        """Return whether the true class is the one of interest; see the function `alike_cells`."""
        is_positive = np.arange(model.n_classes) == model.code_of(self.positive, name="positive")
        return np.tile(is_positive.astype(np.intp), (model.n_classes, 1))

    def same_statistics(self, first: Predictions, second: Predictions) -> BoolArray:
        """Return where two models give an instance the same place."""
        _, _, a = self._affine(first)
        _, _, b = self._affine(second)
        apart = abs(a.of_positive - b.of_positive).sum(axis=1) + abs(a.always - b.always).sum(axis=1)
        return np.asarray(apart == 0)

    def _called(self, kind: str) -> str:
        """Return the measure's name, with the class of interest unless it is obvious."""
        return kind if self.positive in (1, True) else f"{kind} of {class_in_words(self.positive)}"

    def __repr__(self) -> str:
        return f"{type(self).__name__}(positive={self.positive!r})"


_MADE: WeakKeyDictionary[ClassPredictions, dict[str, Affine]] = WeakKeyDictionary()
"""Each model's U and W, as long as the model exists."""


def scores_of(measure: ScoreMeasure, model: ClassPredictions) -> FloatArray:
    """Return the probability of the class of interest, (n_instances,)."""
    check_promises(measure, model)
    scores: FloatArray = model.y_proba[:, model.code_of(measure.positive, name="positive")]
    return scores


class Places(NamedTuple):
    """The places of instances in the order of scores."""

    below: FloatArray
    """The share of the pool with a smaller score, including half of the ties and of the instance itself."""
    interval: IntArray
    """The interval of scores that each instance is in, ascending; equal scores share one."""
    within: FloatArray
    """The share of the interval that is below, from 0 to 1."""


def places(scores: FloatArray, n_intervals: int) -> Places:
    """Return the places, with the pool cut into intervals of about equal shares."""
    _, group, counts = np.unique(scores, return_inverse=True, return_counts=True)
    below = ((counts.cumsum() - counts / 2) / scores.size)[group]
    interval = np.minimum((below * n_intervals).astype(np.intp), n_intervals - 1)
    shares = np.bincount(interval, minlength=n_intervals) / scores.size
    start = shares.cumsum() - shares
    return Places(below, interval, (below - start[interval]) / shares[interval])


def of_one_score(scores: FloatArray, interval: IntArray, n_intervals: int) -> BoolArray:
    """Return which intervals contain only equal scores."""
    least, greatest = np.full(n_intervals, np.inf), np.full(n_intervals, -np.inf)
    np.minimum.at(least, interval, scores)
    np.maximum.at(greatest, interval, scores)
    return np.asarray(least >= greatest)


def sparse_rows(columns: Sequence[IntArray], values: Sequence[FloatArray], n_columns: int) -> csr_array:
    """Return a sparse array with some entries in each row: columns and values, each of shape (n_rows,)."""
    n_rows, each = columns[0].size, len(columns)
    return csr_array(
        (
            np.stack(values, axis=1).ravel(),
            np.stack(columns, axis=1).ravel(),
            np.arange(0, n_rows * each + 1, each),
        ),
        shape=(n_rows, n_columns),
    )
