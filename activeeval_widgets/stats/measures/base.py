"""Base classes of measures: each is a function g of the mean of a small vector of statistics z(x, y).

A measure provides the statistics of labeled draws, g and its gradient, and the conditional moments of any
combination of its statistics under a predictive distribution. Instrumental distributions, estimators and
standard errors are computed from these only.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, ClassVar, NamedTuple, Self, TypeVar

import numpy as np

from activeeval_widgets.stats._typing import BoolArray, FloatArray, IntArray
from activeeval_widgets.stats.measures.expectation import Expectation
from activeeval_widgets.stats.predictions.base import Predictions
from activeeval_widgets.stats.predictions.beliefs import Belief

Kind = TypeVar("Kind")

_ROWS = 10_000
"""Number of instances for which statistics of a whole pool are computed at a time."""


class Term(NamedTuple):
    """One model's share in a combination of statistics: the scalar aᵀ z(x, y) for a direction a."""

    predictions: Predictions
    direction: FloatArray


class Moments(NamedTuple):
    """E[s | x] and E[s² | x] of a scalar s(x, y), each of shape (n_instances,)."""

    first: FloatArray
    second: FloatArray


class BandPart(NamedTuple):
    """A risk or a ratio, or two models' difference in a risk, and its share of α for an exact interval."""

    measure: "Measure"
    models: Sequence[Predictions]
    share: float


def _none_settled(lows: FloatArray, highs: FloatArray) -> BoolArray:
    del highs
    return np.zeros(lows.size, dtype=bool)


@dataclass(frozen=True)
class Composition:
    """Several quantities with exact intervals, and the measure as a function of them."""

    parts: tuple[BandPart, ...]
    interval: Callable[[FloatArray, FloatArray], tuple[float, float]]
    """Returns the measure's interval, given the ends of the parts', (n_parts,) each."""
    settled: Callable[[FloatArray, FloatArray], BoolArray] = _none_settled
    """Returns which parts cannot narrow it any more, given the same; by default none."""


