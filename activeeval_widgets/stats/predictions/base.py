"""What every kind of predictions provides, so that nobody above has to tell the kinds apart."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import Any, ClassVar, Protocol, Self

import numpy as np
from numpy.typing import ArrayLike

from activeeval_widgets.stats._typing import AnyArray, BoolArray, FloatArray, IntArray
from activeeval_widgets.stats.predictions.alike import Alike
from activeeval_widgets.stats.predictions.beliefs import Belief
from activeeval_widgets.stats.predictions.class_labels import as_labels
from activeeval_widgets.stats.predictions.trial_bets import TrialBets
from activeeval_widgets.stats.text import counted


@dataclass(frozen=True)
class Certainty:
    """A number for each instance that tells most about how sure a model is of it.

    Attributes
    ----------
    values : ndarray of shape (n_instances,)
    label : str
        What it is: "confidence", say.
    is_share : bool
        Whether it is a probability, to be written in percent.
    is_prediction : bool
        Whether it is the prediction itself.
    names : tuple of str
        For values that are positions from 0: what each stands for.
    """

    values: FloatArray
    label: str
    is_share: bool
    is_prediction: bool = False
    names: tuple[str, ...] = ()


class Members(Protocol):
    """What is known of the instances that share a row, beyond what the row says."""

    def loss_bounds(self, measure: Any, y_range: tuple[float, float] | None) -> tuple[FloatArray, FloatArray]:
        """The smallest and the largest loss in each row, whatever the label; see `Measure.loss_bounds`."""


class Predictions(ABC):
    """A model's predictions for every instance of the pool.

    `ClassPredictions`, `ValuePredictions` and `RankingPredictions` are the three kinds. Whatever differs
    between them is a method or an attribute here.

    Attributes
    ----------
    kind : {"class", "value", "ranking"}
        The kind of predictions.
    label_kind : {"class", "number", "grades"}
        What a label of an instance is.
    takes_range : bool
        Whether labels are numbers without limits, so that it helps to say which ones there can be.
    name : str or None
        What to call the model on screen.
    counts : ndarray of int of shape (n_instances,), or None
        How many instances of the pool each row stands for, whose predictions are alike; None: one each. What
        draws are made for then are rows, and a row can be drawn as often as it counts.

    members : Members, or None
        What rows with counts stand for.

    See Also
    --------
    ClassPredictions : class probabilities, of a classifier.
    ValuePredictions : numbers, of a regression model.
    RankingPredictions : rankings of items, of a ranker.

    Examples
    --------
    >>> from activeeval_widgets.stats import ClassPredictions, ValuePredictions
    >>> [type(each).kind for each in (ClassPredictions([[0.9, 0.1]]), ValuePredictions([1.0]))]
    ['class', 'value']
    """

    kind: ClassVar[str]
    label_kind: ClassVar[str]
    takes_range: ClassVar[bool] = False
    name: str | None
    counts: IntArray | None = None
    members: "Members | None" = None

    @cached_property
    def _kept(self) -> dict[Hashable, Any]:
        """What was computed of these predictions alone, so that it is not computed again."""
        return {}

    def __getstate__(self) -> dict[str, Any]:
        """Without what is kept: a copy, of other rows perhaps, computes its own."""
        return {name: value for name, value in self.__dict__.items() if name != "_kept"}

    def __repr__(self) -> str:
        name = f" of {self.name}" if self.name else ""
        n = self.size
        return f"<{type(self).__name__}{name}: {counted(n, 'instances')}{self._repr_details()}>"

    def _repr_details(self) -> str:
        """What the text form has after the number of instances."""
        return ""

    @property
    @abstractmethod
    def n_instances(self) -> int:
        """The number of instances of the pool, m; of rows, where these have counts."""

    @property
    def size(self) -> int:
        """The number of instances of the pool, m, however many of them share a row."""
        return self.n_instances if self.counts is None else int(self.counts.sum())

    def with_counts(self, counts: IntArray | None, members: "Members | None" = None) -> Self:
        """The same, of a pool in which each row stands for so many instances, or for one; (n_instances,)."""
        made = copy(self)
        made.counts = None if counts is None else read_only(np.asarray(counts, dtype=np.intp))
        made.members = members
        return made

    def left(self, draws: IntArray) -> AnyArray:
        """How many instances of each row are left after these draws, (n_instances,).

        Booleans, unless rows have counts; `left_sum` takes both.
        """
        return left_of(draws, self.n_instances, self.counts)

    def average(self, values: FloatArray) -> Any:
        """The mean over the pool of what rows have, (n_instances, …)."""
        return values.mean(axis=0) if self.counts is None else self.counts @ values / self.size

    def goes_with(self, other: "Predictions") -> bool:
        """Whether both say the same kind of thing, so that they can be compared."""
        return type(other) is type(self)

    @abstractmethod
    def mismatch(self, other: Self) -> tuple[str, str] | None:
        """What makes another model of the same pool incomparable: its own and the other's way, or None."""

    @abstractmethod
    def belief(self, others: Sequence[Self]) -> Belief:
        """p(y | x), by the equal mixture of this model's predictive distribution and those of `others`."""

    @abstractmethod
    def corrected(
        self,
        others: Sequence[Self],
        draws: IntArray,
        y_true: Any,
        *,
        positive: Any = None,
        with_labels: bool = False,
    ) -> Belief:
        """The same, corrected by labels.

        Parameters
        ----------
        others : sequence of Predictions
            Other models of the same kind and pool.
        draws : ndarray of shape (n_draws,)
            The labeled instances.
        y_true : array-like of shape (n_draws,)
            Their labels.
        positive : class label, optional
            The class of interest: it may be corrected more than others.
        with_labels : bool
            Whether the labeled instances themselves get their labels, where a belief can hold them.
        """

    @abstractmethod
    def check_labels(self, y_true: Any, n_labels: int, expected: str) -> Any:
        """Labels in a form that has a length, of which there have to be `n_labels`."""

    def check_common_labels(self, labels: Any) -> None:  # noqa: B027 - most labels mean one thing
        """Refuse labels that mean something else for each of several models; here, none do."""

    @abstractmethod
    def extreme_labels(self, y_range: tuple[float, float] | None, others: Sequence[Self] = ()) -> Any:
        """Labels of the whole pool, again and again, among which are each instance's extreme ones.

        With them every loss or gain of this model, and every difference from one of `others`, is at its
        smallest and at its largest. Grades of rankings are in this model's own order.

        Parameters
        ----------
        y_range : tuple of float, or None
            The smallest and the largest label, where `takes_range`.
        others : sequence of Predictions
            Other models of the same kind and pool.
        """

    @abstractmethod
    def counting_labels(self, instances: IntArray) -> Iterator[Any]:
        """Labels of some instances among which there is one that counts for a measure, if any does."""

    def rules(
        self,
        others: Sequence[Self],  # noqa: ARG002
        positive: Any = None,  # noqa: ARG002
    ) -> list[Callable[[IntArray], Any]]:
        """What labels may be as a rule, each as a function from instances to labels; none of values.

        Parameters
        ----------
        others : sequence of Predictions
            Other models of the same kind and pool.
        positive : class label, optional
            The class of interest. A model may also be wrong as a rule: on what it predicts to be of this
            class, on the others, or on both.
        """
        return []

    def assumed_range(self, others: Sequence[Self]) -> tuple[float, float] | None:  # noqa: ARG002
        """The smallest and the largest label that predictions let assume; None where they tell nothing.

        Parameters
        ----------
        others : sequence of Predictions
            Other models of the same kind and pool.
        """
        return None

    def distance(self, instance: int, y: Any) -> float:
        """How far a label that is a number is from what is predicted.

        Raises
        ------
        TypeError
            If labels are not numbers.
        """
        del instance, y
        raise TypeError(f"labels of {self!r} have no distance from what is predicted")

    def farthest_label(self, y_range: tuple[float, float]) -> float:
        """How far a label within these ends can be from what is predicted, at most.

        Raises
        ------
        TypeError
            If labels are not numbers.
        """
        raise TypeError(f"labels of {self!r} have no distance from what is predicted, within {y_range}")

    @abstractmethod
    def trial_bets(self) -> TrialBets:
        """The bets on labels by which a `ModelTrial` holds the model to what it promises.

        Raises
        ------
        ValueError
            If it promises nothing.
        """

    @property
    @abstractmethod
    def label_values(self) -> AnyArray | None:
        """All that a label can be, or a part of it: the classes; the grades of an item; None: any number."""

    is_model: ClassVar[bool] = True
    """Whether anything is predicted at all; without a model, only what labels can be is known."""

    guides_draws: ClassVar[bool] = True
    """Whether it says, before any label, where labels tell more."""

    role: str = "model"
    """What sentences call who predicted, where it has no name: "scorer" in logs of evaluations."""

    assists: bool = True
    """Whether estimates lean on what it expects of the labels. On shares of votes they do not: judges can be
    wrong alike, however many agree."""

    is_supposed: ClassVar[bool] = False
    """Whether what it expects of the labels is only supposed: nobody has said it."""

    @property
    def head_start(self) -> float:
        """After how many labels draws may be guided as far as they are before the first one.

        Infinite for shares of votes: smoothed, they are never sure of anything, so they can guide the first
        draws as well as later ones. A model can be too sure: its word counts for more as labels bear it out.
        """
        return 0.0 if self.assists else inf

    written_as: ClassVar[str | None] = None
    """The kind that `to_dict` writes, where it is not `kind`."""

    @property
    def promises(self) -> bool:
        """Whether the model says how sure it is: how labels are distributed, given x."""
        return True

    @property
    @abstractmethod
    def certainty(self) -> Certainty | None:
        """How sure the model is of each instance; None where that depends on what is measured.

        The probability of the predicted class; the standard deviation of a value, or the value itself if
        there is none.
        """

    def predicts_positive(self, positive: Any) -> BoolArray | None:  # noqa: ARG002
        """Where the predicted class is the positive one, (n_instances,); None where there are no classes."""
        return None

    @property
    @abstractmethod
    def arrays(self) -> tuple[AnyArray, ...]:
        """All numbers and classes that the model is made of, for a digest: equal if predictions are."""

    @property
    def ranked_items(self) -> Iterator[tuple[Sequence[Hashable], Sequence[Hashable]]] | None:
        """For each instance the items in ranked order, and all that have probabilities, in their order.

        None where predictions rank nothing.
        """
        return None

    def items(self, instance: int) -> tuple[Hashable, ...]:
        """What is ranked for an instance, in ranked order.

        Raises
        ------
        TypeError
            If the predictions rank nothing.
        """
        del instance
        raise TypeError(f"items are what RankingPredictions rank, not {type(self).__name__}")

    def is_wrong(self, instances: IntArray, y_true: Any) -> BoolArray | None:
        """Where the label is another one than what is predicted, (n,).

        None where predictions are not right or wrong, but more or less so.

        Parameters
        ----------
        instances : ndarray of shape (n,)
            Indices into the pool.
        y_true : array-like of shape (n,)
            Their labels.
        """
        del instances, y_true
        return None

    @abstractmethod
    def differs(self, other: Self) -> BoolArray:
        """Where another model of the same pool predicts something else, (n_instances,).

        Another class, number or order of a list; how sure they are makes no difference.
        """

    def of_instances(self, instances: IntArray) -> Self | None:
        """The predictions of some instances, as of a pool of their own; None where that is not known.

        Parameters
        ----------
        instances : ndarray of shape (n,), int
            Indices into the pool.
        """
        del instances
        return None

    shares_rows: ClassVar[bool] = False
    """Whether instances can share rows: `part`, `grid`, `alike` and the whole numbers are there."""

    needs_sample: ClassVar[bool] = False
    """Whether it takes a sample of the pool to tell what is alike."""

    def part(self, rows: slice | IntArray) -> Self:
        """The predictions of some instances, or of none, unchecked; slices are not copied."""
        raise NotImplementedError

    def elsewhere(self, array: Callable[[str, tuple[int, ...], Any], Any]) -> Self:
        """The same model's predictions for a whole pool, in arrays that are made by their names.

        Parameters
        ----------
        array : callable
            Of the name of an attribute, the shape of an instance's row, and its type, makes what takes its
            place.
        """
        raise NotImplementedError

    def grid(self, others: Sequence[Self]) -> Any:
        """How finely instances are told apart, by this and other models' predictions for a sample."""
        raise NotImplementedError

    def alike(self, others: Sequence[Self], grid: Any, positive: Any = None) -> list[Alike]:
        """In which respects instances are alike for measures of this model, and of others.

        Parameters
        ----------
        others : sequence of Predictions
            Other models of the same kind and pool.
        grid : object
            What `grid` gave of the sample.
        positive : class label, optional
            The class of interest.
        """
        raise NotImplementedError

    def as_of_rows(self, own: Self, rows: IntArray, labels: Any) -> Any:  # noqa: ARG002
        """Labels as they correct rows: as far from the rows' predictions as from their instances' own.

        Parameters
        ----------
        own : Predictions
            What is predicted for the instances, (n,).
        rows : ndarray of shape (n,)
            Their rows.
        labels : array-like of shape (n,)
            Their labels.
        """
        return labels

    def as_whole_numbers(self, grid: Any) -> IntArray:
        """What is predicted, so that it can be added in any order; (n_instances, n_columns), int64."""
        raise NotImplementedError

    def from_whole_numbers(self, means: FloatArray, ends: IntArray, grid: Any) -> Self:
        """Predictions by means of such numbers, (n_rows, n_columns), of the same classes and name.

        `ends`: the smallest and the largest of them in the pool, (2, n_columns).
        """
        raise NotImplementedError

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """The predictions as JSON values, from which `from_dict` makes them again, bit for bit."""

    @classmethod
    @abstractmethod
    def from_dict(cls, record: Mapping[str, Any]) -> Self:
        """The predictions that `to_dict` wrote.

        See Also
        --------
        stats.predictions.from_dict.predictions_from_dict : Of any kind.
        """

    @abstractmethod
    def predicts(self, instance: int) -> str:
        """The prediction for an instance and how sure it is, in a few words: "spam (90%)", "1.23 ± 0.4".

        "" where a few words are not enough, as for rankings.
        """

    def says(self, instance: int) -> str:
        """The same as a predicate: "says spam (90%)", "expects grades 1.2, 0.3 from the top"."""
        return f"says {self.predicts(instance)}"

    @abstractmethod
    def prediction_text(self, instance: int) -> str:
        """The prediction for an instance alone: "spam", "1.23"; "" for rankings."""

    @abstractmethod
    def prediction_record(self, instance: int) -> dict[str, Any]:
        """The same for a table: "prediction", with "confidence" or "standard_deviation" if there is one."""

    def _label_array(self, y_true: ArrayLike, n_labels: int, expected: str) -> AnyArray:
        labels = as_labels(y_true)
        if labels.shape != (n_labels,):
            raise ValueError(f"y_true must hold one label for each of {expected}, got shape {labels.shape}")
        return labels


