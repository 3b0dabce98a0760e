"""Measures of classifiers that are a ratio of two means: F-measures, precision, recall, specificity."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import FloatArray, IntArray
from activeeval_widgets.stats._validation import check_fraction, check_positive
from activeeval_widgets.stats.intervals import constant_ratio_interval
from activeeval_widgets.stats.measures.base import ratio, ratio_gradient
from activeeval_widgets.stats.measures.classes import TableMeasure
from activeeval_widgets.stats.predictions.base import Predictions
from activeeval_widgets.stats.predictions.class_labels import class_in_words, plain_label
from activeeval_widgets.stats.predictions.classes import ClassPredictions


class RatioMeasure(TableMeasure):
    """A generalized risk: z = (numerator, denominator) with 0 ≤ numerator ≤ denominator, g = z₁/z₂.

    It is undefined while no labeled instance has a positive denominator. `Ratio.from_parts` makes one from
    two functions.

    Raises
    ------
    TypeError
        If it is instantiated directly.

    See Also
    --------
    FMeasure, Precision, Recall : Ratios.
    Risk : Means of one statistic.

    References
    ----------
    T, eq. 3.31 and Lemma 3.4.

    Examples
    --------
    >>> escalated = Ratio.from_parts(
    ...     lambda f, y: f == "urgent" and y == "urgent", lambda f, y: y == "urgent", "share of urgent found"
    ... )
    >>> tickets = ClassPredictions([[0.8, 0.2], [0.3, 0.7]], classes=["calm", "urgent"])
    >>> pool_value(escalated, tickets, ["urgent", "urgent"])
    0.5
    """

    value_range = (0.0, 1.0)
    is_ratio = True

    @staticmethod
    def from_parts(
        numerator: Callable[[Any, Any], Any],
        denominator: Callable[[Any, Any], Any],
        name: str,
        *,
        greater_is_better: bool = True,
        is_share: bool = True,
    ) -> "RatioMeasure":
        """Return a measure with your own parts: the mean of one function over that of another.

        Parameters
        ----------
        numerator, denominator : callable
            Numbers for a predicted and a true class, function(predicted, true); called once for all pairs.
        name : str
            The measure's name.
        greater_is_better : bool
            Whether a larger value is better.
        is_share : bool
            Whether the numerator is always from 0 to the denominator, so that values are shares. If not, the
            interval is approximate.

        Raises
        ------
        ValueError, TypeError
            If an argument does not match; on use, if a part is not a finite number, or not a share.
        """
        from activeeval_widgets.stats.measures.own import parts_measure

        options = {"greater_is_better": greater_is_better, "is_share": is_share}
        return parts_measure(numerator, denominator, name, options)

    @staticmethod
    def from_tables(
        name: str,
        numerator: ArrayLike,
        denominator: ArrayLike,
        *,
        greater_is_better: bool = True,
        is_share: bool = True,
    ) -> "RatioMeasure":
        """Return the same from both parts for each predicted class i and true class j, in class order."""
        from activeeval_widgets.stats.measures.own import table_ratio

        options = {"greater_is_better": greater_is_better, "is_share": is_share}
        return table_ratio(name, numerator, denominator, options)

    def outcomes(
        self,
        models: Sequence[Predictions],
        y_range: tuple[float, float] | None,  # noqa: ARG002
    ) -> Iterator[FloatArray]:
        """Yield the extremes; of many classes, one of those that have equal statistics is enough."""
        given = [self._expect(ClassPredictions, model) for model in models]
        everything = np.arange(given[0].n_instances)
        for label in self.telling_labels(given[0]):
            labels = np.full(everything.size, label)
            yield np.concatenate([self.statistics(model, labels, everything) for model in given], axis=1)

    def g(self, mean: FloatArray) -> FloatArray:
        """Return the measure, given E[z]."""
        return ratio(mean[..., 0], mean[..., 1])

    def gradient(self, mean: FloatArray) -> FloatArray:
        """Return ∇g at E[z]."""
        return ratio_gradient(mean)

    def constant_interval(
        self, predictions: Predictions, q: FloatArray, z: FloatArray, value: float, confidence_level: float
    ) -> tuple[float, float]:
        """Return an interval for when no draw deviates; see `Measure.constant_interval`."""
        model = self._expect(ClassPredictions, predictions)
        spread = denominator_spread(self._table(model)[:, :, 1], model, q)
        return constant_ratio_interval(value, int(np.count_nonzero(z[:, 1])), spread, confidence_level)


class FMeasure(RatioMeasure):
    """The F-measure n_tp / (η (n_tp + n_fp) + (1 − η)(n_tp + n_fn)) of one class against the rest.

    Parameters
    ----------
    beta : float
        Recall counts β times as much as precision; η = 1/(1 + β²). F₁ unless given.
    positive : class label
        The class of interest. Label 1 unless given.

    Raises
    ------
    ValueError, TypeError
        If `beta` is not a positive number; on use, if `positive` is not one of the predictions' classes.

    See Also
    --------
    Precision, Recall : Its two ends.
    MacroF : The mean over all classes.

    References
    ----------
    T, eq. 3.26; its instrumental distribution, 4.18.

    Examples
    --------
    >>> FMeasure(beta=0.5).eta
    0.8
    >>> FMeasure.from_eta(1.0, positive="spam").name
    'precision of spam'
    """

    summary = "Precision and recall of the class of interest in one number."
    aliases = ("f1", "f1-score", "f-measure", "f{beta}")

    def __init__(self, beta: float = 1.0, positive: Any = 1) -> None:
        self._set(1 / (1 + check_positive("beta", beta) ** 2), positive)

    @classmethod
    def from_eta(cls, eta: float, positive: Any = 1) -> Self:
        """Return the F-measure for a trade-off η from 0 (recall) to 1 (precision)."""
        measure = cls.__new__(cls)
        measure._set(check_fraction("eta", eta, closed=True), positive)
        return measure

    def _set(self, eta: float, positive: Any) -> None:
        self.eta, self.positive, self.name = eta, plain_label(positive), _name_of_f(eta, positive)

    def _cells(self, model: ClassPredictions, predicted: IntArray, true: IntArray) -> FloatArray:
        return _cells_of_f(self.eta, self.positive, model, predicted, true)

    def __repr__(self) -> str:
        return f"FMeasure.from_eta({self.eta!r}, positive={self.positive!r})"


def _name_of_f(eta: float, positive: Any) -> str:
    kind = {0.0: "recall", 0.5: "F1", 1.0: "precision"}.get(eta)
    if kind is None:
        kind = f"F{np.sqrt(1 / eta - 1):.3g}"
    return kind if positive in (1, True) else f"{kind} of {class_in_words(plain_label(positive))}"


def _cells_of_f(
    eta: float, of_interest: Any, model: ClassPredictions, predicted: IntArray, true: IntArray
) -> FloatArray:
    positive = model.code_of(of_interest, name="positive")
    f, y = (predicted == positive).astype(np.float64), (true == positive).astype(np.float64)
    return np.stack([f * y, eta * f + (1 - eta) * y], axis=-1)


class Precision(RatioMeasure):
    """The share of true positives among the predicted positives: the F-measure with η = 1.

    Predicted negatives do not matter for it: the optimal distribution never draws them.

    Parameters
    ----------
    positive : class label
        The class of interest. Label 1 unless given.

    Raises
    ------
    ValueError
        On use, if `positive` is not one of the predictions' classes.

    See Also
    --------
    Recall : The share of the true positives that is found.
    FMeasure : Both in one number.

    References
    ----------
    T, eq. 4.20.

    Examples
    --------
    >>> pool_value(Precision(), model, [0, 0, 1])
    0.5
    """

    summary = "How often the model is right when it says that something is of the class of interest."
    eta: ClassVar[float] = 1.0

    def __init__(self, positive: Any = 1) -> None:
        self.positive, self.name = plain_label(positive), _name_of_f(self.eta, positive)

    def _cells(self, model: ClassPredictions, predicted: IntArray, true: IntArray) -> FloatArray:
        return _cells_of_f(self.eta, self.positive, model, predicted, true)

    def __repr__(self) -> str:
        return f"Precision(positive={self.positive!r})"


class Recall(RatioMeasure):
    """The share of predicted positives among the true positives: the F-measure with η = 0.

    Parameters
    ----------
    positive : class label
        The class of interest. Label 1 unless given.

    Raises
    ------
    ValueError
        On use, if `positive` is not one of the predictions' classes.

    See Also
    --------
    Precision : The share of the predicted positives that is true.
    Specificity : The same for the negatives.
    FMeasure : Recall and precision in one number.

    References
    ----------
    T, eq. 4.19.

    Examples
    --------
    >>> pool_value(Recall(), model, [0, 0, 1])
    1.0
    """

    summary = "How much of the class of interest the model finds."
    eta: ClassVar[float] = 0.0

    def __init__(self, positive: Any = 1) -> None:
        self.positive, self.name = plain_label(positive), _name_of_f(self.eta, positive)

    def _cells(self, model: ClassPredictions, predicted: IntArray, true: IntArray) -> FloatArray:
        return _cells_of_f(self.eta, self.positive, model, predicted, true)

    def __repr__(self) -> str:
        return f"Recall(positive={self.positive!r})"


class Specificity(RatioMeasure):
    """The share of predicted negatives among the true negatives.

    Parameters
    ----------
    positive : class label
        The class of interest; all others are the negatives. Label 1 unless given.

    Raises
    ------
    ValueError
        On use, if `positive` is not one of the predictions' classes.

    See Also
    --------
    Recall : The same for the positives.

    References
    ----------
    T, eq. 3.31 with w = 1 − y: the recall of the negatives.

    Examples
    --------
    >>> pool_value(Specificity(), model, [0, 0, 1])
    0.5
    """

    summary = "How much of everything else the model leaves alone."

    def __init__(self, positive: Any = 1) -> None:
        self.positive = plain_label(positive)
        self.name = "specificity"
        if positive not in (1, True):
            self.name += f" of {class_in_words(self.positive)}"

    def _cells(self, model: ClassPredictions, predicted: IntArray, true: IntArray) -> FloatArray:
        positive = model.code_of(self.positive, name="positive")
        f, y = (predicted != positive).astype(np.float64), (true != positive).astype(np.float64)
        return np.stack([f * y, y], axis=-1)

    def __repr__(self) -> str:
        return f"Specificity(positive={self.positive!r})"


def denominator_spread(table: FloatArray, model: ClassPredictions, q: FloatArray) -> float:
    """Return the largest over the smallest positive weight × denominator of a draw; 1 if there is none.

    `table` has the denominator of each (predicted, true) class.
    """
    greatest = table.max(axis=1)[model.pred_codes]
    least = np.where(table > 0, table, np.inf).min(axis=1)[model.pred_codes]
    possible = (q > 0) & (greatest > 0)
    if not possible.any():
        return 1.0
    return float((greatest[possible] / q[possible]).max() / (least[possible] / q[possible]).min())