class Measure(ABC):
    """A measure G = g(E[z]) of a model's performance (T, eq. 3.31, for ratios; here any smooth g).

    Attributes
    ----------
    predictions_kind : {"class", "value", "ranking"}
        The kind of predictions that the measure takes.
    name, long_name : str
        The measure's name on screen, and with abbreviations spelled out.
    value_range : tuple of float
        The smallest and the largest possible value.
    greater_is_better : bool
    positive : class label, or None
        The class of interest, if there is one.
    is_share : bool
        Whether values are written in percent, differences in percentage points.
    is_risk, is_ratio, is_binary : bool
        Whether the measure is the mean of one statistic, a loss or a gain; the quotient of the means of two,
        0 ≤ numerator ≤ denominator; and the mean of one that is always 0 or 1.
    is_evened : bool
        Whether a share of the draws is by predicted classes (`evened_groups`), with more of rare ones.
    is_alike_in_rows : bool
        Whether statistics depend only on the label and the predicted class, which instances of a row share.
    needs_whole_pool : bool
        Whether statistics of one instance depend on the predictions of all others: they can't share rows.
    parts_count_whole_pool : bool
        Whether statistics, and the intervals of `composition`, are for the whole pool, excluded instances
        included: with all labels the value is that of `of_pool` on the others.
    is_binned : bool
        Whether g(E[z]) is only near the value, as statistics are of bins: at the end `of_pool` gives it.
    is_smooth, has_limit_if_weighted : bool
        Whether an estimate ± its standard error holds in the limit: g has a gradient; and for a fixed q, too.
    n_carrying : float
        How many labels have to carry the variance, if more than elsewhere (`stats.anytime.limit_conditions`).
    needs_range : bool
        Whether labels can make the averaged losses arbitrarily large: an exact interval needs their range.
    base : Measure, or None
        The measure with the same statistics that this one is an increasing function of, and so its interval.
    clip : float, or None
        Larger errors count as this large; None: all count as they are.
    needs_model : bool
        Whether it is for a model, as most are, or for the labels themselves, where a model only saves labels.
    is_of_systems : bool
        Whether models are systems judged side by side: a prediction would then reveal whose answer is whose.
    side_words : tuple of two str
        The labels that prefer the answer shown first, and the one shown second; see `sides`.
    question : str, or None
        The question for each instance; None: by the kind of label.
    sentence : str
        A sentence with places for {name}, {value}, {instances} (plural), and {root}, the value's square root.
    remark : str
        What counts how, in a few words, if the name does not say it; otherwise empty.
    summary : str
        What the measure says, in a sentence for the choice of one.
    aliases : tuple of str
        Names for `measure_named`; unless given, the class's name in lower case with hyphens.
    example_options : sequence of dict
        The options of `examples`, the first of which has only required ones.

    See Also
    --------
    pool_value : A measure of a fully labeled pool.
    estimate : A measure from a few labels.

    Examples
    --------
    >>> measure = FMeasure(positive="spam")
    >>> measure.name, measure.value_range, measure.greater_is_better
    ('F1 of spam', (0.0, 1.0), True)
    """

    predictions_kind: ClassVar[str]
    sentence: str = "The model's {name} is {value}."
    question: str | None = None
    remark: str = ""
    summary: ClassVar[str] = ""
    aliases: ClassVar[tuple[str, ...]] = ()
    example_options: ClassVar[Sequence[Mapping[str, Any]]] = ({},)
    name: str
    value_range: tuple[float, float]
    greater_is_better: bool = True
    positive: Any = None
    is_share: ClassVar[bool] = False
    is_risk: ClassVar[bool] = False
    is_ratio: ClassVar[bool] = False
    is_evened: bool = False
    is_binary: bool = False
    is_binned: ClassVar[bool] = False
    is_smooth: ClassVar[bool] = True
    has_limit_if_weighted: ClassVar[bool] = True
    n_carrying: ClassVar[float] = 0.0
    is_alike_in_rows: ClassVar[bool] = False
    needs_whole_pool: ClassVar[bool] = False
    parts_count_whole_pool: ClassVar[bool] = False
    needs_range: bool = False
    base: "Measure | None" = None
    clip: float | None = None
    needs_model: ClassVar[bool] = True
    is_of_systems: ClassVar[bool] = False
    side_words: ClassVar[tuple[str, str]] = ("First is better", "Second is better")

    @property
    def shares_rows(self) -> bool:
        """Whether instances with nearly equal predictions can share a row, with exact bounds."""
        return not self.needs_whole_pool and (self.is_alike_in_rows or not self.is_ratio)

    @classmethod
    def examples(cls) -> list[Self]:
        """Return a few measures of this class, for the classes 0, 1, 2, that the tests check."""
        return [cls(**options) for options in cls.example_options]

    @property
    def long_name(self) -> str:
        """The name, with abbreviations spelled out."""
        return self.name

    def unit(self, label_unit: str | None = None) -> str:
        """Return what follows a value, with a space before it; `label_unit` is that of numeric labels."""
        del label_unit
        return "%" if self.is_share else ""

    @abstractmethod
    def statistics(self, predictions: Predictions, y_true: Any, draws: IntArray) -> FloatArray:
        """Return z(x, y) of labeled draws.

        Parameters
        ----------
        predictions : Predictions
        y_true : array-like of shape (n_draws,)
        draws : ndarray of shape (n_draws,)
            Indices into the pool.

        Returns
        -------
        ndarray of shape (n_draws, n_statistics)
        """

    @abstractmethod
    def g(self, mean: FloatArray) -> FloatArray:
        """Return the measure, given E[z] of shape (…, n_statistics); shape (…). NaN where undefined."""

    @abstractmethod
    def gradient(self, mean: FloatArray) -> FloatArray:
        """Return the gradient ∇g at E[z], both of shape (…, n_statistics). NaN where g is undefined."""

    def from_base(self, value: float) -> float:
        """Return the measure's value for a value of `base`: an increasing function."""
        return value

    def to_base(self, value: float) -> float:
        """Return the value of `base` for a value of the measure: the inverse of `from_base`."""
        return value

    def introspective_mean(self, predictions: Predictions, belief: Belief) -> FloatArray:
        """Return the pool's average of E[z | x] by `belief`, (n_statistics,); by default of one statistic."""
        first, _ = self.moments([Term(predictions, np.ones(1))], belief, 0.0)
        return np.array([predictions.average(first)])

    def of_pool(self, predictions: Predictions, labels: Any) -> float:
        """Return the value on a fully labeled pool; `pool_value` checks the labels first."""
        n_instances = predictions.n_instances
        total: Any = 0.0
        for start in range(0, n_instances, _ROWS):
            some = np.arange(start, min(start + _ROWS, n_instances))
            total = total + self.statistics(predictions, labels[start : start + _ROWS], some).sum(axis=0)
        return float(self.g(total / n_instances))

    def unevenness(self, predictions: Predictions, mean: FloatArray, share: float) -> float:  # noqa: ARG002
        """Return an upper limit on the distance from g(E[z]) to the value on instances that can be labeled.

        0 except for measures whose statistics depend on an instance's place in the whole pool, or on its bin.

        Parameters
        ----------
        predictions : Predictions
        mean : ndarray of shape (n_statistics,)
            E[z] of the instances that can be labeled.
        share : float
            The share of the pool that can be labeled.
        """
        return 0.0

    def expectation(self, predictions: Predictions, belief: Belief) -> Expectation:
        """Return E[z | x], with labels distributed by `belief`."""
        n_statistics = 1 if self.is_risk else self.introspective_mean(predictions, belief).size
        columns = [
            self.moments([Term(predictions, direction)], belief, 0.0).first
            for direction in np.eye(n_statistics)
        ]
        return Expectation.of(np.stack(columns, axis=1), predictions.counts)

    def robust_alternative(self, predictions: Predictions) -> str:  # noqa: ARG002
        """Return what to ask if a few large losses could decide this mean, after "ask"; "" if they can't."""
        return ""

    def depth(self, n_models: int) -> int | None:  # noqa: ARG002
        """Return how far down the lists of n rankers are judged; None: to their ends, or without lists."""
        return None

    @abstractmethod
    def moments(self, terms: Sequence[Term], belief: Belief, offset: float) -> Moments:
        """Return conditional moments of s(x, y) = Σ aᵀ z(x, y) − offset, summed over `terms`, per instance.

        Second moments are sums of squares: they are never negative, however small.
        """

    def outcomes(
        self, models: Sequence[Predictions], y_range: tuple[float, float] | None
    ) -> Iterator[FloatArray]:
        """Yield statistics of the whole pool, for labels that include each instance's extremes.

        Parameters
        ----------
        models : sequence of one or two Predictions
            Their statistics stand side by side.
        y_range : tuple of float, or None
            The smallest and the largest label, for values.

        Returns
        -------
        iterator of ndarray of shape (n_instances, n_statistics)
        """
        first, *others = models
        everything = np.arange(first.n_instances)
        for labels in first.extreme_labels(y_range, others):
            yield np.concatenate([self.statistics(model, labels, everything) for model in models], axis=1)

    def loss_bounds(
        self, models: Sequence[Predictions], y_range: tuple[float, float] | None
    ) -> tuple[FloatArray, FloatArray]:
        """Return the least and greatest loss of a risk by instance, or difference of two models' losses.

        See `outcomes` for the arguments; both arrays have shape (n_instances,).
        """
        n_instances = models[0].n_instances
        least, greatest = np.full(n_instances, np.inf), np.full(n_instances, -np.inf)
        for z in self.outcomes(models, y_range):
            loss = np.subtract.reduce(z, axis=1)
            np.minimum(least, loss, out=least)
            np.maximum(greatest, loss, out=greatest)
        return least, greatest

    def alike(self, predictions: Predictions, instances: IntArray) -> tuple[IntArray, IntArray]:  # noqa: ARG002
        """Return representatives of instances with the same statistics, whatever the label.

        Returns
        -------
        first : ndarray of int
            The representatives.
        group : ndarray of int of shape (n,)
            The position of each instance's representative in `first`.
        """
        return instances, np.arange(instances.size)

    def range_for(self, predictions: Predictions) -> tuple[float, float]:  # noqa: ARG002
        """Return the smallest and the largest value that the measure can have for these predictions."""
        return self.value_range

    def constant_interval(
        self,
        predictions: Predictions,
        q: FloatArray,
        z: FloatArray,
        value: float,
        confidence_level: float,
    ) -> tuple[float, float]:
        """Return an interval for when no draw deviates from `value`, so that the variance is unknown.

        By default the measure's whole range. `z` are the draws' statistics, (n_draws, n_statistics).
        """
        del q, z, value, confidence_level
        return self.range_for(predictions)

    def composition(self, model: Predictions) -> Composition | None:  # noqa: ARG002
        """Return the quantities with exact intervals that determine the measure's; None for most measures."""
        return None

    def difference_composition(
        self,
        first: Predictions,  # noqa: ARG002
        second: Predictions,  # noqa: ARG002
    ) -> Composition | None:
        """Return the same for the difference of two models, which is 0 where the first part is."""
        return None

    def candidates(self, predictions: Predictions) -> list[tuple[float, "Measure"]]:  # noqa: ARG002
        """Return the thresholds over which this measure is the best, with the measure at each; or none."""
        return []

    def same_statistics(self, first: Predictions, second: Predictions) -> BoolArray:
        """Return where two models have equal statistics whatever the label; bool, (n_instances,)."""
        raise NotImplementedError

    def evened_groups(self, predictions: Predictions) -> tuple[IntArray, FloatArray]:
        """Return each predicted class's group, from 0, and how far a label there can move the measure."""
        raise NotImplementedError

    def can_differ(self, first: Predictions, second: Predictions) -> BoolArray:
        """Return where a label can distinguish two models: elsewhere their difference is always 0.

        By default everywhere; for a risk, where `same_statistics` does not hold. For rows that stand for
        several instances (`Predictions.counts`), whether any of them can; bool, (n_instances,).
        """
        everywhere = np.ones(first.n_instances, dtype=bool)
        if not self.is_risk or (first.members is not None and not self.is_alike_in_rows):
            # In a ratio, errors of both count too, because they increase the denominators.
            return everywhere
        try:
            return ~self.same_statistics(first, second)
        except NotImplementedError:  # measures of users need not implement it
            return everywhere

    def check_range(self, y_range: tuple[float, float] | None) -> None:  # noqa: B027 - most can use one
        """Raise a ValueError that names the remedy if the range of labels does not bound the measure."""

    def unpredicted(self, n_instances: int) -> Predictions:  # noqa: ARG002
        """Return predictions without a model, when the possible labels were not given.

        Raises
        ------
        TypeError, ValueError
            If the measure needs a model, or does not determine the possible labels.
        """
        raise missing_model(self)

    def bound_to(self, models: Sequence[Predictions]) -> "Measure":  # noqa: ARG002
        """Return the measure for the classes of a session's models; itself for most measures."""
        return self

    def sides(self, models: Sequence[Predictions]) -> tuple[Any, Any] | None:  # noqa: ARG002
        """Return, for answers judged side by side, the label that prefers each one; otherwise None.

        Other labels, such as ties, do not distinguish the two.
        """
        return None

    def _expect(self, kind: type[Kind], predictions: Any) -> Kind:
        if self.needs_model and isinstance(predictions, Predictions) and not predictions.is_model:
            raise missing_model(self)
        if not isinstance(predictions, kind):
            raise TypeError(f"{self!r} takes {kind.__name__}, got {_given_for(kind, predictions)}")
        return predictions

    def _repr_html_(self) -> str:
        # The text form stays the call that makes it, because logs store it.
        name = f"{self.long_name[:1].upper()}{self.long_name[1:]}"
        return f"<div><strong>{escape(name)}</strong>. {escape(self.summary)}</div>"

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


