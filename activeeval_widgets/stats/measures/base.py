"""What is estimated: each measure is a function g of the mean of a small vector of statistics z(x, y).

A measure provides the statistics of labeled draws, g and its gradient, and the conditional moments of any
combination of its statistics under a predictive distribution. The instrumental distributions, the
estimators and their standard errors follow from these alone.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from html import escape
from typing import Any, ClassVar, NamedTuple, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import BoolArray, FloatArray, IntArray
from activeeval_widgets.stats.intervals import constant_loss_interval
from activeeval_widgets.stats.measures.expectation import Expectation
from activeeval_widgets.stats.predictions.base import Predictions
from activeeval_widgets.stats.predictions.beliefs import Belief
from activeeval_widgets.stats.text import number, with_blank

Kind = TypeVar("Kind")

_ROWS = 10_000
"""Statistics of a whole pool are computed for this many instances at a time."""


class Term(NamedTuple):
    """One model's share in a combination of statistics: the scalar aᵀ z(x, y) for a direction a."""

    predictions: Predictions
    direction: FloatArray


class Moments(NamedTuple):
    """E[s | x] and E[s² | x] of a scalar s(x, y), each of shape (n_instances,)."""

    first: FloatArray
    second: FloatArray


class BandPart(NamedTuple):
    """One of several quantities with an exact interval each, of which a measure is a function.

    Attributes
    ----------
    measure : Measure
        A risk or a ratio.
    models : sequence of one or two Predictions
        Two, for the difference of a risk.
    share : float
        Its share of α.
    """

    measure: "Measure"
    models: Sequence[Predictions]
    share: float


