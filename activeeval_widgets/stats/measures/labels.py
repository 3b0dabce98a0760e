"""Measures of the labels themselves: they need no model, but a model saves labels."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from activeeval_widgets.stats._typing import BoolArray, FloatArray, IntArray
from activeeval_widgets.stats.measures.base import Moments, Term
from activeeval_widgets.stats.measures.risks import Risk
from activeeval_widgets.stats.measures.tables import TableMeasure
from activeeval_widgets.stats.predictions.base import Predictions
from activeeval_widgets.stats.predictions.beliefs import Belief, GaussianMixture
from activeeval_widgets.stats.predictions.class_labels import class_in_words, plain_label
from activeeval_widgets.stats.predictions.classes import ClassPredictions
from activeeval_widgets.stats.predictions.unpredicted import UnpredictedClasses, UnpredictedValues
from activeeval_widgets.stats.predictions.values import ValuePredictions
from activeeval_widgets.stats.text import with_blank

_PASSING = ("pass", "passed", "correct")
"""Labels whose share is called a pass rate."""

BOTH_BAD = "both bad"
"""A label that counts as a tie by default."""


class LabelShare(Risk, TableMeasure):
    """The share of instances with a label: a pass rate, a prevalence, how often answers are harmful.

    It is for the labels themselves, so no model is needed. A model with class probabilities saves labels: it
    shows which labels are most informative, and predicts the missing ones.

    Parameters
    ----------
    positive : class label
        The label to count.

    Raises
    ------
    ValueError
        On use, if `positive` is not one of the classes.

    See Also
    --------
    WinRate : For comparisons, where ties count half.
    MeanValue : For labels that are numbers.
    UnpredictedClasses : Replaces the predictions if there is no model.

    References
    ----------
    T, eq. 4.6 with ℓ = [y is positive]; Särndal, Swensson & Wretman, *Model Assisted Survey Sampling*, 1992.

    Examples
    --------
    >>> pool_value(LabelShare("spam"), UnpredictedClasses(["spam", "ham"], 4), ["ham", "spam", "ham", "ham"])
    0.25
    """

    summary = "How many instances have a label: a pass rate, a prevalence. It needs no model."
    sentence = "The {name} among the {instances} is {value}."
    value_range = (0.0, 1.0)
    is_share = True
    is_binary = True
    greater_is_better = True
    needs_model: ClassVar[bool] = False
    example_options = ({"positive": 1}, {"positive": 0})

    def __init__(self, positive: Any) -> None:
        self.positive = plain_label(positive)
        passes = str(self.positive).casefold() in _PASSING
        self.name = "pass rate" if passes else f"share of {class_in_words(self.positive, 'label')}"

    def _cells(self, model: ClassPredictions, predicted: IntArray, true: IntArray) -> FloatArray:  # noqa: ARG002
        is_positive = true == model.code_of(self.positive, name="positive")
        return np.asarray(is_positive, dtype=np.float64)[:, np.newaxis]

    def unpredicted(self, n_instances: int) -> Predictions:
        """Return labels that are `positive` or not; see `Measure.unpredicted`."""
        label = self.positive
        if isinstance(label, str):
            return UnpredictedClasses([label, f"not {label}"], n_instances)
        if isinstance(label, bool):
            return UnpredictedClasses([True, False], n_instances)
        if label in (0, 1):
            return UnpredictedClasses([1, 0], n_instances)
        raise ValueError(f"positive is {label!r}: give all possible labels, as classes=[{label!r}, …]")

    def __repr__(self) -> str:
        return f"LabelShare({self.positive!r})"


class WinRate(Risk, TableMeasure):
    """How often one of two is preferred in comparisons, with ties counted half.

    Labels say which of two answers is better, where one is `positive` and the other any label, or that they
    are equally good, or both bad.

    Parameters
    ----------
    positive : class label
        The label that means a win.
    tie : class label, sequence or mapping
        The label for equally good answers, which need not occur. If it is "tie", "both bad" counts as a tie,
        too. Or a sequence of labels that all count half, or a mapping from label to what it counts, from 0 to
        1: `{"tie": 0.5, "both bad": 0}`.

    Raises
    ------
    ValueError
        On use, if `positive` is not one of the classes, or there are other classes than a win, a loss and a
        tie.

    See Also
    --------
    LabelShare : Only wins.
    UnpredictedClasses : Replaces the predictions if there is no judge model.

    References
    ----------
    T, eq. 4.6 with a gain of 1, ½ or 0; Särndal, Swensson & Wretman, *Model Assisted Survey Sampling*, 1992.

    Examples
    --------
    >>> pool_value(WinRate(), UnpredictedClasses(["A", "tie", "B"], 4), ["A", "tie", "B", "B"])
    0.375
    >>> labels = UnpredictedClasses(["A", "tie", "both bad", "B"], 4)
    >>> pool_value(WinRate(), labels, ["A", "tie", "both bad", "B"])
    0.5
    >>> pool_value(WinRate(tie={"tie": 0.5, "both bad": 0}), labels, ["A", "tie", "both bad", "B"])
    0.375
    """

    summary = "How often one of two answers is preferred, ties counted half. It needs no model."
    sentence = "The {name} over the {instances} is {value}; ties count half."
    question = "Which one is better?"
    value_range = (0.0, 1.0)
    is_share = True
    greater_is_better = True
    needs_model: ClassVar[bool] = False
    example_options = ({"positive": 1, "tie": 2}, {"positive": 2, "tie": 0})

    def __init__(self, positive: Any = "A", tie: Any = "tie") -> None:
        self.positive = plain_label(positive)
        self.tie, self._worth = _ties(tie)
        if self.positive in self._worth:
            raise ValueError(f"positive and tie are both {self.positive!r}, expected two labels")
        self.name = f"win rate of {self.positive}"
        self._describe_ties(self._worth)

    def _cells(self, model: ClassPredictions, predicted: IntArray, true: IntArray) -> FloatArray:  # noqa: ARG002
        classes = model.classes.tolist()
        self.loss_among(classes)
        worth = np.array([1.0 if c == self.positive else self._worth.get(c, 0.0) for c in classes])
        return worth[true][:, np.newaxis]

    def loss_among(self, classes: Sequence[Any]) -> Any:
        """Return the label for a loss: the remaining one.

        Raises
        ------
        ValueError
            If these are not a win, a loss and ties.
        """
        others = [label for label in classes if label != self.positive and label not in self._worth]
        if self.positive not in classes or len(others) != 1:
            raise ValueError(
                f"{self!r} needs the labels {self.positive!r}, {self.tie!r} and one other for a loss; "
                f"the classes are {list(classes[:20])!r}. Name what means a win and a tie: "
                "WinRate(positive=…, tie=…)"
            )
        return others[0]

    def sides(self, models: Sequence[Predictions]) -> tuple[Any, Any] | None:
        """Return the labels for a win and a loss; see `Measure.sides`."""
        [first, *_] = models
        classes = first.label_values
        return None if classes is None else (self.positive, self.loss_among(classes.tolist()))

    def _describe_ties(self, worth: Mapping[Any, float]) -> None:
        self.remark = _ties_in_words(worth)
        self.sentence = f"The {{name}} over the {{instances}} is {{value}}; {self.remark}."

    def bound_to(self, models: Sequence[Predictions]) -> "WinRate":
        """Return it with a sentence on the ties that can occur; see `Measure.bound_to`."""
        [first, *_] = models
        classes = first.classes.tolist() if isinstance(first, ClassPredictions) else []
        bound = WinRate(self.positive, self.tie)
        there = {label: worth for label, worth in self._worth.items() if label in classes}
        bound._describe_ties(there or self._worth)
        return bound

    def unpredicted(self, n_instances: int) -> Predictions:
        """Return a win, ties, and "B" for a loss; see `Measure.unpredicted`."""
        ties = [self.tie] if isinstance(self.tie, str) else list(self._worth)
        if self.positive != "A" or "B" in ties or not all(isinstance(label, str) for label in ties):
            raise ValueError(
                f"positive is {self.positive!r}: give all possible labels, "
                f"as classes=[{self.positive!r}, {self.tie!r}, …]"
            )
        return UnpredictedClasses(["A", *ties, "B"], n_instances)

    def __repr__(self) -> str:
        return f"WinRate(positive={self.positive!r}, tie={self.tie!r})"


def _ties(tie: Any) -> tuple[Any, dict[Any, float]]:
    """Return the labels that prefer neither answer, as given, and what each counts."""
    if isinstance(tie, Mapping):
        worth = {plain_label(label): float(value) for label, value in tie.items()}
        for label, value in worth.items():
            if not 0 <= value <= 1:
                raise ValueError(f"tie[{label!r}] is {value!r}, expected a number from 0 to 1")
        return worth, worth
    if isinstance(tie, list | tuple):
        labels = tuple(plain_label(label) for label in tie)
        return labels, dict.fromkeys(labels, 0.5)
    label = plain_label(tie)
    return label, dict.fromkeys([label, BOTH_BAD] if label == "tie" else [label], 0.5)


def _ties_in_words(worth: Mapping[Any, float]) -> str:
    """Return in words what ties count."""
    half = [str(label) for label, value in worth.items() if value == 0.5]
    parts = []
    if half and all(label in ("tie", "ties") for label in half):
        parts.append("ties count half")
    elif half:
        parts.append(f"{' and '.join(half)} count{'s' if len(half) == 1 else ''} half")
    parts += [f"{label} counts {value:g}" for label, value in worth.items() if value != 0.5]
    return ", ".join(parts) or "there are no ties"


class MeanValue(Risk):
    """The mean of labels that are numbers: a rating, a price, a duration.

    It is for the labels themselves, so no model is needed. A model that predicts them saves labels. The
    confidence sequence is exact if `y_range` limits the labels.

    See Also
    --------
    LabelShare : For labels that are classes.
    UnpredictedValues : Replaces the predictions if there is no model.

    References
    ----------
    T, eq. 4.6 with ℓ = y; Särndal, Swensson & Wretman, *Model Assisted Survey Sampling*, 1992.

    Examples
    --------
    >>> pool_value(MeanValue(), UnpredictedValues(3), [1.0, 2.0, 6.0])
    3.0
    """

    predictions_kind = "value"
    summary = "The mean of the labels themselves. It needs no model."
    aliases = ("mean-value", "mean-label")
    name = "mean label"
    sentence = "The mean of the labels of all {instances} is {value}."
    value_range = (-np.inf, np.inf)
    greater_is_better = True
    needs_model: ClassVar[bool] = False
    needs_range = True

    def unit(self, label_unit: str | None = None) -> str:
        """Return the unit of the labels; see `Measure.unit`."""
        return with_blank(label_unit)

    def statistics(self, predictions: Predictions, y_true: Any, draws: IntArray) -> FloatArray:
        """Return z of labeled draws; see `Measure.statistics`."""
        model = self._expect(ValuePredictions, predictions)
        return model.check_labels(y_true, draws.size, f"{draws.size} draws")[:, np.newaxis]

    def introspective_mean(self, predictions: Predictions, belief: Belief) -> FloatArray:
        """Return the pool's E[z]; see `Measure.introspective_mean`."""
        model = self._expect(ValuePredictions, predictions)
        means = self._expect(GaussianMixture, belief).means
        return np.array([model.average(means.mean(axis=0))])

    def moments(self, terms: Sequence[Term], belief: Belief, offset: float) -> Moments:
        """Return conditional moments; see `Measure.moments`."""
        scale = float(sum(term.direction[0] for term in terms))
        means, variances = self._expect(GaussianMixture, belief).known()
        first = scale * means - offset
        second = (first**2 + scale**2 * variances).mean(axis=0)
        return Moments(first.mean(axis=0), second)

    def unpredicted(self, n_instances: int) -> Predictions:
        """Return labels that are numbers; see `Measure.unpredicted`."""
        return UnpredictedValues(n_instances)

    def same_statistics(self, first: Predictions, second: Predictions) -> BoolArray:  # noqa: ARG002
        """Return True everywhere, because models make no difference."""
        return np.ones(first.n_instances, dtype=bool)
