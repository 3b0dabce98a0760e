"""Statistics of predicted and true classes: tables, extremes, and moments by scores of each class."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import AnyArray, BoolArray, FloatArray, IntArray
from activeeval_widgets.stats.measures.base import Kind, Measure, Moments, Term
from activeeval_widgets.stats.predictions._probabilities import chunks
from activeeval_widgets.stats.predictions.base import Predictions
from activeeval_widgets.stats.predictions.beliefs import Belief, ClassBelief
from activeeval_widgets.stats.predictions.classes import ClassPredictions

_FEW_CLASSES, _AT_ONCE = 16, 1 << 13
"""Up to this many classes, moments are summed class by class, in blocks of instances of this size."""

Scorer = Callable[[slice], FloatArray]


class Scored(Protocol):
    """A measure of classes that scores every possible class of an instance."""

    def _scorer(self, model: ClassPredictions, direction: FloatArray) -> Scorer:
        """Return the function from a slice of the pool to aᵀ z(x, y) per true class, (n_rows, n_classes)."""

    def _expect(self, kind: type[Kind], predictions: Any) -> Kind:
        """See `Measure`."""


def class_extremes(measure: Scored, terms: Sequence[Term]) -> tuple[FloatArray, FloatArray]:
    """Return the smallest and the largest Σ aᵀ z(x, y) over all labels y, per instance; (n_instances,)."""
    models = [measure._expect(ClassPredictions, term.predictions) for term in terms]
    scorers = [measure._scorer(model, term.direction) for model, term in zip(models, terms, strict=True)]
    least, greatest = np.empty((2, models[0].n_instances))
    for rows in chunks(models[0].n_instances, models[0].n_classes):
        score = scorers[0](rows)
        for scorer in scorers[1:]:
            score = score + scorer(rows)
        score.min(axis=1, out=least[rows])
        score.max(axis=1, out=greatest[rows])
    return least, greatest


def loss_terms(models: Sequence[Predictions]) -> list[Term]:
    """Return one model's loss, or the difference of two models' losses."""
    return [Term(model, np.array([sign])) for sign, model in zip((1.0, -1.0), models, strict=False)]


def class_loss_bounds(
    measure: Scored,
    models: Sequence[Predictions],
    y_range: tuple[float, float] | None,  # noqa: ARG001
) -> tuple[FloatArray, FloatArray]:
    """Return the smallest and the largest loss of each instance; see `Measure.loss_bounds`."""
    return class_extremes(measure, loss_terms(models))


def class_moments(measure: Scored, terms: Sequence[Term], belief: Belief, offset: float) -> Moments:
    """Return conditional moments from each class's score and probability; see `Measure.moments`."""
    scorers = [
        measure._scorer(measure._expect(ClassPredictions, term.predictions), term.direction) for term in terms
    ]
    y_proba = measure._expect(ClassBelief, belief).y_proba
    first = np.empty(len(y_proba))
    second = np.empty(len(y_proba))
    for rows in chunks(*y_proba.shape):
        score = scorers[0](rows) - offset
        for scorer in scorers[1:]:
            score += scorer(rows)
        proba = y_proba[rows]
        np.einsum("ij,ij->i", proba, score, out=first[rows])
        np.einsum("ij,ij,ij->i", proba, score, score, out=second[rows])
    return Moments(first, second)


def alike_cells(measure: Measure, model: ClassPredictions) -> IntArray:
    """Return a number for each (predicted, true) class, equal where the measure makes no difference.

    Moving shares between such cells does not change the measure. (n_classes, n_classes); 0 everywhere for a
    measure of the probabilities, which does not use cells.
    """
    of_measure: Callable[[ClassPredictions], IntArray] | None = getattr(measure, "alike_cells", None)
    if of_measure is not None:
        return of_measure(model)
    return np.zeros((model.n_classes, model.n_classes), dtype=np.intp)