class Measure(ABC):
    """A measure G = g(E[z]) of a model's performance (T, eq. 3.31, for ratios; here any smooth g).

    Attributes
    ----------
    predictions_kind : {"class", "value", "ranking"}
        The kind of predictions that the measure is of.
    name : str
        What the measure is called on screen.
    long_name : str
        The same, spelled out where it is an abbreviation.
    value_range : tuple of float
        The smallest and the largest value that the measure can have.
    greater_is_better : bool
        Whether a model with a larger value is the better one.
    positive : class label, or None
        The class of interest; None where no class stands out.
    is_share : bool
        Whether values are written in percent, differences in percentage points.
    is_risk : bool
        Whether the measure is the mean of one statistic, a loss or a gain.
    is_ratio : bool
        Whether it is the quotient of the means of two statistics, 0 ≤ numerator ≤ denominator.
    is_alike_in_rows : bool
        Whether statistics depend, beside the label, on nothing but what instances that share a row of
        `Predictions.counts` have in common: the predicted class.
    needs_whole_pool : bool
        Whether statistics of one instance depend on the predictions of all others, so that they can't share
        rows.
    parts_count_whole_pool : bool
        Whether statistics, and with them the intervals of `band_parts`, are of the whole pool alone,
        whatever can't be labeled: with all labels the value is that of `of_pool` on what can be.
    is_binary : bool
        Whether the measure is the mean of one statistic that is always 0 or 1.
    is_binned : bool
        Whether g(E[z]) is near the value and not quite it, for statistics say in which bin an instance is:
        where all have labels, `of_pool` has the value.
    is_smooth : bool
        Whether g has a gradient wherever estimates are likely to be. Where it does not, as at a sum of
        absolute values, an estimate ± its standard error does not hold in the limit either.
    needs_range : bool
        Whether a label can make what is averaged as large as it likes: an exact interval then needs to
        know the smallest and the largest label.
    base : Measure, or None
        The measure of which this one is a rising function, with the same statistics: the squared error is the
        root mean squared error's. An interval of the one is an interval of the other.
    clip : float, or None
        Errors that are larger count as if they were this large; None: all count as they are.
    needs_model : bool
        Whether it is a model's, as most are; else it is of the labels themselves, and a model only saves
        labels.
    is_of_systems : bool
        Whether models stand for systems whose answers are judged side by side: what a model says of an
        instance would tell whose answer is whose.
    side_words : tuple of two str
        What is said of the answer that is shown first, and of the second one; see `sides`.
    question : str, or None
        What a person is asked about each instance; None: it goes by the kind of label.
    sentence : str
        Its value in a sentence, with places for {name}, {value}, {instances} (in the plural), and {root}, the
        value's square root.
    remark : str
        What counts how, in a few words, where the name does not say it; else empty.
    summary : str
        What the measure tells, in a sentence for whoever chooses one.
    aliases : tuple of str
        Names that it can be asked for by, see `measure_named`; the class's name, in lower case with hyphens,
        where a class has none of its own.

    See Also
    --------
    pool_value : a measure of a fully labeled pool.
    estimate : a measure from a few labels.

    Examples
    --------
    >>> from activeeval_widgets.stats import FMeasure
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
    name: str
    value_range: tuple[float, float]
    greater_is_better: bool = True
    positive: Any = None
    is_share: ClassVar[bool] = False
    is_risk: ClassVar[bool] = False
    is_ratio: ClassVar[bool] = False
    is_binary: bool = False
    is_binned: ClassVar[bool] = False
    is_smooth: ClassVar[bool] = True
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
        """Whether instances with nearly the same predictions can share a row, with exact bounds."""
        return not self.needs_whole_pool and (self.is_alike_in_rows or not self.is_ratio)

    @classmethod
    def examples(cls) -> list[Self]:
        """A few measures of this class, of a pool with the classes 0, 1, 2, that are checked like all others.

        The first one has no options that can be left out.
        """
        return [cls()]

    @property
    def long_name(self) -> str:
        """The name, spelled out where it is an abbreviation."""
        return self.name

    def unit(self, label_unit: str | None = None) -> str:
        """What follows a value that is written down, a blank before it; "" for most measures.

        Parameters
        ----------
        label_unit : str, optional
            The unit of labels that are numbers, if it is known.
        """
        del label_unit
        return "%" if self.is_share else ""

    def difference_unit(self, label_unit: str | None = None) -> str:
        """What follows a difference of two values: points for percentages."""
        return with_blank("points") if self.is_share else self.unit(label_unit)

    def format(self, value: float, *, decimals: int | None = None, sign: bool = False) -> str:
        """A value as it is written, without its unit: shares in percent; "–" for NaN.

        Parameters
        ----------
        value : float
            The measure's value, or a difference of two.
        decimals : int, optional
            How many; unless given 1 in percent and else 3, but none of numbers from 100 on.
        sign : bool
            Whether a positive value has a plus.
        """
        if decimals is None:
            decimals = 1 if self.is_share else 0 if abs(value) >= 100 else 3
        return number(value * (100 if self.is_share else 1), decimals, sign=sign)

    @abstractmethod
    def statistics(self, predictions: Predictions, y_true: Any, draws: IntArray) -> FloatArray:
        """z(x, y) of labeled draws.

        Parameters
        ----------
        predictions : Predictions
            The model.
        y_true : array-like of shape (n_draws,)
            The labels of the draws.
        draws : ndarray of shape (n_draws,)
            Indices into the pool.

        Returns
        -------
        ndarray of shape (n_draws, n_statistics)
        """

    @abstractmethod
    def g(self, mean: FloatArray) -> FloatArray:
        """The measure, given E[z] of shape (…, n_statistics); shape (…). NaN where it is not defined."""

    @abstractmethod
    def gradient(self, mean: FloatArray) -> FloatArray:
        """The gradient ∇g at E[z], both of shape (…, n_statistics). NaN where g is not defined."""

    def from_base(self, value: float) -> float:
        """The measure's value where `base` has this one: a rising function."""
        return value

    def to_base(self, value: float) -> float:
        """The value of `base` where the measure has this one: the inverse of `from_base`."""
        return value

    @abstractmethod
    def introspective_mean(self, predictions: Predictions, belief: Belief) -> FloatArray:
        """The pool's average of E[z | x], labels distributed as `belief` says; shape (n_statistics,)."""

    def of_pool(self, predictions: Predictions, labels: Any) -> float:
        """The value on a fully labeled pool: g of the mean, unless a measure has it without rounding.

        Parameters
        ----------
        predictions : Predictions
            The model.
        labels : array-like of shape (n_instances,)
            The label of every instance, checked.

        See Also
        --------
        pool_value : checks them.
        """
        n_instances = predictions.n_instances
        total: Any = 0.0
        for start in range(0, n_instances, _ROWS):
            some = np.arange(start, min(start + _ROWS, n_instances))
            total = total + self.statistics(predictions, labels[start : start + _ROWS], some).sum(axis=0)
        return float(self.g(total / n_instances))

    def unevenness(self, predictions: Predictions, mean: FloatArray, share: float) -> float:  # noqa: ARG002
        """How far g(E[z]) can be from the value on what can be labeled, as far as is known of that.

        0 but for measures whose statistics say where an instance stands in the whole pool, or in which bin.

        Parameters
        ----------
        predictions : Predictions
            The model.
        mean : ndarray of shape (n_statistics,)
            E[z] of what can be labeled.
        share : float
            What can be labeled of the pool.
        """
        return 0.0

    def expectation(self, predictions: Predictions, belief: Belief) -> Expectation:
        """E[z | x], labels distributed as `belief` says."""
        n_statistics = self.introspective_mean(predictions, belief).size
        columns = [
            self.moments([Term(predictions, direction)], belief, 0.0).first
            for direction in np.eye(n_statistics)
        ]
        return Expectation.of(np.stack(columns, axis=1), predictions.counts)

    def depth(self, n_models: int) -> int | None:  # noqa: ARG002
        """How far down ranked lists are judged for this measure; None: to their ends, or there are no lists.

        Parameters
        ----------
        n_models : int
            How many rankers are evaluated.
        """
        return None

    @abstractmethod
    def moments(self, terms: Sequence[Term], belief: Belief, offset: float) -> Moments:
        """Conditional moments of s(x, y) = Σ aᵀ z(x, y) − offset, summed over `terms`, one per instance.

        Second moments are sums of squares: they are never negative, however small.
        """

    def outcomes(
        self, models: Sequence[Predictions], y_range: tuple[float, float] | None
    ) -> Iterator[FloatArray]:
        """Statistics of the whole pool, for labels among which are each instance's extremes.

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
        """The smallest and the largest loss of each instance, or difference of two models'; for a risk.

        Parameters
        ----------
        models : sequence of one or two Predictions
            The models.
        y_range : tuple of float, or None
            The smallest and the largest label, for values.

        Returns
        -------
        least, greatest : ndarray of shape (n_instances,)
        """
        n_instances = models[0].n_instances
        least, greatest = np.full(n_instances, np.inf), np.full(n_instances, -np.inf)
        for z in self.outcomes(models, y_range):
            loss = np.subtract.reduce(z, axis=1)
            np.minimum(least, loss, out=least)
            np.maximum(greatest, loss, out=greatest)
        return least, greatest

    def alike(self, predictions: Predictions, instances: IntArray) -> tuple[IntArray, IntArray]:  # noqa: ARG002
        """Some of the instances such that any other has the statistics of one of them, whatever the label.

        Parameters
        ----------
        predictions : Predictions
            The model.
        instances : ndarray of shape (n,)
            Indices into the pool.

        Returns
        -------
        first : ndarray of int
            The chosen instances.
        group : ndarray of int of shape (n,)
            For each of the instances, which of the chosen ones is like it.
        """
        return instances, np.arange(instances.size)

    def range_for(self, predictions: Predictions) -> tuple[float, float]:  # noqa: ARG002
        """The smallest and the largest value that the measure can have for these predictions."""
        return self.value_range

    def constant_interval(
        self,
        predictions: Predictions,
        q: FloatArray,
        z: FloatArray,
        value: float,
        confidence_level: float,
    ) -> tuple[float, float]:
        """An interval for where no draw deviates from `value`, so that no variance can be estimated.

        The measure's whole range, unless a measure knows better: too few labels to tell.

        Parameters
        ----------
        predictions : Predictions
            The model.
        q : ndarray of shape (n_instances,)
            The instrumental distribution.
        z : ndarray of shape (n_draws, n_statistics)
            The statistics of the draws, n_draws ≥ 1.
        value : float
            The estimate.
        confidence_level : float
            1 − α.
        """
        del q, z, value, confidence_level
        return self.range_for(predictions)

    def band_parts(self, model: Predictions) -> tuple[BandPart, ...]:  # noqa: ARG002
        """What the measure is a function of, where that gives it an exact interval; of most measures nothing.

        Parameters
        ----------
        model : Predictions
            The model.

        See Also
        --------
        from_band_parts : what their intervals say of the measure.
        """
        return ()

    def from_band_parts(self, lows: FloatArray, highs: FloatArray, model: Predictions) -> tuple[float, float]:
        """The interval of the measure if each part of `band_parts` is between its ends.

        Parameters
        ----------
        lows, highs : ndarray of shape (n_parts,)
            The parts' ends.
        model : Predictions
            What `band_parts` was asked for.
        """
        raise NotImplementedError

    def difference_parts(
        self,
        first: Predictions,  # noqa: ARG002
        second: Predictions,  # noqa: ARG002
    ) -> tuple[BandPart, ...]:
        """What the difference of two models is a function of, as `band_parts`; the first is 0 where it is."""
        return ()

    def from_difference_parts(self, lows: FloatArray, highs: FloatArray) -> tuple[float, float]:
        """The interval of the difference if each part of `difference_parts` is between its ends."""
        raise NotImplementedError

    def settled_parts(self, lows: FloatArray, highs: FloatArray) -> BoolArray:
        """Parts whose intervals, whatever they narrow to, say nothing of the measure any more: none of most.

        Parameters
        ----------
        lows, highs : ndarray of shape (n_parts,)
            Where the parts are.
        """
        del highs
        return np.zeros(lows.size, dtype=bool)

    def candidates(self, predictions: Predictions) -> list[tuple[float, "Measure"]]:  # noqa: ARG002
        """The thresholds of the score of which this measure is the best, with the measure at each.

        Empty for most: they are of one way to predict.
        """
        return []

    def same_statistics(self, first: Predictions, second: Predictions) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Where two models have equal statistics whatever the label is; booleans of shape (n_instances,)."""
        raise NotImplementedError

    def can_differ(self, first: Predictions, second: Predictions) -> BoolArray:
        """Where a label can tell two models apart: elsewhere their difference is 0 whatever the label is.

        Everywhere, unless it is known: for a risk, where `same_statistics` does not hold.

        Parameters
        ----------
        first, second : Predictions
            The models.

        Returns
        -------
        ndarray of bool of shape (n_instances,)
            For rows that stand for several instances (`Predictions.counts`), whether any of them may.

        See Also
        --------
        adaptive_q : draws there.
        """
        everywhere = np.ones(first.n_instances, dtype=bool)
        if not self.is_risk or (first.members is not None and not self.is_alike_in_rows):
            # In a ratio what both get wrong counts too: it makes the denominators larger.
            return everywhere
        try:
            return ~self.same_statistics(first, second)
        except NotImplementedError:  # a measure of somebody's own need not know
            return everywhere

    def check_models(self, models: Sequence[Predictions]) -> None:
        """Refuse to measure a model where there is none, and to compare two where labels alone count.

        Raises
        ------
        TypeError
            Naming what helps.
        """
        if self.needs_model:
            if not all(model.is_model for model in models):
                raise self._misses_model()
        elif len(models) > 1:
            raise TypeError(
                f"{self!r} is of the labels themselves, which are the same for {len(models)} models: "
                "there is nothing to compare. Give one model's predictions, or none"
            )

    def check_range(self, y_range: tuple[float, float] | None) -> None:  # noqa: B027 - most can use one
        """Refuse a range of labels that was declared where no bound of the measure follows from it.

        Raises
        ------
        ValueError
            Naming what helps.
        """

    def unpredicted(self, n_instances: int) -> Predictions:  # noqa: ARG002
        """What stands for the predictions where there is no model, and nobody says what labels can be.

        Raises
        ------
        TypeError, ValueError
            If the measure needs a model, or does not tell what labels can be.
        """
        raise self._misses_model()

    def bound_to(self, models: Sequence[Predictions]) -> "Measure":  # noqa: ARG002
        """The same measure, as far as it depends on the classes of a session's models; itself for most."""
        return self

    def sides(self, models: Sequence[Predictions]) -> tuple[Any, Any] | None:  # noqa: ARG002
        """Of two answers that are judged side by side, the label of each one alone; None of most measures.

        Other labels are of both alike, as a tie is.
        """
        return None

    def _misses_model(self) -> TypeError:
        return TypeError(
            f"{self!r} is of a model, but there are no predictions: give the model's as predictions, or "
            "estimate something of the labels themselves (LabelShare, WinRate, MeanValue)"
        )

    def _expect(self, kind: type[Kind], predictions: Any) -> Kind:
        if self.needs_model and isinstance(predictions, Predictions) and not predictions.is_model:
            raise self._misses_model()
        if not isinstance(predictions, kind):
            raise TypeError(f"{self!r} takes {kind.__name__}, got {type(predictions).__name__}")
        return predictions

    def _repr_html_(self) -> str:
        # The text form is the call that makes it: logs keep it.
        name = f"{self.long_name[:1].upper()}{self.long_name[1:]}"
        return f"<div><strong>{escape(name)}</strong>. {escape(self.summary)}</div>"

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