def left_of(draws: IntArray, n_rows: int, counts: IntArray | None) -> AnyArray:
    """How many instances of each row are left after draws, (n_rows,); see `Predictions.left`."""
    if counts is None:
        rest = np.ones(n_rows, dtype=bool)
        rest[draws] = False
        return rest
    return np.asarray(counts - np.bincount(draws, minlength=n_rows), dtype=np.float64)


def left_sum(values: FloatArray, left: AnyArray) -> Any:
    """The sum of values, (n_rows, …), over what is left by `Predictions.left`."""
    return values[left].sum(axis=0) if left.dtype == bool else left @ values


def read_only(array: AnyArray) -> Any:
    """A copy that can't be written to, neither by the caller who gave the array nor by a reader.

    What is mapped from a file for reading stays as it is: nobody can write to it.
    """
    owner = array
    while isinstance(owner.base, np.ndarray):
        owner = owner.base
    if isinstance(owner, np.memmap) and owner.mode == "r":
        return array
    made = np.array(array)
    made.setflags(write=False)
    return made


def head_start(models: Sequence[Predictions]) -> float:
    """The least of several models' head starts."""
    return min(model.head_start for model in models)


def one_or_all(models: Sequence[Predictions]) -> Predictions | Sequence[Predictions]:
    """The only model, or all of several: as they are given."""
    first, *others = models
    return models if others else first