class TableMeasure(Measure):
    """A measure of classes whose statistics depend only on the predicted and the true class."""

    predictions_kind = "class"
    is_alike_in_rows = True

    @abstractmethod
    def _cells(self, model: ClassPredictions, predicted: IntArray, true: IntArray) -> FloatArray:
        """Return z for pairs of a predicted and a true class, by position; (n, n_statistics)."""

    def _table(self, model: ClassPredictions) -> FloatArray:
        """Return z for each (predicted, true) class, (n_classes, n_classes, n_statistics)."""
        k = model.n_classes
        predicted, true = np.divmod(np.arange(k * k), k)
        table: FloatArray = self._cells(model, predicted, true).reshape(k, k, -1)
        return table

    def alike_cells(self, model: ClassPredictions) -> IntArray:
        """Return equal numbers for cells with equal statistics; see the function `alike_cells`."""
        table = self._table(model)
        numbers = np.zeros(model.n_classes**2, dtype=np.intp)
        for column in table.reshape(numbers.size, -1).T:
            values, codes = np.unique(column, return_inverse=True)
            numbers = np.unique(numbers * values.size + codes, return_inverse=True)[1]
        return numbers.reshape(model.n_classes, model.n_classes)

    def _scores(self, model: ClassPredictions, direction: FloatArray) -> FloatArray:
        """Return aᵀ z for each (predicted, true) class, (n_classes, n_classes)."""
        return np.asarray(self._table(model) @ direction)

    def statistics(self, predictions: Predictions, y_true: ArrayLike, draws: IntArray) -> FloatArray:
        """Return z of labeled draws; see `Measure.statistics`."""
        model = self._expect(ClassPredictions, predictions)
        return self._cells(model, model.pred_codes[draws], model.encode(y_true))

    def introspective_mean(self, predictions: Predictions, belief: Belief) -> FloatArray:
        """Return the pool's E[z]; see `Measure.introspective_mean`."""
        model = self._expect(ClassPredictions, predictions)
        joint = joint_sums(model, self._expect(ClassBelief, belief))
        # Divided last, because a stored session is recognized by the bits of its q.
        mean: FloatArray = np.tensordot(joint, self._table(model), axes=2) / model.size
        return mean

    def _scorer(self, model: ClassPredictions, direction: FloatArray) -> Scorer:
        score = self._scores(model, direction)
        return lambda rows: score[model.pred_codes[rows]]

    def moments(self, terms: Sequence[Term], belief: Belief, offset: float) -> Moments:
        """Return conditional moments; see `Measure.moments`."""
        models = [self._expect(ClassPredictions, term.predictions) for term in terms]
        y_proba = self._expect(ClassBelief, belief).y_proba
        if y_proba.shape[1] > _FEW_CLASSES:
            return class_moments(self, terms, belief, offset)
        # Class by class, because an instance's probabilities are far apart in memory.
        tables = [self._scores(model, term.direction) for model, term in zip(models, terms, strict=True)]
        first, second = np.zeros((2, len(y_proba)))
        for start in range(0, len(y_proba), _AT_ONCE):
            rows = slice(start, start + _AT_ONCE)
            for true in range(y_proba.shape[1]):
                score = tables[0][:, true].take(models[0].pred_codes[rows])
                score -= offset
                for table, model in zip(tables[1:], models[1:], strict=True):
                    score += table[:, true].take(model.pred_codes[rows])
                weighted = y_proba[rows, true] * score
                first[rows] += weighted
                weighted *= score
                second[rows] += weighted
        return Moments(first, second)

    def extremes(self, terms: Sequence[Term]) -> tuple[FloatArray, FloatArray]:
        """Return the smallest and the largest Σ aᵀ z(x, y) over all labels; see `class_extremes`."""
        models = [self._expect(ClassPredictions, term.predictions) for term in terms]
        n_classes = models[0].n_classes
        if n_classes > _FEW_CLASSES:
            return class_extremes(self, terms)
        # They follow from the predicted classes only, so a table of them is enough.
        tables = [self._scores(model, term.direction) for model, term in zip(models, terms, strict=True)]
        codes: AnyArray = models[0].pred_codes
        score = tables[0]
        for table, model in zip(tables[1:], models[1:], strict=True):
            score = (score[:, np.newaxis] + table[np.newaxis]).reshape(-1, n_classes)
            codes = codes * n_classes + model.pred_codes
        return score.min(axis=1)[codes], score.max(axis=1)[codes]

    def loss_bounds(
        self,
        models: Sequence[Predictions],
        y_range: tuple[float, float] | None,  # noqa: ARG002
    ) -> tuple[FloatArray, FloatArray]:
        """Return the smallest and the largest loss of each instance; see `Measure.loss_bounds`."""
        return self.extremes(loss_terms(models))

    def distinct_labels(self, model: ClassPredictions) -> AnyArray:
        """Return labels that have, between them, all different statistics, for all predictions."""
        columns = self._table(model).transpose(1, 0, 2).reshape(model.n_classes, -1)
        _, first = np.unique(columns, axis=0, return_index=True)
        labels: AnyArray = model.classes[np.sort(first)]
        return labels

    def alike(self, predictions: Predictions, instances: IntArray) -> tuple[IntArray, IntArray]:
        """Return one instance of each predicted class; see `Measure.alike`."""
        codes = self._expect(ClassPredictions, predictions).pred_codes[instances]
        _, first, group = np.unique(codes, return_index=True, return_inverse=True)
        return instances[first], group.reshape(-1)

    def same_statistics(self, first: Predictions, second: Predictions) -> BoolArray:
        """Return where two models can't differ."""
        return ~first.differs(second)


def check_promises(measure: Any, model: ClassPredictions) -> None:
    """Raise an error for predictions without probabilities."""
    if not model.promises:
        raise TypeError(
            f"{measure.name} takes class probabilities, and there are only predicted classes: "
            "give the probabilities, or choose another measure, such as the error rate"
        )


def joint_of(model: ClassPredictions, belief: ClassBelief) -> FloatArray:
    """Return the expected joint distribution of predicted and true class, (n_classes, n_classes)."""
    return joint_sums(model, belief) / model.size


def joint_sums(model: ClassPredictions, belief: ClassBelief) -> FloatArray:
    """Return the expected number of instances by predicted and true class, (n_classes, n_classes)."""
    # A table is all that the measure needs from the pool.
    key = "joint", id(model.pred_codes)
    if key not in belief.kept:
        counts = None if model.counts is None else model.counts.astype(np.float64)
        columns = belief.y_proba.T if counts is None else (column * counts for column in belief.y_proba.T)
        sums = [np.bincount(model.pred_codes, column, minlength=model.n_classes) for column in columns]
        # Stored with the object of the id, so that nothing else can have the same id.
        belief.kept[key] = model.pred_codes, np.stack(sums, axis=1)
    joint: FloatArray = belief.kept[key][1]
    return joint
