"""A classifier's predictions: class probabilities, and a predicted class."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import softmax

from activeeval_widgets.stats._typing import AnyArray, BoolArray, FloatArray, IntArray
from activeeval_widgets.stats._validation import check_order, index_of
from activeeval_widgets.stats.predictions._class_correction import ClassCorrection
from activeeval_widgets.stats.predictions._class_grid import ClassGrid
from activeeval_widgets.stats.predictions._probabilities import (
    check_logits,
    check_y_proba,
    column_names,
    names_of_logits,
)
from activeeval_widgets.stats.predictions.base import (
    Certainty,
    PredictionDescription,
    Predictions,
    read_only,
    with_other_rows,
)
from activeeval_widgets.stats.predictions.beliefs import ClassBelief
from activeeval_widgets.stats.predictions.class_labels import (
    check_classes,
    code_of,
    codes_of,
    listed,
    rules_of,
)
from activeeval_widgets.stats.predictions.from_dict import array_to_dict, classes_from_dict
from activeeval_widgets.stats.predictions.trial_bets import BetsOnErrors
from activeeval_widgets.stats.predictions.votes import SMOOTHING, counts_of_votes, smoothed_shares
from activeeval_widgets.stats.text import percent

_MAX_KEPT = 4_000_000
"""The largest number of probabilities whose logarithms are cached, to avoid recomputing them for each
label."""


class ClassPredictions(Predictions):
    """A classifier's predictions for every instance of the pool.

    Parameters
    ----------
    y_proba : array-like or DataFrame of shape (n_instances, n_classes)
        p(y | x; model). Each row sums to 1 within 1e-5. A row whose sum differs from 1 by up to 0.01, from
        rounded probabilities, is normalized with a warning.
    classes : array-like of shape (n_classes,), optional
        The class labels, one per column: strings, numbers or booleans, in a list, an array of any type
        (`model.classes_`), or a pandas Index or Categorical. By default the column names if `y_proba` is a
        DataFrame, else 0, 1, ….
    y_pred : array-like of shape (n_instances,), optional
        The predicted labels f(x), if they are not the most probable class (for a threshold other than ½,
        say).
    name : str, optional
        The model's name on screen.
    normalize : bool
        Whether to divide each row by its sum, whatever the sum is.

    Attributes
    ----------
    pred_codes : ndarray of shape (n_instances,)
        f(x) as positions in `classes`.

    Raises
    ------
    ValueError, TypeError
        If a row is not a distribution, or an argument does not fit the others.

    See Also
    --------
    ValuePredictions, RankingPredictions : The other kinds of predictions.

    References
    ----------
    T, 4.2.2: p(y | x; θ), the predictive distribution that replaces p(y | x).

    Examples
    --------
    >>> ClassPredictions([[0.9, 0.1], [0.4, 0.6]], classes=["ham", "spam"]).y_pred
    array(['ham', 'spam'], dtype='<U4')
    """

    kind: ClassVar[str] = "class"
    label_kind: ClassVar[str] = "class"

    voted: BoolArray | None = None
    """Where anyone voted, (n_instances,), for predictions from votes."""

    def __init__(
        self,
        y_proba: ArrayLike,
        classes: ArrayLike | None = None,
        y_pred: ArrayLike | None = None,
        name: str | None = None,
        *,
        normalize: bool = False,
    ) -> None:
        classes = column_names(y_proba) if classes is None else classes
        check_order("y_pred", y_pred, "y_proba", y_proba)
        self.y_proba: FloatArray = read_only(check_y_proba(y_proba, normalize=normalize))
        self.classes: AnyArray = read_only(check_classes(classes, self.y_proba.shape[1]))
        self.name, self.index = name, index_of(y_proba, y_pred)
        self._order: IntArray = np.argsort(self.classes, kind="stable")
        if y_pred is None:
            self.pred_codes: IntArray = read_only(self.y_proba.argmax(axis=1))
        else:
            codes = self.encode(y_pred, name="y_pred")
            if codes.shape != (self.n_instances,):
                raise ValueError(
                    f"y_pred must have one entry per row of y_proba ({self.n_instances}), got {codes.size}"
                )
            self.pred_codes = read_only(codes)

    @classmethod
    def from_logits(
        cls, logits: ArrayLike, classes: ArrayLike | None = None, name: str | None = None
    ) -> Self:
        """Create predictions from a network's logits by the softmax, or from a single logit by the logistic.

        Parameters
        ----------
        logits : array-like of shape (n_instances, n_classes) or (n_instances,)
            The last layer's output before the softmax; a single column is that of the second of two classes.
        classes, name
            As for `ClassPredictions`.

        Examples
        --------
        >>> ClassPredictions.from_logits([[0.0, 2.0], [1.0, 0.0]]).y_proba.round(2).tolist()
        [[0.12, 0.88], [0.73, 0.27]]
        >>> ClassPredictions.from_logits([2.0, -1.0], classes=["ham", "spam"]).y_pred.tolist()
        ['spam', 'ham']
        """
        classes = names_of_logits(logits) if classes is None else classes
        made = cls(softmax(check_logits(logits), axis=1), classes=classes, name=name)
        made.index = index_of(logits)
        return made

    @classmethod
    def from_votes(
        cls,
        votes: ArrayLike | Sequence[Sequence[Any]],
        classes: ArrayLike | None = None,
        y_pred: ArrayLike | None = None,
        name: str | None = None,
        *,
        smoothing: float = SMOOTHING,
    ) -> Self:
        """Create predictions from the votes of several judges, such as language models that judge answers.

        p(y | x) = (votes for y + s)/(votes + s k), with k classes and the smoothing s: a class without votes
        is not impossible. Without a vote, p(y | x) is the average of the others. Votes guide draws, but
        estimates do not use them as a control variate like a model's probabilities, because judges can all be
        wrong in the same way.

        Parameters
        ----------
        votes : array-like or DataFrame of shape (n_instances, n_judges)
            A class for each instance and judge; None or NaN for no verdict.
        classes, name
            As for `ClassPredictions`; by default the classes of `votes` and `y_pred`, sorted.
        y_pred : array-like of shape (n_instances,), optional
            The verdicts to evaluate, for example those of one judge, whose votes are then better left out of
            `votes`. By default the class with the most votes, the first of several.
        smoothing : float
            The number s of votes that is added for each class; 1 is Laplace's rule of succession.

        See Also
        --------
        PredictedClasses : The verdicts of one judge, without votes.

        Examples
        --------
        >>> votes = [["A", "A", "B"], ["B", None, None]]
        >>> judged = ClassPredictions.from_votes(votes, y_pred=["A", "A"])
        >>> judged.y_proba.round(3).tolist(), judged.y_pred.tolist()
        ([[0.6, 0.4], [0.333, 0.667]], ['A', 'A'])
        """
        counts, known = counts_of_votes(votes, classes, y_pred)
        made = cls(smoothed_shares(counts, smoothing), known, y_pred, name)
        made.assists, made.voted, made.index = False, counts.sum(axis=1) > 0, index_of(votes, y_pred)
        return made

    @property
    def n_instances(self) -> int:
        """The number of instances in the pool, m."""
        return int(self.y_proba.shape[0])

    @property
    def n_classes(self) -> int:
        """The number of classes."""
        return int(self.y_proba.shape[1])

    @property
    def y_pred(self) -> AnyArray:
        """The predicted labels, of shape (n_instances,)."""
        return np.asarray(self.classes[self.pred_codes])

    @property
    def confidence(self) -> FloatArray:
        """p(f(x) | x; model), of shape (n_instances,)."""
        return np.take_along_axis(self.y_proba, self.pred_codes[:, np.newaxis], axis=1)[:, 0]

    @property
    def _shares(self) -> FloatArray:
        """The expected share of each class in the pool, (n_classes,)."""
        if "shares" not in self._kept:
            self._kept["shares"] = self.average(self.y_proba)
        return np.asarray(self._kept["shares"])

    def encode(self, labels: ArrayLike, *, name: str = "y_true") -> IntArray:
        """Return labels, (n,), as positions in `classes`, of type intp.

        Raises
        ------
        ValueError
            If a label is not one of `classes`; the message names the first such label of the argument `name`.
        """
        return codes_of(labels, self.classes, self._order, name)

    def code_of(self, label: Any, *, name: str) -> int:
        """Return the position of one label in `classes`, or raise a ValueError."""
        return code_of(label, self.classes, name)

    def check_labels(self, y_true: Any, n_labels: int, expected: str) -> AnyArray:
        """Validate labels and return an array of shape (n_labels,)."""
        return self._label_array(y_true, n_labels, expected)

    def is_comparable_with(self, other: Predictions) -> bool:
        """See the base; probabilities can be compared with predicted classes without probabilities."""
        if type(other) is type(self):
            return True
        return isinstance(other, ClassPredictions) and self.is_model and other.is_model

    def mismatch(self, other: Self) -> tuple[str, str] | None:
        """Return both models' classes, if they differ."""
        if np.array_equal(self.classes, other.classes):
            return None
        return f"the classes {listed(self.classes)}", f"the classes {listed(other.classes)}"

    def belief(self, others: Sequence[Self]) -> ClassBelief:
        """Return the equal mixture of the models' class probabilities (T, eq. 5.11)."""
        if not others:
            return ClassBelief(self.classes, self.y_proba)
        total = self.y_proba.copy()
        for other in others:
            total += other.y_proba
        total /= 1 + len(others)
        return ClassBelief(self.classes, total)

    def corrected(
        self,
        others: Sequence[Self],
        draws: IntArray,
        y_true: Any,
        *,
        positive: Any = None,
        with_labels: bool = False,
    ) -> ClassBelief:
        """Return the probabilities, corrected by labels; see `ClassCorrection`."""
        models = [self, *others]
        probas, predicted = [model.y_proba for model in models], [model.pred_codes for model in models]
        of_interest = None if positive is None else self.code_of(positive, name="positive")
        shares = np.mean([model._shares for model in models], axis=0)
        # Only for a single model: for all pairs of many, a cache costs more memory than it saves time.
        kept = self._kept if not others and self.y_proba.size <= _MAX_KEPT else None
        correction = ClassCorrection(self.classes, probas, predicted, of_interest, shares, kept)
        # A label says nothing final about a row that stands for many instances.
        with_labels = with_labels and self.counts is None
        return correction.fitted(draws, self.encode(y_true), with_labels=with_labels)

    def extreme_labels(
        self,
        y_range: tuple[float, float] | None,  # noqa: ARG002
        others: Sequence[Self] = (),  # noqa: ARG002
    ) -> Iterator[AnyArray]:
        """Yield each class, for all instances."""
        return self.counting_labels(np.arange(self.n_instances))

    def counting_labels(self, instances: IntArray) -> Iterator[AnyArray]:
        """Yield each class, for all of the instances."""
        for label in self.classes:
            yield np.full(instances.size, label)

    def rules(self, others: Sequence[Self], positive: Any = None) -> list[Callable[[IntArray], AnyArray]]:
        """Return the predicted class as a rule; where models differ, the more probable one on average."""
        codes = self.pred_codes
        if others:
            [other] = others
            mean = self.y_proba + other.y_proba
            codes = np.where(codes == other.pred_codes, codes, mean.argmax(axis=1))
        if positive is None:
            return [lambda where: self.classes[codes[where]]]
        return rules_of(self.classes, codes, self.code_of(positive, name="positive"))

    def trial_bets(self) -> BetsOnErrors:
        """Return bets on errors; see `Predictions.trial_bets`."""
        return BetsOnErrors(self.pred_codes, self.y_proba, self.encode)

    @property
    def label_values(self) -> AnyArray:
        """The classes."""
        return self.classes

    @property
    def certainty(self) -> Certainty:
        """The probability of the predicted class."""
        return Certainty(np.clip(self.confidence, 0, 1), "confidence", is_share=True)

    @property
    def arrays(self) -> tuple[AnyArray, ...]:
        """Probabilities, classes, and positions of the predicted classes."""
        return self.y_proba, self.classes, self.pred_codes

    def is_wrong(self, instances: IntArray, y_true: Any) -> BoolArray:
        """Return where the label is not the predicted class; see `Predictions.is_wrong`."""
        return np.asarray(self.pred_codes[instances] != self.encode(y_true))

    def predicts_positive(self, positive: Any) -> BoolArray | None:
        """See `Predictions.predicts_positive`."""
        found: BoolArray = self.pred_codes == self.code_of(positive, name="positive")
        return found

    def differs(self, other: Self) -> BoolArray:
        """Return where another model predicts another class; see `Predictions.differs`."""
        found: BoolArray = self.pred_codes != other.pred_codes
        return found

    def of_instances(self, instances: IntArray) -> Self:
        """See the base."""
        y_pred = self.classes[self.pred_codes[instances]]
        made = type(self)(self.y_proba[instances], self.classes, y_pred, self.name)
        made.assists = self.assists
        return made

    shares_rows: ClassVar[bool] = True

    def part(self, rows: slice | IntArray) -> Self:
        """See the base."""
        made = with_other_rows(self)
        made.y_proba, made.pred_codes = self.y_proba[rows], self.pred_codes[rows]
        made.voted = None if self.voted is None else self.voted[rows]
        return made

    def elsewhere(self, array: Callable[[str, tuple[int, ...], Any], Any]) -> Self:
        """See the base."""
        made = with_other_rows(self)
        made.y_proba = array("y_proba", (self.n_classes,), np.float64)
        made.pred_codes = array("pred_codes", (), np.intp)
        return made

    def grid(self, others: Sequence[Self]) -> ClassGrid:
        """See the base; the result does not depend on the sample."""
        return ClassGrid.of(self.n_classes, 1 + len(others))

    def to_dict(self) -> dict[str, Any]:
        """Return probabilities, classes with their type, and predicted positions unless most probable."""
        is_most_probable = np.array_equal(self.pred_codes, self.y_proba.argmax(axis=1))
        return {
            "kind": self.kind,
            "name": self.name,
            "classes": array_to_dict(self.classes),
            "y_proba": self.y_proba.tolist(),
            "predicted": None if is_most_probable else self.pred_codes.tolist(),
            **({} if self.assists else {"assists": False}),
        }

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> Self:
        """Return the predictions that `to_dict` wrote."""
        classes, y_pred = classes_from_dict(record)
        made = cls(record["y_proba"], classes, y_pred, record["name"])
        made.assists = record.get("assists", True)
        return made

    def describe(self, instance: int) -> PredictionDescription:
        """Return the predicted class, and its probability if the model gives one; see the base."""
        code = self.pred_codes[instance]
        label = self.classes[code]
        if not self.promises:
            return PredictionDescription(str(label), str(label), f"says {label}", {"prediction": label})
        confidence = float(self.y_proba[instance, code])
        in_short = f"{label} ({percent(confidence, 0)})"
        record = {"prediction": label, "confidence": confidence}
        return PredictionDescription(str(label), in_short, f"says {in_short}", record)

    def _repr_details(self) -> str:
        return f", {self.n_classes:,} classes"
