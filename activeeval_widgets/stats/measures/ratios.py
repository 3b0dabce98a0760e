"""Measures of classifiers that are a ratio of two means: F-measures, precision, recall, specificity."""

from typing import Any, ClassVar, Self

import numpy as np

from activeeval_widgets.stats._typing import FloatArray, IntArray
from activeeval_widgets.stats._validation import check_fraction, check_positive
from activeeval_widgets.stats.measures.generalized_risks import RatioMeasure
from activeeval_widgets.stats.predictions.class_labels import class_in_words, plain_label
from activeeval_widgets.stats.predictions.classes import ClassPredictions


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

    summary = "How much of everything else the model does not take for the class of interest."

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
