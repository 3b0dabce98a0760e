"""A classifier's predictions: class probabilities, and a predicted class."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from functools import partial
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import softmax

from activeeval_widgets.stats._typing import AnyArray, BoolArray, FloatArray, IntArray
from activeeval_widgets.stats._validation import check_float_array
from activeeval_widgets.stats.predictions._class_correction import ClassCorrection
from activeeval_widgets.stats.predictions._class_grid import ClassGrid
from activeeval_widgets.stats.predictions._probabilities import check_y_proba, column_names
from activeeval_widgets.stats.predictions.base import Certainty, Predictions, read_only
from activeeval_widgets.stats.predictions.beliefs import ClassBelief
from activeeval_widgets.stats.predictions.buckets import Alike
from activeeval_widgets.stats.predictions.class_labels import as_labels, check_classes, kind_of, plain_label
from activeeval_widgets.stats.predictions.from_dict import array_from_dict, array_to_dict
from activeeval_widgets.stats.predictions.trial_bets import BetsOnErrors
from activeeval_widgets.stats.predictions.votes import SMOOTHING, shares_of_votes
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

    def __init__(
        self,
        y_proba: ArrayLike,
        classes: ArrayLike | None = None,
        y_pred: ArrayLike | None = None,
        name: str | None = None,
        *,
        normalize: bool = False,
    ) -> None:
        if classes is None:
            classes = column_names(y_proba)
        self.y_proba: FloatArray = read_only(check_y_proba(y_proba, normalize=normalize))
        self.classes: AnyArray = read_only(check_classes(classes, self.y_proba.shape[1]))
        self.name = name
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
            The last layer's output before the softmax: finite numbers. With shape (n_instances,) or
            (n_instances, 1), the logit of the second of two classes.
        classes : array-like of shape (n_classes,), optional
            The class labels; by default 0, 1, ….
        name : str, optional
            The model's name on screen.

        Returns
        -------
        ClassPredictions

        Raises
        ------
        ValueError, TypeError
            If logits are not finite numbers of such a shape, or the classes do not fit.

        Examples
        --------
        >>> ClassPredictions.from_logits([[0.0, 2.0], [1.0, 0.0]]).y_proba.round(2).tolist()
        [[0.12, 0.88], [0.73, 0.27]]
        >>> ClassPredictions.from_logits([2.0, -1.0], classes=["ham", "spam"]).y_pred.tolist()
        ['spam', 'ham']
        """
        shape = "(n_instances, n_classes) or (n_instances,)"
        array = np.asarray(logits)
        given = check_float_array("logits", array, ndim=2 if array.ndim == 2 else 1, shape=shape)
        if given.ndim == 1 or given.shape[1] == 1:
            given = np.column_stack([np.zeros(len(given)), given.ravel()])
        return cls(softmax(given, axis=1), classes=classes, name=name)

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
        is not taken to be impossible. Labels show how often judges are right. Votes guide draws and stand in
        for missing labels, but estimates do not use them as a control variate like a model's probabilities
        (`estimate_adaptive`), because judges can all be wrong in the same way.

        Parameters
        ----------
        votes : array-like or DataFrame of shape (n_instances, n_judges)
            A class for each instance and judge; None or NaN for no verdict.
        classes : array-like of shape (n_classes,), optional
            All class labels, at least two; by default those of `votes` and `y_pred`, sorted.
        y_pred : array-like of shape (n_instances,), optional
            The verdicts to evaluate, for example those of one judge, whose votes are then better left out of
            `votes`. By default the class with the most votes, the first of several.
        name : str, optional
            The judge's name on screen.
        smoothing : float
            The number s of votes that is added for each class; 1 is Laplace's rule.

        Returns
        -------
        ClassPredictions

        Raises
        ------
        ValueError, TypeError
            If a vote is none of the classes, there is only one class, or shapes do not fit.

        See Also
        --------
        PredictedClasses : The verdicts of one judge, without votes.

        References
        ----------
        Laplace's rule of succession: the posterior mean of shares under a uniform prior.

        Examples
        --------
        >>> votes = [["A", "A", "B"], ["B", None, None]]
        >>> judged = ClassPredictions.from_votes(votes, y_pred=["A", "A"])
        >>> judged.y_proba.round(3).tolist(), judged.y_pred.tolist()
        ([[0.6, 0.4], [0.333, 0.667]], ['A', 'A'])
        """
        shares, known = shares_of_votes(votes, classes, y_pred, smoothing)
        made = cls(shares, known, y_pred, name)
        made.assists = False
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
        predicted: AnyArray = self.classes[self.pred_codes]
        return predicted

    @property
    def confidence(self) -> FloatArray:
        """p(f(x) | x; model), of shape (n_instances,)."""
        column: IntArray = self.pred_codes[:, np.newaxis]
        return np.take_along_axis(self.y_proba, column, axis=1)[:, 0]

    @property
    def _shares(self) -> FloatArray:
        """The expected share of each class in the pool, (n_classes,)."""
        if "shares" not in self._kept:
            self._kept["shares"] = self.average(self.y_proba)
        return np.asarray(self._kept["shares"])

    def encode(self, labels: ArrayLike, *, name: str = "y_true") -> IntArray:
        """Return labels as positions in `classes`.

        Parameters
        ----------
        labels : array-like of shape (n,)
            Class labels.
        name : str
            The argument's name, for the error message.

        Returns
        -------
        ndarray of shape (n,), dtype intp

        Raises
        ------
        ValueError
            If a label is not one of `classes`; the message names the first such label.
        """
        given = as_labels(labels)
        if given.ndim != 1:
            raise ValueError(f"{name} must have shape (n,), got an array of shape {given.shape}")
        if given.size == 0:
            return np.empty(0, dtype=np.intp)
        expected = f"expected one of the classes {self._listed()}"
        kinds = ("string",) if self.classes.dtype.kind == "U" else ("bool", "number")
        mixed = given.dtype.kind == "O"
        for where, label in enumerate(given.tolist() if mixed else given[:1].tolist()):
            if kind_of(type(label)) not in kinds:
                raise ValueError(f"{name}[{where}] is {label!r}, {expected}")
        if mixed:  # booleans among numbers
            given = np.array(given.tolist())
        sorted_classes = self.classes[self._order]
        position = np.minimum(np.searchsorted(sorted_classes, given), self.n_classes - 1)
        unknown = sorted_classes[position] != given
        if unknown.any():
            where = int(np.argmax(unknown))
            raise ValueError(f"{name}[{where}] is {given[where].item()!r}, {expected}")
        codes: IntArray = self._order[position]
        return codes

    def code_of(self, label: Any, *, name: str) -> int:
        """Return the position of one label in `classes`.

        Raises
        ------
        ValueError
            If it is not one of them.
        """
        plain = plain_label(label)
        found = [code for code, known in enumerate(self.classes.tolist()) if known == plain]
        if not found:
            raise ValueError(f"{name} is {label!r}, expected one of the classes {self._listed()}")
        return found[0]

    def check_labels(self, y_true: Any, n_labels: int, expected: str) -> AnyArray:
        """Validate labels and return an array of shape (n_labels,)."""
        return self._label_array(y_true, n_labels, expected)

    def goes_with(self, other: Predictions) -> bool:
        """See the base; probabilities can be compared with predicted classes without probabilities."""
        if type(other) is type(self):
            return True
        return isinstance(other, ClassPredictions) and self.is_model and other.is_model

    def mismatch(self, other: Self) -> tuple[str, str] | None:
        """Return both models' classes, if they differ."""
        if np.array_equal(self.classes, other.classes):
            return None
        return f"the classes {self._listed()}", f"the classes {other._listed()}"

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
        """Return the predicted class as a rule and, given a class of interest, also its opposite.

        The opposite applies where the class of interest is predicted, where it is not, or both. Where models
        differ, the class with the largest mean probability counts as predicted.
        """
        codes = self.pred_codes
        if others:
            [other] = others
            mean = self.y_proba + other.y_proba
            codes = np.where(codes == other.pred_codes, codes, mean.argmax(axis=1))
        if positive is None:
            return [lambda where: self.classes[codes[where]]]
        of_interest = self.code_of(positive, name="positive")
        another = int(of_interest == 0)

        def labels(where: IntArray, if_positive: int, if_another: int | None) -> AnyArray:
            expected = codes[where]
            is_positive = expected == of_interest
            unlike = expected if if_another is None else if_another
            found: AnyArray = self.classes[np.where(is_positive, if_positive, unlike)]
            return found

        return [
            partial(labels, if_positive=if_positive, if_another=if_another)
            for if_positive in (of_interest, another)
            for if_another in (None, of_interest)
        ]

    def trial_bets(self) -> BetsOnErrors:
        """Return bets on errors; see `Predictions.trial_bets`."""
        return BetsOnErrors(self)

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
        wrong: BoolArray = self.pred_codes[instances] != self.encode(y_true)
        return wrong

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
        made = copy(self)
        made.y_proba, made.pred_codes = self.y_proba[rows], self.pred_codes[rows]
        return made

    def elsewhere(self, array: Callable[[str, tuple[int, ...], Any], Any]) -> Self:
        """See the base."""
        made = copy(self)
        made.y_proba = array("y_proba", (self.n_classes,), np.float64)
        made.pred_codes = array("pred_codes", (), np.intp)
        return made

    def grid(self, others: Sequence[Self]) -> ClassGrid:
        """See the base; the result does not depend on the sample."""
        return ClassGrid.of(self.n_classes, 1 + len(others))

    def alike(self, others: Sequence[Self], grid: ClassGrid, positive: Any = None) -> list[Alike]:
        """Compare the predicted class, and roughly its and other classes' probabilities; see the base."""
        code = None if positive is None else self.code_of(positive, name="positive")
        found = [grid.alike(model.y_proba, model.pred_codes, code) for model in (self, *others)]
        return [each for of_model in found for each in of_model]

    def as_whole_numbers(self, grid: ClassGrid) -> IntArray:  # noqa: ARG002
        """Return the position of the predicted class, and probabilities in units of 2⁻³⁰; see the base."""
        return np.column_stack([self.pred_codes, np.rint(self.y_proba * 2.0**30).astype(np.int64)])

    def from_whole_numbers(self, means: FloatArray, ends: IntArray, grid: ClassGrid) -> Self:  # noqa: ARG002
        """See the base."""
        made = copy(self)
        made.y_proba = read_only(means[:, 1:] / means[:, 1:].sum(axis=1, keepdims=True))
        made.pred_codes = read_only(means[:, 0].astype(np.intp))
        return made

    def to_dict(self) -> dict[str, Any]:
        """Return probabilities by row, classes with their type, and predicted positions; see the base.

        Positions are left out if the predicted class is the most probable one throughout.
        """
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
        classes, y_pred = cls._classes_from(record)
        made = cls(record["y_proba"], classes, y_pred, record["name"])
        made.assists = record.get("assists", True)
        return made

    @staticmethod
    def _classes_from(record: Mapping[str, Any]) -> tuple[AnyArray, AnyArray | None]:
        """Return the classes, and the predicted ones if they were written."""
        classes, codes = array_from_dict(record["classes"]), record["predicted"]
        if codes is None:
            return classes, None
        if not all(type(code) is int and 0 <= code < classes.size for code in codes):
            raise ValueError(f"a predicted class has no position from 0 to {classes.size - 1}")
        return classes, classes[codes]

    def predicts(self, instance: int) -> str:
        """Return the predicted class, and its probability if the model gives one."""
        # Reads only this instance: plots ask for hundreds, from pools of any size.
        if not self.promises:
            return self.prediction_text(instance)
        code = self.pred_codes[instance]
        return f"{self.classes[code]} ({percent(self.y_proba[instance, code], 0)})"

    def prediction_text(self, instance: int) -> str:
        """Return the predicted class."""
        return str(self.classes[self.pred_codes[instance]])

    def prediction_record(self, instance: int) -> dict[str, Any]:
        """Return the predicted class, and its probability as "confidence" if the model gives one."""
        code = self.pred_codes[instance]
        found = {"prediction": self.classes[code]}
        return found | ({"confidence": float(self.y_proba[instance, code])} if self.promises else {})

    def _listed(self) -> str:
        shown = [repr(label) for label in self.classes[:20].tolist()]
        return "[" + ", ".join(shown) + (", …]" if self.n_classes > 20 else "]")

    def _repr_details(self) -> str:
        return f", {self.n_classes:,} classes"