class Risk(Measure):
    """A measure with one statistic, a loss or a gain: its value is the mean.

    `Risk.from_loss` makes one of a function.

    Raises
    ------
    TypeError
        If it is made itself: it is the base of all risks.

    See Also
    --------
    CostMatrix : what each error costs, as a table.
    Ratio : quotients of two means.

    References
    ----------
    T, eq. 3.1 and 4.6.

    Examples
    --------
    >>> from activeeval_widgets.stats import ClassPredictions, Risk, pool_value
    >>> far_off = Risk.from_loss(lambda f, y: abs(f - y) > 1, "share far off", is_share=True)
    >>> stars = ClassPredictions([[0.8, 0.1, 0.1], [0.1, 0.1, 0.8]], classes=[1, 2, 3])
    >>> pool_value(far_off, stars, [3, 2])
    0.5
    """

    is_risk = True
    greater_is_better = False

    @staticmethod
    def from_loss(
        function: Callable[[Any, Any], Any],
        name: str,
        *,
        kind: str = "class",
        bounds: tuple[float, float] | None = None,
        greater_is_better: bool = False,
        is_share: bool = False,
    ) -> "Risk":
        """A measure of one's own: the mean of a loss, or a gain, of a prediction and a label.

        Parameters
        ----------
        function : callable
            The loss of a prediction and a label, function(predicted, true): two classes, of which it is asked
            for all pairs once; or for values two arrays of numbers (or two numbers).
        name : str
            What the measure is called.
        kind : {"class", "value"}
            What predictions and labels are.
        bounds : tuple of two floats, optional
            For values: the smallest and the largest loss there can be, which an interval that is guaranteed
            has to know. Labels with another loss are refused. Without them the interval is approximate.
        greater_is_better : bool
            Whether it is a gain.
        is_share : bool
            Whether it is from 0 to 1, to be written in percent.

        Raises
        ------
        ValueError, TypeError
            If an argument does not fit; once it is used, if a loss is no finite number.

        Notes
        -----
        In a session, a loss of classes is known by its table, one of values by its name, its bounds and a
        digest of the function's source: with another one, a stored session is not opened.
        """
        from activeeval_widgets.stats.measures.own import loss_measure

        return loss_measure(
            function, name, kind, bounds, greater_is_better=greater_is_better, is_share=is_share
        )

    @staticmethod
    def from_table(
        name: str, table: ArrayLike, *, greater_is_better: bool = False, is_share: bool = False
    ) -> "Risk":
        """The same by the loss of each predicted class i and true class j, table[i][j]."""
        from activeeval_widgets.stats.measures.own import table_risk

        return table_risk(name, table, {"greater_is_better": greater_is_better, "is_share": is_share})

    def g(self, mean: FloatArray) -> FloatArray:
        """The measure, given E[z]."""
        return np.asarray(mean[..., 0])

    def gradient(self, mean: FloatArray) -> FloatArray:
        """∇g at E[z]."""
        return np.ones_like(mean)

    def constant_interval(
        self,
        predictions: Predictions,
        q: FloatArray,
        z: FloatArray,
        value: float,
        confidence_level: float,
    ) -> tuple[float, float]:
        """An interval where no draw deviates; see `Measure.constant_interval`."""
        return constant_loss_interval(
            value, len(z), max_weight(q), confidence_level, self.range_for(predictions)
        )


def mean_of_moments(measure: Measure, predictions: Predictions, belief: Belief) -> FloatArray:
    """The pool's E[z] of one statistic; see `Measure.introspective_mean`."""
    first, _ = measure.moments([Term(predictions, np.ones(1))], belief, 0.0)
    return np.array([predictions.average(first)])


def max_weight(q: FloatArray) -> float:
    """The largest p/q of what can be drawn: p/q is largest where q is smallest."""
    return 1 / (q.size * float(q[q > 0].min()))


def ratio(numerator: FloatArray, denominator: FloatArray) -> FloatArray:
    """The quotient; NaN, without a warning, where the denominator is not positive."""
    shape = np.broadcast_shapes(np.shape(numerator), np.shape(denominator))
    quotient = np.full(shape, np.nan)
    np.divide(numerator, denominator, out=quotient, where=np.asarray(denominator) > 0)
    return quotient


def ratio_gradient(mean: FloatArray) -> FloatArray:
    """The gradient of the quotient of the first mean and the second, (…, 2)."""
    scale = ratio(np.ones(mean.shape[:-1]), mean[..., 1])
    return np.stack([scale, -scale * ratio(mean[..., 0], mean[..., 1])], axis=-1)