def as_models(predictions: Predictions | Sequence[Predictions]) -> list[Predictions]:
    """One model or several, as a list of models that speak of the same pool and the same labels."""
    models = [predictions] if isinstance(predictions, Predictions) else list(predictions)
    if not models:
        raise ValueError("predictions must hold at least one model, got an empty list")
    first = models[0]
    for position, model in enumerate(models):
        if not isinstance(model, Predictions):
            raise TypeError(
                "predictions must be ClassPredictions, ValuePredictions or RankingPredictions, or a list of "
                f"one of them, got {model!r}"
            )
        this, other = (
            f"predictions of {each.name!r}" if model.name and first.name else f"predictions[{at}]"
            for at, each in ((position, model), (0, first))
        )
        if not first.goes_with(model):
            raise TypeError(f"{this} is {type(model).__name__}, but {other} is {type(first).__name__}")
        if model.n_instances != first.n_instances:
            raise ValueError(
                f"{this} is for {model.n_instances} instances, but {other} is for {first.n_instances}"
            )
        mismatch = first.mismatch(model)
        if mismatch is not None:
            ours, theirs = mismatch
            raise ValueError(f"{this} has {theirs}, but {other} has {ours}")
    return models


def mixture(models: Sequence[Predictions]) -> Belief:
    """The equal mixture of the models' predictive distributions (T, eq. 5.11)."""
    return models[0].belief(models[1:])