def missing_model(measure: Measure) -> TypeError:
    """Return the error of a measure of models for which there are no predictions."""
    return TypeError(
        f"{measure!r} is of a model, but there are no predictions: give the model's as predictions, or "
        "estimate something of the labels themselves (LabelShare, WinRate, MeanValue)"
    )


def max_weight(q: FloatArray) -> float:
    """Return the largest p/q of the instances with q > 0: p/q is largest where q is smallest."""
    return 1 / (q.size * float(q[q > 0].min()))


def ratio(numerator: FloatArray, denominator: FloatArray) -> FloatArray:
    """Return the quotient; NaN, without a warning, where the denominator is not positive."""
    shape = np.broadcast_shapes(np.shape(numerator), np.shape(denominator))
    quotient = np.full(shape, np.nan)
    np.divide(numerator, denominator, out=quotient, where=np.asarray(denominator) > 0)
    return quotient


def ratio_gradient(mean: FloatArray) -> FloatArray:
    """Return the gradient of the quotient of the first mean and the second, (…, 2)."""
    scale = ratio(np.ones(mean.shape[:-1]), mean[..., 1])
    return np.stack([scale, -scale * ratio(mean[..., 0], mean[..., 1])], axis=-1)


def _given_for(kind: type, predictions: Any) -> str:
    """Return the kind of predictions that were given, and a remedy if they may be numbers."""
    are_labels = getattr(predictions, "written_as", "") == "predicted_class"
    may_be_numbers = are_labels and getattr(kind, "label_kind", "") == "number"
    remedy = ": pass ValuePredictions(y_pred), if these are predicted numbers" if may_be_numbers else ""
    return f"{type(predictions).__name__}{remedy}"
